"""Lists of players in tables, and ranks and ratings of lists given to the players of a ledger."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from dataclasses import replace

from handan.errors import Clause, FieldError, InputError
from handan.files.cells.numbers import read_register_id
from handan.files.formats.workbook import rows_of_workbook
from handan.files.games.contents import Contents, Entrant, Gatherer
from handan.files.io.decoding import to_utf8
from handan.files.io.office_documents import OLE
from handan.files.io.options import Options
from handan.files.io.storage import ZIP
from handan.files.tables.player_tables import DEEPEST, PARTS, columns_of, figures_of
from handan.ledger import Adjustment, Ledger, When
from handan.ledger.facts import read_deviation, read_name, read_rank, read_rating
from handan.ledger.ledger import with_problems


def rows_of(data: bytes, source: str, options: Options) -> list[list[str]]:
    """Return the rows of a table of text, or of the first filled worksheet; InputError for what is neither."""
    if data.startswith((*ZIP, OLE)):
        return next(iter(rows_of_workbook(data, source, options)), [])
    text = to_utf8(data, source, options)[0].decode()
    head = next((line for line in text.splitlines() if line.strip()), "")
    separator = max("\t;,", key=head.count)
    try:
        return [row for row in csv.reader(io.StringIO(text), delimiter=separator) if any(row)]
    except csv.Error as error:
        raise InputError(Clause.of("{source} is no table: {why}", source=source, why=str(error))) from None


def table_of_players(data: bytes, source: str, options: Options) -> Contents:
    """Read a list of players by its headings; InputError where none of them means names."""
    rows = rows_of(data, source, options)
    place = next((at for at, row in enumerate(rows[:DEEPEST]) if columns_of(row)), None)
    if place is None:
        pattern = "{source} has no headings of a list of players, such as name, id, country, club, rank, rating"
        raise InputError(Clause.of(pattern, source=source))
    options.limits.check("players", len(rows), source)
    columns, figures = columns_of(rows[place]), figures_of(rows[place])
    gatherer, entrants = Gatherer(source, options.limits), []
    for number, row in enumerate(rows[place + 1 :], place + 2):
        cells = {column: cell.strip() for column, cell in zip(columns, row, strict=False) if column and cell.strip()}
        name = cells.get("name") or " ".join(cells[part] for part in PARTS if part in cells)
        try:
            entrants.append(_entrant(name, cells, {what: row[at] for what, at in figures.items() if at < len(row)}))
        except FieldError as fault:
            gatherer.reject(number, fault.field, fault.found, fault.expected)
    return gatherer.contents(tuple(entrants))


def _entrant(name: str, cells: Mapping[str, str], figures: Mapping[str, str]) -> Entrant:
    """Return a player of a list; FieldError for a cell that cannot be read."""
    number = cells.get("ids", "").split()
    return Entrant(
        read_name(name), read_register_id(number[0]) if number else "", cells.get("country", ""), cells.get("club", ""),
        rank=read_rank(cells.get("rank", "")).rstrip("?*"), rating=read_rating(figures.get("rating", "")),
        deviation=read_deviation(figures.get("deviation", "")),
    )  # fmt: skip


def listed_in(ledger: Ledger, entrants: Iterable[Entrant]) -> dict[str, Entrant]:
    """Return the players of a list by the names that they have in a ledger; found by id, then by name."""
    listed: dict[str, Entrant] = {}
    by_id: set[str] = set()
    for entrant in entrants:
        place = ledger.get(entrant.id) if entrant.id else None
        sure = place is not None
        if place is None:
            place = ledger.get(entrant.name)
            other = "" if place is None else ledger.players[place].id
            if place is None or (other and entrant.id and other.split(":")[0] == entrant.id.split(":")[0]):
                continue  # a namesake: the register gives the two different numbers
        name = ledger.players[place].name
        if sure or name not in by_id:
            listed[name] = entrant
        if sure:
            by_id.add(name)
    return listed


def ratings_listed(ledger: Ledger, entrants: Iterable[Entrant]) -> dict[str, float]:
    """Return the ratings of a list by the names that its players have in a ledger; found by id, then by name."""
    rated = (entrant for entrant in entrants if entrant.rating is not None)
    return {name: entrant.rating for name, entrant in listed_in(ledger, rated).items() if entrant.rating is not None}


def adjustment_by_list(entrant: Entrant, name: str, day: When | None) -> Adjustment | None:
    """Return the rank and rating of a list as an adjustment of the player of a name; None where it has neither."""
    if not entrant.rank and entrant.rating is None:
        return None
    return Adjustment(name, entrant.rank or None, entrant.rating, day, "list", deviation=entrant.deviation)


def day_of(contents: Contents, options: Options) -> When | None:
    """Return from when on the ranks and ratings of a list hold: as the user says, else as the list does."""
    return When.of(options.list_date) or contents.as_of


def taken_over(ledger: Ledger, contents: Contents, options: Options) -> Ledger:
    """Return a ledger whose players have the ranks and ratings of a list from its day on."""
    since = day_of(contents, options)
    there = listed_in(ledger, contents.entrants)
    made = (adjustment_by_list(entrant, name, since) for name, entrant in there.items())
    adjusted = with_problems(ledger.with_adjustments(item for item in made if item is not None), contents.problems)
    return replace(adjusted, saved=ledger.saved)
