from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handan.club import changes
from handan.club.entries import canonical
from handan.club.member_list import listed
from handan.club.new_games import twins
from handan.club.rules import Rules, checked
from handan.club.state import COUNTS, WAITING, WITHDRAWN, State
from handan.errors import FieldError, InputError, SettingError
from handan.systems import SYSTEMS
from handan.systems.core.settings import settings_of
from tests.club.helpers import TODAY, Book


@pytest.fixture
def book() -> Book:
    return Book()


@pytest.fixture
def pair(book: Book) -> tuple[str, str]:
    return book.player("Alice", "10k"), book.player("Bob", "7k")


def test_keys_are_numbers_of_the_entries_that_bring_them(book: Book) -> None:
    assert (book.player("Alice"), book.player("Bob")) == ("p1", "p2")
    assert book.game("p1", "p2") == "g3"


@pytest.mark.parametrize(
    ("field", "value"),
    [("result", "X+3"), ("handicap", 100), ("komi", "much"), ("size", 1), ("date", "2026-02-30"),
     ("date", "2026-11-21"), ("white", "p1"), ("black", ""), ("round", -1), ("black_rank", "0d"), ("notes", "x" * 2001),
     ("event", "a\0b"), ("notes", "\ud800")],
)  # fmt: skip
def test_a_wrong_field_of_a_game_is_named(book: Book, pair: tuple[str, str], field: str, value: object) -> None:
    facts: dict[str, Any] = {"black": pair[0], "white": pair[1], "result": "B+", "date": "2026-05-01", field: value}
    with pytest.raises(FieldError) as caught:
        changes.games.record_game(book.state, facts, TODAY)
    assert caught.value.field in {field, "rank"}


def test_a_player_who_is_not_registered_is_refused(book: Book, pair: tuple[str, str]) -> None:
    with pytest.raises(InputError, match="'p99' is not registered"):
        changes.games.record_game(book.state, {"black": "p99", "white": pair[0], "result": "B+"}, TODAY)


def test_a_correction_changes_what_it_names_and_keeps_the_rest(book: Book, pair: tuple[str, str]) -> None:
    key = book.game(*pair, "B+R", handicap=2, komi=0.5, notes="a fine game")
    book.add(changes.games.correct_game(book.state, key, {"result": "W+R"}, TODAY, "misread"))
    facts = changes.games.facts_of(book.state.game(key))
    assert facts == {"black": pair[0], "white": pair[1], "date": "2026-05-01", "result": "W+R", "handicap": 2,
                     "komi": 0.5, "notes": "a fine game"}  # fmt: skip


def test_a_correction_that_changes_nothing_is_refused(book: Book, pair: tuple[str, str]) -> None:
    key = book.game(*pair, "B+R")
    with pytest.raises(InputError, match="nothing was changed"):
        changes.games.correct_game(book.state, key, {"result": "B+R"}, TODAY)


def test_withdrawn_games_do_not_count_until_they_are_restored(book: Book, pair: tuple[str, str]) -> None:
    key = book.game(*pair)
    book.add(changes.games.withdraw_game(book.state, key))
    assert (book.state.game(key)["status"], len(book.state.ledger)) == (WITHDRAWN, 0)
    with pytest.raises(InputError, match="withdrawn already"):
        changes.games.withdraw_game(book.state, key)
    with pytest.raises(InputError, match="restore it before"):
        changes.games.correct_game(book.state, key, {"result": "W+"}, TODAY)
    book.add(changes.games.restore_game(book.state, key))
    assert (book.state.game(key)["status"], len(book.state.ledger)) == (COUNTS, 1)
    with pytest.raises(InputError, match="not withdrawn"):
        changes.games.restore_game(book.state, key)


def test_games_keep_the_order_of_entry_within_a_day(book: Book, pair: tuple[str, str]) -> None:
    keys = [book.game(*pair, result) for result in ("B+R", "W+R", "jigo")]
    book.add(changes.games.correct_game(book.state, keys[0], {"notes": "corrected last"}, TODAY))
    assert book.state.ledger.games["line"].to_list() == [int(key[1:]) for key in keys]


@pytest.mark.parametrize(
    ("confirmation", "result", "waits"),
    [("none", "B+", False), ("both", "B+", True), ("both", "W+", True), ("loser", "B+", True), ("loser", "W+", False),
     ("loser", "jigo", True)],
)  # fmt: skip
def test_a_game_waits_as_the_rules_say(
    book: Book, pair: tuple[str, str], confirmation: str, result: str, *, waits: bool
) -> None:
    # Black, the winner of B+, enters the game
    book.add(changes.office.set_rules(book.state, checked("sagc", {}, None, confirmation)))
    facts = {"black": pair[0], "white": pair[1], "result": result, "date": "2026-05-01"}
    key = book.add(changes.games.record_game(book.state, facts, TODAY, by=pair[0])).subject
    assert (book.state.game(key)["status"] == WAITING, len(book.state.ledger)) == (waits, 0 if waits else 1)
    if waits:
        book.add(changes.games.confirm_game(book.state, key))
        assert len(book.state.ledger) == 1
    with pytest.raises(InputError, match="does not wait"):
        changes.games.confirm_game(book.state, key)
    book.add(changes.games.withdraw_game(book.state, key))
    book.add(changes.games.restore_game(book.state, key))
    assert (book.state.game(key)["status"], len(book.state.ledger)) == (COUNTS, 1)


def test_namesakes_stay_apart_and_bear_their_numbers(book: Book) -> None:
    one, other, third = book.player("Kim"), book.player("Kim", ids=["egd:1"]), book.player("Lee")
    book.game(one, third)
    book.game(other, third)
    assert [player.name for player in book.state.ledger.players] == ["Kim (club:p1)", "Kim (egd:1)", "Lee"]


def test_one_number_belongs_to_one_player(book: Book) -> None:
    book.player("Kim", ids=["egd:1"])
    with pytest.raises(FieldError, match="it belongs to Kim"):
        changes.players.register_player(book.state, {"name": "Lee", "ids": ["egd:1"]})


@pytest.mark.parametrize("name", ["", "   ", "x" * 201, "a\0b", "\ud800"])
def test_a_name_that_is_none_is_refused(book: Book, name: str) -> None:
    with pytest.raises(FieldError) as caught:
        changes.players.register_player(book.state, {"name": name})
    assert caught.value.field == "name"


def test_a_merged_players_games_count_for_the_other_until_they_are_split(book: Book, pair: tuple[str, str]) -> None:
    third = book.player("Alicia")
    book.game(pair[0], pair[1])
    book.game(third, pair[1])
    book.add(changes.players.merge_players(book.state, third, pair[0], "the same person"))
    assert [player.name for player in book.state.ledger.players] == ["Alice", "Bob"]
    with pytest.raises(InputError, match="merged into Alice"):
        changes.players.change_player(book.state, third, {"name": "Alicia B"})
    book.add(changes.players.split_players(book.state, third))
    assert [player.name for player in book.state.ledger.players] == ["Alice", "Bob", "Alicia"]
    with pytest.raises(InputError, match="not merged"):
        changes.players.split_players(book.state, third)


def test_two_who_played_each_other_are_two(book: Book, pair: tuple[str, str]) -> None:
    book.game(*pair)
    with pytest.raises(InputError, match="played each other in game g5"):
        changes.players.merge_players(book.state, *pair)


def test_a_game_of_two_who_are_merged_cannot_be_restored(book: Book, pair: tuple[str, str]) -> None:
    key = book.game(*pair)
    book.add(changes.games.withdraw_game(book.state, key))
    book.add(changes.players.merge_players(book.state, *pair))
    with pytest.raises(FieldError, match="another player than black"):
        changes.games.restore_game(book.state, key)


def test_a_split_cannot_bring_back_a_number_that_another_now_bears(book: Book) -> None:
    one, other = book.player("Kim", ids=["egd:1"]), book.player("Kym")
    book.add(changes.players.merge_players(book.state, one, other))
    book.add(changes.players.change_player(book.state, other, {"ids": ["egd:1"]}))
    with pytest.raises(InputError, match="egd:1 now belongs to another"):
        changes.players.split_players(book.state, one)


def test_the_deviation_of_a_published_list_is_set_with_the_rating(book: Book, pair: tuple[str, str]) -> None:
    book.add(changes.players.adjust(book.state, pair[0], {"rating": 1500, "deviation": 40.0}, TODAY, "list"))
    (item,) = [item for item in book.state.valid_adjustments if item.rating is not None]
    assert (item.rating, item.deviation) == (1500.0, 40.0)


def test_an_adjustment_is_set_and_withdrawn(book: Book, pair: tuple[str, str]) -> None:
    entry = book.add(
        changes.players.adjust(book.state, pair[0], {"rank": "5k", "date": "2026-03-01"}, TODAY, "synchronised")
    )
    adjusted = {(str(item.rank), str(item.date or "")) for item in book.state.ledger.adjustments}
    assert adjusted == {("10k", ""), ("7k", ""), ("5k", "2026-03-01")}
    book.add(changes.players.withdraw_adjustment(book.state, entry.subject))
    assert len(book.state.ledger.adjustments) == 2
    with pytest.raises(InputError, match="withdrawn already"):
        changes.players.withdraw_adjustment(book.state, entry.subject)


@pytest.mark.parametrize(
    "facts", [{}, {"rank": "0d"}, {"rating": "much"}, {"rating": 1e300}, {"rank": "1d", "date": "2027-01-01"}]
)
def test_an_adjustment_that_is_none_is_refused(book: Book, pair: tuple[str, str], facts: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        changes.players.adjust(book.state, pair[0], facts, TODAY)


def test_rules_keep_only_settings_that_differ_from_the_published_ones() -> None:
    assert checked("points", {"card": "tagajo12", "settle": "day", "daily_limit": ""}).settings == {"settle": "day"}


@pytest.mark.parametrize(
    ("name", "settings"), [("elos", {}), ("elo", {"k": -1}), ("elo", {"kk": 1}), ("points", {"card": "own.csv"})]
)
def test_rules_that_cannot_be_are_refused(name: str, settings: dict[str, Any]) -> None:
    with pytest.raises((InputError, SettingError)):
        checked(name, settings)


def test_rules_of_the_same_date_take_each_others_place(book: Book) -> None:
    since = date(2026, 4, 1)
    book.add(changes.office.set_rules(book.state, Rules("sagc")))
    book.add(changes.office.set_rules(book.state, Rules("egf", {}, since)))
    book.add(changes.office.set_rules(book.state, Rules("elo", {}, since)))
    assert [rules.system for rules in book.state.rules] == ["sagc", "elo"]
    assert book.state.rules_on(since).system == "elo"
    assert book.state.rules_on(since - timedelta(days=1)).system == "sagc"


def test_a_name_is_found_by_fragments_in_any_script(book: Book) -> None:
    key = book.player("山田 春子", reading="やまだ はるこ Yamada Haruko")
    book.player("Işıl Yıldız")
    for text in ("yama", "YAMADA haru", "春子", "はるこ"):
        assert [person.key for person in book.state.search(text)] == [key]
    assert [person.name for person in book.state.search("isil yil")] == ["Işıl Yıldız"]


def test_twins_are_games_that_say_the_same(book: Book, pair: tuple[str, str]) -> None:
    key = book.game(*pair, "B+R")
    facts = {"black": pair[0], "white": pair[1], "result": "B+R", "date": "2026-05-01"}
    assert twins(book.state, facts) == [key]
    assert twins(book.state, {**facts, "date": "2026-05-02"}) == []


def test_a_name_that_looks_like_a_name_with_its_number_stays_apart(book: Book) -> None:
    keys = [book.player(name) for name in ("Kim", "Kim", "Kim (club:p1)", "Kim (club:p1) (club:p3)")]
    other = book.player("Lee")
    for key in keys:
        book.game(key, other)
    assert len(set(book.state.labels.values())) == 5
    assert len(book.state.ledger.players) == 5
    assert book.state.keys == {label: key for key, label in book.state.labels.items()}


@pytest.mark.parametrize("key", ["g05", "g５", "G5", "5", "", "g", "g-5", "g" + "9" * 30, "g" + "9" * 5000])
def test_a_key_has_one_spelling(book: Book, pair: tuple[str, str], key: str) -> None:
    # another spelling would stand in the log as the subject of another game
    assert book.game(*pair) == "g5"
    with pytest.raises(InputError, match="not in the ledger"):
        changes.games.withdraw_game(book.state, key)


def test_numbers_of_a_player_are_a_list(book: Book) -> None:
    with pytest.raises(FieldError, match="a list of numbers"):
        changes.players.register_player(book.state, {"name": "Kim", "ids": "egd:1"})


@pytest.mark.parametrize("text", ["\ud800", "a\0b", "x" * 2001])
def test_reasons_that_cannot_be_stored_are_refused_by_every_change(
    book: Book, pair: tuple[str, str], text: str
) -> None:
    key, third = book.game(*pair), book.player("Carol")
    given = book.add(changes.players.adjust(book.state, pair[0], {"rank": "1d"}, TODAY)).subject
    makers: list[Callable[[], object]] = [
        lambda: changes.games.correct_game(book.state, key, {"result": "W+"}, TODAY, text),
        lambda: changes.games.withdraw_game(book.state, key, text),
        lambda: changes.players.change_player(book.state, third, {"name": "Caroline"}, text),
        lambda: changes.players.merge_players(book.state, third, pair[0], text),
        lambda: changes.players.adjust(book.state, third, {"rank": "1d"}, TODAY, text),
        lambda: changes.players.withdraw_adjustment(book.state, given, text),
        lambda: changes.office.set_rules(book.state, Rules("elo"), text),
    ]
    for make in makers:
        with pytest.raises(FieldError) as caught:
            make()
        assert caught.value.field == "reason"


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
ENTERED = st.fixed_dictionaries(
    {"result": st.sampled_from(["B+R", "W+3.5", "B+", "W+T", "W+F", "jigo", "void", "B+0.5", "1-0", "0-1"])},
    optional={
        "date": st.sampled_from(["2026-05-01", "2026-05", "2026", "2026-05-01 18:30", "2026-11-20"]),
        "handicap": st.integers(0, 9),
        "komi": st.sampled_from([0, 0.5, -5.5, 6.5, 7, "6,5", 3.75]),
        "size": st.sampled_from([9, 13, 19]),
        "kind": st.sampled_from(["club", "Tournament", " free ", "tournament-c", "free play"]),
        "round": st.integers(1, 20),
        "moves": st.integers(1, 400),
        "black_rank": st.sampled_from(["1d", "30 kyu", "9p", "2段", "5k?"]),
        "event": TEXTS,
        "notes": TEXTS,
    },
)  # fmt: skip


@given(ENTERED)
@settings(max_examples=150)
def test_what_was_entered_is_what_stands(entered: dict[str, Any]) -> None:
    # what the entry says, what the games table holds and what a correction form offers are one
    book = Book()
    facts = {"black": book.player("Alice"), "white": book.player("Bob"), **entered}
    draft = changes.games.record_game(book.state, facts, TODAY)
    assert json.loads(canonical(draft.facts)) == draft.facts
    key = book.add(draft).subject
    assert changes.games.facts_of(book.state.game(key)) == draft.facts
    with pytest.raises(InputError, match="nothing was changed"):
        changes.games.correct_game(book.state, key, entered, TODAY)


@pytest.mark.parametrize("name", SYSTEMS)
def test_rules_with_any_setting_changed_go_through_the_ledger(name: str) -> None:
    published = SYSTEMS[name]()
    for setting, (_, bounds) in settings_of(published).items():
        value = getattr(published, setting)
        others: list[Any] = [each for each in bounds.choices if each != value and not str(each).endswith(".csv")]
        if isinstance(value, bool):
            others = [not value]
        elif isinstance(value, int | float):
            others = [edge for edge in (bounds.low, bounds.high) if edge is not None and edge != value]
        for other in others[:2]:
            try:
                rules = checked(name, {setting: other}, date(2026, 4, 1), "both")
            except SettingError:
                continue  # settings bound each other too
            again = Rules.of(json.loads(canonical(rules.as_dict())))
            assert (again, again.made) == (rules, rules.made)


@pytest.mark.parametrize(
    "name",
    ["\u200b", "\u200bAda", "x\u202egnp", "\x01", "\x1b[31mred", "A\u200dda", "Ada\ufeff", "\u3164", "\u2028", "A\x7f",
     "soft\u00adhyphen", "\U000e0041da", "\ue000"],
)  # fmt: skip
@pytest.mark.parametrize("field", ["name", "reading", "country", "club"])
def test_a_name_with_characters_that_nobody_sees_is_refused(book: Book, name: str, field: str) -> None:
    with pytest.raises(FieldError, match=f"^{field} .*nobody sees"):
        changes.players.register_player(book.state, {"name": "Ada", field: name})


JOINED = [
    "نامه\u200cای",  # UAX #31, figure of context A1: Farsi, a letter
    "علی\u200cرضا",  # Alireza
    "തമിഴ്\u200cനാട്",  # context A2: Malayalam, Tamil Nadu
    "ශ්\u200dරී",  # context B: Sinhala, Sri
    "രാജന്\u200d",  # context B, at the end of a word: Malayalam, Rajan in the older spelling
    "র\u200d্যাচেল",  # The Unicode Standard, chapter 12: Bengali ra with ya-phalaa
    "👩\u200d💻", "🏳\ufe0f\u200d🌈", "👩🏽\u200d🚒",  # UTS #51
]  # fmt: skip


@pytest.mark.parametrize("name", JOINED)
def test_a_joiner_stays_where_letters_look_other_because_of_it(book: Book, name: str) -> None:
    assert changes.players.register_player(book.state, {"name": name}).facts["name"] == name


@pytest.mark.parametrize(
    "name",
    ["Ada\u200c", "\u200dAda", "山\u200d田", "कमल\u200d", "क्\u200d\u200dष", "क्\u200dि", "ക്\u200c", "علی\u200c",
     "علی\u200c\u200cرضا", "کار\u200cها", "김\u200c하늘", "🙂\u200dA", "1\u200d2", "\u0378\u200cا"],
)  # fmt: skip
def test_a_joiner_that_shows_nothing_is_refused(book: Book, name: str) -> None:
    with pytest.raises(FieldError, match=r"nobody sees \(U\+200[CD], which joins or parts nothing"):
        changes.players.register_player(book.state, {"name": name})


def test_names_that_differ_in_joiners_alone_are_one_spelling(book: Book) -> None:
    key = book.player("علی\u200cرضا")
    assert [person.key for person in book.state.search("علیرضا", 5)] == [key]
    (member,) = listed(book.state, [["علیرضا", "5k"]])[1]
    assert [person.key for person in member.alike] == [key]


@pytest.mark.parametrize(
    "name", ["山田 春子", "José Núñez", "Łucja", "O'Brien-Smith", "김하늘", "नेहा", "Ngọc Ánh", "A\u0301da", "x 🙂"]
)
def test_a_name_in_any_script_is_taken(book: Book, name: str) -> None:
    assert changes.players.register_player(book.state, {"name": name}).facts["name"]


@pytest.mark.parametrize("name", ["Ad\u0430 Lin", "\u0410da", "M\u03b1ria", "Lin \u0421ato"])
def test_a_name_that_only_looks_like_another_is_refused_with_the_letters(book: Book, name: str) -> None:
    with pytest.raises(InputError, match="letters of one script"):
        changes.players.register_player(book.state, {"name": name})


SEVERAL = [
    "\u0410\u0434\u0430 Lin",
    "Ada \u5c71\u7530",
    "Zo\u00eb O\u2019Neil",
    "\u03a3\u03c9\u03ba\u03c1",
    "\u5c71Taro",
]


@pytest.mark.parametrize("name", SEVERAL)
def test_names_of_several_scripts_in_words_of_their_own_are_taken(book: Book, name: str) -> None:
    assert changes.players.register_player(book.state, {"name": name}).facts["name"] == name


def test_an_old_name_of_mixed_letters_may_stay_while_the_rest_changes(book: Book) -> None:
    from handan.club.entries import Draft
    from handan.club.kinds import Kind

    key = book.add(Draft(Kind.PLAYER_REGISTERED, {"name": "Ad\u0430"})).subject
    assert changes.players.change_player(book.state, key, {"country": "NL"}).facts["country"] == "NL"


@pytest.mark.parametrize("at_once", [1, 2, 3, 7, 100])
def test_a_ledger_that_is_read_in_parts_comes_to_the_same_state(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts hold new games together with entries about games of the parts before."""
    book = Book()
    one, other = book.player("Ada", "2d"), book.player("Bo")
    keys = [book.game(one, other, day=f"2026-05-{day:02}") for day in range(1, 6)]
    book.add(changes.games.correct_game(book.state, keys[0], {"result": "W+R"}, TODAY, "misread"))
    book.game(other, one, day="2026-05-06")
    book.add(changes.games.withdraw_game(book.state, keys[1], "twice"))
    book.game(other, one, day="2026-05-07")
    whole = changes.fold(State("club"), book.records)
    monkeypatch.setattr(changes, "AT_ONCE", at_once)
    parts = changes.fold(State("club"), book.records)
    assert parts.recorded.frame.equals(whole.recorded.frame)
    assert parts.ledger == whole.ledger
