"""Games: what is checked before an entry about one is made, and what the entry does."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date
from typing import Any

from handan.club.changes.texts import LONGEST, checked_reason, checked_text, refuse_impossible_day
from handan.club.entries import Draft, Record
from handan.club.kinds import Kind
from handan.club.recorded import FOREIGN, SIDES
from handan.club.rules import Rules
from handan.club.state import COUNTS, DISPUTED, GAME_FACTS, WAITING, WITHDRAWN, Folding, Handler, State
from handan.errors import Clause, FieldError, InputError
from handan.files.cells.numbers import number_in
from handan.ledger import Game, Result, When
from handan.ledger.results import Outcome

POINTS_OF_MARGIN = "a number of points such as 3.5, above 0 and no more than the board has"
SIZE = 19  # of a game that says none


def won_by(result: str, margin: str) -> str:
    """Return a result such as `B+` with the points that somebody wrote beside it; FieldError for what is no number."""
    text = f"{result}{number_in(margin.strip())}"
    try:
        read = Result.parse(text)
    except InputError:
        read = None
    if read is None or read.margin is None:
        raise FieldError("margin", margin.strip(), POINTS_OF_MARGIN)
    return str(read)


def refuse_margin(facts: Mapping[str, Any]) -> None:
    """Raise FieldError for a game that was won by more than the whole board with what the terms gave the winner."""
    result = Result.parse(facts["result"])
    if result.margin is None:
        return
    komi, stones = facts.get("komi", 0.0), facts.get("handicap", 0)  # a stone may be a point for White
    terms = komi + stones if result.outcome is Outcome.WHITE else -komi
    if not 0.0 < result.margin <= facts.get("size", SIZE) ** 2 + terms:
        raise FieldError("margin", f"{result.margin:g}", POINTS_OF_MARGIN)


DEFAULTS = {"handicap": 0, "size": 19}


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
        raise InputError(Clause.of("game {key} stands in the ledger of a club; it is changed there", key=key))
    return row


def correct_game(state: State, key: str, fields: Mapping[str, Any], today: date, reason: str = "") -> Draft:
    """Return the entry that says how a game really was; fields that are not given stay as they are."""
    row = _own_game(state, key)
    if row["status"] == WITHDRAWN:
        raise InputError(Clause.of("game {key} was withdrawn; restore it before it is corrected", key=key))
    recorded = facts_of(row)
    facts = game_facts(state, {**recorded, **fields}, today)
    if facts == recorded:
        raise InputError(Clause.of("game {key} already stands so; nothing was changed", key=key))
    return Draft(Kind.GAME_CORRECTED, facts, key, checked_reason(reason))


def withdraw_game(state: State, key: str, reason: str = "") -> Draft:
    """Return the entry that takes a game out; it stays in the log and can be restored."""
    if _own_game(state, key)["status"] == WITHDRAWN:
        raise InputError(Clause.of("game {key} is withdrawn already", key=key))
    return Draft(Kind.GAME_WITHDRAWN, {}, key, checked_reason(reason))


def restore_game(state: State, key: str, reason: str = "") -> Draft:
    """Return the entry that brings a withdrawn game back: as it was, so that one nobody confirmed waits again."""
    row = _own_game(state, key)
    if row["status"] != WITHDRAWN:
        raise InputError(Clause.of("game {key} is not withdrawn", key=key))
    _two_players(state, row["black"], row["white"])
    return Draft(Kind.GAME_RESTORED, {"waiting": True} if row["unconfirmed"] else {}, key, checked_reason(reason))


def confirm_game(state: State, key: str, seen: int | None = None, *, objected: bool = False) -> Draft:
    """Return the entry by which a game that waits begins to count, or one that counts stands against an objection.

    `seen` is the last entry about the game that was seen by who confirms it; InputError if another followed. `objected`
    says that the last entry about a game that counts is an objection.
    """
    row = _waiting_game(state, key, seen)
    if row["status"] not in {WAITING, DISPUTED} and not (objected and row["status"] == COUNTS):
        raise InputError(Clause.of("game {key} does not wait for confirmation", key=key))
    return Draft(Kind.GAME_CONFIRMED, {}, key)


def dispute_game(state: State, key: str, reason: str, seen: int | None = None) -> Draft:
    """Return the entry by which a player objects to a game.

    One that waits goes on waiting until it is corrected or withdrawn; one that counts goes on counting until then.
    `seen` is as in `confirm_game`; `reason` says what was otherwise.
    """
    row = _waiting_game(state, key, seen)
    if row["status"] not in {WAITING, COUNTS}:
        disputed = row["status"] == DISPUTED
        pattern = "game {key} is disputed already" if disputed else "game {key} is withdrawn already"
        raise InputError(Clause.of(pattern, key=key))
    if not reason.strip():
        raise FieldError("reason", "", "a word that says what was otherwise")
    return Draft(Kind.GAME_DISPUTED, {}, key, checked_reason(reason))


def _waiting_game(state: State, key: str, seen: int | None) -> dict[str, Any]:
    """Return the row of a game; InputError if another entry about it followed the one that was seen."""
    row = _own_game(state, key)
    if seen is not None and seen != row["latest"] and row["status"] != WITHDRAWN:
        pattern = "game {key} was changed by entry {entry}; look at it again before you answer for it"
        raise InputError(Clause.of(pattern, key=key, entry=row["latest"]))
    return row


def facts_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a game from its row of the games table."""
    facts = {name: row[name] for name in GAME_FACTS}
    facts["date"] = str(When(row["date"], row["precision"])) if row["date"] else None
    return _brief(facts)


def game_facts(state: State, fields: Mapping[str, Any], today: date) -> dict[str, Any]:
    """Return what an entry says of a game, each field in its one form and only where it says something."""
    state.people.prefetch(str(fields[side]) for side in SIDES if fields.get(side))
    for side in SIDES:
        if not fields.get(side):
            raise FieldError(side, "", "a player; every game has two")
        state.person(str(fields[side]))
    black, white = str(fields["black"]), str(fields["white"])
    _two_players(state, black, white)
    for name, limit in (("event", LONGEST), ("kind", LONGEST), ("server", LONGEST), ("notes", 10 * LONGEST)):
        checked_text(fields.get(name), name, limit)
    game = Game(**{name: fields[name] for name in GAME_FACTS if fields.get(name) is not None})
    refuse_impossible_day(game.date, today, state.zone)
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
    """Refuse a game of one player alone, and one of somebody who was entered by mistake."""
    for side, key in (("black", black), ("white", white)):
        if state.person(key).key in state.gone:
            raise FieldError(side, state.person(key).name, "a player who was not withdrawn; bring them back first")
    if state.person(black).key == state.person(white).key:
        raise FieldError("white", state.labels[state.person(white).key], "another player than black")


def _number(record: Record) -> int:
    """Return the number of the entry that recorded the game that an entry is about."""
    return int(record.subject[1:])


def _recorded(folding: Folding, record: Record) -> None:
    number = _number(record)
    folding.facts[number] = record.facts
    folding.added[record.number] = record.entered.astimezone(UTC)
    _back(folding, record)


def _corrected(folding: Folding, record: Record) -> None:
    """Who entered a disputed game and corrects it asks the opponent again."""
    number = _number(record)
    folding.facts[number] = record.facts
    if folding.status(number) == DISPUTED:
        folding.statuses[number] = WAITING


def _back(folding: Folding, record: Record) -> None:
    number, waits = _number(record), bool(record.facts.get("waiting"))
    folding.unconfirmed[number] = waits
    folding.statuses[number] = WAITING if waits else COUNTS


def _withdrawn(folding: Folding, record: Record) -> None:
    folding.statuses[_number(record)] = WITHDRAWN


def _confirmed(folding: Folding, record: Record) -> None:
    folding.unconfirmed[_number(record)] = False
    folding.statuses[_number(record)] = COUNTS


def _disputed(folding: Folding, record: Record) -> None:
    if folding.status(_number(record)) != COUNTS:
        folding.statuses[_number(record)] = DISPUTED


HANDLERS = (
    Handler(Kind.GAME_RECORDED, record_game, _recorded, of_game=True),
    Handler(Kind.GAME_CORRECTED, correct_game, _corrected, of_game=True),
    Handler(Kind.GAME_WITHDRAWN, withdraw_game, _withdrawn, of_game=True),
    Handler(Kind.GAME_RESTORED, restore_game, _back, of_game=True),
    Handler(Kind.GAME_CONFIRMED, confirm_game, _confirmed, of_game=True),
    Handler(Kind.GAME_DISPUTED, dispute_game, _disputed, of_game=True),
)
