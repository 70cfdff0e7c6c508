"""Who does better or worse than the forecasts before the games expected, and how sure that is."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from typing import Any

import numpy as np
import polars as pl

from handan.errors import InputError, shown
from handan.evidence.candidates import label_of
from handan.evidence.evaluation_task import Task, since_day
from handan.evidence.intervals import NORMAL
from handan.evidence.one_step_ahead import forecasts
from handan.evidence.scores import log_odds
from handan.kernels.types import Floats
from handan.ledger import Ledger
from handan.ratings import Ratings, Standing
from handan.systems import System
from handan.systems.core.forecasting import probabilities

FEWEST_GAMES = 5  # our choice: who has played fewer is not looked at
RECENT = timedelta(days=365)  # our choice
LEVEL = 0.05
WIDEST = 40.0  # log odds of a shift that is tried
CLOSE = 1e-9
TINY = 1e-4  # share of a rating by which a law is tried


@dataclass(frozen=True, slots=True)
class Misrated:
    """A player whose results the forecasts do not explain; one who won, or lost, every game has no `change`."""

    player: str
    verdict: str
    """`underrated` or `overrated`."""
    games: int
    score: float
    expected: float
    """Sum of the chances before each game."""
    error: float
    """Standard error of score less expectation, if the forecasts were right."""
    level: float
    """Two-sided chance of results as far from what was expected, corrected for the number of players looked at."""
    change: float | None
    """Of the ratings in these games that would make expectation equal to results, by the published odds between
    equals; None without odds."""
    low: float | None
    """Lower end of its 95 % interval; None: it has no end."""
    high: float | None


@dataclass(frozen=True, slots=True)
class Judgement:
    """Who is over- or underrated, the surest first."""

    system: str
    since: str | None
    """First day of the games that count; None: all do."""
    games: int
    looked_at: int
    """Players with games enough."""
    players: tuple[Misrated, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data."""
        return asdict(self)


def misrated(
    ledger: Ledger,
    rules: System,
    *,
    since: date | str | None = None,
    kind: str | None = None,
    level: float = LEVEL,
) -> Judgement:
    """Return who did better or worse in recent games than was expected before each, beyond chance.

    The number of wins is compared with its exact distribution if the forecasts were right (a draw counts towards what
    was expected). The levels hold for all players together, however their results depend on each other: where all
    forecasts are right, the chance that anybody is listed is at most `level`.

    Source: Y. Benjamini and D. Yekutieli, "The control of the false discovery rate in multiple testing under
    dependency" (2001), theorem 1.3.

    Args:
        ledger: The games.
        rules: Any system.
        since: Only games from this day on count; None: those of the year before the newest, or all without dates.
        kind: Only games of this kind count, such as `tournament`; None: of any.
        level: Who is surer than this is listed.

    Raises:
        InputError: If the system has no forecasts of these games, or nothing can be scored.
    """
    newest = ledger.arrays.column("date").max()
    if since is None and isinstance(newest, datetime):
        since = newest.date() - RECENT
    wanted = since_day(ledger, since)
    if kind is not None:
        wanted &= (ledger.arrays.column("kind").cast(pl.String) == kind).to_numpy()
    task = Task.of(ledger, wanted=wanted)
    if not task.wanted.any():
        of_kind = "" if kind is None else f" of kind {shown(kind)}"
        raise InputError(f"no game{of_kind} can be scored" + (f" from {str(since)[:10]} on" if since else ""))
    chance = forecasts(rules, task)
    if chance is None:
        raise InputError(f"{label_of(rules)} has no forecasts: it needs dates, and no game has one")
    game = task.games[task.wanted]
    seat = np.concatenate([side[game] for side in task.ledger.arrays.seats]).astype(np.int64)
    p, score = chance[task.wanted], task.score[task.wanted]
    p, score = np.concatenate((p, 1.0 - p)), np.concatenate((score, 1.0 - score))
    order = np.argsort(seat, kind="stable")
    players, start, count = np.unique(seat[order], return_index=True, return_counts=True)
    own = {
        int(who): order[begin : begin + games]
        for who, begin, games in zip(players, start, count, strict=True)
        if games >= FEWEST_GAMES
    }
    sure = adjusted(np.array([two_sided_p_value(p[rows], float(score[rows].sum())) for rows in own.values()]))
    ratings = rules.rate(task.ledger) if (sure <= level).any() else None
    listed = [
        _figures(rules, ratings, who, p[rows], float(score[rows].sum()), float(each))
        for (who, rows), each in zip(own.items(), sure, strict=True)
        if ratings is not None and each <= level
    ]
    listed.sort(key=lambda each: (each.level, each.player))
    return Judgement(label_of(rules), None if since is None else str(since)[:10], len(game), len(own), tuple(listed))


def two_sided_p_value(p: Floats, score: float) -> float:
    """Return the p-value of a score under forecasts: twice the chance of one as far to its side, 1 at most.

    The distribution of the number of wins is that of independent games (Poisson's binomial); half a point is taken
    towards the expectation.

    Args:
        p: Chance of each game, shape (games,).
        score: Points in them.
    """
    mass = np.ones(1)
    for each in p.tolist():
        mass = np.convolve(mass, (1.0 - each, each))
    over = score > p.sum()
    tail = mass[math.floor(score) :] if over else mass[: math.ceil(score) + 1]
    return min(1.0, 2.0 * float(tail.sum()))


def adjusted(levels: Floats) -> Floats:
    """Return levels of many comparisons, each the share of errors among those that are as sure; any dependence."""
    count = len(levels)
    if not count:
        return levels
    order = np.argsort(levels)
    many = count * float((1.0 / np.arange(1, count + 1)).sum())
    raised = levels[order] * many / np.arange(1, count + 1)
    answer = np.empty(count)
    answer[order] = np.minimum(np.minimum.accumulate(raised[::-1])[::-1], 1.0)
    return answer


def _figures(rules: System, ratings: Ratings, who: int, p: Floats, score: float, level: float) -> Misrated:
    """Return the figures of one player."""
    error = math.sqrt(float((p * (1.0 - p)).sum()))
    unit = _log_odds_of_a_point(rules, ratings, who)
    moves = [shift(p, score, errors) for errors in (0.0, NORMAL, -NORMAL)]
    change, low, high = (None if move is None or unit is None else move / unit for move in moves)
    expected = float(p.sum())
    verdict = "underrated" if score > expected else "overrated"
    name = ratings.ledger.players[who].name
    return Misrated(name, verdict, len(p), score, expected, error, level, change, low, high)


def shift(p: Floats, score: float, errors: float = 0.0) -> float | None:
    """Return the shift of all log odds under which a score lies so many standard errors above the expected one.

    The errors are those after the shift, as in Wilson's interval (1927). None where no shift does it.

    Args:
        p: Chance of each game, shape (games,).
        score: Points in them.
        errors: Standard errors; 0: the score itself is expected.
    """
    lead = log_odds(p)
    low, high = -WIDEST, WIDEST
    while high - low > CLOSE:
        middle = (low + high) / 2.0
        chance = probabilities(lead + middle)
        reach = chance.sum() + errors * math.sqrt(float((chance * (1.0 - chance)).sum()))
        low, high = (middle, high) if reach < score else (low, middle)
    return low if abs(low) < WIDEST / 2.0 else None  # beyond it, the end of the search was met


def _log_odds_of_a_point(rules: System, ratings: Ratings, who: int) -> float | None:
    """Return by how much the published log odds rise with a player's rating against an equal; None without odds."""
    rating = float(ratings.rating[who])
    if not rules.has_odds or not math.isfinite(rating):
        return None
    spread = None if ratings.deviation is None else float(ratings.deviation[who])
    step = TINY * max(abs(rating), 1.0)
    rival = Standing("", rating, spread)
    up, down = (rules.log_odds(Standing("", rating + move, spread), rival, ratings=ratings) for move in (step, -step))
    if up is None or down is None or up <= down:
        return None
    return (up - down) / (2.0 * step)
