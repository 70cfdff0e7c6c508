"""What lies on the table: sizes in millimetres, places, fonts and codes, read from the PDF itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import cache
from itertools import pairwise

import pytest

from handan.errors import shown
from handan.handicaps import card
from handan.paper import (
    Heading,
    Member,
    Month,
    MonthLine,
    Paper,
    certificates,
    member_cards,
    month_of,
    monthly_sheet,
    points_cards,
    poster,
    record_sheet,
    wall_plates,
)
from handan.paper.pdf import MINCHO, MissingLetterError, font_files
from handan.ranks import Rank
from tests.forms import extended_but
from tests.paper.printed import Sheet, fonts, glyphs, needs_pdf, picture, sheets

pytestmark = needs_pdf
DAY = date(2026, 11, 21)
JAPANESE = Heading("さくら囲碁会 围让贴级 讓貼", DAY, language="ja")
ENGLISH = Heading("Sakura Go Club", DAY)
HARD = (
    "山田 春子",
    "髙﨑 健",
    "김민수",
    "王让贴级",
    "讓貼",
    "スズキ・サトー",
    "Łucja Işıl",
    "Bartholomäus von Krummbiegel-Hohenlohe",
)
TOLERANCE = 0.3  # millimetres
SITE = "https://sakura.example/sakura/players/"


def people(count: int) -> list[Member]:
    """Return members with names of many scripts and lengths."""
    return [
        Member(
            HARD[number % len(HARD)], Rank.kyu(number % 20 + 1), str(200 - number), "よみ", "", f"{SITE}p{number}/", ""
        )
        for number in range(count)
    ]


@cache
def member_sheets(heading: Heading, name: str | None) -> list[Sheet]:
    """Return the pages of member cards of twenty, with that card behind them; the tests that measure them share it."""
    return sheets(member_cards(heading, people(20), card(name) if name else None))


def gaps(places: list[float]) -> list[float]:
    return [later - earlier for earlier, later in pairwise(places)]


@pytest.mark.parametrize("heading", extended_but([JAPANESE], [JAPANESE, ENGLISH]), ids=["ja", "en"])
def test_a_member_card_is_85_by_54_mm_and_ten_are_on_a4(heading: Heading) -> None:
    front, *_ = member_sheets(heading, None)
    assert [front.wide, front.tall] == pytest.approx([210, 297], abs=TOLERANCE)
    assert gaps(front.columns()) == pytest.approx([85.0] * 2, abs=TOLERANCE)
    assert gaps(front.rows()) == pytest.approx([54.0] * 5, abs=TOLERANCE)


@pytest.mark.parametrize("heading", extended_but([JAPANESE], [JAPANESE, ENGLISH]), ids=["ja", "en"])
@pytest.mark.parametrize(
    "name", extended_but(["tokyo15"], ["tagajo12", "tokyo15", "takadanobaba18", "umeda10", "horton13", "mami12"])
)
def test_the_backs_lie_behind_the_fronts_whichever_way_the_paper_is_turned(heading: Heading, name: str) -> None:
    front, back, *_ = member_sheets(heading, name)
    for places, length in ((front.columns(), 210.0), (front.rows(), 297.0)):
        assert [length - place for place in reversed(places)] == pytest.approx(places, abs=TOLERANCE)
    assert set(front.columns()) <= set(back.columns())
    assert set(front.rows()) <= set(back.rows())
    texts: dict[tuple[int, int], list[str]] = {}
    for word in back.words:
        texts.setdefault((int((word.middle[0] - 20) // 85), int((word.middle[1] - 13.5) // 54)), []).append(word.text)
    assert len(texts) == 10
    assert len({tuple(each) for each in texts.values()}) == 1  # all ten the same, so that mirrored they are the same


@pytest.mark.parametrize("heading", extended_but([JAPANESE], [JAPANESE, ENGLISH]), ids=["ja", "en"])
@pytest.mark.parametrize(
    "name", extended_but([None, "tokyo15"], [None, "tokyo15", "tagajo12", "takadanobaba18", "umeda10"])
)
def test_nothing_reaches_over_the_edge_of_its_card(heading: Heading, name: str | None) -> None:
    for sheet in member_sheets(heading, name):
        for word in sheet.words:
            left, top = 20 + 85 * int((word.middle[0] - 20) // 85), 13.5 + 54 * int((word.middle[1] - 13.5) // 54)
            assert left + 1 < word.left, word
            assert word.right < left + 84, word
            assert top + 1 < word.top, word
            assert word.bottom < top + 53, word


def test_a_points_card_is_a6_with_fourteen_lines_of_7_mm_and_four_are_on_a4() -> None:
    (sheet,) = sheets(points_cards(JAPANESE, people(4)))
    assert len(sheet.words) > 4
    cuts = [line for line in sheet.lines if line.right - line.left > 190 or line.bottom - line.top > 280]
    across = sorted({round(line.top, 1) for line in cuts if line.bottom - line.top < 0.3})
    down = sorted({round(line.left, 1) for line in cuts if line.right - line.left < 0.3})
    assert down == pytest.approx([105.0], abs=TOLERANCE)  # the outer edges are those of the paper
    assert gaps(across) == pytest.approx([148.0, 148.0], abs=TOLERANCE)
    page = picture(points_cards(JAPANESE, people(4)), dots=300).convert("L")
    dark = [y / 300 * 25.4 for y in range(page.height // 2) if page.getpixel((round(26 / 25.4 * 300), y)) < 150]
    lines = [place for place in dark if 36 < place < 140]
    starts = [place for place, before in zip(lines, [0.0, *lines], strict=False) if place - before > 1]
    assert gaps(starts) == pytest.approx([7.0] * 14, abs=0.1)


def test_seven_plates_of_36_by_120_mm_are_on_a4_across_and_names_go_downward() -> None:
    first, second = sheets(wall_plates(JAPANESE, people(9)))
    assert [first.wide, first.tall] == pytest.approx([297, 210], abs=TOLERANCE)
    cuts = [line for line in first.lines if line.bottom - line.top > 121]
    assert gaps(sorted({round(line.left, 2) for line in cuts})) == pytest.approx([36.0] * 7, abs=TOLERANCE)
    assert gaps(sorted({round(line.top, 2) for line in first.lines if line.right - line.left > 250})) == pytest.approx(
        [120.0], abs=TOLERANCE
    )
    family = [next(word for word in first.words if word.text.startswith(letter)) for letter in "山田春子"]
    assert all(upper.bottom <= lower.top + 0.5 for upper, lower in pairwise(family))
    assert max(word.middle[0] for word in family) - min(word.middle[0] for word in family) < 1
    latin = [word for word in first.words if word.text in {"Ł", "ucja"}]
    assert latin[0].middle[1] == pytest.approx(latin[1].middle[1], abs=2)  # across
    assert "200" not in {word.text for word in first.words}  # points change
    assert second.words


def test_the_poster_is_a3_and_the_record_sheet_a4_with_fifteen_lines() -> None:
    (wall,) = sheets(poster(JAPANESE, card("tokyo15")))
    assert [wall.wide, wall.tall] == pytest.approx([297, 420], abs=TOLERANCE)
    pages = sheets(record_sheet(ENGLISH, 3, f"{SITE}sheet/"))
    assert len(pages) == 3
    assert [pages[0].wide, pages[0].tall] == pytest.approx([210, 297], abs=TOLERANCE)
    texts = {word.text for word in pages[0].words}
    assert {str(number) for number in range(1, 16)} <= texts
    assert "16" not in texts
    assert {"Stones", "Komi", "Kind", "Loser signs", "Remarks"} <= texts
    numbers = [next(word.text for word in page.words if word.text.startswith("Sheet ")) for page in pages]
    assert numbers == ["Sheet 2026-11-21-1", "Sheet 2026-11-21-2", "Sheet 2026-11-21-3"]


def papers(heading: Heading, members: list[Member]) -> list[Paper]:
    """Return one of each paper."""
    return [
        member_cards(heading, members, card("tokyo15")),
        points_cards(heading, members),
        poster(heading, card("tokyo15")),
        record_sheet(heading, 1, f"{SITE}sheet/"),
        wall_plates(heading, members),
        monthly_sheet(heading, month_of(members, {}, DAY)),
        certificates(heading, members),
    ]


@pytest.mark.extended
def test_no_paper_of_sixty_members_takes_500_kilobytes() -> None:
    for paper in papers(JAPANESE, people(60)):
        assert len(paper.pdf()) < 500_000, paper.title


def test_fonts_are_embedded_and_every_letter_is_there() -> None:
    for paper in papers(JAPANESE, people(len(HARD))):
        pdf = paper.pdf()
        shown = glyphs(pdf)
        assert shown
        assert not {0, 0xFFFF} & set(shown), paper.title  # .notdef, and what WeasyPrint writes in its place
        for font in fonts(pdf):
            inner = font["/DescendantFonts"][0].get_object()["/FontDescriptor"].get_object()
            assert {"/FontFile2", "/FontFile3"} & set(inner), font


@pytest.mark.skipif(MINCHO not in font_files(), reason="no Mincho is installed")
def test_papers_that_hang_on_walls_are_in_mincho() -> None:
    member = [Member("山田 春子", Rank.dan(1))]
    for paper in (wall_plates(JAPANESE, member), poster(JAPANESE, card("tokyo15")), certificates(JAPANESE, member)):
        assert any("Mincho" in str(font["/BaseFont"]) for font in fonts(paper.pdf())), paper.title


def test_a_letter_that_no_font_has_is_an_error_that_names_it_and_whose_it_is() -> None:
    for name in ("Ada \ue123", "\U000f1234"):
        with pytest.raises(MissingLetterError) as refused:
            member_cards(ENGLISH, [Member("Bo"), Member(name)]).pdf()
        assert f"{name[-1]} (U+{ord(name[-1]):04X})" in str(refused.value)
        assert shown(name) in str(refused.value)
        assert "'Bo'" not in str(refused.value)


def test_a_long_name_of_a_club_stands_whole_on_the_record_sheet() -> None:
    name = "Cape Town Go Club — Constantiaberg, Newlands and Southern Suburbs Section"
    assert name.rsplit(maxsplit=1)[-1] in record_sheet(replace(ENGLISH, club=name)).html


def test_forms_of_chinese_characters_follow_the_language_of_the_name() -> None:
    shown = [set(glyphs(member_cards(ENGLISH, [Member("直骨", country=code)]).pdf())) for code in ("JP", "CN", "TW")]
    assert len({frozenset(each) for each in shown}) == 3


def test_the_code_of_a_card_leads_to_the_members_page() -> None:
    decoder = pytest.importorskip("zxingcpp", reason="no decoder of QR codes is installed")
    page = picture(member_cards(ENGLISH, people(10)), dots=400)
    assert sorted(code.text for code in decoder.read_barcodes(page)) == sorted(f"{SITE}p{each}/" for each in range(10))


def test_the_code_of_a_record_sheet_leads_to_the_page_on_which_games_are_entered() -> None:
    decoder = pytest.importorskip("zxingcpp", reason="no decoder of QR codes is installed")
    page = picture(record_sheet(JAPANESE, 1, "https://sakura.example/sakura/games/sheet/"), dots=300)
    assert [code.text for code in decoder.read_barcodes(page)] == ["https://sakura.example/sakura/games/sheet/"]


def test_ranks_of_the_month_stand_in_one_line_each_also_where_they_are_long() -> None:
    names = [*HARD, "Bartholomew Featherstonehaugh-Cholmondeley"]
    members = [Member(name, Rank.kyu(20 + place), "-100", "", "", "", "") for place, name in enumerate(names)]
    month = Month(DAY, tuple(MonthLine(member, 12, 6, 5, -10.0, 3) for member in members))
    page = sheets(monthly_sheet(Heading("Go-Verein", DAY, language="de"), month))[0]
    shown = {word.text for word in page.words}
    assert {f"{20 + place}. Kyu" for place in range(len(names))} <= shown


def test_a_name_without_a_blank_breaks_before_the_edge_of_its_paper() -> None:
    member = Member("X" * 200, Rank.kyu(2), "64", "", "", "", "")
    (front, *_), (quarter,) = sheets(member_cards(ENGLISH, [member], None)), sheets(points_cards(ENGLISH, [member]))
    written = Month(DAY, (MonthLine(member, 12, 6, 5, -10.0, 3),))
    (month,) = sheets(monthly_sheet(ENGLISH, written))
    for sheet, edge in ((front, 20 + 85 - 4), (quarter, 64.5), (month, 195)):
        lines = [word for word in sheet.words if "XX" in word.text]
        assert len(lines) > 1
        assert max(word.right for word in lines) < edge
    assert "64" in {word.text for word in month.words}
    assert max(word.right for word in month.words) < 196


def test_all_words_of_a_plate_that_are_written_across_have_one_size() -> None:
    member = Member("Sophie & Söhne", Rank.dan(1), "0", "", "", "", "")
    (sheet,) = sheets(wall_plates(ENGLISH, [member]))
    words = {word.text: word.bottom - word.top for word in sheet.words}
    assert words["&"] == pytest.approx(words["Sophie"], rel=0.3)  # letters have tails, signs have none
