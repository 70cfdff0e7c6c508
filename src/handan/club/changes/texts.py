"""Texts that people write, as every database keeps them and every reader sees them."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable
from datetime import date, datetime
from typing import Any

import idna

from handan.club.people import Person
from handan.club.zones import day_words
from handan.errors import Clause, FieldError, InputError, shown
from handan.ledger import When
from handan.ledger.dates import EARLIEST
from handan.words import JOINERS

NON_JOINER, JOINER = "\u200c", "\u200d"
VIRAMA = 9  # the combining class of the signs that take a vowel away
VARIATION = "\ufe0f"  # shows the sign before it as a picture
TONES = "".join(map(chr, range(0x1F3FB, 0x1F400)))
FIRST_PICTURE = "\u2190"  # arrows, the first signs that are parts of emoji, begin here


def is_seen(text: str, place: int) -> bool:
    """Return whether the joiner at a place of a text changes how the letters beside it look.

    These are the contexts A1, A2 and B of UAX #31 (Unicode identifiers, section on layout and format control
    characters); A1 is decided as in RFC 5892, appendix A.1. Besides, Bengali and Kannada put the joiner before the
    virama (The Unicode Standard, chapter 12), and emoji have it between pictures (UTS #51, section 2.3).
    """
    before, after = text[:place], text[place + 1 :]
    if text[place] == NON_JOINER:
        letter = next((char for char in after if not unicodedata.combining(char)), "")
        return (_ends_in_virama(before) and _is_letter(letter)) or _parts_cursive(text, place)
    if _ends_in_virama(before):
        return not after or not (after[0] in (NON_JOINER, JOINER) or unicodedata.category(after[0]).startswith("M"))
    if after and unicodedata.combining(after[0]) == VIRAMA:
        return _is_letter(before[-1:]) and _is_letter(after[1:2])
    return _is_picture(before.rstrip(VARIATION + TONES)[-1:]) and _is_picture(after[:1])


def _ends_in_virama(before: str) -> bool:
    """Return whether a virama stands last, other marks aside, on a letter."""
    marks: list[str] = []
    for char in reversed(before):
        if unicodedata.category(char) != "Mn":
            return _is_letter(char) and VIRAMA in map(unicodedata.combining, marks)
        marks.append(char)
    return False


def _is_letter(char: str) -> bool:
    return bool(char) and unicodedata.category(char).startswith("L")


def _is_picture(sign: str) -> bool:
    return sign >= FIRST_PICTURE and unicodedata.category(sign) in {"So", "Sm"}


def _parts_cursive(text: str, place: int) -> bool:
    """Return whether the letters on both sides of the non-joiner would be written together without it."""
    if place == 0 or unicodedata.combining(text[place - 1]) == VIRAMA:
        return False
    try:
        return bool(idna.valid_contextj(text, place))
    except (ValueError, idna.IDNAError):  # beside it stands what Unicode has not named
        return False


PERSONAL = ("name", "reading", "country", "club")
UNSEEN = {"Cc", "Cf", "Co", "Zl", "Zp"}
"""Unicode's categories of control and format characters, of private ones, and of separators of lines."""
BLANK_LETTERS = "\u115f\u1160\u3164\uffa0\u2800\u034f"
"""Fillers and a blank of Braille, which Unicode counts as letters and signs."""
ALL_SEEN = "text without characters that nobody sees ({code})"
CHANGE_THERE = "{field} {found} is not {expected}; change that where the ledger comes from, and export it again"
NO_JOINER = "text without characters that nobody sees ({code}, which joins or parts nothing where it stands)"
LONGEST = 200  # our choice: characters of a name or an event; of notes and reasons ten times as many


def checked_text(value: Any, name: str, limit: int = LONGEST) -> str:
    """Return a value as text that every database keeps and every file holds; FieldError otherwise."""
    text = "" if value is None else str(value)
    if len(text) > limit or "\x00" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
        pattern = "text of at most {most} characters, without NUL and halves of characters"
        raise FieldError(name, text, Clause.of(pattern, most=limit))
    return text


def visible_text(value: Any, name: str) -> str:
    """Return text of which every character can be seen; FieldError for one by which two names would look alike.

    Joiners stay where they change how letters look, as in Persian names and in those of scripts of India.
    """
    text = checked_text(value, name)
    for place, letter in enumerate(text):
        if _is_unseen(text, place):
            pattern = NO_JOINER if letter in JOINERS else ALL_SEEN
            raise FieldError(name, _with_codes(text), Clause.of(pattern, code=_code(letter)))
    return text


def _with_codes(text: str) -> str:
    """Return a text in which the code stands in place of each character that nobody sees: `[U+202E]`."""
    return "".join(f"[{_code(letter)}]" if _is_unseen(text, place) else letter for place, letter in enumerate(text))


def _is_unseen(text: str, place: int) -> bool:
    letter = text[place]
    if letter in JOINERS:
        return not is_seen(text, place)
    return unicodedata.category(letter) in UNSEEN or letter in BLANK_LETTERS


def _code(letter: str) -> str:
    return f"U+{ord(letter):04X}"


def refuse_unseen(people: Collection[Person], authors: Iterable[str]) -> None:
    """Refuse a ledger from elsewhere in which a name, as it stands at its end, has characters that nobody sees."""
    texts = [(name, getattr(person, name)) for person in people for name in PERSONAL]
    texts += [("ids", number) for person in people for number in person.ids]
    for name, text in (*texts, *(("author", author) for author in authors)):
        try:
            visible_text(text, name)
        except FieldError as error:
            values = {"field": Clause.of(error.field), "found": shown(error.found), "expected": error.expected}
            raise InputError(Clause.of(CHANGE_THERE, **values)) from None


def checked_reason(text: str) -> str:
    """Return why something was changed, without blanks around it; FieldError for what cannot be kept."""
    return checked_text(text.strip(), "reason", 10 * LONGEST)


def refuse_impossible_day(when: When | datetime | date | str | None, today: date, zone: str) -> None:
    """Refuse a day that has not begun at the club, by which zone it is said, and one of a year that is half typed."""
    parsed = When.of(when)
    if parsed is not None and parsed.moment < EARLIEST:  # readers of entries take it for no date
        raise FieldError("date", str(parsed), Clause.of("a day from {first} on", first=EARLIEST.date()))
    if parsed is not None and parsed.moment.date() > today:
        raise FieldError("date", str(parsed), day_words(today, zone))
