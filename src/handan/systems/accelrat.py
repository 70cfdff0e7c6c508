"""Accelrat, the American Go Association's rating of 1990: its law of winning within the procedure of BayRate.

Source: P. Matthews, Inside the AGA Ratings System (1990). The law is certain; prior and seeding were not published, so
those of BayRate stand in: a reconstruction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from handan.systems.aga import AGA
from handan.systems.core.settings import setting


@dataclass(frozen=True)
class Accelrat(AGA):
    """BayRate with Accelrat's law of winning, printed times 100."""

    name: ClassVar[str] = "accelrat"
    title: ClassVar[str] = "AGA Accelrat, 1990 (reconstruction)"
    unit: ClassVar[float] = 100.0

    law: Literal["accelrat"] = setting("accelrat", "the law of winning")
