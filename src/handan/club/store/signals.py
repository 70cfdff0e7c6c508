"""What the store of the clubs tells others of."""

from django.dispatch import Signal

submission_changed = Signal()
"""Sent with the `number` of a file once the database holds that it was submitted or decided; not for a repetition."""
