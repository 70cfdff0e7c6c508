"""Pools, bridges and the game that would tell most: each found in the slow way too."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from handan.evidence import World, simulate
from handan.evidence.pools import bridges, connections
from handan.kernels.connectivity import pools
from handan.ledger import Game, Ledger
from tests.command_line import games, run


@pytest.mark.parametrize("seed", range(8))
def test_bridges_are_the_pairs_whose_loss_makes_more_pools(seed: int) -> None:
    dice = np.random.default_rng(seed)
    pair = np.unique(np.sort(dice.integers(0, 18, (20, 2)), axis=1), axis=0)
    pair = pair[pair[:, 0] != pair[:, 1]]

    def parts(edges: np.ndarray) -> int:
        loops = np.concatenate((edges, np.stack((np.arange(18),) * 2, axis=1)))
        black, white = loops.astype(np.uint32).T
        return int(pools(black, white, 18).max())

    slow = {edge for edge in range(len(pair)) if parts(np.delete(pair, edge, axis=0)) > parts(pair)}
    assert {edge for edge, _ in bridges(pair, 18)} == slow


def test_two_triangles_hang_on_the_game_between_them() -> None:
    names = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "e"), ("e", "f"), ("f", "d"), ("c", "d")]
    answer = connections(Ledger.of([Game(one, other, "B+") for one, other in [*names, ("x", "y")]]))
    assert [(each.players, each.games) for each in answer.pools] == [(6, 7), (2, 1)]
    (bridge,) = answer.bridges
    assert (bridge.one, bridge.other, bridge.games, bridge.players) == ("c", "d", 1, 3)
    # the larger part, a ring of four, has the first names
    ring = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("x", "y"), ("y", "z"), ("z", "x"), ("d", "x")]
    for renamed in (dict[str, str](), {"x": "0", "y": "1", "z": "2"}):  # whichever part has the first names
        games_of = [Game(renamed.get(one, one), renamed.get(other, other), "B+") for one, other in ring]
        (bridge,) = connections(Ledger.of(games_of)).bridges
        assert (bridge.games, bridge.players) == (1, 3)
    tail = connections(Ledger.of([Game(one, other, "B+") for one, other in [*names[:3], ("c", "d"), ("d", "e")]]))
    assert [(each.one, each.other, each.players) for each in tail.bridges] == [("c", "d", 2)]  # e alone is no part
    # across the bridge, and between the pools
    assert answer.telling[0].gain == 1.0
    assert {answer.telling[1].one, answer.telling[1].other} & {"a", "b"}
    assert {answer.telling[1].one, answer.telling[1].other} & {"e", "f"}


def test_the_game_that_tells_most_takes_most_from_the_variances() -> None:
    ledger = simulate(World(players=12, games=40, days=60, newcomers=0.0, rare=0.0)).ledger
    answer = connections(ledger)
    count = len(ledger.players)

    def total(extra: tuple[int, int] | None) -> float:
        matrix = np.zeros((count, count))
        played = list(zip(ledger.arrays.black.tolist(), ledger.arrays.white.tolist(), strict=True)) + (
            [extra] if extra else []
        )
        for one, other in played:
            way = np.zeros(count)
            way[one], way[other] = 1.0, -1.0
            matrix += 0.25 * np.outer(way, way)
        return float(np.trace(np.linalg.pinv(matrix)))

    pairs = [(one, other) for one in range(count) for other in range(one)]
    best = min(pairs, key=total)
    assert {ledger.players[each].name for each in best} == {answer.telling[-1].one, answer.telling[-1].other}
    assert answer.telling[-1].gain == pytest.approx(1.0 - total(best) / total(None))


@pytest.mark.parametrize("size", range(4, 20, 2))
def test_of_pairs_that_tell_as_much_the_first_is_named(size: int) -> None:
    # all opposite pairs of a ring are alike
    names = [f"player {number:02}" for number in range(size)]
    ring = [Game(one, other, "B+") for one, other in zip(names, names[1:] + names[:1], strict=True)]
    (telling,) = connections(Ledger.of(ring)).telling
    assert (telling.one, telling.other) == (names[0], names[size // 2])


def test_the_command_lists_pools(tmp_path: Path) -> None:
    file = games(tmp_path / "games.csv", "2026-01-01,Ann,Bob,B+,,,", "2026-01-02,Cid,Dan,W+,,,")
    answer = run("pools", file)
    assert answer.status == 0
    assert "2 pools, 0 bridges" in answer.out
    assert "a game of Ann and Cid would join two pools" in answer.out
    assert len(run("pools", file, "--format", "json").json["pools"]) == 2
