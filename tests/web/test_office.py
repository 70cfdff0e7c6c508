"""Running a club from the pages: founding, name, colour, language, the log open or not, and ledgers brought back."""

from __future__ import annotations

import gc
import gzip
import io
import json
import re
import threading
import weakref
from threading import Event
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from tests.web.test_long_changes import takes_long
from tests.web.test_pages import registered, signed_in, text
from tests.web.test_roles import routes

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

pytestmark = pytest.mark.database

DESCRIBED = {"name": "Club under test", "language": "", "colour": ""}


@pytest.fixture
def administrator(club: Club) -> Client:
    from handan.club.store.models import Role

    return signed_in(club, Role.ADMINISTRATOR)


def new_slug() -> str:
    return f"made-{uuid4().hex[:8]}"


def test_an_administrator_makes_a_federation_with_a_club_and_hands_over_a_link(administrator: Client) -> None:
    from django.test import Client

    from handan.club.store.models import Club, Membership, Role

    above, slug = new_slug(), new_slug()
    fields = {"system": "points", "language": "ja", "zone": "Asia/Tokyo"}
    answer = administrator.post("/clubs/new/", {**fields, "name": "連盟", "slug": above})
    assert "you are its administrator" in text(answer)
    answer = administrator.post("/clubs/new/", {**fields, "name": "桜", "slug": slug, "federation": above})
    link = re.findall(r"/join/[^<\s]+/", answer.content.decode())[0]
    made = Club.objects.get(slug=slug)
    assert made.federation is not None
    assert (made.federation.slug, made.language, made.zone) == (above, "ja", "Asia/Tokyo")
    secretary = Client()
    join = {"username": f"first-{slug}", "password": "a long enough phrase", "again": "a long enough phrase"}
    assert secretary.post(link, join).status_code == 302
    assert Membership.objects.get(club=made, user__username=f"first-{slug}").role == Role.SECRETARY
    assert secretary.get(f"/{slug}/members/").status_code == 200
    assert secretary.get("/clubs/new/").status_code == 403
    assert administrator.get(f"/{slug}/office/").status_code == 200
    administrator.cookies["language"] = "en"
    log = text(administrator.get(f"/{slug}/log/"))
    assert "language: – → 日本語" in log
    assert "zone: – → Asia/Tokyo" in log


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"slug": "account"}, "no address of another page"),
        ({"slug": "Ä"}, "small letters"),
        ({"zone": "Tokyo"}, "a zone such as Asia/Tokyo"),
        ({"federation": "nowhere"}, "Select a valid choice"),
        ({"name": "\u200b"}, "name"),
    ],
)
def test_a_club_that_cannot_be_made_leaves_nothing_and_loses_nothing_typed(
    administrator: Client, fields: dict[str, str], fault: str
) -> None:
    from handan.club.store.models import Club

    number, slug = Club.objects.count(), new_slug()
    typed = {"system": "egf", "name": "Typed with care", "slug": slug, "language": "ko", **fields}
    answer = administrator.post("/clubs/new/", typed)
    assert fault in text(answer)
    assert "Typed with care" in answer.content.decode() or "name" in fields
    assert Club.objects.count() == number


def test_only_administrators_make_clubs_and_bring_ledgers(club: Club) -> None:
    from django.test import Client

    from handan.club.store.models import Club, Role

    number = Club.objects.count()
    for role in Role:
        client = signed_in(club, role)
        for path, fields in (
            ("/clubs/new/", {"name": "x", "slug": new_slug(), "system": "egf"}),
            ("/clubs/import/", {}),
        ):
            status = client.post(path, fields).status_code
            assert status == (200 if role is Role.ADMINISTRATOR else 403), (role, path)
            assert Client().post(path, fields).status_code == (403 if fields else 302)  # the sign-in, or the way to it
    assert Club.objects.count() == number + 1


def with_slug(packed: bytes, slug: str) -> bytes:
    """Return a ledger, unpacked, as one of another address."""
    head, *entries = gzip.decompress(packed).splitlines(keepends=True)
    renamed = {name: value for name, value in json.loads(head).items() if name not in {"key", "signature"}}
    return json.dumps({**renamed, "club": slug}).encode() + b"\n" + b"".join(entries)


def test_a_taken_out_ledger_is_brought_back_by_a_page(club: Club, administrator: Client) -> None:
    from handan.club.store.models import Club
    from handan.club.store.states import state_of

    registered(administrator, club, "Ada", "3d")
    administrator.post(f"/{club.slug}/office/", {**DESCRIBED, "colour": "#1f4a7c", "language": "ko"})
    taken = b"".join(administrator.get(f"/{club.slug}/ledger.jsonl.gz").streaming_content)  # type: ignore[attr-defined]
    slug = new_slug()
    moved = with_slug(taken, slug)
    answer = administrator.post("/clubs/import/", {"ledger": io.BytesIO(moved)})
    assert answer.status_code == 302, text(answer)
    again = Club.objects.get(slug=slug)
    assert (again.colour, again.language, again.number) == ("#1f4a7c", "ko", state_of(club).number + 1)
    assert [person.name for person in state_of(again).people.values()] == ["Ada"]
    assert "is here already" in text(administrator.post("/clubs/import/", {"ledger": io.BytesIO(taken)}))
    damaged = io.BytesIO(moved.replace(slug.encode(), new_slug().encode()).replace(b"Ada", b"Eve"))
    assert "entry" in text(administrator.post("/clubs/import/", {"ledger": damaged}))
    for wrong in (b"x", b"\x1f\x8bbroken", taken[:200]):
        assert administrator.post("/clubs/import/", {"ledger": io.BytesIO(wrong)}).status_code == 200


def test_a_large_ledger_says_how_far_it_is_on_a_page_that_needs_no_script(
    club: Club, administrator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store import founding as store
    from handan.club.store.founding import found_by_ledger as whole
    from handan.club.store.models import Club
    from handan.web.pages import founding, long_work

    registered(administrator, club, "Ada", "3d")
    taken = b"".join(administrator.get(f"/{club.slug}/ledger.jsonl.gz").streaming_content)  # type: ignore[attr-defined]
    ledger = with_slug(taken, slug := new_slug())
    takes_long(monkeypatch)
    monkeypatch.setattr(store, "EVERY", 1)
    seen, go_on = Event(), Event()

    def slow(user: Any, stream: Any, *, report: Any) -> Any:
        def reported(*given: Any) -> None:
            report(*given)
            seen.set()
            assert go_on.wait(20)

        return whole(user, stream, report=reported)

    monkeypatch.setattr(founding, "found_by_ledger", slow)
    monkeypatch.setattr(long_work, "STEP", 0.01)
    answer: Any = administrator.post(
        "/clubs/import/", {"ledger": io.BytesIO(ledger)}, headers={"Accept-Language": "de"}
    )
    pieces = iter(answer.streaming_content)
    head = next(pieces).decode()
    assert head.startswith("<!doctype html>")
    assert "Die Arbeit geht weiter".lower() in head.lower()
    assert seen.wait(60)
    number = len(gzip.decompress(taken).splitlines()) - 1
    assert next(pieces).decode() == f"<p>1 von {number} Einträgen geprüft</p>\n"
    assert not Club.objects.filter(slug=slug).exists()  # whole or not at all
    go_on.set()
    end = b"".join(pieces).decode()
    assert f'href="/{slug}/office/"' in end
    assert end.rstrip().endswith("</html>")
    assert Club.objects.get(slug=slug).number == number + 1
    monkeypatch.setattr(founding, "found_by_ledger", whole)
    again: Any = administrator.post("/clubs/import/", {"ledger": io.BytesIO(ledger)})
    refused = b"".join(again.streaming_content).decode()
    assert "is here already" in refused
    assert 'href="/clubs/import/"' in refused


def test_who_leaves_while_a_ledger_is_brought_finds_it_there(
    club: Club, administrator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store.models import Club

    taken = b"".join(administrator.get(f"/{club.slug}/ledger.jsonl.gz").streaming_content)  # type: ignore[attr-defined]
    takes_long(monkeypatch)
    ledger = with_slug(taken, slug := new_slug())
    answer: Any = administrator.post("/clubs/import/", {"ledger": io.BytesIO(ledger)})
    next(iter(answer.streaming_content))
    answer.close()
    for thread in threading.enumerate():
        if thread.name == "long work":
            thread.join(60)
    assert Club.objects.get(slug=slug).number


@pytest.mark.parametrize(
    ("refused", "words"),
    [
        ("database is locked", "Gerade schreiben andere"),
        ("database or disk is full", "Die Festplatte des Servers ist voll"),
    ],
)
def test_a_database_that_refuses_a_ledger_is_named_at_the_end_of_its_page(
    administrator: Client, monkeypatch: pytest.MonkeyPatch, refused: str, words: str
) -> None:
    from django.db import OperationalError

    from handan.club.store import database
    from handan.web.pages import founding

    def refuse(*_: Any, **__: Any) -> None:
        raise OperationalError(refused)

    monkeypatch.setattr(founding, "found_by_ledger", refuse)
    takes_long(monkeypatch)
    answer: Any = administrator.post("/clubs/import/", {"ledger": io.BytesIO(b"x")}, headers={"Accept-Language": "de"})
    page = b"".join(answer.streaming_content).decode()
    assert words in page
    assert page.rstrip().endswith("</html>")
    database.note_success()


def test_a_ledger_that_is_damaged_is_refused_in_the_language_of_the_page(club: Club, administrator: Client) -> None:
    from handan.club.store.models import Club

    registered(administrator, club, "Ada", "3d")
    taken = b"".join(administrator.get(f"/{club.slug}/ledger.jsonl.gz").streaming_content)  # type: ignore[attr-defined]
    ledger = with_slug(taken, slug := new_slug())
    flipped = bytearray(gzip.compress(ledger))
    flipped[12:40] = bytes(28)
    wrong = {
        "das gepackte Register ist beschädigt": bytes(flipped),
        "kein Register, das Handan exportiert hat": b"{}\n",
        "je Zeile ein JSON-Objekt": b"x",
        "sie wurde abgeschnitten": ledger[: ledger[:-1].rindex(b"\n") + 1],
    }
    for words, data in wrong.items():
        answer = administrator.post("/clubs/import/", {"ledger": io.BytesIO(data)}, headers={"Accept-Language": "de"})
        assert answer.status_code == 200
        assert words in text(answer)
    assert not Club.objects.filter(slug=slug).exists()


@pytest.mark.parametrize("refused", [False, True])
def test_nothing_of_long_work_stays_in_memory_when_it_has_ended(*, refused: bool) -> None:
    from handan.errors import InputError
    from handan.web.pages.long_work import LongWork

    class Large:
        """What a work reads."""

    seen: list[weakref.ref[Large]] = []

    def work(_: Any) -> Large:
        read = Large()
        seen.append(weakref.ref(read))
        if refused:
            raise InputError("no")
        return read

    gc.disable()  # so that what only holds itself is still seen
    try:
        begun = LongWork(work)
        assert begun.ended(60)
        try:
            begun.made()
        except InputError:
            assert refused
        assert seen[0]() is None
    finally:
        gc.enable()


def test_the_office_says_in_the_log_who_changed_what_from_what_to_what(club: Club, administrator: Client) -> None:
    from django.test import Client

    home = f"/{club.slug}/"
    wishes = {"name": "Lake Club", "language": "de", "colour": "#2F5D3A", "reason": "the meeting"}
    openness = {"openness": "2", "open_log": "on", "reason": "asked for by members"}
    assert Client().get(f"{home}log.json").status_code in {302, 403}
    assert administrator.post(f"{home}office/", wishes).status_code == 302
    assert administrator.post(f"{home}visitors/", openness).status_code == 302
    shown = text(Client().get(f"{home}log/", headers={"accept-language": "en"}))
    assert Client().get(f"{home}log.json").status_code == 200
    administrator.cookies["language"] = "en"
    shown = text(administrator.get(f"{home}log/"))
    assert "name: Club under test → Lake Club" in shown
    assert "colour: – → #2f5d3a" in shown
    assert "the meeting" in shown
    assert "asked for by members" in shown
    assert "the club says so already" in text(administrator.post(f"{home}office/", wishes))
    style = administrator.get(f"{home}style.css")
    assert style["Content-Type"].startswith("text/css")
    assert "--seal: #2f5d3a" in style.content.decode()
    assert f"{home}style.css" in administrator.get(home).content.decode()
    pale = administrator.post(f"{home}office/", {**wishes, "colour": "#ffee88"})
    assert "dark enough" in text(pale)
    assert "#ffee88" in pale.content.decode()


def test_the_log_tells_settings_cards_games_players_and_members_with_names(club: Club, administrator: Client) -> None:
    home = f"/{club.slug}/"
    one, other = (registered(administrator, club, name, "1d") for name in ("Ada", "Bo"))
    game = {"black": "Ada", "white": "Bo", "result": "B+R", "date": "2026-05-01"}
    key = administrator.post(f"{home}games/new/", game)["Location"].rstrip("/").split("/")[-1]
    administrator.post(f"{home}games/{key}/correct/", {**game, "result": "W+R", "reason": "misread"})
    administrator.post(f"{home}players/{other}/edit/", {"name": "Bo Berg"})
    rules = {"system": "points", "confirmation": "loser", "set-card": "tokyo15", "since": "2026-06-01"}
    administrator.post(f"{home}rules/", rules)
    own = {"title": "Ours", "tie": "jigo", "text": "0–9: even, Black gives 6.5\n10–40: 2 stones, no komi", "save": "1",
           "since": "2026-06-01", "as_it_is": "on"}  # fmt: skip
    assert administrator.post(f"{home}card/edit/", own).status_code == 302
    shown = text(administrator.get(f"{home}log/"))
    for words in ("result: Black by resignation → White by resignation", "Ada – Bo Berg", "name: Bo → Bo Berg",
                  "system: South African Go Clubs → Points cards of Japanese clubs",
                  "confirmation: a game counts as soon as it is entered → a game entered by a player counts once",
                  "card: Tokyo clubs, 15 points a stone → Ours"):  # fmt: skip
        assert words in shown, words
    entry = max(map(int, re.findall(rf"{home}log/(\d+)/", administrator.get(f"{home}log/").content.decode())))
    whole = text(administrator.get(f"{home}log/{entry}/"))
    assert "1: Black first, Black gives 5.5 → Even game, Black gives 6.5" in whole
    assert one


def test_no_club_takes_the_address_of_another_page(database: str) -> None:
    from django.urls import get_resolver

    from handan.club.changes.club_facts import RESERVED

    first = {str(pattern.pattern).split("/")[0] for pattern in get_resolver().url_patterns}
    first |= {str(pattern.pattern).split("/")[0] for _, pattern in routes()}
    assert {name for name in first if re.fullmatch(r"[a-z][a-z0-9-]*", name)} <= RESERVED


def test_a_page_speaks_what_the_person_chose_else_the_club_else_the_browser(club: Club, administrator: Client) -> None:
    from django.test import Client

    def language(client: Client, **headers: str) -> str:
        page = client.get(f"/{club.slug}/", headers={name.replace("_", "-"): value for name, value in headers.items()})
        return str(re.findall(r'<html lang="([^"]+)"', page.content.decode())[0])

    visitor = Client()
    assert language(visitor, accept_language="fr") == "fr"
    assert administrator.post(f"/{club.slug}/office/", {**DESCRIBED, "language": "ja"}).status_code == 302
    assert language(visitor, accept_language="fr") == "ja"
    visitor.post("/account/language/", {"language": "de", "next": "/"})
    assert language(visitor, accept_language="fr") == "de"
    administrator.post("/account/language/", {"language": "ko", "next": "/"})
    del administrator.cookies["language"]
    assert language(administrator, accept_language="fr") == "ko"  # kept with the account


def test_the_language_of_an_account_is_that_of_its_browser_after_signing_in_and_of_its_mails(club: Club) -> None:
    from django.core import mail
    from django.test import Client, override_settings

    from handan.club.store.accounts import set_language
    from handan.club.store.members import new_account
    from handan.web.mail import mail_links

    name = f"speaks-{uuid4().hex[:8]}"
    user = new_account(name, "a long enough phrase")
    type(user).objects.filter(pk=user.pk).update(email=f"{name}@example.org")
    set_language(user, "de")
    client = Client()
    client.post("/sign-in/", {"username": name, "password": "a long enough phrase"})
    assert client.cookies["language"].value == "de"
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend"):
        mail.outbox = []
        mail_links(f"{name}@example.org").join()
    assert [letter.subject for letter in mail.outbox] == ["Handan: ein neues Passwort"]


def test_a_backup_and_its_test_stand_in_the_office(club: Club, administrator: Client) -> None:
    from handan.club.store.backup import note_backup

    note_backup(1234, "monday.db")
    shown = text(administrator.get(f"/{club.slug}/office/"))
    assert "monday.db" in shown
    assert "its 1234 entries were verified by replay" in shown


def test_colours_that_pass_can_be_read_light_and_dark() -> None:
    """The limits of WCAG 2.2: 4.5 for text on the colour, 3 for the colour on paper, in both schemes."""
    from handan.club.changes.club_facts import (
        DARK_PAPER,
        DARK_TEXT,
        LIGHT_TEXT,
        PAPER,
        PROPOSED,
        checked_colour,
        contrast,
        on_dark,
    )

    numbers: list[Any] = [contrast("#000000", "#ffffff"), contrast("#777777", "#ffffff")]
    assert numbers == [pytest.approx(21.0), pytest.approx(4.48, abs=0.01)]  # as published for these greys
    for colour in (*PROPOSED, "#000000", "#0000ff", "#767676"):
        assert checked_colour(colour.upper()) == colour
        assert min(contrast(colour, LIGHT_TEXT) / 4.5, contrast(colour, PAPER) / 3) >= 1
        assert min(contrast(on_dark(colour), DARK_TEXT) / 4.5, contrast(on_dark(colour), DARK_PAPER) / 3) >= 1
