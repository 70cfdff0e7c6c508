"""What a message says that an entry moved is what the ladder says, whatever was played since the game."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from tests.database import POSTGRESQL
from tests.forms import extended_but
from tests.web.test_entering import client_of, fill, moves_in, page, ratings_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from handan.club.store.models import Club

pytestmark = pytest.mark.database

SYSTEMS = ("points", "egf", "elo", "glicko2", "whr", "bradley-terry")


def game(club: Club, black: str, white: str, days_ago: int = 0) -> dict[str, str]:
    """Return the fields of a game that Black wins."""
    from handan.club.store.clock import today
    from handan.club.store.states import state_of

    return {"black": black, "white": white, "result": "B+R", "date": str(today() - timedelta(days=days_ago)),
            "kind": state_of(club).rules[-1].kinds[0], "handicap": "0", "komi": "6.5", "size": "19"}  # fmt: skip


def shown_moves(club: Club, keys: dict[str, str], before: dict[str, float]) -> dict[str, tuple[str, str]]:
    """Return from what to what the ladder moved each player, as it is written; of those alone who moved."""
    after = ratings_of(club, tuple(keys.values()))
    moved = {name: (before[key], after[key]) for name, key in keys.items()}
    written = {name: (f"{one:.1f}", f"{other:.1f}") for name, (one, other) in moved.items()}
    return {name: both for name, both in written.items() if both[0] != both[1]}


def written(moves: dict[str, tuple[float, float]]) -> dict[str, tuple[str, str]]:
    return {name: (f"{one:.1f}", f"{other:.1f}") for name, (one, other) in moves.items()}


@pytest.fixture(params=["points"] if POSTGRESQL else extended_but(["points", "egf"], SYSTEMS))
def played(request: pytest.FixtureRequest, make_club: Callable[..., Club]) -> tuple[Club, dict[str, str], Client]:
    """A club in which two have played today whom an older game is entered of then."""
    from handan.club.store.models import Role

    club = make_club(request.param)
    keys, keeper = fill(club), client_of(club, Role.KEEPER)
    names = list(keys)
    for one, other in ((1, 3), (3, 4), (1, 4), (0, 2)):
        fields = game(club, keys[names[one]], keys[names[other]])
        assert keeper.post(f"/{club.slug}/games/new/", fields, follow=True).redirect_chain
    return club, keys, keeper


def test_an_older_game_moves_as_the_ladder_says(played: tuple[Club, dict[str, str], Client]) -> None:
    club, keys, keeper = played
    names = list(keys)
    before = ratings_of(club, tuple(keys.values()))
    fields = game(club, keys[names[4]], keys[names[1]], days_ago=40)
    shown = html.unescape(keeper.post(f"/{club.slug}/games/new/", {**fields, "preview": "1"}).content.decode())
    saved = keeper.post(f"/{club.slug}/games/new/", fields, follow=True).content.decode()
    moved = shown_moves(club, keys, before)
    named = written(moves_in(saved))
    assert len(named) >= 2
    assert named.items() <= moved.items()
    assert list(named)[:2] in ([names[4], names[1]], [names[1], names[4]])
    more = re.search(r"… \(\+(\d+)\)", saved)
    assert len(named) + (int(more[1]) if more else 0) == len(moved)
    figures = {f"{float(number):.1f}" for number in re.findall(r"(?<![\d.])-?\d+(?:\.\d+)?", shown)}
    for name in (names[1], names[4]):  # the preview says it before
        assert {*moved[name]} <= figures, name
    now = ratings_of(club, tuple(keys.values()))
    undo = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', saved.partition("/undo/")[2]))
    undone = keeper.post(f"/{club.slug}/undo/", undo, follow=True).content.decode()
    assert written(moves_in(undone)) == shown_moves(club, keys, now)


def test_nobody_is_named_whose_figures_stay(played: tuple[Club, dict[str, str], Client]) -> None:
    club, keys, keeper = played
    names = list(keys)
    fields = game(club, keys[names[2]], keys[names[0]])
    saved = keeper.post(f"/{club.slug}/games/new/", fields, follow=True).content.decode()
    assert moves_in(saved)
    assert all(one != other for one, other in moves_in(saved).values())


@pytest.mark.extended
def test_what_others_write_meanwhile_is_not_said_of_an_entry(
    played: tuple[Club, dict[str, str], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.service import games as service
    from handan.web.pages.here import Here

    club, keys, keeper = played
    names = list(keys)
    write, others = Here.write, [game(club, keys[names[0]], keys[names[1]])]
    before: list[dict[str, float]] = []

    def write_behind_another(here: Here, change: object, token: str | None = None) -> object:
        if others:
            service.enter_game(here.actor, others.pop(), another=True).write()
            before.append(ratings_of(club, tuple(keys.values())))
        return write(here, change, token)  # type: ignore[arg-type]

    monkeypatch.setattr(Here, "write", write_behind_another)
    fields = game(club, keys[names[2]], keys[names[3]])
    saved = html.unescape(keeper.post(f"/{club.slug}/games/new/", fields, follow=True).content.decode())
    assert "The game is entered." in saved
    assert written(moves_in(saved)).items() <= shown_moves(club, keys, before[0]).items()
    assert "Nobody’s rating moves." not in saved
    assert "/undo/" in saved


def test_a_game_that_waits_says_nothing_of_who_moves(make_club: Callable[..., Club]) -> None:
    from handan.club.store.models import Role

    club = make_club("points")
    keys = fill(club)
    one, other, *_ = keys.values()
    player = client_of(club, Role.PLAYER, one)
    saved = player.post(f"/{club.slug}/games/new/", game(club, one, other), follow=True)
    text = html.unescape(saved.content.decode())
    assert "The game is entered." in text
    assert "Nobody’s rating moves." not in text
    assert page(player, f"/{club.slug}/games/")


@pytest.mark.parametrize("day", ["0202-11-20", "1599-12-31", "1000-01-01"])
def test_a_year_that_is_half_typed_is_refused_and_stays_typed(make_club: Callable[..., Club], day: str) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.errors import FieldError

    club = make_club("points")
    keys = fill(club)
    one, other, *_ = keys.values()
    keeper, secretary = client_of(club, Role.KEEPER), client_of(club, Role.SECRETARY)
    refused = keeper.post(f"/{club.slug}/games/new/", {**game(club, one, other), "date": day})
    text = html.unescape(refused.content.decode())
    assert "a day from 1600-01-01 on" in text
    assert f'value="{day}"' in text
    german = keeper.post(f"/{club.slug}/games/new/", {**game(club, one, other), "date": day},
                         headers={"accept-language": "de"})  # fmt: skip
    assert "ein Tag ab 1600-01-01" in html.unescape(german.content.decode())
    line = {"black": one, "white": other, "result": "B+R", "date": day}
    with pytest.raises(FieldError, match="1600-01-01"):
        service_entry(club, line)
    rank = secretary.post(f"/{club.slug}/players/{one}/adjust/", {"rank": "1d", "date": day})
    assert rank.status_code != 302
    assert state_of(club).games.height == 0


def service_entry(club: Club, fields: dict[str, str]) -> None:
    """Enter a game as the programming interface does."""
    from handan.club.service import games as service
    from handan.club.store.access import Actor
    from handan.club.store.models import Role

    service.enter_game(Actor(club, Role.SECRETARY), fields, another=False).write()


def test_an_older_game_is_previewed_across_a_change_of_the_rules(make_club: Callable[..., Club]) -> None:
    """Players enter the new rules by their keys, whatever a page calls them."""
    from handan.club import changes
    from handan.club.rules import Rules
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    club = make_club("elo")
    keys, keeper = fill(club), client_of(club, Role.KEEPER)
    one, other = list(keys)[:2]
    path = f"/{club.slug}/games/new/"
    assert keeper.post(path, game(club, keys[one], keys[other], days_ago=60), follow=True).redirect_chain
    since = today() - timedelta(days=30)
    write(club, lambda state: changes.office.set_rules(state, Rules("elo", {"k": 40.0}, since)), author="x")
    assert keeper.post(path, game(club, keys[one], keys[other], days_ago=10), follow=True).redirect_chain
    fields = game(club, keys[other], keys[one], days_ago=40)
    before = ratings_of(club, tuple(keys.values()))
    shown = html.unescape(keeper.post(path, {**fields, "preview": "1"}).content.decode())
    keeper.post(path, fields, follow=True)
    moved = shown_moves(club, keys, before)
    assert {one, other} <= {*moved}
    assert one in shown
