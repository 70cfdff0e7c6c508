"""The arrays of numbers that kernels read and fill."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Numbers = NDArray[np.int32]
"""Narrow, where reading memory is what takes the time."""
Codes = NDArray[np.int8]
Flags = NDArray[np.bool_]
Seats = NDArray[np.uint32]
"""Index of the player on one side of each game; unsigned, so that the compiler emits no check for negative indices."""
Nodes = NDArray[np.uint32]
"""Index of the node of one side of each game, or of another node."""
Reals = NDArray[np.float64] | NDArray[np.float32]
"""Of either precision; a loop computes with 64 bits whatever it reads."""
