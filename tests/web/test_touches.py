"""What tasks cost: each flow counts its own touches and typed fields, with scripts and without."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from tests.database import session_of
from tests.web.test_browser import CHROMIUM, address, browser, member  # noqa: F401  # fixtures
from tests.web.test_entering import fill
from tests.web.test_languages_in_a_browser import TOO_WIDE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Request

    from handan.club.store.models import Club, Role

pytestmark = [
    pytest.mark.extended,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium"),
]
PHONE, DESK = {"width": 360, "height": 640}, {"width": 1180, "height": 800}


@dataclass
class Walk:
    """Somebody's walk through the pages, with what it cost."""

    page: Page
    touches: int = 0
    typed: list[str] = field(default_factory=list)

    def touch(self, part: Locator) -> None:
        part.first.click()
        self.touches += 1
        self.page.wait_for_load_state()

    def go(self, part: Locator) -> None:
        """Touch what leads to another page, and be there."""
        with self.page.expect_navigation():
            part.first.click()
        self.touches += 1

    def type(self, part: Locator, text: str) -> None:
        part.first.fill(text)
        self.typed.append(text)

    def cost(self) -> tuple[int, int]:
        """Return touches and typed fields, and begin to count anew."""
        cost = self.touches, len(self.typed)
        self.touches, self.typed = 0, []
        return cost


@pytest.fixture
def walk(browser: Browser, address: str) -> Iterator[Callable[..., Walk]]:  # noqa: F811
    """Return a function that signs in a new member of a club, at its ladder."""
    contexts: list[Any] = []

    def begin(club: Club, role: Role, player: str = "", language: str = "en", screen: Any = PHONE, **more: Any) -> Walk:
        context = browser.new_context(viewport=screen, extra_http_headers={"Accept-Language": language}, **more)
        contexts.append(context)
        context.add_cookies([{"name": "sessionid", "value": session_of(member(club, role, player)), "url": address}])
        page = context.new_page()
        page.goto(f"{address}/{club.slug}/")
        return Walk(page)

    yield begin
    for context in contexts:
        context.close()


@pytest.fixture
def points(make_club: Callable[..., Club]) -> tuple[Club, dict[str, str]]:
    club = make_club("points")
    return club, fill(club)


def plate(walk: Walk, name: str) -> Locator:
    return walk.page.locator("#wall a.pick").filter(has_text=name)


def games_of(club: Club) -> list[dict[str, Any]]:
    from handan.club.store.states import state_of

    return state_of(club).games.to_dicts()


def in_view(page: Page, part: Locator) -> bool:
    box, size = part.bounding_box(), page.viewport_size
    return bool(box and size and box["y"] >= 0 and box["y"] + box["height"] <= size["height"])


@pytest.mark.parametrize(
    ("language", "scripts"), [("en", True), ("ja", False), ("ko", True)], ids=["scripts", "no scripts", "long words"]
)
def test_a_game_is_four_touches_on_a_phone_and_undone_by_one(
    walk: Callable[..., Walk], points: tuple[Club, dict[str, str]], language: str, scripts: bool
) -> None:
    from handan.club.store.models import Role

    club, keys = points
    keeper = walk(club, Role.KEEPER, language=language, java_script_enabled=scripts)
    keeper.touch(keeper.page.locator("header a[href$='/games/enter/']"))
    keeper.touch(plate(keeper, "鈴木 一郎"))
    keeper.touch(plate(keeper, "山田 春子"))
    buttons = keeper.page.locator("form.won button")
    assert [in_view(keeper.page, button) for button in buttons.all()] == [True, True]
    assert keeper.page.evaluate(TOO_WIDE) == [] if scripts else True
    keeper.touch(buttons)
    assert keeper.cost() == (4, 0)
    (game,) = games_of(club)
    assert (game["black"], game["white"], game["result"]) == (keys["鈴木 一郎"], keys["山田 春子"], "B+")
    saved = keeper.page.locator(".message.saved")
    assert "鈴木 一郎" in saved.inner_text()
    assert "→" in saved.locator(".undoes").inner_text()
    keeper.touch(saved.locator("button"))
    assert keeper.cost() == (1, 0)
    assert [row["status"] for row in games_of(club)] == [1]


def test_a_player_enters_their_own_game_in_three_touches(
    walk: Callable[..., Walk], points: tuple[Club, dict[str, str]]
) -> None:
    from handan.club.store.models import Role

    club, keys = points
    player = walk(club, Role.PLAYER, keys["鈴木 一郎"])
    player.touch(player.page.locator("header a[href$='/games/enter/']"))
    player.touch(plate(player, "山田 春子"))
    player.touch(player.page.locator("form.won button.white-won"))
    assert player.cost() == (3, 0)
    assert [game["result"] for game in games_of(club)] == ["W+"]


def test_a_game_at_a_desk_is_two_fragments_and_keys(
    walk: Callable[..., Walk], points: tuple[Club, dict[str, str]]
) -> None:
    """As short as before: two fragments and four keys after the page is open."""
    from handan.club.store.models import Role

    club, _ = points
    keeper = walk(club, Role.KEEPER, screen=DESK)
    keys = 0

    def press(key: str) -> None:
        nonlocal keys
        keys += 1
        keeper.page.keyboard.press(key)
        keeper.page.wait_for_load_state()

    keeper.page.locator("header a[href$='/games/enter/']").press("Enter")
    keeper.page.wait_for_url("**/games/enter/")
    for fragment, then in (("suzu", "**one=*"), ("yama", "**other=*")):
        keeper.page.keyboard.type(fragment)
        press("Enter")
        keeper.page.wait_for_url(then)
    press("Enter")  # Black won has the focus
    keeper.page.locator(".message.saved").wait_for()
    assert keys <= 4
    assert [game["result"] for game in games_of(club)] == ["B+"]


def test_what_is_being_composed_is_not_sent_and_its_enter_submits_nothing(
    walk: Callable[..., Walk], points: tuple[Club, dict[str, str]]
) -> None:
    """The order of events of a Japanese input method, as Chromium sends them by its own protocol."""
    from handan.club.store.models import Role

    club, _ = points
    keeper = walk(club, Role.KEEPER)
    page = keeper.page
    for path, target in (("games/enter/", "#wall a.pick"), ("", "#table .plate")):
        page.goto(page.url.partition(club.slug)[0] + f"{club.slug}/{path}")
        box = page.locator("main input[type=search]").first
        box.focus()
        sent: list[str] = []

        def note(request: Request, sent: list[str] = sent) -> None:
            if "q=" in request.url:
                sent.append(request.url)

        page.on("request", note)
        input_method = page.context.new_cdp_session(page)
        for text in ("す", "すz", "すず", "すずき"):
            input_method.send("Input.imeSetComposition", {"text": text, "selectionStart": 1, "selectionEnd": 1})
            page.wait_for_timeout(80)
        page.wait_for_timeout(400)
        assert sent == [], path
        page.evaluate(
            """() => document.activeElement.dispatchEvent(
                new KeyboardEvent('keydown', {key: 'Enter', keyCode: 229, bubbles: true, cancelable: true}))"""
        )
        input_method.send("Input.insertText", {"text": "鈴木"})
        page.wait_for_timeout(900)
        assert len(sent) == 1, (path, sent)
        assert page.locator(target).count() == 1
        assert "鈴木" in page.locator(target).inner_text()


ROWS = """suzu yama B, sato kim W, ada suzu B, yama kim W, Sasaki yama B, suzu kim B, Mori ada W, sato ada B,
    Lindkvist sato B, ada yama W"""


def test_a_sheet_of_ten_games_with_three_unknown_names(
    walk: Callable[..., Walk], points: tuple[Club, dict[str, str]]
) -> None:
    """One touch opens it, three answer, one saves: five, and thirty words."""
    from playwright.sync_api import expect

    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club, _ = points
    keeper = walk(club, Role.KEEPER, language="ja", screen=DESK)
    page = keeper.page
    keeper.touch(page.locator("header a[href$='/games/sheet/']:visible"))
    for number, (black, white, result) in enumerate(row.split() for row in ROWS.split(",")):
        for side, text in (("black", black), ("white", white)):
            cell = page.locator(f"[name={side}]").nth(number)
            cell.focus()
            page.keyboard.type(text)
            page.keyboard.press("Tab")
            keeper.typed.append(text)
        keeper.type(page.locator("[name=result]").nth(number), result.lower())
    page.locator("#sheet-buttons button").filter(has_text="7").wait_for()  # while three wait
    assert page.locator(".answer-state.ready").count() == 7
    for left, answer in ((2, "button[name=new]"), (1, "button[name=new]"), (0, "button[name=is]")):
        keeper.touch(page.locator(answer))
        expect(page.locator("div.question")).to_have_count(left)
    before = len(state_of(club).active)
    keeper.touch(page.locator("button[name=save]"))
    page.locator(".message.saved").wait_for()
    assert keeper.cost() == (5, 30)
    assert (len(games_of(club)), len(state_of(club).active)) == (10, before + 2)
    keeper.touch(page.locator(".message.saved button"))
    assert keeper.cost() == (1, 0)
    assert {game["status"] for game in games_of(club)} == {1}


def test_enter_goes_to_the_next_line_and_a_block_is_pasted(
    walk: Callable[..., Walk], points: tuple[Club, dict[str, str]]
) -> None:
    from handan.club.store.models import Role

    club, _ = points
    page = walk(club, Role.KEEPER, screen=DESK).page
    page.goto(f"{page.url}games/sheet/")
    page.locator("[name=black]").first.focus()
    for text in ("suzu", "kim", "b", "ada", "sato", "●"):
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        page.wait_for_timeout(300)  # the answer comes meanwhile
    assert [cell.input_value() for cell in page.locator("[name=black]").all()[:3]] == ["suzu", "ada", ""]
    assert page.evaluate("document.activeElement.name") == "black"
    page.evaluate(
        """() => { const data = new DataTransfer(); data.setData('text/plain', 'ada\\tyama\\t黒\\nsato\\tsuzu\\t○');
            document.activeElement.dispatchEvent(
                new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true})); }"""
    )
    page.locator("[name=white][value=yama]").wait_for()
    blacks = [cell.input_value() for cell in page.locator("[name=black]").all()]
    assert blacks == ["suzu", "ada", "ada", "sato"]
    assert page.locator("[name=result]").nth(2).input_value() == "Black won"


@pytest.mark.parametrize("language", ["ja", "ko"])
def test_forty_five_members_with_points_are_three_touches_and_one_paste(
    walk: Callable[..., Walk], make_club: Callable[..., Club], language: str
) -> None:
    from handan.club.store.models import Role

    club = make_club("points")
    secretary = walk(club, Role.SECRETARY, language=language, java_script_enabled=language != "ko")
    secretary.touch(secretary.page.locator("a[href$='/players/list/']"))
    points = {f"会員 {number:02}": str(2 + 4 * number) for number in range(45)}
    lines = "番号\t氏名\tふりがな\t持ち点\n" + "\n".join(
        f"{place}\t{name}\tかいいん\t{rating}" for place, (name, rating) in enumerate(points.items(), 1)
    )
    secretary.type(secretary.page.locator("textarea[name=text]"), lines)
    secretary.touch(secretary.page.locator("main form button").first)
    secretary.touch(secretary.page.locator("button[name=save]"))
    secretary.page.locator(".message").wait_for()
    assert secretary.cost() == (3, 1)
    rows = secretary.page.evaluate("fetch('ladder.json').then(answer => answer.json())")["players"]
    assert {row["player"]: f"{row['rating']:g}" for row in rows} == points


@pytest.fixture
def room(make_club: Callable[..., Club]) -> tuple[Club, dict[str, str]]:
    """A points club of 44 members, as many as play 22 games at once, and their keys by name."""
    from handan.club.member_list import listed
    from handan.club.service.players import register_members
    from handan.club.sheet_text import rows_of
    from handan.club.state import State
    from handan.club.store.access import Actor
    from handan.club.store.models import Role

    club = make_club("points")
    names = [f"{one}{other}ko" for one, other in product("BDGKMNPRSTZ", "aeio")]
    text = "name,points\n" + "\n".join(f"{name},{5 * place}" for place, name in enumerate(names))
    _, members = listed(State("x"), rows_of(text))
    entries = register_members(Actor(club, Role.SECRETARY), members).write()
    keys = [entry.subject for entry in entries if entry.subject.startswith("p")]
    return club, dict(zip(names, keys, strict=True))


def pairs_of(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return the first with the second, the third with the fourth, and so on."""
    whole = [*names]
    return list(zip(whole[::2], whole[1::2], strict=True))


def test_twenty_two_games_on_the_tablet_are_sixty_six_touches_and_one_pin(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    room: tuple[Club, dict[str, str]],
) -> None:
    from handan.club.store.access import Actor
    from handan.club.store.models import Role
    from handan.club.store.tablet import set_pin

    club, keys = room
    set_pin(Actor(club, Role.ADMINISTRATOR), "271828")
    context = browser.new_context(viewport={"width": 768, "height": 1024}, has_touch=True)
    page = context.new_page()
    page.goto(f"{address}/{club.slug}/kiosk/")
    tablet = Walk(page)
    for one, other in pairs_of(keys):
        tablet.go(plate(tablet, one))
        tablet.go(plate(tablet, other))
        if page.locator("[name=pin]").count():
            tablet.type(page.locator("[name=pin]"), "271828")
        tablet.go(page.locator("form.won .black-won"))
        assert page.locator(".message.saved").count() == 1
    context.close()
    assert len(games_of(club)) == 22
    assert tablet.cost() == (66, 1)


def test_twenty_two_games_by_keyboard_are_two_keys_beside_names_and_result(
    walk: Callable[..., Walk], room: tuple[Club, dict[str, str]]
) -> None:
    from handan.club.store.models import Role

    club, keys = room
    page = walk(club, Role.KEEPER, screen=DESK).page
    page.goto(f"{page.url}games/sheet/")
    assert page.evaluate("document.activeElement.name") == "black"  # of the first line
    pressed = 0
    for names in pairs_of(keys):
        for name in names:
            page.keyboard.type(name.lower())
            page.keyboard.press("Enter")
            pressed += 1
        page.keyboard.type("1")
    assert pressed == 2 * 22
    page.locator("#sheet-buttons button").filter(has_text="22").wait_for()
    for _ in ("from the empty line to the button", "the button"):
        page.keyboard.press("Enter")
    page.locator(".message.saved").wait_for()
    entered = [(game["black"], game["white"], game["result"]) for game in games_of(club)]
    assert entered == [(keys[black], keys[white], "B+") for black, white in pairs_of(keys)]


def test_a_file_of_264_games_is_taken_back_in_two_touches(
    walk: Callable[..., Walk], room: tuple[Club, dict[str, str]]
) -> None:
    """Twenty-two games of each of twelve Fridays, taken back from the page of their sheet."""
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club, keys = room
    keeper = walk(club, Role.KEEPER)
    page = keeper.page
    fridays = [date(2026, 1, 2) + timedelta(weeks=week) for week in range(12)]
    rows = [f"{friday},{one},{other},B+" for friday in fridays for one, other in pairs_of(keys)]
    file = "\n".join(["date,black,white,result", *rows]).encode()
    page.goto(f"{page.url}games/sheet/")
    page.locator("details.as-text").evaluate("part => { part.open = true; }")
    page.locator("#id_file").set_input_files({"name": "fridays.csv", "mimeType": "text/csv", "buffer": file})
    keeper.go(page.locator("form[enctype] button"))
    keeper.go(page.locator("main button[name=save]"))
    assert len(state_of(club).ledger) == 264
    keeper.cost()
    keeper.go(page.locator("a[href$='/take-back/']"))
    keeper.go(page.locator("main form button"))
    assert keeper.cost() == (2, 0)
    assert len(state_of(club).ledger) == 0
    assert len(state_of(club).active) == 44


def waiting_game(club: Club, by: str, other: str, day: str) -> str:
    """Enter a game that a player won and the opponent has not confirmed; its key."""
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.writing import write

    facts = {"black": by, "white": other, "result": "B+", "date": day}
    return write(club, lambda state: changes.games.record_game(state, facts, today(), by), author="x")[0].subject


@pytest.mark.parametrize("language", ["ja", "ko"])
def test_a_word_is_one_touch_an_objection_two_a_correction_and_a_new_password_three(
    walk: Callable[..., Walk], points: tuple[Club, dict[str, str]], language: str
) -> None:
    from handan.club import changes
    from handan.club.rules import Rules
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    club, keys = points
    write(club, lambda state: changes.office.set_rules(state, Rules("points", confirmation="both")), author="x")
    one, other = keys["鈴木 一郎"], keys["山田 春子"]
    right, wrong = (waiting_game(club, one, other, f"2026-05-0{day}") for day in (1, 2))
    scripts = language != "ko"
    player = walk(club, Role.PLAYER, other, language=language, java_script_enabled=scripts)
    start = f"{player.page.url}start/"
    for key, parts, status in ((right, ["button"], 0), (wrong, ["a.button.second", "button[name=reason]"], 3)):
        player.page.goto(start)
        for number, part in enumerate(parts):
            about = player.page.locator("#waiting li").filter(has=player.page.locator(f"a[href$='/games/{key}/']"))
            player.touch((player.page.locator("main") if number else about).locator(part))
        assert player.cost() == (len(parts), 0)
        assert {f"g{game['line']}": game["status"] for game in games_of(club)}[key] == status
    secretary = walk(club, Role.SECRETARY, language=language, java_script_enabled=scripts)
    page, home = secretary.page, secretary.page.url
    page.goto(f"{home}games/{right}/")
    secretary.touch(page.locator("a[href$='/correct/']"))
    secretary.touch(page.locator("[name=result][value='W+']"))
    secretary.touch(page.locator("button[name=save]"))
    assert secretary.cost() == (3, 0)
    assert [game["result"] for game in games_of(club) if f"g{game['line']}" == right] == ["W+"]
    administrator = walk(club, Role.ADMINISTRATOR, language=language, java_script_enabled=scripts)
    page = administrator.page
    page.goto(home)
    administrator.touch(page.locator("nav.club summary"))
    administrator.touch(page.locator("nav.club a[href$='/office/']"))
    administrator.touch(page.locator("main a[href$='/members/']"))
    administrator.touch(page.locator("button[name=forgot]").first)
    assert administrator.cost() == (4, 0)
    assert "/reset/" in page.locator("code.link").inner_text()


def test_a_sheet_a_word_and_an_objection_need_no_mouse(
    walk: Callable[..., Walk], points: tuple[Club, dict[str, str]]
) -> None:
    from handan.club import changes
    from handan.club.rules import Rules
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    def press_on(page: Page, part: str) -> None:
        """Go from key to key until a part has the focus, and press it."""
        for _ in range(200):
            if page.evaluate("part => document.activeElement.matches(part)", part):
                with page.expect_navigation():
                    page.keyboard.press("Enter")
                return
            page.keyboard.press("Tab")
        raise AssertionError(part)

    club, keys = points
    page = walk(club, Role.KEEPER, screen=DESK).page
    page.goto(f"{page.url}games/sheet/")
    page.locator("[name=black]").first.focus()
    for text in ("suzu", "yama", "Black won"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    page.locator("#sheet-buttons button[name=save]").wait_for()
    assert page.locator("#handicap-1").input_value() == "5"  # though it has the focus
    press_on(page, "#sheet-buttons button[name=save]")
    page.locator(".message.saved").wait_for()
    assert [game["handicap"] for game in games_of(club)] == [5]
    write(club, lambda state: changes.office.set_rules(state, Rules("points", confirmation="both")), author="x")
    one, other = keys["鈴木 一郎"], keys["山田 春子"]
    right, wrong = (waiting_game(club, one, other, f"2026-05-0{day}") for day in (1, 2))
    page = walk(club, Role.PLAYER, other, screen=DESK).page
    start = f"{page.url}start/"
    for parts in (
        (f"form[action*='/games/{right}/'] button",),
        (f"a[href*='/games/{wrong}/confirm/#not-so']", "button[name=reason]"),
    ):
        page.goto(start)
        for part in parts:
            press_on(page, part)
    assert [game["status"] for game in games_of(club)][1:] == [0, 3]
