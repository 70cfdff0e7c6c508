"""Figures of a club: prizes and promotions of a period, how the ranks are spread, and who plays whom."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, NamedTuple

import polars as pl
from django.http import HttpResponse
from django.shortcuts import render

from handan.club.service import printing
from handan.club.store.models import Role
from handan.paper import Month, MonthLine
from handan.ranks import Rank
from handan.web.pages.here import Here, page
from handan.wording.figures import digits, signed

YEAR = 365  # days; our choice: over which it is counted who plays whom
PAIRS = 20  # our choice: pairs that are shown


class Pairing(NamedTuple):
    """Two players, and the games between them."""

    one: str
    other: str
    games: int
    won: int
    """By the first."""
    lost: int


@page(Role.VISITOR)
def figures(here: Here) -> HttpResponse:
    """Show prizes, promotions, ranks and pairings."""
    first, last, without_games = here.period(day=1)
    period = _period(here, first, last)
    risen = [(line.member, line.promotion) for line in period.promotions if line.promotion]
    pairs = pairings(here, last - timedelta(days=YEAR), last)[:PAIRS]
    here.state.labels.prefetch(key for pair in pairs for key in pair[:2])
    context = {
        "first": first,
        "last": last,
        "without_games": without_games,
        "prizes": prizes(period),
        "promotions": sorted(risen, key=lambda each: (each[1].day, each[1].after), reverse=True),
        "ranks": spread(here),
        "pairs": [{**pair._asdict(), "names": [here.state.labels[key] for key in pair[:2]]} for pair in pairs],
    }
    return render(here.request, "handan/figures.html", context)


def _period(here: Here, first: date, last: date) -> Month:
    """Return what the days were to those who played since the first of them."""
    keys = here.standings.movements(first - timedelta(days=1))
    members = printing.members(here.standings, lambda _: "", set(keys), names=here.shown_names) if keys else ()
    return printing.period(here.standings, members, first, last)


def prizes(period: Month) -> dict[str, list[dict[str, Any]]]:
    """Return who leads in each of four things, three each and those who have as much as the third."""
    decimals = digits(line.change for line in period.lines)
    kinds: dict[str, tuple[Callable[[MonthLine], float], Callable[[float], str]]] = {
        "games": (lambda line: line.games, str),
        "wins": (lambda line: line.wins, str),
        "gain": (lambda line: line.change, lambda value: signed(value, decimals)),
        "streak": (lambda line: line.streak if line.streak > 1 else 0, str),
    }

    def leaders(figure: Callable[[MonthLine], float], text: Callable[[float], str]) -> list[dict[str, Any]]:
        best = period.best(figure)
        return [{"key": line.member.key, "name": line.member.name, "value": text(figure(line))} for line in best]

    return {name: leaders(*kind) for name, kind in kinds.items()}


def spread(here: Here) -> list[dict[str, Any]]:
    """Return how many players have each rank, strongest first, with the share of the largest for a bar."""
    counts = here.standings.rank_counts
    most = max(counts.values(), default=1)
    ranks = sorted(counts, key=Rank.parse, reverse=True)
    return [{"rank": rank, "players": counts[rank], "share": round(100 * counts[rank] / most)} for rank in ranks]


def pairings(here: Here, first: date, last: date) -> list[Pairing]:
    """Return the pairs who met between two days, those with most games first."""
    games = here.games_between(first, last)
    won = pl.col("result").cast(pl.String).str.starts_with("B+")
    lost = pl.col("result").cast(pl.String).str.starts_with("W+")
    sides = [pl.col(name).cast(pl.String) for name in ("black", "white")]
    counted = games.group_by(*sides).agg(pl.len(), won.sum().alias("won"), lost.sum().alias("lost"))
    tally: dict[tuple[str, str], list[int]] = {}
    for black, white, *numbers in counted.iter_rows():
        one, other = here.state.final(black), here.state.final(white)
        turned = one > other
        own = tally.setdefault((other, one) if turned else (one, other), [0, 0, 0])
        played, first_won, second_won = (numbers[0], numbers[2], numbers[1]) if turned else numbers
        own[0], own[1], own[2] = own[0] + played, own[1] + first_won, own[2] + second_won
    pairs = [Pairing(*names, *numbers) for names, numbers in tally.items()]
    return sorted(pairs, key=lambda pair: (-pair.games, pair.one, pair.other))
