"""What stands behind a change, in the language of a page: names of factors, clauses of the rules, what they look at.

Systems speak English and know no Django: the catalogs gather their words where they stand, and a test over all systems
finds each of them. Names that are nothing but letters of a formula stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_noop as _

from handan.errors import Clause
from handan.handicaps import Terms
from handan.ranks import Rank
from handan.web.pages.wording import terms_words
from handan.wording.figures import brief
from handan.wording.languages import figure_words, rank_words

MOST = 2_000  # our choice: sentences that a process keeps; there are some hundred in each language
NOT_GATHERED = (
    _("no game has a date; deviations do not grow with time"),
    _("adjustments have no effect: this system has no entry point"),
    _("adjustments have no effect: strengths follow from results alone"),
    _("adjustments after a player's first game have no effect: strengths follow from results"),
    _("adjustments after a player's first game have no effect: ratings follow from results"),
    _("deviations: exact, from the inverse of the joint information"),
    _("deviations: from each player's own history, with all opponents held fixed"),
    _("deviations: with all opponents held fixed, which is a little too small"),
    _("1 declared rating ({origin}) is not used; --set entry=rating starts from it"),
    _("{count} declared ratings ({origin}) are not used; --set entry=rating starts from them"),
    _("1 player begins at the rating that a file declares ({origin}); --set entry=rank begins at the rank"),
    _("{count} players begin at the ratings that files declare ({origin}); --set entry=rank begins at their ranks"),
    _("Promotion"),
    _("Demotion"),
    _("promoted, and the index starts again at 0; the surplus is dropped"),
    _("demoted, and the index starts again at 0"),
    _("no figures between -1 and 1 are printed, so crossing shows two more than the change"),
    _("{low:.1f} to {high:.1f}"),
    _("promotion"),
    _("demotion"),
    _("limit"),
    _("gap"),
)
"""What `tests.catalogs` does not see: it stands in a constant of another file, or is returned by itself."""


def clause_words(text: str, language: str = "", names: Callable[[str], str] = str) -> str:
    """Return a name or clause of a change's reason in the page's language, which who has many of them asks for once.

    `names` returns how texts in it are shown that may be labels of players.
    """
    language = language or _language()
    if not isinstance(text, Clause):
        return _sentence(text, language) if text else ""
    values = {name: _value(value, names) for name, value in text.values.items()}
    return _sentence(text.pattern, language).format(**values)


@lru_cache(MOST)
def _sentence(text: str, language: str) -> str:  # noqa: ARG001  # that of the page, which `gettext` reads itself
    return gettext(text)


def fact_words(value: Any, language: str = "") -> str:
    """Return what the factors were found from in the page's language: a figure, a rank, yes or no, or a clause."""
    language = language or _language()
    if not isinstance(value, str):
        written = brief(value)
        return gettext(written) if isinstance(value, bool) else figure_words(written, language)
    return figure_words(rank_words(clause_words(value, language), language), language)


def _value(value: Any, names: Callable[[str], str]) -> Any:
    """Return a value of a clause as its pattern writes it: clauses, ranks and terms as the page's language has them."""
    if isinstance(value, Rank):
        return rank_words(value, _language())
    if isinstance(value, Terms):
        return SimpleNamespace(text=terms_words(value, _language()))
    if isinstance(value, Clause):
        return clause_words(value, names=names)
    return names(value) if isinstance(value, str) else value


def caution_words(text: str) -> str:
    """Return what is said of a whole list, in the page's language and with its decimal sign."""
    return figure_words(clause_words(text), _language())


def _language() -> str:
    return get_language() or "en"
