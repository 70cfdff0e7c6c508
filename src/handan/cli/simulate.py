"""`handan simulate`: games of an invented club or federation whose true strengths are known."""

import json
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handan.cli import options
from handan.cli.notices import note, quietly, say, say_all, working
from handan.cli.output import Form, plain, write_bytes
from handan.cli.output_files import refuse_existing, write_file
from handan.cli.rows import show
from handan.cli.session import configured, setting_texts
from handan.cli.systems import SETTING_NAMES, setting_columns, setting_rows
from handan.cli.tables import Column
from handan.errors import InputError, counted

if TYPE_CHECKING:
    from handan.evidence.worlds import Simulation

TRUTHS = (".json", ".csv")
STANDARD_OUTPUT = "-"
Out = Annotated[
    Path | None,
    typer.Argument(
        metavar="FILE", help="The games to write; the ending says the format; - prints CSV.", show_default=False
    ),
]
Kind = Annotated[str, typer.Option("--world", metavar="KIND", help="Kind of world; without FILE all are listed.")]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="A setting of the world, such as players=40. Repeatable.", show_default=False
    ),
]
By = Annotated[
    str | None, typer.Option("--by", metavar="NAME", help="Draw the results from this system's own forecasts.")
]
Truth = Annotated[
    Path | None,
    typer.Option("--truth", metavar="FILE", help="Write what is true: .json all of it, .csv a row for each game."),
]


def command(
    out: Out = None,
    *,
    world: Kind = "club",
    setting: Settings = None,
    seed: Annotated[int | None, typer.Option("--seed", metavar="NUMBER", help="Of the dice.")] = None,
    by: By = None,
    truth: Truth = None,
    force: Annotated[bool, typer.Option("--force", help="Write over files that are there.")] = False,
    quiet: options.Quiet = False,
    form: options.Format = Form.TABLE,
) -> None:
    """Invent a club or federation with known true strengths, and write its games.

    The same settings give the same games. Without FILE the settings, and the kinds of worlds, are listed.
    """
    from handan.evidence.worlds import World, simulate, simulate_by

    texts = setting_texts(setting, "players=40") | ({} if seed is None else {"seed": str(seed)})
    chosen = World.configured(texts, world)
    with quietly(quiet=quiet):
        if out is None:
            if truth is not None:
                raise InputError(f"give the file of the games too: handan simulate FILE --truth {truth}")
            _list(chosen, form)
            return
        rules = None if by is None else configured(by, None)
        for target in (out, truth):
            if target is not None and str(target) != STANDARD_OUTPUT:
                refuse_existing(target, force=force)
        if truth is not None and truth.resolve() == out.resolve():
            raise InputError(f"{truth} is the file of the games too; give the truth another name")
        if truth is not None and truth.suffix.lower() not in TRUTHS:
            raise InputError(f"{truth} does not end in {' or '.join(TRUTHS)}")
        if chosen.last > date.today() + timedelta(days=1):  # noqa: DTZ011  # readers take local time
            raise InputError(
                f"the last meeting is on {chosen.last}, and no game after tomorrow is read; give an earlier first day"
                " (--set first=2020-01-05) or fewer days"
            )
        with working("inventing") as progress:
            made = (
                simulate(chosen, progress=progress) if rules is None else simulate_by(rules, chosen, progress=progress)
            )
        _write(made, out)
        if truth is not None:
            _write_truth(made, truth)
            note(f"{truth}: the truth")


def _list(chosen: Any, form: Form) -> None:
    """Print the settings of a world, and the kinds of worlds."""
    from handan.evidence.worlds import WORLDS

    rows = setting_rows(chosen)
    kinds = [{"world": name, "settings": " ".join(f"{key}={value}" for key, value in own.items())}
             for name, own in WORLDS.items()]  # fmt: skip
    document = {"worlds": [{"world": name, "settings": own} for name, own in WORLDS.items()], "settings": rows}
    flat = [row | {"choices": "|".join(row["choices"])} for row in rows]
    columns = [Column(title, [row[title] or "the defaults" for row in kinds]) for title in ("world", "settings")]
    show(form, flat, SETTING_NAMES, [setting_columns(rows), columns], document=document)


def _write(made: "Simulation", out: Path) -> None:
    """Write the games."""
    from handan.files.writing import encoded, write

    if str(out) == STANDARD_OUTPUT:
        write_bytes(encoded(made.ledger, "standard output.csv")[0])
        return
    omissions = write(made.ledger, out)
    say_all("not written", omissions)
    say(f"{out}: {counted(len(made.ledger), 'game')} of {counted(len(made.ledger.players), 'player')}")


def _write_truth(made: "Simulation", truth: Path) -> None:
    """Write the truth beside the games."""
    if truth.suffix.lower() == ".csv":
        text = made.games.write_csv()
    else:
        text = json.dumps(plain(made.as_dict()), ensure_ascii=False) + "\n"
    write_file(truth, text.encode())
