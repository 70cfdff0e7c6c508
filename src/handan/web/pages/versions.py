"""What a game that waits would do in each version of it: as entered, with the other winner, with the colours turned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext

from handan.club import changes
from handan.club.entries import Draft
from handan.club.service.operation import Preview
from handan.club.store.clock import today
from handan.club.store.writing import preview
from handan.errors import InputError
from handan.ledger import Result
from handan.web.pages.formatting import line_row
from handan.web.pages.here import Here

OTHER_SIDE = {"B": "W", "W": "B"}


class Version(NamedTuple):
    """A version of a game, and what it would do to both."""

    title: str
    reason: str
    """With which somebody objects who says that it was so; empty for the game as it was entered."""
    sides: list[dict[str, Any]]
    """As `formatting.line_row` returns them, each with `name`; empty for a game that was never played."""


def versions(here: Here, row: Mapping[str, Any]) -> list[Version]:
    """Return the versions of a game that waits, each worked out as correcting and confirming it would."""
    facts = changes.facts_of(dict(row))
    other, turned = gettext("The other one won"), gettext("The colours were the other way round")
    made = [Version(gettext("As it was entered"), "", _sides(here, row, {}))]
    if (result := other_winner(facts["result"])) is not None:
        made.append(Version(other, other, _sides(here, row, {"result": result})))
        colours = {"black": facts["white"], "white": facts["black"], "result": result}
        made.append(Version(turned, turned, _sides(here, row, colours)))
    never = gettext("It was never played")
    return [*made, Version(never, never, [])]


def other_winner(result: str) -> str | None:
    """Return a result with the other winner; None where nobody won, or the colours are not known."""
    read = Result.parse(result)
    if read.score not in {0.0, 1.0} or result[:1] not in OTHER_SIDE:
        return None
    return OTHER_SIDE[result[:1]] + result[1:]


def _sides(here: Here, row: Mapping[str, Any], fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    key, state, drafts = f"g{row['line']}", here.state, list[Draft]()
    try:
        if fields:
            drafts = [changes.correct_game(state, key, fields, today())]
            state = preview(state, drafts)
        drafts.append(changes.confirm_game(state, key))
        lines = Preview.of(here.club, here.state, drafts).standings.game(key)
    except InputError:  # the rules find no answer for it
        return []
    names = (lines[1].explanation.opponent, lines[0].explanation.opponent)
    decimals = here.standings.decimals
    return [{**line_row(line, decimals), "name": name} for name, line in zip(names, lines, strict=True)]
