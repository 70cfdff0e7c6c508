"""The entries of a stored ledger in order, and the state that they come to when all are folded anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile

from handan.club.changes import fold
from handan.club.entries import Record
from handan.club.federation import federated
from handan.club.joining import SameNumbers
from handan.club.state import State
from handan.club.store.models import Club, Entry, records_of


def records(club: Club, since: int = 0, alias: str = "default") -> Iterator[Record]:
    """Go through a club's entries behind a number."""
    return records_of(Entry.objects.using(alias).filter(club=club, number__gt=since))


def folded(club: Club, heads: Mapping[int, int] | None = None, alias: str = "default") -> State:
    """Return the state of a club, folded from all entries; a federation's with those of its clubs.

    Args:
        club: The club.
        heads: The last entry to be read of it and of each of its clubs, by their numbers in the database; None: all.
        alias: Of the database.
    """

    def up_to_head(ledger: Club) -> Iterator[Record]:
        whole = records(ledger, alias=alias)
        return whole if heads is None else takewhile(lambda record: record.number <= heads[ledger.pk], whole)

    members = list(Club.objects.using(alias).filter(federation=club.pk).order_by("pk"))
    if not members:
        return fold(State(club.slug), up_to_head(club))
    states = [(member.pk, fold(State(member.slug), up_to_head(member))) for member in members]
    return federated(club.slug, states, up_to_head(club), SameNumbers.of(records(club, alias=alias)))
