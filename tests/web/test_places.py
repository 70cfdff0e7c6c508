"""The wall, the start page, two players beside each other: what they show follows from the games."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest

from handan.club import changes
from handan.club.rules import Rules
from tests.club.helpers import TODAY, Book
from tests.web.test_confirming import Table
from tests.web.test_record_sheet import entered

if TYPE_CHECKING:
    from django.test import Client

    from handan.club.store.models import Club

MakeClub = Callable[..., "Club"]
ATOM = "{http://www.w3.org/2005/Atom}"


def text(answer: Any) -> str:
    """Return a page's words."""
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def plates(client: Client, path: str) -> list[str]:
    """Return the words of each plate, in order."""
    html = client.get(path).content.decode()
    items = re.findall(r'<li class="plate">.*?</li>', html, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", plate).split()) for plate in items]


@pytest.fixture
def egf(make_club: MakeClub) -> tuple[Club, list[str]]:
    """A club under the rating system of the European federation: two players, a game 40 days ago and one today."""
    from handan.club import changes
    from handan.club.store.clock import today

    club, keys = make_club("egf"), []
    for name, rank in (("Ada", "1d"), ("Bo", "2d"), ("Cy", "")):
        keys.append(entered(club, changes.players.register_player, {"name": name}))
        if rank:
            entered(club, changes.players.adjust, keys[-1], {"rank": rank}, today() - timedelta(days=60), "entry")
    for days, result in ((40, "W+R"), (0, "B+R")):
        day: date = today() - timedelta(days=days)
        facts = {"black": keys[0], "white": keys[1], "result": result, "date": str(day), "komi": 6.5}
        entered(club, changes.games.record_game, facts, today())
    return club, keys


def test_the_wall_shows_the_strongest_first_with_the_way_of_the_month(egf: tuple[Club, list[str]]) -> None:
    from django.test import Client

    club, keys = egf
    client, home = Client(), f"/{club.slug}/"
    first, second = plates(client, home)
    card = client.get(f"{home}players/{keys[0]}/card.json").json()["games"]
    gained = card[-1]["change"]  # the game of today; that of 40 days ago is older than a month
    assert second.startswith("1d Ada")
    assert re.search(rf"▲ \+ {gained:.1f}$", second)
    assert first.startswith("2d Bo")
    assert "▼ −" in first
    earlier = plates(client, f"{home}?as_of={_day(39)}")
    assert "▼" in earlier[1]  # the wall of that evening: the loss of the day before


def _day(days_ago: int) -> str:
    from handan.club.store.clock import today

    return str(today() - timedelta(days=days_ago))


def test_plates_or_a_table_is_kept_and_a_long_wall_has_pages(make_club: MakeClub) -> None:
    from django.test import Client

    from handan.club import changes
    from handan.club.store.clock import today
    from handan.club.store.writing import write

    club = make_club("points")
    rows = [{"name": f"Player {number:03}"} for number in range(120)]
    entries = write(club, lambda state: [changes.players.register_player(state, row) for row in rows], author="x")
    for entry in entries:
        entered(club, changes.players.adjust, entry.subject, {"rank": "5k"}, today(), "entry")
    client, home = Client(), f"/{club.slug}/"
    assert len(plates(client, home)) == 100
    assert len(plates(client, f"{home}?page=2")) == 20
    client.post("/account/look/", {"wall": "table", "next": home})
    html = client.get(home).content.decode()
    assert html.count('<td class="first">') == 100
    assert 'class="plate"' not in html
    assert '<a href="?page=2">2</a>' in html


def test_what_if_says_what_saving_the_game_does(egf: tuple[Club, list[str]]) -> None:
    from django.test import Client

    from handan.club import changes
    from handan.club.store.clock import today

    club, (ada, bo, _) = egf
    client, home = Client(), f"/{club.slug}/"
    page = text(client.get(f"{home}pair/?one=Ada&other=Bo"))
    assert "2 games: 1 won, 1 lost" in page
    match = re.search(r"If Ada wins Ada: (\S+) (\S+) → (\S+) (\S+) \((\S+)\)", page)
    assert match is not None
    terms = client.get(f"{home}terms/?one=Ada&other=Bo").content.decode()
    fair = re.search(r'<p class="huge">(.*?)</p>', terms)
    assert fair is not None
    assert re.sub("<[^>]+>", "", fair[1]) in page
    stones = 2 if "2 stones" in fair[1] else 1 if "first" in fair[1] else 0
    komi = float(m[1]) if (m := re.search(r"gives ([\d.]+)", fair[1])) else 0.0
    facts = {"black": ada, "white": bo, "result": "B+", "date": str(today()), "handicap": stones, "komi": komi,
             "kind": "club"}  # fmt: skip
    game = entered(club, changes.games.record_game, facts, today())
    assert f"({match[5]})" in text(client.get(f"{home}games/{game}/"))


def test_a_game_that_waits_is_confirmed_from_the_start_page_by_one_touch(make_club: MakeClub) -> None:
    table = Table(make_club)
    game = table.entered(table.ada, result="W+R").rstrip("/").rpartition("/")[2]
    client, home = table.bo, f"/{table.club.slug}/"
    page = client.get(f"{home}start/").content.decode()
    form = re.search(rf'action="({home}games/{game}/confirm/)".*?name="seen" value="(\d+)"', page, re.DOTALL)
    assert form is not None
    answer = client.post(form[1], {"seen": form[2]}, follow=True)
    assert "The game is confirmed" in text(answer)
    other = table.entered(table.ada, date="2026-05-02").rstrip("/").rpartition("/")[2]
    page = client.get(f"{home}games/{other}/confirm/").content.decode()
    assert '<button class="second" formnovalidate name="reason" value="The other one won">' in page
    seen = re.search(r'dispute/".*?name="seen" value="(\d+)"', page, re.DOTALL)
    assert seen is not None
    sent = {"seen": seen[1], "reason": ["", "The other one won"]}  # the empty field, then the button that was touched
    client.post(f"{home}games/{other}/dispute/", sent)
    assert "The other one won" in text(client.get(f"{home}games/{other}/"))


def test_everybody_stands_among_the_players_also_without_a_game(egf: tuple[Club, list[str]]) -> None:
    from django.test import Client

    club, _ = egf
    page = text(Client().get(f"/{club.slug}/players/"))
    assert all(name in page for name in ("Ada", "Bo", "Cy"))
    assert "Cy" not in text(Client().get(f"/{club.slug}/players/?q=Ada"))


@pytest.mark.parametrize("order", ["", "name", "rating", "games", "last_played", "nonsense"])
def test_the_players_stand_in_the_order_that_is_wished(egf: tuple[Club, list[str]], order: str) -> None:
    from django.test import Client

    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of

    club, _ = egf
    state = state_of(club)
    rows = standings_of(state).by_key
    page = Client().get(f"/{club.slug}/players/?sort={order}").content.decode()
    shown = re.findall(r'<td class="first"><a href="[^"]*/players/([^/"]+)/"', page)
    assert sorted(shown) == sorted(state.active)
    if order in {"", "name", "nonsense"}:
        assert [state.labels[key] for key in shown] == ["Ada", "Bo", "Cy"]
        return
    figures = [rows.get(key, {}).get(order) for key in shown]
    placed = [figure for figure in figures if figure is not None]
    assert placed == sorted(placed, reverse=True)
    assert figures == placed + [None] * (len(figures) - len(placed))  # who has none stands at the end
    assert f'<option value="{order}" selected>' in page


def test_the_way_to_the_next_rank_suffices_and_a_tenth_less_does_not(egf: tuple[Club, list[str]]) -> None:
    from handan.club.service.next_rank import next_rank
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of

    club, (ada, *_) = egf
    standings = standings_of(state_of(club))
    higher, rating = next_rank(standings, ada), standings.by_key[ada]["rating"]
    assert higher is not None
    law = standings.ratings.system
    assert str(higher.rank) == "2d"
    assert law.rank(rating + higher.missing) == higher.rank
    assert str(law.rank(rating + higher.missing - 0.11)) == "1d"


def test_nobody_has_a_rank_above_9_dan() -> None:
    from handan.club.service.next_rank import next_rank
    from handan.club.standings import standings

    book = Book()
    book.add(changes.office.set_rules(book.state, Rules("sagc", {})))
    one, other = book.player("Ada", "9d"), book.player("Bo", "8d")
    book.game(one, other)
    made = standings(book.state, TODAY)
    assert next_rank(made, one) is None
    higher = next_rank(made, other)
    assert higher is not None
    assert str(higher.rank) == "9d"


def test_prizes_of_a_month_are_those_of_the_monthly_sheet(egf: tuple[Club, list[str]]) -> None:
    from django.test import Client

    from handan.club.service import printing
    from handan.club.store.clock import today
    from handan.club.store.standings import standings_of
    from handan.club.store.states import state_of
    from handan.web.pages.figures import prizes

    club, _ = egf
    standings = standings_of(state_of(club))
    month = printing.month(standings, printing.members(standings, lambda _: ""), today())
    page = Client().get(f"/{club.slug}/figures/").content.decode()
    sections = re.findall(r"<section>\s*<h3>.*?</section>", page, re.DOTALL)
    for section, lines in zip(sections, prizes(month).values(), strict=True):
        assert re.findall(r"<strong[^>]*>(.*?)</strong>", section) == [line["value"] for line in lines]
    assert "2" in text(Client().get(f"/{club.slug}/figures/?from={_day(50)}&to={_day(0)}"))
    assert Client().get(f"/{club.slug}/figures/?from=nonsense").status_code == 400


def test_statistics_open_on_the_last_days_with_games_and_say_so(make_club: MakeClub) -> None:
    from django.test import Client

    from handan.club.store.clock import today

    club, names = make_club("egf"), ("Ada", "Bo")
    keys = [entered(club, changes.players.register_player, {"name": name}) for name in names]
    for day in ("2024-03-30", "2024-04-02", "2024-04-20"):
        facts = {"black": keys[0], "white": keys[1], "result": "B+R", "date": day, "komi": 6.5}
        entered(club, changes.games.record_game, facts, today())
    page, month, year = Client(), today().replace(day=1), today().replace(month=1, day=1)
    shown = text(page.get(f"/{club.slug}/figures/"))
    assert f"No games yet from {month} on; these are the last ones. 2024-04-01 – 2024-04-20" in shown
    assert "Most games Ada 2 Bo 2" in shown
    german = text(page.get(f"/{club.slug}/figures/", headers={"Accept-Language": "de"}))
    assert f"Ab {month:%d.%m.%Y} gibt es noch keine Partien" in german
    league = text(page.get(f"/{club.slug}/league/"))
    assert f"No games yet from {year} on" in league
    assert "1 Ada 19k 3 3 0 – win win win" in league
    assert 'name="month" value="2024-04"' in page.get(f"/{club.slug}/print/").content.decode()
    for wish in (f"from={month}", f"to={today()}"):  # who asks for days gets these
        wished = text(page.get(f"/{club.slug}/figures/?{wish}"))
        assert ("No games yet" in wished, "Most games Nobody." in wished) == (False, True), wish
    past = text(page.get(f"/{club.slug}/figures/?as_of=2024-04-10"))
    assert ("2024-04-01 – 2024-04-10" in past, "No games yet" in past) == (True, False)
    earlier = text(page.get(f"/{club.slug}/figures/?as_of=2024-04-01"))
    assert "No games yet from 2024-04-01 on; these are the last ones. 2024-03-01 – 2024-03-30" in earlier


def test_the_feed_has_the_games_and_hides_whom_the_club_hides(egf: tuple[Club, list[str]]) -> None:
    from django.test import Client

    from handan.club.store.access import set_shown
    from handan.club.store.models import Club, Openness

    club, (ada, *_) = egf
    address = f"/{club.slug}/news.atom"
    root = ET.fromstring(Client().get(address).content)
    titles = [entry.findtext(f"{ATOM}title") for entry in root.iter(f"{ATOM}entry")]
    assert "Ada – Bo: Black by resignation" in titles
    assert len({entry.findtext(f"{ATOM}id") for entry in root.iter(f"{ATOM}entry")}) == len(titles)
    set_shown(club, ada, "")
    assert "Ada" not in Client().get(address).content.decode()
    Club.objects.filter(pk=club.pk).update(openness=Openness.LADDER)
    assert Client().get(address).status_code == 302  # to the page where members sign in


def test_the_feed_says_when_a_game_was_corrected(make_club: MakeClub) -> None:
    from django.test import Client

    from handan.club import changes
    from handan.club.store.clock import today

    club = make_club("egf")
    ada, bo = (entered(club, changes.players.register_player, {"name": name}) for name in ("Ada", "Bo"))
    game = entered(
        club, changes.games.record_game, {"black": ada, "white": bo, "result": "B+R", "date": _day(0)}, today()
    )
    entered(club, changes.games.correct_game, game, {"result": "W+R"}, today(), "misread")
    entry = next(ET.fromstring(Client().get(f"/{club.slug}/news.atom").content).iter(f"{ATOM}entry"))
    moments = [datetime.fromisoformat(entry.findtext(f"{ATOM}{name}") or "") for name in ("published", "updated")]
    assert moments == [each.entered for each in club.entries.order_by("number")][-2:]


def test_the_feed_of_a_club_without_games_says_when_its_ledger_was_written(make_club: MakeClub) -> None:
    from django.test import Client

    club = make_club("egf")
    address = f"/{club.slug}/news.atom"
    last = club.entries.latest("number").entered
    assert {datetime.fromisoformat(_updated(Client(), address)) for _ in range(2)} == {last}


def test_no_news_is_of_a_moment_to_come(make_club: MakeClub) -> None:
    from django.test import Client

    from handan.club import changes
    from handan.club.store.clock import today

    club = make_club("egf")
    ada, bo = (entered(club, changes.players.register_player, {"name": name}) for name in ("Ada", "Bo"))
    for key in (ada, bo):
        entered(club, changes.players.adjust, key, {"rank": "5k", "date": _day(60)}, today(), "entry")
    for ago in (60, *[0] * 8):
        facts = {"black": ada, "white": bo, "result": "B+R", "date": _day(ago)}
        entered(club, changes.games.record_game, facts, today())
    root = ET.fromstring(Client().get(f"/{club.slug}/news.atom").content)
    entries = {entry.findtext(f"{ATOM}title"): entry.findtext(f"{ATOM}updated") for entry in root.iter(f"{ATOM}entry")}
    assert any(title and title.startswith("Ada: promoted to") for title in entries)
    assert all(moment and datetime.fromisoformat(moment) <= datetime.now(UTC) for moment in entries.values())


def test_the_feed_says_what_every_feed_has_to_say(egf: tuple[Club, list[str]]) -> None:
    """RFC 4287, sections 4.1.1, 4.1.2 and 4.2.6: an author; one id, title and moment each; an id is a whole address."""
    from django.test import Client

    root = ET.fromstring(Client().get(f"/{egf[0].slug}/news.atom").content)
    assert root.findtext(f"{ATOM}author/{ATOM}name") == egf[0].name
    entries = [*root.iter(f"{ATOM}entry")]
    assert entries
    for part in (root, *entries):
        assert [len(part.findall(f"{ATOM}{name}")) for name in ("id", "title", "updated")] == [1, 1, 1]
    ids = [entry.findtext(f"{ATOM}id") or "" for entry in entries]
    assert all(re.fullmatch(r"tag:testserver,\d{4}-\d\d-\d\d:/\S+", name) for name in ids)
    assert len({*ids}) == len(ids)


def _updated(client: Any, address: str) -> str:
    return ET.fromstring(client.get(address).content).findtext(f"{ATOM}updated") or ""


def test_the_chart_leads_to_the_sum_of_each_step_and_its_sentence_follows_from_the_table(
    egf: tuple[Club, list[str]],
) -> None:
    from django.test import Client

    club, (ada, bo, _) = egf
    page = Client().get(f"/{club.slug}/players/{ada}/").content.decode()
    links = re.findall(r'<a href="#(g\d+)" tabindex="-1"', page)
    rows = re.findall(r'<tr class="why" id="(g\d+)">', page)
    assert links[: len(links) // 2] == list(
        reversed(rows)
    )  # two drawings, oldest first; the table has the newest first
    after = re.findall(r'data-label="After">([\d.]+)<', page)
    before = re.findall(r'data-label="Before">([\d.]+)<', page)
    sentence = re.search(r"<figcaption>\s*(.*?)</figcaption>", page, re.DOTALL)
    assert sentence is not None
    assert sentence[1].startswith(f"From 1d {before[-1]} to 1d {after[0]} in 2 rated games")
    beside = Client().get(f"/{club.slug}/players/{ada}/?with={bo}").content.decode()
    assert 'class="line second"' in beside
    assert ">2026<" in page or 'class="across"' in page
    svg = Client().get(f"/{club.slug}/players/{ada}/history.svg")
    assert svg["Content-Type"] == "image/svg+xml"
    assert "--ink" in svg.content.decode()


def test_the_list_of_all_players_as_of_a_day_stays_so_when_it_is_sorted(club: Club) -> None:
    from django.test import Client

    page = Client().get(f"/{club.slug}/players/?as_of=2026-05-01&q=a").content.decode()
    form = page.partition('<form class="filters"')[2].partition("</form>")[0]
    assert '<input type="hidden" name="as_of" value="2026-05-01">' in form
    assert 'name="known"' not in form
