"""Ed25519 signatures (RFC 8032) of a club over its official lists and the heads of its ledger, for anybody to check."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from handan.club.entries import canonical
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
