"""Games: entering, correcting, withdrawing, restoring, confirming and disputing them, and whole sheets of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import polars as pl

from handan.club import changes
from handan.club.entries import Draft
from handan.club.kinds import Kind
from handan.club.names import game_of
from handan.club.new_games import DoubtError, PointsOnEntry, TwinError, doubts_of, other_twins, twins
from handan.club.recorded import FOREIGN, SIDES, Chosen
from handan.club.service.operation import GAME_CHANGED, needs, refuse_overtaken
from handan.club.state import COUNTS, DISPUTED, WAITING, State, game_number
from handan.club.store.access import TABLET, Actor, NotAllowedError, account_key, person_key
from handan.club.store.clock import day_of, evening_day, today
from handan.club.store.models import Club, Entry, Membership, Role
from handan.club.store.stored_standings import StoredStandings, standings_at_hand
from handan.club.store.writing import Make
from handan.errors import Clause, InputError

MOST = 1_000  # our choice: objections that are looked through, the latest
Row = Mapping[str, Any]
"""A game's row of the games table."""


class Waiting(NamedTuple):
    """Rows of games that wait for a word: a player's own that do not count yet, and for keepers those contested."""

    to_confirm: list[dict[str, Any]]
    """The opponent entered them; the player confirms them or objects."""
    to_correct: list[dict[str, Any]]
    """The player entered them and the opponent objects; the player corrects or withdraws them."""
    with_other: list[dict[str, Any]]
    """They wait for the opponent."""
    contested: list[dict[str, Any]]
    """They count, and a player objects to them."""


def waiting(by: Actor, state: State) -> Waiting:
    """Return the games that wait for a word: somebody's own for theirs or the other's, contested ones for keepers."""
    keeps, own = by.user is not None and by.may(Role.KEEPER), person_key(state, by.player)
    games = Waiting([], [], [], _contested(by.club, state) if keeps else [])
    if by.user is None or not own:
        return games
    waits = state.recorded.rows(Chosen(state.names_of(own), statuses=(WAITING, DISPUTED)))
    rows = waits.filter(pl.col("line") < FOREIGN).to_dicts()
    if not rows:
        return games
    authors = Entry.objects.filter(club=by.club, number__in=[row["line"] for row in rows])
    mine = set(authors.filter(user=by.user).values_list("number", flat=True))
    for row in rows:
        if row["line"] in mine and row["status"] == DISPUTED:
            games.to_correct.append(row)
        elif row["status"] == WAITING and _answers_for(by, state, row):
            games.to_confirm.append(row)
        else:
            games.with_other.append(row)
    return games


def may_confirm(by: Actor, state: State, game: Row) -> bool:
    """Whether somebody may confirm a game: a keeper, or the player of it who has not entered it, by any account."""
    return by.may(Role.KEEPER) or _answers_for(by, state, game)


def may_dispute(by: Actor, state: State, game: Row) -> bool:
    """Whether somebody may object to a game: a keeper, each player of one that counts, as `may_confirm` otherwise."""
    if game["status"] == COUNTS:
        return by.may(Role.KEEPER) or plays(by, state, game)
    return may_confirm(by, state, game)


def objection_to(club: Club, game: Row) -> Entry | None:
    """Return the objection to a game that counts which nobody has answered yet, None where there is none."""
    if game["status"] != COUNTS or game["latest"] == game["line"]:
        return None
    return Entry.objects.filter(club=club, number=game["latest"], kind=Kind.GAME_DISPUTED).first()


def _contested(club: Club, state: State) -> list[dict[str, Any]]:
    """Return rows of the games that count and to which a player objects, as long as nobody has answered."""
    objections = Entry.objects.filter(club=club, kind=Kind.GAME_DISPUTED).order_by("-number")
    numbers = dict(objections.values_list("number", "subject")[:MOST])
    rows = state.recorded.numbered([game_number(key) for key in {*numbers.values()}])
    rows = rows.filter((pl.col("status") == COUNTS) & pl.col("latest").is_in([*numbers]))
    return rows.sort("latest").to_dicts()


def may_correct(by: Actor, game: Row) -> bool:
    """Whether somebody may correct a game: a keeper, or who entered it, as long as it does not count."""
    if by.may(Role.KEEPER):
        return True
    entry = _entry_of(by, game) if game["status"] != COUNTS else None
    return entry is not None and wrote(by, entry)


def plays(by: Actor, state: State, facts: Row) -> bool:
    """Whether somebody is one of the two players of a game, also by the key of a player merged with theirs."""
    own = person_key(state, by.player)
    return bool(own) and own in {person_key(state, str(facts.get(side))) for side in SIDES}


def _answers_for(by: Actor, state: State, game: Row) -> bool:
    """Whether somebody is the player of a game who has not entered it, by any account."""
    entry = _entry_of(by, game) if plays(by, state, game) else None
    if entry is None or wrote(by, entry):
        return False
    author = Membership.objects.filter(club=by.club, user=entry.user).first()
    return author is None or person_key(state, author.player) != person_key(state, by.player)


def wrote(by: Actor, entry: Entry) -> bool:
    """Whether somebody wrote an entry: by the account in its digest, which no change of a link can move."""
    if by.tablet:  # of this evening, since whoever stands there acts for it
        return not entry.account and entry.author == TABLET and day_of(entry.entered) >= evening_day(by.club)
    if by.user is None:
        return False
    return entry.account == account_key(by.user) if entry.format > 1 else entry.user == by.user


def _entry_of(by: Actor, game: Row) -> Entry | None:
    """Return the entry that recorded a game."""
    return Entry.objects.filter(club=by.club, number=game["line"]).select_related("user").first()


OWN_ONLY = "a player enters games of their own; a result keeper enters any game"


@needs(Role.PLAYER)
def enter_game(
    by: Actor, fields: Mapping[str, Any], *, another: bool = False, counts: bool = False, as_played: bool = False
) -> Make:
    """Enter a game: a result keeper any, a player their own.

    TwinError for one that looks like a game that is there, unless it is said to be `another`; DoubtError for one that
    is seldom so, unless it is `as_played`. One that the points of the two hold already is history, unless it is said
    that it `counts`.
    """

    def make(state: State) -> Draft:
        keeper = by.may(Role.KEEPER)
        if not keeper and not plays(by, state, fields):
            raise NotAllowedError(OWN_ONLY)
        draft = changes.games.record_game(state, fields, today(), None if keeper else state.person(by.player).key)
        changes.games.refuse_margin(draft.facts)
        if not another and (alike := twins(state, draft.facts)):
            raise TwinError(alike)
        if not as_played and (doubts := unusual(by.club, state, draft.facts)):
            raise DoubtError(doubts)
        return draft if counts else PointsOnEntry(state, evening_day(by.club)).as_history(draft)

    return make


@needs(Role.PLAYER)
def correct_game(
    by: Actor, key: str, fields: Mapping[str, Any], reason: str = "", *, another: bool = False,
    as_played: bool = False, seen: int | None = None,
) -> Make:  # fmt: skip
    """Correct a game: a result keeper may correct any, a player their own, which stays theirs.

    TwinError for one that then looks like a game that is there, unless it is said to be `another`; DoubtError for one
    that then is seldom so, unless it is `as_played`; InputError if an entry about the game followed the one that was
    `seen`.
    """

    def make(state: State) -> Draft:
        row = game_of(state, key)
        need_to_correct(by, row)
        refuse_overtaken(GAME_CHANGED, key, seen, row["latest"])
        draft = changes.games.correct_game(state, key, fields, today(), reason)
        changes.games.refuse_margin(draft.facts)
        if not by.may(Role.KEEPER) and not plays(by, state, draft.facts):
            raise NotAllowedError(OWN_ONLY)
        if not another and (alike := other_twins(state, key, draft.facts)):
            raise TwinError(alike)
        if not as_played and (doubts := new_doubts(by.club, state, row, draft.facts)):
            raise DoubtError(doubts)
        return draft

    return make


def new_doubts(club: Club, state: State, row: Row, facts: Mapping[str, Any]) -> tuple[Clause, ...]:
    """Return what is unusual about a game since a correction, and was not before it."""
    before = unusual(club, state, changes.games.facts_of(row))
    return tuple(doubt for doubt in unusual(club, state, facts) if doubt not in before)


def unusual(club: Club, state: State, facts: Mapping[str, Any]) -> tuple[Clause, ...]:
    """Return what is unusual about a game of a club, given by its facts, as far as its list is at hand."""
    return unusual_among(club, state, {0: facts})[0]


def unusual_among(club: Club, state: State, games: Mapping[int, Mapping[str, Any]]) -> dict[int, tuple[Clause, ...]]:
    """Return what is unusual about games, given by their facts; the ratings of all players are read at once."""

    @cache
    def standings() -> StoredStandings | None:
        listed = standings_at_hand(club, state)
        if listed is not None:
            listed.prefetch([state.final(str(facts[side])) for facts in games.values() for side in SIDES])
        return listed

    return {number: doubts_of(state, facts, today(), standings) for number, facts in games.items()}


def need_to_correct(by: Actor, game: Mapping[str, Any]) -> None:
    """Refuse who may not correct a game."""
    if not may_correct(by, game):
        by.need(Role.KEEPER)


@needs(Role.PLAYER)
def withdraw_game(by: Actor, key: str, reason: str = "") -> Make:
    """Take a game out: a keeper any, who entered it one that does not count yet."""

    def make(state: State) -> Draft:
        need_to_correct(by, game_of(state, key))
        return changes.games.withdraw_game(state, key, reason)

    return make


@needs(Role.KEEPER)
def restore_game(_: Actor, key: str, reason: str = "", *, another: bool = False) -> Make:
    """Bring a withdrawn game back; TwinError for one that looks like a later one, unless it is `another`."""

    def make(state: State) -> Draft:
        row = game_of(state, key)
        draft = changes.games.restore_game(state, key, reason)
        if not another and (alike := twins(state, changes.games.facts_of(row))):
            raise TwinError(alike)
        return draft

    return make


@needs(Role.PLAYER)
def confirm_game(by: Actor, key: str, seen: int) -> Make:
    """Confirm a game as it stood when entry `seen` was the last one about it."""

    def make(state: State) -> Draft:
        row = game_of(state, key)
        objected = objection_to(by.club, row)
        answers = by.may(Role.KEEPER) or wrote(by, objected) if objected else may_confirm(by, state, row)
        if not answers:
            raise NotAllowedError("the opponent of who entered a game confirms it, or a result keeper")
        return changes.games.confirm_game(state, key, seen, objected=objected is not None)

    return make


@needs(Role.PLAYER)
def dispute_game(by: Actor, key: str, seen: int, reason: str) -> Make:
    """Object to a game as it stood when entry `seen` was the last one about it.

    To one that waits the opponent of who entered it objects, to one that counts each of its players.
    """

    def make(state: State) -> Draft:
        row = game_of(state, key)
        if not may_dispute(by, state, row):
            raise NotAllowedError("the opponent of who entered a game objects to it, or a result keeper")
        if objection_to(by.club, row):
            raise InputError(Clause.of("game {key} is disputed already", key=key))
        return changes.games.dispute_game(state, key, reason, seen)

    return make
