"""An answer of rows in any form: a table on the terminal, JSON, JSON Lines, CSV, Markdown or HTML."""

from collections.abc import Mapping, Sequence
from typing import Any

from handan.cli.output import Form, visible, write, write_csv, write_json, write_json_lines
from handan.cli.tables import Column, aligned, wrapped


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
