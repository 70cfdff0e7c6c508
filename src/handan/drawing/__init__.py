"""Drawings of ratings as SVG, made by plain arithmetic: no library, no script, colours by classes."""

from handan.drawing.bands import Band, next_rank_at, rank_bands
from handan.drawing.history import Course, Point, Size, Words, drawn

__all__ = ["Band", "Course", "Point", "Size", "Words", "drawn", "next_rank_at", "rank_bands"]
