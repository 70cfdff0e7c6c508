"""The document of the programming interface is a promise to programs; a regression guard, not a proof that it is right.

Where it is meant to change, `python -m tests.web.test_openapi` stores it anew, and `docs/api.md` says what changed.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, get_args

STORED = Path(__file__).parent.parent / "samples" / "openapi.json"


def document() -> dict[str, Any]:
    """Return the document; the list of systems grows by itself, also by those of other packages."""
    from handan.web.api.bodies import SystemName
    from handan.web.api.calls import api
    from handan.web.api.urls import CALLS

    assert len(CALLS) == 4

    text = json.dumps(api.get_openapi_schema(), ensure_ascii=False)
    data: dict[str, Any] = json.loads(text.replace(json.dumps(get_args(SystemName)), '["every system"]'))
    for schema in data["components"]["schemas"].values():
        schema.get("required", []).sort()  # their order says nothing
    return data


def test_calls_and_answers_are_as_programs_know_them(database: str) -> None:
    stored, now = json.loads(STORED.read_text(encoding="utf-8")), document()
    assert now["paths"].keys() == stored["paths"].keys()
    for path, calls in stored["paths"].items():
        assert now["paths"][path] == calls, path
    for name, schema in stored["components"]["schemas"].items():
        assert now["components"]["schemas"].get(name) == schema, name
    assert now == stored


def test_the_document_is_made_once_in_a_process(database: str) -> None:
    from django.test import Client

    from handan.web.api.calls import api

    made = api.get_openapi_schema()
    assert Client().get("/api/openapi.json").json() == json.loads(json.dumps(made))
    assert api.get_openapi_schema() is made


if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "handan.web.settings")
    django.setup()
    STORED.write_text(json.dumps(document(), indent=1, sort_keys=True, ensure_ascii=False) + "\n", encoding="utf-8")
