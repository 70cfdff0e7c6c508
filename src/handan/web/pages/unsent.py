"""Forms that nobody signed in has sent: kept through signing in, shown once more, and sent by one button.

A session ends while somebody types, or another tab signs in anew. Then the sign-in page holds the fields of the form,
and the page after it gives them back. Files, PINs and passwords are not kept.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import wraps
from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve
from django.views.csrf import csrf_failure

from handan.web.pages.form_words import Words, words_of

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
