"""Calls on people: what is kept of one, what visitors see, and being forgotten."""

from __future__ import annotations

from typing import Any, Literal

from django.http import HttpRequest
from ninja import Query

from handan.club.service import people
from handan.club.store.models import Openness
from handan.web.api import bodies, schemas
from handan.web.api.calls import REFUSALS, PlayerKey, Slug, router, sent, who
from handan.web.plain_data import finite

Preview = Query[bodies.Look]


class ShownIn(bodies.Body):
    """What visitors see of a player: another name, empty for none at all, null for the player's own."""

    name: bodies.Text | None = None


class OpennessIn(bodies.Body):
    """What visitors see of the club."""

    visitors: Literal["open", "ladder", "closed"]
    log: bool | None = None
    """Whether visitors of an open club see its log; null: as it was."""


@router.get("/clubs/{slug}/players/{key}/data", response={200: dict[str, Any], **REFUSALS})
def data(request: HttpRequest, slug: Slug, key: PlayerKey) -> Any:
    """All that is kept of a player, for the player himself and for secretaries."""
    return finite(people.kept_of(who(request, slug), key))


@router.put("/clubs/{slug}/players/{key}/shown", response={200: schemas.Shown, **REFUSALS})
def shown(request: HttpRequest, slug: Slug, key: PlayerKey, body: ShownIn) -> Any:
    """Show a player to visitors under another name, not at all (empty), or by name again (null)."""
    final = people.show_to_visitors(who(request, slug), key, body.name, sent(request))
    return {"player": final, "name": body.name}


@router.post("/clubs/{slug}/players/{key}/forget-request", response={200: schemas.ForgetRequest, **REFUSALS})
def forget_request(request: HttpRequest, slug: Slug, key: PlayerKey) -> Any:
    """Ask a secretary to forget a player."""
    return people.request_forgetting(who(request, slug), key, sent(request))


@router.post("/clubs/{slug}/players/{key}/forget", response={200: schemas.Forgotten, **REFUSALS})
def forget_player(request: HttpRequest, slug: Slug, key: PlayerKey, preview: Preview) -> Any:
    """Forget a player for good; games and everybody's figures stay. With `preview`, only say what would go."""
    by = who(request, slug)
    if preview.preview:
        counts = people.forgetting_counts(people.forgetting_plan(by, key))
    else:
        counts = people.forget_player(by, key, sent(request))
    return {**counts, "preview": preview.preview}


@router.put("/clubs/{slug}/visitors", response={200: schemas.Visitors, **REFUSALS})
def visitors(request: HttpRequest, slug: Slug, body: OpennessIn) -> Any:
    """Open a club to visitors, show them the ladder only, or close it."""
    by = who(request, slug)
    people.open_to_visitors(by, Openness[body.visitors.upper()], log=body.log, sending=sent(request))
    return {"visitors": body.visitors, "log": by.club.open_log if body.log is None else body.log}
