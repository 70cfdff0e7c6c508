"""By how many points a game was won: typed beside the result, kept, shown, corrected, refused where it cannot be."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_entering import client_of
from tests.web.test_sheet_grid import look, statuses

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponse
    from django.test import Client

    from handan.club.store.models import Club

GAME = {"black": "Ada", "white": "Bo", "result": "B+", "date": "2026-05-01", "size": "19"}


@pytest.fixture
def club(make_club: Callable[..., Club]) -> Club:
    from handan.club import changes
    from handan.club.store.writing import write

    club = make_club("egf")
    write(club, lambda s: [changes.players.register_player(s, {"name": name}) for name in ("Ada", "Bo")], author="x")
    return club


@pytest.fixture
def keeper(club: Club) -> Client:
    from handan.club.store.models import Role

    return client_of(club, Role.KEEPER)


def results(club: Club) -> list[str]:
    from handan.club.store.states import state_of

    return state_of(club).games["result"].to_list()


def send(keeper: Client, club: Club, to: str = "new/", **fields: str) -> HttpResponse:
    return keeper.post(f"/{club.slug}/games/{to}", {**GAME, **fields})  # type: ignore[return-value]


def of_two(club: Club) -> dict[str, str]:
    """Return the keys of Black and White."""
    from handan.club.store.states import state_of

    return {side: state_of(club).keys[name] for side, name in (("black", "Ada"), ("white", "Bo"))}


def entered(club: Club, **facts: Any) -> str:
    """Enter a game as a program would, and return its key."""
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.writing import write

    game = {**of_two(club), "date": "2026-05-01", **facts}
    return write(club, lambda s: changes.games.record_game(s, game, today()), author="x")[0].subject


def field(page: str) -> str:
    """Return the field of the margin with what is said of it, as text."""
    start = page.index('for="id_margin"')
    return html.unescape(page[start : page.index('for="id_date"', start)])


def text(client: Client, path: str) -> str:
    return html.unescape(client.get(path).content.decode())


@pytest.mark.parametrize(
    ("fields", "result", "words"),
    [
        ({"margin": "3.5"}, "B+3.5", "Black by 3.5"),
        ({"margin": "12", "result": "W+"}, "W+12", "White by 12"),
        ({"margin": "3目半"}, "B+3.5", "Black by 3.5"),
        ({"margin": "0,5"}, "B+0.5", "Black by 0.5"),
        ({"margin": ""}, "B+", "Black"),
        ({"margin": "367.5", "result": "W+", "komi": "6.5"}, "W+367.5", "White by 367.5"),
        ({"margin": "81", "size": "9"}, "B+81", "Black by 81"),
        ({"margin": "74.5", "size": "9", "komi": "6.5"}, "B+74.5", "Black by 74.5"),
    ],
)
def test_a_game_is_entered_with_its_margin(
    keeper: Client, club: Club, fields: dict[str, str], result: str, words: str
) -> None:
    answer = send(keeper, club, **fields)
    assert answer.status_code == 302
    assert results(club) == [result]
    for path in (answer["Location"], f"/{club.slug}/games/"):
        assert f">{words}<" in text(keeper, path)


def test_a_preview_keeps_the_margin(keeper: Client, club: Club) -> None:
    page = send(keeper, club, margin="3.5", preview="1").content.decode()
    assert 'value="3.5"' in field(page)
    assert 'value="B+"' in page
    assert not results(club)


@pytest.mark.parametrize(("margin", "result"), [("5.5", "B+5.5"), ("", "B+")])
def test_a_correction_begins_with_the_margin_and_changes_it(
    keeper: Client, club: Club, margin: str, result: str
) -> None:  # fmt: skip
    key = entered(club, result="B+3.5")
    form = text(keeper, f"/{club.slug}/games/{key}/correct/")
    assert 'value="3.5"' in field(form)
    assert re.search(r'<input type="radio" name="result" value="B\+"[^>]* checked', form)
    shown = send(keeper, club, f"{key}/correct/", margin=margin, preview="1").content.decode()
    assert ('value="5.5"' in field(shown)) == bool(margin)
    assert send(keeper, club, f"{key}/correct/", margin=margin).status_code == 302
    assert results(club) == [result]


def test_a_game_whose_colours_a_file_left_open_is_corrected_with_its_margin(keeper: Client, club: Club) -> None:
    key = entered(club, result="P1+3.5")
    form = text(keeper, f"/{club.slug}/games/{key}/correct/")
    assert "the first" in form
    assert send(keeper, club, f"{key}/correct/", result="P1+", margin="4.5").status_code == 302
    assert results(club) == ["P1+4.5"]
    assert send(keeper, club, f"{key}/correct/", result="P2+").status_code == 302
    assert results(club) == ["P2+"]
    for page in ("", f"{key}/", f"{key}/correct/"):  # nobody's colour is claimed
        shown = text(keeper, f"/{club.slug}/games/{page}")
        assert "the second" in shown
        assert "stone black" not in shown.partition("<main")[2]
    assert "First player" in text(keeper, f"/{club.slug}/games/{key}/")


EXPECTED = "a number of points such as 3.5, above 0 and no more than the board has"
ALONE = "Points belong to “Black won” and “White won” alone"


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        *[({"margin": margin}, EXPECTED) for margin in ("0", "-3", "362", "99999", "many", "R", "nan", "3.5.1")],
        ({"margin": "82", "size": "9"}, EXPECTED),
        ({"margin": "75", "size": "9", "komi": "6.5"}, EXPECTED),  # 81 less what Black gives
        *[({"margin": "3.5", "result": result}, ALONE) for result in ("B+R", "W+T", "W+F", "jigo", "void")],
    ],
)
def test_a_margin_that_cannot_be_is_refused_at_its_field_and_stays(
    keeper: Client, club: Club, fields: dict[str, str], why: str
) -> None:
    for more in ({}, {"preview": "1"}):
        answer = send(keeper, club, **fields, **more)
        assert answer.status_code == 200
        shown = field(answer.content.decode())
        assert why in shown
        assert f'value="{fields["margin"]}"' in shown
    key = entered(club, result="W+R")
    again = field(send(keeper, club, f"{key}/correct/", **fields).content.decode())
    assert why in again
    assert results(club) == ["W+R"]


def test_no_call_and_no_sheet_brings_a_margin_that_no_board_has(keeper: Client, club: Club) -> None:
    from handan.club.store.models import Role

    secretary = client_of(club, Role.SECRETARY)
    body = {**of_two(club), "result": "W+400", "date": "2026-05-01"}
    call = secretary.post(f"/api/clubs/{club.slug}/games", body, content_type="application/json")
    assert (call.status_code, call.json()["field"]) == (409, "margin")
    key = entered(club, result="W+R")
    call = secretary.patch(f"/api/clubs/{club.slug}/games/{key}", {"result": "B+0"}, "application/json")
    assert (call.status_code, call.json()["field"]) == (409, "margin")
    page = look(keeper, club, [("Ada", "Bo", "W+400"), ("Bo", "Ada", "W+3.5")])
    assert statuses(page) == ["fault", "ready"]
    assert EXPECTED in page


WORDS = {
    "de": ("Vorsprung in Punkten", "Schwarz mit 3,5", "eine Punktzahl wie 3,5"),
    "fr": ("Écart en points", "Noir de 3,5", "un nombre de points comme 3,5"),
    "ja": ("目差", "黒3目半勝ち", "3.5のような目数"),
    "ko": ("집 차이", "흑 3.5집승", "3.5와 같은 집 수"),
    "zh-hans": ("目差", "黑胜3目半", "如3.5的目数"),
    "zh-hant": ("目差", "黑勝3目半", "如3.5的目數"),
}


@pytest.mark.parametrize("language", WORDS)
def test_margins_are_asked_for_shown_and_refused_in_the_language_of_the_page(
    keeper: Client, club: Club, language: str
) -> None:  # fmt: skip
    label, shown, expected = WORDS[language]
    keeper.cookies["language"] = language
    assert f">{label}</label>" in text(keeper, f"/{club.slug}/games/new/")
    refused = field(send(keeper, club, margin="0").content.decode())
    assert expected in refused
    assert "Black won" not in field(send(keeper, club, margin="1", result="jigo").content.decode())
    assert shown in text(keeper, send(keeper, club, margin="3.5")["Location"])
