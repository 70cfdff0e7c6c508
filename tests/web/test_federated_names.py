"""Namesakes of a federation's clubs on its pages: told apart by the name of their club, as people would."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from handan.errors import InputError
from tests.club.helpers import TODAY
from tests.command_line import run
from tests.web.test_pages import registered, signed_in, text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from handan.club.store.models import Club


@pytest.fixture
def clubs(make_club: Callable[..., Club]) -> tuple[Club, Club, Club]:
    """A federation and two of its clubs: both have an Ada who has played, the second two of the name Bo."""
    from handan.club import changes
    from handan.club.store.models import Club, Role
    from handan.club.store.writing import write

    def played(club: Club, one: str, other: str) -> None:
        facts = {"black": one, "white": other, "result": "B+", "date": "2026-05-01", "kind": "club"}
        write(club, lambda state: changes.games.record_game(state, facts, TODAY), author="x")

    above, north, south = make_club("elo"), make_club("elo"), make_club("elo")
    for club, name in ((north, "桜 Go Club"), (south, "Tafelberg <Go>")):
        Club.objects.filter(pk=club.pk).update(federation=above, name=name)
        secretary = signed_in(club, Role.SECRETARY)
        played(club, *(registered(secretary, club, name, "3d") for name in ("Ada", f"Cy {club.slug}")))
    for _ in range(2):
        registered(signed_in(south, Role.SECRETARY), south, "Bo", "3d")
    return above, north, south


def test_namesakes_of_a_federation_bear_the_names_of_their_clubs(clubs: tuple[Club, Club, Club]) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    above, north, south = clubs
    client, state = signed_in(above, Role.OFFICER), state_of(above)
    keys = {state.people[key].club: key for key in state.active if state.people[key].name == "Ada"}
    for path in ("", "table", "players/", f"players/{keys[north.slug]}/", f"players/{keys[south.slug]}/"):
        client.cookies["wall"] = path or "plates"
        page = text(client.get(f"/{above.slug}/{path.removeprefix('table')}"))
        names = ["桜 Go Club", "Tafelberg &lt;Go&gt;"]
        if path.startswith("players/" + north.slug):
            del names[1]
        if path.startswith("players/" + south.slug):
            del names[0]
        for name in names:
            assert f"Ada ({name})" in page, path
    page = text(client.get(f"/{above.slug}/players/"))
    assert f"Ada ({north.slug}:" not in page
    for number in (1, 2):  # two of one club: its name does not tell them apart
        assert f"Bo (Tafelberg &lt;Go&gt;, {number})" in page
    assert {f"Ada ({key.replace('.', ':')})" for key in keys.values()} < state.keys.keys()


def test_a_federation_says_when_each_player_was_last_updated_as_games_come_in(clubs: tuple[Club, Club, Club]) -> None:
    """Of each player the day of the game that was added last, whichever club added it, also where two are one."""
    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    above, _, south = clubs
    client = signed_in(above, Role.OFFICER)

    def updated() -> dict[str, str]:
        rows = client.get(f"/{above.slug}/ladder.json").json()["players"]
        return {row["key"]: row["last_updated"] for row in rows if row["games"]}

    assert set(updated().values()) == {"2026-05-01"}
    ada, cy = (next(key for key, person in state_of(south).people.items() if person.name.startswith(name))
               for name in ("Ada", "Cy"))  # fmt: skip
    facts = {"black": ada, "white": cy, "result": "W+", "date": "2026-05-03", "kind": "club"}
    write(south, lambda state: changes.games.record_game(state, facts, TODAY), author="x")
    ours = {f"{south.slug}.{key}" for key in (ada, cy)}
    assert {key: day for key, day in updated().items() if day == "2026-05-03"}.keys() == ours
    other = next(key for key, person in state_of(above).people.items() if person.name == "Ada" and key not in ours)
    write(above, lambda state: changes.players.merge_players(state, f"{south.slug}.{ada}", other), author="x")
    assert updated()[other] == "2026-05-03"


def test_verify_compares_the_list_of_a_federation_and_rebuild_mends_it(clubs: tuple[Club, Club, Club]) -> None:
    from handan.club.store.copying import check_club
    from handan.club.store.list_models import RatingList, Standing
    from handan.club.store.list_verification import rebuild
    from handan.club.store.models import Role

    above, *_ = clubs
    assert signed_in(above, Role.OFFICER).get(f"/{above.slug}/").status_code == 200
    check_club(above)
    key = Standing.objects.filter(list__club=above).values_list("player__key", flat=True)[0]
    Standing.objects.filter(list__club=above, player__key=key).update(last_updated="2020-01-01")
    with pytest.raises(InputError, match=rf"something else of {key} than its games \(last_updated\); `handan club re"):
        check_club(above)
    assert rebuild(above) == 1
    check_club(above)
    Standing.objects.filter(list__club=above, player__key=key).update(last_updated="2020-01-01")
    RatingList.objects.filter(club=above).update(form=6)  # as a version that wrote other days
    check_club(above)
    assert signed_in(above, Role.OFFICER).get(f"/{above.slug}/").status_code == 200
    check_club(above)
    assert not Standing.objects.filter(list__club=above, last_updated="2020-01-01").exists()


def test_visitors_of_a_federation_see_no_name_of_a_club_that_is_closed_to_them(clubs: tuple[Club, Club, Club]) -> None:
    from django.test import Client

    from handan.club.store.models import Club, Openness, Role

    above, north, south = clubs
    Club.objects.filter(pk=north.pk).update(openness=Openness.CLOSED)
    for client, seen in ((Client(), False), (signed_in(above, Role.OFFICER), True)):
        page = text(client.get(f"/{above.slug}/"))
        assert (f"Cy {north.slug}" in page, f"Cy {south.slug}" in page) == (seen, True)


def test_titles_papers_charts_and_searches_name_people_as_pages_do(clubs: tuple[Club, Club, Club]) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    above, north, south = clubs
    client, state, home = signed_in(above, Role.OFFICER), state_of(above), f"/{above.slug}/"
    keys = {state.people[key].club: key for key in state.active if state.people[key].name == "Ada"}
    one, other = keys[north.slug], keys[south.slug]
    title = "<title>Ada (桜 Go Club)"
    assert title in client.get(f"{home}players/{one}/").content.decode()
    pair = client.get(f"{home}pair/?one={one}&other={other}").content.decode()
    assert f"{title} – Ada (Tafelberg &lt;Go&gt;)" in pair
    for path in (f"players/{one}/", f"players/{one}/history.svg", f"pair/?one={one}&other={other}",
                 "print/cards/", "print/plates/", "print/month/?month=2026-05", "print/points/"):  # fmt: skip
        answer = client.get(home + path)
        assert answer.status_code == 200, path
        page = answer.content.decode().partition("<datalist")[0]
        assert f"({north.slug}:" not in page, path
        assert "桜 Go Club" in page or path == "print/plates/", path  # whose letters stand one below the other
    hits = client.get(f"{home}players/find.json?q=Ada").json()
    assert sorted((hit["name"], hit["shown"]) for hit in hits) == [
        ("Ada", "Ada (Tafelberg <Go>)"), ("Ada", "Ada (桜 Go Club)"),
    ]  # fmt: skip
    assert {hit["key"] for hit in hits} == {one, other}


def test_files_for_programs_keep_the_names_by_which_they_are_read_again(clubs: tuple[Club, Club, Club]) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    above, *_ = clubs
    client, state = signed_in(above, Role.OFFICER), state_of(above)
    ada = {key for key in state.active if state.people[key].name == "Ada"}
    games = list(csv.DictReader(b"".join(client.get(f"/{above.slug}/games.csv")).decode("utf-8-sig").splitlines()))
    assert {
        row["black_key"] for row in games if row["kind"] != "adjustment"
    } == ada  # both are called Ada, and stay two
    ladder = list(csv.DictReader(b"".join(client.get(f"/{above.slug}/ladder.csv")).decode("utf-8-sig").splitlines()))
    assert {row["player"] for row in ladder if row["player"].startswith("Ada")} == {state.labels[key] for key in ada}
    listed = client.get(f"/{above.slug}/ladder.json").json()["players"]
    assert ada <= {row["key"] for row in listed}


def test_papers_of_the_command_line_name_people_as_pages_do(
    clubs: tuple[Club, Club, Club], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("handan.cli.django.started", lambda *_: None)  # it is
    above, north, south = clubs
    out = tmp_path / "cards.html"
    output = run("print", "cards", "--club", above.slug, "--language", "ja", "-o", out)
    assert output.status == 0, output.err
    html = out.read_text(encoding="utf-8")
    assert "Ada (桜 Go Club)" in html
    assert "Ada (Tafelberg &lt;Go&gt;)" in html
    assert f"({north.slug}:" not in html
    assert f"({south.slug}:" not in html
    assert run("print", "cards", "--club", above.slug, "--player", "Ada (桜 Go Club)", "-o", out).status == 0
    html = out.read_text(encoding="utf-8")
    assert "Ada (桜 Go Club)" in html
    assert "Tafelberg" not in html
    refused = run("print", "cards", "--club", above.slug, "--player", "Ada", "-o", out).err
    assert (
        "fits Ada (Tafelberg <Go>), Ada (桜 Go Club)" in refused
        or "fits Ada (桜 Go Club), Ada (Tafelberg <Go>)" in refused
    )
