"""One file for each file format; `OWN` is the one list of the house, `formats` adds those of other packages."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import ParamSpec, TypeVar, cast

from handan.errors import HandanError, InputError
from handan.files.games.columns import is_own_header
from handan.files.games.contents import Contents
from handan.files.games.format import Format
from handan.files.io.options import Options
from handan.plugins import GROUPS, Extensions, fault_of_name, reason, warn

P = ParamSpec("P")
R = TypeVar("R")

OWN = {
    "PARQUET": "parquet",
    "WORKBOOK": "workbook",
    "PAIRGOTH": "pairgoth",
    "OGS_GAMES": "ogs_games",
    "CLUB_LEDGER": "club_ledger",
    "JSON_ROWS": "json_rows",
    "MACMAHON": "macmahon",
    "OPENGOTHA": "opengotha",
    "SGF": "sgf",
    "GIB": "gib",
    "NGF": "ngf",
    "TRF": "trf",
    "PGN": "pgn",
    "AGA_REPORT": "aga_report",
    "AGA_ROUND": "aga_rounds",
    "AGA_REGISTER": "aga_rounds",
    "TOU": "tou",
    "FFG_LIST": "player_lists",
    "EGD_LIST": "player_lists",
    "AGA_LIST": "player_lists",
    "WEB_PAGE_TABLES": "web_page",
    "TYGEM": "server_indexes",
    "TOM": "server_indexes",
    "EGD_DUMP": "exports",
    "AGAGD_DUMP": "exports",
    "OGS_EXPORT": "exports",
    "PAIRS_TABLE": "exports",
    "PRINTED_TABLE": "printed_table",
    "H9": "h9",
    "TIDY_CSV": "native_csv",
}
"""The formats and their modules, asked in this order whether a file is theirs; the last takes what is left."""


@cache
def own_formats() -> tuple[Format, ...]:
    """Return the formats of the house in the order of `OWN`; the first call imports them all."""
    return tuple(_own(name) for name in OWN)


def _own(name: str) -> Format:
    return cast("Format", getattr(import_module(f"{__name__}.{OWN[name]}"), name))


def fault_of_format(item: object) -> str:
    """Return why an object of another package cannot be a file format, "" where it can."""
    if not isinstance(item, Format):
        return "it is no Format of handan.files.games.format"
    taken = {ending for own in own_formats() for ending in own.endings} & set(item.endings)
    if taken:
        return f"its ending {min(taken)} is one of the house's own"
    words = item.name.replace(" ", "-")
    return fault_of_name(words, [own.name for own in own_formats()])


EXTENSIONS: Extensions[Format] = Extensions(GROUPS["formats"], fault_of_format)
"""What other packages bring."""


def formats() -> tuple[Format, ...]:
    """Return all formats in the order in which they are tried: those of other packages first, as more particular."""
    return (*(_guarded(form) for form in EXTENSIONS.usable()), *own_formats())


def format_of(head: bytes) -> Format:
    """Return the format of a file by its first bytes, unpacked.

    A table with Handan's own headings and no other is known by them, without asking the other formats.
    """
    if is_own_header(head.removeprefix(BOM_UTF8).partition(b"\n")[0].rstrip(b"\r").decode("latin-1")):
        return _own("TIDY_CSV")
    return next(form for form in formats() if form.sniff(head))


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
        fields=form.fields and guard(form.fields, named=1),
    )
