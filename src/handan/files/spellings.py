"""Names that differ in capitals or joiners alone, as where one column of a sheet is in capitals: they count apart.

Joiners are characters that nobody sees by themselves; one person types them in a Persian name, another leaves them out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from handan.errors import Clause, Problem
from handan.files.aliases import Decision
from handan.files.games.parsed import Reading
from handan.ledger import Ledger
from handan.words import JOINERS

MOST_NAMED = 3  # our choice: pairs that a warning names
SIDES = ("black", "white")

Groups = Mapping[str, Sequence[str]]
"""Names that are one in small letters and without joiners, by that one."""


def spelt_alike(ledger: Ledger, decisions: Iterable[Decision], source: str) -> list[Problem]:
    """Return a warning if players of a ledger have names that differ in capitals or joiners alone; at most one.

    Players with an id, those who met over the board and those about whom a person decided are left out.

    Args:
        ledger: Made of the files.
        decisions: About who is who.
        source: Name for the report.
    """
    names = pl.Series(ledger.names, dtype=pl.String)
    plain = _plain(names)
    if plain.n_unique() == len(plain):
        return []
    places = plain.is_duplicated().arg_true().to_list()
    at = {names[place]: place for place in places if not ledger.players[place].id}
    groups = _grouped(list(at)) if at else {}
    if not groups:
        return []
    number = np.full(len(names), -1)
    keys = list(groups)
    for key, same in enumerate(groups.values()):
        number[[at[name] for name in same]] = key
    of_black = number[ledger.black]
    met = {keys[key] for key in set(of_black[(of_black >= 0) & (of_black == number[ledger.white])].tolist())}
    return _warning(groups, met, decisions, source)


def spelt_alike_in(games: pl.DataFrame, source: str) -> list[Problem]:
    """Return the same warning about the games table of one file."""
    seats = pl.concat([games.select(name=pl.col(side).cast(pl.String), id=f"{side}_id") for side in SIDES]).unique()
    groups = _grouped(seats.group_by("name").agg(pl.col("id").max()).filter(pl.col("id") == "")["name"].to_list())
    if not groups:
        return []
    black, white = (_plain(games[side].cast(pl.String)) for side in SIDES)
    return _warning(groups, set(black.filter(black == white).to_list()), (), source)


def with_spellings(reading: Reading) -> Reading:
    """Return what became of a file with that warning."""
    contents = reading.contents
    more = [] if contents is None else spelt_alike_in(contents.games, reading.source)
    if contents is None or not more:
        return reading
    return replace(reading, contents=replace(contents, problems=[*contents.problems, *more]))


def _grouped(names: Sequence[str]) -> Groups:
    """Return the names of which there are several spellings."""
    table = pl.DataFrame({"name": pl.Series(names, dtype=pl.String)}).unique()
    table = table.with_columns(small=_plain(table["name"])).filter(pl.col("small").is_duplicated())
    groups = table.sort("name").group_by("small", maintain_order=True).agg("name")
    return dict(groups.iter_rows())


def _plain(names: pl.Series) -> pl.Series:
    """Return names in small letters and without joiners."""
    joined = names.str.contains(f"[{JOINERS}]").any()
    return (names.str.replace_all(f"[{JOINERS}]", "") if joined else names).str.to_lowercase()


def _marked(name: str) -> str:
    """Return a name with its joiners as something that can be seen."""
    return "".join(f"<U+{ord(char):04X}>" if char in JOINERS else char for char in name)


def _warning(groups: Groups, met: Collection[str], decisions: Iterable[Decision], source: str) -> list[Problem]:
    """Return the warning about the groups that are left, none if there are none."""
    decided = {frozenset((decision.player, decision.other)) for decision in decisions}
    alike = [same for key, same in groups.items() if key not in met and frozenset(same) not in decided]
    if not alike:
        return []
    first = ", ".join(" and ".join(map(_marked, same)) for same in alike[:MOST_NAMED])
    more = f" and {len(alike) - MOST_NAMED:,} more" if len(alike) > MOST_NAMED else ""
    by = (
        "capitals or joiners"
        if any(char in name for same in alike for name in same for char in JOINERS)
        else "capitals"
    )
    text = Clause.of(
        f"names that differ in {by} alone count as different players: {{names}}{{hint}}",
        names=first + more,
        hint=" (handan players --merge-candidates proposes whom to merge)",
    )
    return [Problem(source, None, "", text, "", rejected=False, message=text)]
