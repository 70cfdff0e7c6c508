"""Players and ranks set by hand: what is checked before an entry about them is made, and what the entry does."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import polars as pl

from handan.club.changes.texts import PERSONAL, checked_reason, checked_text, refuse_impossible_day, visible_text
from handan.club.entries import FORMER, Draft, Record
from handan.club.kinds import Kind
from handan.club.people import Home, Person
from handan.club.state import WITHDRAWN, ClubAdjustment, Folding, Handler, State
from handan.errors import Clause, FieldError, InputError, shown
from handan.ledger import Adjustment
from handan.ledger.dates import read_day
from handan.ledger.facts import read_id, read_name

LOOK_ALIKE = {"LATIN", "CYRILLIC", "GREEK"}
"""Scripts whose letters look alike, as Unicode's names of letters begin."""
HOME = ("country", "club")
TAKEN = "number {number} now belongs to another player; change that first"


def register_player(state: State, fields: Mapping[str, Any]) -> Draft:
    """Return the entry of a new player: `name`, and if known `reading`, `country`, `club`, `ids`."""
    return Draft(Kind.PLAYER_REGISTERED, _person(state, "", fields).as_dict())


def register_ranked(state: State, fields: Mapping[str, Any], entry: Mapping[str, str], today: date) -> list[Draft]:
    """Return the entries of a new player and of what they enter with, where anything is known.

    `entry` has the `rank`, the `rating` (points), and the `date` before whose games the rating was so.
    """
    first = register_player(state, fields)
    rank, rating = (entry.get(name, "").strip() for name in ("rank", "rating"))
    if not rank and not rating:
        return [first]
    key = f"{first.kind.traits.letter}{state.number + 1}"
    registered = replace(state, people=state.people.with_changed({key: Person.of(key, first.facts)}))
    given = {"rank": rank, "rating": rating, "date": (entry.get("date") or None) if rating else None}
    return [first, adjust(registered, key, given, today, "points on entry" if rating else "rank on entry")]


def change_player(
    state: State, key: str, fields: Mapping[str, Any], reason: str = "", today: date | None = None
) -> Draft:  # fmt: skip
    """Return the entry that changes a player's name or what else is known; fields not given stay as they are.

    With `since`, a day, another country or club holds from that day on, and those of before are kept. `today` is the
    latest day that there can be, None: any.
    """
    current = _active(state, key)
    if "." in key:
        pattern = "{name} is a player of a club; what is known of them is changed there"
        raise InputError(Clause.of(pattern, name=state.labels[key]))
    person = _person(state, key, {**current.as_dict(), **fields})
    if fields.get("since"):
        person = _moved(current, person, read_day("since", fields["since"]))
    if today is not None and person.earlier_homes:
        refuse_impossible_day(person.earlier_homes[-1].until, today, state.zone)
    if person == current:
        raise InputError(Clause.of("{name} is already entered so; nothing was changed", name=state.labels[key]))
    return Draft(Kind.PLAYER_CHANGED, person.as_dict(), key, checked_reason(reason))


def merge_players(state: State, key: str, into: str, reason: str = "") -> Draft:
    """Return the entry that says that two players are one; the games of both count for the second.

    The second stays who they were: where ranks were set for them, on entry or later, the first one's are set aside. The
    entry names those, so that what an entry of an earlier version says stays as it was.
    """
    one, other = (state.labels[_active(state, each).key] for each in (key, into))
    if key == into:
        raise FieldError("into", one, "another player")
    names, others = state.names_of(key), state.names_of(into)
    sides = [(pl.col(one_side).is_in(names) & pl.col(other_side).is_in(others))
             for one_side, other_side in (("black", "white"), ("white", "black"))]  # fmt: skip
    met = state.recorded.of(names).filter((pl.col("status") != WITHDRAWN) & (sides[0] | sides[1]))
    if met.height:
        pattern = "{one} and {other} played each other in game {game}: two people"
        raise InputError(Clause.of(pattern, one=one, other=other, game=f"g{met['line'][0]}"))
    aside = _ranks_of(state, key) if _ranks_of(state, into) else []
    return Draft(
        Kind.PLAYER_MERGED, {"into": into} | ({"set_aside": aside} if aside else {}), key, checked_reason(reason)
    )


def _ranks_of(state: State, key: str) -> list[str]:
    """Return the keys of the adjustments of a player that hold."""
    own = {*state.names_of(key)}
    return [item.key for item in state.adjustments.values() if item.player in own and state.is_in_force(item)]


def split_players(
    state: State, key: str, reason: str = "", apart: str = "", *, taken_back: bool = False
) -> Draft:  # fmt: skip
    """Return the entry that undoes a merger, or says that a player and another, `apart`, are two people, or may be one.

    The last is so where that they are two is `taken_back`.
    """
    if apart:
        other = _active(state, apart).key
        if _active(state, key).key == other:
            raise FieldError("apart", state.labels[other], "another player")
        facts = {"apart": other} | ({"taken_back": True} if taken_back else {})
        return Draft(Kind.PLAYER_SPLIT, facts, key, checked_reason(reason))
    if key not in state.merged:
        raise InputError(Clause.of("player {key} is not merged into another", key=shown(key)))
    clash = {number for number in state.people[key].ids if _owner(state, number, key)}
    if clash:
        raise InputError(Clause.of(TAKEN, number=min(clash)))
    return Draft(Kind.PLAYER_SPLIT, {}, key, checked_reason(reason))


def withdraw_player(state: State, key: str, reason: str = "") -> Draft:
    """Return the entry that takes out a player who was entered by mistake and has no game; it can be brought back."""
    name = state.labels[_active(state, key).key]
    if "." in key:
        raise InputError(Clause.of("{name} is a player of a club; they are withdrawn there", name=name))
    played = state.recorded.of([key]).filter(pl.col("status") != WITHDRAWN)
    if played.height:
        pattern = "{name} played game {game}; who has games is merged, not withdrawn"
        raise InputError(Clause.of(pattern, name=name, game=f"g{played['line'][0]}"))
    if entered := [event.key for event in state.events.of([key]) if not event.withdrawn]:
        pattern = "{name} takes part in event {event}; who does is merged, not withdrawn"
        raise InputError(Clause.of(pattern, name=name, event=entered[0]))
    if len(state.names_of(key)) > 1:
        raise InputError(Clause.of("another entry is merged into {name}; split it off first", name=name))
    return Draft(Kind.PLAYER_WITHDRAWN, {}, key, checked_reason(reason))


def restore_player(state: State, key: str, reason: str = "") -> Draft:
    """Return the entry that brings back a player who was taken out."""
    person = state.person(key)
    if key not in state.withdrawn:
        raise InputError(Clause.of("{name} was not withdrawn", name=person.name))
    _refuse_former(person, key)
    if clash := {number for number in person.ids if _owner(state, number, key)}:
        raise InputError(Clause.of(TAKEN, number=min(clash)))
    return Draft(Kind.PLAYER_RESTORED, {}, key, checked_reason(reason))


def adjust(state: State, key: str, fields: Mapping[str, Any], today: date, reason: str = "") -> Draft:
    """Return the entry of a rank or rating set by hand.

    Its fields are `rank`, `rating`, `date` (None: on entry), `at_least` and `deviation`.
    """
    person = _active(state, key)
    rating = read_rating(fields.get("rating"))
    item = Adjustment(
        person.name,
        checked_text(fields.get("rank"), "rank"),
        rating,
        fields.get("date"),
        reason,
        bool(fields.get("at_least")),
        read_rating(fields.get("deviation")),
    )
    refuse_impossible_day(item.date, today, state.zone)
    facts: dict[str, Any] = {"player": key}
    if item.rank is not None:
        facts["rank"] = str(item.rank)
    if item.rating is not None:
        facts["rating"] = item.rating
    if item.date is not None:
        facts["date"] = str(item.date)
    if item.at_least:
        facts["at_least"] = True
    if item.deviation is not None:
        facts["deviation"] = item.deviation
    if reason:
        facts["note"] = checked_reason(reason)
    return Draft(Kind.RANK_ADJUSTED, facts, reason=checked_reason(reason))


def withdraw_adjustment(state: State, key: str, reason: str = "") -> Draft:
    """Return the entry that takes an adjustment back."""
    if "." in key:
        pattern = "adjustment {key} stands in the ledger of a club; it is changed there"
        raise InputError(Clause.of(pattern, key=shown(key)))
    adjustment = state.adjustments.get(key)
    if adjustment is None or adjustment.withdrawn:
        pattern = "adjustment {key} is withdrawn already" if adjustment else "adjustment {key} is not in the ledger"
        raise InputError(Clause.of(pattern, key=shown(key)))
    return Draft(Kind.RANK_WITHDRAWN, {}, key, checked_reason(reason))


def _moved(current: Person, person: Person, since: date) -> Person:
    """Return a player who has another country or club from a day on; later moves are forgotten."""
    before = current.home_on(since - timedelta(days=1))
    if before == (person.country, person.club):
        raise FieldError("since", str(since), "the first day of another country or club")
    kept = [home for home in current.earlier_homes if home.until < str(since)]
    return person._replace(earlier_homes=(*kept, Home(str(since), *before)))


def _active(state: State, key: str) -> Person:
    person = state.person(key)
    if person.key != key:
        pattern = "player {key} is merged into {name} ({other}); split them first"
        raise InputError(Clause.of(pattern, key=key, name=person.name, other=person.key))
    refuse_withdrawn(state, person)
    _refuse_former(person, key)
    return person


def refuse_withdrawn(state: State, person: Person) -> None:
    """Raise InputError for a player who was entered by mistake and taken out."""
    if person.key in state.gone:
        pattern = "player {key} was withdrawn; bring {name} back first"
        raise InputError(Clause.of(pattern, key=person.key, name=person.name))


def _refuse_former(person: Person, key: str) -> None:
    if person.former:
        raise InputError(Clause.of("player {key} was forgotten; who comes back is registered anew", key=key))


def _person(state: State, key: str, fields: Mapping[str, Any]) -> Person:
    texts = {name: read_id(visible_text(fields.get(name), name)) for name in PERSONAL}
    texts["name"] = read_name(texts["name"])
    given = fields.get("ids") or ()
    if isinstance(given, str):
        raise FieldError("ids", given, "a list of numbers")
    ids = tuple(dict.fromkeys(read_id(visible_text(number, "ids")) for number in given if str(number).strip()))
    if key not in state.people or state.people[key].name != texts["name"]:
        _refuse_mixed_scripts(texts["name"])
    if texts["name"] == FORMER:
        raise FieldError("name", FORMER, "a name; these words stand for people who were forgotten")
    homes = _earlier_homes(fields.get("earlier_homes") or ())
    person = Person(key, texts["name"], texts["reading"], texts["country"], texts["club"], ids, homes)
    for number in ids:
        owner = _owner(state, number, key)
        if owner:
            expected = Clause.of("free: it belongs to {name} ({key})", name=owner.name, key=owner.key)
            raise FieldError("ids", number, expected)
    return person


def _earlier_homes(given: Iterable[Mapping[str, Any]]) -> tuple[Home, ...]:
    """Return countries and clubs of earlier with the days until which they held, oldest first; one of each day."""
    homes = {str(read_day("until", each["until"])): [read_id(visible_text(each.get(name), name)) for name in HOME]
             for each in given}  # fmt: skip
    return tuple(Home(day, *homes[day]) for day in sorted(homes))


def _refuse_mixed_scripts(name: str) -> None:
    """Raise FieldError for a word with letters of several scripts that look alike: it would read as another name."""
    for word in name.split():
        scripts: dict[str, str] = {}
        for letter in word:
            script = unicodedata.name(letter, "").partition(" ")[0]
            if script in LOOK_ALIKE:
                scripts.setdefault(script, letter)
        if len(scripts) > 1:
            (one, first), (other, second) = list(scripts.items())[:2]
            pattern = "words with letters of one script each: {first} is {one} and {second} is {other}"
            values = {"first": first, "one": one.capitalize(), "second": second, "other": other.capitalize()}
            raise FieldError("name", name, Clause.of(pattern, **values))


def _owner(state: State, number: str, key: str) -> Person | None:
    """Return the other player who bears a number."""
    return next((state.people[other] for other in state.bearing(number) if other != key), None)


GROUPED = r"-?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?"
RATING = re.compile(rf"({GROUPED}|-?[0-9]{{1,9}}(?:[.,][0-9]{{1,6}})?) ?(?:点|點|分|점|pts?\.?|points?)?")
"""Points as people write them: 147, 147.5, 147点, 1,250."""
MINUS = re.compile("[-−‐‑‒–] ?(?=[0-9])")


def plain_rating(text: str) -> str:
    """Return points as a number is written: 147点 is 147, and 1,250 is 1250; what is none stays as it is."""
    narrow = MINUS.sub("-", unicodedata.normalize("NFKC", text).strip().lower())
    match = RATING.fullmatch(narrow)
    if match is None:
        return text
    number = match[1]
    return number.replace(",", "") if re.fullmatch(GROUPED, number) else number.replace(",", ".")


def read_rating(value: Any) -> float | None:
    """Return a rating as somebody wrote it, None for an empty one; FieldError for what is no number."""
    if value is None or str(value).strip() == "":
        return None
    try:
        number = float(plain_rating(value) if isinstance(value, str) else value)
    except ValueError:
        number = float("nan")
    if not -1e9 < number < 1e9:
        raise FieldError("rating", value, "a number")
    return number


def _entered(folding: Folding, record: Record) -> None:
    folding.people[record.subject] = Person.of(record.subject, record.facts, record.number)


def _merged(folding: Folding, record: Record) -> None:
    """Let one player be another; nothing to do for two whom a federation's club has merged since."""
    one, other = folding.final(record.subject), folding.final(record.facts["into"])
    if one == other:
        return
    folding.merged[one] = other
    for key in record.facts.get("set_aside", ()):
        if key in folding.adjustments:  # a federation's club may not be at hand
            folding.adjustments[key] = replace(folding.adjustments[key], set_aside=one)


def _split(folding: Folding, record: Record) -> None:
    folding.merged.pop(record.subject, None)  # a federation's club may have split them before
    for key, item in folding.adjustments.items():
        if item.set_aside == record.subject:
            folding.adjustments[key] = replace(item, set_aside="")


def _player_withdrawn(folding: Folding, record: Record) -> None:
    folding.withdrawn.add(record.subject)


def _restored(folding: Folding, record: Record) -> None:
    folding.withdrawn.discard(record.subject)


def _adjusted(folding: Folding, record: Record) -> None:
    own = {name: value for name, value in record.facts.items() if name != "player"}
    folding.adjustments[record.subject] = ClubAdjustment(record.subject, record.facts["player"], own)


def _adjustment_withdrawn(folding: Folding, record: Record) -> None:
    folding.adjustments[record.subject] = replace(folding.adjustments[record.subject], withdrawn=True)


HANDLERS = (
    Handler(Kind.PLAYER_REGISTERED, register_player, _entered),
    Handler(Kind.PLAYER_CHANGED, change_player, _entered),
    Handler(Kind.PLAYER_MERGED, merge_players, _merged),
    Handler(Kind.PLAYER_SPLIT, split_players, _split),
    Handler(Kind.PLAYER_WITHDRAWN, withdraw_player, _player_withdrawn),
    Handler(Kind.PLAYER_RESTORED, restore_player, _restored),
    Handler(Kind.RANK_ADJUSTED, adjust, _adjusted),
    Handler(Kind.RANK_WITHDRAWN, withdraw_adjustment, _adjustment_withdrawn),
)
