"""The Django app of the pages."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Its name."""

    name = "handan.web"
    label = "web"
