"""Two tournament files compared field by field: headers, rows in order, byes, criteria, results.

Files of one format are compared by all that stands in them (`Format.fields`), others by what is read of them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from handan.errors import InputError
from handan.files.games.format import Format
from handan.files.io.options import Options
from handan.files.io.storage import load, named, sources
from handan.files.reading import format_of_file, read
from handan.files.writing import encoded
from handan.ledger import Ledger
from handan.ledger.placing import result_of


@dataclass(frozen=True, slots=True)
class Difference:
    """A field that two files tell otherwise."""

    field: str
    one: str | None
    """None where the file has no such field."""
    other: str | None


def differences(
    one: str | os.PathLike[str], other: str | os.PathLike[str], options: Options | None = None
) -> list[Difference]:
    """Return every field that two files of tournaments tell otherwise; InputError if one cannot be read."""
    options = options or Options()
    both = [(load(path, options.limits), named(path)) for path in (one, other)]
    forms = [format_of_file(data, options) for data, _ in both]
    if forms[0].name != forms[1].name or forms[0].fields is None:
        return _between(*(fields_of(read(path, options=options)) for path in (one, other)))
    return _between(*(_fields(form, data, name, options) for form, (data, name) in zip(forms, both, strict=True)))


def changed_by_writing(
    path: str | os.PathLike[str], options: Options | None = None
) -> Iterator[tuple[str, list[Difference] | InputError]]:
    """Yield each file, or each of a folder, with the fields that are other when it is read and written again.

    Files of formats that are not written are passed over; of a file of a folder that cannot be read stands why.

    Raises:
        InputError: A file that was named cannot be read, or holds no tournament that can be written.
    """
    options = options or Options()
    for name, fetch, itself in sources(path, options.limits):
        try:
            changed = _changed(fetch(), name, options)
        except InputError as error:
            if itself:
                raise
            yield name, error
        else:
            if changed is not None:
                yield name, changed


def _changed(data: bytes, name: str, options: Options) -> list[Difference] | None:
    """Return what is other when a file is read and written again; None for a format that is not written."""
    form = format_of_file(data, options)
    if form.write is None or not form.endings:
        return None
    ledger = read(data, options=options)
    again, _ = encoded(ledger, f"written{form.endings[0]}")
    if form.fields is None:
        return _between(fields_of(ledger), fields_of(read(again, options=options)))
    return _between(*(form.fields(each, name, options) for each in (data, again)))


def _fields(form: Format, data: bytes, name: str, options: Options) -> dict[str, str]:
    assert form.fields is not None  # noqa: S101  # facts to the type checker
    return form.fields(data, name, options)


def _between(one: dict[str, str], other: dict[str, str]) -> list[Difference]:
    """Return the fields that differ, in the order of the files; an empty field is as good as none."""
    return [
        Difference(name, one.get(name), other.get(name))
        for name in dict.fromkeys((*one, *other))
        if (one.get(name) or "") != (other.get(name) or "")
    ]


def fields_of(ledger: Ledger) -> dict[str, str]:
    """Return what was read of tournaments as fields: their heads, participants in order, byes, pairings and games."""
    made: dict[str, str] = {}
    for event in ledger.events:
        head = replace(event, participants=(), pairings=(), settings=()).as_dict()
        made |= {f"{event.name} {name}": _text(value) for name, value in head.items()}
        for row, each in enumerate(event.participants, 1):
            player = each.player
            made |= {f"{event.name} row {row} {name}": text for name, text in (
                ("name", player.name), ("id", player.id), ("country", player.country), ("club", player.club),
                ("rank", each.rank), ("place", str(each.place or "")), ("figures", " ".join(each.figures)),
                ("registered only", str(each.preliminary or "")),
            )}  # fmt: skip
            made |= {f"{event.name} row {row} round {number}": bye.value for number, bye in each.byes}
        for pairing in event.pairings:
            made[f"{event.name} round {pairing.round} {pairing.black} - {pairing.white}"] = f"open, {pairing.handicap}"
    like = Counter[str]()

    def own(*parts: str) -> str:
        """Return a name that no other field has, of the parts that are there."""
        name = " ".join(filter(None, parts))
        like[name] += 1
        return name if like[name] == 1 else f"{name} ({like[name]})"

    described = {event.name for event in ledger.events}
    for game in ledger:
        komi = "" if game.komi is None else f"komi {game.komi}"
        facts = [str(result_of(game)), f"handicap {game.handicap}", komi, f"{game.size} lines", game.kind,
                 str(game.date or ""), game.notes]  # fmt: skip
        if game.event not in described:  # else its participants have them
            facts += [game.black_rank, game.white_rank, game.black_id, game.white_id, game.server]
        number = f"round {game.round}" if game.round is not None else str(game.date or "")
        made[own(game.event, number, f"{game.black} - {game.white}")] = ", ".join(filter(None, facts))
    for by_hand in ledger.adjustments:
        name = own(by_hand.player, "set by hand", str(by_hand.date or ""))
        values = (by_hand.rank, by_hand.rating, by_hand.deviation, by_hand.note)
        made[name] = ", ".join(str(value) for value in values if value not in (None, ""))
    unread = [problem for problem in ledger.problems if problem.rejected]
    return made | {f"line {problem.line} {problem.field}": f"{problem.found} (not read)" for problem in unread}


def _text(value: object) -> str:
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
