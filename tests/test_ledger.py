"""The ledger: order of play, players, corrections, dates, and what cannot be a game."""

from __future__ import annotations

import pickle
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

import handan
from handan.errors import InputError
from handan.ledger import Adjustment, Game, Ledger, Outcome, Player, Result, When
from handan.ledger.players import NamedPlayers
from handan.systems import Elo


def names(ledger: Ledger) -> list[tuple[str, str]]:
    return [(game.black, game.white) for game in ledger]


def test_games_stand_by_date_event_round_and_entry() -> None:
    games = [
        Game("E", "F", "B+", date="2026-01-02"),
        Game("C", "D", "B+", date="2026-01-01", event="Open", round=2),
        Game("A", "D", "B+", date="2026-01-01", event="Open", round=1),
        Game("A", "B", "B+", date="2026-01-01 19:30"),
        Game("B", "A", "B+", date="2026-01-01"),
        Game("A", "B", "W+", date="2026-01-01"),
    ]
    ledger = Ledger.of(games)
    assert names(ledger) == [("B", "A"), ("A", "B"), ("A", "D"), ("C", "D"), ("A", "B"), ("E", "F")]


def test_an_entry_number_beats_the_order_of_rows() -> None:
    games = [Game("A", "B", "B+", date="2026-01-01", entry=2), Game("B", "A", "B+", date="2026-01-01", entry=1)]
    assert names(Ledger.of(games)) == [("B", "A"), ("A", "B")]


def test_undated_games_keep_their_order_and_come_first() -> None:
    games = [Game("C", "D", "B+", date="2026"), Game("B", "A", "B+"), Game("A", "B", "B+")]
    assert names(Ledger.of(games)) == [("B", "A"), ("A", "B"), ("C", "D")]


def test_an_id_beats_a_name() -> None:
    ledger = Ledger.of(
        [
            Game("Ada Vee", "Bo", "B+", black_id="egd:1"),
            Game("Ada Veë", "Bo", "B+", black_id="egd:1"),
            Game("Kim", "Bo", "B+", black_id="egd:2"),
            Game("Kim", "Bo", "B+", black_id="egd:3"),
        ]
    )
    assert ledger.players == (
        Player("Ada Vee", "egd:1"), Player("Bo"), Player("Kim (egd:2)", "egd:2"), Player("Kim (egd:3)", "egd:3"),
    )  # fmt: skip
    assert ledger.warnings == ("id egd:1 stands with 2 names (Ada Vee, Ada Veë): read as one player, Ada Vee",)


def test_a_name_without_id_belongs_to_its_only_id() -> None:
    ledger = Ledger.of([Game("Kim", "Bo", "B+", black_id="egd:2"), Game("Bo", "Kim", "B+")])
    assert [player.name for player in ledger.players] == ["Bo", "Kim"]


def test_players_are_found_by_id_and_without_marks_or_capitals() -> None:
    ledger = Ledger.of([Game("Łukasz Ñandú", "İsmail", "B+", black_id="egd:7")])
    assert ledger.find("egd:7") == ledger.find("łukasz ñandu") == ledger.find("Łukasz Ñandú")
    assert ledger.find("ismail") == ledger.find("İsmail")
    with pytest.raises(InputError, match="did you mean İsmail"):
        ledger.find("İsmael")


def test_a_correction_takes_the_place_of_the_game_and_a_withdrawal_leaves_the_rest() -> None:
    games = [Game("A", "B", "B+", date="2026-01-01"), Game("A", "C", "B+", date="2026-01-01")]
    ledger = Ledger.of(games)
    corrected = ledger.with_game(Game("A", "B", "W+R", date="2026-01-01"), index=0)
    assert [str(game.result) for game in corrected] == ["W+R", "B+"]
    assert [str(game.result) for game in ledger] == ["B+", "B+"]
    assert names(ledger.without_game(0)) == [("A", "C")]
    assert names(ledger.with_game(Game("C", "B", "B+", date="2025-12-31"))) == [("C", "B"), ("A", "B"), ("A", "C")]


def test_a_ledger_ends_where_asked() -> None:
    games = [Game("A", "B", "B+", date=day) for day in ("2025-12-31", "2026-01-01 23:59", "2026-01-02")]
    ledger = Ledger.of(games, [Adjustment("A", "5k", None, "2026-01-02"), Adjustment("B", "5k")])
    assert (len(ledger.as_of("2026-01-01")), len(ledger.as_of("2026-01")), len(ledger.as_of("2025"))) == (2, 3, 1)
    assert [item.player for item in ledger.as_of("2026-01-01").adjustments] == ["B"]


DATES = (
    "2020", "2020-05", "2020-05-01", "2020-05-01 14:30", "2020-05-01 14:30:45", "2020-05-31", "2020-02", "2020-02-29",
    "2020-12-31", "2020-12", "9999", "9999-12-31",
)  # fmt: skip


@pytest.mark.parametrize(
    ("cut_on", "expected"),
    [
        ("2020-05-01", {"2020-02", "2020-02-29", "2020-05-01", "2020-05-01 14:30", "2020-05-01 14:30:45"}),
        ("2020-05-31", {*DATES} - {"2020", "2020-12", "2020-12-31", "9999", "9999-12-31"}),
        ("2020-05", {*DATES} - {"2020", "2020-12", "2020-12-31", "9999", "9999-12-31"}),
        ("2020-12-30", {*DATES} - {"2020", "2020-12", "2020-12-31", "9999", "9999-12-31"}),
        ("2020-12-31", {*DATES} - {"9999", "9999-12-31"}),
        ("2020", {*DATES} - {"9999", "9999-12-31"}),
        ("2020-02-28", set()),
        ("2020-02-29", {"2020-02", "2020-02-29"}),
        ("2020-05-01 14:30", {"2020-02", "2020-02-29", "2020-05-01 14:30", "2020-05-01 14:30:45"}),
        ("2020-05-01 14:30:44", {"2020-02", "2020-02-29"}),
        ("9999-12-30", {*DATES} - {"9999", "9999-12-31"}),
        ("9999", {*DATES}),
    ],
)
def test_a_date_counts_once_all_the_time_that_it_may_mean_has_passed(cut_on: str, expected: set[str]) -> None:
    ledger = Ledger.of(
        [Game("A", "B", "B+", date=day) for day in (*DATES, None)],
        [Adjustment("A", "5k", None, day, note=day) for day in DATES],
    )
    cut = ledger.as_of(cut_on)
    assert {str(game.date) for game in cut} == expected
    assert {item.note for item in cut.adjustments} == expected


def test_events_are_numbered_by_their_first_games_however_they_overlap() -> None:
    # slow twin: an event is known by its name, by how often it returned after more than a month, and by its year
    rng = np.random.default_rng(5)
    start = date(2025, 1, 1).toordinal()
    days = [date.fromordinal(start + int(day)) for day in np.sort(rng.integers(0, 700, 300))]
    ledger = Ledger.of(Game("A", "B", "B+", day, event=str(rng.choice(["", "Open", "Cup", "League"]))) for day in days)
    numbers: dict[tuple[str, int, int], int] = {}
    last: dict[str, tuple[date, date, int]] = {}
    expected = []
    for index, game in enumerate(ledger):
        assert isinstance(game.date, When)
        day = game.date.moment.date()
        opened, before, edition = last.get(game.event, (day, day, 0))
        if (day - before).days > 31:
            opened, edition = day, edition + 1
        last[game.event] = opened, day, edition
        key = (game.event, edition, (day - opened).days // 366) if game.event else ("", index, 0)
        expected.append(numbers.setdefault(key, len(numbers)))
    assert ledger.arrays.event.tolist() == expected


def test_games_of_an_event_without_dates_belong_together() -> None:
    games = [Game("A", "B", "B+", event=event) for event in ("Open", "", "Open", "Cup", "Open")]
    events = Ledger.of(games).arrays.event.tolist()
    assert len(set(events)) == 3
    assert sorted(events.count(number) for number in set(events)) == [1, 1, 3]


def test_games_of_one_event_name_far_apart_are_two_events() -> None:
    games = [
        Game("A", "B", "B+", date=day, event=event)
        for day, event in [("2025-05-01", "Open"), ("2025-05-03", "Open"), ("2026-05-01", "Open"), ("2026-05-01", "")]
    ]
    events = Ledger.of(games).arrays.event.tolist()
    assert events[0] == events[1]
    assert len(set(events)) == 3


def test_a_series_that_goes_on_for_years_is_one_event_a_year() -> None:
    start = date(2020, 1, 1)
    ledger = Ledger.of(Game("A", "B", "B+", start + timedelta(days=20 * n), event="Club night") for n in range(60))
    days = np.array([20 * n for n in range(60)])
    assert ledger.arrays.event.tolist() == (days // 366).tolist()


def test_columns_cannot_be_written_to() -> None:
    ledger = Ledger.of([Game("A", "B", "B+")])
    with pytest.raises(ValueError, match="read-only"):
        ledger.arrays.score[0] = 0.0


def test_an_even_game_without_komi_counts_as_one_stone() -> None:
    games = [
        Game("A", "B", "B+", handicap=0, komi=0.5),
        Game("A", "B", "B+", handicap=0),
        Game("A", "B", "B+", handicap=3),
    ]
    assert Ledger.of(games).arrays.stones.tolist() == [1, 0, 3]


@pytest.mark.parametrize(
    ("text", "form", "score"),
    [
        ("B+R", "B+R", 1.0), ("b+resign", "B+R", 1.0), ("W+3,5", "W+3.5", 0.0), ("W+Time", "W+T", 0.0),
        ("B+F", "B+F", 1.0), ("W+default", "W+F", 0.0), ("B+Forfeit", "B+F", 1.0),
        ("P1+", "P1+", 1.0), ("p2+2", "P2+2", 0.0), ("P=", "P=", 0.5), ("0", "jigo", 0.5), ("½-½", "jigo", 0.5),
        ("P1+1250", "P1+1250", 1.0), ("1/2-1/2", "jigo", 0.5),
        ("1-0", "B+", 1.0), ("0-1", "W+", 0.0), ("w", "W+", 0.0), ("both-lose", "both-lose", None),
        ("both-win", "both-win", None), ("Void", "void", None), ("?", "?", None), ("B+Offline", "B+", 1.0),
    ],
)  # fmt: skip
def test_results_are_read_in_every_spelling(text: str, form: str, score: float | None) -> None:
    result = Result.parse(text)
    assert (str(result), result.score) == (form, score)
    assert Result.parse(str(result)).outcome is result.outcome


@pytest.mark.parametrize("text", ["", "X+3", "B+X3", "B3", "W+1234567", "B+-3", "Outcome", "B+\x00"])
def test_other_results_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"is not a result such as"):
        Result.parse(text)


def test_the_remark_of_a_win_goes_to_the_notes() -> None:
    game = Ledger.of([Game("A", "B", "B+Offline", notes="late")])[0]
    assert (str(game.result), game.notes) == ("B+", "late Offline")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("2026-05-01", "2026-05-01"), ("2026/5/1", "2026-05-01"), ("2026.05.01", "2026-05-01"),
        ("1.5.2026", "2026-05-01"), ("01-05-2026", "2026-05-01"), ("2026-05", "2026-05"), ("2026", "2026"),
        ("2026-05-01T14:30", "2026-05-01 14:30"),
        ("2026-05-01 14:30:15", "2026-05-01 14:30:15"),
    ],
)  # fmt: skip
def test_dates_are_read_and_keep_their_precision(text: str, form: str) -> None:
    assert str(When.parse(text)) == form


@pytest.mark.parametrize("text", ["2026-13-01", "2026-02-30", "yesterday", "20260501", "26-05-01", "2026-05-01 25:00"])
def test_other_dates_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not a date such as"):
        When.parse(text)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"white": "A"}, "against the same player"),
        ({"black": "  "}, "name '' is not the name of a player"),
        ({"komi": 401.0}, "komi '401.0' is not"),
        ({"handicap": -1}, "handicap '-1' is not a whole number from 0 to 99"),
        ({"size": 1}, "size '1' is not"),
        ({"black_rank": "40k"}, "rank '40k' is not"),
        ({"result": "X+"}, "result 'X\\+' is not"),
    ],
)
def test_what_cannot_be_a_game_is_refused_in_one_line(fields: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        Game(**({"black": "A", "white": "B", "result": "B+"} | fields))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_an_adjustment_needs_a_rank_or_a_rating() -> None:
    with pytest.raises(InputError, match="neither rank nor rating"):
        Adjustment("A", None, None, date(2026, 1, 1), "sync")


def test_outcomes_without_a_score_have_none() -> None:
    ledger = Ledger.of([Game("A", "B", word) for word in ("both-lose", "both-win", "void", "?")])
    assert np.isnan(ledger.arrays.score).all()
    assert {Result.parse(word).outcome for word in ("void", "?")} == {Outcome.VOID, Outcome.UNPLAYED}


def test_a_player_is_got_by_name_or_id_and_a_stranger_is_none() -> None:
    ledger = Ledger.of([Game("Łukasz Łoś", "Bo", "B+", black_id="egd:1"), Game("Ada", "ADA", "B+")])
    index = {player.name: number for number, player in enumerate(ledger.players)}
    for name in ("Łukasz Łoś", "lukasz  los", "LUKASZ LOS", "egd:1", "EGD:1"):
        assert ledger.get(name) == ledger.find(name) == index["Łukasz Łoś"]
    assert (ledger.get("ADA"), ledger.get("Ada")) == (index["ADA"], index["Ada"])
    assert ledger.get("Chidi") is None
    assert ledger.get("ada") is None
    with pytest.raises(InputError, match=r"player 'ada' may be ADA or Ada; write the name as it stands there"):
        ledger.find("ada")
    ids = "egd:13285084", "egd:13316760"
    twins = Ledger.of([Game("Weber", "Bo", "B+", black_id=number) for number in ids])
    with pytest.raises(InputError, match=r"did you mean Weber \(egd:13285084\) or Weber \(egd:13316760\)"):
        twins.find("weber")
    with pytest.raises(InputError, match=r"player 'Lukasz Loz' is not in the ledger; did you mean Łukasz Łoś\?"):
        ledger.find("Lukasz Loz")


def test_a_ledger_and_its_ratings_are_shown_in_one_line() -> None:
    ledger = Ledger.of([Game("Ada", "Bo", "B+", date="2026-05-01"), Game("Bo", "Chidi", "W+F", date="2026-05-02")])
    assert repr(ledger) == "<Ledger 2 games, 3 players, 2026-05-01 to 2026-05-02>"
    assert repr(Elo().rate(ledger)) == "<Ratings elo: 1 of 2 games, 3 players>"
    assert repr(Ledger.of([])) == "<Ledger 0 games, 0 players>"


@pytest.mark.parametrize("index", [2, 99, -3])
def test_a_game_that_is_not_there_can_be_neither_corrected_nor_left_out(index: int) -> None:
    ledger = Ledger.of([Game("Ada", "Bo", "B+"), Game("Bo", "Chidi", "B+")])
    expected = f"game at place {index} is not in the ledger, which has places 0 to 1"
    with pytest.raises(InputError, match=expected):
        ledger.without_game(index)
    with pytest.raises(InputError, match=expected):
        ledger.with_game(Game("A", "B", "B+"), index=index)


def test_games_are_counted_from_the_end_too() -> None:
    ledger = Ledger.of([Game("Ada", "Bo", "B+"), Game("Bo", "Chidi", "B+")])
    assert [game.black for game in ledger.without_game(-1)] == ["Ada"]
    assert [game.black for game in ledger.with_game(Game("Eun", "Bo", "B+"), index=-1)] == ["Ada", "Eun"]


@pytest.mark.parametrize("number", [0, 1, 10, 11, 25])
def test_going_through_the_games_gives_each_as_it_is_got_alone(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handan.ledger.ledger.AT_ONCE", 10)
    dates = ["2026-01-01", "2026", None]
    games = [Game("A", f"B{n}", "B+R", date=dates[n % 3], komi=n % 8) for n in range(number)]
    ledger = Ledger.of(games)
    assert list(ledger) == [ledger[place] for place in range(number)]
    assert ledger[1:number:2] == [ledger[place] for place in range(1, number, 2)]
    assert ledger[::-1] == list(ledger)[::-1]
    assert ledger[number:] == []
    with pytest.raises(IndexError, match=rf"^game at place {number} is not in the ledger, which has .+"):
        ledger[number]


def test_players_of_whom_only_names_are_there_are_those_of_any_other_ledger(tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    path.write_text("date,black,white,result\n2026-01-01,Bo,Ada,B+R\n2026-01-02,Ada,Cy,W+R\n", encoding="utf-8")
    named = handan.read(path).players
    players = (Player("Ada"), Player("Bo"), Player("Cy"))
    assert isinstance(named, NamedPlayers)
    assert tuple(named) == players
    assert named == players
    assert players == named
    assert named == pickle.loads(pickle.dumps(named))
    assert named != players[:2]
    assert named[1:] == players[1:]
    assert (named[-1], len(named), Player("Cy") in named) == (Player("Cy"), 3, True)
    assert repr(named) == "Named(['Ada', 'Bo', 'Cy'])"


def test_joined_ledgers_say_who_is_who_as_one_ledger_does() -> None:
    early = [Game("Kim", "Bo", "B+", black_id="egd:2"), Game("Kim", "Bo", "B+", black_id="egd:3")]
    late = [Game("Kim", "Bo", "W+", black_id="egd:2"), Game("Bo", "Ada", "W+", black_id="egd:4")]
    more = [Game("Bo", "Ada", "W+", black_id="egd:5")]
    hand = Adjustment("Bo", "3k", None, date="2026-01-01")
    joined = Ledger.of(early) + Ledger.of(late, [hand]) + Ledger.of(more)
    whole = Ledger.of([*early, *late, *more], [replace(hand, player="egd:4")])
    ids = [[(game.black_id, game.white_id) for game in ledger] for ledger in (joined, whole)]
    assert ids[0] == ids[1]
    assert sorted(player.id for player in joined.players) == sorted(player.id for player in whole.players)
    assert joined.warnings == whole.warnings == (
        "names with several ids, and without one: Bo; who has none is read as somebody else",
    )  # fmt: skip


def test_players_kept_as_columns_are_those_that_were_put_in() -> None:
    from handan.ledger.players import NamedPlayers, field_of

    players = [Player("Ada", "egd:1", order="p1"), Player("Bo", "", order="p2"), Player("Cy", "egd:3", order="p3")]
    columns = [field_of(players, name) for name in ("name", "id", "order")]
    kept = NamedPlayers(*columns)
    assert [*kept] == players
    assert [kept[place] for place in range(-3, 3)] == [players[place] for place in range(-3, 3)]
    assert kept[1:] == players[1:]
    assert kept == tuple(players)
    assert kept != NamedPlayers(columns[0])
    assert [field_of(kept, name) for name in ("name", "id", "order", "club")] == [*columns, ["", "", ""]]
    assert [*NamedPlayers(columns[0], None, columns[2])] == [
        Player(player.name, order=player.order) for player in players
    ]
    with pytest.raises(ValueError, match="different numbers"):
        NamedPlayers(columns[0], columns[1][:2])
