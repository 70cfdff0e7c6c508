"""Which form of a loop runs: plain Python for little work, machine code for much, at once or in all."""

from __future__ import annotations

import pytest

from handan.kernels.compiling import WORTH_COMPILING, WORTH_IN_ALL, Kernel


def doubled(number: int) -> int:
    return 2 * number


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Kernel[[int], int]:
    monkeypatch.delenv("HANDAN_KERNELS", raising=False)
    return Kernel(doubled)


def test_little_work_is_done_in_plain_python_and_much_by_machine_code(loop: Kernel[[int], int]) -> None:
    assert loop.for_work(WORTH_COMPILING - 1) is doubled
    assert loop.for_work(WORTH_COMPILING) is loop.compiled
    assert loop.compiled(21) == 42


def test_a_process_that_asks_for_little_work_again_and_again_gets_machine_code(loop: Kernel[[int], int]) -> None:
    each = WORTH_COMPILING // 2
    forms = [loop.for_work(each) for _ in range(WORTH_IN_ALL // each + 2)]
    assert forms[0] is doubled
    assert forms[-1] is loop.compiled
    assert forms.index(loop.compiled) == WORTH_IN_ALL // each - 1


@pytest.mark.parametrize("form", ["plain", "compiled"])
def test_the_choice_can_be_forced(loop: Kernel[[int], int], form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDAN_KERNELS", form)
    chosen = doubled if form == "plain" else loop.compiled
    assert {loop.for_work(steps) for steps in (1, 10 * WORTH_COMPILING, 10 * WORTH_IN_ALL)} == {chosen}
