"""Journeys through a club server by HTTP, whose answers are compared with those of another version."""
