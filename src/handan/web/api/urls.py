"""The programming interface as Django knows it."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.urls import URLPattern, re_path

from handan.web.api import look, privacy, submissions, write
from handan.web.api.calls import api, from_snapshot, refusing_unknown, router

CALLS = (look, write, privacy, submissions)
"""The modules whose calls the router serves."""
router.add_decorator(refusing_unknown)
router.add_decorator(from_snapshot)
api.add_router("", router)


def answering_head(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Make a view answer HEAD as GET, for whoever asks for the headers alone."""

    @wraps(view)
    def run(request: HttpRequest, **given: Any) -> HttpResponseBase:
        if request.method != "HEAD":
            return view(request, **given)
        request.method = "GET"
        try:
            return view(request, **given)
        finally:
            request.method = "HEAD"

    return run


def no_call(_: HttpRequest) -> JsonResponse:
    """Answer an address that is none of a call, as calls refuse."""
    return JsonResponse({"message": "there is no such call; /api/openapi.json lists all", "field": None}, status=404)


calls = api.urls[0]
for call in calls:
    if isinstance(call, URLPattern):
        call.callback = answering_head(call.callback)
urlpatterns = [*calls, re_path("", no_call)]
