"""A large Whole-History Rating goes on live: within its tolerance what all games say when they are solved together."""

from __future__ import annotations

import random
import sys
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest

from handan.club import changes
from handan.club.going_on import going_on_live, standings_amended, standings_on
from handan.club.movement import moved_since
from handan.club.rules import checked
from handan.club.standings import Line, Standings, standings
from handan.kernels.compiling import Kernel
from handan.ledger.room import drafts
from handan.systems.families import live_versions
from handan.systems.whr_live import continuing
from handan.systems.whr_live.continuing import LiveRatings
from handan.systems.whr_live.keeping import get_ready
from tests.club.helpers import TODAY, Book
from tests.club.test_going_on import ANOTHER, FIRST, RANKS, entered, replayed, written

pytestmark = pytest.mark.extended

CLOSE = 1e-4  # Elo; the tolerance below is far less
SETTINGS: list[dict[str, str]] = [
    {},
    {"period_days": "7", "late_ranks": "adjust"},
    {"advantage": "30", "hessian_shift": "0.001"},
    {"entry": "none", "at_1d": "100"},
]
FIGURES = ("rating", "deviation")


@pytest.fixture(autouse=True)
def _live(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(continuing, "FROM", 0)
    monkeypatch.setattr(live_versions, "TOLERANCE", 1e-10)


def a_book(settings: dict[str, str]) -> tuple[Book, list[str]]:
    book = Book("club")
    book.add(changes.set_rules(book.state, checked("whr", settings)))
    return book, [book.player(name, rank) for name, rank in RANKS.items()]


def now(book: Book) -> Standings:
    return going_on_live(standings(book.state, TODAY))


def after_entry(before: Standings, book: Book) -> Standings | None:
    return standings_on(before, book.state, TODAY) or standings_amended(before, book.state, TODAY)


def facts_of(line: Line) -> tuple[Any, list[float]]:
    """A line of a card: what it says in words, and its figures."""
    own = line.explanation
    words = (line.game, line.opponent, own.date, own.colour, own.result, own.note, own.weight, own.opponent_rank)
    figures = [own.before, own.change, own.after, *(factor.value for factor in own.reason.factors)]
    return words, [*figures, *map(float, own.reason.facts.values())]


def cards(of: Standings) -> list[tuple[Any, list[float]]]:
    """All lines of everybody's card, the reasons read with the lines, by game and by page."""
    keys = sorted(of.by_key)
    whole = [line for key in keys for line in of.lines(key)]
    games = sorted(set(of.ratings.ledger.column("line")))[-3:]
    alone = [line for game in games for line in of.game(f"g{game}")]
    pages = [line for key in keys for line in of.card_page(key, 0, 5)]
    return [facts_of(line) for line in (*whole, *alone, *pages)]


def close(one: Standings, other: Standings) -> None:
    """Compare all that two standings say, figures within the tolerance."""
    assert one.state.ledger == other.state.ledger
    for name in ("unrated", "sequence", "batch", "pool", "tallies"):
        np.testing.assert_array_equal(getattr(one.ratings, name), getattr(other.ratings, name), err_msg=name)
    for name in FIGURES:
        own, expected = getattr(one.ratings, name), getattr(other.ratings, name)
        np.testing.assert_allclose(own, expected, rtol=0, atol=CLOSE, err_msg=name)
    assert one.ratings.warnings == other.ratings.warnings
    games = one.ratings.sequence.tolist()
    spread = [[each.phases[-1].deviation_after(game + 1, 1) for game in games] for each in (one, other)]
    assert spread[0] == pytest.approx(spread[1], abs=CLOSE)
    rows = [{row["key"]: row for row in each.rows} for each in (one, other)]
    assert rows[0].keys() == rows[1].keys()
    for key, row in rows[0].items():
        assert {**row, **dict.fromkeys((*FIGURES, "place"))} == {**rows[1][key], **dict.fromkeys((*FIGURES, "place"))}
    lines = [cards(each) for each in (one, other)]
    assert [words for words, _ in lines[0]] == [words for words, _ in lines[1]]
    for (words, own), (_, expected) in zip(*lines, strict=True):
        assert own == pytest.approx(expected, abs=0.01, nan_ok=True), (
            words
        )  # changes are products of shares and figures


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_standings_after_each_entry_are_those_of_all_games_solved_together(number: int) -> None:
    dice = random.Random(number)
    book, keys = a_book(SETTINGS[number])
    before, steps = now(book), 0
    for _ in written(book, dice, keys, book.state.rules[-1], disturbing=0.25):
        after = after_entry(before, book)
        grown = after is not None and len(after.state.ledger) > len(before.state.ledger)
        steps += grown
        before = after or now(book)
        assert isinstance(before.ratings, LiveRatings)
        close(before, replayed(book))
    assert steps > 4


def test_standings_after_corrections_are_those_of_all_games_solved_together() -> None:
    dice, (book, keys) = random.Random(7), a_book({})
    for number in range(30):
        entered(book, dice, keys, FIRST + timedelta(days=number // 2))
    before, live = now(book), 0
    lines = book.state.games.sort("date")["line"].to_list()
    for facts, chosen in zip(
        [{"result": "W+3"}, *ANOTHER], ([0, 1], [0], [-1], [15], [3, 20], [7], [0, 9]), strict=True
    ):
        book.add([changes.correct_game(book.state, f"g{lines[place]}", facts, TODAY) for place in chosen])
        after = after_entry(before, book)
        live += after is not None
        before = after or now(book)
        close(before, replayed(book))
    assert live >= 3


def histories(of: Standings) -> list[bytes]:
    """All that the histories of ratings hold, as far as it is in use."""
    assert isinstance(of.ratings, LiveRatings)
    with of.ratings.versions.at(of.ratings.version) as history:
        assert history is not None
        days, entries = history.used.tolist()
        parts = [*(part[:days] for part in history.days), *(part[:entries] for part in history.entries)]
        return [np.ascontiguousarray(part).tobytes() for part in (*parts, *history.players, history.used)]


def refuse_whole_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no lines of all games be solved anew."""

    def refused(*_: Any) -> Any:
        raise AssertionError("all games were solved")

    monkeypatch.setattr(continuing, "lines_anew", refused)


def ways(of: Standings, day: date) -> tuple[Any, list[float]]:
    """Who moved since a day, and the lines of the days since then: what they say in words, and their figures."""
    moves, lines = moved_since(of, day), of.lines_between(day, day + timedelta(days=90))
    words = [(key, *item[1:2], item.rank_before, item.rank_after, item.change is None) for key, item in moves.items()]
    text = [(key, own.game, own.date, own.result, own.note) for key in sorted(lines) for own in lines[key]]
    figures = [[item.before, item.after, item.change or 0.0] for item in moves.values()]
    of_lines = [[own.before, own.change, own.after] for key in sorted(lines) for own in lines[key]]
    return (words, text), [value for row in (*figures, *of_lines) for value in row]


@pytest.mark.parametrize("number", range(len(SETTINGS)))
def test_who_moved_and_the_lines_of_a_month_are_read_without_a_solution_of_all_games(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_whole_solutions(monkeypatch)
    monkeypatch.setattr(continuing, "READ_TOGETHER", 2)
    dice = random.Random(10 + number)
    book, keys = a_book(SETTINGS[number])
    before, steps, day = now(book), 0, FIRST + timedelta(days=8)
    for step, _ in enumerate(written(book, dice, keys, book.state.rules[-1], disturbing=0.25)):
        after = after_entry(before, book)
        steps += after is not None
        before = after or now(book)
        since = day + timedelta(days=step // 10)
        (words, own), (expected, figures) = ways(before, since), ways(replayed(book), since)
        assert words == expected
        assert own == pytest.approx(figures, abs=0.01, nan_ok=True)
    assert steps > 4


def test_who_moved_is_read_again_only_of_those_whom_an_entry_reaches(monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_whole_solutions(monkeypatch)
    monkeypatch.setattr(live_versions, "TOLERANCE", 1e-6)  # what the whole solution leaves to move is less
    dice, book = random.Random(1), a_book({})[0]
    keys = [book.player(f"Member {number}", "5k") for number in range(12)]
    apart = [keys[:6], keys[6:]]  # no game joins them
    for number in range(60):
        black, white = dice.sample(apart[number % 2], 2)
        book.game(black, white, dice.choice(["B+R", "W+R"]), str(FIRST + timedelta(days=number // 4)))
    before = now(book)
    moved_since(before, FIRST)
    read: list[int] = []
    whole = continuing._read

    def counted(ratings: LiveRatings, players: Any) -> Any:
        read.extend(players.tolist() if len(players) > 1 else ())
        return whole(ratings, players)

    monkeypatch.setattr(continuing, "_read", counted)
    entry(book, 20, *apart[0][:2])
    after = after_entry(before, book)
    assert after is not None
    moves, expected = moved_since(after, FIRST), moved_since(replayed(book), FIRST)
    assert {after.ratings.ledger.players[player].name for player in read} <= {
        book.state.labels[key] for key in apart[0]
    }
    for key, item in expected.items():
        assert moves[key].before == pytest.approx(item.before, abs=0.01)


def entry(book: Book, day: int, black: str, white: str) -> None:
    book.game(black, white, "B+R", str(FIRST + timedelta(days=day)))


def a_season() -> tuple[Book, list[str]]:
    dice, (book, keys) = random.Random(3), a_book({})
    for number in range(40):
        black, white = dice.sample(keys, 2)
        book.game(black, white, dice.choice(["B+R", "W+R"]), str(FIRST + timedelta(days=number // 3)))
    return book, keys


def test_a_draft_is_taken_back_to_the_bit_and_its_own_lines_stay() -> None:
    book, keys = a_season()
    before = now(book)
    entry(book, 20, *keys[:2])
    first = after_entry(before, book)
    assert first is not None
    bits = histories(first)
    draft = Book.__new__(Book)
    vars(draft).update(vars(book), records=list(book.records))
    entry(draft, 21, keys[2], keys[0])
    with drafts():
        preview = standings_on(first, draft.state, TODAY, ladder=False)
    assert preview is not None
    assert histories(first) == bits
    game = f"g{max(draft.state.games['line'])}"
    shown = [facts_of(line) for line in preview.game(game)]
    assert histories(first) == bits
    written_down = standings_on(first, draft.state, TODAY)
    assert written_down is not None
    assert np.array_equal(written_down.ratings.rating, preview.ratings.rating)
    assert [facts_of(line) for line in written_down.game(game)] == shown


def test_earlier_standings_say_what_they_said_while_games_come() -> None:
    book, keys = a_season()
    dice, before = random.Random(5), now(book)
    shown: list[tuple[Standings, list[tuple[Any, list[float]]], list[bytes]]] = []
    for number in range(6):
        shown.append((before, cards(before), histories(before)))
        if number == 3:
            game = f"g{book.state.games['line'].to_list()[2]}"
            book.add(changes.correct_game(book.state, game, {"result": "W+0.5"}, TODAY))
        else:
            entry(book, 20 + number // 2, *dice.sample(keys, 2))
        after = after_entry(before, book)
        assert after is not None
        before = after
    for of, lines, bits in (*shown, *reversed(shown)):
        vars(of.ratings)["own"].clear()
        assert cards(of) == lines
        assert histories(of) == bits


@pytest.mark.parametrize(("limit", "most"), [("MOST_BACK", 1), ("MOST_BYTES", 0)])
def test_what_can_no_longer_be_reached_is_solved_anew(limit: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_versions, limit, most)
    book, keys = a_season()
    first = before = now(book)
    lines = cards(first)
    vars(first.ratings)["own"].clear()
    for number in range(3):
        entry(book, 20 + number, *keys[number : number + 2])
        after = after_entry(before, book)
        assert after is not None
        before = after
    for (words, own), (_, expected) in zip(lines, cards(first), strict=True):
        assert own == pytest.approx(expected, abs=0.01), words
    assert standings_on(first, book.state, TODAY) is None


def test_a_change_that_overwrites_too_much_leaves_all_games_to_be_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live_versions, "ROOM", 4)
    book, keys = a_season()
    before = now(book)
    entry(book, 20, *keys[:2])
    assert after_entry(before, book) is None
    close(now(book), replayed(book))


def test_both_forms_of_the_loops_give_the_same_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = []
    for form in ("plain", "compiled"):
        monkeypatch.setenv("HANDAN_KERNELS", form)
        book, keys = a_season()
        before = now(book)
        entry(book, 20, *keys[:2])
        game = f"g{book.state.games['line'].to_list()[2]}"
        after = after_entry(before, book)
        assert after is not None
        book.add(changes.correct_game(book.state, game, {"result": "W+0.5"}, TODAY))
        last = after_entry(after, book)
        assert last is not None
        answers.append((histories(last), histories(before), cards(last)))
    assert answers[0] == answers[1]


def signatures() -> set[str]:
    """Return for what arrays this process has machine code, and of which loops."""
    modules = [module for name, module in sys.modules.items() if name.startswith("handan.kernels.")]
    kernels = [each for module in modules for each in vars(module).values() if isinstance(each, Kernel)]
    compiled = [vars(each)[form] for each in kernels for form in ("compiled", "inner") if form in vars(each)]
    return {f"{each.__qualname__}{kind}" for each in compiled for kind in getattr(each, "signatures", ())}


def test_no_game_preview_or_correction_waits_for_a_compiler() -> None:
    pytest.importorskip("numba")
    book, keys = a_season()
    before = now(book)
    assert isinstance(before.ratings, LiveRatings)
    get_ready(before.ratings)
    loaded = signatures()
    assert any("solve" in name for name in loaded)
    entry(book, 20, *keys[:2])
    with drafts():
        assert after_entry(before, book) is not None
    after = after_entry(before, book)
    assert after is not None
    cards(after)
    game = f"g{book.state.games['line'].to_list()[2]}"
    book.add(changes.correct_game(book.state, game, {"result": "W+0.5"}, TODAY))
    last = after_entry(after, book)
    assert last is not None
    cards(last)
    histories(before)
    assert signatures() == loaded


def test_small_ledgers_and_learned_handicaps_are_solved_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    book, _ = a_season()
    monkeypatch.setattr(continuing, "FROM", len(book.state.ledger) + 1)
    assert not isinstance(now(book).ratings, LiveRatings)
    monkeypatch.setattr(continuing, "FROM", 0)
    assert isinstance(now(book).ratings, LiveRatings)
    book.add(changes.set_rules(book.state, checked("whr", {"handicap": "learned"})))
    assert not isinstance(now(book).ratings, LiveRatings)
