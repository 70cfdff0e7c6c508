"""What visitors see, who are no members: of the club as a whole, and of members who are not shown by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from handan.club.changes import names_of, visible_text
from handan.club.passing_on import pass_on_from
from handan.club.sealing import FORMER, HIDDEN
from handan.club.state import COUNTS, ClubAdjustment, Person, State
from handan.club.store.cache import answers, state_of
from handan.club.store.members import Actor
from handan.club.store.models import Club, Entry, Membership, Openness, Role, Shown
from handan.club.telling import Telling, all_names
from handan.errors import FieldError
from handan.ledger.names import folded


@dataclass(frozen=True)
class Hidden:
    """Players whom visitors do not see by name, as a state has them."""

    names: Mapping[str, str]
    """What is shown instead, by all their keys."""
    telling: Telling

    def name(self, key: str) -> str | None:
        """Return what stands for a player's name in a list, None for who is shown."""
        return HIDDEN if key in self.names else None


def set_shown(club: Club, key: str, name: str | None) -> None:
    """Show a player to visitors under another name, not at all (empty), or by name again (None)."""
    state = state_of(club)
    person = state.person(key)
    if name is None:
        Shown.objects.filter(club=club, player__in=names_of(state, person.key)).delete()
        return
    name = visible_text(name.strip(), "name")
    owners = state.spellings.get(folded(name), ())
    if name and (person.key in owners or folded(name) in {FORMER, HIDDEN}):
        raise FieldError("name", name, "another name than the player's own")
    if name and owners:
        raise FieldError("name", name, "a name that is nobody else's here")
    Shown.objects.update_or_create(club=club, player=person.key, defaults={"name": name})


def may_look(actor: Actor, *, ladder: bool) -> bool:
    """Whether somebody may look at a page of a club, which is its ladder or not."""
    return actor.may(Role.PLAYER) or actor.club.openness >= (Openness.LADDER if ladder else Openness.OPEN)


def hidden(club: Club, state: State) -> Hidden:
    """Return whom visitors of a club do not see by name: also those of a federation's clubs, and all of closed ones."""
    instead: dict[str, str] = {}
    texts: set[str] = set()
    clubs = Club.objects.filter(federation=club.pk) if state.sources else Club.objects.none()
    for ledger in (club, *clubs):
        before = "" if ledger.pk == club.pk else f"{ledger.slug}."
        rows = list(Shown.objects.filter(club=ledger).order_by("player").values_list("player", "name"))
        instead |= {f"{before}{player}": name or HIDDEN for player, name in rows}
        texts |= _ever_called(ledger, [player for player, _ in rows])
        if before and ledger.openness == Openness.CLOSED:
            instead |= {key: HIDDEN for key in state.people if key.startswith(before) and key not in instead}
    if not instead:
        return Hidden({}, Telling(frozenset(), names=frozenset()))
    final = {state.person(key).key: name for key, name in instead.items() if key in state.people}
    names = {key: final[state.person(key).key] for key in state.people if state.person(key).key in final}
    people = [state.people[key] for key in names]
    texts |= {text for person in people for text in (person.name, person.reading) if text}
    members = Membership.objects.filter(club=club, player__in=list(names)).select_related("user")
    texts |= {item.user.get_username() for item in members}
    return Hidden(names, Telling(frozenset(names), names=frozenset(texts)))


def _ever_called(club: Club, players: list[str]) -> set[str]:
    """Return all names and readings under which players were entered."""
    entries = Entry.objects.filter(club=club, subject__in=players) if players else ()
    return all_names(entry.kept["person"][1] for entry in entries if "person" in entry.kept)


def seen_state(actor: Actor, state: State) -> State:
    """Return a state as somebody sees it: a member whole, a visitor without the names of who is not shown."""
    if actor.may(Role.PLAYER):
        return state
    who = hidden(actor.club, state_of(actor.club))
    if not who.names:
        return state
    view = (*state.view, ("visitors", tuple(sorted(who.names.items())), tuple(sorted(who.telling.names))))
    key = ("seen", state.slug, state.number, state.digest, state.sources, view)
    question, entries = ("seen", state.slug, view), state.number + sum(source.number for source in state.sources)

    def make() -> State:
        return pass_on_from(answers.last(question), replace(_masked(state, who), view=view), COUNTS)

    return answers.get(key, make, (question, entries))


def _masked(state: State, who: Hidden) -> State:
    people = {key: Person(key, who.names[key]) if key in who.names else item for key, item in state.people.items()}
    notes = state.games["notes"].unique().drop_nulls()
    named = [text for text in notes if text and who.telling.named_in(text)]
    games = state.games.with_columns(
        notes=pl.when(pl.col("notes").is_in(named)).then(pl.lit("")).otherwise(pl.col("notes"))
    )
    adjustments = {key: _without_note(item, who) for key, item in state.adjustments.items()}
    labels = {label for name in ("event", "kind") for label in state.games[name].unique().drop_nulls()}
    unnamed = frozenset(label for label in labels if who.telling.named_in(label))  # ratings read them in the games
    return replace(state, people=people, games=games, adjustments=adjustments, unnamed=unnamed)


def _without_note(item: ClubAdjustment, who: Hidden) -> ClubAdjustment:
    facts: Mapping[str, Any] = item.facts
    if item.player in who.names or who.telling.named_in(str(facts.get("note", ""))):
        facts = {name: value for name, value in facts.items() if name != "note"}
    return replace(item, facts=facts)
