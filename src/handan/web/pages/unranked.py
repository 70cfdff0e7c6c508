"""Newcomers without a rank: they are asked for a provisional one before terms are proposed."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.utils.translation import gettext as _

from handan.errors import InputError
from handan.ranks import FIRST_DAN, STRONGEST, WEAKEST, Rank
from handan.web.pages.here import Here
from handan.web.pages.plates import plate

PROVISIONAL = "rank-"
"""Begins the field that says as what rank a newcomer, whose key follows, is taken."""
USUAL = FIRST_DAN - 5
"""Our choice: the place of the rank around which ranks are offered where the opponent has none either."""


def provisional_ranks(here: Here, *keys: str) -> dict[str, Rank]:
    """Return the provisional ranks that were said of newcomers, by key."""
    ranks = {}
    new = {here.state.keys[label] for label in here.standings.newcomers(*keys)}
    for key in new:
        if text := (here.posted or here.request.GET).get(f"{PROVISIONAL}{key}", ""):
            with suppress(InputError):  # then it is asked for again
                ranks[key] = Rank.parse(text)
    return ranks


def unranked_of(here: Here, one: str, other: str) -> dict[str, Any] | None:
    """Return what is asked of the first of two, given by key, who has neither games nor a rank; None where all have."""
    ranks = provisional_ranks(here, one, other)
    new = {here.state.keys[label] for label in here.standings.newcomers(one, other)}.difference(ranks)
    if not new:
        return None
    key, opponent = (one, other) if one in new else (other, one)
    rank = here.standings.by_key.get(opponent, {}).get("rank") or ranks.get(opponent)
    middle = Rank.parse(str(rank)).number_from_30k if rank else USUAL
    return {
        "plate": plate(here, key),
        "field": f"{PROVISIONAL}{key}",
        "near": list(dict.fromkeys(Rank.at(place) for place in range(middle - 6, middle + 4, 2))),
        "middle": Rank.at(middle),
        "all": [Rank.at(place) for place in range(STRONGEST, WEAKEST - 1, -1)],
        "kept": {"one": one, "other": other} | here.request.GET.dict(),
    }


def no_terms(name: str) -> str:
    """Return why no terms are proposed for a newcomer."""
    return _("{name} has no rank yet, so nobody can say which terms are fair.").format(name=name)
