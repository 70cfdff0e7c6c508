"""The project's own table of games as Parquet."""

from __future__ import annotations

import io

import polars as pl

from handan.errors import Clause, InputError
from handan.files.games.adjustment_rows import written_table
from handan.files.games.contents import Contents
from handan.files.games.format import Format
from handan.files.io.limits import Limits
from handan.files.io.options import Options
from handan.files.io.storage import reason
from handan.files.tables.frames import implied_precision, read_frame
from handan.ledger import Ledger

MAGIC = b"PAR1"
DAY = 10  # characters of a date
END = 8  # bytes behind the footer: its length, and the mark of the format
ARROW, OTHER = b"ARROW:schema", b"other:schema"
"""Key of the footer under which programs say that a column is one of categories, and one that says nothing."""
LONGEST_ROW = 1_000  # bytes; our choice: of text, on average, in a table that holds more than a text file may


def _read(data: bytes, source: str, options: Options) -> Contents:
    try:
        frame = _measured(data, source, options.limits)
    except pl.exceptions.DuplicateError as error:
        pattern = "{source}: {why}; every column needs its own name"
        raise InputError(Clause.of(pattern, source=source, why=reason(error))) from None
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        pattern = "{source} is a damaged Parquet file: {why}"
        raise InputError(Clause.of(pattern, source=source, why=reason(Exception(error)))) from None
    return read_frame(frame, source, options)


def _measured(data: bytes, source: str, limits: Limits) -> pl.DataFrame:
    """Return a table; LimitError for one of too many rows, or of too much text.

    A value that stands once in a file may be meant in a million rows. As text it costs no more than once; in a column
    of categories each row is read by itself. So no column is taken for one of those before its text is measured.
    """
    rows = int(pl.scan_parquet(io.BytesIO(data)).select(pl.len()).collect().item())  # by the footer
    limits.check("games", rows, source)
    footer = len(data) - END - int.from_bytes(data[-END : 4 - END], "little")
    plain = data[: max(footer, 0)] + data[max(footer, 0) :].replace(ARROW, OTHER)
    table = pl.scan_parquet(io.BytesIO(plain))
    texts: list[pl.Series] = []
    total = 0
    for name in [name for name, kind in table.collect_schema().items() if kind == pl.String]:
        text = table.select(pl.col(name)).collect()[name]
        size = text.str.len_bytes().fill_null(0).to_numpy()
        if size.max(initial=0) > limits.line:
            raise limits.exceeded("line", source)
        total += int(size.sum())
        if total > max(limits.text, rows * LONGEST_ROW):
            raise limits.exceeded("text", source)
        texts.append(text)
    whole = pl.scan_parquet(io.BytesIO(data))
    others = whole.select(pl.exclude(*(text.name for text in texts))).collect()
    return pl.DataFrame([*texts, *others]).select(whole.collect_schema().names())


def _write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: ARG001, FBT001  # the signature of all formats
    """Return the games with zstd; `precision` is written where the dates do not tell it by themselves."""
    table = written_table(ledger)
    dated = table.filter(pl.col("date").is_not_null())
    implied = dated.select((pl.col("precision") == implied_precision(pl.col("date"))).all()).item()
    table = table.drop("precision") if implied else table
    if (dated["precision"] <= DAY).all():
        table = table.with_columns(pl.col("date").cast(pl.Date))
    stream = io.BytesIO()
    table.write_parquet(stream, compression="zstd")
    return stream.getvalue(), []


PARQUET = Format("Parquet", lambda head: head.startswith(MAGIC), _read, (".parquet",), _write)
