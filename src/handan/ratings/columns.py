"""The columns of the tables that ratings give."""

import polars as pl

FORECASTS = {"game": pl.Int64, "probability": pl.Float64}
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
