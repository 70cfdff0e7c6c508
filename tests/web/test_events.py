"""Events of a club: files of tournaments enter them, pages and calls show them, and they can be taken out."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from handan.ledger import Rest
from tests.web.test_entering import client_of

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

FIRST_ROUND = """; TC[T260503A]
; CL[B]
; EV[Lake Cup]
; PC[SE, Umea]
; DT[2026-05-02,2026-05-03]
; KM[6.5]
; CM[invented]
 1 Lindqvist Ada   3d SE Ume  1   3+/w0  2?/b0  |10000001
 2 Tan Bo          2d SE Ume  1   4+/b0  1?/w0  |10000002
 3 Moor Cy         1d GB Ldn  0   1-/b0  0+     |10000003
 4 Ruiz Dee        1k ES Mad  0   2-/w0  0-
 5 Nemo Eve        5k SE Ume  0   0-     0-
"""
BOTH_ROUNDS = FIRST_ROUND.replace("2?/b0", "2+/b0").replace("1?/w0", "1-/w0").replace("Ume  1   3+", "Ume  2   3+")


def upload(client: Client, club: Club, content: str, name: str = "cup.h9") -> Any:
    """Send a file of a tournament, confirm what was read of it, and return the page that follows."""
    path = f"/{club.slug}/games/sheet/"
    read = client.post(path, {"file": SimpleUploadedFile(name, content.encode()), "date": "2026-05-09"})
    page = read.content.decode()
    form = next((part for part in page.split("<form") if 'name="save"' in part), "")
    if not form:
        return read
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    sent |= {"save": "1", "newcomers": "1", "text": re.search(r'name="text" value="([^"]*)"', form)[1]}  # type: ignore[index]
    return client.post(path, {name: html.unescape(value) for name, value in sent.items()}, follow=True)


@pytest.fixture
def keeper_of_cup(make_club: Callable[..., Club]) -> tuple[Club, Client]:
    """Return a club with a tournament of two days after its first round, and its keeper."""
    from handan.club.store.models import Role

    club = make_club("egf")
    keeper = client_of(club, Role.SECRETARY)
    answer = upload(keeper, club, FIRST_ROUND)
    assert answer.status_code == 200, answer.content.decode()
    return club, keeper


def test_a_file_of_a_tournament_enters_it_with_all_who_take_part(keeper_of_cup: tuple[Club, Client]) -> None:
    from handan.club.store.cache import state_of

    state = state_of(keeper_of_cup[0])
    [club_event] = state.events.values()
    event = club_event.event(lambda key: state.labels[key])
    assert (event.name, str(event.first), str(event.last), event.rounds) == ("Lake Cup", "2026-05-02", "2026-05-03", 2)
    assert (event.country, event.city, event.code, event.kind) == ("SE", "Umea", "T260503A", "tournament-b")
    assert [each.player.name for each in event.participants] == [
        "Lindqvist Ada", "Tan Bo", "Moor Cy", "Ruiz Dee", "Nemo Eve",
    ]  # fmt: skip
    assert dict(event.participants[2].rests) == {2: Rest.BYE}
    assert (event.participants[2].player.country, event.participants[2].player.club) == ("GB", "Ldn")
    assert [(each.round, each.black, each.white) for each in event.pairings] == [(2, "Lindqvist Ada", "Tan Bo")]
    assert state.games.height == 2


def test_the_file_of_the_next_round_adds_what_is_new_and_changes_the_event(keeper_of_cup: tuple[Club, Client]) -> None:
    from handan.club.store.cache import state_of
    from handan.club.store.models import Entry

    club, keeper = keeper_of_cup
    before = state_of(club).number
    upload(keeper, club, BOTH_ROUNDS)
    state = state_of(club)
    kinds = list(Entry.objects.filter(club=club, number__gt=before).order_by("number").values_list("kind", flat=True))
    assert kinds == ["event changed", "game recorded", "sheet entered"]
    assert next(iter(state.events.values())).event().pairings == ()
    assert state.games.height == 3
    assert "nothing was changed" in upload(keeper, club, BOTH_ROUNDS).content.decode()
    assert state_of(club).number == state.number


def test_what_a_file_brought_is_taken_back_with_its_event(keeper_of_cup: tuple[Club, Client]) -> None:
    from handan.club.store.cache import state_of

    club, keeper = keeper_of_cup
    first = min(entry.number for entry in _entries(club) if entry.kind == "player registered")
    last = state_of(club).number
    keeper.post(f"/{club.slug}/undo/", {"entries": f"{first}-{last}"})
    state = state_of(club)
    assert [event.withdrawn for event in state.events.values()] == [True]
    assert set(state.games["status"]) == {1}


def _entries(club: Club) -> Any:
    from handan.club.store.models import Entry

    return Entry.objects.filter(club=club)
