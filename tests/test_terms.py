"""One win probability, and fair terms by it: the same figure in Python and on the command line."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import handan
from handan import shortcuts
from handan.errors import InputError
from handan.ratings import Ratings, Standing
from handan.systems import SYSTEMS, System
from handan.systems import system as system_named
from tests.command_line import run
from tests.conftest import ROOT
from tests.forms import extended_but

CLUB = Path("examples/club/games.csv")
GRID = (*((0, komi) for komi in (6.5, 7.5)), *((stones, 0.5) for stones in range(1, 10)))


@pytest.fixture(scope="module", params=extended_but(["aga", "egf", "elo", "points", "sagc"], SYSTEMS))
def club(request: pytest.FixtureRequest) -> Ratings:
    return handan.rate(handan.read(CLUB), request.param)


def _as_printed(*arguments: str) -> dict[str, object]:
    answer: dict[str, object] = json.loads(run(*arguments, "--format", "json").out)
    return answer


@pytest.mark.extended
def test_the_proposed_terms_are_the_offered_ones_nearest_to_even(club: Ratings) -> None:
    system = club.system
    assert isinstance(system, System)
    names = [player.name for player in club.ledger.players][::2]
    for one, other in itertools.combinations(names, 2):
        terms = club.fair_terms(one, other)
        proposed = club.win_probability(terms.black, terms.white, terms.handicap, terms.komi)
        if proposed is None:
            continue  # without a law there is nothing to compare
        offers = {(stones, komi) for stones, komi in GRID if komi == system.customary_komi(stones)}
        chances = [club.win_probability(terms.black, terms.white, *offer) for offer in offers | set(system.offered())]
        nearest = min(abs(chance - 0.5) for chance in chances if chance is not None)
        assert abs(proposed - 0.5) <= nearest + 1e-9, (one, other, terms.text)


def test_terms_and_odds_of_the_command_line_are_those_of_python(club: Ratings) -> None:
    name = str(getattr(club.system, "name", ""))
    one, other = (club.ledger.players[index].name for index in (club.arrays.ladder[0], club.arrays.ladder[9]))
    terms = club.fair_terms(one, other)
    probability = club.win_probability(terms.black, terms.white, terms.handicap, terms.komi)
    printed = _as_printed("handicap", one, other, "--system", name, "--players", str(CLUB))
    assert (printed["text"], printed["win_probability"]) == (terms.text, probability)
    if probability is None:
        return
    where = ("--handicap", str(terms.handicap), "--komi", str(terms.komi), "--players", str(CLUB))
    odds = _as_printed("odds", one, other, "--system", name, *where)
    assert (odds["black"], odds["win_probability"]) == (terms.black, probability)


# ties of 3d against 19k underflow in every probability: numbers and closed scale as in systems.md, 13.1 and 29
@pytest.mark.parametrize(("strong", "weak"), [("3d", "18k"), ("3d", "19k"), ("1d", "25k"), ("9d", "30k")])
@pytest.mark.parametrize("name", ["aga", "accelrat"])
def test_a_far_weaker_player_gets_nine_stones_and_hears_that_it_is_no_game(name: str, strong: str, weak: str) -> None:
    system = system_named(name)
    terms = system.fair_terms(system.standing(strong), system.standing(weak))
    assert (terms.black, terms.handicap) == (weak, 9)
    assert terms.text.startswith("no fair terms: even 9 stones and 60 points of komi leave")
    assert "9 stones" in terms.text


@pytest.mark.parametrize(
    ("one", "other", "ranks"), [("3d", "19k", 21), ("1d", "1k", 1), ("2d", "1d", 1), ("1k", "3k", 2)]
)
def test_a_difference_across_1_dan_is_counted_on_the_closed_scale(one: str, other: str, ranks: int) -> None:
    for name, unit in (("aga", 1.0), ("accelrat", 100.0)):
        system = system_named(name)
        terms = system.fair_terms(system.standing(one), system.standing(other))
        assert terms.difference == pytest.approx(unit * ranks)
    assert f"difference {ranks}" in run("handicap", one, other, "--system", "aga").out


RANKED = [name for name in SYSTEMS if name != "holigor"]  # which knows no ranks


@pytest.mark.parametrize("name", RANKED)
@pytest.mark.parametrize(
    ("strong", "weak", "stones"),
    [("3d", "1d", 2), ("2k", "5k", 3), ("5d", "3d", 2), ("1d", "1k", 1), ("4k", "4k", 0), ("7d", "1p", 0),
     ("8d", "7d", 1), ("9p", "7d", 2), ("1d", "9k", 9)],
)  # fmt: skip
def test_a_stone_a_rank_is_what_two_ranks_get_under_every_system(
    name: str, strong: str, weak: str, stones: int
) -> None:
    """Go ranks and ratings (Wikipedia): 3d gives 1d two stones, 5k takes three of 2k, 3d takes two of 5d; one rank is
    Black's first move."""
    system = system_named(name)
    ratings = shortcuts.rate(handan.Ledger.of([handan.Game("Ada", "Bo", "B+", "2026-01-01", black_rank="2d")]), name)
    for terms in (
        system.fair_terms(system.standing(strong), system.standing(weak)),
        system.fair_terms(system.standing(weak), system.standing(strong)),
        ratings.fair_terms(strong, handan.Rank.parse(weak)),
    ):
        assert terms.handicap == stones
        assert terms.unfair == ""
        if stones:
            assert (terms.black, terms.white, terms.komi, terms.colours) == (weak, strong, 0.5, "given")
        else:
            assert (terms.komi, terms.colours) == (system.customary_komi(0), "nigiri")


def test_terms_that_are_nearer_to_even_than_a_stone_a_rank_are_named_beside() -> None:
    """By Elo's law 120 points are 2 stones of 60 behind Black's first move, which is half of one: 3 stones."""
    answer = run("handicap", "3d", "1d", "--system", "elo")
    assert answer.out.startswith("Black: 1d, 2 stones, Black gives 0.5\n")
    assert "Nearer to even by elo: Black: 1d, 3 stones, Black gives 0.5" in answer.out
    assert "Nearer" not in run("handicap", "3d", "1d", "--system", "egf").out
    assert _as_printed("handicap", "3d", "1d", "--system", "elo")["nearer"] == "Black: 1d, 3 stones, Black gives 0.5"
    ratings = run("handicap", "2220", "2100", "--system", "elo")  # the same figures as ratings of players
    assert ratings.out.startswith("Black: 2100, 3 stones, Black gives 0.5\n")
    assert "Nearer" not in ratings.out


@pytest.mark.parametrize("name", ["dgs", "sagc", "points", "elo", "glicko", "kgs", "igs", "ogs", "holigor", "whr"])
def test_no_terms_go_beyond_what_a_board_holds(name: str) -> None:
    system = system_named(name)
    if name == "holigor":
        strong, weak = Standing("9d", 30_000.0), Standing("30k", 0.0)
    else:
        strong, weak = system.standing("9d"), system.standing("30k")
    terms = system.fair_terms(strong, weak)
    assert terms.text.startswith("no fair terms: ")
    assert terms.stones_on_board == 9
    assert terms.komi is None or abs(terms.komi) <= 60


def test_a_card_gives_komi_beyond_nine_stones_and_says_where_even_that_ends() -> None:
    card = handan.card("tokyo15")
    within, beyond = (handan.card_terms(card, ("A", points), ("B", 0)) for points in (15 * 9 + 20, 1e9))
    assert (within.stones_on_board, within.unfair) == (9, "")
    assert within.komi == card.row(15 * 8).komi - 35  # type: ignore[operator]  # 155 points are 35 beyond 120
    assert beyond.komi == -60.0
    assert beyond.text.startswith(
        "no fair terms: 9 stones and 60 points of komi do not make up for 1,000,000,000 points"
    )


@pytest.mark.parametrize("name", [name for name in SYSTEMS if SYSTEMS[name].winning_law is not None])
def test_a_stranger_has_a_forecast_by_rank_by_rating_or_by_nothing(name: str) -> None:
    ratings = shortcuts.rate(handan.read(ROOT / "examples" / "games.csv"), name)
    someone = ratings.ledger.players[0].name
    for stranger in ("3k", "1700", handan.Rank.parse("3k"), 1700.0, None, "Nobody Whom We Know"):
        probability = ratings.win_probability(stranger, someone, strangers="allow")
        assert probability is not None
        assert 0.0 <= probability <= 1.0
        assert ratings.fair_terms(stranger, someone, strangers="allow").text


def test_a_name_that_nobody_has_is_refused_with_the_nearest_names_unless_strangers_are_allowed() -> None:
    """A misspelt player would be forecast as a newcomer, and nobody would see it."""
    club = handan.rate(handan.read(CLUB), "elo")
    someone = club.ledger.players[0].name
    other = club.ledger.players[1].name
    asks: tuple[Callable[..., Any], ...] = (
        lambda name, **more: club.win_probability(name, other, **more),
        lambda name, **more: club.win_probability(other, name, **more),
        lambda name, **more: club.fair_terms(name, other, **more),
        club.standing,
        lambda name, **more: club.predict({"black": [other], "white": [name]}, **more),
    )
    for ask in asks:
        with pytest.raises(InputError, match=f"is not in the ledger; did you mean {someone}"):
            ask(someone + "x")
        with pytest.raises(InputError, match="'Qqq' is not in the ledger; strangers=\"allow\" takes the name"):
            ask("Qqq")
        assert ask("Qqq", strangers="allow") is not None
        for stranger in ("3k", "1700", None):
            assert ask(stranger) is not None
        with pytest.raises(InputError, match="strangers='never' is neither refuse nor allow"):
            ask("Qqq", strangers="never")
        for no_name in ("", "12d"):
            with pytest.raises(InputError, match=r"is not a name|is not one of"):
                ask(no_name, strangers="allow")


def test_a_table_of_forecasts_says_who_was_unknown() -> None:
    club = handan.rate(handan.read(CLUB), "elo")
    member = club.ledger.players[0].name
    games = {"black": [member, "Zzz", member, "Zzz", "3k"], "white": ["3k", member, None, "Qqq", "1700"]}
    table = club.predict(games, strangers="allow")
    assert table["unknown"].to_list() == ["", "black", "white", "both", ""]
    assert table["probability"].null_count() == 0
    with pytest.raises(InputError, match="row 2: player 'Zzz' is not in the ledger"):
        club.predict(games)
    with pytest.raises(InputError, match="a column unknown already"):
        club.predict(games | {"unknown": ["", "", "", "", ""]})


def test_the_command_line_takes_no_name_for_a_stranger_unasked_and_says_who_is_one() -> None:
    for command in ("odds", "handicap"):
        refused = run(command, "Quentin", "3k", "--system", "elo", "--players", str(CLUB))
        assert (refused.status, refused.out) == (2, "")
        assert "player 'Quentin' is not in the ledger (--strangers allow takes" in refused.err
    answer = run("odds", "Quentin", "3k", "--system", "elo", "--players", str(CLUB), "--strangers", "allow")
    assert answer.status == 0
    # 1500 is the start of elo, which is 10k: 2100 at 1d, less ten ranks of 60
    assert answer.err.splitlines()[-1] == "Quentin is not in the files and taken as a newcomer: 1500 10k"
    misspelt = run("odds", "Tamsin Arkwel", "3k", "--system", "elo", "--players", str(CLUB))
    assert (misspelt.status, misspelt.out) == (2, "")
    assert "did you mean Tamsin Arkwell" in misspelt.err


def test_a_rank_that_nobody_has_and_an_empty_name_are_no_strangers() -> None:
    for text, words in (("12d", "rank '12d' is not one of"), ("0k", "rank '0k' is not"), ("", "'' is not a name")):
        answer = run("odds", text, "Tamsin Arkwell", "--system", "egf", "--players", str(CLUB), "--strangers", "allow")
        assert (answer.status, answer.out) == (2, "")
        assert words in answer.err


@pytest.mark.parametrize("name", ["egf", "dgs", "aga", "igs", "kgs"])
def test_no_terms_are_called_unfair_at_which_the_printed_chance_is_fair(name: str) -> None:
    # many lost games at the largest difference: forecasts learn that the published odds are far too steep here
    games = [
        handan.Game("Ada", "Bo", "B+" if number % 2 else "W+", date=f"2024-01-{number + 1:02}",
                    black_rank="20k", white_rank="5k")
        for number in range(28)
    ]  # fmt: skip
    ratings = shortcuts.rate(handan.Ledger.of(games), name)
    assert ratings.calibration[0] > 0.5
    for one, other in (("20k", "5k"), ("30k", "1d"), ("25k", "9d")):
        terms = ratings.fair_terms(one, other)
        chance = ratings.win_probability(terms.black, terms.white, terms.handicap, terms.komi)
        assert chance is not None
        assert chance < 0.1 or not terms.unfair


@pytest.mark.parametrize("name", [name for name in SYSTEMS if name != "sagc"])  # whose rank comes before the index
def test_the_lower_rating_takes_black_whatever_the_rank_declared(name: str) -> None:
    system = system_named(name)
    professional, amateur = Standing("Cho", 0.0, None, handan.Rank.parse("10p")), Standing("Bo", 511.0)
    terms = system.fair_terms(professional, amateur)
    assert terms.card_stones >= 0
    if terms.colours == "given":
        assert terms.black == "Cho"


def test_numbers_in_which_a_stone_is_lost_are_refused() -> None:
    for arguments in (("1e308", "-1e308", "--card", "tagajo12"), ("1e300", "1", "--system", "elo")):
        answer = run("handicap", *arguments)
        assert (answer.status, answer.out) == (2, "")
        assert "is not a number from -1000000000 to 1000000000" in answer.err


def test_names_without_files_are_refused_with_the_option_that_they_need() -> None:
    answer = run("handicap", "Alice", "Bob", "--system", "egf")
    assert answer.status == 2
    assert "'Alice' is neither a rank nor a rating; names need --players FILE" in answer.err


@pytest.mark.parametrize(
    ("handicap", "komi"), [(-3, None), (300, None), (0, math.inf), (0, math.nan), (0, 1e6), (1.5, None)]
)
def test_terms_that_no_game_can_have_are_refused(club: Ratings, handicap: int, komi: float | None) -> None:
    with pytest.raises(InputError, match="is not a"):
        club.win_probability(club.ledger.players[0].name, club.ledger.players[1].name, handicap, komi)


def test_a_player_against_the_same_player_is_refused(club: Ratings) -> None:
    name = club.ledger.players[0].name
    for ask in (club.win_probability, club.fair_terms):
        with pytest.raises(InputError, match="given twice"):
            ask(name, name.upper())


@pytest.mark.parametrize(
    ("arguments", "note"),
    [
        (("2d", "2k", "--system", "egf", "--handicap", "4", "--komi", "100"), "komi 100 plays no part under egf"),
        (("2d", "2k", "--system", "egf", "--komi", "7.5"), "komi 7.5 plays no part under egf"),
        (("2d", "2k", "--system", "egf", "--komi", "0"), ""),
        (("2d", "2k", "--system", "elo", "--komi", "7.5"), ""),
        (("2d", "2k", "--system", "aga", "--handicap", "4"), ""),
    ],
)
def test_what_plays_no_part_is_said(arguments: tuple[str, ...], note: str) -> None:
    answer = run("odds", *arguments)
    assert answer.status == 0
    assert ("plays no part" in answer.err) == bool(note)
    assert note in answer.err


def test_the_worth_of_the_first_move_that_was_learned_decides_the_terms() -> None:
    """Black wins three of four games of every pair in both colours: 190 Elo, drawn towards 0 by 30 Elo of doubt."""
    pairs = itertools.permutations("ABC", 2)
    games = [
        handan.Game(black, white, f"{'W' if number % 4 == 0 else 'B'}+", date=f"2024-01-{1 + number % 28:02}")
        for black, white in pairs
        for number in range(52)
    ]
    for name in ("bradley-terry", "decayed"):
        ratings = handan.rate(handan.Ledger.of(games), name)
        even, stones = (ratings.win_probability("A", "B", *terms) for terms in ((0, 6.5), (2, 0.5)))
        assert even == pytest.approx((234.0 + 67.06) / (312.0 + 134.12), abs=0.02)
        assert even is not None
        assert stones is not None
        assert stones > even
        assert ratings.fair_terms("A", "B").handicap == 0


def test_the_log_odds_do_not_underflow_where_the_probability_does() -> None:
    for name in SYSTEMS:
        system = system_named(name)
        if system.winning_law is None or name in ("bradley-terry", "decayed", "whr"):  # the last know no ranks
            continue
        strong, weak = system.standing("9d"), system.standing("30k")
        leads = [system.log_odds(weak, strong, stones, 0.5) for stones in range(2, 10)]
        assert all(math.isfinite(lead) for lead in leads if lead is not None)
        assert leads == sorted(leads)  # type: ignore[type-var]
        assert len(set(leads)) == len(leads), name
