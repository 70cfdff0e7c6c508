"""A merger never changes who the survivor was: by POST, under every kind of system."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from tests.forms import extended_but
from tests.web.test_api import Program
from tests.web.test_entering import client_of
from tests.web.test_events import upload

if TYPE_CHECKING:
    from handan.club.store.models import Club

SYSTEMS = ["points", "egf", "glicko2", "whr"]


class Table:
    """A club with a real player and an opponent, and three games between them."""

    def __init__(self, club: Club) -> None:
        from handan.club.store.models import Role, Scope

        self.club, self.ask = club, Program(club, Role.SECRETARY, Scope.WRITE)
        self.real, self.other = self.player("Mia Real", "2d"), self.player("Opp One", "1d")
        for day in (10, 11, 12):
            self.game(self.other, self.real, f"2026-11-{day}")

    def player(self, name: str, rank: str = "") -> str:
        return str(self.ask.ask("POST", "/players", {"name": name, "rank": rank})["subject"])

    def game(self, black: str, white: str, day: str) -> None:
        facts = {"black": black, "white": white, "result": "W+R", "date": day, "komi": 6.5}
        self.ask.ask("POST", "/games", facts)

    def rank(self, player: str, rank: str, day: str | None = None) -> str:
        body = {"player": player, "rank": rank} | ({"date": day} if day else {})
        return str(self.ask.ask("POST", "/adjustments", body)["subject"])

    def merge(self, key: str, into: str) -> dict[str, Any]:
        answer: dict[str, Any] = self.ask.ask("POST", f"/players/{key}/merge", {"into": into})
        return answer

    @property
    def ladder(self) -> dict[str, tuple[float, str]]:
        rows = self.ask.ask("GET", "/ladder")["players"]
        return {row["player"]: (row["rating"], row["rank"]) for row in rows}


@pytest.fixture(params=extended_but(["points", "egf"], SYSTEMS))
def table(request: pytest.FixtureRequest, make_club: Callable[..., Club]) -> Table:
    return Table(make_club(system=request.param))


@pytest.mark.parametrize("first", ["before", "after"])
def test_the_rank_of_a_duplicate_without_games_changes_nobody(table: Table, first: str) -> None:
    """Whichever of the two was registered first; the second takes the rank of the first only where it has none."""
    before = table.ladder
    slip = table.player("Mia Rael", "12k")
    if first == "before":  # the real one anew, behind the slip
        real = table.player("Nora Real", "2d")
        table.game(real, table.other, "2026-11-13")
        before = table.ladder
        slip = table.player("Nora Rael", "12k")
        table.merge(slip, real)
    else:
        table.merge(slip, table.real)
    after = table.ladder
    assert {name: row for name, row in before.items() if "Rael" not in name} == {
        name: row for name, row in after.items() if "Rael" not in name
    }


def test_ranks_set_by_hand_for_the_survivor_stand_too(table: Table) -> None:
    table.rank(table.real, "3d", "2026-11-11")
    before = table.ladder
    slip = table.player("Mia Rael", "12k")
    table.rank(slip, "9k", "2026-11-12")
    table.merge(slip, table.real)
    assert table.ladder == before


def test_a_survivor_without_ranks_takes_those_of_the_other(table: Table) -> None:
    new = table.player("Zoe Nobody")
    table.game(table.other, new, "2026-11-13")
    slip = table.player("Zoe Nobodi", "4d")
    table.merge(slip, new)
    with_rank = table.ladder
    table.ask.ask("POST", f"/players/{slip}/split", {})
    table.rank(new, "4d")
    assert {name: table.ladder[name] for name in with_rank} == with_rank


def test_games_of_both_count_and_a_split_brings_everything_back(table: Table) -> None:
    slip = table.player("Mia Rael", "12k")
    table.game(table.other, slip, "2026-11-13")
    before = table.ladder
    preview = table.ask.ask("POST", f"/players/{slip}/merge?preview=true", {"into": table.real})
    table.merge(slip, table.real)
    after = table.ladder
    assert "Mia Rael" not in after
    moved = {row["player"]: row["after"] for row in preview["moved"] if row["player"] in after}
    assert moved == {name: pytest.approx(after[name][0]) for name in moved}
    table.ask.ask("POST", f"/players/{slip}/split", {})
    assert table.ladder == before
    adjustments = table.ask.ask("GET", "/adjustments")
    assert {item["set_aside"] for item in adjustments} == {""}


def test_whom_two_mergers_reach_stays_who_they_were(table: Table) -> None:
    before = table.ladder
    slips = [table.player("Mia Rael", "12k"), table.player("Mia Rel", "10k")]
    table.merge(slips[0], slips[1])
    table.merge(slips[1], table.real)
    assert {name: table.ladder[name] for name in before} == before
    table.ask.ask("POST", f"/players/{slips[0]}/split", {})
    ranks = {item["player"]: item["set_aside"] for item in table.ask.ask("GET", "/adjustments")}
    assert (ranks[slips[0]], ranks[slips[1]]) == ("", slips[1])
    assert {name: table.ladder[name] for name in before} == before


def test_what_an_earlier_version_merged_comes_out_as_then(make_club: Callable[..., Club]) -> None:
    """Its entries name no rank that is set aside, and the lists that were published since hold."""
    from handan.club import lists
    from handan.club.entries import Draft
    from handan.club.kinds import Kind
    from handan.club.store.clock import today
    from handan.club.store.facts import records
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    table = Table(make_club(system="egf"))
    slip = table.player("Mia Rael", "12k")
    write(table.club, lambda _: Draft(Kind.PLAYER_MERGED, {"into": table.real}, slip), author="x")
    old = table.ladder
    write(table.club, lambda state: lists.publish(state, today()), author="x")
    assert state_of(table.club).lists
    assert lists.verify_published(table.club.slug, list(records(table.club)), {}).again == 1
    table.ask.ask("POST", f"/players/{slip}/split", {})
    table.merge(slip, table.real)
    assert table.ladder["Mia Real"] != old["Mia Real"]
    write(table.club, lambda state: lists.publish(state, today()), author="x")
    assert lists.verify_published(table.club.slug, list(records(table.club)), {}).again == 2


def test_page_preview_card_and_log_say_which_ranks_no_longer_count(make_club: Callable[..., Club]) -> None:
    from django.contrib.auth import get_user_model
    from django.test import Client

    table = Table(make_club(system="egf"))
    slip = table.player("Mia Rael", "12k")
    client = Client()
    client.force_login(get_user_model().objects.get(access_tokens__name="test", memberships__club=table.club))
    form = {"player": "Mia Rael", "into": "Mia Real"}
    page = text(client.post(f"/{table.club.slug}/who-is-who/", {**form, "preview": "1"}).content.decode())
    assert "Ranks that will no longer count, since the second has ranks of their own: 12k (on entry)" in page
    client.post(f"/{table.club.slug}/who-is-who/", {**form, "save": "1"})
    assert "does not count" in text(client.get(f"/{table.club.slug}/players/{table.real}/").content.decode())
    log = text(client.get(f"/{table.club.slug}/log/").content.decode())
    assert "ranks that no longer count: 12k (on entry)" in log
    assert table.ask.ask("GET", f"/players/{slip}")["key"] == table.real


def text(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


@pytest.fixture
def namesakes(make_club: Callable[..., Club]) -> tuple[Table, str, str]:
    """A club in which one name stands with two numbers of one register, and another name is like it."""
    table = Table(make_club(system="egf"))
    numbers = ("egd:10000001", "egd:10000009")
    keys = [table.ask.ask("POST", "/players", {"name": "Ada Moor", "ids": [number]})["subject"] for number in numbers]
    return table, keys[0], keys[1]


def who_is_who(club: Club) -> str:
    from handan.club.store.models import Role

    return client_of(club, Role.SECRETARY).get(f"/{club.slug}/who-is-who/").content.decode()


def proposed(table: Table) -> list[tuple[str, str]]:
    """Return the pairs of keys that the page of who is who offers to tell apart."""
    return re.findall(r"/players/(\w+)/split/\?apart=(\w+)", who_is_who(table.club))


def test_one_name_with_two_numbers_is_proposed_until_somebody_says_that_they_are_two(
    namesakes: tuple[Table, str, str],
) -> None:
    from handan.club.store.models import Role

    table, one, other = namesakes
    before = table.ladder
    assert proposed(table) == [(other, one)]
    secretary, path = client_of(table.club, Role.SECRETARY), f"/{table.club.slug}/players/{other}/split/?apart={one}"
    form = secretary.get(path).content.decode()
    assert "are two people" in form
    token = re.search(r'name="token" value="([^"]+)"', form)
    assert token
    assert secretary.post(path, {"token": token[1], "reason": "mother and daughter"}).status_code == 302
    assert proposed(table) == []
    assert table.ladder == before
    log = unescape(secretary.get(f"/{table.club.slug}/log/").content.decode())
    assert "is not" in log
    assert "mother and daughter" in log
    slip = table.player("Adda Moor")
    assert {frozenset(pair) for pair in proposed(table)} == {frozenset((slip, one)), frozenset((slip, other))}
    table.ask.ask("POST", f"/players/{slip}/split", {"apart": one})
    table.ask.ask("POST", f"/players/{slip}/split", {"apart": slip}, 409)
    table.merge(slip, other)
    assert proposed(table) == []


def test_country_and_club_speak_for_one_person_or_for_two(club: Club) -> None:
    table = Table(club)
    home = {"country": "SE", "club": "Ume"}
    for name, residence in (("Ada Moor", home), ("Moor Ada", home), ("Bo Lind", home), ("Lind Bo", {"country": "NO"})):
        key = str(table.ask.ask("POST", "/players", {"name": name, **residence})["subject"])
        table.game(key, table.other, "2026-11-13")
    shown = who_is_who(club)
    assert "same country SE; same club Ume" in shown
    assert "another country: SE, NO" in shown or "another country: NO, SE" in shown


@pytest.mark.parametrize(("role", "status"), [("PLAYER", 403), ("KEEPER", 403), ("SECRETARY", 302)])
def test_who_may_merge_says_who_are_two(namesakes: tuple[Table, str, str], role: str, status: int) -> None:
    from handan.club.store.models import Role

    table, one, other = namesakes
    member = client_of(table.club, Role[role])
    answer = member.post(f"/{table.club.slug}/players/{other}/split/?apart={one}", {"token": f"two-{role}"})
    assert answer.status_code == status


def test_who_comes_back_on_the_list_had_no_rank_before(make_club: Callable[..., Club]) -> None:
    from handan.club.store.models import Role
    from tests.web.test_pages import signed_in, text

    table = Table(make_club("egf"))
    twin = table.player("Mia Rael", "3k")
    table.game(table.other, twin, "2026-11-13")
    table.merge(twin, table.real)
    secretary, split = signed_in(table.club, Role.SECRETARY), f"/{table.club.slug}/players/{twin}/split/"
    assert "– → 3k" in text(secretary.get(split))
    assert "(– → 3k)" in text(secretary.post(split, {"token": "t"}, follow=True))


SIMILAR = """; EV[Cup]
; DT[2026-05-02]
1 Lind Ada     2d SE Ume 2+/b0 3+/b0 4+/b0
2 Moor Annabel 5k SE Ume 1-/w0 0-    0-
3 Moor Anabel  4k SE Ume 0-    1-/w0 0-
4 Moor Anabela 4d GB Ldn 0-    0-    1-/w0
"""
EVIDENCE = {
    "en": ("both played in Cup", "1 common opponent", "ranks far apart: 4k, 4d"),
    "de": ("beide spielten bei Cup", "1 gemeinsamer Gegner",
           "Ränge weit auseinander: 4. Kyu, 4. Dan"),
    "fr": ("tous deux ont joué à Cup", "1 adversaire commun",
           "niveaux très éloignés : 4e kyu, 4e dan"),
    "ja": ("どちらもCupで対局", "共通の相手1人", "段級位が大きく違う：4級、四段"),
    "ko": ("둘 다 Cup에서 대국", "공통 상대 1명", "급·단이 크게 다름: 4급, 4단"),
    "zh-hans": ("两人都下过Cup", "1名共同对手", "段级位相差很大：4级、4段"),
    "zh-hant": ("兩人都下過Cup", "1名共同對手", "段級位相差很大：4級、4段"),
}  # fmt: skip


def test_what_speaks_for_one_person_is_in_the_language_of_the_page(make_club: Callable[..., Club]) -> None:
    from handan.club.store.models import Role

    club = make_club("egf")
    secretary = client_of(club, Role.SECRETARY)
    upload(secretary, club, SIMILAR)
    for language, texts in EVIDENCE.items():
        page = secretary.get(f"/{club.slug}/who-is-who/", headers={"Accept-Language": language})
        shown = " ".join(unescape(page.content.decode()).split())
        assert [text for text in texts if text not in shown] == [], language
