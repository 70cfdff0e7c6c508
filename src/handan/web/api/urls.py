"""The programming interface as Django knows it."""

from django.urls import path

from handan.web.api import (
    look,
    write,  # noqa: F401  # its calls join those that look, since some share a path
)
from handan.web.api.calls import api

api.add_router("", look.router)
urlpatterns = [path("", api.urls)]
