"""The standings of a stored club, of which a process keeps those that it was asked for last."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import numpy as np
import polars as pl

from handan.club.blocks import SIDES, facts_of_bytes
from handan.club.people import order_of
from handan.club.rules import Rules
from handan.club.standings import Standings, standings
from handan.club.state import State
from handan.club.store.clock import today
from handan.club.store.computed_cache import computed_cache
from handan.club.store.fact_models import Game
from handan.club.store.list_models import Block, RatingList
from handan.club.store.stored_facts import StoredGames
from handan.club.store.throttle import throttle
from handan.ledger import Ledger, Player
from handan.ledger.columns import SCHEMA


def ledger_of_list(state: State) -> Ledger | None:
    """Return the ledger of a state; None where its list follows another entry, or somebody is hidden.

    Only a state that is read from rows has one, as who asks may see it.
    """
    recorded = state.recorded
    if not isinstance(recorded, StoredGames) or state.view:
        return None
    lists = RatingList.objects.filter(club=recorded.club, question="", number=state.number, digest=state.head)
    row = lists.first()
    if row is None or not row.keys:
        return None
    stored = Block.objects.filter(list=row).order_by("position").values_list("facts", flat=True)
    facts = pl.concat([facts_of_bytes(bytes(content)) for content in stored])
    keys = row.keys.split("\n")
    seats = np.unique(np.concatenate([facts[side].to_numpy() for side in SIDES])).tolist()
    state.people.prefetch(keys[seat] for seat in seats)
    state.labels.prefetch(keys[seat] for seat in seats)
    own_keys = [keys[seat] for seat in seats]
    numbers = [next(iter(state.people[key].ids), "") for key in own_keys]
    players = [
        Player(state.labels[key], number, order=order_of(key)) for key, number in zip(own_keys, numbers, strict=True)
    ]
    names = pl.DataFrame({"seat": pl.Series(seats, dtype=pl.UInt32), "name": [player.name for player in players],
                          "number": [player.id for player in players]})  # fmt: skip
    for side in SIDES:
        own = names.rename({"seat": side, "name": f"{side} name", "number": f"{side}_id"})
        facts = facts.join(own, on=side, how="left", maintain_order="left").drop(side).rename({f"{side} name": side})
    notes = dict(Game.objects.filter(club=recorded.club).exclude(notes="").values_list("line", "notes"))
    written = pl.col("line").replace_strict(notes, default="", return_dtype=pl.String) if notes else pl.lit("")
    table = facts.with_columns(source=pl.lit(state.slug), notes=written, entry=pl.col("line"))
    table = table.select(list(SCHEMA)).cast(SCHEMA)
    adjusted = {state.person(item.player).key for item in state.shown_adjustments if state.is_in_force(item)}
    others = [Player(state.labels[key], order=order_of(key)) for key in sorted(adjusted.difference(own_keys))]
    return Ledger.from_table(table, state.valid_adjustments, listed=[*players, *others])


def standings_of(state: State, day: date | None = None, rules: Rules | None = None) -> Standings:
    """Return the standings of a state, from the cache if they are there.

    Args:
        state: The club's state.
        day: The last day whose games count; None: all.
        rules: Another system in place of the club's own.
    """

    def make() -> Standings:
        with throttle.computing():
            return standings(state, today(), day, rules, ledger_of_list(state))

    return _kept(state, day, rules, make)


def _kept(state: State, day: date | None, rules: Rules | None, make: Callable[[], Standings]) -> Standings:
    """Return the standings of a state from the cache, made if they are not there."""
    other = None if rules is None else repr(sorted(rules.as_dict().items(), key=str))
    question = (state.slug, day, other, state.view)
    key = (*question, today(), state.number, state.digest, state.sources)
    entries = state.number + sum(source.number for source in state.sources)
    return computed_cache.get(key, make, (question, entries))


def made_of_all(state: State) -> Standings:
    """Return the live standings made from all games, for what no row tells; whoever asks is not braked by it."""
    return _kept(state, None, None, lambda: standings(state, today(), ledger=ledger_of_list(state)))
