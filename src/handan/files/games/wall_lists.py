"""Result tables in which every player's row holds one half of each game: `12+/b2`, `0-`, `7=w0!`.

Every cell with a result becomes half of a game, a bye, an absence or a problem with its line and round.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from handan.errors import Clause
from handan.files.cells.byes import ABSENT, BYE, HALF, kind_of_nobody
from handan.files.games.columns import MOST_USUAL_STONES
from handan.files.games.contents import Contents, Entrant, Gatherer, without_play
from handan.files.games.wall_list_columns import IDLE, Column, Columns, Half, columns_of, parse_result_cell
from handan.ledger import Bye, Event, When
from handan.ranks import Rank

TAG = re.compile(r";\s*([A-Z]{2})\s*\[([^\]]*)\]")
"""A line of the European form that says something of the whole tournament: `; CL[A]`."""


@dataclass(frozen=True, slots=True)
class Row:
    """One player's row."""

    line: int
    number: int
    """As printed; 0 where there is none."""
    entrant: Entrant
    cells: tuple[str, ...]
    """All cells behind the rank."""
    surname: str = ""
    """Where it has blanks, so that the name does not part at the first."""
    place: int | None = None
    """As printed beside another number, 0 where nothing is, as of who shares that above; None: the number is it."""
    figures: tuple[str, ...] = ()
    """Points and tie-breaks, where they do not stand among the cells."""


@dataclass(slots=True)
class WallList:
    """The rows of one tournament and what holds for all of its games."""

    rows: list[Row] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    """Fields that all games share: date, event, kind, size."""
    days: dict[int, When] = field(default_factory=dict)
    """The days of rounds that have their own."""
    komi: float | None = None
    """Of even games; with a handicap it is 0.5."""
    only_rounds: bool = False
    """Whether all cells behind the rank are results, one a round."""
    head: Event = field(default_factory=lambda: Event(""))
    """What the file says of the tournament besides its rows; name, first day, kind and komi are those above.

    A handicap that no cell gives follows from its rule; without one the game is even.
    """
    criteria: Callable[[int], tuple[str, ...]] = ("",).__mul__
    """Names of so many columns of points and tie-breaks."""


def contents_of(wall_list: WallList, gatherer: Gatherer) -> Contents:
    """Return the games of a table, and its event: who took part, in which place, with what byes and absences.

    Args:
        wall_list: Its rows in order of the file.
        gatherer: Takes games and problems.

    Raises:
        InputError: No column holds results.
    """
    distinguish(wall_list, gatherer)
    rows = {row.number: row for row in _numbered(wall_list.rows, gatherer)}
    table = Table(wall_list, rows, max(rows), gatherer)
    cells = [(number, row.cells) for number, row in rows.items()]
    columns = columns_of(cells, gatherer.source, only_rounds=wall_list.only_rounds)
    byes: dict[int, dict[int, Bye]] = {number: {} for number in rows}
    for place, column in enumerate(columns.rounds, 1):
        for number, bye in table.read_round(place, column).items():
            byes[number][place] = bye
    table.report_others(columns)
    figures = {
        number: row.figures or tuple(column.get(number, "") for column in columns.figures)
        for number, row in rows.items()
    }
    participants = [
        replace(row.entrant.participant(byes[number], place=place, figures=figures[number]), settings=_parted(row))
        for (number, row), place in zip(rows.items(), _places(wall_list.rows), strict=True)
    ]
    event = replace(
        wall_list.head,
        name=wall_list.facts.get("event", ""),
        first=wall_list.facts.get("date"),
        kind=wall_list.facts.get("kind", ""),
        komi=wall_list.komi,
        rounds=len(columns.rounds),
        participants=tuple(sorted(participants, key=lambda each: each.place or 0)),
        pairings=tuple(gatherer.pairings),
        criteria=wall_list.criteria(len(columns.figures)),
    )
    return gatherer.contents(tuple(row.entrant for row in wall_list.rows), events=(event,))


def _parted(row: Row) -> tuple[tuple[str, str], ...]:
    """Return surname and given name as files of OpenGotha call them, where the first blank does not part them."""
    given = row.entrant.name.removeprefix(row.surname).strip()
    return (("name", row.surname), ("firstName", given)) if row.surname else ()


def _places(rows: Sequence[Row]) -> list[int | None]:
    """Return the place of each row: the printed one, or that of the row above, which it shares; None without any."""
    places: list[int | None] = []
    for row in rows:
        own = row.number if row.place is None else row.place
        places.append(own or (places[-1] if places else None))
    return places if any(places) and all(places) else [None] * len(rows)


def distinguish(wall_list: WallList, gatherer: Gatherer) -> None:
    """Keep players apart whose names have lost all their letters, who bear one name without an id, or one id.

    Nobody knows whose an id is that stands in two rows, so that neither bears it.
    """
    first: dict[str, Row] = {}
    twice: dict[int, str] = {}
    for place, row in enumerate(wall_list.rows):
        if row.entrant.id and (above := first.setdefault(row.entrant.id, row)) is not row:
            number = row.entrant.id.partition(":")[2]
            pattern = "the number of one player; {name}, line {line}, has it too: neither is given it"
            expected = Clause.of(pattern, name=above.entrant.name, line=above.line)
            gatherer.warn(row.line, "id", number, expected)
            twice[place] = row.entrant.id
    for place, row in enumerate(wall_list.rows):
        if row.entrant.id in twice.values():
            wall_list.rows[place] = replace(row, entrant=replace(row.entrant, id=""))
    names = Counter(row.entrant.name for row in wall_list.rows)
    event = wall_list.facts.get("event", "")
    for place, row in enumerate(wall_list.rows):
        entrant = row.entrant
        gatherer.name(row.line, entrant.name)
        lost = not any(c.isalpha() for c in entrant.name)
        if not entrant.id and (lost or names[entrant.name] > 1):
            own = f"{entrant.name}#{row.number or place + 1}" + (f" {event}" if lost else "")
            wall_list.rows[place] = replace(row, entrant=replace(entrant, name=own.strip()))


def _numbered(rows: list[Row], gatherer: Gatherer) -> list[Row]:
    """Return the rows with player numbers: the printed place, or the position, also where a number occurs twice."""
    printed = [row.number or position for position, row in enumerate(rows, 1)]
    twice = len(set(printed)) < len(printed)
    if twice:
        gatherer.remark("a place stands twice, so rows are numbered by position", "place")
    return [
        replace(row, number=position if twice else number)
        for position, (row, number) in enumerate(zip(rows, printed, strict=True), 1)
    ]


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one tournament by their numbers, whose halves are put together."""

    wall_list: WallList
    rows: dict[int, Row]
    last: int
    """The highest number of a player."""
    gatherer: Gatherer

    def read_round(self, place: int, column: Column) -> dict[int, Bye]:
        """Read the games of a round, and return what the players without an opponent have in it."""
        halves = {number: half for number, cell in column.items() if (half := _half_of(cell)) is not None}
        byes: dict[int, Bye] = {}
        for number, cell in column.items():
            half = halves.get(number)
            if half is not None and half.opponent == 0:
                byes[number] = BYE_OF_SYMBOL.get(half.symbol, Bye.ZERO_POINT)
            elif cell not in IDLE:
                fault = self._fault(number, column, halves)
                if fault:
                    self.gatherer.reject(self.rows[number].line, f"round {place}", cell, fault)
                elif half and number < half.opponent:
                    _game(self.rows[number], half, self.rows[half.opponent], halves[half.opponent], place, self)
        return byes

    def _fault(self, number: int, column: Column, halves: Mapping[int, Half]) -> str:
        """Return what a cell should be that cannot be put together with its opponent's; empty for half of a game."""
        half = halves.get(number)
        if half is None:
            return "a result such as 12+, 7-/w0, 0= or 0-"
        other = self.rows.get(half.opponent)
        if other is None:
            return Clause.of("a result against one of the players 1 to {last}", last=self.last)
        if half.opponent == number:
            return "a result against another player than oneself"
        back, answer = halves.get(half.opponent), column.get(half.opponent) or Clause.of("nothing")
        values = {"number": other.number, "line": other.line, "answer": answer}
        if back is None or back.opponent != number:
            return Clause.of("answered by player {number}: line {line} has {answer}", **values)
        if (half.symbol, back.symbol) not in OUTCOMES:
            return Clause.of("matched by line {line}, which has {answer}", **values)
        if None not in (half.handicap, back.handicap) and half.handicap != back.handicap:
            return Clause.of("a game with one handicap; line {line} has {answer}", **values)
        return ""

    def report_others(self, columns: Columns) -> None:
        """Report results that stand in no round, and columns of what may be results and is read as tie-breaks."""
        for number, cell in columns.strays:
            self.gatherer.reject(self.rows[number].line, "cell", cell, "in a column of results, and so in no round")
        for title, cell in columns.doubtful:
            expected = "answered by any cell of its column, which is read as a tie-break and not as a round"
            self.gatherer.warn(None, title, cell, expected)


def _half_of(cell: str) -> Half | None:
    """Return the half of a game that a cell holds, or the bye or absence that it says in words; else None."""
    half, kind = parse_result_cell(cell), kind_of_nobody(cell)
    if half is not None or kind not in WITHOUT_OPPONENT:
        return half
    return parse_result_cell("0=" if kind == BYE and HALF in cell.lower() else WITHOUT_OPPONENT[kind])


WITHOUT_OPPONENT = {BYE: "0+", ABSENT: "0-"}
"""Words in place of an opponent as cells."""
NO_ROW = "{source} has no row of a player; place, name, rank, country, club and results were expected"
OUTCOMES = {
    ("+", "-"): "1", ("-", "+"): "2", ("=", "="): "=", ("?", "?"): "?", ("-", "-"): "both-lose", ("+", "+"): "both-win",
}  # fmt: skip


BYE_OF_SYMBOL = {bye.symbol: bye for bye in reversed(Bye)}
"""What a symbol without an opponent is, of two the first; a cell without one is an absence."""


ONE_WINNER = {
    True: "a game with one winner; line {line} says {symbol}: {outcome}",
    False: "a game with one winner; line {line} says {symbol}: {outcome}, with Black here",
}
"""By whether the colours are there."""


def shown(half: Half) -> str:
    """Return a half in the spelling of tables."""
    colour = f"/{half.colour}" if half.colour else ""
    return f"{half.opponent}{half.symbol}{'!' if half.default else ''}{colour}{half.handicap or ''}"


def _game(row: Row, half: Half, other: Row, back: Half, number: int, table: Table) -> None:
    """Add a game whose two halves agree."""
    wall_list, gatherer = table.wall_list, table.gatherer
    place = f"round {number}"
    outcome = OUTCOMES[half.symbol, back.symbol]
    coloured, weaker = bool(half.colour or back.colour), _weaker(row, other, wall_list)
    if half.colour and half.colour == back.colour:
        pattern = "a game of two colours; line {line} has the same: colours unknown"
        gatherer.warn(row.line, place, shown(half), Clause.of(pattern, line=other.line))
        coloured = False
    elif not coloured and weaker is not None:
        coloured = True
    swap = coloured and (half.colour == "w" or back.colour == "b" or (not half.colour and weaker is other))
    black, white = (other, row) if swap else (row, other)
    handicap = half.handicap if half.handicap is not None else back.handicap
    if handicap is None:
        handicap = _implied(black, white, wall_list, place, gatherer) if coloured else 0
    if outcome in {"both-lose", "both-win"}:
        expected = Clause.of(ONE_WINNER[coloured], line=other.line, symbol=back.symbol, outcome=outcome)
        gatherer.warn(row.line, place, shown(half), expected)
    if outcome == "?":
        if not coloured:
            gatherer.warn(row.line, place, shown(half), "a game with the colour of one side; read with Black here")
        gatherer.pairing(number, black.entrant, white.entrant, str(handicap))
        return
    result = _result(outcome, swap=swap, coloured=coloured)
    result, notes = without_play(result) if half.default or back.default else (result, "")
    facts = {"result": result, "handicap": handicap, "komi": wall_list.komi if handicap == 0 else 0.5, "notes": notes}
    facts |= {"date": wall_list.days[number]} if number in wall_list.days else {}
    gatherer.game_of(row.line, black.entrant, white.entrant, **{**wall_list.facts, **facts}, round=number)


def _result(outcome: str, *, swap: bool, coloured: bool) -> str:
    """Return the result in the spelling of tables."""
    if outcome in {"1", "2"}:
        first = (outcome == "1") != swap
        sides = ("B+", "W+") if coloured else ("P1+", "P2+")
        return sides[0 if first else 1]
    if outcome == "=":
        return "jigo" if coloured else "P="
    return outcome


def _weaker(row: Row, other: Row, wall_list: WallList) -> Row | None:
    """Return who has Black by a stated rule of handicaps where no cell tells the colours; None for an even game."""
    ahead = _ahead(row, other, wall_list)
    return None if not ahead else other if ahead > 0 else row


def _implied(black: Row, white: Row, wall_list: WallList, place: str, gatherer: Gatherer) -> int:
    """Return the handicap that follows from the ranks where the cells give none."""
    ahead = _ahead(white, black, wall_list) or 0
    if ahead < 0:
        gatherer.warn(black.line, place, "black", "the weaker player of a game with a handicap; read as even")
    return int(max(0, min(MOST_USUAL_STONES, ahead)))


def _ahead(row: Row, other: Row, wall_list: WallList) -> float | None:
    """Return how many stones a row's player gives the other, negative if it takes them; None where nothing says it."""
    reduction = wall_list.head.reduction
    if reduction is None or not wall_list.head.has_handicap_rule or not row.entrant.rank or not other.entrant.rank:
        return None
    ahead = Rank.parse(row.entrant.rank).stones - Rank.parse(other.entrant.rank).stones
    return 0 if abs(ahead) <= reduction else ahead - reduction if ahead > 0 else ahead + reduction
