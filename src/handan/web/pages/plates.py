"""The players of a club as name plates to choose from: oneself, who played today, who played last, then by reading."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from handan.club.state import WITHDRAWN
from handan.club.store.clock import today
from handan.web.pages.formatting import rating_digits
from handan.web.pages.here import Here
from handan.wording.figures import fixed

MOST = 60  # our choice: plates at once; others come by typing a part of their name


def plates(here: Here, text: str, without: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the plates of the players whom a text may mean, all for an empty one, in the order of a club's evening."""
    people = [person.key for person in here.state.search(text, len(here.state.people))] if text else _in_order(here)
    present = _played_today(here)
    chosen = [key for key in people if key not in without and not here.state.people[key].former]
    return [{**plate(here, key), "today": key in present} for key in chosen[:MOST]]


def plate(here: Here, key: str) -> dict[str, Any]:
    """Return a player's plate: name, reading, and the rank and rating that the next game is played with."""
    person, row = here.state.people[key], here.standings.row_of_next_game(key)
    return {
        "key": key,
        "name": here.state.labels[key],
        "reading": person.reading,
        "rank": row.get("rank", ""),
        "rating": fixed(row.get("rating"), rating_digits(here.standings)),
        "me": key == here.my_card,
    }


def _in_order(here: Here) -> list[str]:
    """Return all members: oneself, who is here today, and who played last; else in the order of names."""
    present, own = _played_today(here), here.my_card
    first = dict.fromkeys([own] if own in here.state.active else [])
    first |= dict.fromkeys(key for key in here.state.keys_by_name if key in present)
    return [*first, *(key for key in here.members_by("last_played") if key not in first)]


def _played_today(here: Here) -> frozenset[str]:
    """Return the keys of those who are here today, as far as games tell."""
    evening = here.state.recorded.on([today()])
    evening = evening.filter(evening["status"] != WITHDRAWN)
    return frozenset(here.state.person(key).key for side in ("black", "white") for key in evening[side])
