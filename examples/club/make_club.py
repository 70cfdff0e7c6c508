"""Invent a Go club: two years of evenings and tournaments, club games at the terms of the points card `tagajo12`.

python examples/club/make_club.py [FOLDER] writes `games.csv` and `adjustments.csv`, the same bytes every time. All members
are invented. Their true strength drifts from week to week and is written nowhere; their points follow the card, as in a
club that keeps them on paper.
"""

from __future__ import annotations

import csv
import math
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import zip_longest
from pathlib import Path

import handan
from handan.handicaps import advantage
from handan.systems import Points

FIRST, LAST = date(2024, 10, 3), date(2026, 9, 24)  # Thursdays
CARD = "tagajo12"
FURTHEST = 107  # points; the card is printed so far, and a wider game is a free one
PERFECT = 43.0  # rank number of a perfect player (3300 on the European scale)
POWER_CUT = date(2025, 2, 13)  # ends the last games of the evening
MARATHONS = (date(2025, 3, 20), date(2026, 3, 19))  # two friends play five games in a row; three of a day count
FRIENDS = ("Milo Pepperell", "윤새벽")
COLUMNS = ("player", "rank", "date", "note")


@dataclass(frozen=True)
class Member:
    """One member: entry rank, how far it was off, how fast he improves, how often he comes."""

    name: str
    rank: str
    off: float = 0.0
    """True strength at entry less the entry rank, in stones."""
    growth: float = 0.3
    """Stones a year."""
    comes: float = 0.35
    """Chance of coming to an evening."""
    joined: date = FIRST
    id: str = ""

    @property
    def key(self) -> str:
        """What tells this member from all others."""
        return self.id or self.name


MEMBERS = (
    Member("Tamsin Arkwell", "5d", 0.3, 0.1, 0.30),
    Member("青葉 春樹", "4d", -0.4, 0.0, 0.45),
    Member("류이슬", "4d", 0.6, 0.4, 0.25),
    Member("Casimir Dolenc", "3d", 0.0, 0.0, 0.40),
    Member("Odile Marchetaux", "3d", -0.8, 0.1, 0.20),
    Member("雪村 千里", "2d", 0.5, 0.3, 0.50),
    Member("Bram Oosterveen", "2d", -0.5, 0.0, 0.30),
    Member("Isolde Kerrigan", "2d", 0.2, 0.2, 0.35),
    Member("Robin Ashgrove", "1d", 0.0, 0.1, 0.40, id="club:11"),
    Member("한가람", "1d", 1.2, 0.8, 0.55),
    Member("Phineas Quill", "1d", -1.0, 0.0, 0.25),
    Member("Marit Solvang", "1k", 0.4, 0.2, 0.30),
    Member("水無月 凛", "1k", -0.3, 0.5, 0.40),
    Member("Ambrose Tidewell", "2k", 0.0, 0.0, 0.60),
    Member("Zuzana Hrdlova", "2k", 1.0, 0.7, 0.35),
    Member("Leopold Fenwright", "3k", -0.6, 0.1, 0.30),
    Member("Nadia Belcourt", "3k", 0.3, 0.6, 0.45),
    Member("柳晓舟", "3k", 0.8, 0.4, 0.30),
    Member("Hedwig Sommerau", "4k", -0.2, 0.0, 0.50),
    Member("Milo Pepperell", "4k", 0.5, 1.2, 0.55),
    Member("윤새벽", "5k", 0.0, 0.9, 0.45),
    Member("Greta Windisch", "5k", -0.9, 0.2, 0.25),
    Member("Ottokar Brandl", "6k", 0.2, 0.3, 0.30),
    Member("Saskia Dunmore", "6k", 1.1, 0.8, 0.35),
    Member("鳥居 朝日", "7k", 0.0, 0.4, 0.40),
    Member("Florian Achterberg", "7k", -0.7, 0.3, 0.20),
    Member("Ines Valcarcel", "8k", 0.6, 1.5, 0.50),
    Member("Cosmo Whitlock", "8k", -0.4, 0.4, 0.30),
    Member("Dagny Haraldson", "9k", 0.1, 0.6, 0.35),
    Member("Robin Ashgrove", "10k", 0.0, 1.0, 0.40, id="club:30"),
    Member("Perpetua Lyle", "10k", -1.1, 0.5, 0.25),
    Member("도하늘", "11k", 0.9, 2.0, 0.50),
    Member("Wendelin Kopp", "12k", 0.0, 0.5, 0.30),
    Member("Fenna Zwart", "13k", 0.5, 1.8, 0.40),
    Member("Tobias Mirelund", "15k", -0.5, 1.0, 0.25),
    Member("Calla Redfern", "15k", 1.0, 2.5, 0.45),
    Member("Jonas Eichblatt", "1d", 0.8, 0.2, 0.40, date(2025, 10, 9)),
    Member("小野寺 燈", "6k", -0.5, 1.0, 0.45, date(2025, 11, 6)),
    Member("Petra Lilienfeld", "12k", 1.5, 2.5, 0.50, date(2026, 1, 15)),
    Member("Arlo Pennywhistle", "18k", 0.0, 5.0, 0.55, date(2026, 1, 15)),
    Member("신보리", "9k", 0.3, 1.0, 0.40, date(2026, 3, 5)),
)


@dataclass(frozen=True)
class Change:
    """A rank set by hand after entry, and what really happened."""

    player: str
    rank: str
    day: date
    note: str
    gain: float = 0.0
    """Stones that the true strength gained at once."""


CHANGES = (
    Change("Ines Valcarcel", "3k", date(2025, 9, 11), "reset: back after nine months in a Go school, five stones stronger", 4.5),
    Change("Zuzana Hrdlova", "1d", date(2026, 2, 5), "taken over from the national list"),
)
AWAY = {"Ines Valcarcel": (date(2024, 12, 12), date(2025, 9, 11))}


class Club:
    """The state of the club on one evening, and the games so far."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311  # an invented club needs no secrets
        self.card = handan.card(CARD)
        self.entry_points = Points(card=CARD).rating_for
        self.points = {member.key: self.entry_points(handan.Rank.parse(member.rank)) for member in MEMBERS}
        self.strength = {member.key: handan.Rank.parse(member.rank).stones + member.off for member in MEMBERS}
        self.games: list[handan.Game] = []

    def week(self, day: date) -> None:
        """Let a week pass: strength drifts, ranks are set by hand."""
        for member in MEMBERS:
            self.strength[member.key] += member.growth / 52 + self.random.gauss(0, 0.06)
        for change in CHANGES:
            if change.day == day:
                self.strength[change.player] += change.gain
                self.points[change.player] = self.entry_points(handan.Rank.parse(change.rank))

    def present(self, day: date, extra: float = 0.0) -> list[Member]:
        """Return who comes on a day."""
        return [
            member
            for member in MEMBERS
            if member.joined <= day
            and not (member.key in AWAY and AWAY[member.key][0] <= day < AWAY[member.key][1])
            and self.random.random() < member.comes + extra
        ]

    def evening(self, day: date) -> None:
        """Play three rounds; neighbours in points, more or less, meet."""
        guests = [member for member in self.present(day) if day not in MARATHONS or member.name not in FRIENDS]
        kind = "friendly" if day.month == 8 else "club"  # in August the club meets in a café
        for number in (1, 2, 3):
            order = sorted(guests, key=lambda member: self.points[member.key] + self.random.gauss(0, 30))
            for one, other in zip(order[::2], order[1::2], strict=False):
                cut = day == POWER_CUT and number == 3
                free = self.gap(one, other) > FURTHEST or self.random.random() < 0.04
                self.play(one, other, day, "free" if free else kind, result="void" if cut else "")
        if day in MARATHONS:
            one, other = (member for member in MEMBERS if member.name in FRIENDS)
            for _ in range(5):
                self.play(one, other, day, "club", counts=_ < 3)

    def tournament(self, day: date, name: str, seats: int, rounds: int, *, even: bool) -> None:
        """Play a tournament: who has won as often meets, nobody twice; even at komi 6.5, or with the club's handicaps."""
        field = sorted(self.present(day, 0.35), key=lambda member: -self.points[member.key])[:seats]
        wins = dict.fromkeys((member.key for member in field), 0.0)
        met: set[frozenset[str]] = set()
        for number in range(1, rounds + 1):
            order = sorted(field, key=lambda member: (-wins[member.key], self.random.random()))
            for board, (one, other) in enumerate(pairs(order, met)):
                absent = even and number == 1 and board == 0  # one player is ill on the day
                met.add(frozenset((one.key, other.key)))
                game = self.play(
                    one, other, day, "tournament", event=name, round_=number, even=even, result="W+F" if absent else ""
                )
                score = handan.Result.parse(str(game.result)).score or 0.0
                wins[game.black_id or game.black] += score
                wins[game.white_id or game.white] += 1 - score

    def gap(self, one: Member, other: Member) -> float:
        """Return the difference of two members' points."""
        return abs(self.points[one.key] - self.points[other.key])

    def play(
        self,
        one: Member,
        other: Member,
        day: date,
        kind: str,
        *,
        event: str = "",
        round_: int | None = None,
        even: bool = False,
        counts: bool = True,
        result: str = "",
    ) -> handan.Game:
        """Play a game at the terms of the card, or even; book it, and a point for the winner if it counts."""
        terms = handan.card_terms(self.card, *((member.key, self.points[member.key]) for member in (one, other)))
        black, white = (one, other) if terms.black == one.key else (other, one)
        if (even or terms.colours == "nigiri") and self.random.random() < 0.5:
            black, white = white, black
        stones, komi = (0, 6.5) if even else (terms.stones_on_board, terms.komi or 0.0)
        game = handan.Game(
            black.name,
            white.name,
            result or self.result(black, white, stones, komi),
            date=day,
            handicap=stones,
            komi=komi,
            kind=kind,
            event=event,
            round=round_,
            black_id=black.id,
            white_id=white.id,
        )
        self.games.append(game)
        if counts and kind != "free" and game.result not in ("void", "W+F"):
            self.book(black, white, str(game.result))
        return game
