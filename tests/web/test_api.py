"""The programming interface: what the pages can do, and a document of itself that holds."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from handan.club import changes
from handan.errors import FieldError

if TYPE_CHECKING:
    from handan.club.store.models import Club, Role, Scope

pytestmark = pytest.mark.database

NUMBERS = count(1)


class Program:
    """A program that acts for a member by a token."""

    def __init__(self, club: Club, role: Role, scope: Scope, player: str = "") -> None:
        from django.test import Client

        from handan.club.store.members import new_account, new_token, set_member

        user = new_account(f"api-{next(NUMBERS)}", "a long enough phrase")
        set_member(club, user, role, player, author="x")
        self.headers = {"Authorization": f"Bearer {new_token(user, 'test', scope)}"}
        self.client, self.home = Client(), f"/api/clubs/{club.slug}"

    def ask(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        """Send a call; what its answer says, whose status must be as expected."""
        return json.loads(self.send(method, path, body, status).content)

    def send(self, method: str, path: str, body: Any = None, status: int = 200) -> Any:
        """Send a call; its answer, whose status must be as expected."""
        data = "" if body is None else json.dumps(body)
        answer = self.client.generic(
            method, f"{self.home}{path}", data, content_type="application/json", headers=self.headers
        )
        assert answer.status_code == status, answer.content
        return answer


@pytest.fixture
def secretary(club: Club) -> Program:
    from handan.club.store.models import Role, Scope

    return Program(club, Role.SECRETARY, Scope.WRITE)


def rows_of(answer: Any) -> list[Any]:
    """Return the list that an answer holds."""
    data = json.loads(answer.content)
    return list(data["players"] if isinstance(data, dict) else data)


def test_a_program_pages_through_the_players_and_learns_of_parameters_that_a_call_has_not(secretary: Program) -> None:
    names = [f"Player {letter}" for letter in "ABCDE"]
    for name in reversed(names):
        key = secretary.ask("POST", "/players", {"name": name})["subject"]
        secretary.ask("POST", "/adjustments", {"player": key, "rank": "1d"})
    parts = [secretary.ask("GET", f"/players?limit=2&offset={offset}") for offset in (0, 2, 4, 6)]
    assert [[person["name"] for person in part] for part in parts] == [names[:2], names[2:4], names[4:], []]
    refusal = secretary.ask("GET", "/ladder?page=5", status=422)
    message = "page: not a parameter of this call, which has as_of, known, limit, offset, system"
    assert refusal == {"message": message, "field": "page"}
    for path in ("/players", "/ladder", "/adjustments", "/games"):
        whole, answer = rows_of(secretary.send("GET", path)), secretary.send("GET", f"{path}?limit=2")
        pages = rows_of(answer)
        while link := answer.headers.get("Link"):
            answer = secretary.client.get(link.partition(">")[0][1:], headers=secretary.headers)
            pages += rows_of(answer)
        assert pages == whole, path
        assert "Link" not in secretary.send("GET", f"{path}?limit={max(len(whole), 1)}").headers  # to no rows
        assert answer.headers["X-Total-Count"] == str(len(whole))
    assert secretary.ask("GET", "/rules?since=2026", status=422)["field"] == "since"
    secretary.ask("POST", "/players?preveiw=true", {"name": "Nobody"}, status=422)  # which would be written otherwise
    assert secretary.ask("GET", "/players?q=Nobody") == []


def test_a_program_reads_and_checks_a_sheet_that_somebody_else_entered(club: Club, secretary: Program) -> None:
    from handan.club.store.clock import today
    from handan.club.store.models import Role, Scope
    from handan.club.store.writing import write

    one, other = (secretary.ask("POST", "/players", {"name": name})["subject"] for name in ("Ada", "Bo"))
    game = {"black": one, "white": other, "result": "B+R", "date": "2026-05-01"}
    keys = [secretary.ask("POST", "/games", {**game, "result": result})["subject"] for result in ("B+R", "W+R")]
    lines = dict(zip((2, 5), keys, strict=True))
    sheet = write(club, lambda s: changes.sheets.enter_sheet(s, lines), author="x")[0].subject
    write(club, lambda s: changes.games.withdraw_game(s, keys[1]), author="x")
    read = secretary.ask("GET", f"/sheets/{sheet}")
    assert [(line["number"], line["game"]["key"], line["changed"]) for line in read["lines"]] == [
        (2, keys[0], False), (5, keys[1], True)]  # fmt: skip
    assert (read["status"], read["games"], read["counted"], read["first"]) == ("entered", 2, 1, "2026-05-01")
    assert secretary.ask("GET", "/sheets?limit=1") == [{name: read[name] for name in read if name != "lines"}]
    assert secretary.ask("GET", "/sheets?offset=1") == []
    check = f"/sheets/{sheet}/check"
    assert "changed meanwhile" in secretary.ask("POST", check, {"entry": read["entry"] - 1}, 409)["message"]
    secretary.ask("POST", f"{check}?preview=true", {"entry": read["entry"]})
    entry = secretary.ask("POST", check, {"entry": read["entry"]})["entries"]
    checked = secretary.ask("GET", f"/sheets/{sheet}")
    assert (checked["status"], [item["entry"] for item in checked["checked"]]) == ("checked", entry)
    assert secretary.ask("GET", "/sheets/s999", status=404)["message"] == "sheet s999 is not in the ledger"
    program = Program(club, Role.KEEPER, Scope.WRITE)
    text = f"black,white,result,date\nAda,Bo,W+,{today()}\n"
    program.client.force_login(_owner(program))
    program.client.post(f"/{club.slug}/games/sheet/", {"text": text, "save": "1"})
    own = program.ask("GET", "/sheets")[0]
    refused = program.ask("POST", f"/sheets/{own['key']}/check", {"entry": own["entry"]}, 403)
    assert "somebody else" in refused["message"]


def test_a_program_enters_a_sheet_and_answers_what_it_asks(club: Club, secretary: Program) -> None:
    from handan.club.store.states import state_of

    names = ("Ada Lovelace", "Bo Andersson", "Bo Andersen")
    ada, bo, other = (secretary.ask("POST", "/players", {"name": name})["subject"] for name in names)
    lines: list[dict[str, Any]] = [
        {"black": "Ada", "white": "Bo", "result": "B+R"}, {}, {"black": "Sasaki 5k", "white": ada, "result": "B+3.5"},
        {"black": ada, "white": "Sasaki", "result": "B+12x", "handicap": 2, "komi": 0},
    ]  # fmt: skip
    sheet = {"date": "2026-05-01", "lines": lines, "token": f"sheet {club.slug}"}
    before = state_of(club).number
    refused = secretary.ask("POST", "/sheets", sheet, 409)
    first, stranger, _fourth = refused["lines"]
    assert refused["message"] == "line 1 is not ready; look at it again"
    assert (first["line"], first["status"]) == (1, "question")
    assert first["questions"][0]["field"] == "white"
    assert {person["key"] for person in first["questions"][0]["candidates"]} == {bo, other}
    assert stranger["questions"] == [{"field": "black", "name": "Sasaki", "rank": "5k", "candidates": []}]
    answers = {"people": {"bo": bo}, "newcomers": {"Sasaki": "9x"}}
    faulty = secretary.ask("POST", "/sheets?preview=true", {**sheet, **answers}, 409)["lines"]
    assert [fault["field"] for line in faulty for fault in line["faults"]] == ["black", "white"]
    answers["newcomers"]["Sasaki"] = "5k"
    faults = secretary.ask("POST", "/sheets", {**sheet, **answers}, 409)["lines"]
    assert [(line["line"], [fault["field"] for fault in line["faults"]]) for line in faults] == [(4, ["result"])]
    lines[3]["result"] = "B+12"
    shown = secretary.ask("POST", "/sheets?preview=true", {**sheet, **answers})
    assert (shown["preview"], shown["subject"], state_of(club).number) == (True, "", before)
    done = secretary.ask("POST", "/sheets", {**sheet, **answers})
    assert done["entries"] == shown["entries"]
    assert secretary.ask("POST", "/sheets", {**sheet, **answers})["entries"] == done["entries"]  # sent again
    read = secretary.ask("GET", f"/sheets/{done['subject']}")
    games = [line["game"] for line in read["lines"]]
    assert [(line["number"], line["game"]["black_name"]) for line in read["lines"]] == [
        (1, "Ada Lovelace"), (3, "Sasaki"), (4, "Ada Lovelace")]  # fmt: skip
    assert [(game["handicap"], game["komi"]) for game in games][2] == (2, 0.0)
    more = {"date": "2026-05-01", "sheet": read["key"], "lines": [{}, {"black": bo, "white": ada, "result": "W+"}]}
    twin = secretary.ask("POST", "/sheets", more, 409)["lines"]
    assert [(line["status"], line["twins"]) for line in twin] == [("alike", [games[0]["key"]])]
    more["lines"][1]["another"] = True
    assert secretary.ask("POST", "/sheets", more)["subject"] == read["key"]
    assert [line["number"] for line in secretary.ask("GET", f"/sheets/{read['key']}")["lines"]] == [1, 2, 3, 4]
    assert secretary.ask("POST", "/sheets", {**more, "sheet": "s1"}, 404)["message"] == "sheet s1 is not in the ledger"
    assert secretary.ask("POST", "/sheets", {"lines": [{}]}, 409)["message"] == "a sheet has at least one game"


def test_a_check_is_taken_back_by_who_made_it(club: Club, secretary: Program) -> None:
    from handan.club.store.models import Role, Scope
    from handan.club.store.writing import verify, write

    one, other = (secretary.ask("POST", "/players", {"name": name})["subject"] for name in ("Ada", "Bo"))
    game = secretary.ask("POST", "/games", {"black": one, "white": other, "result": "B+R", "date": "2026-05-01"})
    sheet = write(club, lambda s: changes.sheets.enter_sheet(s, {1: game["subject"]}), author="x")[0].subject
    path, checker = f"/sheets/{sheet}", Program(club, Role.KEEPER, Scope.WRITE)
    checks = [
        program.ask("POST", f"{path}/check", {"entry": program.ask("GET", path)["entry"]}, status)
        for program, status in ((checker, 200), (checker, 409))
    ]
    check = checks[0]["entries"][0]
    refused = secretary.ask("POST", f"{path}/check/withdraw", {"entry": check}, 403)
    assert refused["message"] == "a check is taken back by who made it"
    assert (
        "is not the last check" in checker.ask("POST", f"{path}/check/withdraw", {"entry": check - 1}, 409)["message"]
    )
    taken = checker.ask("POST", f"{path}/check/withdraw", {"entry": check, "reason": "the wrong paper"})
    read = checker.ask("GET", path)
    assert (read["status"], read["checked"], read["entry"]) == ("entered", [], taken["entries"][0])
    last = checker.ask("GET", f"/log?after={check - 1}")
    assert [(entry["kind"], entry["reason"]) for entry in last] == [
        ("sheet checked", ""), ("sheet check withdrawn", "the wrong paper")]  # fmt: skip
    assert "is not the last check" in checker.ask("POST", f"{path}/check/withdraw", {"entry": check}, 409)["message"]
    assert secretary.ask("POST", f"{path}/check", {"entry": read["entry"]})["entries"] == [taken["entries"][0] + 1]
    assert verify(club) == taken["entries"][0] + 1


def test_a_program_takes_out_a_player_and_brings_them_back(club: Club, secretary: Program) -> None:
    one, other = (secretary.ask("POST", "/players", {"name": name})["subject"] for name in ("Ada", "Bo"))
    secretary.ask("POST", f"/players/{one}/withdraw?preview=true", {"reason": "a slip"})
    assert len(secretary.ask("GET", "/players")) == 2
    secretary.ask("POST", f"/players/{one}/withdraw", {"reason": "a slip"})
    assert [player["key"] for player in secretary.ask("GET", "/players")] == [other]
    assert "was withdrawn" in secretary.ask("POST", f"/players/{one}/withdraw", {}, 409)["message"]
    secretary.ask("POST", f"/players/{one}/restore", {})
    assert "was not withdrawn" in secretary.ask("POST", f"/players/{one}/restore", {}, 409)["message"]
    secretary.ask("POST", "/games", {"black": one, "white": other, "result": "B+", "date": "2026-05-01"})
    assert "who has games is merged" in secretary.ask("POST", f"/players/{one}/withdraw", {}, 409)["message"]


def _owner(program: Program) -> Any:
    from handan.club.store.members import token_of

    token = token_of(program.headers["Authorization"].removeprefix("Bearer "))
    assert token is not None
    return token.user


def test_a_program_does_what_a_secretary_does(club: Club, secretary: Program) -> None:
    ask = secretary.ask
    one = ask("POST", "/players", {"name": "Alice", "rank": "10k"})["subject"]
    other = ask("POST", "/players", {"name": "Bob", "rank": "7k"})["subject"]
    game = {"black": one, "white": other, "result": "B+R", "date": "2026-05-01", "handicap": 2, "komi": 0.5}
    shown = ask("POST", "/games?preview=true", game)
    # South African Go Clubs: 10k beats 7k at two stones, both at 0: 369.95 x 1.5 x 0.9 = 499.4, truncated
    assert {row["key"]: row["change"] for row in shown["moved"]} == {one: 499.0, other: -331.0}
    assert ask("GET", "/games") == []
    key = ask("POST", "/games", game)["subject"]
    answer = ask("GET", f"/games/{key}")
    assert [change["change"] for change in answer["changes"]] == [499.0, -331.0]
    assert answer["changes"][0]["factors"][0]["name"] == "level factor"
    ask("PATCH", f"/games/{key}", {"result": "W+R", "reason": "misread"})
    assert ask("GET", f"/games/{key}")["result"] == "W+R"
    assert ask("PATCH", f"/games/{key}", {"result": "W+R"}, 409)["message"].endswith("nothing was changed")
    ask("POST", f"/games/{key}/withdraw", {"reason": "twice"})
    assert ask("GET", f"/games/{key}")["status"] == "withdrawn"
    ask("POST", f"/games/{key}/restore", {})
    third = ask("POST", "/players", {"name": "Alicia"})["subject"]
    ask("POST", f"/players/{third}/merge", {"into": one})
    assert ask("GET", f"/players/{third}")["key"] == one
    ask("POST", f"/players/{third}/split", {})
    adjusted = ask("POST", "/adjustments", {"player": one, "rank": "9k", "date": "2026-06-01", "reason": "list"})
    ask("POST", f"/adjustments/{adjusted['subject']}/withdraw", {})
    assert [item["withdrawn"] for item in ask("GET", "/adjustments")] == [False, False, True]
    ask("POST", "/lists", {"label": "Spring"})
    assert ask("GET", "/lists")[0]["label"] == "Spring"
    assert ask("GET", f"/terms?one={one}&other={other}")["text"].startswith("Black: Alice")
    assert len(ask("GET", f"/players/{one}/card")["lines"]) == 1
    log = ask("GET", "/log?limit=1000")
    assert [entry["number"] for entry in log] == list(range(1, len(log) + 1))


def test_a_ledger_goes_out_as_it_came_in(club: Club, secretary: Program) -> None:
    from handan.club.exchange import read_ledger
    from handan.club.store.facts import records

    secretary.ask("POST", "/players", {"name": "Alice"})
    answer = secretary.client.get(f"{secretary.home}/ledger", headers=secretary.headers)
    exported = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    header, entries = read_ledger(io.BytesIO(exported))
    assert (header["club"], list(entries)) == (club.slug, list(records(club)))
    assert (
        secretary.client.post(f"{secretary.home}/ledger", headers=secretary.headers).status_code == 405
    )  # `handan club import`


def test_the_mark_of_a_call_is_no_longer_than_every_database_keeps(secretary: Program) -> None:
    from handan.club.store.idempotency import Sending

    secretary.ask("POST", "/players", {"name": "Alice", "token": "x" * 64})
    for body, path in (({"name": "Bob"}, "/players"), ({"black": "p3", "white": "p4", "result": "B+"}, "/games"),
                       ({"player": "p3", "rank": "1d"}, "/adjustments")):  # fmt: skip
        for token in ("x" * 65, "a\x00"):
            secretary.ask("POST", path, {**body, "token": token}, 422)
    for token in ("x" * 65, "a\x00"):
        with pytest.raises(FieldError, match="at most 64 characters"):
            Sending.of(token, {})


@pytest.mark.parametrize(
    ("scope", "method", "status"), [("READ", "GET", 200), ("READ", "POST", 401), ("WRITE", "POST", 200)]
)
def test_a_token_does_what_its_scope_says(club: Club, scope: str, method: str, status: int) -> None:
    from handan.club.store.models import Role, Scope

    program = Program(club, Role.SECRETARY, Scope[scope])
    program.ask(method, "/players", None if method == "GET" else {"name": "Alice"}, status)


@pytest.mark.parametrize("preview", ["", "?preview=true"])
@pytest.mark.parametrize("signed_in", [False, True])
@pytest.mark.parametrize("kind", ["none", "strange", "of reading", "revoked"])
def test_a_call_that_writes_is_answered_with_401_where_no_token_lets_it(
    club: Club, kind: str, signed_in: bool, preview: str
) -> None:
    """As browsers and programs send it, which have no CSRF token; a session does not take the place of a token."""
    from django.test import Client

    from handan.club.store.members import new_account, new_token, set_member
    from handan.club.store.models import AccessToken, Role, Scope

    user = new_account(f"api-{next(NUMBERS)}", "a long enough phrase")
    set_member(club, user, Role.SECRETARY, author="x")
    client = Client(enforce_csrf_checks=True)
    if signed_in:
        client.force_login(user)
    token = (
        "handan_bad" if kind == "strange" else new_token(user, "x", Scope.READ if kind == "of reading" else Scope.WRITE)
    )
    if kind == "revoked":
        AccessToken.objects.filter(user=user).delete()
    headers = {} if kind == "none" else {"Authorization": f"Bearer {token}"}
    path = f"/api/clubs/{club.slug}/players{preview}"
    answer = client.post(path, json.dumps({"name": "Al"}), content_type="application/json", headers=headers)
    if kind == "none" and signed_in:
        assert answer.status_code == 403  # a session writes with the token of a form
        return
    assert answer.status_code == 401
    assert answer.json()["message"] == "sign in, or send a token with the scope for this"
    assert answer["WWW-Authenticate"] == "Bearer"


def test_no_token_does_more_than_its_owner_may(club: Club) -> None:
    from handan.club.store.models import Role, Scope

    player = Program(club, Role.PLAYER, Scope.ADMINISTER)
    assert "secretary" in player.ask("POST", "/players", {"name": "Alice"}, 403)["message"]
    writer = Program(club, Role.ADMINISTRATOR, Scope.WRITE)
    writer.ask("POST", "/rules", {"system": "egf"}, 403)
    Program(club, Role.ADMINISTRATOR, Scope.ADMINISTER).ask("POST", "/rules", {"system": "egf"})


def test_a_session_writes_only_with_the_token_of_a_form(club: Club) -> None:
    from django.test import Client

    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role

    user = new_account(f"api-{next(NUMBERS)}", "a long enough phrase")
    set_member(club, user, Role.SECRETARY, author="x")
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    path = f"/api/clubs/{club.slug}/players"
    assert client.post(path, json.dumps({"name": "Alice"}), content_type="application/json").status_code == 403


def test_what_is_wrong_is_named_with_its_field(club: Club, secretary: Program) -> None:
    one = secretary.ask("POST", "/players", {"name": "Alice"})["subject"]
    game = {"black": one, "white": one, "result": "B+"}
    assert secretary.ask("POST", "/games", game, 409)["field"] == "white"
    assert secretary.ask("POST", "/games", {"black": "p999", "white": one, "result": "B+"}, 409)
    assert secretary.ask("GET", "/games/g999", status=404)["message"] == "game 'g999' is not in the ledger"
    secretary.ask("POST", "/games", {"black": one}, 422)
    secretary.ask("POST", "/players", {"name": "Bob", "nickname": "B"}, 422)


def test_too_many_writes_within_a_minute_wait(club: Club, secretary: Program, settings_changed: Any) -> None:
    settings_changed("WRITES_A_MINUTE", 4)  # becoming a member was the first
    statuses = []
    for number in range(5):
        answer = secretary.client.post(
            f"{secretary.home}/players",
            json.dumps({"name": f"Player {number}"}),
            content_type="application/json",
            headers=secretary.headers,
        )
        statuses.append(answer.status_code)
    assert statuses == [200, 200, 200, 429, 429]


@pytest.fixture
def settings_changed() -> Iterator[Any]:
    from django.test.utils import override_settings

    states: list[Any] = []

    def change(name: str, value: Any) -> None:
        states.append(override_settings(**{name: value}))
        states[-1].enable()

    yield change
    for item in states:
        item.disable()


def test_the_document_of_the_interface_names_every_call(database: str) -> None:
    from django.test import Client

    document = Client().get("/api/openapi.json").json()
    calls = {(method, path) for path, methods in document["paths"].items() for method in methods}
    assert document["openapi"].startswith("3.1")
    assert len(calls) >= 30
    for path, methods in document["paths"].items():
        for method, call in methods.items():
            assert {"403", "404", "409"} <= set(call["responses"]), f"{method} {path} does not say how it refuses"


@pytest.mark.parametrize("path", ["/nothing", "/ladder/", "/games/g1/../.."])
def test_an_address_of_no_call_is_refused_as_calls_refuse(secretary: Program, path: str) -> None:
    answer = secretary.send("GET", path, status=404)
    assert set(json.loads(answer.content)) == {"message", "field"}


def test_the_headers_of_a_call_can_be_asked_for_alone(secretary: Program) -> None:
    headers = ("X-Total-Count", "Link", "ETag", "Content-Type")
    whole, alone = (secretary.send(method, "/games?limit=1") for method in ("GET", "HEAD"))
    assert [alone.headers.get(name) for name in headers] == [whole.headers.get(name) for name in headers]
    assert alone.content == b""
    secretary.send("HEAD", "/players/p999", status=404)
