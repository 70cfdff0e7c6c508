"""The objects that users handle show what users need, written out here: whoever adds a name decides to."""

from __future__ import annotations

import pytest

from handan import Ledger, Ratings
from handan.systems.core.base import System
from handan.systems.core.sequential import Sequential

FOR_USERS = {
    "configured", "fair_terms", "label", "log_odds", "name", "newcomer", "rank", "rank_held", "rate", "rating_for",
    "reason", "revision", "standing", "title", "traits", "win_interval", "win_probability",
}  # fmt: skip
FOR_SYSTEMS = {
    "calibration", "customary_komi", "difference", "expected", "forecasts", "game_weights", "has_odds",
    "leads", "leads_before", "offered", "onset", "rating_on", "refusals",
    "terms_by_rating", "terms_worth", "weaker", "winning_law", "worth_in_games",
}  # fmt: skip
"""What a system may say in its own way, and ratings ask."""
FOR_REPLAYS = {"list_after", "one_by_one", "rate_after", "stepping", "together"}
SHOWN: dict[type, set[str]] = {
    Ledger: {
        "adjustments", "arrays", "as_of", "events", "find", "from_table", "games", "get", "names", "newest",
        "of", "players", "problems", "saved", "warnings", "with_adjustments", "with_game",
        "without_game",
    },
    Ratings: {
        "arrays", "at", "calibration", "changes", "chart", "deviation", "event", "explain", "fair_terms", "forecasts",
        "histories", "history", "ledger", "notes", "on", "predict", "rated", "rating", "standing",
        "system", "table", "unrated_counts", "warnings", "win_interval", "win_probability",
    },
    System: FOR_USERS | FOR_SYSTEMS,
    Sequential: FOR_USERS | FOR_SYSTEMS | FOR_REPLAYS,
}  # fmt: skip
"""What systems and pages read of games stands in `Ledger.arrays`, what they say of them in `Ratings.arrays`."""


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: shown.__name__)
def test_an_object_shows_these_names_and_no_others(shown: type) -> None:
    fields = [name for kind in shown.__mro__ for name in vars(kind).get("__annotations__", ())]
    assert {name for name in (*dir(shown), *fields) if not name.startswith("_")} == SHOWN[shown]
