"""Ratings that files declare of players: kept with their origin, entered by where a setting says so, carried on."""

from __future__ import annotations

from pathlib import Path

import pytest

import handan
from tests.command_line import run

SAMPLES = Path(__file__).parent / "samples"


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A tournament of OpenGotha whose players bear ratings of several organisations."""
    text = (SAMPLES / "cup.xml").read_text(encoding="utf-8")
    for rank, rating, origin in (("3D", "2250", "EGF : 2250"), ("1K", "1900", "MAN"), ("2K", "-28", "AGA : -28.50"),
                                 ("5K", "1600", "INI")):  # fmt: skip
        text = text.replace(f'rank="{rank}"', f'rank="{rank}" rating="{rating}" ratingOrigin="{origin}"')
    path = tmp_path / "cup.xml"
    path.write_text(text, encoding="utf-8")
    return path


def declared(ledger: handan.Ledger) -> dict[str, tuple[float | None, str]]:
    return {
        player.name: (player.rating, player.rating_origin) for player in ledger.players if player.rating is not None
    }


def test_ratings_and_their_origins_are_kept_and_written_again(cup: Path, tmp_path: Path) -> None:
    ledger = handan.read(cup)
    ratings = declared(ledger)
    assert sorted(ratings.values()) == [(-28.5, "AGA"), (1900.0, "MAN"), (2250.0, "EGF")]
    assert handan.write(ledger, tmp_path / "again.xml") == []
    assert declared(handan.read(tmp_path / "again.xml")) == ratings
    for ending in (".csv", ".h9"):
        assert "declared ratings (3 players)" in handan.write(ledger, tmp_path / f"again{ending}")


@pytest.mark.parametrize("system", ["egf", "egf-classic"])
def test_players_enter_by_the_declared_rating_where_the_setting_says_so(system: str, cup: Path) -> None:
    ledger = handan.read(cup)
    name = next(player.name for player in ledger.players if player.rating_origin == "EGF")
    places = [(game, side) for game in range(len(ledger)) for side in (0, 1)
              if (ledger[game].black, ledger[game].white)[side] == name]  # fmt: skip
    by_rank, by_rating = handan.rate(ledger, system), handan.rate(ledger, system, entry="rating")
    game, side = next(place for place in places if by_rank.unrated[place[0]] == 0)
    assert by_rating.before[game, side] == 2250.0
    assert by_rank.before[game, side] != 2250.0
    assert "1 declared rating (EGF) is not used; --set entry=rating starts from it" in by_rank.warnings
    assert not [text for text in by_rating.warnings if "declared" in text]
    by_hand = ledger.with_adjustments([handan.Adjustment(name, rating=1500.0)])
    assert handan.rate(by_hand, system, entry="rating").before[game, side] == 1500.0


def test_a_preview_says_whose_scale_declared_ratings_are_on(cup: Path) -> None:
    """`event` shows ratings of several organisations apart, and those of one under its name."""
    several = run("event", cup, "--system", "egf", "--format", "csv").csv
    origins = {row["declared_origin"]: float(row["declared"]) for row in several if row["declared"]}
    assert origins == {"EGF": 2250.0, "MAN": 1900.0, "AGA": -28.5}
    printed = run("event", cup, "--system", "egf").out
    assert all(text in printed for text in ("2250.0 EGF", "-28.5 AGA"))
    cup.write_text(cup.read_text("utf-8").replace("MAN", "INI").replace("AGA : -28.50", "INI"), encoding="utf-8")
    one = run("event", cup, "--system", "egf").out
    assert "list (EGF)" in one
    assert "2250 EGF" not in one


def test_a_list_read_beside_the_games_declares_ratings(tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    games.write_text("date,black,white,result,black_id,white_id\n2026-01-05,a,b,B+R,egd:17000001,egd:17000002\n")
    rows = (
        " 17000001  Lind Ada  SE  Ume  2d  --  2310  12 T171028F\n"
        " 17000002  Quist Bo  SE  Ume  1d  --  2080  3 T171028F\n"
    )
    (tmp_path / "list.txt").write_text(f"<pre>\n{rows}</pre>\n")
    ratings = handan.rate(handan.read([games, tmp_path / "list.txt"]), "egf", entry="rating")
    assert ratings.before.tolist() == [[2310.0, 2080.0]]


def test_members_of_the_american_association_enter_by_their_ratings(tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    head = "date,black,white,result,black_id,white_id,black_rank,white_rank,komi\n"
    games.write_text(head + "2026-01-05,a,b,B+R,aga:1,aga:2,4d,4d,7.5\n")
    (tmp_path / "members.txt").write_text("Lind, Ada\t1\tFull\t4.45\t\tX\tNY\nQuist, Bo\t2\tFull\t3.20\t\tX\tNY\n")
    ledger = handan.read([games, tmp_path / "members.txt"])
    ratings = handan.rate(ledger, "aga", entry="rating")
    assert ratings.before.tolist()[0] == pytest.approx([4.45, 3.2])
