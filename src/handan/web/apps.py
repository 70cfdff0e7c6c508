"""The Django app of the pages."""

from importlib import import_module

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Its name."""

    name = "handan.web"
    label = "web"

    def ready(self) -> None:
        """Begin to note who signs in and out."""
        import_module("handan.web.operations.middleware")
