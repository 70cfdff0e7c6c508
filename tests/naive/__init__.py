"""Slow twins of the systems, written straight from their definitions."""
