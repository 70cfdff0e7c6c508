"""Rows that a command prints in any form, or writes to a file or a table of a database for other programs."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from handan.cli.notices import note
from handan.cli.output import Form, visible, write, write_csv, write_json, write_json_lines
from handan.cli.tables import Column, aligned, wrapped
from handan.errors import InputError, counted


def show(
    form: Form,
    rows: Sequence[Mapping[str, Any]],
    names: Sequence[str],
    columns: Sequence[Column] | Sequence[Sequence[Column]],
    *,
    document: Any = None,
    head: str = "",
    foot: str = "",
) -> None:
    """Write an answer to stdout.

    Args:
        form: Which form.
        rows: The data, for CSV and JSON Lines.
        names: Columns of the CSV.
        columns: What people read: the columns of one table, or of several.
        document: What JSON holds in place of the rows.
        head: Text above the tables, for people.
        foot: Text below them.
    """
    tables: list[list[Column]] = []
    for each in columns:
        if isinstance(each, Column):
            tables = [*tables[:-1], [*(tables[-1] if tables else []), each]]
        else:
            tables.append(list(each))
    if form is Form.JSON:
        write_json(list(rows) if document is None else document)
    elif form is Form.JSONL:
        write_json_lines(rows)
    elif form is Form.CSV:
        write_csv(rows, names)
    else:
        make = {Form.MARKDOWN: markdown, Form.HTML: html_table}.get(form, aligned)
        paragraph = html_paragraph if form is Form.HTML else visible_lines
        parts = [paragraph(head), *(make(table) for table in tables), paragraph(foot)]
        write("\n\n".join(part for part in parts if part))


def visible_lines(text: str) -> str:
    """Return lines without control characters, broken at the width of a terminal."""
    return wrapped("\n".join(visible(line) for line in text.split("\n")))


def html_paragraph(text: str) -> str:
    """Return lines as a paragraph of HTML."""
    from html import escape

    lines = "<br>\n".join(escape(visible(line)) for line in text.split("\n"))
    return f"<p>{lines}</p>" if lines else ""


def _filled(columns: Sequence[Column]) -> list[Column]:
    """Return the columns without those that may be left out and are empty."""
    return [column for column in columns if not column.spare or any(column.cells)]


def markdown(columns: Sequence[Column]) -> str:
    """Return columns as a table of Markdown."""
    own = _filled(columns)
    lines = [[_markdown_cell(column.title) for column in own], ["---:" if column.right else "---" for column in own]]
    lines += [
        [_markdown_cell(cell.strip()) for cell in row] for row in zip(*(column.cells for column in own), strict=True)
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _markdown_cell(text: str) -> str:
    """Return text in which nothing means anything to Markdown."""
    plain = visible(text)
    for mark in ("\\", "|", "`", "*", "_", "[", "]", "<", ">", "#"):
        plain = plain.replace(mark, "&lt;" if mark == "<" else f"\\{mark}")
    return plain if plain != "\\#" else "#"


def html_table(columns: Sequence[Column]) -> str:
    """Return columns as a table of HTML, to be put into a page."""
    from html import escape

    own = _filled(columns)
    style = [' style="text-align: right"' if column.right else "" for column in own]
    head = "".join(
        f'<th scope="col"{each}>{escape(visible(column.title))}</th>' for column, each in zip(own, style, strict=True)
    )
    lines = [f"<tr>{head}</tr>"]
    for row in zip(*(column.cells for column in own), strict=True):
        cells = (f"<td{each}>{escape(visible(cell.strip()))}</td>" for cell, each in zip(row, style, strict=True))
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return "\n".join(["<table>", f"<thead>\n{lines[0]}\n</thead>", "<tbody>", *lines[1:], "</tbody>", "</table>"])


def write_rows(rows: Sequence[dict[str, Any]], schema: Mapping[str, Any], output: Path, table: str) -> None:
    """Write rows to a file, or in place of the rows of a table of a database.

    Args:
        rows: As the command prints them.
        schema: Types of their columns; another column is text.
        output: The file, whose ending says the form, or the address of a database.
        table: Of a database.
    """
    import polars as pl

    from handan.files.io.addresses import address_of
    from handan.files.io.databases import is_database, replace_rows, shown_address
    from handan.files.io.storage import save

    names = list(rows[0]) if rows else list(schema)
    frame = pl.DataFrame(rows, schema={name: schema.get(name, pl.String) for name in names}, strict=False)
    if output.suffix.lower() != ".csv" and "last_played" in frame.columns:
        day = pl.col("last_played")  # a year or a month alone becomes its first day
        frame = frame.with_columns((day + pl.lit("-01-01").str.slice(day.str.len_chars() - 4)).str.to_date())
    if is_database(output):
        replace_rows(frame, output, table)
        note(f"{counted(frame.height, 'row')} in the table {table} of {shown_address(address_of(output))}")
        return
    if output.suffix.lower() not in {".parquet", ".csv"}:
        raise InputError(f"{output} ends in neither .parquet nor .csv, and is no address of a database")
    data = BytesIO()
    if output.suffix.lower() == ".parquet":
        frame.write_parquet(data)
    else:
        frame.write_csv(data)
    save(output, data.getvalue())
    note(f"{counted(frame.height, 'row')} in {output}")
