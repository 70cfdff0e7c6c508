"""A whole history that is kept solved while games are added to it."""
