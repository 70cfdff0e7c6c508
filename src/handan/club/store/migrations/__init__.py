"""Changes of the stored tables over time."""
