"""The help of a command in plain text: options in groups, and examples that can be copied."""

import re
from collections.abc import Collection
from dataclasses import fields
from typing import Any

from typer.core import TyperCommand

from handan.cli.reading import Reading

MINUS = "\N{MINUS SIGN}"
START = """\
Begin here:
  handan example                          write a small club to try, in the folder handan-example
  handan check games.csv                  what is in a file, and what is wrong with it
  handan rate games.csv --system points   the ladder
  handan report games.csv --system points -o club.html   everything on one page
Help on one command: handan rate -h
"""
EXAMPLES: dict[str, tuple[str, ...]] = {
    "rate": (
        "handan rate games.csv --system sagc",
        "handan rate games.csv -s egf --since 2026-09-10",
        "handan rate games.csv -s points --set card=tokyo15 --adjustments adjustments.csv -f markdown",
    ),
    "add": (
        "handan rate games.csv --system egf --save club.handan",
        "handan add club.handan today.csv",
        "handan rate club.handan",
    ),
    "event": (
        "handan event games.csv --system egf",
        "handan event games.csv --system egf --results --format csv",
    ),
    "report": ("handan report games.csv --system points -o club.html --since 2026-09-10 --title 'Our club'",),
    "explain": (
        "handan explain games.csv --system sagc --player Alice",
        "handan explain games.csv -s egf -p Alice --game 1",
    ),
    "history": (
        "handan history games.csv --system elo --player Alice",
        "handan history games.csv --system elo --all --format csv",
    ),
    "handicap": (
        "handan handicap 215 238 --card tokyo15",
        "handan handicap 3d 2k --system egf",
        "handan handicap --among Alice --among Bob --among Dave --system egf --players games.csv",
    ),
    "odds": ("handan odds 2d 2k --system igs", "handan odds --table"),
    "print": (
        "handan print poster --card tokyo15 -o poster.html",
        "handan print cards games.csv --system points -o cards.html",
        "handan print list games.csv --system egf --language ja -o list.html",
    ),
    "example": ("handan example my-club",),
    "template": ("handan template -o season.csv", "handan template --for excel"),
    "init": ("handan init . --system points --card tokyo15 --adjustments adjustments.csv --force",),
    "check": ("handan check games.csv", "handan check . --all"),
    "convert": ("handan convert games.csv games.parquet",),
    "build": ("handan ledger build games.csv -o games.ledger",),
    "correct": ("handan ledger correct games.ledger right.csv",),
    "append": ("handan ledger append games.ledger today.csv",),
    "compare": ("handan compare games.csv --systems elo,glicko2",),
    "fit-card": (
        "handan fit-card games.csv",
        "handan fit-card games.csv --card tokyo15 --write own.csv",
    ),
    "simulate": (
        "handan simulate",
        "handan simulate invented.csv --set players=40 --set games=500 --truth truth.json",
        "handan simulate pools.csv --world pools --seed 7",
    ),
    "stress": ("handan stress --systems elo", "handan stress --systems elo,points --clubs 2 --report stress.html"),
    "doctor": ("handan doctor", "handan doctor games.ledger --system glicko2"),
    "pools": ("handan pools games.csv",),
    "drift": (
        "handan drift games.csv --system elo",
        "handan drift games.csv --system egf --players --from 2026-01-01",
    ),
    "players": ("handan players games.csv", "handan players games.csv --merge-candidates"),
    "card": ("handan card", "handan card tokyo15"),
    "systems": ("handan systems", "handan systems egf"),
    "rank": ("handan rank 5k", "handan rank 3k --from kgs --to egf"),
}
"""Commands that run in the folder that `handan example` writes."""


OTHER_NAMES = {"--out": "--output", "--system": "--systems", "--name": "--title"}
"""Options as other commands call them, or called them before: understood where a command has the second and not the
first, and shown nowhere."""
PANELS = ("Arguments", "Options", "Reading files", "Output")
OUTPUT = frozenset(("form", "quiet", "help"))


def _panel(item: Any) -> str:
    """Return under which title an argument or option stands."""
    if item.param_type_name == "argument":
        return PANELS[0]
    if item.name in OUTPUT:
        return PANELS[3]
    return PANELS[2] if item.name in {field.name for field in fields(Reading)} else PANELS[1]


def _by_own_name(text: str, own: Collection[str]) -> str:
    """Return an option under the name that a command has for it; any other argument as it is."""
    name, mark, value = text.partition("=")
    other = OTHER_NAMES.get(name, name)
    return f"{other}{mark}{value}" if name not in own and other in own else text


class Grouped(TyperCommand):
    """A command whose help lists its options under the titles of their panels, without boxes and colours."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take options by the names that other commands have for them."""
        own = {name for item in self.params for name in item.opts}
        return super().parse_args(ctx, [_by_own_name(text, own) for text in args])

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options of each panel."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for item in self.get_params(ctx):
            record = item.get_help_record(ctx)
            if record is not None:
                panels.setdefault(_panel(item), []).append(record)
        for title in sorted(panels, key=PANELS.index):
            with formatter.section(title):
                formatter.write_dl(panels[title])

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, each on its own line."""
        del ctx
        examples = EXAMPLES.get(self.name or "", ())
        if examples:
            formatter.write("\nExamples:\n" + "".join(f"  {line}\n" for line in examples))


class Signed(Grouped):
    """A command that takes `-5` for a number of points and not for an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give negative numbers a minus sign that no option begins with, unless they are the value of an option."""
        values = [False, *(text.startswith("--") and "=" not in text for text in args)]
        pairs = zip(args, values, strict=False)
        return super().parse_args(
            ctx, [text if value else re.sub(r"^-(?=[\d.])", MINUS, text) for text, value in pairs]
        )
