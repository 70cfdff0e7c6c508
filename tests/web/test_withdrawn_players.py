"""A player who was entered by mistake is taken out again, by who may, and comes back whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from handan.club import changes
from handan.errors import InputError
from handan.ledger import Event, Participant, Player, When
from tests.club.helpers import TODAY, Book
from tests.web.test_pages import registered, signed_in, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from handan.club.store.models import Club


@pytest.mark.parametrize("system", ["points", "egf"])
def test_undo_in_the_message_takes_a_new_player_out_of_every_list(make_club: Callable[..., Club], system: str) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club = make_club(system)
    secretary = signed_in(club, Role.SECRETARY)
    key, other = registered(secretary, club, "Adda Lin", "5k"), registered(secretary, club, "Ada Lin", "5k")
    page = secretary.get(f"/{club.slug}/players/{key}/").content.decode()  # the first of two messages
    entries = re.search(r'name="entries" value="([^"]+)"', page)
    assert entries
    first, last = map(int, entries[1].split("-"))
    assert last == first + 1  # the player and the rank on entry
    secretary.post(f"/{club.slug}/undo/", {"entries": f"{first}-{last}"})
    state = state_of(club)
    assert list(state.active) == [other]
    assert state.labels[other] == "Ada Lin"
    lists = ["", "players/", "players/find.json?q=add", "kiosk/", "print/", "who-is-who/", "ladder.json"]
    for path in lists:
        assert "Adda" not in secretary.get(f"/{club.slug}/{path}").content.decode(), path
    own = secretary.get(f"/{club.slug}/players/{key}/")
    assert "entered by mistake" in text(own)
    paths = ["next/", "history.svg", "card.csv", "card.json", "own/", "edit/", "adjust/", "restore/", "withdraw/"]
    for path in paths:
        assert secretary.get(f"/{club.slug}/players/{key}/{path}").status_code < 500, path
    for path in (f"terms/?one={key}&other={other}", f"pair/?one={key}&other={other}", f"games/enter/?one={key}"):
        assert secretary.get(f"/{club.slug}/{path}").status_code < 500, path
    game = {"black": key, "white": other, "result": "B+R", "date": "2026-05-01", "kind": "club", "size": "19"}
    assert "withdrawn" in text(secretary.post(f"/{club.slug}/games/new/", {**game, "handicap": "0", "save": "1"}))
    answer = secretary.post(f"/{club.slug}/players/{key}/restore/", {"reason": "no mistake"}, follow=True)
    assert "entered by mistake" not in text(answer).replace("Entered", "")
    assert state_of(club).active.keys() == {key, other}


def test_only_secretaries_take_players_out(make_club: Callable[..., Club]) -> None:
    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club = make_club()
    secretary = signed_in(club, Role.SECRETARY)
    key, linked = registered(secretary, club, "Bo", "5k"), registered(secretary, club, "Cy", "5k")
    path = f"/{club.slug}/players/{key}/withdraw/"
    for role in Role:
        client = signed_in(club, role)
        allowed = role >= Role.SECRETARY
        page = client.get(f"/{club.slug}/players/{key}/").content.decode()
        assert (path in page) == allowed, role
        before = state_of(club).number
        assert client.post(path, {"reason": "a slip"}).status_code == (302 if allowed else 403), role
        assert (key in state_of(club).gone) == allowed
        if allowed:
            client.post(path.replace("withdraw", "restore"), {"reason": ""})
            assert state_of(club).number == before + 2
    set_member(club, new_account(f"own-{uuid4().hex[:12]}", "a long enough phrase"), Role.PLAYER, linked, author="x")
    answer: Any = secretary.post(f"/{club.slug}/players/{linked}/withdraw/", {"reason": ""})
    assert "has an account as this player" in text(answer)
    assert linked in state_of(club).active


def test_who_has_games_stays_and_a_game_with_who_is_gone_is_refused() -> None:
    book = Book()
    ada, bo, cy = (book.player(name, "5k") for name in ("Ada", "Bo", "Cy"))
    game = book.game(ada, bo)
    with pytest.raises(InputError, match="played game"):
        changes.players.withdraw_player(book.state, ada)
    book.add(changes.games.withdraw_game(book.state, game))
    book.add(changes.players.withdraw_player(book.state, ada))
    cup = Event("Cup", When.of("2026-05-02"), participants=(Participant(Player(cy), "5k"),))
    event = book.add(changes.events.enter_event(book.state, cup, TODAY)).subject
    with pytest.raises(InputError, match=f"takes part in event {event}"):
        changes.players.withdraw_player(book.state, cy)
    book.add(changes.events.withdraw_event(book.state, event))
    book.add(changes.players.withdraw_player(book.state, cy))
    assert list(book.state.active) == [bo]
    assert [item.player for item in book.state.ledger.adjustments] == ["Bo"]
    refusals: list[Callable[[], Any]] = [
        lambda: changes.games.restore_game(book.state, game),
        lambda: changes.games.record_game(book.state, {"black": bo, "white": cy, "result": "B+"}, TODAY),
        lambda: changes.players.change_player(book.state, cy, {"name": "Cyd"}),
        lambda: changes.players.withdraw_player(book.state, cy),
        lambda: changes.players.merge_players(book.state, cy, bo),
    ]
    for refused in refusals:
        with pytest.raises(InputError, match="withdrawn"):
            refused()
    book.add(changes.players.restore_player(book.state, ada))
    book.add(changes.games.restore_game(book.state, game))
    assert book.state.games["status"].to_list() == [0]


def test_a_federation_keeps_whom_it_has_games_of() -> None:
    from handan.club.federation import federated
    from handan.club.standings import standings

    club, federation = Book("lake"), Book("federation")
    ada, bo, cy = (club.player(name, "5k") for name in ("Ada", "Bo", "Cy"))
    federation.state = federated("federation", [(1, club.state)], [])
    federation.game(f"lake.{ada}", f"lake.{bo}")
    for key in (ada, cy):
        club.add(changes.players.withdraw_player(club.state, key))
    state = federated("federation", [(1, club.state)], federation.records)
    assert set(state.active) == {f"lake.{ada}", f"lake.{bo}"}
    assert {row["key"] for row in standings(state, TODAY).rows} >= {f"lake.{ada}", f"lake.{bo}"}


def test_nobody_becomes_a_member_as_a_player_who_is_gone(make_club: Callable[..., Club]) -> None:
    from handan.club.store.access import Actor
    from handan.club.store.members import accept, invite, new_account, open_invitations, set_member, take_back
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club = make_club()
    secretary = signed_in(club, Role.SECRETARY)
    key = registered(secretary, club, "Wanda Will", "5k")
    administrator = Actor(club, Role.ADMINISTRATOR)
    secret = invite(administrator, Role.PLAYER, key)
    path = f"/{club.slug}/players/{key}/withdraw/"
    refused: Any = secretary.post(path, {"reason": ""})
    assert "take the invitation back first" in text(refused)
    assert key in state_of(club).active
    take_back(administrator, open_invitations(club)[0].pk)
    secretary.post(path, {"reason": ""})
    assert key in state_of(club).gone
    refused = secretary.get(path)
    assert f'<a href="/{club.slug}/players/{key}/">Back</a>' in refused.content.decode()
    with pytest.raises(InputError, match="was used, is too old"):
        accept(secret, new_account(f"own-{uuid4().hex[:12]}", "a long enough phrase"))
    with pytest.raises(InputError, match="bring Wanda Will back first"):
        set_member(club, new_account(f"own-{uuid4().hex[:12]}", "a long enough phrase"), Role.PLAYER, key, author="x")


def test_who_was_forgotten_does_not_come_back(make_club: Callable[..., Club]) -> None:
    from handan.club.store.forgetting import forget
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club = make_club()
    secretary = signed_in(club, Role.SECRETARY)
    key = registered(secretary, club, "Wanda Will", "5k")
    secretary.post(f"/{club.slug}/players/{key}/withdraw/", {"reason": "Wanda is no member"})
    forget(club, key)
    page = secretary.post(f"/{club.slug}/players/{key}/restore/", {"reason": ""}, follow=True)
    assert "was forgotten; who comes back is registered anew" in text(page)
    assert key in state_of(club).gone
    assert "Wanda" not in text(secretary.get(f"/{club.slug}/log/"))
