"""A list of members as clubs keep it: what its columns mean, whom the club has already, and the entries it makes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from handan.club import changes
from handan.club.entries import Draft, chained
from handan.club.folding import fold
from handan.club.people import Person
from handan.club.state import State
from handan.errors import FieldError, InputError
from handan.files.tables.player_tables import DEEPEST, PARTS, PLAYER, columns_of
from handan.ledger.names import loosely_spelt
from handan.ranks import Rank

MEMBER = PLAYER
"""What a member is registered with, in the order of lists without headings."""
COUNTRY_LETTERS = (2, 3)  # of codes of ISO 3166


@dataclass(frozen=True, slots=True)
class ListedMember:
    """One line of the list."""

    number: int
    name: str
    reading: str = ""
    rank: str = ""
    country: str = ""
    club: str = ""
    ids: str = ""
    fault: InputError | None = None
    """What is wrong with it; None if it can be registered."""
    alike: tuple[Person, ...] = ()
    """Members who bear the same name or reading."""
    twice: bool = False
    """Whether the list has the name before."""


def headed(rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Return the rows of a worksheet from its headings on, all of them if no row is one of headings."""
    place = next((place for place, row in enumerate(rows[:DEEPEST]) if columns_of(row)), 0)
    return rows[place:]


def listed(
    state: State, rows: Sequence[Sequence[str]], meanings: Sequence[str] = (), *, first_is_heading: bool = True
) -> tuple[list[str], list[ListedMember]]:
    """Return what the columns of a list mean, empty where it has no headings, and its members.

    Args:
        state: The club.
        rows: Cells of each line.
        meanings: What each column holds, as whoever sent it says: one of `MEMBER` and `PARTS`, or empty; none: as the
            headings or the cells show.
        first_is_heading: Whether the first line is no member, where `meanings` are given.
    """
    columns = list(meanings) or (columns_of(rows[0]) if rows else [])
    members: list[ListedMember] = []
    names: set[str] = set()
    for number, row in enumerate(rows[1:] if columns and first_is_heading else rows, 1):
        cells = _by_heading(columns, row) if columns else _by_content(row)
        if not any(cells.values()):
            continue
        name = loosely_spelt(cells["name"])
        member = ListedMember(
            number, **cells, fault=_fault(state, cells), alike=_same_name(state, cells), twice=name in names
        )
        names.add(name)
        members.append(member)
    return columns, members


def _by_heading(columns: Sequence[str], row: Sequence[str]) -> dict[str, str]:
    cells = dict.fromkeys((*MEMBER, *PARTS), "")
    for column, cell in zip(columns, row, strict=False):
        if column and not cells[column]:
            cells[column] = cell.strip()
    parts = [cells.pop(name) for name in PARTS]
    cells["name"] = cells["name"] or " ".join(part for part in parts if part)
    return cells


def _by_content(row: Sequence[str]) -> dict[str, str]:
    """Return a row without headings: ranks, numbers of registers and countries show themselves, names come first."""
    cells = dict.fromkeys(MEMBER, "")
    for cell in (text.strip() for text in row):
        if not cell:
            continue
        if not cells["rank"] and _is_rank(cell):
            cells["rank"] = cell
        elif not cells["ids"] and ":" in cell:
            cells["ids"] = cell
        elif not cells["country"] and cell.isascii() and cell.isupper() and len(cell) in COUNTRY_LETTERS:
            cells["country"] = cell
        else:
            name = next((name for name in ("name", "reading", "club") if not cells[name]), "")
            if name:
                cells[name] = cell
    return cells


def _is_rank(text: str) -> bool:
    try:
        return Rank.parse(text) is not None
    except InputError:
        return False


def _same_name(state: State, cells: dict[str, str]) -> tuple[Person, ...]:
    """Return the people of the club who are spelt like the name or the reading of a row, whoever they are."""
    forms = {form for form in (cells["name"], cells["reading"]) if form}
    keys: list[str] = []
    for form in forms:
        keys += [*state.spelt(form), *state.loosely_spelt(form)]
    return tuple(state.active[key] for key in dict.fromkeys(keys))


def _fault(state: State, cells: dict[str, str]) -> InputError | None:
    try:
        changes.register_player(state, _fields(cells))
        if cells["rank"]:
            Rank.parse(cells["rank"])
    except InputError as error:
        return error
    return None


def _fields(cells: dict[str, str]) -> dict[str, object]:
    return {**{name: cells[name] for name in ("name", "reading", "country", "club")}, "ids": cells["ids"].split()}


def member_drafts(state: State, members: Iterable[ListedMember], now: datetime, today: date) -> list[Draft]:
    """Return the entries that register members of a list, each with the rank on entry, in its order."""
    drafts: list[Draft] = []
    registered = state
    for member in members:
        if member.fault:
            raise FieldError("list", member.name, f"a member who can be registered: {member.fault}")
        cells = {name: getattr(member, name) for name in MEMBER}
        own = changes.register_ranked(registered, _fields(cells), member.rank, today)
        registered = fold(registered, chained(own, registered.number, registered.digest, "", now))
        drafts += own
    return drafts
