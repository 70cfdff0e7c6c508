"""Ranks: everything that files contain, every language there and back, one order, one axis, the printed tables."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handan.errors import InputError
from handan.ranks import FORMATS, STAGES, Grade, Rank, parse_with_flag, rank_of_elo
from tests.command_line import run

AMATEURS = [*(Rank.kyu(number) for number in range(30, 0, -1)), *(Rank.dan(number) for number in range(1, 10))]
PROFESSIONALS = [Rank.pro(number) for number in range(1, 11)]
ALL = [*AMATEURS, *PROFESSIONALS]
FULL_WIDTH = {code: code + 0xFEE0 for code in range(ord("!"), ord("~") + 1)} | {ord(" "): "\u3000"}

# --- reading --------------------------------------------------------------------------------------------------------

ELO_TABLE = (
    ("9 dan professional", 2940),
    ("5 dan professional", 2820),
    ("7 dan amateur or 1 dan professional", 2700),
    ("6 dan (amateur)", 2600),
    ("5 dan", 2500),
    ("4 dan", 2400),
    ("3 dan", 2300),
    ("2 dan", 2200),
    ("1 dan", 2100),
    ("1 kyu", 2000),
    ("2 kyu", 1900),
    ("3 kyu", 1800),
    ("6 kyu", 1500),
    ("11 kyu", 1000),
    ("16 kyu", 500),
    ("20 kyu", 100),
)
"""The Elo table as printed (Wikipedia, Go ranks and ratings); `Rank.elo` is the law behind it."""


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("5k", "5k"), ("5K", "5k"), ("5 kyu", "5k"), ("12kyu", "12k"), ("5級", "5k"), ("5级", "5k"), ("5급", "5k"),
        ("5 geup", "5k"), ("五級", "5k"), ("十級", "10k"), ("十八级", "18k"), ("二十級", "20k"), ("二十三級", "23k"),
        ("三十級", "30k"), ("5k*", "5k"), ("1-kyu", "1k"), ("05k", "5k"), ("5\N{KELVIN SIGN}", "5k"),
        ("3d", "3d"), ("3 dan", "3d"), ("3dan", "3d"), ("初段", "1d"), ("一段", "1d"), ("三段", "3d"), ("九段", "9d"),
        ("9段", "9d"), ("3단", "3d"), ("초단", "1d"), ("7D?", "7d"), (" 7d\t", "7d"), ("8-dan", "8d"),
        ("6 dan (amateur)", "6d"), ("アマ六段", "6d"), ("业余5段", "5d"), ("아마 5단", "5d"),
        ("shodan", "1d"), ("Nidan", "2d"), ("sandan", "3d"), ("yondan", "4d"), ("GODAN", "5d"), ("rokudan", "6d"),
        ("nanadan", "7d"), ("shichidan", "7d"), ("hachidan", "8d"), ("kudan", "9d"), ("ni-dan", "2d"),
        ("9p", "9p"), ("9P", "9p"), ("P9", "9p"), ("P9段", "9p"), ("P九段", "9p"), ("P2p", "2p"), ("2 ping", "2p"),
        ("2 pro", "2p"), ("9 dan professional", "9p"), ("5 dan pro", "5p"), ("プロ九段", "9p"), ("プロ初段", "1p"),
        ("职业9段", "9p"), ("職業九段", "9p"), ("프로 9단", "9p"), ("10p", "10p"),
        ("５ｋ", "5k"), ("３段", "3d"), ("Ｐ９段", "9p"), ("ﾌﾟﾛ九段", "9p"), ("5　級", "5k"),
    ],
)  # fmt: skip
def test_ranks_are_read_as_people_write_them(text: str, rank: str) -> None:
    assert str(Rank.parse(text)) == rank


@pytest.mark.parametrize(
    ("text", "parsed"), [("7D?", ("7d", "?")), ("5k*", ("5k", "*")), ("3段？", ("3d", "?")), ("9p ?", ("9p", "?"))]
)
def test_the_flag_is_kept(text: str, parsed: tuple[str, str]) -> None:
    rank, flag = parse_with_flag(text)
    assert (str(rank), flag) == parsed


@pytest.mark.parametrize("text", ["0d", "0k", "0p", "31k", "50k", "100k", "31d", "10d", "11p", "三十一級", "十段"])
def test_a_number_that_no_rank_has_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^rank '\d+[kdp]' is not one of 30k to 1k, 1d to 9d, 1p to 10p$"):
        Rank.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "5", "k", "PL", "5 stones", "-5k", "5.5k", "1 2k", "5k3d", "5k?*", "5k??", "?", "2305?", "9" * 5000,
        "P5k", "职业5级", "9p amateur", "5kd", "5kk",  # contradictions and repetitions
        "二三段", "十十級", "初級", "go", "san", "god",  # no numbers, and 初級 is the level of beginners, not 1 kyu
        "٥k",  # figures that no file of the game contains
    ],
)  # fmt: skip
def test_what_is_no_rank_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError, match=r"^rank '.*' is not a rank such as 12k, 3d or 9p$"):
        Rank.parse(text)


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("5", "5k"),
        ("12", "12k"),
        ("30", "30k"),
        ("31", "30k"),
        ("50", "30k"),
        ("35k", "30k"),
        ("5?", "5k"),
        ("3d", "3d"),
    ],
)
def test_a_bare_number_means_kyu_where_the_format_says_so(text: str, rank: str) -> None:
    assert str(Rank.parse(text, bare_kyu=True)) == rank


@pytest.mark.parametrize("text", ["0", "51", "-5", "5-", "5+", "5.0", "五", "31d"])
def test_other_bare_text_is_refused_even_there(text: str) -> None:
    with pytest.raises(InputError):
        Rank.parse(text, bare_kyu=True)


@given(st.text() | st.text("0123459 kdp級段初十三프로단P?*-()", max_size=6), st.booleans())
def test_any_text_is_a_rank_or_refused(text: str, bare: bool) -> None:
    try:
        rank = Rank.parse(text, bare_kyu=bare)
    except InputError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017  # both ways out are right
    else:
        assert rank in ALL


# --- writing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", FORMATS)
def test_every_rank_in_every_language_comes_back(language: str) -> None:
    assert [Rank.parse(rank.format(language)) for rank in ALL] == ALL


@given(
    st.sampled_from(ALL), st.sampled_from(list(FORMATS)), st.sampled_from(["", "?", "*"]),
    st.sampled_from([str.upper, str.title, lambda text: text.translate(FULL_WIDTH), lambda text: f" {text}\n"]),
)  # fmt: skip
def test_case_width_blanks_and_flag_change_nothing(
    rank: Rank, language: str, flag: str, dress: Callable[[str], str]
) -> None:
    assert parse_with_flag(dress(rank.format(language) + flag)) == (rank, flag)


@pytest.mark.parametrize(
    ("rank", "forms"),
    [
        (
            "5k",
            ["5k", "5 kyu", "5級", "5级", "5級", "5급", "5e kyu", "5. Kyu"],
        ),
        (
            "1d",
            ["1d", "1 dan", "初段", "1段", "1段", "1단", "1er dan", "1. Dan"],
        ),
        (
            "3d",
            ["3d", "3 dan", "三段", "3段", "3段", "3단", "3e dan", "3. Dan"],
        ),
        (
            "1p",
            [
                "1p",
                "1 dan professional",
                "プロ初段",
                "职业初段",
                "職業初段",
                "프로 초단",
                "1er dan professionnel",
                "1. Dan Profi",
            ],
        ),
        (
            "9p",
            [
                "9p",
                "9 dan professional",
                "プロ九段",
                "职业九段",
                "職業九段",
                "프로 9단",
                "9e dan professionnel",
                "9. Dan Profi",
            ],
        ),
        (
            "10p",
            [
                "10p",
                "10 dan professional",
                "プロ十段",
                "职业十段",
                "職業十段",
                "프로 10단",
                "10e dan professionnel",
                "10. Dan Profi",
            ],
        ),
    ],
)
def test_each_language_has_its_form(rank: str, forms: list[str]) -> None:
    assert [Rank.parse(rank).format(language) for language in FORMATS] == forms


def test_the_short_english_form_is_the_usual_one() -> None:
    assert [str(rank) for rank in ALL] == [rank.format() for rank in ALL]


def test_an_unknown_language_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(InputError, match=r"language 'zh-hans' is not one of en, .*; did you mean zh-hant"):
        Rank.dan(1).format("zh-hans")


# --- order and axis -------------------------------------------------------------------------------------------------


def test_the_order_is_total_and_follows_strength() -> None:
    assert all((a < b) + (a == b) + (a > b) == 1 for a in ALL for b in ALL)
    assert all(a.elo <= b.elo for a, b in pairwise(sorted(ALL)))


def test_amateurs_and_professionals_interleave_as_documented() -> None:
    top = [str(rank) for rank in sorted(ALL) if rank >= Rank.dan(7)]
    assert top == ["7d", "1p", "2p", "3p", "4p", "8d", "5p", "6p", "7p", "9d", "8p", "9p", "10p"]


def test_a_rank_does_not_compare_with_other_things() -> None:
    with pytest.raises(TypeError):
        _ = Rank.dan(1) < "2d"


def test_neighbouring_amateur_ranks_are_one_stone_apart() -> None:
    # the rank number counts from 30 kyu as 1, by one a rank, to 9 dan as 39
    assert [rank.stones for rank in AMATEURS] == [float(number) for number in range(1, 40)]
    assert [rank.number_from_30k for rank in AMATEURS] == list(range(1, 40))


def test_professional_dans_are_a_quarter_to_a_third_of_a_stone_apart() -> None:
    # Go ranks and ratings: "perhaps 1/4 to 1/3 of a handicap stone", nine dans "no more than 2-3 handicap stones"
    assert all(1 / 4 < b.stones - a.stones < 1 / 3 for a, b in pairwise(PROFESSIONALS))
    assert 2 <= Rank.pro(9).stones - Rank.pro(1).stones <= 3


def test_a_professional_has_the_rank_number_of_the_nearest_amateur() -> None:
    # stones 37.0, 37.3, 37.6, 37.9, 38.2, 38.5 (half up), 38.8, 39.1, 39.4, 39.7 (9 dan is the last)
    assert [rank.number_from_30k for rank in PROFESSIONALS] == [37, 37, 38, 38, 38, 39, 39, 39, 39, 39]


@given(st.floats(allow_nan=False))
def test_the_rank_at_a_place_is_the_nearest(stones: float) -> None:
    rank, place = Rank.at(stones), min(max(stones, 1.0), 39.0)
    nearest = min(abs(each.stones - place) for each in AMATEURS)
    assert abs(rank.stones - place) == nearest
    assert rank == max(each for each in AMATEURS if abs(each.stones - place) == nearest)  # half up


def test_no_number_has_no_rank() -> None:
    with pytest.raises(InputError, match="must be a number"):
        rank_of_elo(float("nan"))


@pytest.mark.parametrize(("grade", "number"), [(Grade.KYU, 0), (Grade.KYU, 31), (Grade.DAN, 10), (Grade.PRO, 11)])
def test_ranks_that_do_not_exist_cannot_be_made(grade: Grade, number: int) -> None:
    with pytest.raises(InputError, match=f"'{number}{grade.value}' is not one of 30k to 1k, 1d to 9d, 1p to 10p"):
        Rank(grade, number)


# --- printed tables -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "elo"), ELO_TABLE)
def test_every_printed_row_of_the_elo_table_fits_the_law(text: str, elo: int) -> None:
    assert [Rank.parse(part).elo for part in text.split(" or ")] == [elo] * (1 + text.count(" or "))


def test_the_elo_table_has_its_sixteen_rows() -> None:
    # Go ranks and ratings (Wikipedia), the column of ratings
    elos = [2940, 2820, 2700, 2600, 2500, 2400, 2300, 2200, 2100, 2000, 1900, 1800, 1500, 1000, 500, 100]
    assert [elo for _, elo in ELO_TABLE] == elos
    assert Rank.kyu(30).elo == -900.0  # the scale of 2021 goes on below 20 kyu


@pytest.mark.parametrize(
    ("elo", "rank"),
    [
        (2050, "1d"), (2149.9, "1d"), (2150, "2d"), (2049.9, "1k"), (1950, "1k"), (100, "20k"), (-900, "30k"),
        (-5000, "30k"), (2700, "7d"), (2749.9, "7d"), (2750, "8d"), (2850, "9d"), (9999, "9d"), (float("inf"), "9d"),
    ],
)  # fmt: skip
def test_a_european_rank_is_a_band_of_100_points(elo: float, rank: str) -> None:
    assert str(rank_of_elo(elo)) == rank  # 1 dan is [2050, 2150)


@given(st.integers(-1000_00, 3000_00))
def test_the_bands_follow_the_published_floor(hundredths: int) -> None:
    # n = floor((r + 1050) / 100), here in whole hundredths of a point
    number = min(max((hundredths + 1050_00) // 100_00, 1), 39)
    assert rank_of_elo(hundredths / 100).number_from_30k == number


@pytest.mark.parametrize(
    ("ranks", "stage"),
    [
        ("30-20k", "Beginner"), ("19-10k", "Casual player"), ("9-1k", "Intermediate amateur"),
        ("1-7d", "Advanced amateur"), ("8-9d", "Advanced amateur"),
        ("1-9p", "Professional player"), ("10-10p", "Professional player"),
    ],
)  # fmt: skip
def test_the_stages_are_those_of_the_printed_table(ranks: str, stage: str) -> None:
    first, last, letter = re.fullmatch(r"(\d+)-(\d+)([kdp])", ranks).groups()  # type: ignore[union-attr]
    numbers = range(min(int(first), int(last)), max(int(first), int(last)) + 1)
    assert {Rank(Grade(letter), number).stage for number in numbers} == {stage}


def test_the_stages_leave_out_nothing_but_the_titles() -> None:
    inside = {rank for rank in ALL for stage in STAGES if rank.grade is stage.weakest.grade
              and stage.weakest <= rank <= stage.strongest}  # fmt: skip
    assert set(ALL) - inside == {Rank.dan(8), Rank.dan(9), Rank.pro(10)}


def test_ranks_need_no_part_that_is_slow_to_import() -> None:
    slow = "import sys, handan.ranks; sys.exit(bool({'numpy', 'polars', 'numba', 'typer'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", slow], check=False).returncode == 0


def test_8_and_9_dan_of_amateurs_and_10_dan_of_professionals_are_called_titles() -> None:
    """Go ranks and ratings (Wikipedia): amateur grades end at 7 dan, professional ones at 9 dan."""
    titles = {rank for letter, last in (("k", 30), ("d", 9), ("p", 10)) for number in range(1, last + 1)
              if (rank := f"{number}{letter}") and Rank.parse(rank).title}  # fmt: skip
    assert titles == {"8d", "9d", "10p"}
    assert Rank.parse("8d").title == "8 dan amateur is a title, and no grade of strength"
    assert Rank.parse("10p").title == "10 dan professional is a title, and no grade of strength"
    for rank, named in (("8d", True), ("7d", False)):
        assert ("is a title" in run("rank", rank).out) == named
