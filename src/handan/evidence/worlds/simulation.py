"""Games of a world, as a ledger, and the truth beside it: how strong everybody was, and how likely each result.

Where the results follow a rating system's own forecasts, that system is the truth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from handan.errors import InputError
from handan.evidence.evaluation_task import Task
from handan.evidence.one_step_ahead import forecasts
from handan.evidence.worlds.habits import Habits, Seated, declared_levels
from handan.evidence.worlds.meetings import Pairings, days_of, pairings_of
from handan.evidence.worlds.people import People, people_of, strengths
from handan.evidence.worlds.world import World
from handan.kernels.types import Flags, Floats, Ints
from handan.ledger import Ledger
from handan.ledger.columns import SCHEMA
from handan.ranks import Rank
from handan.systems import System
from handan.systems.elo import expected

MOMENT_OF_A_ROUND = timedelta(minutes=75)  # our choice
EVENING = time(18)
THROWS = 0.5  # our choice: how often a sandbagger loses on purpose where no tournament is played
COIN = 0.5
UNTRUE = ("black_strength", "white_strength")
UNTRUE_OF_PEOPLE = ("first_rank", "last_rank", "first_strength", "last_strength")
"""What is not true of games, and of people, where a system draws the results."""
Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, eq=False)
class Simulation:
    """A ledger and what is true of it."""

    world: World
    ledger: Ledger
    players: pl.DataFrame
    """One row a person: `player`, `pool`, `joined` (a date), `newcomer`, `ageing`, `rare`, `sandbagger`, `colluder`,
    and `first_rank`, `last_rank`, `first_strength`, `last_strength` (Elo) on the days of the first and last meeting."""
    games: pl.DataFrame
    """One row a game of the ledger, in its order: `game` from 1, `date`, `black`, `white`, `black_strength`,
    `white_strength` (Elo), `help` (points of komi that the terms are truly worth), `probability` that Black wins,
    and whether the game was `arranged`, `thrown` or `mistaken` (entered the wrong way round)."""

    def as_dict(self) -> dict[str, Any]:
        """Return settings, people and games as plain data."""
        return {
            "world": asdict(self.world),
            "players": self.players.with_columns(pl.col("joined").cast(pl.String)).to_dicts(),
            "games": self.games.with_columns(pl.col("date").cast(pl.String)).to_dicts(),
        }


class Played(NamedTuple):
    """All games with results, in playing order, shape (games,) each."""

    pairings: Pairings
    black: Ints
    white: Ints
    handicap: Ints
    komi: Floats
    black_won: Flags
    probability: Floats
    help: Floats
    thrown: Flags
    mistaken: Flags


def simulate(world: World | None = None, *, progress: Progress | None = None) -> Simulation:
    """Return games of a world and the truth about them; the same settings give the same games to the last bit.

    Black wins with probability 1 / (1 + 10^(-d / 400)), d being Black's strength less White's plus what the terms are
    truly worth, all in Elo.

    Args:
        world: What there is; None: a club.
        progress: Called with a text, meetings done and meetings in all.
    """
    world = world or World()
    dice = np.random.default_rng(world.seed)
    people, days = people_of(world, dice), days_of(world)
    level = strengths(world, people, days, dice)
    pairings = pairings_of(world, people, level, dice)
    declared = declared_levels(world, people, days, level, dice)
    played = _results(world, people, pairings, level, declared, dice, progress)
    return _written(world, people, level, declared, played)


def _results(
    world: World,
    people: People,
    pairings: Pairings,
    level: Floats,
    declared: Floats,
    dice: np.random.Generator,
    progress: Progress | None,
) -> Played:
    """Play all games in order."""
    habits = Habits(world, dice)
    seats: list[Seated] = []
    black_won: list[bool] = []
    figures: list[tuple[float, float, bool, bool]] = []
    elo, point = world.elo(level), world.point(level)
    tournament = is_tournament(world, pairings.meeting)
    for game, (meeting, _, one, other, arranged) in enumerate(zip(*(each.tolist() for each in pairings), strict=True)):
        if progress is not None and game % 1000 == 0:
            progress("playing", game, len(pairings.one))
        terms = habits.terms(one, other, level[meeting], declared[meeting])
        sides = [terms.black, terms.white]
        worth = world.help(terms.handicap, terms.komi)
        lead = float(elo[meeting, sides[0]] - elo[meeting, sides[1]]) + worth * float(point[meeting, sides].mean())
        chance = expected(lead)
        hiding = [bool(people.sandbagger[side]) and not tournament[game] for side in sides]
        thrown = hiding[0] != hiding[1] and dice.random() < THROWS
        won = dice.random() < chance
        if arranged:
            won = sides[0] == one
        elif thrown:
            won = hiding[1]
        mistaken = dice.random() < world.mistakes
        entered = won != mistaken
        habits.played(terms, entered)
        seats.append(terms)
        black_won.append(entered)
        figures.append((chance, worth, thrown, mistaken))
    black, white, handicap = (np.array([each[place] for each in seats], dtype=np.int64) for place in range(3))
    komi = np.array([each.komi for each in seats], dtype=np.float64)
    probability, help_points = (np.array([each[place] for each in figures], dtype=np.float64) for place in range(2))
    thrown_games, mistakes = (np.array([each[place] for each in figures], dtype=np.bool_) for place in (2, 3))
    results = np.array(black_won, dtype=np.bool_)
    return Played(pairings, black, white, handicap, komi, results, probability, help_points, thrown_games, mistakes)


def is_tournament(world: World, meeting: Ints) -> Flags:
    """Return whether meetings, by number from 0, are tournaments."""
    if not world.tournaments:
        return np.zeros(len(meeting), dtype=np.bool_)
    chosen: Flags = (meeting + 1) % world.tournaments == 0
    return chosen


def _written(world: World, people: People, level: Floats, declared: Floats, played: Played) -> Simulation:
    """Return the games as a ledger, and the truth."""
    pairings, names = played.pairings, np.array(people.names)
    first = date.fromisoformat(world.first)
    days = [first + timedelta(days=int(day)) for day in days_of(world)]
    at = pairings.meeting
    ranks = np.array([[str(Rank.at(float(each))) for each in row] for row in declared], dtype=object)
    tournament = is_tournament(world, at)
    texts = ["" if not t else f"Tournament {m // world.tournaments + 1}" for m, t in zip(at, tournament, strict=True)]
    moments = [
        datetime.combine(days[m], EVENING) + (number - 1) * MOMENT_OF_A_ROUND if world.moments
        else datetime.combine(days[m], time())
        for m, number in zip(at.tolist(), pairings.round.tolist(), strict=True)
    ]  # fmt: skip
    shows = world.declares != "never"
    data = {
        "date": moments,
        "precision": [16 if world.moments else 10] * len(at),
        "black": names[played.black],
        "white": names[played.white],
        "result": np.where(played.black_won, "B+", "W+"),
        "handicap": played.handicap,
        "komi": played.komi,
        "size": [19] * len(at),
        "kind": np.where(tournament, "tournament", "club"),
        "event": texts,
        "round": pairings.round,
        "black_rank": ranks[at, played.black].tolist() if shows else [""] * len(at),
        "white_rank": ranks[at, played.white].tolist() if shows else [""] * len(at),
        "entry": np.arange(1, len(at) + 1),
    }
    table = pl.DataFrame(
        {name: data.get(name, ["" if kind == pl.String else None] * len(at)) for name, kind in SCHEMA.items()},
        schema_overrides=SCHEMA,
        strict=False,
    )
    ledger = Ledger.from_table(table)
    return Simulation(world, ledger, _people(world, people, level, days), _truth(world, level, played, days, names))


def _people(world: World, people: People, level: Floats, days: list[date]) -> pl.DataFrame:
    """Return what is true of the people."""
    elo = world.elo(level)
    colluder = np.arange(world.players) < 2 * world.colluders * bool(world.arranged)
    return pl.DataFrame(
        {
            "player": people.names,
            "pool": people.pool + 1,
            "joined": [days[0] + timedelta(days=int(day)) for day in people.joined],
            "newcomer": people.newcomer,
            "ageing": people.ageing,
            "rare": people.rare,
            "sandbagger": people.sandbagger,
            "colluder": colluder,
            "first_rank": [str(Rank.at(float(each))) for each in level[0]],
            "last_rank": [str(Rank.at(float(each))) for each in level[-1]],
            "first_strength": elo[0],
            "last_strength": elo[-1],
        }
    )


def _truth(world: World, level: Floats, played: Played, days: list[date], names: Any) -> pl.DataFrame:
    """Return what is true of the games."""
    at, elo = played.pairings.meeting, world.elo(level)
    return pl.DataFrame(
        {
            "game": np.arange(1, len(at) + 1),
            "date": [days[meeting] for meeting in at.tolist()],
            "black": names[played.black],
            "white": names[played.white],
            "black_strength": elo[at, played.black],
            "white_strength": elo[at, played.white],
            "help": played.help,
            "probability": played.probability,
            "arranged": played.pairings.arranged,
            "thrown": played.thrown,
            "mistaken": played.mistaken,
        },
        schema_overrides={"date": pl.Date},
    )


def simulate_by(rules: System, world: World | None = None, *, progress: Progress | None = None) -> Simulation:
    """Return games that a world's people play, with results drawn from what a system forecasts of them one step ahead.

    Who meets whom at what terms is the world's; its strengths play no part, and are null in the truth.

    Args:
        rules: The system; it forecasts each game from the results that were drawn before.
        world: Who meets whom.
        progress: Called with a text, games done and games in all.

    Raises:
        InputError: For a system without odds of its own.
    """
    if not rules.has_odds:
        raise InputError(f"{rules.name} has no odds, so no results can be drawn from it")
    made = simulate(world)
    dice = np.random.default_rng((made.world.seed, 1))
    ledger, black_won = made.ledger, np.zeros(len(made.ledger), dtype=np.bool_)
    probability = np.full(len(ledger), COIN)
    batch = Task.of(ledger).batch.tolist()
    for first, end in pairwise(batch):
        if progress is not None:
            progress(f"playing by {rules.name}", first, len(ledger))
        chances = forecasts(rules, Task.of(_with(ledger, black_won, end)))
        if chances is not None:
            probability[first:end] = chances[first:end]
        black_won[first:end] = dice.random(end - first) < probability[first:end]
    nothing = {name: pl.lit(None) for name in UNTRUE}
    games = made.games.with_columns(probability=pl.Series(probability), **nothing)
    players = made.players.with_columns(**{name: pl.lit(None) for name in UNTRUE_OF_PEOPLE})
    return replace(made, ledger=_with(ledger, black_won, len(ledger)), players=players, games=games)


def _with(ledger: Ledger, black_won: Flags, end: int) -> Ledger:
    """Return the first games of a ledger with other results."""
    results = pl.Series(np.where(black_won[:end], "B+", "W+"))
    return Ledger(ledger.arrays.of(ledger.games[:end].with_columns(result=results)))
