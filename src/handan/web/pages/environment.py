"""The Jinja2 environment of the pages: what templates may call, and how they write names, days and figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any

from django.template.defaultfilters import date as date_as
from django.template.defaultfilters import floatformat
from django.templatetags.static import static
from django.urls import get_script_prefix, reverse
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext, npgettext, pgettext
from django_htmx.jinja import htmx_script
from jinja2 import ChainableUndefined, Environment, pass_context
from jinja2.runtime import Context

from handan.club.store.models import Role
from handan.paper.names import language_of
from handan.web.pages import wording
from handan.web.pages.formatting import game_kind
from handan.web.pages.refusals import note_words
from handan.web.pages.saved import saved_facts
from handan.web.pages.wording import terms_words
from handan.wording.languages import LANGUAGES

if TYPE_CHECKING:
    from django.utils.safestring import SafeString

    from handan.handicaps import Terms

MOST_ADDRESSES = 5000  # our choice: addresses that a process keeps


def environment(**options: Any) -> Environment:
    """Return the environment in which the pages are written; `TEMPLATES` in the settings names this function."""
    made = Environment(
        autoescape=True,
        auto_reload=options["auto_reload"],
        extensions=["jinja2.ext.i18n"],
        loader=options["loader"],
        lstrip_blocks=True,
        trim_blocks=True,
        undefined=ChainableUndefined,  # a page of no club has no `here`, and its parts ask for `here.club.name`
    )
    i18n: Any = made
    i18n.install_gettext_callables(gettext, ngettext, newstyle=True, pgettext=pgettext, npgettext=npgettext)
    made.filters |= OF_A_PAGE | {name: at_each_use(own) for name, own in OF_A_LANGUAGE.items()}
    made.globals |= GLOBALS
    made.tests["long_name"] = wording.is_long
    return made


def url(name: str, *parts: object) -> str:
    """Return the address of a page; NoReverseMatch for a page that there is not."""
    return _address(get_script_prefix(), name, parts)


@lru_cache(MOST_ADDRESSES)
def _address(prefix: str, name: str, parts: tuple[object, ...]) -> str:  # noqa: ARG001  # which `reverse` reads itself
    return reverse(name, args=parts)


@pass_context
def querystring(context: Context, **changed: object) -> str:
    """Return the query of this page with some of it changed, or left out for None, with its question mark."""
    query = context["request"].GET.copy()
    for name, value in changed.items():
        query.pop(name, None) if value is None else query.setlist(name, [value])
    return f"?{query.urlencode()}" if query or context["request"].GET else ""


@pass_context
def named(context: Context, name: str) -> SafeString:
    """Return a player's name as HTML that says whose letters it has, where they are not those of the page."""
    here, page = context.get("here"), wording.page_language()
    if not here:
        return wording.name_in_its_language(name, "", "", page)
    person = here.state.people.get(here.state.keys.get(name, ""))
    own = (person.reading, person.country) if person else ("", "")
    return wording.name_in_its_language(here.shown_name(name), *own, page)


@pass_context
def shown(context: Context, name: str) -> str:
    """Return a player's name as plain text, as `named` writes it."""
    here = context.get("here")
    return str(here.shown_name(name)) if here else name


@pass_context
def terms(context: Context, value: Terms) -> str:
    """Return the terms of a game in a sentence, with the names of the players as `shown` writes them."""
    here = context["here"]
    named = replace(value, black=here.shown_name(value.black), white=here.shown_name(value.white))
    return terms_words(named, wording.page_language())


def at_each_use(own: Callable[..., Any]) -> Callable[..., Any]:
    """Return a filter that Jinja calls at each use: else a constant keeps the language first asked for."""

    @pass_context
    @wraps(own)
    def run(_: Context, *given: Any, **named: Any) -> Any:
        return own(*given, **named)

    return run


OF_A_PAGE = {"named": named, "shown": shown, "terms": terms}
OF_A_LANGUAGE: dict[str, Callable[..., Any]] = {
    "author": wording.author,
    "capfirst": capfirst,
    "card_title": wording.card_title,
    "close_up": wording.close_up,
    "date": date_as,
    "day": wording.day,
    "decimals": wording.decimals,
    "figure": wording.figure,
    "floatformat": floatformat,
    "game_kind": game_kind,
    "list_name": wording.list_name,
    "long_day": wording.long_day,
    "moment": wording.moment,
    "name_class": wording.name_class,
    "note_words": note_words,
    "rank": wording.rank,
    "system_title": wording.system_title,
    "table_rank": wording.table_rank,
    "whole": wording.whole,
    "word": wording.word,
}
GLOBALS = {
    "LANGUAGES": LANGUAGES,
    "Role": Role,
    "htmx_script": htmx_script,
    "language_of": language_of,
    "local_time": localtime,
    "page_language": wording.page_language,
    "querystring": querystring,
    "saved_facts": saved_facts,
    "static": static,
    "url": url,
}
