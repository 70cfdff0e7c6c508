"""The command line: one file per command; `main` maps every error to one line and an exit status."""

import re
import sys
from typing import Annotated

import typer
from typer.main import get_command

import handan
from handan.cli import (
    card,
    check,
    compare,
    convert,
    explain,
    handicap,
    history,
    odds,
    people,
    players,
    printing,
    rank,
    rate,
    serve,
    systems,
    verify,
)
from handan.cli.notices import plain_warnings, say
from handan.errors import HandanError

FAILED = 2
DATABASE = {"django.db.utils.Error", "sqlite3.Error", "psycopg.Error"}
"""Errors of databases, by name, so that commands without one import none."""
app = typer.Typer(
    name="handan",
    help="Ranks, ratings and fair handicaps for Go.",
    rich_markup_mode=None,  # plain help reads the same in a pipe and on every terminal
    pretty_exceptions_enable=False,
)
app.command("rate")(rate.command)
app.command("explain")(explain.command)
app.command("history")(history.command)
app.command("handicap", cls=handicap.Signed)(handicap.command)
app.command("check")(check.command)
app.command("convert")(convert.command)
app.command("compare")(compare.command)
app.command("players")(players.command)
app.command("card")(card.command)
app.command("print")(printing.command)
app.command("systems")(systems.command)
app.command("odds", cls=handicap.Signed)(odds.command)
app.command("rank")(rank.command)
app.command("serve")(serve.command)
app.command("verify")(verify.command)
app.add_typer(people.app, name="club")  # the commands of both files


def _print_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"handan {handan.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Ranks, ratings and fair handicaps for Go."""


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return its exit status: that of `statuses.end`, or 2 after one line on stderr that says why."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        with plain_warnings():
            status = get_command(app).main(args=given or ["--help"], prog_name="handan", standalone_mode=False)
    except typer.TyperException as error:
        return _fail(plain_words(error.format_message()))
    except HandanError as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except Exception as error:
        if not any(f"{kind.__module__}.{kind.__qualname__}" in DATABASE for kind in type(error).__mro__):
            raise
        return _fail(f"the database refused: {str(error).splitlines()[0]}")
    return status if isinstance(status, int) else 0


LEAKS = (
    (r"Value error, ", ""),
    (r"Input should be a valid integer\b.*", "it should be a whole number"),
    (r"Input should be a valid number\b.*", "it should be a number"),
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


def _fail(message: str) -> int:
    say(f"handan: {message}")
    return FAILED
