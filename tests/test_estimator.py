"""The forecaster says what the ratings say, and does what scikit-learn asks of a classifier."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import polars as pl
import pytest

import handan
from handan.errors import InputError
from tests.conftest import ROOT

CLUB = ROOT / "examples" / "club" / "games.csv"


def club() -> pl.DataFrame:
    games = handan.read(CLUB).games.with_columns(pl.col("black", "white").cast(pl.String))
    return games.filter(pl.col("result").str.contains(r"^[BW]\+[^F]")).select(
        "date", "black", "white", "result", "handicap", "komi"
    )


def test_forecasts_are_those_of_the_ratings() -> None:
    games = club()
    past, later = games[:300], games[300:]
    forecaster = handan.Forecaster("elo", {"k": 24}).fit(past)
    ratings = handan.rate(handan.read(past), "elo", k=24)
    chances = forecaster.predict_proba(later)
    assert (
        chances[:, 1].tolist()
        == ratings.predict(later.drop("date", "result"), strangers="allow")["probability"].to_list()
    )
    assert (chances.sum(axis=1) == 1.0).all()
    assert forecaster.predict(later).tolist() == [int(chance >= 0.5) for chance in chances[:, 1]]
    won = later["result"].str.starts_with("B").to_numpy()
    assert forecaster.score(later) == np.mean(forecaster.predict(later) == won)
    assert handan.Forecaster("elo", {"k": 24}).fit(handan.read(past)).ratings_.table().equals(ratings.table())


@pytest.mark.parametrize("library", ["polars", "pandas", "columns", "scores"])
def test_games_and_results_come_in_any_form(library: str) -> None:
    games = club()
    terms, results = games.drop("result"), games["result"]
    score = results.str.starts_with("B").cast(pl.Int64)
    given: dict[str, tuple[Any, Any]] = {
        "polars": (terms, results),
        "pandas": (terms.to_pandas(), results.to_pandas()),
        "columns": (terms.to_dict(as_series=False), results.to_list()),
        "scores": (terms, score.to_numpy()),
    }
    fitted = handan.Forecaster("elo").fit(*given[library])
    assert (
        fitted.predict_proba(given[library][0]).tolist()
        == handan.Forecaster("elo").fit(games).predict_proba(games).tolist()
    )
    assert fitted.score(*given[library]) == handan.Forecaster("elo").fit(games).score(games)


def test_it_is_made_again_from_its_parameters() -> None:
    forecaster = handan.Forecaster("glicko2", settings={"tau": 0.6})
    twin = type(forecaster)(**copy.deepcopy(forecaster.get_params(deep=False)))
    assert twin.get_params() == forecaster.get_params() == {"system": "glicko2", "settings": {"tau": 0.6}}
    assert repr(twin.set_params(system="elo", settings=None)) == "Forecaster(system='elo', settings=None)"


def test_what_cannot_be_is_refused_in_words() -> None:
    games = {"black": ["Ada", "Bo"], "white": ["Bo", "Ada"]}
    with pytest.raises(InputError, match="has no parameter"):
        handan.Forecaster().set_params(sistem="elo")
    with pytest.raises(InputError, match="fit it first"):
        handan.Forecaster().predict_proba(games)
    with pytest.raises(InputError, match="2 games and 1 result"):
        handan.Forecaster().fit(games, [1])
    with pytest.raises(InputError, match="is no result of Black"):
        handan.Forecaster().fit(games, [1, 0.7])
    with pytest.raises(InputError, match="no winning chances"):
        handan.Forecaster("holigor").fit(games, [1, 0]).predict_proba(games)
    with pytest.raises(InputError, match="no column result"):
        handan.Forecaster("elo").fit(games, [1, 0]).score(games)


def test_scikit_learn_clones_it_and_validates_it_in_order_of_time() -> None:
    selection = pytest.importorskip("sklearn.model_selection")
    base = pytest.importorskip("sklearn.base")
    games = club()
    won = games["result"].str.starts_with("B").cast(pl.Int64).to_numpy()
    forecaster = base.clone(handan.Forecaster("elo", {"k": 24}))
    folds = selection.TimeSeriesSplit(3)
    losses = selection.cross_val_score(
        forecaster, games.drop("result").to_pandas(), won, cv=folds, scoring="neg_log_loss"
    )
    expected = []
    for past, later in folds.split(games):
        chance = handan.rate(handan.read(games[past]), "elo", k=24).predict(
            games[later].drop("date", "result"), strangers="allow"
        )["probability"]
        right = np.where(won[later] == 1, chance.to_numpy(), 1.0 - chance.to_numpy())
        expected.append(np.mean(np.log(right)))
    assert losses.tolist() == pytest.approx(expected, rel=1e-12)
    search = selection.GridSearchCV(forecaster, {"settings": [{"k": 1}, {"k": 24}]}, cv=folds, scoring="neg_log_loss")
    assert search.fit(games.drop("result").to_pandas(), won).best_params_ == {"settings": {"k": 24}}
