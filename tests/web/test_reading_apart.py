"""A file of somebody else is read in a process of its own, whose end hurts nobody else."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time

import pytest

from handan.errors import FieldError, InputError
from handan.web.operations import uploads
from handan.web.operations.uploads import ReadingFaultError, apart


def doubled(text: str) -> str:
    return 2 * text


def large(size: int) -> int:
    return len(bytearray(size))


def long() -> None:
    while True:
        pass


def refusing() -> None:
    raise FieldError("file", "x", "a file of games")


def faulty() -> None:
    raise ZeroDivisionError("of ours")


def test_what_a_reader_makes_or_refuses_comes_back_and_a_fault_of_ours_says_where_it_is() -> None:
    assert apart(doubled, "a") == "aa"
    with pytest.raises(FieldError, match="file 'x' is not a file of games"):
        apart(refusing)
    with pytest.raises(ReadingFaultError, match="in faulty"):
        apart(faulty)
    assert not multiprocessing.active_children()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have fewer limits")
def test_a_reader_that_takes_too_much_is_ended_and_the_refusal_says_what_it_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(uploads, "PROCESSOR", 1)
    with pytest.raises(InputError, match="seconds to read"):
        apart(long)
    assert apart(large, 10_000_000) == 10_000_000
    for ends in ((large, 1_000_000_000), (os.abort,)):  # Python says so, a library aborts
        with pytest.raises(InputError, match="MB of memory to read"):
            apart(*ends)
    with pytest.raises(InputError, match="broke off"):
        apart(os._exit, 3)
    monkeypatch.setattr(uploads, "WALL", 0.2)
    with pytest.raises(InputError, match="seconds to read"):
        apart(time.sleep, 60)
    monkeypatch.undo()
    monkeypatch.setattr(uploads, "ANSWER", 1_000)
    with pytest.raises(InputError, match="MB of memory to read"):
        apart(doubled, "x" * 1_000)
    assert not multiprocessing.active_children()
