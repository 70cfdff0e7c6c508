"""What an event did to each of its players: from where, every result with what it brought, and to where."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import polars as pl

from handan.errors import InputError, closest, refuse_other, shown
from handan.handicaps import HANDICAP_KOMI, MOST_STONES
from handan.ledger import Event as LedgerEvent
from handan.ledger import Game, Ledger, Pairing, Participant, Player, When
from handan.ledger.arrays import NO_DATE
from handan.ledger.columns import of_games
from handan.ledger.event_numbers import EVENT_GAP
from handan.ledger.events import merged_event
from handan.ledger.ledger import games_at
from handan.ledger.placing import placed, standings, stands_in_tables
from handan.ranks import Rank
from handan.ratings.columns import EVENT, RESULTS
from handan.ratings.frames import histories
from handan.ratings.opponents import pair_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from handan.ratings.rated_ledger import RatedLedger

PAIRED = "#paired"
"""The source of games that are rated as if they had ended."""
SCORES = {"win": 1.0, "jigo": 0.5, "loss": 0.0}
OPEN = "?"
"""The result of a game that is not played, or not yet."""


@dataclass(frozen=True, slots=True)
class EventResult:
    """One game of the event as one player saw it."""

    game: int
    """Number of the game in playing order, counted from 1; in a club, the number in its key."""
    round: int | None
    date: str
    opponent: str
    opponent_rank: str
    colour: str
    """`black`, `white`, or empty where it is not known."""
    handicap: int
    komi: float | None
    result: str
    score: float | None
    """1 for a win, 0.5 for a jigo, 0 for a loss; None where nobody scored or the game is not rated."""
    expected: float | None
    """Forecast of the score before the game; by the final ratings where all games are solved together."""
    change: float
    note: str
    """Why the game was not rated."""


@dataclass(frozen=True, slots=True)
class EventLine:
    """One player of the event: `before`, the changes of the results and `apart` add up to `after`."""

    player: str
    declared_rank: str
    """As it was declared at the first game of the event."""
    declared: float | None
    """Rating in the federation's list, else in the file of the event; None where neither has one."""
    declared_origin: str
    """Whose scale that is on, as the file of the event says: `EGF`, `FFG`, `AGA`; empty where it says nothing."""
    rank_before: str
    before: float
    results: tuple[EventResult, ...]
    apart: float
    """What moved the rating between the games: rules such as a promotion, adjustments, games elsewhere."""
    after: float
    rank_after: str
    place: int | None = None
    """In the final order, as the files declare it; several may share one. None where they place nobody."""
    points: float | None = None
    """Points of all games, also of those that are not rated, and of byes; None where no event is looked at."""

    @property
    def changes(self) -> list[float]:
        """What each result brought."""
        return [result.change for result in self.results]

    @property
    def change(self) -> float:
        """Sum of what the results brought."""
        return math.fsum(self.changes)

    @property
    def score(self) -> float:
        """Points from rated games."""
        return sum(result.score or 0.0 for result in self.results)

    @property
    def expected(self) -> float | None:
        """Points forecast for these games; None where the system has no law of winning."""
        chances = [result.expected for result in self.results if result.score is not None]
        return None if None in chances or not chances else math.fsum(chance for chance in chances if chance is not None)

    @property
    def rank_change(self) -> float | None:
        """Ranks up (positive) or down; None where the system has no ranks."""
        if not self.rank_before or not self.rank_after:
            return None
        return Rank.parse(self.rank_after).stones - Rank.parse(self.rank_before).stones

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON: what `Event.table` holds, and the results."""
        own = {name: getattr(self, name, None) for name in EVENT} | {"games": len(self.results)}
        return own | {"results": [asdict(result) for result in self.results]}


@dataclass(frozen=True, slots=True)
class EventPairing:
    """A game of the event that was paired and has no result."""

    round: int
    black: str
    white: str
    handicap: int
    komi: float | None
    chance: float | None
    """That Black wins, by the ratings after the event; None where a player has no rating or the system has no law."""
    black_wins: tuple[float, float] | None = None
    """What it would bring to Black and to White if Black won, as all others would who have Black in this round; None
    but for the first round that is open."""
    white_wins: tuple[float, float] | None = None
    """The same if White won."""


@dataclass(frozen=True, slots=True)
class Event:
    """What one system makes of an event."""

    name: str
    first: str
    """Day of the first game; empty where no game has a date."""
    last: str
    lines: tuple[EventLine, ...]
    """In the order of the places: as files declare them, else by points and tie-breaks (`handan.ledger.placing`)."""
    looking_back: bool
    """Whether the expectations are those of the final ratings, since the system solves all games together."""
    pairings: tuple[EventPairing, ...] = ()
    """Games that were paired and have no result, by round."""

    def table(self) -> pl.DataFrame:
        """Return one row a player."""
        return pl.DataFrame([{name: line.as_dict()[name] for name in EVENT} for line in self.lines], schema=EVENT)

    def results(self) -> pl.DataFrame:
        """Return one row for each game of each player."""
        rows = [{"player": line.player} | asdict(result) for line in self.lines for result in line.results]
        return pl.DataFrame(rows, schema=RESULTS)


class Placed(Protocol):
    """Who took part in an event, and in which place."""

    @property
    def player(self) -> Player:
        """The player."""

    @property
    def place(self) -> int | None:
        """As declared."""


@dataclass(frozen=True, slots=True)
class Occasion:
    """An event of a ledger: one name may be that of several."""

    name: str
    title: str
    """Its name, with the first day where others have the same."""
    games: NDArray[np.int64]
    """Which games, counted from 0, are its; none where its first round is only paired."""
    facts: LedgerEvent | None
    """What files tell of it; None where they tell nothing."""


def events_in(ratings: RatedLedger) -> list[str]:
    """Return the titles of the events in order of their newest game, last those of which nothing is played yet.

    Games of one name are of one event if their days belong together. The title of one whose name others
    have too ends with its first day.
    """
    return [each.title for each in _occasions(ratings)]


def _occasions(ratings: RatedLedger) -> list[Occasion]:
    """Return the events in the order of their newest game, last those of which nothing is played yet."""
    arrays = ratings.ledger.arrays
    names, written = arrays.column("event"), arrays.written_days(np.arange(len(ratings.ledger)))
    own = np.flatnonzero(arrays.in_event)
    own = own[np.argsort(arrays.event[own], kind="stable")]
    played = np.split(own, np.flatnonzero(np.diff(arrays.event[own])) + 1) if len(own) else []
    of_name: dict[str, list[LedgerEvent]] = {}
    for event in ratings.ledger.events:
        of_name.setdefault(event.name, []).append(event)
    occasions: list[tuple[str, str, NDArray[np.int64], LedgerEvent | None]] = []
    for games in sorted(played, key=lambda games: int(games[-1])):
        name = names[int(games[0])]
        parts = [event for event in of_name.get(name, ()) if _is_of(event, arrays.day[games])]
        of_name[name] = [event for event in of_name.get(name, ()) if event not in parts]
        occasions.append((name, written[int(games[0])] or "", games, merged_event(parts) if parts else None))
    nothing = np.empty(0, dtype=np.int64)
    waiting = [event for event in ratings.ledger.events if event.pairings and event in of_name[event.name]]
    occasions += [(event.name, str(event.first or ""), nothing, event) for event in waiting]
    times = Counter(name for name, *_ in occasions)
    return [
        Occasion(name, f"{name} {first}".strip() if times[name] > 1 else name, games, facts)
        for name, first, games, facts in occasions
    ]


def _is_of(event: LedgerEvent, days: NDArray[np.int64]) -> bool:
    """Return whether games of some days, counted from 1970-01-01, are those of an event that files tell of."""
    dated = days[days != NO_DATE]
    if event.first is None or not len(dated):
        return True
    begin, end = (np.datetime64(day, "D").astype(int) for day in (event.first.moment, (event.last or event.first).last))
    return bool(begin - EVENT_GAP.days <= dated.max() and dated.min() <= end + EVENT_GAP.days)


def event_of(ratings: RatedLedger, name: str, declared: Mapping[str, float]) -> Event:
    """Return what an event, or all games where the name is empty, did to each player."""
    refuse_other("event", name, str, "the name of an event as text")
    occasion = _occasion(ratings, name)
    games = np.ones(len(ratings.ledger), dtype=np.bool_)
    if occasion and (name or (occasion.name and not len(occasion.games))):
        games = np.isin(np.arange(len(games)), occasion.games)
    made = event_of_games(ratings, games, occasion.title if occasion else name, declared)
    own = games_at(ratings.ledger, np.flatnonzero(games))
    facts = (occasion.facts if occasion else None) or LedgerEvent(occasion.name if occasion else "")
    people = placed(ratings.ledger.players, facts, own)
    facts = _with_open_games(replace(facts, participants=tuple(people)), own)
    day = str(facts.first or "")
    standing = standings(people, list(filter(stands_in_tables, own)))
    lines = (replace(line, points=standing[line.player][0] if line.player in standing else None) for line in made.lines)
    made = replace(made, lines=tuple(lines))
    made = replace(in_places(made, people), first=made.first or day, last=made.last or day)
    return replace(made, pairings=_pairings(ratings, facts))


def _with_open_games(event: LedgerEvent, games: Sequence[Game]) -> LedgerEvent:
    """Return an event that pairs those of its games that have a round and, as in a table, no result yet."""
    opened = [game for game in games if game.round and str(game.result) == OPEN]
    if not opened:
        return event
    pairings = tuple(Pairing(game.round or 0, game.black, game.white, game.handicap) for game in opened)
    komi = next((game.komi for game in opened if not game.handicap), None)
    return replace(
        event, pairings=event.pairings + pairings, first=event.first or When.of(opened[0].date),
        komi=komi if event.komi is None else event.komi, size=event.size or opened[0].size,
        kind=event.kind or opened[0].kind,
    )  # fmt: skip


def event_of_games(
    ratings: RatedLedger, chosen: NDArray[np.bool_], title: str, declared: Mapping[str, float] | None = None
) -> Event:
    """Return what some games, those of an event, did to each player."""
    ledger = ratings.ledger
    players = np.unique(np.concatenate([ledger.arrays.black[chosen], ledger.arrays.white[chosen]]))
    cards = histories(ratings, players.tolist(), ["side"]).filter(
        pl.col("game").is_in((np.flatnonzero(chosen) + 1).tolist())
    )
    chances = _chances(ratings, np.flatnonzero(chosen & (ratings.arrays.unrated == 0)))
    ranks = _declared_ranks(ratings, chosen)
    of_file = {
        player.name: (player.rating, player.rating_origin) for player in ledger.players if player.rating is not None
    }
    listed = of_file | {player: (rating, "") for player, rating in (declared or {}).items()}
    lines = [
        _line(key[0], card.to_dicts(), chances, ranks, listed)
        for key, card in cards.group_by("player", maintain_order=True)
    ]
    place = {ledger.players[player].name: number for number, player in enumerate(ratings.arrays.ladder.tolist())}
    lines.sort(key=lambda line: (*_strength(line), place[line.player]))
    days = sorted(filter(None, cards["date"].to_list()))
    first, last = (days[0], days[-1]) if days else ("", "")
    return Event(title, first, last, tuple(lines), ratings.system.traits.whole)


def in_places(event: Event, participants: Iterable[Placed]) -> Event:
    """Return an event with its players in the order of the participants, each with the place; others follow."""
    places = {each.player.name: (number, each.place) for number, each in enumerate(participants)}
    last = len(places), None
    lines = [replace(line, place=places.get(line.player, last)[1]) for line in event.lines]
    return replace(event, lines=tuple(sorted(lines, key=lambda line: places.get(line.player, last)[0])))


def numbered(event: Event, numbers: Sequence[int]) -> Event:
    """Return an event whose games have other numbers, given in playing order."""
    lines = [
        replace(line, results=tuple(replace(each, game=numbers[each.game - 1]) for each in line.results))
        for line in event.lines
    ]
    return replace(event, lines=tuple(lines))


def joined(parts: Sequence[Event]) -> Event:
    """Return an event whose games were rated in parts, one after the other, as one."""
    if len(parts) == 1:
        return parts[0]
    lines: dict[str, EventLine] = {}
    for line in (line for part in parts for line in part.lines):
        lines[line.player] = _continued(lines[line.player], line) if line.player in lines else line
    days = sorted(day for part in parts for day in (part.first, part.last) if day)
    first, last = (days[0], days[-1]) if days else ("", "")
    ordered = tuple(sorted(lines.values(), key=lambda line: (*_strength(line), line.player)))
    return Event(parts[0].name, first, last, ordered, any(part.looking_back for part in parts))


def _continued(line: EventLine, later: EventLine) -> EventLine:
    """Return a player's line of two parts of an event."""
    results = (*line.results, *later.results)
    apart = later.after - line.before - math.fsum(result.change for result in results)
    return replace(
        line, results=results, apart=_nothing(apart, later.after), after=later.after, rank_after=later.rank_after
    )


def _nothing(apart: float, rating: float) -> float:
    """Return what moved a rating besides, 0 for what only rounding leaves."""
    return 0.0 if math.isclose(rating - apart, rating, rel_tol=1e-12, abs_tol=1e-9) else apart


def _strength(line: EventLine) -> tuple[float, float]:
    return -Rank.parse(line.rank_after).stones if line.rank_after else 0.0, -line.after


def _pairings(ratings: RatedLedger, event: LedgerEvent) -> tuple[EventPairing, ...]:
    """Return the games that files pair in an event and give no result, with Black's chance by the ratings after it, and
    what each result would do of the first round that is open.
    """
    rows = []
    opened = min((each.round for each in event.pairings), default=0)
    outcomes = _outcomes(ratings, event, [each for each in event.pairings if each.round == opened])
    for each in event.pairings:
        komi = event.komi if each.handicap == 0 else HANDICAP_KOMI
        rated = all(ratings.ledger.arrays.lookup.bearer(player) is not None for player in (each.black, each.white))
        stones = min(each.handicap, MOST_STONES)
        chance = _chance(ratings, each.black, each.white, stones, komi) if rated else None
        both = outcomes.get(each, (None, None))
        rows.append(EventPairing(each.round, each.black, each.white, each.handicap, komi, chance, *both))
    return tuple(sorted(rows, key=lambda row: row.round))


Change = tuple[float, float] | None
"""Of Black and White."""


def _outcomes(
    ratings: RatedLedger, event: LedgerEvent, pairings: Sequence[Pairing]
) -> dict[Pairing, tuple[Change, Change]]:
    """Return what it would bring if Black, and if White, won the games of a round, by rating them with the others."""
    if not pairings:
        return {}
    people = {each.player.name: each for each in event.participants}
    day = str(event.last or event.first or "")
    sides = []
    for result in ("B+", "W+"):
        games = [_game(each, event, result, day, people) for each in pairings]
        paired = Ledger.from_table(of_games(games, PAIRED, range(len(games))))
        rated = ratings.system.rate(ratings.ledger + paired)
        arrays = rated.ledger.arrays
        new = np.flatnonzero((arrays.column("source") == PAIRED).to_numpy())
        new = new[np.argsort(arrays.column("line").to_numpy()[new])]
        moved = rated.arrays.unrated[new] == 0
        sides.append(
            [(float(black), float(white)) for black, white in np.where(moved, rated.arrays.change[new].T, 0.0).T]
        )
    return {each: (black, white) for each, black, white in zip(pairings, *sides, strict=True)}


def _game(pairing: Pairing, event: LedgerEvent, result: str, day: str, people: Mapping[str, Participant]) -> Game:
    """Return a game that was paired as if it had ended."""
    black, white = (people.get(name, Participant(Player(name))) for name in (pairing.black, pairing.white))
    return Game(
        pairing.black, pairing.white, result, day, min(pairing.handicap, MOST_STONES),
        HANDICAP_KOMI if pairing.handicap else event.komi, event=event.name, round=pairing.round or None,
        size=event.size or 19, kind=event.kind, black_rank=black.rank, white_rank=white.rank,
        black_id=black.player.id, white_id=white.player.id,
    )  # fmt: skip


def _occasion(ratings: RatedLedger, name: str) -> Occasion | None:
    """Return the event that a title or a name means: of several of one name the newest, or that of a year or day.

    Returns:
        None where no event is named and the games are of none.

    Raises:
        InputError: There is no such event, or none is named where there are several.
    """
    events = _occasions(ratings)
    titles = [each.title for each in events]
    if not name and len(events) > 1:
        raise InputError(f"the games are of {len(events)} events; name one of {', '.join(map(shown, titles[:-6:-1]))}")
    chosen = [each for each in events if name in (each.title, each.name, "")]
    chosen = chosen or [each for each in events if each.title.startswith(name) and name.startswith(f"{each.name} ")]
    if name and not chosen:
        raise InputError(f"event {shown(name)} is not in the games{closest(name, titles)}")
    return chosen[-1] if chosen else None


def _chances(ratings: RatedLedger, games: NDArray[np.int64]) -> dict[int, float]:
    """Return Black's expected score by the law as published, by number of the game; empty without such a law."""
    if not ratings.system.traits.whole:
        expected = ratings.system.expected(ratings)
        return (
            {}
            if expected is None
            else dict(zip((ratings.arrays.sequence + 1).tolist(), expected.tolist(), strict=True))
        )
    chances = {}
    names = ratings.ledger.names
    for game in games.tolist():
        handicap, komi, _ = ratings.arrays.terms[game]
        black, white = (names[side[game]] for side in ratings.ledger.arrays.seats)
        chance = _chance(ratings, black, white, min(max(int(handicap), 0), MOST_STONES), komi)
        if chance is None:
            return {}
        chances[game + 1] = chance
    return chances


def _chance(ratings: RatedLedger, black: str, white: str, handicap: int, komi: float | None) -> float | None:
    """Return the probability that Black wins, None without such a law."""
    return ratings.system.win_probability(*pair_of(ratings, black, white), handicap, komi, ratings)


def _declared_ranks(ratings: RatedLedger, chosen: NDArray[np.bool_]) -> dict[str, str]:
    """Return the rank that each player declared first in the event."""
    games = ratings.ledger.games.filter(pl.Series(chosen))
    ranks: dict[str, str] = {}
    for side in ("black", "white"):
        for name, rank in games.select(pl.col(side).cast(pl.String), f"{side}_rank").iter_rows():
            if rank:
                ranks.setdefault(name, rank)
    return ranks


def _line(
    player: Any,
    rows: list[dict[str, Any]],
    chances: Mapping[int, float],
    ranks: Mapping[str, str],
    listed: Mapping[str, tuple[float, str]],
) -> EventLine:
    """Return one player's line from the rows of the card."""
    results = tuple(_result(row, chances.get(row["game"])) for row in rows)
    before, after = rows[0]["before"], rows[-1]["after"]
    apart = after - before - math.fsum(result.change for result in results)
    declared, origin = listed.get(player, (None, ""))
    return EventLine(
        player=player,
        declared_rank=ranks.get(player, ""),
        declared=declared,
        declared_origin=origin,
        rank_before=rows[0]["rank_before"],
        before=before,
        results=results,
        apart=_nothing(apart, after),
        after=after,
        rank_after=rows[-1]["rank_after"],
    )


def _result(row: dict[str, Any], chance: float | None) -> EventResult:
    rated = not row["note"]
    expected = None
    if chance is not None and rated:
        # where colours are not known the forecast is that of the player on the left, whom `side` tells
        expected = chance if row["side"] == 0 else 1.0 - chance
    own = {name: row[name] for name in RESULTS if name in row and name != "player"}
    return EventResult(**own, score=SCORES.get(row["result"]) if rated else None, expected=expected)
