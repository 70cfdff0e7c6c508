"""The replay of the house's own system: all settings at once, game by game, weighed by how well each forecast.

Source: the filter is the assumed-density form of M. Glickman, "Parameter estimation in large dynamic paired comparison
experiments" (1999); weights as in A. P. Dawid, "The prequential approach" (1984), with the forgetting factor of
A. Raftery, M. Karny and P. Ettler, "Online prediction under model uncertainty via dynamic model averaging" (2010), so
that a setting which was wrong at first may be right later.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import kernel
from handan.kernels.incremental.adjustments import ByHand, adjust
from handan.kernels.incremental.entry_levels import (
    Levels,
    Loadings,
    count_rank,
    level_before,
    no_loadings,
    teach_before_day,
    teach_levels,
)
from handan.kernels.incremental.handan_law import FLAT, NATURAL, Lead, Scale, lead_between, quadratic_form
from handan.kernels.incremental.origins import Origins, count_entry, entry_without_rank, note_ranks, teach_origin
from handan.kernels.incremental.pool_terms import (
    DRAWN,
    ENTRY,
    FORGETTING,
    LEARNED,
    RANKED,
    TERMS,
    AllPools,
    Information,
    Law,
    OtherPools,
    Terms,
    activate,
    add_likelihood,
    centre,
    copy_information,
    copy_row,
    discount,
    heads_of,
    information_of,
    information_of_others,
    known_before,
    learn,
    tell_others,
    terms_in,
    weights_in_pool,
    weights_of,
)
from handan.kernels.incremental.retrospective_update import (
    Movements,
    Opponents,
    forget,
    no_opponents,
    remember,
    retrospective_move,
)
from handan.kernels.types import Flags, Floats, Ints, Seats

MOST_LOG_ODDS = 500.0  # log odds; beyond it a likelihood would underflow, and no weight were left
LEAST_OBSERVATION = 0.05  # our choice: every result says something
NEAR = 0.5  # our choice: how far towards the opponent a newcomer enters
PAIRING = 500.0 * 500.0  # points^2; our choice: variance of the difference with terms of those who choose to play
FADING = 30.0  # games; our choice: after so many the next opponent says half as much of a player
FIRST_RANK = 300.0 * 300.0  # points^2; our choice: what games leave open of who had no rank so far, when one comes
AGAIN = 2.0  # our choice: variance of a rank declared after another in one source, by that of the first


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
    observation_weight: Floats
    """How much the kind of the result says, 1 in the mean."""
    day: Floats
    known_until: Ints
    """Place of the game before which a forecast of each game knows everything: the first of its day or event."""
    day_start: Ints
    """Place of the first game of the day of each game."""
    declared: Ints
    """Kind of the rank that each side declares, -1: none; shape (games, 2)."""
    event_member: Ints
    """Who stands for the event of each game among the players: Black of its first game."""
    population: Ints
    """Number of the population of each game."""
    first_since: Ints
    """Place of the first game of its population from `known_until` on."""
    first_of_day: Flags
    """Whether it is the first game of its population on its day."""


class Settings(NamedTuple):
    """The settings that are weighed, shape (settings,)."""

    entry: Floats
    """Variance of a newcomer without a rank."""
    ranked: Floats
    """Variance of who enters by a rank, or is set by hand."""
    growth: Floats
    """Variance that a day adds."""
    opponents: Floats
    """How much is made of who plays whom, 0 to 1."""
    results: Floats
    """How much is made of how a game ended, 0 to 1."""
    weight: Floats
    """Weight of each setting, 1 together; at the end as the games have left it."""


class Constants(NamedTuple):
    """What the games do not teach."""

    scale: Scale
    """What a rating means."""
    law: Law
    """What is believed of the terms before any game."""
    look_back: float
    """How much is made of what earlier opponents show later, 0 to 1."""


class State(NamedTuple):
    """What is known of the players at their entry, and at the end of the replay, shape (players,)."""

    mean: Floats
    variance: Floats
    """At entry that of the list which gives a player's rating; NaN: as the settings say."""
    unranked: Flags
    """Who enters by nothing."""
    kind: Ints
    """As which kind of newcomer each enters."""


class Beliefs(NamedTuple):
    """What is believed of the players while the games go on, shape (players,) but for the first two."""

    means: Floats
    """Under each setting, shape (players, settings)."""
    variances: Floats
    mean: Floats
    """Of the mixture of all settings."""
    variance: Floats
    """Of the mixture after the player's last game, -1 before the first."""
    process_variance: Floats
    """Variance of the mixture that a day adds."""
    prior_mean: Floats
    prior_variance: Floats
    """Variance with which the player enters; NaN: as the settings say."""
    unranked: Flags
    day_start_mean: Floats
    """The mean as known before the day or event of the player's last game."""
    day_start_game: Ints
    """Game before which `day_start_mean` knows everything, -1 before the first."""
    last_day: Floats
    """Day of the player's last game, infinite before the first: until then no time passes."""
    last_game: Ints
    """-1 before the first."""
    games: Floats
    """How many games the player has played."""


class TermLoadings(NamedTuple):
    """How the ratings of players depend on the terms of their pool, shape (players, TERMS)."""

    share: Floats
    """By how many points the rating moves for a unit of each term."""
    mean: Floats
    """The terms that the rating holds."""


class Players(NamedTuple):
    """What is known of single players while the games go on."""

    beliefs: Beliefs
    loadings: Loadings
    """On the levels of newcomers."""
    term_loadings: TermLoadings
    movements: Movements
    opponents: Opponents
    origins: Origins
    """Of those who come without a rank."""


class SharedState(NamedTuple):
    """What is known of many players at once: before the first game, then after the last."""

    all_pools: AllPools
    """None is active after the last game."""
    term_loadings: TermLoadings
    levels: Levels
    """Of newcomers."""
    origins: Origins
    """Of those who come without a rank."""


class Rows(NamedTuple):
    """What is known of pools and terms after each game, shape (games, ...)."""

    precision: Floats
    """What the games of its pool say of the terms."""
    force: Floats
    others_precision: Floats
    """What the other pools say."""
    others_force: Floats
    share: Floats
    """`TermLoadings.share` of both sides, shape (games, 2, TERMS)."""


class Side(NamedTuple):
    """What is believed of one side of a game under each setting, shape (settings,); a game moves it in place."""

    mean: Floats
    variance: Floats


class Lines(NamedTuple):
    """What a replay writes down of each game and side, shape (games, 2)."""

    before: Floats
    change: Floats
    onset_variance: Floats
    """Variance with which the side goes into the game, with what it owes to the terms."""
    variance_after: Floats
    """The same after it."""
    gain: Floats
    """Mean of V kappa over the settings: points for a whole surprise."""
    observation_weight: Floats
    """Mean of what the settings make of the kind of the result."""
    by_result: Floats
    """Points that the result itself moves."""
    by_opponent_choice: Floats
    """Points that the choice of the opponent moves."""
    by_look_back: Floats
    """Points that the later results of earlier opponents move, before the game."""
    by_level: Floats
    """Points that a declared rank, and what newcomers like this one have shown since, move, before the game."""
    by_coefficients: Floats
    """Points that first move and scale move, before the game."""


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
def weigh(odds: Floats, score: float, other_pools: OtherPools, own: Floats, weight: Floats, chance: Floats) -> None:
    """Fill Black's chance under each setting, and weigh the settings by what they said of the game.

    What earlier games said of them is forgotten slowly.

    Args:
        odds: Log odds of Black, shape (settings,), as the others.
        score: Black's.
        other_pools: What settings weighed before the games of the pool.
        own: ln of what the games of the pool say of the settings; changed.
        weight: Of the settings; filled.
        chance: Filled.
    """
    for s in range(len(odds)):
        apart = min(abs(odds[s]), MOST_LOG_ODDS)
        against = math.exp(-apart)  # the odds of the side that is behind
        leader = 1.0 / (1.0 + against)
        chance[s] = leader if odds[s] >= 0.0 else against * leader
        lost = 1.0 - score if odds[s] >= 0.0 else score
        own[s] = FORGETTING * own[s] - math.log1p(against) - lost * apart
    centre(own, other_pools.prior)
    weights_of(weight, other_pools.mixed, own)


@kernel
def members_of(games: Games, game: int) -> Ints:
    """Return who belongs to one pool after a game: Black, White and a member of the event."""
    members = np.empty(3, dtype=np.int64)
    members[0], members[1], members[2] = games.black[game], games.white[game], games.event_member[game]
    return members


@kernel
def beliefs_of(state: State, settings: int) -> Beliefs:
    """Return the beliefs of players of whom none has played; mean, entry and who is unranked are those of `state`."""
    players = len(state.mean)
    return Beliefs(
        np.empty((players, settings)),
        np.empty((players, settings)),
        state.mean,
        np.full(players, -1.0),
        np.zeros(players),
        state.mean.copy(),
        state.variance,
        state.unranked,
        state.mean.copy(),
        np.full(players, -1),
        np.full(players, np.inf),
        np.full(players, -1),
        np.zeros(players),
    )


@kernel
def set_by_hand(done: int, game: int, hand: ByHand, players: Players) -> int:
    """Apply the adjustments due before a game; return how many are done.

    Who is set enters anew, with the deviation that is given, else as by a rank.
    """
    beliefs, loadings, term_loadings, movements, opponents, origins = players
    until = adjust(done, game, hand, beliefs.mean)
    for item in range(done, until):
        player = hand.players[item]
        if hand.became[item] == hand.values[item]:
            beliefs.variance[player], beliefs.process_variance[player] = -1.0, 0.0
            beliefs.last_day[player], beliefs.games[player] = np.inf, 0.0
            beliefs.prior_mean[player], beliefs.prior_variance[player] = beliefs.mean[player], hand.variances[item]
            beliefs.unranked[player] = origins.unplaced[player] = False
            loadings.kind[player], loadings.share[player], loadings.declared[player] = -1, 0.0, -1
            term_loadings.share[player] = 0.0
            forget(opponents, movements, player)
    return until


@kernel
def mean_before(beliefs: Beliefs, player: int, known_until: int) -> float:
    """Return what was known of a newcomer's opponent, who is prepared, before the game at `known_until`."""
    if beliefs.day_start_game[player] <= known_until:
        return float(beliefs.day_start_mean[player])
    return float(beliefs.prior_mean[player])


@kernel
def entry_variance(beliefs: Beliefs, summary: Floats, player: int) -> float:
    """Return the variance with which a player enters, `summary` being a row of `Pools.summary`."""
    own = beliefs.prior_variance[player]
    if math.isnan(own):
        return float(summary[ENTRY] if beliefs.unranked[player] else summary[RANKED])
    return float(own)


@kernel
def enter(
    players: Players, settings: Settings, summary: Floats, player: int, known_until: int, level: float, near: float,
    rating: float,
) -> None:  # fmt: skip
    """Let a player enter; who enters by nothing goes towards the first opponent.

    Args:
        players: All players.
        settings: What is weighed.
        summary: What newcomers are taken for, a row of `Pools.summary`.
        player: Who enters.
        known_until: Game before which everything is known.
        level: What newcomers of this kind have shown.
        near: How far towards the first opponent, 0 where this one says nothing.
        rating: Of the opponent with the terms.
    """
    beliefs, loadings = players.beliefs, players.loadings
    own, prior = beliefs.prior_variance[player], beliefs.prior_mean[player] + level
    towards = near * (rating - prior)
    loadings.share[player] -= near * summary[DRAWN]
    loadings.level[player], loadings.known_until[player] = level, known_until
    np.add(prior, settings.opponents * towards, beliefs.means[player])
    for s in range(len(settings.entry)):
        if math.isnan(own):
            beliefs.variances[player, s] = settings.entry[s] if beliefs.unranked[player] else settings.ranked[s]
        else:
            beliefs.variances[player, s] = own
    beliefs.mean[player] = prior + summary[DRAWN] * towards
    beliefs.variance[player] = entry_variance(beliefs, summary, player)
    beliefs.day_start_mean[player], beliefs.day_start_game[player] = prior, known_until


@kernel
def prepare(
    games: Games, game: int, settings: Settings, summary: tuple[Floats, Floats], players: Players, levels: Levels,
    constants: Constants, lines: Lines,
) -> None:  # fmt: skip
    """Let both players of a game enter, or note what is known of them before the day; then look back.

    Ranks are declared before anybody plays, so known players tell first what they are worth.

    `summary` is what is known in the pool of the other player, a row of `Pools.summary` for each side.
    """
    beliefs, loadings, movements = players.beliefs, players.loadings, players.movements
    known_until, stones = games.known_until[game], games.stones[game]
    pair = games.black[game], games.white[game]
    strangers = beliefs.variance[pair[0]] < 0.0 and beliefs.variance[pair[1]] < 0.0
    noise = np.empty((2, len(settings.weight)))
    for side in range(2):
        player, kind, declared = pair[side], loadings.kind[pair[side]], games.declared[game, side]
        lines.by_level[game, side] = lines.by_coefficients[game, side] = 0.0
        entered = beliefs.variance[player] >= 0.0
        if entered and beliefs.last_game[player] < known_until and beliefs.day_start_game[player] != known_until:
            beliefs.day_start_mean[player], beliefs.day_start_game[player] = beliefs.mean[player], known_until
            movements.day_start_total[player] = movements.total[player]
        if beliefs.games[player] > 0.0:
            lines.by_coefficients[game, side] = follow_terms(players, player, summary[1 - side])
            if kind >= 0 and loadings.known_until[player] < known_until:
                level = level_before(levels, kind, known_until)[0]
                lines.by_level[game, side] = follow(players, player, known_until, level)
            lines.by_level[game, side] += follow_origin(players, player, games.population[game])
            if declared >= 0 and declared != loadings.declared[player]:
                if players.origins.unplaced[player]:
                    level = level_before(levels, declared, known_until)[0]
                    apart = levels.base[declared] + level - beliefs.day_start_mean[player]
                    teach_origin(players.origins, games.population[game], apart)
                    lines.by_level[game, side] += follow_origin(players, player, games.population[game])
                teach_by_rank(games, game, player, declared, settings, players, levels, noise[side])
    for side in range(2):
        player, other = pair[side], pair[1 - side]
        kind, declared = loadings.kind[player], games.declared[game, side]
        if beliefs.variance[player] < 0.0:
            level = level_before(levels, kind, known_until)[0] if kind >= 0 else 0.0
            near = NEAR if beliefs.unranked[player] and not strangers else 0.0
            rating = mean_before(beliefs, other, known_until) + (stones if side == 1 else -stones)
            follow_origin(players, player, games.population[game])
            enter(players, settings, summary[side], player, known_until, level, near, rating)
            loadings.declared[player] = declared
        elif beliefs.games[player] > 0.0 and declared >= 0 and declared != loadings.declared[player]:
            moved = declare(player, declared, known_until, noise[side], settings, players, levels)
            lines.by_level[game, side] += moved
        move = constants.look_back * retrospective_move(players.opponents, movements, player, known_until)
        lines.by_look_back[game, side] = look_back(move, settings.weight, beliefs, player)


@kernel
def count_entries(games: Games, game: int, players: Players, levels: Levels) -> None:
    """Count the sides of a game who enter with a rank, after both have entered."""
    for side in range(2):
        player = games.black[game] if side == 0 else games.white[game]
        kind = players.loadings.kind[player]
        if players.beliefs.games[player] == 0.0 and kind >= 0 and not math.isnan(levels.base[kind]):
            count_entry(players.origins, games.population[game], levels.base[kind])


@kernel
def follow_terms(players: Players, player: int, summary: Floats) -> float:
    """Move a player by what the terms of the own pool, a row of `Pools.summary`, have become; return the points."""
    term_loadings, move = players.term_loadings, 0.0
    if math.isnan(summary[LEARNED]):
        return move
    for term in range(TERMS):
        move += term_loadings.share[player, term] * (summary[LEARNED + term] - term_loadings.mean[player, term])
        term_loadings.mean[player, term] = summary[LEARNED + term]
    means = players.beliefs.means[player]
    means += move
    return move


@kernel
def follow(players: Players, player: int, known_until: int, level: float) -> float:
    """Move a player by what newcomers of the same kind have shown since; return the points."""
    loadings = players.loadings
    move: float = loadings.share[player] * (level - loadings.level[player])
    means = players.beliefs.means[player]
    means += move
    loadings.level[player], loadings.known_until[player] = level, known_until
    return move


@kernel
def follow_origin(players: Players, player: int, population: int) -> float:
    """Move a player who has only met people without ranks with the origin of their scale; return the points.

    One who has not played yet enters there.
    """
    beliefs, origins, move = players.beliefs, players.origins, 0.0
    if origins.unplaced[player]:
        move = origins.shift[population] - origins.in_rating[player]
        origins.in_rating[player] = origins.shift[population]
        if beliefs.games[player] > 0.0:
            means = beliefs.means[player]
            means += move
            beliefs.day_start_mean[player] += move
        else:
            beliefs.prior_mean[player] = entry_without_rank(origins, population)
    return move


@kernel
def teach_by_rank(
    games: Games, game: int, player: int, kind: int, settings: Settings, players: Players, levels: Levels, noise: Floats
) -> None:
    """Let a known player who declares a rank tell what it is worth; fill its variance under each setting.

    A rank is as uncertain as an entry by it. One that follows another in the same source says less, since both err
    alike. The first rank of a player says more: games among equals leave open how
    far apart those are who never meet.
    """
    beliefs, weight = players.beliefs, settings.weight
    means, variances = beliefs.means[player], beliefs.variances[player]
    spread, last = settings.ranked, players.loadings.declared[player]
    if last >= 0 and levels.parts[last, 0] == levels.parts[kind, 0]:
        np.multiply(AGAIN, spread, noise)
        return
    if last < 0 and beliefs.unranked[player]:
        variances += FIRST_RANK
    np.multiply(spread, 1.0 + spread / count_rank(levels, kind), noise)
    around = mean(weight, variances + noise)
    shown = mean(weight, means) - levels.base[kind]
    when = games.day_start[game], games.day[game]
    now, _ = level_before(levels, kind, len(games.black))
    teach_levels(levels, (kind, -1), (1.0, 0.0), when, ((shown - now) / around, 1.0 / around, 0.0))
    teach_before_day(levels, kind, beliefs.day_start_mean[player] - levels.base[kind], around)


@kernel
def declare(
    player: int, kind: int, known_until: int, noise: Floats, settings: Settings, players: Players, levels: Levels
) -> float:
    """Move a known player towards a declared rank; return the points.

    From then on the player depends on the level that counts for more.
    """
    beliefs, loadings, term_loadings = players.beliefs, players.loadings, players.term_loadings
    weight, means, variances = settings.weight, beliefs.means[player], beliefs.variances[player]
    level, doubt = level_before(levels, kind, known_until)
    gain = variances / (variances + noise + doubt)
    move = gain * (levels.base[kind] + level - means)
    means += move
    variances *= 1.0 - gain
    beliefs.variance[player] = moments(weight, means, variances)[1]
    lean = mean(weight, gain)
    loadings.share[player] *= 1.0 - lean
    for term in range(TERMS):
        term_loadings.share[player, term] *= 1.0 - lean
    loadings.declared[player] = kind
    if lean > loadings.share[player]:
        loadings.kind[player], loadings.share[player] = kind, lean
        loadings.level[player], loadings.known_until[player] = level, known_until
    return mean(weight, move)


@kernel
def look_back(move: float, weight: Floats, beliefs: Beliefs, player: int) -> float:
    """Move a player by what earlier opponents have shown, `move` points a unit of variance; return the mean change."""
    if move == 0.0:
        return 0.0
    means, variances = beliefs.means[player], beliefs.variances[player]
    means += move * variances
    return move * mean(weight, variances)


@kernel
def predict(beliefs: Beliefs, growth: Floats, movements: Movements, player: int, game: int, day: float) -> float:
    """Let the variance of a player grow until the day of a game; return that of the mixture."""
    gap = max(day - beliefs.last_day[player], 0.0)
    variance = beliefs.variance[player] + beliefs.process_variance[player] * gap
    movements.log_retained[player] += math.log(beliefs.variance[player] / variance)
    variances = beliefs.variances[player]
    variances += growth * gap
    beliefs.last_day[player], beliefs.last_game[player] = day, game
    beliefs.games[player] += 1.0
    return float(variance)


@kernel
def forecast(scale: Scale, lead: Lead, black: Side, white: Side, around: tuple[float, float]) -> tuple[Floats, Floats]:
    """Return kappa and the log odds of Black under each setting.

    Args:
        scale: What a rating means.
        lead: What the law says at the mean of all beliefs.
        black, white: Both sides.
        around: The ratings of which `lead` speaks.
    """
    up, down = lead.black_slope, lead.white_slope
    spread = up * up * black.variance + down * down * white.variance
    kappa = NATURAL / np.sqrt(1.0 + FLAT * (scale.noise + lead.flat + spread))
    return kappa, kappa * (lead.mean + up * (black.mean - around[0]) - down * (white.mean - around[1]))


@kernel
def update(side: Side, steep: float, slope: Floats, curvature: Floats) -> Floats:
    """Move a side by one Newton step of the log posterior; return the points, shape (settings,).

    Args:
        side: Whose means and variances become those after the game.
        steep: Elo of the lead for a point of the side's rating, below 0 for White.
        slope, curvature: Of the log likelihood in the lead, the curvature taken positive.
    """
    mean, variance = side.mean, side.variance
    variance /= 1.0 + curvature * steep * steep * variance
    change = variance * steep * slope
    mean += change
    return change


@kernel
def regularise(side: Side, games: float, share: Floats) -> Floats:
    """Move a side towards the other, since people play their equals; return the points, shape (settings,).

    Args:
        side: After the result.
        games: How many the side has played.
        share: By how many points a unit of its variance is moved, shape (settings,).
    """
    mean, weight = side.mean, FADING / (FADING + games)
    change = weight * side.variance * share
    mean += change
    return change


@kernel
def onset_mean(lines: Lines, game: int, side: int) -> float:
    """Return the rating with which a side goes into a game."""
    moved = lines.before[game, side] + lines.by_look_back[game, side] + lines.by_level[game, side]
    return float(moved + lines.by_coefficients[game, side])


@kernel
def play(
    games: Games,
    game: int,
    lead: Lead,
    settings: Settings,
    other_pools: OtherPools,
    own: Floats,
    scale: Scale,
    beliefs: Beliefs,
    lines: Lines,
) -> tuple[float, float, tuple[float, float]]:
    """Weigh the settings and move both players by a game.

    Return mean slope and curvature of its log likelihood, and the points by which either side moves for an Elo of lead.

    Args:
        games, game: The games, and which.
        lead: What the law says of it.
        settings: Whose weights change.
        other_pools: What settings weighed before the games of the pool.
        own: What the games of the pool say of the settings.
        scale: What a rating means.
        beliefs: Of all players; those of the two under each setting change.
        lines: The row of the game is filled.
    """
    b, w, weight = games.black[game], games.white[game], settings.weight
    black, white = Side(beliefs.means[b], beliefs.variances[b]), Side(beliefs.means[w], beliefs.variances[w])
    around = onset_mean(lines, game, 0), onset_mean(lines, game, 1)
    kappa, odds = forecast(scale, lead, black, white, around)
    chance, moved = np.empty(len(odds)), np.empty(2)
    weigh(odds, games.score[game], other_pools, own, weight, chance)
    observation_weight = np.maximum(1.0 + settings.results * (games.observation_weight[game] - 1.0), LEAST_OBSERVATION)
    slope = observation_weight * kappa * (games.score[game] - chance)
    curvature = observation_weight * kappa * kappa * chance * (1.0 - chance)
    by_result = update(black, lead.black_slope, slope, curvature), update(white, -lead.white_slope, slope, curvature)
    lead_of_equals = black.mean + games.stones[game] - white.mean
    share = settings.opponents * lead_of_equals / (black.variance + white.variance + PAIRING)
    by_opponent_choice = regularise(black, beliefs.games[b], -share), regularise(white, beliefs.games[w], share)
    for side in range(2):
        each, steep = (black, lead.black_slope) if side == 0 else (white, lead.white_slope)
        lines.gain[game, side] = mean(weight, each.variance * kappa) * steep
        weighed = mean(weight, each.variance * kappa * observation_weight) * steep
        lines.observation_weight[game, side] = weighed / lines.gain[game, side]
        lines.by_result[game, side] = mean(weight, by_result[side])
        lines.by_opponent_choice[game, side] = mean(weight, by_opponent_choice[side])
        moved[side] = steep * mean(weight, each.variance * curvature)
    return mean(weight, slope), mean(weight, curvature), (moved[0], moved[1])


@kernel
def teach_by_game(
    games: Games, game: int, lead: Lead, step: tuple[float, float], variance: Floats, levels: Levels, loadings: Loadings
) -> None:
    """Let a game teach the levels of both sides, on which their ratings depend the less from then on.

    Args:
        games, game: The games, and which.
        lead: What the law said.
        step: Slope and curvature of the log likelihood by the lead.
        variance: Variance of either side before it, without what it owes to the terms.
        levels, loadings: Changed.
    """
    pair, when = (games.black[game], games.white[game]), (games.day_start[game], games.day[game])
    up, down = lead.black_slope, lead.white_slope
    width = up * up * variance[0] + down * down * variance[1]
    kinds = loadings.kind[pair[0]], loadings.kind[pair[1]]
    shares = up * loadings.share[pair[0]], -down * loadings.share[pair[1]]
    teach_levels(levels, kinds, shares, when, (step[0], step[1], width))
    for side in range(2):
        steep = up if side == 0 else down
        loadings.share[pair[side]] /= 1.0 + step[1] * steep * steep * variance[side]


@kernel
def mix(beliefs: Beliefs, weight: Floats, growth: float, player: int, game: int, side: int, lines: Lines) -> None:
    """Fill the mixture of a player after a game, and what it changed; `growth` is what a day adds to its variance."""
    middle, variance = moments(weight, beliefs.means[player], beliefs.variances[player])
    lines.change[game, side], lines.variance_after[game, side] = middle - beliefs.mean[player], variance
    beliefs.mean[player], beliefs.variance[player], beliefs.process_variance[player] = middle, variance, growth


@kernel
def fill_variances(beliefs: Beliefs, summary: Floats, end: float, state: State) -> None:
    """Fill the variance of every player on the last day; who has not entered has that of an entry from `summary`."""
    for player in range(len(state.variance)):
        variance = beliefs.variance[player]
        if variance < 0.0:
            variance = entry_variance(beliefs, summary, player)
        idle = max(end - beliefs.last_day[player], 0.0)
        state.variance[player] = variance + beliefs.process_variance[player] * idle


@kernel
def note_newcomers(settings: Settings, weight: Floats, summary: Floats) -> None:
    """Fill what newcomers are taken for under some weights, into a row of `Pools.summary`."""
    summary[ENTRY], summary[RANKED] = mean(weight, settings.entry), mean(weight, settings.ranked)
    summary[DRAWN] = mean(weight, settings.opponents)


@kernel
def note_population(settings: Settings, all_pools: AllPools, population: int, summary: Floats) -> None:
    """Fill what newcomers of a population are taken for whom no game joins to others, as a row of `Pools.summary`."""
    pools, likelihoods, other_pools = all_pools
    weight, together = np.empty(len(settings.weight)), other_pools.likelihood[population].copy()
    if other_pools.active[0] >= 0 and pools.population[other_pools.active[0]] == population:
        add_likelihood(together, likelihoods.values[pools.slot[other_pools.active[0]]], 1.0)
    weights_in_pool(weight, other_pools.prior, together)
    note_newcomers(settings, weight, summary)


@kernel
def lean_on_terms(
    term_loadings: TermLoadings, lead: Lead, pair: tuple[int, int], moved: tuple[float, float]
) -> None:  # fmt: skip
    """Let the ratings of both sides depend on the terms as the result of a game does."""
    for term in range(TERMS):
        term_loadings.share[pair[0], term] -= moved[0] * lead.slopes[term]
        term_loadings.share[pair[1], term] += moved[1] * lead.slopes[term]


@kernel
def replay(
    games: Games,
    end: float,
    constants: Constants,
    settings: Settings,
    hand: ByHand,
    state: State,
    shared_state: SharedState,
    lines: Lines,
    rows: Rows,
) -> None:
    """Replay the games under all settings at once; fill `state`, `shared_state`, `lines` and `rows`.

    Args:
        games: The games.
        end: Day up to which the variances grow at last.
        constants: What the games do not teach.
        settings: What is weighed.
        hand: Ratings set by hand.
        state: The players at entry, then at the end.
        shared_state: What is known of many players at once, before the first game, then after the last.
        lines, rows: Filled.
    """
    all_pools, term_loadings, levels, origins = shared_state
    pools, likelihoods, other_pools = all_pools
    count, weight, law = len(games.black), settings.weight, constants.law
    beliefs = beliefs_of(state, len(weight))
    nothing = np.zeros(len(state.mean))
    movements = Movements(nothing, nothing.copy(), nothing.copy(), beliefs.last_game, beliefs.day_start_game)
    opponents, loadings = no_opponents(len(nothing)), no_loadings(state.kind)
    players = Players(beliefs, loadings, term_loadings, movements, opponents, origins)
    newcomers = np.full((count, LEARNED + TERMS), np.nan)
    done = 0
    for game in range(count + 1):
        if game < count and games.first_of_day[game]:
            note_population(settings, all_pools, games.population[game], newcomers[game])
        done = set_by_hand(done, game, hand, players)
        if game == count:
            break
        pair, known_until, day = (games.black[game], games.white[game]), games.known_until[game], games.day[game]
        members = members_of(games, game)
        unmet = newcomers[games.first_since[game]]
        of_black = known_before(pools, unmet, members[0], members[2], known_until).copy()
        of_white = known_before(pools, unmet, members[1], members[2], known_until).copy()
        heads = heads_of(pools, members)
        head = activate(all_pools, law, members, games.population[game], day, known_until)
        own = likelihoods.values[pools.slot[head]]
        weights_of(weight, other_pools.mixed, own)
        coming = int(beliefs.games[pair[0]] == 0.0) + int(beliefs.games[pair[1]] == 0.0)
        discount(pools, head, note_ranks(origins, heads, head, games.declared[game], coming))
        terms = terms_in(all_pools, law, head)
        prepare(games, game, settings, (of_white, of_black), players, levels, constants, lines)
        count_entries(games, game, players, levels)
        variance = np.empty(2)
        for side in range(2):
            player = pair[side]
            if beliefs.games[player] == 0.0:
                copy_row(terms.mean, term_loadings.mean[player])
            lines.before[game, side] = beliefs.mean[player]
            variance[side] = predict(beliefs, settings.growth, movements, player, game, day)
            lines.onset_variance[game, side] = variance[side] + quadratic_form(
                terms.covariance, term_loadings.share[player]
            )
        coloured = games.coloured[game] if terms.covariance[0, 0] > 0.0 or law.common[0] == 0.0 else 0.0
        around = onset_mean(lines, game, 0), onset_mean(lines, game, 1)
        shares = term_loadings.share[pair[0]], term_loadings.share[pair[1]]
        lead = lead_between(
            constants.scale,
            (terms.mean, terms.covariance),
            around,
            shares,
            games.stones[game],
            coloured,
        )
        slope, curvature, moved = play(games, game, lead, settings, other_pools, own, constants.scale, beliefs, lines)
        for side in range(2):
            movements.total[pair[side]] += lines.by_result[game, side]
        for side in range(2):
            shared = curvature * lead.black_slope * lead.white_slope
            remember(opponents, movements, pair[side], pair[1 - side], shared, lines.by_result[game, 1 - side])
        growth = mean(weight, settings.growth)
        for side in range(2):
            mix(beliefs, weight, growth, pair[side], game, side, lines)
        teach_by_game(games, game, lead, (slope, curvature), variance, levels, loadings)
        learn(pools, head, terms, lead.slopes, slope, curvature)
        lean_on_terms(term_loadings, lead, pair, moved)
        note_game(games, game, head, terms, shared_state, settings, lines, rows)
    if other_pools.active[0] >= 0:
        tell_others(all_pools, law, other_pools.active[0], 1.0)
        other_pools.active[0] = -1
    summary = np.full(LEARNED + TERMS, np.nan)
    note_population(settings, all_pools, games.population[-1] if count > 0 else 0, summary)
    fill_variances(beliefs, summary, end, state)


@kernel
def note_game(
    games: Games, game: int, head: int, terms: Terms, shared_state: SharedState, settings: Settings, lines: Lines,
    rows: Rows,
) -> None:  # fmt: skip
    """Count a game in its pool, and write down what is known of it from then on."""
    origins = shared_state.origins
    pools, _, other_pools = shared_state.all_pools
    if games.coloured[game] == 1.0 and games.score[game] != 0.5:
        pools.wins[head, int(games.score[game])] += 1.0
        other_pools.wins[games.population[game], int(games.score[game])] += 1.0
    pools.games[head] += 1.0
    pools.last_game[head] = game
    note_newcomers(settings, settings.weight, pools.summary[head])
    copy_information(Information(rows.precision[game], rows.force[game]), information_of(pools, head))
    others = Information(rows.others_precision[game], rows.others_force[game])
    copy_information(others, information_of_others(other_pools, games.population[game]))
    copy_row(terms.mean, pools.summary[head, LEARNED:])
    for side in range(2):
        player = games.black[game] if side == 0 else games.white[game]
        origins.unplaced[player] = origins.unplaced[player] and not origins.ranked[head]
        share = shared_state.term_loadings.share[player]
        copy_row(share, rows.share[game, side])
        lines.variance_after[game, side] += quadratic_form(terms.covariance, share)
