"""`handan report`: the page of a club, in one file."""

from pathlib import Path
from typing import Annotated

import typer

from handan.cli import options
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import note, working
from handan.cli.output_files import refuse_own_input, write_file
from handan.cli.session import configured, learning, rated
from handan.errors import counted


@on_files
def command(
    files: options.Files,
    system: options.SystemName,
    out: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page to write, such as club.html.")],
    *,
    since: options.Since = None,
    title: Annotated[
        str | None, typer.Option("--title", metavar="NAME", help="Name of the club; else that of the first file.")
    ] = None,
    setting: options.Settings = None,
    reading: Reading,
    tuned: options.Tuned = False,
    learned_entries: options.LearnedEntries = False,
) -> None:
    """Write one page of a club to print or to send.

    It holds the ladder, who takes what, every card with the reason of each change, and charts; it needs no network. The
    exit status is 0 if all was read, 1 if something was left out, 2 if nothing was rated; then no page is written.
    """
    from handan.reports import as_html, report

    refuse_own_input([*files, *reading.sources], out)
    session = rated(
        files, configured(system, setting), reading, learning(setting, tuned=tuned), learned_entries=learned_entries
    )
    if session.nothing:
        session.end()
    with working("report") as progress:
        content = report(session.ratings, title or files[0].stem, since or "", progress=progress)
        page = as_html(content, progress=progress)
    write_file(out, page.encode())
    for text in content.left_out:
        note(f"left out: {text}")
    for text in session.learned:
        note(text)
    size = len(page.encode()) / 1e3
    amount = f"{size:.0f} kB" if size < 1e3 else f"{size / 1e3:.1f} MB"
    note(f"{out}: {counted(len(content.rows), 'member')}, {amount}")
    session.end()
