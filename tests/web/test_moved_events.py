"""An event or an evening is moved to other days as a whole, and every change of events and people can be undone."""

from __future__ import annotations

import html
import re
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_entering import client_of
from tests.web.test_events import BOTH_ROUNDS, upload, words

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from handan.club.store.models import Club


@pytest.fixture
def cup(make_club: Callable[..., Club]) -> tuple[Club, Client]:
    """Return a club with a tournament of two days, whose second round was on the second one, and its secretary."""
    from handan.club.store.models import Role

    club = make_club("egf")
    secretary = client_of(club, Role.SECRETARY)
    upload(secretary, club, BOTH_ROUNDS)
    for game in games_of(secretary, club, "Lake Cup"):
        if game["round"] == 2:
            body = {"date": "2026-05-03"}
            answer = secretary.generic(
                "PATCH", f"/api/clubs/{club.slug}/games/{game['key']}", str(body).replace("'", '"')
            )
            assert answer.status_code == 200, answer.content
    return club, secretary


@pytest.fixture
def evening(make_club: Callable[..., Club]) -> tuple[Club, Client]:
    """Return a club with an evening of two games, one of them with its time, and its keeper."""
    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    club = make_club("egf")
    keys = []
    for name in ("Ada", "Bo"):
        make = partial(
            changes.players.register_ranked, fields={"name": name}, entry={"rank": "1k"}, today=date(2026, 6, 1)
        )
        keys.append(write(club, make, author="x")[0].subject)
    for day, result in (("2026-05-08 21:30", "B+"), ("2026-05-08", "W+")):
        game = {"black": keys[0], "white": keys[1], "result": result, "date": day, "event": "Friday"}
        write(club, partial(changes.games.record_game, fields=game, today=date(2026, 6, 1)), author="x")
    return club, client_of(club, Role.KEEPER)


def games_of(client: Client, club: Club, name: str) -> list[Any]:
    rows = client.get(f"/api/clubs/{club.slug}/games?limit=1000").json()
    return [row for row in rows if row["event"] == name and row["status"] != "withdrawn"]


def days_of(client: Client, club: Club, name: str) -> list[str]:
    return sorted(row["date"] for row in games_of(client, club, name))


def undo(client: Client, page: str) -> Any:
    """Press the button of the message on a page."""
    form = next(part for part in page.split("<form") if "/undo/" in part[:200])
    sent = {name: html.unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form)}
    path = re.search(r'action="([^"]*)"', form)
    assert path
    return client.post(path[1], sent, follow=True)


def test_an_event_is_moved_with_its_games_which_keep_their_distance_and_back(cup: tuple[Club, Client]) -> None:
    club, client = cup
    [event] = client.get(f"/api/clubs/{club.slug}/events").json()
    path, ladder = f"/{club.slug}/events/{event['key']}/move/", f"/api/clubs/{club.slug}/ladder"
    before = client.get(ladder).json()
    assert path in client.get(f"/{club.slug}/events/{event['key']}/").content.decode()
    preview = words(client.post(path, {"date": "2026-04-11", "preview": "1"}).content.decode())
    assert "Nobody" in preview
    assert days_of(client, club, "Lake Cup") == ["2026-05-02", "2026-05-02", "2026-05-03"]
    answer = client.post(path, {"date": "2026-04-11", "reason": "the sheet was wrong"}, follow=True)
    assert days_of(client, club, "Lake Cup") == ["2026-04-11", "2026-04-11", "2026-04-12"]
    moved = client.get(f"/api/clubs/{club.slug}/events/{event['key']}").json()
    assert (moved["first"], moved["last"], len(moved["games"])) == ("2026-04-11", "2026-04-12", 3)
    assert "Undone" in undo(client, answer.content.decode()).content.decode()
    assert days_of(client, club, "Lake Cup") == ["2026-05-02", "2026-05-02", "2026-05-03"]
    [back] = client.get(f"/api/clubs/{club.slug}/events").json()
    assert back == event
    assert client.get(ladder).json()["players"] == before["players"]


def test_an_event_that_moves_behind_another_one_shows_whom_that_moves(cup: tuple[Club, Client]) -> None:
    club, client = cup
    [event] = client.get(f"/api/clubs/{club.slug}/events").json()
    other = BOTH_ROUNDS.replace("Lake Cup", "Sea Cup").replace("2026-05-0", "2026-05-1").replace("T260503", "T260513")
    upload(client, club, other.replace("3+/w0", "3-/w0").replace("1-/b0", "1+/b0"))
    path = f"/{club.slug}/events/{event['key']}/move/"
    shown = words(client.post(path, {"date": "2026-05-20", "preview": "1"}).content.decode())
    before = {row["player"]: row["rating"] for row in client.get(f"/api/clubs/{club.slug}/ladder").json()["players"]}
    client.post(path, {"date": "2026-05-20"})
    after = {row["player"]: row["rating"] for row in client.get(f"/api/clubs/{club.slug}/ladder").json()["players"]}
    moved = {name for name in before if round(before[name], 1) != round(after[name], 1)}
    assert moved
    assert all(name in shown for name in moved)


def test_an_evening_is_moved_and_its_games_keep_their_time(evening: tuple[Club, Client]) -> None:
    club, client = evening
    page, path = f"/{club.slug}/events/2026-05-08/Friday/", f"/{club.slug}/evenings/2026-05-08/Friday/move/"
    assert path in client.get(page).content.decode()
    answer = client.post(path, {"date": "2026-05-01"}, follow=True)
    assert days_of(client, club, "Friday") == ["2026-05-01", "2026-05-01 21:30"]
    assert client.get(page).status_code == 404
    assert "Ada" in words(client.get(f"/{club.slug}/events/2026-05-01/Friday/").content.decode())
    back = undo(client, answer.content.decode())
    assert back.status_code == 200
    assert days_of(client, club, "Friday") == ["2026-05-08", "2026-05-08 21:30"]


@pytest.mark.parametrize(
    ("day", "reason"),
    [
        ("2126-05-01", "a day from"),
        ("9999-12-31", "a day from"),
        ("0026-05-01", "a day from"),
        ("soon", "a day such as 2026-05-01"),
        ("2026-05", "a day such as 2026-05-01"),
        ("2026-05-08", "another day"),
        ("", "This field is required"),
    ],
)
def test_a_day_on_which_no_game_was_played_is_refused_in_words(
    evening: tuple[Club, Client], day: str, reason: str
) -> None:
    club, client = evening
    answer = client.post(f"/{club.slug}/evenings/2026-05-08/Friday/move/", {"date": day})
    assert answer.status_code == 200
    assert reason in words(answer.content.decode())
    assert days_of(client, club, "Friday") == ["2026-05-08", "2026-05-08 21:30"]
    if day:
        body = f'{{"event": "Friday", "day": "2026-05-08", "date": "{day}"}}'
        call = client.post(f"/api/clubs/{club.slug}/evenings/move", body, content_type="application/json")
        assert call.status_code in {409, 422}


def test_games_are_not_moved_into_days_to_come(evening: tuple[Club, Client], cup: tuple[Club, Client]) -> None:
    from handan.club.store.clock import today

    soon = str(today().replace(year=today().year + 1))
    [event] = cup[1].get(f"/api/clubs/{cup[0].slug}/events").json()
    for (club, client), path in ((evening, "evenings/2026-05-08/Friday"), (cup, f"events/{event['key']}")):
        answer = client.post(f"/{club.slug}/{path}/move/", {"date": soon})
        assert answer.status_code == 200
        assert soon in words(answer.content.decode())


def test_games_that_are_there_already_are_asked_about(evening: tuple[Club, Client]) -> None:
    from handan.club import changes
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    club, client = evening
    keys = state_of(club).keys
    twin = {"black": keys["Ada"], "white": keys["Bo"], "result": "B+", "date": "2026-05-01", "event": "Friday"}
    write(club, partial(changes.games.record_game, fields=twin, today=date(2026, 6, 1)), author="x")
    path = f"/{club.slug}/evenings/2026-05-08/Friday/move/"
    assert 'name="another"' not in client.get(path).content.decode()
    question = client.post(path, {"date": "2026-05-01"}).content.decode()
    assert "the same two players, day and winner" in words(question)
    assert 'name="another"' in question
    assert days_of(client, club, "Friday") == ["2026-05-01", "2026-05-08", "2026-05-08 21:30"]
    client.post(path, {"date": "2026-05-01", "another": "on"})
    assert days_of(client, club, "Friday") == ["2026-05-01", "2026-05-01", "2026-05-01 21:30"]


def test_games_of_an_event_are_not_moved_as_an_evening(cup: tuple[Club, Client]) -> None:
    club, client = cup
    answer = client.post(f"/{club.slug}/evenings/2026-05-02/Lake Cup/move/", {"date": "2026-05-01"})
    assert "it is moved as a whole" in words(answer.content.decode())
    assert days_of(client, club, "Lake Cup") == ["2026-05-02", "2026-05-02", "2026-05-03"]


def test_an_event_is_not_moved_onto_the_days_of_another_one_of_its_name(cup: tuple[Club, Client]) -> None:
    club, client = cup
    upload(client, club, BOTH_ROUNDS.replace("2026", "2025").replace("T26", "T25"))
    [event, _] = client.get(f"/api/clubs/{club.slug}/events").json()
    assert event["first"] == "2026-05-02"
    answer = client.post(f"/{club.slug}/events/{event['key']}/move/", {"date": "2025-05-03"})
    assert "is entered already" in words(answer.content.decode())
    head = {"event": "Lake Cup", "first": "2025-05-03", "last": "2026-05-03"}
    answer = client.post(f"/{club.slug}/events/{event['key']}/edit/", head)
    assert "is entered already" in words(answer.content.decode())


def test_an_event_that_was_withdrawn_comes_back_by_undo(cup: tuple[Club, Client]) -> None:
    club, client = cup
    [event] = client.get(f"/api/clubs/{club.slug}/events").json()
    before = client.get(f"/api/clubs/{club.slug}/events/{event['key']}").json()
    answer = client.post(f"/{club.slug}/events/{event['key']}/withdraw/", {"reason": "x"}, follow=True)
    assert client.get(f"/{club.slug}/events/{event['key']}/").status_code == 404
    undo(client, answer.content.decode())
    assert client.get(f"/api/clubs/{club.slug}/events/{event['key']}").json() == before


def test_a_tournament_that_was_taken_back_whole_comes_back_by_undo(cup: tuple[Club, Client]) -> None:
    from handan.club.store.models import Entry

    club, client = cup
    [event] = client.get(f"/api/clubs/{club.slug}/events").json()
    before = client.get(f"/api/clubs/{club.slug}/events/{event['key']}").json()
    game = Entry.objects.filter(club=club, kind="game recorded").order_by("number")[0]
    answer = client.post(f"/{club.slug}/log/{game.number}/take-back/", {"reason": "wrong file"}, follow=True)
    assert games_of(client, club, "Lake Cup") == []
    undo(client, answer.content.decode())
    assert client.get(f"/api/clubs/{club.slug}/events/{event['key']}").json() == before


def test_a_split_is_undone_and_players_said_to_be_two_are_proposed_again(evening: tuple[Club, Client]) -> None:
    from handan.club import changes
    from handan.club.service.players import told_apart
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    club, _ = evening
    client, keys = client_of(club, Role.SECRETARY), state_of(club).keys
    slip = write(club, partial(changes.players.register_player, fields={"name": "Adda"}), author="x")[0].subject
    client.post(f"/{club.slug}/who-is-who/", {"player": "Adda", "into": "Ada"})
    assert state_of(club).final(slip) == keys["Ada"]
    answer = client.post(f"/{club.slug}/players/{slip}/split/", {}, follow=True)
    assert state_of(club).final(slip) == slip
    undo(client, answer.content.decode())
    assert state_of(club).final(slip) == keys["Ada"]
    client.post(f"/{club.slug}/players/{slip}/split/", {}, follow=True)
    answer = client.post(f"/{club.slug}/players/{slip}/split/?apart={keys['Ada']}", {}, follow=True)
    assert told_apart(club, state_of(club)) == [("Adda", "Ada")]
    assert "Adda" in words(answer.content.decode())
    undo(client, answer.content.decode())
    assert told_apart(club, state_of(club)) == []
    answer = client.post(f"/{club.slug}/players/{slip}/split/?apart={keys['Ada']}", {}, follow=True)
    assert told_apart(club, state_of(club)) == [("Adda", "Ada")]


@pytest.mark.parametrize("what", ["adjustment", "player"])
def test_what_was_withdrawn_or_brought_back_is_undone(evening: tuple[Club, Client], what: str) -> None:
    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    club, _ = evening
    client, keys = client_of(club, Role.SECRETARY), state_of(club).keys
    ladder = f"/api/clubs/{club.slug}/ladder"
    if what == "adjustment":
        fields = {"rank": "3d", "date": "2026-05-02", "at_least": True}
        make = partial(changes.players.adjust, key=keys["Ada"], fields=fields, today=date(2026, 6, 1), reason="an exam")
        key = write(club, make, author="x")[0].subject
        path = f"/{club.slug}/adjustments/{key}/withdraw/"
    else:
        key = write(club, partial(changes.players.register_player, fields={"name": "Err"}), author="x")[0].subject
        write(club, partial(changes.players.withdraw_player, key=key), author="x")
        path = f"/{club.slug}/players/{key}/restore/"
    before = client.get(ladder).json()["players"], state_of(club).active.keys()
    answer = client.post(path, {}, follow=True)
    assert (client.get(ladder).json()["players"], state_of(club).active.keys()) != before
    undo(client, answer.content.decode())
    assert (client.get(ladder).json()["players"], state_of(club).active.keys()) == before
    if what == "adjustment":
        assert [
            item["note"] for item in client.get(f"/api/clubs/{club.slug}/adjustments").json() if not item["withdrawn"]
        ] == [
            "rank on entry",
            "rank on entry",
            "an exam",
        ]


@pytest.mark.parametrize("name", ["edit", "move", "withdraw", "event.json", "a/move"])
def test_an_evening_may_be_called_as_a_page_of_an_event_is(make_club: Callable[..., Club], name: str) -> None:
    """From the calendar to the evening, and on to the page that moves it."""
    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    club = make_club("egf")
    keys = [
        write(club, partial(changes.players.register_player, fields={"name": each}), author="x")[0].subject
        for each in "ab"
    ]
    game = {"black": keys[0], "white": keys[1], "result": "B+", "date": "2026-05-08", "event": name}
    write(club, partial(changes.games.record_game, fields=game, today=date(2026, 6, 1)), author="x")
    keeper = client_of(club, Role.KEEPER)
    calendar = keeper.get(f"/{club.slug}/events/").content.decode()
    [link] = re.findall(rf'<a href="([^"]+)">{re.escape(name)}</a>', calendar)
    shown = keeper.get(link)
    assert shown.status_code == 200
    assert all(key in shown.content.decode() for key in keys)
    [link] = re.findall(r'<a href="([^"]+/move/)">Move to another day</a>', shown.content.decode())
    assert name in keeper.get(link).content.decode()
