"""The club's office: fair terms, rules, the log, official lists, members, and the whole ledger as a file."""

from __future__ import annotations

import gzip
import secrets
from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from handan.club.accounts import link_for_member
from handan.club.clock import today
from handan.club.finding import player_meant
from handan.club.kinds import Kind
from handan.club.lists import listed_bytes
from handan.club.members import take_back
from handan.club.models import PasswordLink, Role
from handan.club.rules import Rules, checked
from handan.club.service.office import export_ledger, moved_in_past_year, publish_list, set_rules
from handan.club.service.people import account_of, give_role, invitations, invite_member, memberships
from handan.club.signing import fingerprint
from handan.club.writing import verify
from handan.errors import InputError
from handan.ledger import When
from handan.systems import SYSTEMS
from handan.web.pages.answers import csv_answer, json_answer
from handan.web.pages.asking import page_of, text_of, whole_number
from handan.web.pages.formatting import change_rows
from handan.web.pages.forms import PublishForm, RulesForm
from handan.web.pages.here import Here, page
from handan.wording.figures import brief, percent

ROWS = 100  # our choice: entries a page of the log
SEALS = {"salt", "sealed"}
"""What stands beside a name in the file of a list, so that its signature holds without the name."""
LOG = ("number", "kind", "subject", "author", "entered", "reason", "digest")


@page(Role.VISITOR)
def terms(here: Here) -> HttpResponse:
    """Two names: who takes what."""
    pair = {name: text_of(here.request, name) for name in ("one", "other")}
    fair, error = None, ""
    context: dict[str, Any] = {"pair": pair, "names": list(here.state.keys)}
    if all(pair.values()):
        try:
            one, other = (player_meant(here.state, pair[name], name) for name in ("one", "other"))
            fair, probability, newcomers = here.next_game(one, other)
            context |= {"chance": percent(probability), "newcomers": newcomers}
        except InputError as fault:
            error = str(fault)
    context |= {"fair": fair, "error": error}
    if fair:
        enter = {"black": fair.black, "white": fair.white, "handicap": fair.handicap, "komi": brief(fair.komi)}
        context["enter"] = enter
    name = "handan/parts/terms.html" if getattr(here.request, "htmx", False) else "handan/terms.html"
    return render(here.request, name, context)


@page(Role.VISITOR)
def rules(here: Here) -> HttpResponse:
    """The rules with their dates, for everybody; an administrator sets new ones, after a look at what they do."""
    chosen = here.request.POST.get("system") or here.request.GET.get("system") or here.rules.system
    chosen = chosen if chosen in SYSTEMS else here.rules.system
    start = {"system": chosen, "confirmation": here.rules.confirmation, "since": str(today())}
    if chosen == here.rules.system:
        start |= {f"set-{name}": _text(value) for name, value in here.rules.settings.items()}
    form = RulesForm(chosen, here.posted, initial=start)
    context: dict[str, Any] = {}
    if here.request.method == "POST":
        here.actor.need(set_rules.role)
        if form.is_valid():
            try:
                made = _rules(form)
                change = set_rules(here.actor, made, form.cleaned_data["reason"])
                if "preview" in here.request.POST:
                    context["moved"] = here.moved(change)
                    context["since"], year = moved_in_past_year(here.state, made)
                    context["year"] = change_rows(year)
                elif "look" not in here.request.POST:
                    here.write(change, form.cleaned_data["token"])
                    messages.success(here.request, _("The rules are set."))
                    return redirect("rules", slug=here.club.slug)
            except InputError as error:
                form.put_error(error)
    history = [
        {
            "rules": item,
            "title": item.made.title,
            "settings": [(name, _text(value)) for name, value in item.settings.items()],
        }
        for item in reversed(here.state.rules)
    ]
    context |= {"form": form, "history": history, "now": here.rules, "system": chosen}
    context |= {"today": today(), "zone": timezone.get_current_timezone_name()}
    return render(here.request, "handan/rules.html", context)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else brief(value)


def _rules(form: RulesForm) -> Rules:
    since = When.of(form.cleaned_data["since"] or None)
    day = since.moment.date() if since else None
    return checked(form.cleaned_data["system"], form.chosen(), day, form.cleaned_data["confirmation"])


@page(Role.VISITOR)
def log(here: Here) -> HttpResponse:
    """Every entry, latest first; open to members, and to visitors where the club says so."""
    entries = here.entries().reverse()
    if kind := text_of(here.request, "kind"):
        entries = entries.filter(kind=kind)
    if subject := text_of(here.request, "subject"):
        entries = entries.filter(subject=subject)
    part = page_of(here.request, entries, ROWS)
    context = {
        "entries": [here.seen(item.record) for item in part.object_list],
        "total": part.paginator.count,
        "page": part.number,
        "pages": part.paginator.num_pages,
        "kinds": [str(kind) for kind in Kind],
        "filters": {"kind": kind, "subject": subject},
    }
    return render(here.request, "handan/log.html", context)


@page(Role.VISITOR)
def entry(here: Here, number: int) -> HttpResponse:
    """One entry with its facts and its place in the chain."""
    record = here.seen(get_object_or_404(here.entries(), number=number).record)
    facts = {name: value for name, value in record.facts.items() if name != "content"}
    return render(here.request, "handan/entry.html", {"entry": record, "facts": facts})


@page(Role.VISITOR)
def log_csv(here: Here) -> HttpResponseBase:
    """The log as CSV."""
    rows = ({name: getattr(record, name) for name in LOG} for record in here.log())
    return csv_answer(({**row, "entered": row["entered"].isoformat()} for row in rows), LOG, f"{here.club.slug}-log")


@page(Role.VISITOR)
def log_json(here: Here) -> HttpResponse:
    """The log as JSON, with the facts of each entry."""
    return json_answer([record.as_dict() for record in here.log()])


@page(Role.PLAYER)
def check_chain(here: Here) -> HttpResponse:
    """Compute the chain of digests again."""
    number = verify(here.club)
    messages.success(
        here.request,
        _("The chain of {number} entries holds; the last digest is {digest}.").format(
            number=number, digest=here.state.digest
        ),
    )
    return redirect("log", slug=here.club.slug)


@page(Role.SECRETARY)
def export(here: Here) -> HttpResponseBase:
    """The whole ledger as one file, packed."""

    def packed() -> Iterator[bytes]:
        lines = export_ledger(here.actor)
        buffer: list[bytes] = []
        for line in lines:
            buffer.append(line)
            if len(buffer) >= 2000:
                yield gzip.compress(b"".join(buffer), mtime=0)  # members of a gzip file may follow each other
                buffer = []
        yield gzip.compress(b"".join(buffer), mtime=0)

    answer = StreamingHttpResponse(packed(), content_type="application/gzip")
    answer["Content-Disposition"] = f'attachment; filename="{here.club.slug}-ledger.jsonl.gz"'
    return answer


@page(Role.VISITOR)
def official(here: Here) -> HttpResponse:
    """The official lists, and publishing one."""
    form = PublishForm(here.posted, initial={"as_of": str(today())})
    if here.request.method == "POST":
        here.actor.need(publish_list.role)
        if form.is_valid():
            try:
                when = When.of(form.cleaned_data["as_of"] or None)
                day = when.last.date() if when else None
                here.write(publish_list(here.actor, day, form.cleaned_data["label"]), form.cleaned_data["token"])
                messages.success(here.request, _("The list is published."))
                return redirect("lists", slug=here.club.slug)
            except InputError as error:
                form.put_error(error)
    return render(
        here.request,
        "handan/lists.html",
        {
            "form": form,
            "lists": list(reversed(here.state.lists)),
            "key": here.state.key and fingerprint(here.state.key),
        },
    )


@page(Role.VISITOR)
def official_list(here: Here, number: int) -> HttpResponse:
    """An official list as it was published."""
    content = here.official_list(number)
    key = fingerprint(content["key"]) if "key" in content else ""
    return render(here.request, "handan/list.html", {"list": content, "rows": content["players"], "key": key})


@page(Role.VISITOR)
def official_json(here: Here, number: int) -> HttpResponse:
    """The very bytes of an official list, for `handan verify`."""
    answer = HttpResponse(listed_bytes(here.official_list(number)), content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="{here.club.slug}-list-{number}.json"'
    return answer


@page(Role.VISITOR)
def official_csv(here: Here, number: int) -> HttpResponseBase:
    """An official list as CSV."""
    rows = [{name: row[name] for name in row if name not in SEALS} for row in here.official_list(number)["players"]]
    return csv_answer(rows, tuple(rows[0]) if rows else ("place",), f"{here.club.slug}-list-{number}")


@page(Role.SECRETARY)
def members(here: Here) -> HttpResponse:
    """The members, their roles, and links that invite new ones."""
    if here.request.method == "POST":
        sending = here.sending(here.request.POST.get("token")).within()
        if name := here.request.POST.get("forgot"):
            return _members(here, new_password=link_for_member(here.actor, account_of(here.actor, name), sending))
        if number := whole_number(here.request.POST.get("take-back", "")):
            took = take_back(here.actor, number, sending)
            messages.success(
                here.request, _("The invitation is taken back: {role}.").format(role=_(Role(took.role).label))
            )
            return redirect("members", slug=here.club.slug)
        role = _role(here.request.POST.get("role", ""))
        player = here.request.POST.get("player", "").strip()
        key = player_meant(here.state, player, "player") if player else ""
        if name := here.request.POST.get("account"):
            give_role(here.actor, name, role, key, sending)
            messages.success(here.request, f"{name}: {_(role.label)}.")
            return redirect("members", slug=here.club.slug)
        secret = invite_member(here.actor, role, key, sending)
        return _members(here, link=here.request.build_absolute_uri(reverse("join", args=[secret])))
    return _members(here)


def _members(here: Here, link: str = "", new_password: tuple[str, PasswordLink] | None = None) -> HttpResponse:
    """Show the members, and a link that was just made."""
    rows = [
        {"user": item.user, "role": Role(item.role), "player": here.state.labels.get(item.player, ""),
         "key": item.player, "mine": item.role <= here.actor.role}
        for item in memberships(here.actor)
    ]  # fmt: skip
    invited = [
        {"made": item, "role": Role(item.role), "player": here.state.labels.get(item.player, item.player)}
        for item in invitations(here.actor)
    ]
    roles = [role for role in Role if Role.PLAYER <= role <= here.actor.role]
    context = {"rows": rows, "invitations": invited, "roles": roles, "link": link, "names": list(here.state.keys)}
    context["token"] = secrets.token_urlsafe(16)
    if new_password:
        password_secret, made = new_password
        context["reset"] = {"link": here.request.build_absolute_uri(reverse("new-password", args=[password_secret])),
                            "made": made}  # fmt: skip
    return render(here.request, "handan/members.html", context)


def _role(text: str) -> Role:
    try:
        return Role(int(text))
    except ValueError:
        raise InputError(f"{text!r} is not a role") from None


@page(Role.VISITOR, ladder=True)
def summary_json(here: Here) -> HttpResponse:
    """What the club is: its rules and where its ledger stands."""
    return json_answer(
        {
            "slug": here.club.slug,
            "name": here.club.name,
            "rules": [item.as_dict() for item in here.state.rules],
            "entry": here.state.number,
            "digest": here.state.digest,
            "players": len(here.state.active),
            "today": str(here.day or today()),
            "zone": timezone.get_current_timezone_name(),
        }
    )
