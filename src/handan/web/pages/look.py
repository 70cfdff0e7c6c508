"""How somebody wants to see the pages: light or dark, large letters, plates or a table; kept in cookies."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from handan.web.pages.asking import way_back

CHOICES = {
    "scheme": ("auto", "light", "dark"),
    "letters": ("normal", "large"),
    "numbers": ("shown", "hidden"),
    "wall": ("plates", "table"),
}
"""What may be chosen, by the name of the cookie; the first holds where nothing is chosen."""
DARK = {"auto": "screen and (prefers-color-scheme: dark)", "dark": "screen"}
"""Media for which the dark colours hold; what is printed is light."""
YEAR = 31_536_000  # seconds; our choice: as long as the language is kept


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
            answer.set_cookie(
                name, str(value), YEAR, secure=settings.LANGUAGE_COOKIE_SECURE, httponly=True, samesite="Lax"
            )
    return answer
