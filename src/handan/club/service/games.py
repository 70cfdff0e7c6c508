"""Games: entering, correcting, withdrawing, restoring, confirming and disputing them, and whole sheets of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from handan.club import changes
from handan.club.entries import Draft
from handan.club.finding import game_of
from handan.club.history import PointsOnEntry
from handan.club.service.operation import GAME_CHANGED, needs, refuse_overtaken
from handan.club.service.own_games import may_confirm, may_correct, may_dispute, objection_to, plays, wrote
from handan.club.state import State
from handan.club.store.attendance import evening_day
from handan.club.store.clock import today
from handan.club.store.members import Actor, NotAllowedError
from handan.club.store.models import Club, Role
from handan.club.store.states import state_of
from handan.club.store.writing import Make
from handan.club.twins import TwinError, other_twins, twins
from handan.errors import Clause, InputError

OWN_ONLY = "a player enters games of their own; a result keeper enters any game"


@needs(Role.PLAYER)
def enter_game(by: Actor, fields: Mapping[str, Any], *, another: bool = False, counts: bool = False) -> Make:
    """Enter a game: a result keeper any, a player their own.

    TwinError for one that looks like a game that is there, unless it is said to be `another`. One that the points of
    the two hold already is history, unless it is said that it `counts`.
    """

    def make(state: State) -> Draft:
        keeper = by.may(Role.KEEPER)
        if not keeper and not plays(by, state, fields):
            raise NotAllowedError(OWN_ONLY)
        draft = changes.record_game(state, fields, today(), None if keeper else state.person(by.player).key)
        changes.refuse_margin(draft.facts)
        if not another and (alike := twins(state, draft.facts)):
            raise TwinError(alike)
        return draft if counts else PointsOnEntry(state, evening_day(by.club)).as_history(draft)

    return make


def points_holding(club: Club, state: State, fields: Mapping[str, Any]) -> date | None:
    """Return the day of the points that hold a game already, None where it counts."""
    return PointsOnEntry(state, evening_day(club)).holding(fields)


@needs(Role.PLAYER)
def correct_game(
    by: Actor, key: str, fields: Mapping[str, Any], reason: str = "", *, another: bool = False, seen: int | None = None
) -> Make:
    """Correct a game: a result keeper may correct any, a player their own, which stays theirs.

    TwinError for one that then looks like a game that is there, unless it is said to be `another`; InputError if an
    entry about the game followed the one that was `seen`.
    """
    game_of(state_of(by.club), key)

    def make(state: State) -> Draft:
        row = state.game(key)
        need_to_correct(by, row)
        refuse_overtaken(GAME_CHANGED, key, seen, row["latest"])
        draft = changes.correct_game(state, key, fields, today(), reason)
        changes.refuse_margin(draft.facts)
        if not by.may(Role.KEEPER) and not plays(by, state, draft.facts):
            raise NotAllowedError(OWN_ONLY)
        if not another and (alike := other_twins(state, key, draft.facts)):
            raise TwinError(alike)
        return draft

    return make


def need_to_correct(by: Actor, game: Mapping[str, Any]) -> None:
    """Refuse who may not correct a game."""
    if not may_correct(by, game):
        by.need(Role.KEEPER)


@needs(Role.PLAYER)
def withdraw_game(by: Actor, key: str, reason: str = "") -> Make:
    """Take a game out: a keeper any, who entered it one that does not count yet."""
    game_of(state_of(by.club), key)

    def make(state: State) -> Draft:
        need_to_correct(by, state.game(key))
        return changes.withdraw_game(state, key, reason)

    return make


@needs(Role.KEEPER)
def restore_game(by: Actor, key: str, reason: str = "", *, another: bool = False) -> Make:
    """Bring a withdrawn game back; TwinError for one that looks like a later one, unless it is `another`."""
    game_of(state_of(by.club), key)

    def make(state: State) -> Draft:
        draft = changes.restore_game(state, key, reason)
        if not another and (alike := twins(state, changes.facts_of(state.game(key)))):
            raise TwinError(alike)
        return draft

    return make


@needs(Role.PLAYER)
def confirm_game(by: Actor, key: str, seen: int) -> Make:
    """Confirm a game as it stood when entry `seen` was the last one about it."""
    game_of(state_of(by.club), key)

    def make(state: State) -> Draft:
        row = state.game(key)
        objected = objection_to(by.club, row)
        answers = by.may(Role.KEEPER) or wrote(by, objected) if objected else may_confirm(by, state, row)
        if not answers:
            raise NotAllowedError("the opponent of who entered a game confirms it, or a result keeper")
        return changes.confirm_game(state, key, seen, objected=objected is not None)

    return make


@needs(Role.PLAYER)
def dispute_game(by: Actor, key: str, seen: int, reason: str) -> Make:
    """Object to a game as it stood when entry `seen` was the last one about it.

    To one that waits the opponent of who entered it objects, to one that counts each of its players.
    """
    game_of(state_of(by.club), key)

    def make(state: State) -> Draft:
        row = state.game(key)
        if not may_dispute(by, state, row):
            raise NotAllowedError("the opponent of who entered a game objects to it, or a result keeper")
        if objection_to(by.club, row):
            raise InputError(Clause.of("game {key} is disputed already", key=key))
        return changes.dispute_game(state, key, reason, seen)

    return make
