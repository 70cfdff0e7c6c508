"""A digest of everything that a kernel computes with, by which its machine code is found again.

It covers the code, the constants that the code reads, and the kernels that it calls, theirs too. Comments, docstrings
and line numbers play no part.
"""

from __future__ import annotations

import hashlib
import types
from typing import Any

import numpy as np

LENGTH = 24  # hexadecimal digits; our choice: 96 bits, and names of files stay short
# Python 3.14 keeps a slice such as [:] among the constants
SIMPLE = (bool, int, float, complex, str, bytes, slice, type(None), type(...), np.generic)


def digest(function: types.FunctionType) -> str:
    """Return the digest of a function: equal for two functions that compute the same from the same values.

    Raises:
        TypeError: The function reads a global value that is no number, text, tuple, array, function, class or module.
    """
    return _short(_function(function))


def _function(function: types.FunctionType) -> str:
    """Return the text that stands for a function with its defaults and whatever it reads from outside."""
    code = function.__code__
    names = sorted(_names(code))
    outside = {name: function.__globals__[name] for name in names if name in function.__globals__}
    closed = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
    parts = [
        _code(code, docstring=function.__doc__),
        _value(function.__defaults__, ()),
        _value(tuple(sorted((function.__kwdefaults__ or {}).items())), ()),
        *(f"{name}={_value(value, names)}" for name, value in outside.items()),
        *(f"{name}={_value(cell.cell_contents, names)}" for name, cell in closed.items()),
    ]
    return "function(" + ";".join(parts) + ")"


def _names(code: types.CodeType) -> set[str]:
    """Return the names of globals and attributes in a code object and in those within it."""
    inner = [_names(item) for item in code.co_consts if isinstance(item, types.CodeType)]
    return set(code.co_names).union(*inner)


def _code(code: types.CodeType, docstring: str | None = None) -> str:
    """Return the text that stands for a code object, without its places in a file."""
    constants = code.co_consts[1:] if docstring is not None and code.co_consts[:1] == (docstring,) else code.co_consts
    numbered = "" if len(constants) == len(code.co_consts) else "documented"
    parts = [
        code.co_code.hex(),
        numbered,  # the places of constants in the code start at 1 then
        code.co_exceptiontable.hex(),
        repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)),
        repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)),
        *(_value(constant, ()) for constant in constants),
    ]
    return "code(" + ",".join(parts) + ")"


def _value(value: Any, names: list[str] | tuple[()]) -> str:
    """Return the text that stands for a value; of a module those attributes count that bear one of the names."""
    if isinstance(value, SIMPLE):
        return f"{type(value).__name__}({value!r})"
    if isinstance(value, tuple):
        return f"{type(value).__qualname__}(" + ",".join(_value(item, names) for item in value) + ")"
    if isinstance(value, frozenset):
        return "frozenset(" + ",".join(sorted(_value(item, names) for item in value)) + ")"
    if isinstance(value, np.ndarray):
        return f"array({value.dtype.str},{value.shape},{hashlib.sha256(value.tobytes()).hexdigest()})"
    if isinstance(value, types.CodeType):
        return _code(value)
    if isinstance(
        own := getattr(value, "digest", None), str
    ):  # a kernel, which compiling.py defines on top of this file
        return own
    if isinstance(value, types.FunctionType):
        return _short(_function(value))
    if isinstance(value, types.ModuleType):
        return _module(value, names)
    if isinstance(value, (type, types.BuiltinFunctionType, np.ufunc)) or hasattr(value, "__qualname__"):
        fields = getattr(value, "_fields", ())
        return f"{getattr(value, '__module__', '')}.{getattr(value, '__qualname__', value.__name__)}{fields}"
    raise TypeError(f"a kernel reads {value!r}, which is no number, text, tuple, array, function, class or module")


def _module(module: types.ModuleType, names: list[str] | tuple[()]) -> str:
    """Return a module's name with the constants of it that are read; its functions count by name."""
    read = {name: getattr(module, name) for name in names if hasattr(module, name)}
    constants = {name: value for name, value in read.items() if isinstance(value, (*SIMPLE, tuple, np.ndarray))}
    return f"module {module.__name__}" + "".join(f",{name}={_value(item, ())}" for name, item in constants.items())


def _short(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:LENGTH]
