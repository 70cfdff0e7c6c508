"""The table of a points card as a club hangs it on the wall: which differences stand at which stones and komi."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from handan.handicaps import MOST_STONES, NIGIRI, Card, Terms, card_terms
from handan.paper.words import komi_words, stones_words, words_of

EVEN = -1
"""The column of games between equals, where colours are drawn at more differences than 0."""
MOST_ROWS = 40  # our choice: komi that one page can list and people can still read
LEAST_FILLED = 0.4  # our choice: share of cells in use below which a list reads better than a table


class Entry(NamedTuple):
    """Differences that follow one another and have the same terms."""

    first: int
    last: int
    terms: Terms

    @property
    def text(self) -> str:
        """The differences: `15`, `10–19`."""
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"

    @property
    def column(self) -> int:
        """Stones on the board; 0: Black moves first."""
        return self.terms.stones_on_board


@dataclass(frozen=True, slots=True)
class CardTable:
    """A card's differences by stones (columns) and komi (rows)."""

    columns: tuple[int, ...]
    """Stones on the board by rising help; 0: Black moves first, `EVEN`: colours are drawn."""
    rows: tuple[float | None, ...]
    """Komi to White, falling."""
    cells: dict[tuple[float | None, int], tuple[Entry, ...]]
    entries: tuple[Entry, ...]

    @property
    def is_grid(self) -> bool:
        """Whether it reads well as stones by komi; otherwise it is listed by difference."""
        filled = len(self.cells) / (len(self.columns) * len(self.rows))
        return 1 < len(self.rows) <= MOST_ROWS and filled >= LEAST_FILLED

    @property
    def is_drawn_at_0_only(self) -> bool:
        """Whether colours are drawn between equals only."""
        return EVEN not in self.columns


def differences(card: Card) -> list[int]:
    """Return the differences of a card's whole table: as listed, or as far as nine stones and komi make a game fair."""
    if card.points_per_stone is None:
        return [row.difference for row in card.listed]
    last = MOST_STONES * card.points_per_stone - card.shift - 1
    return [number for number in range(last + 1) if not _terms(card, number).unfair]


def card_table(card: Card) -> CardTable:
    """Return the table of a card."""
    entries = tuple(_entries(card))
    own_column = any(entry.last for entry in entries if entry.terms.colours == NIGIRI)
    cells: dict[tuple[float | None, int], tuple[Entry, ...]] = {}
    for entry in entries:
        column = EVEN if own_column and entry.terms.colours == NIGIRI else entry.column
        place = (entry.terms.komi, column)
        cells[place] = (*cells.get(place, ()), entry)
    columns = tuple(sorted({column for _, column in cells}))
    komis = {komi for komi, _ in cells}
    rows = tuple(sorted(komis, key=lambda komi: -1000.0 if komi is None else -komi))
    return CardTable(columns, rows, cells, entries)


def _terms(card: Card, difference: int) -> Terms:
    return card_terms(card, ("", 0.0), ("", float(difference)))


def _entries(card: Card) -> list[Entry]:
    """Return the differences with their terms, those that follow one another with the same terms as one."""
    entries: list[Entry] = []
    for number in differences(card):
        entry = Entry(number, number, _terms(card, number))
        if entries and entries[-1].last == number - 1 and _same(entries[-1].terms, entry.terms):
            entry = entry._replace(first=entries.pop().first)
        entries.append(entry)
    return entries


def _same(one: Terms, other: Terms) -> bool:
    return (one.colours, one.stones_on_board, one.komi) == (other.colours, other.stones_on_board, other.komi)


def terms_words(first: Entry, last: Entry, language: str) -> str:
    """Return the terms of a run of entries in words: stones, and komi from its first to its last difference."""
    stones = (
        words_of("shared", language)["even"] if first.terms.colours == NIGIRI else stones_words(first.column, language)
    )
    komi = " … ".join(dict.fromkeys(komi_words(entry.terms.komi, language) for entry in (first, last)))
    return words_of("shared", language)["and"].join(text for text in (stones, komi) if text)


class Run(NamedTuple):
    """Differences with the same stones, of which each point takes one point of komi, or none prints komi."""

    first: Entry
    last: Entry

    @property
    def text(self) -> str:
        """The differences: `15–29`."""
        return self.first._replace(last=self.last.last).text


def runs(entries: Sequence[Entry]) -> list[Run]:
    """Return entries in as few runs as say the same."""
    made: list[Run] = []
    for entry in entries:
        if made and _goes_on(made[-1].last, entry):
            made[-1] = made[-1]._replace(last=entry)
        else:
            made.append(Run(entry, entry))
    return made


def _goes_on(earlier: Entry, later: Entry) -> bool:
    one, other = earlier.terms, later.terms
    if one.colours != other.colours or earlier.column != later.column or earlier.last != later.first - 1:
        return False
    single = earlier.first == earlier.last and later.first == later.last
    return single and one.komi is not None and other.komi == one.komi - 1


def column_words(column: int, language: str) -> str:
    """Return the heading of a column, as short as it can be."""
    words = words_of("shared", language)
    if column > 0:
        return words["head stones"].format(stones=column)
    return words["head even" if column == EVEN else "head first"]


def blocks(entries: Sequence[Entry], most: int) -> list[Sequence[Entry]]:
    """Return entries in as few equal blocks as have at most so many."""
    count = -(-len(entries) // most)
    ends = [round(number * len(entries) / count) for number in range(count + 1)]
    return [entries[start:end] for start, end in pairwise(ends)]
