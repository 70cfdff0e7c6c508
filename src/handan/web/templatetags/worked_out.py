"""The tags `translate` and `extends`, which work out once what each page that is made would work out anew."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from django import template
from django.template.base import Parser, Template, TextNode, Token, Variable
from django.template.context import Context
from django.template.loader_tags import BLOCK_CONTEXT_KEY, BlockContext, BlockNode, ExtendsNode, do_extends
from django.templatetags.i18n import TranslateNode, do_translate
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()
_blocks: WeakKeyDictionary[Template, dict[str, BlockNode]] = WeakKeyDictionary()


class Translated(TranslateNode):
    """A text that stands in the template: its translation into each language is looked up once."""

    texts: dict[str, SafeString]

    def render(self, context: Context) -> SafeString:
        """Return it in the page's language."""
        language = get_language() or ""
        text = self.texts.get(language)
        if text is None:
            text = self.texts[language] = SafeString(super().render(context))
        return text


class Extended(ExtendsNode):
    """A template that fills the blocks of another one, which are gathered once."""

    def render(self, context: Context) -> SafeString:
        """Return the other template with these blocks, as Django's own tag does."""
        parent: Any = self.get_parent(context)
        rendering: Any = context.render_context
        blocks = rendering.setdefault(BLOCK_CONTEXT_KEY, BlockContext())
        blocks.add_blocks(self.blocks)
        blocks.add_blocks(_blocks_of(parent))
        with rendering.push_state(parent, isolated_context=False):
            return SafeString(parent._render(context))  # noqa: SLF001  # keeps what was parsed, as Django's does


def _blocks_of(parent: Template) -> dict[str, BlockNode]:
    """Return the blocks of a template that fills no other one; those that do add their own when they are rendered."""
    if parent not in _blocks:
        first = next((node for node in parent.nodelist if not isinstance(node, TextNode)), None)
        nodes: Any = [] if isinstance(first, ExtendsNode) else parent.nodelist.get_nodes_by_type(BlockNode)
        _blocks[parent] = {node.name: node for node in nodes}
    return _blocks[parent]


@register.tag(name="trans")
@register.tag
def translate(parser: Parser, token: Token) -> Any:
    """Return the tag as Django reads it; one whose text is fixed keeps its translations."""
    node: Any = do_translate(parser, token)
    text, meaning = node.filter_expression, node.message_context
    fixed = isinstance(text.var, Variable) and text.var.literal is not None and not text.filters
    if fixed and not node.asvar and (meaning is None or not meaning.is_var):
        node.__class__, node.texts = Translated, {}
    return node


@register.tag
def extends(parser: Parser, token: Token) -> Any:
    """Return the tag as Django reads it, with the blocks that are kept."""
    node = do_extends(parser, token)
    node.__class__ = Extended
    return node
