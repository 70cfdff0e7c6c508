"""Players who move: each list of a day has them in the country and club that were theirs on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.command_line import run
from tests.web.test_api import Program
from tests.web.test_entering import client_of
from tests.web.test_events import words

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.database

DAY = "2026-06-01"
"""The day from which on Ada Moor plays in Finland."""


@pytest.fixture
def ada(make_club: Callable[..., Club]) -> tuple[Club, Program, str]:
    """A club in which a player with a game of May moved in June, from Sweden."""
    from handan.club.store.models import Role, Scope

    club = make_club("egf")
    secretary = Program(club, Role.SECRETARY, Scope.WRITE)
    numbers = {"Ada Moor": ["egd:10000001", "ffg:1800014", "aga:8489"], "Bo Tan": []}
    facts = {"country": "SE", "club": "Ume", "rank": "1d"}
    keys = [
        secretary.ask("POST", "/players", {"name": name, "ids": ids, **facts})["subject"]
        for name, ids in numbers.items()
    ]
    secretary.ask("POST", "/games", {"black": keys[0], "white": keys[1], "result": "B+R", "date": "2026-05-01"})
    return club, secretary, keys[0]


def page_of(club: Club, program: Program, path: str) -> str:
    answer = program.client.get(f"/{club.slug}/{path}")
    assert answer.status_code == 200
    return words(answer.content.decode())


def test_a_form_with_a_day_keeps_the_country_and_club_of_before(ada: tuple[Club, Program, str]) -> None:
    from handan.club.store.models import Role

    club, secretary, key = ada
    client = client_of(club, Role.SECRETARY)
    form = {"name": "Ada Moor", "ids": "egd:10000001 ffg:1800014 aga:8489"}
    path = f"/{club.slug}/players/{key}/edit/"
    refused = client.post(path, form | {"country": "SE", "club": "Ume", "since": DAY, "token": "a"})
    assert "another country or club" in words(refused.content.decode())
    refused = client.post(path, form | {"country": "FI", "club": "Hels", "since": "2027-06-01", "token": "b"})
    assert refused.status_code == 200
    assert client.post(path, form | {"country": "FI", "club": "Hels", "since": DAY, "token": "c"}).status_code == 302
    card = page_of(club, secretary, f"players/{key}/")
    assert "FI Hels egd:10000001 ffg:1800014 aga:8489" in card
    assert "before 2026-06-01: SE Ume" in card
    assert "SE Ume egd:10000001" in page_of(club, secretary, f"players/{key}/?as_of=2026-05-31")
    answer = secretary.ask("GET", f"/players/{key}")
    assert (answer["country"], answer["earlier_homes"]) == ("FI", [{"until": DAY, "country": "SE", "club": "Ume"}])


def test_lists_by_country_have_a_player_in_the_country_of_their_day(ada: tuple[Club, Program, str]) -> None:
    club, secretary, key = ada
    secretary.ask("PATCH", f"/players/{key}", {"country": "FI", "since": DAY})
    listed = {
        (query): "Ada Moor" in page_of(club, secretary, f"?{query}")
        for query in ("country=FI", "country=SE", "country=FI&as_of=2026-05-31", "country=SE&as_of=2026-05-31")
    }
    assert [*listed.values()] == [True, False, False, True]
    options = secretary.client.get(f"/{club.slug}/?as_of=2026-05-31").content.decode()
    assert "<option>FI</option>" not in options
    for country, day, names in (
        ("FI", (), ["Ada Moor"]), ("SE", (), ["Bo Tan"]), ("FI", ("--as-of", "2026-05-31"), []),
        ("SE", ("--as-of", "2026-05-31"), ["Ada Moor", "Bo Tan"]),
    ):  # fmt: skip
        rows = run("club", "ratings", club.slug, "--country", country, *day).csv
        assert sorted(row["name"] for row in rows) == names, (country, day)
        assert {row["country"] for row in rows} <= {country}


def test_undo_and_a_list_of_the_homes_put_right_what_was_typed_wrongly(ada: tuple[Club, Program, str]) -> None:
    from handan.club.store.facts import folded, refuse_other_rows
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club, secretary, key = ada
    client = client_of(club, Role.SECRETARY)
    form = {"name": "Ada Moor", "country": "FI", "club": "Hels", "since": DAY, "token": "a"}
    assert client.post(f"/{club.slug}/players/{key}/edit/", form).status_code == 302
    last = state_of(club).number
    assert homes(secretary, key) == ("FI", [(DAY, "SE")])
    assert f"earlier homes: – → before {DAY}: SE Ume" in words(client.get(f"/{club.slug}/log/").content.decode())
    assert client.post(f"/{club.slug}/undo/", {"entries": f"{last}-{last}"}).status_code == 302
    assert homes(secretary, key) == ("SE", [])
    secretary.ask("PATCH", f"/players/{key}", {"country": "FI", "since": DAY})
    secretary.ask("PATCH", f"/players/{key}", {"country": "NO", "since": "2026-05-15"})
    assert homes(secretary, key) == ("NO", [("2026-05-15", "SE")])
    secretary.ask("PATCH", f"/players/{key}", {"country": "IS", "since": "2026-05-15"})
    assert homes(secretary, key) == ("IS", [("2026-05-15", "SE")])
    body: dict[str, Any] = {"until": "2026-02-01", "country": "DK"}
    secretary.ask(
        "PATCH", f"/players/{key}", {"earlier_homes": [body | {"until": "2026-04-01", "country": "SE"}, body]}
    )
    assert homes(secretary, key) == ("IS", [("2026-02-01", "DK"), ("2026-04-01", "SE")])
    secretary.ask("PATCH", f"/players/{key}", {"earlier_homes": [body | {"until": "2026-02-30"}]}, 409)
    refuse_other_rows(club, folded(club))


def homes(program: Program, key: str) -> tuple[str, list[tuple[str, str]]]:
    answer = program.ask("GET", f"/players/{key}")
    return answer["country"], [(home["until"], home["country"]) for home in answer["earlier_homes"]]


def test_the_list_of_a_month_says_from_which_day_on_somebody_has_moved(
    ada: tuple[Club, Program, str], tmp_path: Path
) -> None:
    """As the European list does, in its first line; one of an earlier day changes nothing any more."""
    club, secretary, key = ada
    row = "10000001  Moor Ada   FI  Hels 1d -- 2110 31 T260307A\n10000004  Quist Dee  SE  Ume  5k -- 1590 12 T260307A\n"
    (tmp_path / "june.txt").write_text(f"(1 Jun 2026)\n{row}", encoding="utf-8")
    (tmp_path / "may.txt").write_text(f"(1 May 2026)\n{row.replace('FI  Hels', 'SE  Ume ')}", encoding="utf-8")
    for name in ("june.txt", "june.txt", "may.txt"):
        loaded = run("club", "load", club.slug, "--players", tmp_path / name)
        assert loaded.status == 0, loaded.err
        assert homes(secretary, key) == ("FI", [(DAY, "SE")])
