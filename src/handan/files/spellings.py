"""Names that differ in capitals or joiners alone, as where one column of a sheet is in capitals: they count apart.

Joiners are characters that nobody sees by themselves; one person types them in a Persian name, another leaves them out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from handan.errors import Clause, Problem
from handan.files.aliases import Decision
from handan.files.games.parsed import FILE, Reading, games_of
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


def with_spellings(readings: Sequence[Reading]) -> list[Reading]:
    """Return what became of files with that warning about each of them."""
    games = games_of(readings)
    seats = pl.concat([games.select(FILE, name=side, id=f"{side}_id") for side in SIDES])
    seats = seats.group_by(FILE, "name").agg(pl.col("id").max()).filter(pl.col("id") == "").sort(FILE, "name")
    alike = seats.with_columns(small=_plain(seats["name"]))
    alike = alike.filter(pl.struct(FILE, "small").is_duplicated()).group_by(FILE, "small").agg("name")
    groups: dict[int, dict[str, list[str]]] = defaultdict(dict)
    for file, small, names in alike.sort(FILE, "small").iter_rows():
        groups[file][small] = names
    result = list(readings)
    for file, own in groups.items():
        reading = readings[file]
        assert reading.contents is not None  # noqa: S101  # it has games
        black, white = (_plain(reading.contents.games[side].cast(pl.String)) for side in SIDES)
        more = _warning(own, set(black.filter(black == white).to_list()), (), reading.source)
        contents = replace(reading.contents, problems=[*reading.contents.problems, *more])
        result[file] = replace(reading, contents=contents)
    return result


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
