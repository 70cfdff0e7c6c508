"""Tables whose rows hold half results: H9, .tou and wall lists; their edge cases, what is written, and real files."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.errors import InputError
from handan.files import Options, read, write
from handan.files.contents import Contents
from handan.files.h9 import H9
from handan.files.halves import parse_half
from handan.files.reading import readings
from handan.files.report import report
from handan.files.tou import TOU
from handan.files.wall_list import WALL_LIST
from handan.ledger import Game, Ledger
from tests.conftest import ROOT, examples

SAMPLES = ROOT / "tests" / "samples"
DATA = ROOT.parent / "shared" / "data"
local = pytest.mark.skipif(not DATA.exists(), reason="the folder of real results is not beside the checkout")
HEAD = "; EV[Cup]\n; DT[2025-05-03]\n; KM[6.5]\n"


def contents(text: str, head: str = HEAD) -> Contents:
    return H9.read((head + text).encode(), "cup.h9", Options())


def rows(found: Contents) -> list[tuple[object, ...]]:
    return found.games.select("round", "black", "white", "result", "handicap", "komi", "line").rows()


def test_the_sample_is_read_game_by_game() -> None:
    found = H9.read((SAMPLES / "cup.h9").read_bytes(), "cup.h9", Options())
    assert rows(found) == [
        (1, "Moor Dee Anne", "Lindqvist Ada", "W+", 0, 6.5, 11),
        (1, "Tan Bo", "Ruiz Cy", "jigo", 1, 0.5, 13),
        (2, "Lindqvist Ada", "Ruiz Cy", "B+", 0, 6.5, 11),
        (2, "Tan Bo", "Moor Dee Anne", "W+", 2, 0.5, 12),
        (3, "Tan Bo", "Lindqvist Ada", "W+F", 6, 0.5, 11),
        (3, "Moor Dee Anne", "Ruiz Cy", "B+", 0, 6.5, 12),
    ]
    assert (found.byes, found.half_byes, found.absences) == (1, 1, 1)
    assert set(found.games["kind"]) == {"tournament-b"}
    assert [str(problem) for problem in found.problems if problem.field == "PIN"] == [
        "cup.h9 line 13: PIN '1234' is not a number of eight digits; the player has no id"
    ]
    assert [entrant.id for entrant in found.entrants] == ["egd:10000001", "egd:10000002", "", "", ""]
    assert found.entrants[4].country == found.entrants[4].club == ""
    assert found.entrants[3].rank == "5k"


@pytest.mark.parametrize(
    ("cell", "told"),
    [
        ("12+", (12, "+", "", None, False)),
        ("7-/w0", (7, "-", "w", 0, False)),
        ("7=bO", (7, "=", "b", 0, False)),
        ("32+!", (32, "+", "", None, True)),
        ("7+!b0", (7, "+", "b", 0, True)),
        ("7+/b0!", (7, "+", "b", 0, True)),
        ("3+/bH12", (3, "+", "b", 12, False)),
        ("0+!", (0, "+", "", None, True)),
        ("?", (0, "?", "", None, False)),
    ],
)
def test_halves_are_read_in_all_their_spellings(cell: str, told: tuple[object, ...]) -> None:
    half = parse_half(cell)
    assert half is not None
    assert (half.opponent, half.symbol, half.colour, half.handicap, half.default) == told


@pytest.mark.parametrize("cell", ["", "x", "3d", "75Ju", "12b", "1.5", "+5"])
def test_other_cells_are_no_halves(cell: str) -> None:
    assert parse_half(cell) is None


def test_results_before_the_tie_breaks_are_found_by_looking_back() -> None:
    found = contents("1 A B 3d GB Ldn 2+ 3+ 2 161= 0=\n2 C D 1k GB Ldn 1- 4+ 1 160= 0=\n"
                     "3 E F 1k GB Ldn 4+ 1- 1 159= 0=\n4 G H 5k GB Ldn 3- 2- 0 1= 0=\n")  # fmt: skip
    assert found.games.height == 4
    assert not found.problems


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ("1+", "both-win"),
        ("1=", "matched by line 5, which has 1="),
        ("3-", "answered by player 2: line 5 has 3-"),
        ("1-/w0", "the same: colours unknown"),
        ("1-/b3", "one handicap"),
        ("1x", "a result such as 12+"),
    ],
)
def test_contradictions_name_both_lines(second: str, words: str) -> None:
    text = f"1 A B 3d GB Ldn 2+/w0 3+/b0 4+\n2 C D 1k GB Ldn {second} 4+/b0 3+\n"
    text += "3 E F 1k GB Ldn 4+/w0 1-/w0 2-\n4 G H 5k GB Ldn 3-/b0 2-/w0 1-\n"
    found = contents(text)
    told = " | ".join(str(problem) for problem in found.problems)
    assert words in told, told
    assert found.games.height >= 5


def test_a_tournament_without_a_date_needs_one() -> None:
    text = "1 A B 3d GB Ldn 2+ 2+\n2 C D 1k GB Ldn 1- 1-\n"
    with pytest.raises(InputError, match="has neither DT nor TC; give the date"):
        contents(text, "")
    assert str(contents(text, "; TC[T990608]\n").games["date"][0])[:10] == "1999-06-08"


def test_tables_without_results_are_refused() -> None:
    with pytest.raises(InputError, match="no result columns"):
        contents("1 A B 3d GB Ldn 3 5\n2 C D 1k GB Ldn 4 6\n")
    with pytest.raises(InputError, match="no row of a player"):
        contents("")


def test_tou_and_wall_lists_are_known_by_their_content() -> None:
    for name, form, games in (("cup.h9", "H9", 6), ("coupe.tou", "FFG .tou", 2), ("wall.txt", "wall list", 4)):
        [reading] = readings(SAMPLES / name, Options())
        assert (reading.format, len(reading.contents.games) if reading.contents else 0) == (form, games)
    tou = read(SAMPLES / "coupe.tou")
    assert [(game.black, game.white, game.handicap, game.komi, str(game.date)) for game in tou] == [
        ("Moor Dee", "Lindqvist Ada", 0, 7.5, "2025-05-03"),
        ("Ruiz Cy", "Lindqvist Ada", 1, 0.5, "2025-05-03"),
    ]
    assert tou.players[0].id == "ffg:1800001"
    assert str(read(SAMPLES / "wall.txt", date="2025-05-03")[0].result) == "P1+"


def test_what_is_written_reads_back_without_a_problem(tmp_path: Path) -> None:
    games = [
        Game("Lindqvist Ada", "Moor Dee", "B+", "2025-05-03", event="Cup", round=1, kind="tournament-a", komi=6.5,
             black_rank="3d", white_rank="1k", black_id="egd:10000001"),
        Game("Tan Bo", "Ruiz Cy", "W+F", "2025-05-03", handicap=2, komi=0.5, event="Cup", round=1, kind="tournament-a",
             black_rank="5k", white_rank="2k"),
        Game("Ruiz Cy", "Lindqvist Ada", "both-lose", "2025-05-03", event="Cup", round=2, kind="tournament-a", komi=6.5,
             black_rank="2k", white_rank="3d", white_id="egd:10000001"),
        Game("Moor Dee", "Tan Bo", "P=", "2025-05-03", event="Cup", round=2, kind="tournament-a", komi=6.5,
             black_rank="1k", white_rank="5k"),
    ]  # fmt: skip
    ledger = Ledger.of(games)
    assert write(ledger, tmp_path / "cup.h9") == []
    again = read(tmp_path / "cup.h9")
    assert [problem for problem in again.problems if problem.rejected] == []
    told = [(game.round, game.black, game.white, str(game.result), game.handicap, game.komi) for game in ledger]
    back = [(game.round, game.black, game.white, str(game.result), game.handicap, game.komi) for game in again]
    assert sorted(back) == sorted(told)


def test_a_tou_table_that_we_write_reads_back_to_the_same_games(tmp_path: Path) -> None:
    ledger = read(SAMPLES / "coupe.tou") + Ledger.of([
        Game("Moor Dee", "Lindqvist Ada", "B+", "2025-05-03", event="Coupe inventée", round=3, kind="tournament",
             black_id="ffg:1800002", white_id="ffg:1800001", black_rank="1k", white_rank="3d"),
    ])  # fmt: skip
    assert write(ledger, tmp_path / "coupe.tou") == []
    again = read(tmp_path / "coupe.tou")
    assert [problem for problem in again.problems if problem.rejected] == []
    told = [(game.round, game.black, game.white, str(game.result), game.handicap, game.black_id) for game in ledger]
    back = [(game.round, game.black, game.white, str(game.result), game.handicap, game.black_id) for game in again]
    assert sorted(back) == sorted(told)


def test_what_a_tou_table_cannot_hold_is_named(tmp_path: Path) -> None:
    games = [
        Game("A Player Whose Name Is Much Too Long", "Bo", "B+F", "2025-05-03", event="Cup", round=1),
        Game("Cy", "王小明", "both-lose", "2025-05-03", event="Cup", round=1, black_id="egd:10000001"),
    ]
    losses = write(Ledger.of(games), tmp_path / "cup.tou")
    assert losses == [
        "names cut after 25 characters (1)", "games by default, written as points without an opponent (1)",
        "numbers in other registers (1)", "games that both lost, written as points without an opponent (1)",
        "letters outside ISO-8859-15 in names (1)",
    ]  # fmt: skip


def test_losses_and_several_events_are_named(tmp_path: Path) -> None:
    odd = Game("Łąk Zoë", "Bo", "B+3.5", "2025-05-03", size=13, moves=100, event="Cup")
    losses = write(Ledger.of([odd]), tmp_path / "cup.h9")
    assert losses == [
        "how games ended (1 games)", "sizes of boards (1 games)", "numbers of moves (1 games)",
        "letters outside ASCII in names (1 players)",
    ]  # fmt: skip
    two = Ledger.of([Game("A", "B", "B+", "2025-05-03", event=event) for event in ("Cup", "League")])
    with pytest.raises(InputError, match=r"one tournament, and these are 2: Cup, League"):
        write(two, tmp_path / "cup.h9")


@pytest.mark.fuzz
@settings(max_examples=examples(150))
@given(data=st.data(), name=st.sampled_from(("cup.h9", "coupe.tou", "wall.txt")))
def test_mutated_tables_are_contents_or_an_error_of_one_line(data: st.DataObject, name: str) -> None:
    content = bytearray((SAMPLES / name).read_bytes())
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, max(len(content) - 1, 0)))
        kind = data.draw(st.sampled_from(("flip", "cut", "double", "insert", "line")))
        if kind == "flip" and content:
            content[place] = data.draw(st.integers(0, 255))
        elif kind == "cut":
            del content[place : place + data.draw(st.integers(1, 40))]
        elif kind == "double":
            content[place:place] = content[place : place + 30]
        elif kind == "insert":
            content[place:place] = data.draw(st.binary(max_size=5))
        else:
            lines = bytes(content).split(b"\n")
            del lines[data.draw(st.integers(0, len(lines) - 1))]
            content = bytearray(b"\n".join(lines))
    for form in (H9, TOU, WALL_LIST):
        try:
            assert isinstance(form.read(bytes(content), "x", Options()), Contents)
        except InputError as error:
            fault = str(error)
            assert "\n" not in fault


@local
def test_the_archive_has_its_known_counts() -> None:
    # the table of the data's own README
    text = (DATA / "README.md").read_text(encoding="utf-8")
    known = re.findall(r"^\| (\w+\.h9) \|(.*)\|$", text, re.MULTILINE)
    assert len(known) == 24
    for name, line in known:
        date, players, _, games, black, white, unknown, byes, half_byes, absences = next(
            csv.reader([line], delimiter="|")
        )
        [reading] = readings(DATA / "h9" / name, Options())
        assert reading.contents is not None
        told = report(reading)
        results = reading.contents.games["result"].str.slice(0, 2).value_counts()
        found = dict(results.iter_rows())
        counts = (told.players, told.games, told.byes, told.half_byes, told.absences)
        assert counts == tuple(map(int, (players, games, byes, half_byes, absences))), name
        assert (found.get("B+", 0), found.get("W+", 0)) == (int(black), int(white)), name
        assert found.get("P1", 0) + found.get("P2", 0) == int(unknown), name
        assert told.dates[0] == date.strip(), name
        assert not [problem for problem in told.problems if problem.rejected], name


@local
def test_juvisy_is_the_same_from_both_tables() -> None:
    both = [read(DATA / "opengotha" / f"juvisy-2019.{ending}") for ending in ("h9", "tou")]
    told = [sorted((g.round, g.black, g.white, str(g.result), g.handicap, g.komi) for g in ledger) for ledger in both]
    assert told[0] == told[1]
    assert len(told[0]) == 36


def test_a_small_two_is_no_number(tmp_path: Path) -> None:
    # found by the fuzzer: ² counts as a digit for Python, but not as a number
    path = tmp_path / "cup.h9"
    text = (SAMPLES / "cup.h9").read_text(encoding="utf-8")
    path.write_text(text.replace("\n  1 ", "\n  ² ").replace("\n1 ", "\n² "), encoding="utf-8")
    assert len(read(path)) > 0
