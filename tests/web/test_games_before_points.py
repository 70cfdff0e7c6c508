"""Games from before the day of which the points of members are: history, which moves nobody, unless it is to count."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import pytest

from handan.club import changes
from handan.club.new_games import PointsOnEntry
from tests.club.helpers import TODAY, Book
from tests.web.test_entering import client_of
from tests.web.test_pages import MakeClub

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

pytestmark = pytest.mark.database

DAY = "2026-04-03"


def with_points(name: str, rating: str, date: str = DAY) -> Any:
    return lambda state: changes.players.register_ranked(state, {"name": name}, {"rating": rating, "date": date}, TODAY)


@pytest.fixture
def club(make_club: MakeClub) -> tuple[Club, Client]:
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    made = make_club("points")
    for name, rating in (("Ada", "147"), ("Bo", "130")):
        write(made, with_points(name, rating), author="x")
    return made, client_of(made, Role.SECRETARY)


def points(club: Club, client: Client) -> dict[str, float]:
    return {row["player"]: row["rating"] for row in client.get(f"/{club.slug}/ladder.json").json()["players"]}


def kinds(club: Club) -> list[str]:
    from handan.club.store.states import state_of

    return state_of(club).games.sort("line")["kind"].to_list()


def test_the_form_of_a_game_asks_once(club: tuple[Club, Client]) -> None:
    made, client = club
    game = {
        "black": "Ada",
        "white": "Bo",
        "result": "B+",
        "date": "2026-03-01",
        "kind": "club",
        "size": "19",
        "save": "1",
    }
    page = html.unescape(client.post(f"/{made.slug}/games/new/", game).content.decode())
    assert "hold this game already" in page
    assert points(made, client) == {"Ada": 147.0, "Bo": 130.0}
    assert client.post(f"/{made.slug}/games/new/", game | {"held": DAY}).status_code == 302
    assert (kinds(made), points(made, client)) == (["history"], {"Ada": 147.0, "Bo": 130.0})
    another = game | {"date": "2026-03-02", "held": DAY, "counts": "on"}
    assert client.post(f"/{made.slug}/games/new/", another).status_code == 302
    assert kinds(made) == ["history", "club"]
    assert client.post(f"/{made.slug}/games/new/", game | {"date": "2026-04-03"}).status_code == 302  # not before it
    assert points(made, client) == {"Ada": 148.0, "Bo": 129.0}


def test_a_pasted_list_of_games_is_history_as_a_whole(club: tuple[Club, Client]) -> None:
    made, client = club
    rows = "".join(f"2026-0{month}-0{day},Ada,Bo,B+\n" for month in (1, 2, 4) for day in range(1, 6))
    path = f"/{made.slug}/games/sheet/"
    sent = {"text": "date,black,white,result\n" + rows, "date": "", "kind": "club"}
    page = html.unescape(client.post(path, sent).content.decode())
    assert "12 games are older than the points of their players" in page
    assert client.post(path, sent | {"save": "1"}).status_code == 302
    assert points(made, client) == {"Ada": 150.0, "Bo": 127.0}  # the three games from 3 April on


def test_only_the_points_with_which_somebody_came_hold_older_games() -> None:
    book = Book()
    ada, bo, cy = (book.add(with_points(name, "130")(book.state)).facts["player"] for name in ("Ada", "Bo", "Cy"))
    dee = book.player("Dee", "1k")

    def is_history(one: str, other: str, day: str) -> bool:
        return PointsOnEntry(book.state).holding({"black": one, "white": other, "date": day}) is not None

    assert is_history(ada, bo, "2026-04-02")
    assert is_history(ada, dee, "2026-03")
    assert not is_history(ada, bo, DAY)
    assert not is_history(dee, dee, "2026-04-02")
    book.game(cy, dee, day="2026-01-01")  # it counts: what was set later is a correction of their points
    assert not is_history(cy, dee, "2026-02-01")
    assert is_history(cy, ada, "2026-02-01")
