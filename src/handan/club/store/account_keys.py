"""Keys of accounts, by which entries say who wrote them: the same in every copy of a ledger."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from datetime import UTC, datetime
from hashlib import sha256
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model

from handan.club.entries import Record
from handan.club.store.models import Entry
from handan.errors import InputError

if TYPE_CHECKING:
    from django.contrib.auth.models import User


DIGITS = 32  # our choice: of SHA-256, enough that no two accounts anywhere share a key


def account_key(user: User | None) -> str:
    """Return the key of an account: the same after a change of name and in every copy; empty for none."""
    return "" if user is None else _key(user.pk, user.date_joined)


def users_by_key(alias: str = "default") -> dict[str, int]:
    """Return the accounts of a database by their keys."""
    users = get_user_model().objects.using(alias).values_list("pk", "date_joined")
    return {_key(number, joined): number for number, joined in users}


def attributed(entries: Iterable[Entry], alias: str = "default") -> Generator[Record, None, None]:
    """Pass on the records of entries; InputError for one that another account than its own is linked to.

    Entries of digest format 1 do not say which account is theirs. The account may be gone, or of another server.
    """
    users = users_by_key(alias)
    for entry in entries:
        if entry.format > 1 and entry.user_id != users.get(entry.account):
            link = "no account" if entry.user_id is None else "another account"
            raise InputError(f"entry {entry.number} was changed after it was written: {link} is linked to it")
        yield entry.record


def _key(number: int, joined: datetime) -> str:
    text = f"{number} {joined.astimezone(UTC).isoformat(timespec='microseconds')}"
    return sha256(text.encode()).hexdigest()[:DIGITS]
