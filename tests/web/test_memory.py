"""Large arrays that a process of the server frees go back to the system."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from handan.web.operations import memory

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


def test_files_that_processes_share_stand_in_memory_where_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "IN_MEMORY", tmp_path)
    assert memory.folder_in_memory() == str(tmp_path)
    monkeypatch.setattr(memory, "LEAST_ROOM", 1 << 62)
    assert memory.folder_in_memory() is None
    monkeypatch.setattr(memory, "IN_MEMORY", tmp_path / "not there")
    assert memory.folder_in_memory() is None
