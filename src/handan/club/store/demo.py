"""A populated federation of invented people, to try everything without set-up. Always the same, up to the day."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from handan.club import changes, lists
from handan.club.changes import with_drafts
from handan.club.entries import Draft
from handan.club.example_card import OWN_CARD
from handan.club.kinds import Kind
from handan.club.rules import checked, own_card, with_card
from handan.club.standings import Standings, standings
from handan.club.state import State
from handan.club.store.clock import now, today
from handan.club.store.members import new_account, set_member
from handan.club.store.models import Club, Role
from handan.club.store.writing import create_club, write
from handan.ledger import Bye, Event, Participant, Player, When
from handan.ranks import Rank

PASSWORD = "demonstration-only"  # noqa: S105  # printed, and refused outside this machine
ACCOUNTS = {
    "visitor": Role.VISITOR,
    "player": Role.PLAYER,
    "keeper": Role.KEEPER,
    "secretary": Role.SECRETARY,
    "officer": Role.OFFICER,
    "administrator": Role.ADMINISTRATOR,
}
PEOPLE = {
    "sakura": (
        ("山田 春子", "やまだ はるこ Yamada Haruko", "JP", 3), ("佐藤 健", "さとう けん Sato Ken", "JP", 1),
        ("鈴木 一郎", "すずき いちろう Suzuki Ichiro", "JP", -1),
        ("高橋 美咲", "たかはし みさき Takahashi Misaki", "JP", -2),
        ("伊藤 翔", "いとう しょう Ito Sho", "JP", -3), ("渡辺 恵", "わたなべ めぐみ Watanabe Megumi", "JP", -4),
        ("中村 大輔", "なかむら だいすけ Nakamura Daisuke", "JP", -6),
        ("小林 さくら", "こばやし さくら Kobayashi Sakura", "JP", -8),
    ),
    "tafelberg": (
        ("Thandi Mokoena", "", "ZA", 2), ("Pieter van Wyk", "", "ZA", -1), ("Lerato Dube", "", "ZA", -4),
        ("Johan Botha", "", "ZA", -7), ("Ayesha Parker", "", "ZA", -9), ("Sipho Ndlovu", "", "ZA", -12),
        ("Emma Fourie", "", "ZA", -16), ("Kagiso Molefe", "", "ZA", -21), ("Kagiso Molefe", "", "ZA", -25),
    ),
    "lindenhof": (
        ("Ada Lindqvist", "", "SE", 4), ("Jürgen Weiß", "", "DE", 2), ("Łucja Nowak", "", "PL", 1),
        ("Işıl Yıldız", "", "TR", -1), ("김하늘", "Kim Haneul", "KR", -3), ("王小明", "Wang Xiaoming", "CN", -5),
        ("Ioana Popescu", "", "RO", -8), ("Matteo Ricci", "", "IT", -11),
    ),
}  # fmt: skip
"""Name, reading, country and strength (3: 3 dan, -2: 3 kyu, counted as stones from 1 dan = 0) of each club's people."""
NIGHTS = 100  # club evenings, one a week
SATURDAY = 5
TOURNAMENT = Event("Autumn tournament", kind="tournament-a", rounds=5, minutes=45.0, komi=6.5, size=19, most_stones=0)
MONTHLY = "月例会"
"""What the first evening of a month is called in a Japanese club: the monthly meeting."""
PLACES = {"tafelberg": ("ZA", "Cape Town", "Lerato Dube"), "lindenhof": ("CH", "Zürich", "Łucja Nowak")}
"""Country, city and director of the tournament of each club that has one."""


def build() -> dict[str, Club]:
    """Make the clubs, their ledgers and an account for each role; the database must be empty."""
    dice = random.Random(1)  # noqa: S311  # a demonstration
    day = today()
    federation = create_club("federation", "Federation of the Three Clubs", checked("egf", {}))
    rules = {
        "sakura": checked("points", {"card": "tagajo12", "settle": "day"}, None, "loser"),
        "tafelberg": checked("sagc", {}),
        "lindenhof": checked("egf", {}),
    }
    names = {"sakura": "桜 Sakura Go Club", "tafelberg": "Tafelberg Go Club", "lindenhof": "Lindenhof Go Club"}
    clubs = {slug: create_club(slug, names[slug], rules[slug], federation=federation) for slug in rules}
    own = with_card(rules["sakura"], own_card(OWN_CARD), day - timedelta(days=120))
    meeting = "the club's meeting drew up a card of its own"
    write(clubs["sakura"], lambda s: changes.office.set_rules(s, own, meeting), author="demonstration")
    for slug, club in clubs.items():
        _fill(club, PEOPLE[slug], dice, day)
    _aftermath(clubs, federation, day)
    _accounts({"federation": federation, **clubs})
    return {"federation": federation, **clubs}


def _fill(club: Club, people: Sequence[tuple[str, str, str, int]], dice: random.Random, day: date) -> None:
    """Register the people with their ranks and play two years of club evenings."""

    def registered(_: State) -> Iterator[Draft]:
        for name, reading, country, _stones in people:
            facts = {"name": name, "reading": reading, "country": country, "club": "", "ids": []}
            yield Draft(Kind.PLAYER_REGISTERED, facts)

    keys = [entry.subject for entry in write(club, registered, author="demonstration")]
    strengths = {key: float(person[3]) for key, person in zip(keys, people, strict=True)}

    def entered(state: State) -> Iterator[Draft]:
        for key in keys:
            rank = Rank.at(31.0 + strengths[key])
            yield changes.players.adjust(state, key, {"rank": str(rank)}, day, "rank on entry")

    write(club, entered, author="demonstration")
    write(club, lambda state: list(_evenings(state, strengths, dice, day)), author="demonstration")
    if club.slug in PLACES:
        write(
            club,
            lambda state: list(_tournament(state, PLACES[club.slug], strengths, dice, day)),
            author="demonstration",
        )


def _evenings(state: State, strengths: dict[str, float], dice: random.Random, day: date) -> Iterator[Draft]:
    has_card = state.rules[0].system == "points"
    growth = {key: dice.uniform(0.0, 0.04) for key in strengths}
    for night in range(NIGHTS):
        date_played = day - timedelta(days=7 * (NIGHTS - night))
        present = dice.sample(sorted(strengths), k=2 * dice.randint(1, len(strengths) // 2))
        card = standings(state, date_played) if has_card else None
        event = MONTHLY if has_card and date_played.day <= 7 else ""
        evening = [_game(state, card, strengths, dice, date_played, pair, event) for pair in pairwise(present)]
        drafts = [changes.games.record_game(state, facts, day) for facts in evening]
        yield from drafts
        if has_card:
            state = with_drafts(state, drafts, now())  # so that the next evening is played at the terms of its points
        for key in present:
            strengths[key] += growth[key]


def _tournament(
    state: State, place: tuple[str, str, str], strengths: dict[str, float], dice: random.Random, day: date
) -> Iterator[Draft]:
    """Play a weekend of even games, everybody against others in turn; whoever is left over in a round has a bye."""
    weeks_ago = day - timedelta(weeks=9)
    saturday = weeks_ago + timedelta(days=SATURDAY - weeks_ago.weekday())
    ring = sorted(strengths)
    ring += [""] * (len(ring) % 2)
    byes: dict[str, int] = {}
    for number in range(1, TOURNAMENT.rounds + 1):
        half = len(ring) // 2
        for one, other in zip(ring[:half], reversed(ring[half:]), strict=True):
            if not (one and other):
                byes[one or other] = number
                continue
            date_played = saturday + timedelta(days=int(number > 3))
            facts = _game(state, None, strengths, dice, date_played, (one, other), TOURNAMENT.name, TOURNAMENT.kind)
            yield changes.games.record_game(state, {**facts, "round": number}, day)
        ring.insert(1, ring.pop())
    participants = [
        Participant(
            Player(key, country=state.person(key).country),
            rank=str(Rank.at(31.0 + round(strengths[key]))),
            byes=((byes[key], Bye.ALLOCATED),) if key in byes else (),
        )
        for key in sorted(strengths)
    ]
    country, city, director = place
    first, last = When.parse(str(saturday)), When.parse(str(saturday + timedelta(days=1)))
    event = replace(TOURNAMENT, first=first, last=last, country=country, city=city, director=director)
    yield changes.events.enter_event(state, replace(event, participants=tuple(participants)), day)


def _game(
    state: State, card: Standings | None, strengths: dict[str, float], dice: random.Random, day: date,
    pair: tuple[str, str], event: str = "", kind: str = "",
) -> dict[str, Any]:  # fmt: skip
    """Return the facts of a game: at the terms of the card where there is one, else at those of the strengths.

    `kind` is that of a tournament, whose games are even.
    """
    if card:
        terms = card.fair_terms(*pair)
        black, white = state.keys[terms.black], state.keys[terms.white]
        stones, komi = terms.handicap, terms.komi
    else:
        black, white = sorted(pair, key=lambda key: strengths[key])
        stones = 0 if kind else min(9, round(strengths[white] - strengths[black]))
        komi = 0.5 if stones else 6.5
    gap = strengths[white] - strengths[black]
    won = dice.random() < 1.0 / (1.0 + 10.0 ** ((gap - stones) / 4.0))
    half = 0.5 if komi is None or komi % 1 else 0.0
    tail = dice.choice(["R", "R", "R", f"{dice.randint(1, 30) + half:g}", "T"])
    kind = kind or dice.choice(["club"] * 8 + ["friendly", "free"])
    return {
        "black": black, "white": white, "date": str(day), "handicap": stones, "komi": komi,
        "result": f"{'B' if won else 'W'}+{tail}", "event": event, "kind": kind,
    }  # fmt: skip


def _aftermath(clubs: dict[str, Club], federation: Club, day: date) -> None:
    """Correct, withdraw, merge, change rules and publish, so that every page has something to show."""
    points, african, european = clubs["sakura"], clubs["tafelberg"], clubs["lindenhof"]
    author = "demonstration"

    def won_by(state: State, letter: str) -> list[str]:
        lines = state.games.filter(state.games["result"].str.starts_with(letter))["line"].sort()
        return [f"g{line}" for line in lines]

    misread = "the sheet was misread"
    correction = {"result": "W+R"}
    write(african, lambda s: changes.games.correct_game(s, won_by(s, "B")[20], correction, day, misread), author=author)
    write(african, lambda s: changes.games.withdraw_game(s, won_by(s, "W")[30], "entered twice"), author=author)
    twice = {"name": "Thandi Mokwena", "country": "ZA"}
    key = write(african, lambda s: changes.players.register_player(s, twice), author=author)[0].subject
    first = next(iter(PEOPLE["tafelberg"]))[0]
    write(african, lambda s: changes.players.merge_players(s, key, s.keys[first], "a slip of the pen"), author=author)
    for club in (points, african, european):
        sheet = write(club, lambda s: changes.sheets.enter_sheet(s, _last_evening(s)), author=author)[0].subject
    write(european, lambda s: changes.sheets.check_sheet(s, sheet), author="second reader")
    for club in (points, african, european, federation):
        as_of = day - timedelta(days=30)
        write(club, lambda s, as_of=as_of: lists.publish(s, day, as_of), author=author)  # type: ignore[misc]


def _last_evening(state: State) -> dict[int, str]:
    """Return the games of the last evening by their numbers on its record sheet."""
    games = state.games.filter(state.games["date"] == state.games["date"].max()).sort("line")
    return {number: f"g{line}" for number, line in enumerate(games["line"], 1)}


def _accounts(clubs: dict[str, Club]) -> None:
    """Make an account for each role, in every club."""
    for name, role in ACCOUNTS.items():
        user = new_account(name, PASSWORD)
        for club in clubs.values():
            if role is Role.VISITOR or (club.federation_id is None) != (role is Role.OFFICER):
                continue
            own = f"p{3}" if role is Role.PLAYER and club.federation_id else ""
            set_member(club, user, role, own, author="demonstration")
