"""One file for each file format; `FORMATS` is the one list of the house, `formats` adds those of other packages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ParamSpec, TypeVar

from handan.errors import HandanError, InputError
from handan.files.formats.aga_report import AGA_REPORT
from handan.files.formats.aga_rounds import AGA_REGISTER, AGA_ROUND
from handan.files.formats.club_ledger import CLUB_LEDGER
from handan.files.formats.exports import AGAGD_DUMP, EGD_DUMP, OGS_EXPORT, PAIRS_TABLE
from handan.files.formats.gib import GIB
from handan.files.formats.h9 import H9
from handan.files.formats.json_rows import JSON_ROWS
from handan.files.formats.macmahon import MACMAHON
from handan.files.formats.native_csv import TIDY_CSV
from handan.files.formats.ngf import NGF
from handan.files.formats.ogs_games import OGS_GAMES
from handan.files.formats.opengotha import OPENGOTHA
from handan.files.formats.pairgoth import PAIRGOTH
from handan.files.formats.parquet import PARQUET
from handan.files.formats.pgn import PGN
from handan.files.formats.player_lists import AGA_LIST, EGD_LIST, FFG_LIST
from handan.files.formats.printed_table import PRINTED_TABLE
from handan.files.formats.saved_ratings import SAVED_RATINGS
from handan.files.formats.server_indexes import TOM, TYGEM
from handan.files.formats.sgf import SGF
from handan.files.formats.tou import TOU
from handan.files.formats.trf import TRF
from handan.files.formats.wall_list import WALL_LIST
from handan.files.formats.web_page import WEB_PAGE_TABLES
from handan.files.formats.workbook import WORKBOOK
from handan.files.games.format import Format
from handan.files.games.parsed import Contents
from handan.files.io.options import Options
from handan.plugins import GROUPS, Extensions, fault_of_name, reason, warn

P = ParamSpec("P")
R = TypeVar("R")

FORMATS = (
    SAVED_RATINGS,
    PARQUET,
    WORKBOOK,
    PAIRGOTH,
    OGS_GAMES,
    CLUB_LEDGER,
    JSON_ROWS,
    MACMAHON,
    OPENGOTHA,
    SGF,
    GIB,
    NGF,
    TRF,
    PGN,
    AGA_REPORT,
    AGA_ROUND,
    AGA_REGISTER,
    TOU,
    FFG_LIST,
    EGD_LIST,
    AGA_LIST,
    WEB_PAGE_TABLES,
    TYGEM,
    TOM,
    EGD_DUMP,
    AGAGD_DUMP,
    OGS_EXPORT,
    PAIRS_TABLE,
    WALL_LIST,
    PRINTED_TABLE,
    H9,
    TIDY_CSV,
)
"""Asked in this order whether a file is theirs; a table of text, the last, takes what nobody else takes."""


def fault_of_format(item: object) -> str:
    """Return why an object of another package cannot be a file format, "" where it can."""
    if not isinstance(item, Format):
        return "it is no Format of handan.files.games.format"
    taken = {ending for own in FORMATS for ending in own.endings} & set(item.endings)
    if taken:
        return f"its ending {min(taken)} is one of the house's own"
    words = item.name.replace(" ", "-")
    return fault_of_name(words, [own.name for own in FORMATS])


EXTENSIONS: Extensions[Format] = Extensions(GROUPS["formats"], fault_of_format)
"""What other packages bring."""


def formats() -> tuple[Format, ...]:
    """Return all formats in the order in which they are tried: those of other packages first, as more particular."""
    return (*(_guarded(form) for form in EXTENSIONS.usable()), *FORMATS)


def _guarded(form: Format) -> Format:
    """Return a format whose errors, whatever they are, are those of the file that it reads or writes."""

    def guard(function: Callable[P, R], named: int | None = None) -> Callable[P, R]:
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return function(*args, **kwargs)
            except HandanError:
                raise
            except Exception as error:
                file = "" if named is None else f"{args[named]}: "
                raise InputError(f"{file}the format {form.name} failed: {reason(error)}") from error

        return call

    def sniff(head: bytes) -> bool:
        try:
            return bool(form.sniff(head))
        except Exception as error:  # noqa: BLE001  # foreign code may raise anything
            warn(f"the format {form.name} cannot look at files: {reason(error)}")
            return False

    def read(data: bytes, source: str, options: Options) -> Contents:
        contents: object = form.read(data, source, options)
        if not isinstance(contents, Contents):
            raise TypeError(f"its read returns {type(contents).__name__}, not Contents")
        return contents

    return replace(
        form,
        sniff=sniff,
        read=guard(read, named=1),
        write=form.write and guard(form.write),
        join=form.join and guard(form.join, named=1),
        together=form.together and guard(form.together),
    )
