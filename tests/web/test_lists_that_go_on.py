"""Lists that go on while somebody looks; one that takes long to solve keeps nobody, and one job solves it for all."""

from __future__ import annotations

import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_pages import MakeClub, registered, signed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

    from handan.club.store.models import Club

pytestmark = [pytest.mark.database, pytest.mark.extended]


class Solver:
    """The solver of lists, which goes on when a test lets it."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        from handan.club.store import list_jobs, rating_lists
        from handan.club.store.list_replay import Replay

        self.module, self.times = list_jobs, 0
        self.began, self.may, self.answered = threading.Event(), threading.Event(), threading.Event()
        run = Replay.run

        def counted(replay: Replay) -> Iterator[Any]:
            self.times += 1
            self.began.set()
            assert threading.current_thread().name != "making a list" or self.may.wait(60)
            return run(replay)

        patch.setattr(Replay, "run", counted)
        patch.setattr(rating_lists, "QUICK", 0.0)
        patch.setattr(rating_lists, "sleep", lambda _: self.answered.wait(60))  # no page reads the list it removes

    def ended(self, club: Club) -> None:
        """Let it go on when all pages are answered, and wait for it."""
        self.may.set()
        self.answered.set()
        self.module._jobs[club.pk].join(60)
        self.answered.clear()


@pytest.fixture
def club(make_club: MakeClub) -> Club:
    return make_club("whr")


@pytest.fixture
def keeper(club: Club) -> Client:
    from handan.club.store.models import Role

    return signed_in(club, Role.SECRETARY)


def entered(club: Club, result: str = "B+") -> None:
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    black, white = [*state_of(club).people][:2]
    facts = {"black": black, "white": white, "result": result, "date": "2026-05-01"}
    write(club, lambda state: changes.games.record_game(state, facts, today()), author="x")


@pytest.fixture
def solver(club: Club, keeper: Client, monkeypatch: pytest.MonkeyPatch) -> Solver:
    """A club with two players, a game, and the list of it."""
    registered(keeper, club, "Ada", "5k")
    registered(keeper, club, "Bo", "5k")
    entered(club)
    keeper.get(f"/{club.slug}/")
    return Solver(monkeypatch)


def ladder(client: Client, club: Club) -> str:
    return client.get(f"/{club.slug}/").content.decode()


def ladder_in_a_thread(client: Client, club: Club) -> str:
    from django.db import connections

    try:
        return ladder(client, club)
    finally:
        connections.close_all()


def test_who_looks_sees_the_list_of_before_until_one_job_has_solved_the_next(
    club: Club, keeper: Client, solver: Solver
) -> None:
    from handan.club.standings import standings
    from handan.club.store.clock import today
    from handan.club.store.states import state_of
    from handan.club.store.stored_standings import live_standings

    before, last = ladder(keeper, club), club.number
    assert "after entry" not in before
    entered(club, "W+")
    pages = {ladder(keeper, club) for _ in range(3)}
    assert all(f"after entry {last}: the games since are being rated" in page for page in pages)
    registered(keeper, club, "Cy", "9k")
    assert f"after entry {last}" in ladder(keeper, club)
    solver.ended(club)
    assert solver.times <= 2  # once more for who came meanwhile
    assert "after entry" not in ladder(keeper, club)
    state = state_of(club)
    assert [*live_standings(club, state).rows] == [*standings(state, today()).rows]


def test_a_form_that_enters_a_game_is_answered_before_the_list_is_solved(
    club: Club, keeper: Client, solver: Solver
) -> None:
    sent = {"black": "Ada", "white": "Bo", "result": "W+", "date": "2026-05-02", "kind": "club", "handicap": "0",
            "komi": "6.5", "size": "19", "token": "one", "save": "1"}  # fmt: skip
    assert keeper.post(f"/{club.slug}/games/new/", sent).status_code == 302
    assert "after entry" in ladder(keeper, club)
    solver.ended(club)


def test_a_preview_does_not_wait_for_the_list_and_says_what_its_game_alone_does(
    club: Club, keeper: Client, solver: Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.service.games import enter_game
    from handan.club.standings import standings
    from handan.club.store.access import Actor
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.stored_standings import live_standings

    monkeypatch.setattr(solver.module, "PATIENCE", 0.1)
    entered(club, "W+")
    registered(keeper, club, "Cy", "9k")
    before = {row["player"]: row["rating"] for row in standings(state_of(club), today()).rows}
    assert "after entry" in ladder(keeper, club)
    black, _, white = [*state_of(club).people]
    fields = {"black": black, "white": white, "result": "B+", "date": "2026-05-03"}
    change = enter_game(Actor(club, Role.KEEPER), fields)
    outcome = change.would_do()
    for day in (fields["date"], str(today())):
        sent = {**fields, "date": day, "kind": "club", "handicap": "0", "komi": "6.5", "size": "19", "preview": "1"}
        page = keeper.post(f"/{club.slug}/games/new/", sent).content.decode()
        assert re.search(r"Cy.*→", page, re.DOTALL)
    assert "after entry" in ladder(keeper, club)  # else they have made the list
    solver.ended(club)
    change.write()
    after = {row["player"]: row["rating"] for row in live_standings(club, state_of(club)).rows}
    assert {row["player"]: (row["before"], row["after"]) for row in outcome.moved} == {
        name: (before.get(name), rating) for name, rating in after.items() if before.get(name) != rating
    }


def test_who_was_found_to_be_another_is_in_no_list_of_before(club: Club, keeper: Client, solver: Solver) -> None:
    solver.may.set()
    registered(keeper, club, "Cy", "9k")
    sent = {"player": "Cy", "into": "Ada", "reason": "a slip", "token": "two", "save": "1"}
    keeper.post(f"/{club.slug}/who-is-who/", sent)
    assert "after entry" not in ladder(keeper, club)


@pytest.mark.parametrize("over", [timedelta(minutes=-5), timedelta(days=365)], ids=["over", "clock was ahead"])
def test_what_another_process_solves_is_left_to_it_until_its_time_is_over(
    club: Club, keeper: Client, solver: Solver, over: timedelta
) -> None:
    from django.utils import timezone

    from handan.club.store.list_models import RatingList
    from handan.club.store.rating_lists import LEASE

    solver.may.set()
    entered(club, "W+")
    rows = RatingList.objects.filter(club=club)
    rows.update(solved_until=timezone.now() + LEASE)
    assert "after entry" in ladder(keeper, club)
    solver.ended(club)
    assert solver.times == 0
    rows.update(solved_until=timezone.now() + over)
    ladder(keeper, club)
    solver.ended(club)
    assert solver.times == 1
    assert "after entry" not in ladder(keeper, club)


def test_who_makes_a_list_gives_signs_of_life(
    club: Club, keeper: Client, solver: Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store import rating_lists
    from handan.club.store.list_models import RatingList

    monkeypatch.setattr(rating_lists, "SIGN", 0.02)
    entered(club, "W+")
    ladder(keeper, club)
    assert solver.began.wait(60)
    lists = RatingList.objects.filter(club=club)

    def signs() -> tuple[Any, Any]:
        return lists.get(question="").solved_until, lists.exclude(question="").get().used

    first, latest, end = signs(), signs(), time.monotonic() + 60
    while time.monotonic() < end and not all(sign > one for sign, one in zip(latest, first, strict=True)):
        time.sleep(0.02)
        latest = signs()
    assert all(sign > one for sign, one in zip(latest, first, strict=True))
    solver.ended(club)
    assert "after entry" not in ladder(keeper, club)


def test_what_a_killed_process_left_is_made_by_another_and_removed(club: Club, keeper: Client, solver: Solver) -> None:
    from django.utils import timezone

    from handan.club.store.list_models import BESIDE, RatingList
    from handan.club.store.rating_lists import LEASE, new_list

    solver.may.set()
    entered(club, "W+")
    left = new_list(club, f"{BESIDE}left")
    long_ago = timezone.now() - LEASE - timedelta(seconds=1)
    RatingList.objects.filter(club=club).update(used=long_ago, solved_until=long_ago + LEASE)
    ladder(keeper, club)
    solver.ended(club)
    assert "after entry" not in ladder(keeper, club)
    assert not RatingList.objects.filter(pk=left.pk).exists()


def test_rules_that_find_no_answer_are_said_by_the_page_that_asks_next(
    club: Club, keeper: Client, solver: Solver, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store.list_replay import Replay
    from handan.errors import InputError

    def refuse(_: Replay) -> Iterator[Any]:
        raise InputError("these rules find no answer")

    entered(club, "W+")
    monkeypatch.setattr(Replay, "run", refuse)
    ladder(keeper, club)
    solver.ended(club)
    assert "hese rules find no answer" in ladder(keeper, club)


@pytest.mark.parametrize("after", ["the first game", "an upgrade", "new rules", "a correction"])
def test_games_are_entered_while_a_large_list_is_made_anew(
    after: str, make_club: MakeClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club import changes
    from handan.club.rules import Rules
    from handan.club.standings import standings
    from handan.club.store import rating_lists
    from handan.club.store.clock import today
    from handan.club.store.list_models import FORM, Block, RatingList, Standing
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.stored_standings import live_standings
    from handan.club.store.writing import write

    club = make_club("egf")
    keeper = signed_in(club, Role.SECRETARY)
    registered(keeper, club, "Ada", "5k")
    registered(keeper, club, "Bo", "5k")
    if after != "the first game":
        entered(club)
        keeper.get(f"/{club.slug}/")
    monkeypatch.setattr(rating_lists, "RATED_AT_ONCE", 0)
    solver, lists = Solver(monkeypatch), RatingList.objects.filter(club=club)
    if after == "an upgrade":
        lists.update(form=FORM - 1)
    elif after == "new rules":
        write(club, lambda state: changes.office.set_rules(state, Rules("elo", {})), author="x")
    elif after == "a correction":
        sent = {"black": "Ada", "white": "Bo", "result": "W+", "date": "2026-05-01", "kind": "club", "handicap": "0",
                "komi": "6.5", "size": "19", "reason": "misread", "token": "corrected", "save": "1"}  # fmt: skip
        game = state_of(club).games["line"].item(0)
        assert keeper.post(f"/{club.slug}/games/g{game}/correct/", sent).status_code == 302
    else:
        entered(club)
    with ThreadPoolExecutor(1) as pool:
        page = pool.submit(ladder_in_a_thread, keeper, club)
        assert solver.began.wait(60)
        entered(club, "W+")  # refused where it waits longer than a writer does
        solver.may.set()
        assert "Ada" in page.result(60)
    solver.ended(club)
    assert "after entry" not in ladder(keeper, club)
    state = state_of(club)
    assert [*live_standings(club, state).rows] == [*standings(state, today()).rows]
    assert [*lists.values_list("question", flat=True)] == [""]
    assert {*Block.objects.filter(list__club=club).values_list("list", flat=True)} == {lists.get().pk}
    assert Standing.objects.filter(list__club=club).count() == 2
