"""Slow twins of the figures of a comparison: one game, one day and one pair of games at a time."""

from __future__ import annotations

import math
import random


def log_loss(probability: list[float], score: list[float]) -> float:
    """Return the mean of -(s ln p + (1 - s) ln(1 - p))."""
    total = 0.0
    for p, s in zip(probability, score, strict=True):
        kept = min(max(p, 1e-6), 1.0 - 1e-6)
        total -= s * math.log(kept) + (1.0 - s) * math.log(1.0 - kept)
    return total / len(score)


def interval_by_days(difference: list[float], day: list[int], draws: int = 4000) -> tuple[float, float]:
    """Return the percentiles of the mean when as many days are drawn with replacement."""
    dice = random.Random(5)  # a seed that repeats is wanted
    days: dict[int, list[float]] = {}
    for value, number in zip(difference, day, strict=True):
        days.setdefault(number, []).append(value)
    sums = [(sum(values), len(values)) for values in days.values()]
    means = []
    for _ in range(draws):
        drawn = dice.choices(sums, k=len(sums))
        means.append(sum(total for total, _ in drawn) / sum(count for _, count in drawn))
    means.sort()
    return means[int(0.025 * draws)], means[int(0.975 * draws)]


def deviation_by_players(difference: list[float], players: list[tuple[int, int]]) -> float:
    """Return the standard error of the mean, all products of two games that share a player summed (Aronow et al.)."""
    mean = sum(difference) / len(difference)
    total = 0.0
    for one, sides in zip(difference, players, strict=True):
        for other, others in zip(difference, players, strict=True):
            if set(sides) & set(others):
                total += (one - mean) * (other - mean)
    return math.sqrt(total) / len(difference)
