"""A finished paper: one page of HTML that any browser prints, and a PDF where the extra `print` is installed."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from handan.errors import Clause, InputError
from handan.files.io.storage import save
from handan.paper.heading import Heading
from handan.paper.markup import css_string, joined, tag
from handan.paper.names import SIZES
from handan.paper.pdf import Print, pdf_of

Place = tuple[float, float]
"""Millimetres to the right and down."""


class Layer(NamedTuple):
    """What is drawn on a page together."""

    whole: Markup
    piece: Markup = Markup()
    """A part of which the whole is made by moving it; a PDF then draws it once. Empty: the whole itself."""
    places: tuple[Place, ...] = ((0.0, 0.0),)
    """By how much the part is moved."""

    @property
    def drawn(self) -> Markup:
        """What a PDF draws, at each of the places."""
        return self.piece or self.whole


class Page(NamedTuple):
    """One page in two layers; a PDF draws what many pages share once."""

    under: Layer
    over: Layer | None = None
    """What is this page's own."""

    @property
    def layers(self) -> list[Layer]:
        """The layers, from below."""
        return [self.under, self.over] if self.over else [self.under]


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper; everything that it needs is in it."""

    title: str
    heading: Heading
    pages: tuple[Page, ...]
    style: str
    flows: bool = False
    """Whether its one page goes on over as many sheets as it needs."""

    @property
    def html(self) -> str:
        """The paper as a page of HTML."""
        return self._html([joined(*(layer.whole for layer in page.layers)) for page in self.pages])

    def _html(self, sections: Iterable[Markup]) -> str:
        named = tag("title", f"{self.title} · {self.heading.club}")
        head = joined(Markup('<meta charset="utf-8">'), named, tag("style", Markup(self.style)))  # noqa: S704  # ours
        pages = [tag("section", section, classes="" if self.flows else "page") for section in sections]
        if not any("<h1" in page for page in pages):  # for programs that read aloud
            pages = [tag("h1", self.title, classes="aloud"), *pages]
        page = tag("html", tag("head", head), tag("body", tag("main", *pages)), lang=self.heading.language)
        return f"<!doctype html>\n{page}\n"

    @property
    def policy(self) -> str:
        """The Content-Security-Policy of the page: its own style by digest, and nothing else."""
        digest = base64.b64encode(hashlib.sha256(self.style.encode()).digest()).decode()
        return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; frame-ancestors 'none'"

    def pdf(self) -> bytes:
        """Return the paper as PDF; InputError, which says what is missing, where none can be made."""
        if self.flows:
            return pdf_of(self.html)
        drawn = list(dict.fromkeys(layer.drawn for page in self.pages for layer in page.layers))
        prints = [
            [Print(drawn.index(layer.drawn), *place) for layer in page.layers for place in layer.places]
            for page in self.pages
        ]
        return pdf_of(self._html(drawn), prints)

    def write(self, path: str | Path) -> None:
        """Write the paper as the file's name says, `.pdf` or `.html`.

        InputError for another name, and where it cannot be written.
        """
        file = Path(path)
        if file.suffix.lower() not in {".pdf", ".html", ".htm"}:
            raise InputError(f"{path}: a paper is written as .pdf or .html")
        content = self.pdf() if file.suffix.lower() == ".pdf" else self.html.encode()
        save(file, content)


def paper(title: str, heading: Heading, pages: Sequence[Page], name: str, *more: str, flows: bool = False) -> Paper:
    """Return a paper with the style of all papers, its own by name, and more lines; InputError without any page."""
    if not pages:
        raise InputError(Clause.of("{title}: no member is chosen, or the list is empty", title=title))
    sizes = "\n".join(f".pt{size} {{ font-size: {size}pt; }}" for size in SIZES)
    return Paper(title, heading, tuple(pages), "\n".join([style("common"), sizes, style(name), *more]), flows)


def page_foot(heading: Heading) -> str:
    """Return the style that puts club and list under each page of a paper that flows over several."""
    club, listed = css_string(heading.club), css_string(heading.list_line)
    return (
        f"@page {{ @bottom-left {{ content: {club}; }} @bottom-center {{ content: {listed}; }} "
        '@bottom-right { content: counter(page) " / " counter(pages); } }'
    )


@cache
def style(name: str) -> str:
    """Return a style sheet by name: `mincho` gives papers that hang on walls the hand of their language."""
    return files("handan.paper").joinpath(f"styles/{name}.css").read_text(encoding="utf-8")
