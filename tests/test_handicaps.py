"""Points cards against every printed figure, the general law against a slow twin, a club's own card, terms in words."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handan.errors import InputError
from handan.handicaps import (
    CARDS,
    Card,
    advantage,
    card,
    card_terms,
    effective_handicap,
    read_card,
    regular_card,
    stones_worth,
    write_card,
)

REFERENCES = Path(__file__).parent / "references"
DOCS = Path(__file__).parent.parent / "docs" / "cards.md"
EVERY_CARD = pytest.mark.parametrize("each", CARDS.values(), ids=list(CARDS))
WITH_KOMI = pytest.mark.parametrize("each", [c for c in CARDS.values() if c.top_komi is not None], ids=lambda c: c.name)


def figures(name: str, difference: int) -> tuple[int, float | None]:
    """Return the card's own figure and komi."""
    row = card(name).row(difference)
    return row.card_stones, row.komi


# --- printed tables -------------------------------------------------------------------------------------------------


def test_takadanobaba_runs_from_black_gives_7_to_white_gives_10() -> None:
    # ibid., closing paragraph: +7 at 0, 18, 36, 54, …, -10 at 17, 35, 53, …
    assert [card("takadanobaba18").row(d).komi for d in (0, 18, 36, 54)] == [7, 7, 7, 7]
    assert [card("takadanobaba18").row(d).komi for d in (17, 35, 53)] == [-10, -10, -10]
    assert [card("takadanobaba18").row(d).stones_on_board for d in (0, 17, 18, 53, 54)] == [0, 0, 2, 3, 4]
    assert {row.tie for row in card("takadanobaba18").rows()} == {"jigo"}  # "so that jigo may occur"


@pytest.mark.parametrize(
    ("difference", "stones", "komi"),
    [(0, 1, 0), (5, 1, -5), (6, 2, 5), (11, 2, 0), (12, 2, -1), (16, 2, -5), (17, 3, 5)],
)
def test_ryokusei_puts_no_komi_in_the_middle_of_a_column(difference: int, stones: int, komi: int) -> None:
    # dictionary entry 緑星会方式: 6, 11 and 12 are printed, the rest follow from its rule
    assert figures("ryokusei11", difference) == (stones, komi)


@pytest.mark.parametrize(
    ("difference", "stones", "komi"), [(0, 0, 6), (21, 2, -3), (71, 6, -5), (72, 7, 6), (78, 7, 0), (112, 7, -34)]
)
def test_mami_stops_at_seven_stones_and_gives_the_rest_as_komi(difference: int, stones: int, komi: int) -> None:
    # web1.kcn.jp/mami_rakugokai: 21 and 112 are printed
    assert figures("mami12", difference) == (stones, komi)


def test_mami_moves_two_points_for_a_player_below_200() -> None:
    assert [card("mami12").step(points) for points in (-5, 0, 199, 199.5, 200, 350)] == [2, 2, 2, 2, 1, 1]


@pytest.mark.parametrize("each", [c for c in CARDS.values() if c.name != "mami12"], ids=lambda c: c.name)
def test_a_game_moves_one_point_elsewhere(each: Card) -> None:
    assert {each.step(points) for points in (-50, 0, 150, 400)} == {1}


def test_gon_five_stone_column_holds_twelve_values() -> None:
    # ibid.: difference 55 stands twice, at +3 and +2; the first entry is read, and komi is one lower from 56 on
    column = [figures("gon13", difference) for difference in range(52, 64)]
    assert column == [(5, komi) for komi in (6, 5, 4, 3, 1, 0, -1, -2, -3, -4, -5, -6)]


def test_gon_other_columns_are_regular() -> None:
    # gon.ath.wjg.jp/tigo/rate.html
    assert len(card("gon13").rows()) == 116
    for stones, first in enumerate((0, 13, 26, 39, None, 64, 77, 90, 103), start=1):
        if first is not None:
            assert [figures("gon13", first + place) for place in range(13)] == [
                (stones, 6 - place) for place in range(13)
            ]


def test_gon_goes_on_beyond_its_table_with_whole_columns() -> None:
    assert [figures("gon13", difference) for difference in (116, 128, 129)] == [(10, 6), (10, -6), (11, 6)]


@pytest.mark.parametrize(
    ("difference", "card_stones", "on_board"), [(0, 0, 0), (9, 0, 0), (10, 1, 0), (19, 1, 0), (20, 2, 2), (99, 9, 9)]
)
def test_umeda_counts_by_tens_and_prints_no_komi(difference: int, card_stones: int, on_board: int) -> None:
    row = card("umeda10").row(difference)
    assert (row.card_stones, row.stones_on_board, row.komi) == (card_stones, on_board, None)


@given(st.integers(0, 500))
def test_horton_gives_komi_only(difference: int) -> None:
    row = card("horton13").row(difference)
    assert (row.card_stones, row.stones_on_board, row.komi) == (0, 0, 6.5 - difference)


def test_futabi_stone_is_twice_the_komi() -> None:
    assert [figures("futabi13", difference) for difference in (0, 12, 13, 26)] == [
        (0, 6.5),
        (0, -5.5),
        (2, 6.5),
        (3, 6.5),
    ]


@pytest.mark.parametrize(("ranks_from_1d", "points"), list(zip(range(-9, 8), range(22, 215, 12), strict=True)))
def test_tagajo_entry_points_lie_one_stone_apart(ranks_from_1d: int, points: int) -> None:
    # Points Rating System (2016): 22 at 9k, 34 at 8k, … 118 at 1k, 130 at 1d, … 214 at 8d
    start, per_stone = card("tagajo12").points_at_1d, card("tagajo12").points_per_stone
    assert start is not None
    assert per_stone is not None
    assert start + per_stone * ranks_from_1d == points


def test_umeda_starts_1d_at_320_and_others_print_no_entry() -> None:
    entries = {name: each.points_at_1d for name, each in CARDS.items() if each.points_at_1d is not None}
    assert entries == {"tagajo12": 130, "umeda10": 320}


# --- the general law ------------------------------------------------------------------------------------------------


def walked(per_stone: int, top_komi: float, difference: int) -> tuple[int, float]:
    """Slow twin of the law: go up point by point; each costs a point of komi, and each full stone starts anew."""
    free, komi, used = 0, top_komi, 0
    for _ in range(difference):
        used, komi = used + 1, komi - 1
        if used == per_stone:
            free, komi, used = free + 1, top_komi, 0
    return free, komi


@given(st.sampled_from([10, 12, 13, 15, 18]), st.sampled_from([5.0, 6.0, 6.5, 7.0]), st.integers(0, 400))
def test_the_law_is_a_walk_point_by_point(per_stone: int, top_komi: float, difference: int) -> None:
    row = regular_card(per_stone, top_komi).row(difference)
    assert (row.free_stones, row.komi) == walked(per_stone, top_komi, difference)


@given(st.integers(1, 20), st.integers(1, 9), st.integers(0, 400))
def test_a_cap_turns_further_stones_into_komi(per_stone: int, most: int, difference: int) -> None:
    capped, free = (
        regular_card(per_stone, 6, max_stones=most).row(difference),
        regular_card(per_stone, 6).row(difference),
    )
    if free.free_stones < most:
        assert capped == free
    else:
        assert (capped.free_stones, capped.komi) == (most - 1, 6 - (difference - per_stone * (most - 1)))


@WITH_KOMI
def test_one_point_of_difference_is_one_point_of_komi_within_a_column(each: Card) -> None:
    for difference in range(1, 300):
        earlier, later = each.row(difference - 1), each.row(difference)
        if earlier.free_stones == later.free_stones and (each.name, difference) != ("gon13", 56):
            assert earlier.komi is not None
            assert later.komi == earlier.komi - 1


@EVERY_CARD
def test_help_to_black_never_falls_as_the_difference_grows(each: Card) -> None:
    assert each.points_per_stone is not None
    helps = [each.row(difference).help(each.points_per_stone) for difference in range(300)]
    assert helps == sorted(helps)


@EVERY_CARD
def test_stones_on_the_board_follow_from_the_free_stones(each: Card) -> None:
    for row in each.rows():
        assert row.stones_on_board == (0 if row.free_stones == 0 else row.free_stones + 1)


@EVERY_CARD
def test_a_fractional_komi_makes_a_tie_impossible(each: Card) -> None:
    for row in each.rows():
        assert (row.tie == "impossible") == (row.komi is not None and row.komi % 1 != 0)


@EVERY_CARD
def test_the_table_starts_at_equal_players_and_skips_nothing(each: Card) -> None:
    assert [row.difference for row in each.rows()] == list(range(len(each.rows())))


def test_cards_without_a_printed_table_are_shown_to_nine_stones() -> None:
    for name in ("takadanobaba18", "ryokusei11", "futabi13", "regular13", "umeda10"):
        rows = card(name).rows()
        assert (rows[-1].stones_on_board, card(name).row(len(rows)).stones_on_board) == (9, 10)


@pytest.mark.parametrize(
    ("name", "difference", "on_board", "komi"),
    [("tagajo12", 108, 10, 6), ("tagajo12", 131, 11, -5), ("tokyo15", 45, 4, 6.5), ("tokyo15", 74, 5, -7.5)],
)
def test_the_law_goes_on_beyond_the_printed_table(name: str, difference: int, on_board: int, komi: float) -> None:
    row = card(name).row(difference)
    assert (row.stones_on_board, row.komi) == (on_board, komi)


def test_ties_go_to_white_on_the_12_point_card_alone() -> None:
    # Points Rating System (2016): "In the case of a tie, White wins"; also under negative komi
    assert {row.tie for row in card("tagajo12").rows()} == {"white wins"}
    assert [name for name, each in CARDS.items() if each.tie == "white wins"] == ["tagajo12"]
    assert regular_card(12, 6, "white wins").row(20).tie == "white wins"


def test_unusable_figures_are_refused_in_one_line() -> None:
    with pytest.raises(InputError, match=r"'tokio15' is not one of tagajo12, .*did you mean tokyo15"):
        card("tokio15")
    with pytest.raises(InputError, match="difference -1 is below 0"):
        card("tokyo15").row(-1)
    with pytest.raises(InputError, match="points per stone 0"):
        regular_card(0, 6)
    with pytest.raises(InputError, match="tie rule 'black wins'"):
        regular_card(12, 6, "black wins")
    with pytest.raises(InputError, match="most stones 0"):
        regular_card(12, 6, max_stones=0)


# --- terms of a game ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "a", "b", "text"),
    [
        ("tagajo12", 130, 110, "Black: Bob, 2 stones, White gives 2, a tie is White's"),
        ("tagajo12", 129, 111, "Black: Bob, 2 stones, no komi, a tie is White's"),
        ("tagajo12", 118, 118, "Even game: nigiri, Black gives 6, a tie is White's"),
        ("tagajo12", 142, 130, "Black: Bob, 2 stones, Black gives 6, a tie is White's"),
        ("tagajo12", 214, 107, "Black: Bob, 9 stones, White gives 5, a tie is White's"),
        ("tagajo12", -5, 20, "Black: Alice, 3 stones, Black gives 5, a tie is White's"),
        ("tokyo15", 215, 238, "Black: Alice, 2 stones, White gives 1.5"),
        ("tokyo15", 216, 237, "Black: Alice, 2 stones, Black gives 0.5"),
        ("tokyo15", 240, 238, "Black: Bob moves first, Black gives 4.5"),
        ("tokyo15", 238, 238, "Even game: nigiri, Black gives 6.5"),
        ("takadanobaba18", 100, 107, "Black: Alice moves first, no komi"),
        ("ryokusei11", 90, 90, "Even game: nigiri, no komi"),
        ("mami12", 0, 112, "Black: Alice, 7 stones, White gives 34"),
        ("umeda10", 320, 329, "Even game: nigiri, usual komi"),
        ("umeda10", 320, 330, "Black: Alice moves first, no komi"),
        ("umeda10", 350, 320, "Black: Bob, 3 stones, no komi"),
        ("horton13", 150, 120, "Black: Bob moves first, White gives 23.5"),
    ],
)
def test_terms_are_said_as_a_club_says_them(name: str, a: float, b: float, text: str) -> None:
    assert card_terms(card(name), ("Alice", a), ("Bob", b)).text == text


def test_the_first_worked_example_in_numbers() -> None:
    # Points Rating System (2016): 130 against 110 is difference 20, handicap 1 on the card, komi -2
    terms = card_terms(card("tagajo12"), ("Alice", 130), ("Bob", 110))
    assert terms.as_dict() == {
        "black": "Bob", "white": "Alice", "colours": "given", "difference": 20, "card_stones": 1, "free_stones": 1,
        "stones_on_board": 2, "komi": -2, "tie": "white wins", "unfair": "", "handicap": 2,
        "text": terms.text,
    }  # fmt: skip


def test_after_black_wins_the_difference_falls_by_two() -> None:
    # ibid.: 129 against 111, difference 18, card 1, komi 0
    terms = card_terms(card("tagajo12"), ("Alice", 129), ("Bob", 111))
    assert (terms.difference, terms.card_stones, terms.komi) == (18, 1, 0)


def test_drawn_colours_keep_the_order_given() -> None:
    for name, a, b in (("tokyo15", 238, 238), ("umeda10", 320, 325), ("umeda10", 325, 320)):
        terms = card_terms(card(name), ("Alice", a), ("Bob", b))
        assert (terms.black, terms.white, terms.colours) == ("Alice", "Bob", "nigiri")


@given(st.sampled_from(list(CARDS)), st.integers(-300, 300), st.integers(-300, 300))
def test_the_order_of_the_players_changes_nothing_but_a_draw(name: str, a: int, b: int) -> None:
    one, other = card_terms(card(name), ("A", a), ("B", b)), card_terms(card(name), ("B", b), ("A", a))
    assert one == (other if one.colours == "given" else replace(other, black="A", white="B"))


@given(st.sampled_from(list(CARDS)), st.integers(-300, 300), st.integers(-300, 300))
def test_white_never_has_fewer_points_when_colours_are_given(name: str, a: int, b: int) -> None:
    terms = card_terms(card(name), ("A", a), ("B", b))
    assert terms.colours == "nigiri" or terms.white == ("A" if a > b else "B")


def test_a_part_of_a_point_does_not_count() -> None:
    assert card_terms(card("tokyo15"), ("A", 100.0), ("B", 100.9)).colours == "nigiri"
    assert card_terms(card("tokyo15"), ("A", 0.3), ("B", 15.3)).free_stones == 1  # 15.3 - 0.3 is 15 exactly for people


@pytest.mark.parametrize("points", [float("nan"), float("inf")])
def test_points_that_are_no_number_are_refused(points: float) -> None:
    with pytest.raises(InputError, match="points of Bob"):
        card_terms(card("tokyo15"), ("Alice", 100), ("Bob", points))


# --- what stones and komi are worth ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stones", "komi", "effective"),
    [(0, 6.5, 0), (0, 6, 0), (0, 0.5, 0), (1, 0.5, 1), (2, 0.5, 2), (4, 0.5, 4), (9, 0.5, 9), (0, -4, 1), (0, 16, -1)],
)
def test_effective_handicap_is_cut_toward_zero(stones: int, komi: float, effective: int) -> None:
    # South African Go Clubs: ten points of komi are one stone, neutral komi 6
    assert effective_handicap(stones, komi) == effective


@pytest.mark.parametrize(
    ("handicap", "komi", "stones"),
    [(0, 6.5, 0), (0, 0, 0.5), (1, 0, 0.5), (2, 0, 1.5), (9, 0, 8.5), (2, 6.5, 1), (0, -6.5, 1)],
)
def test_a_stone_is_worth_twice_the_fair_komi(handicap: int, komi: float, stones: float) -> None:
    assert advantage(handicap, komi) == stones


def test_a_fair_komi_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="fair komi 0"):
        advantage(2, 0, 0)


@pytest.mark.parametrize(
    ("handicap", "komi", "ranks"),
    [
        (0, 6.5, 0),
        (0, None, 0),
        (0, 0.5, 0.5),
        (0, -1, 0.5),
        (0, 1.5, 0),
        (1, None, 0.5),
        (1, 0, 0.5),
        (2, 0.5, 1.5),
        (9, 0, 8.5),
    ],
)
def test_a_recorded_handicap_is_worth_half_a_rank_less_than_its_stones(
    handicap: int, komi: float | None, ranks: float
) -> None:
    assert stones_worth(handicap, komi) == ranks


# --- a club's own card ----------------------------------------------------------------------------------------------


def own(tmp_path: Path, text: str) -> tuple[Card, list[str]]:
    """Read a card from text; problems without their path."""
    path = tmp_path / "club.csv"
    path.write_text(text, encoding="utf-8")
    parsed, problems = read_card(path)
    return parsed, [str(problem).removeprefix(f"{tmp_path}/") for problem in problems]


@EVERY_CARD
def test_a_card_survives_the_way_through_csv(each: Card, tmp_path: Path) -> None:
    path = tmp_path / "club.csv"
    write_card(each, path)
    again, problems = read_card(path)
    assert problems == []
    assert again.rows() == each.rows()
    write_card(again, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == path.read_bytes()


@given(per_stone=st.integers(1, 20), komi=st.sampled_from([5.0, 6.5]), tie=st.sampled_from(["white wins", "jigo"]))
def test_a_regular_card_survives_the_way_through_csv(
    tmp_path_factory: pytest.TempPathFactory, per_stone: int, komi: float, tie: str
) -> None:
    path, regular = tmp_path_factory.mktemp("card") / "club.csv", regular_card(per_stone, komi, tie)
    write_card(regular, path)
    again, problems = read_card(path)
    assert (again.rows(), problems) == (regular.rows(), [])


def test_the_printed_tables_are_cards_without_a_problem() -> None:
    parsed, problems = read_card(REFERENCES / "card_tokyo15.csv")
    assert (parsed.rows(), problems) == (card("tokyo15").rows(), [])


def test_a_card_of_ranges_holds_a_flat_zone_where_colours_are_drawn(tmp_path: Path) -> None:
    parsed, problems = own(tmp_path, "from;to;Stones;Komi\n0;4;0;6,5\n5;9;1;0,5\n10;19;2;0,5\n")
    assert problems == []
    assert [parsed.row(d).stones_on_board for d in (0, 4, 5, 9, 10, 19)] == [0, 0, 0, 0, 2, 2]
    assert card_terms(parsed, ("A", 100), ("B", 104)).text == "Even game: nigiri, Black gives 6.5"
    assert card_terms(parsed, ("A", 100), ("B", 105)).text == "Black: A moves first, Black gives 0.5"


def test_beyond_its_last_row_a_listed_card_pays_in_komi(tmp_path: Path) -> None:
    parsed, _ = own(tmp_path, "difference,stones,komi\n0,0,1\n1,1,0\n2,2,1\n")
    assert (parsed.row(12).stones_on_board, parsed.row(12).komi) == (2, -9)
    without_komi, _ = own(tmp_path, "from,to,stones\n0,9,0\n10,19,1\n")
    assert (without_komi.row(25).card_stones, without_komi.row(25).komi) == (1, None)


def test_a_gap_is_reported_and_filled_from_below(tmp_path: Path) -> None:
    parsed, problems = own(tmp_path, "difference,free_stones,komi,tie\n0,0,6,White wins\n12,1,6,White wins\n")
    assert problems == [
        "club.csv line 3: difference '12' is not 1; the row of 0 serves in the gap, one point of komi a point"
    ]
    assert [parsed.row(d) for d in range(24)] == [card("tagajo12").row(d) for d in range(24)]


def test_a_card_that_starts_late_is_reported_and_filled_from_above(tmp_path: Path) -> None:
    parsed, problems = own(tmp_path, "difference,stones,komi\n1,1,5.5\n2,1,4.5\n")
    assert problems == ["club.csv line 2: first difference '1' is not 0; its row serves below it too"]
    assert parsed.row(0).komi == 6.5


def test_a_row_that_helps_black_less_is_reported(tmp_path: Path) -> None:
    parsed, problems = own(tmp_path, "difference,stones,komi\n0,0,1\n1,1,0\n2,2,1\n3,2,2\n4,1,1\n")
    assert problems == [
        "club.csv line 5: difference 3: 'stones 2, komi 2' is not at least the help of difference 2 (stones 2, komi 1)",
        "club.csv line 6: difference 4: 'stones 1, komi 1' is not at least the help of difference 3 (stones 2, komi 2)",
    ]
    assert len(parsed.rows()) == 5


def test_fewer_stones_are_reported_beside_rows_without_komi(tmp_path: Path) -> None:
    _, problems = own(tmp_path, "difference,stones,komi\n0,0,6\n1,2,\n2,1,0\n")
    assert problems == [
        "club.csv line 4: difference 2: 'stones 1, komi 0' is not at least the help of difference 1 (stones 2)"
    ]


def test_of_two_overlapping_rows_the_first_stands(tmp_path: Path) -> None:
    parsed, problems = own(tmp_path, "from,to,stones,komi\n0,5,0,6\n4,7,1,0\n")
    assert problems == ["club.csv line 3: difference '4' is not a difference of its own; line 2 has it, and stands"]
    assert [parsed.row(d).komi for d in (4, 5, 6, 7)] == [6, 6, 0, 0]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("x,1,0,", "difference 'x' is not a whole number from 0 to 1000"),
        ("-3,1,0,", "difference '-3' is not a whole number from 0 to 1000"),
        ("1001,1,0,", "difference '1001' is not a whole number from 0 to 1000"),
        ("1,1.5,0,", "stones '1.5' is not a whole number from 0 to 99"),
        ("1,,0,", "stones '' is not a whole number from 0 to 99"),
        ("1,1,six,", "komi 'six' is not points to White from -400 to 400, or empty"),
        ("1,1,nan,", "komi 'nan' is not points to White from -400 to 400, or empty"),
        ("1,1,0,black wins", "tie 'black wins' is not 'white wins' or 'jigo'"),
        ("1,1,0,impossible", "tie 'impossible' is not 'white wins' or 'jigo'"),
        ("1,1,5", "number of cells '3' is not 4, as in the header"),
        ("1,1,5,5,jigo", "number of cells '5' is not 4, as in the header"),
    ],
)
def test_a_bad_row_is_reported_and_the_good_ones_kept(row: str, problem: str, tmp_path: Path) -> None:
    parsed, problems = own(tmp_path, f"difference,stones,komi,tie\n0,0,6,\n{row}\n\n1,1,5,jigo\n")
    assert problems == [f"club.csv line 3: {problem}"]
    assert [r.difference for r in parsed.rows()] == [0, 1]


def test_a_range_that_runs_backwards_is_reported(tmp_path: Path) -> None:
    _, problems = own(tmp_path, "from,to,stones\n0,4,0\n9,5,1\n")
    assert problems == ["club.csv line 3: to '5' is not 9 or more, where the range begins"]


def test_an_unknown_column_is_reported_and_ignored(tmp_path: Path) -> None:
    parsed, problems = own(tmp_path, "difference,stones,comi\n0,0,6\n")
    assert "line 1: column 'comi' is not one of difference," in problems[0]
    assert problems[0].endswith("did you mean komi?")
    assert parsed.row(0).komi is None


def test_full_width_figures_and_a_true_minus_are_read(tmp_path: Path) -> None:
    parsed, problems = own(tmp_path, "difference,stones,komi\n０,１,\N{MINUS SIGN}２\n")
    assert (parsed.row(0).card_stones, parsed.row(0).komi, problems) == (1, -2, [])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "does not have difference"),
        ("stones,komi\n1,2\n", "does not have difference"),
        ("difference,komi\n1,2\n", "does not have difference"),
        ("difference,from,to,stones\n1,1,1,2\n", "does not have difference"),
        ("difference,stones,stones\n1,2,2\n", "column 'stones' stands twice"),
        ("difference,stones\n", "no row of a card can be read"),
        ("difference,stones\nx,1\n", "no row of a card can be read: .*line 2: difference 'x'"),
        ("difference,stones\n" + "1,1\n" * 1002, "1003 lines"),
        ("difference,stones\n" + "1" * 200_000, "line 2: is not CSV"),
    ],
)
def test_a_file_that_is_no_card_is_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        own(tmp_path, text)


def test_a_file_that_cannot_be_read_or_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_card(tmp_path / "none.csv")
    with pytest.raises(InputError, match="cannot be written"):
        write_card(card("tokyo15"), tmp_path / "none" / "club.csv")
    (tmp_path / "old.csv").write_bytes("difference,stones\n0,段\n".encode("shift_jis"))
    with pytest.raises(InputError, match="UTF-8"):
        read_card(tmp_path / "old.csv")


# --- the house ------------------------------------------------------------------------------------------------------


def test_a_look_at_a_card_loads_no_number_library() -> None:
    code = "import sys, handan.handicaps; print(sorted({'numpy', 'polars', 'numba', 'django'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_card_stands_in_the_docs() -> None:
    assert [name for name in CARDS if f"`{name}`" not in DOCS.read_text(encoding="utf-8")] == []


def test_the_card_in_the_docs_can_be_used(tmp_path: Path) -> None:
    example = DOCS.read_text(encoding="utf-8").partition("```csv\n")[2].partition("```")[0]
    parsed, problems = own(tmp_path, example)
    assert problems == []
    assert (len(parsed.rows()), parsed.drawn(3), parsed.drawn(4)) == (13, True, False)
