"""The different cells of a table, which a table of hashes tells apart: each is kept once, and has a number."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import kernel
from handan.kernels.hashing import HALF, ONE, Places, Words, scattered
from handan.kernels.prefetching import prefetch
from handan.kernels.types import Ints

Bytes = NDArray[np.uint8]
Int = int | np.int64

WORD = 8  # bytes that are looked at together
NOTHING = np.uint64(0)
IN_KEY = 15  # bytes of a cell that stand in its key; above them there is room for the group
LENGTH_BITS, LONGEST = np.uint64(24), np.uint64((1 << 24) - 1)  # bytes of a cell
GROUPS = 1 << 8
"""The most groups of columns."""
MOST_TEXT = 1 << 32  # bytes of all different cells
MOST_TRIES = 1 << 10  # places in the table that are looked at for one cell; our choice, chance does not come near it
LINE_FEED = 10
LOW_HALF = np.uint64((1 << 32) - 1)
CROWD = 1 << 18
"""Places of a table from which they are fetched early.
our choice: fewer stay in the caches, and an instruction that fetches nothing new still takes time."""
HASH, ONE_WORD, OTHER_WORD, KIND, BEGIN = range(5)
"""What stands for a cell until it is looked up: its hash; the two numbers of its key; its group above LENGTH_BITS and
its length; where it begins."""


class Different(NamedTuple):
    """The different cells so far, by groups of columns: one text in two groups is two cells.

    Each has a place, from 1 on. At 0 stands what is no cell.
    """

    text: Bytes
    """Their bytes with a line feed behind each, one behind the other, shape (room for bytes,)."""
    words: Words
    """The eight bytes from each of them on as one number."""
    key: Words
    """Of each two numbers, shape (room, 2). No two cells that stand in theirs have the same ones, and no longer one has
    those of a shorter one; longer ones have their hash."""
    kind: Words
    """Where each begins in `text`, above HALF its group, above LENGTH_BITS, and its length; shape (room,)."""
    hash: Places
    """The low half of the hash of each, shape (room,)."""
    number: Places
    """The number of each among those of its group, shape (room,)."""
    table: Places
    """The place of a cell, where its hash says or behind it; 0 where nothing is; shape (a power of two,)."""


@kernel
def are_alike(words: Words, begin: Int, others: Words, start: Int, length: Int) -> bool:
    """Return whether two texts of one length, of at least WORD bytes, are the same.

    Args:
        words: The eight bytes from each place on as one number.
        begin: Where the one text begins.
        others: The same for the other text.
        start: Where that begins.
        length: Bytes.
    """
    for place in range(0, length - WORD, WORD):
        if words[begin + place] != others[start + place]:
            return False
    return bool(words[begin + length - WORD] == others[start + length - WORD])


@kernel
def hash_of_long(words: Words, begin: Int, length: Int, seed: np.uint64) -> np.uint64:
    """Return the hash of a text of at least WORD bytes."""
    last = begin + length - WORD
    digest = scattered(seed, words[last] ^ np.uint64(length))
    for place in range(begin, last, WORD):
        digest = scattered(digest, words[place])
    return digest


@kernel
def enter(cell: Words, data: Bytes, slot: np.uint64, different: Different, at: Ints) -> None:
    """Give a new cell its number and its places; there is room for it.

    Args:
        cell: What stands for it, from HASH to BEGIN.
        data: Where its bytes are.
        slot: Its place in the table.
        different: The different cells.
        at: As in `number_cells`; its numbers from the third on are kept up.
    """
    text, _, key, kind, digest, number, table = different
    length, group = np.int64(cell[KIND] & LONGEST), np.int64(cell[KIND] >> LENGTH_BITS)
    there, start, begin = at[2] + 1, at[3], np.int64(cell[BEGIN])
    for byte in range(length):  # a slice would take longer than all else
        text[start + byte] = data[begin + byte]
    text[start + length] = LINE_FEED
    key[there, 0], key[there, 1] = cell[ONE_WORD], cell[OTHER_WORD]
    kind[there] = (np.uint64(start) << HALF) | cell[KIND]
    digest[there], number[there], table[slot] = cell[HASH] & LOW_HALF, at[4 + group], there
    at[2], at[3], at[4 + group] = there, start + length + 1, at[4 + group] + 1


@kernel
def look_up(  # noqa: C901  # as `number_cells`
    cells: Words, count: int, data: Bytes, words: Words, different: Different, at: Ints, own_number: Places
) -> bool:
    """Find the numbers of some cells among those of their groups; return False if that takes too long.

    Args:
        cells: What stands for each, shape (at least `count`, from HASH to BEGIN).
        count: Cells.
        data: Where their bytes are.
        words: The eight bytes from each on as one number.
        different: The different cells, to which new ones are added.
        at: As in `number_cells`.
        own_number: Their numbers, shape (at least `count`,).
    """
    key, kind, number, table = different.key, different.kind, different.number, different.table
    flat = key.reshape(-1)
    mask, crowd = np.uint64(len(table) - 1), len(table) >= CROWD
    for place in range(count):
        own_number[place] = table[cells[place, HASH] & mask]
        if crowd:
            prefetch(flat, np.int64(own_number[place]) * 2)
    for place in range(count):
        slot, there, tries = cells[place, HASH] & mask, np.int64(own_number[place]), 0
        if there == 0:
            there = np.int64(table[slot])  # one of the cells before may have been entered there
        while there != 0:
            if key[there, 0] == cells[place, ONE_WORD] and key[there, 1] == cells[place, OTHER_WORD]:
                length = np.int64(cells[place, KIND] & LONGEST)
                if length <= IN_KEY:
                    break
                start, begin = np.int64(kind[there] >> HALF), np.int64(cells[place, BEGIN])
                same = kind[there] & LOW_HALF == cells[place, KIND]
                if same and are_alike(words, begin, different.words, start, length):
                    break
            slot = (slot + ONE) & mask
            there = np.int64(table[slot])
            tries += 1
            if tries == MOST_TRIES:
                return False
        if there == 0:
            enter(cells[place], data, slot, different, at)
            there = at[2]
        own_number[place] = number[there]
    return True


@kernel
def put_in_table(digest: Places, count: int, table: Places) -> None:
    """Enter so many different cells into an empty table."""
    mask = np.uint64(len(table) - 1)
    for there in range(1, count + 1):
        slot = np.uint64(digest[there]) & mask
        while table[slot]:
            slot = (slot + ONE) & mask
        table[slot] = there
