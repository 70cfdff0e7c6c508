"""Aligned text for terminals and files: wide letters count double, names are never cut."""

import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from handan.cli.output import all_visible

NARROWEST = 40  # cells; our choice: a terminal of fewer breaks lines itself
COLUMN = re.compile(r" *\S+ {2,}")
"""A figure before its words, as in `    1.5       game result factor`."""
WORDS = re.compile(r"\s*\S+\s*?(?=\s|$)")


@dataclass(frozen=True, slots=True)
class Column:
    """One column of text; it is left out if all its cells are empty."""

    title: str
    cells: Sequence[str]
    right: bool = False
    """Whether figures stand flush right."""
    spare: int = 0
    """On a terminal that is too narrow the columns with the highest number go first; 0 always stays."""


def aligned(columns: Sequence[Column]) -> str:
    """Return columns side by side under their titles, as wide as they need, or as a terminal allows."""
    shown = [column for column in columns if not column.spare or any(column.cells)]
    cells = {id(column): all_visible([column.title, *column.cells]) for column in shown}
    widths = {key: max(_widths(texts)) for key, texts in cells.items()}
    room = terminal_width()
    gap = 2
    while room is not None and sum(widths[id(column)] + gap for column in shown) - gap > room:
        spare = max(shown, key=lambda column: column.spare)
        if gap == 2:
            gap = 1
        elif spare.spare:
            shown.remove(spare)
        else:
            break
    padded = [_padded(cells[id(column)], widths[id(column)], right=column.right) for column in shown]
    lines = [(" " * gap).join(line).rstrip() for line in zip(*padded, strict=True)]
    return "\n".join([emphasised(lines[0]), *lines[1:]])


def on_the_point(figures: Sequence[str]) -> list[str]:
    """Return numbers with blanks behind those that have fewer decimals, so that flush right their points align."""
    behind = [len(text) - text.index(".") if "." in text else 0 for text in figures]
    most = max(behind, default=0)
    return [text + " " * (most - own) for text, own in zip(figures, behind, strict=True)]


def terminal_width() -> int | None:
    """Return the width of the terminal that stdout is, in cells; None for a file or a pipe."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def wrapped(text: str) -> str:
    """Return lines broken at the terminal's width, what goes on beneath the words it belongs to; as is for files."""
    room = terminal_width()
    return text if room is None else "\n".join(_broken(line, max(room, NARROWEST)) for line in text.split("\n"))


def _broken(line: str, room: int) -> str:
    """Return one line as several, each within so many cells; a word longer than a line stays whole."""
    if _width(line) <= room:
        return line
    hang = len(line) - len(line.lstrip()) + 2
    if column := COLUMN.match(line):
        hang = min(_width(column[0]), room // 2)
    lines, own = [], ""
    for word in WORDS.findall(line):
        if own.strip() and _width((own + word).rstrip()) > room:
            lines.append(own.rstrip())
            own = " " * hang + word.lstrip()
        else:
            own += word
    return "\n".join([*lines, own.rstrip()])


def emphasised(line: str) -> str:
    """Return a line in bold where the terminal has it, unchanged elsewhere."""
    if not sys.stdout.isatty():
        return line
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    with console.capture() as capture:
        console.print(Text(line, style="bold"), end="", soft_wrap=True)
    return capture.get()


def _width(text: str) -> int:
    """Return how many cells a text takes on a terminal."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _widths(texts: Sequence[str]) -> list[int]:
    """Return how many cells each text takes on a terminal."""
    return list(map(len if "".join(texts).isascii() else _width, texts))


def _padded(texts: Sequence[str], width: int, *, right: bool) -> list[str]:
    """Return texts with blanks, so that each takes so many cells."""
    if "".join(texts).isascii():
        pad = str.rjust if right else str.ljust
        return [pad(text, width) for text in texts]
    blanks = [" " * (width - own) for own in _widths(texts)]
    pairs = zip(texts, blanks, strict=True)
    return [blank + text if right else text + blank for text, blank in pairs]
