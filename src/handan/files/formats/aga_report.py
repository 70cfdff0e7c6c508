"""Result reports of the American Go Association, both dialects, and its lists of members; reports are written too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from handan.errors import InputError
from handan.files.games.export_losses import declared, losses_of, one_line, result_of
from handan.files.games.format import Format
from handan.files.games.parsed import Contents, Entrant, Gatherer, apart
from handan.files.games.text_lines import lines_of
from handan.files.io.options import Options
from handan.ledger import Game, Ledger, Outcome, When
from handan.ranks import Rank

TITLE = re.compile(r"\s*(TOURNEY|TOURNAMENT)\b[:\s]*(.*)", re.IGNORECASE)
FIELD = re.compile(r"\s*#?\s*(\w+)\s*=\s*(.*)")
SECTION = re.compile(r"\s*(PLAYERS|GAMES|END)\b\s*(\(?\s*\d*\s*\)?)\s*$", re.IGNORECASE)
PLAYER = re.compile(r"\s*(\w+)\s+(.*?)\s+(\d{1,2}\s*[kdpKDP]|-?\d{1,2}(?:\.\d+)?)\s*(?:[#/].*)?$")
GAME = re.compile(r"\s*(\w+)\s+(\w+)\s+(\S+)\s+(-?\d+)\s+(-?\d+(?:[.,]\d+)?)\s*(?:(?:#|//)\s*(.*))?$")
IDS = re.compile(r"aga:(?!999\d\d$)\w+")
WITHOUT_ID = re.compile(r"999\d\d")
"""Numbers that count down from 99999: players without one."""


def sniff(head: bytes) -> bool:
    """Return whether a file has the key words of a report on lines of their own."""
    if b"PLAYERS" not in head.upper():
        return False
    text = head.decode("latin-1")
    begun = re.search(r"(?im)^[ \t]*(TOURNEY|TOURNAMENT)\b", text)
    return bool(begun) and bool(re.search(r"(?im)^[ \t]*PLAYERS\b", text))


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one report; InputError if it has no players, or neither a date nor one from the user."""
    gatherer = Gatherer(source, options.limits)
    title = ""
    fields: dict[str, str] = {}
    entrants: dict[str, Entrant] = {}
    section, round_number, counts, unplayed = "", None, Counter[str](), 0
    announced: dict[str, int] = {}
    shared: dict[str, object] = {}
    for number, line in enumerate(lines_of(data, gatherer, options, "cp1252"), 1):
        line = " ".join(line.split())  # noqa: PLW2901  # runs of blanks mean nothing, and cost the expressions time
        if not line:
            continue
        if (match := TITLE.match(line)) and (not section or (section == "TITLE" and title and not fields)):
            section, title = "TITLE", match[2].strip()  # a line of the mail before it may begin alike
        elif match := SECTION.match(line):
            section = match[1].upper()
            digits = re.sub(r"\D", "", match[2])
            if section == "GAMES":
                entrants = apart(entrants)
                round_number = int(digits) if digits and "(" not in match[2] else None
            if digits and "(" in match[2]:
                announced[section] = int(digits)
            if section == "END":
                break
        elif section == "TITLE":
            if field := FIELD.match(line):
                fields.setdefault(field[1].lower(), field[2].strip().strip("\"'"))
            else:
                title = title or line.strip()
        elif section == "PLAYERS":
            add_player(line, number, entrants, gatherer)
        elif section == "GAMES":
            if not shared:
                shared = {"event": title, "kind": "tournament", "date": _date(fields, gatherer, options)}
            shared["round"] = round_number
            counts["GAMES"] += 1
            unplayed += add_game(line, number, shared, entrants, gatherer)
    if not entrants:
        raise InputError(f"{source} has no row under PLAYERS; id, name and rank were expected")
    if section != "END":
        gatherer.warn(None, "END", "the end of the file", "the key word END; all before it was read")
    counts["PLAYERS"] = len(entrants)
    for name, number_in_brackets in announced.items():
        if number_in_brackets != counts[name]:
            gatherer.warn(None, name, str(counts[name]), f"as many as the number in brackets, {number_in_brackets}")
    return gatherer.contents(tuple(entrants.values()), unplayed=unplayed)


def _date(fields: dict[str, str], gatherer: Gatherer, options: Options) -> When | None:
    """Return the first day: start, else finish; M/D/YYYY or ISO."""
    for name in ("start", "date", "finish"):
        text = fields.get(name, "")
        match = re.fullmatch(r"(\d{1,2})/(\d{1,2})/(\d{4})", text)
        try:
            when = When.of(f"{match[3]}-{int(match[1]):02}-{int(match[2]):02}" if match else text)
        except InputError:
            gatherer.warn(None, name, text, "a date such as 4/18/2026; read as unknown")
            continue
        if when is not None:
            return when
    if options.date is None and not options.date_from_path:
        raise InputError(f"{gatherer.source} has no start or finish date, such as start=4/18/2026; give it (--date)")
    return None


def add_player(line: str, number: int, entrants: dict[str, Entrant], gatherer: Gatherer) -> None:
    """Read the player of a line of single blanks: number, name, and rank or rating, which is never between -1 and 1."""
    match = PLAYER.match(line)
    if not match:
        gatherer.reject(number, "player", line.strip()[:60], "id, name and rank")
        return
    key, name, rank = match[1], " ".join(match[2].replace("\t", " ").strip(" ,").split()), match[3].replace(" ", "")
    identity = "" if WITHOUT_ID.fullmatch(key) else f"aga:{key}"
    rating: float | None = None
    if re.fullmatch(r"-?\d{1,2}(\.\d+)?", rank):
        rating = float(rank)
        if abs(rating) < 1:
            gatherer.warn(number, "rank", rank, "a rating from 1 upwards or -1 downwards; read as none")
            rating = None
        rank = _rank_of(rating) if rating else ""
    else:
        try:
            rank = str(Rank.parse(rank))
        except InputError:
            gatherer.reject(number, "rank", rank, "a rank such as 4d, 12k or 4.45")
            return
    gatherer.name(number, name)
    entrant = Entrant(name or key, identity, "", "", rank, rating)
    if key in entrants:
        same = (entrants[key].name, entrants[key].rank) == (entrant.name, entrant.rank)
        if same:
            gatherer.warn(number, "id", key, "a number of one row; the same player stands there twice")
        else:
            gatherer.reject(number, "id", key, f"the number of one player; it is that of {entrants[key].name}")
        return
    entrants[key] = entrant


def _rank_of(rating: float) -> str:
    """Return the rank of a rating in stones: 4.45 is 4 dan, -3.34 is 3 kyu."""
    return str(Rank.dan(min(9, max(1, int(rating)))) if rating > 0 else Rank.kyu(min(50, max(1, int(-rating)))))


def add_game(
    line: str, number: int, shared: Mapping[str, object], entrants: Mapping[str, Entrant], gatherer: Gatherer
) -> int:
    """Read the game of a line of single blanks, White's number first; return 1 if it was not played."""
    match = GAME.match(line)
    if not match:
        gatherer.reject(number, "game", line.strip()[:60], "white, black, result (w, b or ?), handicap, komi")
        return 0
    word = match[3].lower()
    if word == "?":
        return 1
    if word not in {"w", "b"}:
        gatherer.reject(number, "result", match[3], "w or b; reports hold no draws")
        return 0
    unknown = next((key for key in (match[1], match[2]) if key not in entrants), None)
    if unknown is not None:
        gatherer.reject(number, "id", unknown, "the number of one of the players")
        return 0
    white, black = entrants[match[1]], entrants[match[2]]
    gatherer.game(
        number,
        **shared,
        black=black.name,
        white=white.name,
        result=f"{word.upper()}+",
        handicap=match[4],
        komi=match[5],
        black_rank=black.rank,
        white_rank=white.rank,
        black_id=black.id,
        white_id=white.id,
        notes=match[6] or "",
    )
    return 0


def write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: ARG001, FBT001  # as all
    """Write the one tournament of a ledger as a report; InputError if it holds several events."""
    events = ledger.games["event"].unique().to_list()
    if len(events) != 1:
        names = ", ".join(sorted(events)[:5])
        raise InputError(f"a report holds one tournament, and these are {len(events)}: {names}; give one of them")
    games = [game for game in ledger if _reported(game)]
    ranks = {name: rank or "30k" for name, rank in declared(games).items()}
    keys, spare = {}, 99999
    for player in ledger.players:
        number = player.id.partition(":")[2]
        registered = IDS.fullmatch(player.id) is not None
        keys[player.name] = number if registered else str(spare)
        spare -= not registered
    days = sorted(ledger.games["date"].drop_nulls().dt.strftime("%Y-%m-%d").to_list())
    span = [f"\tstart={days[0]}", f"\tfinish={days[-1]}"] if days else []
    lines = [f"TOURNEY {one_line(events[0]) or 'Tournament'}", *span, "\trules=AGA", "", "PLAYERS"]
    strong = sorted(ranks, key=lambda name: (-Rank.parse(ranks[name]).stones, name))
    lines += [f"{keys[name]}\t{name}\t{ranks[name]}" for name in strong]
    for place in sorted({game.round or 1 for game in games}):
        lines += ["", f"GAMES {place}"]
        lines += [_line(game, keys) for game in games if (game.round or 1) == place]
    counts = {
        "games by default, jigo and games without a winner": len(ledger) - len(games),
        "unknown colours": sum(not result_of(game).colours_known for game in games),
    }
    losses = [f"{what} ({count} games)" for what, count in counts.items() if count]
    losses += losses_of(games, komi=_komi, size=19, date=days[0] if days else "", ids=IDS)
    return ("\n".join([*lines, "", "END"]) + "\n").encode(), losses


def _reported(game: Game) -> bool:
    return result_of(game).outcome in {Outcome.BLACK, Outcome.WHITE} and not result_of(game).by_default


def _line(game: Game, keys: dict[str, str]) -> str:
    winner = "b" if result_of(game).outcome is Outcome.BLACK else "w"
    return f"{keys[game.white]}\t{keys[game.black]}\t{winner}\t{game.handicap}\t{_komi(game):g}"


def _komi(game: Game) -> float:
    """Return the komi, and the usual one of reports where it was not recorded."""
    return (7.0 if game.handicap == 0 else 0.0) if game.komi is None else game.komi


AGA_REPORT = Format("AGA report", sniff, read, (".aga",), write)
