"""Standings of a club whose newest games come last, from those before them: an entry costs a step, not a replay."""

from __future__ import annotations

from datetime import date

import polars as pl

from handan.club.game_rows import rows_of
from handan.club.rules import Rules
from handan.club.standings import LastAdded, Phase, Standings, chosen_rules, day_of
from handan.club.state import State
from handan.ledger.growing import goes_on, ledger_with
from handan.ratings.ladder import ladder_rows_on
from handan.systems.families.continuing import ratings_on


def standings_on(before: Standings, state: State, today: date, rules: Rules | None = None) -> Standings | None:
    """Return what `standings` gives for all games of a state, to the bit, from standings of fewer games.

    None where the games since do not come last, where a system must rate all of them, or where other rules hold.
    """
    chosen = chosen_rules(state, today, rules)
    if before.day is not None or chosen != [phase.rules for phase in before.phases]:
        return None
    past, new = before.state.ledger, state.ledger
    if not goes_on(new, past):
        return None
    later = new.games[len(past) :].cast({"black": pl.String, "white": pl.String})
    phase = before.phases[-1]
    ledger = new if len(chosen) == 1 else ledger_with(phase.ratings.ledger, later)
    ratings = None if ledger is None else ratings_on(phase.ratings, ledger)
    if ratings is None:
        return None
    after = Standings(state, (*before.phases[:-1], Phase(phase.rules, ratings)), None, today)
    _pass_on(before, after, later["line"].to_list())
    return after


def _pass_on(before: Standings, after: Standings, lines: list[int]) -> None:
    """Let standings know what those before have worked out of their games, with the games since."""
    vars(after)["kept_texts"] = before.kept_texts
    if "rows" in vars(before):
        vars(after)["earlier_rows"] = before.earlier_rows
        rows = ladder_rows_on(before.ratings, before.rows, after.ratings, after.whole_row)
        if rows is not None:
            vars(after)["rows"] = rows
    new = rows_of(after.state.games, lines).sort("added", "line")
    last = before.last_added
    if new.height and (last is None or new["added"][0] < last.entered):
        return
    if "last_updated" in vars(before):
        days = [(row[side], day_of(row)) for row in new.iter_rows(named=True) for side in ("black", "white")]
        own = {after.state.person(key).key: day for key, day in days}
        vars(after)["last_updated"] = {**before.last_updated, **own}
    if new.height:
        row = new.row(-1, named=True)
        vars(after)["last_added"] = LastAdded(f"g{row['line']}", day_of(row), row["added"])
