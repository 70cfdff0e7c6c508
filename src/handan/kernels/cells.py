"""The cells of a table of text numbered while its bytes are read: equal cells have one number, in whatever column."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from handan.kernels.compiling import kernel
from handan.kernels.hashing import HALF, ONE, Places, Words, scattered
from handan.kernels.types import Ints

Bytes = NDArray[np.uint8]
Int = int | np.int64

DONE, FULL, IRREGULAR = range(3)
"""How reading ended: at the end of the rows, for want of room, or at a row that is not of the usual form."""
WORD = 8  # bytes that are looked at together
BYTES, TOPS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
TOP_BYTE, SEVEN = np.uint64(56), np.uint64(7)  # bits
NOTHING = np.uint64(0)
KEPT_WHOLE = 16  # bytes of a cell that stand as numbers too
LENGTH_BITS, LONGEST = np.uint64(24), np.uint64((1 << 24) - 1)  # bytes of a cell
MOST_TRIES = 1 << 10  # places in the table that are looked at for one cell; our choice, chance does not come near it
LINE_FEED, RETURN = 10, 13
VIEW, IN_VIEW = 16, 12  # bytes of a view, and of a text that stands in it
LOW_HALF = np.uint64((1 << 32) - 1)
LINE_FEEDS = BYTES * np.uint64(LINE_FEED)


class Marks(NamedTuple):
    """What ends rows and cells."""

    end: int
    """The byte behind the last row."""
    separator: int
    back: int
    """RETURN, or the separator again where no line ends in a carriage return."""
    seed: np.uint64
    """Any number: nobody who makes a file knows which cells share a place in the table."""


class Different(NamedTuple):
    """The different cells so far."""

    text: Bytes
    """Their bytes, one behind the other, shape (room for bytes,)."""
    cell: Words
    """Of each its hash, bytes 1 to 8 as a number, bytes 9 to 16, and its length, above whose LENGTH_BITS stands
    its place in `text`; shape (room, 4)."""
    table: Places
    """A cell's number and 1, at the place of its hash or behind it; 0 where nothing is; shape (a power of two,)."""


@kernel
def ends_in(word: np.uint64, separators: np.uint64, returns: np.uint64) -> np.uint64:
    """Return a number whose lowest set bit is the top one of the first byte that ends a cell; 0 if none does.

    It finds the bytes that are 0 once those looked for are taken away (Warren, Hacker's Delight, section 6-1).
    """
    line, mark, back = word ^ LINE_FEEDS, word ^ separators, word ^ returns
    return (((line - BYTES) & ~line) | ((mark - BYTES) & ~mark) | ((back - BYTES) & ~back)) & TOPS


@kernel
def continues_alike(text: Bytes, start: np.int64, data: Bytes, begin: Int, length: Int) -> bool:
    """Return whether two cells of one length whose first 16 bytes are the same are the same behind them too."""
    for byte in range(KEPT_WHOLE, length):  # noqa: SIM110  # the compiler has no `all`
        if text[start + byte] != data[begin + byte]:
            return False
    return True


@kernel
def enter(
    key: tuple[np.uint64, np.uint64, np.uint64],
    length: Int,
    data: Bytes,
    begin: Int,
    slot: np.uint64,
    different: Different,
    at: Ints,
) -> int:
    """Give room to a new cell, and return how that ended.

    Args:
        key: Its hash, and the two numbers that stand behind it in `different.cell`.
        length: Its bytes.
        data: Where they are.
        begin: The first of them.
        slot: Its place in the table.
        different: The different cells.
        at: As in `number_cells`; its last two numbers are kept up.
    """  # fmt: skip
    text, cell, table = different
    there, start = at[2], at[3]
    if length > LONGEST:
        return IRREGULAR
    if start + length > len(text):
        return FULL
    text[start : start + length] = data[begin : begin + length]
    cell[there, 0], cell[there, 1], cell[there, 2] = key
    cell[there, 3] = (np.uint64(start) << LENGTH_BITS) | np.uint64(length)
    table[slot] = there + 1
    at[2], at[3] = there + 1, start + length
    return DONE


@kernel
def number_cells(  # noqa: C901  # in one piece: a function that takes arrays would cost more than all of this
    data: Bytes, words: Words, marks: Marks, wanted: Ints, different: Different, numbers: Places, at: Ints
) -> int:
    """Number the cells of rows of `len(wanted)` cells each, and return how it ended.

    Args:
        data: The rows, and at least 16 bytes more.
        words: The eight bytes from each on as one number.
        marks: What ends rows and cells.
        wanted: For each column the row of `numbers` to fill, or -1.
        different: The different cells, to which new ones are added.
        numbers: The number of each row's cell among them, shape (columns, room for rows).
        at: Where to begin, and where it ended: the next byte, the next row, how many different cells there are, and how
            many bytes these have together.
    """
    behind, separator, back, seed = marks
    text, cell, table = different
    separators, returns = BYTES * np.uint64(separator), BYTES * np.uint64(back)
    mask = np.uint64(len(table) - 1)
    place, row, count = at[0], at[1], at[2]
    width = len(wanted)
    while place < behind:
        at[0], at[1] = place, row
        if row == numbers.shape[1] or 2 * (count + width) > len(table) or count + width > len(cell):
            return FULL
        for column in range(width):
            begin = place
            one, two, rest = NOTHING, NOTHING, seed
            ends = NOTHING
            while ends == NOTHING:
                word = words[place]
                ends = ends_in(word, separators, returns)
                before = ((ends & (~ends + ONE)) >> SEVEN) - ONE
                word &= before
                if place == begin:
                    one = word
                elif place == begin + WORD:
                    two = word
                else:
                    rest = scattered(rest, word)
                place += np.int64(WORD) if ends == NOTHING else np.int64(((before & BYTES) * BYTES) >> TOP_BYTE)
            length = place - begin
            if column == width - 1 and data[place] == RETURN:
                place += 1
            if data[place] != (LINE_FEED if column == width - 1 else separator):
                return IRREGULAR
            place += 1
            if wanted[column] < 0:
                continue
            digest = scattered(scattered(rest, one), two ^ np.uint64(length))
            slot = digest & mask
            there = np.int64(table[slot]) - 1
            tries = 0
            while there >= 0:
                if cell[there, 0] == digest and cell[there, 1] == one and cell[there, 2] == two:
                    start = np.int64(cell[there, 3] >> LENGTH_BITS)
                    alike = np.int64(cell[there, 3] & LONGEST) == length
                    if alike and (length <= KEPT_WHOLE or continues_alike(text, start, data, begin, length)):
                        break
                slot = (slot + ONE) & mask
                there = np.int64(table[slot]) - 1
                tries += 1
                if tries == MOST_TRIES:
                    return IRREGULAR
            if there < 0:
                end = enter((digest, one, two), length, data, begin, slot, different, at)
                if end != DONE:
                    return end
                there = count
                count += 1
            numbers[wanted[column], row] = there
        row += 1
    at[0], at[1] = place, row
    return DONE


@kernel
def number_views(  # noqa: C901  # as `number_cells`
    views: Words,
    short: Bytes,
    long: Bytes,
    words: Words,
    begins: Ints,
    seed: np.uint64,
    different: Different,
    numbers: Places,
    at: Ints,
) -> int:
    """Number the cells of a column that is in memory as views, and return how it ended.

    Args:
        views: Two numbers a cell: its length and its first four bytes; then the next eight, or which buffer of text it
            is in and where (Arrow columnar format, "Variable-size Binary View Layout").
        short: The same, byte by byte.
        long: The bytes of all buffers.
        words: The eight bytes from each of them on as one number.
        begins: Where in `long` each buffer begins.
        seed: As in `Marks`.
        different: The different cells, to which new ones are added.
        numbers: The number of each cell among them.
        at: With which cell to begin, and with which to go on; nothing; the last two as in `number_cells`.
    """  # fmt: skip
    text, cell, table = different
    mask = np.uint64(len(table) - 1)
    row, count, begin = at[0], at[2], at[0]
    while row < len(numbers):
        at[0] = row
        if 2 * (count + 1) > len(table) or count + 1 > len(cell):
            return FULL
        head, tail = views[2 * row], views[2 * row + 1]
        length = np.int64(head & LOW_HALF)
        if length <= IN_VIEW:
            one, two, rest = (head >> HALF) | (tail << HALF), tail >> HALF, seed
        else:
            begin = begins[np.int64(tail & LOW_HALF)] + np.int64(tail >> HALF)
            last = begin + length - WORD
            one, two, rest = words[begin], words[min(begin + WORD, last)], scattered(seed, words[last])
            for place in range(begin + KEPT_WHOLE, last, WORD):
                rest = scattered(rest, words[place])
        digest = scattered(scattered(rest, one), two ^ np.uint64(length))
        slot = digest & mask
        there = np.int64(table[slot]) - 1
        tries = 0
        while there >= 0:  # as in `number_cells`
            if cell[there, 0] == digest and cell[there, 1] == one and cell[there, 2] == two:
                start = np.int64(cell[there, 3] >> LENGTH_BITS)
                alike = np.int64(cell[there, 3] & LONGEST) == length
                if alike and (length <= KEPT_WHOLE or continues_alike(text, start, long, begin, length)):
                    break
            slot = (slot + ONE) & mask
            there = np.int64(table[slot]) - 1
            tries += 1
            if tries == MOST_TRIES:
                return IRREGULAR
        if there < 0:
            key = (digest, one, two)
            if length <= IN_VIEW:
                end = enter(key, length, short, VIEW * row + VIEW - IN_VIEW, slot, different, at)
            else:
                end = enter(key, length, long, begin, slot, different, at)
            if end != DONE:
                return end
            there = count
            count += 1
        numbers[row] = there
        row += 1
    at[0] = row
    return DONE


@kernel
def put_in_ranks(numbers: Places, rank: Places, ranks: Bytes | Places) -> None:
    """Fill in the rank of each number; `ranks` may be `numbers` itself."""
    for row in range(len(numbers)):
        ranks[row] = rank[numbers[row]]
