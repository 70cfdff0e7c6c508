"""Pages as every visitor sees them: kept in bytes, and not sent again to who has them.

What a page shows follows from the ledger, the day, the language, the look and its address. Whoever is signed in gets a
page made for them, which nobody keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from hashlib import sha256
from typing import NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import get_language

import handan
from handan.club.store.answers import Answers
from handan.club.store.cache import beside, today
from handan.club.store.rows import Rows
from handan.web.operations.same_page import FOR_ALL
from handan.web.pages.look import look_of

MOST_BYTES = 32_000_000  # our choice: of pages that a process keeps
OWN_COOKIES = (settings.SESSION_COOKIE_NAME, "messages")
OVERHEAD = 1_000  # bytes beside the content; our choice
OK = 200


class Kept(NamedTuple):
    """A page in bytes."""

    content: bytes
    headers: tuple[tuple[str, str], ...]


pages = Answers(MOST_BYTES, lambda page: len(page.content) + OVERHEAD)
beside.append(pages)


def for_all(request: HttpRequest, rows: Rows, make: Callable[[], HttpResponseBase]) -> HttpResponseBase:
    """Return a page of a club for a visitor: kept, made, or 304 for who has it.

    Args:
        request: Of a visitor, or of somebody else, who gets what is made.
        rows: Of the club, as they stood before the page is made.
        make: Makes the page.
    """
    if not _is_alike_for_all(request):
        return make()
    mark = _mark(request, rows)
    etag = f'"{sha256(repr(mark).encode()).hexdigest()[:32]}"'
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        return _for_all(_marked(HttpResponseNotModified(), etag))
    made: list[HttpResponseBase] = []

    def keep() -> Kept | None:
        made.append(make())
        return _kept(request, made[0])

    entries = sum(club.number for club in (rows.own, *rows.clubs))
    kept = pages.get(mark, keep, of=(rows.own.pk, entries))
    if made:
        answer = _marked(made[0], etag) if made[0].status_code == OK else made[0]
        return answer if kept is None else _for_all(answer)
    if kept is None:
        return make()
    return _for_all(_marked(HttpResponse(kept.content, headers=dict(kept.headers)), etag))


def _is_alike_for_all(request: HttpRequest) -> bool:
    """Return whether a request is a visitor's, of whom nothing is known that a page could show."""
    named = "Authorization" in request.headers or any(name in request.COOKIES for name in OWN_COOKIES)
    return request.method == "GET" and not named and not request.user.is_authenticated


def _mark(request: HttpRequest, rows: Rows) -> Hashable:
    """Return all that a visitor's page follows from."""
    names = ("pk", "slug", "name", "number", "digest", "openness", "open_log", "forgotten", "zone", "federation_id",
             "language", "colour")  # fmt: skip
    heads = [tuple(getattr(club, name) for name in names) for club in (rows.own, *rows.clubs)]
    htmx = tuple(sorted((name, value) for name, value in request.headers.items() if name.lower().startswith("hx-")))
    address = (request.scheme, request.get_host(), request.get_full_path(), htmx)
    look = tuple(look_of(request).values())
    return address, tuple(heads), rows.shown, str(today()), get_language(), look, handan.__version__


def _kept(request: HttpRequest, response: HttpResponseBase) -> Kept | None:
    """Return a page to keep; None for one that is sent bit by bit, failed, or holds something of who asked."""
    own = response.cookies or request.META.get("CSRF_COOKIE_NEEDS_UPDATE") or response.has_header("Vary")
    if not isinstance(response, HttpResponse) or response.status_code != OK or own:
        return None
    return Kept(response.content, tuple(response.items()))


def _marked(response: HttpResponseBase, etag: str) -> HttpResponseBase:
    """Return a visitor's page with the mark by which it is asked for again."""
    response["ETag"] = etag
    response.setdefault("Cache-Control", "no-cache")  # kept elsewhere only to be asked for again
    patch_vary_headers(response, ("Cookie", "Accept-Language", "HX-Request"))
    return response


def _for_all(response: HttpResponseBase) -> HttpResponseBase:
    """Return an answer that is the same for whoever else asks as a visitor just now."""
    setattr(response, FOR_ALL, True)
    return response
