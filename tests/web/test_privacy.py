"""What visitors see of a club and of its members, over all reading routes; being forgotten by page and call."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from handan.ledger import Event, Participant, Player, When
from handan.paper import PAPERS
from handan.wording.languages import FORMER_MEMBER, HIDDEN_MEMBER
from tests.forms import extended_but
from tests.names import traces
from tests.web.test_entering import client_of
from tests.web.test_roles import GIVEN, OPEN, papers_unprinted, routes  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

    from handan.club.store.models import Club, Role

pytestmark = pytest.mark.usefixtures("papers_unprinted")
NUMBERS = count(1)
NAMES = ("Zwölfgang Überwald", "Qvorufu Ybawarudo")
"""Name and reading of who is hidden or forgotten."""
NAMING = {
    "ladder", "ladder-csv", "player", "player-json", "history", "games", "game", "log", "log-csv", "log-json", "entry",
    "list", "list-json", "list-csv", "terms", "find-players", "/clubs/{slug}/log", "/clubs/{slug}/lists/{number}",
}  # fmt: skip
"""Some of the routes and calls that name a player who is not hidden."""
LADDER = {
    "club-style",
    "manifest",
    "ladder",
    "ladder-csv",
    "ladder-json",
    "club-json",
    "/clubs/{slug}",
    "/clubs/{slug}/ladder",
}
"""Routes and calls that a visitor sees of a club that shows its ladder only."""


@pytest.fixture
def table(club: Club) -> dict[str, Any]:
    """A club with a log that is open, in which one member stands everywhere; keys for the routes."""
    from handan.club import changes, lists
    from handan.club.entries import Draft
    from handan.club.kinds import Kind
    from handan.club.store.clock import today
    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    user = new_account(f"Ueberwald-{next(NUMBERS)}", "a long enough phrase")

    def add(make: Any, **by: Any) -> str:
        return write(club, make, **{"author": "x", **by})[0].subject

    def game(black: str, white: str, result: str, **more: Any) -> str:
        facts = {"black": black, "white": white, "result": result, "date": "2026-05-01", **more}
        return add(lambda s: changes.games.record_game(s, facts, today()))

    one = add(
        lambda s: changes.players.register_player(s, {"name": NAMES[0], "reading": NAMES[1], "ids": ["egd:99887766"]})
    )
    other, third, twice = (
        add(lambda s, n=name: changes.players.register_player(s, {"name": n})) for name in ("Ada", "Bo", "Zwölfgang U.")
    )
    for key, rank in ((one, "2d"), (other, "1d"), (third, "3k")):
        add(lambda s, k=key, r=rank: changes.players.adjust(s, k, {"rank": r}, today(), f"entry of {s.person(k).name}"))
    set_member(club, user, Role.PLAYER, one, author="x")
    games = [game(one, other, "B+R", notes="Überwald was late"), game(other, third, "W+2.5"), game(third, one, "B+T")]
    game(twice, third, "W+R")
    add(lambda s: changes.games.correct_game(s, games[0], {"komi": 0.5}, today(), "zwölfgang says so"))
    add(lambda s: changes.players.change_player(s, one, {"country": "AT"}, "he moved"), author=user.username, user=user)
    add(lambda s: changes.players.merge_players(s, twice, one, "Zwölfgang again"))
    facts = {"black": one, "white": other, "result": "jigo", "waiting": True}
    waits = add(lambda _: Draft(Kind.GAME_RECORDED, facts))
    add(lambda s: changes.games.dispute_game(s, waits, "Überwald was not there"))
    there = tuple(Participant(Player(key, country="AT", club="Zwölfgangs Klub"), "1d") for key in (one, other))
    cup = Event("Spring Cup", When.of("2026-05-01"), participants=there, director="Zwölfgang Überwald")
    event = add(lambda s: changes.events.enter_event(s, cup, today()))
    add(lambda s: lists.publish(s, today()))
    type(club).objects.filter(pk=club.pk).update(open_log=True)
    club.refresh_from_db()
    return {"slug": club.slug, "key": one, "games": [games[0], waits], "players": [one, other, twice],
            "events": [event], "user": user}  # fmt: skip


def reading(club: Club, table: dict[str, Any], *, one: bool = True) -> Iterator[tuple[str, str]]:
    """Go through the name and address of every page and call that reads, found from the tables of routes.

    With `one` each of them once, else for several players, games and entries, and with questions.
    """
    from django.urls import reverse

    from handan.web.api.calls import api
    from handan.web.api.urls import urlpatterns

    assert urlpatterns
    numbers = [2] if one else list(range(1, club.number + 1))
    games, players, events = (table[kind][: 1 if one else None] for kind in ("games", "players", "events"))
    for name, pattern in routes():
        parts = set(pattern.pattern.converters)
        keys = games if "game" in name else events if "event" in name else players
        wide = [{**GIVEN, "key": key, "number": number, "slug": club.slug, "secret": "nonsense"}
                for key in (keys if "key" in parts else keys[:1])
                for number in (numbers if name == "entry" else [1])]  # fmt: skip
        for text in wide:
            path = reverse(name, kwargs={part: text[part] for part in parts if part in {**GIVEN}})
            yield name, f"{path}?q=u" if name == "find-players" else path  # which finds nobody without a word
            if not one and "slug" in parts and name != "entry" and text["key"] == keys[0]:
                yield name, f"{path}?known=2099-01-01&as_of=2026-06-01&q=ada&one=Ada&other=Bo&kind=&with=egf"
    for path, item in api.get_openapi_schema()["paths"].items():
        for key in (
            (games if "/games/" in path else events if "/events/" in path else players) if "{key}" in path else [""]
        ):
            if "get" in item:
                short = path.removeprefix("/api")
                filled = path.format(slug=club.slug, key=key, number=1)
                yield short, f"{filled}?one={table['players'][1]}&other={table['key']}" if "terms" in path else filled


def body(answer: Any) -> bytes:
    """Return all that an answer sends: its headers, and what it holds."""
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return content + repr(sorted(answer.headers.items())).encode()


def signed_in(club: Club, role: Role) -> Client:
    from django.test import Client

    from handan.club.store.members import new_account, set_member

    user, client = new_account(f"looks-{next(NUMBERS)}", "a long enough phrase"), Client()
    set_member(club, user, role, author="x")
    client.force_login(user)
    return client


@pytest.mark.parametrize("other", extended_but([""], ["", "Nom de Guerre"]))
def test_a_visitor_finds_no_byte_of_a_hidden_name_on_any_route(club: Club, table: dict[str, Any], other: str) -> None:
    from django.test import Client

    from handan.club.store.access import set_shown
    from handan.club.store.models import Role

    member, ways = signed_in(club, Role.PLAYER), [*reading(club, table, one=bool(other))]
    if other:  # is shown where the name stood, and nowhere else
        ways = [(name, path) for name, path in ways if traces(body(member.get(path)), NAMES[:1])]
        assert {name for name, _ in ways} > NAMING  # the search finds what there is
    set_shown(club, table["key"], other)
    names = (*NAMES, table["user"].username)
    for name, path in ways:
        answer = Client().get(path)
        assert not traces(body(answer), names), f"{name}: {path} shows a name to a visitor"
    games = Client().get(f"/{club.slug}/games/").content.decode()
    assert (other or "a member") in games
    assert traces(body(member.get(f"/{club.slug}/games/")), NAMES[:1])  # members see everybody


@pytest.mark.extended
def test_an_event_or_kind_that_names_a_hidden_player_is_not_told_to_visitors(club: Club, table: dict[str, Any]) -> None:
    from django.test import Client

    from handan.club import changes
    from handan.club.store.access import set_shown
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    one, other, _ = table["players"]
    naming = {"event": "Überwald Cup", "kind": "überwald trophy"}
    played = {"black": other, "white": one, "result": "B+"}
    sides = [{**played, "date": f"2026-05-0{day}", name: text} for day, (name, text) in enumerate(naming.items(), 3)]
    sides.append({**played, "date": "2026-05-06", "event": "Cup", "kind": naming["kind"]})
    entries = write(club, lambda s: [changes.games.record_game(s, facts, today()) for facts in sides], author="x")
    keys = [entry.subject for entry in entries]
    club.refresh_from_db()
    set_shown(club, one, "")
    of_games = [way for way in reading(club, {**table, "games": keys[1:]}) if keys[1] in way[1]]
    of_entries = [("entry", f"/{club.slug}/log/{entry.number}/") for entry in entries]
    for name, path in [*reading(club, {**table, "games": keys}), *of_games, *of_entries]:
        assert not traces(body(Client().get(path)), NAMES), f"{name}: {path} shows a name to a visitor"
    member = signed_in(club, Role.PLAYER)
    assert f"/{club.slug}/events/2026-05-06/Cup/" in Client().get(f"/{club.slug}/events/").content.decode()
    assert not traces(body(Client().get(f"/{club.slug}/events/2026-05-06/Cup/")), NAMES)
    assert "No events." in Client().get(f"/{club.slug}/events/?kind={naming['kind']}").content.decode()
    for key, (field, text) in zip(keys[:2], naming.items(), strict=True):
        by_name = f"/{club.slug}/league/?from=2026-01-01&to=2026-12-31&{field}={text}"
        assert "No games of these days." in Client().get(by_name).content.decode()
        assert f"/games/{key}/" in member.get(by_name).content.decode()
        assert "überwald" in member.get(f"/{club.slug}/games/{key}/").content.decode().casefold()


def test_figures_are_the_same_whoever_looks(club: Club, table: dict[str, Any]) -> None:
    from django.test import Client

    from handan.club.store.access import set_shown
    from handan.club.store.models import Role

    set_shown(club, table["key"], "")
    rows = [
        client.get(f"/{club.slug}/ladder.json").json()["players"] for client in (Client(), signed_in(club, Role.PLAYER))
    ]
    bare = [[{name: row[name] for name in row if name != "player"} for row in each] for each in rows]
    assert bare[0] == bare[1]


def listed_clubs() -> set[str]:
    """Return the clubs that a visitor is told of, from every part of their list."""
    from django.test import Client

    slugs: set[str] = set()
    path = "/api/clubs"
    while path:
        answer = Client().get(path)
        slugs |= {item["slug"] for item in answer.json()}
        path = answer.get("Link", "").partition("<")[2].partition(">")[0]
    return slugs


@pytest.mark.parametrize("openness", extended_but([0, 1], [0, 1, 2]))
def test_a_club_shows_visitors_what_it_says(club: Club, table: dict[str, Any], openness: int) -> None:
    from django.test import Client

    from handan.club.store.models import Openness, Role

    type(club).objects.filter(pk=club.pk).update(openness=openness)
    member = signed_in(club, Role.PLAYER)
    others = {name for name, pattern in routes() if pattern.callback.role > Role.VISITOR}
    for name, path in reading(club, table):
        if name in OPEN | others or "openapi" in path or name == "/clubs":
            continue
        status = Client().get(path).status_code
        if openness == Openness.OPEN or (openness == Openness.LADDER and name in LADDER):
            assert status in {200, 302, 400, 401, 403, 404, 409}, (name, path, status)
            assert status == 200 or name not in LADDER
        else:
            assert status in {302, 401, 403} if openness else status in {401, 404}, (name, path, status)
            login = Client().get(path, follow=True).request["PATH_INFO"]
            assert status != 302 or login == "/sign-in/"
        if name in LADDER:
            assert member.get(path).status_code == 200
    assert (club.slug in listed_clubs()) == (openness > Openness.CLOSED)
    assert member.get(f"/{club.slug}/games/").status_code == 200


def test_what_is_kept_of_a_visitor_is_linked_from_every_page_and_names_every_cookie(club: Club) -> None:
    from django.conf import settings
    from django.test import Client

    assert 'href="/privacy/"' in Client().get(f"/{club.slug}/").content.decode()
    text = Client().get("/privacy/").content.decode()
    for cookie in (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, "messages"):
        assert f"<code>{cookie}</code>" in text


def test_who_looks_gets_no_cookie_and_leaves_no_row_and_nobody_s_name_stands_in_a_line_of_the_log(
    club: Club, table: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    from django.apps import apps
    from django.test import Client

    from handan.club.store.models import Role
    from handan.web.operations.logs import Lines

    def rows() -> dict[str, int]:
        return {model._meta.label: model._base_manager.count() for model in apps.get_models()}

    caplog.set_level(logging.DEBUG, logger="handan")
    keeper = signed_in(club, Role.SECRETARY)
    Client().get(f"/{club.slug}/")  # whoever looks first makes the rating list
    before = rows()
    for name, path in reading(club, table):
        client = Client()
        client.get(path)
        if name not in {"sign-in", "join", "reset", "new-password"}:  # their forms bear a mark of their own
            assert not client.cookies, f"{name}: {path} sets {client.cookies}"
    assert rows() == before
    keeper.post(f"/{club.slug}/players/new/", {"name": NAMES[0], "reading": NAMES[1]})
    keeper.get(f"/{club.slug}/players/find.json?q={NAMES[0]}")
    keeper.get(f"/{club.slug}/{NAMES[0]}/")
    Client().post("/sign-in/", {"username": NAMES[0], "password": "wrong"})
    lines = "\n".join(Lines().format(record) for record in caplog.records)
    assert lines
    assert not traces(lines.encode(), (*NAMES, table["user"].username))


def test_a_player_takes_his_data_away_and_nobody_else_does(club: Club, table: dict[str, Any]) -> None:
    from django.test import Client

    from handan.club.store.members import new_token
    from handan.club.store.models import Role, Scope

    client = Client()
    client.force_login(table["user"])
    path = f"/{club.slug}/players/{table['key']}/own.json"
    data = client.get(path).json()
    assert (data["player"]["name"], data["player"]["reading"]) == NAMES
    assert [item["key"] for item in data["spellings"]] == [table["players"][2]]
    assert {item["subject"] for item in data["games"]} >= {*table["games"]}
    assert data["accounts"][0]["name"] == table["user"].username
    assert data["objections"][0]["reason"] == "Überwald was not there"
    assert data["history"]
    token = {"Authorization": f"Bearer {new_token(table['user'], 'mine', Scope.READ)}"}
    called = Client().get(f"/api/clubs/{club.slug}/players/{table['key']}/data", headers=token).json()
    assert called["accounts"][0]["tokens"][0]["name"] == "mine"
    assert signed_in(club, Role.KEEPER).get(path).status_code == 403
    assert signed_in(club, Role.SECRETARY).get(path).status_code == 200


def test_a_player_says_what_visitors_see_and_asks_to_be_forgotten(club: Club, table: dict[str, Any]) -> None:
    from django.test import Client

    from handan.club.store.models import ForgetRequest, Role, Shown

    client = Client()
    client.force_login(table["user"])
    path = f"/{club.slug}/players/{table['key']}/own/"
    client.post(path, {"how": "under another name", "name": "Nom de Guerre"})
    assert Shown.objects.get(club=club).name == "Nom de Guerre"
    assert client.post(path, {"how": "under another name", "name": ""}).status_code == 200
    client.post(path, {"how": "by name"})
    assert not Shown.objects.filter(club=club).exists()
    client.post(path, {"forget": "1"})
    assert ForgetRequest.objects.get(club=club).player == table["key"]
    secretary = signed_in(club, Role.SECRETARY)
    assert f"/players/{table['key']}/forget/" in secretary.get(f"/{club.slug}/visitors/").content.decode()
    assert client.get(f"/{club.slug}/players/{table['key']}/forget/").status_code == 403


def test_who_is_forgotten_by_page_is_on_no_page_of_anybody(club: Club, table: dict[str, Any]) -> None:
    from django.contrib.auth import get_user_model

    from handan.club.store.models import Role
    from handan.club.store.writing import verify

    secretary = signed_in(club, Role.ADMINISTRATOR)
    path = f"/{club.slug}/players/{table['key']}/forget/"
    words = secretary.get(path).content.decode()
    assert "Kept" in words
    assert "in 2 spellings" in words
    before = secretary.get(f"/{club.slug}/ladder.json").json()["players"]
    games = json.loads(b"".join(secretary.get(f"/{club.slug}/games.json")))
    user: User = table["user"]
    secretary.post(path, {"sure": "1"})
    assert not get_user_model().objects.filter(pk=user.pk).exists()
    for name, place in reading(club, table):
        if name != "sign-out":
            assert not traces(body(secretary.get(place)), (*NAMES, user.username, "99887766")), place
    assert not traces(body(secretary.get(f"/{club.slug}/?known=2026-11-01")), NAMES)
    after = secretary.get(f"/{club.slug}/ladder.json").json()["players"]
    assert [{**row, "player": ""} for row in after] == [{**row, "player": ""} for row in before]
    assert "a former member" in {row["player"] for row in after}
    played = json.loads(b"".join(secretary.get(f"/{club.slug}/games.json")))
    assert [game["key"] for game in played] == [game["key"] for game in games]
    assert verify(club)
    assert secretary.get(path).status_code == 400  # forgotten already


def test_who_forgets_themselves_is_led_home_where_the_club_asks_nobody(club: Club) -> None:
    from django.urls import reverse

    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    key = write(club, lambda s: changes.players.register_player(s, {"name": "Ada"}), author="x")[0].subject
    client = client_of(club, Role.SECRETARY, key)
    answer = client.post(f"/{club.slug}/players/{key}/forget/", {"sure": "1"})
    assert (answer.status_code, answer["Location"]) == (302, reverse("home"))


def read_aloud(page: str) -> str:
    """Return a page without what nobody reads: addresses, and facts as they are written in the ledger."""
    return re.sub(r' (?:href|hx-get|formaction)="[^"]*"|<code>.*?</code>', "", page)


@pytest.mark.extended
@pytest.mark.parametrize("language", ["ja", "de"])
def test_who_is_not_shown_and_who_was_forgotten_are_called_so_in_the_language_of_every_page(
    club: Club, table: dict[str, Any], language: str
) -> None:
    """Two are not shown, so that their labels bear numbers. All pages are read in one language, some in each."""
    from django.test import Client

    from handan.club.store.access import set_shown
    from handan.club.store.forgetting import forget
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    administrator, visitor = signed_in(club, Role.ADMINISTRATOR), Client()
    member, *hidden = (state_of(club).keys[name] for name in (NAMES[0], "Ada", "Bo"))
    some = {f"/{club.slug}/{page}" for page in ("", "games/", "players/", "log/", "lists/1/")}
    some |= {f"/{club.slug}/print/cards/?language={language}"}
    pages = [path for _, path in reading(club, table, one=False) if language == "ja" or path in some]
    pages += [f"/{club.slug}/pair/?one={member}&other={hidden[0]}", f"/{club.slug}/players/{member}/?with={hidden[0]}"]
    pages += [f"/{club.slug}/print/{paper}/?language={language}" for paper in PAPERS]
    for key in hidden:
        set_shown(club, key, "")
    forget(club, member)
    for client in (visitor, administrator):
        client.cookies["language"] = language
        words, read = {FORMER_MEMBER[language], *([HIDDEN_MEMBER[language]] if client is visitor else ())}, set()
        # what stands behind the question mark chooses among lines, and the page of each role has the same ones
        for path in pages if client is visitor else [path for path in pages if "?known=" not in path]:
            answer = client.get(path)
            kind = answer["Content-Type"]
            if answer.status_code == 200 and ("html" in kind or "svg" in kind or "atom" in kind):
                page = read_aloud(body(answer).decode())
                assert not re.search("a member|a former member", page), path
                read |= {path} if all(word in page for word in words) else set()
        assert some <= read


@pytest.mark.parametrize("language", ["ja", "fr"])
def test_a_form_understands_what_stands_in_place_of_a_name(club: Club, table: dict[str, Any], language: str) -> None:
    from django.test import Client

    from handan.club.store.access import set_shown

    for key in table["players"][:2]:
        set_shown(club, key, "")
    visitor = Client()
    visitor.cookies["language"] = language
    proposed = re.findall(r'<option value="([^"]*)">', visitor.get(f"/{club.slug}/terms/").content.decode())
    shown = [name for name in proposed if name.startswith(HIDDEN_MEMBER[language])]
    assert len(shown) == 2
    page = visitor.get(f"/{club.slug}/pair/", {"one": shown[0], "other": shown[1]}).content.decode()
    heading = page[page.index("<h1>") : page.index("</h1>")]
    assert all(name in heading for name in shown)


def test_nobody_forgets_who_may_do_more(club: Club, table: dict[str, Any]) -> None:
    from handan.club.store.members import set_member
    from handan.club.store.models import Role

    set_member(club, table["user"], Role.ADMINISTRATOR, table["key"], author="x")
    client = signed_in(club, Role.SECRETARY)
    assert client.post(f"/{club.slug}/players/{table['key']}/forget/", {"sure": "1"}).status_code == 403
    assert traces(body(client.get(f"/{club.slug}/")), NAMES[:1])


def test_an_administrator_opens_the_log_to_visitors_by_page_and_call(club: Club) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    administrator, secretary = signed_in(club, Role.ADMINISTRATOR), signed_in(club, Role.SECRETARY)

    def sees() -> bool:
        club.refresh_from_db()
        status = Client().get(f"/{club.slug}/log.json").status_code
        assert Client().get(f"/api/clubs/{club.slug}/log").status_code == status
        return status == 200

    assert not sees()
    assert secretary.post(f"/{club.slug}/visitors/", {"openness": "2", "open_log": "on"}).status_code == 403
    assert not sees()
    administrator.post(f"/{club.slug}/visitors/", {"openness": "2", "open_log": "on"})
    assert sees()
    url, kind = f"/api/clubs/{club.slug}/visitors", "application/json"
    answer = administrator.put(url, {"visitors": "open"}, content_type=kind)
    assert answer.json() == {"visitors": "open", "log": True}
    assert sees()
    administrator.put(url, {"visitors": "open", "log": False}, content_type=kind)
    assert not sees()
