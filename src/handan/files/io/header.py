"""The names of a table's columns: which are known, which are missing, which stand there twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from handan.colours import player_of
from handan.errors import Clause, InputError, Problem, closest, shown

MOST_COLUMNS = 10_000
MOST_NAMED = 20  # our choice: names of a header that a message repeats
LONGEST_NAME = 40  # our choice: a longer name is no slip of the pen for ours


def plain_name(name: object) -> str:
    """Return the name of a column without capitals and outer blanks; inner blanks are underscores."""
    return "_".join(str(name).lower().split())


def refuse_twice(names: Sequence[str], place: str) -> None:
    """Raise InputError for a name that two columns have."""
    twice = [name for name, count in Counter(names).items() if name and count > 1]
    if twice:
        raise InputError(f"{place}: column {shown(twice[0])} stands there twice; every column needs its own name")


def check_header(
    names: Sequence[str],
    readable: Sequence[str],
    needed: Sequence[Sequence[str]],
    source: str,
    line: int | None,
    understood: Collection[str] = (),
    headings: Sequence[str] = (),
) -> list[Problem]:
    """Refuse a header that cannot be used, and report the columns that nobody reads.

    Args:
        names: As `plain_name` gives them; a name may be empty.
        readable: The names that are read.
        needed: Sets of names, one of which must be there in full.
        source: Name for the reports.
        line: Line of the header.
        understood: Names that mean something which this table is not read by, so that no other one is proposed.
        headings: The names as they stand in the file, for the report; without them as `names` has them.

    Raises:
        InputError: A name stands there twice, or none of the sets is there.
    """
    place = source if line is None else f"{source} line {line}"
    if len(names) > MOST_COLUMNS:
        raise InputError(f"{place}: {len(names)} columns are more than {MOST_COLUMNS}, the limit")
    refuse_twice(names, place)
    unknown = [name for name in names if name not in readable]
    if not any(set(choice) <= set(names) for choice in needed):
        raise InputError(f"{place}: {_missing(names, unknown, needed)}")
    if not unknown:
        return []
    absent = [name for name in readable if name not in names]
    hint = _hint([name for name in unknown if name not in understood], absent)
    expected = Clause.of("a column that is read; ignored{closest}", closest=hint)
    written = [" ".join(text.split()) for name, text in zip(names, headings or names, strict=True) if name in unknown]
    return [
        Problem(source, line, "column", ", ".join(name or "(no name)" for name in written), expected, rejected=False)
    ]


def _missing(names: Sequence[str], unknown: Sequence[str], needed: Sequence[Sequence[str]]) -> str:
    """Describe what a header lacks, what it has, and what would do."""
    nearest = max(needed, key=lambda choice: len(set(choice) & set(names)))
    lacking = [name for name in nearest if name not in names]
    present = ", ".join(shown(name) for name in names[:MOST_NAMED]) + (", …" if len(names) > MOST_NAMED else "")
    choices = " or ".join(", ".join(choice) for choice in needed)
    noun = "column" if len(lacking) == 1 else "columns"
    where = f"the header {present}" if names else "an empty header"
    return f"no {noun} {', '.join(lacking)} in {where}; needed are {choices}{_hint(unknown, lacking)}"


def _hint(unknown: Sequence[str], absent: Sequence[str]) -> str:
    """Describe which of the absent names the unknown ones mean in other languages, or may mean."""
    colours = [(name, player_of(name)) for name in unknown[:MOST_NAMED]]
    meant = [f"{shown(name)} is {colour}" for name, colour in colours if colour in absent]
    if meant:
        return f"; {' and '.join(meant)}: rename {'it' if len(meant) == 1 else 'them'}"
    for name in [name for name in unknown if len(name) <= LONGEST_NAME][:MOST_NAMED]:
        if hint := closest(name, list(absent)):
            return f"{hint.removesuffix('?')} instead of {shown(name)}?"
    return ""
