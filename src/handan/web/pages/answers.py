"""The same table as page, CSV or JSON."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse

from handan.club.changes import facts_of
from handan.club.folding import State
from handan.club.replay import Line, Standings
from handan.ratings import LINE
from handan.web.pages.formatting import STATUS

LADDER = (
    "place",
    "key",
    "player",
    "rank",
    "rating",
    "deviation",
    "games",
    "wins",
    "losses",
    "draws",
    "last_played",
    "last_updated",
    "pool",
)
CARD = (*LINE, "system")
PLAIN = ("handicap", "komi", "size", "kind", "event", "round", "moves", "notes", "result")
FORMULA = re.compile(r"(^|[;\t\r\n])([=+\-@\t\r])")
"""Where a spreadsheet sees a formula begin: at the start of a cell, also if it takes `;` or a tab for its end."""
SEPARATING = re.compile(r'[,;"\t\r\n]')


def csv_answer(
    rows: Iterable[Mapping[str, Any]], names: tuple[str, ...], file: str, *, whole: bool = False
) -> StreamingHttpResponse:
    """Return rows as CSV in UTF-8, quoted as RFC 4180 says; written at once if `whole`, else while it is sent.

    A text that a spreadsheet would take for a formula is preceded by an apostrophe; numbers are left alone.
    """

    def lines() -> Iterator[str]:
        yield ",".join(names) + "\n"
        for row in rows:
            yield ",".join(_cell(row[name]) for name in names) + "\n"

    text = iter(["".join(lines())]) if whole else lines()
    answer = StreamingHttpResponse(text, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{file}.csv"'
    return answer


def json_answer(data: Any) -> HttpResponse:
    """Return plain data as JSON."""
    return json_text(_json(data))


def json_text(text: str) -> HttpResponse:
    """Return JSON that is written already."""
    return HttpResponse(text, content_type="application/json")


def _json(data: Any) -> str:
    return json.dumps(finite(data), ensure_ascii=False, allow_nan=False)


def finite(data: Any) -> Any:
    """Return plain data with null for numbers that are not finite, which JSON does not know."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {name: finite(value) for name, value in data.items()}
    return [finite(value) for value in data] if isinstance(data, list | tuple) else data


def ladder_data(standings: Standings, label: str) -> dict[str, Any]:
    """Return the ladder as plain data."""
    return {**_ladder_head(standings, label), "players": list_rows(standings)}


def _ladder_head(standings: Standings, label: str) -> dict[str, Any]:
    """Return what a ladder says before its players."""
    last = standings.last_added
    return {
        "club": standings.state.slug,
        "label": label,
        "system": standings.rules.system,
        "as_of": None if standings.day is None else str(standings.day),
        "ledger": {"entry": standings.state.number, "digest": standings.state.digest},
        "last_added": None if last is None else {**last._asdict(), "entered": last.entered.isoformat()},
    }


def ladder_text(standings: Standings, label: str) -> str:
    """Return `ladder_data` as JSON; players of whom it says what it said before an entry are not written again."""
    names, updated = list_names(standings), standings.last_updated

    def written(row: Mapping[str, Any]) -> str:
        whole = {**row, "last_updated": updated.get(row["key"])}
        return _json({name: whole[name] for name in names if name != "place"}).removeprefix("{")

    texts = [(row["place"], standings.text_of("json", row, updated.get(row["key"]), written)) for row in standings.rows]
    players = ", ".join(f'{{"place": {place}, {text}' for place, text in texts)
    head = _json(_ladder_head(standings, label)).removesuffix("}")
    return f'{head}, "players": [{players}]}}'


def list_names(standings: Standings) -> tuple[str, ...]:
    """Return the columns of a ladder: those of every system, and what this one shows beside the rating."""
    place = LADDER.index("rating") + 1
    return (*LADDER[:place], *standings.ratings.beside, *LADDER[place:])


def list_rows(standings: Standings) -> list[dict[str, Any]]:
    """Return the ladder as plain rows."""
    names, updated = list_names(standings), standings.last_updated
    rows = [{**row, "last_updated": updated.get(row["key"])} for row in standings.rows]
    return [{name: row[name] for name in names} for row in rows]


def card_rows(lines: Iterable[Line]) -> list[dict[str, Any]]:
    """Return a player's card as plain data."""
    return [
        {**{name: getattr(line.explanation, name) for name in LINE}, "game": line.game, "system": line.rules.system}
        for line in lines
    ]  # fmt: skip


def game_data(state: State, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a game as plain data."""
    people = {side: state.person(row[side]) for side in ("black", "white")}
    names = {f"{side}_name": state.labels[person.key] for side, person in people.items()}
    keys = {side: person.key for side, person in people.items()}
    facts = {
        name: row[name] for name in ("handicap", "komi", "size", "kind", "event", "round", "moves", "notes", "result")
    }
    when = facts_of(row).get("date")
    status = {"status": STATUS[row["status"]], "entry": row["latest"]}
    return {"key": f"g{row['line']}", "date": when, **keys, **names, **facts, **status}


def _cell(value: Any) -> str:
    """Return a cell, quoted where a program could take a character for its end, whatever separates its columns."""
    if value is None:
        return ""
    if not isinstance(value, str):
        return str(value)
    text = FORMULA.sub(r"\1'\2", value)
    return '"' + text.replace('"', '""') + '"' if SEPARATING.search(text) else text
