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
from tests.command_line import run

if TYPE_CHECKING:
    from handan.club.entries import Draft
    from handan.club.store.models import Club

SYSTEMS = ("points", "sagc", "egf", "glicko2", "whr", "bradley-terry")
RANKS = ("5k", "3k", "1k", "1d", "2d", "")
FIGURES = ("rating", "deviation", "rank", "games", "wins", "losses", "place")


def filled(club: Club) -> None:
    """Fill a club with games in mixed order, a correction, a withdrawal, a merger, and ranks and ratings by hand."""
    from handan.club.store.cache import today
    from handan.club.store.writing import write

    dice = random.Random(11)

    def several(make: Callable[[State], list[Draft]]) -> list[str]:
        return [entry.subject for entry in write(club, make, author="x")]

    people = ("Zoe", "Ada", "Bo", "Cy", "Di", "Ed")
    keys = several(lambda s: [changes.register_player(s, {"name": name, "country": "NZ"}) for name in people])
    several(lambda s: [changes.adjust(s, key, {"rank": rank}, today(), "entry")
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
            drafts.append(changes.record_game(state, facts, today()))
        last = {"black": keys[5], "white": keys[0], "result": "B+R", "date": "2026-03-10", "komi": 6.5, "kind": "club"}
        return [*drafts, changes.record_game(state, last, today())]

    played = several(games)
    several(lambda s: [changes.correct_game(s, played[3], {"result": "B+R", "date": "2026-02-01"}, today(), "misread")])
    several(lambda s: [changes.withdraw_game(s, played[5], "played elsewhere")])
    several(lambda s: [changes.merge_players(s, keys[5], keys[1], "one person")])
    several(lambda s: [changes.adjust(s, keys[2], {"rank": "1d", "date": "2026-04-01"}, today(), "by hand")])


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_exported_ledger_is_rated_as_the_club_s_own_ladder(
    make_club: Callable[..., Club], system: str, tmp_path: Path
) -> None:
    from handan.club.store.cache import ledger_file, standings_of, state_of

    club = make_club(system)
    filled(club)
    path = tmp_path / "club-ledger.jsonl"
    path.write_bytes(b"".join(ledger_file(club)))
    standings = standings_of(state_of(club))
    shown = [tuple(row[name] for name in FIGURES) for row in standings.ratings.rows()]
    answer = run("rate", path, "--system", system, "--format", "json")
    assert answer.status == 0
    rows = answer.json["players"]
    assert [row["player"] for row in rows] == [row["player"] for row in standings.ratings.rows()]
    assert [tuple(row[name] for name in FIGURES) for row in rows] == shown
    assert f"the club rates with --system {system}" in answer.err
    assert "1 game withdrawn: left out, as the club leaves them out" in answer.err


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_tables_of_games_and_of_ranks_by_hand_are_rated_as_the_club_s_own_ladder(
    make_club: Callable[..., Club], system: str, tmp_path: Path
) -> None:
    from django.test import Client

    from handan.club.store.cache import standings_of, state_of

    club = make_club(system)
    filled(club)
    files = {name: tmp_path / f"{name}.csv" for name in ("games", "adjustments")}
    for name, path in files.items():
        answer: Any = Client().get(f"/{club.slug}/{name}.csv")
        path.write_bytes(b"".join(answer.streaming_content))
    rated = run("rate", files["games"], "--adjustments", files["adjustments"], "--system", system, "--format", "json")
    assert rated.status == 0
    assert "1 game withdrawn: left out" in rated.err
    rows = standings_of(state_of(club)).ratings.rows()
    assert [row["player"] for row in rated.json["players"]] == [row["player"] for row in rows]
    for read, own in zip(rated.json["players"], rows, strict=True):
        assert read["rating"] == pytest.approx(own["rating"], abs=1e-9)
        assert [read[name] for name in ("rank", "games", "wins", "losses")] == [
            own[name] for name in ("rank", "games", "wins", "losses")
        ]


def test_games_of_a_table_whose_status_is_another_word_count(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    rows = ["A,B,B+,", "A,B,B+,withdrawn", "B,A,B+,Disputed", "A,C,W+,finished"]
    path.write_text("\n".join(["black,white,result,status", *rows]) + "\n", encoding="utf-8")
    answer = run("rate", path, "--system", "elo", "--format", "json")
    assert sorted(row["games"] for row in answer.json["players"]) == [1, 1, 2]
    for text in ("1 game withdrawn: left out", "1 game disputed: left out", "column 'status' says 'finished'"):
        assert text in answer.err


def test_an_exported_ledger_is_checked_converted_and_compared(make_club: Callable[..., Club], tmp_path: Path) -> None:
    from handan.club.store.cache import ledger_file, state_of

    club = make_club("elo")
    filled(club)
    path = tmp_path / "club-ledger.jsonl"
    path.write_bytes(b"".join(ledger_file(club)))
    assert run("check", path).status == 0
    assert run("convert", path, "-o", tmp_path / "games.csv").status == 0
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
