"""What a player confirms is what that player saw, and nobody confirms their own word."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

    from handan.club.store.models import Club, Role

pytestmark = pytest.mark.database

NUMBERS = count(1)
MakeClub = Callable[..., "Club"]


class Table:
    """A club in which results wait for the opponent, and its people: Ada, Bo and Cy with an account each."""

    def __init__(self, make_club: MakeClub) -> None:
        from handan.club import changes
        from handan.club.store.models import Role
        from handan.club.store.writing import write

        self.club = make_club("sagc", confirmation="both")
        for name in ("Ada", "Bo", "Cy"):
            write(self.club, lambda s, name=name: changes.players.register_player(s, {"name": name}), author="x")  # type: ignore[misc]
        self.ada, self.bo, self.cy = (self.member(Role.PLAYER, f"p{number}") for number in (2, 3, 4))

    def account(self, role: Role, player: str = "") -> User:
        from handan.club.store.members import new_account, set_member

        user = new_account(f"{self.club.slug}-{next(NUMBERS)}", "a long enough phrase")
        set_member(self.club, user, role, player, author="x")
        return user

    def member(self, role: Role, player: str = "") -> Client:
        from django.test import Client

        client = Client()
        client.force_login(self.account(role, player))
        return client

    def entered(self, by: Client, **fields: str) -> str:
        """Enter a game, by default Ada's win over Bo; its path."""
        form = {"black": "Ada", "white": "Bo", "result": "B+", "date": "2026-05-01", "notes": "honest", **fields}
        answer = by.post(f"/{self.club.slug}/games/new/", form)
        assert answer.status_code == 302, answer.content
        return str(answer["Location"])

    def call(self, by: Client, method: str, path: str, body: Any, status: int) -> Any:
        url = f"/api/clubs/{self.club.slug}/games/{path}"
        answer = by.generic(method, url, json.dumps(body), content_type="application/json")
        assert answer.status_code == status, answer.content
        return json.loads(answer.content)

    def game(self, path: str) -> dict[str, Any]:
        from handan.club.store.states import state_of

        return state_of(self.club).game(path.strip("/").split("/")[-1])


@pytest.fixture
def table(make_club: MakeClub) -> Table:
    return Table(make_club)


def seen_in(answer: Any) -> int:
    """Return the entry that a form to confirm a game says was seen."""
    shown = re.search(r'name="seen" value="(\d+)"', answer.content.decode())
    assert shown
    return int(shown.group(1))


def counts(table: Table, path: str) -> bool:
    from handan.club.state import COUNTS

    return bool(table.game(path)["status"] == COUNTS)


def test_the_page_shows_what_is_confirmed(table: Table) -> None:
    page = table.bo.get(f"{table.entered(table.ada, handicap='2', komi='0.5')}confirm/").content.decode()
    for shown in ("Ada", "Bo", "Black", "2026-05-01", "2 stones, Black gives 0.5", "honest", "Cancel"):
        assert shown in page


def test_a_game_changed_after_it_was_seen_is_not_confirmed(table: Table) -> None:
    path = table.entered(table.ada)
    key = path.strip("/").split("/")[-1]
    seen = seen_in(table.bo.get(f"{path}confirm/"))
    table.call(table.ada, "PATCH", key, {"handicap": 9, "komi": -60.5}, 200)
    answer = table.bo.post(f"{path}confirm/", {"seen": seen})
    assert answer.status_code == 200
    assert "was changed" in answer.content.decode()
    assert "9 stones, White gives 60.5" in answer.content.decode()  # as it is now
    assert not counts(table, path)
    table.call(table.bo, "POST", f"{key}/confirm", {"entry": seen}, 409)
    assert not counts(table, path)
    assert table.bo.post(f"{path}confirm/", {"seen": seen_in(answer)}).status_code == 302
    assert counts(table, path)


def test_the_opponent_alone_confirms_by_a_call_the_entry_it_names(table: Table) -> None:
    path = table.entered(table.ada)
    key = path.strip("/").split("/")[-1]
    entry = table.game(path)["latest"]
    assert [other.post(f"{path}confirm/", {"seen": entry}).status_code for other in (table.ada, table.cy)] == [403] * 2
    shown = table.bo.get(f"/api/clubs/{table.club.slug}/games/{key}").json()
    table.call(table.bo, "POST", f"{key}/confirm", None, 422)
    table.call(table.bo, "POST", f"{key}/confirm", {"entry": shown["entry"]}, 200)
    assert counts(table, path)


@pytest.mark.parametrize("seen", ["", "x", "-1", "9" * 30])
def test_a_form_that_does_not_say_what_was_seen_confirms_nothing(table: Table, seen: str) -> None:
    path = table.entered(table.ada)
    assert table.bo.post(f"{path}confirm/", {"seen": seen}).status_code == 200
    assert not counts(table, path)


def test_a_player_cannot_turn_a_waiting_game_into_one_of_others(table: Table) -> None:
    path = table.entered(table.ada)
    key = path.strip("/").split("/")[-1]
    table.call(table.ada, "PATCH", key, {"black": "p4", "white": "p3"}, 403)
    form = {"black": "Cy", "white": "Bo", "result": "B+", "date": "2026-05-01"}
    assert table.ada.post(f"{path}correct/", form).status_code == 403
    assert table.ada.post(f"{path}correct/", {**form, "preview": "1"}).status_code == 403
    assert table.game(path)["black"] == "p2"
    table.call(table.ada, "PATCH", key, {"black": "p3", "white": "p2"}, 200)


def test_the_rules_are_asked_of_the_state_under_the_lock(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between a request's first look and the lock, another one may be answered."""
    path = table.entered(table.ada)
    before = table.game(path)
    assert table.bo.post(f"{path}confirm/", {"seen": before["latest"]}).status_code == 302
    form = {"black": "Ada", "white": "Bo", "result": "W+", "date": "2026-05-01"}
    with monkeypatch.context() as patched:
        patched.setattr("handan.club.service.looking.game_of", lambda *_, **__: before)  # what the request saw first
        assert table.ada.post(f"{path}correct/", form).status_code == 403
    assert table.game(path)["result"] == "B+"


def test_a_link_that_cannot_be_used_leaves_no_account(table: Table) -> None:
    from django.contrib.auth import get_user_model
    from django.test import Client

    from handan.club.store.access import Actor
    from handan.club.store.members import invite
    from handan.club.store.models import Role

    link = f"/join/{invite(Actor(table.club, Role.ADMINISTRATOR), Role.PLAYER, 'p2')}/"
    name, phrase = f"twice-{next(NUMBERS)}", "a long enough phrase"
    answer = Client().post(link, {"username": name, "password": phrase, "again": phrase})
    assert "has an account already" in answer.content.decode()
    assert not get_user_model().objects.filter(username=name).exists()


def test_accounts_of_players_who_are_one_person_do_not_confirm_each_other(table: Table) -> None:
    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    write(table.club, lambda s: changes.players.register_player(s, {"name": "Adah"}), author="x")
    number = write(table.club, lambda s: changes.players.register_player(s, {"name": "Dee"}), author="x")[0].number - 1
    adah = table.member(Role.PLAYER, f"p{number}")
    path = table.entered(adah, black="Adah", white="Dee")
    write(table.club, lambda s: changes.players.merge_players(s, f"p{number}", "p2"), author="x")
    entry = table.game(path)["latest"]
    assert table.ada.get(f"{path}confirm/").status_code == 403
    table.call(table.ada, "POST", f"{path.strip('/').split('/')[-1]}/confirm", {"entry": entry}, 403)


def test_a_player_merged_into_another_still_confirms(table: Table) -> None:
    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    number = write(table.club, lambda s: changes.players.register_player(s, {"name": "Boris"}), author="x")[0].number
    boris = table.member(Role.PLAYER, f"p{number}")
    write(table.club, lambda s: changes.players.merge_players(s, f"p{number}", "p4"), author="x")
    path = table.entered(table.ada, white="Cy")
    entry = table.game(path)["latest"]
    assert boris.post(f"{path}confirm/", {"seen": entry}).status_code == 302
    assert counts(table, path)
