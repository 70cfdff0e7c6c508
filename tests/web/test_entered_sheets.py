"""A record sheet stays one thing: its lines as on the paper, who entered it, who checked it, what counts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_entering import client_of
from tests.web.test_pages import text
from tests.web.test_sheet_grid import SHEET, fields_of, look, points, press  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

Points = tuple["Club", dict[str, str], "Client"]


@pytest.fixture
def entered(points: Points) -> tuple[Club, Client, str]:  # noqa: F811
    """A sheet of four lines of which the first and the third were entered; the key of the sheet."""
    from handan.club.store.states import state_of

    club, _, keeper = points
    press(keeper, club, look(keeper, club, SHEET), save="1")
    return club, keeper, list(state_of(club).sheets)[-1]


def numbers_and_names(page: str) -> list[tuple[int, str]]:
    """Return the number and Black of each line of a sheet's page."""
    rows = page.partition("<tbody>")[2].partition("</tbody>")[0].split("<tr")[1:]
    cells = [[re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<td.*?</td>", row)] for row in rows]
    return [(int(row[0]), row[1]) for row in cells]


def check(client: Client, club: Club, key: str, seen: int | None = None) -> Any:
    from handan.club.changes.sheets import latest_entry
    from handan.club.store.states import state_of

    state = state_of(club)
    sent = {"seen": latest_entry(state, state.sheets[key]) if seen is None else seen}
    return client.post(f"/{club.slug}/sheets/{key}/check/", sent, follow=True)


def test_lines_stand_as_on_the_paper_also_those_that_are_entered_later(entered: tuple[Club, Client, str]) -> None:
    from handan.club.store.states import state_of

    club, keeper, key = entered
    page = keeper.get(f"/{club.slug}/games/sheet/").content.decode()
    assert re.findall(r'<th scope="row">(\d+)</th>', page)[:2] == ["2", "4"]  # the numbers of the paper
    page = press(keeper, club, page, new="1-black", **{"rank-1-black": "5k"}).content.decode()
    press(keeper, club, page, save="1")
    lines = numbers_and_names(keeper.get(f"/{club.slug}/sheets/{key}/").content.decode())
    assert lines == [(1, "鈴木 一郎"), (2, "Sasaki"), (3, "佐藤 健")]
    assert len(state_of(club).sheets) == 1


def test_somebody_else_checks_it_once_and_again_after_a_correction(entered: tuple[Club, Client, str]) -> None:
    from handan.club.store.models import Entry, Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import verify

    club, keeper, key = entered
    page, other = f"/{club.slug}/sheets/{key}/", client_of(club, Role.KEEPER)
    assert "Somebody other than the person who entered the sheet checks it." in text(keeper.get(page))
    assert check(keeper, club, key).status_code == 403  # one's own
    assert [check(client_of(club, role), club, key).status_code for role in (Role.VISITOR, Role.PLAYER)] == [403, 403]
    old = state_of(club).number
    assert check(other, club, key, old - 1).status_code == 200  # what was seen is not what stands there
    assert state_of(club).number == old
    assert "The sheet is checked." in text(check(other, club, key))
    entries = Entry.objects.filter(club=club, subject=key).order_by("number")
    assert [entry.kind for entry in entries] == ["sheet entered", "sheet checked"]
    assert verify(club) == state_of(club).number
    shown = text(client_of(club, Role.PLAYER).get(page))
    assert all(entry.author in shown for entry in entries)
    assert "is checked already" in text(check(other, club, key))
    game = state_of(club).sheets[key].lines[0][1]
    keeper.post(f"/{club.slug}/games/{game}/withdraw/", {"reason": "twice"})
    assert "Changed since it was checked" in text(other.get(page))
    assert "1 of 2 count" in text(other.get(f"/{club.slug}/sheets/"))
    assert "The sheet is checked." in text(check(other, club, key))
    assert "Changed since it was checked" not in text(other.get(page))


@pytest.mark.parametrize("way", ["undo", "button"])
def test_a_check_made_by_mistake_is_taken_back_by_who_made_it(entered: tuple[Club, Client, str], way: str) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club, keeper, key = entered
    path, other = f"/{club.slug}/sheets/{key}/", client_of(club, Role.KEEPER)
    page = check(other, club, key).content.decode()
    number = state_of(club).number
    assert "Undo my check" in page
    assert "Undo my check" not in text(keeper.get(path))
    assert keeper.post(f"{path}check/withdraw/", {"check": number}).status_code == 403
    if way == "undo":
        assert f'name="entries" value="{number}-{number}"' in page
        other.post(f"/{club.slug}/undo/", {"entries": f"{number}-{number}"})
    else:
        assert "is not the last check" in text(other.post(f"{path}check/withdraw/", {"check": "1"}, follow=True))
        assert "The check is taken back." in text(other.post(f"{path}check/withdraw/", {"check": number}, follow=True))
    shown = text(other.get(path))
    assert "Sheet check withdrawn" in shown
    assert "Checked against the paper" in shown
    assert "sheet check withdrawn" in text(keeper.get(f"/{club.slug}/log/"))
    assert "The sheet is checked." in text(check(other, club, key))


def test_undo_takes_a_sheet_back_and_its_page_says_so(points: Points) -> None:  # noqa: F811
    from handan.club.store.states import state_of

    club, _, keeper = points
    page = press(keeper, club, look(keeper, club, SHEET), save="1").content.decode()
    offered = re.search(r'name="entries" value="([^"]+)"', page)
    assert offered  # the message of what was saved
    keeper.post(f"/{club.slug}/undo/", {"entries": offered[1]})
    assert state_of(club).games["status"].to_list() == [1, 1]
    assert "Taken back" in text(keeper.get(f"/{club.slug}/sheets/"))


def test_a_file_of_games_is_a_sheet_too_and_travels_with_the_ledger(points: Points) -> None:  # noqa: F811
    from django.core.files.uploadedfile import SimpleUploadedFile

    from handan.club.changes import fold
    from handan.club.entries import Record
    from handan.club.state import State
    from handan.club.store.facts import records
    from handan.club.store.states import state_of

    club, _, keeper = points
    lines = "date,black,white,result\n2026-05-03,鈴木 一郎,佐藤 健,B+R\n2026-05-01,Ada Lindqvist,鈴木 一郎,W+R\n"
    path = f"/{club.slug}/games/sheet/"
    read = keeper.post(path, {"file": SimpleUploadedFile("evening.csv", lines.encode()), "date": "2026-05-09"})
    again = re.search(r"<textarea[^>]*name=\"text\"[^>]*>(.*?)</textarea>", read.content.decode(), re.DOTALL)
    assert again
    answer = keeper.post(path, {"text": again[1].strip(), "date": "2026-05-09", "save": "1"}, follow=True)
    shown = numbers_and_names(answer.content.decode())
    assert [number for number, _ in shown] == [1, 2]
    state = state_of(club)
    copied = fold(State(club.slug), (Record.of(item.as_dict()) for item in records(club)))
    assert copied.sheets == {**state.sheets} != {}


def test_a_ledger_whose_sheet_names_no_game_or_check_is_refused() -> None:
    from handan.club.entries import Draft, chained
    from handan.club.kinds import Kind
    from handan.club.state import State
    from handan.club.verifying import fold_foreign
    from handan.errors import InputError
    from tests.club.helpers import MOMENT

    game = Draft(Kind.GAME_RECORDED, {"black": "p1", "white": "p2", "result": "B+R"})
    two = [Draft(Kind.PLAYER_REGISTERED, {"name": name}) for name in ("Ada", "Bo")]
    sheet = [*two, game, Draft(Kind.SHEET_ENTERED, {"lines": [[1, "g3"]]})]
    wrong = [[*sheet, Draft(Kind.CHECK_WITHDRAWN, {"check": check}, "s4")] for check in (4, "x", None)]
    lines: tuple[Any, ...] = ([[1, "g1"]], [[1, "p1"]], [["x", "g1"]], [], None)
    wrong += [[*two[:1], Draft(Kind.SHEET_ENTERED, {"lines": item})] for item in lines]
    for drafts in wrong:
        with pytest.raises(InputError, match="no ledger"):
            fold_foreign(State("club"), chained(drafts, 0, State("club").digest, "x", MOMENT))


def test_nobody_checks_a_sheet_whose_games_are_all_taken_back(entered: tuple[Club, Client, str]) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club, keeper, key = entered
    for _, game in state_of(club).sheets[key].lines:
        keeper.post(f"/{club.slug}/games/{game}/withdraw/", {"reason": "twice"})
    assert "there is nothing to check" in text(check(client_of(club, Role.KEEPER), club, key))
    assert state_of(club).sheets[key].checks == ()
