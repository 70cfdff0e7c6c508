"""Members by a list, as text or as a workbook: what its columns mean, who is there already, and one button."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from handan.club.member_list import MEMBER, headed, listed, other_ranks
from handan.club.service.players import enter_memberships, register_members
from handan.club.sheet_text import MOST_CELLS, rows_of
from handan.club.store.clock import today
from handan.errors import Clause, FieldError, InputError
from handan.files.cells.sums import are_sums_with_numbers, passed_over_sums
from handan.files.tables.player_tables import PARTS, columns_of
from handan.web.operations.uploads import TooManyFilesError, apart, rows_of_list
from handan.web.pages.forms import new_token, one_file
from handan.web.pages.here import Here, page
from handan.web.pages.refusals import refusal
from handan.web.pages.saved import say_saved
from handan.web.pages.vocabulary import rating_label

MOST = 2_000  # our choice: members of one list
HEADING = "first-is-heading"
LONGEST = 500_000  # bytes; our choice: of a list


@page(register_members.role, form=True)
def new_players(here: Here) -> HttpResponse:
    """Read a list, show what it says, and register whom its reader has ticked."""
    context: dict[str, Any] = {"token": new_token(), "text": "", "as_of": str(today())}
    if here.posted is not None:
        context["as_of"] = here.posted.get("as_of", context["as_of"])
        try:
            context["text"] = here.posted.get("text", "").replace("\x00", "")  # stays there also if it is refused
            context["text"] = _text(here, context["text"])
            rows, meanings = headed(rows_of(context["text"])), _meanings(here.posted)
            heading = HEADING in here.posted or not meanings
            columns, members = listed(here.state, rows, meanings, first_is_heading=heading)
            if not members or len(members) > MOST:
                expected = Clause.of("at least one member and at most {most}", most=f"{MOST:,}")
                raise FieldError("text", "", expected)
            free = [member for member in members if not (member.fault or member.alike or member.twice)]
            words = {"ids": _("numbers"), "rating": rating_label(here.rules)}
            words |= {"paid_until": _("paid until"), "born": _("born in")}
            context |= {
                "means": columns,
                "columns": [words.get(column, column) for column in columns],
                "members": [
                    (member, refusal(member.fault, fields=words) if member.fault else "") for member in members
                ],
                "rating": rating_label(here.rules) if any(member.rating for member in members) else "",
                "other_ranks": other_ranks(here.rules.made, members),
            }
            if sums := sum(map(are_sums_with_numbers, rows)):
                context["sums"] = passed_over_sums(sums)
            context |= {"free": len(free), "all_well": not any(member.fault for member in members)}
            context |= {"asks": _columns(rows, columns), "heading": heading and bool(columns)}
            context |= {"meanings": [(name, words.get(name, name)) for name in (*MEMBER, *PARTS)]}
            if "save" in here.posted:
                ticked = [member for member in members if str(member.number) in here.posted.getlist("member")]
                words_of = {member.number: here.posted.get(f"word-{member.number}", "").strip() for member in ticked}
                chosen = [replace(member, club=words_of[member.number] or member.club) for member in ticked]
                if not chosen:
                    raise InputError(_("Nobody is ticked."))
                as_of = here.posted.get("as_of", "")
                entries = here.write(register_members(here.actor, chosen, as_of), here.posted.get("token"))
                enter_memberships(here.actor, chosen, entries)
                number = len(chosen)
                text = ngettext("{number} member is registered.", "{number} members are registered.", number)
                say_saved(here, text.format(number=number), entries)
                return redirect("ladder", slug=here.club.slug)
        except TooManyFilesError:
            raise
        except InputError as error:
            context["refused"] = refusal(error)
    return render(here.request, "handan/new_players.html", context)


def _text(here: Here, text: str) -> str:
    """Return the text that was pasted, or that of the file; FieldError for one that is too long."""
    upload = one_file(here.request, "file")
    if upload is None:
        if len(text) > LONGEST:
            raise FieldError("text", f"{len(text):,}", Clause.of("at most {most} characters", most=f"{LONGEST:,}"))
        return text
    if (upload.size or 0) > LONGEST:
        raise FieldError("file", f"{upload.size:,}", Clause.of("at most {most} bytes", most=f"{LONGEST:,}"))
    data, name = upload.read(), upload.name or "list"
    sheets = apart(rows_of_list, data, name)
    if isinstance(sheets, str):
        return sheets
    if not sheets:
        raise FieldError("file", name, "a workbook with a list of members")
    out = io.StringIO()
    csv.writer(out, delimiter="\t", lineterminator="\n").writerows(
        headed(next((rows for rows in sheets if columns_of(headed(rows)[0])), sheets[0]))
    )
    return out.getvalue()


def _meanings(posted: QueryDict) -> list[str]:
    """Return what each column holds, as whoever sent the list says; none where nothing is said."""
    return [meaning if meaning in (*MEMBER, *PARTS) else "" for meaning in posted.getlist("meaning")][:MOST_CELLS]


def _columns(rows: Sequence[Sequence[str]], columns: list[str]) -> list[tuple[str, str]]:
    """Return the first cell of each column, and what it is taken for."""
    width = max(map(len, rows))
    first = [*rows[0], *[""] * (width - len(rows[0]))]
    return list(zip(first, [*columns, *[""] * (width - len(columns))], strict=True))
