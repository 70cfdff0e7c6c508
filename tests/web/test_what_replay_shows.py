"""What only a replay can show: wins that lead to the next rank, what each version of a game would do, old curves."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from tests.web.test_confirming import Table, table  # noqa: F401  # a fixture
from tests.web.test_objecting import objected
from tests.web.test_places import MakeClub, text
from tests.web.test_record_sheet import entered

if TYPE_CHECKING:
    from handan.club.store.models import Club


def two_points_short(make_club: MakeClub) -> tuple[Club, str, str]:
    """A points club in which Ada is two points short of the next rank, and Bo stands a little lower."""
    from handan.club import changes
    from handan.club.store.clock import today

    club = make_club("points", card="tagajo12")
    ada, bo = (entered(club, changes.players.register_player, {"name": name}) for name in ("Ada", "Bo"))
    for key, rating in ((ada, 140), (bo, 131)):  # of 12 points a rank from 130 on, 2 dan begins at 142
        entered(club, changes.players.adjust, key, {"rating": rating}, today() - timedelta(days=9), "entry")
    return club, ada, bo


def test_the_wins_that_a_page_names_lead_to_the_rank_and_one_less_does_not(make_club: MakeClub) -> None:
    from django.test import Client

    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of

    club, ada, bo = two_points_short(make_club)
    path = f"/{club.slug}/players/{ada}/"
    assert f'href="{path}next/"' in Client().get(path).content.decode()
    page = text(Client().get(f"{path}next/"))
    assert "2 points to 2d" in page
    assert "2 wins in a row against Bo" in page
    assert state_of(club).games.height == 0  # nothing was written
    ranks = []
    for _ in range(2):
        terms = standings_of(state_of(club)).fair_terms(ada, bo)
        facts = {"black": bo, "white": ada, "result": "W+", "date": str(today()), "kind": "club"}
        assert terms.black == "Bo"
        entered(club, changes.games.record_game, {**facts, "handicap": terms.handicap, "komi": terms.komi}, today())
        ranks.append(standings_of(state_of(club)).by_key[ada]["rank"])
    assert ranks == ["1d", "2d"]


def test_who_is_far_from_the_next_rank_hears_that_six_wins_do_not_suffice(make_club: MakeClub) -> None:
    from django.test import Client

    club, _, bo = two_points_short(make_club)
    assert "6 wins in a row tonight are not enough" in text(Client().get(f"/{club.slug}/players/{bo}/next/"))


def test_an_objection_shows_what_each_version_would_do_as_it_then_does(table: Table) -> None:  # noqa: F811
    path = table.entered(table.ada)
    page = table.bo.get(f"{path}confirm/").content.decode()
    versions = [
        " ".join(re.sub(r"<[^>]+>", " ", part).split())
        for part in re.findall(r"<section>\s*<h4>.*?</section>", page.partition('class="sides versions"')[2], re.DOTALL)
    ]
    assert [re.split(r" (?=Ada:|Bo:|Nobody)", version)[0] for version in versions] == [
        "As it was entered", "The other one won", "The colours were the other way round", "It was never played"
    ]  # fmt: skip
    change = re.search(r"Ada: .*?\(([-+][\d.]+)\)", versions[1])
    assert change
    assert "Nobody’s rating would move" in versions[3]
    objected(table, path, table.bo, "The other one won")
    form = {"black": "Ada", "white": "Bo", "result": "W+", "date": "2026-05-01"}
    assert table.ada.post(f"{path}correct/", form).status_code == 302
    seen = table.game(path)["latest"]
    assert table.bo.post(f"{path}confirm/", {"seen": seen}).status_code == 302
    assert f"({change[1]})" in text(table.ada.get(path))


def test_the_curve_before_a_correction_stays_visible(make_club: MakeClub) -> None:
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from tests.web.test_pages import signed_in

    club, ada, bo = two_points_short(make_club)
    facts = {"black": bo, "white": ada, "date": str(today()), "kind": "club", "komi": 6.5}
    games = [entered(club, changes.games.record_game, {**facts, "result": "W+", "moves": n}, today()) for n in (50, 60)]
    member, path = signed_in(club, Role.PLAYER), f"/{club.slug}/players/{ada}/"
    assert "Redrawn" not in text(member.get(path))
    entered(club, changes.games.correct_game, games[0], {"result": "B+"}, today(), "misread")
    page = member.get(path).content.decode()
    assert f'Redrawn on <span class="nowrap">{today()}</span>: game corrected.' in page
    link = re.search(r'href="(\?redrawn=\d+)"', member.get(path).content.decode())
    assert link
    shown = member.get(path + link[1]).content.decode()
    drawing = shown.partition('<div class="desk">')[2].partition("</svg>")[0]
    heights = {
        look: [float(y) for y in re.findall(rf'class="dot {look}" cx="[\d.]+" cy="([\d.]+)"', drawing)]
        for look in ("first", "second")
    }
    start, unit = heights["first"][0], heights["first"][1] - heights["first"][0]  # the first game took a point
    points = {look: [round((start - y) / unit) for y in ys] for look, ys in heights.items()}
    assert points == {"first": [0, -1, 0], "second": [0, 1, 2]}
    assert f"as it was before {today()}" in shown
    assert member.get(f"{path}?redrawn=1").status_code == 200  # another entry than the last is not looked at
