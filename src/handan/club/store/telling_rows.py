"""The rows of texts that may tell of somebody, found without reading all texts of a club as data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from django.db.models import Q, TextField
from django.db.models.functions import Cast

from handan.club.kinds import Kind
from handan.club.store.models import Club, PersonalText
from handan.club.telling import Telling

BATCH = 500  # rows at once; our choice
OF_GAMES = [kind for kind in Kind if kind.startswith("game ")]
"""Kinds whose entries bear the keys of players in no other place than as Black and White."""
SALT = re.compile(r'(?<=\[)"[0-9a-f]{64}"')


def rows_that_may_tell(club: Club, telling: Telling) -> Iterator[PersonalText]:
    """Go through the rows of texts with their entries, once each: all that tell of these people, and few others.

    By the keys of an entry the database finds them; in what is left the names are looked for as it is written.
    """
    rows = PersonalText.objects.filter(entry__club=club)
    by_keys = Q(entry__account__in=telling.accounts) | Q(entry__subject__in=telling.people)
    by_keys |= ~Q(entry__kind__in=OF_GAMES)
    yield from rows.filter(by_keys).select_related("entry").iterator(BATCH)
    others = rows.exclude(by_keys).annotate(written=Cast("texts", TextField())).values_list("pk", "written")
    answers: dict[str, bool] = {}
    wanted = (pk for pk, written in others.iterator(BATCH) if _names(telling, SALT.sub('""', written), answers))
    while keys := list(islice(wanted, BATCH)):
        yield from rows.filter(pk__in=keys).select_related("entry")


def _names(telling: Telling, written: str, answers: dict[str, bool]) -> bool:
    """Whether texts name one of the people; most rows of a club have the same few authors and nothing else."""
    if written not in answers:
        if len(answers) > BATCH:
            answers.clear()
        answers[written] = telling.named_in(_plain(written))
    return answers[written]


def _plain(written: str) -> str:
    """Return the texts of a row as one, with the letters that JSON writes otherwise."""
    return "\n".join(_strings(json.loads(written))) if "\\" in written else written


def _strings(value: Any) -> Iterator[str]:
    """Go through the texts in data."""
    if isinstance(value, str):
        yield value
    parts: Iterable[Any] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from _strings(part)
