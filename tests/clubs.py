"""Small invented clubs for tests that need plausible games; the same seed gives the same club."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

import numpy as np

from handan.ledger import Adjustment, Game, Ledger

NAMES = ("Ada", "Bo", "Chidi", "Dara", "Eun", "Femi", "Goro", "Hana", "Ivo", "Jun", "Kofi", "Lien")


def games_of_a_club(seed: int = 1, games: int = 120, players: int = 12, *, handicaps: bool = True) -> list[Game]:
    """Return games with events, handicaps, draws and unscored results; no two share date, event and round."""
    rng = np.random.default_rng(seed)
    strength = np.linspace(-3.0, 3.0, players)
    clubs = []
    for number in range(games):
        one, other = (int(player) for player in rng.permutation(players)[:2])
        black, white = sorted((one, other), key=lambda player: float(strength[player] + rng.normal(0, 2)))
        stones = min(9, max(0, round(strength[white] - strength[black]))) if handicaps and rng.random() < 0.5 else 0
        odds = 1 / (1 + np.exp(strength[white] - strength[black] - stones))
        result = "B+R" if rng.random() < odds else "W+2.5"
        result = str(rng.choice([result] * 16 + ["jigo", "void", "W+F", "both-lose"]))
        event = ("", "Spring Open", "League")[number % 3]
        clubs.append(
            Game(
                NAMES[black],
                NAMES[white],
                result,
                date=date(2025, 1, 1) + timedelta(days=number // 2),
                handicap=stones,
                komi=0.5 if stones else 6.5,
                kind=str(rng.choice(["club", "tournament", "tournament-b", "friendly", "free"])),
                event=event,
                round=number,
                black_rank=f"{12 - black}k",
                white_rank=f"{12 - white}k",
            )
        )
    return clubs


@cache
def a_club(seed: int = 1, games: int = 120, *, handicaps: bool = True) -> Ledger:
    """Return the ledger of such a club, with one adjustment in the middle; as no ledger changes, it is made once."""
    later = Adjustment("Goro", "3k", None, date(2025, 2, 1), "taken over from the federation")
    return Ledger.of(games_of_a_club(seed, games, handicaps=handicaps), [later])
