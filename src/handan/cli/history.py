"""`handan history`: a player's card."""

from typing import Annotated, Any

import typer

from handan.cli import options
from handan.cli.file_options import Reading, on_files
from handan.cli.output import Form
from handan.cli.rows import show
from handan.cli.session import configured, rated
from handan.cli.tables import Column, on_the_point
from handan.errors import InputError
from handan.wording.figures import brief, digits, step

RANKS = ("opponent_rank", "rank_before", "rank_after")


@on_files
def command(
    files: options.Files,
    system: options.SystemName,
    *,
    player: options.MaybePlayer = None,
    every: Annotated[bool, typer.Option("--all", help="The cards of all players.")] = False,
    setting: options.Settings = None,
    ranks: options.Ranks = "auto",
    reading: Reading,
    form: options.Format = Form.TABLE,
) -> None:
    """Print a player's card, game by game, or the cards of all players.

    The exit status is 0 if all was read, 1 if something was left out, 2 if nothing was rated.
    """
    if every == (player is not None):
        raise InputError("give --player NAME for one card, or --all for the cards of all players")
    rules = configured(system, setting)
    session = rated(files, rules, reading)
    card = session.ratings.histories() if every else session.ratings.history(str(player))
    rows = list(card.iter_rows(named=True))
    if session.ranks_hidden(ranks):
        rows = [row | dict.fromkeys(RANKS, "") for row in rows]
    show(form, rows, card.columns, _columns(rows, rules.traits.weight_title))
    session.end()


def _columns(rows: list[dict[str, Any]], weight: str) -> list[Column]:
    """Return the columns of a record sheet; a line in which the player stands as the opponent is an adjustment."""
    decimals = digits(row[name] for row in rows for name in ("before", "change", "after"))
    steps = [step(row["before"], row["change"], row["after"], decimals) for row in rows]
    names = [row.get("player", "") for row in rows]
    first = [name if place == 0 or names[place - 1] != name else "" for place, name in enumerate(names)]
    return [
        Column("player", first, spare=1),
        Column("game", [str(row["game"] or "") for row in rows], right=True, spare=7),
        Column("date", [row["date"] for row in rows], spare=1),
        Column("opponent", [row["opponent"] for row in rows]),
        Column("their rank", [row["opponent_rank"] for row in rows], spare=5),
        Column("colour", [row["colour"] for row in rows], spare=2),
        Column("stones", [str(row["handicap"] or "") for row in rows], right=True, spare=3),
        Column("komi", [brief(row["komi"]) for row in rows], right=True, spare=4),
        Column("result", [row["result"] for row in rows]),
        Column("winner", [row["winner"] for row in rows], spare=9),
        Column(weight, [brief(row["weight"]) for row in rows], right=True, spare=8),
        Column("before", on_the_point([shown.before for shown in steps]), right=True, spare=6),
        Column("change", on_the_point([shown.change for shown in steps]), right=True),
        Column("after", on_the_point([shown.after for shown in steps]), right=True),
        Column("rank", [row["rank_after"] for row in rows], spare=1),
        Column("note", ["; ".join(filter(None, (row["note"], row["comment"]))) for row in rows], spare=1),
    ]
