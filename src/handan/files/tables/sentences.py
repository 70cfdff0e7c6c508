"""Games told in words, a line each: `Ada beat Bo [by 3.5] [on 2026-03-01]`, in the languages of the table of words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cache

import polars as pl

from handan.errors import FieldError, Problem
from handan.files.cells.dates import day_in_line, looks_like_date
from handan.files.cells.numbers import read_stones, round_in
from handan.files.cells.ranked_names import name_and_colour
from handan.files.cells.results import is_score, read_result, tail_of
from handan.files.games.contents import Contents
from handan.files.io.options import Options
from handan.files.tables.blocks import headed
from handan.files.tables.column_names import Meaning
from handan.files.tables.players_and_results import FIRST_WINS, SECOND_WINS, finding_of, result_by_name
from handan.files.tables.table import contents_of
from handan.files.tables.text_table import TextTable
from handan.ledger.name_folding import folded
from handan.words import written_words

DATE_FIRST = re.compile(r"^\s*(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})[\s:,;-]+")
DAY = re.compile(r"(?<!\d)(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?!\d)")
WORD = re.compile(r"\w+")
CHAT = re.compile(
    r"\[?(\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}),?\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp][Mm])?(?:\]|\s-)\s+[^:]{1,60}:\s+"
)
"""Day, time and writer before each message of a chat that was saved as text."""
ENDING = re.compile(r"(?<!\s)\s+\(([^()]{1,40})\)$")
"""How a game ended, in brackets behind the second name."""
BULLET = re.compile(r"^\s*(?:[-*•]\s+|\d{1,4}[.)]\s+)")
NAMES = {
    "player1": "who won, or stands before a score",
    "player2": "the other",
    "result": "the verb, or a score such as 1 - 0",
    "margin": "by how much",
    "date": "on which day",
}
SCORED = re.compile(
    r"(?P<one>[^\s\d](?:.*[^\s])?)\s+(?P<score>(?:[012]|½|0[.,]5|1/2)\s?[-:–]\s?(?:[012]|½|0[.,]5|1/2))\s+(?P<two>[^\s\d].*)"
)
"""Two names with a score between them."""
WON, DRAWN, LOST = "1-0", "½-½", "0-1"
OUTCOME_BEHIND = re.compile(r"(?P<names>[^,:;]{3,120})[,:]\s+(?P<outcome>(?:[^,:;]|(?<=\d)[,:](?=\d)){1,80})")
"""Two players, and behind a mark how their game ended."""
MARKS = frozenset(("-", "–", "—", ":"))
"""What stands between two names as a word of its own, beside the words of `[versus]`."""
RESULT_BEHIND = re.compile(r"(?<!\s)\s+\(?([BW])\+(\S{0,10}?)\)?$")
"""A result as files have it, at the end of a line."""
COLUMNS = ("player1", "player2", "result", "margin", "date", "colour", "round", "handicap")
ROUND = re.compile(r"[^\W\d_]\.?\s?\d{1,3}")
"""The letter and number before the games of a round, such as `R1`."""
LONGEST_HEAD = 40  # characters; our choice
LONGEST = 300  # characters of a game; our choice
LONGEST_LINE = 3_000  # characters; our choice
FIRST = 200  # our choice: lines by which a file is known
SHARE = 0.5  # our choice: of the lines with text are sentences, else the file is none of them


def sentences(lines: Sequence[str], source: str, options: Options, facts: dict[str, str]) -> Contents | None:
    """Return the games that lines tell; None if less than half of them tell one.

    Args:
        lines: The lines of the file.
        source: Name for the reports.
        options: As the user gave them.
        facts: What was decided of it before (`Understanding.facts`).
    """
    rows: dict[str, list[str]] = {name: [] for name in COLUMNS}
    numbers = []
    problems = []
    texts = [(number, line.strip()) for number, line in enumerate(lines, 1) if line.strip()]
    first = texts[:FIRST]
    no_heads = sum(not _head(text) and not _title(text, frozenset()) for _, text in first)
    if sum(bool(_games(text)) for _, text in first) < SHARE * no_heads:
        return None
    of_games, of_heads, head_day, head_round = 0, 0, "", ""
    of_lines = {text: _games(text) for _, text in texts}
    names = {word for games in of_lines.values() for cells in games for name in cells[:2] for word in _words(name)}
    for number, text in texts:
        games = of_lines[text]
        of_games += bool(games)
        if not games and (above := _head(text) or _title(text, names)):
            of_heads += 1
            head_day, head_round = above.get("date", head_day), above.get("round", head_round)
            continue
        if not games:
            expected = "a game such as: Ada beat Bo by 3.5 on 2026-03-01, or Ada 1 - 0 Bo"
            problems.append(Problem(source, number, "", text, expected))
        for cells in games:
            numbers.append(number)
            whole = dict(zip(COLUMNS, cells, strict=True))
            whole |= {"date": whole["date"] or head_day, "round": whole["round"] or head_round}
            for name, cell in whole.items():
                rows[name].append(cell)
    if not numbers or of_games < SHARE * (len(texts) - of_heads):
        return None
    options.limits.check("games", len(numbers), source)
    frame = pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String()))
    meanings = [Meaning(NAMES[name], name) for name in NAMES]
    facts = {**facts, "layout": "sentences"}
    places = pl.Series(numbers, dtype=pl.Int64)
    return contents_of(TextTable(frame, places, source, meanings, problems=problems, facts=facts), options)


def _head(text: str) -> Mapping[str, str]:
    """Return what a line above games says of them, by column; nothing for any other."""
    return headed(text.strip(" :")) if len(text) <= LONGEST_HEAD else {}


def _title(text: str, names: AbstractSet[str]) -> Mapping[str, str]:
    """Return the day in a line above games such as `Clubabend 1.10.26`; nothing for one that names a player."""
    if len(text) > LONGEST_HEAD:
        return {}
    days, rest = DAY.findall(text), DAY.sub(" ", text)
    if not days and (line := day_in_line(text.strip(" :"))):
        days, rest = [str(line.day)], line.rest
    if len(days) != 1 or any(map(str.isdecimal, rest)) or not names.isdisjoint(_words(rest)):
        return {}
    return {"date": days[0]}


def _words(text: str) -> list[str]:
    """Return the folded words of a text."""
    return WORD.findall(folded(text))


@cache
def _verb() -> re.Pattern[str]:
    """Return the expression of what stands between winner and loser, or loser and winner."""
    parts = []
    for name in ("beats", "loses_to", "draws"):
        spaced = sorted(written_words("sentence", name), key=len, reverse=True)
        parts.append(
            f"(?P<{name}>{'|'.join(re.escape(word).replace(chr(92) + ' ', chr(92) + 's+') for word in spaced)})"
        )
    return re.compile(rf"^(?P<one>.+?)\s+(?:{'|'.join(parts)})\s+(?P<two>.+)$", re.IGNORECASE)


@cache
def _by() -> re.Pattern[str]:
    """Return the expression of what stands before the margin."""
    words = [word for word in written_words("result", "by") if len(word) > 1 or not word.isascii()]
    plain = sorted(words, key=len, reverse=True)
    return re.compile(rf"\s+(?:{'|'.join(map(re.escape, plain))})\s+(?P<how>\S.*)$", re.IGNORECASE)


def _sentence(text: str) -> tuple[str, ...] | None:
    """Return what one line tells as in `COLUMNS`, the winner first where a verb says it; None if it tells no game."""
    if len(text) > LONGEST:
        return None
    text = BULLET.sub("", text).rstrip(".!;, ")
    day = ""
    if match := DATE_FIRST.match(text):
        day, text = match[1], text[match.end() :]
    match = _verb().match(text)
    if not match:
        return _scored(text, day)
    first, rest = match["one"].strip(" ,:"), match["two"]
    rest, behind = _dated(rest)
    if (parts := _margin_apart(rest)) is None:
        return None
    rest, margin, later = parts
    behind = behind or later
    of_winner = ""
    if behind_names := RESULT_BEHIND.search(rest):
        of_winner, rest = {"B": "black", "W": "white"}[behind_names[1]], rest[: behind_names.start()]
        margin = margin or behind_names[2]
    second = rest.strip(" ,:")
    one, one_colour = name_and_colour(first)
    two, two_colour = name_and_colour(second)
    if match["draws"]:
        return (one, two, DRAWN, "", day or behind, one_colour) if one and two else None
    if match["loses_to"]:
        one, two, one_colour = two, one, two_colour
    return (one, two, WON, margin, day or behind, one_colour or of_winner) if one and two else None


def _margin_apart(rest: str) -> tuple[str, str, str] | None:
    """Return what stands before a margin, the margin and the day behind it, if they are there; None for more words."""
    margin, day = "", ""
    if match := _by().search(rest):
        how, day = _dated(match["how"]) if not tail_of(match["how"]) else (match["how"], "")
        if tail_of(how):
            margin, rest = how, rest[: match.start()]
        elif how[0].isdecimal():
            return None
    if not margin and (ending := ENDING.search(rest)) and tail_of(ending[1]):
        margin, rest = ending[1], rest[: ending.start()]
    return rest, margin, day


def _games(line: str) -> list[tuple[str, ...]]:
    """Return the games of a line as in `COLUMNS`, those of `R1: Ada 1:0 Bo; Cy 0:1 Dee` with their round; else none."""
    if len(line) > LONGEST_LINE:
        return []
    if chat := CHAT.match(line):
        return [(*game[:4], game[4] or chat[1], *game[5:]) for game in _games(line[chat.end() :])]
    before, _, rest = line.partition(":")
    number = next(iter(re.findall(r"\d+", before)), "") if ROUND.fullmatch(before.strip()) else round_in(before) or ""
    texts = (rest if number else line).split(";")
    parts = [_with_stones(text.strip()) for text in texts if text.strip()]
    games = [(_sentence(text), stones) for text, stones in parts]
    return (
        []
        if any(game is None for game, _ in games)
        else [(*game, str(number), stones) for game, stones in games if game]
    )


def _with_stones(text: str) -> tuple[str, str]:
    """Return a text without a handicap in brackets at its end, such as `(handicap 2)`, and that handicap."""
    match = ENDING.search(text.rstrip(".!;, ")) if len(text) <= LONGEST else None
    if match is None or tail_of(match[1]):
        return text, ""
    try:
        return text[: match.start()], str(read_stones(match[1]))
    except FieldError:
        return text, ""


def _scored(text: str, day: str) -> tuple[str, ...] | None:
    """Return what a line with a score between two names tells; None for any other."""
    ending = ENDING.search(text)
    margin = ending[1] if ending and tail_of(ending[1]) else ""
    if whole := _outcome_behind(text, day):
        return whole
    text = _score_between(text[: ending.start()] if ending and margin else text)
    match = SCORED.fullmatch(text)
    if not match or not is_score(match["score"]) or not _is_result(match["score"]):
        return None
    rest, behind = _dated(match["two"])
    (one, colour), (two, _) = name_and_colour(match["one"].strip(" ,:")), name_and_colour(rest.strip(" ,:"))
    if not one or not two or not two[0].isalnum() or len(_between(one.split())) > 0:
        return None
    return one, two, match["score"], margin, day or behind, colour


def _outcome_behind(text: str, day: str) -> tuple[str, ...] | None:
    """Return what `Ada - Bo: jigo` and `Bo vs Cy, Cy wins by 3.5` tell, who won being named; None for other lines."""
    match = OUTCOME_BEHIND.fullmatch(text)
    places = _between(match["names"].split()) if match else []
    if match is None or len(places) != 1:
        return None
    words = match["names"].split()
    one, two = (" ".join(own).strip(" ,:") for own in (words[: places[0]], words[places[0] + 1 :]))
    outcome = match["outcome"].strip()
    if is_score(outcome) and _is_result(outcome):
        return one, two, outcome, "", day, ""
    if (finding := finding_of(outcome)) and finding.winner == "draw":
        return one, two, DRAWN, "", day, ""
    result, _ = result_by_name(outcome, (one, two), (FIRST_WINS, SECOND_WINS), {}, ())
    score = {FIRST_WINS: WON, SECOND_WINS: LOST}.get(result[: len(FIRST_WINS)], "")
    return (one, two, score, result[len(FIRST_WINS) :], day, "") if score else None


def _score_between(text: str) -> str:
    """Return a line such as `Ada - Bo 1:0` with its score between the names; others as they are."""
    words = text.split()
    for count in (1, 3):
        score, names = " ".join(words[-count:]), words[:-count]
        places = _between(names)
        if is_score(score) and len(places) == 1:
            return " ".join([*names[: places[0]], score, *names[places[0] + 1 :]])
    return text


def _between(words: Sequence[str]) -> list[int]:
    """Return the places of words that part two players, such as `-` and `vs`."""
    marks = (*MARKS, *written_words("versus"))
    return [at for at, word in enumerate(words) if 0 < at < len(words) - 1 and word.lower().rstrip(".") in marks]


def _is_result(score: str) -> bool:
    try:
        read_result(score)
    except FieldError:
        return False
    return True


@cache
def _on() -> re.Pattern[str]:
    """Return the expression of a word before a day at the end of a text."""
    return re.compile(rf"(?<!\s)\s++(?:{'|'.join(written_words('sentence', 'on'))})$", re.IGNORECASE)


def _dated(text: str) -> tuple[str, str]:
    """Return a text without the date at its end, and that date."""
    for match in re.finditer(r"[\s,;(]+", text):
        rest = text[match.end() :].rstrip(") ")
        if looks_like_date(rest):
            return _on().sub("", text[: match.start()]), rest
    return text, ""
