"""Ed25519 signatures (RFC 8032) of a club, and which of its keys signs from which entry of its ledger on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from handan.club.entries import GENESIS, Draft, Record, canonical, without_names
from handan.club.kinds import Kind
from handan.club.state import State
from handan.errors import Clause, InputError, shown

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ed25519


KEY_DIGITS, SIGNATURE_DIGITS = 64, 128
"""Hexadecimal digits of a key, public or private, and of a signature."""
FINGERPRINT_DIGITS = 32  # our choice: 128 bits, out of reach of a search for a second key


class Purpose(StrEnum):
    """What a signature is for, so that none is taken for another."""

    LIST = "list"
    HEAD = "head"
    KEY = "key"


def new_private_key() -> str:
    """Return a new private key as hexadecimal digits."""
    key: ed25519.Ed25519PrivateKey = _ed25519().Ed25519PrivateKey.generate()
    return key.private_bytes_raw().hex()


def public_key_of(private: str) -> str:
    """Return the public key of a private one; InputError for what is none."""
    return _private(private).public_key().public_bytes_raw().hex()


def fingerprint(public: str) -> str:
    """Return the short form of a public key that people compare: the start of its SHA-256."""
    return hashlib.sha256(_bytes(public, KEY_DIGITS, "public key")).hexdigest()[:FINGERPRINT_DIGITS]


def sign(private: str, purpose: Purpose, data: Mapping[str, Any]) -> str:
    """Return the signature over the canonical bytes of data, as hexadecimal digits."""
    return _private(private).sign(_message(purpose, data)).hex()


def check_signature(public: str, signature: str, purpose: Purpose, data: Mapping[str, Any]) -> None:
    """Refuse data that the key has not signed."""
    key: ed25519.Ed25519PublicKey = _ed25519().Ed25519PublicKey.from_public_bytes(
        _bytes(public, KEY_DIGITS, "public key")
    )
    from cryptography.exceptions import InvalidSignature

    try:
        key.verify(_bytes(signature, SIGNATURE_DIGITS, "signature"), _message(purpose, data))
    except InvalidSignature:
        pattern = "the signature does not fit: key {key} has not signed this"
        raise InputError(Clause.of(pattern, key=fingerprint(public))) from None


def signed(private: str, purpose: Purpose, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return data with the public key and, over both, the signature."""
    whole = {**data, "key": public_key_of(private)}
    return {**whole, "signature": sign(private, purpose, whole)}


def signer_of(purpose: Purpose, data: Mapping[str, Any]) -> str:
    """Return the public key that signed data, empty for data without a signature; InputError if it does not fit."""
    if "key" not in data and "signature" not in data:
        return ""
    public, signature = data.get("key"), data.get("signature")
    if not isinstance(public, str) or not isinstance(signature, str):
        raise InputError("of key and signature one is missing")
    check_signature(public, signature, purpose, {name: value for name, value in data.items() if name != "signature"})
    return public


def _message(purpose: Purpose, data: Mapping[str, Any]) -> bytes:
    return f"handan {purpose}\n".encode() + canonical(data)


def _private(text: str) -> ed25519.Ed25519PrivateKey:
    key: ed25519.Ed25519PrivateKey = _ed25519().Ed25519PrivateKey.from_private_bytes(
        _bytes(text, KEY_DIGITS, "private key")
    )
    return key


def _bytes(text: str, digits: int, what: str) -> bytes:
    """Return the bytes of hexadecimal digits in their one spelling; what is wrong with a private key is not shown."""
    if len(text) != digits or not set(text) <= set("0123456789abcdef"):
        value = "this" if what == "private key" else shown(text)
        raise InputError(f"{value} is no {what} of {digits} hexadecimal digits")
    return bytes.fromhex(text)


def _ed25519() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise InputError("signatures need more parts: pip install 'handan[server]'") from None
    return ed25519


@dataclass(frozen=True, slots=True)
class KeyPeriod:
    """A key that signs the lists of a club from an entry on."""

    entry: int
    public: str
    vouched: bool
    """Whether the key before signed it; true for the first of a ledger."""


def set_key(state: State, private: str, previous: str = "", reason: str = "") -> Draft:
    """Return the entry that gives a club another key.

    Args:
        state: The club's state, behind which the entry follows at once.
        private: The new private key; only its public one gets into the entry.
        previous: The private key that holds until then; empty if it is lost, so that nobody vouches for the new one.
        reason: Why.
    """
    statement = {"key": public_key_of(private), "before": state.key, "after": state.digest}
    if previous and public_key_of(previous) != state.key:
        raise InputError("the key that should sign the new one is not the one that the ledger names")
    vouching = sign(previous, Purpose.KEY, {"club": state.slug, **statement}) if previous else ""
    return Draft(Kind.KEY_SET, {**statement, "signature": vouching}, reason=reason)


def key_history(slug: str, records: Iterable[Record]) -> list[KeyPeriod]:
    """Return the keys of a ledger in order; InputError names the first list or key that is signed wrongly."""
    periods: list[KeyPeriod] = []
    digest = GENESIS
    for record in records:
        public = periods[-1].public if periods else ""
        if record.kind is Kind.KEY_SET:
            periods.append(_next_key(slug, record, public, digest))
        elif record.kind is Kind.LIST_PUBLISHED:
            signer = _signer(slug, record, public)
            if signer and not public:
                periods.append(KeyPeriod(record.number, signer, vouched=True))
        digest = record.digest
    return periods


def key_at(periods: Sequence[KeyPeriod], entry: int) -> str:
    """Return the key that holds for an entry; empty before the first."""
    return next((period.public for period in reversed(periods) if period.entry <= entry), "")


def leads_to(periods: Sequence[KeyPeriod], expected: str, signer: str) -> bool:
    """Return whether one key (or its fingerprint) is another one, or vouches for it, directly or through others."""
    if expected in {signer, fingerprint(signer)}:
        return True
    reached = False
    for period in periods:
        reached = expected in {period.public, fingerprint(period.public)} or (reached and period.vouched)
        if reached and period.public == signer:
            return True
    return False


def _next_key(slug: str, record: Record, public: str, digest: str) -> KeyPeriod:
    facts = {name: record.facts.get(name) for name in ("key", "before", "after", "signature")}
    if not all(isinstance(value, str) for value in facts.values()):
        raise InputError(f"entry {record.number} of {slug} sets no key")
    vouching = str(facts.pop("signature"))
    if facts["before"] != public or facts["after"] != digest:
        raise InputError(f"entry {record.number} of {slug} sets a key that does not follow the one before it")
    fingerprint(str(facts["key"]))  # InputError for what is no key
    if vouching:
        try:
            check_signature(public, vouching, Purpose.KEY, {"club": slug, **facts})
        except InputError as error:
            raise InputError(f"entry {record.number} of {slug} sets a key: {error}") from None
    return KeyPeriod(record.number, str(facts["key"]), vouched=bool(vouching) or not public)


def _signer(slug: str, record: Record, public: str) -> str:
    """Return the key that signed a list of a ledger, which is the one that holds there."""
    content = record.facts.get("content")
    which = f"the list {shown(str(record.facts.get('label')))} of entry {record.number} of {slug}"
    try:
        signer = _signed_by(record, content) if isinstance(content, dict) else ""
    except InputError as error:
        raise InputError(f"{which}: {error}") from None
    if signer != public and public:
        by = f"signed by key {fingerprint(signer)}" if signer else "unsigned"
        raise InputError(f"{which} is {by}; the club's key there is {fingerprint(public)}")
    return signer


def _signed_by(record: Record, content: dict[str, Any]) -> str:
    """Return the key that signed a list; as it says itself where names that were signed are kept no longer.

    What is left of such a list is held by the entry that carried the chain over.
    """
    if not record.recomputable:
        return str(content.get("key", ""))
    older = content.get("format") in {1, 2}
    return signer_of(Purpose.LIST, content if older else without_names(content))
