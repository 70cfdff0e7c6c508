"""Every route for who may and who may not, made from the route table: a route that nobody classified fails."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from handan.ledger import Bye, Event, Pairing, Participant, Player, When
from handan.paper import PAPERS

if TYPE_CHECKING:
    from handan.club.store.models import Club, Role

DAY = timedelta(days=1)
GIVEN = {"slug": "", "key": "", "number": 1, "secret": "nonsense", "day": "2026-05-09", "name": "Evening",
         "code": "nonsense"}  # fmt: skip
OPEN = {"home", "sign-in", "sign-out", "join", "account", "change-password", "reset", "reset-sent",
        "new-password", "card-by-code", "privacy", "new-club", "import-ledger", "offline",
        "worker"}  # fmt: skip
"""Routes that belong to no club, or to whoever has a link."""
NEEDS = {
    "visitor": {"ladder", "ladder-csv", "ladder-json", "club-json", "compared", "federation", "find-players", "player",
                "start", "feed", "log", "log-csv", "figures", "league", "kiosk", "manifest", "next-rank", "people",
                "pair", "player-csv", "player-json", "history", "games", "games-csv", "adjustments-csv", "games-json",
                "game", "game-json", "terms", "rules", "club-style", "card", "card-csv", "lists", "list", "list-json",
                "list-csv", "events", "event", "evening", "event-json", "print",
                *(f"print-{paper}" for paper in PAPERS)},
    "player": {"tonight", "new-game", "enter-game", "undo", "card-year", "dispute-game",
               "log-json", "entry", "check-chain", "submissions", "sheets", "entered-sheet", "event-h9",
               *(f"pdf-{paper}" for paper in PAPERS)},
    "keeper": {"sheet", "submission", "take-back", "check-sheet", "withdraw-check", "correct-game", "withdraw-game",
               "restore-game", "confirm-game", "withdraw-event", "edit-event", "move-event",
               "move-evening"},
    "administrator": {"zone", "choose-card", "edit-card"},
    "secretary": {"new-player", "new-players", "office", "register", "register-csv",
                  "edit-player", "adjust-player", "split", "withdraw-adjustment", "who-is-who",
                  "withdraw-player", "restore-player", "export",
                  "members", "visitors", "forget-player", "own", "own-json"},
}  # fmt: skip
"""The weakest role that gets a page; a test of its own looks at what players may do to their own games."""


def routes() -> Iterator[tuple[str, Any]]:
    from handan.web.pages.urls import urlpatterns

    for pattern in urlpatterns:
        yield str(pattern.name), pattern


@pytest.fixture
def full(club: Club) -> dict[str, str]:
    """A club with two players, a game, an adjustment, a merger and a list; keys for each route."""
    from django.utils import timezone

    from handan.club import changes, lists
    from handan.club.store.clock import today
    from handan.club.store.models import Invitation, Submission
    from handan.club.store.writing import write

    def add(make: Any) -> str:
        return write(club, make, author="x")[0].subject

    names = ("Ada", "Bo", "Ad")
    one, other, third = (add(lambda s, n=name: changes.players.register_player(s, {"name": n})) for name in names)
    adjusted = add(lambda s: changes.players.adjust(s, one, {"rank": "1d"}, today(), "entry"))
    add(lambda s: changes.players.adjust(s, other, {"rank": "1k"}, today(), "entry"))
    game = add(lambda s: changes.games.record_game(s, {"black": other, "white": one, "result": "B+R"}, today()))
    gone = add(lambda s: changes.games.record_game(s, {"black": other, "white": one, "result": "W+R"}, today()))
    add(lambda s: changes.games.withdraw_game(s, gone))
    waits = add(lambda s: changes.games.record_game(s, {"black": other, "white": one, "result": "jigo"}, today()))
    sheet = add(lambda s: changes.sheets.enter_sheet(s, {1: game}))
    erring = add(lambda s: changes.players.register_player(s, {"name": "Err"}))
    mistaken = add(lambda s: changes.players.register_player(s, {"name": "Mistake"}))
    add(lambda s: changes.players.withdraw_player(s, mistaken))
    add(lambda s: changes.players.merge_players(s, third, one))
    there = (Participant(Player(one), "1d", 1, ((2, Bye.ALLOCATED),)), Participant(Player(other), "1k", 2))
    cup = Event("Cup", When.of("2026-05-02"), rounds=2, participants=there, pairings=(Pairing(1, other, one),))
    event = add(lambda s: changes.events.enter_event(s, cup, today()))
    add(
        lambda s: changes.games.record_game(
            s, {"black": other, "white": one, "result": "B+", "event": "Evening", "date": "2026-05-09"}, today()
        )
    )
    add(lambda s: lists.publish(s, today()))
    keys = {"game": game, "game-json": game, "correct-game": game, "withdraw-game": game, "restore-game": gone,
            "confirm-game": waits, "dispute-game": waits,
            **dict.fromkeys(("event", "event-json", "event-h9", "withdraw-event", "edit-event", "move-event"), event),
            "entered-sheet": sheet, "check-sheet": sheet, "withdraw-check": sheet, "take-back": game.removeprefix("g"),
            "withdraw-player": erring, "restore-player": mistaken,
             "split": third, "withdraw-adjustment": adjusted}  # fmt: skip
    table = "black,white,result,date\nAda,Bo,B+,2026-05-08\n"
    submission = Submission.objects.create(club=club, file="cup.csv", data=table.encode(), title="Cup", games=1)
    invitation = Invitation.objects.create(club=club, role=1, secret=f"x-{club.slug}", expires=timezone.now() + DAY)
    return {"slug": club.slug, "player": one, "invitation": str(invitation.pk),
            "submission": str(submission.pk), **keys}  # fmt: skip


@pytest.fixture
def papers_unprinted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the PDF of a paper be the HTML that it is made of, in which words can be searched; tests of papers print."""
    monkeypatch.setattr("handan.paper.document.pdf_of", lambda html, *_: html.encode())


def test_every_route_says_which_role_it_needs(database: str) -> None:
    for name, pattern in routes():
        assert hasattr(pattern.callback, "role"), f"route {name} does not say whom it is for"


def test_every_route_is_classified_here(database: str) -> None:
    assert {name for name, _ in routes()} == OPEN | set().union(*NEEDS.values())


def borders(need: Role) -> list[Role]:
    """Return the strongest role that may not, the weakest that may, and the highest: roles are in order."""
    from handan.club.store.models import Role

    return sorted({*[role for role in Role if role < need][-1:], need, max(Role)})


@pytest.mark.usefixtures("papers_unprinted")
def test_every_page_is_for_the_roles_that_may_see_it_and_changes_nothing(club: Club, full: dict[str, str]) -> None:
    from django.test import Client

    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Entry, Role

    clients = {role: Client() for role in Role}
    for role, client in clients.items():
        user = new_account(f"role-{uuid4().hex[:12]}", "a long enough phrase")
        set_member(club, user, role, author="x")
        client.force_login(user)
    stranger, before = Client(), Entry.objects.filter(club=club).count()
    for need, names in NEEDS.items():
        for name in sorted(names):
            path = address(name, full)
            for role in borders(Role[need.upper()]):
                status = clients[role].get(path).status_code
                expected = {200, 302, 400} if role >= Role[need.upper()] else {403}
                assert status in expected, f"{role.label} gets {status} from {name}"
            if need != "visitor":
                assert stranger.get(path).status_code in {302, 403}, f"a stranger at {name}"
    assert Entry.objects.filter(club=club).count() == before


def address(name: str, full: dict[str, str]) -> str:
    """Return the path of a route, with keys of the club that fit it."""
    from django.urls import reverse

    values = {**GIVEN, "slug": full["slug"], "key": full.get(name, full["player"])}
    if name in {"take-back", "submission"}:
        values["number"] = full[name]
    return reverse(name, kwargs={part: values[part] for part in _parts(name)})


def _parts(name: str) -> list[str]:
    pattern = dict(routes())[name].pattern
    return list(pattern.converters)


def test_every_write_needs_a_token_of_its_form(club: Club, full: dict[str, str]) -> None:
    from django.test import Client
    from django.urls import reverse

    client = Client(enforce_csrf_checks=True)
    for name, _ in routes():
        values = {**GIVEN, "slug": full["slug"], "key": full.get(name, full["player"])}
        path = reverse(name, kwargs={part: values[part] for part in _parts(name)})
        assert client.post(path, {"x": "y"}).status_code == 403, name


def test_headers_forbid_other_sites_and_inline_scripts(club: Club) -> None:
    import re

    from django.test import Client

    answer = Client().get(f"/{club.slug}/")
    assert "script-src 'self';" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"
    text = answer.content.decode()
    assert not re.findall(r"<script(?![^>]*\bsrc=)", text)
    assert not re.findall(r'(?:src|href|action)="(?:https?:)?//', text)
    assert "style=" not in text
    assert " onclick" not in text


CALLS: dict[str, tuple[str, str, Any]] = {
    "POST /players": ("SECRETARY", "/players", {"name": "New"}),
    "PATCH /players/{key}": ("SECRETARY", "/players/{player}", {"reading": "new"}),
    "POST /players/{key}/merge": ("SECRETARY", "/players/{player}/merge", {"into": "{player}"}),
    "POST /players/{key}/split": ("SECRETARY", "/players/{player}/split", {}),
    "POST /players/{key}/withdraw": ("SECRETARY", "/players/{withdraw-player}/withdraw", {}),
    "POST /players/{key}/restore": ("SECRETARY", "/players/{restore-player}/restore", {}),
    "POST /events": ("KEEPER", "/events", {"event": "Open", "first": "2026-05-02"}),
    "PATCH /events/{key}": ("KEEPER", "/events/{event}", {"director": "Ada"}),
    "POST /events/{key}/move": ("KEEPER", "/events/{event}/move", {"date": "2026-05-05"}),
    "POST /evenings/move": (
        "KEEPER",
        "/evenings/move",
        {"event": "Evening", "day": "2026-05-09", "date": "2026-05-08"},
    ),
    "POST /events/{key}/withdraw": ("KEEPER", "/events/{withdraw-event}/withdraw", {}),
    "GET /sheets": ("PLAYER", "/sheets", None),
    "GET /sheets/{key}": ("PLAYER", "/sheets/{check-sheet}", None),
    "POST /sheets/{key}/check": ("KEEPER", "/sheets/{check-sheet}/check", {"entry": 1}),
    "POST /sheets/{key}/check/withdraw": ("KEEPER", "/sheets/{check-sheet}/check/withdraw", {"entry": 1}),
    "GET /submissions": ("PLAYER", "/submissions", None),
    "POST /submissions": ("PLAYER", "/submissions?name=cup.csv", {}),
    "GET /submissions/{number}": ("KEEPER", "/submissions/{submission}", None),
    "POST /submissions/{number}/accept": ("KEEPER", "/submissions/{submission}/accept", {"newcomers": True}),
    "POST /submissions/{number}/return": ("KEEPER", "/submissions/{submission}/return", {"word": "x"}),
    "POST /submissions/{number}/take-back": ("PLAYER", "/submissions/999999999/take-back", None),
    "POST /sheets": ("KEEPER", "/sheets", {"lines": [{}]}),
    "POST /adjustments": ("SECRETARY", "/adjustments", {"player": "{player}", "rank": "1d"}),
    "POST /adjustments/{key}/withdraw": ("SECRETARY", "/adjustments/{withdraw-adjustment}/withdraw", {}),
    "POST /games": ("KEEPER", "/games", {"black": "{player}", "white": "{player}", "result": "B+"}),
    "PATCH /games/{key}": ("KEEPER", "/games/{game}", {"notes": "x"}),
    "POST /games/{key}/withdraw": ("KEEPER", "/games/{game}/withdraw", {}),
    "POST /games/{key}/restore": ("KEEPER", "/games/{restore-game}/restore", {}),
    "POST /games/{key}/confirm": ("KEEPER", "/games/{confirm-game}/confirm", {"entry": 10}),
    "POST /games/{key}/dispute": ("KEEPER", "/games/{dispute-game}/dispute", {"entry": 10, "reason": "x"}),
    "POST /rules": ("ADMINISTRATOR", "/rules", {"system": "egf"}),
    "POST /zone": ("ADMINISTRATOR", "/zone", {"zone": "Asia/Tokyo"}),
    "POST /lists": ("SECRETARY", "/lists", {}),
    "PUT /members/{account}": ("SECRETARY", "/members/nobody", {"role": "player"}),
    "POST /invitations": ("SECRETARY", "/invitations", {"role": "player"}),
    "GET /invitations": ("SECRETARY", "/invitations", None),
    "DELETE /invitations/{number}": ("SECRETARY", "/invitations/{invitation}", None),
    "GET /members": ("SECRETARY", "/members", None),
    "GET /ledger": ("SECRETARY", "/ledger", None),
    "GET /log": ("PLAYER", "/log", None),
    "GET /players/{key}/data": ("SECRETARY", "/players/{player}/data", None),
    "PUT /players/{key}/shown": ("SECRETARY", "/players/{player}/shown", {"name": "A. N. Other"}),
    "POST /players/{key}/forget-request": ("SECRETARY", "/players/{player}/forget-request", None),
    "POST /players/{key}/forget": ("SECRETARY", "/players/{player}/forget", None),
    "PUT /visitors": ("ADMINISTRATOR", "/visitors", {"visitors": "open"}),
}
"""The weakest role for each call that is not open to everybody; a player's own games have a test of their own."""


def test_every_call_of_the_interface_asks_for_the_role_it_needs(club: Club, full: dict[str, str]) -> None:
    import json

    from django.test import Client

    from handan.club.store.members import new_account, new_token, set_member
    from handan.club.store.models import Role, Scope

    document = Client().get("/api/openapi.json").json()["paths"]
    calls = {
        f"{method.upper()} {path.removeprefix('/api/clubs/{slug}')}"
        for path, methods in document.items() for method in methods
    }  # fmt: skip
    assert set(CALLS) <= calls
    previewed = {
        f"{method.upper()} {path.removeprefix('/api/clubs/{slug}')}"
        for path, methods in document.items() for method, call in methods.items()
        if any(parameter["name"] == "preview" for parameter in call.get("parameters", ()))
    }  # fmt: skip
    writes = {call for call in calls if not call.startswith("GET")}
    assert writes <= set(CALLS), "a call that writes is not classified"
    headers = {}
    for role in Role:
        user = new_account(f"role-{uuid4().hex[:12]}", "a long enough phrase")
        set_member(club, user, role, author="x")
        headers[role] = {"Authorization": f"Bearer {new_token(user, 'x', Scope.ADMINISTER)}"}
    shown = {call: how for call, how in CALLS.items() if call.startswith("GET") or call in previewed}
    for call, (need, path, body) in shown.items():  # a test of its own sends the others
        text = "" if body is None else json.dumps(body).replace("{player}", full["player"])
        query = "?preview=true" if call in previewed else ""
        url = f"/api/clubs/{club.slug}{path.format(**full)}{query}"
        ask = partial(Client().generic, call.split()[0], url, text, content_type="application/json")
        for role in borders(Role[need]):
            answer = ask(headers=headers[role])
            if role >= Role[need]:
                assert answer.status_code not in {401, 403}, f"{role.label}: {call} {answer.content!r}"
            else:
                assert answer.status_code == 403, f"{role.label}: {call} gives {answer.status_code}"
        assert ask().status_code in {401, 403}, f"a stranger: {call}"
