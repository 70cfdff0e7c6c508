"""A server of one bare page of Django with a session: what the libraries of a club server cost without it.

It runs behind the server of HTTP that `handan serve` runs behind, and loads what every process of that loads.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

FILE = "HANDAN_BENCHMARK_SESSIONS"
"""Variable that names the file of sessions."""
LOADED = ("numpy", "polars", "django.contrib.auth.forms", "django.views.generic")
TEXT = "{% for number in range(20) %}<p>{{ number }}: {{ visits }}</p>{% endfor %}"
urlpatterns: list[Any] = []


def configure(file: str) -> None:
    """Set Django up with sessions in an SQLite file."""
    import django
    from django.conf import settings

    apps = ["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions"]
    middleware = ["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
                  "django.contrib.auth.middleware.AuthenticationMiddleware"]  # fmt: skip
    settings.configure(
        ALLOWED_HOSTS=["127.0.0.1"], INSTALLED_APPS=apps, MIDDLEWARE=middleware, ROOT_URLCONF="benchmarks.bare",
        SECRET_KEY="of a measurement", DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": file}},
        TEMPLATES=[{"BACKEND": "django.template.backends.jinja2.Jinja2"}],
    )  # fmt: skip
    django.setup()


def page(request: HttpRequest) -> HttpResponse:
    """Count the visits of a browser."""
    from django.http import HttpResponse
    from django.template import engines

    request.session["visits"] = visits = request.session.get("visits", 0) + request.user.is_anonymous
    return HttpResponse(engines["jinja2"].from_string(TEXT).render({"visits": visits}))


def application() -> Any:
    """Return the application, with everything loaded."""
    configure(os.environ[FILE])
    from django.core.handlers.asgi import ASGIHandler
    from django.urls import path

    for name in LOADED:
        import_module(name)
    urlpatterns.extend((path("", page), path("healthz", page)))
    return ASGIHandler()


def main() -> int:
    """Make the table of sessions, and serve."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bare", description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    configure(given.file)
    from django.core.management import call_command
    from granian.constants import Interfaces
    from granian.server import Server

    multiprocessing.set_start_method("spawn", force=True)  # as `handan serve` does
    call_command("migrate", verbosity=0)
    os.environ[FILE] = given.file
    target = "benchmarks.bare:application"
    Server(
        target, port=given.port, workers=given.workers, interface=Interfaces.ASGI, factory=True, log_enabled=False
    ).serve()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
