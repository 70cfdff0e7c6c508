"""The state of a stored club: now, from the rows that follow its entries; of the past, folded from the entries."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from itertools import takewhile

import polars as pl
from django.db import OperationalError, connection, transaction
from django.db.models import Exists, OuterRef, Q

from handan.club.changes import HANDLERS
from handan.club.exchange import ledger_head, ledger_lines
from handan.club.federation import federated, games_of_club
from handan.club.kinds import Kind
from handan.club.rules import Rules, rating_rules
from handan.club.state import ClubAdjustment, EnteredSheet, OfficialList, Source, State
from handan.club.store.clock import at_place, end_of, last_known, today
from handan.club.store.club_keys import signed_head
from handan.club.store.computed_cache import computed_cache
from handan.club.store.fact_models import Adjustment, ClubState, Game, Player, Sheet
from handan.club.store.facts import FORM, bring_up_to_date, folded, records, save_games
from handan.club.store.models import Club, Entry
from handan.club.store.stored_facts import StoredEvents, StoredGames, StoredPeople, StoredRows, table_of_games
from handan.club.store.throttle import throttle

_lock = threading.Lock()
_forgotten: dict[int, int] = {}
"""The last entry by which each club forgot somebody, as far as this process knows."""


def state_of(club: Club) -> State:
    """Return the club's state up to its last entry; its rows are read when they are asked for, and serve one request.

    A federation's state holds those of its clubs: its rows follow theirs when somebody looks. Where a full disk or a
    lock keeps them behind, it is folded from the entries.
    """
    state = followed_state(club)
    if state is None:
        own = Club.objects.get(pk=club.pk)
        try:
            state = _of_rows(own, _followed(own))
        except OperationalError:
            if connection.in_atomic_block:
                raise
            state = state_at(own, own.number)
    return state


def followed_state(club: Club) -> State | None:
    """Return the club's state if its rows follow its last entry, and those of a federation the entries of its clubs."""
    has_members = Exists(Club.objects.filter(federation=OuterRef("club")))
    rows = ClubState.objects.filter(club=club.pk, form=FORM).select_related("club").annotate(has_members=has_members)
    row = rows.first()
    own = Club.objects.get(pk=club.pk) if row is None else row.club
    members = list(Club.objects.filter(federation=own.pk).order_by("pk")) if row is None or row.has_members else []
    _drop_what_was_forgotten({ledger.pk: ledger.forgotten for ledger in (own, *members)})
    if not own.number and not members:
        return State(own.slug)
    return None if row is None or not _is_fresh(row, own, members) else _of_rows(own, row)


def phases_of(state: State, day: date | None = None) -> list[Rules]:
    """Return the rules under which the games of a club are rated today or on a past day, each from its own date on."""
    return rating_rules(state.rules, min(day or today(), today()))


def rules_of(clubs: Iterable[Club]) -> dict[Club, Rules]:
    """Return the rules that each of some clubs goes by now, read at once where rows follow the club's last entry."""
    each = list(clubs)
    rows = ClubState.objects.filter(club__in=each, form=FORM).values_list("club", "number", "digest", "rules")
    stored = {(club, number, digest): Rules.of(rules[-1]) for club, number, digest, rules in rows}
    return {club: stored.get((club.pk, club.number, club.digest)) or state_of(club).rules[-1] for club in each}


def _is_fresh(row: ClubState, own: Club, members: list[Club]) -> bool:
    """Whether rows follow the last entries of a club, and of the clubs of a federation."""
    heads = [(member.slug, member.number, member.digest) for member in members]
    sources = [(source["slug"], source["number"], source["digest"]) for source in row.sources]
    return (row.number, row.digest, sources) == (own.number, own.digest, heads)


def _followed(club: Club) -> ClubState:
    """Return up to where the rows of a club follow the entries, which they do from now on."""
    with transaction.atomic():
        own = Club.objects.select_for_update().get(pk=club.pk)
        members = list(Club.objects.filter(federation=own.pk).order_by("pk"))
        row = ClubState.objects.filter(club=own, form=FORM).first()
        if row is None or not _is_fresh(row, own, members):
            states = [(member.pk, state_of(member)) for member in members]
            if not members:
                bring_up_to_date(own, folded(own))
            elif row is None or not _follow_games(own, row, states):
                bring_up_to_date(own, federated(own.slug, states, records(own)))
        return ClubState.objects.get(club=own)


def _follow_games(federation: Club, row: ClubState, states: list[tuple[int, State]]) -> bool:
    """Let the rows of a federation follow entries of its clubs about games; whether there were no others.

    Somebody who was withdrawn is there again with a game: then all is compared.
    """
    before = {source["slug"]: source["number"] for source in row.sources}
    if row.number != federation.number or [*before] != [state.slug for _, state in states]:
        return False
    parts = []
    for number, state in states:
        kinds = Entry.objects.filter(club=number, number__gt=before[state.slug]).values_list("kind", flat=True)
        if (
            state.withdrawn
            or state.number < before[state.slug]
            or not all(HANDLERS[Kind(kind)].of_game for kind in kinds)
        ):
            return False
        games = table_of_games(Game.objects.filter(club=number, latest__gt=before[state.slug]))
        parts.append(games_of_club(state.slug, number, games))
    changed = pl.concat(parts)
    state = _of_rows(federation, row)
    sources = tuple(Source(state.slug, state.number, state.digest) for _, state in states)
    after = replace(state, recorded=state.recorded.with_changed(changed), sources=sources)
    save_games(federation, after, changed["line"].to_list())
    return True


def _of_rows(club: Club, row: ClubState) -> State:
    """Return the state of a club whose rows follow its entries."""
    another = Player.objects.filter(~Q(merged_into="") | Q(withdrawn=True), club=club).order_by()
    others = sorted(another.values_list("number", "key", "merged_into", "withdrawn"))  # by their index, as they are few
    return State(
        club.slug,
        number=row.number,
        digest=row.digest,
        people=StoredPeople(club.pk),
        merged={key: into for _, key, into, _ in others if into} | row.strangers,
        recorded=StoredGames(club.pk),
        adjustments=StoredRows(Adjustment, club, _adjustment),
        rules=tuple(Rules.of(rules) for rules in row.rules),
        lists=tuple(OfficialList(**item) for item in row.lists),
        key=row.key,
        zone=row.zone,
        withdrawn=frozenset(key for _, key, _, withdrawn in others if withdrawn),
        sheets=StoredRows(Sheet, club, _sheet),
        events=StoredEvents(club),
        sources=tuple(Source(**source) for source in row.sources),
    )


def _adjustment(row: Adjustment) -> ClubAdjustment:
    return ClubAdjustment(row.key, row.player, row.facts, row.withdrawn, row.set_aside)


def _sheet(row: Sheet) -> EnteredSheet:
    lines = tuple((number, key) for number, key in row.lines)
    return EnteredSheet(row.key, lines, tuple(row.parts), tuple(row.checks), tuple(row.withdrawals))


def _drop_what_was_forgotten(last: Mapping[int, int]) -> None:
    """Drop what this process keeps where clubs forgot somebody since, given the last entries by which they did."""
    with _lock:
        newer = any(_forgotten.get(number, 0) != entry for number, entry in last.items())
        _forgotten.update(last)
    if newer:
        computed_cache.forget()


def state_known(club: Club, day: date) -> State:
    """Return the club's state as it was known at the end of a day; `clock.last_known` has the rule."""
    with at_place(club):
        if day >= today():
            return state_of(club)
        end = end_of(day)
    ledgers = [club, *Club.objects.filter(federation=club.pk).order_by("pk")]
    return _past(club, {ledger.pk: _head(ledger, last_known(ledger, end)) for ledger in ledgers})


def state_at(club: Club, number: int) -> State:
    """Return a club's state up to one of its entries; a federation's with its clubs as they are now."""
    members = Club.objects.filter(federation=club.pk).order_by("pk")
    return _past(club, {club.pk: _head(club, number), **{item.pk: (item.number, item.digest) for item in members}})


def _past(club: Club, heads: Mapping[int, tuple[int, str]]) -> State:
    """Return a state of the past, at the cost of who asks."""
    _drop_what_was_forgotten(dict(Club.objects.filter(pk__in=[*heads]).values_list("pk", "forgotten")))

    def make() -> State:
        with throttle.computing():
            return folded(club, {ledger: number for ledger, (number, _) in heads.items()})

    state: State = computed_cache.get(("known", tuple(heads.items())), make)
    return state


def _head(club: Club, number: int) -> tuple[int, str]:
    """Return an entry's number and digest; of entry 0, which no club has, the number alone."""
    return number, Entry.objects.filter(club=club, number=number).values_list("digest", flat=True).first() or ""


def ledger_file(club: Club) -> Iterator[bytes]:
    """Go through the lines of a club's ledger as a file; entries written meanwhile are not in it."""
    number, digest = Club.objects.values_list("number", "digest").get(pk=club.pk)
    entries = takewhile(lambda record: record.number <= number, records(club))
    return ledger_lines(signed_head(club, ledger_head(club.slug, club.name, number, digest)), entries)
