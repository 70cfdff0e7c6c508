"""Large arrays that a process of the server frees go back to the system."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import sys
import numpy as np
from pathlib import Path
from handan.web.operations.memory import give_back_at_once

def resident():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon"))

if sys.argv[1] == "yes":
    give_back_at_once()
del [np.ones(1 << 21)][:]  # glibc takes arrays of this size from its own stores from now on
before = resident()
large, small = [], []
for _ in range(40):
    large.append(np.ones(1 << 19))
    small.append(np.ones(1 << 12))
large.clear()
print((resident() - before) // 1000)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have another C library")
def test_large_arrays_between_small_ones_go_back_to_the_system() -> None:
    """Forty arrays of 4 MB, each before one of 32 kB that stays; musl, which gives back by itself, passes too."""
    run = [sys.executable, "-c", PROGRAM]
    given_back = int(subprocess.run([*run, "yes"], capture_output=True, check=True, text=True).stdout)
    assert given_back < 20
