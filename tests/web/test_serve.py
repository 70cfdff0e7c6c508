"""`handan serve` as its operator meets it: one command, one file, one link; stopped without loss."""

from __future__ import annotations

import re
import shutil
import socket
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.serving import Browser, Server, served
from tests.processes import handan, mode
from tests.ray_cluster import free_ports

PHRASE = "a long enough phrase"


@pytest.fixture
def file(empty: Path, tmp_path: Path) -> Path:
    """A database with all tables, where a server makes its club and its link as in a new one."""
    return Path(shutil.copy(empty, tmp_path / "club.db"))


def link(server: Server) -> str:
    link = re.search(r"/join/\S+/", server.printed.read_text(encoding="utf-8"))
    assert link
    return link.group()


def joined(server: Server, name: str = "first") -> Browser:
    browser = Browser(server.url)
    assert browser.get(link(server))[0] == 200
    status, page = browser.post(link(server), username=name, password=PHRASE, again=PHRASE)
    assert (status, name in page) == (200, True)
    return browser


def test_one_command_makes_file_key_club_and_one_link(tmp_path: Path) -> None:
    file = tmp_path / "club.db"
    names = ("--name", "Club by the lake", "--system", "sagc", "--host", "0.0.0.0")  # as in a container
    with served(tmp_path, str(file), *names) as server:
        printed = server.printed.read_text(encoding="utf-8")
        assert f"{server.url}/join/" in printed  # an address that a browser opens
        assert "0.0.0.0" not in printed
        browser = joined(server)
        assert "Club by the lake" in browser.get("/club/")[1]
        assert browser.get("/club/members/")[0] == 200
        assert Browser(server.url).get(link(server))[0] == 400  # it was for one person, once
    assert mode(file) == mode(tmp_path / ".handan-secret") == 0o600
    assert "nonsense" in handan("serve", file, "--system", "nonsense", status=2)
    with served(tmp_path, str(file), "--name", "Another", "--system", "egf") as server:
        assert "--name and --system are for a file without a club" in server.log.read_text(encoding="utf-8")
        assert browser.jar
        browser.url = server.url
        assert "first" in browser.get("/club/")[1]  # still signed in: the key is kept
        assert "join" not in server.printed.read_text(encoding="utf-8")
        assert '"level": "error"' not in server.log.read_text(encoding="utf-8")


@pytest.mark.extended
def test_a_stop_finishes_what_was_begun(file: Path, tmp_path: Path) -> None:
    answers: list[tuple[int, str]] = []
    with served(tmp_path, str(file)) as server:
        browser, path = Browser(server.url, follows=False), link(server)
        browser.get(path)
        with closing(sqlite3.connect(file, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")  # the next writer waits
            fields = {"username": "late", "password": PHRASE, "again": PHRASE}
            request = threading.Thread(target=lambda: answers.append(browser.post(path, **fields)))
            request.start()
            time.sleep(2.0)  # long enough to arrive; were it not, the answer would be refused and the test fail
            server.process.terminate()
            time.sleep(0.5)
            assert server.process.poll() is None
            database.execute("COMMIT")
        assert server.process.wait(60) == 0
        request.join(60)
    assert [status for status, _ in answers] == [302]
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT username FROM auth_user").fetchall() == [("late",)]
        assert database.execute("SELECT count(*) FROM club_membership").fetchone() == (1,)


@pytest.mark.extended
def test_the_demonstration_has_clubs_and_accounts_and_leaves_nothing(tmp_path: Path) -> None:
    with served(tmp_path, "--demo", environment={"TMPDIR": str(tmp_path)}) as server:
        printed = server.printed.read_text(encoding="utf-8")
        password = printed.rpartition(" ")[2].strip()
        for name in ("player", "secretary", "officer", "administrator"):
            assert name in printed
        browser = Browser(server.url)
        browser.sign_in("secretary", password)
        for club in ("sakura", "tafelberg", "lindenhof", "federation"):
            assert browser.get(f"/{club}/")[0] == 200
        assert "山田" in browser.get("/sakura/")[1]
    assert not list(tmp_path.glob("handan-*"))


@pytest.mark.extended
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="needs /proc")
@pytest.mark.parametrize("chosen", ["", "2"], ids=["by itself", "as the operator says"])
def test_workers_begin_one_thread_of_linear_algebra_unless_told_otherwise(
    chosen: str, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    own = {"OPENBLAS_NUM_THREADS": chosen} if chosen else {}
    with served(tmp_path, str(file), environment=own) as server:
        workers = server.workers()
        assert workers
        for worker in workers:
            values = Path(f"/proc/{worker}/environ").read_bytes().split(b"\0")
            assert f"OPENBLAS_NUM_THREADS={chosen or 1}".encode() in values


def test_the_demonstration_is_for_this_machine_only() -> None:
    assert "this machine only" in handan("serve", "--demo", "--host", "0.0.0.0", status=2)


@pytest.mark.extended
def test_the_log_is_json_without_persons(file: Path, tmp_path: Path) -> None:
    import json

    with served(tmp_path, str(file)) as server:
        browser = joined(server, "verysecretname")
        browser.get("/club/?q=verysecretname")
        browser.get("/verysecretname/players/")
        Browser(server.url).get("/club/", headers={"Host": "verysecretname"})
        secret = link(server).split("/")[2]
    log = server.log.read_text(encoding="utf-8")
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert {"ladder", "join"} <= {line.get("route") for line in lines}
    for hidden in ("verysecretname", secret, "127.0.0.1:", "?q"):
        assert hidden not in log.replace(server.url, "")


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"HANDAN_TIME_ZONE": "Africa/Nowhere"}, "not a zone such as"),
        ({"HANDAN_HTTPS": "perhaps"}, "not yes or no"),
        ({"HANDAN_LOG_LEVEL": "loud"}, "not one of debug"),
        ({"HANDAN_CONFIG": "nowhere.toml"}, "nowhere.toml"),
        ({"HANDAN_HOSTS": "https://go.example.org"}, "without https:// and port"),
        ({"HANDAN_HOSTS": "go.example.org:8000"}, "without https:// and port"),
        ({"HANDAN_SIGN_INS_AN_HOUR": "-1"}, "not a whole number, 0 or more"),
        ({"DATABASE_URL": "mysql://localhost/club"}, "not sqlite:///FILE or postgresql://"),
    ],
)
def test_a_wrong_configuration_is_said_in_one_line(variables: dict[str, Any], message: str, tmp_path: Path) -> None:
    answer = handan("serve", "--port", free_ports(1)[0], **variables, status=2)
    assert message in answer
    assert answer.count("\n") == 1


def test_what_is_unsafe_is_said_and_nothing_else(empty: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    file = Path(shutil.copy(empty, tmp_path))
    output = handan("serve", file, "--check", HANDAN_DEBUG="yes", status=1)
    for word in ("debug:", "https:", "hosts:"):
        assert word in output
    safe: dict[str, Any] = {"HANDAN_HTTPS": "yes", "HANDAN_BEHIND_PROXY": "yes", "HANDAN_HOSTS": "go.example.org"}
    assert handan("serve", file, "--check", **safe) == "nothing unsafe was found\n"
    file.chmod(0o644)
    assert "chmod 600" in handan("serve", file, "--check", **safe, status=1)
    assert "security.W009" in handan("serve", file, "--check", **safe, HANDAN_SECRET_KEY="short", status=1)
    assert "demo:" in handan("serve", "--demo", "--check", **safe, status=1)
    unread = handan("serve", file, "--check", **safe, HANDAN_HOST="go.example.org", status=1)
    assert "HANDAN_HOST is not read; did you mean hosts?" in unread


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("sign_ins_an_hour = -1", "not a whole number, 0 or more"),
        ("hosts = 5", "not a list of texts"),
        ("hosts = true", "not a list of texts"),
    ],
)
def test_a_key_of_another_kind_is_said_in_one_line(line: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "handan.toml"
    file.write_text(line, encoding="utf-8")
    answer = handan("serve", "--check", HANDAN_CONFIG=str(file), status=2)
    assert message in answer
    assert answer.count("\n") == 1


def test_a_port_in_use_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), reuse_port=True) as taken:  # as our server listens
        port = str(taken.getsockname()[1])
        answer = handan("serve", tmp_path / "club.db", "--port", port, status=2)
    assert f"port {port}" in answer.splitlines()[-1]


def test_there_are_as_many_workers_as_processors_but_not_hundreds(monkeypatch: pytest.MonkeyPatch) -> None:
    from handan.cli import serve

    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(3)), raising=False)
    assert serve.processors() == 3
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(96)), raising=False)
    assert serve.processors() == 8
