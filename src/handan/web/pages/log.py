"""The log of a club: every entry in words, the chain of their digests, and the whole ledger as a file."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext

from handan.club.differences import GAME, OF_A_SUBJECT, OF_THE_CLUB, Difference, differences
from handan.club.entries import Record
from handan.club.kinds import Kind
from handan.club.names import nameless_words
from handan.club.rules import CONFIRMATIONS
from handan.club.service.office import EXPORT, export_ledger
from handan.club.service.undoing import BROUGHT, entered_together
from handan.club.state import game_number
from handan.club.store.models import Openness, Role
from handan.club.store.writing import verify
from handan.errors import InputError
from handan.handicaps import Terms
from handan.paper.card_table import Entry, terms_words
from handan.systems import SYSTEMS
from handan.web.pages.formatting import game_kind, result_text, terms_text
from handan.web.pages.here import Here, page, page_of, text_of
from handan.web.pages.table_responses import AT_ONCE, csv_of_columns, json_list
from handan.web.pages.vocabulary import FIELDS, choice_words, label_of, rating_label
from handan.web.pages.wording import day, figure, page_language, rank
from handan.web.plain_data import plain_json
from handan.wording.figures import brief
from handan.wording.languages import LANGUAGES

PEOPLE_OF_FACTS = {"black", "white", "player", "into"}
"""Facts that are keys of players."""
ROWS = 100  # our choice: entries a page of the log
LOG = ("number", "kind", "subject", "author", "entered", "reason", "digest")
OF_A_GAME = ("date", "black", "white", "handicap", "komi", "result", "kind", "event")
COLUMNS = (*LOG, "about", *(f"game_{name}" for name in OF_A_GAME))
"""Of the table: the entry, whom it is about, and what it says of a game, with names in place of keys."""


@page(Role.VISITOR)
def log(here: Here) -> HttpResponse:
    """Every entry, latest first; visitors of an open club see those about games, and all where the club says so."""
    entries = here.entries_shown().reverse()
    if kind := text_of(here.request, "kind"):
        entries = entries.filter(kind=kind)
    if subject := text_of(here.request, "subject"):
        entries = entries.filter(subject=subject)
    part = page_of(here.request, entries, ROWS)
    context = {
        "rows": log_rows(here, [item.record for item in part.object_list]),
        "part": part,
        "kinds": [str(kind) for kind in Kind],
        "filters": {"kind": kind, "subject": subject},
    }
    return render(here.request, "handan/log.html", context)


@page(Role.VISITOR)
def entry(here: Here, number: int) -> HttpResponse:
    """One entry with its facts and its place in the chain."""
    row_of = here.entries_shown().filter(number=number).first() or get_object_or_404(here.entries(), number=number)
    row = log_rows(here, [row_of.record])[0]
    record = row["entry"]
    written = {name: plain_json(value) for name, value in record.facts.items() if name != "content"}
    named = {name: name_of(here, value) for name, value in record.facts.items() if name in PEOPLE_OF_FACTS}
    facts = {name: (text, named.get(name, "")) for name, text in written.items()}
    return render(here.request, "handan/entry.html", {**row, "facts": facts, "together": _together(here, number)})


def _together(here: Here, number: int) -> int:
    """Return how many things were entered together with an entry, 0 for who may not take them back."""
    if not here.actor.may(Role.KEEPER) or here.is_past:
        return 0
    try:
        subjects = entered_together(here.club, number)
    except InputError:  # a whole load, which is taken back by a command
        return 0
    needed = Role.KEEPER if Kind.GAME_RECORDED in subjects else Role.SECRETARY
    return sum(len(subjects.get(kind, ())) for kind in BROUGHT) if here.actor.may(needed) else 0


@page(Role.VISITOR)
def log_csv(here: Here) -> HttpResponseBase:
    """The log as CSV."""
    parts = here.log(AT_ONCE, here.entries_shown())
    tables = (_table(here, part) for part in parts)
    return csv_of_columns(tables, COLUMNS, f"{here.club.slug}-log")


def _table(here: Here, records: Sequence[Record]) -> dict[str, list[Any]]:
    fetch_subjects(here, records)
    rows = [_cells(here, record) for record in records]
    return {name: [row[name] for row in rows] for name in COLUMNS}


def _cells(here: Here, record: Record) -> dict[str, Any]:
    """Return an entry as a row of the table."""
    facts = record.facts if record.kind in GAME else {}
    game = {name: facts.get(name, "") for name in OF_A_GAME}
    game |= {name: here.state.label_of(str(game[name])) for name in ("kind", "event")}
    game |= {side: name_of(here, game[side]) for side in ("black", "white")}
    own = {name: getattr(record, name) for name in LOG} | {"entered": record.entered.isoformat()}
    return {**own, "about": about(here, record), **{f"game_{name}": value for name, value in game.items()}}


@page(Role.VISITOR)
def log_json(here: Here) -> HttpResponseBase:
    """The log as JSON, with the facts of each entry."""
    return json_list((plain_json(record.as_dict()) for record in part) for part in here.log(AT_ONCE))


@page(Role.PLAYER)
def check_chain(here: Here) -> HttpResponse:
    """Compute the chain of digests again."""
    number = verify(here.club)
    messages.success(
        here.request,
        ngettext(
            "The chain of {number} entry holds; the last digest is {digest}.",
            "The chain of {number} entries holds; the last digest is {digest}.",
            number,
        ).format(number=number, digest=here.state.digest),
    )
    return redirect("log", slug=here.club.slug)


@page(EXPORT)
def export(here: Here) -> HttpResponseBase:
    """The whole ledger as one file, packed."""

    def packed() -> Iterator[bytes]:
        lines = export_ledger(here.actor)
        buffer: list[bytes] = []
        for line in lines:
            buffer.append(line)
            if len(buffer) >= 2000:
                yield gzip.compress(b"".join(buffer), mtime=0)  # members of a gzip file may follow each other
                buffer = []
        yield gzip.compress(b"".join(buffer), mtime=0)

    headers = {"Content-Disposition": f'attachment; filename="{here.club.slug}-ledger.jsonl.gz"'}
    return StreamingHttpResponse(packed(), content_type="application/gzip", headers=headers)


PEOPLE = {"black", "white", "player", "is really", "is not"}
"""Facts that are keys of players."""
OF_RULES = {"system", "confirmation", "since"}
"""Facts of rules that are no settings of their system."""
LONGEST = 200  # characters of a text that a line of the log shows; our choice


IN_WORDS: dict[str, Callable[[Any], str]] = {
    "result": lambda value: result_text(str(value)),
    "role": lambda value: gettext(Role(value).label if value in Role.values else str(value)),
    "openness": lambda value: gettext(Openness(value).label),
    "kind": game_kind,
    "language": lambda value: LANGUAGES.get(value, str(value)),
    "system": lambda value: gettext(SYSTEMS.titles().get(value, str(value))),
    "confirmation": lambda value: gettext(CONFIRMATIONS.get(value, str(value))),
    "earlier_homes": lambda value: gettext("; ").join(
        gettext("before {day}: {home}").format(
            day=day(each["until"]), home=" ".join(filter(None, (each["country"], each["club"]))) or "–"
        )
        for each in value
    ),
    **dict.fromkeys(("since", "date", "as_of"), lambda value: day(str(value))),
}
"""How a page writes the values of some facts."""


def log_rows(here: Here, records: Iterable[Record]) -> list[dict[str, Any]]:
    """Return entries as they are shown, each with whom it is about and what it changed."""
    shown = [here.seen(record) for record in records]
    earlier = _earlier(here, shown)
    fetch_subjects(here, [*shown, *earlier])
    return [
        {
            "entry": record,
            "about": about(here, record),
            "line": game_line(here, facts) if (facts := game_facts(record, earlier)) else "",
            "changes": _changes(here, record, earlier),
        }
        for record in shown
    ]


def fetch_subjects(here: Here, records: Sequence[Record]) -> None:
    """Fetch the players and games that some entries are about, before each is asked for."""
    people = {record.facts.get(name) or "" for record in records for name in PEOPLE_OF_FACTS}
    here.state.labels.prefetch(people | {record.subject for record in records if record.subject[:1] == "p"})
    games = {record.subject for record in records if record.subject[:1] == "g" and "black" not in record.facts}
    here.state.recorded.prefetch([*map(game_number, games)])


def game_facts(record: Record, earlier: Iterable[Record]) -> Mapping[str, Any]:
    """Return what the ledger said of the game that an entry is about, as of that entry; empty for others."""
    if record.subject[:1] != "g":
        return {}
    entries = [item for item in (*earlier, record) if item.number <= record.number and item.subject == record.subject]
    return next((item.facts for item in reversed(entries) if item.kind in GAME), {})


def game_line(here: Here, facts: Mapping[str, Any]) -> str:
    """Return a game in one line of words: its day, players, terms, result and kind, as an entry says them."""
    sides = {side: name_of(here, facts.get(side)) for side in ("black", "white")}
    kind, event = (here.state.label_of(str(facts.get(name, ""))) for name in ("kind", "event"))
    words = [
        gettext("{black} (Black) – {white} (White)").format(**sides),
        terms_text(int(facts.get("handicap") or 0), facts.get("komi")),
        result_text(str(facts.get("result", ""))),
        game_kind(kind or "club"),
        event,
    ]
    when = f"{day(str(facts['date']))} " if facts.get("date") else ""
    return when + gettext(", ").join(filter(None, words))


def _earlier(here: Here, records: list[Record]) -> list[Record]:
    """Return the entries that say what those of a page say anew, in order."""
    kinds = [str(record.kind) for record in records if record.kind in OF_THE_CLUB]
    subjects = [record.subject for record in records if record.kind in OF_A_SUBJECT or record.subject[:1] == "g"]
    entries = here.entries_shown()
    wanted = entries.filter(kind__in=kinds) if kinds else entries.none()
    wanted |= entries.filter(subject__in=subjects, kind__in=[str(kind) for kind in OF_A_SUBJECT])
    return [here.seen(entry.record) for entry in wanted]


def about(here: Here, record: Record) -> str:
    """Return the names of whom an entry is about; empty for the club."""
    key, state = record.subject, here.state
    if record.kind is Kind.MEMBER_SET:
        return nameless_words(str(record.facts.get("account", "")), page_language())
    if key[:1] == "g":
        sides = [record.facts.get(side) for side in ("black", "white")]
        if None in sides:
            row = state.recorded.get(game_number(key))
            sides = [row[side] for side in ("black", "white")] if row else []
        return " – ".join(name_of(here, side) for side in sides)
    if key[:1] == "s":
        return ""
    if key.rpartition(".")[2][:1] == "e":
        return state.label_of(state.events[key].name) if key in state.events else ""
    player = record.facts.get("player") if key[:1] in {"a", ""} else key
    if key.rpartition(".")[2][:1] == "a" and "player" not in record.facts and key in state.adjustments:
        player = state.adjustments[key].player
    return name_of(here, player) if isinstance(player, str) and player in state.people else ""


def name_of(here: Here, key: Any) -> str:
    """Return the name of a player by key as pages show it, the key itself for a stranger."""
    return here.name_of(here.state.person(key)) if key in here.state.people else str(key or "")


def _changes(here: Here, record: Record, earlier: list[Record]) -> list[dict[str, str]]:
    system = str(record.facts.get("system", "")) if record.kind is Kind.RULES_SET else ""
    names = {**FIELDS, "rating": rating_label(here.rules)}
    return [
        {"what": label_of(system, item.what) if system and item.what not in OF_RULES
         else gettext(names.get(item.what, item.what.replace("_", " "))),
         "before": _value(here, item, item.before), "after": _value(here, item, item.after)}
        for item in differences(record, earlier)
    ]  # fmt: skip


def ranks_in_words(here: Here, keys: Iterable[str]) -> str:
    """Return ranks and ratings that were set by hand, given by key, in words: `12k (on entry)`."""
    texts = []
    for key in keys:
        facts = here.state.adjustments[key].facts if key in here.state.adjustments else {}
        figures = (rank(facts.get("rank")), figure(facts.get("rating")))
        since = day(str(facts["date"])) if facts.get("date") else gettext("on entry")
        texts.append(f"{' '.join(filter(None, figures)) or key} ({since})")
    return gettext("; ").join(texts)


def _value(here: Here, item: Difference, value: Any) -> str:
    """Return a value in words: names for keys, `–` for nothing."""
    if value is None or value == "":
        return "–"
    if item.what == "set_aside":
        return ranks_in_words(here, value)
    if isinstance(value, Terms):
        entry = Entry(0, 0, value)
        return terms_words(entry, entry, page_language())
    if item.what in PEOPLE:
        return name_of(here, value)
    if item.what == "name":
        return nameless_words(str(value), page_language())
    if words := IN_WORDS.get(item.what):
        return words(value)
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    text = gettext(", ").join(map(str, value)) if isinstance(value, list | tuple) else brief(value)
    return choice_words(item.what, text)[:LONGEST] if isinstance(value, str) else figure(text)
