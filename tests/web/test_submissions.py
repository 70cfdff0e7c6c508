"""A director who may not enter results submits a file: it is shown, accepted or returned, and both have a receipt."""

from __future__ import annotations

import html
import json
import re
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import ROOT
from tests.web.test_entering import client_of
from tests.web.test_passwords import mailing  # noqa: F401  # a fixture
from tests.web.test_sheet_questions import hidden

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

CUP = """; CL[B]
; EV[Lake Cup]
; PC[SE, Ume]
; DT[2026-05-01]
1 Lindqvist Ada 3d SE Ume 0 2+ |10000017
2 Weiss Bo 1k DE Kob 0 1- |10000018
"""


@pytest.fixture
def director(club: Club) -> Client:
    from handan.club.store.models import Role

    return client_of(club, Role.PLAYER)


@pytest.fixture
def keeper(club: Club) -> Client:
    from handan.club.store.models import Role

    return client_of(club, Role.KEEPER)


def page_of(client: Client, path: str, form: dict[str, Any] | None = None) -> str:
    answer = client.get(path) if form is None else client.post(path, form, follow=True)
    assert answer.status_code == 200, path
    return re.sub(r"\s+", " ", html.unescape(answer.content.decode()))


def looked_at(client: Client, club: Club, text: str = CUP, name: str = "cup.h9") -> str:
    from django.core.files.uploadedfile import SimpleUploadedFile

    return page_of(client, f"/{club.slug}/submissions/", {"file": SimpleUploadedFile(name, text.encode())})


def submitted(client: Client, club: Club, text: str = CUP, **more: str) -> str:
    """Submit a file as a director does; the path of its page."""
    form = hidden(looked_at(client, club, text)) | {"send": "1", **more}
    answer = client.post(f"/{club.slug}/submissions/", form)
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"])


def games_of(club: Club) -> int:
    from handan.club.store.states import state_of

    return len(state_of(club).ledger)


def row_of(path: str) -> Any:
    from handan.club.store.models import Submission

    return Submission.objects.get(pk=int(path.strip("/").rpartition("/")[2]))


def test_a_director_sees_what_a_file_says_before_it_is_submitted(club: Club, director: Client) -> None:
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Submission
    from handan.club.store.writing import write

    ada, cy = (
        write(club, lambda s, n=name: changes.players.register_player(s, {"name": n}), author="x")[0].subject  # type: ignore[misc]
        for name in ("Lindqvist Ada", "Cy")
    )
    for key in (ada, cy):
        write(club, lambda s, k=key: changes.players.adjust(s, k, {"rank": "5k"}, today(), "entry"), author="x")  # type: ignore[misc]
    write(
        club, lambda s: changes.games.record_game(s, {"black": ada, "white": cy, "result": "B+"}, today()), author="x"
    )
    shown = looked_at(director, club)
    assert "1 game read" in shown
    assert "Lake Cup" in shown
    assert "tournament, class B" in shown
    assert '<th class="n">Round</th>' in shown
    assert "1 player is new here" in shown
    assert "Weiss Bo (1k, egd:10000018, Kob, DE)" in shown
    assert "3d in the file, 5k on the list" in shown
    assert "would move" in shown
    assert not Submission.objects.filter(club=club).exists()
    director.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    assert "Weiss Bo (1. Kyu, egd:10000018, Kob, DE)" in looked_at(director, club)


def test_ratings_of_newcomers_that_a_file_declares_are_told_and_not_taken(club: Club, director: Client) -> None:
    text = (ROOT / "tests/samples/cup.xml").read_text(encoding="utf-8")
    rated = text.replace('rank="3D"', 'rank="3D" rating="2250" ratingOrigin="EGF : 2250"')
    remark = "1 newcomer has a rating in this file, which sets none here: newcomers enter by their ranks"
    assert remark in looked_at(director, club, rated, "cup.xml")
    assert remark not in looked_at(director, club, text, "cup.xml")
    path, data = f"/api/clubs/{club.slug}/submissions?name=cup.xml&preview=true", rated.encode()
    headers = {"X-CSRFToken": "x"}
    answer = director.post(path, data, content_type="application/octet-stream", headers=headers).json()
    assert [problem for problem in answer["report"]["problems"] if remark in problem]


@pytest.mark.database
def test_nothing_counts_before_a_keeper_accepts_it_and_the_log_says_who_did_what(
    club: Club, director: Client, keeper: Client
) -> None:
    from handan.club.store.models import Entry
    from handan.club.store.states import state_of

    path = submitted(director, club, note="Round 2 was not played.")
    assert games_of(club) == 0
    assert "1 file waits to be accepted" in page_of(keeper, f"/{club.slug}/start/")
    assert "Round 2 was not played." in page_of(keeper, path)
    refused = page_of(keeper, path, {"save": "1"})
    assert "nobody here is called" in refused  # newcomers are registered only if somebody says so
    form = {"save": "1", "newcomers": "on", "token": "accepts-once"}
    assert keeper.post(path, form).status_code == 302
    assert keeper.post(path, form).status_code == 302  # a button that is pressed twice
    assert games_of(club) == 1
    people = {person.name: (person.country, person.ids) for person in state_of(club).people.values()}
    assert people["Weiss Bo"] == ("DE", ("egd:10000018",))
    row = row_of(path)
    entries = Entry.objects.filter(club=club, number__gte=row.first_entry, number__lte=row.last_entry)
    assert [entry.kind for entry in entries] == ["player registered"] * 2 + [
        "event entered", "game recorded", "sheet entered"
    ]  # fmt: skip
    assert {entry.author for entry in entries} == {row.decided_by.get_username()}
    assert [entry.reason for entry in entries][-1] == f"submitted by {row.sender.get_username()}"
    assert row.data is None  # the ledger has it
    receipt = page_of(director, path)
    assert f"{row.decided_by.get_username()} has accepted Lake Cup" in receipt
    assert "Accept and enter all" not in receipt
    late = keeper.post(path, {"return": "1", "word": "too late"})
    assert (late.status_code, "dealt with already" in late.content.decode()) == (400, True)


def test_a_keeper_changes_the_text_before_it_is_accepted(club: Club, director: Client, keeper: Client) -> None:
    from handan.club.store.states import state_of

    path = submitted(director, club)
    page = keeper.get(path).content.decode()
    text = html.unescape(re.search(r'<textarea id="changed" name="text"[^>]*>([^<]*)', page)[1])  # type: ignore[index]
    kept = {name: html.unescape(value) for name, value in re.findall(r'name="(people|events)" value="([^"]*)"', page)}
    shown = keeper.post(path, {**kept, "text": text.replace("Weiss Bo", "Weiss Bob")}).content.decode()
    assert "Weiss Bob" in shown
    again = {name: html.unescape(value)
             for name, value in re.findall(r'name="(text|people|events|token)" value="([^"]*)"', shown)}  # fmt: skip
    assert keeper.post(path, {**again, "save": "1", "newcomers": "on"}).status_code == 302
    assert "Weiss Bob" in {person.name for person in state_of(club).people.values()}


@pytest.mark.parametrize("bad", ["Cox Cy,Weiss Bo,nobody", "Cox Cy"])
def test_a_text_with_a_line_that_cannot_be_read_stays_as_it_was_typed(
    club: Club, director: Client, keeper: Client, bad: str
) -> None:
    path = submitted(director, club)
    for text in (f"black,white,result\nCox Cy,Weiss Bo,B+\n{bad}", f"black,white,result\n{bad}"):
        shown = page_of(keeper, path, {"text": text, "people": "", "events": ""})
        changed = re.search(r'<textarea id="changed" name="text"[^>]*>([^<]*)', shown)
        assert changed
        assert html.unescape(changed[1]).split() == text.split()


@pytest.mark.database
def test_a_file_goes_back_with_a_word_and_can_be_submitted_again(club: Club, director: Client, keeper: Client) -> None:
    from handan.club.store.models import Role

    path = submitted(director, club)
    assert "This field is required" in page_of(keeper, path, {"return": "1", "word": ""})
    page_of(keeper, path, {"return": "1", "word": "Bo is a 2 dan."})
    assert "Bo is a 2 dan." in page_of(director, path)
    assert games_of(club) == 0
    assert row_of(path).data is None
    home = f"/{club.slug}/start/"
    assert "has returned Lake Cup" in page_of(director, home)
    assert "Bo is a 2 dan." in page_of(director, home)
    assert "Bo is a 2 dan." not in page_of(client_of(club, Role.PLAYER), home)
    assert submitted(director, club, CUP.replace("1k", "2d")) != path
    assert "has returned" not in page_of(director, home)


def test_the_receipt_leads_on_to_the_event_or_to_another_file(club: Club, director: Client, keeper: Client) -> None:
    from handan.club.store.states import state_of

    path, other = submitted(director, club), submitted(director, club, CUP.replace("Lake Cup", "Sea Cup"))
    assert 'class="button" href' not in director.get(path).content.decode().partition("<main")[2]
    page_of(keeper, path, {"return": "1", "word": "Who is 3?"})
    again = f'href="/{club.slug}/submissions/">Submit the corrected file</a>'
    assert again in page_of(director, path)
    assert again not in page_of(keeper, path)
    page_of(keeper, other, {"save": "1", "newcomers": "on"})
    event = next(iter(state_of(club).events))
    for client in (director, keeper):
        assert f'<dt>Event</dt> <dd><a href="/{club.slug}/events/{event}/">Sea Cup</a>' in page_of(client, other)
    keeper.post(f"/{club.slug}/events/{event}/withdraw/", {"reason": "a wrong file"})
    assert "<dt>Event</dt>" not in page_of(director, other)


MISSING = {
    "en": "File is missing; needed: a file",
    "de": "Datei fehlt; erwartet: eine Datei",
    "fr": "Fichier : il manque un fichier",
    "ja": "ファイルがありません。必要なもの：ファイル",
    "ko": "파일이(가) 비어 있습니다. 필요한 것: 파일",
    "zh-hans": "缺少文件，需要文件",
    "zh-hant": "缺少檔案，需要檔案",
}


@pytest.mark.parametrize(("language", "words"), MISSING.items())
def test_what_was_not_sent_is_said_to_be_missing(club: Club, director: Client, language: str, words: str) -> None:
    director.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    shown = page_of(director, f"/{club.slug}/submissions/", {"note": "Both days"})
    assert words.casefold() in shown.casefold()
    assert "Both days" in shown


@pytest.mark.database
def test_who_decides_sees_among_the_clubs_where_files_wait(
    club: Club, director: Client, make_club: Callable[..., Club]
) -> None:
    from handan.club.store.models import Role

    federation = make_club("egf")
    officer = client_of(federation, Role.OFFICER)
    club.federation = federation
    club.save()
    submitted(director, club)
    shown = page_of(officer, "/")
    assert re.findall(r"(\d+ files? waits? to be accepted)", shown) == ["1 file waits to be accepted"]
    assert f'href="/{club.slug}/submissions/"><strong>' in shown
    officer.defaults["HTTP_ACCEPT_LANGUAGE"] = "ja"
    assert "承認待ちのファイル" in page_of(officer, "/")
    assert "waits to be accepted" not in page_of(director, "/")


@pytest.mark.database
def test_a_director_takes_back_and_sees_only_what_they_sent(club: Club, director: Client, keeper: Client) -> None:
    from handan.club.store.models import Role

    path = submitted(director, club)
    other = client_of(club, Role.PLAYER)
    assert other.get(path).status_code == 403
    assert "Lake Cup" not in page_of(other, f"/{club.slug}/submissions/")
    assert other.post(path, {"take-back": "1"}).status_code == 403
    assert keeper.post(path, {"take-back": "1"}).status_code == 403
    for form in ({"save": "1", "newcomers": "on"}, {"return": "1", "word": "x"}):
        assert director.post(path, form).status_code == 403
        assert games_of(club) == 0
    page_of(director, path, {"take-back": "1"})
    assert "taken back" in page_of(keeper, f"/{club.slug}/submissions/").casefold()
    assert "1 file waits" not in page_of(keeper, f"/{club.slug}/start/")


@pytest.mark.database
def test_who_comes_too_late_is_told_what_became_of_the_file_and_sees_what_they_typed(
    club: Club, director: Client, keeper: Client
) -> None:
    path = submitted(director, club)
    assert keeper.post(path, {"token": "first", "take-back": "1"}).status_code == 403  # is for who submitted it
    returned = {"token": "second", "return": "1", "word": "Who is 3?"}
    for _ in range(2):  # the button pressed twice
        assert keeper.post(path, returned).status_code == 302
    for client, late, typed in (
        (director, {"token": "first", "take-back": "1"}, ""),
        (keeper, {"token": "third", "return": "1", "word": "Too late"}, "Too late"),
        (keeper, {"token": "fourth", "save": "1", "text": "date,black,white"}, "date,black,white"),
    ):
        answer = client.post(path, late)
        page = html.unescape(answer.content.decode())
        assert (answer.status_code, "his file was dealt with already: returned" in page) == (400, True)
        assert typed in page
    assert games_of(club) == 0


@pytest.mark.database
def test_files_are_limited_by_size_and_number(club: Club, director: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from handan.club.service import submissions as service
    from handan.club.store import submissions as store

    monkeypatch.setattr(store, "MOST_WAITING", 1)
    submitted(director, club)
    form = hidden(looked_at(director, club)) | {"send": "1"}
    assert "too many files wait" in html.unescape(director.post(f"/{club.slug}/submissions/", form).content.decode())
    monkeypatch.setattr(service, "MOST_SUBMISSION", 50)
    assert "at most 50 bytes" in looked_at(director, club)


def test_several_files_are_refused_by_their_names_and_the_note_stays(
    club: Club, director: Client, keeper: Client
) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    for client, path, field in ((director, "submissions", "note"), (keeper, "games/sheet", "text")):
        files = [SimpleUploadedFile(name, CUP.encode()) for name in ("first.h9", "second.h9")]
        shown = page_of(client, f"/{club.slug}/{path}/", {"file": files, field: "Both days"})
        assert "first.h9, second.h9" in shown, path
        assert "one file, or a zip of several" in shown, path
        assert "Both days" in shown, path
    assert games_of(club) == 0


@pytest.mark.database
def test_what_names_a_forgotten_sender_goes(club: Club, keeper: Client) -> None:
    from handan.club import changes
    from handan.club.service.people import own_data
    from handan.club.store.forgetting import forget, plan
    from handan.club.store.models import Role, Submission
    from handan.club.store.writing import write

    key = write(club, lambda s: changes.players.register_player(s, {"name": "Zeno Quill"}), author="x")[0].subject
    client = client_of(club, Role.PLAYER, key)
    submitted(client, club)
    other = submitted(keeper, club, CUP.replace("Weiss Bo", "Quill Zeno"), note="asked by Zeno Quill")
    assert [each["title"] for each in own_data(club, key)["submissions"]] == ["Lake Cup"]
    assert any("submission" in text for text in plan(club, key).left)
    forget(club, key, author="x")
    assert [row.note for row in Submission.objects.filter(club=club)] == ["–"]
    assert row_of(other).data


def test_both_have_a_receipt_by_mail(club: Club, director: Client, keeper: Client, mailing: list[Any]) -> None:  # noqa: F811
    from handan.club.store.models import Membership

    for number, item in enumerate(Membership.objects.filter(club=club).select_related("user")):
        item.user.email = f"m{number}-{item.get_role_display().replace(' ', '')}@example.org"
        item.user.save()
    path = submitted(director, club)
    sent(mailing)
    assert sorted(mail.to[0].partition("-")[2] for mail in mailing) == [
        "player@example.org",
        "resultkeeper@example.org",
    ]
    assert all(path in mail.body and "waits" in mail.body for mail in mailing)
    mailing.clear()
    page_of(keeper, path, {"return": "1", "word": "Who is 3?"})
    sent(mailing)
    assert len(mailing) == 2
    assert all("has returned Lake Cup" in mail.body and "Who is 3?" in mail.body for mail in mailing)


@pytest.mark.database
def test_a_call_that_comes_again_mails_nothing_more(
    club: Club, director: Client, keeper: Client, mailing: list[Any]  # noqa: F811
) -> None:  # fmt: skip
    from handan.club.store.models import Membership

    for item in Membership.objects.filter(club=club).select_related("user"):
        item.user.email = f"{item.user.pk}@example.org"
        item.user.save()
    base, letters = f"/api/clubs/{club.slug}/submissions", []
    for _ in range(2):
        headers = {"X-CSRFToken": "x", "Idempotency-Key": "submits-once"}
        answer = director.post(f"{base}?name=cup.h9", CUP, content_type="application/octet-stream", headers=headers)
        number = answer.json()["submission"]["number"]
        sent(mailing)
        letters.append(len(mailing))
    accepts = {"newcomers": True, "token": "accepts-once"}
    for _ in range(2):
        path, headers = f"{base}/{number}/accept", {"X-CSRFToken": "x"}
        answer = keeper.post(path, json.dumps(accepts), content_type="application/json", headers=headers)
        assert answer.status_code == 200, answer.content
        sent(mailing)
        letters.append(len(mailing))
    assert letters == [2, 2, 4, 4]


def sent(_: list[Any]) -> None:
    for thread in threading.enumerate():
        if thread.name == "mail":
            thread.join()


@pytest.mark.database
def test_a_program_submits_looks_and_decides(club: Club, director: Client, keeper: Client) -> None:
    base = f"/api/clubs/{club.slug}/submissions"

    def post(client: Client, path: str, body: Any = None) -> Any:
        data = CUP if body is None else json.dumps(body)
        return client.post(path, data, content_type="application/octet-stream" if body is None else "application/json",
                           headers={"X-CSRFToken": "x"})  # fmt: skip

    looked = post(director, f"{base}?name=cup.h9&preview=true").json()
    assert looked["submission"] is None
    assert looked["report"]["events"] == [{"event": "Lake Cup", "kind": "tournament-b", "participants": 2}]
    assert [each["id"] for each in looked["report"]["newcomers"]] == ["egd:10000017", "egd:10000018"]
    made = post(director, f"{base}?name=cup.h9&note=x").json()["submission"]
    number = made["number"]
    assert (made["decision"], made["games"]) == ("waiting", 1)
    listed = keeper.get(f"{base}?waiting=true").json()
    assert [each["number"] for each in listed] == [number]
    assert post(director, f"{base}/{number}/accept", {"newcomers": True}).status_code == 403
    assert post(keeper, f"{base}/{number}/accept", {}).json()["field"] == "newcomers"
    previewed = post(keeper, f"{base}/{number}/accept?preview=true", {"newcomers": True}).json()
    assert {each["player"] for each in previewed["moved"]} == {"Lindqvist Ada", "Weiss Bo"}
    assert games_of(club) == 0
    yes = {"newcomers": True, "token": "accepts-once"}
    done = post(keeper, f"{base}/{number}/accept", yes).json()
    assert post(keeper, f"{base}/{number}/accept", yes).json()["entries"] == done["entries"]
    assert post(keeper, f"{base}/{number}/accept", {"newcomers": True}).status_code == 409
    assert games_of(club) == 1
    answer = director.get(f"{base}/{number}").json()
    assert answer["report"] is None
    assert answer["submission"]["entries"] == done["entries"]
    assert post(keeper, f"{base}/{number}/return", {"word": "late"}).status_code == 409
    assert post(director, f"{base}?name=none.h9&preview=true", "nonsense").status_code == 409
