"""Who placed where in an event: as its files declare it, else by points and by those of the opponents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from handan.ledger.events import POINTS, Bye, Event, Participant
from handan.ledger.facts import Game, Player
from handan.ledger.results import Outcome, Result

SYMBOLS = {
    Outcome.BLACK: "+-", Outcome.WHITE: "-+", Outcome.JIGO: "==", Outcome.BOTH_LOSE: "--", Outcome.BOTH_WIN: "++",
    Outcome.VOID: "==", Outcome.UNPLAYED: "??",
}  # fmt: skip
"""Symbols of Black and White; a void game is a jigo by default."""
BOTH = (Outcome.BOTH_LOSE, Outcome.BOTH_WIN, Outcome.VOID)


def result_of(game: Game) -> Result:
    """Return the result, which the game's constructor has read."""
    assert isinstance(game.result, Result)  # noqa: S101  # told to the type checker
    return game.result


def is_default(game: Game) -> bool:
    """Return whether a game was decided without play; a game without a winner says so in its notes."""
    result = result_of(game)
    return result.by_default or (game.notes == "default" and result.outcome in BOTH)


def stands_in_tables(game: Game) -> bool:
    """Return whether a game stands in the table of its event: all do but void ones that are not by default."""
    return result_of(game).outcome is not Outcome.VOID or is_default(game)


def first_declared_ranks(games: Sequence[Game]) -> dict[str, str]:
    """Return the first rank that each player declared, without its mark; empty where they never did."""
    ranks: dict[str, str] = {}
    for game in games:
        for name, rank in ((game.black, game.black_rank), (game.white, game.white_rank)):
            ranks[name] = ranks.get(name) or rank.rstrip("?*")
    return ranks


def rounds_of(games: Sequence[Game]) -> tuple[dict[int, int], int]:
    """Return the round of each game, its own, else the first in which both players are free; and how many moved."""
    busy: dict[str, set[int]] = {}
    rounds: dict[int, int] = {}
    moved = 0
    for index, game in enumerate(games):
        place = game.round or 1
        taken = busy.setdefault(game.black, set()) | busy.setdefault(game.white, set())
        while place in taken:
            place += 1
        moved += game.round is not None and place != game.round
        rounds[index] = place
        busy[game.black].add(place)
        busy[game.white].add(place)
    return rounds, moved


def without_clashes(event: Event, games: Sequence[Game], rounds: Mapping[int, int]) -> tuple[Event, int]:
    """Return an event without pairings and byes in rounds in which a player has a game, and how many these were."""
    busy = {(name, rounds[place]) for place, game in enumerate(games) for name in (game.black, game.white)}
    participants = tuple(
        replace(each, byes=tuple(bye for bye in each.byes if (each.player.name, bye[0]) not in busy))
        for each in event.participants
    )
    pairings = []
    for pairing in event.pairings:
        sides = {(pairing.black, pairing.round), (pairing.white, pairing.round)}
        if pairing.round and len(sides) == 2 and not sides & busy:
            busy |= sides
            pairings.append(pairing)
    gone = len(event.pairings) - len(pairings)
    gone += sum(len(each.byes) for each in event.participants) - sum(len(each.byes) for each in participants)
    return replace(event, participants=participants, pairings=tuple(pairings)), gone


def participants_of(players: Iterable[Player], event: Event, games: Sequence[Game]) -> list[Participant]:
    """Return all who take part: those of the event in its order, then those who stand in games alone.

    A rank that was declared in a game counts before that of the list; who is only registered takes no part without a
    game, a pairing or a bye.
    """
    paired = {name for each in event.pairings for name in (each.black, each.white)}
    ranks = first_declared_ranks(games)
    present = {player.name: player for player in players if player.name in ranks}
    listed = {
        each.player.name: each
        for each in event.participants
        if not each.preliminary
        or each.player.name in ranks
        or each.player.name in paired
        or Bye.ALLOCATED in dict(each.byes).values()
    }
    own = [replace(each, rank=ranks.get(name) or each.rank.rstrip("?*")) for name, each in listed.items()]
    own = [replace(each, player=present.get(each.player.name, each.player)) for each in own]
    return own + [Participant(player, ranks[name]) for name, player in present.items() if name not in listed]


def standings(participants: Iterable[Participant], games: Sequence[Game]) -> dict[str, tuple[float, float, float]]:
    """Return points of each participant, with those of byes, the sum of the opponents' points, and of their sums."""
    points = {each.player.name: sum(bye.points for _, bye in each.byes) for each in participants}
    met: dict[str, list[str]] = {name: [] for name in points}
    for game in games:
        for side, own in enumerate((game.black, game.white)):
            points[own] += POINTS[SYMBOLS[result_of(game).outcome][side]]
            met[own].append((game.white, game.black)[side])
    opponents = {name: sum(points[other] for other in others) for name, others in met.items()}
    theirs = {name: sum(opponents[other] for other in others) for name, others in met.items()}
    return {name: (points[name], opponents[name], theirs[name]) for name in points}


def in_order(
    participants: Sequence[Participant], standing: Mapping[str, tuple[float, float, float]], *, by_places: bool
) -> list[Participant]:
    """Return participants in the order of their places; who has none follows by points and tie-breaks, then by name."""

    def key(each: Participant) -> tuple[int, tuple[float | str, ...]]:
        if by_places and each.place:
            return each.place, ()
        return len(participants) + 1, (*(-value for value in standing[each.player.name]), *each.surname_and_given_name)

    return sorted(participants, key=key)


def placed(players: Iterable[Player], event: Event, games: Iterable[Game]) -> list[Participant]:
    """Return who took part in an event with some games, in the order of their places."""
    own = list(filter(stands_in_tables, games))
    event, _ = without_clashes(event, own, rounds_of(own)[0])
    participants = participants_of(players, event, own)
    return in_order(participants, standings(participants, own), by_places=event.places)
