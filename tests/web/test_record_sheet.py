"""The record sheet and the ladder's last update on the web, as the South African Go Clubs describe them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.test_record_sheet import ALICE, SHEET

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club


def entered(club: Club, change: Callable[..., Any], *facts: Any) -> str:
    """Write a change; the key of what it is about."""
    from handan.club.store.writing import write

    return write(club, lambda state: change(state, *facts), author="x")[0].subject


@pytest.fixture
def pair(club: Club) -> tuple[str, str]:
    """The complete example of the source, an adjustment, and a free game with notes."""
    from handan.club import changes
    from handan.club.store.clock import today

    keys = []
    for name, rank, index in (("Alice", "10k", 200), ("Bob", "7k", -50)):
        keys.append(entered(club, changes.players.register_player, {"name": name}))
        form_data = {"rank": rank, "rating": index}
        entered(club, changes.players.adjust, keys[-1], form_data, today(), "entry")
    alice, bob = keys
    games = [
        {"black": bob, "white": alice, "result": "W+2.5", "date": "2026-05-03", "komi": -3.5, "kind": "free",
         "notes": "taught him the small avalanche"},
        {"black": alice, "white": bob, "result": "B+R", "date": "2026-05-01", "handicap": 2, "komi": 0.5,
         "kind": "club", "notes": "signed by both"},
    ]  # fmt: skip
    for facts in games:
        entered(club, changes.games.record_game, facts, today())
    later = {"rank": "9k", "date": "2026-05-02"}
    entered(club, changes.players.adjust, alice, later, today(), "national list")
    return alice, bob


def columns(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in SHEET) for row in rows]


def test_the_card_has_the_twelve_columns_everywhere(club: Club, pair: tuple[str, str]) -> None:
    from django.test import Client

    client, home = Client(), f"/{club.slug}/players/{pair[0]}/"
    assert columns(client.get(f"{home}card.json").json()["games"]) == ALICE
    assert columns(client.get(f"/api/clubs/{club.slug}/players/{pair[0]}/card").json()["lines"]) == ALICE
    head, first, adjustment, _ = b"".join(client.get(f"{home}card.csv")).decode().splitlines()
    assert set(SHEET) <= set(head.split(","))
    assert {"7k", "black", "1.0", "signed by both"} <= set(first.split(","))
    assert {"Alice", "9k", "national list"} <= set(adjustment.split(","))
    page = client.get(home).content.decode()
    titles = re.findall(r"<th[^>]*>([^<]*)</th>", page.split('class="card sheet"')[1].split("</thead>")[0])
    assert titles == ["Date", "Opponent", "Rank", "Colour", "Stones", "Komi", "Result", "Winner", "Status factor",
                      "Before", "Change", "After", "Rank", "Comments"]  # fmt: skip
    ranks = re.findall(r'<td class="first">\s*<a[^>]*>Bob</a>\s*</td>\s*<td data-label="Rank">(\w+)</td>', page)
    assert ranks == ["7k"] * 2  # the opponent's rank in each line of a game
    terms = re.findall(
        r'<td class="n" data-label="Stones">(\d+)</td>\s*<td class="n" data-label="Komi">([-\d.]+)</td>', page
    )
    assert terms == [("0", "-3.5"), ("2", "0.5")]
    for shown in ("taught him the small avalanche", "Alice: <em>adjustment</em> national list"):
        assert shown in page


def test_the_ladder_says_when_it_was_last_added_to(club: Club, pair: tuple[str, str]) -> None:
    from django.test import Client

    from handan.club.store.clock import today

    client = Client()
    # the game of 1 May was added after that of 3 May
    data = client.get(f"/{club.slug}/ladder.json").json()
    assert [(row["last_played"], row["last_updated"]) for row in data["players"]] == [("2026-05-03", "2026-05-01")] * 2
    assert data["last_added"]["date"] == "2026-05-01"
    assert data["last_added"]["entered"]
    assert client.get(f"/api/clubs/{club.slug}/ladder").json()["last_added"] == data["last_added"]
    table = b"".join(client.get(f"/{club.slug}/ladder.csv")).decode().splitlines()
    assert "last_updated" in table[0]
    page = client.get(f"/{club.slug}/").content.decode()
    assert f'last updated <span class="nowrap">{today()}</span>' in page
    assert 'last game entered: <span class="nowrap">2026-05-01</span>' in page


def test_holigor_shows_the_raw_rating_in_every_list(make_club: Callable[..., Club]) -> None:
    from django.test import Client

    from handan.club import changes
    from handan.club.store.clock import today

    club = make_club("holigor")
    for name in ("Ada", "Bo"):
        entered(club, changes.players.register_player, {"name": name})
    facts = {"black": "p2", "white": "p3", "result": "B+R", "date": "2026-05-01", "komi": 6.5}
    entered(club, changes.games.record_game, facts, today())
    client: Client = Client()
    raw = [1.0, 0.0]  # a player who only won stands one unit above the loser
    assert [row["raw"] for row in client.get(f"/{club.slug}/ladder.json").json()["players"]] == pytest.approx(raw)
    assert [row["raw"] for row in client.get(f"/api/clubs/{club.slug}/ladder").json()["players"]] == pytest.approx(raw)
    assert ",rating,raw," in b"".join(client.get(f"/{club.slug}/ladder.csv")).decode().splitlines()[0]
    client.cookies["wall"] = "table"
    assert ">Raw</th>" in client.get(f"/{club.slug}/").content.decode()


def test_the_chart_and_its_sentence_count_ranks_before_the_index(club: Club) -> None:
    # South African Go Clubs: 10k +900 beats an equal 10k: +369 is past +999, so 9k at index 0, which is the highest
    from django.test import Client

    from handan.club import changes
    from handan.club.store.clock import today

    keys = []
    for name, index in (("Ayesha", 900), ("Bo", 0)):
        keys.append(entered(club, changes.players.register_player, {"name": name}))
        form_data = {"rank": "10k", "rating": index}
        entered(club, changes.players.adjust, keys[-1], form_data, today(), "entry")
    facts = {"black": keys[0], "white": keys[1], "result": "B+", "date": "2026-05-01", "komi": 6.5, "kind": "club"}
    entered(club, changes.games.record_game, facts, today())
    home = f"/{club.slug}/players/{keys[0]}/"
    page = Client().get(home).content.decode()
    assert "From 10k 900 to 9k 0 in 1 rated game; highest 9k 0 on 2026-05-01." in page
    picture = Client().get(f"{home}history.svg").content.decode()
    assert "From 10k 900 to 9k 0 in 1 rated game" in picture
    assert ">9k<" in picture
