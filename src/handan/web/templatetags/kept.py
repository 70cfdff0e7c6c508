"""The tag `kept`: a part of a page that follows from a few values, and is written once for each of them."""

from __future__ import annotations

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token, token_kwargs
from django.template.context import Context
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from handan.club.store.answers import Answers
from handan.club.store.cache import beside

register = template.Library()
MOST_BYTES = 2_000_000  # our choice: of parts that a process keeps
OVERHEAD = 1_000  # bytes beside a text; our choice

parts = Answers(MOST_BYTES, lambda text: len(text) + OVERHEAD)
beside.append(parts)


class Kept(template.Node):
    """A part of a page, which sees the values that it names and the language of the page, and nothing else."""

    def __init__(self, values: dict[str, FilterExpression], nodelist: NodeList) -> None:
        self.values, self.nodelist = values, nodelist

    def render(self, context: Context) -> SafeString:
        """Return what was written for the same values, or write it."""
        given = {name: value.resolve(context, ignore_failures=True) for name, value in self.values.items()}
        marks = ((type(value), value) for value in given.values())  # a text that is safe is another one
        kept: SafeString = parts.get((self, get_language(), *marks), lambda: self.nodelist.render(context.new(given)))
        return kept


@register.tag
def kept(parser: Parser, token: Token) -> Kept:
    """Read `{% kept name=value … %}` to `{% endkept %}`; the values must be hashable."""
    bits = token.split_contents()[1:]
    values = token_kwargs(bits, parser)
    if bits:
        raise template.TemplateSyntaxError(f"kept takes values as name=value, not {bits[0]}")
    nodelist = parser.parse(("endkept",))
    parser.delete_first_token()
    return Kept(values, nodelist)
