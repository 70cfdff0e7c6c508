"""Django's sessions in the database, asked for by a prepared question, since every page of a member asks."""

from __future__ import annotations

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from handan.club.store.prepared import Prepared

BY_KEY = Prepared(lambda key: Session.objects.filter(session_key=key), str)


class SessionStore(db.SessionStore):
    """A session; Django asks for the class by this name."""

    def _get_session_from_db(self) -> Session | None:
        """Return the row of the session, None where there is none, or it has expired."""
        row = BY_KEY.first(self.session_key) if self.session_key else None
        if row is not None and row.expire_date > timezone.now():
            return row
        self._session_key = None
        return None
