"""What settings of systems mean, what lines of a card may be, and names of facts in the log: marked for the catalogs.

The systems speak English; those whose clubs have the most readers of other languages are marked here.
"""

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
NAMES = (
    _("card"), _("settle"), _("freeze"), _("daily limit"), _("conditions"), _("forfeits"), _("step low"),
    _("step low below"), _("at 1d"), _("stone"), _("start"), _("late ranks"),
)  # fmt: skip
CHOICES = (
    _("game"), _("day"), _("month"), _("all"), _("pair"), _("any"), _("unchanged"), _("white_wins"), _("unrated"),
    _("rated"), _("remark"), _("adjust"),
)  # fmt: skip
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
