"""Files put into a club: what of them is there already, and the entries that the rest makes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

import polars as pl

from handan.club import changes
from handan.club.changes import with_drafts
from handan.club.entries import Draft
from handan.club.new_games import PointsOnEntry, played_day, twin_mark, twin_marks
from handan.club.people import Person
from handan.club.record_sheet import (
    declared_ratings,
    event_drafts,
    facts_of_player,
    games_on_days_of,
    matching_key,
    people_on,
    register_of,
)
from handan.club.state import GAME_FACTS, State
from handan.errors import Clause, InputError, Problem, clause_of, shown
from handan.files.games.missing_dates import with_date
from handan.ledger import Adjustment, Event, Ledger, Player
from handan.ledger.identity import unlabelled
from handan.ledger.ledger import of_players
from handan.ledger.name_folding import folded

DATED_ONCE = "1 game of {name} without a day: the first one of event {key}, {day}"
DATED = "{number} games of {name} without a day: the first one of event {key}, {day}"
NAMED = 5  # our choice: names that a remark lists
SINGLY = 5  # our choice: players who are looked for one by one; for more of them all are read


@dataclass(slots=True)
class Loaded:
    """What a file brings: its entries, and what of it was not taken."""

    source: str
    games: int = 0
    """Games that it holds."""
    entered: int = 0
    """Games that were not there before."""
    dated: int = 0
    """Games that were there without a day, and get that of the file."""
    events: int = 0
    """Events that are new, or of which more is known."""
    newcomers: int = 0
    """Players who are registered."""
    changed: int = 0
    """Players of whom more is known."""
    adjusted: int = 0
    """Ranks and ratings that are set."""
    first: str = ""
    last: str = ""
    """Days of its games."""
    drafts: list[Draft] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    @property
    def there(self) -> int:
        """How many of its games were there before."""
        left_out = sum(problem.rejected and problem.line is not None for problem in self.problems)
        return self.games - self.entered - self.dated - left_out

    def leave_out(self, line: int | None, name: str, error: InputError | Clause) -> None:
        """Keep why a row was not taken."""
        why = error if isinstance(error, Clause) else clause_of(error)
        self.problems.append(Problem(self.source, line, name, "", "", message=Clause.of("{why}; left out", why=why)))


def files_in(ledger: Ledger) -> Iterator[tuple[str, Ledger]]:
    """Go through the files of a ledger, each as a ledger of its own, in the order of their first days."""
    players = {player.name: player for player in ledger.players}
    games = ledger.games.cast({"black": pl.String, "white": pl.String})
    games = games.sort(pl.col("date").min().over("source"), nulls_last=True, maintain_order=True)
    events = list(ledger.events)
    for (source,), table in games.group_by("source", maintain_order=True):
        names = dict.fromkeys([*table["black"], *table["white"]])
        days = {
            name: (first, last)
            for name, first, last in table.group_by("event")
            .agg(pl.col("date").min().alias("first"), pl.col("date").max().alias("last"))
            .rows()
        }
        own = [event for event in events if event.name in days and _has_days(event, *days[event.name])]
        events = [event for event in events if event not in own]
        yield str(source), replace(of_players(table, [players[name] for name in names]), events=tuple(own))
    if events:
        yield "events without games", replace(of_players(games.clear(), []), events=tuple(events))


def _has_days(event: Event, first: datetime | None, last: datetime | None) -> bool:
    """Whether games of these days can be those of an event of their name, which has its own days or none."""
    if event.first is None or first is None or last is None:
        return True
    return event.first.moment <= last and first <= (event.last or event.first).last


def file_loaded(
    state: State, source: str, ledger: Ledger, own: Sequence[range], now: datetime, today: date
) -> Loaded:  # fmt: skip
    """Return what a file brings: newcomers first, then its events, then the games that are not there.

    A game is there if the club has one of the same players, day and winner; of several such games as many are. One of
    the same event, round, players and winner that has no day is the same game, and gets the day of the file.

    Args:
        state: The club.
        source: What the file is called.
        ledger: Its games.
        own: Numbers of the entries of files before in the same load, with whose games none is compared.
        now: The moment of the entries.
        today: The latest date that a game can have.
    """
    loaded = Loaded(source, len(ledger))
    ledger = _dated_by_events(state, ledger, loaded)
    days = ledger.arrays.column("date").drop_nulls()
    loaded.first, loaded.last = (
        str(day.date()) if isinstance(day, datetime) else "" for day in (days.min(), days.max())
    )
    there, undated = _times_there(state, ledger, own), _undated_there(state, ledger, own)
    people = people_on(ledger)
    keys = _registered(state, people, loaded, replaces=False)
    newcomers = (player for player in people if player.name in keys and keys[player.name] not in state.people)
    loaded.problems += declared_ratings(source, newcomers)
    registered = with_drafts(state, loaded.drafts, now)
    points = PointsOnEntry(registered)
    for event in ledger.events:
        present = [each for each in event.participants if each.player.name in keys]
        try:
            drafts = event_drafts(
                registered, replace(ledger, events=(replace(event, participants=tuple(present)),)), keys, today
            )
        except InputError as error:
            loaded.leave_out(None, "event", error)
            continue
        loaded.drafts += drafts
        loaded.events += len(drafts)
    for game, line in zip(ledger, ledger.games["line"], strict=True):
        black, white = keys.get(game.black), keys.get(game.white)
        if black is None or white is None:
            why = Clause.of("{black} – {white}: no such player", black=game.black, white=game.white)
            loaded.leave_out(line, "black" if black is None else "white", why)
            continue
        mark = twin_mark(registered, black, white, str(game.result), played_day(game.date))
        if there[mark]:
            there[mark] -= 1
            continue
        same = undated[game.event, game.round, *twin_mark(registered, black, white, str(game.result), None)]
        fields = {name: getattr(game, name) for name in GAME_FACTS if getattr(game, name) is not None}
        try:
            if same and game.date is not None:
                loaded.drafts.append(changes.games.correct_game(registered, same[0], {"date": game.date}, today))
                loaded.dated += 1
                del same[0]
            else:
                draft = changes.games.record_game(registered, {**fields, "black": black, "white": white}, today)
                loaded.drafts.append(points.as_history(draft))
                loaded.entered += 1
        except InputError as error:
            loaded.leave_out(line, "game", error)
    return loaded


def _dated_by_events(state: State, ledger: Ledger, loaded: Loaded) -> Ledger:
    """Return a ledger whose games without a day have the first one of the club's own event of their name; that is said.

    Where the club has several events of the name, nobody knows which is meant, and the games have no day.
    """
    undated = ledger.games.filter(pl.col("date").is_null())["event"].to_list()
    games = ledger.games
    for name, number in Counter(filter(None, undated)).items():
        events = [event for event in state.events.named(name) if not (event.withdrawn or event.club)]
        if len(events) != 1:
            continue
        when, own = events[0].first, pl.col("event") == name
        games = pl.concat([games.filter(~own), with_date(games.filter(own), when)])
        values = {"number": f"{number:,}", "name": shown(name), "key": events[0].key, "day": str(when)}
        message = Clause.of(DATED_ONCE if number == 1 else DATED, **values)
        loaded.problems.append(Problem(loaded.source, None, "date", "", "", rejected=False, message=message))
    return ledger if games is ledger.games else replace(ledger, arrays=ledger.arrays.of(games.sort("line")))


def list_loaded(
    state: State,
    source: str,
    players: Iterable[tuple[Player, str]],
    now: datetime,
    today: date,
    day: date | None = None,
) -> Loaded:
    """Return what a list of players brings: who is new, with the rank on entry, and what it knows of the others.

    Where it is of a day, another country or club than the club knows of somebody holds from that day on.
    """
    loaded, listed = Loaded(source), list(players)
    since = day if day is not None and day <= today else None
    keys = _registered(state, [player for player, _ in listed], loaded, replaces=True, day=since)
    registered = with_drafts(state, loaded.drafts, now)
    for player, rank in listed:
        key = keys.get(player.name, "")
        if rank and key in registered.people and key not in state.people:
            loaded.drafts.append(changes.players.adjust(registered, key, {"rank": rank}, today, "rank on entry"))
            loaded.adjusted += 1
    return loaded


def ratings_loaded(state: State, source: str, adjustments: Iterable[tuple[Player, Adjustment]], today: date) -> Loaded:
    """Return what ranks and ratings set by hand bring, but for those that are set already.

    Args:
        state: The club.
        source: Where they stand.
        adjustments: Each with the player whom it is of.
        today: The latest day that one can have.
    """
    loaded, strangers = Loaded(source), []
    there = {(state.person(item.player).key, *_figures(item.facts))
             for item in state.adjustments.values() if state.is_in_force(item)}  # fmt: skip
    for player, item in adjustments:
        key = matching_key(state, player)
        if key is None:
            strangers.append(player.name)
            continue
        fields = {name: getattr(item, name) for name in ("rank", "rating", "date", "at_least", "deviation")}
        if fields["rank"] is not None:
            fields["rank"] = str(fields["rank"])
        try:
            draft = changes.players.adjust(state, key, fields, today, item.note)
        except InputError as error:
            loaded.leave_out(None, "player", error)
            continue
        mark = (state.person(key).key, *_figures(draft.facts))
        if mark not in there:
            there.add(mark)
            loaded.drafts.append(draft)
            loaded.adjusted += 1
    if strangers:
        few = ", ".join(map(shown, strangers[:NAMED])) + " …" * (len(strangers) > NAMED)
        pattern = "1 player of {source} not in the club: {names}"
        if len(strangers) > 1:
            pattern = "{number} players of {source} not in the club: {names}"
        text = Clause.of(pattern, number=f"{len(strangers):,}", source=source, names=few)
        loaded.problems.append(Problem(source, None, "player", "", "", rejected=False, message=text))
    return loaded


def _figures(facts: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(facts.get(name) for name in ("rank", "rating", "date", "at_least", "deviation"))


def _by_others(own: Sequence[range]) -> pl.Expr:
    """Return which games were entered by none of these entries."""
    entered = (pl.col("line").is_between(entries.start, entries.stop, closed="left") for entries in own)
    return ~pl.any_horizontal(pl.lit(value=False), *entered)


def _times_there(state: State, ledger: Ledger, own: Sequence[range]) -> Counter[Any]:
    """Return how many games are there already, by what twins share."""
    games = games_on_days_of(state, ledger).filter(_by_others(own))
    return Counter({mark: len(keys) for mark, keys in twin_marks(state, games).items()})


def _undated_there(state: State, ledger: Ledger, own: Sequence[range]) -> dict[tuple[Any, ...], list[str]]:
    """Return the keys of games without a day, of the events of a ledger, by event, round and what twins share."""
    names = list(filter(None, ledger.games["event"].unique()))
    games = state.recorded.on([], undated=True).filter(pl.col("event").is_in(names), _by_others(own))
    keys: dict[tuple[Any, ...], list[str]] = defaultdict(list)
    for (event, number), some in games.group_by("event", "round", maintain_order=True):
        for mark, of_mark in twin_marks(state, some).items():
            keys[event, number, *mark] += of_mark
    return keys


def _registered(
    state: State, players: Iterable[Player], loaded: Loaded, *, replaces: bool, day: date | None = None
) -> dict[str, str]:
    """Register the newcomers among players and complete the others; return the keys of all by name.

    Args:
        state: The club.
        players: Of the file, by the names that it shows.
        loaded: Takes the entries, and who cannot be registered.
        replaces: Whether another country or club takes the place of the one that is there.
        day: From which on it does; None: it was always so.
    """
    keys: dict[str, str] = {}
    newcomers: dict[str, str] = {}
    taken: set[str] = set()
    listed = list(players)
    if len(listed) > SINGLY:
        state.people.prefetch_all()
    for player in listed:
        key = matching_key(state, player)
        try:
            if key is None and player.id in newcomers:  # a list has a person twice
                key = newcomers[player.id]
            elif key is None:
                loaded.drafts.append(changes.players.register_player(state, facts_of_player(player)))
                loaded.newcomers += 1
                key = f"p{state.number + len(loaded.drafts)}"
                newcomers |= {player.id: key} if player.id else {}
            elif key not in taken and (more := _more_known(state, key, player, day, replaces=replaces)):
                loaded.drafts.append(changes.players.change_player(state, key, more))
                loaded.changed += 1
        except InputError as error:
            loaded.leave_out(None, "player", error)
            continue
        if key not in taken and player.id and key in state.people and _is_other_name(state.person(key), player):
            pattern, here = "{number} is {here} here, and {there} in this file", shown(state.person(key).name)
            message = Clause.of(pattern, number=player.id, here=here, there=shown(player.name))
            loaded.problems.append(Problem(loaded.source, None, "id", "", "", rejected=False, message=message))
        taken.add(key)
        keys[player.name] = key
    return keys


def _is_other_name(person: Person, player: Player) -> bool:
    """Whether two names of a number share no word, as where a digit of it is mistyped; other letters tell nothing."""
    own, given = folded(person.name), folded(unlabelled(player))
    return (own + given).isascii() and {*own.split()}.isdisjoint(given.split())


def _more_known(state: State, key: str, player: Player, day: date | None, *, replaces: bool) -> dict[str, Any]:
    """Return what a file knows of a player of the club besides: country and club, and the number of another register.

    A federation knows of the players of its clubs what these know. A list of a day before the last move knows no more.
    """
    if "." in key:
        return {}
    person: Person = state.person(key)
    more: dict[str, Any] = {}
    is_older = day is not None and any(str(day) < home.until for home in person.earlier_homes)
    for name in ("country", "club"):
        own, given = getattr(person, name), getattr(player, name)
        if given and given != own and (replaces or not own) and not is_older:
            more[name] = given
            if own and day is not None:
                more["since"] = str(day)
    register = register_of(player.id)
    if register not in {"", state.slug} and register not in map(register_of, person.ids):
        more["ids"] = [*person.ids, player.id]
    return more
