"""`handan event`: a tournament's preview, player by player."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handan.cli import options
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import note, say_all
from handan.cli.output import PEOPLE, Form
from handan.cli.rows import show
from handan.cli.session import Session, configured, learning, rated_ledger, read_ledger, say_problems
from handan.cli.tables import Column, on_the_point
from handan.errors import counted
from handan.ratings.event_lines import printed_lines
from handan.wording.figures import brief, digits, fixed, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from handan.ledger import Ledger
    from handan.ratings import Event, EventLine


@on_files
def command(
    files: options.Files,
    system: options.SystemName,
    *,
    event: Annotated[
        str | None, typer.Option("--event", metavar="NAME", help="Which event, where the files hold several.")
    ] = None,
    players: Annotated[
        list[Path] | None,
        typer.Option("--players", metavar="LIST", help="A federation's rating list to compare with. Repeatable."),
    ] = None,
    from_list: Annotated[
        bool, typer.Option("--from-list", help="Let the players begin with the ratings of --players.")
    ] = False,
    results: Annotated[bool, typer.Option("--results", help="CSV: one row for each result of each player.")] = False,
    setting: options.Settings = None,
    tuned: options.Tuned = False,
    learned_entries: options.LearnedEntries = False,
    reading: Reading,
    form: options.Format = Form.TABLE,
) -> None:
    """Show what a tournament did to each player.

    It lists before, every result with what it brought, and after. Of games paired without a result it shows Black's
    chance, and for the first such round what each result would bring to both. Games of one name are one event if their
    days belong together; --event "NAME 2025" shows that of another year.

    The exit status is 0 if all was read, 1 if something was left out, 2 if nothing was rated.
    """
    from handan.files import ratings_listed, read_players
    from handan.files.listed_players import listed_in, remark_of_names
    from handan.ledger import Adjustment

    rules = configured(system, setting)
    ledger = _as_one_event(read_ledger(files, reading))
    entrants = read_players(players or (), reading.as_options())
    listed = ratings_listed(ledger, entrants)
    if players:
        note(f"{counted(len(listed), 'player')} of {len(ledger.players)} in the list")
        say_problems(remark_of_names(listed_in(ledger, entrants), ", ".join(map(str, players))))
    if from_list:
        set_by_hand = {item.player for item in ledger.adjustments if item.date is None}
        rated = listed_in(ledger, (entrant for entrant in entrants if entrant.rating is not None))
        new = [
            Adjustment(name, rating=entrant.rating, note="list", deviation=entrant.deviation)
            for name, entrant in rated.items()
            if name not in set_by_hand
        ]
        ledger = ledger.with_adjustments(new)
    session = rated_ledger(ledger, rules, learning(setting, tuned=tuned), learned_entries=learned_entries)
    answer = session.ratings.event(_chosen(session, event), declared=listed)
    if not answer.lines and not answer.pairings and form in PEOPLE:
        session.end()
    table = answer.results() if results else answer.table()
    document = {
        "system": session.system.name, "settings": session.settings, **session.tuned_as_dict,
        "event": answer.name, "first": answer.first, "last": answer.last, "looking_back": answer.looking_back,
        "players": [line.as_dict() for line in answer.lines],
        "pairings": [asdict(pairing) for pairing in answer.pairings],
    }  # fmt: skip
    tables = [_players(answer), _results(answer), *([_pairings(answer)] if answer.pairings else [])]
    show(
        form, table.to_dicts(), table.columns, tables,
        document=document, head=_title(session, answer), foot="\n".join([_foot(answer), *session.learned]),
    )  # fmt: skip
    session.end()


def _as_one_event(ledger: "Ledger") -> "Ledger":
    """Return a ledger whose games are of one event, if they name none, and say so."""
    if not len(ledger) or ledger.arrays.in_event.any() or any(each.name for each in ledger.events):
        return ledger
    from handan.files.games.unnamed_events import first_day
    from handan.ledger.events import unnamed
    from handan.ledger.ledger import of_one_event

    name = unnamed(first_day(ledger.games))
    note(f"no game names an event: all are rated together, as of one called {name}")
    return of_one_event(ledger, name)


def _chosen(session: Session, event: str | None) -> str:
    """Return the event that is meant: the one named, else the newest, of which stderr says that there are others."""
    from handan.ratings import events_in

    events = events_in(session.ratings)
    if event is not None or len(events) < 2:
        return event or next(iter(events), "")
    others = ", ".join(events[-2:-7:-1])
    say_all("note", [f"the newest event is shown, {events[-1]}; --event NAME shows another: {others}"])
    return events[-1]


def _title(session: Session, event: "Event") -> str:
    days = " to ".join(dict.fromkeys(filter(None, (event.first, event.last))))
    return ", ".join(filter(None, (event.name, days, session.system.title)))


def _foot(event: "Event") -> str:
    notes = ["after = before + change" + (" + apart" if any(line.apart for line in event.lines) else "")]
    if any(line.apart for line in event.lines):
        notes.append("apart: moved between these games, by a rule of the system, by hand or by games elsewhere")
    if event.looking_back:
        notes.append("expectations by the final ratings: this system solves all games together")
    return "\n".join(notes)


def _players(event: "Event") -> list[Column]:
    """Return one row a player."""
    rows = printed_lines(event)
    lines = event.lines
    places = [line.place for line in lines]
    differs = any(place not in {None, number} for number, place in enumerate(places, 1))
    return [
        Column("#", [str(number) for number in range(1, len(lines) + 1)], right=True),
        Column("place", [str(place or "") if differs else "" for place in places], right=True, spare=7),
        Column("player", [line.player for line in lines]),
        Column("declared", [line.declared_rank for line in lines], spare=2),
        _listed(event),
        Column("before", [row.before for row in rows], right=True),
        Column("games", [str(len(line.results)) for line in lines], right=True, spare=6),
        Column("score", on_the_point([brief(line.score) for line in lines]), right=True),
        _points(lines),
        Column("expected", [row.expected for row in rows], right=True, spare=1),
        Column("change", [row.change for row in rows], right=True),
        Column("apart", [row.apart for row in rows], right=True, spare=4),
        Column("after", [row.after for row in rows], right=True),
        Column("rank", [_ranks(line) for line in lines], spare=5),
    ]


def _points(lines: "Sequence[EventLine]") -> Column:
    """Return the points with those of byes and of games that are not rated, where anybody has such."""
    points = [line.score if line.points is None else line.points for line in lines]
    differs = points != [line.score for line in lines]
    return Column("points", on_the_point([brief(each) if differs else "" for each in points]), right=True, spare=6)


def _listed(event: "Event") -> Column:
    """Return the declared ratings; whose scale they are on stands above them, or behind each where that differs."""
    lines = event.lines
    decimals = digits(line.declared for line in lines)
    origins = {line.declared_origin for line in lines if line.declared is not None}
    only = next(iter(origins)) if len(origins) == 1 else ""
    title = f"list ({only})" if only else "list"
    names = [line.declared_origin if len(origins) > 1 else "" for line in lines]
    cells = [f"{fixed(line.declared, decimals)} {name}".strip() for line, name in zip(lines, names, strict=True)]
    return Column(title, cells, right=True, spare=3)


def _ranks(line: "EventLine") -> str:
    """Return the rank, and from where it came: `3d → 4d (+1)`."""
    if not line.rank_change:
        return line.rank_after
    return f"{line.rank_before} → {line.rank_after} ({signed(line.rank_change, 0)})"


def _pairings(event: "Event") -> list[Column]:
    """Return one row a game that was paired and has no result."""
    rows = event.pairings
    decimals = digits(part for row in rows for change in (row.black_wins, row.white_wins) for part in change or ())
    return [
        Column("round", [str(row.round or "") for row in rows], right=True),
        Column("paired, not played: Black", [row.black for row in rows]),
        Column("White", [row.white for row in rows]),
        Column("stones", [str(row.handicap or "") for row in rows], right=True, spare=2),
        Column("chance", ["" if row.chance is None else f"{row.chance:.0%}" for row in rows], right=True, spare=1),
        Column("if Black wins", [_both(row.black_wins, decimals) for row in rows], right=True),
        Column("if White wins", [_both(row.white_wins, decimals) for row in rows], right=True),
    ]


def _both(change: tuple[float, float] | None, decimals: int) -> str:
    """Return what a result would bring to Black and to White."""
    return "" if change is None else " / ".join(signed(part, decimals) for part in change)


def _results(event: "Event") -> list[Column]:
    """Return one row a result; the player is named in the first."""
    own = [(row, number) for row in printed_lines(event) for number in range(len(row.changes))]
    results = [row.line.results[number] for row, number in own]
    return [
        Column("player", ["" if number else row.line.player for row, number in own]),
        Column("round", [str(result.round or "") for result in results], right=True, spare=4),
        Column("date", [result.date for result in results], spare=8),
        Column("opponent", [result.opponent for result in results]),
        Column("their rank", [result.opponent_rank for result in results], spare=6),
        Column("colour", [result.colour for result in results], spare=3),
        Column("stones", [str(result.handicap or "") for result in results], right=True, spare=5),
        Column("komi", [brief(result.komi) for result in results], right=True, spare=7),
        Column("result", [result.result for result in results]),
        Column("expected", [row.expected_of_games[number] for row, number in own], right=True, spare=1),
        Column("change", [row.changes[number] for row, number in own], right=True),
        Column("note", [result.note for result in results], spare=2),
    ]
