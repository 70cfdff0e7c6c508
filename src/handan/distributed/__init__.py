"""The most likely strengths of a ledger on disk by workers, of whom each holds the games of its own players."""

from handan.distributed.rating import Answer, rate

__all__ = ["Answer", "rate"]
