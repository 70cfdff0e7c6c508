"""Ratings that files declare of players: kept with their origin, entered by where a setting says so, carried on."""

from __future__ import annotations

from pathlib import Path

import pytest

import handan
from handan import shortcuts
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
def test_players_enter_by_the_declared_rating_unless_the_setting_says_by_rank(system: str, cup: Path) -> None:
    ledger = handan.read(cup)
    name = next(player.name for player in ledger.players if player.rating_origin == "EGF")
    places = [(game, side) for game in range(len(ledger)) for side in (0, 1)
              if (ledger[game].black, ledger[game].white)[side] == name]  # fmt: skip
    by_rank, by_rating = shortcuts.rate(ledger, system, entry="rank"), shortcuts.rate(ledger, system)
    game, side = next(place for place in places if by_rank.arrays.unrated[place[0]] == 0)
    assert by_rating.arrays.before[game, side] == 2250.0
    assert by_rank.arrays.before[game, side] != 2250.0
    assert "1 declared rating (EGF) is not used; --set entry=rating starts from it" in by_rank.warnings
    assert [text for text in by_rating.warnings if "declare" in text] == [
        "1 player begins at the rating that a file declares (EGF); --set entry=rank begins at the rank"
    ]
    by_hand = ledger.with_adjustments([handan.Adjustment(name, rating=1500.0)])
    assert shortcuts.rate(by_hand, system).arrays.before[game, side] == 1500.0


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
    ratings = handan.rate(handan.read([games, tmp_path / "list.txt"]), "egf")
    assert ratings.arrays.before.tolist() == [[2310.0, 2080.0]]


STANDINGS = """Rk.;SNo;Name;FED;RtgI;RtgN;1.Rd;2.Rd;Pts.;Rp
1;1;Ada;GER;2100;0;2w1;3b1;2;2300
2;2;Bo;GER;0;2000;1b0;4w1;1;2100
3;3;Cy;GER;1990;1985;4b1;1w0;1;2050
4;4;Dee;GER;0;0;3w0;2b0;0;1500
"""


def test_ratings_in_standings_are_declared_and_neither_ranks_nor_tie_breaks(tmp_path: Path) -> None:
    """Those of chess programs do not say whose they are; what a player performed in the event is no rating."""
    table = tmp_path / "standings.csv"
    table.write_text(STANDINGS, encoding="utf-8")
    ledger = handan.read(table, date="2026-05-01")
    assert declared(ledger) == {"Ada": (2100.0, ""), "Bo": (2000.0, ""), "Cy": (1990.0, "")}
    [event] = ledger.events
    assert event.criteria == ("Pts.", "Rp")
    assert not any(each.rank for each in event.participants)
    rows = run("event", table, "--date", "2026-05-01", "--system", "elo", "--format", "csv").csv
    assert [row["declared"] for row in rows] == ["2100", "2000", "1990", ""]
    table.write_text(STANDINGS.replace("RtgI", "GoR"), encoding="utf-8")
    assert declared(handan.read(table, date="2026-05-01"))["Ada"] == (2100.0, "EGF")


def test_a_rating_that_is_nobodys_is_written_as_one_set_by_hand(tmp_path: Path) -> None:
    (tmp_path / "games.csv").write_text("date,event,black,white,result\n2026-05-01,Cup,Ada,Bo,B+\n", encoding="utf-8")
    (tmp_path / "list.csv").write_text("Name;Club;Rating\nAda;Ume;2100\nBo;Ldn;2000\n", encoding="utf-8")
    target = tmp_path / "cup.xml"
    run("convert", tmp_path / "games.csv", tmp_path / "list.csv", target)
    assert sorted(declared(handan.read(target)).values()) == [(2000.0, "MAN"), (2100.0, "MAN")]


def test_members_of_the_american_association_enter_by_their_ratings(tmp_path: Path) -> None:
    games = tmp_path / "games.csv"
    head = "date,black,white,result,black_id,white_id,black_rank,white_rank,komi\n"
    games.write_text(head + "2026-01-05,a,b,B+R,aga:1,aga:2,4d,4d,7.5\n")
    (tmp_path / "members.txt").write_text("Lind, Ada\t1\tFull\t4.45\t\tX\tNY\nQuist, Bo\t2\tFull\t3.20\t\tX\tNY\n")
    ledger = handan.read([games, tmp_path / "members.txt"])
    ratings = handan.rate(ledger, "aga")
    assert ratings.arrays.before.tolist()[0] == pytest.approx([4.45, 3.2])


SMOKE = """date,event,round,black,white,result,komi,black_rank,white_rank,black_id,white_id
2026-01-01,one,1,Bo,Ada,W+,7.5,1d,1d,aga:1002,aga:1001
2026-01-01,one,2,Bo,Cy,B+,7.5,1d,2d,aga:1002,aga:1003
2026-02-01,two,1,Ada,Cy,W+,7.5,1d,2d,aga:1001,aga:1003
"""
CONTINUED = {"Ada": 1.538, "Bo": 1.548, "Cy": 2.414}
"""What the AGA's own program prints of these games for a list with ratings 1.5, 1.5, 2.5 and sigma 0.3: the fixture
smoke_games.csv of gurujeetkhalsa/aga, branch bayrate-clean-python, with that sigma in its smoke_ratings.csv."""


@pytest.mark.parametrize("form", ["list", "adjustments", "dated adjustments"])
def test_the_list_of_the_american_association_goes_on_from_ratings_and_sigmas(form: str, tmp_path: Path) -> None:
    """A list that gives no sigma is continued as if all were new: 1.713, 1.741, 2.070."""
    games, beside = tmp_path / "games.csv", tmp_path / "beside.csv"
    games.write_text(SMOKE, encoding="utf-8")
    people = (("Ada", 1001, 1.5), ("Bo", 1002, 1.5), ("Cy", 1003, 2.5))
    if form == "list":
        rows = [f"{name}\t{number}\tFull\t{rating}\t1/1/2027\tX\tNY\t0.3\t1/1/2020" for name, number, rating in people]
        arguments: tuple[Path | str, ...] = (games, beside)
    else:
        day = "2025-12-01" if form.startswith("dated") else ""
        rows = ["player,date,rating,deviation", *(f"{name},{day},{rating},0.3" for name, _, rating in people)]
        arguments = (games, "--adjustments", beside)
    beside.write_text("\n".join(rows) + "\n", encoding="utf-8")
    answer = run("rate", *arguments, "--system", "aga", "--format", "json")
    assert answer.status == 0
    ratings = {row["player"]: row["rating"] for row in answer.json["players"]}
    assert ratings == pytest.approx(CONTINUED, abs=5e-4)


TAKEN_OVER = {
    "list.txt": "Ada\t1001\tFull\t1.5\t\tX\tNY\t0.3\t\nBo\t1002\tFull\t1.5\t\tX\tNY\t0.3\t\n"
                "Cy\t1003\tFull\t2.5\t\tX\tNY\t0.3\t\nDee\t1004\tFull\t4\t\tX\tNY\t0.3\t\n",
    "list.csv": "Name,ID,country,rating,sigma\nA. M.,aga:1001,US,1.5,0.3\nBo,aga:1002,US,1.5,0.3\n"
                "Cy,aga:1003,US,2.5,0.3\nDee,aga:1004,US,4,0.3\n",
}  # fmt: skip


@pytest.mark.parametrize("name", TAKEN_OVER)
def test_a_list_that_is_taken_over_holds_from_its_day_on(name: str, tmp_path: Path) -> None:
    """What was played before is known in it and does not count twice; who has no game is not listed."""
    games, listed = tmp_path / "games.csv", tmp_path / name
    head, *rows = SMOKE.splitlines()
    games.write_text("\n".join([head, *(row.replace("2026", "2024") for row in rows), *rows]), encoding="utf-8")
    listed.write_text(TAKEN_OVER[name], encoding="utf-8")
    given = ("--adjustments", listed, "--list-date", "2025-12-31", "--system", "aga", "--format", "json")
    ratings = {row["player"]: row["rating"] for row in run("rate", games, *given).json["players"]}
    assert ratings == pytest.approx(CONTINUED, abs=5e-4)
    games.write_text(SMOKE, encoding="utf-8")
    event = run("event", games, "--event", "two", "--players", listed, "--from-list", "-s", "aga", "-f", "json").json
    after = {row["player"]: row["after"] for row in event["players"]}
    assert after == pytest.approx({player: CONTINUED[player] for player in after}, abs=5e-4)


@pytest.mark.parametrize("system", ["aga", "accelrat", "glicko", "glicko2", "handan", "ogs", "trueskill"])
def test_a_deviation_set_by_hand_is_where_the_player_stands_then(system: str) -> None:
    """Before any game it is the list's; the smaller it is, the less a first game moves the player."""
    scale = {"aga": 1.0, "trueskill": 2.5}.get(system, 100.0)  # about a stone
    games = [handan.Game("Ada", "Bo", "B+", f"2026-0{month}-01", komi=6.5, event=str(month), black_rank="2d",
                         white_rank="2d") for month in (1, 2)]  # fmt: skip

    def moved(deviation: float | None, date: str | None) -> tuple[float, float]:
        by_hand = [
            handan.Adjustment(name, None, 2.5 * scale, date, deviation=deviation) for name in ("Ada", "Bo", "Cy")
        ]
        ratings = shortcuts.rate(handan.Ledger.of(games, by_hand), system)
        assert ratings.deviation is not None
        return abs(float(ratings.arrays.change[-1, 0])), float(ratings.deviation[2])

    for date in (None, "2026-01-15"):
        changes = [moved(deviation and deviation * scale, date)[0] for deviation in (0.4, 0.8, None)]
        assert changes == sorted(changes)
        assert len(set(changes)) == len(changes)
    if not system.startswith("accelrat"):
        assert moved(0.4 * scale, None)[1] == pytest.approx(0.4 * scale, rel=0.05)


def test_a_deviation_that_plays_no_part_is_said_and_a_wrong_one_refused(tmp_path: Path) -> None:
    games, adjustments = tmp_path / "games.csv", tmp_path / "adjustments.csv"
    games.write_text(SMOKE, encoding="utf-8")
    adjustments.write_text("player,rating,deviation\nAda,1500,40\nBo,1500,-3\nCy,1500,wide\n", encoding="utf-8")
    answer = run("rate", games, "--adjustments", adjustments, "--system", "elo")
    assert "1 deviation set by hand plays no part under this system" in answer.err
    for cell in ("-3", "wide"):
        assert f"deviation '{cell}'" in answer.err
    with pytest.raises(handan.InputError, match="is not a number above 0"):
        handan.Adjustment("Ada", rating=1.0, deviation=0.0)


def test_deviations_are_kept_on_disk_and_written_again(tmp_path: Path) -> None:
    games, beside = tmp_path / "games.csv", tmp_path / "list.txt"
    games.write_text(SMOKE, encoding="utf-8")
    beside.write_text("Ada\t1001\tFull\t1.5\t\tX\tNY\t0.3\t\n", encoding="utf-8")
    adjustment = handan.Adjustment("Bo", rating=1.5, deviation=0.4)
    path = tmp_path / "again.csv"
    handan.files.write_adjustments([adjustment], path)
    assert handan.read_adjustments(path)[0] == [adjustment]
    ledger = handan.read([games, beside], adjustments=[adjustment])
    handan.write(ledger, tmp_path / "kept.ledger")
    kept = handan.read(tmp_path / "kept.ledger")
    assert [(player.rating, player.deviation) for player in kept.players] == [(1.5, 0.3), (None, None), (None, None)]
    assert kept.adjustments == (adjustment,)


def test_a_misspelt_name_among_the_adjustments_is_named_with_the_nearest(tmp_path: Path) -> None:
    """Nothing would be adjusted, and somebody who does not exist would stand on the list."""
    games, adjustments = tmp_path / "games.csv", tmp_path / "adjustments.csv"
    games.write_text("black,white,result\nAlice,Bob,B+\n", encoding="utf-8")
    adjustments.write_text("player,rank\nAlise,3d\nBob,2k\nQuentin,1d\n", encoding="utf-8")
    answer = run("rate", games, "--adjustments", adjustments, "--system", "elo")
    assert answer.status == 0
    assert "'Alise' has no game; did you mean Alice?" in answer.err
    assert "Quentin" not in answer.err  # a member without a game
    assert "'Bob'" not in answer.err
