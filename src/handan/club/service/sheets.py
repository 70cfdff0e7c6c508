"""Record sheets line by line: what is ready is entered, the rest waits."""

from __future__ import annotations

from collections.abc import Sequence

from handan.club.entries import Draft
from handan.club.service.operation import needs
from handan.club.sheet_lines import Looked, Sheet, line_drafts, looked_at
from handan.club.state import State
from handan.club.store.clock import now, today
from handan.club.store.members import Actor
from handan.club.store.models import Role
from handan.club.store.writing import Make
from handan.errors import InputError


def look_at(state: State, sheet: Sheet) -> list[Looked]:
    """Return every line of a sheet with what is known of it."""
    return looked_at(state, sheet, now(), today())


@needs(Role.KEEPER, ahead=True)
def enter_lines(_: Actor, sheet: Sheet, numbers: Sequence[int]) -> Make:
    """Enter some lines of a sheet, newcomers among them first; InputError if one of them is ready no longer."""

    def make(state: State) -> list[Draft]:
        ready = {line.number for line in look_at(state, sheet) if line.status == "ready"}
        if waiting := sorted(set(numbers) - ready):
            raise InputError(f"line {waiting[0]} is not ready any more; look at it again")
        return line_drafts(state, sheet, numbers, now(), today())

    return make
