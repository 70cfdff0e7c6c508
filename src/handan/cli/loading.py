"""`handan club load` and `undo`: files of games, people and ratings put into a club, and taken out again."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handan.cli.club import OPERATOR, Database, Slug, _club
from handan.cli.django import started
from handan.cli.help import Grouped
from handan.cli.notices import note, say_all, working
from handan.cli.output import write
from handan.cli.people import app
from handan.cli.reading import Reading, on_files
from handan.cli.session import read_ledger
from handan.cli.statuses import end
from handan.cli.tables import Column, aligned
from handan.errors import InputError, counted

if TYPE_CHECKING:
    from handan.club.loading import Loaded
    from handan.club.store.loading import Loading
    from handan.errors import Problem
    from handan.ledger import Adjustment, Ledger, Player

__all__ = ["app"]
MaybeFiles = Annotated[
    list[Path] | None,
    typer.Argument(metavar="FILE", help="Files of games, folders or zip archives.", show_default=False),
]
COUNTS = ("games", "entered", "there", "newcomers", "changed", "adjusted")
"""Figures of each file."""


@app.command("load", cls=Grouped)
@on_files
def load(
    club: Slug,
    files: MaybeFiles = None,
    *,
    players: Annotated[
        list[Path] | None,
        typer.Option("--players", metavar="LIST", help="Register everybody of a list of players. Repeatable."),
    ] = None,
    preview: Annotated[bool, typer.Option("--preview", help="Only say what it would do.")] = False,
    reading: Reading,
    database: Database = None,
) -> None:
    """Put files of games into a club: newcomers with number, country and club, and the games that are not there yet.

    Each file is one transaction, so that a load that was stopped goes on when it is started again; ratings are worked
    out once at the end.
    """
    started(database)
    from handan.club.store.loading import Loading, rate

    there = _club(club)
    lists = [(path, _listed(path, reading)) for path in players or ()]
    if not files and not lists and reading.adjustments is None:
        raise InputError("give files of games, --players LIST or --adjustments FILE")
    by_hand, faults = _by_hand(reading)
    ledger = read_ledger(files, replace(reading, adjustments=None)) if files else None
    loading = Loading(there, OPERATOR, looks=preview)
    steps: list[Loaded] = []
    with working(f"loading {there.name}") as progress:
        for path, people in lists:
            steps.append(loading.players(str(path), people))
        if ledger is not None:
            for loaded in loading.files(ledger):
                steps.append(loaded)
                progress(f"loading {there.name}", sum(step.games for step in steps), len(ledger))
            steps.append(loading.ratings("set by hand in files", _set_by_hand(ledger)))
        steps.append(loading.ratings(str(reading.adjustments), by_hand))
        progress(f"rating {there.name}")
        unrated = "" if preview else rate(there)
    steps = [step for step in steps if step.games or step.drafts or step.problems]
    if steps:
        write(aligned(_columns(steps)))
    _report(loading, steps, preview=preview)
    if unrated:
        note(f"warning: no rating list: {unrated}")
    problems = [*faults, *(problem for step in steps for problem in step.problems)]
    for mark, rejected in (("rejected", True), ("warning", False)):
        say_all(mark, [str(problem) for problem in problems if problem.rejected is rejected])
    read = ledger.problems if ledger else ()
    nothing = (
        "" if lists or by_hand or (ledger is not None and (len(ledger) or ledger.adjustments)) else "no game was read"
    )
    end(left_out=any(problem.rejected for problem in (*problems, *read)), nothing=nothing)


def _listed(path: Path, reading: Reading) -> list[tuple["Player", str]]:
    """Return the players of a list with their ranks; InputError for a file that lists none."""
    from handan.files import read_players

    entrants = read_players([path], reading.options())
    if not entrants:
        raise InputError(f"{path} lists no players")
    return [(entrant.player, entrant.rank) for entrant in entrants]


def _by_hand(reading: Reading) -> tuple[list[tuple["Player", "Adjustment"]], list["Problem"]]:
    """Return the ranks and ratings of --adjustments, of a table or of a list that is taken over, and its problems."""
    from handan.files import read_adjustments
    from handan.files.listed_players import adjustment_by_list
    from handan.files.reading import rating_list
    from handan.ledger import Player, When

    if reading.adjustments is None:
        return [], []
    listed = rating_list(reading.adjustments, reading.options())
    if listed is None:
        adjustments, problems = read_adjustments(reading.adjustments, reading.options())
        return [
            (Player(item.player, item.player if ":" in item.player else ""), item) for item in adjustments
        ], problems
    day = When.of(reading.list_date) or listed.as_of
    made = [(entrant.player, adjustment_by_list(entrant, entrant.name, day)) for entrant in listed.entrants]
    return [(player, item) for player, item in made if item is not None], listed.problems


def _set_by_hand(ledger: "Ledger") -> list[tuple["Player", "Adjustment"]]:
    players = {player.name: player for player in ledger.players}
    return [(players[item.player], item) for item in ledger.adjustments]


def _columns(steps: Sequence["Loaded"]) -> list[Column]:
    """Return one row a file, without figures that are nought throughout."""
    counts = [Column(name, [f"{getattr(step, name):,}" if getattr(step, name) else "" for step in steps], right=True)
              for name in COUNTS]  # fmt: skip
    return [
        Column("file", [step.source for step in steps]),
        *(column for column in counts if any(column.cells)),
        Column("from", [step.first for step in steps], spare=2),
        Column("to", [step.last for step in steps], spare=1),
    ]


def _report(loading: "Loading", steps: Sequence["Loaded"], *, preview: bool) -> None:
    """Say in a line what was written, or would be, and how it is taken back."""
    nouns = {"entered": "game", "newcomers": "new player", "changed": "changed player", "adjusted": "rank or rating"}
    sums = {name: sum(getattr(step, name) for step in steps) for name in nouns}
    plurals = {"adjusted": "ranks or ratings"}
    parts = [counted(number, nouns[name], plurals.get(name, "")) for name, number in sums.items() if number]
    what = ", ".join(parts) or "nothing"
    if preview:
        write(f"{what} would be entered; nothing is written")
        return
    first, last = loading.before.number + 1, loading.after
    if last < first:
        write("everything was there already; nothing is written")
        return
    write(f"entered by entries {first} to {last}: {what}")
    note(f"`handan club undo {loading.club.slug} {first} {last}` takes them back")


@app.command("undo", cls=Grouped)
def undo(
    slug: Slug,
    first: Annotated[int, typer.Argument(metavar="FIRST", min=1, help="The first entry.", show_default=False)],
    last: Annotated[int, typer.Argument(metavar="LAST", min=1, help="The last entry.", show_default=False)],
    database: Database = None,
) -> None:
    """Take back what `handan club load` wrote from one entry to another: games, ranks and players who have no others.

    The ledger keeps the entries; those that take them back follow.
    """
    started(database)
    from handan.club.service.undoing import take_back
    from handan.club.store.loading import rate

    club = _club(slug)
    with working(f"taking back entries of {club.name}"):
        done = take_back(club, first, last, OPERATOR)
        unrated = rate(club)
    write(f"{counted(done, 'entry', 'entries')} of {first} to {last} are taken back")
    if unrated:
        note(f"warning: no rating list: {unrated}")
