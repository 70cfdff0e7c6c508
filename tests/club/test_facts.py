"""The rows of players, games, adjustments and sheets say at every moment what folding the entries anew comes to."""

from __future__ import annotations

import random
import re
import shutil
from collections.abc import Callable, Iterable
from dataclasses import fields
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import invariant, precondition, rule, run_state_machine_as_test

from handan.club import changes, lists
from handan.club.entries import Draft, Record
from handan.club.recorded import Chosen, Games
from handan.club.rules import Rules
from handan.club.state import State
from handan.errors import InputError
from handan.ledger import Bye, Event, Participant, Player, When
from tests.club.helpers import MOMENT, TODAY, Book, import_records
from tests.club.test_any_order import CHOICE, Clubs
from tests.naive.club import DAYS
from tests.processes import handan

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.database

MakeClub = Callable[..., "Club"]


class StoredBook(Book):
    """A ledger in the database: what is added is written to a club."""

    def __init__(self, club: Club) -> None:
        super().__init__(club.slug)
        self.club = club
        self.read()

    def read(self) -> None:
        from handan.club.store.facts import folded, records

        self.records, self.state = list(records(self.club)), folded(self.club)

    def add(self, drafts: Draft | Iterable[Draft], _: datetime = MOMENT, author: str = "keeper") -> Record:
        from handan.club.store.writing import write

        made = [drafts] if isinstance(drafts, Draft) else list(drafts)
        write(self.club, lambda _: made, author=author)
        self.read()
        return self.records[-1]


class Facts(Clubs):
    """All that can be entered, in any order; the rows are compared with the fold after each."""

    new_club: Callable[[], Club]

    @classmethod
    def new_book(cls) -> Book:
        return StoredBook(cls.new_club())

    @precondition(lambda self: self.plain.games)
    @rule(choice=CHOICE, number=st.integers(1, 4))
    def put_on_a_sheet(self, choice: int, number: int) -> None:
        games, sheets = {number: self.pick(self.plain.games, choice)}, [*self.book.state.sheets]
        if sheets and choice % 2:
            self.tried(lambda: changes.sheets.continue_sheet(self.book.state, self.pick(sheets, choice), games))
        else:
            self.tried(lambda: changes.sheets.enter_sheet(self.book.state, games))

    @precondition(lambda self: self.book.state.sheets)
    @rule(choice=CHOICE, back=st.booleans())
    def check_a_sheet(self, choice: int, *, back: bool) -> None:
        key = self.pick(self.book.state.sheets, choice)
        checks = self.book.state.sheets[key].checks
        if back and checks:
            self.tried(lambda: changes.sheets.withdraw_check(self.book.state, key, checks[-1]))
        else:
            self.tried(lambda: changes.sheets.check_sheet(self.book.state, key))

    @rule(choice=CHOICE, place=st.integers(1, 3), what=st.sampled_from(["enter", "change", "withdraw"]))
    def tell_of_an_event(self, choice: int, place: int, what: str) -> None:
        state, events = self.book.state, [*self.book.state.events]
        key = self.pick(self.plain.names, choice)
        there = Participant(
            Player(key, country="SE", club="Ume"), "3d", place, ((place, Bye.ALLOCATED),), (f"{place}",)
        )
        event = Event(f"Cup {place}", When.of(DAYS[place]), participants=(there,), director="Ada")
        if what == "enter" or not events:
            self.tried(lambda: changes.events.enter_event(state, event, TODAY))
        elif what == "change":
            self.tried(lambda: changes.events.change_event(state, self.pick(events, choice), event, TODAY))
        else:
            self.tried(lambda: changes.events.withdraw_event(state, self.pick(events, choice)))

    @precondition(lambda self: self.plain.waiting)
    @rule(choice=CHOICE)
    def dispute(self, choice: int) -> None:
        key = self.pick(self.plain.waiting, choice)
        self.tried(lambda: changes.games.dispute_game(self.book.state, key, "white won"))

    @rule(choice=CHOICE, reading=st.sampled_from(["", "ヤマダ", "Yamada (2)"]), number=st.integers(0, 3))
    def change(self, choice: int, reading: str, number: int) -> None:
        fields = {"reading": reading, "ids": [f"egd:{number}"] if number else [], "country": "ZA"}
        self.tried(lambda: changes.players.change_player(self.book.state, self.pick(self.plain.names, choice), fields))

    @rule(choice=CHOICE)
    def enter_by_mistake(self, choice: int) -> None:
        gone = list(self.book.state.withdrawn)
        if gone and choice % 2:
            self.tried(lambda: changes.players.restore_player(self.book.state, self.pick(gone, choice)))
            return
        key = self.book.add(changes.players.register_player(self.book.state, {"name": "Mistake"})).subject
        self.tried(lambda: changes.players.withdraw_player(self.book.state, key))

    @rule(k=st.integers(10, 40), day=st.sampled_from([None, DAYS[1]]), zone=st.sampled_from(["", "Asia/Tokyo"]))
    def set_rules(self, k: int, day: date | None, zone: str) -> None:
        self.tried(lambda: changes.office.set_rules(self.book.state, Rules("elo", {"k": float(k)}, day)))
        self.tried(lambda: changes.office.set_zone(self.book.state, zone))

    @invariant()
    def the_list_is_that_of_a_clean_replay(self) -> None:
        """Compare the rows instead."""
        from handan.club.store.facts import refuse_other_rows

        if hasattr(self, "book"):
            refuse_other_rows(self.book.club, self.book.state)  # type: ignore[attr-defined]

    def teardown(self) -> None:
        """Compare at the end what is read from the rows."""
        from handan.club.store.states import state_of

        if hasattr(self, "book"):
            compare(state_of(self.book.club), self.book.state)  # type: ignore[attr-defined]


def compare(stored: State, plain: State) -> None:
    """Ask a state that is read from rows, thing by thing, what one in memory says; and one with an entry more."""
    keys = [*plain.people, "p0", "strange"]
    assert [stored.people.get(key) for key in keys] == [plain.people.get(key) for key in keys]
    assert {key: stored.labels.get(key) for key in keys} == {key: plain.labels.get(key) for key in keys}
    assert {label: stored.keys.get(label) for label in plain.keys} == {**plain.keys}
    assert [key for key in keys if stored.is_active(key)] == [key for key in keys if plain.is_active(key)]
    for text in ("Ada", "ada", "a", "Newcomer 3", "comer new", "ヤマダ", "yamada", "egd:2", "2", "Mistake", "%", "'"):
        assert stored.matches(text) == plain.matches(text), text
        assert stored.spelt(text) == plain.spelt(text)
        assert stored.loosely_spelt(text) == plain.loosely_spelt(text)
        assert stored.bearing(text) == plain.bearing(text)
    names = {person.name for person in plain.people.values()}
    assert {name: stored.namesakes(name) for name in names} == {name: plain.namesakes(name) for name in names}
    assert {key: stored.names_of(key) for key in keys} == {key: plain.names_of(key) for key in keys}
    days = list(DAYS[:2])
    asks: list[Callable[[Games], pl.DataFrame]] = [
        lambda games: games.of(keys[:2]), lambda games: games.on(days), lambda games: games.on([], undated=True),
        lambda games: games.rows(Chosen(statuses=[1, 2, 3])), lambda games: games.numbered([7, 9, 12]),
        lambda games: games.frame,
    ]  # fmt: skip
    chosen = [Chosen(), Chosen([keys[0]]), Chosen(status=1), Chosen(day=DAYS[2]), Chosen([keys[1]], 0, DAYS[3])]
    parts: list[tuple[int, ...]] = [(), (0, 3), (2, 50)]
    for what in (*chosen, Chosen(status=-1), Chosen(status=10**30)):
        asks += [lambda games, what=what, part=part: games.latest(what, *part) for part in parts]  # type: ignore[misc]
    assert [stored.recorded.count(what) for what in chosen] == [plain.recorded.count(what) for what in chosen]
    for ask in asks:
        assert ask(stored.recorded).equals(ask(plain.recorded))
    names_of_fields = [field.name for field in fields(State) if field.name not in {"people", "recorded"}]
    assert [getattr(stored, name) for name in names_of_fields] == [getattr(plain, name) for name in names_of_fields]
    for name in ("Cup 1", "Cup 9", "\x00"):
        assert stored.events.named(name) == plain.events.named(name)
    assert [stored.events.of([key]) for key in keys] == [plain.events.of([key]) for key in keys]
    assert (stored.gone, {**stored.active}, {**stored.labels}) == (plain.gone, {**plain.active}, {**plain.labels})
    assert stored.ledger == plain.ledger


@pytest.mark.extended
def test_after_any_entries_the_rows_are_those_of_the_fold(make_club: MakeClub) -> None:
    machine = type("StoredFacts", (Facts,), {"new_club": staticmethod(lambda: make_club("sagc"))})
    run_state_machine_as_test(machine, settings=settings(max_examples=4, stateful_step_count=20, deadline=None))


def filled(club: Club, *, listed: bool = True) -> StoredBook:
    """Return a club with a few people, games with notes, an adjustment with a note, and an official list if wanted."""
    book = StoredBook(club)
    keys = [book.player(name, rank) for name, rank in (("Ada", "2d"), ("Bo", "1k"), ("Cleo", "5k"))]
    for number in range(6):
        book.game(keys[number % 3], keys[(number + 1) % 3], notes=f"Ada was late {number}")
    book.add(changes.players.adjust(book.state, keys[0], {"rank": "3d", "date": "2026-05-02"}, TODAY, "Ada asked"))
    book.add(changes.office.set_zone(book.state, "Asia/Tokyo"))
    there = tuple(Participant(Player(key, country="SE", club=f"Club of {key}"), "3d", 1) for key in keys[:2])
    cup = Event("Cup", When.of("2026-05-02"), participants=there, director="Ada L.", comments=("Ada won",))
    book.add(changes.events.enter_event(book.state, cup, TODAY))
    if listed:
        book.add(lists.publish(book.state, TODAY, TODAY))
    return book


def test_forgetting_takes_names_and_notes_out_of_the_rows_of_the_club_and_of_its_federation(
    make_club: MakeClub,
) -> None:
    from handan.club.store.facts import folded, refresh, refuse_other_rows
    from handan.club.store.forgetting import forget
    from handan.club.store.models import OF_FACTS

    above = make_club("egf")
    book = filled(make_club("egf", federation=above))
    refresh(above)
    forget(book.club, next(iter(book.state.people)))
    for club in (book.club, above):
        refuse_other_rows(club, folded(club))
        rows = [str(row) for model in OF_FACTS for row in model._base_manager.filter(club=club).values_list()]
        texts = [re.sub("[0-9a-f]{64}", "", row) for row in rows]  # a digest may spell a name
        assert not [text for text in texts if "Ada" in text or "ada" in text or "Club of p2" in text]
        assert "Club of p" in str(texts)  # of the other participant


def test_the_latest_games_are_the_first_of_all_in_order(make_club: MakeClub) -> None:
    """Games without a date come last, in whatever part they are asked for."""
    from handan.club.store.states import state_of

    book = StoredBook(make_club("sagc"))
    one, other = book.player("Ada"), book.player("Bo")
    dice = random.Random(3)
    days = [None, *(f"2026-01-{day:02}" for day in range(1, 5)), "2026-01", "2026-01-02 19:30"]
    games = [{"black": one, "white": other, "result": "B+", "date": dice.choice(days)} for _ in range(40)]
    book.add([changes.games.record_game(book.state, facts, TODAY) for facts in games])
    stored, whole = state_of(book.club).recorded, book.state.recorded.latest(Chosen())
    for start in range(0, 45, 3):
        for number in (1, 4, 20):
            assert stored.latest(Chosen(), start, start + number).equals(whole[start : start + number])


@pytest.mark.parametrize(
    ("table", "change", "words"),
    [
        ("Player", {"name": "Eve"}, "something else of p2 than its entries (name)"),
        ("Game", {"result": "W+R"}, "than its entries (result)"),
        ("Adjustment", {"withdrawn": True}, "than its entries (withdrawn)"),
        ("Event", {"name": "Cop"}, "than its entries (name)"),
    ],
)
def test_verify_names_the_row_that_differs_and_rebuild_mends_it(
    table: str, change: dict[str, Any], words: str, make_club: MakeClub
) -> None:
    from handan.club.store import models
    from handan.club.store.copying import check_club
    from handan.club.store.facts import refresh

    book = filled(make_club("sagc"))
    model: Any = getattr(models, table)
    first = model.objects.filter(club=book.club).first()
    model.objects.filter(pk=first.pk).update(**change)
    with pytest.raises(InputError, match="than its entries") as error:
        check_club(book.club, lists=False)
    assert words in str(error.value)
    assert refresh(book.club) == 1
    model.objects.filter(pk=first.pk).delete()
    with pytest.raises(InputError, match="lacks"):
        check_club(book.club, lists=False)
    assert refresh(book.club) == 1
    check_club(book.club, lists=False)


def test_a_federations_rows_are_those_of_its_clubs_and_its_own_entries(make_club: MakeClub) -> None:
    from handan.club.store.facts import folded, heads_of_rows, refresh, refuse_other_rows

    above = make_club("egf")
    books = [filled(make_club("egf", federation=above)) for _ in range(2)]
    own = StoredBook(above)
    own.player("Official", "4d")
    one, other = (f"{book.club.slug}.{next(iter(book.state.people))}" for book in books)
    own.add(changes.players.merge_players(own.state, one, other))
    refresh(above)
    refuse_other_rows(above, folded(above))
    own.add(changes.players.split_players(own.state, one))
    books[0].add(changes.games.withdraw_game(books[0].state, f"g{books[0].state.games['line'][0]}"))
    refuse_other_rows(above, folded(above, heads_of_rows(above)))
    assert refresh(above) > 0
    refuse_other_rows(above, folded(above))


def test_a_federations_rows_follow_games_of_its_clubs_alone_without_being_compared(
    make_club: MakeClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store import states
    from handan.club.store.facts import folded, refuse_other_rows

    above = make_club("egf")
    book = filled(make_club("egf", federation=above), listed=False)
    states.state_of(above)
    one, other = [*book.state.people][:2]
    with monkeypatch.context() as patched:
        patched.setattr(states, "save_differing", None)
        book.game(one, other, day="2026-04-01")
        book.add(changes.games.correct_game(book.state, f"g{book.state.games['line'][0]}", {"komi": 7.5}, TODAY))
        book.add(changes.games.withdraw_game(book.state, f"g{book.state.games['line'][1]}"))
        compare(states.state_of(above), folded(above))
        refuse_other_rows(above, folded(above))
    book.player("Newcomer", "3k")
    compare(states.state_of(above), folded(above))


def test_an_imported_ledger_and_a_copied_database_have_their_rows(
    alone: None, make_club: MakeClub, tmp_path: Path
) -> None:
    from handan.club.store import backup
    from handan.club.store.facts import folded, records, refuse_other_rows
    from handan.club.store.models import Club

    book = filled(make_club("sagc"), listed=False)
    twin = Club.objects.create(slug=f"{book.club.slug}-twin", name="Twin")
    import_records(twin, records(book.club))
    refuse_other_rows(twin, folded(twin))
    backup.copy(f"sqlite:///{tmp_path / 'copy.db'}")


def test_rebuild_is_a_command(empty: Path, tmp_path: Path) -> None:
    file = shutil.copy(empty, tmp_path / "club.db")
    handan("club", "create", "lake", "--name", "Lake", "--database", file)
    assert "lake: 0 rows made anew" in handan("club", "rebuild", "lake", "--database", file)
