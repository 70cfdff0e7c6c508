"""Arrays and plain values as bytes, for a column of a database: a line of JSON, then the arrays behind each other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray


def packed(arrays: Mapping[str, NDArray[Any]], plain: Any = None) -> bytes:
    """Return arrays and a plain value as bytes."""
    heads = [[name, values.dtype.str, values.shape] for name, values in arrays.items()]
    parts = [np.ascontiguousarray(values).tobytes() for values in arrays.values()]
    return b"".join([json.dumps([heads, plain]).encode(), b"\n", *parts])


def unpacked(content: bytes) -> tuple[dict[str, NDArray[Any]], Any]:
    """Return the arrays and the plain value of `packed`; the arrays may be written to."""
    head, _, rest = bytes(content).partition(b"\n")
    heads, plain = json.loads(head)
    arrays: dict[str, NDArray[Any]] = {}
    place = 0
    for name, kind, shape in heads:
        dtype = np.dtype(kind)
        size = int(np.prod(shape, dtype=np.int64))
        arrays[name] = np.frombuffer(rest, dtype, size, place).reshape(shape).copy()
        place += size * dtype.itemsize
    return arrays, plain
