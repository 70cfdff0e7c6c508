"""The record sheet: many games at once, pasted from a spreadsheet, typed as lines, or out of any file of games."""

from __future__ import annotations

import csv
import io
from collections import Counter
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl
from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from handan.club import changes
from handan.club.entries import Draft, chained
from handan.club.folding import GAME_FACTS, State, fold
from handan.club.models import Role
from handan.club.reading import previewed, standings_of, today
from handan.club.replay import changes_of
from handan.club.twins import TwinError, likeness_mark, twin_mark, twin_marks
from handan.club.writing import preview
from handan.errors import FieldError, InputError, Problem
from handan.files import Limits, read, write
from handan.ledger import Game, Ledger, Player, When
from handan.ledger.names import folded, loosely_spelt
from handan.web.pages.formatting import change_rows, result_text, terms_text
from handan.web.pages.forms import SheetForm
from handan.web.pages.here import Here, page

HEADER = ("black", "white", "result", "handicap", "komi", "date", "kind", "event", "round", "notes")
LIMITS = Limits(unpacked=64_000_000, games=100_000, members=1000, unreadable=20, players=20_000)
"""What an upload may unpack to, all of it for one request of one member; our choice, far above any club's sheet."""
MOST_GAMES = 5_000  # our choice: of a sheet, so that it is answered in a moment
SHOWN = 300  # our choice: lines of a sheet that a page shows before it is written


@page(Role.KEEPER)
def sheet(here: Here) -> HttpResponse:
    """Read the sheet, show what it says and whom it would move, and write it once that is confirmed."""
    form = SheetForm(here.posted, None if here.posted is None else here.request.FILES, initial={"date": str(today())})
    reading: dict[str, Any] = {}
    if here.request.method == "POST" and form.is_valid():
        try:
            reading = _read(here, form)
            if reading["drafts"] and "save" in here.request.POST:
                ledger = reading["ledger"]
                another = form.cleaned_data["another"]
                entries = here.write(
                    lambda state: _held_back(state, ledger, another=another), form.cleaned_data["token"], ahead=True
                )
                games = sum(entry.subject.startswith("g") for entry in entries)
                messages.success(here.request, f"{games} games are entered.")
                return redirect("games", slug=here.club.slug)
        except TwinError as error:  # the sheet stays as it was read
            form.put_error(error)
        except InputError as error:
            form.put_error(error)
            reading = {}
    context = {"form": form, "names": list(here.state.keys), "header": HEADER, "kinds": here.rules.kinds, **reading}
    return render(here.request, "handan/sheet.html", context)


def _read(here: Here, form: SheetForm) -> dict[str, Any]:
    """Return the games of the sheet, what cannot be read, newcomers, and whom it would move."""
    upload = form.cleaned_data["file"]
    if upload is not None:
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if upload.size > most:
            raise FieldError(
                "file", f"{upload.size:,} bytes", f"at most {most:,} bytes; the server's upload_limit raises it"
            )
        ledger = _ledger_of(upload.read(), Path(upload.name).name)
    else:
        ledger = _ledger_of(_table(form.cleaned_data["text"], form.cleaned_data), "sheet.csv")
    if len(ledger) > MOST_GAMES:
        raise FieldError("file", f"{len(ledger):,} games", f"at most {MOST_GAMES:,} games at once; send them in parts")
    if not len(ledger) and not ledger.problems:
        raise FieldError("text", "", "at least one game")
    drafts = _drafts(here.state, ledger)
    after = preview(here.state, drafts)
    moved = changes_of(standings_of(here.state), previewed(after))
    matched = {player.name: _matching_key(here.state, player) for player in ledger.players}
    return {
        "ledger": ledger,
        "drafts": drafts,
        "count": len(ledger),
        "lines": [_line(here.state, game, matched) for _, game in zip(range(SHOWN), ledger, strict=False)],
        "newcomers": [name for name, key in matched.items() if key is None],
        "twins": _twins(here.state, ledger, matched),
        "doubles": _doubles(ledger, matched),
        "problems": [str(problem) for problem in ledger.problems],
        "warnings": ledger.warnings,
        "moved": change_rows(moved)[:SHOWN],
        "again": _as_text(ledger),
    }


def _table(text: str, defaults: dict[str, Any]) -> bytes:
    """Return pasted lines as a table with a header; a sheet without one has the columns in their usual order."""
    filled = [line for line in text.splitlines() if line.strip()]
    if not filled:
        return b""
    delimiter = next((mark for mark in "\t;" if mark in filled[0]), ",")
    rows = list(csv.reader(filled, delimiter=delimiter))
    header = [cell.strip().lower() for cell in rows[0]]
    if {"black", "white"} <= set(header):
        rows = rows[1:]
    else:
        header = list(HEADER[: max(map(len, rows))])
    given = {name: str(defaults[name]) for name in ("date", "kind") if defaults.get(name)}
    header += [name for name in given if name not in header]
    places = {header.index(name): value for name, value in given.items()}
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(header)
    for row in rows:
        cells = row + [""] * (len(header) - len(row))
        table.writerow([cell if cell.strip() else places.get(place, cell) for place, cell in enumerate(cells)])
    return out.getvalue().encode()


def _ledger_of(data: bytes, name: str) -> Ledger:
    with TemporaryDirectory() as folder:
        path = Path(folder) / (name or "upload")
        path.write_bytes(data)
        try:
            ledger = read(path, limits=LIMITS)
        except FieldError:
            raise
        except InputError as error:  # without the server's path and the hint of the command line
            raise InputError(str(error).partition("; --allow")[0].replace(f"{folder}/", "")) from None
    problems = [_without_folder(problem, name) for problem in ledger.problems]
    return Ledger(ledger.games, ledger.players, ledger.adjustments, tuple(problems), ledger.warnings)


def _without_folder(problem: Problem, name: str) -> Problem:
    return Problem(name, problem.line, problem.field, problem.found, problem.expected, problem.rejected)


def _matching_key(state: State, player: Player) -> str | None:
    """Return the key of the club's player who is meant: by number, then by name or reading; None for a newcomer."""
    if player.id:
        own = player.id.removeprefix(f"{state.slug}:")
        if own != player.id and own in state.active:
            return own
        if player.id in state.owners:
            return state.owners[player.id][0]
    if player.name in state.keys:
        return state.keys[player.name]
    alike = state.spellings.get(folded(player.name)) or state.loose_spellings.get(loosely_spelt(player.name), [])
    return alike[0] if len(alike) == 1 else None


def _drafts(state: State, ledger: Ledger) -> list[Draft]:
    """Return the entries of a sheet: newcomers first, then the games in their order."""
    keys: dict[str, str] = {}
    drafts: list[Draft] = []
    for player in ledger.players:
        key = _matching_key(state, player)
        if key is None:
            personal = {"name": player.name, "country": player.country, "club": player.club}
            drafts.append(changes.register_player(state, {**personal, "ids": [player.id] if player.id else []}))
            key = f"p{state.number + len(drafts)}"
        keys[player.name] = key
    registered = fold(state, chained(drafts, state.number, state.digest, "", timezone.now()))
    day = today()
    for game in ledger:
        game_fields = {name: getattr(game, name) for name in GAME_FACTS if getattr(game, name) is not None}
        game_fields |= {"black": keys[game.black], "white": keys[game.white]}
        drafts.append(changes.record_game(registered, game_fields, day))
    return drafts


def _held_back(state: State, ledger: Ledger, *, another: bool) -> list[Draft]:
    """Return the entries of a sheet; TwinError for games like some there, unless they are said to be other."""
    matched = {player.name: _matching_key(state, player) for player in ledger.players}
    alike, doubles = _twins(state, ledger, matched), _doubles(ledger, matched)
    if not another and (alike or doubles):
        raise TwinError(alike, doubles)
    return _drafts(state, ledger)


def _line(state: State, game: Any, matched: dict[str, str | None]) -> dict[str, Any]:
    names = {side: getattr(game, side) for side in ("black", "white")}
    return {
        **{side: state.labels.get(matched[name] or "", name) for side, name in names.items()},
        "date": str(game.date or ""),
        "terms": terms_text(game.handicap, game.komi),
        "result": result_text(str(game.result)),
        "kind": game.kind,
    }


def _twins(state: State, ledger: Ledger, matched: dict[str, str | None]) -> list[str]:
    """Return keys of the games in the club's ledger that games of the sheet look like."""
    marks, alike = twin_marks(state, _on_days_of(state, ledger)), []
    for game in ledger:
        black, white = matched[game.black], matched[game.white]
        if black and white:
            alike += marks.get(twin_mark(state, black, white, str(game.result), _day(game)), [])
    return list(dict.fromkeys(alike))


def _on_days_of(state: State, ledger: Ledger) -> pl.DataFrame:
    """Return the club's games on the days of a sheet's, among which those are that look like them."""
    days, undated = ledger.games["date"].dt.date().unique(), ledger.games["date"].null_count() > 0
    day = pl.col("date").dt.date()
    return state.games.filter(day.is_in(days.drop_nulls().implode()) | (day.is_null() & undated))


def _doubles(ledger: Ledger, matched: dict[str, str | None]) -> list[str]:
    """Return the games of a sheet that look like another game of it, in words, each once."""
    times: Counter[tuple[Any, ...]] = Counter()
    words: dict[tuple[Any, ...], str] = {}
    for game in ledger:
        black, white = (matched[name] or f"new {name}" for name in (game.black, game.white))
        mark = likeness_mark(black, white, str(game.result), _day(game))
        times[mark] += 1
        words.setdefault(mark, f"{game.black} – {game.white} {game.date or ''}".strip())
    return [words[mark] for mark, number in times.items() if number > 1]


def _day(game: Game) -> date | None:
    when = When.of(game.date)
    return None if when is None else when.moment.date()


def _as_text(ledger: Ledger) -> str:
    """Return the games as a table that the confirming form sends again."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.csv"
        write(ledger, path)
        return path.read_text(encoding="utf-8")
