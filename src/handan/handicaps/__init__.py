"""What makes a game fair: points cards, their general law, a club's own card, and the terms of one game in words."""

from typing import TYPE_CHECKING

from handan.lazy_imports import attach

if TYPE_CHECKING:
    from handan.handicaps.card_law import MOST_STONES, Card, CardRow, regular_card
    from handan.handicaps.cards import CARDS, card
    from handan.handicaps.custom_card import card_of_text, card_text, is_table, read_card, write_card
    from handan.handicaps.terms import MOST_KOMI, NIGIRI, Terms, card_terms, too_much
    from handan.handicaps.worth import EVEN_KOMI, HANDICAP_KOMI, advantage, effective_handicap, stones_worth

__all__ = [
    "CARDS", "EVEN_KOMI", "HANDICAP_KOMI", "MOST_KOMI", "MOST_STONES", "NIGIRI", "Card", "CardRow", "Terms",
    "advantage", "card", "card_of_text", "card_terms", "card_text", "effective_handicap", "is_table", "read_card",
    "regular_card", "stones_worth", "too_much", "write_card",
]  # fmt: skip
__getattr__, __dir__ = attach(
    __name__,
    {
        "cards": ("CARDS", "card"),
        "custom_card": ("card_of_text", "card_text", "is_table", "read_card", "write_card"),
        "card_law": ("Card", "CardRow", "MOST_STONES", "regular_card"),
        "terms": ("MOST_KOMI", "NIGIRI", "Terms", "card_terms", "too_much"),
        "worth": ("EVEN_KOMI", "HANDICAP_KOMI", "advantage", "effective_handicap", "stones_worth"),
    },
)
