"""A Whole-History Rating that takes new games: only the players whom they reach are solved again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from handan.errors import InputError
from handan.handicaps import advantage
from handan.kernels.reaching import Web, day_of, join_game, settle, weave
from handan.ledger import Game, Result
from handan.ratings import Ratings
from handan.systems.base import EVEN_KOMI, HANDICAP_KOMI, Ints
from handan.systems.strengths import UNIT
from handan.systems.whr import WHR

EPOCH = date(1970, 1, 1)
ROOM = 1024  # our choice: days and entries for which there is room at first


@dataclass(slots=True)
class LiveHistory:
    """A solved history to which games can be added.

    `tolerance` is the move, in natural units, from which a player whom changes of opponents reach is solved again. The
    maximum is unique, so the answer differs from a solution of all games together only by what such moves leave.
    """

    system: WHR
    names: dict[str, int]
    web: Web
    tolerance: float = 3e-4
    solved: int = 0
    """Solutions of single players that the last addition took."""
    _room: tuple[Any, ...] = ()

    @classmethod
    def of(cls, ratings: Ratings, tolerance: float = 3e-4) -> LiveHistory:
        """Go on from a solved history; InputError for ratings of another system."""
        system = ratings.system
        if not isinstance(system, WHR):
            raise InputError(f"{system.label} is not whr; only a whole history takes single games")
        extra, ledger = ratings.extra, ratings.ledger
        taken = ratings.sequence
        players, days, games = len(ledger.players), len(extra["day"]), len(taken)
        web = _empty(players, days, 2 * games)
        for name in ("player", "day"):
            getattr(web, name)[:days] = extra[name]
        web.strength[:days] = extra["history"]
        later = np.flatnonzero(extra["previous"] != np.arange(days))
        web.following[extra["previous"][later]] = later
        starts = np.flatnonzero(extra["previous"] == np.arange(days))
        web.first[extra["player"][starts]] = starts
        web.used[0] = days
        nodes = extra["nodes"]
        weave.for_work(games)(nodes[:, 0], nodes[:, 1], ledger.score[taken], extra["worth"][taken] / UNIT, web)
        names = {player.name: index for index, player in enumerate(ledger.players)}
        return cls(system, names, web, tolerance)

    def add(self, games: Iterable[Game]) -> int:
        """Add dated games and solve what they reach; return how many players' solutions that took.

        Raises:
            InputError: A game has no date or no winner; none of the games is added.
        """
        rows = [self._row(game) for game in games]
        for names, *_ in rows:
            for name in names:
                self.names.setdefault(name, len(self.names))
        self._make_room(len(rows))
        touched: dict[int, None] = {}
        for names, day, score, bonus in rows:
            players = [self.names[name] for name in names]
            black, white = (day_of(self.web, player, day) for player in players)
            join_game(self.web, black, white, score, bonus)
            touched |= dict.fromkeys(players)
        queue, waiting, pending, nodes, work = self._room
        queue[: len(touched)] = list(touched)
        waiting[list(touched)] = True
        growth = self.system.growth
        self.solved = settle.for_work(1_000 * len(rows))(
            self.web,
            queue,
            waiting,
            len(touched),
            growth,
            self.system.prior,
            self.tolerance,
            pending,
            nodes,
            work,
        )
        return self.solved

    def rating(self, name: str) -> float:
        """Return a player's strength on the last day with games, in Elo; InputError for a stranger."""
        if name not in self.names or self.web.first[self.names[name]] < 0:
            raise InputError(f"{name} has no rated game")
        return self.curve(name)[-1][1]

    def curve(self, name: str) -> list[tuple[int, float]]:
        """Return a player's days (since 1970-01-01, in units of `period_days`) with the strength in Elo."""
        points, node = [], int(self.web.first[self.names[name]])
        while node >= 0:
            points.append((int(self.web.day[node]), UNIT * float(self.web.strength[node])))
            node = int(self.web.following[node])
        return points

    def _row(self, game: Game) -> tuple[tuple[str, str], int, float, float]:
        """Return names, day, score and the worth of the terms of a game, in natural units."""
        result = game.result
        if not isinstance(result, Result) or result.score is None or result.by_default or game.date is None:
            raise InputError(
                f"game of {game.black} and {game.white}, {game.result}: it needs a date and a played result"
            )
        day = (game.date.moment.date() - EPOCH).days // self.system.period_days  # type: ignore[union-attr]
        komi = (EVEN_KOMI if game.handicap == 0 else HANDICAP_KOMI) if game.komi is None else game.komi
        worth = self.system.stone * advantage(game.handicap, komi, EVEN_KOMI) + self.system.advantage
        return (game.black, game.white), day, result.score, worth / UNIT if result.colours_known else 0.0

    def _make_room(self, games: int) -> None:
        """Grow the arrays so that so many games fit."""
        web, players = self.web, len(self.names)
        days, entries = (int(used) + 2 * games for used in self.web.used)
        if days > len(web.day) or entries > len(web.other) or players > len(web.first):
            grown = _empty(players, 2 * days, 2 * entries)
            for old, new in zip(web, grown, strict=True):
                new[: len(old)] = old
            self.web = grown
        if not self._room or len(self._room[0]) < len(self.web.first) or len(self._room[3]) < len(self.web.day):
            size = len(self.web.first)
            longest = len(self.web.day)
            queue: Ints = np.empty(size, dtype=np.int64)
            nodes: Ints = np.empty(longest, dtype=np.int64)
            pending = np.zeros(size)
            if self._room:
                pending[: len(self._room[2])] = self._room[2]
            self._room = (queue, np.zeros(size, dtype=np.bool_), pending, nodes, np.empty((4, longest)))


def _empty(players: int, days: int, entries: int) -> Web:
    """Return a web without days and games, with room for so many."""
    days, entries = days + ROOM, entries + ROOM
    none = np.full(days, -1, dtype=np.int64)
    return Web(
        strength=np.zeros(days),
        player=none.copy(),
        day=none.copy(),
        following=none.copy(),
        first=np.full(players, -1, dtype=np.int64),
        games=none,
        other=np.full(entries, -1, dtype=np.int64),
        score=np.zeros(entries),
        bonus=np.zeros(entries),
        more=np.full(entries, -1, dtype=np.int64),
        used=np.zeros(2, dtype=np.int64),
    )
