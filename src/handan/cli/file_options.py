"""How files are read: the options that every command on files takes."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from handan.cli import options
from handan.cli.notices import note, quietly
from handan.errors import InputError, shown

if TYPE_CHECKING:
    from handan.files import Options

WHICH = (
    "points or sagc for a club, egf or aga for a federation, glicko2 for a server, handan for the best forecasts; "
    "`handan systems` lists all"
)
"""Which system for whom."""
OF_TEXT = frozenset({"encoding", "date", "date_from_path", "dates"})
"""Options by parameter that say how text is read, which a ledger on disk holds no more."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a user said about the files."""

    adjustments: options.Adjustments = None
    list_date: options.ListDate = None
    as_of: options.AsOf = None
    strict: options.Strict = False
    dedupe: options.Dedupe = False
    keep_repeats: options.KeepRepeats = False
    aliases: options.Aliases = None
    encoding: options.Encoding = None
    date: options.Date = None
    date_from_path: options.DateFromPath = False
    dates: options.Dates = None
    column: options.Columns = None
    source_column: options.SourceColumn = None
    letters: options.Letters = None
    worksheet: options.Worksheet = None
    query: options.Query = None
    allow: options.Allow = None
    quiet: options.Quiet = False

    @property
    def changes_games(self) -> bool:
        """Whether something is said by which saved ratings would be others."""
        plain = Reading(quiet=self.quiet, strict=self.strict, allow=self.allow)
        return self != plain

    @property
    def row_by_row(self) -> bool:
        """Whether each row can be read by itself, since nothing is said that asks for all of them."""
        return not (self.as_of or self.dedupe or self.aliases or self.date or self.date_from_path)

    @property
    def sources(self) -> list[Path]:
        """Files that are read beside the games."""
        return [file for file in (self.adjustments, self.aliases) if file is not None]

    def as_options(self) -> "Options":
        """Return what the readers of files need to know; InputError for a date, limit or column that is none."""
        from handan.files import Limits, Options
        from handan.ledger import When

        date = None if self.date is None else When.parse(self.date)
        columns = {}
        for pair in self.column or ():
            column, equals, heading = pair.partition("=")
            if not equals:
                raise InputError(f"column {shown(pair)} is not NAME=HEADING, such as black=Noir")
            columns[column.strip()] = heading
        if self.source_column is not None:
            columns["server"] = self.source_column
        limits = Limits.configured(self.allow or ())
        return Options(
            self.encoding, date, self.date_from_path, limits, self.dates, columns, self.letters, self.worksheet,
            self.list_date, self.query,
        )  # fmt: skip


def on_files(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `Reading` in the place of its parameter `reading`."""
    hints = get_type_hints(command, include_extras=True) | get_type_hints(Reading, include_extras=True)
    own = inspect.signature(command).parameters.values()
    needs_system = any(_may_be_absent(item) for item in own)
    if needs_system:
        hints["system"] = options.MaybeSystemName
    shared = [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default)
        for field in fields(Reading)
    ]
    parameters = [
        each.replace(annotation=hints[each.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for item in own
        for each in (
            shared if item.name == "reading" else [item.replace(default=None) if _may_be_absent(item) else item]
        )
    ]
    names = frozenset(item.name for item in parameters)

    def run(**given: Any) -> None:
        with quietly(quiet=given["quiet"]):
            complete = _completed(given, names, needs_system=needs_system)
            reading = Reading(**{item.name: complete.pop(item.name) for item in shared})
            command(**complete, reading=reading)

    run.__name__, run.__doc__, run.__module__ = command.__name__, command.__doc__, command.__module__
    run.__annotations__ = {item.name: item.annotation for item in parameters}
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]  # which typer makes options of
    return run


OF_RULES = frozenset(("system", "setting", "title"))
"""What a command without files takes of the `handan.toml` where it is run."""


def _may_be_absent(item: inspect.Parameter) -> bool:
    """Return whether a parameter is a system that must be given, or else stand in `handan.toml`."""
    return item.name == "system" and item.default is inspect.Parameter.empty


def _completed(given: dict[str, Any], names: frozenset[str], *, needs_system: bool) -> dict[str, Any]:
    """Return the options with those of `handan.toml` where none were given; InputError if no system is named."""
    from handan.cli import config

    files = given.get("files") or given.get("players") or []
    file = None if given.get("club") else config.beside(files)  # a club of a server has its own rules
    if file is not None:
        from handan.ledger.manifest import is_ledger

        note(file.text)
        own = names - OF_TEXT if all(map(is_ledger, files)) else names
        given = config.applied(given, file, own if files else own & OF_RULES)
    if "system" in names and given.get("system") is None and (rules := rules_in(files)) is not None:
        given = given | {"system": rules[0]}
        if "setting" in names:
            given["setting"] = [*rules[1], *(given["setting"] or ())]
    if needs_system and given["system"] is None:
        from handan.files.io.storage import refuse_absent

        for path in files:
            refuse_absent(path)
        raise InputError(f"give --system NAME: {WHICH}; or write it in {config.NAME} (handan init)")
    return given


def saved_alone(files: Sequence[Path]) -> bool:
    """Return whether nothing but one folder of saved ratings is given."""
    if len(files) != 1 or not files[0].is_dir():
        return False
    from handan.ledger.manifest import is_saved

    return is_saved(files[0])


def rules_in(files: Sequence[Path]) -> tuple[str, list[str]] | None:
    """Return system and settings, as `--system` and `--set` take them, of saved ratings that are given alone."""
    if not saved_alone(files):
        return None
    from handan.ledger.manifest import read_manifest

    wanted = read_manifest(files[0]).facts["system"]
    settings = {name: "none" if value is None else value for name, value in wanted["settings"].items()}
    pairs = [f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in settings.items()]
    return str(wanted["name"]), pairs
