"""Where games begin in the text of game records, and the properties of their roots; moves are not read.

A scanner of our own, because it has to go on where a parser must stop: in values with a bracket that is not escaped and
in records cut off in the middle; and it never looks at more than the first nodes of a game. No text takes it longer
than its length.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from handan.files.io.limits import Limits

START = re.compile(r"\(\s*+;")
BARE_START = re.compile(r"\(\s*+(?=[A-Za-z]++\s*+\[)")
"""A root without its semicolon, as Sina and the Nihon Ki-in write it."""
PROPERTY = re.compile(r"\s*+(?<![A-Za-z])([A-Za-z]++)\s*+(?=\[)")
LATER = re.compile(r"(?<![A-Za-z])[A-Za-z]++\s*+(?=\[)")
VALUE = re.compile(r"\s*+\[((?:[^\]\\]++|\\.)*+)\]", re.DOTALL)
NODE = re.compile(r"\s*+;")
END_OF_NODE = re.compile(r"\s*+(?:;|\(\s*+;|\)|\Z)")
TOKEN = re.compile(r"\[(?:[^\]\\]++|\\.)*+(?:\]|\Z)|[()]", re.DOTALL)
SMALL = re.compile("[a-z]")
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
REACH = 4096  # our choice: characters behind a bracket that is not escaped in which the next property is looked for
PLAYERS = ("PB", "PW")
WANTED = frozenset((
    "PB", "PW", "BR", "WR", "EV", "RO", "DT", "RD", "RE", "KM", "HA", "SZ", "GM", "AP", "SO", "PC", "TE", "KO",
))  # fmt: skip


@dataclass(slots=True)
class Node:
    """The properties of one game's root, escapes resolved; the last of a repeated one stands."""

    line: int
    properties: dict[str, str] = field(default_factory=dict)
    stones: dict[str, int] = field(default_factory=dict)
    """Stones that are set up, by AB and AW."""
    first: str = ""
    """Who makes the first move, B or W; empty if nobody does."""
    swallowed: bool = False
    """Whether something stood between the properties that is none, as after a bracket that is not escaped."""
    overwritten: dict[str, str] = field(default_factory=dict)
    """Values of properties that stand again with another value."""

    def take(self, name: str, value: str) -> None:
        """Take the value of a property in place of an earlier one."""
        if (earlier := self.properties.get(name, "").strip()) not in ("", value.strip()):
            self.overwritten[name] = earlier
        self.properties[name] = value

    @property
    def named(self) -> bool:
        """Whether a player is named."""
        return any(self.properties.get(name, "").strip() for name in PLAYERS)


def roots_of(text: str, source: str, limits: Limits) -> Iterator[Node]:
    """Go through the roots of all games; InputError where a limit is broken.

    A game begins at depth 0 of the brackets around variations, or deeper where the node above names no player, as
    MultiGo keeps several games under one empty root.
    """
    text, start = _with_bracket(text)
    place, line, before = 0, 1, 0
    while match := start.search(text, place):
        line += text.count("\n", before, match.start())
        before = match.start()
        where = f"{source} line {line}"
        node, end = _root(text, match.end(), line, where, limits)
        if node.named:
            yield node
            place = _after(text, end, where, limits)
            continue
        games: list[Node] = []
        place = _games_below(text, end, node, games, source, limits)
        yield from games or [node]


def _with_bracket(text: str) -> tuple[str, re.Pattern[str]]:
    """Return text whose first game begins with a bracket, and what games begin with."""
    text = text.removeprefix("\ufeff")
    begin = BARE_START.match(text.lstrip())
    if begin:
        return text, BARE_START
    if lacks_bracket(text):
        return f"({text}" if NODE.match(text) else f"(;{text}", START
    return text, START


def lacks_bracket(text: str) -> bool:
    """Return whether a text begins with the properties of a game without the bracket before them."""
    match = NODE.match(text)
    place = match.end() if match else 0
    names: list[str] = []
    while len(names) < 3 and (name := PROPERTY.match(text, place)) and (value := VALUE.match(text, name.end())):
        names.append(SMALL.sub("", name[1]))
        place = value.end()
    return len(names) > 1 and not {"GM", "FF", "SZ", "CA", *PLAYERS}.isdisjoint(names)


def _root(text: str, start: int, line: int, where: str, limits: Limits) -> tuple[Node, int]:
    """Return the root that begins at a place, with what stands in the node behind it, and where it ends."""
    node = Node(line)
    end = _read_node(text, start, node, where, limits)
    if not node.first and (match := NODE.match(text, end)):
        second = Node(line)
        after = _read_node(text, match.end(), second, where, limits)
        if not second.swallowed:
            node.first, end = second.first, after
            node.stones = {name: node.stones.get(name, 0) + second.stones.get(name, 0) for name in ("AB", "AW")}
            if not node.named:
                node.properties |= second.properties
    return node, end


def _read_node(text: str, start: int, node: Node, where: str, limits: Limits) -> int:
    """Read the properties of the node that begins at a place; return where it ends."""
    place = start
    while place < len(text):
        match = PROPERTY.match(text, place)
        if not match:
            later = None if END_OF_NODE.match(text, place) else LATER.search(text, place, place + REACH)
            if later is None or text[place : later.start()].rstrip().endswith(";"):
                break
            node.swallowed, place = True, later.start()
            continue
        name = SMALL.sub("", match[1])  # versions 1 to 3 spell names in full: GaMe
        place = match.end()
        while value := VALUE.match(text, place):
            if name in WANTED:
                node.take(name, ESCAPE.sub(_plain, value[1]) if "\\" in value[1] else value[1])
            elif name in ("AB", "AW"):
                node.stones[name] = node.stones.get(name, 0) + _points(value[1])
            elif name in ("B", "W"):
                node.first = node.first or name
            place = value.end()
            if place - start > limits.node:
                raise limits.exceeded("node", where)
        if text[place : place + 1] == "[":
            break  # a value that is never closed
    return place


def _plain(escape: re.Match[str]) -> str:
    return escape[1].strip("\n")


def _points(value: str) -> int:
    """Return how many points a value names: one, or those of a rectangle such as `aa:cc`."""
    first, _, last = value.strip().partition(":")
    if len(first) == 2 and len(last) == 2:
        return (abs(ord(last[0]) - ord(first[0])) + 1) * (abs(ord(last[1]) - ord(first[1])) + 1)
    return int(len(first) == 2)


def _after(text: str, place: int, where: str, limits: Limits) -> int:
    """Return the place behind the end of the game, past its moves and variations."""
    depth = 1
    for match in TOKEN.finditer(text, place):
        mark = text[match.start()]
        if mark == "(":
            depth += 1
            if depth > limits.nesting:
                raise limits.exceeded("nesting", where)
        elif mark == ")":
            depth -= 1
            if depth == 0:
                return match.end()
    return len(text)


def _games_below(text: str, place: int, above: Node, games: list[Node], source: str, limits: Limits) -> int:
    """Gather the games that stand in the variations of a node without players; return the place behind its end.

    They have the properties of the node above where they have none of their own.
    """
    depth, line, before = 1, above.line, place
    while match := TOKEN.search(text, place):
        place, mark = match.end(), text[match.start()]
        if mark == ")":
            depth -= 1
            if depth == 0:
                return place
        if mark != "(":
            continue
        depth += 1
        line += text.count("\n", before, place)
        before, where = place, f"{source} line {line}"
        if depth > limits.nesting:
            raise limits.exceeded("nesting", where)
        if begin := START.match(text, match.start()):
            node, end = _root(text, begin.end(), line, where, limits)
            if node.named:
                node.properties = above.properties | node.properties
                games.append(node)
                place = _after(text, end, where, limits)
                depth -= 1
    return len(text)
