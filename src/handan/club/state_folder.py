"""The state of a club as a folder of columns, so that a new process need not fold all entries. No database, no clock.

The folder holds names of people; who keeps it takes it away when one of them is forgotten.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

import handan
from handan.club.rules import Rules
from handan.club.searched import ReadSearched
from handan.club.state import ClubAdjustment, EnteredSheet, OfficialList, Person, State
from handan.club.texts import TEXTS, frame, own_texts, texts_of
from handan.errors import InputError
from handan.ledger import Ledger
from handan.ledger.coded import Coded, Different, differing
from handan.ledger.columns import SCHEMA
from handan.ledger.folder import Folder, Writing, writing
from handan.ledger.ledger import in_order
from handan.ledger.named import Named, field_of
from handan.ledger.room import room_behind
from handan.ledger.spellings import SPELLINGS

KIND = "handan club state"
VERSION = 10
"""Of the layout, and of what entries mean: raised when either changes."""
SINGLE = frozenset({"date", "entry", "line", "latest", "added"})
"""Columns of wide numbers, kept as they are where none is null: a state reads them where they are mapped."""
SHARED = "texts"
"""What is said of a column whose numbers are places among the texts of all columns."""
KEY = "key"
"""Column of the table of what a search looks through."""
OF_LEDGER = "ledger_"
"""How the names of the columns begin that are those of the ledger."""


class Head(NamedTuple):
    """Which state a folder holds."""

    slug: str
    number: int
    """The last entry."""
    digest: str
    """Its digest."""
    view: tuple[Any, ...]
    """`State.view`, as JSON knows it."""


def head_of(path: Path) -> Head | None:
    """Return which state a folder holds; None where there is none that this version of Handan can read."""
    opened = opened_if_ours(path, KIND, VERSION)
    return None if opened is None else head_in(opened)


def write_state(path: Path, state: State) -> None:
    """Write a state into a folder, in place of the one that is there: a reader sees the one or the other.

    Raises:
        InputError: Another process is writing, or the folder holds other files or cannot be written.
    """
    with writing(path, KIND, VERSION, with_checksums=True) as out:
        columns = Columns(out)
        out.put_value("values", _put_games(columns, state.games))
        out.put_value("ledger", _put_ledger(columns, state.ledger))
        out.put_value("facts", _facts(state))
        out.put_bytes("searched", _searched_table(state))
        out.commit(
            handan=handan.__version__, games=state.games.height, slug=state.slug, number=state.number,
            digest=state.digest, view=state.view,
        )  # fmt: skip


def read_state(path: Path, head: Head) -> State | None:
    """Return the state of a folder that has this head; None where it has another by now, or is damaged."""
    opened = opened_if_ours(path, KIND, VERSION)
    if opened is None or head_in(opened) != head:
        return None
    try:
        return _read(opened, head)
    except (OSError, InputError, ValueError, KeyError, TypeError, pl.exceptions.PolarsError):
        return None


def _read(opened: Folder, head: Head) -> State:
    mapped = Mapped(opened)
    state = State(
        head.slug, head.number, head.digest, games=_games(mapped, opened.value("values"), int(opened.facts["games"])),
        view=head.view, **_fields(opened.value("facts")),
    )  # fmt: skip
    vars(state)["ledger"] = _ledger(mapped, opened.value("ledger"), state)
    vars(state)["searched"] = ReadSearched(state.active, partial(_searched, opened, state.active))
    return state


def _searched(opened: Folder, active: Mapping[str, Person]) -> pl.DataFrame | None:
    """Return how the names of active players are spelt, as a folder has it; None where it has that of others."""
    try:
        table = pl.read_ipc(opened.content("searched"))
        fits = table.schema == {KEY: pl.String, **SPELLINGS} and table[KEY].to_list() == [*active]
    except (OSError, InputError, pl.exceptions.PolarsError):
        return None
    return table.drop(KEY) if fits else None


def _searched_table(state: State) -> bytes:
    """Return whom a search looks through, and how their names are spelt, as Arrow's file format has it.

    It is read many times as fast as JSON.
    """
    out = BytesIO()
    state.searched_texts.with_columns(pl.Series(KEY, [*state.active])).select(KEY, *SPELLINGS).write_ipc(out)
    return out.getvalue()


def opened_if_ours(path: Path, kind: str, version: int) -> Folder | None:
    """Return a folder that this version of Handan wrote; None where there is none."""
    opened = Folder.if_there(path, kind, version)
    return opened if opened is not None and opened.facts.get("handan") == handan.__version__ else None


def head_in(folder: Folder) -> Head | None:
    """Return of which state a folder says that it is; None where it does not say it."""
    try:
        facts = folder.facts
        view = _as_tuples(facts["view"])
        return Head(str(facts["slug"]), int(facts["number"]), str(facts["digest"]), view)
    except (KeyError, TypeError, ValueError):
        return None


def _as_tuples(value: Any) -> Any:
    return tuple(map(_as_tuples, value)) if isinstance(value, list) else value


class Columns:
    """Columns of numbers on their way into a folder; equal ones are written once."""

    def __init__(self, out: Writing) -> None:
        self._out, self._written = out, dict[tuple[str, str], str]()

    def put(self, name: str, numbers: NDArray[Any]) -> None:
        """Write a column with room for games that come, or note in which file it stands already."""
        same = numbers.dtype.str, hashlib.sha256(np.ascontiguousarray(numbers).data.cast("B")).hexdigest()
        if same in self._written:
            self._out.columns[name] = self._out.columns[self._written[same]]
            return
        self._out.put(name, numbers, room=room_behind(len(numbers)))
        self._written[same] = name


class Mapped:
    """Columns of numbers as they are mapped from the files of a folder, each file checked once."""

    def __init__(self, opened: Folder) -> None:
        self._opened, self._checked = opened, set[str]()

    def has(self, name: str) -> bool:
        """Return whether there is a column of a name."""
        return name in self._opened.columns

    def numbers(self, name: str, games: int) -> NDArray[Any]:
        """Return a column of so many games; InputError where it is damaged, ValueError where it has others."""
        file, numbers = self._opened.columns[name].file, self._opened.array_with_room(name)  # a room for each
        if file not in self._checked:
            self._opened.checked(name, numbers)
            self._checked.add(file)
        if len(numbers) != games:
            raise ValueError(f"column {name} has {len(numbers)} of {games} games")
        return numbers


def _put_games(out: Columns, games: pl.DataFrame) -> dict[str, Any]:
    """Write the columns of games; return what they say besides, as JSON knows it.

    That are `texts`, and by column its different values, `SHARED` where its numbers are places among the texts, or
    None where the numbers are the values themselves.
    """
    whole = [name for name in TEXTS if games.height and not games[name].null_count() and games[name].n_unique() > 1]
    codes = {name: games[name].to_physical().to_numpy() for name in whole}
    used = np.zeros(1 + max((int(each.max()) for each in codes.values()), default=0), dtype=np.bool_)
    for each in codes.values():
        used[each] = True
    place, values = (np.cumsum(used) - 1).astype(np.uint32), dict[str, list[Any] | str | None]()
    for column in games:
        if column.name in codes:
            out.put(column.name, place[codes[column.name]])
            values[column.name] = SHARED
        elif column.name in SINGLE and not column.null_count():
            out.put(column.name, column.to_physical().to_numpy())
            values[column.name] = None
        else:
            different, number = differing(column if column.name in TEXTS else column.to_physical())
            if number is not None:
                out.put(column.name, number)
            values[column.name] = different.to_list()
    texts = pl.Series(np.flatnonzero(used).astype(np.uint32)).cat.to(texts_of(games)).cast(pl.String)
    return {"texts": texts.to_list(), "columns": values}


def _games(mapped: Mapped, values: dict[str, Any], games: int) -> pl.DataFrame:
    """Return games as a state has them."""
    schema = frame(kind := own_texts())
    texts = pl.Series(values["texts"], dtype=pl.String).cast(kind)  # kept until columns are there that have them
    if not np.array_equal(texts.to_physical().to_numpy(), np.arange(len(texts))):
        raise ValueError("texts have other numbers than their places")
    columns = [_column(mapped, name, dtype, values["columns"][name], games) for name, dtype in schema.items()]
    return pl.DataFrame(columns, schema=schema)


def _column(mapped: Mapped, name: str, dtype: pl.DataType, values: list[Any] | str | None, games: int) -> pl.Series:
    """Return a column as the state has it."""
    if values == SHARED:
        return pl.Series(name, mapped.numbers(name, games)).cat.to(dtype)
    if values is None:
        return pl.Series(name, mapped.numbers(name, games)).cast(dtype)
    written = pl.String() if name in TEXTS else pl.Series(dtype=dtype).to_physical().dtype
    different = pl.Series(name, values, dtype=written).cast(dtype)
    return Different.kept(different, mapped.numbers(name, games) if mapped.has(name) else None).column(games)


def _put_ledger(out: Columns, ledger: Ledger) -> dict[str, Any]:
    """Write the columns of a ledger; return what it says besides, as JSON knows it."""
    columns = ledger.columns
    assert isinstance(columns, Coded) and isinstance(columns.line, np.ndarray)  # noqa: S101, PT018  # as states make it
    numbers = {"black": columns.black, "white": columns.white, "date": columns.date, "line": columns.line}
    numbers |= {name: number for name, (_, number) in columns.different.items() if number is not None}
    for name, number in numbers.items():
        out.put(OF_LEDGER + name, number)
    return {
        "games": len(ledger),
        "players": [field_of(ledger.players, name) for name in ("name", "id", "order")],
        "values": {name: values.to_list() for name, (values, _) in columns.different.items()},
        "warnings": ledger.warnings,
    }


def _ledger(mapped: Mapped, facts: dict[str, Any], state: State) -> Ledger:
    """Return the ledger of a state, its columns mapped from the files of a folder."""

    def number(name: str) -> NDArray[Any] | None:
        return mapped.numbers(OF_LEDGER + name, facts["games"]) if mapped.has(OF_LEDGER + name) else None

    different = {
        name: Different.kept(pl.Series(name, values, dtype=SCHEMA[name]), number(name))
        for name, values in facts["values"].items()
    }
    black, white, days, line = (
        mapped.numbers(OF_LEDGER + name, facts["games"]) for name in ("black", "white", "date", "line")
    )
    players = Named(*facts["players"])
    columns = Coded(black, white, days, different, line)
    return Ledger(columns, players, in_order(state.valid_adjustments), warnings=tuple(facts["warnings"]))


def _facts(state: State) -> dict[str, Any]:
    """Return what a state says besides its games, as JSON knows it."""
    return {
        "people": {name: [own[place] for own in state.people.values()] for place, name in enumerate(Person._fields)},
        "merged": dict(state.merged),
        "adjustments": [
            [key, item.key, item.player, dict(item.facts), item.withdrawn, item.set_aside]
            for key, item in state.adjustments.items()
        ],
        "rules": [rules.as_dict() for rules in state.rules],
        "lists": [[item.number, item.entry, item.as_of, item.label, item.system] for item in state.lists],
        "key": state.key,
        "zone": state.zone,
        "withdrawn": sorted(state.withdrawn),
        "sheets": [[item.key, item.lines, item.parts, item.checks, item.withdrawals] for item in state.sheets.values()],
    }


def _fields(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a state that `_facts` tells of."""
    columns = [map(tuple, facts["people"][name]) if name == "ids" else facts["people"][name] for name in Person._fields]
    people: Iterable[Person] = map(partial(tuple.__new__, Person), zip(*columns, strict=True))  # as `_make`, sooner
    return {
        "people": dict(zip(facts["people"]["key"], people, strict=True)),
        "merged": facts["merged"],
        "adjustments": {key: ClubAdjustment(*item) for key, *item in facts["adjustments"]},
        "rules": tuple(map(Rules.of, facts["rules"])),
        "lists": tuple(OfficialList(*item) for item in facts["lists"]),
        "key": facts["key"],
        "zone": facts["zone"],
        "withdrawn": frozenset(facts["withdrawn"]),
        "sheets": {key: EnteredSheet(key, *map(_as_tuples, own)) for key, *own in facts["sheets"]},
    }
