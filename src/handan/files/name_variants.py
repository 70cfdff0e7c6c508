"""Names that differ only in capitals, joiners or the order of their words: they count apart, with a warning.

Capitals differ where one column of a sheet is in them, the order where some write `Lindqvist, Ada`.

Joiners are characters that nobody sees by themselves; one person types them in a Persian name, another leaves them out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from handan.errors import Clause, Problem
from handan.files.aliases import Decision
from handan.files.games.parsed import FILE, Reading, games_of
from handan.ledger import Ledger
from handan.words import JOINERS

MOST_NAMED = 3  # our choice: pairs that a warning names
MOST_COMPARED = 50_000  # our choice: names whose words are compared; more take longer than a hint is worth
SIDES = ("black", "white")

Groups = Mapping[str, Sequence[str]]
"""Names that are one in small letters and without joiners, by that one."""


def spelt_alike(ledger: Ledger, decisions: Iterable[Decision], source: str) -> list[Problem]:
    """Return warnings if players of a ledger have names that differ in capitals, joiners or the order of words alone.

    Players with an id, those who met over the board and those about whom a person decided are left out. There is at
    most one warning of capitals, and one of order.
    """
    names = pl.Series(ledger.names, dtype=pl.String)
    plain = _plain(names)
    groups = _grouped(names.filter(plain.is_duplicated()).to_list()) if plain.n_unique() < len(plain) else {}
    kinds = ((groups, _by_capitals), (_reordered(names.to_list()), _by_order))
    problems = []
    for alike, words in kinds:
        if alike:
            problems += _warning(*_strangers(ledger, names, alike), decisions, source, words)
    return problems


def _strangers(ledger: Ledger, names: pl.Series, groups: Groups) -> tuple[Groups, set[str]]:
    """Return the groups without players who have an id, and the keys of those in which two met over the board."""
    places = names.is_in([name for same in groups.values() for name in same]).arg_true().to_list()
    at = {names[place]: place for place in places if not ledger.players[place].id}
    without = {key: [name for name in same if name in at] for key, same in groups.items()}
    groups = {key: same for key, same in without.items() if len(same) > 1}
    number = np.full(len(names), -1)
    keys = list(groups)
    for key, same in enumerate(groups.values()):
        number[[at[name] for name in same]] = key
    of_black = number[ledger.arrays.black]
    return groups, {
        keys[key] for key in set(of_black[(of_black >= 0) & (of_black == number[ledger.arrays.white])].tolist())
    }


def with_spellings(readings: Sequence[Reading]) -> list[Reading]:
    """Return what became of files with those warnings about each of them."""
    games = games_of(readings)
    seats = pl.concat([games.select(FILE, name=side, id=f"{side}_id") for side in SIDES])
    seats = seats.group_by(FILE, "name").agg(pl.col("id").max()).filter(pl.col("id") == "").sort(FILE, "name")
    alike = seats.with_columns(small=_plain(seats["name"]))
    alike = alike.filter(pl.struct(FILE, "small").is_duplicated()).group_by(FILE, "small").agg("name")
    capitals: dict[int, dict[str, Sequence[str]]] = defaultdict(dict)
    for file, small, names in alike.sort(FILE, "small").iter_rows():
        capitals[file][small] = names
    listed = seats.group_by(FILE, maintain_order=True).agg("name").iter_rows()
    order = {file: groups for file, names in listed if (groups := _reordered(names))}
    result = list(readings)
    for file in sorted({*capitals, *order}):
        contents = readings[file].contents
        assert contents is not None  # noqa: S101  # it has games
        problems = list(contents.problems)
        kinds = ((capitals.get(file, {}), _by_capitals, _small), (order.get(file, {}), _by_order, _words))
        for groups, words, key in kinds:
            if groups:
                pairs = contents.games.select(pl.col(SIDES).cast(pl.String)).unique().iter_rows()
                met = {key(black) for black, white in pairs if key(black) == key(white)}
                problems += _warning(groups, met, (), readings[file].source, words)
        result[file] = replace(readings[file], contents=replace(contents, problems=problems))
    return result


def _reordered(names: Sequence[str]) -> Groups:
    """Return the names that are the same words in another order, as `Lindqvist, Ada` and `Ada Lindqvist` are."""
    if len(names) > MOST_COMPARED:
        return {}
    groups: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if " " in name or "," in name:
            groups[_words(name)].append(name)
    several = {key: same for key, same in groups.items() if len(same) > 1}
    return {key: sorted(same) for key, same in several.items() if len({_small(name) for name in same}) > 1}


def _words(name: str) -> str:
    """Return the words of a name in one order, without the comma behind a surname."""
    return " ".join(sorted(name.lower().replace(",", " ").split()))


def _small(name: str) -> str:
    """Return a name in small letters and without joiners."""
    return "".join(char for char in name if char not in JOINERS).lower()


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


def _warning(
    groups: Groups,
    met: Collection[str],
    decisions: Iterable[Decision],
    source: str,
    words: Callable[[Collection[Sequence[str]]], str],
) -> list[Problem]:
    """Return the warning about the groups that are left, none if there are none; `words` say what they have."""
    decided = {frozenset((decision.player, decision.other)) for decision in decisions}
    alike = [same for key, same in groups.items() if key not in met and frozenset(same) not in decided]
    if not alike:
        return []
    first = ", ".join(" and ".join(map(_marked, same)) for same in alike[:MOST_NAMED])
    more = f" and {len(alike) - MOST_NAMED:,} more" if len(alike) > MOST_NAMED else ""
    hint = " (handan players --merge-candidates proposes whom to merge)"
    text = Clause.of(words(alike), names=first + more, hint=hint)
    return [Problem(source, None, "", text, "", rejected=False, message=text)]


def _by_capitals(alike: Collection[Sequence[str]]) -> str:
    joiners = any(char in name for same in alike for name in same for char in JOINERS)
    by = "capitals or joiners" if joiners else "capitals"
    return f"names that differ in {by} alone count as different players: {{names}}{{hint}}"


def _by_order(alike: Collection[Sequence[str]]) -> str:  # noqa: ARG001  # the signature of both
    return "names of the same words in another order may be one person, and count as different players: {names}{hint}"
