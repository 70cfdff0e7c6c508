"""`handan init`: write down once what would be typed again with every command."""

import os
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from handan.cli import options
from handan.cli.config import KEYS, NAME, read_config
from handan.cli.notices import hint, say
from handan.cli.output_files import refuse_existing, write_file
from handan.cli.session import configured
from handan.errors import InputError


def command(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Where the games are.")] = Path(),
    *,
    system: options.MaybeSystemName = None,
    setting: options.Settings = None,
    card: options.MaybeCard = None,
    adjustments: options.Adjustments = None,
    aliases: options.Aliases = None,
    column: Annotated[
        list[str] | None,
        typer.Option("--column", metavar="NAME=HEADING", help="What a heading means: black=Noir. Repeatable."),
    ] = None,
    title: Annotated[str | None, typer.Option("--title", metavar="NAME", help="Name of the club.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a handan.toml that is there.")] = False,
) -> None:
    """Write handan.toml beside the games: system, settings and files that every command then takes.

    On a terminal it asks for what is not given.
    """
    target = folder / NAME
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder")
    refuse_existing(target, force=force)
    if sys.stdin.isatty():
        system, card, title, adjustments = _ask(system, card, title, adjustments, folder)
    if system is None:
        raise InputError("give --system NAME; `handan systems` lists them")
    pairs = [*(setting or ()), *([f"card={card}"] if card else [])]
    rules = configured(system, pairs)
    keys = [pair.partition("=")[0] for pair in setting or ()]
    values = {
        "title": title,
        "system": rules.name,
        "card": card,
        "adjustments": _from(folder, adjustments),
        "aliases": _from(folder, aliases),
        "settings": {key: getattr(rules, key.strip().replace("-", "_")) for key in keys},
        "columns": dict(_column(text) for text in column or ()),
    }
    written = toml({key: value for key, value in values.items() if value})
    write_file(target, written.encode())
    say(read_config(target).text.replace("using ", "", 1))
    hint(f"next: handan check {folder}")


def _from(folder: Path, file: Path | None) -> str | None:
    """Return a file as `handan.toml` names it: from the folder in which it lies."""
    if file is None:
        return None
    if file.is_absolute() or (folder / file).exists() or not file.exists():
        return file.as_posix()
    return Path(os.path.relpath(file, folder)).as_posix()


def _column(text: str) -> tuple[str, str]:
    name, equals, heading = text.partition("=")
    if not equals:
        raise InputError(f"column '{text}' is not NAME=HEADING, such as black=Noir")
    return name, heading


def _ask(
    system: str | None, card: str | None, title: str | None, adjustments: Path | None, folder: Path
) -> tuple[str, str | None, str | None, Path | None]:
    """Ask for what was not given."""
    from handan.handicaps import CARDS
    from handan.systems import SYSTEMS

    title = title or typer.prompt("Name of the club", default="", show_default=False, err=True) or None
    if system is None:
        say(f"Systems: {', '.join(SYSTEMS)}")
        system = str(typer.prompt("Rating system", default="points", err=True))
    if system == "points" and card is None:
        say(f"Cards: {', '.join(CARDS)}")
        card = str(typer.prompt("Points card", default=next(iter(CARDS)), err=True))
    if adjustments is None and (folder / "adjustments.csv").exists():
        text = typer.prompt("File of entry ranks", default="adjustments.csv", err=True)
        adjustments = Path(text) if text else None
    return system, card, title, adjustments


def toml(values: dict[str, Any]) -> str:
    """Return the file with a remark at each key."""
    import tomlkit

    document = tomlkit.document()
    document.add(tomlkit.comment("What every command takes for the files of this folder; options go before it."))
    for key, value in values.items():
        if isinstance(value, dict):
            table = tomlkit.table()
            table.comment(KEYS[key][1])
            table.update(value)
            document.add(key, table)
        else:
            item = tomlkit.item(value)
            item.comment(KEYS[key][1])
            document.add(key, item)
    return tomlkit.dumps(document)
