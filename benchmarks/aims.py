"""What the project set out to reach, each with the figure of this run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.figures import Figure
from benchmarks.finding import JOB
from benchmarks.reading import COMMANDS, FRAMES
from benchmarks.results import ABSENT, Results, number, ratio

LOOPS_OF_C = {"elo": 0.75, "glicko": 1.0, "glicko2-weekly": 1.0}
WHOLE_OF_C = 0.8
MOST_OF_LEAST = {"read csv": 1.8, "read parquet": 3.0}
MOST_OF_WHOLE = {"rate csv": 4.0, "rate parquet": 8.0}
MANY, MOST_OF_MANY = 10_000_000, {"rate csv": 2.5}
"""Games of which the whole command is mostly reading, not the start of a program, and what is asked of it then."""
MOST_OF_FRAME = 1.5
MOST_MEMORY = 1000  # MB
AHEAD = ("elo", "glicko", "glicko2", "glicko2-weekly", "trueskill", "bradley-terry", "whr")
SPEEDS = {"glicko2": 3.3e6, "trueskill": 5.2e6, "egf": 10.5e6}
"""Games per second that the best program in any language reached on another machine."""
SECONDS = (("bradley-terry", "1m", 0.5), ("whr", "100k", 0.15), ("whr", "1m", 3.0))
"""Job, size, seconds at most for the games before the held-out ones; for Bradley-Terry for all games."""
STRANGER = (JOB, "1m", 0.001)
"""Job, size, seconds at most for one name that is not there."""


@dataclass(frozen=True)
class Aim:
    """One aim; `met` is None where this run did not measure it."""

    text: str
    met: bool | None
    figure: str
    timed: bool = False
    """Whether the figure is a time, which belongs to one machine and hour, and no ratio."""

    @property
    def verdict(self) -> str:
        """The answer in words."""
        return {True: "met", False: "not met", None: "not measured"}[self.met]


def aims(results: Sequence[Results]) -> list[Aim]:
    """Return all aims; those about speed are judged at the largest size measured."""
    by_size = {result.size: result for result in results}
    largest = max(results, key=lambda result: result.games)
    judged = [aim for job in LOOPS_OF_C for aim in _like_c(largest, job)]
    judged += [_reading(largest, job, most) for job, most in MOST_OF_LEAST.items()]
    whole = MOST_OF_MANY if largest.games >= MANY else MOST_OF_WHOLE
    judged += [_reading(largest, job, most) for job, most in whole.items()]
    judged += [_frame(largest, kind) for kind in FRAMES[1:]]
    judged += [_peak(largest, f"rate {ending}") for ending in COMMANDS]
    judged += [_ahead(results, job) for job in AHEAD]
    judged += [_speed(largest, job, least) for job, least in SPEEDS.items()]
    judged += [_seconds(by_size.get(size), job, size, most) for job, size, most in SECONDS]
    return [*judged, _stranger(by_size.get(STRANGER[1]))]


def _judged(text: str, value: float | None, judge: Callable[[float], tuple[bool, str]], *, timed: bool = False) -> Aim:
    """Return the aim with what `judge` says of the value: whether it is met, and the figure in words."""
    return Aim(text, None, ABSENT) if value is None else Aim(text, *judge(value), timed)


def _reading(result: Results, job: str, most: float) -> Aim:
    """Return the aim for reading tables of one format, or for a whole command."""
    text = f"{job}: at most {most:g} times what polars needs to read and hash the cells ({result.size})"
    times = ratio(result.fastest_peer(job).speed, result.ours(job).speed)
    return _judged(text, times, lambda times: (times <= most, f"{number(times, 3)} times"))


def _frame(result: Results, kind: str) -> Aim:
    """Return the aim for frames of another program than polars."""
    job, usual = f"read {kind} frame", "read polars frame"
    text = f"{job}: at most {MOST_OF_FRAME:g} times what a frame of polars takes ({result.size})"
    times = ratio(result.ours(usual).speed, result.ours(job).speed)
    return _judged(text, times, lambda times: (times <= MOST_OF_FRAME, f"{number(times, 3)} times"))


def _peak(result: Results, job: str) -> Aim:
    """Return the aim for the memory of a whole command."""
    text = f"{job}: at most {MOST_MEMORY:,} MB ({result.size})"
    return _judged(text, result.ours(job).memory, lambda peak: (peak <= MOST_MEMORY, f"{peak:,.0f} MB"))


def _like_c(result: Results, job: str) -> list[Aim]:
    """Return the aim for the loops, which is what the C programs time, and for the whole of `rate`."""
    ours, c = result.ours(job), result.c(job)
    least = LOOPS_OF_C[job]
    parts = {"loops": (ours.loop_speed, least), "whole rating": (ours.speed, WHOLE_OF_C)}
    return [
        _judged(
            f"{job}, {part}: at least {least:g} of C ({result.size})",
            ratio(speed, c.speed),
            lambda share, least=least: (share >= least, f"{share:.2f}"),  # type: ignore[misc]
        )
        for part, (speed, least) in parts.items()
    ]


def _ahead(results: Sequence[Results], job: str) -> Aim:
    """Return the aim at the largest size at which another program finished."""
    finished = [result for result in results if result.fastest_peer(job).speed and result.ours(job).speed] or results
    result = max(finished, key=lambda result: result.games)
    ours, peer = result.ours(job), result.fastest_peer(job)
    text = f"{job}: ahead of every program measured beside it ({result.size})"
    return _judged(
        text, ratio(ours.speed, peer.speed), lambda lead: (lead > 1.0, f"{number(lead, 3)} times {peer.program}")
    )


def _speed(result: Results, job: str, least: float) -> Aim:
    text = f"{job}: at least {least / 1e6:.1f} M games/s ({result.size})"
    speed = result.ours(job).speed
    return _judged(text, speed, lambda speed: (speed >= least, f"{speed / 1e6:.2f} M games/s"), timed=True)


def _seconds(result: Results | None, job: str, size: str, most: float) -> Aim:
    ours = result.ours(job) if result else Figure(job, "")
    whole = job == "bradley-terry"
    text = f"{job}: {'all games' if whole else 'the first 90 %'} of {size} in at most {most:g} s"
    seconds = ours.seconds if whole else ours.train_seconds
    return _judged(text, seconds, lambda seconds: (seconds <= most, f"{seconds:.3g} s"), timed=True)


def _stranger(result: Results | None) -> Aim:
    job, size, most = STRANGER
    speed = result.ours(job).speed if result else None
    text = f"{job}: among as many names as {size} has games in at most {1000 * most:g} ms"
    return _judged(text, ratio(1.0, speed), lambda each: (each <= most, f"{number(1000 * each, 3)} ms"), timed=True)
