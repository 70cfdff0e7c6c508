"""Files of tournament programs: Pairgoth, and those of chess; all names are invented."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handan.errors import InputError
from handan.files import Options, read
from handan.files.formats.pairgoth import PAIRGOTH
from handan.files.formats.pgn import PGN
from handan.files.formats.trf import TRF
from handan.files.games.contents import Contents
from handan.files.reading import readings
from handan.ledger import Bye
from tests.conftest import ROOT

SAMPLES = ROOT / "tests" / "samples" / "programs"


def contents(name: str) -> tuple[str, Contents]:
    [reading] = readings(SAMPLES / name, Options())
    assert reading.contents is not None, reading.refusal
    return reading.format, reading.contents


def test_a_tournament_of_pairgoth_is_read() -> None:
    form, parsed = contents("pairgoth.tour")
    assert form == "Pairgoth"
    names = ("black", "white", "result", "handicap", "komi", "black_rank", "white_rank", "black_id", "white_id")
    assert parsed.games.select("round", *names).rows() == [
        (1, "Tan Bo", "Lindqvist Ada", "B+", 5, 0.5, "4k", "3d", "ffg:1800002", "egd:10000001"),
        (2, "Moor Cy", "Lindqvist Ada", "jigo", 0, 7.5, "1k", "3d", "", "egd:10000001"),
    ]
    assert {str(day)[:10] for day in parsed.games["date"]} == {"2026-04-03"}
    assert set(parsed.games["event"]) == {"Invented Cup"}
    assert (parsed.byes_by_kind, parsed.events[0].pairings, parsed.problems) == ({Bye.ALLOCATED: 2}, (), [])
    assert [(each.name, each.country, each.club, each.rating, each.rating_origin) for each in parsed.entrants] == [
        ("Lindqvist Ada", "SE", "Ume", 2350.0, "EGF"), ("Tan Bo", "FR", "75Pa", None, ""),
        ("Moor Cy", "GB", "Ldn", None, ""),
    ]  # fmt: skip


def pairgoth(**changes: Any) -> Contents:
    root = json.loads((SAMPLES / "pairgoth.tour").read_text(encoding="utf-8"))
    return PAIRGOTH.read(json.dumps({**root, **changes}).encode(), "cup.tour", Options())


def test_results_of_pairgoth_are_those_of_its_letters() -> None:
    letters = {"b": "B+", "w": "W+", "=": "jigo", "X": "void", "#": "both-win", "0": "both-lose"}
    games = [[{"w": 1, "b": 2, "h": 0, "r": letter}] for letter in (*letters, "?")]
    parsed = pairgoth(games=games)
    assert dict(zip(letters, parsed.games["result"].to_list(), strict=True)) == letters
    assert (len(parsed.events[0].pairings), parsed.problems) == (1, [])


def test_rounds_left_out_and_players_only_announced_are_told_apart() -> None:
    players = [
        {"id": 1, "name": "Lindqvist", "firstname": "Ada", "rank": 8, "skip": [2, 3]},
        {"id": 2, "name": "Tan_Li", "firstname": "Bo", "rank": -30},
        {"id": 3, "name": "Moor", "firstname": "Cy", "rank": 0, "final": False, "skip": [1]},
    ]
    parsed = pairgoth(players=players, games=[[{"w": 1, "b": 2, "h": 0, "r": "w"}], [{"w": 2, "b": 0, "r": "b"}]])
    assert [(each.name, each.rank) for each in parsed.entrants] == [("Lindqvist Ada", "9d"), ("Tan Li Bo", "30k")]
    assert parsed.byes_by_kind == {Bye.ALLOCATED: 1, Bye.ZERO_POINT: 1}  # the third round is not paired


@pytest.mark.parametrize(
    ("system", "online", "kind"),  # the European federation: A from 60 and 75 minutes, B 40 and 50, C 25 and 30
    [
        ({"type": "FISCHER", "mainTime": 3000, "increment": 15}, False, "tournament-a"),  # 45 do with this clock
        ({"type": "JAPANESE", "mainTime": 2700, "byoyomi": 30, "periods": 5}, False, "tournament-b"),
        ({"type": "CANADIAN", "mainTime": 2400, "byoyomi": 300, "stones": 15}, True, "tournament-d"),
        ({"type": "SUDDEN_DEATH", "mainTime": 600}, False, "tournament-x"), ({"type": "FISCHER"}, False, "tournament"),
    ],
)  # fmt: skip
def test_the_class_of_pairgoth_follows_from_its_clock(system: dict[str, Any], online: bool, kind: str) -> None:
    assert set(pairgoth(timeSystem=system, online=online).games["kind"]) == {kind}


def test_what_cannot_be_used_of_pairgoth_is_said() -> None:
    games = [[{"w": 1, "b": 9, "r": "w"}, {"w": 1, "b": 1, "r": "w"}, {"w": 1, "b": 2, "r": "y"}, 7]]
    parsed = pairgoth(games=games, startDate="soon")
    assert [(each.field, each.rejected) for each in parsed.problems] == [
        ("startDate", False), ("round 1 game 1", True), ("white", True), ("round 1 game 3", True),
        ("round 1 game 4", True),
    ]  # fmt: skip
    with pytest.raises(InputError, match="a tournament of teams"):
        pairgoth(type="RENGO2", teams=[{"id": 4, "name": "Us", "players": [1, 2]}])
    with pytest.raises(InputError, match="no list of players"):
        pairgoth(players=None)


def test_files_of_one_tournament_of_pairgoth_count_once(tmp_path: Path) -> None:
    text = (SAMPLES / "pairgoth.tour").read_text(encoding="utf-8")
    (tmp_path / "a.tour").write_text(text.replace('"r": "="', '"r": "?"'), encoding="utf-8")
    (tmp_path / "b.tour").write_text(text, encoding="utf-8")
    assert len(read(tmp_path)) == 2


HEAD = "012 Invented Cup\n042 2026/03/01\n"


def line_of(number: int, name: str, *rounds: str, federation: str = "SWE", licence: str = "") -> str:
    """Return a line in the columns of FIDE's annex: number from 5, name 15, federation 54, id 58, rounds 92."""
    return f"001 {number:4} m    {name:33} {2000:4} {federation:3} {licence:>11} {'':10} {1.5:4} {number:4}" + "".join(
        f"  {cell:8}" for cell in rounds
    )


def test_a_report_of_the_chess_federation_is_read() -> None:
    form, parsed = contents("report.trf")
    assert form == "TRF"
    assert parsed.games.select("round", "black", "white", "result").rows() == [
        (1, "Tan, Bo", "Lindqvist, Ada", "W+"), (2, "Lindqvist, Ada", "Moor, Cy", "jigo"),
    ]  # fmt: skip
    assert {str(day)[:10] for day in parsed.games["date"]} == {"2026-03-01"}
    assert parsed.byes_by_kind == {Bye.ALLOCATED: 2}
    assert (parsed.events[0].name, parsed.events[0].city, str(parsed.events[0].last)) == (
        "Invented Cup",
        "Ume",
        "2026-03-02",
    )
    assert parsed.events[0].criteria == ("points",)
    assert [(each.player.name, each.place, each.figures) for each in parsed.events[0].participants] == [
        ("Lindqvist, Ada", 1, ("1.5",)), ("Tan, Bo", 2, ("1.0",)), ("Moor, Cy", 3, ("1.5",)),
    ]  # fmt: skip
    assert [(str(each.line), each.rejected) for each in parsed.problems] == [("None", False)]


def test_forfeits_byes_and_unrated_games_of_the_chess_federation_are_told_apart() -> None:
    rows = [
        line_of(1, "Lindqvist, Ada", "   2 w +", "   3 b W", "0000 - H", licence="1700001"),
        line_of(2, "Tan, Bo", "   1 b -", "0000 - Z", "   3 - 0"),
        line_of(3, "Moor, Cy", "0000 - U", "   1 w L", "   2 - 1"),
    ]  # fmt: skip
    parsed = TRF.read((HEAD + "\r\n".join(rows)).encode(), "cup.trf", Options())
    assert parsed.games.select("round", "black", "white", "result").rows() == [
        (1, "Tan, Bo", "Lindqvist, Ada", "W+F"), (2, "Lindqvist, Ada", "Moor, Cy", "B+F"),
        (3, "Tan, Bo", "Moor, Cy", "P2+"),
    ]  # fmt: skip
    assert parsed.byes_by_kind == {Bye.HALF_POINT: 1, Bye.ZERO_POINT: 1, Bye.ALLOCATED: 1}
    assert [each.id for each in parsed.entrants] == ["fide:1700001", "", ""]


def test_a_line_of_the_chess_federation_out_of_its_columns_is_said() -> None:
    rows = [line_of(1, "Lindqvist, Ada", "   2 w 1"), line_of(2, "Tan, Bo", "   1 b 0", "  1 b")]
    parsed = TRF.read((HEAD + "\n".join([*rows, "001 x"])).encode(), "cup.trf", Options())
    assert parsed.games.height == 1
    assert [(each.line, each.field) for each in parsed.problems if each.rejected] == [(4, "round 2"), (5, "player")]


def test_records_of_chess_are_read_by_their_tags() -> None:
    form, parsed = contents("games.pgn")
    assert form == "PGN"
    assert parsed.games.select("black", "white", "result", "event", "round", "line").rows() == [
        ("Tan, Bo", "Lindqvist, Ada", "W+T", 'Spring "Cup"', 2, 2),
        ("Lindqvist, Ada", "Moor, Cy", "jigo", "", None, 16),
    ]  # fmt: skip
    assert [(str(day)[:7], long) for day, long in parsed.games.select("date", "precision").rows()] == [
        ("2026-03", 10), ("2026-03", 7),
    ]  # fmt: skip
    assert parsed.unplayed == 1
    assert [str(each) for each in parsed.problems] == [
        f"{SAMPLES}/games.pgn: records of chess: White, who moves first there, is White here too"
    ]


def test_a_game_of_chess_without_a_day_of_its_own_is_of_that_of_its_event() -> None:
    tags = '[White "Ada"]\n[Black "Bo"]\n[Result "1-0"]\n[Date "????.??.??"]\n{}[EventDate "2026.02.28"]\n'
    for more, day in (("", "2026-02-28"), ('[UTCDate "2026.03.01"]\n', "2026-03-01")):
        parsed = PGN.read(tags.format(more).encode(), "games.pgn", Options())
        assert [str(each)[:10] for each in parsed.games["date"]] == [day]


def test_games_of_chess_may_follow_each_other_without_moves_and_a_bad_one_stops_none() -> None:
    games = "".join(
        f'[White "{white}"]\n[Black "Bo"]\n[Result "{result}"]\n'
        for white, result in (("Ada", "1-0"), ("Bo", "1-0"), ("Cy", "won"), ("", "0-1"), ("Dee", "0-1"))
    )
    games += "1. e4 {" + "a remark " * 10_000 + "} 0-1\n"
    parsed = PGN.read(games.encode(), "games.pgn", Options())
    assert parsed.games.select("white", "result").rows() == [("Ada", "W+"), ("Dee", "B+")]
    assert [(each.line, each.field) for each in parsed.problems if each.rejected] == [
        (4, "white"), (7, "Result"), (10, "name"),
    ]  # fmt: skip
