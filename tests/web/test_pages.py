"""Journeys through the pages, without a browser and without scripts."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable
from datetime import timedelta
from decimal import Decimal
from html import unescape
from itertools import count, cycle, pairwise
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club, Role

NUMBERS = count(1)
MakeClub = Callable[..., "Club"]


def signed_in(club: Club, role: Role, player: str = "") -> Client:
    from django.test import Client

    from handan.club.store.members import new_account, set_member

    user = new_account(f"page-{uuid4().hex[:12]}", "a long enough phrase")
    set_member(club, user, role, player, author="x")
    client = Client()
    client.force_login(user)
    return client


def text(answer: Any) -> str:
    """Return a page's words."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def registered(client: Client, club: Club, name: str, rank: str) -> str:
    answer = client.post(f"/{club.slug}/players/new/", {"name": name, "rank": rank, "namesake": "on"})
    assert answer.status_code == 302, text(answer)
    return str(answer["Location"]).rstrip("/").split("/")[-1]


@pytest.fixture
def secretary(club: Club) -> Client:
    from handan.club.store.models import Role

    return signed_in(club, Role.SECRETARY)


@pytest.fixture
def pair(club: Club, secretary: Client) -> tuple[str, str]:
    return registered(secretary, club, "Alice", "10k"), registered(secretary, club, "Bob", "7k")


def test_a_preview_says_of_a_game_that_is_not_rated_why_and_no_figures(make_club: MakeClub) -> None:
    from handan.club.store.models import Role

    european = make_club("egf")
    keeper = signed_in(european, Role.SECRETARY)
    for name, rank in (("Alice", "10k"), ("Bob", "7k")):
        registered(keeper, european, name, rank)
    game = {"black": "Alice", "white": "Bob", "result": "B+", "date": "2026-05-01", "komi": "6.5", "preview": "1"}
    rated, small = (text(keeper.post(f"/{european.slug}/games/new/", {**game, "size": size})) for size in ("19", "9"))
    assert "→" in rated
    assert "not rated" not in rated
    assert "not rated: not on a 19x19 board" in small
    assert "→" not in small


def test_a_preview_counts_all_whom_a_game_moves_and_lists_those_who_move_most(club: Club, secretary: Client) -> None:
    from handan.club import changes
    from handan.club.rules import checked
    from handan.club.service import games as service
    from handan.club.store.access import Actor
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    def games(state: Any) -> list[Any]:
        """A tournament in which everybody meets the next one, so that each result bears on all."""
        met = [(*pair, result) for pair, result in zip(pairwise(keys), cycle(["B+R", "W+R"]))]
        games = [{"black": one, "white": two, "result": result, "date": "2026-05-01"} for one, two, result in met]
        return [changes.games.record_game(state, game, today()) for game in games]

    people = [{"name": f"Player {number}"} for number in range(90)]
    write(club, lambda state: [changes.players.register_player(state, person) for person in people], author="x")
    write(club, lambda state: changes.office.set_rules(state, checked("bradley-terry", {"prior": "0.1"})), author="x")
    keys = list(state_of(club).people)
    write(club, games, author="x")
    game = {"black": keys[30], "white": keys[40], "result": "B+R", "date": str(today())}
    shown = secretary.post(f"/{club.slug}/games/new/", {**game, "preview": "1"})
    moved = service.enter_game(Actor(club, Role.SECRETARY), game, another=True).preview().moved
    written = [(f"{row['before']:.1f}", f"{row['after']:.1f}") for row in moved]
    seen = sum(before != after for before, after in written)
    assert 30 < seen < len(moved)  # the others move by less than is written
    assert f"{seen} players would move" in text(shown)
    assert "The biggest changes are listed." in text(shown)
    rows = re.findall(r"<tr>\s*<td>(Player \d+)", shown.content.decode())
    assert len(rows) == 30
    assert {f"Player {number}" for number in (29, 31, 39, 41)} <= set(rows)


def test_a_secretary_walks_from_registering_to_publishing(club: Club, secretary: Client, pair: tuple[str, str]) -> None:
    from handan.club.store.clock import today

    home = f"/{club.slug}/"
    game = {"black": "Alice", "white": "bob", "result": "B+R", "date": str(today()), "handicap": "2", "komi": "0.5"}
    # South African Go Clubs: 10k against 7k at two stones, both indices 0: 369.95 x 1.5 x 0.9 = 499.4 for Black
    shown = text(secretary.post(f"{home}games/new/", {**game, "preview": "1"}))
    assert "10k 499" in shown
    assert "Fair terms now" in shown
    answer = secretary.post(f"{home}games/new/", game)
    assert "369.9525 × 1 × 1 × 1.5 × 0.9 = 499.44 → 499" in text(secretary.get(answer["Location"]))
    key = answer["Location"].rstrip("/").split("/")[-1]
    for page in (answer["Location"], f"{home}players/{pair[0]}/", f"{home}players/{pair[1]}/"):
        lines = re.findall(r'class="arithmetic">(.*?)</p>', secretary.get(page).content.decode())
        assert lines
        for left, exact, cut in (re.split(" = | → ", line) for line in lines):
            assert int(math.prod(map(Decimal, left.split(" × ")))) == int(Decimal(exact)) == int(cut)

    month_ago = str(today() - timedelta(days=30))
    old = secretary.post(f"{home}games/new/", {**game, "date": month_ago, "result": "W+R"})["Location"]
    assert "10k 499" not in text(secretary.get(f"{home}games/{key}/"))  # the older game comes first now

    shown = text(secretary.post(f"{old}correct/", {**game, "date": month_ago, "result": "jigo", "preview": "1"}))
    assert "would move" in shown
    changed = {**game, "date": month_ago, "result": "jigo", "as_played": "on"}
    assert secretary.post(f"{old}correct/", changed).status_code == 302
    assert "jigo" in text(secretary.get(old))

    assert "would move" in text(secretary.get(f"{home}games/{key}/withdraw/"))
    assert secretary.post(f"{home}games/{key}/withdraw/", {"reason": "entered twice"}).status_code == 302
    assert "was withdrawn" in text(secretary.get(f"{home}games/{key}/"))
    assert secretary.post(f"{home}games/{key}/restore/").status_code == 302

    assert secretary.post(f"{home}lists/", {"label": "Spring list"}).status_code == 302
    assert "Spring list" in text(secretary.get(f"{home}lists/1/"))
    from handan.club.exchange import read_ledger
    from handan.club.lists import verify_list

    frozen = secretary.get(f"{home}lists/1/list.json").content
    key = secretary.get("/healthz").json()["clubs"][home.strip("/")]["key"]
    assert re.fullmatch("[0-9a-f]{32}", key)
    assert all(key in text(secretary.get(f"{home}lists/{page}")) for page in ("", "1/"))
    exported = b"".join(secretary.get(f"{home}ledger.jsonl.gz"))
    _, records = read_ledger(io.BytesIO(exported))
    assert verify_list(frozen, {club.slug: list(records)})["label"] == "Spring list"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"black": "nobody"}, "the name of a player"),
        ({"white": "Alice"}, "another player than black"),
        ({"result": ""}, "required"),
        ({"date": "2999-01-01"}, "up to today"),
        ({"date": "yesterday"}, "a date such as"),
        ({"handicap": "-1"}, "a whole number from 0"),
        ({"komi": "much"}, "a number of points"),
    ],
)
def test_a_wrong_field_is_named_and_nothing_is_written(
    club: Club, secretary: Client, pair: tuple[str, str], change: dict[str, str], message: str
) -> None:
    from handan.club.store.states import state_of

    game = {"black": "Alice", "white": "Bob", "result": "B+R", "date": "2026-05-01"}
    answer = secretary.post(f"/{club.slug}/games/new/", {**game, **change})
    assert answer.status_code == 200
    assert message in text(answer)
    assert len(state_of(club).ledger) == 0


def test_a_fragment_that_fits_several_names_is_not_guessed(club: Club, secretary: Client) -> None:
    for name in ("Kim Ha", "Kim Ri", "Lee"):
        registered(secretary, club, name, "1d")
    answer = secretary.post(f"/{club.slug}/games/new/", {"black": "kim", "white": "Lee", "result": "B+"})
    assert "it fits Kim Ha, Kim Ri" in text(answer)
    assert (
        secretary.post(f"/{club.slug}/games/new/", {"black": "kim h", "white": "l", "result": "B+"}).status_code == 302
    )


def test_a_record_sheet_is_read_shown_and_written(club: Club, secretary: Client, pair: tuple[str, str]) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    keeper = signed_in(club, Role.KEEPER)
    page = f"/{club.slug}/games/sheet/"
    lines = "alice\tBob\tB+R\t2\t0.5\nBob\tCarol\tW+3.5\nBob\tBob\tB+\n"
    shown = keeper.post(page, {"text": lines, "date": "2026-05-01", "kind": "tournament"})
    assert "2 games read" in text(shown)
    assert "1 player is new here" in text(shown)
    assert "another player than black" in text(shown)
    again = re.search(r'name="text" value="([^"]*)"', shown.content.decode())
    assert again
    assert len(state_of(club).ledger) == 0
    unasked = keeper.post(page, {"text": again[1], "save": "1", "token": "once"})
    assert "say so if they are new" in text(unasked)  # no name becomes a member in silence
    form = {"text": again[1], "save": "1", "token": "once", "newcomers": "on"}
    assert keeper.post(page, form).status_code == 302
    assert keeper.post(page, form).status_code == 302
    ledger = state_of(club).ledger
    assert [(game.black, game.white, str(game.result), game.handicap, game.kind) for game in ledger] == [
        ("Alice", "Bob", "B+R", 2, "tournament"),
        ("Bob", "Carol", "W+3.5", 0, "tournament"),
    ]


def test_a_file_of_any_format_is_uploaded(club: Club, secretary: Client) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    table = "; EV[Invented]\n; DT[2026-05-01]\n1 Lindqvist Ada 1d SE Xx 0 2+\n2 Weiss Bo 1k DE Yy 0 1-\n"
    upload = SimpleUploadedFile("invented.h9", table.encode())
    shown = text(secretary.post(f"/{club.slug}/games/sheet/", {"file": upload}))
    assert "1 game read" in shown
    assert "Lindqvist Ada" in shown


def test_newcomers_of_an_uploaded_file_keep_country_club_and_number(club: Club, secretary: Client) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    table = "; EV[Invented]\n; DT[2026-05-01]\n1 Lindqvist Ada 1d SE Ume 0 2+ |10000017\n2 Weiss Bo 1k DE Kob 0 1-\n"
    page = f"/{club.slug}/games/sheet/"
    shown = secretary.post(page, {"file": SimpleUploadedFile("invented.h9", table.encode())}).content.decode()
    forms = [dict(re.findall(r'name="(text|people)" value="([^"]*)"', form)) for form in shown.split("<form ")]
    confirming, changing = (form for form in forms if "people" in form)
    assert changing["people"] == confirming["people"]  # that of the text, which may be changed and read once more
    shown = secretary.post(page, {name: unescape(value) for name, value in confirming.items()}).content.decode()
    form = {name: unescape(value) for name, value in re.findall(r'name="(text|people)" value="([^"]*)"', shown)}
    assert secretary.post(page, {**form, "save": "1", "token": "once", "newcomers": "on"}).status_code == 302
    people = secretary.get(f"/api/clubs/{club.slug}/players").json()
    facts = {person["name"]: (person["country"], person["club"], person["ids"]) for person in people}
    assert facts["Lindqvist Ada"] == ("SE", "Ume", ["egd:10000017"])
    assert facts["Weiss Bo"] == ("DE", "Kob", [])
    key = next(person["key"] for person in people if person["name"] == "Weiss Bo")
    assert "DE Kob" in text(secretary.get(f"/{club.slug}/players/{key}/"))


def test_a_table_that_an_uploaded_archive_holds_twice_is_entered_once_and_named(club: Club, secretary: Client) -> None:
    import io
    import zipfile

    from django.core.files.uploadedfile import SimpleUploadedFile

    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        for name in ("one.csv", "two.csv"):
            packed.writestr(name, "date,black,white,result\n2026-01-05,Newcomer,Stranger,B+\n")
    upload = SimpleUploadedFile("tables.zip", archive.getvalue())
    shown = text(secretary.post(f"/{club.slug}/games/sheet/", {"file": upload}))
    assert "is not counted again" in shown
    assert "1 game read" in shown


def test_an_upload_beyond_the_limit_is_refused_with_the_limit(club: Club, secretary: Client) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile
    from django.test.utils import override_settings

    with override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=1000):
        upload = SimpleUploadedFile("games.csv", b"black,white,result\n" + b"A,B,B+\n" * 500)
        assert "at most 1,000 bytes" in text(secretary.post(f"/{club.slug}/games/sheet/", {"file": upload}))


def test_an_upload_that_is_no_file_of_games_says_so(club: Club, secretary: Client) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    answer = secretary.post(f"/{club.slug}/games/sheet/", {"file": SimpleUploadedFile("x.bin", bytes(range(256)) * 9)})
    assert answer.status_code == 200
    assert 'class="error"' in answer.content.decode()


def test_merging_is_shown_done_and_undone(club: Club, secretary: Client, pair: tuple[str, str]) -> None:
    key = registered(secretary, club, "Alicia", "9k")
    page = f"/{club.slug}/who-is-who/"
    assert "would move" in text(secretary.post(page, {"player": "Alicia", "into": "Alice", "preview": "1"}))
    assert secretary.post(page, {"player": "Alicia", "into": "Alice"}).status_code == 302
    assert secretary.get(f"/{club.slug}/players/{key}/").headers["Location"].endswith(f"/players/{pair[0]}/")
    assert secretary.post(f"/{club.slug}/players/{key}/split/").status_code == 302
    assert secretary.get(f"/{club.slug}/players/{key}/").status_code == 200


def test_two_spellings_without_games_are_proposed_into_the_one_with_a_rank(club: Club, secretary: Client) -> None:
    for name, rank in (("José Núñez", "5k"), ("Jose Nunez", "")):
        secretary.post(f"/{club.slug}/players/new/", {"name": name, "rank": rank, "namesake": "on"})
    page = secretary.get(f"/{club.slug}/who-is-who/").content.decode()
    assert "?player=Jose%20Nunez&amp;into=Jos%C3%A9%20N%C3%BA%C3%B1ez" in page


def test_only_an_administrator_sets_rules_and_sees_what_they_do_first(club: Club, secretary: Client) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    page = f"/{club.slug}/rules/"
    form_data = {"system": "egf", "since": "2026-06-01", "confirmation": "none"}
    assert secretary.post(page, form_data).status_code == 403
    administrator = signed_in(club, Role.ADMINISTRATOR)
    assert "If they had been in force since" in text(administrator.post(page, {**form_data, "preview": "1"}))
    assert [rules.system for rules in state_of(club).rules] == ["sagc"]
    assert administrator.post(page, form_data).status_code == 302
    assert [rules.system for rules in state_of(club).rules] == ["sagc", "egf"]
    wrong = {"system": "points", "since": "", "confirmation": "none", "set-daily_limit": "-5"}
    refused = text(administrator.post(page, wrong))
    assert "Ensure this value is greater than or equal to 0." in refused


def test_the_past_is_looked_at_and_never_written(club: Club, secretary: Client, pair: tuple[str, str]) -> None:
    for day in ("2026-05-01", "2026-07-01"):
        secretary.post(f"/{club.slug}/games/new/", {"black": "Alice", "white": "Bob", "result": "B+", "date": day})
    page = text(secretary.get(f"/{club.slug}/players/{pair[0]}/?as_of=2026-06-01"))
    assert "You are looking at the past: games up to 2026-06-01" in page
    assert "1 game, won and lost 1–0" in page
    assert "2 players" not in text(secretary.get(f"/{club.slug}/?known=2020-01-01"))
    assert secretary.post(f"/{club.slug}/games/new/?as_of=2026-06-01", {}).status_code == 400
    assert secretary.get(f"/{club.slug}/?as_of=soon").status_code == 400


def test_an_invitation_makes_a_member_with_a_password_of_his_own(club: Club, secretary: Client) -> None:
    from django.test import Client

    link = re.search(r"/join/[\w-]+/", secretary.post(f"/{club.slug}/members/", {"role": "1"}).content.decode())
    assert link
    name = f"joined-{next(NUMBERS)}"
    guest = Client()
    weak = {"username": name, "password": "short", "again": "short"}
    assert "too short" in text(guest.post(link[0], weak))
    good = {"username": name, "password": "a long enough phrase", "again": "a long enough phrase"}
    two_words = text(guest.post(link[0], good | {"username": "Ada L"}))
    assert "is not one word of at most 150 letters, digits and . + - _ @" in two_words
    assert guest.post(link[0], good).status_code == 302
    assert guest.get(f"/{club.slug}/log.json").status_code == 200
    assert Client().post(link[0], good).status_code == 400
    again = re.search(r"/join/[\w-]+/", secretary.post(f"/{club.slug}/members/", {"role": "1"}).content.decode())
    assert again
    assert "is not a name that nobody has" in text(Client().post(again[0], good))
    assert secretary.post(f"/{club.slug}/members/", {"role": "5"}).status_code == 403
    answer = secretary.post(f"/{club.slug}/members/", {"account": name, "role": "0"})
    assert answer.status_code == 302
    assert guest.get(f"/{club.slug}/log.json").status_code == 403


def test_a_spreadsheet_takes_no_name_for_a_formula(club: Club, secretary: Client) -> None:
    registered(secretary, club, "=1+2", "1d")
    table = b"".join(secretary.get(f"/{club.slug}/ladder.csv")).decode()
    assert "'=1+2" in table


@pytest.mark.parametrize("text", ["a;=1+1", "a;=1+1;", "a\t@x", '"=1+1', "a,=1+1", "=1+1", "-1", "plain", "a;b"])
def test_no_separator_makes_a_spreadsheet_see_a_formula(text: str) -> None:
    import csv

    from handan.web.pages.table_responses import csv_response

    table = b"".join(csv_response([{"a": 1, "b": text, "c": -2.5}], ("a", "b", "c"), "x")).decode()
    one, row = csv.reader(io.StringIO(table))
    assert one == ["a", "b", "c"]
    assert (row[0], row[1].replace("'", ""), row[2]) == ("1", text, "-2.5")
    for delimiter in ",;\t":
        cells = next(csv.reader([table.splitlines()[1]], delimiter=delimiter, quoting=csv.QUOTE_NONE))
        assert not [cell for cell in cells if delimiter != "," and cell.startswith(("=", "+", "@"))]


def test_pages_of_who_is_signed_in_are_kept_by_nobody(club: Club, secretary: Client) -> None:
    from django.test import Client

    for path in (f"/{club.slug}/members/", "/account/", f"/{club.slug}/log/", f"/{club.slug}/ledger.jsonl.gz"):
        assert "no-store" in secretary.get(path)["Cache-Control"]
    assert "no-store" not in Client().get(f"/{club.slug}/").headers.get("Cache-Control", "")
    assert "no-store" in Client().get("/join/x/")["Cache-Control"]


def test_names_are_shown_and_not_run(club: Club, secretary: Client) -> None:
    key = registered(secretary, club, "<script>alert(1)</script>", "1d")
    for page in ("", f"players/{key}/", "members/", "terms/", "log/", f"players/{key}/history.svg"):
        assert "<script>alert" not in secretary.get(f"/{club.slug}/{page}").content.decode()


def test_rules_without_an_answer_say_so_and_can_be_changed(make_club: MakeClub) -> None:
    # without a prior, who has won all his games is infinitely strong
    from handan.club.store.models import Role

    club = make_club("bradley-terry", prior=0, advantage=0)
    client = signed_in(club, Role.ADMINISTRATOR)
    for name in ("Ada", "Bo"):
        registered(client, club, name, "")
    client.post(f"/{club.slug}/games/new/", {"black": "Ada", "white": "Bo", "result": "B+", "date": "2026-05-01"})
    answer = client.get(f"/{club.slug}/")
    assert answer.status_code == 400
    assert "set a prior" in text(answer)
    form_data = {"system": "bradley-terry", "since": "", "confirmation": "none", "set-prior": "0.1"}
    assert client.get(f"/{club.slug}/rules/").status_code == 200
    assert client.post(f"/{club.slug}/rules/", form_data).status_code == 302
    assert client.get(f"/{club.slug}/").status_code == 200


@pytest.mark.extended
@pytest.mark.parametrize("system", ["points", "sagc", "egf", "whr", "glicko2", "holigor", "bradley-terry"])
def test_an_empty_club_and_a_club_of_one_have_pages(make_club: MakeClub, system: str) -> None:
    from handan.club.store.models import Role

    club = make_club(system)
    client = signed_in(club, Role.ADMINISTRATOR)
    pages = (
        "",
        "games/",
        "games/new/",
        "games/sheet/",
        "terms/",
        "lists/",
        "rules/",
        "card/",
        "card/edit/",
        "card/year/",
        "office/",
        "log/",
        "who-is-who/",
        "members/",
    )
    for _ in range(2):
        for page in pages:
            assert client.get(f"/{club.slug}/{page}").status_code == 200
        key = registered(client, club, f"Nur {next(NUMBERS)}", "")
        assert client.get(f"/{club.slug}/players/{key}/").status_code == 200


@pytest.mark.parametrize("path", ["/", "/api/clubs?limit=1000"])
def test_the_list_of_all_clubs_asks_no_more_of_the_database_with_more_clubs(make_club: MakeClub, path: str) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from handan.club.store.models import Role

    above = make_club("egf")
    member = signed_in(above, Role.OFFICER)
    queries_made = []
    member.get(path)  # a federation's rows follow its clubs when somebody looks
    for _ in range(2):
        made = [make_club(federation=above) for _ in range(3)]
        with CaptureQueriesContext(connection) as queries:
            page = member.get(path)
        queries_made.append(len(queries))
        assert all(club.slug in page.content.decode() for club in made)
    assert queries_made[0] == queries_made[1]


PAGES = (
    "",
    "?q=a",
    "start/",
    "games/",
    "games/new/",
    "games/enter/",
    "games/sheet/",
    "players/",
    "log/",
    "players/{player}/",
    "players/{player}/own.json",
    "players/{player}/card.csv",
    "events/",
    "league/",
    "tonight/",
    "kiosk/",
    "pair/",
    "print/",
    "register/",
    "who-is-who/",
    "figures/",
    "members/",
    "ladder.csv",
    "card/choose/",
    "games.csv",
    "log.csv",
    "log.json",
    "rules/",
    "lists/",
    "office/",
    "sheets/",
    "visitors/",
    "submissions/",
    "compared/",
    "players/{player}/forget/",
    "terms/",
    "players/find.json?q=ada",
    "club.json",
    "adjustments.csv",
    "events/{day}/Open/",
    "lists/{number}/",
    "players/?as_of={day}",
    "players/{player}/adjust/",
    "pair/?one=Ada a&other=Ada b",
)


@pytest.mark.extended
def test_a_page_asks_no_more_of_the_database_with_more_players_and_games(make_club: MakeClub) -> None:
    from functools import partial

    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from handan.club import changes, lists
    from handan.club.store.clock import today
    from handan.club.store.models import Role, Shown
    from handan.club.store.writing import write

    club = make_club("egf")
    keeper = signed_in(club, Role.ADMINISTRATOR)
    keys, queries_made = list[str](), list[dict[str, int]]()
    for number, names in enumerate(("abcd", "efghijkl"), 1):
        for letter in names:
            make = partial(changes.players.register_player, fields={"name": f"Ada {letter}"})
            keys.append(write(club, make, author="x")[0].subject)
            rank = partial(changes.players.adjust, key=keys[-1], fields={"rank": "5k"}, today=today())
            write(club, rank, author="x")
            Shown.objects.create(club=club, player=keys[-1], name=f"Player {letter}")
        for one, other in pairwise(keys):
            facts = {"black": one, "white": other, "result": "B+", "date": str(today())}
            for event in (f"round of {one}", "Open"):
                draft = partial(changes.games.record_game, fields={**facts, "event": event}, today=today())
                write(club, draft, author="x")
        write(club, partial(lists.publish, today=today()), author="x")
        queries_made.append({})
        for path in PAGES:
            address = f"/{club.slug}/{path}".format(player=keys[0], day=today(), number=number)
            keeper.get(address)  # the list follows the entries when somebody looks
            with CaptureQueriesContext(connection) as queries:
                answer = keeper.get(address)
                answer.getvalue()  # tables are read and written as they are sent
            assert answer.status_code == 200, path
            queries_made[-1][path] = len(queries)
    fewer, more = queries_made
    assert {path: (fewer[path], more[path]) for path in PAGES if more[path] > fewer[path]} == {}
