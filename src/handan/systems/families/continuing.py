"""Ratings of a ledger that goes on: games that come last cost a step each, and not the replay of all before them.

They are rated by `Sequential.rate_after`, as those behind saved ratings are, from what the games before leave behind of
their players. The answer is, to the bit, that of the whole replay; wherever a new game could bear on the past, or on
more than its players, there is none, and the system rates all games.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import WORTH_IN_ALL, repeated
from handan.kernels.types import Ints
from handan.ledger import Ledger
from handan.ledger.growing import goes_on, last_games
from handan.ledger.parts import between
from handan.ledger.room import appended, drafting, drafts, with_room
from handan.ratings import Ratings, Rules
from handan.ratings.ladder import tallied_again, tallied_on
from handan.systems.core.base import Sequential
from handan.systems.core.boundaries import batch_boundaries
from handan.systems.core.checkpoint import Checkpoint
from handan.systems.core.forecasting import pass_on_slopes
from handan.systems.core.on_demand import rated_in_full
from handan.systems.core.past import Past, nothing_past, past_after, with_rows
from handan.systems.core.windows import Window, part_of
from handan.systems.families.settlement import pairs_since

FAR = 5_000  # games; our choice: so many are rated anew with each that comes last
BY_GAME = ("before", "change", "unrated", "printed", "variances")
ON_THE_WAY = ("after", "deviations", "weights", "calibration", "sequence", "batch")
"""Further arrays that go on with the games."""
BY_PLAYER = ("rating", "deviation", "rank_number")
"""Fields of ratings with a row a game, and with one a player."""
END, BEHIND = "end", "before the last"
"""Under which ratings keep what games that come last go on from: `Past`, or `Before` where they may move everybody."""
MADE_FROM = "made from"
"""Under which they keep the `Before` that they were made from, whose games stay in their own memory; those of `BEHIND`
are elsewhere from the next game on, since these ratings show their last games behind them."""


def ratings_on(ratings: Ratings, ledger: Ledger) -> Ratings | None:
    """Return what `rate` gives, to the bit, from the ratings of the games before; None where all must be rated.

    Args:
        ratings: Of a ledger that holds the first games of the other one.
        ledger: With the same players and adjustments, and more games that come last (`ledger.growing`).
    """
    system = ratings.system
    if not isinstance(system, Sequential) or not comes_last(ratings, ledger):
        return None
    if system.goes_on_from_cuts:
        return _behind_a_cut(system, ratings, ledger)
    if not system.moves_players_alone:
        return None
    part, players = last_games(ledger, len(ratings.ledger))
    if system.together == "event" and (part.column("event") != "").any():
        return None
    past = _end(ratings)
    if not past.entered[players].all():
        return None
    pairs = pairs_since(ratings, int(part.day.min(initial=past.day + 1)))
    later = system.rate_after(replace(past.of(players), pairs=pairs), part)
    black, white = ratings.pool[players[_pairs(later)]].T
    if ((black < 0) | (black != white)).any():  # the first rated game of a player, or one that joins pools
        return None
    whole = _joined(ratings, ledger, later, players)
    vars(whole)[END] = replace(  # nobody has entered, declared a rank or been set by hand
        past,
        state={name: whole.state[name] for name in past.state},
        batches=past.batches + len(later.batch) - 1,
        day=int(part.day.max(initial=past.day)),
    )
    return whole


def get_ready(ratings: Ratings) -> None:
    """Work out what games that come last go on from, which the first of them would wait for."""
    system = ratings.system
    if not isinstance(system, Sequential) or not len(ratings.ledger):
        return
    if system.goes_on_from_cuts:
        if (before := _before_the_last(system, ratings)) is not None:
            vars(ratings)[BEHIND] = before
    elif system.moves_players_alone:
        _end(ratings)
    if system.calibrated:
        _ = ratings.calibration


def load_code(ratings: Ratings) -> None:
    """Load the machine code with which the games of the last day or period are rated anew, once for each that comes."""
    system, before = ratings.system, vars(ratings).get(BEHIND)
    if isinstance(system, Sequential) and isinstance(before, Before):
        ledger, place = ratings.ledger, before.place
        with repeated(WORTH_IN_ALL):
            system.rate_after(place.past, part_of(ledger, Window(place.game, len(ledger)), place.past.entered))


class Before(NamedTuple):
    """Games before a day or period, from which those behind are rated anew with every game that comes last."""

    ratings: Ratings
    """Of them alone."""
    place: Checkpoint
    """What is known behind them."""


def _behind_a_cut(system: Sequential, ratings: Ratings, ledger: Ledger) -> Ratings | None:
    """Return the ratings of a system that moves everybody when a day or period ends: the last one is rated anew."""
    later = ledger.rows(range(len(ratings.ledger), len(ledger)), ("event",))
    if system.together == "event" and (later["event"] != "").any():
        return None
    black, white = (ratings.pool[side[len(ratings.ledger) :]] for side in ledger.seats)
    if ((black < 0) | (black != white)).any():  # the first rated game of a player, or one that joins pools
        return None
    before = _before_the_last(system, ratings)
    if before is None or any(ledger.position(item) >= before.place.game for item in ledger.adjustments):
        return None
    part = part_of(ledger, Window(before.place.game, len(ledger)), before.place.past.entered)
    vars(ratings)[BEHIND] = before  # so that the next preview need not find it
    answer = system.rate_after(before.place.past, part)
    with drafts():
        whole = _joined(before.ratings, ledger, answer, _everybody(ledger), ratings)
    vars(whole)[MADE_FROM] = before
    vars(whole)[BEHIND] = Before(_own(before.ratings), before.place)
    return whole


def rated_ready(system: Rules, ledger: Ledger) -> Ratings:
    """Return what `rate` gives, with what is said of each game; it finds what games that come last go on from.

    The first of those games does not wait, then, until all others are rated once more.
    """
    if isinstance(system, Sequential) and system.goes_on_from_cuts:
        cuts = batch_boundaries(ledger, system.together)
        if len(cuts) and cuts[-1] > 0:
            return _rated_in_two(system, ledger, int(cuts[-1]), None)
    return rated_in_full(system, ledger)


def rated_anew(past: Ratings, ledger: Ledger) -> Ratings:
    """Return what `rate` gives, to the bit, of the games of ratings of which some say something else.

    What games that come last will go on from is found on the way, where those before went on from such a place. Unless
    a draft is made, the ratings of before lose theirs: its memory is room for this one.

    Args:
        past: Of the games as they were.
        ledger: Of the same players, each game on the same day and of the same event (`ledger.amended`).
    """
    system, last = past.system, vars(past).get(BEHIND)
    if last is None or not isinstance(system, Sequential):
        return rated_in_full(past.system, ledger)
    cut, until = last.place.game, _without_games(last.ratings)
    del last
    if not drafting():
        vars(past).pop(BEHIND, None)
    return _rated_in_two(system, ledger, cut, until)


def _rated_in_two(system: Sequential, ledger: Ledger, cut: int, until: Ratings | None) -> Ratings:
    """Return the ratings of a ledger, with what games that come last go on from.

    Args:
        system: That goes on from cuts.
        ledger: All games.
        cut: Index of the first game behind a clean cut.
        until: Ratings of the games before it as they were, if some say something else now.
    """
    beginning = Checkpoint.beginning(len(ledger.players))
    windows = Window(0, cut), Window(cut, len(ledger))
    first = system.rate_after(beginning.past, part_of(ledger, windows[0], beginning.past.entered))
    if until is not None and (tallies := tallied_again(until, first)) is not None:
        vars(first)["tallies"] = tallies
    place = beginning.after(first, windows[0])
    _make_room(first, len(ledger) - cut, for_several=True)
    answer = system.rate_after(place.past, part_of(ledger, windows[1], place.past.entered))
    own = {name: getattr(answer, name) for name in ("warnings", "notes", "reasons", "pool", "beside")}
    latest = replace(first, adjusted=place.after(answer, windows[1]).adjusted, **own)
    for ratings in (first, latest):
        vars(ratings)["tallies"] = place.tallies
    whole = _joined(first, ledger, answer, _everybody(ledger), latest)
    first.ledger.forget()
    vars(whole)[MADE_FROM] = Before(first, place)
    vars(whole)[BEHIND] = Before(_own(first), place)
    return whole


def _without_games(ratings: Ratings) -> Ratings:
    """Return the same ratings but for what they say of each game, which takes nearly all of their memory."""
    made = copy(ratings)
    for name in (*BY_GAME, "after", "deviations", "weights", "calibration", "extra"):
        vars(made).pop(name, None)
    return made


def in_one_memory(ratings: Ratings) -> Ratings:
    """Return the same ratings for who holds them a while, without what is made of them for games that come since."""
    made_from = vars(ratings).get(MADE_FROM)
    if made_from is None:
        return ratings
    made = _own(ratings)
    vars(made)[BEHIND] = made_from
    return made


def _before_the_last(system: Sequential, ratings: Ratings) -> Before | None:
    """Return the ratings up to a clean cut that is not far from the end; None where the ledger has none."""
    there: Before | None = vars(ratings).get(BEHIND)
    if there is not None and len(ratings.ledger) - there.place.game <= FAR:
        return there
    cuts = batch_boundaries(ratings.ledger, system.together)
    first = 0 if there is None else there.place.game
    if not len(cuts) or cuts[-1] <= first:
        return there
    place = Checkpoint.beginning(len(ratings.ledger.players)) if there is None else there.place
    window = Window(first, int(cuts[-1]))
    answer = system.rate_after(place.past, part_of(ratings.ledger, window, place.past.entered))
    place, whole = place.after(answer, window), answer
    if there is not None:
        until = between(ratings.ledger, 0, window.end, ())
        whole = _joined(there.ratings, until, answer, _everybody(until))
    vars(whole)["tallies"] = place.tallies
    answer.ledger.forget()
    whole = _own(whole)
    _show_part_of(whole, ratings)
    return Before(whole, place)


def _own(ratings: Ratings) -> Ratings:
    """Return the same ratings, which may keep equal arrays of their own."""
    made = copy(ratings)
    vars(made)["extra"] = copy(ratings.extra)
    return made


def _show_part_of(ratings: Ratings, whole: Ratings) -> None:
    """Let ratings keep the first rows of ratings of more games, to which theirs are equal: memory holds them once."""
    own, there = vars(ratings), vars(whole)
    for name in (*BY_GAME, *ON_THE_WAY):
        if own.get(name) is not None and there.get(name) is not None:
            own[name] = there[name][: len(own[name])]
    games = len(ratings.ledger)
    if whole.rank_numbers is not None:
        own["rank_numbers"] = tuple(numbers[:games] for numbers in whole.rank_numbers)
    ratings.extra.show_part_of(whole.extra, games)


def _everybody(ledger: Ledger) -> Ints:
    return np.arange(len(ledger.players))


def comes_last(ratings: Ratings, ledger: Ledger) -> bool:
    """Return whether the games of a ledger behind those of ratings bear on nothing before them."""
    return games_come_last(ratings, ledger) and nobody_is_set_behind(ratings)


def nobody_is_set_behind(ratings: Ratings) -> bool:
    """Return whether nobody's rank or rating is set by hand after the last game."""
    past = ratings.ledger
    return all(past.position(item) < len(past) for item in past.adjustments)


def games_come_last(ratings: Ratings, ledger: Ledger) -> bool:
    """Return whether the games of a ledger behind those of ratings have dates and declare no ranks."""
    past = ratings.ledger
    if not len(past) or not goes_on(ledger, past):
        return False
    games = ledger.rows(range(len(past), len(ledger)), ("date", "black_rank", "white_rank"))
    if games["date"].null_count() or not past.dated[-1]:  # the first date makes the games without one unrated
        return False
    return not any((games[side] != "").any() for side in ("black_rank", "white_rank"))  # it may be how one enters


def _end(ratings: Ratings) -> Past:
    """Return what is known of all players at the end of ratings; it is kept with them."""
    if END not in vars(ratings):
        vars(ratings)[END] = past_after(ratings, nothing_past(len(ratings.ledger.players)))
    end = vars(ratings)[END]
    assert isinstance(end, Past)  # noqa: S101  # what stands there is ours
    return end


def _pairs(ratings: Ratings) -> Ints:
    """Return the players of the rated games, shape (rated, 2)."""
    return np.stack([side[ratings.sequence].astype(np.int64) for side in ratings.ledger.seats], axis=1)


def _joined(ratings: Ratings, ledger: Ledger, later: Ratings, players: Ints, latest: Ratings | None = None) -> Ratings:
    """Return ratings with those of later games.

    Args:
        ratings: Of the games before.
        ledger: All games.
        later: Ratings of the later games alone.
        players: The players of `later`, as the others number them, shape (some,).
        latest: Ratings of more games than `ratings`, of which the rest of what they say still holds; None: `ratings`.
    """
    latest = ratings if latest is None else latest
    _make_room(ratings, len(later.ledger))
    by_game: dict[str, Any] = {name: _chained(getattr(ratings, name), getattr(later, name)) for name in BY_GAME}
    by_player: dict[str, Any] = {
        name: None if values is None else with_rows(values, players, getattr(later, name))
        for name, values in ((name, getattr(ratings, name)) for name in BY_PLAYER)
    }
    numbers: Any = ratings.rank_numbers and tuple(map(_chained, ratings.rank_numbers, later.rank_numbers or ()))
    whole = replace(
        latest,
        ledger=ledger,
        rank_numbers=numbers,
        sequence=appended(ratings.sequence, later.sequence + len(ratings.ledger)),
        batch=appended(ratings.batch, ratings.batch[-1] + later.batch[1:]),
        extra=ratings.extra.followed_by(later.extra, players),
        state={name: with_rows(values, players, later.state[name]) for name, values in ratings.state.items()},
        **by_game,
        **by_player,
    )
    if "after" in vars(ratings) and whole.printed is None:
        vars(whole)["after"] = appended(ratings.after, later.after)
    for name in ("weights", "deviations"):
        if name in vars(ratings):
            vars(whole)[name] = _chained(vars(ratings)[name], getattr(later, name))
    pass_on_slopes(ratings, whole, later)
    if "tallies" in vars(ratings):
        rows = np.flatnonzero(later.tallies[:, 0])  # the others have no game behind
        playing, own = players[rows], later.tallies[rows]
        own = tallied_on(ratings.tallies[playing], own, len(ratings.ledger))
        vars(whole)["tallies"] = with_rows(ratings.tallies, playing, own)
    if latest is ratings:
        pass_on_ranks(ratings, whole, players.tolist())
    else:
        other = latest.rating != whole.rating
        if latest.rank_number is not None:
            other |= latest.rank_number != whole.rank_number
        pass_on_ranks(latest, whole, np.flatnonzero(other).tolist())
    others = latest.tallies[:, 4] != whole.tallies[:, 4]
    pass_on_days(latest, whole, np.flatnonzero(others).tolist())
    return whole


def _make_room(ratings: Ratings, games: int, *, for_several: bool = False) -> None:
    """Let ratings keep equal arrays with room for so many games behind theirs; see `handan.ledger.room.with_room`."""
    own, ready = vars(ratings), partial(with_room, rows=games, for_several=for_several)
    for name in (*BY_GAME, *ON_THE_WAY):  # one after the other: what had no room goes before the next one gets some
        if own.get(name) is not None:
            own[name] = ready(own[name])
    if ratings.rank_numbers is not None:
        own["rank_numbers"] = tuple(map(ready, ratings.rank_numbers))
    ratings.extra.make_room(len(ratings.ledger), games, for_several=for_several)


def _chained(values: NDArray[Any] | None, later: NDArray[Any] | None) -> NDArray[Any] | None:
    """Return the values of games and of those behind them, None where the system writes none down."""
    return None if values is None or later is None else appended(values, later)


def pass_on_ranks(ratings: Ratings, whole: Ratings, players: list[int]) -> None:
    """Let ratings know the ranks of all but some players, of whom they are made anew."""
    if "rank_texts" in vars(ratings):
        texts = list(ratings.rank_texts)
        for player in players:
            texts[player] = str(whole.rank_of(player) or "")
        vars(whole)["rank_texts"] = texts


def pass_on_days(ratings: Ratings, whole: Ratings, players: list[int]) -> None:
    """Let ratings know the last days of all but some players, of whom they are made anew."""
    if "last_days" in vars(ratings):
        days = list(ratings.last_days)
        for player, day in zip(players, whole.days_of(whole.tallies[players, 4]), strict=True):
            days[player] = day
        vars(whole)["last_days"] = days
