"""`handan ledger`: games kept on disk as Parquet, which are read at once."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handan.cli import options
from handan.cli.exit_status import end
from handan.cli.file_options import Reading, on_files
from handan.cli.help import PlainCommand
from handan.cli.notices import say, working
from handan.cli.output import write
from handan.cli.session import read_ledger, say_problems
from handan.cli.size_checks import piece_that_fits, without_pieces
from handan.errors import InputError, counted

if TYPE_CHECKING:
    from handan.ledger import Ledger


app = typer.Typer(
    help="Keep games on disk as Parquet, a file a year, which open at once.",
    rich_markup_mode=None,
    no_args_is_help=True,
)
Folder = Annotated[Path, typer.Argument(metavar="LEDGER", help="Folder of a ledger on disk.", show_default=False)]


FEWER = "give fewer games at a time, or build the ledger anew from all files (handan ledger build)"


@app.command("build", cls=PlainCommand)
@on_files
def build(
    files: options.Files,
    *,
    reading: Reading,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="LEDGER", help="The folder to write.")],
) -> None:
    """Write games from any files as a ledger on disk, which all commands take in place of the files.

    Large files of text (CSV, also packed with gzip, or JSON Lines) and of Parquet are read in pieces, unless --aliases,
    --dedupe, --as-of or a date for all games is given. A ledger that is there is replaced when the new one is whole.
    The exit status is 0 if all was read, 1 if something was left out, 2 if no game was read; then nothing is written.
    """
    from handan.files.io.addresses import refuse_address
    from handan.ledger.dataset import save_ledger

    refuse_address(output)
    piece = piece_that_fits(files, row_by_row=reading.row_by_row)
    if piece is None:
        ledger = read_ledger(files, reading, without_pieces(files))
    else:
        ledger = _built(files, reading, output, piece)
    left_out = any(problem.rejected for problem in ledger.problems)
    if not len(ledger):
        end(left_out=left_out, nothing=f"no game was read; {output} is not written")
    if piece is None:
        with working(f"writing {counted(len(ledger), 'game')}"):
            save_ledger(ledger, output)
    say(f"{output}: {_described(ledger)}")
    end(left_out=left_out)


def _built(files: list[Path], reading: Reading, output: Path, piece: int) -> "Ledger":
    """Build a ledger from pieces of files, of so many bytes, and say on stderr what was left out."""
    from handan.files.adjustments import read_adjustments
    from handan.files.ledger_building import build as from_pieces

    options = reading.as_options()
    items, problems = ([], []) if reading.adjustments is None else read_adjustments(reading.adjustments, options)
    with working("reading") as progress:
        ledger = from_pieces(
            files, output, options, strict=reading.strict, adjustments=items, problems=problems,
            progress=progress, size=piece,
        )  # fmt: skip
    say_problems(ledger.problems)
    return ledger


@app.command("append", cls=PlainCommand)
@on_files
def append(
    ledger: Folder,
    files: options.Files,
    *,
    reading: Reading,
) -> None:
    """Put games among those of a ledger on disk, of whatever day.

    A game that is there already counts again, with a warning; --dedupe leaves it out. Nothing changes if a name may be
    one of two players.
    """
    from handan.ledger.dataset import append as append_to
    from handan.ledger.duplicate_games import counted_again, left_out

    later, lost = _games_for(ledger, files, reading)
    with working(f"writing {counted(len(later), 'game')}"):
        put = append_to(ledger, later, dedupe=reading.dedupe)
    for source, count in put.repeats.items():
        say(f"warning: {(left_out if reading.dedupe else counted_again)(source, count)}")
    say(f"{ledger}: {counted(put.games, 'game')} more, {counted(len(put.newcomers), 'new player')}")
    end(left_out=lost)


@app.command("correct", cls=PlainCommand)
@on_files
def correct(
    ledger: Folder,
    files: options.Files,
    *,
    reading: Reading,
) -> None:
    """Let games take the place of those of a ledger on disk with their date, players, event and round.

    Nothing changes if no such game is there, or several are.
    """
    from handan.ledger.dataset import correct as put_right

    new, left_out = _games_for(ledger, files, reading)
    with working(f"writing {counted(len(new), 'game')}"):
        put = put_right(ledger, new)
    say(f"{ledger}: {counted(put.corrected, 'game')} corrected")
    end(left_out=left_out)


@app.command("verify", cls=PlainCommand)
def verify(ledger: Folder) -> None:
    """Read a whole ledger on disk and compare every file with its digest; exit status 2 if one is damaged."""
    from handan.ledger.dataset import damage, open_ledger

    _refuse_absent(ledger)
    with working(f"reading {ledger}"):
        faults = damage(ledger)
    for fault in faults:
        say(fault)
    if faults:
        raise InputError(f"{ledger} is damaged; build it anew from its files")
    write(f"{ledger}: whole, {_described(open_ledger(ledger))}")


def _refuse_absent(folder: Path) -> None:
    """Refuse a path at which no ledger is; InputError."""
    from handan.files.io.addresses import refuse_address
    from handan.ledger.manifest import is_ledger

    refuse_address(folder)
    if not is_ledger(folder):
        there = "is no ledger on disk" if folder.exists() else "is not there"
        raise InputError(f"{folder} {there}; handan ledger build makes one of files")


def _games_for(folder: Path, files: list[Path], reading: Reading) -> "tuple[Ledger, bool]":
    """Return the games of files and whether any were left out; end the command where there are none."""
    _refuse_absent(folder)
    games = read_ledger(files, reading, FEWER)
    left_out = any(problem.rejected for problem in games.problems)
    if not len(games):
        end(left_out=left_out, nothing=f"no game was read; {folder} is as it was")
    return games, left_out


def _described(ledger: "Ledger") -> str:
    """Return how many games and players a ledger has, and its last day."""
    newest = f", to {ledger.newest}" if ledger.newest else ""
    return f"{counted(len(ledger), 'game')}, {counted(len(ledger.players), 'player')}{newest}"
