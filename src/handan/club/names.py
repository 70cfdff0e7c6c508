"""How the players of a club are called where people read, and whom a name, key or number that people write means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

import polars as pl

from handan.club.entries import FORMER, HIDDEN
from handan.club.people import Person
from handan.club.state import WITHDRAWN, State
from handan.errors import AbsentError, Clause, FieldError, InputError
from handan.ledger.dates import written
from handan.ledger.name_search import MIDDLE
from handan.wording.languages import FORMER_MEMBER, HIDDEN_MEMBER, LANGUAGES, WITHOUT_GAMES, since_words

EXACT = (4, 7, 10)
"""Characters of a year, a month and a day: the first of these that tells all of a name apart is shown."""
NAMELESS = {language: {FORMER: FORMER_MEMBER[language], HIDDEN: HIDDEN_MEMBER[language]} for language in LANGUAGES}
"""By language: what people read in place of a name that is kept no longer, or kept from them."""


class FirstDay(NamedTuple):
    """When somebody's first game was, as far as it is known."""

    moment: datetime | None
    """None where no game of theirs has a date."""
    precision: int
    """As in the games table: of several first games the least; 0 without a date."""

    def __str__(self) -> str:
        """ISO text, empty where it is not known."""
        return written(self.moment, self.precision) if self.moment else ""


def first_days(state: State, keys: Iterable[str]) -> dict[str, FirstDay | None]:
    """Return when the first game was of each of some active players by key; None for who has none."""
    return {key: _first_day(state, state.names_of(key)) for key in keys}


def _first_day(state: State, names: Sequence[str]) -> FirstDay | None:
    games = state.recorded.of(names).filter(pl.col("status") != WITHDRAWN)
    if not games.height:
        return None
    date = pl.col("date")
    moment, precision = games.select(date.min(), pl.col("precision").filter(date == date.min()).min()).row(0)
    return FirstDay(moment, precision or 0)


@dataclass(frozen=True, eq=False)
class ShownNames:
    """The names of a club's players as people read them in one language; each is worked out when somebody looks."""

    state: State
    language: str = "en"
    clubs: Mapping[str, str] = field(default_factory=dict)
    """Names of a federation's clubs by their short names."""
    on_wood: bool = False
    """Whether no number stands behind the names of namesakes, as on plates and cards."""

    def of(self, label: str) -> str:
        """Return the name of a player as it is shown, of their label; another text is returned as it is."""
        label = nameless_words(label, self.language)
        if not label.endswith(")"):
            return label
        key = self.state.keys.get(label)
        if key is None:
            name, mark, number = label.rpartition(f" ({self.state.slug}:")
            return name if mark and number[:-1] in self.state.gone else label
        keys = self.state.namesakes(self.state.people[key].name)
        return self._of_group(keys)[key] if key in keys else label

    def label_of(self, text: str) -> str:
        """Return the label of who is shown so, in whatever language; another text is returned as it is."""
        if text not in self.state.keys:
            for label in _nameless_labels(text):
                if label in self.state.keys:
                    return label
        for name in _beginnings(text):
            keys = self.state.namesakes(name)
            for language in LANGUAGES if keys else ():
                shown = ShownNames(self.state, language, self.clubs)
                for key, own in shown._of_group(keys).items():
                    if own == text:
                        return self.state.labels[key]
        return text

    def _of_group(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the names by key of all who share one; the label where another player is really called so."""
        homes: dict[str, list[str]] = {}
        for key in keys:
            homes.setdefault(self.clubs.get(key.partition(".")[0], ""), []).append(key)
        shown = {}
        for home, own in homes.items():
            marks = _marks(own, first_days(self.state, own), self.language) if len(own) > 1 or not home else [""]
            theirs = {home, own[0].partition(".")[0]} if home else set[str]()  # the club again tells nothing
            words = ["" if (word := self.state.people[key].club) in theirs else word for key in own]
            for key, mark, word in zip(own, marks, words, strict=True):
                is_word = bool(word) and words.count(word) == 1
                own_mark = word if is_word else "" if self.on_wood and mark.isdecimal() else mark
                behind = ", ".join(filter(None, (home, own_mark)))
                name = f"{self.state.people[key].name} ({behind})" if behind else self.state.people[key].name
                shown[key] = self.state.labels[key] if name in self.state.keys and not self.on_wood else name
        return shown


def nameless_words(label: str, language: str) -> str:
    """Return what people read in place of a name, with the number behind it; another label as it is."""
    name, blank, number = label.partition(" (")
    return f"{words}{blank}{number}" if (words := NAMELESS[language].get(name)) else label


def _nameless_labels(text: str) -> Iterator[str]:
    """Give the labels of whom a text may mean in place of a name, in whatever language."""
    shown, blank, number = text.partition(" (")
    for words in NAMELESS.values():
        yield from (f"{name}{blank}{number}" for name, own in words.items() if own == shown)


def _marks(keys: Sequence[str], days: Mapping[str, FirstDay | None], language: str) -> list[str]:
    """Return what tells people of one name apart: since when they play, else a number in the order of registration."""
    for exact in EXACT:
        begun = [None if (day := days[key]) is None else str(day)[:exact] for key in keys]
        if "" not in begun and len({*begun}) == len(keys):
            return [WITHOUT_GAMES[language] if day is None else since_words(day, language) for day in begun]
    return [str(number) for number in range(1, len(keys) + 1)]


def _beginnings(text: str) -> Iterator[str]:
    """Give what stands before each blank and bracket of a text that ends with a bracket."""
    if not text.endswith(")"):
        return
    place = text.find(" (")
    while place > 0:
        yield text[:place]
        place = text.find(" (", place + 1)


MOST_LIKE = 5  # our choice: players who are proposed for a name


class NotInClubError(AbsentError):
    """A club has no player, game, list or invitation of that key or number."""


def person_of(state: State, key: str) -> Person:
    """Return a player by key, the one they were merged into if so; NotInClubError for a stranger."""
    try:
        return state.person(key)
    except InputError as error:
        raise NotInClubError(str(error)) from None


def game_of(state: State, key: str) -> dict[str, Any]:
    """Return the row of a game; NotInClubError for a game that was never recorded."""
    try:
        return state.game(key)
    except InputError as error:
        raise NotInClubError(str(error)) from None


def players_meant(state: State, text: str, names: ShownNames | None = None) -> list[Person]:
    """Return the players whom a text may mean, by key, number, name, reading or a part of them: those it fits best.

    One if it is clear, several where people have to choose, none for a stranger. Names are found in any script: as
    kana, romaji, initials of hangul, with blanks or without; the start of a word comes before its middle. `names` says
    how players are shown where that is not as in a club by itself, in English.
    """
    wanted = (names or ShownNames(state)).label_of(text.strip())
    if not wanted:
        return []
    if wanted in state.keys:
        return [state.people[state.keys[wanted]]]
    if wanted in state.people:
        return [state.person(wanted)]
    matches = state.matches(wanted)
    return [person for fit, person in matches if fit == matches[0][0]]


def player_meant(state: State, text: str, field: str, names: ShownNames | None = None) -> str:
    """Return the key of the one player whom a name, number, key or fragment of a name means; FieldError otherwise.

    `names` as in `players_meant`.
    """
    if not text.strip():
        raise FieldError(field, "", "a player")
    names = names or ShownNames(state)
    people = players_meant(state, text, names)
    if len(people) == 1:
        return people[0].key
    if not people:
        raise FieldError(field, text.strip(), "the name of a player; register newcomers first")
    fitting = ", ".join(names.of(state.labels[person.key]) for person in people[:5])
    pattern = "clear: it fits {names} and more" if len(people) > 5 else "clear: it fits {names}"
    raise FieldError(field, text.strip(), Clause.of(pattern, names=fitting))


def is_clear(state: State, text: str) -> bool:
    """Whether a text that fits one player needs no question: the whole name, or the beginning of its words."""
    wanted = ShownNames(state).label_of(text.strip())
    return wanted in state.keys or wanted in state.people or state.matches(wanted)[0][0] < MIDDLE


def players_like(state: State, text: str) -> list[Person]:
    """Return the players whose names or readings are written or sound nearly like a text, the likest first."""
    near = state.spelt_names.near(text)
    likest = sorted(near, key=lambda form: (-near[form], form))
    people = {person.key: person for form in likest for person in state.people.named("spelling", form)}
    return [person for key, person in people.items() if state.is_active(key)][:MOST_LIKE]
