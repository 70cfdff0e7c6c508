"""Federations, whose own entries name players of their clubs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from handan.club import changes
from handan.club.changes import fold
from handan.club.entries import GENESIS, Draft, Record, chained
from handan.club.federation import federated
from handan.club.state import State
from handan.errors import InputError
from tests.club.helpers import MOMENT, TODAY, Book, import_records

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.database

MakeClub = Callable[..., "Club"]


def written(*drafts: Draft) -> list[Record]:
    return list(chained(drafts, 0, GENESIS, "officer", MOMENT))


@pytest.fixture
def north() -> Book:
    book = Book("north")
    book.player("Kim", "1d")
    book.player("Lee", "2d")
    return book


@pytest.fixture
def south() -> Book:
    book = Book("south")
    book.player("Kym", "1d")
    return book


def joined(north: Book, south: Book, own: list[Record]) -> State:
    return federated("both", [(1, north.state), (2, south.state)], own)


def test_two_whom_the_federation_merged_stay_one_when_they_get_one_number(north: Book, south: Book) -> None:
    own = written(changes.players.merge_players(joined(north, south, []), "north.p1", "south.p1"))
    for book in (north, south):
        book.add(changes.players.change_player(book.state, "p1", {"ids": ["egd:1"]}))
    state = joined(north, south, own)
    assert state.person("north.p1") == state.person("south.p1")
    assert len(state.ledger.players) == 2


def test_two_whom_the_federation_split_may_be_split_by_their_club_too(north: Book, south: Book) -> None:
    north.add(changes.players.merge_players(north.state, "p1", "p3"))
    own = written(changes.players.split_players(joined(north, south, []), "north.p1"))
    assert len(joined(north, south, own).active) == 3
    north.add(changes.players.split_players(north.state, "p1"))
    assert len(joined(north, south, own).active) == 3


def test_a_player_merged_by_the_federation_follows_his_clubs_merger(north: Book, south: Book) -> None:
    own = written(changes.players.merge_players(joined(north, south, []), "north.p1", "south.p1"))
    north.add(changes.players.merge_players(north.state, "p1", "p3"))
    state = joined(north, south, own)
    assert {state.person(key).key for key in ("north.p1", "north.p3", "south.p1")} == {"south.p1"}


def test_what_a_club_set_by_hand_is_taken_back_there(north: Book, south: Book) -> None:
    with pytest.raises(InputError, match="changed there"):
        changes.players.withdraw_adjustment(joined(north, south, []), "north.a2")


def test_a_federation_with_entries_on_its_clubs_players_verifies_and_travels(make_club: MakeClub) -> None:
    from handan.club.store import copying
    from handan.club.store.facts import records
    from handan.club.store.models import Club
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    federation = make_club()
    clubs = [make_club(federation=federation) for _ in range(2)]
    for club in clubs:
        write(club, lambda state: changes.players.register_player(state, {"name": "Kim"}), author="x")
    one, other = (f"{club.slug}.p2" for club in clubs)
    game = {"black": one, "white": other, "result": "B+", "date": "2026-05-01"}
    key = write(federation, lambda state: changes.games.record_game(state, game, TODAY), author="x")[0].subject
    write(federation, lambda state: changes.players.adjust(state, one, {"rank": "1d"}, TODAY), author="x")
    write(federation, lambda state: changes.games.withdraw_game(state, key), author="x")
    write(federation, lambda state: changes.players.merge_players(state, one, other), author="x")
    assert len(state_of(federation).active) == 1
    assert copying.check_club(federation)[0] == 5
    again = Club.objects.create(slug=f"{federation.slug}-again", name="Read again")
    assert import_records(again, records(federation)) == 5


@pytest.mark.parametrize("entry", ["game", "rank"])
def test_a_federations_ledger_without_those_of_its_clubs_names_who_is_missing(make_club: MakeClub, entry: str) -> None:
    from handan.club.store.facts import records
    from handan.club.store.models import Club
    from handan.club.store.states import state_of
    from handan.club.store.stored_standings import live_standings
    from handan.club.store.writing import write

    federation = make_club()
    clubs = [make_club(federation=federation) for _ in range(2)]
    for club in clubs:
        write(club, lambda state: changes.players.register_player(state, {"name": "Kim"}), author="x")
    one, other = (f"{club.slug}.p2" for club in clubs)
    game = {"black": one, "white": other, "result": "B+", "date": "2026-05-01"}
    if entry == "game":
        write(federation, lambda state: changes.games.record_game(state, game, TODAY), author="x")
    else:
        write(federation, lambda state: changes.players.adjust(state, one, {"rank": "1d"}, TODAY), author="x")
    alone = Club.objects.create(slug=f"{federation.slug}-alone", name="Without its clubs")
    import_records(alone, records(federation))
    with pytest.raises(InputError, match=rf"player '{one}' is not registered"):
        _ = live_standings(alone, state_of(alone)).rows


def test_the_list_of_a_federation_goes_on_with_newcomers_of_each_of_its_clubs(make_club: MakeClub) -> None:
    from handan.club.store import copying
    from handan.club.store.list_models import RatingList
    from handan.club.store.states import state_of
    from handan.club.store.stored_standings import live_standings
    from handan.club.store.writing import write

    def play(club: Club, day: str) -> None:
        def enter(state: State) -> list[Draft]:
            people = [changes.players.register_player(state, {"name": f"{name} {club.slug} {day}"}) for name in "AB"]
            keys = [f"p{state.number + place}" for place in (1, 2)]
            registered = fold(state, chained(people, state.number, state.digest, "", MOMENT))
            game = {"black": keys[0], "white": keys[1], "result": "B+", "date": day}
            return [*people, changes.games.record_game(registered, game, TODAY)]

        write(club, enter, author="x")

    def lines() -> dict[str, int]:
        state = state_of(federation)
        standings = live_standings(federation, state)
        copying.check_club(federation)
        return {key: len(standings.lines(key)) for key in state.people}

    federation = make_club("egf")
    play(federation, "2026-05-01")
    assert set(lines().values()) == {1}
    clubs = [make_club("egf", federation=federation) for _ in range(2)]  # from here on it is a federation
    play(clubs[1], "2026-05-02")
    assert [*lines().values()] == [1] * 4
    play(clubs[0], "2026-05-03")
    play(federation, "2026-05-04")
    play(clubs[1], "2026-05-05")
    assert [*lines().values()] == [1] * 10
    row = RatingList.objects.get(club=federation, question="")
    row.keys += f"\n{row.keys}"  # as it was before the players of a federation were told apart by key
    row.save()
    with pytest.raises(InputError, match=r"something else of all players than its games \(keys\)"):
        copying.check_club(federation)
