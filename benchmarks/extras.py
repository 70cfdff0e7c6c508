"""What each extra of the package brings, in MB on this machine: `python -m benchmarks.extras`.

It adds up the files of what is installed here, so an environment with all extras (`make` makes one) says most.
"""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

EXTRAS = ("", "fast", "charts", "sheets", "print", "server", "postgresql")


def needed(name: str, extra: str, there: set[str]) -> None:
    """Add the distributions that one needs with an extra, itself among them, if they are installed."""
    try:
        own = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return
    there.add(canonicalize_name(name))
    for text in own.requires or ():
        line = Requirement(text)
        if line.marker is None or line.marker.evaluate({"extra": extra}):
            for further in line.extras or {""}:
                if canonicalize_name(line.name) not in there or further:
                    needed(line.name, further, there)


def size(name: str) -> int:
    """Return the bytes of the files of a distribution; of an editable one, of its package."""
    if name == "handan":
        return sum(file.stat().st_size for file in Path("src/handan").rglob("*") if file.suffix not in {".pyc", ".nbc"})
    files = importlib.metadata.distribution(name).files or ()
    return sum(path.stat().st_size for file in files if (path := Path(str(file.locate()))).is_file())


def main() -> None:
    """Print a line for each extra: distributions, MB in all, and MB beyond the core."""
    core = 0
    print(f"{'':12} {'packages':>8} {'MB':>6} {'more':>6}")
    for extra in EXTRAS:
        there: set[str] = set()
        needed("handan", extra, there)
        total = sum(map(size, there))
        core = core or total
        print(f"{extra or 'core':12} {len(there):8} {total / 1e6:6.0f} {(total - core) / 1e6:6.0f}")


if __name__ == "__main__":
    main()
