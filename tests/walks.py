"""Walks through README and docs: their blocks are followed by whatever runs a program, and outputs are compared.

`python -m tests.walks FOLDER` follows what a newcomer does first, word by word and with the installed program alone:
the README and the first hour in an empty folder, then the first lines of a club.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import signal
import subprocess
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).resolve().parent.parent
FIRST_HOUR = (ROOT / "README.md", ROOT / "docs" / "tutorial.md")
CLUB = ROOT / "docs" / "club.md"
BLOCK = re.compile(r"^```(python|console|sh)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
ELSEWHERE = re.compile(r"pip |pipx |uvx |python |handan serve|handan club")
"""Lines of a walk that install the program or begin a server."""
SKIPPED = "…"
"""In the output of a command, a line that stands for any lines."""


class Program(Protocol):
    """What runs the lines of a walk, in a folder of its own."""

    def enter(self, folder: str) -> None:
        """Go into a folder of the current one."""

    def read(self, name: str) -> str:
        """Return the text of a file of the current folder."""

    def run(self, words: list[str]) -> str:
        """Run a command, which must end with status 0, and return what it prints."""

    def python(self, text: str) -> None:
        """Run lines of Python."""


class Installed:
    """The program as an environment has it, with an empty home and no variables but those of a container."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self.programs, self.folder = programs, folder
        home = folder / "home"
        home.mkdir()
        path = os.pathsep.join([str(programs), os.defpath])
        self.variables = {"PATH": path, "HOME": str(home), "COLUMNS": "120"}

    def enter(self, folder: str) -> None:
        """Go into a folder of the current one."""
        self.folder = self.folder / folder

    def read(self, name: str) -> str:
        """Return the text of a file of the current folder."""
        return (self.folder / name).read_text(encoding="utf-8")

    def run(self, words: list[str]) -> str:
        """Run a command; CalledProcessError if its status is not 0."""
        command = [str(self.programs / words[0]), *words[1:]]
        done = subprocess.run(command, cwd=self.folder, env=self.variables, stdout=subprocess.PIPE, check=True)
        return done.stdout.decode()

    def python(self, text: str) -> None:
        """Run lines of Python; CalledProcessError if they fail."""
        self.run(["python", "-c", text])

    @contextmanager
    def serve(self, line: str) -> Iterator[str]:
        """Run a server until the block ends, as a service manager does; yield the link that it prints."""
        words, link = shlex.split(line), ""
        command = [str(self.programs / words[0]), *words[1:]]
        with subprocess.Popen(
            command, cwd=self.folder, env=self.variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as server:
            assert server.stdout is not None
            try:
                for printed in server.stdout:
                    link = next(iter(re.findall(r"http://\S+/join/\S+", printed)), link)
                    if printed.startswith("serving "):
                        break
                yield link
            finally:
                server.send_signal(signal.SIGTERM)
                server.stdout.read()
                assert server.wait() == 0, "the server did not stop"


def blocks(page: Path) -> list[tuple[str, str]]:
    """Return the kind and the text of each block of a page that can be run."""
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def follow(kind: str, text: str, program: Program) -> None:
    """Run a block; of commands with output, compare it."""
    if kind == "python":
        program.python(text)
    elif kind == "sh":
        for line in text.splitlines():
            words = shlex.split(line, comments=True)
            if words[:1] == ["cd"]:
                program.enter(words[1])
            elif words and not ELSEWHERE.match(line):
                assert words[0] == "handan", line
                program.run(words)
    else:
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE):
            words = shlex.split(command)
            assert words[0] in {"cat", "handan"}, command
            compare(command, program.read(words[1]) if words[0] == "cat" else program.run(words), shown)


def compare(command: str, printed: str, shown: str) -> None:
    """Compare what a command prints with what the page shows."""
    lines, expected = ([line.rstrip() for line in text.splitlines()] for text in (printed, shown))
    if SKIPPED in expected:
        parts = [re.escape("".join(f"{line}\n" for line in part)) for part in _split(expected)]
        assert re.fullmatch(r"(?:.*\n)*?".join(parts), "".join(f"{line}\n" for line in lines)), command
    else:
        assert lines == expected, command


def _split(lines: list[str]) -> list[list[str]]:
    """Return the runs of lines between those that stand for any."""
    ends = [-1, *(at for at, line in enumerate(lines) if line == SKIPPED), len(lines)]
    return [lines[start + 1 : end] for start, end in pairwise(ends)]


def first_hour(programs: Path) -> None:
    """Follow the pages that a newcomer reads first, each in an empty folder."""
    for page in FIRST_HOUR:
        with tempfile.TemporaryDirectory() as name:
            program = Installed(programs, Path(name))
            for kind, text in blocks(page):
                follow(kind, text, program)


def first_club(programs: Path) -> None:
    """Begin the club of its page, and open the link that is printed."""
    lines = [line for kind, text in blocks(CLUB) if kind == "sh" for line in text.splitlines()]
    line = next(line for line in lines if line.startswith("handan serve"))
    with (
        tempfile.TemporaryDirectory() as name,
        Installed(programs, Path(name)).serve(line) as link,
        urllib.request.urlopen(link, timeout=60) as answer,
    ):
        assert "Lake Club" in answer.read().decode()


def main() -> None:
    """Follow the walks by the programs of an environment."""
    parser = argparse.ArgumentParser(prog="python -m tests.walks", description=__doc__)
    parser.add_argument("programs", type=Path, help="the folder in which the command is installed")
    parser.add_argument("--club", action="store_true", help="begin a club, too, which needs handan[server]")
    options = parser.parse_args()
    first_hour(options.programs)
    if options.club:
        first_club(options.programs)


if __name__ == "__main__":
    main()
