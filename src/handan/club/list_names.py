"""Names in official lists: beside what is signed, so that somebody can be forgotten and the list still verifies."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from handan.club.entries import Record, canonical
from handan.club.sealing import FORMER, HIDDEN, NAMES, PUBLISHED, new_salt, seal_of, without_names
from handan.club.signing import Purpose, signed
from handan.club.state import State
from handan.errors import InputError, shown

LAST_WITH_NAMES = 2
"""What is signed of lists of formats 1 and 2 holds names; of those since, salted digests of names."""


def with_sealed_names(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a list with a salt and a salted digest beside each name."""
    rows = [{**row, "salt": new_salt()} for row in data["players"]]
    return {**data, "players": [{**row, "sealed": seal_of(row["salt"], row["player"])} for row in rows]}


def signed_list(private: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a list with the public key of a private one and its signature over everything but the names."""
    whole = {name: value for name, value in data.items() if name not in {"key", "signature"}}
    seals = signed(private, Purpose.LIST, signed_part(whole))
    return {**whole, "key": seals["key"], "signature": seals["signature"]}


def signed_part(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what is signed of a list: all of older ones, all but names and salts of one with sealed names."""
    return data if data.get("format") in range(1, LAST_WITH_NAMES + 1) else without_names(data)


def without_gone(data: Mapping[str, Any], gone: Callable[[str], str | None]) -> dict[str, Any]:
    """Return a list in which another text stands for the name of every player for whose key `gone` gives one."""
    rows = []
    for row in data["players"]:
        other = gone(str(row["key"]))
        kept = {name: value for name, value in row.items() if name != "salt"}
        rows.append(row if other is None else {**kept, "player": other})
    return {**data, "players": rows}


def refuse_other_names(data: Mapping[str, Any]) -> None:
    """Refuse a signed list of which a name does not fit its salted digest, or has no salt to show that."""
    if data["format"] <= LAST_WITH_NAMES:
        return
    for row in data["players"]:
        if row.get("player") in {FORMER, HIDDEN} and "salt" not in row:
            continue
        if ("key" in data and "salt" not in row) or _seal(row) != row.get("sealed"):
            raise InputError(f"the name {shown(str(row.get('player')))} does not fit its digest in this list")


def _seal(row: Mapping[str, Any]) -> str | None:
    return seal_of(str(row["salt"]), row.get("player")) if "salt" in row else None


def as_published(made: Sequence[dict[str, Any]], published: Any, state: State) -> list[dict[str, Any]]:
    """Return the rows of a list made again as far as they need not be those that were published.

    Players who share a place may follow each other in another order; salted digests cannot be made again; and who was
    forgotten here, or there, has no name to be compared.
    """
    if not isinstance(published, list) or not all(isinstance(row, dict) for row in published):
        return list(made)
    there = {row.get("key"): (place, row) for place, row in enumerate(published)}
    rows = []
    for row in sorted(made, key=lambda row: (row["place"], there.get(row["key"], (len(made), {}))[0])):
        old = there.get(row["key"], (0, {}))[1]
        seals = {name: old[name] for name in ("salt", "sealed") if name in old}
        rows.append({**row, **seals, "player": _published_name(row, old.get("player"), state)})
    return rows


def _published_name(row: Mapping[str, Any], old: Any, state: State) -> Any:
    """Return the name in a published row where the one made again need not be the same."""
    person = state.people[row["key"]]
    gone = person.former or old == FORMER
    number = (
        isinstance(old, str)
        and old.startswith(f"{person.name} (")
        and any(other.former for other in state.people.values())
    )  # of namesakes, one of whom was forgotten since
    return old if gone or number else row["player"]


def no_longer_kept(data: Mapping[str, Any], ledgers: Mapping[str, Sequence[Record]]) -> int:
    """Return how many names of a list its ledger keeps no longer, since these people were forgotten."""
    number = data["ledger"]["entry"] + 1
    entries = [record for record in ledgers.get(data["club"], ()) if record.number == number]
    return sum(place.startswith(NAMES) for record in entries for place in record.erased)


def publishes(entry: Record, frozen: bytes) -> bool:
    """Whether an entry publishes a list, whose names may be kept no longer in one of the two."""
    if PUBLISHED in entry.sealed:
        return entry.sealed[PUBLISHED] == hashlib.sha256(frozen).hexdigest()
    content, data = entry.facts["content"], json.loads(frozen)
    if data["format"] <= LAST_WITH_NAMES:
        return canonical(content) + b"\n" == frozen
    return canonical(without_names(content)) == canonical(without_names(data))
