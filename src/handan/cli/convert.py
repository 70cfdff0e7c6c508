"""`handan convert`: games from any files into one file of another format."""

from pathlib import Path
from typing import Annotated

import typer

from handan.cli.exit_status import end
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import note, say_all, working
from handan.cli.output import write_bytes
from handan.cli.output_files import refuse_own_input
from handan.cli.session import read_ledger
from handan.errors import InputError, counted

STANDARD_OUTPUT = "-"


@on_files
def command(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="IN... [OUT]", help="Files to read, and last the file to write.", show_default=False),
    ],
    *,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="OUT", help="The file to write; - is standard output.")
    ] = None,
    to: Annotated[
        str, typer.Option("--to", metavar="ENDING", help="Format on standard output, such as .jsonl or .h9.")
    ] = ".csv",
    reading: Reading,
    excel_safe: Annotated[
        bool, typer.Option("--excel-safe", help="Put an apostrophe before cells that a spreadsheet takes for formulas.")
    ] = False,
) -> None:
    """Read games from any files and write them as one; the ending of OUT says the format.

    What the format cannot hold is said on stderr. The exit status is 0 if all was read and written, 1 if something was
    left out or the format cannot hold it, 2 if no game was read; then OUT is not written.
    """
    from handan.files import write
    from handan.files.writing import encoded

    if output is None and len(files) < 2:
        raise InputError("one file was given; give files to read and, last, the file to write, or -o and its name")
    sources, target = (files, output) if output else (files[:-1], files[-1])
    to_file = str(target) != STANDARD_OUTPUT
    if to_file:
        refuse_own_input([*sources, *reading.sources], target)
    ledger = read_ledger(sources, reading)
    left_out = any(problem.rejected for problem in ledger.problems)
    say_all("warning", ledger.warnings)
    if not len(ledger):
        end(left_out=left_out, nothing=f"no game was read; {f'{target} is not' if to_file else 'nothing is'} written")
    if to_file:
        with working(f"writing {counted(len(ledger), 'game')}"):
            omissions = write(ledger, target, excel_safe=excel_safe)
    else:
        data, omissions = encoded(ledger, f"standard output.{to.lower().removeprefix('.')}", excel_safe=excel_safe)
    for omission in omissions:
        note(f"not written: {omission}")
    if to_file:
        note(f"{target}: {counted(len(ledger), 'game')}")
    else:
        write_bytes(data)
    end(left_out=left_out or bool(omissions))
