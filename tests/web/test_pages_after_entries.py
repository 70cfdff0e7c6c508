"""Pages of a process that has seen every entry come are, to the byte, those of one that has seen none."""

from __future__ import annotations

import gc
import random
import re
import weakref
from typing import TYPE_CHECKING, Any

import pytest

from handan.club.state import GAME_FACTS
from tests.forms import EACH_KIND
from tests.web.test_unchanged_pages import member

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

pytestmark = pytest.mark.extended

PAGES = ("", "ladder.json", "ladder.csv", "games/", "players/p2/", "players/p3/", "?with=elo", "?games=3", "terms/")
PAGES_AND_MORE = (*PAGES, "players/", "?q=ada", "pair/", "figures/", "start/", "news.atom")
SYSTEMS = ("egf", "sagc", "points", "whr")
OF_EACH_FAMILY = (
    *EACH_KIND, "accelrat", "aga", "bradley-terry", "decayed", "dgs", "elo", "glicko2", "igs", "kgs", "ogs",
    "trueskill",
)  # fmt: skip
"""A game goes on from a system's state in as many ways as there are families of systems."""
FACTS: list[dict[str, Any]] = [
    {"black": "p2", "white": "p3", "result": "B+"},
    {"black": "p2", "white": "p3", "result": "W+3.5", "date": "2026-05-01", "komi": 0.5, "handicap": 2, "size": 13},
    {"black": "p2", "white": "p3", "result": "B+word", "date": "2026-05-01 19:30", "notes": " seen ", "kind": "Club"},
    {"black": "p2", "white": "p3", "result": "jigo", "date": "2026-05", "round": 3, "event": "Spring", "moves": 211},
    {"black": "p2", "white": "p3", "result": "P1+", "date": "2026", "black_rank": "3k", "white_rank": "1d?"},
    {"black": "p2", "white": "p3", "result": "B+", "date": "2999-05-01"},
    {"black": "p2", "white": "p3", "result": "B+", "handicap": 12},
]


@pytest.mark.parametrize("facts", FACTS)
def test_a_few_games_are_read_as_many_are(facts: dict[str, Any]) -> None:
    from handan.club.recorded import READ_SINGLY, typed_games

    few = typed_games({7: facts}, GAME_FACTS)
    many = typed_games(dict.fromkeys(range(7, 7 + READ_SINGLY + 1), facts), GAME_FACTS)
    assert few.equals(many.head(1))
    assert few.schema == many.schema


def test_a_game_that_cannot_be_read_is_named_also_among_few() -> None:
    from handan.club.recorded import typed_games
    from handan.errors import InputError

    with pytest.raises(InputError, match="game g7: result 'won' is not"):
        typed_games({7: {"black": "p2", "white": "p3", "result": "won"}}, GAME_FACTS)
    with pytest.raises(InputError, match="game g7: white"):
        typed_games({7: {"black": "p2", "result": "B+"}}, GAME_FACTS)


@pytest.mark.parametrize("system", SYSTEMS)
def test_pages_after_entries_are_those_made_anew(club: Club, system: str) -> None:
    from django.test import Client

    from handan.club import changes
    from handan.club.rules import Rules
    from handan.club.store.clock import today
    from handan.club.store.computing import computed_cache
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    names = ["Ada <1>", "Bo & Co", "Cy", "Dee"]
    write(club, lambda s: [changes.players.register_player(s, {"name": name}) for name in names], author="x")
    if system != state_of(club).rules[-1].system:
        write(club, lambda s: changes.office.set_rules(s, Rules(system)), author="x")
    dice, visitor = random.Random(system), Client()
    for number in range(6):
        black, white = dice.sample(["p2", "p3", "p4", "p5"], 2)
        facts = {"black": black, "white": white, "result": dice.choice(["B+", "W+", "jigo"]), "notes": "<i>"}
        facts["date"] = f"2026-05-{dice.randrange(1, 4) if number == 4 else 3 + number:02}"
        write(club, lambda s, f=facts: changes.games.record_game(s, f, today()), author="x")  # type: ignore[misc]
        seen = [_content(visitor, club, page) for page in PAGES]
        assert not any(b"<i>" in content or b"<1>" in content for content in seen if b"<html" in content)
        if number in {3, 5}:
            computed_cache.forget()
            assert seen == [_content(visitor, club, page) for page in PAGES]


def _content(visitor: Client, club: Club, page: str) -> bytes:
    answer: Any = visitor.get(f"/{club.slug}/{page}")
    assert answer.status_code == 200, page
    return b"".join(answer)


@pytest.mark.parametrize("system", OF_EACH_FAMILY)
def test_what_a_preview_says_is_what_saving_does(club: Club, system: str) -> None:
    """A game that comes last, one of a day before others, and a correction of the first one."""
    from handan.club import changes
    from handan.club.rules import Rules
    from handan.club.service.games import correct_game
    from handan.club.store.access import Actor
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    names, days = ["Ada", "Bo", "Cy", "Dee"], [f"2026-05-{day:02}" for day in (3, 4, 4, 11, 12, 19)]
    write(club, lambda s: [changes.players.register_player(s, {"name": name}) for name in names], author="x")
    if system != state_of(club).rules[-1].system:
        write(club, lambda s: changes.office.set_rules(s, Rules(system)), author="x")
    keeper, dice = member(club, Role.KEEPER), random.Random(system)

    def game(day: str) -> dict[str, Any]:
        black, white = dice.sample(names, 2)
        typed = {"handicap": "0", "komi": "6.5", "another": "on"}  # else the form proposes terms, which count too
        return {"black": black, "white": white, "result": dice.choice(["B+", "W+"]), "date": day, **typed}

    keys = {name: f"p{number}" for number, name in enumerate(names, 2)}
    ranks = dict.fromkeys(("black_rank", "white_rank"), "1k")  # without which some systems rate nobody
    sides = [{name: keys.get(text, text) for name, text in game(day).items() if name != "another"} | ranks
             for day in days]  # fmt: skip
    write(club, lambda s: [changes.games.record_game(s, facts, today()) for facts in sides], author="x")
    pages = [keeper.get(f"/{club.slug}/"), keeper.get(f"/{club.slug}/players/p2/")]
    assert {page.status_code for page in pages} == {200}
    for day in ("2026-05-19", "2026-05-20", "2026-05-10"):
        new, token = game(day), f"{system} {day} {dice.random()}"
        shown = _figures(keeper.post(f"/{club.slug}/games/new/", {**new, "preview": "1"}))
        saved = _figures(keeper.post(f"/{club.slug}/games/new/", {**new, "token": token}, follow=True))
        assert len(shown) >= 2
        assert shown == saved
    key, other = f"g{state_of(club).games['line'][0]}", {"B+": "W+R", "W+": "B+R"}[sides[0]["result"]]
    change = correct_game(Actor(club, Role.KEEPER), key, {**sides[0], "result": other}, another=True)
    assert change.would_do().moved == change.carry_out().moved


def test_the_games_as_they_were_before_an_entry_leave_memory_with_its_page(club: Club) -> None:
    """Without a search for objects in circles, which comes seldom: a large club's games take hundreds of megabytes."""
    from django.test import Client

    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    write(club, lambda s: [changes.players.register_player(s, {"name": name}) for name in ("Ada", "Bo")], author="x")
    keeper = member(club, Role.KEEPER)
    states = []
    gc.collect()
    gc.disable()
    try:
        for number in range(3):
            typed = {"black": "Ada", "white": "Bo", "result": "B+", "date": "2026-05-03", "another": "on"}
            for more in ({"preview": "1"}, {"token": f"{club.slug} {number}"}):
                answer = keeper.post(f"/{club.slug}/games/new/", {**typed, **more}, follow=True)
                assert answer.status_code == 200
                vars(answer).clear()  # Django's client for tests makes a circle of it
            for asks in (keeper, Client()):
                for page in PAGES_AND_MORE:
                    answer = asks.get(f"/{club.slug}/{page}")
                    assert answer.status_code == 200
                    vars(answer).clear()
            state = state_of(club)
            states.append(weakref.ref(state))
            change, corrected = f"/{club.slug}/games/g{state.games['line'][0]}/correct/", "B+R" if number % 2 else "W+R"
            del state
            answer = keeper.post(
                change, {**typed, "result": corrected, "reason": "read wrongly", "save": "1"}, follow=True
            )
            assert "is corrected" in answer.content.decode()
            vars(answer).clear()
        assert [state() is None for state in states[:-1]] == [True, True]
    finally:
        gc.enable()


def _figures(page: Any) -> list[str]:
    """Return what a game does to both, with its arithmetic, as a page shows it."""
    shown = re.findall(r'<p class="(?:big|arithmetic)">(.*?)</p>', page.content.decode(), re.DOTALL)
    return [" ".join(text.split()) for text in shown]
