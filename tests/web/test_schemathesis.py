"""Schemathesis over the whole interface: no call may break, or answer otherwise than its document says."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from tests.conftest import examples

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.extended

NUMBERS = count(1)
_served: dict[str, Any] = {}


@pytest.fixture
def interface(database: str, make_club: Callable[..., Any]) -> Any:
    """The interface over a club with players and games, asked with an administrator's token."""
    if "schema" not in _served:
        from handan.club import changes, lists
        from handan.club.store.clock import today
        from handan.club.store.members import new_account, new_token, set_member
        from handan.club.store.models import Role, Scope
        from handan.club.store.writing import write
        from handan.web.wsgi import application

        club = make_club()
        for name in ("Ada", "Bo"):
            write(club, lambda s, n=name: changes.players.register_player(s, {"name": n}), author="x")  # type: ignore[misc]
        write(
            club,
            lambda s: changes.games.record_game(s, {"black": "p2", "white": "p3", "result": "B+"}, today()),
            author="x",
        )
        write(club, lambda s: lists.publish(s, today()), author="x")
        user = new_account(f"fuzz-{next(NUMBERS)}", "a long enough phrase")
        set_member(club, user, Role.ADMINISTRATOR, author="x")
        _served["token"] = new_token(user, "fuzz", Scope.ADMINISTER)
        _served["schema"] = schemathesis.openapi.from_wsgi("/api/openapi.json", application)
        _served["slug"] = club.slug
    return _served["schema"]


@pytest.mark.parametrize("mode", list(GenerationMode), ids=str)
def test_no_call_breaks_or_answers_otherwise_than_its_document_says(interface: Any, mode: GenerationMode) -> None:
    """All checks on all operations, none left out; every fault of a run is told, not the first one only."""
    faults: dict[str, str] = {}
    for described in interface.get_all_operations():
        operation = described.ok()

        @settings(max_examples=examples(3), suppress_health_check=list(HealthCheck), deadline=None)
        @given(case=operation.as_strategy(generation_mode=mode))
        def hold(case: Any) -> None:
            if isinstance(case.path_parameters.get("slug"), str) and mode is GenerationMode.POSITIVE:
                case.path_parameters["slug"] = _served["slug"]
            case.call_and_validate(headers={"Authorization": f"Bearer {_served['token']}"})

        try:
            hold()
        except Unsatisfiable:  # a call without parameters has none that are wrong
            assert mode is GenerationMode.NEGATIVE
        except BaseExceptionGroup as group:
            faults[operation.label] = "\n".join(str(error) for error in group.exceptions)
        except AssertionError as error:
            faults[operation.label] = str(error) + str(getattr(error, "__notes__", ""))
    assert not faults, "\n\n".join(f"{label}: {text}" for label, text in faults.items())
