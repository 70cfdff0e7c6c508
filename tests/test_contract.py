"""What every system promises, checked on every system, in plain and in compiled form."""

from __future__ import annotations

import copy
import json
import math
import pickle
from dataclasses import asdict, replace
from datetime import date
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from handan.errors import SettingError
from handan.ledger import Adjustment, Game, Ledger
from handan.ratings import Ratings
from handan.systems import SYSTEMS, System
from handan.systems.core.settings import settings_of
from tests.clubs import NAMES, a_club, games_of_a_club
from tests.test_causality import BY_GAME, BY_PERIOD, a_past_and_future, both_readings

UNEVEN = {
    "aga": "the source's even game has no fair half-point komi: 7.66 points",
    "accelrat": "its fair komi is 5",
    "dgs": "13 points of komi are a stone, and epsilon is taken from the stronger side",
    "ogs": "its fair komi is 6, or 7 under area rules",
    "kgs": "its fair komi is a reconstruction",
}
"""Systems for which an even game at 6.5 is not fair by their own law."""
SOON_COMPILED = set(SYSTEMS) - {"accelrat", "aga", "bradley-terry", "decayed", "handan", "igs", "kgs", "whr"}
"""Systems whose loops the compiler makes in a second, and not in ten or fifty."""
LATER = pytest.mark.extended
BOTH_FORMS = [
    *(pytest.param(SYSTEMS[name](), id=name, marks=() if name in SOON_COMPILED else LATER) for name in SYSTEMS),
    *(pytest.param(*case.values, id=case.id, marks=LATER) for case in both_readings([*BY_GAME, *BY_PERIOD])),
]


@pytest.fixture(params=sorted(SYSTEMS))
def system(request: pytest.FixtureRequest) -> System:
    return SYSTEMS[request.param]()


def by_name(ratings: Ratings) -> dict[str, float]:
    return {player.name: float(ratings.rating[i]) for i, player in enumerate(ratings.ledger.players)}


def same(one: dict[str, float], other: dict[str, float]) -> None:
    assert one.keys() == other.keys()
    np.testing.assert_allclose(
        [one[name] for name in sorted(one)], [other[name] for name in sorted(one)], rtol=1e-6, atol=1e-6
    )


@pytest.mark.parametrize("rules", BOTH_FORMS)
def test_plain_and_compiled_agree(rules: System, monkeypatch: pytest.MonkeyPatch) -> None:
    long = a_club() if rules.name in SOON_COMPILED else a_club(games=40)  # whose plain loops take seconds
    for ledger in (long, a_past_and_future(3, date(2024, 4, 1)), Ledger.of([])):
        answers = []
        for form in ("plain", "compiled"):
            monkeypatch.setenv("HANDAN_KERNELS", form)
            answers.append(rules.rate(ledger).arrays)
        for name in ("rating", "before", "change", "after"):
            one, other = (getattr(answer, name) for answer in answers)
            if rules.traits.whole or rules.label in {"aga", "accelrat"}:  # a solver's last digits
                np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
            else:
                np.testing.assert_array_equal(one, other)


def test_input_order_changes_nothing(system: System) -> None:
    games = games_of_a_club()
    shuffled = [games[place] for place in np.random.default_rng(3).permutation(len(games))]
    one, other = system.rate(Ledger.of(games)), system.rate(Ledger.of(shuffled))
    assert one.rating.tobytes() == other.rating.tobytes()
    assert one.arrays.change.tobytes() == other.arrays.change.tobytes()
    assert one.table().equals(other.table())


def test_relabelling_players_changes_nothing(system: System) -> None:
    renamed = {name: f"{chr(ord('z') - i)}-{name}" for i, name in enumerate(NAMES)}  # the other way round in the order
    games = games_of_a_club()
    swapped = [replace(game, black=renamed[game.black], white=renamed[game.white]) for game in games]
    other = by_name(system.rate(Ledger.of(swapped)))
    same({renamed[name]: value for name, value in by_name(system.rate(Ledger.of(games))).items()}, other)


def test_swapping_colours_of_even_games_changes_nothing(system: System) -> None:
    if system.name in UNEVEN:
        pytest.skip(UNEVEN[system.name])
    mirror = {"B+R": "W+R", "W+2.5": "B+2.5", "W+F": "B+F"}
    games = [game for game in games_of_a_club(handicaps=False) if str(game.result) != "jigo"]
    swapped = [
        replace(
            game, black=game.white, white=game.black, result=mirror.get(str(game.result), game.result),
            black_rank=game.white_rank, white_rank=game.black_rank,
        )
        for game in games
    ]  # fmt: skip
    same(by_name(system.rate(Ledger.of(games))), by_name(system.rate(Ledger.of(swapped))))


def test_factors_combine_to_the_change_recorded(system: System) -> None:
    ratings = system.rate(a_club())
    lines = [line for name in NAMES for line in ratings.explain(name)]
    assert len(lines) > 200
    for line in lines:
        assert line.reason.value == pytest.approx(line.change, rel=1e-9, abs=1e-7)
        assert all(math.isfinite(value) for value in (line.before, line.change, line.after))
        for factor in line.reason.factors:
            check_parts(factor)


def check_parts(factor: Any) -> None:
    if factor.parts:
        values = [part.value for part in factor.parts]
        combined = math.prod(values) if factor.combine == "product" else math.fsum(values)
        assert combined == pytest.approx(factor.value, rel=1e-9, abs=1e-9)
        for part in factor.parts:
            check_parts(part)


def test_every_line_begins_where_the_last_one_ended(system: System) -> None:
    ratings = system.rate(a_club())
    for name in NAMES:
        lines = ratings.explain(name, reasons=False)
        for one, following in pairwise(lines):
            assert following.before == pytest.approx(one.after, rel=1e-9, abs=1e-7), (name, one, following)
        assert lines[-1].after == pytest.approx(float(ratings.rating[ratings.ledger.find(name)]), rel=1e-9, abs=1e-7)


def test_the_list_as_of_a_day_equals_a_ledger_that_ends_there(system: System) -> None:
    games = games_of_a_club()
    day = date(2025, 1, 30)
    early = [game for game in games if game.date and game.date.moment.date() <= day]  # type: ignore[union-attr]
    assert 20 < len(early) < len(games)
    cut = system.rate(Ledger.of(games).as_of(day))
    same(by_name(cut), by_name(system.rate(Ledger.of(early))))


def test_an_empty_ledger_gives_an_empty_table(system: System) -> None:
    ratings = system.rate(Ledger.of([]))
    assert ratings.table().height == 0
    assert (ratings.rated, ratings.arrays.pools) == (0, 0)


def test_a_member_without_games_stands_in_the_table(system: System) -> None:
    table = system.rate(Ledger.of([], [Adjustment("Ada", "5k", None, None, "entry")])).table()
    assert table["player"].to_list() == ["Ada"]
    assert table["games"].to_list() == [0]


def test_one_game_lifts_the_winner_above_the_loser(system: System) -> None:
    game = Game("Ada", "Bo", "B+R", date="2025-03-01", komi=6.5, black_rank="5k", white_rank="5k", kind="tournament")
    ratings = system.rate(Ledger.of([game]))
    assert ratings.rating[0] > ratings.rating[1]
    assert ratings.table()["player"].to_list() == ["Ada", "Bo"]


def test_a_player_who_wins_all_games_stands_first(system: System) -> None:
    games = [
        Game("Ada", NAMES[1 + i % 3], "B+R", date=date(2025, 1, 1 + i), komi=6.5, black_rank="9k", white_rank="9k")
        for i in range(24)
    ]
    ratings = system.rate(Ledger.of(games))
    assert np.isfinite(ratings.rating).all()
    assert ratings.table()["player"][0] == "Ada"


def test_groups_that_never_met_are_reported(system: System) -> None:
    games = [
        Game(one, other, result, date=date(2025, 1, day), komi=6.5, black_rank="9k", white_rank="9k")
        for day, (one, other, result) in enumerate(
            [
                ("Ada", "Bo", "B+"),
                ("Bo", "Ada", "B+"),
                ("Eun", "Femi", "W+"),
                ("Eun", "Femi", "B+"),
                ("Ada", "Bo", "B+"),
            ],
            1,
        )
    ]
    ratings = system.rate(Ledger.of(games))
    assert ratings.arrays.pools == 2
    assert any("cannot be compared" in warning for warning in ratings.warnings)
    assert np.isfinite(ratings.rating).all()


def test_chances_of_both_sides_add_up_to_one(system: System) -> None:
    ratings = system.rate(a_club())
    chance = ratings.win_probability("Ada", "Lien", 0, 6.5)
    if chance is None:
        pytest.skip(f"{system.name} has no law of chances")
    assert 0 < chance < 1
    learns_first_move = getattr(system, "advantage", 0.0) is None
    if system.name not in UNEVEN and not learns_first_move:
        other = ratings.win_probability("Lien", "Ada", 0, 6.5)
        assert other is not None
        assert chance + other == pytest.approx(1, abs=1e-12)


def test_a_stone_helps_black(system: System) -> None:
    ratings = system.rate(a_club())
    chances = [ratings.win_probability("Ada", "Lien", stones, 0.5) for stones in (2, 3, 6)]
    if None in chances:
        pytest.skip(f"{system.name} has no law of chances")
    assert chances == sorted(chances, key=lambda chance: chance or 0.0)
    assert chances[0] != chances[2]


def test_fair_terms_give_the_stronger_player_white(system: System) -> None:
    ratings = system.rate(a_club())
    order = ratings.table()["player"].to_list()
    terms = ratings.fair_terms(order[0], order[-1])
    assert terms.colours == "nigiri" or terms.white == order[0]
    assert terms == ratings.fair_terms(order[-1], order[0]) or terms.colours == "nigiri"
    assert terms.text


def test_systems_and_ratings_can_be_pickled_and_copied(system: System) -> None:
    ratings = system.rate(a_club(games=30))
    for twin in (pickle.loads(pickle.dumps(ratings)), copy.deepcopy(ratings)):
        assert twin.table().equals(ratings.table())
        assert twin.system == system


def test_settings_survive_json(system: System) -> None:
    assert type(system)(**json.loads(json.dumps(asdict(system)))) == system


def test_settings_survive_the_command_line(system: System) -> None:
    texts = {name: str(value) for name, value in asdict(system).items() if value is not None}
    assert type(system).configured(texts) == system


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_absurd_constants_are_refused_by_name(name: str) -> None:
    for key, (_, bounds) in settings_of(SYSTEMS[name]).items():
        absurd: list[Any] = [float("nan"), float("inf"), -float("inf"), "absurd", [], 1e300, -1e300]
        if bounds.kind is str and not bounds.choices:
            absurd = [1.5, []]
        for value in absurd:
            with pytest.raises(SettingError, match=key):
                SYSTEMS[name](**{key: value})
    with pytest.raises(SettingError, match="no setting"):
        SYSTEMS[name].configured({"nonsense": "1"})


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_every_number_has_bounds_and_every_setting_a_text(name: str) -> None:
    for key, (_, bounds) in settings_of(SYSTEMS[name]).items():
        assert bounds.text, key
        if bounds.kind in {int, float}:
            assert bounds.low is not None, key
            assert bounds.high is not None, key


def test_a_higher_rating_is_never_a_weaker_rank(system: System) -> None:
    """So the ranks of a whole ladder follow from those of a few of its players (`ladder.written_ranks`)."""
    ratings = np.concatenate([np.linspace(-3000, 6000, 1801), np.linspace(-60, 60, 961), np.linspace(1.0, 2.0, 101)])
    gap = {"aga": 1.0, "accelrat": 100.0}.get(system.name, 0.0)  # the scale of the AGA is open about 0
    ratings = ratings[np.abs(ratings) >= gap]
    texts = [str(system.rank(float(rating)) or "") for rating in np.sort(ratings)]
    spans = [text for place, text in enumerate(texts) if not place or texts[place - 1] != text]
    assert len(spans) == len(set(spans))


def test_the_ranks_of_a_ladder_are_those_of_its_players(system: System) -> None:
    ratings = system.rate(a_club())
    expected = [str(ratings.arrays.rank_of(player) or "") for player in range(len(ratings.rating))]
    assert ratings.arrays.rank_texts == expected
