"""Files of results that members send in: what one says, what became of it, and who accepts or returns it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from handan.club.kinds import Kind
from handan.club.new_games import TwinError
from handan.club.service.submissions import (
    DECIDE,
    LONGEST_NOTE,
    SEND,
    ResultFile,
    accept,
    file_of,
    give_back,
    send,
    submission_with,
    submissions_for,
    take_back,
)
from handan.club.store.models import Decision, Entry, Submission
from handan.club.store.submissions import refuse_decided
from handan.club.store.writing import RateLimitError
from handan.errors import FieldError, InputError
from handan.files.io.limits import UPLOADS
from handan.ledger import Ledger
from handan.web.operations.uploads import TooManyFilesError, apart, ledger_of
from handan.web.pages.forms import Marked, SheetForm
from handan.web.pages.here import Here, page, page_of
from handan.web.pages.refusals import refusal
from handan.web.pages.sheet import (
    UnaskedError,
    kept_with,
    options_of,
    read_file,
    read_text,
    reading_of,
    refuse_size,
    saved_sheet,
    sent_file,
)

TYPED = {"changed": "text", "people": "people", "events": "events"}
"""What of a sheet a form sends, by the names that the page has for it."""
ROWS = 30  # our choice: files a page


class SubmissionForm(Marked):
    """A file of results with a word about it."""

    file = forms.FileField(required=False, label=_("file"))
    note = forms.CharField(
        required=False, max_length=LONGEST_NOTE, widget=forms.Textarea(attrs={"rows": 3}), label=_("Comments")
    )


class ReturnForm(Marked):
    """Why a file goes back to who sent it."""

    word = forms.CharField(max_length=LONGEST_NOTE, widget=forms.Textarea(attrs={"rows": 3}), label=_("reason"))


@page(SEND, form=True)
def submissions(here: Here) -> HttpResponse:
    """The files that were sent in, latest first, and a form that sends another, which is read and shown before."""
    form = SubmissionForm(here.posted, here.request.FILES or None)
    if here.posted is not None and form.is_valid():
        try:
            return _sent(here, form)
        except TooManyFilesError:
            raise
        except (InputError, RateLimitError) as error:
            form.put_error(error)
    part = page_of(here.request, submissions_for(here.actor), ROWS)
    context = {"form": form, "rows": part.object_list, "part": part,
               "decides": here.actor.may(DECIDE)}  # fmt: skip
    return render(here.request, "handan/submissions.html", context)


def _sent(here: Here, form: SubmissionForm) -> HttpResponse:
    """Show what a file says, or send it in once that was seen."""
    sent = sent_file(here, form.cleaned_data["file"])
    if sent is None:
        raise FieldError("file", "", "a file")
    data, name = sent
    ResultFile(name, data).refuse_size()
    kept = {each: form.cleaned_data[each] for each in ("token", "note")}
    ledger, question = read_file(here, data, name, kept)
    if ledger is None:
        return render(here.request, "handan/sheet_question.html", question)
    refuse_size(ledger)
    options = options_of(here.request.POST, UPLOADS)
    if "send" in here.request.POST:
        row = send(
            here.actor, ResultFile.answered(name, data, options), ledger, kept["note"], here.sending(kept["token"])
        )
        messages.success(here.request, gettext("The file is submitted."))
        return redirect("submission", slug=here.club.slug, number=row.pk)
    context = {"form": form, "asks": kept_with(data, name, options), "refused": "", **_reading(here, ledger)}
    return render(here.request, "handan/submission_preview.html", context)


def _reading(here: Here, ledger: Ledger) -> dict[str, Any]:
    """Return what a page shows of the games of a file, or why they cannot be entered as they are."""
    try:
        return reading_of(here, ledger)
    except InputError as error:
        return {"refused": refusal(error)}


@page(SEND, form=True)
def submission(here: Here, number: int) -> HttpResponse:
    """One file: what it says, as long as it waits, and what became of it."""
    row = submission_with(here.actor, number)
    posted = here.posted if here.posted is not None else {}
    form, returned = SheetForm(here.posted), ReturnForm(here.posted if "return" in posted else None)
    try:
        if "take-back" in posted or ("return" in posted and returned.is_valid()):
            return _decided(here, row, returned)
    except InputError as error:
        if not returned.is_bound or submission_with(here.actor, number).decision != Decision.WAITING:
            raise  # to the page that shows what was typed, as there is no form any more
        returned.put_error(error)
    if "save" in posted and here.written_before(posted.get("token")):
        return redirect("submission", slug=here.club.slug, number=number)
    reading = _entered(here, row, form)
    if isinstance(reading, HttpResponse):
        return reading
    if "count" not in reading:  # what was typed stays
        reading |= {name: posted.get(part, "") for name, part in TYPED.items()}
    context = {"form": form, "returned": returned, "row": row, "decides": here.actor.may(DECIDE),
               "events_entered": events_entered(here, row),
               "is_own": row.sender == here.actor.user, "as_sent": not form.is_valid() or not form.cleaned_data["text"],
               **reading}  # fmt: skip
    return render(here.request, "handan/submission.html", context)


def _entered(here: Here, row: Submission, form: SheetForm) -> HttpResponse | dict[str, Any]:
    """Enter the games of a file that waits where the form says so, or return what a page shows of them.

    InputError for the form of a file that was decided meanwhile; its page has no form that would hold what was typed.
    """
    saved = here.posted is not None and "save" in here.posted
    if saved:
        refuse_decided(row)
    if row.decision != Decision.WAITING:
        return {}
    try:
        ledger = _ledger(row, form)
        if saved and form.is_valid():
            try:
                return saved_sheet(here, form, ledger, lambda by, *given, **wish: accept(by, row.pk, *given, **wish))
            except (TwinError, UnaskedError) as error:
                form.put_error(error)
        return _reading(here, ledger)
    except TooManyFilesError:
        raise
    except InputError as error:
        return {"refused": refusal(error)}


def events_entered(here: Here, row: Submission) -> list[dict[str, str]]:
    """Return key and title of the events that an accepted file has entered or brought up to date."""
    kinds = (Kind.EVENT_ENTERED, Kind.EVENT_CHANGED)
    entries = Entry.objects.filter(club=here.club, number__range=(row.first_entry or 0, row.last_entry or 0))
    events = map(here.state.events.get, entries.filter(kind__in=kinds).values_list("subject", flat=True))
    return [
        {"key": event.key, "title": here.state.label_of(event.name) or event.key}
        for event in events
        if event and not event.withdrawn
    ]


def _ledger(row: Submission, form: SheetForm) -> Ledger:
    """Return the games of a file that waits, or of the text that a form sends in its place."""
    if form.is_bound and not form.is_valid():
        raise InputError(str(next(iter(form.errors.values()))[0]))
    if form.is_bound and form.cleaned_data["text"]:
        ledger = read_text(form)
        refuse_size(ledger)
        return ledger
    file = file_of(row)
    return apart(ledger_of, file.data, file.name, file.options(UPLOADS))


def _decided(here: Here, row: Submission, form: ReturnForm) -> HttpResponse:
    """Return a file with a word, or take one's own back."""
    token = here.request.POST.get("token")
    if "return" in here.request.POST:
        row = give_back(here.actor, row.pk, form.cleaned_data["word"], here.sending(token))
        messages.success(here.request, gettext("The file is returned."))
    else:
        row = take_back(here.actor, row.pk, here.sending(token))
        messages.success(here.request, gettext("The file is taken back."))
    return redirect("submission", slug=here.club.slug, number=row.pk)
