"""Numbers of a column of a card or of two players' games: the points stand below each other."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tests.web.test_pages import registered, signed_in

if TYPE_CHECKING:
    from handan.club.store.models import Club

LABELLED = re.compile(r'<td class="n[^"]*" data-label="([^"]*)">([^<]*\d[^<]*)</td>')


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(("texts", "wide"), [
    (["12", "12.5", "1.25"], ["12\u2008\u2007\u2007", "12.5\u2007", "1.25"]),
    (["12", "7"], ["12", "7"]),
    (["+0.5", "", "-1"], ["+0.5", "", "-1\u2008\u2007"]),
])  # fmt: skip
def test_what_stands_behind_the_point_is_as_wide_in_every_line(texts: list[str], wide: list[str]) -> None:
    from handan.web.pages.formatting import places, room_behind

    rows = [{"number": text} for text in texts]
    assert [text + room_behind(text, places(rows, "number")) for text in texts] == wide


def test_points_of_a_card_stand_below_each_other(make_club: Callable[..., Club]) -> None:
    from handan.club.store.models import Role

    club = make_club("egf")
    keeper = signed_in(club, Role.SECRETARY)
    home = f"/{club.slug}/"
    ada, bo = (registered(keeper, club, name, rank) for name, rank in (("Ada", "5k"), ("Bo", "12k")))
    for day in range(1, 25):
        won = "B+R" if day % 3 else "W+R"
        game = {"black": "Ada", "white": "Bo", "result": won, "date": f"2026-05-{day:02}", "komi": "6.5"}
        assert keeper.post(f"{home}games/new/", {**game, "kind": "tournament-a"}).status_code == 302
    for path in (f"players/{ada}/", f"pair/?one={ada}&other={bo}"):
        page = keeper.get(home + path).content.decode()
        columns: dict[str, list[str]] = {}
        for name, text in LABELLED.findall(page):
            columns.setdefault(name, []).append(text)
        numbers = {name: texts for name, texts in columns.items() if name in {"Before", "Change"}}
        assert numbers
        for name, texts in numbers.items():
            assert len(texts) == 24
            behind = {len(re.split(r"[.\u2008]", text)[1]) for text in texts}
            assert len(behind) == 1, (path, name, texts)
        assert any("\u2007" in text for texts in numbers.values() for text in texts)
