"""Write docs/cli.md from the commands themselves: `make docs`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any

from handan.cli import root
from handan.cli.help import EXAMPLES

PAGE = Path(__file__).with_name("cli.md")
HEAD = """\
# The command line

This page is made from the code (`make docs`). `handan COMMAND --help` says the same. Commands that print take
`--format table`, `json`, `jsonl` (a JSON object a line), `csv`, `markdown` or `html`. A command that cannot be run ends
with exit status 2 after one line on stderr that says why. `handan help COMMAND` and `-h` say what stands here; the
examples run in the folder that `handan example .` fills.

A file `handan.toml` beside the games (`handan init` writes it) says what would otherwise be given with every command:
`system`, `card`, `[settings]`, `adjustments`, `aliases`, `[columns]`, `dates`, `encoding`, `date`, `date_from_path`,
`dedupe`, `title`. An option goes before the file, and the file before the defaults; its settings are those of its
system. Each command that reads files names it on stderr.

The commands that read games (`rate`, `event`, `report`, `explain`, `history`, `check`, `convert`,
`compare`) end with

| exit status | when |
|---|---|
| 0 | all was read; what was read in another way than it is written stands on stderr as a warning |
| 1 | a row, or a file of a folder or archive, was left out, as stderr says; the answer holds the rest |
| 2 | nothing was read, rated or scored, or a file that was named cannot be read |
| 3 | `verify` with neither key nor ledger: a signature holds, and nothing says whose it is |
| 130 | Ctrl-C ended it, as any command; no file is half written |
"""


def page() -> str:
    """Return the page in Markdown."""
    return "\n".join([HEAD, *_commands(root(), "handan")])


def _commands(group: Any, path: str) -> list[str]:
    """Return the sections of all commands of a group, and of the groups in it."""
    lines: list[str] = []
    for name, command in sorted(group.commands.items()):
        if hasattr(command, "commands"):
            lines += _commands(command, f"{path} {name}")
        else:
            lines += _section(command, f"{path} {name}")
    return lines


def _section(command: Any, path: str) -> list[str]:
    arguments = [item for item in command.params if item.param_type_name == "argument"]
    options = [item for item in command.params if item.param_type_name == "option" and not item.hidden]
    usage = " ".join([path, *(_argument(item) for item in arguments), "[OPTIONS]"])
    lines = [f"## `{usage}`", "", *_paragraphs(command.help), ""]
    lines += [f"- `{item.metavar or item.name.upper()}`: {item.help}" for item in arguments if item.help]
    lines += [""] * any(item.help for item in arguments)
    if options:
        lines += ["| option | what it does |", "|---|---|"]
        lines += [f"| `{_option(item)}` | {_text(item)} |" for item in options]
        lines.append("")
    if examples := EXAMPLES.get(command.name, ()):
        lines += ["```sh", *examples, "```", ""]
    return lines


def _paragraphs(text: str | None) -> list[str]:
    parts = (text or "").strip().split("\n\n")
    return "\n\n".join(" ".join(part.split()) for part in parts).split("\n")


def _argument(item: Any) -> str:
    name = item.metavar or item.name.upper()
    return name if item.required else f"[{name}]"


def _option(item: Any) -> str:
    names = ", ".join([*item.opts, *item.secondary_opts])
    return names if item.is_flag else f"{names} {item.metavar or _choices(item)}"


def _choices(item: Any) -> str:
    """Return the values that an option may take, where its default is one of a fixed set."""
    return "/".join(type(item.default)) if isinstance(item.default, StrEnum) else item.name.upper()


def _text(item: Any) -> str:
    shown = "" if item.default in {None, False, ""} or item.required else f" Default: {item.default}."
    return f"{item.help or ''}{' Required.' if item.required else ''}{shown}".replace("|", "\\|").strip()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
