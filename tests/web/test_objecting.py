"""A game that waits: who sees that it does, and what the opponent and who entered it can do about it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.forms import extended_but
from tests.web.test_confirming import Table, counts, seen_in, table  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from django.test import Client


def text(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def status(table: Table, path: str) -> str:  # noqa: F811
    from handan.web.plain_data import STATUS

    return STATUS[table.game(path)["status"]]


def key_of(path: str) -> str:
    return path.strip("/").split("/")[-1]


def objected(table: Table, path: str, by: Client, word: str = "White won") -> Any:  # noqa: F811
    seen = seen_in(by.get(f"{path}confirm/"))
    return by.post(f"{path}dispute/", {"seen": seen, "reason": word})


def test_an_opponent_objects_and_who_entered_the_game_corrects_it(table: Table) -> None:  # noqa: F811
    path = table.entered(table.ada)
    assert objected(table, path, table.bo).status_code == 302
    assert status(table, path) == "disputed"
    assert not counts(table, path)
    assert "“White won”" in text(table.ada.get(path))
    assert "1 game waits for you" in text(table.ada.get(f"/{table.club.slug}/games/"))
    form = {"black": "Ada", "white": "Bo", "result": "W+", "date": "2026-05-01"}
    assert table.ada.post(f"{path}correct/", form).status_code == 302
    assert status(table, path) == "waits for confirmation"  # the mark goes with what it was about
    assert table.bo.post(f"{path}confirm/", {"seen": seen_in(table.bo.get(f"{path}confirm/"))}).status_code == 302
    assert counts(table, path)


def test_who_entered_a_game_withdraws_it_as_long_as_it_waits(table: Table) -> None:  # noqa: F811
    path = table.entered(table.ada)
    objected(table, path, table.bo)
    assert table.bo.post(f"{path}withdraw/").status_code == 403
    assert "Withdraw game" in text(table.ada.get(f"{path}withdraw/"))
    assert table.ada.post(f"{path}withdraw/").status_code == 302
    assert status(table, path) == "withdrawn"
    counted = table.entered(table.ada, date="2026-05-02")
    table.bo.post(f"{counted}confirm/", {"seen": table.game(counted)["latest"]})
    assert table.ada.post(f"{counted}withdraw/").status_code == 403
    table.call(table.ada, "POST", f"{key_of(counted)}/withdraw", {}, 403)
    assert counts(table, counted)


def test_a_disputed_game_can_still_be_confirmed_and_not_disputed_twice(table: Table) -> None:  # noqa: F811
    path = table.entered(table.ada)
    objected(table, path, table.bo)
    again = table.bo.post(f"{path}dispute/", {"seen": table.game(path)["latest"], "reason": "no"})
    assert "is disputed already" in text(again)
    assert table.bo.post(f"{path}confirm/", {"seen": table.game(path)["latest"]}).status_code == 302
    assert counts(table, path)


def test_only_the_opponent_or_a_keeper_objects(table: Table) -> None:  # noqa: F811
    from django.test import Client

    from handan.club.store.models import Role

    path = table.entered(table.ada)
    body = {"seen": table.game(path)["latest"], "reason": "no"}
    for client in (table.ada, table.cy, Client()):
        assert client.post(f"{path}dispute/", body).status_code == 403
    table.call(table.cy, "POST", f"{key_of(path)}/dispute", {"entry": body["seen"], "reason": "no"}, 403)
    assert status(table, path) == "waits for confirmation"
    table.call(
        table.member(Role.KEEPER), "POST", f"{key_of(path)}/dispute", {"entry": body["seen"], "reason": "no"}, 200
    )
    assert status(table, path) == "disputed"


@pytest.mark.parametrize("word", ["", "  ", "x" * 2001, "a\x00"])
def test_an_objection_has_a_word(table: Table, word: str) -> None:  # noqa: F811
    path = table.entered(table.ada)
    answer = objected(table, path, table.bo, word)
    assert answer.status_code == 200
    assert 'role="alert"' in answer.content.decode()
    table.call(table.bo, "POST", f"{key_of(path)}/dispute", {"entry": table.game(path)["latest"], "reason": word}, 422)
    assert status(table, path) == "waits for confirmation"


def test_an_objection_is_to_what_was_seen(table: Table) -> None:  # noqa: F811
    path = table.entered(table.ada)
    seen = seen_in(table.bo.get(f"{path}confirm/"))
    table.call(table.ada, "PATCH", key_of(path), {"result": "W+"}, 200)
    answer = table.bo.post(f"{path}dispute/", {"seen": seen, "reason": "White won, I think"})
    assert "was changed" in text(answer)
    assert "White won, I think" in answer.content.decode()  # what was typed is not lost
    table.call(table.bo, "POST", f"{key_of(path)}/dispute", {"entry": seen, "reason": "no"}, 409)
    assert status(table, path) == "waits for confirmation"


def test_an_objection_to_what_was_withdrawn_meanwhile_says_so(table: Table) -> None:  # noqa: F811
    path = table.entered(table.ada)
    seen = seen_in(table.bo.get(f"{path}confirm/"))
    table.ada.post(f"{path}withdraw/")
    answer = table.call(table.bo, "POST", f"{key_of(path)}/dispute", {"entry": seen, "reason": "no"}, 409)
    assert answer["message"] == f"game {key_of(path)} is withdrawn already"


def test_both_see_what_waits_for_them(table: Table) -> None:  # noqa: F811
    path = table.entered(table.ada, handicap="2")
    home = f"/{table.club.slug}/"
    for page in (home, "/account/"):
        assert "Ada – Bo , Black, 2 stones That is right It is not" in text(table.bo.get(page))
        assert "Ada – Bo , Black, 2 stones waits for the other" in text(table.ada.get(page))
        assert "Ada – Bo" not in text(table.cy.get(page))
    assert "1 game waits for you" in text(table.bo.get(f"{home}rules/"))
    assert "for you" not in text(table.ada.get(f"{home}rules/"))
    assert f'href="{home}players/p3/">My card' in table.bo.get(f"{home}rules/").content.decode()
    objected(table, path, table.bo, "three stones")
    for page in (home, "/account/"):
        assert "objects: “three stones” correct or withdraw" in text(table.ada.get(page))
    assert "for you" not in text(table.bo.get(f"{home}rules/"))


def test_a_word_of_dispute_is_for_members(table: Table) -> None:  # noqa: F811
    from django.test import Client

    path = table.entered(table.ada)
    objected(table, path, table.bo, "private words")
    page = text(Client().get(path))
    assert "is disputed and does not count" in page
    assert "private words" not in page


def test_the_page_that_confirms_says_who_entered_the_game_and_what_its_buttons_do(table: Table) -> None:  # noqa: F811
    from handan.club.store.models import Entry

    path = table.entered(table.ada)
    author = Entry.objects.get(club=table.club, number=table.game(path)["line"]).author
    page = text(table.bo.get(f"{path}confirm/"))
    for shown in (
        f"Entered by {author}",
        "no handicap",
        "Yes, count the game",
        "Object to this game",
        "Cancel",
    ):
        assert shown in page


def test_a_dispute_is_read_back_from_the_ledger(table: Table) -> None:  # noqa: F811
    """Folded entry by entry as they come, or all at once as a process that starts does: the same."""
    from handan.club.changes import fold
    from handan.club.state import State
    from handan.club.store.facts import records
    from handan.club.store.states import state_of

    path = table.entered(table.ada)
    objected(table, path, table.bo)
    table.call(table.ada, "PATCH", key_of(path), {"notes": "x"}, 200)
    objected(table, path, table.bo)
    state = state_of(table.club)
    assert fold(State(table.club.slug), records(table.club)).games.equals(state.games)


def test_a_federation_sends_who_would_confirm_a_game_of_a_club_there(table: Table) -> None:  # noqa: F811
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import create_club
    from tests.web.test_pages import signed_in

    table.entered(table.ada)
    federation = create_club(f"over-{table.club.slug}", "Federation")
    table.club.federation = federation
    table.club.save(update_fields=["federation"])
    key = f"g{state_of(federation).games['line'][0]}"
    for page in ("confirm", "dispute", "withdraw", "correct"):
        answer = signed_in(federation, Role.OFFICER).get(f"/{federation.slug}/games/{key}/{page}/")
        assert answer.status_code in {200, 400}, page
        assert answer.status_code == 200 or "it is changed there" in text(answer)


@pytest.mark.parametrize("answer", extended_but(["corrected"], ["stands", "corrected", "taken back"]))
def test_each_player_objects_to_a_game_that_counts_and_a_keeper_answers(table: Table, answer: str) -> None:  # noqa: F811
    """Under rules that ask for no confirmation either: the game counts until the keeper has looked at it."""
    from handan.club.store.models import Role

    keeper = table.member(Role.KEEPER)
    form = {"black": "Ada", "white": "Bo", "result": "B+", "date": "2026-05-01"}
    path = keeper.post(f"/{table.club.slug}/games/new/", form)["Location"]
    assert counts(table, path)
    assert "This is wrong" in text(table.ada.get(path))
    assert "This is wrong" not in text(table.cy.get(path))
    seen = table.game(path)["latest"]
    assert table.cy.post(f"{path}dispute/", {"seen": seen, "reason": "no"}).status_code == 403
    assert table.ada.post(f"{path}dispute/", {"seen": seen, "reason": "White won"}).status_code == 302
    assert counts(table, path)
    assert "“White won”" in text(table.bo.get(path))
    start = text(keeper.get(f"/{table.club.slug}/start/"))
    assert "“White won”" in start
    assert "1 game waits for you" in text(keeper.get(f"/{table.club.slug}/games/"))
    again = table.bo.post(f"{path}dispute/", {"seen": table.game(path)["latest"], "reason": "so it is"}, follow=True)
    assert "is disputed already" in text(again)
    assert table.bo.post(f"{path}confirm/", {"seen": table.game(path)["latest"]}).status_code == 403
    if answer == "stands":
        assert keeper.post(f"{path}confirm/", {"seen": table.game(path)["latest"]}).status_code == 302
    elif answer == "corrected":
        assert keeper.post(f"{path}correct/", {**form, "result": "W+"}).status_code == 302
    else:
        assert table.ada.post(f"{path}confirm/", {"seen": table.game(path)["latest"]}).status_code == 302
    assert counts(table, path)
    assert "waits for you" not in text(keeper.get(f"/{table.club.slug}/games/"))
    assert "“White won”" not in text(keeper.get(f"/{table.club.slug}/start/"))
