"""Files of American tournament directors: a register of players, and each round as a file of its own."""

from __future__ import annotations

import re
from collections import Counter

from handan.errors import InputError
from handan.files.aga_report import GAME, add_player
from handan.files.contents import Contents, Entrant, Gatherer
from handan.files.formats import Format, Options
from handan.files.text import lines_of

ROUND = re.compile(r"(\d{1,3})\.tde$", re.IGNORECASE)
WINNERS = {"W": "W+", "B": "B+"}
LIKE = 0.6  # our choice: share of the first lines that must have the form


def _share(head: bytes, form: re.Pattern[str]) -> float:
    """Return the share of the first lines that have a form; key words of a report or tags of a table mean another."""
    text = head[:8192].decode("latin-1").lstrip("ï»¿")
    if re.search(r"(?im)^\s*(TOURNEY|TOURNAMENT|PLAYERS|GAMES|END)\b|^\s*[;(<#]", text):
        return 0.0
    lines = [" ".join(line.split()) for line in text.splitlines()[:40] if line.strip()]
    return sum(form.match(line) is not None for line in lines) / len(lines) if lines else 0.0


REGISTERED = re.compile(r"\d{1,6} \D.* (\d{1,2} ?[kdKD]|-?\d{1,2}\.\d+)$")
PLAYED = re.compile(r"\d{1,6} \d{1,6} [WwBb?] -?\d+ -?\d+([.,]\d+)?$")


def sniff_register(head: bytes) -> bool:
    """Return whether most lines are a number, a name and a rank, and nothing else."""
    return _share(head, REGISTERED) >= LIKE


def sniff_round(head: bytes) -> bool:
    """Return whether most lines are two numbers, a winner, handicap and komi."""
    return _share(head, PLAYED) >= LIKE


def read_register(data: bytes, source: str, options: Options) -> Contents:
    """Read the players; the games of rounds that are read with it get their names and ranks."""
    gatherer, entrants = Gatherer(source), dict[str, Entrant]()
    for number, line in enumerate(lines_of(data, gatherer, options, "cp1252"), 1):
        if line.strip():
            add_player(" ".join(line.split()), number, entrants, set(), gatherer)
    if not entrants:
        raise InputError(f"{source} has no row of a player; id, name and rank were expected")
    return gatherer.contents(tuple(entrants.values()))


def read_round(data: bytes, source: str, options: Options) -> Contents:
    """Read one round: white, black, winner, handicap, komi; its number is the file's name."""
    gatherer, unplayed = Gatherer(source), Counter[str]()
    named = ROUND.search(source)
    for number, line in enumerate(lines_of(data, gatherer, options, "cp1252"), 1):
        match = GAME.match(" ".join(line.split()))
        if not match:
            if line.strip():
                gatherer.reject(number, "game", line.strip()[:60], "white, black, winner (w or b), handicap and komi")
            continue
        white, black, winner, handicap, komi = match.groups()[:5]
        if winner == "?":
            unplayed["games"] += 1
            continue
        gatherer.game(
            number,
            black=black, white=white, black_id=f"aga:{black}", white_id=f"aga:{white}",
            result=WINNERS.get(winner.upper(), winner), handicap=handicap, komi=komi, kind="tournament",
            round=named[1] if named else None,
        )  # fmt: skip
    return gatherer.contents(unplayed=unplayed["games"])


AGA_REGISTER = Format("AGA register", sniff_register, read_register)
AGA_ROUND = Format("AGA round", sniff_round, read_round)
