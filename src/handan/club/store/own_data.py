"""All that is kept of one person in a club, as plain data that the person can take away."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from handan.club.kinds import Kind
from handan.club.store.access import Actor, account_key
from handan.club.store.accounts import language_of
from handan.club.store.members import reaches_account
from handan.club.store.models import (
    AccessToken,
    Attendance,
    Club,
    Entry,
    ForgetRequest,
    Invitation,
    Membership,
    Role,
    Scope,
    Shown,
    Submission,
    Subscription,
)
from handan.club.store.standings import standings_of
from handan.club.store.states import state_of

FORMAT = 1


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
    entries = Entry.objects.filter(Q(subject__in=[*people, *games]) | Q(account__in=accounts), club=club)
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
