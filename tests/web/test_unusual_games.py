"""A game that can be so and seldom is, a slip more often, is asked about once, on pages and by calls."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_entering import client_of, fill
from tests.web.test_sheet_grid import games, look, press, statuses

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from handan.club.store.models import Club

pytestmark = pytest.mark.extended

JIGO, STONES, OLD = (
    ({"result": "jigo", "komi": "6.5"}, "a komi of 6.5 leaves no jigo"),
    (
        {"black": "yama", "white": "suzu", "result": "B+", "handicap": "4", "komi": "0"},
        "the stronger one has the 4 stones",
    ),
    ({"result": "B+", "date": "1899-11-20"}, "the game is more than 100 years old"),
)
USUAL = (
    {"result": "jigo", "komi": "6"},
    {"result": "jigo"},
    {"result": "W+0.5", "komi": "6.5"},
    {"result": "B+", "handicap": "4", "komi": "0"},
    {
        "black": "yama",
        "white": "suzu",
        "result": "B+",
        "handicap": "4",
        "komi": "0",
        "date": "2026-01-10",
    },  # who was stronger then nobody asks
    {"result": "B+", "date": "1975-11-20"},
)


@pytest.fixture
def keeper(make_club: Callable[..., Club]) -> tuple[Club, dict[str, str], Client]:
    """A club in which yama, 3d, is stronger than suzu, 2k."""
    from handan.club.store.models import Role

    club = make_club("points")
    return club, fill(club), client_of(club, Role.KEEPER)


def form(**change: str) -> dict[str, str]:
    from handan.club.store.clock import today

    sent = {"black": "suzu", "white": "yama", "date": str(today()), **change}
    margin = re.fullmatch("([BW][+])([0-9.]+)", sent["result"])
    return sent | ({"result": margin[1], "margin": margin[2]} if margin else {})


@pytest.mark.parametrize(("change", "doubt"), [JIGO, STONES, OLD])
def test_an_unusual_game_is_asked_about_on_the_page(
    change: dict[str, str], doubt: str, keeper: tuple[Club, dict[str, str], Client]
) -> None:
    club, _, client = keeper
    page, sent = f"/{club.slug}/games/new/", form(**change)
    client.get(f"/{club.slug}/")
    shown = client.post(page, {**sent, "preview": "1"}).content.decode()
    assert f"{doubt}: was it played so?" in shown
    assert 'name="as_played"' in shown
    refused = client.post(page, sent)
    assert (refused.status_code, games(club)) == (200, [])
    assert f"{doubt}: was it played so?" in refused.content.decode()
    assert focused(refused.content.decode()) == ["as_played"]
    assert client.post(page, {**sent, "as_played": "on"}).status_code == 302
    assert len(games(club)) == 1


@pytest.mark.parametrize("change", USUAL)
def test_a_usual_game_is_entered_at_once(change: dict[str, str], keeper: tuple[Club, dict[str, str], Client]) -> None:
    club, _, client = keeper
    assert (
        'name="as_played"'
        not in client.post(f"/{club.slug}/games/new/", {**form(**change), "preview": "1"}).content.decode()
    )
    assert client.post(f"/{club.slug}/games/new/", form(**change)).status_code == 302


def test_a_correction_asks_about_what_it_makes_unusual_alone(keeper: tuple[Club, dict[str, str], Client]) -> None:
    club, _, client = keeper
    assert client.post(f"/{club.slug}/games/new/", form(result="jigo", komi="6")).status_code == 302
    [number] = [row["line"] for row in rows(club)]
    page = f"/{club.slug}/games/g{number}/correct/"
    for shown in ({"preview": "1"}, {}):
        answer = client.post(page, form(result="jigo", komi="6.5") | shown)
        assert answer.status_code == 200
        assert "a komi of 6.5 leaves no jigo: was it played so?" in answer.content.decode()
    assert client.post(page, form(result="jigo", komi="6.5", as_played="on")).status_code == 302
    assert client.post(page, form(result="jigo", komi="6.5", notes="late")).status_code == 302
    assert [(row["komi"], row["notes"]) for row in rows(club)] == [(6.5, "late")]


def test_a_page_that_comes_back_opens_at_what_is_wrong(keeper: tuple[Club, dict[str, str], Client]) -> None:
    club, _, client = keeper
    page = f"/{club.slug}/games/new/"
    assert focused(client.get(page).content.decode()) == ["black"]
    assert focused(client.post(page, form(result="jigo", komi="much")).content.decode()) == ["komi"]
    both = form(result="jigo", komi="much", white="nobody at all")
    assert focused(client.post(page, both).content.decode()) == ["white"]
    closed, opened = (client.post(page, form(result="B+", **more)).content.decode()
                      for more in ({"komi": "much"}, {"size": "x"}))  # fmt: skip
    assert "<details open>" not in closed
    assert focused(opened) == ["size"]
    assert "<details open>" in opened


def focused(page: str) -> list[str]:
    """Return the names of the fields at which a page opens."""
    tags = [tag for tag in re.findall(r"<(?:input|select|textarea)[^>]*>", page) if " autofocus" in tag]
    return [name[1] for tag in tags if (name := re.search(r' name="([^"]*)"', tag))]


def rows(club: Club) -> list[dict[str, Any]]:
    from handan.club.store.states import state_of

    return state_of(club).games.to_dicts()


@pytest.mark.parametrize(("change", "doubt"), [JIGO, STONES, OLD])
def test_a_call_is_asked_too(change: dict[str, str], doubt: str, keeper: tuple[Club, dict[str, str], Client]) -> None:
    club, keys, client = keeper
    fields: dict[str, Any] = {**form(**change)}
    people = {"suzu": keys["鈴木 一郎"], "yama": keys["山田 春子"]}
    fields |= {side: people[fields[side]] for side in ("black", "white")}
    fields |= {name: float(fields[name]) for name in ("komi",) if name in fields}
    fields |= {name: int(fields[name]) for name in ("handicap",) if name in fields}

    def sent(**more: Any) -> tuple[int, Any]:
        answer = client.post(f"/api/clubs/{club.slug}/games", json.dumps({**fields, **more}), "application/json")
        return answer.status_code, answer.json()

    status, reply = sent()
    assert (status, reply["field"], reply["message"]) == (409, "as_played", f"{doubt}: was it played so?")
    assert games(club) == []
    assert sent(as_played=True)[0] == 200
    assert len(games(club)) == 1


def test_a_line_of_a_sheet_is_asked_about_by_itself(keeper: tuple[Club, dict[str, str], Client]) -> None:
    club, _, client = keeper
    day = form(result="B+")["date"]
    lines = [("yama", "suzu", "B+"), ("kim", "ada", "W+"), ("Who", "suzu", "B+")]
    more = {"handicap": ["4", "", "4"], "of-date": day, "newcomer": "3d who"}
    page = look(client, club, lines, **more)
    assert statuses(page) == ["doubt", "ready", "ready"]
    assert "the stronger one has the 4 stones: was it played so?" in page
    answered = press(client, club, page, so="1").content.decode()
    assert statuses(answered) == ["ready", "ready", "ready"]
    press(client, club, answered, save="1")
    assert len(games(club)) == 3

    def sent(**line: Any) -> tuple[int, Any]:
        game = {"black": "suzu", "white": "ada", "result": "jigo", "komi": 0.5, "date": "1899-05-01"}
        body = json.dumps({"lines": [{**game, **line}]})
        answer = client.post(f"/api/clubs/{club.slug}/sheets", body, "application/json")
        return answer.status_code, answer.json()

    status, reply = sent()
    assert status == 409
    assert [(line["status"], line["doubts"]) for line in reply["lines"]] == [
        ("doubt", ["a komi of 0.5 leaves no jigo", "the game is more than 100 years old"])
    ]
    assert sent(as_played=True)[0] == 200
    assert len(games(club)) == 4


def test_a_sheet_asks_no_more_of_the_database_with_more_lines(keeper: tuple[Club, dict[str, str], Client]) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    club, _, client = keeper
    pairs = [("yama", "suzu"), ("kim", "ada"), ("suzu", "ada"), ("yama", "kim")]
    day = form(result="B+")["date"]
    client.get(f"/{club.slug}/")  # which brings the list up to date
    counts = []
    for lines in (pairs, 4 * pairs):
        more = {"handicap": ["4"] * len(lines), "of-date": day}
        with CaptureQueriesContext(connection) as queries:
            page = look(client, club, [(*pair, "B+") for pair in lines], **more)
        assert "doubt" in statuses(page)
        counts.append(len(queries))
    assert counts[1] <= counts[0]
