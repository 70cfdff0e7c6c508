"""Members and visitors: what is kept of somebody, what visitors see, being forgotten, and who is a member."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from handan.club.names import person_of
from handan.club.service.office import facts_of_club, set_club
from handan.club.store.access import Actor, NotAllowedError, person_key, set_shown
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
    set_role,
)
from handan.club.store.models import ForgetRequest, Membership, Openness, Role
from handan.club.store.own_data import own_data
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
