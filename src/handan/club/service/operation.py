"""A change of a club: the role that it needs, what it would do, and how it is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec

from handan.club.entries import Draft
from handan.club.moved_players import MovedPlayers, changes_of
from handan.club.once import once
from handan.club.standings import Standings
from handan.club.state import State
from handan.club.store.cache import previewed, standings_of, state_at, state_of
from handan.club.store.idempotency import NOTHING, Sending
from handan.club.store.members import Actor
from handan.club.store.models import Entry, Role
from handan.club.store.writing import Make, preview, write
from handan.errors import HandanError

P = ParamSpec("P")


@dataclass(frozen=True)
class Preview:
    """What a change would do."""

    before: State
    drafts: tuple[Draft, ...]
    after: State

    @once
    def standings(self) -> Standings:
        """The standings after it."""
        return previewed(self.after)

    @once
    def moved(self) -> MovedPlayers:
        """The players whom it would move, the largest change first."""
        now = standings_of(self.before)
        return changes_of(now, self.standings)


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
        return Preview(before, drafts, preview(before, drafts))

    def write(self, sending: Sending = NOTHING) -> list[Entry]:
        """Write it in the name of who acts, and return its entries; what is sent again returns those of then."""
        by = self.by
        return write(by.club, self.make, author=by.name, user=by.user, sending=sending, ahead=self.ahead)

    def would_do(self) -> Outcome:
        """Return what it would do now; of several entries, no one subject is known before."""
        shown = self.preview()
        numbers = list(range(shown.before.number + 1, shown.after.number + 1))
        subject = shown.drafts[0].subject if len(shown.drafts) == 1 else ""
        return Outcome(numbers, subject, preview=True, moved=[*shown.moved])

    def carry_out(self, sending: Sending = NOTHING) -> Outcome:
        """Write it and return what it did; of what is sent again, what it did the first time."""
        club = self.by.club
        before = _rated(state_of(club))
        entries = self.write(sending)
        if not entries:
            return Outcome([], "", preview=False, moved=[])
        numbers = [entry.number for entry in entries]
        after = _rated(state_of(club))
        moved = moved_by(entries, before, after)
        if moved is None and before is not None and after is not None:  # others wrote too, or it was written before
            moved = moved_by(entries, *(_rated(state_at(club, number)) for number in (numbers[0] - 1, numbers[-1])))
        return Outcome(numbers, entries[0].subject, preview=False, moved=[*(moved or ())])


def moved_by(entries: Sequence[Entry], before: Standings | None, after: Standings | None) -> MovedPlayers | None:
    """Return whom entries moved, the largest change first.

    None without entries, where standings on one side of them are missing, and where others wrote between the two:
    some of the difference would be what those did.
    """
    if not entries or before is None or after is None:
        return None
    ends = before.state.number + 1, after.state.number
    if ends != (entries[0].number, entries[-1].number) or before.state.sources != after.state.sources:
        return None
    return changes_of(before, after)


def _rated(state: State) -> Standings | None:
    """Return the standings of a state, None where its rules find none: who looks at the list is told why."""
    try:
        return standings_of(state)
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
