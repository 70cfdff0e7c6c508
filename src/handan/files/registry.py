"""The one list of file formats."""

from handan.files.aga_report import AGA_REPORT
from handan.files.aga_rounds import AGA_REGISTER, AGA_ROUND
from handan.files.exports import AGAGD_DUMP, EGD_DUMP, OGS_EXPORT, PAIRS_TABLE
from handan.files.h9 import H9
from handan.files.indexes import TOM, TYGEM
from handan.files.macmahon import MACMAHON
from handan.files.opengotha import OPENGOTHA
from handan.files.parquet import PARQUET
from handan.files.player_lists import AGA_LIST, EGD_LIST, FFG_LIST
from handan.files.sgf import SGF
from handan.files.tables.json_rows import JSON_ROWS
from handan.files.tables.workbooks import WORKBOOK
from handan.files.tidy_csv import TIDY_CSV
from handan.files.tou import TOU
from handan.files.wall_list import WALL_LIST

FORMATS = (
    PARQUET,
    WORKBOOK,
    JSON_ROWS,
    MACMAHON,
    OPENGOTHA,
    SGF,
    AGA_REPORT,
    AGA_ROUND,
    AGA_REGISTER,
    TOU,
    FFG_LIST,
    EGD_LIST,
    AGA_LIST,
    TYGEM,
    TOM,
    EGD_DUMP,
    AGAGD_DUMP,
    OGS_EXPORT,
    PAIRS_TABLE,
    WALL_LIST,
    H9,
    TIDY_CSV,
)
"""Asked in this order whether a file is theirs; a table of text, the last, takes what nobody else takes."""
