"""What games did to players, as a stored list says it: a player's card, one game, an event."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import NamedTuple

import numpy as np
import polars as pl
from django.db.models import QuerySet

from handan.club.blocks import checkpoint_of_bytes, stored_facts, with_names
from handan.club.rules import Rules, date_of
from handan.club.standings import UNRATED, Line, Standings, event_among
from handan.club.state import COUNTS, State, game_number
from handan.club.store.fact_models import Game
from handan.club.store.ladder import Ladder
from handan.club.store.list_blocks import ListBlocks
from handan.club.store.stored_facts import games_with, moment_of
from handan.errors import Clause, InputError, shown
from handan.ratings import Ratings
from handan.ratings.event import Event, joined
from handan.ratings.lines import cards, deviation_after, explanations, reasoned
from handan.systems.core.sequential import Sequential


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
        ratings, lines = self.ratings, []
        numbers, white = ratings.ledger.arrays.column("line"), ratings.ledger.arrays.seats[1]
        for line in explanations(ratings, cards(ratings, [self.seat], now)):
            if line.game is None:
                lines.append(Line("", line.opponent, self.rules, line))
                continue
            at = line.game - 1
            deviation = deviation_after(ratings, at, int(white[at] == self.seat))
            lines.append(Line(f"g{numbers[at]}", line.opponent, self.rules, line, deviation))
        return lines


@dataclass
class Cards:
    """The cards of a list; those that were read are explained without being read again."""

    state: State
    blocks: ListBlocks
    ladder: Ladder
    whole: Callable[[], Standings]
    """Returns the standings made from all games."""
    own_games: dict[str, list[GamesOfPlayer]] = field(default_factory=dict)
    """Of each player whose card was read, by key."""

    @property
    def games(self) -> QuerySet[Game]:
        """The games that count."""
        return Game.objects.filter(club=self.blocks.list.club_id, status=COUNTS)

    def lines(self, key: str, *, reasons: bool = True) -> list[Line]:
        """Return a player's card; empty for a player without games and adjustments."""
        plain = self._plain_lines(self.state.person(key).key)
        return self._reasoned(key, plain) if reasons else plain

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
        for phase in range(len(self.blocks.phase_rules)):
            last = max(self.blocks.places(phase), default=0)
            places |= {min(self.blocks.place_of(date_of(item)), last) for item in self.blocks.adjustments(phase, [key])}
        lines: list[Line] = []
        self.own_games[key] = []
        for phase, rules in enumerate(self.blocks.phase_rules):
            if own := [place for place in sorted(places) if self.blocks.blocks[place].phase == phase]:
                games_of_phase = GamesOfPlayer(rules, seat, self.blocks.ratings(own, seat))
                self.own_games[key].append(games_of_phase)
                lines += games_of_phase.lines(partial(self._now, key))
        notes = {line: text for line, _, text in games if text}
        self.state.labels.prefetch([line.opponent for line in lines if line.opponent])
        return [self._completed(line, notes) for line in lines]

    def _now(self, key: str) -> tuple[float, str]:
        """Return the rating and rank of a player in the list."""
        row = self.ladder.by_key.get(key) or {}
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

    def game(self, key: str) -> list[Line]:
        """Return what a game did to Black and to White; InputError for a game that does not count."""
        row = self.games.filter(line=game_number(key)).values_list("date", "notes", "black", "white").first()
        if row is None:
            raise InputError(Clause.of("game {key} does not count here", key=shown(key)))
        day, notes, *sides = row
        place, lines = self.blocks.place_of(moment_of(day)), []
        for side in sides:
            person = self.state.person(side).key
            own_games = self._games_in(place, self.blocks.keys.index(person))
            own = [line for line in own_games.lines(partial(self._now, person)) if line.game == key]
            whole = [self._completed(line, {game_number(key): notes}) for line in own]
            if any(line.explanation.note.startswith(UNRATED) for line in own):  # lines before say what they had then
                whole = [line for line in self._plain_lines(person) if line.game == key]
            lines += self._explained(own_games, person, whole)
        return lines

    def _games_in(self, place: int, seat: int) -> GamesOfPlayer:
        """Return the games in one block of a player, given by number."""
        ratings = self.blocks.ratings([place], seat)
        [[start]] = self.blocks.columns([place], "start")
        before = checkpoint_of_bytes(start) if start else None
        if before is not None and before.past is not None:
            earlier = np.zeros(len(self.blocks.keys), dtype=np.int64)
            earlier[before.past.numbers] = before.earlier
            ratings = Ratings(replace(ratings.arrays, earlier=earlier))
        return GamesOfPlayer(self.blocks.phase_rules[self.blocks.blocks[place].phase], seat, ratings)

    def event(self, title: str, games: Mapping[int, datetime | None]) -> Event:
        """Return what some games, given by the numbers in their keys with their moments, did to each player, by label.

        InputError where none of them counts.
        """
        parts = []
        for phase in range(len(self.blocks.phase_rules)):
            if not isinstance(self.blocks.phase_rules[phase].made, Sequential):
                ratings = self.whole().phases[phase].ratings
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
        moved = [line for line in lines if line.game and not line.explanation.note.startswith(UNRATED)]
        if not moved:
            return lines
        if own_games.are_explained:
            ratings = with_names(ratings, self._names_in(ratings, [line.explanation.game for line in moved]))
        else:
            ratings = self.whole().phases[self.blocks.phase_rules.index(own_games.rules)].ratings
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
