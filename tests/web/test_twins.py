"""A game that is reported twice is held back, by whomever and in whatever words, until it is said to be another."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.forms import extended_but
from tests.web.test_confirming import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from handan.club.store.models import Club

GAME = {"black": "Ada", "white": "Bo", "result": "B+", "date": "2026-05-01"}


class Twins(Table):
    """The people of the other tests, with a keeper, and one game that counts."""

    def __init__(self, make_club: Callable[..., Club]) -> None:
        from handan.club.store.models import Role

        super().__init__(make_club)
        self.keeper = self.member(Role.KEEPER)
        self.home = f"/{self.club.slug}/games/"
        self.first = self.entered(self.keeper).strip("/").split("/")[-1]

    def games(self) -> int:
        from handan.club.store.states import state_of

        return state_of(self.club).games.height


@pytest.fixture
def twins(make_club: Callable[..., Club]) -> Twins:
    return Twins(make_club)


@pytest.mark.parametrize("who", extended_but(["keeper", "bo"], ["keeper", "ada", "bo"]))
@pytest.mark.parametrize("change", [{}, {"result": "B+R"}, {"black": "Bo", "white": "Ada", "result": "W+T"}])
def test_a_twin_is_asked_about_once_more(twins: Twins, who: str, change: dict[str, str]) -> None:
    client: Client = getattr(twins, who)
    answer = client.post(f"{twins.home}new/", {**GAME, **change})
    page = answer.content.decode()
    assert (answer.status_code, twins.games()) == (200, 1)
    assert f"game {twins.first}</a>" in page
    assert re.search(r'<label><input type="checkbox" name="another"[^>]*> Enter it as another game', page)
    assert client.post(f"{twins.home}new/", {**GAME, **change, "another": "on"}).status_code == 302
    assert twins.games() == 2


@pytest.mark.parametrize(
    "change", [{"result": "W+"}, {"date": "2026-05-02"}, {"white": "Cy"}, {"result": "jigo"}, {"date": ""}]
)
def test_another_game_is_entered_at_once(twins: Twins, change: dict[str, str]) -> None:
    assert twins.keeper.post(f"{twins.home}new/", {**GAME, **change}).status_code == 302


def test_a_preview_shows_the_twin_and_the_choice(twins: Twins) -> None:
    page = twins.keeper.post(f"{twins.home}new/", {**GAME, "preview": "1"}).content.decode()
    assert f"game {twins.first}</a>" in page
    assert 'name="another"' in page
    other = twins.keeper.post(f"{twins.home}new/", {**GAME, "date": "2026-05-02", "preview": "1"}).content.decode()
    assert 'name="another"' not in other


def test_a_withdrawn_game_has_no_twin(twins: Twins) -> None:
    assert twins.keeper.post(f"{twins.home}{twins.first}/withdraw/").status_code == 302
    assert twins.keeper.post(f"{twins.home}new/", GAME).status_code == 302


def test_a_form_that_is_sent_twice_enters_once_and_asks_nothing(twins: Twins) -> None:
    form = {**GAME, "date": "2026-05-09", "token": "twice"}
    answers = [twins.keeper.post(f"{twins.home}new/", form) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert twins.games() == 2


def test_players_who_are_one_person_have_twins(twins: Twins) -> None:
    from handan.club import changes
    from handan.club.store.writing import write

    number = write(twins.club, lambda s: changes.players.register_player(s, {"name": "Adah"}), author="x")[0].number
    write(twins.club, lambda s: changes.players.merge_players(s, "p2", f"p{number}"), author="x")
    assert twins.keeper.post(f"{twins.home}new/", {**GAME, "black": "Adah"}).status_code == 200
    assert twins.games() == 1


def test_a_call_names_the_twin(twins: Twins) -> None:
    def sent(**more: Any) -> tuple[int, Any]:
        body = {"black": "p2", "white": "p3", "result": "B+R", "date": "2026-05-01", **more}
        answer = twins.keeper.post(f"/api/clubs/{twins.club.slug}/games", json.dumps(body), "application/json")
        return answer.status_code, answer.json()

    status, reply = sent()
    assert (status, reply["field"], reply["twin"]) == (409, "another", twins.first)
    assert twins.games() == 1
    assert sent(another="yes")[0] == 422
    assert sent(another=True)[0] == 200
    assert twins.games() == 2


def test_a_sheet_with_twins_is_kept_and_asked_about(twins: Twins) -> None:
    page = f"{twins.home}sheet/"
    lines = "black,white,result,date\nAda,Bo,B+R,2026-05-01\nAda,Cy,B+,2026-05-01\n"
    shown = twins.keeper.post(page, {"text": lines}).content.decode()
    assert f">{twins.first}</a>" in shown
    assert "Enter them as other games" in shown
    refused = twins.keeper.post(page, {"text": lines, "save": "1"})
    assert (refused.status_code, twins.games()) == (200, 1)
    assert "2 games read" in " ".join(re.sub(r"<[^>]+>", " ", refused.content.decode()).split())
    assert "Ada,Cy" in refused.content.decode()  # nothing that was sent is lost
    assert twins.keeper.post(page, {"text": lines, "save": "1", "another": "on"}).status_code == 302
    assert twins.games() == 3


def test_games_that_look_alike_within_a_sheet_are_asked_about(twins: Twins) -> None:
    page = f"{twins.home}sheet/"
    lines = "black,white,result,date\nAda,Cy,B+,2026-05-07\nCy,Ada,W+R,2026-05-07\nNew,Ada,B+,2026-05-07\n"
    shown = twins.keeper.post(page, {"text": lines}).content.decode()
    assert "more than once" in shown
    assert "Ada – Cy 2026-05-07" in shown
    refused = twins.keeper.post(page, {"text": lines, "save": "1", "newcomers": "on"})
    assert (refused.status_code, twins.games()) == (200, 1)
    assert "twice in the sheet" in refused.content.decode()
    assert twins.keeper.post(page, {"text": lines, "save": "1", "another": "on", "newcomers": "on"}).status_code == 302
    assert twins.games() == 4
    newcomers = "black,white,result,date\nDee,Eli,B+,2026-05-07\nDee,Eli,B+R,2026-05-07\n"
    assert "Dee – Eli" in twins.keeper.post(page, {"text": newcomers}).content.decode()


@pytest.mark.parametrize("way", ["page", "call"])
def test_a_correction_that_makes_a_twin_is_held_back(twins: Twins, way: str) -> None:
    other = twins.entered(twins.keeper, date="2026-05-02").strip("/").split("/")[-1]

    def correct(**more: Any) -> int:
        if way == "page":
            form = {**GAME, "notes": "", **dict.fromkeys(more, "on")}
            return twins.keeper.post(f"{twins.home}{other}/correct/", form).status_code == 302
        path = f"/api/clubs/{twins.club.slug}/games/{other}"
        body = json.dumps({"date": GAME["date"], **more})
        return twins.keeper.patch(path, body, content_type="application/json").status_code == 200

    assert not correct()
    assert str(twins.game(other)["date"])[:10] == "2026-05-02"
    assert correct(another=True)
    assert str(twins.game(other)["date"])[:10] == "2026-05-01"
    reply = twins.keeper.post(f"{twins.home}{other}/correct/", {**GAME, "notes": "and a word"})
    assert reply.status_code == 302  # it was a twin before, and that was said


@pytest.mark.parametrize("way", ["page", "call"])
def test_restoring_a_twin_is_held_back(twins: Twins, way: str) -> None:
    from handan.club.state import COUNTS, WITHDRAWN

    twins.keeper.post(f"{twins.home}{twins.first}/withdraw/", {})
    twins.entered(twins.keeper)
    page, call = f"{twins.home}{twins.first}/restore/", f"/api/clubs/{twins.club.slug}/games/{twins.first}/restore"
    assert 'name="another"' in twins.keeper.get(page).content.decode()

    def restore(**more: Any) -> None:
        if way == "page":
            twins.keeper.post(page, dict.fromkeys(more, "on"))
        else:
            twins.keeper.post(call, json.dumps(more), content_type="application/json")

    restore()
    assert twins.game(twins.first)["status"] == WITHDRAWN
    restore(another=True)
    assert twins.game(twins.first)["status"] == COUNTS


def test_a_restored_game_that_nobody_confirmed_waits_again(twins: Twins) -> None:
    from handan.club.state import COUNTS, WAITING

    path = twins.entered(twins.ada, date="2026-05-08")
    key = path.strip("/").split("/")[-1]
    twins.ada.post(f"{path}withdraw/", {})
    twins.keeper.post(f"{path}restore/", {})
    assert twins.game(key)["status"] == WAITING
    twins.call(twins.bo, "POST", f"{key}/confirm", {"entry": twins.game(key)["latest"]}, 200)
    assert twins.game(key)["status"] == COUNTS
    twins.keeper.post(f"{path}withdraw/", {})
    twins.keeper.post(f"{path}restore/", {})
    assert twins.game(key)["status"] == COUNTS
