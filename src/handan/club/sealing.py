"""Personal texts of entries, each with a salt: an entry holds their digests only, so that they can be taken away.

Without its salt a text cannot be guessed from its digest; when text and salt are gone, nothing tells whose it was.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Iterator, Mapping
from typing import Any

from handan.club.kinds import Kind

FORMER = "a former member"
"""What entries and data have in place of the name of somebody who was forgotten; pages have `FORMER_MEMBER`."""
HIDDEN = "a member"
"""What data for visitors have in place of the name of a member who is not shown; pages have `HIDDEN_MEMBER`."""
SALT_BYTES = 32
NAMES = "names."
"""Begins the place of a name in an official list, or of what an event says of a participant, before the key."""
PUBLISHED = "published"
"""In place of a text: SHA-256 of the file of a list that was published when names stood in what was signed."""
SPELLING = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
"""Made once: `json.dumps` makes one for every call, which of a small text takes longer than writing it."""
PERSON = frozenset(kind for kind in Kind if kind.traits.is_person)
FREE_FACTS = {str(kind): kind.traits.free_facts for kind in Kind if kind.traits.free_facts}
"""The facts of such entries that are personal or free text."""
WITH_PARTICIPANTS = frozenset(kind for kind in Kind if kind.traits.has_participants)
OF_PARTICIPANTS = ("country", "club", "settings")
"""What an event says of a participant that is personal."""


def canonical(data: Any) -> bytes:
    """Return data as JSON in its one spelling: sorted names, no blanks, UTF-8."""
    return SPELLING.encode(data).encode()


def new_salt() -> str:
    """Return 32 random bytes as hexadecimal digits."""
    return secrets.token_hex(SALT_BYTES)


def seal_of(salt: str, text: Any) -> str:
    """Return SHA-256 of a salt and of a text in canonical JSON behind it, as hexadecimal digits."""
    return hashlib.sha256(bytes.fromhex(salt) + canonical(text)).hexdigest()


def personal(kind: str, facts: Mapping[str, Any], author: str, reason: str) -> dict[str, Any]:
    """Return the personal and free texts of an entry by their places: `author`, `reason`, `person`, `names.p3`."""
    texts: dict[str, Any] = {"author": author, "reason": reason}
    if kind in PERSON:
        texts["person"] = dict(facts)
    elif kind in FREE_FACTS:
        texts |= {name: facts.get(name) for name in FREE_FACTS[kind]}
        texts |= {f"{NAMES}{row['player']}": own for row in _participants(kind, facts) if (own := _personal(row))}
    elif kind == Kind.LIST_PUBLISHED:
        texts |= {f"{NAMES}{row['key']}": row["player"] for row in _rows(facts) if "player" in row}
    return {place: text for place, text in texts.items() if text}


def list_salts(facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the salts that an official list brings along, by the places of its names."""
    return {f"{NAMES}{row['key']}": str(row["salt"]) for row in _rows(facts) if "salt" in row}


def bare(kind: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of an entry without personal and free texts."""
    if kind in PERSON:
        return {}
    if kind in FREE_FACTS:
        rest = {name: value for name, value in facts.items() if name not in FREE_FACTS[kind]}
        rows = [
            {name: value for name, value in row.items() if name not in OF_PARTICIPANTS}
            for row in _participants(kind, facts)
        ]
        return {**rest, "participants": rows} if rows else rest
    if kind == Kind.LIST_PUBLISHED and isinstance(facts.get("content"), Mapping):
        return {**facts, "content": without_names(facts["content"])}
    return dict(facts)


def without_names(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return an official list without its names and their salts: what is signed of one with sealed names."""
    rows = content.get("players")
    if not isinstance(rows, list):
        return dict(content)
    return {**content, "players": [_bare_row(row) for row in rows]}


def opened(kind: str, facts: Mapping[str, Any], sealed: Mapping[str, str], texts: Mapping[str, Any],
           salts: Mapping[str, str]) -> dict[str, Any]:  # fmt: skip
    """Return bare facts with the texts that are kept; what is gone is nobody's name, or nothing."""
    if kind in PERSON:
        person: dict[str, Any] = texts.get("person") or ({"name": FORMER} if "person" in sealed else {})
        return {**facts, **person}
    if kind in FREE_FACTS:
        free = {name: texts[name] for name in FREE_FACTS[kind] if name in texts}
        if "account" in sealed and "account" in FREE_FACTS[kind]:
            free = {"account": FORMER} | free
        rows = [{**row, **_kept(texts.get(f"{NAMES}{row['player']}"))} for row in _participants(kind, facts)]
        return {**facts, **free, **({"participants": rows} if rows else {})}
    if kind == Kind.LIST_PUBLISHED and isinstance(facts.get("content"), Mapping):
        content = facts["content"]
        rows = [_named(row, texts, salts) if _is_row(row) else row for row in content.get("players") or ()]
        return {**facts, "content": {**content, "players": rows}}
    return dict(facts)


def _participants(kind: str, facts: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Go through the participants that an entry of an event lists."""
    rows = facts.get("participants") if kind in WITH_PARTICIPANTS else None
    yield from (row for row in rows if isinstance(row, Mapping) and "player" in row) if isinstance(rows, list) else ()


def _personal(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is personal of a participant."""
    return {name: row[name] for name in OF_PARTICIPANTS if name in row}


def _kept(text: Any) -> dict[str, Any]:
    """Return what is kept of a participant; nothing where a word stands for somebody who is not shown."""
    return dict(text) if isinstance(text, Mapping) else {}


def _named(row: Mapping[str, Any], texts: Mapping[str, Any], salts: Mapping[str, str]) -> dict[str, Any]:
    place = f"{NAMES}{row['key']}"
    named = {**row, "player": texts.get(place, FORMER)}
    return {**named, "salt": salts[place]} if "sealed" in row and place in salts else named


def _bare_row(row: Any) -> Any:
    return {name: value for name, value in row.items() if name not in {"player", "salt"}} if _is_row(row) else row


def _is_row(row: Any) -> bool:
    return isinstance(row, Mapping) and "key" in row


def _rows(facts: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    content = facts.get("content")
    rows = content.get("players") if isinstance(content, Mapping) else None
    yield from (row for row in rows if _is_row(row)) if isinstance(rows, list) else ()
