"""The rules of a club from a date on: its system with its settings, the kinds of game, who confirms a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property
from typing import Any

from handan.errors import Clause, FieldError, InputError
from handan.handicaps import card_text, is_table
from handan.handicaps.pasted_card import read_typed
from handan.ledger import Adjustment, When
from handan.systems import SYSTEMS, System, system
from handan.systems.core.settings import settings_of
from handan.systems.points import Points

CONFIRMATIONS = {
    "none": "a game counts as soon as it is entered",
    "loser": "a game entered by a player counts once the loser has entered or confirmed it",
    "both": "a game entered by a player counts once the opponent has confirmed it",
}


@dataclass(frozen=True)
class Rules:
    """What holds from a date on: how games are rated (system and settings), and how they are entered (confirmation).

    The rating knows nothing of the confirmation; rules that differ in it alone rate as one.
    """

    system: str = "points"
    settings: Mapping[str, Any] = field(default_factory=dict)
    """Only those that differ from the published ones."""
    since: date | None = None
    """First day on which they hold; None: from the beginning."""
    confirmation: str = "none"

    @cached_property
    def made(self) -> System:
        """The system with its settings."""
        return system(self.system, **self.settings)

    @property
    def system_class(self) -> type[System]:
        """What holds of the system whatever its settings."""
        return SYSTEMS[self.system]

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of game that a club under this system can choose between; the first is the usual one."""
        return self.system_class.traits.game_kinds

    def as_dict(self) -> dict[str, Any]:
        """Return the facts of an entry."""
        return {
            "system": self.system,
            "settings": dict(self.settings),
            "since": None if self.since is None else self.since.isoformat(),
            "confirmation": self.confirmation,
        }

    def as_rated(self) -> dict[str, Any]:
        """Return the settings that decide ratings, with the revision of the formula."""
        return {**self.as_dict(), "confirmation": "none", "revision": self.system_class.revision}

    @classmethod
    def of(cls, facts: Mapping[str, Any]) -> Rules:
        """Read the facts of an entry."""
        since = facts.get("since")
        return cls(
            facts["system"],
            dict(facts.get("settings", {})),
            None if since is None else date.fromisoformat(since),
            facts.get("confirmation", "none"),
        )


def rating_rules(rules: Sequence[Rules], last: date) -> list[Rules]:
    """Return the rules of a club under which games are rated up to a day, each from its own date on.

    Those that rate as the ones before are left out: who confirms a game is no rule of rating.
    """
    begun = [item for item in rules if item.since is None or item.since <= last] or rules[:1]
    pairs = zip(begun, [None, *begun], strict=False)
    chosen = [item for item, before in pairs if before is None or item.made != before.made]
    whole = [number for number, item in enumerate(chosen) if item.system_class.traits.whole]
    return chosen[whole[-1] if whole else 0 :]  # such a system takes all games up to the next rules


def effective_from(item: Adjustment) -> datetime | None:
    """Return the moment from which an adjustment applies, None for the beginning."""
    return item.date.moment if isinstance(item.date, When) else None


def falls_within(moment: datetime | None, since: date | None, until: date | None) -> bool:
    """Return whether a moment is on a day from one up to, not including, another; None belongs to the beginning."""
    if moment is None:
        return since is None
    return (since is None or moment.date() >= since) and (until is None or moment.date() < until)


def checked(name: str, settings: Mapping[str, Any], since: date | None = None, confirmation: str = "none") -> Rules:
    """Return rules, only with settings that differ from the published ones; InputError names what is wrong.

    Settings may be text, as from a form. A card is one of those that Handan knows, or the table itself in any form that
    `read_typed` reads, which is kept in the form of `card_text`; a file would not travel with the ledger.
    """
    if name not in SYSTEMS:
        system(name)  # raises with the names known
    if confirmation not in CONFIRMATIONS:
        raise FieldError("confirmation", confirmation, f"one of {', '.join(CONFIRMATIONS)}")
    texts = {key: str(value).strip() for key, value in settings.items() if value is not None}
    texts = {key: text for key, text in texts.items() if text}
    if str(texts.get("card", "")).lower().endswith(".csv"):
        raise InputError("a club's rules hold the table of its card; a file would not travel with its ledger")
    if is_table(texts.get("card", "")):
        texts["card"] = own_card(texts["card"])
    made = SYSTEMS[name].configured(texts)
    published = {key: field.default for key, (field, _) in settings_of(made).items()}
    own = {key: getattr(made, key) for key in published if getattr(made, key) != published[key]}
    return Rules(name, own, since, confirmation)


def own_card(text: str) -> str:
    """Return the table of a club's own card as rules keep it; FieldError for the first line that cannot be read."""
    typed = read_typed(text)
    fault = next((remark for remark in typed.remarks if remark.is_fault), None)
    if fault is not None:
        expected = Clause.of("a card; line {line}: {fault}", line=fault.line, fault=fault.text)
        raise FieldError("card", text[:80], expected)
    return card_text(typed.card()).strip()


def with_card(rules: Rules, card: str, since: date | None = None) -> Rules:
    """Return rules under a club's own card, given as text, from a date on; nothing else changes.

    What the card of before says besides its table, such as the points from rank to rank, becomes a setting.
    """
    before = rules.made if isinstance(rules.made, Points) else Points()
    settings = {**(rules.settings if isinstance(rules.made, Points) else {}), "card": card}
    after = checked("points", settings, since, rules.confirmation)
    kept = {name: value for name, value in _beside(before).items() if value != _beside(after.made)[name]}
    return checked("points", {**settings, **kept}, since, rules.confirmation) if kept else after


def _beside(made: System) -> dict[str, Any]:
    """Return what a card may say besides its table, as settings."""
    assert isinstance(made, Points)  # noqa: S101  # for the type checker
    low = {"step_low": made.table.step_low, "step_low_below": made.table.step_low_below or made.step_low_below}
    slow = low if made.table.step_low_below is not None else {"step_low": 0, "step_low_below": made.step_low_below}
    return {"stone": int(made.points_a_rank), "at_1d": made.first_dan, "daily_limit": made.most_a_day, **slow}
