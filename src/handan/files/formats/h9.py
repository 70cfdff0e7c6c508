"""Result tables of the European Go Database (H9): one tournament, one row a player, results that name each other.

Wall lists are the same without tags, their cells parted by blanks or tabs.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import count

from handan.errors import Clause, InputError, clause_of, counted, shown
from handan.files.cells.dates import real_date
from handan.files.games.contents import Contents, Entrant, Gatherer, club_of
from handan.files.games.format import Format
from handan.files.games.omissions import Part
from handan.files.games.result_table import (
    LEAST_FIGURES,
    LOWEST,
    OF_TABLES,
    Cell,
    CrossTable,
    Open,
    cross_table,
    only_event,
)
from handan.files.games.text_lines import lines_of
from handan.files.games.wall_list_columns import columns_of, parse_result_cell
from handan.files.games.wall_lists import NO_ROW, TAG, Row, WallList, contents_of
from handan.files.games.wall_lists import shown as shown_half
from handan.files.io.decoding import digits_in
from handan.files.io.options import Options
from handan.ledger import Bye, Event, Ledger, Player, When
from handan.ledger.events import NO_HANDICAP_RULE, UNNAMED
from handan.ledger.facts import read_name
from handan.ledger.placing import result_of
from handan.ranks import plain_rank

RANK = re.compile(r"\d{1,2}(?:[kdp]|kyu|dan|[段级級])[?*]?", re.IGNORECASE)
COUNTRY = re.compile(r"[A-Za-z]{2}")
SCORE = re.compile(r"[\d.,½¼¾+/-]+")
ROW = re.compile(r"(?m)^[^\S\n]*\d+\.*[^\S\n].*$")
"""A line that begins with the place of a player."""
CODE = re.compile(r"[TEGW](\d\d)(\d\d)(\d\d)")
BETWEEN = re.compile(r" - | ?[–—] ?|(?<=\.\d\d\d\d)-(?=\d)|(?<=/\d\d)-(?=\d)|(?<=\d\.)-| to ")
"""What stands between two days of a span: a dash that is no part of a date."""
YEAR_FIRST = re.compile(r"\d{4}/")
SHORT_DAY = re.compile(r"(\d{1,2})\.?(?:(\d{1,2})\.?)?")
"""The first day of a span whose month or year the last one tells: `3.` or `30.4.`."""
NO_DATE = "{source} has neither DT nor TC; give the date of the tournament{hint}"
ODD_DATE = "{source} has DT, {text}, which is no date that can be read; give the date of the tournament{hint}"
MINUTES = re.compile(r"(?:(\d{1,3})\s?h)?\s?(?:(\d{1,5}(?:\.\d{1,4})?)\s?(?:min\.?|minutes)?)?")
"""A thinking time: `82.5`, `90 min`, `3h`, `1h30`."""
FRACTIONS = {ord("½"): ".5", ord("¼"): ".25", ord("¾"): ".75"}
TITLE = 5  # characters of a column's name
CLASSES = {"A": "tournament-a", "B": "tournament-b", "C": "tournament-c", "D": "tournament-d", "X": "tournament-x"}
"""Kinds of games by the class of the tournament; X is one of no class, which the federation does not rate."""
IDS = re.compile(r"egd:\d{8}")
MOST_DAYS = 366  # an end that is further from the start is a slip of the pen
MOST_KYU = 50
FEWEST = 6  # cells parted by tabs: place, name, rank, country, club and a result
LETTERS = str.maketrans({"ł": "l", "Ł": "L", "ø": "o", "Ø": "O", "ß": "ss", "đ": "d", "Đ": "D", "ı": "i", "æ": "ae"})


SIGNS = {ord(";"): ",", ord("|"): "/"}
"""What ends the text of a row, by what stands in its place."""
BRACKETS = {ord("["): "(", ord("]"): ")"}
"""The same of a tag."""
MARK = "ï»¿"
"""The mark that UTF-8 may begin with, as Latin-1 reads it."""
OTHER_BEGINNINGS = ("(", "<", "TOURNEY", "{")
"""Of SGF, of XML and web pages, of AGA reports and of JSON, which may hold lines that look like rows."""


def sniff(head: bytes) -> bool:
    """Return whether a file begins like an H9 table: tags, or rows with a place, a rank and results."""
    text = head.decode("latin-1")
    if text.lstrip(f"{MARK} \n").startswith(OTHER_BEGINNINGS) or re.search(r"(?m)^;name=", text):
        return False
    rows = sum(_row_like(line) for line in ROW.findall(text)) if digits_in(head) else 0
    tags = sum(TAG.match(line.lstrip()) is not None for line in text.split("\n")) if "]" in text else 0
    if tags or "\t" not in text.split("\n", 1)[0]:
        return rows + (tags > 2) >= 1 if tags else rows >= 2
    lines = [line for line in text.split("\n") if line.strip()]
    like = sum(map(_is_row_of_tabs, lines))
    return like >= 2 and 2 * like >= len(lines)


def _is_row_of_tabs(line: str) -> bool:
    """Return whether place, name, rank and a result stand in a line between tabs."""
    cells = [cell.strip() for cell in line.split("\t")]
    return (
        len(cells) >= FEWEST and cells[0].rstrip(".").isdecimal() and len(cells[0]) < 6
        and (RANK.fullmatch("".join(cells[2].split())) is not None or _is_bare_kyu(cells[2]))
        and any(map(_is_result, cells[5:]))
    )  # fmt: skip


def _row_like(line: str) -> bool:
    cells = line.partition(";")[0].split()
    column = _rank_column(cells[1:8]) if len(cells) > 4 and cells[0].rstrip(".").isdecimal() else None
    return column is not None and any(parse_result_cell(cell) and not cell.isdecimal() for cell in cells[column + 2 :])


def read(data: bytes, source: str, options: Options) -> Contents:
    """Read one tournament; InputError if it has no rows, no result columns or no date."""
    gatherer = Gatherer(source, options.limits)
    pairs, heading, rows = _lines(data, gatherer, options)
    tags = {name: text.strip() for name, text in reversed(pairs)}
    comments = [text.strip() for name, text in pairs if name == "CM" and text.strip()]
    wall_list = WallList(rows)
    if not wall_list.rows:
        raise InputError(Clause.of(NO_ROW, source=source))
    if not pairs:
        gatherer.undated(options)
    first, last = _days(tags, gatherer, options) if pairs else (None, None)
    wall_list.facts = {
        "date": first,
        "event": tags.get("EV", "") or tags.get("TC", ""),
        "kind": CLASSES.get(tags.get("CL", "").upper(), "tournament"),
    }
    wall_list.komi = gatherer.komi("KM", tags.get("KM", ""))
    country, city = _venue(tags.get("PC", ""))
    wall_list.head = Event(
        "", last=last, code=tags.get("TC", ""), country=country, city=city, minutes=_minutes(tags, gatherer),
        comments=tuple(comments),
    )  # fmt: skip
    wall_list.criteria = partial(_criteria, heading)
    if match := re.fullmatch(r"h\s*(\d)", tags.get("HA", "").lower()):
        wall_list.head = replace(wall_list.head, reduction=int(match[1]))
    return contents_of(wall_list, gatherer)


def _lines(data: bytes, gatherer: Gatherer, options: Options) -> tuple[list[tuple[str, str]], str, list[Row]]:
    """Return the tags of a table as they stand there, the line that names its columns, and its rows."""
    tags: list[tuple[str, str]] = []
    rows: list[Row] = []
    heading = ""
    for number, line in enumerate(lines_of(data, gatherer, options, "iso-8859-15"), 1):
        if tag := TAG.match(line.strip()):
            tags.append((tag[1], tag[2]))
        elif line.lstrip().startswith(";"):
            heading = line if "name" in line.lower() and not rows else heading
        elif line.strip() and (row := _row(line, number, gatherer, first=not rows)):
            rows.append(row)
    return tags, heading, _with_clubs(rows, len(_titles(heading)))


def fields(data: bytes, source: str, options: Options) -> dict[str, str]:
    """Return every tag, and every cell of the rows in their order.

    Spellings of one thing are the same: 3h and 180 minutes, xxx and xxxx for no club, 5 and 5k, `/w` and `/w0`.
    """
    gatherer = Gatherer(source, options.limits)
    pairs, heading, rows = _lines(data, gatherer, options)
    remarks = count(1)
    made = {f"CM {next(remarks)}" if name == "CM" else name: " ".join(text.split()) for name, text in pairs}
    alike: dict[str, Callable[[str], str]] = {
        "TM": lambda text: str(_minutes({"TM": text}, gatherer)), "PC": lambda text: ", ".join(_venue(text)),
        "DT": lambda text: ",".join(dict.fromkeys(str(day) for day in _days({"DT": text}, gatherer, options) if day)),
        "KM": lambda text: str(gatherer.komi("KM", text)), "HA": lambda text: text.lower().replace(" ", ""),
    }  # fmt: skip
    made |= {name: like(made[name]) for name, like in alike.items() if made.get(name)}
    columns = columns_of([(row.number or position, row.cells) for position, row in enumerate(rows, 1)], source,
                         only_rounds=False)  # fmt: skip
    criteria = _criteria(heading, len(columns.figures))
    made |= {f"heading of column {column}": title for column, title in enumerate(criteria, 1)}
    for position, row in enumerate(rows, 1):
        own, entrant = row.number or position, row.entrant
        named = row.surname or entrant.name.partition(" ")[0]
        given = entrant.name.removeprefix(named).strip()
        made |= {f"row {position} {name}": text for name, text in (
            ("place", str(row.number or "")), ("surname", named), ("given name", given), ("rank", entrant.rank),
            ("country", entrant.country), ("club", entrant.club), ("id", entrant.id),
        )}  # fmt: skip
        made |= {f"row {position} column {k}": column.get(own, "") for k, column in enumerate(columns.figures, 1)}
        made |= {
            f"row {position} round {k}": _result_cell(column.get(own, "")) for k, column in enumerate(columns.rounds, 1)
        }
    return made


def _result_cell(cell: str) -> str:
    """Return the cell of a round in the one spelling of its result."""
    half = parse_result_cell(cell)
    return cell if half is None else shown_half(half)


def _minutes(tags: dict[str, str], gatherer: Gatherer) -> float | None:
    """Return the adjusted thinking time."""
    text = tags.get("TM", "")
    if not text:
        return None
    match = MINUTES.fullmatch(" ".join(text.replace(",", ".").split()))
    if not match:
        gatherer.warn(None, "TM", text, "a number of minutes; read as unknown")
        return None
    return 60.0 * int(match[1] or 0) + float(match[2] or 0)


def _venue(text: str) -> tuple[str, str]:
    """Return country and city of `SE, Umea`, `SE,Umea` or `,Umea`; a comma behind that of the country is the city's."""
    first, comma, rest = (part.strip() for part in text.partition(","))
    if comma and (not first or COUNTRY.fullmatch(first)):
        return first.upper(), rest
    parts = [part.strip() for part in text.split(",") if part.strip()]
    country = next((part for part in parts if COUNTRY.fullmatch(part)), "")
    others = [part for part in parts if part != country]
    return country.upper(), others[-1] if others else ""


def _criteria(heading: str, number: int) -> tuple[str, ...]:
    """Return the names of so many columns behind the club, as the line above the rows has them.

    Programs write each name into five characters, and long ones run together.
    """
    return tuple([*_titles(heading), *[""] * number][:number])


def _titles(heading: str) -> list[str]:
    """Return the names of columns behind that of the club."""
    _, _, titles = re.sub(r"\bCl(ub)?\b", "\0", heading, count=1).partition("\0")
    words = titles.split()
    cut = [titles[start : start + TITLE].strip() for start in range(0, len(titles.rstrip()), TITLE)]
    return cut if any(len(word) > TITLE for word in words) else words


def _days(tags: dict[str, str], gatherer: Gatherer, options: Options) -> tuple[When | None, When | None]:
    """Return the first day, from DT, else from the tournament code, else as the user says; and the last, from DT."""
    text = tags.get("DT", "")
    try:
        start, end = _span(text)
        if start and end and not 0 <= (end.moment - start.moment).days <= MOST_DAYS:
            gatherer.warn(None, "DT", text, "an end within a year after the start; the start is used")
            end = None
    except InputError:
        gatherer.warn(None, "DT", text, "dates such as 1999-06-08,1999-06-11; read as unknown")
        start = end = None
    code = CODE.match(tags.get("TC", ""))
    if start is None and code:
        year = int(code[1]) + (1900 if int(code[1]) > 50 else 2000)
        try:
            start = When.of(date(year, int(code[2]), int(code[3])))
        except ValueError:
            gatherer.warn(None, "TC", tags["TC"], "a code with a date, such as T990608; read as unknown")
    if start is None and options.date is None and not options.date_from_path:
        raise InputError(
            Clause.of(ODD_DATE if text else NO_DATE, source=gatherer.source, text=shown(text), hint=" (--date)")
        )
    return start, end


def _span(text: str) -> tuple[When | None, When | None]:
    """Return first and last day of `2026-05-03,2026-05-04`, `03.05.2026 - 04.05.2026`, `3.-4.5.2026` or one day."""
    text = " ".join(text.split())
    first, *others = [part.strip() for part in (text.split(",") if "," in text else BETWEEN.split(text))]
    if len(others) == 1 and (short := SHORT_DAY.fullmatch(first)):
        missing = others[0].split(".")[1 if short[2] is None else 2 :]
        first = ".".join([*filter(None, short.groups()), *missing])
    days = [
        real_date(When.of(part.replace("/", "-") if YEAR_FIRST.match(part) else part)) for part in (first, *others[-1:])
    ]
    return days[0], days[-1] if others and others[-1] else None


def _row(line: str, number: int, gatherer: Gatherer, *, first: bool) -> Row | None:
    """Return the row of a line; None for a line that is none, which is a problem, but above the rows may be names."""
    text, pin = _before_pin(line.partition(";")[0])
    tabbed = text.count("\t") + 1 >= FEWEST
    cells = [cell.strip() for cell in text.split("\t")] if tabbed else text.split()
    head = cells[0].rstrip(".") if cells else ""
    row_number = int(head) if head.isdecimal() and len(head) < 7 else 0
    rest = cells[1:] if row_number or head in {"-", ""} else cells
    if first and not row_number and head != "-" and not any(_is_result(cell) for cell in cells):
        gatherer.warn(number, "row", " ".join(cells)[:60], "a row of a player; passed over, as names of columns are")
        return None
    column = _rank_column(rest, tabbed=tabbed)
    if column is None:
        gatherer.reject(number, "row", " ".join(cells)[:60], "place, name, rank, country, club and results")
        return None
    try:
        name = read_name(" ".join(rest[:column]).replace("_", " "))
        rank = plain_rank(rest[column], bare_kyu=True)
    except InputError as fault:
        expected = Clause.of("a rank such as 5k, 3d, 9p ({fault})", fault=clause_of(fault))
        gatherer.reject(number, "rank", rest[column], expected)
        return None
    behind = rest[column + 1 :]
    in_place = tabbed and (behind[:1] == [""] or not any(map(_is_figure, behind[:2])))
    country = behind.pop(0).upper() if behind and (in_place or COUNTRY.fullmatch(behind[0])) else ""
    entrant = Entrant(name, _identity(pin, number, gatherer), "" if country == "XX" else country, rank=rank)
    before, _, given = " ".join(rest[:column]).partition(" ")
    surname = before.replace("_", " ").strip() if given and "_" in before else ""
    return Row(number, row_number, entrant, tuple(behind), surname)


def _before_pin(line: str) -> tuple[str, str]:
    """Return a line without the PIN behind its last bar, and the PIN; several words behind a bar are no PIN."""
    text, bar, pin = line.rpartition("|")
    return (text, pin.strip()) if bar and len(pin.split()) < 2 else (line, "")


def _is_result(cell: str) -> bool:
    """Return whether a cell has both the number of an opponent, or 0, and how it ended."""
    half = parse_result_cell(cell)
    return half is not None and half.numbered and bool(half.symbol)


def _rank_column(cells: list[str], *, tabbed: bool = False) -> int | None:
    """Return where the rank stands: the first cell that looks like one, or a bare number of kyu in its place.

    That is before the country; between tabs, behind the name.
    """
    for column, cell in enumerate(cells[1:], 1):
        in_place = (tabbed and column == 1) or COUNTRY.fullmatch(" ".join(cells[column + 1 : column + 2]))
        if RANK.fullmatch("".join(cell.split())) or (in_place and _is_bare_kyu(cell)):
            return column
    return None


def _is_bare_kyu(cell: str) -> bool:
    return cell.isdecimal() and len(cell) < 3 and 1 <= int(cell) <= MOST_KYU


def _is_figure(cell: str) -> bool:
    """Return whether a cell holds points, a tie-break or a result."""
    return SCORE.fullmatch(cell) is not None or parse_result_cell(cell) is not None


def _with_clubs(rows: Sequence[Row], titles: int) -> list[Row]:
    """Return rows with the clubs of their players, taken off the cells behind the country.

    A club of digits alone, such as the number of a département, is told from points by the rows with a club of
    letters: with it a row is as long as theirs, or has as many cells before its results. Where there are none, the
    names of the columns say how many stand there.
    """
    sure = [row.cells for row in rows if row.cells and not _is_figure(row.cells[0])]
    lengths = Counter(map(len, sure))
    ahead = Counter(map(_before_results, sure)).most_common(1)
    usual = ahead[0][0] if ahead else titles + 1 if titles else None

    def has_club(cells: Sequence[str]) -> bool:
        if not cells or not (_is_figure(cells[0]) and cells[0].isdecimal()):
            return bool(cells) and not _is_figure(cells[0])
        return len(cells) in lengths if len(lengths) == 1 else _before_results(cells) == usual

    return [
        replace(row, entrant=replace(row.entrant, club=club_of(row.cells[0])), cells=row.cells[1:])
        if has_club(row.cells) else row
        for row in rows
    ]  # fmt: skip


def _before_results(cells: Sequence[str]) -> int:
    """Return how many cells stand before the first result."""
    return next((place for place, cell in enumerate(cells) if _is_result(cell)), len(cells))


def _identity(pin: str, line: int, gatherer: Gatherer) -> str:
    if not pin:
        return ""
    if re.fullmatch(r"\d{8}", pin):
        return f"egd:{pin}"
    gatherer.warn(line, "PIN", pin, "a number of eight digits; the player has no id")
    return ""


def write(ledger: Ledger, ending: str, excel_safe: bool) -> tuple[bytes, list[str]]:  # noqa: ARG001, FBT001  # as all
    """Write the one tournament of a ledger; InputError if it holds several events."""
    of_opengotha = bool(only_event(ledger, "an H9 table").settings)  # whose own H9 leaves out players without a game
    table = cross_table(ledger, "an H9 table", WRITTEN - {Part.WITHOUT_GAMES} if of_opengotha else WRITTEN)
    omissions = table.omissions_of(19, IDS, table.kind if table.kind in CLASSES.values() else "tournament")
    names = [_in_ascii(ascii_name(*row.name)) for row in table.rows]
    changed = sum(name != unblanked(row.name) for name, row in zip(names, table.rows, strict=True))
    if changed:
        omissions.append(f"letters outside ASCII in names ({counted(changed, 'player')})")
    clubs = sum(_club(row.player) != "_".join(row.player.club.split()) for row in table.rows if row.player.club)
    if clubs:
        omissions.append(f"clubs in other letters than ASCII or of more than four ({counted(clubs, 'player')})")
    countries = sum(not COUNTRY.fullmatch(row.player.country) for row in table.rows if row.player.country)
    if countries:
        omissions.append(f"countries that are not two letters ({counted(countries, 'player')})")
    event = table.event
    if any(text != _plain(text) for text in (event.name, event.country, event.city, *event.comments)):
        omissions.append("brackets and letters outside ASCII in what is said of the event")
    of_h9 = event.criteria and not event.settings  # such a table is written with as many columns as were read
    width = max([0 if of_h9 else LEAST_FIGURES, *(len(row.figures) for row in table.rows)])
    titles = "".join(f"{_plain(title)[:TITLE]:>{TITLE}}" for title in table.criteria)
    lines = [*_head(table), *([f"; Pl {'Name':31} Rk Co Club{titles}"] if titles.strip() else [])]
    for name, row in zip(names, table.rows, strict=True):
        country = row.player.country if COUNTRY.fullmatch(row.player.country) else "XX"
        text = f"{row.number:>4} {name:30} {row.rank or LOWEST:>3} {country} {_club(row.player):4}"
        figures = " ".join(f"{_figure(figure):>{TITLE - 1}}" for figure in (*row.figures, *["0"] * width)[:width])
        cells = " ".join(f"{_cell(cell):>8}" for cell in row.cells)
        pin = row.player.id.removeprefix("egd:") if IDS.fullmatch(row.player.id) else ""
        lines.append(f"{text} {figures} {cells}{f' |{pin}' if pin else ''}")
    return ("\n".join(lines) + "\n").encode("ascii"), omissions


WRITTEN = OF_TABLES | {Part.FIGURES, Part.CODE, Part.PLACE, Part.LAST_DAY, Part.HANDICAPS}
"""What H9 holds of an event."""


def _club(player: Player) -> str:
    """Return the club of a player as four letters."""
    return _in_ascii(ascii_text("_".join(player.club.split())))[:4] or "xxxx"


def _figure(text: str) -> str:
    """Return a figure as one cell of ASCII."""
    return "".join(_plain(text.translate(FRACTIONS)).split()) or "0"


def _head(table: CrossTable) -> list[str]:
    event = table.event
    classes = {kind: letter for letter, kind in CLASSES.items()}
    city = " ".join(_plain(event.city).split())
    code = event.code or (f"T{table.first:%y%m%d}" if table.first else "")
    tags = [
        ("TC", _plain(code)),
        ("CL", classes.get(table.kind, "")),
        ("EV", _plain(event.name) or UNNAMED),
        ("PC", (f"{_plain(event.country)}, {city}" if event.country else f",{city}").rstrip(", ")),
        ("DT", f"{table.first},{table.last}" if table.first else ""),
        ("HA", _handicap_rule(table)),
        ("KM", "" if table.komi is None else f"{table.komi:g}"),
        ("TM", "" if event.minutes is None else f"{event.minutes:g}"),
        *(("CM", _plain(comment)) for comment in event.comments),
    ]  # fmt: skip
    return [*(f"; {name}[{value}]" for name, value in tags if value), ";"]


def _handicap_rule(table: CrossTable) -> str:
    """Return the rule of handicaps; of OpenGotha's files as its own H9 has it: none without a reduction.

    Without a rule `h9` says that all handicaps stand in the cells, and so it does where a rule would give colours to
    games without.
    """
    event = table.event
    if event.settings and (event.reduction is None or event.reduction <= 0):
        return ""
    coloured = all(result_of(game).colours_known for game in table.games)
    return f"h{event.reduction if event.has_handicap_rule and coloured else NO_HANDICAP_RULE}"


def _cell(cell: Cell | Bye | Open | None) -> str:
    if cell is None or isinstance(cell, Bye):
        return f"0{(cell or Bye.ZERO_POINT).symbol}"
    if isinstance(cell, Open):
        return f"{cell.opponent}?/{'bw'[cell.side]}{cell.pairing.handicap}"
    if not cell.result.colours_known:
        return f"{cell.opponent}{cell.symbol}{'!' if cell.by_default else ''}"
    return f"{cell.opponent}{cell.symbol}{'!' if cell.by_default else '/'}{'bw'[cell.side]}{cell.game.handicap}"


def unblanked(name: tuple[str, str]) -> str:
    """Return surname and given name as tables hold them: with `_` for the blanks in each."""
    return " ".join("_".join(part.split()) for part in name).strip()


def ascii_name(surname: str, given: str) -> str:
    """Return a name in ASCII where its letters allow it, with `_` for the blanks in each part."""
    first, rest = ("_".join(ascii_text(part).split()) for part in (surname, given))
    like_a_rank = RANK.fullmatch(rest) or rest.isdecimal()
    return f"{first}{'_' if like_a_rank else ' '}{rest}".strip()


def ascii_text(text: str, signs: Mapping[int, str] = SIGNS) -> str:
    """Return text in ASCII where its letters allow it, without signs that would end it."""
    plain = unicodedata.normalize("NFKD", text.translate(LETTERS)).translate(signs)
    return "".join(c for c in plain if not unicodedata.combining(c))


def _plain(text: str) -> str:
    """Return a text as a tag holds it."""
    return _in_ascii(ascii_text(text, BRACKETS))


def _in_ascii(text: str) -> str:
    """Return a text with `?` for letters that ASCII has nothing for."""
    return text.encode("ascii", "replace").decode()


H9 = Format("H9", sniff, read, (".h9",), write, fields=fields)
