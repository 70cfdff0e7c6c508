"""A rating system with the face of scikit-learn's classifiers, for its cross-validation, searches and pipelines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.errors import InputError, counted, shown
from handan.files import read
from handan.files.tables.frames import to_polars
from handan.kernels.types import Floats, Ints
from handan.ledger import Ledger
from handan.ledger.results import OF_SCORE
from handan.ratings import Ratings
from handan.ratings.predictions import columns_of
from handan.shortcuts import rate
from handan.systems import System

if TYPE_CHECKING:
    from handan.typed import SystemName

PARAMETERS = ("system", "settings")
TERMS = ("black", "white", "handicap", "komi")


class Forecaster:
    """A rating system that learns from games and forecasts others.

    It has what scikit-learn asks of a classifier, so that its `clone`, `cross_val_score` and `GridSearchCV` take it;
    scikit-learn itself is not needed. Rows are games; each fold must be later than the games that it is forecast
    from, as `TimeSeriesSplit` makes them, since a forecast may not know the future.
    """

    ratings_: Ratings
    """The ratings after the games of `fit`."""
    classes_: Ints
    """0, White wins, and 1, Black wins: the columns of `predict_proba`."""
    _estimator_type = "classifier"

    def __init__(self, system: SystemName | System = "glicko2", settings: Mapping[str, Any] | None = None) -> None:
        """Name a system that gives winning chances, and settings of it, as `handan.rate` takes them."""
        self.system: str | System = system
        self.settings = settings

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002, FBT001, FBT002  # its signature there
        """Return what the forecaster was made with."""
        return {name: getattr(self, name) for name in PARAMETERS}

    def set_params(self, **parameters: Any) -> Self:
        """Set `system` or `settings`; InputError for any other name."""
        for name, value in parameters.items():
            if name not in PARAMETERS:
                raise InputError(f"Forecaster has no parameter {shown(name)}; it has {' and '.join(PARAMETERS)}")
            setattr(self, name, value)
        return self

    def fit(self, games: Any, target: Iterable[Any] | None = None) -> Self:
        """Learn from games.

        Args:
            games: A ledger, or a frame or table in columns, as `handan.read` takes it.
            target: Black's score of each game (1, 0.5, 0) or its result (`B+R`), shape (games,), if the games do not
                hold it themselves.

        Raises:
            InputError: A row cannot be read, or the system has no law of winning.
        """
        at_hand = isinstance(games, Ledger) and target is None
        ledger = games if at_hand else read(_with_results(games, target), strict=True)
        self.ratings_ = rate(ledger, self.system, **dict(self.settings or {}))
        self.classes_ = np.array([0, 1])
        return self

    def predict_proba(self, games: Any) -> Floats:
        """Return the chances of White and of Black in each game, shape (games, 2); players may be strangers.

        Raises:
            InputError: It has not learned yet, a row names no two players, or the system has no law of winning.
        """
        if not hasattr(self, "ratings_"):
            raise InputError("the forecaster knows no games yet; fit it first")
        black = self.ratings_.predict(_terms(games), strangers="allow")["probability"]
        if black.null_count():
            raise InputError(f"{self.system} gives no winning chances; choose another system")
        chance = black.to_numpy()
        return np.column_stack([1.0 - chance, chance])

    def predict(self, games: Any) -> Ints:
        """Return who is more likely to win each game, shape (games,): 1 Black, 0 White."""
        return (self.predict_proba(games)[:, 1] >= 0.5).astype(np.int64)

    def score(self, games: Any, target: Iterable[Any] | None = None) -> float:
        """Return the share of decided games whose winner was forecast; `neg_log_loss` says more."""
        scores = _scores(games, target)
        decided = (scores == 0.0) | (scores == 1.0)
        return float(np.mean(self.predict(games)[decided] == scores[decided]))

    def __repr__(self) -> str:
        """As it is made."""
        return f"Forecaster(system={self.system!r}, settings={self.settings!r})"

    def __sklearn_tags__(self) -> Any:
        """Return what scikit-learn wants to know; only scikit-learn calls it."""
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        target, table = TargetTags(required=False), InputTags(two_d_array=False, string=True)
        return Tags("classifier", target, classifier_tags=ClassifierTags(multi_class=False), input_tags=table)


def _frame(games: Any) -> pl.DataFrame:
    """Return games as a frame."""
    if isinstance(games, Ledger):
        return games.games.with_columns(pl.col("black", "white").cast(pl.String))
    return pl.DataFrame(columns_of(games)) if isinstance(games, Mapping) else to_polars(games)


def _with_results(games: Any, target: Iterable[Any] | None) -> pl.DataFrame:
    """Return games with their results."""
    frame = _frame(games)
    if target is None:
        return frame
    results = [_result(value) for value in target]
    if len(results) != frame.height:
        raise InputError(
            f"{counted(frame.height, 'game')} and {counted(len(results), 'result')} are given; give one for each game"
        )
    return frame.with_columns(pl.Series("result", results, dtype=pl.String))


def _result(value: Any) -> str:
    if isinstance(value, str):
        return value
    score = None if value is None else float(value)
    if score not in OF_SCORE:
        raise InputError(f"{value} is no result of Black; 1 is a win, 0.5 a draw, 0 a loss")
    return OF_SCORE[score]


def _terms(games: Any) -> pl.DataFrame:
    frame = _frame(games)
    return frame.select(name for name in TERMS if name in frame.columns)


def _scores(games: Any, target: Iterable[Any] | None) -> NDArray[np.float64]:
    """Return Black's score in each game, NaN where it is not known."""
    results = _with_results(games, target)
    if "result" not in results.columns:
        raise InputError("the games have no column result; give their results")
    column = results["result"].cast(pl.String)
    black, white = column.str.starts_with("B+"), column.str.starts_with("W+")
    return np.where(black.to_numpy(), 1.0, np.where(white.to_numpy(), 0.0, np.nan))
