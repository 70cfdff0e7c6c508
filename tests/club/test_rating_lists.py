"""The rows of a club's rating list say at every moment what rating all its games anew comes to."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date, timedelta
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
import pytest
from django.db import transaction
from hypothesis import settings
from hypothesis.stateful import invariant, run_state_machine_as_test

from handan.club import blocks, changes
from handan.club.blocks import FACTS, facts_of_bytes, packed, unpacked
from handan.club.movement import Figures, moved_between, movement_on_card
from handan.club.rules import Rules
from handan.club.service.printing import evening, members, period
from handan.club.standings import LadderFilter, LadderOrder, Line, Standings, standings
from handan.club.state import State
from handan.errors import InputError
from tests.club.helpers import TODAY
from tests.club.test_facts import Facts, StoredBook
from tests.forms import extended_but, fewer_on_postgresql

if TYPE_CHECKING:
    from handan.club.store.list_models import RatingList
    from handan.club.store.models import Club

pytestmark = pytest.mark.database

MakeClub = Callable[..., "Club"]


class Lists(Facts):
    """All that can be entered, in any order; after each the list goes on, and is compared with a clean one."""

    @invariant()
    def the_list_is_that_of_a_clean_replay(self) -> None:
        """Compare its rows instead."""
        from handan.club.store.rating_lists import bring_up_to_date

        if hasattr(self, "book"):
            with transaction.atomic():
                bring_up_to_date(self.book.club, self.book.state)  # type: ignore[attr-defined]
            refuse_another_list(self.book.club, standings(self.book.state, TODAY))  # type: ignore[attr-defined]


def refuse_another_list(club: Club, meant: Standings) -> None:
    """Compare the rows of a list with standings that were made of all games, to the bit."""
    from handan.club.store import list_verification
    from handan.club.store.list_models import Block, RatingList, Standing

    row, today = RatingList.objects.get(club=club, question=""), meant.today or TODAY
    names = ("rating", "deviation", "rank", "games", "wins", "losses", "draws", "last_played", "pool")
    stored = {item.player.key: item for item in Standing.objects.filter(list=row).select_related("player")}
    ladder = {line["key"]: line for line in meant.rows}
    assert stored.keys() == ladder.keys()
    for key, line in ladder.items():
        own = {name: getattr(stored[key], name) for name in names}
        assert {**own, "last_played": own["last_played"] or None} == {name: line[name] for name in names}
    refuse_other_answers(club, row, meant)
    for days in (45, 200):
        refuse_another_past(club, row, meant.state, today, today - timedelta(days=days))
    before = [unpacked(bytes(block.ratings))[0]["before"] for block in Block.objects.filter(list=row)]
    updated = {key: item.last_updated for key, item in stored.items() if item.last_updated is not None}
    assert updated == {key: day for key, day in meant.last_updated.items() if key in stored}
    whole = [phase.ratings.arrays.before for phase in meant.phases]
    np.testing.assert_array_equal(np.concatenate(before), np.concatenate(whole))
    list_verification.refuse_another_list(club, meant.state)


def refuse_other_answers(club: Club, row: RatingList, meant: Standings) -> None:
    """Compare what a list answers with what the standings do."""
    from handan.club.store.stored_standings import StoredStandings

    state, today = meant.state, meant.today or TODAY
    stored = StoredStandings(row, state)
    stored.from_all_games = meant
    names = ("last_added", "summary", "standing_still", "cautions")
    assert {name: getattr(stored, name) for name in names} == {name: getattr(meant, name) for name in names}
    ladder = [{name: row[name] for name in meant.rows[0]} for row in stored.rows] if len(meant.rows) else []
    assert ladder == [*meant.rows]
    for first in range(0, len(ladder), 2):
        assert [row["place"] for row in stored.rows[first : first + 2]] == [
            row["place"] for row in ladder[first : first + 2]
        ]
    for row_by_games in stored.ordered(LadderOrder("games"), LadderFilter(), {}):
        assert row_by_games["place"] == meant.by_key[row_by_games["key"]]["place"]
    moves = meant.movements(today - timedelta(days=30))
    assert stored.movements(today - timedelta(days=30)) == moves
    everybody = members(meant, lambda _: "")
    for days in (0, 30, 200):
        since = today - timedelta(days=days)
        for last in (today, since + timedelta(days=20)):
            assert printed(period(stored, everybody, since, last)) == printed(period(meant, everybody, since, last))
        assert printed(evening(stored, everybody, since)) == printed(evening(meant, everybody, since))
    for key in state.active:
        assert same_lines(stored.lines(key)) == same_lines(meant.lines(key))
        if own := stored.by_key.get(key):
            rated = [line.explanation for line in stored.lines(key, reasons=False) if line.rules == meant.rules
                     and line.game and not line.explanation.note]  # fmt: skip
            assert movement_on_card(meant.system, own, rated, today - timedelta(days=30)) == moves.get(key)
    for line in state.games["line"]:
        answers = [answered(made.game, f"g{line}") for made in (stored, meant)]
        assert answers[0] == answers[1]
    pairs = list(pairwise(state.active))
    for one, other in pairs:
        for name in ("fair_terms", "win_probability", "newcomers"):
            answers = [answered(getattr(made, name), one, other) for made in (stored, meant)]
            assert answers[0] == answers[1]


def printed(content: object) -> str:
    """Return what is on a paper as text, without notes, opponents and numbers of games, which papers leave out."""
    return re.sub("(comment|opponent)='[^']*'|game=[0-9]+", "", repr(content))


def refuse_another_past(club: Club, row: RatingList, state: State, today: date, day: date) -> None:
    """Compare what a list says of a past day with the standings of that day, which are made of its games."""
    from handan.club.store.standings import ReplayedList

    made, meant = ReplayedList.on(club, row, state, day), standings(state, today, day)
    figures = {key: (rating, rank) for key, rating, rank in listed(meant.figures)}
    assert {key: (rating, rank) for key, rating, rank in listed(made.figures)} == figures
    for one, other in pairwise(state.active):
        assert made.newcomers(one, other) == meant.newcomers(one, other)
        assert answered(made.fair_terms, one, other) == answered(meant.fair_terms, one, other)


def listed(figures: Figures) -> list[tuple[str, str, str]]:
    """Return key, rating and rank of each player of a list, ratings as they are written, NaN among them."""
    ratings = map(repr, figures.rating.tolist())
    return [*zip(figures.keys, ratings, figures.ranks(range(len(figures.keys))), strict=True)]


def answered(ask: Callable[..., Any], *given: str) -> Any:
    """Return an answer, or the error in its place."""
    try:
        answer = ask(*given)
        return same_lines(answer) if isinstance(answer, list) and answer and isinstance(answer[0], Line) else answer
    except InputError as error:
        return str(error)


def same_lines(lines: list[Line]) -> list[Any]:
    """Return lines but for the number of a game, and whether ranks are printed, in one ledger or the other."""
    plain = [replace(line.explanation, game=None, ranked=True) for line in lines]
    return [(line.game, line.opponent, line.rules, repr(item)) for line, item in zip(lines, plain, strict=True)]


@pytest.mark.extended
@pytest.mark.parametrize("system", fewer_on_postgresql(["points", "whr"]))
def test_after_any_entries_the_list_is_that_of_a_clean_replay(
    system: str, make_club: MakeClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "LEAST", 2)
    machine: Any = type("StoredLists", (Lists,), {"new_club": staticmethod(lambda: make_club(system))})
    run_state_machine_as_test(machine, settings=settings(max_examples=2, stateful_step_count=20, deadline=None))


PEOPLE = (("Ada", "2d"), ("Bo", "1k"), ("Cy", ""), ("Di", "5k"), ("Ed", ""), ("Flo", "3d"))
DAYS = [TODAY - timedelta(days=days) for days in range(0, 400, 3)]


def facts_of(rng: random.Random, keys: list[str]) -> dict[str, Any]:
    """Return a game of two players on any day, or on an unknown one."""
    black, white = rng.sample(keys, 2)
    return {
        "black": black,
        "white": white,
        "result": rng.choice(["B+R", "W+3.5", "jigo", "W+F", "void"]),
        "date": str(rng.choice(DAYS)) if rng.random() < 0.96 else None,
        "handicap": rng.choice([0, 0, 3]),
        "kind": rng.choice(["club", "tournament", "free"]),
        "event": rng.choice(["", "", "", "Cup", "Open"]),
    }


@pytest.mark.parametrize(
    ("system", "chosen"),
    fewer_on_postgresql(
        extended_but([("egf", {})], [("egf", {}), ("glicko2", {}), ("points", {"demotion": "stone", "stone": 1})])
    ),
)
def test_games_in_any_order_of_dates_and_old_corrections_go_on_from_the_nearest_checkpoint(
    system: str, chosen: dict[str, Any], make_club: MakeClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store import rating_lists
    from handan.club.store.list_models import Block

    for module in (blocks, rating_lists):
        monkeypatch.setattr(module, "LEAST", 4)
    rng, book = random.Random(3), StoredBook(make_club(system))
    if chosen:
        book.add(changes.office.set_rules(book.state, Rules(system, chosen)))
    keys = [book.player(name, rank) for name, rank in PEOPLE]
    book.add([changes.games.record_game(book.state, facts_of(rng, keys), TODAY) for _ in range(36)])
    for step in range(3):
        with transaction.atomic():
            row = rating_lists.bring_up_to_date(book.club, book.state)
        assert Block.objects.filter(list=row).count() > 1
        if step == 2:
            refuse_another_list(book.club, standings(book.state, TODAY))
        if step % 2:
            game = f"g{rng.choice(book.state.games['line'].to_list())}"
            other = {name: value for name, value in facts_of(rng, keys).items() if name in {"result", "date", "event"}}
            book.add(changes.games.correct_game(book.state, game, other, TODAY))
        else:
            book.add(changes.games.record_game(book.state, facts_of(rng, keys), TODAY))


def test_a_checkpoint_says_nothing_of_players_who_came_after_it(
    make_club: MakeClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store import list_verification, rating_lists

    for module in (blocks, rating_lists):
        monkeypatch.setattr(module, "LEAST", 4)
    rng, book = random.Random(5), StoredBook(make_club("egf"))
    keys = [book.player(name, rank) for name, rank in PEOPLE]
    book.add([changes.games.record_game(book.state, facts_of(rng, keys), TODAY) for _ in range(36)])
    for name in ("Gil", "Hal"):
        with transaction.atomic():
            rating_lists.bring_up_to_date(book.club, book.state)
        list_verification.refuse_another_list(book.club, book.state)
        book.game(book.player(name, "4k"), keys[0], "B+", str(TODAY))


@pytest.mark.extended
def test_a_checkpoint_is_the_same_whenever_those_registered_who_play_before_it(
    make_club: MakeClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store import list_verification, rating_lists

    monkeypatch.setattr(rating_lists, "LEAST", 4)
    monkeypatch.setattr(blocks, "LEAST", 4)
    rng, book = random.Random(5), StoredBook(make_club("egf"))
    keys = [book.player(name, rank) for name, rank in PEOPLE]
    for newcomer in ("Gil", "Hal"):
        book.add([changes.games.record_game(book.state, facts_of(rng, keys), TODAY) for _ in range(20)])
        with transaction.atomic():
            rating_lists.bring_up_to_date(book.club, book.state)
        late = book.player(newcomer, "4k")
        book.add(changes.players.adjust(book.state, late, {"rank": "3k", "date": str(DAYS[-1])}, TODAY))
        for number, key in enumerate(keys * 2):
            book.game(late, key, "B+", str(TODAY - timedelta(days=60 - 3 * number)))
        with transaction.atomic():
            rating_lists.bring_up_to_date(book.club, book.state)
        list_verification.refuse_another_list(book.club, book.state)


@pytest.mark.parametrize(("system", "near"), [("igs", 1e-5), ("kgs", 1e-5), ("egf", 0.0)])
def test_the_last_digits_of_ratings_that_are_solved_together_may_differ(
    system: str, near: float, make_club: MakeClub
) -> None:
    from handan.club.store import list_verification, rating_lists
    from handan.club.store.list_models import Standing

    rng, book = random.Random(3), StoredBook(make_club(system))
    keys = [book.player(name, rank) for name, rank in PEOPLE]
    book.add([changes.games.record_game(book.state, facts_of(rng, keys), TODAY) for _ in range(20)])
    with transaction.atomic():
        row = rating_lists.bring_up_to_date(book.club, book.state)
    best = Standing.objects.filter(list=row).order_by("-rating")[0]
    rating = best.rating or 0.0
    Standing.objects.filter(pk=best.pk).update(rating=rating + near)
    list_verification.refuse_another_list(book.club, book.state)
    Standing.objects.filter(pk=best.pk).update(rating=rating + (1e-3 if near else 1e-12 * rating))
    with pytest.raises(InputError, match=r"says something else of p\d+ than its games \(rating\)"):
        list_verification.refuse_another_list(book.club, book.state)


def test_a_last_game_before_the_year_1970_has_its_day(make_club: MakeClub) -> None:
    from handan.club.store.list_models import Standing
    from handan.club.store.rating_lists import bring_up_to_date

    book = StoredBook(make_club("points"))
    book.game(book.player("Ada", "2d"), book.player("Bo", "1k"), day="1936-06-01")
    with transaction.atomic():
        bring_up_to_date(book.club, book.state)
    listed = Standing.objects.filter(list__club=book.club)
    assert set(listed.values_list("last_played", flat=True)) == {"1936-06-01"}


def test_a_club_of_some_hundred_games_never_loads_the_compiler(
    make_club: MakeClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    from handan.club.store.rating_lists import bring_up_to_date
    from handan.kernels.compiling import WORTH_LOADING, Kernel

    numbers: list[int] = []

    def pays(_: Any, steps: int) -> bool:
        numbers.append(steps)
        return False

    monkeypatch.setattr(Kernel, "_pays", pays)
    monkeypatch.setenv("HANDAN_KERNELS", "")
    rng, book = random.Random(4), StoredBook(make_club("egf"))
    keys = [book.player(name, rank) for name, rank in PEOPLE]
    for number in (2 * blocks.LEAST, 1, 1, 1):
        book.add([changes.games.record_game(book.state, facts_of(rng, keys), TODAY) for _ in range(number)])
        with transaction.atomic():
            bring_up_to_date(book.club, book.state)
    assert 0 < max(numbers) < WORTH_LOADING


def test_games_between_rules_count_under_those_of_their_day(make_club: MakeClub) -> None:
    from handan.club.store.rating_lists import bring_up_to_date

    book = StoredBook(make_club("points"))
    keys = [book.player(name, rank) for name, rank in PEOPLE]

    def refuse_another() -> None:
        with transaction.atomic():
            bring_up_to_date(book.club, book.state)
        refuse_another_list(book.club, standings(book.state, TODAY))

    book.game(keys[0], keys[1], "B+", "2026-01-05")
    for day in (date(2026, 2, 1), date(2026, 3, 1)):
        book.add(changes.office.set_rules(book.state, Rules("points", {"daily_limit": day.month}, day)))
        refuse_another()
    for played in ("2026-02-10", "2026-01-05", "2026-03-04", "2026-02-09"):
        book.game(keys[0], keys[2], "B+", played)
        refuse_another()
    book.add(changes.players.adjust(book.state, keys[3], {"rank": "3d", "date": "2026-02-05"}, TODAY))
    refuse_another()


@pytest.mark.extended
def test_equals_stand_in_the_order_of_registration_also_under_rules_that_followed_others(make_club: MakeClub) -> None:
    from handan.club.store.rating_lists import bring_up_to_date

    book = StoredBook(make_club("points"))
    keys = [book.player(name, "1k") for name in ("Zoe", "Ada", "Cy", "Bo")]
    book.add(changes.office.set_rules(book.state, Rules("elo", {}, date(2026, 3, 1))))
    book.game(keys[2], keys[3], "jigo", "2026-04-01", komi=0)
    with transaction.atomic():
        bring_up_to_date(book.club, book.state)
    made = standings(book.state, TODAY)
    assert [row["key"] for row in made.rows if not row["games"]] == keys[:2]
    refuse_another_list(book.club, made)


@pytest.mark.parametrize(
    ("system", "chosen"),
    fewer_on_postgresql(
        extended_but(
            [("points", {"card": "tokyo15"})],
            [("points", {"card": "tokyo15"}), ("points", {"at_1d": 200}), ("elo", {"per_rank": 20.0})],
        )
    ),
)
def test_rules_under_which_the_same_ratings_are_other_ranks_change_every_rank(
    system: str, chosen: dict[str, Any], make_club: MakeClub
) -> None:
    from handan.club.store.rating_lists import bring_up_to_date

    book = StoredBook(make_club(system))
    keys = [book.player(name, rank) for name, rank in PEOPLE if rank]
    book.game(keys[0], keys[1], "B+", "2026-01-05")
    for rules in (Rules(system, chosen, TODAY), Rules(system, {}, TODAY), Rules(system, chosen)):
        book.add(changes.office.set_rules(book.state, rules))
        with transaction.atomic():
            bring_up_to_date(book.club, book.state)
        refuse_another_list(book.club, standings(book.state, TODAY))


@pytest.mark.parametrize("system", fewer_on_postgresql(extended_but(["kgs"], ["kgs", "whr", "bradley-terry"])))
def test_cards_of_former_rules_that_solve_all_games_together_show_the_ranks_of_their_time(
    system: str, make_club: MakeClub
) -> None:
    from handan.club.store.rating_lists import bring_up_to_date

    rng, book = random.Random(3), StoredBook(make_club(system))
    keys = [book.player(name, rank) for name, rank in PEOPLE if rank]
    book.add([changes.games.record_game(book.state, facts_of(rng, keys), TODAY) for _ in range(12)])
    book.add(changes.office.set_rules(book.state, Rules("elo", {}, TODAY)))
    with transaction.atomic():
        bring_up_to_date(book.club, book.state)
    refuse_another_list(book.club, standings(book.state, TODAY))


def test_who_has_no_points_at_a_change_of_rules_keeps_them(make_club: MakeClub) -> None:
    from handan.club.store.rating_lists import bring_up_to_date

    book = StoredBook(make_club("points"))
    beginner, other = book.player("Ada"), book.player("Bo", "1k")
    book.add(changes.players.adjust(book.state, beginner, {"rating": 0.0}, TODAY))
    book.add(changes.office.set_rules(book.state, Rules("points", {"card": "tokyo15"}, date(2026, 3, 1))))
    for result, day in (("void", "2026-02-01"), ("W+", "2026-03-02")):
        book.game(other, beginner, result, day)
        with transaction.atomic():
            bring_up_to_date(book.club, book.state)
        refuse_another_list(book.club, standings(book.state, TODAY))


def test_a_preview_of_a_game_before_a_change_of_rules_says_what_it_will_do(make_club: MakeClub) -> None:
    from handan.club.service.operation import Preview
    from handan.club.store.states import state_of

    book = StoredBook(make_club("points"))
    keys = [book.player(name, rank) for name, rank in PEOPLE]
    book.game(keys[0], keys[1], "B+", "2026-01-05")
    book.add(changes.office.set_rules(book.state, Rules("points", {"daily_limit": 2}, date(2026, 2, 1))))
    book.game(keys[0], keys[2], "B+", "2026-02-10")
    now, facts = state_of(book.club), {"black": keys[0], "white": keys[1], "result": "W+"}
    for day in ("2026-01-07", "2026-02-11"):
        draft = changes.games.record_game(now, {**facts, "date": day}, TODAY)
        shown, before = Preview.of(book.club, now, [draft]), standings(now, TODAY)
        after = standings(shown.after, TODAY)
        assert [*shown.moved] == [*moved_between(before.figures, after.figures)]
        game = f"g{now.number + 1}"
        assert answered(shown.standings.game, game) == answered(after.game, game)


@pytest.mark.parametrize("system", fewer_on_postgresql(["points", "egf", "whr"]))
def test_a_preview_moves_whom_the_entries_will_move(system: str, make_club: MakeClub) -> None:
    from handan.club.changes import with_drafts
    from handan.club.service.operation import Preview
    from handan.club.store.clock import now as moment
    from handan.club.store.states import state_of

    rng, book = random.Random(5), StoredBook(make_club(system))
    keys = [book.player(name, rank) for name, rank in PEOPLE]
    book.add([changes.games.record_game(book.state, facts_of(rng, keys), TODAY) for _ in range(12)])
    for number in (1, 3):
        now = state_of(book.club)
        drafts = changes.players.register_ranked(now, {"name": f"Newcomer {number}"}, {"rank": "4k"}, TODAY)
        there = with_drafts(now, drafts, moment())
        players = [*keys, f"p{now.number + 1}"]
        drafts += [changes.games.record_game(there, facts_of(rng, players), TODAY) for _ in range(number)]
        shown = Preview.of(book.club, now, drafts)
        moved, made = [*shown.moved], shown.standings
        before = standings(book.state, TODAY)
        book.add(drafts)
        after = standings(book.state, TODAY)
        assert moved == [*moved_between(before.figures, after.figures)]
        for line in book.state.games["line"].to_list()[-number:]:
            assert answered(made.game, f"g{line}") == answered(after.game, f"g{line}")


def test_verify_names_the_standing_that_differs_and_rebuild_mends_it(make_club: MakeClub) -> None:
    from handan.club.store.copying import check_club
    from handan.club.store.list_models import Block, RatingList, Standing
    from handan.club.store.list_verification import rebuild
    from handan.club.store.rating_lists import bring_up_to_date

    book = StoredBook(make_club("egf"))
    keys = [book.player(name, rank) for name, rank in PEOPLE]
    game = book.game(keys[0], keys[1], "B+", "2026-01-05")
    with transaction.atomic():
        bring_up_to_date(book.club, book.state)
    check_club(book.club, lists=False)
    Standing.objects.filter(list__club=book.club, player__key=keys[0]).update(rating=1234.0)
    with pytest.raises(InputError, match=rf"something else of {keys[0]} than its games \(rating\)"):
        check_club(book.club, lists=False)
    assert rebuild(book.club) == 1
    check_club(book.club, lists=False)
    row = Block.objects.get(list__club=book.club)
    arrays, plain = unpacked(bytes(row.ratings))
    Block.objects.filter(pk=row.pk).update(ratings=packed({**arrays, "change": arrays["change"] + 1.0}, plain))
    with pytest.raises(InputError, match=rf"something else of {game} than its games \(change\)"):
        check_club(book.club, lists=False)
    rng = random.Random(1)
    for _ in range(40):
        content = bytearray(row.ratings)
        content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        Block.objects.filter(pk=row.pk).update(ratings=bytes(content))
        with suppress(InputError):  # a bit that says something is seen; no other error is raised
            check_club(book.club, lists=False)
    checkpoint = blocks.checkpoint_of_bytes(bytes(row.start or b""))
    other = replace(checkpoint, earlier=checkpoint.earlier + 1)
    for wrong in (blocks.checkpoint_as_bytes(other), b"no checkpoint"):
        Block.objects.filter(pk=row.pk).update(ratings=row.ratings, start=wrong)
        with pytest.raises(InputError, match=rf"something else of {game} than its games \(checkpoint\)"):
            check_club(book.club, lists=False)
    Block.objects.filter(pk=row.pk).update(start=row.start, facts=b"no games")
    with pytest.raises(InputError, match=rf"something else of {game} than its games \(line\)"):
        check_club(book.club, lists=False)
    assert rebuild(book.club) == 1
    check_club(book.club, lists=False)
    assert rebuild(book.club) == 0
    stored = RatingList.objects.get(club=book.club)
    figures, plain = unpacked(bytes(stored.figures))
    moved = packed({**figures, "rating": figures["rating"] + np.eye(len(keys))[0]}, plain)
    for wrong, key in ((moved, keys[0]), (b"no figures", "all players")):
        RatingList.objects.filter(pk=stored.pk).update(figures=wrong)
        with pytest.raises(InputError, match=rf"something else of {key} than its games \(figures\)"):
            check_club(book.club, lists=False)
    RatingList.objects.filter(pk=stored.pk).update(figures=stored.figures, summary={**stored.summary, "pools": 7})
    with pytest.raises(InputError, match=r"something else of all players than its games \(pools\)"):
        check_club(book.club, lists=False)
    rebuild(book.club)
    check_club(book.club, lists=False)


def test_games_that_were_kept_before_a_field_was_known_say_nothing_in_it() -> None:
    row = {"black": 0, "white": 1, "precision": 10, "result": "B+R", "handicap": 0, "size": 19, "line": 1}
    fewer = pl.Schema({name: kind for name, kind in FACTS.items() if name not in {"event", "moves"}})
    kept = pl.DataFrame(
        [{name: row.get(name, "" if kind == pl.String else None) for name, kind in fewer.items()}], fewer
    )
    file = BytesIO()
    kept.write_ipc(file)
    assert facts_of_bytes(file.getvalue()).select("event", "moves", "result").rows() == [("", None, "B+R")]
