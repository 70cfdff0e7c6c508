"""Systems, cards and file formats of other packages, installed into a folder on the path of imports."""

from __future__ import annotations

import importlib
import os
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import handan
from handan import plugins, shortcuts
from handan.files import formats
from handan.handicaps import CARDS
from handan.systems import SYSTEMS
from tests import processes
from tests.command_line import run
from tests.conftest import ROOT

if TYPE_CHECKING:
    from handan.club.store.models import Club

TOY = ROOT / "tests" / "plugins"
GAMES = "winners of the day\n2026-05-01 Ada beats Bo\n2026-05-02 Ada beats Cy\nnonsense\n2026-05-03 Bo beats Cy\n"
Install = Callable[[str, str, Mapping[str, str]], None]


def put_on(folder: Path, package: str, code: str, entries: Mapping[str, str]) -> None:
    """Put a package into a folder as an installer does: a module, and beside it what the package brings."""
    (folder / f"{package}.py").write_text(code, encoding="utf-8")
    described = folder / f"{package}-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n", encoding="utf-8")
    lines = [f"[{group}]\n{entry}" for group, entry in entries.items()]
    (described / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def put_toy_on(folder: Path) -> None:
    """Put the toy package into a folder, with the entry points that its own project file names."""
    project = tomllib.loads((TOY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = project["entry-points"].items()
    entries = {group: "\n".join(f"{name} = {place}" for name, place in named.items()) for group, named in groups}
    put_on(folder, "handan_toy", (TOY / "handan_toy.py").read_text(encoding="utf-8"), entries)


def look_anew() -> None:
    """Let the next look find what is installed then."""
    for extensions in (SYSTEMS.extensions, CARDS.extensions, formats.EXTENSIONS):
        extensions.forget()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder from which modules are imported, and forget afterwards what came from there."""
    packages = tmp_path / "packages"
    packages.mkdir()
    monkeypatch.syspath_prepend(packages)
    before = set(sys.modules)
    look_anew()
    yield packages
    for name in set(sys.modules) - before:
        if getattr(sys.modules[name], "__file__", None) and Path(str(sys.modules[name].__file__)).parent == packages:
            del sys.modules[name]
    plugins.MODULES.clear()
    look_anew()


@pytest.fixture
def toy(folder: Path) -> Path:
    """Install the toy package."""
    put_toy_on(folder)
    return folder


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Write games in the toy's format."""
    path = tmp_path / "may.winners"
    path.write_text(GAMES, encoding="utf-8")
    return path


def test_the_command_line_of_a_new_process_knows_what_a_package_brings(tmp_path: Path, games: Path) -> None:
    put_toy_on(tmp_path)
    path = os.pathsep.join([str(tmp_path), str(ROOT / "src")])
    assert "wins           Wins less losses" in processes.handan("systems", PYTHONPATH=path)
    rated = processes.handan("rate", games, "--system", "wins", "--format", "csv", status=1, PYTHONPATH=path)
    assert [line.split(",")[1] for line in rated.splitlines() if "2026-05" in line] == ["Ada", "Bo", "Cy"]


def test_a_system_of_another_package_is_listed_explained_and_takes_settings(toy: Path, games: Path) -> None:
    rows = run("systems", "--format", "json").json
    assert rows[-1] == {"system": "wins", "title": "Wins less losses"}
    assert run("systems", "wins", "--format", "json").json["settings"][0]["name"] == "points"
    assert "2 × 1 = 2" in run("explain", games, "--system", "wins", "--set", "points=2", "--player", "Ada").out
    ratings = shortcuts.rate(handan.read(games), "wins", points=3)
    assert [row["rating"] for row in ratings.table().to_dicts()] == [6.0, 0.0, -6.0]
    assert "'win' is not one of" in run("rate", games, "--system", "win").err
    assert "wins" in run("rate", games, "--system", "win").err


def test_a_format_of_another_package_is_checked_and_converted_both_ways(toy: Path, games: Path, tmp_path: Path) -> None:
    checked = run("check", games)
    assert "winners of the day" in checked.out
    assert "may.winners line 4: row 'nonsense' is not DATE WINNER beats LOSER" in checked.err
    assert run("convert", games, "-o", tmp_path / "may.csv").status == 1
    assert run("convert", tmp_path / "may.csv", "-o", tmp_path / "back.winners").status == 0
    assert (tmp_path / "back.winners").read_text() == GAMES.replace("nonsense\n", "")


def test_a_card_of_another_package_is_listed_printed_and_gives_terms(toy: Path) -> None:
    assert run("card", "--format", "json").json[-1]["card"] == "toy10"
    assert "Toy club, 10 points a stone" in run("card", "toy10").out
    assert "2 stones" in run("handicap", "100", "112", "--card", "toy10").out
    assert handan.systems.Points(card="toy10").card == "toy10"


class DoneHere:
    """Work that is done in the transaction of a test, of which no other thread knows."""

    def __init__(self, work: Callable[[Callable[..., None]], Any], *, in_turn: bool) -> None:
        self.in_turn = in_turn
        self.done = work(lambda *_: None)

    def ended_soon(self) -> bool:
        return True

    def made(self) -> Any:
        return self.done


def test_the_rules_of_a_club_can_name_a_system_of_another_package(
    toy: Path, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import transaction

    from handan.club.store.models import Role
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of
    from handan.web.pages import long_work
    from tests.web.test_pages import registered, signed_in, text

    importlib.import_module("handan.web.pages.founding")  # imported later it would keep what stands in for its work
    monkeypatch.setattr(long_work, "LongWork", DoneHere)
    with transaction.atomic():
        client = signed_in(club, Role.ADMINISTRATOR)
        page = f"/{club.slug}/rules/"
        assert "Wins less losses" in text(client.get(page))
        for name in ("Ada", "Bo"):
            registered(client, club, name, "1d")
        rules = {"system": "wins", "since": "", "confirmation": "none", "set-points": "5"}
        assert client.post(page, rules).status_code == 302
        assert state_of(club).rules[-1].system == "wins"
        game = {"black": "Ada", "white": "Bo", "result": "B+", "date": "2026-05-01"}
        assert client.post(f"/{club.slug}/games/new/", game).status_code == 302
        assert sorted(standings_of(state_of(club)).ratings.rating.tolist()) == [-5.0, 5.0]
        assert "Wins less losses" in text(client.get(f"/{club.slug}/"))
        transaction.set_rollback(True)  # where the package is not installed nobody can verify such a club


def test_the_site_gets_a_page_for_each_system_of_another_package(toy: Path) -> None:
    made = runpy.run_path(str(ROOT / "docs" / "site" / "hooks.py"))["pages_of_packages"]()
    assert list(made) == ["systems/wins.md"]
    assert "# wins: Wins less losses" in made["systems/wins.md"]
    assert "| points | 1.0 | what a win is worth |" in made["systems/wins.md"]


BROKEN = {
    "does not import": ("import nowhere_at_all", "handan.systems", "X", "No module named 'nowhere_at_all'"),
    "ends the process": ("raise SystemExit(3)", "handan.systems", "X", "SystemExit: 3"),
    "lacks the name": ("", "handan.formats", "X", "has no attribute 'X'"),
    "is no system": ("X = 3", "handan.systems", "X", "it is no subclass of handan.systems.System"),
    "is no card": ("X = 3", "handan.cards", "X", "it is no handan.Card"),
    "is no format": ("X = 3", "handan.formats", "X", "it is no Format of handan.files.games.format"),
    "lacks methods": (
        "from handan.systems import System\nclass X(System):\n    name = title = 'x'\n", "handan.systems", "X",
        "it lacks rank, rate, rating_for, reason",
    ),
    "says nothing of terms": (
        "from handan.systems import Holigor, System\nclass X(Holigor):\n    name = 'x'\n"
        "    terms_by_rating = System.terms_by_rating\n", "handan.systems", "X",
        "it has neither a winning_law nor terms_by_rating of its own",
    ),
    "takes a name": (
        "from handan.systems import Elo\nclass X(Elo):\n    name = 'elo'\n", "handan.systems", "X",
        "its name 'elo' is one of the house's own",
    ),
    "has an odd name": (
        "from handan.systems import Elo\nclass X(Elo):\n    name = 'My Elo'\n", "handan.systems", "X",
        "its name 'My Elo' is not made of the letters a to z, digits and -",
    ),
    "takes an ending": (
        "from handan.files.games.format import Format\nX = Format('x', bool, print, ('.csv',))", "handan.formats", "X",
        "its ending .csv is one of the house's own",
    ),
}  # fmt: skip


@pytest.mark.filterwarnings("always::handan.plugins.PluginWarning")
@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_package_is_left_out_with_one_line(fault: str, folder: Path, tmp_path: Path) -> None:
    code, group, name, why = BROKEN[fault]
    put_on(folder, "handan_broken", code, {group: f"thing = handan_broken:{name}"})
    commands: dict[str, tuple[Any, ...]] = {
        "handan.systems": ("systems",),
        "handan.cards": ("card",),
        "handan.formats": ("check", ROOT / "examples" / "games.csv"),
    }
    for number in range(2):
        answer = run(*commands[group])
        assert answer.status == 0
        warned = [line for line in answer.err.splitlines() if "handan_broken" in line]
        assert len(warned) == 1 - number, answer.err  # said once
        assert all(why in line for line in warned)
        assert "Traceback" not in answer.err


def test_a_package_that_fails_at_work_is_named_in_one_line(folder: Path, tmp_path: Path) -> None:
    code = (TOY / "handan_toy.py").read_text(encoding="utf-8").replace("return schedule.ratings(", "return 1 / 0 + (")
    code = code.replace("gatherer = Gatherer", "len(3)  # type: ignore\n    gatherer = Gatherer")
    put_on(folder, "handan_toy", code, {
        "handan.systems": "wins = handan_toy:Wins", "handan.formats": "winners = handan_toy:WINNERS"
    })  # fmt: skip
    answer = run("rate", ROOT / "examples" / "games.csv", "--system", "wins")
    assert answer.status == 2
    assert answer.err.splitlines()[-1].startswith("handan: the package handan_toy failed: ZeroDivisionError: ")
    own = tmp_path / "files"
    own.mkdir()
    (own / "a.winners").write_text(GAMES)
    (own / "b.csv").write_text("black,white,result\nAda,Bo,B+\n")
    answer = run("check", own)
    assert answer.status == 1
    assert "a.winners: the format winners of the day failed: TypeError: object of type 'int' has no len()" in answer.err
    assert "b.csv" in answer.out


def test_a_system_that_rates_nothing_is_named_in_one_line(folder: Path) -> None:
    code = (TOY / "handan_toy.py").read_text(encoding="utf-8").replace("return schedule.ratings(", "schedule.ratings(")
    put_on(folder, "handan_toy", code, {"handan.systems": "wins = handan_toy:Wins"})
    games = ROOT / "examples" / "games.csv"
    for arguments in (("rate", games), ("explain", games, "--player", "Bob"), ("event", games)):
        answer = run(*arguments, "--system", "wins")
        assert (answer.status, answer.out) == (2, "")
        assert answer.err.endswith("handan: the system wins failed: its rate returns NoneType, not Ratings\n")
    with pytest.raises(handan.HandanError, match="its rate returns NoneType"):
        shortcuts.rate(handan.read(games), "wins")


def test_settings_to_tune_are_proposed_as_the_system_has_them(toy: Path, games: Path) -> None:
    assert run("tune", games, "--system", "wins").err.endswith("name some, such as --over points=0.5..2\n")


def test_a_module_that_prints_does_not_spoil_the_answer(folder: Path) -> None:
    code = (TOY / "handan_toy.py").read_text(encoding="utf-8") + "\nprint('hello')\n"
    put_on(folder, "handan_toy", code, {"handan.systems": "wins = handan_toy:Wins"})
    answer = run("systems", "--format", "json")
    assert answer.json[-1]["system"] == "wins"
    assert "hello" in answer.err


def test_a_format_that_reads_nothing_is_named(folder: Path, tmp_path: Path) -> None:
    code = "from handan.files.games.format import Format\nX = Format('odd', lambda head: True, lambda *given: None)"
    put_on(folder, "handan_odd", code, {"handan.formats": "odd = handan_odd:X"})
    (tmp_path / "a.csv").write_text(GAMES)
    answer = run("check", tmp_path / "a.csv")
    assert "the format odd failed: TypeError: its read returns NoneType, not Contents" in answer.err


def test_a_format_that_cannot_look_at_a_file_takes_none(folder: Path, tmp_path: Path) -> None:
    code = "from handan.files.games.format import Format\nX = Format('odd', lambda head: head.nothing, print)"
    put_on(folder, "handan_odd", code, {"handan.formats": "odd = handan_odd:X"})
    with pytest.warns(plugins.PluginWarning, match="the format odd cannot look at files: AttributeError"):
        assert len(handan.read(_other_headings(tmp_path))) == 1
    assert len(handan.read(ROOT / "examples" / "games.csv")) == 5  # known by Handan's headings, without asking any


def _other_headings(folder: Path) -> Path:
    path = folder / "other.csv"
    path.write_text("black;white;result\nAda;Bo;B+\n")
    return path


def test_two_packages_with_one_name_do_not_hide_each_other_in_silence(toy: Path) -> None:
    put_on(toy, "handan_twin", (TOY / "handan_toy.py").read_text(), {"handan.cards": "zz = handan_twin:TOY_CARD"})
    with pytest.warns(plugins.PluginWarning, match="handan_twin 1.0: zz .* another package brings 'toy10' too"):
        assert list(CARDS)[-1] == "toy10"


def test_a_package_that_is_imported_before_anything_else_is_known_too(toy: Path) -> None:
    code = "import handan_toy, handan; print(len(handan.SYSTEMS), handan.SYSTEMS['wins'].title, len(handan.CARDS))"
    path = os.pathsep.join([str(toy), str(ROOT / "src")])
    answer = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], env=os.environ | {"PYTHONPATH": path}, capture_output=True,
        encoding="utf-8", check=False,
    )  # fmt: skip
    assert (answer.stdout, answer.stderr) == (f"{len(SYSTEMS)} Wins less losses {len(CARDS)}\n", "")
