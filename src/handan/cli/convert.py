"""`handan convert`: games from any files into one file of another format."""

from pathlib import Path
from typing import Annotated

import typer

from handan.cli.notices import say, say_all, working
from handan.cli.reading import Reading, on_files
from handan.cli.session import read_ledger
from handan.cli.statuses import end
from handan.errors import InputError
from handan.wording.figures import counted


@on_files
def command(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="IN... OUT", help="Files to read, and last the file to write.", show_default=False),
    ],
    *,
    reading: Reading,
    excel_safe: Annotated[
        bool, typer.Option("--excel-safe", help="Put an apostrophe before cells that a spreadsheet takes for formulas.")
    ] = False,
) -> None:
    """Read games from any files and write them as one; the ending of OUT says the format.

    What the format cannot hold is said on stderr. The exit status is 0 if all was read, 1 if something was left out,
    2 if no game was read; then OUT is not written.
    """
    from handan.files import write

    if len(files) < 2:
        raise InputError("one file was given; give files to read and, last, the file to write")
    if reading.adjustments:
        raise InputError("--adjustments: files of games hold no adjustments; keep them in their own file")
    *sources, target = files
    _refuse_own_input(sources, target)
    ledger = read_ledger(sources, reading)
    left_out = any(problem.rejected for problem in ledger.problems)
    if not len(ledger):
        end(left_out=left_out, nothing=f"no game was read; {target} is not written")
    with working(f"writing {counted(len(ledger), 'game')}"):
        losses = write(ledger, target, excel_safe=excel_safe)
    say_all("not written", losses)
    say(f"{target}: {counted(len(ledger), 'game')}")
    end(left_out=left_out)


def _refuse_own_input(sources: list[Path], target: Path) -> None:
    """Refuse to write to a file that is read: InputError if OUT is one of the files or lies in one of the folders."""
    from handan.files.io.storage import matching

    place = target.resolve()
    for source in [Path(path) for given in sources for path in matching(given) or [str(given)]]:
        if target.exists() and (source.resolve() == place or (source.is_dir() and source.resolve() in place.parents)):
            raise InputError(f"{target} is among the files to read; give the file to write another name")
