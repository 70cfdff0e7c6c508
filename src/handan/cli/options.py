"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from handan.cli.output import Form


def _cards(incomplete: str) -> list[str]:
    from handan.handicaps import CARDS

    return [name for name in CARDS if name.startswith(incomplete)]


def _systems(incomplete: str) -> list[str]:
    from handan.systems import SYSTEMS

    return [name for name in SYSTEMS if name.startswith(incomplete)]


Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE", help="Files of games, folders or zip archives; - is standard input.", show_default=False
    ),
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE",
        help="Write the rows there: .parquet, .csv, or sqlite:///FILE, postgresql://….",
    ),
]  # fmt: skip
Table = Annotated[
    str, typer.Option("--table", metavar="NAME", help="Table of that database; its rows are replaced.")
]  # fmt: skip
_PLAYER = typer.Option("--player", "-p", metavar="NAME", help="Name or id of the player.")
Player = Annotated[str, _PLAYER]
MaybePlayer = Annotated[str | None, _PLAYER]
_SYSTEM = typer.Option(
    "--system", "-s", metavar="NAME", help="Rating system; `handan systems` lists them.", autocompletion=_systems
)
SystemName = Annotated[str, _SYSTEM]
MaybeSystemName = Annotated[str | None, _SYSTEM]
MaybeCard = Annotated[
    str | None,
    typer.Option(
        "--card", metavar="NAME", help="Points card; `handan card` lists them. Or a CSV file.", autocompletion=_cards
    ),
]
CardArgument = Annotated[
    str | None, typer.Argument(metavar="NAME", help="A card, or a CSV file with a club's own.", autocompletion=_cards)
]
SystemArgument = Annotated[
    str | None, typer.Argument(metavar="NAME", help="A system, to see its settings.", autocompletion=_systems)
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="KEY=VALUE", help="A setting of the system, such as k=32. Repeatable.", show_default=False
    ),
]
Tuned = Annotated[
    bool, typer.Option("--tuned", help="Learn the settings that are not given with --set from these games.")
]
LearnedEntries = Annotated[
    bool,
    typer.Option("--learned-entries", help="Let newcomers enter where earlier ones like them stood."),
]
ClusterAddress = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="Work on all cores (local), tcp://HOST:PORT or ray://HOST:PORT."),
]
Keep = Annotated[
    Path | None,
    typer.Option("--keep", metavar="FOLDER", help="Keep each result of a cluster here; all workers must see it."),
]
Adjustments = Annotated[
    Path | None,
    typer.Option("--adjustments", metavar="FILE", help="Ranks and ratings set by hand, or a list that is taken over."),
]
ListDate = Annotated[
    str | None,
    typer.Option("--list-date", metavar="DATE", help="Day of that list, where it says none; else before all games."),
]
AsOf = Annotated[
    str | None, typer.Option("--as-of", metavar="DATE", help="Only what was known at the end of that day.")
]
RanksShown = Literal["auto", "all", "none"]
Ranks = Annotated[
    RanksShown,
    typer.Option("--ranks", help="Show ranks: auto (on a scale of Elo, where somebody has declared one), all, none."),
]
Since = Annotated[
    str | None, typer.Option("--since", metavar="DATE", help="Show what has moved since the end of that day.")
]
Strict = Annotated[bool, typer.Option("--strict", help="Stop if any row of a file is rejected.")]
Dedupe = Annotated[bool, typer.Option("--dedupe", help="Leave out rows that say the same as an earlier row.")]
KeepRepeats = Annotated[
    bool, typer.Option("--keep-repeats", help="Count a file twice that is given twice, or an event in two files.")
]
Aliases = Annotated[
    Path | None, typer.Option("--aliases", metavar="FILE", help="Decisions about who is who (`handan players`).")
]
Encoding = Annotated[
    str | None, typer.Option("--encoding", metavar="NAME", help="How the files are encoded, such as gbk or euc-kr.")
]
Date = Annotated[
    str | None,
    typer.Option("--date", metavar="DATE", help="Date of the games that have none; its year, of days without a year."),
]
DateFromPath = Annotated[
    bool, typer.Option("--date-from-path", help="Date such games by a year or date in the file's path.")
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        "--allow", metavar="LIMIT=NUMBER", help="Raise a limit of reading, such as text=256m.", show_default=False
    ),
]
Dates = Annotated[
    str | None, typer.Option("--dates", metavar="ORDER", help="Order of the dates in tables: dmy, mdy or ymd.")
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--column", metavar="NAME=HEADING", help="What a heading means, as black=Noir. Repeatable.", show_default=False
    ),
]
SourceColumn = Annotated[
    str | None,
    typer.Option("--source-column", metavar="HEADING", help="Column that names whose ranks a row has, as server."),
]
Letters = Annotated[
    str | None, typer.Option("--letters", metavar="BW", help="Letters of Black and White in results, such as nb or sw.")
]
Worksheet = Annotated[
    str | None, typer.Option("--worksheet", metavar="NAME", help="Read this worksheet of a workbook, and no other.")
]
Query = Annotated[
    str | None, typer.Option("--query", metavar="SQL", help="Games of a database: sqlite:///FILE, postgresql://….")
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No warnings, hints or progress; errors only.")]
Format = Annotated[Form, typer.Option("--format", "-f", help="How the answer is printed.")]
