"""From entries to the state of a club: each has the effect that its kind has. No database, no clock."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

import polars as pl

from handan.club.changes import EVENTS
from handan.club.entries import Record
from handan.club.game_rows import FEW, columns_of, place_of, rows_of, typed_games
from handan.club.kinds import Kind
from handan.club.layer import Layer
from handan.club.once import once
from handan.club.passing_on import pass_on, with_cells
from handan.club.state import COUNTS, FOREIGN, GAME_FACTS, State
from handan.club.texts import frame, note_texts, texts_of

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PIECES = 16  # our choice: columns stand in so many pieces before they are copied into one
SMALL = 16  # our choice: a piece with less than one in so many of the games is put together with others
AT_ONCE = 20_000  # entries; our choice: so many stand in memory while a long ledger is read


def fold(state: State, records: Iterable[Record]) -> State:
    """Return the state after more entries; they must be valid, as those of a ledger are."""
    following = iter(records)
    while part := list(islice(following, AT_ONCE)):
        state = Folding(state).take(part)
    return state


class Folding:
    """A state in the making: what the effects of entries change."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.people, self.merged = Layer(state.people), Layer(state.merged)
        self.adjustments, self.sheets = Layer(state.adjustments), Layer(state.sheets)
        self.rules, self.lists = list(state.rules), list(state.lists)
        self.key, self.zone, self.withdrawn = state.key, state.zone, set(state.withdrawn)
        self.facts: dict[int, Mapping[str, Any]] = {}
        self.statuses: dict[int, int] = {}
        self.latest: dict[int, int] = {}
        self.added: dict[int, datetime] = {}
        self.unconfirmed: dict[int, bool] = {}

    def take(self, records: Iterable[Record]) -> State:
        """Return the state after more entries."""
        number, digest, kinds = self.state.number, self.state.digest, set[Kind]()
        for record in records:
            number, digest = record.number, record.digest
            kinds.add(record.kind)
            self._take(record)
        made = replace(
            self.state,
            number=number,
            digest=digest,
            people=self.people.whole,
            merged=self.merged.whole,
            games=self._games(),
            adjustments=self.adjustments.whole,
            rules=tuple(self.rules),
            lists=tuple(self.lists),
            key=self.key,
            zone=self.zone,
            withdrawn=frozenset(self.withdrawn),
            sheets=self.sheets.whole,
        )
        pass_on(self.state, made, kinds, list(self.latest), self._counted)
        return made

    @property
    def touched_games(self) -> set[int]:
        """Numbers of the games that entries were about."""
        return {*self.latest}

    @property
    def touched_players(self) -> set[str]:
        """Keys of the players of whom something may be other than it was."""
        return self.people.touched | self.merged.touched | (self.withdrawn ^ self.state.withdrawn)

    def _take(self, record: Record) -> None:
        event = EVENTS[record.kind]
        if event.of_game:
            self.latest[int(record.subject[1:])] = record.number
        event.effect(self, record)

    def final(self, key: str) -> str:
        """Return whom a player was found to be."""
        while key in self.merged:
            key = self.merged[key]
        return key

    def status(self, number: int) -> int | None:
        """Return the status of a game, given by the number in its key, None for one that is not there."""
        if number in self.statuses:
            return self.statuses[number]
        return rows_of(self.state.games, [number])["status"].first()  # type: ignore[return-value]

    @once
    def _there(self) -> frozenset[int]:
        """Numbers of the games told of here that the state knows already."""
        numbers = {number for number in (*self.facts, *self.latest) if not self.state.number < number < FOREIGN}
        if not numbers:
            return frozenset()
        return frozenset(rows_of(columns_of(self.state.games, "line"), numbers)["line"])

    @property
    def _counted(self) -> list[int]:
        """Numbers of the games told of here that counted before."""
        if not self._there:
            return []
        return rows_of(self.state.games, self._there).filter(pl.col("status") == COUNTS)["line"].to_list()

    def _with_statuses(self, games: pl.DataFrame) -> pl.DataFrame:
        """Return games with what was told of them besides their facts."""
        return with_cells(games, status=self.statuses, unconfirmed=self.unconfirmed, latest=self.latest)

    def _new_rows(self, new: Mapping[int, Mapping[str, Any]]) -> pl.DataFrame:
        """Return the rows of games by the number of the entry that recorded them, with what was told of them since."""
        cells: dict[str, list[Any]] = {
            "added": [_microseconds(self.added.get(line)) for line in new],
            "status": [self.statuses.get(line, COUNTS) for line in new],
            "unconfirmed": [self.unconfirmed.get(line, False) for line in new],
            "latest": [self.latest.get(line, line) for line in new],
        }
        facts = {column.name: column for column in typed_games(new, GAME_FACTS)}
        columns = facts | {name: pl.Series(name, values) for name, values in cells.items()}
        return pl.DataFrame([columns[name].cast(dtype) for name, dtype in self._schema.items()])

    @once
    def _schema(self) -> pl.Schema:
        """Types of the columns of the games; the texts of new games are kept beside those of the others."""
        return frame(texts_of(self.state.games))

    def _games(self) -> pl.DataFrame:
        """Return the games with what was told of them since."""
        games = self.state.games
        old = {line: facts for line, facts in self.facts.items() if line in self._there}
        if old:
            rows = typed_games(old, GAME_FACTS)
            before = rows_of(games, old).select("line", "added", "unconfirmed", "status")
            rows = rows.join(before, on="line", how="left", maintain_order="left")
            rows = rows.select(list(self._schema)).cast(self._schema)
            games = pl.concat([*_without(games, old), rows])
            note_texts(rows, games.height)
        new = {line: facts for line, facts in self.facts.items() if line not in old}
        if not self._there.isdisjoint(self.latest):
            games = self._with_statuses(games)
        if new:
            rows = self._new_rows(new)
            games = pl.concat([games, rows])
            note_texts(rows, games.height)
        return in_few_pieces(games)


def _microseconds(moment: datetime | None) -> int | None:
    """Return a moment as the games table counts it, since 1970; a column made of moments takes far longer."""
    return None if moment is None else (moment - EPOCH) // timedelta(microseconds=1)


def _without(games: pl.DataFrame, lines: Collection[int]) -> list[pl.DataFrame]:
    """Return games without some of them in parts; of few that go the others are not copied."""
    if len(lines) > FEW:
        return [games.filter(~pl.col("line").is_in(list(lines)))]
    places = sorted(place for place in (place_of(games["line"], line) for line in lines) if place is not None)
    starts, ends = [0, *(place + 1 for place in places)], [*places, games.height]
    return [games[start:end] for start, end in zip(starts, ends, strict=True)]


def in_few_pieces(games: pl.DataFrame) -> pl.DataFrame:
    """Return games that stand in less than `PIECES` pieces; else every entry would add one for ever.

    Small pieces are put together, large ones stay where they are, which may be in the mapped file of a snapshot.
    """
    lengths = games["line"].chunk_lengths()
    if len(lengths) < PIECES:
        return games
    parts: list[pl.DataFrame] = []
    start, behind_small = 0, False
    for length in lengths:
        piece, start = games[start : start + length], start + length
        small = length * SMALL < games.height
        if small and behind_small:
            parts[-1] = pl.concat([parts[-1], piece])
        else:
            parts.append(piece)
        behind_small = small
    return pl.concat([part.rechunk() for part in parts], rechunk=len(parts) >= PIECES)
