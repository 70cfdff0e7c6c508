"""A curve that a correction redrew: the last such entry about a player's games, and the curve as it was before."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
from django.utils.translation import gettext

from handan.club.kinds import Kind
from handan.club.store.cache import standings_of, state_at
from handan.club.store.models import Entry, Role
from handan.club.store.visiting import seen_state
from handan.drawing import Course
from handan.web.pages.asking import text_of, whole_number
from handan.web.pages.chart import course_of
from handan.web.pages.here import Here
from handan.web.pages.wording import day

KINDS = (Kind.GAME_CORRECTED, Kind.GAME_WITHDRAWN, Kind.GAME_RESTORED)
LOOKED_THROUGH = 500  # our choice: of a player's games about which more was written, the last ones are looked through


def last_redrawing(here: Here, key: str) -> Entry | None:
    """Return the last entry that redrew a player's curve, for who may read the log; None if there is none."""
    if not (here.actor.may(Role.PLAYER) or here.club.open_log) or here.day or here.day_known:
        return None
    games = here.games(key)
    written_about = games.filter(pl.col("latest") > pl.col("line")).sort("latest")["line"].tail(LOOKED_THROUGH)
    subjects = [f"g{line}" for line in written_about]
    entries = Entry.objects.filter(club=here.club, subject__in=subjects, kind__in=[str(kind) for kind in KINDS])
    return entries.order_by("-number").first() if subjects else None


def course_before(here: Here, key: str, entry: Entry | None) -> Course | None:
    """Return the course of a rating as it was before an entry, if the address asks for it (`?redrawn=ENTRY`)."""
    if entry is None or whole_number(text_of(here.request, "redrawn")) != entry.number:
        return None
    standings = standings_of(seen_state(here.actor, state_at(here.club, entry.number - 1)))
    if key not in standings.state.labels or standings.rules.system != here.rules.system:
        return None
    then = replace(here, made=standings)
    name = gettext("as it was before {day}").format(day=day(entry.entered))
    return replace(course_of(then, key, standings.lines(key, reasons=False)), name=name)
