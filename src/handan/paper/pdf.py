"""PDF by WeasyPrint with a font of all East Asian scripts and a Mincho; all are parts of the extra `print`."""

from __future__ import annotations

import atexit
import logging
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

from handan.errors import Clause, InputError, shown

FAMILY, MINCHO = "Handan Paper", "Handan Mincho"
"""Names under which the style sheets ask for the fonts; a browser that has none of a name takes one of its own."""
NO_LETTER = ".notdef glyph rendered"
"""What WeasyPrint says where no font has a letter."""
MOST_LETTERS, MOST_NAMES = 8, 4  # our choice: that a message shows
BETWEEN_TAGS = re.compile(r">([^<>]+)<")
UNIT = 72 / 25.4
"""Points of a PDF in a millimetre."""
_printing = threading.Lock()  # one PDF at a time: layout needs a processor, and its fonts memory


class MissingLetterError(InputError):
    """A paper has letters that no font here has: the text says which, and in which words."""

    def __init__(self, letters: Sequence[str], html: str) -> None:
        own = list(dict.fromkeys(letters))
        shown_letters = ", ".join(f"{letter} (U+{ord(letter):04X})" for letter in own[:MOST_LETTERS])
        texts = dict.fromkeys(unescape(text).strip() for text in BETWEEN_TAGS.findall(html))
        names = [text for text in texts if any(letter in text for letter in own)][:MOST_NAMES]
        pattern = (
            "no font here has {letters}, as in {names}: leave those members out, print the page in a browser, "
            "or install a font that has them"
        )
        super().__init__(Clause.of(pattern, letters=shown_letters, names=", ".join(map(shown, names))))


class Print(NamedTuple):
    """One page of HTML printed on a page of the PDF, moved by millimetres to the right and down."""

    page: int
    right: float = 0.0
    down: float = 0.0

    @property
    def begin(self) -> bytes:
        """What a PDF says before it draws."""
        return b"q 1 0 0 1 %.4f %.4f cm" % (self.right * UNIT, -self.down * UNIT)


@cache
def missing() -> str:
    """Return why no PDF can be made here, empty if one can."""
    try:
        import weasyprint  # noqa: F401  # to see whether it can be imported
    except ImportError:
        return "a PDF needs more parts: pip install 'handan[print]'; the same paper as .html prints in a browser"
    except OSError as error:
        return (
            f"WeasyPrint finds no Pango ({str(error).splitlines()[0]}); on Debian: apt-get install libpango-1.0-0 "
            "libpangoft2-1.0-0; the same paper as .html prints in a browser"
        )
    return ""


@cache
def font_files() -> dict[str, Path]:
    """Return the file of each font by family, without those that are not installed, for which the system's serve."""
    files = {}
    with suppress(ImportError):
        import noto_cjk_sans_jp_regular as sans

        files[FAMILY] = Path(str(sans.FONT_PATH)).absolute()
    with suppress(ImportError):
        import pylopdf_fonts_jp as mincho

        files[MINCHO] = Path(str(mincho.serif_path())).absolute()
    return files


def pdf_of(html: str, prints: Sequence[Sequence[Print]] | None = None) -> bytes:
    """Return a page of HTML as PDF, fonts embedded; InputError where none can be made.

    A letter that no font here has is refused, since an empty box would stand for it: `MissingLetterError`.

    Args:
        html: The page.
        prints: The pages to make, each of what is printed on it; None: the pages of the HTML as they are.
    """
    if missing():
        raise InputError(missing())
    import weasyprint

    def compose(_: Any, pdf: Any) -> None:
        if prints is not None:
            _compose(pdf, prints)

    with _printing, _letters_without_font() as lacking:
        fonts, sheets = _fonts()
        document = weasyprint.HTML(string=html, url_fetcher=_nothing)
        content: bytes = document.write_pdf(stylesheets=sheets, font_config=fonts, finisher=compose)
    if lacking:
        raise MissingLetterError(lacking, html)
    return content


@contextmanager
def _letters_without_font() -> Iterator[list[str]]:
    """Collect the letters that no font has, as WeasyPrint tells them; what it says of style is for browsers."""
    logger, letters = logging.getLogger("weasyprint"), []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if str(record.msg).startswith(NO_LETTER) and isinstance(record.args, tuple):
                letters.append(str(record.args[0]))

    collector, propagated = Collector(logging.WARNING), logger.propagate
    logger.addHandler(collector)
    logger.propagate = False
    try:
        yield letters
    finally:
        logger.removeHandler(collector)
        logger.propagate = propagated


def _compose(pdf: Any, prints: Sequence[Sequence[Print]]) -> None:
    """Put pages together from the drawings of others; all share their fonts and images."""
    import pydyf

    drawn = [pdf.objects[number] for number in pdf.pages["Kids"][::3]]
    pdf.pages["Kids"], pdf.pages["Count"] = pydyf.Array([]), 0
    words: dict[bytes, Any] = {}

    def word(text: bytes) -> Any:
        if text not in words:
            words[text] = pydyf.Stream([text])
            pdf.add_object(words[text])
        return words[text].reference

    for page in prints:
        contents = [
            reference for item in page for reference in (word(item.begin), drawn[item.page]["Contents"], word(b"Q"))
        ]
        pdf.add_page(pydyf.Dictionary({**drawn[page[0].page], "Contents": pydyf.Array(contents)}))


@cache
def _fonts() -> tuple[Any, list[Any]]:
    """Return WeasyPrint's font settings, and the style sheet that names the fonts."""
    import weasyprint
    from weasyprint.text.fonts import FontConfiguration

    atexit.register(_fonts.cache_clear)  # its files are removed by modules that Python may take apart before it
    fonts = FontConfiguration()
    rules = [f'@font-face {{ font-family: "{name}"; src: url("{file.as_uri()}"); }}'
             for name, file in font_files().items()]  # fmt: skip
    return fonts, [weasyprint.CSS(string="\n".join(rules), font_config=fonts)] if rules else []


def _nothing(url: str) -> Any:
    """Refuse whatever a paper might name; it has all that it needs in it."""
    raise ValueError(f"a paper fetches nothing: {url}")
