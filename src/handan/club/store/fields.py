"""Facts of an entry as stored: canonical JSON text, since a database's own JSON writes numbers in its own way."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import models

from handan.club.entries import canonical

if TYPE_CHECKING:
    Text = models.Field[Any, Any]
else:
    Text = models.TextField


class FactsField(Text):
    """A dictionary, kept as the very text of which digests are made."""

    def from_db_value(self, value: str | None, *_: Any) -> Any:
        """Read the text."""
        return None if value is None else json.loads(value)

    def to_python(self, value: Any) -> Any:
        """Take a dictionary as it is."""
        return json.loads(value) if isinstance(value, str) else value

    def get_prep_value(self, value: Any) -> Any:
        """Write the text."""
        return value if value is None else canonical(value).decode()
