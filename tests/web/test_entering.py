"""A game by touch: two names, the terms, who won; what was saved says who moved, and is undone by one button."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from handan.systems import SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.test import Client

    from handan.club.store.models import Club, Role
    from tests.web.test_pages import MakeClub

PEOPLE = (
    ("鈴木 一郎", "すずき いちろう", "2k"), ("佐藤 健", "Satō Ken", "1d"), ("김민수", "Kim Minsu", "5k"),
    ("Ada Lindqvist", "", "1d"), ("山田 春子", "Yamada Haruko", "3d"),
)  # fmt: skip


def fill(club: Club) -> dict[str, str]:
    """Register people with ranks; their keys by name."""
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.writing import write

    keys = {}
    for name, reading, rank in PEOPLE:
        person = {"name": name, "reading": reading}
        make = lambda s, p=person, r=rank: changes.players.register_ranked(s, p, {"rank": r}, today())  # noqa: E731
        keys[name] = write(club, make, author="x")[0].subject
    return keys


def client_of(club: Club, role: Role, player: str = "") -> Client:
    from django.test import Client

    from handan.club.store.members import new_account, set_member

    user = new_account(f"enter-{uuid4().hex[:12]}", "a long enough phrase")
    set_member(club, user, role, player, author="x")
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def points(make_club: Callable[..., Club]) -> tuple[Club, dict[str, str]]:
    club = make_club("points")
    return club, fill(club)


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return html.unescape(answer.content.decode())


def posted(client: Client, club: Club, keys: tuple[str, str], button: int = 0) -> Any:
    """Press one of the buttons of the last step, with all that its form says."""
    shown = page(client, f"/{club.slug}/games/enter/?one={keys[0]}&other={keys[1]}")
    fields = dict(
        re.findall(
            r'<input type="hidden" name="(\w+)" value="([^"]*)"',
            shown.partition('class="won"')[2].partition("</form>")[0],
        )
    )
    won = re.findall(r'name="won" value="([^"]*)"', shown)[button]
    return client.post(f"/{club.slug}/games/enter/", {**fields, "won": won}, follow=True)


def entries(club: Club) -> list[str]:
    from handan.club.store.models import Entry

    kept = Entry.objects.filter(club=club).exclude(kind="member set").order_by("number")
    return [str(entry.kind) for entry in kept]


def test_the_terms_that_are_shown_are_those_that_the_card_wants(points: tuple[Club, dict[str, str]]) -> None:
    from handan.club.store.models import Role
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of

    club, keys = points
    keeper = client_of(club, Role.KEEPER)
    two = (keys["鈴木 一郎"], keys["山田 春子"])
    terms = standings_of(state_of(club)).fair_terms(*two)
    shown = page(keeper, f"/{club.slug}/games/enter/?one={two[1]}&other={two[0]}")
    assert f"{terms.handicap} stones" in shown
    answer = posted(keeper, club, two)
    text = html.unescape(answer.content.decode())
    state = state_of(club)
    game = state.games.row(0, named=True)
    assert (game["black"], game["white"], game["handicap"], game["komi"]) == (*two, terms.handicap, terms.komi)
    sides = standings_of(state).game(f"g{game['line']}")
    assert all(dict(line.explanation.reason.facts)["played at these terms"] is True for line in sides)
    for line in sides:  # who moved from what to what
        assert re.search(rf"{line.explanation.before:g} → <strong>{line.explanation.after:g}</strong>", text)
    assert "Undo restores:" in text


@pytest.mark.parametrize("system", [*SYSTEMS])
def test_a_game_by_touch_is_one_of_the_club_under_every_system(system: str) -> None:
    from handan.club.rules import Rules

    assert Rules(system).kinds[0] == "club"


def test_a_game_by_touch_in_a_european_club_is_recorded_as_one_of_the_club(make_club: Callable[..., Club]) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club = make_club("egf")
    keys = fill(club)
    keeper, two = client_of(club, Role.KEEPER), (keys["鈴木 一郎"], keys["山田 春子"])
    posted(keeper, club, two)
    assert state_of(club).games["kind"].to_list() == ["club"]
    shown = page(keeper, f"/{club.slug}/games/new/")
    assert re.findall(r'<option value="([\w-]+)"(?: selected)?>', shown.partition('name="kind"')[2])[0] == "club"


def test_where_colours_are_drawn_the_buttons_say_who_took_black(points: tuple[Club, dict[str, str]]) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club, keys = points
    keeper, two = client_of(club, Role.KEEPER), (keys["佐藤 健"], keys["Ada Lindqvist"])
    shown = page(keeper, f"/{club.slug}/games/enter/?one={two[0]}&other={two[1]}")
    assert all(f"{name} took Black" in shown for name in ("佐藤 健", "Ada Lindqvist"))
    posted(keeper, club, two, button=3)  # Ada took Black, White won
    game = state_of(club).games.row(0, named=True)
    assert (game["black"], game["white"], game["result"]) == (two[1], two[0], "W+")


def test_terms_that_changed_meanwhile_are_shown_before_anything_is_saved(points: tuple[Club, dict[str, str]]) -> None:
    from handan.club.store.models import Role

    club, keys = points
    keeper, two = client_of(club, Role.KEEPER), (keys["鈴木 一郎"], keys["山田 春子"])
    number = len(entries(club))
    form = {"won": f"{two[0]} {two[1]} B+", "handicap": "9", "komi": "-20", "token": uuid4().hex}
    answer = keeper.post(f"/{club.slug}/games/enter/", form)
    assert "The terms changed meanwhile" in answer.content.decode()
    swapped = keeper.post(f"/{club.slug}/games/enter/", {**form, "won": f"{two[1]} {two[0]} B+"})
    assert swapped.status_code == 200
    assert len(entries(club)) == number


def test_a_second_game_of_the_same_evening_is_asked_about_once(points: tuple[Club, dict[str, str]]) -> None:
    from handan.club.store.models import Role

    club, keys = points
    keeper, two = client_of(club, Role.KEEPER), (keys["鈴木 一郎"], keys["山田 春子"])
    posted(keeper, club, two)
    again = posted(keeper, club, two).content.decode()
    assert "It looks like a game" in again
    assert entries(club).count("game recorded") == 1
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', again.partition('class="won"')[2]))
    won = re.findall(r'name="won" value="([^"]*)"', again)[0]
    assert keeper.post(f"/{club.slug}/games/enter/", {**fields, "won": won}).status_code == 302
    assert entries(club).count("game recorded") == 2


def test_plates_stand_in_the_order_of_the_evening(points: tuple[Club, dict[str, str]]) -> None:
    from handan.club.store.models import Role

    club, keys = points
    keeper = client_of(club, Role.KEEPER, keys["김민수"])
    posted(keeper, club, (keys["山田 春子"], keys["Ada Lindqvist"]))
    wall = re.findall(
        r'class="name">(?:<span[^>]*>)?([^<]+)', page(keeper, f"/{club.slug}/games/enter/").partition('id="wall"')[2]
    )
    assert wall == ["Ada Lindqvist", "山田 春子", "김민수", "佐藤 健", "鈴木 一郎"]  # here today; by reading


@pytest.mark.parametrize(
    ("text", "names"),
    [(text, ["鈴木 一郎"]) for text in ("スズキ", "ｽｽﾞｷ", "すずき", "suzuki", "鈴木一郎", "suzu ichi")]
    + [(text, ["佐藤 健"]) for text in ("Satoh", "Satou", "Satō", "さとう")]
    + [("ㄱㅁㅅ", ["김민수"]), ("ada", ["Ada Lindqvist", "山田 春子"])],
)  # fmt: skip
def test_one_search_serves_form_wall_and_ladder(
    points: tuple[Club, dict[str, str]], text: str, names: list[str]
) -> None:
    from handan.club.names import player_meant
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club, keys = points
    keeper = client_of(club, Role.KEEPER)
    assert player_meant(state_of(club), text, "black") == keys[names[0]]  # the start of a word before the middle
    wall = page(keeper, f"/{club.slug}/games/enter/?q={text}").partition('id="wall"')[2]
    assert re.findall(r'class="name">(?:<span[^>]*>)?([^<]+)', wall) == names
    ladder = page(keeper, f"/{club.slug}/?q={text}")
    assert {name for name, _, _ in PEOPLE if name in ladder.partition('id="table"')[2].partition("<footer")[0]} == set(
        names
    )


def test_enter_in_the_search_chooses_the_one_who_is_meant(points: tuple[Club, dict[str, str]]) -> None:
    from handan.club.store.models import Role

    club, keys = points
    keeper, home = client_of(club, Role.KEEPER), f"/{club.slug}/games/enter/"
    first = keeper.get(home, {"q": "suzu", "only": "1"})
    assert first["Location"] == f"{home}?one={keys['鈴木 一郎']}"
    second = keeper.get(home, {"q": "ada", "only": "1", "one": keys["鈴木 一郎"]})
    assert second["Location"] == f"{home}?one={keys['鈴木 一郎']}&other={keys['Ada Lindqvist']}"


def test_undo_takes_back_and_the_ledger_keeps_both(points: tuple[Club, dict[str, str]]) -> None:
    from handan.club.store.models import Role
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of

    club, keys = points
    keeper, two = client_of(club, Role.KEEPER), (keys["鈴木 一郎"], keys["山田 春子"])
    before = standings_of(state_of(club)).rows
    saved = posted(keeper, club, two).content.decode()
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', saved.partition("/undo/")[2]))
    other = client_of(club, Role.KEEPER)
    assert other.post(f"/{club.slug}/undo/", form).status_code == 403  # what another wrote is withdrawn, not undone
    answer = keeper.post(f"/{club.slug}/undo/", form, follow=True)
    assert "Undone" in answer.content.decode()
    assert answer.redirect_chain == [(f"/{club.slug}/games/enter/", 302)]
    assert entries(club)[-2:] == ["game recorded", "game withdrawn"]
    assert standings_of(state_of(club)).rows == before
    again = keeper.post(f"/{club.slug}/undo/", {**form, "token": uuid4().hex}, follow=True).content.decode()
    assert "was changed by entry" in again


def test_a_player_takes_back_a_slip_of_the_same_day_though_it_counts(points: tuple[Club, dict[str, str]]) -> None:
    from handan.club.store.models import Role

    club, keys = points
    player = client_of(club, Role.PLAYER, keys["鈴木 一郎"])
    assert "山田 春子" in page(player, f"/{club.slug}/games/enter/")
    chosen = page(player, f"/{club.slug}/games/enter/").partition('class="chosen"')[2].partition('id="wall"')
    assert ["鈴木 一郎" in part for part in (chosen[0], chosen[2])] == [True, False]
    saved = posted(player, club, (keys["鈴木 一郎"], keys["山田 春子"])).content.decode()
    form = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', saved.partition("/undo/")[2]))
    player.post(f"/{club.slug}/undo/", form)
    assert entries(club)[-2:] == ["game recorded", "game withdrawn"]


def ratings_of(club: Club, keys: tuple[str, ...]) -> dict[str, float]:
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of

    rows = standings_of(state_of(club)).by_key
    return {key: rows[key]["rating"] for key in keys}


def moves_in(saved: str) -> dict[str, tuple[float, float]]:
    """Return from what to what the message on a page says that each player moved."""
    moves = re.findall(r'<span class="move">(.*?) (-?[\d.]+) → <strong>(-?[\d.]+)</strong>', saved)
    return {re.sub("<[^>]*>", "", name): (float(before), float(after)) for name, before, after in moves}


def test_a_correction_and_a_withdrawal_are_undone_too(points: tuple[Club, dict[str, str]]) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club, keys = points
    keeper, two = client_of(club, Role.KEEPER), (keys["鈴木 一郎"], keys["山田 春子"])
    posted(keeper, club, two)
    game = state_of(club).games.row(0, named=True)
    key, facts = f"g{game['line']}", ("black", "white", "result", "handicap", "komi", "notes")
    changed = {"black": two[0], "white": two[1], "result": "W+R", "notes": "misread"}
    before = ratings_of(club, two)
    for path, form in (("correct", changed), ("withdraw", {})):
        saved = keeper.post(f"/{club.slug}/games/{key}/{path}/", form, follow=True).content.decode()
        after = ratings_of(club, two)
        moved = {"鈴木 一郎": (before[two[0]], after[two[0]]), "山田 春子": (before[two[1]], after[two[1]])}
        assert moves_in(saved) == moved, path
        undo = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', saved.partition("/undo/")[2]))
        undone = keeper.post(f"/{club.slug}/undo/", undo, follow=True).content.decode()
        assert "Undone" in undone, path
        assert moves_in(undone) == {name: (now, then) for name, (then, now) in moved.items()}, path
        now = state_of(club).games.row(0, named=True)
        assert [now[name] for name in facts] == [game[name] for name in facts], path
        assert now["status"] == 0


@pytest.mark.parametrize("way", ["kiosk", "games/enter"])
def test_who_won_pressed_twice_is_one_game_and_asks_nothing(make_club: Callable[..., Club], way: str) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club = make_club("points")  # whose terms are others after the game
    keys, keeper = fill(club), client_of(club, Role.KEEPER)
    path = f"/{club.slug}/{way}/"
    page = keeper.get(f"{path}?one={keys['鈴木 一郎']}&other={keys['山田 春子']}").content.decode()
    sent = dict(re.findall(r'name="(token|handicap|komi)" value="([^"]*)"', page))
    sent["won"] = re.findall(r'name="won" value="([^"]+)"', page)[0]
    answers = [keeper.post(path, sent) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert state_of(club).games.height == 1
    assert "The terms changed" in keeper.post(path, {**sent, "token": "another"}).content.decode()


def test_a_newcomer_is_asked_for_a_provisional_rank_before_terms_are_proposed(make_club: MakeClub) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club = make_club("points")
    keys = fill(club)
    secretary = client_of(club, Role.SECRETARY)
    location = secretary.post(f"/{club.slug}/players/new/", {"name": "新田 太郎"})["Location"]
    new, other = location.rstrip("/").rpartition("/")[2], keys["山田 春子"]  # 3 dan
    path = f"/{club.slug}/games/enter/?one={other}&other={new}"
    page = secretary.get(path).content.decode()
    assert "has no rank yet" in page
    assert 'name="won"' not in page
    near = re.findall(rf'name="rank-{new}" value="(\w+)"', page)
    assert "3d" in near
    for asks in (f"pair/?one={other}&other={new}", f"terms/?one={other}&other={new}"):
        assert "has no rank yet" in secretary.get(f"/{club.slug}/{asks}").content.decode()
    page = secretary.get(f"{path}&rank-{new}=1k").content.decode()
    fields = dict(re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', page))
    assert fields[f"rank-{new}"] == "1k"
    assert fields["handicap"] == "4"  # 154 less 118 points: three stones beyond the first move, on the 12-point card
    won = re.search(r'name="won" value="([^"]+ B\+)"', page)
    assert won
    saved = secretary.post(f"/{club.slug}/games/enter/", {**fields, "won": won[1]})
    assert saved.status_code == 302
    (game,) = state_of(club).games.iter_rows(named=True)
    assert (game["black"], game["black_rank"], game["handicap"]) == (new, "1k", 4)
    rows = {row["player"]: row["rating"] for row in secretary.get(f"/{club.slug}/ladder.json").json()["players"]}
    assert rows["新田 太郎"] == 119.0
