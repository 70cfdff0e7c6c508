"""What one kind of entry is: what is checked before it is made, and what it does to a state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from handan.club.entries import Draft, Record
from handan.club.kinds import Kind

if TYPE_CHECKING:
    from handan.club.folding import Folding


@dataclass(frozen=True, slots=True)
class Handler:
    """The check and the effect of one kind of entry."""

    kind: Kind
    check: Callable[..., Draft] | None
    """Checks what is wanted against a state and returns the entry to be written; None: not by a change of people."""
    effect: Callable[[Folding, Record], None]
    """Puts an entry's meaning into a state in the making; trusts the entry, which was checked when it was made."""
    of_game: bool = False
    """Whether it is about a game."""
