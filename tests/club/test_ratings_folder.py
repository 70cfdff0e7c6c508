"""A new process goes on from live ratings that are kept beside the club, to the bit as the one that wrote them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import handan
from handan.club import changes
from handan.club.going_on import standings_since
from handan.club.ratings_folder import kept_head, read_ratings, write_ratings
from handan.club.rules import checked
from handan.club.standings import Phase, Standings, standings
from handan.club.state_folder import Head
from handan.errors import Clause
from handan.ledger.room import drafts
from handan.systems.families import live_versions
from handan.systems.whr import WHR
from handan.systems.whr_live import continuing
from handan.systems.whr_live.continuing import LiveRatings
from handan.systems.whr_live.keeping import arrays_of, get_ready
from tests.club.helpers import TODAY, Book, damaged_files, snapshots_in, wait_until_kept
from tests.club.test_going_on import FIRST, same
from tests.club.test_going_on_live import SETTINGS, a_book, a_season, cards, close, histories, now

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.extended


@pytest.fixture(autouse=True)
def _live(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(continuing, "FROM", 0)
    monkeypatch.setattr(live_versions, "TOLERANCE", 1e-10)


def wrote(folder: Path, of: Standings) -> bool:
    assert isinstance(of.ratings, LiveRatings)
    return write_ratings(folder, of.state, of.rules, of.ratings)


def read(folder: Path, book: Book) -> Standings | None:
    rules = book.state.rules[-1]
    ratings = read_ratings(folder, book.state, rules)
    return None if ratings is None else Standings(book.state, (Phase(rules, ratings),), None, TODAY)


def after(before: Standings, book: Book) -> Standings:
    made = standings_since(before, book.state, TODAY)
    assert made is not None
    return made


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_ratings_go_on_from_a_folder_as_if_they_had_never_left_the_memory(number: int, tmp_path: Path) -> None:
    dice, (book, keys) = random.Random(number), a_book(SETTINGS[number])
    for game in range(40):
        black, white = dice.sample(keys, 2)
        book.game(black, white, dice.choice(["B+R", "W+R"]), str(FIRST + timedelta(days=game // 3)))
    before = now(book)
    assert wrote(tmp_path / "kept", before)
    again = read(tmp_path / "kept", book)
    assert again is not None
    assert again.rows == before.rows
    assert all(isinstance(note, Clause) == isinstance(own, Clause)
               for note, own in zip(again.ratings.notes, before.ratings.notes, strict=True))  # fmt: skip
    assert cards(again) == cards(before)
    for step in range(6):
        black, white = dice.sample(keys, 2)
        if step % 2:
            line = dice.choice(book.state.games["line"].to_list())
            book.add(changes.correct_game(book.state, f"g{line}", {"result": f"B+{step}.5"}, TODAY))
        else:
            book.game(black, white, dice.choice(["B+R", "W+R"]), str(FIRST + timedelta(days=13 + step)))
        before, again = after(before, book), after(again, book)
        same(again, before)
        assert histories(again) == histories(before)
    assert wrote(tmp_path / "kept", again)  # in place of the one that it is read from
    once_more = read(tmp_path / "kept", book)
    assert once_more is not None
    assert histories(once_more) == histories(before)


def test_ratings_are_those_of_one_state_and_rules_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book, keys = a_season()
    folder = tmp_path / "kept"
    assert kept_head(folder) is None
    assert read(folder, book) is None
    assert wrote(folder, now(book))
    head = kept_head(folder)
    assert head is not None
    assert (head.number, head.digest) == (book.state.number, book.state.digest)
    rules = book.state.rules[-1]
    assert read_ratings(folder, book.state, rules) is not None
    assert read_ratings(folder, book.state, checked("whr", {"w2": "30"})) is None
    assert read_ratings(folder, book.state, checked("egf", {})) is None
    other, _ = a_season()
    other.game(keys[0], keys[1], "B+R", str(FIRST))
    assert read(folder, other) is None
    monkeypatch.setattr(handan, "__version__", "0")
    assert read(folder, book) is None


def test_damaged_ratings_are_no_ratings_and_a_damaged_history_takes_no_games(tmp_path: Path) -> None:
    """Whatever is wrong with a folder, the answer is that of the games."""
    book, keys = a_season()
    folder = tmp_path / "kept"
    before = now(book)
    assert wrote(folder, before)
    line = book.state.games["line"].to_list()[3]
    later = Book()
    later.state, later.records = book.state, list(book.records)
    later.add(changes.correct_game(later.state, f"g{line}", {"result": "W+7.5"}, TODAY))
    later.game(keys[0], keys[1], "B+R", str(FIRST + timedelta(days=60)))
    some_read = 0
    for name in damaged_files(folder):
        again = read(folder, book)
        if again is None:
            continue
        some_read += 1
        assert name.startswith(("days_", "entries_", "players_", "used")), name
        assert again.rows == before.rows
        assert standings_since(again, later.state, TODAY) is None
        assert cards(again) == cards(standings(book.state, TODAY))  # solved anew
    assert some_read


def test_getting_ready_for_the_next_game_changes_nothing(tmp_path: Path) -> None:
    book, keys = a_season()
    before = now(book)
    assert wrote(tmp_path / "kept", before)
    again = read(tmp_path / "kept", book)
    assert again is not None
    assert isinstance(again.ratings, LiveRatings)
    get_ready(again.ratings)
    assert histories(again) == histories(before)
    book.game(keys[0], keys[1], "B+R", str(FIRST + timedelta(days=60)))
    same(after(again, book), after(before, book))


def test_a_history_that_points_elsewhere_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    book, keys = a_season()
    before = now(book)
    assert isinstance(before.ratings, LiveRatings)
    with before.ratings.versions.at(0) as history:
        assert history is not None
        history.entries.opponent[3] = int(history.used[0])  # no day
    assert wrote(tmp_path / "kept", before)
    again = read(tmp_path / "kept", book)
    assert again is not None
    book.game(keys[0], keys[1], "B+R", str(FIRST + timedelta(days=60)))
    assert standings_since(again, book.state, TODAY) is None


def test_what_was_read_while_a_history_went_on_is_not_kept(tmp_path: Path) -> None:
    book, keys = a_season()
    before = now(book)
    assert isinstance(before.ratings, LiveRatings)
    with arrays_of(before.ratings) as given:
        assert given is not None
        arrays, unmoved = given
        assert next(arrays)
        assert unmoved()
        with drafts():
            tried = Book()
            tried.state, tried.records = book.state, list(book.records)
            tried.game(keys[0], keys[1], "B+R", str(FIRST + timedelta(days=60)))
            after(before, tried)  # taken back to the bit, but not at every moment
        assert not unmoved()
    assert wrote(tmp_path / "kept", before)  # once nobody moves it
    latest = before
    for _ in range(live_versions.MOST_BACK + 1):
        book.game(keys[0], keys[1], "B+R", str(FIRST + timedelta(days=60)))
        latest = after(latest, book)
    assert not wrote(tmp_path / "kept", before)  # out of reach by now
    assert wrote(tmp_path / "kept", latest)


@pytest.fixture
def kept(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the snapshots."""
    with snapshots_in(tmp_path / "club.db.states", monkeypatch, EVERY=1, RATED_EVERY=1) as folder:
        yield folder


def kept_now(folder: Path, club: Club) -> Head:
    """Return of which state the ratings are kept, which is the newest, once the standings are made and written."""
    from handan.club.store import cache

    made = cache.live_standings(club)
    wait_until_kept()
    head = kept_head(folder / f"{club.slug}.ratings")
    assert head is not None
    assert head.number == made.state.number
    return head


@pytest.mark.parametrize("does", ["enters", "corrects", "both"])
def test_a_new_process_solves_nothing_and_goes_on_with_the_entries_since(
    kept: Path, club: Club, monkeypatch: pytest.MonkeyPatch, does: str
) -> None:
    from handan.club.store import cache, forgetting, snapshot
    from handan.club.store.writing import write
    from tests.club.test_cache import filled

    filled(club, 3)
    write(club, lambda state: changes.set_rules(state, checked("whr", {})), author="x")
    club.refresh_from_db()
    snapshot.keep_snapshot(club, cache.state_of(club), wait=True)
    facts = {"black": "p3", "white": "p2", "result": "B+", "date": "2026-05-09"}
    write(club, lambda state: changes.record_game(state, facts, TODAY), author="x")  # behind the snapshot
    club.refresh_from_db()
    head = kept_now(kept, club)
    monkeypatch.setattr(snapshot, "EVERY", 1000)
    monkeypatch.setattr(snapshot, "RATED_EVERY", 1000)

    def refused(*_: Any) -> Any:
        raise AssertionError("games were solved")

    monkeypatch.setattr(cache, "QUICK", 1e9)
    for step in range(3):
        cache.forget()
        with monkeypatch.context() as patch:
            for name in ("rate", "at_near", "rate_near"):
                patch.setattr(WHR, name, refused)
            again = cache.live_standings(club)
            assert isinstance(again.ratings, LiveRatings)
        close(again, standings(again.state, TODAY))
        wait_until_kept()
        if does != "enters":
            result = {"result": f"W+{step}.5"}
            write(club, partial(changes.correct_game, key="g4", fields=result, today=TODAY), author="x")
        if does != "corrects":
            write(club, lambda state: changes.record_game(state, facts, TODAY), author="x")
        club.refresh_from_db()
    assert kept_head(kept / f"{club.slug}.ratings") == head  # nearly as new
    monkeypatch.setattr(cache, "QUICK", 0.0)  # it took too long to go on from there
    cache.forget()
    kept_now(kept, club)
    last = cache.live_standings(club)
    cache.forget()
    same(cache.live_standings(club), last)
    forgetting.forget(club, "p2")
    assert not (kept / f"{club.slug}.ratings").exists()


def test_ratings_from_before_a_newer_snapshot_are_written_again(
    kept: Path, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store import cache, snapshot
    from handan.club.store.writing import write
    from tests.club.test_cache import filled

    filled(club, 3)
    write(club, lambda state: changes.set_rules(state, checked("whr", {})), author="x")
    club.refresh_from_db()
    first = cache.live_standings(club)
    wait_until_kept()
    facts = {"black": "p3", "white": "p2", "result": "B+", "date": "2026-05-09"}
    write(club, lambda state: changes.record_game(state, facts, TODAY), author="x")
    club.refresh_from_db()
    snapshot.keep_snapshot(club, cache.state_of(club), wait=True)
    monkeypatch.setattr(snapshot, "EVERY", 1000)
    monkeypatch.setattr(snapshot, "RATED_EVERY", 1000)
    cache.forget()
    again = cache.live_standings(club)
    wait_until_kept()
    close(again, standings(again.state, TODAY))
    head = kept_head(kept / f"{club.slug}.ratings")
    assert head is not None
    assert head.number == again.state.number > first.state.number
