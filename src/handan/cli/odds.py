"""`handan odds`: how likely each player wins, and the published table of winning percentages."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from handan.cli import options
from handan.cli.file_options import Reading, on_files
from handan.cli.handicap import Players, Unknown, standings_of
from handan.cli.help import MINUS
from handan.cli.notices import say
from handan.cli.output import PEOPLE, Form, visible
from handan.cli.rows import show
from handan.cli.tables import Column
from handan.errors import InputError
from handan.handicaps.terms import stones_in_words
from handan.wording.figures import percent

if TYPE_CHECKING:
    from handan.ratings import Ratings, Standing
    from handan.systems import System

First = Annotated[str | None, typer.Argument(metavar="A", help="A rating, a rank, or a player's name.")]
Second = Annotated[str | None, typer.Argument(metavar="B", help="The same of the other player.")]
Handicap = Annotated[int, typer.Option("--handicap", metavar="N", help="Stones that the weaker takes.")]
Komi = Annotated[float | None, typer.Option("--komi", metavar="K", help="Points to White; else the customary komi.")]
Table = Annotated[bool, typer.Option("--table", help="The published table of winning percentages in even games.")]

WEAKER, STRONGER = "2k", ("1k", "1d", "2d")
PUBLISHED = (("AGA", "accelrat", 5.0), ("EGF", "egf-classic", None), ("IGS", "igs", None))
"""Rows of the table in Go ranks and ratings (Wikipedia): name, the system whose law made them, its fair komi."""


@on_files
def command(
    first: First = None,
    second: Second = None,
    *,
    system: options.MaybeSystemName = None,
    handicap: Handicap = 0,
    komi: Komi = None,
    players: Players = None,
    strangers: Unknown = "refuse",
    setting: options.Settings = None,
    tuned: options.Tuned = False,
    learned_entries: options.LearnedEntries = False,
    table: Table = False,
    reading: Reading,
    form: options.Format = Form.TABLE,
) -> None:
    """Say how likely each of two players wins.

    A and B are ratings or ranks, or names with --players. The weaker takes Black and the handicap.
    """
    if table:
        _print_table(form)
        return
    if first is None or second is None or system is None:
        raise InputError("give two players and --system NAME, such as `handan odds 3d 1k --system egf`, or --table")
    from handan.cli.session import configured, learning, rated

    rules = configured(system, setting)
    if (tuned or learned_entries) and not players:
        option = "--tuned" if tuned else "--learned-entries"
        raise InputError(f"{option} learns from games: give them with --players FILE")
    fixed = learning(setting, tuned=tuned)
    session = rated(players, rules, reading, fixed, learned_entries=learned_entries) if players else None
    rules, ratings = (rules, None) if session is None else (session.system, session.ratings)
    one, other = (text.replace(MINUS, "-", 1) for text in (first, second))
    a, b, newcomers = standings_of(rules, ratings, one, other, strangers)
    answer = odds(rules, ratings, a, b, handicap, komi)
    learned = [] if session is None else session.learned
    _print(answer | {"notes": [*learned, *newcomers, *answer["notes"]]}, form)


def odds(
    system: "System", ratings: "Ratings | None", a: "Standing", b: "Standing", handicap: int, komi: float | None
) -> dict[str, Any]:
    """Return the chances of both players; InputError where the system has no law for them."""
    from handan.systems.core.fair_terms import seated, without_effect

    black, white = seated(system, a, b)
    chance = system.win_probability(black, white, handicap, komi, ratings)
    if chance is None:
        raise InputError(f"system {system.name} has no law of winning chances; `handan systems` lists all systems")
    interval = system.win_interval(black, white, handicap, komi, ratings)
    return {
        "system": system.name,
        "a": a.name,
        "b": b.name,
        "rating_a": a.rating,
        "rating_b": b.rating,
        "black": black.name,
        "handicap": handicap,
        "komi": system.customary_komi(handicap) if komi is None else komi,
        "win_probability": chance,
        "interval": interval,
        "probability_a": chance if black is a else 1.0 - chance,
        "probability_b": 1.0 - chance if black is a else chance,
        "notes": list(without_effect(system, black, white, handicap, komi, ratings)),
    }


def _print(answer: dict[str, Any], form: Form) -> None:
    chances = (f"{answer[side]} {percent(answer[f'probability_{side}'])}" for side in ("a", "b"))
    black = f"Black: {answer['black']}"
    if answer["interval"]:
        black += f", 95 % interval {' to '.join(map(percent, answer['interval']))}"
    words = (black, stones_in_words(answer["handicap"]), f"komi {answer['komi']:g}")
    terms = ", ".join(filter(None, words))
    show(form, [answer], list(answer), [], document=answer, head=f"{', '.join(chances)} ({terms})")
    for note in answer["notes"] if form in PEOPLE else ():
        say(visible(note))


def published_table() -> list[dict[str, Any]]:
    """Return the rows of the published table: chances of 1k, 1d and 2d against 2k in even games, in per cent."""
    from handan.systems import system

    rows = []
    for name, law, komi in PUBLISHED:
        rules = system(law)
        weaker = rules.standing(WEAKER)
        row: dict[str, Any] = {"organisation": name, "system": law, WEAKER: weaker.rating}
        stronger = [rules.standing(rank) for rank in STRONGER]
        row |= {rank: player.rating for rank, player in zip(STRONGER, stronger, strict=True)}
        for rank, player in zip(STRONGER, stronger, strict=True):
            row[f"{rank} vs. {WEAKER}"] = 100 * (1 - (rules.win_probability(weaker, player, 0, komi) or 0.0))
        rows.append(row)
    return rows


def _print_table(form: Form) -> None:
    rows = published_table()
    percent = [name for name in rows[0] if " vs. " in name]
    columns = [Column(name, [row[name] for row in rows]) for name in ("organisation", "system")]
    columns += [Column(name, [f"{row[name]:g}" for row in rows], right=True) for name in (WEAKER, *STRONGER)]
    columns += [Column(name, [f"{row[name]:.1f}%" for row in rows], right=True) for name in percent]
    show(form, rows, list(rows[0]), columns)
