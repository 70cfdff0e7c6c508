"""The players of a club as rows of the database, read when they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import date
from typing import Any

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Concat, StrIndex
from django.db.models.lookups import GreaterThan

from handan.club.people import ChangedPeople, Home, People, Person, different_homes, stem_of
from handan.club.store.fact_models import AT_ONCE, Player, batches
from handan.ledger.name_search import BETWEEN, MIDDLE, SOUND, START, WHOLE, Wanted
from handan.ledger.phonetic import is_initials

COLUMNS = ("key", "name", "reading", "country", "home", "ids", "earlier_homes", "entry")
PATIENCE = 100  # our choice: after so many questions about one or a few players, all are read


class StoredPeople(People):
    """Players of one club; each is read once, all where all are asked for. It serves one request."""

    def __init__(self, club: int) -> None:
        """Take the number of the club in the database."""
        super().__init__()
        self._club = club
        self._by_key: dict[str, Person | None] = {}
        self._stems: dict[str, list[Person]] = {}
        self._questions = 0
        self._whole: People | None = None

    @property
    def _rows(self) -> QuerySet[Player]:
        return Player.objects.filter(club=self._club)

    def __getitem__(self, key: str) -> Person:
        """Return a player; KeyError for a stranger."""
        if (self._whole is None or key not in self._whole) and key not in self._by_key:
            self._count()
            self.prefetch([key])
        person = self._by_key.get(key)
        if person is None and self._whole is not None:
            person = self._whole.get(key)
        if person is None:
            raise KeyError(key)
        return person

    def __contains__(self, key: object) -> bool:
        """Whether a key is that of a player."""
        return isinstance(key, str) and self.get(key) is not None

    def __iter__(self) -> Iterator[str]:
        """Go through the keys."""
        return iter(self.whole)

    def __len__(self) -> int:
        """Number of players."""
        return self._rows.count() if self._whole is None else len(self._whole)

    def names(self) -> Iterator[tuple[str, str]]:
        """Yield the key and name of each player, without what else is known of them."""
        if self._whole is not None:
            return self._whole.names()
        return iter(self._rows.order_by("number").values_list("key", "name"))

    @property
    def whole(self) -> People:
        """All players, in memory."""
        if self._whole is None:
            self._whole = People({person.key: person for person in _people(self._rows)})
        return self._whole

    def _count(self) -> None:
        """Count a question; who asks many gets the answers from memory."""
        self._questions += 1
        if self._questions > PATIENCE:
            self.prefetch_all()

    def prefetch_all(self) -> None:
        """Fetch all players at once, before many are asked for."""
        _ = self.whole

    def with_changed(self, people: dict[str, Person]) -> People:  # type: ignore[override]
        """Return these players with others in their places, or behind them."""
        return ChangedPeople(self, people) if people else self

    def prefetch(self, keys: Iterable[str]) -> None:
        """Fetch some players at once, before each is asked for."""
        wanted = [key for key in dict.fromkeys(keys) if key not in self._by_key]
        if self._whole is not None:
            wanted = [key for key in wanted if key not in self._whole]
        self._by_key |= dict.fromkeys(wanted)
        storable = [key for key in wanted if key and is_storable(key)]
        for some in batches(storable):
            rows = self._rows.filter(key__in=some)
            self._by_key |= {person.key: person for person in _people(rows)}

    def homes(self, absent: Collection[str], day: date | None) -> tuple[list[str], list[str]]:
        """Return the different countries and clubs on a day, None: now, of all but some, given by key, sorted."""
        if day is not None or len(absent) > AT_ONCE:
            return self.whole.homes(absent, day)
        rows = self._rows.exclude(key__in=list(absent)).order_by()
        return different_homes(rows.values_list("country", "home").distinct())

    def of_stem(self, stem: str) -> list[Person]:
        """Return the players whose names have a stem."""
        if stem not in self._stems:
            self._stems[stem] = self._answer(stem, lambda people: people.of_stem(stem), Q(stem=stem))
        return self._stems[stem]

    def prefetch_namesakes(self, keys: Iterable[str]) -> None:
        """Fetch some players at once, and those whose names have the same stems."""
        if self._whole is not None:
            return
        wanted = [key for key in dict.fromkeys(keys) if not self._has_alike(key) and is_storable(key)]
        self._by_key |= {key: self._by_key.get(key) for key in wanted}
        for some in batches(wanted):
            own = self._rows.filter(key__in=some)
            stems: dict[str, list[Person]] = {}
            for person in _people(self._rows.filter(stem__in=own.order_by().values("stem"))):
                stems.setdefault(stem_of(person.name), []).append(person)
            self._stems |= stems
            self._by_key |= {person.key: person for people in stems.values() for person in people}

    def _has_alike(self, key: str) -> bool:
        """Whether a player was read with those whose names have the same stem."""
        person = self._by_key.get(key)
        return person is not None and stem_of(person.name) in self._stems

    def bearing(self, number: str) -> list[Person]:
        """Return the players who bear a number of a register."""
        may = self._answer(number, lambda people: people.bearing(number), _has("words", f" {number}"))
        return [person for person in may if number in person.ids]

    def spelt(self, form: str) -> list[Person]:
        """Return the players whose name or reading is so when folded."""
        may = self._answer(form, lambda people: people.spelt(form), _has("wholes", BETWEEN + form))
        return [person for person in may if form in person.spellings]

    def loosely_spelt(self, form: str) -> list[Person]:
        """Return the players whose name or reading is so when spelt loosely."""
        words = Q()
        for word in form.split():
            words &= _has("words", word)
        may = self._answer(form, lambda people: people.loosely_spelt(form), words | _has("wholes", BETWEEN + form))
        return [person for person in may if form in person.loose_spellings]

    def fits(self, wanted: Wanted) -> list[tuple[int, Person]]:
        """Return the players whom a text that is searched for fits, and how well."""
        if self._whole is not None:
            return self._whole.fits(wanted)
        texts = [wanted.whole, wanted.heard, *(text for pair in wanted.fragments for text in pair)]
        if not all(map(is_storable, texts)):
            return []
        fits, starts = Q(), Q()
        for plain, heard in wanted.fragments:
            begins = _has("words", f" {plain}") | _has("heard", f" {heard}")
            within = _has("words", plain)
            fits &= begins | within if is_initials(plain) else within | _has("heard", heard)
            starts &= begins
        grades = [When(_is_one_of("wholes", wanted.whole), then=WHOLE),
                  When(_is_one_of("sounds", wanted.heard), then=SOUND)]  # fmt: skip
        grades += [When(starts, then=START)] if wanted.fragments else []
        otherwise = Value(MIDDLE if wanted.fragments else START)
        rows = self._rows.filter(fits).annotate(fit=Case(*grades, default=otherwise, output_field=IntegerField()))
        return [(fit, _person(*values)) for *values, fit in rows.order_by("number").values_list(*COLUMNS, "fit")]

    def _answer(self, text: str, ask: Callable[[People], list[Person]], condition: Q) -> list[Person]:
        """Return the players in memory that are asked for, where all are there, else those of some rows."""
        self._count()
        if self._whole is not None:
            return ask(self._whole)
        people = list(_people(self._rows.filter(condition))) if is_storable(text) else []
        self._by_key |= {person.key: person for person in people}
        return people


def is_storable(text: str) -> bool:
    """Whether a database takes a text; what it does not take stands nowhere in it."""
    return "\x00" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _people(rows: QuerySet[Player]) -> Iterator[Person]:
    return (_person(*values) for values in rows.order_by("number").values_list(*COLUMNS))


def _person(
    key: str, name: str, reading: str, country: str, home: str, ids: Any, earlier: Any, entry: int
) -> Person:  # fmt: skip
    return Person(key, name, reading, country, home, tuple(ids), tuple(Home(*each) for each in earlier), entry)


def _has(column: str, text: str) -> Q:
    """Return whether a column has a text in it, letter by letter; `LIKE` takes some capitals for small letters."""
    return Q(GreaterThan(StrIndex(column, Value(text)), 0))


def _is_one_of(column: str, text: str) -> Q:
    """Return whether one of the forms in a column is a text."""
    return Q(GreaterThan(StrIndex(Concat(column, Value(BETWEEN)), Value(BETWEEN + text + BETWEEN)), 0))
