"""Standings of a club whose newest games come last, from those before them: an entry costs a step, not a replay.

After a correction all games are rated, and nothing else is made anew but what it may bear on.
"""

from __future__ import annotations

from copy import copy
from datetime import date

import numpy as np
import polars as pl

from handan.club.game_rows import rows_of
from handan.club.rules import Rules
from handan.club.standings import LastAdded, Phase, Standings, chosen_rules, day_of
from handan.club.state import State
from handan.ledger import Ledger
from handan.ledger.amended import amends
from handan.ledger.growing import goes_on, ledger_with
from handan.ratings import Ratings
from handan.ratings.ladder import strongest_first, tallied_again
from handan.systems.families.continuing import pass_on_days, rated_anew, ratings_on

WHATEVER_THE_DAY = ("rows", "by_key", "earlier_rows", "drawn", "decimals", "last_added", "last_updated")
"""What standings work out of their games alone."""
WHOLE_DAY = 10  # characters of a date with its day


def standings_on(
    before: Standings, state: State, today: date, rules: Rules | None = None, *, ladder: bool = True
) -> Standings | None:
    """Return what `standings` gives for all games of a state, to the bit, from standings of fewer games.

    None where the games since do not come last, where a system must rate all of them, or where other rules hold.
    `ladder` says whether the rows of the ladder are made at once, where those of before are there.
    """
    chosen = chosen_rules(state, today, rules)
    if before.day is not None or chosen != [phase.rules for phase in before.phases]:
        return None
    past, new = before.state.ledger, state.ledger
    if not goes_on(new, past):
        return None
    phase, later = before.phases[-1], range(len(past), len(new))
    ledger = new if len(chosen) == 1 else ledger_with(phase.ratings.ledger, _texts(new.rows(later)))
    ratings = None if ledger is None else _rated_on(phase.ratings, ledger)
    if ratings is None:
        return None
    after = Standings(state, (*before.phases[:-1], Phase(phase.rules, ratings)), None, today)
    _pass_on(before, after, new.rows(later, ("line",)).to_series().to_list(), ladder=ladder)
    return after


def _rated_on(before: Ratings, ledger: Ledger) -> Ratings | None:
    """Return the ratings of a ledger that goes on; None where all games must be rated."""
    if ledger is before.ledger:
        return before
    return ratings_on(before, ledger)


def _texts(games: pl.DataFrame) -> pl.DataFrame:
    return games.with_columns(pl.col("black", "white").cast(pl.String))


def standings_amended(
    before: Standings, state: State, today: date, rules: Rules | None = None, *, ladder: bool = True
) -> Standings | None:
    """Return what `standings` gives of a state in which some games say something else, to the bit.

    All games are rated, and what they do not bear on stays. None where other rules hold, or changed on the way, or a
    game is of other players, another day or event. `ladder` as in `standings_on`.
    """
    chosen = chosen_rules(state, today, rules)
    if before.day is not None or len(chosen) > 1 or chosen != [phase.rules for phase in before.phases]:
        return None
    if not amends(state.ledger, before.state.ledger) or before.ratings.ledger is not before.state.ledger:
        return None
    ratings = rated_anew(before.ratings, state.ledger)
    if (tallies := tallied_again(before.ratings, ratings)) is not None:
        vars(ratings)["tallies"] = tallies
    later = before.ratings.tallies[:, 4] != ratings.tallies[:, 4]
    pass_on_days(before.ratings, ratings, np.flatnonzero(later).tolist())
    after = Standings(state, (Phase(chosen[0], ratings),), None, today)
    _pass_on(before, after, [], ladder=ladder)
    return after


def standings_since(
    before: Standings, state: State, today: date, rules: Rules | None = None, *, ladder: bool = True
) -> Standings | None:
    """Return what `standings` gives of a state with more games, of which some say something else, too, to the bit.

    First come the games, as in `standings_on`, then what others say now, as in `standings_amended`. None where neither
    can be done; `ladder` as there.
    """
    made = standings_on(before, state, today, rules, ladder=ladder)
    made = made or standings_amended(before, state, today, rules, ladder=ladder)
    if made is not None or state.grown is None:
        return made
    between = copy(state)
    vars(between)["ledger"] = state.grown
    grown = standings_on(before, between, today, rules, ladder=ladder)
    return None if grown is None else standings_amended(grown, state, today, rules, ladder=ladder)


def standings_until(now: Standings, day: date) -> Standings | None:
    """Return what `standings` gives up to a day, to the bit, from those of all games, if none of them is later.

    None where a game, an adjustment or the rules could be of another day.
    """
    ledger, today = now.state.ledger, now.today
    if today is None or not len(ledger) or not ledger.dated.all():
        return None
    last, vaguest = ledger.rows([-1], ("date",)).item(), ledger.column("precision").min()
    late = any(item.date is not None and item.date.last.date() > day for item in ledger.adjustments)  # type: ignore[union-attr]
    if late or vaguest < WHOLE_DAY or last.date() > day:  # type: ignore[operator]  # of a column of numbers
        return None
    if chosen_rules(now.state, min(day, today), None) != [phase.rules for phase in now.phases]:
        return None
    until = Standings(now.state, now.phases, day, today)
    vars(until).update({name: value for name, value in vars(now).items() if name in WHATEVER_THE_DAY})
    return until


def _pass_on(before: Standings, after: Standings, lines: list[int], *, ladder: bool) -> None:
    """Let standings know what those before have worked out of their games, with the games since."""
    one, other = before.ratings, after.ratings
    if "ladder" in vars(one) and one.ledger.players is other.ledger.players and "ladder" not in vars(other):
        vars(other)["ladder"] = strongest_first(other, one.ladder)
    if ladder and "rows" in vars(before):
        vars(after)["earlier_rows"] = before.earlier_rows
        rows = before.rows.followed_by(after.ratings, after.whole_row)
        if rows is not None:
            vars(after)["rows"] = rows
    new = rows_of(after.state.games, lines)
    new = new.sort("added", "line") if new.height > 1 else new
    last = before.last_added
    if new.height and (last is None or new["added"][0] < last.entered):
        return
    if "last_updated" in vars(before):
        days = [(row[side], day_of(row)) for row in new.iter_rows(named=True) for side in ("black", "white")]
        own = {after.state.person(key).key: day for key, day in days}
        vars(after)["last_updated"] = before.last_updated.followed_by(own)
    if new.height:
        row = new.row(-1, named=True)
        vars(after)["last_added"] = LastAdded(f"g{row['line']}", day_of(row), row["added"])
