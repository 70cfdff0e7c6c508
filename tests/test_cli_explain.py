"""`handan explain` and `handan history`: a member asks why the rating moved, and for the card."""

from __future__ import annotations

from pathlib import Path

import pytest

from handan.cli import tables
from tests.command_line import adjustments, games, run


@pytest.fixture
def alice_and_bob(tmp_path: Path) -> list[object]:
    # South African Go Clubs, "How they work", A Complete Example
    played = games(tmp_path / "games.csv", "2026-05-01,Alice,Bob,B+R,2,0.5,club", "2026-05-02,Bob,Alice,W+,0,6.5,free")
    entered = adjustments(
        tmp_path / "entered.csv", "Alice,10k,200,,", "Bob,7k,-50,,", "Bob,8k,0,2026-06-01,synchronised"
    )
    return [played, "--adjustments", entered, "--system", "sagc"]


@pytest.fixture
def walk(tmp_path: Path) -> list[object]:
    """An 11k who loses five tournament games to the same much weaker player."""
    rows = [f"2026-05-0{day},Carol,Dave,W+R,0,6.5,tournament" for day in range(1, 6)]
    entered = adjustments(tmp_path / "entered.csv", "Carol,11k,0,,", "Dave,20k,0,,")
    return [games(tmp_path / "games.csv", *rows), "--adjustments", entered, "--system", "sagc"]


def test_alice_s_change_is_written_out(alice_and_bob: list[object]) -> None:
    # ibid.: 369.95 × 1.0 × 1.0 × 1.5 × 0.9 = 499.4, truncated to 499; 200 + 499 = 699, still 10k
    lines = run("explain", *alice_and_bob, "--player", "Alice", "--game", 1).out.splitlines()
    assert lines[0] == "Game 1, 2026-05-01: Black against Bob, 2 stones, komi 0.5: win"
    assert lines[1].strip() == "10k 200 → 10k 699 (+499)"
    assert lines[2].strip() == "369.9525 × 1 × 1 × 1.5 × 0.9 = 499.44 → 499"
    for name in ("level factor", "game status factor", "opponent factor", "game result factor", "handicap factor"):
        assert any(f"  {name}: " in line for line in lines)
    assert "effective handicap: 2; differential: 1" in lines[-1]


def test_bob_s_change_is_written_out(alice_and_bob: list[object]) -> None:
    # ibid.: factors 1.0, 1.0, -0.75, 0.9; level factor 255.87 (x = 13: 255.8764), change -172, new index -222
    out = run("explain", *alice_and_bob, "--player", "Bob", "--game", 1).out
    assert "7k -50 → 7k -222 (-172)" in out
    assert "255.8764 × 1 × 1 × -0.75 × 0.9 = -172.72 → -172" in out


def test_json_names_each_factor(alice_and_bob: list[object]) -> None:
    (line,) = run("explain", *alice_and_bob, "--player", "Alice", "--game", 1, "--format", "json").json
    assert (line["game"], line["date"], line["opponent"]) == (1, "2026-05-01", "Bob")
    assert (line["before"], line["change"], line["after"]) == (200, 499, 699)
    assert (line["rank_before"], line["rank_after"]) == ("10k", "10k")
    values = {factor["name"]: factor["value"] for factor in line["factors"]}
    # ibid., the table of Alice's factors
    assert values == pytest.approx(
        {
            "level factor": 369.9525,
            "game status factor": 1,
            "opponent factor": 1,
            "game result factor": 1.5,
            "handicap factor": 0.9,
        },
        abs=0.0001,
    )
    assert all(factor["clause"] for factor in line["factors"])
    assert (line["facts"]["effective handicap"], line["facts"]["differential"]) == (2, 1)


def test_parts_of_a_factor_stand_below_it(tmp_path: Path) -> None:
    played = games(tmp_path / "games.csv", "2026-05-01,Ada,Bo,B+R,0,6.5,club")
    lines = run("explain", played, "--system", "egf", "--player", "Ada").out.splitlines()
    result = next(number for number, line in enumerate(lines) if "  result = 1 × " in line)
    assert "class weight" in lines[result + 1]
    assert len(lines[result + 1]) - len(lines[result + 1].lstrip()) > len(lines[result]) - len(lines[result].lstrip())


def test_a_game_that_was_not_rated_says_why(tmp_path: Path) -> None:
    played = games(tmp_path / "games.csv", "2026-05-01,Ada,Bo,W+F,0,6.5,club", "2026-05-02,Ada,Bo,B+,0,6.5,club")
    out = run("explain", played, "--system", "elo", "--player", "Ada").out
    assert "not rated: decided without play" in out
    rows = run("explain", played, "--system", "elo", "--player", "Ada", "--format", "json").json
    assert [(row["before"], row["change"], row["after"]) for row in rows] == [(1500, 0, 1500), (1500, 10, 1510)]


def test_an_adjustment_is_a_line_with_its_reason(alice_and_bob: list[object]) -> None:
    out = run("explain", *alice_and_bob, "--player", "Bob").out
    assert "Adjustment, 2026-06-01\n  7k -222 → 8k 0 (+222)\n  synchronised\n" in out


def test_csv_holds_the_arithmetic(alice_and_bob: list[object]) -> None:
    rows = run("explain", *alice_and_bob, "--player", "Alice", "--format", "csv").csv
    assert rows[0]["arithmetic"] == "369.9525 × 1 × 1 × 1.5 × 0.9 = 499.44 → 499"
    assert "level factor 369.9525" in rows[0]["factors"]


def test_an_11k_walks_down_the_floors_through_four_losses(walk: list[object]) -> None:
    # South African Go Clubs, "How they work", Worked example (11k): -900, -950, -999, then 12k with index 0
    rows = run("history", *walk, "--player", "Carol", "--format", "json").json
    assert [(row["rank_after"], row["after"]) for row in rows][:4] == [
        ("11k", -900), ("11k", -950), ("11k", -999), ("12k", 0),
    ]  # fmt: skip


def test_a_loss_that_stops_at_a_floor_says_so(walk: list[object]) -> None:
    out = run("explain", *walk, "--player", "Carol", "--game", 2).out
    assert "11k -900 → 11k -950" in out
    assert "floor -950" in out


def test_the_card_has_a_line_for_each_game(alice_and_bob: list[object]) -> None:
    lines = run("history", *alice_and_bob, "--player", "bob").out.splitlines()
    assert lines[0].split() == [
        "game", "date", "opponent", "their", "rank", "colour", "stones", "komi", "result", "winner", "status", "factor",
        "before", "change", "after", "rank", "note",
    ]  # fmt: skip
    assert lines[1].split() == [
        "1", "2026-05-01", "Alice", "10k", "white", "2", "0.5", "loss", "black", "1", "-50", "-172", "-222", "7k",
    ]  # fmt: skip
    assert len(lines) == 4
    rows = run("history", *alice_and_bob, "--player", "bob", "--format", "csv").csv
    assert [row["after"] for row in rows] == ["-222", "-222", "0"]


def test_a_narrow_terminal_keeps_the_essence_of_the_card(
    alice_and_bob: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "terminal_width", lambda: 40)
    lines = run("history", *alice_and_bob, "--player", "Bob").out.splitlines()
    assert {"opponent", "result", "change", "after"} <= set(lines[0].split())
    assert "komi" not in lines[0]


@pytest.mark.parametrize("command", ["explain", "history"])
def test_a_misspelt_player_is_answered_with_the_nearest(alice_and_bob: list[object], command: str) -> None:
    answer = run(command, *alice_and_bob, "--player", "Alise")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.splitlines()[-1] == "handan: player 'Alise' is not in the ledger; did you mean Alice?"


def test_a_game_of_others_is_refused_with_the_player_s_own(alice_and_bob: list[object]) -> None:
    answer = run("explain", *alice_and_bob, "--player", "Alice", "--game", 7)
    assert answer.status == 2
    assert answer.err.splitlines()[-1] == "handan: game 7 is not a game of Alice, who played 1, 2"


def test_a_player_without_games_has_nothing_to_explain(tmp_path: Path) -> None:
    played = games(tmp_path / "games.csv", "2026-05-01,Ada,Bo,B+R,0,6.5,club")
    entered = adjustments(tmp_path / "entered.csv", "Chidi,5k,,,")
    shared = [played, "--adjustments", entered, "--system", "elo", "--player", "Chidi"]
    assert run("explain", *shared).out == "Chidi has no games yet\n"
    assert run("explain", *shared, "--format", "json").json == []
    assert run("history", *shared, "--format", "json").json == []


def test_a_recorded_handicap_of_one_is_named_so_that_no_two_different_games_have_one_headline(tmp_path: Path) -> None:
    """Handicap 0 and 1 at one komi are different games with different changes (sagc: 17 and 0)."""
    rows = [f"2026-01-01,A{number},B{number},B+R,{number},4.5,5k,8k" for number in (0, 1)]
    path = tmp_path / "games.csv"
    path.write_text(
        "date,black,white,result,handicap,komi,black_rank,white_rank\n" + "\n".join(rows) + "\n", encoding="utf-8"
    )
    even, first = (
        run("explain", path, "--system", "sagc", "-p", f"A{number}").out.splitlines()[0] for number in (0, 1)
    )
    assert even.endswith("Black against B0, komi 4.5: win")
    assert first.endswith("Black against B1, handicap 1, Black moves first, komi 4.5: win")
    assert "handicap 1, Black moves first, komi 0.5)" in run("odds", "3k", "2k", "-s", "elo", "--handicap", "1").out
