"""Pages of the log: whom and what an entry is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from handan.club.kinds import Kind
from tests.web.test_pages import registered, signed_in, text

if TYPE_CHECKING:
    from handan.club.store.models import Club


def test_an_entry_names_whom_it_is_about_and_a_key_where_there_is_one(club: Club) -> None:
    from handan.club.store.models import Entry, Role

    secretary = signed_in(club, Role.SECRETARY)
    ada = registered(secretary, club, "Ada", "5k")

    def page_of(kind: Kind) -> str:
        entry = Entry.objects.filter(club=club, kind=str(kind)).latest("number")
        return text(secretary.get(f"/{club.slug}/log/{entry.number}/"))

    account = str(Entry.objects.get(club=club, kind=str(Kind.MEMBER_SET)).record.facts["account"])
    assert f"About {account} By" in page_of(Kind.MEMBER_SET)
    assert f"About Ada ({ada}) By" in page_of(Kind.PLAYER_REGISTERED)
