"""All rating systems, one readable file each; `SYSTEMS` is the one list that everything else reads.

The file of a system is imported when somebody asks for that system.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from handan.errors import InputError, SettingError, closest, shown
from handan.lazy_imports import attach
from handan.plugins import GROUPS, Extensions, OnDemand, Register, fault_of_name
from handan.systems.core.base import System
from handan.systems.core.settings import no_setting, settings_of

if TYPE_CHECKING:
    from handan.systems.accelrat import Accelrat
    from handan.systems.aga import AGA
    from handan.systems.bradley_terry import BradleyTerry
    from handan.systems.decayed import Decayed
    from handan.systems.dgs import DGS
    from handan.systems.egf import EGF
    from handan.systems.egf_classic import EGFClassic
    from handan.systems.elo import Elo
    from handan.systems.glicko import Glicko
    from handan.systems.glicko2 import Glicko2
    from handan.systems.handan import Handan
    from handan.systems.holigor import Holigor
    from handan.systems.igs import IGS
    from handan.systems.kgs import KGS
    from handan.systems.ogs import OGS
    from handan.systems.points import Points
    from handan.systems.sagc import SAGC
    from handan.systems.trueskill import TrueSkill
    from handan.systems.whr import WHR


class OwnSystem(NamedTuple):
    """A system of the house, whose module is imported when somebody asks for it: the others are not waited for."""

    name: str
    kind: str
    """The name of its class, in the module that bears its own."""
    title: str
    """As its class has it; so a list of all systems loads none."""

    @property
    def module(self) -> str:
        """The name of the module that holds it."""
        return self.name.replace("-", "_")

    def load(self) -> type[System]:
        """Return it."""
        kind: type[System] = getattr(import_module(f"{__name__}.{self.module}"), self.kind)
        return kind


OWN = (
    OwnSystem("points", "Points", "Points cards of Japanese clubs"),
    OwnSystem("sagc", "SAGC", "South African Go Clubs"),
    OwnSystem("elo", "Elo", "Elo"),
    OwnSystem("egf", "EGF", "European Go Federation, since 2021"),
    OwnSystem("egf-classic", "EGFClassic", "European Go Federation, until 2021 (GoR)"),
    OwnSystem("aga", "AGA", "American Go Association (BayRate)"),
    OwnSystem("accelrat", "Accelrat", "AGA Accelrat, 1990 (reconstruction)"),
    OwnSystem("igs", "IGS", "Pandanet (IGS), old system (reconstruction)"),
    OwnSystem("dgs", "DGS", "Dragon Go Server"),
    OwnSystem("kgs", "KGS", "KGS (reconstruction)"),
    OwnSystem("ogs", "OGS", "OGS (online-go.com)"),
    OwnSystem("glicko", "Glicko", "Glicko"),
    OwnSystem("glicko2", "Glicko2", "Glicko-2"),
    OwnSystem("trueskill", "TrueSkill", "TrueSkill"),
    OwnSystem("bradley-terry", "BradleyTerry", "Bradley-Terry"),
    OwnSystem("decayed", "Decayed", "Decayed history"),
    OwnSystem("whr", "WHR", "Whole-History Rating"),
    OwnSystem("holigor", "Holigor", "Holigor, without an entry point"),
    OwnSystem("handan", "Handan", "Handan"),
)
"""The systems of the house, in the order in which lists show them."""


def fault_of_system(item: object) -> str:
    """Return why an object of another package cannot be a rating system, "" where it can."""
    if not isinstance(item, type) or not issubclass(item, System):
        return "it is no subclass of handan.systems.System"
    if inspect.isabstract(item):
        return f"it lacks {', '.join(sorted(item.__abstractmethods__))}"
    if fault := fault_of_name(getattr(item, "name", None), [own.name for own in OWN]):
        return fault
    if not isinstance(getattr(item, "title", None), str):
        return "it has no title"
    if item.winning_law is None and item.terms_by_rating is System.terms_by_rating:
        return "it has neither a winning_law nor terms_by_rating of its own"
    item()  # raises where its own defaults are refused
    return ""


class Systems(Register[type[System]]):
    """The systems by name: those of the house, then those of other packages."""

    def __init__(self) -> None:
        """Begin with the house's own."""
        own = [OnDemand(each.name, each.load) for each in OWN]
        super().__init__(own, Extensions(GROUPS["systems"], fault_of_system))

    def titles(self) -> dict[str, str]:
        """Return the title of each by its name; none of the house is loaded for it."""
        waiting = {each.name: each.title for each in OWN if isinstance(self._own.get(each.name), OnDemand)}
        return {name: waiting.get(name) or self[name].title for name in self}


SYSTEMS = Systems()
"""The one list that everything else reads."""


def system(name: str, **settings: object) -> System:
    """Return a system by name, whatever its capitals, with its settings; InputError for an unknown name."""
    own = name if name in SYSTEMS else name.strip().lower().replace("_", "-").replace(" ", "-")
    if own not in SYSTEMS:
        raise InputError(f"system {shown(name)} is not one of {', '.join(SYSTEMS)}{closest(name, list(SYSTEMS))}")
    chosen = SYSTEMS[own]
    for key in settings:
        if key not in settings_of(chosen):
            raise SettingError(no_setting(chosen, key))
    return chosen(**settings)


__all__ = [
    "AGA", "DGS", "EGF", "IGS", "KGS", "OGS", "SAGC", "SYSTEMS", "WHR", "Accelrat", "BradleyTerry", "Decayed",
    "EGFClassic", "Elo", "Glicko", "Glicko2", "Handan", "Holigor", "Points", "System", "TrueSkill", "system",
]  # fmt: skip
__getattr__, __dir__ = attach(__name__, {each.module: [each.kind] for each in OWN}, [each.module for each in OWN])
