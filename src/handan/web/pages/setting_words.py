"""What settings of systems mean, what lines of a card may be, and names of facts in the log: marked for the catalogs.

The systems speak English; those whose clubs have the most readers of other languages are marked here.
"""

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

POINTS = (
    _("when points move (day: local rule of Tagajo)"),
    _("whose points stand still until they are settled"),
    _("counted games a day with one opponent; without it as the card says, 0: all"),
    _("whether games at other terms than the card's are rated"),
    _("what a jigo does"),
    _("whether games decided without play count"),
    _("points a game moves for players below step_low_below; 0: as the card says"),
    _("points below which step_low applies (Mami club)"),
    _("points of 1 dan; without it as printed, else 130"),
    _("points from rank to rank; 0: those of a stone on the card, else 12"),
    _("points of a newcomer without a rank"),
    _("a rank first declared after a player's first rated game: only a remark, or an adjustment before that game"),
)  # fmt: skip
LABELS = {
    "card": _("card"),
    "settle": _("points move"),
    "freeze": _("points that stand still"),
    "daily_limit": _("games a day with one opponent"),
    "conditions": _("which games count"),
    "jigo": _("jigo"),
    "forfeits": _("games without play"),
    "step_low": _("larger step"),
    "step_low_below": _("larger step below"),
    "at_1d": _("points of 1 dan"),
    "stone": _("points a rank"),
    "start": _("points of a newcomer"),
    "late_ranks": _("ranks declared late"),
}
"""What a page calls the settings of points cards; others bear their own names."""
CHOICES = {
    ("settle", "game"): _("with each game"),
    ("settle", "day"): _("at the end of the day"),
    ("settle", "month"): _("at the end of the month"),
    ("freeze", "all"): _("those of everybody"),
    ("freeze", "pair"): _("those of the two players"),
    ("conditions", "any"): _("games at any terms"),
    ("conditions", "card"): _("only games at the terms of the card"),
    ("jigo", "card"): _("as the card says"),
    ("jigo", "unchanged"): _("moves no points"),
    ("jigo", "white_wins"): _("White wins"),
    ("forfeits", "unrated"): _("do not count"),
    ("forfeits", "rated"): _("count"),
    ("late_ranks", "remark"): _("only a remark"),
    ("late_ranks", "adjust"): _("an adjustment before that game"),
}
"""What a choice of a setting means, where its word alone does not say it."""


def label_of(system: str, name: str) -> str:
    """Return what a page calls a setting."""
    return gettext(LABELS[name]) if system == "points" and name in LABELS else name.replace("_", " ")


def choice_words(system: str, name: str, choice: str) -> str:
    """Return what a choice of a setting means."""
    if (name, choice) in CHOICES and (system == "points" or name == "late_ranks"):
        return gettext(CHOICES[name, choice])
    return gettext(choice) if choice else choice


REMARKS = (
    _("“{text}” does not begin with a difference such as 5 or 6–11"),
    _("{first}–{last} runs backwards"),
    _("{number} is more than {most}"),
    _("“{text}” does not say the stones: even, Black first, 2 stones …"),
    _("“{text}” is not understood"),
    _("{first}–{last} is {count} differences, and the komi goes over {komis} points"),
    _("{count} lines; a card has at most {most}"),
    _("there is no line of a card"),
    _("difference {number} stands in line {other} already, which counts"),
    _("the card begins at difference {number}; its terms count from 0"),
    _("differences {first}–{last} stand nowhere; the line before serves, one point of komi a point"),
    _("difference {number} gives Black less help than difference {other}"),
)
FACTS = (
    _("open log"), _("openness"), _("language"), _("colour"), _("name"), _("reading"), _("country"), _("ids"),
    _("role"), _("player"), _("is really"), _("result"), _("handicap"), _("komi"), _("kind"), _("size"), _("event"),
    _("round"), _("notes"), _("date"), _("rating"), _("rank"), _("system"), _("confirmation"), _("zone"),
)  # fmt: skip
