"""`handan rate --save` and `handan add`: saved ratings as people use them, and what may go wrong with a folder."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import handan
from handan.cli.help import EXAMPLES
from handan.errors import InputError
from handan.ledger import Ledger
from handan.ledger.manifest import LOCK, MANIFEST, read_manifest
from handan.ratings.ladder import ladder_rows
from handan.saved import add
from handan.systems.egf import EGF
from tests.command_line import run
from tests.conftest import ROOT

TODAY = """date,black,white,result,handicap,komi
2026-09-20,Alice,Zoe,B+R,2,0.5
2026-09-20,Bob,Alice,W+3.5,0,6.5
"""


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the example club, its ratings saved, and two new games."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.csv").write_bytes((ROOT / "examples" / "games.csv").read_bytes())
    (tmp_path / "today.csv").write_text(TODAY, encoding="utf-8")
    assert run("rate", "games.csv", "--system", "egf", "--save", "club.handan").status == 0
    return tmp_path


def ladder(*arguments: str) -> str:
    """Return what `handan rate` prints, without the line that counts games."""
    return run("rate", *arguments).out.split("\n\n")[0]


def test_the_examples_of_the_help_follow_each_other(club: Path) -> None:
    for line in EXAMPLES["add"]:
        answer = run(*shlex.split(line)[1:])
        assert answer.status == 0, answer.err
    assert answer.out.endswith("European Go Federation, since 2021: 7 of 7 games rated; newest game 2026-09-20\n")


def test_adding_says_who_moved_and_gives_the_ladder_of_all_games(club: Path) -> None:
    answer = run("add", "club.handan", "today.csv")
    assert answer.status == 0
    assert [line.split()[0] for line in answer.out.splitlines()[1:4]] == ["Alice", "Bob", "Zoe"]
    assert answer.out.splitlines()[3].split()[-2:] == ["new", "1"]
    assert "club.handan: 2 games added; 3 games rated, those from 2026-09-16 on" in answer.out
    assert ladder("club.handan") == ladder("games.csv", "today.csv", "--system", "egf")


def test_games_that_are_there_are_not_added_again(club: Path) -> None:
    run("add", "club.handan", "today.csv")
    head = (club / "club.handan" / "manifest.json").read_bytes()
    answer = run("add", "club.handan", "today.csv")
    assert "0 games added; 2 there already and not added again" in answer.out
    assert (club / "club.handan" / "manifest.json").read_bytes() == head
    assert "2 games added" in run("add", "club.handan", "today.csv", "--keep-repeats").out


def test_a_correction_takes_the_place_of_its_game(club: Path) -> None:
    run("add", "club.handan", "today.csv")
    fix = club / "fix.csv"
    fix.write_text(TODAY.splitlines()[0] + "\n2026-09-20,Alice,Zoe,W+R,2,0.5\n", encoding="utf-8")
    assert "1 game corrected" in run("add", "club.handan", "fix.csv", "--correct").out
    (club / "both.csv").write_text(TODAY.replace("Zoe,B+R", "Zoe,W+R"), encoding="utf-8")
    assert ladder("club.handan") == ladder("games.csv", "both.csv", "--system", "egf")
    fix.write_text(TODAY.splitlines()[0] + "\n2026-09-21,Alice,Zoe,W+R,2,0.5\n", encoding="utf-8")
    answer = run("add", "club.handan", "fix.csv", "--correct")
    assert answer.status == 2
    assert "no such games are there" in answer.err


@pytest.mark.parametrize("system", ["handan", "egf"])
def test_a_corrected_game_is_rated_as_if_it_had_been_right_in_its_file(club: Path, system: str) -> None:
    # files are sources of ranks to the system handan: a correction is of the source that it mends
    head = "date,black,white,result,black_rank,white_rank\n"
    rows = [
        f"2026-05-{day:02},{pair},W+R,3d,1k\n" for day, pair in enumerate(("Ada,Bo", "Cy,Dee", "Ada,Dee", "Cy,Bo"), 1)
    ]
    (club / "wrong.csv").write_text(head + "".join(rows), encoding="utf-8")
    right = rows[1].replace("W+R", "B+R")
    (club / "fix.csv").write_text(head + right, encoding="utf-8")
    (club / "right.csv").write_text(head + rows[0] + right + "".join(rows[2:]), encoding="utf-8")
    assert run("rate", "wrong.csv", "--system", system, "--save", "may.handan").status == 0
    assert run("add", "may.handan", "fix.csv", "--correct").status == 0
    assert ladder("may.handan") == ladder("right.csv", "--system", system)


@pytest.mark.parametrize(
    "line",
    [
        "explain {} -p Alice --game 1", "history {} -p Alice", "odds Alice Bob --players {}",
        "rate {} --as-of 2026-09-10", "handicap Alice Bob --players {}", "rate {} --since 2026-09-10",
        "event {}", "check {}", "pools {}",
    ],
)  # fmt: skip
def test_every_command_takes_saved_ratings_as_it_takes_their_games(club: Path, line: str) -> None:
    name = line.split(maxsplit=1)[0]
    options = ["--system", "egf"] if name not in {"check", "pools"} else []
    saved = run(*shlex.split(line.format("club.handan")))
    plain = run(*shlex.split(line.format("games.csv")), *options)
    assert saved.status == plain.status == 0, saved.err
    if name != "check":
        assert saved.out == plain.out


def test_ranks_set_by_hand_are_saved_with_the_games(club: Path) -> None:
    (club / "ranks.csv").write_text("player,rank,date\nDave,20k,\nBob,5k,2026-09-10\nErin,3k,\n", encoding="utf-8")
    options = ["--system", "elo", "--adjustments", "ranks.csv"]
    run("rate", "games.csv", *options, "--save", "elo.handan")
    assert ladder("elo.handan") == ladder("games.csv", *options)
    assert run("history", "elo.handan", "-p", "Bob").out == run("history", "games.csv", *options, "-p", "Bob").out
    run("add", "elo.handan", "today.csv")
    assert ladder("elo.handan") == ladder("games.csv", "today.csv", *options)


@pytest.mark.parametrize("name", ["whr", "bradley-terry", "decayed", "holigor", "igs", "kgs", "handan"])
def test_systems_that_find_all_ratings_together_say_so_and_give_the_same(club: Path, name: str) -> None:
    saved = run("rate", "games.csv", "--system", name, "--save", "all.handan")
    assert f"{name} finds all ratings together: adding takes as long as rating all games" in saved.err
    assert "finds all ratings together" not in run("rate", "games.csv", "--system", "elo", "--save", "e.handan").err
    assert ladder("all.handan") == ladder("games.csv", "--system", name)
    assert f"all games were rated: {name} finds all ratings together" in run("add", "all.handan", "today.csv").out
    assert ladder("all.handan") == ladder("games.csv", "today.csv", "--system", name)


def test_a_formula_of_another_revision_is_refused_and_the_command_that_is_named_works(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = EGF.revision
    monkeypatch.setattr(EGF, "revision", before + 1)
    answer = run("add", "club.handan", "today.csv")
    assert answer.status == 2
    assert f"club.handan was made by revision {before} of egf, and this is revision {before + 1}: " in answer.err
    command = "handan rate club.handan --system egf --save club.handan"
    assert f"{command} makes it anew from the games in it" in answer.err
    assert run(*shlex.split(command)[1:]).status == 0
    assert run("add", "club.handan", "today.csv").status == 0


def test_the_name_of_somebody_else_makes_all_games_be_rated(club: Path) -> None:
    header = "date,black,white,result,black_id\n"
    (club / "other.csv").write_text(header + "2026-09-22,Alice,Bob,B+R,egd:1\n", encoding="utf-8")
    answer = run("add", "club.handan", "other.csv")
    assert "all games were rated: Alice (egd:1) tells who Alice is" in answer.out
    assert ladder("club.handan") == ladder("games.csv", "other.csv", "--system", "egf")


def test_nothing_else_is_written_over(club: Path) -> None:
    (club / "photos").mkdir()
    (club / "photos" / "party.jpg").write_bytes(b"us")
    for name in ("photos", "games.csv"):
        answer = run("rate", "games.csv", "--system", "egf", "--save", name)
        assert answer.status == 2
        assert "give a folder that is not there yet" in answer.err or "games.csv cannot be written" in answer.err
    assert (club / "photos" / "party.jpg").read_bytes() == b"us"
    assert "holds no saved ratings" in run("add", "games.csv", "today.csv").err


@pytest.mark.parametrize("stem", ["games/", "states/", "players.", "besides."])
def test_damage_is_named(club: Path, stem: str) -> None:
    files = (club / "club.handan" / name for name in read_manifest(club / "club.handan").files if name.startswith(stem))
    part = max(files, key=lambda path: path.stat().st_mtime_ns)
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(bytes(data))
    answers = run("rate", "club.handan"), run("explain", "club.handan", "-p", "Bob")
    assert any(part.name in answer.err and "is damaged" in answer.err for answer in answers)
    part.unlink()
    answers = run("rate", "club.handan"), run("explain", "club.handan", "-p", "Bob")
    assert any(part.name in answer.err and answer.status == 2 for answer in answers)


class _Killed(BaseException):
    """The process is gone."""


def test_who_is_killed_at_any_write_leaves_what_was_there_or_what_should_be(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, later = club / "club.handan", handan.read(club / "today.csv")
    before, count = ladder_rows(handan.open(path).standings.arrays), 0
    while _killed_at(count, path, later, monkeypatch):
        count += 1
        if handan.open(path).games == 7:  # killed after the head had taken its place
            break
        assert ladder_rows(handan.open(path).standings.arrays) == before
        assert handan.open(path).ledger == handan.read(club / "games.csv")
    assert count > 4
    assert handan.open(path).ledger == handan.read([club / "games.csv", club / "today.csv"])
    add(path, handan.read(club / "today.csv"), keep_repeats=True)
    there = {file.relative_to(path).as_posix() for file in path.rglob("*") if file.is_file()}
    assert there == {MANIFEST, LOCK, *read_manifest(path).files}


def _killed_at(number: int, path: Path, later: Ledger, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Return whether adding was killed at the write of a number, counted from 0, before it was known to be on disk."""
    count, sync = [0], os.fsync

    def killed(descriptor: int) -> None:
        if count[0] == number:
            raise _Killed
        count[0] += 1
        sync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr("handan.ledger.manifest.os.fsync", killed)
        try:
            add(path, later)
        except _Killed:
            return True
    return False


def test_two_cannot_write_at_once_and_a_killed_writer_keeps_nobody_out(club: Path) -> None:
    path = club / "club.handan"
    code = (
        "import sys; from pathlib import Path; from handan.ledger.manifest import writing\n"
        "with writing(Path(sys.argv[1])): print('in', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == b"in\n"
        with pytest.raises(InputError, match="is being written by another process"):
            add(path, Ledger.of([]))
        one.kill()
    assert add(path, handan.read(club / "today.csv")).games == 2


def test_saved_ratings_are_used_from_python(club: Path) -> None:
    ledger = handan.read("games.csv")
    handan.save(handan.rate(ledger, "glicko2"), club / "python.handan")
    added = handan.open("python.handan").add(handan.Game("Alice", "Bob", "B+R", date="2026-09-30"))
    assert {row.player for row in added.moved} == {"Alice", "Bob"}
    saved = handan.open("python.handan")
    assert (saved.system.name, saved.games, saved.rated) == ("glicko2", 6, 6)
    assert saved.standings.table().equals(saved.ratings.table())
    assert saved.standings.win_probability("Alice", "Bob") == saved.ratings.win_probability("Alice", "Bob")


@pytest.mark.usefixtures("club")
def test_a_card_of_saved_ratings_is_that_of_their_games() -> None:
    assert run("add", "club.handan", "today.csv").status == 0
    files = ("games.csv", "today.csv", "--system", "egf")
    for command in (("explain", "--player", "Zoe"), ("explain", "--player", "Alice", "--game", "3"),
                    ("history", "--player", "Alice")):  # fmt: skip
        name, *rest = command
        assert run(name, "club.handan", *rest).out == run(name, *files, *rest).out
    refused = run("explain", "club.handan", "--player", "Alice", "--game", "9")
    assert refused.status == 2
    assert "game 9 is not a game of Alice" in refused.err
