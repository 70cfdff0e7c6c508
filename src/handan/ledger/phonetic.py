"""How a name sounds, in one Latin spelling, so that it is found in whatever script and spelling it is typed.

Kana in any width become syllables; Satō, Satoh, Satou and さとう are one, as are shi and si, ji, zi and ぢ. Chinese
characters have no sound of their own here: a reading that somebody gave is never guessed. Of hangul the initials are
known: ㄱㅁㅅ stands for 김민수.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from handan.ledger.name_folding import folded

ROWS = (
    ("", "あいうえお"), ("k", "かきくけこ"), ("g", "がぎぐげご"), ("s", "さしすせそ"), ("z", "ざじずぜぞ"),
    ("t", "たちつてと"), ("d", "だぢづでど"), ("n", "なにぬねの"), ("h", "はひふへほ"), ("b", "ばびぶべぼ"),
    ("p", "ぱぴぷぺぽ"), ("m", "まみむめも"), ("r", "らりるれろ"),
)  # fmt: skip
SYLLABLES = {kana: onset + vowel for onset, row in ROWS for kana, vowel in zip(row, "aiueo", strict=True)}
SYLLABLES |= {"や": "ya", "ゆ": "yu", "よ": "yo", "わ": "wa", "ゐ": "i", "ゑ": "e", "を": "o", "ん": "n", "ゔ": "bu"}
GLIDES = {"ゃ": "ya", "ゅ": "yu", "ょ": "yo", "ぁ": "a", "ぃ": "i", "ぅ": "u", "ぇ": "e", "ぉ": "o"}
"""Small kana, which take the place of the vowel before them."""
FIRST_KATAKANA, LAST_KATAKANA, TO_HIRAGANA = 0x30A1, 0x30F6, 0x60
FIRST_INITIAL, LAST_INITIAL = "\u1100", "\u1112"
"""Initials of hangul, as Unicode takes syllables apart."""
PLAIN_INITIALS = "ㄱㄱㄴㄷㄷㄹㅁㅂㅂㅅㅅㅇㅈㅈㅊㅋㅌㅍㅎ"
"""Of each initial in that order how an index writes it; tense ones stand with the plain ones."""
INDEX = {"k": "か", "g": "か", "s": "さ", "z": "さ", "t": "た", "d": "た", "n": "な", "h": "は", "b": "は", "p": "は",
         "m": "ま", "y": "や", "r": "ら", "w": "わ"}  # fmt: skip
"""The heading of each row of the kana in an index."""
ROMAJI = re.compile(
    r"(?:(?:([kstpgdbzhmrf])(?=\1)|t(?=ch))?(?:[kgsztdnhbpmr]y|sh|ch|ts|dz|jy?|[kgsztdnhbpmyrwfv])?"
    r"[aiueo](?:h(?![aiueoy]))?|[nm](?![aiueoy]))+(?:sh|ch|ts|[kgsztdnhbpmyrwfjv]y?)?"
)
"""A word of Japanese syllables, the last of them perhaps not typed to its end."""
SPELLINGS = (
    (r"tch", "cch"), (r"cch", "tty"), (r"sh", "sy"), (r"ch", "ty"), (r"dz", "z"), (r"ts(?!s)", "t"), (r"jy?", "zy"),
    (r"([stz])yi", r"\1i"), (r"d([iu])", r"z\1"), (r"f", "h"), (r"v", "b"), (r"m(?=[bpm])", "n"), (r"wo", "o"),
    (r"oh(?![aiueoy])", "o"), (r"ou|oo", "o"), (r"([aiue])\1", r"\1"), (r"([aiueo])h(?![aiueoy])", r"\1"),
    (r"(?<=[a-z])y$", ""),
)  # fmt: skip
"""Hepburn and its kin as one spelling near Kunrei, long vowels short (Cabinet notification 1 of 1954, table 1)."""
UMLAUTS = (("ae", "a"), ("oe", "o"), ("ue", "u"))


@lru_cache(maxsize=65_536)  # our choice: names of all players of a large federation
def sound(name: str) -> str:
    """Return a name as it sounds: folded, kana in Latin letters, each Latin word in one spelling."""
    plain = folded(_in_latin(unicodedata.normalize("NFKC", name))).replace("'", "").replace("\u2019", "")
    return re.sub(r"[a-z]+", lambda match: _one_spelling(match[0]), plain)


def _in_latin(text: str) -> str:
    """Return a text with its kana as syllables."""
    made: list[str] = []
    double = False
    for char in text:
        is_katakana = FIRST_KATAKANA <= ord(char) <= LAST_KATAKANA
        kana = chr(ord(char) - TO_HIRAGANA) if is_katakana else char
        if kana == "っ":
            double = True
        elif kana in GLIDES and made and made[-1][-1:] in {*"aiueo"}:
            made[-1] = _glided(made[-1], GLIDES[kana])
        elif char != "ー":
            syllable = SYLLABLES.get(kana, char)
            made.append(syllable[0] + syllable if double and kana in SYLLABLES else syllable)
            double = False
    return "".join(made)


def _glided(syllable: str, glide: str) -> str:
    """Return a syllable with a small kana behind it: `ki` and `ya` are `kya`, `hu` and `a` are `ha`."""
    if len(syllable) == 1:
        return ("w" if syllable == "u" else syllable) + glide
    if syllable[-1] == "i" and glide == "e":
        return f"{syllable[:-1]}ye"
    return syllable[:-1] + glide


def _one_spelling(word: str) -> str:
    if not ROMAJI.fullmatch(word):
        for long, short in UMLAUTS:
            word = word.replace(long, short)
        return word
    for pattern, spelling in SPELLINGS:
        word = re.sub(pattern, spelling, word)
    return word


def initials(name: str) -> str:
    """Return the initials of the hangul in a name, empty for a name without: `김민수` is ㄱㅁㅅ."""
    return "".join(char for char in folded(name) if FIRST_INITIAL <= char <= LAST_INITIAL)


def index_heading(name: str) -> str:
    """Return under which heading of an index a name stands, as it sounds or is written.

    Kana stand under the first of their row (あ か さ …), hangul under its initial, letters under the capital; Chinese
    characters, of which no reading is known, and signs under `#`.
    """
    first = next(iter(unicodedata.normalize("NFKC", name).strip()), "")
    kana = chr(ord(first) - TO_HIRAGANA) if first and FIRST_KATAKANA <= ord(first) <= LAST_KATAKANA else first
    if (syllable := SYLLABLES.get(kana) or GLIDES.get(kana)) and not kana.isascii():
        return INDEX.get(syllable[0], "あ")
    if initial := initials(first)[:1]:
        return PLAIN_INITIALS[ord(initial) - ord(FIRST_INITIAL)]
    letter = unicodedata.normalize("NFD", first)[:1].upper()
    return letter if letter.isalpha() and not "\u3400" <= letter <= "\u9fff" else "#"


def is_initials(text: str) -> bool:
    """Whether a folded text is nothing but initials of hangul."""
    return bool(text) and all(FIRST_INITIAL <= char <= LAST_INITIAL for char in text)
