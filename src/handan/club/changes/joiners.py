"""The two joiners of Unicode, which nobody sees by themselves: where the letters beside them look other because of one.

Persian parts letters of a word by the non-joiner, scripts of India and Sri Lanka choose by both how a conjunct is
written, and emoji are put together by the joiner. Anywhere else they show nothing, and only make names look alike.
"""

from __future__ import annotations

import unicodedata

import idna

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
