"""`handan print`: papers from files, from a card alone and from a club of the server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from tests.paper.printed import needs_pdf
from tests.web.test_record_sheet import entered

if TYPE_CHECKING:
    from handan.club.store.models import Club

GAMES = ROOT / "examples" / "games.csv"


@pytest.mark.parametrize("paper", ["cards", "points", "sheet", "plates", "list", "month"])
def test_a_file_of_games_becomes_a_paper(paper: str, tmp_path: Path) -> None:
    out = tmp_path / "paper.html"
    output = run("print", paper, GAMES, "--card", "tokyo15", "--title", "Sakura Go Club", "-o", out)
    assert output.status == 0, output.err
    assert str(out) in output.err
    html = out.read_text(encoding="utf-8")
    assert "Sakura Go Club" in html
    assert "List of 16 September 2026" in html
    assert ("Alice" in html) == (paper != "sheet")


def test_only_the_members_named_are_printed(tmp_path: Path) -> None:
    out = tmp_path / "cards.html"
    assert "of 1 member:" in run("print", "cards", GAMES, "--player", "Bob", "-o", out).err
    html = out.read_text(encoding="utf-8")
    assert "Bob" in html
    assert "Alice" not in html


def test_a_rating_list_is_of_a_country_and_a_club_where_one_is_named(tmp_path: Path) -> None:
    out, cup = tmp_path / "list.html", tmp_path / "cup.h9"
    cup.write_text(
        "; EV[Cup]\n; DT[2026-05-01]\n1 Lind Ada 3d SE Ume 2 2+ 3+\n2 Weiss Bo 1k DE Kob 1 1- 4+\n"
        "3 Berg Cy 2k SE Sto 1 4+ 1-\n4 Roth Di 3k DE Kob 0 3- 2-\n",
        encoding="utf-8",
    )
    for given, names in (
        (["--country", "SE"], {"Lind", "Berg"}),
        (["--of-club", "Kob"], {"Weiss", "Roth"}),
        (["--country", "SE", "--of-club", "Ume"], {"Lind"}),
    ):
        assert run("print", "list", cup, "--system", "egf", *given, "-o", out).status == 0
        html = out.read_text(encoding="utf-8")
        assert {name for name in ("Lind", "Weiss", "Berg", "Roth") if name in html} == names
        assert ", ".join(given[1::2]) in html
    refused = run("print", "list", cup, "--system", "egf", "--country", "XX", "-o", out)
    assert "no member is chosen" in refused.err


def test_the_monthly_sheet_is_of_the_month_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "month.html"
    assert run("print", "month", GAMES, "--month", "2026-08", "-o", out).status == 0
    assert "Results of August 2026" in out.read_text(encoding="utf-8")
    assert "a month such as 2026-11" in run("print", "month", GAMES, "--month", "May", "-o", out).err


def test_a_poster_needs_a_card_and_no_files(tmp_path: Path) -> None:
    out, own = tmp_path / "poster.html", tmp_path / "our own.csv"
    own.write_text("difference,stones,komi\n0,0,6.5\n1,1,5.5\n2,1,4.5\n3,2,6.5\n4,2,5.5\n5,2,4.5\n", encoding="utf-8")
    assert run("print", "poster", "--card", own, "--language", "ja", "-o", out).status == 0
    html = out.read_text(encoding="utf-8")
    assert "手合割表" in html
    assert "our own" in html
    assert "黒から5目半" in html
    assert "name one, such as tokyo15" in run("print", "poster", "-o", out).err


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["postr", "--card", "tokyo15", "-o", "x.html"], "did you mean poster?"),
        (["cards", "-o", "x.html"], "name files of games, or a --club"),
        (["cards", str(GAMES), "--club", "sakura", "-o", "x.html"], "not from both"),
        (["cards", str(GAMES), "-o", "x.doc"], "written as .pdf or .html"),
        (["cards", str(GAMES), "--language", "xx", "-o", "x.html"], "one of en, ja"),
        (["cards", str(GAMES), "--player", "Zoe", "-o", "x.html"], "Zoe"),
    ],
)
def test_what_cannot_be_printed_is_said_in_one_line(given: list[str], words: str) -> None:
    output = run("print", *given)
    assert output.status == 2
    assert words in output.err


def test_a_club_of_the_server_is_printed_from_its_ledger(
    make_club: Callable[..., Club], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club import changes
    from handan.club.store.clock import today

    monkeypatch.setattr("handan.cli.django.started", lambda *_: None)  # it is
    monkeypatch.setattr("handan.cli.django.public_address", lambda _: "https://sakura.example/")
    club = make_club("points", card="tokyo15")
    key = entered(
        club, changes.players.register_player, {"name": "山田 春子", "reading": "やまだ はるこ", "country": "JP"}
    )
    entered(club, changes.players.adjust, key, {"rating": 182.0}, today(), "entry")
    out = tmp_path / "cards.html"
    output = run("print", "cards", "--club", club.slug, "--player", "やまだ", "-o", out)
    assert output.status == 0, output.err
    html = out.read_text(encoding="utf-8")
    assert "Club under test" in html
    assert '<span class="name pt21" lang="ja">山田 春子</span>' in html
    assert ">182<" in html
    assert "Live list of" in html
    assert run("print", "poster", "--club", club.slug, "-o", tmp_path / "poster.html").status == 0
    assert "fits nobody" in run("print", "cards", "--club", club.slug, "--player", "Zoe", "-o", out).err


@needs_pdf
def test_the_name_of_the_file_chooses_pdf(tmp_path: Path) -> None:
    out = tmp_path / "plates.pdf"
    assert run("print", "plates", GAMES, "-o", out).status == 0
    assert out.read_bytes().startswith(b"%PDF-")


def test_without_the_extra_a_pdf_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handan.paper.pdf.missing", lambda: "a PDF needs more parts: pip install 'handan[print]'")
    output = run("print", "plates", GAMES, "-o", tmp_path / "plates.pdf")
    assert output.status == 2
    assert "pip install 'handan[print]'" in output.err
    assert not (tmp_path / "plates.pdf").exists()
