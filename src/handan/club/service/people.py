"""Members and visitors: what is kept of somebody, what visitors see, being forgotten, and who is a member."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handan.club.kinds import Kind
from handan.club.names import person_of
from handan.club.service.office import facts_of_club, set_club
from handan.club.store.access import Actor, NotAllowedError, account_key, person_key, set_shown
from handan.club.store.accounts import language_of
from handan.club.store.forgetting import Forgetting, forget, plan
from handan.club.store.idempotency import NOTHING, Sending, once
from handan.club.store.members import (
    MOST_INVITATIONS,
    RoleGiven,
    account_named,
    invite,
    invite_players,
    no_member,
    open_invitations,
    reaches_account,
    set_role,
)
from handan.club.store.models import (
    AccessToken,
    Attendance,
    Club,
    Entry,
    ForgetRequest,
    Invitation,
    Membership,
    Openness,
    Role,
    Scope,
    Shown,
    Submission,
    Subscription,
)
from handan.club.store.standings import standings_of
from handan.club.store.states import state_of

if TYPE_CHECKING:
    from handan.club.store.models import Invitations, Memberships, User

OWN = Role.PLAYER
"""Who may see and say what concerns them; with the player who they are."""
MEMBERS = Role.SECRETARY
"""Who looks after members and their accounts."""
FORGETTING = Role.SECRETARY
VISITORS = Role.ADMINISTRATOR
"""Who says what visitors see of the club."""
FORMAT = 1
"""Of all that is kept of a person, as a file."""


def own_player(by: Actor, key: str) -> str:
    """Return the key of a player who somebody is, or whose secretary they are; NotAllowedError for others."""
    by.need(OWN)
    state = state_of(by.club)
    final = person_of(state, key).key
    if person_key(state, by.player) != final and not by.may(Role.SECRETARY):
        raise NotAllowedError("this is for the player concerned, and for secretaries")
    return final


def kept_of(by: Actor, key: str) -> dict[str, Any]:
    """Return all that is kept of a player, for themselves and for secretaries."""
    return own_data(by.club, own_player(by, key), by)


def own_data(club: Club, key: str, by: Actor | None = None) -> dict[str, Any]:
    """Return all that is kept of a player: names, games, history, entries, account, tokens, invitations, objections.

    Of an account that may do something in clubs that `by` has no say in, only its name and role here.
    """
    state = state_of(club)
    person = state.person(key)
    people = state.names_of(person.key)
    members = list(Membership.objects.filter(club=club, player__in=people).select_related("user"))
    users = [item.user for item in members]
    games = [f"g{line}" for line in state.recorded.of(people)["line"]]
    accounts = [account_key(user) for user in users]
    entries = Entry.objects.filter(club=club)
    entries = entries.filter(subject__in=[*people, *games]) | entries.filter(account__in=accounts)
    records = [entry.record for entry in entries.order_by("number")]
    shown = Shown.objects.filter(club=club, player__in=people).first()
    invited = Invitation.objects.filter(club=club, player__in=people)
    return {
        "handan": "person",
        "format": FORMAT,
        "club": {"slug": club.slug, "name": club.name},
        "player": person.as_dict() | {"key": person.key},
        "spellings": [state.people[other].as_dict() | {"key": other} for other in people if other != person.key],
        "shown_to_visitors": "by name" if shown is None else shown.name or "not at all",
        "games": [record.as_dict() for record in records if record.kind is Kind.GAME_RECORDED],
        "history": [line.explanation.as_dict() for line in standings_of(state).lines(person.key)],
        "entries": [record.as_dict() for record in records],
        "events": [
            {"event": event.key, "name": event.name, **row}
            for event in state.events.of(people)
            for row in event.facts.get("participants", ())
            if row["player"] in people
        ],
        "objections": [
            {"game": record.subject, "reason": record.reason, "entered": record.entered.isoformat()}
            for record in records
            if record.kind is Kind.GAME_DISPUTED
        ],
        "accounts": [_account(item, by) for item in members],
        "invitations": [
            {"role": Role(item.role).label, "created": item.created.isoformat(), "expires": item.expires.isoformat()}
            for item in invited
        ],
        "evenings": [
            {"day": str(row.day), "arrived": row.arrived.isoformat(), "left": row.left and row.left.isoformat()}
            for row in Attendance.objects.filter(club=club, player__in=people).order_by("day")
        ],
        "submissions": [
            {name: getattr(row, name) for name in ("file", "title", "note", "word")}
            | {"sent": row.sent.isoformat(), "decision": row.get_decision_display()}
            for row in Submission.objects.filter(club=club, sender__in=users).defer("data").order_by("pk")
        ],
        "register": [
            {
                "guest": row.is_guest,
                "left": str(row.left or ""),
                "paid_until": str(row.paid_until or ""),
                "born": row.born,
            }
            for row in Subscription.objects.filter(club=club, player__in=people)
        ],
        "asks_to_be_forgotten": ForgetRequest.objects.filter(club=club, player__in=people).exists(),
    }


def _account(item: Membership, by: Actor | None) -> dict[str, Any]:
    user = item.user
    if by is not None and by.user != user and not reaches_account(by, user):
        return {"name": user.get_username(), "role": Role(item.role).label}
    tokens = AccessToken.objects.filter(user=user).order_by("created")
    return {
        "name": user.get_username(),
        "email": user.email,
        "language": language_of(user),
        "joined": user.date_joined.isoformat(),
        "last_sign_in": user.last_login and user.last_login.isoformat(),
        "role": Role(item.role).label,
        "sessions": [row.last_used.isoformat() for row in user.sign_ins.order_by("pk")],
        "tokens": [{"name": token.name, "scope": Scope(token.scope).label, "created": token.created.isoformat()}
                   for token in tokens],
    }  # fmt: skip


def show_to_visitors(by: Actor, key: str, name: str | None, sending: Sending = NOTHING) -> str:
    """Show a player to visitors under another name, not at all (empty), or by name again (None); return the key."""
    final = own_player(by, key)

    def show() -> dict[str, Any]:
        set_shown(by.club, final, name)
        return {}

    once(by.club, by.user, sending, show)
    return final


def request_forgetting(by: Actor, key: str, sending: Sending = NOTHING) -> dict[str, Any]:
    """Ask a secretary to forget a player; return the player's key and when it was asked first."""
    final = own_player(by, key)

    def request_it() -> dict[str, Any]:
        request, _ = ForgetRequest.objects.get_or_create(club=by.club, player=final)
        return {"player": final, "requested": request.requested.isoformat()}

    return once(by.club, by.user, sending, request_it)


def forgetting_plan(by: Actor, key: str) -> Forgetting:
    """Return what would go and what would stay if a player were forgotten."""
    by.need(FORGETTING)
    return plan(by.club, person_of(state_of(by.club), key).key)


def forget_player(by: Actor, key: str, sending: Sending = NOTHING) -> dict[str, Any]:
    """Forget a player for good; return what went and what stays, as `forgetting_counts` does."""
    by.need(FORGETTING)
    final = person_of(state_of(by.club), key).key
    return once(by.club, by.user, sending, lambda: forgetting_counts(forget(by.club, final, author=by.name, by=by)))


def forgetting_counts(done: Forgetting) -> dict[str, Any]:
    """Return what goes and what stays of a forgotten player as plain data."""
    counts = {"accounts": len(done.accounts), "games": done.games, "entries": done.texts}
    return {"players": list(done.people), **counts, "left": list(done.left)}


def open_to_visitors(by: Actor, openness: Openness, *, log: bool | None = None, sending: Sending = NOTHING) -> None:
    """Open a club to visitors, show them the ladder only, or close it; and its log, unless that is None."""
    by.need(VISITORS)
    wishes = {"openness": int(openness)} | ({} if log is None else {"open_log": log})
    if any(facts_of_club(by.club)[name] != value for name, value in wishes.items()):
        set_club(by, wishes).write(sending)


def memberships(by: Actor) -> Memberships:
    """Return the members of a club with their accounts, the highest role first; for secretaries."""
    by.need(MEMBERS)
    return Membership.objects.filter(club=by.club).select_related("user").order_by("-role", "user__username")


def invitations(by: Actor) -> Invitations:
    """Return the invitations that can still be used, latest first; for secretaries."""
    by.need(MEMBERS)
    return open_invitations(by.club)


def account_of(by: Actor, name: str) -> User:
    """Return the account of a member by name; NotInClubError for anybody else. For secretaries."""
    by.need(MEMBERS)
    user = account_named(name)
    if user is None or not Membership.objects.filter(club=by.club, user=user).exists():
        raise no_member(by, name)
    return user


def give_role(by: Actor, account: str, role: Role, player: str = "", sending: Sending = NOTHING) -> RoleGiven:
    """Give a member another role, that of a visitor to end the membership, and say which player, by key, they are."""
    by.need(MEMBERS)
    user = account_named(account)
    if user is None:
        raise no_member(by, account)
    return set_role(by, user, role, _final_key(by, player), sending)


def invite_member(by: Actor, role: Role, player: str = "", sending: Sending = NOTHING) -> str:
    """Return the secret of a link by which one person becomes a member with a role, as a player given by key."""
    by.need(MEMBERS)
    return invite(by, role, _final_key(by, player), sending)


def invite_everybody(by: Actor, sending: Sending = NOTHING) -> dict[str, str]:
    """Return the secrets of links for all players without an account by their keys, in the order of names."""
    by.need(MEMBERS)
    state = state_of(by.club)
    there = {state.final(item.player) for item in memberships(by) if item.player in state.people}
    people = [key for key in state.keys_by_name if key not in there]
    return invite_players(by, people[:MOST_INVITATIONS], sending)


def _final_key(by: Actor, player: str) -> str:
    return person_of(state_of(by.club), player).key if player else ""
