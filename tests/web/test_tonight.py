"""The evening: who is here, who should play whom, who plays, what was played, and its sheet."""

from __future__ import annotations

import html
import re
from datetime import datetime, time, timedelta
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from handan.systems.core.unrated_reasons import HISTORY
from tests.web.test_browser import address, browser, member, sign_in  # noqa: F401  # fixtures
from tests.web.test_entering import client_of, fill, page, points  # noqa: F401  # a fixture
from tests.web.test_kiosk import needs_chromium, pin_of, sent_by
from tests.web.test_sheet_grid import fields_of, look

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client
    from playwright.sync_api import Browser

    from handan.club.store.models import Club


@pytest.fixture
def evening(points: tuple[Club, dict[str, str]]) -> tuple[Club, dict[str, str], Client]:  # noqa: F811
    """A club of five and its result keeper."""
    from handan.club.store.models import Role

    return *points, client_of(points[0], Role.KEEPER)


def sent(client: Client, club: Club, **fields: str) -> str:
    """Send a form of the page; the page that follows."""
    answer = client.post(f"/{club.slug}/tonight/", fields, follow=True)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


def suggested(shown: str) -> list[set[str]]:
    """Return the pairs that the page suggests, each once."""
    return [{*pair.split()} for pair in re.findall(r'class="second" name="play" value="([^",]*)"', shown)]


def test_who_is_tapped_is_here_and_is_paired_without_last_weeks_opponent(
    evening: tuple[Club, dict[str, str], Client],
) -> None:
    """By hand: of four, two pairs met last week, and one of the two other ways to pair them is left."""
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.writing import write

    club, keys, keeper = evening
    suzuki, sato, kim, ada, yamada = keys.values()
    met = ((suzuki, sato), (kim, ada), (suzuki, kim), (sato, ada))
    for black, white in met:
        facts = {"black": black, "white": white, "result": "B+", "date": str(today() - timedelta(days=7))}
        write(club, lambda s, f=facts: changes.games.record_game(s, f, today()), author="x")  # type: ignore[misc]
    shown = ""
    for key in (suzuki, sato, kim, ada):
        shown = sent(keeper, club, arrive=key)
    assert "4 players are here" in shown
    assert sorted(map(sorted, suggested(shown))) == sorted(map(sorted, ({suzuki, ada}, {sato, kim})))
    shown = sent(keeper, club, arrive=yamada)
    assert "Sitting out: 山田 春子" in shown  # who came last waited least
    assert "4 players are here" in sent(keeper, club, leave=yamada)


def test_who_met_this_week_is_not_paired_again_for_an_older_game_of_the_two(
    evening: tuple[Club, dict[str, str], Client],
) -> None:
    """All pairs met eight days ago but one, which met a month ago and the day before yesterday."""
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.writing import write

    club, keys, keeper = evening
    four = [*keys.values()][:4]
    for number, (black, white) in enumerate(combinations(four, 2)):
        for days in (2, 30) if number == 0 else (8,):
            facts = {"black": black, "white": white, "result": "B+", "date": str(today() - timedelta(days=days))}
            write(club, lambda s, f=facts: changes.games.record_game(s, f, today()), author="x")  # type: ignore[misc]
    shown = ""
    for key in four:
        shown = sent(keeper, club, arrive=key)
    assert len(suggested(shown)) == 2
    assert {*four[:2]} not in suggested(shown)


@pytest.mark.database
def test_who_goes_home_calls_off_the_game_and_does_not_sit_there_when_back(
    evening: tuple[Club, dict[str, str], Client],
) -> None:
    club, keys, keeper = evening
    one, other, *_ = keys.values()
    assert 'name="off"' in sent(keeper, club, play=f"{one} {other}")
    sent(keeper, club, leave=one)
    assert 'name="off"' not in sent(keeper, club, arrive=one)


@pytest.mark.database
def test_a_pair_plays_and_one_touch_saves_its_game(evening: tuple[Club, dict[str, str], Client]) -> None:
    from handan.club.store.attendance import attendances
    from handan.club.store.states import state_of

    club, keys, keeper = evening
    one, other = keys["鈴木 一郎"], keys["山田 春子"]
    number = state_of(club).number
    for key in (one, other):
        sent(keeper, club, arrive=key)
    shown = sent(keeper, club, play=f"{one} {other}")
    assert not suggested(shown)
    assert state_of(club).number == number  # who is here and who plays are no facts of the ledger
    form = shown.partition('class="won"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    won = re.findall(r'name="won" value="([^"]*)"', form)[0]
    answer = keeper.post(f"/{club.slug}/games/enter/", {**fields, "won": won}, follow=True)
    assert answer.redirect_chain[-1][0] == f"/{club.slug}/tonight/"
    shown = html.unescape(answer.content.decode())
    assert "1 game was played" in shown
    assert "At the boards" not in shown
    assert suggested(shown) == [{one, other}]  # nobody else is here
    assert "Games of the evening" in shown
    sheet = page(keeper, f"/{club.slug}/print/evening/")
    assert "鈴木 一郎" in sheet
    assert sheet.count("<tr") == 5  # two heads, a game, two players
    assert "0 players are here" in sent(keeper, club, close="1")
    assert all(row.left for row in attendances(club))


@pytest.mark.database
def test_a_guest_is_registered_and_here(evening: tuple[Club, dict[str, str], Client]) -> None:
    from handan.club.store.states import state_of

    club, _keys, keeper = evening
    shown = sent(keeper, club, guest="1", name="Bram de Vries", rank="4k", token="t")
    shown = sent(keeper, club, guest="1", name="Bram de Vries", rank="4k", token="t")
    assert [person.name for person in state_of(club).active.values()].count("Bram de Vries") == 1
    assert "1 player is here" in shown
    shown = sent(keeper, club, guest="1", name="X", rank="strong")
    assert "rank 'strong' is not" in shown
    assert 'value="X"' in shown  # what was typed stands there again
    assert 'value="strong"' in shown
    assert "X" not in {person.name for person in state_of(club).active.values()}


def test_a_guest_who_was_here_before_is_not_registered_twice(evening: tuple[Club, dict[str, str], Client]) -> None:
    from handan.club.store.states import state_of

    club, keys, keeper = evening
    number = len(state_of(club).active)
    shown = sent(keeper, club, guest="1", name="Ada Lindqvist", rank="3k", token="t")
    assert "Ada Lindqvist is registered already." in shown
    assert len(state_of(club).active) == number
    assert f'name="arrive" value="{keys["Ada Lindqvist"]}"' in shown.partition("is registered already")[2]
    sent(keeper, club, guest="1", name="Ada Lindqvist", rank="3k", token="t", namesake="1")
    assert len(state_of(club).active) == number + 1


@pytest.mark.database
def test_a_pair_that_another_device_has_broken_up_is_refused(evening: tuple[Club, dict[str, str], Client]) -> None:
    """Two devices show the same suggestions; one has begun another pair meanwhile."""
    club, keys, keeper = evening
    one, other, third, *_ = keys.values()
    sent(keeper, club, play=f"{one} {other}")
    shown = sent(keeper, club, play=f"{one} {third}")
    assert "is playing" in shown
    boards = shown.partition("At the boards")[2].partition("Who is here?")[0]
    assert f'name="off" value="{one}"' in boards or f'name="off" value="{other}"' in boards
    assert "is playing" not in sent(keeper, club, play=f"{one} {other}")  # the same pair, pressed twice


@pytest.mark.database
def test_whoever_is_forgotten_was_never_here(evening: tuple[Club, dict[str, str], Client]) -> None:
    from handan.club.store.attendance import attendances
    from handan.club.store.forgetting import forget

    club, keys, keeper = evening
    sent(keeper, club, play=f"{keys['김민수']} {keys['Ada Lindqvist']}")
    forget(club, keys["김민수"])
    assert [(row.player, row.opponent) for row in attendances(club)] == [(keys["Ada Lindqvist"], "")]


@pytest.mark.parametrize(
    ("name", "heading"),
    [("さとう けん", "さ"), ("ジョン", "さ"), ("ぱく", "は"), ("ゐのうえ", "あ"), ("Österberg", "O"), ("김민수", "ㄱ"),
     ("뻐꾹", "ㅂ"), ("王小明", "#"), ("", "#"), ("Łucja", "Ł")],
)  # fmt: skip
def test_names_stand_under_the_heading_of_an_index(name: str, heading: str) -> None:
    """By the rows of the kana (gojūon) and the initials of hangul."""
    from handan.ledger.phonetic import index_heading

    assert index_heading(name) == heading


@pytest.mark.extended
@needs_chromium
def test_results_of_an_evening_whose_network_is_cut_are_sent_once(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    points: tuple[Club, dict[str, str]],  # noqa: F811
) -> None:
    """Twelve boards, and the network is cut twice in the middle; nothing is lost, nothing comes twice."""
    from playwright.sync_api import expect

    from handan.club import changes
    from handan.club.store.access import Actor
    from handan.club.store.attendance import begin_games
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    club, keys = points
    for name in ("Bo", "Cy", "Dan", "Eve", "Fay", "Gus", "Hal", *"IJKLMNOPQRST"):
        register = partial(changes.players.register_ranked, fields={"name": name}, entry={"rank": "4k"}, today=today())
        keys[name] = write(club, register, author="x")[0].subject
    people = [*keys.values()]
    begin_games(Actor(club, Role.KEEPER), list(zip(people[::2], people[1::2], strict=True)))
    page = browser.new_context(locale="en").new_page()
    sign_in(page, address, member(club, Role.KEEPER))
    page.goto(f"{address}/{club.slug}/tonight/")
    for played in (6, 12):
        for _ in range(4):
            with page.expect_navigation():
                page.locator("form.won .black-won").first.click()
        page.context.set_offline(True)
        for number in (1, 2):
            page.locator("form.won .black-won").first.click()
            page.locator(".unsent li").nth(number - 1).wait_for()
        assert state_of(club).games.height == played - 2
        page.context.set_offline(False)
        expect(page.locator(".unsent li").filter(has_text="kept on this device")).to_have_count(0, timeout=20_000)
        page.goto(f"{address}/{club.slug}/tonight/")
        assert f"{played} games were played" in page.content()
        assert state_of(club).games.height == played
        assert page.locator(".unsent").is_hidden()


def test_an_evening_goes_on_past_midnight_until_it_is_closed_or_morning_comes(
    evening: tuple[Club, dict[str, str], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.utils import timezone

    from handan.club.store.states import state_of

    club, keys, keeper = evening
    one, other, *_ = keys.values()

    first = timezone.localdate() - timedelta(days=2)

    def at(days: int, hour: int, minute: int) -> None:
        moment = timezone.make_aware(datetime.combine(first + timedelta(days), time(hour, minute)))
        monkeypatch.setattr(timezone, "now", lambda: moment)

    at(0, 23, 40)
    for key in (one, other):
        sent(keeper, club, arrive=key)
    sent(keeper, club, play=f"{one} {other}")
    at(1, 0, 30)
    shown = sent(keeper, club, arrive=one)
    assert "2 players are here" in shown
    form = re.search(r'(?s)<form method="post" class="won".*?</form>', shown)
    assert form
    fields = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form[0]))
    won = re.search(r'name="won" value="([^"]+)"', form[0])
    assert won
    keeper.post(f"/{club.slug}/games/enter/", {**fields, "won": won[1]})
    assert str(state_of(club).games["date"].max())[:10] == str(first)
    assert "1 game was played" in sent(keeper, club, arrive=one)
    at(1, 6, 0)
    assert "0 players are here" in page(keeper, f"/{club.slug}/tonight/")
    at(1, 0, 40)
    sent(keeper, club, close="1")
    assert "0 players are here" in page(keeper, f"/{club.slug}/tonight/")


def test_past_midnight_tablet_forms_and_undo_are_still_of_the_evening(
    points: tuple[Club, dict[str, str]],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The PIN is typed once an evening, and who saved a game on the tablet takes it back there, also after midnight."""
    from django.test import Client
    from django.utils import timezone

    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club, keys = points
    one, other, *_ = keys.values()
    pin, tablet, keeper = pin_of(club), Client(), client_of(club, Role.KEEPER)
    path, first = f"/{club.slug}/kiosk/", timezone.localdate() - timedelta(days=1)

    def at(days: int, hour: int, minute: int) -> None:
        moment = timezone.make_aware(datetime.combine(first + timedelta(days), time(hour, minute)))
        monkeypatch.setattr(timezone, "now", lambda: moment)

    at(0, 23, 40)
    sent(keeper, club, arrive=one)
    two = f"{path}?one={one}&other={other}"
    saved = tablet.post(path, {**sent_by(tablet, two), "pin": pin}, follow=True).content.decode()
    at(1, 0, 30)
    assert 'name="pin"' not in tablet.get(two).content.decode()
    for form in ("games/new/", "games/sheet/"):
        assert f'value="{first}"' in page(keeper, f"/{club.slug}/{form}")
    undo = re.search(r'name="entries" value="([^"]+)"', saved)
    assert undo
    tablet.post(path, {"entries": undo[1]})
    assert state_of(club).games["status"].to_list() == [1]
    second = sent_by(tablet, two)
    saved = tablet.post(path, second, follow=True).content.decode()
    again = tablet.post(path, {**second, "pin": pin})  # whether or not the PIN is typed again, it is the same form
    assert again.status_code == 302, again.content.decode()
    assert state_of(club).games["status"].to_list() == [1, 0]
    undo = re.search(r'name="entries" value="([^"]+)"', saved)
    assert undo
    at(1, 6, 0)
    assert 'name="pin"' in tablet.get(two).content.decode()
    assert f'value="{first + timedelta(days=1)}"' in page(keeper, f"/{club.slug}/games/new/")
    at(2, 20, 0)
    tablet.post(path, {"entries": undo[1], "pin": pin})
    assert state_of(club).games["status"].to_list() == [1, 0]  # which is of another evening


def test_past_midnight_the_terms_are_those_of_the_evening(
    make_club: Callable[..., Club], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Points of a day move when it ends; an evening's games are played from those at its start until it is closed."""
    from django.utils import timezone

    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    club = make_club("points", settle="day")
    one, other, *_ = fill(club).values()
    keeper = client_of(club, Role.KEEPER)
    first = timezone.localdate() - timedelta(days=2)

    def at(days: int, hour: int, minute: int) -> None:
        moment = timezone.make_aware(datetime.combine(first + timedelta(days), time(hour, minute)))
        monkeypatch.setattr(timezone, "now", lambda: moment)

    def terms() -> set[tuple[str, str]]:
        shown = page(keeper, f"/{club.slug}/games/enter/?one={one}&other={other}")
        return set(re.findall(r'type="hidden" name="(handicap|komi)" value="([^"]*)"', shown))

    at(0, 23, 40)
    for key in (one, other):
        sent(keeper, club, arrive=key)
    before = terms()
    facts = {"black": one, "white": other, "result": "B+", "date": str(first)}
    for _ in range(9):  # the stronger one wins
        write(club, lambda state: changes.games.record_game(state, facts, first), author="keeper")
    assert terms() == before
    at(1, 0, 30)
    assert terms() == before
    sent(keeper, club, close="1")
    assert terms() != before


@pytest.mark.parametrize("way", ["form", "time", "touch", "grid", "file", "call"])
def test_past_midnight_points_of_the_new_day_hold_no_game_of_the_evening(
    make_club: Callable[..., Club], monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """Who are registered at twenty past twelve come with the points of that day, and have played this evening."""
    from django.utils import timezone

    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    club = make_club("points")
    keeper, first = client_of(club, Role.KEEPER), timezone.localdate() - timedelta(days=2)

    def at(days: int, hour: int, minute: int) -> None:
        moment = timezone.make_aware(datetime.combine(first + timedelta(days), time(hour, minute)))
        monkeypatch.setattr(timezone, "now", lambda: moment)

    def register(name: str) -> str:
        day = timezone.localdate()
        rated = {"rating": "130", "date": str(day)}
        made = write(club, lambda state: changes.players.register_ranked(state, {"name": name}, rated, day), author="x")
        return made[0].subject

    at(0, 23, 40)
    sent(keeper, club, arrive=register("Cy"))
    at(1, 0, 20)
    ada, bo = register("Ada"), register("Bo")
    game = {"black": "Ada", "white": "Bo", "result": "B+", "date": str(first), "kind": "club"}
    if way in {"form", "time"}:
        day = f"{first} 23:50" if way == "time" else str(first)
        answer = keeper.post(f"/{club.slug}/games/new/", game | {"date": day, "size": "19", "save": "1"})
    elif way == "touch":
        path = f"/{club.slug}/games/enter/"
        answer = keeper.post(path, sent_by(keeper, f"{path}?one={ada}&other={bo}"))
    elif way == "grid":
        shown = look(keeper, club, [("Ada", "Bo", "b")], **{"of-date": str(first)})
        answer = keeper.post(f"/{club.slug}/games/sheet/", {**fields_of(shown), "counts": [], "save": "1"})
    elif way == "file":
        text = f"date,black,white,result\n{first},Ada,Bo,B+\n"
        answer = keeper.post(f"/{club.slug}/games/sheet/", {"text": text, "date": "", "kind": "club", "save": "1"})
    else:
        body = {**game, "black": ada, "white": bo}
        answer = keeper.post(f"/api/clubs/{club.slug}/games", body, content_type="application/json")
    assert answer.status_code in {200, 302}, answer.content.decode()
    (played,) = state_of(club).games.to_dicts()
    assert str(played["date"].date()) == str(first)
    assert played["kind"] != HISTORY
