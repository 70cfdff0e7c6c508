"""Official lists verify for ever, whatever later versions add, and a ledger that contradicts its own lists is found."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

import handan
from handan.club import changes, lists
from handan.club.entries import Draft, Record, chained
from handan.club.federation import federated
from handan.club.rules import Rules
from handan.club.state import State
from handan.club.verifying import verified
from handan.errors import InputError
from handan.ledger import Ledger
from handan.ratings import Ratings
from handan.systems import SYSTEMS
from handan.systems.core.settings import setting
from handan.systems.sagc import SAGC
from tests.club.helpers import TODAY, Book, import_records

if TYPE_CHECKING:
    from handan.club.store.models import Club


@dataclass(frozen=True)
class Later(SAGC):
    """The system of a later version: one setting more, and another published constant."""

    added: float = setting(1.0, "a factor that this version has not", low=0.0, high=2.0)
    club: float = setting(3.0, "game status factor of club games", low=0.0, high=10.0)


@pytest.fixture
def book() -> Book:
    made = Book()
    made.add(changes.office.set_rules(made.state, Rules("sagc", {"friendly": 0.75})))
    one, other = made.player("Alice", "10k"), made.player("Bob", "7k")
    made.game(one, other, "B+R", kind="club")
    made.game(one, other, "W+R", kind="friendly")
    made.add(lists.publish(made.state, TODAY, label="first"))
    made.game(other, one, "B+R")
    made.add(lists.publish(made.state, TODAY, label="second"))
    return made


def frozen(records: Iterable[Record]) -> list[bytes]:
    return [lists.listed_bytes(record.facts["content"]) for record in records if record.kind == "list published"]


def rewritten(records: list[Record], number: int, **facts: Any) -> list[Record]:
    """Return the chain with other facts of one entry, and all digests from there on made anew."""
    made = records[: number - 1]
    for record in records[number - 1 :]:
        own = {**record.facts, **facts} if record.number == number else record.facts
        last = made[-1] if made else None
        draft = Draft(record.kind, own, record.subject, record.reason)
        made += chained(
            [draft], record.number - 1, last.digest if last else "0" * 64, record.author, record.entered
        )  # fmt: skip
    return made


def test_a_list_verifies_under_every_later_version(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    published = frozen(book.records)
    monkeypatch.setattr(handan, "__version__", "9.9.9")
    monkeypatch.setitem(SYSTEMS, "sagc", Later)
    for data in published:
        again = lists.verify_list(data, {"club": book.records})
        assert lists.listed_bytes(again) == data
    assert lists.verify_published("club", book.records, {})[:2] == (2, 2)


@pytest.mark.parametrize(
    ("constant", "value", "message"),
    [("bygone", 1.0, "has the setting 'bygone'"), ("tournament", 1e9, "constants that cannot be"),
     ("tournament", "x", "constants that cannot be"), ("tournament", 1.25, "another list")],
)  # fmt: skip
def test_constants_that_this_version_cannot_use_are_named(book: Book, constant: str, value: Any, message: str) -> None:
    data = json.loads(frozen(book.records)[0])
    data["rules"][0]["settings"][constant] = value
    if message == "another list":
        data["players"] = []
    with pytest.raises(InputError, match=message):
        lists.verify_list(lists.listed_bytes(data), {"club": book.records})


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [("format", 4, "format 4"), ("format", None, "no official list"), ("rules", [], "rules"),
     ("rules", "x", "no official list"), ("rules", [{}], "no official list"), ("version", 3, "no official list"),
     ("players", [], "players"), ("label", "forged", "does not publish this list")],
)  # fmt: skip
def test_a_list_that_says_something_else_is_refused(book: Book, field: str, value: Any, message: str) -> None:
    data = json.loads(frozen(book.records)[0]) | {field: value}
    with pytest.raises(InputError, match=message):
        lists.verify_list(lists.listed_bytes(data), {"club": book.records})


def test_a_constant_of_the_list_that_the_ledger_sets_otherwise_is_refused(book: Book) -> None:
    data = json.loads(frozen(book.records)[0])
    data["rules"][0]["settings"]["friendly"] = 0.5
    with pytest.raises(InputError, match="friendly"):
        lists.verify_list(lists.listed_bytes(data), {"club": book.records[:-3]})


def test_a_rewritten_chain_contradicts_its_lists(book: Book) -> None:
    game = next(record for record in book.records if record.kind == "game recorded")
    false = rewritten(book.records, game.number, result="W+R")
    assert list(verified(false))  # the chain itself holds
    with pytest.raises(InputError, match=r"first.*entry 8 of club"):
        lists.verify_published("club", false, {})


@dataclass(frozen=True)
class Corrected(SAGC):
    """The system of a later version whose formula was corrected: everybody stands one higher."""

    revision: ClassVar[int] = 2

    def rate(self, ledger: Ledger) -> Ratings:
        ratings = super().rate(ledger)
        return Ratings(replace(ratings.arrays, rating=ratings.rating + 1.0))


def test_a_list_of_an_older_revision_is_not_called_forged(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    first = frozen(book.records)[0]
    assert json.loads(first)["rules"][0]["revision"] == 1
    monkeypatch.setitem(SYSTEMS, "sagc", Corrected)
    with pytest.raises(lists.RevisedError, match="made by revision 1 of sagc; this program has revision 2"):
        lists.verify_list(first, {"club": book.records})
    assert lists.verify_published("club", book.records, {})[:2] == (0, 2)
    game = next(record for record in book.records if record.kind == "game recorded")
    with pytest.raises(InputError, match="ledger is"):  # it still names the ledger it was made from
        lists.verify_published("club", rewritten(book.records, game.number, result="W+R"), {})


def test_a_list_of_a_newer_revision_is_refused(book: Book) -> None:
    data = json.loads(frozen(book.records)[0])
    data["rules"][0]["revision"] = 2
    with pytest.raises(InputError, match="made by revision 2 of sagc; this program has revision 1"):
        lists.verify_list(lists.listed_bytes(data), {"club": book.records})


def test_lists_published_before_revisions_verify(book: Book) -> None:
    last = book.records[-1]
    bare = {**last.facts["content"], "format": 1}
    bare["rules"] = [{name: value for name, value in item.items() if name != "revision"} for item in bare["rules"]]
    old = rewritten(book.records, last.number, content=bare)
    assert lists.verify_published("club", old, {})[:2] == (2, 2)
    lists.verify_list(lists.listed_bytes(bare), {"club": old})


def test_lists_of_a_federation_need_the_ledgers_of_its_clubs(book: Book) -> None:
    above = federated("all", [(1, book.state)], [])
    draft = lists.publish(replace(above, number=0), TODAY)
    records = list(chained([draft], 0, "0" * 64, "x", book.records[0].entered))
    assert lists.verify_published("all", records, {"club": book.records})[:2] == (1, 1)
    assert lists.verify_published("all", records, {})[:2] == (0, 1)


def test_a_list_is_verified_without_the_ledgers_of_clubs_that_have_none_of_its_games(book: Book) -> None:
    lake = State("lake", 7, "7" * 64)
    above = replace(federated("all", [(1, book.state), (2, lake)], []), number=0)
    own = list(chained([lists.publish(above, TODAY)], 0, "0" * 64, "x", book.records[0].entered))
    frozen = lists.listed_bytes(own[-1].facts["content"])
    again = lists.verify_list(frozen, {"all": own, "club": book.records})
    assert [(source["slug"], source["number"]) for source in again["clubs"]][1:] == [("lake", 7)]
    with pytest.raises(InputError, match="the ledger of club is needed"):
        lists.verify_list(frozen, {"all": own})


def test_a_list_of_a_day_names_its_rules_only(book: Book) -> None:
    book.add(changes.office.set_rules(book.state, Rules("egf", {}, date(2026, 6, 1))))
    book.add(lists.publish(book.state, TODAY, date(2026, 5, 31), "third"))
    book.add(lists.publish(book.state, TODAY, label="fourth"))
    assert lists.verify_published("club", book.records, {})[:2] == (4, 4)


@pytest.mark.database
def test_neither_import_nor_verification_of_a_database_takes_such_a_chain(
    book: Book, make_club: Callable[..., Club], monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store import copying
    from handan.club.store.models import Club

    game = next(record for record in book.records if record.kind == "game recorded")
    false = rewritten(book.records, game.number, result="W+R")
    club = Club.objects.create(slug=f"lists-{make_club().slug}", name="Lists")
    club.slug = "club"  # the name that the lists bear; the row keeps its own
    with pytest.raises(InputError, match="does not follow"):
        import_records(club, false)
    club.number, club.digest = false[-1].number, false[-1].digest
    monkeypatch.setattr(copying, "_records", lambda *_: false)
    monkeypatch.setattr(copying, "_refuse_other_rows", lambda *_: None)  # the entries are not in the database
    with pytest.raises(InputError, match="does not follow"):
        copying.check_club(club, "default", lists=True)
    assert copying.check_club(club, "default", lists=False) == (false[-1].number, None)
