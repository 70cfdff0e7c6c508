"""Rating lists that take long: a thread of this process makes them, and whoever needs the newest one waits for it."""

from __future__ import annotations

import logging
import threading
from time import monotonic, sleep

from django.db import connections
from django.db.models import Q
from django.utils import timezone

from handan.club.state import State
from handan.club.store.clock import at_place
from handan.club.store.list_models import NOW, RatingList
from handan.club.store.models import Club
from handan.club.store.rating_lists import EMPTY, LEASE, list_of, make_anew, takes_long
from handan.club.store.states import phases_of, state_of
from handan.errors import HandanError

PATIENCE = 60.0  # seconds; our choice: how long somebody waits who needs the list of the last entry
STEP = 0.1  # seconds between two looks at what another process does
LOG = logging.getLogger("handan.club")
_lock = threading.Lock()
_jobs: dict[int, threading.Thread] = {}
"""The thread of this process that makes the list of each club."""


def start(club: Club) -> threading.Thread:
    """Start the thread that makes the list of a club, unless it runs already; return it."""
    with _lock:
        job = _jobs.get(club.pk)
        if job is None or not job.is_alive():
            job = _jobs[club.pk] = threading.Thread(target=_run, args=(club,), name="making a list", daemon=True)
            job.start()
    return job


def _run(club: Club) -> None:
    """Make the list until it follows the last entry, if no other process does."""
    try:
        RatingList.objects.get_or_create(club=club, question=NOW, defaults=EMPTY)
        if not _claimed(club):
            return
        try:
            with at_place(club):
                while takes_long(club, RatingList.objects.current(club), state_of(club)):
                    make_anew(club)
        except HandanError:  # the rules find no answer: who asks next is told why
            RatingList.objects.filter(club=club, question=NOW).update(seconds=0.0)
        finally:
            RatingList.objects.filter(club=club, question=NOW).update(solved_until=None)
    except Exception:
        LOG.exception("a list was not made beside the requests; who needs it makes it")
    finally:
        connections.close_all()  # those of this thread


def _claimed(club: Club) -> bool:
    """Keep other processes from making a list as long as this one gives signs of life; False where another one does.

    Who was to give one later than anybody does was killed while a clock was ahead.
    """
    own, now = RatingList.objects.filter(club=club, question=NOW), timezone.now()
    over = Q(solved_until=None) | Q(solved_until__lt=now) | Q(solved_until__gt=now + 2 * LEASE)
    return own.filter(over).update(solved_until=now + LEASE) > 0


def awaited(club: Club, state: State) -> RatingList:
    """Return the list of the last entry, as this or another process makes it; made now if that takes too long."""
    end = monotonic() + PATIENCE
    while monotonic() < end:
        job = start(club)
        job.join(STEP)
        row = RatingList.objects.current(club)
        if row is not None and row.has_rules(phases_of(state)):
            newer = row.number > state.number and not state.sources  # own entries do not tell it of a federation
            if newer or row.stands_after(state):
                return row
        if not job.is_alive() and (row is None or row.solved_until is None):
            break  # it found no answer
        sleep(STEP)
    return list_of(club)
