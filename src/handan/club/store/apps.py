"""The Django app of the stored ledger."""

from __future__ import annotations

from django.apps import AppConfig
from django.dispatch import Signal

submission_changed = Signal()
"""Sent with the `number` of a file once the database holds that it was submitted or decided; not for a repetition."""


class ClubConfig(AppConfig):
    """Its name and its keys."""

    name = "handan.club.store"
    label = "club"
    verbose_name = "Clubs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Watch over the database file."""
        from django.db.backends.signals import connection_created

        from handan.club.store.database import remember_file

        connection_created.connect(remember_file)
