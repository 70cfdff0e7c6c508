"""Words and figures of the pages, the same as those of the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext, gettext_noop, pgettext

from handan.club.movement import MovedPlayers
from handan.club.standings import Line
from handan.club.state import DISPUTED, WAITING, WITHDRAWN, State
from handan.ledger import Result, When
from handan.paper.words import komi_words
from handan.ranks import Rank
from handan.ratings.arithmetic import arithmetic
from handan.web.pages.refusals import clause_words, fact_words
from handan.web.pages.wording import page_language
from handan.web.plain_data import STATUS
from handan.wording.figures import brief, step
from handan.wording.languages import figure_words, komi_points

FIGURE_WIDE, POINT_WIDE = "\N{FIGURE SPACE}", "\N{PUNCTUATION SPACE}"
"""Blanks as wide as a figure and as a point, which break no line and which nobody reads aloud."""
MOST_TERMS = 1_000  # our choice: terms whose words a process keeps
WITHOUT_WINNER = {
    "void": gettext_noop("void"),
    "?": gettext_noop("no result"),
    "both-lose": gettext_noop("both lose"),
    "both-win": gettext_noop("both win"),
    "jigo": gettext_noop("jigo"),
}
BY = {
    ("Black", "R"): gettext_noop("Black by resignation"),
    ("White", "R"): gettext_noop("White by resignation"),
    ("Black", "T"): gettext_noop("Black on time"),
    ("White", "T"): gettext_noop("White on time"),
    ("Black", "F"): gettext_noop("Black by default"),
    ("White", "F"): gettext_noop("White by default"),
    ("the first", ""): gettext_noop("the first"),
    ("the second", ""): gettext_noop("the second"),
    ("the first", "R"): gettext_noop("the first by resignation"),
    ("the second", "R"): gettext_noop("the second by resignation"),
    ("the first", "T"): gettext_noop("the first on time"),
    ("the second", "T"): gettext_noop("the second on time"),
    ("the first", "F"): gettext_noop("the first by default"),
    ("the second", "F"): gettext_noop("the second by default"),
}
"""Who won and how, as whole sentences; margins stand in one of their own."""


def places(rows: Iterable[Mapping[str, Any]], name: str) -> int:
    """Return how many figures stand behind the point at most in a column of numbers that are text already."""
    return max((len(row[name].partition(".")[2]) for row in rows), default=0)


def room_behind(text: str, most: int) -> str:
    """Return blanks as wide as the figures that a number has fewer behind its point than another of its column.

    A line has as many as make its own sum right; so points stand below each other all the same.
    """
    point, own = text.partition(".")[1:]
    return ("" if point or not most else POINT_WIDE) + FIGURE_WIDE * (most - len(own)) if text else ""


def with_room(rows: list[dict[str, Any]], names: Iterable[str]) -> list[dict[str, Any]]:
    """Return rows with the `room` behind the numbers of some columns, so that their points stand below each other."""
    most = {name: places(rows, name) for name in names}
    return [{**row, "room": {name: room_behind(row[name], most[name]) for name in most}} for row in rows]


def line_row(line: Line, decimals: int, language: str = "") -> dict[str, Any]:
    """Return a line of a player's card as it is shown, with the arithmetic of its change.

    Args:
        line: The line.
        decimals: Of ratings.
        language: Of the page, which who has many lines asks for once.
    """
    explanation, language = line.explanation, language or page_language()
    shown = step(explanation.before, explanation.change, explanation.after, decimals)
    written = arithmetic(explanation.reason, explanation.change, shown.decimals)
    reason = explanation.reason
    is_plain = reason.combine == "product" and all(abs(factor.value) == 1.0 for factor in reason.factors)  # 1 × 1 = 1
    return {
        "game": line.game,
        "opponent": line.opponent,
        "name": explanation.opponent,
        "opponent_rank": explanation.opponent_rank,
        "date": explanation.date,
        "colour": explanation.colour,
        "terms": _terms_in(explanation.handicap, explanation.komi, language),
        "stones": explanation.handicap,
        "komi": "" if explanation.komi is None else brief(explanation.komi),
        "result": explanation.result,
        "winner": explanation.winner,
        "weight": brief(explanation.weight),
        "before": shown.before,
        "change": shown.change,
        "after": shown.after,
        "rank_before": explanation.rank_before,
        "rank_after": explanation.rank_after,
        "promoted": explanation.rank_before != explanation.rank_after,
        "risen": _is_risen(explanation.rank_before, explanation.rank_after),
        "note": explanation.note,
        "is_rated": explanation.is_rated,
        "comment": explanation.comment,
        "arithmetic": "" if is_plain else written.line,
        "factors": []
        if is_plain
        else _with_levels(
            figure_words(line, language) for line in written.lines_in(lambda text: clause_words(text, language))
        ),
        "facts": [
            (clause_words(name, language), fact_words(value, language))
            for name, value in explanation.reason.facts.items()
        ],
        "system": line.rules.system,
    }


def _with_levels(lines: Iterable[str]) -> list[tuple[int, str]]:
    """Return how deep each line of factors stands in the others, and the line without its indent."""
    indents, leveled = list[int](), []
    for line in lines:
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        indents = [*(above for above in indents if above < indent), indent]
        leveled.append((len(indents) - 1, text))
    return leveled


def _is_risen(before: str, after: str) -> bool:
    return bool(before and after) and before != after and Rank.parse(after) > Rank.parse(before)


def terms_text(handicap: int, komi: float | None) -> str:
    """Return handicap and komi in words: `2 stones, Black gives 0.5`, `7 stones, White gives 5`."""
    return _terms_in(handicap, komi, page_language())


@lru_cache(MOST_TERMS)
def _terms_in(handicap: int, komi: float | None, language: str) -> str:
    parts = [] if handicap < 2 else [gettext("{stones} stones").format(stones=handicap)]
    if handicap == 1:
        parts.append(gettext("Black first"))
    if komi is not None:
        parts.append(komi_words(komi, language))
    return gettext(", ").join(parts)


KINDS = {
    "club": gettext_noop("club"),
    "tournament": gettext_noop("tournament"),
    "tournament-a": gettext_noop("tournament, class A"),
    "tournament-b": gettext_noop("tournament, class B"),
    "tournament-c": gettext_noop("tournament, class C"),
    "tournament-d": gettext_noop("tournament, class D"),
    "tournament-x": gettext_noop("tournament of no class"),
    "league": gettext_noop("league"),
    "friendly": gettext_noop("friendly"),
    "free": gettext_noop("free"),
    "teaching": gettext_noop("teaching"),
    "server": gettext_noop("on a server"),
    "history": gettext_noop("earlier game"),
}
"""What the kinds of games are called; a club may have others, which bear their own names."""


def game_kind(kind: str | None) -> str:
    """Return what a kind of games is called; one of a club's own as it is, nothing where none is said."""
    return gettext(KINDS.get(kind, kind)) if kind else ""


def result_text(text: str) -> str:
    """Return a result in words: `White by resignation`."""
    result = Result.parse(text)
    if result.score is None or result.score == 0.5:
        return gettext(WITHOUT_WINNER.get(text, "jigo"))
    winner = "Black" if result.score == 1.0 else "White"
    if not result.colours_known:
        winner = "the first" if result.score == 1.0 else "the second"
    if result.tail == "" and result.colours_known:
        return pgettext("winner", "Black") if winner == "Black" else pgettext("winner", "White")
    if (sentence := BY.get((winner, result.tail))) is not None:
        return gettext(sentence)
    points = komi_points(float(result.tail), page_language())
    return gettext("{winner} by {points}").format(winner=gettext(winner), points=points)


def game_row(state: State, row: dict[str, Any]) -> dict[str, Any]:
    """Return a game as it is shown."""
    people = {side: state.person(row[side]) for side in ("black", "white")}
    return {
        "key": f"g{row['line']}",
        "date": str(When(row["date"], row["precision"])) if row["date"] else "",
        "black": people["black"].key,
        "white": people["white"].key,
        "black_name": state.labels[people["black"].key],
        "white_name": state.labels[people["white"].key],
        "result": result_text(row["result"]),
        "colours_known": Result.parse(row["result"]).colours_known,
        "terms": terms_text(row["handicap"], row["komi"]),
        "size": row["size"],
        "kind": state.label_of(row["kind"]),
        "event": state.label_of(row["event"]),
        "round": row["round"],
        "notes": row["notes"],
        "status": STATUS[row["status"]],
        "withdrawn": row["status"] == WITHDRAWN,
        "waiting": row["status"] in {WAITING, DISPUTED},
        "disputed": row["status"] == DISPUTED,
        "handicap": row["handicap"],
    }


class ChangeRows:
    """Players whom a change would move as they are shown; a correction may move everybody, and a page shows the first.

    A row is worked out when it is asked for.
    """

    def __init__(self, moved: MovedPlayers) -> None:
        """Take whom a change moves; those whose figures are written as before are left out."""
        self.moved, self.decimals = moved.visible(), moved.decimals

    def __len__(self) -> int:
        """Number of players."""
        return len(self.moved)

    @property
    def other_unit(self) -> bool:
        """Whether the ratings before and after are of two systems, so that their difference says nothing."""
        return type(self.moved.before.system) is not type(self.moved.after.system)

    def __getitem__(self, places: slice) -> list[dict[str, Any]]:
        """Return some rows."""
        return [self._shown(row) for row in self.moved[places]]

    def _shown(self, row: dict[str, Any]) -> dict[str, Any]:
        shown = step(row["before"], row["change"], row["after"], self.decimals)
        return {**row, "before": shown.before, "after": shown.after, "change": shown.change}
