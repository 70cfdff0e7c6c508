"""Loops that take games in order and move ratings by each game or event."""
