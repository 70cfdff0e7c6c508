"""The Django app of the stored ledger."""

from django.apps import AppConfig


class ClubConfig(AppConfig):
    """Its name and its keys."""

    name = "handan.club.store"
    label = "club"
    verbose_name = "Clubs"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Watch over the database file."""
        from django.db.backends.signals import connection_created

        from handan.club.store.database_file import remember_file

        connection_created.connect(remember_file)
