"""The record sheet finds the players of a club by an index, and newcomers cost no look at everybody."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

from handan.ledger.name_folding import folded

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

NUMBERS = count(1)


@pytest.fixture
def keeper(club: Club) -> Client:
    from django.test import Client

    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role

    user = new_account(f"names-{next(NUMBERS)}", "a long enough phrase")
    set_member(club, user, Role.KEEPER, author="x")
    client = Client()
    client.force_login(user)
    return client


def test_a_name_is_folded_once_however_many_newcomers_there_are(
    keeper: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club import changes
    from handan.club import people as players
    from handan.club import state as states
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    members, newcomers = 150, 100
    people = [{"name": f"Member {n}", "ids": [f"x:{n}"]} for n in range(members)]
    write(club, lambda s: [changes.players.register_player(s, person) for person in people], author="x")
    calls: Counter[str] = Counter()

    def counted(name: str, plain: Callable[[str], str] = folded) -> str:
        calls["folded"] += 1
        return plain(name)

    for module in (states, players):
        monkeypatch.setattr(module, "folded", counted)
    lines = [f"Newcomer {n},member {n},B+" for n in range(newcomers)]
    form = {"text": "\n".join(lines), "date": "2026-05-01", "save": "1", "newcomers": "on"}
    assert keeper.post(f"/{club.slug}/games/sheet/", form).status_code == 302
    state = state_of(club)
    assert (len(state.active), state.games.height) == (members + newcomers, newcomers)
    assert 0 < calls["folded"] <= 12 * (members + newcomers)  # not their product


def test_a_player_is_found_by_number_name_reading_and_spelling(keeper: Client, club: Club) -> None:
    from handan.club import changes
    from handan.club.record_sheet import matching_key
    from handan.club.store.states import state_of
    from handan.club.store.writing import write
    from handan.ledger import Player

    people: tuple[dict[str, Any], ...] = (
        {"name": "Ada Lind", "ids": ["egd:1"]}, {"name": "山田", "reading": "Yamada Haruko"}, {"name": "Kim"},
        {"name": "Kim", "ids": ["egd:2"]},
    )  # fmt: skip
    keys = [write(club, lambda s, p=p: changes.players.register_player(s, p), author="x")[0].subject for p in people]  # type: ignore[misc]
    state = state_of(club)
    for player, key in (
        (Player("Somebody", "egd:1"), keys[0]), (Player("Ada", f"{club.slug}:{keys[1]}"), keys[1]),
        (Player("ada lind"), keys[0]), (Player("yamada haruko"), keys[1]), (Player("Kim (egd:2)"), keys[3]),
        (Player("kim"), None), (Player("Nobody"), None),
    ):  # fmt: skip
        assert matching_key(state, player) == key, player


def test_a_sheet_sent_again_is_seen_as_twins(keeper: Client, club: Club) -> None:
    form = {"text": "Ada,Bo,B+\nAda,Bo,W+", "date": "2026-05-01"}
    assert keeper.post(f"/{club.slug}/games/sheet/", {**form, "save": "1", "newcomers": "on"}).status_code == 302
    again = keeper.post(f"/{club.slug}/games/sheet/", {**form, "text": "Ada,Bo,B+\nBo,Ada,B+\nAda,Bo,B+R"})
    page = again.content.decode()
    assert "Some look like games that stand in the ledger already" in page
    assert len(set(re.findall(r"games/(g\d+)/", page))) == 2  # one that each won, in whatever words


@pytest.mark.parametrize(
    "text", ["Ada,Bo,B+\nBo,Cy,W+,,,2026-05-02", "black;white;result;date\nAda;Bo;B+;\nBo;Cy;W+;2026-05-02"]
)
def test_the_date_of_the_form_is_that_of_every_line_without_one(keeper: Client, club: Club, text: str) -> None:
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of

    form = {"text": text, "date": "2026-05-03", "save": "1", "newcomers": "on"}
    assert keeper.post(f"/{club.slug}/games/sheet/", form).status_code == 302
    state = state_of(club)
    assert sorted(str(day) for day in state.games["date"].dt.date()) == ["2026-05-02", "2026-05-03"]
    assert all(row["games"] for row in standings_of(state).rows)


def test_a_name_without_its_blank_or_the_other_way_round_is_no_newcomer(keeper: Client, club: Club) -> None:
    from handan.club import changes
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    for name, reading in (("鈴木 一郎", "Suzuki Ichiro"), ("Bo Lind", ""), ("Ann Li", ""), ("Anna Li", "")):
        person = {"name": name, "reading": reading}
        write(club, lambda s, p=person: changes.players.register_player(s, p), author="x")  # type: ignore[misc]
    form = {
        "text": "鈴木一郎,Lind Bo,B+\nichiro suzuki,An Nali,W+",
        "date": "2026-05-01",
        "save": "1",
        "newcomers": "on",
    }
    assert keeper.post(f"/{club.slug}/games/sheet/", form).status_code == 302
    names = [person.name for person in state_of(club).people.values()]
    assert names == ["鈴木 一郎", "Bo Lind", "Ann Li", "Anna Li", "An Nali"]


MISTYPED = {
    "Emma Furie": "Emma Fourie", "Tandi Mokena": "Thandi Mokoena", "Piter": "Pieter van Wyk", "E. Furie": "Emma Fourie",
    "Fourie Ema": "Emma Fourie", "Thandimokena": "Thandi Mokoena", "王晓明": "王小明", "佐藤建": "佐藤 健",
    "さどうけん": "佐藤 健", "김민우": "김민수",
}  # fmt: skip
NEW = ("Ada", "Bob", "Zoltan Q", "Hanna Botha", "Zara van Zyl", "陈明", "Nobody at all")


def proposed(keeper: Client, club: Club, name: str) -> list[str]:
    """Return whom a sheet proposes for a name."""
    from handan.club import changes
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    if not state_of(club).people:
        names = ("Thandi Mokoena", "Johan Botha", "Pieter van Wyk", "Emma Fourie", "王小明", "김민수")
        people = [*({"name": name} for name in names), {"name": "佐藤 健", "reading": "Satō Ken"}]
        write(club, lambda s: [changes.players.register_player(s, person) for person in people], author="x")
    form = {"grid": "lines", "of-date": "2026-05-01", "black": [name], "white": ["Johan Botha"], "result": ["B+"]}
    page = keeper.post(f"/{club.slug}/games/sheet/", form).content.decode()
    assert f"Register {name} as new" in page
    return re.findall(r">It is ([^<]*)<", page)


@pytest.mark.parametrize(("typed", "name"), MISTYPED.items())
def test_a_mistyped_name_is_asked_about_with_its_bearer_alone(
    keeper: Client, club: Club, typed: str, name: str
) -> None:  # fmt: skip
    assert proposed(keeper, club, typed) == [name]


@pytest.mark.parametrize("name", NEW)
def test_a_new_name_proposes_nobody_who_is_written_otherwise(keeper: Client, club: Club, name: str) -> None:
    assert proposed(keeper, club, name) == []
