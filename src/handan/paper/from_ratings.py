"""What papers need, from ratings: the heading, the members as they stand, and their cards."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any

from handan.errors import InputError
from handan.paper.heading import Heading, Member
from handan.paper.rating_list import ListLine, RatingList
from handan.ranks import Rank
from handan.ratings import Explanation, Ratings
from handan.wording.figures import digits, fixed

DAYS = 30
"""Over which lists say how far somebody has come; our choice, that of the club's pages too."""


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


def members_of(ratings: Ratings, names: Iterable[str] = (), *, country: str = "", club: str = "") -> tuple[Member, ...]:
    """Return the players of a list, strongest first: all, or those of some names, of a country, of a club.

    InputError for a name that is not there.
    """
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
        if (not chosen or row["player"] in chosen)
        and (not country or players[row["player"]].country.casefold() == country.casefold())
        and (not club or players[row["player"]].club.casefold() == club.casefold())
    )


def list_of(ratings: Ratings, members: Iterable[Member], day: date) -> RatingList:
    """Return the rating list of members, with how far each has come in the `DAYS` before its day."""
    since = day - timedelta(days=DAYS)
    rows = {row["player"]: row for row in ratings.table(since=since).iter_rows(named=True)}
    return RatingList(tuple(_line(member, rows[member.name], since, ratings) for member in members), since)


def _line(member: Member, row: dict[str, Any], since: date, ratings: Ratings) -> ListLine:
    before = Rank.parse(row["rank_before"]) if row["rank_before"] else None
    played = str(row["last_played"] or "")[:10] > str(since)
    is_other = before is not None and before != member.rank
    change = None if not played or (is_other and ratings.system.traits.index_of_rank) else row["rating_change"]
    return ListLine(
        member, row["place"], row["games"], row["wins"], row["losses"], row["draws"], row["last_played"] or "",
        change, before if is_other else None,
    )  # fmt: skip


def cards_of(ratings: Ratings, members: Iterable[Member]) -> dict[str, list[Explanation]]:
    """Return the lines of the members' cards by `Member.id`, without reasons."""
    return {member.id: ratings.explain(member.name, reasons=False) for member in members}
