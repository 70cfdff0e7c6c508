"""`handan.toml` beside the games: what would otherwise be typed again with every command."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from handan.errors import InputError, closest, shown

NAME = "handan.toml"
KEYS: dict[str, tuple[type, str]] = {
    "system": (str, "the rating system"),
    "card": (str, "the points card, where the system is points"),
    "settings": (dict, "settings of the system"),
    "adjustments": (str, "file of entry ranks, and ranks and ratings set by hand"),
    "aliases": (str, "file of decisions about who is who"),
    "columns": (dict, 'what headings mean: black = "Noir"'),
    "dates": (str, "order of the dates: dmy, mdy or ymd"),
    "encoding": (str, "how the files are encoded"),
    "date": (str, "date of the games that have none"),
    "date_from_path": (bool, "date such games by the path of their file"),
    "dedupe": (bool, "leave out rows that say the same as an earlier row"),
    "title": (str, "name of the club"),
}
"""Keys of the file, their type and what they are."""
PATHS = ("adjustments", "aliases")


@dataclass(frozen=True, slots=True)
class Config:
    """What a `handan.toml` says."""

    path: Path
    values: Mapping[str, Any]

    @property
    def text(self) -> str:
        """One line for the user: `using handan.toml: system egf`."""
        words = [f"{key} {value}" for key, value in self.values.items() if isinstance(value, str)]
        words += [
            f"{key} {name}={value}" for key in ("settings", "columns") for name, value in self._table(key).items()
        ]
        words += [key.replace("_", " ") for key, value in self.values.items() if value is True]
        return f"using {self.path}: {', '.join(words) or 'nothing'}"

    def pairs(self) -> list[str]:
        """Return the settings as `--set` takes them."""
        settings = dict(self._table("settings"))
        if "card" in self.values:
            settings["card"] = self.values["card"]
        return [f"{name}={_text(value)}" for name, value in settings.items()]

    def columns(self) -> list[str]:
        """Return what headings mean as `--column` takes it."""
        return [f"{name}={heading}" for name, heading in self._table("columns").items()]

    def file(self, key: str) -> Path | None:
        """Return a file that is named, which lies beside `handan.toml` unless its path says otherwise."""
        return self.path.parent / self.values[key] if key in self.values else None

    def _table(self, key: str) -> Mapping[str, Any]:
        table: Mapping[str, Any] = self.values.get(key, {})
        return table


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def beside(files: Sequence[Path]) -> Config | None:
    """Return the `handan.toml` beside the first file, or in the folder that is given; or None.

    Without a file, for standard input and for an address, it is that of the folder in which the command is run.
    """
    path = _folder(files) / NAME
    return read_config(path) if path.is_file() else None


def _folder(files: Sequence[Path]) -> Path:
    if not files or str(files[0]) == "-":
        return Path()
    from handan.files.io.addresses import is_address
    from handan.ledger.manifest import is_ledger

    if is_address(files[0]):
        return Path()
    return files[0] if files[0].is_dir() and not is_ledger(files[0]) else files[0].parent


def read_config(path: Path) -> Config:
    """Read a `handan.toml`; InputError for what it cannot say, with the keys that are like it."""
    import tomllib

    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}") from None
    values = {key: value for key, value in values.items() if key in KEYS or key not in _keys_of_the_server()}
    for key, value in values.items():
        if key not in KEYS:
            hint = closest(key.replace("-", "_"), list(KEYS)) or f"; keys are {', '.join(KEYS)}"
            raise InputError(f"{path}: {shown(key)} is not a key{hint}")
        kind = KEYS[key][0]
        if type(value) is not kind:
            what = {str: "text in quotes", dict: "a table", bool: "true or false"}[kind]
            raise InputError(f"{path}: {key} is not {what}; it is {KEYS[key][1]}")
    return Config(path, values)


def _keys_of_the_server() -> frozenset[str]:
    """Return the keys of the file of the same name that configures the club server."""
    from dataclasses import fields

    from handan.web.configuration import Configuration

    return frozenset(field.name for field in fields(Configuration))


def applied(given: dict[str, Any], config: Config, fields: frozenset[str]) -> dict[str, Any]:
    """Return the options of a command with what the file says in place of what was not given.

    Args:
        given: Options by parameter, empty (None, False) where the user gave none.
        config: The file.
        fields: Parameters that the command has.
    """
    own = dict(given)
    values = config.values
    if "system" in fields and not own.get("card"):
        own["system"] = own.get("system") or values.get("system")
        if "setting" in fields and own["system"] == values.get("system"):
            own["setting"] = [*config.pairs(), *(own.get("setting") or ())] or None
    for key in ("encoding", "date", "date_from_path", "dedupe", "dates", "title"):
        if key in fields and key in values:
            own[key] = own.get(key) or values[key]
    for key in PATHS:
        rates = "setting" in fields  # nothing else takes ranks set by hand
        if key in fields and key in values and (rates or key != "adjustments"):
            own[key] = own.get(key) or config.file(key)
    if "column" in fields and values.get("columns"):
        own["column"] = [*config.columns(), *(own.get("column") or ())]
    return own
