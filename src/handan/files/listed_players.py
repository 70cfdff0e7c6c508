"""Lists of players in tables, and ranks and ratings of lists given to the players of a ledger."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

import polars as pl

from handan.errors import Clause, FieldError, InputError, Problem
from handan.files.cells.numbers import read_register_id
from handan.files.formats.aga_report import key_of, register_id
from handan.files.formats.workbook import rows_of_workbook
from handan.files.games.contents import NUMBER_OF_ONE, Contents, Entrant, Gatherer, Reading
from handan.files.io.decoding import to_utf8
from handan.files.io.header import IGNORED
from handan.files.io.office_documents import OLE
from handan.files.io.options import Options
from handan.files.io.storage import ZIP
from handan.files.tables.player_tables import DEEPEST, PARTS, columns_of, figures_of, register_of, unread_in
from handan.ledger import Adjustment, Ledger, Player, When
from handan.ledger.facts import read_deviation, read_name, read_rank, read_rating
from handan.ledger.identity import FEW, LABEL
from handan.ledger.ledger import with_problems

PIN = re.compile(r"\d{8}")


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
    numbers = [(at, register_of(rows[place][at])) for at, column in enumerate(columns) if column == "ids"]
    numbers.sort(key=lambda own: not own[1])  # `No` may count the rows
    gatherer, entrants = Gatherer(source, options.limits), []
    if unread := unread_in(rows[place]):
        gatherer.warn(place + 1, "column", ", ".join(unread), Clause.of(IGNORED, closest=""))
    for number, row in enumerate(rows[place + 1 :], place + 2):
        cells = {column: cell.strip() for column, cell in zip(columns, row, strict=False) if column and cell.strip()}
        name = cells.get("name") or " ".join(cells[part] for part in PARTS if part in cells)
        try:
            filled = ((row[at], register) for at, register in numbers if at < len(row) and row[at].strip())
            cells["ids"] = _number(*next(filled, ("", "")), number, gatherer)
            entrants.append(_entrant(name, cells, {what: row[at] for what, at in figures.items() if at < len(row)}))
        except FieldError as fault:
            gatherer.reject(number, fault.field, fault.found, fault.expected)
    return gatherer.contents(tuple(entrants))


def _number(cell: str, register: str, line: int, gatherer: Gatherer) -> str:
    """Return the id of a cell, with the register that the heading names before it; empty, and a warning, for no PIN."""
    text = read_register_id(cell.split(maxsplit=1)[0]) if cell.split() else ""
    if not text or not register or ":" in text:
        return text
    if register == "aga":
        return register_id(key_of(text))
    if register == "egd" and not PIN.fullmatch(text):
        gatherer.warn(line, "PIN", text, "a number of eight digits; the player has no id")
        return ""
    return f"{register}:{text}"


def _entrant(name: str, cells: Mapping[str, str], figures: Mapping[str, str]) -> Entrant:
    """Return a player of a list; FieldError for a cell that cannot be read."""
    return Entrant(
        read_name(name), cells.get("ids", ""), cells.get("country", ""), cells.get("club", ""),
        rank=read_rank(cells.get("rank", "")).rstrip("?*"), rating=read_rating(figures.get("rating", "")),
        deviation=read_deviation(figures.get("deviation", "")),
    )  # fmt: skip


@dataclass(slots=True)
class ListedIds:
    """The ids that lists give to players who have none in the games, by their names."""

    names: frozenset[str]
    ids: dict[str, dict[str, str]] = field(default_factory=dict)
    """By name and register."""
    several: dict[str, str] = field(default_factory=dict)
    """Names that several players of the lists bear, with the list that says so."""
    problems: list[Problem] = field(default_factory=list)

    def add(self, source: str, entrants: Sequence[Entrant]) -> None:
        """Take a list: a number that it gives to several names is given to none of them, and that is said."""
        owners: dict[str, set[str]] = {}
        for each in entrants:
            owners.setdefault(each.id, set()).add(each.name)
        first: dict[str, Entrant] = {}
        for each in entrants:
            if each.name not in self.names:
                continue
            other = first.setdefault(each.name, each)
            if (each.id, each.country, each.club) != (other.id, other.country, other.club):
                self.several.setdefault(each.name, source)
            register, colon, _ = each.id.partition(":")
            if not colon:  # a number of no register may be that of another player in the next list
                continue
            if len(owners[each.id]) > 1:
                one = Clause.of(NUMBER_OF_ONE, name=", ".join(sorted(owners[each.id] - {each.name})))
                self.problems.append(Problem(source, None, f"id of {each.name}", each.id, one, rejected=False))
            elif self.ids.setdefault(each.name, {}).setdefault(register, each.id) != each.id:
                self.several.setdefault(each.name, source)

    def ids_of_one(self) -> dict[str, str]:
        """Return the id of each name that only one player bears; of several registers, of the first list's."""
        return {name: next(iter(own.values())) for name, own in self.ids.items() if name not in self.several}


def with_ids(games: pl.DataFrame, lists: Iterable[Reading]) -> tuple[pl.DataFrame, list[Player], list[Problem]]:
    """Give the ids of lists to players whose games have none, by names that only one player of the lists bears.

    Returns:
        The games; what the lists say of players, where namesakes are found by their ids only; and whom this concerns.
    """
    sides = [games.select(name=side, id=f"{side}_id").unique() for side in ("black", "white")]
    players = {*pl.concat(sides).iter_rows()}
    with_id = {name for name, number in players if number}
    named = ListedIds(frozenset(name for name, _ in players if name not in with_id))
    listed: list[Entrant] = []
    for reading in lists:
        entrants = reading.contents.entrants if reading.contents else ()
        named.add(reading.source, entrants)
        listed += entrants
        if reading.only_players:  # a register need not know everybody
            named.problems += _unlisted(players, named.names, reading)
    problems = [
        Problem(source, None, "name", name, "the name of one player only", rejected=False)
        for name, source in named.several.items()
    ]
    if ids := named.ids_of_one():
        games = games.with_columns(_with_id(side, ids) for side in ("black", "white"))
    by_name = [each.player for each in listed if each.name not in named.several]
    by_id = [replace(each.player, name=f"{each.name}{LABEL.format(each.id)}")
             for each in listed if each.id and each.name in named.several]  # fmt: skip
    return games, by_name + by_id, named.problems + problems


def _unlisted(players: AbstractSet[tuple[str, str]], bare: AbstractSet[str], reading: Reading) -> list[Problem]:
    """Return the warning that a list lacks some of the players, who are told by name and id; none if it lacks nobody.

    `bare` are the names of those without an id.
    """
    there = {(each.name, each.id) for each in (reading.contents.entrants if reading.contents else ())}
    numbers, names = {number for _, number in there}, {name for name, _ in there}
    unlisted = {name for name in bare if name not in names}
    unlisted |= {name for name, number in players if number and number not in numbers and (name, "") not in there}
    if not unlisted:
        return []
    few = ", ".join(sorted(unlisted)[:FEW]) + " …" * (len(unlisted) > FEW)
    return [Problem(reading.source, None, "name", few, "one of the players", rejected=False)]


def _with_id(side: str, ids: Mapping[str, str]) -> pl.Expr:
    """Return the ids of a side, with these by name where it has none."""
    own = pl.col(f"{side}_id")
    by_name = pl.col(side).replace_strict(ids, default="", return_dtype=pl.String)
    return pl.when(own == "").then(by_name).otherwise(own).alias(f"{side}_id")


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
