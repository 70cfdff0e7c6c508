"""The most likely strengths given all results: posteriors, Newton's method on them, and the share of each game."""
