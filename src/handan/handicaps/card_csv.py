"""A club's own card as CSV: its cells, and the rows of the card that they make."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from handan.errors import InputError, shown
from handan.handicaps.card_law import IMPOSSIBLE, JIGO, WHITE_WINS, CardRow, Count, make_row

PLACES = ({"difference"}, {"from", "to"})
STONES: dict[str, Count] = {"stones": "nigiri", "free_stones": "free"}
COLUMNS = ["difference", "from", "to", *STONES, "komi", "tie"]
MOST_DIFFERENCE = 1000  # our choice: far beyond any card
MOST_RECORDED_STONES = 99  # our choice: what a games table allows
LONGEST_TITLE = 80  # characters; our choice
MOST_RECORDED_KOMI = 400  # our choice: what a games table allows, more than the board has points


class CellError(Exception):
    """A cell cannot be read; the arguments are field, found and expected of a Problem."""


def text_of(file: Path) -> str:
    """Return the text of a file; InputError if it cannot be read."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{file}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InputError(f"{file}: is not UTF-8 text; save the table as CSV in UTF-8") from None


def title_of(text: str) -> str:
    """Return the title of a card, a first line that begins with `#`; empty where there is none."""
    first = text.lstrip().partition("\n")[0]
    return first.lstrip("# ").strip()[:LONGEST_TITLE] if first.startswith("#") else ""


def lines_of(text: str, place: str) -> list[tuple[int, list[str]]]:
    """Return the lines that are not blank, nor the title, as (line number, cells), cut at the first of `,;tab` in use.

    `place` stands in messages; InputError for what is no CSV.
    """
    lines = ["" if line.startswith("#") else line for line in text.splitlines()]
    header = next((line for line in lines if line.strip()), "")
    reader = csv.reader(lines, delimiter=next((mark for mark in ",;\t" if mark in header), ","))
    try:
        rows = [(reader.line_num, [cell.strip() for cell in cells]) for cells in reader if any(map(str.strip, cells))]
    except csv.Error as error:
        raise InputError(f"{place} line {reader.line_num}: is not CSV ({error})") from None
    if len(rows) > MOST_DIFFERENCE + 2:
        raise InputError(f"{place}: {len(rows)} lines; a card has at most {MOST_DIFFERENCE + 1} and a header")
    return rows


def names_of(header: list[str], place: str) -> list[str]:
    """Return the names of the columns; InputError unless they say how to find a row and its stones."""
    names = [name.lower() for name in header]
    if twice := {name for name in names if name and names.count(name) > 1}:
        raise InputError(f"{place}: column {shown(min(twice))} stands twice")
    if sum(ways <= set(names) for ways in PLACES) != 1 or sum(name in names for name in STONES) != 1:
        needed = "difference (or from and to) and stones (or free_stones)"
        raise InputError(f"{place}: header {shown(','.join(header))} does not have {needed}")
    return names


def rows_of(names: list[str], cells: list[str]) -> list[CardRow]:
    """Return the rows that one line stands for; CellError for the first cell that is wrong."""
    if len(cells) < len(names) or any(cells[len(names) :]):
        raise CellError("number of cells", str(len(cells)), f"{len(names)}, as in the header")
    line = dict(zip(names, cells, strict=False))
    first = _whole(line, "difference" if "difference" in line else "from", MOST_DIFFERENCE)
    last = first if "difference" in line else _whole(line, "to", MOST_DIFFERENCE)
    if last < first:
        raise CellError("to", line["to"], f"{first} or more, where the range begins")
    count = next(name for name in STONES if name in line)
    stones = _whole(line, count, MOST_RECORDED_STONES)
    free = stones if count == "free_stones" else max(stones - 1, 0)
    komi = _komi(line.get("komi", ""))
    tie = _tie(line.get("tie", ""), komi)
    return [make_row(difference, stones, free, komi, tie) for difference in range(first, last + 1)]


def _whole(line: dict[str, str], name: str, most: int) -> int:
    if not re.fullmatch(r"\d{1,6}", line[name]) or int(line[name]) > most:
        raise CellError(name, line[name], f"a whole number from 0 to {most}")
    return int(line[name])


def _komi(text: str) -> float | None:
    if not text:
        return None
    try:
        komi = float(text.replace(",", ".").replace("\N{MINUS SIGN}", "-"))
    except ValueError:
        komi = float("nan")
    if not -MOST_RECORDED_KOMI <= komi <= MOST_RECORDED_KOMI:
        raise CellError("komi", text, f"points to White from -{MOST_RECORDED_KOMI} to {MOST_RECORDED_KOMI}, or empty")
    return komi + 0.0  # no negative zero


def _tie(text: str, komi: float | None) -> str:
    tie = text.lower() or JIGO
    possible = komi is None or komi == int(komi)
    if tie not in {WHITE_WINS, JIGO} and (possible or tie != IMPOSSIBLE):
        raise CellError("tie", text, f"'{WHITE_WINS}' or '{JIGO}'")
    return tie
