"""Where points are settled at the end of the day, every page speaks of the points that hold today."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_record_sheet import entered

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club


def text(answer: Any) -> str:
    """Return a page's words."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def secretary(club: Club) -> Client:
    """Return the browser of a secretary of the club, who has an account of its own."""
    from django.test import Client

    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role

    user = new_account(f"secretary-of-{club.slug}", "a long enough phrase")
    set_member(club, user, Role.SECRETARY, "", author="x")
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize("days_ago", [0, 40])
def test_terms_form_and_saved_game_agree_during_the_day(make_club: Callable[..., Club], days_ago: int) -> None:
    # Points Rating System, local rule of Tagajo: points are frozen for the day. 105 against 173 is 68 points: five
    # free stones (six on the board), komi 6 - 8 = -2; after two wins of the day it would be 107 and 171
    from handan.club import changes
    from handan.club.store.clock import today

    club = make_club("points", card="tagajo12", settle="day", conditions="card")
    day: date = today() - timedelta(days=days_ago)
    keys = []
    for name, points in (("Suzuki", 105.0), ("Sato", 173.0), ("Ito", 105.0)):
        keys.append(entered(club, changes.players.register_player, {"name": name}))
        form_data = {"rating": points}
        entered(club, changes.players.adjust, keys[-1], form_data, today(), "entry")
    suzuki, sato, ito = keys
    for opponent, terms in ((sato, {"handicap": 6, "komi": -2.0}), (ito, {"komi": 6.0})):
        facts = {"black": suzuki, "white": opponent, "result": "B+", "date": str(day), **terms}
        entered(club, changes.games.record_game, facts, today())
    client, home = secretary(club), f"/{club.slug}/"
    query = f"as_of={day}&" if days_ago else ""
    expected = "Black: Suzuki, 6 stones, White gives 2"
    assert expected in text(client.get(f"{home}terms/?{query}one=Suzuki&other=Sato"))
    if not days_ago:
        assert expected in client.get(f"/api/clubs/{club.slug}/terms?one={suzuki}&other={sato}").json()["text"]
        page = text(client.get(home))
        assert "Today" in page
        assert {"107", "105"} <= set(page.split())  # what stands at the end of the day, and what games are played with
    game = {"black": "Suzuki", "white": "Sato", "result": "B+", "date": str(day), "handicap": "6", "komi": "-2"}
    game["another"] = "on"  # the same two, the same winner, a second time that day
    assert expected in text(client.post(f"{home}games/new/", {**game, "preview": "1"}))
    saved = text(client.get(client.post(f"{home}games/new/", game)["Location"]))
    assert "played at these terms: yes" in saved
    assert expected in saved


def test_a_plate_has_the_rank_of_its_points(make_club: Callable[..., Club]) -> None:
    """A win of today is one point and a rank more; the plate stays at the start of the day with both.

    Expected are the ranks that another club's ladder gives to players who enter with so many points and have no game.
    """
    from handan.club import changes
    from handan.club.store.clock import today

    club, other = (make_club("points", card="tagajo12", settle=settle, conditions="card") for settle in ("day", "game"))
    for points in range(90, 140):
        key = entered(other, changes.players.register_player, {"name": str(points)})
        entered(other, changes.players.adjust, key, {"rating": float(points)}, today(), "entry")
    rows = secretary(other).get(f"/{other.slug}/ladder.json").json()["players"]
    ranks = {int(row["player"]): row["rank"] for row in rows}
    below = next(points for points in range(90, 139) if ranks[points] != ranks[points + 1])
    keys = [entered(club, changes.players.register_player, {"name": name}) for name in ("Suzuki", "Sato")]
    for key in keys:
        entered(club, changes.players.adjust, key, {"rating": float(below)}, today(), "entry")
    facts = {"black": keys[0], "white": keys[1], "result": "B+", "date": str(today()), "komi": 6.0}
    entered(club, changes.games.record_game, facts, today())
    client = secretary(club)
    winner = client.get(f"/{club.slug}/ladder.json").json()["players"][0]
    assert (winner["rating"], winner["rank"]) == (below + 1, ranks[below + 1])
    for page in ("games/enter/", "kiosk/", f"games/enter/?one={keys[0]}", f"kiosk/?one={keys[1]}"):
        html = client.get(f"/{club.slug}/{page}").content.decode()
        plates = re.findall(r'class="strength"><strong>([^<]*)</strong><span>([^<]*)<', html)
        assert plates == [(ranks[below], str(below))] * 2, page
