"""Django's templates, of which no page keeps what it was made of."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.template import TemplateDoesNotExist
from django.template.backends.django import DjangoTemplates, Template, reraise
from django.template.context import make_context
from django.utils.safestring import SafeString


class Templates(DjangoTemplates):
    """The templates of our pages."""

    def from_string(self, template_code: str) -> Page:
        """Return the page of a template that is given as text."""
        return Page(self.engine.from_string(template_code), self)

    def get_template(self, template_name: str) -> Page:
        """Return the page of a template that is given by its name; TemplateDoesNotExist where there is none."""
        return Page(super().get_template(template_name).template, self)


class Page(Template):
    """A template that is written once for each request."""

    def render(self, context: dict[str, Any] | None = None, request: HttpRequest | None = None) -> SafeString:
        """Return the page, and drop all that it shows.

        Django's own stands in a circle with the values of a page. A search for objects in circles comes seldom, and
        until then a ladder would keep all games of a club as they were when it was shown.
        """
        values = make_context(context, request, autoescape=self.backend.engine.autoescape)
        try:
            return self.template.render(values)
        except TemplateDoesNotExist as error:
            reraise(error, self.backend)
        finally:
            values.dicts.clear()
