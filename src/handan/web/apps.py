"""The Django app of the pages."""

from importlib import import_module

from django.apps import AppConfig

from handan.club.store.apps import submission_changed


class WebConfig(AppConfig):
    """Its name."""

    name = "handan.web"
    label = "web"

    def ready(self) -> None:
        """Begin to note who signs in and out, and to mail what becomes of submitted files."""
        import_module("handan.web.operations.middleware")
        submission_changed.connect(_mail_submission)


def _mail_submission(number: int, **_: object) -> None:
    """Mail what became of a file; what mails is loaded when there is something to mail."""
    import_module("handan.web.mail").mail_submission(number)
