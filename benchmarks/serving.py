"""A club server of its own for a measurement or a test, and a browser that asks it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import SplitResult, urlencode, urlsplit

PATIENCE = 600.0  # seconds for a server to begin or to end
MOST_REDIRECTS = 5
AT_ONCE = 1 << 18  # bytes


@dataclass
class Server:
    """A server that runs."""

    url: str
    process: subprocess.Popen[bytes]
    printed: Path
    """What it writes to stdout."""
    log: Path
    """What it writes to stderr."""

    def memory(self) -> float:
        """Return the memory of its largest process in megabytes; 0 where the system does not tell.

        Files without a name that lie in memory count whole, however much of them the process looks at.
        """
        sizes = [0.0]
        for status in Path("/proc").glob("[0-9]*/status"):
            try:
                lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
            except OSError:  # it has ended meanwhile
                continue
            if str(self.process.pid) in {lines["PPid"].strip(), status.parent.name} and "VmRSS" in lines:
                resident, shared = (int(lines[name].split()[0]) * 1024 for name in ("VmRSS", "RssShmem"))
                sizes.append((resident - shared + max(shared, _in_unnamed_files(status.parent))) / 1e6)
        return max(sizes)

    def processor_time(self) -> float:
        """Return the seconds that all its processes have worked, and the system for them; Linux only."""
        return sum(map(_worked, [self.process.pid, *self.workers()]))

    def busiest_worker(self) -> float:
        """Return the seconds that the one of its workers has worked that has worked longest, from its start."""
        return max(map(_worked, self.workers()), default=0.0)

    def workers(self) -> list[int]:
        """Return the numbers of the processes that it has started."""
        parents = (status.parent for status in Path("/proc").glob("[0-9]*/status"))
        return [int(path.name) for path in parents if _parent_of(path) == self.process.pid]

    def kill(self) -> None:
        """End all its processes at once, as when its machine fails."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(PATIENCE)

    def stop(self) -> int:
        """Ask it to end, and return its exit status."""
        self.process.terminate()
        return self.process.wait(PATIENCE)


@dataclass
class Browser:
    """Somebody with cookies; it costs little, since it runs on the processors of the server that it measures."""

    url: str
    jar: dict[str, str] = field(default_factory=dict)
    """Cookies by name."""
    follows: bool = True
    """Whether it goes where an answer points."""

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, str]:
        """Return status and text of a page."""
        return self._ask("GET", path, headers or {})

    def post(self, path: str, **fields: str) -> tuple[int, str]:
        """Send a form; a page must have been looked at before, for its cookie."""
        data = urlencode({"csrfmiddlewaretoken": self.jar.get("csrftoken", ""), **fields})
        return self._ask("POST", path, {"Content-Type": "application/x-www-form-urlencoded"}, data)

    def sign_in(self, name: str, password: str) -> None:
        """Sign in; RuntimeError if that is refused."""
        self.get("/sign-in/")
        status, _ = self.post("/sign-in/", username=name, password=password)
        if status != 200 or "sessionid" not in self.jar:
            raise RuntimeError(f"{name} cannot sign in: {status}")

    def _ask(self, method: str, path: str, headers: Mapping[str, str], data: str | None = None) -> tuple[int, str]:
        """Return status and text of an answer, and of the page to which it points; OSError where none comes."""
        for _ in range(MOST_REDIRECTS):
            status, text, target = self._answer(method, path, headers, data)
            if not (self.follows and target):
                break
            method, path, data = "GET", urlsplit(target)._replace(scheme="", netloc="").geturl(), None
            headers = {name: value for name, value in headers.items() if name != "Content-Type"}
        return status, text

    def _answer(self, method: str, path: str, headers: Mapping[str, str], data: str | None) -> tuple[int, str, str]:
        """Return status, text, and where one answer points, each on a connection of its own."""
        address = urlsplit(self.url)
        sent = {"Host": address.netloc, **headers}
        if self.jar:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.jar.items())
        body = (data or "").encode()
        if data is not None:
            sent["Content-Length"] = str(len(body))
        lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        whole = _exchanged(address, f"{method} {path} HTTP/1.0\r\n{lines}\r\n".encode() + body)
        head, _, content = whole.partition(b"\r\n\r\n")
        first, *fields = head.decode("latin-1").split("\r\n")
        named = [(name.lower(), value.strip()) for name, _, value in (line.partition(":") for line in fields)]
        values = dict(named)
        if not first.startswith("HTTP/") or len(content) < int(values.get("content-length", 0)) * (method != "HEAD"):
            raise ConnectionError("no whole answer came")
        self._keep([value for name, value in named if name == "set-cookie"])
        return int(first.split()[1]), content.decode(), values.get("location", "")

    def _keep(self, cookies: list[str]) -> None:
        """Take over cookies that an answer sets; one without a value is dropped."""
        for cookie in cookies:
            name, _, value = cookie.strip().partition(";")[0].partition("=")
            self.jar[name] = value
            if value in {"", '""'}:
                del self.jar[name]


def _exchanged(address: SplitResult, question: bytes) -> bytes:
    """Return all that is answered until the connection ends; OSError where there is none."""
    with socket.create_connection((address.hostname or "", address.port or 80), PATIENCE) as connection:
        connection.sendall(question)
        parts = list[bytes]()
        while part := connection.recv(AT_ONCE):
            parts.append(part)
    return b"".join(parts)


def _in_unnamed_files(process: Path) -> int:
    """Return the bytes of the files without a name that a process has in memory, each once."""
    sizes = dict[int, int]()
    for file in (process / "fd").glob("*"):
        with suppress(OSError):  # it is closed meanwhile
            if str(file.readlink()).startswith("/memfd:"):
                status = file.stat()
                sizes[status.st_ino] = status.st_blocks * 512  # a block of `stat`, whatever the system's are
    return sum(sizes.values())


def _parent_of(process: Path) -> int:
    """Return the number of the parent of a process, 0 for one that has ended."""
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


def _worked(number: int) -> float:
    """Return the seconds that a process has worked, 0 for one that has ended."""
    scheduled = 2  # CPUCLOCK_SCHED of Linux: to the nanosecond, of all threads, also those that have ended
    try:
        return time.clock_gettime((~number << 3) | scheduled)
    except OSError:
        return 0.0


@contextmanager
def served(
    folder: Path,
    *arguments: str,
    environment: Mapping[str, str] | None = None,
    program: Sequence[str] = ("handan", "serve"),
) -> Iterator[Server]:
    """Run a program, `handan serve`, on a free port until the block ends; it prints into files of the folder.

    It has one worker, unless the arguments say how many.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    printed, log = folder / "printed.txt", folder / "log.txt"
    workers = [] if "--workers" in arguments else ["--workers", "1"]
    command = [sys.executable, "-m", *program, *arguments, "--port", str(port), *workers]
    inherited = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "HANDAN_SECRET_KEY"}}
    with printed.open("wb") as out, log.open("wb") as errors:
        given = {**inherited, **(environment or {})}
        process = subprocess.Popen(command, stdout=out, stderr=errors, env=given, start_new_session=True)
    server = Server(f"http://127.0.0.1:{port}", process, printed, log)
    try:
        _await(server)
        yield server
    finally:
        if process.poll() is None:
            server.stop()


def _await(server: Server) -> None:
    """Wait until the server answers; RuntimeError with its log if it ends."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if server.process.poll() is not None:
            raise RuntimeError(f"the server ended: {server.log.read_text(encoding='utf-8')}")
        try:
            if Browser(server.url).get("/healthz")[0] == 200:
                return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"the server does not answer: {server.log.read_text(encoding='utf-8')}")
