"""Cards that open by the code on them: to look at only, where the club allows it, and until the code ends."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from tests.web.test_entering import client_of, page, points  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.database

Points = tuple["Club", dict[str, str]]


def link_of(shown: str) -> str:
    """Return the address of the card that a page of one's own data shows."""
    match = re.search(r"http://testserver(/[a-z0-9-]+/cards/[^<\"]+)", shown)
    assert match
    return match[1]


def test_a_card_of_a_closed_club_opens_by_its_code_alone_and_names_nobody_who_hides(points: Points) -> None:  # noqa: F811
    from django.test import Client

    from handan.club import changes
    from handan.club.store.access import set_shown
    from handan.club.store.clock import today
    from handan.club.store.models import Club, Openness, Role
    from handan.club.store.writing import write

    club, keys = points
    one, other = keys["鈴木 一郎"], keys["佐藤 健"]
    facts = {"black": one, "white": other, "result": "B+", "date": "2026-05-01"}
    write(club, lambda s: changes.games.record_game(s, facts, today()), author="x")
    set_shown(club, other, "")
    Club.objects.filter(pk=club.pk).update(openness=Openness.CLOSED)
    home, stranger = f"/{club.slug}/", Client()
    administrator, player = client_of(club, Role.ADMINISTRATOR), client_of(club, Role.PLAYER, one)
    own = f"{home}players/{one}/own/"
    assert "/cards/" not in page(player, own)  # not before the club allows it
    administrator.post(f"{home}visitors/", {"cards": "on"})
    card = link_of(page(player, own))
    shown = unescape(stranger.get(card).content.decode())
    assert "鈴木 一郎" in shown
    assert "佐藤" not in shown
    assert "<form" not in shown
    assert stranger.get(card)["Cache-Control"] == "no-store"
    assert [stranger.get(path).status_code for path in (home, f"{home}players/{one}/")] == [404, 404]
    code = card.rstrip("/").rpartition("/")[2]
    wrong = (f"{home}cards/{other}/{code}/", card[:-2] + ("A/" if card[-2] != "A" else "B/"), f"{home}cards/{one}/x/")
    assert [stranger.get(path).status_code for path in wrong] == [404, 404, 404]
    assert stranger.post(card).status_code == 405
    assert "佐藤" not in unescape(player.get(card).content.decode())  # also who is signed in only looks
    player.post(own, {"renew": "1"})
    again = link_of(page(player, own))
    assert [stranger.get(path).status_code for path in (card, again)] == [404, 200]
    assert player.post(f"{home}visitors/", {"cards": "off"}).status_code == 403
    administrator.post(f"{home}visitors/", {"cards": "off"})
    administrator.post(f"{home}visitors/", {"cards": "on"})
    assert stranger.get(again).status_code == 404  # codes that ended never come back


def test_only_cards_that_a_secretary_prints_bear_the_code(points: Points) -> None:  # noqa: F811
    import segno
    from django.test import Client

    from handan.club.store.access import Actor, card_codes, open_cards_by_code
    from handan.club.store.models import Role

    club, keys = points
    open_cards_by_code(Actor(club, Role.ADMINISTRATOR), on=True)
    codes, key = card_codes(club), keys["鈴木 一郎"]
    assert codes is not None
    paper = f"/{club.slug}/print/cards/?player={key}"
    by_code = f"http://testserver/{club.slug}/cards/{key}/{codes(key)}/"
    drawn = segno.make(by_code, error="m", micro=False).svg_inline(
        border=4, omitsize=True, svgclass="qr", lineclass=None
    )
    path = re.search(r' d="([^"]+)"', drawn)
    assert path
    shown = {role: client_of(club, role).get(paper).content.decode() for role in (Role.KEEPER, Role.SECRETARY)}
    assert (path[1] in shown[Role.KEEPER], path[1] in shown[Role.SECRETARY]) == (False, True)
    assert path[1] not in Client().get(paper).content.decode()
