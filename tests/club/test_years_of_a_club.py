"""Whatever a club enters, in any order and over years, its rows, lists, previews, exports and pages agree."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING, Any

import pytest

import handan
from handan.club import blocks
from handan.club.kinds import Kind
from handan.club.movement import moved_between
from handan.club.record_sheet import Sheet
from handan.club.rules import checked
from handan.club.standings import Standings, standings
from handan.club.state import WITHDRAWN, State
from handan.errors import HandanError
from handan.ledger import Event, Participant, Player, When
from handan.ratings.notes import NOT_RATED
from tests.club.test_rating_lists import answered, refuse_another_list
from tests.forms import fewer_on_postgresql

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from handan.club.service.operation import Change
    from handan.club.store.models import Club

pytestmark = pytest.mark.database

SYSTEMS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("points", {}), ("points", {"card": "tokyo15"}), ("points", {"settle": "day"}), ("sagc", {}), ("egf", {}),
    ("glicko2", {}), ("aga", {}), ("elo", {}), ("whr", {}), ("handan", {}), ("holigor", {}),
)  # fmt: skip
RANKS = ("7d", "1d", "1k", "4k", "15k")
FIRST = datetime(2023, 1, 5, 18, tzinfo=UTC)
PAGES = (
    "", "players/", "games/", "events/", "log/", "log.csv", "lists/", "figures/", "league/", "news.atom", "ladder.csv",
    "games.csv", "sheets/", "who-is-who/", "rules/", "print/", "compared/", "?as_of={day}", "?known={day}",
    "players/{player}/", "players/{player}/card.json", "players/{player}/own/", "games/{game}/",
    "games/{game}/correct/",
)  # fmt: skip


class Years:
    """A club with its clock, and the words that tell who its players are."""

    def __init__(self, club: Club, seed: int, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        from django.utils import timezone

        from handan.club.store.access import Actor
        from handan.club.store.members import new_account, set_member
        from handan.club.store.models import Role

        self.club, self.dice, self.folder, self.moment = club, random.Random(seed), folder, FIRST
        monkeypatch.setattr(timezone, "now", lambda: self.moment)
        self.user = new_account(f"years-{seed}", "a long enough phrase")
        set_member(club, self.user, Role.ADMINISTRATOR, author="x")
        self.by = Actor(club, Role.ADMINISTRATOR, self.user)
        self.numbers = count(1)
        self.words: dict[str, set[str]] = {}
        self.hidden, self.forgotten = set[str](), set[str]()

    @property
    def state(self) -> State:
        from handan.club.store.states import state_of

        return state_of(self.club)

    @property
    def today(self) -> date:
        return self.moment.date()

    def pick(self, items: Iterable[Any]) -> Any:
        """Return one of some things; InputError where there is none."""
        there = [*items]
        if not there:
            raise handan.InputError("there is nothing of the kind")
        return self.dice.choice(there)

    def day(self) -> str | None:
        """Return today, a day of late or of years ago, a month, or None."""
        past = self.today - timedelta(days=self.pick([0, 0, 0, 9, 40, self.dice.randrange(2000)]))
        return self.pick([str(past)] * 18 + [str(past - timedelta(days=31))[:7], None])  # type: ignore[no-any-return]

    def name(self) -> str:
        """Return a name with a word that stands nowhere else."""
        return f"Qx{''.join('aeioubdfgk'[int(digit)] for digit in f'{next(self.numbers):03}')}zq Ann"

    def note_names(self, numbers: Iterable[int]) -> None:
        """Note down the words by which players are known who came by some entries, or changed."""
        from handan.club.store.models import Entry, records_of

        kinds = Kind.PLAYER_REGISTERED, Kind.PLAYER_CHANGED
        for record in records_of(Entry.objects.filter(club=self.club, number__in=[*numbers], kind__in=kinds)):
            texts = (record.facts["name"].split()[0], record.facts["reading"])
            self.words.setdefault(record.subject, set()).update(filter(None, texts))

    def step(self) -> None:
        """Let time pass, and somebody do something that may be refused."""
        names, weights = zip(*OPERATIONS, strict=True)
        self.moment += timedelta(minutes=self.pick([3, 60, 1200]), days=self.pick([0] * 8 + [1, 40, 150]))
        with suppress(HandanError):
            self.dice.choices(names, weights)[0](self, self.state)

    def write(self, change: Change) -> None:
        """Carry out a change, which does what its preview says."""
        from handan.club.service.operation import bring_list_up_to_date, figures_now
        from handan.club.store.stored_standings import live_standings

        bring_list_up_to_date(self.club)
        before, shown, moved = figures_now(self.club), change.preview(), None
        with suppress(HandanError):  # the rules find no list
            moved = [*shown.moved]
        numbers = change.carry_out()
        self.note_names(numbers.entries)
        after = figures_now(self.club)
        if not numbers.entries or moved is None or before is None or after is None or not self.in_turn:
            return
        assert moved == numbers.moved == [*moved_between(before, after)]
        made = live_standings(self.club, self.state)
        games = (each.subject for each in shown.records if each.kind in {Kind.GAME_RECORDED, Kind.GAME_CORRECTED})
        for game in games:
            one, other = (answered(each.game, game) for each in (shown.standings, made))
            assert one == other or NOT_RATED in str(other)  # nothing moves then

    @property
    def in_turn(self) -> bool:
        from handan.club.store.rating_lists import rated_in_turn

        return rated_in_turn(self.state)

    def refuse_disagreement(self, *, whole: bool) -> None:
        """Compare rows with entries, and if `whole` all that is shown of them."""
        from handan.club.store.copying import check_club
        from handan.club.store.facts import folded
        from handan.club.store.rating_lists import list_of

        meant = None
        with suppress(HandanError):
            meant = standings(folded(self.club), self.today)
        with suppress(HandanError):
            list_of(self.club)
            assert meant is not None
        self.club.refresh_from_db()
        check_club(self.club)
        if whole and meant is not None:
            if self.in_turn:
                refuse_another_list(self.club, meant)
            self.refuse_another_export(meant)

    def refuse_another_export(self, meant: Standings) -> None:
        """Compare the ladders of now and of a past day with the exported ledger, as the library rates it."""
        from handan.club.store.states import ledger_file, phases_of
        from handan.club.store.stored_standings import list_on

        file = self.folder / f"{self.state.number}.jsonl"
        file.write_bytes(b"".join(ledger_file(self.club)))
        ledger, past = handan.read(file), self.today - timedelta(days=90)
        made = {None: meant, past: standings(self.state, self.today, past)}
        for day, listed in made.items():
            if len(phases_of(self.state, day)) == 1:
                rated = handan.rate(ledger if day is None else ledger.as_of(day), listed.system).table().to_dicts()
                names = ("player", "rank", "games")
                assert [[row[name] for name in names] for row in rated] == [
                    [row[name] for name in names] for row in listed.rows
                ]
                near = pytest.approx([row["rating"] or 0.0 for row in listed.rows], rel=1e-9)
                assert [row["rating"] or 0.0 for row in rated] == near
        one, other = list_on(self.club, self.state, past).figures, made[past].figures
        assert (one.keys, one.rating.tolist()) == (other.keys, pytest.approx(other.rating.tolist(), rel=1e-9))

    def refuse_names_on_pages(self) -> None:
        """Refuse pages that fail, and that tell of somebody who is hidden from visitors, or forgotten."""
        from django.test import Client

        state, member = self.state, Client()
        member.force_login(self.user)
        gone = {state.final(key) for key in self.hidden}
        seen = {word for key, own in self.words.items() if state.final(key) not in gone for word in own}
        secret = {word for own in self.words.values() for word in own} - seen
        values = {"day": self.today - timedelta(days=90), "player": self.pick(state.people),
                  "game": f"g{self.pick(state.games['line'])}"}  # fmt: skip
        for path in (f"/{self.club.slug}/{page}".format(**values) for page in PAGES):
            for client, kept in ((member, self.forgotten), (Client(), self.forgotten | secret)):
                answer = client.get(path)
                assert answer.status_code < 500, path
                text = answer.getvalue().decode()
                assert [word for word in kept if word in text] == [], path


def person(club: Years) -> dict[str, Any]:
    reading = club.pick(["", club.name().split()[0]])
    return {"name": club.name(), "reading": reading, "country": club.pick(["", "SE"]), "club": club.pick(["", "Ume"])}


def register(club: Years, _: State) -> None:
    from handan.club.service import players

    points = {"rank": club.pick(RANKS), "rating": "201", "date": club.day() or ""}
    entry = club.pick([{}, {"rank": club.pick(RANKS)}, {"rating": "147"}, points])
    club.write(players.register_player(club.by, person(club), entry))


def terms(club: Years, state: State) -> dict[str, Any]:
    return {
        "black": club.pick(state.people), "white": club.pick(state.people), "date": club.day(),
        "result": club.pick(["B+R", "W+3.5", "B+", "W+", "jigo", "W+F", "void", "both lose"]),
        "handicap": club.pick([0, 0, 3, 9]), "komi": club.pick([0.5, 6.5, 7.0, None]),
        "kind": club.pick([*state.rules_on(club.today).kinds, ""]), "event": club.pick(["", "", "Cup", "Open"]),
        "round": club.pick([None, 1]), "size": club.pick([19, 19, 13]),
    }  # fmt: skip


def enter_games(club: Years, state: State) -> None:
    from handan.club.service import games

    for _ in range(club.pick([1, 1, 1, 5])):
        with suppress(HandanError):
            club.write(games.enter_game(club.by, terms(club, state), another=True, as_played=True))


def enter_lines(club: Years, state: State) -> None:
    from handan.club.service import sheets

    newcomer = club.name()
    names = [*state.labels.values(), newcomer]
    lines = [
        {"black": club.pick(names), "white": club.pick(names), "result": club.pick(["B+", "W+"])} for _ in range(4)
    ]
    all_lines = frozenset(range(1, 5))
    sheet = Sheet(tuple(lines), str(club.today), newcomers={newcomer.casefold(): "4k"}, others=all_lines,
                  as_played=all_lines, key=club.pick(["", *state.sheets]))  # fmt: skip
    ready = [line.number for line in sheets.look_at(club.club, state, sheet) if line.status == "ready"]
    club.write(sheets.enter_lines(club.by, sheet, ready))


def enter_event(club: Years, state: State) -> None:
    from handan.club.service import events

    there = club.dice.sample([*state.active], min(3, len(state.active)))
    people = tuple(Participant(Player(key, club="Ume"), club.pick(["", *RANKS])) for key in there)
    first = When.of(club.today - timedelta(days=club.pick([0, 30])))
    club.write(events.enter_event(club.by, Event(club.pick(["Cup", "Open"]), first, participants=people)))


def change_event(club: Years, state: State) -> None:
    from handan.club.service import events

    key = club.pick(state.events)
    club.write(
        club.pick([
            events.move_event(club.by, key, str(club.today), another=True),
            events.withdraw_event(club.by, key),
            events.change_event(club.by, key, {"name": f"Cup {next(club.numbers)}", "kind": "tournament"}),
        ])
    )  # fmt: skip


def correct(club: Years, state: State) -> None:
    from handan.club.service import games

    facts = terms(club, state)
    some = {name: facts[name] for name in club.dice.sample([*facts], 3)}
    key = f"g{club.pick(state.games['line'])}"
    club.write(games.correct_game(club.by, key, some, another=True, as_played=True))


def withdraw_or_restore(club: Years, state: State) -> None:
    from handan.club.service import games

    game = club.pick(state.games.iter_rows(named=True))
    withdrawn, key = game["status"] == WITHDRAWN, f"g{game['line']}"
    club.write(games.restore_game(club.by, key, another=True) if withdrawn else games.withdraw_game(club.by, key))


def undo(club: Years, state: State) -> None:
    from handan.club.service import undoing
    from handan.club.store.models import Entry

    entries = Entry.objects.filter(club=club.club)
    entry = club.pick(entries.filter(number__gt=state.number - 20))
    numbers = [each.number for each in entries.filter(entered=entry.entered)]
    club.write(undoing.undo(club.by, min(numbers), max(numbers)))


def merge_or_split(club: Years, state: State) -> None:
    from handan.club.service import players

    if club.pick([True, False]):
        club.write(players.merge_players(club.by, club.pick(state.people), club.pick(state.people)))
    else:
        club.write(players.split_players(club.by, club.pick(state.merged)))


def change_player(club: Years, state: State) -> None:
    from handan.club.service import players

    fields = club.pick([person(club), {"ids": [f"egd:{77_000_000 + next(club.numbers)}"]}])
    club.write(players.change_player(club.by, club.pick(state.people), fields))


def withdraw_player(club: Years, state: State) -> None:
    from handan.club.service import players

    gone = sorted(state.withdrawn)
    change = players.restore_player if gone and club.pick([True, False]) else players.withdraw_player
    club.write(change(club.by, club.pick(gone if change is players.restore_player else state.active)))


def hide(club: Years, state: State) -> None:
    from handan.club.service import people

    key, shown = state.final(club.pick(state.people)), club.pick([None, "", f"Alias {next(club.numbers)}"])
    people.show_to_visitors(club.by, key, shown)
    club.hidden = {each for each in club.hidden if state.final(each) != key} | ({key} if shown is not None else set())


def forget(club: Years, state: State) -> None:
    from handan.club.service import people

    key = state.final(club.pick(state.people))
    people.forget_player(club.by, key)
    for own in state.names_of(key):
        club.forgotten |= club.words.pop(own, set())
    club.club.refresh_from_db()


def adjust(club: Years, state: State) -> None:
    from handan.club.service import players

    if state.adjustments and club.pick([True, False, False]):
        club.write(players.withdraw_adjustment(club.by, club.pick(state.adjustments)))
        return
    rank = club.pick(RANKS)
    fields = club.pick(
        [{"rank": rank}, {"rank": rank, "at_least": True}, {"rating": 150.0}, {"rank": rank, "rating": 300.0}]
    )
    club.write(players.adjust_player(club.by, club.pick(state.people), {**fields, "date": club.day()}))


def set_rules(club: Years, _: State) -> None:
    from handan.club.service import office

    system, settings = club.pick(SYSTEMS)
    since = club.pick([None, club.today, club.today + timedelta(days=20), club.today - timedelta(days=200)])
    club.write(office.set_rules(club.by, checked(system, settings, since)))


def publish(club: Years, _: State) -> None:
    from handan.club.service import office

    club.write(office.publish_list(club.by, club.pick([None, club.today - timedelta(days=100)])))


OPERATIONS: tuple[tuple[Callable[[Years, State], None], int], ...] = (
    (register, 8), (enter_games, 20), (enter_lines, 5), (enter_event, 3), (change_event, 4), (correct, 12),
    (withdraw_or_restore, 8), (undo, 6), (merge_or_split, 6), (change_player, 5), (withdraw_player, 4), (hide, 3),
    (forget, 2), (adjust, 9), (set_rules, 4), (publish, 2),
)  # fmt: skip
"""What may happen, and how often it does beside the others."""


@pytest.mark.extended
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("seed", fewer_on_postgresql([4, 8]))
def test_over_years_rows_lists_previews_exports_and_pages_agree(
    seed: int, make_club: Callable[..., Club], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from django.utils import timezone

    from handan.club.store import rating_lists
    from handan.club.store.backup import backup, restore

    for module in (blocks, rating_lists):
        monkeypatch.setattr(module, "LEAST", 4)
    monkeypatch.setattr(blocks, "SIZE", 12)
    monkeypatch.setattr(timezone, "now", lambda: FIRST)
    system, settings = SYSTEMS[seed]
    club = Years(make_club(system, **settings), seed, monkeypatch, tmp_path)
    for _ in range(4):
        register(club, club.state)
    enter_games(club, club.state)
    for number in range(1, 16):
        club.step()
        club.refuse_disagreement(whole=number % 8 == 0)
    club.refuse_names_on_pages()
    backup(tmp_path / "kept.db")
    assert restore(tmp_path / "kept.db", tmp_path / "again.db") == club.state.number
