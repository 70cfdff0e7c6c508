"""`handan add`: games added to saved ratings."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handan.cli import options
from handan.cli.exit_status import end
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import hint, quoted, working
from handan.cli.output import PEOPLE, Form, write
from handan.cli.rows import show, write_rows
from handan.cli.session import read_ledger
from handan.cli.tables import Column
from handan.errors import InputError, counted
from handan.wording.figures import digits, fixed, signed

if TYPE_CHECKING:
    from handan.saved import Added

Folder = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="Saved ratings (`handan rate --save`).", show_default=False)
]
Correct = Annotated[
    bool, typer.Option("--correct", help="Each game takes the place of the one of its date, players, event and round.")
]

MOVED = {"player": str, "rank_before": str, "rank": str, "rating_before": float, "rating": float, "change": float,
         "games": int}  # fmt: skip
"""Columns of the rows and what they hold."""


@on_files
def command(
    folder: Folder,
    files: options.Files,
    *,
    correct: Correct = False,
    output: options.Output = None,
    table: options.Table = "rating_changes",
    reading: Reading,
    form: options.Format = Form.TABLE,
) -> None:
    """Add games to saved ratings, and print who moved.

    What is new is rated from the nearest checkpoint before it; games that are there already are not added again. The
    exit status is 0 if all was read, 1 if something was left out.
    """
    from handan.files.io.storage import named
    from handan.ledger.manifest import is_saved
    from handan.saved import add

    if not is_saved(folder):
        raise InputError(f"{named(folder)} holds no saved ratings; handan rate FILES --system NAME --save makes them")
    ledger = read_ledger(files, reading)
    with working(f"adding {counted(len(ledger), 'game')}"):
        added = add(folder, ledger, correct=correct, keep_repeats=reading.keep_repeats)
    rows = [row._asdict() for row in added.moved]
    document = {
        "added": added.games, "repeats": added.repeats, "corrected": added.corrected, "rated_again": added.taken,
        "since": added.since, "anew": added.anew, "players": rows,
    }  # fmt: skip
    if output is not None:
        write_rows(rows, MOVED, output, table)
        write(_summary(folder, added))
    elif rows or form is not Form.TABLE:
        show(form, rows, list(MOVED), _columns(rows), document=document, foot=_summary(folder, added))
    else:
        write(_summary(folder, added))
    if rows and output is None and form in PEOPLE:
        hint(f"why? handan explain {folder} --player {quoted(rows[0]['player'])}")
    end(left_out=any(problem.rejected for problem in ledger.problems))


def _columns(rows: list[dict[str, Any]]) -> list[Column]:
    """Return who moved."""
    decimals = digits(row["rating"] for row in rows)
    was = [row["rank_before"] if row["rank_before"] != row["rank"] else "" for row in rows]
    return [
        Column("player", [row["player"] for row in rows]),
        Column("rank", [row["rank"] for row in rows], spare=1),
        Column("was", was, spare=2),
        Column("rating", [fixed(row["rating"], decimals) for row in rows], right=True),
        Column("change", ["new" if row["change"] is None else signed(row["change"], decimals) for row in rows],
               right=True),
        Column("games", [str(row["games"]) for row in rows], right=True, spare=3),
    ]  # fmt: skip


def _summary(folder: Path, added: "Added") -> str:
    """Return what became of the games."""
    parts = [f"{folder}: {counted(added.games, 'game')} added"]
    if added.corrected:
        parts.append(f"{counted(added.corrected, 'game')} corrected")
    if added.repeats:
        parts.append(f"{added.repeats:,} there already and not added again (--keep-repeats adds them)")
    if added.taken:
        since = "" if added.since is None else f", those from {added.since} on"
        parts.append(f"{counted(added.taken, 'game')} rated{since}")
    return "; ".join(parts) + (f"\nall games were rated: {added.anew}" if added.anew else "")
