"""Which form of a loop runs: plain Python for little work, machine code for much, at once or in all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from handan.kernels import compiling
from handan.kernels.compiling import WORTH_LOADING, Kernel, kernel, repeated
from handan.kernels.posterior.graph import graph_of_players
from handan.kernels.posterior.likelihood import Posterior, Prior


def doubled(number: int) -> int:
    return 2 * number


@pytest.fixture
def counted_alone() -> None:
    """Here all calls of a loop count together, as in any process."""


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Kernel[[int], int]:
    monkeypatch.delenv("HANDAN_KERNELS", raising=False)
    monkeypatch.setattr(compiling, "is_kept", lambda *_: False)
    return Kernel(doubled)


def test_little_work_is_done_in_plain_python_and_much_by_machine_code(loop: Kernel[[int], int]) -> None:
    assert loop.for_work(WORTH_LOADING - 1) is doubled
    assert loop.for_work(WORTH_LOADING) is loop.compiled
    assert loop.compiled(21) == 42


def test_a_loop_that_takes_the_compiler_long_must_have_more_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HANDAN_KERNELS", raising=False)
    monkeypatch.setattr(compiling, "is_kept", lambda *_: False)
    monkeypatch.setattr(compiling, "WORTH_COMPILING", WORTH_LOADING)
    enough = WORTH_LOADING * (tripled.instructions + len(tripled_and_one.plain.__code__.co_code) // 2)
    with repeated(1):
        assert tripled_and_one.for_work(enough - 1) is tripled_and_one.linked
        assert tripled_and_one.for_work(enough) is tripled_and_one.compiled


def test_a_process_that_asks_for_little_work_again_and_again_gets_machine_code(loop: Kernel[[int], int]) -> None:
    each = WORTH_LOADING // 8
    forms = [loop.for_work(each) for _ in range(9)]
    assert [form is loop.compiled for form in forms] == [False] * 7 + [True] * 2


def test_work_that_says_how_often_it_is_done_counts_neither_more_nor_less(loop: Kernel[[int], int]) -> None:
    each = WORTH_LOADING // 8
    with repeated(1):
        assert {loop.for_work(each) for _ in range(20)} == {doubled}
    assert loop.for_work(each) is doubled
    with repeated(8):
        assert loop.for_work(each) is loop.compiled


def test_machine_code_that_an_earlier_process_left_behind_is_used_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HANDAN_KERNELS", raising=False)
    Kernel(doubled).compiled(21)  # which keeps it
    next_process = Kernel(doubled)
    assert next_process.for_work(WORTH_LOADING - 1) is doubled
    assert next_process.for_work(1) is next_process.compiled


@pytest.mark.parametrize("form", ["plain", "compiled"])
def test_the_choice_can_be_forced(loop: Kernel[[int], int], form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", form)
    chosen = doubled if form == "plain" else loop.compiled
    assert {loop.for_work(steps) for steps in (1, 10 * WORTH_LOADING)} == {chosen}


@kernel
def tripled(number: int) -> int:
    """Return three times a number."""
    return 3 * number


@kernel
def tripled_and_one(number: int) -> int:
    """Call another kernel."""
    return tripled(number) + 1


def test_plain_kernels_call_one_another_without_a_detour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", "plain")
    assert tripled_and_one.for_work(1) is tripled_and_one.linked
    assert tripled_and_one.linked(2) == tripled_and_one(2) == 7
    assert tripled_and_one.linked.__globals__["tripled"] is tripled.plain


def entrances(compiled: Any) -> list[bool]:
    """Return whether Python, and whether C, has an entrance to the code of a kernel of one whole number."""
    compiled.compile("(int64,)")  # or loads it, where an earlier run compiled it
    (code,) = compiled.overloads.values()
    names = (code.fndesc.llvm_cpython_wrapper_name, code.fndesc.llvm_cfunc_wrapper_name)
    return [code.library.get_pointer_to_function(name) != 0 for name in names]


def test_the_compiler_makes_an_entrance_from_python_only_where_python_calls() -> None:
    assert tripled_and_one.compiled(7) == 22
    assert entrances(tripled_and_one.compiled) == [True, False]
    assert entrances(tripled.inner) == [False, False]
    assert tripled.compiled(7) == 21
    assert entrances(tripled.compiled) == [True, False]


@kernel
def quadrupled(number: int) -> int:
    """Return four times a number."""
    return 4 * number


@kernel
def quadrupled_often(number: int) -> int:
    """Quadruple a constant first, then what comes of it."""
    total = 0
    for _ in range(number):
        total = quadrupled(total) + 1
    return total


def test_a_kernel_that_is_handed_a_constant_is_compiled_once_for_all_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_keep", lambda *_: None)
    assert quadrupled_often.compiled(3) == quadrupled_often(3) == 21
    machine_code: Any = quadrupled.inner
    assert len(machine_code.signatures) == 1


def test_the_solver_is_handed_scores_of_one_type_wherever_they_come_from() -> None:
    one = np.ones(1)
    of_a_ledger = one.copy()
    of_a_ledger.flags.writeable = False
    graph = graph_of_players(np.array([0]), np.array([1]), 2)
    prior = Prior.of(np.arange(2), np.ones(2))
    for score in (one, of_a_ledger):  # to the compiler an array that cannot be written to is of a type of its own
        assert Posterior.of_games(graph, score, one, one, prior).score.flags.writeable
