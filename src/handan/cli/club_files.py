"""`handan club` on files and lists: what is loaded and taken back, published, and written for programs of directors."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handan.cli.club import OPERATOR, Slug, _club, on_database
from handan.cli.club_people import app
from handan.cli.exit_status import end
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import note, working
from handan.cli.output import write
from handan.cli.session import read_ledger, say_problems
from handan.cli.tables import Column, aligned
from handan.errors import InputError, counted, shown
from handan.ledger.dates import read_day

if TYPE_CHECKING:
    from handan.club.loading import Loaded
    from handan.club.store.loading import Loading
    from handan.club.store.models import Club
    from handan.errors import Problem
    from handan.files.rating_lists import ListedPlayer
    from handan.ledger import Adjustment, Ledger, Player

__all__ = ["app"]
MaybeFiles = Annotated[
    list[Path] | None,
    typer.Argument(metavar="FILE", help="Files of games, folders or zip archives.", show_default=False),
]
COUNTS = ("games", "entered", "dated", "there", "events", "newcomers", "changed", "adjusted")
"""Figures of each file."""


@on_database("load")
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
) -> None:
    """Put files of games into a club: newcomers with number, country and club, and the games that are not there yet.

    Each file is one transaction, so that a load that was stopped goes on when it is started again; ratings are worked
    out once at the end.
    """
    from handan.club.store.loading import Loading, rate

    there = _club(club)
    lists = [(path, *_listed(path, reading)) for path in players or ()]
    if not files and not lists and reading.adjustments is None:
        raise InputError("give files of games, --players LIST or --adjustments FILE")
    by_hand, faults = _by_hand(reading)
    ledger = read_ledger(files, replace(reading, adjustments=None)) if files else None
    loading = Loading(there, OPERATOR, looks=preview)
    steps: list[Loaded] = []
    with working(f"loading {there.name}") as progress:
        for path, people, day in lists:
            steps.append(loading.players(str(path), people, day))
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
    say_problems(problems)
    read = ledger.problems if ledger else ()
    nothing = (
        "" if lists or by_hand or (ledger is not None and (len(ledger) or ledger.adjustments)) else "no game was read"
    )
    end(left_out=any(problem.rejected for problem in (*problems, *read)), nothing=nothing)


def _listed(path: Path, reading: Reading) -> tuple[list[tuple["Player", str]], date | None]:
    """Return the players of a list with their ranks, and its day; InputError for a file that lists none."""
    from handan.files import read_players
    from handan.files.reading import rating_list
    from handan.ledger import When

    listed = rating_list(path, reading.as_options()) if path.is_file() else None
    entrants = read_players([path], reading.as_options()) if listed is None else listed.entrants
    if not entrants:
        raise InputError(f"{path} lists no players")
    day = When.of(reading.list_date) or (listed.as_of if listed else None)
    return [(entrant.player, entrant.rank) for entrant in entrants], day.moment.date() if day else None


def _by_hand(reading: Reading) -> tuple[list[tuple["Player", "Adjustment"]], list["Problem"]]:
    """Return the ranks and ratings of --adjustments, of a table or of a list that is taken over, and its problems."""
    from handan.files import read_adjustments
    from handan.files.listed_players import adjustment_by_list, day_of
    from handan.files.reading import rating_list
    from handan.ledger import Player

    if reading.adjustments is None:
        return [], []
    listed = rating_list(reading.adjustments, reading.as_options())
    if listed is None:
        adjustments, problems = read_adjustments(reading.adjustments, reading.as_options())
        return [
            (Player(item.player, item.player if ":" in item.player else ""), item) for item in adjustments
        ], problems
    day = day_of(listed, reading.as_options())
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
    nouns = {
        "entered": "game", "dated": "day of a game", "events": "event", "newcomers": "new player",
        "changed": "changed player", "adjusted": "rank or rating",
    }  # fmt: skip
    sums = {name: sum(getattr(step, name) for step in steps) for name in nouns}
    plurals = {"dated": "days of games", "adjusted": "ranks or ratings"}
    parts = [counted(number, nouns[name], plurals.get(name, "")) for name, number in sums.items() if number]
    what = ", ".join(parts) or "nothing"
    if preview:
        write(f"{what} would be entered; nothing is written")
        return
    if not loading.written:
        write("everything was there already; nothing is written")
        return
    spans = [f"{entries[0]} to {entries[-1]}" for entries in loading.written]
    write(f"entered by entries {' and '.join(spans)}: {what}")
    for entries in reversed(loading.written):
        note(f"`handan club undo {loading.club.slug} {entries[0]} {entries[-1]}` takes them back")


@on_database("undo")
def undo(
    slug: Slug,
    first: Annotated[int, typer.Argument(metavar="FIRST", min=1, help="The first entry.", show_default=False)],
    last: Annotated[int, typer.Argument(metavar="LAST", min=1, help="The last entry.", show_default=False)],
) -> None:
    """Take back what `handan club load` wrote from one entry to another: games, ranks and players who have no others.

    The ledger keeps the entries; those that take them back follow.
    """
    from handan.club.service.undoing import take_back
    from handan.club.store.loading import rate

    club = _club(slug)
    with working(f"taking back entries of {club.name}"):
        done = take_back(club, first, last, OPERATOR)
        unrated = rate(club)
    write(f"{counted(done, 'entry', 'entries')} of {first} to {last} are taken back")
    if unrated:
        note(f"warning: no rating list: {unrated}")


@on_database("publish")
def publish(
    slug: Slug,
    *,
    label: Annotated[str, typer.Option("--label", help="What the list is called; else by its number.")] = "",
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="DATE", help="The list of that day; else of today.")
    ] = None,
    month: Annotated[
        bool, typer.Option("--last-month", help="The list of the last day of the month before this one.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the signed list to a file too.")
    ] = None,
) -> None:
    """Publish the official list of a day, signed, once: for a timer. A day that has its list already gets no other."""
    from handan.club import lists
    from handan.club.store.backup import made_whole
    from handan.club.store.clock import at_place, today
    from handan.club.store.models import Entry
    from handan.club.store.states import state_of
    from handan.club.store.writing import write as write_entry

    club = _club(slug)
    if month and as_of is not None:
        raise InputError("give --as-of DATE or --last-month, not both")
    with at_place(club):
        day = today() if as_of is None else read_day("as-of", as_of)
        if month:
            day = day.replace(day=1) - timedelta(days=1)
        there = next((item for item in state_of(club).lists if item.as_of == str(day)), None)
        if there is None:
            if out is not None and out.exists():  # nothing is published that cannot be written then
                raise InputError(f"{out} is there already, with another list; give another name")
            write_entry(club, lambda state: lists.publish(state, today(), day, label), author=OPERATOR)
            there = state_of(club).lists[-1]
            write(f"{there.label}: the list of {day} is published by entry {there.entry}")
        else:
            write(f"{there.label}: the list of {day} was published by entry {there.entry}")
    if out is not None:
        content = lists.listed_bytes(Entry.objects.get(club=club, number=there.entry).record.facts["content"])
        if not out.is_file() or out.read_bytes() != content:  # else a timer ran twice
            with made_whole(out.absolute()) as part:
                part.write_bytes(content)


@on_database("ratings")
def ratings(
    slug: Slug,
    *,
    form: Annotated[
        str,
        typer.Option(
            "--for",
            metavar="PROGRAM",
            help="opengotha (the European list), aga (the TD list) or csv (figures with all their decimals).",
        ),
    ] = "csv",
    country: Annotated[str | None, typer.Option("--country", help="Players of this country alone.")] = None,
    home: Annotated[str | None, typer.Option("--club", help="Players of this club alone.")] = None,
    category: Annotated[str | None, typer.Option("--category", help="Players of this category by age alone.")] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="DATE", help="The list of that day; else of today.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where it goes; else it is printed.")
    ] = None,
) -> None:
    """Write the rating list as programs of tournament directors read it, for all or for one country or club.

    With `--as-of` a player counts for the country and club of that day.
    """
    from handan.club.store.clock import at_place, today
    from handan.files.io.storage import save
    from handan.files.rating_lists import WRITERS

    if form not in WRITERS:
        raise InputError(f"program {shown(form)} is none of {', '.join(WRITERS)}")
    club = _club(slug)
    with at_place(club):
        day = None if as_of is None else read_day("as-of", as_of)
        rows = _listed_players(club, country, home, category, day)
        text, left_out = WRITERS[form](rows, day or today())
    if out is None:
        write(text.rstrip("\n"))
    else:
        save(out, text.encode())
        note(f"{out}: {counted(len(rows) - left_out, 'player')}")
    if left_out:
        note(f"warning: {counted(left_out, 'player')} without a number of that register, or without a rank, left out")


def _listed_players(
    club: "Club", country: str | None, home: str | None, category: str | None, day: date | None
) -> list["ListedPlayer"]:  # fmt: skip
    """Return the rows of a club's list with what its registry says, those of a country, club and category alone."""
    from handan.club.store.clock import today
    from handan.club.store.register import categories_on
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of
    from handan.club.store.stored_standings import live_standings
    from handan.files.games.contents import Entrant
    from handan.files.rating_lists import ORIGINS, ListedPlayer

    state = state_of(club)
    standings = live_standings(club, state) if day is None else standings_of(state, day)
    ages = categories_on(club, state, day or today())
    origin, register = ORIGINS.get(standings.rules.system, ("", ""))
    listed = []
    for row in standings.rows:
        person = state.person(row["key"])
        own_country, own_club = person.home_on(day)
        wanted = ((country, own_country), (home, own_club), (category, ages.get(person.key, "")))
        if any(wish is not None and wish.casefold() != own.casefold() for wish, own in wanted):
            continue
        number = next((each for each in person.ids if each.startswith(register)), next(iter(person.ids), ""))
        entrant = Entrant(person.name, number, own_country, own_club, rank=row["rank"], rating=row["rating"],
                          rating_origin=origin, deviation=row["deviation"])  # fmt: skip
        listed.append(ListedPlayer(entrant, row["games"], row["last_played"] or ""))
    return listed
