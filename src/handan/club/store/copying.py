"""Copies between databases, row by row, verified by replay."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import dj_database_url
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connections, transaction
from django.db.models import Model

from handan.club.entries import Record
from handan.club.lists import Checked, clubs_named, verify_published
from handan.club.state import State
from handan.club.store.access import records_of_accounts
from handan.club.store.clock import at_place
from handan.club.store.club_keys import refuse_other_key
from handan.club.store.database import refuse_unknown_tables
from handan.club.store.facts import folded, heads_of_rows, refuse_other_rows
from handan.club.store.list_verification import refuse_another_list
from handan.club.store.models import Club, Entry
from handan.club.verifying import fold_foreign, verified
from handan.errors import InputError

BATCH = 2000  # rows at once
LEFT_OUT = {"sessions", "admin", "contenttypes"}
"""What another database makes anew: sessions, and what migrations put there."""


def private(path: Path) -> None:
    """Make an empty file that only its owner may read; FileExistsError if it is there."""
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def replayed(alias: str, *, lists: bool = True) -> dict[str, tuple[int, Checked | None]]:
    """Return the number of entries of each club of a database, and (with `lists`) what its official lists came to.

    InputError if a chain does not hold or fold to a state, or (with `lists`) contradicts a list that it publishes.
    """
    return {club.slug: check_club(club, alias, lists=lists) for club in Club.objects.using(alias).all()}


def check_club(club: Club, alias: str = "default", *, lists: bool = True) -> tuple[int, Checked | None]:
    """Return how many entries a club has, and what its official lists came to.

    InputError if the entries do not follow each other, do not fold to the state that the rows hold, or contradict a
    list that they publish.
    """
    records = _records(club, alias)
    state = fold_foreign(State(club.slug), records)
    if (state.number, state.digest) != (club.number, club.digest):
        raise InputError(f"{club.name} should end at entry {club.number}, its chain ends at {state.number}")
    refuse_other_key(club, state, alias)
    checked = None
    if lists:
        others = Club.objects.using(alias).filter(slug__in=clubs_named(records))
        ledgers = {other.slug: _records(other, alias) for other in others}
        checked = verify_published(club.slug, records, ledgers)
    _refuse_other_rows(club, state, alias)
    return state.number, checked


def _refuse_other_rows(club: Club, state: State, alias: str) -> None:
    """Raise InputError if the rows of a club's facts and of its rating list are not those of its state.

    A federation's follow its clubs when somebody looks: they are compared with what the clubs' entries came to then.
    """
    meant = state
    if Club.objects.using(alias).filter(federation=club.pk).exists():
        heads = heads_of_rows(club, alias)
        if heads is None:
            return
        meant = folded(club, heads, alias)
    elif any("." in key for key in state.people):  # taken for granted, with clubs that are not at hand
        meant = folded(club, alias=alias)
    refuse_other_rows(club, meant, alias)
    with at_place(club):
        refuse_another_list(club, meant, alias)


def _records(club: Club, alias: str) -> list[Record]:
    """Return the entries of a club, which follow each other and belong to their accounts."""
    entries = Entry.objects.using(alias).filter(club=club).order_by("number")
    with closing(records_of_accounts(entries.iterator(BATCH), alias)) as stored:  # an error would keep its cursor open
        return list(verified(stored))


def copy(url: str, *, part: bool = False) -> dict[str, int]:
    """Copy everything but sessions into the empty database of a URL; return the number of rows of each table.

    A `part` of a file that is not whole yet need not outlast a loss of power.
    """
    with _private_file(url), second(url, part=part) as alias:
        refuse_unknown_tables(alias)
        call_command("migrate", database=alias, verbosity=0)
        if any(model.objects.using(alias).exists() for model in (Club, get_user_model())):
            raise InputError("the other database has clubs or accounts already; copy into an empty one")
        counts: dict[str, int] = {}
        snapshot = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"
        with transaction.atomic(), transaction.atomic(using=alias):
            if connections["default"].vendor == "postgresql":
                connections["default"].cursor().execute(snapshot)
            for model in _models():
                counts[model._meta.label] = _copied(model, alias)  # noqa: SLF001  # Django's public name
            replayed(alias)
            _reset_sequences(alias)
    return counts


@contextmanager
def _private_file(url: str) -> Iterator[None]:
    """Let only the owner read the empty file of a URL, made if need be; one made here is gone if the copy fails."""
    file = Path(url.removeprefix("sqlite:///"))
    if not url.startswith("sqlite:///") or (file.exists() and file.stat().st_size):
        yield
        return
    own = not file.exists()
    if own:
        private(file)
    file.chmod(0o600)
    try:
        yield
    except BaseException:
        for part in (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm", "-journal"))) if own else ():
            part.unlink(missing_ok=True)
        raise


def _models() -> list[type[Model]]:
    """Return the tables in an order in which each stands behind those it points to."""
    models = [model for model in apps.get_models() if model._meta.app_label not in LEFT_OUT]  # noqa: SLF001
    order = ["auth.Permission", "auth.Group", "auth.User"]
    by_label = {model._meta.label: model for model in models}  # noqa: SLF001
    first = [by_label[label] for label in order[1:]]
    rest = [model for model in models if model._meta.label not in order]  # noqa: SLF001
    return [*first, *sorted(rest, key=lambda model: (model is not Club, model._meta.label))]  # noqa: SLF001


def _copied(model: type[Model], alias: str) -> int:
    """Copy a table's rows; those that point to rows of their own table come behind them."""
    if model is Club:
        clubs = sorted(Club.objects.all(), key=lambda club: (club.federation_id is not None, club.pk))
        return len(Club.objects.using(alias).bulk_create(clubs))
    rows = model._base_manager.order_by("pk")  # noqa: SLF001  # Django's public name
    count = 0
    batch: list[Any] = []
    for row in rows.iterator(BATCH):
        batch.append(row)
        if len(batch) == BATCH:
            count += len(model._base_manager.using(alias).bulk_create(batch))  # noqa: SLF001
            batch = []
    return count + len(model._base_manager.using(alias).bulk_create(batch))  # noqa: SLF001


def _reset_sequences(alias: str) -> None:
    connection = connections[alias]
    statements = connection.ops.sequence_reset_sql(no_style(), _models())
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


@contextmanager
def second(url: str, *, part: bool = False) -> Iterator[str]:
    """Open another database beside the default one, under an alias.

    What is written to a `part` of an SQLite file waits for no disk: whoever makes it whole does, once.
    """
    alias = "other"
    config: dict[str, Any] = dict(dj_database_url.parse(url))
    if not config:
        raise InputError(f"{url} is no database; give sqlite:///FILE or postgresql://…")
    off = dict.fromkeys(("ATOMIC_REQUESTS", "CONN_HEALTH_CHECKS"), False)
    blank = dict.fromkeys(("USER", "PASSWORD", "HOST", "PORT"), "")
    defaults: dict[str, Any] = {**off, **blank, "AUTOCOMMIT": True, "CONN_MAX_AGE": 0, "OPTIONS": {}, "TEST": {}}
    defaults["TIME_ZONE"] = None
    connections.settings[alias] = {**defaults, **config}
    if part:
        connections.settings[alias]["OPTIONS"] = {"init_command": "PRAGMA synchronous=OFF"}
    try:
        yield alias
    finally:
        connections[alias].close()
        del connections[alias], connections.settings[alias]
