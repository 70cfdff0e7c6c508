"""Vectors of the South African Go Clubs' rating; games go through a ledger."""

from __future__ import annotations

from typing import Any

from handan.ledger import Adjustment, Game, Ledger
from handan.ranks import Rank
from handan.ratings import rank_from
from handan.systems import SAGC
from handan.systems.families.sagc_ranks import moved, number_of
from tests.vectors.family import Family
from tests.vectors.played import last, part, played

HEAVY = 10.0  # weight of a game of which a loss is larger than the whole range of the index, at any rank


def level_factor(rank: str) -> float:
    """Return LF of a rank."""
    return part(last(played(SAGC(), (rank, 0.0), (rank, 0.0), 1.0)), "level factor")


def opponent_factor(times: int) -> float:
    """Return OF from the number of meetings: free games, which move nothing."""
    met = [Game("Own", "Other", "B+", kind="free")] * times
    return part(last(played(SAGC(), ("5k", 0.0), ("5k", 0.0), 1.0, before=met)), "opponent factor")


def eff_handicap(handicap: int, komi: float) -> Any:
    """Return e from stones and komi."""
    line = last(played(SAGC(), ("5k", 0.0), ("5k", 0.0), 1.0, handicap=handicap, komi=komi))
    return line.reason.facts["effective handicap"]


def apply(rank: str, index: float, delta: float) -> list[Any]:
    """Return rank and index after a change, floors by zones; a formula, since no game makes every change."""
    number, new = moved(number_of(Rank.parse(rank)), index, delta, True)
    return [str(rank_from(number)), new]


def min_losses_to_demote(rank: str, start_index: float = 0.0) -> int | None:
    """Return how many huge losses, each to another opponent of the lowest rank, demote; None where eight do not."""
    games = [Game("Own", f"Guest {number}", "W+", komi=6.5, entry=number) for number in range(1, 9)]
    ratings = SAGC(club=HEAVY).rate(Ledger.of(games, [Adjustment("Own", rank, start_index)]))
    fallen = [line.game for line in ratings.explain("Own") if line.rank_after != rank]
    return fallen[0] if fallen else None


def game(
    rank: str,
    index: float,
    opponent_rank: str,
    black: bool,
    handicap: int,
    komi: float,
    win: bool,
    gsf: float = 1.0,
    times_met_last10: int = 0,
) -> dict[str, Any]:
    """Return one player's side of a game with its factors."""
    met = [Game("Own", "Other", "B+", kind="free")] * times_met_last10
    system, own, other = SAGC(club=gsf), (rank, index), (opponent_rank, 0.0)
    line = last(played(system, own, other, float(win), black=black, handicap=handicap, komi=komi, before=met))
    return {
        "change": line.change,
        "rank": line.rank_after,
        "index": line.after,
        "eff_handicap": line.reason.facts["effective handicap"],
        "differential": line.reason.facts["differential"],
        "grf": part(line, "game result factor"),
        "handicap_factor": part(line, "handicap factor"),
    }


FAMILIES = (
    Family(
        "sagc",
        r"\bsagc\b|south africa",
        {
            "level_factor": level_factor,
            "game": game,
            "min_losses_to_demote": min_losses_to_demote,
            "apply_loss(zones)": apply,
            "apply_loss": apply,
            "eff_handicap": eff_handicap,
            "opponent_factor": opponent_factor,
            "apply_win": apply,
        },
    ),
)
