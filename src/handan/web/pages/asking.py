"""What a request says of what is wanted: texts, numbers and pages in its address, the language, how pages look."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language as keep_language

from handan.club.changes import LONGEST
from handan.club.store.accounts import language_of, set_language
from handan.club.store.models import Club
from handan.ledger.dates import read_day
from handan.wording.languages import LANGUAGES

DIGITS = 9  # our choice: longer numbers count nothing here
CHOICES = {
    "scheme": ("auto", "light", "dark"),
    "letters": ("normal", "large"),
    "numbers": ("shown", "hidden"),
    "wall": ("plates", "table"),
}
"""What may be chosen, by the name of the cookie; the first holds where nothing is chosen."""
DARK = {"auto": "screen and (prefers-color-scheme: dark)", "dark": "screen"}
"""Media for which the dark colours hold; what is printed is light."""


def text_of(request: HttpRequest, name: str) -> str:
    """Return a text of at most 200 characters, without NUL, which PostgreSQL knows in no text."""
    return request.GET.get(name, "").replace("\x00", "")[:LONGEST].strip()


def day_of(request: HttpRequest, name: str) -> date | None:
    """Return a day that the address names, None where it does not; FieldError for what is none."""
    text = text_of(request, name)
    return read_day(name, text) if text else None


def whole_number(text: str) -> int | None:
    """Return a number of at most nine digits, None for everything else."""
    return int(text) if text.isdecimal() and len(text) <= DIGITS else None


def page_of(request: HttpRequest, items: Sequence[Any] | Any, size: int) -> Page[Any]:
    """Return the page `?page=` of a sequence or a query; the first for what is no number, the last for one too high."""
    return Paginator(items, size).get_page(request.GET.get("page"))


def way_back(request: HttpRequest) -> str:
    """Return the path of this server to which a form leads back (`next`); empty where it names none."""
    back = request.POST.get("next", "")
    own = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return back if own and back.startswith("/") else ""


def speak(request: HttpRequest, club: Club) -> None:
    """Speak the language of who asks, else of the club; without either it stays the browser's."""
    if request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) in LANGUAGES:
        return
    user = request.user
    own = language_of(user) if user.is_authenticated else ""
    if language := own or club.language:
        translation.activate(language)
        request.LANGUAGE_CODE = translation.get_language()


def choose_language(request: HttpRequest) -> HttpResponse:
    """Keep a language for this browser, and for the account if there is one."""
    language = request.POST.get("language", "")
    if request.method == "POST" and language in LANGUAGES and request.user.is_authenticated:
        set_language(request.user, language)
    answer: HttpResponse = keep_language(request)
    return answer


def remember(answer: HttpResponse, language: str) -> None:
    """Let a browser speak the language of the account that signs in."""
    if language in LANGUAGES:
        _keep(answer, settings.LANGUAGE_COOKIE_NAME, language)


def _keep(answer: HttpResponse, name: str, value: str) -> None:
    """Let a browser keep a choice of how pages are."""
    secure, age = settings.LANGUAGE_COOKIE_SECURE, settings.LANGUAGE_COOKIE_AGE
    answer.set_cookie(name, value, age, secure=secure, httponly=True, samesite="Lax")


def look_of(request: HttpRequest) -> dict[str, str]:
    """Return what somebody has chosen, by name."""
    chosen = {name: request.COOKIES.get(name, "") for name in CHOICES}
    return {name: chosen[name] if chosen[name] in options else options[0] for name, options in CHOICES.items()}


def look(request: HttpRequest) -> dict[str, Any]:
    """Give templates the look, and the club that is looked at (a context processor)."""
    chosen = look_of(request)
    return {"look": chosen, "dark": DARK.get(chosen["scheme"], ""), "here": getattr(request, "here", None)}


# a token of the form would need a cookie of its own, and visitors get none; all that it changes is how they see pages
@csrf_exempt
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep the choices that a form sends, and go back to the page it stood on."""
    answer = HttpResponseRedirect(way_back(request) or reverse("home"))
    for name, options in CHOICES.items():
        if (value := request.POST.get(name)) in options:
            _keep(answer, name, str(value))
    return answer
