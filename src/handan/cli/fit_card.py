"""`handan fit-card`: what stones and komi are worth in these games, and the points card that follows."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handan.cli import options
from handan.cli.card import chosen_card
from handan.cli.exit_status import end
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import note, say_all, working
from handan.cli.output import Form, visible
from handan.cli.output_files import refuse_existing, refuse_own_input
from handan.cli.rows import show
from handan.cli.session import read_ledger
from handan.cli.tables import Column
from handan.errors import InputError, counted
from handan.wording.figures import fixed, percent

if TYPE_CHECKING:
    from handan.evidence.card_fit import CardFit, Worth
    from handan.handicaps import Card

Write = Annotated[Path | None, typer.Option("--write", metavar="FILE", help="Write the card that follows as CSV.")]
Force = Annotated[bool, typer.Option("--force", help="Write over files that are there.")]


@on_files
def command(
    files: options.Files,
    *,
    card: options.MaybeCard = None,
    out: Write = None,
    force: Force = False,
    reading: Reading,
    form: options.Format = Form.TABLE,
) -> None:
    """Find what stones and komi are worth in these games, and the points card that follows.

    Strengths are found together with the worths, so that handicaps which follow strength do not hide them.
    """
    from handan.evidence.card_fit import fit_card, verdicts
    from handan.handicaps import write_card

    own = chosen_card(card) if card else None
    if out is not None:
        refuse_existing(out, force=force)
        refuse_own_input([*files, *reading.sources], out)
    ledger = read_ledger(files, reading)
    with working("fitting a card") as progress:
        answer = fit_card(ledger, progress=progress)
    rows = [_row(each) for each in answer.stones]
    tables = [_columns(answer, own), *([_levels(answer)] if answer.levels else [])]
    foot = "\n".join([*_worths(answer), *verdicts(answer, own)])
    document = answer.as_dict() | {"verdicts": list(verdicts(answer, own))}
    show(form, rows, list(rows[0]), tables, document=document, foot=foot)
    say_all("warning", [visible(each) for each in answer.notes])
    if out is not None:
        if answer.card is None:
            raise InputError(f"{out} is not written: the games know too little to say a card")
        write_card(answer.card, out)
        note(f"{out}: the card; handan card {out} prints it, and --card {out} takes it")
    end(left_out=any(problem.rejected for problem in ledger.problems))


def _row(each: Any) -> dict[str, object]:
    """Return a row for programs."""
    row: dict[str, object] = {"handicap": each.handicap, "games": each.games, "white_score": each.white_score}
    row |= {"low": each.interval[0], "high": each.interval[1]}
    for name in ("elo", "points"):
        worth = getattr(each, name)
        low, high = (worth.interval or (None, None)) if worth else (None, None)
        row |= {name: worth.value if worth else None, f"{name}_low": low, f"{name}_high": high}
    return row


def _between(worth: "Worth | None", decimals: int) -> str:
    """Return a worth with its interval."""
    if worth is None:
        return ""
    if worth.interval is None:
        return "too little known"
    value, low, high = (fixed(each, decimals) for each in (worth.value, *worth.interval))
    return f"{value} ({low} to {high})"


def _columns(answer: "CardFit", own: "Card | None") -> list[Column]:
    """Return the table of handicaps, with the differences from which two cards give them."""
    rows = answer.stones
    intervals = [" to ".join(map(percent, row.interval)) for row in rows]
    begins = {name: _begins(card) for name, card in (("fitted card", answer.card), ("own card", own)) if card}
    columns = [
        Column("stones", [str(row.handicap) for row in rows], right=True),
        Column("games", [f"{row.games:,}" for row in rows], right=True),
        Column("White scores", [percent(row.white_score) for row in rows], right=True),
        Column("95 % interval", intervals, right=True, spare=2),
        Column("worth in Elo", [_between(row.elo, 0) for row in rows], spare=1),
        Column("in points of komi", [_between(row.points, 1) for row in rows]),
    ]
    for name, starts in begins.items():
        cells = [f"from {starts[row.handicap]}" if row.handicap in starts else "" for row in rows]
        columns.append(Column(name, cells, right=True, spare=3))
    return columns


def _begins(card: "Card") -> dict[int, int]:
    """Return the difference from which a card gives each handicap."""
    from handan.handicaps import MOST_STONES

    starts: dict[int, int] = {}
    listed = len(card.listed) if card.points_per_stone is None else MOST_STONES * card.points_per_stone
    for row in map(card.board_row, range(listed)):
        starts.setdefault(row.stones_on_board or min(row.card_stones, 1), row.difference)
    return starts


def _levels(answer: "CardFit") -> list[Column]:
    """Return what a stone is worth among players of some ranks."""
    return [
        Column("players", [each.level for each in answer.levels]),
        Column("games with stones", [f"{each.games:,}" for each in answer.levels], right=True),
        Column("a stone in Elo", [_between(each.stone, 0) for each in answer.levels]),
    ]


def _worths(answer: "CardFit") -> list[str]:
    """Return the worths in words."""
    lines = [
        f"{counted(answer.games, 'game')}; a stone is worth {_between(answer.stone, 0)} Elo,"
        f" a point of komi {_between(answer.point, 1)}"
    ]
    if answer.per_stone.interval is None:
        return [*lines, "how many points a stone is worth: too little known"]
    lines.append(f"a stone is worth {_between(answer.per_stone, 1)} points of komi")
    if answer.fair_komi.interval is not None:
        lines.append(f"fair komi {_between(answer.fair_komi, 1)}")
    if not answer.alike:
        lines.append("stones are not all worth the same: the card has a column of its own for each")
    return lines
