"""A ledger made into a file."""

from __future__ import annotations

import gzip
import os
from dataclasses import replace

import polars as pl

from handan.errors import InputError, counted
from handan.files.formats import formats
from handan.files.games.omissions import OF_BYES, event_omissions
from handan.files.io.storage import named, save
from handan.ledger import Adjustment, Game, Ledger, When
from handan.ledger.dataset import save_ledger
from handan.ledger.placing import first_declared_ranks
from handan.ledger.players import field_of

ON_DISK = ".ledger"
WITH_RATINGS = (".xml",)
"""Endings of formats that hold the ratings that files declare of players."""
WITH_PEOPLE = {"country": ("countries", (".h9", ".xml")), "club": ("clubs", (".h9", ".xml", ".tou"))}
"""Facts of players, each with its plural and the endings of formats that hold it, and say what of it they cannot."""
WITH_ADJUSTMENTS = (".csv", ".tsv", ".jsonl", ".ndjson", ".parquet")
"""Endings of formats whose rows may be ranks and ratings set by hand."""
WITH_BYES = (".csv", ".tsv")
"""Endings of formats whose rows may be byes, which people write so; programs take each object for a game."""
WITH_EVENTS = (".h9", ".tou", ".xml", ".aga")
"""Endings of formats that hold what files tell of events besides games, and say themselves what they do not hold."""


def write(ledger: Ledger, path: str | os.PathLike[str], *, excel_safe: bool = False) -> list[str]:
    """Write the games to a file, from which `read` makes the same games; return what the format cannot hold.

    Tables hold all of the games and may be shuffled. Other formats hold less; each omission is one line of the answer.

    Args:
        ledger: Its games are written, and in tables its adjustments as rows between them.
        path: The ending says the format, such as .csv, .tsv, .parquet; with .gz after it the file is packed. What ends
            in .ledger becomes a folder (`handan.ledger.dataset.save_ledger`), which holds adjustments too.
        excel_safe: Whether text that a spreadsheet would take for a formula gets an apostrophe in front.

    Raises:
        InputError: It is no ledger, the ending is unknown, or the file cannot be written.
    """
    if not isinstance(ledger, Ledger):
        raise InputError(f"{type(ledger).__name__!r} is no Ledger; handan.read makes one of a file, a frame or rows")
    name = named(path)
    if name.lower().endswith(ON_DISK):
        save_ledger(ledger, path)
        return []
    plain = name.lower().removesuffix(".gz")
    data, omissions = encoded(ledger, plain, excel_safe=excel_safe)
    save(path, data if plain == name.lower() else gzip.compress(data, mtime=0))
    return omissions


def encoded(ledger: Ledger, name: str, *, excel_safe: bool = False) -> tuple[bytes, list[str]]:
    """Return the bytes of a file of that name, and what its format cannot hold; InputError for an unform ending."""
    for form in formats():
        for ending in form.endings:
            if form.write and name.endswith(ending):
                omitted = list(ledger.adjustments)
                if ending in WITH_EVENTS and omitted:
                    ledger, omitted = with_ranks_by_hand(ledger)
                data, omissions = form.write(ledger, ending, excel_safe)
                declared = sum(player.rating is not None for player in ledger.players)
                for fact, (plural, endings) in WITH_PEOPLE.items():
                    count = sum(map(bool, field_of(ledger.players, fact))) if ending not in endings else 0
                    omissions = [*omissions, f"{plural} of players ({count})"] if count else omissions
                if declared and ending not in WITH_RATINGS:
                    omissions = [*omissions, f"declared ratings ({counted(declared, 'player')})"]
                if omitted and ending not in WITH_ADJUSTMENTS:
                    omissions = [*omissions, f"ranks and ratings set by hand ({len(omitted)})"]
                if ending not in WITH_EVENTS:
                    kept = OF_BYES.values() if ending in WITH_BYES else ()
                    omissions = [*omissions, *event_omissions(ledger.events, kept, ledger if ledger.events else ())]
                return data, omissions
    written = ", ".join(ending for form in formats() for ending in form.endings)
    raise InputError(f"{name} does not end in a format that is written; give {written}, or one of them with .gz")


def with_ranks_by_hand(ledger: Ledger) -> tuple[Ledger, list[Adjustment]]:
    """Return a ledger in which players declare the rank that was set by hand by their first game.

    Who declares a rank in some game keeps it.

    Returns:
        The ledger, and the adjustments of which it says less than they do.
    """
    games = list(ledger)
    declared, first = first_declared_ranks(games), dict[str, Game]()
    for game in games:
        for name in (game.black, game.white):
            first.setdefault(name, game)
    used: dict[str, Adjustment] = {}
    for item in ledger.adjustments:
        begins = When.of(first[item.player].date) if item.player in first else None
        since = When.of(item.date)
        in_time = since is None or (begins is not None and since.moment <= begins.moment)
        if item.rank is not None and declared.get(item.player) == "" and in_time:
            used[item.player] = item
    if not used:
        return ledger, [*ledger.adjustments]
    ranks = {name: str(item.rank) for name, item in used.items()}
    declaring = [
        pl.when(pl.col(f"{side}_rank").fill_null("") == "")
        .then(pl.col(side).cast(pl.String).replace_strict(ranks, default="", return_dtype=pl.String))
        .otherwise(f"{side}_rank")
        .alias(f"{side}_rank")
        for side in ("black", "white")
    ]
    omitted = [item for item in ledger.adjustments if used.get(item.player) is not item or item.rating is not None]
    return replace(ledger, arrays=ledger.arrays.of(ledger.games.with_columns(declaring))), omitted
