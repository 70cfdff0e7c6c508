"""The evening on which somebody is promoted: plate, card, first page, figures and certificate say so."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.web.test_entering import client_of
from tests.web.test_pages import MakeClub
from tests.web.test_record_sheet import entered

if TYPE_CHECKING:
    from django.test import Client


def words(client: Client, path: str) -> str:
    """Return a page's words."""
    answer = client.get(path)
    assert answer.status_code == 200, path
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def test_the_evening_on_which_130_points_are_reached(make_club: MakeClub) -> None:
    # the card of the club: 130 is 1 dan, 12 points a rank, promoted when reached; two wins of one point each
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Role

    club, now = make_club("points", card="tagajo12", at_1d=130.0), today()
    ada, bo = (entered(club, changes.players.register_player, {"name": name}) for name in ("Ada", "Bo"))
    came, played = now - timedelta(days=60), now - timedelta(days=7)
    for key in (ada, bo):
        entered(club, changes.players.adjust, key, {"rating": 128.0, "date": str(came)}, now, "points of the old card")
    for _ in range(2):
        facts = {"black": ada, "white": bo, "result": "B+", "date": str(played), "komi": 6.0}
        entered(club, changes.games.record_game, facts, now)
    player, home = client_of(club, Role.PLAYER, ada), f"/{club.slug}/"
    card = words(player, f"{home}players/{ada}/")
    assert f"Promoted to 1d on {played}" in card
    assert "12 points to 2d" in card  # 142 less 130
    assert "The last 2 games: 2 won, 0 lost" in html.unescape(player.get(f"{home}players/{ada}/").content.decode())
    assert f"128 on {came.day} {came:%B %Y}" in card
    assert re.search(r"as Black 2 0 .*without stones 2 0", card)
    plates = player.get(home).content.decode()
    assert re.findall(r'class="rank seal">(\w+)<', plates) == ["1d"]
    assert f"Promotions 1d Ada {played}" in words(player, f"{home}start/")
    assert "Promotions 1d Ada from 1k" in words(player, f"{home}figures/?from={came}")
    papers = f"{home}print/certificate/?month={played:%Y-%m}"
    for paper in (papers, f"{papers}&player={ada}"):
        assert re.search(r"Ada 1 dan has reached 1 dan at .*" + f"{played.day} {played:%B %Y}", words(player, paper))
    refused = player.get(f"{home}print/certificate/?month={came:%Y-%m}")
    assert (refused.status_code, "obody was promoted in the month" in refused.content.decode()) == (400, True)


@pytest.mark.database
def test_promotions_are_read_from_the_list_and_more_of_them_at_once(
    make_club: MakeClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.stored_standings import StoredStandings

    def refuse(_: StoredStandings) -> None:
        raise AssertionError("all games are rated anew")

    club, now, visitor, numbers = make_club("points", card="tokyo15", at_1d=130.0), today(), Client(), list[int]()
    home, played = f"/{club.slug}/", now - timedelta(days=7)
    monkeypatch.setattr(StoredStandings, "from_all_games", property(refuse))
    for names in ("ab", "cdefgh"):
        for name in names:
            key = entered(club, changes.players.register_player, {"name": f"Ada {name}"})
            points = {"rating": 129.0, "date": str(now - timedelta(days=60))}
            entered(club, changes.players.adjust, key, points, now, "points of the old card")
            other = entered(club, changes.players.register_player, {"name": f"Bo {name}"})
            facts = {"black": key, "white": other, "result": "B+", "date": str(played), "white_rank": "1k"}
            entered(club, changes.games.record_game, facts, now)
        visitor.get(home)  # the list follows the entries when somebody looks
        with CaptureQueriesContext(connection) as queries:
            news = visitor.get(f"{home}news.atom").content.decode()
        numbers.append(len(queries))
        assert all(f"Ada {name}: promoted to 1d" in news for name in names)
        assert all(f"Ada {name} {played}" in words(visitor, f"{home}start/") for name in names)
        assert all(f"Ada {name} from 1k" in words(visitor, f"{home}figures/?from={played}") for name in names)
        assert all(f"Ada {name}" in words(visitor, f"{home}print/month/?month={played:%Y-%m}") for name in names)
    assert numbers[1] == numbers[0]


@pytest.mark.parametrize(
    ("points", "shown"), [(124.0, "6 wins in a row against Bo"), (123.0, "6 wins in a row tonight are")]
)
def test_six_wins_in_a_row_are_the_most_that_are_looked_at(make_club: MakeClub, points: float, shown: str) -> None:
    # 130 is 1 dan, and a win is one point
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Role

    club = make_club("points", card="tokyo15", at_1d=130.0)
    keys = [entered(club, changes.players.register_player, {"name": name}) for name in ("Ada", "Bo")]
    for key in keys:
        entered(club, changes.players.adjust, key, {"rating": points}, today(), "points of the old card")
    assert shown in words(client_of(club, Role.PLAYER), f"/{club.slug}/players/{keys[0]}/next/")
