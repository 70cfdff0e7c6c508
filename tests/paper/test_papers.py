"""What papers say: the club's table, names in their scripts, the month; and that they are safe to show."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
import tomllib
import warnings
from dataclasses import replace
from datetime import date
from itertools import combinations, product
from pathlib import Path

import pytest

import handan
from handan.club.example_card import OWN_CARD
from handan.errors import InputError
from handan.handicaps import CARDS, NIGIRI, Card, card, card_terms, read_card, regular_card
from handan.handicaps.pasted_card import read_typed
from handan.paper import (
    LANGUAGES,
    PAPERS,
    Evening,
    Heading,
    ListLine,
    Material,
    Member,
    RatingList,
    card_table,
    cards_of,
    certificates,
    evening_of,
    evening_sheet,
    heading_of,
    list_of,
    make,
    member_cards,
    members_of,
    month_of,
    monthly_sheet,
    poster,
    rating_list,
)
from handan.paper.card_table import EVEN, runs
from handan.paper.month import Month, MonthLine
from handan.paper.names import language_of, letters, shortened, size_for
from handan.paper.pdf import FAMILY, font_files
from handan.paper.words import card_title, komi_words
from handan.ranks import Rank
from tests.conftest import ROOT
from tests.forms import extended_but
from tests.paper.printed import needs_pdf, sheets

DAY = date(2026, 11, 21)
HEADING = Heading("Sakura Go Club", DAY)
OWN = "difference,stones,komi\n0,0,6.5\n1,1,5.5\n2,1,0.5\n3,2,6.5\n4,2,5.5\n5,2,0.5\n"


def listed(*members: Member) -> RatingList:
    return RatingList(tuple(ListLine(member, place, 3, 2, 1) for place, member in enumerate(members, 1)))


def material(heading: Heading, *members: Member) -> Material:
    """Return what every paper can be made from, of members who won one game each on one evening."""
    month = Month(DAY, tuple(MonthLine(member, 1, 1, 0, 2.0, 1) for member in members))
    return Material(heading, members, card("tokyo15"), DAY, month, Evening((), month), listed(*members))


def own_card(folder: Path, text: str = OWN) -> Card:
    file = folder / "own.csv"
    file.write_text(text, encoding="utf-8")
    return read_card(file)[0]


def test_the_table_of_the_tokyo_card_is_the_printed_one() -> None:
    # tests/references/card_tokyo15.csv: the rows that Sensei's Library prints
    with (ROOT / "tests" / "references" / "card_tokyo15.csv").open(encoding="utf-8") as file:
        printed = list(csv.DictReader(file))
    table = card_table(card("tokyo15"))
    assert len(table.cells) == 135
    assert (len(table.columns), len(table.rows)) == (9, 15)
    for row in printed:
        difference, stones = int(row["difference"]), int(row["stones"])
        (entry,) = table.cells[float(row["komi"]), stones if stones > 1 else 0]
        assert entry.text == str(difference)


@pytest.mark.parametrize("name", list(CARDS))
def test_every_difference_of_a_table_stands_once_at_the_terms_of_the_card(name: str) -> None:
    table, seen = card_table(CARDS[name]), []
    for (komi, column), entries in table.cells.items():
        for entry in entries:
            for difference in range(entry.first, entry.last + 1):
                terms = card_terms(CARDS[name], ("Black", 100), ("White", 100 + difference))
                expected = EVEN if terms.colours == NIGIRI and EVEN in table.columns else terms.stones_on_board
                assert (komi, column) == (terms.komi, expected), difference
                seen.append(difference)
    assert sorted(seen) == list(range(len(seen)))


@pytest.mark.parametrize("name", list(CARDS))
def test_a_short_table_says_the_same_as_the_whole(name: str) -> None:
    for run in runs(card_table(CARDS[name]).entries):
        for difference in range(run.first.first, run.last.last + 1):
            terms = card_terms(CARDS[name], ("Black", 0), ("White", difference))
            first = run.first.terms.komi
            komi = first if first is None else first - (difference - run.first.first)
            assert (terms.stones_on_board, terms.komi) == (run.first.column, komi), difference


@needs_pdf
@pytest.mark.parametrize("name", ["tokyo15", "tagajo12", "gon13", "own"])
def test_the_poster_on_the_wall_shows_the_terms_of_the_card_in_every_cell(name: str, tmp_path: Path) -> None:
    shown = own_card(tmp_path) if name == "own" else card(name)
    (sheet,) = sheets(poster(HEADING, shown))
    words = [word for word in sheet.words if word.top > 60]
    komis = [word for word in words if re.match(r"Black gives|White gives|no komi", word.text)]
    head = {word.text: word.middle[0] for word in words if word.bottom < min(komi.top for komi in komis)}
    cells = 0
    for word in words:
        if not word.text.isdigit() or word.bottom < komis[0].top:
            continue
        komi = min(komis, key=lambda item: abs(item.middle[1] - word.middle[1]))
        column = min(head, key=lambda text: abs(head[text] - word.middle[0]))
        terms = card_terms(shown, ("Black", 0), ("White", int(word.text)))
        assert komi.text == komi_words(terms.komi, "en"), word
        assert column == (str(terms.stones_on_board) if terms.stones_on_board else "first"), word
        cells += 1
    assert cells == {"tokyo15": 135, "tagajo12": 108, "gon13": 116, "own": 6}[name]


def test_a_table_with_ranges_or_without_komi_is_listed(tmp_path: Path) -> None:
    shown = own_card(tmp_path, "from,to,stones\n0,4,0\n5,9,1\n10,19,2\n20,29,3\n")
    html = poster(HEADING, shown).html
    assert '<th scope="row">10–19</th><td>2 stones</td>' in html
    assert '<th scope="row">0–4</th><td>Even game</td>' in html


def written_words(language: str) -> dict[str, dict[str, str]]:
    """Return the words of all papers in a language."""
    return tomllib.loads((ROOT / f"src/handan/paper/languages/{language}.toml").read_text(encoding="utf-8"))


LAW = re.compile(r"^\d+( points a stone, .*komi.* at the head of a column)$")


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_the_title_of_a_printed_card_stands_on_the_poster_in_its_language(language: str) -> None:
    heading = Heading("Club", DAY, language=language)
    by_law = [regular_card(12, None), regular_card(13, 6.5), regular_card(6, 6.0)]
    for shown in (*CARDS.values(), *by_law):
        assert shown.title not in poster(heading, shown).html, shown.name
        assert shown.title in poster(Heading("Club", DAY, language="en"), shown).html


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("club", ["桜 Sakura Go Club", "The Go Club of the Old Harbour and of All the Islands"])
def test_the_back_of_a_card_says_whole_what_its_table_is(language: str, club: str) -> None:
    heading = Heading(club, DAY, language=language)
    words = written_words(language)["cards"]["table"].format(figure=heading.words["points in a sentence"])
    html = member_cards(heading, [Member("Ada", Rank.dan(3), "154")], card("tokyo15")).html
    assert re.search(f" · {re.escape(words)}</span>", html)


def test_the_title_of_a_club_s_own_card_stays_as_it_is(tmp_path: Path) -> None:
    shown = own_card(tmp_path, "# Ladder\nfrom,to,stones\n0,4,0\n5,9,1\n")
    assert "Ladder" in poster(Heading("Club", DAY, language="ja"), shown).html


def test_a_poster_tells_of_ties_where_any_of_its_rows_can_have_one(tmp_path: Path) -> None:
    text = "from,to,stones,komi,tie\n0,4,0,6.5,\n5,9,1,{},{}\n"
    for komi, tie, sentence in (
        (0, "white wins", "A tie after komi is White's."),
        (0, "jigo", "A tie after komi is a jigo."),
        (0.5, "", "Komi has a half point, so that there is no jigo."),
    ):
        html = poster(Heading("Club", DAY, language="en"), own_card(tmp_path, text.format(komi, tie))).html
        assert sentence in html.replace("&#39;", "'").replace("&#x27;", "'")


def test_a_card_by_the_general_law_is_named_with_its_figures() -> None:
    assert card_title(regular_card(13, 6.5).title, "ja") == "一子13点、列の初めはコミ6目半"
    assert card_title(regular_card(13, 6.5).title, "de") == "13 Punkte je Stein, Komi 6,5 am Kopf einer Spalte"
    assert card_title("12 points a stone, komi {0} at the head of a column", "ja").startswith("12 points")


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_all_words(language: str) -> None:
    english, words = written_words("en"), written_words(language)
    titles = {LAW.sub(r"{points}\1", card.title).replace("komi 6 ", "komi {komi} ") for card in CARDS.values()}
    titles |= {"{points} points a stone, no komi at the head of a column"}
    assert english.pop("titles") == {}
    assert set(words.pop("titles", ())) == (titles if language != "en" else set())
    assert set(english) == {"shared", *PAPERS}
    assert {paper: set(names) for paper, names in words.items()} == {
        paper: set(names) for paper, names in english.items()
    }
    for paper, names in words.items():
        for name, text in names.items():
            assert text.strip() or name == "and", (paper, name)
            assert set(re.findall(r"{\w*}", text)) == set(re.findall(r"{\w*}", english[paper][name])), (paper, name)


@pytest.mark.parametrize(
    ("komi", "text"),
    [
        (6.5, "黒から6目半"),
        (0.5, "黒から半目"),
        (-0.5, "白から半目"),
        (-3.0, "白から3目"),
        (0.0, "コミなし"),
        (None, ""),
    ],
)
def test_komi_is_written_as_japanese_cards_write_it(komi: float | None, text: str) -> None:
    assert komi_words(komi, "ja") == text


WRITTEN_DAY = {
    "en": "21 November 2026",
    **dict.fromkeys(("ja", "zh-hans", "zh-hant"), "2026年11月21日"),
    "ko": "2026년 11월 21일",
    "fr": "21 novembre 2026",
    "de": "21. November 2026",
}


@pytest.mark.parametrize("kind", ["live", "official", "past"])
@pytest.mark.parametrize("name", list(PAPERS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_paper_bears_club_day_and_list_and_no_form(name: str, kind: str, language: str) -> None:
    heading = Heading("Sakura & Co", DAY, kind, "Spring" * (kind == "official"), language=language)  # type: ignore[arg-type]
    member = Member("山田 春子", Rank.dan(4), "182")
    html = make(name, material(heading, member)).html
    assert "Sakura &amp; Co" in html
    assert heading.list_line in html
    assert WRITTEN_DAY[language] in heading.list_line
    assert "Spring" in heading.list_line or kind != "official"
    assert not re.search(r"<(form|input|button|script|link|img)\b|style=|https?:", html)


def test_names_cannot_write_markup_or_style() -> None:
    nasty = '</style><script>alert(1)</script>"; } * { display: none'
    heading = Heading(nasty, DAY)
    for name in PAPERS:
        member = Member(nasty, Rank.dan(1), nasty, nasty)
        html = make(name, material(heading, member)).html
        assert html.count("</style>") == 1
        assert "<script" not in html
        assert "{ display: none" not in html.partition("<style>")[2].partition("</style>")[0]


@pytest.mark.parametrize(
    ("name", "reading", "country", "language"),
    [
        ("김민수", "", "JP", "ko"),
        ("スズキ", "", "", "ja"),
        ("小林 さくら", "", "", "ja"),
        ("王小明", "", "CN", "zh-Hans"),
        ("王小明", "", "TPE", "zh-Hant"),
        ("山田", "やまだ", "", "ja"),
        ("山田", "", "", ""),
        ("Ada", "", "JP", ""),
    ],
)
def test_a_name_has_the_language_of_its_letters(name: str, reading: str, country: str, language: str) -> None:
    assert language_of(name, reading, country) == language


def test_letters_keep_their_accents_and_variation_signs() -> None:
    assert letters("e\u0301a") == ["\u00e9", "a"]
    assert letters("葛\U000e0100城") == ["葛\U000e0100", "城"]
    assert letters("\u1100\u1161\u11a8") == ["각"]  # Hangul in parts, as some systems name files


def test_long_names_shrink_and_then_end_visibly() -> None:
    assert size_for("山田", 56, 21) == 21
    assert 8 < size_for("寿限無寿限無五劫の擦り切れ", 56, 21) < 21
    assert shortened("寿" * 100, 56).endswith("…")
    assert shortened("山田", 56) == "山田"


def test_the_month_counts_games_wins_runs_and_promotions() -> None:
    # counted by hand: Ada wins three of four in May, the last three in a row; April and June are not in it
    rows = [("2026-04-30", "B+R"), ("2026-05-01", "W+R"), ("2026-05-08", "B+R"), ("2026-05-15", "B+R"),
            ("2026-05-31", "B+R"), ("2026-06-01", "B+R")]  # fmt: skip
    games = [handan.Game("Ada", "Bo", result, date=day, komi=6.5) for day, result in rows]
    ledger = handan.Ledger.of(
        games, [handan.Adjustment("Ada", "5k", None, None), handan.Adjustment("Bo", "5k", None, None)]
    )
    ratings = handan.rate(ledger, "points")
    members = members_of(ratings)
    month = month_of(members, cards_of(ratings, members), date(2026, 5, 15))
    ada = next(line for line in month.lines if line.member.name == "Ada")
    assert (ada.games, ada.wins, ada.losses, ada.change, ada.streak) == (4, 3, 1, 2.0, 3)
    bo = next(line for line in month.lines if line.member.name == "Bo")
    assert (bo.games, bo.wins, bo.losses, bo.change, bo.streak) == (4, 1, 3, -2.0, 1)
    assert [line.member.name for line in month.best(lambda line: line.wins, 1)] == ["Ada"]
    assert [line.member.name for line in month.best(lambda line: line.games, 1)] == ["Ada", "Bo"]  # as many each
    html = monthly_sheet(heading_of(ratings, "Club"), month).html
    assert "Results of May 2026" in html
    assert "<b>+2</b>" in html


def test_an_honour_of_all_names_ten() -> None:
    games = [handan.Game(f"Ada {n}", f"Bo {n}", "B+R", date="2026-05-01") for n in range(9)]
    ratings = handan.rate(handan.Ledger.of(games), "elo")
    members = members_of(ratings)
    month = month_of(members, cards_of(ratings, members), date(2026, 5, 1))
    most_games = monthly_sheet(heading_of(ratings, "Club"), month).html.split("</ol>")[0]
    assert (most_games.count("<b>1</b>"), most_games.count("<li>…</li>")) == (10, 1)


def test_a_sheet_of_days_on_which_nobody_played_says_so_and_has_no_table() -> None:
    ratings = handan.rate(handan.Ledger.of([handan.Game("Ada", "Bo", "B+R", date="2026-05-01")]), "elo")
    members = members_of(ratings)
    cards, heading = cards_of(ratings, members), heading_of(ratings, "Club")
    for day, played in ((date(2026, 5, 1), True), (date(2026, 4, 1), False)):
        sheets = (
            evening_sheet(heading, evening_of(members, cards, day)),
            monthly_sheet(heading, month_of(members, cards, day)),
        )
        assert [("<table" in sheet.html, "No games were played." in sheet.html) for sheet in sheets] == [
            (played, not played)
        ] * 2


def test_a_rise_of_rank_is_a_promotion_and_a_fall_is_none() -> None:
    # 120 points are 118 + 2: from 12 kyu 118 on; SAGC's own example would need its five factors
    games = [handan.Game("Ada", "Bo", "B+R", date=f"2026-05-{day:02}", komi=6.5) for day in range(1, 29)]
    ledger = handan.Ledger.of(games, [handan.Adjustment(name, "5k", None, None) for name in ("Ada", "Bo")])
    ratings = handan.rate(ledger, "points")  # 28 points are more than two ranks of 12
    members = members_of(ratings)
    month = month_of(members, cards_of(ratings, members), DAY.replace(month=5))
    ((line),) = month.promotions
    assert line.member.name == "Ada"
    assert line.promotion is not None
    assert (str(line.promotion.before), str(line.promotion.after)) == ("5k", "3k")


def test_points_that_are_brought_in_promote_nobody_and_a_lost_rank_is_not_kept() -> None:
    # 10 kyu is 58 points and 5 kyu 118 on this card, 12 a rank: the table brings 113, nearest to 5 kyu from 112 on
    games = [handan.Game("Bo", "Ada", "B+R", date="2026-04-30", komi=6.5)]
    games += [handan.Game("Ada", "Bo", "B+R", date=f"2026-05-{day:02}", komi=6.5) for day in range(2, 16)]
    games += [handan.Game("Bo", "Ada", "B+R", date=f"2026-05-{day:02}", komi=6.5) for day in range(16, 19)]
    set_by_hand = [handan.Adjustment("Ada", "10k", None, None), handan.Adjustment("Bo", "10k", None, None),
                   handan.Adjustment("Ada", None, 113.0, date(2026, 5, 1))]  # fmt: skip
    ratings = handan.rate(handan.Ledger.of(games, set_by_hand), "points")
    members = members_of(ratings)
    cards = cards_of(ratings, members)
    whole = month_of(members, cards, DAY.replace(month=5))
    (line,) = whole.promotions
    assert line.promotion is not None
    assert line.member.name == "Ada"
    assert str(line.promotion.before) == str(ratings.system.rank(113.0))
    assert line.promotion.day == next(  # the day whose game led above the rank as it ends
        item.date for item in cards["Ada"] if item.game and str(item.rank_after) == str(line.promotion.after)
    )
    (paper,) = certificates(HEADING, members, whole).pages[:1]
    assert str(line.promotion.after.format("en-long")) in paper.under.whole
    assert whole.promoted(members) == (line.member,)


def test_a_member_who_is_named_gets_a_certificate_and_who_has_no_rank_none() -> None:
    members = Member("山田 春子", Rank.dan(2), "147"), Member("Bo", None, "3"), Member("Ada", Rank.kyu(5), "80")
    html = make("certificate", Material(replace(HEADING, language="ja", era=True), members)).html
    assert html.count('class="page"') == 2
    assert all(text in html for text in ("昇段証", "昇級証", "二段", "令和8年11月21日"))
    with pytest.raises(InputError, match="nobody was promoted"):
        make("certificate", Material(HEADING, members[1:2]))


def test_members_are_those_named_as_they_stand() -> None:
    ratings = handan.rate(handan.read(ROOT / "examples" / "games.csv"), "points", card="tokyo15")
    everybody = members_of(ratings)
    assert [member.name for member in everybody] == list(ratings.table()["player"])
    assert [member.name for member in members_of(ratings, ["Bob"])] == ["Bob"]
    with pytest.raises(InputError, match="Zoe"):
        members_of(ratings, ["Zoe"])
    assert heading_of(ratings, "Club").list_line == "List of 16 September 2026"


def test_what_cannot_be_printed_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean poster"):
        make("postr", Material(HEADING))
    with pytest.raises(InputError, match="name one, such as tokyo15"):
        make("poster", Material(HEADING))
    with pytest.raises(InputError, match="no member is chosen"):
        make("cards", Material(HEADING))
    with pytest.raises(InputError, match="301 members; one paper holds 300"):
        make("plates", Material(HEADING, (Member("Ada"),) * 301))
    with pytest.raises(InputError, match="1001 members; one paper holds 1000"):
        make("list", Material(HEADING, (Member("Ada"),) * 1001))
    with pytest.raises(InputError, match="no member is chosen"):
        rating_list(HEADING, RatingList(()))
    with pytest.raises(InputError, match="copies 51"):
        make("sheet", Material(HEADING, copies=51))
    with pytest.raises(InputError, match="one of en, ja, zh-hans"):
        Heading("Club", DAY, language="xx")
    with pytest.raises(InputError, match=r"\.pdf or \.html"):
        member_cards(HEADING, [Member("Ada")]).write(tmp_path / "cards.doc")


@needs_pdf
@pytest.mark.parametrize("language", extended_but(["ja"], LANGUAGES))
def test_every_paper_of_every_language_has_all_its_letters(language: str) -> None:
    heading = Heading("Sakura", DAY, "official", "Spring", language=language)
    members = [Member("山田 春子", Rank.dan(1), "182.5", "やまだ", "JP"), Member("김민수", Rank.kyu(5), "55", "", "KR"),
               Member("Łucja Weiß", Rank.kyu(1), "100")]  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a letter that no font has
        for name in PAPERS:
            words = written_words(language)[name]
            pages = sheets(make(name, material(heading, *members)))
            text = "".join(word.text for page in pages for word in page.words).replace(" ", "")
            named = {"cards": "card", "points": "card", "certificate": "dan title"}.get(name, "title")
            title = words[named].partition("{")[0]
            if name != "plates":  # which bear the ranks and names alone
                assert re.sub(r"\s", "", title) in re.sub(r"\s", "", text), (name, title)


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 11, 21), "令和8年11月21日"),
        (date(2019, 5, 1), "令和元年5月1日"),
        (date(2019, 4, 30), "平成31年4月30日"),
        (date(1989, 1, 7), "昭和64年1月7日"),
        (date(1926, 12, 24), "1926年12月24日"),
    ],
)
def test_japanese_papers_count_years_by_the_era_on_request(day: date, words: str) -> None:
    # the eras begin on these days by the cabinet orders that named them
    assert words in Heading("Club", day, language="ja", era=True).list_line
    assert f"{day.year}年" in Heading("Club", day, language="ja").list_line
    assert "令和" not in Heading("Club", day, language="ko", era=True).list_line


@needs_pdf
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", ["tagajo12", "umeda10", "own"])
def test_a_short_table_fills_the_poster(name: str, language: str) -> None:
    shown = read_typed(OWN_CARD).card() if name == "own" else card(name)
    (sheet,) = sheets(poster(Heading("Club", DAY, language=language), shown))
    figures = [word for word in sheet.words if re.fullmatch(r"\d+(?:–\d+)?", word.text)]
    assert max(word.bottom for word in figures) > 330  # of 420 mm; what stands below needs forty
    assert max(word.bottom for word in sheet.words) < 410
    for one, other in combinations(sheet.words, 2):  # no two words of a line touch
        if abs(one.bottom - other.bottom) < 1:
            assert max(one.left, other.left) > min(one.right, other.right) - 0.2, (one, other)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_short_list_on_the_poster_is_read_from_two_metres(language: str) -> None:
    shown = read_typed(OWN_CARD).card()
    style = poster(Heading("Club", DAY, language=language), shown).style
    (size,) = re.findall(r" table { font-size: (\d+)pt; }", style)
    assert int(size) >= 21  # points, of room for thirteen lines


@needs_pdf
@pytest.mark.parametrize("language", LANGUAGES)
def test_komi_in_words_stays_in_its_column_of_the_poster(language: str) -> None:
    (sheet,) = sheets(poster(Heading("Club", DAY, language=language), card("tokyo15")))
    left, right = 18.0, 18.0 + 62.0  # the margin of the poster, and the column of styles/poster.css
    words = [
        word for word in sheet.words if re.search(r"\d|半", word.text) and 78 < word.top < 330 and word.left < right
    ]
    assert len(words) >= 14
    assert all(left < word.left and word.right < right for word in words), max(words, key=lambda word: word.right)


@pytest.mark.parametrize("name", PAPERS)
def test_a_paper_as_a_page_has_one_heading_and_a_main_part(name: str) -> None:
    heading, member = Heading("Club", DAY), Member("Ada", Rank.kyu(5), "100", "", "", "", "")
    html = make(name, material(heading, member)).html
    assert html.count("<h1") == html.count("<main>") == 1


def cells_of(html: str) -> list[list[str]]:
    """Return the texts of the cells of a paper's table, its heads first."""
    rows = re.findall(r"<tr>(.*?)</tr>", html)
    return [[re.sub(r"<[^>]+>", "", cell) for cell in re.findall(r"<t[hd]>(.*?)</t[hd]>", row)] for row in rows]


def test_a_rating_list_has_everybody_in_their_place_with_what_the_last_days_brought() -> None:
    lines = (
        ListLine(Member("山田 春子", Rank.dan(1), "182.5", "やまだ"), 1, 10, 7, 3, 0, "2026-11-20", 12.5, Rank.kyu(1)),
        ListLine(Member("Ada", Rank.kyu(3), "150.0"), 2, 4, 1, 2, 1, "2025-03-01"),
        ListLine(Member("Bo", Rank.kyu(3), "150.0"), 2, 2, 0, 2, 0, "2026-11-01", -3.0),
    )
    html = rating_list(Heading("Club", DAY, language="de"), RatingList(lines, date(2026, 10, 22))).html
    assert "Änderung seit 22. Oktober 2026" in html
    assert cells_of(html) == [
        ["#", "Mitglied", "Rang", "Punkte", "Änderung", "Partien", "Gewonnen", "Verloren", "Jigo", "Letzte Partie"],
        ["1", "山田 春子 やまだ", "1. Kyu → 1. Dan", "182,5", "+12,5", "10", "7", "3", "0", "20.11.2026"],
        ["2", "Ada", "3. Kyu", "150,0", "", "4", "1", "2", "1", "01.03.2025"],
        ["2", "Bo", "3. Kyu", "150,0", "-3,0", "2", "0", "2", "0", "01.11.2026"],
    ]
    plain = rating_list(HEADING, RatingList(lines[1:2])).html
    assert "Change" not in plain
    assert "Jigo" in plain


def test_the_rating_list_of_files_says_what_the_table_says() -> None:
    ratings = handan.systems.SYSTEMS["egf"]().rate(handan.read(ROOT / "examples" / "games.csv"))
    heading = heading_of(ratings, "Club")
    since = date(2026, 8, 17)  # thirty days before the newest game, of 16 September
    table = ratings.table(since=since)
    lines = list_of(ratings, members_of(ratings), heading.day)
    assert lines.since == since
    assert [(line.place, line.member.name, line.games, line.change) for line in lines.lines] == [
        (row["place"], row["player"], row["games"], row["rating_change"]) for row in table.iter_rows(named=True)
    ]


@pytest.mark.extended
@needs_pdf
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_long_list_goes_on_over_pages_that_repeat_its_head(language: str) -> None:
    heading = Heading("Club", DAY, "official", "Spring", language=language)
    members = [Member(f"Ada Lindqvist {number}", Rank.kyu(5), "1234.5") for number in range(80)]
    pages = sheets(rating_list(heading, listed(*members)))
    assert len(pages) > 2
    rank = written_words(language)["shared"]["rank"].split()[0]
    for page in pages:
        assert (page.wide, page.tall) == pytest.approx((210, 297), abs=0.5)
        assert any(rank in word.text for word in page.words)
        assert max(word.right for word in page.words) < 196
    seen = [word.text for page in pages for word in page.words if word.text.isdecimal()]
    assert {str(number) for number in range(1, 81)} <= {*seen}


@pytest.mark.extended
@needs_pdf
@pytest.mark.parametrize(("rows", "language"), [*product([6, 13], LANGUAGES), (10, "en"), (11, "en")])
def test_every_line_of_a_short_table_stands_on_the_back_of_a_card(rows: int, language: str, tmp_path: Path) -> None:
    # an irregular card in whose table each run of differences is a line
    terms = [(stones, komi) for stones in (1, 2, 3, 4, 5, 6, 7) for komi in (0.5, -4.5)][:rows]
    lines = [f"{3 * n + more},{stones},{komi}" for n, (stones, komi) in enumerate(terms) for more in range(3)]
    own = own_card(tmp_path, "difference,stones,komi\n" + "\n".join(lines) + "\n")
    assert len(runs(card_table(own).entries)) == rows
    front, back = sheets(member_cards(Heading("Sakura", DAY, language=language), [Member("Ada", Rank.kyu(5))], own))
    assert (front.wide, back.tall) == pytest.approx((210, 297), abs=0.5)
    first = [word for word in back.words if word.left < 105 and word.top > 13.5 and word.bottom < 13.5 + 54]
    seen = [word.text for word in first]
    for n in range(rows):
        assert f"{3 * n}–{3 * n + 2}" in seen, seen
    assert max(word.bottom for word in first) < 13.5 + 54 - 1


@pytest.mark.extended
@needs_pdf
@pytest.mark.skipif(FAMILY not in font_files(), reason="the font of the papers is not installed")
def test_a_process_that_has_printed_ends_without_a_word_and_leaves_no_file_of_a_font() -> None:
    """Also where Python takes the modules of WeasyPrint apart before ours, as at the end of a server."""
    lines = (
        "import sys",
        "from handan.paper import pdf",
        "pdf.pdf_of('<p>囲碁</p>')",
        "sys.printed = [pdf, sys.modules['weasyprint.text.fonts']]",
        "print(pdf._fonts()[0]._folder)",
    )
    ended = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert ended.stderr == ""
    assert not Path(ended.stdout.strip()).exists()
