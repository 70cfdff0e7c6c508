"""Namesakes within one club: told apart by the day of their first game, on pages, papers, charts and in forms."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING

import pytest

from handan.club.names import ShownNames, first_days
from tests.club.helpers import TODAY
from tests.web.test_pages import registered, signed_in, text

if TYPE_CHECKING:
    from collections.abc import Callable

    from handan.club.state import State
    from handan.club.store.models import Club


@pytest.fixture
def club(make_club: Callable[..., Club]) -> Club:
    """A club in which two are called 山田 一郎, one of whom has played since 2026 only, and three are called Bo."""
    from handan.club.store.models import Role

    club = make_club("elo")
    client = signed_in(club, Role.SECRETARY)
    keys = [registered(client, club, name, "3d") for name in ("山田 一郎", "山田 一郎", "Cy", "Bo", "Bo", "Bo")]
    for black, day in ((0, "2019-04-02"), (1, "2026-05-01"), (0, "2026-05-02")):
        play(club, keys[black], keys[2], day)
    return club


def play(club: Club, black: str, white: str, day: str) -> None:
    from handan.club import changes
    from handan.club.store.writing import write

    facts = {"black": black, "white": white, "result": "B+", "date": day, "kind": "club"}
    write(club, lambda state: changes.games.record_game(state, facts, TODAY), author="x")


def state(club: Club) -> State:
    from handan.club.store.states import state_of

    return state_of(club)


def keys(club: Club) -> list[str]:
    """Keys of two of the name 山田 一郎, of Cy and of three of the name Bo."""
    return [*state(club).people]


def names(club: Club, language: str) -> list[str]:
    shown = ShownNames(state(club), language)
    return sorted(map(shown.of, state(club).keys))


@pytest.mark.database
def test_namesakes_are_told_apart_by_their_first_year_else_by_a_number(club: Club) -> None:
    assert names(club, "en") == ["Bo (1)", "Bo (2)", "Bo (3)", "Cy", "山田 一郎 (since 2019)", "山田 一郎 (since 2026)"]
    assert names(club, "ja")[-2:] == ["山田 一郎 (2019年から)", "山田 一郎 (2026年から)"]
    assert names(club, "ko")[-1] == "山田 一郎 (2026년부터)"
    assert names(club, "fr")[-1] == "山田 一郎 (depuis 2026)"


@pytest.mark.database
def test_first_games_of_one_year_are_told_apart_by_their_month_then_by_their_day(club: Club) -> None:
    def played(number: int, day: str) -> None:
        play(club, keys(club)[number], keys(club)[2], day)

    played(3, "2025-03-02")
    played(4, "2025-11-20")
    assert names(club, "en")[:3] == ["Bo (no games yet)", "Bo (since March 2025)", "Bo (since November 2025)"]
    played(5, "2025-03-09")
    assert names(club, "de")[:3] == ["Bo (seit 2. März 2025)", "Bo (seit 20. November 2025)", "Bo (seit 9. März 2025)"]
    played(5, "2025-03-02")
    assert names(club, "de")[:3] == ["Bo (1)", "Bo (2)", "Bo (3)"]


def test_who_was_registered_first_stands_first_among_those_of_one_name(club: Club) -> None:
    from handan.club.store.models import Role

    secretary = signed_in(club, Role.SECRETARY)
    for _ in range(3):  # until their keys have more figures
        registered(secretary, club, "Bo", "3d")
    page = text(secretary.get(f"/{club.slug}/players/"))
    assert sorted(range(1, 7), key=lambda number: page.index(f"Bo ({number})")) == [1, 2, 3, 4, 5, 6]


@pytest.mark.database
def test_a_withdrawn_first_game_is_none(club: Club) -> None:
    from handan.club import changes
    from handan.club.store.writing import write

    line = int(state(club).games["line"][0])
    write(club, lambda state: changes.games.withdraw_game(state, f"g{line}"), author="x")
    assert names(club, "en")[-2:] == ["山田 一郎 (since 1 May 2026)", "山田 一郎 (since 2 May 2026)"]


def test_pages_papers_and_charts_show_what_tells_them_apart_and_no_key(club: Club) -> None:
    from handan.club.store.models import Role

    client, home = signed_in(club, Role.OFFICER), f"/{club.slug}/"
    one, other, *_ = keys(club)
    paths = ("", "players/", f"players/{one}/", "games/", "start/", "log/", f"pair/?one={one}&other={other}",
             f"players/{one}/history.svg?with={other}",
             "print/cards/", "print/month/?month=2026-05", "news.atom", "figures/")  # fmt: skip
    for path in paths:
        answer = client.get(home + path)
        assert answer.status_code == 200, path
        page = answer.content.decode()
        assert f"({club.slug}:" not in page, path
        if path != "print/cards/":
            assert "山田 一郎 (since 20" in page, path
    assert "2026年から" in client.get(f"{home}print/cards/?language=ja").content.decode()


def test_terms_in_a_sentence_name_them_as_the_rest_of_the_page(club: Club) -> None:
    from handan.club.store.models import Role

    client, home = signed_in(club, Role.SECRETARY), f"/{club.slug}/"
    one, other = keys(club)[0], registered(client, club, "Di", "7d")
    for path in (f"terms/?one={one}&other={other}", f"pair/?one={one}&other={other}"):
        page = text(client.get(home + path))
        assert f"({club.slug}:" not in page, path
        assert "Black: 山田 一郎 (since 2019), 4 stones" in page, path


def test_what_is_proposed_and_shown_is_understood_when_it_is_typed(club: Club) -> None:
    from handan.club.store.models import Role

    client, home = signed_in(club, Role.KEEPER), f"/{club.slug}/"
    page = client.get(f"{home}games/new/").content.decode()
    assert '<option value="山田 一郎 (since 2019)">' in page
    for typed in ("山田 一郎 (since 2019)", "山田 一郎 (2019年から)", f"山田 一郎 ({club.slug}:{keys(club)[0]})"):
        page = text(client.get(f"{home}terms/", {"one": typed, "other": "Cy"}))
        assert "Enter this game" in page, typed
        assert "山田 一郎 (since 2019)" in page
    unclear = text(client.get(f"{home}terms/", {"one": "山田", "other": "Cy"}))
    assert "山田 一郎 (since 2019), 山田 一郎 (since 2026)" in unclear
    hits = json.loads(client.get(f"{home}players/find.json?q=Bo").content)
    assert [hit["shown"] for hit in hits] == ["Bo (1)", "Bo (2)", "Bo (3)"]


def test_a_sheet_asks_which_of_them_it_is_by_what_tells_them_apart(club: Club) -> None:
    from handan.club.store.models import Role

    client, home = signed_in(club, Role.KEEPER), f"/{club.slug}/games/sheet/"
    sent = {"grid": "text", "text": "Cy,山田 一郎,B+"}
    question = text(client.post(home, sent))
    assert "It is 山田 一郎 (since 2019)" in question
    assert "It is 山田 一郎 (since 2026)" in question
    clear = text(client.post(home, {**sent, "text": "Cy,山田 一郎 (since 2026),B+"}))
    assert "It is 山田" not in clear
    assert "✓" in clear


def test_the_ledger_and_files_for_programs_keep_the_labels(club: Club) -> None:
    from handan.club.store.models import Role

    labels = {f"山田 一郎 ({club.slug}:{key})" for key in keys(club)[:2]}
    assert labels < {player.name for player in state(club).ledger.players}
    players = signed_in(club, Role.OFFICER).get(f"/{club.slug}/ladder.json").json()["players"]
    assert labels < {row["player"] for row in players}


@pytest.mark.database
def test_people_whose_names_are_hidden_or_forgotten_are_told_apart_by_nothing_about_them(club: Club) -> None:
    from handan.club.people import People, Person
    from handan.club.state import State

    hidden = State("c", people=People({key: Person(key, "a member") for key in ("p1", "p2")}))
    assert hidden.namesakes("a member") == ()
    assert ShownNames(hidden).of("a member (c:p1)") == "a member (c:p1)"


@pytest.mark.database
def test_who_did_not_play_the_game_that_was_taken_for_their_first_is_shown_without_it(club: Club) -> None:
    """Somebody else, with whom nobody shares a name, sat there, as a correction says."""
    from handan.club import changes
    from handan.club.store.writing import write

    write(club, lambda state: changes.players.register_player(state, {"name": "Di"}), author="x")
    assert "山田 一郎 (since 2019)" in names(club, "en")
    first, di = int(state(club).games.sort("date")["line"][0]), keys(club)[-1]
    write(club, lambda state: changes.games.correct_game(state, f"g{first}", {"black": di}, TODAY), author="x")
    assert names(club, "en")[-2:] == ["山田 一郎 (since 1 May 2026)", "山田 一郎 (since 2 May 2026)"]


@pytest.mark.database
@pytest.mark.parametrize("days", [("2020-01-01", "2020-01-01 00:00"), ("2020-01-01 00:00", "2020-01-01")])
def test_first_games_that_begin_together_say_as_much_as_the_one_of_which_least_is_known(
    club: Club, days: tuple[str, str]
) -> None:
    key = keys(club)[3]
    assert first_days(state(club), [key]) == {key: None}
    for day in days:
        play(club, key, keys(club)[2], day)
    first = first_days(state(club), [key])[key]
    assert first is not None
    assert str(first) == "2020-01-01"


def test_who_can_stand_beside_another_on_a_chart_is_named_as_everywhere(club: Club) -> None:
    from handan.club.store.models import Role

    card = signed_in(club, Role.PLAYER).get(f"/{club.slug}/players/{keys(club)[2]}/", headers={"Accept-Language": "ja"})
    choice = card.content.decode().partition('<select name="with">')[2].partition("</select>")[0]
    for year, key in zip((2019, 2026), keys(club), strict=False):
        assert f'<option value="{key}">山田 一郎 ({year}年から)</option>' in choice


def test_a_refusal_names_two_of_one_name_as_pages_do(club: Club) -> None:
    from handan.club.store.models import Role

    play(club, keys(club)[0], keys(club)[1], "2026-05-03")
    client = signed_in(club, Role.SECRETARY)
    merged = {"player": "山田 一郎 (since 2019)", "into": "山田 一郎 (since 2026)"}
    for press in ({"preview": "1"}, {}):
        page = text(client.post(f"/{club.slug}/who-is-who/", {**merged, **press}))
        assert "山田 一郎 (since 2019) and 山田 一郎 (since 2026) played each other in game" in page
    same = unescape(text(client.post(f"/{club.slug}/who-is-who/", {**merged, "into": merged["player"]})))
    assert "'山田 一郎 (since 2019)' is not another player" in same
    game = {"black": merged["player"], "white": merged["player"], "result": "B+", "date": "2026-05-04"}
    assert "'山田 一郎 (since 2019)' is not another player" in unescape(
        text(client.post(f"/{club.slug}/games/new/", game))
    )
    withdrawn = client.get(f"/{club.slug}/players/{keys(club)[0]}/withdraw/", headers={"Accept-Language": "de"})
    assert "山田 一郎 (seit 2019)" in text(withdrawn)
    assert f"({club.slug}:" not in text(withdrawn)


def test_titles_of_forms_about_one_of_two_say_which(club: Club) -> None:
    from handan.club.store.models import Role

    client, home = signed_in(club, Role.SECRETARY), f"/{club.slug}/players/{keys(club)[0]}/"
    for page in ("edit/", "adjust/", "forget/", "own/"):
        heading = client.get(home + page).content.decode().partition("<h1>")[2].partition("</h1>")[0]
        assert "山田 一郎 (since 2019)" in heading, page


def test_who_is_here_already_is_named_so_before_another_of_the_name_is_registered(club: Club) -> None:
    from handan.club.store.models import Role

    client, home = signed_in(club, Role.SECRETARY), f"/{club.slug}/players/"
    for page in (client.get(f"{home}new/?name=Bo"), client.post(f"{home}list/", {"text": "Bo\n"})):
        assert page.status_code == 200
        assert {f"Bo ({number})" for number in (1, 2, 3)} <= set(re.findall(r">(Bo[^<]*)</a>", page.content.decode()))


def test_a_word_tells_namesakes_apart_on_pages_and_no_number_stands_on_wood(club: Club) -> None:
    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    one, other, *_ = keys(club)
    write(club, lambda now: changes.players.change_player(now, one, {"club": "大町"}), author="x")
    assert names(club, "ja")[-2:] == ["山田 一郎 (2026年から)", "山田 一郎 (大町)"]
    label = state(club).labels[one]
    assert ShownNames(state(club), "ja").label_of("山田 一郎 (大町)") == label
    wood = ShownNames(state(club), "ja", on_wood=True)
    assert [wood.of(state(club).labels[key]) for key in (one, other)] == ["山田 一郎 (大町)", "山田 一郎 (2026年から)"]
    assert {wood.of(label) for label in state(club).keys if label.startswith("Bo")} == {"Bo"}
    secretary, path = signed_in(club, Role.SECRETARY), f"/{club.slug}/players/new/"
    page = secretary.post(path, {"name": "Cy"})
    assert "a word that tells the two apart" in text(page)
    assert secretary.post(path, {"name": "Cy", "club": "Umeå"}).status_code == 302
    assert secretary.post(path, {"name": "Cy", "namesake": "on"}).status_code == 302


def test_a_list_registers_namesakes_whom_a_word_tells_apart(club: Club) -> None:
    from handan.club.store.models import Role

    secretary, path = signed_in(club, Role.SECRETARY), f"/{club.slug}/players/list/"
    lines = "name,club\nEun,Oslo\nEun,Umeå\nCy,\n"
    page = secretary.post(path, {"text": lines}).content.decode()
    assert re.findall(r'name="member" value="(\d+)" checked', page) == ["1", "2"]
    sent = {"text": lines, "member": ["1", "2", "3"], "word-3": "Visby", "save": "1"}
    assert secretary.post(path, sent).status_code == 302
    assert {"Eun (Oslo)", "Eun (Umeå)", "Cy (Visby)"} <= {*names(club, "en")}


def test_who_was_entered_by_mistake_bears_no_key_in_the_heading(club: Club) -> None:
    from handan.club.store.models import Role

    secretary = signed_in(club, Role.SECRETARY)
    key = registered(secretary, club, "Zoe", "3d")
    assert secretary.post(f"/{club.slug}/players/{key}/withdraw/", {}).status_code == 302
    assert f":{key}" not in text(secretary.get(f"/{club.slug}/players/{key}/"))
