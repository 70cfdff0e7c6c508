"""The states of ladder, player, record sheet and rules: empty, asked, refused and saved, each with a way on."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_confirming import Table
from tests.web.test_entering import client_of, fill
from tests.web.test_pages import signed_in, text
from tests.web.test_sheet_grid import look, press, statuses

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from handan.club.store.models import Club


def ways_on(page: str) -> list[str]:
    """Return where the buttons of an empty part lead, which stand behind a bare rail."""
    return re.findall(r'<a class="button[^"]*"\s+href="([^"]+)"', page.partition('class="wall bare"')[2])


@pytest.fixture
def club(make_club: Callable[..., Club]) -> Club:
    return make_club("points")


@pytest.fixture
def administrator(club: Club) -> Client:
    from handan.club.store.models import Role

    return signed_in(club, Role.ADMINISTRATOR)


def test_what_is_empty_says_so_and_leads_on(club: Club, administrator: Client) -> None:
    from django.test import Client

    home = f"/{club.slug}/"
    assert ways_on(administrator.get(home).content.decode()) == [
        f"{home}players/list/", f"{home}players/new/", f"{home}games/sheet/"]  # fmt: skip
    for page in ("start/", "games/", "players/", "pair/", "terms/"):
        assert ways_on(administrator.get(home + page).content.decode()) == ways_on(
            administrator.get(home).content.decode()
        ), page
        assert ways_on(Client().get(home + page).content.decode()) == [], page
    assert "No games yet." in text(Client().get(home))
    assert ways_on(Client().get(home).content.decode()) == []  # who may write nothing is led nowhere
    sheet = administrator.get(f"{home}games/sheet/").content.decode()
    assert sheet.count('name="black" value=""') >= 10
    assert '<details class="as-text" open>' in sheet
    assert "All settings as published." in text(administrator.get(f"{home}rules/"))
    person = administrator.post(f"{home}players/new/", {"name": "Ada"})["Location"]
    page = administrator.get(person).content.decode()
    assert "No rated games and no rank yet." in page
    (button,) = ways_on(page)[:1]
    assert "Ada" in administrator.get(button).content.decode().partition('class="chosen"')[2].partition("wall")[0]


def test_what_waits_for_somebody_is_asked_with_two_buttons(make_club: Callable[..., Club]) -> None:
    table = Table(make_club)
    path = table.entered(table.ada)
    home = f"/{table.club.slug}/"
    for page in ("players/p3/", "rules/", "games/"):
        assert "1 game waits for you" in text(table.bo.get(f"{home}{page}")), page
        assert "waits for you" not in text(table.ada.get(f"{home}{page}")), page
    for page in ("", "start/"):  # which list the games themselves, and say it once
        assert "waits for you" not in text(table.bo.get(f"{home}{page}")), page
        assert 'id="waiting"' in table.bo.get(f"{home}{page}").content.decode()
    waiting = table.bo.get(home).content.decode().partition('id="waiting"')[2]
    assert re.search(rf'action="{path}confirm/".*?<button>That is right</button>', waiting, re.DOTALL)
    assert f'href="{path}confirm/#not-so">It is not</a>' in waiting
    assert "waits for confirmation" in text(table.cy.get(f"{home}players/p3/"))


def test_a_sheet_asks_at_the_line_and_rules_ask_by_a_preview(club: Club, administrator: Client) -> None:
    from handan.club.store.models import Role

    fill(club)
    keeper = client_of(club, Role.KEEPER)
    page = look(keeper, club, [("suzu", "yama", "B+"), ("Sako", "kim", "W+")])
    assert statuses(page) == ["ready", "question"]
    question = page.partition('<div class="question">')[2].partition("</div>")[0]
    assert re.findall(r'<button[^>]*name="(\w+)"', question) == ["is", "new", "out"]  # Satō is like Sako
    press(keeper, club, page, save="1")
    form = {"system": "elo", "confirmation": "none", "preview": "1"}
    preview = administrator.post(f"/{club.slug}/rules/", form).content.decode()
    assert "From that date" in preview
    assert 'name="save"' in preview


def test_what_is_refused_names_the_place_keeps_what_was_typed_and_leads_back(club: Club, administrator: Client) -> None:
    from handan.club.store.models import Role

    keys, home = fill(club), f"/{club.slug}/"
    keeper = client_of(club, Role.KEEPER)
    for path in ("?as_of=yesterday", f"players/{keys['Ada Lindqvist']}/?as_of=yesterday"):
        refused = keeper.get(f"{home}{path}")
        assert refused.status_code == 400, path
        assert 'role="alert"' in refused.content.decode()
        assert "yesterday" in text_of(refused)
        assert '<a href="' in refused.content.decode().partition('role="alert"')[2].partition("</main>")[0]
    line = look(keeper, club, [("suzu", "suzu", "B+")], notes=["3番卓"])
    assert statuses(line) == ["fault"]
    assert re.search(r'<p class="error">[^<]*another player', line.partition('id="answer-1"')[2])
    assert {"suzu", "3番卓"} <= set(re.findall(r'value="([^"]*)"', line))
    typed = {"system": "points", "confirmation": "none", "since": "tomorrow-ish", "reason": "as voted", "save": "1"}
    rules = administrator.post(f"{home}rules/", typed).content.decode()
    assert re.search(r'class="field bad"[^§]*?name="since" value="tomorrow-ish"', rules)
    assert 'value="as voted"' in rules


def test_what_is_saved_says_so_and_can_be_taken_back(club: Club) -> None:
    from handan.club.store.models import Role

    keys, home = fill(club), f"/{club.slug}/"
    keeper, secretary = (client_of(club, role) for role in (Role.KEEPER, Role.SECRETARY))
    lines = look(keeper, club, [("suzu", "yama", "B+"), ("kim", "ada", "W+")])
    sheet = press(keeper, club, lines, save="1").content.decode()
    moved = re.findall(r'<span class="move">', sheet)
    assert len(moved) == 4  # from what to what, of all who played
    ranked = secretary.post(
        f"{home}players/{keys['Ada Lindqvist']}/adjust/", {"rank": "3d", "reason": "came back"}, follow=True
    ).content.decode()  # fmt: skip
    assert re.search(
        r'class="message saved".*?Ada Lindqvist [\d.]+ → <strong>[\d.]+</strong> \(1d → 3d\)', ranked, re.DOTALL
    )
    for page in (sheet, ranked):
        assert re.search(rf'action="{home}undo/".*?<button>Undo</button>', page, re.DOTALL)


def test_only_who_moved_is_named_and_where_nobody_did_that_is_said(club: Club, administrator: Client) -> None:
    from handan.club.store.models import Role

    fill(club)
    keeper = client_of(club, Role.KEEPER)
    lines = look(keeper, club, [("suzu", "yama", "B+"), ("kim", "ada", "W+")], kind=["free", "club"])
    sheet = press(keeper, club, lines, save="1", despite="on").content.decode()
    moved = html.unescape(" ".join(re.findall(r'<span class="move">(.*?)</span>', sheet)))
    assert [name in moved for name in ("鈴木", "山田", "김민수", "Ada")] == [False, False, True, True]
    assert "Nobody’s rating moves." not in html.unescape(sheet)
    free = press(keeper, club, look(keeper, club, [("suzu", "ada", "B+")], kind=["free"]), save="1", despite="on")
    assert '<span class="move">' not in free.content.decode()
    assert "Nobody’s rating moves." in text_of(free)
    undone = keeper.post(
        f"/{club.slug}/undo/", {"entries": re.findall(r'name="entries" value="([^"]+)"', free.content.decode())[0]},
        follow=True,
    )  # fmt: skip
    assert "Nobody’s rating moves." in text_of(undone)
    zone = administrator.post(f"/{club.slug}/zone/", {"zone": "Asia/Tokyo", "save": "1"}, follow=True)
    assert "Nobody’s rating moves." not in text_of(zone)  # nobody asked


def text_of(answer: Any) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode()))
