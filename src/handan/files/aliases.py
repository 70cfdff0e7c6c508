"""Decisions about who is who, kept in a small table: `decision,player,other,note`.

`same` says that two names (or ids) are one player, who is shown as the other; `apart` that they are two, and `seen`
that somebody looked at them, so that they are not proposed again, and two names of one id no longer warned of. A
row without a decision is a proposal. A decision is undone by taking its row out.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import polars as pl

from handan.errors import Clause, InputError, Problem, shown
from handan.files.games.contents import people_in
from handan.files.io.csv_text import to_text
from handan.files.io.options import Options
from handan.files.io.storage import named, save
from handan.ledger import Adjustment, Event
from handan.ledger.facts import read_id

COLUMNS = ("decision", "player", "other", "note")
PROPOSAL = ("first", "second", "likeness", "evidence")
"""Further columns of proposals, for who decides about them."""
SAME, APART, SEEN = "same", "apart", "seen"

Key = tuple[str, str]
"""Name and id as they stand in a table."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision about two names or ids."""

    same: bool
    player: str
    other: str
    """The name or id under which both are shown, if they are the same."""
    note: str = ""
    seen: bool = False
    """Whether somebody looked at the two and did not decide."""

    @property
    def word(self) -> str:
        """What stands in the table."""
        return SEEN if self.seen else SAME if self.same else APART


def read_aliases(path: str | os.PathLike[str], options: Options | None = None) -> tuple[list[Decision], list[Problem]]:
    """Read decisions; those that cannot be read are problems. InputError if it is no such table."""
    from handan.files.formats.workbook import rows_of_table

    rows, problems = rows_of_table(path, options, (*COLUMNS, *PROPOSAL), [COLUMNS[:3]])
    source, decisions = named(path), list[Decision]()
    for line, row in rows:
        decision, player, other = (read_id(row[name]) for name in COLUMNS[:3])
        if not decision and player and other:  # a proposal that nobody has decided yet
            continue
        if decision.lower() not in {SAME, APART, SEEN}:
            problems.append(Problem(source, line, "decision", decision, "same, apart or seen"))
        elif not player or not other or player == other:
            problems.append(Problem(source, line, "player", f"{player}, {other}", "two different names or ids"))
        else:
            word, note = decision.lower(), row.get("note", "").strip()
            decisions.append(Decision(word == SAME, player, other, note, word == SEEN))
    return decisions, problems


def write_aliases(
    decisions: Iterable[Decision],
    path: str | os.PathLike[str],
    proposals: Iterable[Mapping[str, Any]] | None = None,
) -> None:
    """Write decisions, from which `read_aliases` reads the same ones.

    Args:
        decisions: Those that were made.
        path: Of the file.
        proposals: Rows with `player`, `other` and the columns of `PROPOSAL`, which are written with an empty decision;
            whoever fills in *same*, *apart* or *seen* has made one. None: the table has no such columns.
    """
    names = COLUMNS if proposals is None else (*COLUMNS, *PROPOSAL)
    decided = [{"decision": item.word, "player": item.player, "other": item.other, "note": item.note}
               for item in decisions]  # fmt: skip
    rows = [[str(row.get(name, "")) for name in names] for row in (*decided, *(proposals or ()))]
    save(path, to_text(pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")))


def decide(path: str | os.PathLike[str], decision: Decision) -> None:
    """Add a decision to a file, in place of an earlier one about the same two; InputError if it makes a circle."""
    decisions = _decisions_in(path)
    kept = [item for item in decisions if {item.player, item.other} != {decision.player, decision.other}]
    _final([*kept, decision])
    write_aliases([*kept, decision], path)


def undo(path: str | os.PathLike[str], player: str) -> list[Decision]:
    """Remove the decisions about a name or id from a file and return them; InputError if there are none."""
    decisions = _decisions_in(path)
    undone = [item for item in decisions if item.player == player]
    if not undone:
        raise InputError(f"{named(path)} holds no decision about {shown(player)}")
    write_aliases([item for item in decisions if item not in undone], path)
    return undone


def _decisions_in(path: str | os.PathLike[str]) -> list[Decision]:
    if not Path(path).exists():
        return []
    decisions, problems = read_aliases(path)
    if problems:
        raise InputError(f"{problems[0]}; mend the file first")
    return decisions


def _final(decisions: Iterable[Decision]) -> dict[str, str]:
    """Return the name or id under which each player is shown in the end; InputError for a circle.

    A player of whom two decisions name different others is one person with both, shown as the one named last.
    """
    others: dict[str, list[str]] = {}
    together: dict[str, set[str]] = {}
    for item in decisions:
        if item.same:
            others.setdefault(item.player, []).append(item.other)
            group = together.get(item.player, {item.player}) | together.get(item.other, {item.other})
            together |= dict.fromkeys(group, group)
    try:
        TopologicalSorter(others).prepare()
    except CycleError as error:
        circle = " = ".join(shown(name) for name in reversed(error.args[1]))
        raise InputError(f"the decisions {circle} make a circle; take one of them out") from None
    named = {name: place for place, name in enumerate(name for names in others.values() for name in names)}
    final = {player: max(group - others.keys(), key=named.__getitem__) for player, group in together.items()}
    return {player: other for player, other in final.items() if player != other}


def apply_aliases(
    table: pl.DataFrame, adjustments: Iterable[Adjustment], events: Iterable[Event], decisions: Collection[Decision]
) -> tuple[pl.DataFrame, list[Adjustment], list[Event], list[Problem]]:
    """Return the typed games table, adjustments and events with every player under the name and id decided for them.

    A name that several ids bear names nobody: it is a problem, and its decision is not obeyed.
    """
    final = _final(decisions)
    keys: list[Key] = sorted(people_in(table).iter_rows())
    problems: list[Problem] = []
    moved: dict[Key, Key] = {}
    together: dict[str, list[str]] = {}
    for player, other in final.items():
        together.setdefault(other, []).append(player)
    for other, group in together.items():
        mine = [key for player in group for key in _keys(player, keys, problems)]
        theirs = _keys(other, keys, problems)
        if mine:
            number = next((number for _, number in [*theirs, *mine] if number), "")
            target = (theirs[0][0] if theirs else other, number)
            moved |= dict.fromkeys([*mine, *theirs], target)
    for item in decisions:
        if item.seen and (mine := _of_one_id(item, keys)):
            moved |= {key: moved.get(mine[0], mine[0]) for key in mine}
    renamed = {name: moved[name, number][0] for name, number in moved} | final
    adjusted = [replace(item, player=renamed.get(item.player, item.player)) for item in adjustments]
    decided = [event.renamed({old: new for old, (new, _) in moved.items()}) for event in events]
    return _renamed(table, {old: new for old, new in moved.items() if old != new}), adjusted, decided, problems


def _of_one_id(item: Decision, keys: list[Key]) -> list[Key]:
    """Return the keys of two names that one id bears, that of the other first; none where it is not so."""
    names = (item.other, item.player)
    numbers = [{number for name, number in keys if number and name == each} for each in names]
    shared = numbers[0] & numbers[1]
    return [(name, number) for number in sorted(shared) for name in names] if len(shared) == 1 else []


def _keys(reference: str, keys: list[Key], problems: list[Problem]) -> list[Key]:
    """Return what a name or id stands for in a table: nothing where it names nobody or several."""
    by_id = [key for key in keys if key[1] == reference]
    by_name = [key for key in keys if key[0] == reference]
    if by_id or len({number for _, number in by_name if number}) < 2:
        return by_id or by_name
    if (reference, "") in by_name:  # lists show those with a number with it behind the name
        return [(reference, "")]
    numbers = ", ".join(number for _, number in by_name if number)
    expected = Clause.of("the name of one player; give one of the ids {numbers}", numbers=numbers)
    problems.append(Problem("aliases", None, "player", reference, expected, rejected=False))
    return []


def _renamed(table: pl.DataFrame, moved: dict[Key, Key]) -> pl.DataFrame:
    """Replace names and ids of both sides."""
    if not moved:
        return table
    rows = [(*old, *new) for old, new in moved.items()]
    changes = pl.DataFrame(rows, schema=dict.fromkeys(("name", "id", "new_name", "new_id"), pl.String), orient="row")
    for side in ("black", "white"):
        old = table.select(name=side, id=f"{side}_id")
        new = old.join(changes, on=["name", "id"], how="left", maintain_order="left")
        table = table.with_columns(
            new["new_name"].fill_null(old["name"]).alias(side), new["new_id"].fill_null(old["id"]).alias(f"{side}_id")
        )
    return table
