"""Sessions that their owner can see and end: each bears the number of a row, and lives as long as that row."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from handan.club.store.accounts import new_sign_in, still_signed_in
from handan.club.store.models import SignIn

if TYPE_CHECKING:
    from django.contrib.auth.models import User

NUMBER = "sign_in"
"""Where a session holds the number of its row."""


def number_of(request: HttpRequest) -> int | None:
    """Return the number of a request's session."""
    number: int | None = request.session.get(NUMBER)
    return number


@receiver(user_logged_in)
def _begin(request: HttpRequest, user: User, **_: Any) -> None:
    request.session[NUMBER] = new_sign_in(user)


@receiver(user_logged_out)
def _end(request: HttpRequest, **_: Any) -> None:
    SignIn.objects.filter(pk=request.session.get(NUMBER) or 0).delete()


class SignIns:
    """Middleware that signs out whose session was ended elsewhere."""

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self.answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Look at requests that bear a session; one from before sessions were numbered gets its number."""
        user = request.user if settings.SESSION_COOKIE_NAME in request.COOKIES else None
        if user is not None and user.is_authenticated:
            if number_of(request) is None:
                request.session[NUMBER] = new_sign_in(user)
            elif not still_signed_in(user, number_of(request)):
                logout(request)
        return self.answer(request)
