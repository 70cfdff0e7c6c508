"""Strategies for hypothesis: names in five scripts, dates, results, ranks, games, ledgers, adjustments.

All players are invented. A ledger that is drawn is one that could have been read from a file: games are made by `Game`,
which brings every field to its one form.
"""

from __future__ import annotations

from datetime import datetime

from hypothesis import strategies as st

from handan.ledger import Adjustment, Game, Ledger, When
from handan.ledger.dates import FORMATS, written
from handan.ranks import Rank

LETTERS = (
    "abcdefgh'éøżşİß",  # Latin with marks
    "абвгдеёжзїщю",  # Cyrillic
    "山川空野木石水林森",  # Han
    "あかさたなハマヤラワ",  # Kana
    "가나다라마바사아솔뫼",  # Hangul
)
PEOPLE = (
    "Alice",
    "Bob",
    "Carol",
    "Dave",
    "Zoë Nørby-Łąk",
    "O'Fern, Ida",
    'Jan "Bo" Quist',
    "Мира Ёлкина",
    "山野 空丸",
    "はるか かぜ",
    "솔뫼 가람",
)
DATES = ("2024", "2024-01", "2024-01-01", "2024-01-01 00:00", "2024-01-01 00:00:00", "2024-01-02", "2024-01-02 14:30")
KINDS = ("", "tournament", "tournament-a", "league", "club", "server", "friendly")


def names() -> st.SearchStrategy[str]:
    """Names of players in five scripts, some with commas, quotes and marks."""
    words = st.sampled_from(LETTERS).flatmap(lambda letters: st.text(letters, min_size=1, max_size=8))
    return st.one_of(st.sampled_from(PEOPLE), st.lists(words, min_size=1, max_size=3).map(" ".join))


def texts() -> st.SearchStrategy[str]:
    """Any text that may stand in a cell: separators, quotes and line ends included, NUL bytes not."""
    letters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
    return st.one_of(st.text(letters, max_size=20), st.text(" ,;\t\"'\r\n=+-@ab", max_size=8))


def whens() -> st.SearchStrategy[When]:
    """Dates from 1600 to 2025 of every precision from year to second; some are frequent, so that games share them."""
    moments = st.datetimes(datetime(1600, 1, 1), datetime(2025, 12, 31))  # noqa: DTZ001  # clubs write local time
    anywhere = st.builds(written, moments, st.sampled_from(list(FORMATS)))
    return st.one_of(st.sampled_from(DATES), anywhere).map(When.parse)


def ranks() -> st.SearchStrategy[Rank]:
    """Ranks of every grade."""
    return st.one_of(st.integers(1, 30).map(Rank.kyu), st.integers(1, 9).map(Rank.dan), st.integers(1, 9).map(Rank.pro))


def declared_ranks() -> st.SearchStrategy[str]:
    """Ranks as declared at a game, some with a flag, some absent."""
    return st.one_of(
        st.just(""), st.builds(lambda rank, flag: f"{rank}{flag}", ranks(), st.sampled_from(("", "?", "*")))
    )


def results() -> st.SearchStrategy[str]:
    """Results in the spelling of files, all outcomes."""
    points = st.integers(1, 722).map(lambda halves: f"{halves / 2:g}")
    tails = st.one_of(st.sampled_from(("", "R", "T", "F", "Offline")), points)
    decided = st.builds("{}+{}".format, st.sampled_from(("B", "W", "P1", "P2")), tails)
    return st.one_of(decided, st.sampled_from(("jigo", "P=", "both-lose", "both-win", "void", "?")))


def games(people: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[Game]:
    """Games with every field, most of them often absent; `people` says who may play."""
    player = st.tuples(
        names() if people is None else people, st.sampled_from(("", "", "", "egd:101", "egd:102", "x 3"))
    )
    pairs = st.tuples(player, player).filter(lambda pair: _different(*pair))

    def game(pair: tuple[tuple[str, str], tuple[str, str]], **fields: object) -> Game:
        (black, black_id), (white, white_id) = pair
        return Game(black=black, white=white, black_id=black_id, white_id=white_id, **fields)  # type: ignore[arg-type]

    return st.builds(
        game,
        pairs,
        result=results(),
        date=st.none() | whens(),
        handicap=st.sampled_from((0, 0, 0, 1, 2, 9, 13)),
        komi=st.none() | st.integers(-800, 800).map(lambda halves: halves / 2) | st.floats(-400, 400),
        size=st.sampled_from((19, 19, 19, 13, 9, 2, 52)),
        kind=st.sampled_from(KINDS),
        event=st.sampled_from(("", "", "Spring cup")) | texts(),
        round=st.none() | st.integers(0, 12),
        black_rank=declared_ranks(),
        white_rank=declared_ranks(),
        moves=st.none() | st.integers(0, 500),
        notes=st.just("") | texts(),
    )


def _different(black: tuple[str, str], white: tuple[str, str]) -> bool:
    """Whether two (name, id) may be two players."""
    return black[1] != white[1] if black[1] and white[1] else black[0] != white[0]


def ledgers(most: int = 12) -> st.SearchStrategy[Ledger]:
    """Ledgers of up to `most` games among a few players, so that names and dates repeat."""
    people = st.lists(names(), min_size=2, max_size=5, unique=True)
    played = people.flatmap(lambda names: st.lists(games(st.sampled_from(names)), max_size=most))
    return played.map(Ledger.of)


def adjustments() -> st.SearchStrategy[Adjustment]:
    """Ranks and ratings set by hand, with and without a date."""
    fields = {"date": st.none() | whens(), "note": texts().map(str.strip), "at_least": st.booleans()}
    rating = st.floats(-5000, 5000)
    return st.one_of(
        st.builds(Adjustment, player=names(), rank=ranks(), rating=st.none() | rating, **fields),
        st.builds(Adjustment, player=names(), rating=rating, **fields),
    )
