"""Ledgers that are brought on the pages: one that waits for another, and those that are refused, in every language."""

from __future__ import annotations

import io
import json
import re
from html import unescape
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest

from tests.catalogs import filled
from tests.web.test_languages import TWO
from tests.web.test_office import new_slug, with_slug
from tests.web.test_pages import registered, signed_in

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

pytestmark = pytest.mark.database


@pytest.fixture
def administrator(club: Club) -> Client:
    from handan.club.store.models import Role

    return signed_in(club, Role.ADMINISTRATOR)


@pytest.mark.parametrize("language", TWO)
def test_a_ledger_that_waits_for_another_says_so_at_once(
    club: Club, administrator: Client, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    from handan.club.store.models import Club
    from handan.web.pages import long_work

    taken = b"".join(administrator.get(f"/{club.slug}/ledger.jsonl.gz").streaming_content)  # type: ignore[attr-defined]
    ledger = with_slug(taken, slug := new_slug())
    go_on = Event()
    other = long_work.LongWork(lambda _: go_on.wait(60))
    assert not other.waits
    monkeypatch.setattr(long_work, "STEP", 0.01)
    answer: Any = administrator.post(
        "/clubs/import/", {"ledger": io.BytesIO(ledger)}, headers={"Accept-Language": language}
    )
    pieces = iter(answer.streaming_content)
    next(pieces)
    catalog = filled(language)
    waits = str(catalog[long_work.WAITS].string)
    assert next(pieces).decode() == f"<p>{waits}</p>\n"
    assert not Club.objects.filter(slug=slug).exists()
    go_on.set()
    end = b"".join(pieces).decode()
    assert f'href="/{slug}/office/"' in end
    assert other.ended(20)
    assert other.made()


@pytest.mark.parametrize("language", TWO)
def test_a_ledger_that_does_not_fit_is_refused_in_the_language_of_the_page(
    club: Club, administrator: Client, language: str
) -> None:
    registered(administrator, club, "Ada", "3d")
    registered(administrator, club, "Bo", "3k")
    taken = b"".join(administrator.get(f"/{club.slug}/ledger.jsonl.gz").streaming_content)  # type: ignore[attr-defined]
    head, *entries = with_slug(taken, new_slug()).splitlines(keepends=True)
    first, second = json.loads(entries[0]), json.loads(entries[1])
    changed = json.dumps({**second, "entered": "2001-01-01T00:00:00+00:00"}).encode() + b"\n"
    elsewhere = json.dumps({**second, "previous": "0" * 64}).encode() + b"\n"
    unreadable = json.dumps({**first, "kind": "picnic held"}).encode() + b"\n"
    too_long = json.dumps({**first, "author": "A" * 5000}).encode() + b"\n"
    endless = {name: value for name, value in json.loads(head).items() if name != "entries"}
    damaged = {
        "changed": [head, entries[0], changed, *entries[2:]],
        "broken chain": [head, entries[0], elsewhere, *entries[2:]],
        "one missing": [head, entries[0], *entries[2:]],
        "no entry": [head, unreadable, *entries[1:]],
        "too long": [head, too_long, *entries[1:]],
        "too many": [json.dumps({**json.loads(head), "entries": 1}).encode() + b"\n", *entries],
        "no end": [json.dumps(endless).encode() + b"\n", *entries],
        "signed by nobody": [json.dumps({**json.loads(head), "signature": "0" * 128}).encode() + b"\n", *entries],
    }
    for what, lines in damaged.items():
        texts = {}
        for spoken in ("en", language):
            sent = {"ledger": io.BytesIO(b"".join(lines))}
            answer: Any = administrator.post("/clubs/import/", sent, headers={"Accept-Language": spoken})
            page = b"".join(answer).decode()
            texts[spoken] = unescape(re.findall(r'class="error"[^>]*>(.*?)</p>', page, re.DOTALL)[0])
        assert texts["en"] != texts[language], what
        assert not re.search(r"\b(?:entry|the|ledger|line|digest|which)\b", texts[language]), texts[language]


@pytest.mark.parametrize("fault", ["too large", "damaged", "not begun"])
def test_a_ledger_that_is_not_brought_leaves_no_file_open(
    club: Club, administrator: Client, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    from tempfile import TemporaryFile

    from handan.web.pages import founding

    made = list[Any]()

    def kept() -> Any:
        made.append(TemporaryFile())  # noqa: SIM115  # the page closes it
        return made[-1]

    def never(_: Any) -> None:
        raise RuntimeError("can't start new thread")

    ledger = b"".join(administrator.get(f"/{club.slug}/ledger.jsonl.gz").streaming_content)  # type: ignore[attr-defined]
    monkeypatch.setattr(founding, "TemporaryFile", kept)
    if fault == "too large":
        monkeypatch.setattr("django.conf.settings.LEDGER_LIMIT", 1)
    elif fault == "not begun":
        monkeypatch.setattr(founding, "LongWork", never)
    administrator.raise_request_exception = False
    sent = ledger[:40] if fault == "damaged" else ledger
    answer = administrator.post("/clubs/import/", {"ledger": io.BytesIO(sent)})
    assert answer.status_code == (500 if fault == "not begun" else 200)
    assert [file.closed for file in made] == [True]
