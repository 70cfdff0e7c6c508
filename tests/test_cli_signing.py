"""What shows that somebody has rewritten a club's ledger or list: its key, asked by the commands that people run."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from handan.club.entries import GENESIS, Record
from handan.club.keys import Purpose, fingerprint, public_key_of, signed
from handan.club.lists import listed_bytes, signed_list
from tests.processes import handan, mode, program
from tests.test_cli_club import FILL

PUBLISH = """
import sys
from handan.cli.django import started
started(sys.argv[1])
from handan.club import lists
from handan.club.store.models import Club
from handan.club.store.clock import today
from handan.club.store.writing import write
write(Club.objects.get(slug="lake"), lambda s: lists.publish(s, today()), author="x")
"""
LIST = "list published"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, empty: Path) -> Path:
    """A club with a signed list."""
    file = Path(shutil.copy(empty, tmp_path_factory.mktemp("signed")))
    handan("club", "create", "lake", "--name", "Club by the lake", "--system", "sagc", "--database", file)
    program(FILL, file)
    return file


@pytest.fixture
def lake(whole: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    file = tmp_path / "lake.db"
    shutil.copy(whole, file)
    return file


@pytest.fixture
def ledger(lake: Path, tmp_path: Path) -> Path:
    """Its ledger as one file."""
    handan("club", "export", "lake", tmp_path / "lake.jsonl", "--database", lake)
    return tmp_path / "lake.jsonl"


def entries(ledger: Path) -> Iterator[dict[str, Any]]:
    """Go through the entries of an exported ledger."""
    return map(json.loads, ledger.read_bytes().splitlines()[1:])


def list_of(ledger: Path) -> Path:
    """Return the file of the last official list of a ledger."""
    content = [entry["facts"]["content"] for entry in entries(ledger) if entry["kind"] == LIST][-1]
    file = ledger.with_name("list.json")
    file.write_bytes(listed_bytes(content))
    return file


def rewrite(file: Path, change: Callable[[Record, str], dict[str, Any]]) -> None:
    """Write other facts into a database, with fresh digests from the first to the last, as its thief could."""
    ledger = file.with_name(f"{file.stem}-before.jsonl")
    handan("club", "export", "lake", ledger, "--database", file)
    with closing(sqlite3.connect(file)) as database:
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f"DROP TRIGGER {trigger}")
        digest = GENESIS
        for record in map(Record.of, entries(ledger)):
            bare = replace(record, previous=digest, facts=change(record, digest))
            values = (json.dumps(bare.facts, ensure_ascii=False), digest, bare.computed(), record.number)
            database.execute("UPDATE club_entry SET facts = ?, previous = ?, digest = ? WHERE number = ?", values)
            digest = bare.computed()
        database.execute("UPDATE club_club SET digest = ?", (digest,))
        database.commit()


def test_a_rewritten_chain_contradicts_its_list(lake: Path) -> None:
    def other_result(record: Record, _: str) -> dict[str, Any]:
        return {**record.facts, "result": "W+R"} if record.subject == "g8" else dict(record.facts)

    rewrite(lake, other_result)
    output = handan("club", "verify", "--database", lake, status=2)
    assert (
        "the list 'Official list 1' that entry 38 of lake publishes does not follow from the entries before" in output
    )


@pytest.mark.extended
def test_a_list_with_a_false_figure_or_another_key_is_named(lake: Path, tmp_path: Path) -> None:
    def other_label(record: Record, digest: str) -> dict[str, Any]:
        if record.kind != LIST:
            return dict(record.facts)
        content = {**record.facts["content"], "ledger": {"entry": record.number - 1, "digest": digest}}
        del content["signature"], content["key"]
        return {**record.facts, "content": signed_list("1" * 64, content)}

    def false_figure(record: Record, _: str) -> dict[str, Any]:
        if record.kind != LIST:
            return dict(record.facts)
        return {**record.facts, "content": {**record.facts["content"], "number": 2}}

    other = Path(shutil.copy(lake, tmp_path / "other.db"))
    rewrite(lake, other_label)
    output = handan("club", "verify", "--database", lake, status=2)
    assert f"are signed by key {fingerprint(public_key_of('1' * 64))}; the club's own key is" in output
    rewrite(other, false_figure)
    assert "of entry 38 of lake: the signature does not fit" in handan("club", "verify", "--database", other, status=2)


def test_a_list_verifies_offline_by_its_key(lake: Path, ledger: Path, tmp_path: Path) -> None:
    listed = list_of(ledger)
    public, _, mark = handan("club", "key", "lake", "--database", lake).split()
    assert f"signed by key {mark} that nothing here ties to lake" in handan("verify", listed, status=3)
    (tmp_path / "lake.pub").write_text(f"{public}\n")
    for key in (mark, public, tmp_path / "lake.pub"):
        assert "signed by key" in handan("verify", listed, "--key", key)
        assert "the same bytes again" in handan("verify", listed, ledger, "--key", key)
    assert f"signed by key {mark}, not by {'0' * 32}" in handan("verify", listed, "--key", "0" * 32, status=2)
    assert "neither a fingerprint nor a file" in handan("verify", listed, "--key", "lake", status=2)
    assert f"{ledger}: this is no official list" in handan("verify", ledger, listed, status=2)
    assert f"{listed}: line 1: " in handan("verify", listed, listed, status=2)
    frozen = listed.read_bytes()
    listed.write_bytes(frozen.replace(b'"games":', b'"games":1', 1))
    assert "the signature does not fit" in handan("verify", listed, status=2)
    content = json.loads(frozen)
    del content["signature"], content["key"]
    listed.write_bytes(listed_bytes(content))
    assert "unsigned; only its ledger can show" in handan("verify", listed, status=2)
    assert "the list is unsigned; the key of lake there is" in handan("verify", listed, ledger, status=2)


def test_a_key_is_replaced_by_an_entry_that_the_old_one_signs(lake: Path, tmp_path: Path) -> None:
    at = ("--database", lake)
    before = handan("club", "key", "lake", *at).split()[-1]
    after = handan("club", "key", "lake", "--new", "--reason", "a backup was stolen", *at).split()[-1]
    program(PUBLISH, lake)
    handan("club", "export", "lake", tmp_path / "new.jsonl", *at)
    listed = list_of(tmp_path / "new.jsonl")
    assert before != after
    assert f"key {after}" in handan("club", "verify", *at)
    assert after in handan("verify", listed, tmp_path / "new.jsonl", "--key", before)
    assert "not by" in handan("verify", listed, "--key", before, status=2)  # without the ledger nobody vouches for it
    entry = next(entry for entry in entries(tmp_path / "new.jsonl") if entry["kind"] == "key set")
    assert entry["reason"] == "a backup was stolen"


@pytest.mark.extended
def test_a_ledger_on_another_server_goes_on_under_its_own_key_only(
    lake: Path, ledger: Path, empty: Path, tmp_path: Path
) -> None:
    other, secret = Path(shutil.copy(empty, tmp_path / "other.db")), tmp_path / "lake.key"
    mark = handan("club", "key", "lake", "--output", secret, "--database", lake).split()[-1]
    assert mode(secret) == 0o600
    at = ("--database", other)
    assert f"signed by key {mark}" in handan("club", "import", ledger, *at)
    assert "which this server does not have" in handan("club", "key", "lake", *at, status=2)
    (tmp_path / "wrong.key").write_text("1" * 64)
    assert "of another ledger" in handan("club", "key", "lake", "--take", tmp_path / "wrong.key", *at, status=2)
    assert mark in handan("club", "key", "lake", "--take", secret, *at)
    program(PUBLISH, other)
    assert f"key {mark}" in handan("club", "verify", *at)
    third = Path(shutil.copy(empty, tmp_path / "third.db"))
    handan("club", "import", ledger, "--database", third)
    handan("club", "key", "lake", "--new", "--database", third)  # the key is lost
    program(PUBLISH, third)
    output = handan("club", "verify", "--database", third)
    assert "the key before did not sign the one that entry 40 sets" in output


@pytest.mark.extended
def test_the_head_of_an_export_is_signed(ledger: Path, empty: Path, tmp_path: Path) -> None:
    lines = ledger.read_bytes().splitlines(keepends=True)
    head, last = json.loads(lines[0]), json.loads(lines[-2])
    shorter = {**head, "entries": head["entries"] - 1, "digest": last["digest"]}
    other = shutil.copy(empty, tmp_path / "other.db")
    cut = tmp_path / "cut.jsonl"
    for first, message in (
        (head, "was cut off"),
        (shorter, "line 1: the signature does not fit"),
        (signed("1" * 64, Purpose.HEAD, {name: shorter[name] for name in shorter if name not in {"key", "signature"}}),
         "line 1: signed by key"),
    ):  # fmt: skip
        cut.write_bytes(json.dumps(first).encode() + b"\n" + b"".join(lines[1:-1]))
        assert message in handan("club", "import", cut, "--database", other, status=2)


def test_the_private_key_is_in_no_export(lake: Path, ledger: Path) -> None:
    with closing(sqlite3.connect(lake)) as database:
        public, private = database.execute("SELECT public, private FROM club_clubkey").fetchone()
    assert public.encode() in ledger.read_bytes()
    assert private.encode() not in ledger.read_bytes()
