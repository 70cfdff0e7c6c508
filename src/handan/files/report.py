"""The reading report: what a file was taken for, what it holds, and what was not taken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import polars as pl

from handan.errors import Clause, Problem
from handan.files.games.contents import Contents, Reading, games_of
from handan.files.games.interpretation import Understanding
from handan.ledger import Bye, Result, When
from handan.ledger.dates import DAY
from handan.ledger.events import two_in_one
from handan.ledger.identity import identify
from handan.ledger.results import Outcome

UNDATED_ONCE = "1 game without a date beside games that have one; not rated{hint}"
UNDATED = "{number} games without a date beside games that have one; not rated{hint}"


@dataclass(frozen=True, slots=True)
class Report:
    """One file in figures; each game is counted once."""

    file: str
    format: str
    """Empty for a file that could not be read."""
    players: int = 0
    """All who are listed, or who have a game."""
    games: int = 0
    rated: int = 0
    """Games that say who is stronger: a win by play or a jigo; those without a date only if no game has one."""
    handicap: int = 0
    """Games with a handicap of 1 or more."""
    jigo: int = 0
    byes: int = 0
    """Free wins; no games."""
    half_byes: int = 0
    """Rounds left out for half a point; no games."""
    absences: int = 0
    """Rounds left out for nothing; no games."""
    forfeits: int = 0
    """Games decided without play."""
    unplayed: int = 0
    """Pairings without a game, and games whose result is unknown."""
    both_lose: int = 0
    both_win: int = 0
    void: int = 0
    dates: tuple[str, str] = ("", "")
    """First and last day; empty where no game has a date."""
    problems: tuple[Problem, ...] = ()
    refusal: str = ""
    """Why the file could not be read at all."""
    understandings: tuple[Understanding, ...] = ()
    """What its tables were taken for."""

    @property
    def clean(self) -> bool:
        """Whether all was taken as it stands."""
        return not self.problems and not self.refusal

    @property
    def left_out(self) -> bool:
        """Whether a row, or the whole file, was left out."""
        return bool(self.refusal) or any(problem.rejected for problem in self.problems)

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        counts = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in LATER}
        problems = [asdict(problem) | {"message": str(problem)} for problem in self.problems]
        tables = [table.as_dict() for table in self.understandings]
        dates = {"from": self.dates[0], "to": self.dates[1]}
        return counts | dates | {"tables": tables, "problems": problems, "refusal": self.refusal}


LATER = ("dates", "problems", "refusal", "understandings")


def report(reading: Reading) -> Report:
    """Return the report of one file."""
    if reading.contents is None:
        return Report(reading.source, "", refusal=reading.refusal)
    contents = reading.contents
    games = contents.games
    outcomes = _counted(games)
    some_undated = 0 < games["date"].count() < games.height
    undated = games.filter(games["date"].is_null()) if some_undated else games.clear()
    undated_rated = _rated(_counted(undated))
    kinds = contents.byes_by_kind
    paired = sum(len(event.pairings) for event in contents.events)
    return Report(
        file=reading.source,
        format=reading.format,
        players=_players(contents),
        games=games.height,
        rated=_rated(outcomes) - undated_rated,
        handicap=int((games["handicap"] >= 1).sum()),
        jigo=_total(outcomes, Outcome.JIGO),
        byes=contents.byes + kinds[Bye.ALLOCATED] + kinds[Bye.FULL_POINT],
        half_byes=kinds[Bye.HALF_POINT],
        absences=kinds[Bye.ZERO_POINT],
        forfeits=sum(count for result, count in outcomes if result.by_default),
        unplayed=contents.unplayed + paired + _total(outcomes, Outcome.UNPLAYED),
        both_lose=_total(outcomes, Outcome.BOTH_LOSE),
        both_win=_total(outcomes, Outcome.BOTH_WIN),
        void=_total(outcomes, Outcome.VOID),
        dates=_dates(games),
        problems=(
            *contents.problems,
            *_identities(reading.source, games),
            *_without_day(reading.source, undated_rated),
        ),
        understandings=contents.understandings,
    )


def _counted(games: pl.DataFrame) -> list[tuple[Result, int]]:
    counts = games["result"].value_counts().iter_rows()
    return [(Result.parse(text), count) for text, count in counts]


def _rated(outcomes: list[tuple[Result, int]]) -> int:
    return sum(count for result, count in outcomes if result.score is not None and not result.by_default)


def _identities(source: str, games: pl.DataFrame) -> list[Problem]:
    """Return warnings of ids with several names, and of names with several ids."""
    return [Problem(source, None, "id", text, "", rejected=False, message=text) for text in _said_of_ids(games)]


def warnings_across(readings: Sequence[Reading]) -> list[str]:
    """Return warnings of ids of several files that none shows by itself, and of two events that are taken as one."""
    parts = [item.contents for item in readings if item.contents is not None]
    if len(parts) < 2:  # several
        return []
    alone = {text for contents in parts for text in _said_of_ids(contents.games)}
    names = [text for text in _said_of_ids(games_of(readings)) if text not in alone]
    return [*names, *two_in_one(event for contents in parts for event in contents.events)]


def _said_of_ids(games: pl.DataFrame) -> list[str]:
    """Return what is to be said of the ids of games, without a look at the names where there are none."""
    if not games["black_id"].max() and not games["white_id"].max():
        return []
    return identify(games.select("black", "white", "black_id", "white_id"))[2]


def _without_day(source: str, undated: int) -> list[Problem]:
    """Return a warning of games that are not rated, since other games of the file have a date and these have none."""
    if not undated:
        return []
    message = Clause.of(UNDATED_ONCE if undated == 1 else UNDATED, number=undated, hint=" (--date gives one)")
    return [Problem(source, None, "date", message, "", rejected=False, message=message)]


def _total(outcomes: list[tuple[Result, int]], outcome: Outcome) -> int:
    return sum(count for result, count in outcomes if result.outcome is outcome)


def _players(contents: Contents) -> int:
    if contents.entrants:
        return len(contents.entrants)
    games = contents.games
    names, ids = (pl.concat([games[f"{side}{part}"] for side in ("black", "white")]) for part in ("", "_id"))
    bare = ids == ""
    return names.filter(bare).n_unique() + ids.filter(~bare).n_unique()


def _dates(games: pl.DataFrame) -> tuple[str, str]:
    days = games.select("date", "precision").drop_nulls("date")
    if not days.height:
        return "", ""
    first, last = (days.row(place) for place in (days["date"].arg_min() or 0, days["date"].arg_max() or 0))
    return str(When(*first))[:DAY], str(When(*last))[:DAY]
