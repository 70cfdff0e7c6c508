"""`/healthz` and `/metrics`: whether the server is well, and its figures, for programs that watch over it."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

import handan
from handan.club.keys import fingerprint
from handan.club.store.clock import ahead
from handan.club.store.database import fault, refuse_replaced_file
from handan.club.store.models import Club, Openness
from handan.web.operations import metrics
from handan.web.pages.here import public

LOCAL = {"127.0.0.1", "::1"}


@public
@require_safe
@never_cache
def health(request: HttpRequest) -> HttpResponse:
    """Say whether the database answers and can be written, with each club's head and fingerprint; else 503.

    Closed clubs are told of to those alone who may read the metrics.
    """
    try:
        refuse_replaced_file()
        clubs = Club.objects.all() if _trusted(request) else Club.objects.exclude(openness=Openness.CLOSED)
        heads = {
            slug: {"entry": number, "digest": digest, "key": public and fingerprint(public)}
            for slug, number, digest, public in clubs.values_list("slug", "number", "digest", "key__public")
        }
        late = [slug for slug in ahead() if slug in heads]
    except Error as error:
        words = "the database file was replaced; restart the server"
        status = words if "replaced" in str(error) else "the database does not answer"
        return JsonResponse({"status": status}, status=503)
    clock = {"clock": f"the last entry is later than now: {', '.join(sorted(late))}"} if late else {}
    words = fault()
    report = {"status": words or "ok", "version": handan.__version__, **clock, "clubs": heads}
    return JsonResponse(report, status=503 if words else 200)


@public
@require_safe
@never_cache
def figures(request: HttpRequest) -> HttpResponse:
    """Return the metrics, to programs on this machine and to those that show the token of the configuration."""
    if not _trusted(request):
        return HttpResponse(
            "metrics are for this machine, or with metrics_token\n", status=403, content_type="text/plain"
        )
    return HttpResponse(metrics.text(), content_type=CONTENT_TYPE_LATEST)


def _trusted(request: HttpRequest) -> bool:
    token = settings.CONFIGURATION.metrics_token
    if token:
        shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return secrets.compare_digest(shown.encode(), token.encode())
    return request.META.get("REMOTE_ADDR") in LOCAL and "X-Forwarded-For" not in request.headers
