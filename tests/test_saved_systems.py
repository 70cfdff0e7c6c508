"""A replay that goes on from what an earlier one left behind gives the bits of the replay of everything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import numpy as np
import pytest

from handan.kernels.types import Ints
from handan.ledger import Adjustment, Game, Ledger, When
from handan.ranks import Rank
from handan.ratings import Ratings
from handan.systems import SYSTEMS
from handan.systems.core.batches import batch_boundaries, thin_out
from handan.systems.core.replay_state import initial_state, state_after
from handan.systems.core.sequential import Sequential
from tests.test_causality import BY_GAME, BY_PERIOD, START, both_readings, games_of

pytestmark = pytest.mark.extended

CASES = [case for case in both_readings([*BY_GAME, *BY_PERIOD]) if isinstance(case.values[0], Sequential)]


def club(seed: int) -> Ledger:
    """Return a club with events, ties on a day, late ranks, newcomers half way, and ranks set by hand."""
    rng = np.random.default_rng(seed)
    games = games_of(seed, 150, START, "abcdefgh")
    games += games_of(seed + 1, 60, START + timedelta(days=30), "abcdefghij")  # i and j join
    games = [replace(game, event=_event(game, int(rng.integers(3)))) for game in games]
    adjustments = [
        Adjustment("a", "3k"),
        Adjustment("b", "1d", date=START + timedelta(days=17), note="by hand"),
        Adjustment("i", "5k", date=START + timedelta(days=3)),
        Adjustment("c", None, 150.0, date=START + timedelta(days=40)),
        Adjustment("d", "2d", date=START + timedelta(days=400), at_least=True),
    ]
    return Ledger.of(games, adjustments)


def _event(game: Game, number: int) -> str:
    """Return one of three events that last ten days each, and in every second ten days none."""
    half = (When.parse(str(game.date)).moment.date() - START).days // 10
    return f"Open {number} of {half}" if game.event and half % 2 else ""


def parts(ledger: Ledger, cuts: Ints) -> Iterator[tuple[Ledger, int]]:
    """Yield the games between cuts with the adjustments from each cut on, and the place of the first."""
    for first, end in pairwise([0, *cuts.tolist(), len(ledger)]):
        last = end == len(ledger)
        items = [item for item in ledger.adjustments if last or ledger.arrays.position(item) < end]
        yield Ledger(ledger.arrays.between(first, end), tuple(items)), first


def in_parts(system: Sequential, ledger: Ledger, cuts: Ints) -> list[Ratings]:
    """Return the ratings of the parts of a ledger, each from what the one before left behind."""
    past, answers = initial_state(len(ledger.players)), []
    for part, first in parts(ledger, cuts):
        entered = {player.name for player, old in zip(ledger.players, past.entered.tolist(), strict=True) if old}
        items = [
            item for item in part.adjustments if not (item.player in entered and ledger.arrays.position(item) < first)
        ]
        answers.append(system.rate_after(past if first else None, replace(part, adjustments=tuple(items))))
        past = state_after(answers[-1], past)
    return answers


@pytest.mark.parametrize("system", CASES)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_replay_in_parts_is_the_replay_of_everything(system: Sequential, seed: int) -> None:
    ledger, rng = club(seed), np.random.default_rng(seed)
    whole = system.rate(ledger)
    cuts = batch_boundaries(ledger, system.together)
    assert len(cuts)
    chosen = np.sort(rng.choice(cuts, min(len(cuts), 4), replace=False))
    answers = in_parts(system, ledger, chosen)
    for name in ("before", "change", "unrated"):
        rows = np.concatenate([getattr(part.arrays, name) for part in answers])
        np.testing.assert_array_equal(rows, getattr(whole.arrays, name))
    np.testing.assert_array_equal(np.concatenate([part.arrays.after for part in answers]), whole.arrays.after)
    np.testing.assert_array_equal(answers[-1].rating[whole.arrays.pool >= 0], whole.rating[whole.arrays.pool >= 0])
    adjusted = [(item.player, item.before, item.after) for part in answers for item in part.arrays.adjusted]
    assert sorted(adjusted) == sorted((item.player, item.before, item.after) for item in whole.arrays.adjusted)
    for name in ("deviation", "rank_number"):
        values = getattr(whole.arrays, name)
        if values is not None:
            np.testing.assert_array_equal(getattr(answers[-1].arrays, name), values)


def test_every_system_that_replays_goes_on_but_for_the_one_whose_games_teach_it() -> None:
    replaying = {name for name, kind in SYSTEMS.items() if not kind.traits.whole}
    assert {name for name, kind in SYSTEMS.items() if issubclass(kind, Sequential)} == replaying - {"handan"}


def test_a_cut_parts_no_event_and_no_period() -> None:
    ledger = club(3)
    event, day = ledger.arrays.event, ledger.arrays.day
    for place in batch_boundaries(ledger, "event").tolist():
        assert not set(event[:place]) & set(event[place:])
    for place in batch_boundaries(ledger, "month").tolist():
        months = day.astype("datetime64[D]").astype("datetime64[M]")
        assert months[place - 1] < months[place]


def test_few_cuts_reach_everywhere() -> None:
    depths = np.arange(1, 100_001)
    kept = depths[thin_out(depths)]
    assert len(kept) < 12
    assert kept[0] == 1
    assert (kept[1:] <= 4 * kept[:-1]).all()
    assert kept[-1] == 100_000


@pytest.mark.parametrize("name", ["elo", "egf", "glicko", "dgs", "ogs", "trueskill"])
def test_who_comes_later_does_not_say_how_somebody_entered(name: str) -> None:
    rules = SYSTEMS[name]()
    games = [
        Game("a", "b", "B+", date="2026-01-01"),
        Game("c", "b", "B+", date="2026-01-02", white_rank="3k"),  # the first rank of b comes late; c enters by it
    ]
    before = rules.rate(Ledger.of(games))
    after = rules.rate(Ledger.of([*games, Game("d", "a", "B+", date="2026-01-03", black_rank="1d")]))
    assert before.arrays.before[1, 0] == after.arrays.before[1, 0] == rules.rating_for(Rank.parse("3k"))
