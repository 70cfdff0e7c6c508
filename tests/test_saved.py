"""Ratings saved in a folder and added to are, to the bit, those of all games together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import handan
from handan.ledger import Game, Ledger, Player, When
from handan.ratings import Ratings
from handan.ratings.ladder import ladder_rows
from handan.saved import rate_and_save, replaying
from handan.systems import SYSTEMS, system
from handan.systems.core.replay_state import ReplayState
from handan.systems.core.sequential import Sequential
from tests.forms import extended_but
from tests.test_causality import START
from tests.test_saved_systems import club

HAND_PICKED: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name, kind in SYSTEMS.items() if issubclass(kind, Sequential)),
    ("glicko2", {"period": "month", "late_ranks": "adjust"}),
    ("points", {"settle": "day", "daily_limit": 1}),
    ("points", {"demotion": "stone", "daily_limit": 0}),
    ("elo", {"batch": "event", "k_new": 40.0}),
    ("egf", {"reset_two_grades": True}),
]


def same(one: Ratings, other: Ratings) -> None:
    """Check that two ratings show the same of every player, to the bit."""
    names = [player.name for player in one.ledger.players]
    assert names == [player.name for player in other.ledger.players]
    assert ladder_rows(one.arrays) == ladder_rows(other.arrays)
    for name in ("rating", "deviation", "rank_number", "pool"):
        values = getattr(other.arrays, name)
        if values is not None:
            np.testing.assert_array_equal(getattr(one.arrays, name), values)


def same_cards(cards: Ratings, rated: Ratings) -> None:
    """Check that saved ratings say of games what the ratings of all games say: of one by hand, one late, a newcomer."""
    for name in ("a", "c", "i"):
        lines = rated.explain(name)
        assert cards.explain(name) == lines
        number = next(line.game for line in reversed(lines) if line.game)
        assert cards.explain(name, number) == rated.explain(name, number)


def state_of(path: Path) -> pl.DataFrame:
    """Return all that a folder knows of its players after the last game, in the order of their names."""
    contents = handan.open(path).contents
    frame = contents.people.frame().drop("pool")
    entered = pl.Series(contents.people.facts["entered"])
    return frame.with_columns(name=contents.players["name"]).filter(entered).sort("name")


@pytest.mark.parametrize(
    ("name", "settings"),
    extended_but([each for each in HAND_PICKED if each[1] or each[0] in {"egf", "handan", "sagc"}], HAND_PICKED),
)
def test_games_added_in_pieces_are_the_games_rated_together(
    name: str, settings: dict[str, Any], tmp_path: Path
) -> None:
    rules, rng = system(name, **settings), np.random.default_rng(len(name))
    ledger = club(len(name))
    games = [replace(game, entry=None) for game in ledger]
    days = np.array([(When.parse(str(game.date)).moment - When.parse(str(START)).moment).days for game in games])
    piece = np.clip((days - 18) // 7, 0, 5)
    piece[rng.random(len(games)) < 0.02] = 3  # some games are handed in late
    pieces = [Ledger.of([games[i] for i in np.flatnonzero(piece == number)]) for number in range(6)]
    pieces[0], pieces[4] = (part.with_adjustments(ledger.adjustments[half]) for part, half in
                            ((pieces[0], slice(0, 3)), (pieces[4], slice(3, None))))  # fmt: skip
    folder = tmp_path / "club.handan"
    handan.save(rules.rate(pieces[0]), folder)
    whole, from_checkpoint = pieces[0], 0
    for part in pieces[1:]:
        added = handan.open(folder).add(part, keep_repeats=True)
        whole = whole + part
        from_checkpoint += added.taken < len(whole)
        opened = handan.open(folder)
        assert opened.ledger == whole
        rated = rules.rate(whole)
        same(opened.standings, rated)
        assert (opened.rated, opened.unrated) == (rated.rated, rated.unrated_counts)
    assert from_checkpoint
    same_cards(opened.ratings, rated)
    handan.save(rules.rate(whole), tmp_path / "whole.handan")
    one, other = state_of(folder), state_of(tmp_path / "whole.handan")
    assert one.drop(pl.selectors.starts_with("state recent")).equals(
        other.drop(pl.selectors.starts_with("state recent"))
    )


@pytest.mark.parametrize("name", ["elo", "bradley-terry"])
def test_a_number_under_an_earlier_name_names_its_player_by_that(name: str, tmp_path: Path) -> None:
    first = Ledger.of([Game("Bea", "Cy", "B+", date="2026-05-01", black_id="egd:1")])
    later = Ledger.of([Game("Abe", "Cy", "B+", date="2026-05-02", black_id="egd:1")])
    handan.save(system(name).rate(first), tmp_path / "club")
    handan.open(tmp_path / "club").add(later)
    opened = handan.open(tmp_path / "club")
    assert opened.ledger == first + later
    same(opened.standings, system(name).rate(first + later))


def test_a_rating_that_is_declared_later_is_the_entry_of_a_player_who_was_there(tmp_path: Path) -> None:
    games = [replace(game, entry=None) for game in club(3)]
    first, last = Ledger.of(games[:-5]), Ledger.of(games[-5:])
    declared = Player(games[-1].black, rating=1700.0, rating_origin="EGF")
    later = Ledger.from_table(last.games.cast({"black": pl.String, "white": pl.String}), listed=[declared])
    rules = system("egf", entry="rating")
    handan.save(rules.rate(first), tmp_path / "club")
    handan.open(tmp_path / "club").add(later, keep_repeats=True)
    same(handan.open(tmp_path / "club").standings, rules.rate(first + later))


@pytest.mark.parametrize("name", ["elo", "bradley-terry"])
@pytest.mark.parametrize("date", [None, "2026-05-01"])
def test_of_two_new_games_that_say_the_same_as_an_old_one_one_is_new(
    name: str, date: str | None, tmp_path: Path
) -> None:
    game = Game("Ada", "Bo", "B+", date=date)
    handan.save(system(name).rate(Ledger.of([game])), tmp_path / "club")
    added = handan.open(tmp_path / "club").add(Ledger.of([game, game]))
    assert (added.games, added.repeats, len(handan.open(tmp_path / "club").ledger)) == (1, 1, 2)


def test_saving_games_that_are_numbers_makes_no_table_of_all_of_them(tmp_path: Path) -> None:
    ledger = handan.read("examples/games.csv")
    handan.save(handan.rate(ledger, "egf"), tmp_path / "club.handan")
    assert "games" not in vars(ledger.arrays)
    assert handan.open(tmp_path / "club.handan").ledger == ledger


@pytest.mark.extended
@pytest.mark.parametrize("name", [name for name, kind in SYSTEMS.items() if issubclass(kind, Sequential)])
def test_rating_and_saving_rates_every_game_once(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list, its warnings and the folder are those of two steps, also where windows lie between checkpoints."""
    rules, ledger, taken = system(name), club(7), [0]
    assert isinstance(rules, Sequential)
    rated = rules.rate(ledger)
    handan.save(rated, tmp_path / "two.handan")
    list_after = type(rules).list_after

    def counted(rules: Sequential, past: ReplayState | None, games: Ledger) -> Ratings:
        taken[0] += len(games)
        return list_after(rules, past, games)

    monkeypatch.setattr(type(rules), "list_after", counted)
    monkeypatch.setattr(replaying, "GAMES", 25)
    once = rate_and_save(rules, ledger, tmp_path / "one.handan")
    assert taken == [len(ledger)]
    same(once, rated)
    assert (once.warnings, once.notes, once.unrated_counts) == (rated.warnings, rated.notes, rated.unrated_counts)
    one, two = (handan.open(tmp_path / f"{each}.handan") for each in ("one", "two"))
    assert [place.games for place in one.contents.places] == [place.games for place in two.contents.places]
    assert state_of(tmp_path / "one.handan").equals(state_of(tmp_path / "two.handan"))
    assert once.explain("a") == rated.explain("a") == one.ratings.explain("a")


def test_games_are_added_as_rate_takes_them(tmp_path: Path) -> None:
    handan.save(handan.rate([("Ada", "Bo", "B")], "elo"), tmp_path / "club")
    frame = pl.DataFrame({"black": ["Ada", "Cy"], "white": "Bo", "result": "B+", "date": "2026-05-01"})
    assert handan.open(tmp_path / "club").add(frame).games == 2
    assert handan.open(tmp_path / "club").add({"black": ["Ada"], "white": ["Cy"], "result": ["W+"]}).games == 1
