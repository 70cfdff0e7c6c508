"""Forms that nobody signed in has sent: kept through signing in, shown once more, and sent by one button.

A session ends while somebody types, or another tab signs in anew. Then the sign-in page holds the fields of the form,
and the page after it gives them back. Files, PINs and passwords are not kept.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import asdict, dataclass, field
from functools import wraps
from html.parser import HTMLParser
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import redirect_to_login
from django.contrib.messages.storage import default_storage
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render
from django.template.response import SimpleTemplateResponse
from django.urls import Resolver404, resolve
from django.utils.translation import gettext as _
from django.views.csrf import csrf_failure

from handan.errors import HandanError
from handan.web.pages.wording import day, figure

LOG = logging.getLogger("handan.web")
TICKED = {"radio", "checkbox", "submit"}  # kinds of controls that are sent only if somebody took them
CHOOSE = ("system",)  # fields by which a page chooses what other fields it shows
MESSAGES = "_messages"  # where Django keeps the messages of a request
OK = 200
HTML = "text/html"


class Words(NamedTuple):
    """A field that somebody filled in: what it is called, and what it says."""

    label: str
    text: str


@dataclass
class Control:
    """A field, box, choice or button of a form."""

    name: str
    kind: str
    value: str
    mark: str
    """By which its label may name it (`id`)."""
    aria: str
    around: list[str]
    """The pieces of text of the label that holds it; of a button, its own."""
    legend: list[str]
    options: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class _Form:
    action: str
    controls: list[Control] = field(default_factory=list)


class _Page(HTMLParser):
    """The forms of a page of this server, and what its labels say."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[_Form] = []
        self.labels: dict[str, list[str]] = {}
        self._form: _Form | None = None
        self._legends: list[list[str]] = []
        self._label: list[str] = []
        self._select: Control | None = None
        self._texts: list[tuple[str, list[str]]] = []  # open elements whose text is kept, by tag; the last takes it
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = _Form(values.get("action", ""))
            self.forms.append(self._form)
        elif tag == "fieldset":
            self._legends.append([])
        elif tag == "legend" and self._legends:
            self._texts.append((tag, self._legends[-1]))
        elif tag == "label":
            self._label = self.labels.setdefault(values["for"], []) if "for" in values else []
            self._texts.append((tag, self._label))
        elif tag == "option" and self._select is not None:
            text: list[str] = []
            self._select.options[values.get("value", "")] = text
            self._texts.append((tag, text))
        elif tag in {"input", "select", "textarea", "button"}:
            self._begin(tag, values)

    def _begin(self, tag: str, values: dict[str, str]) -> None:
        text: list[str] = []
        kind = "submit" if tag == "button" else values.get("type", "text") if tag == "input" else tag
        control = Control(
            values.get("name", ""),
            "hidden" if "hidden" in values else kind,
            values.get("value", "on" if kind == "checkbox" else ""),
            values.get("id", ""),
            values.get("aria-label", ""),
            text if tag == "button" else self._label,
            self._legends[-1] if self._legends else [],
        )
        if tag != "input":
            self._texts.append((tag, text))
        if tag == "select":
            self._select = control
        if self._form is not None and control.name:
            self._form.controls.append(control)

    def handle_endtag(self, tag: str) -> None:
        if self._texts and self._texts[-1][0] == tag:
            self._texts.pop()
        if tag == "form":
            self._form = None
        elif tag == "fieldset" and self._legends:
            self._legends.pop()
        elif tag == "label":
            self._label = []
        elif tag == "select":
            self._select = None

    def handle_data(self, data: str) -> None:
        if self._texts:
            self._texts[-1][1].append(data)


def words_of(request: HttpRequest, path: str, fields: Sequence[tuple[str, str]]) -> list[Words] | None:
    """Return what a form says, in the order of its page; None where who asks sees no page with such a form.

    Boxes that the page shows only after an earlier step, and marks that nobody sees, are left out.

    Args:
        request: Of who is shown it; the page is theirs.
        path: Where the form is sent, with its query.
        fields: Names and values, in their order, also those left empty.
    """
    page = _page_at(request, path, fields)
    form = _form_of(page, urlsplit(path).path, fields) if page is not None else None
    if page is None or form is None:
        return None
    words = sorted(_words(page, form, fields), key=lambda item: item[0])
    return [each for _place, each in words]


def _page_at(request: HttpRequest, path: str, fields: Sequence[tuple[str, str]]) -> _Page | None:
    """Return the page at a path as who asks sees it, None for none."""
    address = urlsplit(path)
    asks = copy(request)  # what the page notes about its request stays apart
    asks.method, asks.path, asks.path_info = "GET", address.path, address.path
    asks.GET, asks.POST = QueryDict(address.query, mutable=True), QueryDict()  # type: ignore[assignment]
    asks.META = {**request.META, "REQUEST_METHOD": "GET", "QUERY_STRING": address.query}
    asks.GET.update({name: value for name, value in fields if name in CHOOSE})
    setattr(asks, MESSAGES, default_storage(asks))  # so that they stay for the page that is shown
    try:
        asks.resolver_match = match = resolve(address.path)
        answer = match.func(asks, *match.args, **match.kwargs)
    except (HandanError, Http404):
        return None
    except Exception:  # whatever is wrong with that page, the form is shown, in plainer words
        LOG.exception("the page of a form that was not sent cannot be read", extra={"path": address.path})
        return None
    if isinstance(answer, SimpleTemplateResponse):
        answer = answer.render()
    if not isinstance(answer, HttpResponse) or answer.status_code != OK or not answer["Content-Type"].startswith(HTML):
        return None
    return _Page(answer.content.decode(answer.charset))


def _form_of(page: _Page, path: str, fields: Sequence[tuple[str, str]]) -> _Form | None:
    """Return the form that is most like what was sent, None if none has a name of it."""
    names = {name for name, _value in fields}

    def likeness(form: _Form) -> tuple[int, int, int]:
        marks = {(control.name, control.value) for control in form.controls if control.kind == "hidden"}
        own = {control.name for control in form.controls}
        return len(names & own), len(marks & set(fields)), -len(own - names)

    forms = [form for form in page.forms if urlsplit(form.action).path in {"", path}]
    best = max(forms, key=likeness, default=None)
    return best if best is not None and likeness(best)[0] else None


def _words(page: _Page, form: _Form, fields: Sequence[tuple[str, str]]) -> Iterator[tuple[tuple[int, int], Words]]:
    """Go through what is shown of the fields, each with its place on the page."""
    places = {id(control): place for place, control in enumerate(form.controls)}
    seen: dict[str, int] = {}
    for name, value in fields:
        number = seen[name] = seen.get(name, 0) + 1
        controls = [control for control in form.controls if control.name == name]
        if any(control.kind in TICKED for control in controls):
            controls = [control for control in controls if control.value == value]
            control = controls[0] if controls else None
        else:
            control = controls[min(number, len(controls)) - 1] if controls else None
        if control is None or control.kind == "hidden" or not value.strip():
            continue
        beyond = max(0, number - len(controls)) if control.kind not in TICKED else 0
        label = _label(page, control)
        if beyond:  # a line that the page has not yet; labels of lines end in their number
            label = label.rstrip("0123456789") + str(number)
        yield (len(places) * beyond + places[id(control)], number), Words(label, _text(page, control, value))


def _label(page: _Page, control: Control) -> str:
    if control.kind == "submit":
        return _("Button")
    if control.kind == "radio":
        return _joined(control.legend)
    return control.aria or _joined(page.labels.get(control.mark, [])) or _joined(control.around)


def _text(page: _Page, control: Control, value: str) -> str:
    """Return what a value means to who filled it in."""
    if control.kind == "submit":
        return control.aria or _joined(control.around)
    if control.kind == "radio":
        return control.aria or _joined(control.around) or _joined(page.labels.get(control.mark, []))
    if control.kind == "checkbox":
        return _("yes")
    if control.options:
        return _joined(control.options.get(value, [value]))
    return day(value) if control.kind == "date" else figure(value) if control.kind == "number" else value


def _joined(pieces: list[str]) -> str:
    return " ".join("".join(pieces).split())


FIELD = "unsent"
SECRET = {"csrfmiddlewaretoken", "pin", "again", FIELD}
"""Names of fields that are not kept; so is every name with `password` in it."""
MARKS = {
    "token",
    "proposed",
    "seen",
    "next",
    "save",
    "save-pin",
    "preview",
    "look",
}  # names of fields and buttons that nobody types
LONGEST = 2_000  # our choice: characters of a text that the page shows; all of it is sent
MOST = 200  # our choice: texts that the page shows; a record sheet of fifteen lines has ninety


@dataclass(frozen=True)
class Unsent:
    """What a form sent."""

    fields: list[tuple[str, str]]
    """Names and values, in their order."""
    files: list[tuple[str, str]]
    """Of the files that were chosen, which only the browser can send: the field, and the file's name."""

    @classmethod
    def of(cls, request: HttpRequest) -> Unsent:
        """Return what a request sent."""
        lists = [
            (name, values) for name, values in request.POST.lists() if name not in SECRET and "password" not in name
        ]
        files = [(str(field), str(file.name)) for field, sent in request.FILES.lists() for file in sent]
        return cls([(name, str(value)) for name, values in lists for value in values], files)

    @classmethod
    def parse(cls, text: str) -> Unsent | None:
        """Return what a sign-in page held, None if it held nothing that can be read."""
        try:
            parts = json.loads(text)
            fields, files = ([(str(name), str(value)) for name, value in parts[of]] for of in ("fields", "files"))
            return cls(fields, files)
        except (ValueError, TypeError, KeyError, RecursionError):
            return None

    def __str__(self) -> str:
        """Return it as a sign-in page holds it."""
        return json.dumps(asdict(self), ensure_ascii=False)

    def typed(self, request: HttpRequest, path: str) -> list[Words]:
        """Return what somebody typed or chose in a form that is sent to a path, each text cut to what a page shows."""
        fields = [(name, value) for name, value in self.fields if name not in MARKS]
        words = words_of(request, path, fields)
        if words is None:
            words = [Words("", value) for _name, value in fields if value.strip()]
        cut = [Words(label, text if len(text) <= LONGEST else f"{text[:LONGEST]} …") for label, text in words]
        return cut if len(cut) <= MOST else [*cut[:MOST], Words("", "…")]


def ask_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Answer somebody who is not signed in: the sign-in page, which holds what a form sent.

    A page that asks for a part of itself keeps what it shows.
    """
    if request.headers.get("HX-Request"):
        return HttpResponse(status=204)
    path = request.get_full_path()
    if request.method != "POST" or not (unsent := Unsent.of(request)).fields:
        return redirect_to_login(path)
    request.here = None  # type: ignore[attr-defined]  # who is signed out may not see its name
    page = {"form": AuthenticationForm(request), "next": path, "unsent": unsent}
    return render(request, "handan/sign_in.html", page, status=403)


def for_accounts(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Make a view one for everybody who is signed in; others are asked to sign in first."""

    @wraps(view)
    def run(request: HttpRequest, **given: Any) -> HttpResponseBase:
        return view(request, **given) if request.user.is_authenticated else ask_to_sign_in(request)

    return run


def send_again(request: HttpRequest, unsent: Unsent, path: str, status: int = 200) -> HttpResponse:
    """Show what a form sent, with a button that sends it to a path of this server."""
    typed, back = unsent.typed(request, path), page_before(path.partition("?")[0]) or "/"
    page = {"unsent": unsent, "typed": typed, "path": path, "back": back}
    return render(request, "handan/unsent.html", page, status=status)


def refused(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form whose mark is another one: shown once more if the browser says that this server made it."""
    own = f"{request.scheme}://{request.get_host()}"
    if request.method == "POST" and request.headers.get("Origin") == own and (unsent := Unsent.of(request)).fields:
        return send_again(request, unsent, request.get_full_path(), 403)
    return csrf_failure(request, reason)


def page_before(path: str) -> str:
    """Return the page from which one comes to the form at a path; empty: none."""
    before = f"{path.rstrip('/').rpartition('/')[0]}/"
    try:
        resolve(before)
    except Resolver404:
        return ""
    return before
