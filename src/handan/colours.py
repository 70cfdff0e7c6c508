"""Black and White in many languages, so that no hint ever takes one for the other."""

from __future__ import annotations

import re
from functools import cache

from handan.words import languages_of, plain, words_of

BLACK, WHITE = "black", "white"
COLOURS = (BLACK, WHITE)
LONGEST = 40  # characters; our choice: a longer heading is a sentence


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


def _split(name: str) -> list[str]:
    """Return the words of a heading, plain."""
    return [word for word in re.split(r"[\W\d_]+", plain(name[:LONGEST])) if word]


def _colour(word: str) -> str:
    """Return the colour of a plain word, or of the English one that it begins with; empty if it is none."""
    return _words().get(word) or next((colour for colour in COLOURS if word.startswith(colour)), "")


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
