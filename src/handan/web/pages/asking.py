"""What an address asks for behind its `?`: texts, numbers and pages, whatever somebody has typed there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme

from handan.club.changes import LONGEST

DIGITS = 9  # our choice: longer numbers count nothing here


def text_of(request: HttpRequest, name: str) -> str:
    """Return a text of at most 200 characters, without NUL, which PostgreSQL knows in no text."""
    return request.GET.get(name, "").replace("\x00", "")[:LONGEST].strip()


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
