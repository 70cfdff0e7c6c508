"""A new process begins the solution of a large history at the strengths that are kept, and comes to the same answer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from handan.club import changes
from handan.club.going_on import going_on_live, last_strengths
from handan.club.rules import checked
from handan.club.standings import Standings, standings
from handan.club.strengths_folder import Strengths, read_strengths, strengths_number, write_strengths
from handan.kernels.posterior import history_newton
from handan.kernels.posterior.newton import Effort
from handan.ledger import Ledger
from handan.systems.families import live_versions
from handan.systems.families.paired_comparison import UNIT
from handan.systems.whr import WHR
from handan.systems.whr_live import beginning, continuing
from handan.systems.whr_live.continuing import LiveRatings
from tests.club.helpers import TODAY, Book, damaged_files, snapshots_in, wait_until_kept
from tests.club.test_going_on import FIRST, replayed
from tests.club.test_going_on_live import SETTINGS, a_book, a_season, close, now

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.extended


@pytest.fixture(autouse=True)
def _live(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(continuing, "FROM", 0)


@pytest.fixture
def efforts(monkeypatch: pytest.MonkeyPatch) -> list[Effort]:
    """What solutions that begin somewhere took."""
    taken: list[Effort] = []
    climb = history_newton.climb

    def noted(*args: Any) -> Effort:
        taken.append(climb(*args))
        return taken[-1]

    monkeypatch.setattr(history_newton, "climb", noted)
    return taken


def strengths(of: Standings) -> Strengths:
    kept = last_strengths(of)
    assert kept is not None
    return kept


def from_there(book: Book, kept: Strengths) -> Standings:
    return going_on_live(standings(book.state, TODAY, near=kept))


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_at_the_solution_nobody_has_to_move(number: int, efforts: list[Effort]) -> None:
    dice, (book, keys) = random.Random(number), a_book(SETTINGS[number])
    for game in range(40):
        black, white = dice.sample(keys, 2)
        book.game(black, white, dice.choice(["B+R", "W+R"]), str(FIRST + timedelta(days=game // 3)))
    kept = strengths(now(book))
    efforts.clear()
    begun = from_there(book, kept)
    assert not efforts
    assert np.array_equal(strengths(begun).near.beyond, kept.near.beyond)
    close(begun, replayed(book))


def test_few_players_who_have_to_move_are_solved_alone(efforts: list[Effort], monkeypatch: pytest.MonkeyPatch) -> None:
    """As near the maximum as a history that goes on live: nobody is left more than its tolerance to move."""
    monkeypatch.setattr(live_versions, "TOLERANCE", tolerance := 1e-4)
    dice, book, keys = random.Random(2), *a_book({})
    keys += [book.player(f"Player {number}", f"{number % 9 + 1}k") for number in range(35)]
    for game in range(400):
        black, white = dice.sample(keys, 2)
        book.game(black, white, dice.choice(["B+R", "W+R"]), str(FIRST + timedelta(days=game // 3)))
    kept = strengths(now(book))
    book.game(keys[7], keys[21], "W+R", str(FIRST + timedelta(days=140)))
    efforts.clear()
    begun = from_there(book, kept)
    assert isinstance(begun.ratings, LiveRatings)
    assert not efforts
    whole = replayed(book)
    assert begun.ratings.versions.left() == 0
    assert max(abs(begun.ratings.rating - whole.ratings.rating)) < 10 * UNIT * tolerance
    assert begun.ratings.deviation == pytest.approx(whole.ratings.deviation, abs=0.1)


def test_where_many_have_to_move_all_are_solved(efforts: list[Effort], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beginning, "MOST_LEFT", 0.0)
    book, keys = a_season()
    kept = strengths(now(book))
    book.game(keys[0], keys[1], "W+R", str(FIRST + timedelta(days=30)))
    efforts.clear()
    close(from_there(book, kept), replayed(book))
    assert len(efforts) == 1


def test_games_players_and_corrections_that_came_since_are_solved_too() -> None:
    book, keys = a_season()
    kept = strengths(now(book))
    keys.append(book.player("Somebody New", "2k"))
    for number in range(12):
        book.game(keys[-1 - number % 2], keys[number % 3], "W+R", str(FIRST + timedelta(days=number)))
    line = book.state.games["line"].to_list()[3]
    book.add(changes.correct_game(book.state, f"g{line}", {"result": "W+0.5"}, TODAY))
    close(from_there(book, kept), replayed(book))


def test_strengths_of_another_club_lead_to_the_same_answer() -> None:
    book, _ = a_season()
    kept = strengths(now(book))
    near = kept.near._replace(beyond=np.linspace(-3.0, 3.0, len(kept.near.beyond)))
    close(from_there(book, Strengths(kept.keys[::-1], near)), replayed(book))
    close(from_there(book, Strengths([f"x{key}" for key in kept.keys], near)), replayed(book))


def test_both_forms_of_the_loops_begin_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = []
    for form in ("plain", "compiled"):
        monkeypatch.setenv("HANDAN_KERNELS", form)
        book, keys = a_season()
        kept = strengths(now(book))
        book.game(keys[0], keys[1], "B+R", str(FIRST + timedelta(days=30)))
        answers.append([kept.near.beyond.tobytes(), from_there(book, kept).ratings.rating.tobytes()])
    assert answers[0] == answers[1]


def test_small_ledgers_and_other_systems_are_rated_to_the_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    book, _ = a_season()
    kept = strengths(now(book))
    monkeypatch.setattr(continuing, "FROM", len(book.state.ledger) + 1)
    assert np.array_equal(standings(book.state, TODAY, near=kept).ratings.rating, replayed(book).ratings.rating)
    monkeypatch.setattr(continuing, "FROM", 0)
    for rules in (checked("whr", {"handicap": "learned"}), checked("egf", {})):
        book.add(changes.set_rules(book.state, rules))
        assert np.array_equal(standings(book.state, TODAY, near=kept).ratings.rating, replayed(book).ratings.rating)


def test_a_folder_says_what_was_written_or_nothing(tmp_path: Path) -> None:
    book, _ = a_season()
    kept, folder = strengths(now(book)), tmp_path / "club.strengths"
    assert read_strengths(folder) is None
    assert strengths_number(folder) is None
    write_strengths(folder, 7, kept)
    assert strengths_number(folder) == 7
    again = read_strengths(folder)
    assert again is not None
    assert again.keys == kept.keys
    for one, other in zip(again.near, kept.near, strict=True):
        np.testing.assert_array_equal(one, other)
    for name in damaged_files(folder):
        assert read_strengths(folder) is None, name
    write_strengths(folder, 8, kept._replace(near=kept.near._replace(end=kept.near.end + 10_000)))
    assert read_strengths(folder) is None  # days that are not there


@pytest.fixture
def kept(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the snapshots."""
    with snapshots_in(tmp_path / "club.db.states", monkeypatch) as folder:
        yield folder


def test_a_new_process_begins_at_the_strengths_of_the_last(
    kept: Path, club: Club, monkeypatch: pytest.MonkeyPatch, efforts: list[Effort]
) -> None:
    from handan.club.store import cache, forgetting
    from handan.club.store.writing import write
    from tests.club.test_cache import filled

    filled(club, 3)
    write(club, lambda state: changes.set_rules(state, checked("whr", {})), author="x")
    club.refresh_from_db()
    first = cache.live_standings(club)
    wait_until_kept()
    folder = kept / f"{club.slug}.strengths"
    number = strengths_number(folder)
    assert number == first.state.number
    rmtree(kept / f"{club.slug}.ratings")  # else it would go on from there
    began: list[Ledger] = []
    near = WHR.at_near

    def noted(system: WHR, ledger: Ledger, strengths: Any) -> Any:
        began.append(ledger)
        return near(system, ledger, strengths)

    monkeypatch.setattr(WHR, "at_near", noted)
    cache.forget()
    efforts.clear()
    again = cache.live_standings(club)
    assert isinstance(again.ratings, LiveRatings)
    assert (len(began), efforts) == (1, [])
    close(again, standings(again.state, TODAY))
    wait_until_kept()
    assert strengths_number(folder) == number  # nearly as new
    forgetting.forget(club, "p2")
    assert not folder.exists()
