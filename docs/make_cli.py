"""Write docs/cli.md and the manual page docs/handan.1 from the commands themselves: `make docs`."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields
from enum import StrEnum
from pathlib import Path
from typing import Any

from handan.cli import PANELS, root
from handan.cli.file_options import Reading
from handan.cli.help import EXAMPLES

PAGE = Path(__file__).with_name("cli.md")
MANUAL = Path(__file__).with_name("handan.1")
HEAD = """\
# The command line

`handan COMMAND -h` and `man handan` say the same. The examples run in the folder that `handan example .` fills. Every
command takes `-q` (errors only). Commands that answer take `--format` (`-f`) with `table`, `json`, `jsonl` (an object
a line), `csv`, `markdown` or `html`; `--json` is short for `--format json`. `handan --install-completion` lets the Tab
key complete commands, options, systems and cards. Long work shows its progress on a terminal, and one line a minute in
a log or a pipe. `NO_COLOR` leaves out colours.
"""
EXITS = """\
## The club's rules in a file

`handan init` writes `handan.toml` beside the games; every command there takes its rules from it and says so on stderr.
Standard input and addresses take that of the current folder.
Keys: `system`, `card`, `[settings]`, `adjustments`, `aliases`, `[columns]`, `dates`, `encoding`, `date`,
`date_from_path`, `dedupe`, `title`. Options on the command line override it.

## Exit status

| exit status | when |
|---|---|
| 0 | all was read; what was read in another way than it is written stands on stderr as a warning |
| 1 | a row, or a file of a folder or archive, was left out, as stderr says; the answer holds the rest |
| 2 | nothing was read, rated or scored, a file that was named cannot be read, or the command cannot be run |
| 3 | `verify` with neither key nor ledger: a signature holds, and nothing says whose it is |
| 130 | Ctrl-C ended it; no file is half written |
"""
SHARED = frozenset(field.name for field in fields(Reading)) - {"quiet"}
"""Parameters of all commands that read files."""
ALL_READ = re.compile(
    r" ?The exit status is 0 if all was read, 1 if something was left out(, 2 if nothing was rated)?\.(?= |$)"
)
"""What the table of exit statuses says of every command."""
READS = "[reading files](#reading-files)"
MANY = 2
"""Commands with the same option, or the same argument, from which on it is explained once."""


def page() -> str:
    """Return the page in Markdown."""
    lines = [HEAD]
    commands = root().commands
    for title, panel in PANELS.items():
        lines += [f"**{title}**", ""]
        lines += [f"- [`{name}`](#handan-{name}): {text}" for name, (_, text) in panel.items()]
        lines.append("")
    lines += [EXITS, *_reading(commands["rate"])]
    sections = [
        line for panel in PANELS.values() for name in panel for line in _section(commands[name], f"handan {name}")
    ]
    items = Counter(line for line in sections if line.startswith(("- `-", "- `F")))
    often = sorted(item for item, count in items.items() if count >= MANY)
    lines += ["## Options of many commands", "", *often, ""]
    return "\n".join([*lines, *_without(sections, often)])


def _without(lines: list[str], items: list[str]) -> list[str]:
    """Return sections without these items; a line names their options."""
    kept: list[str] = []
    named: list[str] = []
    for line in lines:
        if line in items:
            if line.startswith("- `-"):
                named.append(f"`{line.split('`')[1].partition(' ')[0].rstrip(',')}`")
        elif line == READS or (line.startswith("## ") and named):
            links = [f"[{', '.join(named)}](#options-of-many-commands)"] if named else []
            kept.append(f"Also {' and '.join([*links, READS] if line == READS else links)}.")
            kept += ["", line] if line != READS else []
            named = []
        elif line or kept[-1]:
            kept.append(line)
    return kept


def _reading(command: Any) -> list[str]:
    """Return the section on what all commands that read files take."""
    shared = [item for item in command.params if item.name in SHARED]
    return ["## Reading files", "", "Commands that read games take these.", "", *map(_option, shared), ""]


def _group(path: str, commands: dict[str, Any]) -> list[str]:
    """Return the section of a group: an item a command, and one for each argument and option that differs."""
    lines = [f"## {path}", ""]
    users: dict[str, list[str]] = {}
    for name, command in sorted(commands.items()):
        arguments, options, reads = _parameters(command)
        text = " ".join(filter(None, _paragraphs(command.help)))
        lines.append(f"- `{_usage(f'{path} {name}', arguments)}`: {text}{f' Also {READS}.' * reads}")
        for item in [*map(_option, options), *map(_argument, arguments)]:
            users.setdefault(item, []).append(name)
    lines += ["", "Options and arguments:", ""]
    for item, names in sorted(users.items()):
        few = len(names) <= len(commands) // 2
        lines.append(f"{item} ({', '.join(f'`{name}`' for name in names)})" if few else item)
    return [*lines, ""]


def _parameters(command: Any) -> tuple[list[Any], list[Any], bool]:
    """Return a command's arguments, its own options, and whether it takes those of reading files."""
    arguments = [item for item in command.params if item.param_type_name == "argument"]
    options = [item for item in command.params if item.param_type_name == "option" and not item.hidden]
    own = [item for item in options if item.name not in (*SHARED, "quiet", "help", "form")]
    return arguments, own, any(item.name == "encoding" for item in options)


def _section(command: Any, path: str) -> list[str]:
    """Return the section of a command, of a group that of all its commands."""
    if hasattr(command, "commands"):
        return _group(path, command.commands)
    arguments, own, reads = _parameters(command)
    examples = EXAMPLES.get(command.name, ()) or (_usage(path, arguments),)
    lines = [f"## {path}", "", *_paragraphs(command.help), "", "```sh", *examples, "```", ""]
    return [*lines, *map(_argument, arguments), *map(_option, own), "", *([READS, ""] if reads else [])]


def _paragraphs(text: str | None) -> list[str]:
    parts = (text or "").strip().split("\n\n")
    texts = (ALL_READ.sub("", " ".join(part.split())) for part in parts)
    return "\n\n".join(filter(None, texts)).split("\n")


def _usage(path: str, arguments: list[Any]) -> str:
    return " ".join([path, *map(_name, arguments)])


def _name(argument: Any) -> str:
    name = f"{argument.metavar or argument.name.upper()}{' ...' * (argument.nargs != 1)}"
    return name if argument.required else f"[{name}]"


def _argument(item: Any) -> str:
    """Return the item of an argument."""
    return f"- `{_name(item)}`: {item.help}"


def _option(item: Any) -> str:
    """Return the item of an option: its names, what it takes, what it does, its default."""
    names = ", ".join([*item.opts, *item.secondary_opts])
    usage = names if item.is_flag else f"{names} {item.metavar or _choices(item)}"
    default = "" if item.default in {None, False, ""} or item.required else f" Default: {item.default}."
    return f"- `{usage}`: {item.help or ''}{' Required.' * item.required}{default}".strip()


def _choices(item: Any) -> str:
    """Return the values that an option may take, where its default is one of a fixed set."""
    return "/".join(type(item.default)) if isinstance(item.default, StrEnum) else item.name.upper()


def manual() -> str:
    """Return the manual page in the words of the other page, for `man handan`."""
    name = "handan \\- ranks, ratings and fair handicaps for Go"
    lines = [
        '.TH HANDAN 1 "" "Handan" "User Commands"',
        ".SH NAME",
        name,
        ".SH SYNOPSIS",
        ".B handan",
        "COMMAND [OPTIONS]",
    ]
    for line in page().removeprefix("# The command line\n").splitlines():
        if match := re.fullmatch(r"## (.*)|\*\*(.*)\*\*", line):
            lines.append(f".SH {(match[1] or match[2]).upper()}" if match[1] is None else f".SH {match[1]}")
        elif row := re.fullmatch(r"\| (\d+) \| (.*) \||- `(.*?)`: (.*)|- \[`(.*?)`\].*?: (.*)", line):
            term, text = filter(None, row.groups())
            lines += [".TP", f".B {_roff(term)}", _roff(text)]
        elif line == "```sh":
            lines += [".PP", ".nf"]
        elif line == "```":
            lines.append(".fi")
        elif not line:
            lines.append(".PP")
        elif not line.startswith("|"):
            lines.append(_roff(line))
    return re.sub(r"(\n\.PP)+(?=\n\.(SH|TP|PP))", "", "\n".join(lines)) + "\n"


def _roff(text: str) -> str:
    """Return a line of Markdown as one of roff: without marks, minus signs as they are typed."""
    plain = re.sub(r"\[([^]]*)\]\(#[^)]*\)", r"\1", text).replace("`", "").replace("*", "")
    escaped = plain.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    MANUAL.write_text(manual(), encoding="utf-8")
