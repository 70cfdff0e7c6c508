"""Keys and signatures of clubs, against the vectors of RFC 8032 and in ledgers."""

from __future__ import annotations

from typing import Any

import pytest

from handan.club import keys, lists
from handan.club.entries import Draft, Record
from handan.club.keys import Purpose, fingerprint, key_history, leads_to, public_key_of, set_key, signed
from handan.club.kinds import Kind
from handan.club.lists import signed_list
from handan.errors import InputError
from tests.club.helpers import TODAY, Book

FIRST, SECOND, THIRD = ("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "1" * 64, "2" * 64)


def publish(book: Book, private: str = FIRST, **changed: Any) -> Record:
    """Publish a list signed by a key, with other things said of it after it was signed."""
    draft = lists.publish(book.state, TODAY)
    content = {**signed_list(private, draft.facts["content"]), **changed}
    return book.add(Draft(draft.kind, {**draft.facts, "content": content}))


@pytest.fixture
def book() -> Book:
    made = Book()
    made.game(made.player("Alice", "3k"), made.player("Bob", "4k"))
    return made


def test_keys_and_signatures_are_those_of_rfc_8032() -> None:
    """Section 7.1, test 1: the public key of a private one, and the signature over no bytes."""
    private = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
    key = keys._private(private)
    assert public_key_of(private) == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert key.sign(b"").hex() == (
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    )


def test_a_signature_is_for_one_purpose_and_one_text() -> None:
    data = signed(FIRST, Purpose.HEAD, {"club": "lake", "entries": 3})
    assert keys.signer_of(Purpose.HEAD, data) == public_key_of(FIRST)
    for purpose, other in ((Purpose.LIST, data), (Purpose.HEAD, data | {"entries": 4})):
        with pytest.raises(InputError, match="does not fit"):
            keys.signer_of(purpose, other)
    for name in ("key", "signature"):
        with pytest.raises(InputError, match="one is missing"):
            keys.signer_of(Purpose.HEAD, {key: value for key, value in data.items() if key != name})
        with pytest.raises(InputError, match="hexadecimal"):
            keys.signer_of(Purpose.HEAD, data | {name: "Z" * 64})


def test_what_is_wrong_with_a_private_key_does_not_show_it() -> None:
    with pytest.raises(InputError) as caught:
        public_key_of("secret" * 3)
    assert "secret" not in str(caught.value)


def test_a_signed_list_verifies_and_one_figure_changed_fails(book: Book) -> None:
    record = publish(book)
    frozen = lists.listed_bytes(record.facts["content"])
    assert lists.verify_list(frozen, {"club": book.records})["key"] == public_key_of(FIRST)
    assert lists.signer_of_list(frozen)[1] == public_key_of(FIRST)
    with pytest.raises(InputError, match="signature does not fit"):
        lists.signer_of_list(frozen.replace(b'"games":1', b'"games":2', 1))
    with pytest.raises(InputError, match="not spelt"):
        lists.signer_of_list(frozen.replace(b",", b", ", 1))
    assert lists.verify_published("club", book.records, {}).unsigned == 0


def test_a_list_with_a_false_figure_is_named_in_its_ledger(book: Book) -> None:
    publish(book, players=[])
    with pytest.raises(InputError, match=r"'Official list 1' of entry 6 of club: the signature does not fit"):
        lists.verify_published("club", book.records, {})


def test_lists_published_before_signing_stay_valid_and_are_counted(book: Book) -> None:
    book.add(lists.publish(book.state, TODAY))
    publish(book)
    faults = lists.verify_published("club", book.records, {})
    assert (faults.again, faults.whole, faults.unsigned) == (2, 2, 1)
    assert [(period.entry, period.public) for period in faults.keys] == [(7, public_key_of(FIRST))]


@pytest.mark.parametrize("private", [SECOND, ""])
def test_a_list_by_another_key_or_none_is_named(book: Book, private: str) -> None:
    publish(book)
    if private:
        publish(book, private)
    else:
        book.add(lists.publish(book.state, TODAY))
    by = f"signed by key {fingerprint(public_key_of(private))}" if private else "unsigned"
    with pytest.raises(InputError, match=f"entry 7 of club is {by}; the club's key there is"):
        lists.verify_published("club", book.records, {})


def test_a_list_file_signed_by_another_key_than_the_ledgers_is_refused(book: Book) -> None:
    content = publish(book).facts["content"]
    bare = {name: value for name, value in content.items() if name not in {"key", "signature"}}
    for other in (signed_list(SECOND, bare), bare):
        with pytest.raises(InputError, match="the key of club there is"):
            lists.verify_list(lists.listed_bytes(other), {"club": book.records})


def test_a_key_that_the_one_before_signed_follows_it(book: Book) -> None:
    publish(book)
    book.add(set_key(book.state, SECOND, FIRST))
    publish(book, SECOND)
    book.add(set_key(book.state, THIRD))  # the second was lost
    publish(book, THIRD)
    keys = [public_key_of(private) for private in (FIRST, SECOND, THIRD)]
    periods = lists.verify_published("club", book.records, {}).keys
    assert [(period.public, period.vouched) for period in periods] == list(zip(keys, (True, True, False), strict=True))
    assert book.state.key == keys[2]
    assert leads_to(periods, keys[0], keys[1])
    assert leads_to(periods, fingerprint(keys[2]), keys[2])
    assert not leads_to(periods, keys[1], keys[0])
    assert not leads_to(periods, keys[0], keys[2])


def test_nobody_else_can_vouch_for_a_key(book: Book) -> None:
    publish(book)
    with pytest.raises(InputError, match="not the one that the ledger names"):
        set_key(book.state, THIRD, SECOND)
    draft = set_key(book.state, SECOND, FIRST)
    for facts in ({"key": public_key_of(THIRD)}, {"before": ""}, {"after": "0" * 64}, {"signature": 3}):
        other = Book()
        other.state, other.records = book.state, list(book.records)
        other.add(Draft(Kind.KEY_SET, {**draft.facts, **facts}))
        with pytest.raises(InputError, match="entry 7 of club sets"):
            key_history("club", other.records)
