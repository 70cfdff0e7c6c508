"""Black and White in many languages, so that no hint ever takes one for the other."""

from __future__ import annotations

import re
from functools import cache

from handan.words import MORE, languages_of, plain, words_of

BLACK, WHITE = "black", "white"
COLOURS = (BLACK, WHITE)
LONGEST = 40  # characters; our choice: a longer heading is a sentence
LONGEST_QUESTION = 200  # characters; our choice: no question over a column is longer


def colour_of(name: str) -> str:
    """Return `black` or `white` if a heading says one of them in some language, empty if none or both."""
    if len(name) > LONGEST:
        return ""
    colours = {_colour(word) for word in _split(name)} - {""}
    return colours.pop() if len(colours) == 1 else ""


def player_of(name: str) -> str:
    """Return the colour of a heading that says nothing but the player of that colour, empty for any other."""
    return colour_of(name) if all(_colour(word) or word in _players() for word in _split(name)) else ""


def players_of(name: str) -> tuple[str, ...]:
    """Return the colours of a heading that says nothing but players of them, in its order: `Black vs White`."""
    colours = []
    for word in _split(name) if len(name) <= LONGEST else ():
        if colour := _words().get(word):
            colours.append(colour)
        elif word not in _players() | words_of("versus"):
            return ()
    return tuple(colours)


def colours_in(text: str) -> frozenset[str]:
    """Return the colours that a heading of any length names, also within words of scripts without blanks."""
    return frozenset(colour for word in _split(text, LONGEST_QUESTION) for colour in _within(word))


def languages_in(text: str, colour: str) -> frozenset[str]:
    """Return the languages of the words for a colour in a heading."""
    words = languages_of("colour", colour)
    return frozenset(language for word in _split(text, LONGEST_QUESTION) for language in words.get(word, ())) - {MORE}


def _within(word: str) -> list[str]:
    """Return the colours that a word of a heading names."""
    whole = _colour(word)
    if whole:
        return [whole]
    return [colour for colour, letters in LETTERS.items() if any(letter in word for letter in letters)]


def may_mean(name: str, candidate: str) -> bool:
    """Return whether a hint may propose `candidate` for `name`: not if it could be a slip for the other colour.

    Args:
        name: What was written.
        candidate: A name that is there, such as `black_rank`.
    """
    colour = candidate.split("_", maxsplit=1)[0]
    if colour not in COLOURS:
        return True
    written = colour_of(name)
    if written:
        return written == colour
    from rapidfuzz.distance import OSA

    first = next(iter(_split(name)), "")
    own = OSA.distance(first, colour)
    sounds_other = any(first[:1] == other[0] for other in COLOURS if other != colour)
    return (
        own < 2
        and not sounds_other
        and all(OSA.distance(first, word) > own for word, other in _words().items() if other != colour)
    )


def _split(name: str, longest: int = LONGEST) -> list[str]:
    """Return the words of a heading, plain."""
    return [word for word in re.split(r"[\W\d_]+", plain(name[:longest])) if word]


def _colour(word: str) -> str:
    """Return the colour of a plain word, or of the English one that it begins with; empty if it is none."""
    return _words().get(word) or next((colour for colour in COLOURS if word.startswith(colour)), "")


LETTERS = {BLACK: (*"黒黑", plain("흑")), WHITE: ("白", plain("백"))}
"""Letters that are a colour wherever they stand in a word."""


@cache
def _words() -> dict[str, str]:
    """Return the colour of each word.

    Words are no English words of another meaning, such as Dutch wit or Danish sort; single letters mean nothing: B is
    Black in English, and White in French, Spanish and Polish.
    """
    return {word: colour for colour in COLOURS for word in languages_of("colour", colour)}


@cache
def _players() -> frozenset[str]:
    """Return what stands beside a colour and adds nothing."""
    return words_of("beside")
