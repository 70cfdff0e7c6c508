"""The objects that users handle show what users need, written out here: whoever adds a name decides to."""

from __future__ import annotations

import pytest

from handan import Ledger, Ratings

SHOWN: dict[type, set[str]] = {
    Ledger: {
        "adjustments", "among", "arrays", "as_of", "events", "find", "from_table", "games", "get", "names", "newest",
        "of", "part", "player_table", "players", "problems", "saved", "warnings", "with_adjustments", "with_game",
        "with_problems", "without_game",
    },
    Ratings: {
        "arrays", "at", "calibration", "changes", "chart", "deviation", "event", "explain", "fair_terms", "forecasts",
        "histories", "history", "ledger", "notes", "on", "pools", "predict", "rated", "rating", "rows", "standing",
        "system", "table", "unrated_counts", "warnings", "win_probability",
    },
}  # fmt: skip
"""What systems and pages read of games stands in `Ledger.arrays`, what they say of them in `Ratings.arrays`."""


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: shown.__name__)
def test_an_object_shows_these_names_and_no_others(shown: type) -> None:
    names = {name for name in dir(shown) if not name.startswith("_")} | set(shown.__annotations__)
    assert names == SHOWN[shown]
