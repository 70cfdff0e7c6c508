"""What makes a game fair: points cards, their general law, a club's own card, and the terms of one game in words."""

from handan.handicaps.cards import CARDS, card
from handan.handicaps.custom import read_card, write_card
from handan.handicaps.law import Card, CardRow, regular_card
from handan.handicaps.terms import Terms, card_terms
from handan.handicaps.worth import advantage, effective_handicap, stones_worth

__all__ = [
    "CARDS",
    "Card",
    "CardRow",
    "Terms",
    "advantage",
    "card",
    "card_terms",
    "effective_handicap",
    "read_card",
    "regular_card",
    "stones_worth",
    "write_card",
]
