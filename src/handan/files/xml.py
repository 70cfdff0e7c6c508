"""XML of tournament programs as a tree of elements with their lines; nothing outside the file is ever read.

The standard library's expat is used directly: it keeps line numbers, loads neither DTD nor external entities, and its
handlers stop at the first declaration of an entity and at the limits, before anything has grown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from handan.errors import InputError
from handan.files.limits import Limits


@dataclass(slots=True)
class Element:
    """One element; names are without namespace."""

    tag: str
    attributes: dict[str, str]
    line: int
    children: list[Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text directly inside, trimmed."""
        return "".join(self.pieces).strip()

    def all(self, tag: str) -> Iterator[Element]:
        """Go through all elements of a name below this one, in order of the file."""
        for child in self.children:
            if child.tag == tag:
                yield child
            yield from child.all(tag)

    def first(self, tag: str) -> Element | None:
        """Return the first element of a name below this one."""
        return next(self.all(tag), None)

    def told(self, tag: str) -> str:
        """Return the text of the first element of a name below this one; empty if there is none."""
        found = self.first(tag)
        return found.text if found else ""


def parse(data: bytes, source: str, encoding: str | None, limits: Limits) -> Element:
    """Return the root of a file; InputError if it is not well-formed, declares an entity, or breaks a limit."""
    if len(data) > limits.text:
        raise limits.exceeded("text", source)
    parser = expat.ParserCreate(encoding, namespace_separator=" ")
    parser.buffer_text = True
    top = Element("", {}, 0)
    stack = [top]

    def begin(name: str, attributes: dict[str, str]) -> None:
        if len(stack) > limits.depth:
            raise limits.exceeded("depth", f"{source} line {parser.CurrentLineNumber}")
        plain = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        element = Element(name.rpartition(" ")[2], plain, parser.CurrentLineNumber)
        stack[-1].children.append(element)
        stack.append(element)

    def end(name: str) -> None:  # noqa: ARG001  # the parser has checked that it is the one begun last
        stack.pop()

    def inside(text: str) -> None:
        stack[-1].pieces.append(text)

    def refuse(*declaration: object) -> None:
        raise InputError(
            f"{source} line {parser.CurrentLineNumber}: entity {declaration[0]} is declared; none is allowed"
        )

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.CharacterDataHandler = inside
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)  # noqa: FBT003  # expat's own signature: this is all
    except (expat.ExpatError, ValueError, LookupError) as error:
        place = f"{source} line {parser.CurrentLineNumber}, column {parser.CurrentColumnNumber}"
        raise InputError(f"{place}: {' '.join(str(error).split())}; well-formed XML was expected") from None
    return top.children[0]
