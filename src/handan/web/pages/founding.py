"""Making clubs and federations on the pages: a new one, or one of an exported ledger."""

from __future__ import annotations

import gzip
from contextlib import ExitStack
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, cast

from django import forms
from django.conf import settings
from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from handan.club.changes.club_facts import LONGEST_NAME
from handan.club.exchange import DAMAGED, DAMAGED_WORDS, MAGIC, packed_wrongly
from handan.club.rules import checked
from handan.club.store.access import NotAllowedError
from handan.club.store.founding import (
    Founding,
    Imported,
    Report,
    found_by_ledger,
    found_club,
    may_found,
    open_federations,
)
from handan.club.store.idempotency import Sending
from handan.club.zones import zone_names
from handan.errors import Clause, InputError
from handan.systems import SYSTEMS
from handan.web.pages.forms import Marked, language_choices, one_file, zone_field
from handan.web.pages.here import posted, public_form
from handan.web.pages.long_work import LongWork, end_of_work, shown_while
from handan.web.pages.refusals import refusal
from handan.web.pages.unsent import for_accounts

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class FoundingForm(Marked):
    """A new club or federation."""

    name = forms.CharField(
        max_length=LONGEST_NAME, label=_("name of the club"), widget=forms.TextInput(attrs={"autofocus": True})
    )
    slug = forms.CharField(
        max_length=40,
        label=_("address"),
        help_text=_("where the club's pages are: small letters, digits and hyphens; it never changes"),
        widget=forms.TextInput(attrs={"placeholder": _("such as sendai-go"), "autocapitalize": "none"}),
    )
    system = forms.ChoiceField(
        choices=lambda: [(name, gettext(title)) for name, title in SYSTEMS.titles().items()], label=_("system")
    )
    federation = forms.ChoiceField(
        required=False, label=_("belongs to"), help_text=_("a federation is a club to which others belong")
    )
    language = forms.ChoiceField(choices=language_choices, required=False, label=_("language"))
    zone = zone_field()

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        federations = [("", gettext("no federation")), *((club.slug, club.name) for club in open_federations(user))]
        self.fields["federation"].choices = federations  # type: ignore[attr-defined]

    def founding(self) -> Founding:
        """Return what is said of the new club."""
        values = self.cleaned_data
        rules = checked(values["system"], {})
        return Founding(values["slug"], values["name"], rules, values["language"], values["zone"], values["federation"])


class LedgerForm(forms.Form):
    """A ledger that was exported."""

    ledger = forms.FileField(label=_("file"), help_text=_("a ledger as exported, such as club-ledger.jsonl.gz"))


@public_form
@for_accounts
def new_club(request: HttpRequest) -> HttpResponse:
    """Make a club, and show the link for its first secretary once."""
    user = _founder(request)
    form = FoundingForm(user, posted(request), initial={"system": "points"})
    context: dict[str, Any] = {"form": form, "zones": sorted(zone_names()), "ledger": LedgerForm()}
    if request.method == "POST" and form.is_valid():
        with form.put_errors():
            sending = Sending.of(form.cleaned_data["token"], ["new-club", form.cleaned_data["slug"]])
            club, secret = found_club(user, form.founding(), sending)
            link = request.build_absolute_uri(reverse("join", args=[secret]))
            return render(request, "handan/founded.html", {"club": club, "link": link})
    return render(request, "handan/new_club.html", context)


@public_form
@for_accounts
def import_ledger(request: HttpRequest) -> HttpResponseBase:
    """Make a club of an exported ledger, whose every entry is verified on the way."""
    user = _founder(request)
    form = LedgerForm(posted(request), request.FILES or None)
    if request.method == "POST" and form.is_valid():
        try:
            one_file(request, "ledger")
            work = _begun(user, _unpacked(form.cleaned_data["ledger"]))
            if work.waits or not work.ended_soon():
                title = gettext("Import a ledger")
                return shown_while(request, work, title, reverse("import-ledger"), _brought)
            made = work.made()
        except InputError as error:
            form.add_error("ledger", refusal(error))
        else:
            messages.success(request, _is_here(made))
            return redirect("office", slug=made.club.slug)
    return render(request, "handan/import.html", {"form": form})


def _begun(user: User, stream: IO[bytes]) -> LongWork[Imported]:
    """Begin to make a club of a ledger, which is closed at the end."""

    def work(report: Report) -> Imported:
        with stream:
            return found_by_ledger(user, stream, report=report)

    with ExitStack() as unless_begun:
        unless_begun.enter_context(stream)
        begun = LongWork(work)
        unless_begun.pop_all()
        return begun


def _is_here(made: Imported) -> str:
    text = ngettext("{name} is here: {number} entry.", "{name} is here: {number} entries.", made.entries)
    return text.format(name=made.club.name, number=made.entries)


def _brought(made: Imported) -> str:
    """Return the end of the page on which a ledger was brought."""
    return end_of_work(_is_here(made), reverse("office", args=[made.club.slug]), gettext("Office"))


def _founder(request: HttpRequest) -> User:
    user = cast("User", request.user)  # for_accounts has seen to it
    if not may_found(user):
        raise NotAllowedError("this needs the role of an administrator in a club of this server")
    return user


def _unpacked(upload: UploadedFile[bytes]) -> IO[bytes]:
    """Return an upload, unpacked; InputError for one that is too large or damaged."""
    source: Any = upload.file
    packed = source.read(2) == MAGIC
    source.seek(0)
    stream, size = (gzip.GzipFile(fileobj=source) if packed else source), 0
    with ExitStack() as opened:
        made = opened.enter_context(TemporaryFile())
        try:
            while part := stream.read(1_000_000):
                size += len(part)
                if size > settings.LEDGER_LIMIT:
                    raise InputError("this ledger is too large for a page; the operator imports it")
                made.write(part)
        except DAMAGED as error:
            raise InputError(Clause.of(DAMAGED_WORDS, why=packed_wrongly(error))) from None
        made.seek(0)
        opened.pop_all()
        return made
