"""Cross tables: players in rows and in columns, and in each cell what the row scored against the column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple

import polars as pl

from handan.colours import COLOURS
from handan.errors import Clause, FieldError, Problem, shown
from handan.files.cells.byes import BYE, is_nobody, kind_of_nobody
from handan.files.cells.dates import day_in_line, looks_like_date
from handan.files.cells.numbers import DASHES
from handan.files.cells.ranked_names import is_rank
from handan.files.cells.results import FIRST, SECOND, letters_of, read_result, tail_of, with_decimals
from handan.files.games.columns import in_order
from handan.files.games.contents import Contents, club_of
from handan.files.games.missing_dates import given_date
from handan.files.games.unnamed_events import first_day
from handan.files.io.header import passed_over_below, unread_columns
from handan.files.io.options import Options
from handan.files.tables.byes import OwnName, names_of
from handan.files.tables.column_names import Meaning
from handan.files.tables.header_rows import cell_at
from handan.files.tables.standings import FIGURE
from handan.files.tables.table import contents_of
from handan.files.tables.text_table import TextTable
from handan.ledger import Bye, Event, Participant, Player
from handan.ledger.entered_games import EnteredGames
from handan.ledger.name_folding import folded
from handan.words import joined, plain, words_of

ITSELF = frozenset((
    "x", "xx", "xxx", "×", "*", "**", "***", "#", "-", "–", "—", "\\", "■", "█", "▇", "●", "⬛", "/", "＼", "／",
    "╲", "+",
))  # fmt: skip
WIN, LOSS, DRAW = "1", "0", "½"
OTHER = {"": "", "black": "white", "white": "black"}
OUTCOMES = {WIN: "P1+", LOSS: "P2+", DRAW: "P="}
"""Seen from the player of the row."""
SCORES = {
    **dict.fromkeys(("1", "+", "w", "o", "○", "〇", "◯", "◎", "⭕"), WIN),
    **dict.fromkeys(("0", "-", "l", "●", "×", "✕", "✖", "╳"), LOSS),
    **dict.fromkeys(("½", "=", "0.5", "0,5", ".5", "1/2", "d", "△", "▲", "無"), DRAW),
}
"""Marks and letters; words are those of results."""
UNPLAYED = frozenset(("", ".", "?", "n/a", "_", "…"))
FEWEST, MOST = 2, 200  # players; the limit is our choice
LONGEST = 20  # characters of the scores of two players; our choice
PLACE = re.compile(r"\d{1,4}[.)]?")
THE_SAME = "what the cell of {name} (line {line}) tells of the same games"
MARKS = frozenset(mark for mark in SCORES if len(mark) == 1 and not mark.isascii() and mark != "½")
"""Scores behind which may stand how the game was won, as in `○3目半` and `●中押`."""
NO_TAIL = ""
WITHOUT_ROUNDS = "column {column} tells byes without their rounds; it stays with the points of the event"


COLOURED = re.compile(r"([^\W\d_])\s?/?\s?([-+=10½])|([-+=10½])\s?/?\s?([^\W\d_])")
"""A score beside the letter of the colour that the player of the row had, as in `S+` and `W-`."""
LOSSES = ("-", "0")
ONE_COLOUR = "a game of two colours; line {line} has the same: colours unknown"


class Score(NamedTuple):
    """What a cell says of one game."""

    points: str
    tail: str = NO_TAIL
    """How it was won, as results of files have it."""


@dataclass(frozen=True, slots=True)
class Cross:
    """A cross table: the rows of its players and where their cells against the first one stand."""

    names: list[str]
    rows: list[int]
    """Place of each player's row in the grid."""
    first: int
    """Place in a row of the cell against the first player."""
    rank: int | None = None
    """Place in a row of the rank, in front of the scores."""
    header: int | None = None
    """Place of the row of headings."""

    @property
    def behind(self) -> int:
        """Place in a row behind the cells against the players."""
        return self.first + len(self.rows)


def cross_table(grid: Sequence[Sequence[str]], source: str, options: Options, facts: dict[str, str]) -> Contents | None:
    """Return the games of a cross table; None if a grid is none.

    Both cells of two players must tell the same; where they do not, the game is a problem. Colours are unknown.

    Args:
        grid: The cells; the lines of the reports are its rows, counted from 1.
        source: Name for the reports.
        options: As the user gave them.
        facts: What was decided of it before (`Understanding.facts`).
    """
    scores, letters = grid, ""
    cross = _laid_out(grid)
    if cross is None and (letters := options.letters or _letters(grid)):
        scores = [[_parted(cell, letters)[0] for cell in row] for row in grid]
        cross = _laid_out(scores)
    if cross is None:
        return None
    problems: list[Problem] = []
    own_ranks = [_rank(grid, cross, row) for row in cross.rows]
    games = list(_games(grid, scores, cross, letters, own_ranks, source, problems))
    if not games:
        return None
    options.limits.check("games", len(games), source)
    if not letters:
        problems.append(_no_colours(source))
    above_scores = grid[: cross.rows[0] if cross.header is None else cross.header]
    titles = [text for row in above_scores if (text := " ".join(" ".join(row).split()))]
    event = next((text for text in titles if not looks_like_date(text)), "")
    dated = given_date(source, options) is None
    above = [text for text in titles if text != event or (dated and day_in_line(text, options.dates or ""))]
    columns = ("player1", "player2", "player1_rank", "player2_rank", "colour", "result")
    frame = pl.DataFrame(games, schema=dict.fromkeys((*columns, "#"), pl.String()), orient="row")
    meanings = [Meaning("rows", "player1"), Meaning("columns", "player2"), Meaning("cells", "result")]
    if letters:
        meanings.append(Meaning("letters", "colour"))
    else:
        frame = frame.drop("colour")
    if any(own_ranks):
        meanings += [Meaning("ranks", column) for column in columns[2:4]]
    else:
        frame = frame.drop(columns[2:4])
    if event:
        frame = frame.with_columns(event=pl.lit(event))
    facts = {**facts, "layout": "cross table"}
    table = TextTable(
        frame.drop("#"), frame["#"].cast(pl.Int64), source, meanings, above=above, problems=problems, facts=facts
    )
    contents = contents_of(table, options)
    assert isinstance(contents.columns, EnteredGames)  # noqa: S101  # as of every table
    return _with_event(grid, cross, event, contents, names_of(contents.columns, table), source)


def _games(
    grid: Sequence[Sequence[str]], scores: Sequence[Sequence[str]], cross: Cross, letters: str, ranks: Sequence[str],
    source: str, problems: list[Problem],
) -> Iterator[tuple[str, ...]]:  # fmt: skip
    """Yield the games of all players, with the line of the first; what two cells tell otherwise becomes a problem.

    Args:
        grid: The cells as they are written.
        scores: The same without letters of colours.
        cross: Where they stand.
        letters: Of Black and White beside the scores; empty where there are none.
        ranks: Of the players.
        source: Name for the reports.
        problems: Gets those of the cells.
    """
    for place, other in combinations(range(len(cross.names)), 2):
        name, opponent, line = cross.names[place], cross.names[other], cross.rows[place] + 1
        outcomes = _outcomes(_cell(scores, cross, place, other), _cell(scores, cross, other, place))
        cells = _cell(grid, cross, place, other), _cell(grid, cross, other, place)
        colour, back = (_parted(cell, letters)[1] for cell in cells)
        fault = ""
        if outcomes is None:
            fault = Clause.of(THE_SAME, name=opponent, line=cross.rows[other] + 1)
        elif colour and colour == back:
            fault = Clause.of(ONE_COLOUR, line=cross.rows[other] + 1)
            colour = back = ""
        if fault:
            both = " against ".join(cell or "(empty)" for cell in cells)
            problems.append(Problem(source, line, name, both, fault, rejected=outcomes is None))
        for text in outcomes or ():
            yield name, opponent, ranks[place], ranks[other], colour or OTHER[back], text, str(line)


def _letters(grid: Sequence[Sequence[str]]) -> str:
    """Return the letters of Black and White beside scores, some of which are losses: a win may be that of Black."""
    parts = [match for row in grid for cell in row if (match := COLOURED.fullmatch(cell))]
    used = {plain(match[1] or match[4]) for match in parts}
    letters = letters_of(used, frozenset())
    lost = any((match[2] or match[3]) in LOSSES for match in parts)
    return letters if lost and used <= {*letters} else ""


def _parted(cell: str, letters: str) -> tuple[str, str]:
    """Return a score without the letter beside it, and the colour that this is; others as they are."""
    match = COLOURED.fullmatch(cell) if letters else None
    letter = plain(match[1] or match[4]) if match else ""
    if match is None or letter not in letters:
        return cell, ""
    return match[2] or match[3], COLOURS[letters.index(letter)]


def _with_event(
    grid: Sequence[Sequence[str]], cross: Cross, name: str, contents: Contents, own_name: OwnName, source: str
) -> Contents:
    """Return the games of a cross table with what stands beside the scores: an event, in which points give places.

    Byes that do not tell their rounds stay a column of figures, as points and tie-breaks are.
    """
    headings = _heading_row(grid, cross)
    columns = {at: [cell_at(grid, row, at) for row in cross.rows]
               for at in (*range(cross.first), *range(cross.behind, max(map(len, grid))))}  # fmt: skip
    titles = {at: headings[at].strip() if at < len(headings) else "" for at in columns}
    member = {at: kind for at, title in titles.items() for kind in ("country", "club")
              if joined(title) in words_of("member", kind)}  # fmt: skip
    figures = [at for at, cells in columns.items() if at >= cross.behind and at not in member and any(cells)
               and all(map(FIGURE.fullmatch, cells))]  # fmt: skip
    free = next((columns[at] for at in figures if kind_of_nobody(titles[at]) == BYE), [])
    points = next((columns[at] for at in figures if joined(titles[at]) in words_of("heading", "score")), [])
    rounds = [int(cell) if cell.isdecimal() else 0 for cell in free]
    are_rounds = sum(map(bool, free)) > 1 and len({*rounds} - {0}) == sum(map(bool, free))
    places = _places(points)
    participants = []
    for place, cell in enumerate(cross.names):
        if is_nobody(cell):
            continue
        player, rank = own_name(cell)
        facts = {kind: columns[at][place] for at, kind in member.items()}
        participants.append(
            Participant(
                Player(player, country=facts.get("country", ""), club=club_of(facts.get("club", ""))),
                _rank(grid, cross, cross.rows[place]) or rank,
                places[place] if places else None,
                ((rounds[place], Bye.ALLOCATED),) if are_rounds and rounds[place] else (),
                tuple(columns[at][place] for at in figures),
            )
        )
    of_rows = (at for at, cells in columns.items() if cells == cross.names or all(map(PLACE.fullmatch, cells)))
    read = {*figures, *member, cross.rank, *of_rows}
    line = None if cross.header is None else cross.header + 1
    problems = unread_columns([title for at, title in titles.items() if title and at not in read], source, line)
    problems += passed_over_below(grid, set(cross.rows), source)
    count = 0 if are_rounds else sum(cell not in ("", "0") for cell in free)
    if count:
        heading = next(titles[at] for at in figures if columns[at] is free)
        message = Clause.of(WITHOUT_ROUNDS, column=shown(heading))
        problems.append(Problem(source, line, "byes", "", "", rejected=False, message=message))
    event = Event(name, first_day(contents.games), participants=tuple(participants),
                  criteria=tuple(titles[at] for at in figures))  # fmt: skip
    return replace(
        contents,
        problems=in_order([*contents.problems, *problems]),
        byes=contents.byes + count,
        events=(event,) if name or figures or member else contents.events,
    )


def _no_colours(source: str) -> Problem:
    pattern = "a cross table: it tells who won, and neither colours nor{hint} days"
    message = Clause.of(pattern, hint=", without --date,")
    return Problem(source, None, "", "a cross table", "a list of games", rejected=False, message=message)


def _laid_out(grid: Sequence[Sequence[str]]) -> Cross | None:
    """Find rows of as many players as there are cells between them, with a diagonal of cells against oneself."""
    rows = [place for place, row in enumerate(grid) if sum(bool(cell.strip()) for cell in row) >= FEWEST]
    if len(rows) > MOST + 10:
        return None
    for skipped in range(min(6, len(rows))):
        players = rows[skipped:]
        for count in range(len(players), FEWEST - 1, -1) if len(players) <= 60 else [len(players)]:
            cross = _diagonal(grid, players[:count])
            if cross is not None:
                return cross
    return None


def _diagonal(grid: Sequence[Sequence[str]], rows: list[int]) -> Cross | None:
    """Return the cross table of these rows, if each has the mark of oneself one place behind that of the row before."""
    width = min(len(grid[row]) for row in rows)
    for first in range(1, min(width, 8)):
        if max(len(grid[row]) for row in rows) < first + len(rows):  # the empty ends of some aside
            continue
        own = [cell_at(grid, row, first + place) for place, row in enumerate(rows)]
        if not all(cell.lower() in ITSELF or not cell for cell in own):
            continue
        numbered = not any(own) and not _named_above(grid, rows, first)
        if numbered and not _numbered_above(grid, rows, first):
            continue
        names = _names(grid, rows, first)
        if names and len({folded(name) for name in names}) == len(names) and _all_scores(grid, rows, first):
            header = rows[0] - 1 if _are_headed(grid, rows) else None
            cross = Cross(names, rows, first, _rank_column(grid, rows, first), header)
            if (not numbered or _agrees(grid, cross)) and not _another_named(grid, rows, first):
                return cross
    return None


def _all_scores(grid: Sequence[Sequence[str]], rows: list[int], first: int) -> bool:
    """Return whether all cells between different players are scores or empty, and some are scores."""
    some = False
    for at, row in enumerate(rows):
        for place in range(len(rows)):
            cell = cell_at(grid, row, first + place)
            if place == at or cell.lower() in UNPLAYED:
                continue
            if len(cell) > LONGEST or _scores(cell) is None:
                return False
            some = True
    return some


def _named_above(grid: Sequence[Sequence[str]], rows: list[int], first: int) -> bool:
    """Return whether the row above the players names them once more, in their order."""
    if not rows[0]:
        return False
    names = _names(grid, rows, first)
    above = [cell_at(grid, rows[0] - 1, first + place) for place in range(len(rows))]
    return bool(names) and list(map(folded, above)) == list(map(folded, names))


def _another_named(grid: Sequence[Sequence[str]], rows: list[int], first: int) -> bool:
    """Return whether the row above the players names one more column, whose player has a row below theirs."""
    above = folded(cell_at(grid, rows[0] - 1, first + len(rows))) if rows[0] else ""
    return bool(above) and any(above in map(folded, row[:first]) for row in grid[rows[-1] + 1 :])


def _numbered_above(grid: Sequence[Sequence[str]], rows: list[int], first: int) -> bool:
    """Return whether the row above the players numbers their columns 1, 2, 3 and so on, and no more columns."""
    count = len(rows)
    above = [cell_at(grid, rows[0] - 1, first + place).rstrip(".") for place in range(count + 1)] if rows[0] else []
    return above[:count] == [str(place) for place in range(1, count + 1)] and above[count] != str(count + 1)


def _agrees(grid: Sequence[Sequence[str]], cross: Cross) -> bool:
    """Return whether both cells of all players tell the same; scores of numbered rounds would hardly do so."""
    pairs = [(place, other) for place in range(len(cross.names)) for other in range(place)]
    return all(_outcomes(_cell(grid, cross, *pair), _cell(grid, cross, *pair[::-1])) is not None for pair in pairs)


def _rank_column(grid: Sequence[Sequence[str]], rows: list[int], first: int) -> int | None:
    """Return the column before the scores in which most cells are ranks; None where there is none."""
    ranked = (sum(is_rank(cell_at(grid, row, column)) for row in rows) for column in range(first))
    return next((column for column, number in enumerate(ranked) if 2 * number > len(rows)), None)


def _rank(grid: Sequence[Sequence[str]], cross: Cross, row: int) -> str:
    """Return the rank in a row; empty where none stands there."""
    cell = "" if cross.rank is None else cell_at(grid, row, cross.rank)
    return cell if is_rank(cell) else ""


def _are_headed(grid: Sequence[Sequence[str]], rows: list[int]) -> bool:
    """Return whether a row of headings stands above those of the players."""
    return rows[0] > 0 and sum(bool(cell.strip()) for cell in grid[rows[0] - 1]) >= FEWEST


def _heading_row(grid: Sequence[Sequence[str]], cross: Cross) -> Sequence[str]:
    return () if cross.header is None else grid[cross.header]


def _places(points: Sequence[str]) -> list[int]:
    """Return the place of each player by points, which several may share."""
    worth = [float(with_decimals(cell).replace(",", ".") or 0) for cell in points]
    return [1 + sum(other > own for other in worth) for own in worth]


def _names(grid: Sequence[Sequence[str]], rows: list[int], first: int) -> list[str]:
    """Return the name in each row, none if a row has none: the first cell before the scores that is no place.

    Without headings all these cells are of the name, whose words blanks have parted, but for ranks.
    """
    names, whole = [], not _are_headed(grid, rows)
    for row in rows:
        before = [cell for cell in map(str.strip, grid[row][:first]) if cell and not PLACE.fullmatch(cell)]
        name = (" ".join(cell for cell in before if not is_rank(cell)) if whole else before[0]) if before else ""
        if not any(c.isalpha() for c in name):
            return []
        names.append(name)
    return names


def _cell(grid: Sequence[Sequence[str]], cross: Cross, player: int, other: int) -> str:
    return cell_at(grid, cross.rows[player], cross.first + other)


def _scores(cell: str) -> list[Score] | None:
    """Return the scores of a cell, of several games in `1 0` or `10½`; None if it holds anything else."""
    text = cell.lower()
    if text in SCORES:
        return [Score(SCORES[text])]
    if text[:1] in MARKS and (tail := tail_of(cell[1:].strip(" +:"))):
        return [Score(SCORES[text[:1]], tail)]
    if any(map(str.isalpha, text)):
        return _in_words(cell)
    parts = [part for part in re.split(r"[\s,/]+", text) if part]
    if len(parts) > 1:
        scores = [SCORES.get(part) for part in parts]
    else:
        scores = [SCORES.get(char) for char in text] if text and set(text) <= set("10½=") else [None]
    return [Score(score) for score in scores if score] if all(scores) else None


def _outcomes(own: str, other: str) -> list[str] | None:
    """Return the results of the games of two players, seen from the first; None if the cells tell different things."""
    if own in DASHES and other in DASHES:  # two losses of one game are none
        return []
    mine = [] if own.lower() in UNPLAYED else _scores(own) or []
    yours = [] if other.lower() in UNPLAYED else _scores(other) or []
    turned = {WIN: LOSS, LOSS: WIN, DRAW: DRAW}
    yours = [Score(turned[score.points], score.tail) for score in yours]
    if mine and yours and (len(mine) != len(yours) or not all(map(_same, mine, yours))):
        return None
    games = zip(mine or yours, yours or mine, strict=True)
    return [f"{OUTCOMES[one.points]}{'' if one.points == DRAW else one.tail or two.tail}" for one, two in games]


def _same(one: Score, other: Score) -> bool:
    """Return whether two cells tell the same of a game, as far as both tell it."""
    return one.points == other.points and (one.tail == other.tail or not (one.tail and other.tail))


def _in_words(cell: str) -> list[Score] | None:
    """Return the score of a cell that says in words what the row's player did; None if it names a colour or nothing."""
    try:
        finding = read_result(cell)
    except FieldError:
        return None
    points = {FIRST: WIN, SECOND: LOSS, "draw": DRAW}.get(finding.winner)
    return [Score(points, finding.tail)] if points else None
