"""`handan check`: what is in the files, and what is wrong with them."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from handan.cli import options
from handan.cli.exit_status import end
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import note, say, working
from handan.cli.output import PEOPLE, Form, visible, write
from handan.cli.rows import show
from handan.cli.tables import Column, aligned
from handan.errors import counted

if TYPE_CHECKING:
    from handan.files.report import Report

MOST = 50
WORKSHEET = "worksheet"  # the fact by which tables of a workbook differ
COUNTS = (
    "players", "games", "rated", "handicap", "jigo", "byes", "half_byes", "absences", "forfeits", "unplayed",
    "both_lose", "both_win", "void",
)  # fmt: skip
CSV_NAMES = ("file", "format", *COUNTS, "from", "to", "problems", "refusal")


@on_files
def command(
    files: options.Files,
    *,
    every: Annotated[bool, typer.Option("--all", help=f"List all problems of a file, not only {MOST}.")] = False,
    reading: Reading,
    form: options.Format = Form.TABLE,
) -> None:
    """Report what files hold: format, players, games, what each column means, and every row that was not taken.

    The exit status is 0 if all was read, 1 if something was left out, 2 if no game or player was read, or if a file
    that was named cannot be read.
    """
    reports = _reports(files, reading)
    rows = [report.as_dict() for report in reports]
    if form is Form.TABLE:
        write("\n\n".join([aligned(_columns(rows)), *_understood(reports)]))
    else:
        flat = [row | {"problems": len(row["problems"])} for row in rows]
        foot = "\n\n".join(_understood(reports))
        show(form, rows if form is Form.JSONL else flat, CSV_NAMES, _columns(rows), document={"files": rows}, foot=foot)
    for report in reports if form in PEOPLE else ():
        _report_faults(report, None if every else MOST)
    end(left_out=any(report.left_out for report in reports), nothing=_nothing(files, reports))


def _nothing(files: list[Any], reports: list["Report"]) -> str:
    """Return why nothing can be rated: a file that was named is unreadable, or none holds anything."""
    from handan.files.io.storage import named

    own = {named(file) for file in files}
    unreadable = [report.file for report in reports if report.refusal and report.file in own]
    if unreadable:
        return f"{counted(len(unreadable), 'file')} that cannot be read: {', '.join(unreadable)}"
    return "" if any(report.games or report.players for report in reports) else "no game was read"


def _reports(files: list[Any], reading: Reading) -> list["Report"]:
    from handan.files.duplicates import with_repeats
    from handan.files.games.unnamed_events import with_named_events
    from handan.files.merging import registered
    from handan.files.name_variants import with_spellings
    from handan.files.reading import passed_over, readings
    from handan.files.report import report, warnings_across

    parsed = []
    foreign: list[str] = []
    with working("reading") as progress:
        for item in readings(files, reading.as_options(), refuse=False):
            if item.foreign:
                foreign.append(item.source)
                continue
            parsed.append(item)
            progress(f"read {counted(len(parsed), 'file')}")
    for problem in passed_over(foreign):
        note(f"warning: {problem}")
    parsed = with_named_events(registered(parsed))
    for text in warnings_across(parsed):
        note(f"warning: {text}")
    return [report(item) for item in with_spellings(with_repeats(parsed))]


def _columns(rows: list[dict[str, Any]]) -> list[Column]:
    """Return the figures of the files, without columns that are empty throughout."""
    counts = [
        Column(name.replace("_", " "), [str(row[name] or "") for row in rows], right=True, spare=0 if place < 2 else 2)
        for place, name in enumerate(COUNTS)
    ]
    return [
        Column("file", [row["file"] for row in rows]),
        Column("format", [row["format"] or "none" for row in rows]),
        *(column for column in counts if column.title in ("players", "games") or any(column.cells)),
        Column("from", [row["from"] for row in rows], spare=1),
        Column("to", [row["to"] for row in rows], spare=1),
        Column("problems", [str(len(row["problems"]) or "") for row in rows], right=True, spare=1),
    ]


def _understood(reports: list["Report"]) -> list[str]:
    """Return how the tables were understood, once for those that are laid out alike."""
    from handan.files.games.interpretation import in_words

    alike: dict[Any, dict[str, list[str]]] = {}
    for report in reports:
        for table in report.understandings:
            if any(heading.strip() != column for heading, column in table.columns if heading.strip()) or table.odd:
                facts = tuple(fact for fact in table.facts.items() if fact[0] != WORKSHEET)
                worksheets = alike.setdefault((table.columns, facts), {}).setdefault(report.file, [])
                worksheets += [table.facts[WORKSHEET]] if WORKSHEET in table.facts else []
    texts = []
    for (columns, facts), files in alike.items():
        names, worksheets = list(files), next(iter(files.values()))
        noun = f"{WORKSHEET}s" if len(worksheets) > 1 else WORKSHEET
        sheets = [f"{noun} {', '.join(worksheets)}"] if worksheets else []
        listed = ", ".join([*sheets, *(f"{name} {fact}" for name, fact in facts)])
        others = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
        named = [(heading.strip() or "(no name)", in_words(column)) for heading, column in columns]
        cells = list(zip(*named, strict=True)) or [(), ()]
        meanings = aligned([Column("column", cells[0]), Column("meaning", cells[1])])
        texts.append(f"{names[0]}{others}: {listed}\n{meanings}")
    return texts


def _report_faults(report: "Report", most: int | None) -> None:
    """Write the faults of one file to stderr, at most so many."""
    if report.refusal:
        say(f"unreadable: {report.refusal}")
    for problem in report.problems[:most]:
        (say if problem.rejected else note)(f"{'rejected' if problem.rejected else 'warning'}: {visible(str(problem))}")
    if most is not None and len(report.problems) > most:
        say(f"{report.file}: {len(report.problems) - most:,} more problems; --all lists them")
