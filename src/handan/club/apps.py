"""The Django app of the stored ledger."""

from django.apps import AppConfig


class ClubConfig(AppConfig):
    """Its name and its keys."""

    name = "handan.club"
    label = "club"
    verbose_name = "Clubs"
    default_auto_field = "django.db.models.BigAutoField"
