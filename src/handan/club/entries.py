"""Entries of a stored ledger: what happened, who wrote it, when; each bears the digest of the one before it."""

from __future__ import annotations

import csv
import hashlib
import json
import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from handan.club.kinds import Kind
from handan.errors import Clause, HandanError, InputError, clause_of, shown

REASONS: tuple[tuple[tuple[type[Exception], ...], str], ...] = (
    ((EOFError,), "it ends too soon"),
    ((RecursionError,), "it is nested too deep"),
    ((OverflowError,), "a number or a date is beyond all bounds"),
    ((UnicodeError,), "its letters are not UTF-8"),
    ((csv.Error,), "a cell is too long, or a quotation mark is not closed"),
    ((TypeError, AttributeError), "something is of another kind than it should be"),
    ((LookupError,), "it names something that is not there"),
)
"""Sentences by the exceptions that they stand for."""


def reason_of(error: Exception) -> Clause:
    """Return why something cannot be read: a sentence of the error's own, else one by its kind."""
    if error.args and isinstance(error.args[0], Clause):
        return error.args[0]
    if isinstance(error, HandanError):
        return clause_of(error)
    if type(error) is KeyError:
        return Clause.of("{name} is missing", name=shown(str(error.args[0]) if error.args else ""))
    for kinds, sentence in REASONS:
        if isinstance(error, kinds):
            return Clause.of(sentence)
    return Clause.of("a value is not what it should be")


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


GENESIS = "0" * 64
"""What the first entry names as the digest before it."""


LONGEST = {"subject": 64, "author": 200, "reason": 10**6, "account": 64, "token": 64}
"""Characters that are kept of these; PostgreSQL keeps no NUL."""


DIGEST_FORMAT = 3
"""What the digests of new entries are made of: those of format 1 hold neither account nor token, those of formats 1
and 2 the very texts that tell who somebody is, and those of format 3 salted digests of such texts."""
LAST_WITH_TEXTS = 2
"""The last format whose digests are made of the texts themselves."""


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
    sealed: Mapping[str, str] = field(default_factory=dict)
    """Salted digests of the texts that tell who somebody is, by their places."""
    salts: Mapping[str, str] = field(default_factory=dict)
    """The salts of those that are still kept."""

    @property
    def texts(self) -> dict[str, Any]:
        """What tells who somebody is, and free texts, by their places, as far as they are kept."""
        texts = personal(self.kind, self.facts, self.author, self.reason)
        return {place: text for place, text in texts.items() if place in self.salts or place not in self.sealed}

    @property
    def erased(self) -> set[str]:
        """Places of the texts that are kept no longer, because somebody was forgotten."""
        return set(self.sealed) - set(self.salts) - {PUBLISHED}

    @property
    def recomputable(self) -> bool:
        """Whether all is there that the digest is made of; otherwise the entry that carried the chain over tells it."""
        return self.format > LAST_WITH_TEXTS or not self.erased

    def content(self) -> dict[str, Any]:
        """Return what the digest is made of as plain data."""
        if self.format > LAST_WITH_TEXTS:
            return {**self._bare(), "format": self.format}
        written = {"account": self.account, "token": self.token, "format": self.format} if self.format > 1 else {}
        whole = {"facts": dict(self.facts), "author": self.author, "reason": self.reason}
        return {**self._placed(), **whole, **written}

    def _placed(self) -> dict[str, Any]:
        entered = self.entered.astimezone(UTC).isoformat(timespec="microseconds")
        return {"number": self.number, "kind": str(self.kind), "subject": self.subject, "entered": entered,
                "previous": self.previous}  # fmt: skip

    def _bare(self) -> dict[str, Any]:
        return {**self._placed(), "facts": bare(self.kind, self.facts), "account": self.account, "token": self.token,
                "sealed": dict(self.sealed)}  # fmt: skip

    def computed(self) -> str:
        """Return SHA-256 of the content in canonical JSON, as hexadecimal digits."""
        return hashlib.sha256(canonical(self.content())).hexdigest()

    def sealed_digest(self) -> str:
        """Return the digest of the bare facts, sealed texts and the own digest, which outlives a forgotten person."""
        return hashlib.sha256(canonical({**self._bare(), "format": self.format, "digest": self.digest})).hexdigest()

    def as_dict(self) -> dict[str, Any]:
        """Return all fields as plain data."""
        written = {"account": self.account, "token": self.token, "format": self.format} if self.format > 1 else {}
        sealed = self.sealed or self.format > LAST_WITH_TEXTS
        seals = {"sealed": dict(self.sealed), "salts": dict(self.salts)} if sealed else {}
        return {**self._placed(), "facts": dict(self.facts), "author": self.author, "reason": self.reason, **written,
                **seals, "digest": self.digest}  # fmt: skip

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
                sealed={str(place): str(seal) for place, seal in data.get("sealed", {}).items()},
                salts={str(place): str(salt) for place, salt in data.get("salts", {}).items()},
                **written,
            )
            if record.format not in range(1, DIGEST_FORMAT + 1) or (record.format == 1) != ("format" not in data):
                form = shown(str(data["format"]))
                raise ValueError(Clause.of("format {form} is of another version of Handan", form=form))
            if record.entered.tzinfo is None:
                moment = shown(str(data["entered"]))
                raise ValueError(Clause.of("moment {moment} has no time zone", moment=moment))
            record.entered.astimezone(UTC)
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
            raise InputError(Clause.of("an entry of a ledger cannot be read: {why}", why=reason_of(error))) from None
        for name, limit in LONGEST.items():
            text = getattr(record, name)
            if len(text) > limit or "\x00" in text:
                pattern = "entry {number}: {name} {found} is not text of at most {most} characters without NUL"
                values = {"number": record.number, "name": name, "found": shown(text), "most": limit}
                raise InputError(Clause.of(pattern, **values))
        return record


def with_seals(record: Record) -> Record:
    """Return a record whose personal and free texts are sealed, each with a salt of its own."""
    salts = list_salts(record.facts)
    texts = personal(record.kind, record.facts, record.author, record.reason)
    kept = {place: salts.get(place) or new_salt() for place in texts}
    sealed = {place: seal_of(kept[place], text) for place, text in texts.items()}
    content = record.facts.get("content")
    if record.kind is Kind.LIST_PUBLISHED and record.format <= LAST_WITH_TEXTS:
        sealed[PUBLISHED] = hashlib.sha256(canonical(content) + b"\n").hexdigest()
    return replace(record, sealed=sealed, salts=kept)


def chained(
    drafts: Iterable[Draft], number: int, digest: str, author: str, entered: datetime, account: str = "",
    token: str = "",
) -> Iterator[Record]:  # fmt: skip
    """Give drafts their numbers, keys and digests, behind entry `number` with `digest`; the first bears the token."""
    for place, draft in enumerate(drafts, number + 1):
        letter = draft.kind.traits.letter
        subject = draft.subject or (f"{letter}{place}" if letter else "")
        bare = Record(place, draft.kind, subject, draft.facts, author, entered, draft.reason, digest)
        bare = with_seals(replace(bare, account=account, token=token, format=DIGEST_FORMAT))
        token, digest = "", bare.computed()
        yield replace(bare, digest=digest)


__all__ = ["GENESIS", "LAST_WITH_TEXTS", "Draft", "Record", "canonical", "chained", "with_seals"]
