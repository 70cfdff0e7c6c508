"""`handan pools`: which players the games join, what everything hangs on, and which game would tell most."""

from handan.cli import options
from handan.cli.exit_status import end
from handan.cli.file_options import Reading, on_files
from handan.cli.output import Form
from handan.cli.rows import show
from handan.cli.session import read_ledger
from handan.cli.tables import Column
from handan.errors import counted
from handan.wording.figures import percent


@on_files
def command(files: options.Files, *, reading: Reading, form: options.Format = Form.TABLE) -> None:
    """Say which players the games join, which few games everything hangs on, and which game would tell most.

    Players without any chain of games between them share no scale.
    """
    from handan.evidence.pools import MOST_SHOWN, connections

    ledger = read_ledger(files, reading)
    answer = connections(ledger)
    rows = [{"pool": number, **each} for number, each in enumerate(answer.as_dict()["pools"], 1)]
    shown, spans = answer.pools[:MOST_SHOWN], answer.bridges[:MOST_SHOWN]
    tables = [
        [
            Column("pool", [str(number) for number in range(1, len(shown) + 1)], right=True),
            Column("players", [f"{each.players:,}" for each in shown], right=True),
            Column("games", [f"{each.games:,}" for each in shown], right=True),
            Column("who played most", [each.busiest for each in shown]),
        ]
    ]
    if spans:
        tables.append(
            [
                Column("bridge", [f"{each.one} and {each.other}" for each in spans]),
                Column("games", [f"{each.games:,}" for each in spans], right=True),
                Column("players it alone joins", [f"{each.players:,}" for each in spans], right=True),
            ]
        )
    lines = [counted(len(answer.pools), "pool") + ", " + counted(len(answer.bridges), "bridge")]
    lines += [f"{len(answer.pools) - MOST_SHOWN:,} more pools"] * (len(answer.pools) > MOST_SHOWN)
    lines += [f"{len(answer.bridges) - MOST_SHOWN:,} more bridges"] * (len(answer.bridges) > MOST_SHOWN)
    for each in answer.telling[-1:] if len(answer.pools) == 1 else answer.telling[:MOST_SHOWN]:
        joins = each.gain == 1.0
        what = "would join two pools" if joins else f"would take away {percent(each.gain)} of all uncertainty"
        lines.append(f"a game of {each.one} and {each.other} {what}")
    show(form, rows, list(rows[0]), tables, document=answer.as_dict(), foot="\n".join(lines))
    end(left_out=any(problem.rejected for problem in ledger.problems))
