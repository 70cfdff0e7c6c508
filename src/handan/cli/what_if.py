"""`handan what-if`: what another system, or other settings, would make of the same games."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from handan.cli import options
from handan.cli.exit_status import end
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import working
from handan.cli.output import PEOPLE, Form
from handan.cli.rows import show
from handan.cli.session import read_ledger
from handan.cli.tables import Column
from handan.errors import InputError, counted
from handan.wording.figures import digits, fixed, signed

if TYPE_CHECKING:
    from handan.evidence.what_if import OnBothLists, WhatIf

Under = Annotated[
    str, typer.Option("--from", metavar="SYSTEM", help="The system as it is, such as egf, or elo:k=32 with a setting.")
]
Other = Annotated[
    str, typer.Option("--to", metavar="SYSTEM", help="The other one, such as egf:entry=rating.", show_default=False)
]
Limit = Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="Show only the N who move most.")]


@on_files
def command(
    files: options.Files,
    *,
    before: Under,
    after: Other,
    limit: Limit = None,
    reading: Reading,
    form: options.Format = Form.TABLE,
) -> None:
    """Show the lists of two systems, or of two settings of one, side by side: who gains, and whose rank changes.

    Who moves most comes first, and last how well each forecasts these games. Ratings are subtracted only where every
    rank enters both systems with the same rating.
    """
    from handan.cli.compare import below_scores, score_columns
    from handan.evidence.candidates import candidates
    from handan.evidence.comparing import compare
    from handan.evidence.what_if import what_if

    systems = [made for text in (before, after) for made in candidates(text)]
    if len(systems) != 2:
        raise InputError("give one system to --from and one to --to")
    ledger = read_ledger(files, reading)
    with working(f"rating {counted(len(ledger), 'game')} twice"):
        answer = what_if(ledger, systems[0], systems[1])
    if not answer.players and form in PEOPLE:
        end(left_out=False, nothing="no game was rated")
    forecasts, why = None, ""
    with working("comparing forecasts") as progress:
        try:
            forecasts = compare(ledger, systems, progress=progress)
        except InputError as error:
            why = f"forecasts are not compared: {error}"
    players = answer.players[:limit]
    rows = [asdict(each) for each in players]
    names = list(rows[0]) if rows else ["player"]
    foot = "\n\n".join(filter(None, (_foot(answer), below_scores(forecasts) if forecasts else why)))
    tables = [_columns(players), *_moves(answer), *([score_columns(forecasts)] if forecasts else [])]
    document = answer.as_dict() | {"players": rows, "forecasts": forecasts and forecasts.as_dict()}
    show(form, rows, names, tables, document=document, foot=foot)
    left_out = any(problem.rejected for problem in ledger.problems)
    end(left_out=left_out, nothing="" if answer.players else "no game was rated")


def _columns(players: "tuple[OnBothLists, ...]") -> list[Column]:
    old, new = ([getattr(each, name) for each in players] for name in ("rating_before", "rating_after"))
    return [
        Column("player", [each.player for each in players]),
        Column("place", [_arrow(str(each.place_before or ""), str(each.place_after or "")) for each in players]),
        Column("rank", [_arrow(each.rank_before, each.rank_after) for each in players], spare=1),
        Column("ranks", [signed(each.ranks, 0) if each.ranks else "" for each in players], right=True, spare=1),
        Column("from", [fixed(each, digits(old)) for each in old], right=True),
        Column("to", [fixed(each, digits(new)) for each in new], right=True),
        Column("difference", [signed(each.difference, digits(new)) for each in players], right=True, spare=1),
        Column("games", [str(each.games) for each in players], right=True, spare=2),
    ]


def _arrow(one: str, other: str) -> str:
    return one if one == other else f"{one or '–'} → {other or '–'}"


def _moves(answer: "WhatIf") -> list[list[Column]]:
    """Return how many players stand how many ranks higher or lower, with a bar each."""
    moved = answer.moved
    most = max(moved.values(), default=1)
    if set(moved) <= {0}:
        return []
    return [
        [
            Column("ranks", [signed(ranks, 0) for ranks in moved], right=True),
            Column("players", [f"{number:,}" for number in moved.values()], right=True),
            Column("", ["█" * max(1, round(40 * number / most)) for number in moved.values()]),
        ]
    ]


def _foot(answer: "WhatIf") -> str:
    higher, lower = (sum(number for ranks, number in answer.moved.items() if (ranks > 0) is up and ranks)
                     for up in (True, False))  # fmt: skip
    lines = [f"from {answer.before} to {answer.after}: {higher:,} of {counted(len(answer.players), 'player')} stand "
             f"ranks higher, {lower:,} lower"]  # fmt: skip
    if not answer.one_scale:
        lines.append("the two have different scales, so their ratings are not subtracted")
    return "\n".join(lines)
