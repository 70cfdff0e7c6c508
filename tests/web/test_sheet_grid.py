"""The record sheet line by line: fragments, questions, drafts, and no new member without an answer."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

import pytest

import handan
from handan.club.sheet_text import lines_of, text_of
from tests.web.test_entering import client_of, fill

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from django.test import Client

    from handan.club.store.models import Club

pytestmark = pytest.mark.extended


@pytest.fixture
def points(make_club: Callable[..., Club]) -> tuple[Club, dict[str, str], Client]:
    from handan.club.store.models import Role

    club = make_club("points")
    return club, fill(club), client_of(club, Role.KEEPER)


EVENING = """例会対局表
日付\t黒\t\t白\t勝敗\t備考
2026-11-20\t佐藤\t\t鈴木\t黒\t席1
\t高橋\t\t田中\t白\t〃
2026-11-27\t〃\t\t伊藤\t黒\t席2
\t山本\t\t中村\t白\t席3
"""


def test_a_pasted_table_may_have_a_title_days_that_stand_once_and_ditto_marks() -> None:
    lines = [tuple(line.get(name, "") for name in ("date", "black", "white", "result", "notes"))
             for line in lines_of(EVENING)]  # fmt: skip
    assert lines == [
        ("2026-11-20", "佐藤", "鈴木", "B+", "席1"), ("2026-11-20", "高橋", "田中", "W+", "席1"),
        ("2026-11-27", "高橋", "伊藤", "B+", "席2"), ("2026-11-27", "山本", "中村", "W+", "席3"),
    ]  # fmt: skip


def test_a_file_with_ditto_marks_has_what_stands_above_them(tmp_path: Path) -> None:
    path = tmp_path / "evening.csv"
    path.write_text("date,black,white,result\n2026-11-20,Ada,Bo,B+\n〃,Cy,〃,W+\n", encoding="utf-8")
    ledger = handan.files.read(path)
    assert ledger.games["date"].dt.date().cast(str).to_list() == ["2026-11-20"] * 2
    assert ledger.games["white"].to_list() == ["Bo", "Bo"]
    assert [problem.message for problem in ledger.problems] == ["1 ditto mark is read as the cell above it"] * 2


def test_a_player_may_be_called_ditto(tmp_path: Path) -> None:
    path = tmp_path / "server.csv"
    path.write_text("black,white,result\nAda,Bo,B+\nditto,Cy,W+\n", encoding="utf-8")
    assert handan.files.read(path).games["black"].to_list() == ["Ada", "ditto"]


def test_ditto_marks_are_typed_too(points: tuple[Club, dict[str, str], Client]) -> None:
    club, _, keeper = points
    page = look(keeper, club, [("鈴木", "kuroda", "b"), ("〃", "mori", "〃")])
    assert fields_of(page)["black"][:2] == ["鈴木", "鈴木"]


def test_a_sheet_that_is_sent_whole_is_read_with_headings_in_any_language(
    points: tuple[Club, dict[str, str], Client],
) -> None:
    club, _, keeper = points
    text = "日付,黒,白,勝敗\n2026-05-01,鈴木一郎,黒田,黒\n"
    page = keeper.post(f"/{club.slug}/games/sheet/", {"text": text, "date": "2026-05-02", "kind": "free"})
    assert "2026-05-01" in page.content.decode()
    assert 'name="save"' in page.content.decode()


def fields_of(page: str) -> dict[str, Any]:
    """Return what the grid's form would send if it were sent as it is shown."""
    form = page.partition("data-sheet")[2].partition("</form>")[0]
    sent: dict[str, Any] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        name, value = (re.search(rf' {part}="([^"]*)"', tag) for part in ("name", "value"))
        if name:
            sent.setdefault(name[1], []).append(html.unescape(value[1]) if value else "")
    for select in re.findall(r"<select.*?</select>", form, re.DOTALL):
        name, chosen = re.search(r'name="([^"]*)"', select), re.search(r'value="([^"]*)" selected', select)
        assert name
        sent.setdefault(name[1], []).append(html.unescape(chosen[1]) if chosen else "")
    return sent


def look(client: Client, club: Club, lines: list[tuple[str, str, str]], **more: Any) -> str:
    columns = [list(column) for column in zip(*lines, strict=True)]
    form = {"grid": "lines", "of-date": "2026-05-01", **dict(zip(("black", "white", "result"), columns, strict=True))}
    return client.post(f"/{club.slug}/games/sheet/", {**form, **more}).content.decode()


def press(client: Client, club: Club, page: str, **button: Any) -> Any:
    return client.post(f"/{club.slug}/games/sheet/", {**fields_of(page), **button}, follow=True)


def games(club: Club) -> list[tuple[str, str, str]]:
    from handan.club.store.states import state_of

    state = state_of(club)
    names = [[state.labels[key] for key in state.games[side]] for side in ("black", "white")]
    return list(zip(*names, state.games["result"], strict=True))


def statuses(page: str) -> list[str]:
    return re.findall(r'class="answer-state ([\w ]+)"', page)


SHEET = [("suzu", "ヤマダ", "B+"), ("Sasaki", "ㄱㅁㅅ", "W+"), ("Satoh", "Lindqvist", "jigo"), ("ada", "Smyth", "B+R")]


def test_fragments_are_answered_and_the_unknown_are_asked_about(points: tuple[Club, dict[str, str], Client]) -> None:
    club, keys, keeper = points
    page = look(keeper, club, SHEET)
    assert statuses(page) == ["ready", "question", "ready", "question"]
    assert "Enter 2 games" in page
    answer = press(keeper, club, page, save="1")
    # what is ready is entered in the order of the paper, the rest waits as a draft
    assert games(club) == [("鈴木 一郎", "山田 春子", "B+"), ("佐藤 健", "Ada Lindqvist", "jigo")]
    rest = answer.content.decode()
    assert "2 games are entered" in rest
    assert statuses(rest) == ["question", "question"]
    assert keeper.get(f"/{club.slug}/games/sheet/").content.decode().count('value="Sasaki"') == 1
    newcomer = press(keeper, club, rest, new="1-black", **{"rank-1-black": "5k"}).content.decode()
    assert "Sasaki is new" in newcomer
    answered = press(keeper, club, newcomer, **{"is": f"{keys['佐藤 健']} Smyth"}).content.decode()
    assert statuses(answered) == ["ready", "ready"]
    done = press(keeper, club, answered, save="1")
    assert re.fullmatch(rf"/{club.slug}/sheets/s\d+/", done.redirect_chain[-1][0])
    assert games(club)[2:] == [("Sasaki", "김민수", "W+"), ("Ada Lindqvist", "佐藤 健", "B+R")]
    assert "Sasaki" not in keeper.get(f"/{club.slug}/games/sheet/").content.decode().partition("<datalist")[0]


def test_a_line_of_two_unknown_names_is_left_out_by_one_button(points: tuple[Club, dict[str, str], Client]) -> None:
    club, _, keeper = points
    for line in (("Nobody", "Somebody", "B+"), ("Nobody", "ada", "B+"), ("ada", "Nobody", "B+")):
        assert look(keeper, club, [line]).count('name="out"') == 1, line


def test_a_fragment_that_fits_two_is_a_button_for_each(points: tuple[Club, dict[str, str], Client]) -> None:
    from handan.club import changes
    from handan.club.store.writing import write

    club, keys, keeper = points
    hanako = {"name": "鈴木 花子", "reading": "すずき はなこ"}
    other = write(club, lambda state: changes.players.register_player(state, hanako), author="x")[0].subject
    page = look(keeper, club, [("suzu", "yama", "B+"), ("suzu hana", "ada", "B+")])
    assert statuses(page) == ["question", "ready"]  # Yamada has "ada" in the middle, and Ada begins with it
    buttons = re.findall(r'<button name="is" value="(\w+) suzu"', page)
    assert sorted(buttons) == sorted([keys["鈴木 一郎"], other])
    answered = press(keeper, club, page, **{"is": f"{other} suzu"}).content.decode()
    assert statuses(answered) == ["ready", "ready"]


def test_a_newcomer_enters_with_the_rank_that_was_said(points: tuple[Club, dict[str, str], Client]) -> None:
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of

    club, _, keeper = points
    page = look(keeper, club, [("Sasaki", "suzu", "B+"), ("yama", "Sasaki", "B+")])
    page = press(keeper, club, page, new="1-black", **{"rank-1-black": "abc"}).content.decode()
    assert "is not a rank" in page
    page = press(keeper, club, page, anew="Sasaki").content.decode()
    page = press(keeper, club, page, new="2-white", **{"rank-2-white": "2k"}).content.decode()
    assert statuses(page) == ["ready", "ready"]
    press(keeper, club, page, save="1")
    state = state_of(club)
    assert [person.name for person in state.active.values()].count("Sasaki") == 1
    entry = [item.facts["rank"] for item in state.adjustments.values() if state.people[item.player].name == "Sasaki"]
    assert entry == ["2k"]
    assert standings_of(state).by_key[state.keys["Sasaki"]]["games"] == 2


def test_a_line_left_out_stays_and_is_not_entered(points: tuple[Club, dict[str, str], Client]) -> None:
    club, _, keeper = points
    page = look(keeper, club, [("suzu", "yama", "B+"), ("nobody", "yama", "B+")])
    page = press(keeper, club, page, out="2").content.decode()
    assert statuses(page) == ["ready", "left out"]
    rest = press(keeper, club, page, save="1").content.decode()
    assert statuses(rest) == ["left out"]
    assert len(games(club)) == 1
    press(keeper, club, rest, clear="1")
    assert "nobody" not in keeper.get(f"/{club.slug}/games/sheet/").content.decode()


def test_the_same_game_twice_is_asked_about_by_line(points: tuple[Club, dict[str, str], Client]) -> None:
    club, _, keeper = points
    page = look(keeper, club, [("suzu", "yama", "B+"), ("yama", "suzu", "W+R"), ("suzu", "kim", "B+")])
    assert statuses(page) == ["ready", "alike", "ready"]
    press(keeper, club, page, save="1")
    assert len(games(club)) == 2
    again = keeper.get(f"/{club.slug}/games/sheet/").content.decode()
    assert statuses(again) == ["alike"]
    page = press(keeper, club, again, other="1").content.decode()
    press(keeper, club, page, save="1")
    assert len(games(club)) == 3


def test_what_will_not_be_rated_says_so_before_it_is_saved(points: tuple[Club, dict[str, str], Client]) -> None:
    club, _, keeper = points
    page = look(keeper, club, [("suzu", "yama", "void"), ("kim", "yama", "B+")])
    assert "not rated: void" in page
    asked_about = press(keeper, club, page, save="1").content.decode()
    assert "will not be rated" in asked_about
    assert games(club) == []
    press(keeper, club, asked_about, save="1")
    assert len(games(club)) == 2


def test_nothing_else_is_entered_than_was_shown(points: tuple[Club, dict[str, str], Client]) -> None:
    club, _, keeper = points
    page = look(keeper, club, [("suzu", "yama", "B+")])
    changed = press(keeper, club, page, save="1", result=["W+"]).content.decode()
    assert games(club) == []
    assert "Enter 1 game" in changed


def test_faults_stand_at_their_line_and_keep_what_was_typed(points: tuple[Club, dict[str, str], Client]) -> None:
    club, _, keeper = points
    page = look(
        keeper, club, [("suzu", "suzu", "B+"), ("suzu", "", "B+"), ("suzu", "kim", "")], handicap=["", "", "many"]
    )
    assert statuses(page) == ["fault", "fault", "fault"]
    for text in ("another player than black", "a player is missing", "who won?", 'value="many"'):
        assert text in html.unescape(page)


def test_stones_and_komi_may_stand_in_the_words_of_the_pages(points: tuple[Club, dict[str, str], Client]) -> None:
    from handan.club.store.states import state_of

    club, _, keeper = points
    lines = [("suzu", "yama", "B+"), ("suzu", "kim", "B+"), ("ada", "kim", "B+")]
    page = look(keeper, club, lines, handicap=["9子", "置石なし", "先"], komi=["半目", "逆コミ3目", "コミなし"])
    assert statuses(page) == ["ready", "ready", "ready"]
    press(keeper, club, page, save="1")
    assert state_of(club).games.select("handicap", "komi").rows() == [(9, 0.5), (0, -3.0), (1, 0.0)]


def test_the_sheet_as_text_is_read_in_any_language_and_written_again() -> None:
    lines = lines_of(
        "黒\t白\t結果\t置石\tコミ\t日付\t受付\n鈴木\t山田\t白中押し勝ち\t2子\t6目半\t2026年5月1日\t3番卓\n"
    )
    assert lines == [{"black": "鈴木", "white": "山田", "result": "W+R", "handicap": "2子", "komi": "6目半",
                      "date": "2026-05-01", "notes": "3番卓"}]  # fmt: skip
    assert lines_of(text_of(lines)) == lines
    assert lines_of("suzu, yama, B+3.5") == [{"black": "suzu", "white": "yama", "result": "B+3.5"}]
    assert lines_of("suzu;yama;who knows\n") == [{"black": "suzu", "white": "yama", "result": "who knows"}]


def test_a_block_of_a_spreadsheet_goes_below_what_stands_there(points: tuple[Club, dict[str, str], Client]) -> None:
    club, _, keeper = points
    page = look(keeper, club, [("suzu", "yama", "B+")], pasted="ada\tkim\tW+R\t3\t0.5\nyama\tsatoh\tB+\n")
    assert statuses(page) == ["ready", "ready", "ready"]
    sent = fields_of(page)
    assert (sent["black"], sent["handicap"][1:]) == (["suzu", "ada", "yama"], ["3", ""])


def test_only_what_lines_are_answered_is_sent_to_who_types(points: tuple[Club, dict[str, str], Client]) -> None:
    club, _, keeper = points
    form = {"grid": "lines", "black": ["suzu"], "white": ["yama"], "result": ["B+"]}
    answer = keeper.post(f"/{club.slug}/games/sheet/", form, headers={"HX-Request": "true"}).content.decode()
    assert '<input name="black"' not in answer
    assert statuses(answer) == ["ready"]
    assert "Enter 1 game" in answer


def test_a_button_that_is_pressed_twice_enters_once_and_goes_on_as_the_first_time(
    points: tuple[Club, dict[str, str], Client],
) -> None:
    club, _, keeper = points
    path = f"/{club.slug}/games/sheet/"
    for sheet in (SHEET, [(*SHEET[0][:2], "W+")]):  # with lines that wait, and without
        sent = {**fields_of(look(keeper, club, sheet)), "save": "1"}
        first, second = (keeper.post(path, sent) for _ in range(2))
        assert (first.status_code, second.status_code) == (302, 302)
        assert first["Location"] == second["Location"]
        waiting = keeper.get(path).content.decode()
        assert "alike" not in statuses(waiting)
        press(keeper, club, waiting, clear="1")
    assert len(games(club)) == 3


def test_more_lines_than_a_grid_has_stay_with_their_date(
    points: tuple[Club, dict[str, str], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.web.pages import sheet_grid

    club, _, keeper = points
    monkeypatch.setattr(sheet_grid, "MOST", 20)
    rows = [("Ada Lindqvist", "佐藤 健", f"B+{margin}.5") for margin in range(21)]
    lines = "\n".join("\t".join(row) for row in rows)
    first = {"black": ["鈴木 一郎"], "white": ["山田 春子"], "result": ["W+"]}
    of_all = {"of-date": "2026-05-01", "of-kind": "tournament"}
    for sent in ({"grid": "lines", "pasted": lines, **first}, {"grid": "text", "text": lines}):
        page = html.unescape(keeper.post(f"/{club.slug}/games/sheet/", {**sent, **of_all}).content.decode())
        number = len(rows) + ("pasted" in sent)
        assert f"{number} games read" in page
        text = page.partition('<textarea id="changed"')[2].partition("</textarea>")[0]
        assert text.count("2026-05-01") == text.count("tournament") == number
        assert ("鈴木 一郎" in text) == ("pasted" in sent)


def test_lines_that_wait_and_are_too_long_to_be_kept_stay_on_the_page(
    points: tuple[Club, dict[str, str], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.web.pages import sheet_grid

    club, _, keeper = points
    monkeypatch.setattr(sheet_grid, "LONGEST_DRAFT", 10)
    rest = press(keeper, club, look(keeper, club, SHEET), save="1")
    assert len(games(club)) == 2
    assert "2 games are entered" in rest.content.decode()
    assert statuses(rest.content.decode()) == ["question", "question"]
    assert fields_of(rest.content.decode())["black"][:2] == ["Sasaki", "ada"]


def test_a_draft_does_not_name_who_is_forgotten_and_its_keeper_stays_signed_in(
    points: tuple[Club, dict[str, str], Client],
) -> None:
    import json

    from handan.club.store.forgetting import forget
    from handan.club.store.models import Role

    club, keys, keeper = points
    look(keeper, club, SHEET)
    other = client_of(club, Role.KEEPER)
    look(other, club, [("ヤマダ", "佐藤 健", "B+")])
    session = keeper.session
    session["older"] = json.dumps({"lines": ["鈴木 一郎"]})  # in which other letters than those of English are numbers
    session.save()
    forget(club, keys["鈴木 一郎"])
    assert "older" not in keeper.session
    look(keeper, club, [("佐藤 健", "山田 春子", "B+")])
    forget(club, keys["佐藤 健"])
    for client in (keeper, other):
        page = client.get(f"/{club.slug}/games/sheet/")
        assert page.status_code == 200
        assert "佐藤" not in page.content.decode()


TABLES = {
    "points": "Datum;Schwarz;Weiß;Punkte Schwarz;Punkte Weiß\n2026-09-03;Ada;Bo;1;0\n2026-09-04;Bo;Cy;½;½\n",
    "pairs": "date;game;winner\n2026-09-03;Ada vs Bo;Ada\n2026-09-04;Bo vs Cy;Cy\n",
    "colours in a cell": "date;Black – White;result\n2026-09-03;Ada – Bo;B+R\n2026-09-04;Bo – Cy;W+3.5\n",
    "winners": "date;winner;loser;margin\n2026-09-03;Ada;Bo;3.5\n2026-09-04;Cy;Bo;\n",
    "colour of the winner": "date;winner;loser;colour\n2026-09-03;Ada;Bo;white\n2026-09-04;Cy;Bo;black\n",
    "White first": "date;white;black;result\n2026-09-03;Ada;Bo;1-0\n2026-09-04;Bo;Cy;0-1\n",
    "who won by name": "date;black;white;winner\n2026-09-03;Ada;Bo;Bo\n2026-09-04;Bo;Cy;Bo\n",
}


RANKED = {
    "ranks behind names": "date;black;white;result\n2026-09-03;Ada 3k;Bo 2k;B+R\n2026-09-04;Cy (5k);Ada 3k;W+\n",
    "ranks in pairs": "date;Black – White;result\n2026-09-03;Ada 3k – Bo 2k;B+R\n2026-09-04;Cy 5k – Ada 3k;W+\n",
    "the winner without": "date;black;white;winner\n2026-09-03;Ada 3k;Bo 2k;Ada\n2026-09-04;Cy 5k;Ada 3k;Ada 3k\n",
}
TABLES |= RANKED


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_a_pasted_table_is_read_as_the_same_table_in_a_file(text: str) -> None:
    file = [(game.black, game.white, str(game.result), str(game.date)) for game in handan.read(text.encode())]
    sheet = [tuple(line[name] for name in ("black", "white", "result", "date")) for line in lines_of(text)]
    assert sheet == file
    assert len(sheet) == 2


@pytest.mark.parametrize("text", [*RANKED.values(), "Ada 3k,Bo 2k,B+\nCy 5k,Ada 3k,W+"], ids=[*RANKED, "no headings"])
def test_ranks_behind_names_go_to_the_comments(text: str) -> None:
    lines = lines_of(text)
    assert [(line["black"], line["white"], line["notes"]) for line in lines] == [
        ("Ada", "Bo", "3k; 2k"), ("Cy", "Ada", "5k; 3k"),
    ]  # fmt: skip


def test_no_cell_of_a_pasted_line_is_lost_or_swallowed(points: tuple[Club, dict[str, str], Client]) -> None:
    club, _, keeper = points
    sheet = f"/{club.slug}/games/sheet/"
    wide = f"suzu;yama;B+{';x' * 37}"
    assert lines_of(wide)[0]["notes"].count("x") == 31
    assert lines_of(f"{wide}{';' * 100_000}") == lines_of(wide)
    for name in ("text", "pasted"):
        page = keeper.post(sheet, {"grid": name.replace("pasted", "lines"), name: f"{wide};y"}).content.decode()
        assert "line 1 has 41 cells; a line has at most 40" in page
        assert f"{wide};y" in page
    stray = 'black,white,result\n"suzu,yama,B+\n"kim, ""the fox""",ada,W+\nada,kim,B+'
    assert [(line["black"], line["white"]) for line in lines_of(stray)] == [
        ('"suzu', "yama"), ('kim, "the fox"', "ada"), ("ada", "kim"),
    ]  # fmt: skip
    assert lines_of('black,white,notes\nsuzu,yama,"one\ntwo"')[0]["notes"] == "one two"
    page = look(keeper, club, [("suzu", "yama", "B+")], notes="n" * 2500)
    assert fields_of(page)["notes"] == ["n" * 2500]
    assert statuses(page) == ["fault"]


def test_a_cell_that_is_too_long_is_refused_on_every_form(points: tuple[Club, dict[str, str], Client]) -> None:
    club, _, keeper = points
    long, many = "x" * 100_000, "suzu;yama;B+\n" * 200
    for sent in (
        {"text": f"suzu,yama,{long * 2}"},
        {"grid": "text", "text": f"suzu;yama;B+{';' * 7}{long};{long}\n{many}"},
    ):
        answer = keeper.post(f"/{club.slug}/games/sheet/", sent)
        assert answer.status_code == 200
        assert "these lines are no table" in answer.content.decode()
        assert long in answer.content.decode()


def test_what_a_file_would_reject_stays_on_a_pasted_sheet(points: tuple[Club, dict[str, str], Client]) -> None:
    club, _, keeper = points
    text = "black;white;black score;white score;table\nsuzu;yama;1;0;3\nsuzu;yama;1;1;4\nsuzu;yama;;;5\nx;y;0;1;\n"
    lines = lines_of(text)
    assert [line.get("result", "") for line in lines] == ["B+", "", "", "W+"]
    assert [line.get("notes", "") for line in lines] == ["3", "1; 1; 4", "5", ""]
    pairs = "date;game;winner\n2026-09-03;Ada vs Bo;Ada\n;what was this?;who?\n;Bo vs Cy;\n"
    assert [line.get("notes") for line in lines_of(pairs)] == [None, "what was this?", None]
    for refused in ("black;white;black score;white score\nsuzu;yama;183;178", "game;result\nAda vs Bo;B+R",
                    f"suzu;yama;{'x' * 200_000}"):  # fmt: skip
        page = keeper.post(f"/{club.slug}/games/sheet/", {"grid": "text", "text": refused}).content.decode()
        assert 'role="alert"' in page
        assert html.unescape(page.partition('name="text"')[2].partition(">")[2]).startswith(refused)
        again = {"grid": "lines", "black": ["suzu"], "white": ["yama"], "pasted": refused}
        pasted = keeper.post(f"/{club.slug}/games/sheet/", again).content.decode()
        assert html.unescape(pasted.partition('name="text"')[2].partition(">")[2]).startswith(refused)
        assert 'value="suzu"' in pasted  # and so does what stood in the grid


def test_a_letter_of_a_language_that_neither_headings_nor_page_speak_is_asked_about(
    points: tuple[Club, dict[str, str], Client],
) -> None:
    """C is Black in Czech and Polish, S in German; here it may be the first letter of who won."""
    club, _, keeper = points

    def read(text: str, way: str, language: str = "en") -> tuple[list[str], list[str]]:
        page = keeper.post(
            f"/{club.slug}/games/sheet/",
            {"grid": "text" if way == "text" else "lines", way: text, "of-date": "2026-05-01"},
            headers={"accept-language": language},
        ).content.decode()
        return statuses(page), [cell for cell in fields_of(page)["result"] if cell]

    for way in ("text", "pasted"):
        assert read("suzu,yama,C\nkim,ada,C\n", way) == (["fault"] * 2, ["C", "C"])
        headed = "black,white,winner\nsuzu,yama,C\nkim,ada,B\n"
        assert read(headed, way)[0] == ["fault", "ready"]
        assert read("Schwarz;Weiß;Ergebnis\nsuzu;yama;S+3,5\nkim;ada;W\n", way)[0] == ["ready"] * 2
        assert read("suzu,yama,S\n", way) == (["fault"], ["S"])
        assert read("suzu,yama,S\n", way, "de")[0] == ["ready"]


def test_two_who_have_the_same_sheet_before_them_enter_its_games_once(
    points: tuple[Club, dict[str, str], Client],
) -> None:
    from handan.club.store.models import Role

    club, _, keeper = points
    other = client_of(club, Role.KEEPER)
    paper = [("suzu", "yama", "B+"), ("kim", "ada", "W+")]
    mine, theirs = look(keeper, club, paper), look(other, club, [*paper, ("ada", "yama", "W+R")])
    assert (statuses(mine), statuses(theirs)) == (["ready"] * 2, ["ready"] * 3)
    press(keeper, club, mine, save="1")
    answer = press(other, club, theirs, save="1").content.decode()  # nothing else is entered than was shown
    assert statuses(answer) == ["alike", "alike", "ready"]
    assert len(games(club)) == 2
    press(other, club, answer, save="1")
    assert [result for *_, result in games(club)] == ["B+", "W+", "W+R"]
    gone_back = press(other, club, theirs, save="1").content.decode()  # by the button of the browser
    assert len(games(club)) == 3
    assert "ready" not in statuses(gone_back)


def test_nobody_is_no_newcomer_and_what_tables_reject_is_a_fault(points: tuple[Club, dict[str, str], Client]) -> None:
    club, _, keeper = points
    text = (
        "Board\tBlack\tWhite\tResult\tKomi\n1\tsuzu\tyama\tB+\t6 1/2\n2\tada\tBYE 1\tB+\t\n3\tkim\t---\tB+\t\n"
        "4\tada\tkim\tW+\t06. Mai\n9\tada\tsuzu\tW+\treverse 5\n"
    )
    form = {"grid": "lines", "of-date": "2026-05-01", "pasted": text}
    page = keeper.post(f"/{club.slug}/games/sheet/", form).content.decode()
    assert statuses(page) == ["ready", "question", "question", "fault", "ready"]
    assert "“BYE 1” names no player: nobody played here." in html.unescape(page)
    assert "“---” names no player: nobody played here." in html.unescape(page)
    assert 'name="new"' not in page
    assert page.count('name="out"') == 2
    assert "is not a number; the spreadsheet program has made a day of it" in page


@pytest.mark.parametrize(
    ("typed", "language", "result"),
    [*((text, "ja", "B+") for text in ("b", "B", "黒", "1", "１", "●", "Ｂ", "b+", "黒勝ち")),
     *((text, "ja", "W+") for text in ("w", "白", "2", "○", "〇")), ("黒中押し勝ち", "ja", "B+R"),
     ("b+3.5", "en", "B+3.5"),
     ("n", "fr", "B+"), ("b", "fr", "W+"), ("s", "de", "B+"), ("흑", "ko", "B+"), ("0-1", "en", "W+"),
     ("nobody", "en", "nobody")],
)  # fmt: skip
def test_who_won_is_typed_in_one_letter(typed: str, language: str, result: str) -> None:
    """Letters as `letters` of words.toml has them of each language, else those of English."""
    from handan.club.sheet_text import typed_result

    read = typed_result(typed, language)
    assert read == result or read.replace("P1", "B").replace("P2", "W") == result


@pytest.mark.parametrize(
    ("typed", "month_first", "day"),
    [("11/6", True, "2026-11-06"), ("6/11", False, "2026-11-06"), ("6.11.", False, "2026-11-06"),
     ("11月6日", False, "2026-11-06"), ("１１／６", True, "2026-11-06"), ("12/28", True, "2025-12-28"),
     ("27/11", True, "2026-11-27"), ("2/29", True, "2024-02-29"), ("2026/11/6", True, "2026/11/6"),
     ("13/13", True, "13/13")],
)  # fmt: skip
def test_a_day_without_its_year_is_the_last_one(typed: str, month_first: bool, day: str) -> None:
    from datetime import date

    from handan.club.sheet_text import typed_day

    assert typed_day(typed, date(2026, 11, 27), month_first=month_first) == day
