"""`handan handicap`: two players sit down and want a fair game."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import adjustments, games, run, table


def test_130_against_110_at_tagajo_is_one_stone_and_two_points_for_black() -> None:
    # Sensei's Library, Points Rating System: difference 20, one handicap stone, komi -2, a tie is White's
    terms = run("handicap", 130, 110, "--card", "tagajo12", "--format", "json").json
    assert (terms["black"], terms["white"], terms["difference"]) == ("110", "130", 20)
    assert (terms["card_stones"], terms["komi"], terms["tie"]) == (1, -2, "white wins")
    assert terms["text"] == "Black: 110, 2 stones, White gives 2, a tie is White's"  # one stone beyond the first move


def test_215_against_238_in_tokyo_is_two_stones_and_a_point_and_a_half_for_black() -> None:
    # Sensei's Library, Point Ranking Scheme At Tokyo Go clubs
    terms = run("handicap", 215, 238, "--card", "tokyo15", "--format", "json").json
    assert (terms["card"], terms["difference"], terms["card_stones"], terms["komi"]) == ("tokyo15", 23, 2, -1.5)
    assert (terms["stones_on_board"], terms["free_stones"], terms["tie"]) == (2, 1, "impossible")


def test_after_black_has_won_black_gives_half_a_point() -> None:
    # ibid.: the difference falls to 21: two stones, Black gives 0.5
    terms = run("handicap", 216, 237, "--card", "tokyo15", "--format", "json").json
    assert (terms["difference"], terms["card_stones"], terms["komi"]) == (21, 2, 0.5)


def test_the_order_of_the_two_totals_does_not_matter() -> None:
    assert run("handicap", 238, 215, "--card", "tokyo15").out == run("handicap", 215, 238, "--card", "tokyo15").out


def test_json_holds_all_terms_of_a_card() -> None:
    terms = run("handicap", 215, 238, "--card", "tokyo15", "--format", "json").json
    assert set(terms) == {
        "card", "difference", "card_stones", "free_stones", "stones_on_board", "komi", "tie", "text", "unfair",
        "black", "white", "colours", "handicap",
    }  # fmt: skip


def test_the_table_begins_with_what_the_club_says() -> None:
    first, second = run("handicap", 215, 238, "--card", "tokyo15").out.splitlines()
    assert first == "Black: 215, 2 stones, White gives 1.5"
    assert second == "Tokyo clubs, 15 points a stone, difference 23"


@pytest.mark.parametrize("totals", [(-5, 20), (20, -5), (-30, -55), ("-5.5", "19.5"), ("−5", 20), ("--", -5, 20)])
def test_totals_may_be_negative(totals: tuple[object, ...]) -> None:
    # ibid.: the printed table has two stones and komi -3.5 at 25
    options = ["--card", "tokyo15", "--format", "json"]
    answer = run("handicap", *options, *totals) if totals[0] == "--" else run("handicap", *totals, *options)
    assert (answer.json["difference"], answer.json["card_stones"], answer.json["komi"]) == (25, 2, -3.5)


def test_csv_is_one_row() -> None:
    (row,) = run("handicap", 215, 238, "--card", "tokyo15", "--format", "csv").csv
    assert (row["card_stones"], row["komi"], row["difference"]) == ("2", "-1.5", "23")


def test_a_club_may_bring_its_own_card(tmp_path: Path) -> None:
    own = table(tmp_path / "own.csv", ("from", "to", "stones", "komi"), "0,4,0,6.5", "5,9,1,0.5", "10,14,2,0.5")
    terms = run("handicap", 100, 107, "--card", own, "--format", "json").json
    assert (terms["card"], terms["card_stones"], terms["komi"]) == ("own", 1, 0.5)


def test_a_fault_of_a_club_s_own_card_is_reported(tmp_path: Path) -> None:
    own = table(tmp_path / "own.csv", ("difference", "stones", "komi"), "0,0,6.5", "1,1,much", "2,1,4.5")
    answer = run("handicap", 100, 102, "--card", own)
    assert answer.status == 0
    assert f"warning: {own} line 3: komi 'much' is not points to White" in answer.err


def test_ranks_are_enough_for_a_rating_system() -> None:
    # South African Go Clubs, "How they work": a 14k who plays a 16k even gives two handicap stones too few
    terms = run("handicap", "14k", "16k", "--system", "sagc", "--format", "json").json
    assert (terms["system"], terms["card"], terms["black"], terms["white"]) == ("sagc", None, "16k", "14k")
    assert terms["stones_on_board"] == 2
    assert terms["win_probability"] is None


def test_equals_have_an_even_chance() -> None:
    answer = run("handicap", "3d", "3d", "--system", "egf", "--format", "json").json
    assert (answer["colours"], answer["card_stones"], answer["win_probability"]) == ("nigiri", 0, 0.5)
    assert "Black's chance: 50.0 %" in run("handicap", "3d", "3d", "--system", "egf").out


def test_a_rating_and_a_rank_of_the_same_strength_are_even() -> None:
    # European Go Database: 1 dan is 2100
    answer = run("handicap", "2100", "1d", "--system", "egf", "--format", "json").json
    assert (answer["difference"], answer["card_stones"]) == (0, 0)


def test_ratings_may_be_negative() -> None:
    answer = run("handicap", "-900", "30k", "--system", "egf", "--format", "json").json  # ibid.: 30 kyu is -900
    assert answer["difference"] == 0


@pytest.fixture
def tokyo(tmp_path: Path) -> list[object]:
    played = games(tmp_path / "games.csv", "2026-05-01,Aoki,Baba,B+R,2,-1.5,club")
    entered = adjustments(tmp_path / "entered.csv", "Aoki,,215,,", "Baba,,238,,")
    return ["--players", played, "--adjustments", entered, "--system", "points", "--set", "card=tokyo15"]


def test_names_stand_for_the_points_of_a_file(tokyo: list[object]) -> None:
    # Sensei's Library, Point Ranking Scheme At Tokyo Go clubs: 215 beats 238, the next game is 216 against 237
    terms = run("handicap", "Aoki", "Baba", *tokyo, "--format", "json").json
    assert (terms["black"], terms["white"], terms["difference"]) == ("Aoki", "Baba", 21)
    assert (terms["card"], terms["card_stones"], terms["komi"]) == ("tokyo15", 2, 0.5)


def test_the_terms_of_an_earlier_day_can_be_asked_for(tokyo: list[object]) -> None:
    terms = run("handicap", "Aoki", "Baba", *tokyo, "--as-of", "2026-04-30", "--format", "json").json
    assert (terms["difference"], terms["komi"]) == (23, -1.5)


def test_a_guest_is_named_by_points(tokyo: list[object]) -> None:
    terms = run("handicap", "Aoki", "237", *tokyo, "--format", "json").json
    assert (terms["white"], terms["difference"]) == ("237", 21)


def test_a_misspelt_name_is_answered_with_the_nearest(tokyo: list[object]) -> None:
    answer = run("handicap", "Aoky", "Baba", *tokyo)
    assert answer.status == 2
    assert answer.err.splitlines()[-1] == "handan: player 'Aoky' is not in the ledger; did you mean Aoki?"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["215", "238"], "--card NAME"),
        (["215", "238", "--card", "tokyo15", "--system", "elo"], "not both"),
        (["215", "238", "--card", "toky15"], "did you mean tokyo15?"),
        (["215", "strong", "--card", "tokyo15"], "points 'strong' is not a number"),
        (["215", "nan", "--card", "tokyo15"], "points 'nan' is not a number"),
        (["215", "inf", "--system", "elo"], "rating 'inf' is not a finite number"),
        (["215", "--card", "tokyo15"], "give two players"),
        (["215", "238", "249", "--card", "tokyo15"], "249"),
        (["215", "238", "--crad", "tokyo15"], "--card"),
        (["215", "238", "--card", "nowhere.csv"], "nowhere.csv: cannot be read"),
        (["Aoki", "Baba", "--system", "elo"], "'Aoki' is neither a rank nor a rating"),
        (["Aoki", "Baba", "--card", "tokyo15", "--players", "games.csv"], "need --system NAME"),
        (["3d", "4d", "--system", "elo", "--adjustments", "entered.csv"], "need --players FILE"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(arguments: list[str], message: str) -> None:
    answer = run("handicap", *arguments)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert answer.err.startswith("handan: ")
    assert message in answer.err
