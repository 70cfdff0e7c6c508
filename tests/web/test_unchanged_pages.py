"""Pages that did not change are not sent again; nobody gets another one's page."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_roles import NEEDS, address, full  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

pytestmark = pytest.mark.extended

NUMBERS = count(1)


@pytest.fixture
def visitor(database: str) -> Client:
    from django.test import Client

    return Client()


def member(club: Club, role: Any) -> Client:
    from django.test import Client

    from handan.club.store.members import new_account, set_member

    user = new_account(f"kept-{next(NUMBERS)}", "a long enough phrase")
    set_member(club, user, role, author="x")
    client = Client()
    client.force_login(user)
    client.name = user.username  # type: ignore[attr-defined]
    return client


def game(club: Club) -> None:
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.writing import write

    facts = {"black": "p2", "white": "p3", "result": "B+", "date": "2026-05-01"}
    write(club, lambda s: changes.games.record_game(s, facts, today()), author="x")


def two_players(club: Club) -> None:
    from handan.club import changes
    from handan.club.store.writing import write

    write(club, lambda s: [changes.players.register_player(s, {"name": name}) for name in ("Ada", "Bo")], author="x")
    game(club)


def test_an_unchanged_page_is_not_sent_again_and_an_entry_changes_it(visitor: Client, club: Club) -> None:
    two_players(club)
    first = visitor.get(f"/{club.slug}/")
    again = visitor.get(f"/{club.slug}/", headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert visitor.get(f"/{club.slug}/").content == first.content
    game(club)
    after = visitor.get(f"/{club.slug}/", headers={"If-None-Match": first["ETag"]})
    assert after.status_code == 200
    assert after["ETag"] != first["ETag"]
    assert f"{club.slug}".encode() in after.content


def test_another_language_and_another_question_make_another_page(visitor: Client, club: Club) -> None:
    two_players(club)

    def mark(query: str = "", **headers: str) -> str:
        return str(visitor.get(f"/{club.slug}/{query}", headers=headers)["ETag"])

    others = {mark("?q=Ada"), mark(**{"accept-language": "de"}), mark(**{"hx-request": "true"})}
    assert len({mark(), *others}) == 4


def test_nobody_gets_the_page_of_another_role(visitor: Client, club: Club, full: dict[str, str]) -> None:  # noqa: F811
    from handan.club.store.models import Role
    from handan.web.pages.urls import urlpatterns

    roles = (Role.PLAYER, Role.KEEPER, Role.SECRETARY, Role.ADMINISTRATOR)
    members = [member(club, role) for role in roles]
    names = [client.name.encode() for client in members]  # type: ignore[attr-defined]
    for pattern in urlpatterns:
        if pattern.name not in NEEDS["visitor"]:
            continue
        path = address(pattern.name, full)
        kept = visitor.get(path)
        text = b"".join(kept)
        assert not any(name in text for name in names)
        ways = [*zip(members, names, strict=True)]
        for client, name in ways if pattern.name == "ladder" else (ways[0], ways[-1]):
            answer = client.get(path, headers={"If-None-Match": kept.get("ETag", "*")})
            content = b"".join(answer)
            assert (answer.status_code, answer["Cache-Control"]) == (kept.status_code, "no-store"), path
            assert "ETag" not in answer
            page = answer["Content-Type"].startswith("text/html") and "/print/" not in path  # papers name nobody
            assert name in content or not page, path
        assert b"".join(visitor.get(path)) == text


def test_who_has_much_worked_out_waits_and_others_do_not(
    visitor: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.test import override_settings

    from handan.club.store import computing

    two_players(club)
    used = count(0, 8)  # each answer takes eight seconds of computing
    monkeypatch.setattr(computing, "thread_time", lambda: float(next(used)))
    computing.throttle.forget()
    with override_settings(COMPUTING_SECONDS=20):
        paths = [f"/{club.slug}/?as_of=2026-05-0{day}" for day in range(1, 5)]
        assert [visitor.get(path).status_code for path in paths] == [200, 200, 200, 429]
        refused = visitor.get(paths[-1])
        assert 1 <= int(refused["Retry-After"]) <= 60
        assert "ask again in" in refused.content.decode()
        assert visitor.get(paths[0]).status_code == 200  # kept: costs nothing
        game(club)
        assert visitor.get(f"/{club.slug}/").status_code == 200  # what everybody looks at
        call = visitor.get(f"/api/clubs/{club.slug}/ladder?as_of=2026-04-30")
        assert call.status_code == 429
        assert call["Retry-After"]
        assert visitor.get(paths[-1], REMOTE_ADDR="203.0.113.7").status_code == 200
    computing.throttle.forget()


def test_a_page_leaves_no_standings_behind(visitor: Client, club: Club) -> None:
    import gc

    from handan.club.standings import Standings

    two_players(club)
    visitor.get(f"/{club.slug}/")
    gc.collect()
    gc.disable()
    try:
        before = sum(type(item) is Standings for item in gc.get_objects())
        for _ in range(5):
            game(club)
            visitor.get(f"/{club.slug}/")
        assert sum(type(item) is Standings for item in gc.get_objects()) <= before
    finally:
        gc.enable()
