"""People who come, in whatever order and under whatever names, leave a live process what one that reads all finds."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest

from handan.club import changes, passing_on
from handan.club.entries import Draft, chained
from handan.club.folding import fold
from handan.club.going_on import standings_since
from handan.club.kinds import Kind
from handan.club.rules import checked
from handan.club.standings import Standings, standings
from handan.club.state import State
from handan.errors import InputError
from handan.ledger.room import drafts
from tests.club.helpers import MOMENT, TODAY, Book
from tests.club.test_going_on import FIRST, same

pytestmark = pytest.mark.extended

NAMES = [
    "Ada", "ADA", "Ａda", "Äda", "Ada (club:p2)", "Ada (EGF:1)", "EGF:1", "EGF:2", "Zoe", "Aaa", "Bo", "bo", "p3",
    "club:p4", "伊藤", "いとう", "Ada (1)", "Former members",
]  # fmt: skip
"""Some look like another one's number, key or label, or differ from another one in letters alone."""
IDS: list[list[str]] = [[], [], [], ["EGF:1"], ["EGF:2"], ["EGF:3", "EGF:4"], ["Ada"], ["Bo"], ["club:p3"], ["Zoe"]]
OF_PEOPLE = (
    "labels", "keys", "active", "gone", "namesakes", "first_days", "name_numbers", "homes", "owners", "spellings",
    "loose_spellings", "like_names", "searched",
)  # fmt: skip
Entry = Callable[[State, random.Random, date], Any]


@pytest.fixture(autouse=True)
def rows_of_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let arrays lie in memory as those of large clubs do."""
    monkeypatch.setattr("handan.ledger.room.LARGE", 1)


def newcomer(state: State, dice: random.Random, _: date) -> Any:
    named, ids = dice.random() < 0.7, dice.choice(IDS)
    fields = {"name": dice.choice(NAMES) if named else f"Newcomer {state.number}", "ids": ids if named else []}
    return changes.register_ranked(state, fields, dice.choice(["", "", "5k", "1d"]), TODAY)


def game(state: State, dice: random.Random, day: date) -> Any:
    """Record a game, mostly on that day, mostly of who came last."""
    keys = [*state.active]
    black, white = dice.sample(keys[-4:] if dice.random() < 0.6 else keys, 2)
    day -= timedelta(days=dice.choice([0] * 9 + [1, 40]))
    terms: list[dict[str, Any]] = [{}, {}, {"handicap": 2}, {"event": "Open", "round": dice.randint(1, 3)}]
    result = dice.choice(["B+R", "W+2.5", "jigo", "W+F"])
    facts = {"black": black, "white": white, "result": result, "date": str(day), **dice.choice(terms)}
    return changes.record_game(state, facts, TODAY)


def rank(state: State, dice: random.Random, day: date) -> Any:
    facts: dict[str, Any] = dice.choice([{"rank": "2k"}, {"rating": 1500}, {"rank": "4d", "at_least": True}])
    when = dice.choice([str(day), str(day + timedelta(days=5)), str(FIRST), None])
    return changes.adjust(state, dice.choice([*state.active][-5:]), {**facts, "date": when}, TODAY, "by hand")


def correction(state: State, dice: random.Random, day: date) -> Any:
    """Correct one of the last games; who it is taken from may be without a game again."""
    player = {dice.choice(["black", "white"]): dice.choice([*state.active])}
    facts = dice.choice([{"result": "B+7"}, {"result": "void"}, player, player, {"date": str(day - timedelta(days=2))}])
    return changes.correct_game(state, a_game(state, dice), facts, TODAY)


def other(state: State, dice: random.Random, _: date) -> Any:
    """Write an entry of another kind."""
    keys = [*state.active]
    made: list[Callable[[], Any]] = [
        lambda: changes.withdraw_game(state, a_game(state, dice)),
        lambda: changes.restore_game(state, a_game(state, dice)),
        lambda: changes.merge_players(state, *dice.sample(keys, 2)),
        lambda: changes.split_players(state, dice.choice([*state.merged, "p1"])),
        lambda: changes.withdraw_player(state, dice.choice(keys)),
        lambda: changes.restore_player(state, dice.choice([*sorted(state.withdrawn), "p1"])),
        lambda: changes.change_player(state, dice.choice(keys), {"name": dice.choice(NAMES)}),
        lambda: changes.change_player(state, dice.choice(keys), {"ids": dice.choice(IDS)}),
        lambda: changes.withdraw_adjustment(state, dice.choice([*state.adjustments, "a1"])),
    ]
    return dice.choice(made)()


def a_game(state: State, dice: random.Random) -> str:
    return f"g{dice.choice([0, *state.games['line'].to_list()][-6:])}"


ENTRIES: list[Entry] = [*[newcomer] * 3, *[game] * 4, rank, correction, other]


def drawn(state: State, dice: random.Random, day: date) -> list[Draft]:
    """Drafts that may follow a state; none where the chosen one may not."""
    try:
        made = dice.choice(ENTRIES)(state, dice, day)
    except InputError:
        return []
    return [made] if isinstance(made, Draft) else [*made]


def as_made_anew(live: Standings, book: Book) -> None:
    """Compare standings with those of a process that reads the entries of a book from the first on."""
    clean = standings(fold(State(book.state.slug), book.records), TODAY)
    for name in OF_PEOPLE:
        assert getattr(live.state, name) == getattr(clean.state, name), name
    for name in ("keys", "active", "name_numbers"):
        assert [*getattr(live.state, name)] == [*getattr(clean.state, name)], name
    same(live, clean)
    assert [*live.state.ledger.players] == [*clean.state.ledger.players]
    assert live.state.ledger.warnings == clean.state.ledger.warnings
    np.testing.assert_array_equal(live.state.ledger.first_declared, clean.state.ledger.first_declared)
    for key in [*clean.state.active][-3:]:
        assert live.lines(key) == clean.lines(key)


def with_drafts(book: Book, made: list[Draft]) -> Book:
    """A book with entries that nobody writes."""
    records = [*chained(made, book.state.number, book.state.digest, "keeper", MOMENT)]
    draft = Book(book.state.slug)
    draft.records, draft.state = [*book.records, *records], fold(book.state, records)
    return draft


@pytest.mark.parametrize(
    ("seed", "system"), [(6, "egf"), (1, "points"), (26, "glicko2"), (9, "elo"), (16, "sagc"), (11, "aga")]
)
def test_whoever_comes_in_whatever_order_leaves_what_a_process_that_reads_all_finds(seed: int, system: str) -> None:
    """Also where entries are read together, and where previews that nobody writes come between."""
    dice, book, day = random.Random(seed), Book("club"), FIRST
    book.add(changes.set_rules(book.state, checked(system, {})))
    for name in ("Pia", "Quan", "Rui"):
        book.player(name, dice.choice(["", "2k"]))
    live, read = standings(book.state, TODAY), len(book.records)
    seen = book.state
    for _ in range(45):
        day += timedelta(days=dice.choice([0, 0, 0, 1, 3]))
        if not (made := drawn(book.state, dice, day)):
            continue
        book.add(made)
        if dice.random() < 0.4:  # this process looks later
            continue
        seen, read = fold(seen, book.records[read:]), len(book.records)
        reader = Book(book.state.slug)
        reader.state, reader.records = seen, book.records
        if made := drawn(seen, dice, day):
            draft = with_drafts(reader, made)
            with drafts():
                preview = standings_since(live, draft.state, TODAY, ladder=False) or standings(draft.state, TODAY)
            as_made_anew(preview, draft)
        live = standings_since(live, seen, TODAY) or standings(seen, TODAY)
        as_made_anew(live, book)


@pytest.mark.parametrize("name", ["ledger_with", "with_players", "_counting"])
def test_a_fault_while_somebody_comes_leaves_the_next_who_looks_a_right_answer(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Book("club")
    book.add(changes.set_rules(book.state, checked("egf", {})))
    keys = [book.player(each, "3k") for each in ("Pia", "Quan")]
    book.game(keys[0], keys[1], "B+R", str(FIRST))
    before = standings(book.state, TODAY)
    book.game(book.player("Newcomer"), keys[0], "W+R", str(FIRST))
    follower = replace(book.state)
    vars(follower).update(vars(book.state))
    with monkeypatch.context() as patch:

        def fails(*_: Any) -> Any:
            raise MemoryError

        patch.setattr(passing_on, name, fails)
        with pytest.raises(MemoryError):
            standings_since(before, book.state, TODAY)
    as_made_anew(standings_since(before, book.state, TODAY) or standings(book.state, TODAY), book)
    as_made_anew(standings_since(before, follower, TODAY) or standings(follower, TODAY), book)


@pytest.mark.parametrize("name", ["ADA", "Ａｄａ", "1d", "EGF:1"])
def test_the_terms_of_a_newcomer_are_not_those_of_who_is_called_nearly_so(name: str) -> None:
    """By other capitals or widths, by a number of a register, or by what looks like a rank."""
    book = Book("club")
    book.add(changes.set_rules(book.state, checked("egf", {})))
    ada, bo = book.player("Ada", "5d", ids=["EGF:1"]), book.player("Bo", "10k")
    book.game(ada, bo, "W+R", str(FIRST))
    newcomer, plain = book.player(name), book.player("Someone")
    now = standings(book.state, TODAY)
    terms, expected = now.fair_terms(newcomer, bo), now.fair_terms(plain, bo)
    assert {terms.black, terms.white} == {name, "Bo"}
    assert terms.stones_on_board == expected.stones_on_board
    assert now.win_probability(newcomer, bo) == now.win_probability(plain, bo)
    assert now.newcomers(newcomer, bo) == [name]
    assert {now.fair_terms(newcomer, ada).black, now.fair_terms(newcomer, ada).white} == {name, "Ada"}
    with pytest.raises(InputError, match="twice"):
        now.fair_terms(plain, plain)


def test_who_goes_while_somebody_comes_is_shown_no_longer() -> None:
    """As a ledger may say that was brought from elsewhere: a withdrawn player sits in a game, until it is corrected."""
    book = Book("club")
    keys = [book.player(each) for each in ("Pia", "Quan", "Rui")]
    number = book.game(keys[0], keys[1])
    book.add(Draft(Kind.PLAYER_WITHDRAWN, {}, keys[0]))
    before, read = standings(book.state, TODAY), len(book.records)
    assert keys[0] in before.state.active
    book.add(changes.correct_game(book.state, number, {"black": keys[2]}, TODAY))
    book.player("Newcomer")
    state = fold(before.state, book.records[read:])
    as_made_anew(standings_since(before, state, TODAY) or standings(state, TODAY), book)
