"""What a process keeps of the clubs: bounded, right after every entry, and no club waits for another."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from handan.club.standings import Standings, standings
from handan.club.state import State
from tests.club.helpers import TODAY, Book

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.database

MakeClub = Callable[..., "Club"]
PATIENCE = 20.0
NUMBERS = count(1)


def book(games: int = 3) -> Book:
    """A ledger of two players, under a name that no other test uses."""
    made = Book(f"club-{next(NUMBERS)}")
    one, other = made.player("Ada", "1d"), made.player("Bo", "1k")
    for _ in range(games):
        made.game(one, other)
    return made


def filled(club: Club, games: int) -> None:
    from handan.club import changes
    from handan.club.store.writing import write

    write(club, lambda s: [changes.players.register_player(s, {"name": name}) for name in ("Ada", "Bo")], author="x")
    facts = {"black": "p2", "white": "p3", "result": "B+", "date": "2026-05-01"}
    for _ in range(games):
        write(club, lambda s: changes.games.record_game(s, facts, TODAY), author="x")


@pytest.fixture
def emptied(database: str) -> Iterator[None]:
    from handan.club.store.computing import computed_cache

    computed_cache.forget()
    yield
    computed_cache.forget()


@pytest.mark.usefixtures("emptied")
def test_what_is_kept_is_bounded_in_bytes_and_the_newest_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    from handan.club.store import standings as stored
    from handan.club.store.computing import ComputedCache, size_of

    state = book(40).state
    answer = standings(state, TODAY)
    kept = ComputedCache(5 * size_of(answer))
    monkeypatch.setattr(stored, "computed_cache", kept)
    for number in range(40):
        day = date(2026, 1, 1) + timedelta(days=number)
        stored.standings_of(state, day)
        assert kept.values.currsize <= 5 * size_of(answer)
    monkeypatch.setattr(stored, "computed_cache", ComputedCache(1))
    first = stored.standings_of(state)
    assert stored.standings_of(state) is first  # larger than all that may be kept: alone, but kept


def test_the_bytes_of_an_answer_grow_with_its_games_and_players() -> None:
    from handan.club.store.computing import size_of

    small, large = (standings(book(games).state, TODAY) for games in (10, 100))
    assert size_of(large) > size_of(small) + 90 * 100  # before and after of both, of each game, and its columns


@pytest.mark.usefixtures("emptied")
def test_no_club_waits_for_the_replay_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    from handan.club.store import standings as stored

    slow, other = book().state, book().state
    begun, go_on = threading.Event(), threading.Event()

    def replay(state: State, *given: Any, **more: Any) -> Standings:
        if state is slow:
            begun.set()
            assert go_on.wait(PATIENCE)
        return standings(state, *given, **more)

    monkeypatch.setattr(stored, "standings", replay)
    made: list[Standings] = []
    threads = [threading.Thread(target=lambda: made.append(stored.standings_of(slow))) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert begun.wait(PATIENCE)
    answered = threading.Thread(target=lambda: made.append(stored.standings_of(other)))
    answered.start()
    answered.join(PATIENCE)
    assert [item.state for item in made] == [other]
    go_on.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert len({id(item) for item in made}) == 2  # three who asked the same got one answer


@pytest.mark.usefixtures("emptied")
def test_what_fails_fails_for_all_who_wait_and_is_asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    from handan.club.store import standings as stored

    state = book().state

    def broken(*_: Any, **__: Any) -> None:
        raise ValueError("x")

    with monkeypatch.context() as patched:
        patched.setattr(stored, "standings", broken)
        with pytest.raises(ValueError, match="x"):
            stored.standings_of(state)
    assert stored.standings_of(state).rows


@pytest.mark.usefixtures("emptied")
def test_what_was_known_is_read_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    from handan.club.store import clock, states

    filled(club, 2)
    yesterday = clock.today() - timedelta(days=1)
    first = states.state_known(club, yesterday)
    assert first.number == 0
    with monkeypatch.context() as patched:
        patched.setattr(states, "folded", None)
        assert states.state_known(club, yesterday) is first
    assert states.state_known(club, date.max).number == 5


def test_an_answer_that_cannot_be_kept_lets_nobody_wait_for_ever() -> None:
    import threading

    from handan.club.store.computing import ComputedCache

    def too_large(_: object) -> int:
        raise MemoryError

    kept, making, go, raised = ComputedCache(1000, too_large), threading.Event(), threading.Event(), list[type]()

    def slow() -> int:
        making.set()
        go.wait(20.0)
        return 1

    def wants() -> None:
        try:
            kept.get("key", slow)
        except MemoryError as error:
            raised.append(type(error))

    threads = [threading.Thread(target=wants, daemon=True) for _ in range(2)]
    threads[0].start()
    assert making.wait(20.0)
    threads[1].start()
    go.set()
    for thread in threads:
        thread.join(20.0)
    assert raised == [MemoryError, MemoryError]


def test_a_federation_and_what_visitors_see_follow_each_game_as_a_whole_replay_says(
    make_club: MakeClub, emptied: None
) -> None:
    from handan.club import changes
    from handan.club.rules import checked
    from handan.club.service.looking import Look
    from handan.club.store.access import Actor, seen_state, set_shown
    from handan.club.store.facts import folded
    from handan.club.store.models import Role
    from handan.club.store.stored_standings import live_standings
    from handan.club.store.writing import create_club, write

    federation = make_club("egf")
    slugs = (f"{letter}-of-{federation.slug}" for letter in "ba")  # in which players come by registration, not by name
    clubs = [create_club(slug, "Club", checked("egf", {}, None, "none"), federation=federation) for slug in slugs]
    for club in clubs:
        filled(club, 3)
    set_shown(clubs[0], "p2", "")
    lookers = [Actor(club, role) for club in (federation, *clubs) for role in (Role.VISITOR, Role.OFFICER)]
    for number in range(6):
        day = str(date(2026, 5, 2) + timedelta(days=number // 2))
        facts = {"black": "p2", "white": "p3", "result": "W+", "date": day}
        write(clubs[number % 2], lambda s, f=facts: changes.games.record_game(s, f, TODAY), author="x")  # type: ignore[misc]
        if number == 4:
            write(clubs[1], lambda s: changes.games.correct_game(s, "g4", {"result": "W+7"}, TODAY), author="x")
        for by in lookers:
            look = Look(actor=by)
            made = live_standings(by.club, look.state)
            whole = standings(seen_state(folded(by.club), look.hidden), TODAY)
            assert [*made.rows] == [*whole.rows]
            assert made.state.ledger.games.equals(whole.state.ledger.games)
            pairs = zip(made.lines(made.rows[0]["key"]), whole.lines(made.rows[0]["key"]), strict=True)
            assert all(replace(one.explanation, game=None) == replace(other.explanation, game=None)
                       for one, other in pairs)  # fmt: skip


def test_an_answer_larger_than_the_room_is_not_driven_out_by_small_ones() -> None:
    from handan.club.store.computing import ComputedCache

    computed_cache = ComputedCache(100, int)
    assert computed_cache.get("large", lambda: 1000) == 1000
    for name in ("one", "two", "three"):
        computed_cache.get(name, lambda: 5)
    assert computed_cache.get("large", lambda: 0) == 1000
    assert computed_cache.get("larger", lambda: 2000) == 2000
    assert computed_cache.get("large", lambda: 0) == 0  # two of them have no room


@pytest.mark.parametrize("system", ["bradley-terry", "decayed", "whr", "glicko2"])
def test_the_next_game_of_a_member_without_one_is_the_same_from_rows_and_from_all_games(
    make_club: MakeClub, system: str
) -> None:
    from handan.club import changes
    from handan.club.store.states import state_of
    from handan.club.store.stored_standings import live_standings
    from handan.club.store.writing import write

    club = make_club(system)
    filled(club, 3)
    write(club, lambda s: changes.players.register_player(s, {"name": "Cy", "rank": "2k"}), author="x")
    state = state_of(club)
    _, bo, cy = state.people
    rows, whole = live_standings(club, state), standings(state, TODAY)
    assert rows.win_probability(bo, cy) == whole.win_probability(bo, cy)
    assert rows.fair_terms(bo, cy) == whole.fair_terms(bo, cy)
