"""The cells of a table in which players stand: without byes and other nobodies, and with ranks in columns of their own.

Ranks are taken apart where a table has no column of them and most of its different names end with one: then no name
that only looks so is touched by chance.
"""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from handan.errors import Clause, Problem, shown
from handan.files.cells.byes import ABSENT, BYE, DOUBTFUL, ERROR, nobody_in
from handan.files.cells.ranked_names import (
    LIKELY,
    SEVERAL,
    are_several,
    name_and_colour,
    namesakes,
    parts_of,
    ranked,
)  # fmt: skip
from handan.files.io.dictionary_encoding import different, has
from handan.files.tables.byes import WITHOUT_ROUNDS, RowOfBye, left_out
from handan.files.tables.text_table import SEATS, TextTable
from handan.words import table as words_by_language

NAMED_AGAIN = ("winner", "result")
"""Columns in which a player's name may stand once more."""
RANKS_BEHIND = "most names end with ranks, which are read as such: {what}"
LIKE_SEVERAL = r"[&＆/／、+]"
"""What names of several persons have in tables, whose players may be called `Trinidad and Tobago`."""
ZERO = "0"
MOST_SHOWN, MOST_PAIRS = 3, 5  # our choice


def seats_of(text: pl.DataFrame) -> tuple[str, ...]:
    """Return the columns of the two players of a game; none where a table has no such."""
    return next((pair for pair in SEATS if {*pair} <= {*text.columns}), ())


def names_in(text: pl.DataFrame) -> pl.Series:
    """Return the different names of both players."""
    seats = seats_of(text)
    return different(*(text[seat] for seat in seats)) if seats else pl.Series([], dtype=pl.String)


def leave_out_nobody(table: TextTable, names: pl.Series) -> tuple[int, list[RowOfBye]]:
    """Leave out the rows in which not two players stand; `names` are of the players.

    Returns:
        How many are byes of which no event can tell, and the rows with a player and a round, of which nothing is said
        yet: `read_byes` makes byes of them.
    """
    kinds = nobody_in(names)
    if ZERO in kinds and _is_number_of_player(table.text, names):
        del kinds[ZERO]
    if not kinds:
        return 0, []
    texts = {side: table.text[side].cast(pl.String).fill_null("") for side in seats_of(table.text)}
    here = {side: cells.is_in(list(kinds)) for side, cells in texts.items()}
    absent = pl.select(pl.any_horizontal(*here.values())).to_series()
    free = pl.select(pl.any_horizontal(*(
        cells.is_in([cell for cell, kind in kinds.items() if kind in (BYE, DOUBTFUL)]) for cells in texts.values()
    ))).to_series()  # fmt: skip
    _fill_rounds(table, here, texts)
    waiting = _with_player_and_round(table, here, texts, kinds)
    with_rounds = "round" in table.text.columns
    for side, cells in texts.items():
        idle = here[side] & ~waiting
        table.problems += [
            _no_player(table.source, line, side, cell, kinds[cell], with_rounds=with_rounds)
            for line, cell in zip(table.lines.filter(idle), cells.filter(idle), strict=True)
        ]
    rows = _rows_of_byes(table, waiting, kinds)
    table.keep(~absent)
    return int((free & ~waiting).sum()), rows


def _fill_rounds(table: TextTable, here: Mapping[str, pl.Series], texts: Mapping[str, pl.Series]) -> None:
    """Give a row with a player, nobody and no round the only one of its event in which the player has no game."""
    if "round" not in table.text.columns or not (rounds := table.cells("round")).is_in([""]).any():
        return
    events = table.cells("event") if "event" in table.text.columns else pl.repeat("", len(rounds), eager=True)
    sides = list(texts)
    rows = list(zip(rounds, events, *(texts[side].str.strip_chars() for side in sides), strict=True))
    of_event: dict[str, set[str]] = {}
    of_player: dict[tuple[str, str], set[str]] = {}
    for own, event, *players in rows:
        of_event.setdefault(event, set()).add(own)
        for player in players:
            of_player.setdefault((event, player), set()).add(own)
    filled = rounds.to_list()
    for row, (own, event, *players) in enumerate(rows):
        nobody = [here[side][row] for side in sides]
        if not own and sum(nobody) == 1:
            free = of_event[event] - of_player[event, players[nobody.index(False)]] - {""}
            filled[row] = next(iter(free)) if len(free) == 1 else ""
    table.text = table.text.with_columns(pl.Series("round", filled, dtype=pl.String))


def _with_player_and_round(
    table: TextTable, here: Mapping[str, pl.Series], texts: Mapping[str, pl.Series], kinds: Mapping[str, str]
) -> pl.Series:
    """Return in which rows a player stands beside a bye or a mark, and a round."""
    if "round" not in table.text.columns:
        return pl.repeat(value=False, n=table.text.height, eager=True, dtype=pl.Boolean)
    marks = [cell for cell, kind in kinds.items() if kind in (BYE, ABSENT)]
    (one, first), (two, second) = ((here[side], texts[side]) for side in texts)
    alone = (first.is_in(marks) & ~two & (second.str.strip_chars() != "")) | (
        second.is_in(marks) & ~one & (first.str.strip_chars() != "")
    )
    return alone & (table.cells("round") != "")


def _rows_of_byes(table: TextTable, chosen: pl.Series, kinds: Mapping[str, str]) -> list[RowOfBye]:
    """Return rows in which one side names no player."""
    seats, rows = seats_of(table.text), []
    text = table.text.filter(chosen).cast(pl.String).with_columns(pl.all().fill_null(""))
    for line, cells in zip(table.lines.filter(chosen), text.iter_rows(named=True), strict=True):
        seat, side = seats if cells[seats[1]] in kinds else seats[::-1]
        rows.append(RowOfBye(int(line), seat, side, cells[side], kinds[cells[side]], cells))
    return rows


def _is_number_of_player(text: pl.DataFrame, names: pl.Series) -> bool:
    """Return whether 0 is the number of a player: all have numbers, and it is not only in the second place, as byes."""
    return bool(names.str.contains(r"^\d*$").all()) and has(text[seats_of(text)[0]], ZERO)


def _no_player(source: str, line: int, side: str, cell: str, kind: str, *, with_rounds: bool) -> Problem:
    """Return what is to be said of a row without one of its players: a bye is no fault."""
    if kind == ERROR:
        return Problem(source, line, side, cell, "a player; a formula of the spreadsheet failed")
    return left_out(source, line, side, cell, kind if with_rounds or kind != BYE else WITHOUT_ROUNDS)


def remark_several(table: TextTable, names: pl.Series) -> None:
    """Note the first names of several persons in the place of one player; `names` are of the players."""
    likely = names.filter(names.str.contains(LIKE_SEVERAL))
    pairs = []
    for side in seats_of(table.text) if len(likely) else ():
        cells = table.text[side].cast(pl.String)
        cells = cells.filter(cells.is_in(likely.implode())).unique(maintain_order=True)
        pairs += [(side, name) for name in cells if are_several(name)]
    table.problems += [
        Problem(table.source, None, side, name, SEVERAL, rejected=False) for side, name in pairs[:MOST_PAIRS]
    ]


def part_colours(table: TextTable, names: pl.Series) -> pl.Series:
    """Take the colours behind all names, as in `Ada (B)`, for those of the players; return the names then.

    Names stay as they are where one has no colour, or the colours of a game are not one of each.
    """
    seats, text = seats_of(table.text), table.text
    if not seats or "colour" in text.columns or not names.str.contains(r"\)\s*$").any():
        return names
    cells = different(*(text[seat] for seat in seats)).to_list()
    sides = [text[seat].cast(pl.String).fill_null("") for seat in seats]
    for letters in dict.fromkeys(("bw", *words_by_language()["letters"].values())):
        parts = {cell: name_and_colour(cell, letters) for cell in cells}
        bare, colour = ({cell: own[place] for cell, own in parts.items()} for place in (0, 1))
        if not all(colour.values()):
            continue
        first, second = (side.replace_strict(colour) for side in sides)
        if not (first == second).any() and not (seats == SEATS[0] and (first != "black").any()):
            break
    else:
        return names
    own = [name for name in (*seats, *NAMED_AGAIN) if name in text.columns]
    table.text = text.with_columns(pl.col(name).cast(pl.String).replace(bare) for name in own)
    if seats != SEATS[0]:
        table.text = table.text.with_columns(first.alias("colour"))
    cell = next(iter(parts))
    pattern = "colours stand behind the names, which are read as such: {cell} is {name}, {colour}"
    table.remark(Clause.of(pattern, cell=shown(cell), name=bare[cell], colour=Clause.of(colour[cell])))
    return names_in(table.text)


def _rounds(table: TextTable) -> pl.Series | None:
    """Return what is written of the round and the day of each game; null where no round is, None if none is at all."""
    if "round" not in table.text.columns:
        return None
    rounds = table.cells("round")
    days = [table.cells("date")] if "date" in table.text.columns else []
    return pl.select(pl.concat_str([rounds.set(rounds == "", None), *days], separator=" ")).to_series()


def part_ranks(table: TextTable, likely: pl.Series) -> None:
    """Give the ranks behind names columns of their own, and note it.

    Names stay as they are where the table has a column of ranks, and where ranks are all that tells two people apart.
    Nothing is looked at where no name of `likely`, which are those of the table and perhaps more, could have a rank.
    """
    text, seats = table.text, seats_of(table.text)
    if not likely.str.contains(LIKELY).any() or any(f"{seat}_rank" in text.columns for seat in seats):
        return
    names_of_both = names_in(text)
    if not ranked(names_of_both):
        _remark_also_without(table, names_of_both)
        return
    sides = [text[seat].cast(pl.String).fill_null("") for seat in seats]
    cells = names_of_both.sort().to_list()
    parts = {cell: parts_of(cell) for cell in cells}
    apart = namesakes(parts, sides[0], sides[1], _rounds(table))
    names = {cell: cell if own.name in apart else own.name for cell, own in parts.items()}
    ranks = {cell: own.rank for cell, own in parts.items()}
    columns = {}
    for seat, side in zip(seats, sides, strict=True):
        columns[seat] = side.replace_strict(names, return_dtype=pl.String)
        columns[f"{seat}_rank"] = side.replace_strict(ranks, return_dtype=pl.String)
    for name in NAMED_AGAIN:
        if name in text.columns and name not in seats:
            columns[name] = text[name].cast(pl.String).replace(names)
    table.text = text.with_columns(**columns)
    split = next((cell for cell in cells if names[cell] != cell and ranks[cell]), None)
    if split is not None:
        example = Clause.of("{cell} is {name}, {rank}", cell=shown(split), name=names[split], rank=ranks[split])
        table.remark(Clause.of(RANKS_BEHIND, what=example))
        table.facts["names"] = f"ranks behind them ({example})"
    for name in sorted(apart)[:MOST_SHOWN]:
        own = [shown(cell) for cell in cells if parts[cell].name == name]
        what = Clause.of("{names} may be several people; these names stay as they are", names=", ".join(own))
        table.remark(Clause.of(RANKS_BEHIND, what=what))
    if (more := len(apart) - MOST_SHOWN) > 0:
        what = Clause.of("{number} more names stay as they are for that reason", number=f"{more:,}")
        table.remark(Clause.of(RANKS_BEHIND, what=what))


def _remark_also_without(table: TextTable, names: pl.Series) -> None:
    """Note names that stand in the table with a rank behind them and without one."""
    cells = names.filter(names.str.contains(LIKELY)).sort().to_list()
    both = [(cell, own) for cell in cells if (own := parts_of(cell)).rank and own.name in names]
    for cell, own in both[:MOST_SHOWN]:
        pattern = "{cell} and {name} are read as two players; if {rank} is a rank, give it a column"
        table.remark(Clause.of(pattern, cell=shown(cell), name=shown(own.name), rank=own.rank))
