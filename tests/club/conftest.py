"""A database for each process of the tests; every test makes a club of its own, since entries are never deleted."""

from tests.database import *  # noqa: F403  # fixtures
