"""All rating systems, one readable file each; `SYSTEMS` is the one list that everything else reads."""

import inspect
import logging

from handan.errors import InputError, SettingError, closest, counted, shown
from handan.ledger import Ledger
from handan.plugins import GROUPS, Extensions, Register, fault_of_name
from handan.ratings import Ratings
from handan.systems.accelrat import Accelrat
from handan.systems.aga import AGA
from handan.systems.bradley_terry import BradleyTerry
from handan.systems.core.base import System
from handan.systems.core.settings import no_setting, settings_of
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
from handan.systems.whr_live import LiveHistory

OWN: tuple[type[System], ...] = (
    Points,
    SAGC,
    Elo,
    EGF,
    EGFClassic,
    AGA,
    Accelrat,
    IGS,
    DGS,
    KGS,
    OGS,
    Glicko,
    Glicko2,
    TrueSkill,
    BradleyTerry,
    Decayed,
    WHR,
    Holigor,
    Handan,
)


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
    if item.winning_law is None and item.fair_terms is System.fair_terms:
        return "it has neither a winning_law nor fair_terms of its own"
    item()  # raises where its own defaults are refused
    return ""


SYSTEMS: Register[type[System]] = Register(OWN, Extensions(GROUPS["systems"], fault_of_system))
"""The systems by name: those of the house, then those of other packages."""

LOG = logging.getLogger("handan")
LOG.addHandler(logging.NullHandler())  # silent until the program that uses the library wants to hear of it


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


def rate(ledger: Ledger, name: str, **settings: object) -> Ratings:
    """Rate a ledger by the system of that name.

    Args:
        ledger: The games, as `handan.read` returns them.
        name: One of `SYSTEMS`.
        settings: The system's own fields, such as `card="tokyo15"` or `k=32`.
    """
    ratings = system(name, **settings).rate(ledger)
    for text in ratings.warnings:
        LOG.warning("%s: %s", ratings.system.label, text)
    LOG.info("%s: %d of %s rated", ratings.system.label, ratings.rated, counted(len(ledger), "game"))
    return ratings


__all__ = [
    "AGA",
    "DGS",
    "EGF",
    "IGS",
    "KGS",
    "OGS",
    "SAGC",
    "SYSTEMS",
    "WHR",
    "Accelrat",
    "BradleyTerry",
    "Decayed",
    "EGFClassic",
    "Elo",
    "Glicko",
    "Glicko2",
    "Handan",
    "Holigor",
    "LiveHistory",
    "Points",
    "System",
    "TrueSkill",
    "rate",
    "system",
]
