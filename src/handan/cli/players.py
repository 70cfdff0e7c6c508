"""`handan players`: who is in the files, who may be one person under two names, and decisions about it."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handan.cli import options
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import note
from handan.cli.output import Form, write
from handan.cli.rows import show
from handan.cli.session import read_ledger
from handan.cli.tables import Column
from handan.errors import Clause, InputError, counted

if TYPE_CHECKING:
    from handan.ledger import Ledger

NAMES = ("player", "id", "country", "club", "rank", "games", "first", "last")
PAIR = ("first", "second", "likeness", "evidence")
Two = tuple[str, str]


@on_files
def command(
    files: options.Files,
    *,
    merge_candidates: Annotated[
        bool, typer.Option("--merge-candidates", help="Propose players who may be one person under two names.")
    ] = False,
    likeness: Annotated[
        float, typer.Option("--likeness", metavar="PERCENT", min=50, max=100, help="How like their names must be.")
    ] = 87.0,
    merge: Annotated[
        Two | None, typer.Option("--merge", metavar="NAME OTHER", help="Decide: NAME is OTHER, and shown so.")
    ] = None,
    apart: Annotated[
        Two | None, typer.Option("--apart", metavar="NAME OTHER", help="Decide: these are two players.")
    ] = None,
    undo: Annotated[
        str | None, typer.Option("--undo", metavar="NAME", help="Take back what was decided about NAME.")
    ] = None,
    reading: Reading,
    out: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write what is proposed and decided as a file for --aliases."
        ),
    ] = None,
    form: options.Format = Form.TABLE,
) -> None:
    """List the players of files, or propose and decide who is who.

    The file of --aliases keeps the decisions for every command that reads games. `--merge-candidates --output FILE`
    writes one with all proposals: fill in same, apart or seen in its first column.
    """
    if merge or apart or undo is not None:
        _decide(files, reading, merge, apart, undo)
        return
    if reading.aliases and not reading.aliases.exists():
        reading = replace(reading, aliases=None)  # nothing has been decided yet
    ledger = read_ledger(files, reading)
    if out is not None:
        _propose(ledger, reading, likeness, out)
        return
    names, rows = (PAIR, _candidates(ledger, reading, likeness)) if merge_candidates else (NAMES, _players(ledger))
    if form is Form.TABLE and not rows:
        write(
            "no two players have names that are like each other" if merge_candidates else "nobody stands in the files"
        )
        return
    right = {"games", "likeness"}
    columns = [Column(name, [_cell(row[name]) for row in rows], right=name in right) for name in names]
    show(form, rows, names, [column for column in columns if any(column.cells)])


def _cell(value: Any) -> str:
    return "; ".join(value) if isinstance(value, tuple) else "" if value is None else str(value)


def _decide(files: list[Path], reading: Reading, merge: Two | None, apart: Two | None, undone: str | None) -> None:
    from handan.files.aliases import Decision, decide, undo

    if reading.aliases is None:
        raise InputError("a decision needs --aliases FILE, the file in which it is kept")
    if undone is not None:
        for item in undo(reading.aliases, undone):
            note(f"{reading.aliases}: {item.player} is no longer decided to be {item.other}")
    plain = read_ledger(files, replace(reading, aliases=None))
    for pair, same in ((merge, True), (apart, False)):
        if pair:
            one, other = (plain.players[plain.find(name)] for name in pair)
            decide(reading.aliases, Decision(same, one.id or one.name, other.id or other.name))
            note(f"{reading.aliases}: {one.name} {'is' if same else 'is not'} {other.name}")


def _propose(ledger: "Ledger", reading: Reading, likeness: float, out: Path) -> None:
    """Write the decisions so far, and all proposals for whoever decides them."""
    from handan.files import read_aliases, write_aliases

    decisions = read_aliases(reading.aliases)[0] if reading.aliases else []
    rows = _candidates(ledger, reading, likeness)
    write_aliases(decisions, out, [row | {"evidence": "; ".join(row["evidence"])} for row in rows])
    note(f"{out}: {counted(len(rows), 'proposal')}, {counted(len(decisions), 'decision')}; fill in same, apart or seen")


def _candidates(ledger: "Ledger", reading: Reading, likeness: float) -> list[dict[str, Any]]:
    """Return the pairs that nobody has decided: like names, then several names of one id; `player` would be `other`."""
    from handan.files import read_aliases
    from handan.ledger.identity import SEVERAL
    from handan.ledger.similar_names import candidates

    decisions = read_aliases(reading.aliases)[0] if reading.aliases else []
    decided = [(item.player, item.other) for item in decisions if not item.same]
    rows = []
    for pair in candidates(ledger, likeness, decided):
        one, other = (ledger.players[ledger.find(name)] for name in (pair.second, pair.first))
        shown = {name: getattr(pair, name) for name in PAIR}
        rows.append({"player": one.id or one.name, "other": other.id or other.name, **shown})
    for warning in ledger.warnings:
        if isinstance(warning, Clause) and warning.pattern == SEVERAL:
            first, *others = warning.values["spellings"]
            evidence = (f"one number: {warning.values['number']}",)
            rows += [
                {"player": name, "other": first, "first": first, "second": name, "likeness": "", "evidence": evidence}
                for name in others
            ]
    return rows


def _players(ledger: "Ledger") -> list[dict[str, Any]]:
    import polars as pl

    sides = [
        ledger.games.select(name=pl.col(side).cast(pl.String), rank=f"{side}_rank", date="date")
        for side in ("black", "white")
    ]
    summary = (
        pl.concat(sides)
        .sort("date", maintain_order=True)
        .group_by("name")
        .agg(
            games=pl.len(),
            rank=pl.col("rank").filter(pl.col("rank") != "").last(),
            first=pl.col("date").min().dt.strftime("%Y-%m-%d"),
            last=pl.col("date").max().dt.strftime("%Y-%m-%d"),
        )
    )
    of = {row["name"]: row for row in summary.iter_rows(named=True)}
    nothing = {"games": 0, "rank": None, "first": None, "last": None}
    return [
        {"player": player.name, "id": player.id, "country": player.country, "club": player.club}
        | {name: of.get(player.name, nothing)[name] for name in NAMES[4:]}
        for player in ledger.players
    ]
