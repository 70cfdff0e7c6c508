"""What is wrong with a file of games that is sent to the record sheet, in the language of the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from handan.files.games.columns import MOST_ALIKE
from tests.web.test_sheet_questions import keeper as keeper  # noqa: PLC0414  # a fixture
from tests.web.test_sheet_questions import uploaded

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

ROWS = """date,black,white,result,handicap,foo
2026-05-01,Jörg,Bo,B+R,0,1
2026-13-01,Jörg,Bo,B+R,0,1
2026-05-02,#REF!,Bo,B+R,0,1
2026-05-03,Bye,Bo,B+R,0,1
2026-05-04,Jörg,Bo,who,0,1
2026-05-05,Jörg,Bo,W+R,12,1
2026-05-06,,Bo,W+R,0,1
2026-05-07,Jörg,BO,W+R,0,1
2026-05-08,Jörg,Bo,W+R,0,1,2
2026-05-01,Jörg,Bo,B+R,0,1
"""
FAULTS = {
    "en": [
        "the text is not UTF-8; read as cp1252", "line 1: column 'foo' is not a column that is read; ignored",
        "line 3: date '2026-13-01' is not a date such as 2026-05-01, 2026-05-01 14:30, 2026-05 or 2026",
        "line 4: black '#REF!' is not a player; a formula of the spreadsheet failed",
        "line 5: black 'Bye' is no player but a bye; left out, since no column tells its round",
        "line 6: result 'who' is not a result such as B+3.5, W+R, jigo, both-lose or void",
        "line 7: handicap '12' is not a usual number of stones, 0 to 9; kept",
        "line 8: black '' is not filled in; every game needs it",
        "line 10: '2026-05-08,Jörg,Bo,W+R,0,1,2' is not a row of 6 cells, as the header has; there are 7",
        "names that differ in capitals alone count as different players: BO / Bo",
    ],
    "de": [
        "der Text ist nicht UTF-8; gelesen als cp1252",
        "Zeile 1: Spalte 'foo' geht nicht; erwartet: eine Spalte, die gelesen wird; sie bleibt außer Acht",
        "Zeile 5: Schwarz 'Bye' ist kein Spieler, sondern ein Freilos; ausgelassen, da keine Spalte die Runde nennt",
        "Zeile 6: Ergebnis 'who' geht nicht; erwartet: ein Ergebnis wie B+3,5, W+R, jigo, both-lose oder void",
        "Zeile 7: Vorgabe '12' geht nicht; erwartet: eine übliche Zahl von Vorgabesteinen, 0 bis 9; "
        "sie bleibt so stehen",
        "Zeile 8: Schwarz '' geht nicht; erwartet: eine Angabe; jede Partie braucht sie",
    ],
    "ja": [
        "文字コードがUTF-8ではありません。cp1252として読みました",
        "5行目：黒の'Bye'は対局者ではなく不戦です。回戦を示す列がないため、この行は除きました",
        "7行目：置石が'12'になっています。必要なもの：0から9までの普通の置石の数（このまま残します）",
        "10行目：'2026-05-08,Jörg,Bo,W+R,0,1,2'は使えません。必要なもの：見出しと同じ6個のセルの行（7個あります）",
        "大文字と小文字だけが違う名前は別人として数えます：BO / Bo",
    ],
}  # fmt: skip


BROKEN: dict[str, tuple[bytes, str, str]] = {
    "a.sgf": (
        b"(;PB[Ada]PW[Bo]RE[B+R]DT[2026-05-01]KM[650])(;PB[Ada]PW[Bo]RE[zzz])",
        "Zeile 1: KM '650' geht nicht; erwartet: Punkte; das sind Hundertstel, gelesen als 6.5",
        "1行目：KMが'650'になっています。必要なもの：目数（100倍の値なので6.5として読みました）",
    ),
    "a.h9": (
        b"; EV[x]\n; DT[2026-05-01]\n1 Li Ada 3d SE Ume 2+ 9+\n2 Qu Bo 2d SE Ume 1+ 0= |1\n3 Foo Bar xx SE Ume 0-\n",
        "Zeile 3: Runde 2 '9+' geht nicht; erwartet: ein Ergebnis gegen einen der Spieler 1 bis 2",
        "3行目：回戦 2が'9+'になっています。必要なもの：1番から2番までの人との結果",
    ),
    "a.json": (b'{"a": 1}', "a.json: keine Liste von Partien", "a.json：対局の並び（配列）がありません"),
    "a.xml": (
        b"<?xml version='1.0'?><Foo/>",
        "a.xml Zeile 1, Spalte 22: Wurzelelement 'Foo'; erwartet ist Tournament",
        "a.xml 1行目22文字目：ルート要素が'Foo'です。Tournamentが要ります",
    ),
    "a.csv": (
        b"black,white,result,result\nAda,Bo,B+R,W+R\n",
        "a.csv Zeile 1: Spalte 'result' steht zweimal da; jede Spalte braucht einen eigenen Namen",
        "a.csv 1行目：'result'の列が2つあります。列にはそれぞれ別の名前が要ります",
    ),
}
"""A broken file of each kind, with what German and Japanese pages say of it."""


def remarks(page: str) -> list[str]:
    """Return what a page says of a file, line by line; who is new here stands in a list of its own above."""
    part = page.rpartition("<details open>")[2].partition("</details>")[0]
    return re.findall(r"<li>(.*?)</li>", part)


@pytest.mark.parametrize("language", FAULTS)
def test_the_faults_of_a_file_are_said_in_the_language_of_the_page(keeper: Client, club: Club, language: str) -> None:
    keeper.cookies["language"] = language
    lines = remarks(uploaded(keeper, club, "club.csv", ROWS.encode("cp1252")))
    assert [fault for fault in FAULTS[language] if fault not in lines] == [], lines
    assert len(lines) == len(FAULTS["en"])
    assert not any(word in line for line in lines for word in ("--", "handan ", "club.csv"))


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_of_each_kind_is_told_of_in_the_language_of_the_page(
    keeper: Client, club: Club, name: str
) -> None:
    data, *sentences = BROKEN[name]
    for language, sentence in zip(("de", "ja"), sentences, strict=True):
        keeper.cookies["language"] = language
        assert sentence in uploaded(keeper, club, name, data)


def test_a_program_is_refused_and_nobody_is_asked_what_its_columns_mean(keeper: Client, club: Club) -> None:
    page = uploaded(keeper, club, "games.csv", b"\x7fELF,\x02,\x01\x01\n" + bytes(range(1, 256)) * 4)
    assert "begins with bytes that stand in no text" in page
    assert "\\x7f" not in page


TITLED = """Ergebnisse Herbst 2026
Datum;Schwarz;Weiß;Ergebnis
1.9.2026;Jörg Müller;Bo Quist;S+
31.9.2026;Müller, Jörg;Bo Quist;S+
8.9.2026;Müller, Jörg;Bo Quist;S+
"""


def test_the_text_above_a_table_and_a_day_that_is_none_are_told_of_in_the_language_of_the_page(
    keeper: Client, club: Club
) -> None:
    keeper.cookies["language"] = "de"
    lines = remarks(uploaded(keeper, club, "herbst.csv", TITLED.encode()))
    assert "Zeile 2: der Text über den Überschriften bleibt außer Acht: Ergebnisse Herbst 2026" in lines
    day = "Zeile 4: Datum '31.9.2026' geht nicht; erwartet: ein Datum in der Reihenfolge Tag/Monat/Jahr"
    assert day in lines


def test_names_in_another_order_are_told_of_unless_they_are_members(keeper: Client, club: Club) -> None:
    from handan.club import changes
    from handan.club.store.writing import write

    def is_warned() -> bool:
        return any("another order" in line for line in remarks(uploaded(keeper, club, "h.csv", TITLED.encode())))

    assert is_warned()
    write(club, lambda state: changes.players.register_player(state, {"name": "Jörg Müller"}), author="x")
    assert not is_warned()


def test_many_rows_of_one_fault_are_counted(keeper: Client, club: Club) -> None:
    rows = "".join(f"2026-05-01,Ada,Bo,who{number}\n" for number in range(MOST_ALIKE + 10))
    keeper.cookies["language"] = "de"
    page = uploaded(keeper, club, "club.csv", f"date,black,white,result\n2026-05-01,Ada,Bo,B+R\n{rows}".encode())
    rest = "ein Ergebnis wie B+3,5, W+R, jigo, both-lose oder void"
    assert f"10 weitere Zeilen, in denen Ergebnis nicht geht; erwartet: {rest}" in remarks(page)
    assert len(remarks(page)) == 50  # a page has no more
