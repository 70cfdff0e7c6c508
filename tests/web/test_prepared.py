"""Questions whose SQL is made once give the rows of the queries that they stand for, and pages ask few of others."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

if TYPE_CHECKING:
    from handan.club.store.models import Club

NAMES = [
    ("rows", "BY_NUMBER"), ("rows", "BY_NAME"), ("rows", "SHOWN"), ("accounts", "PREFERENCE"), ("accounts", "SIGN_IN"),
    ("members", "MEMBERSHIPS"), ("idempotency", "KEPT"), ("single_entries", "BY_NUMBER"),
    ("single_entries", "BY_SUBJECT"), ("single_entries", "BY_TOKEN"), ("single_entries", "TEXTS"),
    ("sessions", "BY_KEY"),
]  # fmt: skip


def values_of(club: Club, types: tuple[type, ...], seed: Any) -> list[Any]:
    """Return values of some types that may be there."""
    return [{int: seed, str: {1: club.slug, 2: "p2"}.get(seed, "no such text")}[kind] for kind in types]


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_a_prepared_question_gives_the_rows_of_its_query(club: Club, module: str, name: str) -> None:
    from importlib import import_module

    prepared = getattr(import_module(f"handan.club.store.{module}"), name)
    for seed in (1, 2, club.pk):  # asked again, with other values
        values = values_of(club, prepared._types, seed)
        rows = list(prepared._make(*values))
        assert [vars_of(row) for row in prepared.rows(*values)] == [vars_of(row) for row in rows]
    if (module, name) == ("rows", "BY_NAME"):
        assert [row.pk for row in prepared.rows(club.slug)][:1] == [club.pk]


def vars_of(row: Any) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


def test_moments_and_numbers_are_put_where_they_belong(club: Club) -> None:
    from datetime import datetime

    from django.utils import timezone

    from handan.club.store.models import Entry
    from handan.club.store.prepared import Prepared

    make: Callable[..., Any] = lambda moment, number: Entry.objects.select_related(None).filter(  # noqa: E731
        entered__lt=moment, club=number, format__gte=1
    )
    since = Prepared(make, datetime, int)
    later, whole = timezone.now() + timedelta(days=1), Entry.objects.filter(club=club).count()
    assert len(since.rows(later, club.pk)) == whole > 0
    assert since.first(later - timedelta(days=9000), club.pk) is None


def test_a_session_that_has_expired_is_none(club: Club) -> None:
    from django.contrib.sessions.models import Session
    from django.utils import timezone

    from handan.club.store.sessions import SessionStore

    store = SessionStore()
    store["mark"] = mark = uuid4().hex
    store.save()
    assert SessionStore(store.session_key)["mark"] == mark
    Session.objects.filter(session_key=store.session_key).update(expire_date=timezone.now() - timedelta(seconds=1))
    assert "mark" not in SessionStore(store.session_key)
    assert "mark" not in SessionStore(f"{uuid4().hex}")
