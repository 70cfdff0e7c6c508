"""The handicap poster, A3: the whole table of a card, read from two metres."""

from __future__ import annotations

from datetime import date

from markupsafe import Markup

from handan.handicaps import Card
from handan.handicaps.card_law import IMPOSSIBLE, WHITE_WINS
from handan.paper.card_table import CardTable, Entry, blocks, card_table, column_words, terms_words
from handan.paper.document import Layer, Page, Paper, paper, style
from handan.paper.heading import Heading
from handan.paper.markup import joined, tag
from handan.paper.names import SIZES, fitted, size_for, width
from handan.paper.words import Words, card_title, komi_words, words_of
from handan.wording.languages import close_up

SHEET_WIDTH, SHEET_HEIGHT = 297.0, 420.0  # millimetres: A3
EDGE = 18.0  # millimetres beside and above what is printed
TABLE_WIDTH = SHEET_WIDTH - 2 * EDGE
TABLE_HEIGHT = SHEET_HEIGHT - 130.0
"""Millimetres that the rows of the table share: title, sentences and foot take the others."""
TALLEST = 28.0  # millimetres of a row; our choice: ten rows fill the sheet
LIST_ROWS = 30  # our choice: lines of one block of a list
LIST_COLUMNS = 4
ALONE = 0.8  # of the width, for a list of one block; our choice
KOMI_WIDTH = 62.0  # millimetres of the column of komi
LARGEST = 30  # points of a cell; our choice: more is no easier to read from two metres
OF_GRID = (".grid th[scope=col]", ".grid th[scope=row]")
MEASURES = f"""\
@page {{ size: {SHEET_WIDTH:g}mm {SHEET_HEIGHT:g}mm; margin: 0; }}
.page {{ width: {SHEET_WIDTH:g}mm; height: {SHEET_HEIGHT:g}mm; padding: {EDGE:g}mm {EDGE:g}mm 0; }}
.grid tr > :first-child {{ width: {KOMI_WIDTH:g}mm; }}
.of1 .block {{ width: {ALONE:.0%}; }}
""" + " ".join(f".of{count} .block {{ width: {100 / count:.4g}%; }}" for count in range(2, LIST_COLUMNS + 1))
"""The measures of the sheet, which the style and the sizes of letters share."""
SIZES_OF_CELLS = [size for size in SIZES if size <= LARGEST]


def poster(heading: Heading, card: Card, since: date | None = None) -> Paper:
    """Return the poster of any card, also a club's own table.

    Args:
        heading: Whose poster it is, and in which language.
        card: The card.
        since: First day on which it is in force; None: it is not said.
    """
    words, table = words_of("poster", heading.language), card_table(card)
    grid = table.is_grid
    figure = heading.words["points in a sentence"]
    how = close_up(" ".join(_how(words, table, figure)))
    rules = close_up(" ".join(rule_sentences(card, heading.language)))
    parts = [
        tag("h1", words["title"]),
        tag("p", fitted(how, TABLE_WIDTH, 15, lines=2), classes="how"),
        _grid(table, heading.language) if grid else _list(table, heading.language),
        tag(
            "p",
            fitted(rules, TABLE_WIDTH, 15, lines=2),
            classes="rules",
        ),
        _foot(heading, card, since),
    ]
    height = min(TALLEST, TABLE_HEIGHT / (len(table.rows) + 1 if grid else 1 + max(map(len, _blocks(table)))))
    more = ""
    size = max(size for size in SIZES_OF_CELLS if size <= max(height * 1.55, 8))
    if grid:
        size, *others = _grid_sizes(table, heading.language, size)
        more = "".join(f"{part} {{ font-size: {own}pt; }} " for part, own in zip(OF_GRID, others, strict=True))
    else:
        count = len(_blocks(table))
        longest = max((_terms_text(entry, heading.language) for entry in table.entries), key=width)
        words = words_of("poster", heading.language)
        wide = max((f"{longest} {table.entries[-1].text}", f"{words['terms']} {words['difference']}"), key=width)
        size = size_for(wide, TABLE_WIDTH * (ALONE if count == 1 else 1 / count) - 16, size)
    more += f"td, th {{ height: {height:.2f}mm; }} table {{ font-size: {size}pt; }}"
    return paper(words["title"], heading, [Page(Layer(joined(*parts)))], "poster", style("mincho"), MEASURES, more)


def _how(words: Words, table: CardTable, figure: str) -> list[str]:
    how = words["how"] if table.is_grid else words["how list"]
    return [how.format(figure=figure), words["even"] if table.is_drawn_at_0_only else words["drawn"]]


def rule_sentences(card: Card, language: str) -> list[str]:
    """Return how a game moves points, and what a tie is, as far as the card knows both, each as a sentence."""
    words = words_of("poster", language)
    ties = {entry.terms.tie for entry in card_table(card).entries}
    tie = words["no tie" if ties == {IMPOSSIBLE} else "white wins" if WHITE_WINS in ties else "jigo"]
    rules = [words["step"], tie]
    if card.step_low_below is not None:
        rules.insert(1, words["low step"].format(below=card.step_low_below, step=card.step_low))
    return rules


def _foot(heading: Heading, card: Card, since: date | None) -> Markup:
    day = heading.day_words(since) if since else ""
    in_force = words_of("poster", heading.language)["since"].format(day=day) if since else ""
    return tag(
        "footer",
        fitted(heading.club, 90, 18),
        fitted(card_title(card.title, heading.language), 90, 14, lines=2),
        tag("span", *(tag("span", text) for text in (in_force, heading.list_line) if text), classes="days"),
    )


def _grid(table: CardTable, language: str) -> Markup:
    head = [tag("th", words_of("poster", language)["komi"], classes="komi")]
    head += [tag("th", column_words(column, language), scope="col") for column in table.columns]
    return tag("table", tag("tr", *head), *(_row(table, komi, language) for komi in table.rows), classes="grid")


def _grid_sizes(table: CardTable, language: str, largest: int) -> tuple[int, int, int]:
    """Return the sizes at which the widest cell of a grid, of its head and of its komi stand in one line."""
    cells = (", ".join(entry.text for entry in cell) for cell in table.cells.values())
    heads = (column_words(column, language) for column in table.columns)
    komi = (komi_words(komi, language) for komi in table.rows)
    room = (TABLE_WIDTH - KOMI_WIDTH) / len(table.columns) - 2.5
    size, head, left = (
        size_for(max(texts, key=width), most, largest)
        for texts, most in ((cells, room), (heads, room), (komi, KOMI_WIDTH - 4.5))
    )
    return size, min(size, head), min(size, left)


def _row(table: CardTable, komi: float | None, language: str) -> Markup:
    cells = (table.cells.get((komi, column), ()) for column in table.columns)
    texts = [tag("td", ", ".join(entry.text for entry in cell)) for cell in cells]
    from_white = "white" if komi is not None and komi < 0 else ""
    return tag("tr", tag("th", komi_words(komi, language), scope="row"), *texts, classes=from_white)


def _blocks(table: CardTable) -> list[tuple[Entry, ...]]:
    most = max(LIST_ROWS, -(-len(table.entries) // LIST_COLUMNS))
    return [tuple(block) for block in blocks(table.entries, most)]


def _list(table: CardTable, language: str) -> Markup:
    words = words_of("poster", language)
    head = tag("tr", tag("th", words["difference"]), tag("th", words["terms"]))
    lists = [tag("table", head, *(_line(entry, language) for entry in block)) for block in _blocks(table)]
    return tag("div", *(tag("div", one, classes="block") for one in lists), classes=f"lists of{len(lists)}")


def _line(entry: Entry, language: str) -> Markup:
    from_white = "white" if (entry.terms.komi or 0) < 0 else ""
    terms = tag("td", _terms_text(entry, language))
    return tag("tr", tag("th", entry.text, scope="row"), terms, classes=from_white)


def _terms_text(entry: Entry, language: str) -> str:
    return terms_words(entry, entry, language)
