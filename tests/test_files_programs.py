"""Files of tournament programs: Pairgoth, and those of chess; all names are invented."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handan.errors import InputError
from handan.files import Options, read
from handan.files.formats.pairgoth import PAIRGOTH
from handan.files.games.parsed import Contents
from handan.files.reading import readings
from handan.ledger import Rest
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
    assert (parsed.rests, parsed.events[0].pairings, parsed.problems) == ({Rest.BYE: 2}, (), [])
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
    assert parsed.rests == {Rest.BYE: 1, Rest.ABSENCE: 1}  # the third round is not paired


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
