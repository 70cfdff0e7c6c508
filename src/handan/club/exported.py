"""An exported ledger as a file of games: what the club rates, for whoever rates it by the command line."""

from __future__ import annotations

import io
from collections.abc import Iterator

import polars as pl

from handan.club.exchange import read_ledger
from handan.club.rules import Rules
from handan.club.state import DISPUTED, WAITING, WITHDRAWN, State
from handan.club.untrusted import fold_foreign
from handan.errors import Problem, counted
from handan.files.games.contents import Contents, Entrant

LEFT_OUT = {WITHDRAWN: "withdrawn", WAITING: "not confirmed yet", DISPUTED: "disputed"}
"""Games that do not count for the club, by their status."""


def contents(data: bytes, source: str) -> Contents:
    """Return games, people, adjustments and events of an exported ledger, as the club's own ladder is made of them.

    Who was merged is one player, corrected games are as corrected, and games that do not count are left out.

    Args:
        data: The unpacked file.
        source: Its name for the reports.

    Raises:
        InputError: The file was cut off or changed, or its entries are no ledger.
    """
    header, records = read_ledger(io.BytesIO(data))
    state = fold_foreign(State(header["club"]), records)
    ledger = state.ledger
    people = {label: state.people[key] for label, key in state.keys.items()}
    entrants = tuple(
        Entrant(player.name, player.id, people[player.name].country, people[player.name].club, order=player.order)
        for player in ledger.players
    )
    games = ledger.games.cast({"black": pl.String, "white": pl.String}).with_columns(source=pl.lit(source))
    remarks = [Problem(source, None, "", "", "", rejected=False, message=text) for text in _remarks(state)]
    events = tuple(state.shown_event(event) for event in state.events.values() if not event.withdrawn)
    return Contents(games, remarks, entrants, adjustments=ledger.adjustments, events=events)


def _remarks(state: State) -> Iterator[str]:
    """Yield what is to be known of the club: its rules, and which games are left out."""
    yield "; from then on ".join(_options(rules) for rules in state.rules)
    counts = dict(state.games["status"].value_counts().iter_rows())
    absent = [f"{counted(counts[status], 'game')} {words}" for status, words in LEFT_OUT.items() if status in counts]
    if absent:
        yield f"{', '.join(absent)}: left out, as the club leaves them out"


def _options(rules: Rules) -> str:
    """Return rules as the options under which the club's games are rated."""
    since = "" if rules.since is None else f"since {rules.since}: "
    settings = "".join(f" --set {name}={value}" for name, value in rules.settings.items())
    return f"{since}the club rates with --system {rules.system}{settings}"
