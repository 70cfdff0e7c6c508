"""Official lists: frozen, numbered, with all that is needed to make them again from the ledger, to the same bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

import handan
from handan.club.changes import checked_text
from handan.club.entries import Draft, Kind, Record, canonical, verified
from handan.club.federation import federated
from handan.club.folding import Source, State
from handan.club.foreign import fold_foreign
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
    label = checked_text(label.strip(), "label") or f"Official list {number}"
    told = standings(state, day, day)
    facts = {
        "as_of": str(day),
        "label": label,
        "system": told.rules.system,
        "content": content(told, number, day, label),
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
        "clubs": [asdict(source) for source in told.state.sources],
        "rules": [{**phase.rules.as_dict(), "settings": _settings(phase.rules.made)} for phase in told.phases],
        "version": handan.__version__,
        "players": [{name: _plain(value) for name, value in row.items()} for row in told.rows],
    }


def listed_bytes(data: Mapping[str, Any]) -> bytes:
    """Return the file of a list."""
    return canonical(data) + b"\n"


def verify_list(frozen: bytes, ledgers: Mapping[str, Sequence[Record]]) -> dict[str, Any]:
    """Make a list again from its ledger and compare; InputError says what differs.

    Args:
        frozen: The file of the list.
        ledgers: Entries by the name of the club; for a federation's list its own and those of its clubs.
    """
    try:
        data = json.loads(frozen)
        made_from = _source(
            {"slug": data["club"], "number": data["ledger"]["entry"], "digest": data["ledger"]["digest"]}
        )
        day, label = date.fromisoformat(data["as_of"]), str(data["label"])
        clubs = [_source(source) for source in data["clubs"]]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise InputError(f"this is no official list: {error}") from None
    own = _up_to(ledgers, made_from)
    if clubs:
        states = [(place, fold_foreign(State(club.slug), _up_to(ledgers, club))) for place, club in enumerate(clubs, 1)]
        state = fold_foreign(federated(made_from.slug, states, []), own)
    else:
        state = fold_foreign(State(made_from.slug), own)
    again = content(standings(state, day, day), len(state.lists) + 1, day, label)
    if listed_bytes(again) != frozen:
        raise InputError(f"the replay gives another list: {_difference(data, again)}")
    _check_published(ledgers[made_from.slug], made_from, frozen)
    return again


def _source(data: Mapping[str, Any]) -> Source:
    """Read which ledger a list was made from; ValueError if that is not said."""
    source = Source(**data)
    if not (isinstance(source.slug, str) and type(source.number) is int and isinstance(source.digest, str)):
        raise ValueError(f"{data} does not name a ledger's entry")
    return source


def _check_published(records: Sequence[Record], made_from: Source, frozen: bytes) -> None:
    """Refuse a list that its ledger, if it goes on behind the entry the list was made from, does not publish there."""
    following = next((record for record in records if record.number == made_from.number + 1), None)
    if following is None:
        return
    if following.kind is not Kind.LIST_PUBLISHED or listed_bytes(following.facts["content"]) != frozen:
        raise InputError(f"entry {following.number} of {made_from.slug} does not publish this list")


def _up_to(ledgers: Mapping[str, Sequence[Record]], source: Source) -> list[Record]:
    """Return the entries of a ledger from which a list was made; InputError if they are not those."""
    if source.slug not in ledgers:
        raise InputError(f"the ledger of {source.slug} is needed; given: {', '.join(ledgers) or 'none'}")
    found = [record for record in verified(ledgers[source.slug]) if record.number <= source.number]
    last = found[-1] if found else None
    if last is None or last.number != source.number:
        held = last.number if last else 0
        raise InputError(
            f"the ledger of {source.slug} ends at entry {held}; the list was made from entry {source.number}"
        )
    if last.digest != source.digest:
        raise InputError(
            f"entry {source.number} of {source.slug} has digest {last.digest}, the list was made from {source.digest}"
        )
    return found


def _difference(frozen: Mapping[str, Any], again: Mapping[str, Any]) -> str:
    """Name the first thing that differs."""
    for name, value in again.items():
        if name != "players" and frozen.get(name) != value:
            return f"{name} is {frozen.get(name)!r}, replayed {value!r}"
    held = frozen.get("players")
    rows = [held if isinstance(held, list) else [], again["players"]]
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
