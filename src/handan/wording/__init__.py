"""Figures and arithmetic as people read them; light, so that a small command starts at once."""
