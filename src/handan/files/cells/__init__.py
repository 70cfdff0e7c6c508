"""What one cell says, in any format: results, dates, numbers with their units, names with ranks, and nobody."""
