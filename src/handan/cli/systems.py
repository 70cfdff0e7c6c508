"""`handan systems`: the rating systems and their settings."""

from typing import Any

from handan.cli import options
from handan.cli.output import Form
from handan.cli.rows import show
from handan.cli.tables import Column
from handan.wording.figures import brief

SETTING_NAMES = ("name", "default", "unit", "low", "high", "choices", "text")


def command(name: options.SystemArgument = None, form: options.Format = Form.TABLE) -> None:
    """List the rating systems, or the settings of one."""
    if name is None:
        _list_systems(form)
        return
    from handan.systems import system

    chosen = system(name)
    rows = setting_rows(chosen)
    document = {"system": chosen.name, "title": chosen.title, "settings": rows}
    flat = [row | {"choices": "|".join(row["choices"])} for row in rows]
    show(form, flat, SETTING_NAMES, setting_columns(rows), document=document, head=chosen.title)


def _list_systems(form: Form) -> None:
    from handan.systems import SYSTEMS

    rows = [{"system": name, "title": title} for name, title in SYSTEMS.titles().items()]
    names = ("system", "title")
    show(form, rows, names, [Column(title, [row[title] for row in rows]) for title in names])


def setting_rows(chosen: Any) -> list[dict[str, Any]]:
    """Return what there is to say about each setting of a system or a world."""
    from handan.systems.core.settings import settings_of

    return [
        {"name": key, "default": getattr(chosen, key)} | {part: getattr(bounds, part) for part in SETTING_NAMES[2:]}
        for key, (_, bounds) in settings_of(chosen).items()
    ]


def setting_columns(rows: list[dict[str, Any]]) -> list[Column]:
    """Return the table of settings."""
    return [
        Column("setting", [row["name"] for row in rows]),
        Column("default", [_default(row["default"]) for row in rows]),
        Column("may be", [f"{_range(row)} {row['unit']}".strip() for row in rows]),
        Column("what it is", [row["text"] for row in rows]),
    ]


def _default(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else brief(value)


def _range(row: dict[str, Any]) -> str:
    """Return the values that a setting may take."""
    if row["choices"]:
        return ", ".join(row["choices"])
    if isinstance(row["default"], bool):
        return "true, false"
    low, high = brief(row["low"]), brief(row["high"])
    return f"{low} to {high}" if low and high else f"at least {low}" if low else f"at most {high}" if high else ""
