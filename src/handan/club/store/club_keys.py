"""The key pair that this server keeps for a club: made with it, used for lists and exports, renewed by an entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from handan.club.entries import Draft
from handan.club.keys import Purpose, fingerprint, new_private_key, public_key_of, signed
from handan.club.lists import signed_list
from handan.club.state import State
from handan.club.store.models import Club, ClubKey
from handan.errors import InputError


def make_key(club: Club) -> ClubKey:
    """Make the first key pair of a club."""
    private = new_private_key()
    return ClubKey.objects.create(club=club, public=public_key_of(private), private=private)


def key_of(club: Club, state: State) -> ClubKey:
    """Return the key pair that signs for a club, made now if it never had one.

    InputError if its ledger names a key that this server does not have, as that of an imported ledger.
    """
    own = ClubKey.objects.filter(club=club).first()
    if own is None and not state.key:
        return make_key(club)
    if own is None or (state.key and own.public != state.key):
        raise InputError(
            f"the lists of {club.name} are signed by key {fingerprint(state.key)}, which this server does not have; "
            f"`handan club key {club.slug} --take FILE` brings it, `--new` sets another"
        )
    return own


def with_signed_list(club: Club, state: State, draft: Draft) -> Draft:
    """Return the draft of an official list with the list signed by the club."""
    content = signed_list(key_of(club, state).private, draft.facts["content"])
    return replace(draft, facts={**draft.facts, "content": content})


def signed_head(club: Club, head: Mapping[str, Any]) -> dict[str, Any]:
    """Return the first line of an export, signed if this server has the club's key."""
    own = ClubKey.objects.filter(club=club).first()
    return signed(own.private, Purpose.HEAD, head) if own else dict(head)


def take_key(club: Club, state: State, private: str) -> ClubKey:
    """Keep the private key that a club has on another server; InputError unless its ledger names it."""
    public = public_key_of(private)
    if public != state.key:
        names = f"its ledger names {fingerprint(state.key)}" if state.key else "its ledger names none yet"
        raise InputError(f"this is key {fingerprint(public)} of another ledger than that of {club.name}; {names}")
    own, _ = ClubKey.objects.update_or_create(club=club, defaults={"public": public, "private": private})
    return own


def refuse_other_key(club: Club, state: State, alias: str) -> None:
    """Refuse a ledger whose lists are signed by another key than the one that this database keeps for the club."""
    own = ClubKey.objects.using(alias).filter(club=club.pk).first()
    if own is None:
        return
    if public_key_of(own.private) != own.public:
        raise InputError(f"the public key of {club.name} does not belong to its private one")
    if state.key and own.public != state.key:
        raise InputError(
            f"the lists of {club.name} are signed by key {fingerprint(state.key)}; the club's own key is "
            f"{fingerprint(own.public)}"
        )
