"""Tags of ours that take the place of Django's own say what those say."""

from __future__ import annotations

import pytest
from django.http import QueryDict
from django.template import Context, Engine
from django.template.exceptions import TemplateSyntaxError
from django.test import RequestFactory
from django.utils import translation
from django.utils.safestring import SafeString

pytestmark = pytest.mark.usefixtures("database")  # for the settings of the project
OURS = [f"handan.web.templatetags.{name}" for name in ("addresses", "worked_out", "kept")]
LOCMEM = "django.template.loaders.locmem.Loader"
TEMPLATES = {
    "base": "<{% block head %}base head{% endblock %}|{% block main %}{% endblock %}>",
    "middle": '{% extends "base" %}{% block head %}middle, {{ block.super }}{% endblock %}',
    "leaf": '{% extends "middle" %}{% block main %}{% translate "Ladder" %}{{ x }}{% endblock %}',
    "chosen": "{% extends parent %}{% block main %}chosen{% endblock %}",
}
TEXTS = (
    '{% translate "Ladder" %}',
    '{% trans "Automatic" context "colours" %}',
    '{% translate "Ladder" as x %}{{ x }}',
    '{% translate "Ladder"|upper %}',
    "{% translate word %}",
    '{% translate "Ladder" noop %}',
    '{% translate "100 % of <b>" %}',
    '{% autoescape off %}{% translate "\'<Ladder" %}{% endautoescape %}',
    '{% translate "Automatic" context meaning %}',
)


def engine(*, ours: bool) -> Engine:
    return Engine(loaders=[(LOCMEM, TEMPLATES)], builtins=["django.templatetags.i18n", *(OURS if ours else [])])


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_is_translated_as_django_does_in_each_language_and_again(text: str) -> None:
    own, djangos = (engine(ours=ours).from_string(text) for ours in (True, False))
    for language in ("en", "ja", "de", "en", "ja"):
        with translation.override(language):
            context = {"word": "Ladder", "meaning": "colours"}
            assert own.render(Context(context)) == djangos.render(Context(context))


def test_templates_fill_the_blocks_of_others_as_django_does() -> None:
    own, djangos = (engine(ours=ours) for ours in (True, False))
    for name, more in (("leaf", {"x": "<1>"}), ("leaf", {"x": "2"}), ("chosen", {"parent": "base"}),
                       ("chosen", {"parent": "middle"}), ("chosen", {"parent": "base"})):  # fmt: skip
        texts = [each.get_template(name).render(Context(more)) for each in (own, djangos)]
        assert texts[0] == texts[1], name
    with pytest.raises(TemplateSyntaxError):
        own.get_template("chosen").render(Context({"parent": ""}))


def test_a_part_that_is_kept_follows_from_the_values_it_names_and_the_language_alone() -> None:
    text = '{% kept x=one.two y=y|upper %}{{ x }} {{ y }}{{ one }}{{ other }} {% translate "Ladder" %}{% endkept %}'
    kept = engine(ours=True).from_string(text)
    plain = engine(ours=True).from_string('{{ one.two }} {{ y|upper }} {% translate "Ladder" %}')
    ways = [(first, y, language) for first in ("<", SafeString("<"), 1, True, None) for y in ("a", "b")
            for language in ("en", "ja")]  # fmt: skip
    for first, y, language in [*ways, *ways]:
        with translation.override(language):
            context = {"one": {"two": first}, "y": y, "other": "other"}
            assert kept.render(Context(context)) == plain.render(Context(context))


def test_a_part_that_is_kept_is_written_once_for_each_of_its_values() -> None:
    calls = list[str]()
    kept = engine(ours=True).from_string("{% kept name=name value=value %}{{ value }}{% endkept %}")

    class Value:
        def __str__(self) -> str:
            calls.append("written")
            return "text"

    value = Value()
    for name in ("a", "a", "b", "a"):
        assert kept.render(Context({"name": name, "value": value, "more": object()})) == "text"
    assert len(calls) == 2
    with pytest.raises(TemplateSyntaxError):
        engine(ours=True).from_string("{% kept name %}{% endkept %}")


@pytest.mark.parametrize(
    "query", ["", "page=2", "q=a+b%26c&with=elo&with=whr", "q=&page=3&q=%E6%9D%8E", "page=1&page=2"]
)
def test_an_address_is_changed_as_django_does(query: str) -> None:
    request = RequestFactory().get("/", QueryDict(query))
    request.GET = QueryDict(query)
    for tag in ("page=7", "page=None", "with=None", "q='ü &' new=1", "page='<'", ""):
        text = "{% querystring " + tag + " %}"
        own, djangos = (engine(ours=ours).from_string(text).render(_of(request)) for ours in (True, False))
        assert own == djangos, (query, tag)


def _of(request: object) -> Context:
    context = Context({"request": request})
    context.request = request  # type: ignore[attr-defined]  # as the context of a request has it
    return context


MOVED = (
    """{% translate "Before" as before_word %}{% translate "Change" as change_word %}"""
    """{% translate "After" as after_word %}"""
    """{% for row in rows %}<tr><td>{{ row.player|named:here }}</td>"""
    """<td class="n" data-label="{{ before_word }}">{{ row.before|figure|default:"–" }}</td>"""
    """<td class="n" data-label="{{ change_word }}">{{ row.change|figure|default:"–" }}</td>"""
    """<td class="n" data-label="{{ after_word }}">{{ row.after|figure|default:"–" }}</td>"""
    """<td>{{ row.rank_before|table_rank }}{% if row.rank_before != row.rank_after %}"""
    """ → <strong>{{ row.rank_after|table_rank }}</strong>{% endif %}</td></tr>{% endfor %}"""
)


@pytest.mark.parametrize("language", ["en", "de", "ja", "fr"])
def test_rows_of_who_would_move_are_those_of_a_template(language: str) -> None:
    """New and gone players, no rank, another rank, names with signs of HTML and of other scripts."""
    cells = ("player", "before", "change", "after", "rank_before", "rank_after")
    rows = [
        dict(zip(cells, values, strict=True))
        for values in (
            ("Ada <b> & 'Co'", "1812.4", "+3.1", "1815.5", "2k", "1k"),
            ("本因坊 秀策", None, None, "2105.0", "", "1d"),
            ("נועה", "1500.0", "−2.0", "1498.0", "10k", "10k"),
            ("A" * 40, "1500", None, None, "5k", ""),
            ("Bo", "0", "0", "0", "", ""),
        )
    ]
    plain = Engine(builtins=["django.templatetags.i18n", "handan.web.templatetags.wording"])
    with translation.override(language):
        template, ours = (plain.from_string(text) for text in (MOVED, "{{ rows|moved_rows:here }}"))
        assert ours.render(Context({"rows": rows, "here": None})) == template.render(
            Context({"rows": rows, "here": None})
        )
        assert ours.render(Context({"rows": [], "here": None})) == ""
