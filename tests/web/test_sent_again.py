"""What is sent twice is carried out once and answered alike; with other content it is refused, and nothing is lost."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.database import POSTGRESQL
from tests.web.test_roles import CALLS, full  # noqa: F401  # a fixture
from tests.web.test_twins import Twins, twins  # noqa: F401  # a fixture
from tests.web.test_writing_routes import account, askers, everything, keys, last_seen  # noqa: F401  # fixtures

if TYPE_CHECKING:
    from handan.club.store.models import Club
    from tests.web.test_writing_routes import Asker

pytestmark = pytest.mark.database

BODIES: dict[str, dict[str, Any]] = {
    "POST /games": {"black": "{player}", "white": "{other}", "result": "B+", "date": "2026-05-01"},
    "POST /players/{key}/merge": {"into": "{other}"},
    "POST /games/{key}/restore": {"another": True},
    "PUT /members/{account}": {"role": "keeper"},
    "PUT /visitors": {"visitors": "closed"},
    "POST /sheets": {"date": "2026-05-03", "lines": [{"black": "{player}", "white": "{other}", "result": "B+"}]},
}
"""Where the body of the test of roles changes nothing."""
FILES = {"POST /submissions": "black,white,result,date\nAda,Bo,B+,2026-05-15\n"}
"""Where the body is a file, which bears no token."""
PATHS = {
    "POST /players/{key}/split": "/players/{split}/split",
    "POST /players/{key}/merge": "/players/p{third}/merge",
    "PUT /members/{account}": "/members/{account}",
    "POST /submissions/{number}/take-back": "/submissions/{own}/take-back",
}


@pytest.fixture
def places(club: Club, keys: dict[str, str]) -> dict[str, str]:  # noqa: F811
    from handan.club.store.members import set_member
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    user = account()
    set_member(club, user, Role.PLAYER, author="x")
    names = state_of(club).keys
    return {**keys, "third": names["Cy"].removeprefix("p"), "other": names["Bo"], "account": user.get_username()}


CHANGED: dict[str, dict[str, Any]] = {
    "PUT /players/{key}/shown": {"name": "Other"},
    "PUT /visitors": {"visitors": "ladder"},
    "POST /lists": {"label": "other"},
    "PUT /members/{account}": {"player": "{other}"},
    "POST /invitations": {"player": "{other}"},
    "POST /players": {"reading": "other"},
    "PATCH /games/{key}": {"notes": "other"},
    "POST /games": {"notes": "other"},
    "POST /events": {"director": "other"},
    "POST /games/{key}/confirm": {"entry": 1},
    "POST /sheets": {"date": "2026-05-04"},
    "POST /sheets/{key}/check": {"entry": 1},
    "POST /submissions/{number}/accept": {"counts": True},
    "POST /submissions/{number}/return": {"word": "other"},
}
"""What else a call says under the same token; where there is nothing here, another reason."""


# both are the same token to the database
@pytest.mark.extended
@pytest.mark.parametrize("way", ["header"] if POSTGRESQL else ["header", "body"])
def test_every_call_that_writes_is_carried_out_once(
    way: str,
    club: Club,
    askers: list[Asker],  # noqa: F811
    places: dict[str, str],
) -> None:
    """The list of calls is made from the table of addresses: a test of roles fails for one that is not in it."""
    from django.db import transaction

    for call in sorted(call for call in CALLS if not call.startswith("GET")):
        if way == "header" or (CALLS[call][2] is not None and call not in FILES):  # taking back has no body
            with transaction.atomic():
                sent_twice(call, way, club, askers, places)
                transaction.set_rollback(True)


def sent_twice(call: str, way: str, club: Club, askers: list[Asker], places: dict[str, str]) -> None:  # noqa: F811
    """Send a call twice, then with something else, then by another account."""
    from django.test import Client

    method, (_, path, body) = call.partition(" ")[0], CALLS[call]
    body = BODIES.get(call, body)
    boss = next(asker for asker in askers if asker.name == "administrator")
    if call.endswith("/take-back"):
        places = {**places, "own": str(submitted(boss, club))}
    url = f"/api/clubs/{club.slug}{PATHS.get(call, path).format(**places)}"
    if call == "POST /sheets/{key}/check/withdraw":
        places = {**places, "sheet": str(checked(boss, url.removesuffix("/withdraw"), int(places["sheet"])))}
    other = next(asker for asker in askers if asker.name == "federation officer")

    def send(by: Asker, **more: Any) -> tuple[int, Any]:
        seen = {"entry": last_seen(call, places)} if "entry" in (body or {}) else {}
        fields, headers = {**(body or {}), **seen, **more}, dict(by.headers)
        if way == "header":
            headers["Idempotency-Key"] = "once"
        else:
            fields["token"] = "once"
        text = "" if body is None else json.dumps(fields)
        if call in FILES:
            text = FILES[call] + ("Ada,Bo,W+,2026-05-16\n" if more else "")
        for name in ("player", "other"):
            text = text.replace(f"{{{name}}}", places[name])
        answer = Client().generic(method, url, text, content_type="application/json", headers=headers)
        return answer.status_code, answer.json()

    before = everything(club)
    first = send(boss)
    after = everything(club)
    assert (first[0], after != before) == (200, True), f"{call}: {first}"
    assert send(boss) == first
    assert everything(club) == after, f"{call} was carried out twice"
    if body is not None:
        status, answer = send(boss, **CHANGED.get(call, {"reason": "other"}))
        assert (status, "already" in answer["message"]) == (409, True), f"{call}: {answer}"
    if call.endswith("/take-back"):  # nobody else may, with whatever token
        assert send(other)[0] == 403
    elif call not in {"POST /rules", "POST /zone", "PUT /visitors"}:  # an officer may not set these
        status, answer = send(other)
        assert (status, "another account" in answer["message"]) == (409, True), f"{call}: {answer}"
    assert everything(club) == after


def checked(by: Asker, url: str, entry: int) -> int:
    """Check a record sheet and return the entry that says so."""
    from django.test import Client

    answer = Client().post(url, json.dumps({"entry": entry}), content_type="application/json", headers=by.headers)
    assert answer.status_code == 200, answer.json()
    return int(answer.json()["entries"][0])


def submitted(by: Asker, club: Club) -> int:
    """Submit a file of results and return its number."""
    from django.test import Client

    url = f"/api/clubs/{club.slug}/submissions?name=cup.csv"
    answer = Client().generic("POST", url, FILES["POST /submissions"], headers=by.headers)
    assert answer.status_code == 200, answer.json()
    return int(answer.json()["submission"]["number"])


def test_two_tokens_in_one_call_are_refused(club: Club, askers: list[Asker]) -> None:  # noqa: F811
    from django.test import Client

    boss = next(asker for asker in askers if asker.name == "administrator")
    headers = {**boss.headers, "Idempotency-Key": "one"}
    for body, status in ({"name": "Ada", "token": "two"}, 409), ({"name": "Ada", "token": "one"}, 200):
        path = f"/api/clubs/{club.slug}/players"
        answer = Client().post(path, json.dumps(body), content_type="application/json", headers=headers)
        assert answer.status_code == status
    headers["Idempotency-Key"] = "x" * 65
    assert Client().post(path, '{"name": "Bo"}', content_type="application/json", headers=headers).status_code == 409


def token_in(page: str) -> str:
    shown = re.search(r'name="token"[^>]* value="([^"]+)"', page)
    assert shown
    return shown.group(1)


def test_a_form_that_comes_again_with_something_else_is_kept_and_asked_about(twins: Twins) -> None:  # noqa: F811
    """The back button shows the form that was sent, with its token; what is typed there is another game."""
    page = f"{twins.home}new/"
    form = {"black": "Ada", "white": "Cy", "result": "B+", "date": "2026-05-03"}
    form["token"] = token_in(twins.keeper.get(page).content.decode())
    assert twins.keeper.post(page, form).status_code == 302
    games = twins.games()
    again = twins.keeper.post(page, {**form, "white": "Bo"})
    assert (again.status_code, twins.games()) == (200, games)
    text = again.content.decode()
    assert "was sent already" in text
    assert 'value="Bo"' in text
    new = token_in(text)
    assert new != form["token"]
    assert twins.keeper.post(page, {**form, "white": "Bo", "token": new}).status_code == 302
    assert twins.games() == games + 1


@pytest.mark.parametrize(
    "form",
    [{"role": "1"}, {"account": "{other}", "role": "2"}, {"forgot": "{other}"}],
    ids=["invite", "role", "password"],
)
def test_the_buttons_of_members_act_once_a_page(club: Club, form: dict[str, str]) -> None:
    from django.test import Client

    from handan.club.store.members import set_member
    from handan.club.store.models import Role

    secretary, other, client = account(), account(), Client()
    set_member(club, secretary, Role.SECRETARY, author="x")
    set_member(club, other, Role.PLAYER, author="x")
    client.force_login(secretary)
    page = f"/{club.slug}/members/"
    token = token_in(client.get(page).content.decode())
    sent = {name: value.format(other=other.get_username()) for name, value in form.items()}
    link = r'<code class="link">([^<]+)</code>'
    first = client.post(page, {**sent, "token": token})
    after = everything(club)
    second = client.post(page, {**sent, "token": token})
    assert everything(club) == after
    assert first.status_code == second.status_code
    assert re.findall(link, first.content.decode()) == re.findall(link, second.content.decode())
    client.post(page, {"role": "2", "token": token})  # another button of the same page
    assert everything(club) != after


def test_a_token_for_programs_is_made_once_a_page(club: Club) -> None:
    from django.test import Client

    from handan.club.store.models import AccessToken

    user, client = account(), Client()
    client.force_login(user)
    token = token_in(client.get("/account/").content.decode())
    pages = [client.post("/account/", {"name": "x", "scope": "1", "token": token}).content.decode() for _ in range(2)]
    shown = [re.findall(r"handan_[\w-]+", page) for page in pages]
    assert shown[0] == shown[1]
    assert AccessToken.objects.filter(user=user).count() == 1
    client.post("/account/", {"name": "y", "scope": "1", "token": token})
    assert AccessToken.objects.filter(user=user).count() == 2


def test_an_old_role_does_not_come_back_with_a_form_that_is_sent_again(club: Club) -> None:
    from handan.club.store.access import Actor
    from handan.club.store.idempotency import Sending
    from handan.club.store.members import set_member, set_role
    from handan.club.store.models import Membership, Role

    boss, user, sending = Actor(club, Role.ADMINISTRATOR), account(), Sending.of("once", "keeper")
    set_member(club, user, Role.PLAYER, author="x")
    set_role(boss, user, Role.KEEPER, "", sending)
    set_role(boss, user, Role.PLAYER)
    set_role(boss, user, Role.KEEPER, "", sending)
    assert Membership.objects.get(club=club, user=user).role == Role.PLAYER
