"""A record sheet of many games: which players it means, which games it repeats, and the entries that it makes.

A file that tells of a tournament is one too: the event is entered with its games, and with all who took part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any, NamedTuple

import polars as pl

from handan.club import changes
from handan.club.changes import fold
from handan.club.entries import Draft, chained
from handan.club.events import facts_of_event
from handan.club.new_games import PointsOnEntry, TwinError, likeness_mark, twin_mark, twin_marks
from handan.club.state import GAME_FACTS, State
from handan.ledger import Event, Game, Ledger, Player, When
from handan.ledger.identity import unlabelled
from handan.ranks import Rank

FAR = 2.0  # stones; our choice: between the rank on a sheet and that of the list
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


def people_on(ledger: Ledger) -> list[Player]:
    """Return the players of a sheet: those of its games, then who takes part in one of its events without a game."""
    there = {player.name: player for player in ledger.players}
    for event in ledger.events:
        for each in event.participants:
            there.setdefault(each.player.name, each.player)
    return [*there.values()]


class OtherRank(NamedTuple):
    """A player whose rank on a sheet is far from that of the club's list."""

    key: str
    declared: str
    listed: str


def declared_ranks(ledger: Ledger) -> dict[str, str]:
    """Return the rank that a sheet declares of each player, the last one where it has several."""
    ranks = {
        getattr(game, side): str(rank)
        for game in ledger for side in ("black", "white") if (rank := getattr(game, f"{side}_rank"))
    }  # fmt: skip
    return ranks | {each.player.name: each.rank for event in ledger.events for each in event.participants if each.rank}


def far_ranks(
    matches: Matches, declared: Mapping[str, str], listed: Mapping[str, Mapping[str, Any]]
) -> list[OtherRank]:
    """Return whose declared rank is far from the one on the club's list.

    Args:
        matches: The key of each name; None for a newcomer.
        declared: Ranks by name.
        listed: Rows of the club's list by key.
    """
    others = []
    for name, rank in declared.items():
        key = matches.get(name)
        own = str((listed.get(key) or {}).get("rank") or "") if key else ""
        if key and own and abs(Rank.parse(rank).stones - Rank.parse(own).stones) >= FAR:
            others.append(OtherRank(key, rank, own))
    return others


def sheet_drafts(
    state: State, ledger: Ledger, now: datetime, today: date, evening: date, *, counts: bool = False
) -> list[Draft]:  # fmt: skip
    """Return the entries of a sheet: newcomers first, then its events, then the games in their order.

    `counts` says that games count which the points of members hold already; otherwise they are history. `evening` as
    in `PointsOnEntry`.
    """
    keys: dict[str, str] = {}
    drafts: list[Draft] = []
    for player in people_on(ledger):
        key = matching_key(state, player)
        if key is None:
            drafts.append(changes.register_player(state, facts_of_player(player)))
            key = f"p{state.number + len(drafts)}"
        keys[player.name] = key
    registered = fold(state, chained(drafts, state.number, state.digest, "", now))
    drafts += event_drafts(registered, ledger, keys, today)
    points = PointsOnEntry(registered, evening)
    for game in ledger:
        fields = {name: getattr(game, name) for name in GAME_FACTS if getattr(game, name) is not None}
        fields |= {"black": keys[game.black], "white": keys[game.white]}
        draft = changes.record_game(registered, fields, today)
        drafts.append(draft if counts else points.as_history(draft))
    return drafts


def facts_of_player(player: Player) -> dict[str, Any]:
    """Return with what a player of files is registered."""
    ids = [player.id] if player.id else []
    return {"name": unlabelled(player), "country": player.country, "club": player.club, "ids": ids}


def event_drafts(state: State, ledger: Ledger, keys: Mapping[str, str], today: date) -> list[Draft]:
    """Return the entries of the events that files tell of: new ones, and what those that are there are now.

    Args:
        state: The club, with all players.
        ledger: The files.
        keys: Of the players, by the names that the files give them.
        today: The day it is.
    """
    drafts = []
    for whole in (_whole_event(event, ledger, keys) for event in ledger.events):
        present = changes.event_like(state, whole)
        if present is None:
            drafts.append(changes.enter_event(state, whole, today))
        elif present.facts != facts_of_event(whole):
            drafts.append(changes.change_event(state, present.key, whole, today))
    return drafts


def _whole_event(event: Event, ledger: Ledger, keys: Mapping[str, str]) -> Event:
    """Return an event of a sheet with keys of players for their names, and the days of its games where it tells none.

    Who is paired without being listed takes part too. Games of a later event of the same name are its own.
    """
    listed = [replace(each, player=replace(each.player, name=keys[each.player.name])) for each in event.participants]
    pairings = tuple(
        replace(each, black=keys[each.black], white=keys[each.white])
        for each in event.pairings if {each.black, each.white} <= keys.keys()
    )  # fmt: skip
    games = ledger.games.filter(pl.col("event") == event.name)["date"].drop_nulls()
    if event.first is not None:
        firsts = (each.first.moment for each in ledger.events if each.name == event.name and each.first is not None)
        later = [first for first in firsts if first > event.first.moment]
        games = games.filter(games < min(later)) if later else games
    days = games.dt.date()
    of_games = [When.of(day) for day in (days.min(), days.max()) if isinstance(day, date)]
    first = event.first or next(iter(of_games), None)
    last = max(filter(None, (first, event.last, *of_games[1:])), key=lambda when: when.last, default=None)
    return replace(event, first=first, last=last, participants=tuple(listed), pairings=pairings)


def without_entered(state: State, ledger: Ledger) -> Ledger:
    """Return a sheet without games that the club has already in the same event, as files of later rounds hold them."""
    names = {event.name for event in ledger.events if changes.event_like(state, event)}
    if not names:
        return ledger
    matches = matches_of(state, ledger.players)
    there = games_on_days_of(state, ledger)
    marks = twin_marks(state, there.filter(pl.col("event").is_in([*names])))
    kept = []
    for game in ledger:
        black, white = matches[game.black], matches[game.white]
        mark = twin_mark(state, black, white, str(game.result), day_of(game)) if black and white else None
        entered = marks.get(mark, []) if mark is not None and game.event in names else []
        kept.append(not entered)
        del entered[:1]  # two players may meet twice
    return ledger if all(kept) else replace(ledger, arrays=ledger.arrays.of(ledger.games.filter(pl.Series(kept))))


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
    moments = ledger.arrays.column("date")
    days, undated = moments.dt.date().unique(), moments.null_count() > 0
    return state.recorded.on(days.drop_nulls().to_list(), undated=undated)


def day_of(game: Game) -> date | None:
    """Return the day of a game; its first where only the month or year is given, None without a date."""
    when = When.of(game.date)
    return None if when is None else when.moment.date()
