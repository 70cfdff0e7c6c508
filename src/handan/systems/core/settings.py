"""Constants of a system as fields with a unit, a source and bounds, so that absurd ones are refused by name."""

from __future__ import annotations

import dataclasses
import inspect
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Literal, get_args, get_origin, get_type_hints

from handan.errors import SettingError, closest, shown

LateRanks = Literal["remark", "adjust"]
"""What becomes of a rank first declared after the first rated game."""
Entries = Literal["rank", "rating"]
"""With what players enter: the declared rank, or the declared rating."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """What is known about one setting."""

    text: str
    unit: str
    low: float | None
    high: float | None
    choices: tuple[str, ...]
    kind: type


def setting(
    default: Any,
    text: str,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    kind: type | None = None,
    choices: tuple[str, ...] = (),
) -> Any:
    """Declare a setting: its default, what it is (with its source), its unit, and the values it may take.

    A setting whose default is None needs its `kind`, and may be None. One whose Literal stands in its own class may be
    one of its words; one whose type has a name from elsewhere says its `choices`.
    """
    return field(default=default, metadata={"setting": Bounds(text, unit, low, high, choices, kind or type(default))})


def complete(system: type) -> None:
    """Give the settings that a class declares the words of their Literals, and its docstring a line for each setting.

    Called before the class is made a dataclass.
    """
    declared = {name: bounds for name, bounds, _ in _declared(system) if name in system.__annotations__}
    worded = {name: bounds for name, bounds in declared.items() if bounds.kind is str and not bounds.choices}
    own = SimpleNamespace(__annotations__={name: system.__annotations__[name] for name in worded})
    for name, hint in get_type_hints(own, vars(sys.modules[system.__module__])).items():
        if get_origin(hint) is Literal:
            bounds = dataclasses.replace(worded[name], choices=get_args(hint))
            setattr(system, name, field(default=getattr(system, name).default, metadata={"setting": bounds}))
    lines = [f"    {name}: {described(bounds, default)}" for name, bounds, default in _declared(system)]
    if lines and system.__doc__:
        system.__doc__ = "\n".join([inspect.cleandoc(system.__doc__), "", "Args:", *lines])


def _declared(system: type) -> list[tuple[str, Bounds, Any]]:
    """Return name, bounds and default of all settings of a class that is not yet a dataclass, inherited ones first."""
    fields: dict[str, dataclasses.Field[Any]] = {}
    for base in reversed(system.__mro__):
        fields |= vars(base).get("__dataclass_fields__", {})
    fields |= {name: value for name, value in vars(system).items() if isinstance(value, dataclasses.Field)}
    return [
        (name, each.metadata["setting"], each.default) for name, each in fields.items() if "setting" in each.metadata
    ]


def described(bounds: Bounds, default: object) -> str:
    """Return what a setting is, what it may be, and what it is by default, as in `handan systems NAME`."""
    low, high = ("" if end is None else f"{end:.10g}" for end in (bounds.low, bounds.high))
    if bounds.choices or bounds.kind is bool:
        allowed = " or ".join(bounds.choices or ("true", "false"))
    else:
        allowed = f"{low} to {high}" if low and high else f"at least {low}" if low else ""
    usual = "none" if default is None else f"{default:g}" if isinstance(default, float) else str(default)
    usual = usual.lower() if bounds.kind is bool else usual
    parts = [part for part in (f"{allowed} {bounds.unit}".strip(), f"default {usual}" if usual else "") if part]
    return f"{bounds.text} ({'; '.join(parts)})"


def late_ranks_setting() -> Any:
    """Declare the setting of all systems in which players enter by rank."""
    text = "a rank first declared after a player's first rated game: only a remark, or an adjustment before that game"
    return setting("remark", text, choices=get_args(LateRanks))


def entry_setting(origin: str) -> Any:
    """Declare the setting of systems whose organisation publishes the ratings that files declare."""
    text = f"with what a player enters: the declared rank, or the declared rating of the {origin} where a file has one"
    return setting("rating", text, choices=get_args(Entries))


def start_setting(unit: str, customary: float, *, low: float, high: float) -> Any:
    """Declare the setting of all systems in which players may enter without a rank; `customary` is the last resort."""
    where = f"of the rank that the terms of the first game give, else {customary:g}"
    text = f"rating of a newcomer without a rank; none: {where}"
    return setting(None, text, unit=unit, low=low, high=high, kind=float)


def settings_of(system: Any) -> dict[str, tuple[dataclasses.Field[Any], Bounds]]:
    """Return the settings of a system (class or object) by name."""
    return {f.name: (f, f.metadata["setting"]) for f in dataclasses.fields(system) if "setting" in f.metadata}


def setting_values(system: Any) -> dict[str, Any]:
    """Return the values of a system's settings by name."""
    return {name: getattr(system, name) for name in settings_of(system)}


def checked(system: Any) -> dict[str, Any]:
    """Return the values of the settings as the formulas read them: whole numbers are floats where numbers are meant.

    Raises:
        SettingError: A value is outside its bounds; the text names system, setting, value and what is allowed.
    """
    values: dict[str, Any] = {}
    for name, (declared, bounds) in settings_of(system).items():
        value = values[name] = getattr(system, name)
        kind = bounds.kind
        if value is None and declared.default is None:
            continue
        if kind is float and type(value) is int:
            value = values[name] = float(value)
        elif type(value) is not kind:
            raise SettingError(f"{system.name}: {name}={shown(str(value))} is not {_allowed(kind, bounds)}")
        if bounds.choices and value not in bounds.choices:
            hint = closest(str(value), bounds.choices)
            raise SettingError(
                f"{system.name}: {name}={shown(str(value))} is not one of {', '.join(bounds.choices)}{hint}"
            )
        if kind in {int, float} and not _within(value, bounds):
            raise SettingError(f"{system.name}: {name}={value} is not {_allowed(kind, bounds)}")
    return values


def _within(value: float, bounds: Bounds) -> bool:
    """Return whether a number lies within its bounds; NaN never does, infinity only where no bound is set."""
    low = float("-inf") if bounds.low is None else bounds.low
    high = float("inf") if bounds.high is None else bounds.high
    return low <= value <= high and abs(value) != float("inf")


def _allowed(kind: type, bounds: Bounds) -> str:
    """Describe what a setting may be."""
    what = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}[kind]
    if bounds.low is not None and bounds.high is not None:
        what += f" from {bounds.low:.10g} to {bounds.high:.10g}"
    elif bounds.low is not None:
        what += f" of at least {bounds.low:g}"
    return what + (f" ({bounds.unit})" if bounds.unit else "")


def no_setting(system: type[Any], name: str) -> str:
    """Return the message for a setting that a system class does not have."""
    there = list(settings_of(system))
    hint = closest(name.strip().replace("-", "_"), there) or f"; it has {', '.join(there) or 'no settings'}"
    return f"{system.name} has no setting {shown(name)}{hint}"


TRUTH = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def parse(system: type[Any], texts: Mapping[str, str]) -> dict[str, bool | int | float | str | None]:
    """Turn `key=value` texts into settings of a system class, `none` where that is the default.

    Raises:
        SettingError: Names the fault and the keys that there are.
    """
    fields = settings_of(system)
    values: dict[str, bool | int | float | str | None] = {}
    for key, text in texts.items():
        name = key.strip().replace("-", "_")
        if name not in fields:
            raise SettingError(no_setting(system, key))
        declared, bounds = fields[name]
        if declared.default is None and text.strip().lower() == "none":
            values[name] = None
            continue
        kind = bounds.kind
        try:
            values[name] = TRUTH[text.strip().lower()] if kind is bool else kind(text.strip())
        except (ValueError, KeyError):
            raise SettingError(f"{system.name}: {name}={shown(text)} is not {_allowed(kind, bounds)}") from None
    return values
