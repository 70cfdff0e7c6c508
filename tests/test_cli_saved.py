"""`handan rate --save` and `handan add`: saved ratings as people use them, and what may go wrong with a folder."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import handan
from handan.cli.help import EXAMPLES
from handan.errors import InputError
from handan.files.io import storage, whole_folder
from handan.ledger import Ledger
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
    assert run("example", ".").status == 0
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
    head = (club / "club.handan" / "head.json").read_bytes()
    answer = run("add", "club.handan", "today.csv")
    assert "0 games added; 2 there already and not added again" in answer.out
    assert (club / "club.handan" / "head.json").read_bytes() == head
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
    run("rate", "games.csv", "--system", name, "--save", "all.handan")
    assert ladder("all.handan") == ladder("games.csv", "--system", name)
    assert f"all games were rated: {name} finds all ratings together" in run("add", "all.handan", "today.csv").out
    assert ladder("all.handan") == ladder("games.csv", "today.csv", "--system", name)


def test_a_formula_of_another_revision_is_refused_and_the_command_that_is_named_works(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EGF, "revision", 2)
    answer = run("add", "club.handan", "today.csv")
    assert answer.status == 2
    assert "club.handan was made by revision 1 of egf, and this is revision 2: " in answer.err
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
        assert "give the name of a new one" in answer.err
    assert (club / "photos" / "party.jpg").read_bytes() == b"us"
    assert "holds no saved ratings" in run("add", "games.csv", "today.csv").err


@pytest.mark.parametrize("stem", ["games", "people", "players", "adjustments"])
def test_damage_is_named(club: Path, stem: str) -> None:
    part = max((club / "club.handan").glob(f"{stem}-*.part"), key=lambda path: path.stat().st_mtime_ns)
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(bytes(data))
    answers = run("rate", "club.handan"), run("explain", "club.handan", "-p", "Bob")
    assert any(part.name in answer.err and "is damaged" in answer.err for answer in answers)
    part.unlink()
    answers = run("rate", "club.handan"), run("explain", "club.handan", "-p", "Bob")
    assert any(part.name in answer.err and answer.status == 2 for answer in answers)


def test_a_head_that_was_edited_or_is_newer_is_refused(club: Path) -> None:
    path = club / "club.handan" / "head.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"games": 5', '"games": 6'), encoding="utf-8")
    assert "damaged or was edited" in run("rate", "club.handan").err
    path.write_text(text.replace('"version": 1', '"version": 7'), encoding="utf-8")
    assert "was saved by a later version of Handan (layout 7)" in run("rate", "club.handan").err
    path.write_text(text[: len(text) // 2], encoding="utf-8")
    assert "is damaged" in run("rate", "club.handan").err


class _Killed(BaseException):
    """The process is gone."""


def test_who_is_killed_at_any_write_leaves_what_was_there_or_what_should_be(
    club: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, later = club / "club.handan", handan.read(club / "today.csv")
    before = handan.open(folder).standings.rows()
    for number in range(100):
        writes = _killing(monkeypatch, number)
        try:
            add(folder, later)
        except _Killed:
            monkeypatch.undo()
            monkeypatch.chdir(club)
            assert handan.open(folder).standings.rows() == before
            assert handan.open(folder).ledger == handan.read(club / "games.csv")
            continue
        break
    assert writes[0] == number > 3  # one kill at each of the writes, then none
    monkeypatch.undo()
    assert handan.open(folder).ledger == handan.read([club / "games.csv", club / "today.csv"])
    head = json.loads((folder / "head.json").read_text(encoding="utf-8"))
    assert {path.name for path in folder.glob("*.part")} == set(whole_folder.parts_of(head))  # nothing is left over


def _killing(monkeypatch: pytest.MonkeyPatch, number: int) -> list[int]:
    """Let the write of a number, counted from 0, end half way; return a counter of writes."""
    count, write = [0], storage.save

    def half(path: str | os.PathLike[str], data: bytes) -> None:
        if count[0] == number:
            Path(path).with_name(".draft.part").write_bytes(data[: len(data) // 2])
            raise _Killed
        count[0] += 1
        write(path, data)

    monkeypatch.setattr(whole_folder, "save", half)
    return count


def test_two_cannot_write_at_once_and_a_killed_writer_keeps_nobody_out(club: Path) -> None:
    folder = club / "club.handan"
    code = (
        "import sys; from pathlib import Path; from handan.files.io.whole_folder import alone_in\n"
        "with alone_in(Path(sys.argv[1])): print('in', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == b"in\n"
        with pytest.raises(InputError, match="is being written by another command"):
            add(folder, Ledger.of([]))
        one.kill()
    assert add(folder, handan.read(club / "today.csv")).games == 2


def test_saved_ratings_are_used_from_python(club: Path) -> None:
    ledger = handan.read("games.csv")
    handan.save(handan.rate(ledger, "glicko2"), club / "python.handan")
    added = handan.open("python.handan").add(handan.Game("Alice", "Bob", "B+R", date="2026-09-30"))
    assert {row.player for row in added.moved} == {"Alice", "Bob"}
    saved = handan.open("python.handan")
    assert (saved.system.name, saved.games, saved.rated) == ("glicko2", 6, 6)
    assert saved.standings.table().equals(saved.ratings.table())
    assert saved.standings.win_probability("Alice", "Bob") == saved.ratings.win_probability("Alice", "Bob")


def test_the_walk_of_the_page_runs_line_by_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs" / "saved.md").read_text(encoding="utf-8")
    for line in page.split("```sh\n")[1].split("```")[0].splitlines():
        answer = run(*shlex.split(line)[1:])
        assert answer.status == 0, f"{line}\n{answer.err}"
