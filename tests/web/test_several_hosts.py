"""Several workers and servers before one database: nothing is lost or entered twice, and all show the same."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.test import override_settings

from benchmarks.load import PASSWORD, entered
from benchmarks.serving import Browser, served
from benchmarks.several_servers import games_of, hosts
from handan.web.operations.signing_key import signed_by_another
from tests.processes import program

FILL = """
import sys
from benchmarks.load import Load, populate
populate(sys.argv[1], Load(games=3, players=4, writers=4))
"""
TOKENS = """
import sys
from handan.cli.django import start
start(sys.argv[1])
from handan.club.store.models import Entry
marks = list(Entry.objects.exclude(token=None).values_list("token", flat=True))
print(len(marks), len(set(marks)))
"""


@pytest.mark.extended
def test_two_workers_lose_nothing_enter_nothing_twice_and_count_together(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'club.db'}"
    program(FILL, url)
    with served(tmp_path, url, "--workers", "2") as server, ThreadPoolExecutor(8) as pool:
        assert len(server.workers()) >= 2
        writers = [Browser(server.url) for _ in range(4)]
        for number, writer in enumerate(writers):
            writer.sign_in(f"writer-{number}", PASSWORD)

        def enter(number: int, mark: str) -> str:
            return entered(Browser(server.url, dict(writers[number].jar)), ("p2", "p3"), "B+", mark)

        marks = [(number, f"{number} {place}") for number in range(4) for place in range(3)]
        assert set(pool.map(enter, *zip(*(marks * 2), strict=True))) == {"200"}  # each is sent twice
        assert {games_of(Browser(server.url))["p2"] for _ in range(8)} == {games_of(writers[0])["p2"]}
        figures = writers[0].get("/metrics")[1]
    assert program(TOKENS, url).split() == ["12", "12"]
    counted = re.findall(r'handan_requests_total\{method="POST",route="new-game",status="(\d+)"\} (\d+)', figures)
    assert sum(int(float(times)) for _, times in counted) == 24


@pytest.mark.extended
def test_what_one_server_acknowledged_the_other_shows_also_after_the_first_was_killed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'club.db'}"
    program(FILL, url)
    with hosts(2, tmp_path, url) as reached:
        reached.begin()
        writer = Browser(reached.servers[1].url)
        writer.sign_in("writer-0", PASSWORD)
        for mark in ("first", "second"):
            assert entered(writer, ("p2", "p3"), "B+", mark) == "200"
            reached.check(writer, ("p2", "p3"), mark)
        assert (reached.stale, reached.seen["compared"]) == ([], 4)
        reached.kill_one(0.0)
        assert reached.ask(writer, lambda: entered(writer, ("p2", "p3"), "B+", "second")) == "200"  # sent again
        assert reached.ask(writer, lambda: entered(writer, ("p2", "p3"), "B+", "third")) == "200"
        assert writer.url == reached.servers[0].url
        assert games_of(Browser(writer.url))["p2"] == reached.least()["p2"] + 1


@pytest.mark.usefixtures("alone")
def test_a_host_with_another_key_is_seen_by_the_sessions_of_the_others() -> None:
    key = "of one host: 0123456789 abcdefghij"
    with override_settings(SECRET_KEY=key):
        session = SessionStore()
        session["sign_in"] = 1
        session.set_expiry(10 * 365 * 86_400)  # later than those of other tests
        session.save()
    try:
        assert not signed_by_another(key)
        assert signed_by_another("of another host: 0123456789 abcdefghij")
    finally:
        session.delete()
