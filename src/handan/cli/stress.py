"""`handan stress`: what newcomers, separate pools, wrong results and fraud cost rating systems."""

from pathlib import Path
from typing import Annotated

import typer

from handan.cli import options
from handan.cli.notices import quietly, working
from handan.cli.output import Form
from handan.cli.output_files import refuse_unwritable, write_file
from handan.cli.rows import show
from handan.cli.tables import Column

Systems = Annotated[
    str, typer.Option("--systems", "-s", metavar="NAMES", help="Rating systems by commas, or all; elo:k=32 is one.")
]
Clubs = Annotated[int, typer.Option("--clubs", metavar="NUMBER", help="Invented clubs of each kind.")]
Report = Annotated[
    Path | None, typer.Option("--report", metavar="FILE", help="Write a page with charts, to read or to print.")
]


def command(
    *,
    systems: Systems = "elo,egf,glicko",
    clubs: Clubs = 1,
    report: Report = None,
    quiet: options.Quiet = False,
    form: options.Format = Form.TABLE,
) -> None:
    """Rate invented clubs whose truth is known, and say what newcomers, split pools, wrong results and fraud cost."""
    from handan.charts import need_charts
    from handan.evidence.stress import MEASURES, stress
    from handan.evidence.stress_report import TITLES, WORDS, cell, stress_page

    if report is not None:
        refuse_unwritable(report)
        need_charts()
    with quietly(quiet=quiet), working("inventing clubs") as progress:
        answers = stress(systems, clubs=clubs, progress=progress)
    rows = [each.as_dict() for each in answers]
    columns = [Column("system", [each.system for each in answers])]
    columns += [
        Column(TITLES[name], [cell(name, getattr(each, name)) for each in answers], right=True) for name in MEASURES
    ]
    foot = "\n".join(f"{TITLES[name]}: {WORDS[name]}" for name in MEASURES)
    show(form, rows, list(rows[0]), columns, foot=foot)
    if report is not None:
        write_file(report, stress_page(answers).encode())
