"""Calls on people: what is kept of one, what visitors see, and being forgotten."""

from __future__ import annotations

from typing import Any, Literal

from django.http import HttpRequest
from ninja import Query

from handan.club.forgetting import ask_to_be_forgotten, forget, plan
from handan.club.idempotency import once
from handan.club.members import Actor, NotAllowedError
from handan.club.models import Openness, Role
from handan.club.own_data import own_data
from handan.club.reading import state_of
from handan.club.visiting import set_openness, set_shown
from handan.web.api import bodies, schemas
from handan.web.api.calls import REFUSALS, sent, who
from handan.web.api.look import PlayerKey, Slug, found_player, router
from handan.web.pages.answers import finite

Preview = Query[bodies.Look]


class ShownIn(bodies.Body):
    """What visitors see of a player: another name, empty for none at all, null for the player's own."""

    name: bodies.Text | None = None


class OpennessIn(bodies.Body):
    """What visitors see of the club."""

    visitors: Literal["open", "ladder", "closed"]
    log: bool | None = None
    """Whether visitors of an open club see its log; as it was, if nothing is said."""


def _own(request: HttpRequest, slug: str, key: str) -> tuple[Actor, str]:
    """Return who asks, and the key of a player who they are or whose secretary they are."""
    by = who(request, slug, Role.PLAYER)
    state = state_of(by.club)
    final = found_player(state, key).key
    mine = by.player in state.people and state.person(by.player).key == final
    if not mine and not by.may(Role.SECRETARY):
        raise NotAllowedError("this is for the player concerned, and for secretaries")
    return by, final


@router.get("/clubs/{slug}/players/{key}/data", response={200: dict[str, Any], **REFUSALS})
def data(request: HttpRequest, slug: Slug, key: PlayerKey) -> Any:
    """All that is kept of a player, for the player himself and for secretaries."""
    by, final = _own(request, slug, key)
    return finite(own_data(by.club, final, by))


@router.put("/clubs/{slug}/players/{key}/shown", response={200: schemas.Shown, **REFUSALS})
def shown(request: HttpRequest, slug: Slug, key: PlayerKey, body: ShownIn) -> Any:
    """Show a player to visitors under another name, not at all (empty), or by name again (null)."""
    by, final = _own(request, slug, key)

    def show() -> dict[str, Any]:
        set_shown(by.club, final, body.name)
        return {}

    once(by, sent(request), show)
    return {"player": final, "name": body.name}


@router.post("/clubs/{slug}/players/{key}/forget-request", response={200: schemas.ForgetRequest, **REFUSALS})
def forget_request(request: HttpRequest, slug: Slug, key: PlayerKey) -> Any:
    """Ask a secretary to forget a player."""
    by, final = _own(request, slug, key)

    def request_it() -> dict[str, Any]:
        return {"player": final, "requested": ask_to_be_forgotten(by.club, final).requested.isoformat()}

    return once(by, sent(request), request_it)


@router.post("/clubs/{slug}/players/{key}/forget", response={200: schemas.Forgotten, **REFUSALS})
def forget_player(request: HttpRequest, slug: Slug, key: PlayerKey, preview: Preview) -> Any:
    """Forget a player for good; games and everybody's figures stay. With `preview`, only say what would go."""
    by = who(request, slug, Role.SECRETARY)
    final = found_player(state_of(by.club), key).key

    def forgotten() -> dict[str, Any]:
        done = plan(by.club, final) if preview.preview else forget(by.club, final, author=by.name, by=by)
        counts = {"accounts": len(done.accounts), "games": done.games, "entries": done.texts}
        return {"players": list(done.people), **counts, "left": list(done.left), "preview": preview.preview}

    return forgotten() if preview.preview else once(by, sent(request), forgotten)


@router.put("/clubs/{slug}/visitors", response={200: schemas.Visitors, **REFUSALS})
def visitors(request: HttpRequest, slug: Slug, body: OpennessIn) -> Any:
    """Open a club to visitors, show them the ladder only, or close it."""
    by = who(request, slug, Role.ADMINISTRATOR)

    def open_up() -> dict[str, Any]:
        set_openness(by.club, Openness[body.visitors.upper()], log=body.log)
        return {}

    once(by, sent(request), open_up)
    return {"visitors": body.visitors, "log": by.club.open_log if body.log is None else body.log}
