"""`handan verify`: make an official list again from its ledger, to the same bytes."""

from pathlib import Path
from typing import Annotated

import typer

import handan
from handan.cli.notices import say
from handan.cli.output import write


def command(
    listed: Annotated[Path, typer.Argument(metavar="LIST", help="The file of an official list.", show_default=False)],
    ledgers: Annotated[
        list[Path],
        typer.Argument(metavar="LEDGER", help="The ledger as exported; for a federation those of its clubs too."),
    ],
) -> None:
    """Replay the ledger of an official list and compare; exit status 2 if anything differs."""
    from handan.club.exchange import read_ledger
    from handan.club.lists import verify_list

    told = {}
    for path in ledgers:
        with path.open("rb") as file:
            header, records = read_ledger(file)
            told[str(header["club"])] = list(records)
    made = verify_list(listed.read_bytes(), told)
    if made["version"] != handan.__version__:
        say(f"made by version {made['version']}, replayed by {handan.__version__} with the constants of the list")
    write(
        f"{made['label']}, as of {made['as_of']}: {len(made['players'])} players, the same bytes again "
        f"from entry {made['ledger']['entry']} of {made['club']}"
    )
