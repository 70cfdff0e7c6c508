"""`handan odds`, `handan rank --from --to` and `handan rate --ranks-of`."""

from __future__ import annotations

import pytest

from handan.systems import SYSTEMS
from tests.command_line import run
from tests.conftest import ROOT

GAMES = ROOT / "examples" / "games.csv"


def test_the_published_table_of_winning_percentages_comes_out() -> None:
    # Go ranks and ratings (Wikipedia): AGA 83.2 97.3 99.8, EGF 71.3 86.0 93.9, IGS 71.9 84.2 91.1
    rows = run("odds", "--table", "--format", "json").json
    percentages = {
        row["organisation"]: [round(row[f"{rank} vs. 2k"], 1) for rank in ("1k", "1d", "2d")] for row in rows
    }
    assert percentages == {"AGA": [83.2, 97.3, 99.8], "EGF": [71.3, 86.0, 93.9], "IGS": [71.9, 84.2, 91.1]}
    table = run("odds", "--table").out
    assert "83.2%      97.3%      99.8%" in table


def test_odds_take_ratings_and_ranks_and_terms() -> None:
    # Accelrat: 4.5 dan as White against 1.5 kyu, 4 stones, komi 0.5: White 51.92 %
    answer = run("odds", "450", "-150", "--system", "accelrat", "--handicap", 4, "--komi", 0.5, "--format", "json").json
    assert answer["probability_a"] == pytest.approx(0.5192, abs=5e-5)
    assert answer["black"] == "-150"
    assert answer["probability_a"] + answer["probability_b"] == pytest.approx(1.0)
    # IGS: three ranks are 91.109 %
    assert run("odds", "2d", "2k", "--system", "igs").out == "2d 91.1 %, 2k 8.9 % (Black: 2k, komi 6.5)\n"


def test_odds_of_players_are_those_of_their_ratings() -> None:
    answer = run("odds", "Alice", "Bob", "--system", "elo", "--players", GAMES, "--format", "json").json
    assert answer["rating_a"] != answer["rating_b"]
    assert 0.0 < answer["probability_a"] < 1.0


def test_systems_without_a_law_say_so() -> None:
    done = run("odds", "100", "120", "--system", "points")
    assert (done.status, done.err.count("\n")) == (2, 1)
    assert "points has no law of winning chances" in done.err
    stones = run("odds", "3k", "1d", "--system", "points", "--handicap", "9")
    assert "no law of winning chances;" in stones.err  # with a handicap or without
    assert run("odds", "3d").status == 2


@pytest.mark.parametrize("system", [name for name in SYSTEMS if name != "sagc"])  # which takes ranks only
@pytest.mark.parametrize("text", ["nan", "inf", "1e400"])
def test_a_rating_that_is_no_finite_number_is_refused_by_name(system: str, text: str) -> None:
    done = run("odds", text, "3d", "--system", system)
    assert (done.status, done.err) == (2, f"handan: rating '{text}' is not a finite number\n")


def test_a_rank_is_compared_with_the_date_and_the_uncertainty_of_the_table() -> None:
    # Sensei's Library, worldwide comparison of 2009-07-15: KGS 3k stands beside European 5k
    done = run("rank", "3k", "--from", "kgs", "--to", "egf")
    assert done.out.startswith("KGS 3k is Europe 5k (table of 2009-07-15)\n")
    assert "approximate" in done.out
    answer = run("rank", "3k", "--from", "kgs", "--to", "egf", "--format", "json").json
    assert (answer["low"], answer["high"], answer["date"]) == ("5k", "5k", "2009-07-15")
    assert "Japan" in run("rank", "3k", "--from", "kgs").out
    assert "needs --from" in run("rank", "3k", "--to", "egf").err
    assert "organisation 'kgb' is not one of" in run("rank", "3k", "--from", "kgb").err


def test_ranks_of_a_ladder_are_shown_as_those_of_another_organisation() -> None:
    document = run("rate", GAMES, "--system", "egf", "--ranks-of", "kgs", "--format", "json").json
    assert document["notes"][0] == "elsewhere: ranks of KGS by the table of 2009-07-15"
    ranks = {row["player"]: (row["rank"], row["elsewhere"]) for row in document["players"]}
    assert ranks["Bob"] == ("7k", "4k")
    far = run("rate", GAMES, "--system", "igs", "--set", "start=-900", "--ranks-of", "dgs", "--format", "json").json
    assert "2009-07-15" in " ".join(far["notes"])
    assert "stand in no table" in run("rate", GAMES, "--system", "sagc", "--ranks-of", "kgs").err
