"""What Handan does, on results that come with it: 124,724 games between Go programs, and an invented club.

`make demo` runs it. Every step is one function and uses nothing but `import handan`.
"""

from __future__ import annotations

import csv
import statistics
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from rich.console import Console
from rich.table import Table

import handan
from handan.systems.families.paired_comparison import PairedExtra

if TYPE_CHECKING:
    from handan.ratings import Explanation, Reason

HERE = Path(__file__).parent
PROGRAMS = HERE / "go_engines" / "pairs.csv"
PUBLISHED = HERE / "go_engines" / "published_elo.csv"
GAMES = HERE / "club" / "games.csv"
ADJUSTMENTS = HERE / "club" / "adjustments.csv"
SYSTEMS = ("points", "sagc", "egf")
MEMBER = "Milo Pepperell"
PAIRS = (
    ("Tamsin Arkwell", "青葉 春樹"),
    ("한가람", MEMBER),
    ("Arlo Pennywhistle", "Calla Redfern"),
)
NEXT = (
    "handan rate games.csv --adjustments adjustments.csv --system egf",
    "handan rate games.csv --adjustments adjustments.csv --system points \\\n"
    "    --as-of 2025-10-01 --limit 10",
    'handan history games.csv --adjustments adjustments.csv --system sagc \\\n    --player "Ines Valcarcel"',
    'handan explain games.csv --adjustments adjustments.csv --system egf \\\n    --player "Milo Pepperell" --game 140',
    "handan handicap 5k 2k --system egf",
    "handan handicap 118 130 --card tagajo12",
    "handan systems",
)  # fmt: skip

console = Console(highlight=False)


def main() -> None:
    """Show everything."""
    programs()
    ledger = handan.read(GAMES, adjustments=ADJUSTMENTS)
    ratings = {name: handan.rate(ledger, handan.systems.system(name)) for name in SYSTEMS}
    ladder(ledger, ratings)
    card(ratings)
    next_games(ratings)
    correction(ledger, ratings)
    what_next()


def programs() -> None:
    """Rate the Go programs, and compare with what was published."""
    heading("Go programs, rated by Bradley-Terry")
    ledger = handan.read(PROGRAMS)
    ratings = handan.rate(ledger, "bradley-terry", prior=0.0, advantage=0.0)
    published = published_elo()
    by_name = {row["player"]: row["rating"] for row in ratings.table().iter_rows(named=True)}
    offset = statistics.median(published[name] - rating for name, rating in by_name.items())
    apart = max(abs(published[name] - rating - offset) for name, rating in by_name.items())
    table = grid(">#", "program", ">games", ">Elo", "> ±", ">published Elo")
    for row in ratings.table().head(10).iter_rows(named=True):
        figures = (f"{row['rating'] + offset:.1f}", f"{row['deviation']:.1f}", f"{published[row['player']]:.0f}")
        table.add_row(str(row["place"]), row["player"], f"{row['games']:,}", *figures)
    console.print(f"{ratings.rated:,} games between {len(ledger.players)} programs, all at once.\n")
    console.print(table)
    learned = handan.rate(ledger, "bradley-terry", prior=0.0)
    console.print(
        f"\nWith one offset added, no program is further than {apart:.2f} Elo from the figure published with the games,"
        f" which is rounded. If the first move is learned too, it is worth {PairedExtra.of(learned).advantage:.1f} Elo."
    )


def published_elo() -> dict[str, float]:
    """Return the Elo that was published with the games, by program."""
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        return {row["engine"]: float(row["published_elo"]) for row in csv.DictReader(file)}


def ladder(ledger: handan.Ledger, ratings: dict[str, handan.Ratings]) -> None:
    """Show the club's ladder under three systems side by side."""
    heading("A club, under three systems")
    console.print(f"{len(ledger):,} games of {len(ledger.players)} members, {ledger[0].date} to {ledger[-1].date}.")
    for name, each in ratings.items():
        left_out = "; ".join(f"{count} {reason}" for reason, count in each.unrated_counts.items())
        console.print(f"{name}: {each.rated:,} rated. Not rated: {left_out}.")
    console.print()
    by_system = {name: standings(each) for name, each in ratings.items()}
    table = grid(">#", "member", ">points", "", ">SAGC", "", ">EGF", "", ">games")
    members = list(ratings["points"].table().iter_rows(named=True))
    for row in members[:15]:
        cells = [cell for name in SYSTEMS for cell in (by_system[name][row["player"]])]
        table.add_row(str(row["place"]), row["player"], *cells, str(row["games"]))
    console.print(table)
    console.print(f"… and {len(members) - 15} more")


def standings(ratings: handan.Ratings) -> dict[str, tuple[str, str]]:
    """Return rank and rating of every player, as text."""
    return {row["player"]: (f"{row['rating']:.0f}", row["rank"]) for row in ratings.table().iter_rows(named=True)}


def card(ratings: dict[str, handan.Ratings]) -> None:
    """Show a member's last games, and why the ratings moved."""
    heading(f"{MEMBER}'s last games, and why the ratings moved")
    console.print("SAGC: level × kind of game × opponent × result × handicap, without the fraction")
    for line in ratings["sagc"].explain(MEMBER)[-4:]:
        show(line, f"{line.rank_before} {line.before:.0f} → {line.rank_after} {line.after:.0f}")
    console.print("\nEGF: class × con × (score - expected score) + class × bonus")
    for line in ratings["egf"].explain(MEMBER)[-2:]:
        show(line, f"{line.before:.1f} → {line.after:.1f}")


def show(line: Explanation, step: str) -> None:
    """Print one line of a card: the game, then the change."""
    stones = f", {line.handicap} stones" if line.handicap else ""
    komi = "" if line.komi is None else f", komi {line.komi:g}"
    console.print(f"\n{line.date}  {line.colour} against {line.opponent}{stones}{komi}: [bold]{line.result}[/]")
    console.print(f"  {line.note or f'{arithmetic(line.reason)} = {line.change:+.4g};  {step}'}")


def arithmetic(reason: Reason) -> str:
    """Write out the factors of a change."""
    values = [" × ".join(f"{part.value:.6g}" for part in factor.parts or (factor,)) for factor in reason.factors]
    return (" × " if reason.combine == "product" else " + ").join(values)


def next_games(ratings: dict[str, handan.Ratings]) -> None:
    """Say what would make the next game of some pairs fair."""
    heading("Who gives what to whom")
    for one, other in PAIRS:
        console.print(f"\n[bold]{one} and {other}[/]")
        for name, each in ratings.items():
            console.print(f"  {name:<7} {each.fair_terms(one, other).text}")


def correction(ledger: handan.Ledger, ratings: dict[str, handan.Ratings]) -> None:
    """Turn the result of a member's oldest game round, and rate again."""
    heading("A correction, and everything that follows from it")
    oldest = next(line for line in ratings["points"].explain(MEMBER, reasons=False) if line.result in {"win", "loss"})
    index = (oldest.game or 0) - 1
    game = ledger[index]
    turned = replace(game, result="W+" if handan.Result.parse(str(game.result)).score else "B+")
    corrected = ledger.with_game(turned, index)
    console.print(f"{oldest.date}: {game.black} against {game.white} was {game.result}. Now it is {turned.result}.\n")
    table = grid("system", ">past figures", ">ratings now", ">largest move", f">{MEMBER}")
    for name, old in ratings.items():
        new = handan.rate(corrected, handan.systems.system(name))
        past = int((np.isfinite(old.arrays.after) & (old.arrays.after != new.arrays.after)).sum())
        moves = np.abs(new.rating - old.rating)
        own = " → ".join(" ".join(standings(each)[MEMBER]) for each in (old, new))
        now = f"{np.count_nonzero(moves)} of {len(moves)}"
        table.add_row(name, f"{past:,} of {2 * old.rated:,}", now, f"{moves.max():.2g}", own)
    console.print(table)
    console.print("\nRatings are worked out from the games each time, so nothing has to be put right by hand.")


def what_next() -> None:
    """Name some commands to try."""
    heading("To try next")
    console.print("[bold]. .venv/bin/activate; cd examples/club[/]")
    for command in NEXT:
        console.print(command, markup=False, soft_wrap=True)


def heading(text: str) -> None:
    """Print the title of a section."""
    console.print()
    console.rule(f"[bold]{text}", align="left", style="dim")


def grid(*columns: str) -> Table:
    """Return an empty table; a column whose title begins with `>` is flush right."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in columns:
        side: Literal["left", "right"] = "right" if title.startswith(">") else "left"
        table.add_column(title.removeprefix(">"), justify=side, overflow="ellipsis", no_wrap=True)
    return table


if __name__ == "__main__":
    main()
