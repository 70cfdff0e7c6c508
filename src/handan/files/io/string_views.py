"""The text of a column of polars where it lies in memory, by the interface that Arrow lays down for that.

Source: Arrow columnar format, "Variable-size Binary View Layout", and "The Arrow C stream interface".
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

FORMAT = b"vu"
"""How the interface names text in views."""
VIEW = 16  # bytes of each cell
BEFORE = 2  # buffers before those of text: which cells are there, and the views
STREAM, SCHEMA, ARRAY = 40, 72, 80
"""Bytes of the three records."""
GET_SCHEMA, GET_NEXT = 0, 8
"""Places of functions in a stream."""
LENGTH, OFFSET, COUNT, BUFFERS = 0, 16, 24, 40
"""Places in an array of its cells, of the first one, of the number of buffers, and of their addresses."""
RELEASE_SCHEMA, RELEASE_ARRAY = 56, 64


class Views(NamedTuple):
    """Some cells of a column; their memory is good until the next ones are asked for."""

    views: NDArray[np.uint8]
    """Of each 16 bytes: its length, and the text itself or where it is; shape (16 cells,)."""
    text: NDArray[np.uint8]
    """Texts of more than 12 bytes."""
    start: NDArray[np.int64]
    """Where in `text` each buffer begins."""


def views_of(column: pl.Series) -> Iterator[Views] | None:
    """Return the cells of a column of text without nulls; None if polars does not give them as views."""
    capsule = column.__arrow_c_stream__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    stream = pointer(capsule, b"arrow_array_stream")
    schema = (ctypes.c_char * SCHEMA)()
    if not stream or _call(stream, GET_SCHEMA, schema):
        return None
    given = ctypes.string_at(_address(ctypes.addressof(schema)))
    _release(schema, RELEASE_SCHEMA)
    return _pieces(capsule, stream) if given == FORMAT else None


def _pieces(capsule: Any, stream: int) -> Iterator[Views]:
    while capsule:  # which frees the stream when it is gone
        array = (ctypes.c_char * ARRAY)()
        if _call(stream, GET_NEXT, array):
            raise MemoryError
        record = ctypes.addressof(array)
        if not _address(record + RELEASE_ARRAY):
            return
        try:
            yield _views(record)
        finally:
            _release(array, RELEASE_ARRAY)


def _views(record: int) -> Views:
    """Return the cells of a record of an array."""
    rows, first, count = (_number(record + place) for place in (LENGTH, OFFSET, COUNT))
    buffers = [_number(_address(record + BUFFERS) + 8 * number) for number in range(count)]
    texts = buffers[BEFORE:-1]
    sizes = [_number(buffers[-1] + 8 * number) for number in range(len(texts))]
    start = np.cumsum([0, *sizes])[:-1].astype(np.int64)
    parts = [_bytes(address, size) for address, size in zip(texts, sizes, strict=True)]
    text = parts[0] if len(parts) == 1 else np.concatenate([np.zeros(0, np.uint8), *parts])
    return Views(_bytes(buffers[1] + VIEW * first, VIEW * rows), text, start)


def _bytes(address: int, size: int) -> NDArray[np.uint8]:
    if not size:
        return np.zeros(0, np.uint8)
    memory: Any = (ctypes.c_char * size).from_address(address)
    return np.frombuffer(memory, np.uint8)


def _number(place: int) -> int:
    return ctypes.c_int64.from_address(place).value


def _address(place: int) -> int:
    return ctypes.c_void_p.from_address(place).value or 0


def _call(stream: int, place: int, record: Any) -> int:
    """Let a function of a stream fill a record; return 0 if it could."""
    function = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(_address(stream + place))
    return int(function(stream, ctypes.addressof(record)))


def _release(record: Any, place: int) -> None:
    """Let who gave a record out free it, by the function whose address stands at a place of the record."""
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_address(ctypes.addressof(record) + place))
    function(ctypes.addressof(record))
