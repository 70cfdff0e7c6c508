"""`handan rate --cluster`: the list of a ledger on disk, found by workers who hold its games."""

from __future__ import annotations

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from handan.cli.notices import say_all, working
from handan.cli.session import Session, say_problems
from handan.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from handan.cli.reading import Reading
    from handan.distributed import Answer
    from handan.systems import System


@dataclass(frozen=True, slots=True)
class DistributedSession(Session):
    """A list of games that stay on disk."""

    answer: Answer = field(kw_only=True)

    @property
    def rated(self) -> int:
        """Number of rated games."""
        return self.answer.rated

    @property
    def unrated(self) -> dict[str, int]:
        """Number of games that were not rated, by reason."""
        return self.answer.unrated

    @property
    def newest(self) -> str | None:
        """Date of the newest game."""
        return self.answer.newest


def distributed_session(
    files: Sequence[Path], rules: System, reading: Reading, cluster: str, *, plain: bool
) -> DistributedSession:
    """Rate the games of one ledger on disk by workers.

    Args:
        files: The folder.
        rules: The system.
        reading: How files are read; a ledger on disk was read before.
        cluster: Where the workers are.
        plain: Whether nothing is wanted that asks for the games again.

    Raises:
        InputError: Something is wanted that workers do not do, or they cannot.
    """
    from handan.distributed import rate

    if len(files) != 1 or reading.changes_games or not plain:
        raise InputError(
            "--cluster makes the list of one ledger on disk as it is; build it of the files and adjustments that are "
            "to count (handan ledger build), and leave out --since, --save, --tuned and options of reading"
        )
    with working("rating on a cluster"), redirect_stdout(sys.stderr):  # where Ray tells of workers that died
        answer = rate(files[0], rules, cluster)
    say_problems(answer.ledger)
    say_all("warning", list(answer.ratings.warnings))
    return DistributedSession(rules, answer.ledger, answer.ratings, answer=answer)
