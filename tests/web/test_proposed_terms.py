"""Terms stand in the fields of the desk's form and of the record sheet as on the phone's; what is typed stays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.test_sheet_grid import fields_of, look, points, press  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

HTMX: Any = {"HX-Request": "true"}
Points = tuple["Club", dict[str, str], "Client"]


def on_the_phone(client: Client, club: Club, one: str, other: str) -> tuple[str, str]:
    """Return handicap and komi as the page for touch would save them."""
    page = client.get(f"/{club.slug}/games/enter/?one={one}&other={other}").content.decode()
    fields = dict(re.findall(r'name="(handicap|komi)" value="([^"]*)"', page))
    return fields["handicap"], fields["komi"]


def in_the_form(page: str) -> dict[str, str]:
    """Return the values of the form's fields of terms."""
    tags = re.findall(r'<input[^>]*name="(?:handicap|komi|proposed)"[^>]*>', page)
    pairs = [(re.search(r'name="(\w+)"', tag), re.search(r'value="([^"]*)"', tag)) for tag in tags]
    return {name[1]: value[1] if value else "" for name, value in pairs if name}


@pytest.fixture
def desk(points: Points) -> tuple[Club, dict[str, str], Client, tuple[str, str]]:  # noqa: F811
    """Two players of whom the first takes Black, and their terms."""
    club, keys, keeper = points
    agreed = on_the_phone(keeper, club, keys["鈴木 一郎"], keys["山田 春子"])
    assert agreed[0] != "0"
    return club, keys, keeper, agreed


def test_the_desks_form_fills_the_terms_of_the_two_in_and_keeps_what_is_typed(
    desk: tuple[Club, dict[str, str], Client, tuple[str, str]],
) -> None:
    club, keys, keeper, agreed = desk
    path = f"/{club.slug}/games/new/"
    two = {"black": "鈴木 一郎", "white": "山田 春子", "date": "", "handicap": "", "komi": "", "proposed": ""}
    sent = keeper.post(path, {**two, "preview": "1"}, headers=HTMX).content.decode()
    shown = in_the_form(sent)
    assert (shown["handicap"], shown["komi"]) == agreed
    assert sent.count('hx-swap-oob="true"') == 3
    assert in_the_form(keeper.post(path, {**two, **shown, "preview": "1"}, headers=HTMX).content.decode()) == {}
    typed = {**two, **shown, "handicap": "1", "preview": "1"}
    assert in_the_form(keeper.post(path, typed, headers=HTMX).content.decode()) == {}
    without = {**two, "proposed": shown["proposed"], "preview": "1"}
    emptied = in_the_form(keeper.post(path, without).content.decode())
    assert (emptied["handicap"], emptied["komi"]) == ("", "")
    others = in_the_form(keeper.post(path, {**two, **shown, "white": "佐藤 健", "preview": "1"}).content.decode())
    assert (others["handicap"], others["komi"]) == on_the_phone(keeper, club, keys["鈴木 一郎"], keys["佐藤 健"])
    sides = {**two, **shown, "black": two["white"], "white": two["black"], "preview": "1"}
    turned = in_the_form(keeper.post(path, sides, headers=HTMX).content.decode())
    assert (turned["handicap"], turned["komi"]) == ("", "")  # the terms give the other one Black
    page = keeper.get(f"{path}?black=鈴木 一郎&white=山田 春子").content.decode()
    assert (in_the_form(page)["handicap"], in_the_form(page)["komi"]) == agreed


def test_names_saved_before_their_terms_came_are_entered_at_them(
    desk: tuple[Club, dict[str, str], Client, tuple[str, str]],
) -> None:
    """As by somebody quick, or in a browser without scripts; terms that came and were emptied are none."""
    from handan.club.store.states import state_of

    club, _, keeper, agreed = desk
    two = {"black": "鈴木 一郎", "white": "山田 春子", "date": "", "handicap": "", "komi": "", "result": "B+"}
    proposed = "/".join(agreed)
    terms = []
    for sent in ({}, {"proposed": proposed, "another": "on"}):
        assert keeper.post(f"/{club.slug}/games/new/", {**two, **sent, "save": "1"}).status_code == 302
        last = state_of(club).games.sort("line").row(-1, named=True)
        terms.append((last["handicap"], last["komi"]))
    assert terms == [(int(agreed[0]), float(agreed[1])), (0, None)]


def test_the_record_sheet_fills_them_in_line_by_line(
    desk: tuple[Club, dict[str, str], Client, tuple[str, str]],
) -> None:
    from handan.club.store.states import state_of

    club, keys, keeper, agreed = desk
    lines = [("suzu", "ヤマダ", "B+"), ("suzu", "Satoh", "W+"), ("Sasaki", "ada", "B+")]
    page = look(keeper, club, lines)
    sent = fields_of(page)
    second = on_the_phone(keeper, club, keys["鈴木 一郎"], keys["佐藤 健"])
    assert list(zip(sent["handicap"], sent["komi"], strict=True)) == [agreed, second, ("", "")]
    sent["handicap"][1], sent["komi"][1] = "1", ""  # as the paper says
    short = keeper.post(f"/{club.slug}/games/sheet/", {**sent, "black": ["Ada", "suzu", ""]}, headers=HTMX)
    swapped = re.findall(r'id="(\w+-\d)" value="([^"]*)"[^>]*hx-swap-oob', short.content.decode())
    own = on_the_phone(keeper, club, keys["Ada Lindqvist"], keys["山田 春子"])
    assert dict(swapped)["handicap-1"] == own[0]
    assert not {"handicap-2", "komi-2"} & dict(swapped).keys()
    press(keeper, club, keeper.post(f"/{club.slug}/games/sheet/", sent).content.decode(), save="1")
    games = state_of(club).games
    assert games["handicap"].to_list() == [int(agreed[0]), 1]


def test_a_line_with_the_stronger_as_black_says_so_and_offers_the_other_colours(
    desk: tuple[Club, dict[str, str], Client, tuple[str, str]],
) -> None:
    club, _keys, keeper, agreed = desk
    page = look(keeper, club, [("yama", "suzu", "W+R"), ("suzu", "yama", "B+")])
    assert page.count("By the club’s terms the other one takes Black") == 1
    answer = page.partition('id="answer-1"')[2].partition('id="answer-2"')[0]
    assert "鈴木 一郎" in answer.partition("takes Black")[2]
    assert 'name="turn"' in answer
    short = keeper.post(f"/{club.slug}/games/sheet/", fields_of(page), headers=HTMX).content.decode()
    assert short.count('name="turn"') == 1
    turned = press(keeper, club, page, turn="1").content.decode()
    sent = fields_of(turned)
    assert [sent[name][0] for name in ("black", "white")] == ["suzu", "yama"]
    assert sent["result"][0] == "Black by resignation"  # the same person won
    assert (sent["handicap"][0], sent["komi"][0]) == agreed
    assert 'name="turn"' not in turned
    sent = fields_of(page)
    sent["handicap"][0], sent["komi"][0] = "0", "6.5"  # it was played with these colours
    assert 'name="turn"' not in keeper.post(f"/{club.slug}/games/sheet/", sent).content.decode()
    for number in ("0", "77", "x", "-1"):
        assert 'name="turn"' in press(keeper, club, page, turn=number).content.decode()
