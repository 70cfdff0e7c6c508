"""Any files and frames made into one ledger."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Unpack, cast

import polars as pl

from handan.errors import Clause, InputError, Problem, as_clause, clause_of, counted, refuse_unknown, shortened
from handan.files.adjustments import of_players_without_games, read_adjustments
from handan.files.aliases import Decision, apply_aliases, read_aliases
from handan.files.duplicates import repeats_in
from handan.files.formats import format_of
from handan.files.games.contents import FILE, Contents, Entrant, ListOfPlayersError, Reading, games_of, table_of
from handan.files.games.format import Format
from handan.files.games.missing_dates import dated
from handan.files.games.unnamed_events import with_named_events
from handan.files.inputs import Table, given, is_frame
from handan.files.io.decoding import plain_head
from handan.files.io.options import NamedOptions, Options
from handan.files.io.storage import Load, foreign, load, named
from handan.files.merging import merged
from handan.files.name_variants import spelt_alike
from handan.files.tables.table import LIST_OF_PLAYERS, READ_WITH
from handan.ledger import Adjustment, Ledger, Player
from handan.ledger.duplicate_games import PLACE, left_out
from handan.ledger.entered_games import EnteredGames
from handan.ledger.ledger import checked_adjustments, of_entered, with_problems

HEAD = 1 << 16  # bytes by which a format is known
MOST_TOGETHER = 1_000  # files that are read together; our choice
BYTES_TOGETHER = 1 << 24  # the same of their bytes
BLANK_LINES = re.compile(rb"\n(?:[ \t]*+\n){2,}+")
"""More than one empty line, in place of which one stands: it says as much to every format."""
STORED = "ledger"  # the format of a ledger on disk
MOST_NAMED = 5
PASSED_OVER = "holds no games and is passed over"
ALL_PASSED_OVER = "holds no games and is passed over, like {number} more of such kinds"


def read(
    source: Any,
    *,
    strict: bool = False,
    adjustments: str | os.PathLike[str] | Iterable[Adjustment] | None = None,
    dedupe: bool = False,
    keep_repeats: bool = False,
    aliases: str | os.PathLike[str] | Iterable[Decision] | None = None,
    options: Options | None = None,
    **named_options: Unpack[NamedOptions],
) -> Ledger:
    """Read games; the format is found by the content of a file, not by its name.

    Args:
        source: What holds games, or several of them: a path (of a file, a folder or a zip archive; `-` is standard
            input), a file object, the bytes of a file, a frame of polars, pandas or pyarrow, columns as a dict of
            lists, rows as dicts, as a database gives them, or as tuples (black, white, result and date, or headings
            first). Games of one date, event and round follow each other as the files do. Lists of players among
            them say who the players are.
        strict: Whether a row that cannot be read is an error. Otherwise it is left out, and `Ledger.problems` tells.
        adjustments: A path for `read_adjustments` or of a list of players (`read_players`), or adjustments. Ranks and
            ratings of a list hold from its day on (`list_date`, else as it says, else before the first game).
        dedupe: Whether rows that say the same as an earlier row are left out; otherwise they are counted in a warning.
        keep_repeats: Whether a file that is given twice, or one event in two files, counts twice. Otherwise its games
            are left out where another file holds them too, with a warning.
        aliases: A path for `read_aliases`, or decisions about who is who.
        options: What to know of the files: encoding, date, date_from_path, dates, columns, letters, worksheet, limits
            (`Options`).
        named_options: The same one by one, as `encoding="cp1252"` or `columns={"black": "Noir"}`.

    Raises:
        InputError: A file that was named cannot be read at all, or `strict` and a row is bad. A file of a folder or
            archive that cannot be read is a problem of the ledger.
    """
    refuse_unknown("read()", named_options, Options.__dataclass_fields__)
    options = replace(options or Options(), **cast("dict[str, Any]", named_options))  # which brings each to its form
    more = partial(_read, source, options, strict=strict, dedupe=dedupe, keep_repeats=keep_repeats, aliases=aliases)
    if not isinstance(adjustments, (str, os.PathLike)):
        return more(checked_adjustments(adjustments or ()))
    listed = rating_list(adjustments, options)
    if listed is not None:
        from handan.files.listed_players import taken_over

        return taken_over(more(()), listed, named(adjustments), options)
    items, problems = read_adjustments(adjustments, options)
    ledger = more(items, problems)
    return with_problems(ledger, of_players_without_games(items, ledger, adjustments))


def _read(
    source: Any, options: Options, adjustments: Iterable[Adjustment], more_problems: Sequence[Problem] = (),
    *, strict: bool, dedupe: bool, keep_repeats: bool, aliases: str | os.PathLike[str] | Iterable[Decision] | None,
) -> Ledger:  # fmt: skip
    """Return what `read` does, with adjustments that name players as the ledger does, and their own problems."""
    opened = list(readings(source, options, alone=not aliases and not dedupe and _is_one(source)))
    if not opened:
        raise InputError("no file was given; give at least one")
    if options.of_text and all(reading.format == STORED for reading in opened):
        one, own = opened[0].source, ", ".join(options.of_text)
        raise InputError(f"{one} was read when it was built; {own} can change nothing there (handan ledger build)")
    if len(opened) == 1 and opened[0].contents is None and opened[0].ledger is not None:
        return _as_it_is(with_problems(opened[0].ledger, more_problems), adjustments, strict=strict)
    if all(reading.only_players for reading in opened):
        raise ListOfPlayersError(Clause.of(LIST_OF_PLAYERS, source=opened[0].source, hint=READ_WITH))
    files = with_named_events(merged(opened, keep_repeats=keep_repeats) if len(opened) > 1 else opened)
    problems = [problem for reading in files for problem in _problems(reading)]
    problems += passed_over([reading.source for reading in files if reading.foreign])
    games = _in_sequence(files)
    problems += more_problems
    in_files = [item for reading in opened if reading.contents for item in reading.contents.adjustments]
    by_hand = [item for reading in opened if reading.ledger for item in reading.ledger.adjustments]
    there = [*in_files, *by_hand]
    besides = set(there)
    adjustments = [*there, *(item for item in adjustments if item not in besides)]
    events = [event for reading in files if reading.contents for event in reading.contents.events]
    if isinstance(aliases, (str, os.PathLike)):
        aliases, more = read_aliases(aliases, options)
        problems += more
    aliases = list(aliases or ())
    if aliases:
        table, adjustments, events, more = apply_aliases(table_of(games), adjustments, events, aliases)
        games = table
        problems += more
    adjustments, more = _as_the_games_name_them(adjustments, games)
    problems += more
    if strict:
        refuse_rejected(problems)
    if dedupe:
        games, more = _without_repeats(table_of(games))
        problems += more
    games = _with_names(games, files)
    games, listed, more = _told_by_lists(games, opened, files, options, {item.player for item in adjustments})
    problems += more
    entered = EnteredGames.of_table(games) if isinstance(games, pl.DataFrame) else games
    ledger = of_entered(entered, adjustments, problems, listed, events)
    if not dedupe:
        ledger = with_problems(ledger, repeats_in(ledger))
    with_games = [reading.contents for reading in files if reading.contents and len(reading.contents.columns)]
    ledger = with_problems(ledger, spelt_alike(ledger, aliases, opened[0].source if len(opened) == 1 else ""))
    return replace(ledger, saved=with_games[0].saved) if len(with_games) == 1 else ledger


def _as_the_games_name_them(
    items: list[Adjustment], games: pl.DataFrame | EnteredGames
) -> tuple[list[Adjustment], list[Problem]]:
    """Return adjustments with the names that their players have in games, and the remark about those who had others."""
    if not items:
        return items, []
    from handan.files.listed_players import names_meant, remark_of_meant

    names = games.names if isinstance(games, EnteredGames) else pl.concat([games["black"], games["white"]]).unique()
    meant = names_meant((item.player for item in items), names)
    return [replace(item, player=meant.get(item.player, item.player)) for item in items], remark_of_meant(meant, "")


def read_list(path: str | os.PathLike[str], options: Options) -> Contents:
    """Read a file that lists players: of the format that it has, else a table by its headings; InputError for none."""
    data, name = load(path, options.limits), named(path)
    try:
        contents = format_of_file(data, options).read(data, name, options)
        if not contents.lists:
            return contents
        lists = [each for each, _ in _lists_in(contents, options)]
        entrants = tuple(each for own in lists for each in own.entrants)
        return replace(lists[0], entrants=entrants, problems=[problem for own in lists for problem in own.problems])
    except ListOfPlayersError:
        from handan.files.listed_players import table_of_players

        return table_of_players(data, name, options)


def read_players(paths: Iterable[str | os.PathLike[str]], options: Options | None = None) -> list[Entrant]:
    """Return the players that files list, with their declared ranks and ratings, such as a federation's list.

    A file is a list as the European, French or American federation gives it out, a table with a column of names, or
    anything else that lists players; of folders and archives all files are read.

    Raises:
        InputError: A file cannot be read.
    """
    options = options or Options()
    entrants: list[Entrant] = []
    for path in paths:
        if Path(path).is_file():
            entrants += read_list(path, options).entrants
        else:
            entrants += [item for each in readings([path], options) if each.contents for item in each.contents.entrants]
    return entrants


def rating_list(path: str | os.PathLike[str], options: Options) -> Contents | None:
    """Return a list of players whose ranks and ratings are to be taken over; None for a table of adjustments."""
    try:
        contents = read_list(path, options)
    except InputError:
        return None  # `read_adjustments` says what is wrong
    is_list = any(each.id or each.country or each.club for each in contents.entrants)
    return contents if is_list and not contents.games.height else None


def _is_one(source: Any) -> bool:
    """Return whether a source is one path that is there, or one frame; wildcards stand for any number of files."""
    if isinstance(source, Sequence) and not isinstance(source, (str, bytes)):
        return len(source) == 1 and _is_one(source[0])
    return is_frame(source) or (isinstance(source, (str, os.PathLike)) and os.path.lexists(source))


def _as_it_is(ledger: Ledger, adjustments: Iterable[Adjustment], *, strict: bool) -> Ledger:
    """Return a ledger that is made already, with those adjustments that it lacks; its games stay where they are."""
    if strict:
        refuse_rejected(list(ledger.problems))
    there = set(ledger.adjustments)
    besides = [item for item in adjustments if item not in there]
    return ledger.with_adjustments(besides) if besides else ledger


def taken_off(reading: Reading) -> Reading:
    """Return a reading with the games of its ledger on disk as a table, as those of any file."""
    if reading.ledger is None:
        return reading
    ledger = reading.ledger
    games = ledger.games.cast({"black": pl.String, "white": pl.String})
    entrants = tuple(
        Entrant(each.name, each.id, each.country, each.club, "", each.rating, each.rating_origin, each.deviation)
        for each in ledger.players
    )
    return replace(reading, contents=Contents(games, list(ledger.problems), entrants, ledger.events))


def readings(source: Any, options: Options, *, refuse: bool = True, alone: bool = False) -> Iterator[Reading]:
    """Read files one after the other.

    Args:
        source: As `read` takes it.
        options: What to know of the files.
        refuse: Whether a file that the user named and that cannot be read is an error; otherwise it is a reading.
        alone: Whether this is one file, so that a ledger on disk stays there (`Reading.ledger`).
    """
    for item in given(source):
        try:
            if isinstance(item, Table):
                yield item.reading(options)
                continue
            if item.on_disk:
                stored = _stored(item.name, item.source)
                yield stored if alone else taken_off(stored)
                continue
            empty, refused = True, 0
            for reading, itself in _of_files(item.files(options.limits), options, refuse=refuse, alone=alone):
                empty = False
                refused += bool(reading.refusal)
                options.limits.check("unreadable", refused, item.name)
                hidden = reading.refusal and not itself and foreign(reading.source)
                yield replace(reading, foreign=True) if hidden else reading
            for folder in item.ledgers:
                empty = False
                yield _stored_inside(folder)
            if empty:
                raise InputError(Clause.of("{source} holds no file of games", source=item.name))
        except InputError as error:
            if refuse:
                raise
            yield Reading(item.name, "", None, clause_of(error))


def _stored(name: str, folder: str | os.PathLike[str]) -> Reading:
    """Return the reading of a ledger on disk."""
    from handan.ledger.dataset import open_ledger

    return Reading(name, STORED, None, ledger=open_ledger(folder))


def _stored_inside(folder: Path) -> Reading:
    """Return the reading of a ledger on disk that lies in a folder that was given, with its games as a table."""
    name = named(folder)
    try:
        return taken_off(_stored(name, folder))
    except InputError as error:
        return Reading(name, "", None, clause_of(error))


def _of_files(
    files: Iterable[tuple[str, Load, bool]], options: Options, *, refuse: bool, alone: bool
) -> Iterator[tuple[Reading, bool]]:
    """Read the files that one thing stands for; yield each with whether the user named this very file.

    Those that follow each other in a folder are read together where their format says so, some at a time.
    """
    form: Format | None = None
    waiting: list[tuple[bytes, str]] = []
    size = 0
    for name, fetch, itself in files:
        reading = None
        try:
            data = fetch()
            own = format_of_file(data, options)
            if itself or own.together is None:
                reading = _reading(data, own, name, options, alone=itself and alone)
        except InputError as error:
            if refuse and itself:
                raise
            reading = Reading(name, "", None, clause_of(error))
        if form and (reading or own.name != form.name or len(waiting) >= MOST_TOGETHER or size >= BYTES_TOGETHER):
            yield from ((each, False) for each in _read_together(form, waiting, options))
            form, waiting, size = None, [], 0
        if reading:
            yield reading, itself
            for contents, source in _lists_in(reading.contents, options):
                yield Reading(source, reading.format, contents, only_players=True), False
        else:
            form, size = own, size + len(data)
            waiting.append((data, name))
    if form:
        yield from ((each, False) for each in _read_together(form, waiting, options))


def _lists_in(contents: Contents | None, options: Options) -> Iterator[tuple[Contents, str]]:
    """Read the lists of players that stand beside the games of a file; yield each with its name."""
    from handan.files.listed_players import players_in

    for source, rows in contents.lists.items() if contents else ():
        yield players_in(rows, source, options), source


def format_of_file(data: bytes, options: Options) -> Format:
    """Return the format of a file by its unpacked bytes."""
    head = plain_head(data[:HEAD], options.encoding)
    return format_of(BLANK_LINES.sub(b"\n\n", head))


def _reading(
    data: bytes, form: Format, name: str, options: Options, contents: Contents | None = None, *, alone: bool = False
) -> Reading:
    """Return what became of a file, which is read unless that has been done; `alone`: no other is compared with it."""
    only_players = False
    try:
        contents = form.read(data, name, options) if contents is None else contents
    except ListOfPlayersError as refusal:
        if alone or refusal.rounds:
            raise
        contents, only_players = _players(data, name, options, refusal), True
    digest = "" if alone else hashlib.sha256(data).hexdigest()
    return Reading(name, form.name, dated(contents, name, options), digest=digest, only_players=only_players)


def _players(data: bytes, name: str, options: Options, refusal: ListOfPlayersError) -> Contents:
    """Return the players of a table by its headings; the refusal where it is no table of text or of a workbook."""
    from handan.files.listed_players import table_of_players

    try:
        return table_of_players(data, name, options)
    except InputError:
        raise refusal from None


def _read_together(form: Format, files: list[tuple[bytes, str]], options: Options) -> Iterator[Reading]:
    assert form.together is not None  # noqa: S101  # what is read alone does not wait
    for (data, name), contents in zip(files, form.together(files, options), strict=True):
        if isinstance(contents, InputError):
            yield Reading(name, "", None, clause_of(contents))
        else:
            yield _reading(data, form, name, options, contents)


def _problems(reading: Reading) -> list[Problem]:
    if reading.contents:
        return reading.contents.problems
    if reading.foreign:
        return []
    why = reading.refusal.removeprefix(reading.source).lstrip(": ")
    message = Clause.of("{why}; left out", why=_without_source(as_clause(reading.refusal)).with_english(shortened(why)))
    return [Problem(reading.source, None, "file", why, "a file of games; left out", message=message)]


def _without_source(text: Clause) -> Clause:
    """Return a sentence without the name of the file with which it begins; a line stays."""
    source = text.values.get("source", "")
    own = _without_source(source) if isinstance(source, Clause) else ""
    return Clause.of(text.pattern, **{**text.values, "source": own})


def passed_over(names: list[str]) -> list[Problem]:
    """Return one warning for all files whose kind holds no games; none if there is no such file."""
    if not names:
        return []
    more = f"{len(names) - 1:,}"
    message = Clause.of(PASSED_OVER if len(names) == 1 else ALL_PASSED_OVER, number=more)
    return [Problem(names[0], None, "file", names[0], "a file of games", rejected=False, message=message)]


def _with_names(games: pl.DataFrame | EnteredGames, files: list[Reading]) -> pl.DataFrame | EnteredGames:
    """Name players who are only numbers by a list that is read with them."""
    lists = [reading.contents.entrants for reading in files if reading.contents]
    names = {item.id: item.name for entrants in lists for item in entrants if item.id}
    if not names:
        return games
    table = table_of(games)
    bare = {side: pl.col(f"{side}_id").str.ends_with(pl.format(":{}", side)) for side in ("black", "white")}
    if not table.select(pl.any_horizontal(*bare.values()).any()).item():
        return table
    for side, only in bare.items():
        named = pl.col(f"{side}_id").replace_strict(names, default=pl.col(side), return_dtype=pl.String)
        table = table.with_columns(pl.when(only).then(named).otherwise(pl.col(side)).alias(side))
    return table


def _told_by_lists(
    games: pl.DataFrame | EnteredGames,
    opened: list[Reading],
    files: list[Reading],
    options: Options,
    set_by_hand: set[str],
) -> tuple[pl.DataFrame | EnteredGames, list[Player], list[Problem]]:
    """Return the games with the ids and ranks that lists tell, what files tell of players, and who is unclear."""
    lists = [each for each in opened if each.contents and each.contents.entrants and not len(each.contents.columns)]
    sources = {each.source for each in lists}
    listed = [
        entrant.player for each in files if each.contents and (len(each.contents.columns) or each.source not in sources)
        for entrant in each.contents.entrants
    ]  # fmt: skip
    if not lists:
        return games, listed, []
    from handan.files.listed_players import with_lists

    table, by_lists, problems = with_lists(table_of(games), lists, options, set_by_hand)
    return table, listed + by_lists, problems


def _in_sequence(files: list[Reading]) -> pl.DataFrame | EnteredGames:
    """Join the games of files so that those of each are entered after those of the one before."""
    with_contents = [each.contents for each in files if each.contents is not None]
    if len(with_contents) == 1:
        return with_contents[0].columns
    games = games_of(files)
    if not with_contents:
        return games.drop(FILE)
    games = games.with_columns(pl.col("entry").fill_null(pl.int_range(pl.len()).over(FILE)))
    most = games.group_by(FILE, maintain_order=True).agg(pl.col("entry").max().clip(0) + 1)
    starts = most.with_columns(pl.col("entry").cum_sum() - pl.col("entry"))
    return games.with_columns(pl.col("entry") + pl.col(FILE).replace_strict(starts[FILE], starts["entry"])).drop(FILE)


def refuse_rejected(problems: list[Problem]) -> None:
    """Raise InputError if rows were rejected, with the first reasons."""
    rejected = [problem for problem in problems if problem.rejected]
    if rejected:
        count = len({(problem.source, problem.line) for problem in rejected})
        first = "; ".join(str(problem) for problem in rejected[:MOST_NAMED])
        more = "; …" if len(rejected) > MOST_NAMED else ""
        raise InputError(f"{counted(count, 'row')} cannot be read: {first}{more}")


def _without_repeats(table: pl.DataFrame) -> tuple[pl.DataFrame, list[Problem]]:
    """Leave out the rows that say the same as an earlier row, and report how many there were in each source."""
    numbered = table.with_row_index("#row")
    kept = numbered.unique([name for name in table.columns if name not in PLACE], keep="first", maintain_order=True)
    dropped = numbered.join(kept, on="#row", how="anti").group_by("source", maintain_order=True).len()
    return kept.drop("#row"), [left_out(source, count) for source, count in dropped.iter_rows()]
