"""Arrays and plain values as bytes, for a column of a database: a line of JSON, then the arrays behind each other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

TEXTS = "SU"
"""Kinds of arrays of text, which are kept as their different values and numbers."""


def packed(arrays: Mapping[str, NDArray[Any]], plain: Any = None) -> bytes:
    """Return arrays and a plain value as bytes."""
    heads, parts = [], []
    for name, values in arrays.items():
        texts: list[str] | None = None
        kept = values
        if values.dtype.kind in TEXTS:
            different, number = np.unique(values, return_inverse=True)
            texts = different.astype(np.str_).tolist()
            kept = number.reshape(values.shape).astype(np.min_scalar_type(max(len(different) - 1, 0)))
        heads.append([name, kept.dtype.str, kept.shape, values.dtype.str if texts is not None else "", texts])
        parts.append(np.ascontiguousarray(kept).tobytes())
    return b"".join([json.dumps([heads, plain]).encode(), b"\n", *parts])


def unpacked(content: bytes) -> tuple[dict[str, NDArray[Any]], Any]:
    """Return the arrays and the plain value of `packed`; the arrays may be written to."""
    head, _, rest = bytes(content).partition(b"\n")
    heads, plain = json.loads(head)
    arrays: dict[str, NDArray[Any]] = {}
    place = 0
    for name, kind, shape, text_kind, texts in heads:
        dtype = np.dtype(kind)
        size = int(np.prod(shape, dtype=np.int64))
        values = np.frombuffer(rest, dtype, size, place).reshape(shape).copy()
        place += size * dtype.itemsize
        arrays[name] = values if texts is None else np.array(texts, dtype=text_kind)[values]
    return arrays, plain
