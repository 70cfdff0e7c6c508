"""Answers of a club server as lines of text that can be compared; what differs by chance is left out."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from html.parser import HTMLParser

EMPTY = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
"""Elements without an end."""
OPTIONAL_END = {"p", "li", "td", "th", "tr", "option", "optgroup", "thead", "tbody", "dt", "dd"}
"""Elements whose end a page may leave out."""
IN_LINES = {
    "a", "abbr", "b", "button", "cite", "code", "em", "i", "img", "input", "kbd", "mark", "q", "rt", "ruby",
    "select", "small", "span", "strong", "sub", "sup", "time", "u", "tspan", "text",
}  # fmt: skip
"""Elements that begin no line of a page."""
SEEN = {"img", "input", "button", "select"}
"""Elements that are seen without a text."""
DAY_PRINTED = re.compile(r"\d{1,4}[-/.] ?\d{1,2}[-/.] ?\d{1,4}(?=[^·]*$)")
BY_CHANCE = {"csrfmiddlewaretoken", "token"}
"""Names of fields whose values are drawn."""
DRAWN = (
    (re.compile(r"/(join|reset)/[\w-]{16,}/"), r"/\1/…/"),
    (re.compile(r"(/static/[\w./-]+?)\.[0-9a-f]{8,20}(\.\w+)"), r"\1\2"),
    (re.compile(r"\bsecret-\d+-?[\w-]*"), "secret"),
)
"""Texts that are drawn anew for each answer, and what stands for them."""
MARKUP = ("html", "xml", "svg")


def readable(status: int, headers: Mapping[str, str], body: bytes) -> str:
    """Return an answer as lines: its status, where it points, what kind it is, and its text."""
    kind = headers.get("Content-Type", "").partition(";")[0]
    lines = [f"{status} {kind}".strip()]
    lines += [
        f"{name}: {without_chance(headers[name])}"
        for name in ("Location", "Content-Disposition", "HX-Redirect", "HX-Trigger", "Retry-After")
        if name in headers
    ]
    return "\n".join([*lines, _text(kind, body)])


def without_chance(text: str) -> str:
    """Return a text without what is drawn."""
    for pattern, instead in DRAWN:
        text = pattern.sub(instead, text)
    return text


def _text(kind: str, body: bytes) -> str:
    if kind == "application/pdf" or kind.startswith(("image/png", "font/")):
        return f"about {_size_class(len(body))} bytes"
    if body[:2] == b"\x1f\x8b":
        body = gzip.decompress(body)
    text = body.decode("utf-8", "replace")
    if kind.endswith("json"):
        with suppress(ValueError):  # one document a line
            text = json.dumps(json.loads(text), ensure_ascii=False, indent=1, sort_keys=True)
    elif any(part in kind for part in MARKUP):
        text = markup(text)
    return without_chance(text)


def _size_class(size: int) -> int:
    """Return the power of two above a size."""
    return 1 << size.bit_length()


def markup(text: str) -> str:
    """Return markup with one element or text a line, whatever blanks and order of attributes it has."""
    reader = Lines()
    reader.feed(text)
    reader.close()
    return reader.text()


class Lines(HTMLParser):
    """Reads markup into lines; one that begins with `␣` has a blank between it and what is seen before it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.blank, self.begun = False, False
        """Whether a blank came since what is seen last, and whether anything is seen in this line of the page."""
        self.printed = False
        """Whether what follows is the line that says when a page is printed."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write an element with its attributes in the order of their names."""
        values = {name: " ".join((value or "").split()) for name, value in attrs}
        if values.get("name") in BY_CHANCE and "value" in values:
            values["value"] = "…"
        if "class" in values:
            values["class"] = " ".join(sorted(values["class"].split()))
        inside = " ".join(
            [tag, *(f'{name}="{value}"' for name, value in sorted(values.items()) if value or name != "class")]
        )
        self.printed = values.get("class") == "printed"
        self._add(f"<{inside}>", tag, seen=tag in SEEN and values.get("type") != "hidden")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write an element that ends at once."""
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Write the end of an element, unless a page may leave it out."""
        if tag not in EMPTY | OPTIONAL_END:
            self._add(f"</{tag}>", tag, seen=False)
        if tag == "select":
            self.blank, self.begun = False, True

    def handle_data(self, data: str) -> None:
        """Write a text, its blanks as one."""
        if words := " ".join(data.split()):
            self.blank = self.blank or data[0].isspace()
            self._add(DAY_PRINTED.sub("today", words) if self.printed else words, "", seen=True)
        self.blank = self.blank or data[-1:].isspace()

    def _add(self, line: str, tag: str, *, seen: bool) -> None:
        if tag and tag not in IN_LINES:
            self.blank = self.begun = False
        if seen:
            line = f"␣{line}" if self.blank and self.begun else line
            self.blank, self.begun = False, True
        self.lines.append(line)

    def text(self) -> str:
        """Return all lines."""
        return "\n".join(self.lines)


@dataclass
class Form:
    """A form of a page, with what a browser would send of it."""

    action: str = ""
    fields: dict[str, list[str]] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    """Of all its fields and buttons."""


def form_of(text: str, path: str, names: set[str], action: str = "") -> Form:
    """Return the form of a page that is sent to an address with this end, and has the most of these fields.

    Of several, it is the one that is sent to the page's own path, or the smaller one.
    """
    reader = Forms()
    reader.feed(text)
    forms = [form for form in reader.forms if form.action.endswith(action)]
    if not action:
        forms = [form for form in forms if form.action in {"", path} or names & form.names]
    own = {"", path}
    return max(forms, key=lambda form: (len(names & form.names), form.action in own, -len(form.names)), default=Form())


class Forms(HTMLParser):
    """Reads the forms of a page, with the values that they begin with."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Form] = []
        """Those that post."""
        self.inside = False
        self.area, self.select = "", ""
        self.written: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a field."""
        values = {name: value or "" for name, value in attrs}
        if tag == "form" and (is_posted := values.get("method", "").lower() == "post"):
            self.forms.append(Form(values.get("action", "")))
        if tag == "form":
            self.inside = is_posted
        if not self.inside:
            return
        form, name = self.forms[-1], values.get("name", "")
        if name:
            form.names.add(name)
        kind = values.get("type", "text")
        if tag == "input" and name and kind not in {"submit", "button", "file"}:
            if kind not in {"checkbox", "radio"} or "checked" in values:
                form.fields.setdefault(name, []).append(values.get("value", "on" if kind == "checkbox" else ""))
        elif tag == "textarea":
            self.area, self.written = name, []
        elif tag == "select":
            self.select = name
        elif tag == "option" and self.select and ("selected" in values or self.select not in form.fields):
            form.fields[self.select] = [values.get("value", "")]

    def handle_data(self, data: str) -> None:
        """Note what stands in an area of text."""
        if self.area:
            self.written.append(data)

    def handle_endtag(self, tag: str) -> None:
        """End a field."""
        if tag == "form":
            self.inside = False
        elif tag == "textarea" and self.area and self.forms:
            self.forms[-1].fields[self.area] = ["".join(self.written).removeprefix("\n")]
            self.area = ""
        elif tag == "select":
            self.select = ""
