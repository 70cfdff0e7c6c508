"""Every route and call that writes, asked by every role: what is refused changes nothing, what is allowed is done."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from tests.web.test_roles import CALLS, GIVEN, borders, full, routes  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.contrib.auth.models import User
    from django.test import Client

    from handan.club.store.models import Club, Role

GAME = {"black": "Ada", "white": "Bo", "result": "W+R", "date": "2026-05-01"}
FILE = base64.b64encode(zlib.compress(b"black,white,result,date\nAda,Bo,B+,2026-05-08\n")).decode()
POSTS: dict[str, tuple[str, dict[str, str]]] = {
    "new-game": ("KEEPER", GAME),
    "enter-game": ("KEEPER", {"won": "{weaker} {stronger} W+", "handicap": "{handicap}", "komi": "{komi}"}),
    "kiosk": ("KEEPER", {"won": "{weaker} {stronger} W+", "handicap": "{handicap}", "komi": "{komi}"}),
    "tonight": ("KEEPER", {"arrive": "{weaker}"}),
    "sheet": ("KEEPER", {"text": "Ada,Bo,B+", "date": "2026-05-01", "save": "1"}),
    "check-sheet": ("KEEPER", {"seen": "{sheet}"}),
    "submissions": ("PLAYER", {"kept": FILE, "kept-name": "cup.csv", "send": "1"}),
    "submission": ("KEEPER", {"return": "1", "word": "Who is Bo?"}),
    "correct-game": ("KEEPER", GAME),
    "withdraw-game": ("KEEPER", {}),
    "restore-game": ("KEEPER", {"another": "on"}),
    "withdraw-event": ("KEEPER", {}),
    "edit-event": ("KEEPER", {"event": "Cup", "first": "2026-05-01", "last": "2026-05-03", "director": "Ada"}),
    "move-event": ("KEEPER", {"date": "2026-05-05"}),
    "move-evening": ("KEEPER", {"date": "2026-05-08"}),
    "confirm-game": ("KEEPER", {"seen": "{seen}"}),
    "dispute-game": ("KEEPER", {"seen": "{seen}", "reason": "not so"}),
    "new-player": ("SECRETARY", {"name": "New"}),
    "new-players": ("SECRETARY", {"text": "New,,3k", "member": "1", "save": "1"}),
    "edit-player": ("SECRETARY", {"name": "Other"}),
    "withdraw-player": ("SECRETARY", {}),
    "restore-player": ("SECRETARY", {}),
    "adjust-player": ("SECRETARY", {"rank": "3d", "reason": "x"}),
    "withdraw-adjustment": ("SECRETARY", {}),
    "split": ("SECRETARY", {}),
    "who-is-who": ("SECRETARY", {"player": "Cy", "into": "Ada"}),
    "lists": ("SECRETARY", {"label": "x"}),
    "members": ("SECRETARY", {"role": "1"}),
    "register": ("SECRETARY", {"key": "{stronger}", "guest": "{stronger}", "left": "", "paid-until": ""}),
    "zone": ("ADMINISTRATOR", {"zone": "Asia/Tokyo"}),
    "edit-card": ("ADMINISTRATOR", {"title": "Own", "tie": "jigo", "text": "0–5: even\n6: 2 stones", "save": "1"}),
    "choose-card": (
        "ADMINISTRATOR",
        {"card": "tokyo15", "promotion": "nearest", "demotion": "never", "at_1d": "150", "save": "1"},
    ),
    "office": ("ADMINISTRATOR", {"name": "Another name"}),
    "own": ("SECRETARY", {"how": "not at all"}),
    "forget-player": ("SECRETARY", {"sure": "1"}),
    "visitors": ("ADMINISTRATOR", {"openness": "1"}),
    "rules": ("ADMINISTRATOR", {"system": "egf", "confirmation": "none", "since": "2026-06-01"}),
}
"""The weakest role for each route that writes, and a form that it takes; players' own games are tested elsewhere."""


@dataclass
class Asker:
    """Somebody who asks."""

    name: str
    client: Client
    role: Role
    headers: dict[str, str]


def account() -> User:
    from handan.club.store.members import new_account

    return new_account(f"writes-{uuid4().hex[:12]}", "a long enough phrase")  # other files of tests use it too


@pytest.fixture
def askers(club: Club, make_club: Callable[..., Club]) -> list[Asker]:
    """A stranger, a member of each role, and the administrator of another club, who is a visitor here."""
    from django.test import Client

    from handan.club.store.members import new_token, set_member
    from handan.club.store.models import Role, Scope

    askers = [Asker("a stranger", Client(), Role.VISITOR, {})]
    members = [(club, role) for role in Role if role is not Role.VISITOR]
    for home, role in [*members, (make_club(), Role.ADMINISTRATOR)]:
        user, client = account(), Client()
        set_member(home, user, role, author="x")
        client.force_login(user)
        headers = {"Authorization": f"Bearer {new_token(user, 'x', Scope.ADMINISTER)}"}
        name, role_here = (role.label, role) if home is club else ("another club's administrator", Role.VISITOR)
        askers.append(Asker(name, client, role_here, headers))
    return askers


@pytest.fixture
def keys(club: Club, full: dict[str, str]) -> dict[str, str]:  # noqa: F811
    """Keys for each route, a third player, who can be merged, and a game that waits."""
    from handan.club import changes
    from handan.club.changes.sheets import latest_entry, sheet_of
    from handan.club.entries import Draft
    from handan.club.kinds import Kind
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    write(club, lambda s: changes.players.register_player(s, {"name": "Cy"}), author="x")
    facts = {"black": full["player"], "white": state_of(club).keys["Bo"], "result": "B+", "waiting": True}
    waits = write(club, lambda _: Draft(Kind.GAME_RECORDED, facts), author="x")[0]
    terms = standings_of(state_of(club)).fair_terms(full["player"], state_of(club).keys["Bo"])
    names, komi = state_of(club).keys, "" if terms.komi is None else f"{terms.komi:g}"
    sides = {"weaker": names[terms.black], "stronger": names[terms.white]}
    shown = {**sides, "handicap": str(terms.handicap), "komi": komi}
    sheet = sheet_of(state_of(club), full["check-sheet"])
    shown["sheet"] = str(latest_entry(state_of(club), sheet))
    return {**full, **shown, "confirm-game": waits.subject, "dispute-game": waits.subject, "seen": str(waits.number)}


def last_seen(call: str, keys: dict[str, str]) -> int:
    """Return the last entry about what a call is sent for."""
    return int(keys["sheet" if "/sheets/" in call else "seen"])


def everything(club: Club) -> tuple[Any, ...]:
    """Return what a write could change."""
    from handan.club.store.models import (
        Attendance,
        CardKey,
        Club,
        Entry,
        ForgetRequest,
        Invitation,
        Membership,
        PasswordLink,
        Shown,
        Submission,
        Subscription,
    )

    return (
        PasswordLink.objects.count(), Shown.objects.count(), ForgetRequest.objects.count(), Attendance.objects.count(),
        list(Submission.objects.order_by("pk").values_list("pk", "decision")), Entry.objects.count(),
        Invitation.objects.count(), Subscription.objects.count(), CardKey.objects.count(),
        list(Club.objects.values_list("number", "digest", "name", "openness")),
        list(Membership.objects.order_by("pk").values_list("user", "club", "role", "player")),
    )  # fmt: skip


def tried(before: tuple[Any, ...], club: Club, ask: Callable[[], Any]) -> tuple[int, bool]:
    """Return the status of an answer and whether it changed what was there before; the change itself is taken back."""
    from django.db import transaction

    with transaction.atomic():
        status = ask().status_code
        changed = everything(club) != before
        transaction.set_rollback(True)
    return status, changed


class AtOnce:
    """Work that is done where it is asked for, so that it can be taken back."""

    waits = False

    def __init__(self, work: Callable[[Callable[..., None]], Any], **_: bool) -> None:
        self._made = work(lambda *_: None)

    def ended_soon(self) -> bool:
        return True

    def made(self) -> Any:
        return self._made


def posts(club: Club, keys: dict[str, str]) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Go through all routes of a club with a form for each: its own, or one with everything that forms ask."""
    from django.urls import reverse

    whole = {name: value for _, form in POSTS.values() for name, value in form.items()}
    for name, pattern in routes():
        parts = pattern.pattern.converters
        if "slug" in parts:
            values = {**GIVEN, "slug": club.slug, "key": keys.get(name, keys["player"])}
            values |= {"number": keys[name]} if name == "submission" else {}
            form = POSTS[name][1] if name in POSTS else whole
            path = reverse(name, kwargs={part: values[part] for part in parts})
            yield name, path, {field: value.format(**keys) for field, value in form.items()}


def at_borders(askers: list[Asker], need: Role) -> list[Asker]:
    """Return who is no member, and of the members those on both sides of a role."""
    from handan.club.store.models import Role

    near = borders(need)[:2]
    return [asker for asker in askers if asker.role in near or asker.role is Role.VISITOR]


def test_every_page_that_writes_asks_for_the_role_it_needs(
    club: Club, askers: list[Asker], keys: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store.models import Role

    monkeypatch.setattr("handan.paper.document.Paper.pdf", lambda _: b"%PDF")  # it writes nothing, and takes long
    monkeypatch.setattr("handan.web.pages.long_work.LongWork", AtOnce)
    before = everything(club)
    ends = [asker for asker in askers if asker.name == "a stranger" or asker.role is max(Role)]
    for name, path, form in posts(club, keys):
        senders = at_borders(askers, Role[POSTS[name][0]]) if name in POSTS else ends
        for asker in senders:  # who may do everything, and who nothing, writes by none else
            status, changed = tried(before, club, partial(asker.client.post, path, form))
            allowed = name in POSTS and asker.role >= Role[POSTS[name][0]]
            assert changed == allowed, f"{asker.name} posts to {name}: {status}"
            if name in POSTS and not allowed:
                assert status == 403 or (asker.name == "a stranger" and status == 302), f"{asker.name}: {name} {status}"


def test_every_call_that_writes_asks_for_the_role_it_needs(
    club: Club, askers: list[Asker], keys: dict[str, str]
) -> None:
    from django.test import Client

    from handan.club.store.models import Role

    writes = {call: values_of for call, values_of in CALLS.items() if not call.startswith("GET")}
    done, before = set(), everything(club)
    for call, (need, path, body) in writes.items():
        text = (
            ""
            if body is None
            else json.dumps({**body, **({"entry": last_seen(call, keys)} if "entry" in body else {})})
        )
        text = text.replace("{player}", keys["player"])
        for asker in at_borders(askers, Role[need]):
            ask = partial(
                Client().generic, call.partition(" ")[0], f"/api/clubs/{club.slug}{path.format(**keys)}", text,
                content_type="application/json", headers=asker.headers,
            )  # fmt: skip
            status, changed = tried(before, club, ask)
            if asker.role >= Role[need]:
                assert status not in {401, 403}, f"{asker.name}: {call}"
                done |= {call} if changed else set()
            else:
                assert (status in {401, 403}, changed) == (True, False), f"{asker.name}: {call} {status}"
    assert {"POST /lists", "POST /rules", "POST /players", "POST /invitations", "POST /games/{key}/confirm",
            "POST /games/{key}/dispute", "POST /sheets/{key}/check",
            "POST /players/{key}/withdraw", "POST /players/{key}/restore",
            "DELETE /invitations/{number}"} <= done  # fmt: skip


@pytest.mark.parametrize("way", ["page", "call"])
def test_nobody_changes_who_stands_above_them(club: Club, askers: list[Asker], way: str) -> None:
    from handan.club.store.members import set_member
    from handan.club.store.models import Membership, Role

    members = {Role(item.role): item for item in Membership.objects.filter(club=club).select_related("user")}
    set_member(club, account(), Role.ADMINISTRATOR, author="x")  # the only one stays one
    before = everything(club)
    for asker in (asker for asker in askers if asker.role >= Role.KEEPER):
        for role, membership in members.items():
            for new in ("player", None):
                name = membership.user.get_username()
                form = {"account": name, "role": "1" if new else "0"}
                ask = partial(asker.client.post, f"/{club.slug}/members/", form)
                if way == "call":
                    path = f"/api/clubs/{club.slug}/members/{name}"
                    ask = partial(asker.client.put, path, {"role": new}, content_type="application/json")
                status, changed = tried(before, club, ask)
                allowed = asker.role >= Role.SECRETARY and asker.role >= role
                assert changed == allowed, f"{asker.name} makes a {role.label} a {new}: {status}"


def test_a_role_is_asked_for_under_the_lock(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between a request's first look and its write, the other may have been given a higher role."""
    from handan.club.store.access import NotAllowedError, actor
    from handan.club.store.members import set_member, set_role
    from handan.club.store.models import Membership, Role

    secretary, other = account(), account()
    set_member(club, secretary, Role.SECRETARY, author="x")
    set_member(club, other, Role.PLAYER, author="x")
    by = actor(club, secretary)
    Membership.objects.filter(club=club, user=other).update(role=Role.ADMINISTRATOR)
    with pytest.raises(NotAllowedError):
        set_role(by, other, Role.PLAYER)
