"""The first hour of a club: its card by a picture, and five steps on the start page until they are done or left."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from handan.handicaps import CARDS
from tests.web.test_entering import client_of
from tests.web.test_pages import MakeClub

if TYPE_CHECKING:
    from django.test import Client


def done(client: Client, slug: str) -> list[bool]:
    page = html.unescape(client.get(f"/{slug}/start/").content.decode())
    return [
        bool(mark)
        for mark in re.findall(r'<li( class="done")?>', page.partition('<ol class="path">')[2].partition("</ol>")[0])
    ]


def test_five_steps_show_what_is_done_and_can_be_left(make_club: MakeClub) -> None:
    from django.test import Client as Visitor

    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club = make_club("points")
    founder = client_of(club, Role.ADMINISTRATOR)
    assert done(founder, club.slug) == [False] * 5
    assert done(Visitor(), club.slug) == []
    page = founder.get(f"/{club.slug}/card/choose/").content.decode()
    assert sorted(re.findall(r'name="card" value="(\w+)"', page)) == sorted(CARDS)
    sent = {"card": "tokyo15", "at_1d": "150", "stone": "", "promotion": "reached", "demotion": "below", "save": "1"}
    assert founder.post(f"/{club.slug}/card/choose/", sent).status_code == 302
    assert state_of(club).rules[0].settings == {"card": "tokyo15", "at_1d": 150.0}
    founder.post(f"/{club.slug}/players/list/", {"text": "Ada,3k,120\nBo,1d,150\n", "member": ["1", "2"], "save": "1"})
    founder.get(f"/{club.slug}/print/")
    founder.post(f"/{club.slug}/members/", {"role": "2"})
    assert done(founder, club.slug) == [True, True, True, True, False]
    assert founder.get(f"/{club.slug}/start/?steps=left").status_code == 200
    assert done(founder, club.slug) == []
    founder.get(f"/{club.slug}/start/?steps=shown")
    assert len(done(founder, club.slug)) == 5


def test_the_card_that_stands_already_is_confirmed_without_an_entry(make_club: MakeClub) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club = make_club("points")
    founder = client_of(club, Role.ADMINISTRATOR)
    before = state_of(club).number
    assert (
        founder.post(
            f"/{club.slug}/card/choose/", {"card": "tagajo12", "promotion": "reached", "demotion": "below"}
        ).status_code
        == 302
    )
    assert (state_of(club).number, done(founder, club.slug)[0]) == (before, True)


def test_everybody_is_invited_on_one_page_and_each_link_makes_that_player_a_member(make_club: MakeClub) -> None:
    from django.test import Client as Visitor

    from handan.club.store.members import open_invitations
    from handan.club.store.models import Membership, Role
    from tests.web.test_entering import fill

    club = make_club("points")
    keys = fill(club)
    secretary, path = client_of(club, Role.SECRETARY, keys["佐藤 健"]), f"/{club.slug}/members/"
    page = html.unescape(secretary.post(path, {"everybody": "1", "token": "once"}).content.decode())
    links = re.findall(r'<code class="link">http://testserver(/join/[^<]+)</code>', page)
    assert len(links) == len(keys) - 1  # the secretary has an account
    assert page.count("<svg") >= len(links)
    again = html.unescape(secretary.post(path, {"everybody": "1", "token": "once"}).content.decode())
    assert re.findall(r'(/join/[^<"]+)</code>', again) == links
    account = {"username": "invited", "password": "a long enough phrase", "again": "a long enough phrase"}
    assert Visitor().post(links[0], account).status_code == 302
    member = Membership.objects.get(club=club, user__username="invited")
    first = page[: page.index(links[0])].rpartition('class="name">')[2]
    assert (member.role, first.startswith(next(name for name in keys if keys[name] == member.player))) == (1, True)
    new = html.unescape(secretary.post(path, {"everybody": "1", "token": "twice"}).content.decode())
    assert len(re.findall(r"(/join/[^<]+)</code>", new)) == len(links) - 1
    assert open_invitations(club).count() == len(links) - 1  # those that were made before have ended
