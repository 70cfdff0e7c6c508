"""The parts of a workbook before its cells are read: within limits, with what a reader of cells does not tell.

A small file can claim a sheet of billions of cells, and its parts can unpack to more than they say. So all parts are
unpacked here, within the limits, the cells that each sheet spans are counted, and what is read is packed anew.
"""

from __future__ import annotations

import io
import re
import zipfile
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from pathlib import PurePosixPath

from handan.errors import Clause, InputError
from handan.files.io.limits import Limits
from handan.files.io.options import Options
from handan.files.io.storage import DAMAGED_ZIP, check_members, check_size, reason
from handan.files.io.xml import parse

READ = (".xml", ".rels", "mimetype")
"""Endings of the parts that are read; pictures and macros are not."""
EXCEL = re.compile(rb"<(?:\w+:)?(row|c)\b([^>]*)>(\s*</(?:\w+:)?c>)?")
NUMBER = re.compile(rb"""\br=["'](\d{1,9})["']""")
PLACE = re.compile(rb"""\br=["']([A-Za-z]{1,3})(\d{1,9})["']""")
MERGED = re.compile(rb"""\b(ref=["'][A-Za-z]{1,3})(\d{1,9})(:[A-Za-z]{1,3})(\d{1,9})(?=["'])""")
HIDDEN = re.compile(rb"""\bhidden=["'](?:1|true)["']""")
FROM_1904 = re.compile(rb"""\bdate1904=["'](?:1|true)["']""")
UNRECKONED = re.compile(
    rb"""<(?:\w+:)?c\b(?![^>]*\bt=["']str)[^>]*>\s*<(?:\w+:)?f\b[^>]*>[^<]*</(?:\w+:)?f>\s*"""
    rb"""(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>)?\s*</(?:\w+:)?c>"""
)
"""A formula without a value, as programs write it that cannot reckon; that of an empty text is of type `str`."""
ODS = re.compile(rb"<(/?)table:(table-row|table-cell|covered-table-cell|table)\b([^>]*?)(/?)>")
ROWS_REPEATED = re.compile(rb"""number-rows-repeated\s*+=\s*+["']\+?0*+(\d++)["']""")
ROWS_SPANNED = re.compile(rb"""number-rows-spanned\s*+=\s*+["']\+?0*+(\d++)["']""")
COLUMNS_SPANNED = re.compile(rb"""number-columns-spanned\s*+=\s*+["']\+?0*+(\d++)["']""")
CELLS_REPEATED = re.compile(rb"""number-columns-repeated\s*+=\s*+["']\+?0*+(\d++)["']""")
BLANKS = re.compile(rb"""\btext:c\s*+=\s*+["']\+?0*+(\d++)["']""")
"""How many blanks a part of a cell stands for."""
MOST_DIGITS = 12
"""Of a number that a limit is compared with; a longer one is more than any."""
OF_EMPTY = 10  # our choice: so many cells of rows that are left out count as one
FEW_EMPTY = 100  # our choice: empty rows that are not worth leaving out
SHEET_NAME = re.compile(rb"""table:name=["']([^"']*)["']""")
COLLAPSED = re.compile(rb"""table:visibility=["'](?:collapse|filter)["']""")


Span = tuple[tuple[int, int], tuple[int, int]]
"""Row and column, counted from 0, of the first and the last of some cells that are merged."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A workbook that may be read."""

    data: bytes
    """The workbook with the parts that are needed, packed anew."""
    hidden: Mapping[str, frozenset[int]]
    """Numbers of the hidden rows by worksheet, counted from 1."""
    from_1904: bool = False
    """Whether days are counted from 1904, as on older Macintosh computers."""
    unreckoned: Mapping[str, int] = field(default_factory=dict)
    """How many formulas of each worksheet have no value."""
    left_out: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    """Of each worksheet, behind which row, counted from 1, how many empty rows were left out."""
    merged: Mapping[str, Sequence[Span]] = field(default_factory=dict)
    """Of each worksheet of an OpenDocument spreadsheet, which cells are merged over rows, without the rows left out."""


def parts_of(data: bytes, source: str, options: Options) -> Parts:
    """Return what is needed of a zipped workbook; InputError if it is damaged or breaks a limit."""
    members = _unpacked(data, source, options.limits)
    unreckoned: dict[str, int] = {}
    left_out: dict[str, list[tuple[int, int]]] = {}
    merged: dict[str, list[Span]] = {}
    if "content.xml" in members:
        content = members["content.xml"]
        _refuse_blanks(content, source, len(data), options.limits)
        hidden, left_out, merged, members["content.xml"] = _open_document(content, source, options.limits)
    else:
        paths = _paths(members, source, options)
        looked_at = {path: _excel(content, f"{source}!{path}", options.limits) for path, content in members.items()}
        members = {path: content for path, (_, _, content) in looked_at.items()}
        hidden = {sheet: looked_at[path][0] for sheet, path in paths.items() if path in looked_at}
        left_out = {sheet: looked_at[path][1] for sheet, path in paths.items() if path in looked_at}
        unreckoned = {sheet: len(UNRECKONED.findall(members.get(path, b""))) for sheet, path in paths.items()}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    from_1904 = FROM_1904.search(members.get("xl/workbook.xml", b"")) is not None
    return Parts(stream.getvalue(), hidden, from_1904, unreckoned, left_out, merged)


def _refuse_blanks(content: bytes, source: str, packed: int, limits: Limits) -> None:
    """Raise InputError for more blanks than the limits allow: a few bytes may stand for a billion."""
    runs = [_number(match) for match in BLANKS.finditer(content)]
    if runs and max(runs) > limits.line:
        raise limits.exceeded("line", source)
    check_size(len(content) + sum(runs), packed, source, limits)


def _number(match: re.Match[bytes] | None) -> int:
    """Return how often something is repeated: once where nothing is said."""
    return int(match[1][-MOST_DIGITS:] if len(match[1]) <= MOST_DIGITS else b"9" * MOST_DIGITS) if match else 1


def _unpacked(data: bytes, source: str, limits: Limits) -> dict[str, bytes]:
    """Return the parts by name, `mimetype` first."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = [info for info in archive.infolist() if info.filename.endswith(READ)]
            check_members(infos, source, len(data), limits)
            infos.sort(key=lambda info: info.filename != "mimetype")
            return {info.filename: archive.read(info) for info in infos}
    except DAMAGED_ZIP as error:
        raise InputError(Clause.of("{source} is a damaged workbook: {why}", source=source, why=reason(error))) from None


def _paths(members: Mapping[str, bytes], source: str, options: Options) -> dict[str, str]:
    """Return the path of each worksheet of an Excel workbook; none where its parts do not say."""
    relations = members.get("xl/_rels/workbook.xml.rels")
    if relations is None or "xl/workbook.xml" not in members:
        return {}
    plain = Options(limits=options.limits)
    targets = {
        item.attributes.get("Id", ""): item.attributes.get("Target", "")
        for item in parse(relations, f"{source}!rels", plain, ["Relationships"]).all("Relationship")
    }
    sheets = parse(members["xl/workbook.xml"], f"{source}!workbook", plain, ["workbook"]).all("sheet")
    paths = {}
    for sheet in sheets:
        target = targets.get(sheet.attributes.get("id", ""), "")
        path = PurePosixPath(target) if target.startswith("/") else PurePosixPath("xl") / target
        paths[sheet.attributes.get("name", "")] = str(path).lstrip("/")
    return paths


def _excel(sheet: bytes, name: str, limits: Limits) -> tuple[frozenset[int], list[tuple[int, int]], bytes]:
    """Look at an Excel worksheet; InputError if its cells span more than the limit. Empty ones do not count.

    Returns:
        The numbers of the hidden rows; behind which row how many empty ones are left out; and the sheet without these.
    """
    hidden, filled = set(), {0}
    row = column = widest = 0
    for tag, attributes, closing in EXCEL.findall(sheet):
        if tag == b"row":
            match = NUMBER.search(attributes)
            row, column = int(match[1]) if match else row + 1, 0
            if HIDDEN.search(attributes):
                hidden.add(row)
            continue
        match = PLACE.search(attributes)
        column = _column(match[1]) if match else column + 1
        if not closing and not attributes.endswith(b"/"):
            widest = max(widest, column)
            filled.add(int(match[2]) if match else row)
    rows = sorted(filled)
    gaps = [(one, other) for one, other in pairwise(rows) if other - one - 1 > FEW_EMPTY]
    cut = sum(other - one - 1 for one, other in gaps)
    _check_span(rows[-1], cut, widest, name, limits)
    left_out = [(one, other - one - 1) for one, other in gaps]
    return frozenset(hidden), left_out, _without_gaps(sheet, gaps) if gaps else sheet


def _without_gaps(sheet: bytes, gaps: Sequence[tuple[int, int]]) -> bytes:
    """Return an Excel worksheet whose rows are counted on without the empty ones between some pairs of rows."""
    ends = [other for _, other in gaps]
    cuts = list(accumulate((other - one - 1 for one, other in gaps), initial=0))

    def moved(number: bytes) -> bytes:
        row = int(number)
        place = bisect_right(ends, row)
        if place < len(gaps):
            row = min(row, gaps[place][0])  # an empty row that is left out
        return b"%d" % (row - cuts[place])

    def tag(match: re.Match[bytes]) -> bytes:
        number = (NUMBER if match[1] == b"row" else PLACE).search(match[0])
        if not number:
            return match[0]
        start, end = number.span(number.lastindex or 1)
        return match[0][:start] + moved(match[0][start:end]) + match[0][end:]

    def area(match: re.Match[bytes]) -> bytes:
        return match[1] + moved(match[2]) + match[3] + moved(match[4])

    return MERGED.sub(area, EXCEL.sub(tag, sheet))


def _check_span(rows: int, cut: int, widest: int, where: str, limits: Limits) -> None:
    """Raise LimitError for a sheet that spans too many cells, some of its rows being left out."""
    if max(rows, (rows - cut) * widest + min(rows, cut) * widest // OF_EMPTY) > limits.cells:
        raise limits.exceeded("cells", where)


def _column(letters: bytes) -> int:
    """Return the number of a column by its letters: 1 for A."""
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - 64
    return number


def _open_document(
    content: bytes, source: str, limits: Limits
) -> tuple[dict[str, frozenset[int]], dict[str, list[tuple[int, int]]], dict[str, list[Span]], bytes]:
    """Look at the sheets of an OpenDocument spreadsheet; InputError if one spans too many cells.

    Returns:
        The hidden rows of each sheet; of each, behind which row how many empty ones are left out, and which cells are
        merged over rows; and the content without the empty rows: a reader of cells would make each of a million that a
        few bytes stand for.
    """
    hidden: dict[str, frozenset[int]] = {}
    left_out: dict[str, list[tuple[int, int]]] = {}
    merged: dict[str, list[Span]] = {}
    pieces, copied = list[bytes](), 0
    name, numbers = "", set[int]()
    row = rows = cut = repeat = column = widest = 0
    filled = False
    opened: tuple[int, int] | None = None  # where the count of a row stands that may be empty
    for match in ODS.finditer(content):
        closing, tag, attributes, single = match.groups()
        if tag == b"table" and not closing:
            name_match = SHEET_NAME.search(attributes)
            name = name_match[1].decode("utf-8", "replace") if name_match else ""
            numbers, row, rows, cut, widest = set(), 0, 0, 0, 0
        elif tag == b"table-row" and not closing:
            count = ROWS_REPEATED.search(attributes)
            repeat, column, filled = _number(count), 0, False
            opened = (match.start(3) + count.start(1), match.start(3) + count.end(1)) if count else None
            if COLLAPSED.search(attributes):
                numbers |= set(range(row + 1, row + 1 + min(repeat, 1000)))
        elif not closing:
            count = CELLS_REPEATED.search(attributes)
            if b"rows-spanned" in attributes:
                right = column + _number(COLUMNS_SPANNED.search(attributes)) - 1
                bottom = row - cut + _number(ROWS_SPANNED.search(attributes)) - 1
                merged.setdefault(name, []).append(((row - cut, column), (bottom, right)))
            column += _number(count)
            if not single:
                filled, widest = True, max(widest, column)
        if tag == b"table-row" and (closing or single):
            if not filled and opened and repeat > FEW_EMPTY:
                pieces += [content[copied : opened[0]], b"1"]
                copied = opened[1]
                left_out.setdefault(name, []).append((row + 1, repeat - 1))
                cut += repeat - 1
            row += repeat
            rows = row if filled else rows
            _check_span(rows, cut, widest, f"{source}!{name}", limits)
            hidden[name] = frozenset(numbers)
    return hidden, left_out, merged, b"".join([*pieces, content[copied:]])
