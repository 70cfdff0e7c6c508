"""The whole ledger of a club as one file, and such a file as games, for whoever rates them by the command line."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

import polars as pl

from handan.club.entries import GENESIS, Record, canonical
from handan.club.keys import Purpose, signer_of
from handan.club.kinds import Kind
from handan.club.state import DISPUTED, WAITING, WITHDRAWN, State
from handan.club.verifying import fold_foreign, verified
from handan.errors import Clause, InputError, Problem, shown
from handan.files.games.contents import Contents, Entrant

FORMAT = 1
LONGEST = 64_000_000  # our choice: bytes of an entry; the longest is an official list
MAGIC = b"\x1f\x8b"
DAMAGED = (EOFError, OSError, zlib.error)
"""What reading a packed file raises that is not whole."""
DAMAGED_WORDS = "the packed ledger is damaged: {why}"
NO_LEDGER = "line 1: this is no ledger exported by Handan"
TOO_LONG = "a line is longer than {most} MB; a ledger has one entry a line"
NO_END = "line 1: this ledger does not say how many entries it holds, and where it ends"
NO_OBJECT = "line {number}: a ledger has one JSON object a line"
CUT_OFF = "the file holds {number} of {whole} entries: it was cut off"


def ledger_head(slug: str, name: str, number: int, digest: str) -> dict[str, Any]:
    """Return what the first line says: how many entries follow, and the digest of the last."""
    return {"handan": "ledger", "format": FORMAT, "club": slug, "name": name, "entries": number, "digest": digest}


def ledger_lines(head: Mapping[str, Any], records: Iterable[Record]) -> Iterator[bytes]:
    """Return the file line by line, a head (signed or not) before the entries."""
    yield canonical(head) + b"\n"
    for record in records:
        yield canonical(record.as_dict()) + b"\n"


def read_ledger(file: IO[bytes]) -> tuple[dict[str, Any], Iterator[Record]]:
    """Return the first line and the entries, whose chain is verified on the way; packed or not.

    InputError as of `unverified_ledger`, and for the first entry that does not follow the one before it.
    """
    header, records = unverified_ledger(file)
    return header, verified(records)


def unverified_ledger(file: IO[bytes]) -> tuple[dict[str, Any], Iterator[Record]]:
    """Return the first line and the entries as they stand in the file, for who verifies their chain; packed or not.

    A signature of the first line is checked at once, the key of the entries at their end. InputError names the line
    that cannot be used, and refuses at its end a file that was cut off.
    """
    start = file.read(2)
    file.seek(0)
    lines = enumerate(_lines(gzip.GzipFile(fileobj=file) if start == MAGIC else file), 1)
    first = next(lines, (1, b""))[1]
    header = _data(first, 1)
    named = all(isinstance(header.get(name), str) for name in ("club", "name"))
    if header.get("handan") != "ledger" or header.get("format") != FORMAT or not named:
        raise InputError(Clause.of(NO_LEDGER))
    if type(header.get("entries")) is not int or not isinstance(header.get("digest"), str):
        raise InputError(Clause.of(NO_END))
    try:
        signer_of(Purpose.HEAD, header)
    except InputError as error:
        raise InputError(Clause.of("line 1: {why}", why=error.args[0])) from None
    return header, _whole(header, (Record.of(_data(line, number)) for number, line in lines if line.strip()))


def _whole(header: Mapping[str, Any], records: Iterator[Record]) -> Iterator[Record]:
    """Pass records on; InputError at the end if they are not as many as the first line says."""
    number, digest, key = 0, GENESIS, ""
    for record in records:
        number, digest, key = record.number, record.digest, _key_after(record, key)
        yield record
    if number < header["entries"]:
        raise InputError(Clause.of(CUT_OFF, number=number, whole=header["entries"]))
    if number > header["entries"]:
        raise InputError(
            Clause.of("the file holds {number} of {whole} entries", number=number, whole=header["entries"])
        )
    if digest != header["digest"]:
        pattern = "the file ends with digest {digest}, its first line says {other}"
        raise InputError(Clause.of(pattern, digest=digest, other=shown(header["digest"])))

    if key and "key" in header and header["key"] != key:
        pattern = "line 1: signed by key {key}, the club's key at the last entry is {other}"
        raise InputError(Clause.of(pattern, key=header["key"], other=shown(key)))


def _key_after(record: Record, key: str) -> str:
    """Return the key that holds behind an entry, as it says itself."""
    if record.kind is Kind.KEY_SET:
        return str(record.facts.get("key"))
    content = record.facts.get("content") if record.kind is Kind.LIST_PUBLISHED else None
    return str(content.get("key") or key) if isinstance(content, dict) else key


def packed_wrongly(error: Exception) -> Clause:
    """Return why a packed ledger cannot be unpacked."""
    return Clause.of("it ends too soon" if isinstance(error, EOFError) else "it cannot be unpacked")


def _lines(file: IO[bytes] | gzip.GzipFile) -> Iterator[bytes]:
    """Go through the lines, none of which is kept in memory beyond the longest that a ledger has."""
    try:
        while line := file.readline(LONGEST + 1):
            if len(line) > LONGEST:
                raise InputError(Clause.of(TOO_LONG, most=LONGEST // 1_000_000))
            yield line
    except DAMAGED as error:
        raise InputError(Clause.of(DAMAGED_WORDS, why=packed_wrongly(error))) from None


def _data(line: bytes, number: int) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise InputError(Clause.of(NO_OBJECT, number=number))
    return data


def contents(data: bytes, source: str) -> Contents:
    """Return games, people, adjustments and events of an exported ledger, as the club's own ladder is made of them.

    Who was merged is one player, corrected games are as corrected, and games that do not count are left out.

    Args:
        data: The unpacked file.
        source: Its name for the reports.

    Raises:
        InputError: The file was cut off or changed, or its entries are no ledger.
    """
    header, records = read_ledger(io.BytesIO(data))
    state = fold_foreign(State(header["club"]), records)
    ledger = state.ledger
    people = {label: state.people[key] for label, key in state.keys.items()}
    entrants = tuple(
        Entrant(player.name, player.id, people[player.name].country, people[player.name].club, order=player.order)
        for player in ledger.players
    )
    games = ledger.games.cast({"black": pl.String, "white": pl.String}).with_columns(source=pl.lit(source))
    remarks = [Problem(source, None, "", "", "", rejected=False, message=text) for text in _remarks(state)]
    events = tuple(state.shown_event(event) for event in state.events.values() if not event.withdrawn)
    return Contents(games, remarks, entrants, adjustments=ledger.adjustments, events=events)


def _remarks(state: State) -> Iterator[Clause]:
    """Yield what is to be known of the club: its rules, and which games are left out."""
    for rules in state.rules:
        options = " ".join(
            [f"--system {rules.system}", *(f"--set {name}={each}" for name, each in rules.settings.items())]
        )
        if rules.since is None:
            yield Clause.of("the club rates with {options}", options=options)
        else:
            yield Clause.of("since {day}: the club rates with {options}", day=str(rules.since), options=options)
    for status, count in sorted(state.games["status"].value_counts().iter_rows()):
        if status == WITHDRAWN:
            yield Clause.of("withdrawn games: {count}; left out, as the club leaves them out", count=count)
        elif status == WAITING:
            yield Clause.of("games not confirmed yet: {count}; left out, as the club leaves them out", count=count)
        elif status == DISPUTED:
            yield Clause.of("disputed games: {count}; left out, as the club leaves them out", count=count)
