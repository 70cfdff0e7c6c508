"""`handan print`: papers of a club, from files or from the club's ledger."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handan.cli import options
from handan.cli.card import chosen_card
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import say
from handan.cli.session import configured, rated
from handan.errors import FieldError, InputError, counted

if TYPE_CHECKING:
    from handan.club.names import ShownNames
    from handan.club.people import Person
    from handan.handicaps import Card
    from handan.ledger import When
    from handan.paper import Heading, Material

Out = Annotated[
    Path, typer.Option("--output", "-o", metavar="FILE", help="A .pdf or .html file to write.", show_default=False)
]
Files = Annotated[
    list[Path] | None,
    typer.Argument(metavar="FILE", help="Files of games, if it is not of a club of the server.", show_default=False),
]


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be printed, of whom."""

    paper: str
    name: str
    language: str
    players: list[str]
    month: str
    copies: int
    card: str
    country: str
    home: str

    @property
    def of(self) -> str:
        """Country and club of the members who are wished."""
        return ", ".join(filter(None, (self.country, self.home)))


@on_files
def command(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER",
            help="cards, points, poster, sheet, plates, list, evening, month or certificate.",
            show_default=False,
        ),
    ],
    files: Files = None,
    *,
    out: Out,
    club: Annotated[
        str | None, typer.Option("--club", metavar="CLUB", help="Short name of a club of the server.")
    ] = None,
    database: Annotated[
        str | None, typer.Option("--database", metavar="FILE|URL", help="Its database; else as configured.")
    ] = None,
    title: Annotated[str, typer.Option("--title", metavar="NAME", help="What the club is called on paper.")] = "",
    system: options.MaybeSystemName = None,
    setting: options.Settings = None,
    card: options.MaybeCard = None,
    player: Annotated[
        list[str] | None, typer.Option("--player", "-p", metavar="NAME", help="Only these members. Repeatable.")
    ] = None,
    country: Annotated[str, typer.Option("--country", metavar="CODE", help="Only members of this country.")] = "",
    home: Annotated[str, typer.Option("--of-club", metavar="NAME", help="Only members of this club.")] = "",
    month: Annotated[
        str,
        typer.Option("--month", metavar="YYYY-MM", help="Month of the sheet or promotions; else that of the list."),
    ] = "",
    copies: Annotated[int, typer.Option("--copies", metavar="N", help="Record sheets, numbered.")] = 1,
    language: Annotated[
        str, typer.Option("--language", metavar="CODE", help="en, ja, zh-hans, zh-hant, ko, fr or de.")
    ] = "en",
    reading: Reading,
    era: Annotated[bool, typer.Option("--era", help="Japanese papers count years by the era: 令和8年.")] = False,
) -> None:
    """Print member cards, points cards, the handicap poster, record sheets, wall plates, the rating list, the sheet of
    an evening, the monthly sheet, or certificates of promotion.

    The evening is the day of the list: that of the newest game, or of `--as-of`.

    A PDF needs the extra `print`; the same paper as .html prints in every browser.
    """
    from handan.paper import PAPERS, make
    from handan.paper.catalog import checked_name

    wish = Wish(checked_name(paper), title, language, player or [], month, copies, card or "", country, home)
    if club is not None and files:
        raise InputError("print from files or from a --club, not from both")
    if club is not None:
        material = _of_club(wish, club, database, reading)
    elif files:
        material = _of_files(wish, files, system, setting, reading)
    else:
        material = _of_nothing(wish, system, setting)
    if era:
        material = replace(material, heading=replace(material.heading, era=True))
    make(wish.paper, material).write(out)
    count = len(material.members) if PAPERS[wish.paper].of_members else 0
    members = f" of {counted(count, 'member')}" if count else ""
    say(f"{PAPERS[wish.paper].title}{members}: {out}")


def _of_nothing(wish: Wish, system: str | None, setting: list[str] | None) -> Material:
    """Return what papers about nobody are made from."""
    from handan.paper import PAPERS, Heading, Material
    from handan.systems.points import Points

    kind = PAPERS[wish.paper]
    if kind.of_members or kind.of_month or kind.of_evening:
        raise InputError(f"{wish.paper} are of members: name files of games, or a --club")
    heading = Heading(wish.name, date.today(), language=wish.language)  # noqa: DTZ011  # the day where it is printed
    rules = configured(system, setting) if system == "points" else None
    return Material(heading, card=rules.table if isinstance(rules, Points) else _card(wish), copies=wish.copies)


def _of_files(
    wish: Wish, files: list[Path], system: str | None, setting: list[str] | None, reading: Reading
) -> Material:
    from handan.ledger import When
    from handan.paper import PAPERS, Material, cards_of, evening_of, heading_of, list_of, members_of, month_of
    from handan.systems.points import Points

    pairs = [*(setting or ()), *([f"card={wish.card}"] if wish.card and (system or "points") == "points" else ())]
    session = rated(files, configured(system or "points", pairs), reading)
    ratings = session.ratings
    day = None if reading.as_of is None else When.parse(reading.as_of).moment.date()
    heading = heading_of(ratings, wish.name or files[0].stem, wish.language, day)
    members = members_of(ratings, wish.players, country=wish.country, club=wish.home)
    of_month = PAPERS[wish.paper].of_month
    month = month_of(members, cards_of(ratings, members), _month(wish, heading)) if of_month else None
    if PAPERS[wish.paper].of_promotions and month and not wish.players:
        members = month.promoted(members)
    evening = evening_of(members, cards_of(ratings, members), heading.day) if PAPERS[wish.paper].of_evening else None
    listed = replace(list_of(ratings, members, heading.day), of=wish.of) if PAPERS[wish.paper].of_list else None
    own = session.system.table if isinstance(session.system, Points) else _card(wish)
    return Material(heading, members, own, month=month, evening=evening, listed=listed, copies=wish.copies)


def _of_club(wish: Wish, slug: str, database: str | None, reading: Reading) -> Material:
    from handan.cli.club import _club
    from handan.cli.django import public_address, started

    started(database)
    from django.urls import reverse

    from handan.club.names import ShownNames, players_meant
    from handan.club.service import printing
    from handan.club.store.clock import at_place, today
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of
    from handan.ledger import When
    from handan.paper import PAPERS, Material

    club = _club(slug)
    state = state_of(club)
    day = None if reading.as_of is None else When.parse(reading.as_of).moment.date()
    with at_place(club):
        standings, now = standings_of(state, day), today()
    site = public_address("").rstrip("/")

    def address(key: str) -> str:
        """Return the address of a player's page for the code on a card; empty where the club has none."""
        return site and site + reverse("player", args=[club.slug, key])

    clubs = {other.slug: other.name for other in club.clubs.all()}
    names = ShownNames(state, wish.language, clubs)
    chosen = {_only(players_meant(state, text, names), text, names).key for text in wish.players}
    members = printing.members(standings, address, chosen, names=names)
    members = printing.of_home(members, state, day, wish.country, wish.home)
    heading = printing.heading(wish.name or club.name, standings, day or now, wish.language, is_live=day is None)
    of_month = PAPERS[wish.paper].of_month
    month = printing.month(standings, members, _month(wish, heading)) if of_month else None
    if PAPERS[wish.paper].of_promotions and month and not wish.players:
        members = month.promoted(members)
    evening = printing.evening(standings, members, heading.day) if PAPERS[wish.paper].of_evening else None
    of_list = PAPERS[wish.paper].of_list
    listed = replace(printing.rating_list(standings, members, heading.day), of=wish.of) if of_list else None
    own = printing.card_of(standings)
    card, since = (_card(wish), None) if wish.card or own is None else own
    entry = site and site + reverse("sheet", args=[club.slug])
    return Material(heading, members, card, since, month, evening, listed, wish.copies, entry)


def _only(people: list[Person], text: str, shown: ShownNames) -> Person:
    """Return the one player that a search found; InputError for none or several."""
    if len(people) != 1:
        names = ", ".join(shown.of(shown.state.labels[person.key]) for person in people[:5])
        raise InputError(f"player {text!r} fits {names or 'nobody'}; write the name in full")
    return people[0]


def _card(wish: Wish) -> Card | None:
    return chosen_card(wish.card) if wish.card else None


def _month(wish: Wish, heading: Heading) -> date:
    """Return a day of the month that is asked for, that of the list without a wish."""
    from handan.ledger import When

    if not wish.month:
        return heading.day
    try:
        when: When = When.parse(wish.month)
    except FieldError as error:
        raise FieldError("month", wish.month, "a month such as 2026-11") from error
    if when.precision < 7:
        raise FieldError("month", wish.month, "a month such as 2026-11")
    return when.moment.date()
