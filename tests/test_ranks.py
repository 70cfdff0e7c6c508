"""Ranks: everything that files contain, every language there and back, one order, one axis, the printed tables."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handan.errors import InputError
from handan.ranks import ELO_TABLE, FORMATS, STAGES, Grade, Rank, parse_with_flag, rank_of_elo

ALL = [
    *(Rank.kyu(number) for number in range(30, 0, -1)),
    *(Rank.dan(number) for number in range(1, 10)),
    *(Rank.pro(number) for number in range(1, 11)),
]


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("5k", "5k"), ("5K", "5k"), ("5 kyu", "5k"), ("12kyu", "12k"), ("5級", "5k"), ("5级", "5k"), ("5급", "5k"),
        ("5 geup", "5k"), ("五級", "5k"), ("十級", "10k"), ("二十三級", "23k"), ("三十級", "30k"), ("5k*", "5k"),
        ("3d", "3d"), ("3 dan", "3d"), ("3dan", "3d"), ("初段", "1d"), ("三段", "3d"), ("9段", "9d"), ("3단", "3d"),
        ("초단", "1d"), ("shodan", "1d"), ("Nidan", "2d"), ("7D?", "7d"), (" 7d ", "7d"),
        ("9p", "9p"), ("9P", "9p"), ("P9", "9p"), ("P9段", "9p"), ("P2p", "2p"), ("2 ping", "2p"), ("2 pro", "2p"),
        ("プロ九段", "9p"), ("职业9段", "9p"), ("프로 9단", "9p"), ("10p", "10p"), ("５ｋ", "5k"), ("３段", "3d"),
    ],
)  # fmt: skip
def test_ranks_are_read_as_people_write_them(text: str, rank: str) -> None:
    assert str(Rank.parse(text)) == rank


@pytest.mark.parametrize(("text", "flag"), [("7D?", "?"), ("5k*", "*"), ("3段？", "?"), ("9p", "")])
def test_the_flag_is_kept(text: str, flag: str) -> None:
    assert parse_with_flag(text)[1] == flag


@pytest.mark.parametrize(
    "text", ["0d", "0k", "31k", "31d", "10d", "11p", "P5k", "5", "k", "", "PL", "5 stones", "-5k", "5.5k"]
)
def test_what_is_no_rank_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError, match=r"^rank '.*' is not ") as caught:
        Rank.parse(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("text", "rank"), [("5", "5k"), ("12", "12k"), ("30", "30k"), ("45", "30k"), ("3d", "3d")])
def test_a_bare_number_means_kyu_where_the_format_says_so(text: str, rank: str) -> None:
    assert str(Rank.parse(text, bare_kyu=True)) == rank


@pytest.mark.parametrize("language", FORMATS)
def test_every_rank_in_every_language_comes_back(language: str) -> None:
    assert [Rank.parse(rank.format(language)) for rank in ALL] == ALL


@pytest.mark.parametrize(
    ("rank", "forms"),
    [
        ("5k", ["5k", "5 kyu", "5級", "5级", "5級", "5급"]),
        ("1d", ["1d", "1 dan", "初段", "1段", "1段", "1단"]),
        ("9p", ["9p", "9 pro", "プロ九段", "职业9段", "職業9段", "프로 9단"]),
    ],
)
def test_each_language_has_its_form(rank: str, forms: list[str]) -> None:
    assert [Rank.parse(rank).format(language) for language in FORMATS] == forms


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(InputError, match="language 'tlh' is not one of en,"):
        Rank.dan(1).format("tlh")


def test_the_order_is_total_and_follows_strength() -> None:
    assert sorted(ALL, key=lambda rank: rank.stones) == sorted(ALL, key=lambda rank: (rank.stones, rank))
    assert Rank.kyu(2) < Rank.kyu(1) < Rank.dan(1) < Rank.dan(7) < Rank.pro(1) < Rank.pro(9)
    assert Rank.dan(8) < Rank.pro(9)


def test_neighbouring_ranks_are_one_stone_apart() -> None:
    amateurs = ALL[:39]
    assert [rank.stones for rank in amateurs] == [float(number) for number in range(1, 40)]
    assert [rank.number_from_30k for rank in amateurs] == list(range(1, 40))


def test_all_printed_rows_of_the_elo_table_fit_the_law() -> None:
    # source: Go ranks and ratings (Wikipedia), the table of Elo ratings
    assert [(Rank.parse(text).elo, text) for _, text in ELO_TABLE] == [(float(elo), text) for elo, text in ELO_TABLE]
    assert Rank.kyu(30).elo == -900.0


@pytest.mark.parametrize(
    ("rank", "stage"),
    [("30k", 0), ("20k", 0), ("19k", 1), ("10k", 1), ("9k", 2), ("1k", 2), ("1d", 3), ("7d", 3), ("1p", 4), ("9p", 4)],
)
def test_the_stages_are_those_of_the_printed_table(rank: str, stage: int) -> None:
    assert Rank.parse(rank).stage == STAGES[stage][1]


@pytest.mark.parametrize(
    ("elo", "rank"),
    [(2050, "1d"), (2149.9, "1d"), (2049.9, "1k"), (100, "20k"), (-900, "30k"), (-5000, "30k"), (9999, "9d")],
)
def test_a_european_rank_is_a_band_of_100_points(elo: float, rank: str) -> None:
    assert str(rank_of_elo(elo)) == rank  # 1 dan is [2050, 2150)


@given(st.floats(-100, 200))
def test_the_rank_at_a_place_is_the_nearest(stones: float) -> None:
    rank = Rank.at(stones)
    assert abs(rank.stones - min(max(stones, 1.0), 39.0)) <= 0.5


@given(st.text(max_size=12))
def test_any_text_is_a_rank_or_refused(text: str) -> None:
    try:
        rank = Rank.parse(text)
    except InputError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017  # both ways out are right
    else:
        assert rank in ALL


@pytest.mark.parametrize(("grade", "number"), [(Grade.KYU, 0), (Grade.KYU, 31), (Grade.DAN, 10), (Grade.PRO, 11)])
def test_ranks_that_do_not_exist_cannot_be_made(grade: Grade, number: int) -> None:
    with pytest.raises(InputError, match="is not one of 30k to 1k, 1d to 9d, 1p to 10p"):
        Rank(grade, number)
