"""Somebody is forgotten by command: no byte of the name is left in any file, and every figure, chain and list holds."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from handan.club.lists import listed_bytes
from tests.names import traces
from tests.processes import handan, inherited, program

NAMES = ("Zwölfgang Überwald", "Qvorufu Ybawarudo", "zwoelfi", "Zwölfgang von Anderwald")
NUMBER = "egd:99887766"
RUN = """
import sys
from handan.cli import main
def handan(*words):
    try:
        main(list(words))
    except SystemExit as end:
        print("STATUS", end.code)
"""
"""Commands in one process, since starting one takes longer than all that it does here."""
FILL = """
import sys
from handan.cli.django import started
started(sys.argv[1])
from handan.club import changes, entries, lists, lists
entries.DIGEST_FORMAT = lists.FORMAT = 2  # as the version before wrote them
lists.with_sealed_names = dict
from handan.club.store.members import Scope, new_account, new_token, set_member
from handan.club.store.models import Role
from handan.club.store.clock import today
from handan.club.rules import checked
from handan.club.store.writing import create_club, write
day = today()
above = create_club("all", "All clubs", checked("egf", {}))
club = create_club("lake", "Club by the lake", checked("egf", {}), federation=above)
def add(make, at=club, **by):
    return write(at, make, **{"author": "keeper", **by})[0].subject
def player(name, **told):
    return add(lambda s: changes.players.register_player(s, {"name": name, **told}))
one = player("Zwölfgang Überwald", reading="Qvorufu Ybawarudo", ids=["egd:99887766"])
other, third, twice = player("Ada"), player("Bo"), player("Zwölfgang Überwald")
for key, rank in ((one, "3d"), (other, "1d"), (third, "2k")):
    add(lambda s: changes.players.adjust(s, key, {"rank": rank}, day, f"entry of {s.person(key).name}"))
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
    game = add(lambda s: changes.games.record_game(s, told, day), **own)
add(lambda s: lists.publish(s, day))
add(lambda s: lists.publish(s, day), above)
add(lambda s: changes.players.merge_players(s, twice, one, "the same Überwald"))
add(lambda s: changes.players.change_player(s, one, {"name": "Zwölfgang von Anderwald"}, "married"))
add(lambda s: changes.games.correct_game(s, game, {"result": "B+3.5"}, day, "Zwölfgang had counted wrongly"))
add(lambda s: lists.publish(s, day))
from django.core.management import call_command
call_command("migrate", "club", "0007", verbosity=0)
"""
"""Tables, entries and lists as the version before wrote them."""
MORE = """
from handan.club import changes, lists
from handan.club.store.models import Club
from handan.club.store.clock import today
from handan.club.store.writing import write
club = Club.objects.get(slug="lake")
told = {"country": "AT"}
write(club, lambda s: changes.players.change_player(s, "p2", told, "Zwölfgang moved"), author="zwoelfi")
write(club, lambda s: lists.publish(s, today()), author="keeper")
"""
FIGURES = """
import json
from handan.club.store.models import Club
from handan.club.store.standings import standings_of
from handan.club.store.states import state_of
found = {}
for club in Club.objects.order_by("slug"):
    told = standings_of(state_of(club))
    names = {"player", "name"}
    found[club.slug] = [{k: v for k, v in row.items() if k not in names} for row in told.rows]
    for key in told.state.active:
        found[f"{club.slug} {key}"] = [
            [line.game, line.opponent, why.before.hex(), why.change.hex(), why.after.hex(),
             why.rank_after, [factor.value for factor in why.reason.factors]]
            for line in told.lines(key) for why in [line.explanation]
        ]
print('FIGURES', json.dumps(found, default=str, sort_keys=True))
"""


def commands(*lines: str) -> str:
    """Run commands (behind a colon) and programs on one database in one process."""
    return program(RUN + "".join(f"handan(*{line.split()[1:]!r})\n" if line[0] == ":" else line for line in lines))


def figures(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("FIGURES")]


def lists_of(ledger: Path, folder: Path) -> Iterator[Path]:
    """Go through the files of the official lists of an exported ledger."""
    for line in ledger.read_bytes().splitlines()[1:]:
        entry: dict[str, Any] = json.loads(line)
        if entry["kind"] == "list published":
            file = folder / f"{ledger.stem}-{entry['number']}.json"
            file.write_bytes(listed_bytes(entry["facts"]["content"]))
            yield file


def left(folder: Path) -> dict[str, set[bytes]]:
    """Return what is left of the names in all files of a folder."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    left = {file.name: traces(file.read_bytes(), (*NAMES, NUMBER)) for file in files}
    return {name: spelt for name, spelt in left.items() if spelt}


@pytest.mark.extended
def test_no_byte_of_a_forgotten_name_is_left_and_everything_else_is_as_it_was(empty: Path, tmp_path: Path) -> None:
    here, apart = tmp_path / "here", tmp_path / "apart"
    for folder in (here, apart):
        folder.mkdir()
    file, backup, export, later = here / "club.db", apart / "backup.db", apart / "lake.jsonl", here / "lake.jsonl"
    shutil.copy(empty, file)
    program(FILL, file)
    before = commands(
        f": club migrate --database {file}", MORE, f": club backup {backup}", f": club export lake {export}",
        ": club verify", FIGURES,
    )  # fmt: skip
    assert before.count("makes every official list again") == 2
    for copy in here.glob("*.backup"):  # made before the tables changed; whoever forgets is told of it
        shutil.move(copy, apart)
    assert left(here)  # the search finds what there is
    after = commands(
        f": club forget lake p2 --database {file}", FIGURES, ": club forget lake p5 --yes", FIGURES, ": club verify",
        f": club backup {here / 'later.db'}", f": club export lake {later}",
        f": club export all {here / 'all.jsonl'}", ": club erasures",
    )  # fmt: skip
    assert figures(after) == figures(before) * 2
    assert "nothing was changed" in after
    assert "was made before" not in after
    assert after.count("makes every official list again") == 2
    assert "lake: the own digests of" in after
    assert sum(1 for _ in lists_of(later, here)) == 3
    assert left(here) == {}
    saved = [f": verify {listed} {ledger}" for listed in lists_of(export, apart) for ledger in (export, later)]
    words = commands(*saved, f": verify {list(lists_of(later, here))[-1]} {later}")
    assert (words.count("the same bytes again"), words.count("no longer kept")) == (7, 4)
    _come_back(backup, export, tmp_path, after)


def _come_back(backup: Path, export: Path, folder: Path, printed: str) -> None:
    """A backup and an export from before, brought back, ask who was forgotten since."""
    again, kept = folder / "again", folder / "here" / "club.db.erasures"
    restored, imported = again / "club.db", again / "import.db"
    again.mkdir()
    lines = [line for line in printed.splitlines() if line.startswith("{")]
    assert sorted(kept.read_text().splitlines()) == sorted(
        json.dumps(json.loads(line), separators=(",", ":")) for line in lines
    )
    words = commands(
        f": club restore {backup} {restored}", f": club restore {backup} {restored} --erasures {kept}", ": club verify"
    )
    assert "who was forgotten since this backup of 20" in words
    assert "1 who were forgotten since this backup are forgotten again" in words
    words += commands(
        f": club migrate --database {imported}", f": club import {export} --erasures {kept}", ": club verify"
    )
    assert words.count("the chain holds") == 3
    assert left(again) == {}


START = """
import sys
from handan.cli.django import started
started(sys.argv[1])
from handan.club import changes
from handan.club.rules import checked
from handan.club.store.writing import create_club, write
club = create_club("lake", "Club by the lake", checked("egf", {}))
for name in ("Zwölfgang Überwald", "Ada", "Bo"):
    write(club, lambda s: changes.players.register_player(s, {"name": name}), author="keeper")
"""
WORKER = """
import sys, time
from pathlib import Path
from time import sleep
from handan.cli.django import started
started(sys.argv[1])
from handan.club import changes
from handan.club.store.models import Club
from handan.club.store.clock import today
from handan.club.store.standings import standings_of
from handan.club.store.states import state_of
from handan.club.store.writing import write
club, end, written = Club.objects.get(slug="lake"), time.monotonic() + 60, 0
while time.monotonic() < end and written < 2000:
    game = {"black": "p3", "white": "p4", "result": "B+", "date": "2026-05-01"}
    game["notes"] = "" if written else "Überwald saw it"
    write(club, lambda s: changes.games.record_game(s, game, today()), author="keeper")
    written += 1
    names = {row["player"] for row in standings_of(state_of(club)).rows}
    names |= {person.name for person in state_of(club).people.values()}
    Path(sys.argv[2]).write_text(str(written))
    if "a former member" in names:
        print("sees", sorted(names))
        break
"""


@pytest.mark.extended
def test_a_person_is_forgotten_while_another_process_writes(empty: Path, tmp_path: Path) -> None:
    file, begun = Path(shutil.copy(empty, tmp_path)), tmp_path / "begun"
    program(START, file)
    command = [sys.executable, "-c", WORKER, str(file), str(begun)]
    with subprocess.Popen(
        command, env=inherited(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8"
    ) as other:
        while not begun.exists() and other.poll() is None:
            sleep(0.05)
        handan("club", "forget", "lake", "p2", "--yes", "--database", file)
        words = other.communicate(timeout=90)[0]
    assert "sees ['Ada', 'Bo', 'a former member']" in words, words
    words = commands(f": club clean --database {file}", ": club verify")
    assert "the chain holds" in words
    assert left(tmp_path) == {}
