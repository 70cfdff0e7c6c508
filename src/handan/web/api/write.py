"""Calls that write; each can be asked first what it would do (`preview=true`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from django.http import HttpRequest, StreamingHttpResponse
from django.urls import reverse
from ninja import Path, Query
from pydantic import Field

from handan.club.record_sheet import Sheet
from handan.club.rules import checked
from handan.club.service import events, games, office, players, sheets
from handan.club.service.people import give_role, invite_member
from handan.club.store.members import take_back
from handan.club.store.models import Role
from handan.club.store.states import state_of
from handan.ledger.dates import read_day
from handan.ledger.name_folding import folded
from handan.web.api import bodies, schemas
from handan.web.api.calls import REFUSALS, GameKey, PlayerKey, Slug, changed, day_of, outcome, router, sent, who
from handan.web.api.look import invitation_data

Preview = Query[bodies.Look]
Account = Path[Annotated[str, Field(min_length=1, max_length=150, pattern=r"^[^\u0000]*$")]]
LINES = {"responses": {200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}}}
ANSWERS: dict[int, Any] = {200: schemas.Written, **REFUSALS}


def _fields(body: Any, *without: str) -> dict[str, Any]:
    """Return the fields that were sent."""
    return {name: value for name, value in body.dict(exclude_unset=True).items() if name not in {"token", *without}}


@router.post("/clubs/{slug}/players", response=ANSWERS)
def register(request: HttpRequest, slug: Slug, body: bodies.PlayerIn, preview: Preview) -> Any:
    """Register a player, with a rank or rating on entry."""
    by = who(request, slug, players.register_player)
    entry = {
        "rank": body.rank or "",
        "rating": "" if body.rating is None else str(body.rating),
        "date": body.date or "",
    }
    return outcome(request, players.register_player(by, _fields(body, "rank", "rating", "date"), entry), preview)


@router.patch("/clubs/{slug}/players/{key}", response=ANSWERS)
def change_player(request: HttpRequest, slug: Slug, key: PlayerKey, body: bodies.PlayerChange, preview: Preview) -> Any:
    """Change what is known of a player."""
    return changed(request, slug, preview, players.change_player, key, _fields(body, "reason"), body.reason)


@router.post("/clubs/{slug}/players/{key}/merge", response=ANSWERS)
def merge(request: HttpRequest, slug: Slug, key: PlayerKey, body: bodies.Merge, preview: Preview) -> Any:
    """Say that a player is another one; the games of both count for the other."""
    return changed(request, slug, preview, players.merge_players, key, body.into, body.reason)


@router.post("/clubs/{slug}/players/{key}/split", response=ANSWERS)
def split(request: HttpRequest, slug: Slug, key: PlayerKey, body: bodies.Split, preview: Preview) -> Any:
    """Undo a merger, or say that a player and another are two people."""
    return changed(request, slug, preview, players.split_players, key, body.reason, body.apart or "")


@router.post("/clubs/{slug}/players/{key}/withdraw", response=ANSWERS)
def withdraw_player(request: HttpRequest, slug: Slug, key: PlayerKey, body: bodies.Reason, preview: Preview) -> Any:
    """Take out a player who was entered by mistake and has no game; they stay in the log."""
    return changed(request, slug, preview, players.withdraw_player, key, body.reason)


@router.post("/clubs/{slug}/players/{key}/restore", response=ANSWERS)
def restore_player(request: HttpRequest, slug: Slug, key: PlayerKey, body: bodies.Reason, preview: Preview) -> Any:
    """Bring back a player who was taken out."""
    return changed(request, slug, preview, players.restore_player, key, body.reason)


@router.post("/clubs/{slug}/events", response=ANSWERS)
def enter_event(request: HttpRequest, slug: Slug, body: bodies.EventIn, preview: Preview) -> Any:
    """Enter a tournament or another event with all who take part; its games are entered as games."""
    by = who(request, slug, events.enter_event)
    return outcome(request, events.enter_event(by, events.event_of_fields(_event_fields(body))), preview)


@router.patch("/clubs/{slug}/events/{key}", response=ANSWERS)
def change_event(
    request: HttpRequest, slug: Slug, key: Path[bodies.EventKey], body: bodies.EventChange, preview: Preview
) -> Any:  # fmt: skip
    """Say anew what an event is; what is not sent stays."""
    return changed(request, slug, preview, events.change_event, key, _event_fields(body), body.reason)


@router.post("/clubs/{slug}/events/{key}/move", response=ANSWERS)
def move_event(
    request: HttpRequest, slug: Slug, key: Path[bodies.EventKey], body: bodies.EventMove, preview: Preview
) -> Any:  # fmt: skip
    """Let an event begin on another day; its last day and its games move as far."""
    return changed(request, slug, preview, events.move_event, key, body.date, body.reason, another=body.another)


@router.post("/clubs/{slug}/evenings/move", response=ANSWERS)
def move_evening(request: HttpRequest, slug: Slug, body: bodies.EveningMove, preview: Preview) -> Any:
    """Put all games of an evening on another day."""
    day = read_day("day", body.day)
    return changed(
        request, slug, preview, events.move_evening, body.event, day, body.date, body.reason, another=body.another
    )


@router.post("/clubs/{slug}/events/{key}/withdraw", response=ANSWERS)
def withdraw_event(
    request: HttpRequest, slug: Slug, key: Path[bodies.EventKey], body: bodies.Reason, preview: Preview
) -> Any:  # fmt: skip
    """Take an event out; its games stay."""
    return changed(request, slug, preview, events.withdraw_event, key, body.reason)


def _event_fields(body: bodies.EventIn | bodies.EventChange) -> dict[str, Any]:
    """Return what was sent of an event, as `Event.as_dict` has it."""
    fields = {name: value for name, value in _fields(body, "reason").items() if value is not None}
    if "event" in fields:
        fields["name"] = fields.pop("event")
    for row in fields.get("participants", ()):
        row["name"] = row.pop("player")
        row["rests"] = [[bye["round"], bye["kind"]] for bye in row.pop("byes", ())]
    if "pairings" in fields:
        fields["pairings"] = [
            [each["round"], each["black"], each["white"], each.get("handicap", 0)] for each in fields["pairings"]
        ]
    return fields


@router.post("/clubs/{slug}/sheets", response={**ANSWERS, 409: schemas.SheetFault})
def enter_sheet(request: HttpRequest, slug: Slug, body: bodies.SheetIn, preview: Preview) -> Any:
    """Enter the games of a record sheet, all or none; lines that are not ready are answered with what they ask: 409."""
    by = who(request, slug, sheets.enter_lines)
    sent = [line.dict(exclude={"another", "as_played"}, exclude_unset=True) for line in body.lines]
    lines = tuple({name: str(value) for name, value in line.items() if value not in {None, ""}} for line in sent)
    others, as_played = (
        frozenset(number for number, line in enumerate(body.lines, 1) if getattr(line, name))
        for name in ("another", "as_played")
    )
    people = {folded(name): key for name, key in body.people.items()}
    newcomers = {folded(name): rank for name, rank in body.newcomers.items()}
    sheet = Sheet(lines, body.date or "", body.kind, people, newcomers, others=others, as_played=as_played,
                  key=body.sheet or "", counts=body.counts)  # fmt: skip
    if sheet.key:
        sheets.sheet_with(state_of(by.club), sheet.key)
    done = outcome(request, sheets.enter_lines(by, sheet), preview)
    return replace(done, subject=sheet.key or ("" if done.preview else f"s{done.entries[-1]}"))


@router.post("/clubs/{slug}/sheets/{key}/check", response=ANSWERS)
def check_sheet(
    request: HttpRequest, slug: Slug, key: Path[bodies.SheetKey], body: bodies.Seen, preview: Preview
) -> Any:  # fmt: skip
    """Say that a sheet stands as on the paper, as the entry that the call names left it; not for who entered it."""
    return changed(request, slug, preview, sheets.check_sheet, key, body.entry)


@router.post("/clubs/{slug}/sheets/{key}/check/withdraw", response=ANSWERS)
def withdraw_check(
    request: HttpRequest, slug: Slug, key: Path[bodies.SheetKey], body: bodies.CheckWithdrawal, preview: Preview
) -> Any:  # fmt: skip
    """Take back the last check of a sheet; only for who made it."""
    return changed(request, slug, preview, sheets.withdraw_check, key, body.entry, body.reason)


@router.post("/clubs/{slug}/adjustments", response=ANSWERS)
def adjust(request: HttpRequest, slug: Slug, body: bodies.AdjustmentIn, preview: Preview) -> Any:
    """Set a rank or rating by hand."""
    by = who(request, slug, players.adjust_player)
    change = players.adjust_player(by, body.player, _fields(body, "player", "reason"), body.reason)
    day_of(body.date, "date")
    return outcome(request, change, preview)


@router.post("/clubs/{slug}/adjustments/{key}/withdraw", response=ANSWERS)
def withdraw_adjustment(
    request: HttpRequest, slug: Slug, key: Path[bodies.AdjustmentKey], body: bodies.Reason, preview: Preview
) -> Any:  # fmt: skip
    """Take an adjustment back."""
    return changed(request, slug, preview, players.withdraw_adjustment, key, body.reason)


@router.post("/clubs/{slug}/games", response=ANSWERS)
def record(request: HttpRequest, slug: Slug, body: bodies.GameIn, preview: Preview) -> Any:
    """Enter a game; players enter their own, a result keeper any.

    One that looks like another, or is seldom so, is asked about: 409.
    """
    by = who(request, slug, games.enter_game)
    day_of(body.date, "date")
    answers = {"another": body.another, "counts": body.counts, "as_played": body.as_played}
    change = games.enter_game(by, _fields(body, *answers), **answers)
    return outcome(request, change, preview)


@router.patch("/clubs/{slug}/games/{key}", response=ANSWERS)
def correct(request: HttpRequest, slug: Slug, key: GameKey, body: bodies.GameChange, preview: Preview) -> Any:
    """Say how a game really was; everything later follows."""
    by = who(request, slug, games.correct_game)
    fields = _fields(body, "reason", "another", "as_played")
    change = games.correct_game(by, key, fields, body.reason, another=body.another, as_played=body.as_played)
    day_of(fields.get("date"), "date")
    return outcome(request, change, preview)


@router.post("/clubs/{slug}/games/{key}/withdraw", response=ANSWERS)
def withdraw(request: HttpRequest, slug: Slug, key: GameKey, body: bodies.Reason, preview: Preview) -> Any:
    """Take a game out; it stays in the log. Players take out what they entered, as long as it does not count."""
    return changed(request, slug, preview, games.withdraw_game, key, body.reason)


@router.post("/clubs/{slug}/games/{key}/restore", response=ANSWERS)
def restore(request: HttpRequest, slug: Slug, key: GameKey, body: bodies.Restoring, preview: Preview) -> Any:
    """Bring a withdrawn game back."""
    return changed(request, slug, preview, games.restore_game, key, body.reason, another=body.another)


@router.post("/clubs/{slug}/games/{key}/confirm", response=ANSWERS)
def confirm(request: HttpRequest, slug: Slug, key: GameKey, body: bodies.Seen, preview: Preview) -> Any:
    """Confirm a game that the opponent entered, as the entry that the call names left it."""
    return changed(request, slug, preview, games.confirm_game, key, body.entry)


@router.post("/clubs/{slug}/games/{key}/dispute", response=ANSWERS)
def dispute(request: HttpRequest, slug: Slug, key: GameKey, body: bodies.Objection, preview: Preview) -> Any:
    """Object to a game that the opponent entered: it goes on waiting until it is corrected, withdrawn or confirmed."""
    return changed(request, slug, preview, games.dispute_game, key, body.entry, body.reason)


@router.post("/clubs/{slug}/rules", response=ANSWERS)
def set_rules(request: HttpRequest, slug: Slug, body: bodies.RulesIn, preview: Preview) -> Any:
    """Set the rules from a date on."""
    by = who(request, slug, office.set_rules)
    rules = checked(body.system, body.settings, day_of(body.since, "since"), body.confirmation)
    return outcome(request, office.set_rules(by, rules, body.reason), preview)


@router.post("/clubs/{slug}/zone", response=ANSWERS)
def set_zone(request: HttpRequest, slug: Slug, body: bodies.ZoneIn, preview: Preview) -> Any:
    """Set the zone in which the club's days begin."""
    return changed(request, slug, preview, office.set_zone, body.zone, body.reason)


@router.post("/clubs/{slug}/lists", response=ANSWERS)
def publish(request: HttpRequest, slug: Slug, body: bodies.ListIn, preview: Preview) -> Any:
    """Publish an official list."""
    by = who(request, slug, office.publish_list)
    return outcome(request, office.publish_list(by, day_of(body.as_of, "as_of"), body.label), preview)


@router.put("/clubs/{slug}/members/{account}", response={200: schemas.RoleGiven, **REFUSALS})
def set_role(
    request: HttpRequest, slug: Slug, account: Account,
    body: bodies.MemberIn,
) -> Any:  # fmt: skip
    """Give a member another role, or none; nobody becomes a member but by an invitation that they accept."""
    role = Role[body.role.upper()] if body.role else Role.VISITOR
    given = give_role(who(request, slug), account, role, body.player or "", sent(request))
    player = given.membership.player
    return {"account": account, "role": role.name.lower(), "player": player, "ended": given.ended}


@router.post("/clubs/{slug}/invitations", response={200: schemas.Invitation, **REFUSALS})
def invitation(request: HttpRequest, slug: Slug, body: bodies.InvitationIn) -> Any:
    """Make a link by which one person becomes a member, once."""
    secret = invite_member(who(request, slug), Role[body.role.upper()], body.player or "", sent(request))
    return {"path": reverse("join", args=[secret])}


@router.delete("/clubs/{slug}/invitations/{number}", response={200: schemas.OpenInvitation, **REFUSALS})
def take_invitation_back(request: HttpRequest, slug: Slug, number: Path[Annotated[int, Field(ge=1, le=10**15)]]) -> Any:
    """Take an invitation back that nobody has used yet; its link is dead."""
    return invitation_data(take_back(who(request, slug), number, sent(request)))


@router.get("/clubs/{slug}/ledger", response={200: Any, **REFUSALS}, openapi_extra=LINES)
def ledger(request: HttpRequest, slug: Slug) -> Any:
    """The whole ledger, one JSON object a line."""
    lines = office.export_ledger(who(request, slug))
    return StreamingHttpResponse(lines, content_type="application/x-ndjson")
