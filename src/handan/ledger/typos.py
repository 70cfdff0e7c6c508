"""Names that are spelt or sound almost like a text, for whoever has mistyped one; a person decides.

Words are compared with words, in any order: each of the name that has fewer is like another one of the other, and an
initial is like every word that begins with it. A name of one word is also compared with all words of the other without
blanks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from handan.ledger.name_folding import folded
from handan.ledger.phonetic import sound

LIKE, LIKE_IN_SIGNS = 75.0, 65.0  # percent; our choice: of words in letters, and in signs such as those of China
FIRST_SIGN = "\u3400"
"""The first of the Chinese characters; kana and hangul are compared by their letters."""
MOST_WORDS = 16  # our choice: of a text that count


class SpeltNames:
    """Names that are compared with a text."""

    def __init__(self, names: Iterable[str]) -> None:
        """Take the names."""
        names = list(names)
        self._forms = [_Forms(names, spelling) for spelling in (folded, sound)]

    def near(self, text: str) -> dict[str, float]:
        """Return how like names are to a text, in percent, without those that are not like it."""
        likeness: dict[str, float] = {}
        for forms in self._forms:
            for name, like in forms.near(text).items():
                likeness[name] = max(like, likeness.get(name, 0.0))
        return likeness


class _Forms:
    """Names in one spelling, taken apart into words."""

    def __init__(self, names: Iterable[str], spelling: Callable[[str], str]) -> None:
        self.spelling = spelling
        self.words = {name: _words(spelling(name)) for name in names}
        self.joined = {name: "".join(words) for name, words in self.words.items()}
        self.bearers: dict[str, list[str]] = defaultdict(list)
        for name, words in self.words.items():
            for word in words:
                self.bearers[word].append(name)

    def near(self, text: str) -> dict[str, float]:
        """Return how like names are to a text in this spelling, in percent."""
        wanted = _words(self.spelling(text))[:MOST_WORDS]
        names = {*self._sharing_a_word(wanted), *self._without_blanks(wanted)}
        likeness = {name: max(_by_words(wanted, self.words[name]), _joined(wanted, self.words[name])) for name in names}
        return {name: like for name, like in likeness.items() if like}

    def _sharing_a_word(self, wanted: Sequence[str]) -> Iterable[str]:
        """Return the names of which a word is like one of the text."""
        from rapidfuzz import fuzz, process

        for word in wanted:
            cut = _enough(word)
            for like, *_ in process.extract(word, self.bearers.keys(), scorer=fuzz.ratio, score_cutoff=cut, limit=None):
                yield from self.bearers[like]

    def _without_blanks(self, wanted: Sequence[str]) -> Iterable[str]:
        """Return the names that are like the text where blanks do not count."""
        from rapidfuzz import fuzz, process

        whole = "".join(wanted)
        like = process.extract(whole, self.joined, scorer=fuzz.ratio, score_cutoff=_enough(whole), limit=None)
        return [name for *_, name in like]


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


def _enough(word: str) -> float:
    """Return the likeness that is enough: one letter of four may be another, or one sign of three."""
    return LIKE_IN_SIGNS if max(word, default="") >= FIRST_SIGN else LIKE


def _by_words(one: Sequence[str], other: Sequence[str]) -> float:
    """Return how like two names are, word by word; 0 where a word of the one that has fewer is like none."""
    few, rest = sorted((list(one), list(other)), key=len)
    whole, letters = 0.0, sum(map(len, few))
    for word in sorted(few, key=len, reverse=True):
        like, match = max((_like(word, another), another) for another in rest)
        if not like:
            return 0.0
        rest.remove(match)
        whole += like * len(word)
    return whole / letters if letters else 0.0


def _like(one: str, other: str) -> float:
    """Return how like two words are; 0 where that is not enough."""
    from rapidfuzz import fuzz

    if len(one) == 1 or len(other) == 1:
        return 100.0 * (one[0] == other[0])
    return fuzz.ratio(one, other, score_cutoff=_enough(one))


def _joined(one: Sequence[str], other: Sequence[str]) -> float:
    """Return how like two names are of which one is a single word, without blanks; 0 where that is not enough."""
    from rapidfuzz import fuzz

    if min(len(one), len(other)) != 1:
        return 0.0
    whole = "".join(one)
    return fuzz.ratio(whole, "".join(other), score_cutoff=_enough(whole))
