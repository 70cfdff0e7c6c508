"""Who is new in a large Whole-History Rating that goes on live: the answer is that of all games solved together."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from handan.club import changes
from handan.club.going_on import standings_since
from handan.club.standings import Standings, standings
from handan.ledger.room import drafts
from handan.systems.families import live_versions
from handan.systems.families.paired_comparison import PairedExtra
from handan.systems.whr_live import continuing, newcomers
from handan.systems.whr_live.continuing import LiveRatings
from tests.club.helpers import TODAY, Book
from tests.club.test_going_on import FIRST, replayed
from tests.club.test_going_on_live import (
    SETTINGS,
    a_book,
    a_season,
    cards,
    close,
    entry,
    histories,
    now,
    refuse_whole_solutions,
)

pytestmark = pytest.mark.extended


@pytest.fixture(autouse=True)
def _live(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(continuing, "FROM", 0)
    monkeypatch.setattr(live_versions, "TOLERANCE", 1e-10)
    monkeypatch.setattr(newcomers, "MOST_SHIFT", 1e-9)


def came(before: Standings, book: Book) -> Standings | None:
    """Return the standings that go on from those before."""
    after = standings_since(before, book.state, TODAY)
    assert after is None or isinstance(after.ratings, LiveRatings)
    return after


def is_larger(after: Standings | None, before: Standings) -> bool:
    return after is not None and len(after.ratings.ledger.players) > len(before.ratings.ledger.players)


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_standings_with_newcomers_are_those_of_all_games_solved_together(number: int) -> None:
    dice, (book, keys) = random.Random(50 + number), a_book(SETTINGS[number])
    for day in range(12):
        entry(book, day, *dice.sample(keys, 2))
    before, live = now(book), 0
    for step in range(30):
        today = str(FIRST + timedelta(days=20 + step // 2))
        if dice.random() < 0.4:
            keys.append(book.player(f"{dice.choice('ABMZ')} {step}", dice.choice(["", "", "5k", "1d"])))
        if dice.random() < 0.8:
            black, white = keys[-1], dice.choice(keys[:-1])
            terms: dict[str, Any] = dice.choice([{}, {}, {"handicap": 3}, {"komi": 0.5}])
            book.game(*dice.choice([(black, white), (white, black)]), dice.choice(["B+R", "W+R"]), today, **terms)
        after = came(before, book)
        live += is_larger(after, before)
        before = after or now(book)
        close(before, replayed(book))
    assert live > 3


def test_several_newcomers_of_one_evening_and_a_correction_are_read_together() -> None:
    book, keys = a_season()
    before = now(book)
    new = [book.player(name) for name in ("Aaa", "Mmm", "Zzz")]
    entry(book, 20, new[0], keys[0])
    entry(book, 20, new[1], new[0])
    entry(book, 20, keys[1], new[2])
    game = f"g{book.state.games['line'].to_list()[2]}"
    book.add(changes.correct_game(book.state, game, {"result": "W+0.5"}, TODAY))
    after = came(before, book)
    assert is_larger(after, before)
    assert after is not None
    close(after, replayed(book))


def test_two_newcomers_who_play_each_other_are_a_pool_until_a_game_joins_it_to_another() -> None:
    book, keys = a_season()
    before, new = now(book), [book.player("Aaa"), book.player("Zzz")]
    entry(book, 20, *new)
    after = came(before, book)
    assert after is not None
    close(after, replayed(book))
    entry(book, 21, new[0], keys[0])
    assert came(after, book) is None


def test_a_newcomer_who_makes_a_pool_the_larger_one_renumbers_both() -> None:
    book, _ = a_book({"entry": "none"})
    keys = [book.player(f"Member {number}") for number in range(6)]
    for day in range(6):
        entry(book, day, keys[day % 2], keys[2])
        entry(book, day, keys[3 + day % 2], keys[5])
    before = now(book)
    assert before.ratings.pool.max() == 1
    entry(book, 20, book.player("Zzz"), keys[5])
    after = came(before, book)
    assert after is not None
    close(after, replayed(book))
    pools = [
        [of.ratings.pool[of.ratings.ledger.find(f"Member {number}")] for number in (2, 5)] for of in (before, after)
    ]
    assert pools == [[0, 1], [1, 0]]


def test_a_draft_with_a_newcomer_is_taken_back_to_the_bit() -> None:
    book, keys = a_season()
    new = book.player("Aaa", "3k")
    before = came(now(book), book) or now(book)
    bits, lines = histories(before), cards(before)
    draft = Book.__new__(Book)
    vars(draft).update(vars(book), records=list(book.records))
    entry(draft, 21, keys[0], draft.player("Bbb"))
    entry(draft, 21, keys[0], new)
    with drafts():
        preview = standings_since(before, draft.state, TODAY, ladder=False)
    assert preview is not None
    figures = preview.ratings.rating.copy()
    vars(before.ratings)["own"].clear()
    assert (histories(before), cards(before)) == (bits, lines)
    written = came(before, draft)
    assert written is not None
    assert np.array_equal(written.ratings.rating, figures)


def test_earlier_standings_say_what_they_said_while_players_come(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_whole_solutions(monkeypatch)
    book, keys = a_season()
    before, shown = now(book), []
    for number, name in enumerate(("Zzz", "Aaa", "Mmm", "Abb")):
        shown.append((before, cards(before)))
        entry(book, 20 + number, *random.Random(number).sample([book.player(name), keys[number % 3]], 2))
        after = came(before, book)
        assert after is not None
        before = after
    for of, lines in (*shown, *reversed(shown)):
        vars(of.ratings)["own"].clear()
        assert cards(of) == lines


def test_where_a_newcomer_has_others_enter_elsewhere_all_games_are_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has no rank and no opponent with one enters at the mean entry of the pool, which a newcomer may move."""
    book, _ = a_book({})
    one, other, ranked = book.player("One"), book.player("Other"), book.player("Ranked", "9k")
    entry(book, 0, one, other)
    entry(book, 1, other, ranked)
    entry(book, 2, one, other)
    before = now(book)
    entry(book, 20, book.player("Zzz", "5d"), other)
    assert came(before, book) is None
    monkeypatch.setattr(newcomers, "MOST_SHIFT", 1000.0)
    after = came(before, book)
    assert after is not None
    entries = [
        [PairedExtra.of(of.ratings).entry[of.ratings.ledger.find(name)] for name in ("One", "Other", "Ranked")]
        for of in (before, after)
    ]
    assert entries[0] == entries[1]


def test_newcomers_are_kept_for_the_next_process(tmp_path_factory: pytest.TempPathFactory) -> None:
    from handan.club.ratings_folder import read_ratings, write_ratings

    book, keys = a_season()
    before = now(book)
    entry(book, 20, book.player("Aaa"), keys[0])
    after = came(before, book)
    assert after is not None
    folder, rules = tmp_path_factory.mktemp("kept") / "ratings", book.state.rules[-1]
    assert write_ratings(folder, book.state, rules, after.ratings)
    read = read_ratings(folder, book.state, rules)
    assert isinstance(read, LiveRatings)
    taken_up = Standings(book.state, (replace(after.phases[-1], ratings=read),), None, TODAY)
    assert cards(taken_up) == cards(after)
    entry(book, 21, book.player("Mmm", "2k"), keys[1])
    later = came(taken_up, book)
    assert later is not None
    close(later, standings(book.state, TODAY))
