"""`handan explain`: why each change came about, with the arithmetic written out."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handan.cli import options
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import note
from handan.cli.output import Form, visible, write
from handan.cli.rows import show
from handan.cli.session import configured, learning, rated
from handan.cli.tables import emphasised, wrapped
from handan.handicaps.terms import stones_in_words
from handan.ratings.arithmetic import arithmetic
from handan.wording.figures import brief, digits, step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from handan.ledger import Ledger
    from handan.ratings import Explanation

MORE = ("arithmetic", "factors", "facts")
"""Columns of a CSV beyond those of the line."""


@on_files
def command(
    files: options.Files,
    system: options.SystemName,
    player: options.Player,
    *,
    game: Annotated[int | None, typer.Option("--game", metavar="N", help="Only game N, in playing order.")] = None,
    setting: options.Settings = None,
    tuned: options.Tuned = False,
    learned_entries: options.LearnedEntries = False,
    ranks: options.Ranks = "auto",
    reading: Reading,
    form: options.Format = Form.TABLE,
) -> None:
    """Explain each change of a rating, factor by factor.

    Numbers have as many digits as it takes to find the printed change from the printed factors by hand.

    The exit status is 0 if all was read, 1 if something was left out, 2 if nothing was rated.
    """
    from handan.ratings import LINE

    rules = configured(system, setting)
    session = rated(files, rules, reading, learning(setting, tuned=tuned), learned_entries=learned_entries)
    lines = session.ratings.explain(player, game)
    if session.ranks_hidden(ranks):
        lines = [replace(line, opponent_rank="", rank_before="", rank_after="") for line in lines]
    decimals = digits(value for line in lines for value in (line.before, line.change, line.after))
    if form is Form.TABLE and lines:
        write("\n\n".join(paragraph(line, decimals) for line in lines))
    else:
        rows = [_row(line, decimals) for line in lines]
        text = "\n\n".join(paragraph(line, decimals) for line in lines) or f"{player} has no games yet"
        show(form, rows, (*LINE, *MORE), [], document=[line.as_dict() for line in lines], head=text)
    for text in (*session.learned, *_entry(session.ledger, player)):
        note(text)
    session.end()


def _entry(ledger: "Ledger", player: str) -> "Iterator[str]":
    """Yield with what a player enters, where that is no declared rank, and the reason."""
    name = ledger.names[ledger.find(player)]
    for item in ledger.adjustments:
        if item.player == name and item.date is None:
            value = item.rank if item.rating is None else brief(item.rating)
            yield f"{name} enters with {value}" + f": {item.note}" * bool(item.note)


def _row(line: "Explanation", decimals: int) -> dict[str, Any]:
    """Return the line as one row, its factors and facts as text."""
    shown = step(line.before, line.change, line.after, decimals)
    written = arithmetic(line.reason, line.change, shown.decimals)
    return line.as_dict() | {
        "arithmetic": written.line,
        "factors": "; ".join(f"{factor.name} {text}" for factor, text, _ in written.terms),
        "facts": _facts(line),
    }


def paragraph(line: "Explanation", decimals: int) -> str:
    """Return a change in words: what was played, from where to where, the arithmetic, and what it rests on."""
    shown = step(line.before, line.change, line.after, decimals)
    written = arithmetic(line.reason, line.change, shown.decimals)
    parts = [f"{line.rank_before} {shown.before}".strip(), "→", f"{line.rank_after} {shown.after}".strip()]
    texts = [f"  {' '.join(parts)} ({shown.change})"]
    texts += [f"  {note}" for note in (line.note, line.comment) if note]
    if written.line:
        texts.append(f"  {written.line}")
    texts += [f"    {text}" for text in written.lines]
    if facts := _facts(line):
        texts.append(f"  {facts}")
    return "\n".join([emphasised(wrapped(visible(_title(line)))), *(wrapped(visible(text)) for text in texts)])


def _title(line: "Explanation") -> str:
    """Return what was played: `Game 1, 2026-05-01: Black against Bob, 2 stones, komi 0.5: win`."""
    day = f", {line.date}" if line.date else ""
    if line.game is None:
        return f"Adjustment{day}"
    komi = "" if line.komi is None else f"komi {brief(line.komi)}"
    terms = "".join(f", {words}" for words in (stones_in_words(line.handicap), komi) if words)
    against = f"{line.colour.capitalize()} against" if line.colour else "Against"
    return f"Game {line.game}{day}: {against} {line.opponent}{terms}: {line.outcome}"


def _facts(line: "Explanation") -> str:
    return "; ".join(f"{name}: {brief(value)}" for name, value in line.reason.facts.items())
