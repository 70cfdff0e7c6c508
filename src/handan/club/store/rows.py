"""The rows of a club and of the clubs of its federation, read together, so that a request asks for them once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from handan.club.once import once
from handan.club.store.models import Club, Openness, Shown
from handan.club.store.prepared import Prepared

BY_NUMBER = Prepared(lambda number: Club.objects.filter(Q(pk=number) | Q(federation=number)).order_by("pk"), int)
BY_NAME = Prepared(lambda slug: Club.objects.filter(Q(slug=slug) | Q(federation__slug=slug)).order_by("pk"), str)
SHOWN = Prepared(lambda number: Shown.objects.filter(Q(club=number) | Q(club__federation=number)).order_by("pk"), int)


@dataclass(frozen=True)
class Rows:
    """The row of a club, and those of its clubs if it is a federation, as they stood at one moment."""

    own: Club
    clubs: Sequence[Club]
    """In the order in which they were made."""

    @classmethod
    def of(cls, club: Club) -> Rows:
        """Read them now."""
        rows = BY_NUMBER.rows(club.pk)
        return cls._parted(next(row for row in rows if row.pk == club.pk), rows)

    @classmethod
    def named(cls, slug: str) -> Rows | None:
        """Read those of the club that is called so, None where there is none."""
        rows = BY_NAME.rows(slug)
        own = next((row for row in rows if row.slug == slug), None)
        return None if own is None else cls._parted(own, rows)

    @classmethod
    def _parted(cls, own: Club, rows: list[Club]) -> Rows:
        return cls(own, [row for row in rows if row.pk != own.pk])

    @once
    def shown(self) -> tuple[tuple[int, str, str], ...]:
        """Number of the club, key and name of each player whom visitors see under another name, or under none."""
        shown = SHOWN.rows(self.own.pk)
        return tuple((row.club_id, row.player, row.name) for row in shown)

    @property
    def hides(self) -> bool:
        """Whether there may be somebody whom visitors do not see by name."""
        return bool(self.shown) or any(club.openness == Openness.CLOSED for club in self.clubs)
