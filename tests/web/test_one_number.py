"""Every surface that shows a rating shows the same one."""

from __future__ import annotations

import html
import itertools
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import handan
from handan import shortcuts
from handan.club import changes, lists
from handan.wording.figures import digits, fixed, percent
from tests.command_line import run
from tests.forms import extended_but

if TYPE_CHECKING:
    from handan.club.store.models import Club

SYSTEMS = ("points", "sagc", "egf", "elo", "glicko2", "whr", "aga")


@pytest.mark.parametrize("system", extended_but(["points", "egf", "whr"], SYSTEMS))
def test_every_surface_shows_the_same_rating(make_club: Callable[..., Club], system: str, tmp_path: Path) -> None:
    from django.test import Client

    from handan.club.store.clock import today
    from handan.club.store.writing import write

    club = make_club(system)
    dice = random.Random(7)
    names = ["Ada", "Bo", "Cy", "Di", "Ed"]
    keys = [
        entry.subject
        for entry in write(club, lambda s: [changes.players.register_player(s, {"name": n}) for n in names], author="x")
    ]
    write(
        club, lambda s: [changes.players.adjust(s, key, {"rank": "3k"}, today(), "entry") for key in keys], author="x"
    )

    def games(state: object) -> list[object]:
        answers = []
        for number in range(60):
            black, white = dice.sample(keys, 2)
            facts = {"black": black, "white": white, "result": dice.choice(["B+R", "W+2.5"]), "kind": "club",
                     "date": f"2026-0{1 + number // 10}-{10 + number % 10}", "komi": 6.5}  # fmt: skip
            answers.append(changes.games.record_game(state, facts, today()))  # type: ignore[arg-type]
        return answers  # type: ignore[return-value]

    write(club, games, author="x")  # type: ignore[arg-type]
    write(club, lambda s: lists.publish(s, today()), author="x")
    client = Client()
    home = f"/{club.slug}/"
    ladder = {row["key"]: row for row in client.get(f"{home}ladder.json").json()["players"]}
    decimals = digits(row["rating"] for row in ladder.values())
    page = client.get(home).content.decode()
    shown = dict(
        zip(re.findall(r"/players/(p\d+)/", page), re.findall(r'class="points[^"]*">([^<]*)<', page), strict=True)
    )
    table = b"".join(client.get(f"{home}ladder.csv")).decode().splitlines()
    frozen = {row["key"]: row for row in client.get(f"{home}lists/1/list.json").json()["players"]}
    interface = {row["key"]: row for row in client.get(f"/api/clubs/{club.slug}/ladder").json()["players"]}
    for key in keys:
        rating = ladder[key]["rating"]
        assert (interface[key]["rating"], interface[key]["rank"]) == (rating, ladder[key]["rank"])
        lines = client.get(f"/api/clubs/{club.slug}/players/{key}/card").json()["lines"]
        assert lines[-1]["after"] == pytest.approx(rating, abs=1e-6)
        assert shown[key] == fixed(rating, decimals)
        assert any(line.split(",")[1] == key and float(line.split(",")[4]) == rating for line in table[1:])
        assert frozen[key]["rating"] == pytest.approx(rating, abs=5e-4)
        assert frozen[key]["rank"] == ladder[key]["rank"]
        card = client.get(f"{home}players/{key}/card.json").json()["games"]
        assert card[-1]["after"] == pytest.approx(rating, abs=1e-6)
        if system != "sagc":  # whose index starts anew at each promotion
            assert sum(line["change"] for line in card) + card[0]["before"] == pytest.approx(rating)
        own = client.get(f"{home}players/{key}/").content.decode()
        assert fixed(rating, decimals) in own
        last = client.get(f"{home}games/{card[-1]['game']}/game.json").json()
        assert card[-1]["after"] in {change["after"] for change in last["changes"]}
    _command_line_agrees(client, club, home, system, ladder, tmp_path)
    _terms_agree(client, club, system, ladder, tmp_path)


def _terms_agree(client: Any, club: Club, system: str, ladder: dict[str, dict[str, Any]], folder: Path) -> None:
    """Compare terms and win probability of pairs of everybody in a call, on the page, in Python and the command."""
    ratings = shortcuts.rate(handan.read(folder / "games.csv"), system)
    for one, other in itertools.pairwise(sorted(ladder)):
        pair = {"one": one, "other": other}
        call = client.get(f"/api/clubs/{club.slug}/terms", pair).json()
        names = [str(ladder[key]["player"]) for key in (one, other)]
        fair = ratings.fair_terms(*names)
        probability = ratings.win_probability(fair.black, fair.white, fair.handicap, fair.komi)
        assert (call["text"], call["win_probability"]) == (fair.text, probability)
        answer = client.get(f"/{club.slug}/terms/", dict(zip(("one", "other"), names, strict=True)))
        page = html.unescape(answer.content.decode())
        assert fair.text in page
        assert (percent(probability) or "</dl>") in page
    printed = run("handicap", *names, "--system", system, "--players", str(folder / "games.csv")).out
    assert fair.text in printed
    assert percent(probability) in printed


def _command_line_agrees(
    client: object, club: Club, home: str, system: str, ladder: dict[str, dict[str, object]], folder: Path
) -> None:
    """Rate the downloaded games anew."""
    path = folder / "games.csv"
    path.write_bytes(b"".join(client.get(f"{home}games.csv")))  # type: ignore[attr-defined]
    again = shortcuts.rate(handan.read(path), system).table()
    by_name = {row["player"]: row["rating"] for row in again.iter_rows(named=True)}
    assert json.dumps(by_name, sort_keys=True) == json.dumps(
        {str(row["player"]): row["rating"] for row in ladder.values()}, sort_keys=True
    )
