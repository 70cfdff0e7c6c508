"""Exports of registers and servers: the European and American databases, the Online Go Server, and pairs with days.

They are tables of text with a header of their own; each column is turned into the project's own at once, and the
project's table does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import polars as pl

from handan.errors import Clause, Problem
from handan.files.games.columns import in_order, read_columns
from handan.files.games.contents import Contents
from handan.files.games.format import Format
from handan.files.io.cells import read_cells
from handan.files.io.damaged_text import is_utf8
from handan.files.io.header import plain_name, unread_columns
from handan.files.io.options import Options

EGD = ("tournament_code", "game_date", "round", "pin_1", "color_1", "pin_2", "color_2", "handicap", "result")
AGAGD = ("game_date", "pin_player_1", "color_1", "pin_player_2", "result")
AGAGD_BESIDES = ("tournament_code", "round", "rank_1", "rank_2", "handicap", "komi", "exclude", "rated")
"""Columns of which an export may lack some."""
OGS = ("id", "ladder", "tournament", "width", "handicap", "komi", "black", "white", "outcome", "black_lost",
       "white_lost", "started", "ended")  # fmt: skip
NOT_READ = {
    "reconstructed_hp", "explicit_hp", "sgf_code", "elab_date", "game_id", "color_2", "online", "time_per_move",
    "params", "rules",
}  # fmt: skip
"""Columns of these exports that docs/formats/registers.md says are not read."""
PAIRS = ("player1", "player2", "result", "event", "days")
PAIR_ROW = r'^"?[^,"]+"?,"?[^,"]+"?,"?[01](\.0)?"?,[^,]*,"?-?\d+(\.0)?"?\s*$'
PAIR_ROWS = 50  # our choice: rows by which such a table is known
NAMES_OF_PAIRS = ",".join(PAIRS)
BY_PLACE = "the table has no headings; its columns are taken by their places: {names}"
TRUE = ("1", "t", "true", "yes", "y")
FALSE = ("0", "f", "false", "no", "n")
DAY, SECOND = 86_400, 1


LONGEST_HEADER = 4_000  # bytes; our choice: no export has so many columns


def sniffed(names: Sequence[str], among: int) -> Callable[[bytes], bool]:
    """Return whether a file begins with a header that holds the first `among` of these names."""

    def sniff(head: bytes) -> bool:
        return set(names[:among]) <= set(_header(head))

    return sniff


def _header(head: bytes) -> tuple[str, ...]:
    """Return the names in the first line of a file."""
    line = head[:LONGEST_HEADER].decode("utf-8", "replace").lstrip("\ufeff").partition("\n")[0]
    delimiter = next((mark for mark in "\t;" if mark in line), ",")
    return tuple(plain_name(cell.strip().strip('"')) for cell in line.split(delimiter))


def _read(
    data: bytes, source: str, options: Options, names: Sequence[str], made: Callable[[pl.DataFrame], pl.DataFrame],
    shift: int = 0, besides: Sequence[str] = (),
) -> Contents:  # fmt: skip
    """Read a table of text whose columns `made` turns into those of the project's own table.

    Columns of `besides` that are not there are empty; one warning names others.
    """
    columns = tuple(dict.fromkeys([*names, *_header(data)]))
    cells = read_cells(data, source, options, columns, [names])
    text = cells.text.with_columns(pl.all().fill_null("").str.strip_chars())
    text = made(text.with_columns(pl.lit("").alias(name) for name in besides if name not in text.columns))
    table, problems = read_columns(text, source, cells.lines - shift)
    others = [name for name in _header(data) if name not in {*names, *besides, *NOT_READ}]
    return Contents(table, in_order(cells.problems + problems + unread_columns(others, source, 1)))


def _latin(data: bytes, options: Options) -> Options:
    """Return the options for text that is UTF-8, or else Latin-1."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return options if options.encoding or is_utf8(data) else replace(options, encoding="latin-1")
    return options


def _sides(one: str, other: str, colour: str) -> list[pl.Expr]:
    """Return black and white of two columns, the first of which holds the colour named; unknown: as they stand."""
    turned = pl.col(colour).str.to_lowercase().str.starts_with("w")
    return [
        pl.when(turned).then(pl.col(other)).otherwise(pl.col(one)),
        pl.when(turned).then(pl.col(one)).otherwise(pl.col(other)),
    ]


def _of_pins(one: str, other: str, register: str) -> dict[str, pl.Expr]:
    """Return names and ids of both sides; a register's number is all that is known of a player."""
    black, white = _sides(one, other, "color_1")
    return {
        "black": black, "white": white,
        "black_id": pl.lit(f"{register}:") + black, "white_id": pl.lit(f"{register}:") + white,
    }  # fmt: skip


def _egd(text: pl.DataFrame) -> pl.DataFrame:
    """Result: b, w (the colour that won), 1, 2 (the player), =; no komi is told."""
    result, colour = pl.col("result").str.to_lowercase(), pl.col("color_1").str.to_lowercase().str.slice(0, 1)
    coloured = colour.is_in(["b", "w"])
    first_won = result == "1"
    black_won = (result == "b") | (first_won & (colour == "b")) | ((result == "2") & (colour == "w"))
    spelled = (
        pl.when(result == "=").then(pl.when(coloured).then(pl.lit("jigo")).otherwise(pl.lit("P=")))
        .when(result.is_in(["1", "2"]) & ~coloured)
        .then(pl.when(first_won).then(pl.lit("P1+")).otherwise(pl.lit("P2+")))
        .when(result.is_in(["b", "w", "1", "2"]) & coloured)
        .then(pl.when(black_won).then(pl.lit("B+")).otherwise(pl.lit("W+")))
        .otherwise(pl.lit("the result ") + pl.col("result"))
    )  # fmt: skip
    handicap = pl.col("handicap")
    return text.select(
        date=pl.col("game_date"), result=spelled, handicap=handicap, kind=pl.lit("tournament"),
        komi=pl.when(handicap.is_in(["", "0"])).then(pl.lit("6.5")).otherwise(pl.lit("0.5")),
        event=pl.col("tournament_code"), round=pl.col("round"), **_of_pins("pin_1", "pin_2", "egd"),
    )  # fmt: skip


def _agagd(text: pl.DataFrame) -> pl.DataFrame:
    """Result: the colour that won; games that are excluded or not rated are kept as free games."""
    result = pl.col("result").str.to_uppercase().str.slice(0, 1)
    apart = pl.col("exclude").str.to_lowercase().is_in(TRUE) | pl.col("rated").str.to_lowercase().is_in(FALSE)
    ranks = dict(zip(("black_rank", "white_rank"), _sides("rank_1", "rank_2", "color_1"), strict=True))
    return text.select(
        date=pl.col("game_date"),
        result=pl.when(result.is_in(["B", "W"])).then(result + "+").otherwise(pl.lit("the result ") + pl.col("result")),
        handicap=pl.col("handicap"), komi=pl.col("komi"),
        kind=pl.when(apart).then(pl.lit("free")).otherwise(pl.lit("tournament")),
        notes=pl.when(apart).then(pl.lit("not rated by the AGA")).otherwise(pl.lit("")),
        event=pl.col("tournament_code"), round=pl.col("round"),
        **_of_pins("pin_player_1", "pin_player_2", "aga"), **ranks,
    )  # fmt: skip


def ogs_table(text: pl.DataFrame) -> pl.DataFrame:
    """Who lost stands for each side; the outcome says how."""
    lost = {side: pl.col(f"{side}_lost").str.to_lowercase().is_in(TRUE) for side in ("black", "white")}
    outcome = pl.col("outcome")
    points = outcome.str.extract(r"^\s*([0-9.]+)\s*points?", 1)
    how = (
        pl.when(outcome.str.to_lowercase() == "resignation").then(pl.lit("R"))
        .when(outcome.str.to_lowercase() == "timeout").then(pl.lit("T"))
        .when(points.is_not_null()).then(points)
        .otherwise(outcome.str.replace_all(r"[^A-Za-z]", ""))
    )  # fmt: skip
    result = (
        pl.when(outcome.str.to_lowercase().str.contains("annul|cancel")).then(pl.lit("void"))
        .when(lost["black"] & lost["white"]).then(pl.lit("both-lose"))
        .when(lost["white"]).then(pl.lit("B+") + how)
        .when(lost["black"]).then(pl.lit("W+") + how)
        .otherwise(pl.lit("?"))
    )  # fmt: skip
    none = ("", "0", "-1", "None", "null")
    ladder, tournament = (
        pl.when(pl.col(name).is_in(none)).then(pl.lit("")).otherwise(pl.lit(f"{name} ") + pl.col(name))
        for name in ("ladder", "tournament")
    )
    return text.select(
        date=_moment(pl.when(pl.col("ended") == "").then(pl.col("started")).otherwise(pl.col("ended")), SECOND),
        black=pl.col("black"), white=pl.col("white"), result=result,
        black_id=pl.lit("ogs:") + pl.col("black"), white_id=pl.lit("ogs:") + pl.col("white"),
        handicap=pl.col("handicap"), komi=pl.col("komi"), size=pl.col("width"), kind=pl.lit("server"),
        event=pl.when(tournament == "").then(ladder).otherwise(tournament),
    )  # fmt: skip


def _pairs(text: pl.DataFrame) -> pl.DataFrame:
    """Result 1: the first player won; the colours are unknown, the days count from 1970-01-01."""
    won = pl.col("result").str.strip_suffix(".0")
    return text.select(
        date=_moment(pl.col("days"), DAY), black=pl.col("player1"), white=pl.col("player2"), event=pl.col("event"),
        result=pl.when(won == "1").then(pl.lit("P1+")).when(won == "0").then(pl.lit("P2+"))
        .otherwise(pl.lit("the result ") + won),
    )  # fmt: skip


def _moment(cell: pl.Expr, unit: int) -> pl.Expr:
    """Return text of a date: a number counts units since 1970-01-01 UTC, other text is taken as it stands."""
    number = cell.cast(pl.Float64, strict=False)
    counted = pl.from_epoch((number * unit).cast(pl.Int64, strict=False), "s")
    written = counted.dt.strftime("%Y-%m-%d" if unit == DAY else "%Y-%m-%d %H:%M:%S")
    plausible = (number * unit).abs() < 4e10  # beyond the year 3200 no calendar of ours is meant
    plain = cell.str.replace(r"(\.\d+)?([+-]00:?00|Z)$", "")
    return pl.when(plausible).then(written).otherwise(plain)


def _sniff_pairs(head: bytes) -> bool:
    first = b"\n".join(head.split(b"\n", PAIR_ROWS + 1)[: PAIR_ROWS + 1])
    lines = first.decode("utf-8", "replace").lstrip("\ufeff").splitlines()
    if not lines:
        return False
    names = _header(head)
    if names[:2] == ("player1", "player2"):
        return len(names) == len(PAIRS)
    rows = [line for line in (lines[:-1] or lines) if line.strip()][:PAIR_ROWS]
    if not rows or any(line.count(",") != len(PAIRS) - 1 for line in rows):
        return False
    return bool(pl.Series(rows, dtype=pl.String).str.contains(PAIR_ROW).all())


def _read_pairs(data: bytes, source: str, options: Options) -> Contents:
    """Read pairs of players; the header may be missing, and its third name may be any."""
    titled = _header(data)[:2] == ("player1", "player2")
    body = data.partition(b"\n")[2] if titled else data.removeprefix(b"\xef\xbb\xbf")
    read = _read(NAMES_OF_PAIRS.encode() + b"\n" + body, source, options, PAIRS, _pairs, shift=0 if titled else 1)
    if titled:
        return read
    text = Clause.of(BY_PLACE, names=", ".join(PAIRS))
    return replace(read, problems=[Problem(source, 1, "", text, "", rejected=False, message=text), *read.problems])


EGD_DUMP = Format("EGD dump", sniffed(EGD, 7), lambda data, source, options: _read(data, source, options, EGD, _egd))
AGAGD_DUMP = Format(
    "AGAGD games",
    sniffed(AGAGD, len(AGAGD)),
    lambda data, source, options: _read(data, source, _latin(data, options), AGAGD, _agagd, besides=AGAGD_BESIDES),
)
OGS_EXPORT = Format(
    "OGS export", sniffed(OGS, len(OGS)), lambda data, source, options: _read(data, source, options, OGS, ogs_table)
)
PAIRS_TABLE = Format("pairs with days", _sniff_pairs, _read_pairs)
