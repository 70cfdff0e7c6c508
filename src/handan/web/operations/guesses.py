"""Wrong passwords are counted by account first: one who guesses in a club room does not lock out the whole room."""

from __future__ import annotations

from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from django.db.models import Sum
from django.http import HttpRequest

ACCOUNTS = 10  # our choice: an address may be wrong so many times as often as one account from there


class Guesses(AxesDatabaseHandler):  # type: ignore[misc]  # the library says no types
    """Counts the wrong passwords for one account from one address, and a tenth of all from that address."""

    def get_failures(self, request: HttpRequest, credentials: dict[str, Any] | None = None) -> int:
        """Return the larger of both counts, in the order of AXES_LOCKOUT_PARAMETERS."""
        account, address = (
            attempts.aggregate(wrong=Sum("failures_since_start"))["wrong"] or 0
            for attempts in self.get_user_attempts(request, credentials)
        )
        return int(max(account, address // ACCOUNTS))
