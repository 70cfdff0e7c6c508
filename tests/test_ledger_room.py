"""Arrays that go on are what `np.concatenate` makes, and nothing that was handed out ever changes."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import pytest

from handan.ledger.folder import Folder, writing
from handan.ledger.room import SPARE, appended, drafts, give_back_file, mapped_with_room, with_room


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


@pytest.mark.parametrize("row", [(), (2,), (2, 3)])
@pytest.mark.parametrize("rows", [0, 20, 50])
def test_rows_put_behind_those_of_a_file_are_no_copy_and_leave_the_file_as_it_is(
    row: tuple[int, ...], rows: int, tmp_path: Path
) -> None:
    values = np.random.default_rng(1).normal(size=(50, *row))
    with writing(tmp_path / "kept", "values", 1, with_crc=True) as out:
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


def resident(file: Path) -> int | None:
    """Return how many kilobytes of a mapped file are in memory; None where the system does not tell."""
    maps = Path("/proc/self/smaps")
    if not maps.exists():
        return None
    _, _, own = maps.read_text().partition(f" {file}\n")
    return int(next(line for line in own.splitlines() if line.startswith("Rss:")).split()[1])
