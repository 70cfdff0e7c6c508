"""Small slips and odd requests that change nothing, and odd files that stop nothing."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.database import POSTGRESQL
from tests.processes import handan
from tests.web.test_roles import full  # noqa: F401  # a fixture
from tests.web.test_writing_routes import account, everything, keys, posts  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from handan.club.store.models import Club


# no page asks the database otherwise by one of them than by another
@pytest.mark.extended
@pytest.mark.parametrize("method", ["HEAD"] if POSTGRESQL else ["HEAD", "OPTIONS", "PUT", "DELETE", "TRACE"])
def test_no_page_fails_or_writes_by_another_method(club: Club, keys: dict[str, str], method: str) -> None:  # noqa: F811
    from django.test import Client

    from handan.club.store.members import set_member
    from handan.club.store.models import Role

    user, client = account(), Client(raise_request_exception=False)
    set_member(club, user, Role.ADMINISTRATOR, author="x")
    client.force_login(user)
    before = everything(club)
    for name, path, _ in posts(club, keys):
        assert client.generic(method, path).status_code < 500, f"{method} {name}"
    assert everything(club) == before


@pytest.mark.parametrize("name", ["\u200b", "\u200bAda", "x\u202egnp", "A\u00adda", "\x1b[31mred", "\u3164"])
def test_names_that_cannot_be_seen_are_refused_wherever_they_come_in(
    club: Club,
    name: str,
    keys: dict[str, str],  # noqa: F811
) -> None:
    import json

    from django.test import Client

    from handan.club.store.members import set_member
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    user, client = account(), Client()
    set_member(club, user, Role.ADMINISTRATOR, author="x")
    client.force_login(user)
    before = state_of(club).people
    home, call = f"/{club.slug}", f"/api/clubs/{club.slug}/players"
    client.post(f"{home}/players/new/", {"name": name})
    client.post(f"{home}/players/{keys['player']}/edit/", {"name": name})
    client.post(f"{home}/games/sheet/", {"text": f"{name},Bo,B+", "save": "1", "another": "on", "newcomers": "on"})
    client.post(call, json.dumps({"name": name}), content_type="application/json")
    client.patch(f"{call}/{keys['player']}", json.dumps({"name": name}), content_type="application/json")
    after = {key: person.name for key, person in state_of(club).people.items()}
    assert {key: name for key, name in after.items() if key in before} == {k: p.name for k, p in before.items()}
    assert all(letter.isprintable() for text in after.values() for letter in text)


def test_a_name_that_is_refused_stands_there_in_its_letters_with_the_code_of_what_nobody_sees(club: Club) -> None:
    from django.test import Client

    from handan.club.store.members import set_member
    from handan.club.store.models import Role

    user, client = account(), Client()
    set_member(club, user, Role.SECRETARY, author="x")
    client.force_login(user)
    for name, shown in (("\u202eאברהם לוי", "[U+202E]אברהם לוי"), ("김\u3164철수", "김[U+3164]철수")):
        page = client.post(f"/{club.slug}/players/new/", {"name": name}).content.decode()
        assert f"name &#39;{shown}&#39; is not text" in page


def test_a_named_pipe_in_a_folder_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text("black,white,result\nAda,Bo,B+\n", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.csv")
    assert "games.csv" in handan("check", tmp_path)


def test_a_database_that_cannot_be_written_to_is_read(
    monkeypatch: pytest.MonkeyPatch, empty: Path, tmp_path: Path
) -> None:
    """The super user may write to every file, so that the medium is asked for in its place."""
    from handan.web import settings

    file = Path(shutil.copy(empty, tmp_path))
    assert "journal_mode" in settings._database(f"sqlite:///{file}")["OPTIONS"]["init_command"]
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert "journal_mode" not in settings._database(f"sqlite:///{file}")["OPTIONS"]["init_command"]


def test_what_killed_commands_left_is_removed_after_a_day(database: str, tmp_path: Path) -> None:
    from handan.club.store.backup import PART, made_whole

    old, new, other = (tmp_path / name for name in (f".monday{PART}", f".today{PART}", ".monday.part"))
    for file in (old, new, other):
        file.touch()
    for file in (old, other):
        os.utime(file, (time.time() - 90_000,) * 2)
    with made_whole(tmp_path / "backup") as part:
        part.write_bytes(b"x")
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([new.name, other.name, "backup"])
