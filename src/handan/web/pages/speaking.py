"""In which language a page speaks: what a person chose, else the club's, else what the browser asks for."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.views.i18n import set_language as keep_language

from handan.club.store.accounts import language_of, set_language
from handan.club.store.models import Club
from handan.wording.languages import LANGUAGES


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
        answer.set_cookie(
            settings.LANGUAGE_COOKIE_NAME, language, max_age=settings.LANGUAGE_COOKIE_AGE,
            secure=settings.LANGUAGE_COOKIE_SECURE, httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
            samesite="Lax",
        )  # fmt: skip
