"""How files are read: the options that every command on files takes."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_type_hints

from handan.cli import options
from handan.cli.notices import note, quietly
from handan.errors import InputError, shown

if TYPE_CHECKING:
    from handan.files import Options

OF_TEXT = frozenset({"encoding", "date", "date_from_path", "dates"})
"""Options by parameter that say how text is read, which a ledger on disk holds no more."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a user said about the files."""

    adjustments: options.Adjustments = None
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
    letters: options.Letters = None
    worksheet: options.Worksheet = None
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

    def options(self) -> "Options":
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
        limits = Limits.configured(self.allow or ())
        return Options(
            self.encoding, date, self.date_from_path, limits, self.dates, columns, self.letters, self.worksheet
        )


def on_files(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command that has a parameter `reading` the options of `Reading` in its place."""

    @wraps(command)
    def run(**given: Any) -> None:
        with quietly(quiet=given["quiet"]):
            options_given = _completed(given, frozenset(shown_names), needs_system=needs_system)
            reading = Reading(**{name: options_given.pop(name) for name in names})
            command(**options_given, reading=reading)

    names = [field.name for field in fields(Reading)]
    hints = get_type_hints(command, include_extras=True) | get_type_hints(Reading, include_extras=True)
    own = [item for name, item in inspect.signature(command).parameters.items() if name != "reading"]
    shared = [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default)
        for field in fields(Reading)
    ]
    needed = [item.replace(default=None) if _may_be_absent(item) else item for item in own]
    needs_system = any(_may_be_absent(item) for item in own)
    if needs_system:
        hints["system"] = options.MaybeSystemName
    parameters = [
        item.replace(annotation=hints[item.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for item in [*needed[:-1], *shared, needed[-1]]
    ]
    shown_names = [item.name for item in parameters]
    run.__signature__ = inspect.Signature(parameters, return_annotation=None)  # type: ignore[attr-defined]
    run.__annotations__ = {item.name: item.annotation for item in parameters} | {"return": None}
    del run.__wrapped__  # its signature would be found first
    return run


def _may_be_absent(item: inspect.Parameter) -> bool:
    """Return whether a parameter is a system that must be given, or else stand in `handan.toml`."""
    return item.name == "system" and item.default is inspect.Parameter.empty


def _completed(given: dict[str, Any], names: frozenset[str], *, needs_system: bool) -> dict[str, Any]:
    """Return the options with those of `handan.toml` where none were given; InputError if no system is named."""
    from handan.cli import config
    from handan.cli.saved import rules_in

    files = given.get("files") or given.get("players") or []
    file = None if given.get("club") else config.beside(files)  # a club of a server has its own rules
    if file is not None:
        from handan.ledger.disk import is_ledger

        note(file.text)
        given = config.applied(given, file, names - OF_TEXT if all(map(is_ledger, files)) else names)
    if "system" in names and given.get("system") is None and (rules := rules_in(files)) is not None:
        given = given | {"system": rules[0]}
        if "setting" in names:
            given["setting"] = [*rules[1], *(given["setting"] or ())]
    if needs_system and given["system"] is None:
        from handan.files.io.storage import refuse_absent
        from handan.systems import SYSTEMS

        for path in files:
            refuse_absent(path)
        raise InputError(f"give --system NAME, one of {', '.join(SYSTEMS)}, or write it in {config.NAME} (handan init)")
    return given
