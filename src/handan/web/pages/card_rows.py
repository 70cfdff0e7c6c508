"""The rows of a player's card and of the list of games as HTML; see `ladder_rows` why they are no templates."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from html import escape
from itertools import islice
from typing import Any
from urllib.parse import quote

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from handan.club.state import State
from handan.club.store.answers import Answers
from handan.club.store.cache import beside
from handan.web.pages.formatting import game_row, places, room_behind
from handan.web.pages.links import Links
from handan.web.pages.wording import day, page_language, word, word_in
from handan.wording.languages import figure_words, short_date, short_rank

Row = Mapping[str, Any]
MOST_BYTES = 4_000_000  # our choice: of rows of games that a process keeps
OPPONENTS = 30  # our choice: of those met most often, whose line can stand beside one's own
OVERHEAD = 1_000  # bytes beside a text; our choice
Names = Callable[[str], str]
"""What writes a player's name as HTML: `wording.names_in` of a page."""
Addresses = Callable[[str], Links]
"""What knows the addresses of a route: `Here.links` of a page."""
NUMBERS = ("weight", "before", "change", "after")
"""Columns of a card whose points stand below each other."""
WAYS = {"win": "up", "loss": "down"}


class _Card:
    """What all rows of a card share: links, language, and the names of columns, as they stand in HTML."""

    def __init__(self, links: Addresses, names: Names, *, winners: bool, weights: bool, comments: bool) -> None:
        self.games, self.players = links("game"), links("player")
        self.language, self.winners, self.weights, self.comments = page_language(), winners, weights, comments
        self.named = names
        self.columns = 10 + 3 * winners + weights + comments
        self.terms, self.winner = _label(gettext("Terms")), _label(gettext("Winner"))
        self.rank, self.stones, self.komi = (_label(gettext(name)) for name in ("Rank", "Stones", "Komi"))
        self.before, self.change = _label(gettext("Before")), _label(gettext("Change"))
        self.after, self.weight = _label(gettext("After")), _label(gettext("Weight"))
        self.why, self.close = gettext("Why"), gettext("Close")
        self.places: Mapping[str, int] = {}
        self.head = gettext("Why %(change)s on %(day)s against %(name)s")

    def figure(self, text: str) -> str:
        """Return a number that is text already with the decimal sign of the language."""
        return figure_words(text, self.language)

    def number(self, line: Row, name: str) -> str:
        """Return a number of a column, its point below those of the others."""
        return escape(self.figure(line[name])) + room_behind(line[name], self.places[name])

    def word(self, text: str) -> str:
        """Return a word that stands in the catalogs, as it stands in HTML."""
        return escape(word_in(text, self.language)) if text else ""

    def day(self, text: str) -> str:
        """Return a day of a table."""
        return short_date(text, self.language)


def card_body(
    links: Addresses, lines: Iterable[Row], names: Names, *, winners: bool, weights: bool, comments: bool
) -> SafeString:
    """Return the rows of `formatting.line_row` as HTML, with columns of winners, weights and comments if asked.

    Where winners are named, the opponent's rank, stones and komi have columns of their own, as on the record sheet of
    the South African clubs. Each row that has a reason is followed by one over the whole width, which stands open where
    an address ends with its key, so that a step of the chart leads there, and no script is needed.
    """
    card = _Card(links, names, winners=winners, weights=weights, comments=comments)
    lines = list(lines)
    card.places = {name: places(lines, name) for name in NUMBERS}
    rows = (_card_row(line, card) + _why_row(line, card) for line in lines)
    return mark_safe("".join(rows))  # noqa: S308  # each text is escaped


def _card_row(line: Row, card: _Card) -> str:
    change = line["change"]
    way = {"+": " up", "-": " down"}.get(change[:1], "")
    date, opponent = _occasion(line, card)
    winner = f"<td{card.winner}>{card.word(line['winner'])}</td>" if card.winners else ""
    weight = f'<td class="n"{card.weight}>{card.number(line, "weight")}</td>' if card.weights else ""
    comment = f'<td class="line">{escape(line["comment"])}</td>' if card.comments else ""
    risen = ""
    if line["promoted"] and line["rank_before"]:
        earlier = gettext("from %(rank)s") % {"rank": short_rank(line["rank_before"], card.language)}
        risen = f" <small>{escape(earlier)}</small>"
    look = ' class="seal"' if line["risen"] else ""
    result = f"strong {WAYS.get(line['result'], '')}".strip()
    why = f'<a class="why-link" href="#{line["game"]}">{card.why}</a>' if _is_explained(line) else ""
    return (
        f"<tr>{date}{opponent}<td>{_stone(line['colour'], card)}</td>"
        f'{_terms(line, card)}<td class="{result}">{card.word(line["result"])}</td>'
        f"{winner}{weight}"
        f'<td class="n"{card.before}>{card.number(line, "before")}</td>'
        f'<td class="n{way}"{card.change}>{card.number(line, "change")}</td>'
        f'<td class="n strong"{card.after}>{card.number(line, "after")}</td>'
        f"<td><span{look}>{escape(short_rank(line['rank_after'], card.language))}</span>{risen}</td>"
        f'{comment}<td class="last">{why}</td></tr>\n'
    )


def _terms(line: Row, card: _Card) -> str:
    """Return the cells of the terms: in words, or stones and komi where the card has a column of each."""
    if not card.winners:
        return f"<td{card.terms}>{escape(line['terms'])}</td>"
    stones, komi = line["stones"] if line["game"] else "", escape(card.figure(line["komi"]))
    return f'<td class="n"{card.stones}>{stones}</td><td class="n"{card.komi}>{komi}</td>'


def _occasion(line: Row, card: _Card) -> tuple[str, str]:
    """Return the cells that say when it was and against whom, or who set the rank by hand."""
    name = card.named(line["name"])
    if not line["game"]:
        kind = gettext("adjustment")
        by_hand = f"<em>{kind}</em> {card.word(line['note'])}"
        opponent = f'<td class="first">{name}: {by_hand}</td>' + (f"<td{card.rank}></td>" if card.winners else "")
        return f'<td class="nowrap">{escape(card.day(line["date"]))}</td>', opponent
    rank = escape(short_rank(line["opponent_rank"], card.language)) if line["opponent_rank"] else ""
    beside = f" <small>{rank}</small>" if rank and not card.winners else ""
    own_column = f"<td{card.rank}>{rank}</td>" if card.winners else ""
    when = escape(card.day(line["date"]) or line["game"])
    return (
        f'<td class="nowrap"><a href="{card.games.to(line["game"])}">{when}</a></td>',
        f'<td class="first"><a href="{card.players.to(line["opponent"])}">{name}</a>{beside}</td>{own_column}',
    )


def _stone(colour: str, card: _Card) -> str:
    """Return the stone that the player held, and its word: colour alone says nothing to some."""
    if not colour:
        return ""
    look = "stone black" if colour == "black" else "stone"
    return f'<span class="nowrap"><span class="{look}"></span> {card.word(colour)}</span>'


def _is_explained(line: Row) -> bool:
    return bool(line["game"] and (line["arithmetic"] or line["factors"] or line["facts"] or line["note"]))


def _why_row(line: Row, card: _Card) -> str:
    """Return the row that says how a change came about."""
    if not _is_explained(line):
        return ""
    change, name = card.figure(line["change"]), card.named(line["name"])
    head = card.head % {"change": change, "day": card.day(line["date"]) or line["game"], "name": "\x00"}
    parts = [f"<h3>{escape(head).replace(chr(0), name)}</h3>"]
    if line["arithmetic"]:
        parts.append(f'<p class="arithmetic">{escape(card.figure(line["arithmetic"]))}</p>')
    if line["factors"]:
        factors = "".join(f'<span class="factor">{escape(factor)}\n</span>' for factor in line["factors"])
        parts.append(f"<pre>{factors}</pre>")
    if line["facts"]:
        facts = "; ".join(f"{name}: {value}" for name, value in line["facts"])
        parts.append(f'<p class="facts">{escape(facts)}</p>')
    if line["note"]:
        parts.append(f"<p>{card.word(line['note'])}</p>")
    parts.append(f'<a class="close" href="#games">{card.close}</a>')
    return f'<tr class="why" id="{line["game"]}"><td colspan="{card.columns}">{"".join(parts)}</td></tr>\n'


def _label(name: str) -> str:
    """Return what names the column of a cell on phones; an empty cell is left out there."""
    return f' data-label="{escape(name)}"'


def record_body(players: Links, pairs: str, record: Iterable[Row], names: Names) -> SafeString:
    """Return the rows of a player's record against each opponent as HTML.

    Args:
        players: Addresses of players.
        pairs: Address of the page of the player and another one, whose name goes behind it.
        record: Of the player against each opponent, most games first.
        names: Writes names.
    """
    pairs = escape(pairs)
    rows, link_text, language = [], gettext("all games, and tonight"), page_language()
    labels = [_label(gettext(name)) for name in ("Games", "Won", "Lost", "Jigo", "Changes together")]
    for row in record:
        figures = (row["games"], row["win"], row["loss"], row["jigo"] or "", figure_words(row["change"], language))
        cells = "".join(f'<td class="n"{label}>{text}</td>' for text, label in zip(figures, labels, strict=True))
        name = f'<a href="{players.to(row["key"])}">{names(row["name"])}</a>'
        link = f'<a href="{pairs}{quote(row["name"])}">{link_text}</a>'
        rows.append(f'<tr><td class="first">{name}</td>{cells}<td>{link}</td></tr>')
    return mark_safe("".join(rows))  # noqa: S308  # each text is escaped


def opponent_options(
    active: Container[str], record: Iterable[Row], chosen: Container[str], shown: Callable[[str], str]
) -> SafeString:
    """Return the opponents met most often, of those who are active, as options of a list; some are chosen.

    Args:
        active: Keys of players.
        record: Of a player against each opponent, most games first.
        chosen: Keys of the opponents that are chosen.
        shown: Returns the name that pages show of a label.
    """
    marks = {True: " selected", False: ""}
    texts = (
        f'<option value="{escape(row["key"])}"{marks[row["key"] in chosen]}>{escape(shown(row["name"]))}</option>'
        for row in islice((row for row in record if row["key"] in active), OPPONENTS)
    )
    return mark_safe("".join(texts))  # noqa: S308  # each text is escaped


texts = Answers(MOST_BYTES, lambda text: len(text) + OVERHEAD)
beside.append(texts)


def games_body(links: Addresses, state: State, rows: Iterable[dict[str, Any]], names: Names) -> SafeString:
    """Return rows of a state's games as HTML; those that say what they said before an entry are not made again."""
    games, players = links("game"), links("player")
    look = (games.before, games.behind, page_language())

    def text(row: dict[str, Any]) -> str:
        people = [state.person(row[side]).key for side in ("black", "white")]
        shown = (
            *people,
            *(names(state.labels[key]) for key in people),
            state.label_of(row["kind"]),
            state.label_of(row["event"]),
        )
        return texts.get((look, shown, *row.values()), lambda: _game_row(game_row(state, row), games, players, names))

    return mark_safe("".join(map(text, rows)))  # noqa: S308  # each text is escaped


def _game_row(row: Row, games: Links, players: Links, names: Names) -> str:
    sides = [f'<a href="{players.to(row[side])}">{names(row[side + "_name"])}</a>' for side in ("black", "white")]
    head = '<tr class="withdrawn">' if row["withdrawn"] else "<tr>"
    link = f'<td class="nowrap"><a href="{games.to(row["key"])}">{escape(day(row["date"]) or row["key"])}</a></td>'
    stones = (("stone black", "black"), ("stone", "white"))
    cells = "".join(
        f'<td><span class="{look}"></span><span class="unseen">{escape(word(colour))}</span> {side}</td>'
        for (look, colour), side in zip(stones, sides, strict=True)
    )
    texts = (escape(row["result"]), escape(row["terms"]), escape(f"{word(row['kind'])} {row['event']}".strip()))
    plain = "".join(f"<td>{text}</td>" for text in texts)
    return f'{head}{link}{cells}{plain}<td class="status">{escape(word(row["status"]))}</td></tr>\n'
