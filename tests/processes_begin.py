"""What a process of `tests.processes` has read when it begins: all that is read before the settings of a server are."""

# ruff: noqa: F401  # read for the copies
import django.contrib.auth.hashers
import django.core.management
import django.db.backends.sqlite3.base
import django.db.migrations.executor
import django.db.models
import django.forms
import pydantic.types
import typer.main

import handan.cli
import handan.club.changes
import handan.club.lists
import handan.club.standings
