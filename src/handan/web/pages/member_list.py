"""Members by a list that is pasted or uploaded: what its columns mean, who is there already, and one button."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from handan.club.member_list import listed
from handan.club.service.players import register_members
from handan.club.sheet_text import rows_of
from handan.errors import FieldError, InputError
from handan.files.io.decoding import to_utf8
from handan.files.io.options import Options
from handan.web.pages.forms import new_token
from handan.web.pages.here import Here, page
from handan.web.pages.refusals import refusal

MOST = 2_000  # our choice: members of one list
LONGEST = 500_000  # bytes; our choice: of a list


@page(register_members.role)
def new_players(here: Here) -> HttpResponse:
    """Read a list, show what it says, and register whom its reader has ticked."""
    context: dict[str, Any] = {"token": new_token(), "text": ""}
    if here.posted is not None:
        try:
            context["text"] = _text(here)
            columns, members = listed(here.state, rows_of(context["text"]))
            if not members or len(members) > MOST:
                raise FieldError("text", "", f"at least one member and at most {MOST:,}")
            free = [member for member in members if not (member.fault or member.alike or member.twice)]
            names = ["numbers" if column == "ids" else column for column in columns]
            context |= {"columns": names, "members": members, "free": len(free)}
            if "save" in here.posted:
                chosen = [member for member in members if str(member.number) in here.posted.getlist("member")]
                if not chosen:
                    raise InputError(_("Nobody is ticked."))
                here.write(register_members(here.actor, chosen), here.posted.get("token"))
                number = len(chosen)
                text = ngettext("{number} member is registered.", "{number} members are registered.", number)
                messages.success(here.request, text.format(number=number))
                return redirect("ladder", slug=here.club.slug)
        except InputError as error:
            context["refused"] = refusal(error)
    return render(here.request, "handan/new_players.html", context)


def _text(here: Here) -> str:
    """Return the text that was pasted, or that of the file."""
    upload = here.request.FILES.get("file")
    if upload is None:
        text = here.request.POST.get("text", "").replace("\x00", "")
        if len(text) > LONGEST:
            raise FieldError("text", f"{len(text):,} characters", f"at most {LONGEST:,}")
        return text
    if (upload.size or 0) > LONGEST:
        raise FieldError("file", f"{upload.size:,} bytes", f"at most {LONGEST:,} bytes")
    return to_utf8(upload.read(), upload.name or "list", Options())[0].decode()
