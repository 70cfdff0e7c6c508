"""Why something that came from elsewhere cannot be read, in sentences of ours in place of Python's own."""

from __future__ import annotations

import csv

from handan.errors import Clause, HandanError, shown

REASONS: tuple[tuple[tuple[type[Exception], ...], str], ...] = (
    ((EOFError,), "it ends too soon"),
    ((RecursionError,), "it is nested too deep"),
    ((OverflowError,), "a number or a date is beyond all bounds"),
    ((UnicodeError,), "its letters are not UTF-8"),
    ((csv.Error,), "a cell is too long, or a quotation mark is not closed"),
    ((TypeError, AttributeError), "something is of another kind than it should be"),
    ((LookupError,), "it names something that is not there"),
)
"""Sentences by the exceptions that they stand for."""


def reason_of(error: Exception) -> Clause:
    """Return why something cannot be read: a sentence of the error's own, else one by its kind."""
    if error.args and isinstance(error.args[0], Clause):
        return error.args[0]
    if isinstance(error, HandanError):
        return Clause.of("{text}", text=str(error))
    if type(error) is KeyError:
        return Clause.of("{name} is missing", name=shown(str(error.args[0]) if error.args else ""))
    for kinds, sentence in REASONS:
        if isinstance(error, kinds):
            return Clause.of(sentence)
    return Clause.of("a value is not what it should be")
