"""The zones of clubs by their names in the IANA database; no database of ours, no clock."""

from __future__ import annotations

from datetime import date
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from handan.errors import Clause, FieldError, closest

SERVERS = "the server's"
"""What the zone of a club is called that has none of its own."""


@cache
def zone_names() -> frozenset[str]:
    """Return the names of all zones that this machine knows, such as `Africa/Johannesburg`."""
    return frozenset(available_timezones() - {"localtime", "Factory"})  # of one machine, and of none


def day_words(today: date, zone: str) -> str:
    """Return the words by which a day is refused that has not begun at a club: its day, and by which zone."""
    if zone:
        return Clause.of("a day up to today ({today} in the club's zone, {zone})", today=today, zone=zone)
    pattern = "a day up to today ({today} by the server's zone; the club's own is set on its page of rules)"
    return Clause.of(pattern, today=today)


def checked_zone(name: str) -> str:
    """Return the name of a zone, empty for the server's; FieldError for text that names none."""
    text = name.strip()
    if text and text not in zone_names():
        pattern = "a zone such as Asia/Tokyo{closest}"
        raise FieldError("zone", text, Clause.of(pattern, closest=closest(text, sorted(zone_names()))))
    return text


def zone_of(name: str) -> ZoneInfo | None:
    """Return a zone by name; None for one that this machine's database of zones does not hold."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None
