"""Where there is no network: the last ladder that a device has seen, and a club as an app on its home screen."""

from __future__ import annotations

from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static

from handan.club.store.models import Role
from handan.web.pages.here import Here, page, public


@public
def offline(request: HttpRequest) -> HttpResponseBase:
    """The page that a device shows without a network; it holds nothing of any club."""
    return render(request, "handan/offline.html")


@public
def worker(_: HttpRequest) -> HttpResponseBase:
    """The script that keeps the last ladder; it stands at the root, since a script serves what lies below it."""
    script = Path(str(finders.find("handan/worker.js"))).read_bytes()
    answer = HttpResponse(script, content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    return answer


@page(Role.VISITOR, ladder=True)
def manifest(here: Here) -> HttpResponseBase:
    """What a device needs to put the club on its home screen."""
    icon = {"src": static("handan/icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    ladder = here.address("ladder")
    facts = {"name": here.club.name, "short_name": here.club.name[:12], "start_url": ladder, "scope": ladder,
             "display": "standalone", "icons": [icon]}  # fmt: skip
    return JsonResponse(facts, content_type="application/manifest+json")
