"""The programming interface as Django knows it."""

from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn

from django.http import HttpRequest, HttpResponseBase, JsonResponse
from django.urls import URLPattern, re_path

from handan.club.store.database import BehindError, unchanging
from handan.web.api import look, privacy, submissions, write
from handan.web.api.calls import api, refusing_unknown, router

CALLS = (look, write, privacy, submissions)
"""The modules whose calls the router serves."""
router.add_decorator(refusing_unknown)
api.add_router("", router)


def read_at_one_moment(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Make a view answer GET, and HEAD as GET, from what it reads at one moment, while others write."""

    @wraps(view)
    def run(request: HttpRequest, **given: Any) -> HttpResponseBase:
        method = request.method
        if method not in {"GET", "HEAD"}:
            return view(request, **given)
        request.method = "GET"
        try:
            with unchanging():
                return view(request, **given)
        except BehindError:  # the view brings up to date what it reads
            return view(request, **given)
        finally:
            request.method = method

    return run


@api.exception_handler(BehindError)
def _not_answered(_: HttpRequest, error: BehindError) -> NoReturn:
    raise error


def no_call(_: HttpRequest) -> JsonResponse:
    """Answer an address that is none of a call, as calls refuse."""
    return JsonResponse({"message": "there is no such call; /api/openapi.json lists all", "field": None}, status=404)


calls = api.urls[0]
for call in calls:
    if isinstance(call, URLPattern):
        call.callback = read_at_one_moment(call.callback)
urlpatterns = [*calls, re_path("", no_call)]
