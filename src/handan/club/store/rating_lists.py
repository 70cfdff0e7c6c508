"""The rating list of a club as rows, which follow its entries; it can be made anew from the games at any time."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from time import thread_time
from typing import Any

import numpy as np
from django.db import connection, transaction
from django.db.models import F, Window
from django.db.models.functions import Coalesce, RowNumber
from numpy.typing import NDArray

from handan.club.blocks import (
    LEAST,
    checkpoint_as_bytes,
    facts_as_bytes,
    games_of,
    plain_clause,
    players_of,
    summary_of,
)
from handan.club.kinds import Kind
from handan.club.packing import packed, unpacked
from handan.club.recorded import written_day
from handan.club.standings import standings
from handan.club.state import COUNTS, State
from handan.club.store.clock import today
from handan.club.store.fact_models import Game, Player
from handan.club.store.facts import put_rows
from handan.club.store.list_changes import Changes, EntryFacts, changes_by
from handan.club.store.list_models import Block, RatingList, Standing
from handan.club.store.list_replay import (
    SIDES,
    Made,
    Replay,
    batches,
    differing,
    figures_of,
    head_of,
    phases_of,
    plain_rules,
)
from handan.club.store.models import Club, Entry
from handan.club.store.states import state_of
from handan.club.store.stored_games import milliseconds, moment_of
from handan.errors import Clause, HandanError, InputError
from handan.ratings import Ratings
from handan.ratings.arrays import written_ranks
from handan.systems.core.sequential import Sequential
from handan.wording.figures import digits

FORM = 5
"""Of the rows: another number where a version of Handan keeps other ones."""
MOST_ENTRIES = 2_000  # our choice: with more entries since, a list is made from all games
REACH = 4  # our choice: between two checkpoints it is at most so many times as far to the end
MOST_PLAYERS = 400  # our choice: of more of them the games are looked through at once
FIGURES = ("list_id", "player_id", "seat", "rating", "deviation", "rank", "rank_number", "games", "wins", "losses",
           "draws", "last_played", "pool", "beside")  # fmt: skip


def list_of(club: Club) -> RatingList:
    """Return the list of now of a club, brought up to date if entries, or the day of new rules, came since."""
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        return bring_up_to_date(club, state_of(club))


def bring_up_to_date(club: Club, state: State) -> RatingList:
    """Let the list of now follow the entries up to a state, in a transaction that keeps others from writing."""
    row = RatingList.objects.filter(club=club, question="").first()
    if row is not None and follows(row, state):
        return row
    if row is None or row.form != FORM:
        RatingList.objects.filter(club=club, question="").delete()
        row = RatingList.objects.create(club=club, number=0, digest="", form=FORM, phases=[], carried=[], summary={})
    replay = Replay(club, row, state, _changes(club, row, state))
    _save(replay, replay.run())
    return row


def solve(club: Club) -> bool:
    """Bring the list of a club up to date while others may write; return whether it follows the last entry now.

    If somebody writes meanwhile, the list that is kept is that of the entry before.
    """
    state = state_of(club)
    row = RatingList.objects.filter(club=club, question="", form=FORM).first()
    if row is None or follows(row, state):
        return True
    replay = Replay(club, row, state, _changes(club, row, state))
    if Club.objects.values_list("number", flat=True).get(pk=club.pk) != state.number:  # it may have read their games
        return False
    made = list(replay.run())
    with transaction.atomic():
        now = Club.objects.select_for_update().get(pk=club.pk).number
        if RatingList.objects.filter(pk=row.pk, number=row.number, digest=row.digest).exists():
            _save(replay, made)
    return now == state.number


def follow_entry(club: Club, state: State) -> None:
    """Let the list of a club follow an entry in its transaction, if that is quick: else who looks next does it.

    A list that follows no entry so far, one of a system that solves all games together, and one for which the rules
    find no answer are left to them.
    """
    there = RatingList.objects.filter(club=club, question="", form=FORM).exists()
    if there and all(isinstance(rules.made, Sequential) for rules in phases_of(state)):
        _tried(club, state)


def rebuild(club: Club, state: State) -> RatingList | None:
    """Make the list of now from all games, as if there had been none; None where the rules find no answer."""
    RatingList.objects.filter(club=club, question="").delete()
    return _tried(club, state)


def _tried(club: Club, state: State) -> RatingList | None:
    """Bring the list of now up to date; None where the rules find no answer."""
    try:
        with transaction.atomic():
            return bring_up_to_date(club, state)
    except HandanError:
        return None


def refuse_another_list(club: Club, state: State, alias: str = "default") -> None:
    """Raise InputError if the list of a club is not that of its games; it names the first player who differs.

    A list that follows an earlier entry, or other rules than those of today, is brought up to date by who looks next.
    """
    row = RatingList.objects.using(alias).filter(club=club, question="", form=FORM).first()
    if row is None or not follows(row, state):
        return
    columns = ("rating", "deviation", "rank", "games", "wins", "losses", "draws", "last_played", "pool")
    rows = Standing.objects.using(alias).filter(list=row).values_list("player__key", *columns)
    there = {key: dict(zip(columns, values, strict=True)) for key, *values in rows}
    meant = {line["key"]: line for line in standings(state, today()).rows}
    mend = "; `handan club rebuild` makes it anew"
    for key in sorted({*there, *meant}):
        if key not in there or key not in meant:
            pattern = "the rating list of {club} and its games do not have the same players: {key}" + mend
            raise InputError(Clause.of(pattern, club=club.name, key=key))
        own = {**there[key], "last_played": there[key]["last_played"] or None}
        names = [name for name in columns if own[name] != meant[key][name]]
        if names:
            pattern = "the rating list of {club} says something else of {key} than its games ({columns})" + mend
            raise InputError(Clause.of(pattern, club=club.name, key=key, columns=", ".join(names)))


def follows(row: RatingList, state: State) -> bool:
    """Whether a list is that of a state, under the rules of today."""
    return (row.number, row.digest) == (state.number, head_of(state)) and follows_rules(row, state)


def follows_rules(row: RatingList, state: State) -> bool:
    """Whether a list is one under the rules that a state has today."""
    return row.form == FORM and row.phases == [plain_rules(item) for item in phases_of(state)]


def _changes(club: Club, row: RatingList, state: State) -> Changes:
    """Return what the entries since a list have changed."""
    if not row.phases or state.sources:
        return Changes(everything=True)
    entries = Entry.objects.filter(club=club, number__gt=row.number, number__lte=state.number).order_by("number")
    rows = list(entries.values_list("number", "kind", "subject", "facts")[: MOST_ENTRIES + 1])
    if len(rows) > MOST_ENTRIES:
        return Changes(everything=True)
    since = [EntryFacts(number, Kind(kind), subject, facts) for number, kind, subject, facts in rows]
    return changes_by(club, since, state, row.number, phases=len(row.phases))


def _save(replay: Replay, blocks: Iterable[Made]) -> None:
    """Write what a replay says, block by block, in the place of what the list said.

    Of the blocks that are about as far from the end the first keeps its checkpoint.
    """
    row, own = replay.row, Block.objects.filter(list=replay.row)
    games, distance, last, unwanted = replay.games, -1, -1, list[int]()
    for block in [block for block in replay.before if block.position < replay.position]:
        as_far, distance = _distance(games) == distance, _distance(games)
        if as_far and block.has_checkpoint and not block.phase:
            unwanted.append(block.position)
        games -= block.games
    if unwanted:
        own.filter(position__in=unwanted).update(checkpoint=None)
    for made in blocks:
        as_far, distance, last = _distance(games) == distance, _distance(games), made.position
        start, games = made.rated.start, games - made.rated.facts.height
        columns = _block(made)
        if not made.position or made.position != replay.position:  # else its checkpoint stays
            kept = start.past is not None and (made.opens or not games or not as_far)
            columns["checkpoint"] = checkpoint_as_bytes(start) if kept else None
        if replay.has_same_games(made):
            own.filter(position=made.position).update(**columns)
        else:
            columns |= {"list_id": row.pk, "position": made.position, "facts": facts_as_bytes(made.rated.facts)}
            put_rows(Block, ("list_id", "position"), [*columns], [[*columns.values()]])
    own.filter(position__gt=last).delete()
    _finish(replay)


def _distance(games: int) -> int:
    """Return about how far from the end so many games are, as a number of steps."""
    return int(math.log(games / LEAST + 1.0, REACH))


def _block(made: Made) -> dict[str, Any]:
    """Return what is written of a block besides its games, by column."""
    block, own = made.rated, None
    ends = block.facts["date"].max()
    if block.start.past is not None:
        adjusted = [item.player for item in block.ratings.arrays.adjusted]
        own = checkpoint_as_bytes(block.start.of(players_of(block.facts, adjusted)))
    last = milliseconds(ends) if isinstance(ends, datetime) else None
    ratings = packed(games_of(block), summary_of(block))
    return {"phase": made.phase, "games": block.facts.height, "ends": last, "ratings": ratings, "start": own}


def _finish(replay: Replay) -> None:
    """Write the figures that differ, and what the list says besides."""
    row, figures = replay.row, figures_of(replay)
    assert replay.last is not None  # noqa: S101  # every list has a block
    ratings, listed, weights = replay.last.ratings, figures["listed"], replay.last.end.slope_weights
    before = unpacked(bytes(row.figures))[0] if row.figures else {}
    seats = differing(figures, before)
    row.keys, row.last_player = replay.seats.text, replay.seats.last
    _write_standings(replay, ratings, figures, seats, before.get("listed", np.zeros(0, dtype=np.bool_)))
    row.summary = {
        "slope_weights": None if weights is None else weights.tolist(),
        "warnings": [plain_clause(text) for text in (*ratings.warnings, *ratings.notes)],
        "deviations": ratings.deviation is not None,
        "own_ranks": ratings.arrays.rank_number is not None,
        "pools": ratings.arrays.pools,
        "beside": list(ratings.arrays.beside),
        "decimals": digits(ratings.rating[listed].tolist()),
        "players": int(listed.sum()),
        "games": replay.games,
    }
    row.figures = packed(figures)
    row.phases = [plain_rules(item) for item in replay.phases]
    row.carried = replay.carried
    row.seconds = thread_time() - replay.began
    row.number, row.digest = replay.state.number, head_of(replay.state)
    row.save()


def _write_standings(
    replay: Replay, ratings: Ratings, figures: Mapping[str, NDArray[Any]], seats: NDArray[np.int64],
    listed_before: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Write the rows of some players, given by number, and remove those of who does not stand in the list.

    `listed_before` says who stood in it.
    """
    row, everybody = replay.row, replay.seats.keys
    there = seats[figures["listed"][seats]]
    for some in batches(np.setdiff1d(seats, there).tolist()):
        Standing.objects.filter(list=row, seat__in=some).delete()
    new = figures["listed"].copy()
    new[: len(listed_before)] &= ~listed_before
    updated = replay.replaced | {everybody[seat] for seat in np.flatnonzero(new).tolist()}
    players = _players(replay, sorted({everybody[seat] for seat in there.tolist()} | updated))
    ranks = written_ranks(ratings.arrays, there) if len(there) else []
    columns = {name: values[there].tolist() for name, values in figures.items()}
    rows = []
    for place, seat in enumerate(there.tolist()):
        games, wins, losses, draws = columns["tallies"][place]
        numbers, deviations = columns.get("rank_number"), columns.get("deviation")
        rows.append((
            row.pk, players[everybody[seat]], seat,
            None if math.isnan(columns["rating"][place]) else columns["rating"][place],
            None if deviations is None else _finite(deviations[place]),
            ranks[place], None if numbers is None else numbers[place], games, wins, losses, draws,
            columns["last_played"][place].decode(), columns["pool"][place] + 1 or None,
            {name: _finite(columns[f"beside {name}"][place]) for name in ratings.arrays.beside},
        ))  # fmt: skip
    put_rows(Standing, FIGURES[:2], FIGURES, rows)
    days = _last_updated(replay, updated)
    sets = [(days.get(key), row.pk, players[key]) for key in sorted(updated)]
    with connection.cursor() as cursor:
        cursor.executemany("UPDATE club_standing SET last_updated = %s WHERE list_id = %s AND player_id = %s", sets)


def _players(replay: Replay, keys: Sequence[str]) -> dict[str, int]:
    """Return the rows of some players by key."""
    rows = Player.objects.filter(club=replay.club)
    if len(keys) > MOST_PLAYERS:
        return dict(rows.values_list("key", "pk"))
    return {key: pk for some in batches(keys) for key, pk in rows.filter(key__in=some).values_list("key", "pk")}


def _last_updated(replay: Replay, keys: Collection[str]) -> dict[str, str]:
    """Return the day of the game that was added last of each of some players, by key."""
    seats, everybody = {replay.seats.number[key] for key in keys}, replay.seats.keys
    names = [key for key, seat in replay.seats.number.items() if seat in seats]
    days: dict[str, tuple[tuple[int, int], str]] = {}
    for side in SIDES:
        games = Game.objects.filter(club=replay.club, status=COUNTS)
        if len(names) <= MOST_PLAYERS:
            games = games.filter(**{f"{side}__in": names})
        place = Window(RowNumber(), partition_by=side, order_by=[Coalesce("added", 0).desc(), F("line").desc()])
        last = games.annotate(place=place).filter(place=1)
        for player, date, precision, added, line in last.values_list(side, "date", "precision", "added", "line"):
            key = everybody[replay.seat_of(player)]
            day = (added or 0, line), written_day(moment_of(date), precision)
            days[key] = max(days.get(key, day), day)  # of several who are one the game that was added last counts
    return {key: day for key, (_, day) in days.items()}


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
