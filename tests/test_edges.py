"""What happens exactly at a limit: of a floor, of a newcomer's games, of an event, of a cell, of a minute."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

import numpy as np
import pytest

import handan
from handan.club import changes
from handan.club.rules import Rules
from handan.club.service.next_rank import opponents_near
from handan.club.standings import standings
from handan.errors import InputError
from handan.files.io.csv_text import without_formulas
from handan.handicaps import CARDS, card_terms
from handan.handicaps.card_law import JIGO, make_row
from handan.handicaps.terms import MOST_POINTS
from handan.ledger import Adjustment, Game, Ledger, Player, When
from handan.ledger.identity import completed
from handan.systems import DGS, EGF, EGFClassic, Elo, Points
from handan.systems.sagc import result_factor
from tests.club.helpers import TODAY, Book
from tests.command_line import games
from tests.spreadsheets import Sheet, excel

DAY = datetime(2025, 3, 1)  # noqa: DTZ001  # clubs write local time


def pair(*played: Game, rating: float) -> Ledger:
    return Ledger.of(played, [Adjustment(name, None, rating) for name in ("Ada", "Bo")])


@pytest.mark.parametrize(("black", "white", "result"), [("Ada", "Bo", "W+"), ("Bo", "Ada", "B+")])
@pytest.mark.parametrize(("system", "floor"), [(EGF(), -900.0), (EGFClassic(), 100.0)])
def test_several_losses_of_one_event_stop_at_the_floor_together(
    system: EGF, floor: float, black: str, white: str, result: str
) -> None:
    # "The absolute minimum rating is set to be -900"; until 2021 100: ten points above it, one loss takes all of them
    lost = [Game(black, white, result, date=DAY, komi=6.5, event="Open", round=number) for number in (1, 2, 3)]
    ratings = system.rate(pair(*lost, rating=floor + 10.0))
    lines = ratings.explain("Ada")
    assert [line.change for line in lines] == [-10.0, 0.0, 0.0]
    assert [line.after for line in lines] == [floor] * 3
    assert ratings.rating[0] == floor


@pytest.mark.parametrize(("handicap", "komi", "stones"), [
    (0, 0.0, 0.5), (0, 1.0, 0.5), (0, -1.0, 0.5), (0, 1.5, 0.0), (0, -1.5, 0.0), (0, 6.5, 0.0), (0, None, 0.0),
    (1, 6.5, 0.5), (2, 0.5, 1.5), (9, 0.5, 8.5),
])  # fmt: skip
@pytest.mark.parametrize("system", [EGF(), EGFClassic()])
def test_what_a_recorded_handicap_adds_in_europe(system: EGF, handicap: int, komi: float | None, stones: float) -> None:
    # H stones at no komi are H - 0.5; a game without komi is handicap 1 (the two calculators of the reference agree)
    (line,) = system.rate(pair(Game("Ada", "Bo", "B+", handicap=handicap, komi=komi), rating=2000.0)).explain("Ada")
    assert line.reason.facts["handicap adds to Black's rating"] == 100.0 * stones


@pytest.mark.parametrize(("komi", "stones"), [(1.0, 1), (-1.0, 1), (1.5, 0), (-1.5, 0), (0.0, 1), (None, 0)])
def test_a_komi_of_at_most_one_point_counts_as_none(komi: float | None, stones: int) -> None:
    assert Ledger.of([Game("Ada", "Bo", "B+", komi=komi)]).arrays.stones.tolist() == [stones]


@pytest.mark.parametrize("ada_is_black", [True, False])
@pytest.mark.parametrize("batch", ["game", "event"])
@pytest.mark.parametrize("event", ["", "Open"])
def test_the_sixteenth_game_is_the_first_with_the_k_of_the_experienced(
    batch: Literal["game", "event"], event: str, ada_is_black: bool
) -> None:
    # "K of a player's first games", of which there are 15: slow twin from R' = R + K (S - E)
    played = []
    for number in range(17):
        guest, day = f"Guest {number:02}", DAY + timedelta(days=number)
        black, white, result = ("Ada", guest, "B+") if ada_is_black else (guest, "Ada", "W+")
        played.append(Game(black, white, result, day, event=event))
    rating, floor, expected = 1500.0, 1500.0, []
    for number in range(17):
        if batch == "game" or not event:
            floor = rating
        change = (40.0 if number < 15 else 20.0) * (1.0 - 1.0 / (1.0 + 10.0 ** ((1500.0 - floor) / 400.0)))
        expected.append(change)
        rating += change
    lines = Elo(k_new=40.0, new_games=15, batch=batch).rate(Ledger.of(played)).explain("Ada")
    assert [line.change for line in lines] == pytest.approx(expected, abs=1e-9)
    assert [line.reason.value for line in lines] == pytest.approx(expected, abs=1e-9)


def test_a_small_board_weighs_by_the_square_of_its_lines() -> None:
    # reference 15: ((19 - |z - 19|) / 19)^2; equal ratings, even game at 6.5: con (1 - 0.5 + 0) for Black
    changes = {}
    for size in (9, 13, 19, 25):
        (line,) = (
            DGS(epsilon=0.0).rate(pair(Game("Ada", "Bo", "B+", komi=6.5, size=size), rating=1300.0)).explain("Ada")
        )
        changes[size] = line.change
    weights = {size: changes[size] / changes[19] for size in changes}
    assert weights == pytest.approx({9: (9 / 19) ** 2, 13: (13 / 19) ** 2, 19: 1.0, 25: (13 / 19) ** 2})


@pytest.mark.parametrize(("days", "events"), [(31, 1), (32, 2)])
def test_games_of_an_event_31_days_apart_belong_together(days: int, events: int) -> None:
    played = [Game("Ada", "Bo", "B+", date=DAY + timedelta(days=after), event="League") for after in (0, days)]
    assert len(set(Ledger.of(played).arrays.event.tolist())) == events


@pytest.mark.parametrize(
    ("field", "highest"),
    [("handicap", 99), ("size", 52), ("round", 1_000_000), ("moves", 1_000_000), ("entry", 2**53), ("komi", 400.0)],
)
def test_the_highest_number_of_a_field_is_taken_and_the_next_refused(field: str, highest: float) -> None:
    assert getattr(Game("Ada", "Bo", "B+", **{field: highest}), field) == highest  # type: ignore[arg-type]
    following = highest + (2 if field == "entry" else 1)  # 2^53 + 1 is no number of its own in binary
    with pytest.raises(InputError, match=field):
        Game("Ada", "Bo", "B+", **{field: following})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("field", "lowest"), [("handicap", 0), ("size", 2), ("round", 0), ("moves", 0), ("komi", -400.0)]
)
def test_the_lowest_number_of_a_field_is_taken_and_the_one_before_refused(field: str, lowest: float) -> None:
    assert getattr(Game("Ada", "Bo", "B+", **{field: lowest}), field) == lowest  # type: ignore[arg-type]
    with pytest.raises(InputError, match=field):
        Game("Ada", "Bo", "B+", **{field: lowest - 1})  # type: ignore[arg-type]


def test_more_than_nine_stones_are_kept_with_a_remark_and_nine_without(tmp_path: Path) -> None:
    rows = [f"2026-05-0{day},Ada,Bo,B+,{stones},0.5,club" for day, stones in ((1, 9), (2, 10))]
    ledger = handan.read(games(tmp_path / "games.csv", *rows))
    assert ledger.arrays.handicap.tolist() == [9, 10]
    assert [(problem.field, problem.found, problem.rejected) for problem in ledger.problems] == [
        ("handicap", "10", False)
    ]


@pytest.mark.parametrize(
    ("end", "kept"),
    [
        ("2026-05-01 14:30", ["2026-05-01 14:30:00", "2026-05-01 14:30:59"]),
        ("2026-05-01 14:30:00", ["2026-05-01 14:30:00"]),
        ("2026-05-01 14:30:59", ["2026-05-01 14:30:00", "2026-05-01 14:30:59"]),
        ("2026-05-01 14:31", ["2026-05-01 14:30:00", "2026-05-01 14:30:59", "2026-05-01 14:31:00"]),
    ],
)
def test_the_list_as_of_a_minute_ends_with_that_minute(end: str, kept: list[str]) -> None:
    moments = ("2026-05-01 14:30:00", "2026-05-01 14:30:59", "2026-05-01 14:31:00")
    ledger = Ledger.of(Game("Ada", "Bo", "B+", date=moment) for moment in moments).as_of(end)
    assert [str(game.date) for game in ledger] == kept


@pytest.mark.parametrize(
    ("moment", "text"),
    [
        (DAY.replace(hour=14, minute=30, second=15), "2025-03-01 14:30:15"),
        (DAY.replace(hour=14, minute=30), "2025-03-01 14:30"),
        (DAY.date(), "2025-03-01"),
    ],
)
def test_a_moment_of_python_keeps_its_seconds(moment: datetime, text: str) -> None:
    assert str(When.of(moment)) == text


@pytest.mark.parametrize("dates", [(None, DAY), (DAY, None), (None, DAY, DAY)])
def test_one_dated_game_is_enough_to_leave_undated_ones_out(dates: tuple[datetime | None, ...]) -> None:
    ledger = Ledger.of(Game("Ada", "Bo", "B+", date=day) for day in dates)
    for system in (Elo(), EGF(), Points()):
        ratings = system.rate(ledger)
        assert ratings.unrated_counts == {"no date, and the games around it have one": dates.count(None)}
    bare = Ledger.of(Game("Ada", "Bo", "B+") for _ in dates)
    assert Elo().rate(bare).rated == len(dates)


def test_an_adjustment_stands_before_the_games_of_its_day_though_others_have_no_date() -> None:
    played = [
        Game("Ada", "Bo", "B+"),
        Game("Ada", "Bo", "B+", date=DAY),
        Game("Ada", "Bo", "B+", date=DAY + timedelta(days=9)),
    ]
    ledger = Ledger.of(played, [Adjustment("Ada", None, 2000.0, DAY + timedelta(days=5))])
    assert [line.before for line in Elo().rate(ledger).explain("Ada") if line.game == 3] == [2000.0]
    np.testing.assert_array_equal(ledger.arrays.dated, [False, True, True])


def test_a_difference_of_binary_fractions_is_the_row_of_the_whole_points() -> None:
    # 130.2 - 118.2 is 11.999999999999986; Tagajo's card at 12: one free stone, Black gives 6
    assert 130.2 - 118.2 < 12.0
    terms = card_terms(CARDS["tagajo12"], ("Ada", 130.2), ("Bo", 118.2))
    assert (terms.black, terms.free_stones, terms.stones_on_board, terms.komi) == ("Bo", 1, 2, 6.0)
    below = card_terms(CARDS["tagajo12"], ("Ada", 130.1), ("Bo", 118.2))
    assert (below.free_stones, below.komi) == (0, -5.0)


@pytest.mark.parametrize(("difference", "komi", "fair"), [(162, -60.0, True), (163, -60.0, False), (900, -60.0, False)])
def test_beyond_nine_stones_komi_ends_at_sixty_points(difference: int, komi: float, fair: bool) -> None:
    # nine stones are eight free ones, 96 points of 12 each; komi to White is 6 - (difference - 96)
    terms = card_terms(CARDS["tagajo12"], ("Ada", float(difference)), ("Bo", 0.0))
    assert (terms.stones_on_board, terms.komi, not terms.unfair) == (9, komi, fair)


def test_a_row_that_a_card_prints_stays_as_printed_also_beyond_nine_stones() -> None:
    printed = make_row(120, 10, 10, 3.0, JIGO)
    card = replace(CARDS["tokyo15"], listed=(make_row(0, 0, 0, 6.5, JIGO), printed))
    assert card.board_row(120) == printed
    assert card.row(135).stones_on_board == 10  # by the law, 15 points a stone
    assert card.board_row(135).stones_on_board == 9


def test_of_several_lists_the_first_declares_the_rating_and_the_last_the_club() -> None:
    lists = [
        Player("Ada", "17", country="DE", club="Ulm", rating=2100.0, rating_origin="EGF"),
        Player("Ada", "17", country="FR", club="Lyon", rating=1900.0, rating_origin="FFG"),
        Player("Bo", "31", country="SE", rating=1500.0, rating_origin="EGF"),
    ]
    ada, bo = completed([Player("Ada", "17"), Player("Bo", "32")], lists)
    assert (ada.country, ada.club, ada.rating, ada.rating_origin) == ("FR", "Lyon", 2100.0, "EGF")
    assert (bo.country, bo.rating) == ("", None)  # another Bo: the numbers differ
    assert completed([Player("Ada")], lists)[0].club == "Lyon"  # who has no number is known by name


@pytest.mark.parametrize(("differential", "won", "lost"), [
    (-5, 0.0, -1.9), (-4, 0.0, -1.9), (-3, 0.12, -1.9), (-2, 0.37, -1.0), (0, 1.4, -0.6), (2, 2.2, -0.03),
    (3, 3.5, 0.0), (4, 3.5, 0.0), (6, 3.5, 0.0),
])  # fmt: skip
def test_the_factors_of_south_africa_end_at_three_stones(differential: int, won: float, lost: float) -> None:
    # "< -3, -3, …, +3, > +3", demotion zone, as printed on the page of the South African clubs
    assert result_factor(differential, -1.0, True) == won  # what the formula takes
    assert result_factor(differential, -1.0, False) == lost


def test_of_equal_players_the_first_by_name_takes_black() -> None:
    ratings = Elo().rate(pair(Game("Ada", "Bo", "jigo", komi=6.5), rating=1500.0))
    for one, other in (("Ada", "Bo"), ("Bo", "Ada")):
        assert ratings.fair_terms(one, other).black == "Ada"


def test_a_game_moves_more_points_below_the_limit_of_the_card_and_not_at_it() -> None:
    # mami12: two points a game below 200
    assert [CARDS["mami12"].step(points) for points in (-1.0, 199.0, 199.5, 200.0, 201.0)] == [2, 2, 2, 1, 1]


def test_points_are_taken_up_to_the_most_that_anybody_can_have_won() -> None:
    assert card_terms(CARDS["tokyo15"], ("Ada", MOST_POINTS), ("Bo", MOST_POINTS)).difference == 0.0
    with pytest.raises(InputError, match="points of Bo"):
        card_terms(CARDS["tokyo15"], ("Ada", 0.0), ("Bo", -MOST_POINTS - 1.0))


def test_a_later_list_that_says_only_where_a_player_stands_among_the_others_is_taken() -> None:
    assert completed([Player("Ada")], [Player("Ada", order="2")]) == [Player("Ada", order="2")]


@pytest.mark.parametrize(("written", "read"), [
    ("2026-05-01 12:30 AM", "2026-05-01 00:30"), ("2026-05-01 12:30 PM", "2026-05-01 12:30"),
    ("2026-05-01 1:30 PM", "2026-05-01 13:30"), ("2026-05-01 11:30 PM", "2026-05-01 23:30"),
    ("13.02.51", "1951-02-13"), ("13.02.00", "2000-02-13"),
])  # fmt: skip
def test_half_days_begin_at_twelve_and_two_digits_of_a_year_turn_at_51(written: str, read: str) -> None:
    (game,) = handan.read(f"black,white,result,date\nAda,Bo,B+R,{written}\n".encode())
    assert str(game.date) == read


def test_two_headings_are_enough_in_a_worksheet_below_a_title() -> None:
    rows = [["The games of spring"], ["Black - White", "Result"], ["Ada - Bo", "B+R"], ["Bo - Cy", "W+3.5"]]
    games = handan.read(excel(Sheet("Games", rows)))
    assert [(game.black, game.white, str(game.result)) for game in games] == [
        ("Ada", "Bo", "B+R"),
        ("Bo", "Cy", "W+3.5"),
    ]


def test_a_row_of_a_table_of_bars_with_fewer_or_more_cells_than_the_header_is_left_out() -> None:
    table = b"| black | white | result |\n|---|---|---|\n| Ada | Bo | B+R |\n| Cy | Bo |\n| Bo | Cy | W+R | x |\n"
    ledger = handan.read(table)
    assert [(problem.line, problem.rejected) for problem in ledger.problems] == [(4, True), (5, True)]
    assert [(game.black, game.white) for game in ledger] == [("Ada", "Bo")]


@pytest.mark.parametrize(("text", "safe"), [
    ("=1+1", "'=1+1"), ("Ada;=1+1", "Ada;'=1+1"), ("Ada\t@x", "Ada\t'@x"), ("-12.5", "-12.5"), ("a=b", "a=b"),
])  # fmt: skip
def test_what_a_spreadsheet_takes_for_a_formula_gets_an_apostrophe_wherever_a_cell_may_begin(
    text: str, safe: str
) -> None:
    assert without_formulas(text) == safe


def test_wins_are_counted_against_both_neighbours_on_the_ladder_and_whom_one_met_most() -> None:
    book = Book()
    book.add(changes.office.set_rules(book.state, Rules("egf", {})))
    one, two, three, four, five = (book.player(f"Player {dan}", f"{dan}d") for dan in (7, 5, 3, 2, 1))
    for other in (five, four, four, five, five):
        book.game(two, other)
    assert opponents_near(standings(book.state, TODAY), two) == [one, three, five]
