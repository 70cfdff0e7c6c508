"""Every reader under a fuzzer that follows coverage: `make coverage-fuzz`. Ends at the first error that is not ours.

Arguments are libFuzzer's, such as `-runs=100000` or `-max_total_time=600`; the whole files of `test_files_fuzz.py` are
the corpus that it starts from.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import atheris

with atheris.instrument_imports(include=["handan"]):
    from handan.errors import HandanError
    from handan.files import read

from tests.test_files_fuzz import FILES


def one_input(data: bytes) -> None:
    """Read the input from a file, as a user would."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "input"
        path.write_bytes(data)
        try:
            read(path)
        except HandanError as error:
            if "\n" in str(error):
                raise


def main() -> None:
    """Start from whole files of every format."""
    with TemporaryDirectory() as corpus:
        for name, data in FILES.items():
            (Path(corpus) / name.replace("/", "-")).write_bytes(data)
        atheris.Setup([sys.argv[0], corpus, "-max_len=8192", "-timeout=20", *sys.argv[1:]], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
