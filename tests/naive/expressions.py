"""A slow twin of Python's regular expressions that counts what it looks at, written from their documentation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from re import _compiler, _parser  # type: ignore[attr-defined]
from typing import Any

Rest = Callable[[int], bool]
"""Whether what follows in the expression fits from a place of the text on."""
Part = Callable[[int, Rest], bool]
CHARACTERS = {"LITERAL", "NOT_LITERAL", "IN", "ANY"}
REPEATS = {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"}


class TooManySteps(Exception):  # noqa: N818  # it is an answer
    """More characters and places were looked at than was allowed."""


class Twin:
    """An expression that counts its steps."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        tree = _parser.parse(pattern.pattern, pattern.flags)
        self._state, self._groups = tree.state, dict[int, tuple[int, int]]()
        self._whole = self._sequence(tree)

    def spans(self, text: Any, most: float, *, whole: bool) -> Iterator[tuple[int, int]]:
        """Yield where matches begin and end: anywhere, or that of the whole text."""
        self.text, self.steps, self._most = text, 0, most
        place, ends = 0, list[int]()
        while place <= len(text):
            ends.clear()
            if self._whole(place, lambda end: (not whole or end == len(text)) and _noted(ends, end)):
                yield place, ends[0]
            if whole:
                return
            place = max(place + 1, *ends) if ends else place + 1

    def _count(self) -> bool:
        self.steps += 1
        if self.steps > self._most:
            raise TooManySteps
        return True

    def _sequence(self, nodes: Any) -> Part:
        parts = [self._part(str(kind), value, (kind, value)) for kind, value in nodes]

        def run(number: int, rest: Rest, place: int) -> bool:
            if number == len(parts):
                return rest(place)
            return parts[number](place, lambda end: run(number + 1, rest, end))

        return lambda place, rest: run(0, rest, place)

    def _part(self, kind: str, value: Any, node: Any) -> Part:
        if kind in CHARACTERS:
            fits = self._fitting(node)
            return lambda place, rest: fits(place) and rest(place + 1)
        if kind == "AT":
            one = self._alone(node)
            return lambda place, rest: self._count() and bool(one.match(self.text, place)) and rest(place)
        if kind in REPEATS:
            least, most, inner = value
            if len(inner) == 1 and str(inner[0][0]) in CHARACTERS:
                return self._repeated_character(kind, least, most, self._fitting(inner[0]))
            return self._repeat(kind, least, most, self._sequence(inner))
        if kind == "SUBPATTERN":
            return self._group(value[0], self._sequence(value[3]))
        if kind == "BRANCH":
            ways = [self._sequence(each) for each in value[1]]
            return lambda place, rest: any(way(place, rest) for way in ways)
        if kind in {"ASSERT", "ASSERT_NOT"}:
            inner, back = self._sequence(value[1]), value[1].getwidth()[0] if value[0] < 0 else 0
            wanted = kind == "ASSERT"
            return lambda place, rest: (place >= back and inner(place - back, lambda _: True)) == wanted and rest(place)
        if kind == "GROUPREF":
            return lambda place, rest: self._again(self.text[slice(*self._groups[value])], place, rest)
        raise NotImplementedError(kind)

    def _alone(self, node: Any) -> re.Pattern[Any]:
        return _compiler.compile(_parser.SubPattern(self._state, [node]), self._state.flags)  # type: ignore[no-any-return]

    def _fitting(self, node: Any) -> Callable[[int], bool]:
        fits = cache(self._alone(node).match)

        def at(place: int) -> bool:
            self._count()
            return fits(self.text[place : place + 1]) is not None

        return at

    def _again(self, text: Any, place: int, rest: Rest) -> bool:
        self.steps += len(text)
        return self.text[place : place + len(text)] == text and rest(place + len(text))

    def _group(self, number: int | None, inner: Part) -> Part:
        if number is None:
            return inner

        def run(place: int, rest: Rest) -> bool:
            def after(end: int) -> bool:
                self._groups[number] = place, end
                return rest(end)

            return inner(place, after)

        return run

    def _repeated_character(self, kind: str, least: int, most: int, fits: Callable[[int], bool]) -> Part:
        def run(place: int, rest: Rest) -> bool:
            end = place
            while (
                end - place < most and not (kind == "MIN_REPEAT" and end - place >= least and rest(end)) and fits(end)
            ):
                end += 1
            if kind == "MAX_REPEAT":
                return any(rest(each) for each in range(end, place + least - 1, -1))
            return end - place >= least and rest(end)

        return run

    def _repeat(self, kind: str, least: int, most: int, inner: Part) -> Part:
        def greedy(times: int, rest: Rest, place: int) -> bool:
            if times < least:
                return inner(place, lambda end: greedy(times + 1, rest, end))
            more = times < most and inner(place, lambda end: end > place and greedy(times + 1, rest, end))
            return more or rest(place)

        def lazy(times: int, rest: Rest, place: int) -> bool:
            if times >= least and rest(place):
                return True
            return times < most and inner(place, lambda end: lazy(times + 1, rest, end))

        def possessive(times: int, rest: Rest, place: int) -> bool:
            ends = [place]
            while times < most and inner(ends[-1], lambda end: _noted(ends, end)) and ends[-1] > ends[-2]:
                times += 1
            return times >= least and rest(ends[-1])

        run = {"MAX_REPEAT": greedy, "MIN_REPEAT": lazy, "POSSESSIVE_REPEAT": possessive}[kind]
        return lambda place, rest: run(0, rest, place)


def _noted(ends: list[int], end: int) -> bool:
    ends.append(end)
    return True
