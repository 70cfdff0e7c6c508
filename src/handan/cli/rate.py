"""`handan rate`: the ladder."""

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from handan.cli import options
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import hint, note, quoted
from handan.cli.output import PEOPLE, Form
from handan.cli.rows import show, write_rows
from handan.cli.session import Session, configured, learning, rated, ratings_of, saved_ratings, saved_session
from handan.cli.tables import Column
from handan.errors import InputError, counted
from handan.wording.figures import digits, fixed, signed

if TYPE_CHECKING:
    from handan.systems import System

Save = Annotated[
    Path | None,
    typer.Option("--save", metavar="FOLDER", help="Save the ratings, with their games, so that games can be added."),
]
RANKS = ("rank", "rank_before")
FEW = 0.1  # our choice: a share of players of which nothing is said
RAW_DIGITS = 4  # our choice: decimals of figures beside the rating


@on_files
def command(
    files: options.Files,
    system: options.SystemName,
    *,
    setting: options.Settings = None,
    tuned: options.Tuned = False,
    learned_entries: options.LearnedEntries = False,
    since: options.Since = None,
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", min=1, help="Only the first N players.")] = None,
    ranks_of: Annotated[
        str | None,
        typer.Option("--ranks-of", metavar="ORGANISATION", help="Show what the ranks are called there."),
    ] = None,
    ranks: options.Ranks = "auto",
    save: Save = None,
    output: options.Output = None,
    table: options.Table = "ratings",
    reading: Reading,
    form: options.Format = Form.TABLE,
) -> None:
    """Rate games and print the ladder.

    Saved ratings are read at once, without rating their games again; `handan add` adds games to them.
    The exit status is 0 if all was read, 1 if something was left out, 2 if nothing was rated.
    """
    rules = configured(system, setting)
    if save is not None and learned_entries:
        raise InputError("games that are added to saved ratings teach no entries: give --save or --learned-entries")
    at_once = since is None and save is None and not (tuned or learned_entries)
    make = partial(ratings_of, only_list=True) if save is None else partial(saved_ratings, folder=save)
    session = (saved_session(files, rules, reading) if at_once else None) or rated(
        files, rules, reading, learning(setting, tuned=tuned), make, learned_entries=learned_entries
    )
    if save is not None:
        note(f"saved in {save}; next: handan add {save} FILE{_anew(session.system)}")
    if not session.games and form in PEOPLE:  # nobody stands on the ladder
        session.end()
    ratings = session.ratings
    from handan.ratings.ladder import ladder_rows

    rows = (
        list(ratings.table(since=since, limit=limit).iter_rows(named=True))
        if since
        else ladder_rows(ratings.arrays, limit)
    )
    notes = list(ratings.notes)
    if ranks_of is not None:
        notes += _add_ranks_of(rows, session.system.name, ranks_of)
    if session.ranks_hidden(ranks):
        rows = [row | {name: "" for name in RANKS if name in row} for row in rows]
    names = list(rows[0]) if rows else ratings.table(since=since or "", limit=limit).columns
    if output is not None:
        write_rows(rows, dict(ratings.table(since=since or "", limit=1).schema), output, table)
    else:
        columns = _columns(session, rows)
        show(form, rows, names, columns, document=_document(session, rows, notes), foot=_summary(session, notes))
    if rows and output is None and form in PEOPLE:
        learned = " --tuned" * tuned + " --learned-entries" * learned_entries
        name = quoted(rows[0]["player"])
        hint(f"why? handan explain {files[0]} --system {session.system.name}{learned} --player {name}")
    if not learned_entries and _some_without_rank(session):
        hint("some enter without a rank; --learned-entries lets each enter where those like them stood")
    session.end()


def _some_without_rank(session: Session) -> bool:
    """Return whether some players enter by a rank and some without, which the system does not weigh by itself."""
    from handan.evidence.learned_entries import learns_entries

    ledger = session.ledger
    without = ledger.arrays.first_declared != ledger.arrays.first_game
    return not learns_entries(session.system) and bool(FEW < without.mean() < 1.0 - FEW) if len(without) else False


def _anew(rules: "System") -> str:
    """Return what has to be known before games are added to ratings of some systems; empty for the others."""
    from handan.systems.core.sequential import Sequential

    if isinstance(rules, Sequential):
        return ""
    return f"\n{rules.name} finds all ratings together: adding takes as long as rating all games"


def _document(session: Session, rows: list[dict[str, Any]], notes: list[str]) -> dict[str, Any]:
    ratings = session.ratings
    return {
        "system": session.system.name,
        "settings": session.settings,
        **session.tuned_as_dict,
        "games": session.games,
        "rated": session.rated,
        "newest_game": session.newest,
        "unrated": session.unrated,
        "rejected": [_rejected(asdict(problem), str(problem)) for problem in session.rejected],
        "warnings": session.warnings,
        "notes": notes,
        "pools": ratings.arrays.pools,
        "players": rows,
    }


def _rejected(problem: dict[str, Any], message: str) -> dict[str, Any]:
    return {name: problem[name] for name in ("source", "line", "field", "found", "expected")} | {"message": message}


def _columns(session: Session, rows: list[dict[str, Any]]) -> list[Column]:
    """Return the ladder's columns, without those that say nothing here."""
    decimals = digits(row["rating"] for row in rows)
    texts = {name: [str(row[name] or "") for row in rows] for name in ("rank", "draws", "last_played")}
    several = session.ratings.arrays.pools > 1
    pools = [str(row["pool"] or "") if several else "" for row in rows]
    return [
        Column("#", [str(row["place"]) for row in rows], right=True),
        Column("moved", [_moved(row) for row in rows], spare=1),
        Column("player", [row["player"] for row in rows]),
        Column("rank", texts["rank"], spare=1),
        Column("was", [_was(row) for row in rows], spare=2),
        Column("elsewhere", [row.get("elsewhere", "") for row in rows], spare=1),
        Column("rating", [fixed(row["rating"], decimals) for row in rows], right=True),
        Column("change", [signed(row.get("rating_change"), decimals) for row in rows], right=True, spare=1),
        *(
            Column(name, [fixed(row[name], RAW_DIGITS) for row in rows], right=True, spare=2)
            for name in session.ratings.arrays.beside
        ),
        Column("±", [fixed(row["deviation"], decimals) for row in rows], right=True, spare=2),
        Column("games", [str(row["games"]) for row in rows], right=True, spare=6),
        Column("won", [str(row["wins"]) for row in rows], right=True),
        Column("lost", [str(row["losses"]) for row in rows], right=True),
        Column("drawn", texts["draws"], right=True, spare=3),
        Column("last played", texts["last_played"], spare=5),
        Column("pool", pools, right=True, spare=4),
    ]


def _moved(row: dict[str, Any]) -> str:
    """Return places up or down since the earlier day: `▲ 2`, `▼ 1`, `=`, `new`; nothing without such a day."""
    if "places_up" not in row:
        return ""
    up = row["places_up"]
    return "new" if up is None else "=" if up == 0 else f"{'▲' if up > 0 else '▼'} {abs(up)}"


def _was(row: dict[str, Any]) -> str:
    """Return the rank of the earlier day where it was another."""
    earlier = row.get("rank_before") or ""
    return earlier if earlier != row["rank"] else ""


def _summary(session: Session, notes: list[str]) -> str:
    """Return how many games count, and why the others do not."""
    text = f"{session.system.title}: {session.rated:,} of {counted(session.games, 'game')} rated"
    reasons = "; ".join(f"{count:,} {reason}" for reason, count in session.unrated.items())
    newest = f"; newest game {session.newest}" if session.newest else ""
    counts = text + newest + (f"; not rated: {reasons}" if reasons else "")
    return "\n".join([counts, *session.learned, *notes])


def _add_ranks_of(rows: list[dict[str, Any]], system: str, target: str) -> list[str]:
    """Give every row the name of its rank in another organisation; return what must be known of it."""
    from handan.comparison import DATE, SYSTEMS, compare, organisation
    from handan.ranks import Rank

    if system not in SYSTEMS:
        raise InputError(f"ranks of {system} stand in no table of comparison; those of {', '.join(SYSTEMS)} do")
    where = organisation(target)
    notes: dict[str, None] = {}
    for row in rows:
        row["elsewhere"] = ""
        try:
            answer = compare(Rank.parse(row["rank"]), SYSTEMS[system], where)
        except InputError:  # the table does not reach so far
            continue
        row["elsewhere"] = answer.range
        notes |= dict.fromkeys((f"elsewhere: ranks of {where} by the table of {answer.date}", *answer.notes))
    if rows and not notes:
        return [f"elsewhere: the table of {DATE} reaches no rank of this list"]
    return list(notes)
