"""Rating systems in invented clubs that are hard on them: what each fault costs, measured against the truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np

from handan.errors import InputError
from handan.evidence.candidates import ALL, candidates, label_of
from handan.evidence.drift import established, trend
from handan.evidence.evaluation_task import Task
from handan.evidence.one_step_ahead import forecasts
from handan.evidence.scores import log_odds, losses
from handan.evidence.worlds import Simulation, World, simulate
from handan.kernels.types import Flags, Floats
from handan.systems import System
from handan.systems.families.paired_comparison import UNIT

MOST_CLUBS = 100  # of each kind
WINDOW = 5  # our choice: games of newcomers that are averaged
HALF = 0.5  # ranks
REGULAR = 30  # our choice: games from which on somebody is a regular
CALM = World(games=2000, players=50, days=730, newcomers=0.3, learning=0.0, ageing=0.0, drift=0.0, declares="never")
"""People who stay as they are; newcomers of whom nothing is known."""
WORLDS_OF_STRESS: dict[str, World] = {
    "calm": CALM,
    "climbing": replace(CALM, newcomers=0.5, learning=5.0, learning_days=200.0, declares="entry"),
    "split": replace(CALM, pools=2, pool_gap=3.0, bridges=40),
    "mistakes": replace(CALM, mistakes=0.05),
    "sandbaggers": replace(CALM, sandbaggers=0.1, declares="entry"),
    "honest": replace(CALM, declares="entry"),
    "collusion": replace(CALM, colluders=3, arranged=60, newcomers=0.0),
}


@dataclass(frozen=True, slots=True)
class Stress:
    """What became of one system; None where it cannot be said."""

    system: str
    error: float | None
    """Ranks by which the chances of games between regulars were wrong (root mean square)."""
    newcomer_games: float | None
    """Games until the chances of newcomers' games are within half a rank of those between regulars; None: never."""
    inflation: float | None
    """Ranks a year by which regulars of constant strength rise while newcomers improve; None without a replay."""
    split: float | None
    """Ranks by which chances between two pools were wrong that forty games in all join."""
    mistakes: float | None
    """Log-loss added by 5 % of results entered the wrong way round, in thousandths."""
    sandbaggers: float | None
    """Log-loss added by 10 % who declare three ranks less and lose on purpose, in thousandths."""
    collusion: float | None
    """Ranks by which those are overrated whom a partner let win sixty times."""

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return asdict(self)


MEASURES = tuple(each.name for each in fields(Stress))[1:]


def stress(
    systems: str | System | Iterable[str | System] = ALL,
    *,
    clubs: int = 2,
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[Stress, ...]:
    """Rate invented clubs under each system, and return what faults cost it.

    Args:
        systems: As in `compare`.
        clubs: Of each kind, whose figures are averaged.
        progress: Called with a text, parts done and parts in all.

    Raises:
        InputError: For an unknown system, and for no club or more than a hundred.
    """
    chosen = candidates(systems)
    if not 1 <= clubs <= MOST_CLUBS:
        raise InputError(f"{clubs} clubs of each kind; give 1 to {MOST_CLUBS}")
    figures: dict[str, list[dict[str, float]]] = {label_of(rules): [] for rules in chosen}
    for seed in range(clubs):
        made = {name: simulate(replace(world, seed=seed + 1)) for name, world in WORLDS_OF_STRESS.items()}
        for number, rules in enumerate(chosen):
            if progress is not None:
                progress(f"stress of {label_of(rules)}", seed * len(chosen) + number, clubs * len(chosen))
            figures[label_of(rules)].append(_measured(rules, made))
    return tuple(
        Stress(name, **{each: _mean([row.get(each) for row in rows]) for each in MEASURES})
        for name, rows in figures.items()
    )


def _mean(values: list[float | None]) -> float | None:
    """Return the mean of the figures that there are, None without any."""
    there = [value for value in values if value is not None and np.isfinite(value)]
    return float(np.mean(there)) if there and len(there) == len(values) else None


def _measured(rules: System, made: dict[str, Simulation]) -> dict[str, float]:
    """Return the figures of one system in one club of each kind."""
    answer: dict[str, float] = {}
    chances = {name: forecasts(rules, Task.of(club.ledger)) for name, club in made.items()}
    if any(each is None for each in chances.values()):
        return answer
    error = {name: _error(club, chances[name]) for name, club in made.items()}  # type: ignore[arg-type]  # as above
    regulars = (Task.of(made["calm"].ledger).earlier() >= REGULAR).all(axis=1)
    answer["error"] = float(np.sqrt((error["calm"][regulars] ** 2).mean()))
    answer["newcomer_games"] = _games_of_newcomers(made["calm"], error["calm"])
    answer["split"] = float(np.abs(error["split"][_between_pools(made["split"])]).mean())
    for fault, plain in (("mistakes", "calm"), ("sandbaggers", "honest")):
        cost = _excess(made[fault], chances[fault]) - _excess(made[plain], chances[plain])  # type: ignore[arg-type]
        answer[fault] = 1000.0 * cost
    answer["collusion"] = _gain(made["collusion"], error["collusion"])
    if not rules.traits.whole:
        answer["inflation"] = _inflation(rules, made["climbing"])
    return answer


def _error(club: Simulation, chances: Floats) -> Floats:
    """Return by how many ranks a forecast had Black too strong, shape (games,)."""
    true = club.games["probability"].to_numpy()
    lead = log_odds(chances) - log_odds(true)
    ranks: Floats = lead * UNIT / club.world.per_rank
    return ranks


def _excess(club: Simulation, chances: Floats) -> float:
    """Return the log-loss to be expected of honest games beyond that of the truth, in the second half."""
    p = club.games["probability"].to_numpy()
    loss = p * losses(chances, np.ones(len(p))) + (1.0 - p) * losses(chances, np.zeros(len(p)))
    best = p * losses(p, np.ones(len(p))) + (1.0 - p) * losses(p, np.zeros(len(p)))
    honest = ~(club.games["arranged"] | club.games["thrown"]).to_numpy()
    honest[: len(p) // 2] = False
    return float((loss - best)[honest].mean())


def _games_of_newcomers(club: Simulation, error: Floats) -> float:
    """Return after how many games the chances of newcomers are within half a rank of those between regulars."""
    earlier = Task.of(club.ledger).earlier()
    new = _of_people(club, "newcomer")
    usual = np.sqrt((error[(earlier >= REGULAR).all(axis=1)] ** 2).mean())
    for games in range(REGULAR + 1):
        own = new & (earlier >= games) & (earlier < games + WINDOW) & (earlier[:, ::-1] >= REGULAR)
        mine = own.any(axis=1)
        if mine.any() and np.sqrt((error[mine] ** 2).mean()) <= usual + HALF:
            return float(games)
    return float("nan")


def _of_people(club: Simulation, what: str) -> Flags:
    """Return what is true of both players of each game, shape (games, 2)."""
    truth = dict(club.players.select("player", what).iter_rows())
    names = [club.games[side].to_list() for side in ("black", "white")]
    return np.array([[truth[name] for name in side] for side in names]).T


def _between_pools(club: Simulation) -> Flags:
    """Return which games joined two pools, in the second half."""
    pool = _of_people(club, "pool")
    between: Flags = pool[:, 0] != pool[:, 1]
    between[: len(between) // 2] = False
    return between


def _gain(club: Simulation, error: Floats) -> float:
    """Return by how many ranks those are overrated whom a partner lets win, in their other games of the second half."""
    served = set(club.players["player"][0 : 2 * club.world.colluders : 2])
    arranged = club.games["arranged"].to_numpy()
    sides = [club.games[side].is_in(list(served)).to_numpy() for side in ("black", "white")]
    late = np.arange(len(error)) >= len(error) // 2
    values = [sign * error[late & ~arranged & mine] for sign, mine in zip((1.0, -1.0), sides, strict=True)]
    return float(np.concatenate(values).mean())


def _inflation(rules: System, club: Simulation) -> float:
    """Return by how many ranks a year regulars rise whose strength stays."""
    rows = established(rules, Task.of(club.ledger), ~_of_people(club, "newcomer"))
    strength = dict(club.players.select("player", "last_strength").iter_rows())
    rank = np.array([strength[each.name] for each in club.ledger.players])[rows.player] / club.world.per_rank
    of_rank = float(np.polyfit(rank, rows.rating, 1)[0])
    of_year = trend(rows.rating, rows.years, rows.player)
    return of_year.slope / of_rank if of_year is not None and of_rank > 0.0 else float("nan")
