"""A ledger on disk answers as the ledger in memory, grows in order, and is whole or not there."""

from __future__ import annotations

import os
import re
from dataclasses import fields, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import handan
from handan.errors import InputError
from handan.ledger import Adjustment, Game, Ledger, Player, dataset, manifest
from handan.ledger.columns import SCHEMA, of_games
from handan.ledger.dataset import append, damage, open_ledger, save_ledger
from handan.ledger.manifest import MANIFEST, read_manifest, writing
from handan.ratings import Extra, Ratings
from handan.systems import SYSTEMS
from handan.systems.families.solved import SolvedExtra
from handan.systems.whr import WHRExtra
from tests.clubs import a_club
from tests.command_line import games as games_file
from tests.command_line import run
from tests.forms import EACH_KIND, extended_but
from tests.strategies import ledgers

ARRAYS = ("rating", "before", "change", "after", "unrated", "sequence", "batch", "pool", "printed", "deviation",
          "variances", "rank_number")  # fmt: skip


def mapped(ledger: Ledger, folder: Path) -> Ledger:
    """Return the same ledger, written to disk and read."""
    save_ledger(ledger, folder)
    return open_ledger(folder)


def written_down(extra: Extra) -> dict[str, Any]:
    """Return what a system wrote down, with what it makes of games and days only when somebody asks."""
    if not isinstance(extra, SolvedExtra):
        return vars(extra)
    made = {item.name: getattr(extra, item.name) for item in fields(extra) if item.name not in {"make", "solved"}}
    days = {"strength of days": extra.solved.strength} if isinstance(extra, WHRExtra) else {}
    return made | extra.lines._asdict() | days


def bits(value: Any) -> Any:
    """Return what two values share that are the same to the bit, a number that is none included."""
    if isinstance(value, tuple):
        return tuple(map(bits, value))
    return np.asarray(value).tobytes() if isinstance(value, (np.ndarray, float)) else value


def assert_same_bits(one: Ratings, other: Ratings) -> None:
    for name in ARRAYS:
        mine, theirs = getattr(one.arrays, name), getattr(other.arrays, name)
        assert (mine is None) == (theirs is None), name
        if mine is not None:
            assert mine.dtype == theirs.dtype
            assert mine.tobytes() == theirs.tobytes(), name
    mine, theirs = written_down(one.arrays.extra), written_down(other.arrays.extra)
    assert mine.keys() == theirs.keys()
    assert [bits(value) for value in mine.values()] == [bits(value) for value in theirs.values()]
    assert one.warnings == other.warnings
    assert one.arrays.adjusted == other.arrays.adjusted


@pytest.mark.parametrize("name", extended_but(EACH_KIND, sorted(SYSTEMS)))
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


@settings(max_examples=12)
@given(ledger=ledgers(), name=st.sampled_from(sorted(SYSTEMS)))
def test_any_ledger_comes_back_as_it_was(ledger: Ledger, name: str) -> None:
    with TemporaryDirectory() as folder:
        stored = mapped(ledger, Path(folder) / "a.ledger")
        assert_same_bits(SYSTEMS[name]().rate(ledger), SYSTEMS[name]().rate(stored))
        assert stored == ledger
        assert list(stored) == list(ledger)
        assert stored.newest == ledger.newest


@settings(max_examples=12)
@given(ledger=ledgers(), data=st.data())
def test_games_put_among_others_make_the_ledger_of_all(ledger: Ledger, data: st.DataObject) -> None:
    ledger = replace(ledger, adjustments=())
    games = [replace(game, entry=None) for game in ledger]
    later = data.draw(st.lists(st.booleans(), min_size=len(games), max_size=len(games)))
    first, rest = (Ledger.of([game for game, own in zip(games, later, strict=True) if own is late])
                   for late in (False, True))  # fmt: skip
    with TemporaryDirectory() as place:
        folder = Path(place) / "a.ledger"
        save_ledger(first, folder)
        try:
            append(folder, rest)
        except InputError as fault:
            assert "anew" in str(fault)  # noqa: PT017  # a name that may be one of two players
            assert open_ledger(folder) == first
        else:
            assert open_ledger(folder) == first + rest
            assert damage(folder) == []


def test_a_year_of_many_games_has_several_files_and_games_find_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dataset, "MOST_GAMES", 10)
    club, folder = a_club(), tmp_path / "a.ledger"
    games = [replace(game, entry=None) for game in club]
    save_ledger(Ledger.of(games[::3]), folder)
    for part in (games[1::3], games[2::3]):
        append(folder, Ledger.of(part))
    assert open_ledger(folder) == Ledger.of(games[::3]) + Ledger.of(games[1::3]) + Ledger.of(games[2::3])
    stored = read_manifest(folder)
    assert len(stored.games) > 10
    days = [(stored.files[name].first, stored.files[name].last) for name in stored.games]
    assert all(last < first for (_, last), (first, _) in pairwise(days))  # type: ignore[operator]  # all have dates


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
    for number, name in enumerate(["games/2025", "players", "besides"]):
        save_ledger(a_club(), folder)
        assert damage(folder) == []
        (file,) = folder.glob(f"{name}.*")
        content = file.read_bytes()
        wrong = [content[:-1], content[:20] + bytes([content[20] ^ 1]) + content[21:], b""][number]
        file.write_bytes(wrong)
        for answer in (run("ledger", "verify", folder), run("rate", folder, "-s", "elo")):
            assert (answer.status, f"{file} is damaged: it is not as it was written" in answer.err) == (2, True)
        with pytest.raises(InputError, match="is damaged"):
            append(folder, a_club().with_adjustments([Adjustment("Ada", rank="3k")]))
        assert len(damage(folder)) == 1
        file.unlink()
        assert f"{file} is damaged: No such file" in run("rate", folder, "-s", "elo").err


@pytest.mark.parametrize("wrong", ["{", "[" * 100_000, "{}", "null", '"kind"'])
def test_a_damaged_manifest_is_named_and_the_ledger_can_be_built_anew(wrong: str, tmp_path: Path) -> None:
    folder, table = tmp_path / "a.ledger", tmp_path / "games.csv"
    save_ledger(a_club(), folder)
    handan.write(a_club(), table)
    (folder / MANIFEST).write_text(wrong, encoding="utf-8")
    for command in (("rate", folder, "-s", "elo"), ("ledger", "verify", folder), ("ledger", "append", folder, table)):
        answer = run(*command)
        assert (answer.status, answer.err) == (2, f"handan: {folder / MANIFEST} is damaged\n")
    assert run("ledger", "build", table, "-o", folder).status == 0
    assert (len(open_ledger(folder)), damage(folder)) == (len(a_club()), [])
    assert not list(folder.rglob("*.1.*"))  # what belonged to the damaged one is gone


def test_no_number_of_a_manifest_can_be_another(tmp_path: Path) -> None:
    save_ledger(a_club(), tmp_path)
    text = (tmp_path / MANIFEST).read_text(encoding="utf-8")
    for place in (digit.start() for digit in re.finditer(r"[0-9]", text)):
        (tmp_path / MANIFEST).write_text(text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1 :], "utf-8")
        with pytest.raises(InputError, match="is damaged"):
            open_ledger(tmp_path)


def test_what_another_version_wrote_is_named_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ledger of a version with a column less is read; that of one with a column more, or of another layout, not."""
    folder, earlier = tmp_path / "a.ledger", tmp_path / "earlier"
    with monkeypatch.context() as before:
        fewer = {name: kind for name, kind in SCHEMA.items() if name not in ("notes", "moves")}
        before.setattr(dataset, "SCHEMA", pl.Schema(fewer))
        save_ledger(Ledger.of([replace(game, notes="", moves=None) for game in a_club()]), folder)
        games = read_manifest(folder).games[0]
        assert "notes" not in pl.read_parquet(folder / games).columns
    assert open_ledger(folder) == Ledger.of([replace(game, notes="", moves=None) for game in a_club()])
    with writing(folder, grow=True) as draft:
        (games,) = draft.now.games
        draft.put_frame("games/2025", draft.now.frame(games).with_columns(clock=pl.lit("30m")), first=0, last=0)
        draft.commit()
    with pytest.raises(InputError, match="was written by a later version of Handan, which keeps clock"):
        open_ledger(folder)
    with monkeypatch.context() as later:
        later.setattr(manifest, "VERSION", 3)
        save_ledger(a_club(), folder)
    assert "was written by a later version of Handan: build it anew" in run("rate", folder, "-s", "elo").err
    earlier.mkdir()
    for name in ("handan.lock", "head.json", "black.1.bin"):
        (earlier / name).write_text("{}", encoding="utf-8")
    answer = run("rate", earlier, "-s", "elo")
    assert (answer.status, "was written by an earlier version of Handan: build it anew from" in answer.err) == (2, True)
    table = games_file(tmp_path / "games.csv", "2024-05-01,Ada,Bo,B+R,0,6.5,club")
    assert run("ledger", "build", table, "-o", earlier).status == 0
    assert not (earlier / "black.1.bin").exists()
    assert len(open_ledger(earlier)) == 1


def test_others_read_the_games_as_they_are(tmp_path: Path) -> None:
    """The names stand in the files as text, and whoever reads all files of games has all games."""
    arrow = pytest.importorskip("pyarrow.parquet")
    games = [Game("Ada", "Bo", "B+R", f"{year}-05-01", komi=6.5) for year in (2023, 2024)]
    save_ledger(Ledger.of([*games, Game("Bo", "Cy", "W+2.5")]), tmp_path / "a.ledger")
    files = sorted((tmp_path / "a.ledger" / "games").iterdir())
    assert [file.name for file in files] == ["2023.1.parquet", "2024.1.parquet", "undated.1.parquet"]
    table = arrow.read_table(tmp_path / "a.ledger" / "games").to_pylist()
    assert [(row["black"], row["white"], row["result"]) for row in table] == [("Ada", "Bo", "B+R")] * 2 + [
        ("Bo", "Cy", "W+2.5")
    ]
    frame = pl.read_parquet(tmp_path / "a.ledger" / "games" / "*.parquet")
    assert frame["date"].dt.year().to_list() == [2023, 2024, None]


def test_folders_of_others_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "black.1.bin").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r"holds other files, such as 'black\.1\.bin'"):
        save_ledger(a_club(), tmp_path / "mine")
    assert (tmp_path / "mine" / "black.1.bin").read_text(encoding="utf-8") == "mine"
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["black.1.bin"]


def test_two_writers_do_not_mix(tmp_path: Path) -> None:
    save_ledger(a_club(), tmp_path / "a.ledger")
    with writing(tmp_path / "a.ledger"), pytest.raises(InputError, match="another process"):
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
    (tmp_path / "season" / "old" / "early.ledger" / MANIFEST).write_text("{", encoding="utf-8")
    report = run("rate", tmp_path / "season", "-s", "elo").err
    assert report.count("rejected") == 1
    assert f"{MANIFEST} is damaged" in report


def test_a_later_list_says_country_club_and_place_and_the_rating_stays_the_first(tmp_path: Path) -> None:
    earlier, later = (of_games([Game("Ada", "Bo", "B+", date=f"2026-01-0{day}")]) for day in (1, 2))
    listed = [Player("Ada", country="SE", rating=1500.0, rating_origin="EGF"), Player("Bo", country="SE")]
    save_ledger(Ledger.from_table(earlier, listed=listed), tmp_path / "a.ledger")
    again = [Player("Ada", country="DE", rating=1600.0, rating_origin="EGF"), Player("Bo", order="2", rating=900.0)]
    append(tmp_path / "a.ledger", Ledger.from_table(later, listed=again))
    stored = [(each.name, each.country, each.order, each.rating) for each in open_ledger(tmp_path / "a.ledger").players]
    assert stored == [("Ada", "DE", "", 1500.0), ("Bo", "", "2", 900.0)]
