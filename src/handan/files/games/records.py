"""What records of single games say, read by the readers of cells: the records of a folder are read together.

Together, since one record alone may not say whether day or month comes first in its date, or whether ranks stand behind
names.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import polars as pl

from handan.errors import Clause, FieldError, InputError, QuestionError
from handan.files.cells.dates import MORE_DAYS, DateReader, Numbers, is_month
from handan.files.cells.numbers import read_komi, read_stones
from handan.files.cells.ranked_names import SEVERAL, Parts, are_several, namesakes, parts_of, ranked
from handan.files.cells.results import FIRST, SECOND, read_result
from handan.files.games.columns import MOST_USUAL_KOMI, MOST_USUAL_STONES, TENTHS
from handan.files.games.contents import Contents, Gatherer
from handan.files.io.cells import warning_of_guess
from handan.files.io.decoding import WIDE_HEAD, decoded, is_utf16, likely_codec
from handan.files.io.options import ORDERS, Options
from handan.ledger import When
from handan.ledger.results import EXPECTED
from handan.ranks import plain_rank

SHORT = 80  # characters; our choice: longer text is searched for whole dates only
FULL = re.compile(r"(?<!\d)(\d{4})\s?[-/.年]\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?!\d)")
COMPACT = re.compile(r"(?<!\d)((?:1[6-9]|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)(?!\d)")
THREE = re.compile(r"(?<!\d)\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})(?!\d)")
YEAR_MONTH = re.compile(r"(?<!\d)(\d{4})(?:\s?[-/.年]\s?(\d{1,2}))?(?!\d)")
WORD = re.compile(r"[^\W\d_]+")
TO_YEAR = re.compile(r"\D*\d{1,2}\D+?\d{4}(?!\d)")
"""The first date of a list of dates that end with their year."""
DATE_EXPECTED = "a date such as 1996-12-27"
UNKNOWN = Clause.of("a date such as 1996-12-27; read as unknown")
SIDE = re.compile(r"([BbWw])(?:\s*\+\s*(.*))?")
ASIDE = re.compile(r"[(\[{（［【]")
"""What begins a remark behind a result."""
UNUSUAL = {"d": "jigo", "?": "?", "": "?"}
"""Results that records have and tables have not."""
ENDINGS = frozenset("RTF")
RATING = re.compile(r"[-+]?\d+([.,]\d+)?[?*]?|[-?]+")
NO_RANK = frozenset(("nr", "n/a", "none", "unranked", "no rank"))
NO_DAY = re.compile(r"\s?[-/.]\s?\d")
"""A number behind a year or a month, with which they are no date, as in 2026-02-30."""
NUMBER = re.compile(r"[-+]?\d{1,6}(?:\.\d{1,6})?|[-+]?\.\d{1,6}")
FOX_HUNDREDTHS = 10.0
"""The same in records of the Fox server, which writes hundredths throughout."""
MOST_ZI = 20.0
"""Quarters up to so many are Chinese stones, of which each is two points; no komi in points has quarters."""
UNITS = {
    (True, False, False): "points; these are hundredths, read as {komi}",
    (False, True, False): "points; these are tenths, read as {komi}",
    (False, False, True): "points; these are Chinese stones, read as {komi}",
    (True, False, True): "points; these are hundredths of Chinese stones, read as {komi}",
    (False, True, True): "points; these are tenths of Chinese stones, read as {komi}",
    (False, False, False): "",
}
"""What a komi is written in: hundredths, tenths, Chinese stones."""
MANY = "a name without a rank; several people may have it with ranks far apart, so it stays as it is"


@dataclass(frozen=True, slots=True)
class Stones:
    """Stones that stand on the board before the first move."""

    black: int = 0
    white: int = 0
    first: str = ""
    """Who moves first, `B` or `W`; empty where no move is there."""


@dataclass(frozen=True, slots=True)
class Record:
    """One game as its record has it: text, each part as it is written."""

    line: int
    black: str
    white: str
    result: str = ""
    date: str = ""
    handicap: str = ""
    komi: str = ""
    size: int = 19
    event: str = ""
    round: str = ""
    black_rank: str = ""
    white_rank: str = ""
    fox: bool = False
    """Whether the Fox server wrote it, whose komi is in hundredths."""
    stones: Stones | None = None


@dataclass(frozen=True, slots=True)
class Open:
    """A date in numbers whose order is open."""

    text: str
    numbers: Numbers

    @property
    def readings(self) -> dict[str, date]:
        """The days that it may be, by the order of its numbers; between points the year is first only if it must."""
        days = {order: self.numbers.day(order) for order in ORDERS}
        fitting = {order: day for order, day in days.items() if day}
        if self.numbers.mark != ".":
            return fitting
        return {order: day for order, day in fitting.items() if order != "ymd" or len(fitting) == 1}

    @property
    def mark(self) -> str:
        """A slash, which stands in dates of both orders, or nothing."""
        return "/" if self.numbers.mark == "/" else ""


def head_lines(data: bytes, most: int, gatherer: Gatherer, options: Options) -> list[tuple[int, bytes]]:
    """Return the first lines of a file in an encoding whose letters are of one byte or two, with their numbers."""
    options.limits.check("text", len(data), gatherer.source)
    if is_utf16(data[:WIDE_HEAD]) and not options.encoding:
        data = decoded(data, gatherer.source, None, lambda _: "")[0].encode()
    data = data.removeprefix(BOM_UTF8).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return list(enumerate(data.split(b"\n", most)[:most], 1))


def in_one_encoding(lines: Sequence[bytes], gatherer: Gatherer, options: Options) -> list[str]:
    """Return lines as text, in the encoding in which they are likely together; the others of their file may have none.

    Raises:
        QuestionError: Two encodings are about as likely.
    """
    source = gatherer.source
    text, guess = decoded(b"\n".join(lines), source, options.encoding, lambda part: likely_codec(part, source))
    gatherer.problems += warning_of_guess(guess, source)
    return [line.strip() for line in text.split("\n")]


Parsed = tuple[Gatherer, Sequence[Record]]
"""The records of one file, and what gathers its games."""
Day = tuple[When | None, str]
"""A date, and what is to be said of how it was read; None for text that is none."""


def contents_of(files: Sequence[Parsed], order: str | None, parts: Mapping[str, str]) -> list[Contents | InputError]:
    """Return what the files hold that are read together, or why one cannot be read.

    Args:
        files: Their records.
        order: Of day, month and year, as the user says it.
        parts: What the format calls the parts of a record, for the reports.
    """
    records = [record for _, own in files for record in own]
    days = read_dates({record.date for record in records if record.date.strip()}, order)
    names = _ranks_behind(records)
    result: list[Contents | InputError] = []
    for gatherer, own in files:
        try:
            for record in own:
                _take(record, gatherer, days, names, parts)
            result.append(gatherer.contents())
        except InputError as fault:
            result.append(fault.at(gatherer.source) if isinstance(fault, QuestionError) else fault)
    return result


def contents_of_one(gatherer: Gatherer, record: Record, order: str | None) -> Contents:
    """Return what the file of a single record holds; InputError if it cannot be read."""
    [contents] = contents_of([(gatherer, [record])], order, {})
    if isinstance(contents, InputError):
        raise contents
    return contents


def _take(
    record: Record,
    gatherer: Gatherer,
    days: Mapping[str, Day | QuestionError],
    names: Mapping[str, Parts],
    parts: Mapping[str, str],
) -> None:
    """Add one game, or report why it is none."""

    def say(part: str, cell: str, expected: str) -> None:
        if expected:
            gatherer.warn(record.line, parts.get(part, part), cell.strip(), expected)

    black = _player("black", record.black, record.black_rank, names, say)
    white = _player("white", record.white, record.white_rank, names, say)
    for name in (black.name, white.name):
        gatherer.name(record.line, name)
    day = days.get(record.date, (None, ""))
    if isinstance(day, QuestionError):
        raise day
    say("date", record.date, day[1])
    try:
        result, notes = read_outcome(record.result)
    except FieldError as fault:
        gatherer.reject(record.line, parts.get("result", "result"), " ".join(record.result.split()), fault.expected)
        return
    komi, remark = komi_of(record.komi, fox=record.fox)
    say("komi", record.komi, remark)
    handicap, remark = _handicap(record)
    say("handicap", record.handicap, remark)
    gatherer.game(
        record.line,
        black=black.name,
        white=white.name,
        result=result,
        date=day[0],
        handicap=handicap,
        komi=komi,
        size=record.size,
        event=" ".join(record.event.split()),
        round=match[0] if (match := re.search(r"\d{1,6}", record.round)) else "",
        black_rank=black.rank,
        white_rank=white.rank,
        notes=notes,
    )


def _player(
    side: str, name: str, written: str, names: Mapping[str, Parts], say: Callable[[str, str, str], None]
) -> Parts:
    """Return a player's name and rank, of which the rank may stand behind the name too."""
    rank = _rank(written)
    if rank is None:
        say(f"{side}_rank", written, "a rank such as 3d, 12k or 9p; read as none")
    own = names.get(name) or Parts(name, "")
    if rank and (behind := parts_of(name)).rank and _rank(behind.rank) == rank:
        own = behind  # the name bears the rank that stands beside it
    elif own.rank and own.name == name:
        say(side, name, MANY)
        own = Parts(name, "")
    elif own.rank:
        say(side, name, Clause.of("a name without its rank; read as {name}, {rank}", name=own.name, rank=own.rank))
    if are_several(own.name):
        say(side, own.name, SEVERAL)
    return Parts(own.name, rank or _rank(own.rank) or "")


def read_outcome(text: str) -> tuple[str, str]:
    """Return the result in the spelling of tables, and what belongs to the notes; FieldError if it says none."""
    whole = " ".join(text.split())
    match = ASIDE.search(whole)
    result, aside = (whole[: match.start()].strip(), whole[match.start() :]) if match else (whole, "")
    if result.lower() in UNUSUAL:
        return UNUSUAL[result.lower()], aside
    decided = SIDE.fullmatch(result)
    side, tail = (decided[1].upper(), (decided[2] or "").rstrip(".")) if decided else ("", "")
    try:
        finding = read_result(result)
    except FieldError:
        if decided is None:
            raise
        return f"{side}+", f"{tail.lower()} {aside}".strip()
    if finding.winner in {FIRST, SECOND}:
        raise FieldError("result", text, EXPECTED)
    if tail.isalpha() and finding.tail == tail and tail not in ENDINGS:  # a word that says nothing of how it was won
        return f"{side}+", f"{tail.lower()} {aside}".strip()
    return finding.text("B+", "W+"), aside


def read_dates(texts: Iterable[str], order: str | None) -> dict[str, Day | QuestionError]:
    """Return the first date of each text; where the order of day and month is open, the other dates decide.

    A text about which nothing decides has the question that tables ask.
    """
    days: dict[str, Day | QuestionError] = {}
    unsure: dict[str, Open] = {}
    orders: dict[str, set[str]] = {"": set(), "/": set()}
    for text in texts:
        day = _first_date(text)
        if not isinstance(day, Open):
            days[text] = day
            continue
        readings = day.readings
        if len(set(readings.values())) > 1:
            unsure[text] = day
            continue
        days[text] = (When.of(next(iter(readings.values()))), "") if readings else (None, UNKNOWN)
        if len(readings) == 1:
            orders[day.mark].update(readings)
    for text, day in unsure.items():
        own = orders[day.mark]
        days[text] = _decided(day.text, order or (next(iter(own)) if len(own) == 1 else ""))
    return days


def _first_date(text: str) -> Day | Open:
    """Return the first date of a text, in whatever form it has one."""
    try:
        return _whole_date(text)
    except (FieldError, ValueError):
        return _year(text)


def _decided(text: str, order: str) -> Day | QuestionError:
    """Return a date in an order, or by what is usual; the question where nothing decides."""
    try:
        dates, _ = DateReader(order)([text])
    except QuestionError as question:
        return question
    return (When.of(dates[text].moment.date()), "") if text in dates else (None, UNKNOWN)


def _whole_date(text: str) -> Day | Open:
    """Return the first date of a text that names its day, or its month, or leaves open which number is which.

    Raises:
        FieldError, ValueError: It names neither.
    """
    if match := FULL.search(text) or COMPACT.search(text):
        return When.of(date(int(match[1]), int(match[2]), int(match[3]))), ""
    tried = [text]
    if len(text) <= SHORT and any(map(is_month, WORD.findall(text))):
        tried += [MORE_DAYS.sub(r"\1\2", text), *(match[0] for match in [TO_YEAR.match(text)] if match)]
    tried += [match[0] for match in [THREE.search(text)] if match]
    fault = FieldError("date", text, DATE_EXPECTED)
    for part in dict.fromkeys(tried):
        try:
            when = DateReader().read(part)
        except FieldError as own:
            fault = own
            continue
        if isinstance(when, Numbers):
            return Open(part, when)
        return (When.of(when.moment.date()) if when.precision >= 10 else when), ""
    raise fault


def _year(text: str) -> Day:
    """Return the year, or the month, that stands in a text, and what to say where more stands there."""
    match = YEAR_MONTH.search(text)
    try:
        when = When.of(f"{match[1]}-{int(match[2]):02}" if match[2] else match[1]) if match else None
    except (ValueError, InputError):
        when = None
    if when is None or match is None:
        return None, UNKNOWN
    rest = f"{text[max(match.start() - SHORT, 0) : match.start()]} {text[match.end() : match.end() + SHORT]}"
    words = WORD.findall(rest)
    more = any(map(is_month, words)) or (words and any(map(str.isdigit, rest))) or NO_DAY.match(text, match.end())
    return when, Clause.of("a date such as 1996-12-27; read as {day}", day=str(when)) if more else ""


def komi_of(text: str, *, fox: bool) -> tuple[float | None, str]:
    """Return the komi in points, and what to say of it.

    Servers and people write hundredths (650), tenths (65) and Chinese stones (3.75 of them are 7.5 points), also
    hundredths of these (375); the Fox server writes 0 where it recorded none.
    """
    plain = text.strip().replace(",", ".")
    if not plain:
        return None, ""
    try:
        number = float(plain) if NUMBER.fullmatch(plain) else read_komi(text)
    except FieldError:
        number = None
    if number is None:
        return None, "a number of points; read as not recorded"
    if fox and number == 0.0:
        return None, ""
    hundredths = abs(number) >= (FOX_HUNDREDTHS if fox else MOST_USUAL_KOMI)
    tenths = not hundredths and abs(number) in TENTHS
    komi = number / (100.0 if hundredths else 10.0 if tenths else 1.0)
    zi = (komi * 4) % 2 == 1 and abs(komi) < MOST_ZI  # an odd number of quarters
    komi = 2 * komi if zi else komi
    if abs(komi) > MOST_USUAL_KOMI:
        return None, "a number of points; read as not recorded"
    way = UNITS[hundredths, tenths, zi]
    usual = not way or (fox and abs(number) >= MOST_USUAL_KOMI)
    return komi, "" if usual else Clause.of(way, komi=f"{komi:g}")


def _handicap(record: Record) -> tuple[str, str]:
    """Return the stones of a handicap, also where they only stand on the board, and what to say of them."""
    text, stones = record.handicap.strip(), record.stones or Stones()
    remark = ""
    if re.fullmatch(r"-\d{1,2}", text):
        return text, ""  # refused as the number of stones of no game
    try:
        handicap = read_stones(text)
    except FieldError:
        handicap, remark = 0, "a number of stones; read as none"
    if stones.black < 2 or stones.black == handicap:
        return str(handicap or ""), remark
    if stones.white or stones.black > MOST_USUAL_STONES or stones.first == "B":
        if handicap:
            return str(handicap), remark
        pattern = "the handicap; {stones} stones stand on the board, read as an even game"
        return "", Clause.of(pattern, stones=stones.black + stones.white)
    read = handicap if handicap >= 2 else stones.black
    remark = Clause.of("the {stones} stones on the board; read as {read}", stones=stones.black, read=read)
    return str(read), remark if text or handicap >= 2 else ""


def _rank(text: str) -> str | None:
    """Return a rank with its mark, nothing for a rating and for none; None for other text, such as a country."""
    plain = text.strip()
    if not plain or RATING.fullmatch(plain) or plain.lower() in NO_RANK:
        return ""
    try:
        return plain_rank(plain)
    except InputError:
        return None


def _ranks_behind(records: Sequence[Record]) -> dict[str, Parts]:
    """Return the names that have ranks behind them, taken apart, where most names without a rank of their own do.

    A name that several people may have stays whole.
    """
    bare = [(each.black, each.white) for each in records if not each.black_rank.strip() or not each.white_rank.strip()]
    if not bare or not ranked(sorted({name for pair in bare for name in pair})):
        return {}
    parts = {name: parts_of(name) for pair in bare for name in pair}
    sides = [pl.Series([pair[place] for pair in bare], dtype=pl.String) for place in (0, 1)]
    apart = namesakes(parts, *sides)
    return {name: own._replace(name=name) if own.name in apart else own for name, own in parts.items() if own.rank}
