"""What the page of a club shows, as data: ladder with movement, cards with reasons, terms of every pair."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from handan.errors import counted
from handan.handicaps import Card, Terms
from handan.handicaps.terms import stones_in_words
from handan.ratings import Explanation
from handan.ratings.arithmetic import arithmetic
from handan.wording.figures import brief, digits, fixed, percent, signed, step

if TYPE_CHECKING:
    from handan.ratings import Ratings

MOST_CARDS = 300  # our choice: members whose cards a page holds
MOST_GAMES = 100  # our choice: newest games of a card
MOST_PAIRED = 30  # our choice: players in the table of who takes what, the most recent ones
MOST_CHARTS = 100  # our choice: charts on a page


@dataclass(frozen=True, slots=True)
class Row:
    """One member on the ladder, as it is printed."""

    place: int
    moved: str
    """`up`, `down`, `same`, or `new`; empty without an earlier day."""
    places: str
    """How many places up or down."""
    player: str
    anchor: str
    """Where the card stands in the page; empty where it is left out."""
    rank: str
    rank_before: str
    """Rank on the earlier day where it was another."""
    rating: str
    change: str
    """Change of the rating since the earlier day."""
    games: int
    won: int
    lost: int
    drawn: int
    last_played: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a member's card, as it is printed."""

    date: str
    opponent: str
    their_rank: str
    terms: str
    result: str
    before: str
    change: str
    after: str
    rank: str
    reason: str
    note: str


@dataclass(frozen=True, slots=True)
class MemberCard:
    """A member's card: the newest games, oldest first."""

    player: str
    anchor: str
    stands: str
    entries: tuple[Entry, ...]
    left_out: int
    """Older lines that are not shown."""
    points: tuple[dict[str, Any], ...]
    """What the chart is drawn from, as `charts.history_chart` takes it."""


@dataclass(frozen=True, slots=True)
class ClubReport:
    """All that the page shows."""

    title: str
    system: str
    newest: str
    since: str
    games: str
    rows: tuple[Row, ...]
    cards: tuple[MemberCard, ...]
    paired: tuple[str, ...]
    """Players of the table of who takes what, strongest first."""
    terms: dict[tuple[str, str], tuple[str, str]]
    """By player and opponent: what the player takes, in brief, and in words."""
    card: Card | None
    own_ranks: bool
    left_out: tuple[str, ...] = field(default=())
    """What the page leaves out, for its readers."""


def report(
    ratings: Ratings, title: str, since: str = "", *, progress: Callable[[str, int, int], None] | None = None
) -> ClubReport:
    """Return what the page of a club shows.

    Args:
        ratings: Of the club's games.
        title: The club's name.
        since: A day; the ladder shows what has moved since its end.
        progress: Is called with a text, what is done and what there is to do.

    Raises:
        InputError: If the day is no date.
    """
    table = (ratings.table(since=since) if since else ratings.table()).to_dicts()
    decimals = digits(row["rating"] for row in table)
    shown = {row["player"]: f"member-{number}" for number, row in enumerate(table[:MOST_CARDS], 1)}
    cards = []
    for number, (name, anchor) in enumerate(shown.items(), 1):
        if progress:
            progress("cards", number, len(shown))
        cards.append(_card(ratings, name, anchor, decimals))
    recent = sorted((row for row in table if row["games"]), key=lambda row: row["last_played"] or "", reverse=True)
    newest = {row["player"] for row in recent[:MOST_PAIRED]}
    paired = tuple(row["player"] for row in table if row["player"] in newest)
    left_out = []
    if len(table) > len(shown):
        left_out.append(f"the cards of {counted(len(table) - len(shown), 'member')} at the end of the ladder")
    if older := sum(card.left_out for card in cards):
        left_out.append(f"{counted(older, 'older line')} of cards, which hold the newest {MOST_GAMES}")
    if len(recent) > len(paired):
        left_out.append(f"who takes what for all but the {MOST_PAIRED} members who played last")
    return ClubReport(
        title=title,
        system=getattr(ratings.system, "title", ratings.system.label),
        newest=ratings.ledger.newest or "",
        since=since,
        games=f"{ratings.rated:,} of {counted(len(ratings.ledger), 'game')} rated",
        rows=tuple(_row(row, shown, decimals) for row in table),
        cards=tuple(cards),
        paired=paired,
        terms=_terms(ratings, paired),
        card=getattr(ratings.system, "table", None),
        own_ranks=ratings.system.traits.index_of_rank,
        left_out=tuple(left_out),
    )


def _row(row: dict[str, Any], shown: dict[str, str], decimals: int) -> Row:
    up = row.get("places_up")
    moved = ""
    if "places_up" in row:
        moved = "new" if up is None else "same" if up == 0 else "up" if up > 0 else "down"
    earlier = row.get("rank_before") or ""
    return Row(
        place=row["place"],
        moved=moved,
        places=str(abs(up)) if up else "",
        player=row["player"],
        anchor=shown.get(row["player"], ""),
        rank=row["rank"],
        rank_before=earlier if earlier != row["rank"] else "",
        rating=fixed(row["rating"], decimals),
        change=signed(row.get("rating_change"), decimals),
        games=row["games"],
        won=row["wins"],
        lost=row["losses"],
        drawn=row["draws"],
        last_played=row["last_played"] or "",
    )


def _card(ratings: Ratings, name: str, anchor: str, decimals: int) -> MemberCard:
    plain = ratings.explain(name, reasons=False)
    recent = {line.game for line in plain[-MOST_GAMES:] if line.game}
    lines = ratings.explain(name, reasons=recent)
    own = digits([value for line in plain for value in (line.before, line.change, line.after)] or [0.0])
    rated = [line for line in plain if line.is_rated]
    points = [{"number": 0, "date": "", "rating": rated[0].before, "rank": rated[0].rank_before}] if rated else []
    points += [
        {"number": number, "date": line.date, "rating": line.after, "rank": line.rank_after}
        for number, line in enumerate(rated, 1)
    ]
    standing = ratings.standing(name)
    return MemberCard(
        player=name,
        anchor=anchor,
        stands=f"{standing.rank or ''} {fixed(standing.rating, decimals)}".strip(),
        entries=tuple(_entry(line, own) for line in lines[-MOST_GAMES:]),
        left_out=max(len(lines) - MOST_GAMES, 0),
        points=tuple(points),
    )


def _entry(line: Explanation, decimals: int) -> Entry:
    shown = step(line.before, line.change, line.after, decimals)
    written = arithmetic(line.reason, line.change, shown.decimals)
    parts = [line.colour, stones_in_words(line.handicap)]
    parts.append("" if line.komi is None else f"komi {brief(line.komi)}")
    return Entry(
        date=line.date,
        opponent=line.opponent if line.game else "",
        their_rank=line.opponent_rank,
        terms=", ".join(filter(None, parts)),
        result=line.result,
        before=shown.before,
        change=shown.change,
        after=shown.after,
        rank=line.rank_after,
        reason=" · ".join(f"{factor.name} {text}" for factor, text, _ in written.terms),
        note="; ".join(filter(None, (line.note, line.comment))),
    )


def _terms(ratings: Ratings, players: tuple[str, ...]) -> dict[tuple[str, str], tuple[str, str]]:
    """Return what each player takes against each other, in brief and in words."""
    terms_of = {}
    for one, other in combinations(players, 2):
        terms = ratings.fair_terms(one, other)
        chance = percent(ratings.win_probability(terms.black, terms.white, terms.handicap, terms.komi))
        words = terms.text + (f"; Black's chance: {chance}" if chance else "")
        for player, against in ((one, other), (other, one)):
            terms_of[player, against] = (in_brief(terms, player), words)
    return terms_of


def in_brief(terms: Terms, player: str) -> str:
    """Return what one of the two takes: `● 2 +3` is Black with two stones, and 3 points of komi to White."""
    mark = "◐" if terms.colours == "nigiri" else "●" if terms.black == player else "○"
    komi = "" if terms.komi is None else f"{terms.komi:+g}".replace("-", "\N{MINUS SIGN}")
    stones = str(terms.stones_on_board) if terms.stones_on_board else ""
    return " ".join(filter(None, (mark, stones, komi))) + ("?" if terms.unfair else "")
