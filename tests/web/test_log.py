"""Pages of the log: whom and what an entry is about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from handan.club.kinds import Kind
from tests.web.test_pages import registered, signed_in, text

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.database


def test_an_entry_names_whom_it_is_about_and_a_key_where_there_is_one(club: Club) -> None:
    from handan.club.store.models import Entry, Role

    secretary = signed_in(club, Role.SECRETARY)
    ada = registered(secretary, club, "Ada", "5k")

    def page_of(kind: Kind) -> str:
        entry = Entry.objects.filter(club=club, kind=str(kind)).latest("number")
        return text(secretary.get(f"/{club.slug}/log/{entry.number}/"))

    account = str(Entry.objects.get(club=club, kind=str(Kind.MEMBER_SET)).record.facts["account"])
    assert f"About {account} By" in page_of(Kind.MEMBER_SET)
    assert f"About Ada ({ada}) By" in page_of(Kind.PLAYER_REGISTERED)


def test_the_log_says_what_was_entered_and_visitors_read_it(club: Club) -> None:
    """Seed 004: verify that the details are correct by visiting the site and checking the log."""
    import csv
    import io

    from django.test import Client

    from handan.club.store.access import set_shown
    from handan.club.store.models import Entry, Role

    secretary = signed_in(club, Role.SECRETARY)
    one, other = registered(secretary, club, "Mmton", "5k"), registered(secretary, club, "Ggton", "9k")
    game = {"black": other, "white": one, "result": "B+R", "date": "2026-09-19", "handicap": 5, "komi": 0.5,
            "kind": "tournament", "notes": "a note"}  # fmt: skip
    secretary.post(f"/api/clubs/{club.slug}/games", game, content_type="application/json")
    entry = Entry.objects.filter(club=club, kind=str(Kind.GAME_RECORDED)).latest("number")
    key = entry.record.subject
    corrected = {"result": "W+R", "reason": "read wrongly"}
    secretary.patch(f"/api/clubs/{club.slug}/games/{key}", corrected, content_type="application/json")
    line = "2026-09-19 Ggton (Black) – Mmton (White), 5 stones, Black gives 0.5, Black by resignation, tournament"
    later = line.replace("Black by resignation", "White by resignation")
    for client in (secretary, Client()):
        page = text(client.get(f"/{club.slug}/log/"))
        assert (page.count(line), page.count(later)) == (1, 1)
        shown = text(client.get(f"/{club.slug}/log/{entry.number}/"))
        assert line in shown
        assert re.search(f"black Ggton .{{0,6}}{other}", shown)
        rows = list(csv.DictReader(io.StringIO(client.get(f"/{club.slug}/log.csv").getvalue().decode())))
        named = [row for row in rows if row["number"] == str(entry.number)]
        facts = {"date": "2026-09-19", "black": "Ggton", "white": "Mmton", "handicap": "5", "result": "B+R"}
        assert {name: named[0][f"game_{name}"] for name in facts} == facts
    of_game = text(secretary.get(f"/{club.slug}/log/?subject={key}")).partition("latest first")[2]
    assert (line in of_game, later in of_game, "player registered" in of_game) == (True, True, False)
    page = text(Client().get(f"/{club.slug}/log/"))
    assert "read wrongly" not in page
    assert "player registered" not in page.partition("latest first")[2]
    assert str(entry.author) not in page
    assert Client().get(f"/{club.slug}/log/1/").status_code == 403
    set_shown(club, one, "")
    for path in ("log/", f"log/{entry.number}/", "log.csv"):
        assert "Mmton" not in Client().get(f"/{club.slug}/{path}").getvalue().decode(), path
