"""The command line: one file per command; `main` maps every error to one line and an exit status."""

import os
import re
import sys
from functools import cache
from importlib import import_module
from typing import Annotated, Any, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

import handan
from handan.cli.help import EXAMPLES, START, PlainCommand, PlainGroup, PointsCommand
from handan.cli.notices import plain_warnings, quietly, say
from handan.errors import HandanError
from handan.interrupts import stops_kept
from handan.plugins import failing, reason

FAILED, STOPPED = 2, 130
COMPLETION = "_HANDAN_COMPLETE"
"""Variable by which a shell asks what could follow."""
DATABASE = {"django.db.utils.Error", "sqlite3.Error", "psycopg.Error"}
"""Errors of databases, by name, so that commands without one import none."""
PANELS: dict[str, dict[str, tuple[str, str]]] = {
    "Rate and explain": {
        "rate": ("rate", "The ladder of a file of games."),
        "explain": ("explain", "Why a rating moved, factor by factor."),
        "history": ("history", "A player's games and ratings, or everybody's."),
        "add": ("add", "Add games to saved ratings: who moved?"),
    },
    "Look up": {
        "handicap": ("handicap", "Stones and komi for a fair game."),
        "odds": ("odds", "How likely each of two players wins."),
        "rank": ("rank", "A rank in all languages, or as it is called elsewhere."),
        "card": ("card", "Points cards of clubs."),
        "systems": ("systems", "Rating systems and their settings."),
    },
    "Study": {
        "compare": ("compare", "Which system forecasts these games best?"),
        "what-if": ("what_if", "Both lists, if another system or setting were used."),
        "tune": ("tune", "Settings of a system that fit these games."),
        "fit-card": ("fit_card", "What a stone and komi are worth in these games."),
        "pools": ("pools", "Groups of players whom no game joins."),
        "drift": ("drift", "How ratings move from year to year; who is misrated."),
        "simulate": ("simulate", "Invent a club whose true strengths are known."),
        "stress": ("stress", "What newcomers, split pools and fraud cost a system."),
    },
    "Files": {
        "example": ("example:example", "A small club to try."),
        "template": ("example:template", "A sheet to fill with games."),
        "init": ("init", "Write down the club's rules once: handan.toml."),
        "check": ("check", "What is in a file, and what is wrong with it."),
        "convert": ("convert", "Write games as another kind of file."),
        "diff": ("diff", "What two tournament files tell otherwise."),
        "players": ("players", "The players of files: who is who?"),
        "ledger": ("ledger:app", "Keep millions of games on disk."),
    },
    "Club and paper": {
        "report": ("report", "One page of a club to print or to send."),
        "event": ("event", "What a tournament did to each player."),
        "print": ("printing", "Cards, posters, plates, record sheets and lists on paper."),
        "serve": ("serve", "Clubs on the web, or a file of games in the browser."),
        "club": ("club_files:app", "Make, load, copy and keep the clubs of a server."),
        "verify": ("verify", "Check an official list."),
        "doctor": ("doctor", "What this machine has and can."),
    },
}
"""The commands by the titles of the help: where each is (its file, and there `command` or a name) and what it is for.

A file is imported when its command is asked for, or all of them are; `club` has the commands of three files.
"""
COMMANDS = {name: where for panel in PANELS.values() for name, (where, _) in panel.items()}
SIGNED = {"handicap", "odds"}


def _print_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"handan {handan.__version__}")
        raise typer.Exit


def _root(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Ranks, ratings and fair handicaps for Go."""


class Root(TyperGroup):
    """The command without a command; its help says what each is for and imports none."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands under the titles of their panels."""
        del ctx
        width = max(map(len, COMMANDS))
        for title, panel in PANELS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:{width}}", text) for name, (_, text) in panel.items()])


@cache
def root(only: tuple[str, ...] | None = None) -> TyperGroup:
    """Return the parser of some commands, or of all, made once in a process; no other command's file is imported."""
    app = typer.Typer(
        name="handan",
        cls=Root,
        help="Ranks, ratings and fair handicaps for Go.",
        epilog="Help on one command: handan rate -h. Every command takes -q, and with an answer --json.",
        rich_markup_mode=None,  # plain help reads the same in a pipe and on every terminal
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name in COMMANDS if only is None else only:
        file, _, item = COMMANDS[name].partition(":")
        run = getattr(import_module(f"handan.cli.{file}"), item or "command")
        if isinstance(run, typer.Typer):
            app.add_typer(run, name=name, cls=PlainGroup)
        else:
            app.command(name, cls=PointsCommand if name in SIGNED else PlainCommand)(run)
    return cast("TyperGroup", get_command(app))


def _needed(own: list[str]) -> tuple[str, ...] | None:
    """Return the commands that have to be known: one, none for the help of all; None, all, for what is misspelt."""
    if COMPLETION not in os.environ and own and own[0] in COMMANDS:
        return (own[0],)
    return () if COMPLETION not in os.environ and own[0].startswith("-") else None


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit status.

    It is that of `statuses.end`, 2 after one line on stderr that says why, or 130 after one that says that Ctrl-C
    ended it.
    """
    given = sys.argv[1:] if arguments is None else arguments
    try:
        with plain_warnings(), stops_kept(), quietly(quiet=False):
            if not given and COMPLETION not in os.environ:
                typer.echo(START)
            own = asked_for(given)
            status = root(_needed(own)).main(args=own, prog_name="handan", standalone_mode=False)
            if status == STOPPED:  # as typer ends a command after Ctrl-C
                raise KeyboardInterrupt
    except KeyboardInterrupt:
        say("handan: stopped")
        return STOPPED
    except typer.TyperException as error:
        return _fail(plain_words(error.format_message()) + _where_to_look(error))
    except HandanError as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error))
    except Exception as error:
        package = failing(error)
        if package and not sys.flags.dev_mode:
            return _fail(f"the package {package} failed: {reason(error)} (python -X dev -m handan … shows where)")
        if not any(f"{kind.__module__}.{kind.__qualname__}" in DATABASE for kind in type(error).__mro__):
            raise
        return _fail(f"the database refused: {str(error).splitlines()[0]}")
    return status if isinstance(status, int) else 0


def asked_for(given: list[str]) -> list[str]:
    """Return the arguments with `help rate` as `rate --help`, and a command in capitals in its own spelling."""
    if not given or given == ["help"]:
        return ["--help"]
    if given[0] == "help":
        return [*given[1:], "--help"]
    return [given[0].casefold(), *given[1:]] if given[0].casefold() in COMMANDS else given


LEAKS = (
    (r"'?\S+?'? is not in the range x>=(\S+?)\.?$", r"it should be at least \1"),
    (r"'?\S+?'? is not in the range x<=(\S+?)\.?$", r"it should be at most \1"),
    (r"'?\S+?'? is not in the range (\S+?)<=x<=(\S+?)\.?$", r"it should be from \1 to \2"),
    (r"'[^']*' is not a valid int(eger)?( range)?\.?$", "it should be a whole number"),
    (r"'[^']*' is not a valid float( range)?\.?$", "it should be a number"),
    (r"Value error, ", ""),
    (r"Input should be a valid integer\b.*", "it should be a whole number"),
    (r"Input should be a valid number\b.*", "it should be a number"),
    (r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", r"too many arguments; not expected: \1"),
    (r"Input should be", "it should be"),
    (r"greater than or equal to", "at least"),
    (r"less than or equal to", "at most"),
)
"""Words of the library that reads options, which are meant for programmers, and ours."""


def plain_words(message: str) -> str:
    """Return a message about options in words for users."""
    for leak, ours in LEAKS:
        message = re.sub(leak, ours, message)
    return message


def _where_to_look(error: typer.TyperException) -> str:
    """Return what is to be given where something is missing, and which help says more."""
    context = getattr(error, "ctx", None)
    message = error.format_message()
    if message.startswith("No such command") and "Did you mean" not in message:
        return f" ({context.command_path if context else 'handan'} -h lists them)"
    if not message.startswith("Missing"):
        return ""
    name = context.info_name if context else None
    if context is None or name is None or name == "handan":
        return " (handan -h)"
    example = EXAMPLES.get(name, ())
    such_as = f"such as `{example[0]}`; " if example else ""
    return f" ({such_as}more: {context.command_path} -h)"


def _fail(message: str) -> int:
    say(f"handan: {message}")
    return FAILED
