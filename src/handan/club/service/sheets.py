"""Record sheets line by line: what is ready is entered, the rest waits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

from handan.club import changes
from handan.club.changes.sheets import changed_since, is_taken_back, sheet_of
from handan.club.entries import Draft, Record
from handan.club.kinds import Kind
from handan.club.names import NotInClubError
from handan.club.record_sheet import (
    Looked,
    Matches,
    OtherRank,
    Sheet,
    declared_ranks,
    declared_ratings,
    far_ranks,
    line_drafts,
    looked_at,
    matches_of,
    people_on,
    refuse_sheet_twins,
    sheet_doubles,
    sheet_drafts,
    sheet_twins,
    without_entered,
)
from handan.club.recorded import SIDES
from handan.club.service.games import unusual_among, wrote
from handan.club.service.looking import Look
from handan.club.service.operation import Change, Preview, needs
from handan.club.state import COUNTS, EnteredSheet, State, game_number
from handan.club.store.access import Actor, NotAllowedError
from handan.club.store.clock import evening_day, now, today
from handan.club.store.models import Club, Entry, Role
from handan.club.store.writing import Make
from handan.errors import Clause, HandanError, InputError, Problem
from handan.files.name_variants import alike_among
from handan.ledger import Ledger, Player

ENTERED, CHECKED, CHANGED, TAKEN_BACK = "entered", "checked", "changed since it was checked", "taken back"
"""What may have become of a sheet."""


class WaitingLinesError(InputError):
    """Some lines of a sheet are not ready: names that are asked about, faults, games like some there or seldom so."""

    def __init__(self, lines: Sequence[Looked]) -> None:
        """Take the lines that wait."""
        self.lines = tuple(lines)
        super().__init__(Clause.of("line {number} is not ready; look at it again", number=lines[0].number))

    def __reduce__(self) -> tuple[type[WaitingLinesError], tuple[tuple[Looked, ...]]]:
        """What another process is told."""
        return type(self), (self.lines,)


@dataclass(frozen=True, slots=True)
class SheetFacts:
    """What an entered sheet is now."""

    first: str
    """The first day of its games, empty if none has one."""
    last: str
    games: int
    counted: int
    """How many of its games count."""
    changed: list[str]
    """Keys of games that somebody wrote about since it was checked, or entered."""
    status: str
    """`entered`, `checked`, `changed since it was checked`, or `taken back`."""

    @property
    def waits(self) -> bool:
        """Whether somebody should compare it with the paper."""
        return self.status in {ENTERED, CHANGED}


def sheet_facts(state: State, sheet: EnteredSheet) -> SheetFacts:
    """Return what became of a sheet and its games."""
    games = state.recorded.numbered([game_number(key) for _number, key in sheet.lines])
    days = games["date"].drop_nulls()
    first, last = ("" if day is None else str(day.date()) for day in (days.min(), days.max()))  # type: ignore[union-attr]
    changed = changed_since(state, sheet)
    status = (CHANGED if changed else CHECKED) if sheet.checks else ENTERED
    status = TAKEN_BACK if is_taken_back(state, sheet) else status
    return SheetFacts(first, last, games.height, int((games["status"] == COUNTS).sum()), changed, status)


def entries_of_sheets(look: Look, sheets: Iterable[EnteredSheet]) -> dict[int, Record]:
    """Return the entries about sheets by their numbers, as who looks may see them."""
    numbers = [number for item in sheets for number in (*item.parts, *item.checks, *item.withdrawals)]
    return {entry.number: look.seen(entry.record) for entry in look.entries().filter(number__in=numbers)}


def prefetch_games(state: State, lines: Iterable[tuple[int, str]]) -> None:
    """Fetch the games of some lines of an entered sheet, and their players, before each is asked for."""
    keys = [key for _, key in lines]
    state.recorded.prefetch([game_number(key) for key in keys])
    games = [state.game(key) for key in keys]
    state.labels.prefetch(game[side] for game in games for side in SIDES)


def look_at(club: Club, state: State, sheet: Sheet) -> list[Looked]:
    """Return every line of a sheet with what is known of it."""
    return looked_at(state, sheet, now(), today(), partial(unusual_among, club, state))


@needs(Role.KEEPER, ahead=True)
def enter_lines(by: Actor, sheet: Sheet, numbers: Sequence[int] | None = None) -> Make:
    """Enter some lines of a sheet, None: all that stand there; newcomers among them first.

    WaitingLinesError if one of them is not ready.
    """

    def make(state: State) -> list[Draft]:
        looked = look_at(by.club, state, sheet)
        there = {line.number: line for line in looked if line.status not in {"empty", "left out"}}
        chosen = sorted(there if numbers is None else numbers)
        if waiting := [there[number] for number in chosen if there[number].status != "ready"]:
            raise WaitingLinesError(waiting)
        drafts = line_drafts(state, sheet, chosen, now(), today(), evening_day(by.club))
        games = dict(zip(map(sheet.on_paper, chosen), new_games(state, drafts), strict=True))
        if sheet.key in state.sheets:
            return [*drafts, changes.sheets.continue_sheet(state, sheet.key, games)]
        return [*drafts, changes.sheets.enter_sheet(state, games)]

    return make


@needs(Role.KEEPER, ahead=True)
def enter_sheet(
    by: Actor, ledger: Ledger, *, another: bool = False, counts: bool = False, reason: str = ""
) -> Make:  # fmt: skip
    """Enter the games of a sheet, newcomers first, and the events that it tells of.

    Games of an event that are entered already are passed over, so that the file of a tournament can be sent after each
    round. TwinError for other games like some there, unless they are `another`; InputError where nothing is new.
    Games that the points of members hold already are history, unless it is said that each `counts`.
    """

    def make(state: State) -> list[Draft]:
        new = without_entered(state, ledger)
        if not another:
            refuse_sheet_twins(state, new)
        drafts = sheet_drafts(state, new, now(), today(), evening_day(by.club), counts=counts)
        if not drafts:
            raise InputError("all of this is entered already; nothing was changed")
        if len(new):
            places = new.games["line"].rank("ordinal").to_list()  # a ledger has its games in the order of their days
            drafts.append(changes.sheets.enter_sheet(state, dict(zip(places, new_games(state, drafts), strict=True))))
        drafts[-1] = replace(drafts[-1], reason=reason)
        return drafts

    return make


@dataclass(frozen=True)
class SheetReport:
    """What the games of a sheet and its events are to the club, before they are entered."""

    look: Look
    ledger: Ledger

    @cached_property
    def new(self) -> Ledger:
        """The sheet without games of its events that are entered already."""
        return without_entered(self.look.state, self.ledger)

    @cached_property
    def matches(self) -> Matches:
        """The key of the club's player whom each name means, None for a newcomer."""
        return matches_of(self.look.state, people_on(self.ledger))

    @property
    def newcomers(self) -> list[Player]:
        """Who would be registered."""
        return [player for player in people_on(self.ledger) if self.matches[player.name] is None]

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with its rows, and what of it a club does not take."""
        newcomers = self.newcomers
        remarks = alike_among(self.ledger.problems, [player.name for player in newcomers])
        return [*remarks, *declared_ratings("", newcomers)]

    @cached_property
    def ranks(self) -> dict[str, str]:
        """The rank that it declares of each player, by name."""
        return declared_ranks(self.ledger)

    @cached_property
    def far_ranks(self) -> list[OtherRank]:
        """Players whose declared rank is far from the one on the club's list; none where there is no list."""
        try:
            self.look.standings.prefetch(filter(None, self.matches.values()))
            return far_ranks(self.matches, self.ranks, self.look.standings.by_key)
        except HandanError:
            return []

    @cached_property
    def twins(self) -> list[str]:
        """Keys of the club's games that new games of the sheet look like."""
        return sheet_twins(self.look.state, self.new, self.matches)

    @cached_property
    def doubles(self) -> list[str]:
        """New games of the sheet that look like each other, in words."""
        return sheet_doubles(self.new, self.matches)

    @cached_property
    def preview(self) -> Preview:
        """What entering it would do, whoever may; InputError where nothing of it is new, or something cannot be."""
        make = enter_sheet.plan(self.look.actor, self.ledger, another=True)
        return Change(self.look.actor, make).preview(self.look.state)


@needs(Role.KEEPER)
def check_sheet(by: Actor, key: str, seen: int) -> Make:
    """Say that a sheet stands as on the paper, as it stood when entry `seen` was the last about it.

    For a second pair of eyes: NotAllowedError for who entered it, or a part of it.
    """

    def make(state: State) -> Draft:
        if not may_check(by, sheet_with(state, key)):
            raise NotAllowedError("a sheet is checked by somebody else than who entered it")
        return changes.sheets.check_sheet(state, key, seen)

    return make


@needs(Role.KEEPER)
def withdraw_check(by: Actor, key: str, check: int, reason: str = "") -> Make:
    """Take back the last check of a sheet, which entry `check` says; NotAllowedError for who did not make it."""

    def make(state: State) -> Draft:
        if check in sheet_with(state, key).checks and not _wrote(by, [check]):
            raise NotAllowedError("a check is taken back by who made it")
        return changes.sheets.withdraw_check(state, key, check, reason)

    return make


def own_check(by: Actor, sheet: EnteredSheet) -> int:
    """Return the last check of a sheet if somebody may take it back, 0 otherwise."""
    last = sheet.checks[-1:]
    return last[0] if last and by.may(Role.KEEPER) and _wrote(by, last) else 0


def _wrote(by: Actor, numbers: Iterable[int]) -> bool:
    """Whether somebody wrote one of some entries."""
    return any(wrote(by, entry) for entry in Entry.objects.filter(club=by.club, number__in=numbers))


def sheet_with(state: State, key: str) -> EnteredSheet:
    """Return a record sheet by key; NotInClubError for one that was never entered."""
    try:
        return sheet_of(state, key)
    except InputError as error:
        raise NotInClubError(str(error)) from None


def may_check(by: Actor, sheet: EnteredSheet) -> bool:
    """Whether somebody may say that a sheet stands as on the paper: a keeper who did not enter it."""
    return by.may(Role.KEEPER) and not _wrote(by, sheet.parts)


def new_games(state: State, drafts: Iterable[Draft]) -> list[str]:
    """Return the keys that the games among drafts will have behind a state."""
    return [f"g{number}" for number, draft in enumerate(drafts, state.number + 1) if draft.kind is Kind.GAME_RECORDED]
