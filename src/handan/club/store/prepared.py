"""Questions to the database whose SQL is made once: Django takes longer to write the text of one than SQLite to answer.

Only for questions that every page or every entry asks.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import connections, models

Model = TypeVar("Model", bound=models.Model)
SAMPLES: dict[type, Callable[[int], Any]] = {
    int: lambda place: 4_000_000_001 + place,
    str: lambda place: f"sample {place}",
    datetime: lambda place: datetime(4001, 1, 1 + place, tzinfo=UTC),
}
"""For each type a value by which its place in a statement is recognised."""


class Statement(NamedTuple):
    """A question as one kind of database understands it."""

    model: Any
    sql: str
    places: tuple[int | None, ...]
    """Of each parameter: which of the values it is, None for one that is always the same."""
    fixed: tuple[Any, ...]
    names: list[str]
    """Of the columns, as the fields of the model are called."""
    convert: Callable[[list[Any]], list[Any]]


class Prepared(Generic[Model]):
    """The rows of a model by some values."""

    def __init__(self, make: Callable[..., models.QuerySet[Model]], *types: type) -> None:
        """Take what makes the query of values, whole rows of one table, and the types of the values."""
        self._make, self._types = make, types
        self._statements: dict[str, Statement] = {}

    def rows(self, *values: Any) -> list[Model]:
        """Return the rows for some values."""
        connection = connections["default"]
        statement = self._statements.get(connection.vendor)
        if statement is None:
            statement = self._statements[connection.vendor] = self._statement(connection)
        adapted = [_adapted(connection, value) for value in values]
        parameters = zip(statement.places, statement.fixed, strict=True)
        with connection.cursor() as cursor:
            cursor.execute(statement.sql, [fixed if place is None else adapted[place] for place, fixed in parameters])
            rows = cursor.fetchall()
        make = statement.model.from_db
        return [make(connection.alias, statement.names, row) for row in statement.convert(rows)]

    def first(self, *values: Any) -> Model | None:
        """Return the first row for some values, None where there is none."""
        return next(iter(self.rows(*values)), None)

    def _statement(self, connection: Any) -> Statement:
        """Return the question in the words of a database."""
        samples = [SAMPLES[kind](place) for place, kind in enumerate(self._types)]
        query = self._make(*samples)
        compiler = query.query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        adapted = [_adapted(connection, sample) for sample in samples]
        places = tuple(adapted.index(value) if value in adapted else None for value in parameters)
        converters = compiler.get_converters([column for column, *_ in compiler.select])
        return Statement(
            query.model, sql, places, tuple(parameters),
            [field.attname for field in query.model._meta.concrete_fields],  # noqa: SLF001  # as Django documents it
            lambda rows: list(compiler.apply_converters(rows, converters)) if converters else rows,
        )  # fmt: skip


def _adapted(connection: Any, value: Any) -> Any:
    """Return a value as a database takes it."""
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value
