"""The pages are tested on the same databases as the stored ledger."""

from tests.database import *  # noqa: F403  # fixtures
