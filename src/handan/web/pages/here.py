"""What every page of a club starts from: who asks, of which club, as of which day; and what pages are for whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404

from handan.club.brake import ASKER
from handan.club.clock import at_place
from handan.club.entries import Record
from handan.club.folding import State
from handan.club.idempotency import Sending
from handan.club.members import Actor, NotAllowedError, actor
from handan.club.models import Club, Entry, Role
from handan.club.once import once
from handan.club.reading import live_standings, standings_of, state_known, state_of, today
from handan.club.replay import Standings
from handan.club.rules import Rules
from handan.club.sealing import HIDDEN
from handan.club.visiting import Hidden, hidden, may_look, seen_state
from handan.club.waiting_writers import BusyError, is_busy
from handan.club.writing import Make, write
from handan.errors import FieldError, InputError
from handan.ledger import When
from handan.systems import SYSTEMS
from handan.web.operations.client_address import asker
from handan.web.pages.kept_pages import for_all
from handan.web.pages.waiting import WaitingGames, waiting_games

WAIT = 2  # seconds; our choice: after which a form that others kept from being written may be sent again
View = Callable[..., HttpResponseBase]


@dataclass
class Here:
    """One request about one club."""

    request: HttpRequest
    actor: Actor
    live: bool = False
    """Whether it is about now, whatever days are asked for."""

    @property
    def club(self) -> Club:
        """The club."""
        return self.actor.club

    @property
    def posted(self) -> QueryDict | None:
        """What a form has sent, None if none was sent."""
        return posted(self.request)

    @once
    def state(self) -> State:
        """The club now, or as known at the end of the day `known`, as who asks may see it."""
        state = state_of(self.club) if self.day_known is None else state_known(self.club, self.day_known)
        return seen_state(self.actor, state)

    @once
    def day(self) -> date | None:
        """The last day whose games count (`as_of`), None: all."""
        return None if self.live else _day(self.request, "as_of")

    @once
    def day_known(self) -> date | None:
        """The day whose knowledge is asked (`known`), None: now."""
        return None if self.live else _day(self.request, "known")

    @once
    def standings(self) -> Standings:
        """The standings under the club's rules, as of and as known on the days asked."""
        if self.day is not None or self.day_known is not None:
            return standings_of(self.state, self.day)
        standings = live_standings(self.club, lambda state: seen_state(self.actor, state))
        self.__dict__["state"] = standings.state  # an entry may have come since the state was looked at
        return standings

    @once
    def others(self) -> dict[str, Standings]:
        """Standings of the same games under the systems asked for besides (`with`), by name."""
        names = [name for name in self.request.GET.getlist("with") if name in SYSTEMS and name != self.rules.system]
        self.standings  # noqa: B018  # so that they are those of the same entry
        return {name: self.under(name) for name in dict.fromkeys(names)}

    @property
    def rules(self) -> Rules:
        """The rules in force; known even where they find no answer for these games."""
        return self.state.rules_on(self.day or today())

    @once
    def waiting(self) -> WaitingGames:
        """The games that wait for who asks, whatever days are asked for."""
        return waiting_games(self.actor)

    @once
    def my_card(self) -> str:
        """The key of the player who asks; empty for who is none."""
        key = self.actor.player
        return self.state.person(key).key if key in self.state.people else ""

    def under(self, system: str) -> Standings:
        """Return the standings of all games under another system with its published constants."""
        return standings_of(self.state, self.day, Rules(system))

    @once
    def hidden(self) -> Hidden | None:
        """Whom a visitor does not see by name; None for members, who see everybody."""
        return None if self.actor.may(Role.PLAYER) else hidden(self.club, state_of(self.club))

    def seen(self, record: Record) -> Record:
        """Return an entry as who asks may see it."""
        return record if self.hidden is None else self.hidden.telling.without(record, HIDDEN)

    def write(self, make: Make, token: str | None = None, *, ahead: bool = False) -> list[Entry]:
        """Write to the ledger in the name of who asks; `ahead` if that takes long to make."""
        by = self.actor
        try:
            return write(self.club, make, author=by.name, user=by.user, sending=self.sending(token), ahead=ahead)
        except OperationalError as error:
            if not is_busy(error):
                raise
            self.request.busy = True  # type: ignore[attr-defined]  # the form comes back with what was typed, and 503
            raise BusyError from error

    def sending(self, token: str | None) -> Sending:
        """Return what a form sent, with its token: where it was sent, its fields, and the files by name and size."""
        left_out = {"csrfmiddlewaretoken", "token", "save"}
        fields = {name: values for name, values in self.request.POST.lists() if name not in left_out}
        uploads = {name: self.request.FILES.getlist(name) for name in self.request.FILES}
        files = {name: [(file.name, file.size) for file in sent] for name, sent in uploads.items()}
        return Sending.of(token, [self.request.path, fields, files])

    def let_go(self) -> None:
        """Drop what was looked at; request and page hold each other, so that it would stay until they are collected."""
        for name in ("state", "standings", "others", "waiting", "hidden"):
            self.__dict__.pop(name, None)

    @property
    def label(self) -> str:
        """What kind of list the standings are: live, or what they leave out."""
        parts = []
        if self.day:
            parts.append(f"games up to {self.day}")
        if self.day_known:
            parts.append(f"as known on {self.day_known}")
        return ", ".join(parts) or "live"


def page(role: Role, *, ladder: bool = False) -> Callable[[View], View]:
    """Make a view a page of a club that needs a role: it gets a `Here` in place of slug and request.

    Visitors see it as far as the club is open to them; `ladder` marks what they see of one that shows its ladder only.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def run(request: HttpRequest, slug: str, **given: Any) -> HttpResponseBase:
            club = get_object_or_404(Club, slug=slug)
            with at_place(club):
                return _answered(request, club, role, view, given, ladder=ladder)

        run.role = role  # type: ignore[attr-defined]
        return run

    return decorate


def _told_busy(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Return a page; with 503 and when to send again if it is a form that others kept from being written."""
    if getattr(request, "busy", False) and response.status_code == 200:
        response.status_code = 503
        response["Retry-After"] = str(WAIT)
    return response


def _answered(
    request: HttpRequest, club: Club, role: Role, view: View, given: dict[str, Any], *, ladder: bool
) -> HttpResponseBase:
    """Return the answer of a view to who may ask; else the way to sign in, or NotAllowedError."""
    who = actor(club, request.user)
    request.here = here = Here(request, who)  # type: ignore[attr-defined]
    if not who.may(role):
        if who.user is None:
            return redirect_to_login(request.get_full_path())
        who.need(role)
    if not may_look(who, ladder=ladder):
        if who.user is None:
            return redirect_to_login(request.get_full_path())
        raise NotAllowedError(f"{club.name} shows this to its members only")
    if (here.day or here.day_known) and request.method not in {"GET", "HEAD"}:
        raise InputError("the past is only looked at; write without as_of and known")
    ASKER.set(asker(request))
    try:
        return for_all(request, club, lambda: _told_busy(request, view(here, **given)))
    finally:
        here.let_go()


def posted(request: HttpRequest) -> QueryDict | None:
    """Return what a form has sent, None if none was sent."""
    return request.POST if request.method == "POST" else None


def public(view: View) -> View:
    """Mark a view that belongs to no club as open to everybody."""
    view.role = Role.VISITOR  # type: ignore[attr-defined]
    return view


def known_player(here: Here, key: str) -> str:
    """Return the key of a player, that of the one they were merged into if so; 404 for a stranger."""
    try:
        return here.state.person(key).key
    except InputError as error:
        raise Http404(str(error)) from None


def known_game(here: Here, key: str) -> dict[str, Any]:
    """Return the row of a game; 404 if there is none."""
    try:
        return here.state.game(key)
    except InputError as error:
        raise Http404(str(error)) from None


def _day(request: HttpRequest, name: str) -> date | None:
    text = request.GET.get(name, "").strip()
    if not text:
        return None
    try:
        when = When.parse(text)
    except FieldError as error:
        raise FieldError(name, text, "a day such as 2026-05-01") from error
    if when.precision < 10:
        raise FieldError(name, text, "a day such as 2026-05-01")
    return None if when.moment.date() >= today() else when.moment.date()


__all__ = ["Here", "NotAllowedError", "known_game", "known_player", "page", "posted", "public"]
