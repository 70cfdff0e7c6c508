"""Any order of entry, correction, withdrawal, restoration, merging and undoing gives the lists of a clean replay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from handan.club import changes
from handan.club.changes import fold
from handan.club.rules import Rules
from handan.club.standings import standings
from handan.club.state import State
from handan.errors import InputError
from handan.systems import SYSTEMS
from tests.club.helpers import TODAY, Book
from tests.naive.club import DAYS, PlainClub

RESULTS = st.sampled_from(["B+R", "W+3.5", "jigo", "W+F", "void"])
TERMS = st.fixed_dictionaries(
    {
        "result": RESULTS,
        "date": st.sampled_from([str(day) for day in DAYS]),
        "handicap": st.integers(0, 4),
        "komi": st.sampled_from([0.5, 6.5]),
        "kind": st.sampled_from(["club", "tournament", "free"]),
    }
)
CHOICE = st.integers(0, 10**6)


class Clubs(RuleBasedStateMachine):
    """A ledger of entries beside a club in plain dictionaries."""

    systems: tuple[str, ...] = ()
    new_book: Callable[[], Book] = Book

    @initialize()
    def begin(self) -> None:
        self.book, self.plain = type(self).new_book(), PlainClub()
        for name, rank in (("Ada", "2d"), ("Bo", "1k"), ("Cleo", "5k")):
            self.register(name, rank)

    def register(self, name: str, rank: str) -> None:
        key = self.book.player(name, rank)
        self.plain.names[key] = name
        self.plain.adjustments[f"a{int(key[1:]) + 1}"] = (key, rank, None)

    @precondition(lambda self: len(self.plain.names) < 6)
    @rule(rank=st.sampled_from(["3d", "4k", "12k"]))
    def newcomer(self, rank: str) -> None:
        self.register(f"Newcomer {len(self.plain.names)}", rank)

    @rule(one=CHOICE, other=CHOICE, terms=TERMS, waits=st.booleans())
    def record(self, one: int, other: int, terms: dict[str, Any], *, waits: bool) -> None:
        black, white = (self.pick(self.plain.names, choice) for choice in (one, other))
        if self.plain.final(black) == self.plain.final(white):
            return
        facts = {"black": black, "white": white, **terms}
        draft = changes.games.record_game(self.book.state, facts, TODAY)
        if waits:
            draft.facts["waiting"] = True  # type: ignore[index]
        key = self.book.add(draft).subject
        self.plain.games[key] = facts
        if waits:
            self.plain.waiting.add(key)

    @precondition(lambda self: self.plain.waiting)
    @rule(choice=CHOICE)
    def confirm(self, choice: int) -> None:
        key = self.pick(self.plain.waiting, choice)
        if self.tried(lambda: changes.games.confirm_game(self.book.state, key)):
            self.plain.waiting.discard(key)

    @precondition(lambda self: self.plain.games)
    @rule(choice=CHOICE, terms=TERMS)
    def correct(self, choice: int, terms: dict[str, Any]) -> None:
        key = self.pick(self.plain.games, choice)
        if self.tried(lambda: changes.games.correct_game(self.book.state, key, terms, TODAY)):
            self.plain.games[key] |= terms

    @precondition(lambda self: self.plain.games)
    @rule(choice=CHOICE)
    def withdraw(self, choice: int) -> None:
        key = self.pick(self.plain.games, choice)
        if self.tried(lambda: changes.games.withdraw_game(self.book.state, key)):
            self.plain.withdrawn.add(key)

    @precondition(lambda self: self.plain.withdrawn)
    @rule(choice=CHOICE)
    def restore(self, choice: int) -> None:
        key = self.pick(self.plain.withdrawn, choice)
        if self.tried(lambda: changes.games.restore_game(self.book.state, key)):
            self.plain.withdrawn.discard(key)

    @rule(one=CHOICE, other=CHOICE)
    def merge(self, one: int, other: int) -> None:
        key, into = (self.pick(self.plain.names, choice) for choice in (one, other))
        if self.tried(lambda: changes.players.merge_players(self.book.state, key, into)):
            self.plain.merge(key, into)

    @precondition(lambda self: self.plain.merged)
    @rule(choice=CHOICE)
    def split(self, choice: int) -> None:
        key = self.pick(self.plain.merged, choice)
        if self.tried(lambda: changes.players.split_players(self.book.state, key)):
            self.plain.split(key)

    @rule(choice=CHOICE, rank=st.sampled_from(["1d", "8k"]), day=st.sampled_from([str(day) for day in DAYS]))
    def adjust(self, choice: int, rank: str, day: str) -> None:
        key = self.pick(self.plain.names, choice)
        facts = {"rank": rank, "date": day}
        if self.tried(lambda: changes.players.adjust(self.book.state, key, facts, TODAY)):
            self.plain.adjustments[self.book.records[-1].subject] = (key, rank, day)

    @precondition(lambda self: self.plain.adjustments)
    @rule(choice=CHOICE)
    def take_back(self, choice: int) -> None:
        key = self.pick(self.plain.adjustments, choice)
        if self.tried(lambda: changes.players.withdraw_adjustment(self.book.state, key)):
            del self.plain.adjustments[key]

    @invariant()
    def the_list_is_that_of_a_clean_replay(self) -> None:
        self.compare("sagc")

    def teardown(self) -> None:
        for system in self.systems:
            self.compare(system)
        again = fold(State("club"), self.book.records)
        assert again.ledger == self.book.state.ledger
        assert again.digest == self.book.state.digest

    def compare(self, system: str) -> None:
        rows = standings(self.book.state, TODAY, rules=Rules(system)).rows
        assert {row["player"]: (row["rating"], row["rank"], row["games"]) for row in rows} == self.plain.table(system)

    def tried(self, make: Any) -> bool:
        """Write what is allowed; whether it was."""
        try:
            self.book.add(make())
        except InputError:
            return False
        return True

    @staticmethod
    def pick(items: Any, choice: int) -> str:
        return str(sorted(items)[choice % len(items)])


@pytest.mark.extended
@pytest.mark.parametrize("share", range(3))
def test_any_order_of_changes_gives_the_lists_of_a_clean_replay_under_every_system(share: int) -> None:
    """Each share of the systems gets its own runs, so that they run side by side."""
    machine = type("Share", (Clubs,), {"systems": tuple(SYSTEMS)[share::3]})
    run_state_machine_as_test(machine, settings=settings(max_examples=5, stateful_step_count=25, deadline=None))
