"""A club server of its own for a measurement or a test, and a browser that asks it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, HTTPRedirectHandler, OpenerDirector, ProxyHandler, Request, build_opener

PATIENCE = 120.0  # seconds for a server to begin or to end


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
        """Return the memory of its largest process in megabytes; 0 where the system does not tell."""
        sizes = [0.0]
        for status in Path("/proc").glob("[0-9]*/status"):
            try:
                lines = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
            except OSError:  # it has ended meanwhile
                continue
            if str(self.process.pid) in {lines["PPid"].strip(), status.parent.name} and "VmRSS" in lines:
                sizes.append(int(lines["VmRSS"].split()[0]) / 1000.0)
        return max(sizes)

    def stop(self) -> int:
        """Ask it to end, and return its exit status."""
        self.process.terminate()
        return self.process.wait(PATIENCE)


class Staying(HTTPRedirectHandler):
    """Does not go where an answer points."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Return no further request."""


@dataclass
class Browser:
    """Somebody with cookies."""

    url: str
    jar: CookieJar = field(default_factory=CookieJar)
    follows: bool = True
    """Whether it goes where an answer points."""

    @property
    def opener(self) -> OpenerDirector:
        """What asks, with the cookies, and without a proxy."""
        handlers = [HTTPCookieProcessor(self.jar), ProxyHandler({}), *([] if self.follows else [Staying()])]
        return build_opener(*handlers)

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> tuple[int, str]:
        """Return status and text of a page."""
        return self._ask(Request(f"{self.url}{path}", headers=dict(headers or {})))

    def post(self, path: str, **fields: str) -> tuple[int, str]:
        """Send a form; a page must have been looked at before, for its cookie."""
        secret = next((cookie.value for cookie in self.jar if cookie.name == "csrftoken"), "") or ""
        data = urlencode({"csrfmiddlewaretoken": secret, **fields}).encode()
        return self._ask(Request(f"{self.url}{path}", data))

    def sign_in(self, name: str, password: str) -> None:
        """Sign in; RuntimeError if that is refused."""
        self.get("/sign-in/")
        status, _ = self.post("/sign-in/", username=name, password=password)
        if status != 200 or not any(cookie.name == "sessionid" for cookie in self.jar):
            raise RuntimeError(f"{name} cannot sign in: {status}")

    def _ask(self, request: Request) -> tuple[int, str]:
        try:
            with self.opener.open(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as error:
            with error:
                return error.code, error.read().decode()


@contextmanager
def served(folder: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> Iterator[Server]:
    """Run `handan serve` on a free port until the block ends; what it prints goes into files of the folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    printed, log = folder / "printed.txt", folder / "log.txt"
    command = [sys.executable, "-m", "handan", "serve", *arguments, "--port", str(port)]
    inherited = {name: value for name, value in os.environ.items() if name not in {"DATABASE_URL", "HANDAN_SECRET_KEY"}}
    with printed.open("wb") as out, log.open("wb") as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors, env={**inherited, **(environment or {})})
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
        except (URLError, OSError):
            time.sleep(0.05)
    raise RuntimeError(f"the server does not answer: {server.log.read_text(encoding='utf-8')}")
