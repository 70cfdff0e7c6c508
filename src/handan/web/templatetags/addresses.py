"""The tag `url`, which looks up the address of a page once: each page has dozens, and all have the same ones."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django import template
from django.template.base import Parser, Token
from django.template.context import Context
from django.template.defaulttags import URLNode
from django.template.defaulttags import url as parsed
from django.urls import reverse
from django.utils.html import conditional_escape

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
