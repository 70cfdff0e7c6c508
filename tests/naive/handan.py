"""The house's own system as its page writes it, with dictionaries: one filter a setting, then weights, then means."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np

Q = math.log(10) / 400
BETA, ORIGIN, STEP = 150.0, 2100.0, 100.0
AXES = ((0, 8, 60), (0, 0.5, 1), (0, 0.5))
"""Growths, what is made of opponents and of kinds of results."""
SPREADS = [
    *((spread, 0.85 * spread, 0.6) for spread in (60, 90, 130, 190, 270, 390, 560)),
    *((spread, 0.35 * spread, 0.4) for spread in (270, 390, 560)),
]
"""Deviations of who enters by nothing and by a rank, and what the pair weighs before any game, but for a factor."""
MOST_BENT = 40.0
REMEMBERED = 32
"""Opponents of a player whose later results count."""
Vector = np.ndarray[Any, Any]


class Game(NamedTuple):
    """One game; games of a day stand together."""

    day: int
    black: str
    white: str
    score: float
    stones: float = 0.0
    """What the terms add to Black's rating."""
    coloured: bool = True
    margin: float | None = None
    emphasis: float = 1.0
    """How much a result without a margin says."""
    ranks: tuple[int | None, int | None] = (None, None)
    """Ranks above 1 dan that Black and White declare."""
    source: str = ""
    event: str = ""


class Setting(NamedTuple):
    """What is weighed."""

    deviation: float
    by_rank: float
    growth: float
    opponents: float
    results: float


def settings_and_prior() -> tuple[list[Setting], list[float]]:
    """Return all settings, and what they weigh before the first game."""
    settings, prior = [], []
    for deviation, by_rank, share in sorted(SPREADS, key=lambda each: (each[0], -each[1])):
        for growth, opponents, results in product(*AXES):
            one = math.log(by_rank / 0.85 * Q / 0.7) / 0.45
            settings.append(Setting(deviation, by_rank, growth, opponents, results))
            prior.append(
                share * math.exp(-(one**2 + math.log((growth + 3) / 17) ** 2) / 2) * (0.3 if opponents else 0.7)
            )
    return settings, normed(prior)


def scale(rating: float, coefficients: Vector) -> float:
    """Return G of a rating, Elo."""
    ranks, steep, bend = (rating - ORIGIN) / STEP, math.exp(coefficients[1]), coefficients[2]
    bent = min(max(ranks, -MOST_BENT), MOST_BENT)
    if abs(bend) < 1e-6:
        return float(STEP * steep * ranks)
    return float(STEP * steep * ((math.exp(bend * bent) - 1) / bend + math.exp(bend * bent) * (ranks - bent)))


def lead(black: float, white: float, coloured: bool, coefficients: Vector) -> float:
    """Return Black's lead in Elo, stones being in the rating."""
    return scale(black, coefficients) - scale(white, coefficients) + coloured * float(coefficients[0])


def slope(function: Any, at: float) -> float:
    """Return the derivative of a function, by the difference of fourth order."""
    h = 1e-3 * max(1.0, abs(at))
    return float((8 * (function(at + h) - function(at - h)) - function(at + 2 * h) + function(at - 2 * h)) / (12 * h))


def populations(games: Sequence[Game]) -> list[str]:
    """Return of which population each game is: what files, or all with one event or game each, have in common joins."""
    events: dict[str, set[str | int]] = {}
    for number, game in enumerate(games):
        events.setdefault(game.source, set()).add(game.event or number)
    homes = [game.source if len(events[game.source]) > 1 else "" for game in games]
    for _ in homes:
        least: dict[str, str] = {}
        for game, home in zip(games, homes, strict=True):
            for one in (game.black, game.white, f"event {game.event or home}", f"home {home}"):
                least[one] = min(least.get(one, home), home)
        homes = [
            min(least[game.black], least[game.white], least[f"event {game.event or home}"], least[f"home {home}"])
            for game, home in zip(games, homes, strict=True)
        ]
    return homes


def emphasis(games: Sequence[Game]) -> list[float]:
    """Return how much each result says: -ln of the share of margins of its population so far that are wider."""
    says: list[float] = []
    of_each: dict[str, list[float]] = {}
    for game, population in zip(games, populations(games), strict=True):
        margins = of_each.setdefault(population, [])
        if game.margin is None:
            says.append(game.emphasis)
            continue
        wider = sum(0.5 * (m == game.margin) + (m > game.margin) for m in margins)
        says.append(-math.log((wider + 20 * math.exp(-game.margin / 10) + 0.5) / (len(margins) + 21)))
        margins.append(game.margin)
    return says


def without_bare_ranks(games: Sequence[Game]) -> Iterator[Game]:
    """Return the games, without the ranks that stand in a source before it has named two."""
    for number, game in enumerate(games):
        before = [other for place, other in enumerate(games) if place <= number or game.event == other.event != ""]
        named = {rank for other in before if other.source == game.source for rank in other.ranks if rank is not None}
        yield game if len(named) > 1 else game._replace(ranks=(None, None))


Kind = tuple[str, int | None]
"""Source and rank of newcomers."""
Part = tuple[object, ...]


class Levels:
    """What newcomers of each kind are worth beside their rank: normal beliefs of source, rank, and both together."""

    def __init__(self, games: Sequence[Game]) -> None:
        self.first = games[0].source
        self.kinds = {(game.source, rank) for game in games for rank in game.ranks}
        self.days: dict[Part, list[tuple[int, float, float]]] = {}
        self.declared: dict[str, list[float]] = {}
        self.prior: dict[Part, float] = {}
        self.before_day: dict[tuple[Part, int], tuple[float, float]] = {}

    def parts(self, kind: Kind) -> tuple[Part, ...]:
        return ("source", kind[0]), ("rank", kind[1]), ("both", *kind)

    def belief(self, part: Part, day: int = 10**9) -> tuple[float, float]:
        """Return mean and variance of a part before a day."""
        name = str(part[-1]) if part[0] == "source" else None
        of = {"source": 0.0 if name == self.first else 100.0, "rank": 150.0 if part[-1] is None else 30.0}
        past = [(-1, 0.0, of.get(str(part[0]), 30.0) ** 2), *self.days.get(part, [])]
        self.prior[part] = past[0][2]
        if (part, day) in self.before_day:
            return self.before_day[part, day]
        return next((mean, wide) for then, mean, wide in reversed(past) if then < day)

    def level(self, kind: Kind, day: int = 10**9) -> tuple[float, float]:
        beliefs = [self.belief(part, day) for part in self.parts(kind)]
        return sum(mean for mean, _ in beliefs), sum(wide for _, wide in beliefs)

    def teach(self, sides: Sequence[tuple[Kind, float]], day: int, slope: float, curvature: float, wide: float) -> None:
        """Take a step of the filter; each side has a kind and a share in the lead."""
        shares: dict[Part, float] = {}
        for kind, share in sides:
            for part in self.parts(kind):
                shares[part] = shares.get(part, 0.0) + share
        old = {part: self.belief(part) for part in shares}
        for part in shares.keys() & self.days.keys():
            mean, variance = old[part]
            old[part] = mean, variance + self.prior[part] * 0.04 * (day - self.days[part][-1][0]) / 365
        rest = 1 + curvature * (wide + sum(share**2 * old[part][1] for part, share in shares.items()))
        for part, share in shares.items():
            mean, variance = old[part]
            tie = share * variance
            self.days.setdefault(part, []).append(
                (day, mean + tie * slope / rest, variance - tie**2 * curvature / rest)
            )

    def declare(self, kind: Kind, day: int, shown: float, around: float) -> None:
        """Let a level that a player had shown before a day count before the games of that day."""
        old = {part: self.belief(part, day) for part in self.parts(kind)}
        error = shown - sum(mean for mean, _ in old.values())
        rest = around + sum(wide for _, wide in old.values())
        for part, (mean, wide) in old.items():
            self.before_day[part, day] = mean + wide / rest * error, wide - wide**2 / rest


@dataclass
class Tie:
    """How a player depends on a level."""

    kind: Kind
    share: float
    level: float
    day: int
    declared: Kind | None


@dataclass
class Opponent:
    """One whom a player met: on which day at last, what their games say, what was seen of the opponent by then."""

    name: str
    day: int
    tie: float
    seen: float
    fading: float


class Players:
    """What is known of everybody: under each setting, and as shown."""

    def __init__(self, count: int) -> None:
        self.rating: dict[str, list[float]] = {}
        self.prior: dict[str, float] = {}
        self.variance: dict[str, list[float]] = {}
        self.last: dict[str, int] = {}
        self.games: dict[str, int] = {}
        self.shown: dict[str, list[tuple[int, float]]] = {}
        self.moved: dict[str, list[tuple[int, float]]] = {}
        self.fading: dict[str, float] = {}
        self.wide: dict[str, tuple[float, float]] = {}
        self.opponents: dict[str, list[Opponent]] = {}
        self.morning: dict[str, tuple[int, float]] = {}
        self.origin: dict[str, tuple[int, float]] = {}
        self.in_rating: dict[str, float] = {}
        self.unplaced: set[str] = set()
        self.came: dict[str, list[float]] = {}
        self.count = count

    def meet(self, name: str, other: str, day: int, tie: float, moved: float) -> None:
        """Write down an opponent, whose rating the game has moved."""
        old = [each for each in self.opponents[name] if each.name == other]
        fading = self.fading[name] + self.fading[other]
        seen = self.moved[other][-1][1]
        if old:
            tie, seen = tie + old[0].tie * math.exp(fading - old[0].fading), old[0].seen + moved
        rest = [each for each in self.opponents[name] if each.name != other]
        self.opponents[name] = [*rest[-REMEMBERED + 1 :], Opponent(other, day, tie, seen, fading)]

    def shown_since(self, name: str, day: int) -> float:
        """Return by how much a unit of a player's variance moves, by what opponents showed up to the day before."""
        points = 0.0
        for each in self.opponents[name]:
            if each.day < day:
                now = ([0.0] + [total for played, total in self.moved[each.name] if played < day])[-1]
                points += (
                    each.tie * math.exp(self.fading[name] + self.fading[each.name] - each.fading) * (now - each.seen)
                )
                each.seen = now
        return points

    def before(self, name: str) -> float:
        """Return the rating shown at the end of the days before, or that at entry."""
        return self.morning[name][1] if name in self.morning else self.prior[name]

    def follow(self, name: str, population: str) -> float:
        """Move somebody who has only met people without ranks with the origin of their scale; return the points."""
        if name not in self.unplaced:
            return 0.0
        move = self.origin.get(population, (0, 0.0))[1] - self.in_rating[name]
        self.in_rating[name] += move
        self.rating[name] = [rating + move for rating in self.rating[name]]
        self.morning[name] = self.morning[name][0], self.morning[name][1] + move
        return move


BEFORE = np.diag([30.0, 0.43, 0.05]) ** 2
"""Variances of first move, scale and bend before any game: a fifth is common to a population, the rest a pool's own."""


@dataclass
class Pool:
    """People whom games join, and what their games say."""

    population: str
    members: set[str]
    fit: list[float]
    """ln of how well each setting forecast the games."""
    first: int
    day: int
    precision: Vector
    force: Vector
    wins: list[int]
    games: int
    last: int
    """Number of the last game."""
    newcomers: int
    ranked: bool
    """Whether anybody declared a rank."""
    latest: list[tuple[int, float, float, float, Vector]]
    """On which day; variances of newcomers without and with a rank, what is made of the first opponent, the terms."""

    def wait(self, day: int) -> None:
        """Let what the games say fade until a day."""
        rest = np.linalg.inv(np.eye(3) + self.precision @ BEFORE * 0.01 * (day - self.day) / 365)
        self.precision, self.force, self.day = rest @ self.precision, rest @ self.force, day

    def says(self) -> tuple[Vector, Vector]:
        """Return what the games say to other pools, precision and precision times mean."""
        rest = np.linalg.inv(np.eye(3) + self.precision @ BEFORE * 0.8)
        return rest @ self.precision, rest @ self.force

    def one_sided(self) -> bool:
        """Return whether the winners stand in one column."""
        return min(self.wins) <= 0.02 * sum(self.wins)


def normed(weights: Sequence[float]) -> list[float]:
    """Return weights that come to 1."""
    return [weight / sum(weights) for weight in weights]


class Pools:
    """All pools at a time."""

    def __init__(self, first: Sequence[float]) -> None:
        self.first, self.pools = first, list[Pool]()

    def of(self, name: str) -> Pool | None:
        return next((pool for pool in self.pools if name in pool.members), None)

    def others(self, pool: Pool) -> list[Pool]:
        """Return all other pools of the same population."""
        return [other for other in self.pools if other is not pool and other.population == pool.population]

    def common(self, others: Sequence[Pool]) -> list[float]:
        """Return the weights of settings in a pool before its own games, as others say."""
        fits = [sum(math.log(0.95 + 0.05 * math.exp(p.fit[s])) for p in others) for s in range(len(self.first))]
        weights = normed([w * math.exp(fit - max(fits)) for w, fit in zip(self.first, fits, strict=True)])
        return [0.05 * one + 0.95 * other for one, other in zip(weights, self.first, strict=True)]

    def meet(self, members: Sequence[str], day: int, population: str) -> Pool:
        """Join people, and what stands for their event; return their pool as of the day."""
        pool = None
        for own in map(self.of, members):
            if own is not None and own is not pool:
                pool = own if pool is None else self.joined(pool, own)
        if pool is None:
            pool = Pool(
                population,
                set(),
                [0.0] * len(self.first),
                day,
                day,
                np.zeros((3, 3)),
                np.zeros(3),
                [0, 0],
                0,
                -1,
                0,
                False,
                [],
            )
            self.pools.append(pool)
        pool.members |= set(members)
        pool.wait(day)
        return pool

    def joined(self, one: Pool, two: Pool) -> Pool:
        """Return the pool with more games, with all of the other."""
        pool, other = sorted((one, two), key=lambda each: (-each.games, -each.last))
        last = max(pool.day, other.day)
        pool.wait(last)
        other.wait(last)
        pool.members |= other.members
        pool.precision, pool.force = pool.precision + other.precision, pool.force + other.force
        pool.wins = [first + second for first, second in zip(pool.wins, other.wins, strict=True)]
        pool.newcomers += other.newcomers
        pool.games, pool.first = pool.games + other.games, min(pool.first, other.first)
        pool.fit = self.centred([first + second for first, second in zip(pool.fit, other.fit, strict=True)])
        self.pools.remove(other)
        return pool

    def centred(self, fit: Sequence[float]) -> list[float]:
        mean = sum(w * math.exp(one - max(fit)) for w, one in zip(self.first, fit, strict=True))
        return [max(one - max(fit) - math.log(mean), math.log(1e-4)) for one in fit]

    def terms(self, pool: Pool) -> tuple[Vector, Vector]:
        """Return mean and covariance of first move, scale and bend in a pool."""
        message = [other.says() for other in self.others(pool)]
        precision = np.linalg.inv(BEFORE * 0.2) + sum(one for one, _ in message)
        common = np.linalg.inv(precision)
        middle = common @ sum((force for _, force in message), np.zeros(3))
        wide = common + BEFORE * 0.8 + BEFORE * 0.01 * (pool.day - pool.first) / 365
        covariance = np.linalg.inv(np.linalg.inv(wide) + pool.precision)
        mean = covariance @ (np.linalg.inv(wide) @ middle + pool.force)
        wins = [sum(other.wins[side] for other in (pool, *self.others(pool))) for side in (0, 1)]
        if pool.one_sided() and not (sum(pool.wins) < 8 and min(wins) > 0.02 * sum(wins)):
            mean[0] = 0.0
            covariance[0, :] = covariance[:, 0] = 0.0
        return mean, covariance


def after_each_game(  # noqa: C901  # all of the law in one sequence, as its page tells it
    games: Sequence[Game],
) -> tuple[list[tuple[float, ...]], list[float], Vector, list[float]]:
    """Return the ratings of both players after each game, the weights and the coefficients at the end, and chances."""
    settings, first = settings_and_prior()
    pools, players = Pools(first), Players(len(settings))
    by_day: dict[tuple[str, int], list[float]] = {}
    games = [*without_bare_ranks(games)]
    levels, ties = Levels(games), dict[str, Tie]()
    lean, basis = dict[str, Vector](), dict[str, Vector]()
    means, chances = [], []

    def newcomers(weights: Sequence[float]) -> tuple[float, float, float]:
        """Return the variances of newcomers without and with a rank, and what is made of the first opponent."""
        pairs = list(zip(weights, settings, strict=True))
        by_nothing, by_rank = sum(w * s.deviation**2 for w, s in pairs), sum(w * s.by_rank**2 for w, s in pairs)
        return by_nothing, by_rank, sum(w * s.opponents for w, s in pairs)

    for game, says, population in zip(games, emphasis(games), populations(games), strict=True):
        there = [pool for pool in pools.pools if pool.population == population]
        morning = by_day.setdefault((population, game.day), pools.common(there))
        both = game.black, game.white
        new = [name for name in both if name not in players.rating]
        latest: dict[str, tuple[float, float, float, Vector | None]] = {}
        for name in both:
            joined = pools.of(name) or pools.of(f"event {game.event}")
            past = [each for each in joined.latest if each[0] < game.day] if joined else []
            latest[name] = past[-1][1:] if past else (*newcomers(morning), None)
        meeting = {id(own): own for own in map(pools.of, (*both, f"event {game.event}")) if own is not None}.values()
        placed = game.ranks != (None, None) or any(met.ranked for met in meeting)
        count = sum(met.newcomers for met in meeting)
        unranked = sum(met.newcomers for met in meeting if placed and not met.ranked)
        pool = pools.meet([*both, *([f"event {game.event}"] if game.event else [])], game.day, population)
        pool.precision, pool.force = [each * (1 - unranked / (count + 10)) for each in (pool.precision, pool.force)]
        pool.newcomers += len(new)
        pool.ranked = placed
        unmet = pools.common(pools.others(pool))
        weights = normed([w * math.exp(fit) for w, fit in zip(unmet, pool.fit, strict=True)])
        coefficients, spread = pools.terms(pool)
        looked = dict.fromkeys(both, 0.0)
        noise: dict[str, list[float]] = {}
        for name, rank in zip(both, game.ranks, strict=True):
            if name in new:
                continue
            kind, tie, of_terms = (game.source, rank), ties[name], latest[name][3]
            if of_terms is not None:
                looked[name] = float(lean[name] @ (of_terms - basis[name]))
                players.rating[name] = [r + looked[name] for r in players.rating[name]]
                basis[name] = of_terms
            if tie.day < game.day:
                level, _ = levels.level(tie.kind, game.day)
                risen = tie.share * (level - tie.level)
                looked[name] += risen
                players.rating[name] = [r + risen for r in players.rating[name]]
                tie.level, tie.day = level, game.day
            if players.morning[name][0] < game.day:
                players.morning[name] = game.day, players.shown[name][-1][1]
            looked[name] += players.follow(name, population)
            if rank is None or kind == tie.declared:
                continue
            at, noise[name] = ORIGIN + STEP * rank, [s.by_rank**2 for s in settings]
            if name in players.unplaced:
                apart = at + levels.level(kind, game.day)[0] - players.morning[name][1]
                ranks_so_far, shift = players.origin.get(population, (0, 0.0))
                players.origin[population] = ranks_so_far + 1, shift + apart / (ranks_so_far + 1 + 0.3)
                looked[name] += players.follow(name, population)
            if tie.declared is not None and tie.declared[0] == game.source:
                noise[name] = [2 * one for one in noise[name]]
                continue
            seen = levels.declared.setdefault(game.source, [])
            if tie.declared is None and tie.kind[1] is None:
                players.variance[name] = [wide + 300.0**2 for wide in players.variance[name]]
            middle = sum(seen) / len(seen) if seen else 0.0
            between = (sum((each - middle) ** 2 for each in seen) + 10 * 300**2) / (len(seen) + 10)
            noise[name] = [one * (1 + one / between) for one in noise[name]]
            seen.append(at)
            own = sum(w * r for w, r in zip(weights, players.rating[name], strict=True))
            wide = sum(w * (v + o) for w, v, o in zip(weights, players.variance[name], noise[name], strict=True))
            levels.declare(kind, game.day, players.morning[name][1] - at, wide)
            levels.teach([(kind, 1.0)], game.day, (own - at - levels.level(kind)[0]) / wide, 1 / wide, 0.0)
        for name, other, sign, rank in zip(both, both[::-1], (-1, 1), game.ranks, strict=True):
            kind = game.source, rank
            if name in new:
                start, ranked = (1500.0, False) if rank is None else (ORIGIN + STEP * rank, True)
                if not placed:
                    players.unplaced.add(name)
                    players.in_rating[name] = players.origin.get(population, (0, 0.0))[1]
                if rank is None:
                    came = players.came.get(population, [])
                    start = (10 * start + sum(came)) / (10 + len(came)) + players.origin.get(population, (0, 0.0))[1]
                players.prior[name] = start
                level, _ = levels.level(kind, game.day)
                start += level
                alone = len(new) == 1 and rank is None
                players.morning[name] = game.day, start
                near = 0.5 * (players.before(other) + sign * game.stones - start) if alone else 0.0
                players.rating[name] = [start + setting.opponents * near for setting in settings]
                players.variance[name] = [(s.by_rank if ranked else s.deviation) ** 2 for s in settings]
                drawn = latest[other][2]
                players.shown[name] = [(-1, start), (game.day, start + drawn * near)]
                players.moved[name], players.fading[name], players.opponents[name] = [(-1, 0.0)], 0.0, []
                declares = None if rank is None else kind
                ties[name] = Tie(kind, 1 - 0.5 * drawn if alone else 1.0, level, game.day, declares)
            else:
                tie = ties[name]
                if rank is not None and kind != tie.declared:
                    level, doubt = levels.level(kind, game.day)
                    at = ORIGIN + STEP * rank
                    gains = [v / (v + o + doubt) for v, o in zip(players.variance[name], noise[name], strict=True)]
                    moves = [g * (at + level - r) for g, r in zip(gains, players.rating[name], strict=True)]
                    looked[name] += sum(w * move for w, move in zip(weights, moves, strict=True))
                    players.rating[name] = [r + move for r, move in zip(players.rating[name], moves, strict=True)]
                    players.variance[name] = [v * (1 - g) for v, g in zip(players.variance[name], gains, strict=True)]
                    mean = sum(w * r for w, r in zip(weights, players.rating[name], strict=True))
                    mixed = sum(w * (v + (r - mean) ** 2) for w, r, v in
                                zip(weights, players.rating[name], players.variance[name], strict=True))  # fmt: skip
                    players.wide[name] = mixed, players.wide[name][1]
                    gained = sum(w * g for w, g in zip(weights, gains, strict=True))
                    tie.share, tie.declared = tie.share * (1 - gained), kind
                    lean[name] = lean[name] * (1 - gained)
                    if gained > tie.share:
                        tie.kind, tie.share, tie.level, tie.day = kind, gained, level, game.day
                later = players.shown_since(name, game.day)
                pairs = list(zip(players.rating[name], players.variance[name], strict=True))
                looked[name] += later * sum(w * v for w, (_, v) in zip(weights, pairs, strict=True))
                players.rating[name] = [r + later * v for r, v in pairs]
        players.came.setdefault(population, []).extend(
            ORIGIN + STEP * rank
            for name, rank in zip(both, game.ranks, strict=True)
            if name in new and rank is not None
        )
        if placed:
            players.unplaced -= set(both)
        gone_into = dict[str, float]()
        for name, other, rank in zip(both, both[::-1], game.ranks, strict=True):
            if name in new:
                gone_into[name] = latest[other][0] if rank is None else latest[other][1]
                lean[name], basis[name] = np.zeros(3), coefficients
            else:
                gap = game.day - players.last[name]
                wide, pace = players.wide[name]
                gone_into[name] = wide + pace * gap
                players.fading[name] += math.log(wide / (wide + pace * gap))
                players.variance[name] = [
                    v + s.growth * gap for v, s in zip(players.variance[name], settings, strict=True)
                ]
            players.last[name] = game.day
            players.games[name] = players.games.get(name, 0) + 1
        black, white = (players.shown[name][-1][1] + looked[name] for name in both)
        coloured = game.coloured and spread[0, 0] > 0

        def of_lead(
            one: float, other: float, at: Vector, *, coloured: bool = coloured, stones: float = game.stones
        ) -> float:
            return lead(one + stones, other, coloured, at)

        middle = of_lead(black, white, coefficients)
        up = slope(lambda r, w=white, c=coefficients: of_lead(r, w, c), black)
        down = -slope(lambda r, b=black, c=coefficients: of_lead(b, r, c), white)
        units = np.eye(3)
        by = np.array(
            [slope(lambda x, u=u: of_lead(black, white, coefficients + x * u), 0.0) for u in units]  # noqa: B023
        )
        by = by + up * lean[game.black] - down * lean[game.white]
        flat = float((by * [1, 1, 0]) @ spread @ (by * [1, 1, 0]))
        kappas, chance = [], []
        for place in range(len(settings)):
            r, v = ([table[name][place] for name in both] for table in (players.rating, players.variance))
            wide = BETA**2 + flat + up**2 * v[0] + down**2 * v[1]
            kappa = Q / math.sqrt(1 + math.pi / 8 * Q**2 * wide)
            p = 1 / (1 + math.exp(-kappa * (middle + up * (r[0] - black) - down * (r[1] - white))))
            pool.fit[place] *= 0.99975
            pool.fit[place] += game.score * math.log(p) + (1 - game.score) * math.log(1 - p)
            kappas.append(kappa)
            chance.append(p)
        chances.append(sum(w * p for w, p in zip(weights, chance, strict=True)))
        pool.fit = pools.centred(pool.fit)
        weights = normed([w * math.exp(fit) for w, fit in zip(unmet, pool.fit, strict=True)])
        force_in_all = curve_in_all = 0.0
        leaning = dict.fromkeys(both, 0.0)
        moved = dict.fromkeys(both, 0.0)
        for place, (setting, kappa, p, weight) in enumerate(zip(settings, kappas, chance, weights, strict=True)):
            g = max(1 + setting.results * (says - 1), 0.05)
            force, curve = g * kappa * (game.score - p), g * kappa**2 * p * (1 - p)
            force_in_all, curve_in_all = force_in_all + weight * force, curve_in_all + weight * curve
            for name, steep in ((game.black, up), (game.white, -down)):
                before = players.variance[name][place]
                players.variance[name][place] = 1 / (1 / before + curve * steep**2)
                players.rating[name][place] += players.variance[name][place] * steep * force
                moved[name] += weight * players.variance[name][place] * steep * force
                leaning[name] += weight * players.variance[name][place] * steep * curve
            apart = players.rating[game.black][place] + game.stones - players.rating[game.white][place]
            v_both = [players.variance[name][place] for name in both]
            for name, own, sign in zip(both, v_both, (-1, 1), strict=True):
                fading = 30 / (30 + players.games[name])
                players.rating[name][place] += sign * setting.opponents * fading * own / (sum(v_both) + 500**2) * apart
        for name in both:
            mean = sum(w * r for w, r in zip(weights, players.rating[name], strict=True))
            players.shown[name].append((game.day, mean))
            mixed = sum(w * (v + (r - mean) ** 2) for w, r, v in
                        zip(weights, players.rating[name], players.variance[name], strict=True))  # fmt: skip
            players.wide[name] = mixed, sum(w * s.growth for w, s in zip(weights, settings, strict=True))
            players.moved[name].append((game.day, players.moved[name][-1][1] + moved[name]))
        for name, other in (both, both[::-1]):
            players.meet(name, other, game.day, curve_in_all * up * down, moved[other])
        slopes = {game.black: up, game.white: -down}
        each_width = {name: slopes[name] ** 2 * gone_into[name] for name in both}
        sides = [(ties[name].kind, slopes[name] * ties[name].share) for name in both]
        levels.teach(sides, game.day, force_in_all, curve_in_all, sum(each_width.values()))
        for name in both:
            ties[name].share /= 1 + curve_in_all * each_width[name]
        means.append(tuple(players.shown[name][-1][1] for name in both))
        pool.precision = pool.precision + curve_in_all * np.outer(by, by)
        pool.force = pool.force + (force_in_all + curve_in_all * float(by @ coefficients)) * by
        for name in both:
            lean[name] = lean[name] - leaning[name] * by
        if game.coloured and game.score != 0.5:
            pool.wins[int(game.score)] += 1
        pool.games, pool.last = pool.games + 1, len(chances)
        pool.latest.append((game.day, *newcomers(weights), coefficients))
    main = max(pools.pools, key=lambda pool: (pool.games, pool.last))
    weights = normed([w * math.exp(fit) for w, fit in zip(pools.common(pools.others(main)), main.fit, strict=True)])
    return means, weights, pools.terms(main)[0], chances
