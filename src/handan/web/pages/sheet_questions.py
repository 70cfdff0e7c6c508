"""What a reader asks about a file of games, as a small form: the file goes with it, and so does every answer."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from handan.errors import HeadingsError, InputError, QuestionError
from handan.files import Limits, Options
from handan.files.tables.column_names import PAIRS

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
