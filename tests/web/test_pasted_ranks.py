"""A rank that is pasted with a name is offered where the name is new, and registers nobody by itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.web.test_entering import client_of
from tests.web.test_sheet_grid import fields_of, look, press, statuses

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

PASTED = {
    "behind names": "Zoe 3k\tYan 2k\tB+\nXu (5k)\tZoe 3k\tW+\n",
    "in pairs": "Black – White\tresult\nZoe 3k – Yan 2k\tB+R\nXu 5k – Zoe 3k\tW+\n",
    "in columns": "black\tblack rank\twhite\twhite rank\tresult\nZoe\t3 kyu\tYan\t2k\tB+\nXu\t5k\tZoe\t3k\tW+\n",
    "of winners": "winner\tloser\tcolour\nZoe 3k\tYan 2k\tblack\nZoe 3k\tXu 5k\twhite\n",
}


@pytest.fixture
def keeper(club: Club) -> Client:
    from handan.club.store.models import Role

    return client_of(club, Role.KEEPER)


@pytest.fixture
def club(make_club: Callable[..., Club]) -> Club:
    return make_club("points")


def pasted(keeper: Client, club: Club, text: str) -> str:
    form = {"grid": "lines", "of-date": "2026-05-01", "pasted": text}
    return keeper.post(f"/{club.slug}/games/sheet/", form).content.decode()


def offered(page: str) -> dict[str, str]:
    """Return the ranks that stand in the questions of a sheet, by their places."""
    return dict(re.findall(r'name="rank-([^"]*)" value="([^"]*)"', page))


@pytest.mark.parametrize("text", PASTED.values(), ids=PASTED)
def test_the_rank_behind_a_pasted_name_stands_in_its_question(keeper: Client, club: Club, text: str) -> None:
    from handan.club.store.states import state_of

    page = pasted(keeper, club, text)
    assert offered(page) == {"1-black": "3k", "1-white": "2k", "2-black": "5k", "2-white": "3k"}
    assert statuses(page)[:2] == ["question", "question"]
    page = press(keeper, club, page, more="1").content.decode()  # another button registers nobody
    assert statuses(page)[:2] == ["question", "question"]
    assert not state_of(club).people
    for place, rank in (("1-black", "3k"), ("1-white", "2k"), ("2-black", "5k")):
        page = press(keeper, club, page, new=place).content.decode()
        assert f", {rank}" in page
    assert statuses(page)[:2] == ["ready", "ready"]
    press(keeper, club, page, save="1")
    state = state_of(club)
    entry = {state.people[item.player].name: item.facts["rank"] for item in state.adjustments.values()}
    assert entry == {"Zoe": "3k", "Yan": "2k", "Xu": "5k"}


def test_what_somebody_writes_over_the_offer_counts(keeper: Client, club: Club) -> None:
    page = pasted(keeper, club, PASTED["behind names"])
    assert fields_of(page)["rank-1-black"] == ["3k"]
    page = press(keeper, club, page, new="1-black", **{"rank-1-black": "1d"}).content.decode()
    assert ", 1d" in page
    assert offered(page) == {"1-white": "2k", "2-black": "5k"}
    page = press(keeper, club, page, new="1-white", **{"rank-1-white": ""}).content.decode()
    assert re.search(r"Yan is new\s*<", page)


@pytest.mark.parametrize(("language", "rank"), [("ja", "3級"), ("ko", "3급"), ("fr", "3K")])
def test_the_offer_is_a_rank_as_the_language_writes_it(keeper: Client, club: Club, language: str, rank: str) -> None:
    keeper.cookies["language"] = language
    page = pasted(keeper, club, PASTED["behind names"])
    assert offered(page)["1-black"] == rank
    assert statuses(press(keeper, club, page, more="1").content.decode())[:2] == ["question", "question"]
    page = press(keeper, club, page, new="1-black").content.decode()
    assert set(offered(page)) == {"1-white", "2-black"}


def test_ranks_stay_with_the_lines_that_wait(keeper: Client, club: Club) -> None:
    page = pasted(keeper, club, PASTED["behind names"])
    for place in ("1-black", "1-white"):
        page = press(keeper, club, page, new=place).content.decode()
    press(keeper, club, page, save="1")
    assert offered(keeper.get(f"/{club.slug}/games/sheet/").content.decode()) == {"1-black": "5k"}


def register(club: Club, *names: str) -> dict[str, str]:
    """Register people without ranks; their keys by name."""
    from handan.club import changes
    from handan.club.store.writing import write

    entries = write(club, lambda s: [changes.players.register_player(s, {"name": name}) for name in names], author="x")
    return {name: entry.subject for name, entry in zip(names, entries, strict=True)}


def newcomers_offered(page: str) -> list[str]:
    return re.findall(r"Register ([^<]*) as new", page)


ONLY_NEWCOMERS_HAVE_RANKS = "Black\tWhite\tResult\nQuirin Vogel 5k\tLerato\tB+R\nJohan\tQuirin Vogel\tB+\n"


@pytest.mark.parametrize("by", ["pasted", "typed"])
def test_a_rank_behind_the_name_of_a_newcomer_is_none_of_the_name(keeper: Client, club: Club, by: str) -> None:
    from handan.club.store.states import state_of

    register(club, "Lerato Dube", "Johan Botha")
    if by == "pasted":
        page = pasted(keeper, club, ONLY_NEWCOMERS_HAVE_RANKS)
    else:
        page = look(keeper, club, [("Quirin Vogel 5k", "Lerato", "B+R"), ("Johan", "Quirin Vogel", "B+")])
    assert newcomers_offered(page) == ["Quirin Vogel"] * 2
    assert offered(page) == {"1-black": "5k"}
    page = press(keeper, club, page, new="1-black").content.decode()
    assert "Quirin Vogel is new, 5k" in page
    assert statuses(page)[:2] == ["ready", "ready"]
    press(keeper, club, page, save="1")
    state = state_of(club)
    assert [person.name for person in state.people.values()][2:] == ["Quirin Vogel"]
    assert [item.facts["rank"] for item in state.adjustments.values()] == ["5k"]


def test_a_member_with_a_rank_behind_the_name_is_asked_about_and_stays_one(keeper: Client, club: Club) -> None:
    keys = register(club, "Lerato Dube", "Johan Botha")
    page = look(keeper, club, [("Lerato Dube 5k", "Johan", "B+R"), ("Johan", "Lerato 5k", "B+")])
    assert page.count("It is Lerato Dube") == 2
    page = press(keeper, club, page, **{"is": f"{keys['Lerato Dube']} Lerato Dube"}).content.decode()
    assert statuses(page)[:2] == ["ready", "question"]  # another text of the same player
    page = press(keeper, club, page, **{"is": f"{keys['Lerato Dube']} Lerato"}).content.decode()
    assert statuses(page)[:2] == ["ready", "ready"]


TWO_PEOPLE = {
    "far apart": [("Zoe 3k", "Johan", "B+"), ("Zoe 9k", "Johan", "B+")], "met": [("Zoe 3k", "Zoe", "B+")],
}  # fmt: skip


@pytest.mark.parametrize("lines", TWO_PEOPLE.values(), ids=TWO_PEOPLE)
def test_two_people_of_one_name_keep_the_ranks_that_tell_them_apart(
    keeper: Client, club: Club, lines: list[tuple[str, str, str]]
) -> None:
    register(club, "Johan Botha")
    page = look(keeper, club, lines)
    assert newcomers_offered(page)[0] == "Zoe 3k"
    assert offered(page)["1-black"] == "3k"
    page = press(keeper, club, page, new="1-black").content.decode()
    assert "question" in statuses(page)  # the other one is asked about still


def test_a_newcomer_is_registered_once_though_other_lines_wait(keeper: Client, club: Club) -> None:
    from handan.club.store.states import state_of

    register(club, "Lerato Dube")
    page = look(keeper, club, [("Sasaki 5k", "Lerato", "B+"), ("Sasaki 5k", "Nobody", "B+")])
    page = press(keeper, club, page, new="1-black").content.decode()
    page = press(keeper, club, page, save="1").content.decode()
    page = press(keeper, club, page, new="1-white").content.decode()
    assert statuses(page)[0] == "ready"
    press(keeper, club, page, save="1")
    assert sorted(person.name for person in state_of(club).people.values()) == ["Lerato Dube", "Nobody", "Sasaki"]
