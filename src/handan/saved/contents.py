"""What saved ratings keep beside the games: the system, and its states at some places."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import polars as pl

from handan.errors import InputError, SettingError
from handan.files.io.storage import named
from handan.ledger import Adjustment
from handan.ledger.dataset import besides_in
from handan.ledger.manifest import Draft, Manifest
from handan.ratings import Ratings
from handan.saved.player_states import People
from handan.systems import SYSTEMS, System, system
from handan.systems.core.settings import setting_values


@dataclass(frozen=True, slots=True)
class Place:
    """Some of the first games, and the file of what is known of the players behind them."""

    games: int = 0
    rated: int = 0
    unrated: dict[str, int] = field(default_factory=dict)
    """How many were not rated, by reason."""
    last: int | None = None
    """The last date, milliseconds since 1970-01-01; None without one."""
    newest: str | None = None
    """Date of the newest game as it was written."""
    state: str = ""
    """The file."""
    batches: int = 0
    day: int = 0

    def after(self, ratings: Ratings) -> Place:
        """Return the place behind more games, of which these are the ratings."""
        games, counts = ratings.ledger, ratings.unrated_counts
        reasons = {**self.unrated, **counts}
        last: int | None = games.arrays.column("date").dt.epoch("ms").max()  # type: ignore[assignment]  # of whole numbers
        return Place(
            self.games + len(games),
            self.rated + ratings.rated,
            {reason: self.unrated.get(reason, 0) + counts.get(reason, 0) for reason in reasons},
            self.last if last is None else last,
            games.newest or self.newest,
        )


@dataclass
class Contents:
    """What a folder holds; changed as games are added, then written."""

    manifest: Manifest
    """Of the folder as it was read."""
    draft: Draft | None
    """None where nothing is written."""
    system: System
    places: list[Place]
    """Ascending, the last one behind all games."""
    people: People
    """The players after the last game."""
    players: pl.DataFrame
    """One row a player, in the order of their numbers."""
    adjustments: tuple[Adjustment, ...]
    notes: list[str]
    """Those of ratings that are found from all games together."""

    @property
    def files(self) -> Manifest:
        """The files as they are, or will be."""
        return self.manifest if self.draft is None else self.draft.now

    @property
    def games(self) -> int:
        """Number of games."""
        return self.places[-1].games

    def people_at(self, place: Place) -> People:
        """Return the players as they were known at a place."""
        return People.of_frame(self.files.frame(place.state), place.batches, place.day)


def described(rules: System) -> dict[str, Any]:
    """Return what makes a system this one: name, revision of the formula, all settings, and the card if it has one."""
    card = getattr(rules, "table", None)
    own = {"card": repr(card)} if card is not None else {}
    return {"name": rules.name, "revision": rules.revision, "settings": setting_values(rules), **own}


def system_of(head: Mapping[str, Any], name: str) -> System:
    """Return the system of a manifest.

    Raises:
        InputError: If there is no such system here, or its formula or its card is another one by now; the message says
            how to rate the games anew.
    """
    wanted = head["system"]
    if wanted["name"] not in SYSTEMS:
        raise InputError(f"{name} was saved by the system {wanted['name']}, which is not here")
    anew = f"handan rate {name} --system {wanted['name']} --save {name} makes it anew from the games in it"
    try:
        rules = system(wanted["name"], **wanted["settings"])
    except SettingError as error:
        raise InputError(f"{name} was saved with settings that are none any more ({error}): {anew}") from error
    if rules.revision != wanted["revision"]:
        made = f"{name} was made by revision {wanted['revision']} of {rules.name}"
        raise InputError(f"{made}, and this is revision {rules.revision}: {anew}")
    if json.loads(json.dumps(described(rules))) != wanted:
        raise InputError(f"{name} was saved with another card than {wanted['settings'].get('card')} is now: {anew}")
    return rules


def read_contents(manifest: Manifest, draft: Draft | None = None) -> Contents:
    """Return what a folder holds, to be changed by `draft`.

    Raises:
        InputError: If it cannot be read, is damaged, or was made by another formula.
    """
    rules = system_of(manifest.facts, named(manifest.path))
    places = [Place(**item) for item in manifest.facts["places"]]
    contents = Contents(
        manifest, draft, rules, places, People.strangers(0), manifest.frame(manifest.file_of("players")),
        besides_in(manifest)["adjustments"], manifest.facts["notes"],
    )  # fmt: skip
    contents.people = contents.people_at(places[-1])
    return contents


def put_state(contents: Contents, place: Place, people: People) -> Place:
    """Write what is known of the players at a place; return it with the file."""
    assert contents.draft is not None  # noqa: S101  # the caller writes
    file = contents.draft.put_frame(f"states/{place.games}", people.frame())
    return replace(place, state=file, batches=people.batches, day=people.day)


def write_contents(contents: Contents) -> None:
    """Let a folder hold this."""
    draft, places = contents.draft, contents.places
    assert draft is not None  # noqa: S101  # the caller writes
    draft.drop({name for name in draft.now.files if name.startswith("states/")} - {place.state for place in places})
    draft.commit(system=described(contents.system), places=list(map(asdict, places)), notes=contents.notes)
