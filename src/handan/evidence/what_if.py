"""What another system, or other settings, would make of the same games: both lists side by side."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from handan.errors import InputError
from handan.evidence.candidates import label_of
from handan.ledger import Ledger
from handan.ranks import LAST, Rank
from handan.ratings.ladder import Row, ladder_rows
from handan.systems import System

RANKS = tuple(Rank(grade, number) for grade, last in LAST.items() for number in (1, last))
"""Ranks by which scales are compared: where each enters."""


@dataclass(frozen=True, slots=True)
class OnBothLists:
    """A player on both lists; None where one of them does not have the player, or nothing is said."""

    player: str
    games: int
    place_before: int | None
    place_after: int | None
    rank_before: str
    rank_after: str
    ranks: int | None
    """Ranks that the second list puts the player higher."""
    rating_before: float | None
    rating_after: float | None
    difference: float | None
    """Of the ratings, where both are on one scale."""


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Two lists of the same games."""

    before: str
    """Name and settings of the system of the first."""
    after: str
    one_scale: bool
    """Whether every rank enters both with the same rating; else no rating is subtracted from another."""
    players: tuple[OnBothLists, ...]
    """Who moves most stands first: by ranks, then by rating or place."""

    @property
    def moved(self) -> dict[int, int]:
        """How many players stand so many ranks higher on the second list, from the most lower ones on."""
        counts = Counter(each.ranks for each in self.players if each.ranks is not None)
        return dict(sorted(counts.items()))

    def as_dict(self) -> dict[str, Any]:
        """Return plain data."""
        moved = [{"ranks": ranks, "players": number} for ranks, number in self.moved.items()]
        return {"from": self.before, "to": self.after, "one_scale": self.one_scale, "moved": moved,
                "players": [asdict(each) for each in self.players]}  # fmt: skip


def what_if(ledger: Ledger, before: System, after: System) -> WhatIf:
    """Return the lists of a ledger under two systems, side by side."""
    first, second = ({row["player"]: row for row in ladder_rows(made.rate(ledger).arrays)} for made in (before, after))
    same = on_one_scale(before, after)
    names = dict.fromkeys([*first, *second])
    players = [_both(name, first.get(name, {}), second.get(name, {}), one_scale=same) for name in names]
    return WhatIf(label_of(before), label_of(after), same, tuple(sorted(players, key=_by_move)))


def on_one_scale(one: System, other: System) -> bool:
    """Whether every rank enters two systems with the same rating, so that their ratings can be subtracted."""
    if one.name == other.name and one == other:
        return True
    try:
        return all(one.rating_for(rank) == other.rating_for(rank) for rank in RANKS)
    except (InputError, NotImplementedError):
        return False


def _both(name: str, first: Row, second: Row, *, one_scale: bool) -> OnBothLists:
    old, new = first.get("rating"), second.get("rating")
    ranks = [row.get("rank") or "" for row in (first, second)]
    places = [Rank.parse(rank).stones for rank in ranks if rank]
    return OnBothLists(
        player=name,
        games=max(row.get("games", 0) for row in (first, second)),
        place_before=first.get("place"),
        place_after=second.get("place"),
        rank_before=ranks[0],
        rank_after=ranks[1],
        ranks=round(places[1] - places[0]) if len(places) == 2 else None,
        rating_before=old,
        rating_after=new,
        difference=new - old if one_scale and old is not None and new is not None else None,
    )


def _by_move(each: OnBothLists) -> tuple[float, float, str]:
    """Return what puts the largest move first."""
    if each.difference is not None:
        second = abs(each.difference)
    else:
        second = abs((each.place_after or 0) - (each.place_before or 0))
    return -abs(each.ranks or 0), -second, each.player
