"""A file of games that can be read in two ways is asked about on the page, and the file is not sent twice."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any

import pytest

from tests import spreadsheets
from tests.forms import extended_but
from tests.spreadsheets import Sheet, excel
from tests.web.test_entering import client_of

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
UNKNOWN = [["Spieler A", "Spieler B", "Wer?"], ["Ada Lind", "Bo Quist", "B+R"], ["Bo Quist", "Ada Lind", "W+3.5"]]


@pytest.fixture
def keeper(club: Club) -> Client:
    from handan.club.store.models import Role

    return client_of(club, Role.KEEPER)


def sent(keeper: Client, club: Club, fields: dict[str, Any]) -> str:
    return html.unescape(keeper.post(f"/{club.slug}/games/sheet/", fields).content.decode())


def uploaded(keeper: Client, club: Club, name: str, data: bytes) -> str:
    from django.core.files.uploadedfile import SimpleUploadedFile

    return sent(keeper, club, {"file": SimpleUploadedFile(name, data)})


def hidden(page: str) -> dict[str, list[str]]:
    """Return what the form of a question sends again."""
    fields: dict[str, list[str]] = {}
    form = page.partition('enctype="multipart/form-data"')[2].partition("</form>")[0]
    for name, value in HIDDEN.findall(form):
        fields.setdefault(name, []).append(value)
    return fields


ASKING = [name for name, (_, option) in spreadsheets.asking().items() if option]


@pytest.mark.parametrize("name", extended_but(ASKING[:2], ASKING))
def test_each_question_of_the_readers_is_a_form_whose_answers_read_the_file(
    keeper: Client, club: Club, name: str
) -> None:
    data, option = spreadsheets.asking()[name]
    page = uploaded(keeper, club, name, data)
    field = f"as-{option.removeprefix('--')}"
    answers = re.findall(rf'<input type="radio" name="{field}" value="([^"]+)"', page)
    assert len(answers) >= 2
    assert "Give --" not in page
    for answer in answers:
        read = sent(keeper, club, hidden(page) | {field: [answer, *hidden(page).get(field, ())]})
        assert re.search(r"\d games? read", read), read


def test_the_days_that_a_date_may_be_are_shown(keeper: Client, club: Club) -> None:
    page = uploaded(keeper, club, "dates.csv", b"date,black,white,result\n03/09/2025,Ada,Bo,B+R\n")
    assert "Which comes first in its dates, the day or the month?" in page
    assert "03/09/2025" in page
    for language, days in {"en": ("3 September 2025", "9 March 2025"), "fr": ("3 septembre 2025", "9 mars 2025"),
                           "ja": ("2025年9月3日", "2025年3月9日")}.items():  # fmt: skip
        keeper.defaults["HTTP_ACCEPT_LANGUAGE"] = language
        question = uploaded(keeper, club, "dates.csv", b"date,black,white,result\n03/09/2025,Ada,Bo,B+R\n")
        choices = re.findall(r'name="as-dates" value="(\w+)" required>\s*(.*?)\s*</label>', question)
        assert dict(choices) == dict(zip(("dmy", "mdy"), days, strict=True)), language
    del keeper.defaults["HTTP_ACCEPT_LANGUAGE"]
    march = sent(keeper, club, hidden(page) | {"as-dates": "mdy"})
    assert "2025-03-09" in march


def test_columns_of_unknown_names_are_asked_for(keeper: Client, club: Club) -> None:
    page = uploaded(keeper, club, "club.xlsx", excel(Sheet("x", UNKNOWN)))
    fields = hidden(page)
    assert fields["as-heading"] == UNKNOWN[0]
    again = sent(keeper, club, fields | {"as-meaning": ["black", "black", "result"]})
    assert "Black is chosen for two columns" in again
    assert hidden(again)["as-heading"] == UNKNOWN[0]
    read = sent(keeper, club, fields | {"as-meaning": ["black", "white", "result"]})
    assert "2 games read" in read
    assert "Ada Lind" in read


def test_what_was_answered_stays_when_more_is_asked(keeper: Client, club: Club) -> None:
    rows = b"Spieler A;Spieler B;Wer?;Tag\nAda Lind;Bo Quist;B+R;03/09/2025\n"
    page = uploaded(keeper, club, "club.csv", rows)
    page = sent(keeper, club, hidden(page) | {"as-meaning": ["black", "white", "result", "date"]})
    assert "Which comes first" in page
    read = sent(keeper, club, hidden(page) | {"as-dates": "dmy"})
    assert "1 game read" in read
    assert "2025-09-03" in read


def test_a_file_that_is_too_large_to_be_kept_is_asked_for_again(
    keeper: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.web.pages import sheet

    monkeypatch.setattr(sheet, "SPARE", 1 << 40)
    rows = b"date,black,white,result\n03/09/2025,Ada,Bo,B+R\n"
    page = uploaded(keeper, club, "dates.csv", rows)
    assert "kept" not in hidden(page)
    assert 'type="file"' in page.partition("send it again with the answer")[2]
    assert "Send the file again" in sent(keeper, club, {"kept": "no file"})


@pytest.mark.parametrize("name", ["持" * 120 + ".csv", "a" * 3000, "..", "x\x00y.csv", "", "x." + "y" * 400])
def test_whatever_a_file_is_called_it_is_read(keeper: Client, club: Club, name: str) -> None:
    import base64
    import zlib

    rows = b"black,white,result\nAda,Bo,B+R\n"
    kept = base64.b64encode(zlib.compress(rows)).decode()
    assert "1 game read" in sent(keeper, club, {"kept": kept, "kept-name": name})
    if name not in {"..", ""}:  # which Django itself refuses
        assert "1 game read" in uploaded(keeper, club, name, rows)


@pytest.mark.parametrize("encoding", ["idna", "punycode", "rot13", "zip", "undefined", "no\x00ne"])
def test_an_encoding_that_no_file_has_is_refused(keeper: Client, club: Club, encoding: str) -> None:
    import base64
    import zlib

    for rows in ("black,white,result\nÅda,Bo,B+R\n", "; CL[No]\n1 Äda 3k SE X 2+/b0\n2 Bo 2k SE X 1-/w0\n"):
        kept = base64.b64encode(zlib.compress(rows.encode())).decode()
        page = sent(keeper, club, {"kept": kept, "kept-name": "a.csv", "as-encoding": encoding})
        assert "is unknown" in page
