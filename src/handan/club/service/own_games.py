"""Players' own games: which of them wait for a word, and who may give it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import polars as pl

from handan.club.kinds import Kind
from handan.club.state import COUNTS, DISPUTED, FOREIGN, WAITING, State, game_number
from handan.club.store.account_keys import account_key
from handan.club.store.attendance import evening_day
from handan.club.store.clock import day_of
from handan.club.store.members import TABLET, Actor, person_key
from handan.club.store.models import Club, Entry, Membership, Role

MOST = 1_000  # our choice: objections that are looked through, the latest
Row = Mapping[str, Any]
"""A game's row of the games table."""


class Waiting(NamedTuple):
    """Rows of a player's own games that do not count yet."""

    to_confirm: list[dict[str, Any]]
    """The opponent entered them; the player confirms them or objects."""
    to_correct: list[dict[str, Any]]
    """The player entered them and the opponent objects; the player corrects or withdraws them."""
    with_other: list[dict[str, Any]]
    """They wait for the opponent."""


def waiting(by: Actor, state: State) -> Waiting:
    """Return the games of somebody's own that wait for a word: theirs, or the other's."""
    games, own = Waiting([], [], []), person_key(state, by.player)
    if by.user is None or not own:
        return games
    waits = state.recorded.in_status((WAITING, DISPUTED)).filter(pl.col("line") < FOREIGN)
    if not waits.height:
        return games
    keys = state.names_of(own)
    rows = waits.filter(pl.col("black").is_in(keys) | pl.col("white").is_in(keys)).sort("line").to_dicts()
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


def contested(club: Club, state: State) -> list[dict[str, Any]]:
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
    entry = _entry_of(by, game)
    mine = entry is not None and wrote(by, entry)
    return mine and game["status"] != COUNTS


def plays(by: Actor, state: State, facts: Row) -> bool:
    """Whether somebody is one of the two players of a game, also by the key of a player merged with theirs."""
    own = person_key(state, by.player)
    return bool(own) and own in {person_key(state, str(facts.get(side))) for side in ("black", "white")}


def _answers_for(by: Actor, state: State, game: Row) -> bool:
    """Whether somebody is the player of a game who has not entered it, by any account."""
    entry = _entry_of(by, game)
    if entry is None or wrote(by, entry) or not plays(by, state, game):
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
