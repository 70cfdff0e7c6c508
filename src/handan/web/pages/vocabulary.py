"""Single words of the other rooms that pages show: marked here for the catalogs, translated where it says `|word`.

Those rooms speak English and know no Django. Tables of their words and sentences are gathered where they stand.
"""

from __future__ import annotations

from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_noop as _

from handan.club.rules import Rules
from handan.systems.points import Points

OF_A_CARD = (
    _("black"), _("white"), _("win"), _("loss"), _("jigo"), _("Weight"), _("Status factor"), _("rank on entry"),
    _("points on entry"), _("list"), _("day"),
)  # fmt: skip
OF_A_REASON = (
    _("Promotion"), _("Demotion"), _("promotion"), _("demotion"), _("limit"), _("gap"), _("{low:.1f} to {high:.1f}"),
)  # fmt: skip
FACTS = (
    _("open log"), _("openness"), _("language"), _("colour"), _("categories"), _("name"), _("reading"), _("country"),
    _("ids"), _("earlier homes"), _("role"), _("player"), _("is really"), _("is not"), _("result"), _("handicap"),
    _("komi"), _("kind"), _("size"), _("event"), _("round"), _("notes"), _("date"), _("rating"), _("rank"), _("system"),
    _("confirmation"), _("zone"),
)  # fmt: skip
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
    "row": _("row"),
    "line": _("line"),
    "id": _("id"),
    "place": _("place"),
    "PIN": _("PIN of the European list"),
}
"""Fields and facts whose names mean something else elsewhere, by the words that say them."""
MEMBERS = (_("name"), _("reading"), _("rank"), _("country"), _("club"), _("numbers"), _("surname"), _("given"))


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
    "late_ranks": _("ranks declared late"),
    "tournament": _("factor of tournament games"),
    "club": _("factor of club games"),
    "friendly": _("factor of friendly games"),
    "floors": _("floors"),
    "clamp_x": _("8 and 9 dan as 7 dan"),
    "promotion": _("a rank is reached"),
    "demotion": _("a rank is lost"),
    "rank_points": _("own points of ranks"),
    "start": _("rating of a newcomer"),
    "k": "K",
    "k_new": _("K of first games"),
    "new_games": _("first games"),
    "stone": _("worth of a stone"),
    "advantage": _("worth of the first move"),
    "batch": _("ratings that games start from"),
    "per_rank": _("from rank to rank"),
    "at_1d": _("rating of 1 dan"),
    "default_class": _("usual class"),
    "reset_two_grades": _("reset after two grades"),
    "entry": _("players enter with"),
    "epsilon": _("epsilon"),
    "epsilon_from": _("epsilon is given up by"),
    "clamp_expected": _("expected score at least 0"),
    "sigma": _("new deviation"),
    "law": _("law of winning"),
    "prior": _("virtual games"),
    "window": _("days that count"),
    "tolerance": _("accuracy"),
    "proposal": _("fair terms"),
    "fewest_moves": _("fewest moves"),
    "rounds": _("most rounds"),
    "komi_per_stone": _("komi in a stone"),
    "start_deviation": _("deviation of a newcomer"),
    "rank_deviation": _("deviation with a rank"),
    "volatility": _("volatility of a newcomer"),
    "tau": _("tau"),
    "min_deviation": _("smallest deviation"),
    "max_deviation": _("largest deviation"),
    "handicap": _("worth of handicap"),
    "rules": _("rules of the games"),
    "ageing_days": _("days of ageing"),
    "period": _("period"),
    "w2": _("growth of the variance"),
    "c": _("growth of the deviation"),
    "idle_days": _("days without games"),
    "mu": _("mu of a newcomer"),
    "rank_sigma": _("sigma with a rank"),
    "beta": _("beta"),
    "tau_per": _("tau is added"),
    "p_draw": _("probability of a draw"),
    "uncertainty": _("uncertainty in forecasts"),
    "period_days": _("days of one strength"),
    "hessian_shift": _("added information"),
    "p": _("p"),
    "few": _("few games"),
    "age": _("old results"),
    "sweeps": _("most sweeps"),
    "deviation": _("deviation of a newcomer"),
    "opponents": _("who plays whom"),
    "results": _("how games end"),
    "look_back": _("looking back"),
    "rank_share": _("share with a rank"),
    "performance": _("beta"),
    "scale": _("worth of a point"),
    "newcomers": _("where newcomers stand"),
}
"""What a page calls a setting, whatever the system."""
LABELS_OF_ONE = {
    ("points", "at_1d"): _("points of 1 dan"),
    ("points", "stone"): _("points a rank"),
    ("points", "start"): _("points of a newcomer"),
    **{(name, "start"): _("rank of a newcomer") for name in ("sagc", "aga", "accelrat", "kgs")},
    **{(name, "per_rank"): _("Elo a rank") for name in ("elo", "glicko", "glicko2", "bradley-terry", "decayed", "whr")},
    ("trueskill", "sigma"): _("sigma of a newcomer"),
}
"""What a page calls a setting that is another thing in one system than in the others."""
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
    ("promotion", "reached"): _("with its points"),
    ("promotion", "nearest"): _("where its points are nearest"),
    ("demotion", "below"): _("as soon as the points say a lower one"),
    ("demotion", "stone"): _("once they are a stone of points below it"),
    ("demotion", "never"): _("never"),
    ("forfeits", "unrated"): _("do not count"),
    ("forfeits", "rated"): _("counted"),
    ("late_ranks", "remark"): _("only a remark"),
    ("late_ranks", "adjust"): _("an adjustment before that game"),
    ("floors", "zones"): _("by zones, as in the worked example"),
    ("floors", "next_floor"): _("at the next floor"),
    ("batch", "game"): _("before the game"),
    ("batch", "event"): _("before the event"),
    ("default_class", "A"): _("class A"),
    ("default_class", "B"): _("class B"),
    ("default_class", "C"): _("class C"),
    ("default_class", "D"): _("class D"),
    ("entry", "rank"): _("the declared rank"),
    ("entry", "rating"): _("the declared rating"),
    ("entry", "ranks"): _("by ranks and adjustments"),
    ("entry", "none"): _("all at 0"),
    ("epsilon_from", "both"): _("both players"),
    ("epsilon_from", "stronger"): _("the stronger player"),
    ("sigma", "grid"): _("on a grid"),
    ("sigma", "laplace"): _("by Laplace’s approximation"),
    ("law", "bayrate"): _("that of bayrate"),
    ("law", "accelrat"): _("that of accelrat"),
    ("proposal", "proper"): _("proper: one stone is the first move, the rest is komi"),
    ("proposal", "conventional"): _("conventional: a stone a rank"),
    ("handicap", "v6"): _("version 6: stones and komi"),
    ("handicap", "v5"): _("version 5: a stone a rank"),
    ("handicap", "pinned"): _("as set"),
    ("handicap", "learned"): _("learned from the games"),
    ("rules", "japanese"): _("Japanese"),
    ("rules", "korean"): _("Korean"),
    ("rules", "chinese"): _("Chinese"),
    ("rules", "aga"): _("of the AGA"),
    ("rules", "other-area"): _("another that counts area"),
    ("period", "event"): _("of an event"),
    ("period", "month"): _("of a month"),
    ("period", "week"): _("of a week"),
    ("period", "day"): _("of a day"),
    ("period", "game"): _("each by itself"),
    ("tau_per", "game"): _("with each game"),
    ("tau_per", "day"): _("with each day"),
    ("age", "exp"): _("exp(-y) after y years"),
    ("age", "none"): _("full, whatever the age"),
    ("age", "printed"): _("1 - exp(-y), as printed"),
    ("scale", "learned"): _("learned from the games"),
    ("scale", "fixed"): _("1 Elo everywhere"),
    ("newcomers", "learned"): _("learned from the games"),
    ("newcomers", "fixed"): _("as declared"),
}
"""What a choice of a setting means."""


def is_points_club(rules: Rules) -> bool:
    """Whether members hold points on a card."""
    return isinstance(rules.made, Points)


def rating_label(rules: Rules) -> str:
    """Return what members have under some rules: points on a card, or a rating."""
    return pgettext("on a card", "points") if is_points_club(rules) else gettext("rating")


def label_of(system: str, name: str) -> str:
    """Return what a page calls a setting; one of another package bears its own name."""
    label = LABELS_OF_ONE.get((system, name)) or LABELS.get(name)
    return gettext(label) if label else name.replace("_", " ")


def choice_words(name: str, choice: str) -> str:
    """Return what a choice of a setting means."""
    return gettext(CHOICES.get((name, choice), choice)) if choice else choice
