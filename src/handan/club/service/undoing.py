"""Undo: what was written is taken back by entries that follow; the ledger keeps both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from handan.club import changes
from handan.club.changes import with_drafts
from handan.club.entries import Draft, Record
from handan.club.events import ClubEvent
from handan.club.kinds import Kind
from handan.club.names import NotInClubError
from handan.club.service.games import may_correct, wrote
from handan.club.service.operation import (
    EVENT_CHANGED,
    GAME_CHANGED,
    PLAYER_CHANGED,
    needs,
    refuse_overtaken,
)
from handan.club.state import GAME_FACTS, WITHDRAWN, State, game_number
from handan.club.store.access import Actor, NotAllowedError
from handan.club.store.clock import day_of, evening_day, now, today
from handan.club.store.members import refuse_own_account
from handan.club.store.models import Club, Entry, Role, records_of
from handan.club.store.writing import Make, write
from handan.errors import Clause, InputError

MOST = 6_000  # our choice: entries of one form; a sheet has at most 5,000 games
UNDONE = "undone"
"""The reason of the entries that take others back."""
SHEETS = {Kind.SHEET_ENTERED, Kind.SHEET_CONTINUED}
BROUGHT = {Kind.GAME_RECORDED, Kind.PLAYER_REGISTERED, Kind.EVENT_ENTERED}
"""Kinds of entry that bring something which can be taken back."""
Back = Callable[[State, Record], Draft]


@needs(Role.PLAYER, ahead=True)
def undo(by: Actor, first: int, last: int) -> Make:
    """Take back the entries from one number to another that somebody wrote at once, the last one first.

    Of what brought players, events and games the events and games are taken back, the players stay. A keeper takes
    back what they wrote; a player their own game, on the day that they entered it and as long as nobody wrote about it
    since. InputError if something was changed since, NotInClubError for entries that there are not.
    """
    numbers = (first, min(last, first + MOST))
    entries = list(Entry.objects.filter(club=by.club, number__range=numbers).order_by("number"))
    if not entries or entries[-1].number != last or len({entry.entered for entry in entries}) > 1:
        pattern = "there are no entries {first} to {last} that were written at once"
        raise NotInClubError(Clause.of(pattern, first=first, last=last))
    if not all(wrote(by, entry) for entry in entries):
        raise NotAllowedError("an entry is undone by who wrote it; others can withdraw or correct it")
    records = [entry.record for entry in reversed(entries)]
    brought = any(record.kind is Kind.PLAYER_REGISTERED for record in records)
    taken = [record for record in records if record.subject[:1] in {"g", "e"} or not brought]
    taken = [record for record in taken if record.kind not in SHEETS] or records

    def make(state: State) -> list[Draft]:
        people = [record for record in taken if record.kind is Kind.PLAYER_WITHDRAWN]
        drafts = [_back(by, state, record) for record in people]
        after = with_drafts(state, drafts, now()) if drafts else state  # games come back behind their players
        return [*drafts, *(_back(by, after, record) for record in taken if record not in people)]

    return make


class Together(NamedTuple):
    """What was entered together and can be taken back."""

    drafts: list[Draft]
    games: int
    players: int
    staying: list[str]
    """Keys of players who came with it and stay, since they play elsewhere or have an account."""


@needs(Role.KEEPER, ahead=True)
def take_back_together(by: Actor, number: int, subjects: Mapping[Kind, Sequence[str]], reason: str = "") -> Make:
    """Take back, at any time, everything that was entered together with an entry: a sheet, a file, a list of members.

    `subjects` are what was `entered_together`. NotInClubError for an entry that brought nothing, as a correction,
    InputError if nothing of it stands any more; a list of members is for a secretary, as registering it was.
    """
    if subjects.keys().isdisjoint(BROUGHT):
        raise NotInClubError(Clause.of("entry {number} brought no game, player or event", number=number))
    if Kind.GAME_RECORDED not in subjects:
        by.need(Role.SECRETARY)

    def make(state: State) -> list[Draft]:
        if drafts := still_there(state, subjects, reason).drafts:
            return drafts
        raise InputError("nothing of what was entered together stands any more")

    return make


def entered_together(club: Club, number: int) -> dict[Kind, list[str]]:
    """Return what the entries are about that were written at once with one, those of all parts of a sheet, by kind.

    NotInClubError for an entry that there is not, InputError where they are more than a form takes back.
    """
    entries = Entry.objects.filter(club=club)
    entry = entries.filter(number=number).first()
    if entry is None:
        raise NotInClubError(Clause.of("there is no entry {number}", number=number))
    at_once = entries.filter(entered=entry.entered)
    sheets = set(at_once.filter(kind__in=SHEETS).values_list("subject", flat=True))
    moments = {entry.entered, *entries.filter(subject__in=sheets, kind__in=SHEETS).values_list("entered", flat=True)}
    together = entries.filter(entered__in=moments)
    if together.count() > MOST:
        pattern = "more than {most} entries were written at once with entry {number}; `handan club undo` undoes them"
        raise InputError(Clause.of(pattern, most=MOST, number=number))
    subjects: dict[Kind, list[str]] = {}
    for kind, subject in together.order_by("number").values_list("kind", "subject"):
        subjects.setdefault(Kind(kind), []).append(subject)
    return subjects


def still_there(state: State, subjects: Mapping[Kind, Sequence[str]], reason: str = "") -> Together:
    """Return what some entries brought that can be taken back: games and events that stand, players with nothing else.

    `subjects` are what the entries are about, by kind.
    """
    recorded = subjects.get(Kind.GAME_RECORDED, ())
    state.recorded.prefetch([game_number(key) for key in recorded])
    games = [key for key in recorded if state.game(key)["status"] != WITHDRAWN]
    drafts = [changes.games.withdraw_game(state, key, reason) for key in games]
    events = (key for key in subjects.get(Kind.EVENT_ENTERED, ()) if not state.events[key].withdrawn)
    drafts += [changes.events.withdraw_event(state, key, reason) for key in events]
    after = with_drafts(state, drafts, now()) if drafts else state
    players, staying = list[Draft](), list[str]()
    for key in subjects.get(Kind.PLAYER_REGISTERED, ()):
        if key in after.active:
            try:
                refuse_own_account(state.slug, key)
                players.append(changes.players.withdraw_player(after, key, reason))
            except InputError:
                staying.append(key)
    return Together([*drafts, *players], len(games), len(players), staying)


def take_back(club: Club, first: int, last: int, author: str) -> int:
    """Take back what an author who is no account wrote from one entry to another, the last one first.

    Players who have other games, and whom somebody changed since, stay. Returns how many entries are taken back;
    NotInClubError if the author wrote none of them, InputError if a game was changed since.
    """
    by = Actor(club, Role.ADMINISTRATOR)
    entries = Entry.objects.filter(club=club, number__range=(first, last), account="")
    records = [record for record in records_of(entries) if record.author == author and record.kind in BACK][::-1]
    if not records:
        raise NotInClubError(f"{author} wrote no entry from {first} to {last} that can be taken back")
    people = [record for record in records if record.subject.startswith("p")]
    others = [record for record in records if not record.subject.startswith("p")]
    done = 0

    def make(state: State) -> list[Draft]:
        nonlocal done
        drafts = [_back(by, state, record) for record in others]
        after = with_drafts(state, drafts, now())
        for record in people:
            with suppress(InputError):  # who has other games, or was changed since, stays
                drafts.append(_back(by, after, record))
        done = len(drafts)
        return drafts

    write(club, make, author=author, rated=False)
    return done


def can_undo(by: Actor, state: State, first: int, last: int) -> bool:
    """Whether the entries are somebody's own and can still be taken back, as far as the last of them tells."""
    entry = _numbered(by, last)
    if entry is not None and entry.kind in SHEETS:  # behind the games of a sheet, which are what is taken back
        last -= 1
        entry = _numbered(by, last)
    if entry is None or first > last or not wrote(by, entry):
        return False
    try:
        _back(by, state, entry.record)
    except (InputError, NotAllowedError):
        return False
    return True


def _numbered(by: Actor, number: int) -> Entry | None:
    return Entry.objects.filter(club=by.club, number=number).first()


def _back(by: Actor, state: State, record: Record) -> Draft:
    """Return the entry that takes another one back."""
    if record.kind not in BACK:
        raise InputError(Clause.of("what entry {number} says cannot be undone", number=record.number))
    role, back = BACK[record.kind]
    if record.subject.startswith("g"):
        row = state.game(record.subject)
        refuse_overtaken(GAME_CHANGED, record.subject, record.number, row["latest"])
        if not _may(by, role, row, record):
            raise NotAllowedError("a player takes back a game on the day that they entered it")
    else:
        by.need(role)
    return back(state, record)


def _may(by: Actor, role: Role, row: Mapping[str, Any], record: Record) -> bool:
    if by.may(role):
        return True
    new = record.kind is Kind.GAME_RECORDED and day_of(record.entered) >= evening_day(by.club)
    return new or (record.kind is Kind.GAME_RECORDED and may_correct(by, row))


def _facts_before(state: State, record: Record, *kinds: Kind) -> Mapping[str, Any]:
    """Return what the last entry of some kinds before an entry said of its subject."""
    earlier = Entry.objects.filter(
        club__slug=state.slug, subject=record.subject, number__lt=record.number, kind__in=kinds
    )
    return earlier.order_by("-number")[0].record.facts


def _as_before(state: State, record: Record) -> Draft:
    """Return the correction that says again what an entry before the correction said."""
    facts = _facts_before(state, record, Kind.GAME_RECORDED, Kind.GAME_CORRECTED)
    fields = {name: facts.get(name) for name in GAME_FACTS}
    return changes.games.correct_game(state, record.subject, fields, today(), UNDONE)


def _player_as_before(state: State, record: Record) -> Draft:
    """Return the entry that says again what was known of a player before a change."""
    refuse_overtaken(PLAYER_CHANGED, record.subject, record.number, state.person(record.subject).entry)
    facts = _facts_before(state, record, Kind.PLAYER_REGISTERED, Kind.PLAYER_CHANGED)
    return changes.players.change_player(state, record.subject, {"earlier_homes": [], **facts}, UNDONE)


def _player_withdrawn(state: State, record: Record) -> Draft:
    refuse_own_account(state.slug, record.subject)
    return changes.players.withdraw_player(state, record.subject, UNDONE)


def _adjusted_again(state: State, record: Record) -> Draft:
    item = state.adjustments[record.subject]
    made = changes.players.adjust(state, item.player, item.facts, today(), item.facts.get("note", ""))
    return replace(made, reason=UNDONE)


def _merged_again(state: State, record: Record) -> Draft:
    """Return the entry by which players are one again, or may be one, as before somebody said that they are two."""
    if apart := record.facts.get("apart"):
        return changes.players.split_players(state, record.subject, UNDONE, apart, taken_back=True)
    into = _facts_before(state, record, Kind.PLAYER_MERGED)["into"]
    return changes.players.merge_players(state, record.subject, state.final(into), UNDONE)


def _event_restored(state: State, record: Record) -> Draft:
    event = state.events[record.subject].event()
    return changes.events.change_event(state, record.subject, event, today(), UNDONE, withdrawn=True)


def _event_as_before(state: State, record: Record) -> Draft:
    """Return the entry that says again what the one before the change said of an event."""
    refuse_overtaken(EVENT_CHANGED, record.subject, record.number, state.events[record.subject].entry)
    facts = _facts_before(state, record, Kind.EVENT_ENTERED, Kind.EVENT_CHANGED)
    event = ClubEvent(record.subject, 0, facts).event()
    return changes.events.change_event(state, record.subject, event, today(), UNDONE)


def _by(change: Callable[[State, str, str], Draft]) -> Back:
    """Return what takes an entry back by a change of its subject."""
    return lambda state, record: change(state, record.subject, UNDONE)


BACK: Mapping[Kind, tuple[Role, Back]] = {
    Kind.GAME_RECORDED: (Role.KEEPER, _by(changes.games.withdraw_game)),
    Kind.GAME_RESTORED: (Role.KEEPER, _by(changes.games.withdraw_game)),
    Kind.GAME_WITHDRAWN: (Role.KEEPER, _by(changes.games.restore_game)),
    Kind.GAME_CORRECTED: (Role.KEEPER, _as_before),
    Kind.RANK_ADJUSTED: (Role.SECRETARY, _by(changes.players.withdraw_adjustment)),
    Kind.RANK_WITHDRAWN: (Role.SECRETARY, _adjusted_again),
    Kind.PLAYER_REGISTERED: (Role.SECRETARY, _player_withdrawn),
    Kind.PLAYER_CHANGED: (Role.SECRETARY, _player_as_before),
    Kind.PLAYER_WITHDRAWN: (Role.KEEPER, _by(changes.players.restore_player)),  # a keeper: only whom a sheet brought
    Kind.PLAYER_RESTORED: (Role.SECRETARY, _player_withdrawn),
    Kind.PLAYER_MERGED: (Role.SECRETARY, _by(changes.players.split_players)),
    Kind.PLAYER_SPLIT: (Role.SECRETARY, _merged_again),
    Kind.SHEET_CHECKED: (
        Role.KEEPER,
        lambda state, record: changes.sheets.withdraw_check(state, record.subject, record.number, UNDONE),
    ),
    Kind.EVENT_ENTERED: (Role.KEEPER, _by(changes.events.withdraw_event)),
    Kind.EVENT_CHANGED: (Role.KEEPER, _event_as_before),
    Kind.EVENT_WITHDRAWN: (Role.KEEPER, _event_restored),
}
"""For each kind the role that takes an entry back, and the entry by which it does."""
