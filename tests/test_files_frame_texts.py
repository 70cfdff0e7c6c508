"""Texts of frames of pandas and arrow, taken over as they lie in memory, are those that polars copies."""

from __future__ import annotations

import pandas as pd
import polars as pl

from handan.files.tables.frames import to_polars

TEXTS = ["x", None, "longer than the twelve bytes of a view", "é" * 20, ""]


def test_texts_of_pandas_are_those_that_polars_copies() -> None:
    frame = pd.DataFrame({"text": TEXTS, 1: range(5), "part": [1.5, None, 2, 3, 4], "other": TEXTS[::-1]})
    for own in (frame, frame.iloc[1:4], frame[["text"]], frame.iloc[:0], frame.astype({"text": object})):
        assert to_polars(own).equals(pl.from_pandas(own))


def test_texts_of_arrow_are_those_that_polars_copies() -> None:
    frame = pl.DataFrame({"text": TEXTS, "number": range(5)})
    for own in (frame, frame[1:4], frame.clear()):
        table = own.to_arrow(compat_level=pl.CompatLevel.oldest())
        assert to_polars(table).equals(own)
