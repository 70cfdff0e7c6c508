"""Which day it is at a club, when its days end, and what a day knew: odd midnights, and clocks that were wrong."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from handan.errors import FieldError, InputError
from handan.ledger import Ledger
from tests.forms import extended_but, fewer_on_postgresql

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.database

NUMBERS = count(1)
ENDS = [
    ("America/Havana", date(2024, 3, 9), "2024-03-10T05:00"),  # the clock goes from 0:00 to 1:00
    ("America/Havana", date(2024, 11, 2), "2024-11-03T04:00"),  # from 1:00 back to 0:00, which comes twice
    ("Asia/Beirut", date(2024, 3, 30), "2024-03-30T22:00"),  # from 0:00 to 1:00
    ("Asia/Beirut", date(2024, 10, 26), "2024-10-26T22:00"),  # from 0:00 back to 23:00: the day has 25 hours
    ("America/Asuncion", date(2024, 3, 23), "2024-03-24T04:00"),  # from 0:00 back to 23:00
    ("America/Asuncion", date(2024, 10, 5), "2024-10-06T04:00"),  # from 0:00 to 1:00
    ("Africa/Cairo", date(2024, 10, 31), "2024-10-31T22:00"),  # from 0:00 back to 23:00
    ("Africa/Cairo", date(2024, 4, 25), "2024-04-25T22:00"),  # from 0:00 to 1:00
    ("Atlantic/Azores", date(2024, 3, 30), "2024-03-31T01:00"),  # from 0:00 to 1:00
    ("Atlantic/Azores", date(2024, 10, 26), "2024-10-27T00:00"),  # from 1:00 back to 0:00
    ("America/Scoresbysund", date(2024, 3, 30), "2024-03-31T01:00"),  # changes its zone and goes forward at once
    ("Asia/Tokyo", date(2024, 4, 6), "2024-04-06T15:00"),
    ("America/Los_Angeles", date(2024, 4, 6), "2024-04-07T07:00"),
    ("Pacific/Apia", date(2011, 12, 29), "2011-12-30T10:00"),  # the day after was left out
]
"""The first moment of the next day in UTC, by the rules of the IANA database."""


MOMENTS = [
    ("Asia/Tokyo", "2026-11-21T23:30", date(2026, 11, 22)),
    ("America/Los_Angeles", "2026-11-22T05:00", date(2026, 11, 21)),
    ("", "2026-11-21T23:30", date(2026, 11, 21)),
    ("America/Havana", "2024-03-10T05:00", date(2024, 3, 10)),
    ("Asia/Beirut", "2024-10-26T21:59", date(2024, 10, 26)),
    ("Pacific/Kiritimati", "2026-12-31T10:00", date(2027, 1, 1)),
]
"""Moments in UTC, and which day it is then in a zone; the server's is UTC."""


@pytest.fixture
def placed(database: str, monkeypatch: pytest.MonkeyPatch) -> Placed:
    return Placed(monkeypatch)


class Placed:
    """A clock that is set, and clubs in zones."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.monkeypatch = monkeypatch

    def set(self, moment: datetime) -> None:
        from django.utils import timezone

        self.monkeypatch.setattr(timezone, "now", lambda: moment)

    def club(self, zone: str = "") -> Club:
        from handan.club import changes
        from handan.club.store.writing import create_club, write

        club = create_club(f"zone-{next(NUMBERS)}", "Club in a zone")
        if zone:
            write(club, lambda s: changes.office.set_zone(s, zone), author="x")
        return club

    def player(self, club: Club, moment: datetime | None = None) -> None:
        from handan.club import changes
        from handan.club.store.writing import write

        if moment is not None:
            self.set(moment)
        write(club, lambda s: changes.players.register_player(s, {"name": f"P{s.number}"}), author="x")


@pytest.mark.parametrize(("zone", "day", "end"), fewer_on_postgresql(ENDS, 3))
def test_a_day_ends_at_the_first_moment_of_the_next(placed: Placed, zone: str, day: date, end: str) -> None:
    from handan.club.store.clock import at_place, end_of
    from handan.club.store.states import state_known

    moment = datetime.fromisoformat(f"{end}+00:00")
    placed.set(moment - timedelta(hours=30))
    club = placed.club(zone)
    with at_place(club):
        assert end_of(day) == moment
        assert (moment - timedelta(microseconds=1)).astimezone(ZoneInfo(zone)).date() == day
    for hours in (2, 1, 0.5, 1e-9, 0):  # the last hour, which may come twice, and the first moment of the next day
        placed.player(club, moment - timedelta(hours=hours))
    placed.set(moment + timedelta(days=3))
    assert len(state_known(club, day).people) == 4


@pytest.mark.parametrize(("zone", "moment", "day"), fewer_on_postgresql(extended_but(MOMENTS[:3], MOMENTS)))
def test_entry_pages_calls_and_lists_take_the_day_of_the_club(
    placed: Placed, zone: str, moment: str, day: date
) -> None:
    import json

    from django.test import Client

    from handan.club import lists
    from handan.club.store.clock import today
    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    placed.set(datetime.fromisoformat(f"{moment}+00:00"))
    club = placed.club(zone)
    placed.player(club)
    placed.player(club)
    keys = [f"p{number}" for number in ((3, 4) if zone else (2, 3))]
    client, user = Client(), new_account(f"zone-{next(NUMBERS)}", "a long enough phrase")
    client.force_login(user)
    set_member(club, user, Role.SECRETARY, author="x")
    assert f'value="{day}"' in client.get(f"/{club.slug}/games/new/").content.decode()
    assert client.get(f"/{club.slug}/club.json").json()["today"] == str(day)
    game = {"black": keys[0], "white": keys[1], "result": "B+", "date": str(day)}
    entered = client.post(f"/api/clubs/{club.slug}/games", json.dumps(game), content_type="application/json")
    assert entered.status_code == 200
    late = {**game, "date": str(day + timedelta(days=1))}
    answer = client.post(f"/api/clubs/{club.slug}/games", json.dumps(late), content_type="application/json")
    assert answer.status_code == 409
    assert (zone or "the server's zone") in answer.json()["message"]
    refused = client.post(f"/{club.slug}/games/new/", late).content.decode()
    assert (zone or "the server&#39;s zone") in refused
    published = write(club, lambda s: lists.publish(s, today()), author="x")[0]
    assert published.facts["as_of"] == str(day)
    assert str(today()) == moment[:10]  # nothing of the club's zone is left behind


ORDER = [
    ("right", [1, 2, 3], {1: 1, 2: 2, 3: 3}),
    ("ahead for one entry", [1, 1, 4, 1, 2], {1: 4, 2: 5, 3: 5}),
    ("ahead for one entry and nothing since", [1, 1, 4], {1: 2, 2: 2, 3: 2, 4: 3}),
    ("behind for one entry", [5, 6, 1, 6, 7], {1: 0, 4: 0, 5: 3, 6: 4, 7: 5}),
    ("years behind for one entry", [500, 501, 1, 502], {1: 0, 499: 0, 500: 3, 501: 3, 502: 4}),
    ("set back for good", [5, 5, 3, 3, 4, 4, 5, 6], {3: 4, 4: 6, 5: 7, 6: 8}),
]
"""Days of writing in order of the entries, and the number of entries known at the end of days."""


def test_a_club_without_a_zone_takes_none_from_the_request_before(placed: Placed) -> None:
    from django.test import Client

    placed.set(datetime(2026, 11, 21, 23, 30, tzinfo=UTC))
    days = [Client().get(f"/{placed.club(zone).slug}/club.json").json()["today"] for zone in ("Asia/Tokyo", "")]
    assert days == ["2026-11-22", "2026-11-21"]


@pytest.mark.parametrize(("days", "number_on"), [row[1:] for row in ORDER], ids=[row[0] for row in ORDER])
def test_what_a_day_knew_contradicts_the_fewest_writings(
    placed: Placed, days: list[int], number_on: dict[int, int]
) -> None:
    from handan.club.store.clock import last_known
    from handan.club.store.models import Entry

    start = datetime(2026, 1, 1, 12, tzinfo=UTC)
    placed.set(start + timedelta(days=days[0]))
    club = placed.club()
    for place, day in enumerate(days[1:]):
        placed.player(club, start + timedelta(days=day, minutes=place))
    assert Entry.objects.filter(club=club).count() == len(days)
    until = max(days) + 15
    ends = [datetime(2026, 1, 2, tzinfo=UTC) + timedelta(days=day) for day in range(until)]
    numbers = [last_known(club, end) for end in ends]
    assert {day: numbers[day] for day in number_on} == number_on
    assert numbers == sorted(numbers)  # a later day never knows less
    assert numbers == [_fewest(days, day) for day in range(until)]


def _fewest(days: list[int], day: int) -> int:
    """Return the cut by trying all of them."""
    wrong = [sum(d > day for d in days[:cut]) + sum(d <= day for d in days[cut:]) for cut in range(len(days) + 1)]
    return max(cut for cut, times in enumerate(wrong) if times == min(wrong))


def test_a_clock_that_was_days_ahead_is_said_and_stops_nobody(placed: Placed, caplog: pytest.LogCaptureFixture) -> None:
    from django.test import Client

    from handan.club.store.clock import ahead

    now = datetime(2026, 5, 1, tzinfo=UTC)
    placed.set(now)
    club = placed.club()
    placed.player(club, now + timedelta(days=3))
    placed.set(now)
    assert ahead()[club.slug] == timedelta(days=3)
    assert club.slug in Client().get("/healthz").json()["clock"]
    placed.player(club)
    assert "later than now" in caplog.text
    assert club.slug not in ahead()


def test_a_game_of_a_clock_that_was_years_ahead_keeps_its_date(placed: Placed) -> None:
    """What a chain says does not depend on the day on which it is read."""
    from handan.club import changes, lists
    from handan.club.store.backup import verify_clubs
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    now = datetime.now(UTC)
    later = now + timedelta(days=3 * 366)
    club, day = placed.club(), later.date()
    for _ in range(2):
        placed.player(club, later)
    game = {"black": "p2", "white": "p3", "result": "B+", "date": str(day), "black_rank": "3k"}
    for number in (1, 20):  # a few are read one by one, many by columns
        write(club, lambda s, n=number: [changes.games.record_game(s, game, day)] * n, author="x")  # type: ignore[misc]
    write(club, lambda s: lists.publish(s, day), author="x")
    placed.set(now)
    assert state_of(club).games["date"].dt.date().to_list() == 21 * [day]
    assert verify_clubs()[club.slug][0] == state_of(club).number


def test_what_was_counted_while_the_clock_was_ahead_keeps_nobody_out(placed: Placed) -> None:
    """The tablet, its PIN, links to new passwords, their mails and submitted files, after a year that was none."""
    from django.conf import settings
    from django.contrib.auth.models import User

    from handan.club import changes
    from handan.club.store import accounts, submissions, tablet
    from handan.club.store.access import Actor
    from handan.club.store.models import Decision, PinTry, Role, Submission
    from handan.club.store.writing import RateLimitError, write

    placed.monkeypatch.setattr(settings, "WRITES_A_MINUTE", 3)
    club, address = placed.club(), "192.0.2.1"
    tablet.set_pin(Actor(club, Role.ADMINISTRATOR), "271828")
    user = User.objects.create_user(f"ahead-{club.slug}")

    def guess(pin: str) -> Actor:
        return tablet.tablet(club, pin, address)

    def submit() -> None:
        number = submissions.add_submission(club, user, "cup.csv", b"", {}, Ledger.of([]), "")
        Submission.objects.filter(pk=number).update(decision=Decision.RETURNED)

    for number in range(settings.WRITES_A_MINUTE):
        name = {"name": f"Player {number}"}
        write(club, lambda state, name=name: changes.players.register_player(state, name), author="")  # type: ignore[misc]
    with pytest.raises(RateLimitError):
        guess("271828")
    for _ in range(tablet.TRIES_AN_HOUR):
        with pytest.raises(InputError):
            guess("000000")
    for _ in range(submissions.MOST_A_DAY):
        submit()
    for _ in range(accounts.REQUESTS_AN_HOUR):
        accounts.count_request(address)
    for _ in range(accounts.MAILS_AN_HOUR):
        accounts.password_link(user)
    for refused in (submit, lambda: accounts.count_request(address), lambda: guess("271828")):
        with pytest.raises(RateLimitError):
            refused()
    assert not accounts.may_be_mailed(user)
    placed.set(datetime.now(UTC) - timedelta(days=365))
    PinTry.objects.filter(club=club).update(tried=datetime.now(UTC) + timedelta(days=365))  # they look at no set clock
    submit()
    accounts.count_request(address)
    assert accounts.may_be_mailed(user)
    assert guess("271828").tablet


def test_an_address_may_try_again_an_hour_after_its_wrong_numbers(placed: Placed) -> None:
    from django.db.models import F

    from handan.club.store import tablet
    from handan.club.store.access import Actor
    from handan.club.store.models import PinTry, Role
    from handan.club.store.writing import RateLimitError

    club = placed.club()
    tablet.set_pin(Actor(club, Role.ADMINISTRATOR), "271828")
    for _ in range(tablet.TRIES_AN_HOUR):
        with pytest.raises(InputError):
            tablet.tablet(club, "000000", "192.0.2.1")
    with pytest.raises(RateLimitError):
        tablet.tablet(club, "271828", "192.0.2.1")
    PinTry.objects.filter(club=club).update(tried=F("tried") - tablet.HOUR)
    assert tablet.tablet(club, "271828", "192.0.2.1").tablet


def test_a_look_at_the_clock_reads_one_entry_a_club(placed: Placed) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from handan.club.store.clock import ahead

    placed.club()
    if connection.vendor != "sqlite":
        pytest.skip("other databases plan by how many rows there are")
    with CaptureQueriesContext(connection) as queries:
        ahead()
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {queries.captured_queries[0]['sql']}")
        plan = [row[-1] for row in cursor.fetchall()]
    scanned, looked_up = (sum(step.startswith(word) for step in plan) for word in ("SCAN", "SEARCH"))
    assert (scanned, looked_up) == (1, 2), plan  # all clubs, and the one entry, to compare and to tell


def test_a_zone_is_an_entry_that_is_checked_and_travels(placed: Placed) -> None:
    from handan.club import changes
    from handan.club.store.facts import records
    from handan.club.store.models import Club
    from handan.club.store.states import state_of
    from handan.club.store.writing import write
    from tests.club.helpers import import_records

    club = placed.club("Asia/Tokyo")
    assert (state_of(club).zone, Club.objects.get(pk=club.pk).zone) == ("Asia/Tokyo", "Asia/Tokyo")
    for zone in ("Asia/Tokio", "localtime", "../etc/passwd"):
        with pytest.raises(FieldError, match="a zone such as"):
            write(club, lambda s, zone=zone: changes.office.set_zone(s, zone), author="x")  # type: ignore[misc]
    with pytest.raises(InputError, match="already"):
        write(club, lambda s: changes.office.set_zone(s, "Asia/Tokyo"), author="x")
    copied = Club.objects.create(slug=f"zone-{next(NUMBERS)}", name="Elsewhere")
    import_records(copied, records(club))
    assert Club.objects.get(pk=copied.pk).zone == "Asia/Tokyo"
    write(club, lambda s: changes.office.set_zone(s, ""), author="x")
    assert Club.objects.get(pk=club.pk).zone == ""


@pytest.mark.parametrize(
    ("variable", "link", "file", "zone"),
    [
        ("Asia/Tokyo", "", "", "Asia/Tokyo"),
        (":Africa/Johannesburg", "", "", "Africa/Johannesburg"),
        ("", "zoneinfo/Europe/Paris", "", "Europe/Paris"),
        ("", "", "America/Havana\n", "America/Havana"),
        ("UTC+3nonsense", "", "Nowhere/Here\n", "UTC"),
        ("", "", "", "UTC"),
    ],
)
def test_the_servers_zone_is_that_of_its_system(
    variable: str, link: str, file: str, zone: str, tmp_path: pytest.TempPathFactory
) -> None:
    from pathlib import Path

    from handan.web.configuration import system_zone

    folder = Path(str(tmp_path))
    if link:
        target = folder / link
        target.parent.mkdir(parents=True)
        target.touch()
        (folder / "localtime").symlink_to(target)
    if file:
        (folder / "timezone").write_text(file, encoding="utf-8")
    assert system_zone({"TZ": variable}, folder / "localtime", folder / "timezone") == zone
