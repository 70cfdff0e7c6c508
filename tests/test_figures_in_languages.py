"""Ranks, days and komi as each language writes them; `docs/languages.md` names the sources."""

from __future__ import annotations

from datetime import date

import pytest
from babel.dates import get_month_names

from handan.ranks import Rank
from handan.wording.languages import (
    LANGUAGES,
    date_words,
    figure_words,
    komi_points,
    month_alone,
    rank_words,
    short_date,
)

DAY = date(2026, 9, 5)
WRITTEN = {  # 4 dan, 1 dan, 5 kyu; a day in words and in a table; 6.5 and half a point of komi; a decimal
    "en": ("4d", "1d", "5k", "5 September 2026", "2026-09-05", "6.5", "0.5", "1234.5"),
    "ja": ("四段", "初段", "5級", "2026年9月5日", "2026/9/5", "6目半", "半目", "1234.5"),
    "zh-hans": ("4段", "1段", "5级", "2026年9月5日", "2026-09-05", "6目半", "半目", "1234.5"),
    "zh-hant": ("4段", "1段", "5級", "2026年9月5日", "2026/9/5", "6目半", "半目", "1234.5"),
    "ko": ("4단", "1단", "5급", "2026년 9월 5일", "2026-09-05", "6.5집", "0.5집", "1234.5"),
    "fr": ("4e dan", "1er dan", "5e kyu", "5 septembre 2026", "05/09/2026", "6,5", "0,5", "1234,5"),
    "de": ("4. Dan", "1. Dan", "5. Kyu", "5. September 2026", "05.09.2026", "6,5", "0,5", "1234,5"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_rank_a_day_and_komi_are_written_as_the_language_writes_them(language: str) -> None:
    four, one, five, words, short, komi, half, figure = WRITTEN[language]
    assert [rank_words(rank, language) for rank in (Rank.dan(4), Rank.dan(1), "5k")] == [four, one, five]
    assert [Rank.parse(text) for text in (four, one, five)] == [Rank.dan(4), Rank.dan(1), Rank.kyu(5)]  # and read again
    assert (date_words(DAY, language), short_date(DAY, language)) == (words, short)
    assert (komi_points(6.5, language), komi_points(0.5, language)) == (komi, half)
    assert figure_words("1234.5", language) == figure


@pytest.mark.parametrize("language", ["en", "fr", "de"])
def test_a_month_on_an_axis_is_shortened_as_the_language_shortens_it(language: str) -> None:
    months = [month_alone(date(2026, month, 1), language) for month in range(1, 13)]
    assert months == [*get_month_names("abbreviated", locale=language).values()]
