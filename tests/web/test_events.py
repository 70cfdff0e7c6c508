"""Events of a club: files of tournaments enter them, pages and calls show them, and they can be taken out."""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Callable
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from handan.ledger import Bye
from tests.web.test_entering import client_of

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

FIRST_ROUND = """; TC[T260503A]
; CL[B]
; EV[Lake Cup]
; PC[SE, Umea]
; DT[2026-05-02,2026-05-03]
; KM[6.5]
; CM[invented]
 1 Lindqvist Ada   3d SE Ume  1   3+/w0  2?/b0  |10000001
 2 Tan Bo          2d SE Ume  1   4+/b0  1?/w0  |10000002
 3 Moor Cy         1d GB Ldn  0   1-/b0  0+     |10000003
 4 Ruiz Dee        1k ES Mad  0   2-/w0  0-
 5 Nemo Eve        5k SE Ume  0   0-     0-
"""
BOTH_ROUNDS = FIRST_ROUND.replace("2?/b0", "2+/b0").replace("1?/w0", "1-/w0").replace("Ume  1   3+", "Ume  2   3+")


def upload(client: Client, club: Club, content: str | bytes, name: str = "cup.h9") -> Any:
    """Send a file of a tournament, confirm what was read of it, and return the page that follows."""
    path = f"/{club.slug}/games/sheet/"
    data = content.encode() if isinstance(content, str) else content
    read = client.post(path, {"file": SimpleUploadedFile(name, data), "date": "2026-05-09"})
    page = read.content.decode()
    form = next((part for part in page.split("<form") if 'name="save"' in part), "")
    if not form:
        return read
    sent = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    sent |= {"save": "1", "newcomers": "1", "text": re.search(r'name="text" value="([^"]*)"', form)[1]}  # type: ignore[index]
    return client.post(path, {name: html.unescape(value) for name, value in sent.items()}, follow=True)


@pytest.fixture
def keeper_of_cup(make_club: Callable[..., Club]) -> tuple[Club, Client]:
    """Return a club with a tournament of two days after its first round, and its keeper."""
    from handan.club.store.models import Role

    club = make_club("egf")
    keeper = client_of(club, Role.SECRETARY)
    answer = upload(keeper, club, FIRST_ROUND)
    assert answer.status_code == 200, answer.content.decode()
    return club, keeper


def test_a_file_of_a_tournament_enters_it_with_all_who_take_part(keeper_of_cup: tuple[Club, Client]) -> None:
    from handan.club.store.states import state_of

    state = state_of(keeper_of_cup[0])
    [club_event] = state.events.values()
    event = club_event.event(lambda key: state.labels[key])
    assert (event.name, str(event.first), str(event.last), event.rounds) == ("Lake Cup", "2026-05-02", "2026-05-03", 2)
    assert (event.country, event.city, event.code, event.kind) == ("SE", "Umea", "T260503A", "tournament-b")
    assert [each.player.name for each in event.participants] == [
        "Lindqvist Ada", "Tan Bo", "Moor Cy", "Ruiz Dee", "Nemo Eve",
    ]  # fmt: skip
    assert dict(event.participants[2].byes) == {2: Bye.ALLOCATED}
    assert (event.participants[2].player.country, event.participants[2].player.club) == ("GB", "Ldn")
    assert [(each.round, each.black, each.white) for each in event.pairings] == [(2, "Lindqvist Ada", "Tan Bo")]
    assert state.games.height == 2


def test_the_file_of_the_next_round_adds_what_is_new_and_changes_the_event(keeper_of_cup: tuple[Club, Client]) -> None:
    from handan.club.store.models import Entry
    from handan.club.store.states import state_of

    club, keeper = keeper_of_cup
    before = state_of(club).number
    upload(keeper, club, BOTH_ROUNDS)
    state = state_of(club)
    kinds = list(Entry.objects.filter(club=club, number__gt=before).order_by("number").values_list("kind", flat=True))
    assert kinds == ["event changed", "game recorded", "sheet entered"]
    assert next(iter(state.events.values())).event().pairings == ()
    assert state.games.height == 3
    assert "nothing was changed" in upload(keeper, club, BOTH_ROUNDS).content.decode()
    assert state_of(club).number == state.number


TABLE = """date,event,round,black,white,result
2026-05-03,Lake Cup,2,Lindqvist Ada,Tan Bo,B+
2026-05-03,Lake Cup,2,Moor Cy,bye,=
2026-05-03,Lake Cup,3,Ruiz Dee,bye,=
"""


def test_byes_of_a_table_are_added_to_what_is_known_of_the_event(keeper_of_cup: tuple[Club, Client]) -> None:
    from handan.club.store.states import state_of

    club, keeper = keeper_of_cup
    assert upload(keeper, club, TABLE, "round.csv").status_code == 200
    state = state_of(club)
    [club_event] = state.events.values()
    event = club_event.event(lambda key: state.labels[key])
    assert (event.city, event.code, len(event.participants)) == ("Umea", "T260503A", 5)
    byes = {each.player.name: dict(each.byes) for each in event.participants}
    assert byes["Moor Cy"] == {2: Bye.ALLOCATED}  # as the event had it
    assert byes["Ruiz Dee"] == {2: Bye.ZERO_POINT, 3: Bye.HALF_POINT}
    assert state.games.height == 3


def test_byes_of_a_table_of_no_event_are_left_out_and_said(keeper_of_cup: tuple[Club, Client]) -> None:
    from handan.club.store.states import state_of

    club, keeper = keeper_of_cup
    table = TABLE.replace("Lake Cup", "").replace("2026-05-03", "2026-05-08")
    form = {"file": SimpleUploadedFile("evening.csv", table.encode()), "date": "2026-05-09"}
    page = html.unescape(keeper.post(f"/{club.slug}/games/sheet/", form).content.decode())
    assert "byes and absences of a table that names no event are left out: 2" in page
    upload(keeper, club, table, "evening.csv")
    state = state_of(club)
    assert [event.name for event in state.events.values()] == ["Lake Cup"]
    assert state.games.height == 3


def test_what_a_file_brought_is_taken_back_with_its_event(keeper_of_cup: tuple[Club, Client]) -> None:
    from handan.club.store.states import state_of

    club, keeper = keeper_of_cup
    first = min(entry.number for entry in _entries(club) if entry.kind == "player registered")
    last = state_of(club).number
    keeper.post(f"/{club.slug}/undo/", {"entries": f"{first}-{last}"})
    state = state_of(club)
    assert [event.withdrawn for event in state.events.values()] == [True]
    assert set(state.games["status"]) == {1}


def test_an_archive_of_a_cup_of_several_years_enters_each_with_its_own_days_and_everybody_with_their_country(
    make_club: Callable[..., Club],
) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club, archive = make_club("egf"), io.BytesIO()
    with zipfile.ZipFile(archive, "w") as folder:
        for year in (2018, 2022, 2026):
            folder.writestr(f"cup{year}.h9", BOTH_ROUNDS.replace("2026", str(year)).replace("T26", f"T{year - 2000}"))
    answer = upload(client_of(club, Role.SECRETARY), club, archive.getvalue(), "cups.zip")
    assert answer.status_code == 200, words(answer.content.decode())
    state = state_of(club)
    entered = [event.event() for event in state.events.values()]
    assert sorted((str(event.first), str(event.last)) for event in entered) == [
        (f"{year}-05-02", f"{year}-05-03") for year in (2018, 2022, 2026)
    ]
    assert len(state.games) == 9
    homes = {person.name: (person.country, person.club) for person in state.active.values()}
    assert (len(homes), homes["Moor Cy"], homes["Ruiz Dee"]) == (5, ("GB", "Ldn"), ("ES", "Mad"))


def _entries(club: Club) -> Any:
    from handan.club.store.models import Entry

    return Entry.objects.filter(club=club)


def words(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page.partition("<main")[2].partition("</main>")[0])).split())


def test_the_page_of_an_event_has_its_cross_table_what_it_did_and_what_is_to_come(
    keeper_of_cup: tuple[Club, Client],
) -> None:
    from handan.club.store.states import state_of

    club, keeper = keeper_of_cup
    state = state_of(club)
    [key] = state.events
    shown = words(keeper.get(f"/{club.slug}/events/{key}/").content.decode())
    for text in ("Lake Cup", "Umea", "invented", "Nemo Eve", "Paired, not yet played", "Rating changes", "T260503A"):
        assert text in shown, text
    assert "3+ /w" in shown
    assert "0+" in shown
    assert "0−" in shown
    games = keeper.get(f"/{club.slug}/games/?event={key}").content.decode()
    assert words(games).count("Moor Cy") == 1
    player = state.keys["Moor Cy"]
    assert f"/{club.slug}/events/{key}/" in keeper.get(f"/{club.slug}/players/{player}/").content.decode()
    listed = words(keeper.get(f"/{club.slug}/events/?year=2026&country=SE").content.decode())
    assert "Lake Cup" in listed
    assert "Lake Cup" not in words(keeper.get(f"/{club.slug}/events/?year=2025").content.decode()).partition("Show")[2]


def test_a_place_that_two_share_stands_beside_the_numbers_of_the_rows_that_cells_name(
    make_club: Callable[..., Club],
) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club = make_club("egf")
    keeper = client_of(club, Role.SECRETARY)
    upload(keeper, club, BOTH_ROUNDS.replace(" 4 Ruiz", "   Ruiz"))
    heads, rows = cross_table_of(keeper.get(f"/{club.slug}/events/{next(iter(state_of(club).events))}/").content)
    assert heads[:4] == ["No.", "Place", "Player", "Rank"]
    assert [row[:2] for row in rows] == [["1", "1"], ["2", "2"], ["3", "3"], ["4", "3"], ["5", "5"]]
    assert [row[2].split()[0] for row in rows] == ["Lindqvist", "Tan", "Moor", "Ruiz", "Nemo"]
    assert rows[1][4].startswith("4+"), "Tan met Ruiz, whose row is the fourth"


def test_places_that_are_the_numbers_of_the_rows_have_no_column_of_their_own(
    keeper_of_cup: tuple[Club, Client],
) -> None:
    from handan.club.store.states import state_of

    club, keeper = keeper_of_cup
    heads, rows = cross_table_of(keeper.get(f"/{club.slug}/events/{next(iter(state_of(club).events))}/").content)
    assert heads[:3] == ["No.", "Player", "Rank"]
    assert [row[0] for row in rows] == ["1", "2", "3", "4", "5"]


def test_a_tie_break_whose_name_no_file_tells_has_the_number_of_its_column(
    keeper_of_cup: tuple[Club, Client],
) -> None:
    from handan.club.store.states import state_of

    club, keeper = keeper_of_cup
    page = f"/{club.slug}/events/{next(iter(state_of(club).events))}/"
    for language, heading in (("en", "Criterion 1"), ("de", "Kriterium 1")):
        heads, rows = cross_table_of(keeper.get(page, headers={"Accept-Language": language}).content)
        assert heads[-2] == heading
        assert [row[-2] for row in rows] == ["1", "1", "0", "0", "0"]


def test_classes_of_tournaments_are_words_in_every_list_that_shows_them(keeper_of_cup: tuple[Club, Client]) -> None:
    from handan.club.recorded import Chosen
    from handan.club.store.states import state_of

    club, keeper = keeper_of_cup
    state = state_of(club)
    [key] = state.events
    game = f"games/g{state.recorded.latest(Chosen())['line'][0]}/"
    pages = ("events/", f"events/{key}/", f"events/{key}/edit/", "games/", game, f"{game}correct/", "log/",
             "league/?from=2026-01-01&kind=tournament-b")  # fmt: skip
    for language, kind in (("en", "tournament, class B"), ("de", "Turnier, Klasse B"), ("ja", "大会 クラスB")):
        for page in pages:
            shown = keeper.get(f"/{club.slug}/{page}", headers={"Accept-Language": language})
            assert shown.status_code == 200, page
            text = re.sub(r"<[^>]+>", " ", shown.content.decode())
            assert kind in text, (language, page)
            assert "tournament-b" not in text, (language, page)


def cross_table_of(page: bytes) -> tuple[list[str], list[list[str]]]:
    """Return the headings and the cells of the rows of the cross table on a page."""
    table = page.decode().partition('class="cross"')[2].partition("</table>")[0]
    cells = [re.findall(r"<t[hd][ >].*?</t[hd]>", row, re.DOTALL) for row in table.split("<tr>")[1:]]
    texts = [[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in row] for row in cells]
    return texts[0], texts[1:]


def test_page_call_and_command_say_the_same_of_an_event(keeper_of_cup: tuple[Club, Client], tmp_path: Any) -> None:
    from handan.club.store.states import state_of
    from handan.files import read
    from handan.systems import EGF

    club, keeper = keeper_of_cup
    upload(keeper, club, BOTH_ROUNDS)
    [key] = state_of(club).events
    called = keeper.get(f"/api/clubs/{club.slug}/events/{key}").json()
    (tmp_path / "cup.h9").write_text(BOTH_ROUNDS)
    event = EGF().rate(read(tmp_path / "cup.h9")).event("Lake Cup")
    expected = {line.player: (line.before, line.changes, line.after) for line in event.lines}
    answered = {row["player"]: (row["before"], [each["change"] for each in row["results"]], row["after"])
                for row in called["players"]}  # fmt: skip
    assert answered == expected
    assert [row["player"] for row in called["players"]] == [line.player for line in event.lines]
    heads, rows = cross_table_of(keeper.get(f"/{club.slug}/events/{key}/").content)
    names = [" ".join(row[heads.index("Player")].split()[:2]) for row in rows]
    assert [name for name in names if name in expected] == [line.player for line in event.lines]
    assert keeper.get(f"/{club.slug}/events/{key}/event.json").json() == called


def test_a_round_that_is_paired_shows_what_saving_its_results_does(keeper_of_cup: tuple[Club, Client]) -> None:
    from handan.club.store.states import state_of

    club, keeper = keeper_of_cup
    [key] = state_of(club).events
    [outcome] = keeper.get(f"/api/clubs/{club.slug}/events/{key}").json()["outcomes"]
    upload(keeper, club, BOTH_ROUNDS)
    after = keeper.get(f"/api/clubs/{club.slug}/events/{key}").json()
    changes = [each["change"] for row in after["players"] for each in row["results"] if each["round"] == 2]
    assert sorted(outcome["black_wins"]) == pytest.approx(sorted(changes))


def test_two_who_were_paired_and_are_merged_take_part_as_one(keeper_of_cup: tuple[Club, Client]) -> None:
    """The event is shown with one row for both, who are paired no more, and it can still be corrected."""
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club, keeper = keeper_of_cup
    administrator, state = client_of(club, Role.ADMINISTRATOR), state_of(club)
    [event] = state.events
    one, other = (state.keys[name] for name in ("Lindqvist Ada", "Tan Bo"))
    path = f"/api/clubs/{club.slug}/players/{one}/merge"
    assert administrator.post(path, {"into": other}, content_type="application/json").status_code == 200
    heads, rows = cross_table_of(keeper.get(f"/{club.slug}/events/{event}/").content)
    names = [" ".join(row[heads.index("Player")].split()[:2]) for row in rows]
    assert sorted(names) == ["Moor Cy", "Nemo Eve", "Ruiz Dee", "Tan Bo"]
    shown = keeper.get(f"/api/clubs/{club.slug}/events/{event}").json()
    assert (shown["pairings"], shown["outcomes"]) == ([], [])
    change = {"city": "Lulea"}
    answer = keeper.patch(f"/api/clubs/{club.slug}/events/{event}", change, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert keeper.get(f"/api/clubs/{club.slug}/events/{event}").json()["city"] == "Lulea"


PAIRED = """; EV[Cup]
; DT[2026-05-02]
; KM[6.5]
1 Lind Ada  3d  SE Ume 2+/w0 3?/w0
2 Moor Cy   1d  SE Ume 1-/b0 0-
3 Tan Bo    20k SE Ume 0-    1?/b0
"""


def test_a_rank_that_a_result_to_come_would_bring_is_written_as_the_page_writes_ranks(
    make_club: Callable[..., Club],
) -> None:
    from handan.club.store.models import Role

    club = make_club("egf")
    keeper = client_of(club, Role.SECRETARY)
    upload(keeper, club, PAIRED)
    [event] = keeper.get(f"/api/clubs/{club.slug}/events").json()
    for language, rank in (("en", "(19k)"), ("fr", "(19e kyu)"), ("de", "(19. Kyu)"), ("ja", "(19級)")):
        page = keeper.get(f"/{club.slug}/events/{event['key']}/", headers={"Accept-Language": language})
        assert rank in words(page.content.decode()), language


def test_a_file_of_pairings_alone_enters_its_event_and_the_results_come_later(
    make_club: Callable[..., Club],
) -> None:
    from handan.club.store.models import Role
    from handan.club.store.states import state_of

    club = make_club("egf")
    keeper = client_of(club, Role.SECRETARY)
    paired = "; EV[Cup]\n; DT[2026-05-02]\n; KM[6.5]\n1 Lind Ada 3d SE Ume 2?/w0\n2 Tan Bo 1k SE Ume 1?/b0\n"
    entered = words(upload(keeper, club, paired).content.decode())
    assert "0 games are entered." in entered
    assert "Paired, not yet played" in entered
    assert len(state_of(club).ledger) == 0
    upload(keeper, club, paired.replace("2?", "2+").replace("1?", "1-"))
    [key] = state_of(club).events
    assert len(state_of(club).ledger) == 1
    assert "Paired, not yet played" not in words(keeper.get(f"/{club.slug}/events/{key}/").content.decode())


def test_the_day_of_a_round_stands_where_it_is_another_than_that_of_the_round_before(
    keeper_of_cup: tuple[Club, Client],
) -> None:
    from handan.club.store.states import state_of

    club, keeper = keeper_of_cup
    rounds = """date,event,round,black,white,result
2026-05-02,Lake Cup,2,Lindqvist Ada,Tan Bo,B+R
2026-05-03,Lake Cup,3,Lindqvist Ada,Moor Cy,B+R
2026-05-03,Lake Cup,4,Tan Bo,Moor Cy,B+R
"""
    upload(keeper, club, rounds, "cup.csv")
    heads, _ = cross_table_of(keeper.get(f"/{club.slug}/events/{next(iter(state_of(club).events))}/").content)
    assert heads[3:7] == ["1 2026-05-02", "2", "3 2026-05-03", "4"]


def test_a_large_cross_table_has_each_result_once_and_stays_light(make_club: Callable[..., Club]) -> None:
    from handan.club.store.models import Role

    club, players, rounds = make_club("egf"), 20, 5
    keeper = client_of(club, Role.SECRETARY)
    ring, cells = [*range(players)], [[] for _ in range(players)]  # type: tuple[list[int], list[list[str]]]
    for _ in range(rounds):
        for black, white in zip(ring[: players // 2], reversed(ring[players // 2 :]), strict=True):
            cells[black].append(f"{white + 1}+/b2")
            cells[white].append(f"{black + 1}-/w2")
        ring.insert(1, ring.pop())
    lines = [f"{number + 1} Moor A{number} 5k SE Ume {' '.join(row)}" for number, row in enumerate(cells)]
    upload(keeper, club, "\n".join(["; EV[Cup]", "; DT[2026-05-02]", *lines]))
    [event] = keeper.get(f"/api/clubs/{club.slug}/events").json()
    page = keeper.get(f"/{club.slug}/events/{event['key']}/").content
    heads, rows = cross_table_of(page)
    first, last = heads.index("1"), heads.index("5")
    assert [[cell.split()[0] for cell in row[first : last + 1]] for row in rows] == [
        [each.partition("/")[0].replace("-", "−") for each in row] for row in cells
    ]
    assert all(re.search(r"[+-]?\d+\.\d$", cell) for row in rows for cell in row[first : last + 1])  # what it brought
    table = page.partition(b'class="cross"')[2].partition(b"</table>")[0]
    assert table.count(b"title=") == players * rounds
    assert len(table) < 220 * players * rounds  # with names and all


def test_evenings_are_events_of_a_day_and_a_word(make_club: Callable[..., Club]) -> None:
    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.writing import write
    from handan.ledger import Event, When

    club = make_club("egf")
    keeper = client_of(club, Role.KEEPER)
    one, other = (
        write(club, partial(changes.players.register_player, fields={"name": name}), author="x")[0].subject
        for name in ("Ada", "Bo")
    )
    for day, word in (("2026-05-01", "Friday"), ("2026-05-08", "Friday"), ("2026-05-08", "A/B & c")):
        game = {"black": one, "white": other, "result": "B+", "date": day, "event": word}
        game |= dict.fromkeys(("black_rank", "white_rank"), "1k")
        write(club, partial(changes.games.record_game, fields=game, today=date(2026, 6, 1)), author="x")
    rows = keeper.get(f"/api/clubs/{club.slug}/events").json()
    assert [(row["event"], row["first"], row["games"]) for row in rows] == [
        ("A/B & c", "2026-05-08", 1), ("Friday", "2026-05-08", 1), ("Friday", "2026-05-01", 1),
    ]  # fmt: skip
    page = keeper.get(f"/{club.slug}/events/").content.decode()
    for link in re.findall(r'href="([^"]*/events/2026[^"]*)"', page):
        assert "Ada" in words(keeper.get(html.unescape(link)).content.decode())
    assert keeper.get(f"/{club.slug}/events/2026-05-02/Friday/").status_code == 404
    assert keeper.get(f"/{club.slug}/events/2026-15-02/Friday/").status_code == 404
    league = Event("Friday", first=When.of("2026-05-01"), last=When.of("2026-05-08"))
    write(club, partial(changes.events.enter_event, event=league, today=date(2026, 6, 1)), author="x")
    for as_of, games in (("2026-05-08", 2), ("2026-05-05", 1)):  # those that were played by then
        page = keeper.get(f"/{club.slug}/events/?as_of={as_of}").content.decode()
        [row] = [row for row in page.split("<tr") if "Friday" in row]
        assert re.search(rf'data-label="Games">\s*{games}\s*<', row), row


def test_the_calendar_opens_at_the_latest_year_and_has_an_event_over_new_year_in_both(
    make_club: Callable[..., Club],
) -> None:
    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.writing import write
    from handan.ledger import Event, When

    club, now = make_club("egf"), date(2026, 6, 1)
    reader = client_of(club, Role.PLAYER)
    one, other = (
        write(club, partial(changes.players.register_player, fields={"name": name}), author="x")[0].subject
        for name in ("Ada", "Bo")
    )
    cup = Event("Cup", first=When.of("2023-12-30"), last=When.of("2024-01-02"), country="SE", kind="tournament-b")
    write(club, partial(changes.events.enter_event, event=cup, today=now), author="x")
    games = [("2023-12-30", "Cup"), ("2024-01-02", "Cup"), ("2024-01-03", "Cup"), ("2021-02-01 20:15", "Friday"),
             ("2021-02-01 21:30", "Friday"), ("1969-12-31", "Old"), ("2025-01-05", "")]  # fmt: skip
    for day, word in games:
        game = {"black": one, "white": other, "result": "B+", "date": day, "event": word}
        game |= dict.fromkeys(("black_rank", "white_rank"), "1k")
        write(club, partial(changes.games.record_game, fields=game, today=now), author="x")

    def page_of(query: str) -> str:
        return str(reader.get(f"/{club.slug}/events/{query}").content.decode())

    def shown(query: str) -> list[tuple[str, ...]]:
        page = page_of(query)
        rows = page.partition("<tbody>")[2].partition("</tbody>")[0].split("<tr>")[1:]
        cells = [[words(f"<main{cell}") for cell in re.findall(r"<td.*?</td>", row, re.DOTALL)] for row in rows]
        return [(row[1], row[-1]) for row in cells]

    assert shown("") == shown("?year=2024") == [("Cup", "1"), ("Cup", "2")]
    assert shown("?year=2023") == [("Cup", "2")]
    assert shown("?year=2021") == [("Friday", "2")]
    assert shown("?year=2025") == []
    assert shown("?year=") == [("Cup", "1"), ("Cup", "2"), ("Friday", "2"), ("Old", "1")]
    assert shown("?year=&country=SE") == shown("?year=&kind=tournament-b") == [("Cup", "2")]
    assert shown("?as_of=2024-01-01") == [("Cup", "1")]
    years = re.search(r'<nav class="pages".*?</nav>', page_of("?country=SE"), re.DOTALL)
    assert years
    assert words(f"<main{years[0]}") == "2024 2023 2021 1969"
    for link in re.findall(r'href="([^"]+)"', years[0]):
        assert len(shown(html.unescape(link))) == ("2023" in link)


def test_events_of_one_name_and_day_in_two_clubs_of_a_federation_stay_two(make_club: Callable[..., Club]) -> None:
    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.models import Role
    from handan.club.store.states import state_of
    from handan.club.store.writing import write

    above = make_club("egf")
    both = [make_club("egf", federation=above) for _ in range(2)]
    for club, names in zip(both, (("Ada", "Bo", "Cy", "Dee", "Eve"), ("Fay", "Gus", "Hal", "Ida", "Jo")), strict=True):
        content = BOTH_ROUNDS
        for name, other in zip(("Ada", "Bo", "Cy", "Dee", "Eve"), names, strict=True):
            content = content.replace(f"{name} ", f"{other} ").replace("|1000000", f"|{'12'[club is both[1]]}000000")
        upload(client_of(club, Role.SECRETARY), club, content)
        black, white = [*state_of(club).people][:2]
        for day in ("2026-05-03", "2026-05-15"):
            game = {"black": black, "white": white, "result": "B+", "date": day, "event": "Friday"}
            write(club, partial(changes.games.record_game, fields=game, today=date(2026, 6, 1)), author="x")
    reader = client_of(above, Role.PLAYER)
    rows = reader.get(f"/api/clubs/{above.slug}/events").json()
    assert sorted((row["club"], row["event"], row["first"], row["games"]) for row in rows) == sorted(
        (club.slug, *each)
        for club in both
        for each in (("Friday", "2026-05-03", 1), ("Friday", "2026-05-15", 1), ("Lake Cup", "2026-05-02", 3))
    )
    calendar = reader.get(f"/{above.slug}/events/").content.decode()
    links = [html.unescape(link) for link in re.findall(r'href="([^"]*/events/[^"]*[.][^"]*)"', calendar)]
    assert len(links) == len(rows)
    for link, (own, others) in ((link, both if both[0].slug in link else both[::-1]) for link in links):
        for query in ("", f"?as_of={today()}", f"?known={today()}"):
            page = words(reader.get(link + query).content.decode())
            assert ("Lindqvist Ada" in page) is (own == both[0]), link
            assert ("Lindqvist Fay" in page) is (own == both[1]), link
            assert others.slug not in page
    for club, name in zip(both, ("Ada", "Fay"), strict=True):
        [key] = state_of(club).events
        event = reader.get(f"/api/clubs/{above.slug}/events/{club.slug}.{key}").json()
        assert (len(event["games"]), len(event["participants"]), len(event["players"])) == (3, 5, 4)
        listed = words(reader.get(f"/{above.slug}/games/?event={club.slug}.{key}").content.decode())
        assert listed.count("class B Lake Cup") == 3
        assert listed.count(f"Lindqvist {name}") == 2
        [card] = [each for each, person in state_of(above).people.items() if person.name == f"Lindqvist {name}"]
        page = reader.get(f"/{above.slug}/players/{card}/").content.decode()
        assert {*re.findall(rf'href="/{above.slug}/events/([^"/]*)/', page)} == {f"{club.slug}.{key}"}
    games = reader.get(f"/{above.slug}/games/").content.decode()
    assert {html.unescape(link) for link in re.findall(r'href="([^"]*/events/[^"]+)"', games)} == {*links}


def test_the_cross_table_of_an_evening_has_the_ranks_of_the_club_where_nobody_declared_one(
    make_club: Callable[..., Club],
) -> None:
    from handan.club import changes
    from handan.club.store.models import Role
    from handan.club.store.writing import write

    club = make_club("egf")
    keys = []
    for name, rank in (("Ada", "2d"), ("Bo", "3k")):
        keys.append(write(club, partial(changes.players.register_player, fields={"name": name}), author="x")[0].subject)
        entry = partial(changes.players.adjust, key=keys[-1], fields={"rank": rank}, today=date(2026, 6, 1))
        write(club, entry, author="x")
    game = dict(zip(("black", "white"), keys, strict=True)) | {"result": "B+", "date": "2026-05-01", "event": "Friday"}
    write(club, partial(changes.games.record_game, fields=game, today=date(2026, 6, 1)), author="x")
    page = client_of(club, Role.KEEPER).get(f"/{club.slug}/events/2026-05-01/Friday/").content.decode()
    first, second = re.findall(r"<td class=\"left\">(\d+[dk])</td>", page)
    assert (first, second) == ("2d", "3k")


def test_visitors_see_no_hidden_name_in_an_event(keeper_of_cup: tuple[Club, Client]) -> None:
    from django.test import Client

    from handan.club.store.access import set_shown
    from handan.club.store.models import Club as Clubs
    from handan.club.store.states import state_of

    club, _ = keeper_of_cup
    Clubs.objects.filter(pk=club.pk).update(openness=2)
    state = state_of(club)
    [key] = state.events
    set_shown(club, state.keys["Moor Cy"], "")
    for path in (f"/{club.slug}/events/", f"/{club.slug}/events/{key}/", f"/api/clubs/{club.slug}/events/{key}"):
        answer = Client().get(path)
        assert answer.status_code == 200
        assert "Moor" not in answer.content.decode()
        assert "Ldn" not in answer.content.decode()


def test_an_exported_ledger_tells_of_its_events(keeper_of_cup: tuple[Club, Client], tmp_path: Any) -> None:
    from handan.club.store.states import ledger_file
    from handan.files import read

    club, _ = keeper_of_cup
    (tmp_path / "ledger.jsonl").write_bytes(b"".join(ledger_file(club)))
    [event] = read(tmp_path / "ledger.jsonl").events
    assert (event.name, event.city, len(event.participants), len(event.pairings)) == ("Lake Cup", "Umea", 5, 1)


def test_what_is_known_of_an_event_is_corrected_with_its_games(keeper_of_cup: tuple[Club, Client]) -> None:
    club, client = keeper_of_cup
    event = client.get(f"/api/clubs/{club.slug}/events").json()[0]["key"]
    edit, page = f"/{club.slug}/events/{event}/edit/", f"/{club.slug}/events/{event}/event.json"
    head = {"event": "Lake Cup 2026", "first": "2026-05-02", "last": "2026-05-03", "city": "Umea", "country": "SE",
            "kind": "tournament-a", "director": "Lindqvist Ada", "minutes": "90", "code": "T260502B"}  # fmt: skip
    before = client.get(page).json()
    preview = client.post(edit, {**head, "preview": "1"}).content.decode()
    assert "Lindqvist Ada" in preview  # whose rating another class would move
    assert client.get(page).json() == before
    assert client.post(edit, {**head, "reason": "the sheet was wrong"}).status_code == 302
    after = client.get(page).json()
    assert {name: after[name] for name in head} == {**head, "minutes": 90.0}
    assert (after["games"], after["participants"]) == (before["games"], before["participants"])
    games = client.get(f"/api/clubs/{club.slug}/games?event={event}").json()
    assert {(game["event"], game["kind"]) for game in games} == {("Lake Cup 2026", "tournament-a")}
    refused = client.post(edit, {**head, "first": "2026-05-03"})
    assert "a day not after 2026-05-02" in refused.content.decode()


@pytest.mark.parametrize("field", ["first", "last"])
def test_a_day_that_is_none_is_refused_at_its_field(keeper_of_cup: tuple[Club, Client], field: str) -> None:
    club, client = keeper_of_cup
    event = {"event": "League", "first": "2026-05-02", "last": "2026-05-03", field: "2026-02-30"}
    answer = client.post(f"/api/clubs/{club.slug}/events", event, content_type="application/json")
    assert (answer.status_code, answer.json()["field"]) == (409, field)
    key = client.get(f"/api/clubs/{club.slug}/events").json()[0]["key"]
    page = client.post(f"/{club.slug}/events/{key}/edit/", {**event, "kind": ""}).content.decode()
    place = page.partition(f'name="{field}"')[2].partition('<div class="field')[0]
    assert "2026-02-30" in place.partition('role="alert">')[2]


def test_byes_that_a_call_enters_are_answered_as_they_were_sent(keeper_of_cup: tuple[Club, Client]) -> None:
    from handan.club.store.states import state_of

    club, client = keeper_of_cup
    player, address = next(iter(state_of(club).people)), f"/api/clubs/{club.slug}/events"
    byes = [{"round": 1, "kind": "bye"}, {"round": 2, "kind": "half bye"}, {"round": 3, "kind": "absence"}]
    sent = {"event": "League", "first": "2026-06-02", "participants": [{"player": player, "byes": byes}]}
    assert client.post(address, sent, content_type="application/json").status_code == 200
    [key] = [row["key"] for row in client.get(address).json() if row["event"] == "League"]
    [there] = client.get(f"{address}/{key}").json()["participants"]
    assert (there["key"], there["byes"]) == (player, byes)
    change = {"participants": [{"player": player, "byes": there["byes"][:1]}]}
    assert client.patch(f"{address}/{key}", change, content_type="application/json").status_code == 200
    assert client.get(f"{address}/{key}").json()["participants"][0]["byes"] == byes[:1]


@pytest.mark.parametrize("last", ["2026-05-01", "2029-05-06"])
def test_an_event_ends_within_three_years_behind_its_first_day(keeper_of_cup: tuple[Club, Client], last: str) -> None:
    club, client = keeper_of_cup
    event = {"event": "League", "first": "2026-05-02", "last": last}
    answer = client.post(f"/api/clubs/{club.slug}/events", event, content_type="application/json")
    assert (answer.status_code, answer.json()["field"]) == (409, "last")
