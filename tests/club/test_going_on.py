"""Standings of a game more are found from those before it, and are to the bit those of a whole replay."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import count, pairwise
from typing import Any

import numpy as np
import pytest

from handan.club import changes
from handan.club.entries import chained
from handan.club.folding import fold
from handan.club.going_on import standings_amended, standings_on, standings_since, standings_until
from handan.club.rules import Rules, checked
from handan.club.standings import Standings, standings
from handan.club.state import State
from handan.errors import InputError
from handan.ledger import Ledger
from handan.ledger.amended import KEPT, OF_RANKS
from handan.ledger.parts import BY_GAME
from handan.ledger.room import LARGE, drafts
from handan.ratings import Ratings
from handan.ratings.ladder import strongest_first
from handan.systems.core.base import Sequential
from handan.systems.families import continuing
from handan.systems.glicko2 import Glicko2
from tests.club.helpers import TODAY, Book

pytestmark = pytest.mark.extended

NUMBERS = count(1)
STEPWISE = [
    ("points", {"card": "tokyo15", "daily_limit": "1"}),
    ("points", {"conditions": "card"}),
    ("points", {"settle": "day"}),
    ("points", {"card": "tokyo15", "settle": "day", "daily_limit": "1", "freeze": "pair"}),
    ("points", {"settle": "month"}),
    ("sagc", {}),
    ("elo", {"k_new": "40", "new_games": "3"}),
    ("elo", {"batch": "event", "stone": "0"}),
    ("egf", {}),
    ("egf", {"batch": "game", "late_ranks": "adjust"}),
    ("egf-classic", {}),
    ("dgs", {}),
    ("glicko", {}),
    ("glicko", {"period": "day"}),
    ("glicko2", {}),
]
WHOLE: list[tuple[str, dict[str, str]]] = [("trueskill", {}), ("bradley-terry", {})]
FIRST = date(2026, 1, 1)
NOW = datetime(2026, 6, 1, tzinfo=UTC)
RANKS = {"Ada": "1k", "Bo": "3k", "Chi": "", "Dara": "1d", "Eun": ""}


def replayed(book: Book) -> Standings:
    """The standings of a ledger that is read and rated from its first entry on, with nothing kept."""
    return standings(fold(State(book.state.slug), book.records), TODAY)


def arrays(value: Any, name: str = "") -> Mapping[str, Any]:
    """All arrays of ratings by name, also those in tuples and dictionaries."""
    if isinstance(value, np.ndarray):
        return {name: value}
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, tuple) else ()
    return {key: array for part, item in parts for key, array in arrays(item, f"{name}.{part}").items()}


def same(one: Standings, other: Standings) -> None:
    assert one.state.ledger.games.equals(other.state.ledger.games)
    assert one.state.ledger == other.state.ledger
    for name in ("event", "first_game"):
        np.testing.assert_array_equal(getattr(one.state.ledger, name), getattr(other.state.ledger, name), strict=True)
    assert [phase.rules for phase in one.phases] == [phase.rules for phase in other.phases]
    for mine, clean in zip(one.phases, other.phases, strict=True):
        fields = clean.ratings.__dataclass_fields__  # some are made when they are asked for
        own, expected = (arrays({key: getattr(each.ratings, key) for key in fields}) for each in (mine, clean))
        for name in expected:
            np.testing.assert_array_equal(own[name], expected[name], err_msg=name, strict=True)
        assert np.array_equal(mine.ratings.tallies, clean.ratings.tallies)
        np.testing.assert_array_equal(mine.ratings.calibration, clean.ratings.calibration, strict=True)
        for name in ("adjusted", "warnings", "notes", "reasons"):
            assert getattr(mine.ratings, name) == getattr(clean.ratings, name)
    assert one.rows == other.rows
    assert one.last_updated == other.last_updated
    assert one.last_added == other.last_added


def of_each_game(value: Any) -> Any:
    """What a ledger says of each game, where it keeps different values with the number of each game's."""
    if not (isinstance(value, tuple) and value and isinstance(value[0], tuple)):
        return value
    return [[different[number] for number in numbers] for different, numbers in value]


def entered(book: Book, dice: random.Random, keys: list[str], day: date) -> None:
    """Enter a game: mostly on that day, sometimes earlier, of an event, of a newcomer, or one that is not rated."""
    black, white = dice.sample(keys, 2)
    if dice.random() < 0.1:
        day -= timedelta(days=dice.randint(1, 40))
    facts: dict[str, Any] = {"handicap": dice.choice([0, 0, 2, 4]), "kind": dice.choice(["club", "free", "friendly"])}
    facts |= dice.choice([{}, {}, {}, {}, {"komi": 0.5}, {"size": 13}, {"event": "Open", "round": dice.randint(1, 3)}])
    facts |= dice.choice([{}, {}, {}, {}, {}, {"black_rank": "3k"}])
    book.game(black, white, dice.choice(["B+R", "W+2.5", "B+", "jigo", "W+F"]), str(day), **facts)


def disturbed(book: Book, dice: random.Random, keys: list[str], day: date, rules: Rules) -> None:
    """Write an entry that is no game: a correction, a rank set by hand, a merger, rules from a date."""
    state = book.state
    game = f"g{dice.choice(state.games['line'].to_list())}"
    what = dice.randrange(7)
    if what == 0:
        book.add(changes.correct_game(state, game, {"result": dice.choice(["B+7", "W+7", "void"])}, TODAY))
    elif what == 1:
        book.add(changes.withdraw_game(state, game, "a mistake"))
    elif what == 2:
        book.add(changes.adjust(state, dice.choice(keys), {"rank": "2k", "date": str(day)}, TODAY, "by hand"))
    elif what == 3:
        book.add(changes.merge_players(state, *dice.sample(keys, 2)))
    elif what == 4:
        keys.append(book.player("Ada" if dice.random() < 0.3 else f"Newcomer {state.number}", dice.choice(["", "5k"])))
    elif what == 5:
        book.add(changes.set_rules(state, Rules(rules.system, rules.settings, day, rules.confirmation)))
    else:
        black, white = dice.sample(keys, 2)
        waiting = changes.record_game(state, {"black": black, "white": white, "result": "B+", "date": str(day)}, TODAY)
        key = book.add(replace(waiting, facts={**waiting.facts, "waiting": True})).subject
        if dice.random() < 0.5:
            entered(book, dice, keys, day)
        book.add(changes.confirm_game(book.state, key))


def written(
    book: Book, dice: random.Random, keys: list[str], rules: Rules, steps: int = 40, disturbing: float = 0.2
) -> Iterator[date]:
    """Write games in and out of order, and a share of entries that are no games; yield the day after each."""
    day = FIRST
    for _ in range(steps):
        day = min(day + timedelta(days=dice.choice([0, 0, 1, 3])), TODAY)
        try:
            if dice.random() < disturbing and book.state.games.height:
                disturbed(book, dice, keys, day, rules)
            else:
                entered(book, dice, keys, day)
        except InputError:
            continue
        yield day


@pytest.mark.parametrize(
    ("seed", "system", "settings"), [(seed, *case) for seed, case in enumerate([*STEPWISE, *WHOLE], start=1)]
)
def test_standings_after_each_entry_are_those_of_a_whole_replay(
    seed: int, system: str, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(continuing, "FAR", 4)  # so that what is kept of the games before goes on too
    dice, book, rules = random.Random(seed), Book(f"club-{next(NUMBERS)}"), checked(system, settings)
    book.add(changes.set_rules(book.state, rules))
    keys = [book.player(name, rank) for name, rank in RANKS.items()]
    before, steps, untils = standings(book.state, TODAY), 0, 0
    for day in written(book, dice, keys, rules):
        after = standings_on(before, book.state, TODAY) or standings_amended(before, book.state, TODAY)
        steps += after is not None and len(after.state.ledger) > len(before.state.ledger)
        before = after or standings(book.state, TODAY)
        same(before, replayed(book))
        until = standings_until(before, day)
        if until is not None and dice.random() < 0.3:
            same(until, standings(book.state, TODAY, day))
            untils += 1
    assert untils > 1
    assert steps > 5 if (system, settings) in STEPWISE else not steps


@pytest.mark.parametrize("system", ["points", "egf", "elo", "glicko2"])
def test_games_and_corrections_that_are_read_together_are_those_of_a_whole_replay(system: str) -> None:
    """As a process reads them that has not looked for a while."""
    dice, book = random.Random(9), Book(f"club-{next(NUMBERS)}")
    book.add(changes.set_rules(book.state, checked(system, {})))
    keys = [book.player(name, rank) for name, rank in {"Ada": "1k", "Bo": "3k", "Chi": "", "Dara": "1d"}.items()]
    for number in range(30):
        entered(book, dice, keys, FIRST + timedelta(days=number // 2))
    book.game(keys[0], keys[1], "W+R", str(FIRST + timedelta(days=39)))
    before = standings(book.state, TODAY)
    same(before, replayed(book))
    lines = book.state.games.sort("date")["line"].to_list()
    for step in range(6):
        first = len(book.records)
        day, pairs = str(FIRST + timedelta(days=40 + step)), [dice.sample(keys, 2) for _ in range(3)]
        new = [book.game(black, white, "B+R", day) for black, white in pairs]
        for place, game in enumerate([f"g{lines[3 * step]}", f"g{lines[-1 - step]}", new[1]][step % 2 :]):
            book.add(changes.correct_game(book.state, game, {"result": f"W+{place + step}.5"}, TODAY))
        if step == 3:  # what the rules do not say changes nothing of games
            book.add(changes.set_zone(book.state, "Asia/Tokyo"))
        caught_up = fold(before.state, book.records[first:])
        after = standings_since(before, caught_up, TODAY)
        assert after is not None
        same(after, replayed(book))
        assert "rows" in vars(after)
        before = after


ANOTHER: list[dict[str, Any]] = [
    {"result": "B+7"},
    {"result": "void"},
    {"result": "W+R", "handicap": 3, "komi": 0.5},
    {"kind": "friendly", "size": 13},
    {"notes": "as it was", "moves": 211},
    {"black_rank": "2k", "white_rank": ""},
]


@pytest.mark.parametrize("system", ["points", "egf", "elo", "glicko2", "whr"])
def test_standings_after_a_correction_are_those_of_a_whole_replay(system: str) -> None:
    """Games of any age, one or two at a time; the ledger is not made anew, and its arrays are as if it were."""
    dice, book = random.Random(7), Book(f"club-{next(NUMBERS)}")
    book.add(changes.set_rules(book.state, checked(system, {})))
    keys = [book.player(name, rank) for name, rank in {"Ada": "1k", "Bo": "3k", "Chi": "", "Dara": "1d"}.items()]
    for number in range(30):
        entered(book, dice, keys, FIRST + timedelta(days=number // 2))
    before = standings(book.state, TODAY)
    same(before, replayed(book))
    lines = book.state.games.sort("date")["line"].to_list()
    for facts, chosen in zip(ANOTHER, ([0], [-1], [15], [3, 20], [7], [0, 9]), strict=True):
        book.add([changes.correct_game(book.state, f"g{lines[place]}", facts, TODAY) for place in chosen])
        after, clean = standings_amended(before, book.state, TODAY), replayed(book)
        assert after is not None
        same(after, clean)
        assert vars(after)["rows"] == clean.rows
        for name in vars(after.state.ledger).keys() & {*BY_GAME, *KEPT, *OF_RANKS}:
            own, expected = (of_each_game(getattr(each.state.ledger, name)) for each in (after, clean))
            np.testing.assert_equal(own, expected, err_msg=name)
        before = after


@pytest.mark.parametrize(
    ("system", "settings"),
    [("glicko2", {}), ("glicko", {"period": "day"}), ("points", {"settle": "day"}), ("points", {"settle": "month"})],
)
def test_games_go_on_from_the_last_period_of_a_correction(system: str, settings: dict[str, str]) -> None:
    """What they go on from is found while the correction is rated, and is to the bit what a whole replay leaves."""
    dice, book = random.Random(11), Book(f"club-{next(NUMBERS)}")
    book.add(changes.set_rules(book.state, checked(system, settings)))
    keys = [book.player(name, rank) for name, rank in RANKS.items()]
    book.add(changes.adjust(book.state, keys[2], {"rank": "2k", "date": str(FIRST)}, TODAY, "by hand"))

    def enter(day: date) -> None:
        black, white = dice.sample(keys, 2)
        book.game(black, white, dice.choice(["B+R", "W+2.5", "jigo"]), str(day))

    for number in range(60):
        enter(FIRST + timedelta(days=number))
    live, last = standings(book.state, TODAY), FIRST + timedelta(days=60)
    lines = book.state.games["line"].to_list()
    for number, line in enumerate((lines[0], lines[30], lines[59], lines[0])):
        day = last + timedelta(days=2 * number)
        enter(day)
        after = standings_on(live, book.state, TODAY)
        assert after is not None
        result = ("B+7", "W+7", "void", "jigo")[number]
        book.add(changes.correct_game(book.state, f"g{line}", {"result": result}, TODAY))
        corrected = standings_amended(after, book.state, TODAY)
        assert corrected is not None
        same(corrected, replayed(book))
        assert continuing.BEHIND in vars(corrected.ratings)
        enter(day + timedelta(days=number % 2))
        live = standings_on(corrected, book.state, TODAY) or standings(book.state, TODAY)
        assert continuing.MADE_FROM in vars(live.ratings)
        same(live, replayed(book))


@pytest.mark.parametrize(
    ("seed", "system", "settings"), [(seed, *case) for seed, case in enumerate([*STEPWISE, *WHOLE], start=1)]
)
def test_ratings_that_are_ready_for_games_to_come_are_those_of_a_whole_replay(
    seed: int, system: str, settings: dict[str, str]
) -> None:
    dice, book, rules = random.Random(seed), Book(f"club-{next(NUMBERS)}"), checked(system, settings)
    book.add(changes.set_rules(book.state, rules))
    keys = [book.player(name, rank) for name, rank in RANKS.items()]
    cuts, went_on = 0, 0
    for number, day in enumerate(written(book, dice, keys, rules, steps=45)):
        if number % 3:
            continue
        ready = standings(book.state, TODAY, ready=True)
        same(ready, replayed(book))
        cuts += continuing.MADE_FROM in vars(ready.ratings)
        try:
            entered(book, dice, keys, min(day + timedelta(days=1), TODAY))
        except InputError:
            continue
        if (after := standings_on(ready, book.state, TODAY)) is not None:
            same(after, replayed(book))
            went_on += 1
    system_made = rules.made
    assert bool(cuts) == (isinstance(system_made, Sequential) and system_made.goes_on_from_cuts)
    assert (system, settings) not in STEPWISE or "late_ranks" in settings or went_on


def test_the_first_game_behind_ratings_that_are_ready_rates_the_last_period_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    book = Book(f"club-{next(NUMBERS)}")
    book.add(changes.set_rules(book.state, checked("glicko2", {})))
    keys = [book.player(name, rank) for name, rank in RANKS.items()]
    for number in range(40):
        book.game(keys[0], keys[1 + number % 4], "B+R", str(FIRST + timedelta(days=number)))
    ready, rated = standings(book.state, TODAY, ready=True), list[int]()
    rate_after = Glicko2.rate_after

    def counting(self: Glicko2, past: Any, ledger: Ledger) -> Ratings:
        rated.append(len(ledger))
        return rate_after(self, past, ledger)

    monkeypatch.setattr(Glicko2, "rate_after", counting)
    book.game(keys[0], keys[1], "W+R", str(FIRST + timedelta(days=40)))
    assert standings_on(ready, book.state, TODAY) is not None
    assert rated == [2]


@pytest.mark.parametrize("drafted", [False, True])
def test_a_correction_takes_the_second_memory_of_the_ratings_of_before_but_no_preview(drafted: bool) -> None:
    book = Book(f"club-{next(NUMBERS)}")
    book.add(changes.set_rules(book.state, checked("glicko2", {})))
    keys = [book.player(name, rank) for name, rank in RANKS.items()]
    for number in range(40):
        book.game(keys[0], keys[1 + number % 4], "B+R", str(FIRST + timedelta(days=number)))
    before = standings(book.state, TODAY, ready=True)
    assert before.rows
    line = book.state.games["line"][0]
    book.add(changes.correct_game(book.state, f"g{line}", {"result": "W+R"}, TODAY))
    with drafts() if drafted else nullcontext():
        after = standings_amended(before, book.state, TODAY)
    assert after is not None
    same(after, replayed(book))
    assert (continuing.BEHIND in vars(before.ratings)) is drafted


def test_who_holds_ratings_a_while_holds_one_piece_of_memory() -> None:
    book = Book(f"club-{next(NUMBERS)}")
    book.add(changes.set_rules(book.state, checked("glicko2", {})))
    keys = [book.player(name, rank) for name, rank in RANKS.items()]
    for number in range(40):
        book.game(keys[0], keys[1 + number % 4], "B+R", str(FIRST + timedelta(days=number)))
    before = standings(book.state, TODAY, ready=True)
    book.game(keys[0], keys[1], "W+R", str(FIRST + timedelta(days=40)))
    after = standings_on(before, book.state, TODAY)
    assert after is not None
    light = continuing.in_one_memory(after.ratings)
    one, two = (vars(each)[continuing.BEHIND].ratings for each in (after.ratings, light))
    assert all(np.shares_memory(each.change, after.ratings.change) for each in (one, two))
    book.game(keys[0], keys[1], "W+R", str(FIRST + timedelta(days=41)))
    for ratings in (after.ratings, light):
        assert np.shares_memory(two.change, after.ratings.change)  # also where others have gone on
        later = continuing.ratings_on(ratings, book.state.ledger)
        assert later is not None
        assert not np.shares_memory(later.change, after.ratings.change)
        np.testing.assert_array_equal(later.rating, replayed(book).ratings.rating)
    assert not np.shares_memory(one.change, after.ratings.change)


@pytest.mark.parametrize("facts", [{"date": "2026-01-01"}, {"event": "Open"}, {"black": "p3"}])
def test_a_correction_that_moves_a_game_makes_the_ledger_anew(facts: dict[str, str]) -> None:
    book = Book(f"club-{next(NUMBERS)}")
    for name in ("Ada", "Bo", "Chi"):
        book.player(name)
    games = [book.game("p1", "p2"), book.game("p2", "p3")]
    before = standings(book.state, TODAY)
    assert before.rows
    book.add(changes.correct_game(book.state, games[0], facts, TODAY))
    assert standings_amended(before, book.state, TODAY) is None
    same(standings(book.state, TODAY), replayed(book))


def test_rows_of_the_ladder_are_made_anew_for_those_who_moved_alone() -> None:
    dice, book = random.Random(3), Book(f"club-{next(NUMBERS)}")
    book.add(changes.set_rules(book.state, checked("egf", {})))
    keys = [book.player(f"Player {number}", f"{number + 1}k") for number in range(20)]
    for number in range(60):
        one, other = dice.sample(keys, 2)
        book.game(one, other, "B+", str(FIRST + timedelta(days=number)))
    before = standings(book.state, TODAY)
    places = {row["key"]: row for row in before.rows}
    black, white = (before.rows[place]["key"] for place in (3, 15))
    book.game(black, white, "B+", str(TODAY))
    after = standings_on(before, book.state, TODAY)
    assert after is not None
    assert after.rows == replayed(book).rows
    made = {row["key"] for row in after.rows if row is not places[row["key"]]}
    moved = {row["key"] for row in after.rows if row["place"] != places[row["key"]]["place"]}
    assert made == moved | {black, white}
    assert len(made) < len(keys)


def daily_games() -> tuple[Book, list[str]]:
    """A club under Glicko-2, a game a day of three players."""
    dice, book = random.Random(5), Book(f"club-{next(NUMBERS)}")
    book.add(changes.set_rules(book.state, checked("glicko2", {})))
    keys = [book.player(name) for name in ("Ada", "Bo", "Chi")]
    for number in range(40):
        one, other = dice.sample(keys, 2)
        book.game(one, other, "B+", str(FIRST + timedelta(days=number)))
    return book, keys


def test_what_stands_before_the_last_period_is_found_once_and_written_to_memory_once() -> None:
    book, keys = daily_games()
    live = standings(book.state, TODAY)
    lasts, places = [], []
    for result in ("B+", "W+", "B+"):
        facts = {"black": keys[0], "white": keys[1], "result": result, "date": str(FIRST + timedelta(days=40))}
        draft = chained([changes.record_game(book.state, facts, TODAY)], book.state.number, book.state.digest, "x", NOW)
        with drafts():
            shown = standings_on(live, fold(book.state, draft), TODAY)
        assert shown is not None
        lasts.append(vars(live.ratings)["before the last"])
        places.append(addresses(shown.ratings))
        del shown  # so that its rows are given back
    assert all(last is lasts[0] for last in lasts)
    assert places[0] == places[1] == places[2]


def columns_of(ratings: Ratings) -> list[np.ndarray]:
    """Some columns of ratings with a row a game."""
    own = [getattr(ratings, name) for name in ("before", "change", "variances", "sequence")]
    return [*own, *(getattr(ratings.extra, name) for name in ("rated_from", "variance"))]


def addresses(ratings: Ratings) -> list[int]:
    """Where columns of ratings stand in memory."""
    return [int(array.__array_interface__["data"][0]) for array in columns_of(ratings)]


def of_each_column(ratings: Ratings) -> list[bytes]:
    """What columns of ratings say now."""
    return [array.tobytes() for array in columns_of(ratings)]


@pytest.mark.parametrize("large", [1, LARGE])
def test_games_of_the_last_period_change_nothing_that_is_shown(large: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handan.ledger.room.LARGE", large)  # bytes from which on arrays have their rows of one file
    book, keys = daily_games()
    dice, live = random.Random(6), standings(book.state, TODAY)
    shown = []
    for number in range(24):
        black, white = dice.sample(keys, 2)
        book.game(black, white, "B+", str(FIRST + timedelta(days=40 + number // 2)))
        after = standings_on(live, book.state, TODAY)
        assert after is not None
        live = after
        if number % 3:  # some are looked at no more
            shown.append((live, of_each_column(live.ratings)))
    for of, columns in shown:
        assert of_each_column(of.ratings) == columns
    same(live, replayed(book))


@pytest.mark.parametrize("system", ["points", "egf", "glicko2"])
def test_a_ladder_of_which_few_rows_were_looked_at_goes_on(system: str) -> None:
    """Rows that nobody looked at are made of the ratings of then; those that were looked at stay while they hold."""
    dice, book = random.Random(5), Book(f"club-{next(NUMBERS)}")
    book.add(changes.set_rules(book.state, checked(system, {})))
    keys = [book.player(f"Player {number}", f"{number + 1}k") for number in range(30)]
    for number in range(60):
        black, white = dice.sample(keys[:-1], 2)
        book.game(black, white, "B+", str(FIRST + timedelta(days=number)))
    before = standings(book.state, TODAY)
    for number in range(20):
        shown = before.rows[number : number + 3]
        assert [row["place"] for row in shown] == [row["place"] for row in replayed(book).rows[number : number + 3]]
        black, white = dice.sample(keys[:-1], 2)
        book.game(black, white, dice.choice(["B+", "W+"]), str(FIRST + timedelta(days=60 + number)))
        after = standings_on(before, book.state, TODAY)
        assert after is not None
        clean = replayed(book)
        key = dice.choice(keys)
        assert after.by_key.get(key) == dict(zip((row["key"] for row in clean.rows), clean.rows, strict=True)).get(key)
        assert after.rows[-1] == clean.rows[-1]
        before = after
    clean = replayed(book)
    assert before.rows == clean.rows
    assert before.by_key == {row["key"]: row for row in clean.rows}
    assert [before.ratings.ledger.names[player] for player in before.by_key.players(keys)] == [
        before.state.labels[key] for key in keys
    ]
    assert before.by_key.get("p999") is None


@pytest.mark.parametrize("seed", range(4))
def test_a_ladder_near_another_is_that_of_all_players_sorted(seed: int) -> None:
    dice = np.random.default_rng(seed)
    book = Book(f"club-{next(NUMBERS)}")
    keys = [book.player(f"Player {number}") for number in range(40)]
    for one, other in pairwise(keys):
        book.game(one, other)
    ratings = standings(book.state, TODAY).ratings
    rating = dice.integers(0, 30, 40).astype(float)  # some share one
    for step in range(30):
        before = replace(ratings, rating=rating)
        rating = rating.copy()
        rating[dice.integers(0, 40, 3)] = dice.integers(0, 30, 3) + (0.5 if step % 2 else 0.0)
        rating[dice.integers(0, 40)] = np.nan if step == 20 else 7.0
        after = replace(ratings, rating=rating)
        np.testing.assert_array_equal(strongest_first(after, strongest_first(before)), strongest_first(after))


def test_who_comes_anew_takes_a_place_in_the_ledger_of_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a game or a rank, in the midst of the order of registration or behind it; no game is laid out anew."""
    dice, book = random.Random(3), Book(f"club-{next(NUMBERS)}")
    book.add(changes.set_rules(book.state, checked("egf", {})))
    names = [f"Player {letter}" for letter in "ABCDEFGH"]
    keys = [book.player(name, "" if place % 3 else "5k", ids=[f"EGF:{place}"] if place % 2 else [])
            for place, name in enumerate(names)]  # fmt: skip
    for number in range(12):
        entered(book, dice, [keys[0], keys[3], keys[6]], FIRST + timedelta(days=number))
    before = standings(book.state, TODAY)
    assert len(before.state.ledger.players) < len(keys)
    made, day = State._whole_ledger, str(FIRST + timedelta(days=60))

    def refused(_: State) -> Any:
        raise AssertionError("all games were laid out anew")

    monkeypatch.setattr(State, "_whole_ledger", refused)
    for step in range(6):
        if step == 1:
            keys += [book.player("Newcomer", "3k", ids=["EGF:99"]), book.player("Another")]
            assert book.state.ledger is not before.state.ledger
        book.game(keys[[1, 9, 8, 4, 5, 7][step]], keys[[0, 2, 0, 8, 9, 1][step]], "B+R", day)
        if step == 4:
            book.player("Nobody yet")  # who stands in no ledger
        after = standings_on(before, book.state, TODAY) or standings(book.state, TODAY)
        with monkeypatch.context() as patch:
            patch.setattr(State, "_whole_ledger", made)
            same(after, replayed(book))
        before = after
    ledger = book.state.ledger
    book.player("Nobody else")
    assert book.state.ledger is ledger
    monkeypatch.setattr(State, "_whole_ledger", made)
    book.player("Another")  # both bear their keys from now on
    same(standings(book.state, TODAY), replayed(book))
    assert book.state.ledger.names != ledger.names


@pytest.mark.parametrize("plays", [False, True])
def test_a_rank_is_that_of_who_bears_the_name_and_not_of_who_has_it_as_a_number(*, plays: bool) -> None:
    """Who was entered by the number of a register, before the name was known, may be called like another's number."""
    book = Book(f"club-{next(NUMBERS)}")
    book.add(changes.set_rules(book.state, checked("egf", {})))
    keys = [book.player("Ada", "5k", ids=["17076590"]), book.player("Bo", "3k")]
    book.game(keys[0], keys[1], "B+R", str(FIRST))
    before = standings(book.state, TODAY)
    named = book.player("17076590")
    book.add(changes.adjust(book.state, named, {"rank": "4d"}, TODAY, "rank on entry"))
    if plays:
        book.game(named, keys[1], "B+R", str(FIRST + timedelta(days=1)))
    after = standings_since(before, book.state, TODAY) or standings(book.state, TODAY)
    same(after, replayed(book))
    assert [line.explanation.opponent for line in after.lines(keys[0])] == [
        line.explanation.opponent for line in before.lines(keys[0])
    ]
    assert after.by_key[named]["rank"] in {"3d", "4d", "5d"}
