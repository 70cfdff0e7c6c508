"""What papers need, from ratings: the heading, the members as they stand, and their cards."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from handan.errors import InputError
from handan.paper.heading import Heading, Member
from handan.ranks import Rank
from handan.ratings import Explanation, Ratings
from handan.wording.figures import digits, fixed


def heading_of(ratings: Ratings, club: str, language: str = "en", day: date | None = None) -> Heading:
    """Return the heading of papers of a list: of a day, or of its newest game; InputError where no game has a date."""
    newest = ratings.ledger.newest
    if day is None and not newest:
        raise InputError("no game has a date; say of which day the list is")
    own = day or date.fromisoformat(str(newest)[:10])
    return Heading(club, own, "past", figure=figure_of(ratings.system.label), language=language)


def figure_of(system: str) -> Any:
    """Return what a system counts in, as papers call it."""
    return "points" if system == "points" else "rating"


def members_of(ratings: Ratings, names: Iterable[str] = ()) -> tuple[Member, ...]:
    """Return the players of a list, strongest first, or those named only; InputError for a name that is not there."""
    rows = list(ratings.table().iter_rows(named=True))
    decimals = digits(row["rating"] for row in rows)
    players = {player.name: player for player in ratings.ledger.players}
    chosen = {ratings.ledger.players[ratings.ledger.find(name)].name for name in names}
    return tuple(
        Member(
            row["player"],
            Rank.parse(row["rank"]) if row["rank"] else None,
            fixed(row["rating"], decimals),
            country=players[row["player"]].country,
        )
        for row in rows
        if not chosen or row["player"] in chosen
    )


def cards_of(ratings: Ratings, members: Iterable[Member]) -> dict[str, list[Explanation]]:
    """Return the lines of the members' cards by `Member.id`, without reasons."""
    return {member.id: ratings.explain(member.name, reasons=False) for member in members}
