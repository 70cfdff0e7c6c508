"""The other programs, each measured on the same arrays in an environment of its own; none is needed by the package."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Peer:
    """One program on one job, and the class that drives it."""

    program: str
    package: str
    job: str
    driver: str
    """`module.Class` under `benchmarks.peers`."""
    settings: tuple[str, ...] = ()


ONE, ALL = "one_by_one", "at_once"
PEERS = {
    peer.program: peer
    for peer in (
        Peer("riix Elo", "riix", "elo", f"{ONE}.Riix", ("elo", "Elo")),
        Peer("elote Elo", "elote", "elo", f"{ONE}.Elote", ("EloCompetitor",)),
        Peer("skelo Elo", "skelo", "elo", f"{ONE}.Skelo", ("elo", "EloModel")),
        Peer("riix Glicko", "riix", "glicko", f"{ONE}.Riix", ("glicko", "Glicko")),
        Peer("elote Glicko", "elote", "glicko", f"{ONE}.EloteDated", ("GlickoCompetitor",)),
        Peer("riix Glicko-2", "riix", "glicko2", f"{ONE}.Riix", ("glicko2", "Glicko2")),
        Peer("glicko2", "glicko2", "glicko2", f"{ONE}.Glicko2"),
        Peer("skelo Glicko-2", "skelo", "glicko2", f"{ONE}.Skelo", ("glicko2", "Glicko2Model")),
        Peer("glicko2, weekly", "glicko2", "glicko2-weekly", f"{ONE}.Glicko2Weekly"),
        Peer("riix TrueSkill", "riix", "trueskill", f"{ONE}.Riix", ("trueskill", "TrueSkill")),
        Peer("elote TrueSkill", "elote", "trueskill", f"{ONE}.Elote", ("TrueSkillCompetitor",)),
        Peer("trueskill", "trueskill", "trueskill", f"{ONE}.TrueSkill"),
        Peer("openskill", "openskill", "trueskill", f"{ONE}.OpenSkill"),
        Peer("scikit-learn, sparse", "scikit-learn", "bradley-terry", f"{ALL}.SparseRegression"),
        Peer("choix", "choix", "bradley-terry", f"{ALL}.Choix"),
        Peer("whr (C++)", "whr", "whr", f"{ALL}.WHR"),
        Peer("TrueSkill Through Time", "trueskillthroughtime", "whr", f"{ALL}.ThroughTime"),
        Peer("kickscore", "kickscore", "whr", f"{ALL}.Kickscore"),
        Peer("whole-history-rating", "whole-history-rating", "whr", f"{ALL}.WholeHistoryRating"),
    )
}
PACKAGES = tuple(dict.fromkeys(peer.package for peer in PEERS.values()))
