"""The tag `url`, which looks up the address of a page once, since all have the same dozens, and what goes behind it."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import Any
from urllib.parse import urlencode

from django import template
from django.core.paginator import Page
from django.template.base import Parser, Token
from django.template.context import Context
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as parsed
from django.urls import reverse
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from handan.club.ladder_order import LadderOrder

register = template.Library()
MOST = 5_000  # our choice: addresses that a process keeps


class Address(URLNode):
    """The address of a page."""

    def render(self, context: Context) -> str:
        """Return it as it stands in HTML; NoReverseMatch for a page that there is not."""
        if self.kwargs or self.asvar:
            return str(super().render(context))
        return _address(self.view_name.resolve(context), tuple(str(arg.resolve(context)) for arg in self.args))


@lru_cache(MOST)
def _address(name: str, parts: tuple[str, ...]) -> str:
    return str(conditional_escape(reverse(name, args=parts)))


@register.tag
def url(parser: Parser, token: Token) -> Any:
    """Return the tag as Django reads it, with the addresses that are kept."""
    node = parsed(parser, token)
    node.__class__ = Address
    return node


@register.simple_tag(takes_context=True)
def querystring(context: Context, **changed: object) -> str:
    """Return what stands behind an address, with some of it changed, or left out for None, as Django's own tag does.

    That one copies all that a request holds for each page number it links.
    """
    given = context["request"].GET
    texts: dict[str, list[Any]] = {name: values for name, values in given.lists() if name not in changed}
    places = [*given, *(name for name in changed if name not in given)]
    texts |= {name: [value] for name, value in changed.items() if value is not None}
    written = urlencode([(name, text) for name in places for text in texts.get(name, ())])
    return f"?{written}" if written or given else ""


@register.simple_tag(takes_context=True)
def same_days(context: Context, **fields: str) -> str:
    """Return what stands behind the address of another page that looks at the days of this one: `Here.query`."""
    return str(context["request"].here.query(**fields))


@register.simple_tag(takes_context=True)
def sorted_by(context: Context, order: LadderOrder, name: str, title: str, look: str = "") -> SafeString:
    """Return the heading of a column that the ladder can be sorted by: its link, and how it is sorted now.

    Args:
        context: Of the template.
        order: How the ladder is sorted.
        name: Of the order that the heading leads to; the other way round where it is sorted so already.
        title: Of the column.
        look: Class of the heading.
    """
    is_now = order.name == name
    other = LadderOrder(name, turned=is_now and not order.turned)
    way = "ascending" if order.ascends else "descending"
    arrow = f' <span aria-hidden="true">{"↑" if order.ascends else "↓"}</span>' if is_now else ""
    marks = (f' class="{look}"' if look else "") + (f' aria-sort="{way}"' if is_now else "")
    address = querystring(context, sort=None if other.is_default else str(other), page=None)
    link = f'<a href="{escape(address or "?")}">{escape(title)}{arrow}</a>'
    return mark_safe(f'<th{marks}>{link}<span class="unlinked">{escape(title)}</span></th>')  # noqa: S308  # each text is escaped


@register.simple_tag(takes_context=True)
def page_links(context: Context, part: Page[Any]) -> SafeString:
    """Return the numbers of the pages of a list, each but its own with its address, which a template takes long for."""
    texts = []
    for number in part.paginator.get_elided_page_range():
        if number == part.number:
            texts.append(f'<strong aria-current="page">{number}</strong> ')
        elif not isinstance(number, int):
            texts.append(f"<span>{escape(number)}</span> ")
        else:
            texts.append(f'<a href="{escape(querystring(context, page=number))}">{number}</a> ')
    return mark_safe("".join(texts))  # noqa: S308  # the addresses are escaped, the rest are numbers
