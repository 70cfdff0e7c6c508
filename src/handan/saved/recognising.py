"""Who the players of new games are among those of saved ratings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import polars as pl

from handan.ledger import Player


class WhoIsWho(Exception):  # noqa: N818  # no error: the message says why all games must be read again
    """New games tell of old ones who played them."""


def recognised(players: pl.DataFrame, new: Iterable[Player]) -> tuple[dict[str, str], list[Player], list[Player]]:
    """Return who is who, as `Ledger.__add__` has it, where no old game becomes another player's.

    Args:
        players: One row a player.
        new: The players of new games.

    Returns:
        The name here of each name there; the players who are new here; and those of whom more is known.

    Raises:
        WhoIsWho: If an old name stands for another player now, or an old player under another name.
    """
    coming = list(new)
    ids = pl.Series([player.id for player in coming if player.id], dtype=pl.String)
    names = pl.Series([player.name for player in coming], dtype=pl.String)
    rows = players.filter(pl.col("name").is_in(names.implode()) | pl.col("id").is_in(ids.implode()))
    here = [Player(**row) for row in rows.iter_rows(named=True)]
    by_name, by_id = {player.name: player for player in here}, {player.id: player for player in here if player.id}
    shown, strangers, described = {}, [], []
    for player in coming:
        old = by_id.get(player.id) or by_name.get(player.name)
        if old is None:
            strangers.append(player)
            shown[player.name] = player.name
            continue
        if player.id and (old.id != player.id or old.name > player.name or by_name.get(player.name, old) != old):
            raise WhoIsWho(f"{player.name} ({player.id}) tells who {old.name} is")
        shown[player.name] = old.name
        fuller = _with_facts(old, player)
        if fuller != old or fuller.rating != old.rating:
            described.append(fuller)
    return shown, strangers, described


def _with_facts(old: Player, new: Player) -> Player:
    """Return a player with what a later list says: country, club and order of the later, the rating of the first."""
    player = old
    if new.country or new.club or new.order:
        player = replace(player, country=new.country, club=new.club, order=new.order)
    if player.rating is None and new.rating is not None:
        player = replace(player, rating=new.rating, rating_origin=new.rating_origin, deviation=new.deviation)
    return player
