"""The table that is written: games, byes, and ranks and ratings set by hand, which have tables of their own as well.

Between games such a row has one player on both sides and the kind `adjustment`, as on the sheets of the South African
clubs, where an opponent of the player's own name marks an adjustment.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from handan.errors import FieldError, InputError
from handan.files.cells.ranked_names import ranked
from handan.files.games.unnamed_events import is_one_event
from handan.ledger import Adjustment, Bye, Ledger, When
from handan.ledger.columns import SCHEMA
from handan.ledger.facts import COLUMNS, READERS, REQUIRED, read_deviation, read_rating
from handan.ranks import RANK_EXPECTED, Rank

KIND = "adjustment"
"""What a row between games says in the column `kind`."""
FIGURES = ("rank", "rating", "deviation", "at_least")
"""Columns of such a row that games have not."""
ROW = ("date", "player", "note", *FIGURES)
"""What is read of an adjustment."""
ALWAYS = ("date", *REQUIRED)
WORDS_OF_BYES = {
    Bye.ALLOCATED: "bye", Bye.FULL_POINT: "free point", Bye.HALF_POINT: "half bye", Bye.ZERO_POINT: "absent",
}  # fmt: skip
"""What stands in the place of an opponent."""
ROW_BETWEEN = ("kind", "notes", "entry")
"""Columns of games in which a rank set by hand says something too."""
YES, NO = ("yes", "true", "1"), ("", "no", "false", "0")


def adjustment_of(row: Mapping[str, str]) -> Adjustment:
    """Return the adjustment of the cells named in `ROW`; FieldError for the first one that cannot be used."""
    if not row["player"]:
        raise FieldError("player", "", "the name of a player")
    if not row["rank"] and not row["rating"]:
        raise FieldError("rank", "", "filled in, and neither is the rating; one of them is needed")
    if row["at_least"].lower() not in YES + NO:
        raise FieldError("at_least", row["at_least"], "yes or no")
    return Adjustment(
        player=row["player"],
        rank=_rank(row["rank"]),
        rating=read_rating(row["rating"]),
        date=When.of(row["date"]),
        note=row["note"],
        at_least=row["at_least"].lower() in YES,
        deviation=read_deviation(row["deviation"]),
    )


def _rank(cell: str) -> Rank | None:
    try:
        return Rank.parse(cell) if cell else None
    except InputError as error:
        raise FieldError("rank", cell, RANK_EXPECTED) from error


def written_table(ledger: Ledger, *, byes: bool = False) -> pl.DataFrame:
    """Return the games of a ledger and, behind them, its byes if wanted and adjustments, in the columns they need.

    `precision` comes last. Date, black, white and result are always there; others where some game says something;
    `entry` where games share date, event and round, so that the rows may be shuffled; ranks too where names end with
    some, so that these stay in the names, and events where rounds would be taken for those of one.
    """
    games = ledger.games.with_columns(pl.col("black", "white").cast(pl.String))
    games = _with_byes(games, ledger) if byes else games
    kept = ("black_rank", "white_rank") if ranked([*{*games["black"].unique(), *games["white"].unique()}]) else ()
    defaults: dict[str, Any] = {name: READERS[name]("") for name in COLUMNS if name not in ALWAYS} | {"entry": 1}
    differs = games.select(
        pl.col(name).ne_missing(pl.lit(value, SCHEMA[name])).any() for name, value in defaults.items()
    )
    of_rounds = ("event",) if is_one_event([ledger.games]) else ()
    by_hand = (*ROW_BETWEEN, *FIGURES) if ledger.adjustments else ()
    names = [name for name in COLUMNS if name in (*ALWAYS, *kept, *of_rounds, *by_hand) or differs[name].item()]
    figures = [name for name in FIGURES if name in by_hand]
    return _with_adjustments(games, ledger).select(*names, *figures, "precision")


def with_dates_as_text(table: pl.DataFrame) -> pl.DataFrame:
    """Return such a table without `precision`, its dates as text, each as long as what is known."""
    dates = pl.col("date").dt.strftime("%Y-%m-%d %H:%M:%S").str.slice(0, pl.col("precision"))
    return table.with_columns(dates).drop("precision")


def _with_byes(games: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """Return the typed games of a ledger, and behind them its byes: a word for each kind in the place of White."""
    rows = [
        {
            "date": event.first.moment if event.first else None,
            "precision": event.first.precision if event.first else 0,
            "black": each.player.name, "white": WORDS_OF_BYES[bye], "result": bye.symbol, "kind": event.kind,
            "event": event.name, "round": number, "black_rank": each.rank, "black_id": each.player.id, "entry": 1,
        }
        for event in ledger.events for each in event.participants for number, bye in each.byes
    ]  # fmt: skip
    if not rows:
        return games
    defaults = {name: pl.lit(READERS[name](""), SCHEMA[name]) for name in COLUMNS if name not in {*ALWAYS, *rows[0]}}
    byes = pl.DataFrame(
        rows, schema={name: SCHEMA[name] for name in rows[0]} | {"black": pl.String, "white": pl.String}
    )
    return pl.concat([games, byes.with_columns(**defaults)], how="diagonal_relaxed")


def _with_adjustments(games: pl.DataFrame, ledger: Ledger) -> pl.DataFrame:
    """Return the typed games of a ledger, and behind them its adjustments as such rows, with `FIGURES`."""
    if not ledger.adjustments:
        return games
    ids = {player.name: player.id for player in ledger.players} if "black_id" in games.columns else {}
    rows = [
        {
            "date": item.date.moment if item.date else None,  # type: ignore[union-attr]  # read by Adjustment
            "precision": item.date.precision if item.date else 0,  # type: ignore[union-attr]
            **dict.fromkeys(("black", "white"), item.player),
            **dict.fromkeys(("black_id", "white_id"), ids.get(item.player, "")),
            "kind": KIND,
            "notes": item.note.strip(),
            "entry": place,
            "rank": str(item.rank or ""),
            "rating": item.rating,
            "deviation": item.deviation,
            "at_least": "yes" if item.at_least else "",
        }
        for place, item in enumerate(ledger.adjustments)
    ]
    figures = {"rank": pl.String(), "rating": pl.Float64(), "deviation": pl.Float64(), "at_least": pl.String()}
    schema = {name: dtype for name, dtype in (SCHEMA | figures).items() if name in rows[0]}
    return pl.concat([games, pl.DataFrame(rows, schema=schema)], how="diagonal_relaxed")
