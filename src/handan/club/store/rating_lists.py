"""The rating list of a club as rows, which follow its entries; it can be made anew from the games at any time."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from threading import Event, Thread
from time import sleep, thread_time
from typing import Any

import numpy as np
from django.db import OperationalError, connection, connections, transaction
from django.db.models import F, Window
from django.db.models.functions import Coalesce, RowNumber
from django.utils import timezone
from numpy.typing import NDArray

from handan.club.blocks import (
    LEAST,
    checkpoint_as_bytes,
    facts_as_bytes,
    games_of,
    packed,
    plain_clause,
    players_of,
    summary_of,
    unpacked,
)
from handan.club.kinds import Kind
from handan.club.movement import Figures, Summary
from handan.club.recorded import SIDES
from handan.club.state import COUNTS, State
from handan.club.store.clock import milliseconds, moment_of
from handan.club.store.database import BusyError, snapshot
from handan.club.store.fact_models import Game, Player
from handan.club.store.facts import put_rows
from handan.club.store.list_models import (
    BESIDE,
    FORM,
    NOW,
    Block,
    RatingList,
    Standing,
    question_of_new,
    question_of_replaced,
)
from handan.club.store.list_replay import Changes, EntryFacts, Made, Replay, Seats, changes_by, differing, figures_of
from handan.club.store.models import Club, Entry
from handan.club.store.states import batches, followed_state, phases_of, state_of
from handan.errors import HandanError
from handan.ledger.dates import written_day
from handan.ratings import Ratings
from handan.ratings.arrays import written_ranks
from handan.ratings.ladder import TALLIES
from handan.systems import System
from handan.systems.core.sequential import Sequential
from handan.wording.figures import digits

MOST_ENTRIES = 2_000  # our choice: with more entries since, a list is made from all games
REACH = 4  # our choice: between two checkpoints it is at most so many times as far to the end
MOST_PLAYERS = 400  # our choice: of more of them the games are looked through at once
RATED_AT_ONCE, SOLVED_AT_ONCE = 100_000, 2_000
"""Games; our choice: while so many are rated in turn, or solved together, those who write wait; not for more."""
QUICK = 0.25  # seconds; our choice: a list that took no longer to solve the last time is solved while others wait
TRIES = 10  # our choice: so often a federation, whose clubs write, is looked at
EMPTY: dict[str, Any] = {"number": 0, "digest": "", "form": FORM, "phases": [], "carried": [], "summary": {}}
"""What a list says that follows no entry yet."""
LEASE, SIGN = timedelta(seconds=30), 5.0
"""Our choice: who makes a list gives a sign of life every `SIGN` seconds; without one for so long others make it."""
GRACE = 5.0  # seconds; our choice: requests that read a list are answered before it is removed
BLOCKS, ROWS = 20, 2_000  # our choice: so many are removed by one transaction
FIGURES = ("list_id", "player_id", "seat", "rating", "deviation", "rank", "rank_number", "games", "wins", "losses",
           "draws", "last_played", "pool", "beside")  # fmt: skip


def list_of(club: Club) -> RatingList:
    """Return the list of now of a club, brought up to date if entries, or the day of new rules, came since."""
    if not connection.in_atomic_block and takes_long(club, RatingList.objects.current(club), state_of(club)):
        return make_anew(club)
    return made_at_once(club)


def made_at_once(club: Club) -> RatingList:
    """Return the list of now of a club, brought up to date while nobody else writes."""
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        return bring_up_to_date(club, state_of(club))


def takes_long(club: Club, row: RatingList | None, state: State) -> bool:
    """Whether a list is made beside those who write, who would wait too long if one transaction did it."""
    together = not rated_in_turn(state)
    if row is None or not row.has_rules(phases_of(state)):
        return Game.objects.filter(club=club, status=COUNTS).count() > (SOLVED_AT_ONCE if together else RATED_AT_ONCE)
    if row.follows(state, phases_of(state)):
        return False
    return (
        row.seconds > QUICK if together else Replay(club, row, state, _changes(club, row, state)).reach > RATED_AT_ONCE
    )


def rated_in_turn(state: State) -> bool:
    """Whether all rules of a club rate games one after the other."""
    return all(isinstance(rules.made, Sequential) for rules in phases_of(state))


def bring_up_to_date(club: Club, state: State) -> RatingList:
    """Let the list of now follow the entries up to a state, in a transaction that keeps others from writing."""
    row = RatingList.objects.filter(club=club, question=NOW).first()
    if row is not None and row.follows(state, phases_of(state)):
        return row
    if row is None or row.form != FORM or not Seats.go_on(club, row, state):
        RatingList.objects.filter(club=club, question=NOW).delete()
        row = new_list(club, NOW)
    replay = Replay(club, row, state, _changes(club, row, state))
    _save(replay, replay.run())
    return row


def new_list(club: Club, question: str) -> RatingList:
    """Return a list of a club that follows no entry yet."""
    return RatingList.objects.create(club=club, question=question, **EMPTY)


def make_anew(club: Club) -> RatingList:
    """Make the list of now of a club from all games while others write; return it, or a newer one that is there.

    It is rated and written as a list that nobody looks at, by many short transactions; the last one puts it in the
    place of the list of now. It may follow an earlier entry than the last one then.

    The caller waits until the list that it replaces is removed, `GRACE` seconds later.
    """
    for left in RatingList.objects.filter(club=club, question__startswith=BESIDE, used__lt=timezone.now() - LEASE):
        _remove(left)  # the process that made it was killed
    row = new_list(club, question_of_new())
    try:
        with _signs_of_life(row):
            replay = _all_read(club, row)
            _save(replay, replay.run())
        now, before = _put_in_place(row, replay.state)
    except BaseException:
        _remove(row)
        raise
    if before is not None:
        if before.number and now == row:
            sleep(GRACE)
        _remove(before)
    return now


@contextmanager
def _signs_of_life(row: RatingList) -> Iterator[None]:
    """Let others see that a list is being made, and that who keeps them from making it is alive."""
    ended = Event()

    def give() -> None:
        try:
            while not ended.wait(SIGN):
                now = timezone.now()
                with suppress(OperationalError):  # others write; the next sign follows
                    RatingList.objects.filter(pk=row.pk).update(used=now)
                    kept = RatingList.objects.filter(club=row.club_id, question=NOW).exclude(solved_until=None)
                    kept.update(solved_until=now + LEASE)
        finally:
            connections.close_all()  # those of this thread

    signs = Thread(target=give, name="signs of life", daemon=True)
    signs.start()
    try:
        yield
    finally:
        ended.set()
        signs.join()


def _put_in_place(row: RatingList, state: State) -> tuple[RatingList, RatingList | None]:
    """Make a list that follows a state that of now, unless a newer one is there; return that of now and the other."""
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=row.club_id)
        before = RatingList.objects.filter(club=row.club_id, question=NOW).first()
        if before is not None and before.number >= row.number and before.has_rules(phases_of(state)):
            return before, row
        if before is not None:
            RatingList.objects.filter(pk=before.pk).update(
                question=question_of_replaced(row.question), used=timezone.now()
            )
            row.solved_until = before.solved_until
        row.question = NOW
        row.save(update_fields=["question", "solved_until", "used"])
    return row, before


def _all_read(club: Club, row: RatingList) -> Replay:
    """Return the replay of all games of a club, as they stand after one of its entries."""
    for _ in range(TRIES):
        state_of(club)  # the rows of a federation follow the entries of its clubs from here on
        with snapshot():
            state = followed_state(club)
            if state is not None:
                replay = Replay(club, row, state, Changes(everything=True))
                replay.read()
                return replay
    raise BusyError


def _remove(row: RatingList) -> None:
    """Remove a list some rows at a time, so that nobody who writes waits long."""
    for rows, size in ((Block.objects.filter(list=row), BLOCKS), (Standing.objects.filter(list=row), ROWS)):
        while some := list(rows.values_list("pk", flat=True)[:size]):
            rows.filter(pk__in=some).delete()
    RatingList.objects.filter(pk=row.pk).delete()


def follow_entries(
    club: Club, before: State, after: State | None, entries: Sequence[Entry]
) -> tuple[Figures | None, Figures | None]:  # fmt: skip
    """Let the list of a club follow entries in their transaction, if that is quick: else who looks next does it.

    A list that follows no entry so far, one of a federation, for which there is no state after, one of a system that
    solves all games together, and one for which the rules find no answer are left to them. Returns the figures before,
    None where the list was not up to date, and after, None where it was left.
    """
    row = RatingList.objects.filter(club=club, question=NOW, form=FORM).exclude(number=0).first()
    if row is None:
        return None, None
    is_last = row.follows(before, phases_of(before))
    earlier = figures_of_list(row, before, phases_of(before)[-1].made) if is_last else None
    if after is None or not rated_in_turn(after):
        return earlier, None
    since = [EntryFacts(entry.number, Kind(entry.kind), entry.subject, entry.facts) for entry in entries]
    try:
        replay = Replay(club, row, after, _changes(club, row, after, since if is_last else None))
        if replay.reach > RATED_AT_ONCE:
            return earlier, None
        blocks = list(replay.run())
    except HandanError:
        return earlier, None
    _save(replay, blocks)
    return earlier, replay.figures


def figures_of_list(row: RatingList, state: State, system: System) -> Figures:
    """Return ratings and ranks of the players of a list, under the system in force."""
    arrays = unpacked(bytes(row.figures))[0]
    keys, number = row.keys.split("\n"), arrays.get("rank_number")
    return Figures.of_listed(state, system, keys, arrays["listed"], arrays["rating"], number)


def _changes(club: Club, row: RatingList, state: State, since: Sequence[EntryFacts] | None = None) -> Changes:
    """Return what the entries since a list have changed; None: they are read."""
    if not row.phases or state.sources:
        return Changes(everything=True)
    if since is None:
        entries = Entry.objects.filter(club=club, number__gt=row.number, number__lte=state.number).order_by("number")
        rows = entries.values_list("number", "kind", "subject", "facts")[: MOST_ENTRIES + 1]
        since = [EntryFacts(number, Kind(kind), subject, facts) for number, kind, subject, facts in rows]
    if len(since) > MOST_ENTRIES:
        return Changes(everything=True)
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
    if replay.changes.everything or len(replay.before) > last + 1:
        own.filter(position__gt=last).delete()
    _write_figures(replay)


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


def _write_figures(replay: Replay) -> None:
    """Write the figures that differ, and what the list says besides."""
    row, figures = replay.row, figures_of(replay)
    assert replay.last is not None  # noqa: S101  # every list has a block
    ratings, listed, weights = replay.last.ratings, figures["listed"], replay.last.end.slope_weights
    before = unpacked(bytes(row.figures))[0] if row.figures else {}
    seats = differing(figures, before if row.has_rules(replay.phases) else {})  # other rules call a rating another rank
    row.keys, row.last_player = replay.seats.text, replay.seats.last
    _write_standings(replay, ratings, figures, seats, before.get("listed", np.zeros(0, dtype=np.bool_)))
    drawn = figures["tallies"][listed, TALLIES.index("draws")]
    row.summary = {
        "slope_weights": None if weights is None else weights.tolist(),
        "warnings": [plain_clause(text) for text in (*ratings.warnings, *ratings.notes)],
        **Summary.of(ratings, digits(ratings.rating[listed].tolist()), draws=bool(drawn.any()))._asdict(),
        "players": int(listed.sum()),
        "games": replay.games,
    }
    row.figures = packed(figures)
    row.phases = [item.as_rated() for item in replay.phases]
    row.carried = replay.carried
    row.seconds = thread_time() - replay.began
    row.number, row.digest = replay.state.number, replay.state.head
    row.save()


def _write_standings(
    replay: Replay, ratings: Ratings, figures: Mapping[str, NDArray[Any]], seats: NDArray[np.int64],
    listed_before: NDArray[np.bool_],
) -> None:  # fmt: skip
    """Write the rows of some players, given by number, and remove those of who stands in the list no more.

    `listed_before` says who stood in it.
    """
    row, everybody, listed = replay.row, replay.seats.keys, figures["listed"]
    stood = np.zeros(len(listed), dtype=np.bool_)
    stood[: len(listed_before)] = listed_before
    for some in batches(np.flatnonzero(stood & ~listed).tolist()):
        Standing.objects.filter(list=row, seat__in=some).delete()
    there = seats[listed[seats]]
    new = listed if replay.first is None else listed & ~stood
    updated = replay.replaced | {everybody[seat] for seat in np.flatnonzero(new).tolist()}
    players = _players(replay, sorted({everybody[seat] for seat in there.tolist()} | updated))
    days = _last_updated(replay, updated)
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
    for some in batches(rows, ROWS):
        with transaction.atomic(savepoint=False):
            put_rows(Standing, FIGURES[:2], FIGURES, some)
    stored = Standing.objects.filter(list=row).values_list("player", "last_updated")
    same = set(stored) if replay.first is None else set()
    wanted = [(players[key], days.get(key)) for key in sorted(updated)]
    sets = [(day, row.pk, player) for player, day in wanted if (player, day) not in same]
    for some in batches(sets, ROWS):
        with transaction.atomic(savepoint=False), connection.cursor() as cursor:
            cursor.executemany("UPDATE club_standing SET last_updated = %s WHERE list_id = %s AND player_id = %s", some)


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
