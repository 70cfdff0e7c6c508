"""What stands on a PDF: its pages in millimetres, words with their places, lines, glyphs."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any

import pytest

from handan.paper import Paper, missing

MM = 72 / 25.4
needs_pdf = pytest.mark.skipif(bool(missing()), reason=f"no PDF can be made here: {missing()}")


@dataclass(frozen=True)
class Box:
    """Something on a page, in millimetres from its upper left corner."""

    left: float
    top: float
    right: float
    bottom: float
    text: str = ""

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True)
class Sheet:
    """One page."""

    wide: float
    tall: float
    words: list[Box]
    lines: list[Box]

    def columns(self) -> list[float]:
        """Where the cut lines that go downward stand."""
        return sorted({round(line.left, 2) for line in self.lines if line.right - line.left < 0.3})

    def rows(self) -> list[float]:
        """Where the cut lines that go across stand."""
        return sorted({round(line.top, 2) for line in self.lines if line.bottom - line.top < 0.3})


def sheets(paper: Paper) -> list[Sheet]:
    """Return the pages of a paper as its PDF has them."""
    pdfium = pytest.importorskip("pypdfium2")
    with pdfium.PdfDocument(paper.pdf()) as document:
        return [_sheet(page, pdfium.raw) for page in document]


def _sheet(page: Any, raw: Any) -> Sheet:
    wide, tall = page.get_size()

    def box(bounds: tuple[float, float, float, float], text: str = "") -> Box:
        left, bottom, right, top = bounds
        return Box(left / MM, (tall - top) / MM, right / MM, (tall - bottom) / MM, text)

    text = page.get_textpage()
    rects = [text.get_rect(number) for number in range(text.count_rects())]
    words = [box(rect, text.get_text_bounded(*rect).strip()) for rect in rects]
    paths = [box(item.get_bounds()) for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=5)]
    return Sheet(wide / MM, tall / MM, [word for word in words if word.text], paths)


def picture(paper: Paper, number: int = 0, dots: int = 600) -> Any:
    """Return a page as a picture of so many dots an inch."""
    pdfium = pytest.importorskip("pypdfium2")
    with pdfium.PdfDocument(paper.pdf()) as document:
        return document[number].render(scale=dots / 72).to_pil()


def fonts(pdf: bytes) -> list[Any]:
    """Return the fonts of a PDF."""
    pypdf = pytest.importorskip("pypdf")
    fonts_of_pages: dict[str, Any] = {}
    for page in pypdf.PdfReader(io.BytesIO(pdf)).pages:
        fonts_of_pages |= {str(name): font.get_object() for name, font in page["/Resources"]["/Font"].items()}
    return list(fonts_of_pages.values())


def glyphs(pdf: bytes) -> list[int]:
    """Return the numbers of all glyphs that a PDF shows; 0 is that of a letter that the font does not have."""
    pypdf = pytest.importorskip("pypdf")
    from pypdf.generic import ContentStream

    reader, codes = pypdf.PdfReader(io.BytesIO(pdf)), []
    streams: dict[int, Any] = {}
    for page in reader.pages:
        contents = page["/Contents"]
        for part in contents if isinstance(contents, list) else [page.raw_get("/Contents")]:
            streams[part.idnum] = part.get_object()  # what several pages show is looked at once
    for stream in streams.values():
        for operands, operator in ContentStream(stream, reader).operations:
            if operator in {b"Tj", b"TJ"}:
                shown = operands[0] if operator == b"TJ" else operands
                for text in shown:
                    if hasattr(text, "original_bytes"):
                        raw = text.original_bytes
                        codes += [int.from_bytes(raw[place : place + 2]) for place in range(0, len(raw), 2)]
    return codes
