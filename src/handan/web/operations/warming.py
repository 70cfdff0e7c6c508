"""What a process works out before it answers anybody, so that its first page takes no longer than the next."""

from __future__ import annotations

import gc
import logging
import os
import threading
from collections.abc import Iterable
from pathlib import Path
from time import monotonic

from django.db import Error, connections
from django.template import engines
from django.urls import resolve

from handan.club.standings import Standings
from handan.club.store.cache import live_standings
from handan.club.store.models import Club
from handan.club.store.snapshot import may_write
from handan.errors import HandanError
from handan.systems.families.continuing import load_code
from handan.systems.families.keeping import KeptRatings
from handan.systems.whr_live.continuing import LiveRatings
from handan.systems.whr_live.keeping import get_ready
from handan.web.operations.memory import give_back_at_once
from handan.web.operations.other_processes import READY
from handan.web.operations.reading_apart import get_ready as load_readers
from handan.web.pages.on_demand import View, load_all

LOG = logging.getLogger("handan.warming")
WARM = "HANDAN_WARM"
"""Set by `handan serve` for the processes that answer."""
LONGEST = 20.0  # seconds; our choice: clubs for which no time is left are read when somebody asks
MOST = 32  # our choice: clubs
YOUNG = 60_000  # our choice: objects after which memory is tidied; some pages make that many, few of them in circles
SHOWN = 100  # rows; our choice: as many as a page of the ladder shows
BEHIND = 2.0  # seconds; our choice: who asks for the first page waits for nothing that an entry alone needs
OURS = "handan"  # folder of our own templates


def warm_up() -> int:
    """Make the newest standings of the clubs with most entries, if `handan serve` asks for it; return of how many.

    Machine code that the systems of large clubs need is loaded or made on the way.
    """
    if not os.environ.get(WARM):
        return 0
    give_back_at_once()
    may_write.clear()
    made, until = list[Standings](), monotonic() + LONGEST
    gc.disable()  # nearly all that is made here stays, and would be gone through again and again
    try:
        resolve("/")  # where each page is, which Django loads at the first request otherwise
        _ = View("ladder.ladder").loaded
        for club in Club.objects.order_by("-number")[:MOST]:
            if monotonic() > until:
                break
            if (standings := _made(club)) is not None:
                made.append(standings)
    except Error as error:  # a database that does not answer yet is told of by each page
        LOG.warning("no standings were made before the start", exc_info=error)
    finally:
        connections.close_all()
        gc.freeze()  # what is there now need not be gone through, now or whenever memory is tidied
        gc.enable()
    gc.set_threshold(YOUNG)
    later = threading.Timer(BEHIND, _get_ready, (made,))
    later.name, later.daemon = "ready", True
    later.start()
    return len(made)


def _get_ready(made: list[Standings]) -> None:
    """Load what pages need beside lists and cards, which are shown already; then let what is kept be written."""
    try:
        load_readers()
        load_all()
        _load_templates()
        _get_games_ready(made)
    finally:
        may_write.set()


def _get_games_ready(made: list[Standings]) -> None:
    """Load what games to come need, and cards and previews of a few; the list is emptied on the way."""
    while made:  # none is kept longer than it is looked at
        standings = made.pop(0)
        try:
            _ = standings.state.searched_texts
            if isinstance(standings.ratings, LiveRatings):
                get_ready(standings.ratings)
            elif isinstance(standings.ratings, KeptRatings):
                load_code(standings.ratings)
            _say_of_last_game(standings)
        except Exception:  # the entry itself says what is wrong
            LOG.exception("machine code and history were not loaded before the first entry")


def _say_of_last_game(standings: Standings) -> None:
    """Let the ledger know of all games what cards and previews say of one, which each preview would find out anew."""
    lines = standings.ratings.ledger.column("line")
    if len(lines):
        standings.game(f"g{lines[-1]}")


def say_ready() -> None:
    """Make the file for which somebody may wait who wants to know that this process answers."""
    if ready := os.environ.get(READY):
        Path(ready).touch()


def _load_templates() -> None:
    """Load the templates of all pages."""
    for engine in engines.all():
        for name in sorted(_names_of_templates(engine.template_dirs)):
            engine.get_template(name)


def _names_of_templates(folders: Iterable[str]) -> set[str]:
    """Return the names of our templates in the folders of an engine."""
    templates = [(Path(folder), path) for folder in folders for path in Path(folder).glob(f"{OURS}/**/*.html")]
    return {path.relative_to(folder).as_posix() for folder, path in templates}


def _made(club: Club) -> Standings | None:
    """Return the standings of a club with the first rows of its ladder; None where rules find no answer.

    The pages of such a club tell of it.
    """
    try:
        standings = live_standings(club)
        _ = standings.rows[:SHOWN], standings.last_updated
    except Error:
        raise
    except HandanError:
        return None
    except Exception:  # one club that cannot be shown is no reason not to serve the others
        LOG.exception("the standings of %s could not be made", club.slug)
        return None
    return standings
