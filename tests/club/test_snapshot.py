"""Snapshots of a club's state: with the entries behind them to the bit what all entries give, or not used at all."""

from __future__ import annotations

import json
import os
import random
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from handan.club import changes
from handan.club.folding import fold
from handan.club.rules import checked
from handan.club.standings import standings
from handan.club.state import State
from handan.club.state_folder import head_of, read_state, write_state
from handan.errors import InputError
from handan.ledger.folder import HEAD
from tests.club.helpers import TODAY, Book, damaged_files, plain, snapshots_in, wait_until_kept
from tests.club.test_cache import filled
from tests.club.test_going_on import RANKS, same, written

if TYPE_CHECKING:
    from handan.club.store.models import Club

MakeClub = Callable[..., "Club"]
NUMBERS = count(1)


def played(seed: int, steps: int = 60) -> Book:
    """A ledger of games in and out of order, corrections, mergers, ranks by hand and changed rules."""
    dice, book, rules = random.Random(seed), Book(f"club-{next(NUMBERS)}"), checked("egf", {})
    book.add(changes.set_rules(book.state, rules))
    keys = [book.player(name, rank, ids=[f"egd:{number}"]) for number, (name, rank) in enumerate(RANKS.items())]
    for _ in written(book, dice, keys, rules, steps, 0.3):
        pass
    return book


def read(folder: Path) -> State | None:
    head = head_of(folder)
    return None if head is None else read_state(folder, head)


def alike(one: State, other: State) -> None:
    """Everything that two states say is the same."""
    assert plain(one.games).equals(plain(other.games))
    assert plain(one.games).schema == plain(other.games).schema
    for name in set(State.__dataclass_fields__) - {"games"}:
        assert getattr(one, name) == getattr(other, name), name
    assert [*one.searched] == replace(other).searched  # worked out anew
    assert [(key, item.entry) for key, item in one.people.items()] == [
        (key, item.entry) for key, item in other.people.items()
    ]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_snapshot_and_later_entries_are_a_whole_replay(seed: int, tmp_path: Path) -> None:
    book = played(seed)
    for number in (0, len(book.records) // 2, len(book.records)):
        start = fold(State(book.state.slug, view=((7, 0),)), book.records[:number])
        write_state(tmp_path / "state", start)
        kept = read(tmp_path / "state")
        assert kept is not None
        alike(kept, start)
        whole = fold(start, book.records[number:])
        after = fold(kept, book.records[number:])
        alike(after, whole)
        same(standings(after, TODAY), standings(whole, TODAY))


def test_a_writer_who_is_killed_at_any_write_leaves_the_snapshot_before_or_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book, folder, sync = played(4, 20), tmp_path / "state", os.fsync
    older, newer = fold(State(book.state.slug), book.records[:8]), book.state
    write_state(folder, older)
    left = 0

    def killed(descriptor: int) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", killed)
    numbers = []
    for writes in range(100):
        left = writes
        try:
            write_state(folder, newer)
        except KeyboardInterrupt:
            kept = read(folder)
            assert kept is not None
            alike(kept, older if kept.number == older.number else newer)
            numbers.append(kept.number)
        else:
            break
    assert len(numbers) > 10
    assert set(numbers) == {older.number, newer.number}  # the last of them after the head was in its place
    alike(read(folder) or older, newer)


def test_a_damaged_snapshot_is_none(tmp_path: Path) -> None:
    book = played(5, 20)
    write_state(tmp_path, book.state)
    for name in damaged_files(tmp_path):
        if (kept := read(tmp_path)) is not None:
            assert name.startswith("searched"), (
                name
            )  # it is read when somebody searches, and worked out where it cannot
            alike(kept, book.state)
    alike(read(tmp_path) or State("none"), book.state)


def test_a_snapshot_with_any_bit_of_its_head_turned_is_none_or_the_same(tmp_path: Path) -> None:
    """But for what tells which state it is, which is compared with the database."""
    book = played(5, 5)
    write_state(tmp_path, book.state)
    whole, head = (tmp_path / HEAD).read_bytes(), head_of(tmp_path)
    for place in range(0, len(whole), 3):
        turned = bytearray(whole)
        turned[place] ^= 1 << (place // 3 % 8)
        (tmp_path / HEAD).write_bytes(turned)
        if head_of(tmp_path) == head and (kept := read(tmp_path)) is not None:
            alike(kept, book.state)


@pytest.mark.parametrize("wrong", [{"dtype": ""}, {"dtype": ">u4"}, {"pieces": []}, {"pieces": [[-1, ""]]}])
def test_a_snapshot_whose_head_does_not_fit_its_files_is_none(wrong: dict[str, Any], tmp_path: Path) -> None:
    book = played(5, 5)
    write_state(tmp_path, book.state)
    head = json.loads((tmp_path / HEAD).read_bytes())
    for name, column in head["columns"].items():
        if column["file"].startswith(f"{name}.") and column["dtype"]:
            changed = {**head, "columns": {**head["columns"], name: {**column, **wrong}}}
            (tmp_path / HEAD).write_text(json.dumps(changed), encoding="utf-8")
            kept = read(tmp_path)
            if kept is not None:
                assert name == "searched"  # which is read later, and worked out where it is damaged
                alike(kept, book.state)


def test_a_file_that_is_gone_since_the_head_was_read_makes_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where another process has written a newer snapshot meanwhile."""
    write_state(tmp_path, played(5, 5).state)
    monkeypatch.setattr(Path, "is_file", lambda _: True)  # it was there a moment ago
    (tmp_path / "black.1.bin").unlink()
    assert head_of(tmp_path) is None


def test_only_one_writes_at_a_time(tmp_path: Path) -> None:
    from handan.club.state_folder import KIND, VERSION
    from handan.ledger.folder import writing

    book = played(6, 10)
    with (
        writing(tmp_path, KIND, VERSION),
        pytest.raises(InputError, match="is being written by another process"),
    ):
        write_state(tmp_path, book.state)


@pytest.fixture
def kept(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the snapshots, with small clubs in it too."""
    from handan.club.store import cache

    with snapshots_in(tmp_path / "club.db.states", monkeypatch, EVERY=1) as folder:
        monkeypatch.setattr(cache, "keep_snapshot", lambda *_, **__: None)  # but where a test says so
        yield folder


def entries_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers behind which entries are read from now on."""
    from handan.club.store import cache

    since, records = list[int](), cache.records

    def noted(club: Club, number: int = 0) -> Any:
        since.append(number)
        return records(club, number)

    monkeypatch.setattr(cache, "records", noted)
    return since


def keep(club: Club) -> State:
    from handan.club.store.cache import state_of
    from handan.club.store.snapshot import keep_snapshot

    state = state_of(club)
    keep_snapshot(club, state, wait=True)
    return state


def test_a_new_process_reads_the_entries_behind_the_snapshot_alone(
    kept: Path, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store.cache import forget, state_of

    filled(club, 3)
    number = keep(club).number
    filled_state = state_of(club)
    forget()
    since = entries_read(monkeypatch)
    alike(state_of(club), filled_state)
    assert since == []  # nothing was behind it
    forget()
    from handan.club.store.writing import write

    facts = {"black": "p3", "white": "p2", "result": "B+", "date": "2026-05-02"}
    write(club, lambda s: changes.record_game(s, facts, TODAY), author="x")
    forget()
    since.clear()
    after = state_of(club)
    assert since == [number]
    assert after.games.height == filled_state.games.height + 1


def test_who_folds_many_entries_keeps_a_snapshot_in_the_background(
    kept: Path, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store import cache, snapshot

    filled(club, 2)
    monkeypatch.setattr(cache, "keep_snapshot", snapshot.keep_snapshot)
    monkeypatch.setattr(cache, "EVERY", 1)
    cache.forget()
    state = cache.state_of(club)
    wait_until_kept()
    written = read(kept / club.slug)
    assert written is not None
    alike(written, state)


@pytest.mark.skipif(os.name == "nt", reason="rights are kept in another way there")
def test_a_snapshot_is_for_its_owner_only(kept: Path, club: Club) -> None:
    filled(club, 1)
    keep(club)
    folder = kept / club.slug
    assert {stat.S_IMODE(path.stat().st_mode) for path in (kept, folder)} == {0o700}
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_a_snapshot_of_another_chain_is_not_used(
    kept: Path, make_club: MakeClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store.cache import forget, state_of

    club, other = make_club(), make_club()
    filled(club, 3)
    filled(other, 2)
    true = state_of(club)
    keep(other)
    (kept / other.slug).rename(kept / club.slug)  # as after another database took this one's place
    forget()
    alike(state_of(club), true)
    foreign = Book(club.slug)
    for name in ("Ada", "Bo", "Chi"):
        foreign.player(name)
    write_state(kept / club.slug, replace(foreign.state, view=true.view))  # the same club, with other entries
    forget()
    since = entries_read(monkeypatch)
    alike(state_of(club), true)
    assert since == [0]


def test_nobody_who_was_forgotten_stands_in_a_snapshot(kept: Path, club: Club) -> None:
    from handan.club.store import forgetting
    from handan.club.store.cache import forget, state_of

    filled(club, 2)
    before = keep(club)

    def names() -> bool:
        return any(b"Ada" in file.read_bytes() for file in kept.rglob("*") if file.is_file())

    assert names()
    forgetting.forget(club, "p2")
    assert not names()
    club.refresh_from_db()
    keep(club)
    assert not names()
    from handan.club.store.snapshot import keep_snapshot, snapshot_of

    keep_snapshot(club, before, wait=True)  # by a process that has not heard of it yet
    assert not names()
    write_state(kept / club.slug, before)  # as of a machine that was off meanwhile
    forget()
    assert state_of(club).people["p2"].former
    assert not names()
    assert snapshot_of(club, before.view) is None


def test_who_cannot_remove_what_is_kept_says_what_stays(
    kept: Path, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store import snapshot

    for name in (club.slug, f"{club.slug}{snapshot.STRENGTHS}"):
        (kept / name).mkdir(parents=True)
    warnings: list[str] = []
    monkeypatch.setattr(snapshot.LOG, "warning", lambda text, *given, **_: warnings.append(text % given))
    monkeypatch.setattr("shutil.rmtree", lambda *_, **__: None)
    snapshot.take_away(club)
    whole, strengths = warnings
    assert whole == f"names of people may still stand in {kept / club.slug}; remove it"
    assert strengths.startswith("keys, but no names, of players may still stand in")


def test_where_no_snapshot_can_be_written_pages_are_made_as_ever(
    kept: Path, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store import snapshot
    from handan.club.store.cache import forget, state_of

    logged: list[str] = []
    monkeypatch.setattr(snapshot.LOG, "info", lambda message, **_: logged.append(message))
    kept.write_text("no folder", encoding="utf-8")
    filled(club, 1)
    keep(club)
    forget()
    assert state_of(club).games.height == 1
    assert logged == ["no snapshot was written"]


def test_processes_that_begin_together_write_one_snapshot_and_tell_of_no_fault(
    kept: Path, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.state_folder import KIND, VERSION
    from handan.club.store import snapshot
    from handan.ledger.folder import writing

    logged: list[str] = []
    monkeypatch.setattr(snapshot.LOG, "info", lambda message, **_: logged.append(message))
    filled(club, 1)
    with writing(kept / club.slug, KIND, VERSION):  # by the other process
        keep(club)
    assert logged == []
