"""What is measured: every system of the house by itself, and the few jobs that need more than its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from handan.systems import SYSTEMS

FORECASTING = frozenset({"elo", "egf", "egf-classic", "sagc", "glicko", "glicko2", "trueskill", "dgs", "ogs", "accelrat"})
"""Systems whose rating before a game knows nothing of that game, so that they can be scored game by game."""


@dataclass(frozen=True)
class Job:
    """One system with the settings under which others are compared with it."""

    name: str
    system: str
    settings: Mapping[str, float] = field(default_factory=dict)
    weekly: bool = False
    """Whether the games of a week are one event, for systems with rating periods."""
    note: str = ""


SPECIAL = (
    Job("elo", "elo", {"k": 32.0}, note="K 32, as the peers and the yardstick have it"),
    Job("glicko2-weekly", "glicko2", weekly=True),
)


def all_jobs() -> dict[str, Job]:
    """Return the jobs by name, in the order of `SYSTEMS`."""
    special = {job.name: job for job in SPECIAL if job.system in SYSTEMS}
    jobs: dict[str, Job] = {}
    for name in SYSTEMS:
        jobs[name] = special.pop(name, Job(name, name))
        jobs |= {key: special.pop(key) for key in list(special) if special[key].system == name}
    return jobs
