"""The games of a rating list: the blocks that hold them, and what they did to players, with reasons."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time
from functools import cached_property, partial
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from django.db.models import Exists, OuterRef, QuerySet
from numpy.typing import NDArray

from handan.club.blocks import (
    checkpoint_of_bytes,
    rate_block,
    ratings_of,
    renumbered,
    stored_facts,
    unpacked,
    with_names,
)
from handan.club.rules import Rules, effective_from, falls_within
from handan.club.standings import Line, Phase, Standings, event_among
from handan.club.state import COUNTS, State, game_number
from handan.club.store.clock import milliseconds, moment_of, start_of
from handan.club.store.fact_models import Game
from handan.club.store.list_ladder import Ladder, from_snapshot
from handan.club.store.list_models import Block, RatingList
from handan.club.store.standings import standings_of
from handan.club.store.states import games_with, phases_of
from handan.errors import Clause, InputError, shown
from handan.kernels.types import Ints
from handan.ledger import Adjustment
from handan.ledger.ledger import in_order
from handan.ratings import Ratings
from handan.ratings.event import Event, joined
from handan.ratings.lines import cards, explanations, reasoned
from handan.systems.core.sequential import Sequential

AT_ONCE = 8  # our choice: blocks that are read together


class StoredBlock(NamedTuple):
    """A block without its games: where it stands, under which of the rules, and when it ends."""

    pk: int
    position: int
    phase: int
    ends: int | None


class ListBlocks:
    """The blocks of a list; each column is read when it is asked for."""

    def __init__(self, row: RatingList, state: State, phase_rules: Sequence[Rules]) -> None:
        """Take the list, the club as who asks may see it, and the rules under which its games are rated."""
        self.list, self.state, self.phase_rules = row, state, phase_rules

    def __len__(self) -> int:
        """Number of blocks."""
        return len(self.blocks)

    @cached_property
    def blocks(self) -> list[StoredBlock]:
        """All blocks in playing order, without their games."""
        rows = Block.objects.filter(list=self.list).order_by("position")
        return [StoredBlock(*row) for row in rows.values_list("pk", "position", "phase", "ends")]

    @cached_property
    def ends(self) -> list[float]:
        """The moment at which each block ends; a block without dated games ends with the one before."""
        return list(accumulate((-math.inf if block.ends is None else block.ends for block in self.blocks), max))

    @cached_property
    def keys(self) -> list[str]:
        """Keys of all players by number."""
        return self.list.keys.split("\n") if self.list.keys else []

    @cached_property
    def figures(self) -> dict[str, Any]:
        """Figures of all players by number."""
        return unpacked(bytes(self.list.figures))[0]

    def columns(self, places: Sequence[int], *names: str) -> Iterator[list[bytes]]:
        """Go through columns of blocks, given by place and ascending."""
        for first in range(0, len(places), AT_ONCE):
            part = [self.blocks[place].pk for place in places[first : first + AT_ONCE]]
            rows = Block.objects.filter(pk__in=part).values_list(*names)
            yield from ([bytes(value or b"") for value in row] for row in rows)

    def place_of(self, moment: datetime | None) -> int:
        """Return the place of the block with the games of a moment, None for games without a date."""
        return 0 if moment is None else min(bisect_left(self.ends, milliseconds(moment)), len(self.blocks) - 1)

    def places(self, phase: int) -> list[int]:
        """Return the places of the blocks under one of the rules."""
        return [place for place, block in enumerate(self.blocks) if block.phase == phase]

    def adjustments(
        self, phase: int, players: Iterable[str], entered: Collection[str] = (), last: datetime | None = None
    ) -> list[Adjustment]:
        """Return the adjustments of players under one of the rules, those with which they enter it among them, by key.

        Args:
            phase: Which of the rules.
            players: Their keys.
            entered: Players of whom only those are wanted that come on the day `last` or later.
            last: A day on which somebody played, None: all are wanted.
        """
        wanted, day = {*players}, "" if last is None else str(last.date())

        def plays_part(player: str, when: Any) -> bool:
            return player in wanted and not (player in entered and str(when or "") < day)

        since = self.phase_rules[phase].since if phase else None
        until = self.phase_rules[phase + 1].since if phase + 1 < len(self.phase_rules) else None
        items = [
            Adjustment(**item) for item in self.list.carried[phase] if plays_part(item["player"], item.get("date"))
        ]
        for item in self.state.shown_adjustments:
            key = self.state.final(item.player)
            if plays_part(key, item.facts.get("date")) and self.state.is_in_force(item):
                made = Adjustment(key, **{**item.facts, "note": item.key})
                if falls_within(effective_from(made), since, until):
                    items.append(made)
        return list(in_order(items))

    def ratings(
        self, phase: int, blocks: Iterable[Sequence[bytes]], seat: int, figures: Mapping[str, NDArray[Any]]
    ) -> Ratings:
        """Return the ratings of one player's games in blocks under one of the rules, of columns `facts`, `ratings`.

        `figures` are those of all players at the end of a system that solves all games together.
        """
        return ratings_of(self.phase_rules[phase].made, blocks, self.keys, figures, seat)[1]

    def phases_between(self, first: date, last: date) -> list[Phase]:
        """Return the blocks with the games from one day to another, rated under each of the rules then in force."""
        end = milliseconds(datetime.combine(last, time.max))
        later = Block.objects.filter(list=self.list, ends__gt=end, position__lt=OuterRef("position"))
        rows = Block.objects.filter(~Exists(later), list=self.list, ends__gte=start_of(first)).order_by("position")
        blocks: dict[int, list[tuple[bytes, bytes]]] = {}
        for phase, facts, ratings in rows.values_list("phase", "facts", "ratings"):
            blocks.setdefault(phase, []).append((bytes(facts), bytes(ratings)))
        rules = self.phase_rules
        return [
            Phase(rules[phase], ratings_of(rules[phase].made, own, self.keys, self.figures)[1])
            for phase, own in blocks.items()
        ]

    def rated_again(self, place: int, labels: Mapping[str, str] | None = None) -> tuple[pl.DataFrame, Ratings]:
        """Return the games of a block, whose players are numbered anew, and their ratings.

        `labels` are names of some players by key; others are called by their keys.
        """
        block, called = self.blocks[place], labels or {}
        system = self.phase_rules[block.phase].made
        [[facts, content]] = self.columns([place], "facts", "start")
        start = checkpoint_of_bytes(content)
        assert start.past is not None and isinstance(system, Sequential)  # noqa: S101, PT018  # it has blocks
        players: Ints = start.past.numbers
        keys = [self.keys[player] for player in players.tolist()]
        entered = {keys[at] for at in np.flatnonzero(start.past.entered).tolist()}
        items = [
            replace(item, player=called.get(item.player, item.player))
            for item in self.adjustments(block.phase, keys, entered, start.last)
        ]
        final, games = place == self.places(block.phase)[-1], renumbered(stored_facts(facts), players)
        names = [called.get(key, key) for key in keys]
        return games, rate_block(system, games, names, items, start, final=final)


class GamesOfPlayer(NamedTuple):
    """Games of one player under one of the rules."""

    rules: Rules
    seat: int
    """Number of the player."""
    ratings: Ratings
    """Of these games alone; what is said of the opponents holds before their games with the player."""

    @property
    def are_explained(self) -> bool:
        """Whether reasons are made from what is stored of the games."""
        return self.ratings.arrays.extra.by_game is not None

    def lines(self, now: Callable[[], tuple[float, str]]) -> list[Line]:
        """Return the lines of the card; `now` returns the rating and rank of one whom nothing moved."""
        lines = explanations(self.ratings, cards(self.ratings, [self.seat], now))
        return Phase(self.rules, self.ratings).keyed(lines, self.seat, str)  # players are called by their keys


class Cards(Ladder):
    """The rows and the cards of a list; cards that were read are explained without being read again."""

    def __init__(self, row: RatingList, state: State) -> None:
        """Take the list, and the club as who asks may see it."""
        super().__init__(row, state)
        self.phase_rules = phases_of(state)
        """The rules under which the games are rated, in the order of their dates."""
        self.blocks = ListBlocks(row, state, self.phase_rules)
        """The games of the list."""
        self.own_games: dict[str, list[GamesOfPlayer]] = {}
        """Games of each player whose card was read, by key."""
        self.blocks_read: dict[int, list[bytes]] = {}
        """Facts, ratings and start of each block of which a game was looked at, by its place."""
        self.former_figures: dict[int, Mapping[str, NDArray[Any]]] = {}
        """Figures of all players at the end of former rules that solve all games together."""

    @cached_property
    def from_all_games(self) -> Standings:
        """The same standings, rated from all games, for what the stored list does not hold."""
        return standings_of(self.state, braked=False)

    @property
    def games(self) -> QuerySet[Game]:
        """The games that count."""
        return Game.objects.filter(club=self.list.club_id, status=COUNTS)

    @from_snapshot
    def lines(self, key: str, *, reasons: bool = True) -> list[Line]:
        """Return a player's card; empty for a player without games and adjustments."""
        plain = self._plain_lines(self.state.person(key).key)
        return self._reasoned(key, plain) if reasons else plain

    @from_snapshot
    def card_page(self, key: str, start: int, stop: int, plain: list[Line] | None = None) -> list[Line]:
        """Return the lines from `start` to before `stop` of a card, with reasons; a negative start is cut to 0.

        `plain` are its lines without reasons, if they are there already.
        """
        there = plain is not None and self.state.person(key).key in self.own_games
        plain = plain if plain is not None and there else self.lines(key, reasons=False)
        return self._reasoned(key, plain[max(0, start) : max(0, stop)])

    def _plain_lines(self, key: str) -> list[Line]:
        if key not in self.blocks.keys:
            return []
        seat, names = self.blocks.keys.index(key), self.state.names_of(key)
        games = [*games_with(self.games, names).values_list("line", "date", "notes")]
        places = {self.blocks.place_of(moment_of(day)) for _, day, _ in games}
        for phase in range(len(self.phase_rules)):
            last = max(self.blocks.places(phase), default=0)
            places |= {
                min(self.blocks.place_of(effective_from(item)), last) for item in self.blocks.adjustments(phase, [key])
            }
        lines: list[Line] = []
        self.own_games[key] = []
        for phase, rules in enumerate(self.phase_rules):
            if own := [place for place in sorted(places) if self.blocks.blocks[place].phase == phase]:
                blocks = self.blocks.columns(own, "facts", "ratings")
                games_of_phase = GamesOfPlayer(
                    rules, seat, self.blocks.ratings(phase, blocks, seat, self._figures(phase))
                )
                self.own_games[key].append(games_of_phase)
                lines += games_of_phase.lines(partial(self._stand, key, rules))
        notes = {line: text for line, _, text in games if text}
        self.state.labels.prefetch([line.opponent for line in lines if line.opponent])
        return [self._completed(line, notes) for line in lines]

    def _figures(self, phase: int) -> Mapping[str, NDArray[Any]]:
        """Return the figures of all players at the end of rules that solve all games together; of others nobody's."""
        if not self.phase_rules[phase].made.traits.whole:
            return {"rating": np.zeros(0), "pool": np.zeros(0, dtype=np.int64)}
        if phase == len(self.phase_rules) - 1:
            return self.blocks.figures
        if phase not in self.former_figures:
            ratings, keys = self.from_all_games.phases[phase].ratings, self.blocks.keys
            seats = [keys.index(self.state.keys[name]) for name in ratings.ledger.names]
            rating, pool = np.full(len(keys), np.nan), np.full(len(keys), -1, dtype=np.int64)
            rating[seats], pool[seats] = ratings.rating, ratings.arrays.pool
            self.former_figures[phase] = {"rating": rating, "pool": pool}
        return self.former_figures[phase]

    def _stand(self, key: str, rules: Rules) -> tuple[float, str]:
        """Return the rating and rank of a player at the end of rules under which nothing moved them."""
        phase = self.phase_rules.index(rules)
        if phase < len(self.phase_rules) - 1:
            ratings = self.from_all_games.phases[phase].ratings
            player = ratings.ledger.find(self.state.labels[key])
            return float(ratings.rating[player]), str(ratings.arrays.rank_of(player) or "")
        row = self.by_key.get(key) or {}
        return math.nan if row.get("rating") is None else row["rating"], row.get("rank", "")

    def _completed(self, line: Line, notes: Mapping[int, str]) -> Line:
        """Return a line with the name of the opponent and the notes of the game."""
        label, item = self.state.labels.get(line.opponent, ""), line.explanation
        if line.game:
            comment = self.state.label_of(notes.get(game_number(line.game), ""))
            return line._replace(explanation=replace(item, opponent=label, comment=comment))
        note = item.note
        if note in self.state.adjustments:
            note = self.state.adjustments[note].facts.get("note") or "adjustment"
        return line._replace(explanation=replace(item, opponent=label, note=note))

    @from_snapshot
    def game(self, key: str) -> list[Line]:
        """Return what a game did to Black and to White; InputError for a game that does not count."""
        row = self.games.filter(line=game_number(key)).values_list("date", "notes", "black", "white").first()
        if row is None:
            raise InputError(Clause.of("game {key} does not count here", key=shown(key)))
        day, notes, *sides = row
        place, lines = self.blocks.place_of(moment_of(day)), []
        self.state.labels.prefetch(sides)
        for side in sides:
            person = self.state.person(side).key
            own_games = self._games_in(place, self.blocks.keys.index(person))
            own = [line for line in own_games.lines(partial(self._stand, person, own_games.rules)) if line.game == key]
            whole = [self._completed(line, {game_number(key): notes}) for line in own]
            if not all(line.explanation.is_rated for line in own):  # lines before say what they had then
                whole = [line for line in self._plain_lines(person) if line.game == key]
            lines += self._explained(own_games, person, whole)
        return lines

    def _games_in(self, place: int, seat: int) -> GamesOfPlayer:
        """Return the games of a player, given by number, in a block, given by place, which is read once."""
        if place not in self.blocks_read:
            [self.blocks_read[place]] = self.blocks.columns([place], "facts", "ratings", "start")
        *games, start = self.blocks_read[place]
        phase = self.blocks.blocks[place].phase
        ratings = self.blocks.ratings(phase, [games], seat, self._figures(phase))
        before = checkpoint_of_bytes(start) if start else None
        if before is not None and before.past is not None:
            earlier = np.zeros(len(self.blocks.keys), dtype=np.int64)
            earlier[before.past.numbers] = before.earlier
            ratings = Ratings(replace(ratings.arrays, earlier=earlier))
        return GamesOfPlayer(self.phase_rules[phase], seat, ratings)

    @from_snapshot
    def event(self, title: str, games: Mapping[int, datetime | None]) -> Event:
        """Return what some games, given by the numbers in their keys with their moments, did to each player, by label.

        InputError where none of them counts.
        """
        parts = []
        for phase in range(len(self.phase_rules)):
            if not isinstance(self.phase_rules[phase].made, Sequential):
                ratings = self.from_all_games.phases[phase].ratings
                parts += event_among(ratings, ratings.ledger.arrays.column("line"), title, games)
                continue
            for place in sorted({self.blocks.place_of(moment) for moment in games.values()}):
                if self.blocks.blocks[place].phase == phase:
                    parts += self._event_in(place, title, games)
        if not parts:
            raise InputError("none of these games counts")
        return joined(parts)

    def _event_in(self, place: int, title: str, games: Mapping[int, datetime | None]) -> list[Event]:
        """Return what those of some games did that are in a block; nothing where none is."""
        [[content]] = self.blocks.columns([place], "facts")
        own = stored_facts(content).filter(pl.col("line").is_in([*games]))
        if not own.height:
            return []
        keys = [self.blocks.keys[seat] for seat in pl.concat([own["black"], own["white"]]).unique().to_list()]
        self.state.labels.prefetch(keys)
        facts, ratings = self.blocks.rated_again(place, {key: self.state.labels[key] for key in keys})
        return event_among(ratings, facts["line"], title, games)

    def _reasoned(self, key: str, lines: list[Line]) -> list[Line]:
        """Return lines of a player's card, which was read already, with the reasons of their changes."""
        person = self.state.person(key).key
        moved: dict[str, Line] = {}
        for own_games in self.own_games.get(person, ()):
            own = [line for line in lines if line.rules is own_games.rules]
            moved |= {line.game: line for line in self._explained(own_games, person, own)}
        return [moved.get(line.game, line) for line in lines]

    def _explained(self, own_games: GamesOfPlayer, key: str, lines: list[Line]) -> list[Line]:
        """Return lines of a player's games under one of the rules, given by key, with reasons."""
        ratings, seat = own_games.ratings, own_games.seat
        moved = [line for line in lines if line.game and line.explanation.is_rated]
        if not moved:
            return lines
        if own_games.are_explained:
            ratings = with_names(ratings, self._names_in(ratings, [line.explanation.game for line in moved]))
        else:
            ratings = self.from_all_games.phases[self.phase_rules.index(own_games.rules)].ratings
            seat = ratings.ledger.find(self.state.labels[key])
            number = {f"g{line}": at for at, line in enumerate(ratings.ledger.arrays.column("line").to_list(), 1)}
            moved = [line for line in moved if line.game in number]  # not those that came since the state was read
            moved = [line._replace(explanation=replace(line.explanation, game=number[line.game])) for line in moved]
        pairs = zip(moved, reasoned(ratings, seat, [line.explanation for line in moved]), strict=True)
        explained = {line.game: line._replace(explanation=item) for line, item in pairs}
        return [explained.get(line.game, line) for line in lines]

    def _names_in(self, ratings: Ratings, games: Sequence[int | None]) -> list[str]:
        """Return the names of all players, those of some games, given by number from 1, as who asks sees them."""
        names, at = [*self.blocks.keys], np.array(games, dtype=np.int64) - 1
        for seat in {*np.concatenate([side[at] for side in ratings.ledger.arrays.seats]).tolist()}:
            names[seat] = self.state.labels[names[seat]]
        return names
