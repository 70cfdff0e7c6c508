"""What is sent twice is carried out once: tokens of forms and calls, and secrets that a repetition answers again."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.crypto import salted_hmac

from handan.club.changes.texts import checked_text
from handan.club.entries import LONGEST, canonical
from handan.club.store.access import account_key
from handan.club.store.models import Club, Entry, IdempotencyKey
from handan.errors import InputError

if TYPE_CHECKING:
    from django.contrib.auth.models import User


LONGEST_TOKEN = LONGEST["token"]  # characters, as the tables have it; SQLite itself does not look


class RepeatedError(InputError):
    """A token that was used comes again with something else, or from somebody else; nothing is written."""


@dataclass(frozen=True, slots=True)
class Sending:
    """What a form or call sent: the mark by which a repetition is known, and a digest of all that it said."""

    token: str = ""
    """Of the sender's choice, at most 64 characters; empty: none, each sending is carried out."""
    content: str = ""
    """SHA-256 in hexadecimal digits; empty: what is repeated is not compared."""

    @classmethod
    def of(cls, token: str | None, data: Any) -> Sending:
        """Return a sending from its token and its content as plain data; FieldError for a token that is none."""
        return cls(checked_text(token, "token", LONGEST_TOKEN), sha256(canonical(data)).hexdigest())

    def with_secret(self, text: str) -> Sending:
        """Return the sending with a text that is not to be guessed from its digest."""
        return Sending(self.token, derived_secret("content", f"{self.content} {text}")) if self.content else self

    def within(self) -> Sending:
        """Return the sending with a token for it alone among several forms of one page, which share a token."""
        mark = sha256(f"{self.token} {self.content}".encode()).hexdigest() if self.token else ""
        return Sending(mark, self.content)


NOTHING = Sending()


def used_key(club: Club, user: User | None, sending: Sending) -> IdempotencyKey | None:
    """Return what is kept of a token that was used in a club already, None for a new one.

    To be asked while nobody else can write to the club. RepeatedError if the token came from another account, or with
    other content.
    """
    if not sending.token:
        return None
    kept = IdempotencyKey.objects.filter(club=club, token=sending.token).first() or _of_an_entry(club, sending.token)
    if kept is None:
        return None
    if kept.account != account_key(user):
        raise RepeatedError("this token was used by another account; take one of your own")
    if kept.content and sending.content and kept.content != sending.content:
        raise RepeatedError("this was sent already, and said something else; send what is new with a new token")
    return kept


def _of_an_entry(club: Club, token: str) -> IdempotencyKey | None:
    """Return what an entry says of its token, if only that is kept, as in a ledger that was imported."""
    entry = Entry.objects.filter(club=club, token=token).first()
    if entry is None:
        return None
    return IdempotencyKey(club=club, token=token, account=entry.account or account_key(entry.user))


def keep(club: Club, user: User | None, sending: Sending, answer: str = "") -> IdempotencyKey | None:
    """Record that a sending was carried out, in the transaction that carries it out."""
    if not sending.token:
        return None
    return IdempotencyKey.objects.create(
        club=club, token=sending.token, account=account_key(user), content=sending.content, answer=answer
    )


def once(club: Club, user: User | None, sending: Sending, act: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Carry out an act once, and answer a repetition as the first time; the answer holds no secret and no name."""
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        if kept := used_key(club, user, sending):
            return dict(json.loads(kept.answer))
        answer = act()
        keep(club, user, sending, json.dumps(answer))
        return answer


def secret_once(club: Club, user: User | None, sending: Sending, act: Callable[[str], object]) -> str:
    """Return the secret with which an act was carried out, once; a repetition has that of the first time.

    It is random, or made of the token and a random text that is kept beside it, by the server's key.
    """
    with transaction.atomic():
        Club.objects.select_for_update().get(pk=club.pk)
        used = used_key(club, user, sending)
        kept = used or keep(club, user, sending, secrets.token_urlsafe(16))
        secret = secrets.token_urlsafe(24)
        if kept is not None:
            secret = derived_secret("link", f"{kept.club_id} {kept.token} {kept.answer}")
        if used is None:
            act(secret)
    return secret


def derived_secret(purpose: str, text: str) -> str:
    """Return the secret that the server's key makes of a text, always the same."""
    return urlsafe_b64encode(salted_hmac(f"handan {purpose}", text, algorithm="sha256").digest()[:24]).decode()
