"""What somebody typed while their session ended, or while another tab signed in, is still there afterwards."""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.database import session_of
from tests.web.test_browser import CHROMIUM, PASSWORD, address, browser, member  # noqa: F401  # fixtures
from tests.web.test_pages import registered, signed_in
from tests.web.test_roles import OPEN, full, routes  # noqa: F401  # a fixture
from tests.web.test_roles import address as path_of

if TYPE_CHECKING:
    from django.test import Client
    from playwright.sync_api import Browser

    from handan.club.store.models import Club

GAME = {
    "black": "Ada",
    "white": "Bo",
    "result": "B+R",
    "date": "2026-01-15",
    "notes": "a <b>note</b> ２段 🙂",
    "save": "1",
}
NO_BROWSER = pytest.mark.skipif(CHROMIUM is None, reason="no chromium is installed; apt-get install chromium")


@pytest.fixture
def players(club: Club) -> list[str]:
    from handan.club.store.models import Role

    secretary = signed_in(club, Role.SECRETARY)
    return [registered(secretary, club, name, "1d") for name in ("Ada", "Bo")]


def games(club: Club) -> int:
    from handan.club.store.states import state_of

    return len(state_of(club).games)


def fields(page: str) -> dict[str, str]:
    """Return the hidden fields of the form in the middle of a page."""
    main = page.partition("<main")[2].partition("</main>")[0]
    parts = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"[^>]*>', main)
    return {name: html.unescape(value) for name, value in parts}


def sign_in(client: Client, sent: dict[str, str], user: str, password: str = PASSWORD) -> Any:
    return client.post("/sign-in/", {**sent, "username": user, "password": password})


@pytest.mark.usefixtures("players")
def test_a_form_outlives_the_session_and_is_saved_once(club: Club) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    user, client, path = member(club, Role.KEEPER), Client(), f"/{club.slug}/games/new/"
    client.force_login(_account(user))
    token = fields(client.get(path).content.decode())["token"]
    client.logout()

    refusal = client.post(path, {**GAME, "token": token})
    assert refusal.status_code == 403
    assert games(club) == 0
    sent = fields(refusal.content.decode())
    wrong = sign_in(client, sent, user, "another phrase")
    assert fields(wrong.content.decode())["unsent"] == sent["unsent"]
    again = sign_in(client, fields(wrong.content.decode()), user).content.decode()
    assert GAME["notes"] in html.unescape(again)
    assert f'action="{path}"' in again
    sent = fields(again)
    assert {name: sent[name] for name in GAME} == GAME
    assert client.post(path, sent).status_code == 302
    client.post(path, sent)  # the button was pressed twice
    assert games(club) == 1


def _account(name: str) -> Any:
    from django.contrib.auth.models import User

    return User.objects.get(username=name)


LOSER = "eine von einem Spieler eingetragene Partie zählt, sobald der Verlierer sie eingetragen oder bestätigt hat"
CARD = "0  2  6.5\n3  2  0.5"
SAYS: list[tuple[str, dict[str, Any], list[tuple[str, str]]]] = [
    (
        "games/new/",
        {"black": "Ada", "result": "B+R", "kind": "club", "komi": "6.5", "date": "2026-01-15", "another": "on"},
        [("Schwarz", "Ada"), ("Ergebnis", "Schwarz durch Aufgabe"), ("Datum", "15.01.2026"), ("Komi", "6,5"),
         ("Art", "Verein")],
    ),
    (
        "games/sheet/",
        {"grid": "lines", "of-kind": "club", "black": ["Ada"] * 16, "white": ["Bo", *[""] * 15],
         "result": [*[""] * 15, "W+T"], "token": "x"},
        [("Art", "Verein"), ("Schwarz, 1", "Ada"), ("Weiß, 1", "Bo"),
         *((f"Schwarz, {n}", "Ada") for n in range(2, 17)), ("Ergebnis, 16", "W+T")],
    ),
    (
        "rules/",
        {"system": "elo", "set-k": "24", "since": "2026-02-01", "confirmation": "loser"},
        [("K", "24"), ("Ab", "01.02.2026"), ("Bestätigung", LOSER), ("System", "Elo")],
    ),
    ("members/", {"role": "2", "player": "Ada"}, [("Rolle", "Ergebnisdienst"), ("Spieler", "Ada")]),
    ("visitors/", {"openness": "1", "open_log": "on"},
     [("Besucher sehen", "nur die Rangliste"), ("Bei einem offenen Verein auch das Protokoll", "ja")]),
    ("office/", {"name": "Go im Park", "language": "ja"}, [("Name des Vereins", "Go im Park"), ("Sprache", "日本語")]),
    ("players/list/", {"text": "Ada\t3k", "member": ["1", "2"], "save": "1"}, [("Eine Person je Zeile", "Ada\t3k")]),
    ("zone/", {"zone": "Asia/Tokyo", "reason": "Umzug"}, [("Zeitzone", "Asia/Tokyo"), ("Grund", "Umzug")]),
    ("card/edit/", {"title": "Wand", "text": CARD, "tie": "white wins"},
     [("Name der Tabelle", "Wand"), ("Tabelle", CARD), ("Gleichstand nach Komi ist", "Gewinn von Weiß")]),
    ("who-is-who/", {"player": "Ada", "into": "Bo"}, [("Dieser Spieler", "Ada"), ("Ist in Wirklichkeit", "Bo")]),
    ("games/enter/?one={0}&other={1}", {"won": "{0} {1} B+"}, [("Schaltfläche", "Schwarz gewann Ada")]),
]  # fmt: skip
"""Of each form what was sent, and what a German page says of it; of a long label its beginning."""


@pytest.mark.parametrize(("place", "sent", "says"), SAYS, ids=[place for place, _sent, _says in SAYS])
def test_fields_and_choices_bear_the_words_of_their_form(
    club: Club, players: list[str], place: str, sent: dict[str, Any], says: list[tuple[str, str]]
) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    client = Client(headers={"Accept-Language": "de"})
    typed = {name: value.format(*players) if name == "won" else value for name, value in sent.items()}
    page = client.post(f"/{club.slug}/{place.format(*players)}", typed).content.decode()
    again = sign_in(client, fields(page), member(club, Role.ADMINISTRATOR)).content.decode()
    assert [(label[: len(says[i][0])], text) for i, (label, text) in enumerate(words_shown(again))] == says


def words_shown(page: str) -> list[tuple[str, str]]:
    """Return what the page says of a form: label and text."""
    part = page.partition('<dl class="facts typed">')[2].partition("</dl>")[0]
    pairs = re.findall(r"(?:<dt>(.*?)</dt>\s*)?<dd[^>]*>(.*?)</dd>", part, re.DOTALL)
    return [(html.unescape(label), html.unescape(text)) for label, text in pairs]


def test_a_form_from_before_another_tab_signed_in_is_shown_once_more(club: Club, players: list[str]) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    client, path = Client(enforce_csrf_checks=True), f"/{club.slug}/players/{players[0]}/edit/"
    client.force_login(_account(member(club, Role.SECRETARY)))
    client.get(path)
    typed = {"name": "Ada Lovelace", "reading": "エイダ", "csrfmiddlewaretoken": "x" * 64}
    shown = client.post(path, typed, headers={"Origin": "http://testserver"})
    assert shown.status_code == 403
    page = shown.content.decode()
    assert words_shown(page) == [("Name", "Ada Lovelace"), ("Reading", "エイダ")]
    mark = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.partition("<main")[2])
    assert mark
    sent = {**fields(page), "csrfmiddlewaretoken": mark[1]}
    assert client.post(path, sent, headers={"Origin": "http://testserver"}).status_code == 302
    assert "エイダ" in client.get(f"/{club.slug}/players/{players[0]}/").content.decode()


@pytest.mark.parametrize("origin", [{}, {"Origin": "http://elsewhere.example"}, {"Origin": "null"}])
def test_a_form_of_another_site_is_not_shown_with_a_button(club: Club, origin: dict[str, str]) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    client = Client(enforce_csrf_checks=True)
    client.force_login(_account(member(club, Role.SECRETARY)))
    answer = client.post(f"/{club.slug}/players/new/", {"name": "Mallory"}, headers=origin)
    assert answer.status_code == 403
    assert "Mallory" not in answer.content.decode()


def test_no_password_and_no_pin_is_kept_and_no_other_site_is_led_to(database: str, club: Club) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    secret = {"email": "a@example.org", "password": "geheim1", "pin": "4711", "new_password1": "geheim2"}
    page = Client().post("/account/", secret).content.decode()
    assert json.loads(fields(page)["unsent"]) == {"fields": [["email", "a@example.org"]], "files": []}
    assert not any(word in page for word in ("geheim1", "geheim2", "4711"))
    user, client = member(club, Role.KEEPER), Client()
    away = {**fields(page), "next": "https://elsewhere.example/"}
    assert 'action="/"' in sign_in(client, away, user).content.decode()


@pytest.mark.parametrize("text", ["nonsense", "{}", '{"fields": [1], "files": []}', "[" * 100_000, "null"])
def test_what_is_no_form_only_signs_in(club: Club, text: str) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    assert sign_in(Client(), {"unsent": text}, member(club, Role.KEEPER)).status_code == 302


def test_a_file_that_cannot_be_kept_is_named_and_chosen_again_where_it_is_sent(club: Club) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.test import Client

    from handan.club.store.models import Role

    client = Client()
    upload = SimpleUploadedFile("herbst.csv", b"black,white\n")
    page = client.post(f"/{club.slug}/games/sheet/", {"date": "2026-01-15", "file": upload}).content.decode()
    page = sign_in(client, fields(page), member(club, Role.KEEPER)).content.decode()
    form = page.partition(f'action="/{club.slug}/games/sheet/"')[2].partition("</form>")[0]
    assert "herbst.csv" in form
    assert 'enctype="multipart/form-data"' in form
    assert re.search(r'<input type="file" name="file"[^>]* required', form)


def test_a_part_of_a_page_is_left_as_it_is(club: Club) -> None:
    from django.test import Client

    answer = Client().post(f"/{club.slug}/games/new/", GAME, headers={"HX-Request": "true"})
    assert (answer.status_code, answer.content) == (204, b"")


@pytest.mark.extended
@NO_BROWSER
@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.usefixtures("players")
def test_a_game_typed_while_the_session_ended_is_entered(
    browser: Browser,  # noqa: F811
    address: str,  # noqa: F811
    club: Club,
    scripts: bool,
) -> None:
    from handan.club.store.models import Role

    user = member(club, Role.KEEPER)
    context = browser.new_context(java_script_enabled=scripts)
    context.add_cookies([{"name": "sessionid", "value": session_of(user), "url": address}])
    page = context.new_page()
    page.goto(f"{address}/{club.slug}/games/new/")
    page.get_by_label("Black", exact=True).fill("Ada")
    context.clear_cookies(name="sessionid")
    page.get_by_label("White", exact=True).fill("Bo")
    page.get_by_label("Black by resignation").check()
    page.get_by_role("button", name="Save").click()
    page.get_by_text("You are no longer signed in").wait_for()
    page.get_by_label("Username").fill(user)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Send now").click()
    page.get_by_role("heading", name=re.compile("Ada – Bo")).wait_for()
    context.close()


@pytest.mark.extended
def test_a_form_that_is_said_to_stand_on_any_page_is_given_back(club: Club, full: dict[str, str]) -> None:  # noqa: F811
    from django.test import Client

    from handan.club.store.models import Role

    user = member(club, Role.ADMINISTRATOR, full["player"])
    unsent = json.dumps({"fields": [["notes", "typed with care"], ["name", "Ada"], ["name", "Bo"]], "files": []})
    paths = [path_of(name, full) for name, _ in routes() if name not in OPEN]
    paths += ["/", "/sign-in/", "/sign-out/", "/account/", "/account/look/", "/clubs/new/", "/join/nonsense/",
              "/privacy/", "/nothing/at/all/", "/api/openapi.json", "/api/docs", "/api/clubs", "/metrics", "/health",
              f"/{club.slug}/?as_of=never", f"/{club.slug}/?known=0001-01-01", f"/{club.slug}/players/%00/",
              f"/{club.slug}/players/%ED%A0%80/", "/sign-in/?next=/sign-in/"]  # fmt: skip
    faults = []
    for path in paths:
        client = Client(raise_request_exception=False)
        answer: Any = sign_in(client, {"unsent": unsent, "next": path}, user)
        if answer.status_code != 200 or "typed with care" not in answer.content.decode():
            faults.append((path, answer.status_code))
    assert faults == []
    assert len(paths) > 80
