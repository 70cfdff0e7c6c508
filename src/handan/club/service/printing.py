"""A club's standings as the material of its papers."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

from handan.club.movement import MONTH, Movement
from handan.club.names import ShownNames
from handan.club.standings import LadderFilter, LadderOrder
from handan.club.state import State
from handan.handicaps import Card
from handan.paper import Evening, Heading, ListLine, Member, Month, RatingList, evening_of, month_of, period_of
from handan.paper.from_ratings import figure_of
from handan.ranks import Rank
from handan.ratings import Explanation
from handan.systems.points import Points
from handan.wording.figures import digits, fixed

if TYPE_CHECKING:
    from handan.club.service.looking import ClubStandings

Address = Callable[[str], str]
"""Return the address of the page of a player, given by key; empty where none is known."""


def heading(name: str, standings: ClubStandings, day: date, language: str, *, is_live: bool) -> Heading:
    """Return the heading of papers of a club's list, live or of an earlier day."""
    kind = "live" if is_live else "past"
    return Heading(name, day, kind, figure=figure_of(standings.rules.system), language=language)  # type: ignore[arg-type]


def official_heading(name: str, content: Mapping[str, Any], language: str) -> Heading:
    """Return the heading of papers of an official list."""
    day, label = date.fromisoformat(content["as_of"]), str(content["label"])
    return Heading(name, day, "official", label, figure_of(content["rules"][-1]["system"]), language)


def members(
    standings: ClubStandings,
    address: Address,
    chosen: Collection[str] = (),
    content: Mapping[str, Any] | None = None,
    names: ShownNames | None = None,
) -> tuple[Member, ...]:
    """Return members as they stand, strongest first.

    Args:
        standings: Of the club.
        address: Of each one's page.
        chosen: Keys of players; empty: all.
        content: An official list to take ranks and ratings from in place of the standings; who has left is not in it.
        names: How players are shown; else as in a club by itself, in English.
    """
    names = names or ShownNames(standings.state)
    if content is None:
        wanted = LadderFilter(only=frozenset(chosen) if chosen else None)
        rows, decimals = standings.ordered(LadderOrder(), wanted, {}), standings.decimals
    else:
        rows = [row for row in content["players"] if not chosen or row["key"] in chosen]
        decimals = digits(row["rating"] for row in content["players"])
    return tuple(
        _member(standings, row, decimals, address, names) for row in rows if row["key"] in standings.state.people
    )


def of_home(
    everybody: tuple[Member, ...], state: State, day: date | None, country: str, club: str
) -> tuple[Member, ...]:  # fmt: skip
    """Return the members of a country and of a club on a day, None: now; all where neither is named."""
    home = LadderFilter(country=country, club=club)
    if home == LadderFilter():
        return everybody
    keys = {person.key for person in home.people(state, day)}
    return tuple(member for member in everybody if member.key in keys)


def _member(
    standings: ClubStandings, row: Mapping[str, Any], decimals: int, address: Address, names: ShownNames
) -> Member:
    person = standings.state.person(row["key"])
    return Member(
        names.of(str(row["player"])),
        Rank.parse(row["rank"]) if row["rank"] else None,
        fixed(row["rating"], decimals),
        person.reading,
        person.country,
        address(person.key),
        person.key,
    )


def rating_list(
    standings: ClubStandings, everybody: Sequence[Member], day: date, content: Mapping[str, Any] | None = None
) -> RatingList:
    """Return the rating list of members, with how far each has come of late.

    Args:
        standings: Of the club.
        everybody: The members of the list, in its order.
        day: Of the list.
        content: An official list in place of the standings; it says nothing of changes.
    """
    if content is not None:
        rows = {row["key"]: row for row in content["players"]}
        return RatingList(tuple(_list_line(member, rows[member.key], None) for member in everybody))
    since = day - timedelta(days=MONTH)
    moves = standings.movements(since)
    standings.prefetch(member.key for member in everybody)
    lines = (_list_line(member, standings.by_key[member.key], moves.get(member.key)) for member in everybody)
    return RatingList(tuple(lines), since)


def _list_line(member: Member, row: Mapping[str, Any], moved: Movement | None) -> ListLine:
    before = Rank.parse(moved.rank_before) if moved and moved.rank_before else None
    return ListLine(
        member, row["place"], row["games"], row["wins"], row["losses"], row["draws"], str(row["last_played"] or ""),
        moved.change if moved else None, before if before != member.rank else None,
    )  # fmt: skip


def month(standings: ClubStandings, everybody: tuple[Member, ...], day: date) -> Month:
    """Return what the month that a day lies in was to the members."""
    first = day.replace(day=1)
    last = first.replace(day=monthrange(day.year, day.month)[1])
    return month_of(everybody, _cards(standings, everybody, first, last), day)


def evening(standings: ClubStandings, everybody: tuple[Member, ...], day: date) -> Evening:
    """Return the games of a day, and what it was to the members who played."""
    return evening_of(everybody, _cards(standings, everybody, day, day), day)


def period(standings: ClubStandings, everybody: tuple[Member, ...], first: date, last: date) -> Month:
    """Return what the days from one to another were to the members."""
    return period_of(everybody, _cards(standings, everybody, first, last), first, last)


def _cards(
    standings: ClubStandings, everybody: tuple[Member, ...], first: date, last: date
) -> dict[str, list[Explanation]]:  # fmt: skip
    """Return the lines of each member's card from one day to another by `Member.id`, of those who played then."""
    lines = standings.lines_between(first, last)
    return {member.id: [line.explanation for line in lines[member.key]] for member in everybody if member.key in lines}


def card_of(standings: ClubStandings) -> tuple[Card, date | None] | None:
    """Return the points card of a club and since when it holds; None where its system has none."""
    made = standings.rules.made
    return (made.table, standings.rules.since) if isinstance(made, Points) else None
