"""Official lists: frozen, numbered, with all that is needed to make them again from the ledger, to the same bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

import handan
from handan.club.entries import Draft, Kind, Record, canonical, verified
from handan.club.folding import State, fold
from handan.club.replay import Standings, standings
from handan.errors import FieldError, InputError
from handan.systems.settings import settings_of

FORMAT = 1
DECIMALS = 3  # our choice: what differs between processors is far below, what a reader sees is far above


def publish(state: State, today: date, as_of: date | None = None, label: str = "") -> Draft:
    """Return the entry that publishes the list of a day; InputError for a day to come."""
    day = as_of or today
    if day > today:
        raise FieldError("as_of", str(day), f"a day up to today ({today})")
    number = len(state.lists) + 1
    told = standings(state, day, day)
    facts = {
        "as_of": str(day),
        "label": label.strip() or f"Official list {number}",
        "system": told.rules.system,
        "content": content(told, number, day, label.strip() or f"Official list {number}"),
    }
    return Draft(Kind.LIST_PUBLISHED, facts)


def content(told: Standings, number: int, day: date, label: str) -> dict[str, Any]:
    """Return a list as plain data."""
    return {
        "format": FORMAT,
        "club": told.state.slug,
        "number": number,
        "label": label,
        "as_of": str(day),
        "ledger": {"entry": told.state.number, "digest": told.state.digest},
        "rules": [{**phase.rules.as_dict(), "settings": _settings(phase.rules.made)} for phase in told.phases],
        "version": handan.__version__,
        "players": [{name: _plain(value) for name, value in row.items()} for row in told.rows],
    }


def listed_bytes(data: Mapping[str, Any]) -> bytes:
    """Return the file of a list."""
    return canonical(data) + b"\n"


def verify_list(frozen: bytes, records: Iterable[Record]) -> dict[str, Any]:
    """Make a list again from the entries of its ledger and compare; InputError says what differs."""
    try:
        data = json.loads(frozen)
        number, digest, day = data["ledger"]["entry"], data["ledger"]["digest"], date.fromisoformat(data["as_of"])
        slug, place, label = data["club"], data["number"], data["label"]
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(f"this is no official list: {error}") from None
    state = fold(State(slug), (record for record in verified(records) if record.number <= number))
    if state.number != number:
        raise InputError(f"the ledger ends at entry {state.number}; the list was made from entry {number}")
    if state.digest != digest:
        raise InputError(f"entry {number} of the ledger has digest {state.digest}, the list says {digest}")
    again = content(standings(state, day, day), place, day, label)
    if listed_bytes(again) == frozen:
        return again
    raise InputError(f"the replay gives another list: {_difference(data, again)}")


def _difference(frozen: Mapping[str, Any], again: Mapping[str, Any]) -> str:
    """Name the first thing that differs."""
    for name, value in again.items():
        if name != "players" and frozen.get(name) != value:
            return f"{name} is {frozen.get(name)!r}, replayed {value!r}"
    rows = [frozen.get("players", []), again["players"]]
    for old, new in zip(*rows, strict=False):
        if old != new:
            return f"{new['player']} stands with {old}, replayed {new}"
    if len(rows[0]) != len(rows[1]):
        return f"{len(rows[0])} players, replayed {len(rows[1])}"
    return "the bytes are not spelt as the program spells them"


def _settings(made: Any) -> dict[str, Any]:
    return {name: getattr(made, name) for name in settings_of(made)}


def _plain(value: Any) -> Any:
    return round(value, DECIMALS) + 0.0 if isinstance(value, float) else value
