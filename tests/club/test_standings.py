from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from handan.club import changes
from handan.club.changes import fold
from handan.club.federation import federated
from handan.club.movement import moved_between
from handan.club.rules import Rules
from handan.club.standings import standings
from handan.club.state import State
from handan.errors import InputError
from handan.systems import SYSTEMS
from tests.club.helpers import MOMENT, TODAY, Book


@pytest.fixture
def african() -> Book:
    """The complete example of the South African clubs' page: Alice 10k +200 beats Bob 7k -50 at two stones."""
    book = Book()
    book.add(changes.office.set_rules(book.state, Rules("sagc")))
    for name, rank, index in (("Alice", "10k", 200), ("Bob", "7k", -50)):
        key = book.player(name)
        book.add(changes.players.adjust(book.state, key, {"rank": rank, "rating": index}, TODAY, "start"))
    book.game("p2", "p4", "B+", kind="club", handicap=2, komi=0.5)
    return book


def test_the_published_example_stands_on_the_cards(african: Book) -> None:
    # South African Go Clubs, "A Complete Example": Alice +499 to 699, Bob -172 to -222
    current = standings(african.state, TODAY)
    assert [
        (line.explanation.before, line.explanation.change, line.explanation.after) for line in current.lines("p2")
    ] == [(200, 499, 699)]
    assert [(line.explanation.change, line.explanation.after) for line in current.lines("p4")] == [(-172, -222)]
    assert [line.explanation.after for line in current.game("g6")] == [699, -222]
    assert {row["key"]: row["rating"] for row in current.rows} == {"p2": 699.0, "p4": -222.0}


def test_the_page_of_a_card_is_a_part_of_the_card(african: Book) -> None:
    for day in range(1, 20):
        african.game("p2", "p4", "W+", f"2026-06-{day:02d}")
    current = standings(african.state, TODAY)
    whole = current.lines("p2")
    assert current.card_page("p2", 5, 12) == whole[5:12]
    assert current.card_page("p2", -3, 4) == whole[:4]


def test_an_event_over_a_change_of_rules_adds_up_from_the_first_game_to_the_last(african: Book) -> None:
    african.add(changes.office.set_rules(african.state, Rules("egf", {}, date(2026, 6, 2))))
    days = {day: african.game("p2", "p4", "B+", day, komi=6.5, event="Cup") for day in ("2026-06-01", "2026-06-02")}
    current = standings(african.state, TODAY)
    event = current.event("Cup", {int(key[1:]): datetime.fromisoformat(day) for day, key in days.items()})
    for line in event.lines:
        first, last = (each.explanation for each in current.lines(african.state.keys[line.player])[-2:])
        assert (line.before, line.after, line.changes) == (first.before, last.after, [first.change, last.change])
        assert line.apart == pytest.approx(line.after - line.before - line.change)


def test_rules_of_a_date_leave_the_games_before_it_as_they_were(african: Book) -> None:
    before = standings(african.state, TODAY).lines("p2")
    african.add(changes.office.set_rules(african.state, Rules("egf", {}, date(2026, 6, 1))))
    african.game("p2", "p4", "B+", "2026-06-02", handicap=3, komi=0.5)
    current = standings(african.state, TODAY)
    lines = current.lines("p2")
    assert lines[0].explanation == before[0].explanation
    assert [line.rules.system for line in lines] == ["sagc", "egf"]
    # EGF: a rank r enters at 2100 + 100 (r - 1d); Alice comes over as 10k, so at 1100
    assert lines[1].explanation.before == 1100.0
    assert current.rules.system == "egf"
    assert {row["key"]: row["games"] for row in current.rows} == {"p2": 2, "p4": 2}


def test_a_game_on_the_day_of_new_rules_counts_under_these_alone(african: Book) -> None:
    african.add(changes.office.set_rules(african.state, Rules("egf", {}, date(2026, 6, 1))))
    african.game("p2", "p4", "B+", "2026-05-31", kind="club", handicap=2, komi=0.5)
    african.game("p2", "p4", "B+", "2026-06-01", handicap=3, komi=0.5)
    current = standings(african.state, TODAY)
    assert [line.rules.system for line in current.lines("p2")] == ["sagc", "sagc", "egf"]
    assert {row["key"]: row["games"] for row in current.rows} == {"p2": 3, "p4": 3}
    african.add(changes.players.adjust(african.state, "p4", {"rank": "1d", "date": "2026-06-01"}, TODAY, "a diploma"))
    phases = standings(african.state, TODAY).phases
    assert [item.note for item in phases[0].ratings.ledger.adjustments] == ["start", "start"]


def test_namesakes_whose_numbers_look_like_other_names_bear_their_keys() -> None:
    book = Book()
    one, other = (book.player("Ann", ids=[f"egd:1000000{digit}"]) for digit in "12")
    plain = book.state.labels
    assert plain == {one: f"Ann ({book.state.id_of(one)})", other: f"Ann ({book.state.id_of(other)})"}
    third = book.player(plain[one])
    labels = book.state.labels
    assert len(set(labels.values())) == 3
    assert labels[one] == f"Ann (club:{one})"
    assert labels[other] == plain[other]
    assert labels[third].startswith(plain[one])


def test_a_change_of_settings_carries_rank_and_index(african: Book) -> None:
    african.add(changes.office.set_rules(african.state, Rules("sagc", {"friendly": 0.75}, date(2026, 6, 1), "both")))
    current = standings(african.state, TODAY)
    assert {row["key"]: (row["rank"], row["rating"]) for row in current.rows} == {
        "p2": ("10k", 699.0),
        "p4": ("7k", -222.0),
    }


def test_rules_to_come_are_not_in_force(african: Book) -> None:
    african.add(changes.office.set_rules(african.state, Rules("egf", {}, date(2027, 1, 1))))
    assert standings(african.state, TODAY).rules.system == "sagc"
    assert standings(african.state, date(2027, 1, 1)).rules.system == "egf"


def test_a_whole_history_takes_all_games_under_the_rules_in_force(african: Book) -> None:
    african.add(changes.office.set_rules(african.state, Rules("whr", {}, date(2026, 6, 1))))
    current = standings(african.state, TODAY)
    assert [phase.rules.system for phase in current.phases] == ["whr"]
    assert standings(african.state, TODAY, date(2026, 5, 31)).rules.system == "sagc"


def test_the_list_of_a_day_counts_games_up_to_that_day(african: Book) -> None:
    african.game("p2", "p4", "W+", "2026-07-01")
    assert standings(african.state, TODAY, date(2026, 6, 30)).by_key["p2"]["rating"] == 699.0
    assert standings(african.state, TODAY).by_key["p2"]["rating"] != 699.0


def test_what_was_known_on_a_day_is_what_was_entered_by_then(african: Book) -> None:
    late = datetime(2026, 11, 21, tzinfo=UTC)
    african.add(changes.games.withdraw_game(african.state, "g6"), late)
    earlier = fold(State("club"), (record for record in african.records if record.entered < late))
    assert standings(earlier, TODAY).by_key["p2"]["rating"] == 699.0
    assert standings(african.state, TODAY).by_key["p2"]["rating"] == 200.0


def test_an_old_correction_moves_everybody_after_it() -> None:
    # Alice lost to Bob, who then met Carol: with the first result turned, Carol's change differs too
    book = Book()
    book.add(changes.office.set_rules(book.state, Rules("elo")))
    a, b, c = (book.player(name) for name in ("Alice", "Bob", "Carol"))
    first = book.game(a, b, "W+", "2016-01-01")
    book.game(b, c, "B+", "2026-01-01")
    before = standings(book.state, TODAY)
    book.add(changes.games.correct_game(book.state, first, {"result": "B+"}, TODAY))
    moved = moved_between(before.figures, standings(book.state, TODAY).figures)
    assert {row["player"] for row in moved} == {"Alice", "Bob", "Carol"}


def test_a_game_that_does_not_count_has_no_changes(african: Book) -> None:
    with pytest.raises(InputError, match="does not count"):
        standings(african.state, TODAY).game("g99")


def test_a_member_without_rank_and_games_has_the_terms_of_a_newcomer(african: Book) -> None:
    newcomer, thirty_kyu = african.player("Newcomer"), african.player("Beginner", "30k")
    now = standings(african.state, TODAY)
    assert now.newcomers("p2", newcomer, thirty_kyu) == ["Newcomer"]
    terms, same = now.fair_terms("p2", newcomer), now.fair_terms("p2", thirty_kyu)
    assert (terms.black, terms.handicap, terms.komi) == ("Newcomer", same.handicap, same.komi)


def test_a_federation_sees_the_games_of_its_clubs_and_joins_equal_numbers() -> None:
    north, south = Book("north"), Book("south")
    for book in (north, south):
        book.player("Kim", "1d", ids=["egd:1"])
        book.player("Lee", "2k")
        book.game("p1", "p3", "B+")
    state = federated("both", [(1, north.state), (2, south.state)], [])
    assert sorted(state.labels.values()) == ["Kim", "Lee (north:p3)", "Lee (south:p3)"]
    current = standings(state, TODAY, rules=Rules("egf"))
    assert current.by_key["north.p1"]["games"] == 2
    with pytest.raises(InputError, match="changed there"):
        changes.games.withdraw_game(state, f"g{10**9 + 5}")
    with pytest.raises(InputError, match="changed there"):
        changes.players.change_player(state, "north.p3", {"name": "X"})


def test_a_federation_does_not_read_points_of_a_club_as_its_own_rating() -> None:
    club = Book("club")
    club.player("Kim")
    club.add(changes.players.adjust(club.state, "p1", {"rating": 15}, TODAY, "points of the club"))
    assert federated("all", [(1, club.state)], []).ledger.adjustments == ()


def test_the_day_last_played_is_the_last_under_any_rules() -> None:
    book = Book()
    one, other = book.player("Alice", "3k"), book.player("Bob", "3k")
    book.add(changes.office.set_rules(book.state, Rules("sagc")))
    for month, system in ((3, "egf"), (6, "sagc"), (9, "egf")):
        book.add(changes.office.set_rules(book.state, Rules(system, {}, date(2026, month, 1))))
    book.game(one, other, day="2026-01-01")
    book.game(one, other, day="2026-04-01")
    rows = standings(book.state, TODAY).rows
    assert [(row["last_played"], row["games"]) for row in rows] == [("2026-04-01", 2)] * 2


def test_the_last_update_is_the_game_added_last_and_may_go_backwards() -> None:
    # South African Go Clubs, "My last updated date has gone backwards": "the date of the most recently added game, not
    # necessarily the most recently played"
    book = Book()
    alice, bob, carol = (book.player(name, "3k") for name in ("Alice", "Bob", "Carol"))
    later = MOMENT + timedelta(days=1)
    facts = {"black": alice, "result": "B+"}
    book.add(changes.games.record_game(book.state, {**facts, "white": bob, "date": "2026-10-10"}, TODAY))
    first = standings(book.state, TODAY)
    assert first.last_updated == {alice: "2026-10-10", bob: "2026-10-10"}
    old = book.add(changes.games.record_game(book.state, {**facts, "white": carol, "date": "2026-03-01"}, TODAY), later)
    shown = standings(book.state, TODAY)
    assert shown.last_updated == {alice: "2026-03-01", bob: "2026-10-10", carol: "2026-03-01"}
    assert shown.last_added == (old.subject, "2026-03-01", later)
    assert {row["key"]: row["last_played"] for row in shown.rows}[alice] == "2026-10-10"
    # correcting a game adds none, and a game that was withdrawn is none
    book.add(
        changes.games.correct_game(
            book.state, old.subject, {**facts, "white": carol, "date": "2026-03-02"}, TODAY, "typo"
        )
    )
    assert standings(book.state, TODAY).last_added == (old.subject, "2026-03-02", later)
    book.add(changes.games.withdraw_game(book.state, old.subject, "a game of another club"))
    assert standings(book.state, TODAY).last_updated == first.last_updated


def test_in_a_federation_the_game_added_last_is_that_of_any_club() -> None:
    books = [Book("one"), Book("two")]
    for number, book in enumerate(books):
        keys = [book.player(name, "3k", ids=[f"egd:{digit}"]) for digit, name in enumerate(("Alice", "Bob"))]
        moment = MOMENT + timedelta(days=-number)  # the first club wrote last
        facts = {"black": keys[0], "white": keys[1], "result": "B+", "date": f"2026-0{number + 1}-01"}
        book.add(changes.games.record_game(book.state, facts, TODAY), moment)
    shown = standings(federated("all", [(1, books[0].state), (2, books[1].state)], []), TODAY)
    assert set(shown.last_updated.values()) == {"2026-01-01"}


@pytest.mark.parametrize("first", [name for name in SYSTEMS if name != "sagc"])
def test_on_the_day_of_new_rules_everybody_goes_on_with_the_rank_he_had(first: str) -> None:
    # a list of the day before and the first list under the new rules tell the same ranks, if the systems have ranks
    book = Book()
    keys = [book.player(name, rank) for name, rank in (("Alice", "1d"), ("Bob", "2k"), ("Carol", "4k"))]
    for number in range(20):
        book.game(keys[0], keys[1 + number % 2], "B+R" if number % 3 else "W+R", f"2026-01-{number + 1:02d}")
    book.add(changes.office.set_rules(book.state, Rules("sagc")))
    book.add(changes.office.set_rules(book.state, Rules(first, {}, date(2026, 2, 1))))
    for number in range(20):
        book.game(keys[1], keys[2], "B+R" if number % 4 else "W+R", f"2026-03-{number + 1:02d}")
    book.add(changes.office.set_rules(book.state, Rules("sagc", {}, date(2026, 6, 1))))
    before = standings(book.state, TODAY, date(2026, 5, 31))
    after = standings(book.state, TODAY)
    assert before.rules.system == first
    ranked = {row["player"]: row["rank"] for row in before.rows if row["rank"]}
    assert {player: row["rank"] for player in ranked for row in after.rows if row["player"] == player} == ranked
    assert [line.explanation for line in before.lines(keys[0])] == [line.explanation for line in after.lines(keys[0])]


def test_points_of_a_card_go_on_under_a_new_daily_limit() -> None:
    # the winner gains a point, the loser loses one; the limit of two points a day holds from its date only
    book = Book()
    one, other = book.player("Alice"), book.player("Bob")
    book.add(changes.office.set_rules(book.state, Rules("points", {"daily_limit": 2}, date(2026, 6, 1))))
    for day in ("2026-05-31", "2026-06-01"):
        for _ in range(3):
            book.game(one, other, "B+R", day)
    current = standings(book.state, TODAY)
    assert standings(book.state, TODAY, date(2026, 5, 31)).by_key[one]["rating"] == 3
    assert (current.by_key[one]["rating"], current.by_key[other]["rating"]) == (5, -5)


def test_the_european_example_stands_on_the_card_after_other_rules() -> None:
    # European Go Federation, "Official EGF Ratings": two of 2400 meet even; the winner gains, the loser loses the same
    book = Book()
    book.add(changes.office.set_rules(book.state, Rules("egf")))
    one, other = book.player("Alice", "4d"), book.player("Bob", "4d")
    book.game(one, other, "B+R", "2026-05-01", komi=6.5, kind="tournament-a")
    alone = standings(book.state, TODAY)
    book.add(changes.office.set_rules(book.state, Rules("sagc", {}, date(2026, 6, 1))))
    assert [line.explanation for line in standings(book.state, TODAY).lines(one)] == [
        line.explanation for line in alone.lines(one)
    ]


def evenings() -> Book:
    """Sixty games of four people on as many days."""
    book = Book()
    keys = [book.player(name, rank) for name, rank in (("Ada", "1d"), ("Bo", "2k"), ("Cy", "4k"), ("Dee", "9k"))]
    for number in range(60):
        one, other = keys[number % 4], keys[(number * 7 + 1 + number // 4) % 4]
        if one != other:
            book.game(one, other, ("B+R", "W+R", "B+R", "jigo")[number % 4 - number % 3],
                      f"2026-0{1 + number // 20}-{1 + number % 20:02d}", handicap=number % 3)  # fmt: skip
    return book


@pytest.mark.parametrize("system", ["sagc", "glicko", "whr"])  # by games, by periods, of all games together
def test_who_confirms_is_no_rule_of_rating(system: str) -> None:
    """A change of who confirms, or the same rules set again, moves no rating by one bit."""
    book = evenings()
    book.add(changes.office.set_rules(book.state, Rules(system, {}, None, "loser")))
    before = standings(book.state, TODAY)
    for day, confirmation in ((date(2026, 1, 15), "both"), (date(2026, 2, 14), "loser"), (date(2026, 3, 3), "none")):
        book.add(changes.office.set_rules(book.state, Rules(system, {}, day, confirmation)))
        assert book.state.rules_on(day).confirmation == confirmation
    after = standings(book.state, TODAY)
    assert after.rows == before.rows
    assert [line.explanation for line in after.lines("p1")] == [line.explanation for line in before.lines("p1")]
    assert moved_between(before.figures, after.figures) == []


def test_rules_that_hold_already_are_not_set_again() -> None:
    book = evenings()
    book.add(changes.office.set_rules(book.state, Rules("egf", {}, None, "both")))
    for since in (date(2026, 2, 1), None):
        with pytest.raises(InputError, match="hold already"):
            changes.office.set_rules(book.state, Rules("egf", {}, since, "both"))
    book.add(changes.office.set_rules(book.state, Rules("sagc", {}, date(2026, 3, 1))))
    with pytest.raises(InputError, match="hold already"):
        changes.office.set_rules(book.state, Rules("sagc", {}, date(2026, 3, 5)))
    book.add(
        changes.office.set_rules(book.state, Rules("egf", {}, date(2026, 3, 1), "both"))
    )  # as if the others never were
    assert len(standings(book.state, TODAY).phases) == 1
