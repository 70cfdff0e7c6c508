"""Games of the Online Go Server as its interface for programs returns them: pages of games, as JSON.

Source: https://online-go.com/api/v1/players/N/games, and the ranks of the server's own program: a rating r is
ln(r / 525) · 23.15 on a scale on which 30 is 1 dan.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import polars as pl

from handan.errors import Clause, InputError, Problem, counted
from handan.files.formats.exports import OGS, ogs_table
from handan.files.games.columns import in_order, read_columns
from handan.files.games.contents import Contents
from handan.files.games.format import Format
from handan.files.io.json_text import json_values
from handan.files.io.options import Options
from handan.ranks import Rank

KEYS = (b'"black_lost"', b'"white_lost"', b'"outcome"')
DEEPEST = 3  # levels above a game: pages in an array, and the games of a page
SIDES = ("black", "white")
FIRST_DAN, FIRST_PRO = 30, 37  # on the server's scale
LOWEST, STEEPNESS = 525, 23.15  # of the law above
BESIDES = ("black_name", "white_name", "black_rank", "white_rank", "kind", "annulled")
"""What the server's export has not."""
DRAWS = ("draw", "tie", "jigo", "0 points")
"""Outcomes of games that nobody lost and that are drawn."""
ANNULLED_ONCE = "1 game was annulled at the server; kept as void, and not rated"
ANNULLED = "{number} games were annulled at the server; kept as void, and not rated"


def sniff(head: bytes) -> bool:
    """Return whether a file begins like JSON of the server's games."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") and all(key in head for key in KEYS)


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read the games of a page, of several, of one game a line, or of one game; InputError if there are none."""
    problems: list[Problem] = []
    rows: list[dict[str, str]] = []
    lines: list[int] = []
    unfinished = annulled = 0
    number = 0
    for value in json_values(data, source, options):
        for game in _games(value):
            number += 1
            options.limits.check("games", number, source)
            fault = _fault(game)
            if fault:
                problems.append(Problem(source, number, *fault))
            elif not game.get("ended") or not _text(game.get("outcome")):
                unfinished += 1
            else:
                annulled += game.get("annulled") is True
                rows.append(_row(game))
                lines.append(number)
    if not number:
        raise InputError(Clause.of("{source} holds no games of the Online Go Server", source=source))
    if annulled:
        message = Clause.of(ANNULLED_ONCE if annulled == 1 else ANNULLED, number=annulled)
        problems.append(
            Problem(source, None, "annulled", counted(annulled, "game"), "", rejected=False, message=message)
        )
    text = pl.DataFrame(rows, schema=dict.fromkeys((*OGS, *BESIDES), pl.String()))
    games, more = read_columns(_table(text), source, pl.Series(lines, dtype=pl.Int64))
    return Contents(games, in_order([*problems, *more]), unplayed=unfinished)


def _games(value: Any, depth: int = 0) -> Iterator[Mapping[str, Any]]:
    """Go through the games of a value."""
    if isinstance(value, Mapping) and "outcome" in value:
        yield value
    elif depth < DEEPEST:
        inner = value.get("results") if isinstance(value, Mapping) else value
        for each in inner if isinstance(inner, list) else []:
            yield from _games(each, depth + 1)


def _fault(game: Mapping[str, Any]) -> tuple[str, str, str] | None:
    """Return what of a game cannot be used, and what would be right; None if all can."""
    if game.get("rengo") is True:
        return "rengo", "true", "a game of two players; this one is of teams"
    if game.get("width") != game.get("height"):
        return "height", f"{game.get('width')}x{game.get('height')}", "a square board"
    for side in SIDES:
        if not _text(game.get(side)) and not _text(_player(game, side).get("id")):
            return side, "", "the number of a player"
    return None


def _row(game: Mapping[str, Any]) -> dict[str, str]:
    """Return the cells of a game, as the server's export has them and besides."""
    row = {name: _text(game.get(name)) for name in OGS}
    row |= {name: _day(row[name]) for name in ("started", "ended")}
    for side in SIDES:
        player = _player(game, side)
        row[side] = _text(game.get(side)) or _text(player.get("id"))
        row[f"{side}_name"] = _text(player.get("username")) or row[side]
        row[f"{side}_rank"] = _rank(game, side)
    row["kind"] = "free" if game.get("ranked") is False else "server"
    row["annulled"] = _text(game.get("annulled"))
    return row


def _player(game: Mapping[str, Any], side: str, among: str = "players") -> Mapping[str, Any]:
    """Return what stands of a player among the players, or the ratings of that day; empty if nothing does."""
    players = game.get(among)
    player = players.get(side) if isinstance(players, Mapping) else None
    return player if isinstance(player, Mapping) else {}


def _rank(game: Mapping[str, Any], side: str) -> str:
    """Return the rank that a player had at the game, or where the file does not say it, when the file was made."""
    then = _player(game, side, "historical_ratings")
    ratings = then.get("ratings")
    overall = ratings.get("overall") if isinstance(ratings, Mapping) else None
    rating = overall.get("rating") if isinstance(overall, Mapping) else None
    today = _player(game, side)
    place = today.get("ranking")
    if isinstance(rating, (int, float)) and not isinstance(rating, bool) and 0 < rating < math.inf:
        place = math.log(rating / LOWEST) * STEEPNESS
    if isinstance(place, bool) or not isinstance(place, (int, float)) or not math.isfinite(place):
        return ""
    if today.get("professional") and place >= FIRST_PRO:
        return str(Rank.pro(min(9, math.floor(place) - FIRST_PRO + 1)))
    if place < FIRST_DAN:
        return str(Rank.kyu(min(30, max(1, math.ceil(FIRST_DAN - place)))))
    return str(Rank.dan(min(9, math.floor(place) - FIRST_DAN + 1)))


def _table(text: pl.DataFrame) -> pl.DataFrame:
    """Return the columns of the project's own table."""
    outcome = pl.col("outcome").str.strip_chars().str.to_lowercase()
    drawn = outcome.is_in(DRAWS) & (pl.col("black_lost") == pl.col("white_lost"))
    return ogs_table(text).with_columns(
        text["kind"],
        text["black_rank"],
        text["white_rank"],
        text["black_name"].alias("black"),
        text["white_name"].alias("white"),
        result=pl.when(text["annulled"] == "true")
        .then(pl.lit("void"))
        .when(text.select(drawn).to_series())
        .then(pl.lit("jigo"))
        .otherwise(pl.col("result")),
    )


def _day(text: str) -> str:
    """Return a moment in UTC, as the server's export has it; other text as it stands."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    return f"{moment.astimezone(UTC) if moment.tzinfo else moment:%Y-%m-%d %H:%M:%S}"


def _text(value: Any) -> str:
    """Return a value as the server's export has it; empty where it is absent, or no text, number or truth."""
    if isinstance(value, bool):
        return str(value).lower()
    return str(value).strip() if isinstance(value, (str, int, float)) else ""


OGS_GAMES = Format("OGS games", sniff, read)
