"""A ledger on disk answers as the ledger in memory, grows in order, and is whole or not there."""

from __future__ import annotations

import json
import os
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import handan
from handan.errors import InputError
from handan.ledger import Adjustment, Game, Ledger
from handan.ledger.appending import append
from handan.ledger.coded import Coded
from handan.ledger.disk import damage, open_ledger, save_ledger
from handan.ledger.folder import HEAD, writing
from handan.ratings import Extra, Ratings
from handan.systems import SYSTEMS
from handan.systems.families.solved import SolvedExtra
from handan.systems.whr import WHRExtra
from tests.clubs import a_club
from tests.command_line import games as games_file
from tests.command_line import run
from tests.strategies import ledgers

ARRAYS = ("rating", "before", "change", "after", "unrated", "sequence", "batch", "pool", "printed", "deviation",
          "variances", "rank_number")  # fmt: skip


def mapped(ledger: Ledger, folder: Path) -> Ledger:
    """Return the same ledger, its columns on disk."""
    save_ledger(ledger, folder)
    stored = open_ledger(folder)
    assert isinstance(stored.columns, Coded)
    return stored


def written_down(extra: Extra) -> dict[str, Any]:
    """Return what a system wrote down, with what it makes of games and days only when somebody asks."""
    if not isinstance(extra, SolvedExtra):
        return vars(extra)
    made = {item.name: getattr(extra, item.name) for item in fields(extra) if item.name not in {"make", "solved"}}
    days = {"strength of days": extra.solved.strength} if isinstance(extra, WHRExtra) else {}
    return made | extra.lines._asdict() | days


def assert_same_bits(one: Ratings, other: Ratings) -> None:
    for name in ARRAYS:
        mine, theirs = getattr(one, name), getattr(other, name)
        assert (mine is None) == (theirs is None), name
        if mine is not None:
            assert mine.dtype == theirs.dtype
            assert mine.tobytes() == theirs.tobytes(), name
    mine, theirs = written_down(one.extra), written_down(other.extra)
    assert mine.keys() == theirs.keys()
    assert all(np.asarray(mine[name]).tobytes() == np.asarray(theirs[name]).tobytes() for name in mine)
    assert one.warnings == other.warnings
    assert one.adjusted == other.adjusted


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_every_system_gives_the_same_bits_from_disk(name: str, tmp_path: Path) -> None:
    club = a_club().with_adjustments([Adjustment(a_club().players[2].name, rank="3k", date="2024-02-01")])
    one, other = SYSTEMS[name]().rate(club), SYSTEMS[name]().rate(mapped(club, tmp_path / "a.ledger"))
    assert_same_bits(one, other)
    assert one.table().equals(other.table())
    player = club.players[0].name
    assert one.explain(player) == other.explain(player)
    assert (
        one.histories()
        .drop("source", "line", strict=False)
        .equals(other.histories().drop("source", "line", strict=False))
    )


@settings(max_examples=30)
@given(ledger=ledgers(), name=st.sampled_from(sorted(SYSTEMS)))
def test_any_ledger_comes_back_as_it_was(ledger: Ledger, name: str) -> None:
    with TemporaryDirectory() as folder:
        stored = mapped(ledger, Path(folder) / "a.ledger")
        assert_same_bits(SYSTEMS[name]().rate(ledger), SYSTEMS[name]().rate(stored))
        assert stored == ledger
        assert list(stored) == list(ledger)
        assert stored.newest == ledger.newest


@pytest.mark.extended
@settings(max_examples=30)
@given(ledger=ledgers(), data=st.data())
def test_appended_in_order_is_built_from_all(ledger: Ledger, data: st.DataObject) -> None:
    ledger = replace(ledger, adjustments=())
    cut = data.draw(st.integers(0, len(ledger)))
    games = list(ledger)
    first, rest = Ledger.of(games[:cut]), Ledger.of(games[cut:])
    with TemporaryDirectory() as place:
        folder = Path(place) / "a.ledger"
        save_ledger(first, folder)
        try:
            append(folder, rest)
        except InputError as fault:
            assert "anew" in str(fault)  # noqa: PT017  # a name that may be one of two players
            assert open_ledger(folder) == first
        else:
            assert open_ledger(folder) == Ledger.of(games)
            assert damage(folder) == []


def test_games_before_the_last_are_refused_and_nothing_changes(tmp_path: Path) -> None:
    save_ledger(Ledger.of([Game("Ada", "Bo", "B+R", "2024-05-01")]), tmp_path / "a.ledger")
    before = open_ledger(tmp_path / "a.ledger")
    with pytest.raises(InputError, match="2024-04-30, comes before the last of the ledger, 2024-05-01"):
        append(tmp_path / "a.ledger", Ledger.of([Game("Ada", "Bo", "W+R", "2024-04-30")]))
    assert open_ledger(tmp_path / "a.ledger") == before


@pytest.mark.extended
def test_a_writer_killed_at_any_step_leaves_the_old_ledger_or_the_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every flush to the disk and every renaming is a step; the process ends there."""
    old = Ledger.of([Game("Ada", "Bo", "B+R", "2024-05-01")])
    later = Ledger.of([Game("Cy", "Bo", "W+R", "2024-05-02", kind="league")])
    steps = {"left": 10_000}

    class KilledError(BaseException):
        pass

    def dying(call: Any) -> Any:
        def step(*arguments: Any, **more: Any) -> Any:
            if steps["left"] == 0:
                raise KilledError
            steps["left"] -= 1
            return call(*arguments, **more)

        return step

    monkeypatch.setattr(os, "fsync", dying(os.fsync))
    monkeypatch.setattr(Path, "replace", dying(Path.replace))
    monkeypatch.setattr(Path, "unlink", dying(Path.unlink))
    seen = set()
    for number in range(100):
        folder = tmp_path / str(number) / "a.ledger"
        steps["left"] = 10_000
        save_ledger(old, folder)
        steps["left"] = number
        try:
            append(folder, later)
        except KilledError:
            pass
        else:
            break
        steps["left"] = 10_000
        now = open_ledger(folder)
        assert now in (old, old + later)
        assert damage(folder) == []
        seen.add(len(now))
        if len(now) == 1:
            append(folder, later)  # what the first writer left is no hindrance
        assert open_ledger(folder) == old + later
    assert seen == {1, 2}
    assert number > 5


@pytest.mark.parametrize("there", ["", "above", "above/a.ledger"])
def test_a_save_that_is_stopped_leaves_the_folders_that_were_there(
    there: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / there).mkdir(parents=True, exist_ok=True)
    before = sorted(tmp_path.rglob("*"))
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            save_ledger(a_club(), tmp_path / "above" / "a.ledger")
    if there == "above/a.ledger":
        answer = run("rate", tmp_path / there, "-s", "elo")
        assert (answer.status, "is not whole" in answer.err) == (2, True)
    else:
        assert sorted(tmp_path.rglob("*")) == before
    save_ledger(a_club(), tmp_path / "above" / "a.ledger")
    assert open_ledger(tmp_path / "above" / "a.ledger") == a_club()


def test_what_is_damaged_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "a.ledger"
    save_ledger(a_club(), folder)
    assert damage(folder) == []
    file = folder / "black.1.bin"
    content = bytearray(file.read_bytes())
    content[2] ^= 1
    file.write_bytes(content)
    answer = run("ledger", "verify", folder)
    assert (answer.status, "black.1.bin is damaged: black, bytes 0 to" in answer.err) == (2, True)
    file.write_bytes(content[:-4])
    assert "fewer are there" in run("rate", folder, "-s", "elo").err
    (folder / HEAD).write_text("{", encoding="utf-8")
    assert "no such" not in run("ledger", "verify", folder).err
    head = {"kind": "handan ledger", "version": 99, "generation": 1, "columns": {}}
    (folder / HEAD).write_text(json.dumps(head), encoding="utf-8")
    assert "layout 99" in run("rate", folder, "-s", "elo").err


WRONG: dict[str, list[Any]] = {
    "dtype": ["", ">i4", "<f8", "a", "9" * 5000, None, -1],
    "file": ["a" * 300, "/etc/hostname", None],
    "pieces": [[], [[-1, "a"]], [[3, "a"]], None, [[10**400, "a"]]],
}


@pytest.mark.parametrize(("part", "wrong"), [(part, wrong) for part, values in WRONG.items() for wrong in values])
def test_a_head_that_does_not_fit_its_files_is_refused_in_words(part: str, wrong: object, tmp_path: Path) -> None:
    save_ledger(a_club(), tmp_path / "a.ledger")
    whole = json.loads((tmp_path / "a.ledger" / HEAD).read_text(encoding="utf-8"))
    for name in whole["columns"]:
        if part == "dtype" and (not wrong) == (not whole["columns"][name]["dtype"]):
            continue  # it is a file of JSON
        head = {**whole, "columns": {**whole["columns"], name: {**whole["columns"][name], part: wrong}}}
        (tmp_path / "a.ledger" / HEAD).write_text(json.dumps(head), encoding="utf-8")
        with pytest.raises(InputError, match="damaged"):
            open_ledger(tmp_path / "a.ledger")


@pytest.mark.parametrize("fact", ["games", "players"])
@pytest.mark.parametrize("wrong", [10**9, 10**400, 0, -1, "x", None, []])
def test_a_head_with_another_number_of_games_or_players_is_refused(fact: str, wrong: object, tmp_path: Path) -> None:
    save_ledger(a_club(), tmp_path)
    head = json.loads((tmp_path / HEAD).read_text(encoding="utf-8"))
    (tmp_path / HEAD).write_text(json.dumps({**head, fact: wrong}), encoding="utf-8")
    with pytest.raises(InputError, match="damaged"):
        open_ledger(tmp_path)


def test_a_head_of_brackets_without_end_is_refused(tmp_path: Path) -> None:
    save_ledger(a_club(), tmp_path)
    (tmp_path / HEAD).write_text("[" * 100_000, encoding="utf-8")
    assert "is damaged" in run("ledger", "verify", tmp_path).err


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "black.1.bin").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds other files, such as 'black\.1\.bin'"):
        save_ledger(a_club(), tmp_path / "mine")
    assert (tmp_path / "mine" / "black.1.bin").read_text(encoding="utf-8") == "mine"
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["black.1.bin"]


def test_two_writers_do_not_mix(tmp_path: Path) -> None:
    save_ledger(a_club(), tmp_path / "a.ledger")
    with writing(tmp_path / "a.ledger", "handan ledger", 1), pytest.raises(InputError, match="another process"):
        append(tmp_path / "a.ledger", a_club())


def test_commands_take_a_ledger_wherever_they_take_a_file(tmp_path: Path) -> None:
    table = games_file(tmp_path / "games.csv", "2024-05-01,Ada,Bo,B+R,0,6.5,club", "2024-05-02,Bo,Ada,W+2.5,2,0.5,club")
    later = games_file(tmp_path / "later.csv", "2024-05-03,Cy,Ada,B+R,0,6.5,club")
    folder = tmp_path / "games.ledger"
    assert run("ledger", "build", table, "-o", folder).status == 0
    for command in (("rate", "-s", "elo"), ("explain", "-s", "egf", "-p", "Ada"), ("history", "-s", "whr", "--all"),
                    ("pools",), ("players",), ("drift", "-s", "elo"), ("rate", "-s", "dgs", "--since", "2024-05-01"),
                    ("rate", "-s", "elo", "--as-of", "2024-05-01"), ("event", "-s", "egf")):  # fmt: skip
        one, other = run(command[0], table, *command[1:]), run(command[0], folder, *command[1:])
        assert (one.status, one.out) == (other.status, other.out), command
    assert run("ledger", "append", folder, later).err.endswith("1 game more, 1 new player\n")
    assert run("rate", folder, "-s", "elo").out == run("rate", table, later, "-s", "elo").out
    assert run("rate", folder, table, "-s", "elo").err.count("repeat") == 1
    report = run("check", folder, "-f", "json").json["files"][0]
    assert (report["format"], report["games"], report["players"]) == ("ledger", 3, 3)
    assert handan.read(folder) == handan.read([table, later])


@pytest.mark.parametrize(
    "option",
    [("--encoding", "gbk"), ("--date", "2024-05-01"), ("--date-from-path",), ("--dates", "dmy"),
     ("--column", "black=Noir"), ("--letters", "nb"), ("--worksheet", "Games")],
    ids=lambda option: option[0],
)  # fmt: skip
def test_what_only_says_how_text_is_read_is_refused_on_a_ledger(option: tuple[str, ...], tmp_path: Path) -> None:
    table = games_file(tmp_path / "games.csv", "2024-05-01,Ada,Bo,B+R,0,6.5,club")
    folder = tmp_path / "games.ledger"
    assert run("ledger", "build", table, "-o", folder).status == 0
    answer = run("rate", folder, "-s", "elo", *option)
    text = f"games.ledger was read when it was built; {option[0]} can change nothing there"
    assert (answer.status, answer.out, text in answer.err, answer.err.count("\n")) == (2, "", True, 1)
    assert text not in run("rate", folder, table, "-s", "elo", *option).err  # of the file beside it something is said


def test_how_files_beside_a_ledger_are_read_is_not_meant_for_it(tmp_path: Path) -> None:
    table = games_file(tmp_path / "games.csv", "2024-05-01,Ada,Bo,B+R,0,6.5,club")
    (tmp_path / "handan.toml").write_text('system = "elo"\nencoding = "utf-8"\ndates = "ymd"\n', encoding="utf-8")
    assert run("ledger", "build", table, "-o", tmp_path / "games.ledger").status == 0
    answer = run("rate", tmp_path / "games.ledger")
    assert (answer.status, answer.out) == (0, run("rate", table).out)


def test_a_constant_column_takes_no_bytes_and_a_game_some_fifteen(tmp_path: Path) -> None:
    games = [Game(f"p{n % 7}", f"q{n % 5}", "B+R", f"2024-01-{1 + n % 28:02}", komi=6.5) for n in range(100)]
    save_ledger(Ledger.of(games), tmp_path / "a.ledger")
    sizes = {file.name: file.stat().st_size for file in (tmp_path / "a.ledger").glob("*.bin")}
    assert sizes == {"black.1.bin": 400, "white.1.bin": 400, "date.1.bin": 400}
    stored = open_ledger(tmp_path / "a.ledger")
    assert np.shares_memory(stored.seats[0], stored.seats[0])
    assert "games" not in vars(stored)
    SYSTEMS["elo"]().rate(stored).table()
    assert "games" not in vars(stored)  # the table of games was never made


@pytest.mark.parametrize("beside", [True, False], ids=["beside a file", "alone"])
def test_a_ledger_in_a_folder_that_is_given_is_read_as_one(beside: bool, tmp_path: Path) -> None:
    early = games_file(tmp_path / "early.csv", "2024-05-01,Ada,Bo,B+R,0,6.5,club")
    (tmp_path / "season").mkdir()
    late = games_file(tmp_path / "season" / "late.csv", "2024-05-02,Bo,Ada,W+2.5,2,0.5,club")
    assert run("ledger", "build", early, "-o", tmp_path / "season" / "old" / "early.ledger").status == 0
    assert run("rate", early, "-s", "elo", "--save", tmp_path / "season" / "saved").status == 0
    if not beside:
        late.unlink()
    (tmp_path / "season" / "saved").rename(tmp_path / "saved")
    answer = run("rate", tmp_path / "season", "-s", "elo")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out == run("rate", early, *[late] * beside, "-s", "elo").out
    (tmp_path / "saved").rename(tmp_path / "season" / "saved")
    assert "rejected" not in run("rate", tmp_path / "season", "-s", "elo").err
    (tmp_path / "season" / "old" / "early.ledger" / HEAD).write_text("{", encoding="utf-8")
    report = run("rate", tmp_path / "season", "-s", "elo").err
    assert report.count("rejected") == 1
    assert f"{HEAD} is damaged" in report
