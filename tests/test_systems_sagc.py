"""South African Go Clubs: what adjustments may do, and which games are remembered.

Source of every expected figure: South African Go Clubs, "How they work" (player ratings).
"""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from handan.handicaps import effective_handicap
from handan.ledger import Adjustment, Game, Ledger
from handan.systems import SAGC
from tests.command_line import adjustments, games, run

DAY = date(2020, 1, 1)
TWO_WINS = [Game("A", "B", "B+", date=DAY), Game("A", "B", "B+", date="2020-01-10")]
ENTRY = [Adjustment("A", "10k"), Adjustment("B", "10k")]
AFTER_A_WIN = 369.0  # LF(10k) = 369.95, an even club game between equals


@pytest.mark.parametrize(("wanted", "index"), [(-5000.0, -999.0), (5000.0, 999.0), (-999.0, -999.0), (1000.0, 999.0)])
def test_a_later_adjustment_stays_within_the_range_of_the_index(tmp_path: Path, wanted: float, index: float) -> None:
    played = games(tmp_path / "games.csv", "2020-01-01,A,B,B+,,,", "2020-01-10,A,B,B+,,,")
    entered = adjustments(tmp_path / "entered.csv", "A,10k,,,", "B,10k,,,", f"A,,{wanted:g},2020-01-05,typo")
    shared = ["--system", "sagc", "--adjustments", entered]
    rows = run("history", played, *shared, "--player", "A", "--format", "json").json
    assert (rows[1]["before"], rows[1]["after"]) == (AFTER_A_WIN, index)
    assert rows[2]["before"] == index
    assert rows[2]["rank_after"] == ("10k" if index < 0 else "9k")  # a win never demotes
    warned = "1 adjustment asks for a rating outside -999 to 999" in run("rate", played, *shared).err
    assert warned == (wanted != index)


@pytest.mark.parametrize(("wanted", "index"), [(-5000.0, -999.0), (5000.0, 999.0)])
def test_an_entry_stays_within_the_range_of_the_index(wanted: float, index: float) -> None:
    ratings = SAGC().rate(Ledger.of(TWO_WINS, [Adjustment("A", "10k", wanted), ENTRY[1]]))
    assert ratings.explain("A")[0].before == index


@pytest.mark.parametrize(
    ("rank", "rating", "stands"),
    [
        ("20k", None, ("10k", AFTER_A_WIN)),
        ("10k", None, ("10k", AFTER_A_WIN)),
        ("10k", 500.0, ("10k", 500.0)),
        (None, -500.0, ("10k", AFTER_A_WIN)),
        (None, 500.0, ("10k", 500.0)),
        (None, 5000.0, ("10k", 999.0)),
        ("11k", 999.0, ("10k", AFTER_A_WIN)),
        ("9k", -999.0, ("9k", -999.0)),
        ("9k", None, ("9k", 0.0)),
    ],
)
def test_at_least_never_lowers_rank_or_index(rank: str | None, rating: float | None, stands: tuple[str, float]) -> None:
    item = Adjustment("A", rank, rating, "2020-01-05", "national list", at_least=True)
    line = SAGC().rate(Ledger.of(TWO_WINS, [*ENTRY, item])).explain("A")[1]
    assert (line.game, line.rank_before, line.before) == (None, "10k", AFTER_A_WIN)
    assert (line.rank_after, line.after) == stands


def test_without_at_least_an_adjustment_lowers() -> None:
    item = Adjustment("A", "20k", None, "2020-01-05", "national list")
    line = SAGC().rate(Ledger.of(TWO_WINS, [*ENTRY, item])).explain("A")[1]
    assert (line.rank_after, line.after) == ("20k", 0.0)


@pytest.mark.parametrize(("between", "factor"), [(8, 0.9), (9, 0.9), (10, 1.0)])
def test_exactly_the_previous_ten_games_are_remembered(between: int, factor: float) -> None:
    # "for each time the player has played the current opponent in his previous ten games, subtract 0.1 from 1"
    played = [Game("A", "B", "B+", date=DAY)]
    played += [Game("A", f"Guest {i}", "B+", date=DAY + timedelta(days=1 + i)) for i in range(between)]
    line = SAGC().rate(Ledger.of([*played, Game("A", "B", "B+", date="2020-06-01")])).explain("A")[-1]
    assert line.reason.factors[2].value == factor


@pytest.mark.parametrize(
    ("handicap", "komi", "effective"),
    [
        (1, 6.5, 0),
        (1, 6.0, 1),
        (2, 0.5, 2),
        (0, 6.5, 0),
        (0, 0.5, 0),
        (0, -4.0, 1),
        (0, 16.0, -1),
        (0, 15.9, 0),
        (20, 6.0, 20),
    ],
)
def test_the_effective_handicap_of_a_recorded_game(handicap: int, komi: float, effective: int) -> None:
    # the printed formula: the stones less a tenth of the komi above 6, cut toward zero
    game = Game("A", "B", "B+", handicap=handicap, komi=komi)
    (line,) = SAGC().rate(Ledger.of([game], ENTRY)).explain("A")
    assert line.reason.facts["effective handicap"] == effective
    assert line.reason.factors[4].value == pytest.approx(max(0.1, 1 - 0.05 * effective))


def test_the_factors_of_an_explanation_come_to_the_change_where_binary_fractions_fall_short() -> None:
    # printed factors: 7 dan 55, a win at +3 3.5, 12 stones 1 - 0.6; 55 times 3.5 times 0.4 is 77 and no 76.99...
    game = Game("A", "B", "W+", handicap=12)
    (line,) = SAGC().rate(Ledger.of([game], [Adjustment("A", "3k"), Adjustment("B", "7d")])).explain("B")
    assert (line.change, line.reason.value, line.reason.factors[4].value) == (77.0, 77.0, 0.4)


@pytest.mark.parametrize(("weaker", "stronger", "ranks"), [("10k", "5k", 5), ("20k", "9k", 11), ("25k", "10k", 15)])
def test_fair_terms_come_to_the_difference_of_the_ranks_also_beyond_nine_stones(
    weaker: str, stronger: str, ranks: int
) -> None:
    game = Game("A", "B", "jigo", date=DAY, black_rank=stronger, white_rank=weaker)
    terms = SAGC().rate(Ledger.of([game])).fair_terms("A", "B")
    assert (terms.black, terms.stones_on_board) == ("B", min(ranks, 9))
    assert terms.komi is not None
    assert effective_handicap(terms.stones_on_board, terms.komi) == ranks


def test_of_equals_the_first_by_name_is_named_first() -> None:
    ratings = SAGC().rate(Ledger.of([Game("A", "B", "jigo", date=DAY)], ENTRY))
    assert [ratings.fair_terms(*pair).black for pair in ("AB", "BA")] == ["A", "A"]


@pytest.mark.parametrize(
    ("kind", "factor"),
    [("", 1.0), ("club", 1.0), ("tournament", 1.5), ("tournament-c", 1.5)]
    + [(kind, 0.5) for kind in ("friendly", "internet", "server", "casual")]
    + [(kind, 0.0) for kind in ("free", "teaching")],
)
def test_the_status_of_a_game_follows_its_kind(kind: str, factor: float) -> None:
    line = SAGC().rate(Ledger.of([Game("A", "B", "B+", date=DAY, kind=kind)], ENTRY)).explain("A")[0]
    assert {each.name: each.value for each in line.reason.factors}["game status factor"] == factor
