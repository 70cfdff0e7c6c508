"""Whether a rating list says what the games of its club say: each row, block, checkpoint and figure is compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from handan.club.blocks import (
    Checkpoint,
    checkpoint_as_bytes,
    checkpoint_of_bytes,
    facts_of_bytes,
    players_of,
    rate_block,
    unpacked,
)
from handan.club.movement import Figures
from handan.club.standings import Standings, standings
from handan.club.state import State
from handan.club.store.clock import today
from handan.club.store.list_games import ListBlocks
from handan.club.store.list_models import (
    FORM,
    NOW,
    Block,
    RatingList,
    Standing,
)
from handan.club.store.models import Club
from handan.club.store.rating_lists import figures_of_list, list_of, rated_in_turn
from handan.club.store.states import phases_of, state_of
from handan.errors import Clause, HandanError, InputError
from handan.ledger import Adjustment

DAMAGED = (
    OSError,
    ValueError,
    TypeError,
    KeyError,
    OverflowError,
    pl.exceptions.PolarsError,
    pl.exceptions.PanicException,
)
"""Errors of bytes that are read as a block and are none."""
LISTED = ("rating", "deviation", "rank", "games", "wins", "losses", "draws", "last_played", "last_updated", "pool")
"""What is compared of a player's row."""
NEAR = 1e-4
"""Our choice, below what lists print: ratings that are solved together differ by so much when they are solved again."""


def rebuild(club: Club) -> int:
    """Rate all games anew for the list of now, and return how many players and games it had wrong.

    There is none where the rules find no answer.
    """
    differences = _differences(club, state_of(club), "default")
    RatingList.objects.filter(club=club, question=NOW).update(form=0)  # of no version
    with suppress(HandanError):
        list_of(club)
    return len(differences)


def refuse_another_list(club: Club, state: State, alias: str = "default") -> None:
    """Raise InputError if the list of a club is not that of its games; it names the first player or game that differs.

    A list that follows an earlier entry, or other rules than those of today, is brought up to date by who looks next.
    """
    pattern = (
        "the rating list of {club} says something else of {key} than its games ({columns}); `handan club rebuild` "
        "makes it anew"
    )
    if differences := _differences(club, state, alias):
        key, columns = differences[0]
        raise InputError(Clause.of(pattern, club=club.name, key=key, columns=columns))


def _differences(club: Club, state: State, alias: str) -> list[tuple[str, str]]:
    """Return players and games, by key, of which a list says something else than its games, and what.

    Checkpoints and figures are looked at where nothing else differs.
    """
    row = RatingList.objects.using(alias).filter(club=club, question=NOW, form=FORM).first()
    if row is None or not row.follows(state, phases_of(state)):
        return []
    made = standings(state, today())
    rows = Standing.objects.using(alias).filter(list=row).values_list("player__key", *LISTED)
    there = {key: {"key": key, **dict(zip(LISTED, values, strict=True))} for key, *values in rows}
    meant = {line["key"]: {**line, "last_updated": made.last_updated.get(line["key"])} for line in made.rows}
    wrong, near = [], 0.0 if rated_in_turn(state) else NEAR
    for key in sorted({*there, *meant}):
        own, other = there.get(key, {}), meant.get(key, {})
        own |= {"last_played": own.get("last_played") or None}
        names = [name for name in ("key", *LISTED) if not _same(own.get(name), other.get(name), near)]
        wrong += [(key, ", ".join(names))] if names else []
    wrong += _other_games(row, made, alias, near)
    return wrong or [*filter(None, [_other_checkpoint(row, state, alias) or _other_figures(row, made, near)])]


def _same(one: Any, other: Any, near: float) -> bool:
    """Whether two figures are the same, numbers of them within `near`; NaN is NaN."""
    if isinstance(one, float) and isinstance(other, float):
        return bool(np.isclose(one, other, rtol=0.0, atol=near, equal_nan=True))
    return bool(one == other)


def _other_games(row: RatingList, made: Standings, alias: str, near: float) -> Iterator[tuple[str, str]]:
    """Go through games, by key, of which a list says something else than standings made of all games, and what."""
    ratings = [phase.ratings for phase in made.phases]
    meant = {"line": np.concatenate([each.ledger.arrays.column("line").to_numpy() for each in ratings])}
    meant |= {name: np.concatenate([getattr(each.arrays, name) for each in ratings]) for name in ("before", "change")}
    kept: dict[str, list[NDArray[Any]]] = {name: [values[:0]] for name, values in meant.items()}
    for facts, content in Block.objects.using(alias).filter(list=row).values_list("facts", "ratings"):
        with suppress(*DAMAGED):
            own = {"line": facts_of_bytes(bytes(facts))["line"].to_numpy(), **unpacked(bytes(content))[0]}
            for name, values in [(name, own[name].reshape(-1, *parts[0].shape[1:])) for name, parts in kept.items()]:
                kept[name].append(values)
    there = {name: np.concatenate(parts) for name, parts in kept.items()}
    least = min(map(len, (*meant.values(), *there.values())))
    differ = {}
    for name, values in meant.items():
        one, other = values[:least], there[name][:least]
        unequal = ~np.isclose(one, other, rtol=0.0, atol=near, equal_nan=True)
        differ[name] = unequal.any(axis=1) if unequal.ndim > 1 else unequal
    for place in np.flatnonzero(np.any([*differ.values()], axis=0)).tolist():
        yield f"g{meant['line'][place]}", ", ".join(name for name in differ if differ[name][place])
    yield from ((f"g{line}", "line") for line in max(meant["line"], there["line"], key=len)[least:].tolist())


def _other_checkpoint(row: RatingList, state: State, alias: str) -> tuple[str, str] | None:
    """Return the first game of a block, given by key, that begins with something else than the games before it give."""
    phases = phases_of(state)
    blocks, keys = ListBlocks(row, state, phases), row.keys.split("\n")
    stored = [*Block.objects.using(alias).filter(list=row).order_by("position")] if rated_in_turn(state) else []
    end, items = None, list[Adjustment]()
    for block, before, after in zip(stored, [None, *stored], [*stored[1:], None], strict=False):
        system, facts = phases[block.phase].made, facts_of_bytes(bytes(block.facts))
        if before is None or before.phase != block.phase or end is None:
            items, start = blocks.adjustments(block.phase, keys), Checkpoint.beginning(len(keys), end)
        else:
            start = end
        final = after is None or after.phase != block.phase
        ratings = rate_block(system, facts, keys, items, start, final=final)  # type: ignore[arg-type]  # each is in turn
        own = start.of(players_of(facts, (item.player for item in ratings.arrays.adjusted)))
        for content, meant in ((block.checkpoint, start), (block.start, own)):
            if content is not None and not _is_checkpoint(bytes(content), meant, keys):
                return f"g{facts['line'].to_list()[0]}", "checkpoint"
        end = start.after(ratings)
    return None


def _other_figures(row: RatingList, made: Standings, near: float) -> tuple[str, str] | None:
    """Return a player, given by key, of whom the figures of a list say something else than standings, and what.

    `all players` for what the list says of them together.
    """
    meant, keys = made.summary._asdict(), row.keys.split("\n")
    names = [name for name, value in meant.items() if row.summary.get(name) != value]
    names += ["keys"] if len({*keys}) < len(keys) else []
    if names:
        return "all players", ", ".join(names)
    try:
        one, other = map(_figures_by_key, (figures_of_list(row, made.state, made.system), made.figures))
    except DAMAGED:
        return "all players", "figures"
    for key in sorted({*one, *other}):
        (rating, rank), (meant_rating, meant_rank) = one.get(key, (None, "")), other.get(key, (None, ""))
        if rank != meant_rank or not _same(rating, meant_rating, near):
            return key, "figures"
    return None


def _figures_by_key(figures: Figures) -> dict[str, tuple[float | None, str]]:
    ranks = figures.ranks(range(len(figures.keys)))
    return dict(zip(figures.keys, zip(figures.rating.tolist(), ranks, strict=True), strict=True))


def _is_checkpoint(content: bytes, meant: Checkpoint, keys: Sequence[str]) -> bool:
    """Whether bytes are a checkpoint, to which players may have come since that say nothing in it."""
    try:
        kept = checkpoint_of_bytes(content).among(len(meant.listed))
        return checkpoint_as_bytes(_of_entered(kept, keys)) == checkpoint_as_bytes(_of_entered(meant, keys))
    except DAMAGED:
        return False


MARKS = ("by_hand", "ranked", "late")
"""What a checkpoint says of a player by yes or no."""


def _of_entered(checkpoint: Checkpoint, keys: Sequence[str]) -> Checkpoint:
    """Return a checkpoint without what it keeps of players who have not entered, who enter by what is known then.

    Of the others it has every adjustment once, in one order: who registers later comes behind those of before.
    """
    past = checkpoint.past
    if past is None:
        return checkpoint
    state = {name: values.copy() for name, values in past.state.items()}
    for values in state.values():
        values[~past.entered] = 0
    marks = {name: values & past.entered for name in MARKS if (values := getattr(past, name)) is not None}
    entered = {keys[number] for number in past.numbers[past.entered].tolist()}
    items = tuple(sorted({item for item in past.adjustments if item.player in entered}, key=str))
    return replace(checkpoint, past=replace(past, state=state, adjustments=items, **marks))
