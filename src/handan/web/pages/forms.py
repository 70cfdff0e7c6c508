"""Forms: they turn what a browser sends into the fields of a change; the rules themselves are the club's."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from http import HTTPStatus
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from handan.club import changes
from handan.club.names import ShownNames, player_meant
from handan.club.rules import Rules
from handan.club.store.access import NotAllowedError
from handan.club.store.idempotency import RepeatedError
from handan.errors import FieldError, HandanError, InputError
from handan.ledger import Event, Result, When
from handan.web.pages.formatting import game_kind, result_text
from handan.web.pages.refusals import refusal
from handan.web.pages.vocabulary import is_points_club, rating_label
from handan.wording.figures import brief
from handan.wording.languages import LANGUAGES

RESULTS = (
    ("B+", _("Black won")),
    ("W+", _("White won")),
    ("B+R", _("Black by resignation")),
    ("W+R", _("White by resignation")),
    ("B+T", _("Black on time")),
    ("W+T", _("White on time")),
    ("B+F", _("Black by default")),
    ("W+F", _("White by default")),
    ("jigo", _("jigo")),
    ("void", _("void")),
)
WITHOUT_COLOURS = ("P1+", "P2+")
"""Results of files that do not tell the colours."""
BY_POINTS = ("B+", "W+", *WITHOUT_COLOURS)
"""Results beside which points may stand."""
WHO = {"autocomplete": "off", "list": "players", "placeholder": _("part of a name")}


def new_token() -> str:
    """Return a mark by which a form that is sent twice is carried out once."""
    return secrets.token_urlsafe(16)


class DayField(forms.CharField):
    """A day, for which browsers show a calendar; it stays as it was typed, and the entry checks it."""

    def __init__(self, *, max_length: int = 10, **options: Any) -> None:
        """Take the options of any field of text; of a moment more characters are given than of a day."""
        super().__init__(max_length=max_length, widget=forms.TextInput(attrs={"type": "date"}), **options)


def first_day(text: str) -> date | None:
    """Return the day of a field, or the first of its month or year; None for an empty one, FieldError for no day."""
    when = When.of(text or None)
    return None if when is None else when.moment.date()


def one_file(request: HttpRequest, name: str) -> UploadedFile[bytes] | None:
    """Return the file that a field of a form sends, None for none; FieldError where several are sent."""
    files = request.FILES.getlist(name)
    if len(files) > 1:
        raise FieldError("file", ", ".join(file.name or "" for file in files), "one file")
    return files[0] if files else None


class Marked(forms.Form):
    """A form that writes once, however often it is sent."""

    token = forms.CharField(widget=forms.HiddenInput, required=False, max_length=64)
    status = HTTPStatus.OK
    """With which the form is answered when it comes back."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("label_suffix", "")
        kwargs["initial"] = {"token": new_token(), **(kwargs.get("initial") or {})}
        super().__init__(*args, **kwargs)

    def add_error(self, field: str | None, error: Any) -> None:
        """Add what is wrong; the page opens at the first field with something wrong."""
        super().add_error(field, error)
        wrong = [own for name, own in self.fields.items() if name in self.errors]
        if wrong:
            for own in self.fields.values():
                own.widget.attrs.pop("autofocus", None)
            wrong[0].widget.attrs["autofocus"] = True

    def put_error(self, error: HandanError, names: Callable[[str], str] = str) -> None:
        """Show an error at its field, or above the form; what was sent already can be sent anew as something else.

        `names` returns how a page shows the name of a player, of the label that the ledger has.
        """
        if isinstance(error, RepeatedError):
            self.data = {**dict(self.data.items()), "token": new_token()}
            error = InputError(
                gettext("This form was sent already, and said something else then. Send it once more to add this.")
            )
        if isinstance(error, NotAllowedError):
            self.status = HTTPStatus.FORBIDDEN
        field = error.field if isinstance(error, FieldError) else None
        labels = {name: str(own.label) for name, own in self.fields.items() if own.label}
        self.add_error(field if field in self.fields else None, refusal(error, names, labels))

    @contextmanager
    def put_errors(self, names: Callable[[str], str] = str) -> Iterator[None]:
        """Show an InputError of what is done meanwhile as `put_error` does."""
        try:
            yield
        except InputError as error:
            self.put_error(error, names)


class ReasonForm(Marked):
    """Nothing but the reason of a change."""

    reason = forms.CharField(
        max_length=2000, required=False, widget=forms.TextInput(attrs={"placeholder": _("why")}), label=_("reason")
    )


class TwinReasonForm(ReasonForm):
    """The reason of a change by which a game looks like others."""

    another = forms.BooleanField(required=False, label=_("it is another game"))


class ConfirmForm(Marked):
    """A word that a game was so; it says which entry about the game was the last one seen."""

    seen = forms.IntegerField(min_value=1, max_value=10**15, widget=forms.HiddenInput)


class DisputeForm(ConfirmForm):
    """A word that a game was not so."""

    reason = forms.CharField(
        max_length=2000,
        label=_("what was otherwise"),
        widget=forms.TextInput(attrs={"placeholder": _("such as: White won")}),
    )


class GameForm(Marked):
    """One game as it was played."""

    black = forms.CharField(max_length=200, widget=forms.TextInput(attrs={**WHO, "autofocus": True}), label=_("black"))
    white = forms.CharField(max_length=200, widget=forms.TextInput(attrs=WHO), label=_("white"))
    result = forms.ChoiceField(choices=RESULTS, widget=forms.RadioSelect, label=_("result"))
    margin = forms.CharField(
        max_length=20,
        required=False,
        widget=forms.NumberInput(attrs={"min": "0.5", "step": "any"}),
        label=_("margin in points"),
    )
    date = DayField(max_length=19, required=False, label=_("date"))
    handicap = forms.CharField(
        max_length=3, required=False, widget=forms.NumberInput(attrs={"min": 0, "max": 99}), label=_("handicap")
    )
    komi = forms.CharField(
        max_length=8, required=False, widget=forms.NumberInput(attrs={"step": "0.5"}), label=_("komi")
    )
    kind = forms.ChoiceField(required=False, label=_("kind"))
    size = forms.CharField(
        max_length=2, required=False, initial="19", widget=forms.NumberInput(attrs={"min": 2}), label=_("size")
    )
    event = forms.CharField(max_length=200, required=False, label=_("event"))
    round = forms.CharField(max_length=7, required=False, widget=forms.NumberInput(attrs={"min": 0}), label=_("round"))
    notes = forms.CharField(max_length=2000, required=False, label=_("notes"))
    another = forms.BooleanField(required=False, label=_("enter it as another game"))
    counts = forms.BooleanField(required=False, label=_("it counts all the same"))
    as_played = forms.BooleanField(required=False, label=_("it was played so"))
    proposed = forms.CharField(widget=forms.HiddenInput, required=False, max_length=20)

    main = ("black", "white", "result")
    terms = ("date", "handicap", "komi", "kind")
    more = ("size", "event", "round", "notes")

    def __init__(self, rules: Rules, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        kinds = list(rules.kinds)
        recorded = str((kwargs.get("initial") or {}).get("kind") or "")
        if recorded and recorded not in kinds:
            kinds.append(recorded)
        self.fields["kind"].choices = [(kind, game_kind(kind)) for kind in kinds]  # type: ignore[attr-defined]
        shown = str((kwargs.get("initial") or {}).get("result") or "")
        if shown and shown not in dict(RESULTS):
            either = [shown] if Result.parse(shown).colours_known else [shown, *WITHOUT_COLOURS]
            own = [(result, result_text(result)) for result in dict.fromkeys(either)]
            self.fields["result"].choices = [*own, *RESULTS]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Refuse points of a game that nobody won by points."""
        sent = super().clean() or self.cleaned_data
        if sent.get("margin") and sent.get("result", "B+") not in BY_POINTS:
            self.add_error("margin", gettext("Points belong to “Black won” and “White won” alone; leave them empty."))
        return sent

    def swapped(self, sent: Mapping[str, str]) -> list[forms.BoundField]:
        """Return the fields that differ from what was sent, each marked as one that takes the other's place."""
        fields = [self[name] for name in ("handicap", "komi", "proposed") if self.data.get(name) != sent.get(name, "")]
        for field in fields:
            field.field.widget.attrs["hx-swap-oob"] = "true"
        return fields

    def game_fields(self, names: ShownNames) -> dict[str, Any]:
        """Return the fields of the game, players as keys; InputError names what is wrong.

        A form and its fields stand in a circle, so that a state which it kept would stay in memory until circles are
        looked for.
        """
        values = {name: self.cleaned_data.get(name) or None for name in (*self.main, *self.terms, *self.more)}
        if margin := self.cleaned_data["margin"]:
            values["result"] = changes.games.won_by(self.cleaned_data["result"], margin)
        names.state.people.prefetch_meant(values[side] or "" for side in ("black", "white"))
        for side in ("black", "white"):
            values[side] = player_meant(names.state, values[side] or "", side, names)
        return values


def game_initial(shown: ShownNames, facts: dict[str, Any]) -> dict[str, Any]:
    """Return what the form of a recorded game starts with."""
    state = shown.state
    names = {side: shown.of(state.labels[state.person(facts[side]).key]) for side in ("black", "white")}
    numbers = {str(name): brief(facts[name]) for name in ("handicap", "komi", "size", "round") if name in facts}
    result = Result.parse(facts["result"])
    if result.margin is not None:
        numbers |= {"result": str(replace(result, tail="")), "margin": brief(result.margin)}
    return {"size": "19", **facts, **numbers, **names}


class PlayerForm(Marked):
    """What is known of a player."""

    name = forms.CharField(
        max_length=200, widget=forms.TextInput(attrs={"autocomplete": "off", "autofocus": True}), label=_("name")
    )
    reading = forms.CharField(
        max_length=200, required=False, help_text=_("kana or Latin letters, to find and sort by"), label=_("reading")
    )
    rank = forms.CharField(max_length=8, required=False, help_text=_("on entry, such as 12k or 1d"), label=_("rank"))
    rating = forms.CharField(max_length=12, required=False, help_text=_("on entry"), label=_("rating"))
    as_of = DayField(
        required=False,
        help_text=_("before the games of that day; empty: before all games"),
        label=_("as of"),
    )
    country = forms.CharField(max_length=200, required=False, label=_("country"))
    club = forms.CharField(
        max_length=200,
        required=False,
        help_text=_("where it differs from this one; of namesakes a word that tells them apart, such as a town"),
        label=_("club"),
    )
    since = DayField(
        required=False,
        help_text=_("where the player has moved; earlier lists keep the old country and club"),
        label=_("country and club since"),
    )
    ids = forms.CharField(
        max_length=500,
        required=False,
        label=_("numbers"),
        help_text=_("in registers, such as egd:17076590; blanks between"),
    )
    reason = forms.CharField(max_length=2000, required=False, label=_("reason"))

    of_entry = ("rank", "rating", "as_of")

    def __init__(self, rules: Rules, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rating"].label = rating_label(rules)

    def entry(self) -> dict[str, str]:
        """Return what a new player enters with."""
        return dict(zip(("rank", "rating", "date"), (self.cleaned_data[name] for name in self.of_entry), strict=True))

    def player_fields(self) -> dict[str, Any]:
        """Return the fields of the player."""
        values = {name: self.cleaned_data.get(name, "") for name in ("name", "reading", "country", "club")}
        return {**values, "ids": self.cleaned_data.get("ids", "").split(), "since": self.cleaned_data.get("since", "")}


class EventForm(Marked):
    """What is known of an event besides who took part."""

    event = forms.CharField(max_length=200, label=_("name"), help_text=_("its games get the same name and kind"))
    first = DayField(label=_("first day"))
    last = DayField(required=False, label=_("last day"))
    city = forms.CharField(max_length=200, required=False, label=_("town"))
    country = forms.CharField(max_length=200, required=False, label=_("country"))
    kind = forms.ChoiceField(required=False, label=_("kind"))
    director = forms.CharField(max_length=200, required=False, label=_("director"))
    minutes = forms.FloatField(required=False, min_value=0, max_value=100_000, label=_("thinking time in minutes"))
    code = forms.CharField(max_length=200, required=False, label=_("code"))
    reason = forms.CharField(max_length=2000, required=False, label=_("reason"))

    of_event = ("first", "last", "city", "country", "kind", "director", "minutes", "code")

    def __init__(self, rules: Rules, event: Event, *args: Any, **kwargs: Any) -> None:
        initial = {name: getattr(event, name) for name in self.of_event}
        super().__init__(*args, initial=initial | {"event": event.name, "last": event.last or event.first}, **kwargs)
        kinds = dict.fromkeys(("", *rules.kinds, event.kind))
        self.fields["kind"].choices = [(kind, game_kind(kind)) for kind in kinds]  # type: ignore[attr-defined]

    def event_fields(self) -> dict[str, Any]:
        """Return the fields of the event."""
        values = {name: self.cleaned_data[name] for name in self.of_event}
        return {**values, "name": self.cleaned_data["event"], "last": values["last"] or values["first"]}


class MoveForm(TwinReasonForm):
    """On which other day an event begins."""

    date = DayField(label=_("first day"), help_text=_("the other days and all games move as far"))
    field_order = ("date", "reason", "another")


class AdjustForm(Marked):
    """A rank or rating set by hand."""

    def __init__(self, rules: Rules, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rating"].label = rating_label(rules)
        if is_points_club(rules):
            self.fields["rating"].help_text = ""

    rank = forms.CharField(max_length=8, required=False, help_text=_("such as 12k or 1d"), label=_("rank"))
    rating = forms.CharField(
        max_length=12, required=False, help_text=_("in the unit of the club's system"), label=_("rating")
    )
    date = DayField(
        required=False,
        help_text=_("before the games of that day; empty: on entry"),
        label=_("date"),
    )
    at_least = forms.BooleanField(required=False, label=_("a higher rating stays"))
    reason = forms.CharField(
        max_length=2000, help_text=_("it stands on the card and in the log; never empty"), label=_("reason")
    )


class MergeForm(Marked):
    """Two players who are one."""

    player = forms.CharField(max_length=200, widget=forms.TextInput(attrs=WHO), label=_("this player"))
    into = forms.CharField(max_length=200, widget=forms.TextInput(attrs=WHO), label=_("is really"))
    reason = forms.CharField(max_length=2000, required=False, label=_("reason"))


def zone_field() -> forms.CharField:
    """Return the field of the zone in which a club's days begin."""
    return forms.CharField(
        max_length=64,
        required=False,
        widget=forms.TextInput(attrs={"list": "zones", "autocomplete": "off", "placeholder": _("such as Asia/Tokyo")}),
        help_text=_("empty: the server's"),
        label=_("time zone"),
    )


def language_choices() -> list[tuple[str, str]]:
    """Return what a club may choose as the language of its pages."""
    return [("", gettext("the visitor’s browser language")), *LANGUAGES.items()]


class ZoneForm(Marked):
    """The zone in which the club's days begin."""

    zone = zone_field()
    reason = forms.CharField(max_length=2000, required=False, label=_("reason"))


class PublishForm(Marked):
    """An official list."""

    label = forms.CharField(max_length=200, required=False, label=_("label"))
    as_of = DayField(required=False, label=_("as of"))


class SheetForm(Marked):
    """Many games at once: lines of text, or a file."""

    text = forms.CharField(
        required=False, max_length=2_000_000, widget=forms.Textarea(attrs={"rows": 12}), label=_("text")
    )
    file = forms.FileField(required=False, label=_("file"))
    people = forms.CharField(required=False, max_length=2_000_000, widget=forms.HiddenInput)
    events = forms.CharField(required=False, max_length=8_000_000, widget=forms.HiddenInput)
    date = DayField(required=False, label=_("date"))
    kind = forms.CharField(max_length=40, required=False, label=_("kind"))
    another = forms.BooleanField(required=False, label=_("enter them as other games"))
    counts = forms.BooleanField(required=False, label=_("they count all the same"))
    newcomers = forms.BooleanField(required=False, label=_("register all of them as new players"))
