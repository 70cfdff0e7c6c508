"""Ladders, cards and games as plain data: the same in tables, JSON files and calls."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

import polars as pl

from handan.club.people import Person
from handan.club.recorded import SIDES
from handan.club.service.events import EventLook
from handan.club.service.looking import ClubStandings
from handan.club.standings import Line
from handan.club.state import COUNTS, DISPUTED, WAITING, WITHDRAWN, ClubAdjustment, State
from handan.club.store.calendar import CalendarRow
from handan.files.games.adjustment_rows import FIGURES, KIND, ROW
from handan.ledger import When
from handan.ledger.events import PLAIN
from handan.ratings import LINE

WITHDRAWN_STATUS, SET_ASIDE = "withdrawn", "set aside"
STATUS = {COUNTS: "", WITHDRAWN: WITHDRAWN_STATUS, WAITING: "waits for confirmation", DISPUTED: "disputed"}
LADDER = ("place", "key", "player", "rank", "rating", "deviation", "games", "wins", "losses", "draws", "last_played",
          "last_updated", "pool")  # fmt: skip
CARD = (*LINE, "system")
Value = TypeVar("Value", bound=Hashable)


def finite(data: Any) -> Any:
    """Return plain data with null for numbers that are not finite, which JSON does not know."""
    if isinstance(data, float):
        return data if math.isfinite(data) else None
    if isinstance(data, Mapping):
        return {name: finite(value) for name, value in data.items()}
    return [finite(value) for value in data] if isinstance(data, list | tuple) else data


def as_json(data: Any) -> str:
    """Return plain data as JSON text, null for numbers that are not finite."""
    return plain_json(finite(data))


def plain_json(data: Any) -> str:
    """Return plain data without numbers that are not finite as JSON text."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False)


def calendar_data(state: State, rows: Iterable[CalendarRow]) -> list[dict[str, Any]]:
    """Return lines of the calendar; the names of events that are not shown are empty."""
    return [
        {"key": row.key, "club": row.club, "event": state.label_of(row.name), "first": str(row.first),
         "last": str(row.last), "country": row.country, "kind": row.kind, "games": row.games, "players": row.players}
        for row in rows
    ]  # fmt: skip


def event_data(look: EventLook) -> dict[str, Any]:
    """Return an event: what is known of it, who took part, its games, what it did, and what each result would do."""
    event, keys = look.event, look.look.state.keys
    own = {name: getattr(event, name) for name in PLAIN if name not in {"name", "settings"}}
    return {
        "key": look.entered.key if look.entered else "",
        "event": look.title,
        **{name: list(value) if isinstance(value, tuple) else value for name, value in own.items()},
        "first": str(event.first),
        "last": str(event.last),
        "participants": [
            {"key": keys.get(each.player.name, ""), "player": each.player.name, "country": each.player.country,
             "club": each.player.club, "rank": each.rank, "place": each.place, "figures": list(each.figures),
             "byes": [{"round": number, "kind": bye.value} for number, bye in each.byes],
             "preliminary": each.preliminary}
            for each in event.participants
        ],
        "games": [f"g{line}" for line in look.ledger.arrays.column("line").to_list()],
        "players": [
            {"key": keys[name], **line.as_dict(),
             "results": [{**asdict(each), "game": f"g{each.game}"} for each in line.results]}
            for name, line in look.lines.items()
        ],
        "looking_back": bool(look.effect and look.effect.looking_back),
        "pairings": [
            {"round": each.round, "black": keys.get(each.black, ""), "white": keys.get(each.white, ""),
             "handicap": each.handicap}
            for each in event.pairings
        ],
        "outcomes": [
            {"round": each.pairing.round, "black": each.pairing.black, "white": each.pairing.white,
             "handicap": each.pairing.handicap, "chance": each.chance,
             "black_wins": [line.explanation.change for line in each.black_wins],
             "white_wins": [line.explanation.change for line in each.white_wins]}
            for each in look.outcomes
        ],
    }  # fmt: skip


def ladder_data(standings: ClubStandings, label: str, part: slice = slice(None)) -> dict[str, Any]:
    """Return the ladder, or a part of it, as plain data."""
    return {**_ladder_head(standings, label), "players": list_rows(standings, part)}


def _ladder_head(standings: ClubStandings, label: str) -> dict[str, Any]:
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


def list_names(standings: ClubStandings) -> tuple[str, ...]:
    """Return the columns of a ladder: those of every system, and what this one shows beside the rating."""
    place = LADDER.index("rating") + 1
    return (*LADDER[:place], *standings.summary.beside, *LADDER[place:])


def list_rows(standings: ClubStandings, part: slice = slice(None)) -> list[dict[str, Any]]:
    """Return the ladder, or a part of it, as plain rows."""
    names, updated = list_names(standings), standings.last_updated
    rows = [{**row, "last_updated": updated.get(row["key"])} for row in standings.rows[part]]
    return [{name: row[name] for name in names} for row in rows]


def card_rows(lines: Iterable[Line]) -> list[dict[str, Any]]:
    """Return a player's card as plain data."""
    return [
        {**{name: getattr(line.explanation, name) for name in LINE}, "game": line.game, "system": line.rules.system}
        for line in lines
    ]  # fmt: skip


def game_data(state: State, row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a game as plain data."""
    return {name: make(state, *(row[source] for source in sources)) for name, (sources, make) in GAME.items()}


def games_table(state: State, games: pl.DataFrame) -> dict[str, list[Any]]:
    """Return the columns of a table of games as files of games name them, so that it is read again as such a file."""
    state.labels.prefetch(key for side in SIDES for key in games[side].unique())
    return {name: _column(state, games, *field) for name, field in TABLE.items()}


def adjustment_rows(state: State, items: Iterable[ClubAdjustment]) -> list[dict[str, Any]]:
    """Return adjustments as rows of the same table, which are read as such (`handan.files.games.adjustment_rows`)."""
    places = {key: place for place, key in enumerate(state.adjustments, 1)} if state.sources else {}
    adjustments = [*items]
    state.labels.prefetch(item.player for item in adjustments)
    return [_adjustment_row(state, item, places.get(item.key) or int(item.key[1:])) for item in adjustments]


def _adjustment_row(state: State, item: ClubAdjustment, place: int) -> dict[str, Any]:
    person, facts = state.person(item.player), item.facts
    own = {"": state.labels[person.key], "_id": next(iter(person.ids), ""), "_key": person.key, "_rank": ""}
    status = "" if state.is_in_force(item) else WITHDRAWN_STATUS if item.withdrawn else SET_ASIDE
    return {
        **dict.fromkeys(TABLE),
        "key": item.key,
        "date": facts.get("date"),
        **{f"{side}{kind}": value for kind, value in own.items() for side in SIDES},
        "kind": KIND,
        "notes": facts.get("note", ""),
        "entry": place,
        "status": status,
        "rank": facts.get("rank", ""),
        **{name: facts.get(name) for name in ("rating", "deviation")},
        "at_least": "yes" if facts.get("at_least") else "",
    }


def adjustments_table(state: State, items: Iterable[ClubAdjustment]) -> dict[str, list[Any]]:
    """Return the columns of the adjustments that are in force, as `handan.read_adjustments` reads them."""
    rows = adjustment_rows(state, filter(state.is_in_force, items))
    named = {**{name: name for name in ROW}, "player": "black", "note": "notes"}
    return {name: [row[own] for row in rows] for name, own in named.items()}


def _column(state: State, games: pl.DataFrame, sources: Sequence[str], make: Callable[..., Any]) -> list[Any]:
    if not sources:
        return [None] * games.height
    columns = [games[source].to_list() for source in sources]
    return columns[0] if make is _as_it_is else each(zip(*columns, strict=True), lambda values: make(state, *values))


def each(values: Iterable[Value], make: Callable[[Value], Any]) -> list[Any]:
    """Return what is made of each value, once of those that are equal."""
    made: dict[Value, Any] = {}
    return [made[value] if value in made else made.setdefault(value, make(value)) for value in values]


def _as_it_is(_: State, value: Any) -> Any:
    return value


def _key(state: State, player: str) -> str:
    return state.person(player).key


def _name(state: State, player: str) -> str:
    return state.labels[state.person(player).key]


def _number(state: State, player: str) -> str:
    return next(iter(state.person(player).ids), "")


def _day(_: State, moment: Any, precision: int) -> str | None:
    return str(When(moment, precision)) if moment else None


GAME: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "key": (("line",), lambda _, line: f"g{line}"),
    "date": (("date", "precision"), _day),
    "black": (("black",), _key), "white": (("white",), _key),
    "black_name": (("black",), _name), "white_name": (("white",), _name),
    "handicap": (("handicap",), _as_it_is), "komi": (("komi",), _as_it_is), "size": (("size",), _as_it_is),
    "kind": (("kind",), State.label_of), "event": (("event",), State.label_of),
    "server": (("server",), State.label_of),
    "round": (("round",), _as_it_is), "moves": (("moves",), _as_it_is), "notes": (("notes",), _as_it_is),
    "result": (("result",), _as_it_is),
    "status": (("status",), lambda _, status: STATUS[status]),
    "entry": (("latest",), _as_it_is),
}  # fmt: skip
"""Of what columns of the games table each field of a game is made, and how."""
TABLE: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    **{name: GAME[name] for name in ("key", "date")},
    "black": GAME["black_name"], "white": GAME["white_name"],
    "black_id": (("black",), _number), "white_id": (("white",), _number),
    "black_rank": (("black_rank",), _as_it_is), "white_rank": (("white_rank",), _as_it_is),
    **{name: GAME[name] for name in ("result", "handicap", "komi", "size", "kind", "event", "round", "server", "moves",
                                     "notes")},
    "entry": (("entry",), _as_it_is), "status": GAME["status"],
    **{name: ((), lambda _: None) for name in FIGURES},
    "black_key": GAME["black"], "white_key": GAME["white"],
}  # fmt: skip
"""The same of the columns of a table of games, with what only adjustments say, and the keys of the players, behind."""


def player_data(state: State, person: Person) -> dict[str, Any]:
    """Return a player as plain data."""
    return {"key": person.key, "label": state.labels[person.key], "earlier_homes": [], **person.as_dict()}
