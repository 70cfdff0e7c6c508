"""The type of facts where released migrations look for it."""

from handan.club.store.fields import FactsField

__all__ = ["FactsField"]
