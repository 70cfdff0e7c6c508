"""`handan drift`: how ratings drift from year to year and by level, and who is over- or underrated."""

from typing import TYPE_CHECKING, Annotated

import typer

from handan.cli import options
from handan.cli.exit_status import end
from handan.cli.file_options import Reading, on_files
from handan.cli.output import Form
from handan.cli.rows import show
from handan.cli.session import configured, read_ledger
from handan.cli.size_checks import check_system
from handan.cli.tables import Column
from handan.errors import InputError, counted
from handan.wording.figures import fixed, signed

if TYPE_CHECKING:
    from handan.evidence.drift import Drift
    from handan.evidence.misrated import Judgement, Misrated

Players = Annotated[bool, typer.Option("--players", help="Say instead who is over- or underrated beyond chance.")]
From = Annotated[str | None, typer.Option("--from", metavar="DATE", help="Count only games from this day on.")]
Kind = Annotated[
    str | None, typer.Option("--kind", metavar="KIND", help="With --players: count only games of this kind.")
]
SURE = 0.0001  # what a smaller level is printed as


@on_files
def command(
    files: options.Files,
    system: options.SystemName,
    *,
    setting: options.Settings = None,
    players: Players = False,
    since: From = None,
    kind: Kind = None,
    reading: Reading,
    form: options.Format = Form.TABLE,
) -> None:
    """Say how ratings of established players drift from year to year and by level, and who is misrated.

    With --players: whose results in the last year before the newest game, or from a day on, the forecasts do not
    explain.
    """
    from handan.evidence.drift import inflation
    from handan.evidence.misrated import misrated

    rules = configured(system, setting)
    if kind is not None and not players:
        raise InputError("--kind goes with --players")
    ledger = read_ledger(files, reading)
    check_system(ledger, rules)
    if players:
        _show_players(form, misrated(ledger, rules, since=since, kind=kind))
    else:
        _show_drift(form, rules.name, inflation(ledger, rules, since=since))
    end(left_out=any(problem.rejected for problem in ledger.problems))


def _show_drift(form: Form, system: str, answer: "tuple[Drift, ...]") -> None:
    """Print drift by years and levels."""
    from handan.evidence.drift import ESTABLISHED, FEWEST_PLAYERS

    documents = [each.as_dict() for each in answer]
    names = ("years", "level", "players", "games", "rating", "low", "high", "ranks", "ranks_low", "ranks_high")
    rows = [
        dict(
            zip(
                names,
                (
                    each.years, each.level, each.players, each.games, each.rating, *each.interval, each.ranks,
                    *(each.ranks_interval or (None, None)),
                ),
                strict=True,
            )
        )
        | {"verdict": each.verdict}
        for each in answer
    ]  # fmt: skip
    columns = [
        Column("years", [each.years for each in answer]),
        Column("level", [each.level for each in answer]),
        Column("players", [f"{each.players:,}" for each in answer], right=True),
        Column("rating a year", [signed(each.rating, 1) for each in answer], right=True),
        Column("95 % interval", [_between(*each.interval, decimals=1) for each in answer]),
        Column("ranks a year", [signed(each.ranks, 2) for each in answer], right=True, spare=1),
        Column("95 % interval", [_between(*(each.ranks_interval or (None, None))) for each in answer], spare=1),
        Column("ratings are", [each.verdict for each in answer]),
    ]
    foot = (
        f"{system}: players from their {ESTABLISHED + 1}th game on, cells of at least {FEWEST_PLAYERS} players; ratings"
        " rise too where the players improve"
    )
    if not answer:
        foot = f"{system}: fewer than {FEWEST_PLAYERS} players have {ESTABLISHED} games and more on other days"
    show(
        form, rows, [*names, "verdict"], columns if answer else [], document={"system": system, "drift": documents},
        foot=foot,
    )  # fmt: skip


def _between(low: float | None, high: float | None, decimals: int = 2) -> str:
    """Return an interval in words; nothing where both ends are open."""
    if low is None and high is None:
        return ""
    return f"{signed(low, decimals) or '…'} to {signed(high, decimals) or '…'}"


def _show_players(form: Form, answer: "Judgement") -> None:
    """Print who is over- or underrated."""
    from handan.evidence.misrated import FEWEST_GAMES, LEVEL

    rows = answer.as_dict()["players"]
    some = answer.players
    names = ["player", "verdict", "games", "score", "expected", "error", "level", "change", "low", "high"]
    columns = [
        Column("player", [each.player for each in some]),
        Column("is", [each.verdict for each in some]),
        Column("games", [f"{each.games:,}" for each in some], right=True),
        Column("score", [f"{each.score:g}" for each in some], right=True),
        Column("expected", [f"{fixed(each.expected, 1)} ± {fixed(each.error, 1)}" for each in some], right=True),
        Column("level", [f"{each.level:.4f}" if each.level >= SURE else f"< {SURE}" for each in some], right=True),
        Column("change of rating", [_change(each) for each in some], right=True, spare=1),
        Column("95 % interval", [_between(each.low, each.high, 1) for each in some], spare=1),
    ]
    looked = f"{counted(answer.looked_at, 'player')} with {FEWEST_GAMES} games or more looked at"
    since = f" from {answer.since} on" if answer.since else ""
    foot = f"{answer.system}: {counted(answer.games, 'game')}{since}, {looked}; " + (
        f"of those listed at most {100.0 * LEVEL:g} % are expected to be there by chance"
        if some
        else "nobody can be told from rightly rated"
    )
    show(form, rows, names, columns if some else [], document=answer.as_dict(), foot=foot)


def _change(each: "Misrated") -> str:
    if each.change is not None:
        return signed(each.change, 1)
    return "won all" if each.score == each.games else "lost all" if each.score == 0 else ""
