"""What a file may hold that a member sends, and what its reading may take: limits of reading uploads; our choices."""

from __future__ import annotations

import os

from handan.files.io.limits import Limits

MOST_BYTES = 10_000_000  # of a request, unless `upload_limit` of the server's configuration says otherwise
MOST_GAMES = 5_000  # of a sheet, so that it is answered in a moment
LIMITS = Limits(
    text=16_000_000, line=10_000, node=100_000, players=2 * MOST_GAMES, games=MOST_GAMES, cells=2_000_000,
    problems=2 * MOST_GAMES, members=1_000, unreadable=20, unpacked=16_000_000,
)  # fmt: skip
"""What an upload may hold and unpack to, all of it for one request of one member."""
PROCESSOR = 8  # seconds; a sheet of the most games that a page takes needs about one
WALL = 30.0  # seconds; for the same on a machine that others keep busy
MEMORY = 300_000_000  # bytes; beside what a process has that has loaded the readers
ANSWER = 64_000_000  # bytes; what a reader may make of a file
AT_ONCE = max(1, min(2, os.cpu_count() or 1))
"""Files that a process has read at the same moment: a third waits, and a thread is left to who enters."""
PATIENCE = 5.0  # seconds; for which a file waits to be read
