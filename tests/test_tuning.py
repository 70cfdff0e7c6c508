"""Settings learned from games: never from a game that they are scored on, and never more sure than the games are."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

import handan
from handan.errors import HandanError
from handan.evidence import APART
from handan.evidence.tuning import ranges, tune, values_between
from handan.ledger import Game, Ledger
from handan.systems import SYSTEMS, system
from handan.systems.core.settings import settings_of
from tests.command_line import run

ADVANTAGE = {"advantage": (0.0, 40.0, 80.0, 120.0, 160.0)}
FIRST = date(2021, 1, 1)


def games_with(
    advantage: float, count: int, seed: int = 1, *, players: int = 20, spread: float = 150.0, coin: bool = False
) -> list[Game]:
    """Return games in which Black is stronger by an advantage in Elo, four a day; the spread is that of strengths."""
    dice = np.random.default_rng(seed)
    strength = dice.normal(0.0, spread, players)
    made = []
    for number in range(count):
        black, white = dice.choice(players, 2, replace=False)
        lead = 0.0 if coin else strength[black] + advantage - strength[white]
        result = "B+R" if dice.random() < 1.0 / (1.0 + 10.0 ** (-lead / 400.0)) else "W+R"
        made.append(Game(f"p{black}", f"p{white}", result, date=FIRST + timedelta(days=number // 4), komi=6.5))
    return made


def test_an_advantage_that_is_there_is_learned_and_better() -> None:
    answer = tune(Ledger.of(games_with(120.0, 1200)), system("elo"), ADVANTAGE)
    (learned,) = answer.learned
    assert learned.low <= 120.0 <= learned.high
    assert learned.low > 0.0
    assert answer.verdict == "better"
    assert answer.log_loss < answer.usual_log_loss
    assert answer.scored == 400


def test_coins_teach_nothing() -> None:
    # the true advantage is 0, the value before: what is chosen otherwise can only lose
    answer = tune(Ledger.of(games_with(0.0, 600, coin=True)), system("elo"), ADVANTAGE)
    assert answer.verdict in {APART, "worse"}
    assert answer.learned[0].low == 0.0


def test_no_choice_knows_a_game_that_it_is_scored_on() -> None:
    games = games_with(60.0, 600)
    first = tune(Ledger.of(games), system("elo"), {**ADVANTAGE, "k": (5.0, 10.0, 20.0, 40.0)})
    flip = {"B+R": "W+R", "W+R": "B+R"}
    for number, choice in enumerate(first.choices):
        assert choice.day is not None
        changed = [
            replace(game, result=flip[str(game.result)]) if game.date.moment.date() >= choice.day else game  # type: ignore[union-attr]
            for game in games
        ]
        again = tune(Ledger.of(changed), system("elo"), {**ADVANTAGE, "k": (5.0, 10.0, 20.0, 40.0)})
        assert again.choices[: number + 1] == first.choices[: number + 1]
    assert [choice.games for choice in first.choices] == sorted({choice.games for choice in first.choices})


def test_a_setting_that_is_none_before_can_be_tuned() -> None:
    answer = tune(Ledger.of(games_with(0.0, 120)), system("handan"), {"deviation": (100.0, 200.0)})
    assert answer.learned[0].default is None
    assert answer.learned[0].value in {100.0, 200.0}


@pytest.mark.parametrize(
    ("name", "over", "words"),
    [
        ("whr", None, "solves all games together"),
        ("sagc", None, "no law"),
        ("elo", {"kk": (1.0, 2.0)}, "no setting"),
        ("elo", {"k": (1.0, -2.0)}, "k=-2"),
        ("elo", {"batch": (1.0, 2.0)}, "no measure"),
        ("egf", None, "name some with --over"),
    ],
)
def test_what_cannot_be_tuned_is_refused_by_name(
    name: str, over: dict[str, tuple[float, ...]] | None, words: str
) -> None:
    with pytest.raises(HandanError, match=words):
        tune(Ledger.of(games_with(0.0, 60)), system(name), over)


@pytest.mark.parametrize(
    "name", [name for name in SYSTEMS if SYSTEMS[name]().has_odds and not SYSTEMS[name].traits.whole]
)
def test_what_is_tuned_or_proposed_is_a_measure_of_the_system_on_its_own_scale(name: str) -> None:
    ledger = Ledger.of(games_with(0.0, 60))
    try:
        names = [each.name for each in tune(ledger, system(name)).learned]
    except HandanError as error:
        example = str(error).partition("--over ")[2]
        assert example or name in {"egf", "aga", "accelrat"}  # whose only measure is a start that is none
        if example:
            tune(ledger, system(name), {each: values[:2] for each, values in ranges([example]).items()})
        return
    fields = settings_of(SYSTEMS[name])
    assert all(fields[each][1].unit.startswith("Elo") for each in names)  # the usual values are in Elo


def test_too_few_games_are_refused() -> None:
    with pytest.raises(HandanError, match="too few"):
        tune(Ledger.of(games_with(0.0, 20)), system("elo"))


def test_ranges_are_read() -> None:
    assert ranges(["stone=10,20", "k"])["stone"] == (10.0, 20.0)
    assert values_between(0.0, 80.0) == (0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0)
    assert values_between(1.0, 256.0) == (1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0)
    for text in ("stone", "stone=", "stone=x..3", "stone=3..1", "stone=nan..2", "stone=4"):
        with pytest.raises(HandanError, match=r"stone|range"):
            ranges([text])


def test_the_command_writes_what_is_better_and_the_next_command_takes_it(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    handan.write(Ledger.of(games_with(120.0, 1200)), file)
    (tmp_path / "handan.toml").write_text('title = "Ours"  # kept\n', encoding="utf-8")
    answer = run("tune", file, "--system", "elo", "--over", "advantage=0..160", "--write")
    assert answer.status == 0, answer.err
    assert "tuned settings are better than those before" in answer.out
    written = tomllib.loads((tmp_path / "handan.toml").read_text(encoding="utf-8"))
    assert written["system"] == "elo"
    assert written["title"] == "Ours"
    assert 60.0 <= written["settings"]["advantage"] <= 160.0
    rated = run("rate", file, "--format", "json")
    assert rated.json["settings"]["advantage"] == written["settings"]["advantage"]
    assert run("tune", file, "--system", "glicko", "--over", "advantage=0..160", "--write").status == 2


def test_the_command_writes_nothing_that_is_not_better(tmp_path: Path) -> None:
    file = tmp_path / "games.csv"
    handan.write(Ledger.of(games_with(0.0, 200, coin=True)), file)
    answer = run("tune", file, "--system", "elo", "--over", "advantage=0..20", "--write")
    assert answer.status == 0
    assert "left as it is" in answer.err
    assert not (tmp_path / "handan.toml").exists()
    assert run("tune", file, "--system", "elo", "--format", "json").json["verdict"]
