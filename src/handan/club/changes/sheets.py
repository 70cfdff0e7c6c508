"""Record sheets: which games of the ledger stood on one paper, and that somebody compared them with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from handan.club.entries import Draft, Record
from handan.club.kinds import Kind
from handan.club.state import WITHDRAWN, EnteredSheet, Folding, Handler, State, game_number
from handan.errors import Clause, InputError


def enter_sheet(_: State, games: Mapping[int, str]) -> Draft:
    """Return the entry by which games of the ledger are those of a sheet: their keys by their numbers on the paper."""
    return Draft(Kind.SHEET_ENTERED, _lines(games))


def continue_sheet(state: State, key: str, games: Mapping[int, str]) -> Draft:
    """Return the entry by which more games of a sheet are entered: their keys by their numbers on the paper."""
    earlier = dict(sheet_of(state, key).lines)
    free = max((*earlier, *games), default=0)
    places = {}
    for number, game in sorted(games.items()):  # a number that is taken already goes behind the last
        free += number in earlier
        places[free if number in earlier else number] = game
    return Draft(Kind.SHEET_CONTINUED, _lines(places), key)


def check_sheet(state: State, key: str, seen: int | None = None) -> Draft:
    """Return the entry by which somebody says that the games of a sheet stand as on the paper.

    `seen` is the last entry about the sheet that was seen; InputError if another followed, or nothing is to be checked.
    """
    sheet = sheet_of(state, key)
    if seen is not None and seen != latest_entry(state, sheet):
        raise InputError(Clause.of("sheet {key} was changed meanwhile; look at it again", key=key))
    if is_taken_back(state, sheet):
        raise InputError(Clause.of("all games of sheet {key} are taken back; there is nothing to check", key=key))
    if sheet.checks and not changed_since(state, sheet):
        raise InputError(Clause.of("sheet {key} is checked already, and nothing was changed since", key=key))
    return Draft(Kind.SHEET_CHECKED, {}, key)


def withdraw_check(state: State, key: str, check: int, reason: str = "") -> Draft:
    """Return the entry by which the last check of a sheet is taken back: entry `check`, InputError for another."""
    if check not in sheet_of(state, key).checks[-1:]:
        raise InputError(Clause.of("entry {number} is not the last check of sheet {key}", number=check, key=key))
    return Draft(Kind.CHECK_WITHDRAWN, {"check": check}, key, reason)


def sheet_of(state: State, key: str) -> EnteredSheet:
    """Return a record sheet by key; InputError for one that was never entered."""
    if key not in state.sheets:
        raise InputError(Clause.of("sheet {key} is not in the ledger", key=key))
    return state.sheets[key]


def is_taken_back(state: State, sheet: EnteredSheet) -> bool:
    """Whether none of a sheet's games counts or waits any more."""
    return all(status == WITHDRAWN for status in _of_games(state, sheet, "status").values())


def latest_entry(state: State, sheet: EnteredSheet) -> int:
    """Return the last entry about a sheet or one of its games."""
    return max((*sheet.parts, *sheet.checks, *sheet.withdrawals, *_latest(state, sheet).values()))


def changed_since(state: State, sheet: EnteredSheet) -> list[str]:
    """Return the keys of games that somebody wrote about after the sheet was last checked, or first entered."""
    last = max((*sheet.checks, 0)) or max(sheet.parts)
    return [key for key, latest in _latest(state, sheet).items() if latest > last]


def _latest(state: State, sheet: EnteredSheet) -> dict[str, int]:
    """Return the last entry about each game of a sheet."""
    return _of_games(state, sheet, "latest")


def _of_games(state: State, sheet: EnteredSheet, column: str) -> dict[str, int]:
    """Return one column of the games of a sheet, by their keys; all are looked up at once."""
    numbers = {game_number(key): key for _, key in sheet.lines}
    rows = state.recorded.numbered(numbers).select("line", column)
    values = {numbers[number]: int(value) for number, value in rows.iter_rows()}
    return {key: values[key] if key in values else int(state.game(key)[column]) for _, key in sheet.lines}


def _lines(games: Mapping[int, str]) -> dict[str, Any]:
    if not games:
        raise InputError("a sheet has at least one game")
    return {"lines": [[number, key] for number, key in sorted(games.items())]}


def _read(record: Record) -> tuple[tuple[int, str], ...]:
    """Return the lines of an entry; ValueError for what is no key of a game before it."""
    lines = tuple((int(number), str(key)) for number, key in record.facts["lines"])
    if not lines or not all(0 < game_number(key) < record.number for _, key in lines):
        raise ValueError("a sheet names games that are not there")
    return lines


def _entered(folding: Folding, record: Record) -> None:
    folding.sheets[record.subject] = EnteredSheet(record.subject, _read(record), (record.number,))


def _continued(folding: Folding, record: Record) -> None:
    sheet = folding.sheets[record.subject]
    lines = tuple(sorted((*sheet.lines, *_read(record))))
    folding.sheets[record.subject] = replace(sheet, lines=lines, parts=(*sheet.parts, record.number))


def _checked(folding: Folding, record: Record) -> None:
    sheet = folding.sheets[record.subject]
    folding.sheets[record.subject] = replace(sheet, checks=(*sheet.checks, record.number))


def _check_withdrawn(folding: Folding, record: Record) -> None:
    sheet, check = folding.sheets[record.subject], int(record.facts["check"])
    if check not in sheet.checks[-1:]:
        raise ValueError("only the last check of a sheet is taken back")
    withdrawals = (*sheet.withdrawals, record.number)
    folding.sheets[record.subject] = replace(sheet, checks=sheet.checks[:-1], withdrawals=withdrawals)


HANDLERS = (
    Handler(Kind.SHEET_ENTERED, enter_sheet, _entered),
    Handler(Kind.SHEET_CONTINUED, continue_sheet, _continued),
    Handler(Kind.SHEET_CHECKED, check_sheet, _checked),
    Handler(Kind.CHECK_WITHDRAWN, withdraw_check, _check_withdrawn),
)
