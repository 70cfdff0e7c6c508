"""Views whose modules are loaded when somebody asks for their page: a new process waits for those it shows alone."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.http import HttpRequest, HttpResponseBase

from handan.club.once import once

NOT_OURS = {"view_class"}
"""What Django asks of all views when it first makes an address, and views that are functions have not."""


class View:
    """A view by the name of its module in this package and its own."""

    def __init__(self, place: str) -> None:
        """Take `module.view`."""
        self.place = place

    @once
    def loaded(self) -> Any:
        """The view itself; ImportError or AttributeError for a name that is none."""
        module, _dot, name = self.place.partition(".")
        return getattr(import_module(f"{__package__}.{module}"), name)

    def __call__(self, request: HttpRequest, **given: Any) -> HttpResponseBase:
        """Answer a request."""
        answer: HttpResponseBase = self.loaded(request, **given)
        return answer

    def __getattr__(self, name: str) -> Any:
        """Return what the view says of itself, such as the role it needs, or that no token is asked of its forms."""
        if name.startswith("__") or name in NOT_OURS:  # what Python asks of any object is asked of this one
            raise AttributeError(name)
        return getattr(self.loaded, name)


_views: list[View] = []
"""All views that `view` has returned."""


def view(place: str) -> View:
    """Return the view of a module of this package, given as `module.view`."""
    _views.append(View(place))
    return _views[-1]


def load_all() -> None:
    """Load every view, so that nobody who asks for a page waits for its code."""
    for each in _views:
        _ = each.loaded
