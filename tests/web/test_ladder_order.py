"""The ladder in other orders: by headings and by the filters, without scripts, on every page of it."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.forms import extended_but
from tests.web.test_pages import registered, signed_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from handan.club.store.models import Club

HEADING = re.compile(r"<th([^>]*)>\s*<a href=\"([^\"]*)\">([^<]*)")
NAMES = ["Berta", "Álvaro", "Çetin", "佐藤", "鈴木", "Dora", "Emil", "Zoë"]


@pytest.fixture
def club(make_club: Callable[..., Club]) -> Club:
    """A club of eight, of whom 佐藤 has the reading さとう and Zoë has not played; the last four played long ago."""
    from handan.club.store.clock import today
    from handan.club.store.models import Role

    club = make_club("egf")
    secretary = signed_in(club, Role.SECRETARY)
    keys = [registered(secretary, club, name, f"{2 * n + 1}k") for n, name in enumerate(NAMES)]
    days = [today() - timedelta(days=back) for back in (400, 300, 200, 20, 10, 9, 8, 7, 6)]
    seats = [(5, 6), (4, 5), (6, 5), (0, 1), (2, 1), (0, 2), (1, 3), (3, 0), (1, 0)]
    for number, ((black, white), day) in enumerate(zip(seats, days, strict=True)):
        facts = {"black": keys[black], "white": keys[white], "result": "W+" if number % 3 else "B+"}
        play(club, {**facts, "date": str(day), "kind": "club"})
    return club


def play(club: Club, facts: dict[str, str]) -> None:
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.writing import write

    write(club, lambda state: changes.games.record_game(state, facts, today()), author="x")


def ladder(client: Client, club: Club, query: str = "") -> list[str]:
    """Return the names of the ladder's page as a table, in its order."""
    page = client.get(f"/{club.slug}/{query}").content.decode()
    return re.findall(r'<td class="first">\s*<a [^>]*>([^<]*)</a>', page)


@pytest.fixture
def visitor(club: Club) -> Client:
    from handan.club.store.models import Role

    client = signed_in(club, Role.PLAYER)
    client.cookies["wall"] = "table"
    return client


def rows(client: Client, club: Club) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = client.get(f"/{club.slug}/ladder.json").json()["players"]
    return listed


def test_the_order_of_before_is_the_first(club: Club, visitor: Client) -> None:
    strongest = [row["player"] for row in rows(visitor, club)]
    assert ladder(visitor, club) == strongest
    assert ladder(visitor, club, "?sort=rank") == ladder(visitor, club, "?sort=rubbish") == strongest
    assert ladder(visitor, club, "?sort=-rank") == strongest[::-1]


def test_a_page_ignores_what_others_add_to_its_address_and_a_call_refuses_it(club: Club, visitor: Client) -> None:
    assert ladder(visitor, club, "?utm_source=mail") == ladder(visitor, club)
    assert visitor.get(f"/api/clubs/{club.slug}/ladder?utm_source=mail").status_code == 422


@pytest.mark.database
def test_it_is_sorted_by_each_of_its_figures_and_the_other_way_round(club: Club, visitor: Client) -> None:
    listed = rows(visitor, club)

    def by(figure: Callable[[dict[str, Any]], Any], *, turned: bool) -> list[str]:
        there = [row for row in listed if figure(row) is not None]
        missing = [row["player"] for row in listed if figure(row) is None]
        return [row["player"] for row in sorted(there, key=figure, reverse=turned)] + missing  # equals stay as they are

    for name in ("rating", "games", "last_played"):
        assert ladder(visitor, club, f"?sort={name}") == by(lambda row, name=name: row[name], turned=True)  # type: ignore[misc]
        assert ladder(visitor, club, f"?sort=-{name}") == by(lambda row, name=name: row[name], turned=False)  # type: ignore[misc]
    assert ladder(visitor, club, "?sort=-last_played")[-1] == "Zoë"  # who has none stands at the end both ways


@pytest.mark.database
def test_it_is_sorted_by_what_the_last_month_brought(club: Club, visitor: Client) -> None:
    from handan.club.store.clock import today

    earlier = today() - timedelta(days=30)
    then = visitor.get(f"/{club.slug}/ladder.json?as_of={earlier}").json()["players"]
    before = {row["key"]: row["rating"] for row in then}
    started = {"Berta", "Álvaro", "Çetin", "佐藤"}
    gained = [row["player"] for row in sorted(
        (row for row in rows(visitor, club) if row["player"] in started),
        key=lambda row: before.get(row["key"], row["rating"]) - row["rating"],
    )]  # fmt: skip
    shown = ladder(visitor, club, "?sort=change")
    assert shown[:4] == gained
    assert {*shown[4:]} == {*NAMES} - started  # who has not played


@pytest.mark.database
def test_names_stand_in_the_order_of_their_readings(club: Club, visitor: Client) -> None:
    from handan.club import changes
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    for name, reading in (("佐藤", "さとう"), ("鈴木", "すずき")):
        person = next(person for person in state_of(club).people.values() if person.name == name)
        facts = {**person.as_dict(), "reading": reading}
        change = partial(changes.players.change_player, key=person.key, fields=facts)
        write(club, change, author="x")
    assert ladder(visitor, club, "?sort=name") == [
        "Álvaro", "Berta", "Çetin", "Dora", "Emil", "Zoë", "佐藤", "鈴木"
    ]  # fmt: skip
    people = visitor.get(f"/{club.slug}/players/").content.decode()
    assert people.index("佐藤") < people.index("鈴木")


def test_headings_lead_to_the_orders_and_say_which_holds(club: Club, visitor: Client) -> None:
    page = visitor.get(f"/{club.slug}/?sort=games&games=1").content.decode()
    heads = {title.strip(): (marks, address) for marks, address, title in HEADING.findall(page)}
    assert heads["Games"] == (' class="n" aria-sort="descending"', "?sort=-games&amp;games=1")
    assert heads["Player"] == ("", "?sort=name&amp;games=1")
    assert heads["Rank"][1] == "?games=1"
    assert page.count("aria-sort") == 1
    assert '<option value="games" selected>' in page  # the filters keep it
    turned = visitor.get(f"/{club.slug}/?sort=-games").content.decode()
    assert 'aria-sort="ascending"' in turned
    assert '<option value="-games" selected>' in turned
    assert 'aria-sort="descending"' in visitor.get(f"/{club.slug}/").content.decode()
    assert 'aria-sort="ascending"' in visitor.get(f"/{club.slug}/?sort=name").content.decode()


@pytest.mark.database
def test_the_order_goes_on_over_the_pages_and_through_filters(
    club: Club, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("handan.web.pages.ladder.ROWS", 3)
    whole = ladder(visitor, club, "?sort=-games") + ladder(visitor, club, "?sort=-games&page=2")
    whole += ladder(visitor, club, "?sort=-games&page=3")
    assert sorted(whole) == sorted(NAMES)
    assert "?sort=-games&amp;page=2" in visitor.get(f"/{club.slug}/?sort=-games").content.decode()
    fewer = ladder(visitor, club, "?sort=-games&games=1") + ladder(visitor, club, "?sort=-games&games=1&page=2")
    assert fewer == [name for name in whole if name != "Zoë"][:6]


@pytest.mark.database
def test_games_under_earlier_rules_count_in_the_order_as_in_the_rows(club: Club, visitor: Client) -> None:
    from handan.club import changes
    from handan.club.rules import Rules
    from handan.club.store.clock import today
    from handan.club.store.writing import write

    rules = Rules("elo", since=today() - timedelta(days=15))
    write(club, lambda state: changes.office.set_rules(state, rules), author="x")
    listed = rows(visitor, club)
    expected = [row["player"] for row in sorted(listed, key=lambda row: -row["games"])]
    assert ladder(visitor, club, "?sort=games") == expected
    played = [row for row in listed if row["last_played"]]
    latest = [row["player"] for row in sorted(played, key=lambda row: row["last_played"], reverse=True)]
    assert ladder(visitor, club, "?sort=last_played")[: len(latest)] == latest


def test_only_the_rows_that_are_shown_are_made(club: Club, visitor: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from handan.club.store.list_ladder import Ladder

    made: list[str] = []
    rows_of = Ladder.rows_of

    def counted(self: Ladder, *given: Any, **named: Any) -> list[Any]:
        rows = rows_of(self, *given, **named)
        made.extend(row["key"] for row in rows)
        return rows

    monkeypatch.setattr(Ladder, "rows_of", counted)
    monkeypatch.setattr("handan.web.pages.ladder.ROWS", 3)
    ladder(visitor, club, "?sort=games")
    assert len(made) == 3


@pytest.mark.parametrize(
    "query", extended_but(["?with=elo&as_of=2199-01-01"], ["", "?with=elo&as_of=2199-01-01", "?games=1"])
)
def test_every_page_of_a_ladder_has_the_same_columns(
    club: Club, visitor: Client, monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    from handan.club.store.clock import today

    keys = {row["player"]: row["key"] for row in rows(visitor, club)}
    drawn = {"black": keys["Dora"], "white": keys["Emil"], "result": "0", "date": str(today()), "kind": "club"}
    assert "Jigo" not in visitor.get(f"/{club.slug}/{query}").content.decode()
    play(club, drawn)
    monkeypatch.setattr("handan.web.pages.ladder.ROWS", 3)
    join = "&" if query else "?"
    pages = [visitor.get(f"/{club.slug}/{query}{join}page={number}").content.decode() for number in (1, 2, 3)]
    headings = [re.findall(r"<th[^>]*>\s*(?:<a [^>]*>)?([^<]*)", page) for page in pages]
    assert "Jigo" in headings[0]
    assert headings[1:] == headings[:1] * 2
