"""Commands of the club server, each in a process of its own, as its operator runs them.

A process begins as a copy of one that has read the package and what it uses, and not yet the settings of a server: that
takes a tenth of the work of a new interpreter. Where a system has no such copies, it is a new interpreter.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING

from handan.web.operations.uploads import LOADED

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext

OURS = ("HANDAN_", "DATABASE_URL", "DJANGO_SETTINGS_MODULE")
LOADED.append("tests.processes_begin")  # the copies of a process of tests are of one kind
COPIES = "forkserver" in multiprocessing.get_all_start_methods()


def handan(*arguments: object, status: int = 0, **variables: str) -> str:
    """Run `handan` without the variables of other tests, and return what it prints, errors too."""
    given = [str(argument) for argument in arguments]
    returned, printed = _run(_command, given, ["-m", "handan"], inherited() | variables)
    assert returned == status, printed
    return printed


def program(text: str, *arguments: object) -> str:
    """Run lines of Python without the variables of other tests, and return what they print."""
    returned, printed = _run(_lines, [text, *map(str, arguments)], ["-c"], inherited())
    assert returned == 0, printed
    return printed


def inherited() -> dict[str, str]:
    """Return the environment without what other tests have set for a server of their own."""
    return {name: value for name, value in os.environ.items() if not name.startswith(OURS)}


def mode(path: Path) -> int:
    """Return who may do what with a file."""
    return path.stat().st_mode & 0o777


def _run(
    main: Callable[[list[str]], None], arguments: list[str], interpreter: list[str], environment: dict[str, str]
) -> tuple[int | None, str]:
    """Run something in a process of its own; its exit status, and what it wrote to its output and its errors."""
    if not COPIES or environment.get("PYTHONPATH") != os.environ.get("PYTHONPATH"):  # it would be read too late
        answer = subprocess.run(
            [sys.executable, *interpreter, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env=environment, encoding="utf-8", check=False,
        )  # fmt: skip
        return answer.returncode, answer.stdout
    with NamedTemporaryFile() as output:
        process = _context().Process(target=_copy, args=(main, arguments, output.name, environment))
        process.start()
        process.join()
        return process.exitcode, output.read().decode()


def _context() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    return context


def _copy(main: Callable[[list[str]], None], arguments: list[str], output: str, environment: dict[str, str]) -> None:
    """Be a process that runs something: its environment, its output and its errors are its own."""
    os.environ.clear()
    os.environ |= environment
    descriptor = os.open(output, os.O_WRONLY | os.O_APPEND)
    for stream in (1, 2):
        os.dup2(descriptor, stream)
    os.close(descriptor)
    try:
        main(arguments)
    finally:  # a copy ends without what the end of an interpreter does
        from django.conf import settings
        from django.db import connections

        if settings.configured:
            connections.close_all()


def _command(arguments: list[str]) -> None:
    from handan.cli import main

    sys.exit(main(arguments))


def _lines(arguments: list[str]) -> None:
    sys.argv = ["-c", *arguments[1:]]
    exec(compile(arguments[0], "<lines of a test>", "exec"), {"__name__": "__main__"})
