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
    free_fact: str = ""
    """The fact that is personal or free text."""
    names_players: bool = False
    """Whether an entry of a federation can name players of its clubs."""
    adds_only: bool = False
    """Whether it changes no player, and of the games only its own."""
    amends: bool = False
    """Whether it changes no player, and of the games only what its own one says."""


class Kind(StrEnum):
    """What an entry says."""

    traits: Traits

    def __new__(cls, words: str, traits: Traits = Traits()) -> Self:
        """Make a kind from the words that stand in the ledger."""
        kind = str.__new__(cls, words)
        kind._value_ = words
        kind.traits = traits
        return kind

    GAME_RECORDED = "game recorded", Traits(letter="g", free_fact="notes", names_players=True, adds_only=True)
    GAME_CORRECTED = "game corrected", Traits(free_fact="notes", names_players=True, amends=True)
    GAME_WITHDRAWN = "game withdrawn"
    GAME_RESTORED = "game restored"
    GAME_CONFIRMED = "game confirmed", Traits(adds_only=True)
    GAME_DISPUTED = "game disputed"
    PLAYER_REGISTERED = "player registered", Traits(letter="p", is_person=True)
    PLAYER_CHANGED = "player changed", Traits(is_person=True)
    PLAYER_MERGED = "player merged", Traits(names_players=True)
    PLAYER_SPLIT = "player split", Traits(names_players=True)
    PLAYER_WITHDRAWN = "player withdrawn"
    PLAYER_RESTORED = "player restored"
    RANK_ADJUSTED = "rank adjusted", Traits(letter="a", free_fact="note", names_players=True)
    RANK_WITHDRAWN = "adjustment withdrawn"
    SHEET_ENTERED = "sheet entered", Traits(letter="s", adds_only=True)
    SHEET_CONTINUED = "sheet continued", Traits(adds_only=True)
    SHEET_CHECKED = "sheet checked", Traits(adds_only=True)
    CHECK_WITHDRAWN = "sheet check withdrawn", Traits(adds_only=True)
    RULES_SET = "rules set", Traits(adds_only=True)
    LIST_PUBLISHED = "list published", Traits(adds_only=True)
    MEMBER_SET = "member set", Traits(free_fact="account", adds_only=True)
    KEY_SET = "key set", Traits(adds_only=True)
    ZONE_SET = "zone set", Traits(adds_only=True)
    CLUB_SET = "club set", Traits(adds_only=True)
    TABLET_SET = "tablet set", Traits(adds_only=True)
    CHAIN_CARRIED = "chain carried over"
    PERSON_FORGOTTEN = "person forgotten"
