"""The command `python -m tests.vectors PATH…`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Sequence

from tests.vectors.runner import run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the vector files, print what fails and the counts; return 1 if anything failed, else 0."""
    parser = ArgumentParser(prog="python -m tests.vectors", description="Run files of known answers.")
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a vector file (JSON), or a folder of them")
    report = run(parser.parse_args(arguments).paths)
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(str(report).encode(encoding, "backslashreplace").decode(encoding) + "\n")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
