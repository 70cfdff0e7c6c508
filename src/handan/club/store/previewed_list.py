"""The list as entries would make it that nobody has written: rated from the first block that they change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from handan.club.entries import Record
from handan.club.figures import Figures
from handan.club.kinds import Kind
from handan.club.rules import Rules
from handan.club.standings import Line
from handan.club.state import State, game_number
from handan.club.store.list_changes import EntryFacts, changes_by
from handan.club.store.list_models import RatingList
from handan.club.store.list_replay import Made, Replay, figures_of
from handan.club.store.models import Club
from handan.errors import Clause, InputError, shown
from handan.ratings.lines import lines_of
from handan.wording.figures import digits


class PreviewedList:
    """Where players would stand after some entries, and what these games would do."""

    def __init__(self, club: Club, row: RatingList, state: State, records: Iterable[Record]) -> None:
        """Take what would be written.

        Args:
            club: Whose list.
            row: The list before.
            state: The club after the entries.
            records: The entries.
        """
        self.state = state
        entries = [EntryFacts(item.number, item.kind, item.subject, dict(item.facts)) for item in records]
        newcomers = [item.subject for item in entries if item.kind is Kind.PLAYER_REGISTERED]
        games = {item.subject for item in entries if item.kind in {Kind.GAME_RECORDED, Kind.GAME_CORRECTED}}
        self.called = {key: state.labels[key] for game in games for key in self._players(game)}
        changes = changes_by(club, entries, state, row.number, phases=len(row.phases))
        self._replay = Replay(club, row, state, changes, newcomers, self.called)
        self._blocks: Sequence[Made] = list(self._replay.run())
        arrays = figures_of(self._replay)
        seats = np.flatnonzero(arrays["listed"])
        keys = [self._replay.seats.keys[seat] for seat in seats.tolist()]
        numbers = arrays["rank_number"][seats] if "rank_number" in arrays else None
        self.figures = Figures(state, self.rules.made, keys, arrays["rating"][seats], numbers)

    @property
    def rules(self) -> Rules:
        """The rules in force."""
        return self._replay.phases[-1]

    @property
    def decimals(self) -> int:
        """How many decimals the ratings are shown with."""
        return digits(self.figures.rating.tolist())

    def _players(self, game: str) -> list[str]:
        row = self.state.game(game)
        return [self.state.person(row[side]).key for side in ("black", "white")]

    def game(self, key: str) -> list[Line]:
        """Return what a game would do to Black and to White; InputError for a game that would not count."""
        for made in self._blocks:
            block = made.rated
            place = block.facts["line"].index_of(game_number(key))
            if place is None:
                continue
            at, rules, lines = place + block.first, self._replay.phases[made.phase], []
            for player in self._players(key):
                seat = self._replay.seats.number[player]
                other = next(name for name in self._players(key) if name != player)
                own = lines_of(block.ratings, seat, reasons=[at + 1])
                for item in [line for line in own if line.game == at + 1]:
                    label = self.state.labels[other]
                    lines.append(Line(key, other, rules, replace(item, opponent=label)))
            return lines
        raise InputError(Clause.of("game {key} does not count here", key=shown(key)))
