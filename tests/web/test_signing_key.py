"""The key that signs sessions: made once, and refused where others may know it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from handan.errors import InputError
from handan.web.operations.signing_key import SHORTEST, signing_key
from tests.conftest import ROOT
from tests.processes import handan, mode
from tests.ray_cluster import free_ports

GOOD = "k" * SHORTEST


def kept(folder: Path, content: bytes, rights: int = 0o600) -> Path:
    file = folder / ".handan-secret"
    file.write_bytes(content)
    file.chmod(rights)
    return file


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def test_the_repository_holds_no_key_and_no_database() -> None:
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    samples = ROOT / "tests" / "samples" / "databases"  # invented people; no session is signed by what they hold
    paths = [ROOT / name for name in git(ROOT, "ls-files").splitlines()]
    names = {path.name for path in paths if path.parent != samples}
    assert not {name for name in names if name.startswith(".handan-secret") or ".db" in Path(name).suffixes}
    ignored = git(ROOT, "check-ignore", ".handan-secret", "club.db", "club.db-wal", "examples/club.db.1.backup")
    assert len(ignored.splitlines()) == 4


def test_a_key_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    file = tmp_path / ".handan-secret"
    key = signing_key(file)
    assert len(key) >= SHORTEST
    assert (mode(file), [path.name for path in tmp_path.iterdir()]) == (0o600, [file.name])
    assert signing_key(file) == key


@pytest.mark.parametrize("content", [b"", b"\n", b"x", b"k" * (SHORTEST - 1), b"\xc3\xa9" * SHORTEST])
def test_a_key_that_is_empty_short_or_no_text_is_refused(content: bytes, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"no key of at least {SHORTEST} characters"):
        signing_key(kept(tmp_path, content))


@pytest.mark.parametrize("rights", [0o644, 0o640, 0o604, 0o660])
def test_a_key_that_others_may_read_is_refused(rights: int, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="others on this machine may read it"):
        signing_key(kept(tmp_path, GOOD.encode(), rights))


def test_a_key_under_version_control_is_refused_and_one_beside_it_is_not(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    file = kept(tmp_path, GOOD.encode())
    assert signing_key(file) == GOOD
    git(tmp_path, "add", file.name)
    with pytest.raises(InputError, match="under version control"):
        signing_key(file)
    (tmp_path / "clubs").mkdir()
    assert signing_key(tmp_path / "clubs" / file.name)


def test_a_server_does_not_start_with_a_key_that_others_know(tmp_path: Path) -> None:
    port = ("--port", free_ports(1)[0])
    kept(tmp_path, GOOD.encode(), 0o644)
    answer = handan("serve", tmp_path / "club.db", *port, status=2)
    assert (answer.count("\n"), "others on this machine may read it" in answer) == (1, True)
    kept(tmp_path, b"")
    answer = handan("serve", tmp_path / "club.db", *port, status=2)
    assert (answer.count("\n"), "no key of at least" in answer) == (1, True)
    answer = handan("serve", tmp_path / "club.db", *port, status=2, HANDAN_SECRET_KEY="short")
    assert (answer.count("\n"), "secret_key has 5 characters" in answer) == (1, True)


def test_the_check_says_what_is_wrong_with_the_key(tmp_path: Path) -> None:
    kept(tmp_path, b"short", 0o644)
    answer = handan("serve", tmp_path / "club.db", "--check", status=1)
    assert "others on this machine may read it" in answer
    assert "no key of at least" in answer
