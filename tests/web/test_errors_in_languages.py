"""Pages that refuse or wait: each in the language of who asks, with the mark of the house and a way back."""

from __future__ import annotations

import ast
import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from tests.catalogs import PACKAGE, filled, parsed, passing_on, remarked, said_by, worked_out
from tests.web.test_languages import OTHERS, TWO
from tests.web.test_pages import MakeClub, registered, signed_in

if TYPE_CHECKING:
    from handan.club.store.models import Club

ENGLISH = re.compile(
    r"\b(?:the|and|wait|again|changes|asked|saved|please|nothing|too many|back|start)\b", re.IGNORECASE
)


def main_of(page: str) -> str:
    """Return the words of the middle of a page."""
    middle = page[page.index("<main") : page.index("</main>")]
    return unescape(re.sub(r"<[^>]*>", " ", middle))


def main_of_tags(page: str) -> str:
    """Return the middle of a page."""
    return page[page.index("<main") : page.index("</main>")]


@pytest.fixture
def club(make_club: MakeClub) -> Club:
    return make_club("points", card="tokyo15")


@pytest.mark.parametrize("language", TWO)
def test_every_refusal_is_a_page_in_the_language_of_who_asks(
    club: Club, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    from handan.club.store import writing
    from handan.club.store.computing import ThrottledError
    from handan.club.store.database import BusyError
    from handan.club.store.models import Role
    from handan.web.pages import ladder

    client = signed_in(club, Role.SECRETARY)
    client.cookies["language"] = language
    refusals = (
        (429, ThrottledError(12)),
        (429, writing.too_often(60)),
        (429, writing.RateLimitError("too many changes within a minute; wait a little")),
        (429, writing.RateLimitError("too many wrong numbers; wait an hour, or sign in")),
        (429, writing.RateLimitError(
            "too many links were asked for from this address; wait an hour, or ask the club's administrator"
        )),
        (503, BusyError()),
    )  # fmt: skip
    for status, error in refusals:

        def fails(*_: object, error: Exception = error, **__: object) -> None:
            raise error

        monkeypatch.setattr(ladder, "render", fails)
        answer = client.get(f"/{club.slug}/")
        monkeypatch.undo()
        assert answer.status_code == status, error
        page = answer.content.decode()
        assert f'<html lang="{language}">' in page
        assert 'class="brand"' in page
        assert '<a href="/">' in page[page.index("<main") :]
        assert not ENGLISH.search(main_of(page)), main_of(page)


@pytest.mark.parametrize("language", TWO)
@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize(
    "why",
    [
        "database or disk is full", "database is locked", "attempt to write a readonly database", "disk I/O error",
        "the file was replaced", "server closed the connection",
    ],
)  # fmt: skip
def test_a_database_that_refuses_is_a_page_in_the_language_of_who_asks(
    club: Club, monkeypatch: pytest.MonkeyPatch, language: str, method: str, why: str
) -> None:
    from django.db import OperationalError

    from handan.club.store.models import Role
    from handan.web.pages import ladder, players

    def fails(*_: object, **__: object) -> None:
        raise OperationalError(why)

    client = signed_in(club, Role.SECRETARY)
    client.cookies["language"] = language
    monkeypatch.setattr(ladder, "render", fails)
    monkeypatch.setattr(players, "render", fails)
    answer = client.get(f"/{club.slug}/") if method == "get" else client.post(f"/{club.slug}/players/new/", {})
    assert answer.status_code == 503
    page = answer.content.decode()
    assert f'<html lang="{language}">' in page
    assert not ENGLISH.search(main_of(page)), main_of(page)


@pytest.mark.parametrize("language", TWO)
def test_other_refusals_are_pages_in_the_language_of_who_asks(club: Club, language: str) -> None:
    from django.test import Client as NewClient
    from django.test import RequestFactory
    from django.utils.translation import override
    from django.views.csrf import csrf_failure

    from handan.club.store.models import Role

    player = signed_in(club, Role.PLAYER)
    player.cookies["language"] = language
    strict = NewClient(enforce_csrf_checks=True)
    strict.cookies["language"] = language
    answers: list[tuple[int, Any]] = [
        (404, player.get("/nope/nope/")),
        (404, player.get(f"/{club.slug}/games/g99999/")),
        (403, player.get(f"/{club.slug}/office/")),
        (403, strict.post("/sign-in/", {})),
    ]
    with override(language):
        answers.append((403, csrf_failure(RequestFactory().get("/"))))
    for status, answer in answers:
        assert answer.status_code == status
        assert not ENGLISH.search(main_of(answer.content.decode())), main_of(answer.content.decode())


@pytest.mark.parametrize("language", TWO)
def test_more_than_the_server_takes_is_a_page_in_the_language_of_who_sends_it(club: Club, language: str) -> None:
    from django.test import override_settings

    from handan.club.store.models import Role

    client = signed_in(club, Role.SECRETARY)
    client.cookies["language"] = language
    sheet = f"/{club.slug}/games/sheet/"
    with override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=2_500_000):
        large = client.post(sheet, {"text": "x" * 2_600_000})
    with override_settings(DATA_UPLOAD_MAX_NUMBER_FIELDS=10):
        many = client.post(sheet, {f"field-{n}": "x" for n in range(20)})
    for answer in (large, many):
        page = answer.content.decode()
        assert answer.status_code == 413
        assert f'<html lang="{language}">' in page
        assert 'class="brand"' in page
        assert '<a href="/">' in main_of_tags(page)
        assert not ENGLISH.search(main_of(page)), main_of(page)
    assert ("2,5" if language in {"fr", "de"} else "2.5") in main_of(large.content.decode())


def test_a_program_that_sends_too_much_gets_data() -> None:
    from django.core.exceptions import BadRequest, RequestDataTooBig
    from django.test import RequestFactory

    from handan.web.operations.failures import bad_request

    request = RequestFactory().post("/api/clubs/x/games")
    answer = bad_request(request, RequestDataTooBig())
    assert (answer.status_code, answer["Content-Type"]) == (413, "application/json")
    assert bad_request(request, BadRequest()).status_code == 400


def test_a_page_for_members_only_leads_strangers_to_sign_in_and_back(club: Club) -> None:
    from django.test import Client as NewClient

    from handan.club.store.models import Role

    page = f"/{club.slug}/log.json"
    link = f"/sign-in/?next={page}"
    assert link in main_of_tags(NewClient().get(page).content.decode())
    refused = signed_in(club, Role.PLAYER).get(f"/{club.slug}/office/")
    assert "/sign-in/" not in main_of_tags(refused.content.decode())


def test_no_page_that_refuses_leads_back_to_one_that_is_not_there(club: Club) -> None:
    from django.test import Client as NewClient

    page = main_of_tags(NewClient().get("/join/nonsense/").content.decode())
    assert re.findall(r'href="(.*?)"', page) == ["/"]
    page = main_of_tags(NewClient().get(f"/{club.slug}/?as_of=someday").content.decode())
    assert re.findall(r'href="(.*?)"', page) == [f"/{club.slug}/", "/"]
    assert "as_of" not in page.lower()


FOR_PAGES = (
    *(path.relative_to(PACKAGE).as_posix() for room in ("changes", "service")
      for path in sorted((PACKAGE / "club" / room).glob("[!_]*.py"))),
    "club/state.py", "club/changes/club_facts.py", "club/zones.py", "club/standings.py", "club/store/accounts.py",
    "club/store/list_games.py", "club/store/forgetting.py", "club/store/stored_standings.py", "club/store/access.py",
    "web/pages/figures.py", "web/pages/member_list.py", "web/pages/sheet.py", "web/pages/card.py",
)  # fmt: skip
"""Files whose refusals a page shows."""
NOT_TYPED = {
    "f\"one of {', '.join(LANGUAGES)}\"",
    "f'{author} wrote no entry from {first} to {last} that can be taken back'",
    "f'{file}, line {number}: this does not say who was forgotten'",
    "f'entry {entry.number} was changed after it was written: {link} is linked to it'",
}
"""What no page can send, and what commands are told."""


@pytest.mark.extended
@pytest.mark.parametrize("file", FOR_PAGES)
def test_what_a_page_refuses_is_a_clause_where_it_holds_values(file: str) -> None:
    spoken = [text for call in ast.walk(parsed(PACKAGE / file)) if isinstance(call, ast.Call) for text in said_by(call)]
    assert {piece for text in spoken for piece in worked_out(text, PACKAGE / file)} <= NOT_TYPED


OF_COMMANDS = {
    *(f"files/{name}.py" for name in ("aliases", "inputs", "large_files", "ledger_building", "writing")),
    *(f"files/io/{name}.py" for name in ("addresses", "databases", "options", "web_pages")),
    "files/formats/__init__.py", "files/formats/opengotha_writer.py", "files/games/result_table.py",
    "files/tables/frames.py",
    *(f"ledger/{name}.py" for name in ("dataset", "duplicate_games", "facts", "ledger", "manifest", "name_lookup")),
}  # fmt: skip
"""Files whose refusals no page shows: of what is written, of addresses, databases, frames and ledgers on disk."""
OF_OPTIONS = {
    "f'a report holds one tournament, and these are {len(events)}: {names}; give one of them'",
    "f'{one} was read when it was built; {own} can change nothing there (handan ledger build)'",
    """f"{counted(count, 'row')} cannot be read: {first}{more}\"""",
    "f'limit {name} is {number!r}, not a whole number above 0'",
    "f'limit {shown(pair)} is not NAME=NUMBER, such as text=256m'",
    """f"limit {shown(name)} is not one of {', '.join(names)}{closest(name, names)}\"""",
    "f'{name} is a folder or an archive; give a file'",
    "f'{name} is a folder; give a file'",
    "f'{named(path)} cannot be written: {reason(error)}'",
    "f'{named(path)} is a folder; give the name of a file'",
    "f'{named(path)} is a link to a file that is not there'",
    "f'{named(path)}: there is no such file{_names_like(Path(path))}'",
}
"""The same of other files: what options, names of files and writers are told."""


@pytest.mark.extended
def test_what_readers_of_files_say_is_marked_where_it_is_raised() -> None:
    """A sentence that is put together there would stay English on pages of other languages."""
    for file in (*(PACKAGE / "files").rglob("*.py"), *(PACKAGE / "ledger").rglob("*.py"), PACKAGE / "club/loading.py"):
        calls = [node for node in ast.walk(parsed(file)) if isinstance(node, ast.Call)]
        own = [remarked(call, passing_on()) for call in calls]
        if file.relative_to(PACKAGE).as_posix() not in OF_COMMANDS:
            own += map(said_by, calls)
        assert {piece for parts in own for part in parts for piece in worked_out(part, file)} <= OF_OPTIONS, file.name


@pytest.mark.parametrize("language", TWO)
def test_why_a_field_is_refused_is_said_in_the_language_of_who_sends_it(club: Club, language: str) -> None:
    from handan.club.store.models import Role

    secretary, home = signed_in(club, Role.SECRETARY), f"/{club.slug}/"
    for name in ("Ada", "Bo"):
        registered(secretary, club, name, "5k")
    secretary.cookies["language"] = language
    lines = {"grid": "lines", "black": ["Ada"], "white": ["Bo"], "result": ["W+99999"], "handicap": ["many"]}
    ranked = {"grid": "lines", "black": ["Cy"], "white": ["Bo"], "result": ["W+"],
              "new": "1-black", "rank-1-black": "40k", "asked-name": ["1-black Cy"]}  # fmt: skip
    sent = (
        ("players/new/", {"name": "Cy", "rank": "40k"}, "one of 30k to 1k, 1d to 9d, 1p to 10p"),
        ("players/list/", {"text": "Name\tRank\nCy\t99k"}, "one of 30k to 1k, 1d to 9d, 1p to 10p"),
        ("players/list/", {"text": "Name\tReading\n\tsai"}, "the name of a player"),
        ("who-is-who/", {"player": "Ada", "into": "Cy"}, "the name of a player; register newcomers first"),
        ("games/sheet/", {**lines, "handicap": [""]}, "a result such as B+3.5, W+R, jigo, both-lose or void"),
        ("games/sheet/", lines, "a whole number from {low} to {high}"),
        ("games/sheet/", ranked, "{rank} is not a rank such as 5k or 1d"),
    )  # fmt: skip
    for path, fields, message in sent:
        page = main_of(secretary.post(home + path, fields).content.decode())
        words = str(filled(language).get(message).string)  # type: ignore[union-attr]
        words = words.format(low=0, high=99, rank="'40k'")
        assert words in page, (path, message)
        assert "into" not in page.split(), path


@pytest.mark.parametrize("language", TWO)
def test_an_invitation_that_cannot_be_used_and_a_stranger_are_refused_in_the_language_of_who_asks(
    club: Club, language: str
) -> None:
    from handan.club.store.models import Role

    secretary = signed_in(club, Role.SECRETARY)
    secretary.cookies["language"] = language
    home = f"/{club.slug}/"
    ada = registered(secretary, club, "Ada", "5k")
    same = {"name": "Ada", "reading": "", "country": "", "club": "", "ids": ""}
    answers = (
        secretary.get("/join/nonsense/"),
        secretary.post(f"{home}players/{ada}/edit/", same),
        secretary.post(f"{home}players/list/", {"text": "x" * 500_001}),
        secretary.get(f"{home}figures/?from=2030-01-01&to=2029-01-01"),
    )
    for answer in answers:
        page = answer.content.decode()
        assert 'class="error"' in page
        errors = re.findall(r'class="error"[^>]*>(.*?)</p>', page, re.DOTALL)
        assert errors
        assert not any(ENGLISH.search(unescape(text)) for text in errors), errors


def test_a_page_that_is_not_there_leads_back_to_the_club_in_which_it_would_be(club: Club) -> None:
    from django.test import Client

    page = main_of_tags(Client().get(f"/{club.slug}/players/p99/").content.decode())
    assert f'<a href="/{club.slug}/">' in page
    assert f'<a href="/{club.slug}/">' not in main_of_tags(
        Client().get(f"/{club.slug}/nothing/at/all/").content.decode()
    )


@pytest.mark.parametrize("path", ["/reset/", "/reset/sent/", "/offline/"])
def test_pages_without_a_form_of_their_own_have_a_way_on(club: Club, path: str) -> None:
    from django.test import Client

    assert "<a " in main_of_tags(Client().get(path).content.decode())


@pytest.mark.parametrize("language", TWO)
def test_an_objection_speaks_the_language_of_the_page(club: Club, language: str) -> None:
    from handan.club.store.clock import today
    from handan.club.store.models import Role

    secretary = signed_in(club, Role.SECRETARY)
    ada, _ = (registered(secretary, club, name, rank) for name, rank in (("Ada", "5k"), ("Bo", "4k")))
    game = {"black": "Ada", "white": "Bo", "result": "B+R", "date": str(today()), "komi": "0.5"}
    home = f"/{club.slug}/"
    entered = str(secretary.post(f"{home}games/new/", game)["Location"])
    assert ada
    secretary.cookies["language"] = language
    for path in (f"{entered}dispute/", f"{entered}withdraw/", f"{entered}correct/"):
        answer = secretary.get(path)
        assert not ENGLISH.search(main_of(answer.content.decode())), main_of(answer.content.decode())
    refused = secretary.post(f"{entered}dispute/", {"reason": ""})
    assert not ENGLISH.search(main_of(refused.content.decode())), main_of(refused.content.decode())


def test_patterns_of_refusals_are_in_the_catalogs() -> None:
    catalog = filled("ja")
    for pattern in (
        "{times} changes within a minute; wait a little, or send many games as one record sheet",
        "you have asked for much that takes long to work out; ask again in {seconds} s",
    ):
        assert catalog.get(pattern)


@pytest.mark.parametrize("language", TWO)
def test_what_is_said_of_a_whole_list_is_in_the_language_of_the_page(make_club: MakeClub, language: str) -> None:
    from handan.club.store.clock import today
    from handan.club.store.models import Role

    club = make_club("elo")
    secretary = signed_in(club, Role.SECRETARY)
    for name, rank in (("Ada", "5k"), ("Bo", "4k"), ("Cy", ""), ("Di", "")):
        registered(secretary, club, name, rank)
    for black, white in (("Ada", "Bo"), ("Cy", "Di")):
        game = {"black": black, "white": white, "result": "B+R", "date": str(today()), "komi": "6.5"}
        assert secretary.post(f"/{club.slug}/games/new/", game).status_code == 302
    secretary.cookies["language"] = language
    notes = re.findall(r'<p class="note">(.*?)</p>', secretary.get(f"/{club.slug}/").content.decode())
    assert notes
    assert not [note for note in notes if re.search(r"\b(players|pools|rank)\b", note)]


START = {"ja": "初段", "zh-hans": "1段", "zh-hant": "1段", "ko": "1단", "fr": "1er dan", "de": "1. Dan"}


@pytest.mark.parametrize("language", OTHERS)
def test_a_rank_and_figures_in_what_is_said_of_a_list_are_as_the_language_writes_them(
    make_club: MakeClub, language: str
) -> None:
    from handan.club import changes
    from handan.club.rules import Rules
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    club = make_club("sagc")
    write(club, lambda state: changes.office.set_rules(state, Rules("sagc", {"start": "1d"})), author="x")
    secretary = signed_in(club, Role.SECRETARY)
    for name in ("Ada", "Bo"):
        registered(secretary, club, name, "")
    game = {"black": "Ada", "white": "Bo", "result": "B+R", "date": str(today()), "komi": "6.5"}
    assert secretary.post(f"/{club.slug}/games/new/", game).status_code == 302
    secretary.cookies["language"] = language

    def notes() -> str:
        page = secretary.get(f"/{club.slug}/").content.decode()
        return " ".join(re.findall(r'<p class="note">(.*?)</p>', page))

    assert START[language] in notes()
    assert "1d" not in notes()
    write(club, lambda state: changes.office.set_rules(state, Rules("whr")), author="x")
    assert "Elo" in notes()
    assert not re.search(r"\b(solved|deviations|history|held)\b", notes())
    assert language not in ("fr", "de") or not re.search(r"\d\.\d", notes())


WARNED = re.compile(
    r"\b(?:adjustment|rating|game|games|points|mean|entry|worth|settled|solved|learned|deviation|handicap)s?\b"
)


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("language", OTHERS)
def test_what_systems_say_of_a_list_is_in_the_language_of_the_page(language: str) -> None:
    from django.utils.translation import override

    import handan
    from handan import shortcuts
    from handan.web.pages.refusals import caution_words

    games = [handan.Game("Ada", "Bo", "B+R"), handan.Game("Cy", "Di", "B+R")]
    often = [handan.Game(*pair, result, handicap=n % 5, date="2026-05-01") for n, (pair, result) in enumerate(
        [(("Ada", "Bo"), "B+R"), (("Bo", "Ada"), "B+R"), (("Bo", "Ada"), "W+R"), (("Ada", "Bo"), "W+R")] * 20
    )]  # fmt: skip
    beyond = [handan.Adjustment(name, rating=-99_999.0) for name in ("Ada", "Bo")]
    systems = ("egf", "ogs", "dgs", "sagc", "points", "whr", "holigor", "glicko", "handan", "bradley-terry")
    lists = [
        shortcuts.rate(handan.Ledger.of(games, adjustments=hand), system)
        for system in systems
        for hand in (beyond, beyond[:1], [])
    ]
    lists += [handan.rate(handan.Ledger.of(often), "whr", handicap="learned")]
    lists += [handan.rate(handan.Ledger.of(often[:number]), "whr", handicap="learned") for number in (3, 9)]
    lists += [handan.rate(handan.Ledger.of(often), system) for system in ("kgs", "igs", "whr", "bradley-terry")]
    texts = {text for ratings in lists for text in (*ratings.warnings, *ratings.notes)}
    assert len([text for text in texts if text.startswith("learned: handicap")]) > 3
    with override(language):
        pages = [caution_words(text) for text in texts]
    assert not [page for page in pages if page in texts]
    if language not in ("fr", "de"):
        assert not [page for page in pages if WARNED.search(page)]


@pytest.mark.parametrize("language", TWO)
def test_papers_that_cannot_be_made_say_why_in_the_language_of_the_page(
    club: Club, make_club: MakeClub, language: str
) -> None:
    from handan.club.store.models import Role

    client, other = signed_in(club, Role.SECRETARY), make_club("egf")
    client.cookies["language"] = language
    registered(client, club, "Ada", "5k")
    officer = signed_in(other, Role.SECRETARY)
    officer.cookies["language"] = language
    for who, address in (
        (client, f"/{club.slug}/print/month/?month=rubbish"),
        (client, f"/{club.slug}/print/sheet/?copies=1000"),
        (client, f"/{club.slug}/print/?since=rubbish"),
        (officer, f"/{other.slug}/print/poster/"),
        (officer, f"/{other.slug}/print/cards/"),
        (officer, f"/{other.slug}/print/list/"),
    ):
        answer = who.get(address)
        assert answer.status_code == 400, address
        words = main_of(answer.content.decode())
        assert not re.search(r"\b(?:such|paper|copies|number|chosen|choose|member|name one|empty)\b", words), words
        assert 'href="' in main_of_tags(answer.content.decode())  # a way back


@pytest.mark.parametrize("language", TWO)
def test_a_player_who_enters_the_game_of_others_is_refused_in_the_language_of_the_page(
    club: Club, language: str
) -> None:
    from handan.club.store.models import Role

    secretary, player = signed_in(club, Role.SECRETARY), signed_in(club, Role.PLAYER)
    for name in ("Ada", "Bo"):
        registered(secretary, club, name, "5k")
    player.cookies["language"] = language
    sent = {"black": "Ada", "white": "Bo", "result": "B+", "date": "2026-05-01", "kind": "club", "size": "19"}
    page = player.post(f"/{club.slug}/games/new/", {**sent, "save": "1", "token": "t"}).content.decode()
    assert "keeper" not in main_of(page)
    assert 'value="Ada"' in page  # what was typed is kept
