"""Lists of players with ranks and ratings, as programs of tournament directors read them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

import polars as pl

from handan.files.formats.h9 import ascii_name, ascii_text
from handan.files.games.contents import Entrant
from handan.files.io.csv_text import to_text
from handan.ranks import Rank
from handan.systems import system

CLUB_LETTERS, NAME_LETTERS, PIN_DIGITS = 4, 37, 8
"""Of a club, a name and a number in the European list, whose columns stand at fixed places."""
COLUMNS = ("name", "id", "country", "club", "rank", "rating", "deviation", "games", "last_played")


ORIGINS = {"egf": ("EGF", "egd:"), "egf-classic": ("EGF", "egd:"), "aga": ("AGA", "aga:"), "accelrat": ("AGA", "aga:")}
"""Whose scale the ratings of a system are on, and the register that goes with it."""


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player of a list."""

    entrant: Entrant
    games: int = 0
    last_played: str = ""
    """A day such as 2026-05-01; empty for none."""


def european_list(players: Iterable[ListedPlayer], day: date) -> tuple[str, int]:
    """Return a list as that of the European Go Database, which OpenGotha reads, and how many have no number of it.

    Ratings are on the European scale: where a player's is on another one, that of the rank. Names are ASCII and have
    37 letters at most, clubs four.
    """
    lines, left_out = ["<html><body>", f"({day:%d} {MONTHS[day.month - 1]} {day.year})", "<pre>"], 0
    scale = system("egf")
    for item in players:
        entrant = item.entrant
        number, rank = entrant.id.removeprefix("egd:"), Rank.parse(entrant.rank) if entrant.rank else None
        if number == entrant.id or not number.isdecimal() or len(number) > PIN_DIGITS or rank is None:
            left_out += 1
            continue
        own = entrant.rating if entrant.rating_origin == "EGF" else None
        rating = scale.rating_for(rank) if own is None else own
        club = "".join(c for c in ascii_text(entrant.club) if c.isalnum())[:CLUB_LETTERS] or "xxxx"
        country = entrant.country.upper() if len(entrant.country) == 2 and entrant.country.isascii() else "XX"
        code = f"T{(item.last_played or str(day))[2:10].replace('-', '')}A"
        name = ascii_name(*entrant.name.partition(" ")[::2])[:NAME_LETTERS]
        columns = (f" {number:0>8}  {name:<37}", f"{country}  {club:<4}{rank!s:>6}",
                   f"{'--':>5}{rating:>7.0f}{item.games:>6}  {code}")  # fmt: skip
        lines.append(f"{columns[0]} {columns[1]}{columns[2]}")
    return "\n".join([*lines, "</pre></body></html>"]) + "\n", left_out


def american_list(players: Iterable[ListedPlayer], day: date) -> tuple[str, int]:
    """Return a list as that of the American association for tournament directors, and how many have no number of it.

    Ratings are on the American scale: where a player's is on another one, that of the rank. A name of more than two
    words has a comma behind the first: OpenGotha drops the third word of one without.
    """
    lines, left_out = [], 0
    for item in players:
        entrant = item.entrant
        number, rank = entrant.id.removeprefix("aga:"), Rank.parse(entrant.rank) if entrant.rank else None
        own = entrant.rating if entrant.rating_origin == "AGA" else None
        if number == entrant.id or (own is None and rank is None):
            left_out += 1
            continue
        rating = system("aga").rating_for(rank) if own is None and rank is not None else own
        sigma = "" if own is None or entrant.deviation is None else f"{entrant.deviation:.5f}"
        last = item.last_played or str(day)
        first, _, given = entrant.name.partition(" ")
        name = f"{first}, {given}" if " " in given and "," not in entrant.name else entrant.name
        kind = "Full" if entrant.country in {"", "US"} else "Forgn"
        cells = (name, number, kind, f"{rating:.5f}", "", entrant.club, "", sigma, _american_day(last))
        lines.append("\t".join(" ".join(cell.split()) for cell in cells))
    return "".join(f"{line}\n" for line in lines), left_out


def table_of_list(players: Iterable[ListedPlayer], _: date) -> tuple[str, int]:
    """Return a list as a table that `read_players` reads again; nobody is left out."""
    rows = [
        (item.entrant.name, item.entrant.id, item.entrant.country, item.entrant.club, item.entrant.rank,
         item.entrant.rating, item.entrant.deviation, item.games, item.last_played)
        for item in players
    ]  # fmt: skip
    schema = dict.fromkeys(COLUMNS, pl.String()) | {
        "rating": pl.Float64(),
        "deviation": pl.Float64(),
        "games": pl.Int64(),
    }
    return to_text(pl.DataFrame(rows, schema=schema, orient="row")).decode(), 0


MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WRITERS: dict[str, Callable[[Iterable[ListedPlayer], date], tuple[str, int]]] = {
    "opengotha": european_list, "aga": american_list, "csv": table_of_list,
}  # fmt: skip
"""How a list is written for each program."""


def _american_day(day: str) -> str:
    year, month, number = (*day[:10].split("-"), "1", "1")[:3]
    return f"{int(month)}/{int(number)}/{year}"
