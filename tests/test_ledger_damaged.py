"""A ledger on disk of which bytes are others than were written is refused in words, and never written anew as whole."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import handan
from handan.errors import InputError
from handan.ledger import Game, Ledger
from handan.ledger.appending import append
from handan.ledger.disk import damage, open_ledger, save_ledger
from handan.ledger.folder import HEAD
from handan.ratings import Ratings
from handan.systems import SYSTEMS, Elo
from handan.systems.core.base import Sequential
from handan.systems.core.streaming import rated_in_windows
from tests.command_line import run

GAMES = 300
COLUMNS = ("black", "white", "date", "result", "kind", "komi", "handicap", "event", "black_rank")


def a_ledger(folder: Path) -> Path:
    """Write a ledger in which every column of `COLUMNS` has numbers."""
    rows = [
        Game(
            f"p{n % 7}", f"q{n % 5}", ("B+R", "W+2.5", "jigo")[n % 3], f"2024-{1 + n // 28:02}-{1 + n % 28:02}",
            kind=("league", "friendly")[n % 2], komi=(6.5, 0.5)[n % 2], handicap=n % 3, event=f"e{n // 100}",
            black_rank=("3k", "4k")[n % 2],
        )
        for n in range(GAMES)
    ]  # fmt: skip
    save_ledger(Ledger.of(rows), folder)
    return folder


def file_of(folder: Path, name: str) -> tuple[Path, np.dtype]:
    head = json.loads((folder / HEAD).read_text(encoding="utf-8"))["columns"][name]
    return folder / head["file"], np.dtype(head["dtype"])


def put(folder: Path, name: str, game: int, number: int) -> Path:
    """Put a number in the place of that of a game; return the file."""
    file, dtype = file_of(folder, name)
    numbers = np.fromfile(file, dtype)
    numbers[game] = number
    numbers.tofile(file)
    return file


@pytest.mark.extended
@pytest.mark.parametrize("column", COLUMNS)
@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_no_system_rates_games_with_numbers_that_stand_for_nothing(name: str, column: str, tmp_path: Path) -> None:
    folder = a_ledger(tmp_path / "a.ledger")
    whole = SYSTEMS[name]().rate(open_ledger(folder)).rating
    file, dtype = file_of(folder, column)
    put(folder, column, 150, np.iinfo(dtype).max)
    try:
        ratings = SYSTEMS[name]().rate(open_ledger(folder))
    except InputError as error:
        assert f"{file} is damaged" in str(error)  # noqa: PT017  # the systems that do not read a column rate
    else:
        assert column not in {"black", "white", "result"}
        assert ratings.rating.tobytes() == whole.tobytes()


@pytest.mark.extended
@pytest.mark.parametrize("name", sorted(name for name, kind in SYSTEMS.items() if issubclass(kind, Sequential)))
@pytest.mark.parametrize("column", ["black", "white", "result"])
def test_no_window_is_rated_with_numbers_that_stand_for_nothing(name: str, column: str, tmp_path: Path) -> None:
    folder = a_ledger(tmp_path / "a.ledger")
    file = put(folder, column, 200, file_of(folder, column)[1].type(-1 & 0xFF))
    system = SYSTEMS[name]()
    assert isinstance(system, Sequential)
    with pytest.raises(InputError, match=f"{file.name} is damaged"):
        rated_in_windows(system, open_ledger(folder), 40)


@pytest.mark.parametrize("column", COLUMNS)
def test_commands_name_the_damaged_file(column: str, tmp_path: Path) -> None:
    folder = a_ledger(tmp_path / "a.ledger")
    file, dtype = file_of(folder, column)
    put(folder, column, 150, np.iinfo(dtype).max)
    for command in (("report", "-s", "egf", "-o", tmp_path / "r.html"), ("convert", "-o", tmp_path / "o.csv"),
                    ("compare", "-s", "elo"), ("players",), ("explain", "-s", "points", "-p", "p1"),
                    ("ledger", "build", "-o", tmp_path / "new.ledger")):  # fmt: skip
        given = [*command[:2], folder, *command[2:]] if command[0] == "ledger" else [command[0], folder, *command[1:]]
        answer = run(*given)
        assert "Traceback" not in answer.err
        if answer.status == 2:
            assert (answer.err.count("\n"), f"{file} is damaged" in answer.err) == (1, True), answer.err
        if command[0] in ("convert", "ledger"):
            assert answer.status == 2


def test_dates_that_do_not_ascend_are_refused(tmp_path: Path) -> None:
    folder = a_ledger(tmp_path / "a.ledger")
    file = put(folder, "date", 150, 10_000)
    with pytest.raises(InputError, match=r"date\.1\.bin is damaged: its dates do not ascend"):
        handan.rate(handan.read(folder), "glicko2")
    assert file.exists()


def test_opening_a_ledger_looks_at_no_game(tmp_path: Path) -> None:
    folder = a_ledger(tmp_path / "a.ledger")
    put(folder, "white", 150, 2**32 - 1)
    ledger = open_ledger(folder)
    assert (len(ledger), ledger.newest) == (GAMES, "2024-11-20")
    with pytest.raises(InputError, match="it holds 4,294,967,295, and its numbers end at 11; build the ledger anew"):
        ledger.seats  # noqa: B018  # it is read here


def misread(folder: Path, name: str) -> None:
    """Turn a number of a column, in its middle, into another possible one."""
    file, dtype = file_of(folder, name)
    numbers = np.fromfile(file, dtype)
    put(folder, name, 150, (int(numbers[150]) + 1) % 2)


LATER = {
    "a newcomer moves the numbers of players": Game("a new one", "q1", "B+R", "2025-01-01"),
    "a time of day turns days into milliseconds": Game("p1", "q1", "B+R", "2025-01-01 12:30"),
}


@pytest.mark.parametrize(("column", "game"), [
    ("black", LATER["a newcomer moves the numbers of players"]),
    ("white", LATER["a newcomer moves the numbers of players"]),
    ("date", LATER["a time of day turns days into milliseconds"]),
])  # fmt: skip
def test_games_are_put_behind_no_damaged_column_that_is_written_anew(column: str, game: Game, tmp_path: Path) -> None:
    folder = a_ledger(tmp_path / "a.ledger")
    file, _ = file_of(folder, column)
    if column == "date":
        put(folder, column, 150, int(np.fromfile(file, np.int32)[151]))
    else:
        misread(folder, column)
    with pytest.raises(InputError, match=f"{file.name} is damaged: its digest is another; nothing was changed"):
        append(folder, Ledger.of([game]))
    assert (len(open_ledger(folder)), len(damage(folder))) == (GAMES, 1)


def test_values_that_need_wider_numbers_are_put_behind_no_damaged_ones(tmp_path: Path) -> None:
    folder = a_ledger(tmp_path / "a.ledger")
    misread(folder, "event")
    games = [Game("p1", "q1", "B+R", "2025-01-01", event=f"new{n:03}") for n in range(300)]
    with pytest.raises(InputError, match=r"event\.1\.bin is damaged"):
        append(folder, Ledger.of(games))
    assert len(damage(folder)) == 1


def test_no_result_of_a_damaged_column_is_corrected(tmp_path: Path) -> None:
    folder = a_ledger(tmp_path / "a.ledger")
    game = open_ledger(folder)[0]
    misread(folder, "result")
    right = tmp_path / "right.csv"
    right.write_text(f"date,black,white,result,event\n{game.date},{game.black},{game.white},W+9.5,{game.event}\n")
    answer = run("ledger", "correct", folder, right)
    assert (answer.status, "result.1.bin is damaged: its digest is another" in answer.err) == (2, True)
    assert run("ledger", "verify", folder).status == 2


@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside a file"])
def test_a_damaged_ledger_is_not_written_elsewhere_as_whole(beside: bool, tmp_path: Path) -> None:
    folder = a_ledger(tmp_path / "a.ledger")
    misread(folder, "result")
    more = tmp_path / "more.csv"
    more.write_text("date,black,white,result\n2025-01-01,p1,q1,B+R\n")
    for command in (
        ("ledger", "build", "-o", tmp_path / "new.ledger"),
        ("rate", "-s", "elo", "--save", tmp_path / "s"),
    ):
        first = command[:2] if command[0] == "ledger" else command[:1]
        answer = run(*first, folder, *[more] * beside, *command[len(first) :])
        assert (answer.status, "result.1.bin is damaged" in answer.err) == (2, True), answer.err
        assert not (tmp_path / "new.ledger").exists()
        assert not (tmp_path / "s").exists()


def rated_again(folder: Path) -> Ratings:
    """Rate a ledger in windows that keep places, as the command does."""
    return rated_in_windows(Elo(), open_ledger(folder), 40)


def kept(folder: Path) -> Path:
    """Return the folder of the places of the one system that has some."""
    (place,) = (folder / "checkpoints").iterdir()
    return place


def states(folder: Path) -> list[tuple[int, Path]]:
    """Return the places that are kept, and the file of the ratings at each."""
    head = json.loads((kept(folder) / HEAD).read_text(encoding="utf-8"))
    rating = [(int(name), item["arrays"]["state rating"]) for name, item in head.items() if name.isdecimal()]
    return [(game, kept(folder) / head["columns"][name]["file"]) for game, name in sorted(rating)]


@pytest.mark.parametrize("how_many", [1, 100])
def test_a_damaged_place_is_passed_over_for_the_one_before(how_many: int, tmp_path: Path) -> None:
    folder = a_ledger(tmp_path / "a.ledger")
    whole = rated_again(folder).table()
    before = states(folder)
    for _, file in before[-how_many:]:
        content = bytearray(file.read_bytes())
        content[6] ^= 0x10
        file.write_bytes(content)
    answer = run("ledger", "verify", folder)
    assert (answer.status, f"{before[-1][1]} is damaged" in answer.err) == (2, True)
    assert f"{folder} is whole, but not what ratings keep in it; delete {folder / 'checkpoints'}" in answer.err
    behind: list[int] = []
    ledger = open_ledger(folder)
    again = rated_in_windows(Elo(), ledger, 40, progress=behind.append)
    assert again.table().equals(whole)
    assert behind[0] == ([game for game, _ in before][-how_many - 1] if how_many < len(before) else 0)
    assert run("ledger", "verify", folder).status == 0  # what was damaged is gone


@pytest.mark.parametrize("wrong", ["{", '"rated": 1', "nothing"])
def test_places_are_kept_again_after_their_head_was_damaged(wrong: str, tmp_path: Path) -> None:
    folder = a_ledger(tmp_path / "a.ledger")
    whole = rated_again(folder).table()
    head = kept(folder) / HEAD
    text = head.read_text(encoding="utf-8")
    if wrong == "nothing":
        head.unlink()
    else:
        head.write_text(wrong if wrong == "{" else re.sub(r'"rated": \d+', wrong, text), encoding="utf-8")
    assert run("ledger", "verify", folder).status == 2
    assert rated_again(folder).table().equals(whole)
    assert run("ledger", "verify", folder).status == 0
    behind: list[int] = []
    rated_in_windows(Elo(), open_ledger(folder), 40, progress=behind.append)
    assert behind[0] > 200


def test_a_ledger_with_a_damaged_head_is_named_and_can_be_built_anew(tmp_path: Path) -> None:
    folder, table = a_ledger(tmp_path / "a.ledger"), tmp_path / "games.csv"
    handan.write(open_ledger(folder), table)
    (folder / HEAD).write_text("{", encoding="utf-8")
    for command in (("rate", folder, "-s", "elo"), ("ledger", "verify", folder), ("ledger", "append", folder, table)):
        answer = run(*command)
        assert (answer.status, answer.err) == (2, f"handan: {folder / HEAD} is damaged\n")
    assert run("ledger", "build", table, "-o", folder).status == 0
    assert (len(open_ledger(folder)), damage(folder)) == (GAMES, [])
    assert not list(folder.glob("*.1.*"))  # what belonged to the damaged one is gone
