"""Whatever is typed into a form that is refused stands in it again: every form of every page, every field wrong."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

from handan.paper import PAPERS
from tests.web.test_pages import MakeClub, signed_in
from tests.web.test_roles import NEEDS, address, full  # noqa: F401  # a fixture

if TYPE_CHECKING:
    from handan.club.store.models import Club

TYPED = {"text", "search", "date", "email", "number", "url", "color"}
BEYOND_FORMS = {"sheet", *(f"pdf-{paper}" for paper in PAPERS)}
"""The grid of a sheet is looked at by tests of its own, `test_sheet_grid`; papers have no forms."""


@dataclass
class Form:
    """A form that is sent by `post`: where to, what it sends as it stands, and what is typed into it."""

    action: str
    sent: dict[str, str] = field(default_factory=dict)
    typed: dict[str, str] = field(default_factory=dict)


class Forms(HTMLParser):
    """The forms in the middle of a page, each filled in with what no field takes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._select = ""
        self.feed(page.partition("<main")[2].partition("</main>")[0])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(given.get("action", "")) if given.get("method") == "post" else None
            self.forms += [self._form] if self._form else []
        elif self._form is not None:
            self._part(tag, given, self._form)

    def _part(self, tag: str, given: dict[str, str], form: Form) -> None:
        name, kind = given.get("name", ""), given.get("type", "text")
        if tag == "select":
            self._select = name
        elif tag == "option" and self._select:
            form.sent[self._select] = given.get("value", "")  # the last one
        elif tag == "textarea" or (tag == "input" and kind in TYPED):
            form.typed[name] = f"zz {name} ﾂﾞ"
        elif tag == "input" and kind in {"hidden", "radio"}:
            form.sent[name] = given.get("value", "")
        elif tag == "button" and name and not form.sent.get(""):
            form.sent |= {name: given.get("value", ""), "": "pressed"}  # Enter presses the first one

    def handle_endtag(self, tag: str) -> None:
        self._form = None if tag == "form" else self._form
        self._select = "" if tag == "select" else self._select


@pytest.fixture
def administrator(club: Club) -> Any:
    from handan.club.store.models import Role
    from tests.web.test_pages import signed_in

    return signed_in(club, Role.ADMINISTRATOR)


def test_every_field_of_a_form_that_is_refused_holds_what_was_typed(
    club: Club,
    full: dict[str, str],  # noqa: F811
    administrator: Any,
) -> None:
    names = sorted(name for names in NEEDS.values() for name in names if name not in BEYOND_FORMS)
    lost, refused = list[tuple[str, str]](), 0
    for path in [*(address(name, full) for name in names), "/clubs/new/", "/account/"]:
        page = administrator.get(path)
        if page.status_code != 200 or not page["Content-Type"].startswith("text/html"):
            continue
        for form in Forms(page.content.decode()).forms:
            if not form.typed:
                continue
            sent = {name: value for name, value in {**form.sent, **form.typed}.items() if name}
            answer = administrator.post(form.action or path, sent)
            if answer.status_code in {302, 303}:  # nothing was wrong with it
                continue
            refused += 1
            again = html.unescape(answer.content.decode())
            kept = (f'value="{text}"' in again or f"{text}</textarea>" in again for text in form.typed.values())
            lost += [(path, name) for name, stands in zip(form.typed, kept, strict=True) if not stands]
    assert lost == []
    assert refused > 8


def test_what_is_sent_too_often_stays_and_is_sent_by_one_button(
    make_club: MakeClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store import writing
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club = make_club("points", card="tokyo15")
    client = signed_in(club, Role.SECRETARY)

    def refuse(_user: object) -> None:
        raise writing.too_often(60)

    with monkeypatch.context() as busy:
        busy.setattr(writing, "_not_too_often", refuse)
        sent = {"name": "Ada Lovelace", "rank": "5k", "reading": "エイダ", "token": "t-1", "save": "1"}
        answer = client.post(f"/{club.slug}/players/new/", sent)
    assert answer.status_code == 429
    page = answer.content.decode()
    assert "Nothing was saved. What you typed is still here." in page
    for label, text in (("Name", "Ada Lovelace"), ("Reading", "エイダ"), ("Rank", "5k")):
        assert re.search(rf'<dt>{label}</dt>\s*<dd class="as-typed">{text}</dd>', page)
    form = page[page.index('action="') :]
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form))
    again = client.post(f"/{club.slug}/players/new/", {**fields})
    assert again.status_code == 302
    assert [person.name for person in state_of(club).active.values()] == ["Ada Lovelace"]


def test_what_was_typed_by_who_may_not_write_it_is_shown_without_a_button(make_club: MakeClub) -> None:
    from handan.club.store.models import Role

    club = make_club("points", card="tokyo15")
    answer = signed_in(club, Role.PLAYER).post(f"/{club.slug}/players/new/", {"name": "Ada Lovelace", "rank": "5k"})
    assert answer.status_code == 403
    page = answer.content.decode()
    assert "Ada Lovelace" in page
    assert "Send now" not in page


JUNK = ("zz {name} ﾂﾞ", "2999-01-01", "-7", "99999999999999", "Ada\u200bBo", "account", "x" * 6000, "{{")
"""What is typed into every field of a form; some are right for some fields, and all are wrong for others."""


def errors_of(client: Any, paths: list[str]) -> set[str]:
    """Return what Japanese pages of forms say is wrong with `JUNK` in all of their fields, and in each alone."""
    errors: set[str] = set()
    header = {"Accept-Language": "ja"}
    for path in paths:
        page = client.get(path, headers=header)
        if page.status_code != 200 or not page["Content-Type"].startswith("text/html"):
            continue
        for form in Forms(page.content.decode()).forms:
            for typed in filled_in(form):
                sent = {name: value for name, value in {**form.sent, **typed}.items() if name}
                sent |= {"language": "ja"} if "language" in sent else {}
                answer = client.post(form.action or path, sent, headers=header)
                if answer.status_code in {302, 303} or answer.streaming:
                    continue
                text = html.unescape(answer.content.decode())
                marked = re.findall(r'class="error"[^>]*>(.*?)</p>', text, re.DOTALL)
                errors |= {re.sub(r"<[^>]+>", "", item) for item in marked}
    return errors


def filled_in(form: Form) -> Iterator[dict[str, str]]:
    for junk in JUNK if form.typed else ():
        yield {name: junk.replace("{name}", name) for name in form.typed}
    for name in form.typed:
        for junk in ("zz", "account", "-7"):
            yield {**dict.fromkeys(form.typed, ""), name: junk}


@pytest.mark.extended
def test_what_is_wrong_with_a_field_is_said_in_the_language_of_the_page(
    club: Club,
    full: dict[str, str],  # noqa: F811
    administrator: Any,
) -> None:
    """In one language: what no catalog has stays English in every other, and no catalog lacks what another has."""
    names = sorted(name for names in NEEDS.values() for name in names if name not in BEYOND_FORMS)
    errors = errors_of(administrator, [*(address(name, full) for name in names), "/clubs/new/", "/account/"])
    assert len(errors) > 20
    errors = {text.replace(club.name, "") for text in errors}
    assert {text for text in errors if re.search(r"[a-z]{2,}(?: [a-z]{2,}){2,}", text)} == set()
