"""Forgetting people: what verifies afterwards, what a federation still knows, and whose words go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from handan.club import changes
from handan.club.mentions import LABELS, WRITTEN
from handan.club.state import GAME_FACTS
from handan.errors import InputError
from handan.ledger.facts import READERS

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.database

MakeClub = Callable[..., "Club"]
DAY = "2026-05-01"


def add(club: Club, make: Any, **by: Any) -> str:
    from handan.club.store.writing import write

    return write(club, make, **{"author": "keeper", **by})[0].subject


def player(club: Club, name: str, rank: str = "", **more: Any) -> str:
    from handan.club.store.clock import today

    key = add(club, lambda state: changes.players.register_player(state, {"name": name, **more}))
    if rank:
        add(club, lambda state: changes.players.adjust(state, key, {"rank": rank}, today()))
    return key


def game(club: Club, black: str, white: str, result: str = "B+", day: str = DAY, **more: Any) -> str:
    from handan.club.store.clock import today

    facts = {"black": black, "white": white, "result": result, "date": day, **more}
    return add(club, lambda state: changes.games.record_game(state, facts, today()))


def publish(club: Club) -> None:
    from handan.club import lists
    from handan.club.store.clock import today

    add(club, lambda state: lists.publish(state, today()))


def figures(club: Club) -> list[dict[str, Any]]:
    """Return the ladder without names."""
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of

    rows = standings_of(state_of(club)).rows
    return [{name: value for name, value in row.items() if name not in {"player", "name"}} for row in rows]


@contextmanager
def torn(club: Club, number: int) -> Iterator[None]:
    """Take the texts of an entry out of the database, behind the program's back, for a while."""
    from handan.club.store.models import PersonalText

    row = PersonalText.objects.get(entry__club=club, entry__number=number)
    entry, texts = row.entry, row.texts
    row.delete()
    yield
    PersonalText.objects.create(entry=entry, texts=texts)


def test_a_text_that_is_gone_though_nobody_was_forgotten_is_named(make_club: MakeClub) -> None:
    from handan.club.store.copying import check_club
    from handan.club.store.facts import records
    from handan.club.store.writing import verify
    from tests.club.helpers import import_records

    club = make_club()
    one, other = player(club, "Ada Lindqvist"), player(club, "Bo")
    game(club, one, other, notes="Ada was late")
    add(
        club, lambda state: changes.players.change_player(state, other, {"country": "SE"}, "Ada Lindqvist asked for it")
    )
    again = type(club).objects.create(slug=f"{club.slug}-again", name="Again")
    with torn(club, 5):
        with pytest.raises(InputError, match="entry 5: its author, person, reason"):
            verify(club)
        with pytest.raises(InputError, match="entry 5"):
            check_club(club)
        with pytest.raises(InputError, match="entry 5"):
            import_records(again, records(club))
    assert verify(club) == 5


def test_only_what_tells_of_the_forgotten_may_be_gone(make_club: MakeClub) -> None:
    from handan.club.store.forgetting import forget
    from handan.club.store.writing import verify

    club = make_club()
    one, other = player(club, "Ada Lindqvist"), player(club, "Bo")
    game(club, one, other, notes="Ada was late")
    add(
        club, lambda state: changes.players.change_player(state, other, {"country": "SE"}, "Ada Lindqvist asked for it")
    )
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


@pytest.mark.parametrize(
    "order",
    [
        ("north", "south"),
        *(pytest.param(order, marks=pytest.mark.extended) for order in [("north",), ("south",), ("south", "north")]),
    ],
)
def test_who_is_one_person_by_a_number_stays_one_in_the_federation(
    federation: dict[str, Any], order: tuple[str, ...]
) -> None:
    from handan.club.lists import verify_list
    from handan.club.store.facts import records
    from handan.club.store.forgetting import forget
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_at, state_of
    from handan.club.store.writing import verify

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
    from handan.club.store.facts import records

    return listed_bytes(
        next(record.facts["content"] for record in reversed(list(records(club))) if "content" in record.facts)
    )


def test_who_is_forgotten_is_told_where_else_the_name_stands(federation: dict[str, Any]) -> None:
    from handan.club.store.forgetting import plan

    north, south = federation["north"], federation["south"]
    game(north, federation["here"], "p4", day="2026-06-01", event="Überwald Cup")
    left = plan(north, federation["here"]).left
    assert left == ("event Überwald Cup", f"player p2 of the club {south.slug}, which forgets for itself")


@pytest.mark.parametrize(
    ("name", "goes", "stays"),
    [
        ("Ann Li", "Ann's clock", "Annette likes planning"),
        ("Jo", "jo: late", "a major joke"),
        ("Zwölfgang Überwald", "UBERWALDS Stein", "zwölf Gänge im Wald"),
        ("Weiß", "WEISS passte", "weis und weise"),
        ("İnci Ağa", "inci aga geldi", "incident of agatha"),
        ("㍿ Igo", "株式会社 came", "a game of Igorrote"),
        ("Jose\u0301", "Jos\u00e9 resigned", "a joss stick"),
        ("山田", "山田さん", "山の田んぼ"),
        ("Иван Петров", "ПЕТРОВ опоздал", "петр"),
        ("Django Reinhardt", "django", "the league"),
    ],
)
def test_a_word_goes_if_it_names_somebody_and_stays_if_it_only_looks_like_it(
    make_club: MakeClub, name: str, goes: str, stays: str
) -> None:
    from handan.club.store.forgetting import forget
    from handan.club.store.states import state_of
    from handan.club.store.writing import verify

    club = make_club()
    one, other, third = player(club, name), player(club, "Ida"), player(club, "Annette")
    game(club, one, other)
    for text, day in ((goes, "02"), (stays, "03")):
        game(club, other, third, day=f"2026-05-{day}", notes=text)
    forget(club, one)
    notes = set(state_of(club).games["notes"]) - {None, ""}
    assert notes == {stays}
    assert {person.name for person in state_of(club).people.values()} == {"a former member", "Ida", "Annette"}
    assert verify(club) == 8


def account(club: Club, name: str, role: int, player: str = "") -> Any:
    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role

    user = new_account(f"{name}-{club.slug}", "a long enough phrase")
    user.email = "somebody@example.org"
    user.save()
    set_member(club, user, Role(role), player, author="keeper")
    return user


def test_the_last_administrator_is_forgotten_once_there_is_another_one(club: Club) -> None:
    from handan.club.store.access import actor
    from handan.club.store.forgetting import forget

    one = player(club, "Ada Lindqvist")
    user = account(club, "lindqvist", 5, one)
    with pytest.raises(InputError, match="administrator"):
        forget(club, one, by=actor(club, user))
    account(club, "other", 5)
    forget(club, one, by=actor(club, user))
    assert not type(user).objects.filter(pk=user.pk).exists()


def test_a_secretary_ends_no_account_that_may_do_something_elsewhere(make_club: MakeClub) -> None:
    from handan.club.service.people import own_data
    from handan.club.store.access import actor
    from handan.club.store.forgetting import forget
    from handan.club.store.members import new_token, set_member
    from handan.club.store.models import Membership, Role, Scope

    club, elsewhere = make_club(), make_club()
    one = player(club, "Ada Lindqvist")
    user, secretary = account(elsewhere, "lindqvist", 1), account(club, "secretary", 3)
    new_token(user, "mine", Scope.READ)
    set_member(club, user, Role.PLAYER, one, author="keeper")
    accounts = own_data(club, one, actor(club, secretary))["accounts"]
    assert accounts == [{"name": user.username, "role": "player"}]
    assert own_data(club, one, actor(club, user))["accounts"][0]["email"] == "somebody@example.org"
    forget(club, one, by=actor(club, secretary))
    user.refresh_from_db()
    assert (user.email, user.access_tokens.count()) == ("somebody@example.org", 1)
    assert [item.club for item in Membership.objects.filter(user=user)] == [elsewhere]


def test_forgetting_signs_nobody_else_out(club: Club) -> None:
    from django.contrib.sessions.models import Session
    from django.test import Client

    from handan.club.store.forgetting import forget

    one = player(club, "Django Auth")
    client = Client()
    client.force_login(account(club, "somebody", 1))
    forget(club, one)
    assert Session.objects.filter(pk=client.session.session_key).exists()


def test_what_is_shown_to_visitors_is_nobody_elses_name_and_can_be_seen(club: Club) -> None:
    from handan.club.store.access import hidden, set_shown
    from handan.club.store.states import state_of

    one, other, twice = player(club, "Ada"), player(club, "Bo Lind"), player(club, "Adah")
    for name in ("BO LIND", "\u200b", "x\u202egnp", "a former member"):
        with pytest.raises(InputError):
            set_shown(club, one, name)
    set_shown(club, twice, "")
    add(club, lambda state: changes.players.merge_players(state, twice, one))
    set_shown(club, one, None)
    assert not hidden(club, state_of(club)).names
    set_shown(club, other, "Ada's friend")


def test_visitors_do_not_read_an_earlier_name_in_notes_either(club: Club) -> None:
    from django.test import Client

    from handan.club.store.access import set_shown

    one, other = player(club, "Ada Lindqvist"), player(club, "Bo")
    key = game(club, one, other, notes="Lindqvist was late")
    add(club, lambda state: changes.players.change_player(state, one, {"name": "Ada Berg"}, "married"))
    set_shown(club, one, "")
    for path in (f"games/{key}/", "games.json", "log.json"):
        assert b"Lindqvist" not in b"".join(Client().get(f"/{club.slug}/{path}"))


def test_the_federations_ledger_of_before_is_imported_without_the_forgotten(federation: dict[str, Any]) -> None:
    from handan.club.store.copying import check_club
    from handan.club.store.facts import records
    from handan.club.store.forgetting import apply_erasures, erasures, forget
    from handan.club.store.writing import verify
    from tests.club.helpers import import_records

    above, north = federation["above"], federation["north"]
    before = list(records(above))
    forget(north, federation["here"])
    gone = [item for item in erasures() if item["club"] == above.slug]
    again = type(above).objects.create(slug=f"{above.slug}-again", name="Again")
    import_records(again, before)
    assert "Zwölfgang" in str([record.facts for record in records(again)])
    assert apply_erasures({**item, "club": again.slug} for item in gone) == 1
    assert "Zwölfgang" not in str([record.facts for record in records(again)])
    assert verify(again) == len(before) + 1
    again.refresh_from_db()
    assert check_club(again)[0] == len(before) + 1  # with its list, though no club stands under it
    assert apply_erasures(erasures()) == 0  # everybody here is forgotten already, once


def test_the_rows_that_may_mention_are_all_that_tell_and_few_others(club: Club) -> None:
    """The slow twin reads every row."""
    from handan.club.mentions import Mentions
    from handan.club.store.forgetting import rows_that_may_mention
    from handan.club.store.models import PersonalText

    names = ("Bo Li", 'Al "Ace" Oe', "山田 春子", "Łucja", "Back\\slash")
    keys = [player(club, name, "5k") for name in names]
    noted = [*names, "with bo\nli, late", "山田春子 won", "lucja's clock", 'al "ace"\toe', "AL OE", "boli", "nobody"]
    for place, note in enumerate(noted):
        game(club, keys[0], keys[1], day=f"2026-04-{place + 1:02d}", notes=note)
    for place in range(28):
        game(club, keys[2], keys[3], day=f"2026-03-{place + 1:02d}")
    publish(club)
    rows = list(PersonalText.objects.filter(entry__club=club).select_related("entry"))
    for key, name in zip(keys, names, strict=True):
        mentions = Mentions(frozenset({key}), frozenset(), frozenset({name}))
        expected = {
            row.pk
            for row in rows
            if mentions.places(row.entry, {place: text for place, (_, text) in row.texts.items()})
        }
        gone_through = [row.pk for row in rows_that_may_mention(club, mentions)]
        assert expected <= set(gone_through)
        assert len(set(gone_through)) == len(gone_through) < len(rows) - 28


def test_every_text_of_a_game_that_may_hold_a_name_is_looked_at_when_somebody_is_forgotten() -> None:
    def holds_a_name(fact: str) -> bool:
        try:
            return str(READERS[fact]("Kagiso Molefe")).casefold() == "kagiso molefe"
        except InputError:
            return False

    texts = {fact for fact in GAME_FACTS if holds_a_name(fact)} - {"black", "white"}  # these are keys of players
    assert texts == {*LABELS, "notes"}
    assert "notes" in WRITTEN
