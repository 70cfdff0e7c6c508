"""The club's own tablet, and a device without a network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_browser import CHROMIUM, address, browser, member, sign_in  # noqa: F401  # fixtures
from tests.web.test_entering import fill
from tests.web.test_pages import signed_in, text
from tests.web.test_touches import Walk, points  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from handan.club.store.models import Club

pytestmark = pytest.mark.extended

TABLET: Any = {"width": 1024, "height": 768}
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium")


def test_the_tablet_says_the_terms_that_the_form_saves(points: tuple[Club, dict[str, str]]) -> None:  # noqa: F811
    from django.test import Client

    from handan.club.store.models import Role

    club, keys = points
    pair = f"?one={keys['鈴木 一郎']}&other={keys['山田 春子']}"
    visitor, keeper = Client(), signed_in(club, Role.KEEPER)
    pages = {name: visitor.get(f"/{club.slug}/kiosk/{pair}") for name in ("kiosk",)}
    pages["enter"] = keeper.get(f"/{club.slug}/games/enter/{pair}")
    agreed = [re.search(r'class="agreed">(.*?)</p>', page.content.decode()) for page in pages.values()]
    assert agreed[0]
    assert agreed[1]
    assert agreed[0][1] == agreed[1][1]
    assert "won" not in re.findall(r'name="(\w+)"', pages["kiosk"].content.decode())
    assert "鈴木" in text(pages["kiosk"])


def test_only_a_keeper_saves_on_the_tablet_and_comes_back_to_its_wall(
    points: tuple[Club, dict[str, str]],  # noqa: F811
) -> None:
    from django.test import Client

    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club, keys = points
    path = f"/{club.slug}/kiosk/"
    keeper = signed_in(club, Role.KEEPER)
    page = keeper.get(f"{path}?one={keys['鈴木 一郎']}&other={keys['山田 春子']}").content.decode()
    fields = dict(re.findall(r'name="(token|handicap|komi)" value="([^"]*)"', page))
    won = re.search(r'name="won" value="([^"]+)"', page)
    assert won
    refused = [client.post(path, {**fields, "won": won[1]}) for client in (Client(), signed_in(club, Role.PLAYER))]
    assert [answer.status_code for answer in refused] == [403, 403]
    assert state_of(club).games.height == 0
    saved = keeper.post(path, {**fields, "won": won[1]})
    assert (saved.status_code, saved["Location"]) == (302, path)
    assert state_of(club).games.height == 1


@needs_chromium
def test_terms_are_two_touches_on_the_tablet_and_go_away_by_themselves(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    points: tuple[Club, dict[str, str]],  # noqa: F811
) -> None:
    club, _ = points
    context = browser.new_context(viewport=TABLET, has_touch=True)
    page = context.new_page()
    page.clock.install()
    page.goto(f"{address}/{club.slug}/kiosk/")
    visitor = Walk(page)
    for name in ("鈴木 一郎", "山田 春子"):
        visitor.touch(page.locator("#wall a.pick").filter(has_text=name))
    assert visitor.cost() == (2, 0)
    size = page.locator(".agreed").evaluate("part => parseFloat(getComputedStyle(part).fontSize)")
    assert size >= 27
    small = page.evaluate(
        "() => [...document.querySelectorAll('main a.button, main button, main .pick')].filter(part => "
        "part.getBoundingClientRect().height < 63.9).map(part => part.outerHTML)"
    )
    assert small == []
    page.clock.run_for(29_000)
    assert "other=" in page.url
    page.clock.run_for(2_000)
    page.wait_for_url(f"{address}/{club.slug}/kiosk/")
    context.close()


@needs_chromium
def test_without_a_network_the_last_ladder_stands_and_nothing_of_members(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
) -> None:
    from handan.club.store.models import Role

    fill(club)
    context = browser.new_context(service_workers="allow")
    page = context.new_page()
    name = member(club, Role.KEEPER)
    sign_in(page, address, name)
    for _ in range(2):  # the second visit is served by the script that the first brought
        page.goto(f"{address}/{club.slug}/")
        page.evaluate("() => navigator.serviceWorker.ready.then(() => undefined)")
    kept = "async (path) => { while (!(await caches.match(path))) await new Promise(again => setTimeout(again, 20)); }"
    page.evaluate(kept, f"/{club.slug}/")  # wait_for_function takes a promise for true
    context.set_offline(True)
    page.reload()
    page.get_by_text("There is no network").wait_for()
    assert page.locator(".plate").filter(has_text="鈴木").count() == 1
    assert name not in page.content()
    page.goto(f"{address}/{club.slug}/games/")
    page.get_by_role("heading", name="No network").wait_for()
    context.close()


def pin_of(club: Club, pin: str = "271828") -> str:
    """Set the PIN of a club's tablet, on its office page."""
    from handan.club.store.models import Role

    page = signed_in(club, Role.ADMINISTRATOR).post(f"/{club.slug}/office/", {"pin": pin}, follow=True)
    assert "The PIN of the tablet is set." in text(page)
    return pin


def sent_by(client: Any, path: str) -> dict[str, str]:
    """Return what the last step of the tablet would send if Black won."""
    page = client.get(path).content.decode()
    fields = dict(re.findall(r'name="(token|handicap|komi)" value="([^"]*)"', page))
    won = re.search(r'name="won" value="([^"]+)"', page)
    assert won
    return {**fields, "won": won[1]}


def test_with_its_pin_the_tablet_saves_and_undoes_without_an_account(
    points: tuple[Club, dict[str, str]],  # noqa: F811
) -> None:
    from django.contrib.auth.hashers import identify_hasher
    from django.test import Client

    from handan.club.store.models import Entry, Role, TabletPin
    from handan.club.store.states import state_of

    club, keys = points
    path, pin, tablet = f"/{club.slug}/kiosk/", pin_of(club), Client()
    step = f"{path}?one={keys['鈴木 一郎']}&other={keys['山田 春子']}"
    fields = sent_by(tablet, step)
    wrong = tablet.post(path, {**fields, "pin": "000111"})
    assert "that is not the PIN of the tablet" in text(wrong)
    assert fields["won"] in wrong.content.decode()  # the two players stay chosen
    form = wrong.content.decode().partition('class="won"')[2]  # Enter presses the first button: none
    assert re.findall(r"<button[^>]*>", form)[0].count(" disabled")
    assert state_of(club).games.height == 0
    saved = tablet.post(path, {**fields, "pin": pin}, follow=True)
    assert "The game is entered." in text(saved)
    entry = Entry.objects.filter(club=club).last()
    assert entry is not None
    assert (entry.kind, entry.author, entry.account, entry.user) == ("game recorded", "the club's tablet", "", None)
    undo = re.search(r'name="entries" value="([^"]+)"', saved.content.decode())
    assert undo
    refused = tablet.post(f"/{club.slug}/undo/", {"entries": undo[1]})
    assert (refused.status_code, "Sign in" in text(refused)) == (403, True)
    assert "that is not the PIN" in text(tablet.post(path, {"entries": undo[1], "pin": "000111"}, follow=True))
    assert state_of(club).games["status"].to_list() == [0]
    tablet.post(path, {"entries": undo[1], "pin": pin})
    assert state_of(club).games["status"].to_list() == [1]
    number = next(entry.number for entry in Entry.objects.filter(club=club) if entry.author == "x")  # of somebody else
    refused = tablet.post(path, {"entries": f"{number}-{number}", "pin": pin}, follow=True)
    assert "undone by who wrote it" in text(refused)
    stored = TabletPin.objects.get(club=club).secret
    assert pin not in stored
    assert identify_hasher(stored)
    assert all(pin not in str(row.facts) for row in Entry.objects.filter(club=club))
    log = text(signed_in(club, Role.PLAYER).get(f"/{club.slug}/log/"))
    assert "tablet set" in log
    assert "the club&#39;s tablet" in log


def test_the_tablet_asks_for_its_pin_once_an_evening(points: tuple[Club, dict[str, str]]) -> None:  # noqa: F811
    """Twenty-two games are 66 touches and one PIN; who locks the tablet, and another day, is asked again."""
    from datetime import UTC, datetime, timedelta
    from itertools import combinations, islice
    from unittest import mock

    from django.test import Client

    from handan.club.store import tablet as store
    from handan.club.store.states import state_of

    club, keys = points
    path, pin, tablet = f"/{club.slug}/kiosk/", pin_of(club), Client()
    pairs = [f"{path}?one={one}&other={other}" for one, other in islice(combinations(keys.values(), 2), 3)]
    pins = []
    for number, pair in enumerate(pairs):
        pins.append('name="pin"' in tablet.get(pair).content.decode())
        saved = tablet.post(path, {**sent_by(tablet, pair), **({} if number else {"pin": pin})}, follow=True)
        assert "The game is entered." in text(saved)
    assert pins == [True, False, False]
    undo = re.search(r'name="entries" value="([^"]+)"', saved.content.decode())
    assert undo
    assert 'name="pin"' not in saved.content.decode()
    tablet.post(path, {"entries": undo[1]})
    assert state_of(club).games["status"].to_list() == [0, 0, 1]
    evening = tablet.cookies["evening"].value
    with mock.patch("time.time", return_value=(datetime.now(UTC) + store.EVENING + timedelta(minutes=1)).timestamp()):
        assert not store.is_open(club, evening)
    with mock.patch.object(store, "evening_day", return_value="another day"):
        assert not store.is_open(club, evening)
    assert store.is_open(club, evening)
    tablet.post(path, {"lock": "1"})
    assert 'name="pin"' in tablet.get(pairs[2]).content.decode()
    assert "that is not the PIN" in text(tablet.post(path, sent_by(tablet, pairs[2])))
    pin_of(club, "314159")  # another number closes every tablet
    assert not store.is_open(club, evening)


def test_guessing_the_pin_is_braked_and_only_administrators_set_it(
    points: tuple[Club, dict[str, str]],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from django.test import Client

    from handan.club.store import tablet as store
    from handan.club.store.models import PinTry, Role
    from handan.club.store.states import state_of

    club, keys = points
    path = f"/{club.slug}/kiosk/"
    for role in Role:
        if role < Role.ADMINISTRATOR:
            assert signed_in(club, role).post(f"/{club.slug}/office/", {"pin": "271828"}).status_code == 403
    office = signed_in(club, Role.ADMINISTRATOR)
    for bad in ("1234", "123456", "777777", "27a828", "2" * 13):
        assert "is set" not in text(office.post(f"/{club.slug}/office/", {"pin": bad}, follow=True)), bad
        assert not store.has_pin(club)
    pin, guesser = pin_of(club), Client(REMOTE_ADDR="192.0.2.7")
    fields = sent_by(guesser, f"{path}?one={keys['鈴木 一郎']}&other={keys['山田 春子']}")
    for _ in range(store.TRIES_AN_HOUR):
        guesser.post(path, {**fields, "pin": "000111"})
    assert "too many wrong numbers" in text(guesser.post(path, {**fields, "pin": pin}))  # also the right one
    assert state_of(club).games.height == 0
    assert not any("192.0.2.7" in row.address for row in PinTry.objects.filter(club=club))
    monkeypatch.setattr(store, "TRIES_A_DAY", store.TRIES_AN_HOUR)
    assert "too many wrong numbers" in text(Client(REMOTE_ADDR="192.0.2.8").post(path, {**fields, "pin": pin}))
    monkeypatch.undo()
    club_tablet = Client(REMOTE_ADDR="192.0.2.9")
    assert "The game is entered." in text(club_tablet.post(path, {**fields, "pin": pin}, follow=True))
    assert "has no PIN any more" in text(office.post(f"/{club.slug}/office/", {"pin": ""}, follow=True))
    assert club_tablet.post(path, {**fields, "pin": pin}).status_code == 403


def test_who_guesses_elsewhere_does_not_keep_the_tablet_out(
    points: tuple[Club, dict[str, str]],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from django.test import Client

    from handan.club.store import tablet as store
    from handan.club.store.states import state_of

    club, keys = points
    path, pin, own = f"/{club.slug}/kiosk/", pin_of(club), Client(REMOTE_ADDR="192.0.2.20")
    names = list(keys)
    pairs = [f"{path}?one={keys[names[0]]}&other={keys[name]}" for name in names[1:4]]
    assert own.post(path, {**sent_by(own, pairs[0]), "pin": pin}).status_code == 302
    cookie = own.cookies["tablet"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == (path, True, "Strict")
    monkeypatch.setattr(store, "TRIES_A_DAY", 3)
    for last in range(4):
        stranger = Client(REMOTE_ADDR=f"2001:db8:0:{last}::1")
        stranger.post(path, {**sent_by(stranger, pairs[1]), "pin": "000111"})
    assert "too many wrong numbers" in text(stranger.post(path, {**sent_by(stranger, pairs[1]), "pin": pin}))
    assert own.post(path, {**sent_by(own, pairs[1]), "pin": pin}).status_code == 302
    assert state_of(club).games.height == 2
    for _ in range(store.TRIES_AN_HOUR + 1):  # on the tablet itself the hour's brake holds
        refused = own.post(path, {**sent_by(own, pairs[2]), "pin": "000111"})
    assert "too many wrong numbers" in text(refused)
    stranger.cookies["tablet"] = cookie.value[:-1] + ("A" if cookie.value[-1] != "A" else "B")  # forged
    assert "too many wrong numbers" in text(stranger.post(path, {**sent_by(stranger, pairs[2]), "pin": pin}))


def test_a_form_that_sets_the_pin_and_comes_again_changes_nothing(points: tuple[Club, dict[str, str]]) -> None:  # noqa: F811
    from handan.club.store.models import Entry, Role, TabletPin

    club, _ = points
    path, office = f"/{club.slug}/office/", signed_in(club, Role.ADMINISTRATOR)
    for token, pin in (("first", "271828"), ("second", "314159")):
        office.post(path, {"pin": pin, "token": token})
    secret = TabletPin.objects.get(club=club).secret
    office.post(path, {"pin": "271828", "token": "first"})
    assert "This form was sent already" in text(office.post(path, {"pin": "", "token": "first"}))
    assert TabletPin.objects.get(club=club).secret == secret
    assert Entry.objects.filter(club=club, kind="tablet set").count() == 2
