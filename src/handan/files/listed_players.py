"""Lists of players in tables, and ranks and ratings of lists given to the players of a ledger."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

import polars as pl

from handan.errors import Clause, FieldError, InputError, Problem, closest
from handan.files.cells.dates import day_in_line
from handan.files.cells.numbers import read_register_id
from handan.files.cells.sums import are_sums_with_numbers, passed_over_sums
from handan.files.formats.aga_report import key_of, register_id
from handan.files.formats.workbook import rows_of_workbook
from handan.files.games.contents import NUMBER_OF_ONE, Contents, Entrant, Gatherer, Reading, people_in
from handan.files.io.decoding import to_utf8
from handan.files.io.header import passed_over, unread_columns
from handan.files.io.office_documents import OLE
from handan.files.io.options import Options
from handan.files.io.storage import ZIP
from handan.files.tables.player_tables import (
    PARTS,
    columns_of,
    figures_of,
    heading_row,
    register_of,
    rows_of_text,
    unread_in,
)  # fmt: skip
from handan.ledger import Adjustment, Ledger, Player, When
from handan.ledger.event_numbers import numbered_events
from handan.ledger.facts import read_deviation, read_name, read_rank, read_rating
from handan.ledger.identity import FEW, LABEL
from handan.ledger.ledger import with_problems
from handan.ledger.name_folding import loosely_spelt

PIN = re.compile(r"\d{8}")
EIGHT_DIGITS = "a number of eight digits"
MEANT_ONCE = "1 name stands otherwise in the games, and is read as there: {names}"
MEANT = "{number} names stand otherwise in the games, and are read as there: {names}"
OF_ONE_DAY_ONCE = (
    "1 rank of the list is told of one day: the player's first games declare it, from the list's day on{hint}"
)
OF_ONE_DAY = (
    "{number} ranks of the list are told of one day: each player's first games declare it, from the list's day on{hint}"
)
DAY_OF_LIST = "the text above the headings gives the day of the list, {day}: {title}"
UNLISTED = "{name} is not on the list{closest}"


def rows_of(data: bytes, source: str, options: Options) -> list[list[str]]:
    """Return the rows of a table of text, or of the first worksheet that is a list; InputError for what is neither."""
    if data.startswith((*ZIP, OLE)):
        sheets = rows_of_workbook(data, source, options)
        return next((rows for rows in sheets if heading_row(rows) is not None), [])
    try:
        return rows_of_text(to_utf8(data, source, options)[0].decode())
    except csv.Error as error:
        raise InputError(Clause.of("{source} is no table: {why}", source=source, why=str(error))) from None


def table_of_players(data: bytes, source: str, options: Options) -> Contents:
    """Read a list of players by its headings; InputError where none of them means names."""
    return players_in(rows_of(data, source, options), source, options)


def players_in(rows: Sequence[Sequence[str]], source: str, options: Options) -> Contents:
    """Return the players of the rows of a list; InputError where no heading means names."""
    place = heading_row(rows)
    if place is None:
        pattern = "{source} has no headings of a list of players, such as name, id, country, club, rank, rating"
        raise InputError(Clause.of(pattern, source=source))
    options.limits.check("players", len(rows), source)
    columns, figures = columns_of(rows[place]), figures_of(rows[place])
    numbers = [(at, rows[place][at]) for at, column in enumerate(columns) if column == "ids"]
    numbers.sort(key=lambda own: not register_of(own[1]))  # `No` may count the rows
    gatherer, entrants = Gatherer(source, options.limits), []
    titles = [" ".join(" ".join(row).split()) for row in rows[:place]]
    days = {line.day for title in titles if (line := day_in_line(title, options.dates or ""))}
    as_of = When.of(*days) if len(days) == 1 else None
    if as_of is None:
        gatherer.problems += passed_over(titles, source, place + 1)
    else:
        gatherer.remark(Clause.of(DAY_OF_LIST, day=as_of, title=" · ".join(filter(None, titles))[:60]), "date")
    gatherer.problems += unread_columns(unread_in(rows[place]), source, place + 1)
    below = rows[place + 1 :]
    if sums := [number for number, row in enumerate(below, place + 2) if are_sums_with_numbers(row)]:
        gatherer.remark(passed_over_sums(len(sums)), "")
    for number, row in enumerate(below, place + 2):
        if number in sums or not any(map(str.strip, row)):
            continue
        cells = {column: cell.strip() for column, cell in zip(columns, row, strict=False) if column and cell.strip()}
        name = cells.get("name") or " ".join(cells[part] for part in PARTS if part in cells)
        try:
            filled = ((row[at], heading) for at, heading in numbers if at < len(row) and row[at].strip())
            cells["ids"] = _number(*next(filled, ("", "")), number, gatherer)
            entrants.append(_entrant(name, cells, {what: row[at] for what, at in figures.items() if at < len(row)}))
        except FieldError as fault:
            gatherer.reject(number, fault.field, fault.found, fault.expected)
    return gatherer.contents(tuple(entrants), as_of=as_of)


def register_number(cell: str, heading: str) -> str:
    """Return the id of a cell, with the register that the heading names before it; FieldError for what is no PIN."""
    register = register_of(heading)
    text = read_register_id(cell.split(maxsplit=1)[0]) if cell.split() else ""
    if not text or not register or ":" in text:
        return text
    if register == "aga":
        return register_id(key_of(text))
    if register == "egd" and not PIN.fullmatch(text):
        raise FieldError("ids", text, EIGHT_DIGITS)
    return f"{register}:{text}"


def _number(cell: str, heading: str, line: int, gatherer: Gatherer) -> str:
    """Return the id of a cell; empty, and a warning, for no PIN."""
    try:
        return register_number(cell, heading)
    except FieldError as fault:
        if fault.expected != EIGHT_DIGITS:
            raise
        gatherer.warn(line, "PIN", fault.found, "a number of eight digits; the player has no id")
        return ""


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


def with_lists(
    games: pl.DataFrame, lists: Iterable[Reading], options: Options, set_by_hand: AbstractSet[str] = frozenset()
) -> tuple[pl.DataFrame, list[Player], list[Problem]]:
    """Give what lists tell to the players of games, by names that only one player of the lists bears.

    Ids go to players whose games have none, and ranks of tables of players to those whose games declare none.

    Args:
        games: The typed games table.
        lists: Readings of lists of players.
        options: As the user gave them.
        set_by_hand: Names or ids of players whose rank is set by hand, which counts.

    Returns:
        The games; what the lists say of players, where namesakes are found by their ids only; and whom this concerns.
    """
    players = {*people_in(games).iter_rows()}
    with_id = {name for name, number in players if number}
    named = ListedIds(frozenset(name for name, _ in players if name not in with_id))
    listed: list[Entrant] = []
    source = ""
    ranked: list[tuple[Entrant, When | None]] = []
    for reading in lists:
        entrants = reading.contents.entrants if reading.contents else ()
        meant = names_meant((each.name for each in entrants), (name for name, _ in players))
        named.problems += remark_of_meant(meant, reading.source)
        entrants = tuple(replace(each, name=meant.get(each.name, each.name)) for each in entrants)
        named.add(reading.source, entrants)
        listed += entrants
        if reading.only_players:  # a register need not know everybody, and its ranks are of its own day
            named.problems += _unlisted(players, named.names, entrants, reading.source)
            since = day_of(reading.contents, options) if reading.contents else None
            ranked += [(each, since) for each in entrants if each.rank]
            source = source or reading.source
    problems = [
        Problem(source, None, "name", name, "the name of one player only", rejected=False)
        for name, source in named.several.items()
    ]
    if ids := named.ids_of_one():
        games = games.with_columns(_with_id(side, ids) for side in ("black", "white"))
    games, others = _with_ranks(games, ranked, {*named.several, *set_by_hand})
    if others:
        message = Clause.of(OF_ONE_DAY if others > 1 else OF_ONE_DAY_ONCE, number=f"{others:,}", hint=" (--list-date)")
        problems.append(Problem(source, None, "rank", "", "", rejected=False, message=message))
    by_name = [each.player for each in listed if each.name not in named.several]
    by_id = [replace(each.player, name=f"{each.name}{LABEL.format(each.id)}")
             for each in listed if each.id and each.name in named.several]  # fmt: skip
    return games, by_name + by_id, named.problems + problems


def names_meant(listed: Iterable[str], there: Iterable[str]) -> dict[str, str]:
    """Return the names of players that listed ones mean which nobody bears as they stand.

    A name means the only one of the same words, whatever their order, marks and capitals, as `Lind, Åda` is `Ada Lind`.
    """
    played, written = {*there}, {*listed}
    forms: dict[str, set[str]] = {}
    for name in written - played:
        forms.setdefault(loosely_spelt(name), set()).add(name)
    bearers: dict[str, set[str]] = {}
    for name in played - written if forms else ():
        if (form := loosely_spelt(name)) in forms:
            bearers.setdefault(form, set()).add(name)
    return {
        next(iter(forms[form])): next(iter(names))
        for form, names in bearers.items() if form and len(names) == len(forms[form]) == 1
    }  # fmt: skip


def remark_of_meant(meant: Mapping[str, str], source: str) -> list[Problem]:
    """Return the remark about names of a list that are written otherwise in the games; none where all are the same."""
    if not meant:
        return []
    few = "; ".join(f"{name} = {own}" for name, own in sorted(meant.items())[:FEW]) + " …" * (len(meant) > FEW)
    message = Clause.of(MEANT_ONCE if len(meant) == 1 else MEANT, number=f"{len(meant):,}", names=few)
    return [Problem(source, None, "name", few, "", rejected=False, message=message)]


def _unlisted(
    players: AbstractSet[tuple[str, str]], bare: AbstractSet[str], entrants: Sequence[Entrant], source: str
) -> list[Problem]:
    """Return warnings that a list lacks some of the players, who are told by name and id, with names that are like.

    `bare` are the names of those without an id.
    """
    there = {(each.name, each.id) for each in entrants}
    numbers, names = {number for _, number in there}, {name for name, _ in there}
    unlisted = {name for name in bare if name not in names}
    unlisted |= {name for name, number in players if number and number not in numbers and (name, "") not in there}
    idle = sorted(names - {name for name, _ in players})
    hints = {name: hint for name in sorted(unlisted)[:FEW] if (hint := closest(name, idle))}
    problems = [
        Problem(source, None, "name", name, "", rejected=False, message=Clause.of(UNLISTED, name=name, closest=hint))
        for name, hint in hints.items()
    ]
    if rest := sorted(unlisted - hints.keys()):
        few = ", ".join(rest[:FEW]) + " …" * (len(rest) > FEW)
        problems.append(Problem(source, None, "name", few, "one of the players", rejected=False))
    return problems


def _with_ranks(
    games: pl.DataFrame, ranked: Sequence[tuple[Entrant, When | None]], without: AbstractSet[str]
) -> tuple[pl.DataFrame, int]:
    """Return games with the ranks of lists, the first of each player, for those of whom no game declares one.

    A list tells the rank of one day, its own if it says one. So games of the first day from then on declare it, and
    those of the same event; others do not.

    Args:
        games: The typed games table.
        ranked: Players with their ranks, and the day of their list.
        without: Names and ids of those who get none.

    Returns:
        The games, and how many of these players have games on other days.
    """
    ids = {each.id: (each.rank, day) for each, day in reversed(ranked) if each.id}
    names = {each.name: (each.rank, day) for each, day in reversed(ranked) if each.name not in without}
    seats = _seats(games)
    own = seats.group_by("name", "id").agg(pl.col("rank").max())
    rows = [
        (name, number, listed[0], listed[1] and listed[1].moment) for name, number, declared in own.iter_rows()
        if not declared and not {name, number} & without and (listed := ids.get(number) or names.get(name))
    ]  # fmt: skip
    if not rows:
        return games, 0
    schema = {**dict.fromkeys(("name", "id", "listed"), pl.String()), "since": games.schema["date"]}
    seats = seats.drop("rank").join(pl.DataFrame(rows, schema=schema, orient="row"), on=["name", "id"])
    late = seats.filter(pl.any_horizontal(pl.col("date", "since").is_null()) | (pl.col("date") >= pl.col("since")))
    first = late.filter(pl.col("date").dt.date() == pl.col("date").dt.date().min().over("name", "id"))
    chosen = late.filter(
        pl.col("date").is_null()
        | pl.struct("name", "id", "event").is_in(first.select(pl.struct("name", "id", "event")).to_series().implode())
        | pl.struct("name", "id", "day").is_in(first.select(pl.struct("name", "id", "day")).to_series().implode())
    )
    others = seats.join(chosen, on=["game", "side"], how="anti").select("name", "id").n_unique()
    for side in ("black", "white"):
        ranks = chosen.filter(pl.col("side") == side).select("game", "listed")
        filled = games.with_row_index("game").join(ranks, on="game", how="left", maintain_order="left")["listed"]
        games = games.with_columns(filled.fill_null(games[f"{side}_rank"]).alias(f"{side}_rank"))
    return games, others


def _seats(games: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each side of each game: who sat there, with what rank, when, and in which event."""
    names = games["event"].cast(pl.String).fill_null("")
    moments = games["date"].to_numpy().astype("datetime64[us]")
    numbers = numbered_events(names.rank("dense").to_numpy(), (names != "").to_numpy(), moments)
    event = pl.int_range(games.height, eager=True) if numbers is None else pl.Series(numbers)
    numbered = games.with_row_index("game").with_columns(event=event, day=pl.col("date").dt.date())
    return pl.concat(
        numbered.select(
            "game", "date", "day", "event", side=pl.lit(side), name=side, id=f"{side}_id",
            rank=pl.col(f"{side}_rank").fill_null(""),
        )
        for side in ("black", "white")
    )  # fmt: skip


def _with_id(side: str, ids: Mapping[str, str]) -> pl.Expr:
    """Return the ids of a side, with these by name where it has none."""
    own = pl.col(f"{side}_id")
    by_name = pl.col(side).replace_strict(ids, default="", return_dtype=pl.String)
    return pl.when(own == "").then(by_name).otherwise(own).alias(f"{side}_id")


def listed_in(ledger: Ledger, entrants: Iterable[Entrant]) -> dict[str, Entrant]:
    """Return the players of a list by the names that they have in a ledger; found by id, then by name."""
    listed: dict[str, Entrant] = {}
    by_id: set[str] = set()
    everybody = list(entrants)
    meant = names_meant((each.name for each in everybody), ledger.names)
    for entrant in everybody:
        place = ledger.get(entrant.id) if entrant.id else None
        sure = place is not None
        if place is None:
            place = ledger.get(meant.get(entrant.name, entrant.name))
            other = "" if place is None else ledger.players[place].id
            if place is None or (other and entrant.id and other.split(":")[0] == entrant.id.split(":")[0]):
                continue  # a namesake: the register gives the two different numbers
        name = ledger.players[place].name
        if sure or name not in by_id:
            listed[name] = entrant
        if sure:
            by_id.add(name)
    return listed


def remark_of_names(listed: Mapping[str, Entrant], source: str) -> list[Problem]:
    """Return the remark about players of a ledger whose names a list writes in other order, marks or capitals."""
    meant = {
        entrant.name: name for name, entrant in listed.items()
        if entrant.name != name and loosely_spelt(entrant.name) == loosely_spelt(name)
    }  # fmt: skip
    return remark_of_meant(meant, source)


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


def taken_over(ledger: Ledger, contents: Contents, source: str, options: Options) -> Ledger:
    """Return a ledger whose players have the ranks and ratings of a list from its day on."""
    since = day_of(contents, options)
    there = listed_in(ledger, contents.entrants)
    made = (adjustment_by_list(entrant, name, since) for name, entrant in there.items())
    problems = [*contents.problems, *remark_of_names(there, source)]
    adjusted = with_problems(ledger.with_adjustments(item for item in made if item is not None), problems)
    return replace(adjusted, saved=ledger.saved)
