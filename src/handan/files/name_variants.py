"""Names that differ only in capitals, joiners or the order of their words: they count apart, with a warning.

Capitals differ where one column of a sheet is in them, the order where some write `Lindqvist, Ada`.

Joiners are characters that nobody sees by themselves; one person types them in a Persian name, another leaves them out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from handan.colours import COLOURS
from handan.errors import Clause, Problem
from handan.files.aliases import Decision
from handan.files.games.contents import FILE, Reading, games_of
from handan.ledger import Ledger
from handan.ledger.players import field_of
from handan.words import JOINERS

ROUND = ("date", "event", "round")
MOST_NAMED = 3  # our choice: pairs that a warning names
MOST_COMPARED = 50_000  # our choice: names whose words are compared; more take longer than a hint is worth
OTHER_CAPITALS = "names that differ in capitals alone count as different players: {names}{hint}"
OTHER_JOINERS = "names that differ in capitals or joiners alone count as different players: {names}{hint}"
OTHER_ORDER = (
    "names of the same words in another order may be one person, and count as different players: {names}{hint}"
)
TWICE = (
    "players with two opponents in one round may be several people of one name, and count as one: {names} (an id, or a "
    "name of its own, tells them apart)"
)
FEW = 4  # our choice: one in so many players; where more play twice, a round is an evening
SMALL = pl.col("name").str.replace_all(f"[{JOINERS}]", "").str.to_lowercase()
"""A name in small letters and without joiners."""
WORDS = pl.col("name").str.to_lowercase().str.extract_all(r"[^\s,]+").list.sort().list.join(" ")
"""The words of a name in one order, without the comma behind a surname."""

Meetings = Callable[[Collection[str]], Iterable[tuple[str, str]]]
"""Returns Black and White of the games in which both are among some names."""


def spelt_alike(ledger: Ledger, decisions: Iterable[Decision], source: str) -> list[Problem]:
    """Return warnings if players of a ledger have names that differ in capitals, joiners or the order of words alone.

    Players with an id, those who met over the board and those about whom a person decided are left out. There is at
    most one warning of capitals, and one of order.
    """

    def meetings(names: Collection[str]) -> Iterable[tuple[str, str]]:
        wanted = np.zeros(len(ledger.names), dtype=np.bool_)
        wanted[[ledger.find(name) for name in names]] = True
        black, white = ledger.arrays.seats
        games = np.flatnonzero(wanted[black] & wanted[white])
        return {(ledger.names[one], ledger.names[other]) for one, other in zip(black[games], white[games], strict=True)}

    ids = field_of(ledger.players, "id")
    bare = [name for name, number in zip(ledger.names, ids, strict=True) if not number]
    arrays = ledger.arrays
    played = arrays.column("round").is_not_null().arg_true().to_numpy()
    seats = {side: own[played] for side, own in zip(COLOURS, arrays.seats, strict=True)}
    games = arrays.rows(played, ROUND).with_columns(**seats)
    twice = [ledger.names[player] for player in _twice_in_a_round(games)]
    return _warnings(bare, meetings, decisions, source, {*twice} & {*bare})


def with_spellings(readings: Sequence[Reading]) -> list[Reading]:
    """Return what became of files with those warnings about each of them."""
    games = games_of(readings)
    seats = pl.concat([games.select(FILE, name=side, id=f"{side}_id") for side in COLOURS])
    bare = seats.group_by(FILE, "name").agg(pl.col("id").max()).filter(pl.col("id") == "").sort(FILE, "name")
    result = list(readings)
    for file, names in bare.group_by(FILE, maintain_order=True).agg("name").iter_rows():
        contents = readings[file].contents
        assert contents is not None  # noqa: S101  # it has games

        def meetings(names: Collection[str], games: pl.DataFrame = contents.games) -> Iterable[tuple[str, str]]:
            sides = games.select(pl.col(COLOURS).cast(pl.String)).unique()
            return sides.filter(pl.all_horizontal(pl.all().is_in(list(names)))).iter_rows()

        played = contents.games.filter(pl.col("round").is_not_null())
        twice = {*_twice_in_a_round(played)} & {*names}
        if problems := _warnings(names, meetings, (), readings[file].source, twice):
            result[file] = replace(readings[file], contents=replace(contents, problems=[*contents.problems, *problems]))
    return result


def _twice_in_a_round(games: pl.DataFrame) -> list[Any]:
    """Return the players who have several opponents in one round of an event, of games with rounds, where few have."""
    sides = pl.concat([games.rename({one: "player", other: "other"}).select(*ROUND, "player", "other")
                       for one, other in (COLOURS, COLOURS[::-1])])  # fmt: skip
    met = sides.group_by(*ROUND, "player").agg(pl.col("other").n_unique())
    twice = met.filter(pl.col("other") > 1)["player"].unique()
    return twice.to_list() if FEW * len(twice) < sides["player"].n_unique() else []


def _warnings(
    names: Sequence[str], meetings: Meetings, decisions: Iterable[Decision], source: str, twice: Collection[str]
) -> list[Problem]:
    """Return the warnings about names of players without an id, some of whom play twice in a round."""
    decided = {frozenset((decision.player, decision.other)) for decision in decisions}
    problems = []
    if twice:
        text = Clause.of(TWICE, names=_and_more("; ".join(sorted(twice)[:MOST_NAMED]), len(twice)))
        problems.append(Problem(source, None, "", text, "", rejected=False, message=text))
    for by_words in (False, True):
        groups = _grouped(names, by_words=by_words)
        key = {name: common for common, same in groups.items() for name in same}
        met = {key[one] for one, other in meetings(key) if key[one] == key[other]} if key else set()
        alike = [same for common, same in groups.items() if common not in met and frozenset(same) not in decided]
        if alike:
            first = "; ".join(" / ".join(map(_marked, same)) for same in alike[:MOST_NAMED])
            hint = " (handan players --merge-candidates proposes whom to merge)"
            joined = any(char in name for same in alike for name in same for char in JOINERS)
            pattern = OTHER_ORDER if by_words else OTHER_JOINERS if joined else OTHER_CAPITALS
            text = Clause.of(pattern, names=_and_more(first, len(alike)), hint=hint)
            problems.append(Problem(source, None, "", text, "", rejected=False, message=text))
    return problems


def alike_among(problems: Iterable[Problem], names: Sequence[str]) -> list[Problem]:
    """Return problems without warnings of names spelt alike that are about none of these names."""
    by_words = {OTHER_ORDER: True, OTHER_CAPITALS: False, OTHER_JOINERS: False}
    return [
        problem
        for problem in problems
        if (pattern := getattr(problem.message, "pattern", "")) not in by_words
        or _grouped(names, by_words=by_words[pattern])
    ]


def _and_more(names: str, number: int) -> str:
    """Return the first of so many names, and how many more there are."""
    more = number - MOST_NAMED
    return Clause.of("{names} and {number} more", names=names, number=f"{more:,}") if more > 0 else names


def _grouped(names: Sequence[str], *, by_words: bool) -> dict[str, list[str]]:
    """Return the names of which there are several spellings, by what these have in common: letters or words."""
    table = pl.DataFrame({"name": names}, schema={"name": pl.String})
    if by_words:
        table = table.filter(len(names) <= MOST_COMPARED, pl.col("name").str.contains("[ ,]"))
    keys = table.with_columns(small=SMALL, common=WORDS if by_words else SMALL)
    several = keys.filter(pl.col("small" if by_words else "name").n_unique().over("common") > 1)
    return dict(several.group_by("common", maintain_order=True).agg(pl.col("name").sort()).iter_rows())


def _marked(name: str) -> str:
    """Return a name with its joiners as something that can be seen."""
    return "".join(f"<U+{ord(char):04X}>" if char in JOINERS else char for char in name)
