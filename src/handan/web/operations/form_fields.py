"""Form fields as HTML that Python writes: letter for letter what Django's templates of them give, without a template.

A form of twelve fields asks for sixty templates, which is a fourth of the work for its page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from html import escape
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.http import HttpRequest
from django.utils.formats import localize
from django.utils.safestring import SafeData, SafeString

FOLDER = "django/forms/widgets"
INPUTS = ("checkbox", "color", "date", "datetime", "email", "file", "hidden", "input", "number", "password", "search",
          "tel", "text", "time", "url")  # fmt: skip
"""Fields whose templates are that of `input`."""

Widget = Mapping[str, Any]


class FormFields(DjangoTemplates):
    """What the forms of our pages are rendered with; other templates than those of common fields are Django's."""

    def render(self, template_name: str, context: dict[str, Any], request: HttpRequest | None = None) -> SafeString:
        """Return a field, or another part of a form, as HTML."""
        if template_name == f"{FOLDER}/select.html":
            return SafeString(self._select(context["widget"]))
        if (write := WRITERS.get(template_name)) is not None:
            return SafeString(write(context["widget"]))
        return SafeString(super().render(template_name, context, request))

    def _select(self, widget: Widget) -> str:
        parts = [f'<select name="{_text(widget["name"])}"{_attributes(widget)}>']
        for group, options, _ in widget["optgroups"]:
            if group:
                parts.append(f'\n  <optgroup label="{_text(group)}">')
            parts += [f"\n  {self.render(option['template_name'], {'widget': option})}\n" for option in options]
            if group:
                parts.append("\n  </optgroup>")
        return "".join([*parts, "\n</select>"])


def _input(widget: Widget) -> str:
    value = "" if widget["value"] is None else f' value="{_text(widget["value"])}"'
    return f'<input type="{_text(widget["type"])}" name="{_text(widget["name"])}"{value}{_attributes(widget)}>'


def _input_option(widget: Widget) -> str:
    """Return one of several inputs for one question, within its label if that is asked for."""
    if not widget["wrap_label"]:
        return _input(widget)
    name = widget["attrs"].get("id")
    target = f' for="{_text(name)}"' if name else ""
    return f"<label{target}>{_input(widget)}\n {_text(localize(widget['label']))}</label>"


def _select_option(widget: Widget) -> str:
    label = _text(localize(widget["label"]))
    return f'<option value="{_text(widget["value"])}"{_attributes(widget)}>{label}</option>'


def _textarea(widget: Widget) -> str:
    value = _text(localize(widget["value"])) if widget["value"] else ""
    return f'<textarea name="{_text(widget["name"])}"{_attributes(widget)}>\n{value}</textarea>'


def _attributes(widget: Widget) -> str:
    """Return attributes with a space before each; one that is True has no value, one that is False is left out."""
    return "".join(
        f" {_text(name)}" if value is True else f' {_text(name)}="{_text(value)}"'
        for name, value in widget["attrs"].items()
        if value is not False
    )


def _text(value: object) -> str:
    """Return a value as text in HTML."""
    return str(value) if isinstance(value, SafeData) else escape(str(value))


WRITERS: dict[str, Callable[[Widget], str]] = {
    **{f"{FOLDER}/{name}.html": _input for name in INPUTS},
    **{f"{FOLDER}/{name}.html": _input_option for name in ("checkbox_option", "input_option", "radio_option")},
    f"{FOLDER}/select_option.html": _select_option,
    f"{FOLDER}/textarea.html": _textarea,
}
