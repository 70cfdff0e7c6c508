"""`handan compare`: which rating system forecasts these games best, and how sure that is."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from handan.cli import options
from handan.cli.exit_status import end
from handan.cli.file_options import Reading, on_files
from handan.cli.notices import say_all, working
from handan.cli.output import Form, visible, write
from handan.cli.output_files import refuse_own_input, write_file
from handan.cli.rows import show
from handan.cli.session import read_ledger
from handan.cli.size_checks import check_system
from handan.cli.tables import Column, aligned
from handan.errors import InputError, counted
from handan.wording.figures import about, fixed, percent, signed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from handan.evidence import Cluster, Comparison, Score

Systems = Annotated[
    str,
    typer.Option(
        "--systems", "-s", metavar="NAMES", help="Rating systems by commas, or all; elo:k=32 is one with a setting."
    ),
]
Train = Annotated[
    list[Path] | None,
    typer.Option(
        "--train", metavar="FILE", help="Earlier games, learned from and not scored. Repeatable.", show_default=False
    ),
]
Level = Annotated[
    str, typer.Option("--known", metavar="LEVEL", help="What is known before a game: game, day or event.")
]
From = Annotated[str | None, typer.Option("--from", metavar="DATE", help="Score only games from this day on.")]
Tuned = Annotated[
    bool, typer.Option("--tuned", help="Also each system with settings learned from earlier games, where it has such.")
]
LearnedEntries = Annotated[
    bool,
    typer.Option(
        "--learned-entries", help="Also each system with newcomers who enter where earlier ones like them stood."
    ),
]
By = Annotated[
    str | None, typer.Option("--by", metavar="KIND", help="Also in parts: handicap, rank, experience or year.")
]
Parts = Annotated[bool, typer.Option("--parts", help="Also what each part of handan earns on these games.")]
Curve = Annotated[bool, typer.Option("--curve", help="Also whether chances of the best system mean what they say.")]
Report = Annotated[
    Path | None, typer.Option("--report", metavar="FILE", help="Write a page with charts, to read or to print.")
]
FITTED = "*"
WIDE = 41  # signs from a chance of 0 to 1
KNOWN_BEFORE = {
    "game": "what was known before its moment or round",
    "day": "what was known before its day",
    "event": "what was known before its event",
}


def workers_at(address: str | None, keep: Path | None) -> "Cluster | None":
    """Return the cluster of an address; InputError for a folder to keep results in without one."""
    from handan.evidence import Cluster

    if address is None and keep is not None:
        raise InputError("--keep is for --cluster, such as --cluster local")
    return None if address is None else Cluster(address, keep)


@on_files
def command(
    files: options.Files,
    *,
    systems: Systems = "all",
    train: Train = None,
    known: Level = "game",
    since: From = None,
    by: By = None,
    tuned: Tuned = False,
    learned_entries: LearnedEntries = False,
    parts: Parts = False,
    curve: Curve = False,
    report: Report = None,
    cluster: options.ClusterAddress = None,
    keep: options.Keep = None,
    reading: Reading,
    form: options.Format = Form.TABLE,
) -> None:
    """Say which rating system forecasts these games best, and whether that is more than chance.

    Each game is forecast from what was known before it; the lower the log-loss, the better. A coin has 0.6931.
    """
    from dataclasses import replace

    from handan.charts import need_charts
    from handan.evidence import compare
    from handan.evidence.candidates import candidates

    chosen = candidates(systems)
    if report is not None:
        refuse_own_input([*files, *(train or ()), *reading.sources], report)
        need_charts()
    earlier = read_ledger(train, replace(reading, adjustments=None)) if train else None
    ledger = read_ledger(files, reading)
    for rules in chosen:
        check_system(ledger, rules)
    workers = workers_at(cluster, keep)
    with working("comparing") as progress:
        answer = compare(
            ledger,
            chosen,
            train=earlier,
            known=known,
            since=since,
            by=by,
            tuned=tuned,
            learned_entries=learned_entries,
            parts=parts,
            cluster=workers,
            progress=progress,
        )
    if form is Form.TABLE:
        write(visible_lines(answer, curve=curve))
    else:
        rows = answer.table()
        tables = [score_columns(answer), *_more_tables(answer, curve=curve)]
        show(form, rows.to_dicts(), rows.columns, tables, document=answer.as_dict(), foot=below_scores(answer))
    say_all("warning", [visible(each) for each in answer.notes])
    if report is not None:
        from handan.evidence.report import page

        write_file(report, page(answer).encode())
    problems = (*ledger.problems, *(earlier.problems if earlier is not None else ()))
    end(left_out=any(problem.rejected for problem in problems))


def visible_lines(answer: "Comparison", *, curve: bool = False) -> str:
    """Return the answer as text: the tables, what they rest on, and at its end what it comes to."""
    tables = (aligned(columns) for columns in _more_tables(answer, curve=curve))
    return "\n\n".join([aligned(score_columns(answer)), "\n".join(_below(answer)), *tables, answer.sentence])


def below_scores(answer: "Comparison") -> str:
    """Return what stands below the tables, and at its end what they come to."""
    return "\n".join([*_below(answer), answer.sentence])


def _below(answer: "Comparison") -> list[str]:
    """Return what stands below the table of systems."""
    return [_basis(answer), *_against_the_best(answer), *_learned(answer), *_footnotes(answer)]


def _more_tables(answer: "Comparison", *, curve: bool) -> list[list[Column]]:
    """Return the tables that were asked for."""
    tables = ((answer.parts, _parts), (answer.curve if curve else (), _curve), (answer.groups, _groups))
    return [columns(answer) for rows, columns in tables if rows]


def score_columns(answer: "Comparison") -> list[Column]:
    """Return the table of systems."""
    scores = answer.systems
    between = [f"{each.interval[0]:.4f} to {each.interval[1]:.4f}" if each.interval else "" for each in scores]
    return [
        Column("#", [str(number) for number in range(1, len(scores) + 1)], right=True),
        Column("system", [each.system + FITTED * _fitted(each) for each in scores]),
        Column("log-loss", [fixed(each.log_loss, 4) for each in scores], right=True),
        Column("95 % interval", between, spare=2),
        Column("Brier", [fixed(each.brier, 4) for each in scores], right=True, spare=4),
        Column("accuracy", [percent(each.accuracy) for each in scores], right=True, spare=1),
        Column("slope", [fixed(each.calibration_slope, 2) for each in scores], right=True, spare=3),
        Column("newcomers", [fixed(_of_newcomers(each), 4) for each in scores], right=True, spare=5),
        Column("than a coin", [each.verdict for each in scores], spare=1),
    ]


def _fitted(score: "Score") -> bool:
    from handan.evidence.candidates import FITTED as CURVE

    return str(score.settings["forecast"]).startswith(CURVE)


def _of_newcomers(score: "Score") -> float | None:
    """Return the log-loss of the games in which somebody was new, None without any."""
    parts = [figures for kind, figures in score.strangers.items() if kind != "both_known" and figures["games"]]
    games = sum(figures["games"] for figures in parts)
    return sum(figures["games"] * figures["log_loss"] for figures in parts) / games if games else None


def _basis(answer: "Comparison") -> str:
    """Return what was scored, in one line."""
    days = f" ({answer.first} to {answer.last})" if answer.first else ""
    return f"{counted(answer.scored, 'game')} scored{days}, each from {KNOWN_BEFORE[answer.known]}; a coin has 0.6931"


def _against_the_best(answer: "Comparison") -> list[str]:
    """Return which systems the best one is better than, and from which it cannot be told apart."""
    from handan.evidence import APART

    if answer.best is None or not answer.pairs:
        return []
    best, behind, level = answer.best.system, list[str](), list[str]()
    for pair in answer.pairs:
        if pair.a != best:
            continue
        if pair.verdict == APART:
            more = "" if level or pair.games_needed is None else f" ({about(pair.games_needed)} games would tell)"
            level.append(pair.b + more)
        else:
            low, high = (signed(value, 4) for value in pair.interval)
            behind.append(f"{pair.b} ({signed(pair.difference, 4)}, {low} to {high})")
    lines = [f"{best} is better than {', '.join(behind)}"] if behind else []
    if level:
        others = "any other" if not behind and len(level) > 2 else ", ".join(level[1:])
        lines.append(f"{best} {APART} from {level[0]}" + (f", nor from {others}" if others else ""))
    return lines


def _learned(answer: "Comparison") -> list[str]:
    """Return the settings that earlier games chose."""
    return [
        f"{each.system}: {', '.join(f'{name} {value:.3g}' for name, value in each.learned.items())}"
        for each in answer.systems
        if each.learned
    ]


def _parts(answer: "Comparison") -> list[Column]:
    """Return the table of what each part of a system earns."""
    parts = answer.parts
    ends = [" to ".join(signed(end, 4) for end in each.interval) for each in parts]
    return [
        Column("part", [f"{each.system}: {each.part}" for each in parts]),
        Column("earns", [signed(each.earns, 4) for each in parts], right=True),
        Column("95 % interval", ends, right=True, spare=1),
        Column("so it", [each.verdict for each in parts]),
    ]


def _curve(answer: "Comparison") -> list[Column]:
    """Return the reliability of the best system: what it forecast, what Black scored, and both drawn on one line."""
    points = answer.curve
    return [
        Column("forecast", [percent(point["forecast"]) for point in points], right=True),
        Column("Black scored", [percent(point["score"]) for point in points], right=True),
        Column("games", [f"{point['games']:,}" for point in points], right=True),
        Column("| forecast, o scored: 0 to 100 %", [_drawn(point) for point in points]),
    ]


def _drawn(point: "Mapping[str, float]") -> str:
    """Return a line from 0 to 1 with a forecast and a score on it; one sign where they meet."""
    line = ["."] * WIDE
    line[round(point["forecast"] * (WIDE - 1))] = "|"
    line[round(point["score"] * (WIDE - 1))] = "o"
    return "".join(line)


def _footnotes(answer: "Comparison") -> list[str]:
    """Return how forecasts are made that are not the law of a replay."""
    from handan.evidence.candidates import FITTED as CURVE

    return [f"{FITTED} {CURVE}"] * any(_fitted(each) for each in answer.systems)


def _groups(answer: "Comparison") -> list[Column]:
    """Return the parts of the games: White's score, and what the systems forecast of it."""
    groups = answer.groups
    white = ["" if group.white_score is None else percent(group.white_score) for group in groups]
    ends = ["" if group.interval is None else " to ".join(map(percent, group.interval)) for group in groups]
    columns = [
        Column(answer.by or "", [group.group for group in groups]),
        Column("games", [f"{group.games:,}" for group in groups], right=True),
        Column("White scores", white, right=True),
        Column("95 % interval", ends, right=True),
    ]
    for place, score in enumerate(answer.systems):
        if score.log_loss is not None:
            expected = [percent(group.white_expected[score.system]) for group in groups]
            columns.append(Column(score.system, expected, right=True, spare=place + 1))
    return columns
