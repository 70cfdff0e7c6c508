"""`handan club load`: files of games, people and ratings put into a club of a server, and taken out again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.command_line import run
from tests.conftest import ROOT
from tests.test_declared_ratings import CONTINUED, SMOKE

if TYPE_CHECKING:
    from handan.club.state import State
    from handan.club.store.models import Club

WEEKEND = """; EV[Weekend by the lake]
; DT[2026-03-07,2026-03-08]
; HA[h1]
1 Moor Ada  3d SE Ume  2  2+/b0  3+/w0 |10000001
2 Tan Bo    2d FR Lyon 1  1-/w0  0+    |10000002
3 Lund Cy   1k SE Ume  0  0-     1-/b0 |10000003
"""
EVENING = """date,black,white,result,white_id
2026-04-01,Moor Ada,Berg Zoë,B+R,
2026-04-01,Moor Ada,Berg Zoë,B+R,
2026-04-02,Moor Ada,Tan Bo,W+R,egd:10000009
2026-04-03,Moor Ada,B\u0435rg Zoë,W+R,
"""
LIST = """10000001  Moor Ada   FI  Hels 3d -- 2310 31 T260307A
10000004  Quist Dee  SE  Ume  5k -- 1590 12 T260307A
"""


def state(club: Club) -> State:
    from handan.club.store.states import state_of

    return state_of(club)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "weekend.h9").write_text(WEEKEND, encoding="utf-8")
    (tmp_path / "evening.csv").write_text(EVENING, encoding="utf-8")
    return tmp_path


def games_that_count(club: Club) -> int:
    return len(state(club).ledger)


def test_files_are_loaded_once_with_who_played_and_can_be_taken_back(
    make_club: Callable[..., Club], folder: Path
) -> None:
    """A name that looks like another is refused with its game; two games of an evening are two, two numbers two."""
    club = make_club("egf")
    looked = run("club", "load", club.slug, folder, "--preview")
    assert looked.status == 1
    assert "5 games, 1 event, 5 new players would be entered" in looked.out
    assert not state(club).people
    loaded = run("club", "load", club.slug, folder)
    assert loaded.status == 1
    assert "evening.csv line 5: Moor Ada – B\u0435rg Zoë: no such player; left out" in loaded.err
    people = {person.name: person for person in state(club).active.values()}
    assert (people["Moor Ada"].country, people["Moor Ada"].club, people["Moor Ada"].ids) == (
        "SE",
        "Ume",
        ("egd:10000001",),
    )
    assert sorted(person.ids for person in state(club).active.values() if person.name == "Tan Bo") == [
        ("egd:10000002",), ("egd:10000009",)]  # fmt: skip
    assert games_that_count(club) == 5
    [event] = state(club).events.values()
    assert (event.name, len([*event.players])) == ("Weekend by the lake", 3)
    again = run("club", "load", club.slug, folder)
    assert "everything was there already" in again.out
    club.refresh_from_db()
    assert run("club", "undo", club.slug, 2, club.number).status == 0
    assert games_that_count(club) == 0
    assert all(event.withdrawn for event in state(club).events.values())
    assert not state(club).active


def test_a_list_registers_everybody_and_changes_country_and_club(make_club: Callable[..., Club], folder: Path) -> None:
    """Undo says again what was known before."""
    club = make_club("egf")
    run("club", "load", club.slug, folder / "weekend.h9")
    first = state(club).number + 1
    (folder / "list.txt").write_text(LIST, encoding="utf-8")
    loaded = run("club", "load", club.slug, "--players", folder / "list.txt")
    assert loaded.status == 0, loaded.err
    homes = {person.name: (person.country, person.club) for person in state(club).active.values()}
    assert homes["Moor Ada"] == ("FI", "Hels")
    assert homes["Quist Dee"] == ("SE", "Ume")
    ranks = {state(club).person(item.player).name: item.facts["rank"] for item in state(club).adjustments.values()}
    assert ranks == {"Quist Dee": "5k"}
    run("club", "undo", club.slug, first, state(club).number)
    homes = {person.name: (person.country, person.club) for person in state(club).active.values()}
    assert homes["Moor Ada"] == ("SE", "Ume")
    assert "Quist Dee" not in homes


def test_the_rating_list_after_a_load_is_that_of_the_files(make_club: Callable[..., Club], folder: Path) -> None:
    from handan.club.store.list_models import Standing

    club = make_club("egf")
    run("club", "load", club.slug, folder / "weekend.h9")
    rows = run("rate", folder / "weekend.h9", "-s", "egf", "-f", "json").json["players"]
    listed = dict(Standing.objects.filter(list__club=club).values_list("player__name", "rating"))
    assert listed == pytest.approx({row["player"]: row["rating"] for row in rows})


def test_a_list_is_taken_over_as_of_its_day(make_club: Callable[..., Club], folder: Path) -> None:
    """Who is not in the club is only counted; the same list again sets nothing."""
    club = make_club("glicko")
    run("club", "load", club.slug, folder / "weekend.h9")
    (folder / "list.csv").write_text("pin,Name,rating,RD\negd:10000001,Ada M.,1900,55\negd:9,Nobody,1500,80\n")
    given = ("club", "load", club.slug, "--adjustments", folder / "list.csv", "--list-date", "2026-03-31")
    assert "1 player of" in run(*given).err
    [item] = state(club).adjustments.values()
    assert item.facts == {"rating": 1900.0, "date": "2026-03-31", "deviation": 55.0, "note": "list"}
    run(*given)
    assert len(state(club).adjustments) == 1


WU = "Wu Maximiliana Alexandra Konstantinopolitana"


@pytest.mark.parametrize(
    ("program", "system", "register"), [("opengotha", "egf", "egd"), ("aga", "aga", "aga"), ("csv", "glicko", "egd")]
)
def test_the_list_for_directors_is_read_again(
    program: str, system: str, register: str, make_club: Callable[..., Club], folder: Path
) -> None:
    """Who has no number of the register is left out of its list, and counted; the table has everybody."""
    from handan.files import read_players

    club = make_club(system)
    rows = ["name,id,country,club,rank", f"Moor Ada,{register}:10000001,SE,Ume,3d",
            f"Tan Bo,{register}:10000002,SE,Lund,2k", "Lund Cy,,SE,Ume,1k",
            f"Quist Dee,{register}:10000004,FI,Hels,5k",
            f"{WU},{register}:10000005,SE,Lund,6k"]  # fmt: skip
    (folder / "people.csv").write_text("\n".join(rows), encoding="utf-8")
    run("club", "load", club.slug, "--players", folder / "people.csv")
    rows = ["date,black,white,result,black_id,white_id,komi",
            f"2026-03-07,Moor Ada,Tan Bo,B+R,{register}:10000001,{register}:10000002,6.5",
            f"2026-03-08,Lund Cy,Quist Dee,B+R,,{register}:10000004,6.5",
            f"2026-03-08,Tan Bo,{WU},B+R,{register}:10000002,{register}:10000005,6.5"]  # fmt: skip
    (folder / "games.csv").write_text("\n".join(rows), encoding="utf-8")
    run("club", "load", club.slug, folder / "games.csv")
    answer = run("club", "ratings", club.slug, "--for", program, "--country", "se", "-o", folder / "out")
    assert ("1 player without a number" in answer.err) is (program != "csv")
    listed = {entrant.name: entrant for entrant in read_players([folder / "out"])}
    last = {"csv": WU, "aga": WU.replace("Wu ", "Wu, "), "opengotha": "Wu Maximiliana Alexandra Konstantinop"}[program]
    assert [*listed] == (["Moor Ada", "Lund Cy", "Tan Bo", last] if program == "csv" else ["Moor Ada", "Tan Bo", last])
    ada = listed["Moor Ada"]
    lines = (folder / "out").read_text("utf-8").splitlines()
    if (
        program == "opengotha"
    ):  # which cuts its lines at these places (`RatingList.java`), and reads no list with a fault
        cuts = (slice(1, 9), slice(11, 48), slice(49, 52), slice(53, 57), slice(60, 63), slice(71, 75))
        listing = [[line[cut].strip() for cut in cuts] for line in lines if line[1:9].isdecimal()]
        assert [row[:5] for row in listing][::2] == [
            ["10000001", "Moor Ada", "SE", "Ume", "3d"],
            ["10000005", "Wu Maximiliana_Alexandra_Konstantinop", "SE", "Lund", "6k"],
        ]
        assert all(row[5].isdecimal() for row in listing)
    elif program == "aga":  # name and first name, number, membership, rating, until when, club
        assert lines[-1].split("\t")[:3] == ["Wu, Maximiliana Alexandra Konstantinopolitana", "10000005", "Forgn"]
    from handan.club.store.list_models import Standing

    row = Standing.objects.get(list__club=club, player__name="Moor Ada")
    assert ada.id == f"{register}:10000001"
    assert ada.rating == pytest.approx(row.rating, abs={"opengotha": 0.5, "aga": 1e-5, "csv": 0.0}[program])
    assert ada.deviation is None if program == "opengotha" else ada.deviation == pytest.approx(row.deviation, abs=1e-5)


def test_a_day_gets_one_official_list_from_a_timer(make_club: Callable[..., Club], folder: Path) -> None:
    club = make_club("egf")
    run("club", "load", club.slug, folder / "weekend.h9")
    first = run("club", "publish", club.slug, "--as-of", "2026-03-31", "-o", folder / "list.json")
    assert "is published by entry" in first.out
    assert run("verify", folder / "list.json").status == 3  # signed, by a key that nothing here vouches for
    assert "was published" in run("club", "publish", club.slug, "--as-of", "2026-03-31", "-o", folder / "list.json").out
    another = run("club", "publish", club.slug, "--as-of", "2026-04-30", "-o", folder / "list.json")
    assert another.status == 2
    assert "is there already, with another list" in another.err
    assert len(state(club).lists) == 1
    assert "is published" in run("club", "publish", club.slug, "--last-month").out
    assert "not both" in run("club", "publish", club.slug, "--last-month", "--as-of", "2026-03-31").err


def test_a_load_without_anything_to_load_says_what_is_missing(make_club: Callable[..., Club]) -> None:
    assert "give files of games, --players LIST or --adjustments FILE" in run("club", "load", make_club().slug).err


def test_the_list_of_the_american_association_is_taken_over_and_goes_on_in_a_club(
    make_club: Callable[..., Club], tmp_path: Path
) -> None:
    """Ratings with their sigmas hold from the day of the list on, as in `test_declared_ratings`."""
    club, games, listed = make_club("aga"), tmp_path / "games.csv", tmp_path / "list.txt"
    games.write_text(SMOKE, encoding="utf-8")
    people = (("Ada", 1001, 1.5), ("Bo", 1002, 1.5), ("Cy", 1003, 2.5))
    rows = (f"{name}\t{number}\tFull\t{rating}\t\tX\tNY\t0.3\t\n" for name, number, rating in people)
    listed.write_text("".join(rows), encoding="utf-8")
    given = ("--players", listed, "--adjustments", listed, "--list-date", "2025-12-31")
    assert run("club", "load", club.slug, games, *given).status == 0
    ratings = {row["name"]: float(row["rating"]) for row in run("club", "ratings", club.slug).csv}
    assert ratings == pytest.approx(CONTINUED, abs=5e-4)


def test_a_tournament_without_a_day_is_not_one_of_today(make_club: Callable[..., Club]) -> None:
    club, file = make_club("egf"), ROOT / "tests" / "samples" / "macmahon.xml"
    loaded = run("club", "load", club.slug, file)
    assert loaded.status == 1
    assert "the first day of an event; left out" in loaded.err
    assert not state(club).events
    assert "the first day" not in run("club", "load", club.slug, file, "--date", "2026-05-02").err
    [event] = state(club).events.values()
    assert str(event.first) == "2026-05-02"


def test_games_without_a_day_are_of_the_day_of_their_event(make_club: Callable[..., Club], folder: Path) -> None:
    club = make_club("egf")
    run("club", "load", club.slug, folder / "weekend.h9")
    (folder / "late.csv").write_text(
        "black,white,result,event\nLund Cy,Moor Ada,B+R,Weekend by the lake\nTan Bo,Lund Cy,B+R,Friday\n",
        encoding="utf-8",
    )
    loaded = run("club", "load", club.slug, folder / "late.csv")
    assert "1 game of 'Weekend by the lake' without a day: the first one of event" in loaded.err
    assert loaded.status == 0
    days = sorted(str(day.date() if day else day) for day in state(club).games["date"])
    assert days == ["2026-03-07"] * 3 + ["None"]
    again = run("club", "load", club.slug, folder / "late.csv")
    assert state(club).games.height == 4, again.err


def test_games_of_a_name_with_several_events_keep_no_day(make_club: Callable[..., Club], folder: Path) -> None:
    club = make_club("egf")
    (folder / "earlier.h9").write_text(WEEKEND.replace("2026-", "2025-"), encoding="utf-8")
    run("club", "load", club.slug, folder / "weekend.h9", folder / "earlier.h9")
    (folder / "late.csv").write_text(
        "black,white,result,event\nLund Cy,Moor Ada,B+R,Weekend by the lake\n", encoding="utf-8"
    )
    assert "without a day" not in run("club", "load", club.slug, folder / "late.csv").err
    assert state(club).games["date"].null_count() == 1


def test_a_number_that_belongs_to_another_name_is_said(make_club: Callable[..., Club], folder: Path) -> None:
    """A new surname or other letters are no other name."""
    club = make_club("egf")
    run("club", "load", club.slug, folder / "weekend.h9")
    later = WEEKEND.replace("2026-03", "2026-04").replace("Moor Ada ", "Berg Ada ").replace("Lund Cy ", "Quist Eve")
    (folder / "later.h9").write_text(later, encoding="utf-8")
    loaded = run("club", "load", club.slug, folder / "later.h9")
    assert [line.partition(": ")[2] for line in loaded.err.splitlines() if "here, and" in line] == [
        f"{folder / 'later.h9'}: egd:10000003 is 'Lund Cy' here, and 'Quist Eve' in this file"
    ]
    assert loaded.status == 0


UNDATED = """event,round,black,white,result
Autumn Cup,1,Moor Ada,Tan Bo,B+R
Autumn Cup,2,Moor Ada,Tan Bo,W+3.5
"""


def test_a_tournament_that_is_loaded_again_with_its_day_gets_it_and_is_not_entered_twice(
    make_club: Callable[..., Club], tmp_path: Path
) -> None:
    club = make_club("egf")
    file = tmp_path / "cup.csv"
    file.write_text(UNDATED, encoding="utf-8")
    assert run("club", "load", club.slug, file).status == 0
    assert [game.date for game in state(club).ledger] == [None, None]
    club.refresh_from_db()
    before = club.number
    more = tmp_path / "more.csv"
    more.write_text(UNDATED + "Autumn Cup,3,Moor Ada,Tan Bo,B+T\n", encoding="utf-8")
    loaded = run("club", "load", club.slug, more, "--date", "2026-10-24")
    assert loaded.status == 0
    assert "1 game, 2 days of games" in loaded.out
    assert [str(game.date) for game in state(club).ledger] == ["2026-10-24"] * 3
    again = run("club", "load", club.slug, more, "--date", "2026-10-24")
    assert "everything was there already" in again.out
    club.refresh_from_db()
    assert run("club", "undo", club.slug, before + 1, club.number).status == 0
    assert [game.date for game in state(club).ledger] == [None, None]


def test_a_game_of_tomorrow_gets_no_day_and_keeps_no_other_game_out(
    make_club: Callable[..., Club], tmp_path: Path
) -> None:
    """Readers of files take a day that has begun somewhere on earth."""
    from handan.club.store.clock import today

    club, file, later = make_club("egf"), tmp_path / "cup.csv", tmp_path / "later.csv"
    file.write_text(UNDATED, encoding="utf-8")
    assert run("club", "load", club.slug, file).status == 0
    heading, first, second = UNDATED.splitlines()
    tomorrow = today() + timedelta(days=1)
    later.write_text(f"{heading},date\n{first},{tomorrow}\n{second},2026-10-24\n", encoding="utf-8")
    loaded = run("club", "load", club.slug, later)
    assert f"{tomorrow}" in loaded.err
    assert loaded.status == 1
    assert [str(game.date) for game in state(club).ledger] == ["None", "2026-10-24"]


def test_what_others_enter_during_a_load_is_there_and_is_not_taken_back_with_it(
    make_club: Callable[..., Club], tmp_path: Path
) -> None:
    from handan.cli.club import OPERATOR
    from handan.club.store.loading import Loading
    from handan.files import read

    club, head = make_club("egf"), "date,black,white,result\n"
    one, other, later = (tmp_path / name for name in ("1.csv", "2.csv", "3.csv"))
    one.write_text(f"{head}2026-04-01,Ada,Bo,B+R\n2026-04-01,Ada,Bo,B+R\n", encoding="utf-8")
    other.write_text(f"{head}2026-04-02,Ada,Bo,W+R\n", encoding="utf-8")
    later.write_text(f"{head}2026-04-03,Cy,Di,W+R\n", encoding="utf-8")
    slow, twice = Loading(club, OPERATOR), Loading(club, OPERATOR)
    files = slow.files(read([one, later]))
    assert next(files).entered == 2
    assert run("club", "load", club.slug, other).status == 0
    between = state(club).number
    assert next(files).entered == 1
    assert [step.entered for step in twice.files(read([one, other, later]))] == [0, 0, 0]
    assert twice.written == []
    assert games_that_count(club) == 4
    assert [between in entries for entries in slow.written] == [False, False]
    for entries in reversed(slow.written):
        assert run("club", "undo", club.slug, entries[0], entries[-1]).status == 0
    assert [str(game.result) for game in state(club).ledger] == ["W+R"]


def test_a_rating_of_a_newcomer_that_a_file_declares_is_told_and_not_taken(
    make_club: Callable[..., Club], folder: Path
) -> None:
    club, text = make_club("egf"), (ROOT / "tests/samples/cup.xml").read_text(encoding="utf-8")
    cup = folder / "rated.xml"
    cup.write_text(text.replace('rank="3D"', 'rank="3D" rating="2250" ratingOrigin="EGF : 2250"'), encoding="utf-8")
    remark = "1 newcomer has a rating in this file, which sets none here: newcomers enter by their ranks"
    assert remark in run("club", "load", club.slug, cup).err
    assert not state(club).ledger.adjustments
    assert remark not in run("club", "load", club.slug, cup).err
