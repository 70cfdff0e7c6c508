"""The columns of the tables that ratings give."""

import polars as pl

FORECASTS = {
    "game": pl.Int64,
    "date": pl.String,
    "black": pl.String,
    "white": pl.String,
    "result": pl.String,
    "probability": pl.Float64,
}
TABLE = {
    "place": pl.Int64,
    "player": pl.String,
    "rating": pl.Float64,
    "deviation": pl.Float64,
    "rank": pl.String,
    "games": pl.Int64,
    "wins": pl.Int64,
    "losses": pl.Int64,
    "draws": pl.Int64,
    "last_played": pl.String,
    "pool": pl.Int64,
}
HISTORY = {
    "game": pl.Int64,
    "date": pl.String,
    "opponent": pl.String,
    "opponent_rank": pl.String,
    "colour": pl.String,
    "handicap": pl.Int64,
    "komi": pl.Float64,
    "result": pl.String,
    "winner": pl.String,
    "weight": pl.Float64,
    "before": pl.Float64,
    "change": pl.Float64,
    "after": pl.Float64,
    "rank_before": pl.String,
    "rank_after": pl.String,
    "note": pl.String,
    "comment": pl.String,
}
HISTORIES = {"player": pl.String, **HISTORY, "event": pl.String, "round": pl.Int64}
CHANGES = {
    "game": pl.Int64,
    "date": pl.String,
    "event": pl.String,
    "round": pl.Int64,
    "black": pl.String,
    "white": pl.String,
    "handicap": pl.Int64,
    "komi": pl.Float64,
    "result": pl.String,
    **{
        f"{side}_{part}": kind
        for side in ("black", "white")
        for part, kind in (
            ("before", pl.Float64),
            ("change", pl.Float64),
            ("after", pl.Float64),
            ("rank_before", pl.String),
            ("rank_after", pl.String),
        )
    },
}
EVENT = {
    "place": pl.Int64,
    "player": pl.String,
    "declared_rank": pl.String,
    "declared": pl.Float64,
    "declared_origin": pl.String,
    "rank_before": pl.String,
    "before": pl.Float64,
    "games": pl.Int64,
    "score": pl.Float64,
    "points": pl.Float64,
    "expected": pl.Float64,
    "change": pl.Float64,
    "apart": pl.Float64,
    "after": pl.Float64,
    "rank_after": pl.String,
    "rank_change": pl.Float64,
}
RESULTS = {
    "player": pl.String,
    "game": pl.Int64,
    "round": pl.Int64,
    "date": pl.String,
    "opponent": pl.String,
    "opponent_rank": pl.String,
    "colour": pl.String,
    "handicap": pl.Int64,
    "komi": pl.Float64,
    "result": pl.String,
    "score": pl.Float64,
    "expected": pl.Float64,
    "change": pl.Float64,
    "note": pl.String,
}
MOVEMENT = {
    "place_before": pl.Int64,
    "places_up": pl.Int64,
    "rank_before": pl.String,
    "rating_before": pl.Float64,
    "rating_change": pl.Float64,
}
