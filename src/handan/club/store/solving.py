"""Lists of systems that solve all games together: where that takes long, once, beside the requests that ask."""

from __future__ import annotations

import logging
import threading
from datetime import timedelta
from time import monotonic, sleep

from django.db import connection, connections
from django.db.models import Q
from django.utils import timezone

from handan.club.kinds import Kind
from handan.club.state import State
from handan.club.store.list_models import RatingList
from handan.club.store.list_replay import phases_of
from handan.club.store.models import Club, Entry
from handan.club.store.rating_lists import follows, follows_rules, list_of, solve
from handan.errors import HandanError
from handan.systems.core.sequential import Sequential

QUICK = 0.25  # seconds; our choice: what takes no longer is solved by who asks
TIMES, LEAST = 10, timedelta(seconds=20)
"""Our choice: so many times as long as the last time, and no less, a process may take before another one solves."""
PATIENCE = 60.0  # seconds; our choice: how long somebody waits who needs the list of the last entry
TAKE_AWAY = (Kind.PLAYER_MERGED, Kind.PLAYER_WITHDRAWN, Kind.PERSON_FORGOTTEN)
"""Kinds of entry after which somebody is in a list no more."""
STEP = 0.1  # seconds between two looks at what another process does
LOG = logging.getLogger("handan.club")
_lock = threading.Lock()
_jobs: dict[int, threading.Thread] = {}
"""The thread of this process that solves the list of each club."""


def newest_list(club: Club, state: State, *, waits: bool = True) -> RatingList:
    """Return the list of now of a club, brought up to date if entries, or the day of new rules, came since.

    Args:
        club: Whose list.
        state: The club as its last entry leaves it, or as somebody sees it.
        waits: Whether the list of the last entry is waited for; else, where solving takes long and all are still there
            who stood in the one before, that one is returned, and the next one is begun.
    """
    row = RatingList.objects.filter(club=club, question="").defer("figures", "keys").first()
    if row is not None and follows(row, state):
        return row
    if row is None or connection.in_atomic_block or not _takes_long(row, state):
        return list_of(club)
    start(club)
    if not waits and _all_there(club, row):
        return row
    return _awaited(club, state)


def start(club: Club) -> threading.Thread:
    """Start the thread that solves the list of a club, unless it runs already; return it."""
    with _lock:
        job = _jobs.get(club.pk)
        if job is None or not job.is_alive():
            job = _jobs[club.pk] = threading.Thread(target=_run, args=(club,), name="solving", daemon=True)
            job.start()
    return job


def _takes_long(row: RatingList, state: State) -> bool:
    """Whether a list that follows an earlier entry of a club takes long to solve."""
    alone = all(isinstance(rules.made, Sequential) for rules in phases_of(state))
    return not alone and not state.sources and row.seconds > QUICK and follows_rules(row, state)


def _all_there(club: Club, row: RatingList) -> bool:
    """Whether all who stand in a list are still there, and under their own keys."""
    return not Entry.objects.filter(club=club, number__gt=row.number, kind__in=TAKE_AWAY).exists()


def _run(club: Club) -> None:
    """Solve until the list follows the last entry, if no other process does."""
    try:
        if not _claimed(club):
            return
        try:
            while not solve(club):
                _claimed(club, again=True)
        except HandanError:  # the rules find no answer: who asks next is told why
            RatingList.objects.filter(club=club, question="").update(seconds=0.0)
        finally:
            RatingList.objects.filter(club=club, question="").update(solved_until=None)
    except Exception:
        LOG.exception("a list was not solved beside the requests; who needs it solves it")
    finally:
        connections.close_all()  # those of this thread


def _claimed(club: Club, *, again: bool = False) -> bool:
    """Keep other processes from solving a list for a while; False where another one does."""
    own = RatingList.objects.filter(club=club, question="")
    seconds, now = own.values_list("seconds", flat=True).first() or 0.0, timezone.now()
    free = Q() if again else Q(solved_until=None) | Q(solved_until__lt=now)
    return own.filter(free).update(solved_until=now + max(LEAST, TIMES * timedelta(seconds=seconds))) > 0


def _awaited(club: Club, state: State) -> RatingList:
    """Return the list of the last entry, as this or another process solves it; solved now if that takes too long."""
    end = monotonic() + PATIENCE
    while monotonic() < end:
        start(club).join(STEP)
        row = RatingList.objects.filter(club=club, question="").defer("figures", "keys").first()
        if row is None or row.number >= state.number or not row.seconds:
            break
        sleep(STEP)
    return list_of(club)
