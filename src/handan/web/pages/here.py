"""What every page of a club starts from: who asks, of which club, as of which day; and what pages are for whom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, partial, wraps
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

from django.conf import settings
from django.core.paginator import Page, Paginator
from django.db import OperationalError
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
    QueryDict,
)
from django.urls import reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language as keep_language

from handan.club.changes.texts import LONGEST
from handan.club.entries import FORMER, HIDDEN, Record
from handan.club.names import NotInClubError, ShownNames, nameless_words, player_meant
from handan.club.people import Person
from handan.club.service.games import waiting
from handan.club.service.looking import ClubStandings, Look, need_look
from handan.club.service.operation import Change
from handan.club.state import State
from handan.club.store.access import Actor, NotAllowedError, actor, may_look, opens
from handan.club.store.accounts import language_of, set_language
from handan.club.store.clock import enter, today
from handan.club.store.computing import ASKER
from handan.club.store.database import BusyError, is_busy, read_snapshot
from handan.club.store.idempotency import Sending
from handan.club.store.models import Club, Entry, Role
from handan.club.store.states import state_of
from handan.club.store.writing import Written, written_before
from handan.errors import Clause, FieldError, InputError
from handan.ledger.dates import read_day
from handan.systems import SYSTEMS
from handan.web.operations.client_address import asker
from handan.web.pages.formatting import ChangeRows, game_row
from handan.web.pages.unsent import ask_to_sign_in
from handan.web.pages.wording import MOST_OPTIONS, day, page_language
from handan.wording.languages import LANGUAGES

DIGITS = 9  # our choice: longer numbers count nothing here
CHOICES = {
    "scheme": ("auto", "light", "dark"),
    "letters": ("normal", "large"),
    "numbers": ("shown", "hidden"),
    "wall": ("plates", "table"),
}
"""What may be chosen, by the name of the cookie; the first holds where nothing is chosen."""
DARK = {"auto": "screen and (prefers-color-scheme: dark)", "dark": "screen"}
"""Media for which the dark colours hold; what is printed is light."""


def text_of(request: HttpRequest, name: str) -> str:
    """Return a text of at most 200 characters, without NUL, which PostgreSQL knows in no text."""
    return request.GET.get(name, "").replace("\x00", "")[:LONGEST].strip()


def day_of(request: HttpRequest, name: str) -> date | None:
    """Return a day that the address names, None where it does not; FieldError for what is none."""
    text = text_of(request, name)
    return read_day(name, text) if text else None


def whole_number(text: str) -> int | None:
    """Return a number of at most nine digits, None for everything else."""
    return int(text) if text.isdecimal() and len(text) <= DIGITS else None


def page_of(request: HttpRequest, items: Sequence[Any] | Any, size: int) -> Page[Any]:
    """Return the page `?page=` of a sequence or a query; the first for what is no number, the last for one too high."""
    return Paginator(items, size).get_page(request.GET.get("page"))


def way_back(request: HttpRequest) -> str:
    """Return the path of this server to which a form leads back (`next`); empty where it names none."""
    back = request.POST.get("next", "")
    own = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return back if own and back.startswith("/") else ""


def speak(request: HttpRequest, club: Club) -> None:
    """Speak the language of who asks, else of the club; without either it stays the browser's."""
    if request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME) in LANGUAGES:
        return
    user = request.user
    own = language_of(user) if user.is_authenticated else ""
    if language := own or club.language:
        translation.activate(language)
        request.LANGUAGE_CODE = translation.get_language()


def choose_language(request: HttpRequest) -> HttpResponse:
    """Keep a language for this browser, and for the account if there is one."""
    language = request.POST.get("language", "")
    if request.method == "POST" and language in LANGUAGES and request.user.is_authenticated:
        set_language(request.user, language)
    answer: HttpResponse = keep_language(request)
    return answer


def remember(answer: HttpResponse, language: str) -> None:
    """Let a browser speak the language of the account that signs in."""
    if language in LANGUAGES:
        _keep(answer, settings.LANGUAGE_COOKIE_NAME, language)


def _keep(answer: HttpResponse, name: str, value: str) -> None:
    """Let a browser keep a choice of how pages are."""
    secure, age = settings.LANGUAGE_COOKIE_SECURE, settings.LANGUAGE_COOKIE_AGE
    answer.set_cookie(name, value, age, secure=secure, httponly=True, samesite="Lax")


def appearance_of(request: HttpRequest) -> dict[str, str]:
    """Return how somebody has chosen to see pages, by the names of `CHOICES`."""
    chosen = {name: request.COOKIES.get(name, "") for name in CHOICES}
    return {name: chosen[name] if chosen[name] in options else options[0] for name, options in CHOICES.items()}


def page_context(request: HttpRequest) -> dict[str, Any]:
    """Give templates the appearance of pages, and the club that is looked at (a context processor)."""
    chosen = appearance_of(request)
    return {"appearance": chosen, "dark": DARK.get(chosen["scheme"], ""), "here": getattr(request, "here", None)}


# a token of the form would need a cookie of its own, and visitors get none; all that it changes is how they see pages
@csrf_exempt
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep the choices that a form sends, and go back to the page it stood on."""
    answer = HttpResponseRedirect(way_back(request) or reverse("home"))
    for name, options in CHOICES.items():
        if (value := request.POST.get(name)) in options:
            _keep(answer, name, str(value))
    return answer


Rows = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class WaitingGames:
    """A player's games of a club that wait, as they are shown."""

    club: Club
    to_confirm: Rows = ()
    to_correct: Rows = ()
    """With `by` and `word`, the opponent's objection."""
    with_other: Rows = ()
    contested: Rows = ()
    """Games that count and to which a player objects, with `by` and `word`; for result keepers."""

    @property
    def count(self) -> int:
        """How many wait for a word of who asks."""
        return len(self.to_confirm) + len(self.to_correct) + len(self.contested)


def waiting_games(actor: Actor, state: State | None = None) -> WaitingGames:
    """Return what waits in a club for who asks, now; `state` is that of now, where somebody has read it already."""
    if actor.user is None or not (actor.player or actor.may(Role.KEEPER)):
        return WaitingGames(actor.club)
    state = state_of(actor.club) if state is None else state
    games = waiting(actor, state)
    words = objections(actor.club, [row["latest"] for row in (*games.to_correct, *games.contested)])
    shown = (
        [{**game_row(state, row), "latest": row["latest"], **words.get(row["latest"], {})} for row in rows]
        for rows in games
    )
    return WaitingGames(actor.club, *shown)


def objections(
    club: Club, numbers: list[int], seen: Callable[[Record], Record] = lambda record: record
) -> dict[int, dict[str, str]]:
    """Return who objected by entries of these numbers, and the word, as who asks may see them."""
    if not numbers:
        return {}
    entries = Entry.objects.filter(club=club, number__in=numbers)
    records = [seen(entry.record) for entry in entries]
    return {record.number: {"by": record.author, "word": record.reason} for record in records}


class Period(NamedTuple):
    """The days of which a page shows what was played, both included."""

    first: date
    last: date
    without_games: date | None
    """The day since which there are none, where earlier days are shown for that."""


WAIT = 2  # seconds; our choice: after which a form that others kept from being written may be sent again
View = Callable[..., HttpResponseBase]
SAFE_METHODS = ("GET", "HEAD")
FORM_METHODS = (*SAFE_METHODS, "POST")


@dataclass(kw_only=True)
class Here(Look):
    """One request about one club, and what who asks sees of it."""

    request: HttpRequest

    @property
    def sees_games(self) -> bool:
        """Whether who asks sees more of the club than its ladder."""
        return may_look(self.actor, ladder=False)

    @property
    def at_own_card(self) -> bool:
        """Whether the page is the card of who asks."""
        match = self.request.resolver_match
        return match is not None and match.url_name == "player" and match.kwargs["key"] == self.my_card

    @property
    def asks_part(self) -> bool:
        """Whether the page asks for a part of itself."""
        return bool(getattr(self.request, "htmx", False))

    @property
    def posted(self) -> QueryDict | None:
        """What a form has sent, None if none was sent."""
        return posted(self.request)

    @property
    def days(self) -> dict[str, str]:
        """What addresses say of the days that are looked at, by name; empty for now."""
        days = {"as_of": self.day, "known": self.day_known}
        return {name: str(day) for name, day in days.items() if day is not None}

    @property
    def list_label(self) -> str:
        """Which list the page shows: the live one, or what it leaves out."""
        parts = []
        if self.day:
            parts.append(gettext("games up to {day}").format(day=day(self.day)))
        if self.day_known:
            parts.append(gettext("as known on {day}").format(day=day(self.day_known)))
        return gettext(", ").join(parts) or gettext("live")

    def query(self, **fields: str) -> str:
        """Return what stands behind the address of a page that looks at the same days: these, and other fields."""
        written = urlencode({**self.days, **fields}, quote_via=quote)
        return f"?{written}" if written else ""

    @cached_property
    def others(self) -> dict[str, ClubStandings]:
        """Standings of the same games under the systems asked for besides (`with`), by name."""
        names = [name for name in self.request.GET.getlist("with") if name in SYSTEMS and name != self.rules.system]
        _ = self.standings  # the other lists of this page are of the same entry, also where others write meanwhile
        return {name: self.under(name) for name in dict.fromkeys(names)}

    def period(self, **beginning: int) -> Period:
        """Return the days that the address names by `from` and `to`; else those up to today from the `beginning`.

        Where nobody has played since then, they are those up to the last game. FieldError for a first day behind the
        last.
        """
        first, last, without = day_of(self.request, "from"), day_of(self.request, "to"), None
        if first is None and last is None and self.last_played:
            begun = (self.day or today()).replace(**beginning)
            if self.last_played < begun:
                last, without = self.last_played, begun
        last = last or self.day or today()
        first = first or last.replace(**beginning)
        if first > last:
            raise FieldError("from", str(first), Clause.of("a day up to {last}", last=last))
        return Period(first, last, without)

    def address(self, name: str, *parts: object) -> str:
        """Return the address of a page of the club."""
        return reverse(name, args=(self.club.slug, *parts))

    def names_in(self, language: str) -> ShownNames:
        """Return how players are shown in a language."""
        if not self.state.sources:
            return ShownNames(self.state, language)
        return ShownNames(self.state, language, {club.slug: club.name for club in self.club.clubs.all()})

    @cached_property
    def shown_names(self) -> ShownNames:
        """How players are shown in the language of the page."""
        return self.names_in(page_language())

    def shown_name(self, label: str) -> str:
        """Return a player's name as pages and titles show it, of the label that the ledger has."""
        if label.endswith(")"):
            return self.shown_names.of(label)
        return nameless_words(label, page_language()) if label in {FORMER, HIDDEN} else label

    def name_of(self, person: Person) -> str:
        """Return a person's name as pages and titles show it."""
        return self.shown_name(self.state.labels[person.key] if person.key in self.state.active else person.name)

    def written_name(self, text: str) -> str:
        """Return what a field shows of a player whom an address names by key or label; other texts as they are."""
        people = self.state.people
        return self.shown_name(self.state.labels[self.state.person(text).key] if text in people else text)

    @cached_property
    def proposed_names(self) -> list[str]:
        """The names of players that fields propose, as they are shown."""
        return [*map(self.shown_names.of, islice(self.state.keys, MOST_OPTIONS))]

    def player_meant(self, text: str, field: str) -> str:
        """Return the key of the one player whom a text of a form means; FieldError otherwise."""
        return player_meant(self.state, text, field, self.shown_names)

    @cached_property
    def waiting(self) -> WaitingGames:
        """The games that wait for who asks, whatever days are asked for."""
        return waiting_games(self.actor, None if self.is_past or self.made else self.state)

    def of_now(self) -> Here:
        """Return a new look at the club as it is now, whatever days the address names."""
        return replace(self, day=None, day_known=None)

    def moved(self, change: Change) -> ChangeRows:
        """Return whom a change would move, as it is shown."""
        return ChangeRows(change.preview(self.state).moved)

    def write(self, change: Change, token: str | None = None) -> Written:
        """Write a change, which a form sent with its token."""
        try:
            entries = change.write(self.sending(token), self.state_now)
        except OperationalError as error:
            if not is_busy(error):
                raise
            self.request.busy = True  # type: ignore[attr-defined]  # the form comes back with what was typed, and 503
            raise BusyError from error
        self.let_go()
        return entries

    def written_before(self, token: str | None) -> Written:
        """Return the entries that this form has written already, as after a button that was pressed twice."""
        _ = self.state  # what it wrote since is refused by its token then
        return written_before(self.club, self.actor.user, self.sending(token))

    @property
    def seen_entry(self) -> int | None:
        """The last entry about what a form changes when the form was shown; None where it does not say so."""
        return whole_number(self.request.POST.get("seen", ""))

    def sending(self, token: str | None) -> Sending:
        """Return what a form sent, with its token: where it was sent, its fields, and the files by name and size."""
        left_out = {"csrfmiddlewaretoken", "token", "save", "seen", "pin"}  # a PIN is kept as its salted hash alone
        fields = {name: values for name, values in self.request.POST.lists() if name not in left_out}
        uploads = {name: self.request.FILES.getlist(name) for name in self.request.FILES}
        files = {name: [(file.name, file.size) for file in sent] for name, sent in uploads.items()}
        return Sending.of(token, [self.request.path, fields, files])

    def let_go(self) -> None:
        """Drop what was looked at; request and page hold each other, so that it would stay until they are collected."""
        for name in [*vars(self)]:
            if isinstance(getattr(type(self), name, None), cached_property):
                delattr(self, name)


def page(
    role: Role, *, ladder: bool = False, form: bool = False, lags: bool = False, by_code: bool = False
) -> Callable[[View], View]:
    """Make a view a page of a club that needs a role: it gets a `Here` in place of slug and request.

    Visitors see it as far as the club is open to them; `ladder` marks what they see of one that shows its ladder only.
    `form` marks a page that takes a form; others are only looked at. `lags` marks one whose list may follow an earlier
    entry while a new one is solved. `by_code` marks the page of one player's card for whoever has its code, even where
    the club is closed to visitors: they see it as visitors do, without the names that are hidden from these.
    """
    methods = FORM_METHODS if form else SAFE_METHODS

    def decorate(view: View) -> View:
        @wraps(view)
        def run(request: HttpRequest, slug: str, **given: Any) -> HttpResponseBase:
            if request.method not in methods:
                return HttpResponseNotAllowed(methods)
            club, who = Club.objects.filter(slug=slug).first(), None
            if club is not None and by_code:
                opened = opens(club, given["key"], given.pop("code"))
                who = Actor(club, Role.VISITOR, by_code=True) if opened else None
            elif club is not None:
                who = actor(club, request.user)
            if club is None or who is None or who.sees_nothing:
                return _nothing_here(request)
            enter(club)
            return _answered(request, Here(actor=who, request=request, lags=lags), role, view, given, ladder=ladder)

        run.role, run.methods = role, methods  # type: ignore[attr-defined]
        return run

    return decorate


def _nothing_here(request: HttpRequest) -> HttpResponseBase:
    """Answer for a club that is not here, and for a closed one to who may not see it: nobody can tell which it is.

    Who is not signed in may have been a minute ago: a form that they sent is kept through signing in.
    """
    if request.method == "POST" and not request.user.is_authenticated:
        return ask_to_sign_in(request)
    raise Http404


def _unavailable_while_busy(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Answer 503, and in how many seconds to send again, where other writers kept a form from being saved."""
    if getattr(request, "busy", False) and response.status_code == 200:
        response.status_code = 503
        response["Retry-After"] = str(WAIT)
    return response


def _answered(
    request: HttpRequest, here: Here, role: Role, view: View, given: dict[str, Any], *, ladder: bool
) -> HttpResponseBase:
    """Return the answer of a view to who may ask; else the way to sign in, or NotAllowedError."""
    who = here.actor
    speak(request, who.club)
    request.here = here  # type: ignore[attr-defined]  # pages of errors name the club too
    try:
        who.need(role)
        if not who.by_code:
            need_look(who, ladder=ladder)
    except NotAllowedError:
        if who.user is None:
            return ask_to_sign_in(request)
        raise
    here.day, here.day_known = _past_day(request, "as_of"), _past_day(request, "known")
    if here.is_past and request.method not in SAFE_METHODS:
        raise InputError("the past is only looked at; write without as_of and known")
    ASKER.set(partial(asker, request))
    try:
        return _unavailable_while_busy(request, _viewed(here, view, given))
    except NotInClubError as error:
        raise Http404(str(error)) from None
    except NotAllowedError:
        if who.user is None and request.method == "POST" and "pin" not in request.POST:  # no form of the tablet
            return ask_to_sign_in(request)
        raise
    finally:
        here.let_go()


def _viewed(here: Here, view: View, given: dict[str, Any]) -> HttpResponseBase:
    """Return what a view answers; what is only looked at, it reads as at one moment, while others write."""

    def answer() -> HttpResponseBase:
        here.let_go()  # of what a snapshot has shown that ended
        return view(here, **given)

    return read_snapshot(answer) if here.request.method in SAFE_METHODS else view(here, **given)


def posted(request: HttpRequest) -> QueryDict | None:
    """Return what a form has sent, None if none was sent."""
    return request.POST if request.method == "POST" else None


def public(view: View, methods: tuple[str, ...] = SAFE_METHODS) -> View:
    """Open a view that belongs to no club to everybody, for reading alone."""

    @wraps(view)
    def run(request: HttpRequest, **given: Any) -> HttpResponseBase:
        return view(request, **given) if request.method in methods else HttpResponseNotAllowed(methods)

    run.role, run.methods = Role.VISITOR, methods  # type: ignore[attr-defined]
    return run


def public_form(view: View) -> View:
    """Make a view that belongs to no club, and takes a form, open to everybody."""
    return public(view, FORM_METHODS)


def _past_day(request: HttpRequest, name: str) -> date | None:
    """Return a day that is over; today's list is the current one."""
    day = day_of(request, name)
    return None if day is None or day >= today() else day
