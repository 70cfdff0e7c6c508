"""Bytes, text and cells of files within limits; nothing here knows what a game is."""
