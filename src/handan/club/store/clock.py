"""Days and moments of a club: which day it is there, when a day ends, and which entries a day knew."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, date, datetime, time, timedelta
from itertools import groupby
from typing import Any

from django.db.models import OuterRef, Subquery
from django.utils import timezone

from handan.club.store.models import Attendance, Club, Entry
from handan.club.zones import zone_of
from handan.ledger.encoded_columns import EPOCH

DAY_LONG = 86_400_000  # milliseconds


def moment_of(number: int | None) -> datetime | None:
    """Return the moment that a column of dates has as a number."""
    return None if number is None else EPOCH + timedelta(milliseconds=number)


def milliseconds(moment: datetime | None) -> Any:
    """Return the number that a column of dates has for a moment by the clock at the club: milliseconds since 1970."""
    return None if moment is None else (moment - EPOCH) // timedelta(milliseconds=1)


def start_of(day: date) -> int:
    """Return the number of the first moment of a day."""
    return int(milliseconds(datetime.combine(day, time.min)))


LATEST = time(5)  # our choice: until then an evening goes on past midnight


def evening_day(club: Club) -> date:
    """Return the day of the evening: today, or yesterday in the small hours, while somebody of it is here."""
    day = today()
    before = Attendance.objects.filter(club=club, day=day - timedelta(days=1), left=None)
    return day - timedelta(days=1) if timezone.localtime(now()).time() < LATEST and before.exists() else day


def at_place(club: Club) -> AbstractContextManager[None]:
    """Make the club's zone the one of days and moments; a club without its own has the server's."""
    zone = zone_of(club.zone) if club.zone else None
    return timezone.override(zone) if zone else nullcontext()


def enter(club: Club) -> None:
    """Make the club's zone the one of the rest of the request; a club without its own has the server's."""
    zone = zone_of(club.zone) if club.zone else None
    if zone:
        timezone.activate(zone)
    else:
        timezone.deactivate()  # where one thread answers one request after another


def now() -> datetime:
    """Return the present moment."""
    return timezone.now()


def today() -> date:
    """Return the day it is in the zone of the club that is asked about, else in the server's."""
    return day_of(now())


def day_of(moment: datetime) -> date:
    """Return the club's day of a moment."""
    return timezone.localdate(moment)


def end_of(day: date) -> datetime:
    """Return the moment at which a day ends at the club's place, which is no longer part of it.

    It is the first moment of the next day. Where the clock goes back at midnight, the last hour of the day comes twice;
    where it goes forward at midnight, the next day begins at one o'clock.
    """
    midnight = timezone.make_aware(datetime.combine(day + timedelta(days=1), time.min))
    return midnight.astimezone(UTC)  # a moment that a clock left out or showed twice equals no other in its own zone


def last_known(club: Club, end: datetime) -> int:
    """Return the number of the last entry that a club knew before a moment.

    Entries are known in the order of their numbers. Where every clock was right, these are the entries written before
    the moment. A clock that was wrong contradicts that order; then the cut is taken that contradicts the fewest
    writings, of several the latest. So one entry of a clock that was days ahead hides nothing that followed it, and one
    of a clock that was years behind makes nothing known early.
    """
    entries = Entry.objects.filter(club=club).order_by("number")
    last = entries.filter(entered__lt=end).values_list("number", flat=True).last() or 0
    first_later = entries.filter(entered__gte=end).values_list("number", flat=True).first()
    if first_later is None or first_later > last:
        return last
    doubtful = entries.filter(number__gte=first_later, number__lte=last).values_list("entered", "number")
    writings = [
        (entered < end, max(number for _, number in rows)) for entered, rows in groupby(doubtful, lambda row: row[0])
    ]
    cut, fewest = first_later - 1, sum(before for before, _ in writings)
    contradicted = fewest
    for before, number in writings:
        contradicted += -1 if before else 1
        if contradicted <= fewest:
            cut, fewest = number, contradicted
    return cut


def ahead() -> dict[str, timedelta]:
    """Return how far the last entry of a club lies behind the present moment, for the clubs where it does."""
    moment = now()
    own = Entry.objects.filter(club=OuterRef("pk"), number=OuterRef("number"))  # of a join all entries would be read
    last = Club.objects.annotate(last=Subquery(own.values("entered")[:1]))
    return {slug: entered - moment for slug, entered in last.filter(last__gt=moment).values_list("slug", "last")}
