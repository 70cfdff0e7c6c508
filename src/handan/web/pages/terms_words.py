"""The terms of a game in the language of a page."""

from __future__ import annotations

from django.utils.translation import gettext

from handan.handicaps import NIGIRI, Terms
from handan.handicaps.card_law import WHITE_WINS
from handan.paper.words import komi_words


def terms_words(terms: Terms, language: str) -> str:
    """Return the terms in a sentence; in English it is `Terms.text`."""
    if terms.unfair:
        on_board = _on_board(terms, language)
        return gettext("no fair terms: {reason}; nearest: {terms}").format(reason=terms.unfair, terms=on_board)
    return _on_board(terms, language)


def _on_board(terms: Terms, language: str) -> str:
    parts = [_start(terms), giving_words(terms, language)]
    if terms.tie == WHITE_WINS:
        parts.append(gettext("a tie is White's"))
    return gettext(", ").join(parts)


def _start(terms: Terms) -> str:
    if terms.colours == NIGIRI:
        even, stones = gettext("Even game: nigiri"), gettext("{stones} stones").format(stones=terms.stones_on_board)
        return gettext(", ").join([even, stones] if terms.free_stones else [even])
    if terms.free_stones:
        return gettext("Black: {name}, {stones} stones").format(name=terms.black, stones=terms.stones_on_board)
    return gettext("Black: {name} moves first").format(name=terms.black)


def start_words(terms: Terms) -> str:
    """Return how the game begins, without names: `2 stones`, `Black first`, `Even game: nigiri`."""
    if terms.colours == NIGIRI and not terms.free_stones:
        return gettext("Even game: nigiri")
    return gettext("{stones} stones").format(stones=terms.handicap) if terms.free_stones else gettext("Black first")


def giving_words(terms: Terms, language: str) -> str:
    """Return who gives how many points under terms, which may leave komi to custom."""
    if terms.komi is None and terms.colours == NIGIRI:
        return gettext("usual komi")
    return komi_words(terms.komi or 0.0, language)
