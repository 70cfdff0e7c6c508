"""Schemas with the fields of records that exist already, so that a field stands in one place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import fields
from typing import Any, TypeVar, get_type_hints

from ninja import Schema
from pydantic import create_model

S = TypeVar("S", bound=Schema)


def fields_of(
    record: type, *, without: Collection[str] = (), nullable: Collection[str] = ()
) -> Callable[[type[S]], type[S]]:  # fmt: skip
    """Give a schema the fields of a dataclass or named tuple before its own; an answer has all of them.

    Args:
        record: Which one.
        without: Fields that are not sent, or in another type, which the schema declares itself.
        nullable: Fields that are null where the number is not finite.
    """
    hints = get_type_hints(record)
    own = record._fields if hasattr(record, "_fields") else [field.name for field in fields(record)]
    names = [name for name in own if name not in without]
    return _with_fields((name, (hints[name] | None if name in nullable else hints[name], ...)) for name in names)


def changes_of_fields(body: type[Schema], *, without: Collection[str] = ()) -> Callable[[type[S]], type[S]]:
    """Give the body of a change the fields of the body that makes the thing, each optional."""
    hints = get_type_hints(body, include_extras=True)
    names = [name for name in hints if name in body.__annotations__ and name not in without]
    return _with_fields((name, (hints[name] | None, None)) for name in names)


def _with_fields(more: Iterable[tuple[str, Any]]) -> Callable[[type[S]], type[S]]:
    """Return a decorator that makes a schema anew, with more fields before those that it declares."""
    earlier = dict(more)

    def decorate(schema: type[S]) -> type[S]:
        base, own = schema.__bases__[0], schema.__annotations__
        declared = {name: (info.annotation, info) for name, info in schema.model_fields.items() if name in own}
        made: type[S] = create_model(  # type: ignore[call-overload]
            schema.__name__, __base__=base, __doc__=schema.__doc__, __module__=schema.__module__, **earlier, **declared
        )
        return made

    return decorate
