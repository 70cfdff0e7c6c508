"""The lock of a file, which ends with the process at the latest, on every platform."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any


def lock_calls(descriptor: int) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Return the calls that take and release the lock of an open file; the first raises OSError if others have it."""
    if os.name == "nt":
        import msvcrt

        locking: Any = msvcrt
        return (
            lambda: locking.locking(descriptor, locking.LK_NBLCK, 1),
            lambda: locking.locking(descriptor, locking.LK_UNLCK, 1),
        )
    import fcntl

    return (
        lambda: fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB),
        lambda: fcntl.flock(descriptor, fcntl.LOCK_UN),
    )
