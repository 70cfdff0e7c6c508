"""The state of a club as a folder of columns, so that a new process need not fold all entries. No database, no clock.

The folder holds names of people; who keeps it takes it away when one of them is forgotten.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, overload

import numpy as np
import polars as pl
from numpy.typing import NDArray

import handan
from handan.club.rules import Rules
from handan.club.state import ClubAdjustment, EnteredSheet, OfficialList, Person, State
from handan.club.texts import TEXTS, frame, own_texts
from handan.errors import InputError
from handan.ledger import Ledger
from handan.ledger.coded import Coded, Different, differing
from handan.ledger.columns import SCHEMA
from handan.ledger.folder import Folder, Writing, is_kind, writing
from handan.ledger.ledger import in_order
from handan.ledger.named import Named, field_of
from handan.ledger.spellings import Spelt

KIND = "handan club state"
VERSION = 5
"""Of the layout, and of what entries mean: raised when either changes."""
SINGLE = frozenset({"date", "entry", "line", "latest", "added"})
"""Columns of wide numbers, kept as they are where none is null: a state reads them where they are mapped."""
BETWEEN = "\n"
"""Stands before each form of a name, of which none has a line break: folding makes it a blank."""
SPELLINGS = dict.fromkeys(Spelt._fields, pl.String)
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
    opened = _opened(path)
    return None if opened is None else head_in(opened)


def write_state(path: Path, state: State) -> None:
    """Write a state into a folder, in place of the one that is there: a reader sees the one or the other.

    Raises:
        InputError: Another process is writing, or the folder holds other files or cannot be written.
    """
    with writing(path, KIND, VERSION) as out:
        values = {column.name: _put_column(out, column) for column in state.games}
        out.put_value("values", values)
        out.put_value("ledger", _put_ledger(out, state.ledger))
        out.put_value("facts", _facts(state))
        out.put_value("searched", _searched_columns(state))
        out.commit(
            handan=handan.__version__, games=state.games.height, slug=state.slug, number=state.number,
            digest=state.digest, view=state.view,
        )  # fmt: skip


def read_state(path: Path, head: Head) -> State | None:
    """Return the state of a folder that has this head; None where it has another by now, or is damaged."""
    opened = _opened(path)
    if opened is None or head_in(opened) != head:
        return None
    try:
        return _read(opened, head)
    except (OSError, InputError, ValueError, KeyError, TypeError, pl.exceptions.PolarsError):
        return None


def _read(opened: Folder, head: Head) -> State:
    values, facts = opened.value("values"), opened.value("facts")
    games = int(opened.facts["games"])
    schema = frame(own_texts())
    columns = [_column(opened, name, dtype, values[name], games) for name, dtype in schema.items()]
    state = State(
        head.slug, head.number, head.digest, games=pl.DataFrame(columns, schema=schema), view=head.view,
        **_fields(facts),
    )  # fmt: skip
    vars(state)["ledger"] = _ledger(opened, opened.value("ledger"), state)
    columns = opened.value("searched")
    people = [state.people[key] for key in columns.pop("key")]
    vars(state)["searched"] = searched = ReadSearched(people, pl.DataFrame(columns, schema=SPELLINGS))
    vars(state)["searched_texts"] = searched.spellings.select("words", "heard")
    return state


def _searched_columns(state: State) -> dict[str, list[str]]:
    """Return the players whom a search looks through, and how their names are spelt, by column."""
    if isinstance(state.searched, ReadSearched):
        people, columns = state.searched.people, state.searched.spellings.to_dict(as_series=False)
    else:
        people = [person for _, person in state.searched]
        columns = {name: [_as_text(getattr(forms, name)) for forms, _ in state.searched] for name in Spelt._fields}
    return {"key": [person.key for person in people], **columns}


def _as_text(form: Collection[str]) -> str:
    return form if isinstance(form, str) else "".join(BETWEEN + each for each in sorted(form))


class ReadSearched(Sequence[tuple[Spelt, Person]]):
    """What `State.searched` has, as columns; how a name is spelt is made of them when a search looks at it."""

    def __init__(self, people: list[Person], spellings: pl.DataFrame) -> None:
        """Take the players, and the fields of `Spelt` of each, where several forms stand in one text."""
        if spellings.height != len(people):
            raise ValueError(f"{len(people)} players, {spellings.height} spellings")
        self.people, self.spellings = people, spellings

    def __len__(self) -> int:
        """Number of players."""
        return len(self.people)

    def __eq__(self, other: object) -> bool:
        """Return whether another sequence has the same."""
        return isinstance(other, Sequence) and [*self] == [*other]

    __hash__ = None  # type: ignore[assignment]

    @overload
    def __getitem__(self, place: int) -> tuple[Spelt, Person]: ...
    @overload
    def __getitem__(self, place: slice) -> list[tuple[Spelt, Person]]: ...
    def __getitem__(self, place: Any) -> Any:
        """Return how one name is spelt with its player, or those of several."""
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        return _spelt(self.spellings.row(place)), self.people[place]

    def __iter__(self) -> Iterator[tuple[Spelt, Person]]:
        """Go through all."""
        return zip(map(_spelt, self.spellings.iter_rows()), self.people, strict=True)


def _spelt(row: tuple[str, ...]) -> Spelt:
    wholes, sounds, words, heard = row
    return Spelt(frozenset(wholes.split(BETWEEN)[1:]), frozenset(sounds.split(BETWEEN)[1:]), words, heard)


def _opened(path: Path) -> Folder | None:
    try:
        opened = Folder.open(path, KIND, VERSION) if is_kind(path, KIND) else None
    except InputError:
        return None
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


def _put_column(out: Writing, column: pl.Series) -> list[Any] | None:
    """Write a column as numbers; return its different values, None where the numbers are the values themselves."""
    if column.name in SINGLE and not column.null_count():
        out.put(column.name, column.to_physical().to_numpy())
        return None
    values, number = differing(column if column.name in TEXTS else column.to_physical())
    if number is not None:
        out.put(column.name, number)
    return values.to_list()


def _column(folder: Folder, name: str, dtype: pl.DataType, values: list[Any] | None, games: int) -> pl.Series:
    """Return a column as the state has it."""
    if values is None:
        return pl.Series(name, _numbers(folder, name, games)).cast(dtype)
    written = pl.String() if name in TEXTS else pl.Series(dtype=dtype).to_physical().dtype
    different = pl.Series(name, values, dtype=written).cast(dtype)
    return Different(different, _numbers(folder, name, games) if name in folder.columns else None).column(games)


def _numbers(folder: Folder, name: str, games: int) -> NDArray[Any]:
    """Return a column as it is mapped from its file."""
    numbers = folder.checked_array(name)
    if len(numbers) != games:
        raise ValueError(f"column {name} has {len(numbers)} of {games} games")
    return numbers


def _put_ledger(out: Writing, ledger: Ledger) -> dict[str, Any]:
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


def _ledger(folder: Folder, facts: dict[str, Any], state: State) -> Ledger:
    """Return the ledger of a state, its columns mapped from the files of a folder."""

    def number(name: str) -> NDArray[Any] | None:
        return _numbers(folder, OF_LEDGER + name, facts["games"]) if OF_LEDGER + name in folder.columns else None

    different = {
        name: Different(pl.Series(name, values, dtype=SCHEMA[name]), number(name))
        for name, values in facts["values"].items()
    }
    black, white, days, line = (
        _numbers(folder, OF_LEDGER + name, facts["games"]) for name in ("black", "white", "date", "line")
    )
    players = Named(*facts["players"])
    columns = Coded(black, white, days, different, line)
    return Ledger(columns, players, in_order(state.valid_adjustments), warnings=tuple(facts["warnings"]))


def _facts(state: State) -> dict[str, Any]:
    """Return what a state says besides its games, as JSON knows it."""
    return {
        "people": [
            [key, item.name, item.reading, item.country, item.club, list(item.ids), item.entry]
            for key, item in state.people.items()
        ],
        "merged": dict(state.merged),
        "adjustments": [
            [key, item.key, item.player, dict(item.facts), item.withdrawn] for key, item in state.adjustments.items()
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
    people = (
        Person(key, name, reading, country, club, tuple(ids), entry)
        for key, name, reading, country, club, ids, entry in facts["people"]
    )
    return {
        "people": {person.key: person for person in people},
        "merged": facts["merged"],
        "adjustments": {key: ClubAdjustment(*item) for key, *item in facts["adjustments"]},
        "rules": tuple(map(Rules.of, facts["rules"])),
        "lists": tuple(OfficialList(*item) for item in facts["lists"]),
        "key": facts["key"],
        "zone": facts["zone"],
        "withdrawn": frozenset(facts["withdrawn"]),
        "sheets": {key: EnteredSheet(key, *map(_as_tuples, own)) for key, *own in facts["sheets"]},
    }
