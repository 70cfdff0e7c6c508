"""League tables and ladder cups over games that are chosen by their days, kind and event."""

from __future__ import annotations

import math
from datetime import date, timedelta
from typing import Any

import polars as pl
from django.http import HttpResponse
from django.shortcuts import render

from handan.club.league import LeagueGame, LeagueRow, challenge_ladder, league_table
from handan.club.store.models import Role
from handan.ledger import Result
from handan.ranks import Rank
from handan.web.pages.here import Here, page, text_of, whole_number
from handan.wording.figures import brief

MOST = 40  # our choice: players of a table, as many as can be read
WORDS = {1.0: "win", 0.5: "jigo", 0.0: "loss"}


@page(Role.VISITOR)
def league(here: Here) -> HttpResponse:
    """Show who won how often against whom."""
    first, last, without_games = here.period(month=1, day=1)
    games = here.games_between(first, last)
    shown = {
        name: sorted(filter(None, map(here.state.label_of, games[name].cast(pl.String).unique())))
        for name in ("kind", "event")
    }
    wanted = {name: text_of(here.request, name) for name in shown}
    for name, text in wanted.items():
        if text:  # of a name that is hidden nobody learns that it is there
            games = games.filter((pl.col(name).cast(pl.String) == text) & pl.lit(text in shown[name]))
    least = max(1, whole_number(text_of(here.request, "games")) or 1)
    chosen, is_cup = _games(here, games), "cup" in here.request.GET
    rows, began = league_table(chosen, least), dict[str, int]()
    if is_cup:
        rows, began = _cup(here, chosen, rows, first)
    context: dict[str, Any] = {"first": first, "last": last, "without_games": without_games, "kinds": shown["kind"]}
    context |= {"events": shown["event"], "least": least, **wanted}
    context |= {"rows": _shown(here, rows[:MOST], began), "players": len(rows), "most": MOST, "is_cup": is_cup}
    return render(here.request, "handan/league.html", context)


def _games(here: Here, games: pl.DataFrame) -> list[LeagueGame]:
    """Return the games with a result, the oldest first."""
    chosen = []
    here.state.labels.prefetch([*games["black"], *games["white"]])
    for row in games.iter_rows(named=True):
        score = Result.parse(row["result"]).score
        if score in WORDS:
            black, white = (here.state.person(row[side]).key for side in ("black", "white"))
            chosen.append(LeagueGame(f"g{row['line']}", black, white, score))
    return chosen


def _cup(
    here: Here, games: list[LeagueGame], rows: list[LeagueRow], first: date
) -> tuple[list[LeagueRow], dict[str, int]]:
    """Return the rows of a ladder cup from the top, and the place from 1 on at which each player began.

    Players begin by rank and rating before their first rated game of these days; who had none begins at the bottom.
    """
    moves = here.standings.movements(first - timedelta(days=1))

    def strength(row: LeagueRow) -> tuple[Any, ...]:
        move = moves.get(row.key)
        rank = Rank.parse(move.rank_before).number_from_30k if move and move.rank_before else 0
        return -rank, -move.before if move else math.inf, row.key

    by_key = {row.key: row for row in sorted(rows, key=strength)}
    played = [game for game in games if game.black in by_key and game.white in by_key]
    began = {key: place for place, key in enumerate(by_key, 1)}
    return [by_key[key] for key in challenge_ladder(played, [*by_key])], began


def _shown(here: Here, rows: list[LeagueRow], began: dict[str, int]) -> list[dict[str, Any]]:
    here.standings.prefetch([row.key for row in rows])
    return [
        {
            "key": row.key,
            "name": here.state.labels[row.key],
            "rank": here.standings.by_key.get(row.key, {}).get("rank", ""),
            "cells": [
                None
                if other.key == row.key
                else [(item.game, WORDS[item.score]) for item in row.met.get(other.key, ())]
                for other in rows
            ],
            "games": row.games,
            "won": row.won,
            "lost": row.games - row.won - row.drawn,
            "drawn": row.drawn,
            "points": brief(row.points),
            "began": began.get(row.key, 0),
        }
        for row in rows
    ]
