"""Files of American tournament directors: a register of players, and each round as a file of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import polars as pl

from handan.errors import Clause, InputError, Problem
from handan.files.formats.aga_report import GAME, add_game, add_player, key_of, player_line, register_id
from handan.files.games.contents import Contents, Entrant, Gatherer, Register, apart
from handan.files.games.format import Format
from handan.files.games.missing_dates import with_date
from handan.files.games.text_lines import lines_of
from handan.files.io.options import Options

ROUND = re.compile(r"(\d{1,3})\.tde$", re.IGNORECASE)
DIRECTIVE = re.compile(r"##\s?(Tourney|Tournament|Date)\s(.*)", re.IGNORECASE)
"""A comment by which the register's program names the tournament, or its day."""
NAME = re.compile(r"[^\W\d_][^\d_:+]*")
"""How a name begins, and the whole of one."""
ID = re.compile(r"[A-Za-z]{0,4}\d{1,6}")
NAMELESS = "number"
OF_ONE_TOURNAMENT = (
    "the number of one person at every tournament; read the register beside the rounds, else those who have it in two "
    "files count as one player"
)
MOST_SHOWN = 5  # our choice
LIKE = 0.6  # our choice: share of the first lines that must have the form


def _like(head: bytes, wanted: Callable[[str], bool]) -> bool:
    """Return whether most of the first lines have a form; key words of a report or tags of a table mean another."""
    text = head[:8192].decode("latin-1").removeprefix("ï»¿")
    if re.search(r"(?im)^[^\S\n]*(TOURNEY|TOURNAMENT|PLAYERS|GAMES|END)\b|^[^\S\n]*[;(<]", text):
        return False
    lines = [" ".join(line.split()) for line in text.split("\n")[:40]]
    content = [line for line in lines if line and not line.startswith("#")]
    return bool(content) and sum(wanted(line) for line in content) >= LIKE * len(content)


def sniff_register(head: bytes) -> bool:
    """Return whether most lines are a number, a name and a rank, and nothing else."""

    def player(line: str) -> bool:
        player = player_line(line)
        return bool(
            player
            and ID.fullmatch(line.split(maxsplit=1)[0])
            and NAME.match(player.name)
            and not player.rank.isdecimal()
            and (not player.club or NAME.fullmatch(player.club) or "club=" in line.lower())
        )

    return _like(head, player)


def sniff_round(head: bytes) -> bool:
    """Return whether most lines are two numbers, a winner, handicap and komi."""

    def game(line: str) -> bool:
        match = GAME.match(line)
        return match is not None and match[3].lower() in {"w", "b", "?"} and all(map(ID.fullmatch, match.group(1, 2)))

    return _like(head, game)


def read_register(data: bytes, source: str, options: Options) -> Contents:
    """Read the players; the games of rounds that are read with it get their names, ids and ranks."""
    gatherer, players = Gatherer(source, options.limits), dict[str, Entrant]()
    event, day = "", None
    for number, line in _lines(data, gatherer, options):
        if not line.startswith("#"):
            add_player(line, number, players, gatherer)
        elif directive := DIRECTIVE.fullmatch(line):
            if directive[1].lower() != "date":
                event = directive[2].strip()
                continue
            day = gatherer.date(number, "Date", directive[2], "mdy")
    if not players:
        raise InputError(Clause.of("{source} has no row of a player; id, name and rank were expected", source=source))
    players = apart(players)
    return replace(gatherer.contents(tuple(players.values())), register=Register(players, event, day))


def read_round(data: bytes, source: str, options: Options) -> Contents:
    """Read one round: white, black, winner, handicap, komi; its number is the file's name."""
    gatherer, named = Gatherer(source, options.limits), ROUND.search(source)
    shared = {"kind": "tournament", "round": named[1] if named else None}
    gatherer.undated(options)
    lines = [(number, line) for number, line in _lines(data, gatherer, options) if not line.startswith("#")]
    keys = {key_of(text) for _, line in lines if (match := GAME.match(line)) for text in match.group(1, 2)}
    players = {key: Entrant(key, register_id(key)) for key in keys}
    if nameless := sorted(key for key, each in players.items() if not each.id):
        gatherer.warn(None, NAMELESS, ", ".join(nameless[:MOST_SHOWN]), OF_ONE_TOURNAMENT)
    for number, line in lines:
        add_game(line, number, shared, players, gatherer)
    return gatherer.contents(unplayed=len(gatherer.pairings))


def _lines(data: bytes, gatherer: Gatherer, options: Options) -> list[tuple[int, str]]:
    """Return the lines in which something stands, with single blanks, and their numbers."""
    numbered = enumerate(lines_of(data, gatherer, options, "cp1252"), 1)
    return [(number, " ".join(line.split())) for number, line in numbered if line.strip()]


def with_names(contents: Contents, source: str, register: Register) -> Contents:
    """Return the games of a round with what its register says of players and day; games of others are left out."""
    games = contents.games
    if register.day is not None:
        games = with_date(games, register.day)
        contents = replace(contents, problems=[each for each in contents.problems if each.field != "date"])
    contents = replace(contents, problems=[each for each in contents.problems if each.field != NAMELESS])
    if register.event:
        games = games.with_columns(event=pl.lit(register.event))
    players = {key: (each.name, each.id, each.rank) for key, each in register.players.items()}
    sides = ("black", "white")
    strange = {side: ~pl.col(side).is_in(list(players)) for side in sides}
    problems = [
        Problem(source, row["line"], "id", row[side], "the number of one of the players of the register")
        for side in sides
        for row in games.filter(strange[side]).iter_rows(named=True)
    ]
    games = games.filter(~pl.any_horizontal(*strange.values()))
    for side in sides:
        cells_of = [players[key] for key in games[side].to_list()]
        names = (side, f"{side}_id", f"{side}_rank")
        games = games.with_columns(
            pl.Series(name, [cells[place] for cells in cells_of], dtype=pl.String) for place, name in enumerate(names)
        )
    return replace(contents, columns=games, problems=[*contents.problems, *problems])


AGA_REGISTER = Format("AGA register", sniff_register, read_register)
AGA_ROUND = Format("AGA round", sniff_round, read_round, join=with_names)
