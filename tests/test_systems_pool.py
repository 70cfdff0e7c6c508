"""IGS and KGS have one answer: that of dense linear algebra, whatever players are called and rows are ordered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from handan.files import read
from handan.ledger import Adjustment, Game, Ledger
from handan.ranks import Rank
from handan.ratings import Ratings
from handan.systems.igs import IGS
from handan.systems.kgs import KGS
from tests.conftest import examples
from tests.naive import fitted as slow

pytestmark = pytest.mark.extended

DAY = date(2024, 1, 1)
LEDGERS = examples(50)
MIRROR = {"P1+": "P2+", "P2+": "P1+", "P=": "P="}


@pytest.fixture(autouse=True)
def kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", "plain")


def by_name(ratings: Ratings) -> dict[str, float]:
    return {player.name: float(ratings.rating[place]) for place, player in enumerate(ratings.ledger.players)}


def a_ledger(seed: int) -> tuple[list[Game], list[Adjustment]]:
    """Return a small ledger with entries far apart and near, by rank, by hand and none, and results of every kind."""
    rng = np.random.default_rng(seed)
    names = [
        f"{chr(65 + int(letter))}{place}" for place, letter in enumerate(rng.integers(26, size=rng.integers(2, 7)))
    ]
    middle, spread = rng.uniform(8, 35), rng.choice([0.5, 3, 12])
    ranks, entries = {}, []
    for name in names:
        level = middle + spread * rng.normal()
        way = rng.integers(4)
        ranks[name] = str(Rank.at(float(np.clip(level, 1, 39)))) if way == 0 else ""
        if way == 1:
            entries.append(Adjustment(name, rating=float(np.round(np.clip(level, -5, 45), rng.integers(3)))))
        if way == 2 and rng.random() < 0.5:
            entries.append(Adjustment(name, rank=str(Rank.at(float(np.clip(level, 1, 39))))))
    results = ("B+R", "W+R", "B+R", "W+R", "jigo", "P1+", "P2+", "P=")
    games = []
    for _ in range(rng.integers(1, 16)):
        black, white = (names[place] for place in rng.permutation(len(names))[:2])
        handicap = int(rng.choice([0, 0, 0, 1, 2, 4, 5, 9]))
        games.append(
            Game(
                black, white, str(rng.choice(results)), date=DAY + timedelta(days=int(rng.integers(0, 200))),
                handicap=handicap, komi=(None, 0.5, 6.5, 5.5, -3.5)[rng.integers(5)],
                black_rank=ranks[black], white_rank=ranks[white],
            )
        )  # fmt: skip
    return games, entries


def renamed(
    games: Sequence[Game], entries: Sequence[Adjustment], seed: int
) -> tuple[list[Game], list[Adjustment], dict[str, str]]:
    """Return the ledger under other names, rows shuffled, columns swapped where colours are unknown."""
    rng = np.random.default_rng(seed + 10_000_000)
    names = sorted({name for game in games for name in (game.black, game.white)} | {item.player for item in entries})
    other = {
        name: f"{chr(97 + int(place))}{name}" for name, place in zip(names, rng.permutation(len(names)), strict=True)
    }
    twins = []
    for game in games:
        twin = replace(game, black=other[game.black], white=other[game.white])
        if str(game.result) in MIRROR:
            twin = replace(
                twin, black=twin.white, white=twin.black, result=MIRROR[str(game.result)],
                black_rank=game.white_rank, white_rank=game.black_rank,
            )  # fmt: skip
        twins.append(twin)
    return (
        [twins[place] for place in rng.permutation(len(twins))],
        [replace(item, player=other[item.player]) for item in entries],
        other,
    )


def results_of(ratings: Ratings, komi_per_stone: float, *, kgs: bool) -> list[slow.Result]:
    """Return the rated games as the slow twin reads them."""
    taken = [ratings.ledger[int(game)] for game in ratings.arrays.sequence]
    last = max(game.date.moment for game in taken)  # type: ignore[union-attr]
    results = []
    for game in taken:
        komi = (0.5 if game.handicap else 6.5) if game.komi is None else game.komi
        worth = max(game.handicap - 1, 0) + (6.5 - komi) / komi_per_stone
        if kgs and game.handicap:
            worth = game.handicap - 0.5 + (0.5 - komi) / komi_per_stone
        score = {"B+R": 1.0, "W+R": 0.0, "P1+": 1.0, "P2+": 0.0}.get(str(game.result), 0.5)
        age = float((last - game.date.moment).days)  # type: ignore[union-attr]
        unknown = str(game.result) in MIRROR
        results.append(slow.Result(game.black, game.white, score, 0.0 if unknown else worth, age))
    return results


def entries_of(system: IGS | KGS, games: Sequence[Game], entries: Sequence[Adjustment]) -> dict[str, float]:
    """Return the entry rating of everybody: by hand, else by the declared rank, else that of a newcomer."""
    anchors = {}
    for game in games:
        for name, rank in ((game.black, game.black_rank), (game.white, game.white_rank)):
            anchors[name] = system.rating_for(Rank.parse(str(rank))) if rank else system.start
    for item in entries:
        if item.rank is not None:
            anchors[item.player] = system.rating_for(item.rank)  # type: ignore[arg-type]
        if item.rating is not None:
            anchors[item.player] = item.rating
    return anchors


def settled(ratings: Ratings) -> bool:
    return not any("settle" in warning for warning in ratings.warnings)


@pytest.mark.parametrize("system", [IGS(), KGS()], ids=lambda system: system.name)
def test_names_and_order_do_not_matter_and_the_answer_is_that_of_dense_algebra(system: IGS | KGS) -> None:
    compared = 0
    for seed in range(LEDGERS):
        games, entries = a_ledger(seed)
        ratings = system.rate(Ledger.of(games, entries))
        own = by_name(ratings)
        twin_games, twin_entries, other = renamed(games, entries, seed)
        twin = by_name(system.rate(Ledger.of(twin_games, twin_entries)))
        assert twin == pytest.approx({other[name]: value for name, value in own.items()}, abs=1e-7), seed
        for player in ratings.ledger.players:
            lines = [line for line in ratings.explain(player.name) if not line.note]
            assert not lines or lines[-1].after == pytest.approx(own[player.name], abs=1e-6), seed
        if len(ratings.arrays.sequence) == 0:
            continue
        anchors = entries_of(system, games, entries)
        if system.name == "igs":
            exact = slow.rate_pandanet(results_of(ratings, 12.0, kgs=False), anchors)
        else:
            circling = slow.rate_kgs(results_of(ratings, 13.0, kgs=True), anchors)
            assert (circling is not None) == settled(ratings), seed
            exact = circling or {}
        assert settled(ratings) or not exact
        assert {name: own[name] for name in exact} == pytest.approx(exact, abs=1e-6), seed
        compared += len(exact)
    assert compared > 3 * LEDGERS


IGS_LEDGER = "date,black,white,result,handicap,komi\n2024-01-20,A,B,W+R,4,0.5\n"
KGS_LEDGER = (
    "date,black,white,result,handicap,komi,black_rank,white_rank\n2024-01-13,A,B,B+R,5,0.5,,2k\n"
    "2024-02-15,B,A,B+R,0,6.5,2k,\n2024-04-15,A,B,B+R,0,6.5,,2k\n"
)


@pytest.mark.parametrize("name", ["A", "Z"])
def test_one_game_at_four_stones_has_its_exact_answer_on_igs(tmp_path: Path, name: str) -> None:
    # dense Newton; symmetric about the entry rating of newcomers, 15
    path = tmp_path / "games.csv"
    path.write_text(IGS_LEDGER.replace(",A,", f",{name},"))
    ratings = IGS().rate(read(path))
    assert by_name(ratings) == pytest.approx({"B": 16.85673802, name: 13.14326198}, abs=1e-8)
    assert settled(ratings)


def test_three_games_have_one_answer_on_kgs_whatever_players_are_called(tmp_path: Path) -> None:
    path, answers = tmp_path / "games.csv", []
    for name in "AZ":
        path.write_text(KGS_LEDGER.replace(",A,", f",{name},"))
        ratings = KGS().rate(read(path))
        answers.append({"A": ratings.standing(name).rating, "B": ratings.standing("B").rating})
        assert settled(ratings)
    assert answers[0] == pytest.approx(answers[1], abs=1e-9)
    games = [
        slow.Result("A", "B", 1.0, 4.5, 93.0),
        slow.Result("B", "A", 1.0, 0.0, 60.0),
        slow.Result("A", "B", 1.0, 0.0, 0.0),
    ]
    assert answers[0] == pytest.approx(slow.rate_kgs(games, {"A": 11.5, "B": 29.5}), abs=1e-8)


@pytest.mark.parametrize(("one", "other", "games", "won"), [(33.0, 30.0, 1000, 700), (40.0, 2.0, 10, 5)])
@pytest.mark.parametrize("system", [IGS(), KGS()], ids=lambda system: system.name)
def test_entries_far_apart_and_many_games_are_solved_exactly(
    system: IGS | KGS, one: float, other: float, games: int, won: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", "compiled")
    rows = [Game("A", "B", "B+" if place < won else "W+", date=DAY, komi=6.5) for place in range(games)]
    ratings = system.rate(Ledger.of(rows, [Adjustment("A", rating=one), Adjustment("B", rating=other)]))
    results = [slow.Result("A", "B", float(place < won), 0.0, 0.0) for place in range(games)]
    twin = slow.rate_pandanet if system.name == "igs" else slow.rate_kgs
    assert by_name(ratings) == pytest.approx(twin(results, {"A": one, "B": other}), abs=1e-7)
    assert settled(ratings)


def test_equal_results_between_far_entries_end_in_the_middle() -> None:
    # by symmetry, and 0.1 apart since the better entry still pulls
    rows = [Game("A", "B", "B+" if place % 2 else "W+", date=DAY, komi=6.5) for place in range(10)]
    ratings = IGS().rate(Ledger.of(rows, [Adjustment("A", rating=40.0), Adjustment("B", rating=2.0)]))
    assert by_name(ratings)["A"] + by_name(ratings)["B"] == pytest.approx(42.0, abs=1e-8)


@pytest.mark.parametrize("system", [IGS(), KGS()], ids=lambda system: system.name)
def test_entries_so_far_apart_that_nothing_tells_the_rating_are_warned_of(system: IGS | KGS) -> None:
    # a rating of another scale, set by hand: 735 ranks from the entry the prior's pull differs from a constant by less
    # than the last digit of any number
    rows = [Game("A", "B", "B+" if place % 2 else "W+", date=DAY, komi=6.5) for place in range(10)]
    ratings = system.rate(Ledger.of(rows, [Adjustment("A", rating=1500.0), Adjustment("B", rating=30.0)]))
    assert np.isfinite(ratings.rating).all()
    assert not settled(ratings)
    assert not ratings.notes


def test_a_chain_of_winners_and_a_star_are_solved_to_the_last_digits() -> None:
    chain = [Game(f"P{place:03d}", f"P{place + 1:03d}", "B+R", date=DAY, komi=6.5) for place in range(50)]
    star = [Game(f"S{place:03d}", "centre", "W+R", date=DAY, komi=6.5) for place in range(50)]
    for system, twin in ((IGS(), slow.rate_pandanet), (KGS(), slow.rate_kgs)):
        ratings = system.rate(Ledger.of(chain + star))
        exact = twin(results_of(ratings, 12.0, kgs=False), dict.fromkeys(by_name(ratings), system.start))
        assert by_name(ratings) == pytest.approx(exact, abs=1e-8)
        assert settled(ratings)


CIRCLE, NEVER = 138, 188
"""Seeds of `a_ledger` whose rounds on KGS circle where players follow all the way, and at every pace."""


def test_rounds_that_circle_settle_where_players_follow_half_the_way() -> None:
    games, entries = a_ledger(CIRCLE)
    system = KGS()
    ratings = system.rate(Ledger.of(games, entries))
    results, anchors = results_of(ratings, 13.0, kgs=True), entries_of(system, games, entries)
    start = {name: anchors[name] for name in slow.players_of(results)}
    assert len(slow.circle_of_kgs(results, anchors, start, 1.0)) == 2
    own = by_name(ratings)
    again = slow.kgs_round(results, anchors, own)  # ratings that stand: their own kappa and weights lead to them
    assert {name: own[name] for name in again} == pytest.approx(again, abs=1e-7)
    assert settled(ratings)


def test_rounds_that_circle_at_every_pace_keep_the_higher_posterior_and_say_so() -> None:
    games, entries = a_ledger(NEVER)
    system = KGS()
    ratings = system.rate(Ledger.of(games, entries))
    assert any("2 answers up to" in warning for warning in ratings.warnings)
    results, anchors = results_of(ratings, 13.0, kgs=True), entries_of(system, games, entries)
    start = {name: anchors[name] for name in slow.players_of(results)}
    answers = slow.circle_of_kgs(results, anchors, start, 1.0)
    best = max(answers, key=lambda answer: slow.log_posterior_of_kgs(results, anchors, answer))
    own = by_name(ratings)
    assert {name: own[name] for name in best} == pytest.approx(best, abs=1e-7)
    for name in own:
        lines = [line for line in ratings.explain(name) if not line.note]
        assert not lines or lines[-1].after == pytest.approx(own[name], abs=1e-6)


def test_columns_of_results_without_colours_do_not_decide_which_games_are_rated() -> None:
    # a handicap has no side where nobody is known to be Black
    games = [Game("A", "B", "P1+", date=DAY, handicap=4, black_rank="3k", white_rank="1d")]
    swapped = [Game("B", "A", "P2+", date=DAY, handicap=4, black_rank="1d", white_rank="3k")]
    assert IGS().rate(Ledger.of(games)).rated == IGS().rate(Ledger.of(swapped)).rated == 1


@pytest.mark.parametrize("system", [IGS(), KGS()], ids=lambda system: system.name)
def test_plain_and_compiled_solvers_give_the_same_bits(system: IGS | KGS, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(20):
        ledger, answers = Ledger.of(*a_ledger(seed)), []
        for form in ("plain", "compiled"):
            monkeypatch.setenv("HANDAN_KERNELS", form)
            answers.append(system.rate(ledger))
        assert answers[0].rating.tobytes() == answers[1].rating.tobytes(), seed
        assert answers[0].arrays.change.tobytes() == answers[1].arrays.change.tobytes(), seed
        assert answers[0].notes == answers[1].notes


def test_an_entry_far_off_the_scale_ends_with_a_warning_and_not_never() -> None:
    """A rating of another scale by mistake: beyond any rank the posterior is flat, and rounds find no way."""
    rows = [
        ("A", "B", "P=", "2020-05-03", 0, "", "5d"), ("A", "C", "P1+", "2020-07-02", 6.5, "20k", "5d"),
        ("D", "E", "P1+", "2020-07-14", 0, "2k", "2k"), ("C", "B", "W+R", "2020-04-03", 5.5, "", ""),
        ("E", "A", "B+R", "2020-11-03", None, "5d", ""), ("B", "D", "B+R", "2020-12-07", 0.5, "5d", ""),
        ("B", "D", "P=", "2020-04-23", -5.5, "", ""), ("C", "B", "B+R", "2020-10-10", 0.5, "", ""),
    ]  # fmt: skip
    games = [Game(b, w, r, date=day, komi=komi, black_rank=br, white_rank=wr) for b, w, r, day, komi, br, wr in rows]
    ratings = KGS().rate(Ledger.of(games, [Adjustment("D", None, 500.0, None, "", at_least=True)]))
    assert any("not settled" in warning for warning in ratings.warnings)
