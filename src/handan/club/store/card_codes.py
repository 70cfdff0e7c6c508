"""Cards that open by the code on them, to look at only: whoever holds the paper card of a member sees that card."""

from __future__ import annotations

import secrets
from collections.abc import Callable

from django.core.signing import Signer
from django.utils.crypto import constant_time_compare

from handan.club.names import person_of
from handan.club.store.members import Actor
from handan.club.store.models import CardKey, Club, Role
from handan.club.store.states import state_of


def open_cards_by_code(by: Actor, *, on: bool) -> None:
    """Let cards open by their codes, or no longer: then all codes end, and later ones are others."""
    by.need(Role.ADMINISTRATOR)
    if on:
        CardKey.objects.get_or_create(club=by.club, defaults={"secret": secrets.token_urlsafe(32)})
    else:
        CardKey.objects.filter(club=by.club).delete()


def renew_code(by: Actor, key: str) -> None:
    """End the code of one player's card, as after a card was lost."""
    by.need(Role.PLAYER)
    row = CardKey.objects.filter(club=by.club).first()
    if row is not None:
        key = person_of(state_of(by.club), key).key
        row.editions = {**row.editions, key: row.editions.get(key, 0) + 1}
        row.save(update_fields=["editions"])


def card_codes(club: Club) -> Callable[[str], str] | None:
    """Return the function from a player's key to the code of the card, None where cards do not open by codes."""
    row = CardKey.objects.filter(club=club).first()
    if row is None:
        return None
    signer = Signer(key=row.secret, salt=f"card {club.pk}")
    return lambda key: signer.signature(f"{key} {row.editions.get(key, 0)}")


def opens(club: Club, key: str, code: str) -> bool:
    """Return whether a code is that of a player's card."""
    codes = card_codes(club)
    return codes is not None and constant_time_compare(codes(key), code)
