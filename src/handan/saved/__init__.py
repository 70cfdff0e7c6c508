"""Ratings kept on disk with what it takes to go on from them: saved, opened, and added to."""

from handan.saved.adding import Added, add
from handan.saved.opening import Saved, open  # noqa: A004  # as a file is opened
from handan.saved.saved_list import Moved
from handan.saved.saving import rate_and_save, save

__all__ = ["Added", "Moved", "Saved", "add", "open", "rate_and_save", "save"]
