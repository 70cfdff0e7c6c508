"""What type checkers and editors know of systems and their settings: `src/handan/typed.pyi`, made from the one list.

`python -m tests.test_typed` writes it anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from mypy import api

import handan
from handan import shortcuts
from handan.files.io.options import NamedOptions, Options
from handan.systems import OWN
from handan.systems.core.base import System
from handan.systems.core.settings import settings_of
from tests.conftest import ROOT

STUB = ROOT / "src" / "handan" / "typed.pyi"
HEAD = """\
# What `handan.rate` takes, for type checkers and editors; `python -m tests.test_typed` writes it.

from typing import Any, Literal, TypeAlias, TypedDict, Unpack, overload

from handan.ratings import Ratings
from handan.systems import System
from handan.systems.core.live import Live

"""
FUNCTIONS = ((shortcuts.rate, "games: Any, ", "Ratings"), (shortcuts.live, "", "Live"))


def options(own: Any) -> str:
    return f"{own.kind}Settings"


def fields(kind: type[System]) -> Iterator[str]:
    """Yield the settings of a system, each as a line of a TypedDict."""
    for name, (field, bounds) in settings_of(kind).items():
        words = ", ".join(f'"{word}"' for word in bounds.choices)
        none = " | None" if field.default is None else ""
        yield f"    {name}: {f'Literal[{words}]' if words else bounds.kind.__name__}{none}"


def stub() -> str:
    """Return the text of the stub."""
    names = ",\n    ".join(f'"{own.name}"' for own in OWN)
    parts = [f"{HEAD}SystemName: TypeAlias = Literal[\n    {names},\n]\n"]
    for own in OWN:
        body = "\n".join(fields(own.load())) or "    pass"
        parts.append(f"class {options(own)}(TypedDict, total=False):\n{body}\n")
    for function, arguments, answer in FUNCTIONS:
        name = function.__name__
        for own in OWN:
            system = f'system: Literal["{own.name}"], **settings: Unpack[{options(own)}]'
            parts.append(f"@overload\ndef {name}({arguments}{system}) -> {answer}: ...")
        lines = indent(cleandoc(function.__doc__ or ""), "    ").lstrip()
        docstring = f'"""{lines}\n    """  # noqa: PYI021  # editors show it\n'
        parts.append(f"@overload\ndef {name}({arguments}system: SystemName | System) -> {answer}:\n    {docstring}")
    return "\n".join(parts)


def test_type_checkers_know_every_system_and_setting() -> None:
    assert STUB.read_text(encoding="utf-8") == stub()


def test_type_checkers_know_every_option_of_reading() -> None:
    assert [*NamedOptions.__annotations__] == [*Options.__dataclass_fields__]


RIGHT = """
import handan

ratings = handan.rate("games.csv", "elo", k=32)
plays: handan.Live = handan.live("glicko2", period="game")
handan.rate([("Ada", "Bo", "B+")], "points", card="tokyo15")
handan.rate("games.csv", handan.systems.Elo(k=32))
handan.rate("games.csv", handan.systems.system(input()))
name: str = next(iter(ratings))
rating: float = ratings[name].rating
"""
MISTAKES = {
    'handan.rate("games.csv", "egff")': "call-overload",
    'handan.rate("games.csv", "elo", kk=3)': "call-overload",
    'handan.rate("games.csv", "elo", k="32")': "call-overload",
    'handan.rate("games.csv", "glicko2", period="fortnight")': "call-overload",
    'handan.rate("games.csv")': "call-overload",
    'handan.read("games.csv", encodng="utf-8")': "call-arg",
    'handan.live("elo", kk=3)': "call-overload",
    'handan.tuned(handan.read("games.csv"), "eloo")': "arg-type",
    'handan.Forecaster("egff")': "arg-type",
    "ratings.tabel()": "attr-defined",
    'ratings["Ada"].raiting': "attr-defined",
    'ratings.predict({"black": ["Ada"], "white": ["Bo"]}, strangers="alow")': "arg-type",
    'handan.Game("Ada", "Bo", "B+", handicapp=2)': "call-arg",
    "handan.systems.Elo(kk=3)": "call-arg",
}


@pytest.mark.extended
def test_a_type_checker_refuses_what_a_user_mistypes(tmp_path: Path) -> None:
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(RIGHT, encoding="utf-8")
    wrong.write_text("\n".join([RIGHT, *MISTAKES]), encoding="utf-8")
    options = ["--strict", "--config-file=", "--python-executable", str(ROOT / ".venv" / "bin" / "python")]
    output, faults, status = api.run([*options, str(right)])
    assert (output.splitlines()[-1:], faults, status) == (["Success: no issues found in 1 source file"], "", 0)
    output, _, _ = api.run([*options, str(wrong)])
    first = RIGHT.count("\n") + 2
    for line, (text, code) in enumerate(MISTAKES.items(), first):
        assert any(f"wrong.py:{line}: error" in row and f"[{code}]" in row for row in output.splitlines()), (
            text,
            output,
        )


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ('handan.rate("games.csv", "egff")', "egf"),
        ('handan.rate("games.csv", "elo", kk=3)', "k"),
        ('handan.live("elo", kk=3)', "k"),
        ('handan.tuned(handan.read("games.csv"), "eloo")', "elo"),
        ('handan.read("games.csv", encodng="utf-8")', "encoding"),
        ('handan.read("game.csv")', "games.csv"),
        ('handan.Game("Ada", "Bo", "B+", handicapp=2)', "handicap"),
        ("handan.systems.Elo(kk=3)", "k"),
        ('ratings["Alic"]', "Alice"),
        ('ratings.predict({"black": ["Alic"], "white": ["Bob"]})', "Alice"),
    ],
)
def test_what_a_user_mistypes_is_answered_with_the_right_name(
    text: str, meant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT / "examples")
    names = {"handan": handan, "ratings": handan.rate("games.csv", "elo")}
    with pytest.raises((handan.HandanError, TypeError), match=rf"did you mean (.*, )?{re.escape(meant)}\b"):
        eval(text, names)


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
