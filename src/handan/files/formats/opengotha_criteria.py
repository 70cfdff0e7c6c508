"""By which settings OpenGotha places the players of another program's table as that table does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from handan.files.formats.opengotha_standing import Seat, Standing, standing
from handan.ledger import Game, Pairing, Participant

MOST_CRITERIA = 6
USUAL = {"MMS": ("MMS", "SOSM", "SOSOSM"), "NBW": ("NBW", "SOSW", "SOSOSW")}
"""Criteria that tournaments by McMahon scores, or by wins, usually have."""
TIE_BREAKS = {
    "MMS": ("SOSM", "SOSOSM", "SODOSM", "CUSSM", "SOSM-1", "SOSM-2", "NBW"),
    "NBW": ("SOSW", "SOSOSW", "SODOSW", "CUSSW", "SOSW-1", "SOSW-2"),
}
"""Criteria that are tried behind McMahon scores, or wins."""


class Placing(NamedTuple):
    """The placement criteria and McMahon corrections with which the program orders players as a table does."""

    criteria: Sequence[str]
    corrections: Mapping[str, int]
    """By how much each player starts above the rank."""
    keeps_figures: bool
    """Whether the program works out the points and tie-breaks of the table."""
    keeps_places: bool


@dataclass(frozen=True, slots=True)
class Table:
    """The games of a table, as the program counts them."""

    facts: Mapping[str, str]
    """General settings."""
    participants: Sequence[Participant]
    """With place, figures and byes."""
    games: Sequence[Game]
    """With their rounds."""
    pairings: Sequence[Pairing]
    rounds: int

    @property
    def placed(self) -> list[Participant]:
        """Those who have a place."""
        return [each for each in self.participants if each.place]

    def stood(self, criteria: Sequence[str], corrections: Mapping[str, int]) -> Standing:
        """Return the standing by criteria of the program."""
        seats = {
            name: Seat(each.rank, 0.0, corrections.get(name, 0), dict(each.byes), placed=each.place is not None)
            for each in self.participants
            for name in (each.player.name,)
        }
        table = standing(self.facts, criteria, [], seats, self.games, self.pairings, self.rounds)
        assert table is not None  # noqa: S101  # all criteria are of the program
        return table

    def figures(self, criterion: str, corrections: Mapping[str, int]) -> dict[str, float]:
        """Return what each player has of a criterion."""
        own = self.stood([criterion], corrections).figures
        return {each.player.name: float(own[each.player.name][0]) for each in self.placed}

    def are_kept(self, criteria: Sequence[str], corrections: Mapping[str, int]) -> bool:
        """Return whether players stand in the places of the table."""
        places = self.stood(criteria, corrections).places
        return all(places[each.player.name] == each.place for each in self.placed)

    @property
    def columns(self) -> list[dict[str, float]]:
        """The figures by column, but those that are 0 for all; none where some are no numbers."""
        try:
            rows = {each.player.name: [_number(figure) for figure in each.figures] for each in self.placed}
            columns = [dict(zip(rows, column, strict=True)) for column in zip(*rows.values(), strict=True)]
        except ValueError:
            return []
        return [column for column in columns if any(column.values())]

    def placing(self) -> Placing | None:
        """Return the criteria whose figures are those of the table; None if its points are none of the program.

        A first column that is not wins is taken for McMahon scores if a column behind it is a tie-break of these. A
        table without figures has the usual criteria, if these place its players so.
        """
        columns = self.columns
        if not columns:
            kept = next((each for each in USUAL.values() if self.placed and self.are_kept(each, {})), None)
            return Placing(kept, {}, keeps_figures=False, keeps_places=True) if kept else None
        parting = [column for column in columns if len(set(column.values())) > 1] or columns
        corrections: dict[str, int] = {}
        first = "NBW" if parting[0] == self.figures("NBW", {}) else "MMS"
        if first == "MMS":
            start = {name: parting[0][name] - own for name, own in self.figures("MMS", {}).items()}
            if not all(value.is_integer() for value in start.values()):
                return None
            corrections = {name: int(value) for name, value in start.items()}
        figures_of = {first: parting[0]}
        for column in parting[1:]:
            tried = (each for each in TIE_BREAKS[first] if each not in figures_of)
            name = next((each for each in tried if self.figures(each, corrections) == column), "")
            if name:
                figures_of[name] = column
            elif column not in figures_of.values():
                break
        if first == "MMS" and len(figures_of) == 1:
            return None
        criteria = list(dict.fromkeys([*figures_of, *USUAL[first]]))[:MOST_CRITERIA]
        keeps_figures = all(column in figures_of.values() for column in columns)
        return Placing(criteria, corrections, keeps_figures, self.are_kept(criteria, corrections))


def _number(figure: str) -> float:
    return float(figure.replace("½", ".5").replace("?", ".5"))  # `?` in an H9 of the program, whose encoding has no ½
