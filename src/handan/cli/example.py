"""`handan example` and `handan template`: something to try, and a sheet to fill."""

from enum import StrEnum
from importlib.resources import files as resources
from pathlib import Path
from typing import Annotated

import typer

from handan.cli.notices import say
from handan.cli.output import write
from handan.cli.output_files import refuse_existing, write_file

EXAMPLE = ("games.csv", "adjustments.csv")
COLUMNS = {
    "date": "Day of the game, such as 2026-09-02.",
    "black": "Name of the player who held Black. Write every name always in the same way.",
    "white": "Name of the player who held White.",
    "result": "B+R, B+3.5, W+T, B+, jigo: who won (B or W), and by how much; R: resignation, T: time, F: did not come.",
    "handicap": "0 even, 1 Black moves first without full komi, 2 and more stones on the board. May be empty: 0.",
    "komi": "Points to White. May be empty.",
    "kind": "club, tournament, friendly, teaching … May be empty.",
    "black_rank": "Rank of Black at this game, such as 10k or 2d. May be empty.",
    "white_rank": "Rank of White. May be empty.",
    "notes": "Anything. May be empty.",
}
"""Columns of a sheet to fill, and what goes there."""


class Program(StrEnum):
    """For which program a sheet is made."""

    CSV = "csv"
    EXCEL = "excel"


def example(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where; made if need be.")] = Path("handan-example"),
    *,
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there.")] = False,
) -> None:
    """Write a small club to try: games, and ranks set by hand."""
    if not folder.exists():
        folder.mkdir(parents=True)
    for name in EXAMPLE:
        refuse_existing(folder / name, force=force)
    for name in EXAMPLE:
        write_file(folder / name, (resources("handan.cli") / "example_club" / name).read_bytes())
    say(f"written: {', '.join(str(folder / name) for name in EXAMPLE)}")
    say(f"next: handan rate {folder / EXAMPLE[0]} --system sagc")


def template(
    out: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The sheet; else games.csv or games.xlsx.")
    ] = None,
    *,
    program: Annotated[Program, typer.Option("--for", help="For which program.")] = Program.CSV,
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there.")] = False,
) -> None:
    """Write a sheet to fill with games: one row a game. `-o -` prints it."""
    from handan.cli.workbook import workbook

    header = ",".join(COLUMNS)
    if out is not None and str(out) == "-" and program is Program.CSV:
        write(header)
        return
    excel = program is Program.EXCEL or (out is not None and out.suffix.lower() == ".xlsx")
    target = out or Path("games.xlsx" if excel else "games.csv")
    refuse_existing(target, force=force)
    if excel:
        help_rows = [("column", "what goes there"), *COLUMNS.items()]
        write_file(target, workbook({"games": [tuple(COLUMNS)], "how to fill it": help_rows}))
    else:
        write_file(target, f"{header}\n".encode())
    say(f"{target}: one row a game; then `handan check {target}`")
    for name, what in COLUMNS.items() if not excel else ():
        say(f"  {name}: {what}")
