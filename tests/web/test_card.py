"""A club's own irregular card: typed on a page, previewed over the past year, printed, used, and carried everywhere."""

from __future__ import annotations

import gzip
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.processes import handan
from tests.web.test_pages import MakeClub, registered, signed_in, text

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

OWN = """0–2: even, Black gives 6.5
3–5: even, Black gives 3.5
6–9: Black first, no komi
10–13: Black first, White gives 3
14–17: 2 stones, Black gives 3
18–21: 2 stones, no komi
22–26: 2 stones, White gives 5
27–30: 3 stones, no komi
31–36: 3 stones, White gives 4
37–44: 4 stones, no komi
45–52: 5 stones, no komi
53–60: 6 stones, White gives 5
61–75: 8 stones, White gives 10"""
"""Thirteen entries of no law: as irregular as the tables on the walls of clubs are."""


@pytest.fixture
def lake(make_club: MakeClub) -> Club:
    return make_club("points", card="tokyo15", at_1d="150")


@pytest.fixture
def administrator(lake: Club) -> Client:
    from handan.club.store.models import Role

    return signed_in(lake, Role.ADMINISTRATOR)


@pytest.fixture
def games(lake: Club, administrator: Client) -> list[str]:
    """Two players, 3d (180 points) and 1d (150), and three games of this year; the keys."""
    from handan.club.store.clock import today

    for name, rank in (("Ada", "3d"), ("Bo", "1d")):
        registered(administrator, lake, name, rank)
    keys = []
    for weeks in (30, 20, 10):
        day = str(today() - timedelta(weeks=weeks))
        game = {"black": "Bo", "white": "Ada", "result": "B+R", "date": day, "handicap": "3", "komi": "6.5"}
        answer = administrator.post(f"/{lake.slug}/games/new/", game)
        assert answer.status_code == 302, text(answer)
        keys.append(answer["Location"].rstrip("/").split("/")[-1])
    return keys


def form(**fields: str) -> dict[str, str]:
    return {"title": "Card of the Lake", "tie": "jigo", "text": OWN, "since": "", **fields}


def test_a_club_types_its_own_card_and_takes_it_everywhere(
    lake: Club, administrator: Client, games: list[str], tmp_path: Path
) -> None:
    from handan.club.store.clock import today
    from handan.club.store.states import state_of

    home = f"/{lake.slug}/"
    # 180 against 150: three stones at the head of the column on the card of Tokyo; on the club's own 27-30 is 3 stones
    # without komi. Each win of Bo takes 2 off the difference: 30, 28, 26; 26 is 2 stones, White gives 5.
    preview = text(administrator.post(f"{home}card/edit/", form(preview="1")))
    assert "3 of 3 games would have had other terms" in preview
    assert "Black: Bo, 3 stones, Black gives 6.5 Black: Bo, 3 stones, no komi" in preview
    assert "Black: Bo, 2 stones, White gives 4.5 Black: Bo, 2 stones, White gives 5" in preview
    assert "How the ladder would stand Nobody’s rating would move." in preview  # a card moves terms, and no points
    assert state_of(lake).rules[-1].settings["card"] == "tokyo15"

    since = str(today() - timedelta(days=15))
    assert administrator.post(f"{home}card/edit/", form(since=since, save="1")).status_code == 302
    for page in ("card/", "print/poster/", "terms/?one=Ada&other=Bo", "rules/"):
        shown = text(administrator.get(home + page))
        words = {"card/": "27–30 3 stones, no komi", "print/poster/": "Card of the Lake", "rules/": "Card of the Lake",
                 "terms/?one=Ada&other=Bo": "Black: Bo, 2 stones, White gives 5"}[page]  # fmt: skip
        assert words in shown, page  # after the games it is 177 against 153, a difference of 24
    assert administrator.post(f"{home}lists/", {"label": "Autumn"}).status_code == 302

    ledger, listed, card = (tmp_path / name for name in ("lake.jsonl.gz", "list.json", "lake.csv"))
    export = administrator.get(f"{home}ledger.jsonl.gz")
    ledger.write_bytes(b"".join(export.streaming_content))  # type: ignore[attr-defined]
    listed.write_bytes(administrator.get(f"{home}lists/1/list.json").content)
    card.write_bytes(administrator.get(f"{home}card.csv").content)
    assert "Card of the Lake" in gzip.decompress(ledger.read_bytes()).decode()
    assert "the same bytes again" in handan("verify", listed, ledger)
    assert "2 stones, no komi" in handan("handicap", "180", "160", "--card", card)


def test_nothing_typed_is_lost_by_a_line_that_cannot_be_read(lake: Club, administrator: Client) -> None:
    from handan.club.store.states import state_of

    typed = OWN.replace("6–9: Black first, no komi", "6–9: Blakc frist, no komi") + "\n100: 9 stones"
    answer = administrator.post(f"/{lake.slug}/card/edit/", form(text=typed, reason="the meeting", save="1"))
    shown, page = text(answer), answer.content.decode()
    assert "3 6–9: Blakc frist, no komi “blakc frist” is not understood" in shown
    assert "differences 76–99 stand nowhere" in shown
    assert all(line in page for line in typed.splitlines())
    assert 'value="the meeting"' in page
    assert 'value="Card of the Lake"' in page
    assert state_of(lake).rules[0].settings["card"] == "tokyo15"


def test_what_is_strange_in_a_card_is_saved_once_the_club_says_that_it_is_so(lake: Club, administrator: Client) -> None:
    from handan.club.store.states import state_of

    strange = form(text=OWN + "\n100: 2 stones, no komi", save="1")
    shown = text(administrator.post(f"/{lake.slug}/card/edit/", strange))
    assert "difference 100 gives Black less help than difference 75" in shown
    assert "Something is strange in the card; is it so?" in shown
    assert administrator.post(f"/{lake.slug}/card/edit/", {**strange, "as_it_is": "on"}).status_code == 302
    assert "100,100,2,0,jigo" in state_of(lake).rules[0].settings["card"]


@pytest.mark.parametrize(
    ("start", "lines"),
    [
        ({"start": "law", "per_stone": "10", "top_komi": "5"}, ["1–9: Black first, Black gives 4 … White gives 4"]),
        ({"start": "mami12"}, ["0: Even game, Black gives 6", "12–23: 2 stones, Black gives 6 … White gives 5"]),
        ({"start": "present"}, ["15–29: 2 stones, Black gives 6.5 … White gives 7.5"]),
    ],
)  # fmt: skip
def test_a_table_is_drawn_from_the_law_or_a_printed_card(
    lake: Club, administrator: Client, start: dict[str, str], lines: list[str]
) -> None:
    drawn = administrator.post(f"/{lake.slug}/card/edit/", form(draw="1", since="2026-01-01", **start)).content.decode()
    assert all(f"{line}\n" in drawn for line in lines)
    assert 'value="2026-01-01"' in drawn


def test_only_the_table_changes_with_a_card_of_ones_own(make_club: MakeClub) -> None:
    """Entry points, points from rank to rank, the limit of a day and the larger step stay those of the card before."""
    from handan.club.rules import checked, own_card, with_card
    from handan.handicaps import CARDS, card_text
    from handan.systems.points import Points

    for name, card in CARDS.items():
        rules = checked("points", {"card": name})
        facts = []
        for made in (rules.made, with_card(rules, own_card(card_text(card))).made):
            assert isinstance(made, Points)
            steps = made.table.step(100), made.table.step(300)
            facts.append((made.first_dan, made.points_a_rank, made.most_a_day, steps))
        assert facts[0] == facts[1], name


@pytest.mark.parametrize("name", ["wall.csv", " wall.CSV\n"])
def test_rules_never_read_a_file_of_the_server(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from handan.club.rules import checked
    from handan.errors import InputError

    monkeypatch.chdir(tmp_path)
    (tmp_path / name.strip()).write_text("difference,stones\n0,0\n", encoding="utf-8")
    with pytest.raises(InputError, match="a file would not travel"):
        checked("points", {"card": name})


def test_a_member_sees_what_a_printed_card_would_have_changed(
    lake: Club, administrator: Client, games: list[str]
) -> None:
    shown = text(administrator.get(f"/{lake.slug}/card/year/?card=tagajo12"))
    assert "3 of 3 games would have had other terms" in shown
    assert "Black: Bo, 3 stones, no komi, a tie is White" in shown  # 30 points on the 12-point card: 2 x 12 + 6


def test_every_setting_is_a_choice_or_a_number_with_its_meaning(lake: Club, administrator: Client) -> None:
    page = administrator.get(f"/{lake.slug}/rules/").content.decode()
    assert '<option value="" ' in page
    assert "with each game (as published)" in page
    assert 'name="set-daily_limit" placeholder="none" min="0" max="1000"' in page.replace("  ", " ")
    assert "counted games a day with one opponent" in page
    assert '<option value="tokyo15" selected>Tokyo clubs, 15 points a stone</option>' in page


def test_settings_typed_for_one_system_wait_while_another_is_looked_at(lake: Club, administrator: Client) -> None:
    from handan.club.store.states import state_of

    page = f"/{lake.slug}/rules/"
    first = {
        "system": "sagc",
        "of": "points",
        "set-card": "mami12",
        "set-start": "7",
        "confirmation": "none",
        "look": "1",
    }
    shown = administrator.post(page, first).content.decode()
    assert 'name="kept-points-card" value="mami12"' in shown
    assert 'name="set-start"' in shown
    assert 'value="7"' not in shown.split('name="set-start"')[1][:60]
    back = {"system": "points", "of": "sagc", "kept-points-card": "mami12", "kept-points-start": "7",
            "set-start": "", "confirmation": "none", "save": "1"}  # fmt: skip
    assert administrator.post(page, back).status_code == 302
    assert state_of(lake).rules[0].settings == {"card": "mami12", "start": 7.0}
