"""The sheet of an evening, A4: its games, the promotions, and the record of all who played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from markupsafe import Markup

from handan.paper.document import Paper
from handan.paper.heading import Heading, Member
from handan.paper.markup import tag
from handan.paper.month import DAY, Month, period_of
from handan.paper.monthly_sheet import name_of, promotions, sheet_of_days, table_of_players
from handan.paper.words import komi_words, words_of
from handan.ratings import Explanation
from handan.wording.figures import digits


class EveningGame(NamedTuple):
    """One game of an evening."""

    black: Member
    white: Member
    line: Explanation
    """What it was to Black."""


class Evening(NamedTuple):
    """The games of a day, in playing order, and what the day was to those who played."""

    games: tuple[EveningGame, ...]
    players: Month


def evening_of(members: Iterable[Member], cards: Mapping[str, Sequence[Explanation]], day: date) -> Evening:
    """Return the evening of a day.

    Args:
        members: In the order of the list, as they stand at its end.
        cards: The lines of each member's card by `Member.id`, in playing order.
        day: The day; games of which only month or year is known belong to no evening.
    """
    everybody, sides = tuple(members), dict[int, dict[str, tuple[Member, Explanation]]]()
    for member in everybody:
        for line in cards.get(member.id, ()):
            if line.game is not None and len(line.date) >= DAY and line.date[:DAY] == str(day):
                sides.setdefault(line.game, {})[line.colour] = member, line
    both = (pair for _number, pair in sorted(sides.items()) if pair.keys() >= {"black", "white"})
    games = tuple(EveningGame(pair["black"][0], pair["white"][0], pair["black"][1]) for pair in both)
    return Evening(games, period_of(everybody, cards, day, day))


def evening_sheet(heading: Heading, evening: Evening) -> Paper:
    """Return the sheet of an evening."""
    words = words_of("evening", heading.language)
    title = words["title"].format(day=heading.day_words(evening.players.first))
    return sheet_of_days(
        heading,
        evening.players,
        title,
        [
            _games(heading, evening.games),
            tag("h2", words_of("month", heading.language)["promotions"]),
            promotions(heading, evening.players, words["none"]),
            table_of_players(heading, evening.players, digits(line.change for line in evening.players.lines)),
        ],
    )


def _games(heading: Heading, games: Sequence[EveningGame]) -> Markup:
    words, shared = words_of("sheet", heading.language), heading.words
    heads = (words["number"], shared["black"], shared["white"], words["won"], words["stones"], words["komi"])
    head = tag("thead", tag("tr", *(tag("th", text) for text in heads)))
    rows = (_game(heading, number, game) for number, game in enumerate(games, 1))
    return tag("table", head, tag("tbody", *rows), classes="games")


def _game(heading: Heading, number: int, game: EveningGame) -> Markup:
    drawn, komi = words_of("month", heading.language)["jigo"], game.line.komi
    won = {"win": heading.words["black"], "loss": heading.words["white"], "jigo": drawn}.get(game.line.result, "–")
    terms = (str(game.line.handicap) if game.line.handicap > 1 else "",
             "" if komi is None else komi_words(komi, heading.language))  # fmt: skip
    names = (tag("td", name_of(heading, member)) for member in (game.black, game.white))
    return tag("tr", tag("td", str(number)), *names, tag("td", won), *(tag("td", text) for text in terms))
