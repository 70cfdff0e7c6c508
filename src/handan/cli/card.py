"""`handan card`: the points cards of clubs, whole."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from handan.cli import options
from handan.cli.notices import say_all
from handan.cli.output import Form
from handan.cli.rows import show
from handan.cli.tables import Column
from handan.handicaps import CARDS, Card, card, read_card
from handan.wording.figures import brief

CARD_NAMES = ("card", "title", "source", "points_per_stone")
ROW_NAMES = ("difference", "card_stones", "free_stones", "stones_on_board", "komi", "tie")


def command(name: options.CardArgument = None, form: options.Format = Form.TABLE) -> None:
    """Print a points card, or list the cards."""
    if name is None:
        _list_cards(form)
        return
    chosen = chosen_card(name)
    rows = [asdict(row) for row in chosen.rows()]
    document = {"card": chosen.name, "title": chosen.title, "source": chosen.source, "rows": rows}
    head = f"{chosen.title}\nSource: {chosen.source}"
    show(form, rows, ROW_NAMES, _columns(rows), document=document, head=head)


def chosen_card(name: str) -> Card:
    """Return a card by name, or a club's own from a CSV file, whose faults are reported on stderr."""
    if name in CARDS or not (name.lower().endswith(".csv") or Path(name).is_file()):
        return card(name)
    own, problems = read_card(name)
    say_all("warning", [str(problem) for problem in problems])
    return own


def _list_cards(form: Form) -> None:
    rows = [{"card": each.name} | {key: getattr(each, key) for key in CARD_NAMES[1:]} for each in CARDS.values()]
    show(form, rows, CARD_NAMES, [Column(title, [row[title] for row in rows]) for title in ("card", "title")])


def _columns(rows: list[dict[str, Any]]) -> list[Column]:
    return [
        Column("difference", [str(row["difference"]) for row in rows], right=True),
        Column("stones", [str(row["card_stones"]) for row in rows], right=True),
        Column("on the board", [str(row["stones_on_board"]) for row in rows], right=True, spare=1),
        Column("komi", [brief(row["komi"]) for row in rows], right=True, spare=1),
        Column("tie", [row["tie"] for row in rows], spare=2),
    ]
