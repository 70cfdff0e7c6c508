"""Points cards: whose rule the limit of games a day is, dates without a day, colours that nobody wrote down."""

from __future__ import annotations

import math
import random
from datetime import date, timedelta
from typing import Any, Literal

import numpy as np
import pytest

from handan.errors import SettingError
from handan.handicaps import CARDS
from handan.ledger import Adjustment, Game, Ledger
from handan.ranks import Rank
from handan.ratings import Ratings
from handan.systems import Points
from handan.systems.families.settlement import NO_PAIR_DAY, SECRET, number_pairs, pair_days
from tests.forms import FORMS
from tests.naive import points as naive

DAY = date(2020, 5, 1)


def pair(*games: Game, ada: float = 130.0, bo: float = 130.0) -> Ledger:
    return Ledger.of(games, [Adjustment("Ada", None, ada), Adjustment("Bo", None, bo)])


def now(ratings: Ratings) -> tuple[float, float]:
    return float(ratings.rating[0]), float(ratings.rating[1])


def five(day: str) -> Ledger:
    return pair(*(Game("Ada", "Bo", "B+", date=day) for _ in range(5)))


@pytest.mark.parametrize("card", sorted(CARDS))
def test_the_limit_of_three_games_a_day_is_the_local_rule_of_one_card(card: str) -> None:
    # sources: Points Rating System ("Local rules": three games); Point Ranking Scheme ("after each game")
    low = CARDS[card].step_low if CARDS[card].step_low_below else 1
    counted = 3 if card == "tagajo12" else 5
    assert now(Points(card=card).rate(five("2020-05-01"))) == (130.0 + counted * low, 130.0 - counted * low)


def test_a_club_sets_its_own_limit_or_none() -> None:
    ledger = five("2020-05-01")
    assert now(Points(card="tokyo15", daily_limit=2).rate(ledger)) == (132.0, 128.0)
    assert now(Points(card="tagajo12", daily_limit=0).rate(ledger)) == (135.0, 125.0)
    unrated = Points(card="tokyo15", daily_limit=2).rate(ledger).unrated_counts
    assert unrated == {"one game too many with this opponent on that day": 3}


def test_two_points_move_below_200_and_one_from_there_on() -> None:
    # source: Mami club, by the points before the game
    ledger = pair(Game("Ada", "Bo", "B+", date=DAY), ada=200.0, bo=199.0)
    assert now(Points(card="mami12").rate(ledger)) == (201.0, 197.0)


@pytest.mark.parametrize(("freeze", "points"), [("all", 203.0), ("pair", 202.0)])
def test_points_that_stand_still_until_the_evening_also_say_how_many_move(
    freeze: Literal["all", "pair"], points: float
) -> None:
    ledger = pair(*[Game("Ada", "Bo", "B+", date=DAY, round=number) for number in (1, 2)], ada=199.0, bo=300.0)
    assert now(Points(card="mami12", settle="day", freeze=freeze).rate(ledger)) == (points, 298.0)


@pytest.mark.parametrize("day", ["2020-05", "2020"])
@pytest.mark.parametrize("settle", ["game", "day", "month"])
def test_a_month_or_a_year_is_no_day(day: str, settle: Literal["game", "day", "month"]) -> None:
    assert now(Points(settle=settle).rate(five(day))) == (135.0, 125.0)


def test_times_of_one_day_are_one_day() -> None:
    games = [Game("Ada", "Bo", "B+", date=f"2020-05-01 1{hour}:00") for hour in range(5)]
    assert now(Points().rate(pair(*games))) == (133.0, 127.0)


def test_games_that_do_not_count_use_up_nothing_of_the_limit() -> None:
    # three games at other terms, a free and a void one, then one as the card says (difference 0: even, komi 6)
    wrong = [Game("Ada", "Bo", "B+", date=DAY, handicap=4, komi=0.5, entry=number) for number in (1, 2, 3)]
    others = [
        Game("Ada", "Bo", "B+", date=DAY, komi=6, kind="free", entry=4),
        Game("Ada", "Bo", "void", date=DAY, komi=6, entry=5),
    ]
    right = Game("Ada", "Bo", "B+", date=DAY, komi=6, entry=6)
    ratings = Points(conditions="card").rate(pair(*wrong, *others, right))
    assert now(ratings) == (131.0, 129.0)
    assert ratings.unrated_counts["not at the terms of the card"] == 3
    assert "one game too many with this opponent on that day" not in ratings.unrated_counts


def test_without_a_day_points_move_at_once_where_days_are_settled() -> None:
    # nobody knows that two games of one month share a day; those of the day that is known stand still together
    games = [
        Game("Ada", "Bo", "B+", date="2020-05", entry=2),
        Game("Ada", "Bo", "B+", date="2020-05-01", entry=1),
        Game("Ada", "Bo", "B+", date="2020-05-01", entry=3),
        Game("Ada", "Bo", "B+", date="2020-05", entry=4),
    ]
    ratings = Points(settle="day").rate(pair(*games))
    points = {line.game: line.reason.facts["points held"] for line in ratings.explain("Ada")}
    assert points == {1: 130.0, 3: 130.0, 2: 132.0, 4: 133.0}


def test_a_month_is_settled_together_where_months_are_and_a_year_is_not() -> None:
    games = [
        Game("Ada", "Bo", "B+", date=day, entry=number)
        for number, day in enumerate(("2020", "2020", "2020-01", "2020-01"), 1)
    ]
    lines = Points(settle="month").rate(pair(*games)).explain("Ada")
    assert [line.reason.facts["points held"] for line in lines] == [130.0, 131.0, 132.0, 132.0]


@pytest.mark.parametrize("jigo", ["card", "white_wins"])
def test_a_tie_without_colours_moves_nobody(jigo: Literal["card", "white_wins"]) -> None:
    system = Points(card="tagajo12", jigo=jigo)
    for game in (Game("Ada", "Bo", "P="), Game("Bo", "Ada", "P=")):
        assert now(system.rate(pair(game))) == (130.0, 130.0)
    assert now(system.rate(pair(Game("Ada", "Bo", "jigo")))) == (129.0, 131.0)  # with colours it is White's


@pytest.mark.parametrize("komi", [-2.0, 6.0])
def test_the_order_of_columns_says_nothing_where_colours_are_not_known(komi: float) -> None:
    # 130 v 110 on the 12-point card: figure 1 (two stones), White gives 2
    system = Points(card="tagajo12", conditions="card")
    one = system.rate(pair(Game("Ada", "Bo", "P1+", handicap=2, komi=komi), bo=110.0))
    other = system.rate(pair(Game("Bo", "Ada", "P2+", handicap=2, komi=komi), bo=110.0))
    assert now(one) == now(other) == ((131.0, 109.0) if komi == -2.0 else (130.0, 110.0))


def test_the_terms_of_the_card_name_the_players() -> None:
    (line,) = Points().rate(pair(Game("Bo", "Ada", "B+", handicap=2, komi=-2), bo=110.0)).explain("Ada")
    assert line.reason.facts["terms of the card"] == "Black: Bo, 2 stones, White gives 2, a tie is White's"


@pytest.mark.parametrize(
    ("settle", "day", "points"),
    [
        ("day", "2020-05-01", (110.0, 130.0)),
        ("day", "2020-05-02", (112.0, 128.0)),
        ("day", "2020-05", (112.0, 128.0)),
        ("month", "2020-05-31", (110.0, 130.0)),
        ("month", "2020-06-01", (112.0, 128.0)),
        ("game", "2020-05-01", (112.0, 128.0)),
    ],
)
def test_the_next_game_of_a_day_is_played_with_the_points_that_it_is_rated_from(
    settle: Literal["game", "day", "month"], day: str, points: tuple[float, float]
) -> None:
    # local rule of Tagajo: points stand still during the day, whatever was won in it
    played = [Game("Ada", "Bo", "B+", date=DAY, entry=number) for number in (1, 2)]
    system, ledger = Points(settle=settle), pair(*played, ada=110.0, bo=130.0)
    ratings = system.rate(ledger)
    assert now(ratings) == (112.0, 128.0)
    assert now(ratings.on(day)) == points
    terms = ratings.on(day).fair_terms("Ada", "Bo")
    game = Game("Ada", "Bo", "B+", date=day, handicap=terms.handicap, komi=terms.komi)
    if len(day) == 10:  # a month sorts before its days
        line = system.rate(ledger.with_game(game)).explain("Ada")[-1]
        assert line.reason.facts["points held"] == points[0]
        assert line.reason.facts["terms of the card"] == terms.text
        assert line.reason.facts["played at these terms"] is True


def test_points_set_by_hand_in_a_month_that_is_settled_together_hold_from_its_end() -> None:
    item = Adjustment("Ada", None, 150.0, "2020-05-20", "entered too low")
    ledger = pair(Game("Ada", "Bo", "B+", date=DAY)).with_adjustments([item])
    system = Points(settle="month")
    for day, points in (("2020-05-21", (130.0, 130.0)), ("2020-06-01", (150.0, 129.0))):
        assert now(system.rate(ledger).on(day)) == points
        lines = system.rate(ledger.with_game(Game("Ada", "Bo", "B+", date=day))).explain("Ada")
        assert [line.reason.facts["points held"] for line in lines if line.date == day] == [points[0]]


@pytest.mark.parametrize("form", FORMS)
def test_pairs_of_a_day_are_numbered_as_a_dictionary_numbers_them(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", form)
    dice = random.Random(12)
    games = []
    for number in range(300):
        black, white = dice.sample([f"Player {place}" for place in range(6)], 2)
        day = f"2025-01-{1 + number // 20:02}" if dice.random() < 0.8 else "2025-01"
        games.append(Game(black, white, "B+R", day))
    ledger = Ledger.of(games)
    chosen = np.flatnonzero(np.array([dice.random() < 0.9 for _ in range(len(ledger))]))
    numbers: dict[tuple[Any, ...], int] = {}
    expected = []
    for game in (ledger[place] for place in chosen.tolist()):
        pair_day = (str(game.date), *sorted((game.black, game.white)))
        expected.append(numbers.setdefault(pair_day, len(numbers)) if len(pair_day[0]) == 10 else NO_PAIR_DAY)
    assert pair_days(ledger, chosen).tolist() == expected


def test_no_file_can_send_the_pairs_of_a_day_to_one_place_of_the_table() -> None:
    # each White is chosen so that the pair would stand at place 0 if the two factors were small primes in print
    games, last = 2_000, (1 << 12) - 1
    one = np.arange(1, games + 1)
    other = one * 73_856_093 * pow(19_349_663, -1, last + 1) & last
    one, other = one[other > one], other[other > one]
    place, number = np.full(last + 1, -1), np.empty(len(one), dtype=np.int64)
    number_pairs.plain(
        one.astype(np.uint32), other.astype(np.uint32), np.zeros(len(one), dtype=np.int64), SECRET, place, number
    )
    assert number.tolist() == list(range(len(one)))
    gaps = np.flatnonzero(np.append(place, -1) < 0)
    assert len(one) > 900
    assert np.diff(gaps, prepend=-1).max() < 300  # games that stand in one row, among so many as chance would scatter


LAWS = {"tagajo12": naive.Law(12, 6.0, True, 3), "tokyo15": naive.Law(15, 6.5, False, 0)}


def season_at_a_card(law: naive.Law, seed: int) -> tuple[list[naive.Game], dict[str, int]]:
    """Return games of which most are at the terms of the points of that moment, and the entries."""
    dice, names = np.random.default_rng(seed), ("Ada", "Bo", "Chidi", "Dara")
    entries = {name: int(dice.integers(100, 150)) for name in names}
    games: list[naive.Game] = []
    for number in range(40):
        one, other = (names[player] for player in dice.permutation(4)[:2])
        now, _ = naive.points(law, games, entries, only_at_the_card=True, by_day=False)
        black, white = sorted((one, other), key=now.__getitem__)
        stones, komi = naive.terms(law, now[white] - now[black])
        if dice.random() < 0.3:
            stones, komi = int(dice.integers(0, 3)), float(dice.integers(-3, 8))
        if dice.random() < 0.1:
            black, white = white, black
        score = float(dice.choice([1.0, 0.0, 1.0, 0.0, 0.5]))
        handicap = stones + 1 if stones else int(dice.integers(0, 2))
        recorded = None if dice.random() < 0.2 else komi
        games.append(naive.Game(number // 6, black, white, score, bool(dice.random() < 0.8), handicap, recorded))
    return games, entries


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("card", sorted(LAWS))
@pytest.mark.parametrize("conditions", ["any", "card"])
@pytest.mark.parametrize("settle", ["game", "day"])
def test_a_season_at_a_card_equals_the_slow_twin(card: str, conditions: Any, settle: Any, seed: int) -> None:
    games, entries = season_at_a_card(LAWS[card], seed)
    results = {True: {1.0: "B+", 0.0: "W+", 0.5: "jigo"}, False: {1.0: "P1+", 0.0: "P2+", 0.5: "P="}}
    ledger = Ledger.of(
        [
            Game(
                game.black, game.white, results[game.coloured][game.score], date=date(2026, 5, 1 + game.day),
                handicap=game.handicap, komi=game.komi, round=number,
            )
            for number, game in enumerate(games)
        ],
        [Adjustment(name, None, float(value)) for name, value in entries.items()],
    )  # fmt: skip
    ratings = Points(card=card, conditions=conditions, settle=settle).rate(ledger)
    own, counted = naive.points(
        LAWS[card], games, entries, only_at_the_card=conditions == "card", by_day=settle == "day"
    )
    assert {name: float(ratings.rating[ledger.find(name)]) for name in own} == own
    assert [number for number in range(len(games)) if not ratings.arrays.unrated[number]] == counted


def test_a_rank_is_reached_with_the_points_that_the_cards_print() -> None:
    # the definition: 130 is 1 dan, 12 points a rank; the count of whole ranks above or below it
    ladder = [str(Rank.kyu(number)) for number in range(30, 0, -1)] + [f"{number}d" for number in range(1, 10)]
    for points in range(-230, 240):
        place = 30 + (points - 130) // 12
        assert str(Points().rank(points)) == ladder[min(max(place, 0), 38)], points
    assert [str(Points(promotion="nearest").rank(points)) for points in (123, 124, 135, 136)] == [
        "1k",
        "1d",
        "1d",
        "2d",
    ]


@pytest.mark.parametrize("promotion", ["reached", "nearest"])
@pytest.mark.parametrize(("demotion", "spared"), [("below", 0), ("stone", 12), ("never", math.inf)])
def test_a_rank_that_is_held_is_lost_by_the_rule_of_the_club(
    promotion: Literal["reached", "nearest"], demotion: Literal["below", "stone", "never"], spared: float
) -> None:
    """The slow twin goes through the games of a card one by one."""
    draw = random.Random(7)
    pairs = [draw.sample("abcdef", 2) for _ in range(600)]
    pairs[236] = ["e", "f"]  # of the first of March, before which both are set by hand
    likely = [0.8 if number // 100 % 2 == (black < "d") else 0.2 for number, (black, _) in enumerate(pairs)]
    won = [draw.random() < chance for chance in likely]
    games = [
        Game(pair[0], pair[1], "B+" if black else "W+", date=f"{date(2026, 1, 1) + timedelta(days=number // 4)}")
        for number, (pair, black) in enumerate(zip(pairs, won, strict=True))
    ]
    adjustments = [
        Adjustment("a", None, 131.0), Adjustment("b", "1d", 125.0), Adjustment("c", "3k"), Adjustment("d", "4d", 150.0),
        Adjustment("e", "1d", date="2026-03-01"), Adjustment("f", None, 100.0, date="2026-03-01"),
        Adjustment("a", None, 90.0, date="2026-04-01", at_least=True),
    ]  # fmt: skip
    system = Points(promotion=promotion, demotion=demotion, daily_limit=0)
    plain = Points(promotion=promotion, daily_limit=0)

    def number(points: float) -> int:
        return Rank.parse(str(plain.rank(points))).number_from_30k

    def lost(current: int, points: float) -> int:
        return min(max(current, number(points)), 39 if spared == math.inf else number(points + spared))

    points = {"a": 131.0, "b": 125.0, "c": 94.0, "d": 150.0, "e": 0.0, "f": 0.0}
    current = {name: number(value) for name, value in points.items()}
    current["b"], current["d"] = lost(31, 125.0), lost(34, 150.0)
    expected = []
    for game in games:
        if str(game.date) == "2026-03-01" and "done" not in current:
            points |= {"e": 130.0, "f": 100.0}
            current |= {"e": 31, "f": number(100.0), "done": 1}
        if str(game.date) >= "2026-04-01" and "late" not in current:
            current["late"] = 1
            if points["a"] < 90.0:
                points["a"], current["a"] = 90.0, number(90.0)
        for name, sign in ((str(game.black), 1), (str(game.white), -1)):
            points[name] += sign if str(game.result) == "B+" else -sign
            current[name] = lost(current[name], points[name])
            expected.append(str(Rank.at(current[name])))
    ledger = Ledger.of(games, adjustments)
    ratings = system.rate(ledger)
    after = np.stack([[str(plain.rank(value)) for value in ratings.arrays.after[:, side]] for side in (0, 1)], axis=1)
    if ratings.arrays.rank_numbers is not None:
        after = np.array([[str(Rank.at(value)) for value in row] for row in ratings.arrays.rank_numbers[1].tolist()])
    assert after.ravel().tolist() == expected
    assert {name: str(ratings.arrays.rank_of(ledger.find(name))) for name in "abcdef"} == {
        name: str(Rank.at(current[name])) for name in "abcdef"
    }


def test_a_club_has_its_own_points_of_ranks() -> None:
    club = Points(rank_points="2級 100、1級 115, 初段=130; 3d:175", stone=20)
    assert [str(club.rank(points)) for points in (99, 114, 115, 129, 130, 152, 153, 174, 175, 194, 195)] == [
        "3k", "2k", "1k", "1k", "1d", "1d", "2d", "2d", "3d", "3d", "4d"
    ]  # fmt: skip
    assert [club.rating_for(Rank.parse(rank)) for rank in ("3k", "2k", "1d", "3d", "4d")] == [80, 100, 130, 175, 195]
    for table in ("130", "2d 130, 1d 140", "1d 1, 1d 2", "9p 400"):
        with pytest.raises(SettingError, match="rank_points"):
            Points(rank_points=table)
