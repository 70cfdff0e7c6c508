"""A page that is read while an entry comes in shows the club of before or of after, never some of each."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.database import POSTGRESQL
from tests.web.test_pages import MakeClub

if TYPE_CHECKING:
    from collections.abc import Callable

    from handan.club.store.models import Club

pytestmark = pytest.mark.database

CARD, GAME = "/{slug}/players/{key}/", "/{slug}/games/{game}/"
PAGES = {
    "card": CARD,
    "ladder": "/{slug}/",
    "games": "/{slug}/games/",
    "games as CSV": "/{slug}/games.csv",
    "figures": "/{slug}/figures/",
    "news": "/{slug}/news.atom",
    "ladder of the interface": "/api/clubs/{slug}/ladder",
    "card of the interface": "/api/clubs/{slug}/players/{key}/card",
}
NEWEST, OLDEST = "2026-05-20", "2026-01-01"
"""Days of sheets: behind all games, which moves no game that there is, and before all of them."""
CASES = [
    pytest.param("/{slug}/league/", NEWEST, id="league"),
    *(pytest.param(path, OLDEST, id=f"{path}, an old sheet", marks=pytest.mark.extended) for path in (CARD, GAME)),
    *(pytest.param(path, NEWEST, id=name, marks=pytest.mark.extended) for name, path in PAGES.items()),
]
ON_POSTGRESQL = {"league", "card", "games as CSV", "card of the interface"}
"""A page of many questions, one of few that are long, a file that is sent in parts, and a call: all the other pages
begin their moment where these do, whatever they ask within it."""


@pytest.fixture
def club(make_club: MakeClub, monkeypatch: pytest.MonkeyPatch) -> Club:
    """A club of six players and sixty games, in blocks of a dozen."""
    from handan.club import blocks, changes
    from handan.club.store import list_replay
    from handan.club.store.clock import today
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    for module in (blocks, list_replay):
        monkeypatch.setattr(module, "SIZE", 12, raising=False)
        monkeypatch.setattr(module, "LEAST", 4, raising=False)
    club = make_club("egf")
    names = ("Ada", "Bo", "Cy", "Di", "Ed", "Fay")
    write(club, lambda state: [changes.players.register_player(state, {"name": each, "rank": "5k"}) for each in names],
          author="x")  # fmt: skip
    keys = [*state_of(club).people]
    pairs = [(one, other) for one in keys for other in keys if one != other]
    games = [
        {"black": one, "white": other, "result": "B+" if place % 3 else "W+", "date": f"2026-0{place // 20 + 2}-10"}
        for place, (one, other) in enumerate(pairs * 2)
    ]
    write(club, lambda state: [changes.games.record_game(state, facts, today()) for facts in games], author="x")
    return club


def sheet_entered(club: Club, name: str, day: str) -> None:
    """Register somebody and enter a game against each of six members, as a record sheet does, on another connection."""
    from django.db import connections

    from handan.club import changes
    from handan.club.changes import fold
    from handan.club.entries import Draft, chained
    from handan.club.state import State
    from handan.club.store.clock import now, today
    from handan.club.store.writing import write

    def sheet(state: State) -> list[Draft]:
        newcomer = changes.players.register_player(state, {"name": name, "rank": "4k"})
        there = fold(state, chained([newcomer], state.number, state.digest, "", now()))
        key, results = f"p{there.number}", ("B+", "W+", "B+", "B+", "W+", "B+")
        games = [
            {"black": key, "white": each, "result": result, "date": day}
            for each, result in zip(state.people, results, strict=False)
        ]
        return [newcomer, *(changes.games.record_game(there, facts, today()) for facts in games)]

    def enter() -> None:
        try:
            write(club, sheet, author="x")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as other:
        other.submit(enter).result()


class Interruption:
    """Enters a sheet before the question of some number that a page puts to the database, and counts the questions."""

    def __init__(self, number: int, enter: Callable[[], None]) -> None:
        self.number, self.enter, self.questions = number, enter, 0

    def __call__(self, execute: Callable[..., Any], *question: Any) -> Any:
        self.questions += 1
        if self.questions == self.number:
            self.enter()
        return execute(*question)


@pytest.mark.parametrize(("path", "day"), [case for case in CASES if not POSTGRESQL or case.id in ON_POSTGRESQL])
def test_a_page_is_of_one_moment_whenever_a_sheet_is_entered(club: Club, path: str, day: str) -> None:
    from django.db import connection
    from django.test import Client

    from handan.club.store.states import state_of

    state, visitor = state_of(club), Client()
    key, game = next(iter(state.people)), f"g{state.games['line'].item(-1)}"
    address = path.format(slug=club.slug, key=key, game=game)
    number = questions = 1
    visitor.get(address)
    after = content(visitor.get(address))
    while number <= questions:
        before = after
        interruption = Interruption(number, partial(sheet_entered, club, f"Newcomer {number}", day))
        with connection.execute_wrapper(interruption):
            during = content(visitor.get(address))
        after = content(visitor.get(address))
        assert during in (before, after)
        assert before != after
        number, questions = number + 1, interruption.questions
    assert number > 5


def content(answer: Any) -> bytes:
    assert answer.status_code == 200
    return bytes(answer.getvalue())
