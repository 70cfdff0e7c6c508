"""Categories by age, such as U12 or 60+, of the year of birth and the year of a list.

Source: FIDE's rules for youth and senior events. U12 is who was not yet 12 before the first of January, 60+ who is 60
by the end of the year.
"""

from __future__ import annotations

import re

from handan.errors import FieldError

USUAL = "U12 U16 U20 60+"
CATEGORY = re.compile(r"U[1-9][0-9]?|[1-9][0-9]\+")
YEARS = 1900, 2100  # our choice: years of birth
LONGEST = 60  # our choice: characters of all categories of a club


def checked_categories(text: str) -> str:
    """Return categories by age with blanks between, empty where a club wants none; FieldError for what is none."""
    names = list(dict.fromkeys(text.upper().replace(",", " ").split()))
    if len(" ".join(names)) > LONGEST or not all(map(CATEGORY.fullmatch, names)):
        raise FieldError("categories", text, "categories such as U12 U16 U20 60+")
    return " ".join(names)


def checked_year(text: str) -> int | None:
    """Return a year of birth as somebody wrote it, None for an empty one; FieldError for what is none."""
    if not text.strip():
        return None
    if not (text.strip().isdecimal() and YEARS[0] <= int(text) <= YEARS[1]):
        raise FieldError("born", text, "a year such as 2012")
    return int(text)


def category_of(born: int, year: int, categories: str) -> str:
    """Return the narrowest of a club's categories that somebody born in a year is in; empty for none."""
    age, names = year - born, categories.split()
    youth = sorted(int(name[1:]) for name in names if name.startswith("U"))
    older = sorted((int(name[:-1]) for name in names if name.endswith("+")), reverse=True)
    under = next((f"U{limit}" for limit in youth if age <= limit), "")
    return under or next((f"{limit}+" for limit in older if age >= limit), "")
