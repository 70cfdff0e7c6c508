"""What is measured: every system of the house by itself, and the few jobs that need more than its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from handan.systems import SYSTEMS

FORECASTING = frozenset({"elo", "egf", "egf-classic", "sagc", "glicko", "glicko2", "trueskill", "dgs", "ogs"})
"""Systems whose rating before a game knows nothing of that game, so that they can be scored game by game."""


@dataclass(frozen=True)
class Job:
    """One system with the settings under which others are compared with it."""

    name: str
    system: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""


SPECIAL = (
    Job("elo", "elo", {"k": 32.0}, note="K 32, as the peers and the yardstick have it"),
    Job("glicko", "glicko", {"period": "game"}, note="rated game by game"),
    Job("glicko2", "glicko2", {"period": "game"}, note="rated game by game"),
    Job("aga", "aga", {"start": "1k"}, note="all enter as 1 kyu"),
    Job("accelrat", "accelrat", {"start": "1k"}, note="all enter as 1 kyu"),
    Job("glicko2-weekly", "glicko2", {"period": "week"}),
)


def all_jobs() -> dict[str, Job]:
    """Return the jobs by name, in the order of `SYSTEMS`."""
    special = {job.name: job for job in SPECIAL if job.system in SYSTEMS}
    jobs: dict[str, Job] = {}
    for name in SYSTEMS:
        jobs[name] = special.pop(name, Job(name, name))
        jobs |= {key: special.pop(key) for key in list(special) if special[key].system == name}
    return jobs
