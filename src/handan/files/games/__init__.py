"""The games of a file, whatever its format: columns, result tables, dates, and what a reader returns."""
