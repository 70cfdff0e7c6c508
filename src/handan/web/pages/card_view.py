"""A points card as a page shows it: the table of the poster, runs of differences, and what other terms there were."""

from __future__ import annotations

from typing import Any

from handan.club.service.office import PastYear
from handan.handicaps import Card
from handan.paper.card_table import CardTable, card_table, column_words, runs, terms_words
from handan.paper.poster import rule_sentences
from handan.paper.words import card_title, komi_words
from handan.web.pages.formatting import ChangeRows
from handan.web.pages.wording import page_language

MOST_GAMES = 300  # our choice: games with other terms that a page lists


def shown_card(card: Card) -> dict[str, Any]:
    """Return a card as it is shown: as stones by komi where it reads well so, and always as runs of differences."""
    language, table = page_language(), card_table(card)
    return {
        "title": card_title(card.title, language),
        "grid": _grid(table, language) if table.is_grid else None,
        "runs": run_lines(table, language),
        "rules": rule_sentences(card, language),
        "last": table.entries[-1].last,
    }


def run_lines(table: CardTable, language: str) -> list[tuple[str, str]]:
    """Return runs of differences with their terms in words, as `read_typed` reads them."""
    return [(run.text, terms_words(run.first, run.last, language)) for run in runs(table.entries)]


def _grid(table: CardTable, language: str) -> dict[str, Any]:
    rows = []
    for komi in table.rows:
        cells = [table.cells.get((komi, column), ()) for column in table.columns]
        texts = [", ".join(entry.text for entry in cell) for cell in cells]
        from_white = komi is not None and komi < 0
        rows.append({"komi": komi_words(komi, language), "from_white": from_white, "cells": texts})
    return {"heads": [column_words(column, language) for column in table.columns], "rows": rows}


def shown_year(year: PastYear) -> dict[str, Any]:
    """Return what other rules would have done to the past year as it is shown."""
    return {
        "since": year.since,
        "moved": ChangeRows(year.moved),
        "games": year.games,
        "number": len(year.others),
        "others": year.others[:MOST_GAMES],
    }
