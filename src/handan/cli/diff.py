"""`handan diff`: two tournament files field by field, or files and what is written of them."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handan.cli import options
from handan.cli.exit_status import end
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import Progress, note, working
from handan.cli.output import Form
from handan.cli.rows import show
from handan.cli.tables import Column
from handan.errors import InputError, counted

if TYPE_CHECKING:
    from handan.files.differences import Difference

ITEM = re.compile(r"\[[^\[\]]*\]|(?<=row )\d+|(?<=round )\d+")
"""What tells one of many items in the name of a field."""
NAMES = ("file", "field", "one", "other")


@on_files
def command(
    files: Annotated[
        list[Path], typer.Argument(metavar="ONE OTHER", help="Two files, or with --written any.", show_default=False)
    ],
    *,
    written: Annotated[
        bool, typer.Option("--written", help="Compare each file with what Handan writes of it in its own format.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="List every field, not one of each kind.")] = False,
    reading: Reading,
    form: options.Format = Form.TABLE,
) -> None:
    """Show what two files tell otherwise of a tournament: head, rows in order, byes, criteria, results.

    Two files of one format are compared by all that is in them, others by what is read of them. The exit status is
    0 if nothing differs, 1 if something does, 2 if a file cannot be read.
    """
    from handan.files.differences import differences

    if not written and len(files) != 2:
        raise InputError("give two files, or --written to compare each with what is written of it")
    with working("comparing") as progress:
        if written:
            by_file = _as_written(files, reading, progress)
        else:
            by_file = {str(files[1]): differences(files[0], files[1], reading.as_options())}
    if not by_file:
        end(left_out=False, nothing="no file of a format that is written")
    differing = {name: each for name, each in by_file.items() if each}
    rows = [(name, *row) for name, each in differing.items() for row in (_each(each) if every else _by_kind(each))]
    cells = list(zip(*rows, strict=True)) or [()] * len(NAMES)
    columns = [Column(title, texts) for title, texts in zip(NAMES, cells, strict=True)]
    if len(by_file) == 1:
        columns = columns[1:]
    if rows or form is not Form.TABLE:
        flat = [
            {"file": name, "field": item.field, "one": item.one, "other": item.other}
            for name, each in differing.items() for item in each
        ]  # fmt: skip
        show(form, flat, NAMES, columns, document={"differences": flat})
    if written:
        note(f"{counted(len(by_file), 'file')}, of which {len(differing):,} differ")
    elif not rows:
        note("nothing differs")
    end(left_out=bool(rows))


def _as_written(files: Iterable[Path], reading: Reading, progress: Progress) -> "dict[str, list[Difference]]":
    """Return what is other in each file when it is written again; say of a folder's files which are passed over."""
    from handan.files.differences import changed_by_writing

    by_file: dict[str, list[Difference]] = {}
    for path in files:
        for name, changed in changed_by_writing(path, reading.as_options()):
            if isinstance(changed, InputError):
                note(f"passed over: {name}: {changed}")
            else:
                by_file[name] = changed
                progress(f"compared {counted(len(by_file), 'file')}")
    return by_file


def _each(differing: Iterable["Difference"]) -> list[tuple[str, str, str]]:
    return [(item.field, item.one or "", item.other or "") for item in differing]


def _by_kind(differing: Iterable["Difference"]) -> list[tuple[str, str, str]]:
    """Return the first difference of each kind of field, and how many more like it there are."""
    kinds: dict[str, list[Difference]] = {}
    for item in differing:
        kinds.setdefault(ITEM.sub("", item.field), []).append(item)
    rows = []
    for alike in kinds.values():
        more = f" and {len(alike) - 1:,} more" if len(alike) > 1 else ""
        rows.append((f"{alike[0].field}{more}", alike[0].one or "", alike[0].other or ""))
    return rows
