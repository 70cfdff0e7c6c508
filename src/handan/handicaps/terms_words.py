"""The words in which clubs write terms: stones, komi and ties, in the languages of the pages.

Sources: the tables of Japanese clubs that `handan.handicaps.cards` names, and the words of the papers.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from handan.handicaps.card_csv import MOST_RECORDED_KOMI, MOST_RECORDED_STONES
from handan.handicaps.card_law import JIGO, WHITE_WINS

EVEN = (
    r"à égalité|égalité|égal|\beven(?: game)?|\bequal|nigiri|互先|分先|猜先|握り?|ニギリ|にぎり|호선|맞바둑|돌가리기"
    r"|gleichauf|gleich"
)
FIRST = (
    r"black (?:goes |moves |plays |is |starts )?first|takes black|first move|noir commence(?: \(sen\))?|sen\b"
    r"|\bfirst\b|schwarz beginnt|定先|先番|让先|讓先|정선|선번|先"
)
FIGURES = {"二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
STONES_WORDS = re.compile(
    rf"(?:让|讓|h(?:andicap)?\s*)?(\d{{1,3}}|[{''.join(FIGURES)}])\s*(?:stones?|子局?|目置き?|점|pierres?|steinen?|steine?|st\b)"
    r"|(?:h(?:andicap)?\s*)(\d{1,2})"
)
TIES = {
    WHITE_WINS: r"white wins(?: a tie| ties)?|a tie is white'?s|(?:持碁|ジゴ)(?:は|なら)?白勝ち?|和棋白[胜勝]|빅은 백승"
    r"|jigo an weiss|égalité à blanc",
    JIGO: r"jigo|持碁|ジゴ",
}
NO_KOMI = r"no komi|without komi|コミ(?:なし|無し)|不[贴貼]目?|덤\s*없음|sans komi|kein komi|ohne komi"
WHITE_GIVES = (
    r"white (?:gives|pays)|reverse komi|逆コミ(?:出し)?|白から|白コミ|白?(?:倒[贴貼]|反[贴貼])|역덤"
    r"|blanc donne|weiss gibt"
)
BLACK_GIVES = (
    r"black (?:gives|pays)|黒から|黒コミ|コミ出し|黑[贴貼]|[贴貼]目?|흑\s*덤|덤|noir donne|schwarz gibt|komi|コミ"
)
POINTS = r"(?:目|집|points?\b|pts?\b|punkte?\b)"
VALUE = rf"([-+]?(?:\d+(?:[.,]\d+)?|[.,]\d+))\s*{POINTS}?\s*(半|반)?|(半|반){POINTS}?"
GIVEN = rf"(?:({WHITE_GIVES})|({BLACK_GIVES}))\s*[:=]?\s*(?:{VALUE})"
KOMI = re.compile(GIVEN)
TO = re.compile(rf"\s*(?:…|\.\.\.?|->|→|~|〜|\bto\b|\bbis\b|\bà\b)\s*(?:{GIVEN}|({NO_KOMI}))")
BARE = re.compile(rf"\s*(?:{VALUE})\s*")
FILLER = re.compile(
    r"\bblack\b|\bwhite\b|takes|with|and|komi|handicap|schwarz|weiss|noir|blanc|und|et|avec|mit|黒|黑|白|で|も|は|置き?"
    r"|[\s,;:、，。|/()&]+|\.(?!\d)"
)


class TermsRead(NamedTuple):
    """Terms of a line: `stones` 0 even, 1 Black first, 2 and more on the board."""

    stones: int
    komi: float | None
    """Points to White at the first difference of the line; None: the card prints none."""
    to: float | None
    """Komi at the last difference, where each point of difference is a point of komi; None: all have the same."""
    tie: str
    """`jigo` or `white wins`; empty where the line does not say it."""


class UnreadableError(Exception):
    """A text that does not say what it should."""

    def __init__(self, kind: str, text: str) -> None:
        """Take the kind of remark, and the text."""
        self.kind, self.text = kind, text[:80]
        super().__init__(kind, self.text)


def plain_line(line: str) -> str:
    """Return a line with figures and signs in their plain form, in small letters, as the words here are written."""
    plain = unicodedata.normalize("NFKC", line).replace("\N{MINUS SIGN}", "-").casefold()
    return re.sub(r"[^\S\t]+", " ", plain)


def stones_in(text: str) -> int | None:
    """Return the stones that a heading or cell says: 0 even, 1 Black first; None if it says none."""
    text = text.strip()
    if re.fullmatch(r"\d{1,2}\.?", text):
        return int(text.rstrip("."))
    if re.fullmatch(EVEN, text):
        return 0
    if re.fullmatch(FIRST, text):
        return 1
    match = STONES_WORDS.fullmatch(text)
    return _count(match) if match else None


def komi_in(text: str) -> float:
    """Return the komi that a cell says, `6.5`, `-3`, `White gives 3`; UnreadableError if it says none."""
    text = text.strip()
    if re.fullmatch(NO_KOMI, text):
        return 0.0
    if match := KOMI.fullmatch(text):
        return _points(match, 3) * (-1 if match[1] else 1) + 0.0
    if match := BARE.fullmatch(text):
        return _points(match, 1) + 0.0
    raise UnreadableError("words", text)


def terms_in(text: str) -> TermsRead:
    """Return the terms that the words of a line say; UnreadableError if they say no stones, or more than terms."""
    rest, komi, to, tie = text, None, None, ""
    for name, words in TIES.items():
        if not tie and (match := re.search(words, rest)):
            rest, tie = _without(rest, match), name
    if match := KOMI.search(rest):
        komi = _points(match, 3) * (-1 if match[1] else 1) + 0.0
        end = TO.match(rest, match.end())
        rest = _without(rest, match, end)
    elif match := re.search(NO_KOMI, rest):
        komi, end = 0.0, TO.match(rest, match.end())
        rest = _without(rest, match, end)
    else:
        end = None
    if end is not None:
        to = 0.0 if end[6] else _points(end, 3) * (-1 if end[1] else 1) + 0.0
    stones, rest = _stones(rest)
    left = " ".join(FILLER.sub(" ", rest).split())
    if komi is None and (match := BARE.fullmatch(left)):
        komi, left = _points(match, 1) + 0.0, ""
    if left:
        raise UnreadableError("words", left)
    if stones is None:
        raise UnreadableError("stones", text.strip())
    if stones > MOST_RECORDED_STONES:
        raise UnreadableError("stones", text.strip())
    return TermsRead(stones, komi, to, tie)


def _stones(text: str) -> tuple[int | None, str]:
    """Return the stones that a text says, and what is left of it."""
    if match := STONES_WORDS.search(text):
        return _count(match), _without(text, match)
    for stones, words in ((0, EVEN), (1, FIRST)):
        if match := re.search(words, text):
            return stones, _without(text, match)
    match = re.match(r"\s*(\d{1,2})\b", text)
    return (int(match[1]), _without(text, match)) if match else (None, text)


def _without(text: str, match: re.Match[str], end: re.Match[str] | None = None) -> str:
    return f"{text[: match.start()]} {text[(end or match).end() :]}"


def _count(match: re.Match[str]) -> int:
    """Return the number that a word or figures name."""
    figure = match[1] or match[2]
    return FIGURES.get(figure) or int(figure)


def _points(match: re.Match[str], place: int) -> float:
    """Return the points in three groups from a place on: a number, a half behind it, a half alone."""
    number, half, alone = match[place], match[place + 1], match[place + 2]
    if alone:
        return 0.5
    value = float(number.replace(",", "."))
    value += (0.5 if value >= 0 else -0.5) if half else 0.0
    if abs(value) > MOST_RECORDED_KOMI:
        raise UnreadableError("words", match[0].strip())
    return value
