"""The ledger of a club from the blocks of its list, which hold the games as numbers."""

from __future__ import annotations

import numpy as np
import polars as pl

from handan.club.blocks import SIDES, facts_of_bytes
from handan.club.people import order_of
from handan.club.state import State
from handan.club.store.fact_models import Game
from handan.club.store.list_models import Block, RatingList
from handan.club.store.list_replay import head_of
from handan.club.store.stored_games import StoredGames
from handan.ledger import Ledger, Player
from handan.ledger.columns import SCHEMA
from handan.ledger.ledger import encoded


def ledger_of_list(state: State) -> Ledger | None:
    """Return the ledger of a state; None where its list follows another entry, or somebody is hidden.

    Only a state that is read from rows has one, as who asks may see it.
    """
    recorded = state.recorded
    if not isinstance(recorded, StoredGames) or state.view:
        return None
    lists = RatingList.objects.filter(club=recorded.club, question="", number=state.number, digest=head_of(state))
    row = lists.first()
    if row is None or not row.keys:
        return None
    stored = Block.objects.filter(list=row).order_by("position").values_list("facts", flat=True)
    facts = pl.concat([facts_of_bytes(bytes(content)) for content in stored])
    keys = row.keys.split("\n")
    seats = np.unique(np.concatenate([facts[side].to_numpy() for side in SIDES])).tolist()
    state.people.read(keys[seat] for seat in seats)
    state.labels.read(keys[seat] for seat in seats)
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
    return encoded(Ledger.from_table(table, state.valid_adjustments, listed=[*players, *others]))
