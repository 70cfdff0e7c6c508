"""League tables over chosen games: everybody against everybody."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

import pytest

from handan.club.league import LeagueGame, challenge_ladder, league_table
from tests.web.test_entering import client_of
from tests.web.test_record_sheet import entered

if TYPE_CHECKING:
    from handan.club.store.models import Club

pytestmark = pytest.mark.database


def test_most_points_stand_first_and_who_played_too_few_goes_with_their_games() -> None:
    # counted by hand: Ada beats Bo twice, Bo beats Cy, Ada and Cy draw; Dan has one game, and Bo loses a win with him
    played = [("ada", "bo", 1.0), ("bo", "ada", 0.0), ("cy", "bo", 0.0), ("ada", "cy", 0.5), ("bo", "dan", 1.0)]
    games = [LeagueGame(f"g{number}", *each) for number, each in enumerate(played)]
    whole = [(row.key, row.games, row.won, row.drawn, row.points) for row in league_table(games)]
    assert whole == [("ada", 3, 2, 1, 2.5), ("bo", 4, 2, 0, 2.0), ("cy", 2, 0, 1, 0.5), ("dan", 1, 0, 0, 0.0)]
    fewer = league_table(games, 2)
    assert [(row.key, row.games, row.points) for row in fewer] == [("ada", 3, 2.5), ("bo", 3, 1.0), ("cy", 2, 0.5)]
    assert [item.score for item in fewer[0].met["bo"]] == [1.0, 1.0]
    assert league_table(games, 4) == []  # without Dan's game nobody has four
    alike = [LeagueGame("", *each) for each in (("ada", "bo", 0.0), ("ada", "cy", 1.0))]
    assert [row.key for row in league_table(alike)] == ["bo", "ada", "cy"]  # a point of one game before one of two


def test_on_a_ladder_the_winner_takes_the_place_of_whoever_stood_higher() -> None:
    # by hand: d takes a's place; a, now below, beats b, who stands lower already; c draws; b takes d's place
    games = [LeagueGame("", *each) for each in (("d", "a", 1.0), ("b", "a", 0.0), ("c", "d", 0.5), ("d", "b", 0.0))]
    ladders = [challenge_ladder(games[:number], "abcd") for number in range(5)]
    assert ["".join(ladder) for ladder in ladders] == ["abcd", "dabc", "dabc", "dabc", "bdac"]


def test_a_cup_begins_by_strength_and_its_page_says_where_each_began(club: Club) -> None:
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Role

    keys = {name: entered(club, changes.players.register_player, {"name": name}) for name in ("Ada", "Bo", "Cy")}
    for name, rank in (("Ada", "3k"), ("Bo", "1d"), ("Cy", "9k")):
        entered(club, changes.players.adjust, keys[name], {"rank": rank}, today())
    for black, white, day in (("Cy", "Bo", "2026-05-01"), ("Ada", "Cy", "2026-05-02")):
        facts = {"black": keys[black], "white": keys[white], "result": "B+", "date": day}
        entered(club, changes.games.record_game, facts, today())
    client = client_of(club, Role.PLAYER)
    page = html.unescape(client.get(f"/{club.slug}/league/?from=2026-05-01&to=2026-05-31&cup=on").content.decode())
    names = re.findall(r'class="who"><a[^>]*>(?:<[^>]*>)?(\w+)', page)
    began = re.findall(r'class="n strong">(\d)<', page)
    assert list(zip(names, began, strict=True)) == [("Ada", "2"), ("Cy", "3"), ("Bo", "1")]


def test_the_page_shows_the_games_of_the_chosen_days(club: Club) -> None:
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Role

    ada, bo = (entered(club, changes.players.register_player, {"name": name}) for name in ("Ada", "Bo"))
    keys = [
        entered(club, changes.games.record_game, {"black": ada, "white": bo, "result": result, "date": day}, today())
        for result, day in (("B+", "2026-05-01"), ("W+R", "2026-05-02"), ("jigo", "2026-05-03"), ("W+", "2026-06-01"))
    ]
    client = client_of(club, Role.PLAYER)
    page = html.unescape(client.get(f"/{club.slug}/league/?from=2026-05-01&to=2026-05-31").content.decode())
    cells = re.findall(r'/games/(g\d+)/">.*?class="unseen">(\w+)<', page, re.DOTALL)
    assert cells[:3] == list(zip(keys, ("win", "loss", "jigo"), strict=False))
    assert cells[3:] == list(zip(keys, ("loss", "win", "jigo"), strict=False))
    assert page.count('class="stone black"></span><span class="unseen">loss') == 2
    assert "No games of these days." in client.get(f"/{club.slug}/league/?from=2026-05-01&games=9").content.decode()
