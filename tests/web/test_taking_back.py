"""What was entered together is taken back together, at any time: a sheet, a file, a list of members."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.web.test_pages import signed_in, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from handan.club.store.models import Club

pytestmark = pytest.mark.database


@pytest.fixture
def club(make_club: Callable[..., Club]) -> Club:
    return make_club("elo")


def _sheet_of(games: int, month: int) -> str:
    """Return so many games of Ada and Bo, one a day."""
    rows = [f"Ada,Bo,B+,2026-{month:02}-{day:02}" for day in range(1, games + 1)]
    return "\n".join(["black,white,result,date", *rows])


def test_a_file_is_taken_back_in_two_touches_with_the_players_it_brought(club: Club) -> None:
    """Of the newcomers one has played since, and stays; Undo brings all of it back."""
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    keeper, other = signed_in(club, Role.KEEPER), signed_in(club, Role.KEEPER)
    key = write(club, lambda s: changes.players.register_player(s, {"name": "Ada"}), author="x")[0].subject
    rows = [f"Ada,{name},{'B+' if number % 2 else 'W+'},2026-05-{number:02}" for number, name in
            enumerate(("Bo", "Chidi", "Dara", "Bo", "Chidi"), 1)]  # fmt: skip
    sheet = {"text": "black,white,result,date\n" + "\n".join(rows), "newcomers": "on", "save": "1"}
    there = keeper.post(f"/{club.slug}/games/sheet/", sheet)["Location"]
    keys = state_of(club).keys
    late = {"black": key, "white": keys["Dara"], "result": "B+", "date": "2026-05-09"}
    write(club, lambda s: changes.games.record_game(s, late, today()), author="x")
    before = state_of(club)

    link = re.search(r'href="([^"]+/take-back/)"', other.get(there).content.decode())  # the first touch
    assert link
    shown = text(other.get(link[1]))
    assert "Take back 5 games, 2 players" in shown
    assert "stay, since they play elsewhere or have an account: Dara" in shown
    assert "would move" in shown
    assert state_of(club).number == before.number
    answer = other.post(link[1], {"token": "t"}, follow=True)  # the second
    assert other.post(link[1], {"token": "t"}).status_code == 302
    state = state_of(club)
    assert {person.name for person in state.active.values()} == {"Ada", "Dara"}
    assert state.ledger.games.height == 1
    assert ": done." in text(answer)
    undo = re.search(r'name="entries" value="([^"]+)"', answer.content.decode())
    assert undo
    assert "Undone" in text(other.post(f"/{club.slug}/undo/", {"entries": undo[1]}, follow=True))
    assert state_of(club).ledger.games.height == 6
    assert {person.name for person in state_of(club).active.values()} == {"Ada", "Bo", "Chidi", "Dara"}


def test_only_what_was_written_at_once_is_undone_at_once(club: Club) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    keeper, first = signed_in(club, Role.KEEPER), state_of(club).number + 1
    for day in (1, 2):
        sheet = {"text": f"black,white,result,date\nAda,Bo,B+,2026-05-0{day}", "newcomers": "on", "save": "1"}
        assert keeper.post(f"/{club.slug}/games/sheet/", sheet).status_code == 302
    before = state_of(club)
    answer = keeper.post(f"/{club.slug}/undo/", {"entries": f"{first}-{before.number}"}, follow=True)
    assert "written at once" in text(answer)
    assert state_of(club).number == before.number


def test_a_list_of_members_is_taken_back_by_a_secretary(club: Club) -> None:
    from handan.club.store.models import Entry, Role
    from handan.club.store.states import state_of

    secretary = signed_in(club, Role.SECRETARY)
    sent = {"text": "Ada,,3k\nBo,,5k", "member": ["1", "2"], "save": "1"}
    answer = secretary.post(f"/{club.slug}/players/list/", sent, follow=True)
    assert "2 members are registered." in text(answer)
    assert "Undo" in text(answer)
    number = Entry.objects.filter(club=club, kind="player registered").first()
    assert number
    path = f"/{club.slug}/log/{number.number}/take-back/"
    assert path in secretary.get(f"/{club.slug}/log/{number.number}/").content.decode()
    assert signed_in(club, Role.KEEPER).get(path).status_code == 403
    assert secretary.post(path, {}).status_code == 302
    assert not [*state_of(club).active]
    assert "Nothing of what was entered together stands any more." in text(secretary.get(path))


def test_a_correction_is_not_taken_back_as_what_was_entered_together(club: Club) -> None:
    """It stands, so no page says that nothing of it does; the game is corrected again, or the correction undone."""
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    keeper = signed_in(club, Role.KEEPER)
    sheet = {"text": "black,white,result,date\nAda,Bo,B+,2026-05-01", "newcomers": "on", "save": "1"}
    keeper.post(f"/{club.slug}/games/sheet/", sheet)
    game = f"g{state_of(club).ledger.games['line'][0]}"
    entry = write(club, lambda s: changes.games.correct_game(s, game, {"result": "W+"}, today()), author="x")[0]
    path = f"/{club.slug}/log/{entry.number}/take-back/"
    for answer in (keeper.get(path), keeper.post(path, {"token": "t"})):
        assert answer.status_code == 404
        assert "Nothing of what was entered together stands" not in text(answer)
    assert state_of(club).number == entry.number


def test_more_than_a_form_takes_back_is_left_to_the_command(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of a load is not taken back in silence: nothing is, and the page names the command that takes back all."""
    from handan.club.service import undoing
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    keeper = signed_in(club, Role.KEEPER)
    sheet = {"text": _sheet_of(5, month=5), "newcomers": "on", "save": "1"}
    keeper.post(f"/{club.slug}/games/sheet/", sheet)
    before = state_of(club)
    entry = before.ledger.games["line"][0]
    path = f"/{club.slug}/log/{entry}/take-back/"
    assert path in keeper.get(f"/{club.slug}/log/{entry}/").content.decode()
    monkeypatch.setattr(undoing, "MOST", 4)
    assert path not in keeper.get(f"/{club.slug}/log/{entry}/").content.decode()
    for answer in (keeper.get(path), keeper.post(path, {"token": "t"})):
        assert answer.status_code == 400
        assert "`handan club undo`" in text(answer)
    assert state_of(club).number == before.number


def test_taking_back_asks_no_more_of_the_database_for_more_games(club: Club) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    keeper, queries_made = signed_in(club, Role.KEEPER), []
    for month, games in enumerate((1, 4, 25), 1):
        sheet = {"text": _sheet_of(games, month), "newcomers": "on", "save": "1"}
        keeper.post(f"/{club.slug}/games/sheet/", sheet)
        path = f"/{club.slug}/log/{state_of(club).ledger.games['line'][-1]}/take-back/"
        assert f"Take back {games} game" in text(keeper.get(path))
        with CaptureQueriesContext(connection) as queries:
            keeper.get(path)
        queries_made.append(len(queries))
    assert queries_made[1] == queries_made[2]  # the first brought players, too
