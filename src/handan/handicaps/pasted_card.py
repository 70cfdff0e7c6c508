"""A club's own card as people type or paste it, in any language of the pages.

Lines such as `0–5: even, Black gives 6.5`, cells of a sheet, or a whole table with stones above and komi beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from handan.handicaps.card_checks import irregularities
from handan.handicaps.card_csv import COLUMNS, LONGEST_TITLE, MOST_DIFFERENCE, STONES, title_of
from handan.handicaps.card_law import JIGO, Card, CardRow, make_row
from handan.handicaps.custom_card import OWN
from handan.handicaps.terms_words import TermsRead, UnreadableError, komi_in, plain_line, stones_in, terms_in

MOST_LINES = MOST_DIFFERENCE + 2
MOST_CHARACTERS = 60_000  # our choice: a line for each difference, with room to spare
DASH = r"\s*(?:-|–|—|‒|~|〜|…|\.\.\.?|\bto\b|\bbis\b|\bà\b|から|至|到)\s*"
UNIT = r"\s*(?:points?|pts?|punkten?|点差?|點差?|分|점)?\s*"
OPEN = r"(?:\+|以上|이상|and more|or more|und mehr|et plus)?"
RANGE = re.compile(rf"(?:差|차이)?\s*(\d{{1,4}})(?:{DASH}(\d{{1,4}}))?{UNIT}{OPEN}")
SEPARATOR = re.compile(r"\s*+(?:[:,;|=→]\s*+)?")
NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)?")


class Remark(NamedTuple):
    """What is wrong, or only strange, in a line of a card that was typed."""

    line: int
    """Number of the line, from 1."""
    kind: str
    """A name in `SENTENCES`."""
    values: dict[str, str]

    @property
    def is_fault(self) -> bool:
        """Whether the line cannot be read, so that the card is not whole; else it is only strange."""
        return self.kind not in WARNINGS

    @property
    def text(self) -> str:
        """The remark in English."""
        return SENTENCES[self.kind].format(**self.values)


SENTENCES = {
    "range": "“{text}” does not begin with a difference such as 5 or 6–11",
    "backwards": "{first}–{last} runs backwards",
    "far": "{number} is more than {most}",
    "stones": "“{text}” does not say the stones: even, Black first, 2 stones …",
    "words": "“{text}” is not understood",
    "steps": "{first}–{last} is {count} differences, and the komi goes over {komis} points",
    "lines": "{count} lines; a card has at most {most}",
    "empty": "there is no line of a card",
    "overlap": "difference {number} stands in line {other} already, which counts",
    "late": "the card begins at difference {number}; its terms count from 0",
    "gap": "differences {first}–{last} stand nowhere; the line before serves, one point of komi a point",
    "less": "difference {number} gives Black less help than difference {other}",
}
"""Each remark as a sentence with named gaps."""
WARNINGS = ("overlap", "late", "gap", "less")


@dataclass
class Typed:
    """What was read of a card: its rows, each with its line, and the remarks."""

    title: str = ""
    rows: dict[int, CardRow] = field(default_factory=dict)
    lines: dict[int, int] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)

    @property
    def has_faults(self) -> bool:
        """Whether a line could not be read, or there is none."""
        return any(remark.is_fault for remark in self.remarks)

    def card(self, title: str = "") -> Card:
        """Return the card of what was read; ValueError where there is no row."""
        if not self.rows:
            raise ValueError("no row of a card was read")
        rows = tuple(self.rows[difference] for difference in sorted(self.rows))
        name = (title or self.title)[:LONGEST_TITLE]
        return Card(OWN, name or OWN, OWN, points_per_stone=None, top_komi=None, count="nigiri", listed=rows)

    def remark(self, line: int, kind: str, **values: object) -> None:
        """Note what is wrong in a line."""
        self.remarks.append(Remark(line, kind, {name: str(value) for name, value in values.items()}))

    def put(self, line: int, first: int, last: int, terms: TermsRead, tie: str) -> None:
        """Take the terms of a run of differences; one that an earlier line has keeps the earlier terms."""
        if last < first:
            return self.remark(line, "backwards", first=first, last=last)
        if last > MOST_DIFFERENCE:
            return self.remark(line, "far", number=last, most=MOST_DIFFERENCE)
        if terms.to is not None and terms.komi is not None and terms.komi - terms.to != last - first:
            count, komis = last - first + 1, f"{abs(terms.komi - terms.to) + 1:g}"
            return self.remark(line, "steps", first=first, last=last, count=count, komis=komis)
        free = max(terms.stones - 1, 0)
        taken = [number for number in range(first, last + 1) if number in self.rows]
        if taken:
            self.remark(line, "overlap", number=taken[0], other=self.lines[taken[0]])
        for number in range(first, last + 1):
            komi = terms.komi if terms.to is None or terms.komi is None else terms.komi - (number - first)
            row = make_row(number, terms.stones, free, komi, terms.tie or tie)
            if self.rows.setdefault(number, row) is row:
                self.lines[number] = line
        return None

    def check(self) -> None:
        """Note gaps, and rows that help Black less than those before."""
        rows = [self.rows[difference] for difference in sorted(self.rows)]
        if rows and rows[0].difference:
            self.remark(self.lines[rows[0].difference], "late", number=rows[0].difference)
        for kind, earlier, later in irregularities(rows):
            line = self.lines[later.difference]
            if kind == "gap":
                self.remark(line, kind, first=earlier.difference + 1, last=later.difference - 1)
            else:
                self.remark(line, kind, number=later.difference, other=earlier.difference)
        self.remarks.sort(key=lambda remark: remark.line)


def read_typed(text: str, tie: str = JIGO) -> Typed:
    """Read a club's own card from what was typed or pasted; what cannot be read stands in the remarks, line by line.

    Args:
        text: Lines `difference: terms`, cells of a sheet (the columns of `read_card`, or difference, stones, komi, tie
            without a heading), or a table with stones above, komi at the left and differences in its cells.
        tie: How a tie after komi is settled where a line does not say it: `jigo` or `white wins`.
    """
    typed = Typed(title_of(text))
    lines = [(number, plain_line(line)) for number, line in enumerate(text[:MOST_CHARACTERS].splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line.strip() and not line.lstrip().startswith("#")]
    if len(lines) > MOST_LINES or len(text) > MOST_CHARACTERS:
        typed.remark(lines[-1][0], "lines", count=max(len(lines), MOST_LINES + 1), most=MOST_LINES)
        return typed
    head = _cells(lines[0][1]) if lines else []
    if heads := _heads(head) if len(lines) > 1 else []:
        _take_grid(typed, heads, lines[1:], tie)
    else:
        columns = head if {"difference", "from"} & set(head) and set(STONES) & set(head) else []
        has_head = bool(columns) or (len(head) > 1 and not re.search(r"\d", "".join(head)))
        for number, line in lines[has_head:]:
            _take_line(typed, number, line, columns, tie)
    if not typed.rows and not typed.remarks:
        typed.remark(1, "empty")
    typed.check()
    return typed


def _cells(line: str) -> list[str]:
    """Return the cells of a line of a sheet; a comma parts cells only where no tab and no semicolon stands."""
    mark = next((mark for mark in "\t;," if mark in line), None)
    return [cell.strip() for cell in line.split(mark)] if mark else [line.strip()]


def _take_line(typed: Typed, number: int, line: str, columns: list[str], tie: str) -> None:
    cells = _cells(line)
    figures = [bool(NUMBER.fullmatch(cell)) for cell in cells]
    if not columns and len(cells) > 3 and all(figures[:4]):
        columns = [*COLUMNS[1:3], "stones", "komi", "tie"]
    elif not columns and len(cells) > 1 and all(figures[1:3]) and RANGE.fullmatch(cells[0]):
        columns = ["difference", "stones", "komi", "tie"]
    try:
        if columns:
            _take_cells(typed, number, _by_head(columns, cells), tie)
        else:
            span, rest = _range(" ".join(line.split()))
            typed.put(number, *span, terms_in(rest), tie)
    except UnreadableError as error:
        typed.remark(number, error.kind, text=error.text)


def _by_head(heads: list[str], cells: list[str]) -> dict[str, str]:
    """Return the cells of a line by what stands above them; UnreadableError for one with nothing of a card above it."""
    if beyond := [cell for cell in cells[len(heads) :] if cell]:
        raise UnreadableError("words", beyond[0])
    line = dict(zip(heads, cells, strict=False))
    if strange := [cell for head, cell in line.items() if cell and head not in COLUMNS]:
        raise UnreadableError("words", strange[0])
    return line


def _range(text: str) -> tuple[tuple[int, int], str]:
    """Return the differences at the beginning of a line, and what follows."""
    text = text.strip()
    match = RANGE.match(text)
    if match is None:
        raise UnreadableError("range", text)
    first, last = int(match[1]), int(match[2] or match[1])
    rest = text[match.end() :]
    return (first, last), rest[SEPARATOR.match(rest).end() :]  # type: ignore[union-attr]  # it matches nothing too


def _take_cells(typed: Typed, number: int, cells: dict[str, str], tie: str) -> None:
    """Take a line whose columns have the names of `read_card`."""
    first, last = _range(cells.get("difference") or cells.get("from", ""))[0]
    last = _range(cells["to"])[0][1] if cells.get("to") else last
    count = next((name for name in STONES if cells.get(name)), "stones")
    stones = stones_in(cells.get(count, ""))
    if stones is None:
        raise UnreadableError("stones", cells.get(count, ""))
    if count == "free_stones" and stones:
        stones += 1
    settled = terms_in(f"0 {cells['tie']}").tie if cells.get("tie") not in {None, "", "impossible"} else ""
    komi = komi_in(cells["komi"]) if cells.get("komi") else None
    typed.put(number, first, last, TermsRead(stones, komi, None, settled), tie)


def _heads(line: list[str]) -> list[int]:
    """Return the stones above the columns, if the first line is that of a table with stones above, komi at the left."""
    corner, *heads = line
    stones = [stones_in(head) for head in heads]
    return [] if re.search(r"\d", corner) or None in stones else [count for count in stones if count is not None]


def _take_grid(typed: Typed, heads: list[int], lines: list[tuple[int, str]], tie: str) -> None:
    for number, line in lines:
        beside, *cells = _cells(line)
        try:
            komi = komi_in(beside) if beside else None
            if beyond := [cell for cell in cells[len(heads) :] if cell]:
                raise UnreadableError("words", beyond[0])
            for stones, cell in zip(heads, cells, strict=False):
                for span in _spans(cell):
                    typed.put(number, *span, TermsRead(stones, komi, None, ""), tie)
        except UnreadableError as error:
            typed.remark(number, error.kind, text=error.text)


def _spans(cell: str) -> Iterator[tuple[int, int]]:
    """Go through the differences in a cell, `15` or `10–19, 25`; none in an empty one, or one with a dash."""
    for part in re.split(r"[,、]", cell):
        if part.strip(" -–—"):
            yield _range(part)[0]
