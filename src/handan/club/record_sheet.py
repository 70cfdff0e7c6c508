"""A record sheet of many games: which players it means, which games it repeats, and the entries that it makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

import polars as pl

from handan.club import changes
from handan.club.entries import Draft, chained
from handan.club.folding import fold
from handan.club.state import GAME_FACTS, State
from handan.club.twins import TwinError, likeness_mark, twin_mark, twin_marks
from handan.ledger import Game, Ledger, Player, When
from handan.ledger.identity import unlabelled

Matches = Mapping[str, str | None]
"""The key of the club's player whom each name of a sheet means; None for a newcomer."""


def matching_key(state: State, player: Player) -> str | None:
    """Return the key of the club's player who is meant: by number, then by name or reading; None for a newcomer.

    Who has another number in the same register is a namesake.
    """
    if player.id:
        own = player.id.removeprefix(f"{state.slug}:")
        if own != player.id and own in state.active:
            return own
        if owners := state.bearing(player.id):
            return owners[0]
    name, labels = unlabelled(player), state.keys
    alike = [labels[player.name]] if player.name in labels else state.spelt(name) or state.loosely_spelt(name)
    if register := register_of(player.id):
        alike = [key for key in alike if register not in map(register_of, state.person(key).ids)]
    return alike[0] if len(alike) == 1 else None


def register_of(number: str) -> str:
    """Return the register of a number, `egd` of `egd:17076590`; empty for a number of none."""
    return number.rpartition(":")[0]


def matches_of(state: State, players: Iterable[Player]) -> dict[str, str | None]:
    """Return the key of the club's player whom each name means, None for a newcomer."""
    return {player.name: matching_key(state, player) for player in players}


def sheet_drafts(state: State, ledger: Ledger, now: datetime, today: date) -> list[Draft]:
    """Return the entries of a sheet: newcomers first, then the games in their order."""
    keys: dict[str, str] = {}
    drafts: list[Draft] = []
    for player in ledger.players:
        key = matching_key(state, player)
        if key is None:
            drafts.append(changes.register_player(state, facts_of_player(player)))
            key = f"p{state.number + len(drafts)}"
        keys[player.name] = key
    registered = fold(state, chained(drafts, state.number, state.digest, "", now))
    for game in ledger:
        fields = {name: getattr(game, name) for name in GAME_FACTS if getattr(game, name) is not None}
        fields |= {"black": keys[game.black], "white": keys[game.white]}
        drafts.append(changes.record_game(registered, fields, today))
    return drafts


def facts_of_player(player: Player) -> dict[str, Any]:
    """Return with what a player of files is registered."""
    ids = [player.id] if player.id else []
    return {"name": unlabelled(player), "country": player.country, "club": player.club, "ids": ids}


def refuse_sheet_twins(state: State, ledger: Ledger) -> None:
    """Raise TwinError for a sheet with games that look like some of the club, or like each other."""
    matches = matches_of(state, ledger.players)
    alike, doubles = sheet_twins(state, ledger, matches), sheet_doubles(ledger, matches)
    if alike or doubles:
        raise TwinError(alike, doubles)


def sheet_twins(state: State, ledger: Ledger, matches: Matches) -> list[str]:
    """Return keys of the games in the club's ledger that games of the sheet look like."""
    marks, alike = twin_marks(state, games_on_days_of(state, ledger)), []
    for game in ledger:
        black, white = matches[game.black], matches[game.white]
        if black and white:
            alike += marks.get(twin_mark(state, black, white, str(game.result), day_of(game)), [])
    return list(dict.fromkeys(alike))


def sheet_doubles(ledger: Ledger, matches: Matches) -> list[str]:
    """Return the games of a sheet that look like another game of it, in words, each once."""
    times: Counter[tuple[Any, ...]] = Counter()
    words: dict[tuple[Any, ...], str] = {}
    for game in ledger:
        black, white = (matches[name] or f"new {name}" for name in (game.black, game.white))
        mark = likeness_mark(black, white, str(game.result), day_of(game))
        times[mark] += 1
        words.setdefault(mark, f"{game.black} – {game.white} {game.date or ''}".strip())
    return [words[mark] for mark, number in times.items() if number > 1]


def games_on_days_of(state: State, ledger: Ledger) -> pl.DataFrame:
    """Return the club's games on the days of a sheet's, among which those are that look like them."""
    moments = ledger.column("date")
    days, undated = moments.dt.date().unique(), moments.null_count() > 0
    return state.recorded.on(days.drop_nulls().to_list(), undated=undated)


def day_of(game: Game) -> date | None:
    """Return the day of a game; its first where only the month or year is given, None without a date."""
    when = When.of(game.date)
    return None if when is None else when.moment.date()
