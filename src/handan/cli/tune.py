"""`handan tune`: settings of a rating system learned from one's own games, and whether that is worth it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handan.cli import config, options
from handan.cli.compare import KNOWN_BEFORE, Level, workers_at
from handan.cli.exit_status import end
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import hint, say, working
from handan.cli.output import Form
from handan.cli.output_files import write_file
from handan.cli.rows import show
from handan.cli.session import configured, read_ledger
from handan.cli.size_checks import check_system
from handan.cli.tables import Column
from handan.errors import InputError, counted
from handan.wording.figures import about, signed

if TYPE_CHECKING:
    from handan.evidence.tuning import Tuning

Over = Annotated[
    list[str] | None,
    typer.Option(
        "--over", metavar="NAME=LOW..HIGH", help="A setting to tune, such as stone=20..120. Repeatable.",
        show_default=False,
    ),
]  # fmt: skip
Write = Annotated[bool, typer.Option("--write", help="Write the settings to handan.toml, if they are better.")]


@on_files
def command(
    files: options.Files,
    *,
    system: options.SystemName,
    setting: options.Settings = None,
    over: Over = None,
    known: Level = "game",
    write: Write = False,
    cluster: options.ClusterAddress = None,
    keep: options.Keep = None,
    reading: Reading,
    form: options.Format = Form.TABLE,
) -> None:
    """Learn settings of a rating system from these games, and say whether that is more than chance.

    Settings are chosen on earlier games and scored on later ones, the newest third.
    """
    from handan.evidence.tuning import ranges, tune

    rules = configured(system, setting)
    chosen = ranges(over) if over else None
    ledger = read_ledger(files, reading)
    check_system(ledger, rules)
    workers = workers_at(cluster, keep)
    with working("tuning") as progress:
        answer = tune(ledger, rules, chosen, known=known, cluster=workers, progress=progress)
    rows = [each._asdict() for each in answer.learned]
    show(form, rows, list(rows[0]), _columns(answer), document=answer.as_dict(), foot=_verdict(answer))
    if write:
        _write(files, answer)
    else:
        hint(f"next: handan compare {files[0]} --systems {rules.name},{_as_contender(answer)}")
    end(left_out=any(problem.rejected for problem in ledger.problems))


def _columns(answer: "Tuning") -> list[Column]:
    """Return what the games say of each setting."""
    learned = answer.learned
    between = [f"{each.low:g}" if each.low == each.high else f"{each.low:g} to {each.high:g}" for each in learned]
    return [
        Column("setting", [each.name for each in learned]),
        Column("before", ["none" if each.default is None else f"{each.default:g}" for each in learned], right=True),
        Column("tuned", [f"{each.value:g}" for each in learned], right=True),
        Column("the games say", between),
        Column("unit", [each.unit for each in learned]),
    ]


def _verdict(answer: "Tuning") -> str:
    """Return in three lines how many games were scored, how log-loss moved (95 %), and whether that is worth it."""
    from handan.evidence import APART

    low, high = (signed(value, 4) for value in answer.interval)
    difference = signed(answer.log_loss - answer.usual_log_loss, 4)
    needed = answer.games_needed if answer.verdict == APART else None
    more = "" if needed is None else f"; {about(needed)} games would tell"
    return (
        f"{counted(answer.scored, 'game')} scored, each from {KNOWN_BEFORE[answer.known]},"
        " with settings chosen on earlier days\n"
        f"log-loss {answer.log_loss:.4f} tuned, {answer.usual_log_loss:.4f} before ({difference}, {low} to {high})\n"
        f"tuned settings {_worth(answer)}{more}"
    )


def _worth(answer: "Tuning") -> str:
    from handan.evidence import APART

    return f"{APART} from those before" if answer.verdict == APART else f"are {answer.verdict} than those before"


def _as_contender(answer: "Tuning") -> str:
    return ":".join([answer.system.name, *(f"{name}={value:g}" for name, value in answer.settings.items())])


def _write(files: list[Path], answer: "Tuning") -> None:
    """Write the settings beside the first file, if they are better; what else stands in handan.toml stays."""
    from handan.cli.init import toml
    from handan.evidence.tuning import BETTER

    path = (files[0] if files[0].is_dir() else files[0].parent) / config.NAME
    if answer.verdict != BETTER:
        say(f"{path} is left as it is: tuned settings {_worth(answer)}")
        return
    own = {"system": answer.system.name, "settings": answer.settings}
    write_file(path, (_renewed(path, answer) if path.exists() else toml(own)).encode())
    say(config.read_config(path).text.replace("using ", "wrote ", 1))


def _renewed(path: Path, answer: "Tuning") -> str:
    """Return a handan.toml with the settings in it; InputError where it is of another system."""
    import tomlkit

    document: Any = tomlkit.parse(path.read_text(encoding="utf-8"))
    if document.setdefault("system", answer.system.name) != answer.system.name:
        raise InputError(f"{path} names the system {document['system']}, not {answer.system.name}; nothing was written")
    if "settings" not in document:
        document.add("settings", tomlkit.table())
    document["settings"].update(answer.settings)
    return tomlkit.dumps(document)
