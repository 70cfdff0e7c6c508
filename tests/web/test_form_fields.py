"""Form fields that Python writes are those of Django's templates, letter for letter, and our pages use them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import product
from typing import Any

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates, get_default_renderer
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy, override

from handan.web.operations.form_fields import WRITERS, FormFields

pytestmark = pytest.mark.usefixtures("database")  # sets Django up
NASTY = '<b> & "quotes" \'s %s %(a)s {{ x }} </textarea> 囲碁 \n'
VALUES = (None, "", "0", NASTY, SafeString("<i>&amp;</i>"), 0, 7, -12345.5, Decimal("1234.5"), True, False,
          date(2026, 5, 1), gettext_lazy("Save"), ["a", NASTY], ("a",))  # fmt: skip
ATTRIBUTES: tuple[dict[str, Any], ...] = (
    {},
    {"id": "id_x", "required": True, "disabled": False},
    {"class": NASTY, "placeholder": gettext_lazy("Save"), "data-n": 1234567, "step": 0.5, NASTY: None},
    {"id": NASTY, "title": SafeString("<u>"), "min": Decimal("1.50"), "data-t": ("a", 1)},
)
CHOICES = [("", "---"), ("a", "A"), (NASTY, NASTY), (7, 1234567), (True, gettext_lazy("Save")), (1.5, 0.25),
           (None, SafeString("<i>")), (NASTY, [("c", "in a group"), ("d", NASTY)])]  # fmt: skip
PLAIN = (forms.TextInput, forms.NumberInput, forms.EmailInput, forms.URLInput, forms.PasswordInput, forms.HiddenInput,
         forms.DateInput, forms.DateTimeInput, forms.TimeInput, forms.CheckboxInput, forms.FileInput,
         forms.ClearableFileInput, forms.Textarea, forms.MultipleHiddenInput, forms.SplitDateTimeWidget)  # fmt: skip
CHOOSING = (forms.Select, forms.SelectMultiple, forms.NullBooleanSelect, forms.RadioSelect,
            forms.CheckboxSelectMultiple)  # fmt: skip


def widgets() -> Iterator[forms.Widget]:
    """Return one widget after another, with all kinds of attributes and choices."""
    for kind, attributes in product(PLAIN, ATTRIBUTES):
        yield kind(attrs=attributes)
    for kind, attributes in product(CHOOSING, ATTRIBUTES):
        yield kind(attributes)
        if kind is not forms.NullBooleanSelect:
            yield kind(attributes, choices=CHOICES)


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_fields_are_those_of_djangos_templates(language: str) -> None:
    ours, djangos, compared = FormFields(), DjangoTemplates(), 0
    with override(language):
        for widget, value in product(widgets(), VALUES):
            outcomes = [outcome(widget, value, renderer) for renderer in (djangos, ours)]
            assert outcomes[1] == outcomes[0], (widget, value)
            compared += isinstance(outcomes[0], SafeString)
    assert compared > 1000


def outcome(widget: forms.Widget, value: Any, renderer: DjangoTemplates) -> Any:
    """Return a field as HTML, or the kind of error where the widget takes no such value."""
    try:
        return widget.render("name<>&", value, {"id": "id_name"}, renderer)
    except (TypeError, ValueError, AttributeError) as error:
        return type(error)


@pytest.mark.parametrize("kind", [forms.RadioSelect, forms.CheckboxSelectMultiple])
def test_single_options_are_those_of_djangos_templates(kind: type[forms.RadioSelect]) -> None:
    class Form(forms.Form):
        field = forms.ChoiceField(choices=CHOICES, widget=kind)

    pairs = list(zip(*(Form(renderer=renderer)["field"].subwidgets for renderer in (DjangoTemplates(), FormFields())),
                     strict=True))  # fmt: skip
    assert pairs
    for djangos, ours in pairs:
        for wrap in (False, True):
            assert ours.tag(wrap_label=wrap) == djangos.tag(wrap_label=wrap)


def test_our_pages_use_them() -> None:
    assert isinstance(get_default_renderer(), FormFields)


def test_other_templates_are_djangos() -> None:
    class Form(forms.Form):
        field = forms.CharField(label="<name>", help_text="help")

    assert str(Form(renderer=FormFields())) == str(Form(renderer=DjangoTemplates()))


def test_every_template_that_is_written_is_one_of_djangos() -> None:
    for name in WRITERS:
        assert DjangoTemplates().get_template(name)
