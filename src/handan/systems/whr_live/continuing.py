"""A Whole-History Rating of a large ledger that goes on: games move those whom they reach (`changing.py`).

Nobody is left more than `TOLERANCE` (`families/live_versions.py`) to move; what is left adds up over many players, so
the whole solution may be farther away (docs/systems/whr.md).
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import fields, replace
from datetime import date
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from handan.errors import Clause
from handan.kernels.arrays import inverse, latest
from handan.kernels.types import Flags, Floats, Ints
from handan.ledger import Ledger
from handan.ledger.coded import Coded
from handan.ratings import Explanation, Ratings
from handan.ratings.lines import lines_between, lines_of, lines_of_games
from handan.systems.core.terms_worth import worth_of_stones
from handan.systems.families.continuing import pass_on_ranks
from handan.systems.families.live_versions import TOLERANCE, Reached, Versions
from handan.systems.families.paired_comparison import UNIT, PairedExtra
from handan.systems.families.solved import Lines, SolvedRatings
from handan.systems.whr import WHR, WHRExtra
from handan.systems.whr_live import history_of
from handan.systems.whr_live.lines import lines_of_players

FROM = 50_000  # games; our choice: fewer are solved anew with each, to the bit, while a page is made
NOTE = Clause.of(
    "games that come since then are added: whoever they leave more than {worth:.2f} Elo to move is solved",
    worth=UNIT * TOLERANCE,
)
LIVE = ("versions", "version", "variance", "last", "number")
"""Fields of ratings that go on live alone."""
OF_PLAYERS = {"tallies", "rank_texts", "last_days"}
"""What ratings make of their games, a row a player."""
PLAYERS_READ = 8  # our choice: players whose games are kept as they were read
READ_TOGETHER = 500  # our choice: players whose games are read at once; more take more memory, fewer more time


class Own(NamedTuple):
    """Ratings of the games of some players alone."""

    ratings: Ratings
    places: Ints
    """Places of these games in the whole ledger, ascending."""

    def place_of(self, game: int) -> int:
        """Return the place of a game, given by its number in the whole ledger, among these."""
        return int(np.searchsorted(self.places, game - 1))

    def in_the_whole(self, lines: Sequence[Explanation]) -> list[Explanation]:
        """Return lines of these games with their numbers in the whole ledger; the lines were made for this."""
        for line in lines:
            if line.game is not None:
                object.__setattr__(line, "game", int(self.places[line.game - 1]) + 1)
        return list(lines)


class Reads(NamedTuple):
    """Ratings that players had before one of their games, as they were read; shape (players,)."""

    game: Ints
    """Index of the game, -1 where none was read."""
    rating: Floats
    moved: Flags
    """Who has moved since."""


class LiveRatings(SolvedRatings):
    """Ratings of histories that go on: lines of single players are read from them, lines of all games solved anew."""

    versions: Versions
    version: int
    variance: Floats
    """Of each player on the last day, natural units, shape (players,)."""
    last: Ints
    """Number of each player's last day, shape (players,)."""
    number: Ints
    """Number of each player in the history, where who comes later has a higher one, shape (players,)."""

    @classmethod
    def beginning(cls, ratings: Ratings) -> LiveRatings:
        """Return solved ratings as ratings that can go on."""
        past, system = WHRExtra.of(ratings), ratings.system
        assert isinstance(system, WHR)  # noqa: S101  # only its ratings hold a WHRExtra
        own = _fields_of(ratings)
        extra = {part.name: getattr(ratings.extra, part.name) for part in fields(PairedExtra)}
        made = object.__new__(cls)
        vars(made).update(
            own | {name: value for name, value in vars(ratings).items() if name in OF_PLAYERS},
            extra=PairedExtra(**(extra | {"make": partial(lines_anew, system, ratings.ledger)})),
            versions=Versions(history_of(system, ratings)),
            version=0,
            variance=past.last_variances,
            last=past.solved.model.days.ends.astype(np.int64),
            number=np.arange(len(ratings.ledger.players)),
            notes=(*ratings.notes, NOTE),
        )
        return made

    @property
    def entry(self) -> Floats:
        """Entry of every player, natural units, shape (players,)."""
        return PairedExtra.of(self).entry / UNIT

    def but_for(self, **changed: Any) -> LiveRatings:
        """Return ratings of which some fields are others; what was worked out of these is left out."""
        made = object.__new__(LiveRatings)
        vars(made).update(_fields_of(self) | {name: vars(self)[name] for name in LIVE} | changed)
        assert isinstance(made.system, WHR)  # noqa: S101  # as of those in the beginning
        extra = PairedExtra.of(made)
        vars(made)["extra"] = replace(extra, make=partial(lines_anew, made.system, made.ledger))
        return made

    def worth_of(self, ledger: Ledger) -> Floats:
        """Return what the terms of games are worth to Black, natural units, shape (games,)."""
        assert isinstance(self.system, WHR)  # noqa: S101  # as of those in the beginning
        return np.asarray(worth_of_stones(ledger, self.system.worth_of_stone, self.system.advantage) / UNIT)

    def followed_by(self, reached: Reached, ledger: Ledger, **more: Any) -> LiveRatings:
        """Return the ratings of another ledger of the same players, in which some have moved."""
        system = self.system
        assert isinstance(system, WHR)  # noqa: S101  # as of those in the beginning
        rating, variance, last = self.rating.copy(), self.variance.copy(), self.last.copy()
        players = inverse(self.number)[reached.players]
        rating[players] = UNIT * (reached.strength + self.entry[players])
        variance[players], last[players] = reached.variance, reached.number
        after = latest(last[self.pool >= 0]) - last
        made = self.but_for(
            ledger=ledger,
            rating=rating,
            deviation=UNIT * np.sqrt(variance + after * system.growth),
            version=reached.version,
            variance=variance,
            last=last,
            **more,
        )
        pass_on_ranks(self, made, players.tolist())
        if "reads" in vars(self):
            reads = self._reads
            moved = reads.moved.copy()
            moved[players] = True
            vars(made)["reads"] = reads._replace(moved=moved)
        return made

    @property
    def _reads(self) -> Reads:
        """What `ratings_before` has read."""
        players = len(self.ledger.players)
        nothing = Reads(np.full(players, -1), np.full(players, np.nan), np.zeros(players, dtype=np.bool_))
        reads: Reads = vars(self).setdefault("reads", nothing)
        return reads

    def ratings_before(self, games: Ints, sides: Ints) -> Floats:
        """Return the ratings of sides (0 black, 1 white) before rated games, given by index, one game a player.

        Those of players who have moved since are read again. With others, what their opponents' moves add to the
        gradients of all their days is within the tolerance, or they would have been solved.
        """
        black, white = self.ledger.seats
        players = np.where(sides == 1, white[games], black[games]).astype(np.int64)
        reads = self._reads
        game, rating = np.where(reads.moved, -1, reads.game), reads.rating.copy()
        missing = np.flatnonzero(game[players] != games)
        for start in range(0, len(missing), READ_TOGETHER):
            part = missing[start : start + READ_TOGETHER]
            own = _read(self, np.sort(players[part]))
            if own is None:
                values: Floats = self.before[games, sides]
                return values
            rating[players[part]] = own.ratings.before[np.searchsorted(own.places, games[part]), sides[part]]
        game[players] = games
        vars(self)["reads"] = Reads(game, rating, np.zeros_like(reads.moved))
        result: Floats = rating[players]
        return result

    def lines_between(self, players: Sequence[int], first: date, last: date) -> dict[int, list[Explanation]]:
        """Return the lines of players from one day to another, as `ratings.lines.lines_between`."""
        lines: dict[int, list[Explanation]] = {}
        for start in range(0, len(players), READ_TOGETHER):
            part = players[start : start + READ_TOGETHER]
            own = _read(self, np.sort(np.array(part)))
            if own is None:
                lines |= lines_between(self, part, first, last)
            else:
                read = lines_between(own.ratings, part, first, last)
                lines |= {player: own.in_the_whole(each) for player, each in read.items()}
        return lines

    def _own(self, player: int) -> Own | None:
        """Return the ratings of the games of one player; None where this version cannot be reached any more."""
        kept: dict[int, Own] = vars(self).setdefault("own", {})
        if player not in kept:
            own = _read(self, np.array([player]))
            if own is None:
                return None
            if len(kept) >= PLAYERS_READ:
                kept.clear()
            kept[player] = own
        return kept[player]

    def _lines(self, player: int, *, reasons: bool | Container[int]) -> list[Explanation]:
        own = self._own(player)
        if own is None:
            return super()._lines(player, reasons=reasons)
        if not isinstance(reasons, bool):
            numbers = enumerate((own.places + 1).tolist(), 1)
            reasons = {number for number, whole in numbers if whole in reasons}
        return own.in_the_whole(lines_of(own.ratings, player, reasons=reasons))

    def _line(self, player: int, game: int, *, reasons: bool | Container[int]) -> list[Explanation]:
        own = self._own(player)
        if own is None or self.unrated[game - 1]:
            return super()._line(player, game, reasons=reasons)
        wanted = reasons if isinstance(reasons, bool) else game in reasons
        return own.in_the_whole(lines_of_games(own.ratings, player, [own.place_of(game)], reasons=wanted))

    def deviation_after(self, game: int, side: int) -> float:
        """Return the deviation of one side (0 black, 1 white) on the day of a game, given by number."""
        own = self._own(int(self.ledger.seats[side][game - 1]))
        ratings, place = (self, game - 1) if own is None else (own.ratings, own.place_of(game))
        deviations = ratings.deviations
        assert deviations is not None  # noqa: S101  # this system knows them
        return float(deviations[place, side])

    def reasoned(self, name: str, lines: Sequence[Explanation]) -> list[Explanation]:
        """Return lines of rated games of a player with their reasons, which `explain` has left out."""
        player = self.ledger.find(name)
        own = self._own(player)
        if own is None:
            return super().reasoned(name, lines)
        places = [own.place_of(int(line.game or 0)) for line in lines]
        sides = (own.ratings.ledger.white[places] == player).astype(int).tolist()
        pairs = zip(lines, places, sides, strict=True)
        return [replace(line, reason=own.ratings.system.reason(own.ratings, *place)) for line, *place in pairs]


def goes_on_live(ratings: Ratings) -> bool:
    """Return whether ratings are of a whole history so large that games are added to it, not all solved anew."""
    return isinstance(ratings.extra, WHRExtra) and takes_games(ratings.system, ratings.ledger)  # else: it does already


def takes_games(system: object, ledger: Ledger) -> bool:
    """Return whether a ledger is so large that a system adds games to its solved history, not all solved anew."""
    return (
        isinstance(system, WHR)
        and system.handicap == "pinned"  # what is learned of handicaps, all games would teach anew
        and len(ledger) >= FROM
        and isinstance(ledger.columns, Coded)
    )


def _fields_of(ratings: Ratings) -> dict[str, Any]:
    """Return the fields of ratings by name, without those that are made with the lines of all games."""
    there = vars(ratings)
    return {
        part.name: there[part.name]
        for part in fields(Ratings)
        if part.name in there and part.name not in SolvedRatings.later
    }


def lines_anew(system: WHR, ledger: Ledger) -> Lines:
    """Return the lines of all games, solved anew."""
    return WHRExtra.of(system.rate(ledger)).lines


def _read(ratings: LiveRatings, players: Ints) -> Own | None:
    """Return the ratings of the games of some players, ascending, read from the histories.

    None where the version cannot be reached any more.
    """
    ledger, system = ratings.ledger, ratings.system
    assert isinstance(ledger.columns, Coded)  # noqa: S101  # no other ledger goes on
    assert isinstance(system, WHR)  # noqa: S101  # as of those in the beginning
    black, white = ledger.seats
    if len(players) == 1:  # by far sooner than many
        player = int(players[0])  # a number of numpy would have all seats copied in its own type
        places = np.flatnonzero((black == player) | (white == player))
    else:
        wanted = np.zeros(len(ledger.players), dtype=np.bool_)
        wanted[players] = True
        places = np.flatnonzero(wanted[black] | wanted[white])
    part = Ledger(ledger.columns.taken(places), ledger.players)
    schedule = system.schedule_of(part)
    with ratings.versions.at(ratings.version) as history:
        if history is None:
            return None
        entered, worth = PairedExtra.of(ratings).entry, ratings.worth_of(part)[schedule.sequence]
        lines = lines_of_players(system, schedule, history, players, entered, worth, ratings.number)
    own = _fields_of(ratings)
    made = object.__new__(SolvedRatings)
    vars(made).update(
        own,
        ledger=part,
        unrated=schedule.unrated,
        sequence=schedule.sequence,
        batch=schedule.batch,
        extra=replace(PairedExtra.of(ratings), make=lambda: lines),
    )
    return Own(made, places)
