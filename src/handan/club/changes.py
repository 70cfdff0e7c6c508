"""Every change that a club's ledger knows, checked against its state: each function returns the entry to be written.

Nothing is written here, so a preview and the writing itself use the same functions. All raise InputError, or
FieldError with the field that is wrong.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import polars as pl

from handan.club.entries import LETTERS, Draft, Kind
from handan.club.folding import DISPUTED, FOREIGN, GAME_FACTS, WAITING, WITHDRAWN, Person, State
from handan.club.rules import Rules
from handan.club.sealing import FORMER
from handan.club.zones import SERVERS, checked_zone, day_words
from handan.errors import FieldError, InputError, shown
from handan.ledger import Adjustment, Game, Result, When
from handan.ledger.facts import read_id, read_name

DEFAULTS = {"handicap": 0, "size": 19, "komi": None, "round": None, "moves": None}
PERSONAL = ("name", "reading", "country", "club")
UNSEEN = {"Cc", "Cf", "Co", "Zl", "Zp"}
"""Unicode's categories of control and format characters, of private ones, and of separators of lines."""
BLANK_LETTERS = "\u115f\u1160\u3164\uffa0\u2800\u034f"
"""Fillers and a blank of Braille, which Unicode counts as letters and signs."""
LONGEST = 200  # our choice: characters of a name or an event; of notes and reasons ten times as many


def record_game(state: State, fields: Mapping[str, Any], today: date, by: str | None = None) -> Draft:
    """Return the entry of a new game.

    Args:
        state: The club.
        fields: Those of a game as in the games table, `black` and `white` as keys of players.
        today: The latest date that a game can have.
        by: Key of the player who enters their own game, if the rules may want it confirmed.
    """
    facts = game_facts(state, fields, today)
    if by is not None and _waits(state.rules_on(today), facts, by):
        facts["waiting"] = True
    return Draft(Kind.GAME_RECORDED, facts)


def _own_game(state: State, key: str) -> dict[str, Any]:
    """Return a game's row; InputError for a game that stands in the ledger of a federation's club."""
    row = state.game(key)
    if row["line"] >= FOREIGN:
        raise InputError(f"game {key} stands in the ledger of a club; it is changed there")
    return row


def correct_game(state: State, key: str, fields: Mapping[str, Any], today: date, reason: str = "") -> Draft:
    """Return the entry that says how a game really was; fields that are not given stay as they are."""
    row = _own_game(state, key)
    if row["status"] == WITHDRAWN:
        raise InputError(f"game {key} was withdrawn; restore it before it is corrected")
    recorded = facts_of(row)
    facts = game_facts(state, {**recorded, **fields}, today)
    if facts == recorded:
        raise InputError(f"game {key} already stands so; nothing was changed")
    return Draft(Kind.GAME_CORRECTED, facts, key, _reason(reason))


def withdraw_game(state: State, key: str, reason: str = "") -> Draft:
    """Return the entry that takes a game out; it stays in the log and can be restored."""
    if _own_game(state, key)["status"] == WITHDRAWN:
        raise InputError(f"game {key} is withdrawn already")
    return Draft(Kind.GAME_WITHDRAWN, {}, key, _reason(reason))


def restore_game(state: State, key: str, reason: str = "") -> Draft:
    """Return the entry that brings a withdrawn game back: as it was, so that one nobody confirmed waits again."""
    row = _own_game(state, key)
    if row["status"] != WITHDRAWN:
        raise InputError(f"game {key} is not withdrawn")
    _two_players(state, row["black"], row["white"])
    return Draft(Kind.GAME_RESTORED, {"waiting": True} if row["unconfirmed"] else {}, key, _reason(reason))


def confirm_game(state: State, key: str, seen: int | None = None) -> Draft:
    """Return the entry by which a game that waits begins to count.

    `seen` is the last entry about the game that was seen by who confirms it; InputError if another followed.
    """
    row = _waiting_game(state, key, seen)
    if row["status"] not in {WAITING, DISPUTED}:
        raise InputError(f"game {key} does not wait for confirmation")
    return Draft(Kind.GAME_CONFIRMED, {}, key)


def dispute_game(state: State, key: str, reason: str, seen: int | None = None) -> Draft:
    """Return the entry by which the opponent objects to a game: it goes on waiting until it is corrected or withdrawn.

    `seen` is as in `confirm_game`; `reason` says what was otherwise.
    """
    row = _waiting_game(state, key, seen)
    if row["status"] != WAITING:
        raise InputError(f"game {key} {'is disputed already' if row['status'] == DISPUTED else 'does not wait'}")
    if not reason.strip():
        raise FieldError("reason", "", "a word that says what was otherwise")
    return Draft(Kind.GAME_DISPUTED, {}, key, _reason(reason))


def _waiting_game(state: State, key: str, seen: int | None) -> dict[str, Any]:
    """Return the row of a game; InputError if another entry about it followed the one that was seen."""
    row = _own_game(state, key)
    if seen is not None and seen != row["latest"] and row["status"] in {WAITING, DISPUTED}:
        raise InputError(f"game {key} was changed by entry {row['latest']}; look at it again before you answer for it")
    return row


def register_player(state: State, fields: Mapping[str, Any]) -> Draft:
    """Return the entry of a new player: `name`, and if known `reading`, `country`, `club`, `ids`."""
    return Draft(Kind.PLAYER_REGISTERED, _person(state, "", fields).as_dict())


def register_ranked(state: State, fields: Mapping[str, Any], rank: str, today: date) -> list[Draft]:
    """Return the entries of a new player and, unless it is empty, of the rank with which they enter."""
    first = register_player(state, fields)
    if not rank.strip():
        return [first]
    key = f"{LETTERS[first.kind]}{state.number + 1}"
    registered = replace(state, people={**state.people, key: Person.of(key, first.facts)})
    return [first, adjust(registered, key, {"rank": rank}, today, "rank on entry")]


def change_player(state: State, key: str, fields: Mapping[str, Any], reason: str = "") -> Draft:
    """Return the entry that changes a player's name or what else is known; fields not given stay as they are."""
    current = _active(state, key)
    if "." in key:
        raise InputError(f"{current.name} is a player of a club; what is known of them is changed there")
    person = _person(state, key, {**current.as_dict(), **fields})
    if person == current:
        raise InputError(f"{current.name} is already entered so; nothing was changed")
    return Draft(Kind.PLAYER_CHANGED, person.as_dict(), key, _reason(reason))


def merge_players(state: State, key: str, into: str, reason: str = "") -> Draft:
    """Return the entry that says that two players are one; the games of both count for the second."""
    one, other = _active(state, key), _active(state, into)
    if key == into:
        raise FieldError("into", one.name, "another player")
    met = state.games.filter(
        (pl.col("status") != WITHDRAWN)
        & (pl.col("black").is_in(names_of(state, key)) & pl.col("white").is_in(names_of(state, into))
        | pl.col("white").is_in(names_of(state, key)) & pl.col("black").is_in(names_of(state, into)))
    )  # fmt: skip
    if met.height:
        raise InputError(f"{one.name} and {other.name} played each other in game g{met['line'][0]}: two people")
    return Draft(Kind.PLAYER_MERGED, {"into": into}, key, _reason(reason))


def split_players(state: State, key: str, reason: str = "") -> Draft:
    """Return the entry that undoes a merger."""
    if key not in state.merged:
        raise InputError(f"player {shown(key)} is not merged into another")
    clash = {number for number in state.people[key].ids if _owner(state, number, key)}
    if clash:
        raise InputError(f"number {min(clash)} now belongs to another player; change that first")
    return Draft(Kind.PLAYER_SPLIT, {}, key, _reason(reason))


def adjust(state: State, key: str, fields: Mapping[str, Any], today: date, reason: str = "") -> Draft:
    """Return the entry of a rank or rating set by hand: `rank`, `rating`, `date` (None: on entry), `at_least`."""
    person = _active(state, key)
    rating = _number(fields.get("rating"))
    item = Adjustment(
        person.name,
        checked_text(fields.get("rank"), "rank"),
        rating,
        fields.get("date"),
        reason,
        bool(fields.get("at_least")),
    )
    _not_later(item.date, today, state.zone)
    facts: dict[str, Any] = {"player": key}
    if item.rank is not None:
        facts["rank"] = str(item.rank)
    if item.rating is not None:
        facts["rating"] = item.rating
    if item.date is not None:
        facts["date"] = str(item.date)
    if item.at_least:
        facts["at_least"] = True
    if reason:
        facts["note"] = _reason(reason)
    return Draft(Kind.RANK_ADJUSTED, facts, reason=_reason(reason))


def withdraw_adjustment(state: State, key: str, reason: str = "") -> Draft:
    """Return the entry that takes an adjustment back."""
    if "." in key:
        raise InputError(f"adjustment {shown(key)} stands in the ledger of a club; it is changed there")
    adjustment = state.adjustments.get(key)
    if adjustment is None or adjustment.withdrawn:
        raise InputError(f"adjustment {shown(key)} {'is withdrawn already' if adjustment else 'is not in the ledger'}")
    return Draft(Kind.RANK_WITHDRAWN, {}, key, _reason(reason))


def set_rules(state: State, rules: Rules, reason: str = "") -> Draft:
    """Return the entry that sets the rules from a date on; InputError if they hold on that date already."""
    current = state.rules[0] if rules.since is None else state.rules_on(rules.since)
    if (rules.made, rules.confirmation) == (current.made, current.confirmation) and state.number:
        raise InputError("these rules hold already from that date; nothing was changed")
    return Draft(Kind.RULES_SET, rules.as_dict(), reason=_reason(reason))


def set_zone(state: State, name: str, reason: str = "") -> Draft:
    """Return the entry that sets the zone in which the club's days begin, such as Asia/Tokyo; empty: the server's."""
    zone = checked_zone(checked_text(name, "zone"))
    if zone == state.zone:
        raise InputError(f"the zone of the club is {zone or SERVERS} already; nothing was changed")
    return Draft(Kind.ZONE_SET, {"zone": zone}, reason=_reason(reason))


def facts_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a game from its row of the games table."""
    facts = {name: row[name] for name in GAME_FACTS}
    facts["date"] = str(When(row["date"], row["precision"])) if row["date"] else None
    return _brief(facts)


def game_facts(state: State, fields: Mapping[str, Any], today: date) -> dict[str, Any]:
    """Return what an entry says of a game, each field in its one form and only where it says something."""
    for side in ("black", "white"):
        if not fields.get(side):
            raise FieldError(side, "", "a player; every game has two")
        state.person(str(fields[side]))
    black, white = str(fields["black"]), str(fields["white"])
    _two_players(state, black, white)
    for name, limit in (("event", LONGEST), ("kind", LONGEST), ("notes", 10 * LONGEST)):
        checked_text(fields.get(name), name, limit)
    game = Game(**{name: fields[name] for name in GAME_FACTS if fields.get(name) is not None})
    _not_later(game.date, today, state.zone)
    facts = {name: getattr(game, name) for name in GAME_FACTS}
    result = facts["result"]
    if isinstance(result, Result) and result.remark:
        facts["notes"] = f"{game.notes} {result.remark}".strip()
    return _brief({**facts, "date": str(game.date) if game.date else None, "result": str(result)})


def _brief(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out what is not known, and what the games table takes for granted."""
    return {name: value for name, value in facts.items() if value not in {None, ""} and value != DEFAULTS.get(name)}


def _waits(rules: Rules, facts: Mapping[str, Any], by: str) -> bool:
    """Return whether a game that a player entered needs the opponent's word."""
    if rules.confirmation == "none":
        return False
    if rules.confirmation == "both":
        return True
    score = Result.parse(facts["result"]).score
    lost = {0.0: facts["black"], 1.0: facts["white"]}.get(score if score is not None else -1.0)
    return by != lost


def _two_players(state: State, black: str, white: str) -> None:
    if state.person(black).key == state.person(white).key:
        raise FieldError("white", state.person(white).name, "another player than black")


def names_of(state: State, key: str) -> list[str]:
    """Return the keys under which a player's games stand: their own and those merged into it."""
    return [other for other in state.people if state.person(other).key == key]


def _active(state: State, key: str) -> Person:
    person = state.person(key)
    if person.key != key:
        raise InputError(f"player {key} is merged into {person.name} ({person.key}); split them first")
    if person.former:
        raise InputError(f"player {key} was forgotten; who comes back is registered anew")
    return person


def _person(state: State, key: str, fields: Mapping[str, Any]) -> Person:
    texts = {name: read_id(visible_text(fields.get(name), name)) for name in PERSONAL}
    texts["name"] = read_name(texts["name"])
    given = fields.get("ids") or ()
    if isinstance(given, str):
        raise FieldError("ids", given, "a list of numbers")
    ids = tuple(dict.fromkeys(read_id(visible_text(number, "ids")) for number in given if str(number).strip()))
    if texts["name"] == FORMER:
        raise FieldError("name", FORMER, "a name; these words stand for people who were forgotten")
    person = Person(key, texts["name"], texts["reading"], texts["country"], texts["club"], ids)
    for number in ids:
        owner = _owner(state, number, key)
        if owner:
            raise FieldError("ids", number, f"free: it belongs to {owner.name} ({owner.key})")
    return person


def _owner(state: State, number: str, key: str) -> Person | None:
    """Return the other player who bears a number."""
    return next((state.people[other] for other in state.owners.get(number, ()) if other != key), None)


def checked_text(value: Any, name: str, limit: int = LONGEST) -> str:
    """Return a value as text that every database keeps and every file holds; FieldError otherwise."""
    text = "" if value is None else str(value)
    if len(text) > limit or "\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        raise FieldError(name, text, f"text of at most {limit} characters, without NUL and halves of characters")
    return text


def visible_text(value: Any, name: str) -> str:
    """Return text of which every character can be seen; FieldError for one by which two names would look alike."""
    text = checked_text(value, name)
    for letter in text:
        if unicodedata.category(letter) in UNSEEN or letter in BLANK_LETTERS:
            raise FieldError(name, ascii(text)[1:-1], f"text without characters that nobody sees (U+{ord(letter):04X})")
    return text


def refuse_unseen(people: Collection[Person], authors: Iterable[str]) -> None:
    """Refuse a ledger from elsewhere in which a name, as it stands at its end, has characters that nobody sees."""
    texts = [(name, getattr(person, name)) for person in people for name in PERSONAL]
    texts += [("ids", number) for person in people for number in person.ids]
    for name, text in (*texts, *(("author", author) for author in authors)):
        try:
            visible_text(text, name)
        except FieldError as error:
            raise InputError(f"{error}; change that where the ledger comes from, and export it again") from None


def _number(value: Any) -> float | None:
    if value is None or str(value).strip() == "":
        return None
    try:
        number = float(str(value).replace(",", "."))
    except ValueError:
        number = float("nan")
    if not -1e9 < number < 1e9:
        raise FieldError("rating", value, "a number")
    return number


def _reason(text: str) -> str:
    return checked_text(text.strip(), "reason", 10 * LONGEST)


def _not_later(when: When | datetime | date | str | None, today: date, zone: str) -> None:
    """Refuse a day that has not begun at the club, and say by which zone."""
    parsed = When.of(when)
    if parsed is not None and parsed.moment.date() > today:
        raise FieldError("date", str(parsed), day_words(today, zone))
