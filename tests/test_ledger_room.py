"""Arrays that go on are what `np.concatenate` makes, and nothing that was handed out ever changes."""

from __future__ import annotations

import os
import random
import threading
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from handan.ledger.column_files import checksum_of
from handan.ledger.folder import Folder, writing
from handan.ledger.room import LARGE, SPARE, appended, drafts, give_back_file, mapped_with_room, with_room

pytestmark = pytest.mark.extended


@pytest.mark.parametrize("shape", [(), (2,)])
def test_rows_put_behind_others_again_and_again_are_those_of_concatenate(shape: tuple[int, ...]) -> None:
    dice = np.random.default_rng(1)
    parts = [dice.normal(size=(number, *shape)) for number in (100, 1, 0, 3, 2 * SPARE, 1, 1)]
    whole, seen = parts[0], []
    for number, part in enumerate(parts[1:], 2):
        whole = appended(whole, part)
        seen.append((whole, np.concatenate(parts[:number])))
    assert all(np.array_equal(one, other) for one, other in seen)  # also the earlier ones, now that others came
    assert not whole.flags.writeable


def test_two_that_go_on_from_one_array_do_not_disturb_each_other() -> None:
    past = appended(np.arange(5), np.arange(2))
    one, other = appended(past, np.array([7])), appended(past, np.array([8, 9]))
    assert (one.tolist(), other.tolist()) == ([0, 1, 2, 3, 4, 0, 1, 7], [0, 1, 2, 3, 4, 0, 1, 8, 9])
    assert appended(one[1:], np.array([1])).tolist() == [1, 2, 3, 4, 0, 1, 7, 1]  # does not begin where the room does
    assert appended(one[:3], np.array([1])).tolist() == [0, 1, 2, 1]
    assert one.tolist() == [0, 1, 2, 3, 4, 0, 1, 7]


def test_one_more_row_is_not_a_copy_of_all_and_threads_get_rows_of_their_own() -> None:
    past = appended(np.zeros(1000), np.zeros(1))
    assert np.shares_memory(past, appended(past, np.ones(1)))
    made: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda n=n: made.append(appended(past, np.full(3, n)))) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each[-3:].tolist() for each in made) == [[float(n)] * 3 for n in range(8)]


def test_values_of_a_wider_type_are_kept() -> None:
    assert appended(np.array([1], dtype=np.int8), np.array([300])).tolist() == [1, 300]


def test_a_draft_gives_its_rows_back_when_nobody_looks_at_them() -> None:
    past = appended(np.zeros(1000), np.zeros(1))
    with drafts():
        draft = appended(past, np.full(2, 5.0))
        other = appended(draft, np.full(1, 6.0))
    assert other[-4:].tolist() == [0.0, 5.0, 5.0, 6.0]
    assert not draft.flags.writeable
    assert all(np.shares_memory(past, each) for each in (draft, other))
    last = other[1:][-1:]  # a part of it keeps all of it
    del draft, other
    after = appended(past, np.ones(1))
    assert not np.shares_memory(past, after)
    assert (after[-1], last[0]) == (1.0, 6.0)
    del last
    assert np.shares_memory(past, appended(past, np.ones(1)))


def test_who_keeps_an_array_with_room_has_its_rows_once() -> None:
    bare = np.arange(1000)
    past = with_room(bare, 3)
    assert past.tolist() == bare.tolist()
    assert not np.shares_memory(bare, past)
    assert with_room(past, 3) is past
    assert np.shares_memory(past, appended(past, np.arange(3)))
    again = with_room(past, 3)  # others stand behind it now
    assert not np.shares_memory(past, again)
    assert again.tolist() == bare.tolist()


@pytest.mark.parametrize("row", [(), (2,)])
def test_many_rows_of_which_several_go_on_are_in_memory_once(row: tuple[int, ...]) -> None:
    values = np.random.default_rng(3).normal(size=(4_000_000 // 2 ** len(row), *row))
    past = appended(values[:-5], values[-5:])
    first = appended(past, np.full((1, *row), 0.0))
    before = anonymous()
    others = [appended(past, np.full((number, *row), float(number))) for number in range(1, 5)]
    deeper = [appended(others[0], np.full((2, *row), float(number))) for number in range(3)]
    for number, other in enumerate(others, 1):
        assert np.array_equal(other[:-number], values)
        assert (other[-number:] == number).all()
    for number, other in enumerate(deeper):
        assert np.array_equal(other[:-2], others[0])
        assert (other[-2:] == number).all()
    after = anonymous()
    if before is not None and after is not None:
        assert after - before < values.nbytes / 4 / 1024
    assert np.array_equal(first[:-1], values)
    assert (first[-1] == 0.0).all()
    grown = appended(others[1], np.ones((len(values), *row)))  # more than there is room for
    assert np.array_equal(grown[: len(others[1])], others[1])
    del first, past, others
    assert np.array_equal(deeper[1][: len(values)], values)


@pytest.mark.parametrize("large", [1, 2_000, LARGE])
@pytest.mark.parametrize("seed", range(4))
def test_whatever_goes_on_from_whatever_is_what_concatenate_makes(
    large: int, seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("handan.ledger.room.LARGE", large)
    monkeypatch.setattr("handan.ledger.room.SPARE", 40)
    dice, values = random.Random(seed), np.random.default_rng(seed).normal(size=(600, 2))
    file = tmp_path / "values"
    file.write_bytes(values.tobytes() + bytes(16 * 100))
    descriptor = os.open(file, os.O_RDONLY)
    there = [(mapped_with_room(descriptor, np.float64, (600, 2)), values), (values[:30].copy(), values[:30])]
    os.close(descriptor)
    for number in range(400):
        past, expected = dice.choice(there[-6:])
        later = np.full((dice.choice([0, 1, 1, 2, 7, 90]), 2), float(number))
        cut = dice.choice([len(past)] * 5 + [len(past) // 2])
        with drafts() if dice.random() < 0.3 else nullcontext():
            whole = appended(past[:cut], later)
        there.append((whole, np.concatenate([expected[:cut], later])))
        if dice.random() < 0.2:
            give_back_file(whole)
        if dice.random() < 0.5:  # somebody looks at it no longer
            del there[dice.randrange(len(there))]
        del past, whole
        if not there:
            there.append((values[:5].copy(), values[:5]))
        for one, same in there if number % 20 == 0 else there[-2:]:
            assert np.array_equal(one, same)
    assert all(np.array_equal(one, same) for one, same in there)
    assert file.read_bytes()[-1_600:] == bytes(1_600)


def test_what_several_are_to_go_on_from_is_put_into_a_file_before_the_first_does() -> None:
    values = np.random.default_rng(4).normal(size=4_000_000)
    past = with_room(values, 5, for_several=True)
    assert with_room(past, 5, for_several=True) is past
    assert with_room(past, 5) is past
    before = anonymous()
    made = [appended(past, np.full(3, float(number))) for number in range(4)]
    for number, each in enumerate(made):
        assert np.array_equal(each[:-3], values)
        assert (each[-3:] == number).all()
    after = anonymous()
    if before is not None and after is not None:
        assert after - before < values.nbytes / 4 / 1024
    few = with_room(np.arange(10), 5, for_several=True)
    assert few.tolist() == [*range(10)]
    assert np.shares_memory(few, appended(few, np.arange(5)))


def test_where_no_file_can_be_made_rows_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise OSError(24, "Too many open files")

    values = np.arange(500_000)
    past = appended(values[:-1], values[-1:])
    one = appended(past, np.array([1]))
    monkeypatch.setattr("handan.ledger.room._file_of", refuse)
    other = appended(past, np.array([2]))
    assert with_room(values, 1, for_several=True).tolist() == values.tolist()
    assert (one[-1], other[-1]) == (1, 2)
    assert np.array_equal(other[:-1], values)
    assert np.array_equal(one[:-1], values)


def test_a_file_without_memory_of_its_own_does_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)  # as on systems other than Linux
    values = np.arange(500_000)
    past = appended(values[:-1], values[-1:])
    whole = [appended(past, np.array([number])) for number in range(3)]
    for number, each in enumerate(whole):
        assert each[-1] == number
        assert np.array_equal(each[:-1], values)


@pytest.mark.parametrize("row", [(), (2,), (2, 3)])
@pytest.mark.parametrize("rows", [0, 20, 50])
def test_rows_put_behind_those_of_a_file_are_no_copy_and_leave_the_file_as_it_is(
    row: tuple[int, ...], rows: int, tmp_path: Path
) -> None:
    values = np.random.default_rng(1).normal(size=(50, *row))
    with writing(tmp_path / "kept", "values", 1, with_checksums=True) as out:
        out.put("values", values.reshape(-1), room=30 * int(np.prod(row)))
        out.commit()
    opened = Folder.open(tmp_path / "kept", "values", 1)
    file = tmp_path / "kept" / opened.columns["values"].file
    content = file.read_bytes()
    descriptor = os.open(file, os.O_RDONLY)
    first, again = (mapped_with_room(descriptor, np.float64, (rows, *row)) for _ in range(2))
    os.close(descriptor)
    assert not first.flags.writeable
    later = np.ones((30, *row))
    whole = appended(first, later)
    assert np.array_equal(whole, np.concatenate([values[:rows], later]))
    if rows:
        assert np.shares_memory(whole, first)
    more = appended(whole, np.zeros((40, *row)))  # more than there is room for
    assert np.array_equal(more, np.concatenate([values[:rows], later, np.zeros((40, *row))]))
    assert np.array_equal(again, values[:rows])
    assert file.read_bytes() == content
    assert not [*opened.damaged()]
    assert np.array_equal(opened.checked_array("values"), values.reshape(-1))


def test_memory_of_mapped_rows_is_given_back_and_every_row_stays(tmp_path: Path) -> None:
    rows, file = 100_000, tmp_path / "values"
    values = np.random.default_rng(2).normal(size=(rows, 2))
    file.write_bytes(values.tobytes() + bytes(16 * 1000))
    descriptor = os.open(file, os.O_RDONLY)
    first = mapped_with_room(descriptor, np.float64, (rows, 2))
    os.close(descriptor)
    whole = appended(first, np.ones((1000, 2)))
    expected = np.concatenate([values, np.ones((1000, 2))])
    assert np.array_equal(whole, expected)
    before = resident(file)
    give_back_file(whole.reshape(-1))
    after = resident(file)
    assert np.array_equal(whole, expected)
    assert file.read_bytes()[-16_000:] == bytes(16_000)
    give_back_file(np.ones(3))  # of no file
    if before is not None and after is not None:
        assert before > rows * 16 / 1024
        assert after < before / 10


def anonymous() -> int | None:
    """Return how many kilobytes this process has in memory that are of no file; None where the system does not tell."""
    status = Path("/proc/self/status")
    if not status.exists():
        return None
    return next((int(line.split()[1]) for line in status.read_text().splitlines() if line.startswith("RssAnon:")), None)


def resident(file: Path) -> int | None:
    """Return how many kilobytes of a mapped file are in memory; None where the system does not tell."""
    maps = Path("/proc/self/smaps")
    if not maps.exists():
        return None
    _, _, own = maps.read_text().partition(f" {file}\n")
    return int(next(line for line in own.splitlines() if line.startswith("Rss:")).split()[1])


@pytest.mark.parametrize("size", [0, 1, 4095, 4096, 4097, 3 * 4096 + 5])
def test_a_checksum_tells_every_other_bit_and_every_page_that_is_elsewhere(size: int) -> None:
    dice = np.random.default_rng(size)
    data = dice.bytes(size)
    own = checksum_of(data)
    assert own == checksum_of(memoryview(bytearray(data)))
    for place in dice.integers(0, max(size, 1), 50) if size else []:
        for bit in range(8):
            other = bytearray(data)
            other[place] ^= 1 << bit
            assert checksum_of(bytes(other)) != own
    assert checksum_of(data + b"\0") != own
    if size > 2 * 4096:
        assert checksum_of(data[4096:8192] + data[:4096] + data[8192:]) != own
        assert checksum_of(bytes(4096) + data[4096:]) != own
