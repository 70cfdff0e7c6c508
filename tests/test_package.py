"""What is given away: one version, a source archive from which all tests run, a wheel without them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import handan
from tests.conftest import ROOT
from tests.install import options, settings_of_pip
from tests.walks import first_hour

hatchling = pytest.importorskip("hatchling", reason="needs hatchling, which make test installs")

from hatchling.builders.sdist import SdistBuilder  # noqa: E402  # after the skip
from hatchling.builders.wheel import WheelBuilder  # noqa: E402  # after the skip

pytestmark = pytest.mark.extended

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LEFT_OUT = {".gitignore", ".handan-secret"}
"""Files of the repository that the archive names otherwise (hatch adds .gitignore itself) or must never hold."""


def packed(builder: SdistBuilder | WheelBuilder) -> set[str]:
    """Return the paths, in the archive, of the files that a builder takes."""
    return {Path(file.distribution_path).as_posix() for file in builder.recurse_included_files()}


def tracked() -> set[str]:
    """Return the files of the repository; empty outside of one, as in an unpacked archive."""
    if not (ROOT / ".git").exists():
        return set()
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in listing.stdout.split("\0") if name and (ROOT / name).exists()}


def test_the_version_stands_in_one_place() -> None:
    assert "version" not in PROJECT["project"]
    assert "version" in PROJECT["project"]["dynamic"]
    assert SdistBuilder(str(ROOT)).metadata.version == handan.__version__


def test_the_source_archive_holds_every_file_of_the_repository() -> None:
    files = tracked()
    if not files:
        pytest.skip("needs the repository")
    assert files - packed(SdistBuilder(str(ROOT))) - LEFT_OUT == set()


def test_no_secret_and_no_database_is_given_away() -> None:
    for name in packed(SdistBuilder(str(ROOT))):
        assert not name.endswith((".db", ".sqlite3", "-secret", ".pem", ".key")), name


def test_the_wheel_holds_the_package_and_nothing_beside_it() -> None:
    files = packed(WheelBuilder(str(ROOT)))
    assert {name.split("/", 1)[0] for name in files} == {"handan"}
    assert {"handan/py.typed", "handan/__init__.py"} <= files


def test_the_archives_are_described_as_the_index_asks() -> None:
    core = SdistBuilder(str(ROOT)).metadata.core
    core.validate_fields()  # classifiers too: those that do not exist are refused
    assert {"Framework :: Django", "Typing :: Typed"} <= set(core.classifiers)


RELATIVE = re.compile(r"\]\((?!https?:|#)")


def test_no_link_of_the_page_on_an_index_leads_nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("pyproject.toml", "README.md", "LICENSE", ".ci/index_page.py", "src/handan/__init__.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)  # an unpacked archive has the page of its build beside them
    for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_SHA"):
        monkeypatch.delenv(name, raising=False)
    page = SdistBuilder(str(tmp_path)).metadata.core.readme
    assert page.startswith("# Handan")
    assert not RELATIVE.search(page)
    assert "[" not in page.partition("## The systems")[2].partition("## Install")[0]
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://git.example.org")
    monkeypatch.setenv("GITHUB_REPOSITORY", "club/handan")
    monkeypatch.setenv("GITHUB_SHA", "abc")
    page = SdistBuilder(str(tmp_path)).metadata.core.readme
    assert not RELATIVE.search(page)
    assert "[`egf`](https://git.example.org/club/handan/blob/abc/docs/systems/egf.md)" in page


def test_a_newcomer_follows_the_first_pages_in_an_environment_of_their_own(tmp_path: Path) -> None:
    """The packages are those of which this environment was made; once they are cleared away, `make package` does it."""
    [wheel] = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    uv, place = [sys.executable, "-m", "uv"], tmp_path / "venv"
    subprocess.run([*uv, "venv", "-q", "--python", sys.executable, place], check=True)
    where = ["--offline", "--index-strategy", "unsafe-best-match", *options(settings_of_pip())]
    install = ["pip", "install", "-q", "--python", str(place), *where, "-c", str(ROOT / "constraints.txt"), wheel]
    done = subprocess.run([*uv, *install], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("the packages of the core are no longer at hand")
    first_hour(place / ("Scripts" if os.name == "nt" else "bin"))
