"""Accounts: their sessions, a forgotten password, and what a new one ends."""

from __future__ import annotations

import secrets
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from handan.club.store.access import Actor, NotAllowedError
from handan.club.store.database import without_waiting
from handan.club.store.idempotency import NOTHING, Sending, secret_once
from handan.club.store.members import digest, end_links_of, may_renew, no_member, reaches_account
from handan.club.store.models import AccessToken, Membership, PasswordLink, Preference, ResetRequest, Role, SignIn
from handan.club.store.writing import RateLimitError
from handan.errors import Clause, InputError

if TYPE_CHECKING:
    from django.contrib.auth.models import User

LASTS = timedelta(days=2)  # our choice: how long a link to a new password can be used
AN_HOUR = timedelta(hours=1)
REQUESTS_AN_HOUR = 10  # our choice: of one address that asks for such links by mail
MAILS_AN_HOUR = 3  # our choice: to one account


def password_link(user: User, by: User | None = None, secret: str = "") -> tuple[str, PasswordLink]:
    """Return the secret of a link by which an account gets a new password, which cannot be read again, and its row."""
    secret = secret or secrets.token_urlsafe(24)
    made = PasswordLink.objects.create(user=user, by=by, secret=digest(secret), expires=timezone.now() + LASTS)
    return secret, made


def language_of(user: User) -> str:
    """Return the language that the owner of an account has chosen, empty for none."""
    row = Preference.objects.filter(user=user).first()
    return row.language if row else ""


def set_language(user: User, language: str) -> None:
    """Keep the language that the owner of an account has chosen, of pages and mails."""
    Preference.objects.update_or_create(user=user, defaults={"language": language})


def link_for_member(by: Actor, user: User, sending: Sending = NOTHING) -> tuple[str, PasswordLink]:
    """Return a link to a new password that an administrator hands to a member; see `may_renew`.

    What is sent again returns the same link.
    """
    by.need(Role.ADMINISTRATOR)
    if not Membership.objects.filter(user=user, club=by.club).exists():
        raise no_member(by, user.get_username())
    if user == by.user:
        raise InputError("your own password is changed on the page of your account")
    if not reaches_account(by, user):
        pattern = "{name} may do more than you, here or in another club; who stands above both makes the link"
        raise NotAllowedError(Clause.of(pattern, name=user.get_username()))
    secret = secret_once(by.club, by.user, sending, lambda secret: password_link(user, by.user, secret))
    return secret, PasswordLink.objects.get(secret=digest(secret))


def open_link(secret: str) -> PasswordLink | None:
    """Return a link to a new password that can be used and whose giver may give it still, None for any other text."""
    now = timezone.now()
    usable = PasswordLink.objects.filter(secret=digest(secret), used=None, expires__gt=now, user__is_active=True)
    link = usable.select_related("user", "by").first()
    return link if link is not None and (link.by is None or may_renew(link.by, link.user)) else None


def set_password(user: User, password: str, link: PasswordLink | None = None, keep: int | None = None) -> int:
    """Give an account a new password; its tokens, the open links to it and its sessions but `keep` end.

    So do all links that it handed on, since somebody else may have made them; return how many of these.
    InputError if the link was used or ended meanwhile.
    """
    with transaction.atomic():
        if link is not None:
            usable = PasswordLink.objects.filter(pk=link.pk, used=None, expires__gt=timezone.now())
            if (link.by is not None and not may_renew(link.by, user)) or not usable.update(used=timezone.now()):
                raise InputError("this link was used already")
        user.set_password(password)
        user.save(update_fields=["password"])
        AccessToken.objects.filter(user=user).delete()
        end_sign_ins(user, keep)
        PasswordLink.objects.filter(user=user, used=None).update(expires=timezone.now())
        return end_links_of(user, every=True)


def set_address(user: User, email: str) -> None:
    """Give an account another address for mail, empty for none; links that were mailed to the old one end."""
    with transaction.atomic():
        user.email = email
        user.save(update_fields=["email"])
        PasswordLink.objects.filter(user=user, used=None, by=None).update(expires=timezone.now())


def count_request(address: str) -> None:
    """Count that an address asks for a link by mail; RateLimitError if it asked too often within an hour."""
    now = timezone.now()
    ResetRequest.objects.filter(requested__lt=now - AN_HOUR).delete()
    if ResetRequest.objects.filter(address=address, requested__lte=now).count() >= REQUESTS_AN_HOUR:
        raise RateLimitError(
            "too many links were asked for from this address; wait an hour, or ask the club's administrator"
        )
    ResetRequest.objects.create(address=address)


def may_be_mailed(user: User) -> bool:
    """Whether an account has had fewer mails with links within an hour than it may."""
    now = timezone.now()
    hour = (now - AN_HOUR, now)  # not later, as when clocks were ahead
    return PasswordLink.objects.filter(user=user, by=None, created__range=hour).count() < MAILS_AN_HOUR


def new_sign_in(user: User) -> int:
    """Return the number of a session that begins; those that nobody can use any longer are forgotten."""
    oldest = timezone.now() - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    SignIn.objects.filter(user=user, last_used__lt=oldest).delete()
    return SignIn.objects.create(user=user).pk


def still_signed_in(user: User, number: int | None) -> bool:
    """Whether a session has not been ended; that it is used is noted once a minute."""
    row = SignIn.objects.filter(user=user, pk=number or 0).first()
    if row is None:
        return False
    now = timezone.now()
    if now - row.last_used > timedelta(minutes=1):
        with suppress(DatabaseError), without_waiting():  # who only looks is stopped by no lock and no full disk
            SignIn.objects.filter(pk=row.pk).update(last_used=now)
    return True


def sign_ins(user: User) -> QuerySet[SignIn]:
    """Return the sessions of an account, last used first."""
    return SignIn.objects.filter(user=user).order_by("-last_used", "-pk")


def end_sign_ins(user: User, keep: int | None = None) -> int:
    """End the sessions of an account but one; return how many ended."""
    return SignIn.objects.filter(user=user).exclude(pk=keep or 0).delete()[0]
