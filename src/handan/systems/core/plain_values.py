"""What ratings hold as plain values, as JSON knows them, with their arrays beside; and back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from handan.errors import Clause
from handan.ledger import Adjustment
from handan.ranks import Rank
from handan.ratings import Adjusted, Extra
from handan.systems.core.checkpoint import Checkpoint
from handan.systems.core.past import RANK, Past

RECORDS: dict[str, Any] = {"past": Past, "place": Checkpoint}
"""Records besides those of `Extra`."""
Put = Callable[[NDArray[Any]], Any]


def taken_apart(value: Any, put: Put | None = None, items: Sequence[Adjustment] = ()) -> Any:  # noqa: C901  # by kind
    """Return a value as JSON knows it; TypeError for what is not kept.

    Args:
        value: A text, number, rank, array or record, or tuples and mappings of them.
        put: Keeps an array of numbers, and returns what tells where it stands; None: there are none.
        items: The adjustments of the ledger, which are told by their places.
    """
    if isinstance(value, np.ndarray) and put is not None:
        return _array_apart(value, put)
    if isinstance(value, Clause) and hasattr(value, "pattern"):
        return {"pattern": value.pattern, "values": {name: taken_apart(own) for name, own in value.values.items()}}
    if isinstance(value, Rank):
        return {"rank": str(value)}
    if isinstance(value, np.generic):
        return value.item()
    if value is None or type(value) in (str, int, float, bool):
        return value
    if isinstance(value, Adjustment):
        return {"adjustment": next(place for place, item in enumerate(items) if item is value)}
    if isinstance(value, Adjusted):
        return {"adjusted": [taken_apart(part, put, items) for part in value]}
    if type(value) is tuple:
        return {"parts": [taken_apart(part, put, items) for part in value]}
    if isinstance(value, Mapping):
        return {"mapping": {str(name): taken_apart(own, put, items) for name, own in value.items()}}
    if isinstance(value, (Extra, *RECORDS.values())):
        record: Any = value
        own = {part.name: taken_apart(getattr(record, part.name), put, items) for part in fields(record)}
        return {"record": _name_of(type(value)), "fields": own}
    raise TypeError(type(value).__name__)


def put_together(plain: Any, get: Callable[[Any], NDArray[Any]] | None = None, items: Sequence[Adjustment] = ()) -> Any:
    """Return what `taken_apart` was given; `get` returns an array by what `put` said of it."""
    if not isinstance(plain, dict):
        return plain
    (kind, content), *_ = plain.items()
    if kind == "pattern":
        return Clause.of(content, **{name: put_together(own) for name, own in plain["values"].items()})
    if kind == "rank":
        return Rank.parse(content)
    if kind == "array" and get is not None:
        return get(content)
    if kind == "texts" and get is not None:
        texts: NDArray[Any] = np.array(content, dtype=RANK)[get(plain["numbers"])]
        return texts
    if kind == "adjustment":
        return items[content]
    if kind == "mapping":
        return {name: put_together(own, get, items) for name, own in content.items()}
    if kind == "record":
        own = {name: put_together(each, get, items) for name, each in plain["fields"].items()}
        kinds: dict[str, Any] = {_name_of(made): made for made in _records()}
        return kinds[content](**own)
    parts = tuple(put_together(part, get, items) for part in content)
    return Adjusted(*parts) if kind == "adjusted" else parts


def _array_apart(values: NDArray[Any], put: Put) -> dict[str, Any]:
    if values.dtype.kind == "U":
        different, numbers = np.unique(values, return_inverse=True)
        codes = numbers.reshape(-1).astype(np.min_scalar_type(len(different)))
        return {"texts": different.tolist(), "numbers": put(codes)}
    if values.dtype.kind not in "bifu":
        raise TypeError(str(values.dtype))
    return {"array": put(values)}


def _name_of(record: type) -> str:
    named = next((name for name, made in RECORDS.items() if made is record), "")
    return named or f"{record.__module__}.{record.__qualname__}"


def _records(base: type = Extra) -> Iterator[type]:
    """Yield the kinds of records that are loaded."""
    if base is Extra:
        yield from RECORDS.values()
    yield base
    kinds: list[type] = base.__subclasses__()
    for made in kinds:
        yield from _records(made)
