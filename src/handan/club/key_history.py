"""The keys of a club along its ledger: which one signs from which entry on, and whether the one before signed it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from handan.club.entries import GENESIS, Draft, Record
from handan.club.kinds import Kind
from handan.club.sealing import without_names
from handan.club.signing import Purpose, check_signature, fingerprint, public_key_of, sign, signer_of
from handan.club.state import State
from handan.errors import InputError, shown


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
