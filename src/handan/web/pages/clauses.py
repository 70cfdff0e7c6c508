"""What stands behind a change, in the language of a page: names of factors, clauses of the rules, what they look at.

Systems speak English and know no Django: their words are marked here for the catalogs, and a test over all systems
finds each of them. Formulas and names that are nothing but letters of a formula stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_noop as _

from handan.errors import Clause
from handan.handicaps import Terms
from handan.ranks import Rank
from handan.web.pages.wording import terms_words
from handan.wording.figures import brief
from handan.wording.languages import figure_words, rank_words

MOST = 2_000  # our choice: sentences that a process keeps; there are some hundred in each language
NAMES = (
    _("level factor"), _("game status factor"), _("opponent factor"), _("game result factor"), _("handicap factor"),
    _("result"), _("step"), _("floor"), _("class weight"), _("bonus"), _("bonus of the rating"), _("score"),
    _("less the expected score"), _("score - expected score"), _("size factor"), _("band factor"), _("scale"),
    _("prior variance"), _("pull of the result"), _("contribution"), _("printed"), _("share"),
    _("surprise of the result"), _("own strength"), _("what the game says"), _("own strength beyond the entry"),
    _("what the game says beyond the entry"), _("gain"), _("kind of result"),
    _("choice of opponent"), _("later results of opponents"), _("level of newcomers"), _("first move and scale"),
    _("settings weighed anew"),
    _("presentation"), _("devaluation"), _("share of the game"), _("what the game asks for"),
    _("opponent's raw rating"),
)  # fmt: skip
WARNINGS = (
    _("{count} separate pools: {outside} players never met the largest pool; numbers cannot be compared across"),
    _("1 of {all} players has no entry rank; they start at {what}"),
    _("{count} of {all} players have no entry rank; they start at {what}"),
    _(
        "1 of {all} players has no entry rank; they start at the rank that the terms of their first game give, else at "
        "{what}"
    ),
    _(
        "{count} of {all} players have no entry rank; they start at the rank that the terms of their first game give, "
        "else at {what}"
    ),
    _("1 player first declared a rank after the first rated game: only a remark, unless late_ranks=adjust"),
    _("{count} players first declared a rank after the first rated game: only a remark, unless late_ranks=adjust"),
    _("{start:g} points"),
    _("the mean entry of their pool"),
    _("no game has a date; deviations do not grow with time"),
    _("1 adjustment asks for a rating below {low:g}; the nearest end of the scale is taken"),
    _("{count} adjustments ask for ratings below {low:g}; the nearest end of the scale is taken"),
    _("1 adjustment asks for a rating outside {low:g} to {high:g}; the nearest end of the scale is taken"),
    _("{count} adjustments ask for ratings outside {low:g} to {high:g}; the nearest end of the scale is taken"),
    _("adjustments have no effect: this system has no entry point"),
    _("adjustments have no effect: strengths follow from results alone"),
    _("adjustments after a player's first game have no effect: strengths follow from results"),
    _("adjustments after a player's first game have no effect: ratings follow from results"),
    _("not settled to {tolerance:g} after {sweeps} sweeps"),
    _("not settled to {tolerance:g}; numbers are provisional"),
    _(
        "nearly every winner stands in {side}'s column, as in a table of winners and losers; what colours are worth is "
        "not learned from it"
    ),
)
"""What a list is warned of."""
NOTES = (
    _(
        "solved in {steps} Newton steps, {rounds} sweeps of conjugate gradients in all; the last step moved nobody by "
        "more than {moved:.1g} Elo"
    ),
    _("solved for the whole pool in {steps} Newton steps; nobody stands more than {within:.1g} {unit} off"),
    _(
        "solved for the whole pool: kappa and half-lives followed the ranks in {rounds} rounds, {steps} Newton steps "
        "in all; nobody stands more than {within:.1g} ranks off"
    ),
    _(
        "kappa and half-lives do not settle: {count} answers up to {apart:.2g} ranks apart lead to each other; that of "
        "the highest posterior stands here"
    ),
    _(
        "not settled: somebody may stand {within:.2g} {unit} or more from the most likely rating; numbers are "
        "provisional"
    ),
    _("learned: the first move is worth {worth:.1f} ± {deviation:.1f} Elo"),
    _("learned: {name} is worth {value:.1f} ± {deviation:.1f} Elo to Black"), _("handicap {stones}, komi {komi:g}"),
    _("deviations: exact, from the inverse of the joint information"),
    _("deviations: from each player's own history, with all opponents held fixed"),
    _("deviations: with all opponents held fixed, which is a little too small"),
    _(
        "the games say: deviation of a newcomer {middle:.0f} ± {spread:.0f} points, growth {pace:.1f} points^2 a day; "
        "opponents count {paired:.2f}, how games end {graded:.2f}"
    ),
    _("the games say: the first move is worth {first:.0f} ± {doubt:.0f} Elo"),
    _("the games say: newcomers enter at {ratings} points"),
    _("the games say: newcomers without a rank enter at {rating:.0f} ± {doubt:.0f} points"),
    _("the games say: newcomers of {source} enter at {ratings} points"),
    _("the games say: newcomers of {source} without a rank enter at {rating:.0f} ± {doubt:.0f} points"),
    _(
        "the games say: the first move is worth {first:.0f} ± {doubt:.0f} Elo, a rank at 1 dan {steep:.0f} ± "
        "{around:.0f} Elo, {more:+.1f} % from rank to rank"
    ),
    _("games that come since then are added: whoever they leave more than {worth:.2f} Elo to move is solved"),
    _("1 declared rating ({origin}) is not used; --set entry=rating starts from it"),
    _("{count} declared ratings ({origin}) are not used; --set entry=rating starts from them"),
    _("1 player begins at the rating that a file declares ({origin}); --set entry=rank begins at the rank"),
    _("{count} players begin at the ratings that files declare ({origin}); --set entry=rank begins at their ranks"),
    _("1 deviation set by hand plays no part under this system"),
    _("{count} deviations set by hand play no part under this system"),
)  # fmt: skip
"""How a list was found, and what was learned from its games."""
OF_CLUBS = (
    _("x^2 + 1.5 x + 55 + x^5 / 30000 with x = {x} stones below 7 dan."),
    _("Tournament {tournament:g}, club {club:g}, friendly {friendly:g}, free 0."),
    _("1 less 0.1 for each game with this opponent among the previous ten ({met}), at least 0.1."),
    _("{zone} zone, {outcome}, differential {by:+d}."), _("Promotion"), _("Demotion"), _("victory"), _("defeat"),
    _("1 less 0.05 for each stone of effective handicap ({stones}), at least 0.1."),
    _("promoted, and the index starts again at 0; the surplus is dropped"),
    _("demoted, and the index starts again at 0"), _("the loss stops at the floor {floor:g}"),
    _("A game moves one point."), _("A game moves {step} points below {limit:g} points, else 1."),
    _("The winner gains."), _("The loser loses."), _("A jigo moves no points."),
    _("A tie on the board is a win for White."), _("A win is 1, a jigo 0.5, a loss 0."),
    _("A win is 1, a jigo 0, a loss -1."), _("K is the largest change that one game can make."),
    _("E = 1 / (1 + 10^((R2 - R1) / 400)), the terms added to Black's rating."), _("Score less expected score."),
    _("The new rating is R + K (S - E)."), _("No rating falls below {floor:g}."),
)  # fmt: skip
OF_FEDERATIONS = (
    _("Classes A, B, C, D weigh 1, 0.75, 0.5, 0.25."), _("Every game pays w bonus, won or lost, against deflation."),
    _("The result moves the rating by w con (S - Se)."), _("The result moves the rating by w con (S - SE)."),
    _("Se = 1 / (1 + exp(beta(r2) - beta(r1))), beta = -7 ln(3300 - r), ratings with the handicap."),
    _("con = ((3300 - r) / 200)^1.6 of the rating without handicap."),
    _("con of the rating without handicap, from the table."),
    _("SE of the lower is 1 / (exp(D / a) + 1), of the higher 1 less that, less their shares of epsilon."),
    _("What the game adds to the rating."), _("Ratings are printed times {unit:g}."),
    _("At the most likely ratings each is its seed plus the prior variance times all pulls of the event."),
    _("The slope of ln Phi(z)/s where z is how far the result agrees with the ratings after the event."),
    _("no figures between -1 and 1 are printed, so crossing shows two more than the change"),
    _("1 - exp(-m/5) for a player with m games."), _("At the answer, before devaluation and presentation."),
    _("Old and surprising results weigh less; a player's shares add up to 1."), _("Ratings are multiplied by 1000."),
    _("The opponent's raw rating, 1 more for a win, 1 less for a loss."),
)  # fmt: skip
OF_SERVERS = (
    _("((19 - |z - 19|) / 19)^2 for a board of z lines."),
    _("2.5^tanh(ln(own width / opponent's width) / ln 2.5): a wide band moves faster, a narrow one slower."),
    _("SE = 1 / (1 + exp(D / a)) for the weaker after handicap, 1 less that and epsilon for the stronger."),
    _("The rating moves by con times the weights times (S - SE)."),
    _("con of the rating without handicap, linear between the knots of a table."), _("{low:.1f} to {high:.1f}"),
    _("173.7178 phi'^2: the variance after the game, kept within the limits of the rating."),
    _("An uncertain opponent tells less: g = 1 / sqrt(1 + 3 phi^2 / pi^2)."),
    _("The rating is a mean of the entry rank and of what the games say, by information."),
)  # fmt: skip
OF_STATISTICS = (
    _("An uncertain opponent tells less: g = 1 / sqrt(1 + 3 q^2 RD^2 / pi^2) of the opponent."),
    _("E = 1 / (1 + 10^(-g (r - r_j) / 400)), the terms added to Black's rating."),
    _("Each game of the period adds score less expected score."), _("One unit of mu is 173.7178 points."),
    _("RD'^2 = 1 / (1 / RD^2 + 1 / d^2), the variance after the period."),
    _("phi'^2 = 1 / (1 / (phi^2 + sigma'^2) + 1 / v), the variance after the period."),
    _("V = sigma^2 + tau^2: who is less certain moves more."),
    _("v is the surprise of the result, given the lead less the draw margin in units of C."),
    _("As most likely given all results."), _("Own strength plus what the result adds to it."),
    _("Own strength beyond the entry plus what the result adds to it."),
    _("The rating is the mean of what the games say, each weighted by how much it tells."),
    _("The rating is a mean of the entry and of what the games say, by information."),
    _("A narrow win says less than a wide one, as far as settings count it."),
    _("The games since the player's last one have said which settings forecast better."),
    _("The result moves a belief by its variance times kappa times the surprise."),
    _("V kappa: who is less certain moves more; the mean over the settings by weight."),
    _("What earlier opponents have won and lost since then says what the games against them were worth."),
    _("The rank that the player declares, and what those who entered alike have shown since."),
    _("First move and ranks turned out to be worth more or less than they were taken for."),
    _("Who chooses to play whom at these terms is likely to be as strong; less with every game."),
    _("s - p, each setting as far as it moves."),
    _("p = 1 / (1 + e^-z), z = kappa (G(r_black + stones) - G(r_white) + first move)."),
)  # fmt: skip
LOOKED_AT = (
    _("points held"), _("opponent's points"), _("terms of the card"), _("played at these terms"),
    _("effective handicap"), _("differential"), _("zone"), _("promotion"), _("demotion"), _("opponent's rank"),
    _("limit"), _("own rating"), _("opponent's rating"), _("worth of handicap and komi to Black"),
    _("rating at the start of the event"), _("handicap adds to Black's rating"), _("chance of this result"),
    _("own rating after the event"), _("opponent's rating after the event"), _("prior deviation"),
    _("e, stones that the terms give to Black"), _("s, spread of the result in stones"), _("gap"), _("entry"),
    _("Black's advantage in stones"), _("band before"), _("band after"), _("own deviation"),
    _("opponent's rating with the handicap"), _("opponent's deviation"), _("handicap and komi in ranks"),
    _("rating at the onset of the period"), _("deviation at the onset of the period"), _("own mu"),
    _("own sigma with tau"), _("opponent's mu"), _("opponent's sigma with tau"), _("own lead in units of C"),
    _("draw margin in units of C"), _("mu - 3 sigma after the game"), _("expected score"),
    _("opponent's strength"), _("own raw rating"), _("first iteration"),
)  # fmt: skip


def clause_words(text: str, language: str = "", names: Callable[[str], str] = str) -> str:
    """Return a name or clause of a change's reason in the page's language, which who has many of them asks for once.

    `names` returns how texts in it are shown that may be labels of players.
    """
    language = language or _language()
    if not isinstance(text, Clause):
        return _sentence(text, language) if text else ""
    values = {name: _value(value, names) for name, value in text.values.items()}
    return _sentence(text.pattern, language).format(**values)


@lru_cache(MOST)
def _sentence(text: str, language: str) -> str:  # noqa: ARG001  # that of the page, which `gettext` reads itself
    return gettext(text)


def fact_words(value: Any, language: str = "") -> str:
    """Return what the factors were found from in the page's language: a figure, a rank, yes or no, or a clause."""
    language = language or _language()
    if not isinstance(value, str):
        written = brief(value)
        return gettext(written) if isinstance(value, bool) else figure_words(written, language)
    return figure_words(rank_words(clause_words(value, language), language), language)


def _value(value: Any, names: Callable[[str], str]) -> Any:
    """Return a value of a clause as its pattern writes it: clauses, ranks and terms as the page's language has them."""
    if isinstance(value, Rank):
        return rank_words(value, _language())
    if isinstance(value, Terms):
        return SimpleNamespace(text=terms_words(value, _language()))
    if isinstance(value, Clause):
        return clause_words(value, names=names)
    return names(value) if isinstance(value, str) else value


def caution_words(text: str) -> str:
    """Return what is said of a whole list, in the page's language and with its decimal sign."""
    return figure_words(clause_words(text), _language())


def _language() -> str:
    return get_language() or "en"
