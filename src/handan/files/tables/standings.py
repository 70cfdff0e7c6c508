"""Standings that programs print: a row a player with a column a round, whose cells name the opponent.

Tables of OpenGotha and MacMahon have `2+/w0` in the cells, those of chess programs `2w1`. They come as text, as a
worksheet, or out of a web page, and are known by their headings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from handan.errors import Clause, InputError, clause_of, shown
from handan.files.cells.dates import day_in_line, looks_like_date
from handan.files.cells.numbers import round_in
from handan.files.cells.results import letters_of
from handan.files.cells.sums import are_sums_with_numbers, has_letters
from handan.files.games.contents import Contents, Entrant, Gatherer, club_of
from handan.files.games.missing_dates import day_of_titles
from handan.files.games.wall_list_columns import IDLE, parse_result_cell
from handan.files.games.wall_lists import Row, WallList, contents_of
from handan.files.io.header import DEEPEST, passed_over, passed_over_below, unread_columns
from handan.files.io.options import Options
from handan.files.tables.column_names import meaning_of
from handan.files.tables.header_rows import cell_at
from handan.ledger.facts import read_name
from handan.ranks import plain_rank
from handan.words import joined, words_of

ROUND = re.compile(r"(?:Rd?)?\s?[.:#-]?\s?([0-9]{1,2})|([0-9]{1,2})\s?\.?\s?Rd\.?", re.IGNORECASE)
"""A heading of a round without a word: `1`, `R 1`, `Rd. 1`, and `1.Rd` of chess programs."""
LONGEST_HEADING, LONGEST_CELL = 20, 30  # characters; our choice
RANK = re.compile(r"\d{1,2}\s?[kdp][?*]?", re.IGNORECASE)
CHESS = re.compile(r"(\d{1,4})\s?([wbs])\s?([10½=+-]|0\.5|1/2)", re.IGNORECASE)
"""A cell of a chess program: opponent, colour (s is `schwarz`), points; + and - are without play."""
CHESS_SYMBOLS = {"1": "+", "0": "-", "½": "=", "=": "=", "0.5": "=", "1/2": "=", "+": "+!", "-": "-!"}
CHESS_BYE = {"-1": "0+", "+1": "0+", "-½": "0=", "-0.5": "0=", "-=": "0=", "-0": "0-"}
"""Cells of a chess program without an opponent."""
FEWEST = 2  # players
NUMBER = re.compile(r"[0-9]{1,6}")
BARE_KYU = re.compile(r"[0-9]{1,2}")
RATING = re.compile(r"-?[0-9]{1,4}(?:[.,][0-9]{1,5})?")
ORIGINS = {"egf": "EGF", "gor": "EGF", "aga": "AGA", "ffg": "FFG"}
"""Whose the ratings are, by how their heading begins."""
OF_NOBODY = (
    "nothing says whose ratings stand under {column}, so that no system begins with them; a heading with EGF or AGA "
    "would"
)
FIGURE = re.compile(r"[+-]?[0-9]{0,6}(?:[.,][0-9]{1,6}|[½¼¾])?")
"""A cell of points or of a tie-break."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the cells of a table stand."""

    grid: Sequence[Sequence[str]]
    header: int
    """Place of the row of headings."""
    name: int
    rounds: dict[int, int]
    """Column of each round."""
    body: list[int]
    """Places of the rows of players."""

    def heading(self, at: int) -> str:
        """Return the heading of a column, empty where it has none."""
        return cell_at(self.grid, self.header, at)

    def cells(self, at: int) -> list[str]:
        """Return what stands in a column in the rows of players."""
        return [cell_at(self.grid, row, at) for row in self.body]


def standings(
    grid: Sequence[Sequence[str]], source: str, options: Options, *, by_blanks: bool = False
) -> Contents | None:
    """Return the games of a table of standings; None if a grid is none.

    Args:
        grid: The cells; the lines of the reports are its rows, counted from 1.
        source: Name for the reports.
        options: As the user gave them.
        by_blanks: Whether blanks separate the cells, which may stand in a name too.
    """
    layout = layout_of(grid, by_blanks=by_blanks)
    if layout is None:
        return None
    gatherer = Gatherer(source, options.limits)
    chess = any(CHESS.fullmatch(cell) for column in layout.rounds.values() for cell in layout.cells(column))
    colours = _colours(layout)
    cells = {row: tuple(_halves(row, layout, colours)) for row in layout.body}
    numbers, column = _numbers(layout, cells)
    titles = [cell.strip() for row in grid[: layout.header] for cell in row if cell.strip()]
    title = next((cell for cell in titles if not looks_like_date(cell)), "")
    headings = [layout.heading(at) for at in range(max(map(len, grid[layout.header :])))]
    facts = _facts(layout)
    place = _place(layout, column)
    ratings = [at for at in range(len(headings)) if _holds_ratings(layout, at)]
    others = set(range(len(headings)))
    others -= {layout.name, column, place, *layout.rounds.values(), *colours, *facts.values(), *ratings}
    figures = [at for at in sorted(others) if at > layout.name and _holds_figures(layout, at)]
    without_place = None if _is_place(layout, column) else 0
    table = WallList(facts={"kind": "tournament", "event": title}, only_rounds=True)
    table.criteria = lambda _: tuple(" ".join(headings[at].split()) for at in figures)
    for number, row in enumerate(layout.body, 1):
        entrant = _entrant(row, layout, facts, gatherer)
        if entrant is not None:
            entrant = _rated(entrant, [(headings[at], cell_at(grid, row, at)) for at in ratings])
            printed = int(cell_at(grid, row, place).rstrip(".") or 0) if place is not None else without_place
            own = tuple(cell_at(grid, row, at) for at in figures)
            table.rows.append(Row(row + 1, numbers.get(row, number), entrant, cells[row], place=printed, figures=own))
    if len(table.rows) < FEWEST:
        return None
    table.facts["date"] = day = day_of_titles(titles, options, gatherer)
    besides = (text for text in titles if text != title and not (day and day_in_line(text, options.dates or "")))
    gatherer.problems += passed_over(besides, source, layout.header + 1)
    named = [headings[at] for at in sorted(others - {*figures})
             if (headings[at] or any(layout.cells(at)))
             and joined(headings[at]) not in words_of("starting_number")]  # fmt: skip
    gatherer.problems += unread_columns(named, source, layout.header + 1)
    gatherer.problems += passed_over_below(grid, set(layout.body), source)
    if any(row.entrant.rating is not None and not row.entrant.rating_origin for row in table.rows):
        gatherer.remark(Clause.of(OF_NOBODY, column=shown(headings[ratings[0]])), "rating")
    if chess:
        gatherer.remark("w in the rounds is White, as chess programs have it", "colour")
    return contents_of(table, gatherer)


def layout_of(grid: Sequence[Sequence[str]], *, by_blanks: bool = False) -> Layout | None:
    """Return where the cells of a table of standings stand; None if a grid is none, or blanks leave it open."""
    for place, row in enumerate(grid[:DEEPEST]):
        names = [at for at, cell in enumerate(row) if len(cell) <= LONGEST_HEADING and is_name(cell)]
        if not names:
            continue
        rounds: dict[int, int] = {}
        for at in range(names[0] + 1, len(row)):
            number = _round(row[at])
            if number == len(rounds) + 1:
                rounds[number] = at
        body = [at for at in range(place + 1, len(grid))
                if has_letters(cell_at(grid, at, names[0])) and not are_sums_with_numbers(grid[at])]  # fmt: skip
        if by_blanks and rounds:  # what is too short is a line of text
            body = [at for at in body if len(grid[at]) > rounds[1]]
        layout = Layout(grid, place, names[0], rounds, body)
        if by_blanks and not _is_even(layout):
            continue
        if rounds and len(body) >= FEWEST and _are_halves(layout):
            return layout
    return None


def with_whole_names(grid: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return rows parted at blanks with the words of each name in one cell, and each line above the headings in one.

    What a row has more than the headings belongs to its name.
    """
    likely = (place for place, row in enumerate(grid[:DEEPEST]) if any(map(is_name, row)) and 1 in map(_round, row))
    header = next(likely, None)
    if header is None:
        return [list(row) for row in grid]
    name = next(at for at, cell in enumerate(grid[header]) if is_name(cell))
    made = [[" ".join(row)] for row in grid[:header]]
    for row in grid[header:]:
        end = name + 1 + max(0, len(row) - len(grid[header]))
        made.append([*row[:name], " ".join(row[name:end]), *row[end:]])
    return made


def _is_even(layout: Layout) -> bool:
    """Return whether rows parted at blanks have a cell for each heading, and ranks in their column."""
    if any(len(layout.grid[at]) != len(layout.grid[layout.header]) for at in layout.body):
        return False
    rank = _facts(layout).get("rank")
    return rank is None or all(RANK.fullmatch(cell) or BARE_KYU.fullmatch(cell) for cell in layout.cells(rank))


def is_name(cell: str) -> bool:
    """Return whether a heading is that of a column of names."""
    return joined(cell) in words_of("member", "name") or meaning_of(cell.strip()).column in ("player1", "players")


def _round(cell: str) -> int | None:
    """Return the number of the round that a heading names; None if it names none."""
    text = " ".join(cell.split())
    if len(text) > LONGEST_HEADING:
        return None
    match = ROUND.fullmatch(text)
    return int(match[1] or match[2]) if match else round_in(text)


def _are_halves(layout: Layout) -> bool:
    """Return whether most cells that are filled in the columns of rounds are halves of games, some with an opponent."""
    filled = [cell for column in layout.rounds.values() for cell in layout.cells(column) if cell]
    halves = [half for cell in filled if cell not in IDLE and (half := parse_result_cell(_half(cell))) and half.symbol]
    return 2 * len(halves) > len(filled) and any(half.opponent for half in halves)


def _half(cell: str) -> str:
    """Return a cell in the spelling of tables of half results."""
    if len(cell) > LONGEST_CELL:
        return cell
    text = "".join(cell.split()).replace("−", "-").replace("–", "-")
    if match := CHESS.fullmatch(text):
        symbol = CHESS_SYMBOLS[match[3]]
        return f"{match[1]}{symbol[0]}/{match[2].lower().replace('s', 'b')}{symbol[1:]}"
    return CHESS_BYE.get(text, text)


def _colours(layout: Layout) -> dict[int, dict[str, str]]:
    """Return the columns behind those of rounds that hold letters of colours, with `b` and `w` for each letter."""
    colours: dict[int, dict[str, str]] = {}
    for at in (column + 1 for column in layout.rounds.values()):
        heading, cells = layout.heading(at), {*layout.cells(at)} - {""}
        letters = letters_of(cells, frozenset())
        unheaded = at not in layout.rounds.values() and (not heading or meaning_of(heading).column == "colour")
        if unheaded and cells and {*map(str.lower, cells)} <= {*letters}:
            colours[at] = {cell: "bw"[letters.index(cell.lower())] for cell in cells}
    return colours


def _halves(row: int, layout: Layout, colours: Mapping[int, Mapping[str, str]]) -> Iterator[str]:
    """Yield the cells of a player's rounds, each with the colour that stands beside it, where it has none itself."""
    for column in layout.rounds.values():
        cell = _half(cell_at(layout.grid, row, column))
        colour = colours.get(column + 1, {}).get(cell_at(layout.grid, row, column + 1))
        half = parse_result_cell(cell) if colour else None
        yield f"{cell}/{colour}" if half and half.opponent and half.symbol and not half.colour else cell


def _numbers(layout: Layout, cells: dict[int, tuple[str, ...]]) -> tuple[dict[int, int], int | None]:
    """Return the number of each player's row and its column: of those before the names that which is answered most."""
    best: tuple[dict[int, int], int | None] = {}, None
    most = -1
    for column in range(layout.name):
        texts = [cell.rstrip(".") for cell in layout.cells(column)]
        if len(set(texts)) < len(texts) or not all(NUMBER.fullmatch(text) for text in texts):
            continue
        numbers = {row: int(text) for row, text in zip(layout.body, texts, strict=True)}
        answered = _answered(numbers, cells)
        if answered > most:
            best, most = (numbers, column), answered
    return best


def _answered(numbers: dict[int, int], cells: dict[int, tuple[str, ...]]) -> int:
    """Return how many cells name a player whose cell names the first in return."""
    row_of = {number: row for row, number in numbers.items()}
    count = 0
    for row, own in cells.items():
        for place, cell in enumerate(own):
            half = parse_result_cell(cell)
            other = row_of.get(half.opponent) if half and half.opponent else None
            back = parse_result_cell(cells[other][place]) if other is not None else None
            count += bool(back and back.opponent == numbers[row])
    return count


def _is_place(layout: Layout, column: int | None) -> bool:
    """Return whether a column of numbers is one of places."""
    return column is not None and joined(layout.heading(column)) not in words_of("starting_number")


def _place(layout: Layout, numbers: int | None) -> int | None:
    """Return the column of places before the names, where players are called by other numbers."""
    for at in range(layout.name) if not _is_place(layout, numbers) else ():
        cells = [cell.rstrip(".") for cell in layout.cells(at)]
        are_numbers = cells[0] and all(NUMBER.fullmatch(cell) for cell in cells if cell)
        if at != numbers and _is_place(layout, at) and are_numbers:
            return at
    return None


def _holds_figures(layout: Layout, at: int) -> bool:
    """Return whether points or a tie-break stand in a column."""
    cells = layout.cells(at)
    return bool(layout.heading(at)) and any(cells) and all(map(FIGURE.fullmatch, cells))


def _holds_ratings(layout: Layout, at: int) -> bool:
    """Return whether ratings stand in a column: it says so, and holds nothing else."""
    cells, named = layout.cells(at), joined(layout.heading(at)) in words_of("ratings")
    return named and any(cells) and all(RATING.fullmatch(cell) for cell in cells if cell)


def _rated(entrant: Entrant, cells: Sequence[tuple[str, str]]) -> Entrant:
    """Return a player with the first rating of a row, as declared; 0 is that of nobody."""
    for heading, cell in cells:
        if cell and (rating := float(cell.replace(",", "."))):
            origin = next((name for begin, name in ORIGINS.items() if joined(heading).startswith(begin)), "")
            return replace(entrant, rating=rating, rating_origin=origin)
    return entrant


def _facts(layout: Layout) -> dict[str, int]:
    """Return the columns of rank, country and club; rank is where most cells are ranks."""
    places: dict[str, int] = {}
    for at, text in enumerate(layout.grid[layout.header]):
        if at == layout.name or at in layout.rounds.values():
            continue
        heading, cells = joined(text), layout.cells(at)
        bare = at > layout.name and heading in words_of("heading", "rank") and all(map(BARE_KYU.fullmatch, cells))
        if bare or 2 * sum(RANK.fullmatch(cell) is not None for cell in cells) > len(cells):
            places.setdefault("rank", at)
        elif heading in words_of("member", "country"):
            places.setdefault("country", at)
        elif heading in words_of("member", "club"):
            places.setdefault("club", at)
    return places


def _entrant(row: int, layout: Layout, places: dict[str, int], gatherer: Gatherer) -> Entrant | None:
    """Return the player of a row; None if the row has no name, which is a problem."""
    cells = {name: cell_at(layout.grid, row, at) for name, at in places.items()}
    written = cell_at(layout.grid, row, layout.name)
    try:
        name = read_name(written)
    except InputError as fault:
        expected = Clause.of("the name of a player ({fault})", fault=clause_of(fault))
        gatherer.reject(row + 1, "name", written[:60], expected)
        return None
    rank = cells.get("rank", "")
    if rank:
        read = partial(plain_rank, bare_kyu=True)
        rank = gatherer.read(row + 1, "rank", rank, read, "a rank such as 3d or 5k; read as none") or ""
    club = cells.get("club", "")
    return Entrant(name, "", cells.get("country", "").upper(), club_of(club), rank=rank)
