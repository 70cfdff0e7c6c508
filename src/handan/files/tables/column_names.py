"""What the headings of a table mean: the columns of a games table, in any language of the table of words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from handan.colours import COLOURS, LONGEST, colours_in, languages_in, player_of, players_of
from handan.errors import Clause, InputError, QuestionError, closest, either, shown
from handan.files.games.adjustment_rows import FIGURES
from handan.files.games.columns import READABLE, SUMS
from handan.files.io.header import plain_name
from handan.words import MORE, joined, table, words_of

PERSONS = ("winner", "loser", "player1", "player2")
BESIDE_PERSONS = ("rank", "id", "score")
BEHIND = tuple(f"_{kind}" for kind in BESIDE_PERSONS)
PAIRS = ("players", "black_white", "white_black")
"""Columns with both players in a cell; the last two say who had Black."""
SCORES = tuple(f"{person}_score" for person in (*COLOURS, "player1", "player2"))
TICKS = tuple(f"{person}_won" for person in (*COLOURS, "player1", "player2"))
"""Columns in which whoever won has a mark."""
DRAWN = "drawn"
"""The column beside these in which a drawn game has one."""
BESIDES = tuple(f"{person}_{kind}" for person in PERSONS for kind in BESIDE_PERSONS if kind != "score")
ROLES = (*PERSONS, "colour", "neutral", "margin", "board", *SCORES, *TICKS, DRAWN, *PAIRS, *BESIDES)
"""Columns from which result and players follow, beside those that are read as they are."""
STATUS = "status"
"""Column of a club's own games that says which of them do not count."""
COLUMNS = (*READABLE, *ROLES, STATUS, *FIGURES)
ENOUGH = (
    ("black", "white", "result"), SUMS, ("black", "white", "winner"), ("winner", "loser"),
    ("player1", "player2", "result"), ("player1", "player2", "winner"),
    *(("black", "white", *SCORES[:2]), ("player1", "player2", *SCORES[2:])),
    *(("black", "white", *TICKS[:2]), ("player1", "player2", *TICKS[2:])),
    *((pair, outcome) for pair in reversed(PAIRS) for outcome in ("result", "winner")),
)  # fmt: skip
"""Sets of columns, one of which a table of games has in full; the first that it has says how it is read."""
CELLS = re.compile(r"[,;\t|]| {2,}")
LONGEST_CELL = 1_000  # characters; our choice: no heading is so long, whatever blanks stand around it
SHORTEST = 3  # letters; our choice: of a heading that is a word cut short
ENDS = {"1": 1, "2": 2, "a": 1, "b": 2}
"""What stands behind `score` for the first and the second player."""
WORD = re.compile(r"[^\W\d_]+")
IN_BRACKETS = re.compile(r".[(\[（［/,]")
UNDECLARED = 1_000  # order of what stands in no list of words


@dataclass(frozen=True, slots=True)
class Meaning:
    """One heading and the column that it means."""

    heading: str
    """As it is written."""
    column: str = ""
    """One of `COLUMNS`; empty where it means none."""
    languages: frozenset[str] = frozenset()
    """Those in which it says so; empty for the names of this package and for what the user says."""
    order: int = 0
    """Place among the words for this column: of two headings that mean the same the lower one is it."""


def meaning_of(heading: str) -> Meaning:
    """Return what a heading means by itself."""
    return Meaning(heading) if len(heading) > LONGEST_CELL else _meaning_of(heading)


@lru_cache(4096)
def _meaning_of(heading: str) -> Meaning:
    name = plain_name(heading)
    if name in READABLE or name == STATUS:
        return Meaning(heading, name)
    if not name or len(heading) > LONGEST:
        return Meaning(heading)
    word = joined(heading)
    if word in _headings():
        return replace(_headings()[word], heading=heading)
    if colour := player_of(heading):
        return Meaning(heading, colour, languages_in(heading, colour), UNDECLARED)
    if pair := _pair_of(heading):
        return Meaning(heading, pair, order=UNDECLARED)
    return Meaning(heading, _beside_person(word), order=UNDECLARED)


def understood(headings: Sequence[str], columns: Mapping[str, str] | None = None) -> list[Meaning]:
    """Return the meaning of each heading; each column is meant once.

    Args:
        headings: As they are written.
        columns: Headings by column, as the user says them; they overrule the table of words.

    Raises:
        InputError: The user names a column or heading that there is not.
        QuestionError: Two headings mean the same column equally well.
    """
    by_user = _by_user(headings, columns or {})
    meanings = [
        _as_said(heading, by_user[place]) if place in by_user else meaning_of(heading)
        for place, heading in enumerate(headings)
    ]
    result = list(meanings)
    for column in {meaning.column for meaning in meanings} - {""}:
        places = [place for place, meaning in enumerate(meanings) if meaning.column == column]
        best = min(meanings[place].order for place in places)
        chosen = [place for place in places if meanings[place].order == best]
        if len(chosen) > 1 and best >= 0 and len({plain_name(headings[place]) for place in chosen}) > 1:
            _ask(column, [headings[place] for place in chosen])
        for place in places:
            if place not in chosen:
                result[place] = Meaning(headings[place])
    steps = (
        _on_both_sides, _with_ranks, _by_letters, _behind_persons, _paired, _questions, _ticked, _of_these_games,
        _with_figures,
    )  # fmt: skip
    for step in steps:
        result = step(result)
    return result


def _with_figures(meanings: list[Meaning]) -> list[Meaning]:
    """Return the meanings, where a table with kinds of games also has the figures of ranks set by hand."""
    there = {meaning.column for meaning in meanings}
    if not {"black", "white", "kind"} <= there:
        return meanings
    names = [plain_name(meaning.heading) if not meaning.column else "" for meaning in meanings]
    return _called(meanings, {names.index(name): name for name in FIGURES if name in names and name not in there})


def _called(meanings: Sequence[Meaning], columns: Mapping[int, str]) -> list[Meaning]:
    """Return the meanings, some of which, by place, are those of other columns."""
    return [replace(meaning, column=columns.get(place, meaning.column)) for place, meaning in enumerate(meanings)]


def _as_said(heading: str, column: str) -> Meaning:
    """Return a heading as the user understands it; one with a colour still tells the language of the results."""
    spoken = languages_in(heading, column) if column in COLOURS else frozenset[str]()
    return Meaning(heading, column, spoken, order=-1)


def _questions(meanings: list[Meaning]) -> list[Meaning]:
    """Return the meanings, where headings such as `Who played Black?` and `Who played White?` are the players.

    Each names one colour, the other one stands in one more heading alone, and what is left of both is alike or names
    no other fact of a player.
    """
    columns = {meaning.column for meaning in meanings}
    if columns & {*COLOURS} or enough(columns):
        return meanings
    named = {colour: [place for place, meaning in enumerate(meanings) if _names(meaning, colour)] for colour in COLOURS}
    if any(len(places) != 1 for places in named.values()):
        named = {colour: [place for place in places if _asks_for_a_name(meanings[place].heading)]
                 for colour, places in named.items()}  # fmt: skip
    if any(len(places) != 1 for places in named.values()):
        return meanings
    result = list(meanings)
    for colour, [place] in named.items():
        heading = meanings[place].heading
        result[place] = Meaning(heading, colour, languages_in(heading, colour), UNDECLARED)
    return result


def _names(meaning: Meaning, colour: str) -> bool:
    """Return whether a heading without a meaning names one colour and no other fact of a player than who it is."""
    if meaning.column or colours_in(meaning.heading) != {colour}:
        return False
    return not words_of("other_fact") & set(map(joined, WORD.findall(meaning.heading)))


def _asks_for_a_name(heading: str) -> bool:
    """Return whether a heading has a word for a player or a name."""
    return bool(words_of("beside") & set(map(joined, WORD.findall(heading))))


def _paired(meanings: list[Meaning]) -> list[Meaning]:
    """Return the meanings, where the one column of players (`Spieler`), beside a result, holds both players."""
    columns = [meaning.column for meaning in meanings]
    places = [place for place, column in enumerate(columns) if column == "player1"]
    if len(places) != 1 or enough(columns) or not enough([*columns, "players"]):
        return meanings
    if joined(meanings[places[0]].heading) not in words_of("heading", "players"):
        return meanings
    return _called(meanings, {places[0]: "players"})


def _on_both_sides(meanings: list[Meaning]) -> list[Meaning]:
    """Return the meanings, where one heading for a person stands on both sides of the result, as in pairings."""
    results = [place for place, meaning in enumerate(meanings) if meaning.column == "result"]
    named = [place for place, meaning in enumerate(meanings) if joined(meaning.heading) in words_of("beside")]
    columns = {meaning.column for place, meaning in enumerate(meanings) if place not in named}
    if enough(columns) or len(results) != 1 or len(named) != 2 or not named[0] < results[0] < named[1]:
        return meanings
    if joined(meanings[named[0]].heading) != joined(meanings[named[1]].heading):
        return meanings
    sides = dict(zip(named, ("player1", "player2"), strict=True))
    return _called(meanings, sides)


def _of_these_games(meanings: list[Meaning]) -> list[Meaning]:
    """Return the meanings without persons by whom the table is not read, as in a list of members beside the games.

    So are points and pairs, where the table is read by other columns.
    """
    choice = enough(meaning.column for meaning in meanings)
    others = {f"{person}{kind}" for person in PERSONS if choice and person not in choice for kind in ("", *BEHIND)}
    others |= {column for column in (*SCORES, *TICKS, *PAIRS) if choice and column not in choice}
    others |= {DRAWN} - {DRAWN for column in choice if column in TICKS}
    others -= {"winner"} if "result" in choice else set()  # the results may be margins
    return [Meaning(meaning.heading) if meaning.column in others else meaning for meaning in meanings]


def _with_ranks(meanings: list[Meaning]) -> list[Meaning]:
    """Return the meanings, where `Black (rank)` and `White (rank)` are the players, whom nothing else names."""
    columns = {meaning.column for meaning in meanings}
    named = {f"{colour}_rank": colour for colour in COLOURS}
    ranked = [meaning for meaning in meanings if meaning.column in named]
    if enough(columns) or columns & {*COLOURS} or len(ranked) != len(COLOURS):
        return meanings
    if not all(IN_BRACKETS.search(meaning.heading) for meaning in ranked):
        return meanings
    return [
        replace(each, column=named[each.column], languages=languages_in(each.heading, named[each.column]))
        if each.column in named else each
        for each in meanings
    ]  # fmt: skip


def _ticked(meanings: list[Meaning]) -> list[Meaning]:
    """Return the meanings, where `S gewinnt` and `W gewinnt` stand over marks for who won, and `Remis` over draws."""
    columns = {meaning.column for meaning in meanings}
    if enough(columns - {"black_wins"}) or "games" in columns:
        return meanings
    of = {person: place for place, meaning in enumerate(meanings) if (person := _winner_in(meaning.heading))}
    pairs = [COLOURS, ("player1", "player2"), *dict.fromkeys(map(tuple, table()["letters"].values()))]
    pair = next((pair for pair in pairs if {*pair} <= of.keys()), None)
    if pair is None:
        return meanings
    result = list(meanings)
    columns_of_pair = TICKS[2:] if pair[0] == "player1" else TICKS[:2]
    for person, column in zip(pair, columns_of_pair, strict=True):
        result[of[person]] = Meaning(meanings[of[person]].heading, column)
    drawn = [place for place, each in enumerate(meanings) if joined(each.heading) in words_of("result", "draw")]
    for place in drawn[:1]:
        result[place] = Meaning(meanings[place].heading, DRAWN)
    return result


def _winner_in(heading: str) -> str:
    """Return the colour, person or letter of a heading that says beside it only that somebody won; empty for others."""
    word = joined(heading) if len(heading) <= LONGEST else ""
    persons, won = _words_of_winners()
    beside = words_of("connector") | words_of("beside")
    for rest in (part for each in won if each in word for part in (word.removesuffix(each), word.removeprefix(each))):
        if len(rest) == 1 and rest != word and rest.isalpha() and rest not in persons:
            return rest
        if rest != word and (form := next((form for form in _without(rest, beside) if form in persons), "")):
            return persons[form]
    return ""


@cache
def _words_of_winners() -> tuple[Mapping[str, str], tuple[str, ...]]:
    """Return who is meant by each word for a player, and the words that somebody won, the longest first."""
    players = {name: person for person, names in _persons() for name in names if person not in ("winner", "loser")}
    return players, tuple(sorted(words_of("result", "win"), key=lambda word: (-len(word), word)))


def _by_letters(meanings: list[Meaning]) -> list[Meaning]:
    """Return the meanings, where `Rank B` and `Rank W` are those of Black and White: both letters of one language."""
    there = {joined(meaning.heading): place for place, meaning in enumerate(meanings) if not meaning.column}
    result = meanings
    for kind in ("rank", "id"):
        words = words_of("heading", kind)
        pairs = {
            tuple(there[heading] for heading in headings)
            for pair in table()["letters"].values()
            for word in words
            for headings in ([word + letter for letter in pair], [letter + word for letter in pair])
            if there.keys() >= {*headings}
        }
        if len(pairs) == 1:
            named = zip(COLOURS, *pairs, strict=True)
            result = _called(result, {place: f"{colour}_{kind}" for colour, place in named})
    return result


def _behind_persons(meanings: list[Meaning]) -> list[Meaning]:
    """Return the meanings, where `Rank`, `Id` or both `Score` right behind a player is that player's."""
    result = list(_scored(meanings))
    there = {meaning.column for meaning in result}
    for place, meaning in enumerate(result):
        before = result[place - 1].column.split("_")[0] if place else ""
        if meaning.column or before not in (*COLOURS, *PERSONS):
            continue
        kind = next((kind for kind in BESIDE_PERSONS if joined(meaning.heading) in words_of("heading", kind)), "")
        if kind and f"{before}_{kind}" in set(COLUMNS) - there:
            result[place] = replace(meaning, column=f"{before}_{kind}")
            there.add(f"{before}_{kind}")
    return result


def _scored(meanings: list[Meaning]) -> list[Meaning]:
    """Return the meanings, where two columns of results, one right behind each player's, are the players' points."""
    places = [place for place, meaning in enumerate(meanings) if meaning.column == "result"]
    before = [meanings[place - 1].column if place else "" for place in places]
    columns = tuple(f"{column}_score" for column in sorted(before))
    points = all(joined(meanings[place].heading) in words_of("heading", "score") for place in places)
    if columns not in (SCORES[:2], SCORES[2:]) or not points:
        return meanings
    return _called(meanings, {place: f"{column}_score" for place, column in zip(places, before, strict=True)})


def enough(columns: Iterable[str]) -> tuple[str, ...]:
    """Return the set of columns by which a table is read, empty if it has none in full."""
    there = set(columns)
    return next((choice for choice in ENOUGH if there.issuperset(choice)), ())


def languages(meanings: Iterable[Meaning]) -> frozenset[str]:
    """Return the languages in which most of the headings are written, empty where nothing tells."""
    counts = Counter(language for meaning in meanings for language in meaning.languages if language != MORE)
    most = max(counts.values(), default=0)
    return frozenset(language for language, count in counts.items() if count == most)


def known_headings(line: str) -> int:
    """Return how many cells of a line are headings in letters beyond ASCII, which no wrong encoding brings about."""
    cells = (cell.strip(' "') for cell in CELLS.split(line))
    return sum(not cell.isascii() and bool(meaning_of(cell).column) for cell in cells)


def _ask(column: str, headings: list[str]) -> None:
    names = either(map(shown, headings))
    question = Clause.of("which column is {column}, {names}?", column=Clause.of(column), names=names)
    answers = tuple(f"{column}={heading}" for heading in headings)
    raise QuestionError(question, "--column", answers, readings=tuple(headings))


def _by_user(headings: Sequence[str], columns: Mapping[str, str]) -> dict[int, str]:
    """Return the columns that the user names, by the place of their headings."""
    written = {joined(heading): place for place, heading in reversed(list(enumerate(headings)))}
    places = {}
    for column, heading in columns.items():
        if column not in COLUMNS:
            pattern, own = "column {column} is not one of {columns}{closest}", closest(column, COLUMNS)
            raise InputError(Clause.of(pattern, column=shown(column), columns=", ".join(COLUMNS), closest=own))
        place = written.get(joined(heading))
        if place is None:
            there = ", ".join(shown(name) for name in headings[:20])
            pattern = "column {column}: no heading is {heading}; the headings are {names}"
            raise InputError(Clause.of(pattern, column=Clause.of(column), heading=shown(heading), names=there))
        places[place] = column
    return places


def are_teams(meanings: Iterable[Meaning]) -> bool:
    """Return whether the players are called home and away, or teams, so that points are those of a match."""
    return _first_is_called(meanings, words_of("home") | words_of("teams"))


def have_home_side(meanings: Iterable[Meaning]) -> bool:
    """Return whether the players are called home and away."""
    return _first_is_called(meanings, words_of("home"))


def _first_is_called(meanings: Iterable[Meaning], words: frozenset[str]) -> bool:
    return any(meaning.column == "player1" and joined(meaning.heading) in words for meaning in meanings)


def guesses(meanings: Sequence[Meaning]) -> dict[str, str]:
    """Return which headings may be Black, White and the result: their letters in a language, a word cut short."""
    there = {meaning.column: meaning.heading for meaning in meanings}
    guessed = {column: there[column] for column in (*COLOURS, "result") if column in there}
    others = {joined(meaning.heading): meaning.heading for meaning in meanings if meaning.column not in guessed}
    pairs = [pair for pair in dict.fromkeys(table()["letters"].values()) if {*pair} <= others.keys()]
    if len(pairs) == 1:
        guessed = {**{colour: others[letter] for colour, letter in zip(COLOURS, pairs[0], strict=True)}, **guessed}
    results = words_of("heading", "result")
    short = [heading for word, heading in others.items()
             if len(word) >= SHORTEST and any(each.startswith(word) for each in results)]  # fmt: skip
    if len(short) == 1:
        guessed.setdefault("result", short[0])
    return guessed


@cache
def _headings() -> Mapping[str, Meaning]:
    """Return the meanings of the headings that mean a column without a colour beside them."""
    meanings: dict[str, Meaning] = {}
    for column, by_language in table()["heading"].items():
        if column in BESIDE_PERSONS:
            continue
        for language, words in by_language.items():
            for order, word in enumerate(words.split(",")):
                key = joined(word)
                there = meanings.get(key, Meaning("", column, order=order))
                if there.column == column:
                    names = there.languages | {language}
                    meanings[key] = replace(there, languages=names, order=min(order, there.order))
    return meanings


def _pair_of(heading: str) -> str:
    """Return the column of a heading with both colours, such as `Black - White`; empty for any other."""
    order = players_of(heading)
    return "_".join(order) if set(order) == set(COLOURS) and len(order) == len(COLOURS) else ""


def _beside_person(word: str) -> str:
    """Return the column of a heading such as `Rank of Black`, `黒段位` or `Player 1 rank`; empty for any other."""
    if (place := ENDS.get(word[-1:])) and word[:-1] in words_of("heading", "score"):
        return f"player{place}_score"
    if not _person().search(word):
        return ""
    for person, names in _persons():
        for name in names:
            if word.startswith(name) or word.endswith(name):
                rest = word.removeprefix(name) if word.startswith(name) else word.removesuffix(name)
                if (kind := _kind(rest)) and f"{person}_{kind}" in COLUMNS:
                    return f"{person}_{kind}"
    return ""


@cache
def _persons() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the words for each person of a game, the longest first."""
    paths = [(colour, ("colour", colour)) for colour in COLOURS] + [(person, ("heading", person)) for person in PERSONS]
    return tuple((person, tuple(sorted(words_of(*path), key=len, reverse=True))) for person, path in paths)


@cache
def _person() -> re.Pattern[str]:
    """Return the expression of a text that begins or ends with a person of a game."""
    names = "|".join(re.escape(name) for _, names in _persons() for name in names)
    return re.compile(f"^(?:{names})|(?:{names})$")


def _kind(rest: str) -> str:
    """Return what stands beside a colour, connecting words aside."""
    for kind in BESIDE_PERSONS:
        words = words_of("heading", kind)
        if any(form in words for form in _without(rest, words_of("connector") | words_of("beside"))):
            return kind
    return ""


def _without(rest: str, others: Iterable[str]) -> set[str]:
    """Return a text as it is, and without one of the other words at its beginning or end."""
    return {rest} | {rest.removeprefix(word) for word in others} | {rest.removesuffix(word) for word in others}
