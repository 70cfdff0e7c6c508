"""Words of the other rooms that pages show: marked here for the catalogs, translated where a template says `|word`.

Those rooms speak English and know no Django; a test finds each of their lists here.
"""

from django.utils.translation import gettext_noop as _

ROLES = (
    _("visitor"), _("player"), _("result keeper"), _("secretary"), _("federation officer"), _("administrator"),
)  # fmt: skip
OPENNESS = (_("closed"), _("ladder only"), _("open"))
DECISIONS = (_("waiting"), _("accepted"), _("returned"), _("taken back"))
SCOPES = (_("read"), _("write"), _("administer"))
STATUSES = (_("withdrawn"), _("waits for confirmation"), _("disputed"))
ENTRIES = (
    _("game recorded"), _("game corrected"), _("game withdrawn"), _("game restored"), _("game confirmed"),
    _("game disputed"), _("player registered"), _("player changed"), _("player merged"), _("player split"),
    _("player withdrawn"), _("player restored"), _("sheet entered"), _("sheet continued"), _("sheet checked"),
    _("sheet check withdrawn"), _("event entered"), _("event changed"), _("event withdrawn"), _("tablet set"),
    _("rank adjusted"), _("adjustment withdrawn"), _("rules set"), _("list published"), _("member set"), _("key set"),
    _("zone set"), _("club set"), _("chain carried over"), _("person forgotten"),
)  # fmt: skip
KINDS = (
    _("club"), _("tournament"), _("friendly"), _("free"), _("history"), _("tournament-a"), _("tournament-b"),
    _("tournament-c"), _("tournament-d"),
)  # fmt: skip
CONFIRMATIONS = (
    _("a game counts as soon as it is entered"),
    _("a game entered by a player counts once the loser has entered or confirmed it"),
    _("a game entered by a player counts once the opponent has confirmed it"),
)
OF_A_CARD = (
    _("black"), _("white"), _("win"), _("loss"), _("jigo"), _("Weight"), _("Status factor"), _("rank on entry"),
    _("points on entry"),
)  # fmt: skip
PAPERS = (
    _("Member cards"), _("Points cards"), _("Handicap poster"), _("Record sheet"), _("Wall plates"),
    _("Monthly sheet"), _("Certificates of promotion"), _("Sheet of the evening"), _("Rating list"),
    _("85 × 54 mm, ten on A4, with backs"),
    _("A6, four on A4"),     _("36 × 120 mm, seven on A4"),
)  # fmt: skip
ERRORS = (
    _("Nothing was saved"), _("That cannot be used"), _("Not allowed"), _("Wait a little"),
    _("The server cannot answer just now"),
)  # fmt: skip
TABLET = _("the club's tablet")
"""The author of what is entered there without an account."""
FIELDS = {
    "zone": _("time zone"),
    "slug": _("address"),
    "into": _("is really"),
    "ended": _("links that ended"),
    "set_aside": _("ranks that no longer count"),
    "one": _("Player"),
    "other": _("Opponent"),
    "as_of": _("date"),
    "known": _("date"),
    "month": _("month"),
    "margin": _("margin in points"),
    "column": _("column"),
    "winner": _("winner"),
    "black_rank": _("rank of Black"),
    "white_rank": _("rank of White"),
}
"""Fields and facts whose names mean something else elsewhere, by the words that say them."""
SHEET = (_("a player is missing"), _("who won?"))
MEMBERS = (_("name"), _("reading"), _("rank"), _("country"), _("club"), _("numbers"), _("surname"), _("given"))
ZONES = (_("the server's"),)
VISITORS = (_("by name"), _("under another name"), _("not at all"))
NOT_RATED = (
    _("not rated: void or without a result"), _("not rated: decided without play"), _("not rated: a free game"),
    _("not rated: held by the points of a later day"),
    _("not rated: no date, and the games around it have one"), _("not rated: not on a 19x19 board"),
    _("not rated: no date, which this system needs"),
    _("not rated: one game too many with this opponent on that day"), _("not rated: not at the terms of the card"),
)  # fmt: skip
"""Notes of a card about games that any system leaves out, and those that points cards leave out."""
