"""The record sheet: what an upload may cost the server."""

from __future__ import annotations

import gzip
import io
from itertools import count
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

import polars as pl
import pytest

from handan.files import Limits
from handan.files.io.limits import UPLOADS
from tests import spreadsheets

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from handan.club.store.models import Club

NUMBERS = count(1)


@pytest.fixture
def keeper(club: Club) -> Client:
    from django.test import Client

    from handan.club.store.members import new_account, set_member
    from handan.club.store.models import Role

    user = new_account(f"sheet-{next(NUMBERS)}", "a long enough phrase")
    set_member(club, user, Role.KEEPER, author="x")
    client = Client()
    client.force_login(user)
    return client


def table(rows: int) -> pl.DataFrame:
    return pl.DataFrame({"black": ["A"], "white": ["B"], "result": ["B+"]}).select(pl.all().repeat_by(rows).explode())


def packed(rows: int, ending: str) -> bytes:
    stream = io.BytesIO()
    if ending == "parquet":
        table(rows).write_parquet(stream)
        return stream.getvalue()
    text = table(rows).write_csv().encode()
    return gzip.compress(text) if ending == "csv.gz" else text


@pytest.mark.parametrize("ending", ["parquet", "csv", "csv.gz"])
def test_an_upload_of_too_many_games_is_refused_in_one_line(
    keeper: Client, club: Club, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from handan.web.pages import sheet

    assert (UPLOADS.games, UPLOADS.unpacked) == (5_000, 16_000_000)
    monkeypatch.setattr(sheet, "UPLOADS", Limits(games=20))
    for rows, refused in ((20, False), (21, True)):
        upload = SimpleUploadedFile(f"games.{ending}", packed(rows, ending))
        answer = keeper.post(f"/{club.slug}/games/sheet/", {"file": upload}).content.decode()
        assert ("at most 20 games at once" in answer) == refused
        assert "--allow" not in answer


def test_an_upload_that_unpacks_to_too_much_is_refused(
    keeper: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from handan.web.pages import sheet

    monkeypatch.setattr(sheet, "UPLOADS", Limits(unpacked=1000))
    upload = SimpleUploadedFile("games.csv.gz", packed(1000, "csv.gz"))
    answer = keeper.post(f"/{club.slug}/games/sheet/", {"file": upload}).content.decode()
    assert "more than 1,000 bytes when unpacked" in answer


@pytest.mark.parametrize("name", ["excel_games_on_second_sheet.xlsx", "libreoffice.ods", "japanese_shift_jis.csv"])
def test_a_spreadsheet_is_read_as_it_is_uploaded(keeper: Client, club: Club, name: str) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    upload = SimpleUploadedFile(name, spreadsheets.readable()[name])
    answer = keeper.post(f"/{club.slug}/games/sheet/", {"file": upload}).content.decode()
    assert all(player in answer for player in ("Ada Lind", "Bo Quist", "B+3.5"))


def test_a_sheet_of_too_many_games_is_refused_in_a_word(
    club: Club, keeper: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.web.pages import sheet

    monkeypatch.setattr(sheet, "MOST_GAMES", 3)
    monkeypatch.setattr(sheet, "enter_sheet", None)  # nothing is made of them
    lines = "\n".join(["Ada,Bo,B+"] * 4)
    answer = keeper.post(f"/{club.slug}/games/sheet/", {"text": lines}).content.decode()
    assert "at most 3 games at once; send them in parts, or let whoever runs the server load the file" in answer


def test_games_of_other_days_are_no_twins_and_those_of_no_day_may_be(club: Club, keeper: Client) -> None:
    for day in ("2026-05-01", ""):
        keeper.post(
            f"/{club.slug}/games/sheet/",
            {"text": f"Ada,Bo,B+,,,{day}", "save": "1", "another": "on", "newcomers": "on"},
        )
    for day, alike in (("2026-05-01", True), ("2026-05-02", False), ("", True)):
        answer = keeper.post(f"/{club.slug}/games/sheet/", {"text": f"Ada,Bo,B+R,,,{day}", "save": "1"})
        assert ("looks like" in answer.content.decode()) is alike
        assert answer.status_code == (200 if alike else 302)


def test_who_comes_while_too_many_files_are_read_is_asked_to_send_it_again(
    keeper: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.web.operations import uploads

    none = BoundedSemaphore(1)
    none.acquire()
    monkeypatch.setattr(uploads, "_places", none)
    monkeypatch.setattr(uploads, "PATIENCE", 0.01)
    answer = keeper.post(f"/{club.slug}/games/sheet/", {"text": "Ada,Bo,B+"})
    assert answer.status_code == 503
    assert "Too many files are being read" in answer.content.decode()


def test_why_rows_are_left_out_is_shown_also_where_no_game_is_left(keeper: Client, club: Club) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    path = f"/{club.slug}/games/sheet/"
    bad = "black,white,result\nAda,Bo,maybe\nAda,Ada,B+\n"
    answer = keeper.post(path, {"file": SimpleUploadedFile("bad.csv", bad.encode())}).content.decode()
    assert "No game could be read from it" in answer
    assert "maybe" in answer
    assert "another player than black" in answer
    assert "at least one game" not in answer
    some = f"{bad}Ada,Bo,B+\n"
    answer = keeper.post(path, {"file": SimpleUploadedFile("some.csv", some.encode())}).content.decode()
    assert "1 game read" in answer
    assert "maybe" in answer


def test_a_table_in_which_one_long_value_stands_for_many_rows_is_refused_before_its_rows_are_read(
    keeper: Client, club: Club, tmp_path: Path
) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from tests.command_line import run

    long = pl.Series("black", ["x" * 9_000]).cast(pl.Categorical).new_from_index(0, 5_000)  # 45 MB of text
    stream = io.BytesIO()
    pl.DataFrame(long).with_columns(white=pl.lit("b"), result=pl.lit("B+")).write_parquet(stream)
    assert len(stream.getvalue()) < 10_000
    upload = SimpleUploadedFile("games.parquet", stream.getvalue())
    answer = keeper.post(f"/{club.slug}/games/sheet/", {"file": upload}).content.decode()
    assert "more than 16,000,000 bytes in a text file" in answer
    assert "--allow" not in answer
    path = tmp_path / "games.parquet"
    path.write_bytes(stream.getvalue())
    done = run("check", path, "--allow", "line=1k")
    assert done.status == 2
    assert "more than 1,024 bytes in one line" in done.err


def test_a_workbook_whose_rows_are_formatted_to_the_last_is_uploaded(keeper: Client, club: Club) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    from tests.test_files_spreadsheets import with_sheet

    data = with_sheet('<row r="1048576"><c r="A1048576" s="1"/><c r="H1048576" s="1"/></row></sheetData>')
    answer = keeper.post(f"/{club.slug}/games/sheet/", {"file": SimpleUploadedFile("games.xlsx", data)})
    assert "1 game read" in answer.content.decode()
