"""How a command on files ends: one exit status for what was read and rated, the same for all commands."""

from typing import NoReturn

import typer

from handan.cli.notices import say

ALL_READ, LEFT_OUT, NOTHING = 0, 1, 2
UNKNOWN = 3
"""A signature holds, and nothing says whose it is."""


def end_unknown(why: str) -> NoReturn:
    """End a command that found a signature whole, but not whose it is."""
    say(f"handan: {why}")
    raise typer.Exit(UNKNOWN)


def end(*, left_out: bool, nothing: str = "") -> None:
    """End a command with its exit status; return if that is 0.

    Args:
        left_out: Whether a row or a file was left out, as stderr says.
        nothing: Why no game was read or rated, in one line; empty if one was.
    """
    if nothing:
        say(f"handan: {nothing}")
        raise typer.Exit(NOTHING)
    if left_out:
        raise typer.Exit(LEFT_OUT)
