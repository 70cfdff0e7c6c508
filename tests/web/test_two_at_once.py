"""Two people with the same form: the later one is told what changed meanwhile, and nothing is overwritten."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest

from handan.errors import InputError
from handan.ledger import Event, When
from tests.web.test_entering import client_of, fill

if TYPE_CHECKING:
    from collections.abc import Callable

    from handan.club.store.models import Club

pytestmark = pytest.mark.database


def fields_of(page: str) -> dict[str, str]:
    """Return what the form in the middle of a page sends as it is shown."""
    form = page.partition("<main")[2].partition('method="post"')[2].partition("</form>")[0]
    sent = {}
    for tag in re.findall(r"<input[^>]*>", form):
        name, value = (re.search(rf' {part}="([^"]*)"', tag) for part in ("name", "value"))
        if name and ('type="radio"' not in tag or " checked" in tag):
            sent[name[1]] = html.unescape(value[1]) if value else ""
    return sent


@pytest.mark.parametrize("what", ["player", "game", "event"])
def test_what_another_one_changed_meanwhile_is_not_overwritten(make_club: Callable[..., Club], what: str) -> None:
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    club = make_club("points")
    one, other, *_ = fill(club).values()
    facts = {"black": one, "white": other, "result": "B+", "date": str(today())}
    game = write(club, lambda state: changes.games.record_game(state, facts, today()), author="x")[0].subject
    cup = Event("Cup", When.of(today()))
    event = write(club, lambda state: changes.events.enter_event(state, cup, today()), author="x")[0].subject
    path, theirs, mine = {
        "player": (f"players/{one}/edit/", {"country": "KR"}, {"reading": "Suzuki"}),
        "game": (f"games/{game}/correct/", {"komi": "7.5"}, {"notes": "Mine"}),
        "event": (f"events/{event}/edit/", {"city": "Lund"}, {"director": "Mori"}),
    }[what]
    path = f"/{club.slug}/{path}"
    first, second = (client_of(club, Role.SECRETARY) for _ in range(2))
    forms = [fields_of(client.get(path).content.decode()) for client in (first, second)]
    assert first.post(path, {**forms[0], **theirs}).status_code == 302
    assert first.post(path, {**forms[0], **theirs}).status_code == 302  # the button pressed twice
    page = second.post(path, {**forms[1], **mine})
    assert page.status_code == 200
    assert "since; look at it first" in page.content.decode()
    assert next(iter(mine.values())) in page.content.decode()  # what was typed is there
    state = state_of(club)
    kept = {
        "player": state.person(one).country,
        "game": str(state.game(game)["komi"]),
        "event": state.events[event].facts.get("city"),
    }
    assert kept[what] == next(iter(theirs.values()))
    assert second.post(path, {**fields_of(page.content.decode()), **mine}).status_code == 302  # said once more


def test_what_was_typed_about_an_event_that_is_gone_by_now_is_shown(make_club: Callable[..., Club]) -> None:
    from handan.club.changes.events import enter_event
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    club = make_club("points")
    event = write(club, lambda state: enter_event(state, Event("Cup", When.of(today())), today()), author="x")
    path = f"/{club.slug}/events/{event[0].subject}"
    first, second = (client_of(club, Role.SECRETARY) for _ in range(2))
    form = fields_of(second.get(f"{path}/edit/").content.decode())
    assert (
        first.post(f"{path}/withdraw/", fields_of(first.get(f"{path}/withdraw/").content.decode())).status_code == 302
    )
    page = second.post(f"{path}/edit/", {**form, "director": "Mori"})
    assert page.status_code == 404
    assert "Nothing was saved. What you typed is still here." in page.content.decode()
    assert "Mori" in page.content.decode()
    assert "What you typed" not in second.get(f"{path}/edit/").content.decode()


def test_a_change_that_another_one_overtakes_before_it_is_written_is_refused(make_club: Callable[..., Club]) -> None:
    """Both people have looked; the later one is refused by the state that the entry would follow."""
    from handan.club.service.players import change_player
    from handan.club.store.access import Actor
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club = make_club("points")
    key = next(iter(fill(club).values()))
    by, seen = Actor(club, Role.SECRETARY), state_of(club).person(key).entry
    first, second = (change_player(by, key, {"country": code}, "", seen) for code in ("KR", "JP"))
    first.write()
    with pytest.raises(InputError, match="was changed since; look at it first"):
        second.write()
    assert state_of(club).person(key).country == "KR"
