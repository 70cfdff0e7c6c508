"""Papers on the club server: who may, what they show, and the pages that a browser prints."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from handan.paper import PAPERS
from tests.paper.printed import needs_pdf
from tests.paper.test_papers import cells_of
from tests.web.test_points_of_the_day import secretary, text
from tests.web.test_record_sheet import entered

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

WISHES = ("language=xx", "copies=0", "copies=1000", "month=May", "card=none", "as_of=x")
PEOPLE = (("山田 春子", "やまだ はるこ", "JP", 182.0), ("김민수", "", "KR", 97.0), ("Ada Lindqvist", "", "SE", 133.0))


@pytest.fixture
def points_club(make_club: Callable[..., Club]) -> Club:
    """A points club of three."""
    from handan.club import changes
    from handan.club.store.clock import today

    club = make_club("points", card="tokyo15")
    for name, reading, country, points in PEOPLE:
        key = entered(club, changes.players.register_player, {"name": name, "reading": reading, "country": country})
        entered(club, changes.players.adjust, key, {"rating": points}, today(), "entry")
    return club


def key_of(club: Club, name: str) -> str:
    from handan.club.store.states import state_of

    return state_of(club).keys[name]


def stranger() -> Client:
    from django.test import Client

    return Client()


def test_the_page_lists_all_papers_and_the_members_to_choose(points_club: Club) -> None:
    page = stranger().get(f"/{points_club.slug}/print/")
    assert page.status_code == 200
    words = text(page)
    for kind in PAPERS.values():
        assert f"{kind.title} {kind.measure}" in words
    for name, *_ in PEOPLE:
        assert name in words
    assert f'href="/{points_club.slug}/print/"' in stranger().get(f"/{points_club.slug}/").content.decode()


@pytest.mark.parametrize("name", list(PAPERS))
def test_visitors_see_each_paper_as_a_page_and_members_get_it_as_pdf(points_club: Club, name: str) -> None:
    address = f"/{points_club.slug}/print/{name}"
    page = stranger().get(f"{address}/", {"player": key_of(points_club, "김민수")})
    assert page.status_code == 200
    html = page.content.decode()
    assert "Club under test" in html
    assert "Live list of" in html
    assert "<input" not in html
    assert stranger().get(f"{address}.pdf").status_code == 302  # to the sign-in


@needs_pdf
def test_a_member_gets_a_pdf_that_is_shown_under_a_name(points_club: Club) -> None:
    answer: Any = secretary(points_club).get(f"/{points_club.slug}/print/cards.pdf?language=ja")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/pdf"
    assert f"{points_club.slug}-cards.pdf" in answer["Content-Disposition"]
    assert answer.content.startswith(b"%PDF-")


@needs_pdf
def test_a_name_that_no_font_can_print_is_refused_by_name_in_the_language_of_the_page(points_club: Club) -> None:
    from handan.club import changes
    from handan.club.store.clock import today

    key = entered(points_club, changes.players.register_player, {"name": "Zoë \U00016a70"})
    entered(points_club, changes.players.adjust, key, {"rating": 20.0}, today(), "entry")
    client = secretary(points_club)
    client.cookies["language"] = "ja"
    answer = client.get(f"/{points_club.slug}/print/cards.pdf")
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "U+16A70" in page
    assert "Zoë" in page
    assert "フォント" in page


def test_only_members_who_are_ticked_are_printed(points_club: Club) -> None:
    ticked = key_of(points_club, "김민수")
    html = stranger().get(f"/{points_club.slug}/print/plates/?player={ticked}").content.decode()
    assert re.findall(r'<span class="letter">(.)</span>', html) == list("김민수")
    assert stranger().get(f"/{points_club.slug}/print/plates/?player=p99").status_code == 404


def test_who_has_moved_since_a_day_is_ticked(points_club: Club) -> None:
    from handan.club import changes
    from handan.club.store.clock import today

    before = today() - timedelta(days=3)
    facts = {"black": key_of(points_club, "김민수"), "white": key_of(points_club, "山田 春子"), "result": "B+"}
    entered(
        points_club, changes.games.record_game, {**facts, "date": str(today()), "handicap": 6, "komi": -3.5}, today()
    )
    html = stranger().get(f"/{points_club.slug}/print/?since={before}").content.decode()
    ticked = re.findall(r'value="(\w+)" checked', html)
    assert sorted(ticked) == sorted(key_of(points_club, name) for name in ("김민수", "山田 春子"))
    assert "a day such as" in text(stranger().get(f"/{points_club.slug}/print/?since=yesterday"))


def test_a_card_bears_the_address_of_the_members_page(points_club: Club) -> None:
    segno = pytest.importorskip("segno")
    key = key_of(points_club, "山田 春子")
    html = stranger().get(f"/{points_club.slug}/print/cards/?player={key}").content.decode()
    address = f"http://testserver/{points_club.slug}/players/{key}/"
    drawn = segno.make(address, error="m", micro=False).svg_inline(
        border=4, omitsize=True, svgclass="qr", lineclass=None
    )
    assert drawn in html


def test_papers_of_an_official_list_show_its_figures_and_say_so(points_club: Club) -> None:
    from handan.club import changes, lists
    from handan.club.store.clock import today
    from handan.club.store.writing import write

    write(points_club, lambda state: lists.publish(state, today(), None, "Autumn"), author="x")
    facts = {"black": key_of(points_club, "김민수"), "white": key_of(points_club, "山田 春子"), "result": "B+"}
    entered(
        points_club, changes.games.record_game, {**facts, "date": str(today()), "handicap": 6, "komi": -3.5}, today()
    )
    address = f"/{points_club.slug}/print/cards/"
    live, official = (stranger().get(f"{address}{query}").content.decode() for query in ("", "?list=1"))
    assert "Official list Autumn" in official
    assert ">182<" in official
    assert ">182<" not in live  # it has lost a point since
    assert stranger().get(f"{address}?list=7").status_code == 404


def test_the_poster_is_of_the_clubs_card_and_of_any_where_it_has_none(points_club: Club, make_club: Any) -> None:
    html = stranger().get(f"/{points_club.slug}/print/poster/?language=ja").content.decode()
    assert len(re.findall(r"<td>\d+</td>", html)) == 135
    other = make_club("egf")
    assert stranger().get(f"/{other.slug}/print/poster/").status_code == 400
    assert "Tagajo" in stranger().get(f"/{other.slug}/print/poster/?card=tagajo12").content.decode()


def test_a_paper_may_use_its_own_style_and_nothing_else(points_club: Club) -> None:
    import base64
    import hashlib

    page = stranger().get(f"/{points_club.slug}/print/cards/")
    style = page.content.decode().partition("<style>")[2].partition("</style>")[0]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert page["Cache-Control"] == "no-store"
    again = stranger().get(f"/{points_club.slug}/print/cards/")  # a page that the server has kept
    assert (again.content, again["Content-Security-Policy"]) == (page.content, page["Content-Security-Policy"])
    assert page["Content-Security-Policy"].startswith(f"default-src 'none'; style-src 'sha256-{digest}'")


def test_a_visitor_sees_on_paper_what_the_club_shows_and_no_name_of_who_is_hidden(points_club: Club) -> None:
    from handan.club import lists
    from handan.club.store.access import set_shown
    from handan.club.store.clock import today
    from handan.club.store.models import Openness
    from handan.club.store.writing import write

    write(points_club, lambda state: lists.publish(state, today(), None, "Autumn"), author="x")
    set_shown(points_club, key_of(points_club, "山田 春子"), "")
    member = secretary(points_club)
    for query in ("", "?list=1"):
        for name in ("cards", "points"):
            address = f"/{points_club.slug}/print/{name}/{query}"
            page, own = (client.get(address).content.decode() for client in (stranger(), member))
            assert "a member" in page
            assert "山田" not in page
            assert "やまだ" not in page
            assert "山田 春子" in own
    for openness, status in ((Openness.LADDER, 302), (Openness.CLOSED, 404)):  # to the sign-in, or as of no club
        type(points_club).objects.filter(pk=points_club.pk).update(openness=openness)
        assert stranger().get(f"/{points_club.slug}/print/cards/").status_code == status
        assert member.get(f"/{points_club.slug}/print/cards/").status_code == 200


@pytest.mark.parametrize("wish", WISHES)
def test_wishes_that_cannot_be_are_refused_in_words(points_club: Club, wish: str) -> None:
    name = {"copies": "sheet", "month": "month", "card": "poster"}.get(wish.partition("=")[0], "cards")
    answer = stranger().get(f"/{points_club.slug}/print/{name}/?{wish}")
    assert answer.status_code == 400, wish
    assert stranger().get(f"/{points_club.slug}/print/nonsense/").status_code == 404


def test_the_ladder_on_paper_has_club_and_day_and_no_form(points_club: Club) -> None:
    from handan.web import apps

    html = stranger().get(f"/{points_club.slug}/").content.decode()
    assert re.search(r'<p class="printed">\s*Club under test · live · printed \d{4}-\d\d-\d\d\s*</p>', html)
    folder = apps.__file__.rpartition("apps.py")[0]
    with open(f"{folder}static/handan/style.css", encoding="utf-8") as file:  # noqa: PTH123  # one file of the package
        on_paper = file.read().partition("@media print")[2]
    assert "form" in on_paper.partition("{ display: none !important; }")[0]


def test_a_printed_card_is_called_by_the_language_of_the_paper(points_club: Club) -> None:
    path = f"/{points_club.slug}/print/poster/?language="
    named = {"ja": "東京の碁会所、一子15点", "de": "Vereine in Tokio, 15 Punkte je Stein"}
    for language, title in {**named, "en": "Tokyo clubs, 15 points a stone"}.items():
        assert title in text(stranger().get(f"{path}{language}"))


def test_the_list_of_today_says_what_the_ladder_says(points_club: Club) -> None:
    from handan.club import changes
    from handan.club.store.clock import today

    facts = {"black": key_of(points_club, "김민수"), "white": key_of(points_club, "山田 春子"), "result": "B+"}
    entered(
        points_club, changes.games.record_game, {**facts, "date": str(today()), "handicap": 6, "komi": -3.5}, today()
    )
    rows = stranger().get(f"/{points_club.slug}/ladder.json").json()["players"]
    html = stranger().get(f"/{points_club.slug}/print/list/?language=ja").content.decode()
    cells = cells_of(html)
    assert cells[0] == ["#", "氏名", "段級位", "持ち点", "増減", "対局", "勝ち", "負け", "最終対局"]
    assert [(row[0], row[1].split(" や")[0], row[3], row[5]) for row in cells[1:]] == [
        (str(row["place"]), row["player"], f"{row['rating']:g}", str(row["games"])) for row in rows
    ]
    changed = {row[1].split(" や")[0]: row[4] for row in cells[1:]}
    assert changed == {"山田 春子": "-1", "김민수": "+1", "Ada Lindqvist": ""}
    one = stranger().get(f"/{points_club.slug}/print/list/?player={key_of(points_club, 'Ada Lindqvist')}")
    assert len(cells_of(one.content.decode())) == 2


def test_an_official_list_is_printed_as_it_was_published(points_club: Club) -> None:
    from handan.club import changes, lists
    from handan.club.store.clock import today
    from handan.club.store.writing import write

    day = today() - timedelta(days=1)
    client = secretary(points_club)
    facts = {"black": key_of(points_club, "김민수"), "white": key_of(points_club, "山田 春子"), "result": "B+"}
    entered(points_club, changes.games.record_game, {**facts, "date": str(day), "handicap": 6, "komi": -3.5}, today())
    write(points_club, lambda state: lists.publish(state, today(), day), author="x")
    before = cells_of(client.get(f"/{points_club.slug}/print/list/?list=1").content.decode())
    entered(
        points_club, changes.games.record_game, {**facts, "date": str(today()), "handicap": 6, "komi": -3.5}, today()
    )
    assert cells_of(client.get(f"/{points_club.slug}/print/list/?list=1").content.decode()) == before
    assert cells_of(client.get(f"/{points_club.slug}/print/list/").content.decode())[1:] != before[1:]


def test_the_rating_list_of_a_country_says_whose_it_is_and_has_nobody_else(points_club: Club) -> None:
    whole, korean = (
        stranger().get(f"/{points_club.slug}/print/list/{query}").content.decode() for query in ("", "?country=KR")
    )
    assert len(cells_of(whole)) == 1 + len(PEOPLE)
    assert [row[1] for row in cells_of(korean)[1:]] == ["김민수"]
    assert cells_of(korean)[1] in cells_of(whole), "place and figures are those of the whole list"
    assert " · KR" in korean
    page = stranger().get(f"/{points_club.slug}/print/?country=KR").content.decode()
    assert '<input type="hidden" name="country" value="KR">' in page
    assert "Ada Lindqvist" not in page
