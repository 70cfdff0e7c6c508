"""Game records of Tygem and wBaduk: invented games in the layout that Sabaki's readers know."""

from __future__ import annotations

from pathlib import Path

import pytest

from handan.errors import InputError
from handan.files import read
from handan.files.formats.gib import GIB
from handan.files.formats.ngf import NGF
from handan.files.io.options import Options
from handan.ledger import Game

GIB_TEXT = """\\HS
\\[GIBOKIND=Global\\]
\\[GAMERESULT=white wins by time\\]
\\[GAMENAME={event}\\]
\\[GAMEDATE=2026- 6-14- 1-26-14\\]
\\[GAMEWHITENAME={white} (2D)\\]
\\[GAMEWHITELEVEL=19\\]
\\[GAMEBLACKNAME={black} (12K)\\]
\\[GAMEINFOMAIN=GBKIND:3,GTYPE:0,GCDT:0,GTIME:600-30-3,GRLT:{code},ZIPSU:{points},DUM:0,GONGJE:65,TCNT:232,AUSZ:0\\]
\\[GAMETAG=S0,R0,D0,G65,W8,Z0,T30-3-600,C2026:06:14:01:26,I:\u6977\u646c,L:19\\]
\\HE
\\GS
2 5 0
233 0 &4
INI 0 1 {stones} &4
STO 0 2 1 15 3
\\GE
"""
HEAD = "Rated game\n19\n{white}        2D\n{black}      5DP\naddress\n0\n0\n6\n20260614 [11:25]\n5\n{result}\n232\n"
MOVES = "PMABBQDQD\nPMACWDEDE\n"


def gib(code: int = 8, points: int = 0, stones: int = 0, black: str = "botan", white: str = "adalind") -> str:
    return GIB_TEXT.format(event="Night cup", code=code, points=points, stones=stones, black=black, white=white)


@pytest.mark.parametrize(
    ("code", "points", "result"),
    [(0, 35, "B+3.5"), (1, 405, "W+40.5"), (3, 0, "B+R"), (4, 0, "W+R"), (7, 0, "B+T"), (8, 0, "W+T"), (5, 0, "W+T")],
)
def test_a_record_of_tygem_is_a_game(code: int, points: int, result: str, tmp_path: Path) -> None:
    (tmp_path / "night.gib").write_text(gib(code, points, 2), encoding="utf-8")
    [game] = read(tmp_path)
    assert game == Game(
        "botan", "adalind", result, "2026-06-14", 2, 6.5, event="Night cup", black_rank="12k", white_rank="2d",
        entry=game.entry,
    )  # fmt: skip


def test_names_of_tygem_are_in_korean_beside_fields_in_utf_8(tmp_path: Path) -> None:
    # the fields of the accounts are two bytes a letter taken for letters of one, in whatever encoding
    data = gib(black="김민준", white="이서연").encode("utf-8")
    for name in ("김민준", "이서연"):
        data = data.replace(name.encode(), name.encode("cp949"))
    (tmp_path / "game.gib").write_bytes(data)
    ledger = read(tmp_path)
    assert set(ledger.names) == {"김민준", "이서연"}
    assert ["encoding" in str(problem) for problem in ledger.problems] == [True]
    with pytest.raises(InputError, match="does not name both players"):
        GIB.read(b"\\HS\r\n\\HE\r\n", "x", Options())


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("White wins by resign!", "W+R"), ("Black wins by time", "B+T"), ("Black win by 3.5", "B+3.5"),
        ("White loses by resign", "B+R"),
    ],
)  # fmt: skip
def test_a_record_of_wbaduk_is_a_game(text: str, result: str, tmp_path: Path) -> None:
    (tmp_path / "game.ngf").write_text(HEAD.format(white="adalind", black="botan", result=text) + MOVES)
    [game] = read(tmp_path)
    assert (game.black, game.black_rank, game.white, game.white_rank) == ("botan", "5p", "adalind", "2d")
    assert (str(game.result), str(game.date), game.handicap, game.komi) == (result, "2026-06-14", 0, 6.5)
    with pytest.raises(InputError, match="not whole"):
        NGF.read(b"a\n19\n", "x", Options())
