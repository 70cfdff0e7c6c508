"""The replay of the house's own system: all settings at once, game by game, weighed by how well each forecast.

Source: the filter is the assumed-density form of M. Glickman, "Parameter estimation in large dynamic paired comparison
experiments" (1999); weights as in A. P. Dawid, "The prequential approach" (1984), with the floor of M. Herbster and
M. Warmuth, "Tracking the best expert" (1998), so that a setting which was wrong at first may be right later.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.incremental.adjustments import ByHand, adjust
from handan.kernels.incremental.handan_law import FLAT, NATURAL, Scale, lead_between, teach
from handan.kernels.incremental.looking_back import FORGOTTEN, LINKS, Links, Moved, link, shown_since
from handan.kernels.types import Flags, Floats, Ints, Seats

FURTHEST = 500.0  # log odds; beyond it a likelihood would underflow, and no weight were left
LEAST = 1e-4  # our choice: the share of its first weight below which no setting falls
LEAST_EMPHASIS = 0.05  # our choice: every result says something
NEAR = 0.5  # our choice: how far towards the opponent a newcomer enters
PAIRING = 500.0 * 500.0  # points^2; our choice: variance of the difference with terms of those who choose to play
FADING = 10.0  # games; our choice: after so many the next opponent says half as much of a player
ONE_SIDED = 0.02  # our choice: share of games that a column of winners may lose
FIRST_MOVE = 0  # places in the coefficients
VARIANCE = 3


class Games(NamedTuple):
    """The rated games in playing order, shape (games,)."""

    black: Seats
    white: Seats
    score: Floats
    """Black's score."""
    stones: Floats
    """What handicap and komi add to Black's rating."""
    coloured: Floats
    """1 where it is known who had the first move, else 0."""
    emphasis: Floats
    """How much the kind of the result says, 1 in the mean."""
    time: Floats
    """Day of the game."""
    opening: Ints
    """Place of a game before which everything is known to each game."""


class Settings(NamedTuple):
    """The settings that are weighed, shape (settings,)."""

    entry: Floats
    """Variance of a newcomer."""
    growth: Floats
    """Variance that a day adds."""
    opponents: Floats
    """How much is made of who plays whom, 0 to 1."""
    results: Floats
    """How much is made of how a game ended, 0 to 1."""
    weight: Floats
    """Weight of each setting, 1 together; at the end as the games have left it."""


class State(NamedTuple):
    """What is known of the players at the end of the replay, shape (players,)."""

    rating: Floats
    variance: Floats
    """At entry 1, for a newcomer by rank as much less as that is surer; in units of a newcomer's variance."""
    unranked: Flags
    """Who enters by nothing."""


class Lines(NamedTuple):
    """What a replay writes down of each game and side, shape (games, 2)."""

    before: Floats
    change: Floats
    onset: Floats
    """Variance with which the side goes into the game."""
    after: Floats
    """Variance after it."""
    gain: Floats
    """Mean of V kappa over the settings: points for a whole surprise."""
    emphasis: Floats
    """Mean of what the settings make of the kind of the result."""
    moved: Floats
    """What the result itself moves."""
    paired: Floats
    """What the choice of the opponent moves."""
    looked: Floats
    """What the later results of earlier opponents move, before the game."""


@kernel
def mean(weight: Floats, values: Floats) -> float:
    """Return the mean of one value a setting, summed in order, so that plain and compiled code give the same bits."""
    total: float = (weight * values).cumsum()[-1]
    return total


@kernel
def moments(weight: Floats, rating: Floats, variance: Floats) -> tuple[float, float]:
    """Return mean and variance of the mixture of normal beliefs, sum of w (V_s + (r_s - r)^2)."""
    middle = mean(weight, rating)
    return middle, mean(weight, variance + (rating - middle) * (rating - middle))


@kernel
def weigh(odds: Floats, score: float, weight: Floats, floor: Floats, chance: Floats) -> None:
    """Fill Black's chance under each setting, and weigh the settings by what they said of the game.

    Args:
        odds: Log odds of Black, shape (settings,), as the others.
        score: Black's.
        weight: Of the settings; overwritten.
        floor: Below which no weight falls.
        chance: Filled.
    """
    for s in range(len(odds)):
        against = math.exp(-min(abs(odds[s]), FURTHEST))  # the odds of the side that is behind
        leader = 1.0 / (1.0 + against)
        chance[s] = leader if odds[s] >= 0.0 else against * leader
        if score == 0.5:
            weight[s] *= math.sqrt(against) * leader
        elif score == 1.0:
            weight[s] *= chance[s]
        else:
            weight[s] *= against * leader if odds[s] >= 0.0 else leader
    weight[:] = np.maximum(weight / weight.cumsum()[-1], floor)
    weight /= weight.cumsum()[-1]


@kernel
def before_today(rating: float, eve: float, since: int, last: int, opening: int, entry: float) -> float:
    """Return the rating of an opponent as it was known before a game of a newcomer: not by games of the same day."""
    if last < opening:
        return rating
    return eve if since <= opening else entry


@kernel
def replay(  # noqa: C901  # what a game moves follows in one sequence: parts of it would share all of its state
    games: Games,
    end: float,
    constants: Scale,
    by_rank: float,
    first_move: float,
    look_back: float,
    settings: Settings,
    hand: ByHand,
    state: State,
    lines: Lines,
    learned: Floats,
) -> None:
    """Replay the games under all settings at once; fill `state`, `lines` and `learned`, leave weights in `settings`.

    Args:
        games: The games.
        end: Day up to which the variances grow at last.
        constants: What a rating means.
        by_rank: Share of a newcomer's variance with which players enter by rank, or are set by hand.
        first_move: Variance of the worth of the first move before any game, 0 where it is given.
        look_back: How much is made of what earlier opponents show later, 0 to 1.
        settings: What is weighed.
        hand: Ratings set by hand.
        state: The players at entry, then at the end.
        lines: Filled.
        learned: Coefficients known before each game and after the last; the first row is given, (games + 1, n).
    """
    black, white, score, stones, coloured, emphasis, time, opening = games
    entry, growth, opponents, results, weight = settings
    shown, share, unranked = state
    before, change, onset, after, gain, stress, moved, paired, looked = lines
    count, players = len(weight), len(shown)
    floor = LEAST * weight
    rating, variance = np.empty((players, count)), np.empty((players, count))
    wide, grows, last = np.empty(players), np.zeros(players), np.full(players, np.inf)
    played, place = np.zeros(players), np.full(players, -1)
    start, eve, since = shown.copy(), shown.copy(), np.full(players, -1)
    for player in range(players):
        wide[player] = -1.0  # has not entered
    past = Moved(np.zeros(players), np.zeros(players), np.zeros(players), place, since)
    sized = (players, LINKS)
    links = Links(np.full(sized, -1), np.full(sized, -1), np.zeros(sized), np.zeros(sized), np.zeros(sized))
    entries, nears = np.empty(len(black) + 1), np.empty(len(black) + 1)  # what newcomers are taken for before each game
    chance = np.empty(count)
    wins, colours = np.zeros(2), first_move == 0.0
    done = 0
    for game in range(len(black) + 1):
        entries[game], nears[game] = mean(weight, entry), mean(weight, opponents)
        until = adjust(done, game, hand, shown)
        for item in range(done, until):
            player = hand.players[item]
            if hand.became[item] == hand.values[item]:
                wide[player], grows[player], last[player], played[player] = -1.0, 0.0, np.inf, 0.0
                start[player], share[player], unranked[player] = shown[player], by_rank, False
                links.opponent[player], links.game[player] = -1, -1
                past.fading[player] -= FORGOTTEN
        done = until
        if game == len(black):
            break
        b, w, now, begins = black[game], white[game], time[game], opening[game]
        strangers = wide[b] < 0.0 and wide[w] < 0.0
        for side in range(2):
            player, other = (b, w) if side == 0 else (w, b)
            if wide[player] < 0.0:
                wide[player], near = share[player] * entries[begins], 0.0
                if unranked[player] and not strangers:
                    before_it = before_today(shown[other], eve[other], since[other], place[other], begins, start[other])
                    near = NEAR * (before_it + (stones[game] if side == 1 else -stones[game]) - start[player])
                rating[player] = start[player] + opponents * near
                variance[player] = share[player] * entry
                shown[player] = start[player] + nears[begins] * near
                eve[player], since[player] = start[player], begins
            elif place[player] < begins and since[player] != begins:
                eve[player], since[player] = shown[player], begins
                past.eve[player] = past.total[player]
            later = look_back * shown_since(links, past, player, begins)
            looked[game, side] = 0.0
            if later != 0.0:
                looked[game, side] = later * mean(weight, variance[player])
                rating[player] += later * variance[player]
        for side in range(2):
            player = b if side == 0 else w
            gap = max(now - last[player], 0.0)
            past.fading[player] += math.log(wide[player] / (wide[player] + grows[player] * gap))
            before[game, side], onset[game, side] = shown[player], wide[player] + grows[player] * gap
            variance[player] += growth * gap
            last[player], place[player], played[player] = now, game, played[player] + 1.0
        row = learned[game]
        first = coloured[game] if colours else 0.0
        base_b, base_w = shown[b] + looked[game, 0], shown[w] + looked[game, 1]
        lead = lead_between(constants, row, base_b, base_w, stones[game], first)
        steep_b, steep_w = lead.black_slope, lead.white_slope
        rating_b, rating_w, v_b, v_w = rating[b], rating[w], variance[b], variance[w]
        spread = steep_b * steep_b * v_b + steep_w * steep_w * v_w
        slope = NATURAL / np.sqrt(1.0 + FLAT * (constants.noise + lead.flat + spread))
        odds = slope * (lead.mean + steep_b * (rating_b - base_b) - steep_w * (rating_w - base_w))
        weigh(odds, score[game], weight, floor, chance)
        kind = np.maximum(1.0 + results * (emphasis[game] - 1.0), LEAST_EMPHASIS)
        force = kind * slope * (score[game] - chance)
        curve = kind * slope * slope * chance * (1.0 - chance)
        v_b /= 1.0 + curve * steep_b * steep_b * v_b
        v_w /= 1.0 + curve * steep_w * steep_w * v_w
        moved_b, moved_w = v_b * steep_b * force, -v_w * steep_w * force
        rating_b += moved_b
        rating_w += moved_w
        pull = opponents * (rating_b + stones[game] - rating_w) / (v_b + v_w + PAIRING)
        paired_b, paired_w = -FADING / (FADING + played[b]) * v_b * pull, FADING / (FADING + played[w]) * v_w * pull
        rating_b += paired_b
        rating_w += paired_w
        gain[game, 0], gain[game, 1] = mean(weight, v_b * slope) * steep_b, mean(weight, v_w * slope) * steep_w
        stress[game, 0] = mean(weight, v_b * slope * kind) * steep_b / gain[game, 0]
        stress[game, 1] = mean(weight, v_w * slope * kind) * steep_w / gain[game, 1]
        moved[game, 0], moved[game, 1] = mean(weight, moved_b), mean(weight, moved_w)
        paired[game, 0], paired[game, 1] = mean(weight, paired_b), mean(weight, paired_w)
        pace = mean(weight, growth)
        tie = mean(weight, curve) * steep_b * steep_w
        past.total[b] += moved[game, 0]
        past.total[w] += moved[game, 1]
        link(links, past, (b, w), tie, moved[game, 1])
        link(links, past, (w, b), tie, moved[game, 0])
        for side in range(2):
            player = b if side == 0 else w
            middle, wide[player] = moments(weight, rating[player], variance[player])
            change[game, side], after[game, side] = middle - shown[player], wide[player]
            shown[player], grows[player] = middle, pace
        teach(row, lead, first, mean(weight, force), mean(weight, curve), learned[game + 1])
        if first_move > 0.0 and coloured[game] == 1.0 and score[game] != 0.5:
            wins[int(score[game])] += 1.0
            both = min(wins[0], wins[1]) > ONE_SIDED * (wins[0] + wins[1])
            if both != colours:  # a table of winners and losers says nothing of colours
                colours = both
                learned[game + 1, FIRST_MOVE] = 0.0
                learned[game + 1, VARIANCE] = first_move if both else 0.0
                learned[game + 1, VARIANCE + 1] = 0.0
                learned[game + 1, VARIANCE + 2] = 0.0
    for player in range(players):
        if wide[player] < 0.0:
            wide[player] = share[player] * entries[len(black)]
        share[player] = wide[player] + grows[player] * max(end - last[player], 0.0)
