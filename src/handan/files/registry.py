"""The one list of file formats."""

from handan.files.parquet import PARQUET
from handan.files.tidy_csv import TIDY_CSV

FORMATS = (PARQUET, TIDY_CSV)
"""Asked in this order whether a file is theirs; a table of text, the last, takes what nobody else takes."""
