"""Invent a Go club: two years of evenings and tournaments, club games at the terms of the points card `tagajo12`.

Writes `games.csv` and `adjustments.csv` into the folder named on the command line, else beside this file, with the same
bytes every time. All members are invented. Their true strength drifts from week to week and is written nowhere; their
points follow the card, as in a club that keeps them on paper.
"""

from __future__ import annotations

import csv
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from math import exp
from pathlib import Path

import handan
from handan.handicaps import advantage
from handan.systems import Points

FIRST, LAST = date(2024, 10, 3), date(2026, 9, 24)  # Thursdays
CARD = "tagajo12"
FURTHEST = 107  # points; the card is printed so far, and wider games are free ones
A_DAY = 3  # games with one opponent that count on one day
PERFECT = 43.0  # rank number of a perfect player, 3300 on the European scale
POWER_CUT = date(2025, 2, 13)  # ended the last games of that evening
MARATHONS = (date(2025, 3, 20), date(2026, 3, 19))  # two friends play each other five times
FRIENDS = ("Milo Pepperell", "윤새벽")
GAME_COLUMNS = (
    "date", "black", "white", "result", "handicap", "komi", "kind", "event", "round", "black_id", "white_id",
)  # fmt: skip
ADJUSTMENT_COLUMNS = ("date", "player", "rank", "note")


@dataclass(frozen=True)
class Member:
    """One member of the club."""

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

    def belongs(self, day: date) -> bool:
        """Whether the member comes to the club in these weeks."""
        left, back = AWAY.get(self.key, (LAST, FIRST))
        return self.joined <= day and not left <= day < back


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
    """A rank set by hand after entry, and what was behind it."""

    player: str
    rank: str
    day: date
    note: str
    gain: float = 0.0
    """Stones by which the true strength had risen."""


CHANGES = (
    Change("Ines Valcarcel", "3k", date(2025, 9, 11), "reset: back from nine months at a Go school", 4.5),
    Change("Zuzana Hrdlova", "1d", date(2026, 2, 5), "taken over from the national list"),
)
AWAY = {"Ines Valcarcel": (date(2024, 12, 12), date(2025, 9, 11))}


@dataclass(frozen=True)
class Occasion:
    """What a game is played for."""

    day: date
    kind: str
    event: str = ""
    round: int | None = None
    even: bool = False
    """Whether all games are even, at komi 6.5, whatever the card says."""


class Club:
    """What the club knows (points, games), and what nobody knows (true strength)."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311  # an invented club keeps no secrets
        self.card = handan.card(CARD)
        self.points = {member.key: entry_points(member.rank) for member in MEMBERS}
        self.strength = {member.key: handan.Rank.parse(member.rank).stones + member.off for member in MEMBERS}
        self.games: list[handan.Game] = []
        self.counted: Counter[tuple[date, frozenset[str]]] = Counter()

    def pass_week(self, day: date) -> None:
        """Let strength drift, and set ranks that are set by hand on this day."""
        for member in MEMBERS:
            self.strength[member.key] += member.growth / 52 + self.random.gauss(0, 0.06)
        for change in CHANGES:
            if change.day == day:
                self.strength[change.player] += change.gain
                self.points[change.player] = entry_points(change.rank)

    def guests(self, day: date, more: float = 0.0) -> list[Member]:
        """Return who comes; `more` is added to everybody's chance of coming."""
        return [member for member in MEMBERS if member.belongs(day) and self.random.random() < member.comes + more]

    def evening(self, day: date) -> None:
        """Play three rounds, neighbours in points against each other, more or less."""
        present = self.guests(day)
        if day in MARATHONS:
            present = [member for member in present if member.name not in FRIENDS]
            one, other = (member for member in MEMBERS if member.name in FRIENDS)
            for _ in range(5):
                self.play(one, other, Occasion(day, "club"))
        usual = Occasion(day, "friendly" if day.month == 8 else "club")  # in August the club meets in a café
        for number in (1, 2, 3):
            order = sorted(present, key=lambda member: self.points[member.key] + self.random.gauss(0, 30))
            for one, other in zip(order[::2], order[1::2], strict=False):
                far = abs(self.points[one.key] - self.points[other.key]) > FURTHEST
                free = far or self.random.random() < 0.04
                result = "void" if day == POWER_CUT and number == 3 else ""
                self.play(one, other, Occasion(day, "free") if free else usual, result)

    def tournament(self, day: date, name: str, seats: int, rounds: int, *, even: bool) -> None:
        """Play a tournament of the strongest who come: those with equally many wins meet, and nobody meets twice."""
        field = sorted(self.guests(day, 0.35), key=lambda member: -self.points[member.key])[:seats]
        wins = dict.fromkeys((member.key for member in field), 0.0)
        met: set[frozenset[str]] = set()
        for number in range(1, rounds + 1):
            order = sorted(field, key=lambda member: (-wins[member.key], self.random.random()))
            for board, (one, other) in enumerate(pairs(order, met)):
                ill = even and number == 1 and board == 0  # somebody could not come after all
                game = self.play(one, other, Occasion(day, "tournament", name, number, even), "W+F" if ill else "")
                score = handan.Result.parse(str(game.result)).score or 0.0
                wins[game.black_id or game.black] += score
                wins[game.white_id or game.white] += 1.0 - score
                met.add(frozenset((one.key, other.key)))

    def play(self, one: Member, other: Member, occasion: Occasion, result: str = "") -> handan.Game:
        """Play one game and write it down; a result that is given was not played for."""
        terms = handan.card_terms(self.card, *((member.key, self.points[member.key]) for member in (one, other)))
        black, white = (one, other) if terms.black == one.key else (other, one)
        if (occasion.even or terms.colours == "nigiri") and self.random.random() < 0.5:
            black, white = white, black
        # beyond nine stones the club keeps the komi of the card's row, and such games are free ones
        row = self.card.row(int(terms.difference))
        stones, komi = (0, 6.5) if occasion.even else (min(row.stones_on_board, 9), row.komi or 0.0)
        game = handan.Game(
            black.name,
            white.name,
            result or self.result(black, white, stones, komi),
            date=occasion.day,
            handicap=stones,
            komi=komi,
            kind=occasion.kind,
            event=occasion.event,
            round=occasion.round,
            black_id=black.id,
            white_id=white.id,
        )
        self.games.append(game)
        if not result and occasion.kind != "free":
            self.book(black, white, occasion.day, str(game.result))
        return game

    def book(self, black: Member, white: Member, day: date, result: str) -> None:
        """Move a point to the winner; a tie is White's, and the fourth game of a pair on one day does not count."""
        pair = (day, frozenset((black.key, white.key)))
        self.counted[pair] += 1
        if self.counted[pair] <= A_DAY:
            gain = 1.0 if result.startswith("B+") else -1.0
            self.points[black.key] += gain
            self.points[white.key] -= gain

    def result(self, black: Member, white: Member, stones: int, komi: float) -> str:
        """Draw a result: who wins, by the true strengths and the terms, and how."""
        one, other = self.strength[black.key], self.strength[white.key]
        # the European scale of 2021 in stones: results of stronger players scatter less
        width = (PERFECT - (one + other) / 2.0) / 7.0
        chance = 1.0 / (1.0 + exp(-(one - other + advantage(stones, komi)) / width))
        winner = "B" if self.random.random() < chance else "W"
        how = self.random.random()
        # our choice: a good half of all games are counted, of those with a whole komi one in fifty ends level
        if how < 0.45:
            return f"{winner}+{'T' if how < 0.03 else 'R'}"
        if komi == int(komi) and self.random.random() < 0.02:
            return "jigo"
        margin = 1 + int(self.random.expovariate(1.0 / 9.0)) + komi % 1
        return f"{winner}+{margin:g}"


def entry_points(rank: str) -> float:
    """Return the points with which a rank enters on this card."""
    return Points(card=CARD).rating_for(handan.Rank.parse(rank))


def pairs(order: list[Member], met: set[frozenset[str]]) -> Iterator[tuple[Member, Member]]:
    """Pair from the top, each with the next one not met before."""
    left = list(order)
    while len(left) > 1:
        one = left.pop(0)
        new = [member for member in left if frozenset((one.key, member.key)) not in met]
        other = (new or left)[0]
        left.remove(other)
        yield one, other


def play_all(seed: int = 1) -> list[handan.Game]:
    """Play two years: evenings on Thursdays, a championship in November and a cup in May."""
    club = Club(seed)
    for week in range((LAST - FIRST).days // 7 + 1):
        day = FIRST + timedelta(weeks=week)
        club.pass_week(day)
        if (day.month, day.day) < (12, 22):  # closed in the last days of the year
            club.evening(day)
        saturday = day + timedelta(days=2)
        if day.month == 11 and 15 <= day.day <= 21:
            club.tournament(saturday, f"Autumn Championship {day.year}", seats=16, rounds=4, even=True)
        if day.month == 5 and 8 <= day.day <= 14:
            club.tournament(saturday, f"Spring Cup {day.year}", seats=20, rounds=5, even=False)
    return club.games


def game_rows(games: Iterable[handan.Game]) -> Iterator[list[object]]:
    """Return one row a game, whole numbers without a decimal point."""
    for game in games:
        row = [getattr(game, name) for name in GAME_COLUMNS]
        yield [f"{cell:g}" if isinstance(cell, float) else cell for cell in row]


def adjustment_rows() -> list[tuple[date, str, str, str]]:
    """Return the entry ranks of all members, and the ranks set by hand later."""
    entries = [(member.joined, member.key, member.rank, "entry rank") for member in MEMBERS]
    return entries + [(change.day, change.player, change.rank, change.note) for change in CHANGES]


def write_table(path: Path, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
    """Write a CSV file with the same bytes on every system."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def main(folder: Path) -> None:
    """Write the two files."""
    write_table(folder / "games.csv", GAME_COLUMNS, game_rows(play_all()))
    write_table(folder / "adjustments.csv", ADJUSTMENT_COLUMNS, adjustment_rows())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
