"""Who is who in a table of games: an id beats a name, and every player is shown by a name that no other has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import polars as pl

from handan.errors import Clause
from handan.ledger.facts import Player

LABEL = " ({})"  # what stands behind one of several equal names: the player's id
SEVERAL = "id {number} stands with {count} names ({names}): read as one player, {first}"
"""Pattern of the warning of an id with several names, which stand in its value `spellings` too."""
FEW = 5  # our choice: names that one warning lists


def identify(games: pl.DataFrame, listed: Iterable[Player] = ()) -> tuple[pl.DataFrame, list[Player], list[str]]:
    """Replace the names in `black` and `white` by the names shown, one for each player.

    The same id with two names is one player (reported); the same name with two ids is two players. A name without an
    id belongs to the only id that bears this name, if there is exactly one, or to the id of its own label.

    Args:
        games: The typed games table.
        listed: What is known of players besides: country, club, order and declared rating.

    Returns:
        The games, the players sorted by name, and the warnings.
    """
    if (games["black_id"] == "").all() and (games["white_id"] == "").all():
        names_only = sorted({*games["black"].unique(), *games["white"].unique()})
        return games, completed([Player(name) for name in names_only], listed), []
    sides = [games.select(name=pl.col(side), id=pl.col(f"{side}_id")).unique() for side in ("black", "white")]
    pairs = sorted(pl.concat(sides).unique().iter_rows())
    ids: dict[str, set[str]] = defaultdict(set)
    names: dict[str, list[str]] = defaultdict(list)
    for name, number in pairs:
        if number:
            ids[name].add(number)
            names[number].append(name)
    several = {number: _without_labels(spellings, number) for number, spellings in names.items()}
    warnings: list[str] = [
        Clause.of(SEVERAL, number=number, count=len(spellings), names=", ".join(spellings), first=spellings[0],
                  spellings=tuple(spellings))
        for number, spellings in several.items()
        if len(spellings) > 1
    ]  # fmt: skip
    torn = [name for name, number in pairs if not number and len(ids[name]) > 1]
    if torn:
        few = ", ".join(torn[:FEW]) + " …" * (len(torn) > FEW)
        pattern = "names with several ids, and without one: {names}; who has none is read as somebody else"
        warnings.append(Clause.of(pattern, names=few))
    labels_of = {f"{name}{LABEL.format(number)}": number for name, numbers in ids.items() for number in numbers}
    shown: dict[tuple[str, str], str] = {}
    players: dict[str, Player] = {}
    for name, number in pairs:
        bearers = ids[name] or {labels_of.get(name, "")}
        owner = number or (next(iter(bearers)) if len(bearers) == 1 else "")
        first = names[owner][0] if owner else name
        label = first + LABEL.format(owner) if owner and len(ids[first]) > 1 else first
        shown[name, number] = label
        players[label] = Player(label, owner)
    if all(name == label for (name, _), label in shown.items()):
        return games, completed([players[name] for name in sorted(players)], listed), warnings
    table = pl.DataFrame(
        [(name, number, label) for (name, number), label in shown.items()],
        schema={"name": pl.String, "number": pl.String, "label": pl.String},
        orient="row",
    )
    for side in ("black", "white"):
        labels = games.select(name=side, number=f"{side}_id").join(table, on=["name", "number"], maintain_order="left")
        games = games.with_columns(labels["label"].alias(side))
    return games, completed([players[name] for name in sorted(players)], listed), warnings


def completed(players: list[Player], listed: Iterable[Player]) -> list[Player]:
    """Return the players with what the lists say of them; an id must agree where both have one.

    Country and club are those of the last list that names the player, the declared rating is that of the first.
    """
    lists = list(listed)
    described = [item for item in lists if item.country or item.club or item.order]
    rated = [item for item in reversed(lists) if item.rating is not None]
    if not described and not rated:
        return players
    places, ratings = (({item.id: item for item in items if item.id}, {item.name: item for item in items})
                       for items in (described, rated))  # fmt: skip
    whole = list(players)
    for place, player in enumerate(players):
        if (item := _same(player, *places)) is not None:
            whole[place] = replace(player, country=item.country, club=item.club, order=item.order)
        if (item := _same(player, *ratings)) is not None:
            whole[place] = replace(
                whole[place], rating=item.rating, rating_origin=item.rating_origin, deviation=item.deviation
            )
    return whole


def _same(player: Player, by_id: Mapping[str, Player], by_name: Mapping[str, Player]) -> Player | None:
    """Return what a list says of a player; None if it does not name them."""
    item = by_id.get(player.id) or by_name.get(player.name)
    return None if item is None or (item.id and player.id and item.id != player.id) else item


def unlabelled(player: Player) -> str:
    """Return the name of a player without the id by which a ledger tells namesakes apart."""
    return player.name.removesuffix(LABEL.format(player.id)) if player.id else player.name


def _without_labels(spellings: Sequence[str], number: str) -> list[str]:
    """Return the names of one id without those that a ledger made by putting a label behind another one of them."""
    return [name for name in spellings if name.removesuffix(LABEL.format(number)) not in {*spellings} - {name}]


class OldPlayersChanged(Exception):  # noqa: N818  # no error: the message says why all games must be read again
    """New games show that somebody else played old ones."""


def recognised(players: pl.DataFrame, new: Iterable[Player]) -> tuple[dict[str, str], list[Player], list[Player]]:
    """Return who new players are among old ones, as `identify` has it, where no old game becomes another player's.

    Returns:
        The name here of each name there; the players who are new here; and those of whom more is known.

    Raises:
        OldPlayersChanged: If an old name stands for another player now, or an old player under another name.
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
            raise OldPlayersChanged(f"{player.name} ({player.id}) tells who {old.name} is")
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
