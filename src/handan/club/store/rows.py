"""The rows of a club and of the clubs of its federation, read together, so that a request asks for them once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q

from handan.club.once import once
from handan.club.store.models import Club, Openness, Shown


@dataclass(frozen=True)
class Rows:
    """The row of a club, and those of its clubs if it is a federation, as they stood at one moment."""

    own: Club
    clubs: Sequence[Club]
    """In the order in which they were made."""

    @classmethod
    def of(cls, club: Club) -> Rows:
        """Read them now."""
        rows = list(Club.objects.filter(Q(pk=club.pk) | Q(federation=club.pk)).order_by("pk"))
        return cls._parted(next(row for row in rows if row.pk == club.pk), rows)

    @classmethod
    def named(cls, slug: str) -> Rows | None:
        """Read those of the club that is called so, None where there is none."""
        rows = list(Club.objects.filter(Q(slug=slug) | Q(federation__slug=slug)).order_by("pk"))
        own = next((row for row in rows if row.slug == slug), None)
        return None if own is None else cls._parted(own, rows)

    @classmethod
    def _parted(cls, own: Club, rows: list[Club]) -> Rows:
        return cls(own, [row for row in rows if row.pk != own.pk])

    @once
    def shown(self) -> tuple[tuple[int, str, str], ...]:
        """Number of the club, key and name of each player whom visitors see under another name, or under none."""
        shown = Shown.objects.filter(club__in=[self.own.pk, *(club.pk for club in self.clubs)]).order_by("pk")
        return tuple(shown.values_list("club", "player", "name"))

    @property
    def hides(self) -> bool:
        """Whether there may be somebody whom visitors do not see by name."""
        return bool(self.shown) or any(club.openness == Openness.CLOSED for club in self.clubs)
