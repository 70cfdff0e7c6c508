"""The record sheet: many games at once, pasted from a spreadsheet, typed as lines, or out of any file of games."""

from __future__ import annotations

import base64
import csv
import io
import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_noop as _

from handan.club.changes.events import event_like
from handan.club.new_games import TwinError
from handan.club.record_sheet import Matches
from handan.club.service.events import event_of_fields
from handan.club.service.operation import Change
from handan.club.service.sheets import SheetReport, enter_sheet
from handan.club.sheet_text import parted, rows_of
from handan.club.state import State
from handan.errors import Clause, FieldError, HeadingsError, InputError, Problem, QuestionError, shortened
from handan.files import Limits, Options
from handan.files.io.limits import MOST_GAMES, UPLOADS
from handan.files.tables.column_names import PAIRS
from handan.files.writing import encoded
from handan.ledger import Event, Ledger, Player
from handan.ledger.arrays import Arrays
from handan.ledger.duplicate_games import says_repeats
from handan.systems.core.unrated_reasons import HISTORY
from handan.web.operations.uploads import TooManyFilesError, apart, ledger_of, too_many
from handan.web.pages.formatting import ChangeRows, result_text, terms_text
from handan.web.pages.forms import SheetForm
from handan.web.pages.here import Here
from handan.web.pages.refusals import problem_words, refusal
from handan.web.pages.saved import say_saved
from handan.web.pages.wording import rank as rank_words

Question = QuestionError | HeadingsError
QUESTIONS = {
    "--dates": _("Which comes first in its dates, the day or the month?"),
    "--letters": _("Does B in its results mean Black or White?"),
    "--encoding": _("Which of these is written as it should be?"),
    "--column": _("Which of these columns is it: {column}?"),
    "players": _("Which of the two players had Black?"),
}
"""Questions of the readers by the option that answers them; the last of two players in one cell."""
COLUMNS = {
    "black": _("Black"), "white": _("White"), "result": _("Result"), "winner": _("Winner"), "loser": _("Loser"),
    "player1": _("First player"), "player2": _("Second player"), "date": _("Date"), "handicap": _("Handicap"),
    "komi": _("Komi"), "black_rank": _("Rank of Black"), "white_rank": _("Rank of White"), "kind": _("Kind"),
    "event": _("Event"), "round": _("Round"), "notes": _("Comments"), "players": _("Both players"),
    "black_score": _("Points of Black"), "white_score": _("Points of White"),
}  # fmt: skip
"""What a column of a sheet can hold."""
ANSWERS = ("dates", "letters", "encoding")
LONGEST_ANSWER = 200  # characters; our choice
MOST_HEADINGS = 60  # our choice: columns that the form asks about
SPARE = 100_000  # bytes; our choice: of a form beside the file that it holds


def options_of(posted: QueryDict, limits: Limits) -> Options:
    """Return what a form answers; InputError for answers that are none."""
    dates, letters, encoding = (posted.get(f"as-{name}", "")[:LONGEST_ANSWER] or None for name in ANSWERS)
    pairs = [text[:LONGEST_ANSWER].partition("=")[::2] for text in posted.getlist("as-column") if "=" in text]
    headings = zip(posted.getlist("as-meaning"), posted.getlist("as-heading"), strict=False)
    columns: dict[str, str] = {}
    for column, heading in [*pairs, *headings]:
        if column and columns.setdefault(column, heading) != heading:
            words = gettext(COLUMNS.get(column, column))
            raise InputError(gettext("{column} is chosen for two columns").format(column=words))
    return Options(encoding, dates=dates, letters=letters, columns=columns, limits=limits)


def kept_file(posted: Mapping[str, str]) -> tuple[bytes, str] | None:
    """Return the file that a question kept, with its name; None if there is none, InputError if it is damaged."""
    text = posted.get("kept", "")
    if not text:
        return None
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    try:
        data = zlib.decompressobj().decompress(base64.b64decode(text, validate=True), most)
    except (ValueError, zlib.error):
        raise InputError(gettext("Send the file again, please.")) from None
    return data, posted.get("kept-name", "")


def kept_with(data: bytes, name: str, options: Options) -> dict[str, Any]:
    """Return what a form keeps of a file and of the answers about it."""
    packed = base64.b64encode(zlib.compress(data)).decode()
    return {
        "name": name,
        "kept": packed if len(packed) + SPARE <= settings.DATA_UPLOAD_MAX_MEMORY_SIZE else "",
        "answers": [(answer, value) for answer in ANSWERS if (value := getattr(options, answer))],
        "given": [f"{column}={heading}" for column, heading in options.columns.items()],
    }


def question_of(error: Question, data: bytes, name: str, options: Options) -> dict[str, Any]:
    """Return what the form of a question shows and keeps."""
    there = kept_with(data, name, options)
    if isinstance(error, HeadingsError):
        there["given"] = []  # the form asks about all columns
        columns = [(column, gettext(words)) for column, words in COLUMNS.items()]
        pairs = list(zip(error.headings, error.columns, strict=True))[:MOST_HEADINGS]
        return there | {"headings": [pair for pair in pairs if pair[0]], "columns": columns}
    column = error.answers[0].partition("=")[0] if error.option == "--column" else ""
    topic = "players" if column in PAIRS else error.option
    words = gettext(QUESTIONS[topic]).format(column=gettext(COLUMNS.get(column, column)))
    readings = [gettext(COLUMNS[name]) for name in error.readings] if topic == "players" else error.readings
    choices = list(zip(error.answers, readings or error.answers, strict=True))
    kind = error.option.removeprefix("--")
    return there | {"question": words, "kind": kind, "cell": error.cell, "choices": choices}


LONGEST_NAME = 200  # bytes; our choice, below the 255 that file systems take
NAMED = 5  # our choice: names that a message lists
SHOWN = 300  # our choice: lines of a sheet that a page shows before it is written


class UnaskedError(FieldError):
    """A sheet names people whom the club does not know: they become members only if whoever enters it says so."""

    def __init__(self, names: Sequence[str]) -> None:
        """Take the names."""
        super().__init__("newcomers", "no", "said")
        few = gettext(", ").join(names[:NAMED]) + (" …" if len(names) > NAMED else "")
        self.args = (gettext("nobody here is called {names}; say so if they are new").format(names=few),)


def whole_sheet(here: Here, grid: Mapping[str, str] | None = None) -> HttpResponse:
    """Read the sheet, show what it says and whom it would move, and write it once that is confirmed.

    `grid` are text, date and kind of one that has more lines than the grid.
    """
    sent = here.posted if grid is None else grid
    form = SheetForm(sent, None if here.posted is None else here.request.FILES, initial={"date": str(here.evening_day)})
    reading: dict[str, Any] = {}
    if here.request.method == "POST" and form.is_valid():
        try:
            ledger, question = _read(here, form)
            if ledger is None:
                return render(here.request, "handan/sheet_question.html", question)
            refuse_size(ledger)
            if (len(ledger) or ledger.events) and "save" in here.request.POST:
                try:
                    return saved_sheet(here, form, ledger, enter_sheet)
                except (TwinError, UnaskedError) as error:  # the sheet stays as it was read
                    form.put_error(error)
            reading = reading_of(here, ledger)
        except TooManyFilesError:
            raise
        except InputError as error:
            form.put_error(error)
    context = {"form": form, "kinds": here.rules.kinds, **reading}
    return render(here.request, "handan/sheet.html", context)


def saved_sheet(here: Here, form: SheetForm, ledger: Ledger, operation: Callable[..., Change]) -> HttpResponse:
    """Write the games of a sheet by an operation of it, and go on to it."""
    if (strangers := [player.name for player in SheetReport(here, ledger).newcomers]) and not form.cleaned_data[
        "newcomers"
    ]:
        raise UnaskedError(strangers)
    change = operation(here.actor, ledger, another=form.cleaned_data["another"], counts=form.cleaned_data["counts"])
    entries = here.write(change, form.cleaned_data["token"])
    games = sum(entry.subject.startswith("g") for entry in entries)
    text = ngettext("{number} game is entered.", "{number} games are entered.", games).format(number=games)
    say_saved(here, text, entries)
    events = [entry.subject for entry in entries if entry.subject.startswith("e")]
    if len(events) == 1:
        return redirect("event", slug=here.club.slug, key=events[0])
    if events:
        return redirect("events", slug=here.club.slug)
    return redirect("entered-sheet", slug=here.club.slug, key=entries[-1].subject)


def _read(here: Here, form: SheetForm) -> tuple[Ledger | None, dict[str, Any]]:
    """Return the games of the sheet; None if it can be read in several ways, with what is asked."""
    data, name = _sent(here, form)
    ledger, question = read_file(here, data, name, {each: form.cleaned_data[each] for each in ("token", "date")})
    if ledger is None:
        return None, question
    return edited(ledger, form), {}


def read_file(here: Here, data: bytes, name: str, kept: Mapping[str, str]) -> tuple[Ledger | None, dict[str, Any]]:
    """Return the games of a file by the answers of a form; None if it can be read in several ways, and what is asked.

    `kept` are other fields of the form, which the question sends on.
    """
    refused = ""
    try:
        options = options_of(here.request.POST, UPLOADS)
    except InputError as error:  # the form is shown once more
        options, refused = Options(limits=UPLOADS), refusal(error)
    try:
        return apart(ledger_of, data, name, options), {}
    except (QuestionError, HeadingsError) as question:
        return None, {"asks": question_of(question, data, name, options), "refused": refused, "fields": kept}


def edited(ledger: Ledger, form: SheetForm) -> Ledger:
    """Return what a form says of a sheet: the table of its games, with the people and events that it sends beside."""
    return _with_events(_with_people(ledger, form.cleaned_data["people"]), form.cleaned_data["events"])


def read_text(form: SheetForm) -> Ledger:
    """Return the games of the lines of a form, with the people and events that it sends beside."""
    data = _table(form.cleaned_data["text"], form.cleaned_data)
    return edited(apart(ledger_of, data, "sheet.csv", Options(limits=UPLOADS)), form)


def _sent(here: Here, form: SheetForm) -> tuple[bytes, str]:
    """Return the bytes of the sheet and its name: those of a file, one that a question kept, or lines as a table."""
    upload = form.cleaned_data["file"]
    return sent_file(here, upload) or (_table(form.cleaned_data["text"], form.cleaned_data), "sheet.csv")


def sent_file(here: Here, upload: UploadedFile[bytes] | None) -> tuple[bytes, str] | None:
    """Return the file that a form sends, or that a question kept, with its name; None where there is none."""
    if upload is not None:
        names = [sent.name or "" for sent in here.request.FILES.getlist("file")]
        if len(names) > 1:
            raise FieldError("file", ", ".join(names), "one file, or a zip of several")
        most, size = settings.DATA_UPLOAD_MAX_MEMORY_SIZE, upload.size or 0
        if size > most:
            pattern = "at most {most} bytes; the server's upload_limit raises it"
            raise FieldError("file", f"{size:,}", Clause.of(pattern, most=f"{most:,}"))
        return upload.read(), _file_name(upload.name or "")
    file = kept_file(here.request.POST)
    return None if file is None else (file[0], _file_name(file[1]))


def _file_name(text: str) -> str:
    """Return what a file is called while it is read: whatever was sent, in a length that file systems take."""
    name = Path(text.replace("\x00", "")).name
    if name in {"", ".."}:
        return "upload"
    end = Path(name).suffix.encode()[-LONGEST_NAME:]
    stem = Path(name).stem.encode()[: LONGEST_NAME - len(end)]
    return f"{stem.decode(errors='ignore')}{end.decode(errors='ignore')}"


def refuse_size(ledger: Ledger) -> None:
    """Raise FieldError for a sheet of too many games, or of none and without a word why."""
    if len(ledger) > MOST_GAMES:
        raise too_many(f"{len(ledger):,}", MOST_GAMES)
    if not len(ledger) and not ledger.events and not ledger.problems:
        raise FieldError("text", "", "at least one game")


def _in_words(problems: Iterable[Problem]) -> list[str]:
    """Return what is wrong with the rows of a sheet, those first that were left out."""
    problems = [problem for problem in problems if not says_repeats(problem)]
    problems.sort(key=lambda problem: not problem.rejected)
    return [f"{_member(problem)}{problem_words(problem)}" for problem in problems]


def _member(problem: Problem) -> str:
    """Return which file of an archive, or which worksheet, a problem is about; empty for a file without such parts."""
    inner = problem.source.partition("!")[2]
    return f"{inner}: " if inner else ""


def reading_of(here: Here, ledger: Ledger) -> dict[str, Any]:
    """Return what the page shows of a sheet before it is written; of one without games, why there are none."""
    typed = here.request.POST.get("text", "")
    if not len(ledger) and not ledger.events:
        return {"problems": _in_words(ledger.problems), "changed": typed}
    report = SheetReport(here, ledger)
    made, own = report.preview, sum(game.kind == HISTORY for game in report.new)
    names = here.state.labels
    lines = [_line(here.state, game, report.matches) for _, game in zip(range(SHOWN), ledger, strict=False)]
    return {
        "ledger": ledger,
        "entered": len(ledger) - len(report.new),
        "told": [_event_line(here.state, event) for event in ledger.events],
        "drafts": made.drafts,
        "held": sum(draft.facts.get("kind") == HISTORY for draft in made.drafts) - own,
        "count": len(ledger),
        "lines": lines,
        "has_rounds": any(line["round"] for line in lines),
        "newcomers": [_newcomer(player, report.ranks.get(player.name, "")) for player in report.newcomers],
        "far": [{**each._asdict(), "name": names[here.state.person(each.key).key]} for each in report.far_ranks],
        "twins": report.twins,
        "doubles": report.doubles,
        "problems": _in_words(report.problems),
        "warnings": ledger.warnings,
        "moved": ChangeRows(made.moved),
        "again": (again := _as_text(ledger)),
        "changed": (typed if any(problem.rejected for problem in ledger.problems) else "") or again,
        "people": _people_of(ledger),
        "events": json.dumps([event.as_dict() for event in ledger.events], ensure_ascii=False) if ledger.events else "",
    }


def _newcomer(player: Player, rank: str) -> str:
    """Return who would be registered: name, rank and number."""
    about = gettext(", ").join(filter(None, (rank_words(rank), player.id, player.club, player.country)))
    return f"{player.name} ({about})" if about else player.name


def _event_line(state: State, event: Event) -> dict[str, Any]:
    """Return what the page says of an event before it is entered."""
    present = event_like(state, event)
    return {
        "name": event.name, "days": [str(day) for day in (event.first, event.last) if day], "kind": event.kind,
        "place": gettext(", ").join(filter(None, (event.city, event.country))),
        "participants": len(event.participants),
        "pairings": len(event.pairings), "entered": present.key if present else "",
    }  # fmt: skip


def _table(text: str, defaults: dict[str, Any]) -> bytes:
    """Return pasted lines as a table with a header; a sheet without one has the columns in their usual order.

    InputError as of `rows_of`.
    """
    rows = rows_of(text)
    if not rows:
        return b""
    header, columns, rows = parted(rows)
    header = [*header, *columns[len(header) :]]
    given = {name: str(defaults[name]) for name in ("date", "kind") if defaults.get(name)}
    added = [name for name in given if name not in columns]
    places = {[*columns, *added].index(name): value for name, value in given.items()}
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow([*header, *added])
    for row in rows:
        cells = row + [""] * (len(header) + len(added) - len(row))
        table.writerow([cell if cell.strip() else places.get(place, cell) for place, cell in enumerate(cells)])
    return out.getvalue().encode()


def _line(state: State, game: Any, matches: Matches) -> dict[str, Any]:
    names = {side: getattr(game, side) for side in ("black", "white")}
    return {
        **{side: state.labels.get(matches[name] or "", name) for side, name in names.items()},
        "date": str(game.date or ""),
        "terms": terms_text(game.handicap, game.komi),
        "result": result_text(str(game.result)),
        "kind": game.kind,
        "round": game.round,
    }


def _people_of(ledger: Ledger) -> str:
    """Return lines of country, club and name: the table of games that the confirming form sends has no such columns."""
    facts = ((player.country, player.club, player.name) for player in ledger.players if player.country or player.club)
    return "\n".join("\t".join(map(_in_one_line, cells)) for cells in facts)


def _with_people(ledger: Ledger, text: str) -> Ledger:
    """Return a ledger whose players have what the lines of `_people_of` say of them."""
    rows = (line.split("\t") for line in text.splitlines())
    facts = {cells[2]: cells[:2] for cells in rows if len(cells) == 3}
    if not facts:
        return ledger
    players = []
    for player in ledger.players:
        country, club = facts.get(_in_one_line(player.name), (player.country, player.club))
        players.append(replace(player, country=player.country or country, club=player.club or club))
    return replace(ledger, arrays=Arrays(ledger.arrays.columns, tuple(players)))


def _with_events(ledger: Ledger, text: str) -> Ledger:
    """Return a ledger with the events that the confirming form sends again, beside the table of their games."""
    if not text:
        return ledger
    try:
        sent = json.loads(text)
        events = tuple(event_of_fields(event) for event in sent)
    except (ValueError, TypeError, RecursionError):
        raise FieldError("events", shortened(text), "events as the page sent them") from None
    return replace(ledger, events=events)


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _as_text(ledger: Ledger) -> str:
    """Return the games as a table that the confirming form sends again."""
    return encoded(ledger, "sheet.csv")[0].decode()
