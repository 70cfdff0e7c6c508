"""Work that may take long: a page that is sent bit by bit says how far it is, and at its end what came of it.

No script is needed, and who leaves loses nothing: the work goes on in a thread of its own. Only for work that few may
ask for, such as bringing a whole ledger.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextvars import copy_context
from dataclasses import dataclass
from threading import BoundedSemaphore, Event, Lock, Thread
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeVar

from django.contrib import messages
from django.db import InterfaceError, OperationalError, connections
from django.http import HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, override

from handan.club.service.operation import Change
from handan.club.store.clock import at_place
from handan.club.store.database import note_failure
from handan.errors import HandanError, InputError
from handan.web.operations.failures import failure_words
from handan.web.pages.forms import Marked
from handan.web.pages.here import Here
from handan.web.pages.refusals import refusal
from handan.web.pages.saved import Saved, say_saved, written
from handan.web.pages.wording import page_language

Done = TypeVar("Done")
LOG = logging.getLogger("handan.web")
PATIENCE = 1.0  # seconds; our choice: what takes no longer is answered as any form
STEP = 1.0  # seconds; our choice: how often the page says how far it is
SILENCE = 15.0  # seconds; our choice: a server in front closes what says nothing for a minute
AT_ONCE = 4  # our choice: works that go on at once beside one that is in turn; who leaves their pages ends none
WAITS = gettext_noop("Other work that takes long is going on. This begins as soon as that has ended.")
BEGINS = gettext_noop("The other work has ended; this begins now.")
TEMPLATE, PLACE = "handan/long_work.html", "<!-- how far it is -->"


class Stage(NamedTuple):
    """How far the work is."""

    words: str = ""
    """A sentence with {number} and {whole}, in English."""
    number: int = 0
    whole: int = 0


class LongWork(Generic[Done]):
    """Work that has begun."""

    _one_at_a_time = Lock()  # of this process: the others would only wait for the database
    _few_at_a_time = BoundedSemaphore(AT_ONCE)

    def __init__(self, work: Callable[[Callable[[str, int, int], None]], Done], *, in_turn: bool = True) -> None:
        """Begin; `work` gets a function that takes a sentence, a number and the whole.

        In turn: it waits until no other work that is `in_turn` goes on; else until fewer than AT_ONCE of the others do.
        """
        self._turns = self._one_at_a_time if in_turn else self._few_at_a_time
        self.stage = Stage()
        self._work = work
        self._made: list[Done] = []
        self._error: Exception | None = None
        self._seen = Event()
        self._thread = Thread(target=self._run, name="long work", daemon=True)
        self._thread.start()
        self._seen.wait()

    @property
    def waits(self) -> bool:
        """Whether it waits for other work."""
        return self.stage.words == WAITS

    def ended_soon(self) -> bool:
        """Wait `PATIENCE` seconds at most; return whether it has ended by then."""
        return self.ended(PATIENCE)

    def ended(self, seconds: float) -> bool:
        """Wait so long at most; return whether it has ended."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def made(self) -> Done:
        """Return what it made, or raise what it was refused for, once it has ended; it can be asked for once."""
        error, self._error = self._error, None
        try:
            if error is not None:
                raise error
            return self._made.pop()
        finally:
            del error  # whose frames hold the work and all that it read, and would hold each other

    def _run(self) -> None:
        try:
            self._take_turn()
            try:
                self._made.append(self._work(self._note))
            finally:
                self._turns.release()
        except Exception as error:  # noqa: BLE001  # raised again where it is asked for
            self._error = error
        finally:
            connections.close_all()  # those of this thread

    def _take_turn(self) -> None:
        """Wait until it may go on beside the others, and note that it waits."""
        at_once = self._turns.acquire(blocking=False)
        if not at_once:
            self.stage = Stage(WAITS)
        self._seen.set()
        if not at_once:
            self._turns.acquire()
            self.stage = Stage(BEGINS)

    def _note(self, words: str, number: int, whole: int) -> None:
        self.stage = Stage(words, number, whole)


def shown_while(
    request: HttpRequest, work: LongWork[Any], title: str, back: str, done: Callable[[Any], str]
) -> StreamingHttpResponse:
    """Return the page of a work that has not ended yet.

    Args:
        request: Who asked for it.
        work: The work.
        title: Of the page.
        back: Where somebody goes on who is told that it was refused.
        done: Returns the end of the page, as HTML, from what was made.
    """
    page = render_to_string(TEMPLATE, {"title": title, "place": PLACE}, request)
    answer = StreamingHttpResponse(_pieces(page, work, back, done, page_language()))
    answer["X-Accel-Buffering"] = "no"  # else a server in front sends all of it at the end
    answer["Cache-Control"] = "no-store"
    return answer


def _pieces(
    page: str, work: LongWork[Any], back: str, done: Callable[[Any], str], language: str
) -> Iterator[str]:  # fmt: skip
    """Go through the page: what stands before its place, how far the work is, what came of it, the rest."""
    head, _place, tail = page.partition(PLACE)
    yield head
    last, spoke = Stage(), monotonic()
    ended = False
    while not ended:
        stage = work.stage
        if stage != last:
            with override(language):  # never beyond a `yield`: what goes through the page may be another thread then
                words = _(stage.words).format(number=stage.number, whole=stage.whole)
                line = render_to_string("handan/parts/stage.html", {"words": words}) + "\n"
            last, spoke = stage, monotonic()
            yield line
        elif monotonic() - spoke >= SILENCE:
            spoke = monotonic()
            yield "\n"
        ended = work.ended(STEP)
    with override(language):
        end = _end(work, back, done)
    yield end + tail


def _end(work: LongWork[Any], back: str, done: Callable[[Any], str]) -> str:
    """Return what came of it."""
    try:
        return done(work.made())
    except HandanError as error:
        text = refusal(error)
    except (OperationalError, InterfaceError) as error:
        LOG.exception("the database refused work that was shown bit by bit")
        note_failure(error)
        text = _(failure_words(error))
    except Exception:
        LOG.exception("work that was shown bit by bit failed")
        text = _("The fault is ours. Nothing was half-written: the ledger takes a change whole or not at all.")
    return end_of_work(text, back, _("Back to the form"), refused=True)


def end_of_work(text: str, after: str, button: str, *, refused: bool = False) -> str:
    """Return the end of the page: what came of the work, and a button that leads on."""
    context = {"text": text, "after": after, "button": button, "refused": refused}
    return render_to_string("handan/parts/end_of_work.html", context)


Report = Callable[[str, int, int], None]
WRITES = gettext_noop("The change is checked and written.")
RATES = gettext_noop("It is written. Games that are rated now: {number}.")
TRIES = gettext_noop("Nothing is written. Games that are rated to see what would change: {number}.")


@dataclass(frozen=True, slots=True)
class Page:
    """The page of a form whose change takes long."""

    title: str
    template: str
    part: str
    """Template of its middle, for who has waited for it."""
    done: str
    """What is said once the change is written."""
    after: str
    """Address of the page that is shown then."""
    names_moves: bool = False
    """Whether that page says whom it moved, and takes it back by one button."""


def answered(
    here: Here, page: Page, form: Marked, change: Callable[[], Change], look: Callable[[Change], dict[str, Any]] | None,
    context: Callable[[], dict[str, Any]],
) -> HttpResponseBase:  # fmt: skip
    """Write a change, or look at what it would do, and answer with the page that follows.

    Args:
        here: The request.
        page: Of the form.
        form: As it was sent; a refusal is put on it.
        change: Makes the change; InputError as it does.
        look: Returns what the page shows of a change; None: it is written.
        context: Returns what the page shows besides.
    """
    place, language, games = here.club, page_language(), len(here.state.games)
    token = form.cleaned_data["token"]

    def work(report: Report) -> dict[str, Any] | Saved:
        with at_place(place), override(language):
            try:
                if look is not None:
                    report(TRIES, games, games)
                    return {**context(), **look(change())}
                report(WRITES, 0, 0)
                return written(here, change(), token, lambda: report(RATES, games, games))
            except InputError as error:
                if look is None and (entries := here.written_before(token)):
                    return Saved(entries, "")  # sent twice: it cannot be done again because it is done
                form.put_error(error, here.shown_name)
                return context()

    running = copy_context()  # who asks, and how much they may let the server work out
    begun = LongWork(lambda report: running.run(work, report), in_turn=False)
    if begun.ended_soon():
        made = begun.made()
        if not isinstance(made, Saved):
            return render(here.request, page.template, made)
        if page.names_moves:
            say_saved(here, page.done, made.entries, moved=made.moved)
        else:
            messages.success(here.request, page.done)
        return redirect(page.after)

    def end(made: dict[str, Any] | Saved) -> str:
        if not isinstance(made, Saved):
            with at_place(place):
                return render_to_string(page.part, made, here.request)
        return end_of_work(page.done, page.after, _("Go on"))

    return shown_while(here.request, begun, page.title, here.request.path, end)
