"""Members by a list: columns by their headings or their content, doubles marked, one button."""

from __future__ import annotations

import html
import re
from datetime import date
from typing import TYPE_CHECKING, Any

import pytest

from handan.club import changes
from handan.club.member_list import headed, listed
from handan.club.sheet_text import rows_of
from handan.club.state import State
from handan.files.tables.player_tables import columns_of
from handan.ranks import Rank
from tests.web.test_entering import client_of, fill
from tests.web.test_pages import MakeClub

if TYPE_CHECKING:
    from handan.club.store.models import Club


@pytest.mark.parametrize(
    ("headings", "columns"),
    [
        ("氏名,ふりがな,段級位,会員番号", ["name", "reading", "rank", "ids"]),
        ("Vorname;Nachname;Spielstärke;Verein", ["given", "surname", "rank", "club"]),
        ("성명,로마자,급수,나라", ["name", "reading", "rank", "country"]),
        ("Name,Shoe size,Rank", ["name", "", "rank"]),
        ("Ada Lind,5k", []),
    ],
)
def test_headings_in_any_language_say_what_columns_are(headings: str, columns: list[str]) -> None:
    assert columns_of(rows_of(headings)[0]) == columns


def test_a_list_without_headings_shows_by_its_cells_what_they_are() -> None:
    _, members = listed(State("x"), rows_of("鈴木 一郎\tすずき いちろう\t2級\nAda Lind\t5k\tSE\tegd:1\n"))
    assert [(item.name, item.reading, item.rank, item.country, item.ids) for item in members] == [
        ("鈴木 一郎", "すずき いちろう", "2級", "", ""), ("Ada Lind", "", "5k", "SE", "egd:1"),
    ]  # fmt: skip


def test_a_title_above_the_headings_of_a_pasted_list_is_nobody() -> None:
    rows = headed(rows_of("青葉囲碁会 会員名簿\n\n番号\t氏名\t級・段\t持ち点\n31\t大野 太郎\t参段\t150\n"))
    _, members = listed(State("x"), rows)
    assert [(item.name, item.rank, item.rating, item.ids) for item in members] == [("大野 太郎", "参段", "150", "31")]
    assert Rank.parse("参段") == Rank.dan(3)


def test_the_heading_of_a_pasted_list_names_the_register_as_in_files() -> None:
    _, [ada, bo] = listed(State("x"), rows_of("No\tName\tEGF PIN\n1\tAda Lind\t17076590\n2\tBo Quist\t1707659\n"))
    assert (ada.ids, ada.fault) == ("egd:17076590", None)
    assert "eight digits" in str(bo.fault)


def test_a_name_that_is_a_heading_of_some_language_hides_nobody_above_it() -> None:
    rows = [["Jan", "Bos", "3k"], ["Ad", "Visser", "5k"]]
    assert headed(rows) == rows


@pytest.mark.parametrize(
    ("written", "points"),
    [
        ("１４７点", 147),
        ("−12", -12),
        ("－12 点", -12),
        ("- 5", -5),
        ("1,250", 1250),
        ("142,5", 142.5),
        (1234.5678901, 1234.5678901),
    ],
)
def test_points_are_read_as_they_are_written_in_lists_and_in_forms(written: object, points: float) -> None:
    assert changes.players.read_rating(written) == points
    _, members = listed(State("x"), [["名前", "段級", "持ち点"], ["林", "無段", str(written)]])
    assert (float(members[0].rating), members[0].rank, members[0].fault) == (points, "", None)


def test_a_name_with_destroyed_letters_is_marked() -> None:
    """`堃` is in no table of Big5: the file of a program that writes one of its extensions is read with a gap."""
    _, members = listed(State("x"), [["姓名", "段位"], ["游錫\ufffd", "3段"], ["陳大文", "3段"]])
    assert ["letters can all be read" in str(item.fault) for item in members] == [True, False]


def sent(page: str) -> dict[str, Any]:
    boxes = re.findall(r'name="member" value="(\d+)" checked', page)
    text = re.search(r'<textarea name="text"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    assert text
    return {"text": html.unescape(text[1]), "member": boxes, "save": "1"}


def test_a_list_is_shown_and_those_who_are_new_are_registered(club: Club) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    keys = fill(club)
    secretary, path = client_of(club, Role.SECRETARY), f"/{club.slug}/players/list/"
    lines = "名前,よみ,段級位\n鈴木一郎,,2級\n森 花子,もり はなこ,5級\n林,はやし,1d\n林,はやし,3k\n黒田,,強い\n"
    page = html.unescape(secretary.post(path, {"text": lines}).content.decode())
    assert "Register 2 members" in page
    assert f'href="/{club.slug}/players/{keys["鈴木 一郎"]}/"' in page  # already here, though written without a blank
    assert "twice in the list" in page
    assert "強い" in page.partition('class="error"')[2]
    assert secretary.post(path, sent(page)).status_code == 302
    state = state_of(club)
    new = {person.name: person for key, person in state.active.items() if key not in keys.values()}
    assert {name: person.reading for name, person in new.items()} == {"森 花子": "もり はなこ", "林": "はやし"}
    assert sorted(str(item.facts["rank"]) for item in state.adjustments.values())[-2:] == ["5k", "5k"]


@pytest.mark.parametrize("row", ["Summe,,25", "Total: 2,,25", "合計 2,,"])
def test_a_row_of_sums_is_nobody_to_be_ticked(club: Club, row: str) -> None:
    from handan.club.store.models import Role

    secretary = client_of(club, Role.SECRETARY)
    lines = f"Name,Rank,Points\nAda,5k,10\nTotal,4k,15\n{row}\n"
    page = html.unescape(secretary.post(f"/{club.slug}/players/list/", {"text": lines}).content.decode())
    assert "Register 2 members" in page
    assert "1 row of sums is passed over" in page
    assert page.count('type="checkbox" name="member"') == 2


def test_a_file_in_another_encoding_is_read(club: Club) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from handan.club.store.models import Role

    upload = SimpleUploadedFile("members.csv", "氏名,ふりがな,段級位\n鈴木 一郎,すずき,2級\n".encode("cp932"))
    page = client_of(club, Role.SECRETARY).post(f"/{club.slug}/players/list/", {"file": upload}).content.decode()
    assert "鈴木 一郎" in page
    assert "Register 1 member" in page


def test_of_several_files_none_is_taken_in_silence(club: Club) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from handan.club.store.models import Role

    secretary = client_of(club, Role.SECRETARY)
    files = [SimpleUploadedFile(f"{name}.csv", f"name,rank\n{name},5k\n".encode()) for name in ("Ada", "Bo")]
    page = html.unescape(secretary.post(f"/{club.slug}/players/list/", {"file": files}).content.decode())
    assert "Ada.csv, Bo.csv" in page
    assert "is not one file" in page


def test_members_come_from_workbooks_and_columns_of_unknown_names_are_chosen(club: Club) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from tests.spreadsheets import Sheet, excel, open_document

    secretary, path = client_of(club, Role.SECRETARY), f"/{club.slug}/players/list/"
    rows: list[list[object]] = [
        ["Mitglieder 2026", None, None], ["Name", "Spielstärke", "Verein"], ["Käthe Öhler", "4k", "Go Köln"]
    ]  # fmt: skip
    for name, data in (("members.xlsx", excel(Sheet("x", rows))), ("members.ods", open_document(Sheet("x", rows)))):
        page = html.unescape(secretary.post(path, {"file": SimpleUploadedFile(name, data)}).content.decode())
        assert "Register 1 member" in page
        assert "Käthe Öhler" in page
    assert secretary.post(path, sent(page)).status_code == 302
    odd: list[list[object]] = [["Wer", "Wieviel"], ["7k", "Zoë Smit"]]
    page = secretary.post(path, {"file": SimpleUploadedFile("m.xlsx", excel(Sheet("x", odd)))}).content.decode()
    assert "What each column contains" in page
    fields = {"text": sent(page)["text"], "meaning": ["rank", "name"], "first-is-heading": "1"}
    page = html.unescape(secretary.post(path, fields).content.decode())
    assert "Register 1 member" in page
    hidden = re.findall(r'<input type="hidden" name="(meaning|first-is-heading)" value="([^"]*)"', page)
    assert hidden == [("meaning", "rank"), ("meaning", "name"), ("first-is-heading", "1")]
    assert secretary.post(path, sent(page) | fields).status_code == 302
    state = state_of(club)
    ranks = {state.active[item.player].name: item.facts["rank"] for item in state.adjustments.values()}
    assert ranks == {"Käthe Öhler": "4k", "Zoë Smit": "7k"}
    assert {person.name: person.club for person in state.active.values() if person.club} == {"Käthe Öhler": "Go Köln"}
    page = secretary.post(path, {"file": SimpleUploadedFile("m.xlsx", b"PK\x03\x04 no workbook")}).content.decode()
    assert "damaged workbook" in page


def test_a_list_that_is_refused_stays_where_it_was_pasted(club: Club) -> None:
    from handan.club.store.models import Role

    client = client_of(club, Role.SECRETARY)
    for text, why in (("Ada\n" * 130_000, "at most 500,000 characters"), (f"Ada{',x' * 40}", "41 cells")):
        page = client.post(f"/{club.slug}/players/list/", {"text": text})
        assert page.status_code == 200
        assert why in page.content.decode()
        assert html.unescape(page.content.decode().partition('<textarea id="text"')[2].partition(">")[2]).startswith(
            text
        )


@pytest.mark.parametrize("heading", ["持ち点", "点数", "points", "Punkte", "점수", "积分"])
def test_points_stand_under_a_heading_in_any_language(heading: str) -> None:
    columns, members = listed(
        State("x"), rows_of(f"名前\t段級位\t{heading}\n我妻 二郎\t二段\t１４７点\n庄子 三郎\t1級\t１２９\n")
    )
    assert columns == ["name", "rank", "rating"]
    assert [member.rating for member in members] == ["147", "129"]


def test_members_come_with_the_points_of_their_cards_and_have_the_ranks_that_these_print(make_club: MakeClub) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club = make_club("points")
    # cards of a club that prints 130 for 1 dan, 12 points a rank, and promotes with the points; 45 members
    ranks = [*(f"{number}級" for number in range(11, 0, -1)), "初段", *(f"{kanji}段" for kanji in "二三四五六七")]
    cards = {f"会員 {number:02}": -2 + 4 * number + number % 3 for number in range(45)}
    rank_of = {name: ranks[(points + 2) // 12] for name, points in cards.items()}
    secretary, path = client_of(club, Role.SECRETARY), f"/{club.slug}/players/list/"
    lines = ["氏名\t段級位\t持ち点", *(f"{name}\t{rank_of[name]}\t{points}" for name, points in cards.items())]
    page = html.unescape(secretary.post(path, {"text": "\n".join(lines)}).content.decode())
    assert 'name="as_of"' in page
    assert "another rank" not in page
    assert secretary.post(path, sent(page) | {"as_of": "2026-04-03"}).status_code == 302
    rows = secretary.get(f"/{club.slug}/ladder.json").json()["players"]
    assert {row["player"]: (row["rating"], Rank.parse(row["rank"])) for row in rows} == {
        name: (float(points), Rank.parse(rank_of[name])) for name, points in cards.items()
    }
    assert {item.facts["date"] for item in state_of(club).adjustments.values()} == {"2026-04-03"}
    page = html.unescape(secretary.post(path, {"text": "name,rank,points\nAda,2d,130\n"}).content.decode())
    assert "1 member has another rank by the club's rules" in page


def test_a_list_without_headings_has_points_behind_the_names() -> None:
    _, members = listed(State("x"), rows_of("1\t鈴木 一郎\tすずき いちろう\t2級\t106\n2\tAda Lind\t5k\t1,250.5\n"))
    assert [(item.name, item.reading, item.rank, item.rating) for item in members] == [
        ("鈴木 一郎", "すずき いちろう", "2級", "106"), ("Ada Lind", "", "5k", "1250.5"),
    ]  # fmt: skip
    _, (member,) = listed(State("x"), rows_of("name,points\nAda,many\n"))
    assert "many" in str(member.fault)


def test_what_a_list_says_of_subscriptions_and_births_is_entered_in_the_register(club: Club) -> None:
    from handan.club.store.models import Role
    from handan.club.store.register import Registered, register_of
    from handan.club.store.states import state_of

    secretary, path = client_of(club, Role.SECRETARY), f"/{club.slug}/players/list/"
    lines = "氏名,段級位,会費期限,生年月日\n森 花子,5級,31.12.2026,2012-05-03\n林 健,3k,2027/3/31,1950\n岡 進,1d,,\n"
    shown = html.unescape(secretary.post(path, {"text": lines}).content.decode())
    assert "2026-12-31" in shown
    assert "Years of birth are kept only by a club with categories by age." in shown
    club.categories = "U16 60+"
    club.save()
    shown = html.unescape(secretary.post(path, {"text": lines}).content.decode())
    assert "Years of birth are kept only" not in shown
    assert secretary.post(path, sent(shown)).status_code == 302
    state = state_of(club)
    register = {state.labels[key]: row for key, row in register_of(club, state).items()}
    assert register == {
        "森 花子": Registered(paid_until=date(2026, 12, 31), born=2012),
        "林 健": Registered(paid_until=date(2027, 3, 31), born=1950),
    }
    faulty = "Name,Paid until,Born\nAda Lind,02/03/2027,2012\nBo Ek,2027-02-03,9999\n"  # March or February?
    page = html.unescape(secretary.post(path, {"text": faulty}).content.decode())
    assert "02/03/2027" in page
    assert 'name="member" value="1" checked' not in page
    assert 'name="member" value="2" checked' not in page
