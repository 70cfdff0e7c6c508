"""Games that the points with which members came hold already: they are history, and move nobody."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import polars as pl

from handan.club.entries import Draft
from handan.club.kinds import Kind
from handan.club.state import WITHDRAWN, State
from handan.ledger import When
from handan.systems.core.unrated_reasons import FREE_KINDS, HISTORY


class PointsOnEntry:
    """The days of which the points are that members brought along, as far as no counted game is older."""

    def __init__(self, state: State, evening: date | None = None) -> None:
        """Take the club, and the day of its evening: no points hold what is played now, also past midnight."""
        self.state, self.evening = state, evening
        self._days: dict[str, date] = {}
        """The earliest day of points of each member, by key."""
        self._is_first: dict[str, bool] = {}
        """Whether no game that counts is older than these points."""
        for item in state.adjustments.values():
            when = When.of(item.facts.get("date"))
            if when is None or item.facts.get("rating") is None or item.facts.get("at_least"):
                continue
            if state.is_in_force(item):
                key, day = state.final(item.player), when.moment.date()
                self._days[key] = min(day, self._days.get(key, day))

    def holding(self, facts: Mapping[str, Any]) -> date | None:
        """Return the day of the points that hold a game already, given by its facts; None where it counts.

        Where only one of the two came with points, they are that one's; where both did, it is older than both.
        """
        when = When.of(facts.get("date"))
        if when is None or not self._days or facts.get("kind") in {*FREE_KINDS, HISTORY}:
            return None
        if self.evening is not None and when.moment.date() >= self.evening:
            return None
        keys = [self.state.final(str(facts[side])) for side in ("black", "white")]
        days = [self._days[key] for key in keys if key in self._days and self._came_with_them(key)]
        return min(days) if days and when.moment.date() < min(days) else None

    def _came_with_them(self, key: str) -> bool:
        """Return whether no game that counts is older than a member's points."""
        if key not in self._is_first:
            games = self.state.recorded.of(self.state.names_of(key))
            counted = (pl.col("status") != WITHDRAWN) & (pl.col("kind").fill_null("") != HISTORY)
            self._is_first[key] = games.filter(counted & (pl.col("date").dt.date() < self._days[key])).is_empty()
        return self._is_first[key]

    def as_history(self, draft: Draft) -> Draft:
        """Return the entry of a game as one of history, if points hold it; other entries as they are."""
        if draft.kind is not Kind.GAME_RECORDED or self.holding(draft.facts) is None:
            return draft
        return replace(draft, facts={**draft.facts, "kind": HISTORY})
