"""Requests are worked on one after the other, and none waits long for another."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from handan.club.store.working import Working

if TYPE_CHECKING:
    from django.test import Client

LONG = 60.0  # seconds; longer than any test waits


def started(work: threading.Event | None = None, *, on: Working) -> threading.Event:
    """Let a thread begin its turn, stay until `work` is set, and return what it sets once it has begun."""
    begun = threading.Event()

    def run() -> None:
        with on.turn():
            begun.set()
            if work is not None:
                work.wait(LONG)

    threading.Thread(target=run, daemon=True).start()
    return begun


def test_one_works_and_the_next_begins_when_it_is_done() -> None:
    working, done = Working(LONG), threading.Event()
    assert started(done, on=working).wait(LONG)
    second = started(on=working)
    assert not second.wait(0.05)
    done.set()
    assert second.wait(LONG)


def test_who_waits_for_a_lock_leaves_the_turn_to_the_next() -> None:
    working = Working(LONG)
    with working.turn():
        working.leave()
        assert started(on=working).wait(LONG)
        working.leave()  # once is enough
    assert started(on=working).wait(LONG)


def test_nobody_waits_longer_than_patience_for_a_slow_one() -> None:
    working, never = Working(0.01), threading.Event()
    assert started(never, on=working).wait(LONG)
    assert started(on=working).wait(LONG)
    never.set()


def test_turns_come_in_the_order_of_asking() -> None:
    working, order, threads = Working(LONG), list[int](), list[threading.Thread]()

    def run(number: int) -> None:
        with working.turn():
            order.append(number)

    with working.turn():
        for number in range(5):
            threads.append(threading.Thread(target=run, args=(number,)))
            threads[-1].start()
            while len(working._waiting) <= number:
                threading.Event().wait(0.001)
    for thread in threads:
        thread.join(LONG)
    assert order == list(range(5))


def test_an_error_ends_the_turn() -> None:
    working = Working(LONG)
    with pytest.raises(ValueError, match="broken"), working.turn():
        raise ValueError("broken")
    assert started(on=working).wait(LONG)


@pytest.mark.usefixtures("database")
def test_the_health_check_waits_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    from django.test import Client

    from handan.web.operations import one_by_one

    client: Client = Client()
    working, slow = Working(LONG), threading.Event()
    monkeypatch.setattr(one_by_one, "working", working)
    assert started(slow, on=working).wait(LONG)
    assert client.get("/healthz").status_code == 200
    slow.set()


def test_a_turn_within_a_turn_is_the_same_one() -> None:
    working = Working(LONG)
    with working.turn():
        with working.turn():
            pass
        waits = started(on=working)
        assert not waits.wait(0.05)
    assert waits.wait(LONG)
    assert started(on=working).wait(LONG)


def test_who_is_interrupted_while_waiting_keeps_nobody_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    working, done = Working(LONG), threading.Event()
    assert started(done, on=working).wait(LONG)

    def interrupted(_: float | None = None) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(working._changed, "wait", interrupted)
        with pytest.raises(KeyboardInterrupt), working.turn():
            pass
    done.set()
    assert started(on=working).wait(LONG)


@pytest.mark.parametrize("way", ["the same answer", "an answer to the same question"])
def test_who_waits_for_what_another_works_out_leaves_the_turn(monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    from handan.club.store import answers

    working, kept = Working(LONG), answers.Answers(1000, lambda _: 1)
    monkeypatch.setattr(answers, "working", working)
    making, done, waits = threading.Event(), threading.Event(), threading.Event()

    def slow() -> int:
        making.set()
        done.wait(LONG)
        return 1

    def in_turn() -> None:
        with kept.turn("question"):
            slow()

    def wait() -> None:
        with working.turn():
            waits.set()
            if way == "the same answer":
                kept.get("key", slow)
            else:
                in_turn()

    first = threading.Thread(
        target=(lambda: kept.get("key", slow)) if way == "the same answer" else in_turn, daemon=True
    )
    second = threading.Thread(target=wait, daemon=True)
    first.start()
    assert making.wait(LONG)
    second.start()
    assert waits.wait(LONG)
    begun = started(on=working).wait(5.0)
    done.set()
    first.join(LONG)
    second.join(LONG)
    assert begun
