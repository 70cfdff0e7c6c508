"""One tournament laid out as a result table is written: players in rows, a cell a round, what cannot be held."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from handan.errors import InputError, counted
from handan.files.games.export_losses import declared, is_default, losses_of, one_line, result_of
from handan.ledger import Game, Ledger, Outcome, Player, Result

MOST_ROUNDS = 999  # our choice: columns that a row has room for
HANDICAP_KOMI = 0.5  # points; of a game with a handicap, which these tables do not tell

SYMBOLS = {
    Outcome.BLACK: "+-", Outcome.WHITE: "-+", Outcome.JIGO: "==", Outcome.BOTH_LOSE: "--", Outcome.BOTH_WIN: "++",
    Outcome.VOID: "==", Outcome.UNPLAYED: "??",
}  # fmt: skip
"""Symbols of Black and White; a void game is a jigo by default."""


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
        """The result."""
        return result_of(self.game)

    @property
    def symbol(self) -> str:
        """`+`, `-` or `=`, seen from this side."""
        return SYMBOLS[self.result.outcome][self.side]

    @property
    def by_default(self) -> bool:
        """Whether the point was given without play."""
        return is_default(self.game)


@dataclass(frozen=True, slots=True)
class Layout:
    """A tournament in rows and rounds."""

    event: str
    kind: str
    """The usual one."""
    first: date | None
    last: date | None
    komi: float | None
    """The usual one of even games."""
    size: int
    """The usual one."""
    games: list[Game]
    """All that the rows tell."""
    rows: list[Listed]
    losses: list[str]
    """What no table of half results can hold, one line each."""

    def losses_of(self, size: int, ids: re.Pattern[str], kind: str) -> list[str]:
        """Return all losses of a table that tells one size of boards, some ids, and one kind of game."""
        return self.losses + losses_of(
            self.games,
            komi=lambda game: self.komi if self.handicap(game) == 0 else HANDICAP_KOMI,
            size=size,
            date=str(self.first or ""),
            ids=ids,
            kind=kind,
        )

    @staticmethod
    def handicap(game: Game) -> int:
        """Return the stones that the table tells of a game; without colours it tells none."""
        return game.handicap if result_of(game).colours_known else 0


def laid_out(ledger: Ledger, name: str) -> Layout:
    """Lay out the one tournament of a ledger; InputError if it holds several events."""
    events = ledger.games["event"].unique().to_list()
    if len(events) != 1:
        names = ", ".join(sorted(events)[:5])
        raise InputError(f"{name} holds one tournament, and these are {len(events)}: {names}; give the files of one")
    games = list(ledger)
    void = [game for game in games if result_of(game).outcome is Outcome.VOID and not is_default(game)]
    losses = [f"void games ({counted(len(void), 'game')})"] if void else []
    games = [game for game in games if result_of(game).outcome is not Outcome.VOID or is_default(game)]
    rounds = rounds_of(games, losses)
    if max(rounds.values(), default=0) > MOST_ROUNDS:
        raise InputError(f"{name} holds at most {MOST_ROUNDS} rounds, and one game is of round {max(rounds.values())}")
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
    stones = sum(game.handicap > 0 and not result_of(game).colours_known for game in games)
    losses += [f"handicaps of games without colours ({counted(stones, 'game')})"] if stones else []
    early = min(rounds.values(), default=1) - 1
    losses += [f"rounds without games before the first ({early})"] if early else []
    return Layout(
        event=one_line(events[0]),
        kind=Counter(game.kind for game in games).most_common(1)[0][0] if games else "",
        first=first if isinstance(first, date) else None,
        last=last if isinstance(last, date) else None,
        komi=komi[0][0] if komi else None,
        size=Counter(game.size for game in games).most_common(1)[0][0] if games else 19,
        games=games,
        rows=[Listed(player, rank, wins, tuple(cells[player.name])) for player, rank, wins in players],
        losses=losses,
    )


def rounds_of(games: list[Game], losses: list[str]) -> dict[int, int]:
    """Return the round of each game: its own, else the first in which both players are free; tell of games moved."""
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
        losses.append(f"rounds of players with two games in one ({counted(moved, 'game')} moved)")
    return rounds


def _players(ledger: Ledger, games: list[Game]) -> list[tuple[Player, str, int]]:
    """Return all players with rank and wins, most wins first."""
    wins: Counter[str] = Counter()
    ranks = declared(games)
    for game in games:
        score = result_of(game).score
        wins[game.black] += score == 1.0
        wins[game.white] += score == 0.0
    rows = [
        (player, ranks[player.name] or "30k", wins[player.name]) for player in ledger.players if player.name in ranks
    ]
    return sorted(rows, key=lambda row: (-row[2], row[0].name))
