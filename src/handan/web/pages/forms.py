"""Forms: they turn what a browser sends into the fields of a change; the rules themselves are the club's."""

from __future__ import annotations

import secrets
from typing import Any

from django import forms

from handan.club.finding import player_meant
from handan.club.rules import CONFIRMATIONS, Rules
from handan.club.state import State
from handan.club.store.idempotency import RepeatedError
from handan.errors import FieldError, InputError
from handan.systems import SYSTEMS
from handan.systems.core.settings import settings_of
from handan.wording.figures import brief

RESULTS = (
    ("B+", "Black won"),
    ("W+", "White won"),
    ("jigo", "jigo"),
    ("B+R", "Black by resignation"),
    ("W+R", "White by resignation"),
    ("B+T", "Black on time"),
    ("W+T", "White on time"),
    ("B+F", "Black by default"),
    ("W+F", "White by default"),
    ("void", "void"),
)
WHO = {"autocomplete": "off", "list": "players", "placeholder": "part of a name"}


class Marked(forms.Form):
    """A form that writes once, however often it is sent."""

    token = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        kwargs["initial"] = {"token": secrets.token_urlsafe(16), **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)

    def put_error(self, error: InputError) -> None:
        """Show an error at its field, or above the form; what was sent already can be sent anew as something else."""
        if isinstance(error, RepeatedError):
            self.data = {**dict(self.data.items()), "token": secrets.token_urlsafe(16)}
            error = InputError(
                "This form was sent already, and said something else then. Send it once more to add this."
            )
        field = error.field if isinstance(error, FieldError) else None
        self.add_error(field if field in self.fields else None, str(error))


class ReasonForm(Marked):
    """Nothing but the reason of a change."""

    reason = forms.CharField(max_length=2000, required=False, widget=forms.TextInput(attrs={"placeholder": "why"}))


class TwinReasonForm(ReasonForm):
    """The reason of a change by which a game looks like others."""

    another = forms.BooleanField(required=False, label="it is another game")


class ConfirmForm(Marked):
    """A word that a game was so; it says which entry about the game was the last one seen."""

    seen = forms.IntegerField(min_value=1, max_value=10**15, widget=forms.HiddenInput)


class DisputeForm(ConfirmForm):
    """A word that a game was not so."""

    reason = forms.CharField(
        max_length=2000, label="what was otherwise", widget=forms.TextInput(attrs={"placeholder": "such as: White won"})
    )


class GameForm(Marked):
    """One game as it was played."""

    black = forms.CharField(max_length=200, widget=forms.TextInput(attrs={**WHO, "autofocus": True}))
    white = forms.CharField(max_length=200, widget=forms.TextInput(attrs=WHO))
    result = forms.ChoiceField(choices=RESULTS, widget=forms.RadioSelect)
    date = forms.CharField(max_length=19, required=False, widget=forms.TextInput(attrs={"type": "date"}))
    handicap = forms.CharField(max_length=3, required=False, widget=forms.NumberInput(attrs={"min": 0, "max": 99}))
    komi = forms.CharField(max_length=8, required=False, widget=forms.NumberInput(attrs={"step": "0.5"}))
    kind = forms.ChoiceField(required=False)
    size = forms.CharField(max_length=2, required=False, initial="19", widget=forms.NumberInput(attrs={"min": 2}))
    event = forms.CharField(max_length=200, required=False)
    round = forms.CharField(max_length=7, required=False, widget=forms.NumberInput(attrs={"min": 0}))
    notes = forms.CharField(max_length=2000, required=False)
    another = forms.BooleanField(required=False, label="enter it as another game")

    main = ("black", "white", "result")
    terms = ("date", "handicap", "komi", "kind")
    more = ("size", "event", "round", "notes")

    def __init__(self, state: State, rules: Rules, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.state = state
        kinds = list(rules.kinds)
        recorded = str((kwargs.get("initial") or {}).get("kind") or "")
        if recorded and recorded not in kinds:
            kinds.append(recorded)
        self.fields["kind"].choices = [(kind, kind) for kind in kinds]  # type: ignore[attr-defined]
        shown = str((kwargs.get("initial") or {}).get("result") or "")
        if shown and shown not in dict(RESULTS):
            self.fields["result"].choices = [(shown, shown), *RESULTS]  # type: ignore[attr-defined]

    def game_fields(self) -> dict[str, Any]:
        """Return the fields of the game, players as keys; InputError names what is wrong."""
        values = {name: self.cleaned_data.get(name) or None for name in (*self.main, *self.terms, *self.more)}
        for side in ("black", "white"):
            values[side] = player_meant(self.state, values[side] or "", side)
        return values


def game_initial(state: State, facts: dict[str, Any]) -> dict[str, Any]:
    """Return what the form of a recorded game starts with."""
    names = {side: state.labels[state.person(facts[side]).key] for side in ("black", "white")}
    numbers = {str(name): brief(facts[name]) for name in ("handicap", "komi", "size", "round") if name in facts}
    return {"size": "19", **facts, **numbers, **names}


class PlayerForm(Marked):
    """What is known of a player."""

    name = forms.CharField(max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off", "autofocus": True}))
    reading = forms.CharField(max_length=200, required=False, help_text="kana or Latin letters, to find and sort by")
    rank = forms.CharField(max_length=8, required=False, help_text="on entry, such as 12k or 1d")
    country = forms.CharField(max_length=200, required=False)
    club = forms.CharField(max_length=200, required=False, help_text="where it differs from this one")
    ids = forms.CharField(
        max_length=500, required=False, label="numbers", help_text="in registers, such as egd:17076590; blanks between"
    )
    reason = forms.CharField(max_length=2000, required=False)

    def player_fields(self) -> dict[str, Any]:
        """Return the fields of the player."""
        values = {name: self.cleaned_data.get(name, "") for name in ("name", "reading", "country", "club")}
        return {**values, "ids": self.cleaned_data.get("ids", "").split()}


class AdjustForm(Marked):
    """A rank or rating set by hand."""

    rank = forms.CharField(max_length=8, required=False, help_text="such as 12k or 1d")
    rating = forms.CharField(max_length=12, required=False, help_text="in the unit of the club's system")
    date = forms.CharField(
        max_length=10,
        required=False,
        widget=forms.TextInput(attrs={"type": "date"}),
        help_text="before the games of that day; empty: on entry",
    )
    at_least = forms.BooleanField(required=False, label="a higher rating stays")
    reason = forms.CharField(max_length=2000)


class MergeForm(Marked):
    """Two players who are one."""

    player = forms.CharField(max_length=200, widget=forms.TextInput(attrs=WHO), label="this player")
    into = forms.CharField(max_length=200, widget=forms.TextInput(attrs=WHO), label="is really")
    reason = forms.CharField(max_length=2000, required=False)


class RulesForm(Marked):
    """The rules of the club from a date on."""

    system = forms.ChoiceField(choices=lambda: [(name, kind.title) for name, kind in SYSTEMS.items()])
    since = forms.CharField(max_length=10, required=False, widget=forms.TextInput(attrs={"type": "date"}))
    confirmation = forms.ChoiceField(choices=list(CONFIRMATIONS.items()), widget=forms.RadioSelect)
    reason = forms.CharField(max_length=2000, required=False)

    def __init__(self, system: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.settings = settings_of(SYSTEMS[system])
        for name, (declared, bounds) in self.settings.items():
            shown = "" if declared.default is None else brief(declared.default)
            choices = [(choice, choice) for choice in bounds.choices]
            field = (
                forms.ChoiceField(choices=[("", f"{shown} (as published)"), *choices], required=False)
                if choices
                else forms.CharField(
                    max_length=40, required=False, widget=forms.TextInput(attrs={"placeholder": shown})
                )
            )
            field.label, field.help_text = name.replace("_", " "), bounds.text
            self.fields[f"set-{name}"] = field

    def chosen(self) -> dict[str, Any]:
        """Return the settings that are not left as published."""
        return {name: self.cleaned_data.get(f"set-{name}", "") for name in self.settings}

    def own(self) -> list[forms.BoundField]:
        """Return the fields of the system's settings."""
        return [self[f"set-{name}"] for name in self.settings]


class ZoneForm(Marked):
    """The zone in which the club's days begin."""

    zone = forms.CharField(
        max_length=64,
        required=False,
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off", "placeholder": "such as Asia/Tokyo"}),
        help_text="empty: the server's",
    )
    reason = forms.CharField(max_length=2000, required=False)


class PublishForm(Marked):
    """An official list."""

    label = forms.CharField(max_length=200, required=False)
    as_of = forms.CharField(max_length=10, required=False, widget=forms.TextInput(attrs={"type": "date"}))


class SheetForm(Marked):
    """Many games at once: lines of text, or a file."""

    text = forms.CharField(required=False, max_length=2_000_000, widget=forms.Textarea(attrs={"rows": 12}))
    file = forms.FileField(required=False)
    date = forms.CharField(max_length=10, required=False, widget=forms.TextInput(attrs={"type": "date"}))
    kind = forms.CharField(max_length=40, required=False)
    another = forms.BooleanField(required=False, label="enter them as other games")
