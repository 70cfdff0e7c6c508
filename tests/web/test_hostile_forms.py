"""Every form of every page, as each role, with what nobody should type: never a fault of the server."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import SHUFFLE
from tests.database import POSTGRESQL, session_of
from tests.web.test_browser import member
from tests.web.test_roles import NEEDS, full  # noqa: F401  # a fixture
from tests.web.test_roles import address as path_of

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club
    from handan.web.pages.unsent import _Form

pytestmark = pytest.mark.database

HOSTILE = [
    "", " ", "\x00", "x" * 200, "x" * 5000, "名" * 201, "\ud800", "\u202eevil", "مرحبا بالعالم",
    "👩\u200d👩\u200d👧\u200d👦" * 40, "Z\u0351\u036b\u0343" + "\u0300" * 150, "Аda", "Ad\u200ba",
    "<script>alert(1)</script>", "'; DROP TABLE club_entry; --", "{{ 7*7 }}", "%s%n", "../../etc/passwd",
    "0001-01-01", "9999-12-31", "10000-01-01", "2999-01-01", "-0001-01-01", "0", "-1", "1e309", "nan", "inf",
    "99999999999999999999", "１２", "½", "B+", "B+0", "W+9999", "p1", "g1", "p99999999", "on", "[]", "\r\n\r\n",
    "a\tb\tc", "a,b\nc,d", "Asia/Nowhere", "xx", "#gggggg", "javascript:alert(1)",
]  # fmt: skip
ROLES = ["VISITOR", "PLAYER", "ADMINISTRATOR"]
"""Who has the fewest forms, who has those of their own games, and who has all."""
SKIPPED = {"new-club", "import-ledger", "sign-out"}


def forms_of(client: Client, path: str) -> list[_Form]:
    from handan.web.pages.unsent import _Page

    answer: Any = client.get(path)
    if answer.streaming or answer.status_code != 200 or "html" not in answer["Content-Type"]:
        return []
    return [form for form in _Page(answer.content.decode()).forms if form.controls]


def filled(form: _Form, dice: random.Random) -> dict[str, list[str]]:
    """Return what a form sends with hostile texts in most of its fields."""
    sent: dict[str, list[str]] = {}
    buttons = [control for control in form.controls if control.kind == "submit"]
    for control in form.controls:
        if control.kind == "submit" or (control.kind in {"checkbox", "radio"} and dice.random() < 0.5):
            continue
        hostile = dice.random() < (0.2 if control.kind == "hidden" else 0.7)
        value = dice.choice(HOSTILE) if hostile else next(iter(control.options), control.value)
        sent.setdefault(control.name, []).append(value.encode("utf-8", "replace").decode())
    if buttons:
        button = dice.choice(buttons)
        sent[button.name] = [button.value]
    return sent


@pytest.mark.extended
@pytest.mark.parametrize("role", ROLES[-1:] if POSTGRESQL else ROLES)  # the last fills nearly all forms
def test_no_form_is_answered_with_a_fault_of_the_server(role: str, club: Club, full: dict[str, str]) -> None:  # noqa: F811
    from django.test import Client

    from handan.club.store.models import Role
    from handan.club.store.writing import verify

    dice, client = random.Random(f"{SHUFFLE} {role}"), Client(raise_request_exception=False)
    user = member(club, Role[role], full["player"])
    client.cookies["sessionid"] = session_of(user)
    names = sorted(
        name for names in NEEDS.values() for name in names - SKIPPED if not name.startswith(("print-", "pdf-"))
    )
    strangers = [Client(raise_request_exception=False)] if role == ROLES[-1] else []  # all forms once
    faults, sent_forms = [], 0
    for name in names:
        path = path_of(name, full)
        for form in forms_of(client, path):
            target = form.action or path
            if not target.startswith(f"/{club.slug}/"):
                continue
            sent = filled(form, dice)
            sent_forms += 1
            for who in (client, *strangers):
                answer: Any = who.post(target, sent)
                if answer.status_code >= 500:
                    faults.append((target, answer.status_code, sent))
    assert faults == []
    assert sent_forms >= 10
    assert verify(club) >= 1


@pytest.mark.parametrize(
    "back",
    ["2999-01-01", "home", "مرحبا", "//evil.example/", "https://evil.example/", "\\\\evil", "javascript:alert(1)", ""],
)
def test_a_form_leads_back_to_paths_of_this_server_alone(back: str, database: str) -> None:
    from django.test import Client

    answer: Any = Client().post("/account/look/", {"scheme": "dark", "next": back})
    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert answer.cookies["scheme"].value == "dark"


def test_a_sheet_of_no_key_is_a_new_one(club: Club) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    client = Client()
    client.cookies["sessionid"] = session_of(member(club, Role.KEEPER))
    for key in ("<script>alert(1)</script>", "s", "s1/../x", "S1", "s" + "9" * 30):
        page: Any = client.post(f"/{club.slug}/games/sheet/", {"grid": "lines", "black": ["Ada"], "sheet": key})
        assert page.status_code == 200
        assert 'name="sheet" value=""' in page.content.decode()
