"""`handan event`: a director sees what a tournament did to each player, in numbers that add up as printed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from pathlib import Path

import polars as pl
import pytest

import handan
from handan import shortcuts
from handan.systems import SYSTEMS
from tests.command_line import run
from tests.conftest import ROOT
from tests.forms import EACH_KIND, extended_but

GAMES = ROOT / "examples" / "games.csv"
CLUB = ROOT / "examples" / "club" / "games.csv"


@pytest.mark.parametrize("system", extended_but(EACH_KIND, SYSTEMS))
def test_before_the_changes_and_what_lies_apart_make_after_in_every_system(system: str) -> None:
    ratings = shortcuts.rate(handan.read(GAMES), system)
    event = ratings.event()
    assert {line.player for line in event.lines} == {"Alice", "Bob", "Carol", "Dave"}
    for line in event.lines:
        card = ratings.history(line.player)
        assert [result.game for result in line.results] == card["game"].to_list()
        assert line.changes == card["change"].to_list()
        assert (line.before, line.after) == (card["before"][0], card["after"][-1])
        assert line.before + line.change + line.apart == pytest.approx(line.after)
    chances = [result.expected for line in event.lines for result in line.results]
    if None not in chances:
        assert sum(chance or 0.0 for chance in chances) == pytest.approx(
            len(ratings.ledger)
        )  # the two sides of a game expect one point together


@pytest.mark.parametrize("system", ["egf", "elo"])
def test_the_expected_score_is_that_of_the_formula_which_the_explanation_shows(system: str) -> None:
    ratings = shortcuts.rate(handan.read(CLUB), system)
    line = next(iter(ratings.event("Spring Cup 2026").lines))
    reasons = {each.game: each.reason for each in ratings.explain(line.player)}
    for result in line.results:
        less = [
            factor.value for factor in _all(reasons[result.game].factors) if factor.name == "less the expected score"
        ]
        assert [result.expected] == pytest.approx([-value for value in less])


def _all(factors: Iterable[handan.Factor]) -> Iterator[handan.Factor]:
    for factor in factors:
        yield factor
        yield from _all(factor.parts)


@pytest.mark.parametrize("system", ["egf", "sagc", "points", "glicko2"])
def test_the_printed_numbers_add_up(system: str) -> None:
    answer = run("event", CLUB, "--system", system, "--event", "Spring Cup 2026", "--format", "markdown")
    assert answer.status == 0, answer.err
    first, second = (_rows(part) for part in _tables(answer.out))
    changes: dict[str, list[Decimal]] = {}
    name = ""
    for row in second:
        name = row["player"] or name
        changes.setdefault(name, []).append(Decimal(row["change"]))
    for row in first:
        moved = sum(changes[row["player"]])
        assert moved == Decimal(row["change"])
        assert Decimal(row["before"]) + moved + Decimal(row.get("apart") or 0) == Decimal(row["after"])


def _tables(text: str) -> list[str]:
    return [part for part in text.split("\n\n") if part.startswith("|")]


def _rows(text: str) -> list[dict[str, str]]:
    lines = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in text.splitlines()]
    return [dict(zip(lines[0], line, strict=True)) for line in lines[2:]]


def test_the_federation_s_list_stands_beside_and_can_be_where_players_begin(tmp_path: Path) -> None:
    listed = tmp_path / "egd.txt"
    listed.write_text(
        " 10000001  Alice               XX Club 10k    --    1171     4 T260901\n"
        " 10000002  Bob                 XX Club 7k     --    1388     4 T260901\n",
        encoding="ascii",
    )
    beside = run("event", GAMES, "--system", "egf", "--players", listed, "--format", "json")
    lines = {line["player"]: line for line in beside.json["players"]}
    assert (lines["Alice"]["declared"], lines["Alice"]["before"]) == (1171, 1100)
    assert lines["Carol"]["declared"] is None
    assert "2 players of 4 in the list" in beside.err
    begun = run("event", GAMES, "--system", "egf", "--players", listed, "--from-list", "--format", "json")
    assert {line["player"]: line["before"] for line in begun.json["players"]} == {
        "Alice": 1171, "Bob": 1388, "Carol": -400, "Dave": -700,
    }  # fmt: skip


def test_ratings_that_the_file_declares_stand_beside() -> None:
    games = handan.read(ROOT / "examples" / "games.csv").games
    players = [handan.Player("Alice", rating=1171.0, rating_origin="EGF"), handan.Player("Bob")]
    ledger = handan.Ledger.from_table(games.cast({"black": pl.String, "white": pl.String}), listed=players)
    lines = {line.player: line.declared for line in handan.rate(ledger, "elo").event().lines}
    assert (lines["Alice"], lines["Bob"]) == (1171, None)
    other = handan.rate(ledger, "elo").event(declared={"Alice": 1200.0})
    assert {line.player: line.declared for line in other.lines}["Alice"] == 1200


def test_of_several_events_the_newest_is_shown_and_the_others_are_named() -> None:
    answer = run("event", CLUB, "--system", "elo", "--format", "csv")
    assert "the newest event is shown" in answer.err
    assert "--event NAME" in answer.err
    refused = run("event", CLUB, "--system", "elo", "--event", "Spring Cap 2026")
    assert (refused.status, refused.out) == (2, "")
    assert "did you mean Spring Cup 2026" in refused.err


def test_players_stand_by_the_places_of_the_file_which_are_told_where_they_are_no_numbers_of_rows(
    tmp_path: Path,
) -> None:
    rows = ["; EV[Cup]", "; DT[2026-05-02]", "1 An Ada 9k XX Club 2 2+ 4+", "2 Be Bo 3d XX Club 1 1- 5+",
            "  Em Eve 1d XX Club 1 0- 0-", "4 Ce Cy 5d XX Club 1 5+ 1-", "5 De Di 2k XX Club 0 4- 2-"]  # fmt: skip
    (tmp_path / "cup.h9").write_text("\n".join(rows) + "\n", encoding="utf-8")
    answer = run("event", str(tmp_path / "cup.h9"), "--system", "egf", "--format", "csv")
    assert [(row["player"], row["place"]) for row in answer.csv] == [
        ("An Ada", "1"), ("Be Bo", "2"), ("Ce Cy", "4"), ("De Di", "5"),
    ]  # fmt: skip
    head = run("event", str(tmp_path / "cup.h9"), "--system", "egf").out.split("\n\n")[1].splitlines()
    assert head[0].split()[:3] == ["#", "place", "player"]
    assert head[3].split()[:3] == ["3", "4", "Ce"]


def test_players_whom_no_file_places_stand_by_points_then_by_those_of_their_opponents(tmp_path: Path) -> None:
    # points 2, 1, 1, 0; the opponents of Zoe have 3 points, those of Di 1; ratings say Bo, Di, Zoe, Ada
    (tmp_path / "evening.csv").write_text(
        "date,black,white,result,event,round,black_rank,white_rank\n"
        "2026-05-02,Ada,Bo,B+,Evening,1,9k,3d\n2026-05-02,Zoe,Di,B+,Evening,1,5k,1d\n"
        "2026-05-02,Ada,Zoe,B+,Evening,2,9k,5k\n2026-05-02,Di,Bo,B+,Evening,2,1d,3d\n",
        encoding="utf-8",
    )
    answer = run("event", str(tmp_path / "evening.csv"), "--system", "egf", "--format", "csv")
    assert [row["player"] for row in answer.csv] == ["Ada", "Zoe", "Di", "Bo"]
    assert {row["place"] for row in answer.csv} == {""}


@pytest.mark.parametrize("form", ["table", "json", "jsonl", "csv", "markdown", "html"])
def test_every_form_names_every_player(form: str) -> None:
    answer = run("event", GAMES, "--system", "egf", "--format", form)
    assert answer.status == 0
    assert all(name in answer.out for name in ("Alice", "Bob", "Carol", "Dave"))


def test_results_are_rows_of_their_own_on_request() -> None:
    rows = run("event", GAMES, "--system", "egf", "--format", "csv", "--results").csv
    assert len(rows) == 10  # both sides of five games
    assert rows[0].keys() >= {"player", "opponent", "handicap", "colour", "score", "expected", "change"}


def test_the_games_of_a_wall_list_are_shown_beside_its_pairing_without_a_result(tmp_path: Path) -> None:
    rows = ["Pl\tName\tRank\tR1\tR2", "1\tAda\t3d\t2+\t3?", "2\tBo\t1k\t1-\t4?", "3\tCy\t2k\t4+\t1?",
            "4\tDi\t9k\t3-\t2?"]  # fmt: skip
    (tmp_path / "wall.txt").write_text("\n".join(rows), encoding="utf-8")
    answer = run("event", str(tmp_path / "wall.txt"), "--date", "2026-04-18", "--system", "egf", "--json")
    event = json.loads(answer.out)
    scores = {line["player"]: line["score"] for line in event["players"]}
    assert scores == {"Ada": 1, "Bo": 0, "Cy": 1, "Di": 0}
    assert len(event["pairings"]) == 2


CUP = """round,black,black_rank,white,white_rank,result,date,komi
1,Ada Lind,2k,Bo Quist,1k,B+,2026-05-16,6.5
1,Cy Falk,3k,Di Moor,2k,W+,2026-05-16,6.5
2,Ada Lind,2k,Di Moor,2k,W+,2026-05-16,6.5
2,Cy Falk,3k,Bo Quist,1k,B+,2026-05-16,6.5
3,Di Moor,2k,Bo Quist,1k,?,2026-05-17,6.5
3,Cy Falk,3k,Ada Lind,2k,?,2026-05-17,6.5
"""


def names_of_events(*paths: Path) -> set[str]:
    return set(handan.read(list(paths)).games["event"])


def test_rounds_without_an_event_are_those_of_one_for_every_command(tmp_path: Path) -> None:
    cup = tmp_path / "cup.csv"
    cup.write_text(CUP.replace("?", "B+"), encoding="utf-8")
    event = json.loads(run("event", cup, "--system", "egf", "--json").out)
    ladder = json.loads(run("rate", cup, "--system", "egf", "--json").out)
    after = {line["player"]: line["after"] for line in event["players"]}
    assert {line["player"]: line["rating"] for line in ladder["players"]} == pytest.approx(after, abs=1e-9)
    assert event["event"] == "Tournament 2026-05-16"
    titled, apart = tmp_path / "titled.csv", tmp_path / "apart.csv"
    titled.write_text(f"Autumn Cup, Umeå\n\n{CUP}", encoding="utf-8")
    assert names_of_events(titled) == {"Autumn Cup, Umeå"}
    first, *rows = CUP.splitlines()
    halves = [tmp_path / "round1.csv", tmp_path / "later.csv"]
    for half, own in zip(halves, (rows[:2], rows[2:]), strict=True):
        half.write_text("\n".join([first, *own]), encoding="utf-8")
    assert names_of_events(*halves) == {"Tournament 2026-05-16"}, "rounds in files of their own are of one event"
    apart.write_text(CUP.replace("2026-05", "2026-06"), encoding="utf-8")
    assert names_of_events(cup, apart) == {"Tournament 2026-05-16", "Tournament 2026-06-16"}


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_rounds_of_no_event_that_are_written_are_of_none(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"games.{ending}"
    ledger = handan.Ledger.of([handan.Game(black="Ada", white="Bo", result="B+R", round=1, date="2026-05-16")])
    handan.write(ledger, file)
    assert handan.read(file) == ledger


def test_evenings_with_rounds_are_no_tournament(tmp_path: Path) -> None:
    evenings = tmp_path / "evenings.csv"
    evenings.write_text(CUP + CUP.replace("2026-05", "2026-06").partition("\n")[2], encoding="utf-8")
    assert names_of_events(evenings) == {""}


def test_a_table_that_names_no_event_is_one_and_its_open_games_are_pairings_as_in_the_h9_file(tmp_path: Path) -> None:
    table, h9 = tmp_path / "cup.csv", tmp_path / "cup.h9"
    table.write_text(CUP, encoding="utf-8")
    run("convert", table, h9)
    answers = [run("event", file, "--system", "egf", "--json") for file in (table, h9)]
    one, other = (json.loads(answer.out) for answer in answers)
    assert "no row names an event: all rounds are of one, which is called Tournament 2026-05-16" in answers[0].err
    assert one["event"] == other["event"] == "Tournament 2026-05-16"
    names = ("player", "before", "change", "after", "rank_after")
    assert [[line[name] for name in names] for line in one["players"]] == [
        [line[name] for name in names] for line in other["players"]
    ]
    pairings = one["pairings"]
    for each, same in zip(pairings, other["pairings"], strict=True):
        assert each == same | {"chance": pytest.approx(same["chance"], abs=1e-6)}
    assert [(each["black"], each["white"]) for each in pairings] == [("Di Moor", "Bo Quist"), ("Cy Falk", "Ada Lind")]
    assert None not in pairings[0]["black_wins"]
