"""A new process goes on from kept ratings of a replay, to the bit as one that rates all games."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any
from weakref import ref

import pytest

import handan
from handan.club import changes
from handan.club.going_on import standings_since
from handan.club.ratings_folder import are_kept, kept_head, read_ratings, write_ratings
from handan.club.rules import checked
from handan.club.standings import Phase, Standings, standings
from handan.club.state_folder import head_of, read_state, write_state
from handan.errors import InputError
from handan.ledger.room import drafts
from handan.systems.core.base import Sequential, System
from handan.systems.egf import EGF
from handan.systems.families import continuing, keeping
from handan.systems.families.keeping import KeptRatings
from handan.systems.points import Points
from tests.club.helpers import TODAY, Book, damaged_files, snapshots_in, wait_until_kept
from tests.club.test_going_on import FIRST, NUMBERS, RANKS, STEPWISE, disturbed, entered, replayed, same

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.extended

PATIENCE = 20.0
OTHERS: list[tuple[str, dict[str, str]]] = [("aga", {}), ("kgs", {}), ("ogs", {}), ("holigor", {}), ("accelrat", {})]
"""Systems that rate all games anew after each entry."""


@pytest.fixture(autouse=True)
def _of_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "FROM", 0)


def a_club(system: str, settings: dict[str, str], seed: int = 1, games: int = 60) -> tuple[Book, list[str]]:
    """A club of five players with some months of games, ranks set by hand, and games that are not rated."""
    dice, book, rules = random.Random(seed), Book(f"club-{next(NUMBERS)}"), checked(system, settings)
    book.add(changes.set_rules(book.state, rules))
    keys = [book.player(name, rank) for name, rank in RANKS.items()]
    book.add(changes.adjust(book.state, keys[2], {"rank": "2k", "date": str(FIRST + timedelta(days=9))}, TODAY, "hand"))
    for game in range(games):
        entered(book, dice, keys, FIRST + timedelta(days=game // 2))
    book.game(keys[0], keys[1], "W+R", str(FIRST + timedelta(days=39)))
    return book, keys


def read(folder: Path, book: Book) -> Standings | None:
    rules = book.state.rules[-1]
    ratings = read_ratings(folder, book.state, rules)
    return None if ratings is None else Standings(book.state, (Phase(rules, ratings),), None, TODAY)


def kept(folder: Path, book: Book, now: Standings | None = None) -> Standings:
    """Standings of a club as another process has them that reads what this one writes."""
    now = standings(book.state, TODAY) if now is None else now
    assert write_ratings(folder, book.state, now.rules, now.ratings)
    again = read(folder, book)
    assert again is not None
    assert isinstance(again.ratings, KeptRatings)
    return again


def cards(of: Standings) -> list[str]:
    """All that is said of everybody's games, with reasons: by card, by game and by page."""
    keys, games = sorted(of.by_key), of.ratings.ledger.column("line").to_list()[-3:]
    lines = [line for key in keys for line in (*of.lines(key), *of.card_page(key, 0, 5))]
    return [repr(line) for line in (*lines, *(line for game in games for line in of.game(f"g{game}")))]


def copied(book: Book) -> Book:
    made = Book(book.state.slug)
    made.state, made.records = book.state, list(book.records)
    return made


KEPT = [(system, settings) for system, settings in STEPWISE if "late_ranks" not in settings]


@pytest.mark.parametrize(("system", "settings"), [*KEPT, *OTHERS])
def test_kept_ratings_and_all_that_go_on_from_them_are_those_of_a_whole_replay(
    system: str, settings: dict[str, str], tmp_path: Path
) -> None:
    dice, (book, keys), steps = random.Random(3), a_club(system, settings), 0
    now = kept(tmp_path / "kept", book)
    clean = replayed(book)
    assert now.rows == clean.rows
    assert cards(now) == cards(clean)
    same(now, clean)
    for step in range(9):
        now = kept(tmp_path / "kept", book, now) if step % 3 == 0 else now
        day = FIRST + timedelta(days=40 + step)
        with drafts():
            tried = copied(book)
            tried.game(keys[0], keys[1], "B+R", str(day))
            previewed = standings_since(now, tried.state, TODAY)
            if previewed is not None:
                same(previewed, replayed(tried))
        try:
            if step % 4 == 2:
                line = dice.choice(book.state.games["line"].to_list())
                book.add(changes.correct_game(book.state, f"g{line}", {"result": f"B+{step}.5"}, TODAY))
            elif step == 7:
                disturbed(book, dice, keys, day, book.state.rules[-1])
            else:
                black, white = dice.sample(keys, 2)
                book.game(black, white, dice.choice(["B+R", "W+2.5"]), str(day))
        except InputError:
            continue
        after = standings_since(now, book.state, TODAY)
        steps += after is not None
        now = after or standings(book.state, TODAY)
        same(now, replayed(book))
        if len(now.phases) > 1:
            break
    assert steps > 3 if (system, settings) in STEPWISE else steps >= 0


@pytest.mark.parametrize("system", ["egf", "points", "glicko2"])
def test_games_go_on_from_kept_ratings_that_are_written_anew_meanwhile(system: str, tmp_path: Path) -> None:
    book, keys = a_club(system, {})
    now = kept(tmp_path / "kept", book)
    later = copied(book)
    later.game(keys[0], keys[1], "B+R", str(FIRST + timedelta(days=50)))
    kept(tmp_path / "kept", later)  # another process removes the files
    assert cards(now) == cards(replayed(book))
    after = standings_since(now, later.state, TODAY)
    assert after is not None
    same(after, replayed(later))


def test_kept_ratings_are_those_of_one_state_rules_and_version_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (book, keys), folder = a_club("egf", {}), tmp_path / "kept"
    assert read(folder, book) is None
    kept(folder, book)
    head = kept_head(folder)
    assert head is not None
    assert (head.number, head.digest) == (book.state.number, book.state.digest)
    for other in (checked("egf", {"start": "200"}), checked("whr", {}), checked("glicko2", {})):
        assert read_ratings(folder, book.state, other) is None
    later = copied(book)
    later.game(keys[0], keys[1], "B+R", str(FIRST + timedelta(days=50)))
    assert read(folder, later) is None
    other_club, _ = a_club("egf", {}, seed=2)
    assert read(folder, other_club) is None
    with monkeypatch.context() as patch:
        patch.setattr(EGF, "revision", EGF.revision + 1)
        assert read(folder, book) is None
    monkeypatch.setattr(handan, "__version__", "0")
    assert read(folder, book) is None


def test_ratings_whose_ranks_the_games_set_are_rated_anew(tmp_path: Path) -> None:
    """What such a rank says of its player is not kept."""
    book, _ = a_club("egf", {"late_ranks": "adjust"})
    ratings = standings(book.state, TODAY).ratings
    assert any(item.item not in ratings.ledger.adjustments for item in ratings.adjusted)
    assert not write_ratings(tmp_path / "kept", book.state, book.state.rules[-1], ratings)
    assert kept_head(tmp_path / "kept") is None


def test_ratings_of_few_games_and_of_systems_of_others_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    book, _ = a_club("egf", {}, games=5)
    ratings = standings(book.state, TODAY).ratings
    assert are_kept(ratings)
    with monkeypatch.context() as patch:
        patch.setattr(EGF, "__module__", "somebody_elses")
        assert not are_kept(ratings)
    monkeypatch.setattr(keeping, "FROM", len(ratings.ledger) + 1)
    assert not are_kept(ratings)


@pytest.mark.parametrize("system", ["egf", "points", "glicko2"])
def test_whatever_is_damaged_the_answer_is_that_of_the_games(system: str, tmp_path: Path) -> None:
    book, keys = a_club(system, {}, games=30)
    folder = tmp_path / "kept"
    kept(folder, book)
    clean = replayed(book)
    expected = cards(clean)
    later = copied(book)
    later.game(keys[0], keys[1], "B+R", str(FIRST + timedelta(days=50)))
    went_on, replay = 0, replayed(later)
    for name in damaged_files(folder):
        again = read(folder, book)
        if again is None:
            continue
        assert name.startswith("game_"), name
        assert again.rows == clean.rows
        after = standings_since(again, later.state, TODAY)
        assert after is not None
        same(after, replay)
        assert cards(again) == expected
        went_on += 1
    assert went_on


@pytest.fixture
def folders(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the snapshots."""
    with snapshots_in(tmp_path / "club.db.states", monkeypatch, EVERY=1) as folder:
        yield folder


@pytest.mark.parametrize(("system", "made"), [("points", Points), ("egf", EGF)])
def test_a_new_process_rates_nothing_and_goes_on_with_the_entries_since(
    folders: Path, club: Club, monkeypatch: pytest.MonkeyPatch, system: str, made: type[System]
) -> None:
    from handan.club.store import cache, forgetting, snapshot
    from handan.club.store.writing import write
    from tests.club.test_cache import filled

    filled(club, 3)
    write(club, lambda state: changes.set_rules(state, checked(system, {})), author="x")
    club.refresh_from_db()
    snapshot.keep_snapshot(club, cache.state_of(club), wait=True)
    cache.live_standings(club)
    wait_until_kept()
    folder = folders / f"{club.slug}.ratings"
    head = kept_head(folder)
    assert head is not None
    assert head.number == club.number
    facts = {"black": "p3", "white": "p2", "result": "B+", "date": "2026-05-09"}

    def refused(*_: Any) -> Any:
        raise AssertionError("all games were rated")

    monkeypatch.setattr(cache, "QUICK", 1e9)
    for _ in range(3):
        cache.forget()
        with monkeypatch.context() as patch:
            for each in (made, Sequential):
                patch.setattr(each, "rate", refused)
            again = cache.live_standings(club)
        assert isinstance(again.ratings, KeptRatings)
        same(again, standings(again.state, TODAY))
        wait_until_kept()
        assert kept_head(folder) == head  # nearly as new
        write(club, lambda state: changes.record_game(state, facts, TODAY), author="x")
        club.refresh_from_db()
    monkeypatch.setattr(snapshot, "RATED_EVERY", 1)
    cache.forget()
    again = cache.live_standings(club)
    wait_until_kept()
    assert (kept_head(folder) or head).number == club.number
    assert (head_of(folders / club.slug) or head).number == club.number  # so that its ledger need not be made again
    write(club, lambda state: changes.correct_game(state, "g4", {"result": "W+"}, TODAY), author="x")
    club.refresh_from_db()
    cache.forget()
    again = cache.live_standings(club)
    same(again, standings(again.state, TODAY))
    wait_until_kept()
    forgetting.forget(club, "p2")
    assert not folder.exists()


def test_a_new_process_that_folds_long_up_to_kept_ratings_leaves_the_next_one_a_snapshot_of_them(
    folders: Path, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store import cache
    from handan.club.store.writing import write
    from tests.club.test_cache import filled

    filled(club, 3)
    early = cache.state_of(club)
    facts = {"black": "p3", "white": "p2", "result": "B+", "date": "2026-05-09"}
    write(club, lambda state: changes.record_game(state, facts, TODAY), author="x")
    club.refresh_from_db()
    expected = cache.live_standings(club)
    wait_until_kept()
    number = club.number
    write(club, lambda state: changes.record_game(state, facts, TODAY), author="x")
    club.refresh_from_db()
    folder = folders / club.slug
    for slow, left in ((False, early.number), (True, number)):
        write_state(folder, early)
        cache.forget()
        with monkeypatch.context() as patch:
            patch.setattr(cache, "QUICK", -1.0 if slow else 1e9)
            state = cache.state_of(club)
            wait_until_kept()
        assert state.number == number + 1
        kept = head_of(folder)
        assert kept is not None
        assert kept.number == left
        again = read_state(folder, kept)
        assert again is not None
        if slow:
            same(standings(again, TODAY), expected)


def test_ratings_that_nobody_wants_any_more_are_given_up_while_they_are_written(tmp_path: Path) -> None:
    (book, _), folder, unwanted = a_club("egf", {}), tmp_path / "kept", iter([False, False, True])
    now = standings(book.state, TODAY)
    assert not write_ratings(folder, book.state, now.rules, now.ratings, lambda: next(unwanted))
    assert read(folder, book) is None
    assert next(unwanted, None) is None
    same(kept(folder, book), replayed(book))


def test_who_makes_ratings_anew_has_the_memory_of_those_that_are_being_kept(
    folders: Path, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody's first game comes while ratings are written: these are given up, and those with it kept."""
    from handan.club.store import cache, snapshot
    from handan.club.store.writing import write
    from tests.club.test_cache import filled

    filled(club, 3)
    write(club, lambda state: changes.set_rules(state, checked("glicko2", {})), author="x")
    club.refresh_from_db()
    begun, answers, numbers = Event(), list[bool](), list[int]()

    def slowly(path: Path, state: Any, rules: Any, ratings: Any, unwanted: Callable[[], bool]) -> bool:
        numbers.append(state.number)
        begun.set()
        until = monotonic() + PATIENCE
        while len(numbers) == 1 and not unwanted() and monotonic() < until:
            sleep(0.01)
        answers.append(unwanted())
        return write_ratings(path, state, rules, ratings, unwanted)

    monkeypatch.setattr(snapshot, "write_ratings", slowly)
    gone = ref(cache.live_standings(club).ratings)
    assert begun.wait(PATIENCE)
    write(club, lambda state: changes.register_player(state, {"name": "Chi"}), author="x")
    club.refresh_from_db()
    facts = {"black": cache.state_of(club).keys["Chi"], "white": "p2", "result": "B+", "date": "2026-05-09"}
    write(club, lambda state: changes.record_game(state, facts, TODAY), author="x")
    club.refresh_from_db()
    there = list[object]()

    def watching(*given: Any, **more: Any) -> Standings:
        wait_until_kept()
        there.append(gone())
        return standings(*given, **more)

    monkeypatch.setattr(cache, "standings", watching)
    again = cache.live_standings(club)
    wait_until_kept()
    assert there == [None]
    assert answers == [True, False]
    assert (kept_head(folders / f"{club.slug}.ratings") or again.state).number == club.number == numbers[1]
    same(again, standings(again.state, TODAY))


def test_what_goes_on_behind_a_kept_cut_is_far_from_it_at_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(continuing, "FAR", 4)
    book, keys = a_club("glicko2", {})
    now = kept(tmp_path / "kept", book)
    for day in range(12):
        book.game(keys[0], keys[1], "B+R", str(FIRST + timedelta(days=50 + day)))
        after = standings_since(now, book.state, TODAY)
        assert after is not None
        now = kept(tmp_path / "kept", book, after) if day % 5 == 4 else after
        same(now, replayed(book))


def test_a_day_of_the_past_is_that_of_a_whole_replay(tmp_path: Path) -> None:
    book, _ = a_club("points", {"settle": "month"})
    now = kept(tmp_path / "kept", book)
    day = date(2026, 1, 20)
    assert now.for_next_game.rows() == replayed(book).for_next_game.rows()
    same(standings(now.state, TODAY, day), standings(replayed(book).state, TODAY, day))


@pytest.mark.parametrize("system", ["egf", "glicko2"])
def test_kept_ratings_leave_memory_with_the_last_who_looks_at_them(system: str, tmp_path: Path) -> None:
    """A server does not look for circles among what it made at its start."""
    book, keys = a_club(system, {})
    now: Standings | None = kept(tmp_path / "kept", book)
    assert now is not None
    assert now.ratings.before.size
    assert cards(now)
    gone = ref(now.ratings)
    book.game(keys[0], keys[1], "B+R", str(FIRST + timedelta(days=50)))
    gc.disable()
    try:
        after = standings_since(now, book.state, TODAY)
        assert after is not None
        assert gone() is not None
        now = None
        assert gone() is None
    finally:
        gc.enable()
