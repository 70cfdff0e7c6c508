"""Why something was refused, in the language of a page.

The other rooms speak English and know no Django; the catalogs gather what they refuse where it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from handan.errors import Clause, FieldError, HandanError, Problem, shown
from handan.web.pages.clauses import clause_words
from handan.web.pages.vocabulary import FIELDS

IN_TABLES = (
    _("game {key} was changed by entry {entry} since; look at it first"),
    _("player {key} was changed since; look at it first"),
    _("event {key} was changed by entry {entry} since; look at it first"),
    _("{number} of {whole} entries are verified"),
    _("{number} of {whole} entries are written"),
    _("Others are writing just now. Nothing was saved; press again in a moment."),
    _("it is nested too deep"),
    _("a number or a date is beyond all bounds"),
    _("its letters are not UTF-8"),
    _("a cell is too long, or a quotation mark is not closed"),
    _("something is of another kind than it should be"),
    _("it names something that is not there"),
    _("Too many files are being read just now. Nothing was saved; press again in a moment."),
    _("a player, and white is empty as well; a row without players is no game"),
    _("a date from 1600 to tomorrow; read as unknown"),
    _("a player; a formula of the spreadsheet failed"),
    _("entry {number} has digest format {form}, the one before it {other}"),
    _("entry {absent} is missing; entry {number} follows entry {last}"),
    _("entry {number} does not follow entry {last}: the chain of digests is broken"),
    _("entry {number} holds what a ledger cannot: {why}"),
    _("entry {number} was changed after it was written: its digest does not fit"),
)
"""Sentences that stand in tables and constants there, which `tests.catalogs` does not see."""


def problem_words(problem: Problem) -> str:
    """Return what is wrong in a file in the language of the page, by its line; what no catalog has stays in English.

    Hints of what the command line can do about it are left out.
    """
    message = problem.message
    if isinstance(message, Clause) and "hint" in message.values:
        message = Clause.of(message.pattern, **{**message.values, "hint": ""})
    if message:
        text = clause_words(message)
    elif problem.field:
        text = refusal(FieldError(problem.field, problem.found, problem.expected))
    else:
        sentence = gettext("{row} is not {expected}")
        text = sentence.format(row=shown(problem.found), expected=clause_words(problem.expected))
    return text if problem.line is None else gettext("line {line}: {fault}").format(line=problem.line, fault=text)


def refusal(error: HandanError, names: Callable[[str], str] = str, fields: Mapping[str, str] | None = None) -> str:
    """Return what an error says in the language of the page; what no catalog has stays in English.

    Args:
        error: The error.
        names: Returns how the page shows the name of a player, of the label that the ledger has.
        fields: What the page calls fields otherwise than other pages do.
    """
    if type(error) is FieldError:  # others of its kind have a sentence of their own
        sentence = gettext("{field} {found} is not {expected}")
        field = (fields or {}).get(error.field) or gettext(FIELDS.get(error.field, error.field))
        words = {"field": field, "found": shown(names(error.found))}
        return sentence.format(**words, expected=clause_words(error.expected, names=names))
    text = error.args[0] if error.args and isinstance(error.args[0], str) else ""
    return clause_words(text, names=names) if text and str(error) == text else str(error)
