"""Somebody is forgotten by command: no byte of the name is left in any file, and every figure, chain and list holds."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from handan.club.lists import listed_bytes
from tests.names import traces
from tests.processes import OURS, handan

NAMES = ("Zwölfgang Überwald", "Qvorufu Ybawarudo", "zwoelfi", "Zwölfgang von Anderwald")
NUMBER = "egd:99887766"
FILL = """
import sys
from handan.cli.django import started
started(sys.argv[1])
from handan.club import changes, entries, list_names, lists
if sys.argv[2] == "old":
    entries.DIGEST_FORMAT = lists.FORMAT = 2
    lists.with_sealed_names = dict
from handan.club.members import Scope, new_account, new_token, set_member
from handan.club.models import Role
from handan.club.reading import today
from handan.club.rules import checked
from handan.club.writing import create_club, write
day = today()
above = create_club("all", "All clubs", checked("egf", {}))
club = create_club("lake", "Club by the lake", checked("egf", {}), federation=above)
def add(make, at=club, **by):
    return write(at, make, **{"author": "keeper", **by})[0].subject
def player(name, **told):
    return add(lambda s: changes.register_player(s, {"name": name, **told}))
one = player("Zwölfgang Überwald", reading="Qvorufu Ybawarudo", ids=["egd:99887766"])
other, third, twice = player("Ada"), player("Bo"), player("Zwölfgang Überwald")
for key, rank in ((one, "3d"), (other, "1d"), (third, "2k")):
    add(lambda s: changes.adjust(s, key, {"rank": rank}, day, f"entry of {s.person(key).name}"))
user = new_account("zwoelfi", "a long enough phrase")
user.email = "zwoelfi@example.org"
user.save()
set_member(club, user, Role.PLAYER, one, author="keeper")
new_token(user, "x", Scope.READ)
pairs = [(one, other), (other, third), (twice, third), (third, one), (other, one), (third, other)] * 3
for number, (black, white) in enumerate(pairs):
    told = {"black": black, "white": white, "result": "B+" if number % 3 else "W+R", "date": f"2026-05-{number + 1:02}"}
    told["notes"] = "ÜBERWALD laughed" if number == 1 else ""
    own = {"author": "zwoelfi", "user": user} if number == 2 else {}
    game = add(lambda s: changes.record_game(s, told, day), **own)
add(lambda s: lists.publish(s, day))
add(lambda s: lists.publish(s, day), above)
add(lambda s: changes.merge_players(s, twice, one, "the same Überwald"))
add(lambda s: changes.change_player(s, one, {"name": "Zwölfgang von Anderwald"}, "married"))
add(lambda s: changes.correct_game(s, game, {"result": "B+3.5"}, day, "Zwölfgang had counted wrongly"))
add(lambda s: lists.publish(s, day))
"""
BACK = "import sys; from handan.cli.django import start; start(sys.argv[1]);" + (
    "from django.core.management import call_command; call_command('migrate', 'club', '0007', verbosity=0)"
)
FIGURES = """
import json, sys
from handan.cli.django import started
started(sys.argv[1])
from handan.club.models import Club
from handan.club.reading import standings_of, state_of
from dataclasses import asdict
found = {}
for club in Club.objects.order_by("slug"):
    told = standings_of(state_of(club))
    names = {"player", "name"}
    found[club.slug] = [{k: v for k, v in row.items() if k not in names} for row in told.rows]
    for key in told.state.active:
        found[f"{club.slug} {key}"] = [
            [line.game, line.opponent, line.told.before.hex(), line.told.change.hex(), line.told.after.hex(),
             line.told.rank_after, [factor.value for factor in line.told.reason.factors]]
            for line in told.lines(key)
        ]
print(json.dumps(found, default=str, sort_keys=True))
"""


def program(text: str, *arguments: object) -> str:
    command = [sys.executable, "-c", text, *map(str, arguments)]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    return subprocess.run(command, env=inherited, check=True, capture_output=True, text=True).stdout


def filled(folder: Path, age: str) -> Path:
    """Return a database; one of `old` age has the tables and digests of the version before."""
    file = folder / "club.db"
    handan("club", "migrate", "--database", file)
    program(FILL, file, age)
    if age == "old":
        program(BACK, file)
    return file


def lists_of(ledger: Path, folder: Path) -> Iterator[Path]:
    """Go through the files of the official lists of an exported ledger."""
    for line in ledger.read_bytes().splitlines()[1:]:
        entry: dict[str, Any] = json.loads(line)
        if entry["kind"] == "list published":
            file = folder / f"{ledger.stem}-{entry['number']}.json"
            file.write_bytes(listed_bytes(entry["facts"]["content"]))
            yield file


def left(folder: Path, *without: Path) -> dict[str, set[bytes]]:
    """Return what is left of the names in all files of a folder."""
    files = [file for file in folder.rglob("*") if file.is_file() and file not in without]
    found = {file.name: traces(file.read_bytes(), (*NAMES, NUMBER)) for file in files}
    return {name: spelt for name, spelt in found.items() if spelt}


@pytest.mark.parametrize("age", ["new", "old"])
def test_no_byte_of_a_forgotten_name_is_left_and_everything_else_is_as_it_was(tmp_path: Path, age: str) -> None:
    here, apart = tmp_path / "here", tmp_path / "apart"
    here.mkdir(), apart.mkdir()
    file = filled(here, age)
    said = handan("club", "migrate", "--database", file)
    if age == "old":  # the copy that is made before tables change is told of, and taken away by hand
        shutil.move(said.strip().rpartition(": ")[2], apart)
    backup, export = apart / "backup.db", apart / "lake.jsonl"
    handan("club", "backup", backup, "--database", file)
    handan("club", "export", "lake", export, "--database", file)
    assert left(here)  # the search finds what there is
    before = program(FIGURES, file)
    assert "nothing was changed" in handan("club", "forget", "lake", "p2", "--database", file)
    assert program(FIGURES, file) == before
    handan("club", "forget", "lake", "p5", "--yes", "--database", file)
    handan("club", "backup", here / "later.db", "--database", file)
    for slug in ("lake", "all"):
        handan("club", "export", slug, here / f"{slug}.jsonl", "--database", file)
    assert sum(1 for _ in lists_of(here / "lake.jsonl", here)) == 2
    assert left(here) == {}
    assert program(FIGURES, file) == before
    verified = handan("club", "verify", "--database", file)
    assert verified.count("makes every official list again") == 2
    assert ("can no longer be computed, because a person was forgotten" in verified) == (age == "old")
    for listed in lists_of(export, apart):  # saved before, against the ledger from before and after
        for ledger in (export, here / "lake.jsonl"):
            words = handan("verify", listed, ledger)
            assert "the same bytes again" in words
            assert ("no longer kept" in words) == (ledger.parent == here)
    for listed in lists_of(here / "lake.jsonl", apart):  # without names
        if age == "new":
            assert "the same bytes again" in handan("verify", listed, here / "lake.jsonl")
    _come_back(file, backup, export, tmp_path)


def _come_back(file: Path, backup: Path, export: Path, folder: Path) -> None:
    """A backup and an export from before, brought back, ask who was forgotten since."""
    restored = folder / "restored" / "club.db"
    restored.parent.mkdir()
    said = handan("club", "restore", backup, restored, status=2)
    assert "who was forgotten since this backup of 20" in said
    kept = folder / "here" / "club.db.erasures"
    printed = handan("club", "erasures", "--database", file)
    assert json.loads(printed) == json.loads(kept.read_text())
    words = handan("club", "restore", backup, restored, "--erasures", kept)
    assert "1 who were forgotten since this backup are forgotten again" in words
    handan("club", "migrate", "--database", restored.with_name("import.db"))
    handan("club", "import", export, "--erasures", kept, "--database", restored.with_name("import.db"))
    assert left(restored.parent) == {}
    for database in (restored, restored.with_name("import.db")):
        assert "the chain holds" in handan("club", "verify", "--database", database)


def test_a_text_that_was_changed_or_taken_away_by_hand_is_found(tmp_path: Path) -> None:
    import sqlite3

    file = filled(tmp_path, "new")
    for change, said in (
        ("replace(texts, 'Ada', 'Eve')", "was changed after it was written"),
        ("replace(texts, 'keeper', 'other')", "was changed after it was written"),
    ):
        other = tmp_path / "other.db"
        shutil.copy(file, other)
        with sqlite3.connect(other) as held:
            held.execute(f"UPDATE club_personaltext SET texts = {change}")
        assert said in handan("club", "verify", "--database", other, status=2)
