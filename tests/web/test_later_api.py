"""What a process loads when somebody asks for it: pages, the programming interface, and file formats."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.extended

PROGRAM = """
import sys
from handan.cli.django import start
start(sys.argv[1])
from django.conf import settings
settings.ALLOWED_HOSTS = ["*"]
from django.test import Client
from django.urls import NoReverseMatch, resolve, reverse
names = [resolve("/").url_name, reverse("home")]
before = [name in sys.modules for name in ("ninja", "handan.files.formats", "handan.web.pages.rules")]
resolve("/club/rules/").func.role
before.append("handan.web.pages.rules" in sys.modules)
document = Client().get("/api/openapi.json")
print(*names, *before, document.status_code, document.resolver_match.route, reverse("api:api-root"))
print(*document.json()["paths"]["/api/clubs"])
try:
    reverse("api-root")
except NoReverseMatch:
    print("in a name space of its own")
"""


def test_a_process_loads_pages_programming_interface_and_file_formats_when_they_are_asked_for(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, tmp_path / "club.db"], capture_output=True, check=True, text=True
    )
    assert run.stdout.splitlines() == [
        "home / False False False True 200 api/openapi.json /api/",
        "get",
        "in a name space of its own",
    ]
