"""Official lists: frozen, numbered, with all that is needed to make them again from the ledger, to the same bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import date
from typing import Any, NamedTuple

import handan
from handan.club.changes.texts import checked_text
from handan.club.entries import (
    FORMER,
    GENESIS,
    HIDDEN,
    NAMES,
    PUBLISHED,
    Draft,
    Record,
    canonical,
    new_salt,
    seal_of,
    without_names,
)
from handan.club.federation import SameNumbers, federated
from handan.club.keys import KeyPeriod, Purpose, fingerprint, key_at, key_history, signed, signer_of
from handan.club.kinds import Kind
from handan.club.rules import Rules
from handan.club.standings import Standings, standings
from handan.club.state import Source, State
from handan.club.verifying import fold_foreign, verified
from handan.club.zones import day_words
from handan.errors import Clause, FieldError, InputError, SettingError, counted, shown
from handan.systems import SYSTEMS
from handan.systems.core.settings import setting_values, settings_of

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


FORMAT = 3
FORMATS = (1, 2, 3)
"""Lists of format 1 name no revision of their systems, which is the first; what is signed of lists of formats 1 and 2
holds names, of those of format 3 salted digests of names, which stand beside them as long as nobody was forgotten."""
DECIMALS = 3  # our choice: what differs between processors is far below, what a reader sees is far above


class Checked(NamedTuple):
    """What a check of all official lists of a ledger found."""

    again: int
    """Lists that were made again to the same bytes."""
    whole: int
    """All lists."""
    unsigned: int
    """Those published before the club signed."""
    older: tuple[str, ...]
    """Why a list was not made again although all that it needs is there: an older revision of a formula."""
    keys: tuple[KeyPeriod, ...]
    forgotten: int = 0
    """Entries whose own digest, or signature, can no longer be computed because a person was forgotten."""


class RevisedError(InputError):
    """A list was made by an older revision of a formula, and comes out otherwise for that reason."""


def publish(state: State, today: date, as_of: date | None = None, label: str = "") -> Draft:
    """Return the entry that publishes the list of a day; InputError for a day to come."""
    day = as_of or today
    if day > today:
        raise FieldError("as_of", str(day), day_words(today, state.zone))
    number = len(state.lists) + 1
    label = checked_text(label.strip(), "label") or f"Official list {number}"
    ladder = standings(state, day, day)
    facts = {
        "as_of": str(day),
        "label": label,
        "system": ladder.rules.system,
        "content": with_sealed_names(content(ladder, number, day, label)),
    }
    return Draft(Kind.LIST_PUBLISHED, facts)


def content(ladder: Standings, number: int, day: date, label: str) -> dict[str, Any]:
    """Return a list as plain data."""
    return {
        "format": FORMAT,
        "club": ladder.state.slug,
        "number": number,
        "label": label,
        "as_of": str(day),
        "ledger": {"entry": ladder.state.number, "digest": ladder.state.digest},
        "clubs": [asdict(source) for source in ladder.state.sources],
        "rules": [
            {
                **phase.rules.as_dict(),
                "revision": phase.rules.system_class.revision,
                "settings": setting_values(phase.rules.made),
            }
            for phase in ladder.phases
        ],
        "version": handan.__version__,
        "players": [{name: _plain(value) for name, value in row.items()} for row in ladder.rows],
    }


def listed_bytes(data: Mapping[str, Any]) -> bytes:
    """Return the file of a list."""
    return canonical(data) + b"\n"


def signer_of_list(frozen: bytes) -> tuple[dict[str, Any], str]:
    """Return a list and the public key that signed it, empty if none did; no ledger is needed.

    Whose key that is the list itself cannot show: anybody signs one with a key of their own. Compare its `fingerprint`
    with the one that the club tells, or make the list again by `verify_list`.

    InputError for what is no list, and for a list that was changed after it was signed.
    """
    try:
        data = json.loads(frozen)
    except (ValueError, RecursionError):
        raise InputError("this is no official list: one is a JSON file, and this is none") from None
    origin = _origin(data)
    if not isinstance(origin.data.get("players"), list):
        raise InputError("this is no official list: 'players'")
    try:
        refuse_other_names(origin.data)
        signer = signer_of(Purpose.LIST, signed_part(data))
    except (ValueError, RecursionError) as error:  # infinite numbers, halves of characters
        raise InputError(f"this is no official list: {error}") from None
    if signer and listed_bytes(data) != frozen:
        raise InputError("the signature holds for this list, but its bytes are not spelt as the program spells them")
    return data, signer


def verify_list(frozen: bytes, ledgers: Mapping[str, Sequence[Record]]) -> dict[str, Any]:
    """Make a list again from its ledger and compare; InputError says what differs, RevisedError why it may.

    Args:
        frozen: The file of the list.
        ledgers: Entries by the name of the club; for a federation's list its own and those of its clubs. A club whose
            ledger is missing is taken to have no game in the list, which the same bytes show.
    """
    data, signer = signer_of_list(frozen)
    origin = _origin(data)
    own = _up_to(ledgers, origin.ledger)
    public = key_at(key_history(origin.ledger.slug, ledgers[origin.ledger.slug]), origin.ledger.number + 1)
    if public not in {"", signer}:
        by = f"signed by key {fingerprint(signer)}" if signer else "unsigned"
        raise InputError(f"the list is {by}; the key of {origin.ledger.slug} there is {fingerprint(public)}")
    state = fold_foreign(_base(origin, ledgers, ledgers[origin.ledger.slug]), own)
    again = _again(origin, state)
    if listed_bytes(again) != frozen:
        missing = [club for club in origin.clubs if club.slug not in ledgers]
        if missing:
            _up_to(ledgers, missing[0])
        raise _contradiction(origin, again, "the replay gives another list")
    _check_published(ledgers[origin.ledger.slug], origin.ledger, frozen)
    return again


def verify_published(
    slug: str, records: Sequence[Record], clubs: Mapping[str, Sequence[Record]]
) -> Checked:  # fmt: skip
    """Make every list that a ledger publishes again from the entries before it.

    Args:
        slug: Short name of the club.
        records: Its entries, whose chain holds.
        clubs: Entries of the clubs of a federation; lists made from others are left alone.

    Returns:
        How many lists were made again, and what of the others. InputError names the first that is signed wrongly or
        comes out otherwise; lists that an older revision of a formula made may, in their players.
    """
    keys = tuple(key_history(slug, records))
    state, start, again, whole, unsigned = State(slug), 0, 0, 0, 0
    older: list[str] = []
    for place, record in enumerate(records):
        if record.kind is not Kind.LIST_PUBLISHED:
            continue
        whole += 1
        data = record.facts.get("content")
        unsigned += not (isinstance(data, dict) and "key" in data)
        try:
            origin = _origin(data)
            if not origin.clubs:
                state, start = fold_foreign(state, records[start:place]), place
                made = _again(origin, state)
            elif all(club.slug in clubs for club in origin.clubs):
                made = _again(origin, fold_foreign(_base(origin, clubs, records), records[:place]))
            else:
                continue
        except RevisedError as error:
            older.append(f"list {shown(origin.label)} of entry {record.number}: {error}")
            continue
        except InputError as error:
            pattern = "the list of entry {number} of {club}: {why}"
            raise InputError(Clause.of(pattern, number=record.number, club=slug, why=error.args[0])) from None
        if listed_bytes(made) != listed_bytes(origin.data):
            which = f"the list {shown(origin.label)} that entry {record.number} of {slug} publishes"
            contradiction = _contradiction(origin, made, f"{which} does not follow from the entries before it")
            if isinstance(contradiction, RevisedError):
                older.append(f"list {shown(origin.label)} of entry {record.number}: {contradiction}")
                continue
            raise contradiction
        again += 1
    return Checked(again, whole, unsigned, tuple(older), keys, sum(not record.recomputable for record in records))


def clubs_named(records: Iterable[Record]) -> set[str]:
    """Return the clubs of a federation whose ledgers its lists were made from."""
    contents = [record.facts.get("content") for record in records if record.kind is Kind.LIST_PUBLISHED]
    sources = [source for item in contents if isinstance(item, dict) for source in item.get("clubs") or ()]
    return {str(source.get("slug")) for source in sources if isinstance(source, dict)}


class _Origin(NamedTuple):
    """What a list says of itself."""

    data: Mapping[str, Any]
    ledger: Source
    clubs: list[Source]
    day: date
    label: str
    version: str
    rules: list[Mapping[str, Any]]


def _origin(data: Any) -> _Origin:
    """Read what a list was made from; InputError if it does not say so."""
    try:
        ledger = {"slug": data["club"], "number": data["ledger"]["entry"], "digest": data["ledger"]["digest"]}
        if _of(int, data["format"]) not in FORMATS:
            raise InputError(f"this list has format {data['format']}, which another version of Handan reads")
        for rules in _of(list, data["rules"]):
            _of(dict, rules["settings"]), _of(str, rules["system"])
            if data["format"] > 1:
                _of(int, rules["revision"])
        clubs = [_source(source) for source in _of(list, data.get("clubs", []))]
        day, label = date.fromisoformat(data["as_of"]), _of(str, data["label"])
        return _Origin(data, _source(ledger), clubs, day, label, _of(str, data["version"]), data["rules"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise InputError(f"this is no official list: {error}") from None


def _of(kind: type, value: Any) -> Any:
    """Return a value that is of a kind; TypeError otherwise."""
    if not isinstance(value, kind):
        raise TypeError(f"{shown(str(value))} is not {kind.__name__}")
    return value


def _base(origin: _Origin, ledgers: Mapping[str, Sequence[Record]], own: Sequence[Record]) -> State:
    """Return the state on which the entries of a list's own ledger stand: the clubs' of a federation, else nothing."""
    if not origin.clubs:
        return State(origin.ledger.slug)
    states = [
        (place, fold_foreign(State(club.slug), _up_to(ledgers, club)) if club.slug in ledgers
         else State(club.slug, club.number, club.digest))
        for place, club in enumerate(origin.clubs, 1)
    ]  # fmt: skip
    return federated(origin.ledger.slug, states, [], SameNumbers.of(own))


def _again(origin: _Origin, state: State) -> dict[str, Any]:
    """Return a list made anew from the state it was made from, with the constants that it names itself.

    RevisedError if an older revision of a formula made it and this one cannot; InputError for a newer revision.
    """
    for name, revision in _revisions(origin):
        if revision > SYSTEMS[name].revision:
            raise InputError(
                f"made by revision {revision} of {name}; this program has revision {SYSTEMS[name].revision}: a later "
                f"version of Handan makes it again (the list names {origin.version})"
            )
    try:
        published = replace(state, rules=_with_constants_of(origin, state.rules))
        again = content(standings(published, origin.day, origin.day), len(state.lists) + 1, origin.day, origin.label)
    except InputError as error:
        if (older := _older(origin)) and (origin.ledger.number, origin.ledger.digest) == (state.number, state.digest):
            raise RevisedError(f"{older}: {error}") from None
        raise
    for new, old in zip(again["rules"], origin.rules, strict=False):
        new["settings"] = {name: value for name, value in new["settings"].items() if name in old["settings"]}
        new["revision"] = old.get("revision")
        if origin.data["format"] == 1:
            del new["revision"]
    if "clubs" not in origin.data and not again["clubs"]:  # as the first version published the lists of clubs
        del again["clubs"]
    signature = {name: origin.data[name] for name in ("key", "signature") if name in origin.data}
    rows = as_published(again["players"], origin.data["players"], state)
    return {**again, "players": rows, "format": origin.data["format"], "version": origin.version, **signature}


def _revisions(origin: _Origin) -> list[tuple[str, int]]:
    """Return the systems of a list that are there, and the revisions of their formulas that made it."""
    return [(rules["system"], rules.get("revision", 1)) for rules in origin.rules if rules["system"] in SYSTEMS]


def _older(origin: _Origin) -> str:
    """Say which revision of a formula made a list, if this program has a later one; empty otherwise."""
    past = [(name, revision) for name, revision in _revisions(origin) if revision < SYSTEMS[name].revision]
    return "; ".join(
        f"made by revision {revision} of {name}; this program has revision {SYSTEMS[name].revision}"
        for name, revision in past
    )


def _contradiction(origin: _Origin, again: Mapping[str, Any], words: str) -> InputError:
    """Return the error for a list that comes out otherwise: RevisedError if only a corrected formula is the reason."""
    difference = _difference(origin.data, again)
    older = _older(origin)
    if older and all(origin.data.get(name) == value for name, value in again.items() if name != "players"):
        return RevisedError(f"{older}, whose figures differ: {difference}")
    return InputError(f"{words}: {difference}")


def _with_constants_of(origin: _Origin, rules: Sequence[Rules]) -> tuple[Rules, ...]:
    """Return the rules of a ledger with every constant that a list names.

    What a system publishes may change from version to version, and settings may be added; what the club itself set
    must be what the list says.
    """
    listed = {(item["system"], item.get("since")): item["settings"] for item in origin.rules}
    constants: dict[tuple[str, bytes], Mapping[str, Any]] = {}
    for item in rules:
        settings = listed.get((item.system, item.since and item.since.isoformat()))
        if settings is None:
            continue
        for name, value in item.settings.items():
            if settings.get(name) != value:
                raise InputError(f"the ledger sets {name} = {value} of {item.system}, the list {settings.get(name)}")
        for name in settings:
            if name not in settings_of(SYSTEMS[item.system]):
                raise InputError(
                    f"{item.system} of version {origin.version} has the setting {shown(name)}; this one not"
                )
        constants[item.system, canonical(item.settings)] = settings
    try:
        return tuple(_with_settings(item, constants.get((item.system, canonical(item.settings)))) for item in rules)
    except SettingError as error:
        raise InputError(f"the list names constants that cannot be: {error}") from None


def _with_settings(rules: Rules, settings: Mapping[str, Any] | None) -> Rules:
    made = rules if settings is None else replace(rules, settings=settings)
    _ = made.made  # SettingError for absurd ones
    return made


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
    if following.kind is not Kind.LIST_PUBLISHED or not publishes(following, frozen):
        raise InputError(f"entry {following.number} of {made_from.slug} does not publish this list")


def _up_to(ledgers: Mapping[str, Sequence[Record]], source: Source) -> list[Record]:
    """Return the entries of a ledger from which a list was made; InputError if they are not those."""
    if source.slug not in ledgers:
        raise InputError(f"the ledger of {source.slug} is needed; given: {', '.join(ledgers) or 'none'}")
    entries = [record for record in verified(ledgers[source.slug]) if record.number <= source.number]
    end, digest = (entries[-1].number, entries[-1].digest) if entries else (0, GENESIS)
    if end != source.number:
        raise InputError(
            f"the ledger of {source.slug} ends at entry {end}; the list was made from entry {source.number}"
        )
    if digest != source.digest:
        raise InputError(
            f"entry {source.number} of {source.slug} has digest {digest}, the list was made from {source.digest}"
        )
    return entries


def _difference(frozen: Mapping[str, Any], again: Mapping[str, Any]) -> str:
    """Name the first thing that differs."""
    for name, value in again.items():
        if name != "players" and frozen.get(name) != value:
            return f"{name} is {frozen.get(name)!r}, replayed {value!r}"
    players = frozen.get("players")
    rows = [players if isinstance(players, list) else [], again["players"]]
    for old, new in zip(*rows, strict=False):
        if old != new:
            return f"{new['player']} stands with {old}, replayed {new}"
    if len(rows[0]) != len(rows[1]):
        return f"{counted(len(rows[0]), 'player')}, replayed {len(rows[1])}"
    return "the bytes are not spelt as the program spells them"


def _plain(value: Any) -> Any:
    return round(value, DECIMALS) + 0.0 if isinstance(value, float) else value
