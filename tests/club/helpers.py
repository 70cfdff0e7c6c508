"""Ledgers of clubs without a database."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from handan.club import changes
from handan.club.entries import Draft, Record, chained
from handan.club.folding import fold
from handan.club.state import State
from handan.club.texts import TEXTS
from handan.ledger.folder import HEAD

TODAY = date(2026, 11, 20)
MOMENT = datetime(2026, 11, 20, 12, tzinfo=UTC)


def plain(games: pl.DataFrame) -> pl.DataFrame:
    """Games of a state with their texts as such, whatever others are kept beside them."""
    return games.cast(dict.fromkeys(TEXTS, pl.String))


class Book:
    """A ledger in memory: the state, and all entries."""

    def __init__(self, slug: str = "club") -> None:
        self.state = State(slug)
        self.records: list[Record] = []

    def add(self, drafts: Draft | Iterable[Draft], moment: datetime = MOMENT, author: str = "keeper") -> Record:
        """Write drafts; the last entry."""
        made = [drafts] if isinstance(drafts, Draft) else list(drafts)
        records = list(chained(made, self.state.number, self.state.digest, author, moment))
        self.records += records
        self.state = fold(self.state, records)
        return records[-1]

    def player(self, name: str, rank: str = "", **others: Any) -> str:
        """Register a player, with a rank on entry; his key."""
        key = self.add(changes.register_player(self.state, {"name": name, **others})).subject
        if rank:
            self.add(changes.adjust(self.state, key, {"rank": rank}, TODAY, "entry"))
        return key

    def game(self, black: str, white: str, result: str = "B+", day: str = "2026-05-01", **others: Any) -> str:
        """Record a game; its key."""
        facts = {"black": black, "white": white, "result": result, "date": day, **others}
        return self.add(changes.record_game(self.state, facts, TODAY)).subject


def damaged_files(folder: Path) -> Iterator[str]:
    """Damage what counts of one file of a folder after the other, each in several ways; yield its name, and mend it."""
    columns = json.loads((folder / HEAD).read_bytes())["columns"].values()
    sizes = {column["file"]: column["pieces"][-1][0] for column in columns}
    for file in sorted(folder.iterdir()):
        content = file.read_bytes()
        counts = content[: sizes.get(file.name, len(content))]
        flipped = [_with_a_bit_flipped(counts)] if file.name in sizes else []
        for damaged in (b"", counts[: len(counts) // 2], bytes(reversed(counts)), *flipped):
            file.write_bytes(damaged if len(damaged) < len(counts) else damaged + content[len(counts) :])
            if counts and damaged != counts:
                yield file.name
        file.write_bytes(content)


def _with_a_bit_flipped(content: bytes) -> bytes:
    """Return bytes of which one bit, in the middle, is another one."""
    middle = len(content) // 2
    return content[:middle] + bytes(byte ^ 4 for byte in content[middle : middle + 1]) + content[middle + 1 :]


@contextmanager
def snapshots_in(folder: Path, monkeypatch: pytest.MonkeyPatch, **limits: int) -> Iterator[Path]:
    """Keep the snapshots of clubs in a folder; limits of `snapshot`, such as EVERY, are set. No state is read yet."""
    from handan.club.store import cache, snapshot

    monkeypatch.setattr(snapshot, "snapshots_folder", lambda: folder)
    for name, value in limits.items():
        monkeypatch.setattr(snapshot, name, value)
    cache.forget()
    yield folder
    cache.forget()


def wait_until_kept() -> None:
    """Wait for the threads that write snapshots and ratings."""
    for thread in threading.enumerate():
        if thread.name in {"ratings", "snapshot"}:
            thread.join()
