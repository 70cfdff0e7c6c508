"""How much of a hostile file is read before it is refused: by a user of the library, and by a club server."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace

from handan.errors import Clause, InputError, closest, refuse_other, shown

KI, MI, GI = 1 << 10, 1 << 20, 1 << 30
UNITS = {"": 1, "k": KI, "m": MI, "g": GI}


def _limit(value: int, what: str) -> int:
    return field(default=value, metadata={"what": what})


class LimitError(InputError):
    """A file that breaks a limit of reading."""

    def __init__(self, where: str, name: str, most: int, what: str) -> None:
        """Take the file, the name of the limit, its value, and of what it is that there are more."""
        self.where, self.name, self.most, self.what = where, name, most, what
        values = {"source": where, "most": f"{most:,}", "what": Clause.of(what)}
        hint = f"; --allow {name}=NUMBER raises the limit"
        super().__init__(Clause.of("{source}: more than {most} {what}{hint}", hint=hint, **values))

    def __reduce__(self) -> tuple[type[LimitError], tuple[str, str, int, str]]:
        """What another process is told."""
        return type(self), (self.where, self.name, self.most, self.what)


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of reading; an error that one of them causes names it, so that it can be raised."""

    text: int = _limit(64 * MI, "bytes in a text file")
    line: int = _limit(MI, "bytes in one line")
    row: int = _limit(16 * KI, "bytes in one row of a tournament's table")
    node: int = _limit(4 * MI, "bytes in one SGF node")
    nesting: int = _limit(10_000, "levels of SGF variations")
    depth: int = _limit(64, "levels of XML elements")
    players: int = _limit(100_000, "players in one tournament")
    games: int = _limit(2_000_000, "games in one file")
    cells: int = _limit(20_000_000, "cells in one worksheet")
    problems: int = _limit(200_000, "problems in one file")
    members: int = _limit(1_000_000, "files in one archive or folder")
    unreadable: int = _limit(10_000, "files without games in one archive or folder")
    unpacked: int = _limit(4 * GI, "bytes when unpacked")
    ratio: int = _limit(200, "unpacked bytes for each packed one")

    @classmethod
    def of(cls, limits: Limits | Mapping[str, int]) -> Limits:
        """Return limits, or the usual ones with some given by name; InputError for a name or number that is none."""
        if isinstance(limits, Limits):
            return limits
        refuse_other("limits", limits, Mapping, 'numbers by name, such as {"games": 20_000_000}')
        names = [limit.name for limit in fields(cls)]
        for name, number in limits.items():
            if name not in names:
                raise InputError(f"limit {shown(name)} is not one of {', '.join(names)}{closest(name, names)}")
            if not isinstance(number, int) or number < 1:
                raise InputError(f"limit {name} is {number!r}, not a whole number above 0")
        return replace(cls(), **limits)

    @classmethod
    def configured(cls, pairs: Iterable[str]) -> Limits:
        """Return the limits with some given as `name=number`; `k`, `m` and `g` after it mean 1024, 1024², 1024³."""
        chosen: dict[str, int] = {}
        for pair in pairs:
            name, _, text = pair.partition("=")
            number = re.fullmatch(r"(\d{1,15})([kmg]?)", text.strip().lower())
            if not number or int(number[1]) == 0:
                raise InputError(f"limit {shown(pair)} is not NAME=NUMBER, such as text=256m")
            chosen[name] = int(number[1]) * UNITS[number[2]]
        return cls.of(chosen)

    def check(self, name: str, number: int, where: str) -> None:
        """Raise the error of `exceeded` for a number above the limit of a name."""
        if number > getattr(self, name):
            raise self.exceeded(name, where)

    def exceeded(self, name: str, where: str) -> LimitError:
        """Return the error that says which limit something breaks and how to raise it."""
        what = next(limit.metadata["what"] for limit in fields(self) if limit.name == name)
        return LimitError(where, name, getattr(self, name), what)


MOST_REQUEST = 10_000_000
"""Bytes of a request to a club server, unless `upload_limit` of its configuration says otherwise; our choice."""
MOST_LEDGER = 500_000_000
"""Bytes of a ledger that a page takes; our choice: `handan club import` takes larger ones."""
MOST_SUBMISSION = 1_000_000
"""Bytes of a file of results that is sent in; our choice: a hundred times those of a large tournament."""
MOST_GAMES = 5_000
"""Games of a sheet, so that it is answered in a moment; our choice."""
UPLOADS = Limits(
    text=16_000_000, line=10_000, node=100_000, players=2 * MOST_GAMES, games=MOST_GAMES, cells=2_000_000,
    problems=2 * MOST_GAMES, members=1_000, unreadable=20, unpacked=16_000_000,
)  # fmt: skip
"""What an upload may hold and unpack to, all of it for one request of one member; our choice."""
