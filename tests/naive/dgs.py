"""Dragon Go Server's rating written straight from its description, for one game."""

from __future__ import annotations

import math
from itertools import pairwise

Side = tuple[float, float, float]  # rating, low, high
CON = [(100, 116), (200, 110), (1300, 55), (2000, 27), (2400, 15), (2600, 11), (2700, 10), (10_000, 10)]
WIDTH = [(100, 200), (2700, 70), (10_000, 70)]


def table(knots: list[tuple[int, int]], rating: float) -> float:
    """Return a value between the knots of a table, extended along its first piece below."""
    for (x0, y0), (x1, y1) in pairwise(knots):
        if rating < x1:
            return y0 + (y1 - y0) * (rating - x0) / (x1 - x0)
    return knots[-1][1]


def change_rating(
    white: float, black: float, t: float, size: int, komi: float, handicap: int, factors: tuple[float, float] = (1, 1)
) -> tuple[float, float]:
    """Return both ratings after a game, White's first, without a floor."""
    stones = (max(1, handicap) - 0.5 - komi / 13) * 256 / (size - 3) ** 2
    d = white - black - 100 * stones
    epsilon = 0 if t == 0.5 else 0.014
    if d >= 0:
        sb = 1 / (1 + math.exp(min(d / table(WIDTH, black), 700)))
        sw = 1 - sb - epsilon
    else:
        sw = 1 / (1 + math.exp(min(-d / table(WIDTH, white), 700)))
        sb = 1 - sw - epsilon
    size_factor = ((19 - abs(size - 19)) / 19) ** 2
    return (
        white + table(CON, white) * size_factor * factors[0] * (t - sw),
        black + table(CON, black) * size_factor * factors[1] * (1 - t - sb),
    )


def centre(r: float, low: float, high: float) -> Side:
    """Return rating and band after the band was moved around the rating."""
    q, w = 3 / 8, high - low
    if r > high - q * w:
        high = (r - q * low) / (1 - q)
    if r < low + q * w:
        low = (r - q * high) / (1 - q)
    return r, low, high


def update(white: Side, black: Side, t: float, size: int, komi: float, handicap: int) -> tuple[Side, Side]:
    """Return both sides after a game, White's first."""
    ratio = (black[2] - black[1]) / (white[2] - white[1])
    factor_b = 2.5 ** math.tanh(math.log(ratio) / math.log(2.5))
    factor_w = 1 / factor_b
    game = (t, size, komi, handicap)
    rw, rb = change_rating(white[0], black[0], *game, (factor_w, factor_b))
    halves = (factor_w / 2, factor_b / 2)
    white_ends = [change_rating(end, black[0], *game, halves)[0] for end in white[1:]]
    black_ends = [change_rating(white[0], end, *game, halves)[1] for end in black[1:]]
    return centre(max(rw, -900), *white_ends), centre(max(rb, -900), *black_ends)
