"""Nothing knows the future: what came later moves no earlier rating, line or forecast of a system that replays."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from typing import Any

import numpy as np
import pytest

from handan.ledger import Adjustment, Game, Ledger
from handan.ranks import Rank
from handan.ratings import Ratings
from handan.systems import SYSTEMS, System, system
from handan.systems.core.settings import settings_of
from handan.systems.families.most_likely_ranks import MostLikelyExtra
from tests.forms import EACH_KIND

EARLY, LATER = 90, 1000
START = date(2024, 1, 1)
BY_GAME: list[tuple[str, dict[str, Any]]] = [
    ("dgs", {}),
    ("egf", {"batch": "game"}),
    ("egf", {"batch": "game", "reset_two_grades": True}),
    ("elo", {"k_new": 60.0}),
    ("glicko", {"period": "game"}),
    ("glicko2", {"period": "game"}),
    ("handan", {}),
    ("handan", {"deviation": 200.0}),
    ("ogs", {"ageing_days": 30.0}),
    ("points", {}),
    ("points", {"conditions": "card", "card": "tokyo15"}),
    ("sagc", {}),
    ("trueskill", {"tau_per": "day"}),
]
BY_PERIOD: list[tuple[str, dict[str, Any]]] = [
    ("accelrat", {}),
    ("aga", {}),
    ("aga", {"start": "9k"}),
    ("egf", {}),
    ("egf-classic", {"reset_two_grades": True}),
    ("elo", {"batch": "event"}),
    *((name, {"period": period}) for name in ("glicko", "glicko2") for period in ("event", "day", "week", "month")),
    ("glicko", {"c": 40.0}),
    ("points", {"settle": "day", "freeze": "pair"}),
    ("points", {"demotion": "stone"}),
    ("points", {"settle": "month"}),
]
QUICK = (*EACH_KIND, "elo", "glicko2")


def both_readings(cases: list[tuple[str, dict[str, Any]]]) -> list[Any]:
    """Return every case under each reading of ranks that come late; `make test` tries one, of a system of each kind."""
    made = []
    for name, settings in cases:
        readings = ("remark", "adjust") if "late_ranks" in settings_of(SYSTEMS[name]) else ("",)
        for reading in readings:
            chosen = settings | ({"late_ranks": reading} if reading else {})
            marks = [pytest.mark.extended] if reading == "adjust" or name not in QUICK else []
            made.append(pytest.param(system(name, **chosen), id=f"{name} {chosen}", marks=marks))
    return made


def games_of(seed: int, count: int, first: date, names: str, *, days: int = 3) -> list[Game]:
    """Return games of every kind, `days` of them a day; most players declare a rank only some time after the first."""
    rng = np.random.default_rng(seed)
    games = []
    for number in range(count):
        black, white = (names[int(place)] for place in rng.permutation(len(names))[:2])
        ranks = [str(rng.choice(["", "", "", "9k", "5k?", "1k", "2d", "5d*"])) for _ in range(2)]
        stones = int(rng.choice([0, 0, 0, 1, 2, 4, 9]))
        games.append(
            Game(
                black,
                white,
                str(rng.choice(["B+R", "W+3.5", "B+", "W+", "jigo", "void", "W+F", "P1+"])),
                date=first + timedelta(days=number // days),
                handicap=stones,
                komi=[0.5 if stones else 6.5, None][int(rng.integers(2))],
                size=int(rng.choice([19, 19, 19, 13])),
                kind=str(rng.choice(["", "club", "tournament-b", "friendly", "free"])),
                event=str(rng.choice(["", "", "Open", "League"])),
                round=number,
                black_rank=ranks[0],
                white_rank=ranks[1],
            )
        )
    return games


def adjustments_of(seed: int, first: date, days: int, names: str) -> list[Adjustment]:
    """Return entries, ratings and ranks set by hand on any day, some as lower bounds."""
    rng = np.random.default_rng(seed)
    return [
        Adjustment(
            str(rng.choice(list(names))),
            str(rng.choice(["3k", "1d", "7d"])),
            float(rng.choice([300.0, 1700.0])) if rng.random() < 0.3 else None,
            None if rng.random() < 0.2 and first == START else first + timedelta(days=int(rng.integers(days))),
            f"by hand {number}",
            at_least=bool(rng.random() < 0.5),
        )
        for number in range(5)
    ]


@cache
def a_past(seed: int) -> Ledger:
    return Ledger.of(games_of(seed, EARLY, START, "ABCDEFGHIJ"), adjustments_of(seed, START, EARLY // 3, "ABCDEFGHIJ"))


@cache
def a_past_and_future(seed: int, first: date, count: int = LATER) -> Ledger:
    """Later games of old and new players too, with ranks of players who had none, and ranks set by hand."""
    names = "ABCDEFGHIJ" + "klmnopqrstuvwxyz0123456789"
    games, adjustments = games_of(seed + 1, count, first, names), adjustments_of(seed + 1, first, count // 3, names)
    return a_past(seed) + Ledger.of(games, adjustments)


def rows_of(ratings: Ratings, games: int) -> dict[str, bytes]:
    """Return what ratings say of the first games of the ledger, each array as its bytes."""
    rated = int((ratings.arrays.sequence < games).sum())
    answers: dict[str, Any] = {
        name: getattr(ratings.arrays, name)[:games] for name in ("before", "change", "after", "unrated")
    } | {"sequence": ratings.arrays.sequence[:rated]}
    if ratings.arrays.deviations is not None:
        answers["deviations"] = ratings.arrays.deviations[:games]
    if ratings.arrays.rank_numbers is not None:
        answers |= {f"rank {place}": numbers[:games] for place, numbers in enumerate(ratings.arrays.rank_numbers)}
    for name, values in vars(ratings.arrays.extra).items():
        if not isinstance(values, np.ndarray):
            continue
        if values.shape[:1] == (len(ratings.ledger),):
            answers[name] = values[:games]
        elif values.shape[:1] == (ratings.rated,) and values.ndim > 1:
            answers[name] = values[:rated]
    return {name: np.ascontiguousarray(values).tobytes() for name, values in answers.items()}


def lines_of(ratings: Ratings, players: list[str], games: int) -> dict[str, list[str]]:
    """Return the lines of the first games and of what was set by hand before the last of them."""
    cards = {}
    for name in players:
        lines = ratings.explain(name, reasons=range(1, games + 1))
        last = max((place for place, line in enumerate(lines) if line.game and line.game <= games), default=-1)
        rated = [place for place, line in enumerate(lines) if not line.note.startswith("not rated")]
        cards[name] = [repr(line) for line in lines[rated[0] if rated else last + 1 : last + 1]]
    return cards


def check_past(one: Ratings, other: Ratings, games: int) -> None:
    """Compare what two ratings say of the first games, which both have."""
    rows, again = rows_of(one, games), rows_of(other, games)
    assert {name for name in rows if rows[name] != again[name]} == set()
    players = sorted({name for game in list(one.ledger)[:games] for name in (game.black, game.white)})
    assert lines_of(one, players, games) == lines_of(other, players, games)


@pytest.mark.parametrize("rules", both_readings(BY_GAME + BY_PERIOD))
def test_later_games_and_ranks_change_nothing_earlier(rules: System) -> None:
    alone, joined = rules.rate(a_past(1)), rules.rate(a_past_and_future(1, date(2024, 4, 1), 100))
    assert len(joined.ledger) == EARLY + 100
    check_past(alone, joined, EARLY)
    other = joined.ledger.without_game(EARLY + 40)
    changed = replace(other[EARLY + 3], black_rank="9d", white_rank="30k", result="W+R", handicap=0)
    check_past(joined, rules.rate(other.with_game(changed, EARLY + 3)), EARLY)


@pytest.mark.extended
@pytest.mark.parametrize("rules", both_readings(BY_GAME))
def test_no_game_knows_the_next_one_of_its_day(rules: System) -> None:
    whole = a_past(4)
    ratings = rules.rate(whole)
    for games in range(1, EARLY, 16):
        check_past(rules.rate(Ledger.of(list(whole)[:games], whole.adjustments)), ratings, games)


@pytest.mark.parametrize("rules", both_readings(BY_GAME + BY_PERIOD))
def test_forecasts_as_of_a_day_are_those_of_the_ledger_that_ended_there(rules: System) -> None:
    joined = a_past_and_future(5, date(2024, 4, 1), 60)
    one, other = rules.rate(a_past(5)), rules.rate(joined.as_of("2024-03-31"))
    assert one.rating.tobytes() == other.rating.tobytes()
    assert one.table().equals(other.table())
    for black, white in ("AB", "CJ", "HD"):
        assert one.win_probability(black, white, 3, 0.5) == other.win_probability(black, white, 3, 0.5)
        assert one.fair_terms(black, white) == other.fair_terms(black, white)


CALENDARS = [item for item in BY_PERIOD if item[1].get("period", item[1].get("settle")) in {"week", "month"}]


@pytest.mark.parametrize("rules", both_readings(CALENDARS))
def test_games_of_a_period_change_nothing_that_stood_at_its_onset(rules: System) -> None:
    past = a_past(6)  # to 30 January, a Tuesday
    one, other = rules.rate(past), rules.rate(a_past_and_future(6, date(2024, 1, 31), 3))
    period = getattr(rules, "period", "month")
    onset = date(2024, 1, 29) if period == "week" else date(2024, 1, 1)
    earlier = sum(game.date.moment.date() < onset for game in past)  # type: ignore[union-attr]
    assert (earlier > 0) is (period == "week")
    check_past(one, other, earlier)
    for name in {"rated_from", "variance", "onset_variance"} & set(vars(one.arrays.extra)):
        early, late = (getattr(ratings.arrays.extra, name) for ratings in (one, other))
        assert early.tobytes() == late[: len(early)].tobytes()


def test_a_rank_declared_years_later_moves_nothing_by_default() -> None:
    games = [Game("A", "B", "B+R", date=f"2020-01-0{day}") for day in (1, 2)]
    later = Game("B", "C", "B+R", date="2024-01-01", black_rank="5d")
    for name, start in (("elo", 1500.0), ("egf", 100.0), ("glicko", 1500.0), ("dgs", 100.0)):
        ratings = system(name).rate(Ledger.of([*games, later]))
        assert ratings.arrays.before[0].tolist() == [start, start]
        assert "1 player first declared a rank after the first rated game" in " ".join(ratings.warnings)
        assert [line.note for line in ratings.explain("B")] == ["", "", ""]


@pytest.mark.parametrize(("name", "rating"), [("elo", 2340.0), ("egf", 2500.0), ("glicko", 2500.0), ("sagc", 0.0)])
def test_a_late_rank_adjusts_on_request_before_its_game(name: str, rating: float) -> None:
    games = [Game("A", "B", "B+R", date=f"2020-01-0{day}", event="Open") for day in (1, 2)]
    late = [Game("C", "A", "B+R", date="2024-01-01", event="Cup"), Game("B", "C", "B+", "2024-01-01", black_rank="5d?")]
    ratings = system(name, late_ranks="adjust").rate(Ledger.of([*games, *late]))
    *_, adjusted, line = ratings.explain("B")
    assert (adjusted.note, adjusted.after, adjusted.game, adjusted.date) == (
        "first declared rank 5d", rating, None, "2024-01-01"
    )  # fmt: skip
    assert (line.opponent, line.before) == ("C", rating)
    assert adjusted.rank_after == "5d"
    assert not [warning for warning in ratings.warnings if "first declared" in warning]


def test_who_was_set_by_hand_needs_no_late_rank() -> None:
    games = [Game("A", "B", "B+R", date="2020-01-01"), Game("A", "B", "B+R", date="2024-01-01", white_rank="5d")]
    for day in (None, "2022-01-01", "2024-01-01"):
        ratings = system("elo", late_ranks="adjust").rate(Ledger.of(games, [Adjustment("B", "1k", None, day)]))
        assert ratings.arrays.before[1, 1] < 2100.0
        assert [item.item.note for item in ratings.arrays.adjusted] == [""] * (day is not None)


def test_the_entry_rank_is_the_last_one_known_by_the_first_rated_game() -> None:
    void = Game("A", "B", "void", date="2020-01-01", black_rank="9k", white_rank="9k")
    bare = Game("A", "B", "void", date="2020-01-02", black_rank="7k")
    first = Game("A", "B", "B+R", date="2020-01-03", white_rank="3k")
    after = Game("A", "B", "B+R", date="2020-01-04", black_rank="1d", white_rank="1d")
    ratings = system("elo").rate(Ledger.of([void, bare, first, after]))
    assert ratings.arrays.before[2].tolist() == [1680.0, 1920.0]  # 7k and 3k, 60 a rank, 1 dan at 2100
    assert ratings.arrays.before[3].tolist() == [
        1680.0 + ratings.arrays.change[2, 0],
        1920.0 + ratings.arrays.change[2, 1],
    ]
    assert not ratings.warnings


@pytest.mark.parametrize(
    ("settings", "name"), [({"batch": "event", "per_rank": 100.0}, "elo"), ({"period": "month"}, "glicko")]
)
def test_a_late_rank_counts_from_the_start_of_an_event_entered_with_it(settings: dict[str, Any], name: str) -> None:
    rules = system(name, late_ranks="adjust", **settings)
    first = Game("A", "B", "B+R", date="2020-01-01", event="Cup")
    others = Game("C", "D", "B+R", date="2020-05-01", event="Open")
    entered = Game("A", "C", "B+R", date="2020-05-02", event="Open", black_rank="5d")
    again = Game("A", "D", "B+R", date="2020-05-03", event="Open")
    assert rules.rate(Ledger.of([first, others, entered, again])).arrays.before[2, 0] == 2500.0
    bare = replace(entered, black_rank="")
    named = replace(again, black_rank="5d")
    following = Game("A", "D", "B+R", date="2020-07-03", event="Last")
    ratings = rules.rate(Ledger.of([first, others, bare, named, following]))
    assert ratings.arrays.before[2:4, 0].max() < 2000.0  # the event had begun for this player
    assert ratings.arrays.before[4, 0] == 2500.0


SCALES = [name for name in sorted(SYSTEMS) if "late_ranks" in settings_of(SYSTEMS[name])] + ["aga", "accelrat"]


@pytest.mark.parametrize("name", SCALES)
def test_a_lower_bound_by_hand_never_lowers_at_entry(name: str) -> None:
    game = Game("A", "B", "B+R", date="2020-01-01", komi=6.5, black_rank="3d", white_rank="3d", kind="tournament")

    def entry(*adjustments: Adjustment) -> tuple[float, str]:
        line = system(name).rate(Ledger.of([game], adjustments)).explain("A")[0]
        return line.before, line.rank_before

    plain = entry()
    assert entry(Adjustment("A", "1k", None, "2019-01-01", at_least=True)) == plain
    assert entry(Adjustment("A", "1k", None, None, at_least=True)) == plain
    assert entry(Adjustment("A", "1k", None, "2019-01-01")) != plain
    raised = entry(Adjustment("A", "5d", None, "2019-01-01", at_least=True))
    assert raised == entry(Adjustment("A", "5d", None, "2019-01-01")) != plain
    both = [Adjustment("A", "1k", None, "2018-01-01"), Adjustment("A", "9k", None, "2019-01-01", at_least=True)]
    assert entry(*both) == entry(both[0])


@pytest.mark.parametrize("name", ["igs", "kgs"])
def test_ratings_solved_together_are_anchored_by_the_rank_known_at_the_first_game(name: str) -> None:
    games = [
        Game("A", "B", "B+R", date="2020-01-01", black_rank="3k", white_rank="3k"),
        Game("A", "C", "W+R", date="2020-01-02", black_rank="1k"),
        Game("A", "C", "B+R", date="2020-01-03", black_rank="1k", white_rank="2k"),
    ]
    rules = system(name)
    ratings = rules.rate(Ledger.of(games))
    three, two = (rules.rating_for(Rank.parse(text)) for text in ("3k", "2k"))
    start = vars(rules)["start"]
    assert MostLikelyExtra.of(ratings).anchor.tolist() == [[three, three], [three, start], [three, start]]
    assert any("first declared" in warning for warning in ratings.warnings)
    late = system(name, late_ranks="adjust").rate(Ledger.of(games))
    assert MostLikelyExtra.of(late).anchor.tolist() == [[three, three], [three, two], [three, two]]
    assert not any("no effect" in warning or "late_ranks" in warning for warning in late.warnings)


def test_an_event_of_the_aga_takes_the_rank_of_the_entry_form_and_no_later_one() -> None:
    games = [
        Game("A", "B", "B+R", date="2020-01-01", event="First", komi=7.5, black_rank="3k"),
        Game("A", "B", "B+R", date="2020-03-01", event="Second", komi=7.5),
        Game("B", "A", "B+R", date="2020-03-02", event="Second", komi=7.5, black_rank="1d"),
    ]
    ratings = system("aga").rate(Ledger.of(games))
    assert [ratings.arrays.reasons[code] for code in ratings.arrays.unrated] == [
        "with a player of unknown rank",
        "",
        "",
    ]
    assert ratings.arrays.before[1].tolist() == [-3.5, 1.5]  # the middle of 3 kyu and of 1 dan
    early = system("aga").rate(Ledger.of(games[:1], [Adjustment("B", "1d", None, "2020-02-01")]))
    assert early.rated == 0
    assert system("aga").rate(Ledger.of(games[:1], [Adjustment("B", "1d", None, "2020-01-01")])).rated == 1
