"""Files of office programs, known by their content: they hold tables, and are no tables of text."""

from __future__ import annotations

import zipfile
from typing import IO

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of Office files before 2007 (OLE 2 compound files)."""
EXCEL = "an Excel workbook"
MEMBERS = (
    ("xl/workbook.", EXCEL),
    ("word/document.", "a Word document"),
    ("Index/Document.iwa", "a Numbers or Pages file"),
)
"""Beginnings of names that only these have in their archives."""
OPEN_DOCUMENT = {
    "application/vnd.oasis.opendocument.spreadsheet": "an OpenDocument spreadsheet",
    "application/vnd.oasis.opendocument.text": "an OpenDocument text",
}
STREAMS = ("Workbook".encode("utf-16-le"), "Book".encode("utf-16-le"))
"""Names of the part that holds a table in an Excel file before 2007."""
MOST_TYPE = 128  # bytes of the name of a type
REACH = 1 << 22  # bytes in which such a name is looked for; our choice


def document(stream: IO[bytes]) -> str:
    """Return what kind of document a file is, as a message names it; empty if it is none."""
    if stream.read(len(OLE)) == OLE:
        start = stream.read(REACH)
        return EXCEL if any(name in start for name in STREAMS) else "a file of an old office program"
    try:
        with zipfile.ZipFile(stream) as archive:
            names = archive.namelist()
            for beginning, kind in MEMBERS:
                if any(name.startswith(beginning) for name in names):
                    return kind
            if names[:1] == ["mimetype"] and archive.getinfo("mimetype").file_size <= MOST_TYPE:
                return OPEN_DOCUMENT.get(archive.read("mimetype").decode("ascii", "replace").strip(), "")
    except Exception:  # noqa: BLE001  # a damaged archive raises anything; who unpacks it says what is wrong
        return ""
    return ""
