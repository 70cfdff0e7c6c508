"""The help of a command in plain text: options in groups, and examples that can be copied."""

import re
from collections.abc import Collection
from dataclasses import fields
from typing import Any

from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.models import TyperPath

from handan.cli.file_options import Reading
from handan.cli.notices import MANNER

MINUS = "\N{MINUS SIGN}"
START = """\
Begin here:
  handan example                          write a small club to try, in the folder handan-example
  handan check games.csv                  what is in a file, and what is wrong with it
  handan rate games.csv --system points   the ladder
  handan report games.csv --system points -o club.html   everything on one page
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
        "handan explain games.csv -s egf -p Alice --game 3",
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
    "diff": ("handan diff games.csv other.csv", "handan diff . --written"),
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
    "what-if": ("handan what-if games.csv --from egf --to elo", "handan what-if games.csv --from elo --to elo:k=16"),
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
TYPES = {"str": "TEXT", "int": "N", "float": "NUMBER", "path": "FILE"}
"""What stands for a value whose option names none."""
LONGEST = 1_000  # characters of a first sentence; no limit is meant
QUIET = ("-q", "--quiet")


def _panel(item: Any) -> str:
    """Return under which title an argument or option stands."""
    if item.param_type_name == "argument":
        return PANELS[0]
    if item.name in OUTPUT:
        return PANELS[3]
    return PANELS[2] if item.name in {field.name for field in fields(Reading)} else PANELS[1]


def _name(argument: Any) -> str:
    """Return what the help calls an argument."""
    return str(argument.metavar or argument.name.upper())


def _without_types(item: Any, names: str) -> str:
    """Return how an argument or option is given, in words for people and not by types of Python."""
    if item.param_type_name == "argument":
        return _name(item)
    return re.sub(r"<(str|int|float|path|Path)(?: range)?>", lambda match: TYPES[match[1].lower()], names)


def _by_own_name(text: str, own: Collection[str]) -> str:
    """Return an option under the name that a command has for it; any other argument as it is."""
    name, mark, value = text.partition("=")
    other = OTHER_NAMES.get(name, name)
    return f"{other}{mark}{value}" if name not in own and other in own else text


class PlainCommand(TyperCommand):
    """A command whose help lists its options under the titles of their panels, without boxes and colours."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take options by the names that other commands have for them, `--json`, and `-q` where no file is read.

        An option that takes one value and is given twice is a usage error: the last one would count in silence. So is
        an empty path, such as a shell's variable that is not set: it would mean this folder.
        """
        own = {name for item in self.params for name in item.opts}
        given = [_by_own_name(text, own) for text in args]
        if "--format" in own:
            given = ["--format=json" if text == "--json" else text for text in given]
        if "--quiet" not in own and any(text in QUIET for text in given):
            MANNER.quiet = True
            given = [text for text in given if text not in QUIET]
        values, _, order = self.make_parser(ctx).parse_args(args=[*given])
        for item in (item for item in self.params if isinstance(item.type, TyperPath)):
            value = values.get(item.name or "")
            if value == "" or (isinstance(value, (list, tuple)) and "" in value):
                ctx.fail(f"{_name(item)}: a path is empty; . is this folder")
        once = [item for item in order if isinstance(item, TyperOption) and not (item.multiple or item.is_flag)]
        if twice := next((item for item in once if once.count(item) > 1), None):
            ctx.fail(f"{twice.opts[0]} is given twice and takes one value; {ctx.command_path} -h says what it may be")
        return super().parse_args(ctx, given)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """Return what follows the command's name: arguments that may be left out in brackets, of several the first."""
        del ctx
        arguments = [item for item in self.params if item.param_type_name == "argument"]
        names = [f"{_name(item)}{' ...' * (item.nargs != 1)}" for item in arguments]
        texts = [name if item.required else f"[{name}]" for item, name in zip(arguments, names, strict=True)]
        return [*texts, "[OPTIONS]"]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then the options of each panel."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for item in self.get_params(ctx):
            record = item.get_help_record(ctx)
            if record is not None:
                panels.setdefault(_panel(item), []).append((_without_types(item, record[0]), record[1]))
        own = {name for item in self.params for name in item.opts}
        output = panels.setdefault(PANELS[3], [])
        if "--format" in own:
            output.insert(0, ("--json", "The same as --format json."))
        if "--quiet" not in own:
            output.insert(0, (", ".join(QUIET), "No warnings, hints or progress; errors only."))
        for title in sorted(panels, key=PANELS.index):
            with formatter.section(title):
                formatter.write_dl(panels[title])

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Write the examples, each on its own line."""
        del ctx
        examples = EXAMPLES.get(self.name or "", ())
        if examples:
            formatter.write("\nExamples:\n" + "".join(f"  {line}\n" for line in examples))


class PlainGroup(TyperGroup):
    """A group of commands whose help says in a whole sentence what each is for."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write each command with the first sentence of its help."""
        names = self.list_commands(ctx)
        rows = [(name, self.commands[name].get_short_help_str(LONGEST)) for name in names]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


class PointsCommand(PlainCommand):
    """A command that takes `-5` for a number of points and not for an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Give negative numbers a minus sign that no option begins with, unless they are the value of an option."""
        values = [False, *(text.startswith("--") and "=" not in text for text in args)]
        pairs = zip(args, values, strict=False)
        return super().parse_args(
            ctx, [text if value else re.sub(r"^-(?=[\d.])", MINUS, text) for text, value in pairs]
        )
