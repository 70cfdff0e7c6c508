"""One function, two forms: plain Python, which starts at once, and machine code, which pays on large work.

Only this file knows the compiler. A kernel called is the plain function; its `compiled` form is built on first use from
the same code object, with the kernels that it calls replaced by their compiled forms, and kept on disk (`cache.py`)
under a digest of all that it computes with (`digests.py`).
"""

from __future__ import annotations

import os
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, cached_property, update_wrapper
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar, cast

from handan.kernels.cache import LONGEST, Files, Forgiving, file_name, is_kept, warn
from handan.kernels.digests import digest

P = ParamSpec("P")
R = TypeVar("R")

FORM: dict[str, Any] = {"error_model": "numpy", "no_cfunc_wrapper": True}
"""How all kernels are compiled: none is called from C, and what would let it takes an eighth of the compiler's work."""
INNER = FORM | {"no_cpython_wrapper": True}
"""How kernels are compiled that only other kernels call."""
WORTH_LOADING = 200_000
"""Steps of a loop, over the life of a process, from which machine code is used that an earlier process left behind.
our choice: plain Python takes some microseconds a step, and the compiler half a second to be loaded."""
WORTH_COMPILING = 250
"""The same for machine code that has to be made, for each instruction of the loop and of the kernels that it calls.
our choice: the compiler takes some two milliseconds an instruction."""

_times: ContextVar[int | None] = ContextVar("times", default=None)


@contextmanager
def repeated(times: int) -> Iterator[None]:
    """Let kernels choose their form as for work that is done about so many times, whatever was asked of them before."""
    token = _times.set(max(times, 1))
    try:
        yield
    finally:
        _times.reset(token)


class Kernel(Generic[P, R]):
    """A function over numbers and arrays in its plain and its compiled form."""

    form: dict[str, Any] = FORM

    def __init__(self, plain: Callable[P, R]) -> None:
        self.plain = plain
        self._steps_so_far = 0
        update_wrapper(self, plain)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the plain form."""
        return self.plain(*args, **kwargs)

    @cached_property
    def linked(self) -> Callable[P, R]:
        """The plain function, from which the plain forms of the kernels that it calls are called without a detour."""
        called = {name: each.linked for name, each in self._called.items()}
        return _rebuilt(self.plain, called) if called else self.plain

    @property
    def _called(self) -> dict[str, Kernel[Any, Any]]:
        """The kernels that this one calls, by name."""
        plain: Any = self.plain
        names = plain.__globals__
        return {name: names[name] for name in plain.__code__.co_names if isinstance(names.get(name), Kernel)}

    @cached_property
    def digest(self) -> str:
        """What this function computes with, in short: its code, constants and kernels."""
        return digest(cast("types.FunctionType", self.plain))

    @cached_property
    def compiled(self) -> Callable[P, R]:
        """The same function as machine code; the first use compiles it or loads it from the cache."""
        return self._machine_code(self.form)

    @cached_property
    def inner(self) -> Callable[P, R]:
        """The machine code that other kernels call, and that Python cannot."""
        return self._machine_code(INNER)

    def _machine_code(self, form: dict[str, Any]) -> Callable[P, R]:
        import numba

        name = self._own_name
        twin = _rebuilt(self.plain, {name: each.inner for name, each in self._called.items()}, name)
        compiled: Any = numba.njit(**form)(twin)
        compiled.get_call_template = _of_numbers(compiled.get_call_template)
        _keep(compiled, twin, form)
        return cast("Callable[P, R]", compiled)

    def using(self, name: str, **kernels: Kernel[Any, Any]) -> Kernel[P, R]:
        """Return the same loop under another name, with some of the kernels that it calls replaced."""
        return Kernel(_rebuilt(self.plain, dict(kernels), name))

    def for_work(self, steps: int) -> Callable[P, R]:
        """Return the form that ends sooner for all steps so far and `steps` more, or as often as `repeated` says.

        Machine code that is loaded already is used for any number of steps.
        The environment variable HANDAN_KERNELS (`plain`, `compiled`) overrides the choice, for tests and measurements.
        """
        forced = _forced()
        times = _times.get()
        if times is None:
            self._steps_so_far += steps
        in_all = self._steps_so_far if times is None else steps * times
        loaded = forced == "compiled" or "compiled" in vars(self)
        if forced == "plain" or not (loaded or (self._pays(in_all) and _compiler_for_large_work())):
            return self.linked
        return self.compiled

    def _pays(self, steps: int) -> bool:
        """Return whether machine code takes less time than so many steps in plain Python."""
        worth_compiling = max(WORTH_LOADING, WORTH_COMPILING * self.instructions)
        return steps >= worth_compiling or (steps >= WORTH_LOADING and self._is_kept and _has_compiler())

    @cached_property
    def instructions(self) -> int:
        """How many instructions of Python the function has, with those of the kernels that it calls."""
        return sum(len(each.plain.__code__.co_code) // 2 for each in self.with_called)

    @cached_property
    def with_called(self) -> set[Kernel[Any, Any]]:
        """The kernel, those that it calls, and those that these call."""
        return {self}.union(*(each.with_called for each in self._called.values()))

    @cached_property
    def _is_kept(self) -> bool:
        """Whether an earlier process left machine code of this loop behind."""
        source = Path(cast("types.FunctionType", self.plain).__code__.co_filename)
        beginning = file_name(source.stem, self._own_name, "").rpartition(".")[0]
        return is_kept(source.parent, beginning)

    @property
    def _own_name(self) -> str:
        return f"{self.plain.__qualname__[-LONGEST:]}_{self.digest}"

    def compiled_if(self, *, worth_it: bool) -> Callable[P, R] | None:
        """Return the compiled form of a loop that another library does well enough, too; None where that is better.

        HANDAN_KERNELS=compiled does not ask for it: the answers are those of the other library.
        """
        return self.compiled if worth_it and _forced() != "plain" and _has_compiler() else None


class PlainWarning(UserWarning):
    """Large work is done without the compiler, which is not installed; ratings do not depend on it."""


@cache
def _has_compiler() -> bool:
    try:
        import numba  # noqa: F401
    except ImportError:
        return False
    return True


@cache
def _compiler_for_large_work() -> bool:
    """Return whether there is a compiler; a warning, once in a process, if there is none."""
    if not _has_compiler():
        text = (
            "this is much work for plain Python: with numba, which pip install 'handan[fast]' brings, it takes a small "
            "part of the time, and the answer is the same"
        )
        warnings.warn(text, PlainWarning, stacklevel=2)
    return _has_compiler()


def _forced() -> str:
    """Return the one form that the environment allows, empty for both."""
    return os.environ.get("HANDAN_KERNELS", "")


def _of_numbers(template: Callable[..., Any]) -> Callable[..., Any]:
    """Let a kernel called with a constant use the machine code for all numbers of its type, not one for that alone."""
    from numba.core import types as numbers

    unliteral: Callable[[Any], Any] = numbers.unliteral

    def of_numbers(args: Any, kws: dict[str, Any]) -> Any:
        return template(tuple(map(unliteral, args)), {name: unliteral(each) for name, each in kws.items()})

    return of_numbers


def _keep(compiled: Any, twin: Callable[..., Any], form: dict[str, Any]) -> None:
    """Let compiled code be loaded from disk and kept there, if there is a place for it."""
    import numba
    from numba.core.caching import FunctionCache
    from numba.core.runtime.nrt import rtsys
    from numba.core.serialize import dumps

    source = Path(twin.__code__.co_filename)
    folder = os.environ.get("NUMBA_CACHE_DIR") or source.parent / "__pycache__"
    try:
        cache = FunctionCache(twin)  # type: ignore[no-untyped-call]
        versions = f"{form} {numba.__version__} {sys.implementation.cache_tag} {sys.version_info[:2]}"
        name = file_name(source.stem, twin.__qualname__, versions)
        files = Files(cache.cache_path, name, dumps)
        compiled._cache = Forgiving(cache, files, rtsys.initialize)  # noqa: SLF001  # as its cache=True does
    except RuntimeError:
        warn(folder, "it cannot be written, and the home folder neither")
    except Exception as error:  # noqa: BLE001  # without a place every process compiles the code
        warn(folder, error)


def _rebuilt(function: Callable[P, R], replaced: dict[str, Any], name: str = "") -> Callable[P, R]:
    """Return the function of the same code in which some global names mean something else."""
    plain: Any = function
    twin = types.FunctionType(
        plain.__code__, {**plain.__globals__, **replaced}, plain.__name__, plain.__defaults__, plain.__closure__
    )
    twin.__module__ = plain.__module__
    twin.__doc__ = plain.__doc__
    twin.__qualname__ = name or plain.__qualname__  # the compiler's cache tells functions apart by this name
    return twin


def kernel(function: Callable[P, R]) -> Kernel[P, R]:
    """Make a kernel of a function that uses only numbers, arrays and other kernels."""
    return Kernel(function)
