"""Calls that write; each can be asked first what it would do (`preview=true`)."""

from __future__ import annotations

from typing import Annotated, Any

from django.contrib.auth import get_user_model
from django.http import Http404, HttpRequest, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from ninja import Path, Query
from pydantic import Field

from handan.club import changes
from handan.club import lists as official
from handan.club.members import invite, take_back
from handan.club.members import set_role as give_role
from handan.club.models import Role
from handan.club.reading import ledger_file, state_of, today
from handan.club.rules import checked
from handan.errors import AbsentError
from handan.web.api import bodies, schemas
from handan.web.api.calls import REFUSALS, change, day_of, sent, who
from handan.web.api.look import GameKey, PlayerKey, Slug, found_game, found_player, invitation_data, router

Preview = Query[bodies.Look]
Account = Path[Annotated[str, Field(min_length=1, max_length=150, pattern=r"^[^\u0000]*$")]]
LINES = {"responses": {200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}}}
ANSWERS: dict[int, Any] = {200: schemas.Written, **REFUSALS}


def _fields(body: Any, *without: str) -> dict[str, Any]:
    """Return the fields that were sent."""
    return {name: value for name, value in body.dict(exclude_unset=True).items() if name not in {"token", *without}}


@router.post("/clubs/{slug}/players", response=ANSWERS)
def register(request: HttpRequest, slug: Slug, body: bodies.PlayerIn, preview: Preview) -> Any:
    """Register a player, with a rank on entry."""
    by = who(request, slug, Role.SECRETARY)
    fields = _fields(body, "rank")
    return change(
        request,
        by,
        lambda state: changes.register_ranked(state, fields, body.rank or "", today()),
        look=preview.preview,
    )


@router.patch("/clubs/{slug}/players/{key}", response=ANSWERS)
def change_player(
    request: HttpRequest, slug: Slug, key: PlayerKey, body: bodies.PlayerChange, preview: Preview
) -> Any:  # fmt: skip
    """Change what is known of a player."""
    by = who(request, slug, Role.SECRETARY)
    found_player(state_of(by.club), key)
    return change(
        request,
        by,
        lambda state: changes.change_player(state, key, _fields(body, "reason"), body.reason),
        look=preview.preview,
    )


@router.post("/clubs/{slug}/players/{key}/merge", response=ANSWERS)
def merge(
    request: HttpRequest, slug: Slug, key: PlayerKey, body: bodies.Merge, preview: Preview
) -> Any:  # fmt: skip
    """Say that a player is another one; the games of both count for the other."""
    by = who(request, slug, Role.SECRETARY)
    found_player(state_of(by.club), key)
    return change(
        request, by, lambda state: changes.merge_players(state, key, body.into, body.reason), look=preview.preview
    )


@router.post("/clubs/{slug}/players/{key}/split", response=ANSWERS)
def split(
    request: HttpRequest, slug: Slug, key: PlayerKey, body: bodies.Reason, preview: Preview
) -> Any:  # fmt: skip
    """Undo a merger."""
    by = who(request, slug, Role.SECRETARY)
    found_player(state_of(by.club), key)
    return change(request, by, lambda state: changes.split_players(state, key, body.reason), look=preview.preview)


@router.post("/clubs/{slug}/adjustments", response=ANSWERS)
def adjust(request: HttpRequest, slug: Slug, body: bodies.AdjustmentIn, preview: Preview) -> Any:
    """Set a rank or rating by hand."""
    by = who(request, slug, Role.SECRETARY)
    found_player(state_of(by.club), body.player)
    day_of(body.date, "date")
    fields = _fields(body, "player", "reason")
    return change(
        request,
        by,
        lambda state: changes.adjust(state, body.player, fields, today(), body.reason),
        look=preview.preview,
    )


@router.post("/clubs/{slug}/adjustments/{key}/withdraw", response=ANSWERS)
def withdraw_adjustment(
    request: HttpRequest, slug: Slug, key: Path[bodies.AdjustmentKey], body: bodies.Reason, preview: Preview
) -> Any:  # fmt: skip
    """Take an adjustment back."""
    by = who(request, slug, Role.SECRETARY)
    return change(request, by, lambda state: changes.withdraw_adjustment(state, key, body.reason), look=preview.preview)


@router.post("/clubs/{slug}/games", response=ANSWERS)
def record(request: HttpRequest, slug: Slug, body: bodies.GameIn, preview: Preview) -> Any:
    """Enter a game; a player enters his own, a result keeper any. One that looks like another is asked about: 409."""
    by = who(request, slug, Role.PLAYER)
    day_of(body.date, "date")
    fields, another = _fields(body, "another"), body.another
    return change(request, by, lambda state: by.new_game(state, fields, today(), another=another), look=preview.preview)


@router.patch("/clubs/{slug}/games/{key}", response=ANSWERS)
def correct(
    request: HttpRequest, slug: Slug, key: GameKey, body: bodies.GameChange, preview: Preview
) -> Any:  # fmt: skip
    """Say how a game really was; everything later follows."""
    by = who(request, slug, Role.PLAYER)
    found_game(state_of(by.club), key)
    day_of(body.date, "date")
    fields, another = _fields(body, "reason", "another"), body.another
    return change(
        request,
        by,
        lambda state: by.correct(state, key, fields, today(), body.reason, another=another),
        look=preview.preview,
    )


@router.post("/clubs/{slug}/games/{key}/withdraw", response=ANSWERS)
def withdraw(
    request: HttpRequest, slug: Slug, key: GameKey, body: bodies.Reason, preview: Preview
) -> Any:  # fmt: skip
    """Take a game out; it stays in the log. A player takes out what he entered, as long as it does not count."""
    by = who(request, slug, Role.PLAYER)
    found_game(state_of(by.club), key)
    return change(request, by, lambda state: by.withdraw(state, key, body.reason), look=preview.preview)


@router.post("/clubs/{slug}/games/{key}/restore", response=ANSWERS)
def restore(
    request: HttpRequest, slug: Slug, key: GameKey, body: bodies.Restoring, preview: Preview
) -> Any:  # fmt: skip
    """Bring a withdrawn game back."""
    by = who(request, slug, Role.KEEPER)
    found_game(state_of(by.club), key)
    another = body.another
    return change(request, by, lambda state: by.restore(state, key, body.reason, another=another), look=preview.preview)


@router.post("/clubs/{slug}/games/{key}/confirm", response=ANSWERS)
def confirm(
    request: HttpRequest, slug: Slug, key: GameKey, body: bodies.Seen, preview: Preview
) -> Any:  # fmt: skip
    """Confirm a game that the opponent entered, as the entry that the call names left it."""
    by = who(request, slug, Role.PLAYER)
    found_game(state_of(by.club), key)
    return change(request, by, lambda state: by.confirm(state, key, body.entry), look=preview.preview)


@router.post("/clubs/{slug}/games/{key}/dispute", response=ANSWERS)
def dispute(
    request: HttpRequest, slug: Slug, key: GameKey, body: bodies.Objection, preview: Preview
) -> Any:  # fmt: skip
    """Object to a game that the opponent entered: it goes on waiting until it is corrected, withdrawn or confirmed."""
    by = who(request, slug, Role.PLAYER)
    found_game(state_of(by.club), key)
    return change(request, by, lambda state: by.dispute(state, key, body.entry, body.reason), look=preview.preview)


@router.post("/clubs/{slug}/rules", response=ANSWERS)
def set_rules(request: HttpRequest, slug: Slug, body: bodies.RulesIn, preview: Preview) -> Any:
    """Set the rules from a date on."""
    by = who(request, slug, Role.ADMINISTRATOR)
    made = checked(body.system, body.settings, day_of(body.since, "since"), body.confirmation)
    return change(request, by, lambda state: changes.set_rules(state, made, body.reason), look=preview.preview)


@router.post("/clubs/{slug}/zone", response=ANSWERS)
def set_zone(request: HttpRequest, slug: Slug, body: bodies.ZoneIn, preview: Preview) -> Any:
    """Set the zone in which the club's days begin."""
    by = who(request, slug, Role.ADMINISTRATOR)
    return change(request, by, lambda state: changes.set_zone(state, body.zone, body.reason), look=preview.preview)


@router.post("/clubs/{slug}/lists", response=ANSWERS)
def publish(request: HttpRequest, slug: Slug, body: bodies.ListIn, preview: Preview) -> Any:
    """Publish an official list."""
    by = who(request, slug, Role.SECRETARY)
    day = day_of(body.as_of, "as_of")
    return change(request, by, lambda state: official.publish(state, today(), day, body.label), look=preview.preview)


@router.put("/clubs/{slug}/members/{account}", response={200: schemas.Member, **REFUSALS})
def set_role(
    request: HttpRequest, slug: Slug, account: Account,
    body: bodies.MemberIn,
) -> Any:  # fmt: skip
    """Give an account a role, or none."""
    by = who(request, slug, Role.SECRETARY)
    user = get_object_or_404(get_user_model(), username=account)
    role = Role[body.role.upper()] if body.role else Role.VISITOR
    player = found_player(state_of(by.club), body.player).key if body.player else ""
    give_role(by, user, role, player, sent(request))
    return {"account": account, "role": role.name.lower(), "player": player}


@router.post("/clubs/{slug}/invitations", response={200: schemas.Invitation, **REFUSALS})
def invitation(request: HttpRequest, slug: Slug, body: bodies.InvitationIn) -> Any:
    """Make a link by which one person becomes a member, once."""
    by = who(request, slug, Role.SECRETARY)
    player = found_player(state_of(by.club), body.player).key if body.player else ""
    return {"path": reverse("join", args=[invite(by, Role[body.role.upper()], player, sent(request))])}


@router.delete("/clubs/{slug}/invitations/{number}", response={200: schemas.OpenInvitation, **REFUSALS})
def take_invitation_back(request: HttpRequest, slug: Slug, number: Path[Annotated[int, Field(ge=1, le=10**15)]]) -> Any:
    """Take an invitation back that nobody has used yet; its link is dead."""
    by = who(request, slug, Role.SECRETARY)
    try:
        return invitation_data(take_back(by, number, sent(request)))
    except AbsentError as error:
        raise Http404(str(error)) from None


@router.get("/clubs/{slug}/ledger", response={200: Any, **REFUSALS}, openapi_extra=LINES)
def ledger(request: HttpRequest, slug: Slug) -> Any:
    """The whole ledger, one JSON object a line."""
    club = who(request, slug, Role.SECRETARY).club
    return StreamingHttpResponse(ledger_file(club), content_type="application/x-ndjson")
