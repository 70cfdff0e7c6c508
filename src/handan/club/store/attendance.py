"""Who is here this evening, and who sits down to play whom: rows apart, since they are no facts of the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import Q

from handan.club.names import person_of
from handan.club.store.access import Actor
from handan.club.store.clock import evening_day, now
from handan.club.store.models import Attendance, Club, Role
from handan.club.store.states import state_of
from handan.errors import InputError

KEPT = timedelta(days=400)  # our choice: a year of evenings, for whoever counts them


def attendances(club: Club) -> list[Attendance]:
    """Return the rows of the evening, in the order of arrival."""
    return list(Attendance.objects.filter(club=club, day=evening_day(club)).order_by("arrived", "pk"))


def arrive(by: Actor, key: str) -> None:
    """Say that a player is here; who went home is back."""
    by.need(Role.KEEPER)
    person, day = person_of(state_of(by.club), key), evening_day(by.club)
    with transaction.atomic():
        row, is_new = Attendance.objects.get_or_create(club=by.club, player=person.key, day=day)
        if not is_new and row.left:
            Attendance.objects.filter(pk=row.pk).update(left=None, arrived=now())
        Attendance.objects.filter(club=by.club, day__lt=day - KEPT).delete()


def leave(by: Actor, keys: Iterable[str]) -> None:
    """Say that players went home; the game that one of them was playing is called off."""
    by.need(Role.KEEPER)
    day = evening_day(by.club)
    with transaction.atomic():
        for key in keys:
            call_off(by, key)
            person = person_of(state_of(by.club), key)
            Attendance.objects.update_or_create(club=by.club, player=person.key, day=day, defaults={"left": now()})


def begin_games(by: Actor, pairs: Sequence[tuple[str, str]]) -> None:
    """Say that players sit down to play each other; InputError for one alone."""
    by.need(Role.KEEPER)
    state, day, begun = state_of(by.club), evening_day(by.club), {"began": now(), "left": None}
    with transaction.atomic():
        for pair in pairs:
            one, other = (person_of(state, key).key for key in pair)
            if one == other:
                raise InputError("terms are for two players")
            for key, opponent in ((one, other), (other, one)):
                call_off(by, key)
                own = {"opponent": opponent, **begun}
                Attendance.objects.update_or_create(club=by.club, player=key, day=day, defaults=own)


def call_off(by: Actor, key: str) -> None:
    """Say that a player and the opponent play no longer, and that no game came of it."""
    by.need(Role.KEEPER)
    rows = Attendance.objects.filter(club=by.club, day=evening_day(by.club))
    rows.filter(Q(player=key) | Q(opponent=key)).update(opponent="", began=None)
