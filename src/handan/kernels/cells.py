"""The cells of a table of text numbered while its bytes are read: equal cells have one number, in whatever column.

Some rows are taken apart together, then their cells are looked up together: so the processor fetches the places of all
of them in the table at the same time. A cell that is as the one above it is not looked up again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from handan.kernels.compiling import Alike, ZerosBelow, kernel
from handan.kernels.different_cells import (
    BEGIN,
    CROWD,
    HASH,
    IN_KEY,
    KIND,
    LENGTH_BITS,
    LINE_FEED,
    LONGEST,
    LOW_HALF,
    MOST_TEXT,
    MOST_TRIES,
    NOTHING,
    ONE_WORD,
    OTHER_WORD,
    WORD,
    Bytes,
    Different,
    are_alike,
    enter,
    hash_of_long,
    look_up,
)
from handan.kernels.hashing import HALF, ONE, Places, Words, scattered
from handan.kernels.prefetching import prefetch
from handan.kernels.types import Ints

RETURN, QUOTE = 13, 34
DONE, FULL, IRREGULAR = range(3)
"""How reading ended: at the end of the rows, for want of room, or at a row that is not of the usual form."""
ACROSS = 64  # bytes in which the ends of cells are looked for together
BATCH = 128  # rows whose cells are looked up together; our choice
FIRST_WORD = np.array([(1 << (8 * min(length, WORD))) - 1 for length in range(IN_KEY + 1)], np.uint64)
SECOND_WORD = np.array([(1 << (8 * max(length - WORD, 0))) - 1 for length in range(IN_KEY + 1)], np.uint64)
"""The bits of the first eight bytes, and of the eight behind them, that belong to a cell, by its length."""
TOP_BYTE = np.uint64(56)  # bits
VIEW, IN_VIEW = 16, 12  # bytes of a view, and of a text that stands in it
STEADY = 8
"""Columns of whose cells fewer than one in so many is another than the one above it are asked for that first.
our choice: where cells change now and then a processor guesses wrong, which takes longer than to look up."""
AHEAD = 16  # cells before a cell its key is fetched, twice as many before it the place in the table; our choice


class Marks(NamedTuple):
    """What ends rows and cells."""

    end: int
    """The byte behind the last row."""
    separator: int
    back: int
    """RETURN, or the separator again where no line ends in a carriage return."""
    quote: int
    """QUOTE, or the separator again where there is none."""
    seed: np.uint64
    """Any number: nobody who makes a file knows which cells share a place in the table."""


@Alike
def alike(data: Bytes, place: int, byte: int) -> np.uint64:
    """Return which of the 64 bytes from a place on are a certain one: the first as lowest bit."""
    return np.uint64(sum(1 << bit for bit in range(ACROSS) if data[place + bit] == byte))


@ZerosBelow
def zeros_below(bits: np.uint64) -> int:
    """Return how many bits stand below the lowest one that is set, 64 if none is."""
    return (int(bits) & -int(bits)).bit_length() - 1 if bits else ACROSS


@kernel
def ends_among(data: Bytes, place: int, separator: int, back: int, quote: int) -> np.uint64:
    """Return which of the 64 bytes from a place on end a cell or a row, or are quotes, as `alike` does."""
    ends: np.uint64 = alike(data, place, LINE_FEED) | alike(data, place, separator)
    ends |= alike(data, place, back) | alike(data, place, quote)
    return ends


@kernel
def number_cells(  # noqa: C901  # in one piece: a function that takes arrays would cost more than what it does
    data: Bytes,
    words: Words,
    marks: Marks,
    wanted: Ints,
    group: Ints,
    different: Different,
    numbers: Places,
    at: Ints,
) -> int:
    """Number the cells of rows of `len(wanted)` cells each, and return how it ended.

    A cell may stand in quotes if there is no quote and no end of a line in it; no other cell may hold a quote.

    Args:
        data: The rows, and at least ACROSS + WORD bytes more.
        words: The eight bytes from each on as one number.
        marks: What ends rows and cells.
        wanted: For each column the row of `numbers` to fill, or -1.
        group: The group of each row of `numbers`, below GROUPS.
        different: The different cells, to which new ones are added.
        numbers: The number of each row's cell among those of its group, shape (columns, room for rows).
        at: Where to begin, and where it ended: the next byte, the next row, how many different cells there are, how
            many bytes these take in `text`, and how many of them each group has.
    """
    behind, separator, back, quote, seed = marks
    table = different.table
    mask, crowd = np.uint64(len(table) - 1), len(table) >= CROWD
    width, columns = len(wanted), len(group)
    cells = np.empty((BATCH * columns, BEGIN + 1), np.uint64)
    number = np.empty(BATCH * columns, np.uint32)
    which = np.empty((columns, BATCH), np.int32)
    latest = np.empty(columns, np.int64)
    steady = np.ones(columns, np.bool_)
    while at[0] < behind:
        place, row = at[0], at[1]
        rows = min(BATCH, numbers.shape[1] - row)
        if rows == 0:
            return FULL
        count, size, done = 0, 0, 0
        latest[:] = -1
        base = place - ACROSS
        ends = NOTHING
        while place < behind and done < rows:
            for column in range(width):
                begin = place
                while ends == NOTHING:
                    base += ACROSS
                    ends = ends_among(data, base, separator, back, quote)
                place = base + zeros_below(ends)
                ends &= ends - ONE
                length = place - begin
                if data[place] == QUOTE:
                    if length:
                        return IRREGULAR
                    begin += 1
                    place = begin - 1
                    while place < begin or data[place] != QUOTE:
                        while ends == NOTHING:
                            base += ACROSS
                            ends = ends_among(data, base, separator, back, quote)
                        place = base + zeros_below(ends)
                        ends &= ends - ONE
                        if data[place] == LINE_FEED or data[place] == RETURN:
                            return IRREGULAR
                    length = place - begin
                    while ends == NOTHING:
                        base += ACROSS
                        ends = ends_among(data, base, separator, back, quote)
                    place += 1
                    if place != base + zeros_below(ends):
                        return IRREGULAR
                    ends &= ends - ONE
                if data[place] == RETURN and column == width - 1:
                    while ends == NOTHING:
                        base += ACROSS
                        ends = ends_among(data, base, separator, back, quote)
                    place += 1
                    if place != base + zeros_below(ends):
                        return IRREGULAR
                    ends &= ends - ONE
                if data[place] != (LINE_FEED if column == width - 1 else separator):
                    return IRREGULAR
                place += 1
                own = wanted[column]
                if own < 0:
                    continue
                kind = (np.uint64(group[own]) << LENGTH_BITS) | np.uint64(length)
                if length <= IN_KEY:
                    one = words[begin] & FIRST_WORD[length]
                    two = (words[begin + WORD] & SECOND_WORD[length]) | (np.uint64(group[own]) << TOP_BYTE)
                    last = latest[own]
                    if steady[own] and last >= 0 and one == cells[last, ONE_WORD] and two == cells[last, OTHER_WORD]:
                        which[own, done] = last
                        continue
                    digest = scattered(scattered(seed, one), two)
                elif length > LONGEST:
                    return IRREGULAR
                else:  # no shorter cell has the first number 0 and another second one: no byte of it is 0
                    digest = scattered(hash_of_long(words, begin, length, seed), kind)
                    one, two = NOTHING, digest | ONE
                if crowd:
                    prefetch(table, np.int64(digest & mask))
                cells[count, HASH], cells[count, ONE_WORD], cells[count, OTHER_WORD] = digest, one, two
                cells[count, KIND], cells[count, BEGIN] = kind, begin
                latest[own] = which[own, done] = count
                count += 1
                size += length + 1
            done += 1
        if at[3] + size > MOST_TEXT:
            return IRREGULAR
        if at[2] + count >= len(different.key) or at[3] + size > len(different.words):  # no word runs over the end
            return FULL
        if not look_up(cells, count, data, words, different, at, number):
            return IRREGULAR
        for own in range(columns):
            before, changes = np.uint32(0), 0
            for each in range(done):
                there = number[which[own, each]]
                numbers[own, row + each] = there
                changes += there != before
                before = there
            steady[own] = STEADY * changes < done
        at[0], at[1] = place, row + done
    return DONE


@kernel
def hash_of_view(head: np.uint64, tail: np.uint64, seed: np.uint64) -> np.uint64:
    """Return the hash of a text that stands in its view."""
    return scattered(scattered(seed, head), tail)


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
        different: The different cells, all of one group, to which new ones are added.
        numbers: The number of each cell among them.
        at: With which cell to begin, and with which to go on; nothing; the others as in `number_cells`.
    """  # fmt: skip
    key, kind, table = different.key, different.kind, different.table
    flat = key.reshape(-1)
    mask, crowd = np.uint64(len(table) - 1), len(table) >= CROWD
    room, space = len(key), len(different.words)  # no word runs over the end
    cell = np.empty((1, BEGIN + 1), np.uint64)
    row, begin = at[0], at[0]
    while row < len(numbers):
        if crowd and row + 2 * AHEAD < len(numbers):
            later = 2 * (row + AHEAD)
            near = table[hash_of_view(views[later], views[later + 1], seed) & mask]
            prefetch(flat, np.int64(near) * 2)
            later += 2 * AHEAD
            prefetch(table, np.int64(hash_of_view(views[later], views[later + 1], seed) & mask))
        head, tail = views[2 * row], views[2 * row + 1]
        length = np.int64(head & LOW_HALF)
        if length <= IN_VIEW:
            begin = VIEW * row + VIEW - IN_VIEW
            digest = hash_of_view(head, tail, seed)
        elif length > LONGEST:
            return IRREGULAR
        else:
            begin = begins[np.int64(tail & LOW_HALF)] + np.int64(tail >> HALF)
            digest = hash_of_long(words, begin, length, seed)
            tail = digest
        slot, tries = digest & mask, 0
        there = np.int64(table[slot])
        while there != 0:
            if key[there, 0] == head and key[there, 1] == tail:
                start = np.int64(kind[there] >> HALF)
                if length <= IN_VIEW or are_alike(words, begin, different.words, start, length):
                    break
            slot = (slot + ONE) & mask
            there = np.int64(table[slot])
            tries += 1
            if tries == MOST_TRIES:
                return IRREGULAR
        if there == 0:
            at[0] = row
            if at[3] + length >= MOST_TEXT:
                return IRREGULAR
            if at[2] + 1 >= room or at[3] + length >= space:
                return FULL
            cell[0, HASH], cell[0, ONE_WORD], cell[0, OTHER_WORD] = digest, head, tail
            cell[0, KIND], cell[0, BEGIN] = np.uint64(length), np.uint64(begin)
            enter(cell[0], short if length <= IN_VIEW else long, slot, different, at)
            there = at[2]
        numbers[row] = there - 1
        row += 1
    at[0] = row
    return DONE


@kernel
def put_in_ranks(numbers: Places, rank: Places, ranks: Places) -> None:
    """Fill in the rank of each number; `ranks` may be `numbers` itself."""
    for row in range(len(numbers)):
        ranks[row] = rank[numbers[row]]
