"""A card and a game say why a rating moved, from what is kept with each block of games, as `handan explain` does."""

from __future__ import annotations

import random
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.club.helpers import TODAY
from tests.command_line import run
from tests.forms import extended_but
from tests.web.test_pages import MakeClub, signed_in

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from handan.club.store.models import Club

PEOPLE = (("Ada", "2d"), ("Bo", "1k"), ("Cy", "3d"), ("Di", "5k"))
GAMES, AT_ONCE, LEAST = 40, 4, 4
COMPARED = ("date", "opponent", "before", "change", "after", "rank_before", "rank_after", "factors", "combine", "facts")
SETTINGS: dict[str, dict[str, str]] = {
    "egf": {}, "points": {"settle": "day"}, "glicko2": {}, "handan": {}, "whr": {}, "elo": {"k_new": "64"}, "aga": {},
    "sagc": {}, "dgs": {}, "ogs": {}, "trueskill": {},
}  # fmt: skip
"""One of each family: the others of it keep the same with a block."""


def entered(club: Club, players: list[str]) -> None:
    """Enter games of four months in any order, some at once."""
    from handan.club import changes
    from handan.club.store.writing import write

    dice = random.Random(7)

    def facts() -> dict[str, Any]:
        black, white = dice.sample(players, 2)
        day = TODAY - timedelta(days=dice.randrange(120))
        event = dice.choice(["", "", f"Cup {day.isocalendar().week}"])
        return {"black": black, "white": white, "result": dice.choice(["B+R", "W+3.5", "jigo"]), "event": event,
                "kind": dice.choice(["club", "tournament-b"]), "handicap": dice.choice([0, 0, 3]),
                "date": str(day)}  # fmt: skip

    for _ in range(GAMES // AT_ONCE):
        write(
            club, lambda state: [changes.games.record_game(state, facts(), TODAY) for _ in range(AT_ONCE)], author="x"
        )


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    from handan.club import blocks
    from handan.club.store import rating_lists

    for module in (blocks, rating_lists):
        monkeypatch.setattr(module, "LEAST", LEAST)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("system", extended_but(["points", "handan"], SETTINGS))
def test_a_card_gives_the_reasons_that_explain_gives_of_the_exported_games(
    system: str, make_club: MakeClub, tmp_path: Path
) -> None:
    from handan.club.changes.players import register_ranked
    from handan.club.store.clock import today
    from handan.club.store.list_models import Block
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    club = make_club(system, **SETTINGS[system])
    secretary = signed_in(club, Role.SECRETARY)
    keys = {}
    for name, rank in PEOPLE:
        drafts = partial(register_ranked, fields={"name": name}, entry={"rank": rank}, today=today())
        keys[name] = write(club, drafts, author="x")[0].subject
    entered(club, [*keys.values()])
    games = tmp_path / "games.csv"
    games.write_bytes(b"".join(secretary.get(f"/{club.slug}/games.csv").streaming_content))  # type: ignore[attr-defined]
    chosen = [word for name, value in SETTINGS[system].items() for word in ("--set", f"{name}={value}")]
    for name, key in keys.items():
        command = ("explain", games, "--system", system, "--player", name, "--quiet", *chosen)
        meant = run(*command, "--json").json
        lines = secretary.get(f"/api/clubs/{club.slug}/players/{key}/card").json()["lines"]
        assert [compared_fields(line) for line in lines] == [compared_fields(line) for line in meant]
        page = secretary.get(f"/{club.slug}/players/{key}/").content.decode()
        why = [line for line in meant if line["game"] and (line["factors"] or line["note"])]
        assert page.count('<tr class="why"') == len(why)
        refuse_other_games(secretary, club, lines)
    assert Block.objects.filter(list__club=club).count() > 1 or system in {"handan", "whr"}  # all games at once


def refuse_other_games(client: Client, club: Club, lines: list[dict[str, Any]]) -> None:
    """Compare what a card says of its last games with what the games say."""
    for line in [line for line in lines if line["key"]][-2:]:
        sides = client.get(f"/api/clubs/{club.slug}/games/{line['key']}").json()["changes"]
        assert compared_fields(line) in [compared_fields(side) for side in sides]


def compared_fields(line: dict[str, Any]) -> dict[str, Any]:
    """Return what a line says, whatever the numbers of games are."""
    return {name: line[name] for name in COMPARED}
