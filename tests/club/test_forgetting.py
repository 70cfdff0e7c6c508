"""Forgetting people: what verifies afterwards, what a federation still knows, and whose words go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from handan.club import changes
from handan.errors import InputError

if TYPE_CHECKING:
    from handan.club.models import Club

MakeClub = Callable[..., "Club"]
DAY = "2026-05-01"


def add(club: Club, make: Any, **by: Any) -> str:
    from handan.club.writing import write

    return write(club, make, **{"author": "keeper", **by})[0].subject


def player(club: Club, name: str, rank: str = "", **more: Any) -> str:
    from handan.club.reading import today

    key = add(club, lambda state: changes.register_player(state, {"name": name, **more}))
    if rank:
        add(club, lambda state: changes.adjust(state, key, {"rank": rank}, today()))
    return key


def game(club: Club, black: str, white: str, result: str = "B+", day: str = DAY, **more: Any) -> str:
    from handan.club.reading import today

    facts = {"black": black, "white": white, "result": result, "date": day, **more}
    return add(club, lambda state: changes.record_game(state, facts, today()))


def publish(club: Club) -> None:
    from handan.club import lists
    from handan.club.reading import today

    add(club, lambda state: lists.publish(state, today()))


def figures(club: Club) -> list[dict[str, Any]]:
    """Return the ladder without names."""
    from handan.club.reading import standings_of, state_of

    rows = standings_of(state_of(club)).rows
    return [{name: value for name, value in row.items() if name not in {"player", "name"}} for row in rows]


@contextmanager
def torn(club: Club, number: int) -> Iterator[None]:
    """Take the texts of an entry out of the database, behind the program's back, for a while."""
    from handan.club.models import PersonalText

    row = PersonalText.objects.get(entry__club=club, entry__number=number)
    entry, texts = row.entry, row.texts
    row.delete()
    yield
    PersonalText.objects.create(entry=entry, texts=texts)


def test_a_text_that_is_gone_though_nobody_was_forgotten_is_named(make_club: MakeClub) -> None:
    from handan.club.copying import replayed
    from handan.club.reading import records
    from handan.club.writing import import_records, verify

    club = make_club()
    one, other = player(club, "Ada Lindqvist"), player(club, "Bo")
    game(club, one, other, notes="Ada was late")
    add(club, lambda state: changes.change_player(state, other, {"country": "SE"}, "Ada Lindqvist asked for it"))
    again = type(club).objects.create(slug=f"{club.slug}-again", name="Again")
    with torn(club, 5):
        with pytest.raises(InputError, match="entry 5: its author, person, reason"):
            verify(club)
        with pytest.raises(InputError, match="entry 5"):
            replayed("default")
        with pytest.raises(InputError, match="entry 5"):
            import_records(again, records(club))
    assert verify(club) == 5


def test_only_what_tells_of_the_forgotten_may_be_gone(make_club: MakeClub) -> None:
    from handan.club.forgetting import forget
    from handan.club.writing import verify

    club = make_club()
    one, other = player(club, "Ada Lindqvist"), player(club, "Bo")
    game(club, one, other, notes="Ada was late")
    add(club, lambda state: changes.change_player(state, other, {"country": "SE"}, "Ada Lindqvist asked for it"))
    forget(club, one)
    assert verify(club) == 6
    with torn(club, 3), pytest.raises(InputError, match="entry 3: its author, person"):
        verify(club)


@pytest.fixture
def federation(make_club: MakeClub) -> dict[str, Any]:
    """A federation of two clubs, of which one person plays in both under one number of a register."""
    above = make_club("egf")
    north, south = (make_club("egf", federation=above) for _ in range(2))
    here, there = (player(club, "Zwölfgang Überwald", "3d", ids=["egd:99887766", "aga:5"]) for club in (north, south))
    others = [player(club, name, "1d") for club, name in ((north, "Ada"), (south, "Bo"))]
    for number in range(4):
        game(north, here, others[0], day=f"2026-05-0{number + 1}")
        game(south, others[1], there, day=f"2026-05-0{number + 5}")
    publish(above)
    return {"above": above, "north": north, "south": south, "here": here, "there": there}


@pytest.mark.parametrize("order", [("north",), ("south",), ("north", "south"), ("south", "north")])
def test_who_is_one_person_by_a_number_stays_one_in_the_federation(
    federation: dict[str, Any], order: tuple[str, ...]
) -> None:
    from handan.club.forgetting import forget
    from handan.club.lists import verify_list
    from handan.club.reading import records, standings_of, state_at, state_of
    from handan.club.writing import verify

    above = federation["above"]
    before, listed = figures(above), state_of(above).lists
    frozen = _frozen(above)
    for name in order:
        forget(federation[name], federation["here" if name == "north" else "there"])
        assert len(state_of(above).active) == 3
        assert figures(above) == before
    publish(above)
    ledgers = {club.slug: list(records(club)) for club in (above, federation["north"], federation["south"])}
    for published in (frozen, _frozen(above)):
        verify_list(published, ledgers)
    assert verify(above) == len(ledgers[above.slug])
    assert len(state_of(above).lists) == len(listed) + 1
    names = {row["player"] for row in standings_of(state_of(above)).rows}
    assert names == {"Ada", "Bo", "a former member"}
    assert "Zwölfgang" not in str(list(state_at(above, 2).people.values()))
    assert "99887766" not in str([record.facts for record in ledgers[above.slug]])


def _frozen(club: Club) -> bytes:
    from handan.club.lists import listed_bytes
    from handan.club.reading import records

    return listed_bytes(
        next(record.facts["content"] for record in reversed(list(records(club))) if "content" in record.facts)
    )


def test_who_is_forgotten_is_told_where_else_the_name_stands(federation: dict[str, Any]) -> None:
    from handan.club.forgetting import plan

    north, south = federation["north"], federation["south"]
    game(north, federation["here"], "p4", day="2026-06-01", event="Überwald Cup")
    left = plan(north, federation["here"]).left
    assert left == ("event Überwald Cup", f"player p2 of the club {south.slug}, which forgets for itself")
