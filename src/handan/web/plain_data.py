"""Ladders, cards and games as plain data: the same in tables, JSON files and calls."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from handan.club.changes import facts_of
from handan.club.standings import Line, Standings
from handan.club.state import COUNTS, DISPUTED, WAITING, WITHDRAWN, Person, State
from handan.ratings import LINE

STATUS = {COUNTS: "", WITHDRAWN: "withdrawn", WAITING: "waits for confirmation", DISPUTED: "disputed"}
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
GAME = ("handicap", "komi", "size", "kind", "event", "round", "moves", "notes", "result")


def finite(data: Any) -> Any:
    """Return plain data with null for numbers that are not finite, which JSON does not know."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {name: finite(value) for name, value in data.items()}
    return [finite(value) for value in data] if isinstance(data, list | tuple) else data


def as_json(data: Any) -> str:
    """Return plain data as JSON text, null for numbers that are not finite."""
    return json.dumps(finite(data), ensure_ascii=False, allow_nan=False)


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
        return as_json({name: whole[name] for name in names if name != "place"}).removeprefix("{")

    texts = [(row["place"], standings.text_of("json", row, updated.get(row["key"]), written)) for row in standings.rows]
    players = ", ".join(f'{{"place": {place}, {text}' for place, text in texts)
    head = as_json(_ladder_head(standings, label)).removesuffix("}")
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
    facts = {name: row[name] for name in GAME}
    when = facts_of(row).get("date")
    status = {"status": STATUS[row["status"]], "entry": row["latest"]}
    facts |= {name: state.label_of(row[name]) for name in ("event", "kind")}
    return {"key": f"g{row['line']}", "date": when, **keys, **names, **facts, **status}


def player_data(state: State, person: Person) -> dict[str, Any]:
    """Return a player as plain data."""
    return {"key": person.key, "label": state.labels[person.key], **person.as_dict()}
