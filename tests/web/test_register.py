"""The register of members: guests and who left stay off the wall, and only secretaries see who has paid."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.web.test_entering import client_of, page, points  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.database

Points = tuple["Club", dict[str, str]]


def test_guests_and_who_left_stay_off_the_wall_and_games_remain(points: Points) -> None:  # noqa: F811
    from django.test import Client

    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    club, keys = points
    home, secretary = f"/{club.slug}/", client_of(club, Role.SECRETARY)
    game = {"black": keys["佐藤 健"], "white": keys["山田 春子"], "result": "B+", "date": "2026-05-01"}
    write(club, lambda s: changes.games.record_game(s, game, today()), author="x")
    secretary.cookies["wall"] = "table"
    strongest = page(secretary, home)
    assert strongest.index("山田 春子") < strongest.index("鈴木 一郎")
    sent = {
        "key": [keys["山田 春子"], keys["佐藤 健"], keys["鈴木 一郎"]],
        "guest": [keys["山田 春子"]],
        "left": ["", str(today()), ""],
        "paid-until": ["", "", str(today() - timedelta(days=1))],
        "token": "t",
    }
    assert secretary.post(f"{home}register/", sent).status_code == 302
    for client in (secretary, Client()):
        shown = page(client, home).partition("<main")[2]
        assert "山田 春子" not in shown
        assert "佐藤 健" not in shown
        assert "鈴木 一郎" in shown
        assert "山田 春子" in page(client, f"{home}?q=yamada")  # whoever looks for them finds them
        people = page(client, f"{home}players/")
        assert "山田 春子" in people
        assert "佐藤 健" not in people
        assert "佐藤 健" in page(client, f"{home}games/")
        assert "山田" not in page(client, f"{home}print/plates/")
    assert re.findall(r'<td class="n">(\d+)</td>', page(secretary, home))[0] == "1"  # places are those among members
    evening = page(client_of(club, Role.KEEPER), f"{home}tonight/")
    assert "山田 春子" in evening  # guests play
    assert "佐藤 健" not in evening


def test_the_treasurer_sees_who_has_not_paid_and_ticks_who_has(points: Points) -> None:  # noqa: F811
    from handan.club.store.clock import today
    from handan.club.store.models import Role

    club, keys = points
    path, secretary = f"/{club.slug}/register/", client_of(club, Role.SECRETARY)
    assert "鈴木 一郎" in page(secretary, f"{path}?due=on")
    until = str(today() + timedelta(days=200))
    whole = [*keys.values()]
    sent = {"key": whole, "left": [""] * 5, "paid-until": [""] * 5, "ticked": whole[:4], "paid-together": until}
    assert secretary.post(path, sent).status_code == 302
    due = page(secretary, f"{path}?due=on")
    assert ("山田 春子" in due, "鈴木 一郎" in due) == (True, False)
    table = b"".join(secretary.get(f"/{club.slug}/register.csv")).decode().splitlines()
    assert table[0] == "player,reading,guest,left,paid_until"
    assert sorted(line.split(",")[0] for line in table if line.endswith(until)) == sorted([*keys][:4])
    days = ["2026-06-01", *[""] * 4]
    wrong = secretary.post(path, {**sent, "left": days, "paid-together": "soon"}, follow=True).content.decode()
    assert "2026-05-01" in wrong
    assert 'value="2026-06-01"' in wrong  # nothing that was typed is lost
    assert len(re.findall(r'name="ticked" value="[^"]*" checked', wrong)) == 4
    assert secretary.get(f"{path}?due=on").content.count(b'name="key"') == 1  # nothing was written
    for role in (Role.PLAYER, Role.KEEPER):
        client = client_of(club, role)
        assert [client.get(each).status_code for each in (path, f"/{club.slug}/register.csv")] == [403, 403]
        assert client.post(path, sent).status_code == 403


def test_the_register_goes_with_who_is_forgotten_and_is_theirs_to_see(points: Points) -> None:  # noqa: F811
    from handan.club.service.people import own_data
    from handan.club.store.access import Actor
    from handan.club.store.forgetting import forget
    from handan.club.store.models import Role, Subscription
    from handan.club.store.register import Registered, enter_in_register

    club, keys = points
    key = keys["김민수"]
    by = Actor(club, Role.SECRETARY)
    enter_in_register(by, {key: Registered(is_guest=True, born=2012)})
    assert own_data(club, key, by)["register"] == [{"guest": True, "left": "", "paid_until": "", "born": 2012}]
    forget(club, key)
    assert not Subscription.objects.filter(club=club).exists()
