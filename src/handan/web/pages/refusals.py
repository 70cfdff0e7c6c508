"""Why something was refused, in the language of a page.

The other rooms speak English and know no Django; the catalogs gather what they refuse where it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from django.utils.translation import gettext

from handan.errors import Clause, FieldError, HandanError, Problem, shown
from handan.handicaps import Terms
from handan.ranks import Rank
from handan.ratings.notes import clause_of_note
from handan.web.pages.vocabulary import FIELDS
from handan.web.pages.wording import page_language, terms_words
from handan.wording.figures import brief
from handan.wording.languages import figure_words, rank_words

BEHIND_A_NAME = " :\u00a0\uff1a"
"""What stands between a file's name and what is said of it, and goes with the name."""
MOST = 2_000  # our choice: sentences that a process keeps; there are some hundred in each language


def clause_words(text: str, language: str = "", names: Callable[[str], str] = str) -> str:
    """Return a name or clause of a change's reason in the page's language, which who has many of them asks for once.

    Hints of what the command line can do, the value `hint`, are left out. `names` returns how texts in it are shown
    that may be labels of players.
    """
    language = language or page_language()
    if not isinstance(text, Clause):
        return _sentence(text, language) if text else ""
    values = {name: _value(value, names) for name, value in text.values.items()} | {"hint": ""}
    if isinstance(field := text.values.get("field"), Clause):
        values["field"] = _field(field)
    words = _sentence(text.pattern, language).format(**values)
    return words if values.get("source", words) else words.lstrip(BEHIND_A_NAME)


def note_words(note: str) -> str:
    """Return the note of a line of a card in the page's language; what a person wrote stays as it is."""
    return clause_words(clause_of_note(note))


@lru_cache(MOST)
def _sentence(text: str, language: str) -> str:  # noqa: ARG001  # that of the page, which `gettext` reads itself
    return gettext(text)


def fact_words(value: Any, language: str) -> str:
    """Return what the factors were found from in the page's language: a figure, a rank, yes or no, or a clause."""
    if not isinstance(value, str):
        written = brief(value)
        return gettext(written) if isinstance(value, bool) else figure_words(written, language)
    return figure_words(rank_words(clause_words(value, language), language), language)


def _value(value: Any, names: Callable[[str], str]) -> Any:
    """Return a value of a clause as its pattern writes it: clauses, ranks and terms as the page's language has them."""
    if isinstance(value, Rank):
        return rank_words(value, page_language())
    if isinstance(value, Terms):
        return SimpleNamespace(text=terms_words(value, page_language()))
    if isinstance(value, Clause):
        return clause_words(value, names=names)
    return names(value) if isinstance(value, str) else value


def _field(name: str) -> str:
    """Return what the page calls a field, such as the round of a number."""
    kind, _, number = name.rpartition(" ")
    return f"{_field(kind)} {number}" if kind and number.isdecimal() else gettext(FIELDS.get(name, name))


def caution_words(text: str) -> str:
    """Return what is said of a whole list, in the page's language and with its decimal sign."""
    return figure_words(clause_words(text), page_language())


def problem_words(problem: Problem) -> str:
    """Return what is wrong in a file in the language of the page, by its line; what no catalog has stays in English."""
    message = problem.message
    if message:
        text = clause_words(message)
    elif problem.field:
        words = {"field": _field(problem.field), "found": shown(problem.found)}
        text = gettext("{field} {found} is not {expected}").format(**words, expected=clause_words(problem.expected))
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
        if not error.found.strip():
            sentence = gettext("{field} is missing; needed: {expected}")
        field = (fields or {}).get(error.field) or _field(error.field)
        words = {"field": field, "found": shown(names(error.found))}
        return sentence.format(**words, expected=clause_words(error.expected, names=names))
    text = error.args[0] if error.args and isinstance(error.args[0], str) else ""
    return clause_words(text, names=names) if text and str(error) == text else str(error)
