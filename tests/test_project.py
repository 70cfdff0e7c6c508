"""The files around the code say what is true: workflows, hooks, forms, pins."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import runpy
import shlex
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import handan
from tests.conftest import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.name != "config.yml")
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
PINS = [
    Requirement(line)
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


def jobs() -> list[Any]:
    """Return every job of every workflow."""
    return [
        pytest.param(job, id=f"{path.stem}:{name}")
        for path in WORKFLOWS
        for name, job in yaml.safe_load(path.read_text(encoding="utf-8"))["jobs"].items()
    ]


def check_command(words: list[str]) -> None:
    """Fail where a command names a make target, module or script that does not exist."""
    match words:
        case ["make", *targets]:
            assert set(targets) <= TARGETS, words
        case ["python", "-m", module, *_]:
            assert module == "pip" or importlib.util.find_spec(module), words
        case ["test" | "sed" | "git" | "gh" | "useradd" | "su", *_]:
            pass  # of the shell, or of every runner
        case [script, *_]:
            assert (ROOT / script).is_file(), words


@pytest.mark.parametrize("job", jobs())
def test_every_command_of_a_workflow_exists(job: dict[str, Any]) -> None:
    assert job["timeout-minutes"] <= 90
    for step in job["steps"]:
        for line in step.get("run", "").splitlines():
            check_command(shlex.split(line))


@pytest.mark.parametrize("job", jobs())
def test_every_foreign_step_names_its_version(job: dict[str, Any]) -> None:
    for step in job["steps"]:
        assert "run" in step or re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"]), f"{step}: name it by its commit"


def test_what_is_published_is_built_with_the_build_backend_alone() -> None:
    release = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))["jobs"]
    uploads = [name for name, job in release.items() if any("upload-artifact" in str(step) for step in job["steps"])]
    assert uploads == ["build"]
    installs = [step["run"] for step in release["build"]["steps"] if " install " in step.get("run", "")]
    assert installs == ["python -m pip install --require-hashes --requirement .ci/build.lock"]
    assert pinned(ROOT / ".ci" / "build.lock") >= needed("hatchling") | needed("build") | {"hatchling", "build"}


def pinned(path: Path) -> set[str]:
    """Return the names that a lock pins, each as the lock of all that is needed pins it, with the same hashes.

    Where it is needed (` ; os_name == 'nt'`) may differ: that follows from what else asks for it.
    """
    locks = (path, ROOT / "requirements.lock")
    texts, whole = (
        re.sub(r" ; .+ \\$", " \\\\", lock.read_text(encoding="utf-8"), flags=re.MULTILINE) for lock in locks
    )
    blocks = [part for part in re.split(r"\n(?=\S)", texts.rstrip("\n")) if part[0] != "#"]
    assert not [block for block in blocks if f"{block}\n" not in whole]
    assert all("--hash=sha256:" in block for block in blocks)
    return {canonicalize_name(block.partition("==")[0]) for block in blocks}


def needed(name: str, extras: frozenset[str] = frozenset()) -> set[str]:
    """Return what a package that is installed here needs on this machine, and what that needs."""
    waiting, names = [(name, extras)], set[str]()
    while waiting:
        package, own = waiting.pop()
        for line in importlib.metadata.requires(package) or ():
            wanted = Requirement(line)
            if wanted.marker is None or any(wanted.marker.evaluate({"extra": extra}) for extra in {"", *own}):
                if wanted.name not in names or wanted.extras:
                    waiting.append((wanted.name, frozenset(wanted.extras)))
                names.add(wanted.name)
    return {str(canonicalize_name(each)) for each in names} - {str(canonicalize_name(name))}


def test_the_container_builds_from_what_it_copies(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from hatchling.build import build_wheel

    text = (ROOT / "examples" / "server" / "Containerfile").read_text(encoding="utf-8")
    for line in re.findall(r"^COPY (.+)$", text, re.MULTILINE):
        *sources, target = line.split()
        for source in sources:
            place = tmp_path / target.lstrip("/")
            if (ROOT / source).is_dir():
                ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
                shutil.copytree(ROOT / source, place, ignore=ignored)
            else:
                place.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / source, place)
    source = tmp_path / "source"
    monkeypatch.chdir(source)
    (tmp_path / "wheel").mkdir()
    assert (tmp_path / "wheel" / build_wheel(str(tmp_path / "wheel"))).is_file()
    locks = re.findall(r"--requirement /source/(\S+)", text)
    assert "--require-hashes" in text
    assert all((source / lock).is_file() for lock in locks)
    assert set().union(*(pinned(source / lock) for lock in locks)) >= needed(
        "handan", frozenset({"server", "postgresql"})
    ) | {"hatchling"}


def test_a_command_that_does_not_exist_fails() -> None:
    for command in ("make nothing", "python -m tests.nothing", "./nothing.sh"):
        with pytest.raises(AssertionError):
            check_command(command.split())


def test_the_tests_run_on_every_python_that_the_package_names() -> None:
    named = [line.rpartition(" ")[2] for line in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", line)]
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))
    matrix = workflow["jobs"]["systems"]["strategy"]["matrix"]
    assert matrix["python"] == named
    assert PROJECT["requires-python"] == f">={named[0]}"
    assert matrix["os"] == ["ubuntu-latest", "macos-latest", "windows-latest"]


def test_a_release_needs_no_secret() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    publish = yaml.safe_load(text)["jobs"]["publish"]
    assert (publish["permissions"], publish["environment"]) == ({"id-token": "write"}, "release")
    for path in WORKFLOWS:
        assert "secrets." not in path.read_text(encoding="utf-8")
        assert yaml.safe_load(path.read_text(encoding="utf-8"))["permissions"] == {"contents": "read"}


def test_the_conda_recipe_asks_for_what_the_package_asks_for() -> None:
    recipe = yaml.safe_load((ROOT / "examples" / "conda" / "recipe.yaml").read_text(encoding="utf-8"))
    assert recipe["context"]["version"] == handan.__version__
    needed = {line.replace(" ", "") for line in recipe["requirements"]["run"] if not line.startswith("python ")}
    assert needed == {line.replace(" ", "") for line in PROJECT["dependencies"]}


def test_a_package_that_a_workflow_builds_says_where_the_project_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    urls = runpy.run_path(str(ROOT / ".ci" / "index_page.py"))["project_urls"]
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    assert urls() == {}
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://github.com")
    monkeypatch.setenv("GITHUB_REPOSITORY", "somebody/go")
    assert urls()["Documentation"] == "https://somebody.github.io/go/"
    assert {"Homepage", "Source", "Issues", "Changelog"} < urls().keys()


def test_dependabot_looks_at_libraries_and_actions() -> None:
    updates = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text(encoding="utf-8"))["updates"]
    assert [update["package-ecosystem"] for update in updates] == ["pip", "github-actions"]


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_every_issue_form_can_be_shown(path: Path) -> None:
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert form["name"]
    assert form["description"]
    fields = [field for field in form["body"] if field["type"] in {"input", "textarea"}]
    assert any(field["type"] == "markdown" for field in form["body"] if field not in fields) or fields == form["body"]
    assert len({field["id"] for field in fields}) == len(fields)
    assert all(field["attributes"]["label"] for field in fields)


def test_the_hooks_before_a_commit_are_the_project_s_own_tools() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    assert [repository["repo"] for repository in config["repos"]] == ["local"]
    for hook in config["repos"][0]["hooks"]:
        if hook["language"] == "system":
            check_command(hook["entry"].replace(".venv/bin/python", "python").split())
        else:
            assert re.compile(hook["entry"])


def test_the_changelog_and_the_citation_are_of_the_version_of_the_code() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(citation)
    assert citation["version"] == handan.__version__
    released = f"## {citation['version']} ({citation['date-released']})\n"
    assert released in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert citation["license"] == PROJECT["license"]
    assert citation["abstract"] == PROJECT["description"]


def test_every_requirement_is_pinned_to_a_version_that_it_allows() -> None:
    pins = {canonicalize_name(pin.name): next(iter(pin.specifier)).version for pin in PINS}
    extras = [extra for name, extra in PROJECT["optional-dependencies"].items() if name not in {"fuzz", "cluster"}]
    for text in [*PROJECT["dependencies"], *(line for extra in extras for line in extra)]:
        requirement = Requirement(text)
        if requirement.name != "handan":
            assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)]), text


def test_the_pins_are_names_and_versions_alone() -> None:
    for pin in PINS:
        assert pin.url is None
        assert [each.operator for each in pin.specifier] == ["=="], pin


def test_the_lock_is_the_pins_with_the_hashes_of_their_files() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = [part.split(" \\\n") for part in re.split(r"\n(?! )", text.rstrip("\n")) if not part.startswith("#")]
    assert {str(Requirement(line)) for line, *_ in locked} == {str(pin) for pin in PINS}
    for line, *hashes in locked:
        assert hashes, line
        assert all(re.fullmatch(r" +--hash=sha256:[0-9a-f]{64}", each) for each in hashes), line


def test_every_target_of_make_says_what_it_does() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = set(re.findall(r"^\.PHONY: (.*)$", text, re.MULTILINE)[0].split())
    assert phony == set(re.findall(r"^([a-z-]+):.* ## \S", text, re.MULTILINE)) == TARGETS
