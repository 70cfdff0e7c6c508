"""What one kind of entry is, and the state in the making on which it has its effect."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import polars as pl

from handan.club.entries import Draft, Record
from handan.club.kinds import Kind
from handan.club.people import Layer
from handan.club.recorded import RECORDED, typed_games
from handan.club.state import COUNTS, FOREIGN, GAME_FACTS, State

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Handler:
    """The check and the effect of one kind of entry."""

    kind: Kind
    check: Callable[..., Draft] | None
    """Checks what is wanted against a state and returns the entry to be written; None: not by a change of people."""
    effect: Callable[[Folding, Record], None]
    """Puts an entry's meaning into a state in the making; trusts the entry, which was checked when it was made."""
    of_game: bool = False
    """Whether it is about a game."""


class Folding:
    """A state in the making: what the effects of entries change, over a state that stays as it is."""

    def __init__(self, state: State) -> None:
        self.state, self.number, self.digest = state, state.number, state.digest
        self.people, self.merged = Layer(state.people), Layer(state.merged)
        self.adjustments, self.sheets = Layer(state.adjustments), Layer(state.sheets)
        self.events = Layer(state.events)
        self.rules, self.lists = list(state.rules), list(state.lists)
        self.key, self.zone, self.withdrawn = state.key, state.zone, set(state.withdrawn)
        self.facts: dict[int, Mapping[str, Any]] = {}
        self.statuses: dict[int, int] = {}
        self.latest: dict[int, int] = {}
        self.added: dict[int, datetime] = {}
        self.unconfirmed: dict[int, bool] = {}

    def take(self, record: Record, handler: Handler) -> None:
        """Let an entry have the effect that its kind has."""
        self.number, self.digest = record.number, record.digest
        if handler.of_game:
            self.latest[int(record.subject[1:])] = record.number
        handler.effect(self, record)

    def made(self) -> State:
        """Return the state after the entries that were taken."""
        return replace(
            self.state,
            number=self.number,
            digest=self.digest,
            people=self.state.people.with_changed(self.people.changed),
            merged=self.merged.whole,
            recorded=self.state.recorded.with_changed(self._games()),
            adjustments=self.adjustments.whole,
            rules=tuple(self.rules),
            lists=tuple(self.lists),
            key=self.key,
            zone=self.zone,
            withdrawn=frozenset(self.withdrawn),
            sheets=self.sheets.whole,
            events=self.state.events.with_changed(self.events.changed),
        )

    @property
    def touched_games(self) -> set[int]:
        """Numbers of the games that entries were about."""
        return {*self.latest}

    @property
    def touched_players(self) -> set[str]:
        """Keys of the players of whom something may be other than it was."""
        return self.people.touched | self.merged.touched | (self.withdrawn ^ self.state.withdrawn)

    def final(self, key: str) -> str:
        """Return whom a player was found to be."""
        while key in self.merged:
            key = self.merged[key]
        return key

    def status(self, number: int) -> int | None:
        """Return the status of a game, given by the number in its key, None for one that is not there."""
        if number in self.statuses:
            return self.statuses[number]
        return self.state.recorded.numbered([number])["status"].first()  # type: ignore[return-value]

    def _games(self) -> pl.DataFrame:
        """Return the rows of the games that entries were about."""
        if not self.latest:
            return pl.DataFrame(schema=RECORDED)
        earlier = [number for number in self.latest if not self.state.number < number < FOREIGN]
        before = self.state.recorded.numbered(earlier) if earlier else pl.DataFrame(schema=RECORDED)
        by_number = before.select("line", *CHANGING).with_columns(pl.col("added").to_physical())
        changing = {row["line"]: row for row in by_number.iter_rows(named=True)}
        facts = [name for name in RECORDED if name not in CHANGING]
        as_before = before.filter(~pl.col("line").is_in([*self.facts])).select(facts)
        rows = as_before
        if self.facts:
            typed = {column.name: column for column in typed_games(self.facts, GAME_FACTS)}
            rows = pl.concat([as_before, pl.DataFrame([typed[name].cast(RECORDED[name]) for name in facts])])
        lines = rows["line"].to_list()
        cells = {
            "status": [self.statuses.get(line, changing.get(line, NEW)["status"]) for line in lines],
            "latest": [self.latest[line] for line in lines],
            "added": [
                _microseconds(self.added[line]) if line in self.added else changing.get(line, NEW)["added"]
                for line in lines
            ],
            "unconfirmed": [self.unconfirmed.get(line, changing.get(line, NEW)["unconfirmed"]) for line in lines],
        }
        added = [pl.Series(name, values).cast(RECORDED[name]) for name, values in cells.items()]
        return rows.with_columns(added).select(list(RECORDED))


CHANGING = ("status", "latest", "added", "unconfirmed")
"""What entries say of a game besides its facts."""
NEW: Mapping[str, Any] = {"status": COUNTS, "added": None, "unconfirmed": False}


def _microseconds(moment: datetime) -> int:
    """Return a moment as the games table counts it, since 1970; a column made of moments takes far longer."""
    return (moment - EPOCH) // timedelta(microseconds=1)
