"""Entries of a stored ledger: what was said, by whom, when; each bears the digest of the one before it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from handan.errors import InputError, shown

GENESIS = "0" * 64
"""What the first entry names as the digest before it."""


LONGEST = {"subject": 64, "author": 200, "reason": 10**6, "account": 64, "token": 64}
"""Characters that are kept of these; PostgreSQL keeps no NUL."""


DIGEST_FORMAT = 2
"""What the digests of new entries are made of; those of format 1 hold neither account nor token."""


class Kind(StrEnum):
    """What an entry says."""

    GAME_RECORDED = "game recorded"
    GAME_CORRECTED = "game corrected"
    GAME_WITHDRAWN = "game withdrawn"
    GAME_RESTORED = "game restored"
    GAME_CONFIRMED = "game confirmed"
    GAME_DISPUTED = "game disputed"
    PLAYER_REGISTERED = "player registered"
    PLAYER_CHANGED = "player changed"
    PLAYER_MERGED = "player merged"
    PLAYER_SPLIT = "player split"
    RANK_ADJUSTED = "rank adjusted"
    RANK_WITHDRAWN = "adjustment withdrawn"
    RULES_SET = "rules set"
    LIST_PUBLISHED = "list published"
    MEMBER_SET = "member set"
    KEY_SET = "key set"
    ZONE_SET = "zone set"


LETTERS = {Kind.GAME_RECORDED: "g", Kind.PLAYER_REGISTERED: "p", Kind.RANK_ADJUSTED: "a"}
"""Entries that bring a new subject, and the letter of its key: `g12` is the game that entry 12 recorded."""


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry that nobody has written yet."""

    kind: Kind
    facts: Mapping[str, Any]
    """Plain data as JSON knows it."""
    subject: str = ""
    """Key of the game, player or adjustment that it is about; empty if the entry itself brings it."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """An entry as it is kept."""

    number: int
    """Place in the club's ledger, from 1 without gaps."""
    kind: Kind
    subject: str
    facts: Mapping[str, Any]
    author: str
    """Name of the account that wrote it, as it was then; or of the program."""
    entered: datetime
    """Moment of writing, with its zone."""
    reason: str
    previous: str
    """Digest of the entry before."""
    digest: str = ""
    account: str = ""
    """Key of the account that wrote it, the same wherever the ledger is; empty for the program."""
    token: str = ""
    """The mark of a form or call by which it was written once."""
    format: int = 1
    """What the digest is made of."""

    def content(self) -> dict[str, Any]:
        """Return everything but the digest as plain data."""
        written = {"account": self.account, "token": self.token, "format": self.format} if self.format > 1 else {}
        return {
            "number": self.number,
            "kind": str(self.kind),
            "subject": self.subject,
            "facts": dict(self.facts),
            "author": self.author,
            "entered": self.entered.astimezone(UTC).isoformat(timespec="microseconds"),
            "reason": self.reason,
            "previous": self.previous,
            **written,
        }

    def computed(self) -> str:
        """Return SHA-256 of the content in canonical JSON, as hexadecimal digits."""
        return hashlib.sha256(canonical(self.content())).hexdigest()

    def as_dict(self) -> dict[str, Any]:
        """Return all fields as plain data."""
        return {**self.content(), "digest": self.digest}

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Record:
        """Make a record from plain data; InputError if it is none."""
        try:
            written = {name: str(data[name]) for name in ("account", "token")} if "format" in data else {}
            record = cls(
                number=int(data["number"]),
                kind=Kind(data["kind"]),
                subject=str(data["subject"]),
                facts=dict(data["facts"]),
                author=str(data["author"]),
                entered=datetime.fromisoformat(data["entered"]),
                reason=str(data["reason"]),
                previous=str(data["previous"]),
                digest=str(data["digest"]),
                format=int(data.get("format", 1)),
                **written,
            )
            if record.format not in range(1, DIGEST_FORMAT + 1) or (record.format == 1) != ("format" not in data):
                raise ValueError(f"format {shown(str(data['format']))} is of another version of Handan")
            if record.entered.tzinfo is None:
                raise ValueError(f"moment {shown(str(data['entered']))} has no time zone")
            record.entered.astimezone(UTC)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise InputError(f"an entry of a ledger cannot be read: {error}") from None
        for name, limit in LONGEST.items():
            text = getattr(record, name)
            if len(text) > limit or "\x00" in text:
                wanted = f"text of at most {limit} characters without NUL"
                raise InputError(f"entry {record.number}: {name} {shown(text)} is not {wanted}")
        return record


def canonical(data: Any) -> bytes:
    """Return data as JSON in its one spelling: sorted names, no blanks, UTF-8."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode()


def chained(
    drafts: Iterable[Draft], number: int, digest: str, author: str, entered: datetime, account: str = "",
    token: str = "",
) -> Iterator[Record]:  # fmt: skip
    """Give drafts their numbers, keys and digests, behind entry `number` with `digest`; the first bears the token."""
    for place, draft in enumerate(drafts, number + 1):
        subject = draft.subject or (f"{LETTERS[draft.kind]}{place}" if draft.kind in LETTERS else "")
        bare = Record(place, draft.kind, subject, draft.facts, author, entered, draft.reason, digest)
        bare = replace(bare, account=account, token=token, format=DIGEST_FORMAT)
        token, digest = "", bare.computed()
        yield replace(bare, digest=digest)


def verified(records: Iterable[Record], number: int = 0, digest: str = GENESIS) -> Iterator[Record]:
    """Pass records on as long as they follow each other; InputError names the first that does not."""
    form = 0
    for record in records:
        if record.format < form:
            raise InputError(f"entry {record.number} has digest format {record.format}, the one before it {form}")
        form = record.format
        if record.number != number + 1:
            raise InputError(f"entry {number + 1} is missing; entry {record.number} follows entry {number}")
        if record.previous != digest:
            raise InputError(f"entry {record.number} does not follow entry {number}: the chain of digests is broken")
        try:
            computed = record.computed()
        except (ValueError, RecursionError) as error:  # infinite numbers, halves of characters
            raise InputError(f"entry {record.number} holds what a ledger cannot: {error}") from None
        if record.digest != computed:
            raise InputError(f"entry {record.number} was changed after it was written: its digest does not fit")
        number, digest = record.number, record.digest
        yield record
