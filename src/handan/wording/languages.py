"""Ranks, dates and numbers as each language writes them, for pages and papers.

Sources: figures and dan by the club and federation pages that `docs/languages.md` names; eras of Japan by the cabinet
orders that began them.
"""

from __future__ import annotations

import re
from datetime import date, datetime
from functools import lru_cache

from handan.errors import InputError
from handan.ranks import Rank

LANGUAGES = {
    "en": "English",
    "ja": "日本語",
    "zh-hans": "简体中文",
    "zh-hant": "繁體中文",
    "ko": "한국어",
    "fr": "Français",
    "de": "Deutsch",
}
"""Languages of pages and papers by BCP 47, each with its own name."""
RANKS = {"zh-hans": "zh"}
"""Languages whose ranks `Rank.format` knows by another name."""
COMMA = {"fr", "de"}
"""Languages that write 6,5."""
DOT_BETWEEN_FIGURES = re.compile(r"(?<=\d)\.(?=\d)")
BETWEEN_SENTENCES = re.compile(r"(?<=[。！？])\s+(?=\S)")
SHORT_DATES = {"ja": "{y}/{m}/{d}", "zh-hant": "{y}/{m}/{d}", "fr": "{d:02}/{m:02}/{y}", "de": "{d:02}.{m:02}.{y}"}
"""How a table writes a day; the others write it as ISO 8601 does."""
SHORT_MONTHS = {"ja": "{y}/{m}", "zh-hant": "{y}/{m}", "fr": "{m:02}/{y}", "de": "{m:02}.{y}"}
WRITTEN = re.compile(r"(?P<y>\d{4})-(?P<m>\d\d)(?:-(?P<d>\d\d))?(?P<rest>.*)", re.DOTALL)
EAST_ASIAN = {
    **dict.fromkeys(("ja", "zh-hans", "zh-hant"), ("{y}年{m}月", "{d}日")),
    "ko": ("{y}년 {m}월", " {d}일"),
}
"""Year and month, and what stands behind them for a day."""
MONTHS = {
    "en": ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December"),
    "fr": ("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
           "novembre", "décembre"),
    "de": ("Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
           "November", "Dezember"),
}  # fmt: skip
SHORT_MONTH_NAMES = {
    "en": ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
    "fr": ("janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."),
    "de": ("Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."),
}
"""As the Unicode consortium's Common Locale Data Repository has them."""
SINCE = {
    "en": "since {day}", "ja": "{day}から", "zh-hans": "{day}起", "zh-hant": "{day}起", "ko": "{day}부터",
    "fr": "depuis {day}", "de": "seit {day}",
}  # fmt: skip
WITHOUT_GAMES = {
    "en": "no games yet", "ja": "対局なし", "zh-hans": "尚无对局", "zh-hant": "尚無對局", "ko": "대국 없음",
    "fr": "aucune partie", "de": "noch keine Partie",
}  # fmt: skip
"""What stands behind a name in place of `since_words`, for who has not played."""
FORMER_MEMBER = {
    "en": "a former member", "ja": "元会員", "zh-hans": "前会员", "zh-hant": "前會員", "ko": "전 회원",
    "fr": "un ancien membre", "de": "ein früheres Mitglied",
}  # fmt: skip
"""What stands in place of the name of somebody who was forgotten."""
HIDDEN_MEMBER = {
    "en": "a member", "ja": "会員", "zh-hans": "一位会员", "zh-hant": "一位會員", "ko": "한 회원",
    "fr": "un membre", "de": "ein Mitglied",
}  # fmt: skip
"""What visitors see in place of the name of a member who is not shown to them."""
ERAS = ((date(2019, 5, 1), "令和"), (date(1989, 1, 8), "平成"), (date(1926, 12, 25), "昭和"))
"""First day of each era."""


@lru_cache(maxsize=1000)
def rank_words(rank: Rank | str | None, language: str, *, long: bool = False) -> str:
    """Return a rank: `5k`, `5級`, `5급`, `5e kyu`, `5. Kyu`; empty for none.

    Args:
        rank: A rank, or text that may be one; other text is returned as it is.
        language: One of `LANGUAGES`.
        long: Whether English says `5 kyu`, as papers do.
    """
    if not rank:
        return ""
    if isinstance(rank, str):
        try:
            rank = Rank.parse(rank)
        except InputError:
            return str(rank)
    return rank.format("en-long" if long and language == "en" else RANKS.get(language, language))


def short_rank(rank: Rank | str | None, language: str) -> str:
    """Return a rank as tables have room for it: where others are long, `5k` in German and `5K` in French."""
    text = rank_words(rank, "en" if language in COMMA else language)
    return text.upper() if language == "fr" else text


def date_words(day: date, language: str, *, era: bool = False) -> str:
    """Return a day in words: `21 November 2026`, `2026年11月21日`; with `era`, Japanese counts years by its eras."""
    if language in EAST_ASIAN:
        return month_words(day, language, era=era) + EAST_ASIAN[language][1].format(d=day.day)
    number = {"de": f"{day.day}.", "fr": "1er" if day.day == 1 else str(day.day)}.get(language, str(day.day))
    return f"{number} {month_words(day, language)}"


def month_words(day: date, language: str, *, era: bool = False) -> str:
    """Return the month of a day: `November 2026`, `2026年11月`, with `era` `令和8年11月`."""
    if language not in EAST_ASIAN:
        return f"{MONTHS[language][day.month - 1]} {day.year}"
    year = _year_of_era(day) if era and language == "ja" else str(day.year)
    return EAST_ASIAN[language][0].format(y=year, m=day.month)


def month_alone(day: date, language: str) -> str:
    """Return the month of a day without its year, as an axis has room for it: `Nov`, `11月`, `11월`."""
    if language in EAST_ASIAN:
        _, _, month = EAST_ASIAN[language][0].partition("}")
        return month.strip("年년 ").format(m=day.month)
    return SHORT_MONTH_NAMES.get(language, SHORT_MONTH_NAMES["en"])[day.month - 1]


def since_words(day: str, language: str) -> str:
    """Return since when somebody plays, of a year, month or day: `since 2019`, `2019年から`, `depuis mai 2019`."""
    match = WRITTEN.fullmatch(day)
    if match is None:
        year = EAST_ASIAN[language][0].partition(" ")[0].partition("{m}")[0] if language in EAST_ASIAN else "{y}"
        return SINCE[language].format(day=year.format(y=day))
    first = date(int(match["y"]), int(match["m"]), int(match["d"] or 1))
    return SINCE[language].format(day=(date_words if match["d"] else month_words)(first, language))


def _year_of_era(day: date) -> str:
    """Return a year as Japan counts it: `令和8`, the first `令和元`; before 1926 as others count it."""
    for begin, name in ERAS:
        if day >= begin:
            year = day.year - begin.year + 1
            return f"{name}{year if year > 1 else '元'}"
    return str(day.year)


def short_date(day: date | str | None, language: str) -> str:
    """Return a day as tables write it: `2026-11-21`, `2026/11/21`, `21.11.2026`; empty for none.

    A text may also be a month or bear a time, as dates of files do; what is no date is returned as it is.
    """
    if not day:
        return ""
    text = f"{day:%Y-%m-%d}" if isinstance(day, date | datetime) else str(day)
    match = WRITTEN.fullmatch(text)
    if not match or language not in SHORT_DATES:
        return text
    template = SHORT_DATES[language] if match["d"] else SHORT_MONTHS[language]
    parts = {name: int(match[name] or 0) for name in ("m", "d")}
    return template.format(y=match["y"], **parts) + match["rest"]


def close_up(text: str) -> str:
    """Return sentences without the blanks that Japanese and Chinese do not have between them."""
    return BETWEEN_SENTENCES.sub("", text)


def figure_words(text: str, language: str) -> str:
    """Return numbers that are text already, with the decimal sign of a language: `6.5`, `6,5`."""
    return DOT_BETWEEN_FIGURES.sub(",", text) if language in COMMA else text


def komi_points(points: float, language: str) -> str:
    """Return points of komi: `6.5`, `6目半`, `6.5집`, `6,5`."""
    if language in {"en", "fr", "de"}:
        return figure_words(f"{points:g}", language)
    if language == "ko":
        return f"{points:g}집"
    whole, half = int(points), points == int(points) + 0.5
    if half:
        return f"{whole}目半" if whole else "半目"
    return f"{points:g}目"
