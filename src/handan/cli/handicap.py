"""`handan handicap`: what makes the next game of two players fair."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from handan.cli import options
from handan.cli.card import chosen_card
from handan.cli.file_options import Reading, on_files
from handan.cli.help import MINUS
from handan.cli.notices import say
from handan.cli.output import PEOPLE, Form, visible
from handan.cli.rows import show
from handan.cli.tables import Column
from handan.errors import AbsentError, FieldError, InputError, shown
from handan.handicaps import Card, Terms, card_terms
from handan.wording.figures import brief, percent

if TYPE_CHECKING:
    from handan.ratings import Ratings, Standing, Strangers
    from handan.systems import System

First = Annotated[
    str | None, typer.Argument(metavar="A", help="Points; or a rating, a rank, or a player's name.", show_default=False)
]
Second = Annotated[str | None, typer.Argument(metavar="B", help="The same of the other player.", show_default=False)]
Players = Annotated[
    list[Path] | None, typer.Option("--players", metavar="FILE", help="Games that rate the two players. Repeatable.")
]

Unknown = Annotated[
    Literal["refuse", "allow"],
    typer.Option("--strangers", help="Names that are not in the files: refuse them, or allow them as newcomers."),
]


@dataclass(frozen=True, slots=True)
class Answer:
    """Terms, and where they come from."""

    terms: Terms
    card: str | None
    origin: str
    """The card's or the system's title."""
    system: str | None = None
    win_probability: float | None = None
    """Of Black, under these terms."""
    notes: tuple[str, ...] = ()
    """Who is a stranger to the files."""

    def as_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        data: dict[str, Any] = {"card": self.card}
        if self.system is not None:
            data |= {"system": self.system, "win_probability": self.win_probability, "notes": list(self.notes)}
        return data | self.terms.as_dict()


@on_files
def command(
    first: First = None,
    second: Second = None,
    *,
    every: Annotated[
        bool, typer.Option("--all", help="All pairs of the players of --players, or of those named in --among.")
    ] = False,
    among: Annotated[
        list[str] | None, typer.Option("--among", metavar="NAME", help="Who is here tonight. Repeatable.")
    ] = None,
    card: options.MaybeCard = None,
    system: options.MaybeSystemName = None,
    players: Players = None,
    strangers: Unknown = "refuse",
    setting: options.Settings = None,
    reading: Reading,
    form: options.Format = Form.TABLE,
) -> None:
    """Find stones and komi for a fair game.

    A and B are point totals with --card, ratings or ranks with --system, or names with --players too.
    """
    if every or among:
        _print_all(system, players, among, reading, setting, form)
        return
    if first is None or second is None:
        raise InputError("give two players, such as `handan handicap 215 238 --card tokyo15`, or --all --players FILE")
    a, b = (text.replace(MINUS, "-", 1) if text.startswith(MINUS) else text for text in (first, second))
    if (card is None) == (system is None):
        raise InputError("give --card NAME for points, or --system NAME for ratings and ranks, and not both")
    if (reading.adjustments or reading.as_of) and not players:
        raise InputError("--adjustments and --as-of need --players FILE")
    if system is None:
        if players or setting:
            raise InputError("--players and --set need --system NAME, such as --system points --set card=tokyo15")
        answer = _by_card(chosen_card(str(card)), a, b)
    else:
        from handan.cli.session import configured, rated

        rules = configured(system, setting)
        answer = _by_system(rules, rated(players, rules, reading).ratings if players else None, a, b, strangers)
    _print(answer, form)


MOST_PAIRS = 20_000  # our choice: pairs that are printed, those of 200 players


def _print_all(
    system: str | None,
    players: list[Path] | None,
    among: list[str] | None,
    reading: Reading,
    setting: list[str] | None,
    form: Form,
) -> None:
    """Print what all pairs take, strongest first: a table of who takes what, or one row a pair."""
    from itertools import combinations

    from handan.cli.session import configured, rated

    if system is None or not players:
        raise InputError("--all and --among need --system NAME and --players FILE")
    ratings = rated(players, configured(system, setting), reading).ratings
    ladder = ratings.arrays.ladder.tolist()
    here = ladder if not among else sorted({ratings.ledger.find(name) for name in among}, key=ladder.index)
    names = [ratings.ledger.players[player].name for player in here]
    if len(names) * (len(names) - 1) // 2 > MOST_PAIRS:
        raise InputError(f"{len(names):,} players make too many pairs; name those who are here with --among NAME")
    pairs = {(one, other): ratings.fair_terms(one, other) for one, other in combinations(names, 2)}
    rows = [{"player": one, "against": other, **terms.as_dict()} for (one, other), terms in pairs.items()]
    columns = [Column("player", [one for one, _ in pairs]), Column("against", [other for _, other in pairs])]
    columns.append(Column("terms", [terms.text for terms in pairs.values()]))
    fields = list(rows[0]) if rows else ["player", "against"]
    show(form, rows, fields, columns)


def _by_card(card: Card, a: str, b: str) -> Answer:
    return Answer(card_terms(card, (a, _points(a)), (b, _points(b))), card.name, card.title)


def _points(text: str) -> float:
    try:
        points = float(text)
    except ValueError:
        points = math.nan
    if not math.isfinite(points):
        raise InputError(
            f"points {shown(text)} is not a number such as 215; ranks need --system points --set card=NAME"
        )
    return points


def _by_system(system: "System", ratings: "Ratings | None", a: str, b: str, strangers: "Strangers") -> Answer:
    one, other, notes = standings_of(system, ratings, a, b, strangers)
    terms = system.fair_terms(one, other, ratings)
    black, white = (one, other) if terms.black == one.name else (other, one)
    chance = system.win_probability(black, white, terms.handicap, terms.komi, ratings)
    return Answer(terms, getattr(system, "card", None), system.title, system.name, chance, notes)


def standings_of(
    system: "System", ratings: "Ratings | None", a: str, b: str, strangers: "Strangers"
) -> "tuple[Standing, Standing, tuple[str, ...]]":
    """Return where two players stand, each a name of the files, a rating or a rank, and who is a stranger there."""
    if ratings is None:
        one, other = (_exact(system, text) for text in (a, b))
        return one, other, ()
    from handan.ratings.opponents import is_stranger, pair_of

    try:
        one, other = pair_of(ratings, a, b, strangers)
    except AbsentError as error:
        if error.hint:
            raise
        raise InputError(f"{error.args[0]} (--strangers allow takes the name for a newcomer's)") from None
    unknown = [player for text, player in ((a, one), (b, other)) if is_stranger(ratings, text)]
    return one, other, tuple(_newcomer(ratings, player) for player in unknown)


def _exact(system: "System", text: str) -> "Standing":
    try:
        return system.standing(text)
    except FieldError:
        if any(character.isdecimal() for character in text):
            raise
        raise InputError(f"{shown(text)} is neither a rank nor a rating; names need --players FILE") from None


def _newcomer(ratings: "Ratings", player: "Standing") -> str:
    """Return that a name is not in the files, and how the player is taken."""
    place = (
        f"{player.rank}" if ratings.system.traits.index_of_rank else f"{player.rating:g} {player.rank or ''}".strip()
    )
    return f"{player.name} is not in the files and taken as a newcomer: {place}"


def _print(answer: Answer, form: Form) -> None:
    data = answer.as_dict()
    lines = [answer.terms.text, f"{answer.origin}, difference {brief(answer.terms.difference)}"]
    if chance := percent(answer.win_probability):
        lines.append(f"Black's chance: {chance}")
    if answer.terms.nearer:
        lines.append(f"Nearer to even by {answer.system}: {answer.terms.nearer}")
    show(form, [data], list(data), [], document=data, head="\n".join(lines))
    for note in answer.notes if form in PEOPLE else ():
        say(visible(note))
