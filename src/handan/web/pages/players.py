"""Players: their cards, what is known of them, ranks set by hand, the way to the next rank, and who is who."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import cache
from itertools import islice
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from handan.club import changes
from handan.club.entries import Draft
from handan.club.member_list import other_rank
from handan.club.movement import MONTH, Figures, movement_on_card
from handan.club.names import nameless_words
from handan.club.people import Person
from handan.club.playing_record import playing_record
from handan.club.recorded import Chosen
from handan.club.service import players as service
from handan.club.service.looking import ClubStandings
from handan.club.service.next_rank import MOST_WINS, next_rank, ways_up
from handan.club.service.operation import Change, Preview
from handan.club.standings import Line
from handan.club.state import DISPUTED, WAITING, ClubAdjustment, State
from handan.club.store.clock import today
from handan.club.store.computing import throttle
from handan.club.store.models import Role
from handan.club.store.register import who_left
from handan.errors import InputError
from handan.ledger import When
from handan.paper import Promotion, promotion_of
from handan.paper.month import DAY
from handan.ratings.ladder import Row
from handan.web.operations.middleware import embeddable
from handan.web.pages.change_form import change_form, confirmed
from handan.web.pages.chart import chart_in_words, chart_of, course_before, last_redrawing
from handan.web.pages.formatting import game_row, line_row, with_room
from handan.web.pages.forms import AdjustForm, MergeForm, PlayerForm
from handan.web.pages.here import Here, page, page_of, text_of
from handan.web.pages.ladder import shown_row
from handan.web.pages.log import ranks_in_words
from handan.web.pages.long_work import Page, answered
from handan.web.pages.refusals import clause_words
from handan.web.pages.saved import say_saved
from handan.web.pages.table_responses import csv_response, json_response
from handan.web.pages.wording import page_language, rank
from handan.web.plain_data import CARD, card_rows, player_data
from handan.wording.figures import brief, fixed, signed
from handan.wording.languages import figure_words

LINES = 50  # our choice: games a page of a card
OPPONENTS = 30  # our choice: of those met most often, whose line can stand beside one's own
CANDIDATES = 50  # our choice: pairs that the page of who is who proposes
EVENTS = 30  # our choice: events of a player that the page names, latest first


@page(Role.VISITOR)
def player(here: Here, key: str) -> HttpResponse:
    """A player's card: rank, chart, every game with its reason, the record against each opponent."""
    here.state.labels.prefetch([key])
    final = here.person(key).key
    if final != key:
        return redirect(f"{here.address('player', final)}{here.query()}")
    if "embed" in here.request.GET:
        return embeddable(render(here.request, "handan/embedded_player.html", {**_card(here, key), "embedded": True}))
    return render(here.request, "handan/player.html", _card(here, key))


@page(Role.VISITOR, by_code=True)
def card_by_code(here: Here, key: str) -> HttpResponse:
    """A player's card to look at only, for whoever has the code on it."""
    return render(here.request, "handan/embedded_player.html", {**_card(here, here.person(key).key), "embedded": True})


def _card(here: Here, key: str) -> dict[str, Any]:
    """Return what the page of a card shows."""
    plain = here.standings.lines(key, reasons=False)
    part = page_of(here.request, plain, LINES)
    decimals = here.standings.decimals
    end = len(plain) - (part.number - 1) * LINES
    shown = here.standings.card_page(key, end - LINES, end, plain)
    merged = [other for other in here.state.merged if here.state.final(other) == key]
    adjustments = [item for item in here.state.adjustments.values() if here.state.final(item.player) == key]
    weighs = any(line.explanation.weight is not None for line in plain)
    weight_title = here.rules.system_class.traits.weight_title.capitalize() if weighs else ""
    comments = any(line.explanation.comment for line in plain)
    language, label = page_language(), here.state.labels[key]
    rows = [line_row(line, decimals, language) for line in reversed(shown)]
    record, row = _record(here.standings, plain), here.standings.by_key.get(key)
    redrawn, winners = last_redrawing(here, key), here.rules.system_class.traits.names_winner
    played = playing_record(plain, adds_up=not here.rules.system_class.traits.index_of_rank)
    beside = [name for name in here.request.GET.getlist("with") if name in here.state.active and name != key]
    return {
        "person": here.state.person(key),
        "label": label,
        "home": " ".join(filter(None, (*here.state.person(key).home_on(here.day), here.categories.get(key)))),
        "row": row,
        "plate": _plate(here, row, plain) if row else None,
        "next_rank": next_rank(here.standings, key),
        "promotion": _promotion(here, plain),
        "played": played,
        "best_change": signed(played.best.change, decimals) if played.best else "",
        "kinds": {
            "black": _("as Black"),
            "white": _("as White"),
            "without": _("without stones"),
            "giving": _("giving stones"),
            "taking": _("taking stones"),
        },
        "lines": with_room(rows, ("weight", "before", "change", "after")),
        "columns": 10 + 3 * winners + bool(weight_title) + comments,
        "games": sum(1 for line in plain if line.game),
        "part": part,
        "record": record,
        "opponents": list(islice((met for met in record if met["key"] in here.state.active), OPPONENTS)),
        "beside": beside,
        "redrawn": redrawn,
        "chart": chart_of(
            here, key, plain, _link_to_sum(here, plain, part.number), beside, course_before(here, key, redrawn)
        ),
        "merged": [here.state.people[other] for other in merged],
        "is_gone": key in here.state.gone,
        "may_withdraw": not record and here.actor.may(service.withdraw_player.role) and _never_played(here.state, key),
        "adjustments": adjustments,
        "brought": _points_brought_in(here, adjustments, plain) if part.number == part.paginator.num_pages else None,
        "aside": {item.key for item in adjustments if not here.state.is_in_force(item)},
        "events": list(islice(_events(here, key), EVENTS)),
        "waiting": _waiting(here, key),
        "summary": chart_in_words(here, plain),
        "decimals": decimals,
        "names_winner": winners,
        "weight_title": weight_title,
        "comments": comments,
    }


def _events(here: Here, key: str) -> Iterator[dict[str, Any]]:
    """Go through the events in which a player takes part, latest first, with their place in each."""
    names = {*here.state.names_of(key)}
    entered = [item for item in here.state.events.of(names) if not item.withdrawn]
    for item in sorted(entered, key=lambda item: item.first.moment, reverse=True):
        if here.day is None or item.first.moment.date() <= here.day:
            places = [row.get("place") for row in item.facts["participants"] if row["player"] in names]
            yield {"key": item.key, "name": here.state.label_of(item.name), "day": str(item.first), "place": places[0]}


def _promotion(here: Here, plain: Sequence[Line]) -> Promotion | None:
    """Return how a player's rank rose over the days of which the ladder says who moved."""
    since = str((here.day or today()) - timedelta(days=MONTH))
    return promotion_of(
        [line.explanation for line in plain if line.explanation.date > since and len(line.explanation.date) >= DAY]
    )


def _points_brought_in(
    here: Here, adjustments: Sequence[ClubAdjustment], plain: Sequence[Line]
) -> dict[str, Any] | None:  # fmt: skip
    """Return with which points, and on which day, a player came: those before all games; None where nobody says."""
    games = [line.explanation.date for line in plain if line.game and not line.explanation.note]
    lines = {line.explanation.date for line in plain if not line.game}
    brought = [
        (when.moment.date(), item.facts["rating"])
        for item in adjustments
        if item.facts.get("rating") is not None and here.state.is_in_force(item)
        if (when := When.of(item.facts.get("date"))) is not None
        and str(when) not in lines
        and (not games or str(when) <= games[0])
    ]
    day, rating = max(brought, default=(None, None))
    return {"date": day, "rating": rating} if day else None


def _plate(here: Here, row: Row, plain: Iterable[Line]) -> dict[str, Any]:
    rules, since = here.standings.rules, (here.day or today()) - timedelta(days=MONTH)
    rated = (line.explanation for line in plain if line.rules == rules and line.game and not line.explanation.note)
    moved = movement_on_card(here.standings.system, row, rated, since)
    return shown_row(here, {}, row, moved)


def _link_to_sum(here: Here, plain: list[Line], page: int) -> Callable[[Line], str]:
    """Return where the sum of each line stands: on the page that is shown, or on another page of the card."""
    places = {line.game: number for number, line in enumerate(reversed(plain)) if line.game}

    @cache
    def address(number: int) -> str:
        """Return the address of a page of the card."""
        asked_for = here.request.GET.copy()
        asked_for["page"] = str(number)
        return "" if number == page else f"?{asked_for.urlencode()}"

    return lambda line: f"{address(places[line.game] // LINES + 1)}#{line.game}" if line.game else ""


@page(Role.VISITOR)
def player_csv(here: Here, key: str) -> HttpResponseBase:
    """A player's card as CSV."""
    return csv_response(card_rows(here.standings.lines(here.person(key).key, reasons=False)), CARD, f"{key}-card")


@page(Role.VISITOR)
def player_json(here: Here, key: str) -> HttpResponse:
    """A player's card as JSON, with the factors of each change."""
    final = here.person(key).key
    rows = [
        {**line.explanation.as_dict(), "game": line.game, "opponent_key": line.opponent, "system": line.rules.system}
        for line in here.standings.lines(final)
    ]
    return json_response({"key": final, "player": here.state.labels[final], "label": here.label, "games": rows})


@page(service.register_player.role, form=True)
def new_player(here: Here) -> HttpResponse:
    """Register a player, with a rank or points on entry."""
    form = PlayerForm(here.rules, here.posted, initial={"name": text_of(here.request, "name"), "as_of": str(today())})
    del form.fields["since"]
    asks = here.posted is not None and form.is_valid() and _asks_for_a_word(here, form)
    if here.request.method == "POST" and form.is_valid() and not asks:
        with form.put_errors(here.shown_name):
            change = service.register_player(here.actor, form.player_fields(), form.entry())
            entries = here.write(change, form.cleaned_data["token"])
            text = _("{name} is registered.").format(name=form.cleaned_data["name"])
            say_saved(here, text, entries)
            _say_other_rank(here, entries[-1].record.facts)
            return redirect("player", slug=here.club.slug, key=entries[0].subject)
    alike = here.state.search(form["name"].value() or "", 5)
    context = {"form": form, "alike": alike, "title": _("Register a player"), "asks": asks}
    context["cancel"] = here.address("people")
    return render(here.request, "handan/player_form.html", context)


def _say_other_rank(here: Here, facts: Mapping[str, Any]) -> None:
    """Say which rank a card begins with where its rating is of another one than the rank that was entered beside it."""
    begins = other_rank(here.rules.made, facts.get("rank", ""), facts.get("rating"))
    if begins is None:
        return
    rating = figure_words(brief(facts["rating"]), page_language())
    text = _("The card begins with {rating}; that is {rank}, not {declared}.")
    messages.warning(here.request, text.format(rating=rating, rank=rank(begins), declared=rank(facts["rank"])))


def _asks_for_a_word(here: Here, form: PlayerForm) -> bool:
    """Whether somebody of the same name is here and nothing tells the two apart; then the form says so, once."""
    sent = form.cleaned_data
    words = [here.state.people[key].club for key in here.state.spelt(sent["name"])]
    if not words or (sent["club"] and sent["club"] not in words) or "namesake" in here.request.POST:
        return False
    if here.written_before(sent["token"]):
        return False
    text = _(
        "{name} is here already. Of another person of this name write a word that tells the two apart, or save again."
    )
    form.add_error("club", text.format(name=sent["name"]))
    return True


@page(service.change_player.role, form=True)
def edit_player(here: Here, key: str) -> HttpResponse:
    """Change what is known of a player."""
    person = here.person(key)
    start = {**person.as_dict(), "name": nameless_words(person.name, page_language()), "ids": " ".join(person.ids)}
    form = PlayerForm(here.rules, here.posted, initial=start)
    for name in form.of_entry:
        del form.fields[name]
    if here.request.method == "POST" and form.is_valid():
        with form.put_errors(here.shown_name):
            reason = form.cleaned_data["reason"]
            change = service.change_player(here.actor, person.key, form.player_fields(), reason, here.seen_entry)
            here.write(change, form.cleaned_data["token"])
            return redirect("player", slug=here.club.slug, key=person.key)
    context = {"form": form, "title": _("Change {name}").format(name=here.name_of(person)), "seen": person.entry}
    context["cancel"] = here.address("player", person.key)
    return render(here.request, "handan/player_form.html", context)


@page(service.withdraw_player.role, form=True)
def withdraw_player(here: Here, key: str) -> HttpResponse:
    """Take out a player who was entered by mistake."""
    person = here.person(key)
    title = _("Withdraw {name}").format(name=here.name_of(person))
    return confirmed(
        here, lambda reason: service.withdraw_player(here.actor, key, reason), title, here.address("player", person.key)
    )


@page(service.restore_player.role, form=True)
def restore_player(here: Here, key: str) -> HttpResponse:
    """Bring back a player who was taken out."""
    person = here.person(key)
    title = _("Bring {name} back").format(name=here.name_of(person))
    return confirmed(
        here, lambda reason: service.restore_player(here.actor, key, reason), title, here.address("player", person.key)
    )


@page(service.adjust_player.role, form=True)
def adjust_player(here: Here, key: str) -> HttpResponse:
    """Set a rank or rating by hand; first shown, then written."""
    person = here.person(key)
    return change_form(
        here, AdjustForm(here.rules, here.posted),
        lambda sent: service.adjust_player(here.actor, person.key, sent, sent["reason"]),
        _("Set a rank of {name}").format(name=here.name_of(person)), here.address("player", person.key),
        text=_("The rank is set."),
    )  # fmt: skip


@page(service.withdraw_adjustment.role, form=True)
def withdraw_adjustment(here: Here, key: str) -> HttpResponse:
    """Take an adjustment back; first shown, then written."""
    adjustment = here.state.adjustments.get(key)
    person = here.state.person(adjustment.player) if adjustment else None
    title = _("Withdraw the adjustment of {name}").format(name=here.name_of(person) if person else key)
    after = here.address("player", person.key) if person else here.address("who-is-who")
    return confirmed(here, lambda reason: service.withdraw_adjustment(here.actor, key, reason), title, after)


@page(service.merge_players.role, form=True)
def who_is_who(here: Here) -> HttpResponseBase:
    """Pairs that may be one person, merging two players, and undoing it."""
    form = MergeForm(
        here.posted, initial={name: here.written_name(text_of(here.request, name)) for name in ("player", "into")}
    )

    def context() -> dict[str, Any]:
        state = here.state
        alike = islice(service.who_may_be_one(here.club, state), CANDIDATES)
        return {
            "form": form,
            "candidates": [
                (pair, [clause_words(text) for text in pair.evidence], state.keys[pair.second], state.keys[pair.first])
                for pair in alike
            ],
            "merged": [(state.people[key], state.labels[state.person(key).key]) for key in state.merged],
        }

    if here.request.method != "POST" or not form.is_valid():
        return render(here.request, "handan/who_is_who.html", context())

    def change() -> Change:
        one, other = (here.player_meant(form.cleaned_data[name], name) for name in ("player", "into"))
        return service.merge_players(here.actor, one, other, form.cleaned_data["reason"])

    def look(change: Change) -> dict[str, Any]:
        aside = change.preview(here.state).drafts[0].facts.get("set_aside", ())
        return {"moved": here.moved(change), "aside": [ranks_in_words(here, [key]) for key in aside]}

    address = here.address("who-is-who")
    this = Page(_("Who is who"), "handan/who_is_who.html", "handan/parts/who_is_who.html",
                _("Merged. It can be undone below."), address, names_moves=True)  # fmt: skip
    return answered(here, this, form, change, look if "preview" in here.request.POST else None, context)


def _never_played(state: State, key: str) -> bool:
    """Whether a player can be taken out, who was entered by mistake."""
    try:
        changes.players.withdraw_player(state, key)
    except InputError:
        return False
    return True


@page(service.split_players.role, form=True)
def split(here: Here, key: str) -> HttpResponse:
    """Undo a merger, or say that a player is not the one whom the address names; first shown, then written."""
    apart = text_of(here.request, "apart")
    name, other = (
        here.name_of(here.state.people[each]) if each in here.state.people else each for each in (key, apart)
    )
    title = _("{name} and {other} are two people") if apart else _("Split {name} off again")
    return confirmed(
        here, lambda reason: service.split_players(here.actor, key, reason, apart),
        title.format(name=name, other=other), here.address("who-is-who"),
    )  # fmt: skip


@page(Role.VISITOR)
def find(here: Here) -> HttpResponse:
    """Players whose name holds a fragment, as JSON: each by key, as pages show them, and as they are registered."""
    matches = here.state.search(text_of(here.request, "q"))
    here.state.labels.prefetch(person.key for person in matches)
    return json_response(
        [
            {**player_data(here.state, person), "shown": here.shown_name(here.state.labels[person.key])}
            for person in matches
        ]
    )


def _waiting(here: Here, key: str) -> list[dict[str, Any]]:
    """Return the player's games that wait for confirmation, as they are shown."""
    waits = here.state.recorded.rows(Chosen(here.state.names_of(key), statuses=(WAITING, DISPUTED)))
    return [game_row(here.state, row) for row in waits.iter_rows(named=True)]


def _record(standings: ClubStandings, lines: list[Line]) -> list[dict[str, Any]]:
    """Return wins, losses and jigo against each opponent, most games first."""
    tally: dict[str, dict[str, Any]] = {}
    for line in lines:
        if line.game and line.explanation.result in {"win", "loss", "jigo"}:
            new = {
                "key": line.opponent,
                "name": line.explanation.opponent,
                **dict.fromkeys(("games", "win", "loss", "jigo"), 0),
            }
            score = tally.setdefault(line.opponent, {**new, "change": 0.0})
            score["games"] += 1
            score[line.explanation.result] += 1
            score["change"] += line.explanation.change
    decimals = standings.decimals
    for score in tally.values():
        score["change"] = f"{round(score['change'], decimals) + 0.0:+.{decimals}f}"
    return sorted(tally.values(), key=lambda score: (-score["games"], score["name"]))


@page(Role.VISITOR)
def way_up(here: Here, key: str) -> HttpResponse:
    """Show which wins would bring a player the next rank, each worked out as saving those games would.

    The past had a next rank, but no tonight.
    """
    person = here.person(key)

    def tried(drafts: Sequence[Draft]) -> Figures:
        return Preview.of(here.club, here.state, drafts).standings.figures

    near, ways = next_rank(here.standings, person.key), []
    if near and not here.is_past:
        with throttle.computing():
            ways = list(ways_up(here.standings, person.key, today(), here.rules.kinds[0], tried))
    names = here.state.labels
    context = {
        "person": person,
        "label": names[person.key],
        "row": here.standings.by_key.get(person.key),
        "next_rank": near,
        "ways": [{"name": names[way.opponent], **way._asdict()} for way in ways],
        "most": MOST_WINS,
        "decimals": here.standings.decimals,
    }
    return render(here.request, "handan/next_rank.html", context)


ROWS = 200  # our choice: members a page
ORDERS = {
    "name": gettext_noop("Name"),
    "rating": gettext_noop("Rating"),
    "games": gettext_noop("Games"),
    "last_played": gettext_noop("Last played"),
}
"""What the list can be sorted by, and its name; most and latest first, names from the first letter on."""


@page(Role.VISITOR)
def people(here: Here) -> HttpResponse:
    """Show every player of the club, also who has not played: those to whom a text fits, in an order."""
    wanted, order = text_of(here.request, "q"), text_of(here.request, "sort")
    order = order if order in ORDERS else "name"
    everybody = here.standings.members_by(order, here.state.matching(wanted) if wanted else None)
    if not wanted and (gone := who_left(here.club, here.state)):
        everybody = [key for key in everybody if key not in gone]
    part = page_of(here.request, everybody, ROWS)
    here.standings.prefetch(part.object_list)
    here.state.labels.prefetch(part.object_list)
    rows = [_row(here, here.state.people[key]) for key in part.object_list]
    context: dict[str, Any] = {"part": part, "rows": rows, "q": wanted}
    context |= {"order": order, "orders": ORDERS.items()}
    return render(here.request, "handan/people.html", context)


def _row(here: Here, person: Person) -> dict[str, Any]:
    """Return what the list of members shows of a player, rated or not."""
    row = here.standings.by_key.get(person.key, {})
    return {
        "key": person.key,
        "name": here.state.labels[person.key],
        "reading": person.reading,
        "rank": row.get("rank", ""),
        "rating": fixed(row.get("rating"), here.standings.decimals),
        "games": row.get("games", 0),
        "last_played": row.get("last_played") or "",
    }
