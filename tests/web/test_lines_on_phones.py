"""Tables that become lines on a phone, where their heads are hidden: what a value is stands beside it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.conftest import ROOT
from tests.web.test_pages import MakeClub, registered, signed_in

if TYPE_CHECKING:
    from handan.club.store.models import Club

TEMPLATES = ROOT / "src" / "handan" / "web" / "templates" / "handan"
SAYS_WHAT_IT_IS = re.compile(r"line\.date|entry\.entered")
"""Days of a game or an entry, of which a line has one."""


@pytest.fixture
def club(make_club: MakeClub) -> Club:
    return make_club("points", card="tokyo15")


def labels(page: str) -> list[str]:
    """Return the labels of the values of the first line of the last table of a page."""
    row = page[page.rindex("<tbody") :]
    return re.findall(r'data-label="([^"]*)"', row[: row.index("</tr>")])


def test_every_day_and_moment_in_a_table_of_lines_has_a_label() -> None:
    bare = [
        f"{file.name}: {cell}"
        for file in sorted(TEMPLATES.rglob("*.html"))
        for table in re.findall(r'class="wide[^>]*>\s*<table.*?</table>', file.read_text(encoding="utf-8"), re.DOTALL)
        for cell in re.findall(r"<td[^>]*>\{\{ [^<]*?\|(?:day|moment)[^<]*", table)
        if "data-label" not in cell and not SAYS_WHAT_IT_IS.search(cell)
    ]
    assert not bare


def test_the_values_of_an_invitation_are_named(club: Club) -> None:
    from handan.club.store.models import Role

    secretary = signed_in(club, Role.SECRETARY)
    registered(secretary, club, "Ada", "5k")
    answer = secretary.post(f"/{club.slug}/members/", {"role": "1", "player": "Ada"})
    assert labels(answer.content.decode()) == ["Role", "Player", "Created by", "On", "Until"]
    secretary.cookies["language"] = "de"
    assert labels(secretary.get(f"/{club.slug}/members/").content.decode()) == [
        "Rolle", "Spieler", "Erzeugt von", "Am", "Bis",
    ]  # fmt: skip


def test_the_values_of_a_pasted_list_of_members_are_named(club: Club) -> None:
    from handan.club.store.models import Role

    secretary = signed_in(club, Role.SECRETARY)
    answer = secretary.post(f"/{club.slug}/players/list/", {"text": "Ada Lace\tada\t5k\tZA"})
    assert {"Reading", "Rank", "Country"} <= set(labels(answer.content.decode()))
