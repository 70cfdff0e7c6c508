"""Events: what is checked before an entry about a tournament or an evening is made, and what the entry does."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, timedelta

from handan.club.changes.texts import LONGEST, checked_reason, checked_text, visible_text
from handan.club.entries import Draft, Record
from handan.club.events import ClubEvent, facts_of_event
from handan.club.kinds import Kind
from handan.club.state import Folding, Handler, State
from handan.errors import Clause, FieldError, InputError, shown
from handan.ledger import Event, When
from handan.ledger.dates import EARLIEST
from handan.ledger.facts import read_rank

AHEAD = timedelta(days=3 * 366)  # our choice: an event that begins later is a slip of the pen
MOST_DAYS = 3 * 366  # our choice: a league may take years
MOST_ROUNDS, MOST_PARTICIPANTS, MOST_TEXTS = 1_000, 10_000, 1_000  # our choice


def enter_event(state: State, event: Event, today: date) -> Draft:
    """Return the entry of a new event, whose players are named by their keys; FieldError says what cannot be.

    A day may be to come: an event may be entered before its first round.
    """
    event = _checked(event, today)
    _check_players(state, event)
    _refuse_like(state, event)
    return Draft(Kind.EVENT_ENTERED, facts_of_event(event))


def change_event(
    state: State, key: str, event: Event, today: date, reason: str = "", *, withdrawn: bool = False
) -> Draft:  # fmt: skip
    """Return the entry that says anew what an event is; InputError where it stands so already.

    One that was `withdrawn` comes back by it.
    """
    present = event_at(state, key, withdrawn=withdrawn)
    event, before = _checked(event, today), present.event()
    # of those who take part already, two may have been merged since, or one withdrawn
    if withdrawn or (event.participants, event.pairings) != (before.participants, before.pairings):
        _check_players(state, event)
    facts = facts_of_event(event)
    if facts == present.facts and not withdrawn:
        raise InputError(Clause.of("event {key} already stands so; nothing was changed", key=key))
    _refuse_like(state, event, key)
    return Draft(Kind.EVENT_CHANGED, facts, key, checked_reason(reason))


def withdraw_event(state: State, key: str, reason: str = "") -> Draft:
    """Return the entry that takes an event out; its games stay."""
    event_at(state, key)
    return Draft(Kind.EVENT_WITHDRAWN, {}, key, checked_reason(reason))


def event_at(state: State, key: str, *, withdrawn: bool = False) -> ClubEvent:
    """Return an event by key that was `withdrawn` or was not; InputError for another one, and for that of a club."""
    event = state.events.get(key)
    if event is None or event.withdrawn != withdrawn:
        pattern = "event {key} is not withdrawn" if event and withdrawn else "event {key} is not in the ledger"
        raise InputError(Clause.of(pattern, key=shown(key)))
    if event.club:
        raise InputError(Clause.of("event {key} stands in the ledger of a club; it is changed there", key=key))
    return event


def event_like(state: State, event: Event, but: str = "") -> ClubEvent | None:
    """Return the event of the club, `but` for that of a key, that has the name and a day of another one, or None."""
    if event.first is None:
        return None
    last = event.last or event.first
    for present in state.events.named(event.name):
        if present.withdrawn or present.key == but:
            continue
        if present.first.moment <= last.last and event.first.moment <= present.last.last:
            return present
    return None


def _refuse_like(state: State, event: Event, key: str = "") -> None:
    """Refuse an event, that of a key where it is there already, whose games would also be those of another one."""
    if same := event_like(state, event, but=key):
        pattern = "{name} is entered already, as event {key}; change that"
        raise InputError(Clause.of(pattern, name=shown(event.name), key=same.key))


def refuse_impossible_start(field: str, first: When, today: date) -> None:
    """Raise FieldError for a day on which no event begins."""
    if not first.moment >= EARLIEST or first.moment.date() > today + AHEAD:
        expected = Clause.of("a day from {first} to {last}", first=EARLIEST.date(), last=today + AHEAD)
        raise FieldError(field, str(first), expected)


def _checked(event: Event, today: date) -> Event:
    """Return an event as an entry says it, whoever takes part; FieldError for what cannot be."""
    name = visible_text(event.name.strip(), "event")
    if not name:
        raise FieldError("event", "", "the name of an event")
    if event.first is None:
        raise FieldError("first", "", "the first day of an event")
    last = event.last or event.first
    refuse_impossible_start("first", event.first, today)
    if not 0 <= (last.last - event.first.moment).days <= MOST_DAYS:
        raise FieldError("last", str(last), "a day within three years behind the first")
    for field in ("country", "city", "director", "code", "kind"):
        checked_text(getattr(event, field), field)
    for field in ("comments", "criteria", "settings"):
        texts = getattr(event, field)
        if len(texts) > MOST_TEXTS:
            raise FieldError(field, str(len(texts)), Clause.of("at most {most} texts", most=MOST_TEXTS))
        for text in texts:
            checked_text("\n".join(text) if isinstance(text, tuple) else text, field, 10 * LONGEST)
    if not 0 <= event.rounds <= MOST_ROUNDS:
        raise FieldError("rounds", str(event.rounds), Clause.of("a number of rounds up to {most}", most=MOST_ROUNDS))
    return replace(event, name=name, last=last)


def _check_players(state: State, event: Event) -> None:
    """Refuse participants and pairings that name nobody, somebody twice, or somebody who was entered by mistake."""
    if len(event.participants) > MOST_PARTICIPANTS:
        expected = Clause.of("at most {most} participants", most=MOST_PARTICIPANTS)
        raise FieldError("participants", str(len(event.participants)), expected)
    keys = [each.player.name for each in event.participants]
    paired = [key for pairing in event.pairings for key in (pairing.black, pairing.white)]
    for key in dict.fromkeys([*keys, *paired]):
        if state.person(key).key in state.gone:
            name = state.person(key).name
            raise FieldError("participants", name, "players who were not withdrawn; bring them back first")
    finals = Counter(state.person(key).key for key in keys)
    if twice := [key for key, count in finals.items() if count > 1]:
        raise FieldError("participants", state.labels[twice[0]], "each player once")
    for pairing in event.pairings:
        if state.person(pairing.black).key == state.person(pairing.white).key:
            raise FieldError("pairings", state.labels[state.person(pairing.white).key], "two players")
    for each in event.participants:
        read_rank(each.rank)
        own = (text for pair in each.settings for text in pair)
        for text in (*each.figures, *own, each.player.country, each.player.club, each.player.rating_origin):
            checked_text(text, "participants")
        if any(not 0 < number <= MOST_ROUNDS for number, _ in each.byes):
            raise FieldError("participants", state.labels[state.person(each.player.name).key], "rounds that there are")


def _entered(folding: Folding, record: Record) -> None:
    event = ClubEvent(record.subject, record.number, record.facts)
    _ = event.event(folding.final), event.last  # ValueError for what is no event
    folding.events[record.subject] = event


def _changed(folding: Folding, record: Record) -> None:
    _ = folding.events[record.subject]
    _entered(folding, record)


def _withdrawn(folding: Folding, record: Record) -> None:
    folding.events[record.subject] = replace(folding.events[record.subject], entry=record.number, withdrawn=True)


HANDLERS = (
    Handler(Kind.EVENT_ENTERED, enter_event, _entered),
    Handler(Kind.EVENT_CHANGED, change_event, _changed),
    Handler(Kind.EVENT_WITHDRAWN, withdraw_event, _withdrawn),
)
