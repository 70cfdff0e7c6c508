"""Wall lists: tab-separated rows of place, name, rank, country, club, scores and results that name each other."""

from __future__ import annotations

import re

from handan.errors import Clause, InputError, clause_of
from handan.files.games.contents import Contents, Entrant, Gatherer, club_of
from handan.files.games.format import Format
from handan.files.games.text_lines import lines_of
from handan.files.games.wall_list_columns import parse_result_cell
from handan.files.games.wall_lists import NO_ROW, TAG, Row, WallList, contents_of
from handan.files.io.options import Options
from handan.ledger.facts import read_name
from handan.ranks import plain_rank

CELLS = 6  # place, name, rank, country, club and at least one result


def sniff(head: bytes) -> bool:
    """Return whether most lines are rows of a place, a name, a rank and results, separated by tabs."""
    if b"\t" not in head:
        return False
    *lines, last = head.decode("latin-1").split("\n")  # the last may be cut
    rows = [line.split("\t") for line in (lines if len(lines) > 1 else [*lines, last]) if line.strip()]
    like = sum(
        len(cells) >= CELLS and cells[0].strip().rstrip(".").isdecimal() and len(cells[0]) < 6
        and bool(re.fullmatch(r"\d{1,2}\s*[kKdDpP]?[?*]?", cells[2].strip()))
        and any(cell.strip() and not cell.strip().isdecimal() and parse_result_cell(cell.strip()) for cell in cells[5:])
        for cells in rows
    )  # fmt: skip
    return not TAG.search(head.decode("latin-1")) and bool(like >= 2 and 2 * like >= len(rows))


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one tournament, whose date must come from the user; InputError if it has no rows or no results."""
    gatherer = Gatherer(source, options.limits)
    wall_list = WallList(facts={"kind": "tournament"})
    for number, line in enumerate(lines_of(data, gatherer, options, "iso-8859-15"), 1):
        cells = [cell.strip() for cell in line.split("\t")]
        if not line.strip() or (not wall_list.rows and not cells[0].rstrip(".").isdecimal()):
            continue  # a header
        row = _row(cells, number, gatherer)
        if row is not None:
            wall_list.rows.append(row)
    if not wall_list.rows:
        raise InputError(Clause.of(NO_ROW, source=source))
    gatherer.undated(options)
    return contents_of(wall_list, gatherer)


def _row(cells: list[str], number: int, gatherer: Gatherer) -> Row | None:
    place = cells[0].rstrip(".")
    try:
        name = read_name(cells[1] if len(cells) > 1 else "")
        rank = plain_rank(cells[2] if len(cells) > 2 else "", bare_kyu=True)
    except InputError as fault:
        expected = Clause.of("place, name, rank, country, club and results ({fault})", fault=clause_of(fault))
        gatherer.reject(number, "row", " ".join(cells)[:60], expected)
        return None
    country, club = (cells[at] if len(cells) > at else "" for at in (3, 4))
    entrant = Entrant(name, "", country.upper(), club_of(club), rank=rank)
    return Row(number, int(place) if place.isdecimal() and len(place) < 7 else 0, entrant, tuple(cells[3:]))


WALL_LIST = Format("wall list", sniff, read)
