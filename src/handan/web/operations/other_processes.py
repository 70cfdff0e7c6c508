"""The processes of one server tell each other how much work waits at each, and one that has much hands requests on.

The system gives a new connection to any process that listens, however many requests wait there: with two processes one
of them is idle again and again while a dozen wait at the other. Who reads is answered the same by each of them.
"""

from __future__ import annotations

import mmap
import os
import socket
import struct
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from handan.web.operations.request_queue import CAME

try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows has one process
    fcntl = None  # type: ignore[assignment]

FOLDER = "HANDAN_WORKERS_FOLDER"
"""Names the folder in which the processes of a server find each other; `handan serve` makes it."""
NUMBER = "HANDAN_WORKERS"
"""Names how many there are."""
READY = "HANDAN_READY"
"""Names a file to make when this process can answer; set by `handan serve` for one that takes the place of another."""
SLOT = struct.Struct("dd")
"""The seconds of work of a process, and when it said so (`monotonic`): whenever a request comes or ends."""
GONE = 1e9
"""What stands in the place of the seconds of a process that cannot be reached."""
MOST = 32  # our choice: requests that one process has handed to another and waits for; others it answers itself
QUICKLY, LONGEST = 1.0, 30.0  # seconds; our choice: for which is waited for another process to listen, and to answer
STILL = 0.5  # seconds; our choice: who has something of ours and has begun and ended nothing for so long gets no more
LESS = 0.03  # seconds of work; our choice: by so much less another process must have, for handing on takes time too
Answer = tuple[str, list[tuple[str, str]], bytes]
"""Status line, headers, content."""
Work = Callable[[dict[str, Any]], Answer | None]


class OtherProcesses:
    """One process of a server among the others."""

    def __init__(self, folder: Path, number: int) -> None:
        """Take a place in a folder for `number` processes; OSError where that cannot be."""
        self.folder, self.places = folder, range(number)
        self._lock = threading.Lock()
        self._idle: dict[int, list[Connection]] = {place: [] for place in self.places}
        self._handed = dict.fromkeys(self.places, 0)
        self._seconds = self._shared()
        self.place = self._free_place()
        self._listener = self._address()
        self.publish(0)

    @classmethod
    def of_environment(cls) -> OtherProcesses | None:
        """Join those of the server that started this process; None where there are none, or not on this system."""
        number = int(os.environ.get(NUMBER, "1"))
        if number < 2 or fcntl is None or not os.environ.get(FOLDER):
            return None
        folder = Path(os.environ[FOLDER])
        with suppress(OSError):
            return cls(folder, number) if _is_own(folder) else None
        return None

    def _shared(self) -> mmap.mmap:
        """Return the seconds of all processes, which they share."""
        with (self.folder / "seconds").open("a+b") as file:
            file.truncate(SLOT.size * len(self.places))
            return mmap.mmap(file.fileno(), SLOT.size * len(self.places))

    def _free_place(self) -> int:
        """Take the first place that no living process has, until this one ends."""
        for place in self.places:
            self._claim = os.open(self.folder / f"{place}.lock", os.O_CREAT | os.O_RDWR, 0o600)
            with suppress(OSError):
                fcntl.flock(self._claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return place
            os.close(self._claim)
        raise OSError("every place is taken")

    def _address(self) -> socket.socket:
        """Return the socket to which others connect; a process that had this place before may have left one."""
        name = self.folder / f"{self.place}.socket"
        name.unlink(missing_ok=True)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(name))
        listener.listen(MOST)
        return listener

    def leave(self) -> None:
        """Be no longer one of them; a process that ends does so by itself."""
        self.publish(GONE)
        self._listener.close()
        os.close(self._claim)

    def publish(self, seconds: float) -> None:
        """Say how much work waits or is being done here."""
        self._put(self.place, seconds)

    def _put(self, place: int, seconds: float) -> None:
        SLOT.pack_into(self._seconds, SLOT.size * place, seconds, time.monotonic())

    def _seconds_of(self, place: int) -> float:
        """Return how much work a process has; one that stands still would look as if it had little."""
        seconds, moment = SLOT.unpack_from(self._seconds, SLOT.size * place)
        return GONE if self._handed[place] and time.monotonic() - moment > STILL else float(seconds)

    def least_busy(self, own: float) -> int | None:
        """Return the place of a process with clearly less work than this one has, the one with the least."""
        seconds = {place: GONE if place == self.place else self._seconds_of(place) for place in self.places}
        best = min(seconds, key=seconds.__getitem__)
        return best if seconds[best] + LESS <= own else None

    def listen(self, work: Work) -> None:
        """Answer what others hand to this process, from now on."""
        threading.Thread(target=_accept, args=(self._listener, work), name="handed-on", daemon=True).start()

    def answer(self, place: int, environ: dict[str, Any]) -> Answer | None:
        """Return what another process answers; None where it cannot, so that this one does it itself."""
        with self._lock:
            if sum(self._handed.values()) >= MOST:
                return None
            self._handed[place] += 1
            idle = self._idle[place]
            connection = idle.pop() if idle else None
        try:
            connection = connection or _connected(self.folder / f"{place}.socket")
            connection.send(passed_on(environ))
            if not connection.poll(LONGEST):
                raise TimeoutError  # it stands still; what it may answer later belongs to nobody
            answer: Answer | None = connection.recv()
        except (OSError, EOFError):
            self._put(place, GONE)  # until it says its own again
            return None
        else:
            with self._lock:
                self._idle[place].append(connection)
            return answer
        finally:
            with self._lock:
                self._handed[place] -= 1


def _connected(name: Path) -> Connection:
    """Return a connection to another process; OSError where it does not listen."""
    with socket.socket(socket.AF_UNIX) as own:
        own.settimeout(QUICKLY)
        own.connect(str(name))
        own.settimeout(None)
        return Connection(own.detach())


def _is_own(folder: Path) -> bool:
    """Return whether nobody else may write into a folder: what comes from there is believed."""
    facts = folder.stat()
    return facts.st_uid == os.geteuid() and not facts.st_mode & 0o077


def _accept(listener: socket.socket, work: Work) -> None:
    """Answer each process that connects, as long as this one lives."""
    while True:
        try:
            connection = Connection(listener.accept()[0].detach())
        except OSError:  # too many files are open
            time.sleep(1.0)
            continue
        threading.Thread(target=_answer_on, args=(connection, work), daemon=True).start()


def _answer_on(connection: Connection, work: Work) -> None:
    """Answer one request after the other, until the process that asks is gone."""
    with suppress(OSError, EOFError), connection:
        while True:
            connection.send(work(connection.recv()))


OF_REQUEST = {
    "CONTENT_LENGTH", "CONTENT_TYPE", "PATH_INFO", "QUERY_STRING", "REMOTE_ADDR", "REMOTE_HOST", "REMOTE_PORT",
    "REQUEST_METHOD", "SCRIPT_NAME", "SERVER_NAME", "SERVER_PORT", "SERVER_PROTOCOL", CAME, "wsgi.url_scheme",
}  # fmt: skip
"""What of an environment tells of the request, beside its headers; the rest is the process's own."""


def passed_on(environ: dict[str, Any]) -> dict[str, Any]:
    """Return what another process needs to know of a request."""
    return {name: value for name, value in environ.items() if name in OF_REQUEST or name.startswith("HTTP_")}
