"""The service behind pages and calls: who may do what, and that a look says what the writing does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from handan.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from handan.club.service.operation import Change
    from handan.club.store.access import Actor
    from handan.club.store.models import Club, Role

pytestmark = pytest.mark.database

GAME = {"result": "B+R", "date": "2026-05-01"}


def actor_of(club: Club, role: Role, player: str = "") -> Actor:
    """Return a member with an account of their own."""
    from handan.club.store.access import actor
    from handan.club.store.members import new_account, set_member

    user = new_account(f"service-{uuid4().hex[:12]}", "a long enough phrase")
    set_member(club, user, role, player, author="x")
    return actor(club, user)


def operations() -> dict[str, Any]:
    """Return every operation of the service by name."""
    from handan.club.service import games, office, players, sheets
    from handan.club.service.operation import Operation

    modules = [vars(module).values() for module in (games, office, players, sheets)]
    return {item.plan.__name__: item for values in modules for item in values if isinstance(item, Operation)}


def registered(club: Club, *names: str) -> list[str]:
    """Register players, and return their keys."""
    from handan.club.service.players import register_player
    from handan.club.store.models import Role

    secretary = actor_of(club, Role.SECRETARY)
    return [register_player(secretary, {"name": name}, {"rank": "5k"}).write()[0].subject for name in names]


@pytest.fixture
def pair(club: Club) -> tuple[str, str]:
    """Two players of the club, by key."""
    one, other = registered(club, "Ada", "Bo")
    return one, other


def test_no_operation_looks_at_its_arguments_before_the_role(club: Club) -> None:
    from handan.club.store.access import Actor, NotAllowedError
    from handan.club.store.models import Role

    assert len(operations()) == 24
    for name, operation in operations().items():
        nobody = object()  # would fail at the first look at it
        with pytest.raises(NotAllowedError, match=operation.role.label):
            operation(Actor(club, Role(operation.role - 1)), nobody, nobody, nobody)
        assert name


@pytest.mark.parametrize("kind", ["enter", "correct", "withdraw"])
def test_a_look_says_what_the_writing_does(club: Club, pair: tuple[str, str], kind: str) -> None:
    from handan.club.service import games
    from handan.club.store.models import Role

    keeper = actor_of(club, Role.KEEPER)
    facts = {"black": pair[0], "white": pair[1], **GAME}
    changes: dict[str, Callable[[str], Change]] = {
        "enter": lambda _: games.enter_game(keeper, facts, another=True),
        "correct": lambda key: games.correct_game(keeper, key, {"result": "W+R"}, "misread"),
        "withdraw": lambda key: games.withdraw_game(keeper, key, "twice"),
    }
    key = games.enter_game(keeper, facts).write()[0].subject
    look, done = changes[kind](key).would_do(), changes[kind](key).carry_out()
    assert (look.entries, look.preview, done.preview) == (done.entries, True, False)
    assert look.moved == done.moved
    assert {row["key"] for row in look.moved} == set(pair)


def test_whom_a_change_moved_is_not_whom_an_entry_of_another_moved_meanwhile(
    club: Club, pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.service import games, operation
    from handan.club.store.models import Role

    keeper, others = actor_of(club, Role.KEEPER), registered(club, "Cy", "Di")
    write = vars(operation)["write"]

    def after_another(*given: Any, **settings: Any) -> Any:
        monkeypatch.setattr(operation, "write", write)
        games.enter_game(keeper, {"black": others[0], "white": others[1], **GAME}).write()
        return write(*given, **settings)

    monkeypatch.setattr(operation, "write", after_another)
    done = games.enter_game(keeper, {"black": pair[0], "white": pair[1], **GAME}).carry_out()
    assert {row["key"] for row in done.moved} == set(pair)


def test_a_change_is_written_and_said_to_be_where_the_rules_find_no_list(
    club: Club, pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.service import games
    from handan.club.store.list_replay import Replay
    from handan.club.store.models import Role
    from handan.errors import InputError

    def refuse(*_: object) -> None:
        raise InputError("these games have no answer")

    monkeypatch.setattr(Replay, "run", refuse)
    change = games.enter_game(actor_of(club, Role.KEEPER), {"black": pair[0], "white": pair[1], **GAME})
    done = change.carry_out()
    assert (len(done.entries), done.moved) == (1, [])
    assert change.by.club.number == done.entries[0]


def test_a_look_at_a_club_without_its_entries_since(club: Club, pair: tuple[str, str]) -> None:
    from datetime import date

    from handan.club.service import games
    from handan.club.service.looking import Look
    from handan.club.store.models import Role

    keeper = actor_of(club, Role.KEEPER)
    key = games.enter_game(keeper, {"black": pair[0], "white": pair[1], **GAME}).write()[0].subject
    now, before = Look(actor=keeper), Look(actor=keeper, day=date(2026, 4, 30))
    assert (now.label, before.label) == ("live", "games up to 2026-04-30")
    assert [len(look.sides(look.game(key))) for look in (now, before)] == [2, 0]
    assert [look.games(pair[0]).height for look in (now, before)] == [1, 0]
    assert Look(actor=keeper, system="elo").standings.rules.system == "elo"


def test_what_is_not_there_is_named(club: Club) -> None:
    from handan.club.names import NotInClubError
    from handan.club.service import games, people, players
    from handan.club.service.looking import Look
    from handan.club.store.models import Role

    top = actor_of(club, Role.ADMINISTRATOR)
    looks: list[Callable[[], Any]] = [
        lambda: Look(actor=top).person("p9999"),
        lambda: Look(actor=top).game("g9999"),
        lambda: Look(actor=top).official_list(9),
        games.withdraw_game(top, "g9999").preview,
        lambda: players.split_players(top, "p9999"),
        lambda: people.account_of(top, "nobody at all"),
        lambda: people.forgetting_plan(top, "p9999"),
    ]
    for look in looks:
        with pytest.raises(NotInClubError):
            look()


def test_terms_are_for_two_players(club: Club, pair: tuple[str, str]) -> None:
    from handan.club.service.looking import Look
    from handan.club.store.models import Role

    look = Look(actor=actor_of(club, Role.PLAYER))
    terms, _, newcomers = look.next_game(*pair)
    assert ({terms.black, terms.white}, newcomers) == ({"Ada", "Bo"}, [])
    with pytest.raises(InputError, match="two players"):
        look.next_game(pair[0], pair[0])
