"""A Ray cluster of this run alone, for `make cluster`: `python -m tests.ray_cluster` starts it, tests, and ends it.

`ray stop` would end every cluster of this machine's user. So the head runs in the foreground of a session of its own,
on ports that were free, and only what belongs to that session is ended.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ALONE = {"RAY_AUTH_MODE": "disabled"}  # newer versions want a token of every client; this one answers this machine only
HERE = {"PYTHONPATH": str(Path(__file__).resolve().parent.parent)}  # workers are sent objects of the tests
PATIENCE = 120.0  # seconds for a head to answer
TESTS = ("-n", "0", "-rs", "tests/test_sweep.py")


def free_ports(count: int) -> list[int]:
    """Return ports of this machine that nobody listens on."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]


def answers(port: int) -> bool:
    """Return whether somebody listens on a port of this machine."""
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def of_session(leader: int) -> list[int]:
    """Return the processes of a session, by what the system lists."""
    listed = subprocess.run(["ps", "-eo", "pid=,sess="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    return [int(pid) for pid, session in rows if int(session) == leader]


def end(head: subprocess.Popen[bytes]) -> None:
    """End the processes of a head's session, and no other."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        for pid in of_session(head.pid):
            try:
                os.kill(pid, sign)
            except ProcessLookupError:
                continue
        try:
            head.wait(timeout=20.0)
        except subprocess.TimeoutExpired:
            continue
        if not of_session(head.pid):
            return


@contextmanager
def ray_cluster(cpus: int = 2) -> Iterator[str]:
    """Yield the address of a cluster that is this process's own; RuntimeError where it does not answer."""
    command = shutil.which("ray", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if command is None:
        raise RuntimeError("ray is not installed: pip install '.[cluster]'")
    port, client = free_ports(2)
    with TemporaryDirectory(prefix="ray", dir="/tmp", ignore_cleanup_errors=True) as folder:
        log = Path(folder) / "head.log"
        head = subprocess.Popen(
            [
                command, "start", "--head", "--block", "--port", str(port), "--ray-client-server-port", str(client),
                "--node-ip-address", "127.0.0.1", "--num-cpus", str(cpus),
                "--temp-dir", folder, "--include-dashboard=false", "--disable-usage-stats",
            ],
            stdout=log.open("wb"), stderr=subprocess.STDOUT, start_new_session=True, env=os.environ | ALONE | HERE,
        )  # fmt: skip
        try:
            ending = time.monotonic() + PATIENCE
            while not answers(client):
                if head.poll() is not None or time.monotonic() > ending:
                    last = log.read_text(errors="replace").strip().splitlines()[-1:]
                    raise RuntimeError(f"the head of the Ray cluster does not answer: {' '.join(last)}")
                time.sleep(0.2)
            yield f"ray://127.0.0.1:{client}"
        finally:
            end(head)


def main(arguments: Sequence[str]) -> int:
    """Run the tests of sweeps, or those named, with a cluster; return their status."""
    with ray_cluster() as address:
        tests = [sys.executable, "-m", "pytest", *(arguments or TESTS)]
        return subprocess.run(tests, env=os.environ | ALONE | {"HANDAN_TEST_RAY": address}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
