"""XML of tournament programs as a tree of elements with their lines; nothing outside the file is ever read.

The standard library's expat is used directly: it keeps line numbers, loads neither DTD nor external entities, and its
handlers stop at the first declaration of an entity and at the limits, before anything has grown.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from handan.errors import Clause, InputError, either, line_of, one_line, shown
from handan.files.io.decoding import text_codec
from handan.files.io.office_documents import NO_TABLE, SAVED_AS_TABLE
from handan.files.io.options import Options

DECLARED = re.compile(r"""\s*+<\?xml[^>]{0,200}?\sencoding\s*+=\s*+["']([\w.:-]{1,40})["']""")
MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
UNMARKED = ((b"<\0", "utf-16-le"), (b"\0<", "utf-16-be"))


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
        """Yield all elements of a name below this one, in order of the file."""
        for child in self.children:
            if child.tag == tag:
                yield child
            yield from child.all(tag)

    def first(self, tag: str) -> Element | None:
        """Return the first element of a name below this one."""
        return next(self.all(tag), None)

    def text_of(self, tag: str) -> str:
        """Return the text of the first element of a name below this one; empty if there is none."""
        element = self.first(tag)
        return element.text if element else ""


def _other_root(tag: str, roots: Collection[str], source: str, place: str) -> Clause:
    """Return what is wrong with a file that begins with another element."""
    if tag.lower() in NO_TABLE:
        values = {"kind": Clause.of(NO_TABLE[tag.lower()]), "remedy": Clause.of(SAVED_AS_TABLE)}
        return Clause.of("{source} is {kind}; {remedy}", source=source, **values)
    pattern = "{source}: root element {tag}; {roots} was expected"
    return Clause.of(pattern, source=place, tag=shown(tag), roots=either(roots))


def parse(data: bytes, source: str, options: Options, roots: Collection[str]) -> Element:
    """Return the root of a file, one of some names.

    Raises:
        InputError: It is not well-formed, has another root, declares an entity, breaks a limit, or its bytes are not of
            the encoding that it declares.
    """
    limits = options.limits
    limits.check("text", len(data), source)
    parser = expat.ParserCreate("utf-8", namespace_separator=" ")
    parser.buffer_text = True
    top = Element("", {}, 0)
    stack = [top]

    def place() -> str:
        values = {"line": parser.CurrentLineNumber, "column": parser.CurrentColumnNumber + 1}
        return Clause.of("{source} line {line}, column {column}", source=source, **values)

    def begin(name: str, attributes: dict[str, str]) -> None:
        if len(stack) > limits.depth:
            raise limits.exceeded("depth", line_of(source, parser.CurrentLineNumber))
        plain = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        element = Element(name.rpartition(" ")[2], plain, parser.CurrentLineNumber)
        if len(stack) == 1 and element.tag not in roots:
            raise InputError(_other_root(element.tag, roots, source, place()))
        stack[-1].children.append(element)
        stack.append(element)

    def end(name: str) -> None:  # noqa: ARG001  # the parser has checked that it is the one begun last
        stack.pop()

    def inside(text: str) -> None:
        stack[-1].pieces.append(text)

    def refuse(*declaration: object) -> None:
        pattern = "{source}: entity {name} is declared; none is allowed"
        raise InputError(Clause.of(pattern, source=place(), name=shown(str(declaration[0]))))

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.CharacterDataHandler = inside
    parser.EntityDeclHandler = refuse
    text = _decoded(data, source, options.encoding)
    try:
        parser.Parse(text.encode(), True)  # noqa: FBT003  # expat's own signature: this is all
    except (expat.ExpatError, ValueError) as error:
        pattern = "{source}: {why}; well-formed XML was expected"
        raise InputError(Clause.of(pattern, source=place(), why=one_line(error))) from None
    return top.children[0]


def _decoded(data: bytes, source: str, encoding: str | None) -> str:
    """Return the text of a file in the user's encoding, else that of its mark and its declaration, which must agree."""
    mark, codec_of_mark = next(((mark, codec) for mark, codec in MARKS if data.startswith(mark)), (b"", ""))
    codec_of_mark = codec_of_mark or next((codec for start, codec in UNMARKED if data.startswith(start)), "")
    data = data[len(mark) :]
    match = DECLARED.match(data[:800].replace(b"\0", b"").decode("latin-1"))
    declared = match[1] if match else ""
    codec = encoding or codec_of_mark or declared or "utf-8"
    try:
        declared_family, seen_family = _family(declared or codec), _family(codec_of_mark or "utf-8")
        if not encoding and declared_family != seen_family and (codec_of_mark or declared_family == "utf-16"):
            pattern = "{source}: encoding {codec} is declared; the bytes are {other}"
            raise InputError(Clause.of(pattern, source=line_of(source, 1), codec=shown(declared), other=seen_family))
        return data.decode(codec, "replace" if declared_family == "utf-8" else "strict")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        pattern = "{source}: the end is not {codec}, the encoding of the file"
        byte = data[fault.start : fault.start + 1].hex()
        if byte:
            pattern = "{source}: byte 0x{byte} is not {codec}, the encoding of the file"
        raise InputError(Clause.of(pattern, source=line_of(source, line), byte=byte, codec=codec)) from None
    except (LookupError, UnicodeError):
        pattern = "{source}: encoding {codec} is unknown; UTF-8 was expected"
        raise InputError(Clause.of(pattern, source=line_of(source, 1), codec=shown(codec))) from None


def _family(codec: str) -> str:
    """Return the name of an encoding, the same for both orders of bytes; LookupError if it is unknown."""
    name = text_codec(codec)
    return "utf-16" if name.startswith("utf-16") else name
