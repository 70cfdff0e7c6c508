"""What a club exports is read by the program's own commands as that club."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import handan
from handan.club import changes
from handan.club.state import State
from handan.files import write_adjustments
from handan.ratings.ladder import ladder_rows
from tests.command_line import run
from tests.forms import extended_but

if TYPE_CHECKING:
    from handan.club.entries import Draft
    from handan.club.store.models import Club

SYSTEMS = ("points", "sagc", "egf", "glicko2", "whr", "bradley-terry")
RANKS = ("5k", "3k", "1k", "1d", "2d", "")
FIGURES = ("rating", "deviation", "rank", "games", "wins", "losses", "place")


def filled(club: Club) -> None:
    """Fill a club with games in mixed order, a correction, a withdrawal, a merger, and ranks and ratings by hand."""
    from handan.club.store.clock import today
    from handan.club.store.writing import write

    dice = random.Random(11)

    def several(make: Callable[[State], list[Draft]]) -> list[str]:
        return [entry.subject for entry in write(club, make, author="x")]

    people = ("Zoe", "Ada", "Bo", "Cy", "Di", "Ed")
    keys = several(lambda s: [changes.players.register_player(s, {"name": name, "country": "NZ"}) for name in people])
    several(lambda s: [changes.players.adjust(s, key, {"rank": rank}, today(), "entry")
                       for key, rank in zip(keys, RANKS, strict=True) if rank])  # fmt: skip

    def games(state: State) -> list[Draft]:
        drafts = []
        for number in range(40):
            black, white = dice.sample(keys[:5], 2)
            facts: dict[str, Any] = {
                "black": black, "white": white, "result": dice.choice(["B+R", "W+2.5", "B+3.5", "W+R"]),
                "kind": dice.choice(["club", "tournament", "friendly"]), "date": f"2026-0{dice.randint(1, 6)}-10",
                "komi": 0.5 if number % 3 == 0 else 6.5, "handicap": 2 if number % 3 == 0 else 0,
                "event": dice.choice(["", "Cup"]),
            }  # fmt: skip
            drafts.append(changes.games.record_game(state, facts, today()))
        last = {"black": keys[5], "white": keys[0], "result": "B+R", "date": "2026-03-10", "komi": 6.5, "kind": "club"}
        return [*drafts, changes.games.record_game(state, last, today())]

    played = several(games)
    several(
        lambda s: [
            changes.games.correct_game(s, played[3], {"result": "B+R", "date": "2026-02-01"}, today(), "misread")
        ]
    )
    several(lambda s: [changes.games.withdraw_game(s, played[5], "played elsewhere")])
    several(lambda s: [changes.players.merge_players(s, keys[5], keys[1], "one person")])
    several(lambda s: [changes.players.adjust(s, keys[2], {"rank": "1d", "date": "2026-04-01"}, today(), "by hand")])


@pytest.mark.parametrize("system", extended_but(["points", "egf", "whr"], SYSTEMS))
def test_an_exported_ledger_is_rated_as_the_club_s_own_ladder(
    make_club: Callable[..., Club], system: str, tmp_path: Path
) -> None:
    from handan.club.store.standings import standings_of
    from handan.club.store.states import ledger_file, state_of

    club = make_club(system)
    filled(club)
    path = tmp_path / "club-ledger.jsonl"
    path.write_bytes(b"".join(ledger_file(club)))
    standings = standings_of(state_of(club))
    shown = [tuple(row[name] for name in FIGURES) for row in ladder_rows(standings.ratings.arrays)]
    answer = run("rate", path, "--system", system, "--format", "json")
    assert answer.status == 0
    rows = answer.json["players"]
    assert [row["player"] for row in rows] == [row["player"] for row in ladder_rows(standings.ratings.arrays)]
    assert [tuple(row[name] for name in FIGURES) for row in rows] == shown
    assert f"the club rates with --system {system}" in answer.err
    assert "withdrawn games: 1; left out, as the club leaves them out" in answer.err


def downloaded(club: Club, name: str, path: Path) -> Path:
    """Save a file of a club as a visitor gets it."""
    from django.test import Client

    answer: Any = Client().get(f"/{club.slug}/{name}")
    path.write_bytes(b"".join(answer.streaming_content))
    return path


@pytest.mark.parametrize("system", extended_but(["points", "egf", "whr"], SYSTEMS[:3] + SYSTEMS[4:5]))
def test_the_table_of_games_alone_is_rated_as_the_club_s_own_ladder(
    make_club: Callable[..., Club], system: str, tmp_path: Path
) -> None:
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of

    club = make_club(system)
    filled(club)
    set_by_hand(club)
    path = downloaded(club, "games.csv", tmp_path / "games.csv")
    rated = run("rate", path, "--system", system, "--format", "json")
    assert rated.status == 0
    assert "1 game withdrawn: left out" in rated.err
    assert "1 adjustment withdrawn: left out" in rated.err
    standings = standings_of(state_of(club))
    rows = ladder_rows(standings.ratings.arrays)
    assert [row["player"] for row in rated.json["players"]] == [row["player"] for row in rows]
    for read, own in zip(rated.json["players"], rows, strict=True):
        assert read["rating"] == pytest.approx(own["rating"], abs=1e-9)
        assert [read[name] for name in ("rank", "games", "wins", "losses")] == [
            own[name] for name in ("rank", "games", "wins", "losses")
        ]
    ledger = handan.read(path)
    assert ledger.adjustments == standings.state.ledger.adjustments
    assert [(game.black_rank, game.white_rank) for game in ledger if game.black_rank] == [("4k", "2d")]
    by_hand = downloaded(club, "adjustments.csv", tmp_path / "adjustments.csv")
    assert handan.read(path, adjustments=by_hand).adjustments == ledger.adjustments  # none counts twice
    assert handan.read(downloaded(club, "games.json", tmp_path / "games.json")) == ledger
    for ending in ("csv", "jsonl", "parquet"):
        again = tmp_path / f"again.{ending}"
        assert run("convert", path, "-o", again).status == 0
        assert handan.read(again) == ledger
    assert "ranks and ratings set by hand (8)" in run("convert", path, "-o", tmp_path / "games.sgf").err


def set_by_hand(club: Club) -> None:
    """Set ranks twice on one day, take one back, and record a game with declared ranks."""
    from handan.club.store.clock import today
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    keys = state_of(club).keys

    def several(make: Callable[[State], list[Draft]]) -> list[str]:
        return [entry.subject for entry in write(club, make, author="x")]

    ranks: list[dict[str, Any]] = [
        {"rank": "9k", "date": "2026-05-01"},
        {"rank": "2k", "date": "2026-05-01", "at_least": True},
        {"rank": "7d"},
    ]
    made = several(lambda s: [changes.players.adjust(s, keys["Cy"], facts, today(), 'a, "b"') for facts in ranks])
    several(lambda s: [changes.players.withdraw_adjustment(s, made[2], "slip")])
    game = {
        "black": keys["Zoe"],
        "white": keys["Di"],
        "result": "B+R",
        "date": "2026-05-02",
        "komi": 6.5,
        "kind": "club",
    }
    several(lambda s: [changes.games.record_game(s, {**game, "black_rank": "4k", "white_rank": "2d"}, today())])


def test_games_of_a_table_whose_status_is_another_word_count(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    rows = ["A,B,B+,", "A,B,B+,withdrawn", "B,A,B+,Disputed", "A,C,W+,finished"]
    path.write_text("\n".join(["black,white,result,status", *rows]) + "\n", encoding="utf-8")
    answer = run("rate", path, "--system", "elo", "--format", "json")
    assert sorted(row["games"] for row in answer.json["players"]) == [1, 1, 2]
    for text in ("1 game withdrawn: left out", "1 game disputed: left out", "column 'status' says 'finished'"):
        assert text in answer.err


def test_ranks_set_by_hand_stand_between_the_games_of_any_table(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    rows = [
        "02/05/2026,Ada,Bo,B+R,club,,,,,", "25/04/2026,Bo,Bo,,Adjustment,4k,,,,taken over",
        ",Cy,Cy,,adjustment,,1234.5678901234567,55.5,yes,", "26/04/2026,Bo,Bo,,adjustment,x,,,,",
        "26/04/2026,Bo,Bo,,adjustment,,,,,", "26/04/2026,Bo,Bo,B+R,club,,,,,", "26/04/2026,Ada,Bo,B+R,adjustment,,,,,",
    ]  # fmt: skip
    header = "date,black,white,result,kind,rank,rating,deviation,at_least,notes"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    ledger = handan.read(path)
    assert [(game.black, game.white) for game in ledger] == [("Ada", "Bo"), ("Ada", "Bo")]
    assert ledger.adjustments == (
        handan.Adjustment("Cy", None, 1234.5678901234567, at_least=True, deviation=55.5),
        handan.Adjustment("Bo", "4k", date="2026-04-25", note="taken over"),
    )
    assert [(problem.line, problem.field) for problem in ledger.problems if problem.rejected] == [
        (5, "rank"), (6, "rank"), (7, "white"),
    ]  # fmt: skip
    by_hand = tmp_path / "by_hand.csv"
    write_adjustments(ledger.adjustments, by_hand)
    path.write_text("\n".join([header, rows[0], rows[-1]]) + "\n", encoding="utf-8")
    for name in ("again.csv", "again.jsonl", "again.parquet"):
        assert run("convert", path, "--adjustments", by_hand, "-o", tmp_path / name).status == 0
        assert handan.read(tmp_path / name) == ledger


def test_namesakes_are_adjusted_by_their_numbers(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    rows = ["Ada,Ada,egd:1,egd:2,B+,,", "Ada,Ada,egd:2,egd:2,,adjustment,3d"]
    path.write_text("\n".join(["black,white,black_id,white_id,result,kind,rank", *rows]) + "\n", encoding="utf-8")
    ledger = handan.read(path)
    assert [(item.player, str(item.rank)) for item in ledger.adjustments] == [("Ada (egd:2)", "3d")]
    assert ledger.names == ["Ada (egd:1)", "Ada (egd:2)"]


def test_a_column_of_ranks_without_adjustments_is_named_as_not_read(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("black,white,result,kind,rank\nA,B,B+,club,3k\n", encoding="utf-8")
    [problem] = handan.read(path).problems
    assert (problem.found, problem.line, problem.rejected) == ("rank", 1, False)


def test_an_exported_ledger_is_checked_converted_and_compared(make_club: Callable[..., Club], tmp_path: Path) -> None:
    from handan.club.store.states import ledger_file, state_of

    club = make_club("elo")
    filled(club)
    path = tmp_path / "club-ledger.jsonl"
    path.write_bytes(b"".join(ledger_file(club)))
    assert run("check", path).status == 0
    converted = run("convert", path, "-o", tmp_path / "games.csv")
    assert (converted.status, "countries of players (5)" in converted.err) == (1, True)  # no column holds them
    own, read = state_of(club).ledger, handan.read(path)
    assert [(game.black, game.white, game.result, game.date) for game in read] == [
        (game.black, game.white, game.result, game.date) for game in own
    ]
    assert read.adjustments == own.adjustments
    assert {player.country for player in read.players} == {"NZ"}
    assert len(handan.read(tmp_path / "games.csv")) == len(own) == 40
    assert run("compare", path, "--systems", "elo,glicko2").status == 0
    path.write_bytes(path.read_bytes().replace(b"W+R", b"B+R", 1))
    forged = run("rate", path, "--system", "elo")
    assert (forged.status, forged.out) == (2, "")
    assert "digest does not fit" in forged.err
