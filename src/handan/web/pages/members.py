"""The members of a club, their roles, and links that invite new ones."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _

from handan.club.names import NotInClubError
from handan.club.service.people import (
    MEMBERS,
    account_of,
    give_role,
    invitations,
    invite_everybody,
    invite_member,
    memberships,
)
from handan.club.store.accounts import link_for_member
from handan.club.store.idempotency import Sending
from handan.club.store.members import LASTS, take_back
from handan.club.store.models import PasswordLink, Role
from handan.errors import InputError
from handan.paper.qr import qr
from handan.web.pages.accounts import say_ended
from handan.web.pages.here import Here, page, whole_number
from handan.web.pages.refusals import refusal
from handan.web.pages.wording import word


@page(MEMBERS, form=True)
def members(here: Here) -> HttpResponse:
    """The members, their roles, and links that invite new ones."""
    if here.request.method == "POST":
        sending = here.sending(here.request.POST.get("token")).within()
        if name := here.request.POST.get("forgot"):
            return _members(here, new_password=link_for_member(here.actor, account_of(here.actor, name), sending))
        if number := whole_number(here.request.POST.get("take-back", "")):
            try:
                took = take_back(here.actor, number, sending)
            except NotInClubError as error:  # the page is there, what was chosen on it is gone
                raise InputError(str(error)) from None
            messages.success(
                here.request, _("The invitation is taken back: {role}.").format(role=word(Role(took.role).label))
            )
            return redirect("members", slug=here.club.slug)
        if "everybody" in here.request.POST:
            return _invitations(here, sending)
        role = _role(here.request.POST.get("role", ""))
        player = here.request.POST.get("player", "").strip()
        try:
            key = here.player_meant(player, "player") if player else ""
        except InputError as error:
            return _members(here, refused={"chosen": role, "typed": player, "refused": refusal(error)})
        if name := here.request.POST.get("account"):
            given = give_role(here.actor, name, role, key, sending)
            messages.success(here.request, _(": ").join((name, word(role.label))))
            say_ended(here.request, given.ended)
            return redirect("members", slug=here.club.slug)
        secret = invite_member(here.actor, role, key, sending)
        return _members(here, link=here.request.build_absolute_uri(reverse("join", args=[secret])))
    return _members(here)


def _invitations(here: Here, sending: Sending) -> HttpResponse:
    """Show a card with a link and its code for each player without an account; it is not shown again."""
    made = invite_everybody(here.actor, sending=sending)
    cards = []
    for key, secret in made.items():
        link = here.request.build_absolute_uri(reverse("join", args=[secret]))
        cards.append({"name": here.state.labels[key], "link": link, "code": mark_safe(qr(link))})  # noqa: S308  # a drawing of our own
    return render(here.request, "handan/invitations.html", {"cards": cards, "until": timezone.now() + LASTS})


def _members(
    here: Here,
    link: str = "",
    new_password: tuple[str, PasswordLink] | None = None,
    refused: Mapping[str, Any] | None = None,
) -> HttpResponse:
    """Show the members, and a link that was just made, or a form that was refused with what it sent."""
    account = here.request.POST.get("account", "") if refused else None
    rows = []
    for item in memberships(here.actor):
        player, role = here.shown_name(here.state.labels.get(item.player, "")), Role(item.role)
        row = {"user": item.user, "role": role, "player": player, "key": item.player, "typed": player}
        again = refused if refused and account == item.user.get_username() else {}
        mine = item.role <= here.actor.role
        renewed = mine and here.actor.may(Role.ADMINISTRATOR) and item.user != here.actor.user
        rows.append({**row, "mine": mine, "renewed": renewed, "chosen": role, **again})
    invited = [
        {
            "made": item,
            "role": Role(item.role),
            "player": here.shown_name(here.state.labels.get(item.player, item.player)),
        }
        for item in invitations(here.actor)
    ]
    roles = [role for role in Role if Role.PLAYER <= role <= here.actor.role]
    context = {"rows": rows, "invitations": invited, "roles": roles, "link": link}
    context |= {"token": secrets.token_urlsafe(16), "invited": refused if account == "" else None}
    if new_password:
        password_secret, made = new_password
        context["reset"] = {"link": here.request.build_absolute_uri(reverse("new-password", args=[password_secret])),
                            "made": made}  # fmt: skip
    return render(here.request, "handan/members.html", context, status=HTTPStatus.BAD_REQUEST if refused else None)


def _role(text: str) -> Role:
    try:
        return Role(int(text))
    except ValueError:
        raise InputError(f"{text!r} is not a role") from None
