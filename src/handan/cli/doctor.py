"""`handan doctor`: what this machine can do with a ledger, before the work begins."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handan.cli import options
from handan.cli.exit_status import end
from handan.cli.file_options import Reading
from handan.cli.notices import quoted, working
from handan.cli.output import Form
from handan.cli.rows import show
from handan.cli.session import configured, read_ledger
from handan.cli.size_checks import named
from handan.cli.tables import Column
from handan.errors import counted

if TYPE_CHECKING:
    from handan.systems import System

GIGA = 1e9
HOUR = 3600.0
Some = Annotated[
    list[Path] | None,
    typer.Argument(metavar="FILE", help="Files of games or a ledger on disk; none: the machine alone."),
]
Name = Annotated[str, typer.Option("--system", "-s", metavar="NAME", help="The system that would rate them.")]


def command(
    files: Some = None,
    system: Name = "elo",
    setting: options.Settings = None,
    form: options.Format = Form.TABLE,
) -> None:
    """Say what this machine has, and how much time and memory it takes to rate games.

    Some of the games are rated to measure it. The exit status is 2 if the memory that is free would not do.
    """
    from handan.evidence.doctor import machine, need_of

    rules = configured(system, setting)
    there = machine(files[0] if files else Path())
    rows = [
        {"what": "processors", "value": str(there.cores)},
        {"what": "memory", "value": f"{_size(there.free)} free of {_size(there.memory)}"},
        {"what": "free disk", "value": _size(there.disk)},
    ]
    enough, foot, need = True, "", None
    if files:
        ledger = read_ledger(files, Reading(quiet=True))
        if not len(ledger):
            end(left_out=False, nothing=f"no game was read of {named(files)}")
        with working(f"rating {counted(len(ledger), 'game')} in part"):
            need = need_of(rules, ledger)
        enough = need.memory is None or there.free is None or need.memory <= there.free
        rows += [
            {"what": "games", "value": f"{need.games:,} of {counted(need.players, 'player')}"},
            {"what": "measured on", "value": counted(need.tried, "game")},
            {"what": f"time of {need.system}", "value": _time(need.seconds)},
            {"what": f"memory of {need.system}", "value": _size(need.memory)},
            {"what": "games are taken", "value": "in windows" if need.in_windows else "all at once"},
        ]
        sets = "".join(f" --set {quoted(pair)}" for pair in setting or ())
        rate = f"handan rate {named(files)} --system {need.system}{sets}"
        foot = f"{rate} would do" if enough else _remedy(files, rules)
    document = {
        "processors": there.cores, "memory": there.memory, "free": there.free, "disk": there.disk,
        "need": None if need is None else need.as_dict(), "enough": enough,
    }  # fmt: skip
    columns = [Column(name, [row[name] for row in rows]) for name in ("what", "value")]
    show(form, rows, ("what", "value"), columns, document=document, foot=foot)
    if not enough:
        raise typer.Exit(2)


def _remedy(files: list[Path], rules: "System") -> str:
    """Return what works where too little memory is free."""
    from handan.ledger.manifest import is_ledger
    from handan.systems.core.sequential import Sequential

    on_disk = len(files) == 1 and is_ledger(files[0])
    build = "" if on_disk else f"handan ledger build {named(files)} -o games.ledger, then "
    ledger = named(files) if on_disk else "games.ledger"
    if not isinstance(rules, Sequential):
        works = f"{build}handan rate {ledger} with a system that takes games one after another, such as elo or glicko2"
    elif on_disk:
        works = f"{rules.name} takes the games of a ledger on disk already; end other programs, or take another machine"
    else:
        works = f"{build}handan rate {ledger} --system {rules.name}"
    return f"too little memory is free: {works}"


def _size(size: float | None) -> str:
    return "unknown" if size is None else f"{size / GIGA:.2f} GB"


def _time(seconds: float) -> str:
    if seconds < 1.0:
        return "less than a second"
    return f"{seconds:.0f} s" if seconds < HOUR else f"{seconds / HOUR:.1f} h"
