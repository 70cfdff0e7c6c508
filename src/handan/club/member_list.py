"""A list of members as clubs keep it: what its columns mean, whom the club has already, and the entries it makes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from handan.club import changes
from handan.club.changes import with_drafts
from handan.club.changes.club_facts import checked_year
from handan.club.entries import Draft
from handan.club.people import Person
from handan.club.state import State
from handan.errors import FieldError, InputError, QuestionError
from handan.files.cells.dates import DateReader
from handan.files.cells.sums import are_sums_with_numbers
from handan.files.listed_players import register_number
from handan.files.tables.player_tables import MEMBERSHIP, PARTS, PLAYER, columns_of, heading_row, register_of
from handan.ledger.dates import read_day
from handan.ledger.name_folding import loosely_spelt
from handan.ranks import Rank
from handan.systems import System

MEMBER = (*PLAYER, *MEMBERSHIP)
"""What a list says of a member, in the order of lists without headings; how he belongs to the club needs a heading."""
COUNTRY_LETTERS = (2, 3)  # of codes of ISO 3166
DESTROYED = "\N{REPLACEMENT CHARACTER}"
"""What stands for bytes that are no letters of the encoding of a file."""
NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
NO_RANK = frozenset((
    "-", "–", "—", "―", "−", "ー", "?", "none", "no rank", "unranked", "なし", "無し", "無", "無段", "無級", "無段級",
    "无", "没有", "없음",
))  # fmt: skip
"""What stands in place of the rank of who has none."""


@dataclass(frozen=True, slots=True)
class ListedMember:
    """One line of the list."""

    number: int
    name: str
    reading: str = ""
    rank: str = ""
    rating: str = ""
    country: str = ""
    club: str = ""
    ids: str = ""
    paid_until: str = ""
    """The day in ISO's form, or what stands in the list where that is no day."""
    born: str = ""
    """The year, or what stands in the list where that is none."""
    fault: InputError | None = None
    """What is wrong with it; None if it can be registered."""
    alike: tuple[Person, ...] = ()
    """Members who bear the same name or reading."""
    twice: bool = False
    """Whether the list has the name before, and no other word as the club tells the two apart."""


def headed(rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Return the rows of a list from its headings on, all of them if no row is one of headings."""
    return rows[heading_row(rows) or 0 :]


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
    names: set[tuple[str, str]] = set()
    headings = rows[0] if columns and first_is_heading else ()
    body = rows[1:] if headings else rows
    lines = [_by_heading(columns, row) if columns else _by_content(row) for row in body]
    misnumbered = {
        at: fault for at, row in enumerate(body) if (fault := _take_number(lines[at], columns, headings, row))
    }
    days, births = (_days(line[name] for line in lines) for name in MEMBERSHIP)
    for number, cells in enumerate(lines, 1):
        if not any(cells.values()) or are_sums_with_numbers(body[number - 1]):
            continue
        cells["paid_until"] = days.get(cells["paid_until"], cells["paid_until"])
        cells["born"] = births[cells["born"]][:4] if cells["born"] in births else cells["born"]
        name = (loosely_spelt(cells["name"]), cells["club"])
        member = ListedMember(
            number,
            **cells,
            fault=misnumbered.get(number - 1) or _fault(state, cells),
            alike=_same_name(state, cells),
            twice=name in names,
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
    rank = "" if cells["rank"].lower() in NO_RANK else cells["rank"]
    return {**cells, "rank": rank, "rating": changes.players.plain_rating(cells["rating"])}


def _take_number(
    cells: dict[str, str], columns: Sequence[str], headings: Sequence[str], row: Sequence[str]
) -> FieldError | None:
    """Give a line the number under the heading of a register, with that register; return what is wrong with it."""
    for column, heading, cell in zip(columns, headings, row, strict=False):
        if column == "ids" and register_of(heading) and cell.strip():
            try:
                cells["ids"] = register_number(cell.strip(), heading)
            except FieldError as fault:
                return fault
            break
    return None


def _by_content(row: Sequence[str]) -> dict[str, str]:
    """Return a row without headings: ranks, numbers of registers and countries show themselves, names come first.

    A number behind the name is the points; one before it counts the lines, and is no name.
    """
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
        elif NUMBER.fullmatch(plain := changes.players.plain_rating(cell)):
            if cells["name"] and not cells["rating"]:
                cells["rating"] = plain
        else:
            name = next((name for name in ("name", "reading", "club") if not cells[name]), "")
            if name:
                cells[name] = cell
    return cells


def _days(cells: Iterable[str]) -> dict[str, str]:
    """Return the days of a column, in ISO's form; none where it is open whether the day or the month comes first."""
    try:
        return {cell: str(when.last.date()) for cell, when in DateReader()(dict.fromkeys(cells))[0].items()}
    except QuestionError:
        return {}


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
        for name in ("name", "reading"):
            if DESTROYED in cells[name]:
                raise FieldError(name, cells[name], "a name whose letters can all be read; save the list as CSV UTF-8")
        changes.players.register_player(state, _fields(cells))
        if cells["rank"]:
            Rank.parse(cells["rank"])
        changes.players.read_rating(cells["rating"])
        checked_year(cells["born"])
        if cells["paid_until"]:
            read_day("paid-until", cells["paid_until"])
    except InputError as error:
        return error
    return None


def _fields(cells: dict[str, str]) -> dict[str, object]:
    return {**{name: cells[name] for name in ("name", "reading", "country", "club")}, "ids": cells["ids"].split()}


def other_ranks(system: System, members: Iterable[ListedMember]) -> dict[int, Rank]:
    """Return the ranks that a system gives to the ratings of members whose lines say another rank, by line."""
    ranks = {each.number: other_rank(system, each.rank, each.rating) for each in members if each.fault is None}
    return {number: rank for number, rank in ranks.items() if rank is not None}


def other_rank(system: System, rank: str, rating: Any) -> Rank | None:
    """Return the rank that a system gives to a rating beside another rank; None where they agree, or one is missing."""
    number = changes.players.read_rating(rating)
    if not rank or number is None:
        return None
    listed = Rank.parse(rank)
    by_rating = system.rank_held(listed, number)
    return None if by_rating == listed else by_rating


def member_drafts(
    state: State, members: Iterable[ListedMember], now: datetime, today: date, as_of: str = ""
) -> list[Draft]:
    """Return the entries that register members of a list, each with rank and points on entry, in its order.

    `as_of` is the day before whose games the points were so; empty: before all games.
    """
    drafts: list[Draft] = []
    registered = state
    for member in members:
        if member.fault:
            raise FieldError("list", member.name, f"a member who can be registered: {member.fault}")
        cells = {name: getattr(member, name) for name in MEMBER}
        entry = {"rank": member.rank, "rating": member.rating, "date": as_of}
        own = changes.players.register_ranked(registered, _fields(cells), entry, today)
        registered = with_drafts(registered, own, now)
        drafts += own
    return drafts
