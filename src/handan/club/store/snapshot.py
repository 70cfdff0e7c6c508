"""Snapshots of the states of large clubs on disk, so that a new process folds only the entries behind them.

Beside them stand the ratings of many games, from which a new process goes on.

A snapshot is no truth: it names the entry up to which it goes and that entry's digest, and counts only where the chain
in the database has the same. Whatever is wrong with one costs time, never the answer.
"""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import Error, connection

from handan.club.ratings_folder import are_kept, kept_head, read_ratings, write_ratings
from handan.club.standings import Phase, Standings, chosen_rules
from handan.club.state import State
from handan.club.state_folder import Head, head_of, read_state, write_state
from handan.club.store.models import Club, Entry
from handan.errors import InputError
from handan.ledger.folder import HEAD, BeingWrittenError
from handan.systems.families.continuing import in_one_memory
from handan.systems.families.keeping import KeptRatings

LOG = logging.getLogger("handan.club")
EVERY = 5_000  # entries; our choice: so many are folded in a tenth of a second or so
RATED_EVERY = 1_000  # entries; our choice: games behind a replay take a new process less than reading their entries
SUFFIX = ".states"
OWN_FOLDER, OWN_FILE = 0o700, 0o600
TRIES = 5  # our choice: how often a folder is removed into which another process is writing
RATINGS = ".ratings"
"""Behind the club's short name, which has no dot."""
STRENGTHS = ".strengths"
"""Behind it, too, from an earlier version: a folder that is only taken away."""
_at_work, _ratings_at_work = threading.Lock(), threading.Lock()
may_write = threading.Event()
"""Whether what is kept in the background is written; a new process that serves shows its first pages before that."""
may_write.set()
_unwanted: dict[str, threading.Event] = {}
"""What tells the thread that writes ratings of a club that others take their place, by the club's short name."""


def snapshots_folder() -> Path | None:
    """Return the folder of the snapshots: beside an SQLite file, else in the working folder; None in memory."""
    database = settings.DATABASES["default"]
    name = str(database["NAME"])
    if not str(database["ENGINE"]).endswith("sqlite3"):
        return Path.cwd() / f".handan-{Path(name).name}{SUFFIX}"
    return None if name == ":memory:" or name.startswith("file:") else Path(f"{name}{SUFFIX}")


def _folder_of(club: Club) -> Path | None:
    home = snapshots_folder()
    return None if home is None else home / club.slug


def snapshot_of(club: Club, view: tuple[Any, ...]) -> State | None:
    """Return the state of a club that stands in its snapshot; None where there is none of this chain.

    One from before somebody was forgotten is taken away.
    """
    folder = _folder_of(club)
    head = None if folder is None else head_of(folder)
    if folder is None or head is None:
        return None
    if head.view != view:
        take_away(club)
        return None
    if head.slug != club.slug or not 0 < head.number <= club.number:
        return None
    digest = Entry.objects.filter(club=club, number=head.number).values_list("digest", flat=True).first()
    return read_state(folder, head) if digest == head.digest else None


def keep_snapshot(club: Club, state: State, *, every: int | None = None, wait: bool = False) -> None:
    """Write a snapshot of a state in the background, unless the one that is there is nearly as new.

    Args:
        club: Whose state it is.
        state: Of many entries.
        every: How many entries the one that is there may be away; None: as many as `EVERY`.
        wait: For those who want it to be there afterwards.
    """
    folder = _folder_of(club)
    if folder is None or state.number < EVERY or settings.READ_ONLY or not _at_work.acquire(blocking=wait):
        return
    work = partial(_keep, club, state, folder, EVERY if every is None else every)
    _in_background(_at_work, work, "snapshot", "no snapshot was written", club.slug, wait=wait)


def kept_ratings_head(slug: str) -> Head | None:
    """Return of which state of a club ratings are kept; None where there are none."""
    home = snapshots_folder()
    return None if home is None else kept_head(home / f"{slug}{RATINGS}")


def kept_standings(state: State, today: date) -> Standings | None:
    """Return the standings of a state whose ratings are kept; None where these are of another one."""
    home, chosen = snapshots_folder(), chosen_rules(state, today, None)
    if home is None or len(chosen) > 1 or state.sources:
        return None
    folder = home / f"{state.slug}{RATINGS}"
    ratings = read_ratings(folder, state, chosen[0])
    if ratings is None and kept_head(folder) == _head_of(state) and not settings.READ_ONLY:
        _remove(folder)  # damaged, or of rules that are not in force any more: others take their place
    return None if ratings is None else Standings(state, (Phase(chosen[0], ratings),), None, today)


def keep_ratings(standings: Standings, *, at_once: bool = False, wait: bool = False) -> None:
    """Write the ratings of many games in the background.

    Those that are there stay while they are nearly as new, and a new process can still go on from there.

    Args:
        standings: Of the ratings.
        at_once: Whether going on from those that are there took so long that nearly as new is not enough.
        wait: For those who want them to be there afterwards.
    """
    home, state, ratings = snapshots_folder(), standings.state, standings.ratings
    if home is None or settings.READ_ONLY or not are_kept(ratings):
        return
    folder = home / f"{state.slug}{RATINGS}"
    kept, snapshot = kept_head(folder), head_of(home / state.slug)
    reached = kept is not None and (snapshot is None or snapshot.number <= kept.number)
    same = reached and kept is not None and state.number // RATED_EVERY == kept.number // RATED_EVERY
    same = same and ((isinstance(ratings, KeptRatings) and not at_once) or kept == _head_of(state))
    if same and kept is not None and snapshot is not None:  # a state far before them is folded anew at each start
        same = kept.number - snapshot.number < RATED_EVERY
    if same or not _ratings_at_work.acquire(blocking=wait):
        return
    phases = [replace(phase, ratings=in_one_memory(phase.ratings)) for phase in standings.phases]
    light = replace(standings, phases=tuple(phases))
    _unwanted[state.slug] = threading.Event()
    work = partial(_keep_ratings, [light], folder, _unwanted[state.slug])
    _in_background(_ratings_at_work, work, "ratings", "no ratings were written", state.slug, wait=wait)


def stop_keeping(slug: str) -> bool:
    """Let ratings of a club that are being written be given up, so that their memory is free; return whether any are.

    It is for who makes others, which cannot go on from these: a new process could not go on from them either.
    """
    unwanted = _unwanted.get(slug)
    if unwanted is not None:
        unwanted.set()
    return unwanted is not None


def _head_of(state: State) -> Head:
    return Head(state.slug, state.number, state.digest, state.view)


def _keep_ratings(of: list[Standings], folder: Path, unwanted: threading.Event) -> None:
    """Write the ratings of standings into a folder.

    `of` has them alone; they are taken out, so that their memory is free once they are written.
    """
    standings = of.pop()
    state = standings.state
    try:
        if len(standings.phases) > 1 or state.sources:
            return
        _private(folder)
        if not write_ratings(folder, state, standings.rules, standings.ratings, unwanted.is_set):
            return
    finally:
        _unwanted.pop(state.slug, None)
    del standings
    _for_owner(folder)
    club = Club.objects.filter(slug=state.slug).first()
    if club is not None:  # else a new process would make the ledger of the ratings anew where newcomers played
        _keep(club, state, folder.with_name(club.slug), 1)


def _keep(club: Club, state: State, folder: Path, every: int) -> None:
    """Write a snapshot if there is none of about these entries, and take it away again if somebody is forgotten.

    `every` is how many entries it may be away.
    """
    there = head_of(folder)
    near = there is not None and abs(state.number - there.number) < every and there.view == state.view
    if near and there is not None and _is_in_chain(club, there.number, there.digest):
        return
    if not _is_in_chain(club, state.number, state.digest):  # it may never be committed
        return
    _private(folder)
    write_state(folder, state)
    _for_owner(folder)
    if not _holds_everybody(club, state):
        take_away(club)


def _in_background(
    at_work: threading.Lock, work: Callable[[], None], name: str, fault: str, slug: str, *, wait: bool
) -> None:
    """Keep something of a club in a thread of its own, or at once for those who wait.

    Args:
        at_work: A lock that is held; it is given back at the end.
        work: Writes what is kept.
        name: Of the thread.
        fault: What the log says if it cannot be written.
        slug: Of the club.
        wait: Whether it is to be there afterwards.
    """

    def run() -> None:
        if not wait:
            may_write.wait()
        try:
            work()
        except BeingWrittenError:  # of about the same entries: processes that begin together read the same ones
            return
        except (OSError, InputError, Error) as error:
            LOG.info(fault, extra={"club": slug}, exc_info=error)
        finally:
            at_work.release()
            if not wait:
                connection.close()

    if wait:
        run()
    else:
        threading.Thread(target=run, name=name, daemon=True).start()


def _for_owner(folder: Path) -> None:
    for file in folder.iterdir():
        file.chmod(OWN_FILE)


def _is_in_chain(club: Club, number: int, digest: str) -> bool:
    return Entry.objects.filter(club=club.pk, number=number, digest=digest).exists()


def _holds_everybody(club: Club, state: State) -> bool:
    """Return whether nobody was forgotten since a state."""
    last = Club.objects.filter(pk=club.pk).values_list("forgotten", flat=True).first()
    return state.view == ((club.pk, last),)


def _private(folder: Path) -> None:
    """Make a folder that only its owner may read, and the one it is in."""
    for path in (folder.parent, folder):
        path.mkdir(mode=OWN_FOLDER, parents=True, exist_ok=True)
        path.chmod(OWN_FOLDER)


def take_away(club: Club) -> None:
    """Remove the snapshot of a club, and the ratings that are kept beside it."""
    folder = _folder_of(club)
    if folder is None:
        return
    for each in (folder, *(folder.with_name(f"{folder.name}{ending}") for ending in (STRENGTHS, RATINGS))):
        if each.exists() and not _remove(each):
            what = "names of people" if each == folder else "keys, but no names, of players"
            LOG.warning("%s may still stand in %s; remove it", what, each, extra={"club": folder.name})


def _remove(folder: Path) -> bool:
    """Remove a folder, and return whether it is gone."""
    with suppress(FileNotFoundError):
        (folder / HEAD).unlink()  # first, for without it the folder holds nothing
    for _ in range(TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return True
    return False
