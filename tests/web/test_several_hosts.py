"""Two servers before one database: what one acknowledged the other shows next, also when the first was killed."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.test import override_settings

from benchmarks.load import PASSWORD, entered
from benchmarks.serving import Browser
from benchmarks.several_servers import games_of, hosts
from handan.web.operations.signing_key import signed_by_another
from tests.processes import program

pytestmark = pytest.mark.extended

FILL = """
import sys
from benchmarks.load import Load, populate
populate(sys.argv[1], Load(games=3, players=4, writers=1))
"""


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
