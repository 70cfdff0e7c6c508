"""Result tables of the European Go Database (H9): one tournament, one row a player, results that name each other."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from datetime import date

from handan.errors import InputError
from handan.files.contents import Contents, Entrant, Gatherer
from handan.files.formats import Format, Options
from handan.files.halves import UNKNOWN, Row, Sheet, gather, parse_half
from handan.files.text import lines_of
from handan.ledger import Game, Ledger, Outcome, When
from handan.ledger.facts import read_name
from handan.ranks import Rank

TAG = re.compile(r";\s*([A-Z]{2})\s*\[([^\]]*)\]")
RANK = re.compile(r"\d{1,2}[kKdDpP]\??")
PIN = re.compile(r"\|\s*(\S+)\s*$")
CLASSES = {"A": "tournament-a", "B": "tournament-b", "C": "tournament-c", "D": "tournament-d"}
MOST_DAYS = 366  # an end that is further from the start is a slip of the pen
MOST_KYU = 50
LETTERS = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "ß": "ss", "đ": "d", "Đ": "D", "ı": "i", "æ": "ae"})


def sniff(head: bytes) -> bool:
    """Return whether a file begins like an H9 table: tags, or rows with a place, a rank and results."""
    text = head.decode("latin-1").replace("\0", "")
    if text.lstrip("\ufeffï»¿ \r\n").startswith(("(", "<", "TOURNEY", "{")):
        return False
    if re.search(r"(?m)^;name=", text) or "\t" in text.split("\n", 1)[0]:
        return False
    tags = TAG.search(text)
    rows = [line for line in re.split(r"[\r\n]+", text) if _row_like(line)]
    return bool(rows) and (bool(tags) or len(rows) >= 2)


def _row_like(line: str) -> bool:
    cells = line.split()
    return (
        len(cells) > 4 and not line.startswith(";") and cells[0].rstrip(".").isdigit()
        and any(RANK.fullmatch(cell) for cell in cells[2:6])
        and sum(parse_half(cell) is not None and not cell.isdigit() for cell in cells[4:]) >= 1
    )  # fmt: skip


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one tournament; InputError if it has no rows, no result columns or no date."""
    gatherer = Gatherer(source)
    tags: dict[str, str] = {}
    sheet = Sheet()
    for number, line in enumerate(lines_of(data, gatherer, options, "iso-8859-15"), 1):
        if tag := TAG.match(line.strip()):
            tags.setdefault(tag[1], tag[2].strip())
        elif line.strip() and not line.lstrip().startswith(";"):
            row = _row(line, number, gatherer)
            if row is not None:
                sheet.rows.append(row)
        if len(sheet.rows) > options.limits.players:
            raise options.limits.exceeded("players", source)
    if not sheet.rows:
        raise InputError(f"{source} has no row of a player; place, name, rank, country, club and results were expected")
    event = tags.get("EV", "") or tags.get("TC", "")
    _name_the_nameless(sheet, event)
    sheet.facts = {
        "date": _date(tags, gatherer, options),
        "event": event,
        "kind": CLASSES.get(tags.get("CL", "").upper(), "tournament"),
    }
    sheet.komi = _number(tags, "KM", gatherer)
    if match := re.fullmatch(r"h(\d)", tags.get("HA", "").lower()):
        sheet.reduction = None if match[1] == "9" else int(match[1])
    counts = gather(sheet, gatherer)
    return gatherer.contents(tuple(row.entrant for row in sheet.rows), **counts)


def _number(tags: dict[str, str], name: str, gatherer: Gatherer) -> float | None:
    text = tags.get(name, "").replace(",", ".")
    try:
        return float(text) if text else None
    except ValueError:
        gatherer.warn(None, name, text, "a number of points; read as unknown")
        return None


def _date(tags: dict[str, str], gatherer: Gatherer, options: Options) -> When | None:
    """Return the first day: from DT, else from the tournament code, else as the user says."""
    first, _, last = tags.get("DT", "").partition(",")
    try:
        start = When.of(first.strip())
        end = When.of(last.strip()) if last.strip() else start
        if start and end and not 0 <= (end.moment - start.moment).days <= MOST_DAYS:
            gatherer.warn(None, "DT", tags["DT"], "an end within a year after the start; the start is used")
    except InputError:
        gatherer.warn(None, "DT", tags["DT"], "dates such as 1999-06-08,1999-06-11; read as unknown")
        start = None
    code = re.match(r"[TEGW](\d\d)(\d\d)(\d\d)", tags.get("TC", ""))
    if start is None and code:
        year = int(code[1]) + (1900 if int(code[1]) > 50 else 2000)
        try:
            start = When.of(date(year, int(code[2]), int(code[3])))
        except ValueError:
            gatherer.warn(None, "TC", tags["TC"], "a code with a date, such as T990608; read as unknown")
    if start is None and options.date is None and not options.date_from_path:
        raise InputError(f"{gatherer.source} has neither DT nor TC; give the date of the tournament (--date)")
    return start


def _row(line: str, number: int, gatherer: Gatherer) -> Row | None:
    """Return the row of a line; None for a line that is none, which is a problem."""
    pin = PIN.search(line)
    body = line[: pin.start()] if pin else line
    cells = body.partition(";")[0].split()
    place = cells[0].rstrip(".") if cells else ""
    printed = int(place) if place.isdigit() and len(place) < 7 else 0
    rest = cells[1:] if printed or place in {"-", ""} else cells
    found = _rank_at(rest)
    if found is None:
        gatherer.reject(number, "row", " ".join(cells)[:60], "place, name, rank, country, club and results")
        return None
    try:
        name = read_name(" ".join(rest[:found]).replace("_", " "))
        rank = Rank.parse(rest[found].rstrip("?"), bare_kyu=True)
    except InputError as fault:
        gatherer.reject(number, "rank", rest[found], f"a rank such as 5k, 3d, 9p ({fault})")
        return None
    behind = rest[found + 1 :]
    country = behind[0] if behind and re.fullmatch(r"[A-Za-z]{2}", behind[0]) else ""
    club = behind[1] if country and len(behind) > 1 and parse_half(behind[1]) is None else ""
    identity = _identity(pin[1] if pin else "", number, gatherer)
    country = "" if country.upper() == "XX" else country.upper()
    entrant = Entrant(name, identity, country, "" if club.lower() in UNKNOWN else club, str(rank))
    return Row(number, printed, entrant, tuple(behind))


def _rank_at(cells: list[str]) -> int | None:
    """Return where the rank stands: the first cell that looks like one, else a bare number before the country."""
    for place, cell in enumerate(cells[1:], 1):
        if RANK.fullmatch(cell):
            return place
    for place, cell in enumerate(cells[1:-1], 1):
        if cell.isdigit() and 1 <= int(cell) <= MOST_KYU and re.fullmatch(r"[A-Za-z]{2}", cells[place + 1]):
            return place
    return None


def _identity(pin: str, line: int, gatherer: Gatherer) -> str:
    if not pin:
        return ""
    if re.fullmatch(r"\d{8}", pin):
        return f"egd:{pin}"
    gatherer.warn(line, "PIN", pin, "a number of eight digits; the player has no id")
    return ""


def _name_the_nameless(sheet: Sheet, event: str) -> None:
    """Keep players apart whose names have lost all their letters, or who bear one name without an id."""
    names = Counter(row.entrant.name for row in sheet.rows if not row.entrant.id)
    for place, row in enumerate(sheet.rows):
        name = row.entrant.name
        lost = not any(c.isalpha() for c in name)
        if not row.entrant.id and (lost or names[name] > 1):
            own = f"{name}#{row.number or place + 1}" + (f" {event}" if lost else "")
            entrant = Entrant(own, "", row.entrant.country, row.entrant.club, row.entrant.rank)
            sheet.rows[place] = Row(row.line, row.number, entrant, row.cells)


SYMBOLS = {
    Outcome.BLACK: "+-", Outcome.WHITE: "-+", Outcome.JIGO: "==", Outcome.BOTH_LOSE: "--", Outcome.BOTH_WIN: "++",
}  # fmt: skip
"""Symbols of Black and White."""


def write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: ARG001, FBT001  # as all
    """Write the one tournament of a ledger; InputError if it holds several events."""
    events = ledger.games["event"].unique().to_list()
    if len(events) != 1:
        names = ", ".join(sorted(events)[:5])
        raise InputError(
            f"an H9 table holds one tournament, and these are {len(events)}: {names}; give the files of one"
        )
    games = list(ledger)
    losses = _losses(games)
    games = [game for game in games if game.result.outcome in SYMBOLS]  # type: ignore[union-attr]
    rounds = _rounds(games, losses)
    players = _players(ledger, games)
    komi = Counter(game.komi for game in games if game.handicap == 0 and game.komi is not None).most_common(1)
    changed = sum(_ascii(name) != "_".join(name.split()).replace("_", " ", 1) for name, *_ in players)
    if changed:
        losses.append(f"letters outside ASCII in names ({changed} players)")
    lines = _head(ledger, games, komi[0][0] if komi else None)
    number = {name: place for place, (name, *_) in enumerate(players, 1)}
    cells = {name: ["0-"] * max(rounds.values(), default=0) for name in number}
    for game, place in rounds.items():
        for side, name in enumerate((games[game].black, games[game].white)):
            other = (games[game].white, games[game].black)[side]
            cells[name][place - 1] = _cell(games[game], side, number[other])
    for place, (name, rank, country, club, pin, wins) in enumerate(players, 1):
        text = f"{place:4} {_ascii(name):30} {rank:>3} {country or 'XX'} {_ascii(club)[:4] or 'xxxx':4} {wins:3}"
        lines.append(f"{text} {' '.join(f'{cell:>8}' for cell in cells[name])}{f' |{pin}' if pin else ''}")
    return ("\n".join(lines) + "\n").encode("ascii", "replace"), losses


def _losses(games: list[Game]) -> list[str]:
    """Say what the format cannot hold."""
    told = {
        "games without a result of play or default": sum(game.result.outcome not in SYMBOLS for game in games),  # type: ignore[union-attr]
        "how games ended": sum(game.result.tail not in {"", "F"} for game in games),  # type: ignore[union-attr]
        "sizes of boards": sum(game.size != 19 for game in games),
        "numbers of moves": sum(game.moves is not None for game in games),
        "notes": sum(bool(game.notes) and game.notes != "default" for game in games),
        "dates of single games": len({str(game.date) for game in games}) - 1,
    }
    return [f"{what} ({count} games)" for what, count in told.items() if count]


def _rounds(games: list[Game], losses: list[str]) -> dict[int, int]:
    """Return the round of each game: its own, else the first in which both players are free."""
    busy: dict[str, set[int]] = {}
    rounds: dict[int, int] = {}
    moved = 0
    for index, game in enumerate(games):
        place = game.round or 1
        taken = busy.setdefault(game.black, set()) | busy.setdefault(game.white, set())
        while place in taken:
            place += 1
        moved += game.round is not None and place != game.round
        rounds[index] = place
        busy[game.black].add(place)
        busy[game.white].add(place)
    if moved:
        losses.append(f"rounds of players with two games in one ({moved} games moved)")
    return rounds


def _players(ledger: Ledger, games: list[Game]) -> list[tuple[str, str, str, str, str, int]]:
    """Return name, rank, country, club, PIN and wins of all players, by wins."""
    wins: Counter[str] = Counter()
    ranks: dict[str, str] = {}
    for game in games:
        score = game.result.score  # type: ignore[union-attr]
        wins[game.black] += score == 1.0
        wins[game.white] += score == 0.0
        for name, rank in ((game.black, game.black_rank), (game.white, game.white_rank)):
            ranks.setdefault(name, rank.rstrip("?*"))
    rows = [
        (player.name, ranks.get(player.name) or "30k", player.country, player.club.replace(" ", "_"),
         player.id.removeprefix("egd:") if player.id.startswith("egd:") else "", wins[player.name])
        for player in ledger.players if player.name in ranks
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (-row[5], row[0]))


def _head(ledger: Ledger, games: list[Game], komi: float | None) -> list[str]:
    days = ledger.games["date"].drop_nulls().dt.date()
    first, last = (days.min(), days.max()) if len(days) else (None, None)
    classes = {kind: letter for letter, kind in CLASSES.items()}
    kind = games[0].kind if games else ""
    lines = [f"; CL[{classes.get(kind, 'A')}]", f"; EV[{ledger.games['event'][0] or 'Tournament'}]"]
    if isinstance(first, date) and isinstance(last, date):
        lines = [f"; TC[T{first:%y%m%d}]", *lines, f"; DT[{first},{last}]"]
    lines += ["; HA[h9]"] + ([f"; KM[{komi:g}]"] if komi is not None else [])
    return [*lines, ";"]


def _cell(game: Game, side: int, opponent: int) -> str:
    result = game.result
    symbol = SYMBOLS[result.outcome][side]  # type: ignore[union-attr]
    mark = "!" if result.by_default or game.notes == "default" else ""  # type: ignore[union-attr]
    if not result.colours_known:  # type: ignore[union-attr]
        return f"{opponent}{symbol}{mark}"
    return f"{opponent}{symbol}{mark}/{'bw'[side]}{game.handicap}"


def _ascii(name: str) -> str:
    """Return a name in ASCII where its letters allow it, with `_` for further blanks: surname, then the rest."""
    plain = unicodedata.normalize("NFKD", name.translate(LETTERS))
    words = "".join(c for c in plain if not unicodedata.combining(c)).split()
    return " ".join([words[0], "_".join(words[1:])]).strip() if words else ""


H9 = Format("H9", sniff, read, (".h9",), write)
