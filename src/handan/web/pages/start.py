"""The start page of a club: what waits, where I stand, the last games, who moved, who is near a new rank."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from handan.club.kinds import Kind
from handan.club.movement import MONTH, Movement, farthest
from handan.club.rules import Rules, checked
from handan.club.service.next_rank import NextRank, next_rank
from handan.club.service.office import set_rules
from handan.club.service.people import MEMBERS, invitations, memberships
from handan.club.service.players import register_members
from handan.club.service.submissions import number_waiting, returned_to
from handan.club.state import COUNTS
from handan.club.store.clock import today
from handan.club.store.models import Role
from handan.handicaps import CARDS
from handan.paper import promotion_of
from handan.paper.card_table import card_table
from handan.paper.words import card_title
from handan.systems.core.settings import settings_of
from handan.systems.points import DEFAULT_1D, Points
from handan.web.pages.card import run_lines
from handan.web.pages.formatting import game_row
from handan.web.pages.forms import Marked
from handan.web.pages.here import Here, page
from handan.web.pages.vocabulary import CHOICES, is_points_club, label_of
from handan.web.pages.wording import page_language
from handan.wording.figures import brief

LINES = 8  # our choice: lines of a card that its picture shows
PLACE = "first steps"
"""Where a session keeps, by club, which steps were taken that no entry tells of, and whether the path was left."""
LEFT = "left"
ENOUGH = 2
"""Members with whom a club can play."""


class Step(NamedTuple):
    """One of the five."""

    title: str
    route: str
    is_done: bool
    may: bool
    """Whether who looks may take it."""


class CardForm(Marked):
    """The card on which the points of members stand."""

    card = forms.ChoiceField(choices=lambda: [(name, name) for name in CARDS])
    at_1d = forms.FloatField(required=False, min_value=-1e6, max_value=1e6)
    stone = forms.IntegerField(required=False, min_value=1, max_value=1000)
    promotion, demotion = (
        forms.ChoiceField(
            choices=[(word, CHOICES[name, word]) for word in settings_of(Points)[name][1].choices],
            widget=forms.RadioSelect,
        )
        for name in ("promotion", "demotion")
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("at_1d", "stone", "promotion", "demotion"):
            self.fields[name].label = label_of(Points.name, name)
        self.fields["at_1d"].help_text = _("empty: as the card says")
        self.fields["stone"].help_text = _("empty: as the card says")

    def rules(self, before: Rules, since: date | None) -> Rules:
        """Return the rules of a club under the chosen card, from a day on; what else was set stays."""
        chosen = {name: value for name, value in self.cleaned_data.items() if name != "token"}
        settings = before.settings if is_points_club(before) else {}
        return checked(Points.name, {**settings, **chosen}, since, before.confirmation)


@page(set_rules.role, form=True)
def choose_card(here: Here) -> HttpResponse:
    """Choose the card by its picture: from the beginning, or from today on where there are games."""
    before = here.rules
    since = today() if here.number_of_games() else before.since
    settings = dict(before.settings) if is_points_club(before) else {}
    start = {name: settings.get(name, getattr(Points, name)) for name in ("card", "promotion", "demotion")}
    start |= {name: settings.get(name) for name in ("at_1d", "stone")}
    form = CardForm(here.posted, initial=start)
    if here.posted is not None and form.is_valid():
        with form.put_errors():
            rules = form.rules(before, since)
            if rules.made != before.made:
                here.write(set_rules(here.actor, rules), form.cleaned_data["token"])
            mark(here, "card")
            messages.success(here.request, gettext("The card is set."))
            return redirect("start", slug=here.club.slug)
    language = page_language()
    pictures = [
        {
            "name": card.name,
            "title": card_title(card.title, language),
            "lines": run_lines(card_table(card), language)[:LINES],
            "first_dan": brief(card.points_at_1d or DEFAULT_1D),
        }
        for card in CARDS.values()
    ]
    chosen = form["card"].value()
    pictures.sort(key=lambda picture: picture["name"] != chosen)
    return render(here.request, "handan/choose_card.html", {"form": form, "pictures": pictures, "chosen": chosen})


def mark(here: Here, step: str, *, is_taken: bool = True) -> None:
    """Keep for who is signed in that a step was taken of which no entry tells, or that it was not."""
    kept = here.request.session.get(PLACE, {})
    taken = [each for each in kept.get(here.club.slug, []) if each != step]
    if is_taken != (step in kept.get(here.club.slug, [])):
        here.request.session[PLACE] = {**kept, here.club.slug: [*taken, step] if is_taken else taken}


def first_steps(here: Here) -> list[Step]:
    """Return the steps for who may register members; none where all are done, or the path was left."""
    if not here.actor.may(register_members.role) or here.is_past or here.state.sources:
        return []
    if "steps" in here.request.GET:
        mark(here, LEFT, is_taken=here.request.GET["steps"] == LEFT)
    taken = here.request.session.get(PLACE, {}).get(here.club.slug, [])
    if LEFT in taken:
        return []
    invites = here.actor.may(MEMBERS)
    invited = invites and (len(list(memberships(here.actor))) > 1 or bool(list(invitations(here.actor))))
    has_card = "card" in taken or here.entries().filter(kind=Kind.RULES_SET).count() > 1
    steps = [
        Step(gettext("Which card do you use?"), "choose-card", has_card, here.actor.may(set_rules.role)),
        Step(gettext("Members, with their points"), "new-players", here.state.number_of_players >= ENOUGH, may=True),
        Step(gettext("Print plates and cards"), "print", "print" in taken, may=True),
        Step(gettext("Invite a volunteer"), "members", invited, may=invites),
        Step(gettext("The first evening"), "tonight", here.number_of_games() > 0, may=True),
    ]
    return [] if all(step.is_done or not step.may for step in steps) else steps


GAMES, PEOPLE, NEAR = 8, 8, 5
"""Our choice: how many of each the start page shows."""


class Near(NamedTuple):
    """A player and the next rank."""

    key: str
    name: str
    next: NextRank


@page(Role.VISITOR)
def start(here: Here) -> HttpResponse:
    """Show what is new in the club, and what concerns who asks."""
    since = (here.day or today()) - timedelta(days=MONTH)
    moves = here.standings.movements(since)
    here.state.labels.prefetch(moves)
    last = here.games(status=COUNTS, stop=GAMES).iter_rows(named=True)
    context = {
        "games": [game_row(here.state, row) for row in last],
        "moved": [{**item._asdict(), "name": here.state.labels[item.key]} for item in farthest(moves)[:PEOPLE]],
        "promoted": promotions_of(here, moves, since)[:PEOPLE],
        "near": near_next_rank(here, moves)[:NEAR],
        "mine": _own(here, moves),
        "submitted": 0 if here.is_past else number_waiting(here.actor),
        "returned": [] if here.is_past else returned_to(here.actor),
        "members": here.state.number_of_players,
        "played": len(moves),
        "since": since,
        "year": str((here.day or today()).year),
        "decimals": here.standings.decimals,
        "path": first_steps(here),
    }
    return render(here.request, "handan/start.html", context)


def promotions_of(here: Here, moves: dict[str, Movement], since: date) -> list[dict[str, Any]]:
    """Return who of those who moved rose in rank since a day, the latest first."""
    risen = [item for item in moves.values() if item.promoted]
    lines = here.standings.lines_between(since + timedelta(days=1), date.max) if risen else {}
    rows = [(item, promotion_of([line.explanation for line in lines.get(item.key, ())])) for item in risen]
    shown = [{"key": item.key, "name": here.state.labels[item.key], "promotion": step} for item, step in rows if step]
    return sorted(shown, key=lambda row: (row["promotion"].day, row["promotion"].after), reverse=True)


def near_next_rank(here: Here, moves: dict[str, Movement]) -> list[Near]:
    """Return who of those who play is nearest to the next rank, nearest first."""
    here.standings.prefetch(moves)
    items = [(key, next_rank(here.standings, key)) for key in moves]
    people = [Near(key, here.state.labels[key], item) for key, item in items if item is not None]
    return sorted(people, key=lambda person: (person.next.missing, person.name))


def _own(here: Here, moves: dict[str, Movement]) -> dict[str, Any] | None:
    """Return where the player who asks stands; None for who is no player here, or has neither games nor a rank."""
    row = here.standings.by_key.get(here.my_card)
    if row is None:
        return None
    return {"row": row, "moved": moves.get(here.my_card), "next": next_rank(here.standings, here.my_card)}
