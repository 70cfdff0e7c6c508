"""Rows of an answer for other programs: a Parquet or CSV file, or a table of a database."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from handan.cli.notices import note
from handan.errors import InputError, counted


def write_rows(rows: Sequence[dict[str, Any]], schema: Mapping[str, Any], output: Path, table: str) -> None:
    """Write rows to a file, or in place of the rows of a table of a database.

    Args:
        rows: As the command prints them.
        schema: Types of their columns; another column is text.
        output: The file, whose ending says the form, or the address of a database.
        table: Of a database.
    """
    import polars as pl

    from handan.files.io.addresses import address_of, shown_address
    from handan.files.io.databases import is_database, replace_rows
    from handan.files.io.storage import reason

    names = list(rows[0]) if rows else list(schema)
    frame = pl.DataFrame(rows, schema={name: schema.get(name, pl.String) for name in names}, strict=False)
    if is_database(output):
        replace_rows(frame, output, table)
        note(f"{counted(frame.height, 'row')} in the table {table} of {shown_address(address_of(output))}")
        return
    if output.suffix.lower() not in {".parquet", ".csv"}:
        raise InputError(f"{output} ends in neither .parquet nor .csv, and is no address of a database")
    unfinished = output.with_name(f"{output.name}.part")
    try:
        if output.suffix.lower() == ".parquet":
            frame.write_parquet(unfinished)
        else:
            frame.write_csv(unfinished)
        unfinished.replace(output)  # whoever reads it finds the old rows or the new
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise InputError(f"{output} cannot be written: {reason(error)}") from None
    note(f"{counted(frame.height, 'row')} in {output}")
