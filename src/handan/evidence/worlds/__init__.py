"""Invented clubs and federations whose true strengths are known, as ledgers."""

from handan.evidence.worlds.simulation import Simulation, simulate, simulate_by
from handan.evidence.worlds.world import WORLDS, World

__all__ = ["WORLDS", "Simulation", "World", "simulate", "simulate_by"]
