"""Tables of games and of the log are the same bytes as row by row, made from columns and sent in parts."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.forms import extended_but
from tests.web.test_entering import client_of
from tests.web.test_privacy import NAMES, table  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.test import Client

    from handan.club.state import State
    from handan.club.store.models import Club

pytestmark = pytest.mark.database

GAME = ("handicap", "komi", "size", "kind", "event", "round", "server", "moves", "notes", "result")
NAMES_OF_CSV = ("key", "date", "black", "white", "black_id", "white_id", "black_rank", "white_rank", "result",
                "handicap", "komi", "size", "kind", "event", "round", "server", "moves", "notes", "entry", "status",
                "rank", "rating", "deviation", "at_least", "black_key", "white_key")  # fmt: skip
LOG = ("number", "kind", "subject", "author", "entered", "reason", "digest")
STATUS = {0: "", 1: "withdrawn", 2: "waits for confirmation", 3: "disputed"}


def game_row(state: State, row: Mapping[str, Any]) -> dict[str, Any]:
    """What a game says in a table, made from its row alone: the slow way."""
    from handan.club.changes.games import facts_of

    people = {side: state.person(row[side]) for side in ("black", "white")}
    names = {f"{side}_name": state.labels[person.key] for side, person in people.items()}
    keys = {side: person.key for side, person in people.items()}
    facts = {name: row[name] for name in GAME}
    when = facts_of(row).get("date")
    facts |= {name: state.label_of(row[name]) for name in ("event", "kind", "server")}
    status = {"status": STATUS[row["status"]], "entry": row["latest"]}
    return {"key": f"g{row['line']}", "date": when, **keys, **names, **facts, **status}


def csv_row(state: State, row: Mapping[str, Any]) -> dict[str, Any]:
    """What a game says in a table whose columns are named as in files of games."""
    whole = game_row(state, row)
    cells = {side: whole[f"{side}_name"] for side in ("black", "white")}
    cells |= {f"{side}_key": whole[side] for side in ("black", "white")}
    cells |= {f"{side}_id": next(iter(state.person(row[side]).ids), "") for side in ("black", "white")}
    cells |= {name: row[name] for name in ("black_rank", "white_rank")}
    absent = dict.fromkeys(("rank", "rating", "deviation", "at_least"))
    return {name: {**whole, **cells, **absent, "entry": row["line"]}[name] for name in NAMES_OF_CSV}


def by_hand_row(state: State, item: Any) -> dict[str, Any]:
    """What a rank or rating set by hand says in the same table."""
    person, facts = state.person(item.player), item.facts
    row = dict.fromkeys(NAMES_OF_CSV) | {name: facts.get(name) for name in ("date", "rating", "deviation")}
    for side in ("black", "white"):
        row |= {side: state.labels[person.key], f"{side}_key": person.key, f"{side}_rank": ""}
        row[f"{side}_id"] = next(iter(person.ids), "")
    row |= {"key": item.key, "kind": "adjustment", "notes": facts.get("note", ""), "entry": int(item.key[1:])}
    row |= {"status": "withdrawn" if item.withdrawn else "", "rank": facts.get("rank", "")}
    return row | {"at_least": "yes" if facts.get("at_least") else ""}


def latest_rows_first(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows latest first, the adjustments of a day behind its games, those from entry on last, one by one compared."""
    from handan.ledger import When

    def place(row: dict[str, Any]) -> tuple[Any, ...]:
        when, by_hand = When.of(row["date"]), row["kind"] == "adjustment"
        moment = when.moment if when else When.of("0001").moment  # type: ignore[union-attr]
        return (bool(when) or not by_hand, bool(when), moment, not by_hand, row["entry"])

    return sorted(rows, key=place, reverse=True)


def as_csv(rows: list[dict[str, Any]], names: tuple[str, ...]) -> bytes:
    """Rows as CSV, one after the other."""
    from handan.web.pages.table_responses import _cell

    lines = [",".join(names), *(",".join(_cell(row[name]) for name in names) for row in rows)]
    return "".join(f"{line}\n" for line in lines).encode()


def sent(client: Client, path: str) -> list[bytes]:
    """The parts in which an answer is sent."""
    answer: Any = client.get(path)
    return list(answer.streaming_content)


@pytest.fixture
def many(club: Club, table: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:  # noqa: F811
    """The club of the fixture with games of all kinds, sent by threes; one of its players is not shown to visitors."""
    from handan.club import changes
    from handan.club.store.access import set_shown
    from handan.club.store.clock import today
    from handan.club.store.states import state_of
    from handan.club.store.writing import write
    from handan.web.pages import games, log, table_responses

    def recorded(facts: dict[str, Any]) -> Any:
        return lambda s: changes.games.record_game(s, facts, today())

    def adjusted(key: str, facts: dict[str, Any]) -> Any:
        return lambda s: changes.players.adjust(s, key, facts, today(), f"as {NAMES[0]} says")

    one, other, _ = table["players"]
    fields: list[dict[str, Any]] = [
        {"notes": "=1+2"}, {"notes": 'a;"b",c\nd'}, {"komi": -6.5, "handicap": 3}, {"komi": 0.0, "date": "2026-04"},
        {"date": "2025"}, {"date": "2026-05-02 19:30", "event": "Cup; spring", "round": 2, "moves": 211},
        {"kind": "free", "size": 13}, {"event": f"{NAMES[0]}'s cup"},
    ]  # fmt: skip
    for number, more in enumerate(fields):
        facts = {"black": one, "white": other, "result": f"B+{number}.5", "date": "2026-05-03", **more}
        write(club, recorded(facts), author="Ueberwald & Co; =x")
    set_shown(club, one, "Somebody")
    state = state_of(club)
    game = f"g{state.games['line'][-1]}"
    write(club, lambda s: changes.games.withdraw_game(s, game, "-twice; no"), author="x")
    days: list[dict[str, Any]] = [
        {"date": "2026-05-03"},
        {},
        {"date": "2025"},
        {"date": "2026-05-03", "at_least": True},
        {},
    ]
    made = [write(club, adjusted(one, {"rank": "3k", **more}), author="x")[0].subject for more in days]
    write(club, lambda s: changes.players.withdraw_adjustment(s, made[0], "slip"), author="x")
    write(club, lambda s: changes.players.adjust(s, other, {"rating": 1500.25, "deviation": 80.5}, today()), author="x")
    for module in (table_responses, games, log):
        monkeypatch.setattr(module, "AT_ONCE", 3)
    return table


@pytest.mark.parametrize("role", extended_but(["SECRETARY"], ["VISITOR", "SECRETARY"]))
def test_games_are_the_same_bytes_as_row_by_row(club: Club, many: dict[str, Any], role: str) -> None:
    from django.test import Client

    from handan.club.service.looking import Look
    from handan.club.store.access import actor
    from handan.club.store.models import Role

    client = Client() if role == "VISITOR" else client_of(club, Role[role])
    by = actor(club, None) if role == "VISITOR" else actor(club, client.get("/account/").wsgi_request.user)
    look = Look(actor=by)
    queries = {"": ("", None), "?status=1": ("", 1), "?player=p2": ("p2", None), "?status=9": ("", 9)}
    for query, (player, status) in queries.items():
        rows = [csv_row(look.state, row) for row in look.games(player, status).iter_rows(named=True)]
        assert {"": len(rows) > 9, "?status=9": not rows}.get(query, rows)
        items = [item for item in look.state.adjustments.values() if player in ("", item.player)]
        items = [item for item in items if status is None or status == item.withdrawn]
        rows = latest_rows_first([*rows, *(by_hand_row(look.state, item) for item in items)])
        parts = sent(client, f"/{club.slug}/games.csv{query}")
        assert b"".join(parts) == as_csv(rows, NAMES_OF_CSV)
        assert len(parts) == 1 + -(-len(rows) // 3)
        whole = b"".join(sent(client, f"/{club.slug}/games.json{query}"))
        assert whole.decode() == json.dumps(rows, ensure_ascii=False)


@pytest.mark.parametrize("role", extended_but(["SECRETARY"], ["VISITOR", "SECRETARY"]))
def test_the_log_is_the_same_bytes_as_entry_by_entry(club: Club, many: dict[str, Any], role: str) -> None:
    from django.test import Client

    from handan.club.service.looking import Look
    from handan.club.store.access import actor
    from handan.club.store.models import Entry, Role

    client = Client() if role == "VISITOR" else client_of(club, Role[role])
    by = actor(club, None) if role == "VISITOR" else actor(club, client.get("/account/").wsgi_request.user)
    look = Look(actor=by)
    records = [look.seen(entry.record) for entry in Entry.objects.filter(club=club).order_by("number")]
    rows = [{**{name: getattr(item, name) for name in LOG}, "entered": item.entered.isoformat()} for item in records]
    parts = sent(client, f"/{club.slug}/log.csv")
    own = csv.DictReader(io.StringIO(b"".join(parts).decode()))
    expected = csv.DictReader(io.StringIO(as_csv(rows, LOG).decode()))
    assert [{name: row[name] for name in LOG} for row in own] == list(expected)
    assert len(parts) == 1 + -(-len(rows) // 3)
    whole = json.dumps([item.as_dict() for item in records], ensure_ascii=False, allow_nan=False)
    assert b"".join(sent(client, f"/{club.slug}/log.json")).decode() == whole


def test_what_a_table_takes_counts_and_one_that_has_begun_is_sent_whole(
    club: Club, many: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    from itertools import count

    from django.test import Client, override_settings

    from handan.club.store import computing

    used = count(0, 8)  # each part takes eight seconds of computing
    monkeypatch.setattr(computing, "thread_time", lambda: float(next(used)))
    computing.throttle.forget()
    client = Client()
    with override_settings(COMPUTING_SECONDS=20):
        assert len(sent(client, f"/{club.slug}/games.csv")) > 3
        for file in ("games.json", "log.csv", "log.json"):
            assert client.get(f"/{club.slug}/{file}").status_code == 429
        assert client.get(f"/{club.slug}/ladder.csv").status_code == 200
    computing.throttle.forget()
