"""No hint proposes the other colour, in whatever language a heading is written."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import handan
from handan.colours import BLACK, WHITE, colour_of
from handan.errors import AbsentError, FieldError, InputError, closest
from handan.files.games.columns import READABLE
from handan.words import table

OTHER = {BLACK: WHITE, WHITE: BLACK}
EVERY_WORD = [
    (colour, word.strip())
    for colour in (BLACK, WHITE)
    for words in table()["colour"][colour].values()
    for word in words.split(",")
]


def refusal(folder: Path, header: str) -> str:
    file = folder / "games.csv"
    file.write_text(f"{header}\nAda,Bo,B+\n", encoding="utf-8")
    with pytest.raises(InputError) as refused:
        handan.read(file)
    return str(refused.value)


@pytest.mark.parametrize(
    ("black", "white"),
    [
        ("noir", "blanc"), ("Schwarz", "Weiß"), ("schwarz", "weiss"), ("negro", "blanco"), ("negras", "blancas"),
        ("nero", "bianco"), ("czarny", "biały"), ("чёрные", "белые"), ("siyah", "beyaz"), ("preto", "branco"),
        ("黒", "白"), ("黑", "白"), ("흑", "백"), ("kuro", "shiro"), ("joueur_noir", "joueur_blanc"),
    ],
)  # fmt: skip
def test_a_heading_in_another_language_is_read(black: str, white: str, tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    for header in (f"{black},{white},result", f"black,{white},result", f"{black},white,result"):
        file.write_text(f"{header}\nAda,Bo,B+\n", encoding="utf-8")
        assert [(game.black, game.white) for game in handan.read(file)] == [("Ada", "Bo")]


def test_no_word_means_both_colours() -> None:
    assert [word for colour, word in EVERY_WORD if colour_of(word) != colour] == []


@pytest.mark.parametrize(("colour", "word"), EVERY_WORD)
def test_no_word_of_one_colour_leads_to_a_column_of_the_other(colour: str, word: str, tmp_path: Path) -> None:
    other = OTHER[colour]
    for written in (word, f"{word}_rank", f"{word}_id", f"rank_{word}"):
        assert other not in closest(written, READABLE)
        own_columns_given = [name for name in READABLE if not name.startswith(colour)]
        assert other not in closest(written, own_columns_given)
    assert f"did you mean {other}" not in refusal(tmp_path, f"{colour},{word},result")


@pytest.mark.parametrize("written", ["whack", "blite", "blac", "blacc", "blank", "w", "b", "wlack", "bhite"])
def test_a_slip_that_may_stand_for_either_colour_gets_no_hint(written: str) -> None:
    assert closest(written, ["black", "white"]) == ""


@pytest.mark.parametrize(
    ("written", "meant"), [("balck", "black"), ("bllack", "black"), ("wihte", "white"), ("White ", "white")]
)
def test_a_slip_for_one_colour_gets_it(written: str, meant: str) -> None:
    assert closest(written, ["black", "white"]) == f"; did you mean {meant}?"


def test_a_rank_of_white_is_never_taken_for_that_of_black() -> None:
    assert closest("white_rnak", ["black_rank"]) == ""
    assert closest("white_rnak", ["black_rank", "white_rank"]) == "; did you mean white_rank?"


def test_errors_survive_the_way_to_another_process() -> None:
    absent = AbsentError("player 'Alise' is not in the ledger", "Alise", lambda: ["Alice"])
    for error in (absent, FieldError("rank", "0d", "a rank such as 12k"), InputError("text")):
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again)) == (type(error), str(error))
    assert str(absent) == "player 'Alise' is not in the ledger; did you mean Alice?"


def test_names_are_looked_at_only_when_the_message_is_read() -> None:
    looked = []

    def names() -> list[str]:
        looked.append(True)
        return ["Alice"]

    error = AbsentError("no such player", "Alise", names)
    assert not looked
    assert [str(error), str(error)] == ["no such player; did you mean Alice?"] * 2
    assert len(looked) == 1


def test_of_many_names_the_near_ones_are_compared() -> None:
    names = sorted(f"player {number:07}" for number in range(100_000))
    assert "player 0050000" in closest("player 005000", names)
    assert closest("x" * 100_000, names) == ""
