"""Later games scored after earlier ones in another file: the same figures as of both in one file."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import handan
from handan.errors import InputError
from handan.evidence import compare
from handan.ledger import Adjustment, Game, Ledger
from tests.command_line import run
from tests.test_evidence_truncation import games_of

PAST, ALL = 70, 100


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", "plain")


def with_ids(games: list[Game]) -> list[Game]:
    """Return games in which two people are called A, B has an id from the middle on, and C another name later."""
    made = []
    for number, game in enumerate(games):
        ids = {"A": f"a:{number % 2}", "B": "b:1" if number > ALL // 2 else "", "C": "c:1", "D": "d:1"}
        seats: dict[str, Any] = {}
        for side in ("black", "white"):
            name = getattr(game, side)
            seats |= {side: "Dee" if name == "D" and number >= PAST else name, f"{side}_id": ids.get(name, "")}
        made.append(replace(game, **seats))
    return made


@pytest.mark.parametrize(("systems", "level"), [("all", "game"), ("elo,egf,glicko,handan", "event")])
def test_games_in_a_later_file_are_forecast_as_in_one_file_with_the_earlier(systems: str, level: str) -> None:
    games = with_ids(
        games_of(ALL, moments=level == "game")
    )  # events, and a day of three games, go over from one to the other
    hand = Adjustment("C", "3k", None, date(2024, 1, 20))
    whole = compare(Ledger.of(games, [hand]), systems, known=level)
    parts = compare(Ledger.of(games[PAST:], [hand]), systems, train=Ledger.of(games[:PAST]), known=level)
    assert parts.games == whole.games
    assert parts.known == whole.known == level
    both = whole.forecasts().join(parts.forecasts(), on="game", suffix=" later")
    assert both.height == parts.scored > 15
    for each in whole.systems:
        assert both[f"{each.system} later"].to_list() == both[each.system].to_list(), each.system


def figures(document: dict[str, Any]) -> dict[str, Any]:
    for each in document["systems"]:
        each["seconds"] = 0.0
    return document


def test_the_command_gives_the_same_figures_of_a_later_file_as_from_its_first_day_on(tmp_path: Path) -> None:
    games = with_ids(games_of(ALL, moments=True))[: PAST + 20]
    days = [str(game.date)[:10] for game in games]
    cut = next(number for number in range(PAST, ALL) if days[number] != days[number - 1])
    files = {"whole": games, "earlier": games[:cut], "later": games[cut:]}
    paths = {name: tmp_path / f"{name}.csv" for name in files}
    for name, some in files.items():
        handan.write(Ledger.of(some), paths[name])
    # handan takes two files for two sources, whose ranks may differ
    systems = ["--systems", "elo,whr,handan:newcomers=fixed,points", "--format", "json"]
    later = run("compare", "--train", paths["earlier"], paths["later"], *systems)
    since = run("compare", paths["whole"], "--from", days[cut], *systems)
    assert later.status == since.status == 0
    assert figures(json.loads(later.out, parse_constant=pytest.fail)) == figures(since.json)


def rows(count: int, seed: int, **more: Any) -> list[Game]:
    dice = np.random.default_rng(seed)
    names = [dice.choice(list("ABCDE"), 2, replace=False).tolist() for _ in range(count)]
    return [Game(black, white, "B+R" if black < white else "W+R", **more) for black, white in names]


def test_games_without_dates_stand_before_or_after_those_with_which_they_are_compared() -> None:
    dated = Ledger.of(rows(60, 1, date="2024-05-04"))
    answer = compare(Ledger.of(rows(20, 2)), "elo,whr", train=dated)
    assert answer.scored == 20
    assert answer.notes[0] == (
        "the games to score have no date: they are taken as of 2024-05-05, a day after the newest earlier one"
    )
    assert answer.first is None
    turned = compare(dated, "elo,whr", train=Ledger.of(rows(20, 2)))
    assert turned.notes[0] == (
        "the earlier games have no date: they are taken as of 2024-05-03, a day before the oldest game to score"
    )
    for each in (*answer.systems, *turned.systems):
        assert each.log_loss is not None
        assert each.log_loss < 0.6  # strength follows the alphabet, which earlier games have shown
    rounds = Ledger.of(rows(60, 1, event="Zen Cup", round=9)), Ledger.of(rows(20, 2, event="Ant Cup", round=1))
    assert [part["games"] for part in compare(rounds[1], "elo", train=rounds[0]).systems[0].strangers.values()] == [
        20, 0, 0,
    ]  # fmt: skip


def test_what_keeps_games_from_being_scored_is_counted() -> None:
    train = Ledger.of(rows(20, 1, date="2024-01-01"))
    void = {"result": "void", "size": 9}  # each game is counted by the first reason
    more: dict[str, dict[str, Any]] = {"9x9": {"size": 9}, "free": {"kind": "free"}, "void": void}
    unfit = [replace(game, **more[kind]) for kind in more for game in rows(2, 3, date="2024-02-01")]
    reasons = "2 games without a result by play, 2 games on other boards, 2 games free, teaching or history"
    with pytest.raises(InputError, match=reasons):
        compare(Ledger.of(unfit), "elo", train=train)
    answer = compare(Ledger.of([*unfit, *rows(5, 4, date="2024-03-01")]), "elo", train=train)
    assert answer.notes == (f"not scored: {reasons}",)
    with pytest.raises(InputError, match="there is none"):
        compare(Ledger.of([]), "elo", train=train)


def test_people_whom_no_earlier_game_knows_are_said_to_be_strangers() -> None:
    train = Ledger.of(rows(20, 1, date="2024-01-01"))
    renamed = [replace(game, black=f"{game.black}.", white=f"{game.white}.") for game in rows(20, 2, date="2024-02-01")]
    notes = compare(Ledger.of(renamed), "elo", train=train).notes
    assert notes == ("nobody of the scored games stands among the earlier ones by the same id or name",)
    two = [replace(game, black_id=f"{number % 2}{game.black}") for number, game in enumerate(rows(40, 2))]
    warning = compare(Ledger.of(two), "elo").notes[0]
    assert warning.startswith("names with several ids, and without one: A, B, C, D")
