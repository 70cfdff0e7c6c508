"""The programming interface as Django knows it."""

from django.urls import path

from handan.web.api import (
    look,
    privacy,  # noqa: F401  # its calls join those that look, as those do that write, since some share a path
    write,  # noqa: F401
)
from handan.web.api.calls import api

api.add_router("", look.router)
urlpatterns = [path("", api.urls)]
