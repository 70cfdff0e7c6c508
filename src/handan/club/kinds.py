"""The kinds of entry of a ledger: the one list, with what chain and seals must know of each.

What an entry of a kind does to the state, and what is checked before it is made, stands in `handan.club.changes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


@dataclass(frozen=True, slots=True)
class Traits:
    """What all entries of a kind have in common, whatever they say."""

    letter: str = ""
    """Of the key of the subject that such an entry brings: `g12` is the game that entry 12 recorded."""
    is_person: bool = False
    """Whether all its facts tell who somebody is."""
    free_facts: tuple[str, ...] = ()
    """The facts that are personal or free text."""
    names_players: bool = False
    """Whether an entry of a federation can name players of its clubs."""
    has_participants: bool = False
    """Whether its facts list the participants of an event, of whom country and club are personal."""


OF_EVENTS = ("director", "comments")
"""Facts of an event that are personal or free text."""


class Kind(StrEnum):
    """What an entry says."""

    traits: Traits

    def __new__(cls, words: str, traits: Traits = Traits()) -> Self:
        """Make a kind from the words that stand in the ledger."""
        kind = str.__new__(cls, words)
        kind._value_ = words
        kind.traits = traits
        return kind

    GAME_RECORDED = "game recorded", Traits(letter="g", free_facts=("notes",), names_players=True)
    GAME_CORRECTED = "game corrected", Traits(free_facts=("notes",), names_players=True)
    GAME_WITHDRAWN = "game withdrawn"
    GAME_RESTORED = "game restored"
    GAME_CONFIRMED = "game confirmed"
    GAME_DISPUTED = "game disputed"
    PLAYER_REGISTERED = "player registered", Traits(letter="p", is_person=True)
    PLAYER_CHANGED = "player changed", Traits(is_person=True)
    PLAYER_MERGED = "player merged", Traits(names_players=True)
    PLAYER_SPLIT = "player split", Traits(names_players=True)
    PLAYER_WITHDRAWN = "player withdrawn"
    PLAYER_RESTORED = "player restored"
    RANK_ADJUSTED = "rank adjusted", Traits(letter="a", free_facts=("note",), names_players=True)
    RANK_WITHDRAWN = "adjustment withdrawn"
    SHEET_ENTERED = "sheet entered", Traits(letter="s")
    SHEET_CONTINUED = "sheet continued"
    SHEET_CHECKED = "sheet checked"
    CHECK_WITHDRAWN = "sheet check withdrawn"
    EVENT_ENTERED = "event entered", Traits("e", free_facts=OF_EVENTS, names_players=True, has_participants=True)
    EVENT_CHANGED = "event changed", Traits(free_facts=OF_EVENTS, names_players=True, has_participants=True)
    EVENT_WITHDRAWN = "event withdrawn"
    RULES_SET = "rules set"
    LIST_PUBLISHED = "list published"
    MEMBER_SET = "member set", Traits(free_facts=("account",))
    KEY_SET = "key set"
    ZONE_SET = "zone set"
    CLUB_SET = "club set"
    TABLET_SET = "tablet set"
    CHAIN_CARRIED = "chain carried over"
    PERSON_FORGOTTEN = "person forgotten"
