"""The points cards that Go clubs have printed, as data; what a source does not print is marked as our choice."""

from __future__ import annotations

from handan.errors import InputError, closest, shown
from handan.handicaps.card_law import JIGO, WHITE_WINS, Card, CardRow, make_row, regular_card
from handan.plugins import GROUPS, Extensions, Register, fault_of_name

WHOLE = (6, 5, 4, 3, 2, 1, 0, -1, -2, -3, -4, -5, -6)
FIFTH = (6, 5, 4, 3, 1, 0, -1, -2, -3, -4, -5, -6)
"""Komi of the 5-stone column: the page prints difference 55 twice, at +3 and +2; the first entry is kept."""
GON_COLUMNS = (
    (0, WHOLE), (13, WHOLE), (26, WHOLE), (39, WHOLE), (52, FIFTH), (64, WHOLE), (77, WHOLE), (90, WHOLE), (103, WHOLE),
)  # fmt: skip
"""First difference and komi of the columns of 1 to 9 stones."""


def _gon_rows() -> tuple[CardRow, ...]:
    """Return the printed rows of the irregular 13-point card, differences 0 to 115."""
    return tuple(
        make_row(first + place, moves, moves - 1, float(komi), JIGO)
        for moves, (first, column) in enumerate(GON_COLUMNS, start=1)
        for place, komi in enumerate(column)
    )


_ALL = (
    Card(
        name="tagajo12",
        title="Tagajo branch of the Nihon Kiin, 12 points a stone",
        source="Sensei's Library, Points Rating System, copy of 2016",
        points_per_stone=12,
        top_komi=6,
        tie=WHITE_WINS,
        count="free",
        printed_to=107,
        daily_limit=3,
        points_at_1d=130,
    ),
    Card(
        name="tokyo15",
        title="Tokyo clubs, 15 points a stone",
        source="Sensei's Library, Point Ranking Scheme At Tokyo Go clubs",
        points_per_stone=15,
        top_komi=6.5,
        count="nigiri",
        printed_to=44,
    ),
    Card(
        name="takadanobaba18",
        title="Takadanobaba club from 2001, 18 points a stone",
        source="Sensei's Library, Point Ranking Scheme At Tokyo Go clubs, closing paragraph",
        points_per_stone=18,
        top_komi=7,
        count="nigiri",  # our choice: stones are not printed; as on the 15-point card
    ),
    Card(
        name="ryokusei11",
        title="Ryokusei-kai, the original method, 11 points a stone",
        source="dictionary entry 緑星会方式 (weblio)",
        points_per_stone=11,
        top_komi=5,
        count="moves",
        shift=5,
    ),
    Card(
        name="mami12",
        title="Mami club, 12 points a stone, at most 7 stones",
        source="web1.kcn.jp/mami_rakugokai",
        points_per_stone=12,
        top_komi=6,
        max_stones=7,
        step_low=2,
        step_low_below=200,
    ),
    Card(
        name="gon13",
        title="gon, 13 points a stone, the 5-stone column one point short",
        source="gon.ath.wjg.jp/tigo/rate.html",
        points_per_stone=13,
        top_komi=6,
        count="moves",
        shift=1,  # beyond the table, columns go on from 116
        printed_to=115,
        listed=_gon_rows(),
    ),
    regular_card(13, 6, count="moves", name="regular13"),
    Card(
        name="futabi13",
        title="Futabi-kai, 13 points a stone (twice the komi)",
        source="tvyuigo.blog136.fc2.com",
        points_per_stone=13,
        top_komi=6.5,
    ),
    Card(
        name="umeda10",
        title="Nihon Kiin Umeda salon, 10 points a stone, no fine komi",
        source="archive.nihonkiin.or.jp/kansai",
        points_per_stone=10,
        top_komi=None,
        count="moves",
        shift=-10,  # 0-9 even game, 10-19 Black moves first
        points_at_1d=320,
    ),
    Card(
        name="horton13",
        title="Horton, all games even, one point of komi a point",
        source="hori.way-nifty.com, 2015",
        points_per_stone=13,
        top_komi=6.5,
        max_stones=1,
    ),
)


def fault_of_card(item: object) -> str:
    """Return why an object of another package cannot be a card, "" where it can."""
    if not isinstance(item, Card):
        return "it is no handan.Card"
    if fault := fault_of_name(item.name, [own.name for own in _ALL]):
        return fault
    item.row(0)  # raises where the card says nothing
    return ""


CARDS: Register[Card] = Register(_ALL, Extensions(GROUPS["cards"], fault_of_card))
"""The cards by name: the printed ones (`regular13` is that of 13 points with all columns regular), then those of other
packages."""


def card(name: str) -> Card:
    """Return a card by name, whatever its capitals; InputError for a name that is none."""
    text = str(name)
    own = text if text in CARDS else text.strip().lower()
    if own not in CARDS:
        raise InputError(f"card {shown(text)} is not one of {', '.join(CARDS)}{closest(text, list(CARDS))}")
    return CARDS[own]
