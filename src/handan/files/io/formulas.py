"""Texts that a spreadsheet would take for formulas: the one rule for every CSV that is made for spreadsheets."""

from __future__ import annotations

import re

SIGNS = "=+\\-@\uff1d\uff0b\uff0d\uff20"
"""What a formula begins with, also in the full width that spreadsheets set to Japanese or Chinese take for it."""
FORMULA = rf"(^|[;\t\r\n])([{SIGNS}\t\r])"
"""Where a spreadsheet sees one begin: at the start of a cell, also if it takes `;` or a tab for the end of a cell."""
_FORMULA = re.compile(FORMULA)
_NUMBER = re.compile(r"[+-][0-9]{1,40}(?:\.[0-9]{1,40})?")


def without_formulas(text: str) -> str:
    """Return a text with an apostrophe before whatever would be a formula; a number is none."""
    return text if _NUMBER.fullmatch(text) else _FORMULA.sub(r"\1'\2", text)
