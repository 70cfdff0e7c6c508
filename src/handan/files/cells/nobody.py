"""Cells in place of a player in which there is none: a bye, or the error of a formula."""

from __future__ import annotations

import polars as pl

from handan.errors import Clause, Problem

BYES = (
    "bye", "freilos", "spielfrei", "exempt", "vrij", "riposa", "descansa", "pauza", "wolny los", "свободен",
    "不戦", "不戦勝", "輪空", "轮空", "부전승",
)  # fmt: skip
"""How programs and people fill the place of the opponent of who had none."""
FORMULA_ERRORS = (
    "#N/A", "#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!", "#ERROR!",
    "#NV", "#BEZUG!", "#WERT!", "#ZAHL!", "#NOM?", "#VALEUR!",
)  # fmt: skip
"""What spreadsheet programs show in place of a value, in English, German and French."""
NOBODY = frozenset(
    [*FORMULA_ERRORS, *(form for bye in BYES for form in (bye, bye.upper(), bye.title(), bye.capitalize()))]
)


def without_nobody(text: pl.DataFrame, lines: pl.Series, source: str) -> tuple[pl.DataFrame, pl.Series, list[Problem]]:
    """Return the rows of a table in which two players stand, and what is to be said of the others.

    Args:
        text: Its columns of players are called black and white.
        lines: Line of each row.
        source: Name for the reports.
    """
    problems, absent = [], pl.repeat(value=False, n=text.height, eager=True, dtype=pl.Boolean)
    for side in ("black", "white"):
        cells = text[side].cast(pl.String).str.strip_chars()
        if NOBODY.isdisjoint(cells.unique().to_list()):
            continue
        here = cells.is_in(list(NOBODY)).fill_null(value=False)
        absent |= here
        problems += [
            _problem(source, line, side, cell)
            for line, cell in zip(lines.filter(here), cells.filter(here), strict=True)
        ]
    return (text.filter(~absent), lines.filter(~absent), problems) if problems else (text, lines, [])


def _problem(source: str, line: int, side: str, cell: str) -> Problem:
    """Return what is to be said of a row without one of its players: a bye is no fault."""
    if cell in FORMULA_ERRORS:
        return Problem(source, line, side, cell, "a player; a formula of the spreadsheet failed")
    message = Clause.of("{side} {cell!r} is no player but a bye; left out", side=Clause.of(side), cell=cell)
    return Problem(source, line, side, cell, "a player", rejected=False, message=message)
