"""Changes that rate all games anew say how far they are on a page that needs no script, and lose nothing typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_pages import MakeClub, registered, signed_in

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

pytestmark = pytest.mark.extended

FORMS = ("rules", "card/edit", "who-is-who")


@pytest.fixture
def club(make_club: MakeClub) -> Club:
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    club = make_club("points", card="tokyo15")
    secretary = signed_in(club, Role.SECRETARY)
    ada, bo, _ = (registered(secretary, club, name, "5k") for name in ("Ada Lovelace", "Bo", "Ada Lovelase"))
    facts = {"black": ada, "white": bo, "result": "B+", "date": "2026-05-01", "kind": "club"}
    write(club, lambda state: changes.games.record_game(state, facts, today()), author="x")
    return club


@pytest.fixture
def administrator(club: Club) -> Client:
    from handan.club.store.models import Role

    return signed_in(club, Role.ADMINISTRATOR)


def typed(form: str) -> dict[str, str]:
    if form == "rules":
        return {"system": "elo", "since": "", "confirmation": "none", "reason": "we play in a league"}
    if form == "card/edit":
        return {"title": "Ours", "text": "0-4: even, 6.5\n5-9: 1, 0.5\n10-19: 2, 0.5", "tie": "jigo", "since": "",
                "reason": "it hangs on the wall"}  # fmt: skip
    return {"player": "Ada Lovelase", "into": "Ada Lovelace", "reason": "a slip of the pen"}


def pages_of(client: Client, club: Club, form: str, button: str, language: str = "en") -> list[str]:
    sent = {**typed(form), button: "1", "token": f"{form} {button}"}
    answer: Any = client.post(f"/{club.slug}/{form}/", sent, headers={"Accept-Language": language})
    assert answer.streaming, answer.content.decode()
    return [piece.decode() for piece in answer.streaming_content]


def number_of(club: Club) -> int:
    from handan.club.store.models import Club

    return Club.objects.get(pk=club.pk).number


def takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the work of a page be answered as one that takes long, however soon it ends."""
    from handan.web.pages import long_work
    from handan.web.pages.long_work import LongWork

    ended = LongWork.ended
    monkeypatch.setattr(long_work, "PATIENCE", -1.0)
    monkeypatch.setattr(LongWork, "ended", lambda work, seconds: seconds >= 0 and ended(work, seconds))


@pytest.mark.database
@pytest.mark.parametrize("form", FORMS)
def test_saving_says_that_it_is_written_and_what_follows(
    club: Club, administrator: Client, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    from threading import Event

    from handan.web.pages import long_work
    from handan.web.pages.saved import written

    before = number_of(club)
    takes_long(monkeypatch)
    monkeypatch.setattr(long_work, "STEP", 0.01)
    is_written, go_on = Event(), Event()

    def waits(here: Any, change: Any, token: Any, between: Any) -> Any:
        def after() -> None:
            between()
            is_written.set()
            assert go_on.wait(20)

        return written(here, change, token, after)

    monkeypatch.setattr(long_work, "written", waits)
    sent = {**typed(form), "save": "1", "token": form}
    answer: Any = administrator.post(f"/{club.slug}/{form}/", sent, headers={"Accept-Language": "de"})
    pieces = iter(answer.streaming_content)
    assert next(pieces).decode().startswith("<!doctype html>")
    assert is_written.wait(20)
    assert next(pieces).decode() == "<p>Es ist geschrieben. Partien, die nun gewertet werden: 1.</p>\n"
    assert number_of(club) == before + 1
    go_on.set()
    end = b"".join(pieces).decode()
    assert "✓" in end
    assert re.search(r'<a class="button" href="/[^"]+/(?:rules|card|who-is-who)/">', end)
    assert end.rstrip().endswith("</html>")


@pytest.mark.parametrize("form", FORMS)
def test_a_preview_that_takes_long_ends_in_the_form_with_all_that_was_typed(
    club: Club, administrator: Client, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:

    takes_long(monkeypatch)
    before = number_of(club)
    page = "".join(pages_of(administrator, club, form, "preview"))
    assert number_of(club) == before
    assert "would move" in page
    for text in typed(form).values():
        assert text.splitlines()[0] in page if text else True
    assert 'name="save"' in page


@pytest.mark.parametrize("form", FORMS)
def test_a_refusal_that_takes_long_ends_in_the_form_with_its_reason(
    club: Club, administrator: Client, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    from handan.errors import Clause, InputError
    from handan.web.pages import long_work

    takes_long(monkeypatch)

    def refused(*_: Any) -> Any:
        raise InputError(Clause.of("these rules hold already from that date; nothing was changed"))

    monkeypatch.setattr(long_work, "written", refused)
    page = "".join(pages_of(administrator, club, form, "save", "ja"))
    assert "these rules hold" not in page
    assert 'role="alert"' in page
    for text in typed(form).values():
        assert text.splitlines()[0] in page if text else True


@pytest.mark.database
def test_no_more_than_a_few_go_on_at_once_and_the_others_say_that_they_wait(
    club: Club, administrator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from threading import Event
    from time import monotonic, sleep

    from handan.web.pages import long_work
    from handan.web.pages.here import Here

    takes_long(monkeypatch)
    monkeypatch.setattr(long_work, "STEP", 0.01)
    begun, go_on, moved = list[int](), Event(), Here.moved

    def waits(self: Here, change: Any) -> Any:
        begun.append(1)
        assert go_on.wait(20)
        return moved(self, change)

    monkeypatch.setattr(Here, "moved", waits)
    sent = {**typed("who-is-who"), "preview": "1"}
    answers: list[Any] = [administrator.post(f"/{club.slug}/who-is-who/", sent) for _ in range(long_work.AT_ONCE + 2)]
    last = iter(answers[-1].streaming_content)
    next(last)
    assert "Other work that takes long is going on" in next(last).decode()
    end = monotonic() + 20
    while len(begun) < long_work.AT_ONCE and monotonic() < end:
        sleep(0.01)
    assert len(begun) == long_work.AT_ONCE
    go_on.set()
    for answer in answers[:-1]:
        assert "would move" in b"".join(answer.streaming_content).decode()
    assert "would move" in b"".join(last).decode()


@pytest.mark.database
@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_what_is_sent_twice_is_written_once_and_answered_alike(
    club: Club, administrator: Client, monkeypatch: pytest.MonkeyPatch, form: str, *, long: bool
) -> None:
    """As by a button that is pressed twice, or a page of progress that is loaded again."""
    from handan.web.pages import long_work

    if long:
        takes_long(monkeypatch)
    monkeypatch.setattr(long_work, "STEP", 0.01)
    before = number_of(club)
    for _ in range(2):
        sent = {**typed(form), "save": "1", "token": form}
        answer: Any = administrator.post(f"/{club.slug}/{form}/", sent)
        if long:
            assert "✓" in b"".join(answer.streaming_content).decode()
        else:
            assert answer.status_code == 302
        assert number_of(club) == before + 1


@pytest.mark.parametrize("form", FORMS)
def test_what_is_quick_is_answered_as_any_form(club: Club, administrator: Client, form: str) -> None:
    before = number_of(club)
    sent = {**typed(form), "token": form}
    looked: Any = administrator.post(f"/{club.slug}/{form}/", {**sent, "preview": "1"})
    assert (looked.status_code, looked.streaming) == (200, False)
    saved: Any = administrator.post(f"/{club.slug}/{form}/", {**sent, "save": "1"}, follow=True)
    assert saved.redirect_chain
    assert number_of(club) == before + 1
    assert ("Undo" in saved.content.decode()) == (form == "who-is-who")
