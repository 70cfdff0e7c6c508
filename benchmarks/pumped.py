"""How the time of each reader grows with a text that is made to take long: seconds of a processor for n and 2n bytes.

Run by `make pumped`. A ratio of two is linear; each text is of one line of much the same and of many such lines.
"""

from __future__ import annotations

import argparse
import gc
from collections.abc import Callable
from contextlib import suppress
from time import process_time

from handan import files
from handan.errors import HandanError
from handan.files import Limits, Options

SIZE = 20_000  # bytes; our choice: enough to tell two from four
PUMPS = (" ", "\t", "a", "1", "|", "(", "[", ";", ",", '"', "- ", "a ", "1 ", "a b ", "B+", "&", "<", "\\", ".", "目")
LIMITS = Limits(line=1 << 30, node=1 << 30)

FORMATS: dict[str, tuple[str, str]] = {
    "H9": ("; EV[x]\n; DT[2026-07-20]\n  1 Adams Ada 3d PL Kedz 1 2+\n  2 Brown Bo 2d PL Kedz 0 1- ", " x\n"),
    "SGF": ("(;FF[4]PB[Ada]PW[Bo]RE[B+R]DT[2026-01-02]GN[", "])"),
    "AGA report": ("TOURNEY x\n\tstart=01/02/2026\nPLAYERS\n1 Adams, Ada 3d ", "\nGAMES 1\n1 2 B 0 7\nEND\n"),
    "OpenGotha": ('<?xml version="1.0"?><Tournament><Players/><x>', "</x></Tournament>"),
    "JSON": ('[{"black":"Ada","white":"Bo","result":"B+","notes":"', '"}]'),
    "CSV, a name": ("black,white,result,date\nAda ", ",Bo,B+,2026-01-02\n"),
    "CSV, a result": ("black,white,result,date\nAda,Bo,B+", ",2026-01-02\n"),
    "CSV, a date": ("black,white,result,date\nAda,Bo,B+,2026-01-02 ", "x\n"),
    "sentences": ("Ada beat Bo ", " x\n"),
    "wall list": ("Pl Name Str 1 2 Pt\n1 Ada 3k 2+ 2+ 2 ", " x\n2 Bo 3k 1- 1- 0\n"),
    "cross table": ("name,Ada,Bo\nAda,,1", "\nBo,0,\n"),
}
"""What stands before and behind what is repeated."""


def text_of(name: str, pump: str, size: int, *, lines: bool) -> bytes:
    """Return a file of a format with a pump in one of its places, or with many lines of it behind."""
    before, behind = FORMATS[name]
    if lines:
        line = f"{pump * (40 // len(pump))}\n"
        return f"{before}{behind}{line * (size // len(line))}".encode()
    return f"{before}{pump * (size // len(pump))}{behind}".encode()


def seconds(data: bytes) -> float:
    """Return the least processor time of two readings."""
    taken = []
    for _ in range(2):
        gc.collect()
        start = process_time()
        with suppress(HandanError):
            files.read(data, options=Options(limits=LIMITS))
        taken.append(process_time() - start)
    return min(taken)


def worst(name: str, size: int, timed: Callable[[bytes], float] = seconds) -> tuple[float, float, str]:
    """Return the seconds of the longer and of the shorter text of the pump on which a reader works most."""
    tries = []
    for lines in (False, True):
        for pump in PUMPS:
            most = timed(text_of(name, pump, 2 * size, lines=lines))
            tries.append((most, pump, lines))
    most, pump, lines = max(tries)
    return most, timed(text_of(name, pump, size, lines=lines)), f"{'many lines' if lines else 'one line'} of {pump!r}"


def main() -> int:
    """Print a line for each format."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.pumped", description=__doc__)
    parser.add_argument("formats", nargs="*", help=f"default: all; {', '.join(FORMATS)}")
    parser.add_argument("--size", type=int, default=SIZE, help="bytes of the shorter text")
    options = parser.parse_args()
    print("| format | worst text | seconds for n | seconds for 2n | ratio |\n|---|---|---|---|---|", flush=True)
    for name in options.formats or FORMATS:
        most, less, text = worst(name, options.size)
        print(f"| {name} | {text} | {less:.3f} | {most:.3f} | {most / max(less, 1e-9):.1f} |", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
