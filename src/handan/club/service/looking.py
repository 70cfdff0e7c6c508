"""What somebody sees of a club: now or on a day, as it was known on a day, under its own system or another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import polars as pl

from handan.club.changes import HANDLERS
from handan.club.entries import HIDDEN, Record
from handan.club.kinds import Kind
from handan.club.lists import without_gone
from handan.club.names import NotInClubError, game_of, person_of
from handan.club.people import Person
from handan.club.recorded import Chosen
from handan.club.rules import Rules
from handan.club.standings import Line, Standings
from handan.club.state import COUNTS, State
from handan.club.store.access import Actor, Hidden, NotAllowedError, hidden, may_look, person_key, seen_state
from handan.club.store.clock import evening_day, today
from handan.club.store.models import Club, Entry, Role, records_of
from handan.club.store.register import categories_on
from handan.club.store.standings import ReplayedList, standings_of
from handan.club.store.states import state_known, state_of
from handan.club.store.stored_standings import StoredStandings, list_on, shown_standings
from handan.errors import Clause, InputError
from handan.handicaps import Terms
from handan.ranks import Rank

if TYPE_CHECKING:
    from handan.club.store.models import Entries


ClubStandings = Standings | StoredStandings
"""Of a club: made from all games, or as rows of its list."""


class NextGame(NamedTuple):
    """The fair terms of the next game of two players."""

    terms: Terms
    win_probability: float | None
    """Of Black, at these terms; None where the system has no law of winning."""
    newcomers: list[str]
    """Who of the two has neither games nor a rank, and is taken as a newcomer."""


OF_GAMES = [str(kind) for kind, handler in HANDLERS.items() if handler.of_game or kind is Kind.GAME_RECORDED]
"""Kinds of entry that say something of one game."""


@dataclass(kw_only=True)
class Look:
    """A look at a club by somebody; what it shows is worked out when it is asked for, and once."""

    actor: Actor
    day: date | None = None
    """The last day whose games count (`as_of`), None: all."""
    day_known: date | None = None
    """The day at whose end the entries are read (`known`), None: all of now."""
    system: str | None = None
    """A system with its published constants in place of the club's own rules, None: those."""
    lags: bool = False
    """Whether the live list may be that of an earlier entry while a new one is solved."""
    made: Standings | None = None
    """Standings that were made already and are looked at in place of these, with their state."""

    @property
    def club(self) -> Club:
        """The club."""
        return self.actor.club

    @property
    def is_past(self) -> bool:
        """Whether a day is looked at that is over, or what was known on one."""
        return self.day is not None or self.day_known is not None

    @cached_property
    def state(self) -> State:
        """The club now, or as known at the end of the day `day_known`, as who looks may see it."""
        if self.made is not None:
            return self.made.state
        state = self.state_now if self.day_known is None else state_known(self.club, self.day_known)
        return seen_state(state, self.hidden)

    @cached_property
    def state_now(self) -> State:
        """The club now, with the names that are hidden from who looks."""
        return state_of(self.club)

    @cached_property
    def standings(self) -> ClubStandings:
        """The standings under the club's rules or the other system, as of and as known on the days."""
        if self.made is not None:
            return self.made
        if self.is_past or self.system is not None:
            return standings_of(self.state, self.day, None if self.system is None else Rules(self.system))
        return shown_standings(self.club, self.state, waits=not self.lags)

    def standings_on(self, day: date) -> ClubStandings | ReplayedList:
        """Return the standings from which a game of a day is played: those of its day where it lies in the past."""
        if day >= today():
            return self.standings
        if day not in self.past_lists:
            self.past_lists[day] = list_on(self.club, self.state, day)
        return self.past_lists[day]

    @cached_property
    def evening_day(self) -> date:
        """The day of games that are played now: today, or yesterday while its evening goes on."""
        return evening_day(self.club)

    @property
    def played_from(self) -> ClubStandings | ReplayedList:
        """The standings from which the next game is played: those of its evening, also past midnight."""
        if self.made is not None or self.is_past or self.system is not None:
            return self.standings
        return self.standings_on(self.evening_day)

    @cached_property
    def past_lists(self) -> dict[date, Standings | ReplayedList]:
        """Lists of past days by day, each worked out once."""
        return {}

    @property
    def after_entry(self) -> int | None:
        """The entry that the live list follows, where it is not the last one."""
        made = self.standings
        return made.list.number if isinstance(made, StoredStandings) and made.is_behind else None

    def under(self, system: str) -> Standings:
        """Return the standings of all games under another system with its published constants."""
        return standings_of(self.state, self.day, Rules(system))

    @property
    def rules(self) -> Rules:
        """The rules in force; known even where they find no answer for these games."""
        return self.state.rules_on(self.day or today())

    @property
    def label(self) -> str:
        """What kind of list the standings are: live, or what they leave out."""
        parts = []
        if self.day:
            parts.append(f"games up to {self.day}")
        if self.day_known:
            parts.append(f"as known on {self.day_known}")
        return ", ".join(parts) or "live"

    @cached_property
    def my_card(self) -> str:
        """The key of the player who looks; empty for who is none."""
        return person_key(self.state, self.actor.player)

    def person(self, key: str) -> Person:
        """Return a player by key, the one they were merged into if so; NotInClubError for a stranger."""
        return person_of(self.state, key)

    def game(self, key: str) -> dict[str, Any]:
        """Return a game's row; NotInClubError if there is none."""
        return game_of(self.state, key)

    def games_between(self, first: date, last: date) -> pl.DataFrame:
        """Return the games that count of some days, both included, up to the day of the look, oldest first."""
        days = datetime.combine(first, time.min), datetime.combine(last, time.max)
        games = self.state.recorded.latest(Chosen(status=COUNTS, day=self.day, days=days))
        return games.drop_nulls("date").reverse()

    @cached_property
    def last_played(self) -> date | None:
        """The day of the last game that counts, up to the day of the look; None without games that have a day."""
        [*days] = self.state.recorded.latest(Chosen(status=COUNTS, day=self.day), 0, 1)["date"].drop_nulls().dt.date()
        return days[0] if days else None

    def games(
        self, player: str = "", status: int | None = None, event: str = "", start: int = 0, stop: int | None = None
    ) -> pl.DataFrame:
        """Return the games up to the day, latest first, those without a date last.

        Args:
            player: Key of the player whose games are wanted; empty: all.
            status: Their status; None: any.
            event: Key of the event whose games are wanted, or a word of an event; empty: all.
            start: The first place that is wanted.
            stop: The place before which to end; None: with the last.
        """
        games = self.state.recorded.latest(self._chosen(player, status, event), start, stop)
        if stop is not None:
            self.state.labels.prefetch([*games["black"], *games["white"]])
        return games

    def number_of_games(self, player: str = "", status: int | None = None, event: str = "") -> int:
        """Return how many games there are up to the day, as those of `games`."""
        return self.state.recorded.count(self._chosen(player, status, event))

    def _chosen(self, player: str, status: int | None, event: str) -> Chosen:
        chosen = Chosen(self.state.names_of(player) if player else None, status, self.day)
        if event in self.state.events:
            entered = self.state.events[event]
            days = entered.first.moment, entered.last.last
            return chosen._replace(event=entered.name, days=days, club=entered.club)
        if event and not self.state.label_of(event):  # a word that is not shown
            return chosen._replace(keys=())
        return chosen._replace(event=event) if event else chosen

    def sides(self, game: Mapping[str, Any]) -> list[Line]:
        """Return what a game did to Black and White; empty for one that does not count, or not yet on the day."""
        try:
            return self.standings.game(f"g{game['line']}") if game["status"] == COUNTS else []
        except InputError:
            return []

    def next_game(self, one: str, other: str, ranks: Mapping[str, Rank] | None = None) -> NextGame:
        """Return the fair terms of the next game of two players, given by key; InputError for one player twice.

        `ranks` are those with which newcomers are provisionally taken, by key.
        """
        keys = [self.person(key).key for key in (one, other)]
        if keys[0] == keys[1]:
            raise InputError("terms are for two players")
        if not self.state.gone.isdisjoint(keys):
            raise InputError("terms are for two players who are there")
        terms = self.played_from.fair_terms(keys[0], keys[1], ranks)
        black, white = (self.standings.state.keys[name] for name in (terms.black, terms.white))
        probability = self.standings.win_probability(black, white, terms.handicap, terms.komi)
        return NextGame(terms, probability, self.standings.newcomers(*keys))

    @cached_property
    def categories(self) -> dict[str, str]:
        """The category by age of players by key, on the day; of who is hidden from who looks none."""
        names = categories_on(self.club, self.state, self.day or today())
        gone = self.hidden.names if names and self.hidden else {}
        return {key: name for key, name in names.items() if key not in gone}

    @cached_property
    def hidden(self) -> Hidden | None:
        """Whom a visitor does not see by name; None for members, who see everybody."""
        return None if self.actor.may(Role.PLAYER) else hidden(self.club, self.state_now)

    def seen(self, record: Record) -> Record:
        """Return an entry as who looks may see it: who wrote it, and why, is for those who see the whole log."""
        shown = record if self.hidden is None else self.hidden.mentions.without(record, HIDDEN)
        return shown if self.sees_log else replace(shown, author="", reason="")

    @property
    def sees_log(self) -> bool:
        """Whether who looks sees every entry with who wrote it and why; others see what was said of games."""
        return self.club.open_log or self.actor.may(Role.PLAYER)

    def entries_shown(self) -> Entries:
        """Return the entries that the log shows who looks, in order: all, or those about games alone."""
        entries = Entry.objects.filter(club=self.club).order_by("number")
        return entries if self.sees_log else entries.filter(kind__in=OF_GAMES)

    def entries(self) -> Entries:
        """Return the entries in order, to be shown by `seen`; NotAllowedError if the log is closed to who looks."""
        if not self.sees_log:
            raise NotAllowedError("the log of this club is open to its members; sign in")
        return Entry.objects.filter(club=self.club).order_by("number")

    def entries_about(self, subject: str) -> list[Record]:
        """Return the entries about a game, player or adjustment, in order, as who looks may see them."""
        return [self.seen(entry.record) for entry in Entry.objects.filter(club=self.club, subject=subject)]

    def log(self, at_once: int, entries: Entries | None = None) -> Iterator[list[Record]]:
        """Go through all entries that there are now, or those given, as who looks may see them, so many at once.

        NotAllowedError if the log is closed to them. Entries are read when their part is asked for, so that who takes
        them slowly keeps nothing open.
        """
        entries, last = self.entries() if entries is None else entries, self.club.number
        ranges = ((first, min(first + at_once, last + 1)) for first in range(1, last + 1, at_once))
        parts = (entries.filter(number__gte=first, number__lt=behind) for first, behind in ranges)
        return (list(map(self.seen, records_of(part))) for part in parts)

    def official_list(self, number: int) -> dict[str, Any]:
        """Return the content of an official list as it was published; NotInClubError for one that there is not."""
        for item in self.state.lists:
            if item.number == number:
                content: dict[str, Any] = Entry.objects.get(club=self.club, number=item.entry).record.facts["content"]
                return without_gone(content, self.hidden.name) if self.hidden else content
        raise NotInClubError(Clause.of("there is no list {number}", number=number))


def visible_clubs(everywhere: Iterable[Actor]) -> list[Actor]:
    """Return, of what somebody is in some clubs, the clubs that they may look at, if only at the ladder."""
    return [by for by in everywhere if may_look(by, ladder=True)]


def need_look(by: Actor, *, ladder: bool = False) -> None:
    """Refuse a visitor to whom a club is closed; `ladder` marks what is seen of one that shows its ladder only."""
    if not may_look(by, ladder=ladder):
        raise NotAllowedError(Clause.of("{club} shows this to its members only", club=by.club_name))
