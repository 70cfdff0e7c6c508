"""The command line: one file per command; `main` maps every error to one line and an exit status."""

import os
import re
import sys
from functools import cache
from importlib import import_module
from typing import Annotated, cast

import typer
from typer.core import TyperGroup
from typer.main import get_command

import handan
from handan.cli.help import EXAMPLES, START, Grouped, Signed
from handan.cli.notices import plain_warnings, say
from handan.errors import HandanError
from handan.plugins import failing, reason
from handan.stopping import stops_kept

FAILED, STOPPED = 2, 130
COMPLETION = "_HANDAN_COMPLETE"
"""Variable by which a shell asks what could follow."""
DATABASE = {"django.db.utils.Error", "sqlite3.Error", "psycopg.Error"}
"""Errors of databases, by name, so that commands without one import none."""
COMMANDS: dict[str, str] = {
    "rate": "rate",
    "add": "add",
    "report": "report",
    "explain": "explain",
    "history": "history",
    "event": "event",
    "handicap": "handicap",
    "check": "check",
    "convert": "convert",
    "compare": "compare",
    "tune": "tune",
    "fit-card": "fit_card",
    "simulate": "simulate",
    "stress": "stress",
    "pools": "pools",
    "doctor": "doctor",
    "drift": "drift",
    "players": "players",
    "card": "card",
    "print": "printing",
    "example": "example:example",
    "template": "example:template",
    "init": "init",
    "systems": "systems",
    "odds": "odds",
    "rank": "rank",
    "serve": "serve",
    "verify": "verify",
    "ledger": "ledger:app",
    "club": "loading:app",  # the commands of all its files
}
"""The commands in the order of the help, and where each is: its file, and there `command` or what is named.

A file is imported when its command is asked for, or all of them are.
"""
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


@cache
def root(command: str = "") -> TyperGroup:
    """Return the parser of one command, or of all, made once in a process; no other command's file is imported."""
    app = typer.Typer(
        name="handan",
        help="Ranks, ratings and fair handicaps for Go.",
        rich_markup_mode=None,  # plain help reads the same in a pipe and on every terminal
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name in [command] if command else COMMANDS:
        file, _, item = COMMANDS[name].partition(":")
        run = getattr(import_module(f"handan.cli.{file}"), item or "command")
        if isinstance(run, typer.Typer):
            app.add_typer(run, name=name)
        else:
            app.command(name, cls=Signed if name in SIGNED else Grouped)(run)
    return cast("TyperGroup", get_command(app))


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit status.

    It is that of `statuses.end`, 2 after one line on stderr that says why, or 130 after one that says that Ctrl-C
    ended it.
    """
    given = sys.argv[1:] if arguments is None else arguments
    try:
        with plain_warnings(), stops_kept():
            if not given and COMPLETION not in os.environ:
                typer.echo(START)
            own = asked_for(given)
            command = own[0] if own and own[0] in COMMANDS else ""
            status = root(command).main(args=own, prog_name="handan", standalone_mode=False)
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
