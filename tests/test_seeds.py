"""The printed rules clause by clause, each through a ledger: what the sources of the systems promise a club.

Sources: Points Rating System and Point Ranking Scheme At Tokyo Go clubs (Sensei's Library); Go ranks and ratings
(Wikipedia); Holigor, Description of the rating system; South African Go Clubs, "How they work".
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from handan.ledger import Adjustment, Game, Ledger
from handan.ratings import Ratings
from handan.systems import AGA, EGF, KGS, SAGC, Accelrat, EGFClassic, Holigor, Points
from handan.systems.core.base import System
from tests.command_line import adjustments, games, run

DAY = "2026-05-01"


def wins(count: int, day: str = DAY) -> list[Game]:
    return [Game("A", "B", "B+", date=day, komi=6, entry=number) for number in range(1, count + 1)]


def entered(played: list[Game], a: float | str, b: float | str, *later: Adjustment) -> Ledger:
    entry = [
        Adjustment(name, value if isinstance(value, str) else None, None if isinstance(value, str) else value)
        for name, value in (("A", a), ("B", b))
    ]
    return Ledger.of(played, [*entry, *later])


def now(ratings: Ratings) -> list[float]:
    return [float(rating) for rating in ratings.rating]


# Points Rating System


def test_games_with_the_same_opponent_are_counted_up_to_three_in_a_given_day() -> None:
    # the first local rule: "Games with the same opponent is counted up to 3 games in a given day."
    assert now(Points(card="tagajo12").rate(entered(wins(4), 130.0, 130.0))) == [133.0, 127.0]


def test_a_given_day_is_one_that_somebody_wrote_down() -> None:
    for day in ("2026-05", "2026"):
        assert now(Points(card="tagajo12").rate(entered(wins(4, day), 130.0, 130.0))) == [134.0, 126.0]


def test_points_do_not_change_during_the_day() -> None:
    # the second: "Points for the players in those games with same opponent do not change during the day. (If the result
    # is 2-1 for White, the difference of 1 point is given to the White player rating ... at the end of the day.)"
    played = [Game("A", "B", result, date=DAY, entry=number) for number, result in enumerate(("W+", "B+", "W+"), 1)]
    ratings = Points(card="tagajo12", settle="day").rate(entered(played, 110.0, 130.0))
    assert now(ratings) == [109.0, 131.0]
    assert now(ratings.on(DAY)) == [110.0, 130.0]
    assert {line.reason.facts["points held"] for line in ratings.explain("A")} == {110.0}


def test_a_tie_is_the_win_of_a_white_whom_somebody_knows() -> None:
    system = Points(card="tagajo12")
    assert now(system.rate(entered([Game("A", "B", "jigo", komi=6)], 130.0, 130.0))) == [129.0, 131.0]
    assert now(system.rate(entered([Game("A", "B", "P=", komi=6)], 130.0, 130.0))) == [130.0, 130.0]


# Point Ranking Scheme At Tokyo Go clubs


def test_scores_are_adjusted_after_each_game_and_so_it_goes() -> None:
    # "Scores are adjusted after each game": 215 v 238 is two stones and White gives 1.5; Black wins, and it is two
    # stones and Black gives 0.5; a fifth game of the day is adjusted like the first
    system = Points(card="tokyo15")
    assert now(system.rate(entered(wins(1), 215.0, 238.0))) == [216.0, 237.0]
    assert (
        system.rate(entered(wins(1), 215.0, 238.0)).fair_terms("A", "B").text == "Black: A, 2 stones, Black gives 0.5"
    )
    assert now(system.rate(entered(wins(5), 215.0, 238.0))) == [220.0, 233.0]


# Go ranks and ratings


@pytest.mark.parametrize("system", [EGF(), EGFClassic(), SAGC(), AGA(), Accelrat(), KGS()])
def test_a_3_dan_gives_a_1_dan_two_stones_and_a_5_kyu_takes_three_of_a_2_kyu(system: System) -> None:
    # "a 3d player could give 2 handicap stones to a 1d player", and the same for kyu grades
    for stronger, weaker, stones in (("3d", "1d", 2), ("2k", "5k", 3)):
        ratings = system.rate(entered([Game("A", "B", "void")], stronger, weaker))
        terms = ratings.fair_terms("A", "B")
        assert (terms.black, terms.handicap) == ("B", stones)


def test_ranks_of_a_small_club_are_adjusted_by_hand() -> None:
    # "In a small club, ranks may be decided informally and adjusted manually when players consistently win or lose."
    played = [*wins(3), *wins(1, "2026-06-01")]
    systems: list[System] = [SAGC(), EGF(), EGFClassic(), Points()]
    for system in systems:
        promoted = Adjustment("A", "4k", None, "2026-05-15", "wins every week")
        line = system.rate(entered(played, "6k", "6k", promoted)).explain("A")[-2]
        assert (line.game, line.rank_after, line.note) == (None, "4k", "wins every week")


# Holigor


def test_the_raw_rating_is_there_to_look_at(tmp_path: Path) -> None:
    # "It is useful and interesting to look at the raw rating of the player"
    played = games(tmp_path / "games.csv", *(f"2026-05-0{day},A,B,B+,0,6.5," for day in (1, 2, 3)))
    shared = ["rate", played, "--system", "holigor"]
    assert "raw" in run(*shared).out.splitlines()[0].split()
    for row, raw in zip(run(*shared, "--format", "json").json["players"], (1.0, 0.0), strict=True):
        assert row["raw"] == pytest.approx(raw, abs=1e-9)  # "set is shifted to make it zero"; the winner one above
        assert row["rating"] == pytest.approx(1000.0 * raw * (1.0 - np.exp(-3 / 5)), abs=1e-6)
    assert run(*shared, "--format", "csv").csv[1]["raw"] == "0"
    assert now(Holigor().rate(Ledger.of(wins(3))))[1] == 0.0


# South African Go Clubs


@pytest.mark.parametrize("wanted", [-5000.0, 5000.0])
def test_an_index_ranges_between_999_and_minus_999_whoever_sets_it(wanted: float) -> None:
    # "an index which ranges between +999 and -999"
    played = [*wins(1), *wins(1, "2026-06-01")]
    typo = Adjustment("A", None, wanted, "2026-05-15", "typo")
    lines = SAGC().rate(entered(played, "10k", "10k", typo)).explain("A")
    assert all(-999.0 <= line.before <= 999.0 and -999.0 <= line.after <= 999.0 for line in lines)
    assert lines[-1].rank_after in {"10k", "9k"}  # a win demotes nobody


def test_the_record_sheet_has_its_columns_and_the_own_name_for_an_adjustment(tmp_path: Path) -> None:
    # the table of the columns; of the first it says "same name indicates an adjustment"
    played = games(tmp_path / "games.csv", "2026-05-01,Alice,Bob,B+R,2,0.5,tournament")
    entry = adjustments(tmp_path / "entry.csv", "Alice,10k,200,,", "Bob,7k,-50,,", "Alice,9k,,2026-05-02,SAGA")
    shared = ["history", played, "--adjustments", entry, "--system", "sagc", "--player", "Alice"]
    game, adjustment = run(*shared, "--format", "json").json
    sheet = ("opponent", "opponent_rank", "colour", "handicap", "komi", "winner", "weight", "date", "comment")
    assert [game[name] for name in sheet] == ["Bob", "7k", "black", 2, 0.5, "black", 1.5, "2026-05-01", ""]
    assert (adjustment["opponent"], adjustment["rank_after"], adjustment["after"]) == ("Alice", "9k", 0)
    assert run(*shared).out.splitlines()[-1].split()[:2] == ["2026-05-02", "Alice"]


def test_a_list_of_files_says_of_when_its_newest_game_is(tmp_path: Path) -> None:
    # files do not tell when a game was added, so this is the most recently played one, and is called so; what a club's
    # ledger knows of "the most recently added game" is tested with the club
    played = games(tmp_path / "games.csv", "2026-05-03,A,B,B+,0,6.5,", "2026-05-01,A,B,B+,0,6.5,")
    assert "newest game 2026-05-03" in run("rate", played, "--system", "sagc").out
    assert run("rate", played, "--system", "sagc", "--format", "json").json["newest_game"] == "2026-05-03"
