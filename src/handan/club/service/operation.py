"""A change of a club: the role that it needs, what it would do, and how it is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec

from handan.club.changes import fold
from handan.club.entries import Draft, Record, chained
from handan.club.movement import Figures, MovedPlayers, moved_between
from handan.club.standings import Standings
from handan.club.state import State
from handan.club.store.access import Actor
from handan.club.store.clock import now
from handan.club.store.idempotency import NOTHING, Sending
from handan.club.store.list_models import RatingList
from handan.club.store.models import Club, Entry, Role
from handan.club.store.standings import ReplayedList, standings_of
from handan.club.store.states import state_at, state_of
from handan.club.store.stored_standings import StoredStandings, live_standings, newest_list, previewed
from handan.club.store.writing import Make, Written, write
from handan.errors import Clause, HandanError, InputError

P = ParamSpec("P")


@dataclass(frozen=True)
class Preview:
    """What a change would do."""

    club: Club
    before: State
    drafts: tuple[Draft, ...]
    after: State
    records: tuple[Record, ...]
    """The entries as they would be."""

    @classmethod
    def of(cls, club: Club, before: State, drafts: Iterable[Draft]) -> Preview:
        """Return what drafts would do to a state of a club."""
        drafts = tuple(drafts)
        records = tuple(chained(drafts, before.number, before.digest, "", now()))
        return cls(club, before, drafts, fold(before, records), records)

    @cached_property
    def _list(self) -> tuple[Standings | StoredStandings | ReplayedList, ReplayedList | Standings]:
        """The list before it, and after."""
        return previewed(self.club, self.before, self.after, self.records)

    @property
    def standings(self) -> ReplayedList | Standings:
        """The standings after it."""
        return self._list[1]

    @cached_property
    def moved(self) -> MovedPlayers:
        """The players whom it would move, the largest change first."""
        before, after = self._list
        return moved_between(before.figures, after.figures)


@dataclass(frozen=True)
class Outcome:
    """What a change has done, or would do."""

    entries: list[int]
    """Numbers of its entries."""
    subject: str
    """Key of the game, player or adjustment that it is about."""
    preview: bool
    moved: list[dict[str, Any]]
    """The players whom it moves, as rows of `MovedPlayers`; none where the rules find no list before or after it."""


@dataclass(frozen=True)
class Change:
    """A change that somebody may make: `make` checks it against the state that it will follow."""

    by: Actor
    make: Make
    ahead: bool = False
    """Whether it takes long to make, so that nobody should wait for it to be written."""

    def preview(self, state: State | None = None) -> Preview:
        """Return what it would do to a state, None: to that of now; nothing is written."""
        before = state_of(self.by.club) if state is None else state
        made = self.make(before)
        drafts = (made,) if isinstance(made, Draft) else tuple(made)
        return Preview.of(self.by.club, before, drafts)

    def write(self, sending: Sending = NOTHING, seen: State | None = None) -> Written:
        """Write it in the name of who acts, and return its entries; what is sent again returns those of then.

        `seen` is the state that who acts has looked at.
        """
        by = self.by
        return write(by.club, self.make, author=by.name, user=by.user, sending=sending, ahead=self.ahead, seen=seen)

    def would_do(self) -> Outcome:
        """Return what it would do now; of several entries, no one subject is known before."""
        shown = self.preview()
        numbers = list(range(shown.before.number + 1, shown.after.number + 1))
        subject = shown.drafts[0].subject if len(shown.drafts) == 1 else ""
        return Outcome(numbers, subject, preview=True, moved=[*shown.moved])

    def carry_out(self, sending: Sending = NOTHING) -> Outcome:
        """Write it and return what it did; of what is sent again, what it did the first time."""
        club = self.by.club
        bring_list_up_to_date(club)
        entries = self.write(sending)
        if not entries:
            return Outcome([], "", preview=False, moved=[])
        numbers, moved = [entry.number for entry in entries], moved_by(club, entries)
        if moved is None and entries.after is None and figures_now(club):  # others wrote too, or it was written before
            ends = (_rated(state_at(club, number)) for number in (numbers[0] - 1, numbers[-1]))
            moved = _moved_between(entries, *ends)
        return Outcome(numbers, entries[0].subject, preview=False, moved=[*(moved or ())])


def bring_list_up_to_date(club: Club, *, waits: bool = True) -> None:
    """Let the list of a club follow its last entry, so that the next one tells whom it moves; `waits` of `newest_list`.

    Where the rules find no list there is none.
    """
    row = RatingList.objects.current(club)
    if row is None or (row.number, row.digest) != (club.number, club.digest):
        with suppress(HandanError):
            newest_list(club, state_of(club), waits=waits)


def moved_by(club: Club, written: Written, *, waits: bool = True) -> MovedPlayers | None:
    """Return whom entries moved, the largest change first.

    None without entries, where a list on one side of them is missing, or takes longer to make than `waits` lets wait,
    and where others wrote between the two: some of the difference would be what those did.
    """
    after = written.after or (figures_now(club, waits=waits) if written.before else None)
    return _moved_between(written, written.before, after)


def _moved_between(entries: Sequence[Entry], before: Figures | None, after: Figures | None) -> MovedPlayers | None:
    """Return whom entries moved from one list to another, as `moved_by` does."""
    if not entries or before is None or after is None:
        return None
    ends = before.state.number + 1, after.state.number
    if ends != (entries[0].number, entries[-1].number) or before.state.sources != after.state.sources:
        return None
    return moved_between(before, after)


def figures_now(club: Club, *, waits: bool = True) -> Figures | None:
    """Return the figures of a club's list as it is now, None where its rules find none, or it is not waited for."""
    try:
        made = live_standings(club, state_of(club), waits=waits)
    except HandanError:
        return None
    return None if made.is_behind else made.figures


def _rated(state: State) -> Figures | None:
    """Return the figures of a state, None where its rules find none: who looks at the list is told why."""
    try:
        return standings_of(state).figures
    except HandanError:
        return None


class Operation(Generic[P]):
    """Something that members with a role may do; called with who acts, it returns the change."""

    def __init__(self, plan: Callable[Concatenate[Actor, P], Make], role: Role, *, ahead: bool) -> None:
        """Take the function that checks what is wanted and returns what makes the entries, and the weakest role."""
        self.plan, self.role, self.ahead = plan, role, ahead
        update_wrapper(self, plan)

    def __call__(self, by: Actor, *args: P.args, **kwargs: P.kwargs) -> Change:
        """Return the change; NotAllowedError for who has a weaker role, NotInClubError for what is not there."""
        by.need(self.role)
        return Change(by, self.plan(by, *args, **kwargs), self.ahead)


def needs(
    role: Role, *, ahead: bool = False
) -> Callable[[Callable[Concatenate[Actor, P], Make]], Operation[P]]:  # fmt: skip
    """Make a function an operation for members with a role or one above it."""

    def decorate(plan: Callable[Concatenate[Actor, P], Make]) -> Operation[P]:
        return Operation(plan, role, ahead=ahead)

    return decorate


GAME_CHANGED = "game {key} was changed by entry {entry} since; look at it first"
EVENT_CHANGED = "event {key} was changed by entry {entry} since; look at it first"
PLAYER_CHANGED = "player {key} was changed since; look at it first"


def refuse_overtaken(pattern: str, key: str, seen: int | None, latest: int) -> None:
    """Refuse to change what another entry than the last one that was seen has changed; `seen` is None for any.

    Args:
        pattern: The sentence of the refusal.
        key: Of the game, event or player.
        seen: Number of the last entry about it that was seen.
        latest: Number of the last entry about it.
    """
    if seen not in {None, latest}:
        raise InputError(Clause.of(pattern, key=key, entry=latest))
