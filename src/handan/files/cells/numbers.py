"""Cells of a table as people write them: numbers with units, stones in words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from handan.errors import FieldError
from handan.files.cells.dates import lost_decimals
from handan.files.cells.results import ZI, points_of_zi, with_decimals
from handan.files.cells.vocabulary import Vocabulary, kinds_of
from handan.ledger.facts import KOMI_EXPECTED, READERS, read_handicap, read_id, read_size
from handan.ledger.facts import read_komi as read_points
from handan.words import joined, words_of

LONGEST = 60  # characters; our choice: longer text is no number with its unit
NUMBER = re.compile(r"(?:(?<![^\W\d_])[-+])?(?:\d+(?:[.,]\d+)?|(?<![\w.,])[.,]\d+)")
THOUSANDS = re.compile(r"(?<=\d)[.,'’ ](?=\d{3}(?!\d))")
ANY_UNIT = re.compile(r"[\s.]*+(?:[^\W\d_]{0,12})[\s.:+]*+")
MINUS = re.compile(r"−|^[‐‑‒–—](?=\d)")
UNIT, REVERSE = "unit", "reverse"
BOARD = re.compile(r"(\d{1,2})\s*(?:[x×*]\s*(\d{1,2}))?\D{0,12}")
POWER_OF_TEN = re.compile(r"\d(?:[.,]\d+)?[eE]\+?\d{1,3}")
WHOLE = re.compile(r"(\d+)[.,]0")
DASHES = frozenset("-–—")
WRITTEN_FRACTIONS = {"1/2": ".5", "1/4": ".25", "3/4": ".75"}
DAMAGED_ID = "an id with all its digits; the spreadsheet program has rounded it, so it is not read"
MADE_A_DAY = "a number; the spreadsheet program has made a day of it"


def number_in(cell: str) -> str:
    """Return the one number of a cell with its unit, whatever that is, such as `Round 3`; else the cell itself."""
    if len(cell) > LONGEST:
        return cell
    text = _plain_number(cell)
    match = NUMBER.search(text)
    if not match:
        return cell
    before, after = text[: match.start()], text[match.end() :]
    if ANY_UNIT.fullmatch(before) and ANY_UNIT.fullmatch(after):
        return match[0].replace(",", ".")
    return cell


def _number_with(vocabulary: Vocabulary, cell: str) -> float | None:
    """Return the one number of a cell beside which only words of a closed list stand; None for any other cell."""
    if len(cell) > LONGEST:
        return None
    text = re.sub(r"(?<=[^\W\d_])-(?=[^\W\d_])", "", _plain_number(cell))
    match = NUMBER.search(text)
    if not match:
        return None
    rest = re.sub(r"[+=]", " ", f"{text[: match.start()]} {text[match.end() :]}")
    kinds = None if any(map(str.isdigit, rest)) else kinds_of(rest, vocabulary)
    number = float(match[0].replace(",", "."))
    if kinds is None or (REVERSE in kinds and (number < 0 or kinds.count(REVERSE) > 1)):
        return None
    return -number + 0.0 if REVERSE in kinds else number


def round_in(cell: str) -> int | None:
    """Return the round of a line such as `Round 2` or `第2回戦`; None where no word says that it is one."""
    words = dict.fromkeys(words_of("heading", "round") | words_of("round", "ordinal"), frozenset([UNIT]))
    if not any(map(str.isalpha, cell)) or joined(cell).strip("0123456789") in words_of("round", "ordinal"):
        return None
    number = _number_with(words, cell)
    return int(number) if number is not None and number.is_integer() and number > 0 else None


def _plain_number(cell: str) -> str:
    """Return a cell with decimals in place of fractions and halves, and a plain minus."""
    text = unicodedata.normalize("NFKC", _decimals(cell)).strip()
    text = MINUS.sub("-", text)
    return re.sub(r"(\d)\s*+(?:(?:目|집)\s*+)?(?:半|반)", r"\1.5", text)


def _in_points(cell: str) -> str:
    """Return a cell with points in place of Chinese stones."""
    text = unicodedata.normalize("NFKC", cell)
    match = ZI.search(text)
    return f"{text[: match.start()]}{points_of_zi(match)}{text[match.end() :]}" if match else cell


@cache
def _komi_words() -> Vocabulary:
    """Return the words beside the points of a komi."""
    words = dict.fromkeys(words_of("heading", "komi") | words_of("result", "points"), frozenset([UNIT]))
    words |= dict.fromkeys(words_of("komi", "unit"), frozenset([UNIT]))
    return words | dict.fromkeys(words_of("komi", "reverse"), frozenset([REVERSE]))


@cache
def _stones_words() -> Vocabulary:
    """Return the words beside the stones of a handicap."""
    return dict.fromkeys(words_of("heading", "handicap") | words_of("stones", "unit"), frozenset([UNIT]))


def _decimals(cell: str) -> str:
    """Return a cell with decimals in place of `½`, `6 1/2` and `1/2`."""
    cell = with_decimals(cell)
    for fraction, decimals in WRITTEN_FRACTIONS.items():
        cell = re.sub(rf"(?<=\d)\s+{fraction}(?![\d/子])", decimals, cell)
        cell = re.sub(rf"(?<![\d/又]){fraction}(?![\d/子])", f"0{decimals}", cell)
    return cell


def _with_unit(name: str, cell: str) -> Any:
    """Return the round or the moves of a cell, also with a unit or with thousands apart: `Round 3`, `1.201 Züge`."""
    _refuse_day(name, cell)
    text = unicodedata.normalize("NFKC", cell) if len(cell) <= LONGEST else cell
    try:
        return READERS[name]("" if text.strip() in DASHES else number_in(re.sub(THOUSANDS, "", text)))
    except FieldError as fault:
        raise FieldError(fault.field, cell, fault.expected) from None


def _refuse_day(name: str, cell: str) -> None:
    """Raise FieldError for a day and a month, which spreadsheet programs make of numbers such as 6.5."""
    if lost_decimals(cell):
        raise FieldError(name, cell, MADE_A_DAY)


def _is_plain(cell: str) -> bool:
    """Return whether a cell is empty or a number of digits, and no word stands in it."""
    return not cell or (
        cell.isascii() and cell[0].isdigit() and cell[-1].isdigit() and cell.replace(".", "", 1).isdigit()
    )


def read_stones(cell: str) -> int:
    """Return the stones of a handicap that may stand in words; beside a number only words for stones may stand."""
    _refuse_day("handicap", cell)
    word = joined(cell)
    if word and word in words_of("stones", "even"):
        return 0
    if word and word in words_of("stones", "first"):
        return 1
    if cell.strip() in DASHES:
        return 0
    if _is_plain(cell):
        return read_handicap(cell)
    from handan.handicaps.terms_words import plain_line, stones_in

    stones = stones_in(plain_line(cell)) if len(cell) <= LONGEST else None
    if stones is not None:
        return read_handicap(str(stones))
    try:
        return read_handicap(cell)
    except FieldError as fault:
        number = _number_with(_stones_words(), cell)
        if number is None:
            raise
        try:
            return read_handicap(str(number))
        except FieldError:
            raise FieldError("handicap", cell, fault.expected) from None


def read_komi(cell: str) -> float | None:
    """Return the komi of a cell that may say who gives it: `6目半`, `Black gives 6.5`, `reverse 5`; None for none.

    Beside the number only words for komi and points may stand, and those that turn its sign.
    """
    _refuse_day("komi", cell)
    if cell.strip() in DASHES:
        return None
    if _is_plain(cell):
        return read_points(cell)
    from handan.handicaps.terms_words import UnreadableError, komi_in, plain_line

    points = _in_points(cell) if len(cell) <= LONGEST else ""
    try:
        return read_points(komi_in(plain_line(_decimals(points))))
    except UnreadableError:
        number = _number_with(_komi_words(), points)
    try:
        return read_points(cell if number is None else str(number))
    except FieldError:
        raise FieldError("komi", cell, KOMI_EXPECTED) from None


def read_register_id(cell: str) -> str:
    """Return an id of a register; FieldError for one that a spreadsheet program has written as a power of ten."""
    text = read_id(cell)
    if POWER_OF_TEN.fullmatch(text):
        raise FieldError("id", cell, DAMAGED_ID)
    return whole[1] if (whole := WHOLE.fullmatch(text)) else text


def read_board(cell: str) -> int:
    """Return the side of a board that may be written `19x19` or `19路`."""
    _refuse_day("size", cell)
    match = BOARD.fullmatch(unicodedata.normalize("NFKC", cell[:LONGEST]).strip())
    whole = match is not None and match[2] in (None, match[1])
    return read_size(match[1] if match and whole else cell)


CELLS: Mapping[str, Callable[[str], Any]] = {
    **READERS,
    "round": partial(_with_unit, "round"),
    "moves": partial(_with_unit, "moves"),
    "handicap": read_stones,
    "komi": read_komi,
    "size": read_board,
    "black_id": read_register_id,
    "white_id": read_register_id,
}
"""How the cells of a table are read."""
