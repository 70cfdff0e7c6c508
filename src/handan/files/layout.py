"""One tournament laid out as a result table is written: players in rows, a cell a round, what cannot be held."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from handan.errors import InputError
from handan.ledger import Game, Ledger, Outcome, Player, Result

SYMBOLS = {
    Outcome.BLACK: "+-", Outcome.WHITE: "-+", Outcome.JIGO: "==", Outcome.BOTH_LOSE: "--", Outcome.BOTH_WIN: "++",
}  # fmt: skip
"""Symbols of Black and White."""


class Listed(NamedTuple):
    """A row of the table."""

    player: Player
    rank: str
    wins: int
    cells: tuple[Cell | None, ...]
    """One a round; None where the player did not play."""


class Cell(NamedTuple):
    """A game as one side's cell tells it."""

    game: Game
    side: int
    """0 Black, 1 White."""
    opponent: int
    """Place of the opponent's row, from 1."""

    @property
    def result(self) -> Result:
        """The result, which the game's constructor has read."""
        assert isinstance(self.game.result, Result)  # noqa: S101  # told to the type checker
        return self.game.result

    @property
    def symbol(self) -> str:
        """`+`, `-` or `=`, seen from this side."""
        return SYMBOLS[self.result.outcome][self.side]

    @property
    def by_default(self) -> bool:
        """Whether the point was given without play."""
        return self.result.by_default or self.game.notes == "default"


@dataclass(frozen=True, slots=True)
class Layout:
    """A tournament in rows and rounds."""

    event: str
    kind: str
    first: date | None
    last: date | None
    komi: float | None
    """The usual one of even games."""
    size: int
    """The usual one."""
    rows: list[Listed]
    losses: list[str]
    """What no result table can hold, one line each."""


def laid_out(ledger: Ledger, name: str) -> Layout:
    """Lay out the one tournament of a ledger; InputError if it holds several events."""
    events = ledger.games["event"].unique().to_list()
    if len(events) != 1:
        names = ", ".join(sorted(events)[:5])
        raise InputError(f"{name} holds one tournament, and these are {len(events)}: {names}; give the files of one")
    games = list(ledger)
    losses = _losses(games)
    games = [game for game in games if isinstance(game.result, Result) and game.result.outcome in SYMBOLS]
    rounds = _rounds(games, losses)
    players = _players(ledger, games)
    number = {player.name: place for place, (player, *_) in enumerate(players, 1)}
    cells: dict[str, list[Cell | None]] = {name: [None] * max(rounds.values(), default=0) for name in number}
    for index, place in rounds.items():
        sides = (games[index].black, games[index].white)
        for side, own in enumerate(sides):
            cells[own][place - 1] = Cell(games[index], side, number[sides[1 - side]])
    komi = Counter(game.komi for game in games if game.handicap == 0 and game.komi is not None).most_common(1)
    days = ledger.games["date"].drop_nulls().dt.date()
    first, last = (days.min(), days.max()) if len(days) else (None, None)
    return Layout(
        event=events[0],
        kind=games[0].kind if games else "",
        first=first if isinstance(first, date) else None,
        last=last if isinstance(last, date) else None,
        komi=komi[0][0] if komi else None,
        size=Counter(game.size for game in games).most_common(1)[0][0] if games else 19,
        rows=[Listed(player, rank, wins, tuple(cells[player.name])) for player, rank, wins in players],
        losses=losses,
    )


def _losses(games: list[Game]) -> list[str]:
    """Say what the format cannot hold."""
    results = [game.result for game in games if isinstance(game.result, Result)]
    told = {
        "games without a result of play or default": sum(result.outcome not in SYMBOLS for result in results),
        "how games ended": sum(result.tail not in {"", "F"} for result in results),
        "sizes of boards": sum(game.size != 19 for game in games),
        "numbers of moves": sum(game.moves is not None for game in games),
        "notes": sum(bool(game.notes) and game.notes != "default" for game in games),
        "dates of single games": len({str(game.date) for game in games}) - 1,
    }
    return [f"{what} ({count} games)" for what, count in told.items() if count]


def _rounds(games: list[Game], losses: list[str]) -> dict[int, int]:
    """Return the round of each game: its own, else the first in which both players are free."""
    busy: dict[str, set[int]] = {}
    rounds: dict[int, int] = {}
    moved = 0
    for index, game in enumerate(games):
        place = game.round or 1
        taken = busy.setdefault(game.black, set()) | busy.setdefault(game.white, set())
        while place in taken:
            place += 1
        moved += game.round is not None and place != game.round
        rounds[index] = place
        busy[game.black].add(place)
        busy[game.white].add(place)
    if moved:
        losses.append(f"rounds of players with two games in one ({moved} games moved)")
    return rounds


def _players(ledger: Ledger, games: list[Game]) -> list[tuple[Player, str, int]]:
    """Return all players with rank and wins, most wins first."""
    wins: Counter[str] = Counter()
    ranks: dict[str, str] = {}
    for game in games:
        score = game.result.score if isinstance(game.result, Result) else None
        wins[game.black] += score == 1.0
        wins[game.white] += score == 0.0
        for name, rank in ((game.black, game.black_rank), (game.white, game.white_rank)):
            ranks.setdefault(name, rank.rstrip("?*"))
    rows = [
        (player, ranks[player.name] or "30k", wins[player.name]) for player in ledger.players if player.name in ranks
    ]
    return sorted(rows, key=lambda row: (-row[2], row[0].name))
