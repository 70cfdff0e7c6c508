"""Filters and tags of the templates; all templates have them, see `TEMPLATES` in the settings."""
