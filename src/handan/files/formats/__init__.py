"""One file for each file format; `FORMATS` is the one list."""

from handan.files.formats.aga_report import AGA_REPORT
from handan.files.formats.aga_rounds import AGA_REGISTER, AGA_ROUND
from handan.files.formats.exports import AGAGD_DUMP, EGD_DUMP, OGS_EXPORT, PAIRS_TABLE
from handan.files.formats.h9 import H9
from handan.files.formats.macmahon import MACMAHON
from handan.files.formats.native_csv import TIDY_CSV
from handan.files.formats.opengotha import OPENGOTHA
from handan.files.formats.parquet import PARQUET
from handan.files.formats.player_lists import AGA_LIST, EGD_LIST, FFG_LIST
from handan.files.formats.server_indexes import TOM, TYGEM
from handan.files.formats.sgf import SGF
from handan.files.formats.tou import TOU
from handan.files.formats.wall_list import WALL_LIST

FORMATS = (
    PARQUET,
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
